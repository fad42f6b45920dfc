// SPDX-License-Identifier: GPL-2.0
#include "hierarchy.h"

/*
 * Of a load from memory, the cycles until the controller hears of it: half of
 * what the last cache takes, there and back.
 */
static unsigned int way_there(const struct vcore_memory *memory)
{
	const struct vcore_memory_params *p = memory->params;

	return (p->l3.sets ? p->l3.latency : p->l2.latency) / 2;
}

/*
 * Requests do not come in order: one behind a page walk is known long before it
 * arrives. What it leaves free before it is for those that arrive earlier.
 */
static uint64_t take_slot(struct vcore_controller *c, uint64_t start,
			  unsigned int interval)
{
	uint64_t in_gap = start > c->gap ? start : c->gap;

	if (in_gap + interval <= c->gap_end) {
		c->gap = in_gap + interval;
		return in_gap;
	}
	if (start > c->next) {
		c->gap = c->next;
		c->gap_end = start;
	} else {
		start = c->next;
	}
	c->next = start + interval;
	return start;
}

/* Return: the cycle in which a line that arrives in one has its turn */
static uint64_t turn(struct vcore_memory *memory, uint64_t cycle)
{
	struct vcore_controller *c = &memory->controller;
	unsigned int interval;

	interval = vcore_shared_interval(memory->shared, memory->core, cycle,
					 ++c->lines);
	return (take_slot(c, cycle * VCORE_INTERVAL_UNITS, interval) +
		VCORE_INTERVAL_UNITS - 1) / VCORE_INTERVAL_UNITS;
}

/**
 * vcore_controller_read() - a line comes from memory
 * @memory: of the core
 * @cycle: in which the load or prefetch left the core
 * @line: number
 *
 * Return: the cycle in which the line is there.
 */
uint64_t vcore_controller_read(struct vcore_memory *memory, uint64_t cycle,
			       uint64_t line)
{
	struct vcore_controller *c = &memory->controller;
	unsigned int there = way_there(memory);
	uint64_t free = vcore_requests_free(&c->entries, 1);
	uint64_t done;

	cycle += there;
	if (cycle < free)
		cycle = free;
	done = turn(memory, cycle) + memory->params->memory - there;
	vcore_requests_put(&c->entries, line, done, VCORE_AT_MEMORY);
	vcore_tracker_add(&c->tracker, cycle, done, false);
	return done;
}

/**
 * vcore_controller_write() - a line goes to memory
 * @memory: of the core
 * @cycle: in which it leaves the core
 *
 * Return: the cycle in which the controller has taken it.
 */
uint64_t vcore_controller_write(struct vcore_memory *memory, uint64_t cycle)
{
	uint64_t done;

	cycle += way_there(memory);
	done = turn(memory, cycle) + memory->params->line_interval;
	vcore_tracker_add(&memory->controller.tracker, cycle, done, true);
	return done;
}

/**
 * vcore_controller_has_room() - may a prefetch ask for a line
 * @memory: of the core
 * @cycle: now
 */
bool vcore_controller_has_room(const struct vcore_memory *memory,
			       uint64_t cycle)
{
	return vcore_requests_free(&memory->controller.entries, 2) <= cycle;
}
