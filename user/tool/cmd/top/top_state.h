/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the state of "barepmu top" that the user changes by keys, such as the order of rows.
 */
#ifndef BPMU_TOP_STATE_H
#define BPMU_TOP_STATE_H

#include "count/drill.h"
#include "event/rows.h"

/*
 * values of &bpmu_top_state.column if rows are sorted by loss, by MHz or by their number, not by a
 * node
 */
#define BPMU_TOP_BY_LOSS (-1)
#define BPMU_TOP_BY_MHZ (-2)
#define BPMU_TOP_BY_NUMBER (-3)

/* maximum number of nodes that have a column in the table of CPUs */
#define BPMU_TOP_COLUMNS 16

/**
 * enum bpmu_top_key - what a key does in the live view
 * @BPMU_TOP_NOTHING: no key
 * @BPMU_TOP_OTHER: unknown key
 * @BPMU_TOP_UP: go to the previous node
 * @BPMU_TOP_DOWN: go to the next node
 * @BPMU_TOP_RIGHT: open the node, or go to its first child
 * @BPMU_TOP_LEFT: close the node, or go to its parent
 * @BPMU_TOP_HOME: go to the first node
 * @BPMU_TOP_END: go to the last node
 * @BPMU_TOP_PAGE_UP: scroll the table of CPUs up by a page
 * @BPMU_TOP_PAGE_DOWN: scroll the table of CPUs down by a page
 * @BPMU_TOP_SORT_LEFT: sort the table of CPUs by the next column at the left
 * @BPMU_TOP_SORT_RIGHT: sort the table of CPUs by the next column at the right
 * @BPMU_TOP_REVERSE: reverse the order of the table of CPUs
 * @BPMU_TOP_ROWS: let a row stand for a core instead of a CPU; then for an L3, die, NUMA node or
 *	package
 * @BPMU_TOP_FOLLOW: open flagged nodes and close others automatically
 * @BPMU_TOP_FREEZE: freeze or unfreeze the screen
 * @BPMU_TOP_LONGER: a longer interval
 * @BPMU_TOP_SHORTER: a shorter interval
 * @BPMU_TOP_SECTION: switch to the other core type
 * @BPMU_TOP_REDRAW: no key: the size of the screen has changed
 * @BPMU_TOP_HELP: show the keys
 * @BPMU_TOP_QUIT: quit
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
 * struct bpmu_top_state - state of the live view for one core type, which keys change
 * @drill: which nodes are open: measured and shown
 * @cursor: index of the node at the cursor
 * @first_row: position of the first visible row of the table of CPUs, in its order of display
 * @page: number of rows that fit on the screen
 * @column: index of the node by which rows are sorted, or %BPMU_TOP_BY_LOSS, %BPMU_TOP_BY_MHZ,
 *	%BPMU_TOP_BY_NUMBER
 * @reverse: true to sort rows with the smallest value first
 * @by: which CPUs are added up in a row of the table of CPUs, such as those of a core
 * @chosen: true if the option -M has chosen the nodes: no nodes are opened automatically
 * @follow: true to open flagged nodes, and close others, automatically
 * @frozen: true while the screen is frozen
 * @help: true while the help is shown, a list of the keys
 * @quit: true if the tool is to end
 * @interval_ns: length of an interval in ns
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
void bpmu_top_step_interval(u64 *interval_ns, int direction);
void bpmu_top_next_rows(struct bpmu_top_state *state);
void bpmu_top_press(struct bpmu_top_state *state, enum bpmu_top_key key);
void bpmu_top_flags(struct bpmu_top_state *state,
		    const struct bpmu_tree_value *values);
bool bpmu_top_has_children(const struct bpmu_top_state *state, unsigned int i);
unsigned int bpmu_top_columns(const struct bpmu_top_state *state,
			      int columns[BPMU_TOP_COLUMNS]);

#endif /* BPMU_TOP_STATE_H */
