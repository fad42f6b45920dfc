/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of "barepmu decan": the loop that it analyses, the variants of the loop, and the time
 * that each variant saves.
 */
#ifndef BPMU_DECAN_H
#define BPMU_DECAN_H

#include "options.h"
#include "variants.h"
#include "profile.h"
#include "code/elf_file.h"
#include "recording/symbols.h"
#include "replay/report_progress.h"
#include "session.h"

/*
 * default number of measurements of each variant; with 11 measurements, the 95 % interval of the
 * median leaves out the smallest and the largest
 */
#define BPMU_DECAN_ROUNDS 11

/**
 * struct bpmu_warm_up - runs of the original loop, without changes, until its time was stable
 * @tried: number of runs
 * @settled: whether the last two runs took the same time
 * @runs: number of unmeasured runs that precede each measurement of a variant
 * @cold: TSC ticks of the first run
 * @ticks: TSC ticks of the last run
 */
struct bpmu_warm_up {
	unsigned int tried;
	bool settled;
	unsigned int runs;
	u64 cold;
	u64 ticks;
};

/**
 * struct bpmu_decan - options and state of "barepmu decan"
 * @options: common options; -C, -j, -o and --take-over are used
 * @function: name of the function, or NULL for the hottest
 * @loop: argument of --loop, or NULL for the hottest innermost loop
 * @from: recording with the profile, or NULL to sample the command
 * @invocation: which entry into the loop is analysed, counted from 1; or BPMU_SNAPSHOT_AUTO
 * @kinds: which kinds of variants to make, a mask of &enum bpmu_variant_kind
 * @rounds: number of measurements of each variant
 * @integer: variants may also remove loads and stores without a vector register
 * @list: only list loops and candidates
 * @html: name of the file for an HTML page of the results, or NULL
 * @write: name of the directory into which the programs of all variants are written, or NULL
 * @cpu: CPU on which the loop runs
 * @threads: number of the program's threads that run the loop in parallel
 * @profile: profile of the command, if one was needed
 * @elf: program or library that contains the function
 * @symbols: symbols and line numbers of the program, or NULL
 * @name: name of the function
 * @bias: run-time address minus link-time address
 * @trace: the command, traced with ptrace()
 * @snapshot: the command, stopped at the entry into the loop; its forks run the loop
 * @brackets: code before and after the loop, which measures the loop's time
 * @code: function with the loop
 * @target: loop to analyse
 * @id: number of the loop
 * @candidates: instructions of the loop that variants may remove
 * @variants: the variants
 * @session: the module's session, which counts events
 * @counting: @session counts core cycles; else TSC ticks are measured
 * @level: level of the Top-Down tree for all variants, or 0
 * @unit: "cycles" or "ticks"
 * @why_ticks: reason why core cycles cannot be counted
 * @warm_up: runs of the original loop until its time was stable
 * @share: all single-threaded runs are made in @fork; else each run is made in a new fork
 * @fork: fork of the program, used if @share is set
 * @progress: progress display while variants run
 * @runs: total number of runs
 * @done: number of runs that have started
 * @limit_ms: timeout of a run in ms
 * @empty: time that the code of @brackets takes without the loop, in @unit
 * @coverage: fraction of the profile's samples that are in the loop, NAN if
 *	unknown
 */
struct bpmu_decan {
	struct bpmu_options options;
	const char *function;
	const char *loop;
	const char *from;
	unsigned int invocation;
	unsigned int kinds;
	unsigned int rounds;
	bool integer;
	bool list;
	const char *html;
	const char *write;
	unsigned int cpu;
	unsigned int threads;
	struct bpmu_profile profile;
	struct bpmu_elf elf;
	struct bpmu_symbols *symbols;
	char name[96];
	u64 bias;
	struct bpmu_trace trace;
	struct bpmu_snapshot snapshot;
	struct bpmu_brackets brackets;
	struct bpmu_code code;
	const struct bpmu_loop *target;
	unsigned int id;
	struct bpmu_candidates candidates;
	struct bpmu_variants variants;
	struct bpmu_decan_session session;
	bool counting;
	unsigned int level;
	const char *unit;
	struct bpmu_error why_ticks;
	struct bpmu_warm_up warm_up;
	bool share;
	struct bpmu_fork fork;
	struct bpmu_progress progress;
	double runs;
	double done;
	int limit_ms;
	struct bpmu_interval95 empty;
	double coverage;
};

int bpmu_decan_find(struct bpmu_decan *decan, struct bpmu_error *err);
int bpmu_decan_measure(struct bpmu_decan *decan, struct bpmu_error *err);
void bpmu_decan_free(struct bpmu_decan *decan);

void bpmu_decan_list(const struct bpmu_decan *decan, FILE *out);
void bpmu_decan_text(const struct bpmu_decan *decan, FILE *out);
void bpmu_decan_csv(const struct bpmu_decan *decan, FILE *out);
void bpmu_decan_json(const struct bpmu_decan *decan, FILE *out);
int bpmu_decan_write(const struct bpmu_decan *decan, struct bpmu_error *err);
const char *bpmu_decan_verdict(const struct bpmu_decan *decan, char text[512]);
const char *bpmu_decan_sharing(const struct bpmu_decan *decan, char text[512]);
const char *bpmu_decan_agreement(const struct bpmu_decan *decan,
				 char text[128]);
const struct bpmu_variant **bpmu_decan_sorted(const struct bpmu_variants *variants);
int bpmu_decan_page(const struct bpmu_decan *decan, struct bpmu_error *err);

#endif /* BPMU_DECAN_H */
