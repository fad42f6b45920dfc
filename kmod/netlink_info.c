// SPDX-License-Identifier: GPL-2.0
#include <linux/barepmu.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <net/genetlink.h>

#include <asm/processor.h>
#include <asm/tsc.h>

#include "netlink.h"
#include "pmu.h"
#include "session.h"

/**
 * bpmu_netlink_put_session() - state and owner of the session
 * @skb: message
 * @info: the session
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if they do not fit.
 */
int bpmu_netlink_put_session(struct sk_buff *skb,
			     const struct bpmu_session_info *info)
{
	if (nla_put_u32(skb, BPMU_A_INFO_STATE, info->state) ||
	    nla_put_u32(skb, BPMU_A_INFO_OWNER_PID, info->pid) ||
	    nla_put_string(skb, BPMU_A_INFO_OWNER_COMM, info->comm))
		return -EMSGSIZE;
	return 0;
}

static int put_machine(struct sk_buff *skb)
{
	const struct cpuinfo_x86 *c = &boot_cpu_data;

	if (nla_put_u32(skb, BPMU_A_INFO_FAMILY, c->x86) ||
	    nla_put_u32(skb, BPMU_A_INFO_MODEL, c->x86_model) ||
	    nla_put_u32(skb, BPMU_A_INFO_STEPPING, c->x86_stepping) ||
	    nla_put_u32(skb, BPMU_A_INFO_TSC_KHZ, tsc_khz) ||
	    nla_put_u32(skb, BPMU_A_INFO_CPUS_ONLINE, num_online_cpus()))
		return -EMSGSIZE;
	return 0;
}

static int put_pmu(struct sk_buff *skb)
{
	const struct bpmu_pmu *pmu = bpmu_pmu_get();

	if (nla_put_string(skb, BPMU_A_INFO_MODULE_VERSION,
			   THIS_MODULE->version) ||
	    nla_put_string(skb, BPMU_A_INFO_PART, pmu->part->name) ||
	    nla_put_string(skb, BPMU_A_INFO_PART_TITLE, pmu->part->title) ||
	    nla_put_u32(skb, BPMU_A_INFO_PMU_VERSION, pmu->version) ||
	    nla_put_u32(skb, BPMU_A_INFO_GP_COUNTERS, pmu->gp_counters) ||
	    nla_put_u32(skb, BPMU_A_INFO_GP_WIDTH, pmu->gp_width) ||
	    nla_put_u32(skb, BPMU_A_INFO_FIXED_COUNTERS,
			pmu->fixed_counters) ||
	    nla_put_u32(skb, BPMU_A_INFO_FIXED_WIDTH, pmu->fixed_width) ||
	    nla_put_u64_64bit(skb, BPMU_A_INFO_SELECT_MASK, pmu->part->legal,
			      BPMU_A_PAD))
		return -EMSGSIZE;
	return 0;
}

/* whether the counters are free is only for those who could take them */
static int put_busy(struct sk_buff *skb, struct sk_buff *request)
{
	if (!bpmu_netlink_may_program(request) ||
	    !bpmu_session_counters_busy())
		return 0;
	return nla_put_flag(skb, BPMU_A_INFO_BUSY);
}

static int fill(struct sk_buff *skb, struct sk_buff *request,
		struct genl_info *info)
{
	struct bpmu_session_info session;
	void *hdr;

	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_GET_INFO);
	if (!hdr)
		return -EMSGSIZE;
	bpmu_session_get_info(&session);
	if (put_pmu(skb) || put_machine(skb) || put_busy(skb, request) ||
	    bpmu_netlink_put_session(skb, &session))
		return -EMSGSIZE;
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * bpmu_netlink_get_info() - BPMU_CMD_GET_INFO
 * @request: message
 * @info: its attributes
 *
 * Context: process, may sleep.
 * Return: 0 once the reply is sent, or a negative errno.
 */
int bpmu_netlink_get_info(struct sk_buff *request, struct genl_info *info)
{
	struct sk_buff *skb;
	int err;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	err = fill(skb, request, info);
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	return genlmsg_reply(skb, info);
}
