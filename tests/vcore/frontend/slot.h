/* SPDX-License-Identifier: GPL-2.0 */
/* An issue slot, which the front end hands to the back end. */
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
	VCORE_LACKS_DECODED,		/* decoders, switches, branches that missed the BTB */
	VCORE_LACKS_ORDER,		/* serialising instruction or interrupt */
	VCORE_LACKS_TRACE		/* the emulator has not executed further */
};

/**
 * struct vcore_slot - an issue slot
 * @step: number of its step in the trace; on the wrong path that of the branch
 * @first: index of its first uop in the step
 * @nr: unfused uops: @first and those fused with it. Indices from insn->nr_uops
 *	on are filler uops, and those after the filler are surplus accesses
 * @uops: uops that need a port
 * @loads: load buffer entries that it needs at most
 * @stores: store buffer entries that it needs at most
 * @first_of_insn: it is the instruction's first slot
 * @last_of_insn: it is the instruction's last slot
 * @fused_next: the branch of the next step is fused into the slot
 *	(macro-fusion): @step and @step + 1 retire with it
 * @wrong: the slot is on the wrong path; it has one uop of one cycle for any
 *	ALU port, without sources
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
