/* SPDX-License-Identifier: GPL-2.0 */
/* Conversion of a step of the trace into issue slots. */
#ifndef VCORE_MAKING_H
#define VCORE_MAKING_H

#include "front_end.h"

/**
 * struct vcore_making - a step and its slots
 * @step: step of the trace
 * @next: the next step, NULL at the end of the trace
 * @insn: instruction of the step
 * @branch: step whose branch is in the last slot, or NULL
 * @uops: uops, including filler uops and surplus accesses
 * @skipped: filler uops that this iteration does not have
 * @slots: issue slots of @uops
 * @fused_next: @next is fused into the last slot
 * @microcode: the slots come from the microcode sequencer
 */
struct vcore_making {
	const struct vcore_step *step;
	const struct vcore_step *next;
	const struct vcore_insn *insn;
	const struct vcore_step *branch;
	unsigned int uops;
	unsigned int skipped;
	unsigned int slots;
	bool fused_next;
	bool microcode;
};

/**
 * struct vcore_group - slots fetched in one cycle
 * @lack: reason why they were not fetched earlier
 * @slots: number of slots
 * @insns: number of instructions that start
 * @bytes: length of these instructions in bytes
 */
struct vcore_group {
	enum vcore_lack lack;
	unsigned int slots;
	unsigned int insns;
	unsigned int bytes;
};

struct vcore_slot *vcore_making_slot(struct vcore_front *front,
				     enum vcore_lack lack);
struct vcore_making vcore_making_next(const struct vcore_front *front);
bool vcore_making_put(struct vcore_front *front,
		      const struct vcore_making *making,
		      struct vcore_group *group);
bool vcore_supply_begin(struct vcore_front *front,
			const struct vcore_making *making,
			struct vcore_group *group,
			struct vcore_counts *counts);

#endif /* VCORE_MAKING_H */
