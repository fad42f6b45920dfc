// SPDX-License-Identifier: GPL-2.0
/*
 * Tests if errata make this machine count wrongly. The tests count loops whose correct counts are
 * known. They check that loops are counted correctly with and without interrupts, that counters
 * lose no counts when they wrap, that there are at least as many L1 miss stalls as L2 miss stalls,
 * that a logical CPU does not count events of its sibling, and that overflows interrupt as they
 * should.
 */
#include "errata_check.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/cpulist.h"
#include "errata_overflow.h"
#include "event/event_name.h"
#include "event/topology.h"
#include "intel.h"

/*
 * Appends a test of the trial's event with index @slot. @per is shown to the user after the mean
 * deviation: a deviation "per interrupt" is relative to the number of interrupts. Returns the test.
 */
static struct bpmu_errata_test *add_test(struct bpmu_errata_check *check,
					 enum bpmu_erratum_symptom what,
					 unsigned int slot, const char *per)
{
	const struct bpmu_sched_slot *of = &check->trial.group.sched.slot[slot];
	struct bpmu_errata_test *test = &check->test[check->nr++];

	*test = (struct bpmu_errata_test){
		.what = what,
		.event = of->text,
		.counter = of->counter,
		.per = per,
	};
	return test;
}

/*
 * Appends a test of each event of the trial, in the order of the trial's events. Returns the test
 * of the first event; the tests of the other events follow this test in memory.
 */
static struct bpmu_errata_test *add_test_of_all(struct bpmu_errata_check *check,
						enum bpmu_erratum_symptom what,
						const char *per)
{
	struct bpmu_errata_test *first = &check->test[check->nr];
	unsigned int i;

	for (i = 0; i < check->trial.group.sched.nr; i++)
		add_test(check, what, i, per);
	return first;
}

/*
 * Notes that a test is skipped. @why is "<test>: <reason>": a string constant, or a text in
 * @check->refused.
 */
static void skip(struct bpmu_errata_check *check, const char *why)
{
	if (check->nr_skips < BPMU_ERRATA_SKIPS)
		check->skip[check->nr_skips++] = why;
}

/**
 * bpmu_errata_event() - find this CPU model's event for an errata check, to count it in user space
 * @check: state of the tests
 * @names: names of the event on different CPU models, then NULL; the first name that this CPU model
 *	knows is taken
 * @select: set to the event select that counts the event in user space only
 * @counters: set to the mask of the counters that can count the event
 * @name: set to the name of the event on this CPU model, a constant
 *
 * Return: true if this CPU model has the event; otherwise nothing is set.
 */
bool bpmu_errata_event(const struct bpmu_errata_check *check,
		       const char *const *names, u64 *select, u64 *counters,
		       const char **name)
{
	const struct bpmu_pmu *pmu = &check->trial.info->pmu;
	const struct bpmu_event *row = NULL;
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	char text[128];

	for (; *names && !row; names++)
		row = bpmu_event_row(pmu->part, *names);
	if (!row)
		return false;
	snprintf(text, sizeof(text), "%s:u", row->name);
	if (bpmu_event_parse(pmu, check->smt, text, &spec, &ignored))
		return false;
	*select = spec.term[0].select;
	*counters = spec.term[0].counters;
	*name = row->name;
	bpmu_event_free(&spec);
	return true;
}

static u64 used(const struct bpmu_sched *sched)
{
	u64 set = 0;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		set |= BPMU_BIT(sched->slot[i].counter);
	return set;
}

/**
 * bpmu_errata_count() - let an errata check count an event, on a free counter
 * @check: state of the tests
 * @names: names of the event on different CPU models, then NULL
 *
 * Return: true if the event was added; false if this CPU model lacks the event, or if none of the
 * counters that can count it is free.
 */
bool bpmu_errata_count(struct bpmu_errata_check *check,
		       const char *const *names)
{
	struct bpmu_trial *trial = &check->trial;
	u64 select, counters;
	const char *name;
	u32 counter;

	if (trial->group.sched.nr == BPMU_MAX_COUNTERS ||
	    !bpmu_errata_event(check, names, &select, &counters, &name))
		return false;
	counters &= ~used(&trial->group.sched);
	if (!counters)
		return false;
	counter = __builtin_ctzll(counters);
	bpmu_trial_count(trial, name, select, counter, counter);
	return true;
}

/**
 * bpmu_errata_count_instructions() - let an errata check count instructions on all counters
 * @check: state of the tests; instructions are added to its trial on each counter that can count
 *	them and is free
 */
void bpmu_errata_count_instructions(struct bpmu_errata_check *check)
{
	static const char *const fixed[] = { "instructions", NULL };
	static const char *const general[] = {
		"INST_RETIRED.ANY_P", "instructions", NULL
	};

	while (bpmu_errata_count(check, general))
		;
	while (bpmu_errata_count(check, fixed))
		;
}

/*
 * Tests that compare the counts of instructions, branches, loads and stores in a loop with the
 * known counts. Short loops mostly run without an interrupt; long loops run until there are some
 * interrupts.
 */

/* Number of iterations of the short loops */
#define LOOP_ROUNDS 250
/*
 * A long loop runs until it has at least this many interrupts more than a run with a single
 * iteration of the loop.
 */
#define INTERRUPTS 3
/*
 * Duration of thirty timer ticks at the lowest tick rate of the kernel, 100 Hz. If a loop of this
 * duration is not interrupted, the CPU takes no timer ticks.
 */
#define LONG_NS (300 * BPMU_NS_PER_MS)

/**
 * struct loop_trial - parameters of the trials of one loop
 * @bench: the loop
 * @rounds: number of iterations of the loop
 * @expected: correct counts of one iteration, [number of events of the trial]
 * @interrupts: true if the deviation of a count from the correct count is shown relative to the
 *	number of interrupts, false if it is shown relative to the correct count
 */
struct loop_trial {
	const struct bpmu_bench *bench;
	u64 rounds;
	const unsigned int *expected;
	bool interrupts;
};

static void loops_note(struct bpmu_errata_test *test, unsigned int nr,
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

static int loops_run_trials(struct bpmu_errata_check *check,
			    struct bpmu_errata_test *test, const struct loop_trial *loop,
			    struct bpmu_error *err)
{
	struct bpmu_trial *trial = &check->trial;
	struct bpmu_trial_counts with, without;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = bpmu_trial_run(trial, loop->bench, 0, true, &without,
				      err);
		if (!code)
			code = bpmu_trial_run(trial, loop->bench, loop->rounds,
					      !loop->interrupts, &with, err);
		if (!code)
			loops_note(test, trial->group.sched.nr, loop, &with,
				   &without);
	}
	return code;
}

/*
 * Doubles the number of iterations of the loop until the loop is interrupted a few times, and sets
 * @rounds to this number. Sets @rounds to 0 if the CPU takes no interrupts while it executes the
 * loop.
 */
static int find_rounds(struct bpmu_errata_check *check,
		       const struct bpmu_bench *bench, u64 *rounds,
		       struct bpmu_error *err)
{
	struct bpmu_trial_counts counts;
	u64 begin, around;
	int code;

	code = bpmu_trial_run(&check->trial, bench, 0, true, &counts, err);
	around = counts.interrupts;
	for (*rounds = LOOP_ROUNDS; !code; *rounds *= 2) {
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

static int loops_interrupted(struct bpmu_errata_check *check, struct loop_trial *loop,
			     struct bpmu_error *err)
{
	int code;

	loop->interrupts = true;
	code = find_rounds(check, loop->bench, &loop->rounds, err);
	if (code)
		return code;
	if (!loop->rounds) {
		skip(check,
		     "interrupts: none comes to this CPU while it is busy");
		return 0;
	}
	return loops_run_trials(check,
				add_test_of_all(check, BPMU_SYMPTOM_INTERRUPT,
						"interrupt"),
				loop, err);
}

static int loops_instructions(struct bpmu_errata_check *check,
			      struct bpmu_error *err)
{
	unsigned int expected[BPMU_MAX_COUNTERS];
	struct loop_trial loop = {
		.bench = &bpmu_bench_alu,
		.rounds = LOOP_ROUNDS,
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
	code = loops_run_trials(check,
				add_test_of_all(check, BPMU_SYMPTOM_COUNT, "count"),
				&loop, err);
	if (!code)
		code = loops_interrupted(check, &loop, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/*
 * Adds the events branches, loads and stores to the trial, as far as this CPU model has them. Sets
 * @expected to the correct counts of the added events in one iteration of the loop bpmu_bench_copy.
 */
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

static int loops_copy(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	unsigned int expected[BPMU_MAX_COUNTERS];
	const struct loop_trial loop = {
		.bench = &bpmu_bench_copy,
		.rounds = LOOP_ROUNDS,
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
	code = loops_run_trials(check,
				add_test_of_all(check, BPMU_SYMPTOM_COUNT, "count"),
				&loop, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/*
 * Tests if branches after atomic instructions are counted exactly. The event is AMD's count of
 * conditional branches; each iteration of the loop has two conditional branches.
 */
static int loops_atomic(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	static const char *const branches[] = {
		"RETIRED_CONDITIONAL_BRANCH_INSTRUCTIONS", NULL
	};
	const struct loop_trial loop = {
		.bench = &bpmu_bench_atomic,
		.rounds = LOOP_ROUNDS,
		.expected = &bpmu_bench_atomic.branches,
	};
	int code;

	bpmu_trial_clear(&check->trial);
	if (!bpmu_errata_count(check, branches))
		return 0;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	code = loops_run_trials(check,
				add_test_of_all(check, BPMU_SYMPTOM_ATOMIC, "count"),
				&loop, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/* Runs all tests that compare the counts of a loop with the known counts. */
static int check_loops(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	int code = loops_instructions(check, err);

	if (!code)
		code = loops_copy(check, err);
	return code ? code : loops_atomic(check, err);
}

/*
 * Tests of counters that wrap during a loop. When a counter wraps, it must lose no count, and its
 * overflow bit must become 1. After the overflow bit was cleared, it must be 0.
 */

/**
 * struct wrap_tests - tests of counters that wrap during a loop; each array has a test per counter
 * @lost: array of tests whether a counter loses counts when it wraps
 * @unset: array of tests whether a counter wraps without setting its overflow bit; NULL if the CPU
 *	model has no overflow bits
 * @stuck: array of tests whether an overflow bit is still set after it was cleared; NULL if the CPU
 *	model has no overflow bits
 * @rounds: number of iterations of the loop
 */
struct wrap_tests {
	struct bpmu_errata_test *lost;
	struct bpmu_errata_test *unset;
	struct bpmu_errata_test *stuck;
	u64 rounds;
};

/*
 * Sets @most to the largest count of a run with a single iteration of the loop: mostly counts of
 * the code before and after the loop. A counter that has to wrap within a loop of many iterations
 * must start more than @most counts before the wrap.
 */
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

static void wraps_note(const struct bpmu_sched *sched, struct wrap_tests *tests,
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

	tests->lost = add_test_of_all(check, BPMU_SYMPTOM_WRAP, "wrap");
	if (!info->pmu.global || !info->nr_selects) {
		skip(check,
		     "overflow bits: none on this CPU model, or hidden by the module");
		return;
	}
	tests->unset = add_test_of_all(check, BPMU_SYMPTOM_NO_OVERFLOW,
				       "wrap");
	tests->stuck = add_test_of_all(check, BPMU_SYMPTOM_OVERFLOW, "wrap");
}

/**
 * bpmu_errata_wraps() - check for errata of counters that wrap
 * @check: state of the tests; the tests and their results are appended
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the tests find errata or not, or a negative errno.
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
		bpmu_progress_fraction(&check->progress, 0);
		code = wrap_once(check, &tests, counts, &set, &left, err);
		if (!code)
			wraps_note(&check->trial.group.sched, &tests, counts, set,
				   left);
	}
	return code;
}

/*
 * Tests of stalls. A load that misses the L2 has also missed the L1, so the count of L1 miss stalls
 * must not be below the count of L2 miss stalls, whether the L1's prefetchers are on or off.
 */

#define STALL_ROUNDS 4000

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

/*
 * Adds a trial to the statistics. If there are fewer L1 miss stalls (@stalls[0]) than L2 miss
 * stalls (@stalls[1]), the deviation is the difference, a negative number. Otherwise it is 0.
 */
static void stalls_note(struct bpmu_deviation *deviation, const u64 *stalls)
{
	double l1 = stalls[0], l2 = stalls[1];

	bpmu_deviation_add(deviation, l1 < l2 ? l1 - l2 : 0, l2);
}

static int stalls_run_trials(struct bpmu_errata_check *check,
			     enum bpmu_erratum_symptom what, const u32 *prefetch,
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
	test = add_test(check, what, 0, "L2 miss stall");
	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_chase, STALL_ROUNDS,
				      false, &counts, err);
		if (!code)
			stalls_note(&test->deviation, counts.own);
	}
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_stalls() - check for errata that make L1 miss stalls fewer than L2 miss stalls
 * @check: state of the tests. The tests and their results are appended, or the reason why these
 *	tests are skipped
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the tests find errata or not, or a negative errno.
 */
int bpmu_errata_stalls(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	static const u32 on, off = BPMU_PREFETCH_L1;
	bool can = check->trial.info->prefetch & BPMU_PREFETCH_L1;
	int code;

	bpmu_trial_clear(&check->trial);
	if (!count_stalls(check)) {
		skip(check,
		     "prefetchers: this CPU model cannot count L1 and L2 miss stalls at the same time");
		return 0;
	}
	code = stalls_run_trials(check, BPMU_SYMPTOM_L1_BELOW_L2, can ? &on : NULL, err);
	if (code || !can)
		return code;
	return stalls_run_trials(check, BPMU_SYMPTOM_L1_BELOW_L2_OFF, &off, err);
}

/*
 * Tests for leaks between the two threads of a core. One thread executes loads and counts them. Its
 * sibling executes no loads, and counts another event on the counter with the same number. If this
 * other count is not 0, the loads of the first thread have leaked to the sibling.
 */

#define SIBLING_ROUNDS 2000

static int find_sibling(u32 cpu, int *sibling, struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	unsigned int i;
	int code;

	*sibling = -1;
	code = bpmu_cpulist_online(&online, err);
	if (code)
		return code;
	for (i = 0; i < online.nr && *sibling < 0; i++)
		if (online.cpu[i] != cpu &&
		    bpmu_topology_siblings(cpu, online.cpu[i]))
			*sibling = online.cpu[i];
	bpmu_cpulist_free(&online);
	return 0;
}

static void child(u32 cpu, pid_t parent)
{
	struct bpmu_error ignored;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || bpmu_trial_pin(cpu, &ignored))
		_exit(1);
	bpmu_bench_rest();
}

static pid_t keep_busy(u32 cpu, struct bpmu_error *err)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (!pid)
		child(cpu, parent);
	if (pid < 0)
		return bpmu_error_set(err, -errno,
			"errata: cannot start a process: %s; try again later",
			strerror(errno));
	return pid;
}

static void siblings_note(struct bpmu_deviation *deviation,
			  const struct bpmu_trial_counts *with,
			  const struct bpmu_trial_counts *without)
{
	bpmu_deviation_add(deviation,
			   (double)with->other[1] - (double)without->other[1],
			   (double)with->own[0] - (double)without->own[0]);
}

static int siblings_run_trials(struct bpmu_errata_check *check,
			       struct bpmu_errata_test *test, struct bpmu_error *err)
{
	struct bpmu_trial_counts with, without;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_copy, 0,
				      false, &without, err);
		if (!code)
			code = bpmu_trial_run(&check->trial, &bpmu_bench_copy,
					      SIBLING_ROUNDS, false, &with, err);
		if (!code)
			siblings_note(&test->deviation, &with, &without);
	}
	return code;
}

/*
 * Lets each thread of the core count two events: loads, and LLC misses. Thread A counts loads on
 * counter 0 and LLC misses on counter 1; thread B counts LLC misses on counter 0 and loads on
 * counter 1. If thread B accesses no memory, its count of LLC misses must be 0. Returns false if
 * the CPU model cannot count like this.
 */
static bool count_crossed(struct bpmu_errata_check *check)
{
	static const char *const loads[] = {
		"MEM_UOPS_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_LOADS", NULL
	};
	static const char *const misses[] = { "LONGEST_LAT_CACHE.MISS", NULL };
	u64 load_select, miss_select, load_counters, miss_counters;
	const char *load, *miss;

	if (!bpmu_errata_event(check, loads, &load_select, &load_counters,
			       &load) ||
	    !bpmu_errata_event(check, misses, &miss_select, &miss_counters,
			       &miss) ||
	    (load_counters & miss_counters & 3) != 3)
		return false;
	bpmu_trial_count(&check->trial, load, load_select, 0, 1);
	bpmu_trial_count(&check->trial, miss, miss_select, 1, 0);
	return true;
}

static int cross(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_errata_test *test;
	pid_t busy;
	int code;

	check->trial.config.check = BPMU_CHECK_LEAK;
	code = bpmu_trial_begin(&check->trial, err);
	if (code)
		return code;
	test = add_test(check, BPMU_SYMPTOM_LEAK, 0, "load");
	busy = keep_busy(check->trial.sibling, err);
	if (busy < 0)
		return busy;
	code = siblings_run_trials(check, test, err);
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_siblings() - check for errata by which counts of one thread leak to the other
 * @check: state of the tests. The test and its result are appended, or the reason why this test is
 *	skipped
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the test finds errata or not, or a negative errno.
 */
int bpmu_errata_siblings(struct bpmu_errata_check *check,
			 struct bpmu_error *err)
{
	int sibling = -1;
	int code = 0;

	bpmu_trial_clear(&check->trial);
	if (check->smt)
		code = find_sibling(check->trial.cpu, &sibling, err);
	if (code)
		return code;
	if (sibling < 0) {
		skip(check,
		     "siblings: no other thread of this core is online");
		return 0;
	}
	if (!count_crossed(check)) {
		skip(check,
		     "siblings: no event of this CPU model is known to leak");
		return 0;
	}
	check->trial.sibling = sibling;
	return cross(check, err);
}

/*
 * Tests of overflow interrupts. Each counter that can count instructions interrupts in a loop of
 * some periods. The periods in the records of these interrupts tell if an overflow has not
 * interrupted, or late; the count tells if the counter has lost counts.
 */

/*
 * If @code says that the module has refused a session whose counters interrupt, notes that the
 * tests @what are skipped, and why. Returns true in this case.
 */
static bool skips_refused(struct bpmu_errata_check *check, int code, const char *what,
			  const struct bpmu_error *err)
{
	char *text = check->refused[check->nr_skips];

	if (!bpmu_overflow_refused(code))
		return false;
	if (check->nr_skips == BPMU_ERRATA_SKIPS)
		return true;
	snprintf(text, sizeof(*check->refused), "%s: %s", what, err->text);
	skip(check, text);
	return true;
}

/**
 * struct overflow_tests - tests of the overflow interrupts of one counter
 * @missing: test whether the counter overflows without an interrupt
 * @late: test whether interrupts come later than the usual skid
 * @lost: test whether the counter loses counts at overflows
 */
struct overflow_tests {
	struct bpmu_errata_test *missing;
	struct bpmu_errata_test *late;
	struct bpmu_errata_test *lost;
};

static void overflows_note(const struct bpmu_trial *trial, const struct overflow_tests *tests,
			   const struct bpmu_trial_counts *with,
			   const struct bpmu_trial_counts *without, u64 rounds)
{
	double difference = (double)with->own[0] - (double)without->own[0] -
			    (double)rounds * bpmu_bench_alu.instructions;
	struct bpmu_overflow_verdict verdict;
	bool late;

	bpmu_overflow_judge(trial, with, 0, &verdict);
	late = verdict.skid > bpmu_overflow_skid(trial->info->pmu.part);
	bpmu_deviation_add(&tests->missing->deviation, -(double)verdict.missing, 1);
	bpmu_deviation_add(&tests->late->deviation, late ? verdict.skid : 0, 1);
	/* Counts of interrupts, which some CPUs have, are another test's. */
	bpmu_deviation_add(&tests->lost->deviation, difference < 0 ? difference : 0, verdict.nr);
}

static int overflows_run_trials(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	u64 rounds = bpmu_overflow_rounds(check->trial.info->pmu.part);
	const struct overflow_tests tests = {
		.missing = add_test(check, BPMU_SYMPTOM_NO_INTERRUPT, 0, "loop"),
		.late = add_test(check, BPMU_SYMPTOM_LATE, 0, "interrupt"),
		.lost = add_test(check, BPMU_SYMPTOM_OVERFLOW_LOSS, 0, "interrupt"),
	};
	struct bpmu_trial_counts with, without;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, 0, true, &without, err);
		if (!code)
			code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, rounds, false, &with,
					      err);
		if (!code)
			overflows_note(&check->trial, &tests, &with, &without, rounds);
	}
	return code;
}

/* Lets the last event that was added to the trial interrupt each @period events. */
static struct bpmu_sched_slot *interrupt_each(struct bpmu_trial *trial, u32 period)
{
	struct bpmu_sched_slot *slot = &trial->group.sched.slot[trial->group.sched.nr - 1];

	slot->period = period;
	return slot;
}

/**
 * bpmu_errata_overflows() - check for errata of overflow interrupts: lost, late, losing counts
 * @check: state of the tests. The tests and their results are appended, or the reason why they are
 *	skipped
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the tests find errata or not, or a negative errno.
 */
int bpmu_errata_overflows(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_sched sched;
	unsigned int i;
	int code = 0;

	bpmu_trial_clear(&check->trial);
	bpmu_errata_count_instructions(check);
	sched = check->trial.group.sched;
	for (i = 0; i < sched.nr && !code; i++) {
		code = bpmu_overflow_begin(&check->trial, &sched.slot[i], err);
		if (skips_refused(check, code, "overflow interrupts", err))
			return 0;
		if (!code)
			code = overflows_run_trials(check, err);
		if (!code)
			code = bpmu_trial_end(&check->trial, err);
	}
	return code;
}

/*
 * Test of counters that an interrupt stops (bit 12 of IA32_DEBUGCTL). While instructions in user
 * space interrupt, another counter counts instructions of the kernel. If the CPU stops the counters
 * when it raises an interrupt, they do not count how the interrupt's handler is entered. If it does
 * not, they do, until the handler stops them.
 */

/*
 * The entry of a handler executes at least this many instructions before the counters are stopped:
 * it saves the registers alone by some twenty.
 */
#define ENTRY 32
/*
 * Number of runs of which the one with the fewest instructions of the kernel for each interrupt is
 * taken: mostly one without a timer tick. Each has a session of its own: in some sessions each
 * interrupt executes 24 or 49 instructions more than in others.
 */
#define FREEZE_RUNS 4

/* Adds an instruction counter of user space that interrupts, and one of the kernel. */
static bool count_both_levels(struct bpmu_errata_check *check)
{
	static const char *const general[] = { "INST_RETIRED.ANY_P", "instructions", NULL };
	struct bpmu_sched *sched = &check->trial.group.sched;
	struct bpmu_sched_slot *kernel;

	if (!bpmu_errata_count(check, general))
		return false;
	interrupt_each(&check->trial, BPMU_OVERFLOW_PERIOD);
	if (!bpmu_errata_count(check, general))
		return false;
	kernel = &sched->slot[1];
	kernel->select = (kernel->select & ~BPMU_SEL_USR) | BPMU_SEL_OS;
	return true;
}

/*
 * Sets @least to the number of instructions of the kernel per interrupt, of the run with the
 * fewest; to 0 if nothing has interrupted. @check->trial's session is begun and ended for each run.
 * Returns 0 or a negative errno.
 */
static int kernel_per_interrupt(struct bpmu_errata_check *check, u32 with, double *least,
				struct bpmu_error *err)
{
	u64 rounds = bpmu_overflow_rounds(check->trial.info->pmu.part);
	struct bpmu_trial_counts counts;
	unsigned int i;
	int code = 0;
	double now;

	*least = 0;
	check->trial.config.check = BPMU_CHECK_PERIOD | with;
	for (i = 0; i < FREEZE_RUNS && !code; i++) {
		code = bpmu_trial_begin(&check->trial, err);
		if (!code)
			code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, rounds, false,
					      &counts, err);
		if (!code)
			code = bpmu_trial_end(&check->trial, err);
		if (code || !counts.nr_records)
			continue;
		now = (double)counts.own[1] / counts.nr_records;
		if (!*least || now < *least)
			*least = now;
	}
	return code;
}

static int freezing_run_trials(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_errata_test *test = add_test(check, BPMU_SYMPTOM_FREEZE, 1, "trial");
	double running, frozen;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = kernel_per_interrupt(check, 0, &running, err);
		if (!code)
			code = kernel_per_interrupt(check, BPMU_CHECK_FREEZE, &frozen, err);
		if (!code)
			bpmu_deviation_add(&test->deviation,
					   frozen && frozen > running - ENTRY, 1);
	}
	return code;
}

/**
 * bpmu_errata_freezing() - check for errata by which counters count on after an interrupt's freeze
 * @check: state of the tests. The test and its result are appended, or the reason why it is skipped
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the test finds errata or not, or a negative errno.
 */
int bpmu_errata_freezing(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	int code;

	bpmu_trial_clear(&check->trial);
	if (!count_both_levels(check)) {
		skip(check, "freezing: two general-purpose counters of instructions are needed");
		return 0;
	}
	check->trial.config.check = BPMU_CHECK_PERIOD | BPMU_CHECK_FREEZE;
	code = bpmu_trial_begin(&check->trial, err);
	if (skips_refused(check, code, "freezing", err))
		return 0;
	if (!code)
		code = bpmu_trial_end(&check->trial, err);
	return code ? code : freezing_run_trials(check, err);
}

/*
 * Tests of precise records (PEBS). Branches and instructions of a loop with one branch have precise
 * records: those of branches must have the address of this branch, and no record may come before
 * the period of its event is over.
 */

/* Iterations of the loop, and branches and instructions between two records */
#define RECORD_ROUNDS 16384
#define BRANCH_PERIOD 1024
#define INSTRUCTION_PERIOD 6016
/* Number of records that may be of branches outside of the loop */
#define OUTSIDE 2

/* Returns true if both events were added to the trial, on counters that have precise records. */
static bool count_precisely(struct bpmu_errata_check *check)
{
	static const char *const branches[] = { "branches", NULL };
	static const char *const instructions[] = { "INST_RETIRED.ANY_P", "instructions", NULL };
	struct bpmu_trial *trial = &check->trial;

	if (!bpmu_errata_count(check, branches))
		return false;
	interrupt_each(trial, BRANCH_PERIOD)->precise = true;
	if (!bpmu_errata_count(check, instructions))
		return false;
	interrupt_each(trial, INSTRUCTION_PERIOD)->precise = true;
	return !(used(&trial->group.sched) & ~trial->info->pmu.pebs);
}

static void records_note(const struct bpmu_trial *trial, struct bpmu_errata_test *address,
			 struct bpmu_errata_test *event, const struct bpmu_trial_counts *counts)
{
	struct bpmu_overflow_verdict verdict[2];
	unsigned int i, wrong = 0, strange = 0;

	for (i = 0; i < counts->nr_records; i++)
		wrong += !counts->record[i].slot && counts->record[i].ip != bpmu_bench_branch();
	for (i = 0; i < ARRAY_SIZE(verdict); i++) {
		bpmu_overflow_judge(trial, counts, i, &verdict[i]);
		strange += verdict[i].early + !verdict[i].nr;
	}
	bpmu_deviation_add(&address->deviation, wrong > OUTSIDE ? wrong : 0, verdict[0].nr);
	bpmu_deviation_add(&event->deviation, strange, counts->nr_records);
}

static int records_run_trials(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	struct bpmu_errata_test *address = add_test(check, BPMU_SYMPTOM_RECORD_ADDRESS, 0,
						    "record");
	struct bpmu_errata_test *event = add_test(check, BPMU_SYMPTOM_RECORD_EVENT, 0, "record");
	struct bpmu_trial_counts counts;
	unsigned int i;
	int code = 0;

	for (i = 0; i < check->trials && !code; i++) {
		bpmu_progress_fraction(&check->progress, 0);
		code = bpmu_trial_run(&check->trial, &bpmu_bench_alu, RECORD_ROUNDS, false, &counts,
				      err);
		if (!code)
			records_note(&check->trial, address, event, &counts);
	}
	return code;
}

/**
 * bpmu_errata_records() - check for errata of precise records (PEBS): wrong address, wrong event
 * @check: state of the tests. The tests and their results are appended, or the reason why they are
 *	skipped
 *
 * The calling thread must be pinned to the trial's CPU.
 *
 * Return: 0, whether the tests find errata or not, or a negative errno.
 */
int bpmu_errata_records(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	int code;

	bpmu_trial_clear(&check->trial);
	if (!count_precisely(check)) {
		skip(check,
		     "precise records: this CPU writes none that the module reads (PEBS)");
		return 0;
	}
	if (!bpmu_pmu_pebs_names(&check->trial.info->pmu)) {
		skip(check, "precise records: in format 1 they name the next instruction");
		return 0;
	}
	check->trial.config.check = BPMU_CHECK_PERIOD;
	code = bpmu_trial_begin(&check->trial, err);
	if (skips_refused(check, code, "precise records", err))
		return 0;
	if (!code)
		code = records_run_trials(check, err);
	return code ? code : bpmu_trial_end(&check->trial, err);
}

/**
 * bpmu_errata_check() - run all checks for errata on a CPU
 * @check: zeroed except for @smt, @trials, and the client, info and CPU of @trial; the tests and
 *	their results are filled in
 *
 * The calling thread stays pinned to the CPU afterwards, with real-time priority if it may have it.
 *
 * Return: 0, whether the tests find errata or not, or a negative errno.
 */
int bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	void *arena = NULL;
	int code;

	bpmu_progress_begin(&check->progress, "looking for errata");
	code = bpmu_trial_settle(check->trial.cpu, err);
	if (!code)
		code = bpmu_bench_arena(&arena, err);
	check->trial.arena = arena;
	if (!code)
		code = check_loops(check, err);
	if (!code)
		code = bpmu_errata_wraps(check, err);
	if (!code)
		code = bpmu_errata_stalls(check, err);
	if (!code)
		code = bpmu_errata_siblings(check, err);
	if (!code)
		code = bpmu_errata_overflows(check, err);
	if (!code)
		code = bpmu_errata_freezing(check, err);
	if (!code)
		code = bpmu_errata_records(check, err);
	bpmu_progress_end(&check->progress);
	free(arena);
	return code;
}
