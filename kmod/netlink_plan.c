// SPDX-License-Identifier: GPL-2.0
/*
 * The attributes of BPMU_CMD_CONFIGURE, checked and turned into a plan.
 */
#include <linux/bitops.h>
#include <linux/math64.h>
#include <net/genetlink.h>

#include "intel.h"
#include "netlink.h"
#include "plan.h"
#include "pmu.h"

#define COUNTING_SAMPLES 64
#define INTERVAL_SAMPLES_MIN 256
#define BUFFERED_NS (4ULL * NSEC_PER_SEC)

static int refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  const char *why)
{
	extack->_msg = why;
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

static const char *select_refusal(u32 counter, u64 illegal)
{
	if (illegal & BPMU_SEL_INT)
		return "INT (bit 20) is refused: nobody would handle the interrupt";
	if (illegal & BPMU_SEL_PC)
		return "PC (pin control, bit 19) is refused";
	if (illegal & BPMU_SEL_EN)
		return "EN (enable, bit 22) is set by the module itself; leave it 0";
	if (illegal >> 32)
		return "bits 63:32 are reserved on this part";
	if (counter >= BPMU_COUNTER_FIXED)
		return "a fixed counter has no event and no filter: only USR, OS and ANY are legal";
	return "ANY (any thread, bit 21) does not exist on this part";
}

static const struct nla_policy event_policy[BPMU_A_EVENT_MAX + 1] = {
	[BPMU_A_EVENT_COUNTER] = { .type = NLA_U32 },
	[BPMU_A_EVENT_SELECT] = { .type = NLA_U64 },
};

static int check_event(const struct bpmu_plan_event *event,
		       struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	const struct bpmu_pmu *pmu = bpmu_pmu_get();
	u64 illegal;

	if (event->counter >= 64 ||
	    !(bpmu_pmu_counters(pmu) & BIT_ULL(event->counter)))
		return refuse(extack, attrs[BPMU_A_EVENT_COUNTER],
			      "this CPU has no counter of that number");
	illegal = bpmu_select_illegal(pmu->part, event->counter,
				      event->select);
	if (illegal)
		return refuse(extack, attrs[BPMU_A_EVENT_SELECT],
			      select_refusal(event->counter, illegal));
	return 0;
}

static int parse_event(struct bpmu_plan_event *event,
		       const struct nlattr *nested,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *attrs[BPMU_A_EVENT_MAX + 1];
	int err;

	err = nla_parse_nested(attrs, BPMU_A_EVENT_MAX, nested, event_policy,
			       extack);
	if (err)
		return err;
	if (!attrs[BPMU_A_EVENT_COUNTER])
		return refuse(extack, nested,
			      "BPMU_A_EVENT_COUNTER is missing");
	if (!attrs[BPMU_A_EVENT_SELECT])
		return refuse(extack, nested,
			      "BPMU_A_EVENT_SELECT is missing");
	event->counter = nla_get_u32(attrs[BPMU_A_EVENT_COUNTER]);
	event->select = nla_get_u64(attrs[BPMU_A_EVENT_SELECT]);
	return check_event(event, attrs, extack);
}

static int parse_group(struct bpmu_plan_group *group,
		       const struct nlattr *nested,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	u64 taken = 0;
	int err;
	int rem;

	nla_for_each_nested(attr, nested, rem) {
		struct bpmu_plan_event *event = &group->event[group->nr];

		if (nla_type(attr) != BPMU_A_GROUP_EVENT)
			return refuse(extack, attr,
				      "unknown attribute in BPMU_A_GROUP");
		if (group->nr == BPMU_MAX_COUNTERS)
			return refuse(extack, attr,
				      "more events than a group can have");
		err = parse_event(event, attr, extack);
		if (err)
			return err;
		if (taken & BIT_ULL(event->counter))
			return refuse(extack, attr,
				      "this counter has an event already");
		taken |= BIT_ULL(event->counter);
		group->nr++;
	}
	if (!group->nr)
		return refuse(extack, nested, "a group without an event");
	return 0;
}

static int parse_groups(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr;
	int err;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != BPMU_A_GROUP)
			continue;
		if (plan->nr_groups == BPMU_MAX_GROUPS)
			return refuse(info->extack, attr,
				      "more groups than a session can have");
		err = parse_group(&plan->group[plan->nr_groups], attr,
				  info->extack);
		if (err)
			return err;
		plan->nr_groups++;
	}
	if (plan->nr_groups)
		return 0;
	NL_SET_ERR_MSG(info->extack, "BPMU_A_GROUP is missing");
	return -EINVAL;
}

static int parse_cpus(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr = info->attrs[BPMU_A_CPUS];
	const u32 *cpus;
	unsigned int i;

	if (!attr) {
		cpumask_copy(plan->cpus, cpu_online_mask);
		return 0;
	}
	if (nla_len(attr) % sizeof(u32))
		return refuse(info->extack, attr,
			      "BPMU_A_CPUS is not a whole number of u32");
	cpus = nla_data(attr);
	for (i = 0; i < nla_len(attr) / sizeof(u32); i++) {
		if (cpus[i] >= nr_cpu_ids || !cpu_online(cpus[i])) {
			refuse(info->extack, attr,
			       "a CPU of BPMU_A_CPUS is absent or offline");
			return -ENODEV;
		}
		if (cpumask_test_and_set_cpu(cpus[i], plan->cpus))
			return refuse(info->extack, attr,
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
		return refuse(info->extack, attr,
			      "an interval is at least 100000 ns");
	if (plan->interval_ns > bpmu_pmu_guard_ns())
		return refuse(info->extack, attr,
			      "in that interval a counter could wrap twice; take a shorter one");
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
	err = parse_groups(info, plan);
	if (err)
		return err;
	err = parse_interval(info, plan);
	if (err)
		return err;
	parse_buffer(info, plan);
	return 0;
}
