/* SPDX-License-Identifier: GPL-2.0 */
/* The variants of a loop, each with some instructions removed or replaced, and their results. */
#ifndef BPMU_DECAN_VARIANTS_H
#define BPMU_DECAN_VARIANTS_H

#include "brackets.h"
#include "candidates.h"
#include "run.h"

#define BPMU_VARIANT_NAME 160

/**
 * enum bpmu_variant_kind - what a variant of the loop changes; values can be combined in a mask
 * @BPMU_VARIANT_LOAD: a single load is removed
 * @BPMU_VARIANT_STORE: a single store is removed
 * @BPMU_VARIANT_LOADS: all loads are removed
 * @BPMU_VARIANT_STORES: all stores are removed
 * @BPMU_VARIANT_GROUPS: the loads of one group are removed, such as all loads of one array
 * @BPMU_VARIANT_DIVIDES: one division or square root is removed, or all are
 * @BPMU_VARIANT_BRANCHES: a single conditional branch is always taken, or never
 * @BPMU_VARIANT_L1: a single load reads a fixed stack slot, which stays in the L1 cache
 * @BPMU_VARIANT_MOVE: a single load becomes a move between registers
 * @BPMU_VARIANT_FP: floating-point operations are removed
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

/* default of the option --kind: the kinds in the DECAN paper, and BPMU_VARIANT_GROUPS */
#define BPMU_VARIANT_DEFAULT (BPMU_VARIANT_LOAD | BPMU_VARIANT_STORE | \
			   BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES | \
			   BPMU_VARIANT_GROUPS)

/**
 * struct bpmu_interval95 - a median with its 95 % confidence interval
 * @value: median
 * @low: lower bound
 * @high: upper bound
 */
struct bpmu_interval95 {
	double value;
	double low;
	double high;
};

/**
 * struct bpmu_variant - a variant of the loop, and the results of its runs
 * @name: "FUNCTION_loopID_OPT"
 * @kind: one of &enum bpmu_variant_kind
 * @candidate: the only instruction that the variant changes, or NULL
 * @group: number of the group of loads that the variant removes, or BPMU_LOOP_NONE
 * @edit: the changed instructions, and the code that replaces them, [@nr]
 * @patch: buffers for such code in @edit that is not &bpmu_candidate.patch
 * @nr: number of changed instructions
 * @threads: number of threads that run the loop in parallel
 * @status: why the variant's runs ended, as text
 * @ok: the runs of the variant left the loop by an exit
 * @iterations: number of iterations that the loop has
 * @sample: core cycles or TSC ticks of the loop in each measurement, [@samples]
 * @samples: number of measurements
 * @shares: fraction of the time for which the threads that were not measured ran on a CPU,
 *	[@samples]
 * @on_cpu: median of @shares, NAN if unknown or if there is only one thread
 * @ticks: TSC ticks of the last run in which events other than cycles were counted
 * @cycles: core cycles or TSC ticks of the loop: median of @sample, without the time of the code
 *	around the loop
 * @saved: @cycles of the original loop minus @cycles of the variant
 * @resolved: the 95 % intervals of the variant's and the original's @cycles do not overlap
 * @skipped: reason why the variant was not run, or NULL
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
 * struct bpmu_variants - the variants of a loop, and the parameters for making them
 * @function: name of the function
 * @loop_id: number of the loop
 * @code: code of the function
 * @loop: the loop
 * @candidates: instructions of the loop that variants may remove
 * @kinds: which kinds of variants to make, a mask of &enum bpmu_variant_kind
 * @threads: number of threads that run the loop; if there are several, each variant is made twice:
 *	for one thread, and for all
 * @variant: variants, the original first, [@nr]
 * @nr: number of variants
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
