// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the load and store buffers of the out-of-order core: how it orders, forwards and buffers
 * loads and stores.
 */

#include <string.h>

#include "program.h"
#include "test.h"

#define ROUNDS 2000
#define MB 0x100000ull
#define PAGE 4096ull

static const struct vcore_ideal real;
static const struct vcore_ideal near = { .l1d = true };

static struct vcore_program *new_loop(void)
{
	return vcore_program_new(&vcore_ivb, &real);
}

static double cycles(const struct vcore_counts *counts)
{
	return (double)counts->plain[VCORE_CYCLES] / ROUNDS;
}

static struct vcore_counts measure(struct vcore_program *program)
{
	struct vcore_counts counts;

	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	vcore_program_free(program);
	return counts;
}

/* Checks that @value is within 1 % of @expected. */
static void assert_near(double value, double expected)
{
	if (value < expected * 0.99 || value > expected * 1.01)
		fail_msg("%f instead of %f", value, expected);
}

/*
 * Returns the counts of a loop of dependent loads with a stride of 173 lines in a buffer of @bytes,
 * without prefetchers.
 */
static struct vcore_counts pointer_chase(uint64_t bytes)
{
	struct vcore_program *program = new_loop();
	uint64_t rounds = bytes / 64;
	struct vcore_counts counts;
	unsigned int i;

	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 173, bytes);
	vcore_memory_prefetchers(program->core->memory, 15);
	if (rounds < ROUNDS)
		rounds = ROUNDS;
	counts = vcore_program_measure(program, 2 * rounds, rounds);
	for (i = 0; i < VCORE_PLAIN; i++)
		counts.plain[i] = counts.plain[i] * ROUNDS / rounds;
	vcore_program_free(program);
	return counts;
}

TEST(a_chase_in_l1_has_its_latency)
{
	struct vcore_counts counts = pointer_chase(PAGE);

	assert_near(cycles(&counts), vcore_ivb.memory.l1d.latency);
	assert_near(counts.plain[VCORE_L1_HIT], ROUNDS);
	assert_near(counts.plain[VCORE_CYCLES_LOAD],
		    counts.plain[VCORE_CYCLES]);
	assert_int_equal(counts.plain[VCORE_CYCLES_L1], 0);
	assert_near(counts.plain[VCORE_LOADS], ROUNDS);
}

TEST(a_chase_in_l2_has_its_latency)
{
	struct vcore_counts counts = pointer_chase(128 * 1024);

	assert_near(cycles(&counts), vcore_ivb.memory.l2.latency);
	assert_near(counts.plain[VCORE_L2_HIT], ROUNDS);
	assert_true(counts.plain[VCORE_CYCLES_L1] > ROUNDS * 7);
	assert_int_equal(counts.plain[VCORE_CYCLES_L2], 0);
}

TEST(a_chase_in_l3_has_its_latency)
{
	struct vcore_counts counts = pointer_chase(2 * MB);

	assert_true(cycles(&counts) >= vcore_ivb.memory.l3.latency);
	assert_near(counts.plain[VCORE_L3_HIT], ROUNDS);
	assert_true(counts.plain[VCORE_CYCLES_L2] > ROUNDS * 15);
	assert_int_equal(counts.plain[VCORE_CYCLES_L3], 0);
	assert_true(counts.plain[VCORE_NO_EXECUTE_L2] > ROUNDS * 15);
}

TEST(a_chase_in_memory_has_its_latency)
{
	struct vcore_counts counts = pointer_chase(32 * MB);

	assert_true(cycles(&counts) >= vcore_ivb.memory.memory);
	assert_near(counts.plain[VCORE_L3_MISS], ROUNDS);
	assert_true(counts.plain[VCORE_NO_EXECUTE_L3] > ROUNDS * 150);
	assert_true(counts.stack[VCORE_COMMIT][VCORE_PART_MEMORY] >
		    counts.stack[VCORE_COMMIT][VCORE_PART_BASE]);
}

/* While the page of a load is walked, the load does not count as a pending L1 miss. */
TEST(a_load_in_a_page_walk_is_no_pending_miss)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_load(program, R(1), R(1), 64 * MB, PAGE + 64, 0);
	counts = measure(program);
	assert_near(counts.plain[VCORE_CYCLES_LOAD],
		    counts.plain[VCORE_CYCLES]);
	assert_true(counts.plain[VCORE_CYCLES_LOAD] -
		    counts.plain[VCORE_CYCLES_L1] >=
		    counts.plain[VCORE_DTLB_LOAD_WALK_CYCLES]);
	assert_true(counts.plain[VCORE_DTLB_LOAD_WALK_CYCLES] > ROUNDS * 10);
}

/* Independent misses overlap: younger loads execute until the reorder buffer is full. */
TEST(independent_misses_fill_the_reorder_buffer)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int i;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_load(program, R(1), 0, 64 * MB, 64 * 173, 0);
	for (i = 0; i < 100; i++)
		vcore_program_nop(program);
	counts = measure(program);
	assert_true(counts.plain[VCORE_STALL_ROB] > ROUNDS * 50);
	assert_int_equal(counts.plain[VCORE_STALL_RS], 0);
	assert_true(cycles(&counts) < vcore_ivb.memory.memory);
}

TEST(a_store_forwards_to_a_load)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB, 0, 0);
	counts = measure(program);
	assert_near(cycles(&counts), vcore_ivb.back.forward);
	assert_int_equal(counts.plain[VCORE_BLOCKED_FORWARD], 0);
}

/*
 * A store forwards its data to a shorter load, even if the load begins in the middle of these data.
 */
TEST(a_store_forwards_to_a_shorter_load)
{
	struct vcore_program *program = new_loop();
	struct vcore_line *load;
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	load = vcore_program_load(program, R(0), 0, MB + 4, 0, 0);
	load->size[0] = 4;
	counts = measure(program);
	assert_near(cycles(&counts), vcore_ivb.back.forward);
}

TEST(a_longer_load_waits_for_the_store)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB + 4, 0, 0);
	counts = measure(program);
	assert_true(cycles(&counts) > vcore_ivb.back.forward_blocked);
	assert_near(counts.plain[VCORE_BLOCKED_FORWARD], ROUNDS);
}

TEST(a_load_with_equal_low_address_bits_is_delayed)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB + PAGE, 0, 0);
	vcore_program_alu(program, R(0), R(0), 0, 1);
	counts = measure(program);
	assert_near(counts.plain[VCORE_ALIAS_4K], ROUNDS);
	assert_int_equal(counts.plain[VCORE_BLOCKED_FORWARD], 0);
}

/*
 * An instruction loads what it stores. Its store cannot leave the store buffer before the
 * instruction retires, so its load must not wait for the store.
 */
TEST(a_load_does_not_wait_for_its_instruction_s_store)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	struct vcore_line *line;

	line = vcore_program_store(program, R(0), 0, MB, 16, 0);
	vcore_program_access(line, false, MB + 4, 16, 0, 8);
	counts = measure(program);
	assert_int_equal(counts.plain[VCORE_LOADS], ROUNDS);
	assert_int_equal(counts.plain[VCORE_BLOCKED_FORWARD], 0);
}

/*
 * Returns the mean cycles of an iteration with a load and a store of the loaded data. If @offset is
 * 0, the low 12 bits of the two addresses are equal (4K aliasing).
 */
static double alias_cycles(uint64_t offset)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), R(0), 2 * MB + offset, 0, 0);
	counts = measure(program);
	return cycles(&counts);
}

TEST(aliasing_adds_its_latency)
{
	assert_near(alias_cycles(0), alias_cycles(256) + vcore_ivb.back.alias);
}

TEST(one_store_executes_per_cycle)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int i;

	for (i = 0; i < 8; i++)
		vcore_program_store(program, R(0), 0, MB + 8 * i, 0, 0);
	counts = measure(program);
	assert_near(cycles(&counts), 8);
	assert_near(counts.plain[VCORE_STORES], 8 * ROUNDS);
}

/* Of 8 bytes, those at 57 to 63 of a line are split. */
TEST(split_loads_and_stores_are_counted)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, 0, 0, MB + 56, 0, 0);
	vcore_program_store(program, 0, 0, MB + 1024 + 57, 0, 0);
	vcore_program_store(program, 0, 0, MB + 2048 + 63, 0, 0);
	vcore_program_load(program, R(1), 0, MB + 4096 + 56, 0, 0);
	vcore_program_load(program, R(2), 0, MB + 5120 + 57, 0, 0);
	counts = measure(program);
	assert_int_equal(counts.plain[VCORE_STORES], 3 * ROUNDS);
	assert_int_equal(counts.plain[VCORE_SPLIT_STORES], 2 * ROUNDS);
	assert_int_equal(counts.plain[VCORE_SPLIT_LOADS], ROUNDS);
}

TEST(missing_stores_fill_the_store_buffer)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_store(program, R(0), 0, 64 * MB, 64, 0);
	counts = measure(program);
	assert_true(counts.plain[VCORE_STALL_SB] * 2 >
		    counts.plain[VCORE_CYCLES]);
	assert_true(counts.plain[VCORE_FEW_EXECUTE_STORES] * 2 >
		    counts.plain[VCORE_CYCLES]);
	/*
	 * Requests of stores for their lines (RFOs) overlap: a store makes its RFO while older
	 * stores wait.
	 */
	assert_true(cycles(&counts) < vcore_ivb.memory.memory / 3.0);
}

/*
 * In nearly all cycles the store buffer is full and a load is pending. If no uop executes in such a
 * cycle, the cycle is counted for loads only. If one or two uops execute, it is counted for stores
 * only.
 */
TEST(pending_loads_precede_a_full_store_buffer)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	uint64_t *plain = counts.plain;
	uint64_t busy = 0;
	unsigned int k;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 173, 0);
	vcore_program_store(program, R(1), 0, 512 * MB, 64, 0);
	vcore_program_store(program, R(1), 0, 768 * MB, 64, 0);
	counts = measure(program);
	for (k = 3; k <= VCORE_MAX_WIDTH; k++)
		busy += counts.cycles_with[VCORE_EXECUTED][k];
	assert_true(plain[VCORE_STALL_SB] * 4 > plain[VCORE_CYCLES] * 3);
	assert_true(plain[VCORE_NO_EXECUTE_LOAD] * 2 > plain[VCORE_CYCLES]);
	assert_true(plain[VCORE_NO_EXECUTE_LOAD] +
		    plain[VCORE_FEW_EXECUTE_STORES] <=
		    plain[VCORE_CYCLES] - busy);
	assert_true(plain[VCORE_NO_EXECUTE_LOAD] +
		    plain[VCORE_FEW_EXECUTE_STORES] >= plain[VCORE_STALL_SB]);
}

/*
 * Checks that a load is pending for at least @each cycles of an iteration, but hardly ever as a
 * miss.
 */
static void assert_pending_without_miss(struct vcore_program *program, unsigned int each)
{
	struct vcore_counts counts = measure(program);

	assert_true(counts.plain[VCORE_CYCLES_LOAD] >= (uint64_t)each * ROUNDS);
	assert_true(counts.plain[VCORE_NO_EXECUTE_LOAD] > ROUNDS);
	assert_true(counts.plain[VCORE_CYCLES_L1] * 100 <
		    counts.plain[VCORE_CYCLES_LOAD]);
}

/* A load that a store blocks is pending until it has its data, without a miss: it is L1 Bound. */
TEST(a_blocked_load_is_pending_without_a_miss)
{
	struct vcore_program *program = new_loop();

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB + 4, 0, 0);
	assert_pending_without_miss(program, vcore_ivb.back.forward_blocked);
}

TEST(a_delayed_load_is_pending_without_a_miss)
{
	struct vcore_program *program = new_loop();

	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), R(0), MB + PAGE, 0, 0);
	assert_pending_without_miss(program, vcore_ivb.memory.l1d.latency +
					     vcore_ivb.back.alias - 1);
}

/* The store's data are ready 20 cycles after its address. */
TEST(a_load_that_waits_for_store_data_is_pending_without_a_miss)
{
	struct vcore_program *program = new_loop();

	vcore_program_alu(program, R(0), R(0), 0, 20);
	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB, 0, 0);
	assert_pending_without_miss(program, 20);
}

TEST(loads_behind_a_miss_fill_the_load_buffer)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int i;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 173, 0);
	for (i = 0; i < 80; i++)
		vcore_program_load(program, R(1), 0, MB, 0, 0);
	counts = measure(program);
	assert_true(counts.plain[VCORE_STALL_LB] > ROUNDS * 50);
}

/*
 * A load reads the data of an older store whose address is known late. The first execution of the
 * load causes a machine clear; later ones wait for the address.
 */
TEST(a_memory_order_violation_clears_once)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int i;

	vcore_program_alu(program, R(0), 0, 2, 3);
	for (i = 0; i < 5; i++)
		vcore_program_alu(program, R(0), R(0), 2, 3);
	vcore_program_store(program, R(1), R(0), MB, 0, 0);
	vcore_program_load(program, R(2), 0, MB, 0, 0);
	counts = vcore_program_measure(program, 0, ROUNDS);
	assert_true(counts.plain[VCORE_CLEARS] > 0);
	assert_true(counts.plain[VCORE_CLEARS] < 4);
	assert_int_equal(counts.plain[VCORE_CLEARS_ORDERING],
			 counts.plain[VCORE_CLEARS]);
	assert_int_equal(counts.plain[VCORE_LOADS], ROUNDS);
	vcore_program_free(program);
}

/*
 * The store's address is known 18 cycles after the load of the iteration before, and only the first
 * iteration's store writes what its load reads. That load causes a machine clear, after which the
 * load waits for the address: an iteration then takes those 18 cycles. After some iterations without
 * the store's data it waits no longer, and iterations overlap.
 */
TEST(a_load_that_no_store_precedes_waits_no_longer)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &near);
	struct vcore_counts counts;
	unsigned int i;

	vcore_program_alu(program, R(0), R(2), 2, 3);
	for (i = 0; i < 5; i++)
		vcore_program_alu(program, R(0), R(0), 2, 3);
	vcore_program_store(program, R(1), R(0), MB, 64, 0);
	vcore_program_load(program, R(2), 0, MB, 0, 0);
	counts = vcore_program_measure(program, 0, 12);
	assert_int_equal(counts.plain[VCORE_CLEARS_ORDERING], 1);
	assert_true(counts.plain[VCORE_CYCLES] > 11 * 18);
	counts = vcore_program_measure(program, 20, 100);
	assert_true(counts.plain[VCORE_CYCLES] < 100 * 12);
	vcore_program_free(program);
}

/*
 * Each store to the loop's own code, which is in flight, causes a machine clear. A store to other
 * code causes none.
 */
TEST(a_store_to_code_in_flight_clears_each_time)
{
	struct vcore_program *program;
	struct vcore_counts counts;
	unsigned int i, away;

	for (away = 0; away < 2; away++) {
		program = new_loop();
		vcore_program_alu(program, R(0), 0, 2, 3);
		for (i = 0; i < 5; i++)
			vcore_program_alu(program, R(0), R(0), 2, 3);
		vcore_program_store(program, R(0), 0, VCORE_PROGRAM_PC + away * MB, 0, 0);
		counts = vcore_program_measure(program, 0, ROUNDS);
		assert_true(counts.plain[VCORE_CLEARS_CODE] <= (away ? 0 : ROUNDS));
		assert_true(counts.plain[VCORE_CLEARS_CODE] >= (away ? 0 : ROUNDS * 99 / 100));
		assert_int_equal(counts.plain[VCORE_CLEARS], counts.plain[VCORE_CLEARS_CODE]);
		assert_int_equal(counts.plain[VCORE_CLEARS_ORDERING], 0);
		assert_int_equal(counts.plain[VCORE_STORES], ROUNDS);
		vcore_program_free(program);
	}
}

/*
 * A store to code that is not in flight makes this code be fetched again, without a machine clear.
 */
TEST(a_store_to_code_far_away_invalidates_it)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	struct vcore_line *store;
	unsigned int i;

	store = vcore_program_store(program, R(0), 0, 0, 0, 0);
	for (i = 0; i < 480; i++)
		vcore_program_nop(program);
	store->base[0] = program->line[400].insn.pa;
	counts = vcore_program_measure(program, 2, ROUNDS);
	assert_int_equal(counts.plain[VCORE_CLEARS], 0);
	assert_true(counts.plain[VCORE_ICACHE_MISSES] >= ROUNDS * 99 / 100);
	vcore_program_free(program);
}

static void record_rounds(struct vcore_program *program, unsigned int rounds)
{
	while (rounds--)
		vcore_program_round(program);
}

/* While an older load waits, another core writes the line that a younger load has already read. */
TEST(an_invalidated_load_clears_the_pipeline_once)
{
	struct vcore_program *reader = new_loop();
	static struct vcore_program writer;
	const struct vcore_counts *counts = vcore_counts(reader->core);

	writer.core = vcore_new(&vcore_ivb, &real, 1);
	assert_non_null(writer.core);
	vcore_program_load(reader, R(0), R(0), 64 * MB, 64 * 173, 0);
	vcore_program_load(reader, R(1), 0, MB, 0, 0);
	vcore_program_store(&writer, R(0), 0, MB, 0, 0);
	record_rounds(reader, 1000);
	assert_int_equal(counts->plain[VCORE_CLEARS], 0);
	vcore_program_run(&writer, 1);
	record_rounds(reader, 1000);
	assert_int_equal(counts->plain[VCORE_CLEARS], 1);
	assert_int_equal(counts->plain[VCORE_CLEARS_ORDERING], 1);
	vcore_free(writer.core);
	vcore_program_free(reader);
}

/*
 * Another core writes a line that a load has read before an older load has its data: only then, and only
 * if it is the same line, has the order been wrong.
 */
TEST(only_reordered_loads_of_the_line_clear)
{
	static struct vcore_program writer;
	static const struct {
		bool waits;
		uint64_t written;
	} all[] = { { false, MB }, { true, MB + 64 }, { true, MB - 64 } };
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_program *reader = new_loop();

		memset(&writer, 0, sizeof(writer));
		writer.core = vcore_new(&vcore_ivb, &real, 1);
		assert_non_null(writer.core);
		if (all[i].waits)
			vcore_program_load(reader, R(0), R(0), 64 * MB, 64 * 173, 0);
		vcore_program_load(reader, R(1), 0, MB, 0, 0);
		vcore_program_load(reader, R(1), 0, MB + 128, 0, 0);
		vcore_program_store(&writer, R(0), 0, all[i].written, 0, 0);
		record_rounds(reader, 1000);
		vcore_program_run(&writer, 1);
		record_rounds(reader, 1000);
		assert_int_equal(vcore_counts(reader->core)->plain[VCORE_CLEARS], 0);
		vcore_free(writer.core);
		vcore_program_free(reader);
	}
}

/*
 * The store is the last instruction of its line, so that all younger ones are in the next line. Only a
 * store to that line changes instructions that are in flight.
 */
TEST(a_store_clears_only_for_younger_code)
{
	static const struct {
		int offset;
		unsigned int clears;
	} all[] = {
		{ 0, 1 }, { -4, 1 }, { -7, 1 }, { -8, 0 }, { -64, 0 }, { -128, 0 }, { 56, 1 }, { 60, 1 },
		{ 128, 0 },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_program *program = new_loop();
		struct vcore_line *store;

		for (k = 0; k < 47; k++)
			vcore_program_nop(program);
		store = vcore_program_store(program, R(0), 0, 64 * MB, 0, 0);
		for (k = 0; k < 16; k++)
			vcore_program_nop(program);
		for (k = 0; k < 3; k++) {
			vcore_program_round(program);
			vcore_settle(program->core);
		}
		store->base[0] = VCORE_PROGRAM_PC + 48 * 4 + all[i].offset;
		vcore_program_round(program);
		vcore_settle(program->core);
		assert_int_equal(vcore_counts(program->core)->plain[VCORE_CLEARS_CODE], all[i].clears);
		assert_int_equal(vcore_counts(program->core)->plain[VCORE_CLEARS], all[i].clears);
		vcore_program_free(program);
	}
}

static struct vcore_line *add_fence(struct vcore_program *program,
				    unsigned int fence)
{
	struct vcore_line *line = vcore_program_nop(program);

	line->insn.fence = fence;
	return line;
}

/* A store to a device takes as long as memory, and no fence lets an instruction retire before. */
TEST(a_fence_waits_for_a_store_to_a_device)
{
	unsigned int device;

	for (device = 0; device < 2; device++) {
		struct vcore_program *program = new_loop();
		struct vcore *core = program->core;
		struct vcore_access access = { .va = MB, .pa = MB, .size = 8, .store = true };
		struct vcore_insn store, fence;
		uint64_t before;

		vcore_program_store(program, R(0), 0, MB, 0, 0);
		add_fence(program, 2);
		store = program->line[0].insn;
		fence = program->line[1].insn;
		vcore_program_round(program);
		vcore_program_round(program);
		vcore_settle(core);
		before = core->cycle;
		access.device = device;
		vcore_begin(core, &store);
		vcore_access(core, &access);
		vcore_begin(core, &fence);
		vcore_settle(core);
		assert_true(device ? core->cycle > before + vcore_ivb.memory.memory :
				     core->cycle < before + vcore_ivb.memory.memory);
		assert_int_equal(vcore_counts(core)->plain[VCORE_L2_RFOS], 1);
		assert_int_equal(vcore_counts(core)->plain[VCORE_STORES], 3);
		vcore_program_free(program);
	}
}

/* Each store to a page of its own walks its page tables; one to the same page does not. */
TEST(stores_that_walk_are_counted)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_store(program, R(0), 0, 64 * MB, PAGE + 64, 0);
	vcore_program_store(program, R(0), 0, MB, 0, 0);
	counts = measure(program);
	assert_in_range(counts.plain[VCORE_STLB_MISS_STORES], ROUNDS - 40, ROUNDS + 40);
	assert_int_equal(counts.plain[VCORE_STLB_MISS_LOADS], 0);
	assert_int_equal(counts.plain[VCORE_STORES], 2 * ROUNDS);
}

TEST(a_prefetch_is_no_load)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	struct vcore_line *line;

	line = vcore_program_load(program, 0, 0, 64 * MB, 64 * 173, 0);
	line->insn.prefetch = true;
	counts = measure(program);
	assert_int_equal(counts.plain[VCORE_LOADS], 0);
	assert_int_equal(counts.plain[VCORE_CYCLES_LOAD], 0);
	assert_true(cycles(&counts) < 10);
}

/*
 * A load waits for an older locked instruction, even if the load belongs to a locked instruction
 * itself.
 */
TEST(loads_wait_for_a_locked_instruction)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_program_locked(program, R(0), MB, 0, 0);
	vcore_program_load(program, R(1), 0, 2 * MB, 0, 0);
	counts = measure(program);
	assert_true(cycles(&counts) > 12);
	assert_true(cycles(&counts) < 40);
	assert_int_equal(counts.plain[VCORE_LOCK_LOADS], ROUNDS);
	assert_int_equal(counts.plain[VCORE_LOADS], 2 * ROUNDS);
}

/* Returns the mean cycles of an iteration with a store that misses, a fence, and a load. */
static double fenced_cycles(unsigned int fence)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;

	vcore_memory_prefetchers(program->core->memory, 15);
	vcore_program_store(program, R(0), 0, 64 * MB, 64, 0);
	add_fence(program, fence);
	vcore_program_load(program, R(1), 0, MB, 0, 0);
	counts = measure(program);
	return cycles(&counts);
}

TEST(fences_order_their_accesses)
{
	assert_true(fenced_cycles(3) > vcore_ivb.memory.memory);
	assert_true(fenced_cycles(2) > vcore_ivb.memory.memory);
	assert_true(fenced_cycles(1) < vcore_ivb.memory.memory / 3.0);
	assert_true(fenced_cycles(0) < vcore_ivb.memory.memory / 3.0);
}

/*
 * If an instruction has more accesses than load and store uops, each access beyond these has a uop
 * of its own.
 */
TEST(surplus_accesses_have_uops)
{
	struct vcore_program *program = new_loop();
	struct vcore_line *line;
	struct vcore_counts counts;
	unsigned int i;

	line = vcore_program_load(program, R(0), 0, MB, 0, 0);
	for (i = 1; i < 4; i++)
		vcore_program_access(line, i & 1, MB + 64 * i, 0, 0, 8);
	line->insn.microcoded = true;
	line->insn.nr_slots = 4;
	counts = measure(program);
	assert_int_equal(counts.plain[VCORE_LOADS], 2 * ROUNDS);
	assert_int_equal(counts.plain[VCORE_STORES], 2 * ROUNDS);
}

TEST(a_device_access_is_no_l1_hit)
{
	struct vcore_program *program = new_loop();
	struct vcore *core = program->core;
	struct vcore_insn insn;
	struct vcore_access access = { .va = MB, .pa = MB, .size = 4,
				       .device = true };

	vcore_program_load(program, R(0), R(0), 0, 0, 0);
	insn = program->line[0].insn;
	vcore_begin(core, &insn);
	vcore_access(core, &access);
	vcore_settle(core);
	assert_true(core->cycle > vcore_ivb.memory.memory);
	assert_int_equal(vcore_counts(core)->plain[VCORE_LOADS], 1);
	assert_int_equal(vcore_counts(core)->plain[VCORE_L1_HIT], 0);
	vcore_program_free(program);
}

TEST(a_perfect_l1d_always_hits)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &near);
	struct vcore_counts counts;

	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 173, 0);
	counts = measure(program);
	assert_near(cycles(&counts), vcore_ivb.memory.l1d.latency);
	assert_int_equal(vcore_component(&counts, VCORE_COMMIT, VCORE_DCACHE),
			 0);
}
