// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_GET_PLAN: what the session counts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>

#include "client_own.h"

/**
 * struct told - a plan on its way
 * @plan: filled in
 * @record_size: bytes of a record
 */
struct told {
	struct bpmu_client_plan *plan;
	u32 record_size;
};

static int event_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_sched_slot *slot = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_EVENT_COUNTER:
		return bpmu_client_take_u32(attr, &slot->counter);
	case BPMU_A_EVENT_SIBLING:
		return bpmu_client_take_u32(attr, &slot->sibling);
	case BPMU_A_EVENT_SELECT:
		return bpmu_client_take_u64(attr, &slot->select);
	default:
		return MNL_CB_OK;
	}
}

static int group_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_sched *group = data;
	struct bpmu_sched_slot *slot = &group->slot[group->nr];

	if (mnl_attr_get_type(attr) != BPMU_A_GROUP_EVENT)
		return MNL_CB_OK;
	if (group->nr == BPMU_MAX_COUNTERS)
		return MNL_CB_ERROR;
	slot->value = group->nr++;
	group->values++;
	return mnl_attr_parse_nested(attr, event_attr, slot);
}

static int take_group(const struct nlattr *attr, struct bpmu_client_plan *plan)
{
	struct bpmu_sched *group = &plan->group[plan->nr_groups];

	if (plan->nr_groups == BPMU_GROUPS_MAX)
		return MNL_CB_ERROR;
	plan->nr_groups++;
	group->uncore = mnl_attr_get_type(attr) == BPMU_A_UNCORE_GROUP;
	return mnl_attr_parse_nested(attr, group_attr, group);
}

static int plan_attr(const struct nlattr *attr, void *data)
{
	struct told *told = data;
	struct bpmu_client_plan *plan = told->plan;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_CPUS:
		return bpmu_client_take_cpus(attr, &plan->cpus);
	case BPMU_A_OTHER_GROUP:
		plan->kinds = true;
		return MNL_CB_OK;
	case BPMU_A_GROUP:
	case BPMU_A_UNCORE_GROUP:
		return take_group(attr, plan);
	case BPMU_A_INTERVAL_NS:
		return bpmu_client_take_u64(attr, &plan->interval_ns);
	case BPMU_A_TIMER:
		return bpmu_client_take_u32(attr, &plan->timer);
	case BPMU_A_RECORD_SIZE:
		return bpmu_client_take_u32(attr, &told->record_size);
	case BPMU_A_RUN:
		return bpmu_client_take_u32(attr, &plan->run);
	case BPMU_A_PLAN:
		return bpmu_client_take_u32(attr, &plan->number);
	case BPMU_A_INFO_STATE:
		return bpmu_client_take_u32(attr, &plan->state);
	case BPMU_A_INFO_OWNER_PID:
		return bpmu_client_take_u32(attr, &plan->owner_pid);
	case BPMU_A_INFO_OWNER_COMM:
		return bpmu_client_take_text(attr, plan->owner_comm,
					     sizeof(plan->owner_comm));
	default:
		return MNL_CB_OK;
	}
}

static int plan_reply(const struct nlmsghdr *nlh, void *data)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), plan_attr, data);
}

static bool usable(const struct told *told)
{
	return told->plan->cpus.nr && told->plan->nr_groups &&
	       told->record_size >= sizeof(struct bpmu_sample) +
				    told->plan->group[0].values * sizeof(u64);
}

/**
 * bpmu_client_plan() - what the session counts, whosever it is
 * @client: open
 * @plan: filled in; free it with bpmu_client_plan_free(), on an error too
 * @err: filled on an error
 *
 * Return: 0, -ENOTCONN without a session, -EPERM for those who may not read its
 * samples, or another negative errno.
 */
int bpmu_client_plan(struct bpmu_client *client, struct bpmu_client_plan *plan,
		     struct bpmu_error *err)
{
	struct told told = { .plan = plan };
	int code;

	memset(plan, 0, sizeof(*plan));
	plan->group = calloc(BPMU_GROUPS_MAX, sizeof(*plan->group));
	if (!plan->group)
		return bpmu_error_set(err, -ENOMEM, "client: out of memory");
	code = bpmu_nl_call(&client->nl,
			    bpmu_nl_request(&client->nl, BPMU_CMD_GET_PLAN,
					    0), plan_reply, &told, err);
	if (code)
		return code;
	if (!usable(&told))
		return bpmu_error_set(err, -EPROTO,
			"netlink: a plan without CPUs, events or records; do module and tool belong together?");
	client->record_size = told.record_size;
	return 0;
}

/**
 * bpmu_client_plan_free() - free it
 * @plan: asked for, also in vain
 */
void bpmu_client_plan_free(struct bpmu_client_plan *plan)
{
	bpmu_cpulist_free(&plan->cpus);
	free(plan->group);
	memset(plan, 0, sizeof(*plan));
}
