/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which part of memory's bandwidth a core gets.
 *
 * The clocks of Knights Corner's cores are not in step, so that no controller can put
 * their requests in order. Instead each core looks, once in a while, at what the
 * others asked for since it looked last, as lines a cycle of its own or of
 * theirs, whichever were more, and keeps to what they leave, but at least to an
 * equal part.
 */
#ifndef VCORE_BANDWIDTH_H
#define VCORE_BANDWIDTH_H

#include <stdint.h>

#include "package.h"

/* cycles between looks: long enough for a host that runs vCPUs in turn */
#define VCORE_LOOK (1 << 18)

/**
 * struct vcore_user - what a core asks of memory
 * @cycle: its clock
 * @lines: that it moved
 * @looked: its clock when it looked last
 * @seen_cycle: [core], the other's @cycle then
 * @seen_lines: [core], the other's @lines then
 * @interval: the time it has to take for a line
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
 * struct vcore_bandwidth - of the package
 * @line_interval: cycles that a line takes
 * @user: by core; only it writes its own
 */
struct vcore_bandwidth {
	unsigned int line_interval;
	struct vcore_user user[VCORE_MAX_CORES];
};

unsigned int vcore_bandwidth_interval(struct vcore_bandwidth *bandwidth,
				      unsigned int core, uint64_t cycle,
				      uint64_t lines);

#endif /* VCORE_BANDWIDTH_H */
