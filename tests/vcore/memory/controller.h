/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory controller behind the arbiter. A package has one, whose cores ask it
 * in the package's time (pace.h). The clocks of Knights Corner's cores are not kept
 * together: each has its own, with as much of the bandwidth as bandwidth.h says.
 */
#ifndef VCORE_CONTROLLER_H
#define VCORE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "package.h"
#include "requests.h"
#include "tracker.h"

/**
 * struct vcore_gap - a time in which no line started
 * @start: of it, in units of 1 / VCORE_INTERVAL_UNITS of a cycle
 * @end: first unit behind it
 */
struct vcore_gap {
	uint64_t start;
	uint64_t end;
};

/**
 * struct vcore_controller - of a package, or of a core of Knights Corner
 * @locked: by the core that asks; for so short a time that who waits for it only
 *	lets other threads run
 * @tracker: requests
 * @entries: of them, in the tracker
 * @prefetched: when the last line that only the L3 asked for is there
 * @next: when the next line can start, in the units of @gap
 * @gap: by core: the latest that it left before @next; they do not overlap
 * @gaps: bit i: core i left one
 * @lines: moved
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
