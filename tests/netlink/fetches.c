// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sampled fetches (AMD's IBS), alone and beside sampled ops: records have the addresses
 * that were fetched and what the fetches missed, their periods add up to what was counted, other
 * agents are found, and the control register is restored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "kptr.h"
#include "msr.h"

#define PERIOD 4000
/* A period is a random number that differs from BPMU_A_EVENT_PERIOD by 1/16 of it at most. */
#define SPREAD 16
/* The maximum count of IBS is a multiple of this number. */
#define STEP 16
#define TURNS 400000
#define USR (1ULL << 16)
#define OS (1ULL << 17)
/* bits of the select: the count begins at a random number; only fetches that miss the L3 */
#define RANDOM 1
#define L3_MISS 2
/* only fetches that take at least n times 128 cycles */
#define LATENCY(n) ((uint64_t)(n) << 8)
/*
 * bits of BPMU_A_INFO_IBS with which fetches can be filtered by misses (Zen 4); there are second
 * control registers; fetches can be filtered by latency (Zen 6)
 */
#define FILTERS (1U << 11)
#define SECOND (1U << 13)
#define BY_LATENCY (1U << 14)
/* bit of the select of ops: ops are counted, not cycles */
#define OPS 1
#define OP_PERIOD 6000
/* IBS_FETCH_CTL: MSR, enable bit (Linux, msr-index.h, IBS_FETCH_ENABLE), valid bit, random bit */
#define FETCH_CTL 0xc0011030
#define ON (1ULL << 48)
#define VALID (1ULL << 49)
#define RANDOM_ON (1ULL << 57)
/* IBS_OP_CTL, its enable bit and its valid bit */
#define OP_CTL 0xc0011033
#define OP_ON (1ULL << 17)
#define OP_VALID (1ULL << 18)
/* IBS_FETCH_CTL2, IBS_OP_CTL2, and their bit that keeps IBS off (Linux, IBS_FETCH_2_DIS) */
#define FETCH_CTL2 0xc001103f
#define OP_CTL2 0xc001103e
#define OFF 1
/* A session must leave alone these bits, a maximum count that has no meaning while IBS is off. */
#define FOUND 0x123
/* code that no cache holds: an instruction "ret" in each of these lines */
#define LINE 64
/* twice as many lines as the L3 of the virtual Zen 4 has */
#define LINES (1 << 20)
#define RET 0xc3

static struct log own;

/* Executes four instructions, @n times. */
static __attribute__((noinline, noclone)) void loop(unsigned long n)
{
	asm volatile("1: nop; nop; dec %0; jnz 1b" : "+r" (n) : : "cc");
}

/*
 * Calls functions in lines that no cache holds, in an order that no prefetcher knows. A call takes
 * a few fetches: with periods that are multiples of 16 each sample could be of the same one of them.
 */
static void call_far(unsigned char *code, unsigned long n)
{
	unsigned long at = 1;

	while (n--) {
		at = (at * 1664525 + 1013904223) % LINES;
		((void (*)(void))(code + at * LINE))();
	}
}

/* Returns code of LINES functions that return; NULL without memory. */
static unsigned char *make_code(void)
{
	unsigned char *code = mmap(NULL, (size_t)LINES * LINE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	if (code == MAP_FAILED)
		return NULL;
	for (i = 0; i < LINES; i++)
		code[i * LINE] = RET;
	return code;
}

static void begin(uint64_t select, uint32_t period, bool precise, bool ops)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, BPMU_COUNTER_IBS_FETCH, select, period, precise);
	if (ops)
		interrupts_put_event(message, BPMU_COUNTER_IBS_OP, USR | OS | OPS, OP_PERIOD, false);
	mnl_attr_nest_end(message, group);
}

/* Returns what event number @event has counted. */
static uint64_t counted(unsigned int event)
{
	return (own.sample[own.nr - 1].value[event] - own.sample[0].value[event]) &
	       ((1ULL << 48) - 1);
}

static uint64_t sum_of_periods(unsigned int event)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < interrupts.nr; i++)
		sum += interrupts.record[i].event == event ? interrupts.record[i].period : 0;
	return sum;
}

/*
 * Returns the number of events of event number @event that may have been counted since its last
 * interrupt. The module doubles all periods if its handler takes much of the time.
 */
static uint64_t most_left(unsigned int event)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < interrupts.nr; i++)
		if (interrupts.record[i].event == event && interrupts.record[i].period > most)
			most = interrupts.record[i].period;
	return 2 * most;
}

static bool is_ours(unsigned int i)
{
	const struct bpmu_who *who = &interrupts.record[i].who;

	return who->pid == (uint32_t)getpid() && !(who->flags & BPMU_WHO_KERNEL);
}

static bool is_within(unsigned int i, uintptr_t first, size_t bytes)
{
	return interrupts.record[i].who.ip - first < bytes;
}

FIXTURE(fetches) {
	uint64_t before;
	uint64_t op_before;
};

FIXTURE_SETUP(fetches)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	if (!(interrupts_info(&own, BPMU_A_INFO_IBS) & 2))
		SKIP(return, "no IBS of fetches here");
	kptr_restrict('0');
	self->before = msr_read(FETCH_CTL);
	self->op_before = msr_read(OP_CTL);
}

FIXTURE_TEARDOWN(fetches)
{
	genl_close(&own.genl);
	kptr_restrict('0');
	msr_close();
}

TEST_F(fetches, each_sample_is_of_a_fetch_of_the_loop)
{
	const uint32_t hit = BPMU_FETCHED_COMPLETE | BPMU_FETCHED_REFILL;
	unsigned int i, ours = 0, inside = 0, hits = 0;
	const struct bpmu_fetched *fetch;

	begin(USR | OS, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		fetch = &interrupts.fetch[i].fetch;
		EXPECT_TRUE(interrupts.fetch[i].present);
		EXPECT_FALSE(interrupts.op[i].present);
		EXPECT_EQ(4096, fetch->page);
		EXPECT_EQ(0, fetch->pad);
		if (!is_ours(i))
			continue;
		ours++;
		inside += is_within(i, (uintptr_t)loop, LINE);
		hits += (fetch->flags & ~BPMU_FETCHED_ZEN4) == hit && !fetch->latency &&
			!fetch->refill;
	}
	EXPECT_LT(TURNS / PERIOD / 2, ours);
	EXPECT_LT(ours * 8 / 10, inside);
	EXPECT_LT(ours * 8 / 10, hits);
}

TEST_F(fetches, periods_add_up_to_what_was_counted)
{
	unsigned int i;

	begin(USR | OS, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(TURNS / PERIOD / 2, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++) {
		EXPECT_EQ(0, interrupts.record[i].period % STEP);
		EXPECT_LE(PERIOD - PERIOD / SPREAD - STEP, interrupts.record[i].period);
		EXPECT_GE(PERIOD + PERIOD / SPREAD, interrupts.record[i].period);
	}
	EXPECT_LE(sum_of_periods(0), counted(0));
	EXPECT_LE(counted(0), sum_of_periods(0) + PERIOD + PERIOD / SPREAD);
}

TEST_F(fetches, code_that_is_far_has_misses_and_latency)
{
	unsigned char *code = make_code();
	unsigned int i, far = 0, slow = 0, walked = 0, refilled = 0;
	const struct bpmu_fetched *fetch;

	ASSERT_NE(NULL, code);
	begin(USR | RANDOM, BPMU_MIN_PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	call_far(code, TURNS / 4);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		fetch = &interrupts.fetch[i].fetch;
		if (!is_ours(i) || !is_within(i, (uintptr_t)code, (size_t)LINES * LINE))
			continue;
		if (fetch->flags & BPMU_FETCHED_L1_MISS && fetch->flags & BPMU_FETCHED_L2_MISS) {
			far++;
			slow += fetch->latency > 20;
		}
		if (fetch->flags & BPMU_FETCHED_TLB2_MISS) {
			walked++;
			refilled += fetch->flags & BPMU_FETCHED_TLB_MISS && fetch->refill > 0 &&
				    fetch->refill <= fetch->latency;
		}
	}
	EXPECT_LT(10, far);
	EXPECT_EQ(far, slow);
	EXPECT_LT(10, walked);
	EXPECT_EQ(walked, refilled);
	munmap(code, (size_t)LINES * LINE);
}

TEST_F(fetches, only_misses_of_the_l3_are_sampled_where_that_is_asked_for)
{
	unsigned char *code = make_code();
	unsigned int i;

	ASSERT_NE(NULL, code);
	if (!(interrupts_info(&own, BPMU_A_INFO_IBS) & FILTERS)) {
		begin(USR | OS | L3_MISS, PERIOD, false, false);
		EXPECT_NE(0, log_send(&own));
		EXPECT_STREQ("legal for fetches of IBS: USR, OS, bit 0; where it has them bits 1 (L3), 11:8 (latency)",
			     own.genl.sentence);
		return;
	}
	begin(USR | OS | L3_MISS | RANDOM, BPMU_MIN_PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	call_far(code, TURNS / 2);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(2, interrupts.nr);
	EXPECT_EQ(sum_of_periods(0), counted(0));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++)
		EXPECT_NE(0, interrupts.fetch[i].fetch.flags & BPMU_FETCHED_L3_MISS);
	munmap(code, (size_t)LINES * LINE);
}

TEST_F(fetches, only_slow_fetches_are_sampled_where_that_is_asked_for)
{
	unsigned char *code = make_code();
	unsigned int i;

	ASSERT_NE(NULL, code);
	if (!(interrupts_info(&own, BPMU_A_INFO_IBS) & BY_LATENCY)) {
		begin(USR | OS | LATENCY(2), PERIOD, false, false);
		EXPECT_NE(0, log_send(&own));
		return;
	}
	begin(USR | OS | LATENCY(2) | RANDOM, BPMU_MIN_PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	call_far(code, TURNS / 2);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(2, interrupts.nr);
	EXPECT_EQ(sum_of_periods(0), counted(0));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++)
		EXPECT_LE(256, interrupts.fetch[i].fetch.latency);
	munmap(code, (size_t)LINES * LINE);
}

TEST_F(fetches, fetches_of_other_levels_are_left_out)
{
	unsigned int i;

	begin(USR, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(TURNS / PERIOD / 2, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_EQ(0, interrupts.record[i].who.flags & BPMU_WHO_KERNEL);
	EXPECT_EQ(sum_of_periods(0), counted(0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	own.nr = 0;
	begin(OS, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < 10000; i++)
		getppid();
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(5, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_NE(0, interrupts.record[i].who.flags & BPMU_WHO_KERNEL);
}

/* One NMI may find samples of both, and two NMIs may come when both are stopped. */
TEST_F(fetches, ops_are_sampled_at_the_same_time)
{
	unsigned int i, ops = 0, wrong = 0;

	begin(USR | OS, PERIOD, false, true);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	EXPECT_NE(0, msr_read(FETCH_CTL) & ON);
	EXPECT_NE(0, msr_read(OP_CTL) & OP_ON);
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.malformed);
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		ops += interrupts.record[i].event;
		wrong += interrupts.op[i].present != (interrupts.record[i].event == 1) ||
			 interrupts.fetch[i].present != (interrupts.record[i].event == 0);
	}
	EXPECT_EQ(0, wrong);
	EXPECT_LT(TURNS * 3 / OP_PERIOD / 2, ops);
	EXPECT_LT(TURNS / PERIOD / 2, interrupts.nr - ops);
	for (i = 0; i < 2; i++) {
		EXPECT_LE(sum_of_periods(i), counted(i));
		EXPECT_LE(counted(i), sum_of_periods(i) + most_left(i));
	}
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(self->before, msr_read(FETCH_CTL));
	EXPECT_EQ(self->op_before, msr_read(OP_CTL));
}

TEST_F(fetches, the_count_begins_at_a_random_number_where_that_is_asked_for)
{
	begin(USR | OS | RANDOM, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_NE(0, msr_read(FETCH_CTL) & RANDOM_ON);
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(TURNS / PERIOD / 2, interrupts.nr);
	EXPECT_LE(sum_of_periods(0), counted(0));
}

TEST_F(fetches, what_ibs_cannot_do_is_refused)
{
	begin(USR | OS, 0, false, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("IBS samples fetches, and counts for that alone: give the event a period",
		     own.genl.sentence);
	begin(USR | OS, PERIOD, true, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("IBS tells the fetch's address without this: leave it out", own.genl.sentence);
	begin(USR | OS | 4, PERIOD, false, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_EQ(0, strncmp(own.genl.sentence, "legal for fetches of IBS: ", 26));
	EXPECT_EQ(self->before, msr_read(FETCH_CTL));
}

TEST_F(fetches, another_agent_is_not_disturbed)
{
	ASSERT_EQ(0, msr_write(FETCH_CTL, ON));
	EXPECT_EQ(BPMU_OBSTACLE_IBS_FETCH, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	begin(USR | OS, PERIOD, false, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("another agent samples fetches of a CPU (IBS); stop it first, such as perf record -e ibs_fetch//",
		     own.genl.sentence);
	EXPECT_EQ(ON, msr_read(FETCH_CTL));
	ASSERT_EQ(0, msr_write(FETCH_CTL, self->before));
	ASSERT_EQ(0, msr_write(OP_CTL, OP_ON));
	EXPECT_EQ(BPMU_OBSTACLE_IBS, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	begin(USR | OS, PERIOD, false, false);
	EXPECT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	EXPECT_EQ(BPMU_OBSTACLE_IBS, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(OP_ON, msr_read(OP_CTL));
	ASSERT_EQ(0, msr_write(OP_CTL, self->op_before));
}

/* Ends a session in which loop() has run: fetches and ops were sampled, undisturbed by others. */
static void end_both(struct __test_metadata *_metadata)
{
	unsigned int i, ops = 0;

	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr; i++)
		ops += interrupts.record[i].event;
	EXPECT_LT(TURNS * 3 / OP_PERIOD / 2, ops);
	EXPECT_LT(TURNS / PERIOD / 2, interrupts.nr - ops);
	EXPECT_EQ(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
}

/* Where there are second control registers, perf stops by these, and leaves the enable bits set. */
TEST_F(fetches, agents_that_have_stopped_by_the_second_registers_are_no_others)
{
	const uint64_t other = ON | 0xffff, other_op = OP_ON | 0xffff;

	if (!(interrupts_info(&own, BPMU_A_INFO_IBS) & SECOND))
		return;
	ASSERT_EQ(0, msr_write(FETCH_CTL2, OFF));
	ASSERT_EQ(0, msr_write(FETCH_CTL, other));
	ASSERT_EQ(0, msr_write(OP_CTL2, OFF));
	ASSERT_EQ(0, msr_write(OP_CTL, other_op));
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	begin(USR | OS, PERIOD, false, true);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	loop(TURNS);
	EXPECT_EQ(0, msr_read(FETCH_CTL2));
	EXPECT_EQ(0, msr_read(OP_CTL2));
	end_both(_metadata);
	EXPECT_EQ(OFF, msr_read(FETCH_CTL2));
	EXPECT_EQ(other, msr_read(FETCH_CTL));
	EXPECT_EQ(OFF, msr_read(OP_CTL2));
	EXPECT_EQ(other_op, msr_read(OP_CTL) & (OP_ON | 0xffff));
	ASSERT_EQ(0, msr_write(FETCH_CTL, self->before));
	ASSERT_EQ(0, msr_write(FETCH_CTL2, 0));
	ASSERT_EQ(0, msr_write(OP_CTL, self->op_before));
	ASSERT_EQ(0, msr_write(OP_CTL2, 0));
}

/* Linux' perf can leave IBS enabled with a sample that nobody takes: nothing is counted then. */
TEST_F(fetches, samples_that_nobody_takes_are_no_other_agents)
{
	const uint64_t left = ON | VALID | 0xffff, left_op = OP_ON | OP_VALID | 0xffff;

	ASSERT_EQ(0, msr_write(FETCH_CTL, left));
	ASSERT_EQ(0, msr_write(OP_CTL, left_op));
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	begin(USR | OS, PERIOD, false, true);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	loop(TURNS);
	end_both(_metadata);
	EXPECT_EQ(left, msr_read(FETCH_CTL));
	EXPECT_EQ(left_op, msr_read(OP_CTL));
	ASSERT_EQ(0, msr_write(FETCH_CTL, self->before));
	ASSERT_EQ(0, msr_write(OP_CTL, self->op_before));
}

/* The maximum count of the other agent is so long that it does not interrupt. */
TEST_F(fetches, another_agent_that_begins_later_is_left_alone)
{
	const uint64_t other = ON | 0xffff;

	begin(USR | OS, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS / 10);
	ASSERT_EQ(0, msr_write(FETCH_CTL, other));
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_NE(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(other, msr_read(FETCH_CTL) & (ON | 0xffff));
	ASSERT_EQ(0, msr_write(FETCH_CTL, self->before));
}

TEST_F(fetches, the_control_register_is_restored)
{
	ASSERT_EQ(0, msr_write(FETCH_CTL, FOUND));
	begin(USR | OS, PERIOD, false, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	EXPECT_NE(0, msr_read(FETCH_CTL) & ON);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, msr_read(FETCH_CTL) & ON);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(FOUND, msr_read(FETCH_CTL));
	ASSERT_EQ(0, msr_write(FETCH_CTL, self->before));
}

TEST_HARNESS_MAIN
