// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_GET_INFO sent as a dump: the lists whose length depends on the machine. A message holds
 * as many elements of a list as fit, and the next message continues the list.
 */
#include <linux/barepmu.h>
#include <linux/cpumask.h>
#include <linux/sched/isolation.h>
#include <net/genetlink.h>

#include "compat.h"
#include "machine/probe.h"
#include "netlink.h"
#include "session/session.h"

/* Lists that the dump of BPMU_CMD_GET_INFO sends, in this order */
enum list {
	LIST_CPUS,
	LIST_ISOLATED,
	LIST_FAILURES,
	LISTS
};

/*
 * Indexes into &netlink_callback.args, which keeps the progress of a dump from one message to the
 * next. args[LIST] is the list that is being sent (enum list). args[NEXT] is the next CPU number of
 * a list of CPUs, or in the list of failures the position of bpmu_counters_next_failure().
 */
enum progress { LIST, NEXT };

/*
 * Returns the lowest online CPU that the module can measure. At least one exists, or the module
 * would not have been loaded.
 */
static unsigned int first_measurable_cpu(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (bpmu_pmu_of(cpu))
			break;
	return cpu;
}

/**
 * bpmu_netlink_pmu() - find the PMU of the CPU whose lists a netlink request wants
 * @attr: BPMU_A_INFO_CPU of the request; NULL: the first CPU that can be measured
 * @extack: set to a sentence on refusal
 *
 * Context: process.
 * Return: the PMU, or NULL on refusal.
 */
const struct bpmu_pmu *bpmu_netlink_pmu(const struct nlattr *attr,
					struct netlink_ext_ack *extack)
{
	unsigned int cpu = first_measurable_cpu();
	const struct bpmu_pmu *pmu;

	if (attr)
		cpu = nla_get_u32(attr);
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "there is no such CPU");
		return NULL;
	}
	pmu = bpmu_pmu_of(cpu);
	if (!pmu && cpu_online(cpu))
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "the CPU has a core type that the module cannot measure; see the kernel's log");
	else if (!pmu)
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "the CPU has not been online since the module was loaded, its counters are unknown; bring it online");
	return pmu;
}

/**
 * bpmu_netlink_put_failure() - append a CPU's failure to the list of failures in a netlink message
 * @skb: message
 * @info: the failure
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if the failure does not fit into the message.
 */
int bpmu_netlink_put_failure(struct sk_buff *skb,
			     const struct bpmu_failure_info *info)
{
	struct nlattr *nest = nla_nest_start(skb, BPMU_A_FAILURE);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, BPMU_A_FAILURE_CPU, info->cpu) ||
	    nla_put_u32(skb, BPMU_A_FAILURE_WHAT, info->what) ||
	    nla_put_u32(skb, BPMU_A_FAILURE_ERROR, -info->error)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static void *list_header(struct sk_buff *skb, struct netlink_callback *cb)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  bpmu_dump_family(cb), NLM_F_MULTI, BPMU_CMD_GET_INFO);
	if (hdr)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

static bool is_listed(enum list list, unsigned int cpu, const struct bpmu_pmu *pmu)
{
	if (!cpu_online(cpu))
		return false;
	return list == LIST_CPUS ? bpmu_pmu_of(cpu) == pmu : cpu_is_isolated(cpu);
}

/*
 * Puts the CPU numbers of a list into a message, as many as fit. Returns 0 at the end of the list,
 * or -EMSGSIZE if the next message must continue it.
 */
static int put_cpu_numbers(struct sk_buff *skb, struct netlink_callback *cb, enum list list,
			   const struct bpmu_pmu *pmu)
{
	unsigned int cpu = cb->args[NEXT];
	struct nlattr *attr;

	attr = nla_reserve(skb, list == LIST_CPUS ? BPMU_A_CPUS : BPMU_A_INFO_ISOLATED, 0);
	if (!attr)
		return -EMSGSIZE;
	for (; cpu < nr_cpu_ids; cpu++) {
		if (!is_listed(list, cpu, pmu))
			continue;
		cb->args[NEXT] = cpu;
		if (skb_tailroom(skb) < sizeof(u32))
			return -EMSGSIZE;
		*(u32 *)skb_put(skb, sizeof(u32)) = cpu;
		attr->nla_len += sizeof(u32);
	}
	return 0;
}

/*
 * Puts the failures of CPUs into a message, as many as fit. Returns 0 at the end of the list, or
 * -EMSGSIZE if the next message must continue it.
 */
static int put_failures(struct sk_buff *skb, struct netlink_callback *cb,
			const struct bpmu_session_view *view)
{
	struct bpmu_failure_info failure;
	unsigned int at = cb->args[NEXT];

	while (view->counted->settings &&
	       bpmu_counters_next_failure(view->counted, &at, &failure)) {
		if (bpmu_netlink_put_failure(skb, &failure))
			return -EMSGSIZE;
		cb->args[NEXT] = at;
	}
	return 0;
}

/*
 * Puts the list args[LIST] into a message, as much of the list as fits. Returns 0 at the end of the
 * list, or -EMSGSIZE if the next message must continue it.
 */
static int put_list(struct sk_buff *skb, struct netlink_callback *cb,
		    const struct bpmu_pmu *pmu, const struct bpmu_session_view *view)
{
	enum list list = cb->args[LIST];
	int empty, err;
	void *hdr;

	hdr = list_header(skb, cb);
	if (!hdr)
		return -EMSGSIZE;
	empty = skb->len + (list == LIST_FAILURES ? 0 : NLA_HDRLEN);
	if (list == LIST_FAILURES)
		err = put_failures(skb, cb, view);
	else
		err = put_cpu_numbers(skb, cb, list, pmu);
	if (skb->len > empty)
		genlmsg_end(skb, hdr);
	else
		genlmsg_cancel(skb, hdr);
	return err;
}

/**
 * bpmu_netlink_list() - fill one netlink message of the lists that BPMU_CMD_GET_INFO dumps
 * @skb: message to fill
 * @cb: state of the dump
 *
 * If the session starts another run during the dump, the following messages have the flag
 * NLM_F_DUMP_INTR, because the list of failures may mix the failures of two runs.
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: bytes in @skb, 0 at the end of the dump, or -ENODEV if the named CPU cannot be measured.
 */
int bpmu_netlink_list(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct bpmu_pmu *pmu = bpmu_netlink_pmu(bpmu_dump_attrs(cb)[BPMU_A_INFO_CPU],
						      cb->extack);
	struct bpmu_session_view view;

	if (!pmu)
		return -ENODEV;
	bpmu_session_view_begin(&view);
	cb->seq = view.run;
	for (; cb->args[LIST] < LISTS; cb->args[LIST]++, cb->args[NEXT] = 0)
		if (put_list(skb, cb, pmu, &view))
			break;
	bpmu_session_view_end();
	return skb->len;
}
