// SPDX-License-Identifier: GPL-2.0
#include <linux/barepmu.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <net/genetlink.h>

#include <asm/processor.h>
#include <asm/tsc.h>

#include "cpu.h"
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

/**
 * bpmu_netlink_put_cpus() - numbers of CPUs
 * @skb: message
 * @cpus: those of them that have these counters; may change meanwhile
 * @pmu: the counters, or NULL for any
 *
 * Context: any.
 * Return: 0, or -EMSGSIZE if they do not fit.
 */
int bpmu_netlink_put_cpus(struct sk_buff *skb, const struct cpumask *cpus,
			  const struct bpmu_pmu *pmu)
{
	struct nlattr *attr = nla_reserve(skb, BPMU_A_CPUS, 0);
	unsigned int cpu;

	if (!attr)
		return -EMSGSIZE;
	for_each_cpu(cpu, cpus) {
		if (pmu && bpmu_pmu_of(cpu) != pmu)
			continue;
		if (skb_tailroom(skb) < sizeof(u32))
			return -EMSGSIZE;
		*(u32 *)skb_put(skb, sizeof(u32)) = cpu;
		attr->nla_len += sizeof(u32);
	}
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

static int put_pmu(struct sk_buff *skb, const struct bpmu_pmu *pmu)
{
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
			      BPMU_A_PAD) ||
	    nla_put_u32(skb, BPMU_A_INFO_METRICS, pmu->metrics) ||
	    nla_put_u32(skb, BPMU_A_INFO_CBOS, pmu->cbos) ||
	    nla_put_u32(skb, BPMU_A_INFO_GLOBAL, pmu->global) ||
	    nla_put_u32(skb, BPMU_A_INFO_PREFETCH, pmu->part->prefetch))
		return -EMSGSIZE;
	return 0;
}

/* the lowest CPU that can be measured: the module loads with one of those only */
static unsigned int first_known(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (bpmu_pmu_of(cpu))
			break;
	return cpu;
}

static const struct bpmu_pmu *asked_pmu(struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[BPMU_A_INFO_CPU];
	unsigned int cpu = first_known();
	const struct bpmu_pmu *pmu;

	if (attr)
		cpu = nla_get_u32(attr);
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "there is no such CPU");
		return NULL;
	}
	pmu = bpmu_pmu_of(cpu);
	if (!pmu && cpu_online(cpu))
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the CPU is of a kind that the module cannot measure; its log says why");
	else if (!pmu)
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the CPU was not online since the module was loaded, so nothing is known of it; bring it online");
	return pmu;
}

/* whether the counters are free is only for those who could take them */
static int put_busy(struct sk_buff *skb, struct sk_buff *request)
{
	if (!bpmu_netlink_may_program(request) ||
	    !bpmu_session_counters_busy())
		return 0;
	return nla_put_flag(skb, BPMU_A_INFO_BUSY);
}

static int save_here(void *saved)
{
	return bpmu_pmu_save(saved);
}

/* what the registers hold is only for those who could write them */
static int put_registers(struct sk_buff *skb, struct sk_buff *request,
			 struct genl_info *info, const struct bpmu_pmu *pmu)
{
	const struct nlattr *attr = info->attrs[BPMU_A_INFO_CPU];
	struct bpmu_pmu_saved now = { };
	unsigned int cpu;
	int err = -ENODEV;

	if (!attr || !bpmu_netlink_may_program(request))
		return 0;
	cpu = nla_get_u32(attr);
	cpus_read_lock();
	if (cpu_online(cpu))
		err = bpmu_cpu_run(cpumask_of(cpu), save_here, &now);
	cpus_read_unlock();
	if (err)
		return 0;
	if (nla_put_u64_64bit(skb, BPMU_A_INFO_STATUS, now.global_status,
			      BPMU_A_PAD) ||
	    nla_put(skb, BPMU_A_INFO_SELECTS,
		    pmu->gp_counters * sizeof(*now.select), now.select))
		return -EMSGSIZE;
	return 0;
}

static int fill(struct sk_buff *skb, struct sk_buff *request,
		struct genl_info *info)
{
	const struct bpmu_pmu *pmu = asked_pmu(info);
	struct bpmu_session_info session;
	void *hdr;

	if (!pmu)
		return -ENODEV;
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_GET_INFO);
	if (!hdr)
		return -EMSGSIZE;
	bpmu_session_get_info(&session);
	if (put_pmu(skb, pmu) || put_machine(skb) || put_busy(skb, request) ||
	    put_registers(skb, request, info, pmu) ||
	    bpmu_netlink_put_session(skb, &session) ||
	    bpmu_netlink_put_cpus(skb, cpu_online_mask, pmu))
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

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE + nr_cpu_ids * sizeof(u32),
			  GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	err = fill(skb, request, info);
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	return genlmsg_reply(skb, info);
}
