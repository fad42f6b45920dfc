/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory controller, behind the arbiter. A package has one, which works in
 * the package's time (pace.h). The clocks of Knights Corner's cores are not
 * synchronised, so each core has a controller of its own there, with its share of
 * the bandwidth (bandwidth.h).
 */
#ifndef VCORE_CONTROLLER_H
#define VCORE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "package.h"
#include "requests.h"
#include "tracker.h"

/**
 * struct vcore_gap - an interval in which the channel was free
 * @start: its first unit, in 1 / VCORE_INTERVAL_UNITS of a cycle
 * @end: the first unit after it
 */
struct vcore_gap {
	uint64_t start;
	uint64_t end;
};

/**
 * struct vcore_controller - controller of a package, or of a core of Knights Corner
 * @locked: spin lock, held by the requesting core; the others yield while they wait
 * @tracker: counts of requests
 * @entries: entries of the tracker that are in use
 * @prefetched: cycle in which the last line prefetched into the L3 arrives
 * @next: time at which the next line can start, in the units of @gap
 * @gap: latest free interval that a core left before @next, [core]; they do not
 *	overlap
 * @gaps: bit i set if core i left a gap
 * @lines: number of lines transferred
 */
struct vcore_controller {
	bool locked;
	struct vcore_tracker tracker;
	struct vcore_requests entries;
	uint64_t prefetched;
	uint64_t next;
	struct vcore_gap gap[VCORE_MAX_CORES];
	uint64_t gaps;
	uint64_t lines;
};

void vcore_controller_init(struct vcore_controller *controller,
			   unsigned int entries);
void vcore_controller_lock(struct vcore_controller *c);
void vcore_controller_unlock(struct vcore_controller *c);
uint64_t vcore_controller_slot(struct vcore_controller *c, unsigned int core,
			       uint64_t start, unsigned int interval);

#endif /* VCORE_CONTROLLER_H */
