// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that wrap during a loop: they lose nothing, say so, and stop saying
 * so when told to.
 */
#include "errata_check.h"

/**
 * struct wrap_tests - the tests of all counters
 * @lost: counts at a wrap
 * @unset: overflow bits after a wrap
 * @stuck: overflow bits after they were cleared; with @unset NULL if the part
 *	has no such bits
 * @rounds: of the loop
 */
struct wrap_tests {
	struct bpmu_errata_test *lost;
	struct bpmu_errata_test *unset;
	struct bpmu_errata_test *stuck;
	u64 rounds;
};

/* what is counted around an empty loop: the counters must not wrap there */
static int measure_around(struct bpmu_errata_check *check, u64 *most,
			  struct bpmu_error *err)
{
	struct bpmu_trial_counts counts;
	unsigned int i;
	int code;

	code = bpmu_trial_begin(&check->trial, err);
	if (!code)
		code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, 0, true,
				      &counts, err);
	if (!code)
		code = bpmu_trial_end(&check->trial, err);
	*most = 0;
	for (i = 0; !code && i < check->trial.group.sched.nr; i++)
		if (counts.own[i] > *most)
			*most = counts.own[i];
	return code;
}

static int overflow_bits(struct bpmu_errata_check *check, u64 *bits,
			 struct bpmu_error *err)
{
	struct bpmu_info info;
	int code;

	code = bpmu_client_info_of(check->trial.client, check->trial.cpu,
				   &info, err);
	*bits = info.status;
	return code;
}

static int wrap_once(struct bpmu_errata_check *check,
		     const struct wrap_tests *tests,
		     struct bpmu_trial_counts counts[2], u64 *set, u64 *left,
		     struct bpmu_error *err)
{
	int code;

	code = bpmu_trial_begin(&check->trial, err);
	if (!code)
		code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, 0, true,
				      &counts[0], err);
	if (!code)
		code = bpmu_trial_run(&check->trial, &bpmu_bench_alu,
				      tests->rounds, true, &counts[1], err);
	if (!code)
		code = overflow_bits(check, set, err);
	if (!code)
		code = bpmu_trial_end(&check->trial, err);
	if (!code)
		code = overflow_bits(check, left, err);
	return code;
}

static void errata_wraps_note(const struct bpmu_sched *sched, struct wrap_tests *tests,
			      const struct bpmu_trial_counts counts[2], u64 set, u64 left)
{
	double expected = tests->rounds * bpmu_bench_alu.instructions;
	unsigned int i;
	u64 bit;

	for (i = 0; i < sched->nr; i++) {
		bit = BPMU_BIT(sched->slot[i].counter);
		bpmu_deviation_add(&tests->lost[i].deviation,
				   (double)counts[1].own[i] -
				   (double)counts[0].own[i] - expected, 1);
		if (!tests->stuck)
			continue;
		bpmu_deviation_add(&tests->unset[i].deviation,
				   set & bit ? 0 : -1, 1);
		bpmu_deviation_add(&tests->stuck[i].deviation,
				   left & bit ? 1 : 0, 1);
	}
}

static void add_tests(struct bpmu_errata_check *check, struct wrap_tests *tests)
{
	const struct bpmu_info *info = check->trial.info;

	tests->lost = bpmu_errata_add_all(check, BPMU_SIGN_WRAP, "wrap");
	if (!info->pmu.global || !info->nr_selects) {
		bpmu_errata_skip(check,
				 "overflow bits: none on this CPU model, or hidden by the module");
		return;
	}
	tests->unset = bpmu_errata_add_all(check, BPMU_SIGN_NO_OVERFLOW,
					    "wrap");
	tests->stuck = bpmu_errata_add_all(check, BPMU_SIGN_OVERFLOW, "wrap");
}

/**
 * bpmu_errata_wraps() - does a counter wrap as it should
 * @check: the call
 * @err: filled on an error
 *
 * Runs on the trial's CPU.
 * Return: 0 or a negative errno.
 */
int bpmu_errata_wraps(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_trial_counts counts[2];
	struct wrap_tests tests = { };
	u64 around, set, left;
	unsigned int i;
	int code;

	bpmu_trial_clear(&check->trial);
	bpmu_errata_count_instructions(check);
	add_tests(check, &tests);
	code = measure_around(check, &around, err);
	if (code)
		return code;
	check->trial.config.top = 2 * around + 500;
	tests.rounds = 2 * check->trial.config.top /
			bpmu_bench_alu.instructions;
	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_part(&check->progress, 0);
		code = wrap_once(check, &tests, counts, &set, &left, err);
		if (!code)
			errata_wraps_note(&check->trial.group.sched, &tests, counts, set,
					  left);
	}
	return code;
}
