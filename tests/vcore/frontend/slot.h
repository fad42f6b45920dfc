/* SPDX-License-Identifier: GPL-2.0 */
/* An issue slot, the interface from the front end to the back end. */
#ifndef VCORE_SLOT_H
#define VCORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

/* Reasons why the front end has no slot to issue. */
enum vcore_lack {
	VCORE_LACKS_NOTHING,
	VCORE_LACKS_CODE,		/* L1I miss, hit in the L2 */
	VCORE_LACKS_CODE_L3,
	VCORE_LACKS_CODE_MEMORY,
	VCORE_LACKS_PAGE,		/* ITLB miss */
	VCORE_LACKS_PATH,		/* mispredicted branch: wrong path or refill */
	VCORE_LACKS_DECODED,		/* decoders, switches of source, BTB misses */
	VCORE_LACKS_ORDER,		/* serialising instruction or interrupt */
	VCORE_LACKS_TRACE		/* the emulator has not executed the next step */
};

/**
 * struct vcore_slot - an issue slot
 * @step: number of its step in the trace; on the wrong path the mispredicted branch's
 * @first: index of its first uop in the step
 * @nr: number of unfused uops: @first and the uops micro-fused with it. Indices from
 *	insn->nr_uops on are filler uops, followed by surplus accesses
 * @uops: number of its uops that need a port
 * @loads: maximum number of load buffer entries that it needs
 * @stores: maximum number of store buffer entries that it needs
 * @first_of_insn: it is the first slot of its instruction
 * @last_of_insn: it is the last slot of its instruction
 * @fused_next: the branch of the next step is macro-fused: @step and @step + 1 retire
 *	with the slot
 * @wrong: the slot is on the wrong path; it has one uop with a latency of one cycle, for
 *	any ALU port, without operands
 * @mispredicted: the last uop is a mispredicted branch, whose execution
 *	redirects the front end
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
