// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_GET_PLAN: what the session counts, for those who may read its samples.
 */
#include <linux/barepmu.h>
#include <linux/err.h>
#include <net/genetlink.h>

#include "netlink.h"
#include "plan.h"
#include "sampler.h"
#include "session.h"

static int put_event(struct sk_buff *skb, const struct bpmu_plan_event *event)
{
	struct nlattr *nest = nla_nest_start(skb, BPMU_A_GROUP_EVENT);

	if (!nest || nla_put_u32(skb, BPMU_A_EVENT_COUNTER, event->counter) ||
	    nla_put_u64_64bit(skb, BPMU_A_EVENT_SELECT, event->select,
			      BPMU_A_EVENT_PAD) ||
	    nla_put_u32(skb, BPMU_A_EVENT_SIBLING, event->sibling))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_group(struct sk_buff *skb, int type,
		     const struct bpmu_plan_group *group)
{
	struct nlattr *nest = nla_nest_start(skb, type);
	u32 i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < group->nr; i++)
		if (put_event(skb, &group->event[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_groups(struct sk_buff *skb, int type,
		      const struct bpmu_plan_groups *groups)
{
	u32 i;

	for (i = 0; i < groups->nr; i++)
		if (put_group(skb, type, &groups->group[i]))
			return -EMSGSIZE;
	return 0;
}

/* a plan that was swapped in has the records of the first one */
static u32 record_size(const struct bpmu_plan *plan)
{
	return bpmu_sampler_buffer(cpumask_first(plan->cpus))->record_size;
}

static int put_numbers(struct sk_buff *skb, const struct bpmu_plan *plan)
{
	if (nla_put_u32(skb, BPMU_A_TIMER,
			plan->tick ? BPMU_TIMER_TICK : BPMU_TIMER_HARD) ||
	    nla_put_u32(skb, BPMU_A_BUFFER_SAMPLES, plan->buffer_samples) ||
	    nla_put_u32(skb, BPMU_A_RECORD_SIZE, record_size(plan)) ||
	    nla_put_u32(skb, BPMU_A_RUN, plan->run) ||
	    nla_put_u32(skb, BPMU_A_PLAN, plan->number))
		return -EMSGSIZE;
	if (!plan->interval_ns)
		return 0;
	return nla_put_u64_64bit(skb, BPMU_A_INTERVAL_NS, plan->interval_ns,
				 BPMU_A_PAD);
}

static int put_kinds(struct sk_buff *skb, const struct bpmu_plan *plan)
{
	static const int type[BPMU_KINDS] = {
		BPMU_A_GROUP, BPMU_A_OTHER_GROUP
	};
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		if (put_groups(skb, type[i], &plan->kind[i].core))
			return -EMSGSIZE;
	return 0;
}

static size_t groups_size(const struct bpmu_plan_groups *groups)
{
	size_t event = nla_total_size(0) + 2 * nla_total_size(sizeof(u32)) +
		       nla_total_size_64bit(sizeof(u64));
	size_t size = 0;
	u32 i;

	for (i = 0; i < groups->nr; i++)
		size += nla_total_size(groups->group[i].nr * event);
	return size;
}

static size_t kinds_size(const struct bpmu_plan *plan)
{
	size_t size = 0;
	u32 i;

	for (i = 0; i < plan->nr_kinds; i++)
		size += groups_size(&plan->kind[i].core);
	return size;
}

static struct sk_buff *answer(struct genl_info *info,
			      const struct bpmu_plan *plan)
{
	struct bpmu_session_info session;
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE + kinds_size(plan) +
			  groups_size(&plan->uncore) +
			  nr_cpu_ids * sizeof(u32), GFP_KERNEL);
	if (!skb)
		return NULL;
	bpmu_session_describe(&session);
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_GET_PLAN);
	if (!hdr || bpmu_netlink_put_cpus(skb, plan->cpus, NULL) ||
	    put_kinds(skb, plan) ||
	    put_groups(skb, BPMU_A_UNCORE_GROUP, &plan->uncore) ||
	    put_numbers(skb, plan) || bpmu_netlink_put_session(skb, &session)) {
		nlmsg_free(skb);
		return NULL;
	}
	genlmsg_end(skb, hdr);
	return skb;
}

/**
 * bpmu_netlink_get_plan() - BPMU_CMD_GET_PLAN
 * @request: message
 * @info: its attributes
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: 0 once the reply is sent, or a negative errno.
 */
int bpmu_netlink_get_plan(struct sk_buff *request, struct genl_info *info)
{
	bool reader = bpmu_netlink_may_read();
	const struct bpmu_plan *plan;
	const char *why = NULL;
	struct sk_buff *skb;
	bool owner;

	plan = bpmu_session_read_begin(info->snd_portid, reader, &owner, &why);
	if (plan == ERR_PTR(-EBUSY)) {
		info->extack->_msg = bpmu_netlink_readers_only;
		return -EPERM;
	}
	if (IS_ERR(plan)) {
		info->extack->_msg = why;
		return PTR_ERR(plan);
	}
	skb = answer(info, plan);
	bpmu_session_read_end();
	return skb ? genlmsg_reply(skb, info) : -ENOMEM;
}
