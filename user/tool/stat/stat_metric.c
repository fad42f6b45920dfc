// SPDX-License-Identifier: GPL-2.0
/* Evaluates and prints the metrics of "barepmu stat". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_unit.h"
#include "metric/value_flag.h"
#include "report_sums.h"
#include "stat_form.h"
#include "view/interval_row.h"
#include "view/tree_print.h"

#define NUMBER_MAX 40
#define UNIT_WIDTH 24

/**
 * bpmu_stat_has_metrics() - check if the user requested metrics of "barepmu stat"
 * @choice: the metrics that the user requested, or those of them that a core type has
 */
bool bpmu_stat_has_metrics(const struct bpmu_choice *choice)
{
	return choice->names || choice->nr_paths;
}

/**
 * bpmu_stat_count() - count of an event on the CPUs of a row of stat, such as a core
 * @stat: what stat prints of a core type
 * @interval: counts of the interval
 * @row: index of the row
 * @slots: the event's slots (positions in the groups that count it)
 *
 * Return: the sum over the row's CPUs, scaled if the event was multiplexed; NAN if the event was
 * never counted.
 */
double bpmu_stat_count(const struct bpmu_stat_view *stat,
		       const struct bpmu_interval *interval, unsigned int row,
		       const struct bpmu_event_slots *slots)
{
	struct bpmu_estimate sum = { };
	unsigned int i = 0, first, end;

	while ((end = bpmu_rows_range(&stat->type->rows, row, &i, &first)))
		bpmu_interval_total(stat->type->groups, interval, first, end, slots, &sum);
	return bpmu_estimate_seen(&sum) ? sum.value : NAN;
}

static bool is_of_other_row(const struct bpmu_tree_value *value)
{
	return !value->known && value->flags & BPMU_VALUE_SHARED &&
	       !(value->flags & BPMU_VALUE_NONE);
}

static void stat_metric_text(const struct bpmu_stat_view *stat, unsigned int i,
			     const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &stat->type->tree.metrics.metric[i];
	bool share = stat->type->tree.share[i];
	const char *unit = metric->unit ? metric->unit : "";
	char number[NUMBER_MAX] = "no value";
	const char *of = "";
	FILE *out = stat->call->out;

	if (value->known)
		snprintf(number, sizeof(number), share ? "%.1f" : "%.4g",
			 share ? 100 * value->value : value->value);
	if (!value->known)
		unit = "";
	else if (share)
		of = strcmp(unit, "share") ? "% of " : "%";
	if (!strcmp(unit, "share"))
		unit = "";
	fprintf(out, "  %20s %s%-*s # %s", number, of,
		UNIT_WIDTH - (int)strlen(of), unit, metric->name);
	bpmu_tree_node(out, &stat->type->tree, i, value, BPMU_TREE_MARKS);
	fputc('\n', out);
}

/*
 * Copies each of the @fields of a metric to the element of @column that has the same name, because
 * in CSV the rows of metrics have the same columns as the rows of events. Returns the number of
 * columns.
 */
static unsigned int metric_columns(const struct bpmu_stat_view *stat,
				   const struct bpmu_field *fields, unsigned int nr,
				   struct bpmu_field column[BPMU_STAT_FIELDS])
{
	unsigned int columns = bpmu_stat_fields(stat, 1u << BPMU_STAT_TYPE, column);
	unsigned int i, c;

	column[BPMU_STAT_TYPE].text = "metric";
	for (i = 0; i < nr; i++)
		for (c = 0; c < columns; c++)
			if (!strcmp(column[c].name, fields[i].name))
				column[c] = fields[i];
	return columns;
}

/* Makes the form (template) of the rows of a metric. */
static int form_metric(const struct bpmu_stat_view *stat, const struct bpmu_metric *metric,
		       const struct bpmu_errata *errata, struct bpmu_stat_form **made,
		       struct bpmu_error *err)
{
	struct bpmu_stat_form *form = bpmu_stat_form_new(errata);
	unsigned int nr = BPMU_METRIC_FIELDS + bpmu_stat_has_entries(stat);
	struct bpmu_field fields[BPMU_METRIC_FIELDS + 1];
	struct bpmu_field column[BPMU_STAT_FIELDS];
	int code;

	*made = form;
	if (!form)
		return bpmu_error_no_memory(err, "stat");
	bpmu_metric_fields(metric, form->errata, form->flags, fields);
	fields[BPMU_METRIC_FIELDS] = bpmu_stat_by(stat);
	if (stat->call->options.format == BPMU_CSV)
		code = bpmu_stat_form_make(stat, form, "metric", column,
					   metric_columns(stat, fields, nr, column), err);
	else
		code = bpmu_stat_form_make(stat, form, "metric", fields, nr, err);
	if (!code)
		form->metric = bpmu_metric_find(form->field);
	return code;
}

/**
 * bpmu_stat_note() - the metric IPC that stat prints beside an event that counts instructions
 * @event: event that counts instructions; &bpmu_stat_event.noted is true
 *
 * Return: the metric, with name and unit, but without a formula: the caller computes the IPC.
 */
const struct bpmu_metric *bpmu_stat_note(const struct bpmu_stat_event *event)
{
	static char all[] = "IPC", user[] = "IPC:u", kernel[] = "IPC:k";
	static const struct bpmu_metric notes[] = {
		{ .name = all, .unit = "instructions/clock", .level = 1 },
		{ .name = user, .unit = "instructions/clock", .level = 1 },
		{ .name = kernel, .unit = "instructions/clock", .level = 1 },
	};
	u64 levels = event->spec->term[0].select & BPMU_STAT_LEVELS;

	return &notes[levels == BPMU_STAT_LEVELS ? 0 : levels == BPMU_BIT(16) ? 1 : 2];
}

/*
 * Makes the form (template) of the rows with the instructions per cycle that are printed beside an
 * event of instructions. These rows have the errata of both events: instructions and cycles.
 */
static int form_note(const struct bpmu_stat_view *stat, struct bpmu_stat_event *event,
		     struct bpmu_error *err)
{
	struct bpmu_errata errata = event->errata;

	bpmu_errata_of_event(&stat->type->errata, event->clock->spec, &errata);
	return form_metric(stat, bpmu_stat_note(event), &errata, &event->note, err);
}

/**
 * bpmu_stat_metric_forms() - stat's metrics: make the form (template) of the rows of each
 * @stat: what stat prints of a core type, after bpmu_stat_row_forms()
 *
 * For text output no forms are made.
 */
int bpmu_stat_metric_forms(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	const struct bpmu_tree *tree = &stat->type->tree;
	unsigned int i;
	int code = 0;

	if (stat->call->options.format == BPMU_TEXT || !stat->type->rows.nr)
		return 0;
	for (i = 0; i < stat->nr_shown && !code; i++)
		if (stat->shown[i].noted)
			code = form_note(stat, &stat->shown[i], err);
	if (code || !bpmu_stat_has_metrics(&stat->type->choice))
		return code;
	stat->metric_form = calloc(tree->metrics.nr, sizeof(*stat->metric_form));
	if (!stat->metric_form)
		return bpmu_error_no_memory(err, "stat");
	for (i = 0; i < tree->metrics.nr && !code; i++)
		if (tree->shown[i])
			code = form_metric(stat, &tree->metrics.metric[i], &tree->errata[i],
					   &stat->metric_form[i], err);
	return code;
}

/**
 * bpmu_stat_metric() - print a metric of stat as CSV or JSON, or add it to means over several runs
 * @stat: what stat prints of a core type; the text is appended to its @line
 * @form: form (template) of the metric's rows; not used for means
 * @value: value of the metric
 * @interval: interval of the value
 */
void bpmu_stat_metric(struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
		      const struct bpmu_metric *metric, const struct bpmu_tree_value *value,
		      const struct bpmu_row *cpus, const struct bpmu_interval *interval)
{
	const struct bpmu_stat_seldom now = {
		.half = bpmu_tree_half_width(value), .flags = value->flags,
		.known = value->known, .flagged = value->flagged,
	};

	if (stat->call->options.sums) {
		if (interval->whole || !stat->call->options.interval_ns)
			bpmu_metric_sum(metric, value, cpus->label, stat->call->options.sums);
		return;
	}
	bpmu_metric_set(&form->metric, stat->call->options.format, value);
	bpmu_stat_form_put(stat, form, cpus, bpmu_stat_form_set(form, &now));
}

static void stat_metric_print(struct bpmu_stat_view *stat, unsigned int i,
			      unsigned int row, const struct bpmu_interval *interval)
{
	const struct bpmu_row *cpus = &stat->type->rows.row[row];
	const struct bpmu_tree_value *value;

	value = &stat->values[(size_t)row * stat->type->tree.metrics.nr + i];
	if (stat->call->options.sums || stat->call->options.format != BPMU_TEXT) {
		bpmu_stat_metric(stat, stat->metric_form ? stat->metric_form[i] : NULL,
				 &stat->type->tree.metrics.metric[i], value, cpus, interval);
		return;
	}
	if (is_of_other_row(value))
		return;
	bpmu_stat_label_text(stat, cpus);
	bpmu_line_write(&stat->line);
	stat_metric_text(stat, i, value);
}

/**
 * bpmu_stat_eval() - evaluate the metrics of stat in an interval
 * @stat: what stat prints of a core type
 * @interval: counts of the interval
 *
 * If an allocation fails, the metrics have no values.
 */
void bpmu_stat_eval(struct bpmu_stat_view *stat,
		    const struct bpmu_interval *interval)
{
	struct bpmu_core_type *type = stat->type;

	stat->shared |= bpmu_interval_rows_eval(&type->tree, type->groups, interval, &type->rows,
						type->machine.sockets, stat->values);
}

/**
 * bpmu_stat_metrics() - print the metrics of stat in an interval
 * @stat: what stat prints of a core type, after bpmu_stat_eval()
 * @interval: counts of the interval
 */
void bpmu_stat_metrics(struct bpmu_stat_view *stat,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_tree_value *value = stat->values;
	unsigned int nr = stat->type->tree.metrics.nr;
	unsigned int row;
	unsigned int i;

	if (stat->call->options.format == BPMU_TEXT && !stat->call->options.sums && stat->nr_shown)
		bpmu_line_char(&stat->line, '\n');
	for (i = 0; i < nr; i++, value++) {
		for (row = 0; row < stat->type->rows.nr && stat->type->tree.shown[i]; row++) {
			stat_metric_print(stat, i, row, interval);
			stat->estimated |=
				bpmu_is_interval(bpmu_tree_half_width(&value[(size_t)row * nr]));
		}
	}
}

/*
 * Adds the line of a metric to the grid, a table with a column for each set of CPUs. Returns false
 * if a value has flags or a 95 % interval to be printed, for which the grid has no room.
 */
static bool grid_metric(const struct bpmu_stat_view *stat, unsigned int i, struct bpmu_grid *grid)
{
	const struct bpmu_metric *metric = &stat->type->tree.metrics.metric[i];
	const char *unit = metric->unit && strcmp(metric->unit, "share") ? metric->unit : "";
	bool share = stat->type->tree.share[i];
	const struct bpmu_tree_value *value;
	char flags[BPMU_VALUE_FLAG_TEXT];
	unsigned int said = BPMU_VALUE_UNDECIDED | BPMU_VALUE_SHARED;
	unsigned int row, words;

	/*
	 * If events are printed, their errata are printed below the table. The lines of metrics
	 * then need not flag the errata.
	 */
	if (stat->nr_shown)
		said |= BPMU_VALUE_ERRATUM;
	bpmu_grid_add(grid, "%s", metric->name);
	for (row = 0; row < stat->type->rows.nr; row++) {
		value = &stat->values[(size_t)row * stat->type->tree.metrics.nr + i];
		words = value->flags & ~said;
		if (bpmu_tree_half_width(value) ||
		    (value->known && bpmu_value_flags_text(words, "", " ", "", flags)))
			return false;
		if (value->known)
			bpmu_grid_add(grid, share ? "%.1f%s" : "%.4g%s",
				      share ? 100 * value->value : value->value,
				      value->flagged ? "!" :
				      value->flags & BPMU_VALUE_UNDECIDED ? "?" : " ");
		else
			bpmu_grid_add(grid, is_of_other_row(value) ? "- " : "no value ");
	}
	bpmu_grid_add(grid, share ? *unit ? "%% of %s" : "%%%s" : "%s", unit);
	return true;
}

/**
 * bpmu_stat_grid_metrics() - stat's metrics: add the line of each to the table (grid)
 * @stat: what stat prints of a core type, after bpmu_stat_eval()
 * @grid: complete lines are appended
 *
 * Return: false if a value has flags or a 95 % interval to be printed: the grid has no room for
 * them.
 */
bool bpmu_stat_grid_metrics(const struct bpmu_stat_view *stat, struct bpmu_grid *grid)
{
	bool fits = true;
	unsigned int i;

	for (i = 0; i < stat->type->tree.metrics.nr && fits; i++)
		if (stat->type->tree.shown[i])
			fits = grid_metric(stat, i, grid);
	return fits;
}

/**
 * bpmu_stat_grid_legend() - explain the marks of metrics in stat's table
 * @stat: what stat prints of a core type, after bpmu_stat_eval()
 */
void bpmu_stat_grid_legend(const struct bpmu_stat_view *stat)
{
	size_t nr = (size_t)stat->type->rows.nr * stat->type->tree.metrics.nr;
	bool flagged = false, undecided = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!stat->type->tree.shown[i % stat->type->tree.metrics.nr])
			continue;
		flagged |= stat->values[i].flagged;
		undecided |= stat->values[i].flags & BPMU_VALUE_UNDECIDED;
	}
	if (flagged)
		fputs("\n  !: over its threshold\n", stat->call->out);
	if (undecided)
		fputs("\n  ?: undecided: the 95 % interval contains the threshold\n", stat->call->out);
}
