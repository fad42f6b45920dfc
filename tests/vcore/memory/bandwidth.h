/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A core's share of the memory bandwidth.
 *
 * The clocks of Knights Corner's cores are not synchronised, so no controller can order
 * their requests. Instead each core periodically reads how many lines per cycle the
 * other cores have transferred since its last reading. It counts cycles of its own
 * clock or of theirs, whichever gives the lower rate, and limits itself to the
 * remaining bandwidth, but at least to an equal share.
 */
#ifndef VCORE_BANDWIDTH_H
#define VCORE_BANDWIDTH_H

#include <stdint.h>

#include "package.h"

/* Cycles between two readings: long enough for a host that runs one vCPU at a time. */
#define VCORE_LOOK (1 << 18)

/**
 * struct vcore_user - a core's use of memory
 * @cycle: latest cycle of its clock
 * @lines: number of lines that it has transferred
 * @looked: cycle of its clock at which it last read the others' use
 * @seen_cycle: [core], @cycle of another core at that time
 * @seen_lines: [core], @lines of another core at that time
 * @interval: least time between two lines, in 1 / VCORE_INTERVAL_UNITS of a
 *	cycle
 */
struct vcore_user {
	uint64_t cycle;
	uint64_t lines;
	uint64_t looked;
	uint64_t seen_cycle[VCORE_MAX_CORES];
	uint64_t seen_lines[VCORE_MAX_CORES];
	unsigned int interval;
};

/**
 * struct vcore_bandwidth - use of memory by all cores of a package
 * @line_interval: cycles per line at full bandwidth
 * @user: [core], written by that core only
 */
struct vcore_bandwidth {
	unsigned int line_interval;
	struct vcore_user user[VCORE_MAX_CORES];
};

unsigned int vcore_bandwidth_interval(struct vcore_bandwidth *bandwidth,
				      unsigned int core, uint64_t cycle,
				      uint64_t lines);

#endif /* VCORE_BANDWIDTH_H */
