// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the self-test's check of counters. Each counter counts a loop in five runs. The result
 * names a wrong counter and the number of runs in which it was wrong.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/selftest/selftest.h"
#include "trial/errata_trial.h"
#include "unit.h"

#define LOOP 1000000
#define RUNS 5

/*
 * errors: for each run the error of the count of general counter 2 of CPU 3. interrupts: number of
 * interrupts in each run.
 */
static const int *errors;
static unsigned int interrupts;
/* Number, from 0 on, of the run on CPU 3 that fails; RUNS for none. */
static unsigned int fails;
static unsigned int run;
static unsigned int begun, ended;
/* What the module says to a session that interrupts; NULL if it takes the session. */
static const char *refusal;
/* number of sessions that are begun before the first one that is refused */
static unsigned int before_refusal;
/* Number of overflows of counter 2 of CPU 3 that interrupt; events counted before the interrupt. */
static unsigned int most;
static u64 skid;
/* Counter 2 of CPU 3 stays at the value at which it must wrap. */
static bool stuck;
/* Number of calls so far, and of the call that fails; 0 for none. */
static unsigned int calls, failing;
/* The calls for CPU 1 are written here; NULL for nowhere. */
static FILE *trace;

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err);
int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err);
int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err);
int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err);
int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err);

static int may_fail(struct bpmu_error *err)
{
	return ++calls == failing ? bpmu_error_set(err, -EIO, "it fails") : 0;
}

/* Writes a call for CPU 1 to the trace. */
static void __attribute__((format(printf, 2, 3))) note(u32 cpu, const char *fmt, ...)
{
	va_list args;

	if (!trace || cpu != 1)
		return;
	va_start(args, fmt);
	vfprintf(trace, fmt, args);
	va_end(args);
}

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err)
{
	(void)client;
	note(cpu, "PMU of CPU %u\n", cpu);
	*info = (struct bpmu_info){ .part = "ivb", .pmu = unit_pmu("ivb", 4) };
	return may_fail(err);
}

int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err)
{
	note(cpu, "thread on CPU %u\n", cpu);
	run = 0;
	return may_fail(err);
}

int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err)
{
	if (trial->group.sched.slot[0].period && refusal && begun >= before_refusal)
		return bpmu_error_set(err, -EINVAL, "%s", refusal);
	begun++;
	note(trial->cpu, "begin %u counters from the first of %u on, period %u, %u before the end\n",
	     trial->group.sched.nr, trial->group.sched.slot[0].counter,
	     trial->group.sched.slot[0].period, trial->config.top);
	return may_fail(err);
}

/* Fakes the interrupts of the trial's only counter. */
static void interrupt(const struct bpmu_trial *trial, struct bpmu_trial_counts *counts)
{
	const struct bpmu_sched_slot *slot = &trial->group.sched.slot[0];
	bool bad = trial->cpu == 3 && slot->counter == 2;
	u64 period = slot->period + (bad ? skid : 0), left;

	for (left = counts->own[0]; left > period; left -= period) {
		if (bad && counts->nr_records == most)
			break;
		counts->record[counts->nr_records++].period = period;
	}
}

/* Fakes the values of a counter of 48 bits that begins a little below the value where it wraps. */
static void wrap(const struct bpmu_trial *trial, const struct bpmu_sched_slot *slot,
		 struct bpmu_trial_counts *counts, unsigned int i)
{
	const u64 end = 1ULL << 48;

	counts->first[i] = end - trial->config.top;
	counts->last[i] = (counts->first[i] + counts->own[i]) % end;
	if (stuck && trial->cpu == 3 && slot->counter == 2)
		counts->last[i] = end - 1;
}

/*
 * Fakes a run of the loop. In an empty loop each counter counts 7. The check must subtract this 7
 * from the counts of the loop.
 */
int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err)
{
	const struct bpmu_sched *sched = &trial->group.sched;
	unsigned int i;

	note(trial->cpu, "%s%llu rounds of %u instructions\n", quiet ? "quiet " : "", rounds,
	     bench->instructions);
	*counts = (struct bpmu_trial_counts){ };
	if (trial->cpu == 3 && run == fails) {
		fails = RUNS;
		return bpmu_error_set(err, -EIO, "the machine slept");
	}
	for (i = 0; i < sched->nr; i++) {
		counts->own[i] = 7 + rounds * bench->instructions;
		if (rounds && trial->cpu == 3 && sched->slot[i].counter == 2 &&
		    !sched->slot[i].period)
			counts->own[i] += errors[run];
		if (trial->config.top)
			wrap(trial, &sched->slot[i], counts, i);
	}
	if (sched->slot[0].period)
		interrupt(trial, counts);
	counts->interrupts = rounds ? interrupts : 0;
	run += rounds != 0;
	return may_fail(err);
}

int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err)
{
	note(trial->cpu, "end\n");
	ended++;
	return may_fail(err);
}

/* Runs a check on CPUs 1 and 3. Returns its text, and in @json its JSON; the caller frees both. */
static char *checked(int (*selftest_check)(struct bpmu_selftest *selftest, struct bpmu_error *err),
		     char **json, int *code)
{
	u32 cpus[] = { 1, 3 };
	struct bpmu_selftest selftest = {
		.target = { .cpus = { cpus, ARRAY_SIZE(cpus) }, .cpus_text = "1,3" },
	};
	struct bpmu_error err;
	size_t sizes[2];
	char *text;

	begun = 0;
	ended = 0;
	calls = 0;
	selftest.text = open_memstream(&text, &sizes[0]);
	selftest.json = open_memstream(json, &sizes[1]);
	assert_true(selftest.text && selftest.json);
	*code = selftest_check(&selftest, &err);
	fclose(selftest.text);
	fclose(selftest.json);
	return text;
}

/*
 * Checks the counters of CPUs 1 and 3. @wrong: the errors of one counter, by run. @disturbed:
 * number of interrupts in each run. Returns the text of the result, and in @json its JSON; the
 * caller frees both.
 */
static char *check(const int *wrong, unsigned int disturbed, char **json, int *code)
{
	errors = wrong;
	interrupts = disturbed;
	return checked(bpmu_selftest_counters, json, code);
}

TEST(a_counter_must_be_right_in_most_runs)
{
	static const struct {
		int errors[RUNS];
		unsigned int right;
		const char *says;
	} all[] = {
		{ { 0, 0, 0, 0, 0 }, 5, NULL },
		{ { 0, 9, 0, -9, 0 }, 3, NULL },
		/*
		 * The median of these five counts is right. If the counts are sorted, a wrong count
		 * is next to the median. The message names this wrong count.
		 */
		{ { 9, 0, -9, 0, 11 }, 2, "1000009 instead of 1000000, wrong in 3" },
		{ { -9, 0, -8, 0, 11 }, 2, "999992 instead of 1000000, wrong in 3" },
		{ { 9, 8, 7, 0, 11 }, 1, "1000008 instead of 1000000, wrong in 4" },
		{ { -9, -8, 0, -10, -11 }, 1, "999991 instead of 1000000, wrong in 4" },
		{ { 9, 8, 7, 6, 11 }, 0, "1000008 instead of 1000000, wrong in 5" },
	};
	char expected[200], right[32], *text, *json;
	unsigned int i;
	int code;

	fails = RUNS;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		text = check(all[i].errors, 0, &json, &code);
		assert_int_equal(code, 0);
		snprintf(expected, sizeof(expected), all[i].says ?
			 "FAIL  counters     1 of 10 counters count a loop of 1000000 instructions wrongly: CPU 3, counter 2, INST_RETIRED.ANY_P: %s of 5 runs\n" :
			 "ok    counters     all 10 counters of CPU 1,3 count a loop of 1000000 instructions exactly\n",
			 all[i].says);
		assert_string_equal(text, expected);
		snprintf(right, sizeof(right), "\"right\":%u,", all[i].right);
		assert_non_null(strstr(json, right));
		assert_int_equal(begun, 2);
		assert_int_equal(ended, 2);
		free(text);
		free(json);
	}
}

/*
 * An interrupt may add or remove a count, so errors of up to the number of interrupts are not
 * reported.
 */
TEST(interrupts_excuse_as_many_counts)
{
	static const int within[RUNS] = { 2, -2, 2, 9, 9 }, beyond[RUNS] = { 2, -3, 3, 9, 1 };
	char *text, *json;
	int code;

	fails = RUNS;
	text = check(within, 2, &json, &code);
	assert_true(!strncmp(text, "ok ", 3));
	free(text);
	free(json);
	text = check(beyond, 2, &json, &code);
	assert_true(!strncmp(text, "FAIL ", 5));
	free(text);
	free(json);
}

/*
 * On the last CPU a call fails after three runs. The check ends with the error of that call, and
 * prints no result.
 */
TEST(a_check_that_fails_half_way_has_no_verdict)
{
	static const int none[RUNS];
	char *text, *json;
	int code;

	fails = 3;
	text = check(none, 0, &json, &code);
	assert_int_equal(code, -EIO);
	assert_string_equal(text, "");
	assert_null(strstr(json, "\"cpu\":3"));
	assert_int_equal(begun, 2);
	assert_int_equal(ended, 1);
	free(text);
	free(json);
}

/*
 * Runs a check on CPUs 1 and 3, in which no call fails. @says: the text of the result; @raw: a part of
 * its JSON
 */
static void check_gives(int (*selftest_check)(struct bpmu_selftest *selftest, struct bpmu_error *err),
			const char *says, const char *raw)
{
	char *text, *json;
	int code;

	fails = ~0u;
	text = checked(selftest_check, &json, &code);
	assert_int_equal(code, 0);
	assert_string_equal(text, says);
	if (!strstr(json, raw))
		fail_msg("not %s, but:\n%s", raw, json);
	free(text);
	free(json);
}

/* Checks where the counters of CPUs 1 and 3 wrap. @wrong: the errors of one counter, by run */
static void widths_give(const int *wrong, const char *says, const char *raw)
{
	errors = wrong;
	interrupts = 0;
	check_gives(bpmu_selftest_widths, says, raw);
}

/*
 * The counters begin 2 * 7 + 500 below the value at which they wrap: an empty loop does not reach it,
 * and a loop of some 1028 instructions does.
 */
TEST(counters_must_wrap_and_lose_nothing)
{
	/* The runs of the loop follow each other, with an empty loop before each. */
	static const int none[RUNS + 1], lost[RUNS + 1] = { -3, -3, -3, -3, -3, -3 };

	widths_give(none, "ok    widths       all 10 counters of CPU 1,3 wrap at their width and lose nothing\n",
		    "\"cpu\":3,\"counter\":\"2\",\"width\":48,\"first\":\"0xfffffffffdfe\",\"last\":\"0x205\"");
	widths_give(lost, "FAIL  widths       1 of 10 counters are wrong where they wrap: CPU 3, counter 2, INST_RETIRED.ANY_P: 1021 instead of 1024, wrong in 5 of 5 runs\n",
		    "\"cpu\":3,\"counter\":\"2\",\"width\":48,\"first\":\"0xfffffffffdfe\",\"last\":\"0x202\"");
	stuck = true;
	widths_give(none, "FAIL  widths       1 of 10 counters are wrong where they wrap: CPU 3, counter 2: it went from 0xfffffffffdfe to 0xffffffffffff, which is no wrap at 48 bits\n",
		    "\"last\":\"0xffffffffffff\"");
	stuck = false;
}

/* Checks the interrupts of the counters of CPUs 1 and 3. @says: the text of the result */
static void interrupts_give(const char *says, const char *raw)
{
	check_gives(bpmu_selftest_interrupts, says, raw);
}

/* The loop has 67536 instructions, and 7 are around it: 16 periods of 4096. */
TEST(each_overflow_must_interrupt)
{
	most = ~0u;
	skid = 1000;
	interrupts_give("ok    interrupts   all 10 counters of CPU 1,3 interrupt at each overflow, every 4096 instructions\n",
			"\"right\":5,\"count\":67543,\"period\":4096,\"interrupts\":16,\"missing\":0,\"early\":0,\"skid\":0}");
	assert_int_equal(begun, 10);
	assert_int_equal(ended, 10);
	skid = 1001;
	interrupts_give("FAIL  interrupts   1 of 10 counters do not interrupt at each overflow, every 4096 instructions: CPU 3, counter 2, INST_RETIRED.ANY_P: 13 interrupts in 67543 counts, 0 early, 0 missing, skid 1001, wrong in 5 of 5 runs\n",
			"\"right\":0,\"count\":67543,\"period\":4096,\"interrupts\":13,\"missing\":0,\"early\":0,\"skid\":1001}");
	skid = -1ull;
	interrupts_give("FAIL  interrupts   1 of 10 counters do not interrupt at each overflow, every 4096 instructions: CPU 3, counter 2, INST_RETIRED.ANY_P: 16 interrupts in 67543 counts, 16 early, 0 missing, skid 0, wrong in 5 of 5 runs\n",
			"\"early\":16,");
	skid = 0;
	most = 7;
	interrupts_give("FAIL  interrupts   1 of 10 counters do not interrupt at each overflow, every 4096 instructions: CPU 3, counter 2, INST_RETIRED.ANY_P: 7 interrupts in 67543 counts, 0 early, 1 missing, skid 0, wrong in 5 of 5 runs\n",
			"\"missing\":1,");
	refusal = "(no interrupts here)";
	interrupts_give("skip  interrupts   (no interrupts here)\n", "\"verdict\":\"skip\"");
	assert_int_equal(begun, 0);
	/* A refusal on the last counter does not hide that another one is wrong. */
	before_refusal = 9;
	interrupts_give("FAIL  interrupts   1 of 9 counters do not interrupt at each overflow, every 4096 instructions: CPU 3, counter 2, INST_RETIRED.ANY_P: 7 interrupts in 67543 counts, 0 early, 1 missing, skid 0, wrong in 5 of 5 runs\n",
			"\"missing\":1,");
	before_refusal = 0;
	refusal = NULL;
}

static int (*const checks[])(struct bpmu_selftest *selftest, struct bpmu_error *err) = {
	bpmu_selftest_counters, bpmu_selftest_widths, bpmu_selftest_interrupts,
};

/* What each check does on a CPU, and all that it reports: half of the runs of a counter are wrong. */
TEST(all_runs_of_all_counters_are_reported)
{
	static const int wrong[RUNS + 1] = { 11, 0, -9, 0, 9, -7 };
	char *all, *text, *json;
	unsigned int i;
	size_t size;
	int code;

	trace = open_memstream(&all, &size);
	assert_non_null(trace);
	fails = ~0u;
	errors = wrong;
	interrupts = 2;
	most = 7;
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		text = checked(checks[i], &json, &code);
		assert_int_equal(code, 0);
		fprintf(trace, "%s%s", text, json);
		free(text);
		free(json);
	}
	fclose(trace);
	trace = NULL;
	unit_text("selftest-loops", all);
}

/* Whichever call fails: no call follows it, and the check has no result. */
TEST(each_failure_ends_a_check_of_loops)
{
	static const int none[RUNS + 1];
	unsigned int i, all;
	char *text, *json;
	int code;

	fails = ~0u;
	errors = none;
	interrupts = 0;
	most = ~0u;
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		text = checked(checks[i], &json, &code);
		assert_int_equal(code, 0);
		free(text);
		free(json);
		for (all = calls; all; all--) {
			failing = all;
			text = checked(checks[i], &json, &code);
			assert_int_equal(code, -EIO);
			assert_int_equal(calls, all);
			assert_string_equal(text, "");
			assert_null(strstr(json, "verdict"));
			free(text);
			free(json);
		}
		failing = 0;
	}
}
