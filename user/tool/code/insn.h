/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions of a program's code, decoded by Zydis.
 */
#ifndef BPMU_INSN_H
#define BPMU_INSN_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "zydis.h"

/**
 * struct bpmu_insn - a decoded instruction
 * @address: link-time address
 * @bytes: bytes in the code, [@length]
 * @length: number of bytes
 * @valid: false for a byte that cannot be decoded
 * @block: number of its basic block, where blocks were looked for
 * @z: decoded instruction
 * @operand: operands, visible ones first
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
