// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_READ, a dump of the samples of all CPUs. The owner of the session takes samples out of
 * the buffers. Another reader gets copies, which begin at the sample numbers that its request
 * names.
 */
#include <linux/barepmu.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "compat.h"
#include "machine/refusal.h"
#include "netlink.h"
#include "sample/events.h"
#include "sample/sampler.h"
#include "sample/who.h"
#include "session/permission.h"
#include "session/session.h"

/* Maximum number of bytes of records in one netlink attribute, whose length field has 16 bits */
#define CHUNK_BYTES 60000U

/**
 * enum stream - kinds of records, each of which has a buffer of its own on each CPU
 * @SAMPLES: samples of all counters, which a timer or a request takes
 * @OVERFLOWS: records of overflow interrupts
 * @STREAMS: number of kinds
 */
enum stream { SAMPLES, OVERFLOWS, STREAMS };

/**
 * struct cursor - progress of a dump of BPMU_CMD_READ, from its first message to its last
 * @err: negative errno if the request is refused, else 0
 * @why: sentence of the refusal; it is kept for the first message, because the callback that starts
 *	a dump cannot report a sentence
 * @reader: the sender may read the samples of a session of another owner
 * @copies: the sender gets copies of samples; false: samples are taken out of the buffers
 * @hide: the sender may not see kernel addresses
 * @viewer: which processes the sender may see by name and number
 * @run: number of the session's run that is read, 0 before the first message
 * @cpu: CPU whose buffer is being read
 * @stream: kind of records that is being read from @cpu
 * @open: @pos and @end are valid for @cpu and @stream
 * @pos: position in the buffer of the next record to send
 * @end: position behind the last record to send; it is fixed when the dump comes to the buffer, so
 *	that the dump ends however fast records arrive
 * @from: number of the first sample to copy, [nr_cpu_ids]; NULL: all samples
 */
struct cursor {
	int err;
	const char *why;
	bool reader;
	bool copies;
	bool hide;
	struct bpmu_viewer viewer;
	u32 run;
	unsigned int cpu;
	enum stream stream;
	bool open;
	u64 pos;
	u64 end;
	u64 *from;
};

static struct cursor *cursor_of(const struct netlink_callback *cb)
{
	return (struct cursor *)cb->args[0];
}

static void *put_header(struct sk_buff *skb, struct netlink_callback *cb)
{
	void *hdr;

	hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			  bpmu_dump_family(cb), NLM_F_MULTI, BPMU_CMD_READ);
	if (hdr)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

/*
 * Returns how many bytes of records fit into the rest of a message, beside the headers; 0 if none.
 */
static u32 max_bytes(const struct sk_buff *skb)
{
	int room = skb_tailroom(skb) - GENL_HDRLEN - NLMSG_HDRLEN -
		   2 * NLA_HDRLEN;

	if (room <= 0)
		return 0;
	return min_t(u32, room, CHUNK_BYTES);
}

static void name_task(const struct cursor *at, struct bpmu_who *who)
{
	bpmu_viewer_name(&at->viewer, who);
	if (at->hide)
		bpmu_who_hide(who);
}

/*
 * Names or hides the interrupted task of each sample, according to the reader's permissions. @attr
 * is a netlink attribute with copies of samples, each of which ends with a struct bpmu_who.
 */
static void name_tasks(const struct cursor *at, struct nlattr *attr, u32 record_size)
{
	void *record = nla_data(attr);
	void *end = record + nla_len(attr);

	for (; record < end; record += record_size)
		name_task(at, record + record_size - sizeof(struct bpmu_who));
}

/*
 * Returns a branch's address, or 0 if the reader may not see it. An interrupted task's branch
 * records may hold addresses of the kernel and of user space, so that each address is judged for
 * itself, not by where the task was interrupted.
 */
static u64 shown_address(const struct cursor *at, const struct bpmu_who *who, u64 address)
{
	bool hidden = (s64)address < 0 ? at->hide : who->flags & BPMU_WHO_UNNAMED;

	return hidden ? 0 : address;
}

static void hide_branches(const struct cursor *at, const struct bpmu_who *who,
			  struct bpmu_section *section)
{
	struct bpmu_branch *branch = (struct bpmu_branch *)(section + 1);
	void *end = (void *)section + section->size;

	for (; (void *)branch < end; branch++) {
		branch->from = shown_address(at, who, branch->from);
		branch->to = shown_address(at, who, branch->to);
	}
}

/*
 * Hides the data address of a sampled op from a reader who may not see it: a process's data are
 * hidden like its code, the kernel's like the kernel's code.
 */
static void hide_op(const struct cursor *at, const struct bpmu_who *who,
		    struct bpmu_section *section)
{
	struct bpmu_tagged_op *op = (struct bpmu_tagged_op *)(section + 1);

	op->address = shown_address(at, who, op->address);
}

/*
 * Returns true if a section has a call chain whose addresses the reader may not see. name_task()
 * must have set the flags in @who before, because they say which addresses the reader may see.
 */
static bool is_hidden(const struct bpmu_section *section, const struct bpmu_who *who)
{
	if (section->id == BPMU_SECTION_KERNEL)
		return who->flags & BPMU_WHO_HIDDEN;
	return section->id == BPMU_SECTION_USER && who->flags & BPMU_WHO_UNNAMED;
}

static void name_interrupted(const struct cursor *at, struct bpmu_overflow *record)
{
	void *end = (void *)record + record->size;
	struct bpmu_section *section;

	name_task(at, &record->who);
	for (section = (void *)(record + 1); (void *)section < end;
	     section = (void *)section + section->size)
		if (section->id == BPMU_SECTION_BRANCHES)
			hide_branches(at, &record->who, section);
		else if (section->id == BPMU_SECTION_OP)
			hide_op(at, &record->who, section);
		else if (is_hidden(section, &record->who))
			memset(section + 1, 0, section->size - sizeof(*section));
}

/*
 * Names or hides what @bytes bytes of records of overflow interrupts say, copies from @record on,
 * according to the reader's permissions.
 */
static void name_all_interrupted(const struct cursor *at, struct bpmu_overflow *record, u32 bytes)
{
	void *end = (void *)record + bytes;

	if (at->hide || !bpmu_viewer_knows_all(&at->viewer)) {
		for (; (void *)record < end; record = (void *)record + record->size)
			name_interrupted(at, record);
		return;
	}
	for (; (void *)record < end; record = (void *)record + record->size)
		bpmu_who_forget_task(&record->who);
}

/*
 * Moves samples from a buffer to a message. Moves at most @room bytes, and stops at the end of the
 * ring; the caller calls again for the rest. Returns the number of bytes moved.
 */
static u32 move_samples(struct sk_buff *skb, struct bpmu_buffer *buffer,
			struct cursor *at, u32 room)
{
	const void *records;
	u32 nr;

	nr = min(bpmu_buffer_peek(buffer, &records), room / buffer->record_size);
	nr = min_t(u64, nr, at->end - at->pos);
	skb_put_data(skb, records, nr * buffer->record_size);
	bpmu_buffer_consume(buffer, nr);
	at->pos += nr;
	return nr * buffer->record_size;
}

/*
 * Moves records of overflow interrupts, whose lengths vary, from a buffer to a message. Moves at
 * most @room bytes, and stops at the end of the ring; the caller calls again for the rest. Returns
 * the number of bytes moved.
 */
static u32 move_overflows(struct sk_buff *skb, struct bpmu_buffer *buffer,
			  struct cursor *at, u32 room)
{
	const void *records;
	u32 units = min_t(u64, bpmu_buffer_peek(buffer, &records), at->end - at->pos);
	const u32 end = units * buffer->record_size;
	u32 moved, size;
	void *copy;

	/* The last record before the end of the ring goes on behind the end. */
	for (moved = 0; moved < end; moved += size) {
		size = ((const struct bpmu_overflow *)(records + moved))->size;
		if (moved + size > room)
			break;
	}
	copy = skb_put_data(skb, records, moved);
	bpmu_buffer_consume(buffer, moved / buffer->record_size);
	at->pos += moved / buffer->record_size;
	name_all_interrupted(at, copy, moved);
	return moved;
}

/*
 * Copies samples to a message, at most @room bytes; the samples stay in the buffer for their owner.
 * Returns the number of bytes copied, 0 if no sample is left.
 */
static u32 copy_samples(struct sk_buff *skb, const struct bpmu_buffer *buffer,
			struct cursor *at, u32 room)
{
	u32 size = buffer->record_size;
	u32 nr;

	for (nr = 0; nr < room / size && at->pos < at->end; nr++) {
		void *record = skb_put(skb, size);

		if (!bpmu_buffer_copy(buffer, &at->pos, record) ||
		    at->pos >= at->end) {
			skb_trim(skb, skb->len - size);
			at->end = at->pos;
			break;
		}
		at->pos++;
	}
	return nr * size;
}

static u32 fill_records(struct sk_buff *skb, struct bpmu_buffer *buffer, struct cursor *at,
			u32 room)
{
	if (at->stream == OVERFLOWS)
		return move_overflows(skb, buffer, at, room);
	if (at->copies)
		return copy_samples(skb, buffer, at, room);
	return move_samples(skb, buffer, at, room);
}

/* Returns the size in bytes of the next record to be sent, the least room that a message needs. */
static u32 least_room(const struct bpmu_buffer *buffer, const struct cursor *at)
{
	const void *record;

	if (at->stream == SAMPLES)
		return buffer->record_size;
	bpmu_buffer_peek(buffer, &record);
	return ((const struct bpmu_overflow *)record)->size;
}

/*
 * Puts records of a buffer into a message, in one attribute. Returns 0, or -EMSGSIZE if not even
 * one record fits into the rest of the message.
 */
static int put_records(struct sk_buff *skb, struct netlink_callback *cb,
		       struct bpmu_buffer *buffer,
		       const struct bpmu_settings *settings)
{
	struct cursor *at = cursor_of(cb);
	u32 room = max_bytes(skb);
	struct nlattr *attr;
	void *hdr;
	u32 filled;

	hdr = room >= least_room(buffer, at) ? put_header(skb, cb) : NULL;
	if (!hdr)
		return -EMSGSIZE;
	attr = nla_reserve(skb, at->stream == SAMPLES ? BPMU_A_SAMPLES : BPMU_A_OVERFLOWS, 0);
	if (!attr) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	filled = fill_records(skb, buffer, at, room);
	if (!filled) {
		genlmsg_cancel(skb, hdr);
		at->end = at->pos;
		return 0;
	}
	attr->nla_len += filled;
	if (settings->who && at->stream == SAMPLES)
		name_tasks(at, attr, buffer->record_size);
	genlmsg_end(skb, hdr);
	return 0;
}

static int put_loss_attrs(struct sk_buff *skb, const struct cursor *at,
			  const struct bpmu_buffer_loss *loss)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb,
			      at->stream == SAMPLES ? BPMU_A_LOSS : BPMU_A_OVERFLOW_LOSS);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, BPMU_A_LOSS_CPU, at->cpu) ||
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

static int put_loss(struct sk_buff *skb, struct netlink_callback *cb,
		    const struct bpmu_buffer *buffer)
{
	struct bpmu_buffer_loss loss;
	void *hdr;

	loss = bpmu_buffer_loss(buffer);
	if (!loss.count)
		return 0;
	hdr = put_header(skb, cb);
	if (!hdr)
		return -EMSGSIZE;
	if (put_loss_attrs(skb, cursor_of(cb), &loss)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static void open_cpu(struct bpmu_buffer *buffer, struct cursor *at)
{
	at->open = true;
	if (at->copies) {
		at->pos = bpmu_buffer_seek(buffer,
					   at->from ? at->from[at->cpu] : 0);
		at->end = max(at->pos, READ_ONCE(buffer->head));
		return;
	}
	bpmu_buffer_rearm(buffer);
	at->pos = buffer->tail;
	at->end = at->pos + bpmu_buffer_held(buffer);
}

static int fill_stream(struct sk_buff *skb, struct netlink_callback *cb,
		       const struct bpmu_settings *settings)
{
	struct cursor *at = cursor_of(cb);
	struct bpmu_buffer *buffer = at->stream == SAMPLES ? bpmu_sampler_buffer(at->cpu) :
							     bpmu_sampler_overflows(at->cpu);
	int err;

	if (!at->open)
		open_cpu(buffer, at);
	while (at->pos < at->end) {
		err = put_records(skb, cb, buffer, settings);
		if (err)
			return err;
	}
	err = put_loss(skb, cb, buffer);
	if (!err && !at->copies && bpmu_buffer_is_over_mark(buffer))
		bpmu_events_watermark();
	return err;
}

/*
 * Puts the samples and overflow records of one CPU, @at->cpu, into a message. Returns 0, or
 * -EMSGSIZE if the next message must continue. A reader that sends BPMU_A_FROM gets no overflow
 * records, because that attribute has positions of samples only.
 */
static int fill_cpu(struct sk_buff *skb, struct netlink_callback *cb,
		    const struct bpmu_settings *settings)
{
	struct cursor *at = cursor_of(cb);
	enum stream last = settings->overflows && !at->copies ? OVERFLOWS : SAMPLES;
	int err;

	for (; at->stream <= last; at->stream++, at->open = false) {
		err = fill_stream(skb, cb, settings);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Fills a message with records of one CPU after the other. Returns true at the end of the dump,
 * false if the next message must continue.
 */
static bool fill_cpus(struct sk_buff *skb, struct netlink_callback *cb,
		      const struct bpmu_settings *settings)
{
	struct cursor *at = cursor_of(cb);

	for (; at->cpu < nr_cpu_ids; at->cpu++, at->stream = SAMPLES) {
		if (cpumask_test_cpu(at->cpu, settings->cpus) &&
		    fill_cpu(skb, cb, settings))
			return false;
		cond_resched();
	}
	return true;
}

static int parse_positions(struct cursor *at, const struct nlattr *attr)
{
	const struct bpmu_position *position = nla_data(attr);
	unsigned int i;

	if (nla_len(attr) % sizeof(*position)) {
		at->why = "the length of BPMU_A_FROM is not a multiple of struct bpmu_position";
		return -EINVAL;
	}
	at->from = kvcalloc(nr_cpu_ids, sizeof(*at->from), GFP_KERNEL);
	if (!at->from)
		return -ENOMEM;
	for (i = 0; i < nla_len(attr) / sizeof(*position); i++) {
		if (position[i].cpu >= nr_cpu_ids || position[i].pad) {
			at->why = "a position in BPMU_A_FROM has an invalid CPU or nonzero padding";
			return -EINVAL;
		}
		at->from[position[i].cpu] = position[i].seq;
	}
	return 0;
}

/**
 * bpmu_netlink_read_start() - start the dump of samples to netlink for BPMU_CMD_READ
 * @cb: state of the dump
 *
 * The sender's permissions are checked here, once: later messages of the dump are filled when a
 * process reads from the socket, which may be another process. A refusal is noted and reported with
 * the first message.
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM.
 */
int bpmu_netlink_read_start(struct netlink_callback *cb)
{
	const struct nlattr *attr = bpmu_dump_attrs(cb)[BPMU_A_FROM];
	struct cursor *at = kzalloc(sizeof(*at), GFP_KERNEL);

	if (!at)
		return -ENOMEM;
	cb->args[0] = (long)at;
	at->reader = bpmu_may_read(cb->skb);
	at->hide = !bpmu_may_see_kernel_addresses(cb->skb);
	bpmu_viewer_begin(&at->viewer, cb->skb);
	if (attr && !at->reader) {
		at->why = bpmu_readers_only;
		at->err = -EPERM;
	} else if (attr) {
		at->err = parse_positions(at, attr);
	}
	return 0;
}

/**
 * bpmu_netlink_read_done() - free the progress of the netlink dump of BPMU_CMD_READ at its end
 * @cb: state of the dump
 *
 * Context: process. The function must not take the session's lock, because it is also called when
 * the owner's socket is closed.
 * Return: 0.
 */
int bpmu_netlink_read_done(struct netlink_callback *cb)
{
	struct cursor *at = cursor_of(cb);

	bpmu_viewer_end(&at->viewer);
	kvfree(at->from);
	kfree(at);
	return 0;
}

/* Returns true if @run, the session's run, is the run in which the dump began. */
static bool same_run(struct netlink_callback *cb, u32 run)
{
	struct cursor *at = cursor_of(cb);
	bool same = !at->run || at->run == run;

	at->run = run;
	/* netlink sets NLM_F_DUMP_INTR in the messages if cb->seq changes between them. */
	cb->seq = run;
	return same;
}

/**
 * bpmu_netlink_read() - fill one netlink message of the samples that BPMU_CMD_READ dumps
 * @skb: message to fill
 * @cb: state of the dump
 *
 * Context: process, may sleep; takes the session's lock.
 * Return: bytes filled, 0 at the end of the dump, or a negative errno.
 */
int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct cursor *at = cursor_of(cb);
	struct bpmu_session_view view;
	bool owner, all;
	int err;

	if (at->err) {
		bpmu_refuse(cb->extack, at->why);
		return at->err;
	}
	err = bpmu_may_count(cb->extack);
	if (err)
		return err;
	err = bpmu_session_read_begin(cb->skb, at->reader, &view, &owner,
				      cb->extack);
	if (err)
		return err;
	/*
	 * The owner gets copies too if the request has BPMU_A_FROM; the permission of other readers
	 * is then needed.
	 */
	at->copies = !owner || bpmu_dump_attrs(cb)[BPMU_A_FROM];
	all = !same_run(cb, view.run) ||
	      fill_cpus(skb, cb, view.counted->settings);
	bpmu_session_view_end();
	return all ? 0 : skb->len;
}
