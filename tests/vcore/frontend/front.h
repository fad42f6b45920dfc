/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Front end of an out-of-order core: prediction, fetch, decoding, up to the
 * queue from which uops are issued.
 */
#ifndef VCORE_FRONT_H
#define VCORE_FRONT_H

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "memory/memory.h"
#include "slot.h"

struct vcore_front;

struct vcore_front *vcore_front_new(const struct vcore_params *params,
				    const struct vcore_ideal *ideal,
				    struct vcore_trace *trace,
				    struct vcore_memory *memory);
void vcore_front_free(struct vcore_front *front);
/* one cycle: fetch, decode, fill the queue. @all: the trace ends here */
void vcore_front_cycle(struct vcore_front *front, uint64_t cycle, bool all,
		       struct vcore_counts *counts);
/* the next slot of the queue, or NULL; take removes it */
const struct vcore_slot *vcore_front_peek(const struct vcore_front *front);
void vcore_front_take(struct vcore_front *front);
/* the mispredicted branch has executed: what is queued is dropped */
void vcore_front_resolve(struct vcore_front *front, uint64_t cycle);
/* all that was fetched has retired: go on behind a serialising instruction */
void vcore_front_drained(struct vcore_front *front, uint64_t cycle);
/* a machine clear: fetch again from a step on, not before a cycle */
void vcore_front_refetch(struct vcore_front *front, uint64_t step,
			 uint64_t cycle);
enum vcore_lack vcore_front_lacks(const struct vcore_front *front);
/*
 * The first cycle after @cycle in which vcore_front_cycle() may do anything,
 * UINT64_MAX if it waits for the back end; cycles before it may be skipped by
 * vcore_front_idle().
 */
uint64_t vcore_front_next(const struct vcore_front *front, uint64_t cycle);
/* nothing that vcore_front_lacks() says changes before */
bool vcore_front_waits(const struct vcore_front *front);
void vcore_front_idle(struct vcore_front *front, uint64_t cycles,
		      struct vcore_counts *counts);

#endif /* VCORE_FRONT_H */
