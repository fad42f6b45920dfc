// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's lists in the answers to BPMU_CMD_GET_INFO: a reader gets each list whole,
 * whatever the size of messages is. The module's source is compiled unchanged. The faked machine
 * has more CPUs than a guest can have.
 */
#include "kernel/net/genetlink.h"

#include <libmnl/libmnl.h>

#include "../../kmod/netlink/netlink_list.c"

#include "unit.h"

/* The kernel's limit for x86 (CONFIG_NR_CPUS). */
#define CPUS 8192
#define KINDS BPMU_BANKS
/*
 * HEADERS: number of bytes of the headers of a message. FAILURE: number of bytes of a failure in a
 * list of failures: an attribute header and three attributes. No list has larger elements.
 */
#define HEADERS 20
#define FAILURE (4 + 3 * 8)
/* Size of the kernel's messages: NLMSG_GOODSIZE on x86-64. */
#define GOOD_SIZE 3776

unsigned int nr_cpu_ids;

static struct bpmu_pmu pmus[2];
static struct bpmu_session_view session;
static struct nlattr *attrs[BPMU_A_MAX + 1];
static unsigned char buffer[65536];

/*
 * What the messages received so far have. @cpu, @isolated, @failure: how often the CPU was listed
 * as online, as isolated, and with the failure. @empty: number of messages that list nothing.
 * @interrupted: number of messages with NLM_F_DUMP_INTR.
 */
static struct {
	unsigned int cpu[CPUS];
	unsigned int isolated[CPUS];
	unsigned int failure[CPUS][KINDS];
	unsigned int empty;
	unsigned int interrupted;
} seen;

/*
 * The faked machine: each seventh CPU is offline, each third is isolated, and CPUs from 500 on have
 * another core type.
 */
bool cpu_possible(unsigned int cpu)
{
	/* The kernel reads a bit of a mask that ends here. */
	assert_true(cpu < nr_cpu_ids);
	return true;
}

bool cpu_online(unsigned int cpu)
{
	return cpu % 7 != 3;
}

bool cpu_is_isolated(unsigned int cpu)
{
	return cpu % 3 == 1;
}

const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu)
{
	return &pmus[cpu >= 500];
}

void bpmu_session_view_begin(struct bpmu_session_view *view)
{
	*view = session;
}

void bpmu_session_view_end(void)
{
}

/*
 * Returns whether a CPU has a failure in bank @what (a set of counters). Each fifth CPU has
 * failures in two banks.
 */
static bool has_failed(unsigned int cpu, unsigned int what)
{
	return cpu % 5 == 2 && (what == cpu % KINDS || what == (cpu + 3) % KINDS);
}

bool bpmu_counters_next_failure(const struct bpmu_counted *counted, unsigned int *at,
				struct bpmu_failure_info *info)
{
	assert_ptr_equal(counted, session.counted);
	for (; *at < nr_cpu_ids * KINDS; (*at)++)
		if (has_failed(*at / KINDS, *at % KINDS)) {
			info->cpu = *at / KINDS;
			info->what = *at % KINDS;
			info->error = -EIO;
			(*at)++;
			return true;
		}
	return false;
}

const struct genl_family *bpmu_dump_family(struct netlink_callback *cb)
{
	(void)cb;
	return NULL;
}

struct nlattr **bpmu_dump_attrs(struct netlink_callback *cb)
{
	(void)cb;
	return attrs;
}

static void take_cpus(unsigned int *times, const struct nlattr *attr)
{
	const u32 *cpu = mnl_attr_get_payload(attr);
	unsigned int nr = mnl_attr_get_payload_len(attr) / sizeof(*cpu);

	seen.empty += !nr;
	for (; nr; nr--)
		times[*cpu++]++;
}

static void take_failure(const struct nlattr *attr)
{
	u32 value[BPMU_A_FAILURE_MAX + 1] = { 0 };
	const struct nlattr *nested;

	mnl_attr_for_each_nested(nested, attr)
		value[mnl_attr_get_type(nested)] = mnl_attr_get_u32(nested);
	assert_int_equal(value[BPMU_A_FAILURE_ERROR], EIO);
	seen.failure[value[BPMU_A_FAILURE_CPU]][value[BPMU_A_FAILURE_WHAT]]++;
}

static void take(const struct nlmsghdr *message)
{
	const struct nlattr *attr;
	bool empty = true;

	seen.interrupted += !!(message->nlmsg_flags & NLM_F_DUMP_INTR);
	mnl_attr_for_each(attr, message, sizeof(struct genlmsghdr)) {
		empty = false;
		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_CPUS:
			take_cpus(seen.cpu, attr);
			break;
		case BPMU_A_INFO_ISOLATED:
			take_cpus(seen.isolated, attr);
			break;
		case BPMU_A_FAILURE:
			take_failure(attr);
			break;
		default:
			fail_msg("%u", mnl_attr_get_type(attr));
		}
	}
	seen.empty += empty;
}

/*
 * Receives all lists in messages of at most @size bytes. Before message number @next is made, a new
 * run of the session begins. Returns the number of messages.
 */
static unsigned int dump(unsigned int size, unsigned int next)
{
	struct nlmsghdr request = { .nlmsg_seq = 7 };
	struct sk_buff answer = { .data = buffer, .size = size };
	struct netlink_ext_ack extack = { 0 };
	struct netlink_callback cb = { .skb = &answer, .nlh = &request, .extack = &extack };
	const struct nlmsghdr *message;
	unsigned int nr;
	int left;

	memset(&seen, 0, sizeof(seen));
	session.run = 1;
	for (nr = 0; nr <= CPUS * KINDS; nr++) {
		session.run += nr == next;
		answer.len = 0;
		left = bpmu_netlink_list(&answer, &cb);
		assert_true(left >= 0 && (unsigned int)left <= size);
		if (!left)
			return nr;
		for (message = (const void *)buffer; mnl_nlmsg_ok(message, left);
		     message = mnl_nlmsg_next(message, &left))
			take(message);
		assert_int_equal(left, 0);
	}
	fail_msg("a dump without an end");
	return 0;
}

/*
 * Checks the received lists of one core type, which has the CPUs @first to @end - 1. The list of
 * online CPUs has each online CPU of this core type once, and no other CPU. The lists of isolated
 * CPUs and of failures have the CPUs of all core types.
 */
static void assert_all_once(unsigned int first, unsigned int end)
{
	unsigned int cpu, what;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		assert_int_equal(seen.cpu[cpu], cpu_online(cpu) && cpu >= first && cpu < end);
		assert_int_equal(seen.isolated[cpu], cpu_online(cpu) && cpu_is_isolated(cpu));
		for (what = 0; what < KINDS; what++)
			assert_int_equal(seen.failure[cpu][what],
					 session.counted->settings && has_failed(cpu, what));
	}
	assert_int_equal(seen.empty, 0);
}

TEST_FIXTURE(setup)
{
	static struct bpmu_counted counted;

	counted.settings = &counted;
	session.counted = &counted;
	memset(attrs, 0, sizeof(attrs));
	nr_cpu_ids = CPUS;
	return 0;
}

TEST_BETWEEN(lists_continue_in_messages_of_any_size, setup, NULL)
{
	unsigned int size;

	nr_cpu_ids = 60;
	for (size = HEADERS + FAILURE; size < 1200; size++) {
		assert_true(dump(size, -1) > 0);
		assert_all_once(0, 500);
		assert_int_equal(seen.interrupted, 0);
	}
	/*
	 * One message has room for all lists: 4 bytes for each online CPU, and 28 bytes for each
	 * failure.
	 */
	assert_int_equal(dump(4000, -1), 1);
	assert_all_once(0, 500);
}

TEST_BETWEEN(lists_of_8192_cpus_come_whole, setup, NULL)
{
	struct {
		struct nlattr attr;
		u32 cpu;
	} asked = { { .nla_len = 8, .nla_type = BPMU_A_INFO_CPU }, 501 };
	unsigned int bytes = 0, cpu, what;

	attrs[BPMU_A_INFO_CPU] = &asked.attr;
	for (cpu = 0; cpu < CPUS; cpu++) {
		bytes += 4 * (cpu_online(cpu) && cpu >= 500);
		bytes += 4 * (cpu_online(cpu) && cpu_is_isolated(cpu));
		for (what = 0; what < KINDS; what++)
			bytes += FAILURE * has_failed(cpu, what);
	}
	/* No message ends before a failure for which it still has room. */
	assert_in_range(dump(GOOD_SIZE, -1), bytes / GOOD_SIZE + 1,
			bytes / (GOOD_SIZE - 4 * HEADERS - FAILURE) + 1);
	assert_all_once(500, CPUS);
}

TEST_BETWEEN(without_a_session_there_are_no_failures, setup, NULL)
{
	static const struct bpmu_counted none;

	session.counted = &none;
	dump(GOOD_SIZE, -1);
	assert_all_once(0, 500);
}

TEST_BETWEEN(another_run_interrupts_the_dump, setup, NULL)
{
	assert_true(dump(GOOD_SIZE, 2) > 3);
	assert_int_equal(seen.interrupted, 1);
}

TEST_BETWEEN(an_unknown_cpu_is_refused, setup, NULL)
{
	struct netlink_ext_ack extack = { 0 };
	struct netlink_callback cb = { .extack = &extack };
	struct {
		struct nlattr attr;
		u32 cpu;
	} asked = { { .nla_len = 8, .nla_type = BPMU_A_INFO_CPU }, CPUS };

	attrs[BPMU_A_INFO_CPU] = &asked.attr;
	assert_int_equal(bpmu_netlink_list(NULL, &cb), -ENODEV);
	assert_string_equal(extack._msg, "there is no such CPU");
}
