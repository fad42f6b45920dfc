/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree as a CPI stack: each share of the slots is multiplied by the cycles per instruction. For
 * programs whose number of instructions differs, the cycles per unit of the application's own work
 * are used. Unlike a share, a component does not change when another component is improved, so that
 * two runs can be compared.
 */
#ifndef BPMU_CPI_H
#define BPMU_CPI_H

#include <stdio.h>

#include "base/fields.h"
#include "tree/tree.h"

/**
 * struct bpmu_cpi_part - a component of a CPI stack
 * @metric: number of the component's node
 * @cpi: cycles per instruction or unit of work
 * @uncertainty: half-width of an interval of @cpi; the intervals of all components hold their
 *	true values simultaneously with a confidence of 95 %
 * @flags: flags of the node, mask of &enum bpmu_value_flag
 */
struct bpmu_cpi_part {
	unsigned int metric;
	double cpi;
	double uncertainty;
	unsigned int flags;
};

/**
 * struct bpmu_cpi - CPI stack of a tree
 * @part: components, [@nr]
 * @nr: number of components
 * @known: every node of the first level and the measured value have a value
 * @sum: sum of the components; only if @known
 * @measured: cycles per instruction or unit of work; only if @known
 * @uncertainty: half-width of the 95 % confidence interval of @measured
 * @sum_flags: flags of the sum, which give the reason if it has no value
 * @flags: flags of the measured value
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
