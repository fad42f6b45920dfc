// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sampled ops (AMD's IBS): records have the ops' addresses, data addresses, sources and
 * latencies, their periods add up to what was counted, other agents are found, and the control
 * register is restored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "fault.h"
#include "interrupts.h"
#include "kptr.h"
#include "msr.h"

#define PERIOD 4000
/* A period is a random number that differs from BPMU_A_EVENT_PERIOD by 1/16 of it at most. */
#define SPREAD 16
/* The maximum count of IBS is a multiple of this number; periods of ops are not. */
#define STEP 16
#define TURNS 400000
#define USR (1ULL << 16)
#define OS (1ULL << 17)
/* bits of the select: ops are counted, not cycles; only loads that miss the L3 are sampled */
#define OPS 1
#define L3_MISS 2
#define STREAMS 4
#define LATENCY(n) ((uint64_t)(n) << 8)
/* IBS_OP_CTL: MSR and enable bit (Linux, msr-index.h, IBS_OP_ENABLE) */
#define OP_CTL 0xc0011033
#define ON (1ULL << 17)
/* the bit of BPMU_A_INFO_IBS with which non-temporal stores can be chosen */
#define BY_STREAMS (1U << 16)
/* A session must leave alone these bits, a maximum count that has no meaning while IBS is off. */
#define FOUND 0x123
#define LINE 64
/* twice as many lines as the L3 of the virtual Zen 4 has */
#define LINES (1 << 20)
#define LINES_OF_PAGE (4096 / LINE)

extern const char loop_begin, loop_end;

static struct log own;
static char memory[LINES][LINE] __attribute__((aligned(4096)));

/* Executes four instructions, @n times. */
static __attribute__((noinline, noclone)) void loop(unsigned long n)
{
	asm volatile("loop_begin: nop; nop; dec %0; jnz loop_begin; loop_end:"
		     : "+r" (n) : : "cc");
}

/*
 * Reads lines that no cache holds, in an order that no prefetcher knows; each call goes on where the
 * last one has ended.
 */
static __attribute__((noinline, noclone)) unsigned long miss(unsigned long n)
{
	static unsigned long at = 1;
	unsigned long sum = 0;

	while (n--) {
		at = (at * 1664525 + 1013904223) % LINES;
		sum += *(volatile char *)memory[at ^ sum];
	}
	return sum;
}

static struct nlmsghdr *begin(uint64_t select, uint32_t period, bool precise)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, BPMU_COUNTER_IBS_OP, select, period, precise);
	mnl_attr_nest_end(message, group);
	return message;
}

static uint64_t counted(void)
{
	return (own.sample[own.nr - 1].value[0] - own.sample[0].value[0]) & ((1ULL << 48) - 1);
}

static bool is_ours(unsigned int i)
{
	const struct bpmu_who *who = &interrupts.record[i].who;

	return who->pid == (uint32_t)getpid() && !(who->flags & BPMU_WHO_KERNEL);
}

static bool is_in_loop(unsigned int i)
{
	uint64_t ip = interrupts.record[i].who.ip;

	return ip >= (uintptr_t)&loop_begin && ip < (uintptr_t)&loop_end;
}

static uint64_t sum_of_periods(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < interrupts.nr; i++)
		sum += interrupts.record[i].period;
	return sum;
}

static unsigned int wrong_periods(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < interrupts.nr; i++)
		nr += interrupts.record[i].period + PERIOD / SPREAD < PERIOD ||
		      interrupts.record[i].period > PERIOD + PERIOD / SPREAD;
	return nr;
}

/* Writes all pages of the memory: what was never written is one page of zeros, which a cache holds. */
static void own_memory(void)
{
	unsigned int i;

	for (i = 0; i < LINES; i += LINES_OF_PAGE)
		*(volatile char *)memory[i] = 0;
}

FIXTURE(ops) {
	uint64_t before;
};

FIXTURE_SETUP(ops)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	if (!interrupts_info(&own, BPMU_A_INFO_IBS))
		SKIP(return, "no IBS here");
	kptr_restrict('0');
	self->before = msr_read(OP_CTL);
}

FIXTURE_TEARDOWN(ops)
{
	genl_close(&own.genl);
	kptr_restrict('0');
	msr_close();
}

TEST_F(ops, each_sample_is_of_an_op_of_the_loop)
{
	unsigned int i, ours = 0, inside = 0, without = 0;

	begin(USR | OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		without += !interrupts.op[i].present;
		if (!is_ours(i))
			continue;
		ours++;
		inside += is_in_loop(i);
		/* An op without an address, which has that of the interrupt, may be one before the loop. */
		if (is_in_loop(i) && !(interrupts.op[i].op.flags & BPMU_TAGGED_INEXACT))
			EXPECT_EQ(0, interrupts.op[i].op.flags & BPMU_TAGGED_ADDRESS);
	}
	EXPECT_EQ(0, without);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LT(TURNS * 3 / PERIOD / 2, ours);
	EXPECT_LT(ours * 8 / 10, inside);
}

/* Returns the set of what the lengths of the periods are above multiples of STEP. */
static unsigned int remainders(void)
{
	unsigned int i, set = 0;

	for (i = 0; i < interrupts.nr; i++)
		set |= 1U << interrupts.record[i].period % STEP;
	return set;
}

TEST_F(ops, periods_are_exact)
{
	begin(USR | OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(TURNS / PERIOD, interrupts.nr);
	EXPECT_EQ(0, wrong_periods());
	EXPECT_LT(STEP / 2, __builtin_popcount(remainders()));
	EXPECT_LE(sum_of_periods(), counted());
	EXPECT_LT(counted(), sum_of_periods() + PERIOD + PERIOD / SPREAD);
}

/* Returns the number of samples whose count is below that of the sample before. */
static unsigned int decreases(void)
{
	unsigned int i, nr = 0;

	for (i = 1; i < own.nr; i++)
		nr += (own.sample[i].value[0] - own.sample[i - 1].value[0]) >> 47 & 1;
	return nr;
}

TEST_F(ops, ops_of_other_levels_are_left_out)
{
	unsigned int i;

	begin(USR | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < 100; i++) {
		loop(TURNS / 100);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	}
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, decreases());
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_EQ(0, interrupts.record[i].who.flags & BPMU_WHO_KERNEL);
	EXPECT_LT(TURNS / PERIOD, interrupts.nr);
	EXPECT_EQ(sum_of_periods(), counted());
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	own.nr = 0;
	begin(OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < 20000; i++)
		getppid();
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LT(10, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_NE(0, interrupts.record[i].who.flags & BPMU_WHO_KERNEL);
}

/*
 * The virtual machine of this test has each 16th op without an address. IBS then has an address of
 * the kernel in its register, by which the op must not be left out.
 */
TEST_F(ops, an_op_without_an_address_has_that_of_the_interrupt)
{
	unsigned int i, inexact = 0;

	begin(USR | OPS, PERIOD / 4, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		EXPECT_EQ(0, interrupts.record[i].who.ip >> 63);
		inexact += !!(interrupts.op[i].op.flags & BPMU_TAGGED_INEXACT);
	}
	EXPECT_LT(i / 32, inexact);
	EXPECT_LT(inexact, i / 8 + 1);
}

TEST_F(ops, loads_that_miss_have_address_source_and_latency)
{
	unsigned int i, loads = 0, misses = 0, outside = 0;
	const struct bpmu_tagged_op *op;

	own_memory();
	begin(USR | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	miss(TURNS / 4);
	ASSERT_EQ(0, interrupts_stop(&own));
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		op = &interrupts.op[i].op;
		if (!is_ours(i) || !(op->flags & BPMU_TAGGED_LOAD) ||
		    op->source < BPMU_SOURCE_L3)
			continue;
		loads++;
		misses += op->flags & BPMU_TAGGED_L1_MISS && op->latency > 20 &&
			  op->cycles >= op->latency;
		outside += op->address < (uintptr_t)memory ||
			   op->address >= (uintptr_t)memory + sizeof(memory);
	}
	EXPECT_LT(5, loads);
	EXPECT_EQ(loads, misses);
	EXPECT_LT(outside, loads / 4 + 1);
}

TEST_F(ops, only_loads_that_miss_are_sampled_where_that_is_asked_for)
{
	unsigned int i, all;

	own_memory();
	begin(USR | OS | OPS, PERIOD / 4, false);
	ASSERT_EQ(0, interrupts_start(&own));
	miss(TURNS / 4);
	ASSERT_EQ(0, interrupts_stop(&own));
	all = interrupts.nr;
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	own.nr = 0;
	begin(USR | OS | OPS | L3_MISS, PERIOD / 4, false);
	if (interrupts_start(&own)) {
		EXPECT_STREQ("zen2", own.part);
		return;
	}
	for (i = 0; i < 100; i++) {
		miss(TURNS / 400);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	}
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, decreases());
	EXPECT_EQ(sum_of_periods(), counted());
	EXPECT_LT(interrupts.nr, all / 2);
	EXPECT_LT(10, interrupts.nr);
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++)
		EXPECT_LE(BPMU_SOURCE_MEMORY, interrupts.op[i].op.source);
}

/* Writes lines past the caches, @n times, with as many other stores. */
static void store_past(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		asm volatile("movnti %1, %0" : "=m" (memory[i % LINES][0]) : "r" (i));
		*(volatile char *)&memory[i % LINES_OF_PAGE][8] = i;
	}
}

TEST_F(ops, only_non_temporal_stores_are_sampled_where_that_is_asked_for)
{
	bool can = interrupts_info(&own, BPMU_A_INFO_IBS) & BY_STREAMS;
	unsigned int i, ours = 0, past = 0;

	own_memory();
	begin(USR | OPS | STREAMS, PERIOD / 4, false);
	if (!can) {
		EXPECT_NE(0, log_send(&own));
		return;
	}
	ASSERT_EQ(0, interrupts_start(&own)) TH_LOG("%s", own.genl.sentence);
	store_past(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(sum_of_periods(), counted());
	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++) {
		ours += is_ours(i);
		past += is_ours(i) && interrupts.op[i].op.flags & BPMU_TAGGED_STORE &&
			!(interrupts.op[i].op.address % LINE);
	}
	EXPECT_LT(10, ours);
	EXPECT_EQ(ours, past);
}

TEST_F(ops, what_ibs_cannot_do_is_refused)
{
	begin(USR | OS | OPS, 0, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("IBS samples ops, and counts for that alone: give the event a period",
		     own.genl.sentence);
	begin(USR | OS | OPS, PERIOD, true);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("IBS tells the op's address without this: leave it out", own.genl.sentence);
	begin(USR | OS | OPS | 8, PERIOD, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_EQ(0, strncmp(own.genl.sentence, "legal for IBS: ", 15));
	begin(USR | OS | LATENCY(17), PERIOD, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_EQ(0, strncmp(own.genl.sentence, "legal for IBS: ", 15));
	EXPECT_EQ(self->before, msr_read(OP_CTL));
}

/* A session with ops has registers of both kinds; which one does not work is not told. */
TEST_F(ops, a_register_that_does_not_work_is_told)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	int err;

	interrupts_put_event(message, BPMU_COUNTER_IBS_OP, USR | OS | OPS, PERIOD, false);
	interrupts_put_event(message, 0, GENL_SELECT, 0, false);
	mnl_attr_nest_end(message, group);
	ASSERT_TRUE(fault_inject(0, FAULT_VALUES));
	err = log_send(&own);
	fault_inject(0, 0);
	EXPECT_EQ(-EIO, err);
	EXPECT_STREQ("a register of counters or of IBS does not work; a hypervisor may hide it",
		     own.genl.sentence);
}

TEST_F(ops, another_agent_is_not_disturbed)
{
	ASSERT_EQ(0, msr_write(OP_CTL, ON));
	EXPECT_NE(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES) & BPMU_OBSTACLE_IBS);
	begin(USR | OS | OPS, PERIOD, false);
	EXPECT_NE(0, log_send(&own));
	EXPECT_STREQ("another agent samples ops of a CPU (IBS); stop it first, such as perf record -e ibs_op//",
		     own.genl.sentence);
	EXPECT_EQ(ON, msr_read(OP_CTL));
	ASSERT_EQ(0, msr_write(OP_CTL, self->before));
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES) & BPMU_OBSTACLE_IBS);
}

TEST_F(ops, the_own_session_is_no_other_agent)
{
	begin(USR | OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	EXPECT_NE(0, msr_read(OP_CTL) & ON);
	EXPECT_EQ(0, interrupts_info(&own, BPMU_A_INFO_OBSTACLES));
	ASSERT_EQ(0, interrupts_stop(&own));
}

/* The maximum count of the other agent is so long that it does not interrupt. */
TEST_F(ops, another_agent_that_begins_later_is_left_alone)
{
	const uint64_t other = ON | 0x7f0ffff;

	begin(USR | OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS / 10);
	ASSERT_EQ(0, msr_write(OP_CTL, other));
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_NE(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	EXPECT_EQ(other, msr_read(OP_CTL) & 0xffffffff);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(other, msr_read(OP_CTL) & 0xffffffff);
	ASSERT_EQ(0, msr_write(OP_CTL, self->before));
}

TEST_F(ops, the_control_register_is_restored)
{
	ASSERT_EQ(0, msr_write(OP_CTL, FOUND));
	begin(USR | OS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS);
	EXPECT_NE(0, msr_read(OP_CTL) & ON);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, msr_read(OP_CTL) & ON);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(FOUND, msr_read(OP_CTL));
	ASSERT_EQ(0, msr_write(OP_CTL, self->before));
}

TEST_F(ops, a_sample_tells_that_another_agent_has_written_the_register)
{
	begin(USR | OS | OPS, PERIOD, false);
	ASSERT_EQ(0, interrupts_start(&own));
	loop(TURNS / 10);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, interrupts_read(&own));
	EXPECT_EQ(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
	ASSERT_EQ(0, msr_write(OP_CTL, 0));
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_NE(0, own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED);
}

/* Samples system calls, and reads the records while kptr_restrict is @restricted. */
static int sample_kernel(char restricted)
{
	unsigned int i;
	int err;

	begin(USR | OS | OPS, PERIOD, false);
	err = interrupts_start(&own);
	for (i = 0; i < 20000; i++)
		getppid();
	err = err ? err : kptr_restrict(restricted);
	return err ? err : interrupts_stop(&own);
}

static unsigned int kernel_data(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < interrupts.nr && i < INTERRUPTS_CHAINS; i++)
		nr += (int64_t)interrupts.op[i].op.address < 0;
	return nr;
}

TEST_F(ops, kernel_data_addresses_are_hidden_with_its_code)
{
	ASSERT_EQ(0, sample_kernel('0'));
	EXPECT_LT(0, kernel_data());
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	own.nr = 0;
	ASSERT_EQ(0, sample_kernel('2'));
	EXPECT_LT(10, interrupts.nr);
	EXPECT_EQ(0, kernel_data());
}

TEST_HARNESS_MAIN
