// SPDX-License-Identifier: GPL-2.0
#include "report_by_print.h"

#include <math.h>
#include <string.h>

#include "metric/metric_unit.h"
#include "recording/recording.h"
#include "recording/symbols.h"

/* rows that are shown, the rest is summed up */
#define ROWS_MAX 50

#define CELL_MAX 64
#define COLUMN_MIN 12

static bool has_metric(const struct bpmu_stat *stat, unsigned int i)
{
	return bpmu_tree_shown(&stat->tree, i);
}

/* events that only metrics need are no columns */
static unsigned int nr_events(const struct bpmu_stat *stat)
{
	if (bpmu_stat_has_metrics(stat) && !stat->wanted.text)
		return 0;
	return stat->nr_shown;
}

static int width(const char *name)
{
	int length = strlen(name);

	return length > COLUMN_MIN ? length : COLUMN_MIN;
}

static void print_head(const struct bpmu_stat *stat)
{
	unsigned int i;

	fputs("      time  samples", stat->out);
	for (i = 0; i < nr_events(stat); i++)
		fprintf(stat->out, "  %*s", width(stat->shown[i]->text),
			stat->shown[i]->text);
	for (i = 0; i < stat->tree.metrics.nr; i++)
		if (has_metric(stat, i))
			fprintf(stat->out, "  %*s ",
				width(stat->tree.metrics.metric[i].name),
				stat->tree.metrics.metric[i].name);
	fprintf(stat->out, "  %s\n", stat->rows.name);
}

static void print_event(const struct bpmu_stat *stat,
			const struct bpmu_interval *interval, unsigned int row,
			const struct bpmu_event_spec *spec)
{
	double count = bpmu_stat_count(stat, interval, row, spec);
	char number[BPMU_PRINT_NUMBER];

	fprintf(stat->out, "  %*s", width(spec->text),
		isnan(count) ? "no value" :
		bpmu_print_number(number, llround(count)));
}

static void print_metric(const struct bpmu_stat *stat, unsigned int row,
			 unsigned int i)
{
	const struct bpmu_metric *metric = &stat->tree.metrics.metric[i];
	bool share = bpmu_unit_is_share(metric->unit);
	const struct bpmu_tree_value *value;
	char text[CELL_MAX] = "no value";

	value = &stat->values[(size_t)row * stat->tree.metrics.nr + i];
	if (value->known)
		snprintf(text, sizeof(text), share ? "%.1f%%" : "%.4g",
			 share ? 100 * value->value : value->value);
	fprintf(stat->out, "  %*s%c", width(metric->name), text,
		value->flagged ? '*' :
		value->flags & BPMU_VALUE_UNDECIDED ? '?' : ' ');
}

static void print_row(const struct bpmu_stat *stat,
		      const struct bpmu_interval *interval, unsigned int row)
{
	const struct bpmu_row *place = &stat->rows.row[row];
	unsigned int i;

	fprintf(stat->out, "  %7.2f%%  %7llu", 100 * place->share,
		place->samples);
	for (i = 0; i < nr_events(stat); i++)
		print_event(stat, interval, row, stat->shown[i]);
	for (i = 0; i < stat->tree.metrics.nr; i++)
		if (has_metric(stat, i))
			print_metric(stat, row, i);
	fprintf(stat->out, "  %s\n", place->label);
}

static void print_rest(const struct bpmu_stat *stat)
{
	double share = 0;
	unsigned int i;

	if (stat->rows.nr <= ROWS_MAX)
		return;
	for (i = ROWS_MAX; i < stat->rows.nr; i++)
		share += stat->rows.row[i].share;
	fprintf(stat->out, "  %7.2f%%  in %u more; -x and -j tell all\n",
		100 * share, stat->rows.nr - ROWS_MAX);
}

/**
 * bpmu_by_print() - print a table
 * @stat: the call; its metrics are evaluated
 * @interval: what was counted for its rows
 *
 * Context: process.
 */
void bpmu_by_print(const struct bpmu_stat *stat,
		   const struct bpmu_interval *interval)
{
	unsigned int flags = 0;
	bool flagged = false;
	unsigned int i;

	print_head(stat);
	for (i = 0; i < stat->rows.nr && i < ROWS_MAX; i++)
		print_row(stat, interval, i);
	print_rest(stat);
	for (i = 0; i < stat->rows.nr * stat->tree.metrics.nr; i++) {
		flagged |= stat->values[i].flagged;
		flags |= stat->values[i].flags;
	}
	if (flagged)
		fputs("\n  * over its threshold\n", stat->out);
	if (flags & BPMU_VALUE_UNDECIDED)
		fputs("\n  ? over its threshold or not: its 95 % interval reaches over it\n",
		      stat->out);
}

/**
 * bpmu_by_print_limits() - what such a table cannot tell
 * @out: where
 * @rows: places
 * @about: of the recording
 * @by: where @rows are from
 *
 * Context: process.
 */
void bpmu_by_print_limits(FILE *out, const struct bpmu_rows *rows,
			  const struct bpmu_recording_about *about,
			  const struct bpmu_by *by)
{
	const char *why = bpmu_symbols_missing();

	if (why && !strcmp(rows->name, "symbol"))
		fprintf(out, "  Note: %s.\n", why);
	if (by->symbols.hidden)
		fputs("  Note: [kernel, hidden]: the kernel kept its addresses from who recorded; set kernel.kptr_restrict to 0, or to 1 and record with CAP_SYSLOG.\n",
		      out);
	if (!strcmp(rows->name, "cpu"))
		return;
	fprintf(out,
		"  All that a CPU counted in the %.6g ms before a sample stands at what it interrupted then; see LIMITS in barepmu(8).\n",
		about->period_ns / 1e6);
}
