// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of counter registers that ignore writes. If they do so when a CPU comes back online, a
 * notification, the answer to GET_INFO and the samples of the CPU must say so, and the other CPUs
 * must continue to count. If they do so from the start, the module must refuse the session. If the
 * instruction RDPMC faults (#GP), the module must refuse the session or flag the samples. If CPUID
 * reports a PMU version that no CPU of the model has, the module must refuse this version.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "fault.h"
#include "log.h"
#include "online.h"

/* Timeout in ms for a message that must come: far longer than any delay by a busy host. */
#define PATIENCE_MS 60000
/* Time in ms for which a test waits for a message that must not come. */
#define SOON_MS 300
/* Value of BPMU_A_PREFETCH that turns the L2 streamer off. */
#define PREFETCH 1
#define MOST 8

/**
 * struct failure - a failure of a CPU that the module reports
 * @cpu: number of the CPU
 * @what: what has failed, enum bpmu_failure
 * @error: positive errno of the failure
 */
struct failure {
	uint32_t cpu;
	uint32_t what;
	uint32_t error;
};

/**
 * struct failures - the failures that a message reports
 * @nr: number of failures in the message
 * @failure: the first MOST of them
 */
struct failures {
	unsigned int nr;
	struct failure failure[MOST];
};

static struct log own;
static struct genl ear;

FIXTURE(failures) {
	uint32_t cpu;
};

FIXTURE_SETUP(failures)
{
	GENL_LOAD(return);
	self->cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	if (!self->cpu)
		SKIP(return, "no CPU can be taken offline");
	if (!fault_inject(self->cpu, 0))
		SKIP(return, "no virtual PMU, whose registers could fail");
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, genl_open(&ear));
	ASSERT_EQ(0, genl_subscribe(&ear));
}

FIXTURE_TEARDOWN(failures)
{
	fault_inject(self->cpu, 0);
	online(self->cpu, true);
	genl_close(&own.genl);
	genl_close(&ear);
}

static void take_failures(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr, *nested;
	struct failures *to = data;
	struct failure one;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != BPMU_A_FAILURE)
			continue;
		memset(&one, 0xff, sizeof(one));
		mnl_attr_for_each_nested(nested, attr) {
			uint32_t value = mnl_attr_get_u32(nested);

			switch (mnl_attr_get_type(nested)) {
			case BPMU_A_FAILURE_CPU:
				one.cpu = value;
				break;
			case BPMU_A_FAILURE_WHAT:
				one.what = value;
				break;
			case BPMU_A_FAILURE_ERROR:
				one.error = value;
				break;
			}
		}
		if (to->nr < MOST)
			to->failure[to->nr] = one;
		to->nr++;
	}
}

/* Returns the failures that a dump of GET_INFO lists; @nr is UINT_MAX if the dump fails. */
static struct failures listed(void)
{
	struct failures found = { 0 };

	own.genl.reply = take_failures;
	own.genl.data = &found;
	genl_new(&own.genl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	if (genl_send(&own.genl))
		found.nr = UINT_MAX;
	own.genl.data = &own;
	return found;
}

/*
 * Waits up to @ms for a notification that reports failures. Returns these failures, or no failure
 * if no such notification comes.
 */
static struct failures told_within(int ms)
{
	struct failures found = { 0 };

	while (!found.nr && genl_hears(&ear, BPMU_CMD_FAILURE, ms))
		take_failures(&found, (const void *)ear.buffer);
	return found;
}

static int configure(uint32_t cpu, bool prefetch)
{
	const uint32_t cpus[2] = { 0, cpu };
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpus), cpus);
	genl_put_group(message, 0, own.instructions);
	if (prefetch)
		mnl_attr_put_u32(message, BPMU_A_PREFETCH, PREFETCH);
	return log_send(&own);
}

/*
 * Takes a CPU offline and online again. Meanwhile a fault is injected: the CPU's registers ignore
 * writes. Returns 0, or nonzero on an error.
 */
static int back_deaf(uint32_t cpu, uint32_t what)
{
	return online(cpu, false) || !fault_inject(cpu, what) || online(cpu, true);
}

static int request_and_stop(void)
{
	return genl_command(&own.genl, BPMU_CMD_SAMPLE) ||
	       genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own);
}

/*
 * Stores in @flags the flags of the samples that a CPU has taken since it last came online, and in
 * *@first the first of these samples. Returns the number of samples.
 */
static unsigned int flags_since_online(uint32_t cpu, uint32_t *flags,
				       const struct log_sample **first)
{
	unsigned int i, nr = 0;

	for (i = 0; i < own.nr; i++) {
		if (own.sample[i].head.cpu != cpu)
			continue;
		if (own.sample[i].head.flags & BPMU_SAMPLE_ONLINE) {
			*first = &own.sample[i];
			nr = 0;
		} else if (!*first) {
			continue;
		}
		if (nr < MOST)
			flags[nr++] = own.sample[i].head.flags;
	}
	return nr;
}

/*
 * Returns 3 if a CPU has exactly three samples, which are taken, in this order, when the session
 * starts, when BPMU_CMD_SAMPLE requests a sample, and when the session stops. Otherwise returns
 * another number.
 */
static unsigned int undisturbed(uint32_t cpu)
{
	static const uint32_t want[] = {
		BPMU_SAMPLE_START, BPMU_SAMPLE_REQUEST, BPMU_SAMPLE_STOP,
	};
	unsigned int i, nr = 0;

	for (i = 0; i < own.nr; i++) {
		if (own.sample[i].head.cpu != cpu)
			continue;
		if (nr >= 3 || own.sample[i].head.flags != want[nr] ||
		    own.sample[i].head.nr != 1)
			return 0;
		nr++;
	}
	return nr;
}

TEST_F_TIMEOUT(failures, a_cpu_without_counters_is_flagged_and_others_count_on, 240)
{
	const struct log_sample *first = NULL;
	struct failures found;
	uint32_t flags[MOST];

	ASSERT_EQ(0, configure(self->cpu, false));
	EXPECT_EQ(0, listed().nr);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, back_deaf(self->cpu, FAULT_COUNTERS));
	found = told_within(PATIENCE_MS);
	ASSERT_EQ(1, found.nr);
	EXPECT_EQ(self->cpu, found.failure[0].cpu);
	EXPECT_EQ(BPMU_BANK_CORE, found.failure[0].what);
	EXPECT_EQ(EIO, found.failure[0].error);
	found = listed();
	ASSERT_EQ(1, found.nr);
	EXPECT_EQ(self->cpu, found.failure[0].cpu);
	EXPECT_EQ(BPMU_BANK_CORE, found.failure[0].what);
	EXPECT_EQ(EIO, found.failure[0].error);
	ASSERT_EQ(0, request_and_stop());
	EXPECT_EQ(3, undisturbed(0));
	/*
	 * The CPU that failed has one sample without values after it came online, and no further
	 * sample.
	 */
	ASSERT_EQ(1, flags_since_online(self->cpu, flags, &first));
	EXPECT_EQ(BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED, flags[0]);
	EXPECT_EQ(0, first->head.nr);
	EXPECT_EQ(0, first->head.running);
}

TEST_F_TIMEOUT(failures, a_cpu_that_recovered_counts_again, 240)
{
	const struct log_sample *first = NULL;
	uint32_t flags[MOST];

	ASSERT_EQ(0, configure(self->cpu, false));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, back_deaf(self->cpu, FAULT_COUNTERS));
	ASSERT_EQ(1, told_within(PATIENCE_MS).nr);
	ASSERT_EQ(0, back_deaf(self->cpu, 0));
	EXPECT_EQ(0, told_within(SOON_MS).nr);
	EXPECT_EQ(0, listed().nr);
	ASSERT_EQ(0, request_and_stop());
	EXPECT_EQ(3, undisturbed(0));
	ASSERT_EQ(3, flags_since_online(self->cpu, flags, &first));
	EXPECT_EQ(BPMU_SAMPLE_ONLINE, flags[0]);
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, flags[1]);
	EXPECT_EQ(BPMU_SAMPLE_STOP, flags[2]);
	EXPECT_EQ(1, first->head.nr);
}

TEST_F_TIMEOUT(failures, prefetchers_that_cannot_be_switched_flag_each_sample, 240)
{
	const struct log_sample *first = NULL;
	struct failures found;
	uint32_t flags[MOST];

	ASSERT_EQ(0, configure(self->cpu, true));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, back_deaf(self->cpu, FAULT_PREFETCH));
	found = told_within(PATIENCE_MS);
	ASSERT_EQ(1, found.nr);
	EXPECT_EQ(self->cpu, found.failure[0].cpu);
	EXPECT_EQ(BPMU_FAILURE_PREFETCH, found.failure[0].what);
	EXPECT_EQ(EROFS, found.failure[0].error);
	found = listed();
	ASSERT_EQ(1, found.nr);
	EXPECT_EQ(self->cpu, found.failure[0].cpu);
	EXPECT_EQ(BPMU_FAILURE_PREFETCH, found.failure[0].what);
	ASSERT_EQ(0, request_and_stop());
	EXPECT_EQ(3, undisturbed(0));
	ASSERT_EQ(3, flags_since_online(self->cpu, flags, &first));
	EXPECT_EQ(BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_PREFETCH, flags[0]);
	EXPECT_EQ(BPMU_SAMPLE_REQUEST | BPMU_SAMPLE_PREFETCH, flags[1]);
	EXPECT_EQ(BPMU_SAMPLE_STOP | BPMU_SAMPLE_PREFETCH, flags[2]);
	EXPECT_EQ(1, first->head.nr);
}

FIXTURE(broken) {
	int unused;
};

FIXTURE_SETUP(broken)
{
	GENL_LOAD(return);
	if (!fault_inject(0, 0))
		SKIP(return, "no virtual PMU, whose registers could fail");
	ASSERT_EQ(0, log_open(&own));
}

FIXTURE_TEARDOWN(broken)
{
	fault_inject(0, 0);
	fault_version(0);
	genl_close(&own.genl);
}

static int configure_select(uint32_t counter, uint64_t select)
{
	const uint32_t cpu = 0;
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group(message, counter, select);
	return log_send(&own);
}

static const char does_not_work[] = "a counter register does not work; a hypervisor may hide it";

/*
 * An event select of 0 counts nothing, so the module must refuse it. It cannot rely on its check of
 * registers, which writes a value and reads it back: a register that ignores writes reads as 0, and
 * 0 is the value that was written.
 */
TEST_F(broken, a_select_that_counts_nothing_is_refused)
{
	static const char nothing[] =
		"without USR (bit 16) and OS (bit 17) an event counts nothing; set one of them";
	const uint64_t os = 0x20000, any = 0x200000;

	ASSERT_TRUE(fault_inject(0, FAULT_COUNTERS | FAULT_RDPMC));
	EXPECT_EQ(-EINVAL, configure_select(0, 0));
	EXPECT_STREQ(nothing, own.genl.sentence);
	fault_inject(0, 0);
	EXPECT_EQ(-EINVAL, configure_select(0, GENL_SELECT & 0xffff));
	EXPECT_STREQ(nothing, own.genl.sentence);
	EXPECT_EQ(0, configure_select(0, (GENL_SELECT & 0xffff) | os));
	if (configure_select(BPMU_COUNTER_FIXED, os))
		return;
	EXPECT_EQ(-EINVAL, configure_select(BPMU_COUNTER_FIXED, 0));
	EXPECT_STREQ(nothing, own.genl.sentence);
	EXPECT_EQ(-EINVAL, configure_select(BPMU_COUNTER_FIXED, any));
}

TEST_F(broken, counters_that_cannot_be_written_refuse_the_session)
{
	ASSERT_TRUE(fault_inject(0, FAULT_VALUES));
	EXPECT_EQ(-EIO, configure_select(0, GENL_SELECT));
	EXPECT_STREQ(does_not_work, own.genl.sentence);
	fault_inject(0, 0);
	EXPECT_EQ(0, configure_select(0, GENL_SELECT));
}

TEST_F(broken, an_rdpmc_that_faults_refuses_the_session)
{
	ASSERT_TRUE(fault_inject(0, FAULT_RDPMC));
	EXPECT_EQ(-EIO, configure_select(0, GENL_SELECT));
	EXPECT_STREQ(does_not_work, own.genl.sentence);
	fault_inject(0, 0);
	EXPECT_EQ(0, configure_select(0, GENL_SELECT));
}

TEST_F(broken, an_rdpmc_that_faults_later_flags_the_samples)
{
	unsigned int i;

	ASSERT_EQ(0, configure_select(0, GENL_SELECT));
	ASSERT_TRUE(fault_inject(0, FAULT_RDPMC));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	ASSERT_EQ(3, own.nr);
	for (i = 0; i < own.nr; i++) {
		EXPECT_NE(0, own.sample[i].head.flags & BPMU_SAMPLE_DISTURBED);
		EXPECT_EQ(1, own.sample[i].head.nr);
		EXPECT_EQ(0, own.sample[i].value[0]);
	}
}

static int load(void)
{
	return system("modprobe barepmu 2>/dev/null || insmod /lib/barepmu.ko 2>/dev/null");
}

TEST_F(broken, a_cpuid_of_another_version_refuses_the_module)
{
	if (!strcmp(own.part, "knc") || !strncmp(own.part, "zen", 3))
		SKIP(return, "leaf 0xA does not enumerate the counters of this part");
	genl_close(&own.genl);
	ASSERT_EQ(0, system("rmmod barepmu"));
	ASSERT_TRUE(fault_version(1));
	EXPECT_NE(0, load());
	EXPECT_EQ(0, system("dmesg | grep barepmu: | tail -n 1 | grep -q ': no usable counters, CPUID reports version 1 with [1-9] general counters'"));
	fault_version(0);
	ASSERT_EQ(0, load());
	ASSERT_EQ(0, log_open(&own));
	EXPECT_EQ(0, configure_select(0, GENL_SELECT));
}

TEST_HARNESS_MAIN
