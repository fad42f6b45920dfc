// SPDX-License-Identifier: GPL-2.0
/*
 * The metrics of "barepmu stat".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_unit.h"
#include "metric/value_flag.h"
#include "report_sums.h"
#include "stat.h"
#include "view/interval_row.h"
#include "view/tree_print.h"

#define NUMBER_MAX 40
#define UNIT_WIDTH 24

/**
 * bpmu_stat_has_metrics() - whether metrics were requested
 */
bool bpmu_stat_has_metrics(const struct bpmu_stat *stat)
{
	return stat->choice.names || stat->choice.nr_paths;
}

/**
 * bpmu_stat_count() - count of an event in a row
 * @stat: the call
 * @interval: counts of the interval
 * @row: number of the row
 *
 * Return: the count over the row's CPUs; NAN if it was never on a counter.
 */
double bpmu_stat_count(const struct bpmu_stat *stat,
		       const struct bpmu_interval *interval, unsigned int row,
		       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	unsigned int i = 0, pos;

	while (bpmu_rows_next(&stat->rows, row, &i, &pos))
		bpmu_interval_estimate(stat->groups, interval, pos, spec, &sum);
	return bpmu_estimate_seen(&sum) ? sum.value : NAN;
}

static bool is_of_other_row(const struct bpmu_tree_value *value)
{
	return !value->known && value->flags & BPMU_VALUE_SHARED &&
	       !(value->flags & BPMU_VALUE_NONE);
}

static void stat_metric_text(const struct bpmu_stat *stat, unsigned int i,
			     const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &stat->tree.metrics.metric[i];
	bool share = stat->tree.share[i];
	const char *unit = metric->unit ? metric->unit : "";
	char number[NUMBER_MAX] = "no value";
	const char *of = "";
	FILE *out = stat->out;

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
	bpmu_tree_marks(out, &stat->tree, i, value);
	fputc('\n', out);
}

/* prints a metric in the columns of events, which are in the same table */
static void stat_metric_csv(struct bpmu_table *table, const struct bpmu_metric *metric,
			    const struct bpmu_errata *of,
			    const struct bpmu_tree_value *value)
{
	double half = bpmu_tree_half_width(value);
	char flags[BPMU_VALUE_FLAG_TEXT];
	char errata[BPMU_ERRATA_WORDS];
	const struct bpmu_field fields[] = {
		{ "event", metric->name, BPMU_FIELD_TEXT },
		{ "count", .form = BPMU_FIELD_NUMBER, .number = value->value,
		  .absent = !value->known },
		{ "unit", metric->unit, BPMU_FIELD_TEXT },
		{ "enabled_percent", .absent = true },
		{ "lost", .absent = true },
		{ "uncertainty", isinf(half) ? "inf" : NULL, BPMU_FIELD_NUMBER,
		  .number = half, .absent = !half },
		{ "clock", .absent = true },
		{ "errata", errata, BPMU_FIELD_WORDS },
		{ "type", "metric", BPMU_FIELD_TEXT },
		{ "flags", flags, BPMU_FIELD_WORDS },
	};

	bpmu_value_flags_text(value->flags, "", " ", "", flags);
	bpmu_errata_words(of, errata);
	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_stat_metric() - print a metric as CSV or JSON, or add it to the sums
 * @stat: the call
 * @errata: errata that affect it
 * @value: its value
 * @interval: interval of the value
 */
void bpmu_stat_metric(const struct bpmu_stat *stat, const struct bpmu_metric *metric,
		      const struct bpmu_errata *errata,
		      const struct bpmu_tree_value *value, const struct bpmu_row *cpus,
		      const struct bpmu_interval *interval)
{
	struct bpmu_field when[BPMU_STAT_WHEN];
	struct bpmu_table table;

	if (stat->options.sums) {
		if (interval->whole || !stat->options.interval_ns)
			bpmu_metric_sum(metric, value, cpus->label, stat->options.sums);
		return;
	}
	table = bpmu_stat_table(stat, "metric", cpus, interval, when);
	if (stat->options.format == BPMU_CSV)
		stat_metric_csv(&table, metric, errata, value);
	else
		bpmu_metric_row(&table, metric, errata, value);
}

static void stat_metric_print(const struct bpmu_stat *stat, unsigned int i,
			      unsigned int row, const struct bpmu_interval *interval)
{
	const struct bpmu_row *cpus = &stat->rows.row[row];
	const struct bpmu_tree_value *value;

	value = &stat->values[(size_t)row * stat->tree.metrics.nr + i];
	if (stat->options.sums || stat->options.format != BPMU_TEXT) {
		bpmu_stat_metric(stat, &stat->tree.metrics.metric[i],
				 &stat->tree.errata[i], value, cpus, interval);
		return;
	}
	if (is_of_other_row(value))
		return;
	bpmu_stat_text_when(stat, cpus, interval->seconds);
	stat_metric_text(stat, i, value);
}

/**
 * bpmu_stat_eval() - evaluate the metrics of an interval
 * @stat: the call
 * @interval: its counts
 *
 * If an allocation fails, the metrics have no values.
 */
void bpmu_stat_eval(struct bpmu_stat *stat,
		    const struct bpmu_interval *interval)
{
	stat->shared |= bpmu_interval_rows_eval(&stat->tree, stat->groups, interval, &stat->rows,
						stat->machine.sockets, stat->values);
}

/**
 * bpmu_stat_metrics() - print the metrics of an interval
 * @stat: the call, after bpmu_stat_eval()
 * @interval: its counts
 */
void bpmu_stat_metrics(struct bpmu_stat *stat,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_tree_value *value = stat->values;
	unsigned int nr = stat->tree.metrics.nr;
	unsigned int row;
	unsigned int i;

	if (stat->options.format == BPMU_TEXT && !stat->options.sums && stat->nr_shown)
		fputc('\n', stat->out);
	for (i = 0; i < nr; i++, value++) {
		for (row = 0; row < stat->rows.nr && stat->tree.shown[i]; row++) {
			stat_metric_print(stat, i, row, interval);
			stat->estimated |=
				bpmu_is_interval(bpmu_tree_half_width(&value[(size_t)row * nr]));
		}
	}
}

/* adds the line of a metric; returns false if a value needs a note that cells have no room for */
static bool grid_metric(const struct bpmu_stat *stat, unsigned int i, struct bpmu_grid *grid)
{
	const struct bpmu_metric *metric = &stat->tree.metrics.metric[i];
	const char *unit = metric->unit && strcmp(metric->unit, "share") ? metric->unit : "";
	bool share = stat->tree.share[i];
	const struct bpmu_tree_value *value;
	char flags[BPMU_VALUE_FLAG_TEXT];
	unsigned int said = BPMU_VALUE_UNDECIDED | BPMU_VALUE_SHARED;
	unsigned int row, words;

	/* below the table are the errata of the events in it */
	if (stat->nr_shown)
		said |= BPMU_VALUE_ERRATUM;
	bpmu_grid_add(grid, "%s", metric->name);
	for (row = 0; row < stat->rows.nr; row++) {
		value = &stat->values[(size_t)row * stat->tree.metrics.nr + i];
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
 * bpmu_stat_grid_metrics() - add the metrics to a table
 * @stat: the call, after bpmu_stat_eval()
 * @grid: the table
 *
 * Return: false if a value needs a note.
 */
bool bpmu_stat_grid_metrics(const struct bpmu_stat *stat, struct bpmu_grid *grid)
{
	bool fits = true;
	unsigned int i;

	for (i = 0; i < stat->tree.metrics.nr && fits; i++)
		if (stat->tree.shown[i])
			fits = grid_metric(stat, i, grid);
	return fits;
}

/**
 * bpmu_stat_grid_legend() - explain the marks in a table
 * @stat: the call, after bpmu_stat_eval()
 */
void bpmu_stat_grid_legend(const struct bpmu_stat *stat)
{
	size_t nr = (size_t)stat->rows.nr * stat->tree.metrics.nr;
	bool flagged = false, undecided = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!stat->tree.shown[i % stat->tree.metrics.nr])
			continue;
		flagged |= stat->values[i].flagged;
		undecided |= stat->values[i].flags & BPMU_VALUE_UNDECIDED;
	}
	if (flagged)
		fputs("\n  !: over its threshold\n", stat->out);
	if (undecided)
		fputs("\n  ?: undecided: the 95 % interval contains the threshold\n", stat->out);
}
