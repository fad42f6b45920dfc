// SPDX-License-Identifier: GPL-2.0
#include "top_state.h"

#include <string.h>

#include "base/clock.h"

static const struct bpmu_metric *metric_at(const struct bpmu_top_state *state,
					   int i)
{
	return &state->drill.tree->metrics.metric[i];
}

/*
 * Returns the nearest open node after node @from if @direction is 1, before node @from if it is -1;
 * @from if there is none. A node is open if it is measured and shown.
 */
static int top_state_step(const struct bpmu_top_state *state, int from, int direction)
{
	int nr = state->drill.tree->metrics.nr;
	int i;

	for (i = from + direction; i >= 0 && i < nr; i += direction)
		if (state->drill.wanted[i])
			return i;
	return from;
}

static int last_node(const struct bpmu_top_state *state)
{
	return top_state_step(state, state->drill.tree->metrics.nr, -1);
}

/*
 * Returns the nearest ancestor of node @i that is open (measured and shown); -1 if no ancestor is.
 */
static int visible_ancestor(const struct bpmu_top_state *state, int i)
{
	do {
		i = metric_at(state, i)->parent;
	} while (i >= 0 && !state->drill.wanted[i]);
	return i;
}

/*
 * Called when nodes may have been closed (hidden). If the node at the cursor was closed, moves the
 * cursor to the nearest open ancestor of the node. If rows were sorted by a node that was closed,
 * lets them be sorted by loss.
 */
static void settle_cursor(struct bpmu_top_state *state)
{
	if (!state->drill.wanted[state->cursor])
		state->cursor = visible_ancestor(state, state->cursor);
	if (state->cursor < 0)
		state->cursor = top_state_step(state, -1, 1);
	if (state->column >= 0 && !state->drill.wanted[state->column])
		state->column = BPMU_TOP_BY_LOSS;
}

/**
 * bpmu_top_has_children() - live view's state: check if the user can open a node's children
 * @i: number of the node
 */
bool bpmu_top_has_children(const struct bpmu_top_state *state, unsigned int i)
{
	const struct bpmu_tree *tree = state->drill.tree;
	unsigned int c;

	for (c = i + 1; c < tree->metrics.nr; c++)
		if (tree->metrics.metric[c].parent == (int)i && tree->shown[c])
			return true;
	return false;
}

/**
 * bpmu_top_columns() - live view's state: choose which nodes have a column in the table of CPUs
 * @columns: output: indexes of the nodes: the node at the cursor and its open siblings. If rows are
 *	sorted by a node that is not among these, that node comes first
 *
 * Return: number of columns.
 */
unsigned int bpmu_top_columns(const struct bpmu_top_state *state,
			      int columns[BPMU_TOP_COLUMNS])
{
	int parent = metric_at(state, state->cursor)->parent;
	int nr_lines = state->drill.tree->metrics.nr;
	unsigned int nr = 0;
	int i;

	if (state->column >= 0 &&
	    metric_at(state, state->column)->parent != parent)
		columns[nr++] = state->column;
	for (i = 0; i < nr_lines && nr < BPMU_TOP_COLUMNS; i++)
		if (state->drill.wanted[i] &&
		    metric_at(state, i)->parent == parent)
			columns[nr++] = i;
	return nr;
}

static void sort_by_next(struct bpmu_top_state *state, int direction)
{
	int columns[BPMU_TOP_COLUMNS];
	int nr = bpmu_top_columns(state, columns);
	int at = state->column;
	int i;

	for (i = 0; i < nr; i++)
		if (columns[i] == state->column)
			at = i;
	at += direction;
	if (at >= nr || at < BPMU_TOP_BY_NUMBER)
		return;
	state->column = at < 0 ? at : columns[at];
}

static void go_into(struct bpmu_top_state *state)
{
	if (!bpmu_top_has_children(state, state->cursor))
		return;
	if (state->drill.open[state->cursor])
		state->cursor = top_state_step(state, state->cursor, 1);
	else
		bpmu_drill_open(&state->drill, state->cursor, true);
}

static void go_out(struct bpmu_top_state *state)
{
	int up = visible_ancestor(state, state->cursor);

	if (state->drill.open[state->cursor] &&
	    bpmu_top_has_children(state, state->cursor))
		bpmu_drill_open(&state->drill, state->cursor, false);
	else if (up >= 0)
		state->cursor = up;
}

/**
 * bpmu_top_step_interval() - change the live view's state: to the next longer or shorter interval
 * @interval_ns: the interval in ns, which stays if it is the longest or shortest already
 * @direction: 1 for a longer interval, -1 for a shorter one
 */
void bpmu_top_step_interval(u64 *interval_ns, int direction)
{
	static const u64 ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	int nr = sizeof(ms) / sizeof(ms[0]);
	int i;

	for (i = direction > 0 ? 0 : nr - 1; i >= 0 && i < nr; i += direction) {
		if (direction > 0 ? ms[i] * BPMU_NS_PER_MS <= *interval_ns :
				    ms[i] * BPMU_NS_PER_MS >= *interval_ns)
			continue;
		*interval_ns = ms[i] * BPMU_NS_PER_MS;
		return;
	}
}

/**
 * bpmu_top_next_rows() - change the live view's state: let a row be a core instead of a CPU, etc.
 */
void bpmu_top_next_rows(struct bpmu_top_state *state)
{
	static const enum bpmu_rows_by next[] = {
		[BPMU_ROWS_CPU] = BPMU_ROWS_CORE, [BPMU_ROWS_CORE] = BPMU_ROWS_CACHE,
		[BPMU_ROWS_CACHE] = BPMU_ROWS_DIE, [BPMU_ROWS_DIE] = BPMU_ROWS_NODE,
		[BPMU_ROWS_NODE] = BPMU_ROWS_PACKAGE, [BPMU_ROWS_PACKAGE] = BPMU_ROWS_CPU,
	};

	state->by = next[state->by];
	state->first_row = 0;
}

static void move_cursor(struct bpmu_top_state *state, enum bpmu_top_key key)
{
	switch (key) {
	case BPMU_TOP_UP:
		state->cursor = top_state_step(state, state->cursor, -1);
		break;
	case BPMU_TOP_DOWN:
		state->cursor = top_state_step(state, state->cursor, 1);
		break;
	case BPMU_TOP_RIGHT:
		go_into(state);
		break;
	case BPMU_TOP_LEFT:
		go_out(state);
		break;
	case BPMU_TOP_HOME:
		state->cursor = top_state_step(state, -1, 1);
		break;
	case BPMU_TOP_END:
		state->cursor = last_node(state);
		break;
	case BPMU_TOP_PAGE_UP:
		state->first_row -= state->first_row < state->page ?
				    state->first_row : state->page;
		break;
	case BPMU_TOP_PAGE_DOWN:
		state->first_row += state->page;
		break;
	default:
		break;
	}
	settle_cursor(state);
}

static void change_setting(struct bpmu_top_state *state, enum bpmu_top_key key)
{
	switch (key) {
	case BPMU_TOP_SORT_LEFT:
		sort_by_next(state, -1);
		break;
	case BPMU_TOP_SORT_RIGHT:
		sort_by_next(state, 1);
		break;
	case BPMU_TOP_REVERSE:
		state->reverse = !state->reverse;
		break;
	case BPMU_TOP_ROWS:
		/*
		 * While the screen is frozen, the rows stay as they are: the counts of the shown
		 * interval, from which other rows could be made, are no longer kept.
		 */
		if (!state->frozen)
			bpmu_top_next_rows(state);
		break;
	case BPMU_TOP_FOLLOW:
		state->follow = !state->follow && !state->chosen;
		break;
	case BPMU_TOP_FREEZE:
		state->frozen = !state->frozen;
		break;
	case BPMU_TOP_LONGER:
		bpmu_top_step_interval(&state->interval_ns, 1);
		break;
	case BPMU_TOP_SHORTER:
		bpmu_top_step_interval(&state->interval_ns, -1);
		break;
	default:
		move_cursor(state, key);
	}
}

/**
 * bpmu_top_press() - change the state of the live view as a key requests
 * @key: the key; while the help is shown, any key closes the help
 */
void bpmu_top_press(struct bpmu_top_state *state, enum bpmu_top_key key)
{
	if (key == BPMU_TOP_NOTHING || key == BPMU_TOP_REDRAW)
		return;
	if (state->help || key == BPMU_TOP_HELP)
		state->help = !state->help;
	else if (key == BPMU_TOP_QUIT)
		state->quit = true;
	else
		change_setting(state, key);
}

/**
 * bpmu_top_flags() - change the live view's state: open nodes by the flags of the latest interval
 * @state: state of the live view. If its member follow is true, the children of flagged nodes are
 *	opened, and children of nodes that are no longer flagged are closed; else nothing is done
 * @values: values of the interval, [nr metrics of the tree]
 */
void bpmu_top_flags(struct bpmu_top_state *state,
		    const struct bpmu_tree_value *values)
{
	if (!state->follow)
		return;
	bpmu_drill_judge(&state->drill, values);
	settle_cursor(state);
}

/**
 * bpmu_top_state_init() - initial state of the live view
 * @state: output; to be freed with bpmu_top_state_free(), on an error too
 * @tree: tree with all nodes; @state points to it
 * @level: deepest level of which the nodes are open (measured and shown) at first
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_state_init(struct bpmu_top_state *state,
			const struct bpmu_tree *tree, unsigned int level,
			struct bpmu_error *err)
{
	unsigned int i;
	int code;

	memset(state, 0, sizeof(*state));
	state->column = BPMU_TOP_BY_LOSS;
	state->by = BPMU_ROWS_CPU;
	state->page = 1;
	code = bpmu_drill_init(&state->drill, tree, err);
	if (code)
		return code;
	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->metrics.metric[i].level < level)
			bpmu_drill_open(&state->drill, i, true);
	state->cursor = top_state_step(state, -1, 1);
	return 0;
}

/**
 * bpmu_top_state_free() - free the state of the live view
 * @state: state on which bpmu_top_state_init() was called, even if that failed
 */
void bpmu_top_state_free(struct bpmu_top_state *state)
{
	bpmu_drill_free(&state->drill);
}
