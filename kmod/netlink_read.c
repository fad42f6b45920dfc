// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_READ: the buffers of all CPUs, as a dump.
 */
#include <linux/barepmu.h>
#include <linux/err.h>
#include <net/genetlink.h>

#include "netlink.h"
#include "sampler.h"
#include "session.h"

/* of an attribute's payload: its length field has 16 bits */
#define CHUNK_BYTES 60000U

/**
 * struct cursor - where a dump stands, kept in the callback's args
 * @cpu: the CPU it is at
 * @left: samples of that CPU still to deliver
 * @open: @left is valid; what comes in later waits for the next dump, so that
 *	a dump ends however fast samples arrive
 */
struct cursor {
	long cpu;
	long left;
	long open;
};

static void *put_header(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &bpmu_netlink_family, NLM_F_MULTI, BPMU_CMD_READ);
}

/* how many records of this size fit behind an attribute header */
static u32 fits(const struct sk_buff *skb, u32 record_size)
{
	int room = skb_tailroom(skb) - GENL_HDRLEN - NLMSG_HDRLEN -
		   2 * NLA_HDRLEN;

	if (room <= 0)
		return 0;
	return min_t(u32, room, CHUNK_BYTES) / record_size;
}

/* one message of samples; -EMSGSIZE if not one fits */
static int put_samples(struct sk_buff *skb, struct netlink_callback *cb,
		       struct bpmu_buffer *buffer, u32 most)
{
	const void *records;
	void *hdr;
	u32 nr;

	nr = min(bpmu_buffer_peek(buffer, &records), most);
	nr = min(nr, fits(skb, buffer->record_size));
	if (!nr)
		return -EMSGSIZE;
	hdr = put_header(skb, cb);
	if (!hdr)
		return -EMSGSIZE;
	if (nla_put(skb, BPMU_A_SAMPLES, nr * buffer->record_size, records)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	bpmu_buffer_consume(buffer, nr);
	return nr;
}

static int put_loss_attrs(struct sk_buff *skb, u32 cpu,
			  const struct bpmu_buffer_loss *loss)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb, BPMU_A_LOSS);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, BPMU_A_LOSS_CPU, cpu) ||
	    nla_put_u64_64bit(skb, BPMU_A_LOSS_COUNT, loss->count,
			      BPMU_A_LOSS_PAD) ||
	    nla_put_u64_64bit(skb, BPMU_A_LOSS_TSC_FIRST, loss->tsc_first,
			      BPMU_A_LOSS_PAD) ||
	    nla_put_u64_64bit(skb, BPMU_A_LOSS_TSC_LAST, loss->tsc_last,
			      BPMU_A_LOSS_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_loss(struct sk_buff *skb, struct netlink_callback *cb, u32 cpu)
{
	struct bpmu_buffer_loss loss;
	void *hdr;

	loss = bpmu_buffer_loss(bpmu_sampler_buffer(cpu));
	if (!loss.count)
		return 0;
	hdr = put_header(skb, cb);
	if (!hdr)
		return -EMSGSIZE;
	if (put_loss_attrs(skb, cpu, &loss)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int fill_cpu(struct sk_buff *skb, struct netlink_callback *cb,
		    struct cursor *at)
{
	struct bpmu_buffer *buffer = bpmu_sampler_buffer(at->cpu);
	int nr;

	if (!at->open) {
		at->left = bpmu_buffer_held(buffer);
		at->open = 1;
	}
	while (at->left > 0) {
		nr = put_samples(skb, cb, buffer, at->left);
		if (nr < 0)
			return nr;
		at->left -= nr;
	}
	return put_loss(skb, cb, at->cpu);
}

static void fill_cpus(struct sk_buff *skb, struct netlink_callback *cb,
		      const struct cpumask *cpus, struct cursor *at)
{
	while (at->cpu < nr_cpu_ids) {
		if (cpumask_test_cpu(at->cpu, cpus) && fill_cpu(skb, cb, at))
			return;
		at->cpu++;
		at->open = 0;
	}
}

/**
 * bpmu_netlink_read() - BPMU_CMD_READ, one piece of the dump
 * @skb: message to fill
 * @cb: state of the dump
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: bytes filled, 0 at the end of the dump, or a negative errno.
 */
int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct cursor *at = (struct cursor *)cb->args;
	const struct cpumask *cpus;
	const char *why = NULL;

	BUILD_BUG_ON(sizeof(*at) > sizeof(cb->args));
	cpus = bpmu_session_read_begin(NETLINK_CB(cb->skb).portid, &why);
	if (IS_ERR(cpus)) {
		cb->extack->_msg = why;
		return PTR_ERR(cpus);
	}
	fill_cpus(skb, cb, cpus, at);
	bpmu_session_read_end();
	return skb->len;
}
