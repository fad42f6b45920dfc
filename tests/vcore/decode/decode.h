/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From instruction bytes to what the virtual core needs to know.
 */
#ifndef VCORE_DECODE_H
#define VCORE_DECODE_H

#include <Zydis/Zydis.h>

#include "base/insn.h"

void vcore_decode(struct vcore_insn *insn, const uint8_t *bytes,
		  unsigned int size, uint64_t pc, uint64_t pa);

/**
 * struct vcore_address - how an instruction makes the address of its operand
 * @base: register, &enum vcore_reg, or none
 * @index: the same
 * @scale: of @index
 * @offset: added
 */
struct vcore_address {
	unsigned int base;
	unsigned int index;
	unsigned int scale;
	uint64_t offset;
};

bool vcore_prefetch_address(struct vcore_address *address,
			    const uint8_t *bytes, unsigned int size,
			    uint64_t pc);

/* its steps, each of which fills in what it is about */
void vcore_uops(struct vcore_insn *insn, const ZydisDecodedInstruction *decoded,
		const ZydisDecodedOperand *operand);

unsigned int vcore_reg_of(ZydisRegister reg);
void vcore_traits(struct vcore_insn *insn,
		  const ZydisDecodedInstruction *decoded,
		  const ZydisDecodedOperand *operand, unsigned int traits);

#endif /* VCORE_DECODE_H */
