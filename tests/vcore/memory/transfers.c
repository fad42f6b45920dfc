// SPDX-License-Identifier: GPL-2.0
/*
 * Transfers of lines between a core and its memory controller: the controller of the package or, on
 * Knights Corner, the core's own.
 */
#include <stdlib.h>

#include "base/cycle.h"
#include "controller.h"
#include "hierarchy.h"

static bool has_own_controller(const struct vcore_memory *memory)
{
	return memory->part->in_order;
}

/**
 * vcore_transfers_controller() - get the memory controller for a core's transfers
 * @memory: memory of the core, which has joined its package
 *
 * Return: the controller: that of the package, or a new one on Knights Corner.
 * vcore_transfers_leave() releases it.
 */
struct vcore_controller *vcore_transfers_controller(struct vcore_memory *memory)
{
	struct vcore_controller *c;

	if (!has_own_controller(memory))
		return vcore_shared_controller(memory->shared);
	c = calloc(1, sizeof(*c));
	if (!c)
		abort();
	vcore_controller_init(c, memory->params->tracker);
	return c;
}

/**
 * vcore_transfers_leave() - end a core's transfers, and free a memory controller of its own
 * @memory: memory of the core
 */
void vcore_transfers_leave(struct vcore_memory *memory)
{
	if (has_own_controller(memory))
		free(memory->controller);
}

static struct vcore_controller *lock_controller(const struct vcore_memory *memory)
{
	vcore_controller_lock(memory->controller);
	return memory->controller;
}

/*
 * Returns the offset from a core's cycles to the controller's time. A core that is not synchronised
 * is synchronised now, at the time of the other cores. The controller must be locked, so that no
 * other core makes a request meanwhile.
 */
static uint64_t controller_offset(const struct vcore_memory *memory, uint64_t cycle)
{
	return has_own_controller(memory) ? 0 :
	       vcore_shared_offset(memory->shared, memory->core, cycle);
}

/*
 * Returns the number of cycles from a core to the controller: half the latency of the last-level
 * cache, because that latency is for the way to the cache and back.
 */
static unsigned int request_latency(const struct vcore_memory *memory)
{
	const struct vcore_memory_params *p = memory->params;

	return (p->l3.sets ? p->l3.latency : p->l2.latency) / 2;
}

static unsigned int transfer_interval(struct vcore_memory *memory,
				      struct vcore_controller *c, uint64_t cycle)
{
	c->lines++;
	if (has_own_controller(memory))
		return vcore_shared_interval(memory->shared, memory->core,
					     cycle, c->lines);
	return memory->params->line_interval * VCORE_INTERVAL_UNITS;
}

/*
 * Schedules the transfer of a line for a request that arrives at the controller in @cycle. Returns
 * the cycle in which the transfer starts.
 */
static uint64_t transfer_cycle(struct vcore_memory *memory, struct vcore_controller *c,
			       uint64_t cycle)
{
	return (vcore_controller_slot(c, memory->core,
				      cycle * VCORE_INTERVAL_UNITS,
				      transfer_interval(memory, c, cycle)) +
		VCORE_INTERVAL_UNITS - 1) / VCORE_INTERVAL_UNITS;
}

/*
 * Reads a line from memory for a request that leaves the core in @cycle. Returns the cycle in which
 * the data arrive at the core. Both cycles are in the time of the controller, which must be locked.
 */
static uint64_t read_line(struct vcore_memory *memory,
			  struct vcore_controller *c, uint64_t cycle,
			  uint64_t line)
{
	unsigned int there = request_latency(memory);
	uint64_t starts, done;

	cycle = vcore_later(cycle + there, vcore_requests_free(&c->entries, 1));
	starts = transfer_cycle(memory, c, cycle);
	done = starts + memory->params->memory - there;
	vcore_requests_put(&c->entries, line, done, VCORE_AT_MEMORY);
	vcore_tracker_add(&c->tracker, cycle, done, false);
	vcore_tracker_wait(&c->tracker, cycle, starts);
	return done;
}

/**
 * vcore_transfers_read() - transfer a line from memory to a core that reads it
 * @memory: memory of the core
 * @cycle: cycle in which the load or prefetch leaves the core
 * @line: line address / 64
 *
 * Return: the cycle in which the line arrives.
 */
uint64_t vcore_transfers_read(struct vcore_memory *memory, uint64_t cycle,
			      uint64_t line)
{
	struct vcore_controller *c = lock_controller(memory);
	uint64_t by = controller_offset(memory, cycle);
	uint64_t done = read_line(memory, c, cycle + by, line);

	vcore_controller_unlock(c);
	return done - by;
}

/**
 * vcore_transfers_prefetch() - transfer a line from memory into the L3
 * @memory: memory of the core
 * @cycle: cycle in which the prefetch leaves the core
 * @line: line address / 64
 *
 * Return: the cycle in which the line arrives.
 */
uint64_t vcore_transfers_prefetch(struct vcore_memory *memory, uint64_t cycle,
				  uint64_t line)
{
	struct vcore_controller *c = lock_controller(memory);
	uint64_t by = controller_offset(memory, cycle);
	uint64_t done = read_line(memory, c, cycle + by, line);

	c->prefetched = vcore_later(c->prefetched, done);
	vcore_controller_unlock(c);
	return done - by;
}

/**
 * vcore_transfers_write() - transfer a line from a core to memory
 * @memory: memory of the core
 * @cycle: cycle in which the line leaves the core
 *
 * Return: the cycle in which the controller has accepted the line.
 */
uint64_t vcore_transfers_write(struct vcore_memory *memory, uint64_t cycle)
{
	struct vcore_controller *c = lock_controller(memory);
	uint64_t by = controller_offset(memory, cycle);
	uint64_t arrives = cycle + by + request_latency(memory);
	uint64_t done = transfer_cycle(memory, c, arrives) +
			memory->params->line_interval;

	vcore_tracker_add(&c->tracker, arrives, done, true);
	vcore_controller_unlock(c);
	return done - by;
}

/**
 * vcore_transfers_has_room() - check if the controller can begin another transfer, for a prefetch
 * @memory: memory of the core
 * @cycle: current cycle of the core's clock
 */
bool vcore_transfers_has_room(const struct vcore_memory *memory,
			      uint64_t cycle)
{
	struct vcore_controller *c = lock_controller(memory);
	bool room = vcore_requests_free(&c->entries, 2) <=
		    cycle + controller_offset(memory, cycle);

	vcore_controller_unlock(c);
	return room;
}

/**
 * vcore_transfers_in_progress() - check if a transfer of a line into the L3 is in progress
 * @memory: memory of the core
 * @cycle: cycle in which the line would arrive from the L3 without a prefetch in progress
 * @line: line address / 64
 *
 * Return: the cycle in which the prefetched line arrives, if it is after @cycle; else 0.
 */
uint64_t vcore_transfers_in_progress(const struct vcore_memory *memory,
				     uint64_t cycle, uint64_t line)
{
	struct vcore_controller *c = lock_controller(memory);
	uint64_t by = controller_offset(memory, cycle);
	const struct vcore_fill *entry = NULL;
	uint64_t done;

	if (cycle + by < c->prefetched)
		entry = vcore_requests_find(&c->entries, line, cycle + by);
	done = entry ? entry->done - by : 0;
	vcore_controller_unlock(c);
	return done;
}

/**
 * vcore_transfers_lookup() - count a lookup of the L3 that a transfer of a core has made
 * @memory: memory of the requesting core
 * @line: line address / 64
 * @request: type of the request
 * @hit: true if the L3 had the line
 * @cycles: cycles from the request until the data arrive
 */
void vcore_transfers_lookup(struct vcore_memory *memory, uint64_t line,
			    enum vcore_request request, bool hit, uint64_t cycles)
{
	struct vcore_controller *c = lock_controller(memory);

	vcore_tracker_lookup(&c->tracker, line, request, hit, cycles);
	vcore_controller_unlock(c);
}

static void count_outstanding(struct vcore_memory *memory,
			      const struct vcore_controller *c,
			      struct vcore_counts *counts)
{
	const uint64_t *with = c->tracker.counted.cycles_with;
	unsigned int k;

	for (k = 0; k <= VCORE_TRACKER_ENTRIES; k++) {
		if (counts)
			counts->outstanding[k] += with[k] -
						  memory->outstanding[k];
		memory->outstanding[k] = with[k];
	}
}

/**
 * vcore_transfers_advance() - count the outstanding transfers in the cycles that have passed
 * @memory: memory of the core
 * @cycle: first cycle of the core's clock that has not passed yet
 * @counts: counts whose &vcore_counts.outstanding is increased
 *
 * A cycle of the package's time has passed when all running cores have simulated it.
 */
void vcore_transfers_advance(struct vcore_memory *memory, uint64_t cycle,
			     struct vcore_counts *counts)
{
	struct vcore_controller *c = lock_controller(memory);

	if (!has_own_controller(memory))
		cycle = vcore_shared_passed(memory->shared, memory->core,
					    cycle);
	vcore_tracker_advance(&c->tracker, cycle);
	count_outstanding(memory, c, counts);
	vcore_controller_unlock(c);
}

/**
 * vcore_transfers_joined() - skip, in a core's counts, the transfers made while it halted
 * @memory: memory of the core
 */
void vcore_transfers_joined(struct vcore_memory *memory)
{
	struct vcore_controller *c = lock_controller(memory);

	count_outstanding(memory, c, NULL);
	vcore_controller_unlock(c);
}

/**
 * vcore_transfers_traffic() - read the arbiter's counts of transfers
 * @memory: memory of the core or, if the controller is that of the package, of any core
 * @seen: output
 */
void vcore_transfers_traffic(const struct vcore_memory *memory,
			     struct vcore_traffic *seen)
{
	struct vcore_controller *c = lock_controller(memory);

	*seen = c->tracker.counted;
	vcore_controller_unlock(c);
}
