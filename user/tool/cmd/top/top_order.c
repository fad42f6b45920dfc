// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "top_draw.h"
#include "top_sum.h"

/**
 * struct sorting - argument of top_compare_rows()
 * @view: the live view, whose rows are sorted
 * @state: state of the display, with the column by which to sort and the direction
 */
struct sorting {
	const struct bpmu_top_view *view;
	const struct bpmu_top_state *state;
};

/*
 * Returns true if only an upper limit of &bpmu_top_row.loss is known, because the 95 % intervals of
 * the row's values have not been computed.
 */
static bool loss_is_limit(const struct bpmu_top_row *row)
{
	return row->stage < BPMU_TOP_JUDGED && row->loss > 0;
}

/*
 * Returns the value by which row @r is sorted. If rows are sorted by loss, the exact loss of a row
 * may be unknown: it is between 0 and a known upper limit. The one of these two values is then
 * returned that puts the row nearest to the top.
 */
static double sort_value(const struct sorting *s, unsigned int r)
{
	const struct bpmu_top_row *row = &s->view->row[r];

	if (s->state->column == BPMU_TOP_BY_LOSS)
		return s->state->reverse && loss_is_limit(row) ? 0 : row->loss;
	if (s->state->column == BPMU_TOP_BY_MHZ)
		return row->mhz;
	/*
	 * Rows with larger values come first. But rows that are sorted by number must begin with
	 * the smallest number, so that the number is negated.
	 */
	if (s->state->column == BPMU_TOP_BY_NUMBER)
		return -(double)r;
	return row->values[s->state->column].known ?
	       row->values[s->state->column].value : NAN;
}

/* Compares two rows by the sort column. In both directions rows without a value come last. */
static int top_compare_rows(const void *a, const void *b, void *ctx)
{
	unsigned int r = *(const unsigned int *)a;
	unsigned int q = *(const unsigned int *)b;
	const struct sorting *s = ctx;
	double x = sort_value(s, r);
	double y = sort_value(s, q);

	if (isnan(x) || isnan(y)) {
		if (isnan(x) != isnan(y))
			return isnan(x) ? 1 : -1;
	} else if (x != y) {
		return (x < y) != s->state->reverse ? 1 : -1;
	}
	return r < q ? -1 : 1;
}

static void sort_rows(const struct bpmu_top_view *view, const struct bpmu_top_state *state)
{
	struct sorting s = { .view = view, .state = state };

	qsort_r(view->order, view->nr_rows, sizeof(*view->order), top_compare_rows, &s);
}

/*
 * Computes the exact loss of rows of which only an upper limit of the loss is known. Does so only
 * for the first @end rows in @view->order. Returns true if there were such rows.
 */
static bool judge_losses(const struct bpmu_top_view *view, unsigned int end)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < end; i++) {
		if (!loss_is_limit(&view->row[view->order[i]]))
			continue;
		bpmu_top_sum_judge(view->sum, view->row, view->order[i]);
		any = true;
	}
	return any;
}

/**
 * bpmu_top_order() - order (sort) the rows of the live view, and evaluate the visible ones
 * @view: the live view; its member order is set, of which only the first @end elements are exact
 * @state: sort column, direction, and first visible row
 * @end: number of rows up to the last visible one, with those that are scrolled off the top; may be
 *	larger than the number of all rows
 *
 * If rows are sorted by loss, some further rows are evaluated to find out which ones are visible. A
 * row is surely not visible if the upper limit of its loss is below the loss of the last visible
 * row.
 *
 * Not thread-safe.
 */
void bpmu_top_order(const struct bpmu_top_view *view, const struct bpmu_top_state *state,
		    unsigned int end)
{
	unsigned int i;

	if (end > view->nr_rows)
		end = view->nr_rows;
	for (i = 0; i < view->nr_rows; i++) {
		view->order[i] = i;
		if (state->column != BPMU_TOP_BY_NUMBER)
			bpmu_top_sum_values(view->sum, view->row, i, state->column);
	}
	do
		sort_rows(view, state);
	while (state->column == BPMU_TOP_BY_LOSS && judge_losses(view, end));
	for (i = state->first_row; i < end; i++)
		bpmu_top_sum_judge(view->sum, view->row, view->order[i]);
}
