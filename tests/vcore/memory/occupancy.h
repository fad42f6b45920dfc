/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many of a thing are in use, in how many cycles: noted when a use begins,
 * counted when its cycles have passed.
 */
#ifndef VCORE_OCCUPANCY_H
#define VCORE_OCCUPANCY_H

#include <stdint.h>

/* cycles ahead that can be noted: far more than any request takes */
#define VCORE_AHEAD 16384

/**
 * struct vcore_occupancy - of one thing
 * @cycle: first that is not counted yet
 * @taken: in use in the cycle before that
 * @last: no cycle behind it has a change
 * @change: [cycle % size], how many more are in use from then on
 * @marked: bit set for each cycle with a change
 */
struct vcore_occupancy {
	uint64_t cycle;
	int taken;
	uint64_t last;
	int16_t change[VCORE_AHEAD];
	uint64_t marked[VCORE_AHEAD / 64];
};

void vcore_occupancy_add(struct vcore_occupancy *occupancy, uint64_t start,
			 uint64_t end);
void vcore_occupancy_advance(struct vcore_occupancy *occupancy, uint64_t cycle,
			     uint64_t *cycles_with, unsigned int most);

#endif /* VCORE_OCCUPANCY_H */
