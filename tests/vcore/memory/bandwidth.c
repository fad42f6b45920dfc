// SPDX-License-Identifier: GPL-2.0
#include "bandwidth.h"

/* Fraction of the memory bandwidth below which a core does not count as a user of memory. */
#define IDLE_FRACTION 0.01

static uint64_t read_counter(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

/*
 * Returns the fraction of the memory bandwidth that core @other has used since the last call for
 * the same two cores.
 */
static double used_fraction(const struct vcore_bandwidth *bandwidth,
			    struct vcore_bandwidth_user *me, unsigned int other,
			    uint64_t own_cycles)
{
	uint64_t cycle = read_counter(&bandwidth->user[other].cycle);
	uint64_t lines = read_counter(&bandwidth->user[other].lines);
	uint64_t cycles = cycle - me->seen_cycle[other];
	uint64_t moved = lines - me->seen_lines[other];

	me->seen_cycle[other] = cycle;
	me->seen_lines[other] = lines;
	return (double)moved * bandwidth->line_interval /
	       (cycles > own_cycles ? cycles : own_cycles);
}

static double own_share(const struct vcore_bandwidth *bandwidth,
			struct vcore_bandwidth_user *me, uint64_t cycles)
{
	unsigned int sharing = 1;
	double left = 1, part;
	unsigned int i;

	for (i = 0; i < VCORE_MAX_CORES; i++) {
		if (&bandwidth->user[i] == me)
			continue;
		part = used_fraction(bandwidth, me, i, cycles);
		left -= part;
		sharing += part > IDLE_FRACTION;
	}
	return left * sharing > 1 ? left : 1.0 / sharing;
}

/**
 * vcore_bandwidth_interval() - get the time between lines that a core's share of bandwidth allows
 * @bandwidth: use of memory by the cores of the package
 * @core: number of the core
 * @cycle: current cycle of the core's clock
 * @lines: number of lines that the core has transferred since power-on
 *
 * Context: the thread that simulates the core.
 *
 * Return: the minimum time from line to line, in units of 1 / VCORE_INTERVAL_UNITS of a cycle.
 */
unsigned int vcore_bandwidth_interval(struct vcore_bandwidth *bandwidth,
				      unsigned int core, uint64_t cycle,
				      uint64_t lines)
{
	unsigned int alone = bandwidth->line_interval * VCORE_INTERVAL_UNITS;
	struct vcore_bandwidth_user *me = &bandwidth->user[core];

	__atomic_store_n(&me->cycle, cycle, __ATOMIC_RELAXED);
	__atomic_store_n(&me->lines, lines, __ATOMIC_RELAXED);
	if (!me->interval || cycle - me->read_at >= VCORE_BANDWIDTH_PERIOD) {
		me->interval = alone /
			       own_share(bandwidth, me, cycle - me->read_at + 1);
		me->read_at = cycle;
	}
	return me->interval;
}
