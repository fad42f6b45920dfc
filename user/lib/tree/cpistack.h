/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPI stacks at three stages of the pipeline, side by side.
 */
#ifndef BPMU_CPISTACK_H
#define BPMU_CPISTACK_H

#include <stdio.h>

#include "base/fields.h"
#include "tree.h"

#define BPMU_CPISTACK_METHOD "cpistack"

/*
 * Stages of the pipeline. The names are those of the paper "Multi-Stage CPI Stacks"; Intel's names
 * are issue, execution and retirement.
 */
enum bpmu_cpistack_stage {
	BPMU_CPISTACK_DISPATCH,
	BPMU_CPISTACK_ISSUE,
	BPMU_CPISTACK_COMMIT,
	BPMU_CPISTACK_STAGES
};

/*
 * Rows of a CPI stack: first the components of the paper "Multi-Stage CPI Stacks", then the parts
 * into which this tool divides some components
 */
enum bpmu_cpistack_row {
	BPMU_CPISTACK_BASE,
	BPMU_CPISTACK_ICACHE,
	BPMU_CPISTACK_BPRED,
	BPMU_CPISTACK_DCACHE,
	BPMU_CPISTACK_ALU,
	BPMU_CPISTACK_DEPEND,
	BPMU_CPISTACK_OTHER,
	BPMU_CPISTACK_COMPONENTS,
	BPMU_CPISTACK_ICACHE_L2 = BPMU_CPISTACK_COMPONENTS,
	BPMU_CPISTACK_ICACHE_L3,
	BPMU_CPISTACK_ICACHE_MEMORY,
	BPMU_CPISTACK_ICACHE_ITLB,
	BPMU_CPISTACK_DCACHE_HIT,
	BPMU_CPISTACK_DCACHE_DTLB,
	BPMU_CPISTACK_DCACHE_L2,
	BPMU_CPISTACK_DCACHE_L3,
	BPMU_CPISTACK_DCACHE_MEMORY,
	BPMU_CPISTACK_DCACHE_FILLS,
	BPMU_CPISTACK_DCACHE_STORES,
	BPMU_CPISTACK_ALU_L1,
	BPMU_CPISTACK_ALU_FIRST,
	BPMU_CPISTACK_ALU_FURTHER,
	BPMU_CPISTACK_ALU_BLOCKED,
	BPMU_CPISTACK_OTHER_PORTS,
	BPMU_CPISTACK_OTHER_STORES,
	BPMU_CPISTACK_OTHER_CLEARS,
	BPMU_CPISTACK_OTHER_DECODE,
	BPMU_CPISTACK_OTHER_ORDER,
	BPMU_CPISTACK_ROWS
};

/**
 * struct bpmu_cpistack_cell - a component, or a part of one, at one stage of the pipeline
 * @there: true if the CPU model can count the component, exactly or approximately
 * @known: true if the component has a value
 * @cpi: cycles per instruction, never clamped
 * @uncertainty: half-width of the 95 % confidence interval of @cpi
 * @line: metric or definition with the component's formula, in the method's file; if the component
 *	is approximate, the text of @line says what is not counted
 */
struct bpmu_cpistack_cell {
	bool there;
	bool known;
	double cpi;
	double uncertainty;
	const struct bpmu_metric *line;
};

/**
 * struct bpmu_cpistack - the CPI stacks of all stages
 * @cell: value of each row at each stage, [stage][row]
 * @low: smallest value of the row among the stages, [row]
 * @high: largest value of the row among the stages, [row]; removing the cause of a component is
 *	expected to save between @low and @high cycles per instruction
 * @stages: number of stages at which the row has a value, [row]
 * @known: true if the cycles per instruction are known
 * @cpi: cycles per instruction or unit of work; only if @known
 * @work: number of units of work, 0 for instructions
 * @flags: flaws that samples of the interval report, a subset of %BPMU_VALUE_FLAWS
 */
struct bpmu_cpistack {
	struct bpmu_cpistack_cell
		cell[BPMU_CPISTACK_STAGES][BPMU_CPISTACK_ROWS];
	double low[BPMU_CPISTACK_ROWS];
	double high[BPMU_CPISTACK_ROWS];
	unsigned int stages[BPMU_CPISTACK_ROWS];
	bool known;
	double cpi;
	double work;
	unsigned int flags;
};

void bpmu_cpistack_make(struct bpmu_cpistack *stack,
			const struct bpmu_tree *tree,
			const struct bpmu_tree_value *values);
const char *bpmu_cpistack_name(enum bpmu_cpistack_row row);
enum bpmu_cpistack_row bpmu_cpistack_parent(enum bpmu_cpistack_row row);
bool bpmu_cpistack_has(const struct bpmu_cpistack *stack,
		       enum bpmu_cpistack_row row);
void bpmu_cpistack_text(FILE *out, const struct bpmu_cpistack *stack);
void bpmu_cpistack_rows(struct bpmu_table *table,
			const struct bpmu_cpistack *stack);

#endif /* BPMU_CPISTACK_H */
