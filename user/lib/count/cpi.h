/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CPI stack of a metric tree: how many cycles per instruction each node of the tree accounts
 * for. Such a component of the stack is the node's value, a fraction of the slots, times the cycles
 * per instruction. To compare programs that execute different numbers of instructions for the same
 * work, the cycles per unit of the application's work are used instead.
 *
 * Components of two runs can be compared: if one component is improved, the others keep their
 * values. Fractions of the slots cannot be compared in this way, because they always add up to 1.
 */
#ifndef BPMU_CPI_H
#define BPMU_CPI_H

#include <stdio.h>

#include "base/fields.h"
#include "tree/tree.h"

/**
 * struct bpmu_cpi_part - a component of a CPI stack
 * @metric: index of the node of the metric tree from whose value the component is computed
 * @cpi: cycles per instruction or unit of work
 * @uncertainty: half-width of the confidence interval of @cpi; with a confidence of 95 % the
 *	intervals of all components contain the true values
 * @flags: flags of the node, mask of &enum bpmu_value_flag
 */
struct bpmu_cpi_part {
	unsigned int metric;
	double cpi;
	double uncertainty;
	unsigned int flags;
};

/**
 * struct bpmu_cpi - CPI stack of a metric tree
 * @part: components, [@nr]
 * @nr: number of components
 * @known: true if every node of level 1 of the tree has a value, and the cycles were measured
 * @sum: sum of the components; only if @known
 * @measured: cycles per instruction or unit of work; only if @known
 * @uncertainty: half-width of the 95 % confidence interval of @measured
 * @sum_flags: mask of &enum bpmu_value_flag; the reasons why nodes have no value, and so why there
 *	is no @sum
 * @flags: flags of @measured, mask of &enum bpmu_value_flag
 */
struct bpmu_cpi {
	struct bpmu_cpi_part *part;
	unsigned int nr;
	bool known;
	double sum;
	double measured;
	double uncertainty;
	unsigned int sum_flags;
	unsigned int flags;
};

int bpmu_cpi_take(const char *text, double *work, struct bpmu_error *err);
const char *bpmu_cpi_unit(const struct bpmu_tree *tree);
int bpmu_cpi_stack(struct bpmu_cpi *cpi, const struct bpmu_tree *tree,
		   const struct bpmu_tree_value *values);
void bpmu_cpi_print(struct bpmu_table *table, const struct bpmu_cpi *cpi,
		    const struct bpmu_tree *tree);
void bpmu_cpi_free(struct bpmu_cpi *cpi);

#endif /* BPMU_CPI_H */
