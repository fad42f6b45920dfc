// SPDX-License-Identifier: GPL-2.0
#include "netlink_notify.h"

#include <linux/irq_work.h>
#include <linux/workqueue.h>
#include <net/genetlink.h>

#include "netlink.h"
#include "session.h"

static struct sk_buff *message(u8 cmd, void **hdr)
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

static void multicast(struct sk_buff *skb, void *hdr)
{
	genlmsg_end(skb, hdr);
	/* fails when nobody listens, which is no error */
	genlmsg_multicast(&bpmu_netlink_family, skb, 0, 0, GFP_KERNEL);
}

/**
 * bpmu_notify_state() - tell listeners that the session changed
 * @info: the session now
 *
 * Context: process, may sleep.
 */
void bpmu_notify_state(const struct bpmu_session_info *info)
{
	struct sk_buff *skb;
	void *hdr;

	skb = message(BPMU_CMD_STATE, &hdr);
	if (!skb)
		return;
	if (bpmu_netlink_put_session(skb, info)) {
		nlmsg_free(skb);
		return;
	}
	multicast(skb, hdr);
}

static void watermark_work(struct work_struct *work)
{
	struct sk_buff *skb;
	void *hdr;

	skb = message(BPMU_CMD_WATERMARK, &hdr);
	if (skb)
		multicast(skb, hdr);
}

static DECLARE_WORK(watermark, watermark_work);

static void watermark_irq(struct irq_work *work)
{
	schedule_work(&watermark);
}

static DEFINE_IRQ_WORK(watermark_kick, watermark_irq);

/**
 * bpmu_notify_watermark() - tell readers that a buffer reached its watermark
 *
 * The message is sent later from a worker; several calls may become one.
 *
 * Context: any, interrupts may be off; the sampling path.
 */
void bpmu_notify_watermark(void)
{
	irq_work_queue(&watermark_kick);
}

/**
 * bpmu_notify_exit() - let pending messages go out
 *
 * Context: process, may sleep; before the family is unregistered, and without
 * a session.
 */
void bpmu_notify_exit(void)
{
	irq_work_sync(&watermark_kick);
	cancel_work_sync(&watermark);
}
