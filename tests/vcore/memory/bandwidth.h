/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A core's share of the memory bandwidth.
 *
 * The clocks of Knights Corner's cores are not synchronised, so no controller can order
 * their requests. Instead each core periodically reads how many lines the other cores
 * have transferred since its previous reading, and divides by the cycles of its own
 * clock or of theirs, whichever are more. It limits itself to the remaining bandwidth or
 * to an equal share, whichever is more.
 */
#ifndef VCORE_BANDWIDTH_H
#define VCORE_BANDWIDTH_H

#include <stdint.h>

#include "package.h"

/* Cycles between readings: enough for every vCPU of a single-CPU host to be scheduled. */
#define VCORE_BANDWIDTH_PERIOD (1 << 18)

/**
 * struct vcore_bandwidth_user - a core's use of memory
 * @cycle: latest cycle of the core's clock
 * @lines: number of lines that the core has transferred
 * @read_at: @cycle when the core last read @cycle and @lines of the others
 * @seen_cycle: [core], @cycle of another core at that reading
 * @seen_lines: [core], @lines of another core at that reading
 * @interval: minimum time between two lines, in 1 / VCORE_INTERVAL_UNITS of a cycle
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
 * @line_interval: cycles per line at full bandwidth
 * @user: [VCORE_MAX_CORES], each written by its core only
 */
struct vcore_bandwidth {
	unsigned int line_interval;
	struct vcore_bandwidth_user user[VCORE_MAX_CORES];
};

unsigned int vcore_bandwidth_interval(struct vcore_bandwidth *bandwidth,
				      unsigned int core, uint64_t cycle,
				      uint64_t lines);

#endif /* VCORE_BANDWIDTH_H */
