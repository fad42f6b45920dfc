/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu top" has measured, and how that is put on a screen.
 */
#ifndef BPMU_TOP_DRAW_H
#define BPMU_TOP_DRAW_H

#include "count/flaw.h"
#include "top_screen.h"
#include "top_state.h"

/**
 * struct bpmu_top_row - a CPU, core or package
 * @label: which one
 * @mhz: clocks per microsecond of each of its CPUs, NAN if not counted
 * @loss: of these, those that the largest flagged node of the upper ones takes,
 *	0 if nothing is flagged
 * @worst: the node that its verdict names, or -1
 * @values: [nr lines of the tree]
 */
struct bpmu_top_row {
	const char *label;
	double mhz;
	double loss;
	int worst;
	struct bpmu_tree_value *values;
};

/**
 * struct bpmu_top_view - what is known
 * @title: the processor
 * @cpus: those that are measured
 * @tree: of all nodes
 * @values: of all CPUs together, [nr lines of the tree]
 * @measured: whether @values has the line, [nr lines]
 * @row: the rows
 * @order: of the rows: their numbers as they are to be shown
 * @nr_rows: number of rows
 * @seconds: at which the interval shown ended, 0 before the first
 * @lost: samples lost so far
 * @flaws: what samples said against the counts so far
 * @away: keys are for the CPUs of another kind
 * @note: something that everybody has to know, or empty
 */
struct bpmu_top_view {
	const char *title;
	const char *cpus;
	const struct bpmu_tree *tree;
	struct bpmu_tree_value *values;
	bool *measured;
	struct bpmu_top_row *row;
	unsigned int *order;
	unsigned int nr_rows;
	double seconds;
	u64 lost;
	struct bpmu_flaws flaws;
	bool away;
	char note[sizeof(((struct bpmu_error *)0)->text)];
};

void bpmu_top_sort(struct bpmu_top_view *view,
		   const struct bpmu_top_state *state);
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
			struct bpmu_top_view *const views[BPMU_KINDS],
			struct bpmu_top_state *const states[BPMU_KINDS]);

#endif /* BPMU_TOP_DRAW_H */
