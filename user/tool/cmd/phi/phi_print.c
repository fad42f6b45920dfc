// SPDX-License-Identifier: GPL-2.0
#include "phi_print.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/print.h"
#include "count/spread.h"
#include "metric/value_flag.h"
#include "replay/report_replay.h"
#include "stat/stat.h"

#define NAME_WIDTH 34

/**
 * struct line - a line of output: a metric of a thread, a core or the whole card
 * @phi: state of "barepmu phi"
 * @interval: interval of the counts
 * @row: text that names the thread or core
 * @threads: number of hardware threads of the core or card that a program uses
 * @metric: the metric; NULL for the column names
 * @value: value of the metric; NULL for the column names
 * @flags: flaws of the measurement that samples of the thread, core or card report, mask of
 *	%BPMU_VALUE_FLAWS
 */
struct line {
	const struct bpmu_phi *phi;
	const struct bpmu_interval *interval;
	const char *row;
	unsigned int threads;
	const struct bpmu_metric *metric;
	const struct bpmu_phi_value *value;
	unsigned int flags;
};

static const char *unit_of_line(const struct line *line)
{
	return line->metric->unit ? line->metric->unit : "";
}

static void phi_print_text_uncertainty(const struct line *line)
{
	const struct bpmu_estimate *estimate = &line->value->estimate;
	double half = bpmu_estimate_half_width(estimate);
	FILE *out = line->phi->out;

	if (isinf(half))
		fputs("  +- ?", out);
	else if (half > 0)
		fprintf(out, "  +- %.3g", half);
}

static void print_out_of_range(const struct line *line)
{
	const struct bpmu_phi_value *value = line->value;
	const struct bpmu_phi_limit *limit;

	if (!value->below && !value->above)
		return;
	limit = value->below ? &value->least : &value->most;
	fprintf(line->phi->out, "\n    %s %g, shown as computed%s%s",
		value->below ? "below" : "above", limit->number,
		value->unsure ? "; its uncertainty allows for that" : ": ",
		value->unsure ? "" : limit->why);
}

static void phi_print_reason(FILE *out, const char *name)
{
	if (!name)
		fputs("  no value: a divisor is 0\n", out);
	else if (!strcmp(name, "ELEMENTS"))
		fputs("  no value: needs --element sp or dp\n", out);
	else if (!strcmp(name, "THREADS"))
		fputs("  no value: no thread was in use\n", out);
	else
		fprintf(out, "  no value: %s was not counted; measure longer\n",
			name);
}

static void phi_print_text_line(const struct line *line)
{
	const struct bpmu_phi_value *value = line->value;
	FILE *out = line->phi->out;
	char buffer[BPMU_PRINT_NUMBER];
	char flags[BPMU_VALUE_FLAG_TEXT];

	fprintf(out, "  %-*s", NAME_WIDTH, line->metric->name);
	if (!value->known) {
		phi_print_reason(out, value->why);
		return;
	}
	if (!strcmp(unit_of_line(line), "count"))
		fprintf(out, "%12s", bpmu_print_number(buffer,
						       llround(value->estimate.value)));
	else
		fprintf(out, "%12.5g", value->estimate.value);
	phi_print_text_uncertainty(line);
	if (value->least.known && value->least.number > 0)
		fprintf(out, "  (least possible %g)", value->least.number);
	if (value->flagged)
		fputs("  <==", out);
	else if (value->undecided)
		fputs("  ?", out);
	else if (line->metric->flag && !value->judged)
		fputs("  (its threshold has no value)", out);
	if (bpmu_value_flags_text(line->flags, "", ", ", "", flags))
		fprintf(out, "  (%s)", flags);
	print_out_of_range(line);
	fputc('\n', out);
}

static bool phi_has_entries(const struct bpmu_phi *phi)
{
	return phi->rows.by == BPMU_ROWS_ENTRY;
}

/*
 * Prints a metric as a line of CSV or JSON. If @line has no metric, prints the names of the CSV
 * columns instead.
 */
static void phi_print_fields(const struct line *line)
{
	static const struct bpmu_phi_value no_value;
	const struct bpmu_phi_value *value = line->value ?: &no_value;
	const char *metric = line->metric ? line->metric->name : NULL;
	double half = bpmu_estimate_half_width(&value->estimate);
	bool entries = phi_has_entries(line->phi);
	bool csv = line->phi->options.format == BPMU_CSV;
	char flags[BPMU_VALUE_FLAG_TEXT];
	const struct bpmu_field when[] = {
		{ "time", .form = BPMU_FIELD_FIXED,
		  .number = line->interval->seconds, .digits = 6 },
		{ "wall", .form = BPMU_FIELD_STAMP,
		  .stamp = &line->interval->stamp },
		{ entries ? "key" : "cpus", line->row, BPMU_FIELD_TEXT },
		{ "runs", .form = BPMU_FIELD_WHOLE, .whole = line->phi->runs },
	};
	const struct bpmu_field fields[] = {
		{ "threads", .form = BPMU_FIELD_WHOLE, .whole = line->threads },
		{ "metric", metric, BPMU_FIELD_TEXT },
		{ "value", .form = BPMU_FIELD_REAL, .digits = 9,
		  .number = value->known ? value->estimate.value : NAN },
		{ "unit", metric ? unit_of_line(line) : NULL, BPMU_FIELD_TEXT },
		{ "flagged", .form = BPMU_FIELD_FLAG, .whole = value->flagged },
		{ "impossible", .form = BPMU_FIELD_FLAG,
		  .whole = value->below || value->above },
		{ "least", .form = BPMU_FIELD_REAL, .digits = 9,
		  .number = value->least.known ? value->least.number : NAN },
		{ "most", .form = BPMU_FIELD_REAL, .digits = 9,
		  .number = value->most.known ? value->most.number : NAN },
		{ "uncertainty", isinf(half) ? "inf" : NULL, BPMU_FIELD_REAL,
		  .digits = 9, .number = value->known ? half : NAN,
		  .absent = csv && (!value->known || !half) },
		{ "undecided", .form = BPMU_FIELD_FLAG, .whole = value->undecided },
		{ "flags", flags, BPMU_FIELD_WORDS },
		{ "by", line->phi->rows.name, BPMU_FIELD_TEXT },
	};
	const unsigned int nr = ARRAY_SIZE(fields) - !entries;
	struct bpmu_table table = {
		.out = line->phi->out, .format = line->phi->options.format,
		.separator = line->phi->options.separator, .type = "metric",
		.when = { when, ARRAY_SIZE(when) - !line->phi->repeat }, .headed = metric,
	};

	bpmu_value_flags_text(line->flags, "", " ", "", flags);
	if (metric)
		bpmu_table_row(&table, fields, nr);
	else
		bpmu_table_head(&table, fields, nr);
}

static void sum_row(const struct bpmu_phi *phi, unsigned int row,
		    struct bpmu_phi_sums *sums)
{
	const struct bpmu_phi_threads all = {
		.thread = phi->thread, .nr = phi->rows.positions,
		.used = phi->settings.used, .entries = phi_has_entries(phi),
	};
	unsigned int i = 0, pos;

	switch (phi->scope) {
	case BPMU_PHI_THREAD:
		while (bpmu_rows_next(&phi->rows, row, &i, &pos))
			bpmu_phi_sum_thread(sums, &all, pos);
		break;
	case BPMU_PHI_CORE:
		bpmu_phi_sum_core(sums, &all, row);
		break;
	case BPMU_PHI_CARD:
		bpmu_phi_sum_card(sums, &all);
		break;
	}
}

static void phi_print_text_row(const struct bpmu_phi *phi, unsigned int row,
			       const struct bpmu_phi_sums *sums)
{
	const struct bpmu_row *cpus = &phi->rows.row[row];
	const char *label = cpus->label;
	FILE *out = phi->out;

	if (phi_has_entries(phi)) {
		fprintf(out, "%s: %.2f%% of the time, %llu samples\n", label,
			100 * cpus->share, cpus->samples);
		return;
	}
	switch (phi->scope) {
	case BPMU_PHI_THREAD:
		fprintf(out, "CPU%s%s\n", label,
			sums->threads ? "" : ": no instructions");
		break;
	case BPMU_PHI_CORE:
		fprintf(out, "%s: %u thread%s in use\n", label, sums->threads,
			sums->threads == 1 ? "" : "s");
		break;
	case BPMU_PHI_CARD:
		fprintf(out, "CPU %s: %u thread%s in use on %u core%s\n", label,
			sums->threads, sums->threads == 1 ? "" : "s", sums->cores,
			sums->cores == 1 ? "" : "s");
		if (bpmu_phi_sum_uneven(sums))
			fprintf(out, "  These ran for %.0f to %.0f clocks: bandwidths are over the longest.\n",
				sums->shortest, sums->elapsed);
		break;
	}
}

static unsigned int phi_print_flags_of(const struct bpmu_phi *phi,
				       const struct bpmu_interval *interval,
				       unsigned int row)
{
	unsigned int i = 0, pos;
	u32 flags = 0;

	while (interval->flaws && bpmu_rows_next(&phi->rows, row, &i, &pos))
		flags |= interval->flaws[pos];
	return bpmu_flaws_of_values(flags);
}

static void phi_print_row(struct bpmu_phi *phi,
			  const struct bpmu_interval *interval, unsigned int row)
{
	struct bpmu_phi_sums sums;
	struct bpmu_phi_value value;
	struct line line = {
		.phi = phi, .interval = interval, .value = &value,
		.row = phi->rows.row[row].label,
		.flags = phi_print_flags_of(phi, interval, row),
	};
	unsigned int i;

	sum_row(phi, row, &sums);
	line.threads = sums.threads;
	if (phi->options.format == BPMU_TEXT)
		phi_print_text_row(phi, row, &sums);
	for (i = 0; i < phi->method.metrics.nr; i++) {
		if (!bpmu_phi_shown(&phi->method, i, phi->scope))
			continue;
		bpmu_phi_eval(&phi->method, &phi->settings, &sums, i, &value);
		phi->flagged[i] |= value.flagged;
		line.metric = &phi->method.metrics.metric[i];
		if (phi->options.format == BPMU_TEXT)
			phi_print_text_line(&line);
		else
			phi_print_fields(&line);
	}
	if (phi->options.format == BPMU_TEXT)
		fputc('\n', phi->out);
}

static void phi_print_head(const struct bpmu_phi *phi,
			   const struct bpmu_interval *interval)
{
	const struct line head = { .phi = phi, .interval = interval };

	if (!interval->index)
		phi_print_fields(&head);
	if (phi->options.format != BPMU_TEXT)
		return;
	fprintf(phi->out, "%s, system-wide on CPU %s",
		phi->target.info.title, phi->target.cpus_text);
	bpmu_print_during(phi->out, phi->options.argv, phi->runs);
	fprintf(phi->out, "; %s %.3f s, at %.3f GHz\n\n",
		phi->options.interval_ns ? "to" : "in", interval->seconds,
		phi->settings.ghz);
}

/*
 * Prints the advice of each metric that was flagged at least once in the interval, but the same
 * advice only once. Also prints how many samples were lost.
 */
static void phi_print_advice(struct bpmu_phi *phi)
{
	const struct bpmu_metric *metric;
	unsigned int i;

	for (i = 0; i < phi->method.metrics.nr; i++) {
		if (!phi->flagged[i])
			continue;
		metric = &phi->method.metrics.metric[i];
		fprintf(phi->out, "%s: %s.\n", metric->name, metric->text);
		fprintf(phi->out, "  Next: %s\n", metric->next);
		phi->flagged[i] = false;
	}
	if (phi->lost)
		fprintf(phi->out,
			"%llu samples lost: counts are complete, intervals are coarser.\n",
			phi->lost);
	bpmu_flaws_text(&phi->flaws, phi->out, "");
	if (phi_has_entries(phi))
		bpmu_by_print_limits(phi->out, &phi->rows,
				     phi->target.recorded,
				     &phi->options.replay->by);
}

static bool phi_was_counted(const struct bpmu_phi *phi)
{
	unsigned int pos, i;

	for (pos = 0; pos < phi->rows.positions; pos++)
		for (i = 0; i < BPMU_PHI_EVENTS; i++)
			if (bpmu_estimate_seen(&phi->thread[pos].count[i]))
				return true;
	return false;
}

static void phi_print_rows(struct bpmu_phi *phi,
			   const struct bpmu_interval *interval)
{
	unsigned int row;

	if (phi->options.format == BPMU_TEXT && !phi_was_counted(phi)) {
		bpmu_print_not_counted(phi->out);
		fputc('\n', phi->out);
		return;
	}
	for (row = 0; row < phi->rows.nr; row++)
		phi_print_row(phi, interval, row);
}

/**
 * bpmu_phi_print() - print Xeon Phi's metrics of an interval
 * @phi: state of "barepmu phi", with counts
 * @interval: interval of the counts
 */
void bpmu_phi_print(struct bpmu_phi *phi, const struct bpmu_interval *interval)
{
	phi_print_head(phi, interval);
	phi_print_rows(phi, interval);
	if (phi->options.format == BPMU_TEXT)
		phi_print_advice(phi);
	if (phi->options.format == BPMU_JSON && interval->last)
		bpmu_flaws_json(&phi->flaws, phi->out);
}

/**
 * bpmu_phi_print_groups() - print which events of Xeon Phi's metrics are counted together
 * @phi: state of "barepmu phi", whose events are scheduled in @passes
 */
void bpmu_phi_print_groups(const struct bpmu_phi *phi)
{
	const struct bpmu_sched *sched;
	unsigned int g, i;

	for (g = 0; g < phi->passes.groups.nr; g++) {
		sched = &phi->passes.groups.group[g].sched;
		printf("group %u\n", g + 1);
		for (i = 0; i < sched->nr; i++)
			printf("  counter %u  %s\n", sched->slot[i].counter,
			       sched->slot[i].text);
	}
}
