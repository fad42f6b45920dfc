// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of precise records of which the CPU writes many before it interrupts. The records must
 * stand for all events, name the thread that caused each event, and become readable at samples. The
 * CPU must interrupt less often than it writes records. Records that the CPU loses must be counted.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "interrupts.h"
#include "msr.h"

#define PERIOD 20000
/* A period is a random number that differs from BPMU_A_EVENT_PERIOD by 1/16 of it at most. */
#define SPREAD 16
#define TURNS 4000000
#define BATCH 8
#define SAMPLES 200
/* Time in ms for a message that must come, and for one that must not. */
#define PATIENCE_MS 20000
#define SOON_MS 300
/* sessions that follow each other, and those before them, in which the kernel's caches fill */
#define SESSIONS 100
#define WARM 20
/* least size of a CPU's buffer for BPMU_MAX_BATCH records */
#define BUFFER_KB 16
#define USR (1ULL << 16)
#define OS (1ULL << 17)
/* Event select of retired branches in user space (SDM Vol. 3, table 19-1). */
#define BRANCHES (USR | 0xc4)
/*
 * Addresses and bits of MSRs: SDM Vol. 4, table 2-2; Linux, msr-index.h, MSR_IA32_PEBS_INDEX, union
 * arch_pebs_index, and ARCH_PEBS_CNTR_ALLOW.
 */
#define GLOBAL_CTRL 0x38f
#define STATUS_SET 0x391
#define FROZEN (1ULL << 59)
#define PEBS_INDEX 0x3f5
#define INDEX_ON (1ULL << 32)
#define INDEX_HIGHEST (0x7fffffULL << 36)
#define CONFIG0 0x1903
#define PERF_METRICS 0x329
#define ALLOW (1ULL << 35)
#define TRACING "/sys/kernel/debug/tracing/"

/* Address of the branch of each loop. */
extern const char first_branch, second_branch;

static struct log own;
/* largest BPMU_A_BATCH */
static uint32_t most;

/*
 * Returns what @most has to be. Skylake's and Ice Lake's machines have isolated page tables: a page
 * of 4096 bytes has an area of 448, and records of 200 or up to 64 bytes, half as many of which wait.
 */
static uint32_t most_here(void)
{
	if (!strcmp(own.part, "skl"))
		return (4096 - 448) / 200 / 2;
	return strcmp(own.part, "icx") ? BPMU_MAX_BATCH : (4096 - 448) / 64 / 2;
}

/* Returns true if precise records can have branches: Sapphire Rapids' and Ice Lake's are adaptive. */
static bool is_adaptive(void)
{
	return !strcmp(own.part, "spr") || !strcmp(own.part, "icx");
}

/* Only architectural PEBS has registers by which a test can change what the CPU writes. */
#define NEED_ARCHITECTURAL() do { \
	if (strcmp(own.part, "dmr")) \
		SKIP(return, "this part has no architectural PEBS"); \
} while (0)

/* Executes two instructions and a branch, @n times. */
static __attribute__((noinline, noclone)) void first(unsigned long n)
{
	asm volatile("1: nop; dec %0; first_branch: jnz 1b" : "+r" (n) : : "cc");
}

static __attribute__((noinline, noclone)) void second(unsigned long n)
{
	asm volatile("1: nop; dec %0; second_branch: jnz 1b" : "+r" (n) : : "cc");
}

/* Adds @nr events of branches with precise records, on the first counters. */
static struct nlmsghdr *begin(unsigned int nr, uint32_t period, uint32_t batch)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	unsigned int i;

	for (i = 0; i < nr; i++)
		interrupts_put_event(message, i, BRANCHES, period + i, true);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, batch);
	return message;
}

/* Returns the number of NMIs of CPU 0; UINT64_MAX on an error. */
static uint64_t nmis(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	uint64_t nr = UINT64_MAX;
	char line[4096];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " NMI: %lu", &nr) == 1)
			break;
	if (file)
		fclose(file);
	return nr;
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	ssize_t len = strlen(text);
	int err = fd < 0 || write(fd, text, len) != len;

	if (fd >= 0)
		close(fd);
	return err;
}

/* Returns true if the last sample has the flag of disturbed samples. */
static bool disturbed(void)
{
	return own.sample[own.nr - 1].head.flags & BPMU_SAMPLE_DISTURBED;
}

static uint64_t counted(unsigned int event)
{
	return (own.sample[own.nr - 1].value[event] - own.sample[0].value[event]) &
	       ((1ULL << 48) - 1);
}

static uint64_t sum_of(unsigned int event, uint64_t *longest)
{
	uint64_t sum = 0;
	unsigned int i;

	*longest = 0;
	for (i = 0; i < interrupts.nr; i++) {
		if (interrupts.record[i].event != event)
			continue;
		sum += interrupts.record[i].period;
		if (interrupts.record[i].period > *longest)
			*longest = interrupts.record[i].period;
	}
	return sum;
}

/*
 * Returns the number of records of an event whose number of events since the record before has a
 * prime factor up to 13: in a loop with a length that has it, too, records keep to some
 * instructions. The first record of an event is not counted: the CPU has not set its period.
 */
static unsigned int in_step(unsigned int event)
{
	static const unsigned int primes[] = { 2, 3, 5, 7, 11, 13 };
	unsigned int i, k, seen = 0, nr = 0;

	for (i = 0; i < interrupts.nr; i++) {
		if (interrupts.record[i].event != event || !seen++)
			continue;
		for (k = 0; k < 6 && interrupts.record[i].period % primes[k]; k++)
			;
		nr += k < 6;
	}
	return nr;
}

/* Returns the number of records of an instruction, and in *@other those that name another thread. */
static unsigned int at(const char *address, pid_t pid, unsigned int *other)
{
	unsigned int i, nr = 0;

	*other = 0;
	for (i = 0; i < interrupts.nr; i++) {
		const struct bpmu_who *who = &interrupts.record[i].who;

		if (who->ip != (uintptr_t)address)
			continue;
		nr++;
		*other += who->pid != (uint32_t)pid || who->flags;
	}
	return nr;
}

FIXTURE(batch) {
	int unused;
};

FIXTURE_SETUP(batch)
{
	GENL_LOAD(return);
	MSR_OPEN(return);
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	most = interrupts_info(&own, BPMU_A_INFO_BATCH);
	if (most <= 1)
		SKIP(return, "no precise records here");
}

FIXTURE_TEARDOWN(batch)
{
	genl_close(&own.genl);
	msr_close();
}

/*
 * The sum of the periods is the count of all events up to the last record. Records that are left in
 * the CPU's buffer at the end are read as well.
 */
TEST_F(batch, periods_add_up_to_the_count)
{
	uint64_t longest, shortest = UINT64_MAX, sum, before;
	unsigned int i, other;

	EXPECT_EQ(most_here(), most);
	begin(2, PERIOD, BATCH);
	ASSERT_EQ(0, interrupts_start(&own));
	before = nmis();
	first(TURNS);
	/* Besides the batches, at most one interrupt in two is of another kind. */
	EXPECT_GT(2 * 2 * TURNS / PERIOD / BATCH, nmis() - before);
	EXPECT_LT(2 * TURNS / PERIOD / BATCH / 4, nmis() - before);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LE(2 * (TURNS / PERIOD - TURNS / PERIOD / SPREAD - 2), interrupts.nr);
	for (i = 0; i < 2; i++) {
		sum = sum_of(i, &longest);
		EXPECT_LE(TURNS, counted(i));
		EXPECT_LE(sum, counted(i));
		EXPECT_GE(longest + PERIOD / SPREAD, counted(i) - sum);
		EXPECT_EQ(0, in_step(i));
	}
	for (i = 0; i < interrupts.nr; i++) {
		EXPECT_EQ(i, interrupts.record[i].seq);
		EXPECT_LT(own.sample[0].head.tsc_end, interrupts.record[i].tsc);
		EXPECT_GT(own.sample[1].head.tsc_end, interrupts.record[i].tsc);
		if (i)
			EXPECT_LE(interrupts.record[i - 1].tsc, interrupts.record[i].tsc);
		if (interrupts.record[i].period < shortest)
			shortest = interrupts.record[i].period;
	}
	EXPECT_LE(PERIOD - PERIOD / SPREAD, shortest);
	/* Each batch has a period of its own. */
	EXPECT_LT(shortest + PERIOD / SPREAD, longest);
	EXPECT_LE(interrupts.nr * 9 / 10, at(&first_branch, getpid(), &other));
	EXPECT_EQ(0, other);
	EXPECT_EQ(0, own.sample[1].head.flags & BPMU_SAMPLE_DISTURBED);
}

/* A sample has what the CPU has counted before the record that waits, and lets the record be read. */
TEST_F(batch, a_sample_takes_what_waits)
{
	uint64_t longest, sum;

	begin(1, PERIOD, most);
	ASSERT_EQ(0, interrupts_start(&own));
	first(TURNS / 10);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, interrupts_read(&own));
	ASSERT_EQ(2, own.nr);
	sum = sum_of(0, &longest);
	EXPECT_LE(TURNS / 10, counted(0));
	EXPECT_GT(TURNS / 10 + TURNS / 100, counted(0));
	EXPECT_LE(sum, counted(0));
	EXPECT_GE(longest + PERIOD / SPREAD, counted(0) - sum);
	EXPECT_LE(10, interrupts.nr);
	ASSERT_EQ(0, interrupts_stop(&own));
}

/*
 * The CPU may write a record while a sample is taken: the kernel's instructions are counted, and the
 * sample is taken by them. A second counter, which nothing sets back, has the same count.
 */
TEST_F(batch, a_sample_has_the_periods_of_records_that_wait)
{
	const uint64_t instructions = (own.instructions & ~USR) | OS;
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	unsigned int i;

	interrupts_put_event(message, 0, instructions, BPMU_MIN_PERIOD, true);
	interrupts_put_event(message, 1, instructions, 0, false);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, most);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < SAMPLES; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(SAMPLES + 2, own.nr);
	EXPECT_LE(SAMPLES, interrupts.nr);
	for (i = 1; i < own.nr; i++) {
		int64_t difference = (own.sample[i].value[0] - own.sample[0].value[0]) -
				     (own.sample[i].value[1] - own.sample[0].value[1]);

		/* the instructions between the reads of two counters */
		EXPECT_GT(100, llabs(difference << 16 >> 16));
	}
	EXPECT_EQ(0, interrupts.lost);
}

/* Two processes run alternately, each of them shorter than the CPU takes until it interrupts. */
TEST_F(batch, a_record_names_the_thread_that_caused_the_event)
{
	unsigned int i, nr, other;
	pid_t child;

	begin(1, PERIOD, most);
	ASSERT_EQ(0, interrupts_start(&own));
	child = fork();
	ASSERT_LE(0, child);
	for (i = 0; i < 30; i++) {
		if (child)
			first(5 * PERIOD);
		else
			second(5 * PERIOD);
		sched_yield();
	}
	if (!child)
		_exit(0);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_EQ(0, interrupts_stop(&own));
	nr = at(&first_branch, getpid(), &other);
	EXPECT_LE(100, nr);
	EXPECT_EQ(0, other);
	/* The child has ended: its records have no address in user space and no name. */
	for (i = 0, nr = 0; i < interrupts.nr; i++)
		nr += interrupts.record[i].who.pid == (uint32_t)child;
	EXPECT_LE(100, nr);
	EXPECT_EQ(0, interrupts.lost);
}

/*
 * Lets the CPU write some records, sets an MSR in the role of another agent, and takes a sample.
 * Returns 0 on success.
 */
static int sample_after(uint32_t address, uint64_t value)
{
	int err;

	own.nr = 0;
	begin(1, PERIOD, most);
	err = interrupts_start(&own);
	first(TURNS / 10);
	if (!err)
		err = msr_write(address, value);
	if (!err)
		err = genl_command(&own.genl, BPMU_CMD_SAMPLE);
	return err ? err : interrupts_read(&own);
}

/*
 * The records are read before the sample is taken. For that the module stops the counters, and may
 * not start those that another agent has stopped.
 */
TEST_F(batch, a_sample_shows_that_another_agent_stopped_the_counters)
{
	ASSERT_EQ(0, sample_after(GLOBAL_CTRL, 0));
	EXPECT_LE(10, interrupts.nr);
	EXPECT_TRUE(disturbed());
	EXPECT_EQ(0, msr_read(GLOBAL_CTRL));
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, sample_after(STATUS_SET, FROZEN));
	EXPECT_LE(10, interrupts.nr);
	EXPECT_TRUE(disturbed());
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, sample_after(GLOBAL_CTRL, 1));
	EXPECT_FALSE(disturbed());
	ASSERT_EQ(0, interrupts_stop(&own));
}

/*
 * Lets the CPU write records behind @gap bytes of its buffer that it has not written, and interrupt
 * at each. Returns 0 on success.
 */
static int leave_gap(uint64_t gap)
{
	begin(1, PERIOD, most);
	if (interrupts_start(&own) || msr_write(PEBS_INDEX, INDEX_ON | (1ULL << 36) | gap))
		return -1;
	first(TURNS / 10);
	return interrupts_stop(&own);
}

/* What the module does not understand is a loss, and the records behind it are read no more. */
TEST_F(batch, what_cannot_be_read_is_counted)
{
	NEED_ARCHITECTURAL();
	ASSERT_EQ(0, leave_gap(4096));
	EXPECT_LE(1, interrupts.lost);
	EXPECT_TRUE(disturbed());
}

/*
 * The kernel drops the next NMI that nobody handles if a handler returns more than 1, and complains
 * if it returns 0.
 */
TEST_F(batch, an_interrupt_is_one_to_the_kernel)
{
	unsigned int ours = 0, ones = 0;
	char line[1024];
	FILE *trace;

	ASSERT_EQ(0, write_file(TRACING "trace", "\n"));
	ASSERT_EQ(0, write_file(TRACING "events/nmi/nmi_handler/enable", "1"));
	if (!strcmp(own.part, "dmr"))
		EXPECT_EQ(0, leave_gap(4096));
	begin(1, PERIOD, BATCH);
	EXPECT_EQ(0, interrupts_start(&own));
	first(TURNS);
	EXPECT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, write_file(TRACING "events/nmi/nmi_handler/enable", "0"));
	trace = fopen(TRACING "trace", "r");
	ASSERT_NE(NULL, trace);
	while (fgets(line, sizeof(line), trace)) {
		if (!strstr(line, "bpmu_overflow_nmi"))
			continue;
		ours++;
		ones += !!strstr(line, "handled: 1\n");
	}
	fclose(trace);
	EXPECT_LE(TURNS / PERIOD / BATCH / 2, ours);
	EXPECT_EQ(ours, ones);
}

/*
 * Lets the CPU write records without their counter's value. The module turns the value on again
 * when it reads the buffer, as at a context switch. Returns true if a sample shows it.
 */
static bool lacks_value(void)
{
	own.nr = 0;
	begin(1, PERIOD, most);
	if (interrupts_start(&own) || msr_write(CONFIG0, msr_read(CONFIG0) & ~ALLOW))
		return false;
	first(TURNS / 10);
	return !interrupts_stop(&own) && interrupts.nr && disturbed();
}

TEST_F(batch, a_record_without_its_counter_is_shown)
{
	unsigned int i;

	NEED_ARCHITECTURAL();
	for (i = 0; i < 20 && !lacks_value(); i++)
		;
	EXPECT_LT(i, 20);
	EXPECT_EQ(0, interrupts.lost);
}

/*
 * Sets the offset at which the CPU interrupts beyond its buffer, so that the buffer overruns unless
 * the module reads it before. Returns true if it did.
 */
static bool overruns(void)
{
	begin(1, BPMU_MIN_PERIOD, 2);
	if (interrupts_start(&own) || msr_write(PEBS_INDEX, INDEX_ON | INDEX_HIGHEST))
		return false;
	first(100 * BPMU_MIN_PERIOD);
	return !interrupts_stop(&own) && interrupts.lost;
}

/* A context switch may empty the buffer: the test tries several times. */
TEST_F(batch, what_the_cpu_loses_is_counted)
{
	unsigned int i;

	NEED_ARCHITECTURAL();
	for (i = 0; i < 20 && !overruns(); i++)
		own.nr = 0;
	ASSERT_NE(0, interrupts.lost);
	EXPECT_NE(0, interrupts.nr);
	EXPECT_TRUE(disturbed());
	/* The next run of the session begins anew. */
	own.nr = 0;
	interrupts.lost = 0;
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	first(TURNS / 10);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_FALSE(disturbed());
}

/*
 * The test asks for a buffer for eight records, which nobody reads. The module rounds its size in
 * bytes up to a power of two. A part of a batch fits into it.
 */
TEST_F(batch, what_does_not_fit_into_the_buffer_is_counted)
{
	unsigned int i;
	uint64_t all;

	mnl_attr_put_u32(begin(1, PERIOD, BATCH), BPMU_A_BUFFER_SAMPLES, 8);
	ASSERT_EQ(0, interrupts_start(&own));
	first(TURNS);
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_LE(8, interrupts.nr);
	EXPECT_GT(32, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_EQ(i, interrupts.record[i].seq);
	all = interrupts.nr + interrupts.lost;
	EXPECT_GE(counted(0), all * (PERIOD - PERIOD / SPREAD));
	EXPECT_LE(counted(0), (all + 1) * (PERIOD + PERIOD / SPREAD));
}

/* A buffer for some 20 records, which are read now and then, is filled several times. */
TEST_F(batch, records_go_on_at_the_beginning_of_the_buffer)
{
	uint64_t sum, longest;
	unsigned int i;

	mnl_attr_put_u32(begin(1, PERIOD, BATCH), BPMU_A_BUFFER_SAMPLES, 2 * BATCH);
	ASSERT_EQ(0, interrupts_start(&own));
	for (i = 0; i < TURNS / PERIOD / BATCH; i++) {
		first(PERIOD * BATCH);
		ASSERT_EQ(0, interrupts_read(&own));
	}
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_EQ(0, interrupts.malformed);
	EXPECT_LE(TURNS / PERIOD * 3 / 4, interrupts.nr);
	for (i = 0; i < interrupts.nr; i++)
		EXPECT_EQ(i, interrupts.record[i].seq);
	sum = sum_of(0, &longest);
	EXPECT_LE(sum, counted(0));
	EXPECT_GE(longest + PERIOD / SPREAD, counted(0) - sum);
}

/* Readers wake once, when as many records as they asked for wait. */
TEST_F(batch, readers_wake_at_the_watermark)
{
	static struct genl ear;
	struct nlmsghdr *message;

	ASSERT_EQ(0, genl_open(&ear));
	ASSERT_EQ(0, genl_subscribe(&ear));
	message = begin(1, PERIOD, BATCH);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, 1024);
	mnl_attr_put_u32(message, BPMU_A_WATERMARK, 8 * BATCH);
	ASSERT_EQ(0, interrupts_start(&own));
	first(4 * BATCH * PERIOD);
	EXPECT_FALSE(genl_hears(&ear, BPMU_CMD_WATERMARK, SOON_MS));
	/* The mark is that of the longest records: short ones reach it later. */
	first(32 * BATCH * PERIOD);
	EXPECT_TRUE(genl_hears(&ear, BPMU_CMD_WATERMARK, PATIENCE_MS));
	first(4 * BATCH * PERIOD);
	EXPECT_FALSE(genl_hears(&ear, BPMU_CMD_WATERMARK, SOON_MS));
	ASSERT_EQ(0, interrupts_stop(&own));
	EXPECT_EQ(0, interrupts.lost);
	EXPECT_LE(36 * BATCH, interrupts.nr);
	genl_close(&ear);
}

TEST_F(batch, registers_are_restored)
{
	const uint64_t before = 0x2000000000000010ULL, index = 0x2000000040ULL;
	uint64_t value;

	NEED_ARCHITECTURAL();
	ASSERT_EQ(0, msr_write(CONFIG0, before));
	ASSERT_EQ(0, msr_write(PEBS_INDEX, index));
	begin(1, PERIOD, BATCH);
	ASSERT_EQ(0, interrupts_start(&own));
	value = msr_read(CONFIG0);
	/* the counter's value is in its records; it is set back to minus a period */
	EXPECT_EQ(0x80000038ULL, value >> 32);
	EXPECT_GE(PERIOD + PERIOD / SPREAD, -(int32_t)value);
	EXPECT_LE(PERIOD - PERIOD / SPREAD, -(int32_t)value);
	ASSERT_EQ(0, interrupts_stop(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(before, msr_read(CONFIG0));
	EXPECT_EQ(index, msr_read(PEBS_INDEX));
	msr_write(CONFIG0, 0);
	msr_write(PEBS_INDEX, 0);
}

/* Returns the kB of memory that nothing uses, without what the kernel keeps for speed only. */
static long free_kb(void)
{
	FILE *file;
	char line[128];
	long kb = -1;

	if (write_file("/proc/sys/vm/drop_caches", "3"))
		return -1;
	file = fopen("/proc/meminfo", "r");
	while (file && kb < 0 && fgets(line, sizeof(line), file))
		sscanf(line, "MemFree: %ld kB", &kb);
	if (file)
		fclose(file);
	return kb;
}

/* Single pages could come from those that the kernel keeps for the CPU, and be missed by nobody. */
TEST_F(batch, sessions_give_their_buffers_back)
{
	long before = 0, after;
	unsigned int i;

	if (most < BPMU_MAX_BATCH)
		SKIP(return, "a buffer of this part is a page");
	for (i = 0; i < SESSIONS + WARM; i++) {
		if (i == WARM)
			before = free_kb();
		begin(1, PERIOD, most);
		ASSERT_EQ(0, log_send(&own));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	}
	after = free_kb();
	ASSERT_LT(0, before);
	ASSERT_LT(0, after);
	EXPECT_LT(before - after, SESSIONS * BUFFER_KB / 2);
}

static void take_batch(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == BPMU_A_BATCH)
			*(uint32_t *)data = mnl_attr_get_u32(attr);
}

TEST_F(batch, the_plan_has_it)
{
	uint32_t batch = 0;

	begin(1, PERIOD, BATCH);
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_batch;
	own.genl.data = &batch;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	own.genl.data = &own;
	EXPECT_EQ(BATCH, batch);
}

/*
 * Records with PERF_METRICS need the register to be set back. In this boot it faults, as by the
 * virtual PMU's option fault=.
 */
TEST_F(batch, perf_metrics_that_faults_is_refused_and_leaves_nothing_behind)
{
	struct nlmsghdr *message = interrupts_begin(&own);
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	if (msr_read(PERF_METRICS) != ~0ULL)
		SKIP(return, "PERF_METRICS does not fault here");
	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, BPMU_COUNTER_FIXED + 3, USR, 0, false);
	interrupts_put_event(message, BPMU_COUNTER_METRICS, USR, 0, false);
	mnl_attr_nest_end(message, group);
	mnl_attr_put(message, BPMU_A_COUNTS, 0, NULL);
	EXPECT_EQ(-EOPNOTSUPP, log_send(&own));
	EXPECT_STREQ("a CPU does not take 0 in PERF_METRICS, which each record has to set back, as under some hypervisors",
		     own.genl.sentence);
	begin(1, PERIOD, 1);
	EXPECT_EQ(0, log_send(&own));
}

#define EXPECT_REFUSED(text) do { \
	EXPECT_EQ(-EINVAL, log_send(&own)); \
	EXPECT_STREQ(text, own.genl.sentence); \
} while (0)

static const char only_precise[] =
	"many records an interrupt are for precise records: each event that interrupts needs BPMU_A_EVENT_PRECISE and BPMU_A_EVENT_PERIOD";

static const char one_page[] =
	"one page takes precise records, as page tables are isolated: BPMU_A_BATCH is too large";

static const char no_chains[] =
	"a record that the CPU writes without an interrupt has neither call chains nor, on this part, branch records";

TEST_F(batch, what_goes_not_with_it_is_refused)
{
	struct nlattr *group, *event;
	struct nlmsghdr *message;

	message = interrupts_begin(&own);
	interrupts_put_group(message, BRANCHES, 0);
	mnl_attr_put_u32(message, BPMU_A_BATCH, BATCH);
	EXPECT_REFUSED("only an event that interrupts has precise records: give one a period");
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	interrupts_put_event(message, 0, BRANCHES, PERIOD, true);
	interrupts_put_event(message, 1, BRANCHES, PERIOD, false);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, BATCH);
	EXPECT_REFUSED(only_precise);
	message = interrupts_begin(&own);
	group = mnl_attr_nest_start(message, BPMU_A_GROUP);
	event = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, 0);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, BRANCHES);
	mnl_attr_put_u32(message, BPMU_A_EVENT_FREQUENCY, 1000);
	mnl_attr_put(message, BPMU_A_EVENT_PRECISE, 0, NULL);
	mnl_attr_nest_end(message, event);
	mnl_attr_nest_end(message, group);
	mnl_attr_put_u32(message, BPMU_A_BATCH, BATCH);
	EXPECT_REFUSED(only_precise);
	mnl_attr_put_u32(begin(1, PERIOD, BATCH), BPMU_A_CHAIN, 10);
	EXPECT_REFUSED(no_chains);
	if (interrupts_info(&own, BPMU_A_INFO_BRANCHES)) {
		mnl_attr_put_u32(begin(1, PERIOD, BATCH), BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
		if (!is_adaptive())
			EXPECT_REFUSED(no_chains);
		else if (most < BPMU_MAX_BATCH)
			EXPECT_REFUSED(one_page);
		else
			EXPECT_EQ(0, log_send(&own));
		genl_command(&own.genl, BPMU_CMD_RELEASE);
	}
	mnl_attr_put_u32(begin(1, PERIOD, BATCH), BPMU_A_CHECK, BPMU_CHECK_FREEZE);
	EXPECT_REFUSED("FREEZE stops the counters at an interrupt: it goes not with many records an interrupt");
	begin(1, PERIOD, BPMU_MAX_BATCH + 1);
	EXPECT_NE(0, log_send(&own));
	if (most < BPMU_MAX_BATCH) {
		begin(1, PERIOD, most + 1);
		EXPECT_REFUSED(one_page);
	}
	begin(1, PERIOD, 0);
	EXPECT_NE(0, log_send(&own));
	begin(1, PERIOD, 1);
	EXPECT_EQ(0, log_send(&own));
}

TEST_HARNESS_MAIN
