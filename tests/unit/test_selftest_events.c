// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the self-test's checks of events. The checks find a fixed counter that counts wrongly.
 * They also find an event that counts on counters which the event table does not list for it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/selftest/selftest.h"
#include "trial/errata_trial.h"
#include "unit.h"

#define RUNS 5
#define ROUNDS 2000
#define TICKS 3000

/*
 * Faked counts of the fixed counters of CPU 3, [counter][run]. Each general counter counts 1000
 * cycles in each run.
 */
static u64 fixed[4][RUNS];
/*
 * moody: name of an event that counts on only one counter, even if the loop is empty. only: number
 * of that counter.
 */
static const char *moody;
static u32 only;
/* If true, counter 1 counts one event too many in a loop whose right count is known. */
static bool wrong;
static const char *part;
static u8 general;
static unsigned int run, calls, fails, begun, ended;
/* What a check says and reports is written here, too; NULL for nowhere. */
static FILE *copy;

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err);
int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err);
int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err);
int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err);
int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err);
int __wrap_bpmu_bench_arena(void **arena, struct bpmu_error *err);

static int may_fail(struct bpmu_error *err)
{
	return ++calls == fails ? bpmu_error_set(err, -EIO, "it fails") : 0;
}

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err)
{
	(void)client;
	(void)cpu;
	*info = (struct bpmu_info){ .pmu = unit_pmu(part, 4) };
	info->pmu.gp_counters = general;
	return may_fail(err);
}

int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err)
{
	(void)cpu;
	run = 0;
	return may_fail(err);
}

int __wrap_bpmu_trial_begin(struct bpmu_trial *trial, struct bpmu_error *err)
{
	(void)trial;
	begun++;
	return may_fail(err);
}

/*
 * Returns how often an event occurs in one round of the loop that copies memory. A round has 5
 * instructions, 1 branch, 2 loads and 1 store.
 */
static u64 exact(const char *event)
{
	return strstr(event, "BR_INST_RETIRED") || strstr(event, "ALL_STORES") ? 1 :
	       strstr(event, "ALL_LOADS") ? 2 : 5;
}

int __wrap_bpmu_trial_run(struct bpmu_trial *trial, const struct bpmu_bench *bench, u64 rounds,
			  bool quiet, struct bpmu_trial_counts *counts, struct bpmu_error *err)
{
	const struct bpmu_sched *sched = &trial->group.sched;
	unsigned int i;

	(void)bench;
	(void)quiet;
	*counts = (struct bpmu_trial_counts){ .ticks = TICKS };
	for (i = 0; i < sched->nr; i++) {
		const struct bpmu_sched_slot *slot = &sched->slot[i];

		if (sched->nr > 1 || slot->counter >= 32)
			counts->own[i] = slot->counter >= 32 && trial->cpu == 3 ?
					 fixed[slot->counter - 32][run % RUNS] : 1000;
		else if (moody && !strcmp(slot->text, moody))
			counts->own[i] = slot->counter == only ? 77 : 0;
		else
			counts->own[i] = 9 + rounds * exact(slot->text) +
					 (rounds && wrong && slot->counter == 1);
	}
	run += rounds != 0;
	return may_fail(err);
}

int __wrap_bpmu_trial_end(struct bpmu_trial *trial, struct bpmu_error *err)
{
	(void)trial;
	ended++;
	return may_fail(err);
}

int __wrap_bpmu_bench_arena(void **arena, struct bpmu_error *err)
{
	*arena = malloc(1);
	return may_fail(err);
}

static int says(int (*check)(struct bpmu_selftest *selftest, struct bpmu_error *err),
		const char *said, const char *raw)
{
	u32 cpus[] = { 1, 3 };
	struct bpmu_selftest selftest = {
		.target = { .cpus = { cpus, ARRAY_SIZE(cpus) }, .cpus_text = "1,3" },
	};
	char *text, *json;
	struct bpmu_error err;
	size_t sizes[2];
	int code;

	calls = 0;
	begun = 0;
	ended = 0;
	selftest.text = open_memstream(&text, &sizes[0]);
	selftest.json = open_memstream(&json, &sizes[1]);
	assert_true(selftest.text && selftest.json);
	code = check(&selftest, &err);
	fclose(selftest.text);
	fclose(selftest.json);
	if (said)
		assert_string_equal(text, said);
	if (raw && !strstr(json, raw))
		fail_msg("'%s' is not in %s", raw, json);
	if (code)
		assert_string_equal(err.text, "it fails");
	if (copy)
		fprintf(copy, "%s%s", text, json);
	free(text);
	free(json);
	return code;
}

/*
 * Sets the faked counts of all fixed counters of CPU 3. The check allows cycles that differ by up
 * to 1 % from those of a general counter. Reference cycles may exceed the TSC ticks by up to 1 %.
 */
static void all_fixed(u64 cycles, u64 reference)
{
	unsigned int i;

	part = "ivb";
	general = 4;
	fails = 0;
	for (i = 0; i < RUNS; i++) {
		fixed[0][i] = 5;
		fixed[1][i] = cycles;
		fixed[2][i] = reference;
	}
}

TEST(fixed_counters_agree_with_others)
{
	static const struct {
		u64 cycles, reference;
		const char *wrong;
	} all[] = {
		{ 1000, 1500, NULL }, { 990, 1500, NULL }, { 1010, 1500, NULL },
		{ 989, 1500, "fixed 1, CPU_CLK_UNHALTED.THREAD: 989, not from 990 to 1010" },
		{ 1011, 1500, "fixed 1, CPU_CLK_UNHALTED.THREAD: 1011, not from 990 to 1010" },
		{ 1000, 3030, NULL },
		{ 1000, 3031, "fixed 2, CPU_CLK_UNHALTED.REF_TSC: 3031, not from 1 to 3030" },
		{ 1000, 1, NULL },
		{ 1000, 0, "fixed 2, CPU_CLK_UNHALTED.REF_TSC: 0, not from 1 to 3030" },
	};
	char expected[200];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		all_fixed(all[i].cycles, all[i].reference);
		snprintf(expected, sizeof(expected), all[i].wrong ?
			 "FAIL  fixed        1 of 4 do not agree with general counters or the TSC: CPU 3, %s\n" :
			 "ok    fixed        all 4 that count cycles agree with general counters or the TSC\n",
			 all[i].wrong);
		assert_int_equal(says(bpmu_selftest_fixed, expected, NULL), 0);
		assert_int_equal(begun, 2);
		assert_int_equal(ended, 2);
	}
	all_fixed(1005, 1500);
	says(bpmu_selftest_fixed, NULL,
	     "\"check\":\"fixed\",\"cpu\":3,\"counter\":\"fixed 1\",\"event\":\"CPU_CLK_UNHALTED.THREAD\",\"count\":1005,\"least\":990,\"most\":1010,\"tsc\":3000}");
}

/*
 * A fixed counter fails the check if it is wrong in three of five runs, but not if it is wrong in
 * two.
 */
TEST(fixed_counters_are_right_in_most_runs)
{
	all_fixed(1000, 1500);
	fixed[1][0] = 5000;
	fixed[1][3] = 5000;
	assert_int_equal(says(bpmu_selftest_fixed, "ok    fixed        all 4 that count cycles agree with general counters or the TSC\n",
			      NULL), 0);
	fixed[1][4] = 6000;
	assert_int_equal(says(bpmu_selftest_fixed, "FAIL  fixed        1 of 4 do not agree with general counters or the TSC: CPU 3, fixed 1, CPU_CLK_UNHALTED.THREAD: 6000, not from 990 to 1010\n",
			      NULL), 0);
	part = "knc";
	assert_int_equal(says(bpmu_selftest_fixed, "skip  fixed        no fixed counter that counts cycles\n",
			      NULL), 0);
	assert_int_equal(begun, 0);
}

/*
 * A cycle has up to five slots. If the general counter counts 1000 cycles, 1000 to 5000 slots are
 * right. The check allows 1 % more than 5000.
 */
TEST(slots_are_within_the_issue_width)
{
	static const struct {
		u64 slots;
		bool right;
	} all[] = { { 999, false }, { 1000, true }, { 5050, true }, { 5051, false } };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		all_fixed(1000, 1500);
		part = "icl";
		general = 1;
		for (k = 0; k < RUNS; k++)
			fixed[3][k] = all[i].slots;
		assert_int_equal(says(bpmu_selftest_fixed, NULL, all[i].right ?
				      "\"check\":\"fixed\",\"verdict\":\"ok\"" :
				      "\"check\":\"fixed\",\"verdict\":\"FAIL\""), 0);
	}
}

TEST(events_count_on_the_counters_of_their_tables)
{
	part = "ivb";
	general = 4;
	fails = 0;
	moody = NULL;
	wrong = false;
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "\"check\":\"constraints\",\"verdict\":\"ok\",\"text\":\"16 exact counts, each event on all counters listed for it; "), 0);
	assert_int_equal(begun, ended);
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "\"check\":\"constraints\",\"cpu\":1,\"counter\":\"3\",\"event\":\"L1D_PEND_MISS.PENDING\",\"listed\":false,\"count\":"), 0);
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "\"check\":\"constraints\",\"cpu\":1,\"counter\":\"2\",\"event\":\"L1D_PEND_MISS.PENDING\",\"listed\":true,\"count\":"), 0);
	/*
	 * The event counts on one counter only. First this is counter 2, which the event table
	 * lists for the event. Then it is counter 9, which does not exist. Then it is counter 1,
	 * which the table does not list.
	 */
	moody = "L1D_PEND_MISS.PENDING";
	only = 2;
	assert_int_equal(says(bpmu_selftest_constraints, NULL, "\"verdict\":\"ok\""), 0);
	only = 9;
	assert_int_equal(says(bpmu_selftest_constraints, NULL, "\"verdict\":\"ok\""), 0);
	only = 1;
	assert_int_equal(says(bpmu_selftest_constraints, NULL, " 1 of "), 0);
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "\"verdict\":\"FAIL\",\"text\":\"0 of 16 known counts are wrong, 1 of "), 0);
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "events count only on counters not listed for them: L1D_PEND_MISS.PENDING counts nothing on the counters listed for it, and 77 on others"), 0);
	moody = NULL;
	wrong = true;
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "\"verdict\":\"FAIL\",\"text\":\"4 of 16 known counts are wrong, 0 of "), 0);
	assert_int_equal(says(bpmu_selftest_constraints, NULL,
			      "CPU 1, counter 1, BR_INST_RETIRED.ALL_BRANCHES: 2001 instead of 2000, wrong in 5 of 5 runs"), 0);
	wrong = false;
}

/* If a call fails, the check ends with the error of that call, and prints no result. */
TEST(each_failure_ends_the_check_of_events)
{
	unsigned int all;

	all_fixed(1000, 1500);
	assert_int_equal(says(bpmu_selftest_fixed, NULL, NULL), 0);
	for (all = calls; all; all--) {
		fails = all;
		assert_int_equal(says(bpmu_selftest_fixed, "", NULL), -EIO);
		assert_int_equal(calls, fails);
	}
	fails = 0;
	moody = NULL;
	assert_int_equal(says(bpmu_selftest_constraints, NULL, NULL), 0);
	/*
	 * In each run another call fails: first each of the last 20 calls, then every twentieth,
	 * then each of the first 20.
	 */
	for (all = calls; all; all -= all > 20 && all <= calls - 20 ? all - 20 : 1) {
		fails = all;
		assert_int_equal(says(bpmu_selftest_constraints, "", NULL), -EIO);
		assert_int_equal(calls, fails);
	}
	fails = 0;
}

/*
 * Whole reports: of the fixed counters of CPU 3, which are wrong in some runs, and of an event that
 * counts on a counter which is not listed for it, besides wrong counts of known events.
 */
TEST(all_counts_of_events_are_reported)
{
	unsigned int i;
	char *all;
	size_t size;

	copy = open_memstream(&all, &size);
	assert_non_null(copy);
	all_fixed(1000, 1500);
	part = "icl";
	general = 1;
	for (i = 0; i < RUNS; i++)
		fixed[3][i] = 4000 + i;
	fixed[1][1] = 900;
	fixed[3][2] = 6000;
	fixed[2][4] = 0;
	assert_int_equal(says(bpmu_selftest_fixed, NULL, NULL), 0);
	for (i = 0; i < RUNS; i++)
		fixed[3][i] = 999;
	assert_int_equal(says(bpmu_selftest_fixed, NULL, NULL), 0);
	part = "zen4";
	general = 6;
	assert_int_equal(says(bpmu_selftest_fixed, NULL, NULL), 0);
	part = "ivb";
	general = 4;
	moody = "L1D_PEND_MISS.PENDING";
	only = 1;
	wrong = true;
	assert_int_equal(says(bpmu_selftest_constraints, NULL, NULL), 0);
	wrong = false;
	moody = NULL;
	fclose(copy);
	copy = NULL;
	unit_text("selftest-events", all);
}
