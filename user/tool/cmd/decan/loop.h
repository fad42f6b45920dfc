/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function's instructions, basic blocks and loops.
 */
#ifndef BPMU_LOOP_H
#define BPMU_LOOP_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "zydis.h"

/* no block, no loop */
#define BPMU_LOOP_NONE (~0U)

/**
 * struct bpmu_insn - a decoded instruction
 * @address: link-time
 * @bytes: in the code
 * @length: of them
 * @valid: false for a byte that does not decode
 * @block: number of its basic block
 * @z: decoded
 * @operand: visible ones first
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

/**
 * struct bpmu_block - a basic block
 * @first: number of its first instruction
 * @end: number behind its last one
 * @next: blocks that it may go to, BPMU_LOOP_NONE where there is none
 * @root: entered from outside the code, or by a jump that cannot be followed
 * @dominator: immediate, BPMU_LOOP_NONE for a root
 * @order: reverse postorder, 0 if it has not been visited
 */
struct bpmu_block {
	unsigned int first;
	unsigned int end;
	unsigned int next[2];
	bool root;
	unsigned int dominator;
	unsigned int order;
};

/**
 * struct bpmu_loop - a natural loop
 * @header: block through which it is entered
 * @in: whether a block of the code belongs to the loop, [nr blocks]
 * @first: lowest address
 * @end: behind its highest instruction
 * @parent: innermost loop around it, or BPMU_LOOP_NONE
 * @depth: 0 for an outermost one
 * @inner: contains no other loop
 * @exits: addresses outside that the loop leaves to
 * @nr_exits: their number
 * @refused: why it cannot be analysed, or empty
 */
struct bpmu_loop {
	unsigned int header;
	bool *in;
	u64 first;
	u64 end;
	unsigned int parent;
	unsigned int depth;
	bool inner;
	u64 *exits;
	unsigned int nr_exits;
	char refused[96];
};

/**
 * struct bpmu_code - a function, or a part of one
 * @zydis: functions of the library
 * @start: link-time address
 * @size: bytes
 * @bytes: the code; it is the caller's
 * @insn: in order of address
 * @nr: their number
 * @block: in order of address
 * @nr_blocks: their number
 * @loop: in order of their headers
 * @nr_loops: their number
 */
struct bpmu_code {
	const struct bpmu_zydis *zydis;
	u64 start;
	size_t size;
	const u8 *bytes;
	struct bpmu_insn *insn;
	unsigned int nr;
	struct bpmu_block *block;
	unsigned int nr_blocks;
	struct bpmu_loop *loop;
	unsigned int nr_loops;
};

int bpmu_code_init(struct bpmu_code *code, u64 start, const void *bytes,
		   size_t size, struct bpmu_error *err);
void bpmu_code_free(struct bpmu_code *code);

int bpmu_decode(const struct bpmu_zydis *zydis, u64 address, const u8 *bytes,
		size_t size, struct bpmu_insn *insn);
const struct bpmu_insn *bpmu_code_at(const struct bpmu_code *code, u64 address);
u64 bpmu_insn_target(const struct bpmu_insn *insn);
u64 bpmu_loop_header(const struct bpmu_code *code,
		     const struct bpmu_loop *loop);

#endif /* BPMU_LOOP_H */
