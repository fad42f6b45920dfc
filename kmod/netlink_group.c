// SPDX-License-Identifier: GPL-2.0
/*
 * The groups of BPMU_CMD_CONFIGURE and BPMU_CMD_SWAP, checked.
 */
#include <linux/bitops.h>
#include <linux/topology.h>
#include <net/genetlink.h>

#include "intel.h"
#include "netlink.h"
#include "plan.h"
#include "pmu.h"

/**
 * bpmu_netlink_refuse() - refuse an attribute
 * @extack: gets the sentence
 * @attr: the attribute
 * @why: constant sentence
 *
 * Context: any.
 * Return: -EINVAL.
 */
int bpmu_netlink_refuse(struct netlink_ext_ack *extack,
			const struct nlattr *attr, const char *why)
{
	extack->_msg = why;
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

static const char *select_refusal(const struct bpmu_pmu *pmu, u32 counter,
				  u64 illegal)
{
	if (counter >= BPMU_COUNTER_UNCORE)
		return "an uncore counter has no USR, OS, ANY, and a narrower counter mask";
	if (counter == BPMU_COUNTER_METRICS)
		return "PERF_METRICS has no select: only USR, OS and bits 10:8 may be set";
	if (illegal & BPMU_SEL_INT)
		return "INT (bit 20) is refused: nobody would handle the interrupt";
	if (illegal & BPMU_SEL_PC)
		return "PC (pin control, bit 19) is refused";
	if (illegal & BPMU_SEL_EN)
		return "EN (enable, bit 22) is set by the module itself; leave it 0";
	if (illegal >> 32)
		return "a bit of 63:32 that is reserved on this part";
	if (counter >= BPMU_COUNTER_FIXED)
		return "a fixed counter has no event and no filter: only USR, OS and ANY are legal";
	return "ANY (any thread, bit 21) does not exist on this part";
}

static const struct nla_policy event_policy[BPMU_A_EVENT_MAX + 1] = {
	[BPMU_A_EVENT_COUNTER] = { .type = NLA_U32 },
	[BPMU_A_EVENT_SELECT] = { .type = NLA_U64 },
	[BPMU_A_EVENT_SIBLING] = { .type = NLA_U32 },
};

static bool has_counter(const struct bpmu_pmu *pmu, u32 counter, bool uncore)
{
	struct bpmu_place place;

	if (uncore)
		return bpmu_uncore_place(pmu, counter, &place);
	return counter < 64 && bpmu_pmu_counters(pmu) & BIT_ULL(counter);
}

/* a fixed counter knows its event: it cannot change with the thread */
static bool sibling_fits(const struct bpmu_plan_event *event)
{
	return event->sibling == event->counter ||
	       (event->counter < BPMU_COUNTER_FIXED &&
		event->sibling < BPMU_COUNTER_FIXED);
}

static int check_event(const struct bpmu_pmu *pmu, bool uncore,
		       const struct bpmu_plan_event *event,
		       struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	static const char no_uncore[] =
		"this package has no uncore counter of that number";
	static const char no_counter[] =
		"this CPU has no counter of that number";
	u64 illegal;

	if (!has_counter(pmu, event->counter, uncore))
		return bpmu_netlink_refuse(extack, attrs[BPMU_A_EVENT_COUNTER],
					   uncore ? no_uncore : no_counter);
	if (!has_counter(pmu, event->sibling, uncore) || !sibling_fits(event))
		return bpmu_netlink_refuse(extack, attrs[BPMU_A_EVENT_SIBLING],
					   "the sibling cannot hold the event on that counter");
	illegal = bpmu_select_illegal(pmu, event->counter, event->select);
	if (illegal)
		return bpmu_netlink_refuse(extack, attrs[BPMU_A_EVENT_SELECT],
					   select_refusal(pmu, event->counter, illegal));
	return 0;
}

static int parse_event(const struct bpmu_pmu *pmu, bool uncore,
		       struct bpmu_plan_event *event,
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
		return bpmu_netlink_refuse(extack, nested,
					   "BPMU_A_EVENT_COUNTER is missing");
	if (!attrs[BPMU_A_EVENT_SELECT])
		return bpmu_netlink_refuse(extack, nested,
					   "BPMU_A_EVENT_SELECT is missing");
	event->counter = nla_get_u32(attrs[BPMU_A_EVENT_COUNTER]);
	event->sibling = event->counter;
	if (attrs[BPMU_A_EVENT_SIBLING])
		event->sibling = nla_get_u32(attrs[BPMU_A_EVENT_SIBLING]);
	event->select = nla_get_u64(attrs[BPMU_A_EVENT_SELECT]);
	return check_event(pmu, uncore, event, attrs, extack);
}

static bool is_taken(const struct bpmu_plan_group *group)
{
	const struct bpmu_plan_event *last = &group->event[group->nr];
	u32 i;

	for (i = 0; i < group->nr; i++)
		if (group->event[i].counter == last->counter ||
		    group->event[i].sibling == last->sibling)
			return true;
	return false;
}

static int parse_group(const struct bpmu_pmu *pmu, bool uncore,
		       struct bpmu_plan_group *group,
		       const struct nlattr *nested,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int err;
	int rem;

	nla_for_each_nested(attr, nested, rem) {
		if (nla_type(attr) != BPMU_A_GROUP_EVENT)
			return bpmu_netlink_refuse(extack, attr,
						   "unknown attribute in BPMU_A_GROUP");
		if (group->nr == BPMU_MAX_COUNTERS)
			return bpmu_netlink_refuse(extack, attr,
						   "more events than a group can have");
		err = parse_event(pmu, uncore, &group->event[group->nr], attr,
				  extack);
		if (err)
			return err;
		if (is_taken(group))
			return bpmu_netlink_refuse(extack, attr,
						   "this counter has an event already");
		group->nr++;
	}
	if (!group->nr)
		return bpmu_netlink_refuse(extack, nested, "a group without an event");
	return 0;
}

/* the register's fractions mean nothing without the slots they are of */
static bool metrics_alone(const struct bpmu_plan_group *group)
{
	bool metrics = false;
	bool slots = false;
	u32 i;

	for (i = 0; i < group->nr; i++) {
		metrics |= group->event[i].counter == BPMU_METRICS_COUNTER;
		slots |= group->event[i].counter == BPMU_FIXED_SLOTS;
	}
	return metrics && !slots;
}

static int add_group(struct bpmu_plan *plan, const struct nlattr *attr,
		     struct netlink_ext_ack *extack)
{
	bool uncore = nla_type(attr) == BPMU_A_UNCORE_GROUP;
	bool other = nla_type(attr) == BPMU_A_OTHER_GROUP;
	struct bpmu_plan_kind *kind = &plan->kind[other];
	struct bpmu_plan_groups *to = uncore ? &plan->uncore : &kind->core;
	struct bpmu_plan_group *group;
	int err;

	if (other && plan->nr_kinds == 1)
		return bpmu_netlink_refuse(extack, attr,
					   "the CPUs are all of one kind, which BPMU_A_GROUP is for");
	if (to->nr == BPMU_MAX_GROUPS)
		return bpmu_netlink_refuse(extack, attr,
					   "more groups than a session can have");
	group = bpmu_plan_add(to);
	if (!group)
		return -ENOMEM;
	err = parse_group(kind->pmu, uncore, group, attr, extack);
	if (err || uncore)
		return err;
	if (metrics_alone(group))
		return bpmu_netlink_refuse(extack, attr,
					   "PERF_METRICS needs fixed counter 3 in its group");
	bpmu_pmu_setup(kind->pmu, group);
	return 0;
}

/**
 * struct leak - counters of one thread of a core over all groups
 * @used: hold an event
 * @leaks: hold one that leaks into the sibling's counter of the same index
 */
struct leak {
	u64 used;
	u64 leaks;
};

/* siblings take turns at their own pace: any group may meet any other */
static struct leak leak_of(const struct bpmu_plan_kind *kind,
			   unsigned int thread)
{
	struct leak leak = { };
	u32 g, i;

	for (g = 0; g < kind->core.nr; g++) {
		const struct bpmu_plan_group *group = &kind->core.group[g];

		for (i = 0; i < group->nr; i++) {
			const struct bpmu_plan_event *event = &group->event[i];
			u32 counter = thread ? event->sibling : event->counter;

			if (counter >= BPMU_COUNTER_FIXED)
				continue;
			leak.used |= BIT_ULL(counter);
			if (bpmu_select_leaks(kind->pmu->part, event->select))
				leak.leaks |= BIT_ULL(counter);
		}
	}
	return leak;
}

static bool has_siblings(const struct bpmu_plan *plan)
{
	unsigned int cpu, other;

	for_each_cpu(cpu, plan->cpus)
		for_each_cpu_and(other, plan->cpus,
				 topology_sibling_cpumask(cpu))
			if (other != cpu)
				return true;
	return false;
}

static bool leaks(const struct bpmu_plan_kind *kind)
{
	struct leak first, second;

	if (!(kind->pmu->part->quirks & BPMU_QUIRK_SMT_LEAK))
		return false;
	first = leak_of(kind, 0);
	second = leak_of(kind, 1);
	return first.leaks & second.used || second.leaks & first.used;
}

static int check_leaks(const struct bpmu_plan *plan,
		       struct netlink_ext_ack *extack)
{
	bool any = false;
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		any |= leaks(&plan->kind[i]);
	if (!any || plan->check & BPMU_CHECK_LEAK || !has_siblings(plan))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "events D0 to D3 leak into the sibling's counter of the same index (BJ122, BV98, HSD29), which must be idle; use BPMU_A_EVENT_SIBLING, or one thread of each core");
	return -EINVAL;
}

static int check_groups(const struct bpmu_plan *plan,
			struct netlink_ext_ack *extack)
{
	u32 nr = plan->kind[0].core.nr;
	u32 other = plan->kind[1].core.nr;

	if (!nr && !other && !plan->uncore.nr) {
		NL_SET_ERR_MSG(extack, "BPMU_A_GROUP is missing");
		return -EINVAL;
	}
	if (plan->nr_kinds > 1 && !nr != !other) {
		NL_SET_ERR_MSG(extack,
			       "the CPUs are of two kinds: BPMU_A_GROUP is for the first CPU's, BPMU_A_OTHER_GROUP for the other; give both, or CPUs that are alike, which BPMU_CMD_GET_INFO tells");
		return -EINVAL;
	}
	if (!plan->interval_ns && (nr > 1 || other > 1 || plan->uncore.nr > 1)) {
		NL_SET_ERR_MSG(extack,
			       "several groups take turns at each interval: BPMU_A_INTERVAL_NS is missing");
		return -EINVAL;
	}
	return 0;
}

/**
 * bpmu_netlink_parse_groups() - the groups of a request
 * @info: its attributes, validated against the policy
 * @plan: with CPUs, their counters and an interval, without groups; filled in
 *
 * Context: process.
 * Return: 0, or a negative errno with the extended ack set.
 */
int bpmu_netlink_parse_groups(struct genl_info *info, struct bpmu_plan *plan)
{
	const struct nlattr *attr;
	int err;
	int rem;

	nlmsg_for_each_attr(attr, info->nlhdr, GENL_HDRLEN, rem) {
		if (nla_type(attr) != BPMU_A_GROUP &&
		    nla_type(attr) != BPMU_A_OTHER_GROUP &&
		    nla_type(attr) != BPMU_A_UNCORE_GROUP)
			continue;
		err = add_group(plan, attr, info->extack);
		if (err)
			return err;
	}
	err = check_groups(plan, info->extack);
	return err ?: check_leaks(plan, info->extack);
}
