// SPDX-License-Identifier: GPL-2.0
/*
 * Notifications: messages to the listeners of the family's multicast group when the session changes
 * its state, a CPU fails, or a buffer fills.
 */
#include <linux/barepmu.h>
#include <net/genetlink.h>

#include "netlink.h"
#include "sample/events.h"

static struct sk_buff *alloc_notification(u8 cmd, void **hdr)
{
	struct sk_buff *skb;

	skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!skb)
		return NULL;
	*hdr = genlmsg_put(skb, 0, 0, &bpmu_netlink_family, 0, cmd);
	if (!*hdr) {
		nlmsg_free(skb);
		return NULL;
	}
	return skb;
}

/*
 * Completes a notification and sends it to the multicast group; @skb is consumed. Returns -ENOMEM,
 * or 0. It is no error if nobody listens, or if the socket of a listener is full: netlink reports
 * ENOBUFS to that listener itself.
 */
static int send_notification(struct sk_buff *skb, void *hdr)
{
	int err;

	genlmsg_end(skb, hdr);
	err = genlmsg_multicast(&bpmu_netlink_family, skb, 0, 0, GFP_KERNEL);
	return err == -ENOMEM ? err : 0;
}

static int bpmu_notify_state(enum bpmu_state state)
{
	struct sk_buff *skb;
	void *hdr;

	skb = alloc_notification(BPMU_CMD_STATE, &hdr);
	if (!skb)
		return -ENOMEM;
	if (nla_put_u32(skb, BPMU_A_INFO_STATE, state)) {
		nlmsg_free(skb);
		return 0;
	}
	return send_notification(skb, hdr);
}

static int bpmu_notify_failure(const struct bpmu_failure_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = alloc_notification(BPMU_CMD_FAILURE, &hdr);
	if (!skb)
		return -ENOMEM;
	if (bpmu_netlink_put_failure(skb, info)) {
		nlmsg_free(skb);
		return 0;
	}
	return send_notification(skb, hdr);
}

static int bpmu_notify_watermark(void)
{
	struct sk_buff *skb;
	void *hdr;

	skb = alloc_notification(BPMU_CMD_WATERMARK, &hdr);
	return skb ? send_notification(skb, hdr) : -ENOMEM;
}

const struct bpmu_subscriber bpmu_netlink_subscriber = {
	.state = bpmu_notify_state,
	.failure = bpmu_notify_failure,
	.watermark = bpmu_notify_watermark,
};
