// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of when the instructions of a short program retire, to the cycle. All slots issue in one
 * cycle, in which a NOP comes first, and the core is empty before. The NOP retires one cycle later;
 * an operation that is ready begins to execute in the NOP's cycle.
 */
#include <string.h>

#include "program.h"
#include "test.h"

#define WARM 8
#define MB 0x100000ull
#define PAGE 4096ull
#define LINE 64
#define HIT (vcore_ivb.memory.l1d.latency)
#define FORWARD (vcore_ivb.back.forward)
/* Masks of ports that execute operations. */
#define PORT_0 0x01
#define PORT_1 0x02
#define PORT_5 0x20

static const struct vcore_ideal real;

typedef void (*add)(struct vcore_program *program);

/*
 * Runs a program some times, and empties the core before each time. Returns the cycles from the
 * retirement of the NOP that begins the program to that of its last instruction, the last time. The
 * counts of that time are stored in @counts.
 */
static uint64_t last_after_first(add lines, struct vcore_counts *counts)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &real);
	struct vcore_trace *trace = &program->core->trace;
	uint64_t first = 0, cycles;
	unsigned int i;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_nop(program);
	lines(program);
	for (i = 0; i < WARM; i++) {
		memset(vcore_counts(program->core), 0, sizeof(*counts));
		first = trace->end;
		vcore_program_round(program);
		vcore_settle(program->core);
	}
	cycles = vcore_step(trace, trace->end - 1)->retired - vcore_step(trace, first)->retired;
	*counts = *vcore_counts(program->core);
	vcore_program_free(program);
	return cycles;
}

static struct vcore_line *alu(struct vcore_program *program, unsigned int result,
			      unsigned int source, unsigned int ports, unsigned int latency)
{
	return vcore_program_alu(program, result, source, ports, latency);
}

static struct vcore_line *load(struct vcore_program *program, unsigned int source, uint64_t address)
{
	return vcore_program_load(program, R(9), source, address, 0, 0);
}

static struct vcore_line *store(struct vcore_program *program, unsigned int data, uint64_t address)
{
	return vcore_program_store(program, data, 0, address, 0, 0);
}

static void one_operation(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_0, 7);
}

static void two_operations_in_a_row(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_0, 7);
	alu(program, R(1), R(0), PORT_1, 2);
}

static void the_later_of_two_operands(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_0, 3);
	alu(program, R(1), 0, PORT_1, 6);
	alu(program, R(2), R(1), PORT_5, 1)->insn.uop[0].source[1] = R(0);
}

/* The port executes the older one first. */
static void two_operations_at_a_port(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_0, 1);
	alu(program, R(1), 0, PORT_0, 7);
}

static void two_divisions(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_0, 20)->insn.uop[0].divides = 14;
	alu(program, R(1), 0, PORT_0, 20)->insn.uop[0].divides = 14;
}

static void a_result_of_an_eliminated_move(struct vcore_program *program)
{
	struct vcore_line *move;

	alu(program, R(0), 0, PORT_0, 7);
	move = vcore_program_nop(program);
	move->insn.uop[0].source[0] = R(0);
	move->insn.uop[0].result[0] = R(1);
	alu(program, R(2), R(1), PORT_1, 2);
}

/* The oldest of the operations that want a port is not the first one that was ready. */
static void the_oldest_goes_first(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_1, 1);
	alu(program, R(1), R(0), PORT_0, 9);
	alu(program, R(2), 0, PORT_0, 9);
}

static void a_load_that_hits(struct vcore_program *program)
{
	load(program, 0, MB);
}

static void an_indexed_load(struct vcore_program *program)
{
	load(program, 0, MB)->insn.uop[0].latency = 2;
}

static void a_split_load(struct vcore_program *program)
{
	load(program, 0, MB + LINE - 4);
}

static void a_prefetch(struct vcore_program *program)
{
	load(program, 0, MB)->insn.prefetch = true;
}

/* Five pages share a set of the DTLB, which has four entries: each load finds its page in the STLB. */
static void loads_of_five_pages(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < 5; i++)
		vcore_program_load(program, R(0), R(0), MB + i * 16 * PAGE + i * LINE, 0, 0);
}

/* The store's address and data are known in the cycle after the NOP's. */
static void forwarded_data(struct vcore_program *program)
{
	store(program, R(5), MB);
	alu(program, R(1), 0, PORT_0, 3);
	load(program, R(1), MB);
}

/* The load waits for the data, which it gets as they are written to the store buffer. */
static void data_that_come_late(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_1, 6);
	store(program, R(0), MB);
	load(program, 0, MB);
}

/* The load waits for the address: it has had the data of this store before. */
static void an_address_that_comes_late(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_1, 6);
	vcore_program_store(program, R(5), R(0), MB, 0, 0);
	load(program, 0, MB);
}

/* The younger one of two stores forwards, as soon as it has its data. */
static void data_of_the_younger_store(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_1, 6);
	store(program, R(5), MB);
	store(program, R(0), MB);
	load(program, 0, MB);
}

/* The load waits until the store has left the store buffer. */
static void a_load_that_overlaps_a_store(struct vcore_program *program)
{
	store(program, R(5), MB);
	load(program, 0, MB + 4);
}

/* The store is still in the store buffer when the load begins. */
static void a_load_with_equal_low_address_bits(struct vcore_program *program)
{
	store(program, R(5), MB);
	alu(program, R(1), 0, PORT_0, 1);
	load(program, R(1), MB + PAGE);
}

static void a_store_then_a_load(struct vcore_program *program, unsigned int fence)
{
	store(program, R(5), MB);
	vcore_program_nop(program)->insn.fence = fence;
	load(program, 0, MB + 8 * LINE);
}

static void no_fence(struct vcore_program *program)
{
	a_store_then_a_load(program, 0);
}

static void a_fence_of_loads(struct vcore_program *program)
{
	a_store_then_a_load(program, 1);
}

static void a_fence_of_stores(struct vcore_program *program)
{
	a_store_then_a_load(program, 2);
}

static void a_full_fence(struct vcore_program *program)
{
	a_store_then_a_load(program, 3);
}

static void a_locked_addition(struct vcore_program *program)
{
	vcore_program_locked(program, R(0), MB, 0, 0);
}

static void a_load_behind_a_locked_addition(struct vcore_program *program)
{
	vcore_program_locked(program, R(0), MB, 0, 0);
	load(program, 0, MB + 8 * LINE);
}

static void a_locked_addition_behind_an_operation(struct vcore_program *program)
{
	alu(program, R(0), 0, PORT_1, 6);
	vcore_program_locked(program, R(1), MB, 0, 0);
}

static void a_locked_addition_behind_a_store(struct vcore_program *program)
{
	store(program, R(5), MB + 8 * LINE);
	vcore_program_locked(program, R(0), MB, 0, 0);
}

static void a_load_behind_both(struct vcore_program *program)
{
	a_locked_addition_behind_a_store(program);
	load(program, 0, MB + 16 * LINE);
}

#define LOCKED (HIT + 1 + 1)
#define ALIASED (vcore_ivb.back.alias)
#define SPLIT (vcore_ivb.back.split)
#define BLOCKED (vcore_ivb.back.forward_blocked)
#define STLB (vcore_ivb.memory.stlb.latency)

TEST(instructions_retire_when_their_results_are_known)
{
	const struct {
		add lines;
		uint64_t cycles;
	} all[] = {
		{ one_operation, 7 },
		{ two_operations_in_a_row, 7 + 2 },
		{ the_later_of_two_operands, 6 + 1 },
		{ two_operations_at_a_port, 1 + 7 },
		{ two_divisions, 14 + 20 },
		{ a_result_of_an_eliminated_move, 7 + 2 },
		{ the_oldest_goes_first, 1 + 9 },
		{ a_load_that_hits, HIT },
		{ an_indexed_load, HIT + 2 },
		{ a_split_load, HIT + SPLIT },
		{ a_prefetch, 1 },
		{ loads_of_five_pages, 5 * (STLB + HIT) },
		{ forwarded_data, 3 + FORWARD },
		/* The data are written one cycle after they are known. */
		{ data_that_come_late, 6 + FORWARD },
		{ an_address_that_comes_late, 6 + 1 + FORWARD },
		{ data_of_the_younger_store, 6 + FORWARD },
		/* The store's data are known one cycle after the NOP has retired. */
		{ a_load_that_overlaps_a_store, 1 + BLOCKED + HIT },
		{ a_load_with_equal_low_address_bits, 1 + ALIASED + HIT },
		{ no_fence, HIT },
		/* It retires with the store, one cycle after the NOP; then loads go on. */
		{ a_fence_of_loads, 1 + 1 + HIT },
		{ a_fence_of_stores, HIT },
		/* It retires when the store has left the store buffer, two cycles after it has retired. */
		{ a_full_fence, 1 + 2 + 1 + HIT },
		/*
		 * Only the first decoder takes an instruction of several slots: it issues one cycle
		 * after the NOP. It is a load, an addition, and a store of its sum.
		 */
		{ a_locked_addition, 1 + LOCKED },
		/* Its store has left the store buffer one cycle after it has retired; then loads go on. */
		{ a_load_behind_a_locked_addition, 1 + LOCKED + 1 + 1 + HIT },
		/* It begins one cycle after all that is older has retired and has been written. */
		{ a_locked_addition_behind_an_operation, 6 + 1 + LOCKED },
		{ a_locked_addition_behind_a_store, 1 + 1 + 1 + LOCKED },
		{ a_load_behind_both, 1 + 1 + 1 + LOCKED + 1 + 1 + HIT },
	};
	struct vcore_counts counts;
	unsigned int i;
	uint64_t cycles;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		cycles = last_after_first(all[i].lines, &counts);
		if (cycles != all[i].cycles)
			fail_msg("case %u: %u cycles, not %u", i, (unsigned int)cycles,
				 (unsigned int)all[i].cycles);
	}
}
