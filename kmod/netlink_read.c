// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_READ: the buffers of all CPUs, as a dump. The owner takes the samples
 * out; a reader gets copies from where it wants on.
 */
#include <linux/barepmu.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "compat.h"
#include "netlink.h"
#include "sampler.h"
#include "session.h"

/* of an attribute's payload: its length field has 16 bits */
#define CHUNK_BYTES 60000U

/**
 * struct cursor - where a dump stands, kept in the callback's args
 * @cpu: the CPU it is at; a negative errno if the request was wrong
 * @left: samples of that CPU still to deliver
 * @pos: of the next one in its buffer; readers only
 * @open: the two are valid; what comes in later waits for the next dump, so
 *	that a dump ends however fast samples arrive
 * @from: for each CPU the number of the first sample wanted; readers only,
 *	NULL for the owner
 * @why: a sentence on what was wrong: a start callback cannot give one
 */
struct cursor {
	long cpu;
	long left;
	long pos;
	long open;
	u64 *from;
	const char *why;
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

/* the next copy of a sample that is wanted; false if there is none */
static bool next_copy(struct bpmu_buffer *buffer, struct cursor *at,
		      void *record)
{
	const struct bpmu_sample *sample = record;
	u32 pos = at->pos;

	while (at->left > 0) {
		if (!bpmu_buffer_copy(buffer, &pos, record))
			break;
		at->left -= pos + 1 - (u32)at->pos;
		at->pos = ++pos;
		if (sample->seq >= at->from[at->cpu])
			return true;
	}
	at->left = 0;
	return false;
}

/* one message of copies; -EMSGSIZE if not one fits, 0 if there are none */
static int put_copies(struct sk_buff *skb, struct netlink_callback *cb,
		      struct bpmu_buffer *buffer, struct cursor *at)
{
	u32 room = fits(skb, buffer->record_size);
	u32 size = buffer->record_size;
	struct nlattr *attr;
	void *hdr;
	u32 nr;

	if (!room)
		return -EMSGSIZE;
	hdr = put_header(skb, cb);
	attr = hdr ? nla_reserve(skb, BPMU_A_SAMPLES, 0) : NULL;
	if (!attr)
		return -EMSGSIZE;
	for (nr = 0; nr < room; nr++) {
		if (!next_copy(buffer, at, skb_put(skb, size))) {
			skb_trim(skb, skb->len - size);
			break;
		}
		attr->nla_len += size;
	}
	if (nr)
		genlmsg_end(skb, hdr);
	else
		genlmsg_cancel(skb, hdr);
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

static void open_cpu(struct bpmu_buffer *buffer, struct cursor *at)
{
	if (at->from) {
		at->pos = bpmu_buffer_oldest(buffer);
		at->left = READ_ONCE(buffer->head) - (u32)at->pos;
	} else {
		at->left = bpmu_buffer_held(buffer);
	}
	at->open = 1;
}

static int fill_cpu(struct sk_buff *skb, struct netlink_callback *cb,
		    struct cursor *at)
{
	struct bpmu_buffer *buffer = bpmu_sampler_buffer(at->cpu);
	int nr;

	if (!at->open)
		open_cpu(buffer, at);
	while (at->left > 0) {
		if (at->from) {
			nr = put_copies(skb, cb, buffer, at);
		} else {
			nr = put_samples(skb, cb, buffer, at->left);
			at->left -= max(nr, 0);
		}
		if (nr < 0)
			return nr;
	}
	return put_loss(skb, cb, at->cpu);
}

/* true if that is all: a message of its own for the end would cost as much */
static bool fill_cpus(struct sk_buff *skb, struct netlink_callback *cb,
		      const struct cpumask *cpus, struct cursor *at)
{
	while (at->cpu < nr_cpu_ids) {
		if (cpumask_test_cpu(at->cpu, cpus) && fill_cpu(skb, cb, at))
			return false;
		at->cpu++;
		at->open = 0;
	}
	return true;
}

static void refuse_read(struct cursor *at, int err, const char *why)
{
	kfree(at->from);
	at->from = NULL;
	at->cpu = err;
	at->why = why;
}

static void take_positions(struct cursor *at, const struct nlattr *attr)
{
	const struct bpmu_position *position = nla_data(attr);
	unsigned int i;

	if (nla_len(attr) % sizeof(*position)) {
		refuse_read(at, -EINVAL,
			    "BPMU_A_FROM is not a whole number of positions");
		return;
	}
	for (i = 0; i < nla_len(attr) / sizeof(*position); i++) {
		if (position[i].cpu >= nr_cpu_ids || position[i].pad) {
			refuse_read(at, -EINVAL,
				    "a position names no CPU, or its padding is not 0");
			return;
		}
		at->from[position[i].cpu] = position[i].seq;
	}
}

/**
 * bpmu_netlink_read_start() - BPMU_CMD_READ comes in
 * @cb: state of the dump
 *
 * Whoever may read others' sessions gets copies even of its own if it asks for
 * BPMU_A_FROM.
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM.
 */
int bpmu_netlink_read_start(struct netlink_callback *cb)
{
	const struct nlattr *attr = bpmu_dump_attrs(cb)[BPMU_A_FROM];
	struct cursor *at = (struct cursor *)cb->args;

	BUILD_BUG_ON(sizeof(*at) > sizeof(cb->args));
	if (!bpmu_netlink_may_read()) {
		if (attr)
			refuse_read(at, -EPERM, bpmu_netlink_readers_only);
		return 0;
	}
	at->from = kcalloc(nr_cpu_ids, sizeof(*at->from), GFP_KERNEL);
	if (!at->from)
		return -ENOMEM;
	if (attr)
		take_positions(at, attr);
	return 0;
}

/**
 * bpmu_netlink_read_done() - the dump has ended
 * @cb: state of the dump
 *
 * Context: process.
 * Return: 0.
 */
int bpmu_netlink_read_done(struct netlink_callback *cb)
{
	struct cursor *at = (struct cursor *)cb->args;

	kfree(at->from);
	at->from = NULL;
	return 0;
}

/* the owner consumes, unless it asked for copies */
static void take_role(struct netlink_callback *cb, struct cursor *at,
		      bool owner)
{
	if (!owner || bpmu_dump_attrs(cb)[BPMU_A_FROM])
		return;
	kfree(at->from);
	at->from = NULL;
}

/**
 * bpmu_netlink_read() - BPMU_CMD_READ, one piece of the dump
 * @skb: message to fill
 * @cb: state of the dump
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: bytes filled, 0 if they are the last ones, or a negative errno.
 */
int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct cursor *at = (struct cursor *)cb->args;
	const struct bpmu_plan *plan;
	const char *why = NULL;
	bool owner, all;

	if (at->cpu < 0) {
		cb->extack->_msg = at->why;
		return at->cpu;
	}
	plan = bpmu_session_read_begin(NETLINK_CB(cb->skb).portid, at->from,
				       &owner, &why);
	if (IS_ERR(plan)) {
		cb->extack->_msg = why;
		return PTR_ERR(plan);
	}
	take_role(cb, at, owner);
	all = fill_cpus(skb, cb, plan->cpus, at);
	bpmu_session_read_end();
	return all ? 0 : skb->len;
}
