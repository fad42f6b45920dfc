/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data that "barepmu top" shows, and how it draws them.
 */
#ifndef BPMU_TOP_DRAW_H
#define BPMU_TOP_DRAW_H

#include "count/flaw.h"
#include "top_screen.h"
#include "top_state.h"

struct bpmu_top_sum;

/**
 * enum bpmu_top_stage - how much of a row was evaluated
 * @BPMU_TOP_COUNTED: nothing
 * @BPMU_TOP_VALUED: values and MHz, but not the errors by multiplexing. Nodes are flagged as if the
 *	values were exact, so that &bpmu_top_row.loss is an upper limit of its final value; there is no verdict
 * @BPMU_TOP_JUDGED: all
 */
enum bpmu_top_stage {
	BPMU_TOP_COUNTED,
	BPMU_TOP_VALUED,
	BPMU_TOP_JUDGED
};

/**
 * struct bpmu_top_row - what a row shows of a CPU, core, package or the like
 * @label: label of the row
 * @stage: how much of the row was evaluated
 * @mhz: unhalted clocks per microsecond and CPU, NAN if not counted
 * @loss: the part of @mhz lost to the largest flagged node of level 1, 0 if none
 *	is flagged
 * @worst: node at which the verdict on the row ends, or -1
 * @values: values of the metrics, [nr metrics]
 */
struct bpmu_top_row {
	const char *label;
	enum bpmu_top_stage stage;
	double mhz;
	double loss;
	int worst;
	struct bpmu_tree_value *values;
};

/**
 * struct bpmu_top_view - the data of a screen
 * @title: name of the CPU model
 * @cpus: list of the measured CPUs
 * @tree: tree with all nodes
 * @values: values over all CPUs, [nr metrics]
 * @measured: the metric has been measured, [nr metrics]
 * @sum: evaluates the rows when they are shown
 * @row: the rows, [@nr_rows]
 * @order: indices of the rows in the order of display, [@nr_rows]
 * @nr_rows: number of rows
 * @seconds: end of the shown interval in seconds, 0 before the first
 * @lost: samples lost so far
 * @flaws: flaws of the samples so far
 * @away: keys are for the other core type
 * @note: a message, or empty
 */
struct bpmu_top_view {
	const char *title;
	const char *cpus;
	const struct bpmu_tree *tree;
	struct bpmu_tree_value *values;
	bool *measured;
	struct bpmu_top_sum *sum;
	struct bpmu_top_row *row;
	unsigned int *order;
	unsigned int nr_rows;
	double seconds;
	u64 lost;
	struct bpmu_flaws flaws;
	bool away;
	char note[sizeof(((struct bpmu_error *)0)->text)];
};

void bpmu_top_order(const struct bpmu_top_view *view,
		    const struct bpmu_top_state *state, unsigned int end);
void bpmu_top_draw_head(struct bpmu_top_screen *screen,
			const struct bpmu_top_view *view,
			const struct bpmu_top_state *state);
int bpmu_top_draw_verdict(struct bpmu_top_screen *screen, int line, int lines,
			  const struct bpmu_top_view *view);
unsigned int bpmu_top_nodes(const struct bpmu_top_state *state);
void bpmu_top_draw_nodes(struct bpmu_top_screen *screen, int line, int lines,
			 const struct bpmu_top_view *view,
			 const struct bpmu_top_state *state, bool cursor);
int bpmu_top_heading_lines(const struct bpmu_top_screen *screen,
			   const struct bpmu_top_view *view,
			   const struct bpmu_top_state *state);
void bpmu_top_draw_rows(struct bpmu_top_screen *screen, int line, int lines,
			const struct bpmu_top_view *view,
			struct bpmu_top_state *state);
void bpmu_top_draw(struct bpmu_top_screen *screen, struct bpmu_top_view *view,
		   struct bpmu_top_state *state);
void bpmu_top_draw_both(struct bpmu_top_screen *screen,
			struct bpmu_top_view *const views[BPMU_CORE_TYPES],
			struct bpmu_top_state *const states[BPMU_CORE_TYPES]);

#endif /* BPMU_TOP_DRAW_H */
