// SPDX-License-Identifier: GPL-2.0
#include "stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/spread.h"
#include "event/event_counters.h"
#include "events.h"
#include "metric/metric_unit.h"
#include "metric/value_flag.h"
#include "recording/recording.h"
#include "recording/symbols.h"
#include "replay/report_replay.h"
#include "report_sums.h"
#include "view/interval_row.h"
#include "view/share_notes.h"
#include "view/tree_print.h"

/*
 * Maximum number of rows in the text output of report --by. Further rows are not printed: their
 * shares of the time are added up in one line.
 */
#define ROWS_MAX 50

#define CELL_MAX 64
#define COLUMN_MIN 12

static bool has_metric(const struct bpmu_stat_view *stat, unsigned int i)
{
	return stat->type->tree.shown[i];
}

/*
 * Returns the number of events that have a column in the table. Events that are counted only
 * because metrics need them have no column.
 */
static unsigned int nr_events(const struct bpmu_stat_view *stat)
{
	if (bpmu_stat_has_metrics(&stat->type->choice) && !stat->type->wanted.text)
		return 0;
	return stat->nr_shown;
}

static int width(const char *name)
{
	int length = strlen(name);

	return length > COLUMN_MIN ? length : COLUMN_MIN;
}

/* text of the column of confidence intervals in the head of a table */
#define SPREAD_HEAD "        +-"

/*
 * Returns true if the rows are sums over interrupts: their values then have confidence intervals.
 */
static bool is_of_interrupts(const struct bpmu_stat_view *stat)
{
	return bpmu_stat_has_entries(stat) && stat->call->options.replay->by.interrupts;
}

static void print_head(const struct bpmu_stat_view *stat)
{
	bool spread = is_of_interrupts(stat);
	unsigned int i;

	fputs(spread ? "      time  interrupts" : "      time  samples", stat->call->out);
	for (i = 0; i < nr_events(stat); i++)
		fprintf(stat->call->out, "  %*s", width(stat->shown[i].name),
			stat->shown[i].name);
	for (i = 0; i < stat->type->tree.metrics.nr; i++)
		if (has_metric(stat, i))
			fprintf(stat->call->out, "  %*s %s",
				width(stat->type->tree.metrics.metric[i].name),
				stat->type->tree.metrics.metric[i].name, spread ? SPREAD_HEAD : "");
	fprintf(stat->call->out, "  %s\n", stat->type->rows.name);
}

/*
 * Prints the count of an event on the CPUs of a row, such as a core. Returns false if the count is
 * missing.
 */
static bool stat_print_event(const struct bpmu_stat_view *stat,
			     const struct bpmu_interval *interval, unsigned int row,
			     const struct bpmu_stat_event *event)
{
	double count = bpmu_stat_count(stat, interval, row, &event->slots);
	char number[BPMU_PRINT_NUMBER];

	fprintf(stat->call->out, "  %*s", width(event->name),
		isnan(count) ? "no value" :
		bpmu_print_number(number, llround(count)));
	return !isnan(count);
}

/* Prints the half-width of a value's 95 % interval as a column; nothing in it if it is unknown. */
static void print_spread(FILE *out, const struct bpmu_tree_value *value, bool share)
{
	char text[CELL_MAX] = "";
	double half = bpmu_tree_half_width(value);

	if (value->known && isfinite(half))
		snprintf(text, sizeof(text), share ? "+- %.1f" : "+- %.2g",
			 share ? 100 * half : half);
	fprintf(out, "%*s", (int)strlen(SPREAD_HEAD), text);
}

/*
 * Prints a metric's value as a column. The column is wide enough for the mark that follows a
 * flagged value.
 */
static void print_metric(const struct bpmu_stat_view *stat, unsigned int row,
			 unsigned int i, bool ends_line)
{
	const struct bpmu_metric *metric = &stat->type->tree.metrics.metric[i];
	bool share = bpmu_unit_is_share(metric->unit);
	const struct bpmu_tree_value *value;
	char text[CELL_MAX] = "no value";
	const char *mark = ends_line ? "" : " ";

	value = &stat->values[(size_t)row * stat->type->tree.metrics.nr + i];
	if (value->known)
		snprintf(text, sizeof(text), share ? "%.1f%%" : "%.4g",
			 share ? 100 * value->value : value->value);
	if (value->flagged)
		mark = "*";
	else if (value->flags & BPMU_VALUE_UNDECIDED)
		mark = "?";
	fprintf(stat->call->out, "  %*s%s", width(metric->name), text, mark);
	if (is_of_interrupts(stat))
		print_spread(stat->call->out, value, share);
}

static void stat_print_row(const struct bpmu_stat_view *stat,
			   const struct bpmu_interval *interval, unsigned int row)
{
	const struct bpmu_row *interrupted = &stat->type->rows.row[row];
	unsigned int i;

	fprintf(stat->call->out, "  %7.2f%%  %*llu", 100 * interrupted->share,
		is_of_interrupts(stat) ? 10 : 7, interrupted->samples);
	for (i = 0; i < nr_events(stat); i++)
		stat_print_event(stat, interval, row, &stat->shown[i]);
	for (i = 0; i < stat->type->tree.metrics.nr; i++)
		if (has_metric(stat, i))
			print_metric(stat, row, i, false);
	fprintf(stat->call->out, "  %s\n", interrupted->label);
}

/* lines between two headings of --compact, so that one heading is always on the screen */
#define COMPACT_LINES 20

/* Returns the index after the last metric that has a column. */
static unsigned int last_metric(const struct bpmu_stat_view *stat)
{
	unsigned int nr = stat->type->tree.metrics.nr;

	while (nr && !has_metric(stat, nr - 1))
		nr--;
	return nr;
}

static void compact_head(const struct bpmu_stat_view *stat)
{
	unsigned int last = last_metric(stat);
	unsigned int i;

	fprintf(stat->call->out, "%13s", "time");
	if (stat->type->name)
		fprintf(stat->call->out, "  %-7s", "part");
	if (stat->type->rows.nr > 1)
		fprintf(stat->call->out, "  %-8s", "cpus");
	for (i = 0; i < nr_events(stat); i++)
		fprintf(stat->call->out, "  %*s", width(stat->shown[i].name),
			stat->shown[i].name);
	for (i = 0; i < last; i++)
		if (has_metric(stat, i))
			fprintf(stat->call->out, "  %*s%s",
				width(stat->type->tree.metrics.metric[i].name),
				stat->type->tree.metrics.metric[i].name,
				i + 1 < last ? " " : "");
	fputc('\n', stat->call->out);
}

/*
 * Some counters belong to several CPUs, such as those of an L3, and only one of these CPUs reads
 * them. Checks if the counters of @bank belong to CPUs of this row and of other rows, and are read
 * by a CPU of another row. The count is then printed in the other row, and is not missing in this
 * row.
 */
static bool read_elsewhere(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
			   unsigned int row, enum bpmu_bank_id bank)
{
	unsigned int i;

	if (!bpmu_row_is_part(&stat->type->rows.row[row], bank) ||
	    bpmu_interval_row_reads(interval, &stat->type->rows, row, bank))
		return false;
	for (i = 0; i < stat->type->rows.nr; i++)
		if (bpmu_interval_row_reads(interval, &stat->type->rows, i, bank))
			return true;
	return false;
}

static void compact_event(struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
			  unsigned int row, const struct bpmu_stat_event *event)
{
	enum bpmu_bank_id bank = bpmu_unit_facts[event->spec->term[0].unit].bank;

	stat->shared |= bpmu_row_is_part(&stat->type->rows.row[row], bank);
	if (!stat_print_event(stat, interval, row, event) &&
	    !read_elsewhere(stat, interval, row, bank))
		stat->lacking |= BPMU_VALUE_MISSING;
}

/*
 * Prints an interval for --compact: a line for each CPU, core, package, ..., with a column for each
 * value.
 */
static void compact(struct bpmu_stat_view *stat,
		    const struct bpmu_interval *interval)
{
	unsigned int every = COMPACT_LINES / stat->type->rows.nr;
	unsigned int last = last_metric(stat);
	unsigned int row, i;

	if (interval->index % (every ? every : 1) == 0)
		compact_head(stat);
	for (row = 0; row < stat->type->rows.nr; row++) {
		fprintf(stat->call->out, "%13.6f", interval->seconds);
		if (stat->type->name)
			fprintf(stat->call->out, "  %-7s", stat->type->name);
		if (stat->type->rows.nr > 1)
			fprintf(stat->call->out, "  %-8s", stat->type->rows.row[row].label);
		for (i = 0; i < nr_events(stat); i++)
			compact_event(stat, interval, row, &stat->shown[i]);
		for (i = 0; i < last; i++)
			if (has_metric(stat, i))
				print_metric(stat, row, i, i + 1 == last);
		fputc('\n', stat->call->out);
	}
}

static void print_rest(const struct bpmu_stat_view *stat)
{
	double share = 0;
	unsigned int i;

	if (stat->type->rows.nr <= ROWS_MAX)
		return;
	for (i = ROWS_MAX; i < stat->type->rows.nr; i++)
		share += stat->type->rows.row[i].share;
	fprintf(stat->call->out, "  %7.2f%%  in %u more; -x and -j list all\n",
		100 * share, stat->type->rows.nr - ROWS_MAX);
}

/**
 * bpmu_by_print() - print the text table of "report --by": a line for each function, thread or such
 * @stat: what stat prints of a core type; its metrics have been evaluated
 * @interval: counts of each row in the interval
 */
void bpmu_by_print(const struct bpmu_stat_view *stat,
		   const struct bpmu_interval *interval)
{
	unsigned int flags = 0;
	bool flagged = false;
	unsigned int i;

	if (stat->type->rows.nr)
		print_head(stat);
	for (i = 0; i < stat->type->rows.nr && i < ROWS_MAX; i++)
		stat_print_row(stat, interval, i);
	print_rest(stat);
	for (i = 0; i < stat->type->rows.nr * stat->type->tree.metrics.nr; i++) {
		flagged |= stat->values[i].flagged;
		flags |= stat->values[i].flags;
	}
	if (flagged)
		fputs("\n  * over its threshold\n", stat->call->out);
	if (flags & BPMU_VALUE_UNDECIDED)
		fputs("\n  ? undecided: the 95 % interval contains the threshold\n",
		      stat->call->out);
}

/**
 * bpmu_by_print_names() - print why functions in the table of "report --by" have no names
 * @by: the functions, threads or the like that were printed
 */
void bpmu_by_print_names(FILE *out, const struct bpmu_by *by)
{
	const char *why = bpmu_symbols_missing();

	if (why && bpmu_by_needs_symbols(by->type))
		fprintf(out, "  Note: %s.\n", why);
	if (by->symbols.hidden)
		fputs("  Note: [kernel, hidden]: kernel addresses were hidden from the recording user; set kernel.kptr_restrict to 0, or to 1 and record with CAP_SYSLOG.\n",
		      out);
}

/* Prints how precise a table is if each interrupt has the counts of all events. */
static void print_counts(FILE *out, const struct bpmu_by *by)
{
	char number[BPMU_PRINT_NUMBER];

	if (by->broken)
		fprintf(out, "  Note: broken: %s interrupts have no counts, because the CPU's record lacked counters or was not understood.\n",
			bpmu_print_number(number, by->broken));
	fprintf(out, "  Counts are those between two interrupts, and added to what the second one interrupted (skid: 0 instructions): trust what runs longer than a period. What the interrupts' handler executes is in no row: the rows have %.1f %% of %s; +-: half-width of the 95 %% interval. See LIMITS in barepmu-report(1).\n",
		by->counted ? 100 * by->within / by->counted : 0, by->clock->text);
}

/* Prints how precise a table of sums over interrupts is. */
static void print_interrupts(FILE *out, const struct bpmu_by *by)
{
	unsigned int i;

	for (i = 0; i < by->nr_shares; i++) {
		fputs("  ", out);
		bpmu_share_events_print(out, &by->shares[i]);
		fputc('\n', out);
		bpmu_share_losses_print(out, &by->shares[i]);
	}
	if (by->about->counts)
		print_counts(out, by);
	else
		fprintf(out, "  Counts are sums of the events for which interrupts stand; +-: half-width of the 95 %% interval. Skid: an interrupt names the instruction that was to come next when it was taken: trust functions and loops. What an interrupt itself costs is counted where it came; see LIMITS in barepmu-report(1).\n");
	fprintf(out, "  Time is the row's share of %s; how much of the TSC's time a row has is not known, and what needs it has no value.\n",
		by->clock->text);
}

/**
 * bpmu_by_print_limits() - print below the table of "report --by" how precise it is
 * @rows: rows of the table, such as functions
 * @about: description of the recording
 * @by: which samples of the recording each row has
 */
void bpmu_by_print_limits(FILE *out, const struct bpmu_rows *rows,
			  const struct bpmu_recording_about *about,
			  const struct bpmu_by *by)
{
	bpmu_by_print_names(out, by);
	if (!strcmp(rows->name, "cpu"))
		return;
	if (by->interrupts) {
		print_interrupts(out, by);
		return;
	}
	fprintf(out,
		"  Each interval of %.6g ms is attributed to the code that its sample interrupted; see LIMITS in barepmu-report(1).\n",
		about->period_ns / 1e6);
}

/*
 * widths of two columns of text output: event names, after which notes follow (NOTE_COLUMN), and
 * counts (COUNT_WIDTH)
 */
#define NOTE_COLUMN 22
#define COUNT_WIDTH 20

/* Sets of each row what is the same for all events: its CPUs, and what samples report besides counts. */
static void stat_see(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval)
{
	struct bpmu_stat_seen *seen = stat->seen;
	unsigned int row, i, pos;

	for (row = 0; row < stat->type->rows.nr; row++, seen++) {
		*seen = (struct bpmu_stat_seen){ };
		i = 0;
		seen->end = bpmu_rows_range(&stat->type->rows, row, &i, &seen->first);
		seen->plain = i == stat->type->rows.row[row].cpus && stat->call->options.interval_ns;
		for (i = 0; bpmu_rows_next(&stat->type->rows, row, &i, &pos); ) {
			seen->lost += interval->lost[pos];
			if (interval->flaws)
				seen->flags |= bpmu_flaws_of_values(interval->flaws[pos]);
		}
		seen->plain &= !seen->lost && !seen->flags;
	}
}

/*
 * Checks if the count of an event on the CPUs of row number @number is that of a single counter, and
 * the row has nothing else to say. With -I most rows are such.
 */
static inline __attribute__((always_inline)) bool
is_plain(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
	 unsigned int number, const struct bpmu_stat_event *event)
{
	return stat->seen[number].plain && event->single &&
	       !bpmu_row_is_part(&stat->type->rows.row[number], event->slots.bank) &&
	       bpmu_interval_single(interval, &event->slots);
}

/* Returns the count of a row for which is_plain() has returned true. */
static inline long long plain_count(const struct bpmu_stat_view *stat,
				    const struct bpmu_interval *interval, unsigned int number,
				    const struct bpmu_stat_event *event, u64 *ticks)
{
	const struct bpmu_stat_seen *seen = &stat->seen[number];

	return bpmu_interval_single_count(stat->type->groups, interval, seen->first, seen->end,
					  &event->slots, ticks);
}

/*
 * If the row of an event is plain, sets *@row to it and returns true. Members are set one by one, as
 * far as an exact count has them: to clear the whole row would take longer.
 */
static inline __attribute__((always_inline)) bool
plain_row(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
	  unsigned int number, const struct bpmu_stat_event *event, struct bpmu_stat_row *row)
{
	if (!is_plain(stat, interval, number, event))
		return false;
	row->number = number;
	row->cpus = &stat->type->rows.row[number];
	row->event = event;
	row->count.value = plain_count(stat, interval, number, event, &row->count.enabled);
	row->count.running = row->count.enabled;
	row->count.variance = 0;
	row->count.slices = 0;
	row->half = 0;
	row->clock = NAN;
	row->lost = 0;
	row->flags = 0;
	row->plain = true;
	return true;
}

/* Sets *@row to the count of an event on the CPUs of row number @number. */
static void count_row(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
		      unsigned int number, const struct bpmu_stat_event *event,
		      struct bpmu_stat_row *row)
{
	const struct bpmu_stat_seen *seen = &stat->seen[number];
	unsigned int i = 0, first, end, flags;

	*row = (struct bpmu_stat_row){
		.number = number, .cpus = &stat->type->rows.row[number], .event = event,
		.clock = NAN, .lost = seen->lost, .flags = seen->flags,
	};
	while ((end = bpmu_rows_range(&stat->type->rows, number, &i, &first)))
		bpmu_interval_total(stat->type->groups, interval, first, end, &event->slots,
				    &row->count);
	/* Say how uncertain a count is that is estimated from slices or interrupts. */
	if (row->count.slices || row->count.variance > 0) {
		flags = bpmu_estimate_flags(&row->count);
		row->half = bpmu_estimate_half_width(&row->count);
		row->flags |= flags & BPMU_VALUE_FEW ?: flags;
	}
}

/*
 * Sets @row->clock to the unhalted cycles in those slices of multiplexed time in which the row's
 * event was counted.
 */
static void add_clock(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
		      struct bpmu_stat_row *row)
{
	struct bpmu_estimate clock = { };
	unsigned int i = 0, first, end;

	while (row->event->clock &&
	       (end = bpmu_rows_range(&stat->type->rows, row->number, &i, &first)))
		bpmu_interval_total(stat->type->groups, interval, first, end,
				    &row->event->clock_slots, &clock);
	if (clock.running && !clock.missing)
		row->clock = clock.value;
}

/* Checks if an event was not counted at any time in this interval. */
static bool not_counted(const struct bpmu_stat_row *row)
{
	return !bpmu_estimate_seen(&row->count);
}

/*
 * Prints a remark beside the count of a free-running counter: the energy in joules, or the mean of
 * a gauge such as a temperature. Returns false, and prints nothing, for other events.
 */
static bool stat_free_note(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row, int blanks)
{
	const struct bpmu_stat_event *event = row->event;

	if (not_counted(row))
		return false;
	if (event->joule > 0)
		bpmu_line_printf(&stat->line, "%*s  # %.6f J", blanks, "",
				 row->count.value * event->joule);
	else if (event->gauge)
		bpmu_line_printf(&stat->line, "%*s  # mean %.2f", blanks, "",
				 row->count.value / row->count.running);
	else
		return false;
	return true;
}

/* Sets @cycles to the count of unhalted cycles beside a row of instructions. */
static __attribute__((noinline)) void
count_cycles(const struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
	     const struct bpmu_interval *interval, struct bpmu_stat_row *cycles)
{
	if (!plain_row(stat, interval, row->number, row->event->clock, cycles))
		count_row(stat, interval, row->number, row->event->clock, cycles);
}

/*
 * If the event of @row is instructions, sets @cycles to the count of unhalted cycles at the
 * privilege levels at which instructions are counted. Returns false if the event is not
 * instructions, or if unhalted cycles are not counted at these levels.
 */
static inline bool cycles_of(const struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
			     const struct bpmu_interval *interval, struct bpmu_stat_row *cycles)
{
	if (!row->event->noted)
		return false;
	count_cycles(stat, row, interval, cycles);
	return true;
}

/*
 * Prints a note beside a count. For an event of energy the note is the energy in joules, for a
 * gauge such as a temperature it is the mean, for instructions it is the instructions per cycle.
 */
static void text_note(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
		      const struct bpmu_interval *interval)
{
	int blanks = NOTE_COLUMN - (int)row->event->name_size;
	struct bpmu_stat_row cycles;

	if (blanks < 0)
		blanks = 0;
	if (stat_free_note(stat, row, blanks) || !cycles_of(stat, row, interval, &cycles) ||
	    cycles.count.value <= 0)
		return;
	bpmu_line_blanks(&stat->line, blanks, 0);
	bpmu_line_text(&stat->line, "  # ");
	bpmu_line_fixed(&stat->line, row->count.value / cycles.count.value, 2);
	bpmu_line_text(&stat->line, " insn per cycle");
}

/*
 * Prints a row of the metric IPC in CSV or JSON, beside the row of a count of instructions, whose
 * event is noted. The metric's 95 % interval is unknown, because the covariance of the counts of
 * instructions and cycles is unknown if they are multiplexed.
 */
static void row_note(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
		     const struct bpmu_interval *interval)
{
	struct bpmu_tree_value value = { };
	struct bpmu_stat_row cycles;

	count_cycles(stat, row, interval, &cycles);
	value.flags = row->flags | cycles.flags;
	if (row->event->errata.nr || cycles.event->errata.nr)
		value.flags |= BPMU_VALUE_ERRATUM;
	if (not_counted(row) || not_counted(&cycles))
		value.flags |= BPMU_VALUE_MISSING;
	else if (!cycles.count.value)
		value.flags |= BPMU_VALUE_DIVIDED_BY_0;
	else
		value.known = true;
	if (value.known)
		value.value = row->count.value / cycles.count.value;
	if (row->half || cycles.half)
		value.uncertainty = INFINITY;
	bpmu_stat_metric(stat, row->event->note, bpmu_stat_note(row->event), &value, row->cpus,
			 interval);
}

/*
 * Prints the 95 % interval of a multiplexed count, and the fraction of the time for which the event
 * was counted.
 */
static void text_multiplexing(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	struct bpmu_line *line = &stat->line;

	if (row->count.running == row->count.enabled)
		return;
	if (bpmu_estimate_flags(&row->count) & BPMU_VALUE_UNSEEN) {
		bpmu_line_printf(line, "  at most in %.0f of the other %.0f slices",
				 bpmu_estimate_at_most(&row->count), ceil(row->count.others));
	} else if (isinf(row->half) || !row->count.value) {
		bpmu_line_text(line, "  +- ?");
	} else {
		bpmu_line_text(line, "  +- ");
		bpmu_line_fixed(line, 100 * row->half / fabs(row->count.value), 2);
		bpmu_line_char(line, '%');
	}
	bpmu_line_text(line, "  (");
	bpmu_line_fixed(line, bpmu_stat_row_percent(row), 1);
	bpmu_line_text(line, "% of the time)");
}

/* Prints why a count is not that of the whole time, or is in doubt. */
static void text_doubts(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	char flags[BPMU_VALUE_FLAG_TEXT];

	text_multiplexing(stat, row);
	if (row->lost)
		bpmu_line_printf(&stat->line, "  (%llu samples lost)", row->lost);
	if (row->flags && bpmu_value_flags_text(row->flags, "", ", ", "", flags))
		bpmu_line_printf(&stat->line, "  (%s)", flags);
}

/* Returns a count as an integer. Most counts are integers, for which llround() would take longer. */
static long long stat_rounded(double count)
{
	return (double)(long long)count == count ? (long long)count : llround(count);
}

static void stat_text(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
		      const struct bpmu_interval *interval)
{
	struct bpmu_line *line = &stat->line;

	bpmu_line_text(line, "  ");
	if (not_counted(row))
		bpmu_line_right(line, "<not counted>", COUNT_WIDTH);
	else
		bpmu_line_number(line, stat_rounded(row->count.value), COUNT_WIDTH);
	bpmu_line_text(line, "  ");
	bpmu_line_put(line, row->event->name, row->event->name_size);
	if (row->event->remarked)
		text_note(stat, row, interval);
	if (!row->plain)
		text_doubts(stat, row);
	bpmu_line_char(line, '\n');
}

static void stat_sum_up(const struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
			const struct bpmu_interval *interval)
{
	bool rate = stat->call->options.interval_ns;

	if (rate && !interval->whole)
		return;
	bpmu_sums_add(stat->call->options.sums, row->cpus->label, row->event->name,
		      rate ? "events/s" : "events", false,
		      not_counted(row) ? NAN :
		      row->count.value / (rate ? interval->duration : 1),
		      row->flags);
}

static inline void stat_print(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row,
			      const struct bpmu_interval *interval)
{
	const struct bpmu_options *options = &stat->call->options;

	if (!options->sums && options->format == BPMU_TEXT) {
		bpmu_stat_label_text(stat, row->cpus);
		stat_text(stat, row, interval);
		return;
	}
	if (options->sums)
		stat_sum_up(stat, row, interval);
	else
		bpmu_stat_row_put(stat, row);
	/*
	 * Only "barepmu report --diff" takes means over intervals (sums). For it, the IPC beside a
	 * count of instructions is left out: it must compare only values that the user requested,
	 * because each further comparison would widen the confidence intervals.
	 */
	if (row->event->noted && (!options->sums || !options->interval_ns))
		row_note(stat, row, interval);
}

/*
 * Checks if a count of cycles stayed 0 in a whole run. This means that the CPU does not count the
 * event, because even the interrupt that starts the counters takes some cycles in the kernel.
 */
static bool stayed_0(const struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	return !stat->call->options.interval_ns && !stat->type->target.recorded &&
	       row->event->cycles &&
	       (row->event->spec->term[0].select & BPMU_STAT_LEVELS) == BPMU_STAT_LEVELS &&
	       row->count.running && !row->count.value;
}

/*
 * Sets *@row to the count of an event on the CPUs of row number @i of the result, with what is said
 * about the count. Returns true if the event's counters are read only by CPUs of other rows. Not
 * inlined: event_rows() would else save more registers for plain rows.
 */
static __attribute__((noinline)) bool
event_row(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
	  const struct bpmu_stat_event *event, unsigned int i, struct bpmu_stat_row *row)
{
	enum bpmu_bank_id bank = event->slots.bank;
	bool elsewhere = false;

	count_row(stat, interval, i, event, row);
	if (row->count.running != row->count.enabled)
		add_clock(stat, interval, row);
	if (event->absent || stayed_0(stat, row))
		row->flags |= BPMU_VALUE_ABSENT;
	if (bpmu_row_is_part(row->cpus, bank)) {
		row->flags |= BPMU_VALUE_SHARED;
		elsewhere = read_elsewhere(stat, interval, i, bank);
	}
	row->plain = row->count.running == row->count.enabled && !row->count.slices &&
		     !row->lost && !row->flags;
	return elsewhere;
}

static void event_rows(struct bpmu_stat_view *stat,
		       const struct bpmu_interval *interval,
		       const struct bpmu_stat_event *event)
{
	const struct bpmu_options *options = &stat->call->options;
	bool text = options->format == BPMU_TEXT && !options->sums;
	bool again = event->again && !options->sums;
	const struct bpmu_row *cpus = stat->type->rows.row;
	struct bpmu_stat_row row;
	unsigned int i;
	bool elsewhere;
	double count;
	u64 ticks;

	for (i = 0; i < stat->type->rows.nr; i++) {
		if (again && is_plain(stat, interval, i, event)) {
			count = plain_count(stat, interval, i, event, &ticks);
			if (bpmu_stat_row_again(stat, event, &cpus[i], count, ticks))
				continue;
		}

		elsewhere = !plain_row(stat, interval, i, event, &row) &&
			    event_row(stat, interval, event, i, &row);
		if (!row.plain) {
			stat->absent |= row.flags & BPMU_VALUE_ABSENT;
			stat->shared |= row.flags & BPMU_VALUE_SHARED;
			stat->estimated |= bpmu_is_interval(row.half);
		}
		if (elsewhere && text)
			continue;
		if (not_counted(&row) && !elsewhere && nr_events(stat))
			stat->lacking |= BPMU_VALUE_MISSING;
		stat_print(stat, &row, interval);
	}
}

/*
 * If @event is instructions, adds a line with the instructions per cycle to the grid (the table).
 * Adds nothing for other events.
 */
static void grid_note(const struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
		      const struct bpmu_stat_event *event, struct bpmu_grid *grid)
{
	struct bpmu_stat_row row, cycles;
	unsigned int i;

	for (i = 0; i < stat->type->rows.nr; i++) {
		event_row(stat, interval, event, i, &row);
		if (!cycles_of(stat, &row, interval, &cycles))
			return;
		if (!i)
			bpmu_grid_add(grid, "  insn per cycle");
		if (not_counted(&row) || cycles.count.value <= 0)
			bpmu_grid_add(grid, "no value");
		else
			bpmu_grid_add(grid, "%.2f", row.count.value / cycles.count.value);
	}
	bpmu_grid_add(grid, "%s", "");
}

/*
 * Adds the line of an event to the grid (the table). Returns false if a further text, such as
 * joules or flags, must be printed beside a count: the grid has no room for such texts.
 */
static bool grid_event(struct bpmu_stat_view *stat, const struct bpmu_interval *interval,
		       const struct bpmu_stat_event *event, struct bpmu_grid *grid)
{
	char number[BPMU_PRINT_NUMBER];
	struct bpmu_stat_row row;
	unsigned int i;

	if (event->joule > 0 || event->gauge)
		return false;
	bpmu_grid_add(grid, "%s", event->name);
	for (i = 0; i < stat->type->rows.nr; i++) {
		if (event_row(stat, interval, event, i, &row)) {
			bpmu_grid_add(grid, "-");
			continue;
		}
		if (row.flags || row.lost || row.count.running != row.count.enabled)
			return false;
		if (not_counted(&row))
			stat->lacking |= BPMU_VALUE_MISSING;
		bpmu_grid_add(grid, "%s", not_counted(&row) ? "<not counted>" :
			      bpmu_print_number(number, llround(row.count.value)));
	}
	bpmu_grid_add(grid, "%s", "");
	grid_note(stat, interval, event, grid);
	return true;
}

/*
 * Prints the results of a whole run as a grid: a line for each event or metric, a column for each
 * set of CPUs. Returns false if the grid is wider than the screen, or has no room for further
 * texts, such as flags, beside the values; the caller then prints a line for each value.
 */
static bool stat_table(struct bpmu_stat_view *stat, const struct bpmu_interval *interval)
{
	struct bpmu_grid grid = { .rows = &stat->type->rows, .head = stat->type->name ?: "CPU" };
	bool fits = stat->type->rows.nr > 1;
	unsigned int i;

	if (bpmu_rows_grouped(&stat->type->rows) && !stat->type->name)
		grid.head = "";
	for (i = 0; i < stat->nr_shown && fits; i++)
		fits = grid_event(stat, interval, &stat->shown[i], &grid);
	if (fits && bpmu_stat_has_metrics(&stat->type->choice))
		fits = bpmu_stat_grid_metrics(stat, &grid);
	fits = fits && bpmu_grid_fits(&grid, stat->call->out);
	if (fits)
		bpmu_grid_print(&grid, stat->call->out);
	if (fits && bpmu_stat_has_metrics(&stat->type->choice))
		bpmu_stat_grid_legend(stat);
	bpmu_grid_free(&grid);
	return fits;
}

static double spent_percent(const struct bpmu_stat *stat)
{
	return stat->enabled ? 100.0 * stat->spent / stat->enabled : 0;
}

static void json_end(const struct bpmu_stat *stat,
		     const struct bpmu_interval *interval)
{
	struct bpmu_table table = {
		.out = stat->out, .format = BPMU_JSON, .type = "end",
	};
	const struct bpmu_field fields[] = {
		{ "time", .form = BPMU_FIELD_FIXED, .number = interval->seconds,
		  .digits = 9 },
		{ "wall", .form = BPMU_FIELD_STAMP, .stamp = &interval->stamp },
		{ "intervals", .form = BPMU_FIELD_WHOLE,
		  .whole = interval->index + 1 },
		{ "lost", .form = BPMU_FIELD_WHOLE, .whole = stat->lost },
		{ "spent_percent", .form = BPMU_FIELD_FIXED,
		  .number = spent_percent(stat), .digits = 4 },
		{ "disturbed", .form = BPMU_FIELD_FLAG,
		  .whole = stat->flaws.of[BPMU_FLAW_DISTURBED].nr },
	};

	bpmu_table_row(&table, fields, ARRAY_SIZE(fields));
}

static void stat_refused(const struct bpmu_stat *stat)
{
	unsigned int k;

	for (k = 0; k < stat->analysis.nr; k++)
		if (bpmu_stat_has_metrics(&stat->analysis.type[k]->choice))
			bpmu_stat_row_refused(&stat->view[k], &stat->analysis.type[k]->choice);
}

static void text_errata(const struct bpmu_stat *stat)
{
	const struct bpmu_stat_view *view = stat->view;
	unsigned int k, i;

	for (k = 0; k < stat->analysis.nr; k++, view++)
		for (i = 0; i < view->nr_shown; i++)
			bpmu_errata_note(stat->out, view->shown[i].name,
					 &view->shown[i].errata);
}

/*
 * Returns a mask of &enum bpmu_value_flag: the reasons why values of metrics are unknown in an
 * interval.
 */
static unsigned int stat_lacking(const struct bpmu_stat_view *stat)
{
	const struct bpmu_tree_value *value;
	unsigned int lacking = 0;
	unsigned int row, i;

	for (row = 0; row < stat->type->rows.nr; row++) {
		for (i = 0; i < stat->type->tree.metrics.nr; i++) {
			value = &stat->values[(size_t)row * stat->type->tree.metrics.nr + i];
			if (has_metric(stat, i) && !value->known)
				lacking |= value->flags;
		}
	}
	return lacking & BPMU_VALUE_NONE;
}

static void text_lacking(const struct bpmu_stat *stat)
{
	unsigned int lacking = 0;
	bool multiplexed = false;
	unsigned int k;

	for (k = 0; k < stat->analysis.nr; k++) {
		lacking |= stat->view[k].lacking;
		multiplexed |= bpmu_groups_most(stat->analysis.type[k]->groups) > 1;
	}
	if (lacking & BPMU_VALUE_MISSING)
		fprintf(stat->out,
			"  Missing counts: no sample ended in the interval, as where CPUs are idle or samples were lost%s.\n",
			multiplexed ? ", or multiplexed events had no slice in it; measure longer" :
				      "");
	if (lacking & BPMU_VALUE_DIVIDED_BY_0)
		fputs("  Missing values: a divisor is 0, as where CPUs executed nothing.\n",
		      stat->out);
}

static void text_absent(const struct bpmu_stat *stat)
{
	bool absent = false;
	unsigned int k;

	for (k = 0; k < stat->analysis.nr; k++)
		absent |= stat->view[k].absent;
	if (absent)
		fputs("  absent: this CPU does not count the event; \"barepmu check\" shows the cause\n",
		      stat->out);
}

static void text_shared(const struct bpmu_stat *stat)
{
	bool shared = false;
	unsigned int k;

	for (k = 0; k < stat->analysis.nr; k++)
		shared |= stat->view[k].shared;
	if (shared)
		fputs("  shared: counts of a whole package, L3 or core stand in the row of the CPU that reads them; --per-socket has rows as large\n",
		      stat->out);
}

static void text_intervals(const struct bpmu_stat *stat)
{
	bool estimated = false;
	unsigned int k;

	for (k = 0; k < stat->analysis.nr; k++)
		estimated |= stat->view[k].estimated;
	if (estimated)
		bpmu_print_intervals(stat->out, "  ");
}

static void stat_tail(struct bpmu_stat *stat, const struct bpmu_interval *interval)
{
	if (stat->options.format != BPMU_TEXT)
		stat_refused(stat);
	if (stat->options.format == BPMU_JSON) {
		bpmu_flaws_json(&stat->flaws, stat->out);
		json_end(stat, interval);
	}
	if (stat->options.format != BPMU_TEXT)
		return;
	fprintf(stat->out, "\n  %.6f seconds, %.4f%% of the CPUs' time spent in sampling\n",
		interval->seconds, spent_percent(stat));
	text_intervals(stat);
	text_lacking(stat);
	text_errata(stat);
	text_absent(stat);
	text_shared(stat);
	stat_refused(stat);
	bpmu_flaws_text(&stat->flaws, stat->out, "  ");
	if (stat->lost && !is_of_interrupts(stat->view))
		fprintf(stat->out,
			"  %llu samples lost: counts are complete, intervals are coarser; take a longer -I\n",
			stat->lost);
	if (bpmu_stat_has_entries(stat->view))
		bpmu_by_print_limits(stat->out, &stat->view->type->rows,
				     stat->view->type->target.recorded,
				     &stat->options.replay->by);
}

static void stat_head(const struct bpmu_stat *stat)
{
	const struct bpmu_target *target;
	unsigned int k;

	bpmu_stat_row_head(stat->view);
	if (stat->options.format != BPMU_TEXT)
		return;
	fputs("System-wide counts on CPU", stat->out);
	for (k = 0; k < stat->analysis.nr; k++) {
		target = &stat->analysis.type[k]->target;
		fprintf(stat->out, "%s %s (%s)", k ? " and" : "", target->cpus_text,
			target->info.title);
	}
	bpmu_print_during(stat->out, stat->options.argv, 0);
	fputs(":\n\n", stat->out);
}

static void stat_print_rows(struct bpmu_stat_view *stat,
			    const struct bpmu_interval *interval)
{
	unsigned int i;

	if (bpmu_stat_has_metrics(&stat->type->choice))
		bpmu_stat_eval(stat, interval);
	if (bpmu_stat_has_entries(stat) && stat->call->options.format == BPMU_TEXT) {
		bpmu_by_print(stat, interval);
		return;
	}
	stat->lacking |= stat_lacking(stat);
	stat_see(stat, interval);
	if (stat->call->compact && !stat->call->options.sums) {
		compact(stat, interval);
		return;
	}
	if (stat->call->options.format == BPMU_TEXT && !stat->call->options.sums &&
	    !stat->call->options.interval_ns && stat_table(stat, interval))
		return;
	for (i = 0; i < stat->nr_shown; i++)
		event_rows(stat, interval, &stat->shown[i]);
	if (bpmu_stat_has_metrics(&stat->type->choice))
		bpmu_stat_metrics(stat, interval);
}

static void stat_add_up(struct bpmu_stat *stat, const struct bpmu_interval *interval)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < stat->analysis.nr; i++)
		nr += stat->analysis.type[i]->rows.positions;
	for (i = 0; i < nr; i++) {
		stat->lost += interval->lost[i];
		stat->spent += interval->spent[i];
		stat->enabled += interval->enabled[i];
	}
	if (bpmu_stat_has_entries(stat->view))
		stat->flaws = stat->options.replay->by.flaws;
	/* Each row has all interrupts that were lost. */
	if (is_of_interrupts(stat->view))
		stat->lost = stat->options.replay->by.shares->lost;
}

static void sum_elapsed(const struct bpmu_stat *stat, double seconds)
{
	struct bpmu_sums *sums = stat->options.sums;
	char *cpus = NULL;
	unsigned int k;
	size_t size;
	FILE *out;

	out = open_memstream(&cpus, &size);
	for (k = 0; out && k < stat->analysis.nr; k++)
		fprintf(out, "%s%s", k ? "," : "",
			stat->analysis.type[k]->target.cpus_text);
	if (!out || fclose(out)) {
		sums->failed = true;
		free(cpus);
		return;
	}
	bpmu_sums_add(sums, cpus, "elapsed", "seconds", false, seconds, 0);
	free(cpus);
}

/**
 * bpmu_stat_write() - write to the output what bpmu_stat_interval() has kept in memory
 * @stat: &struct bpmu_stat
 */
void bpmu_stat_write(void *stat)
{
	struct bpmu_stat *s = stat;
	unsigned int k;

	for (k = 0; k < s->analysis.nr; k++)
		if (s->view[k].line.nr)
			bpmu_line_write(&s->view[k].line);
}

/**
 * bpmu_stat_interval() - print the counts of events and the values of metrics in an interval
 * @stat: &struct bpmu_stat
 * @interval: counts of the interval; a heading is printed before the first interval, and totals
 *	after the last one
 *
 * If the CPUs have one core type, the output of an interval may stay in memory until the next ones,
 * or bpmu_stat_write(): to write it each time would take a tenth of the interval's instructions.
 */
void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval)
{
	struct bpmu_interval behind;
	struct bpmu_stat *s = stat;
	struct bpmu_stat_view *view = s->view;
	const struct bpmu_core_type *type;
	unsigned int k;

	if (!interval->index && !s->options.sums)
		stat_head(s);
	stat_add_up(s, interval);
	if (interval->last && s->repeat)
		sum_elapsed(s, interval->seconds);
	for (k = 0; k < s->analysis.nr; k++, view++) {
		type = view->type;
		if (!interval->index)
			bpmu_line_begin(&view->line, s->out);
		bpmu_stat_time(view, interval);
		if (!bpmu_stat_has_entries(view))
			bpmu_flaws_add(&s->flaws, interval, &type->target.cpus);
		if (k && s->options.format == BPMU_TEXT && !s->options.sums &&
		    !s->options.interval_ns && type->rows.nr > 1)
			fputc('\n', s->out);
		stat_print_rows(view, interval);
		if (s->analysis.nr > 1 || interval->last)
			bpmu_line_write(&view->line);
		if (k + 1 < s->analysis.nr) {
			behind = bpmu_interval_behind(interval, type->target.cpus.nr,
						      type->groups);
			interval = &behind;
		}
	}
	if (interval->last && s->options.sums)
		s->options.sums->flaws = s->flaws;
	if (interval->last && !s->options.sums)
		stat_tail(s, interval);
}
