/* SPDX-License-Identifier: GPL-2.0 */
/* The reply of the memory hierarchy to an access. */
#ifndef VCORE_REPLY_H
#define VCORE_REPLY_H

#include <stdbool.h>
#include <stdint.h>

/* Levels at which an access finds its data, in the order of their distance from the core. */
enum vcore_level {
	VCORE_NO_ACCESS,
	VCORE_AT_L1,
	VCORE_AT_FILL,			/* L1D miss, but the line is on its way */
	VCORE_AT_L2,
	VCORE_AT_L3,
	VCORE_AT_SNOOP_HIT,		/* L3 hit; another core has the line unmodified */
	VCORE_AT_SNOOP_HITM,		/* L3 hit; another core has the line modified */
	VCORE_AT_MEMORY
};

/**
 * struct vcore_reply - the reply of the memory hierarchy to an access
 * @done: cycle in which the data are available; if the access was refused, the first cycle in which
 *	a retry may succeed
 * @l1_done: cycle in which the data would be available with an L1 hit, including delays by page
 *	walks and by a split
 * @level: &enum vcore_level that the access hit
 * @from: &enum vcore_level that delivers the data: the source of the fill if @level is
 *	VCORE_AT_FILL, else @level
 * @refused: the access was refused, because no fill buffer was free
 * @stlb_hit: the first-level TLB missed and the STLB hit
 * @walked: both TLB levels missed
 * @split: the access crosses a line
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
