/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the keys of "barepmu top" change.
 */
#ifndef BPMU_TOP_STATE_H
#define BPMU_TOP_STATE_H

#include "count/drill.h"
#include "event/rows.h"

/* not nodes: rows are sorted by what is lost in them, by their clock, their number */
#define BPMU_TOP_BY_LOSS (-1)
#define BPMU_TOP_BY_MHZ (-2)
#define BPMU_TOP_BY_NUMBER (-3)

/* the most columns of nodes */
#define BPMU_TOP_COLUMNS 16

/**
 * enum bpmu_top_key - what a key asks for
 * @BPMU_TOP_NOTHING: no key
 * @BPMU_TOP_OTHER: one without meaning
 * @BPMU_TOP_UP: to the node above
 * @BPMU_TOP_DOWN: to the node below
 * @BPMU_TOP_RIGHT: into the node
 * @BPMU_TOP_LEFT: out of it
 * @BPMU_TOP_HOME: to the first node
 * @BPMU_TOP_END: to the last node
 * @BPMU_TOP_PAGE_UP: rows above
 * @BPMU_TOP_PAGE_DOWN: rows below
 * @BPMU_TOP_SORT_LEFT: sort by the column at the left
 * @BPMU_TOP_SORT_RIGHT: sort by the column at the right
 * @BPMU_TOP_REVERSE: smallest first, or largest first again
 * @BPMU_TOP_ROWS: rows of CPUs, cores, dies, packages in turn
 * @BPMU_TOP_FOLLOW: open nodes that are flagged, close others
 * @BPMU_TOP_FREEZE: leave the screen as it is, or go on
 * @BPMU_TOP_LONGER: a longer interval
 * @BPMU_TOP_SHORTER: a shorter interval
 * @BPMU_TOP_SECTION: keys for the CPUs of the other kind
 * @BPMU_TOP_REDRAW: the screen's size has changed
 * @BPMU_TOP_HELP: what the keys are
 * @BPMU_TOP_QUIT: end
 */
enum bpmu_top_key {
	BPMU_TOP_NOTHING,
	BPMU_TOP_OTHER,
	BPMU_TOP_UP,
	BPMU_TOP_DOWN,
	BPMU_TOP_RIGHT,
	BPMU_TOP_LEFT,
	BPMU_TOP_HOME,
	BPMU_TOP_END,
	BPMU_TOP_PAGE_UP,
	BPMU_TOP_PAGE_DOWN,
	BPMU_TOP_SORT_LEFT,
	BPMU_TOP_SORT_RIGHT,
	BPMU_TOP_REVERSE,
	BPMU_TOP_ROWS,
	BPMU_TOP_FOLLOW,
	BPMU_TOP_FREEZE,
	BPMU_TOP_LONGER,
	BPMU_TOP_SHORTER,
	BPMU_TOP_SECTION,
	BPMU_TOP_REDRAW,
	BPMU_TOP_HELP,
	BPMU_TOP_QUIT
};

/**
 * struct bpmu_top_state - so far
 * @drill: which nodes are open, and so which are to be measured
 * @cursor: node that the keys go to
 * @first_row: number of the first row that is seen, in their order
 * @page: rows that have room on the screen
 * @column: node that the rows are sorted by, or %BPMU_TOP_BY_LOSS and the like
 * @reverse: smallest first
 * @by: what a row is
 * @chosen: the nodes are those of -M: flags do not open any
 * @follow: flags open and close nodes
 * @frozen: new values are not shown
 * @help: the keys are shown instead
 * @quit: the end
 * @interval_ns: length of an interval
 */
struct bpmu_top_state {
	struct bpmu_drill drill;
	int cursor;
	unsigned int first_row;
	unsigned int page;
	int column;
	bool reverse;
	enum bpmu_rows_by by;
	bool chosen;
	bool follow;
	bool frozen;
	bool help;
	bool quit;
	u64 interval_ns;
};

int bpmu_top_state_init(struct bpmu_top_state *state,
			const struct bpmu_tree *tree, unsigned int level,
			struct bpmu_error *err);
void bpmu_top_state_free(struct bpmu_top_state *state);
void bpmu_top_press(struct bpmu_top_state *state, enum bpmu_top_key key);
void bpmu_top_flags(struct bpmu_top_state *state,
		    const struct bpmu_tree_value *values);
bool bpmu_top_has_children(const struct bpmu_top_state *state, unsigned int i);
unsigned int bpmu_top_columns(const struct bpmu_top_state *state,
			      int columns[BPMU_TOP_COLUMNS]);

#endif /* BPMU_TOP_STATE_H */
