// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "top.h"

void bpmu_top_rows_free(struct bpmu_top_section *section)
{
	struct bpmu_top_view *view = &section->view;

	if (view->row)
		free(view->row->values);
	free(view->row);
	free(view->order);
	view->row = NULL;
	view->order = NULL;
	view->nr_rows = 0;
	bpmu_top_sum_end(&section->sum);
	bpmu_rows_free(&section->type->rows);
}

static int alloc_rows(struct bpmu_top_section *section, struct bpmu_error *err)
{
	struct bpmu_top_view *view = &section->view;
	size_t lines = section->type->tree.metrics.nr;
	unsigned int nr = section->type->rows.nr;
	unsigned int r;

	view->row = calloc(nr, sizeof(*view->row));
	view->order = calloc(nr, sizeof(*view->order));
	if (view->row)
		view->row->values = calloc(nr * lines,
					   sizeof(*view->row->values));
	if (!view->row || !view->order || !view->row->values)
		return bpmu_error_set(err, -ENOMEM,
				      "rows: no memory; free some");
	for (r = 0; r < nr; r++) {
		view->row[r].values = view->row->values + r * lines;
		view->row[r].label = section->type->rows.row[r].label;
	}
	return 0;
}

/**
 * bpmu_top_rows_of() - allocate for the live view's intervals the values of each CPU or core
 * @section: what the live view shows of a core type. Its state says what a row is, such as a core;
 *	its old rows are freed. If the kernel does not report, for example, which CPUs share an L3,
 *	rows of the next kind are made, such as dies, and a message on the screen says so
 *
 * The new rows have no values until the next interval ends.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_rows_of(struct bpmu_top_section *section, struct bpmu_error *err)
{
	int code;

	bpmu_top_rows_free(section);
	code = bpmu_rows_find(&section->type->rows, section->state.by, &section->type->target.cpus,
			      err);
	while (code == -ENODATA) {
		snprintf(section->view.note, sizeof(section->view.note), "%s",
			 err->text);
		bpmu_rows_free(&section->type->rows);
		/*
		 * Rows of the next kind, such as dies after L3s, are tried. Rows of single CPUs are
		 * always possible: they need no topology.
		 */
		bpmu_top_next_rows(&section->state);
		code = bpmu_rows_find(&section->type->rows, section->state.by,
				      &section->type->target.cpus, err);
	}
	return code ? code : alloc_rows(section, err);
}

/**
 * bpmu_top_rows_judge() - evaluate all rows in the live view's interval before it is overwritten
 * @section: what the live view shows of a core type; it may have no rows
 */
void bpmu_top_rows_judge(struct bpmu_top_section *section)
{
	unsigned int r;

	for (r = 0; r < section->view.nr_rows; r++)
		bpmu_top_sum_judge(&section->sum, section->view.row, r);
}

/*
 * Keeps the counts of an interval in @section, so that each row can be evaluated when it is shown.
 * Returns 0 or -ENOMEM.
 */
static int begin_rows(struct bpmu_top_section *section, const struct bpmu_tree *tree,
		      const struct bpmu_interval *interval, struct bpmu_error *err)
{
	struct bpmu_top_view *view = &section->view;
	int code;

	section->sum.tree = tree;
	section->sum.interval = *interval;
	section->sum.nr_cpus = section->type->target.cpus.nr;
	section->sum.rows = &section->type->rows;
	view->sum = &section->sum;
	code = bpmu_top_sum_begin(&section->sum, view->row, err);
	view->nr_rows = code ? 0 : section->type->rows.nr;
	return code;
}

static int top_evaluate(struct bpmu_top *top, struct bpmu_top_section *section,
			const struct bpmu_interval *interval, struct bpmu_error *err)
{
	struct bpmu_step *step = &section->step[top->at & 1];
	struct bpmu_top_view *view = &section->view;
	unsigned int i;

	bpmu_step_add(step, section->type->target.cpus.nr, interval, view->values);
	for (i = 0; i < view->tree->metrics.nr; i++)
		view->measured[i] = step->tree.shown[i];
	view->seconds = top->seconds;
	top->changed = true;
	return begin_rows(section, &step->tree, interval, err);
}

/*
 * Evaluates the counts of one core type in an interval. If @seen is true, the values are shown on
 * the screen; if not, only lost samples and flaws are added up. Returns 0 or -ENOMEM.
 */
static int top_take_core_type(struct bpmu_top *top, struct bpmu_top_section *section,
			      const struct bpmu_interval *interval, bool seen,
			      struct bpmu_error *err)
{
	const struct bpmu_cpulist *cpus = &section->type->target.cpus;
	unsigned int pos;
	int code;

	for (pos = 0; pos < cpus->nr; pos++)
		section->view.lost += interval->lost[pos];
	bpmu_flaws_add(&section->view.flaws, interval, cpus);
	if (!seen) {
		/*
		 * An older interval stays on the screen. All rows of the older interval are
		 * evaluated now, before its counts are overwritten.
		 */
		bpmu_top_rows_judge(section);
		return 0;
	}
	code = top_evaluate(top, section, interval, err);
	if (!code && interval->whole)
		bpmu_top_flags(&section->state, section->view.values);
	return code;
}

/**
 * bpmu_top_interval() - evaluate an interval of the live view by its counts
 * @top: state of "barepmu top"; the shown interval is replaced, unless the screen is frozen
 * @interval: counts of the interval. An interval that is shorter than requested is shown only if it
 *	is the last one
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err)
{
	struct bpmu_top_section *section = top->section;
	bool seen = !section->state.frozen && !top->again &&
		    (interval->whole || interval->last);
	struct bpmu_interval behind = *interval;
	unsigned int k;
	int code = 0;

	top->index = interval->index + 1;
	top->at = interval->plan;
	top->seconds = top->before + interval->seconds;
	for (k = 0; k < top->analysis.nr && !code; k++, section++) {
		if (k)
			behind = bpmu_interval_behind(&behind, section[-1].type->target.cpus.nr,
						      &section[-1].step[top->at & 1].tree.groups);
		code = top_take_core_type(top, section, &behind, seen, err);
	}
	return code;
}
