/* SPDX-License-Identifier: GPL-2.0 */
/* A program for unit tests: a loop of synthetic instructions that a virtual core executes. */
#ifndef VCORE_PROGRAM_H
#define VCORE_PROGRAM_H

#include "entry/entry.h"

#define VCORE_PROGRAM_LINES 512
#define VCORE_PROGRAM_PC 0x400000

/* Number of general-purpose register n. */
#define R(n) (VCORE_REG_GP + (n))

/**
 * struct vcore_line - an instruction of a unit test's program
 * @insn: the decoded instruction
 * @nr_accesses: number of memory accesses of the instruction
 * @store: [@nr_accesses], true for a store
 * @base: [@nr_accesses], address in the first iteration
 * @stride: [@nr_accesses], increment of the address per iteration, in bytes
 * @wrap: [@nr_accesses], size of the buffer in bytes, after which the addresses start again at
 *	@base; 0 for no limit
 * @size: [@nr_accesses], size of the access in bytes
 * @assist: the instruction needs a microcode assist
 * @taken: for a branch, a mask: if bit i % 64 is 1, it skips the next instruction in iteration i
 */
struct vcore_line {
	struct vcore_insn insn;
	unsigned int nr_accesses;
	bool store[VCORE_MAX_ACCESSES];
	uint64_t base[VCORE_MAX_ACCESSES];
	uint64_t stride[VCORE_MAX_ACCESSES];
	uint64_t wrap[VCORE_MAX_ACCESSES];
	uint8_t size[VCORE_MAX_ACCESSES];
	bool assist;
	uint64_t taken;
};

/**
 * struct vcore_program - a unit test's program: a loop
 * @core: core that executes the loop
 * @line: [@nr], instructions of the loop, without the branch back
 * @nr: number of instructions
 * @round: number of the next iteration
 */
struct vcore_program {
	struct vcore *core;
	struct vcore_line line[VCORE_PROGRAM_LINES + 2];
	unsigned int nr;
	uint64_t round;
};

struct vcore_program *vcore_program_new(const struct vcore_params *params,
					const struct vcore_ideal *ideal);
void vcore_program_free(struct vcore_program *program);
struct vcore_line *vcore_program_nop(struct vcore_program *program);
struct vcore_line *vcore_program_alu(struct vcore_program *program,
				     unsigned int result, unsigned int source,
				     unsigned int ports, unsigned int latency);
struct vcore_line *vcore_program_load(struct vcore_program *program,
				      unsigned int result, unsigned int source,
				      uint64_t base, uint64_t stride,
				      uint64_t wrap);
struct vcore_line *vcore_program_store(struct vcore_program *program,
				       unsigned int data, unsigned int source,
				       uint64_t base, uint64_t stride,
				       uint64_t wrap);
struct vcore_line *vcore_program_branch(struct vcore_program *program,
					unsigned int source, uint64_t taken);
struct vcore_line *vcore_program_locked(struct vcore_program *program,
					unsigned int data, uint64_t base,
					uint64_t stride, uint64_t wrap);
void vcore_program_access(struct vcore_line *line, bool store, uint64_t base,
			  uint64_t stride, uint64_t wrap, unsigned int size);
void vcore_program_draw(struct vcore_program *program, uint32_t *state);
void vcore_program_round(struct vcore_program *program);
void vcore_program_run(struct vcore_program *program, uint64_t rounds);
struct vcore_counts vcore_program_measure(struct vcore_program *program,
					  uint64_t warm, uint64_t rounds);
double vcore_program_cycles(struct vcore_program *program, uint64_t rounds);

#endif /* VCORE_PROGRAM_H */
