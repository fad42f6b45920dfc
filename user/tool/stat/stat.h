/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu stat" counts and how it is printed.
 */
#ifndef BPMU_STAT_H
#define BPMU_STAT_H

#include <stdio.h>

#include "base/fields.h"
#include "count/flaw.h"
#include "event/rows.h"
#include "options.h"
#include "replay/report_by.h"
#include "source/machine.h"
#include "source/measure.h"
#include "source/target.h"
#include "source/wanted.h"
#include "tree/errata.h"
#include "tree/metric_choice.h"

/**
 * struct bpmu_stat_event - an event of the result
 * @spec: as it is counted, by a metric too
 * @name: as it was asked for
 */
struct bpmu_stat_event {
	const struct bpmu_event_spec *spec;
	const char *name;
};

/**
 * struct bpmu_stat - a call of the command
 * @options: shared ones
 * @target: what it measures on
 * @wanted: what was asked for
 * @choice: which metrics, and events of files
 * @machine: what metrics have to know of it
 * @tree: of the metrics, if there are any
 * @values: [nr rows][nr lines of the tree]
 * @groups: what is measured
 * @shown: the events whose counts are printed
 * @nr_shown: their number
 * @errata_cpu: which errata there are
 * @others: kinds of CPUs beside this one: their calls follow in an array,
 *	[BPMU_KINDS] at most, and are printed by this one
 * @kind: name of the kind of CPUs, shown where there are two; else NULL
 * @repeat: so many runs of the command, 0 for one that is printed itself
 * @everyday: nothing was asked for: what people look at first
 * @compact: in text a line for each interval and row
 * @metric_only: events are no part of the result
 * @pre: command before each run, or NULL
 * @post: command after each run, or NULL
 * @by: what a row adds up
 * @rows: the rows
 * @prefetchers: something was asked for of the prefetchers
 * @prefetch: those that are to be off
 * @out: where results go
 * @lost: samples lost so far
 * @spent: TSC ticks spent in taking samples so far, over all CPUs
 * @enabled: TSC ticks that they ran
 * @flaws: what samples said against the counts
 */
struct bpmu_stat {
	struct bpmu_options options;
	struct bpmu_target target;
	struct bpmu_wanted wanted;
	struct bpmu_choice choice;
	struct bpmu_machine machine;
	struct bpmu_tree tree;
	struct bpmu_tree_value *values;
	const struct bpmu_groups *groups;
	struct bpmu_stat_event *shown;
	unsigned int nr_shown;
	struct bpmu_errata_cpu errata_cpu;
	unsigned int others;
	const char *kind;
	unsigned int repeat;
	bool everyday;
	bool compact;
	bool metric_only;
	const char *pre;
	const char *post;
	enum bpmu_rows_by by;
	struct bpmu_rows rows;
	bool prefetchers;
	u32 prefetch;
	FILE *out;
	u64 lost;
	u64 spent;
	u64 enabled;
	struct bpmu_flaws flaws;
};

int bpmu_stat_everyday(struct bpmu_stat *stat, struct bpmu_error *err);
int bpmu_stat_schedule(struct bpmu_stat *stat, struct bpmu_error *err);
void bpmu_stat_release(struct bpmu_stat *stat);
int bpmu_stat_open(struct bpmu_stat stat[BPMU_KINDS], struct bpmu_error *err);
int bpmu_stat_share(struct bpmu_stat stat[BPMU_KINDS], struct bpmu_error *err);
u32 *bpmu_stat_kinds(const struct bpmu_stat *stat, struct bpmu_measure *measure,
		     const struct bpmu_target *kind[BPMU_KINDS],
		     struct bpmu_error *err);
int bpmu_stat_prepare(struct bpmu_stat *stat, struct bpmu_error *err);

void bpmu_stat_interval(void *stat, const struct bpmu_interval *interval);

/* whether the rows are what ran: processes, symbols and the like */
static inline bool bpmu_stat_has_entries(const struct bpmu_stat *stat)
{
	return stat->rows.by == BPMU_ROWS_ENTRY;
}

/* the most fields that say when and where */
#define BPMU_STAT_WHEN 8

void bpmu_stat_text_when(const struct bpmu_stat *stat,
			 const struct bpmu_row *row, double seconds);
struct bpmu_table bpmu_stat_table(const struct bpmu_stat *stat, const char *type,
				  const struct bpmu_row *row,
				  const struct bpmu_interval *interval,
				  struct bpmu_field when[BPMU_STAT_WHEN]);
double bpmu_stat_count(const struct bpmu_stat *stat,
		       const struct bpmu_interval *interval, unsigned int row,
		       const struct bpmu_event_spec *spec);
bool bpmu_stat_has_metrics(const struct bpmu_stat *stat);
void bpmu_stat_eval(struct bpmu_stat *stat,
		    const struct bpmu_interval *interval);
void bpmu_stat_metrics(struct bpmu_stat *stat,
		       const struct bpmu_interval *interval);
void bpmu_by_print(const struct bpmu_stat *stat,
		   const struct bpmu_interval *interval);
void bpmu_by_print_limits(FILE *out, const struct bpmu_rows *rows,
			  const struct bpmu_recording_about *about,
			  const struct bpmu_by *by);

#endif /* BPMU_STAT_H */
