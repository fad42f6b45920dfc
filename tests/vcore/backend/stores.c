// SPDX-License-Identifier: GPL-2.0
/*
 * The store buffer of an out-of-order core. A store is in it from its issue until it has been
 * written to the L1D.
 */
#include "ooo.h"
#include "overlap.h"

static void set_store_address(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_store *store = vcore_store(ooo, flight->store);

	store->known = true;
	ooo->unknown_stores--;
	vcore_overlap_mark(ooo->store_granule, &store->access, 1);
	vcore_refused_store(ooo, &store->access);
	vcore_lsq_violation(ooo, flight->store);
}

/**
 * vcore_stores_executed() - update the store buffer after a store's STA or STD uop has executed
 * @ooo: back end
 * @flight: the executed STA or STD uop
 */
void vcore_stores_executed(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t uop = vcore_uop_index(flight);
	struct vcore_store *store;

	if (!flight->access)
		return;
	store = vcore_store(ooo, flight->store);
	if (store->std == uop) {
		store->filled = true;
		store->data = flight->done;
	}
	if (store->sta == uop)
		set_store_address(ooo, flight);
}

static void send_device_store(struct vcore_ooo *ooo, struct vcore_store *store)
{
	store->done = ooo->core->cycle + ooo->core->params->memory.memory;
	ooo->store_sent++;
}

static void note_store_reply(struct vcore_ooo *ooo, struct vcore_store *store,
			     const struct vcore_reply *reply)
{
	store->done = reply->done;
	store->missed = reply->level > VCORE_AT_L1;
	if (reply->walked)
		vcore_counts(ooo->core)->plain[VCORE_STLB_MISS_STORES]++;
	ooo->store_sent++;
}

/* Sends to the L1D the oldest store that has retired and was not sent before. */
static void send_store(struct vcore_ooo *ooo)
{
	struct vcore_store *store = vcore_store(ooo, ooo->store_sent);
	struct vcore *core = ooo->core;
	struct vcore_reply reply;

	if (ooo->store_sent == ooo->store_senior || core->cycle < ooo->send_at)
		return;
	ooo->did.active = true;
	if (store->access.device) {
		send_device_store(ooo, store);
		return;
	}
	reply = vcore_memory_store(core->memory, core->cycle, &store->access,
				   store->streams, vcore_counts(core));
	if (reply.refused)
		ooo->send_at = reply.done;
	else
		note_store_reply(ooo, store, &reply);
}

static void free_oldest_store(struct vcore_ooo *ooo, struct vcore_store *store)
{
	unsigned int blocked = ooo->core->params->back.forward_blocked;

	vcore_overlap_mark(ooo->store_granule, &store->access, -1);
	vcore_sched_wake_all_at(ooo, &store->waiters, store->data + blocked);
	ooo->store_head++;
	ooo->did.active = true;
}

/**
 * vcore_stores_drain() - free the store buffer's oldest entry if complete, and send a store
 * @ooo: back end
 */
void vcore_stores_drain(struct vcore_ooo *ooo)
{
	struct vcore_store *store = vcore_store(ooo, ooo->store_head);

	if (ooo->store_head < ooo->store_sent &&
	    store->done <= ooo->core->cycle)
		free_oldest_store(ooo, store);
	send_store(ooo);
}

/**
 * vcore_stores_reset() - drop the stores that have not retired from the store buffer
 * @ooo: back end
 */
void vcore_stores_reset(struct vcore_ooo *ooo)
{
	uint64_t nr;

	for (nr = ooo->store_head; nr < ooo->store_tail; nr++) {
		struct vcore_store *store = vcore_store(ooo, nr);

		store->waiters = VCORE_NO_UOP;
		if (nr >= ooo->store_senior && store->known)
			vcore_overlap_mark(ooo->store_granule, &store->access,
					   -1);
	}
	ooo->unknown_stores = 0;
	ooo->store_tail = ooo->store_senior;
}

/**
 * vcore_stores_next() - find the next cycle in which the store buffer is active
 * @ooo: back end
 *
 * Return: the cycle, which is after the current one, or VCORE_NEVER if the store buffer waits for
 * nothing.
 */
uint64_t vcore_stores_next(struct vcore_ooo *ooo)
{
	uint64_t soon = ooo->core->cycle + 1;
	uint64_t next = VCORE_NEVER;

	if (ooo->store_head < ooo->store_sent)
		next = vcore_store(ooo, ooo->store_head)->done;
	if (ooo->store_sent < ooo->store_senior && ooo->send_at < next)
		next = ooo->send_at;
	return next < soon ? soon : next;
}
