/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory controller of the model, which schedules transfers of lines. The cores of a package
 * share one controller, because their clocks are synchronised (pace.h). On Knights Corner the
 * clocks are not synchronised, so each core has a controller of its own, with a share of the
 * bandwidth (bandwidth.h).
 */
#ifndef VCORE_CONTROLLER_H
#define VCORE_CONTROLLER_H

#include <stdbool.h>
#include <stdint.h>

#include "package.h"
#include "requests.h"
#include "tracker.h"

/**
 * struct vcore_gap - an interval in which the memory channel is free
 * @start: start of the interval, in 1 / VCORE_INTERVAL_UNITS of a cycle
 * @end: end of the interval, exclusive, in the same units
 */
struct vcore_gap {
	uint64_t start;
	uint64_t end;
};

/**
 * struct vcore_controller - memory controller of a package, or of one core of Knights Corner
 * @locked: spin lock, held by the core that makes a request; other cores yield their host CPU while
 *	they wait for it
 * @tracker: counts of the requests by the arbiter
 * @entries: entries of the tracker, each in use until a known cycle
 * @prefetched: cycle in which the last of the lines that are prefetched into the L3 arrives
 * @next: end of the transfer that is scheduled last, in the units of @gap
 * @gap: [core], the latest gap before @next that a request of the core has left; gaps do not
 *	overlap
 * @gaps: mask of the valid elements of @gap
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
