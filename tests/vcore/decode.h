/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From instruction bytes to what the virtual core needs to know.
 */
#ifndef VCORE_DECODE_H
#define VCORE_DECODE_H

#include <Zydis/Zydis.h>

#include "insn.h"

void vcore_decode(struct vcore_insn *insn, const uint8_t *bytes,
		  unsigned int size, uint64_t pc, uint64_t pa);

/* its steps, each of which fills in what it is about */
void vcore_uops(struct vcore_insn *insn, const ZydisDecodedInstruction *decoded,
		const ZydisDecodedOperand *operand);

void vcore_traits(struct vcore_insn *insn,
		  const ZydisDecodedInstruction *decoded,
		  const ZydisDecodedOperand *operand, unsigned int traits);

#endif /* VCORE_DECODE_H */
