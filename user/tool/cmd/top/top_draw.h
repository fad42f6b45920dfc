/* SPDX-License-Identifier: GPL-2.0 */
/* The values that "barepmu top" shows, and the functions that draw them on a screen. */
#ifndef BPMU_TOP_DRAW_H
#define BPMU_TOP_DRAW_H

#include "count/flaw.h"
#include "top_screen.h"
#include "top_state.h"

struct bpmu_top_sum;

/* size in bytes of a text of bpmu_top_seen_rows() */
#define BPMU_TOP_SEEN 64

/**
 * enum bpmu_top_stage - which members of a row of the live view have been computed
 * @BPMU_TOP_COUNTED: none: only the counts are known
 * @BPMU_TOP_VALUED: MHz, and what the order of the rows needs: the value of the node, or the loss,
 *	by which they are sorted, without the 95 % intervals that multiplexing causes. Nodes are
 *	flagged as if values were exact, so that &bpmu_top_row.loss is an upper limit of the loss;
 *	there is no verdict
 * @BPMU_TOP_JUDGED: all: values, 95 % intervals, flags and verdict
 */
enum bpmu_top_stage {
	BPMU_TOP_COUNTED,
	BPMU_TOP_VALUED,
	BPMU_TOP_JUDGED
};

/**
 * struct bpmu_top_row - a row of the live view: values of a CPU, core, package or the like
 * @label: text that names the CPU, core, ...
 * @stage: which of the other members have been computed
 * @mhz: unhalted cycles per microsecond and CPU, NAN if they are not counted
 * @loss: how much of @mhz is lost to the largest flagged node of level 1: @mhz times the node's
 *	value; 0 if no node is flagged
 * @worst: index of the node that the verdict names as the bottleneck, or -1
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
 * struct bpmu_top_view - the data of a core type that the live view shows
 * @title: name of the CPU model
 * @cpus: list of the measured CPUs, as text
 * @tree: tree with all nodes that the user can open (measure and show)
 * @values: values over all CPUs, [nr metrics]
 * @measured: true if the metric has been measured, [nr metrics]
 * @sum: counts from which each element of @row is evaluated when it is shown
 * @row: values of each CPU, core or the like, [@nr_rows]
 * @order: indexes of @row in the order of display, [@nr_rows]
 * @nr_rows: number of rows
 * @seconds: end of the interval on the screen, in seconds since the start; 0 before the first one
 * @lost: number of samples lost so far
 * @flaws: flaws of the measurement that samples have reported so far
 * @away: true if the user controls the other core type by keys
 * @note: message for the user, or ""
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
int bpmu_top_draw_flaws(struct bpmu_top_screen *screen, int at, const struct bpmu_flaws *flaws);
void bpmu_top_seen_rows(char seen[BPMU_TOP_SEEN], unsigned int first, unsigned int page,
			unsigned int nr);
void bpmu_top_draw_hints(struct bpmu_top_screen *screen, const char *const *hints, size_t nr,
			 const char *seen);
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
