// SPDX-License-Identifier: GPL-2.0
#include "netlink.h"

#include <linux/barepmu.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/uidgid.h>
#include <net/genetlink.h>

#include "netlink_notify.h"
#include "plan.h"
#include "session.h"

/* nobody's, until a group is named */
static unsigned int reader_gid = (unsigned int)-1;
module_param(reader_gid, uint, 0644);
MODULE_PARM_DESC(reader_gid, "members of this group may read samples");

const char bpmu_netlink_readers_only[] =
	"reading beside the owner is for members of the group in the module's parameter reader_gid";

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

/**
 * bpmu_netlink_may_read() - may the caller read samples of others' sessions
 *
 * Context: process, while its request is handled.
 * Return: true for members of the group in reader_gid.
 */
bool bpmu_netlink_may_read(void)
{
	kgid_t gid = make_kgid(&init_user_ns, READ_ONCE(reader_gid));

	return gid_valid(gid) && in_egroup_p(gid);
}

/* made before the counters are taken: an error must not leave a session */
static struct sk_buff *configured(struct genl_info *info, u32 record_size)
{
	struct sk_buff *skb;
	void *hdr;

	skb = genlmsg_new(nla_total_size(sizeof(u32)), GFP_KERNEL);
	if (!skb)
		return NULL;
	hdr = genlmsg_put_reply(skb, info, &bpmu_netlink_family, 0,
				BPMU_CMD_CONFIGURE);
	if (!hdr || nla_put_u32(skb, BPMU_A_RECORD_SIZE, record_size)) {
		nlmsg_free(skb);
		return NULL;
	}
	genlmsg_end(skb, hdr);
	return skb;
}

static int configure_plan(struct genl_info *info, struct bpmu_plan *plan)
{
	struct sk_buff *reply;
	int err;

	err = bpmu_netlink_parse_plan(info, plan);
	if (err)
		return err;
	reply = configured(info, bpmu_plan_record_size(plan));
	if (!reply)
		return -ENOMEM;
	err = bpmu_session_configure(info->snd_portid, plan,
				     &info->extack->_msg);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	/* the plan is the session's now, whether the reply arrives or not */
	genlmsg_reply(reply, info);
	return 0;
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
	plan = bpmu_plan_alloc();
	if (!plan)
		return -ENOMEM;
	err = configure_plan(info, plan);
	if (err)
		bpmu_plan_free(plan);
	return err;
}

static int swap_groups(struct sk_buff *request, struct genl_info *info)
{
	struct bpmu_plan *plan;
	int err;

	plan = bpmu_plan_alloc();
	if (!plan)
		return -ENOMEM;
	err = bpmu_session_swap_cpus(info->snd_portid, plan,
				     &info->extack->_msg);
	if (!err)
		err = bpmu_netlink_parse_groups(info, plan);
	if (!err)
		err = bpmu_session_swap(info->snd_portid, plan,
					&info->extack->_msg);
	if (err)
		bpmu_plan_free(plan);
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

static struct netlink_range_validation top_range = {
	.min = 1,
	.max = INT_MAX,
};

static const struct nla_policy configure_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_CPUS] = NLA_POLICY_MIN_LEN(sizeof(u32)),
	[BPMU_A_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_OTHER_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_UNCORE_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_INTERVAL_NS] = { .type = NLA_U64 },
	[BPMU_A_TIMER] = NLA_POLICY_MAX(NLA_U32, BPMU_TIMER_TICK),
	[BPMU_A_BUFFER_SAMPLES] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &buffer_samples_range),
	[BPMU_A_WATERMARK] = NLA_POLICY_MIN(NLA_U32, 1),
	[BPMU_A_PREFETCH] = { .type = NLA_U32 },
	[BPMU_A_TOP] = NLA_POLICY_FULL_RANGE(NLA_U32, &top_range),
	[BPMU_A_CHECK] = NLA_POLICY_MASK(NLA_U32, BPMU_CHECK_LEAK |
						  BPMU_CHECK_SELECT),
	[BPMU_A_WHO] = { .type = NLA_FLAG },
};

static const struct nla_policy swap_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_OTHER_GROUP] = NLA_POLICY_NESTED(group_policy),
	[BPMU_A_UNCORE_GROUP] = NLA_POLICY_NESTED(group_policy),
};

static const struct nla_policy info_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_INFO_CPU] = { .type = NLA_U32 },
};

static const struct nla_policy read_policy[BPMU_A_MAX + 1] = {
	[BPMU_A_FROM] = NLA_POLICY_MIN_LEN(sizeof(struct bpmu_position)),
};

/*
 * Every attribute is refused. With a maxattr of 0 none would be looked at.
 */
static const struct nla_policy empty_policy[BPMU_A_PAD + 1] = { };

static const struct genl_ops ops[] = {
	{
		.cmd = BPMU_CMD_GET_INFO,
		.doit = bpmu_netlink_get_info,
		.policy = info_policy,
		.maxattr = BPMU_A_MAX,
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
		.start = bpmu_netlink_read_start,
		.dumpit = bpmu_netlink_read,
		.done = bpmu_netlink_read_done,
		.policy = read_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_SWAP,
		.doit = swap_groups,
		.policy = swap_policy,
		.maxattr = BPMU_A_MAX,
	},
	{
		.cmd = BPMU_CMD_GET_PLAN,
		.doit = bpmu_netlink_get_plan,
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
