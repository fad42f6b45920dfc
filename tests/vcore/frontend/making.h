/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The step that is made into slots.
 */
#ifndef VCORE_MAKING_H
#define VCORE_MAKING_H

#include "front_end.h"

/**
 * struct vcore_making - a step and what becomes of it
 * @step: from the trace
 * @next: behind it, NULL at the end of the trace
 * @insn: the step's
 * @branch: the step whose branch is in the last slot, or NULL
 * @uops: filler and further accesses too
 * @skipped: filler that it does not take
 * @slots: issue slots of @uops
 * @fused_next: @next shares the last slot
 * @microcode: from the micro-sequencer
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
 * struct vcore_group - what is made in one cycle
 * @lack: why it was not made before
 * @slots: so far
 * @insns: instructions that began
 * @bytes: of them
 */
struct vcore_group {
	enum vcore_lack lack;
	unsigned int slots;
	unsigned int insns;
	unsigned int bytes;
};

struct vcore_making vcore_making_next(const struct vcore_front *front);
bool vcore_making_put(struct vcore_front *front,
		      const struct vcore_making *making,
		      struct vcore_group *group);
bool vcore_supply_begin(struct vcore_front *front,
			const struct vcore_making *making,
			struct vcore_group *group,
			struct vcore_counts *counts);

#endif /* VCORE_MAKING_H */
