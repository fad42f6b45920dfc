/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording by what was interrupted: each sample's whole interval is counted
 * for what it interrupted at its end.
 */
#ifndef BPMU_REPORT_BY_H
#define BPMU_REPORT_BY_H

#include "count/delta.h"
#include "count/flaw.h"
#include "event/rows.h"
#include "recording/recording_read.h"
#include "report_by_symbol.h"
#include "source/measure.h"

/**
 * enum bpmu_by_type - what samples are added up by, the key of an entry
 * @BPMU_BY_NOTHING: samples are not told apart
 * @BPMU_BY_COMM: all threads of a name
 * @BPMU_BY_PID: a process
 * @BPMU_BY_SYMBOL: a function
 * @BPMU_BY_CPU: a CPU
 */
enum bpmu_by_type {
	BPMU_BY_NOTHING,
	BPMU_BY_COMM,
	BPMU_BY_PID,
	BPMU_BY_SYMBOL,
	BPMU_BY_CPU
};

/**
 * struct bpmu_by_entry - sums of the samples with one key: "key" in JSON
 * @key: tells the entry from others
 * @label: for people
 * @samples: number of samples that interrupted it
 * @ticks: TSC ticks of their intervals
 * @lost: samples before these
 * @flaws: what its samples say against its counts
 * @spent: TSC ticks spent in sampling
 * @cell: by slot of the recorded groups
 */
struct bpmu_by_entry {
	char *key;
	char *label;
	u64 samples;
	u64 ticks;
	u64 lost;
	u32 flaws;
	u64 spent;
	struct bpmu_cell cell[];
};

struct bpmu_by_cpu;

/**
 * struct bpmu_by - all entries
 * @type: what they are
 * @about: the recording
 * @cpus: the CPUs that are looked at
 * @cpu: by position in @cpus
 * @delta: how to take differences, [slots]
 * @nr_cpus: their number
 * @symbols: of functions
 * @tree: entries by their keys
 * @entry: entries, in the end by their time
 * @nr: their number
 * @samples: of all
 * @ticks: of all
 * @begin: TSC of the first sample
 * @end: TSC of the last one
 * @nobody: there was a sample that does not say who was interrupted
 * @flaws: what samples said against the counts, by CPU
 * @failed: memory ran out
 * @cell: of all entries
 * @tail: rows of times and losses of all entries
 */
struct bpmu_by {
	enum bpmu_by_type type;
	const struct bpmu_recording_about *about;
	const struct bpmu_cpulist *cpus;
	struct bpmu_by_cpu *cpu;
	struct bpmu_delta *delta;
	unsigned int nr_cpus;
	struct bpmu_by_symbols symbols;
	void *tree;
	struct bpmu_by_entry **entry;
	unsigned int nr;
	u64 samples;
	u64 ticks;
	u64 begin;
	u64 end;
	bool nobody;
	struct bpmu_flaws flaws;
	bool failed;
	struct bpmu_cell *cell;
	u64 *tail;
};

int bpmu_by_parse(const char *text, enum bpmu_by_type *type,
		  struct bpmu_error *err);

int bpmu_by_begin(struct bpmu_by *by, const struct bpmu_recording_about *about,
		  const struct bpmu_cpulist *cpus, struct bpmu_error *err);
void bpmu_by_add(struct bpmu_by *by,
		 const struct bpmu_recording_sample *sample);
int bpmu_by_end(struct bpmu_by *by, const char *name, struct bpmu_error *err);
int bpmu_by_rows(const struct bpmu_by *by, struct bpmu_rows *rows,
		 struct bpmu_error *err);
struct bpmu_interval bpmu_by_interval(const struct bpmu_by *by);
void bpmu_by_free(struct bpmu_by *by);

struct bpmu_by_entry *bpmu_by_entry(struct bpmu_by *by,
				    const struct bpmu_recording_sample *sample);
void bpmu_by_free_entries(struct bpmu_by *by);

#endif /* BPMU_REPORT_BY_H */
