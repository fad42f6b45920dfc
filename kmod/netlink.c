// SPDX-License-Identifier: GPL-2.0
#include "netlink.h"

#include <linux/barepmu.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "netlink_notify.h"
#include "sampler.h"
#include "session.h"

/**
 * bpmu_netlink_may_program() - may the sender program counters
 * @request: its message
 *
 * Context: process, while the request is handled.
 * Return: true with CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace.
 */
bool bpmu_netlink_may_program(struct sk_buff *request)
{
	return netlink_capable(request, CAP_PERFMON) ||
	       netlink_capable(request, CAP_SYS_ADMIN);
}

static int reply_configured(struct genl_info *info, u32 record_size)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(nla_total_size(sizeof(u32)), GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_CONFIGURE);
	if (!hdr || nla_put_u32(skb, BPMU_A_RECORD_SIZE, record_size)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static int configure_plan(struct genl_info *info, struct bpmu_plan *plan)
{
	u32 record_size;
	int err;

	if (!zalloc_cpumask_var(&plan->cpus, GFP_KERNEL))
		return -ENOMEM;
	err = bpmu_netlink_parse_plan(info, plan);
	if (err)
		goto err_free_cpus;
	record_size = bpmu_sampler_record_size(plan);
	err = bpmu_session_configure(info->snd_portid, plan,
				     &info->extack->_msg);
	if (err)
		goto err_free_cpus;
	return reply_configured(info, record_size);

err_free_cpus:
	free_cpumask_var(plan->cpus);
	return err;
}

static int configure(struct sk_buff *request, struct genl_info *info)
{
	struct bpmu_plan *plan;
	int err;

	if (!bpmu_netlink_may_program(request)) {
		NL_SET_ERR_MSG(info->extack,
			       "programming counters needs CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	plan = kzalloc(sizeof(*plan), GFP_KERNEL);
	if (!plan)
		return -ENOMEM;
	err = configure_plan(info, plan);
	kfree(plan);
	return err;
}

static int start(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_start(info->snd_portid, &info->extack->_msg);
}

static int stop(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_stop(info->snd_portid, &info->extack->_msg);
}

static int sample(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_sample(info->snd_portid, &info->extack->_msg);
}

static int release(struct sk_buff *request, struct genl_info *info)
{
	return bpmu_session_release(info->snd_portid, &info->extack->_msg);
}

static const struct nla_policy group_policy[BPMU_A_GROUP_MAX + 1] = {
	[BPMU_A_GROUP_EVENT] = { .type = NLA_NESTED },
};

/* a policy of its own: the bounds of NLA_POLICY_RANGE() are signed 16 bits */
static struct netlink_range_validation buffer_samples_range = {
	.min = 4,
	.max = BPMU_MAX_BUFFER_SAMPLES,
};

static const struct nla_policy configure_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_CPUS] = NLA_POLICY_MIN_LEN(sizeof(u32)),
	[BPMU_A_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_INTERVAL_NS] = { .type = NLA_U64 },
	[BPMU_A_BUFFER_SAMPLES] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &buffer_samples_range),
	[BPMU_A_WATERMARK] = NLA_POLICY_MIN(NLA_U32, 1),
};

/*
 * Every attribute is refused. With a maxattr of 0 none would be looked at.
 */
static const struct nla_policy empty_policy[BPMU_A_PAD + 1] = { };

static const struct genl_ops ops[] = {
	{
		.cmd = BPMU_CMD_GET_INFO,
		.doit = bpmu_netlink_get_info,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_CONFIGURE,
		.doit = configure,
		.policy = configure_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_START,
		.doit = start,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_STOP,
		.doit = stop,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_SAMPLE,
		.doit = sample,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_READ,
		.dumpit = bpmu_netlink_read,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
	{
		.cmd = BPMU_CMD_RELEASE,
		.doit = release,
		.policy = empty_policy,
		.maxattr = BPMU_A_PAD,
	},
};

static const struct genl_multicast_group groups[] = {
	{ .name = BPMU_MCGRP_SESSION },
};

struct genl_family bpmu_netlink_family __ro_after_init = {
	.name = BPMU_FAMILY_NAME,
	.version = BPMU_FAMILY_VERSION,
	.module = THIS_MODULE,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};

static int port_released(struct notifier_block *nb, unsigned long event,
			 void *data)
{
	struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->net == &init_net &&
	    notify->protocol == NETLINK_GENERIC)
		bpmu_session_owner_gone(notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block port_notifier = {
	.notifier_call = port_released,
};

/**
 * bpmu_netlink_init() - register the family
 *
 * Context: module load, last: requests may come at once.
 * Return: 0 or a negative errno.
 */
int bpmu_netlink_init(void)
{
	int err;

	err = netlink_register_notifier(&port_notifier);
	if (err)
		return err;
	err = genl_register_family(&bpmu_netlink_family);
	if (err)
		goto err_unregister_notifier;
	return 0;

err_unregister_notifier:
	netlink_unregister_notifier(&port_notifier);
	return err;
}

/**
 * bpmu_netlink_exit() - unregister the family
 *
 * Context: module unload, first; there is no session, it would hold the module.
 */
void bpmu_netlink_exit(void)
{
	bpmu_notify_exit();
	genl_unregister_family(&bpmu_netlink_family);
	netlink_unregister_notifier(&port_notifier);
}
