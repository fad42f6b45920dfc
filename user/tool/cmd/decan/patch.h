/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands in the place of an instruction that a variant removes. Its length
 * never changes.
 */
#ifndef BPMU_PATCH_H
#define BPMU_PATCH_H

#include "loop.h"

/**
 * enum bpmu_patch_form - what an instruction becomes
 * @BPMU_PATCH_NOP: NOP with the same memory operand, which is not accessed
 * @BPMU_PATCH_ZERO: its register becomes 0 and depends on nothing
 * @BPMU_PATCH_REGISTER: the same operation on a register
 * @BPMU_PATCH_MOVE: its register is copied from another one
 * @BPMU_PATCH_STACK: the same load from an invariant slot of the stack
 * @BPMU_PATCH_LOAD: arithmetic with a memory source becomes the load alone
 * @BPMU_PATCH_FILL: NOPs without an operand
 * @BPMU_PATCH_FALL: a conditional branch that is never taken
 * @BPMU_PATCH_TAKEN: a conditional branch that always is
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

/* no vector register is spare */
#define BPMU_PATCH_NO_SPARE (-1)

/**
 * struct bpmu_patch_with - what patches use
 * @spare: number of a vector register that the loop does not write, or
 *	BPMU_PATCH_NO_SPARE
 * @slot: displacement from RSP of the slot of BPMU_PATCH_STACK
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
