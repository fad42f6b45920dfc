/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The share of the memory bandwidth that a core has.
 *
 * The clocks of Knights Corner's cores are not synchronised, so no controller can order their
 * requests. Instead, each core periodically reads how many lines every other core has transferred
 * since the reading before. It divides this number by the cycles that have passed since then. Of
 * the cycles on its own clock and on the other core's clock, it takes the larger number, because
 * the other clock may have stood still. The core then limits itself to the bandwidth that the
 * others leave, or to an equal share if that is more.
 */
#ifndef VCORE_BANDWIDTH_H
#define VCORE_BANDWIDTH_H

#include <stdint.h>

#include "package.h"

/* Cycles between two readings; in this time even a host with one CPU schedules every vCPU. */
#define VCORE_BANDWIDTH_PERIOD (1 << 18)

/**
 * struct vcore_bandwidth_user - a core's use of memory
 * @cycle: latest cycle of the core's clock
 * @lines: number of lines that the core has transferred
 * @read_at: value of @cycle when this core last read the counts of the other cores
 * @seen_cycle: [other core], value of the other core's @cycle at the last reading
 * @seen_lines: [other core], value of the other core's @lines at the last reading
 * @interval: minimum time from line to line, in 1 / VCORE_INTERVAL_UNITS of a cycle
 */
struct vcore_bandwidth_user {
	uint64_t cycle;
	uint64_t lines;
	uint64_t read_at;
	uint64_t seen_cycle[VCORE_MAX_CORES];
	uint64_t seen_lines[VCORE_MAX_CORES];
	unsigned int interval;
};

/**
 * struct vcore_bandwidth - use of memory by all cores of a package
 * @line_interval: cycles that a line takes at full memory bandwidth
 * @user: [core], use of memory by the core, which only the core's own thread writes
 */
struct vcore_bandwidth {
	unsigned int line_interval;
	struct vcore_bandwidth_user user[VCORE_MAX_CORES];
};

unsigned int vcore_bandwidth_interval(struct vcore_bandwidth *bandwidth,
				      unsigned int core, uint64_t cycle,
				      uint64_t lines);

#endif /* VCORE_BANDWIDTH_H */
