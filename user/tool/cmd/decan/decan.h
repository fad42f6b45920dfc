/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One analysis: a loop of a program, its variants, and what they cost.
 */
#ifndef BPMU_DECAN_H
#define BPMU_DECAN_H

#include "options.h"
#include "variants.h"
#include "profile.h"
#include "elf_file.h"
#include "recording/symbols.h"
#include "replay/report_progress.h"
#include "session.h"

/* an interval of 95 % that leaves out samples needs as many */
#define BPMU_DECAN_ROUNDS 11

/**
 * struct bpmu_decan - a call of the command
 * @options: shared ones; of them -C, -j, -o and --take-over
 * @function: name, or NULL for the hottest
 * @loop: text of --loop, or NULL for the innermost hottest
 * @from: recording with the profile, or NULL to take one
 * @invocation: which entry into the loop, or BPMU_SNAPSHOT_AUTO
 * @kinds: of variants
 * @rounds: how often each variant is measured
 * @integer: accesses without a vector register too
 * @list: only show loops and candidates
 * @html: file of the page, or NULL
 * @write: directory for a program of each variant, or NULL
 * @cpu: where the loop runs
 * @threads: of the program that run it at once
 * @profile: of the command, if one was needed
 * @elf: program or library that has the function
 * @symbols: its lines, or NULL
 * @name: of the function
 * @bias: run-time address minus link-time address
 * @trace: the command
 * @snapshot: of it
 * @brackets: around the loop
 * @code: of the function
 * @target: its loop
 * @id: number of the loop
 * @candidates: of the loop
 * @variants: the variants
 * @session: of the module
 * @counting: there is one; else TSC ticks are taken
 * @level: of the Top-Down tree for all variants, or 0
 * @unit: "cycles" or "ticks"
 * @why_ticks: why there is no session
 * @warm: the loop runs once before each measurement
 * @share: all runs of one thread are in one fork, as each costs too much
 * @fork: that one
 * @progress: shown while variants run
 * @runs: that it is made of
 * @done: how many of them have begun
 * @limit_ms: for a run
 * @empty: what the brackets cost
 * @coverage: share of the profile's samples that are in the loop, NAN if unknown
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
	bool warm;
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
