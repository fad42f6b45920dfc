// SPDX-License-Identifier: GPL-2.0
/*
 * The metrics of "barepmu stat".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "count/spread.h"
#include "metric/metric_unit.h"
#include "report_sums.h"
#include "stat.h"
#include "view/interval_row.h"
#include "view/tree_print.h"

#define NUMBER_MAX 40
#define UNIT_WIDTH 24

/**
 * bpmu_stat_has_metrics() - are there any besides events
 * @stat: the call
 *
 * Return: true if so.
 */
bool bpmu_stat_has_metrics(const struct bpmu_stat *stat)
{
	return stat->choice.names || stat->choice.nr_paths;
}

/**
 * bpmu_stat_count() - an event in a row
 * @stat: the call
 * @interval: what was counted
 * @row: number of the row
 * @spec: the event
 *
 * Return: its count over the row's CPUs; NAN if nothing was seen of it.
 */
double bpmu_stat_count(const struct bpmu_stat *stat,
		       const struct bpmu_interval *interval, unsigned int row,
		       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	unsigned int pos;

	for (pos = 0; pos < stat->rows.positions; pos++)
		if (stat->rows.of[pos] == row)
			bpmu_interval_estimate(stat->groups, interval, pos,
					       spec, &sum);
	return bpmu_estimate_seen(&sum) ? sum.value : NAN;
}

static void eval_row(struct bpmu_stat *stat, unsigned int row,
		     const struct bpmu_interval_row *part)
{
	double *counts[BPMU_TREE_GROUPS] = { };
	struct bpmu_tree *tree = &stat->tree;
	unsigned int g;

	/* without memory the group has no counts */
	for (g = 0; g < tree->nr_groups; g++)
		counts[g] = calloc(tree->events[g].nr, sizeof(double));
	bpmu_machine_evaluate(&stat->machine, tree, &part->interval,
			      part->nr_cpus, counts,
			      stat->values + (size_t)row * tree->metrics.nr);
	for (g = 0; g < tree->nr_groups; g++)
		free(counts[g]);
}

static void stat_metric_text(const struct bpmu_stat *stat, unsigned int i,
			     const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &stat->tree.metrics.metric[i];
	bool share = bpmu_unit_is_share(metric->unit);
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
	bpmu_tree_marks(out, metric, value);
	fputc('\n', out);
}

static void stat_metric_csv(const struct bpmu_stat *stat, unsigned int i,
			    const struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &stat->tree.metrics.metric[i];
	const char *s = stat->options.separator;
	char flags[BPMU_VALUE_FLAG_TEXT];
	char number[BPMU_DECIMAL_TEXT + 1] = "";
	FILE *out = stat->out;

	if (value->known)
		number[bpmu_decimal_print(number, value->value)] = '\0';
	bpmu_value_flags_text(value->flags, "", " ", "", flags);
	bpmu_print_csv(out, metric->name, s);
	fprintf(out, "%s%s%s", s, number, s);
	bpmu_print_csv(out, metric->unit ? metric->unit : "", s);
	fprintf(out, "%s%s%s", s, s, s);
	bpmu_tree_csv_uncertainty(out, value);
	bpmu_errata_print(out, BPMU_CSV, s, &stat->tree.errata[i]);
	fprintf(out, "%smetric%s%s\n", s, s, flags);
}

static void stat_metric_print(const struct bpmu_stat *stat, unsigned int i,
			      unsigned int row, const struct bpmu_interval *interval)
{
	struct bpmu_field field[BPMU_STAT_WHEN];
	const struct bpmu_tree_value *value;
	struct bpmu_fields when;

	value = &stat->values[(size_t)row * stat->tree.metrics.nr + i];
	if (stat->options.sums) {
		if (interval->whole || !stat->options.interval_ns)
			bpmu_tree_sum(&stat->tree, i, value,
				      stat->rows.row[row].label,
				      stat->options.sums);
		return;
	}
	if (stat->options.format == BPMU_JSON) {
		when = bpmu_stat_when(stat, &stat->rows.row[row], interval,
				      field);
		bpmu_tree_json_node(stat->out, &stat->tree, i, value, &when);
		return;
	}
	bpmu_stat_put_when(stat, &stat->rows.row[row], interval);
	if (stat->options.format == BPMU_CSV)
		stat_metric_csv(stat, i, value);
	else
		stat_metric_text(stat, i, value);
}

/**
 * bpmu_stat_eval() - evaluate the metrics of an interval
 * @stat: the call
 * @interval: its counts
 *
 * Without memory the metrics have no values.
 */
void bpmu_stat_eval(struct bpmu_stat *stat,
		    const struct bpmu_interval *interval)
{
	struct bpmu_interval_row part;
	struct bpmu_error ignored;
	unsigned int row;

	memset(stat->values, 0, (size_t)stat->rows.nr *
				stat->tree.metrics.nr * sizeof(*stat->values));
	if (!bpmu_interval_row_init(&part, stat->groups, interval,
				    stat->rows.positions, &ignored)) {
		for (row = 0; row < stat->rows.nr; row++) {
			bpmu_interval_row_take(&part, stat->groups, interval,
					       &stat->rows, row);
			eval_row(stat, row, &part);
		}
	}
	bpmu_interval_row_free(&part);
}

/**
 * bpmu_stat_metrics() - print the metrics of an interval
 * @stat: the call; they are evaluated
 * @interval: its counts
 */
void bpmu_stat_metrics(struct bpmu_stat *stat,
		       const struct bpmu_interval *interval)
{
	unsigned int row;
	unsigned int i;

	if (stat->options.format == BPMU_TEXT && !stat->options.sums)
		fputc('\n', stat->out);
	for (i = 0; i < stat->tree.metrics.nr; i++)
		for (row = 0; row < stat->rows.nr &&
		     bpmu_tree_shown(&stat->tree, i); row++)
			stat_metric_print(stat, i, row, interval);
}

/**
 * bpmu_stat_refused() - name what was asked for and cannot be measured
 * @stat: the call
 */
void bpmu_stat_refused(const struct bpmu_stat *stat)
{
	static const char *const before[] = {
		[BPMU_ROWS_ALL] = ",,,", [BPMU_ROWS_CPU] = ",,,",
		[BPMU_ROWS_CORE] = ",,,,", [BPMU_ROWS_PACKAGE] = ",,,,",
		[BPMU_ROWS_PLACE] = ",,,,,",
	};

	bpmu_choice_report(&stat->choice, stat->out, stat->options.format,
			   stat->options.separator, before[stat->rows.by] + !stat->kind,
			   ",,,,,,,metric,refused");
}
