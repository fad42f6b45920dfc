/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loops of a function. They are found by decoding the function's instructions and dividing them
 * into basic blocks.
 */
#ifndef BPMU_LOOP_H
#define BPMU_LOOP_H

#include <stdbool.h>
#include <stddef.h>

#include "arch.h"
#include "code/insn.h"

/* value in place of the number of a block, loop or exit, if there is none */
#define BPMU_LOOP_NONE (~0U)

/**
 * struct bpmu_block - a basic block
 * @first: index of the block's first instruction
 * @end: index of the block's last instruction, plus 1
 * @next: numbers of the successor blocks, BPMU_LOOP_NONE if there are fewer
 * @root: the block may be entered from outside the code, or by an indirect jump
 * @dominator: number of the immediate dominator, BPMU_LOOP_NONE for a root
 * @order: position in reverse postorder, 0 if unreachable
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
 * @header: number of the block by which the loop is entered
 * @in: true for those blocks of the code that belong to the loop, [number of blocks]
 * @first: lowest link-time address of an instruction of the loop
 * @end: link-time address after the loop's last instruction
 * @parent: number of the innermost enclosing loop, or BPMU_LOOP_NONE
 * @depth: number of enclosing loops
 * @inner: the loop contains no other loop
 * @exits: link-time addresses to which the loop branches, all outside of the loop, [@nr_exits]
 * @nr_exits: number of exits
 * @refused: reason why the loop cannot be analysed, or empty
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
 * struct bpmu_code - decoded code of a function or of a part of it, with its loops
 * @zydis: functions of the library Zydis
 * @start: link-time address of the code
 * @size: size of the code in bytes
 * @bytes: the code, [@size], owned by the caller
 * @insn: instructions in order of their addresses, [@nr]
 * @nr: number of instructions
 * @block: basic blocks in order of their addresses, [@nr_blocks]
 * @nr_blocks: number of basic blocks
 * @loop: loops in order of their headers, [@nr_loops]
 * @nr_loops: number of loops
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

const struct bpmu_insn *bpmu_code_at(const struct bpmu_code *code, u64 address);
u64 bpmu_loop_header(const struct bpmu_code *code,
		     const struct bpmu_loop *loop);

#endif /* BPMU_LOOP_H */
