/* SPDX-License-Identifier: GPL-2.0 */
/* Decoding of an instruction: from its bytes to struct vcore_insn. */
#ifndef VCORE_DECODE_H
#define VCORE_DECODE_H

#include <Zydis/Zydis.h>

#include "base/insn.h"

void vcore_decode(struct vcore_insn *insn, const uint8_t *bytes,
		  unsigned int size, uint64_t pc, uint64_t pa);

/**
 * struct vcore_address - components of an operand's effective address
 * @base: base register, &enum vcore_reg, or VCORE_REG_NONE
 * @index: index register, or VCORE_REG_NONE
 * @scale: factor of @index
 * @offset: displacement; for a RIP-relative operand, displacement plus address of the next
 *	instruction
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

/**
 * struct vcore_float - a floating-point multiplication or division of XMM registers
 * @left: number of the XMM register with the first operand
 * @right: number of the XMM register with the second operand
 * @elements: number of elements of each operand
 * @bytes: size of an element: 4 or 8
 * @divides: true for a division, false for a multiplication
 */
struct vcore_float {
	uint8_t left;
	uint8_t right;
	uint8_t elements;
	uint8_t bytes;
	bool divides;
};

/*
 * MXCSR after reset: all exceptions are masked, and neither FTZ nor DAZ turns denormals into zeros.
 */
#define VCORE_MXCSR_RESET 0x1f80

bool vcore_float_operands(struct vcore_float *operation, const uint8_t *bytes, unsigned int size);
bool vcore_float_assists(const struct vcore_float *operation, const uint8_t left[16],
			 const uint8_t right[16], uint32_t mxcsr);

bool vcore_decode_bytes(const uint8_t *bytes, unsigned int size,
			ZydisDecodedInstruction *decoded, ZydisDecodedOperand *operand);

/* Functions that vcore_decode() calls. Each sets some of the members of @insn. */
void vcore_uops(struct vcore_insn *insn, const ZydisDecodedInstruction *decoded,
		const ZydisDecodedOperand *operand);

unsigned int vcore_reg_of(ZydisRegister reg);
void vcore_traits(struct vcore_insn *insn,
		  const ZydisDecodedInstruction *decoded,
		  const ZydisDecodedOperand *operand, unsigned int traits);

#endif /* VCORE_DECODE_H */
