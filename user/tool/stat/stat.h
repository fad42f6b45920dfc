/* SPDX-License-Identifier: GPL-2.0 */
/* What "barepmu stat" counts and how it is printed. */
#ifndef BPMU_STAT_H
#define BPMU_STAT_H

#include <stdio.h>

#include "base/fields.h"
#include "count/flaw.h"
#include "event/rows.h"
#include "options.h"
#include "replay/report_by.h"
#include "source/analysis.h"
#include "source/measure.h"
#include "stat_grid.h"
#include "tree/errata.h"

/* bits of an event select (IA32_PERFEVTSELx) for privilege levels: USR (16) and OS (17) */
#define BPMU_STAT_LEVELS (BPMU_BIT(16) | BPMU_BIT(17))

struct bpmu_stat_form;

/**
 * struct bpmu_stat_event - an event whose counts stat prints
 * @spec: the parsed event; it may belong to a metric that needs the same event, and is not freed
 *	here
 * @name: name of the event as the user requested it
 * @name_size: length of @name in bytes
 * @errata: errata of the event on this CPU
 * @cycles: true if the event is perf's "cycles"; its privilege levels do not matter
 * @instructions: true if the event is perf's "instructions"; its privilege levels do not matter
 * @absent: true if CPUID reports the event as absent
 * @joule: joules that a count of 1 stands for, if the event is an energy; else 0
 * @gauge: true if the count is a value summed over time, such as a temperature, whose mean is
 *	printed, too
 * @noted: true if the event is instructions, and the instructions per cycle are printed, too; the
 *	cycles are the count of @clock
 * @remarked: true if text output has a remark beside the count, see @joule, @gauge and @noted
 * @slots: slots (positions in the groups of events) that have the event's counts
 * @single: true if a single counter counts the event, and nothing else, in the only group of its
 *	bank, and the event is not @absent
 * @again: true if a plain row of the event may be printed by bpmu_stat_row_again(): in CSV and JSON,
 *	if not @noted
 * @clock: for an event of the core, the event of unhalted cycles at the same privilege levels, if
 *	stat shows it; else NULL
 * @clock_slots: slots that have the counts of @clock in the groups that count this event, too
 * @form: form (template, see stat_form.h) of the event's rows in CSV and JSON
 * @note: if @noted: form (template) of the rows with the instructions per cycle in CSV and JSON
 */
struct bpmu_stat_event {
	const struct bpmu_event_spec *spec;
	const char *name;
	size_t name_size;
	struct bpmu_errata errata;
	bool cycles;
	bool instructions;
	bool absent;
	double joule;
	bool gauge;
	bool noted;
	bool remarked;
	struct bpmu_event_slots slots;
	bool single;
	bool again;
	const struct bpmu_stat_event *clock;
	struct bpmu_event_slots clock_slots;
	struct bpmu_stat_form *form;
	struct bpmu_stat_form *note;
};

/**
 * struct bpmu_stat_row - count of an event on the CPUs of one row of the result, such as a core
 * @number: index of the row in the result
 * @cpus: CPUs of the row, with their label
 * @event: the event
 * @count: the count
 * @half: half-width of the 95 % interval of @count
 * @clock: unhalted cycles in the slices of multiplexed time in which the event was counted; NAN if
 *	the event is not multiplexed, or if they are unknown
 * @lost: number of samples lost
 * @flags: mask of &enum bpmu_value_flag
 * @plain: true if the row has no more than a count of all of the time: the count is exact, no
 *	samples were lost, and it has no flags
 */
struct bpmu_stat_row {
	unsigned int number;
	const struct bpmu_row *cpus;
	const struct bpmu_stat_event *event;
	struct bpmu_estimate count;
	double half;
	double clock;
	u64 lost;
	unsigned int flags;
	bool plain;
};

/**
 * struct bpmu_stat_ticks - a number of TSC ticks as text, kept because many rows print this number
 * @ticks: number of ticks in the latest row, 0 before the first row
 * @digits: digits of @ticks
 */
struct bpmu_stat_ticks {
	u64 ticks;
	struct bpmu_piece digits;
};

/**
 * struct bpmu_stat_seen - what the events of a row have in common in an interval
 * @lost: number of samples lost on the row's CPUs
 * @flags: mask of &enum bpmu_value_flag: what the samples of the row's CPUs report
 * @plain: true with -I if @lost and @flags are 0, and the row's CPUs have consecutive positions
 * @first: with @plain: position of the row's first CPU
 * @end: with @plain: position after the row's last CPU
 */
struct bpmu_stat_seen {
	u64 lost;
	unsigned int flags;
	bool plain;
	unsigned int first;
	unsigned int end;
};

struct bpmu_stat;

/**
 * struct bpmu_stat_view - what stat prints about one core type
 * @call: the call of "barepmu stat"
 * @type: the core type, with its groups of events and the rows of the result
 * @values: values of the metrics, [nr rows][nr metrics]
 * @seen: what the events of each row have in common in the interval, [nr rows]
 * @shown: events whose counts are printed, [@nr_shown]
 * @nr_shown: number of events in @shown
 * @line: output that is being composed; with one core type it may have several intervals
 * @time: text of the interval's time; in text output with the name of the core type, and empty
 *	without -I
 * @wall: wall clock at the end of the interval, as JSON has it
 * @enabled: text of the TSC ticks of the interval
 * @running: text of the TSC ticks during which the event of the latest row was on a counter
 * @metric_form: forms (templates) of the rows of metrics, [number of metrics]; NULL before they are
 *	made
 * @lacking: mask of &enum bpmu_value_flag: why some values of the printed text are missing
 * @absent: true if a count was printed of an event that CPUID reports as absent
 * @shared: true if a count was printed that includes counts of CPUs of other rows
 * @estimated: true if a 95 % interval of a multiplexed count or metric was printed
 */
struct bpmu_stat_view {
	struct bpmu_stat *call;
	struct bpmu_core_type *type;
	struct bpmu_tree_value *values;
	struct bpmu_stat_seen *seen;
	struct bpmu_stat_event *shown;
	unsigned int nr_shown;
	struct bpmu_line line;
	struct bpmu_piece time;
	struct bpmu_piece wall;
	struct bpmu_stat_ticks enabled;
	struct bpmu_stat_ticks running;
	struct bpmu_stat_form **metric_form;
	unsigned int lacking;
	bool absent;
	bool shared;
	bool estimated;
};

/**
 * struct bpmu_stat - a call of "barepmu stat"
 * @options: common options
 * @analysis: requested events and metrics, and what each core type counts of them
 * @view: what is printed of each core type, [core type]
 * @level: deepest level of Top-Down that is measured (-l), 0 without -l
 * @repeat: number of runs with -r, 0 without
 * @everyday: true if no events or metrics were requested, so that default metrics are printed
 * @bandwidth: true if the default metrics include the bandwidth of memory
 * @no_bandwidth: true to leave the bandwidth of memory out of the default metrics
 * @configured: true once the module has programmed the counters of the session
 * @lacks_bandwidth: true if the bandwidth was left out because the counters of memory channels are
 *	in use or do not work
 * @pre_done: true if the shell command @pre has already been executed for the next run
 * @compact: true to print all values of an interval and a set of CPUs in one line of text
 * @metric_only: true to print metrics, but no counts of events
 * @pre: shell command before each run, or NULL
 * @post: shell command after each run, or NULL
 * @by: which CPUs are added up in a row of the result, such as those of a core
 * @prefetchers: true if --prefetchers was given
 * @prefetch: with @prefetchers: bits to set in MSR 0x1A4, each of which disables a prefetcher
 * @out: output
 * @lost: samples lost so far
 * @spent: TSC ticks spent in taking samples so far, over all CPUs
 * @enabled: TSC ticks of the session so far, over all CPUs
 * @flaws: flaws of the samples so far
 */
struct bpmu_stat {
	struct bpmu_options options;
	struct bpmu_analysis analysis;
	struct bpmu_stat_view view[BPMU_CORE_TYPES];
	unsigned int level;
	unsigned int repeat;
	bool everyday;
	bool bandwidth;
	bool no_bandwidth;
	bool configured;
	bool lacks_bandwidth;
	bool pre_done;
	bool compact;
	bool metric_only;
	const char *pre;
	const char *post;
	enum bpmu_rows_by by;
	bool prefetchers;
	u32 prefetch;
	FILE *out;
	u64 lost;
	u64 spent;
	u64 enabled;
	struct bpmu_flaws flaws;
};

int bpmu_stat_add_level(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_everyday(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_show(struct bpmu_stat_view *stat, struct bpmu_error *err);
int bpmu_stat_open(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_share(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_prepare(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_schedule(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_rows(struct bpmu_stat *stat, struct bpmu_error *err);
void bpmu_stat_close(struct bpmu_stat *stat);
void bpmu_stat_free(struct bpmu_stat *stat);

void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval);
void bpmu_stat_write(void *stat);

/*
 * Checks if the rows of the result are processes, symbols or the like of "report --by", not CPUs.
 */
static inline bool bpmu_stat_has_entries(const struct bpmu_stat_view *stat)
{
	return stat->type->rows.by == BPMU_ROWS_ENTRY;
}

/*
 * maximum number of fields that say the time and the CPUs of a row of CSV or JSON; they are the
 * first fields of the row
 */
#define BPMU_STAT_LABELS 8

void bpmu_stat_time(struct bpmu_stat_view *stat, const struct bpmu_interval *interval);
void bpmu_stat_label_cpus(struct bpmu_stat_view *stat, const struct bpmu_row *row);

/**
 * bpmu_stat_label_text() - label the text line of a value of stat: begin with time and CPUs
 * @stat: what stat prints of a core type; the text is appended to its @line
 * @row: CPUs of the line, with their label
 */
static inline void bpmu_stat_label_text(struct bpmu_stat_view *stat, const struct bpmu_row *row)
{
	bpmu_line_piece(&stat->line, &stat->time);
	if (stat->type->rows.by != BPMU_ROWS_ALL)
		bpmu_stat_label_cpus(stat, row);
}

struct bpmu_table bpmu_stat_label_table(const struct bpmu_stat_view *stat, const char *type,
					const struct bpmu_row *row,
					struct bpmu_field when[BPMU_STAT_LABELS]);
int bpmu_stat_row_forms(struct bpmu_stat_view *stat, struct bpmu_error *err);
int bpmu_stat_metric_forms(struct bpmu_stat_view *stat, struct bpmu_error *err);
void bpmu_stat_forms_free(struct bpmu_stat_view *stat);
void bpmu_stat_row_put(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row);
bool bpmu_stat_row_again(struct bpmu_stat_view *stat, const struct bpmu_stat_event *event,
			 const struct bpmu_row *cpus, double count, u64 ticks);
void bpmu_stat_row_head(const struct bpmu_stat_view *stat);
void bpmu_stat_row_refused(const struct bpmu_stat_view *stat, const struct bpmu_choice *choice);
double bpmu_stat_row_percent(const struct bpmu_stat_row *row);
double bpmu_stat_count(const struct bpmu_stat_view *stat,
		       const struct bpmu_interval *interval, unsigned int row,
		       const struct bpmu_event_slots *slots);
bool bpmu_stat_has_metrics(const struct bpmu_choice *choice);
void bpmu_stat_eval(struct bpmu_stat_view *stat,
		    const struct bpmu_interval *interval);
const struct bpmu_metric *bpmu_stat_note(const struct bpmu_stat_event *event);
void bpmu_stat_metric(struct bpmu_stat_view *stat, struct bpmu_stat_form *form,
		      const struct bpmu_metric *metric, const struct bpmu_tree_value *value,
		      const struct bpmu_row *cpus, const struct bpmu_interval *interval);
void bpmu_stat_metrics(struct bpmu_stat_view *stat,
		       const struct bpmu_interval *interval);
bool bpmu_stat_grid_metrics(const struct bpmu_stat_view *stat, struct bpmu_grid *grid);
void bpmu_stat_grid_legend(const struct bpmu_stat_view *stat);
void bpmu_by_print(const struct bpmu_stat_view *stat,
		   const struct bpmu_interval *interval);
void bpmu_by_print_names(FILE *out, const struct bpmu_by *by);
void bpmu_by_print_limits(FILE *out, const struct bpmu_rows *rows,
			  const struct bpmu_recording_about *about,
			  const struct bpmu_by *by);

#endif /* BPMU_STAT_H */
