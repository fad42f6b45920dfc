/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Occupancy of a resource: the number of cycles in which k entries are in use. The use of
 * an entry is recorded when it starts, and its cycles are counted when they have passed.
 */
#ifndef VCORE_OCCUPANCY_H
#define VCORE_OCCUPANCY_H

#include <stdint.h>

/* How far ahead the end of a use may be, in cycles: far longer than any request takes. */
#define VCORE_AHEAD 16384

/**
 * struct vcore_occupancy - occupancy of one resource
 * @cycle: first cycle that is not counted yet
 * @in_use: number of entries that were in use in the cycle before @cycle
 * @last: last cycle for which @change has a change
 * @change: [cycle % VCORE_AHEAD], change of the number of entries in use
 * @marked: bit (cycle % VCORE_AHEAD) is set if @change has a change for the cycle
 */
struct vcore_occupancy {
	uint64_t cycle;
	int in_use;
	uint64_t last;
	int16_t change[VCORE_AHEAD];
	uint64_t marked[VCORE_AHEAD / 64];
};

void vcore_occupancy_add(struct vcore_occupancy *occupancy, uint64_t start,
			 uint64_t end);
void vcore_occupancy_advance(struct vcore_occupancy *occupancy, uint64_t cycle,
			     uint64_t *cycles_with, unsigned int most);

#endif /* VCORE_OCCUPANCY_H */
