/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A single formula, compiled like the formulas of a metric tree. Different from those, all of its
 * counts are of the same time (no group of events is multiplexed), and a function of the caller
 * returns the values of the names.
 */
#ifndef BPMU_METRIC_FORMULA_H
#define BPMU_METRIC_FORMULA_H

#include "metric_program.h"

/**
 * struct bpmu_formula - a compiled formula
 * @program: statements of the metrics and definitions that the formula uses, then the statement of
 *	the formula itself
 * @operand: [@nr], all other names in these formulas, such as events; each name once, in the order
 *	in which the names are needed
 * @nr: number of operands
 * @slot: values of the variables of @program; the first @nr variables are the operands
 */
struct bpmu_formula {
	struct bpmu_program program;
	const char **operand;
	unsigned int nr;
	struct bpmu_value *slot;
};

int bpmu_formula_make(struct bpmu_formula *formula, const struct bpmu_metrics *lines,
		      const struct bpmu_expr *expr, struct bpmu_error *err);
struct bpmu_value bpmu_formula_run(const struct bpmu_formula *formula);
struct bpmu_value bpmu_formula_eval(const struct bpmu_formula *formula, bpmu_lookup_fn *lookup,
				    void *ctx);
void bpmu_formula_free(struct bpmu_formula *formula);

#endif /* BPMU_METRIC_FORMULA_H */
