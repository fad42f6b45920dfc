// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sessions on CPUs of two core types: the module refuses invalid groups of events with a
 * sentence. When BPMU_CMD_SWAP replaces the groups of a running session, no counts are lost on CPUs
 * of either core type.
 */
#include <errno.h>
#include <string.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

#define MS 1000000ULL
/*
 * Numbers of general-purpose counters of the efficient cores and of the performance cores, from
 * arch/intel_g*.c.
 */
#define FEWER_COUNTERS 6
#define MORE_COUNTERS 8
#define SLOTS (BPMU_COUNTER_FIXED + 3)
/* Number of the first counter of the uncore's arbiter. */
#define ARBITER (BPMU_COUNTER_UNCORE + BPMU_COUNTERS_PER_BOX)
#define USR 0x10000ULL

static const char both_or_none[] =
	"the CPUs have two core types: BPMU_A_GROUP is for that of the lowest CPU, BPMU_A_OTHER_GROUP for the other; give both, or choose CPUs of one core type, which BPMU_CMD_GET_INFO lists";
static const char one_core_type[] =
	"all CPUs have one core type: use BPMU_A_GROUP";
static const char no_counter[] = "this CPU has no counter of that number";
static const char need_interval[] =
	"several groups are multiplexed by the interval: BPMU_A_INTERVAL_NS is missing";

static struct log own;

static struct genl_cpus big, small;

/*
 * Stores in @big the CPUs with the core type of CPU 0, and in @small the CPUs of the other core
 * type. In the virtual machine, the CPUs in @small have higher numbers than those in @big. Returns
 * 0 or a negative errno.
 */
static int find_core_types(void)
{
	int code = genl_core_type(&own.genl, 0, &big);

	if (code)
		return code;
	return genl_core_type(&own.genl, big.cpu[big.nr - 1] + 1, &small);
}

FIXTURE(hybrid) {
	int unused;
};

FIXTURE_SETUP(hybrid)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, log_open(&own));
	if (strcmp(own.part, "adl") || find_core_types())
		SKIP(return, "only a hybrid part has two core types");
}

FIXTURE_TEARDOWN(hybrid)
{
	genl_close(&own.genl);
}

static struct nlmsghdr *begin(void)
{
	return genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
}

static void put_other(struct nlmsghdr *message, uint32_t counter)
{
	genl_put_group_as(message, BPMU_A_OTHER_GROUP, counter, GENL_SELECT);
}

static void put_cpus(struct nlmsghdr *message, const struct genl_cpus *cpus)
{
	mnl_attr_put(message, BPMU_A_CPUS, cpus->nr * sizeof(uint32_t),
		     cpus->cpu);
}

/* Begins the smallest valid request for a session on all CPUs: one group for each core type. */
static struct nlmsghdr *begin_both(void)
{
	struct nlmsghdr *message = begin();

	genl_put_group(message, 0, GENL_SELECT);
	put_other(message, 0);
	return message;
}

static int start_both(void)
{
	int code;

	begin_both();
	code = log_send(&own);
	return code ? code : genl_command(&own.genl, BPMU_CMD_START);
}

#define EXPECT_REFUSED(text) do { \
	EXPECT_EQ(-EINVAL, genl_send(&own.genl)); \
	EXPECT_STREQ(text, own.genl.sentence); \
} while (0)

TEST_F(hybrid, groups_of_one_core_type_only_are_refused)
{
	genl_put_group(begin(), 0, GENL_SELECT);
	EXPECT_REFUSED(both_or_none);
	put_other(begin(), 0);
	EXPECT_REFUSED(both_or_none);
	begin();
	EXPECT_REFUSED("BPMU_A_GROUP is missing");
	begin_both();
	EXPECT_EQ(0, genl_send(&own.genl));
}

TEST_F(hybrid, groups_of_an_unmeasured_core_type_are_refused)
{
	put_cpus(begin_both(), &big);
	EXPECT_REFUSED(one_core_type);
	put_cpus(begin_both(), &small);
	EXPECT_REFUSED(one_core_type);
	put_cpus(genl_plan(&own.genl), &big);
	EXPECT_EQ(0, genl_send(&own.genl));
	put_cpus(genl_plan(&own.genl), &small);
	EXPECT_EQ(0, genl_send(&own.genl));
}

/*
 * BPMU_A_GROUP is for the core type of the lowest CPU. The order in which the CPUs are listed does
 * not matter.
 */
TEST_F(hybrid, each_core_type_has_its_own_counters)
{
	const uint32_t turned[] = { small.cpu[0], big.cpu[0] };
	struct nlmsghdr *message;

	genl_put_group(begin(), MORE_COUNTERS - 1, GENL_SELECT);
	put_other(own.genl.message, FEWER_COUNTERS - 1);
	mnl_attr_put(own.genl.message, BPMU_A_CPUS, sizeof(turned), turned);
	EXPECT_EQ(0, genl_send(&own.genl));
	genl_put_group(begin(), MORE_COUNTERS, GENL_SELECT);
	put_other(own.genl.message, 0);
	EXPECT_REFUSED(no_counter);
	genl_put_group(begin(), 0, GENL_SELECT);
	put_other(own.genl.message, FEWER_COUNTERS);
	EXPECT_REFUSED(no_counter);
	message = begin();
	genl_put_group(message, SLOTS, USR);
	genl_put_group_as(message, BPMU_A_OTHER_GROUP, SLOTS, USR);
	EXPECT_REFUSED(no_counter);
	message = begin();
	genl_put_group(message, 0, GENL_SELECT);
	genl_put_group_as(message, BPMU_A_OTHER_GROUP, BPMU_COUNTER_METRICS,
			  USR);
	EXPECT_REFUSED(no_counter);
}

TEST_F(hybrid, event_selects_of_the_other_core_type_are_checked)
{
	static const struct {
		uint32_t counter;
		uint64_t select;
		const char *why;
	} wrong[] = {
		{ 0, GENL_SELECT | 1 << 20,
		  "INT (bit 20) is set by the module for BPMU_A_EVENT_PERIOD; leave it 0" },
		{ 0, GENL_SELECT | 1 << 19,
		  "PC (pin control, bit 19) is refused" },
		{ 0, GENL_SELECT | 1 << 22,
		  "EN (enable, bit 22) is set by the module; leave it 0" },
		{ 0, GENL_SELECT | 1 << 21,
		  "ANY (any thread, bit 21) does not exist on this part" },
		{ 0, GENL_SELECT | 1ULL << 40,
		  "a bit in 63:32 is reserved on this part" },
		{ BPMU_COUNTER_FIXED, GENL_SELECT,
		  "a fixed counter has no event and no filter: only USR, OS and ANY are legal" },
	};
	struct nlmsghdr *message;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		message = begin();
		genl_put_group(message, 0, GENL_SELECT);
		genl_put_group_as(message, BPMU_A_OTHER_GROUP, wrong[i].counter,
				  wrong[i].select);
		EXPECT_REFUSED(wrong[i].why);
	}
}

TEST_F(hybrid, groups_of_the_other_core_type_are_checked)
{
	struct nlmsghdr *message;
	struct nlattr *nest;
	unsigned int i;

	message = begin();
	mnl_attr_nest_end(message,
			  mnl_attr_nest_start(message, BPMU_A_OTHER_GROUP));
	EXPECT_REFUSED("a group without an event");
	message = begin();
	nest = mnl_attr_nest_start(message, BPMU_A_OTHER_GROUP);
	genl_put_event(message, 0, GENL_SELECT);
	genl_put_event(message, 0, GENL_SELECT);
	mnl_attr_nest_end(message, nest);
	EXPECT_REFUSED("this counter has an event already");
	message = begin_both();
	for (i = 0; i < BPMU_MAX_GROUPS; i++)
		put_other(message, 0);
	EXPECT_REFUSED("more groups than a session can have");
	put_other(begin_both(), 1);
	EXPECT_REFUSED(need_interval);
	put_other(begin_both(), 1);
	mnl_attr_put_u64(own.genl.message, BPMU_A_INTERVAL_NS, 10 * MS);
	EXPECT_EQ(0, genl_send(&own.genl));
}

TEST_F(hybrid, settings_apply_to_both_core_types)
{
	mnl_attr_put_u64(begin_both(), BPMU_A_INTERVAL_NS, UINT64_MAX);
	EXPECT_REFUSED("a counter could wrap twice in that interval; choose a shorter one");
	mnl_attr_put_u32(begin_both(), BPMU_A_PREFETCH, 1);
	EXPECT_REFUSED("the prefetchers of this part cannot be switched");
}

/*
 * Groups of uncore events belong to no core type. A request may have them in addition to the groups
 * for both core types. The module must refuse an invalid uncore group for the same reasons as on a
 * machine with one core type.
 */
TEST_F(hybrid, invalid_uncore_groups_are_refused)
{
	struct nlmsghdr *message = begin_both();

	genl_put_group_as(message, BPMU_A_UNCORE_GROUP, ARBITER, GENL_SELECT);
	EXPECT_REFUSED("legal for the uncore: event, umask, edge, inv, a narrow cmask; no USR, OS");
	message = begin_both();
	genl_put_group_as(message, BPMU_A_UNCORE_GROUP, 0, GENL_SELECT & ~USR);
	EXPECT_REFUSED("this package has no uncore counter of that number");
}

/*
 * Numbers of free-running registers of a thread (the TSC), of a core and of a package, and a number
 * that no register has.
 */
#define OF_THREAD (BPMU_COUNTER_FREE + 0)
#define OF_CORE (BPMU_COUNTER_FREE + 6)
#define OF_PACKAGE (BPMU_COUNTER_FREE + 13)
#define NO_REGISTER (BPMU_COUNTER_FREE + 63)

static void put_register(struct nlmsghdr *message, uint32_t counter)
{
	genl_put_group_as(message, BPMU_A_FREE_GROUP, counter, 0);
}

/*
 * Groups of free-running registers have no event selects and belong to no core type. There is at
 * most one group of thread registers, one of core registers and one of package registers.
 */
TEST_F(hybrid, invalid_groups_of_free_running_counters_are_refused)
{
	static const char lacks[] =
		"this board lacks that register, or its scope differs from that of the group's first register";
	struct nlmsghdr *message = begin_both();
	struct nlattr *nest;

	genl_put_group_as(message, BPMU_A_FREE_GROUP, OF_CORE, USR);
	EXPECT_REFUSED("a free-running register has no event select; leave it 0");
	put_register(begin_both(), NO_REGISTER);
	EXPECT_REFUSED(lacks);
	put_register(begin_both(), 0);
	EXPECT_REFUSED(lacks);
	message = begin_both();
	put_register(message, OF_CORE);
	put_register(message, OF_CORE);
	EXPECT_REFUSED("free-running registers are not multiplexed: at most one group each for registers of threads, cores and packages");
	message = begin_both();
	nest = mnl_attr_nest_start(message, BPMU_A_FREE_GROUP);
	genl_put_event(message, OF_CORE, 0);
	genl_put_event(message, OF_PACKAGE, 0);
	mnl_attr_nest_end(message, nest);
	EXPECT_REFUSED(lacks);
	message = begin_both();
	put_register(message, OF_PACKAGE);
	put_register(message, OF_THREAD);
	put_register(message, OF_CORE);
	EXPECT_EQ(0, genl_send(&own.genl));
}

static struct nlmsghdr *begin_swap(void)
{
	return genl_new(&own.genl, BPMU_CMD_SWAP, 0);
}

TEST_F(hybrid, invalid_swaps_are_refused)
{
	const uint64_t requests = GENL_SELECT & ~USR;

	ASSERT_EQ(0, start_both());
	genl_put_group(begin_swap(), 1, GENL_SELECT);
	EXPECT_REFUSED(both_or_none);
	put_other(begin_swap(), 1);
	EXPECT_REFUSED(both_or_none);
	genl_put_group(begin_swap(), 1, GENL_SELECT);
	put_other(own.genl.message, FEWER_COUNTERS);
	EXPECT_REFUSED(no_counter);
	genl_put_group(begin_swap(), 1, GENL_SELECT);
	put_other(own.genl.message, 1);
	put_other(own.genl.message, 2);
	EXPECT_REFUSED(need_interval);
	genl_put_group_as(begin_swap(), BPMU_A_UNCORE_GROUP, ARBITER, requests);
	EXPECT_REFUSED("a swap must keep the set of banks: core, uncore, free-running");
	genl_put_group(begin_swap(), MORE_COUNTERS - 1, GENL_SELECT);
	put_other(own.genl.message, FEWER_COUNTERS - 1);
	EXPECT_EQ(0, genl_send(&own.genl));
}

TEST_F(hybrid, a_swap_with_groups_of_an_unmeasured_core_type_is_refused)
{
	put_cpus(genl_plan(&own.genl), &small);
	ASSERT_EQ(0, log_send(&own));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	genl_put_group(begin_swap(), 1, GENL_SELECT);
	put_other(own.genl.message, 1);
	EXPECT_REFUSED(one_core_type);
	genl_put_group(begin_swap(), FEWER_COUNTERS, GENL_SELECT);
	EXPECT_REFUSED(no_counter);
	genl_put_group(begin_swap(), 1, GENL_SELECT);
	EXPECT_EQ(0, genl_send(&own.genl));
}

static uint64_t sum_on(uint32_t cpu)
{
	uint64_t sum = 0, last = 0;
	unsigned int i;

	for (i = 0; i < own.nr; i++) {
		if (own.sample[i].head.cpu != cpu)
			continue;
		if (!(own.sample[i].head.flags & BPMU_SAMPLE_START))
			sum += own.sample[i].value[0] - last;
		last = own.sample[i].value[0];
	}
	return sum;
}

/*
 * Executes loops of @first and of @second iterations on a CPU. Between the loops, BPMU_CMD_SWAP
 * replaces the groups of the session: other counters then count the instructions. Returns the
 * number of instructions in user space on this CPU, the sum over all samples; 0 if a command fails.
 */
static uint64_t swapped(uint32_t cpu, unsigned long first, unsigned long second)
{
	log_pin(cpu);
	if (start_both())
		return 0;
	log_loop(first);
	genl_put_group(begin_swap(), MORE_COUNTERS - 1, GENL_SELECT);
	put_other(own.genl.message, FEWER_COUNTERS - 1);
	if (genl_send(&own.genl))
		return 0;
	log_loop(second);
	if (genl_command(&own.genl, BPMU_CMD_STOP) || log_read(&own))
		return 0;
	return sum_on(cpu);
}

static uint64_t least_swapped(uint32_t cpu, unsigned long first,
			      unsigned long second)
{
	uint64_t sum, least = ~0ULL;
	int i;

	for (i = 0; i < 5; i++) {
		sum = swapped(cpu, first, second);
		if (sum < least)
			least = sum;
	}
	return least;
}

/*
 * Returns the number of samples of a CPU that have the flags @flags and that were taken after
 * @plan replacements of the session's groups (BPMU_CMD_SWAP).
 */
static unsigned int count(uint32_t cpu, uint32_t flags, uint32_t plan)
{
	const struct bpmu_sample *head;
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < own.nr; i++) {
		head = &own.sample[i].head;
		nr += head->cpu == cpu && head->flags == flags &&
		      head->plan == plan;
	}
	return nr;
}

TEST_F_TIMEOUT(hybrid, a_swap_loses_no_count_of_either_core_type, 120)
{
	const uint32_t cpus[] = { big.cpu[0], small.cpu[0] };
	const unsigned long n = 100000;
	uint64_t base;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		base = least_swapped(cpus[i], n, n);
		ASSERT_NE(0, base);
		EXPECT_EQ(n * LOG_PER_ITERATION,
			  least_swapped(cpus[i], 2 * n, n) - base);
		EXPECT_EQ(n * LOG_PER_ITERATION,
			  least_swapped(cpus[i], n, 2 * n) - base);
	}
	EXPECT_EQ(4 * (big.nr + small.nr), own.nr);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(1, count(cpus[i], BPMU_SAMPLE_START, 0));
		EXPECT_EQ(1, count(cpus[i], BPMU_SAMPLE_SWAP, 0));
		EXPECT_EQ(1, count(cpus[i], BPMU_SAMPLE_START, 1));
		EXPECT_EQ(1, count(cpus[i], BPMU_SAMPLE_STOP, 1));
	}
}

/**
 * struct plan - configuration of the session, from an answer to BPMU_CMD_GET_PLAN
 * @groups: number of groups of events for the core type of the lowest CPU
 * @others: number of groups of events for the other core type
 * @cpus: CPUs of the session, of both core types
 */
struct plan {
	unsigned int groups;
	unsigned int others;
	struct genl_cpus cpus;
};

static void take_plan(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct plan *plan = data;

	genl_take_cpus(&plan->cpus, answer);
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		plan->groups += mnl_attr_get_type(attr) == BPMU_A_GROUP;
		plan->others += mnl_attr_get_type(attr) == BPMU_A_OTHER_GROUP;
	}
}

TEST_F(hybrid, the_plan_has_both_core_types)
{
	struct plan plan = { 0 };

	put_other(begin_both(), 1);
	mnl_attr_put_u64(own.genl.message, BPMU_A_INTERVAL_NS, 10 * MS);
	ASSERT_EQ(0, log_send(&own));
	own.genl.reply = take_plan;
	own.genl.data = &plan;
	EXPECT_EQ(0, genl_command(&own.genl, BPMU_CMD_GET_PLAN));
	own.genl.data = &own;
	EXPECT_EQ(1, plan.groups);
	EXPECT_EQ(2, plan.others);
	EXPECT_EQ(big.nr + small.nr, plan.cpus.nr);
}

TEST_HARNESS_MAIN
