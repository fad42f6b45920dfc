// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's tracepoints and debugfs files: what they show must agree with the samples
 * and the state of the session.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <kselftest_harness.h>

#include "log.h"
#include "msr.h"

#define MS 1000000ULL
#define DEBUG "/sys/kernel/debug/"
#define EVENTS DEBUG "tracing/events/barepmu/"
#define MSR_EVENTS DEBUG "tracing/events/msr/"
#define TRACE DEBUG "tracing/trace"
/* Maximum number of register accesses that are traced for a CONFIGURE with one event. */
#define ACCESSES 25
/* Address of an MSR (SDM Vol. 4, table 2-2). */
#define GLOBAL_CTRL 0x38f

static struct log own;

static int write_file(const char *path, const char *text)
{
	FILE *stream = fopen(path, "we");
	int err;

	if (!stream)
		return -1;
	err = fputs(text, stream) < 0;
	return fclose(stream) || err ? -1 : 0;
}

/* Returns the number of lines of a text file that contain both @one and @other. */
static unsigned int lines(const char *path, const char *one, const char *other)
{
	FILE *stream = fopen(path, "re");
	unsigned int nr = 0;
	char line[1024];

	while (stream && fgets(line, sizeof(line), stream))
		nr += strstr(line, one) && strstr(line, other);
	if (stream)
		fclose(stream);
	return nr;
}

static unsigned int traced(const char *event)
{
	return lines(TRACE, event, "cpu=0");
}

static unsigned int traced_msrs(void)
{
	return lines(TRACE, "read_msr: ", "") + lines(TRACE, "write_msr: ", "");
}

static unsigned int shown(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), DEBUG "barepmu/%s", file);
	return lines(path, text, "");
}

static void sleep_ms(unsigned int ms)
{
	const struct timespec ts = { ms / 1000, ms % 1000 * MS };

	nanosleep(&ts, NULL);
}

FIXTURE(seen) {
	int unused;
};

FIXTURE_SETUP(seen)
{
	GENL_LOAD(return);
	if (access(EVENTS, F_OK))
		SKIP(return, "the kernel has no tracepoints");
	ASSERT_EQ(0, log_pin(0));
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, write_file(TRACE, ""));
	ASSERT_EQ(0, write_file(EVENTS "enable", "1"));
}

FIXTURE_TEARDOWN(seen)
{
	write_file(EVENTS "enable", "0");
	genl_close(&own.genl);
}

TEST_F(seen, each_sample_and_each_loss_is_traced)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = 5 * MS, .timer = BPMU_TIMER_HARD,
		.buffer = 16,
	};
	char text[64];

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	sleep_ms(200);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_LT(0, own.lost);
	ASSERT_LT(2, own.nr);
	EXPECT_EQ(own.nr, traced("bpmu_sample"));
	EXPECT_EQ(own.lost, traced("bpmu_lost"));
	snprintf(text, sizeof(text), "cpu 0 held 0 of 16 lost %llu ",
		 (unsigned long long)own.lost);
	EXPECT_EQ(1, shown("losses", text));
	/*
	 * BPMU_CMD_CONFIGURE has programmed the counters of the group. BPMU_CMD_START finds the
	 * group's values still in the registers, and does not program the counters again.
	 */
	EXPECT_EQ(1, traced("bpmu_program"));
	EXPECT_EQ(1, traced("bpmu_start"));
	EXPECT_EQ(0, traced("bpmu_restore"));
	EXPECT_EQ(0, traced("bpmu_disturbed"));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(1, traced("bpmu_restore"));
}

TEST_F(seen, each_slice_is_traced)
{
	const struct log_plan plan = {
		.groups = 2, .interval_ns = 5 * MS, .timer = BPMU_TIMER_HARD,
	};
	unsigned int i, slices = 0;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	sleep_ms(100);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	for (i = 0; i < own.nr; i++)
		slices += own.sample[i].head.flags == BPMU_SAMPLE_TIMER;
	ASSERT_LT(2, slices);
	EXPECT_EQ(slices + 1, traced("bpmu_program"));
	EXPECT_EQ(slices + 1, traced("bpmu_start"));
}

/*
 * Of the counters, the module must write only the one that the session uses. The kernel's
 * tracepoints of MSRs show this. For BPMU_CMD_CONFIGURE, the module reads and saves all event
 * selects and the control and status registers. It saves the used counter, checks by a write that
 * this counter works, and programs it.
 */
TEST_F(seen, registers_that_a_group_does_not_use_are_left_alone)
{
	const struct log_plan plan = { .groups = 1, .timer = BPMU_TIMER_HARD };

	if (access(MSR_EVENTS, F_OK))
		SKIP(return, "the kernel does not trace MSRs");
	ASSERT_EQ(0, write_file(MSR_EVENTS "enable", "1"));
	ASSERT_EQ(0, log_configure(&own, &plan));
	EXPECT_GE(ACCESSES, traced_msrs());
	EXPECT_LE(1, lines(TRACE, "write_msr: c1,", "") + lines(TRACE, "write_msr: 4c1,", ""));
	EXPECT_EQ(0, lines(TRACE, "write_msr: c2,", "") + lines(TRACE, "write_msr: 4c2,", ""));
	EXPECT_EQ(0, lines(TRACE, "write_msr: 309,", ""));
	ASSERT_EQ(0, write_file(MSR_EVENTS "enable", "0"));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
}

TEST_F(seen, registers_written_by_another_agent_are_traced)
{
	const struct log_plan plan = { .groups = 1 };

	if (strcmp(own.part, "ivb"))
		SKIP(return, "the registers are those of Ivy Bridge");
	MSR_OPEN(return);
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	EXPECT_EQ(0, traced("bpmu_disturbed"));
	ASSERT_EQ(0, msr_write(GLOBAL_CTRL, 0));
	msr_close();
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	EXPECT_EQ(1, traced("bpmu_disturbed: cpu=0 bank=core group=0 events=1"));
}

TEST_F(seen, debugfs_has_state_groups_and_registers)
{
	const struct log_plan plan = { .groups = 1 };
	char text[64];

	EXPECT_EQ(1, shown("session", "state: idle"));
	EXPECT_EQ(0, shown("session", "owner"));
	ASSERT_EQ(0, log_configure(&own, &plan));
	EXPECT_EQ(1, shown("session", "state: ready"));
	snprintf(text, sizeof(text), "owner: seen (process %d)", getpid());
	EXPECT_EQ(1, shown("session", text));
	EXPECT_EQ(1, shown("session", "cpus: 0\n"));
	EXPECT_EQ(1, shown("session", "interval: 0 ns by an hrtimer\n"));
	/* state, owner, run, plan, cpus, interval and buffer */
	EXPECT_EQ(7, shown("session", ""));
	EXPECT_EQ(1, shown("groups", "bank core, core type 0, group 0"));
	snprintf(text, sizeof(text), "counter 0 sibling 0 select %#llx",
		 (unsigned long long)own.instructions);
	EXPECT_EQ(1, shown("groups", text));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	EXPECT_EQ(1, shown("session", "state: running"));
	snprintf(text, sizeof(text), "now: select0 %#llx",
		 (unsigned long long)own.instructions | 1 << 22);
	EXPECT_EQ(1, shown("registers", text));
	EXPECT_LE(1, shown("registers", "found: select0 0x0\n"));
	EXPECT_EQ(1, shown("registers", "found: counter0 "));
	EXPECT_EQ(0, shown("registers", "found: counter1 "));
	EXPECT_EQ(0, shown("registers", "found: fixed0 "));
	snprintf(text, sizeof(text), "written: select0 %#llx",
		 (unsigned long long)own.instructions | 1 << 22);
	EXPECT_LE(1, shown("registers", text));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, shown("registers", "written"));
	EXPECT_EQ(0, shown("groups", ""));
	EXPECT_EQ(0, shown("losses", ""));
}

TEST_F(seen, debugfs_has_the_settings)
{
	struct nlmsghdr *message = genl_plan(&own.genl);

	mnl_attr_put_u64(message, BPMU_A_INTERVAL_NS, 20 * MS);
	mnl_attr_put_u32(message, BPMU_A_TIMER, BPMU_TIMER_TICK);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, 64);
	mnl_attr_put_u32(message, BPMU_A_WATERMARK, 7);
	mnl_attr_put(message, BPMU_A_TAKE_OVER, 0, NULL);
	if (!strcmp(own.part, "ivb"))
		mnl_attr_put_u32(message, BPMU_A_PREFETCH, 5);
	ASSERT_EQ(0, genl_send(&own.genl));
	EXPECT_EQ(1, shown("session", "interval: 20000000 ns by the timer tick\n"));
	EXPECT_EQ(1, shown("session", "buffer: 64 samples of "));
	EXPECT_EQ(1, shown("session", ", watermark 7\n"));
	EXPECT_EQ(1, shown("session", "enabled counters are taken over\n"));
	EXPECT_EQ(!strcmp(own.part, "ivb"), shown("session", "prefetchers off: 0x5\n"));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_RELEASE));
}

TEST_HARNESS_MAIN
