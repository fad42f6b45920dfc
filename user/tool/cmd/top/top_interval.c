// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"
#include "top_sum.h"

void bpmu_top_rows_free(struct bpmu_top *top)
{
	struct bpmu_top_view *view = &top->view;

	if (view->row)
		free(view->row->values);
	free(view->row);
	free(view->order);
	view->row = NULL;
	view->order = NULL;
	view->nr_rows = 0;
	bpmu_rows_free(&top->rows);
}

static int alloc_rows(struct bpmu_top *top, struct bpmu_error *err)
{
	struct bpmu_top_view *view = &top->view;
	size_t lines = top->tree.metrics.nr;
	unsigned int nr = top->rows.nr;
	unsigned int r;

	view->row = calloc(nr, sizeof(*view->row));
	view->order = calloc(nr, sizeof(*view->order));
	if (view->row)
		view->row->values = calloc(nr * lines,
					   sizeof(*view->row->values));
	if (!view->row || !view->order || !view->row->values)
		return bpmu_error_set(err, -ENOMEM,
				      "rows: no memory; free some");
	for (r = 1; r < nr; r++)
		view->row[r].values = view->row->values + r * lines;
	return 0;
}

/**
 * bpmu_top_rows_of() - make the rows of the live view that its state requests
 * @top: its rows are replaced; rows that the kernel does not tell are skipped, and the view
 *	gets a note
 *
 * The rows have no values before the next interval.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_rows_of(struct bpmu_top *top, struct bpmu_error *err)
{
	int code;

	bpmu_top_rows_free(top);
	code = bpmu_rows_find(&top->rows, top->state.by, &top->target.cpus,
			      err);
	while (code == -ENODATA) {
		snprintf(top->view.note, sizeof(top->view.note), "%s",
			 err->text);
		bpmu_rows_free(&top->rows);
		/*
		 * Try the next kind of rows. The loop ends with rows of CPUs, which need no
		 * topology.
		 */
		bpmu_top_next_rows(&top->state);
		code = bpmu_rows_find(&top->rows, top->state.by,
				      &top->target.cpus, err);
	}
	return code ? code : alloc_rows(top, err);
}

static int sum_rows(struct bpmu_top *top, struct bpmu_tree *tree,
		    const struct bpmu_interval *interval,
		    struct bpmu_error *err)
{
	const struct bpmu_top_sum sum = {
		.tree = tree, .interval = interval,
		.nr_cpus = top->target.cpus.nr, .rows = &top->rows,
	};
	int code;

	code = bpmu_top_sum_rows(&sum, top->view.row, err);
	if (!code)
		top->view.nr_rows = top->rows.nr;
	return code;
}

static int top_evaluate(struct bpmu_top *top, const struct bpmu_interval *interval,
			struct bpmu_error *err)
{
	struct bpmu_step *step = &top->step[top->at & 1];
	struct bpmu_top_view *view = &top->view;
	unsigned int i;

	bpmu_step_add(step, top->target.cpus.nr, interval, view->values);
	for (i = 0; i < view->tree->metrics.nr; i++)
		view->measured[i] = step->tree.shown[i];
	view->seconds = top->seconds;
	top->changed = true;
	return sum_rows(top, &step->tree, interval, err);
}

/* evaluates an interval for one core type */
static int top_take_core_type(struct bpmu_top *top, const struct bpmu_interval *interval,
			      bool seen, struct bpmu_error *err)
{
	unsigned int pos;
	int code;

	top->at = interval->plan;
	for (pos = 0; pos < top->target.cpus.nr; pos++)
		top->view.lost += interval->lost[pos];
	bpmu_flaws_add(&top->view.flaws, interval, &top->target.cpus);
	if (!seen)
		return 0;
	code = top_evaluate(top, interval, err);
	if (!code && interval->whole)
		bpmu_top_flags(&top->state, top->view.values);
	return code;
}

/**
 * bpmu_top_interval() - evaluate an interval of the live view
 * @top: calls, [core type]; views that are not frozen are updated
 * @interval: the counts; a shortened interval is shown only if it is the last one
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err)
{
	bool seen = !top->state.frozen && !top->again &&
		    (interval->whole || interval->last);
	struct bpmu_interval behind = *interval;
	struct bpmu_top *one;
	int code = 0;

	top->index = interval->index + 1;
	for (one = top; one <= top + top->others && !code; one++) {
		one->seconds = top->before + interval->seconds;
		code = top_take_core_type(one, &behind, seen, err);
		if (one < top + top->others)
			behind = bpmu_interval_behind(&behind,
						      one->target.cpus.nr,
						      &one->step[one->at & 1].tree.groups);
	}
	return code;
}
