/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an access learns: when its data are there, and where they were.
 */
#ifndef VCORE_REPLY_H
#define VCORE_REPLY_H

#include <stdbool.h>
#include <stdint.h>

/* where data were found, nearest first */
enum vcore_level {
	VCORE_NO_ACCESS,
	VCORE_AT_L1,
	VCORE_AT_FILL,			/* under way already (fill buffer) */
	VCORE_AT_L2,
	VCORE_AT_L3,
	VCORE_AT_SNOOP_HIT,		/* L3, clean in another core */
	VCORE_AT_SNOOP_HITM,		/* L3, modified in another core */
	VCORE_AT_MEMORY
};

/**
 * struct vcore_reply - the answer to an access
 * @done: cycle in which the data are there; of a refused access the first
 *	cycle in which it may be tried again
 * @l1_done: until so long it is pending as an L1 hit would be (walks, splits)
 * @level: &enum vcore_level, where they were; of VCORE_AT_FILL what the fill
 *	comes from is @from
 * @from: the same as @level, or where a fill under way comes from
 * @refused: no fill buffer is free
 * @stlb_hit: the first TLB missed, the second did not
 * @walked: both missed
 * @split: touched two lines
 */
struct vcore_reply {
	uint64_t done;
	uint64_t l1_done;
	uint8_t level;
	uint8_t from;
	bool refused;
	bool stlb_hit;
	bool walked;
	bool split;
};

#endif /* VCORE_REPLY_H */
