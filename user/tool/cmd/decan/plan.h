/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which variants of a loop are run, and what became of each.
 */
#ifndef BPMU_DECAN_PLAN_H
#define BPMU_DECAN_PLAN_H

#include "brackets.h"
#include "candidates.h"
#include "run.h"

#define BPMU_VARIANT_NAME 160

/**
 * enum bpmu_kind - kinds of variants, a set
 * @BPMU_KIND_LOAD: one load is left out
 * @BPMU_KIND_STORE: one store is left out
 * @BPMU_KIND_LOADS: all loads are left out
 * @BPMU_KIND_STORES: all stores are left out
 * @BPMU_KIND_GROUPS: a group of loads or stores of one array is left out
 * @BPMU_KIND_DIVIDES: divisions are made cheap
 * @BPMU_KIND_BRANCHES: branches are forced one way
 * @BPMU_KIND_L1: loads and stores stay in one line
 * @BPMU_KIND_MOVE: loads become moves of registers
 * @BPMU_KIND_FP: floating point operations are left out
 * @BPMU_KIND_ORIGINAL: nothing is changed
 */
enum bpmu_kind {
	BPMU_KIND_LOAD = 1 << 0,
	BPMU_KIND_STORE = 1 << 1,
	BPMU_KIND_LOADS = 1 << 2,
	BPMU_KIND_STORES = 1 << 3,
	BPMU_KIND_GROUPS = 1 << 4,
	BPMU_KIND_DIVIDES = 1 << 5,
	BPMU_KIND_BRANCHES = 1 << 6,
	BPMU_KIND_L1 = 1 << 7,
	BPMU_KIND_MOVE = 1 << 8,
	BPMU_KIND_FP = 1 << 9,
	BPMU_KIND_ORIGINAL = 1 << 10
};

/* those of the DECAN paper: n + 3 and the groups */
#define BPMU_KIND_DEFAULT (BPMU_KIND_LOAD | BPMU_KIND_STORE | \
			   BPMU_KIND_LOADS | BPMU_KIND_STORES | \
			   BPMU_KIND_GROUPS)

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
 * @kind: one of &enum bpmu_kind
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
	double ticks;
	struct bpmu_interval95 cycles;
	double saved;
	bool resolved;
	const char *skipped;
};

/**
 * struct bpmu_plan - all variants of a loop
 * @function: its name
 * @loop_id: number of the loop
 * @code: of the function
 * @loop: the loop
 * @candidates: of the loop
 * @kinds: set of &enum bpmu_kind
 * @threads: of the program; with more than one each variant runs on one and on all
 * @variant: the original first
 * @nr: their number
 */
struct bpmu_plan {
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

int bpmu_kinds_parse(const char *text, unsigned int *kinds,
		     struct bpmu_error *err);
const char *bpmu_kind_name(unsigned int kind);
int bpmu_plan_make(struct bpmu_plan *plan, struct bpmu_error *err);
void bpmu_plan_free(struct bpmu_plan *plan);
const struct bpmu_variant *bpmu_plan_find(const struct bpmu_plan *plan,
					  unsigned int kind);

struct bpmu_interval95 bpmu_median(double *sample, unsigned int nr);
void bpmu_plan_judge(struct bpmu_plan *plan, struct bpmu_interval95 empty);

#endif /* BPMU_DECAN_PLAN_H */
