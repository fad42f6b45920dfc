/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replacements for the instructions that a variant removes. A replacement is as long as the
 * instruction.
 */
#ifndef BPMU_PATCH_H
#define BPMU_PATCH_H

#include "loop.h"

/**
 * enum bpmu_patch_form - kinds of code by which a variant replaces an instruction
 * @BPMU_PATCH_NOP: NOP with the same memory operand, which is not accessed
 * @BPMU_PATCH_ZERO: zeroing idiom: the destination register becomes 0, whatever its value was
 *	before
 * @BPMU_PATCH_REGISTER: the same operation with a register in the place of the memory operand
 * @BPMU_PATCH_MOVE: a copy from another register in the place of a load
 * @BPMU_PATCH_STACK: the same load from a fixed stack slot
 * @BPMU_PATCH_LOAD: an operation with a memory source becomes a load of the memory source
 * @BPMU_PATCH_FILL: NOPs without an operand
 * @BPMU_PATCH_FALL: a conditional branch becomes NOPs: it is never taken
 * @BPMU_PATCH_TAKEN: a conditional branch becomes a jump: it is always taken
 */
enum bpmu_patch_form {
	BPMU_PATCH_NOP,
	BPMU_PATCH_ZERO,
	BPMU_PATCH_REGISTER,
	BPMU_PATCH_MOVE,
	BPMU_PATCH_STACK,
	BPMU_PATCH_LOAD,
	BPMU_PATCH_FILL,
	BPMU_PATCH_FALL,
	BPMU_PATCH_TAKEN
};

/* value of &bpmu_patch_with.spare if the loop uses all vector registers */
#define BPMU_PATCH_NO_SPARE (-1)

/**
 * struct bpmu_patch_with - register and stack slot for the code that replaces instructions
 * @spare: number of a vector register that the loop does not use, or
 *	BPMU_PATCH_NO_SPARE
 * @slot: offset from RSP, in bytes, of the stack slot that BPMU_PATCH_STACK loads
 */
struct bpmu_patch_with {
	int spare;
	int slot;
};

int bpmu_patch(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
	       enum bpmu_patch_form form, const struct bpmu_patch_with *with,
	       u8 bytes[ZYDIS_MAX_INSTRUCTION_LENGTH], const char **why);
const ZydisDecodedOperand *bpmu_insn_memory(const struct bpmu_insn *insn);
bool bpmu_register_is_vector(const struct bpmu_zydis *zydis,
			     ZydisRegister reg);

#endif /* BPMU_PATCH_H */
