/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A slot, which the front end hands to the back end.
 */
#ifndef VCORE_SLOT_H
#define VCORE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

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

#endif /* VCORE_SLOT_H */
