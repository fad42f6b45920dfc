/* SPDX-License-Identifier: GPL-2.0 */
/* Conversion of a step of the trace into issue slots. */
#ifndef VCORE_STEP_SLOTS_H
#define VCORE_STEP_SLOTS_H

#include "front_end.h"

/**
 * struct vcore_step_slots - a step of the trace and its issue slots
 * @step: step of the trace
 * @next: the next step, NULL at the end of the trace
 * @insn: instruction of the step
 * @branch: the step whose branch is in the last slot: @next if the branch of @next is macro-fused,
 *	else @step; NULL if the slot has no branch
 * @uops: number of the step's uops, including filler uops and those of surplus accesses
 * @skipped: number of filler uops that are left out: those of later iterations of a string
 *	instruction
 * @slots: number of issue slots
 * @fused_next: the branch @next is macro-fused into the last slot
 * @microcode: the slots come from the microcode sequencer
 */
struct vcore_step_slots {
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
 * struct vcore_group - the slots that are fetched in one cycle
 * @lack: reason why the slots were not fetched in an earlier cycle
 * @slots: number of slots fetched so far
 * @insns: number of instructions whose fetch started in this cycle
 * @bytes: sum of the lengths of these instructions, in bytes
 */
struct vcore_group {
	enum vcore_lack lack;
	unsigned int slots;
	unsigned int insns;
	unsigned int bytes;
};

struct vcore_slot *vcore_append_slot(struct vcore_front *front,
				     enum vcore_lack lack);
struct vcore_step_slots vcore_step_slots_next(const struct vcore_front *front);
bool vcore_step_slots_put(struct vcore_front *front,
			  const struct vcore_step_slots *step_slots,
			  struct vcore_group *group);
bool vcore_supply_begin(struct vcore_front *front,
			const struct vcore_step_slots *step_slots,
			struct vcore_group *group,
			struct vcore_counts *counts);

#endif /* VCORE_STEP_SLOTS_H */
