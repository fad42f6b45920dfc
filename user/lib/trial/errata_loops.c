// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions, branches, loads and stores of loops: short ones that mostly see
 * no interrupt, and long ones that see some.
 */
#include "base/clock.h"
#include "errata_check.h"

/* of the short loops */
#define ROUNDS 250
/* interrupts that a long one is to see: all but two come to the loop itself */
#define INTERRUPTS 3
/* thirty ticks of the slowest kernel: without an interrupt none will come */
#define LONG_NS (300 * BPMU_NS_PER_MS)

/**
 * struct loop_trial - what trials of a loop do
 * @bench: the loop
 * @rounds: how often it goes round
 * @expected: each time, of each slot
 * @interrupts: deviations are divided by the interrupts
 */
struct loop_trial {
	const struct bpmu_bench *bench;
	u64 rounds;
	const unsigned int *expected;
	bool interrupts;
};

static void errata_loops_note(struct bpmu_errata_test *test, unsigned int nr,
			      const struct loop_trial *loop, const struct bpmu_trial_counts *with,
			      const struct bpmu_trial_counts *without)
{
	double expected;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		expected = (double)loop->rounds * loop->expected[i];
		bpmu_deviation_add(&test[i].deviation,
				   (double)with->own[i] -
				   (double)without->own[i] - expected,
				   loop->interrupts ? with->interrupts :
						      expected);
	}
}

static int errata_loops_run_trials(struct bpmu_errata_check *check,
				   struct bpmu_errata_test *test, const struct loop_trial *loop,
				   struct bpmu_error *err)
{
	struct bpmu_trial *trial = &check->trial;
	struct bpmu_trial_counts with, without;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_part(&check->progress, 0);
		code = bpmu_trial_run(trial, loop->bench, 0, true, &without,
				      err);
		if (!code)
			code = bpmu_trial_run(trial, loop->bench, loop->rounds,
					      !loop->interrupts, &with, err);
		if (!code)
			errata_loops_note(test, trial->group.sched.nr, loop, &with,
					  &without);
	}
	return code;
}

/* rounds that see interrupts each time, or 0 if none comes here */
static int find_rounds(struct bpmu_errata_check *check,
		       const struct bpmu_bench *bench, u64 *rounds,
		       struct bpmu_error *err)
{
	struct bpmu_trial_counts counts;
	u64 begin, around;
	int code;

	code = bpmu_trial_run(&check->trial, bench, 0, true, &counts, err);
	around = counts.interrupts;
	for (*rounds = ROUNDS; !code; *rounds *= 2) {
		begin = bpmu_clock_ns(CLOCK_MONOTONIC);
		code = bpmu_trial_run(&check->trial, bench, *rounds, false,
				      &counts, err);
		if (!code && counts.interrupts >= around + INTERRUPTS)
			return 0;
		if (!code && bpmu_clock_ns(CLOCK_MONOTONIC) - begin > LONG_NS)
			break;
	}
	*rounds = 0;
	return code;
}

static int interrupts(struct bpmu_errata_check *check, struct loop_trial *loop,
		      struct bpmu_error *err)
{
	int code;

	loop->interrupts = true;
	code = find_rounds(check, loop->bench, &loop->rounds, err);
	if (code)
		return code;
	if (!loop->rounds) {
		bpmu_errata_skip(check,
				 "interrupts: none comes to this CPU while it is busy");
		return 0;
	}
	return errata_loops_run_trials(check,
				       bpmu_errata_add_all(check, BPMU_SIGN_INTERRUPT,
							   "interrupt"),
				       loop, err);
}

static int errata_loops_instructions(struct bpmu_errata_check *check,
				     struct bpmu_error *err)
{
	unsigned int expected[BPMU_MAX_COUNTERS];
	struct loop_trial loop = {
		.bench = &bpmu_bench_alu,
		.rounds = ROUNDS,
		.expected = expected,
	};
	unsigned int i;
	int code;

	bpmu_trial_clear(&check->trial);
	bpmu_errata_count_instructions(check);
	for (i = 0; i < BPMU_MAX_COUNTERS; i++)
		expected[i] = loop.bench->instructions;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	code = errata_loops_run_trials(check,
				       bpmu_errata_add_all(check, BPMU_SIGN_COUNT, "count"),
				       &loop, err);
	if (!code)
		code = interrupts(check, &loop, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/* what of the copying loop this part can count exactly */
static void count_memory_and_branches(struct bpmu_errata_check *check, unsigned int *expected)
{
	static const char *const branches[] = { "branches", NULL };
	static const char *const loads[] = {
		"MEM_UOPS_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_LOADS", NULL
	};
	static const char *const stores[] = {
		"MEM_UOPS_RETIRED.ALL_STORES", "MEM_INST_RETIRED.ALL_STORES",
		NULL
	};

	if (bpmu_errata_count(check, branches))
		*expected++ = bpmu_bench_copy.branches;
	if (bpmu_errata_count(check, loads))
		*expected++ = bpmu_bench_copy.loads;
	if (bpmu_errata_count(check, stores))
		*expected++ = bpmu_bench_copy.stores;
}

static int errata_loops_copy(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	unsigned int expected[BPMU_MAX_COUNTERS];
	const struct loop_trial loop = {
		.bench = &bpmu_bench_copy,
		.rounds = ROUNDS,
		.expected = expected,
	};
	int code;

	bpmu_trial_clear(&check->trial);
	count_memory_and_branches(check, expected);
	if (!check->trial.group.sched.nr)
		return 0;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	code = errata_loops_run_trials(check,
				       bpmu_errata_add_all(check, BPMU_SIGN_COUNT, "count"),
				       &loop, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_loops() - are loops counted as they are, interrupted or not
 * @check: the call
 * @err: filled on an error
 *
 * Runs on the trial's CPU.
 * Return: 0 or a negative errno.
 */
int bpmu_errata_loops(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	int code = errata_loops_instructions(check, err);

	return code ? code : errata_loops_copy(check, err);
}
