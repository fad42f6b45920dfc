// SPDX-License-Identifier: GPL-2.0
/*
 * The attributes of BPMU_CMD_CONFIGURE, checked and turned into a plan.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <net/genetlink.h>

#include "netlink.h"
#include "plan.h"
#include "pmu.h"

#define COUNTING_SAMPLES 128
#define INTERVAL_SAMPLES_MIN 256
#define BUFFERED_NS (4ULL * NSEC_PER_SEC)

static void find_kinds(struct bpmu_plan *plan)
{
	unsigned int cpu;

	for_each_cpu(cpu, plan->cpus)
		if (bpmu_plan_kind_of(plan, cpu)->pmu != bpmu_pmu_of(cpu))
			plan->kind[plan->nr_kinds++].pmu = bpmu_pmu_of(cpu);
}

/* all that are online, but for those that cannot be measured */
static void all_cpus(struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpu_online_mask)
		if (bpmu_pmu_of(cpu))
			cpumask_set_cpu(cpu, cpus);
}

static int parse_cpus(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_CPUS];
	const u32 *cpus;
	unsigned int i;

	if (!attr) {
		all_cpus(plan->cpus);
		return 0;
	}
	if (nla_len(attr) % sizeof(u32))
		return bpmu_netlink_refuse(info->extack, attr,
					   "BPMU_A_CPUS is not a whole number of u32");
	cpus = nla_data(attr);
	for (i = 0; i < nla_len(attr) / sizeof(u32); i++) {
		if (cpus[i] >= nr_cpu_ids || !cpu_online(cpus[i])) {
			bpmu_netlink_refuse(info->extack, attr,
					    "a CPU of BPMU_A_CPUS is absent or offline");
			return -ENODEV;
		}
		if (!bpmu_pmu_of(cpus[i])) {
			bpmu_netlink_refuse(info->extack, attr,
					    "a CPU of BPMU_A_CPUS is of a kind that the module cannot measure; its log says why");
			return -ENODEV;
		}
		if (cpumask_test_and_set_cpu(cpus[i], plan->cpus))
			return bpmu_netlink_refuse(info->extack, attr,
						   "a CPU stands twice in BPMU_A_CPUS");
	}
	return 0;
}

static int parse_interval(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_INTERVAL_NS];

	if (!attr)
		return 0;
	plan->interval_ns = nla_get_u64(attr);
	if (plan->interval_ns && plan->interval_ns < BPMU_MIN_INTERVAL_NS)
		return bpmu_netlink_refuse(info->extack, attr,
					   "an interval is at least 100000 ns");
	if (plan->interval_ns > bpmu_plan_guard_ns(plan))
		return bpmu_netlink_refuse(info->extack, attr,
					   "in that interval a counter could wrap twice; take a shorter one");
	return 0;
}

static bool one_group_each(const struct bpmu_plan *plan)
{
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		if (plan->kind[i].core.nr != 1)
			return false;
	return true;
}

/*
 * On a CPU that is idle now and then, turns by the tick would not be fair. What
 * stands in on an idle CPU runs when the tick's interrupt is over, and may have a
 * thread of its own: it does not see who was interrupted.
 */
static int choose_timer(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_TIMER];
	u32 timer = attr ? nla_get_u32(attr) : BPMU_TIMER_AUTO;

	plan->who = nla_get_flag(info->attrs[BPMU_A_WHO]);
	if (plan->who && timer == BPMU_TIMER_TICK)
		return bpmu_netlink_refuse(info->extack, attr,
					   "the tick cannot tell who was interrupted; take an interrupt of its own");
	plan->tick = timer == BPMU_TIMER_TICK ||
		     (timer == BPMU_TIMER_AUTO && one_group_each(plan) &&
		      plan->interval_ns >= 2 * TICK_NSEC && !plan->who);
	return 0;
}

static u32 default_samples(const struct bpmu_plan *plan)
{
	u64 nr;

	if (!plan->interval_ns)
		return COUNTING_SAMPLES;
	nr = div64_u64(BUFFERED_NS, plan->interval_ns);
	return clamp_t(u64, nr, INTERVAL_SAMPLES_MIN,
		       BPMU_MAX_BUFFER_SAMPLES);
}

static void parse_buffer(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *samples = info->attrs[BPMU_A_BUFFER_SAMPLES];
	const struct nlattr *watermark = info->attrs[BPMU_A_WATERMARK];

	plan->buffer_samples = samples ? nla_get_u32(samples) :
					 default_samples(plan);
	plan->watermark = watermark ? nla_get_u32(watermark) :
				      plan->buffer_samples / 2;
}

/* those that all kinds have */
static u32 prefetchers(const struct bpmu_plan *plan)
{
	u32 bits = U32_MAX;
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		bits &= plan->kind[i].pmu->part->prefetch;
	return bits;
}

static int parse_prefetch(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_PREFETCH];

	if (!attr)
		return 0;
	if (!prefetchers(plan))
		return bpmu_netlink_refuse(info->extack, attr,
					   "the prefetchers of this part cannot be switched");
	plan->prefetchers = true;
	plan->prefetch = nla_get_u32(attr);
	if (plan->prefetch & ~prefetchers(plan))
		return bpmu_netlink_refuse(info->extack, attr,
					   "a bit that switches no prefetcher; BPMU_A_INFO_PREFETCH tells which do");
	return 0;
}

static void parse_check(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *check = info->attrs[BPMU_A_CHECK];
	const struct nlattr *top = info->attrs[BPMU_A_TOP];

	plan->check = check ? nla_get_u32(check) : 0;
	plan->top = top ? nla_get_u32(top) : 0;
}

/**
 * bpmu_netlink_parse_plan() - the plan of a configuration request
 * @info: its attributes, validated against the policy
 * @plan: zeroed, with an empty CPU mask; filled in
 *
 * Context: process.
 * Return: 0, or a negative errno with the extended ack set: -EINVAL, or
 * -ENODEV for an absent CPU.
 */
int bpmu_netlink_parse_plan(struct genl_info *info, struct bpmu_plan *plan)
{
	int err;

	err = parse_cpus(info, plan);
	if (err)
		return err;
	find_kinds(plan);
	err = parse_interval(info, plan);
	if (err)
		return err;
	err = parse_prefetch(info, plan);
	if (err)
		return err;
	parse_check(info, plan);
	err = bpmu_netlink_parse_groups(info, plan);
	if (err)
		return err;
	err = choose_timer(info, plan);
	if (err)
		return err;
	parse_buffer(info, plan);
	return 0;
}
