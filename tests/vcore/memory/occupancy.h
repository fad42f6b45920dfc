/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Occupancy of a resource with several entries, such as a queue: the number of cycles in which k
 * entries are in use. The use of an entry is recorded when it starts, and its cycles are counted
 * when they have passed.
 */
#ifndef VCORE_OCCUPANCY_H
#define VCORE_OCCUPANCY_H

#include <stdint.h>

/* Maximum number of cycles from now to the end of a use: far more than any request takes. */
#define VCORE_AHEAD 16384

/**
 * struct vcore_occupancy - the entries of one resource that are in use, by cycle
 * @cycle: first cycle that has not been counted
 * @in_use: number of entries that were in use in the cycle before @cycle
 * @last: last cycle in which the number of entries in use changes
 * @change: [cycle % VCORE_AHEAD], change of the number of entries in use
 * @marked: has bit (cycle % VCORE_AHEAD) if the number of entries in use changes in the cycle
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
