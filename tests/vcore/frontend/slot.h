/* SPDX-License-Identifier: GPL-2.0 */
/* Issue slots, which the front end passes to the back end. */
#ifndef VCORE_SLOT_H
#define VCORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

/* Reasons why the front end has no slot to issue. */
enum vcore_lack {
	VCORE_LACKS_NOTHING,
	VCORE_LACKS_CODE,		/* L1I miss that hits the L2 */
	VCORE_LACKS_CODE_L3,
	VCORE_LACKS_CODE_MEMORY,
	VCORE_LACKS_PAGE,		/* ITLB miss */
	VCORE_LACKS_PATH,		/* mispredict: fetch of the wrong path, or refill */
	VCORE_LACKS_DECODED,		/* decoders, switches of the source, BTB misses */
	VCORE_LACKS_ORDER,		/* serialising instruction or interrupt */
	VCORE_LACKS_TRACE		/* the emulator has not executed the next step */
};

/**
 * struct vcore_slot - an issue slot: one uop, or uops that are micro-fused
 * @step: number in the trace of the step to which the slot belongs; for a slot of the wrong path,
 *	number of the mispredicted branch's step
 * @first: index of the slot's first uop among the uops of the step: first those of insn->uop, then
 *	the filler uops, then the uops of surplus accesses
 * @nr: number of the slot's unfused uops: the uop at @first and those that are micro-fused with it
 * @uops: number of the slot's uops that need a port
 * @loads: maximum number of load buffer entries that the slot needs
 * @stores: maximum number of store buffer entries that the slot needs
 * @first_of_insn: the slot is the first one of its instruction
 * @last_of_insn: the slot is the last one of its instruction
 * @fused_next: the branch of step @step + 1 is macro-fused into the slot, so that both steps
 *	retire with it
 * @wrong: the slot is on the wrong path. All slots of the wrong path are alike: one uop without
 *	operands, for any ALU port, with a latency of one cycle
 * @mispredicted: the slot's last uop is a mispredicted branch, whose execution redirects the front
 *	end
 * @microcode: the slot comes from the microcode sequencer
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

#endif /* VCORE_SLOT_H */
