// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of interrupts whose records have the counts of all events. A loop of known instructions and
 * branches gives the counts of each record; the sum over the records is that of the samples but for
 * what comes after the last record. Records that the module cannot read have no counts. The virtual
 * PMU must have the option pebs=unknown, by which each 16th record is such a record. The records are
 * those of architectural PEBS, or of a debug store from format 6 on.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "msr.h"

#define PERIOD 20000
/* A period is a random number that differs from BPMU_A_EVENT_PERIOD by 1/16 of it at most. */
#define SPREAD 16
#define TURNS 2000000
#define USR (1ULL << 16)
#define OS (1ULL << 17)
/* Event selects of user space (SDM Vol. 3, table 19-1). */
#define BRANCHES (USR | 0xc4)
#define INSTRUCTIONS (USR | 0xc0)
#define SLOTS (BPMU_COUNTER_FIXED + 3)
#define FULL 0xff
/*
 * Addresses and bits of MSRs: Linux, msr-index.h, MSR_IA32_PMC_V6_GP0_CFG_C, ARCH_PEBS_EN,
 * ARCH_PEBS_CNTR_ALLOW, _GP, _FIXED and _METRICS; of a debug store MSR_PEBS_DATA_CFG and
 * asm/perf_event.h, PEBS_DATACFG_CNTR, _METRICS, _CNTR_SHIFT and _FIX_SHIFT, ICL_EVENTSEL_ADAPTIVE.
 */
#define CONFIG0 0x1903
#define STRIDE 4
#define ON (1ULL << 63)
#define ALLOW (1ULL << 35)
#define WITH_COUNTERS (7ULL << 36)
#define DATA_CFG 0x3f2
#define STORED_COUNTERS(general, fixed) (1ULL << 4 | (general) << 32 | (fixed) << 48)
#define STORED_METRICS (1ULL << 5)
#define SELECT0 0x186
#define ADAPTIVE (1ULL << 34)
/* values of BPMU_A_INFO_PEBS: architectural PEBS, and the least whose records have counters */
#define ARCHITECTURAL 16
#define FORMAT_6 7

/* The group's events, in this order. */
enum { PRECISE, BESIDE, OF_SLOTS, METRICS, EVENTS };

static struct log own;

/* Executes three instructions, the last of which is a branch, @n times. */
static __attribute__((noinline, noclone)) void loop(unsigned long n)
{
	asm volatile("1: nop; dec %0; jnz 1b" : "+r" (n) : : "cc");
}

/* Adds a group of branches with precise records, instructions, slots and PERF_METRICS. */
static struct nlmsghdr *begin(void)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 1, INSTRUCTIONS, 0, false);
	interrupts_put_event(message, SLOTS, USR, 0, false);
	interrupts_put_event(message, BPMU_COUNTER_METRICS, USR, 0, false);
	mnl_attr_nest_end(message, group);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	return message;
}

static uint64_t field(uint64_t metrics, unsigned int i)
{
	return metrics >> (8 * i) & FULL;
}

/* Returns the sum of the four fields of Top-Down level 1, which is that of all slots. */
static uint64_t level_1(uint64_t metrics)
{
	return field(metrics, 0) + field(metrics, 1) + field(metrics, 2) + field(metrics, 3);
}

/* Returns the sum of an event's counts over the records; of PERF_METRICS the retiring slots. */
static double sum_of(unsigned int event)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < interrupts.nr; i++) {
		const uint64_t *value = interrupts.counts[i].value;

		sum += event == METRICS ? value[OF_SLOTS] * (double)field(value[METRICS], 0) / FULL :
					  value[event];
	}
	return sum;
}

/* Returns the retiring slots of the samples but the first, and sets *@slots to their slots. */
static double retired_of_samples(double *slots)
{
	double retired = 0;
	unsigned int i;

	for (*slots = 0, i = 1; i < own.nr; i++) {
		const uint64_t *value = own.sample[i].value;

		*slots += value[OF_SLOTS];
		retired += value[OF_SLOTS] * (double)field(value[METRICS], 0) / FULL;
	}
	return retired;
}

FIXTURE(counts) {
	int unused;
};

FIXTURE_SETUP(counts)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	if (interrupts_info(&own, BPMU_A_INFO_BATCH) <= 1 ||
	    interrupts_info(&own, BPMU_A_INFO_PEBS) < FORMAT_6)
		SKIP(return, "no precise records with counters here");
}

FIXTURE_TEARDOWN(counts)
{
	genl_close(&own.genl);
	msr_close();
}

/* The loop's counts are known, and a record that the module cannot read has none. */
TEST_F(counts, each_record_has_the_counts_since_the_one_before)
{
	unsigned int i, broken = 0, strange = 0;

	begin();
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LE(TURNS / (PERIOD + PERIOD / SPREAD), interrupts.nr);
	for (i = 0; i < interrupts.nr; i++) {
		const struct interrupts_counts *counts = &interrupts.counts[i];

		ASSERT_TRUE(counts->present);
		/* The model's core retires the loop's instructions one by one for a record. */
		EXPECT_TRUE(interrupts.retired[i].present);
		EXPECT_LT(0, interrupts.retired[i].latency);
		if (counts->flags) {
			EXPECT_EQ(BPMU_SECTION_BROKEN, counts->flags);
			EXPECT_EQ(0, counts->nr);
			broken++;
			continue;
		}
		ASSERT_EQ(EVENTS, counts->nr);
		EXPECT_LE(PERIOD - PERIOD / SPREAD, counts->value[PRECISE]);
		EXPECT_GE(PERIOD + PERIOD / SPREAD + 100, counts->value[PRECISE]);
		/* The first and the last records are of other code, too. */
		strange += llabs((int64_t)(counts->value[BESIDE] - 3 * counts->value[PRECISE])) > 100;
		EXPECT_LT(counts->value[BESIDE], counts->value[OF_SLOTS]);
		EXPECT_LE(FULL - 2, level_1(counts->value[METRICS]));
		EXPECT_GE(FULL + 2, level_1(counts->value[METRICS]));
	}
	EXPECT_GE(4, strange);
	/* The records are those since the boot, not of this session. */
	EXPECT_LE(interrupts.nr / 16, broken);
	EXPECT_GE(interrupts.nr / 16 + 1, broken);
}

/*
 * One record of the CPU of two events gives two records. Only the first of them has a section of
 * counts, so that no event is counted twice.
 */
TEST_F(counts, of_two_events_of_one_record_the_first_has_the_counts)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	unsigned int i, alone = 0;

	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 1, BRANCHES, PERIOD, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	mnl_attr_put_u32(message, BPMU_A_CHECK, BPMU_CHECK_PERIOD);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	ASSERT_LE(2 * (TURNS / PERIOD - 1), interrupts.nr);
	for (i = 0; i < interrupts.nr; i++) {
		EXPECT_EQ(i % 2, interrupts.record[i].event);
		if (i % 2)
			alone += interrupts.record[i].tsc == interrupts.record[i - 1].tsc &&
				 !interrupts.counts[i].present;
		else
			EXPECT_TRUE(interrupts.counts[i].present);
	}
	EXPECT_EQ(interrupts.nr / 2, alone);
}

/*
 * What a sample takes is not missing in the next record, nor what a record takes in the next sample.
 * All is counted in user space, where no handler executes anything.
 */
TEST_F(counts, records_and_samples_have_the_same_sum)
{
	unsigned int i, broken = 0;
	double slots, retired;

	begin();
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < 50; i++) {
		loop(TURNS / 50);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	}
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr; i++)
		broken += !!interrupts.counts[i].flags;
	ASSERT_LT(0, broken);
	retired = retired_of_samples(&slots);
	/* Missing are the broken records, and what comes after the last one: 2 % at most. */
	EXPECT_GE(slots, sum_of(OF_SLOTS));
	EXPECT_LE(0.98 * slots * (interrupts.nr - broken) / interrupts.nr, sum_of(OF_SLOTS));
	EXPECT_GE(1.01 * retired / slots, sum_of(METRICS) / sum_of(OF_SLOTS));
	EXPECT_LE(0.99 * retired / slots, sum_of(METRICS) / sum_of(OF_SLOTS));
	for (i = 2; i < own.nr; i++) {
		EXPECT_LE(FULL - 2, level_1(own.sample[i].value[METRICS]));
		EXPECT_GE(FULL + 2, level_1(own.sample[i].value[METRICS]));
		EXPECT_EQ(0, own.sample[i].head.flags & BPMU_SAMPLE_DISTURBED);
	}
}

/*
 * In a record of a debug store branches come before counts. If the module cannot read the record, and
 * with architectural PEBS, the branches are those before the interrupt.
 */
TEST_F(counts, records_can_have_branches_as_well)
{
	unsigned int i, whole = 0;

	mnl_attr_put_u32(begin(), BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 1; i + 1 < interrupts.nr; i++) {
		const struct interrupts_branches *branches = &interrupts.branches[i];
		const struct interrupts_counts *counts = &interrupts.counts[i];

		ASSERT_TRUE(branches->present);
		ASSERT_LT(0, branches->nr);
		if (counts->flags)
			continue;
		whole++;
		ASSERT_EQ(EVENTS, counts->nr);
		EXPECT_LE(PERIOD - PERIOD / SPREAD, counts->value[PRECISE]);
		EXPECT_GE(PERIOD + PERIOD / SPREAD + 100, counts->value[PRECISE]);
		/* The loop's branch leads to its first instruction, two instructions before it. */
		EXPECT_GE(16, branches->branch[0].from - branches->branch[0].to);
	}
	EXPECT_LE(interrupts.nr * 3 / 4, whole);
}

/* Only some counters of a debug store write records, and all of them can be in those of others. */
TEST_F(counts, records_can_have_a_counter_that_writes_none)
{
	struct nlmsghdr *message;
	struct nlattr *group;
	unsigned int i, whole = 0;

	if (interrupts_info(&own, BPMU_A_INFO_PEBS) == ARCHITECTURAL)
		SKIP(return, "all counters write records");
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 8, INSTRUCTIONS, 0, false);
	mnl_attr_nest_end(message, group);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr; i++) {
		const uint64_t *value = interrupts.counts[i].value;

		if (interrupts.counts[i].nr == 2)
			whole += llabs((int64_t)(value[BESIDE] - 3 * value[PRECISE])) <= 100;
	}
	EXPECT_LE(interrupts.nr * 3 / 4, whole);
}

TEST_F(counts, data_groups_let_counters_into_records_and_are_restored)
{
	const uint64_t before = 1;
	uint64_t select;

	if (interrupts_info(&own, BPMU_A_INFO_PEBS) == ARCHITECTURAL)
		SKIP(return, "architectural PEBS has no such register");
	ASSERT_EQ(0, msr_write(DATA_CFG, before));
	select = msr_read(SELECT0);
	begin();
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(STORED_COUNTERS(3ULL, 8ULL) | STORED_METRICS, msr_read(DATA_CFG));
	EXPECT_EQ(ADAPTIVE, msr_read(SELECT0) & ADAPTIVE);
	EXPECT_EQ(0, msr_read(SELECT0 + 1) & ADAPTIVE);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(before, msr_read(DATA_CFG));
	EXPECT_EQ(select, msr_read(SELECT0));
	msr_write(DATA_CFG, 0);
}

TEST_F(counts, registers_let_counters_into_records_and_are_restored)
{
	const uint64_t before = ON | 0x10;

	if (interrupts_info(&own, BPMU_A_INFO_PEBS) != ARCHITECTURAL)
		SKIP(return, "no architectural PEBS");
	ASSERT_EQ(0, msr_write(CONFIG0, before));
	begin();
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(ON | WITH_COUNTERS | ALLOW, msr_read(CONFIG0));
	EXPECT_EQ(ALLOW, msr_read(CONFIG0 + STRIDE));
	EXPECT_EQ(0, msr_read(CONFIG0 + 2 * STRIDE));
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(before, msr_read(CONFIG0));
	EXPECT_EQ(0, msr_read(CONFIG0 + STRIDE));
	msr_write(CONFIG0, 0);
}

static void take_counts(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == BPMU_A_COUNTS)
			*(bool *)data = true;
}

TEST_F(counts, the_plan_has_it)
{
	bool has = false;

	begin();
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_counts;
	own.genl.data = &has;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	own.genl.data = &own;
	EXPECT_TRUE(has);
}

#define EXPECT_REFUSED(text) do { \
	EXPECT_EQ(-EINVAL, log_send(&own)); \
	EXPECT_STREQ(text, own.genl.sentence); \
} while (0)

/* Begins a session of one event more beside branches; the caller adds attributes. */
static struct nlmsghdr *beside(uint32_t counter, uint64_t select, uint32_t period, bool slots)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, counter, select, period, period && slots);
	if (slots)
		interrupts_put_event(message, BPMU_COUNTER_METRICS, USR, 0, false);
	mnl_attr_nest_end(message, group);
	return message;
}

TEST_F(counts, what_goes_not_with_it_is_refused)
{
	struct nlmsghdr *message;

	message = interrupts_begin(&own);
	interrupts_put_group(message, BRANCHES, 0);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	EXPECT_REFUSED("only an event that interrupts has precise records: give one a period");
	mnl_attr_put(beside(1, INSTRUCTIONS, PERIOD, false), BPMU_A_COUNTS, 0, NULL);
	EXPECT_REFUSED("only precise records have counts: each event that interrupts needs BPMU_A_EVENT_PRECISE");
	mnl_attr_put(beside(SLOTS, USR, PERIOD, true), BPMU_A_COUNTS, 0, NULL);
	EXPECT_REFUSED("PERF_METRICS needs fixed counter 3 to begin at 0: it cannot interrupt");
	beside(SLOTS, USR, 0, true);
	EXPECT_REFUSED("beside an event that interrupts PERF_METRICS is counted in precise records only: BPMU_A_COUNTS is missing");
	mnl_attr_put_u32(begin(), BPMU_A_BATCH, 2);
	EXPECT_REFUSED("counts are of one record an interrupt: BPMU_A_BATCH goes not with BPMU_A_COUNTS");
	mnl_attr_put_u32(begin(), BPMU_A_CHAIN, 10);
	EXPECT_EQ(0, log_send(&own));
}

TEST_HARNESS_MAIN
