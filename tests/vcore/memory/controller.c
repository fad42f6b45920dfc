// SPDX-License-Identifier: GPL-2.0
#include "controller.h"

#include "base/cycle.h"

#include <sched.h>

/**
 * vcore_controller_init() - initialise a memory controller of the model, without requests
 * @controller: controller; all its bytes must be 0
 * @entries: number of entries of the request tracker
 */
void vcore_controller_init(struct vcore_controller *controller,
			   unsigned int entries)
{
	vcore_requests_init(&controller->entries, entries);
}

/**
 * vcore_controller_lock() - lock a memory controller of the model for the requests of one core
 * @c: memory controller
 */
void vcore_controller_lock(struct vcore_controller *c)
{
	while (__atomic_exchange_n(&c->locked, true, __ATOMIC_ACQUIRE))
		sched_yield();
}

/**
 * vcore_controller_unlock() - unlock a memory controller of the model
 * @c: locked controller
 */
void vcore_controller_unlock(struct vcore_controller *c)
{
	__atomic_store_n(&c->locked, false, __ATOMIC_RELEASE);
}

/*
 * Returns the earliest gap that has room for a transfer of duration @interval at or after @start,
 * or NULL if there is none.
 */
static struct vcore_gap *find_gap(struct vcore_controller *c, uint64_t start,
				  unsigned int interval)
{
	struct vcore_gap *best = NULL;
	uint64_t gaps = c->gaps;

	for (; gaps; gaps &= gaps - 1) {
		struct vcore_gap *gap = &c->gap[__builtin_ctzll(gaps)];

		if (vcore_later(start, gap->start) + interval <= gap->end &&
		    (!best || gap->start < best->start))
			best = gap;
	}
	return best;
}

/**
 * vcore_controller_slot() - schedule the transfer of a line on the memory controller's channel
 * @c: locked controller
 * @core: number of the requesting core
 * @start: cycle in which the request arrives, times VCORE_INTERVAL_UNITS
 * @interval: duration of the transfer, in the unit of @start
 *
 * Requests do not come in the order of @start, because a request that follows a page walk is
 * scheduled when the walk starts. If the channel is free for some time before a transfer, this time
 * remains as a gap for requests with an earlier @start.
 *
 * Return: start of the transfer, in the unit of @start.
 */
uint64_t vcore_controller_slot(struct vcore_controller *c, unsigned int core,
			       uint64_t start, unsigned int interval)
{
	struct vcore_gap *gap = find_gap(c, start, interval);

	if (gap) {
		start = vcore_later(start, gap->start);
		gap->start = start + interval;
		return start;
	}
	if (start > c->next) {
		c->gap[core] = (struct vcore_gap){ c->next, start };
		c->gaps |= 1ull << core;
	} else {
		start = c->next;
	}
	c->next = start + interval;
	return start;
}
