/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The front end of an out-of-order core: from branch prediction to the queue from which slots issue
 * (Intel: IDQ).
 */
#ifndef VCORE_FRONT_H
#define VCORE_FRONT_H

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "memory/memory.h"
#include "slot.h"

struct vcore_fetches;
struct vcore_front;

struct vcore_front *vcore_front_new(const struct vcore_params *params,
				    const struct vcore_ideal *ideal,
				    struct vcore_trace *trace,
				    struct vcore_memory *memory,
				    struct vcore_fetches *fetches);
void vcore_front_free(struct vcore_front *front);
void vcore_front_cycle(struct vcore_front *front, uint64_t cycle, bool all,
		       struct vcore_counts *counts);
const struct vcore_slot *vcore_front_peek(const struct vcore_front *front);
void vcore_front_take(struct vcore_front *front);
void vcore_front_resolve(struct vcore_front *front, uint64_t cycle);
void vcore_front_drained(struct vcore_front *front, uint64_t cycle);
void vcore_front_refetch(struct vcore_front *front, uint64_t step,
			 uint64_t cycle);
enum vcore_lack vcore_front_lacks(const struct vcore_front *front);
uint64_t vcore_front_next(const struct vcore_front *front, uint64_t cycle);
bool vcore_front_waits(const struct vcore_front *front);
void vcore_front_idle(struct vcore_front *front, uint64_t cycles,
		      struct vcore_counts *counts);

#endif /* VCORE_FRONT_H */
