/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which variants of a loop are run, and what became of each.
 */
#ifndef BPMU_DECAN_VARIANTS_H
#define BPMU_DECAN_VARIANTS_H

#include "brackets.h"
#include "candidates.h"
#include "run.h"

#define BPMU_VARIANT_NAME 160

/**
 * enum bpmu_variant_kind - kinds of variants, a set
 * @BPMU_VARIANT_LOAD: one load is left out
 * @BPMU_VARIANT_STORE: one store is left out
 * @BPMU_VARIANT_LOADS: all loads are left out
 * @BPMU_VARIANT_STORES: all stores are left out
 * @BPMU_VARIANT_GROUPS: a group of loads or stores of one array is left out
 * @BPMU_VARIANT_DIVIDES: divisions are made cheap
 * @BPMU_VARIANT_BRANCHES: branches are forced one way
 * @BPMU_VARIANT_L1: loads and stores stay in one line
 * @BPMU_VARIANT_MOVE: loads become moves of registers
 * @BPMU_VARIANT_FP: floating point operations are left out
 * @BPMU_VARIANT_ORIGINAL: nothing is changed
 */
enum bpmu_variant_kind {
	BPMU_VARIANT_LOAD = 1 << 0,
	BPMU_VARIANT_STORE = 1 << 1,
	BPMU_VARIANT_LOADS = 1 << 2,
	BPMU_VARIANT_STORES = 1 << 3,
	BPMU_VARIANT_GROUPS = 1 << 4,
	BPMU_VARIANT_DIVIDES = 1 << 5,
	BPMU_VARIANT_BRANCHES = 1 << 6,
	BPMU_VARIANT_L1 = 1 << 7,
	BPMU_VARIANT_MOVE = 1 << 8,
	BPMU_VARIANT_FP = 1 << 9,
	BPMU_VARIANT_ORIGINAL = 1 << 10
};

/* those of the DECAN paper: n + 3 and the groups */
#define BPMU_VARIANT_DEFAULT (BPMU_VARIANT_LOAD | BPMU_VARIANT_STORE | \
			   BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES | \
			   BPMU_VARIANT_GROUPS)

/**
 * struct bpmu_interval95 - a median with its 95 % interval
 * @value: median
 * @low: of the interval
 * @high: of the interval
 */
struct bpmu_interval95 {
	double value;
	double low;
	double high;
};

/**
 * struct bpmu_variant - one variant
 * @name: "FUNCTION_loopID_OPT"
 * @kind: one of &enum bpmu_variant_kind
 * @candidate: the single instruction that it changes, or NULL
 * @group: number of the group, or BPMU_LOOP_NONE
 * @edit: what it changes
 * @patch: room for bytes of edits that are no candidate's own
 * @nr: how many instructions
 * @threads: that run the loop at once
 * @status: how its runs ended
 * @ok: they did by an exit of the loop
 * @iterations: of the run that counts them
 * @sample: cycles of each round
 * @samples: how many
 * @shares: share of the time for which the other threads had a CPU, [nr rounds]
 * @on_cpu: median of these, NAN if it is not known, or there is one thread
 * @ticks: TSC ticks of a run in which further events were counted
 * @cycles: of the loop, without the brackets
 * @saved: cycles that it takes less than the original
 * @resolved: its interval and the original's do not overlap
 * @skipped: why it was not run, or NULL
 */
struct bpmu_variant {
	char name[BPMU_VARIANT_NAME];
	unsigned int kind;
	const struct bpmu_candidate *candidate;
	unsigned int group;
	struct bpmu_edit *edit;
	u8 (*patch)[ZYDIS_MAX_INSTRUCTION_LENGTH];
	unsigned int nr;
	unsigned int threads;
	char status[64];
	bool ok;
	u64 iterations;
	double *sample;
	unsigned int samples;
	double *shares;
	double on_cpu;
	double ticks;
	struct bpmu_interval95 cycles;
	double saved;
	bool resolved;
	const char *skipped;
};

/**
 * struct bpmu_variants - all variants of a loop
 * @function: its name
 * @loop_id: number of the loop
 * @code: of the function
 * @loop: the loop
 * @candidates: of the loop
 * @kinds: set of &enum bpmu_variant_kind
 * @threads: of the program; with more than one each variant runs on one and on all
 * @variant: the original first
 * @nr: their number
 */
struct bpmu_variants {
	const char *function;
	unsigned int loop_id;
	const struct bpmu_code *code;
	const struct bpmu_loop *loop;
	const struct bpmu_candidates *candidates;
	unsigned int kinds;
	unsigned int threads;
	struct bpmu_variant *variant;
	unsigned int nr;
};

int bpmu_variant_kinds_parse(const char *text, unsigned int *kinds,
		     struct bpmu_error *err);
const char *bpmu_variant_kind_name(unsigned int kind);
int bpmu_variants_make(struct bpmu_variants *variants, struct bpmu_error *err);
void bpmu_variants_free(struct bpmu_variants *variants);
const struct bpmu_variant *
bpmu_variants_find(const struct bpmu_variants *variants, unsigned int kind);

struct bpmu_interval95 bpmu_median(double *sample, unsigned int nr);
void bpmu_variants_judge(struct bpmu_variants *variants,
			 struct bpmu_interval95 empty);

#endif /* BPMU_DECAN_VARIANTS_H */
