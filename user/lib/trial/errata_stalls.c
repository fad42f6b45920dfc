// SPDX-License-Identifier: GPL-2.0
/*
 * A load that misses the L2 has missed the L1: stalls behind the L2 are a part
 * of those behind the L1, with the L1's prefetchers on and off.
 */
#include "errata_check.h"
#include "intel.h"

#define ROUNDS 4000

static bool count_stalls(struct bpmu_errata_check *check)
{
	static const char *const l1[] = {
		"CYCLE_ACTIVITY.STALLS_L1D_PENDING",
		"CYCLE_ACTIVITY.STALLS_L1D_MISS", NULL
	};
	static const char *const l2[] = {
		"CYCLE_ACTIVITY.STALLS_L2_PENDING",
		"CYCLE_ACTIVITY.STALLS_L2_MISS", NULL
	};

	return bpmu_errata_count(check, l1) && bpmu_errata_count(check, l2);
}

/* more behind the L1 is as it should be: only less is a difference */
static void errata_stalls_note(struct bpmu_deviation *deviation, const u64 *stalls)
{
	double l1 = stalls[0], l2 = stalls[1];

	bpmu_deviation_add(deviation, l1 < l2 ? l1 - l2 : 0, l2);
}

static int errata_stalls_run_trials(struct bpmu_errata_check *check,
				    enum bpmu_erratum_sign what, const u32 *prefetch,
				    struct bpmu_error *err)
{
	struct bpmu_trial_counts counts;
	struct bpmu_errata_test *test;
	unsigned int i;
	int code;

	check->trial.config.prefetch = prefetch;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	test = bpmu_errata_add(check, what, 0, "stall behind the L2");
	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_part(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_chase, ROUNDS,
				      false, &counts, err);
		if (!code)
			errata_stalls_note(&test->deviation, counts.own);
	}
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_stalls() - are stalls behind the L2 a part of those behind the L1
 * @check: the call
 * @err: filled on an error
 *
 * Runs on the trial's CPU.
 * Return: 0 or a negative errno.
 */
int bpmu_errata_stalls(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	static const u32 on, off = BPMU_PREFETCH_L1;
	bool can = check->trial.info->prefetch & BPMU_PREFETCH_L1;
	int code;

	bpmu_trial_clear(&check->trial);
	if (!count_stalls(check)) {
		bpmu_errata_skip(check,
				 "prefetchers: this CPU model cannot count stalls behind L1 and L2 at once");
		return 0;
	}
	code = errata_stalls_run_trials(check, BPMU_SIGN_L1_BELOW_L2, can ? &on : NULL, err);
	if (code || !can)
		return code;
	return errata_stalls_run_trials(check, BPMU_SIGN_L1_BELOW_L2_OFF, &off, err);
}
