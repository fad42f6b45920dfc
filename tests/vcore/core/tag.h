/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tag: while the core issues slots it counts them, or cycles. When the count reaches a limit, it
 * tags the slot that issues, and tells what has become of the slot when it retires. AMD's
 * instruction-based sampling (IBS) samples ops in this way. Only out-of-order cores have a tag.
 */
#ifndef VCORE_TAG_H
#define VCORE_TAG_H

#include "base/trace.h"

/**
 * struct vcore_tagged - what a core tells of a tagged slot that retires
 * @insn: instruction of the slot; if the slot is a macro-fused pair, the first of the pair
 * @pc: virtual address of @insn
 * @branch: step of the branch in the slot, NULL if there is none
 * @mispredicted: the branch was mispredicted
 * @fused: the branch is macro-fused with @insn
 * @microcode: the slot comes from the microcode sequencer
 * @issued: cycle in which the slot issued
 * @done: cycle of the slot's result
 * @retired: cycle in which the slot retires
 * @load: memory access of the slot's load, NULL if there is none; also that of a software prefetch
 * @store: memory access of the slot's store, NULL if there is none
 * @level: &enum vcore_level that the load hit
 * @from: &enum vcore_level that delivered the load's data
 * @tlb_missed: the load missed the first-level TLB
 * @walked: the load missed both TLBs
 * @split: the load crosses a line
 * @miss_cycles: cycles from the L1D miss of the load until it had its data; 0 without a miss
 * @tlb_cycles: cycles by which a TLB miss delayed the load
 */
struct vcore_tagged {
	const struct vcore_insn *insn;
	uint64_t pc;
	const struct vcore_step *branch;
	bool mispredicted;
	bool fused;
	bool microcode;
	uint64_t issued;
	uint64_t done;
	uint64_t retired;
	const struct vcore_access *load;
	const struct vcore_access *store;
	uint8_t level;
	uint8_t from;
	bool tlb_missed;
	bool walked;
	bool split;
	uint64_t miss_cycles;
	uint64_t tlb_cycles;
};

/**
 * struct vcore_tag - counts slots or cycles, and the slot that is tagged
 * @on: the count goes on, or the tagged slot is in flight
 * @cycles: cycles are counted; otherwise slots of the correct path
 * @flies: a slot is tagged and has not retired
 * @limit: count at which a slot is tagged
 * @count: number of slots counted; of cycles, those that were counted at cycle @since
 * @since: cycle from which cycles are counted
 * @slot: number of the tagged slot in the reorder buffer; valid while @flies
 * @issued: cycle in which the tagged slot issued
 * @tell: called with @data when the tagged slot retires; the tag is off then
 * @data: first argument of @tell
 */
struct vcore_tag {
	bool on;
	bool cycles;
	bool flies;
	uint64_t limit;
	uint64_t count;
	uint64_t since;
	uint64_t slot;
	uint64_t issued;
	void (*tell)(void *data, const struct vcore_tagged *tagged);
	void *data;
};

void vcore_tag_start(struct vcore_tag *tag, uint64_t cycle, uint64_t limit, uint64_t count,
		     bool cycles);
void vcore_tag_stop(struct vcore_tag *tag);
uint64_t vcore_tag_count(const struct vcore_tag *tag, uint64_t cycle);
void vcore_tag_issue(struct vcore_tag *tag, uint64_t cycle, uint64_t slot);
void vcore_tag_flush(struct vcore_tag *tag);
void vcore_tag_retire(struct vcore_tag *tag, struct vcore_tagged *tagged);

#endif /* VCORE_TAG_H */
