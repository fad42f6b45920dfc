/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads that found no fill buffer free. Until one is, they would be tried and
 * refused again and again, one a cycle of each port: what is known to end so is
 * done at once.
 */
#ifndef VCORE_REFUSED_H
#define VCORE_REFUSED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/counts.h"
#include "base/insn.h"
#include "overlap.h"

struct vcore_ooo;
struct vcore_flight;

/**
 * struct vcore_refused - of an out-of-order core
 * @until: cycle in which those that are parked are called
 * @ports: that any are parked of, bits
 * @parked: by port: uops that were refused and have not been called
 * @known: uops that were refused and are again as long as no buffer is free
 * @granule: what @known read
 * @came: awaited lines that got a fill buffer, as far as @known knows
 */
struct vcore_refused {
	uint64_t until;
	unsigned int ports;
	struct vcore_bits parked[VCORE_MAX_PORTS];
	struct vcore_bits known;
	uint16_t granule[VCORE_GRANULES];
	uint64_t came;
};

void vcore_refused_add(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       uint64_t until);
bool vcore_refused_again(struct vcore_ooo *ooo, struct vcore_flight *flight);
void vcore_refused_due(struct vcore_ooo *ooo);
void vcore_refused_forget(struct vcore_ooo *ooo);
void vcore_refused_store(struct vcore_ooo *ooo,
			 const struct vcore_access *access);
uint64_t vcore_refused_end(struct vcore_ooo *ooo);
void vcore_refused_sweep(struct vcore_ooo *ooo, uint64_t cycles);
void vcore_refused_reset(struct vcore_ooo *ooo);

#endif /* VCORE_REFUSED_H */
