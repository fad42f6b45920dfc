/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of a program's code, decoded by Zydis. */
#ifndef BPMU_INSN_H
#define BPMU_INSN_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "zydis.h"

/**
 * struct bpmu_insn - an instruction of a program, decoded
 * @address: link-time address
 * @bytes: encoding of the instruction, a pointer into the program's code, [@length]
 * @length: number of bytes of the encoding
 * @valid: true if the bytes could be decoded. If false, the instruction is a single byte, and @z is
 *	not used
 * @block: number of the basic block to which the instruction belongs; 0 if basic blocks were not
 *	determined
 * @z: the instruction as Zydis decodes it
 * @operand: operands of the instruction, as Zydis decodes them; the operands that a disassembly
 *	shows come first
 */
struct bpmu_insn {
	u64 address;
	const u8 *bytes;
	unsigned int length;
	bool valid;
	unsigned int block;
	ZydisDecodedInstruction z;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
};

int bpmu_insn_decode(const struct bpmu_zydis *zydis, u64 address, const u8 *bytes, size_t size,
		     struct bpmu_insn *insn);
bool bpmu_insn_is_branch(const struct bpmu_insn *insn);
u64 bpmu_insn_target(const struct bpmu_insn *insn);
char *bpmu_insn_text(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn, char *text,
		     size_t size);

#endif /* BPMU_INSN_H */
