/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Front end of an out-of-order core: prediction, fetch, decoding, up to the
 * queue from which uops are issued.
 */
#ifndef VCORE_FRONT_H
#define VCORE_FRONT_H

#include "base/counts.h"
#include "memory/memory.h"
#include "base/params.h"
#include "base/trace.h"

struct vcore_front;

/* why the front end has nothing to issue */
enum vcore_lack {
	VCORE_LACKS_NOTHING,
	VCORE_LACKS_CODE,		/* L1I miss: in the L2 */
	VCORE_LACKS_CODE_L3,
	VCORE_LACKS_CODE_MEMORY,
	VCORE_LACKS_PAGE,		/* ITLB miss */
	VCORE_LACKS_PATH,		/* mispredicted branch: wait or refill */
	VCORE_LACKS_DECODED,		/* decoders, switches, late branches */
	VCORE_LACKS_ORDER,		/* serialising instruction or interrupt */
	VCORE_LACKS_TRACE		/* the emulator has executed no more */
};

/**
 * struct vcore_slot - what takes one issue slot
 * @step: number in the trace; of the wrong path that of its branch
 * @first: first uop of it
 * @nr: unfused uops: @first and those fused with it. From insn->nr_uops on a
 *	uop is filler, and behind the filler one is a further access
 * @uops: of them those that go to a port
 * @loads: load buffer entries that they may need
 * @stores: store buffer entries
 * @first_of_insn: the instruction's first slot
 * @last_of_insn: its last
 * @fused_next: the branch behind the instruction shares the slot
 *	(macro-fusion): @step and @step + 1 retire with it
 * @wrong: of the wrong path: one uop, one cycle in any ALU port, no sources
 * @mispredicted: its last uop is a branch that sends the front end to the
 *	right path when it executes
 * @microcode: from the micro-sequencer
 */
struct vcore_slot {
	uint64_t step;
	uint8_t first;
	uint8_t nr;
	uint8_t uops;
	uint8_t loads;
	uint8_t stores;
	bool first_of_insn;
	bool last_of_insn;
	bool fused_next;
	bool wrong;
	bool mispredicted;
	bool microcode;
};

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
