// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the lists in the answer to BPMU_CMD_GET_INFO: who asks gets each element of a list once,
 * even if the list needs several messages. The longest list has the CPUs whose counters could not
 * be programmed (failures). In the guest of this test, each CPU is a package of its own, so that
 * each CPU also reads uncore counters, and can have one failure for each type of uncore unit.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "fault.h"
#include "log.h"
#include "online.h"

/*
 * Size of the buffer for answers in bytes. The kernel makes the messages of a dump as large as this
 * buffer.
 */
#define BYTES 4096
/*
 * Size of a failure (a CPU whose counters could not be programmed) in a message, in bytes: a nested
 * attribute with three numbers.
 */
#define FAILURE_BYTES (4 + 3 * 8)
/*
 * Maximum number of messages that the test reads: far more than the lists need. A dump with more
 * messages has no end, and fails the test.
 */
#define MESSAGES 64
#define CPUS GENL_CPUS
/*
 * Number of different failures of a CPU: one for each counter bank (the core's counters, or the
 * counters of one type of uncore unit), and one for the prefetchers.
 */
#define FAILURES (BPMU_FAILURE_PREFETCH + 1)
/*
 * The test injects a fault: the event selects of uncore units ignore each write of a value whose
 * bits 15:0 are SELECT, see fault_ignore().
 */
#define SELECT 0x80
/* Value of BPMU_A_PREFETCH that turns the L2 streamer off. */
#define PREFETCH 1

/*
 * Types of uncore units of a server whose counters fail in this test. Each row has the first
 * counter of a unit, and the failure that the module reports if this counter cannot be programmed.
 * Each type has an event whose code is SELECT.
 */
static const struct {
	uint32_t counter;
	uint32_t failure;
} boxes[] = {
	{ BPMU_COUNTER_CHA, BPMU_BANK_CHA },
	{ BPMU_COUNTER_PCU, BPMU_BANK_PCU },
	{ BPMU_COUNTER_UBOX, BPMU_BANK_UBOX },
	{ BPMU_COUNTER_IIO, BPMU_BANK_IIO },
};

#define BOXES (sizeof(boxes) / sizeof(boxes[0]))

/**
 * struct lists - elements of the lists in all messages of a dump
 * @cpu: [CPU], number of times that BPMU_A_CPUS has the CPU
 * @isolated: [CPU], number of times that BPMU_A_INFO_ISOLATED has the CPU
 * @failed: [CPU][&enum bpmu_failure], number of times that the list of failures has this failure of
 *	this CPU
 * @unknown: number of elements with a CPU or a failure that does not exist
 * @failures: number of elements of the list of failures, in all messages
 * @messages: number of netlink messages with failures
 * @error: negative errno with which the dump ended, or 0
 */
struct lists {
	unsigned int cpu[CPUS];
	unsigned int isolated[CPUS];
	unsigned int failed[CPUS][FAILURES];
	unsigned int unknown;
	unsigned int failures;
	unsigned int messages;
	int error;
};

static struct log own;
static struct lists lists;
static unsigned int nr_cpus;

static void take_cpus(unsigned int *times, const struct nlattr *attr)
{
	unsigned int nr = mnl_attr_get_payload_len(attr) / sizeof(uint32_t);
	const uint32_t *cpu = mnl_attr_get_payload(attr);

	for (; nr; nr--, cpu++) {
		if (*cpu < nr_cpus)
			times[*cpu]++;
		else
			lists.unknown++;
	}
}

static void take_failure(const struct nlattr *attr)
{
	uint32_t value[BPMU_A_FAILURE_MAX + 1] = { 0 };
	const struct nlattr *nested;

	mnl_attr_for_each_nested(nested, attr)
		if (mnl_attr_get_type(nested) <= BPMU_A_FAILURE_MAX)
			value[mnl_attr_get_type(nested)] = mnl_attr_get_u32(nested);
	lists.failures++;
	if (value[BPMU_A_FAILURE_CPU] < nr_cpus && value[BPMU_A_FAILURE_WHAT] < FAILURES &&
	    value[BPMU_A_FAILURE_ERROR])
		lists.failed[value[BPMU_A_FAILURE_CPU]][value[BPMU_A_FAILURE_WHAT]]++;
	else
		lists.unknown++;
}

static void take(const struct nlmsghdr *message)
{
	unsigned int before = lists.failures;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr)) {
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_CPUS:
			take_cpus(lists.cpu, attr);
			break;
		case BPMU_A_INFO_ISOLATED:
			take_cpus(lists.isolated, attr);
			break;
		case BPMU_A_FAILURE:
			take_failure(attr);
			break;
		}
	}
	lists.messages += lists.failures > before;
}

/* Reads the messages that one recv() has stored. Returns false if the dump has ended. */
static bool take_all(const char *buffer, int left)
{
	const struct nlmsghdr *message = (const void *)buffer;

	for (; mnl_nlmsg_ok(message, left); message = mnl_nlmsg_next(message, &left)) {
		if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) {
			lists.error = *(const int *)mnl_nlmsg_get_payload(message);
			return false;
		}
		take(message);
	}
	return true;
}

/*
 * Dumps the session's lists of CPUs and failures into @lists. The kernel makes the messages of a
 * dump as large as the largest buffer with which the socket has received so far. So this function
 * opens a new socket and receives with a buffer of BYTES, which makes the kernel split the lists.
 * @lists.error becomes -ELOOP if the dump does not end.
 */
static void ask(void)
{
	struct mnl_socket *socket = mnl_socket_open(NETLINK_GENERIC);
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	static char buffer[BYTES];
	unsigned int i;
	int left;

	memset(&lists, 0, sizeof(lists));
	lists.error = -ELOOP;
	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) ||
	    mnl_socket_sendto(socket, message, message->nlmsg_len) < 0)
		lists.error = -EIO;
	for (i = 0; i < MESSAGES && lists.error == -ELOOP; i++) {
		left = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
		if (left < 0)
			lists.error = -errno;
		else if (!take_all(buffer, left))
			break;
	}
	if (socket)
		mnl_socket_close(socket);
}

static int configure(void)
{
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	uint32_t cpus[CPUS];
	unsigned int i;

	for (i = 0; i < nr_cpus; i++)
		cpus[i] = i;
	mnl_attr_put(message, BPMU_A_CPUS, nr_cpus * sizeof(*cpus), cpus);
	genl_put_group(message, 0, GENL_SELECT);
	for (i = 0; i < BOXES; i++)
		genl_put_group_as(message, BPMU_A_UNCORE_GROUP, boxes[i].counter, SELECT);
	mnl_attr_put_u32(message, BPMU_A_PREFETCH, PREFETCH);
	return log_send(&own);
}

/*
 * Takes a CPU offline and online again. Meanwhile a fault is injected: the CPU's registers ignore
 * writes. Returns 0, or nonzero on an error.
 */
static int back_deaf(uint32_t cpu)
{
	return online(cpu, false) || !fault_inject(cpu, FAULT_COUNTERS | FAULT_PREFETCH) ||
	       !fault_ignore(cpu, SELECT) || online(cpu, true);
}

FIXTURE(lists) {
	int unused;
};

FIXTURE_SETUP(lists)
{
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	GENL_LOAD(return);
	if (!fault_inject(0, 0))
		SKIP(return, "no virtual PMU, whose registers could fail");
	/*
	 * In the test, all CPUs but the first go offline, and cannot be programmed when they come
	 * back online: each has BOXES + 2 failures. Together they must fill more than one message.
	 */
	if ((nr_cpus - 1) * (BOXES + 2) * FAILURE_BYTES < BYTES || nr_cpus > CPUS)
		SKIP(return, "too few CPUs for a list of failures of two messages");
	ASSERT_EQ(0, log_open(&own));
	if (configure() == -EINVAL)
		SKIP(return, "no server with the boxes that fail here");
}

FIXTURE_TEARDOWN(lists)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		fault_inject(cpu, 0);
		fault_ignore(cpu, 0);
	}
	genl_close(&own.genl);
}

TEST_F_TIMEOUT(lists, continue_in_the_next_message, 1200)
{
	unsigned int cpu, i;

	ASSERT_EQ(0, configure());
	ask();
	EXPECT_EQ(0, lists.error);
	EXPECT_EQ(0, lists.failures);
	for (cpu = 1; cpu < nr_cpus; cpu++)
		ASSERT_EQ(0, back_deaf(cpu));
	ask();
	printf("# %u failures in %u messages\n", lists.failures, lists.messages);
	EXPECT_EQ(0, lists.error);
	EXPECT_LT(1, lists.messages);
	EXPECT_EQ(0, lists.unknown);
	EXPECT_EQ((nr_cpus - 1) * (BOXES + 2), lists.failures);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		EXPECT_EQ(1, lists.cpu[cpu]);
		EXPECT_EQ(!!cpu, lists.isolated[cpu]);
		EXPECT_EQ(!!cpu, lists.failed[cpu][BPMU_BANK_CORE]);
		EXPECT_EQ(!!cpu, lists.failed[cpu][BPMU_FAILURE_PREFETCH]);
		for (i = 0; i < BOXES; i++)
			EXPECT_EQ(!!cpu, lists.failed[cpu][boxes[i].failure]);
	}
}

TEST_HARNESS_MAIN
