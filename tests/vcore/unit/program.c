// SPDX-License-Identifier: GPL-2.0
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define SIZE 4
#define ALU_PORTS 0x23
#define LOAD_PORTS 0x0c
#define DATA_PORTS 0x10
#define BRANCH_PORTS 0x20
#define DRAWN_DATA 0x10000000ull

/**
 * vcore_program_new() - create a unit test's program, a loop, and a core that executes it
 * @params: sizes and latencies of the core
 * @ideal: units that are simulated as perfect
 *
 * Return: the program, still without instructions; never NULL: the process aborts if the allocation
 * fails.
 */
struct vcore_program *vcore_program_new(const struct vcore_params *params,
					const struct vcore_ideal *ideal)
{
	struct vcore_program *program = calloc(1, sizeof(*program));

	if (!program)
		abort();
	program->core = vcore_new(params, ideal, 0);
	if (!program->core)
		abort();
	return program;
}

/**
 * vcore_program_free() - free a unit test's program and its core
 * @program: the program
 */
void vcore_program_free(struct vcore_program *program)
{
	vcore_free(program->core);
	free(program);
}

static struct vcore_line *add_line(struct vcore_program *program)
{
	unsigned int nr = program->nr++;
	struct vcore_line *line = &program->line[nr];

	if (nr >= VCORE_PROGRAM_LINES)
		abort();
	memset(line, 0, sizeof(*line));
	line->insn.pc = VCORE_PROGRAM_PC + nr * SIZE;
	line->insn.pa = line->insn.pc;
	line->insn.size = SIZE;
	line->insn.nr_uops = 1;
	line->insn.nr_slots = 1;
	return line;
}

/**
 * vcore_program_nop() - add a NOP, which takes a slot and no port, to a unit test's program
 * @program: the program
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_nop(struct vcore_program *program)
{
	struct vcore_line *line = add_line(program);

	line->insn.uop[0].type = VCORE_NONE;
	return line;
}

/**
 * vcore_program_alu() - add an instruction of one uop to a unit test's program
 * @program: the program
 * @result: number of the result register, or 0 for none
 * @source: number of the source register, or 0 for none
 * @ports: mask of ports, or 0 for all ALU ports of Ivy Bridge
 * @latency: latency in cycles
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_alu(struct vcore_program *program,
				     unsigned int result, unsigned int source,
				     unsigned int ports, unsigned int latency)
{
	struct vcore_line *line = add_line(program);

	line->insn.uop[0] = (struct vcore_uop){
		.type = VCORE_ALU,
		.ports = ports ? ports : ALU_PORTS,
		.latency = latency,
		.source = { source },
		.result = { result },
	};
	return line;
}

/**
 * vcore_program_access() - add a memory access to an instruction of a unit test's program
 * @line: the instruction
 * @store: true for a store, false for a load
 * @base: address in the first iteration
 * @stride: increment of the address per iteration, in bytes
 * @wrap: size of the buffer in bytes, after which the addresses start again at @base; 0 for no
 *	limit
 * @size: size of the access in bytes
 */
void vcore_program_access(struct vcore_line *line, bool store, uint64_t base,
			  uint64_t stride, uint64_t wrap, unsigned int size)
{
	unsigned int nr = line->nr_accesses++;

	line->store[nr] = store;
	line->base[nr] = base;
	line->stride[nr] = stride;
	line->wrap[nr] = wrap;
	line->size[nr] = size;
}

/**
 * vcore_program_load() - add a load of 8 bytes to a unit test's program
 * @program: the program
 * @result: result register
 * @source: address register, or 0
 * @base: address in the first iteration
 * @stride: increment of the address per iteration, in bytes
 * @wrap: size of the buffer in bytes, after which the addresses start again at @base; 0 for no
 *	limit
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_load(struct vcore_program *program,
				      unsigned int result, unsigned int source,
				      uint64_t base, uint64_t stride,
				      uint64_t wrap)
{
	struct vcore_line *line = add_line(program);

	line->insn.uop[0] = (struct vcore_uop){
		.type = VCORE_LOAD,
		.ports = LOAD_PORTS,
		.source = { source },
		.result = { result },
	};
	vcore_program_access(line, false, base, stride, wrap, 8);
	return line;
}

/**
 * vcore_program_store() - add a store of 8 bytes to a unit test's program
 * @program: the program
 * @data: data register, or 0
 * @source: address register, or 0
 * @base: address in the first iteration
 * @stride: increment of the address per iteration, in bytes
 * @wrap: size of the buffer in bytes, after which the addresses start again at @base; 0 for no
 *	limit
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_store(struct vcore_program *program,
				       unsigned int data, unsigned int source,
				       uint64_t base, uint64_t stride,
				       uint64_t wrap)
{
	struct vcore_line *line = add_line(program);

	line->insn.nr_uops = 2;
	line->insn.uop[0] = (struct vcore_uop){
		.type = VCORE_STA,
		.ports = LOAD_PORTS,
		.latency = 1,
		.source = { source },
	};
	line->insn.uop[1] = (struct vcore_uop){
		.type = VCORE_STD,
		.ports = DATA_PORTS,
		.latency = 1,
		.fused = true,
		.source = { data },
	};
	vcore_program_access(line, true, base, stride, wrap, 8);
	return line;
}

/**
 * vcore_program_locked() - add a locked addition to memory to a unit test's program
 * @program: the program
 * @data: register that is added, and that gets the sum
 * @base: address in the first iteration
 * @stride: increment of the address per iteration, in bytes
 * @wrap: size of the buffer in bytes, after which the addresses start again at @base; 0 for no
 *	limit
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_locked(struct vcore_program *program,
					unsigned int data, uint64_t base,
					uint64_t stride, uint64_t wrap)
{
	struct vcore_line *line;

	line = vcore_program_store(program, data, 0, base, stride, wrap);
	line->insn.locked = true;
	line->insn.nr_uops = 4;
	line->insn.nr_slots = 3;
	line->insn.uop[3] = line->insn.uop[1];
	line->insn.uop[2] = line->insn.uop[0];
	line->insn.uop[0] = (struct vcore_uop){
		.type = VCORE_LOAD,
		.ports = LOAD_PORTS,
		.result = { VCORE_REG_TEMP },
	};
	line->insn.uop[1] = (struct vcore_uop){
		.type = VCORE_ALU,
		.ports = ALU_PORTS,
		.latency = 1,
		.source = { VCORE_REG_TEMP },
		.result = { data },
	};
	vcore_program_access(line, false, base, stride, wrap, 8);
	return line;
}

/**
 * vcore_program_branch() - add a conditional branch to a unit test's program
 * @program: the program
 * @source: number of the source register, or 0 for none
 * @taken: mask: if bit i is 1, the branch skips the next instruction in iterations i, i + 64, ...
 *
 * Return: the added instruction.
 */
struct vcore_line *vcore_program_branch(struct vcore_program *program,
					unsigned int source, uint64_t taken)
{
	struct vcore_line *line = add_line(program);

	line->insn.branch = VCORE_CONDITIONAL;
	line->insn.uop[0] = (struct vcore_uop){
		.type = VCORE_ALU,
		.ports = BRANCH_PORTS,
		.latency = 1,
		.source = { source },
	};
	line->taken = taken;
	return line;
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
	return bench_draw((*state)++) % below;
}

/*
 * Draws where a load or a store accesses memory: anywhere in two pages, in which accesses of all
 * lengths overlap, cross lines, or have equal low address bits; or in a buffer that fits the L1D, the
 * L2, the L3 or none of them.
 */
static void draw_access(struct vcore_line *line, unsigned int nr, uint32_t *state)
{
	static const uint64_t wraps[] = { 4 << 10, 128 << 10, 1 << 20, 64 << 20 };

	if (draw(state, 2)) {
		line->size[nr] = 1 << draw(state, 6);
		line->base[nr] = DRAWN_DATA + draw(state, 16) * 520 + draw(state, 64);
		line->stride[nr] = draw(state, 3) * 8;
		line->wrap[nr] = 1 << 10;
		return;
	}
	line->base[nr] = DRAWN_DATA * (2 + draw(state, 3));
	line->stride[nr] = 8 * (1 + draw(state, 600));
	line->wrap[nr] = wraps[draw(state, 4)];
}

static void draw_memory_line(struct vcore_program *program, uint32_t *state)
{
	unsigned int data = R(draw(state, 8)), source = draw(state, 2) ? R(draw(state, 8)) : 0;
	struct vcore_line *line;
	unsigned int i;

	switch (draw(state, 8)) {
	case 0:
	case 1:
		line = vcore_program_store(program, data, source, 0, 0, 0);
		line->insn.streams = !draw(state, 6);
		break;
	case 2:
		line = vcore_program_locked(program, data, 0, 0, 0);
		break;
	case 3:
		/* It has accesses for which it has no uop. */
		line = vcore_program_load(program, data, source, 0, 0, 0);
		for (i = 1; i < 4; i++)
			vcore_program_access(line, draw(state, 2), 0, 0, 0, 8);
		line->insn.microcoded = true;
		break;
	default:
		line = vcore_program_load(program, data, source, 0, 0, 0);
		line->insn.prefetch = !draw(state, 6);
	}
	for (i = 0; i < line->nr_accesses; i++)
		draw_access(line, i, state);
}

/**
 * vcore_program_draw() - add a random instruction to a unit test's program
 * @program: the program
 * @state: state of the random numbers; equal states give equal instructions
 */
void vcore_program_draw(struct vcore_program *program, uint32_t *state)
{
	unsigned int result = R(draw(state, 8)), source = R(draw(state, 8));
	struct vcore_line *line;

	switch (draw(state, 13)) {
	case 0:
	case 1:
		line = vcore_program_alu(program, result, source, 1 + draw(state, 63),
					 1 + draw(state, 20));
		line->insn.uop[0].source[1] = R(draw(state, 8));
		line->insn.uop[0].divides = draw(state, 4) ? 0 : line->insn.uop[0].latency;
		break;
	case 2:
		vcore_program_branch(program, source, draw(state, 1 << 20) * 0x100001ull);
		break;
	case 3:
		line = vcore_program_nop(program);
		line->insn.uop[0].result[0] = draw(state, 2) ? result : 0;
		line->insn.uop[0].source[0] = draw(state, 2) ? source : 0;
		break;
	case 4:
		line = vcore_program_nop(program);
		line->insn.fence = draw(state, 4);
		line->insn.serialises = !draw(state, 4);
		break;
	case 5:
		line = vcore_program_alu(program, result, source, 0, 1);
		line->insn.microcoded = true;
		line->insn.filler = draw(state, 8);
		line->insn.nr_slots = 1 + line->insn.filler;
		line->assist = !draw(state, 4);
		break;
	case 6:
		line = vcore_program_alu(program, VCORE_REG_X87 + draw(state, 8),
					 VCORE_REG_X87 + draw(state, 8), 0, 3);
		line->insn.x87_pops = (int)draw(state, 3) - 1;
		break;
	default:
		draw_memory_line(program, state);
	}
}

static void run_line(struct vcore_program *program,
		     const struct vcore_line *line)
{
	unsigned int i;

	vcore_begin(program->core, &line->insn);
	if (line->assist)
		vcore_assist(program->core);
	for (i = 0; i < line->nr_accesses; i++) {
		uint64_t offset = program->round * line->stride[i];
		struct vcore_access access = {
			.size = line->size[i],
			.store = line->store[i],
		};

		if (line->wrap[i])
			offset %= line->wrap[i];
		access.va = line->base[i] + offset;
		access.pa = access.va;
		vcore_access(program->core, &access);
	}
}

/**
 * vcore_program_round() - record one iteration of a unit test's program, without the branch back
 * @program: the program
 */
void vcore_program_round(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		const struct vcore_line *line = &program->line[i];

		run_line(program, line);
		if (line->insn.branch == VCORE_CONDITIONAL &&
		    line->taken >> program->round % 64 & 1)
			i++;
	}
	program->round++;
}

/* Adds the branch at the end of the loop, and the instruction that follows the loop. */
static void add_end(struct vcore_program *program)
{
	vcore_program_branch(program, 0, 0);
	program->nr--;
	program->line[program->nr + 1] = program->line[program->nr];
	program->line[program->nr + 1].insn.pc += SIZE;
	program->line[program->nr + 1].insn.branch = VCORE_NO_BRANCH;
}

/**
 * vcore_program_run() - execute all iterations of a unit test's program
 * @program: the program
 * @rounds: number of iterations
 */
void vcore_program_run(struct vcore_program *program, uint64_t rounds)
{
	add_end(program);
	while (rounds--) {
		vcore_program_round(program);
		run_line(program, &program->line[program->nr]);
	}
	run_line(program, &program->line[program->nr + 1]);
	vcore_settle(program->core);
}

/**
 * vcore_program_measure() - execute a unit test's program and count events after a warm-up
 * @program: the program
 * @warm: number of iterations of the warm-up
 * @rounds: number of measured iterations
 *
 * Return: the counts of the measured iterations.
 */
struct vcore_counts vcore_program_measure(struct vcore_program *program,
					  uint64_t warm, uint64_t rounds)
{
	struct vcore *core = program->core;
	struct vcore_counts before, after;
	uint64_t *result = (uint64_t *)&after;
	const uint64_t *base = (const uint64_t *)&before;
	unsigned int i;

	vcore_program_run(program, warm);
	before = *vcore_counts(core);
	vcore_program_run(program, rounds);
	after = *vcore_counts(core);
	for (i = 0; i < sizeof(after) / sizeof(*result); i++)
		result[i] -= base[i];
	return after;
}

/**
 * vcore_program_cycles() - measure the mean cycles of an iteration of a unit test's program
 * @program: the program
 * @rounds: number of iterations of the warm-up, and of the measurement that follows
 *
 * Return: the mean number of cycles of an iteration.
 */
double vcore_program_cycles(struct vcore_program *program, uint64_t rounds)
{
	struct vcore_counts counts;

	counts = vcore_program_measure(program, rounds, rounds);
	return (double)counts.plain[VCORE_CYCLES] / rounds;
}
