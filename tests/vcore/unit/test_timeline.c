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
/* What the core tells of the last slot of a program. */
static struct vcore_tagged tagged;
static struct vcore_accessed accessed;

typedef void (*add)(struct vcore_program *program);

static void keep_tagged(void *data, const struct vcore_tagged *told)
{
	(void)data;
	tagged = *told;
}

static unsigned int nr_slots(const struct vcore_program *program)
{
	unsigned int i, nr = 0;

	for (i = 0; i < program->nr; i++)
		nr += program->line[i].insn.nr_slots;
	return nr;
}

/*
 * Runs a program some times, and empties the core before each time. Returns the cycles from the
 * retirement of the NOP that begins the program to that of its last instruction, the last time. The
 * counts of that time are stored in @counts, what the core tells of the last slot in @tagged, and of the
 * accesses of the last instruction in @accessed.
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
	program->core->follows = true;
	program->core->tag.tell = keep_tagged;
	for (i = 0; i < WARM; i++) {
		vcore_tag_start(&program->core->tag, program->core->cycle, nr_slots(program), 0, false);
		memset(vcore_counts(program->core), 0, sizeof(*counts));
		first = trace->end;
		vcore_program_round(program);
		vcore_settle(program->core);
	}
	cycles = vcore_step(trace, trace->end - 1)->retired - vcore_step(trace, first)->retired;
	*counts = *vcore_counts(program->core);
	accessed = program->core->accessed[0];
	assert_ptr_equal(tagged.insn, &program->line[program->nr - 1].insn);
	assert_int_equal(tagged.retired, vcore_step(trace, trace->end - 1)->retired);
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

/* Nine lines share a set of the L1D, which has eight ways: each load finds its line in the L2. */
static void loads_of_nine_lines(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < 9; i++)
		vcore_program_load(program, R(0), R(0), MB + i * PAGE, 0, 0);
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

/*
 * Younger than the locked addition is a store, too, which misses all caches. The NOP waits until the
 * one of the time before has been written.
 */
static void a_load_behind_a_locked_addition_and_a_miss(struct vcore_program *program)
{
	program->line[0].insn.fence = 2;
	vcore_program_locked(program, R(0), MB, 0, 0);
	vcore_program_store(program, R(5), 0, 64 * MB, 64 * 173, 0);
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
#define L2 (vcore_ivb.memory.l2.latency)
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
		{ loads_of_nine_lines, 9 * L2 },
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
		{ a_load_behind_a_locked_addition_and_a_miss, 1 + LOCKED + 1 + 1 + HIT },
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

/* What the last load is told to have done, in cycles. */
TEST(loads_tell_their_latencies)
{
	const struct {
		add lines;
		enum vcore_level level;
		uint64_t cycles;
		uint64_t miss;
		uint64_t tlb;
		bool split;
		bool blocked;
	} all[] = {
		{ a_load_that_hits, VCORE_AT_L1, HIT, 0, 0, false, false },
		{ an_indexed_load, VCORE_AT_L1, HIT + 2, 0, 0, false, false },
		{ a_split_load, VCORE_AT_L1, HIT + SPLIT, 0, 0, true, false },
		{ loads_of_five_pages, VCORE_AT_L1, STLB + HIT, 0, STLB, false, false },
		{ loads_of_nine_lines, VCORE_AT_L2, L2, L2 - HIT, 0, false, false },
		{ forwarded_data, VCORE_AT_L1, FORWARD, 0, 0, false, false },
		{ a_load_that_overlaps_a_store, VCORE_AT_L1, HIT, 0, 0, false, true },
		{ a_load_with_equal_low_address_bits, VCORE_AT_L1, HIT, 0, 0, false, false },
	};
	struct vcore_counts counts;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		last_after_first(all[i].lines, &counts);
		assert_true(accessed.load && !accessed.store && tagged.load && !tagged.store);
		assert_int_equal(accessed.level, all[i].level);
		assert_int_equal(accessed.cycles, all[i].cycles);
		assert_int_equal(accessed.miss_cycles, all[i].miss);
		assert_int_equal(accessed.blocked, all[i].blocked);
		assert_int_equal(tagged.level, all[i].level);
		assert_int_equal(tagged.from, all[i].level);
		assert_int_equal(tagged.miss_cycles, all[i].miss);
		assert_int_equal(tagged.tlb_cycles, all[i].tlb);
		assert_int_equal(tagged.tlb_missed, all[i].tlb > 0);
		assert_int_equal(tagged.split, all[i].split);
		assert_int_equal(tagged.done, tagged.retired);
		assert_false(accessed.walked || tagged.walked || tagged.branch || tagged.fused ||
			     tagged.microcode || tagged.mispredicted);
		assert_int_equal(counts.plain[VCORE_SPLIT_LOADS], all[i].split);
		assert_int_equal(counts.plain[VCORE_BLOCKED_FORWARD], all[i].blocked);
	}
}

/* A load is pending from its execution on, or from when a store first delays it, until it has its data. */
TEST(waits_and_divisions_are_counted)
{
	const struct {
		add lines;
		enum vcore_plain what;
		uint64_t count;
	} all[] = {
		{ one_operation, VCORE_CYCLES_LOAD, 0 },
		{ one_operation, VCORE_DIVIDES, 0 },
		{ two_divisions, VCORE_DIVIDES, 2 },
		{ two_divisions, VCORE_DIVIDER_ACTIVE, 2 * 14 },
		{ a_load_that_hits, VCORE_CYCLES_LOAD, HIT },
		/* In its first cycle it executes. */
		{ a_load_that_hits, VCORE_NO_EXECUTE_LOAD, HIT - 1 },
		{ a_load_that_hits, VCORE_CYCLES_L1, 0 },
		/* In the cycle in which its load executes, the NOP retires. */
		{ one_operation, VCORE_NO_RETIRE_WAITS, 7 - 1 },
		{ one_operation, VCORE_NO_RETIRE_LOAD, 0 },
		{ a_load_that_hits, VCORE_NO_RETIRE_WAITS, HIT - 1 },
		{ a_load_that_hits, VCORE_NO_RETIRE_LOAD, HIT - 1 },
		{ loads_of_nine_lines, VCORE_NO_RETIRE_WAITS, 9 * (L2 - 1) },
		{ loads_of_nine_lines, VCORE_NO_RETIRE_LOAD, 9 * (L2 - 1) },
		{ a_load_that_overlaps_a_store, VCORE_NO_RETIRE_LOAD, BLOCKED + HIT - 1 },
		{ a_load_that_hits, VCORE_LOADS, 1 },
		{ a_load_that_hits, VCORE_L1_HIT, 1 },
		{ a_load_that_hits, VCORE_SLOW_LOADS, 1 },
		{ a_prefetch, VCORE_CYCLES_LOAD, 0 },
		{ a_prefetch, VCORE_LOADS, 0 },
		{ loads_of_five_pages, VCORE_CYCLES_LOAD, 5 * (STLB + HIT) },
		{ loads_of_five_pages, VCORE_DTLB_LOAD_STLB_HIT, 5 },
		{ loads_of_five_pages, VCORE_STLB_MISS_LOADS, 0 },
		{ loads_of_nine_lines, VCORE_CYCLES_LOAD, 9 * L2 },
		{ loads_of_nine_lines, VCORE_CYCLES_L1, 9 * (L2 - HIT) },
		{ loads_of_nine_lines, VCORE_NO_EXECUTE_L1, 9 * (L2 - HIT) },
		{ loads_of_nine_lines, VCORE_CYCLES_L2, 0 },
		{ loads_of_nine_lines, VCORE_L1_PENDING, 9 * L2 },
		{ loads_of_nine_lines, VCORE_L2_HIT, 9 },
		{ loads_of_nine_lines, VCORE_L2_DEMAND_READ_HITS, 9 },
		{ forwarded_data, VCORE_CYCLES_LOAD, FORWARD },
		{ forwarded_data, VCORE_BLOCKED_FORWARD, 0 },
		/* The store's address is known one cycle before its data are. */
		{ data_that_come_late, VCORE_CYCLES_LOAD, 6 - 1 + FORWARD },
		/* It does not count as pending while it waits for an address. */
		{ an_address_that_comes_late, VCORE_CYCLES_LOAD, FORWARD },
		{ a_load_that_overlaps_a_store, VCORE_CYCLES_LOAD, BLOCKED + HIT },
		{ a_load_that_overlaps_a_store, VCORE_ALIAS_4K, 0 },
		{ a_load_with_equal_low_address_bits, VCORE_CYCLES_LOAD, ALIASED + HIT },
		{ a_load_with_equal_low_address_bits, VCORE_ALIAS_4K, 1 },
		{ a_locked_addition, VCORE_LOCK_LOADS, 1 },
		{ a_locked_addition, VCORE_CYCLES_LOAD, HIT },
		{ a_locked_addition, VCORE_STORES, 1 },
	};
	struct vcore_counts counts;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		last_after_first(all[i].lines, &counts);
		if (counts.plain[all[i].what] != all[i].count)
			fail_msg("case %u: %u, not %u", i, (unsigned int)counts.plain[all[i].what],
				 (unsigned int)all[i].count);
	}
}

/*
 * Commit stage: the slots in which nothing retires are lost to the uop that the oldest slot waits for.
 * An instruction retires in one of the four slots of the first cycle of the next one.
 */
TEST(retirement_waits_for_the_oldest_uop)
{
	const struct {
		add lines;
		enum vcore_part part;
		uint64_t slots;
	} all[] = {
		{ one_operation, VCORE_PART_ALU_FIRST, 3 },
		{ one_operation, VCORE_PART_ALU, 4 * (7 - 1) },
		{ two_operations_at_a_port, VCORE_PART_DEPEND, 3 },
		{ two_operations_at_a_port, VCORE_PART_ALU_FIRST, 3 },
		{ two_operations_at_a_port, VCORE_PART_ALU, 4 * (7 - 1) },
		/* The second division has begun long before the first one retires. */
		{ two_divisions, VCORE_PART_ALU_FIRST, 3 },
		{ two_divisions, VCORE_PART_ALU, 4 * (14 + 20 - 1) - 1 },
		{ a_load_that_hits, VCORE_PART_L1_HIT, 4 * HIT - 1 },
		{ a_load_that_hits, VCORE_PART_MISS_HIT, 0 },
		{ loads_of_nine_lines, VCORE_PART_MISS_HIT, 9 * (4 * HIT - 1) },
		{ loads_of_nine_lines, VCORE_PART_L2, 9 * 4 * (L2 - HIT) },
		{ loads_of_nine_lines, VCORE_PART_L1_HIT, 0 },
		{ loads_of_five_pages, VCORE_PART_MISS_HIT, 5 * (4 * HIT - 1) },
		{ loads_of_five_pages, VCORE_PART_DTLB, 5 * 4 * STLB },
		{ a_load_that_overlaps_a_store, VCORE_PART_DEPEND, 3 },
		{ a_load_that_overlaps_a_store, VCORE_PART_BLOCKED, 4 * BLOCKED - 1 },
		{ a_load_that_overlaps_a_store, VCORE_PART_L1_HIT, 4 * HIT },
		{ data_that_come_late, VCORE_PART_ALU_FIRST, 3 },
		{ data_that_come_late, VCORE_PART_ALU, 4 * (6 - 1) },
		{ data_that_come_late, VCORE_PART_DEPEND, 3 },
		{ data_that_come_late, VCORE_PART_L1_HIT, 4 * (FORWARD - 1) - 1 },
		/* The cycle before the load executes is one of its own. */
		{ a_full_fence, VCORE_PART_L1_HIT, 3 + 4 * HIT },
		{ a_full_fence, VCORE_PART_DEPEND, 3 },
	};
	struct vcore_counts counts;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		last_after_first(all[i].lines, &counts);
		if (counts.stack[VCORE_COMMIT][all[i].part] != all[i].slots)
			fail_msg("case %u: %u slots, not %u", i,
				 (unsigned int)counts.stack[VCORE_COMMIT][all[i].part],
				 (unsigned int)all[i].slots);
	}
}
