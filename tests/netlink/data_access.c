// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of memory accesses in precise records (BPMU_A_EVENT_DATA). The records of loads and stores
 * must have the addresses of the data, and those of the load latency where the data were and how
 * long the load took. The registers by which the CPU writes this must be restored, and the session
 * must notice if another agent has written them.
 */
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "msr.h"

#define PERIOD 2000
#define RARE 100000
#define TURNS 200000
#define USR (1ULL << 16)
/* Event selects in user space: Intel's event file of Sapphire Rapids. */
#define INSTRUCTIONS (USR | 0xc0)
#define LOADS (USR | 0x81d0)
#define STORES (USR | 0x82d0)
#define LATENCY (USR | 0x01cd)
#define AUXILIARY (USR | 0x8203)
/* MEM_LOAD_RETIRED.L1_HIT, which the virtual PMU counts only if it simulates the core */
#define L1_HIT (USR | 0x01d1)
/* MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD and MEM_LOAD_RETIRED.L1D_HIT of Nehalem */
#define NEHALEM_LATENCY (USR | 0x100b)
#define NEHALEM_L1_HIT (USR | 0x01cb)
/* MEM_TRANS_RETIRED.PRECISE_STORE, which only Sandy Bridge and Ivy Bridge have */
#define PRECISE_STORE (USR | 0x02cd)
/*
 * Addresses and bits of MSRs: SDM Vol. 4, table 2-2; Linux, msr-index.h, MSR_PEBS_DATA_CFG and
 * MSR_PEBS_LD_LAT_THRESHOLD, asm/perf_event.h, ICL_EVENTSEL_ADAPTIVE and ICL_FIXED_0_ADAPTIVE.
 */
#define SELECT0 0x186
#define FIXED_CTRL 0x38d
#define PEBS_ENABLE 0x3f1
#define DATA_CFG 0x3f2
#define THRESHOLD 0x3f6
#define ADAPTIVE (1ULL << 34)
#define FIXED_ADAPTIVE (1ULL << 32)

/* bytes of memory: more than the L1 data cache has, and fewer than the L2 has */
#define FAR (256 << 10)
#define LINE 64

static const char no_access[] =
	"this part's records of this event have no memory access, as those of loads or stores have";

static struct log own;
static char *far;

/**
 * struct event - an event of a test
 * @counter: number of the counter
 * @select: event select
 * @threshold: threshold of the load latency in cycles, 0 for none
 * @precise: the event has a period and precise records
 * @data: the records are to have the address of the data
 */
struct event {
	uint32_t counter;
	uint64_t select;
	uint64_t threshold;
	bool precise;
	bool data;
};

/* Loads and stores words of a few lines, in turn. */
static __attribute__((noinline, noclone)) void near(volatile uint64_t *words, unsigned long n)
{
	for (; n; n--) {
		words[n % 16]++;
		words[16 + n % 16] = n;
	}
}

/* Loads a word of each line, again and again: the L1 has forgotten them when their turn comes. */
static __attribute__((noinline, noclone)) void distant(unsigned long n)
{
	unsigned long at;

	for (at = 0; n; n--, at = (at + 7 * LINE) % FAR)
		(void)*(volatile char *)(far + at);
}

/* Stores a word of each line in the same way. */
static __attribute__((noinline, noclone)) void write_distant(unsigned long n)
{
	unsigned long at;

	for (at = 0; n; n--, at = (at + 7 * LINE) % FAR)
		*(volatile char *)(far + at) = n;
}

static struct nlmsghdr *begin(const struct event *event, unsigned int nr)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	struct nlattr *nest;

	for (; nr; nr--, event++) {
		nest = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);
		mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, event->counter);
		mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, event->select);
		if (event->threshold)
			mnl_attr_put_u64(message, BPMU_A_EVENT_FILTER, event->threshold);
		if (event->precise) {
			mnl_attr_put_u32(message, BPMU_A_EVENT_PERIOD,
					 event->data ? PERIOD : RARE);
			mnl_attr_put(message, BPMU_A_EVENT_PRECISE, 0, NULL);
		}
		if (event->data)
			mnl_attr_put(message, BPMU_A_EVENT_DATA, 0, NULL);
		mnl_attr_nest_end(message, nest);
	}
	mnl_attr_nest_end(message, group);
	return message;
}

static bool is_adaptive(void)
{
	return !strcmp(own.part, "spr");
}

/* Returns true if the format of precise records is one before the adaptive ones. */
static bool is_legacy(void)
{
	return !strcmp(own.part, "skl") || !strcmp(own.part, "bdw") || !strcmp(own.part, "ivb") ||
	       !strcmp(own.part, "nhm");
}

static uint64_t latency_select(void)
{
	return strcmp(own.part, "nhm") ? LATENCY : NEHALEM_LATENCY;
}

static uint64_t hit_select(void)
{
	return strcmp(own.part, "nhm") ? L1_HIT : NEHALEM_L1_HIT;
}

#define NEED(format) do { \
	if (!is_##format()) \
		SKIP(return, "this part's precise records have another format"); \
} while (0)

FIXTURE(data_access) {
};

FIXTURE_SETUP(data_access)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	if (!is_adaptive() && !is_legacy())
		SKIP(return, "this part's precise records have no memory accesses");
	if (!far) {
		far = malloc(FAR);
		ASSERT_NE(NULL, far);
		memset(far, 1, FAR);
	}
}

FIXTURE_TEARDOWN(data_access)
{
	genl_close(&own.genl);
	msr_close();
}

/* Returns how many records of an event have an address from @from to @from + @size. */
static unsigned int within(unsigned int event, const volatile void *from, size_t size)
{
	unsigned int i, nr = 0;

	for (i = 0; i < interrupts.nr; i++)
		nr += interrupts.record[i].event == event && interrupts.op[i].present &&
		      interrupts.op[i].op.address - (uint64_t)(uintptr_t)from < size;
	return nr;
}

/* Returns what event @event of the group counted in the session. */
static uint64_t counted(unsigned int event)
{
	return own.sample[own.nr - 1].value[event] - own.sample[0].value[event];
}

static unsigned int records_of(unsigned int event)
{
	unsigned int i, nr = 0;

	for (i = 0; i < interrupts.nr; i++)
		nr += interrupts.record[i].event == event;
	return nr;
}

/* Returns how many records are of a store that hit the L1. */
static unsigned int hits(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < interrupts.nr; i++)
		nr += interrupts.op[i].present && interrupts.op[i].op.flags & BPMU_TAGGED_STORE &&
		      interrupts.op[i].op.source == BPMU_SOURCE_L1;
	return nr;
}

TEST_F(data_access, records_of_loads_and_stores_have_the_address_of_the_data)
{
	static const struct event events[] = {
		{ 0, LOADS, 0, true, true }, { 1, STORES, 0, true, true },
		{ BPMU_COUNTER_FIXED, USR, 0, true, false }, { 2, L1_HIT, 0, false, false },
	};
	static volatile uint64_t words[32];
	const uint32_t known = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS;
	unsigned int i;

	NEED(adaptive);
	mnl_attr_put_u32(begin(events, 4), BPMU_A_BATCH, 16);
	ASSERT_EQ(0, interrupts_start(&own));
	near(words, TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	if (!counted(3))
		SKIP(return, "the core is not simulated");
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LE(80, within(0, words, 16 * sizeof(*words)));
	EXPECT_LE(160, within(1, words, sizeof(words)));
	/* Periods of one reading are equal: an even one keeps to one of the two stores. */
	EXPECT_LE(8, within(1, words + 16, 16 * sizeof(*words)));
	EXPECT_LE(records_of(0) * 8 / 10, within(0, words, sizeof(words)));
	for (i = 0; i < interrupts.nr; i++) {
		ASSERT_EQ(interrupts.record[i].event < 2, interrupts.op[i].present);
		if (interrupts.record[i].event < 2)
			EXPECT_EQ(known | (interrupts.record[i].event ? BPMU_TAGGED_STORE :
									BPMU_TAGGED_LOAD),
				  interrupts.op[i].op.flags & ~BPMU_TAGGED_L1_MISS);
	}
	EXPECT_LE(records_of(1) * 8 / 10, hits());
}

TEST_F(data_access, records_of_the_load_latency_have_source_and_latency)
{
	static const struct event events[] = {
		{ 1, LATENCY, 10, true, true }, { 2, AUXILIARY, 0, false, false },
		{ 0, L1_HIT, 0, false, false },
	};
	const struct bpmu_tagged_op *op;
	unsigned int i, nr = 0;
	uint32_t batch;

	NEED(adaptive);
	for (batch = 1; batch <= 16; batch += 15) {
		mnl_attr_put_u32(begin(events, 3), BPMU_A_BATCH, batch);
		ASSERT_EQ(0, interrupts_start(&own));
		EXPECT_EQ(10, msr_read(THRESHOLD));
		distant(TURNS);
		ASSERT_EQ(0, interrupts_stop(&own));
		EXPECT_EQ(0, interrupts.malformed);
		if (!counted(2))
			SKIP(return, "the core is not simulated");
		EXPECT_LE(50, within(0, far, FAR));
		for (i = 0, nr = 0; i < interrupts.nr; i++) {
			op = &interrupts.op[i].op;
			ASSERT_TRUE(interrupts.op[i].present);
			EXPECT_TRUE(op->flags & BPMU_TAGGED_LOAD);
			EXPECT_LT(10, op->cycles);
			EXPECT_LE(op->latency, op->cycles);
			nr += op->source == BPMU_SOURCE_L2 && op->flags & BPMU_TAGGED_L1_MISS &&
			      op->latency > 0;
		}
		EXPECT_LE(interrupts.nr / 2, nr);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		EXPECT_EQ(0, msr_read(THRESHOLD));
	}
}

/* Another agent's value is restored, and a write during the session is noticed. */
TEST_F(data_access, the_registers_of_groups_are_restored_and_checked)
{
	static const struct event with[] = {
		{ 0, LOADS, 0, true, true }, { BPMU_COUNTER_FIXED, USR, 0, true, false },
	};
	static const struct event without[] = { { 0, LOADS, 0, true, false } };
	static volatile uint64_t words[32];
	unsigned int writes;

	NEED(adaptive);
	ASSERT_EQ(0, msr_write(DATA_CFG, 2));
	begin(without, 1);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(2, msr_read(DATA_CFG));
	EXPECT_EQ(0, msr_read(SELECT0) & ADAPTIVE);
	near(words, 10 * RARE);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LE(5, records_of(0));
	EXPECT_FALSE(interrupts.op[0].present);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	for (writes = 0; writes < 2; writes++) {
		begin(with, 2);
		ASSERT_EQ(0, interrupts_start(&own));
		EXPECT_EQ(1, msr_read(DATA_CFG));
		EXPECT_EQ(ADAPTIVE, msr_read(SELECT0) & ADAPTIVE);
		EXPECT_EQ(FIXED_ADAPTIVE, msr_read(FIXED_CTRL) & FIXED_ADAPTIVE);
		if (writes)
			ASSERT_EQ(0, msr_write(DATA_CFG, 0));
		near(words, 10 * PERIOD);
		ASSERT_EQ(0, interrupts_stop(&own));
		EXPECT_EQ(!writes, within(0, NULL, SIZE_MAX) > 0);
		EXPECT_EQ(writes ? BPMU_SAMPLE_DISTURBED : 0,
			  own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
		EXPECT_EQ(2, msr_read(DATA_CFG));
		EXPECT_EQ(0, msr_read(SELECT0) & ADAPTIVE);
		EXPECT_EQ(0, msr_read(FIXED_CTRL) & FIXED_ADAPTIVE);
	}
	ASSERT_EQ(0, msr_write(DATA_CFG, 0));
}

/*
 * Before the adaptive formats, too, a record says where the data were and how long the load took,
 * if a second bit of IA32_PEBS_ENABLE (SDM Vol. 3, "Load Latency") lets the counter count loads by
 * their latency.
 */
TEST_F(data_access, records_before_the_adaptive_ones_have_source_and_latency)
{
	const struct event events[] = {
		{ 3, latency_select(), 10, true, true }, { 0, hit_select(), 0, false, false },
	};
	const struct bpmu_tagged_op *op;
	unsigned int i, nr = 0;

	NEED(legacy);
	ASSERT_EQ(0, msr_write(PEBS_ENABLE, 0));
	begin(events, 2);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(1ULL << 35 | 1 << 3, msr_read(PEBS_ENABLE));
	EXPECT_EQ(10, msr_read(THRESHOLD));
	EXPECT_EQ(0, msr_read(SELECT0 + 3) & ADAPTIVE);
	distant(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_EQ(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(PEBS_ENABLE));
	EXPECT_EQ(0, msr_read(THRESHOLD));
	/* Without a simulated core there are no accesses. */
	if (!counted(1))
		return;
	EXPECT_LE(50, within(0, far, FAR));
	for (i = 0; i < interrupts.nr; i++) {
		op = &interrupts.op[i].op;
		ASSERT_TRUE(interrupts.op[i].present);
		EXPECT_TRUE(op->flags & BPMU_TAGGED_LOAD);
		EXPECT_EQ(0, op->cycles);
		EXPECT_LT(10, op->latency);
		nr += op->source == BPMU_SOURCE_L2 && op->flags & BPMU_TAGGED_L1_MISS;
	}
	EXPECT_LE(interrupts.nr / 2, nr);
}

/* From Haswell on, records of other events of loads and stores have the address of the data. */
TEST_F(data_access, records_before_the_adaptive_ones_have_the_address_of_the_data)
{
	static const struct event events[] = {
		{ 0, LOADS, 0, true, true }, { 1, STORES, 0, true, true },
		{ 2, L1_HIT, 0, false, false },
	};
	static volatile uint64_t words[32];
	unsigned int i;

	NEED(legacy);
	begin(events, 3);
	if (!strcmp(own.part, "ivb") || !strcmp(own.part, "nhm")) {
		EXPECT_EQ(-EINVAL, log_send(&own));
		EXPECT_STREQ(no_access, own.genl.sentence);
		return;
	}
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(3, msr_read(PEBS_ENABLE));
	near(words, TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	if (!counted(2))
		return;
	EXPECT_LE(records_of(0) * 8 / 10, within(0, words, 16 * sizeof(*words)));
	EXPECT_LE(records_of(1) * 8 / 10, within(1, words, sizeof(words)));
	EXPECT_LE(80, records_of(0));
	EXPECT_LE(160, records_of(1));
	for (i = 0; i < interrupts.nr; i++) {
		ASSERT_TRUE(interrupts.op[i].present);
		EXPECT_EQ(BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS |
			  (interrupts.record[i].event ? BPMU_TAGGED_STORE : BPMU_TAGGED_LOAD),
			  interrupts.op[i].op.flags & ~BPMU_TAGGED_L1_MISS);
	}
	/* The lines of these stores are in the L1. */
	EXPECT_LE(records_of(1) * 8 / 10, hits());
}

/*
 * Precise stores of Sandy Bridge and Ivy Bridge: a further bit of IA32_PEBS_ENABLE (SDM Vol. 3,
 * "Precise Store Facility") turns them on. Records say what a store hit and missed.
 */
TEST_F(data_access, precise_stores_have_the_address_and_what_they_hit)
{
	static const struct event events[] = {
		{ 3, PRECISE_STORE, 0, true, true }, { 0, L1_HIT, 0, false, false },
	};
	static const struct event elsewhere[] = {
		{ 2, PRECISE_STORE, 0, true, true }, { 0, L1_HIT, 0, false, false },
	};
	static volatile uint64_t words[32];
	const uint32_t known = BPMU_TAGGED_BY_PEBS | BPMU_TAGGED_ADDRESS | BPMU_TAGGED_TLBS |
			       BPMU_TAGGED_STORE;
	unsigned int i, missed = 0;

	NEED(legacy);
	begin(events, 2);
	if (strcmp(own.part, "ivb")) {
		EXPECT_EQ(-EINVAL, log_send(&own));
		EXPECT_STREQ("this part writes no precise records (PEBS) of this event",
			     own.genl.sentence);
		return;
	}
	begin(elsewhere, 2);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ("only counter 3 writes precise records (PEBS) of stores on this part",
		     own.genl.sentence);
	begin(events, 2);
	ASSERT_EQ(0, msr_write(PEBS_ENABLE, 0));
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_EQ(1ULL << 63 | 1 << 3, msr_read(PEBS_ENABLE));
	near(words, TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_EQ(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, msr_read(PEBS_ENABLE));
	if (!counted(1))
		return;
	EXPECT_LE(160, records_of(0));
	EXPECT_LE(records_of(0) * 8 / 10, within(0, words, sizeof(words)));
	EXPECT_LE(records_of(0) * 8 / 10, hits());
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_EQ(known, interrupts.op[i].op.flags & known);
	begin(events, 2);
	ASSERT_EQ(0, interrupts_start(&own));
	write_distant(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LE(50, within(0, far, FAR));
	for (i = 0; i < interrupts.nr; i++)
		missed += interrupts.op[i].op.flags & BPMU_TAGGED_L1_MISS &&
			  interrupts.op[i].op.source == BPMU_SOURCE_UNKNOWN;
	EXPECT_LE(interrupts.nr / 2, missed);
}

TEST_F(data_access, old_records_of_the_load_latency_are_alone)
{
	const struct event events[] = {
		{ 3, latency_select(), 10, true, true }, { 0, INSTRUCTIONS, 0, true, false },
	};

	NEED(legacy);
	begin(events, 2);
	EXPECT_EQ(-EINVAL, log_send(&own));
	EXPECT_STREQ("on this part no other event is precise beside the load latency",
		     own.genl.sentence);
}

TEST_F(data_access, what_no_record_has_is_refused)
{
	static const struct {
		struct event event;
		const char *says;
	} cases[] = {
		{ { 0, LOADS, 0, false, true },
		  "only precise records have the address of data: set BPMU_A_EVENT_PRECISE" },
		{ { 0, INSTRUCTIONS, 0, true, true },
		  no_access },
		{ { BPMU_COUNTER_FIXED, USR, 0, true, true },
		  no_access },
		{ { 1, LATENCY, 10, false, false },
		  "the load latency is only counted with BPMU_A_EVENT_PRECISE" },
		{ { 1, LATENCY, 2, true, true },
		  "the load latency needs a threshold of 3 cycles or more as its filter" },
		{ { 1, LATENCY, 0x10000, true, true },
		  "a bit of the event's extra register is reserved on this part" },
		{ { 1, LATENCY, 10, true, true },
		  "the load latency needs its auxiliary event in the same group on this part, see BPMU_A_EVENT_DATA" },
	};
	unsigned int i;

	NEED(adaptive);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		begin(&cases[i].event, 1);
		EXPECT_NE(0, log_send(&own));
		EXPECT_STREQ(cases[i].says, own.genl.sentence);
	}
}

TEST_HARNESS_MAIN
