// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the CPI stacks of the virtual core: lost slots are attributed to the right component. In
 * a loop with one bottleneck, the share of slots that the component has is the share of cycles that
 * a perfect unit saves.
 */

#include "program.h"
#include "test.h"

#define ROUNDS 2000
#define WIDTH 4
#define MB 0x100000ull
#define PAGE 4096ull
#define MULTIPLIER 0x02

static const struct vcore_ideal real;
static const struct vcore_ideal no_misses = { .l1d = true };
static const struct vcore_ideal fast = { .alu = true };

typedef void (*add)(struct vcore_program *program);

static struct vcore_counts run_loop(add lines, const struct vcore_ideal *ideal)
{
	struct vcore_program *program;
	struct vcore_counts counts;

	program = vcore_program_new(&vcore_ivb, ideal);
	vcore_memory_prefetchers(program->core->memory, 15);
	lines(program);
	counts = vcore_program_measure(program, 4 * ROUNDS, ROUNDS);
	vcore_program_free(program);
	return counts;
}

/* Returns the share, 0 to 1, that a subcomponent has in all slots of a stage. */
static double part_share(const struct vcore_counts *counts, enum vcore_stage stage,
			 enum vcore_part part)
{
	return (double)counts->stack[stage][part] /
	       (WIDTH * counts->plain[VCORE_CYCLES]);
}

static double component_share(const struct vcore_counts *counts,
			      enum vcore_stage stage,
			      enum vcore_component component)
{
	return (double)vcore_component(counts, stage, component) /
	       (WIDTH * counts->plain[VCORE_CYCLES]);
}

static void assert_share(double value, double least, double most)
{
	if (value < least || value > most)
		fail_msg("%f, not %f to %f", value, least, most);
}

/*
 * Compares the fraction of cycles that perfect units save with the fraction of slots that the
 * subcomponents from @first to @last have together. The largest such fraction of the three stages
 * must be within 0.03 of the saved cycles.
 */
static void assert_saves(add lines, const struct vcore_ideal *ideal,
			 enum vcore_part first, enum vcore_part last)
{
	struct vcore_counts counts = run_loop(lines, &real);
	struct vcore_counts perfect = run_loop(lines, ideal);
	double cycles = counts.plain[VCORE_CYCLES];
	double saved = 1 - perfect.plain[VCORE_CYCLES] / cycles;
	double low = 1, high = 0;
	unsigned int stage, part;

	assert_true(saved > 0.3);
	for (stage = 0; stage < VCORE_STAGES; stage++) {
		double sum = 0;

		for (part = first; part <= last; part++)
			sum += part_share(&counts, stage, part);
		low = sum < low ? sum : low;
		high = sum > high ? sum : high;
	}
	assert_share(saved, low - 0.03, high + 0.03);
	assert_share(high, saved - 0.03, saved + 0.03);
}

static void multiply_chain(struct vcore_program *program)
{
	vcore_program_alu(program, R(0), R(0), MULTIPLIER, 3);
}

/* A perfect ALU saves two of the three cycles of each multiplication. */
TEST(a_perfect_alu_saves_the_latency_of_multiplications)
{
	struct vcore_counts counts = run_loop(multiply_chain, &real);

	assert_saves(multiply_chain, &fast, VCORE_PART_ALU, VCORE_PART_ALU);
	assert_share(component_share(&counts, VCORE_COMMIT, VCORE_ALU_LATENCY),
		     0.75, 0.9);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_ALU_FIRST), 0.1,
		     0.25);
}

static void chase_l2(struct vcore_program *program)
{
	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 17, 64 * 1024);
}

/* A perfect cache saves the latency of misses, but not that of hits. */
TEST(perfect_caches_save_misses_only)
{
	struct vcore_counts counts = run_loop(chase_l2, &real);

	assert_saves(chase_l2, &no_misses, VCORE_PART_DTLB, VCORE_PART_MEMORY);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L2), 0.3, 0.7);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_MISS_HIT), 0.2,
		     0.6);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L3) +
		     part_share(&counts, VCORE_COMMIT, VCORE_PART_MEMORY), 0, 0.01);
}

static void chase_l1(struct vcore_program *program)
{
	vcore_program_load(program, R(0), R(0), MB, 64, 4096);
}

TEST(the_latency_of_l1_hits_is_alu_latency)
{
	struct vcore_counts counts = run_loop(chase_l1, &real);

	assert_share(component_share(&counts, VCORE_COMMIT, VCORE_ALU_LATENCY),
		     0.75, 1);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L1_HIT), 0.75, 1);
	assert_share(component_share(&counts, VCORE_COMMIT, VCORE_DEPEND), 0,
		     0.02);
}

static void chase_pages(struct vcore_program *program)
{
	vcore_program_load(program, R(0), R(0), 64 * MB, PAGE + 64, 0);
}

TEST(misses_are_attributed_to_memory_and_dtlb)
{
	struct vcore_counts counts = run_loop(chase_pages, &real);

	assert_saves(chase_pages, &no_misses, VCORE_PART_DTLB,
		     VCORE_PART_MEMORY);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_MEMORY), 0.6, 1);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_DTLB), 0.05, 0.4);
}

static void many_loads(struct vcore_program *program)
{
	unsigned int i;

	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 173, 0);
	for (i = 0; i < 80; i++)
		vcore_program_load(program, R(1), 0, MB, 0, 0);
}

/* While the load buffer is full, lost slots are attributed to the cache miss of the oldest load. */
TEST(a_full_load_buffer_is_attributed_to_the_oldest_miss)
{
	struct vcore_counts counts = run_loop(many_loads, &real);

	assert_true(counts.plain[VCORE_STALL_LB] * 2 >
		    counts.plain[VCORE_CYCLES]);
	assert_share(component_share(&counts, VCORE_DISPATCH, VCORE_DCACHE), 0.5,
		     1);
	assert_share(component_share(&counts, VCORE_DISPATCH, VCORE_OTHER), 0,
		     0.02);
}

static void many_stores(struct vcore_program *program)
{
	vcore_program_store(program, R(0), 0, 64 * MB, 64, 0);
}

TEST(a_full_store_buffer_is_attributed_to_stores)
{
	struct vcore_counts counts = run_loop(many_stores, &real);

	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORES) +
		     part_share(&counts, VCORE_DISPATCH, VCORE_PART_FILLS), 0.5, 1);
	assert_share(component_share(&counts, VCORE_DISPATCH, VCORE_OTHER), 0,
		     0.1);
}

static void hit_stores(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		vcore_program_store(program, R(0), 0, MB + 8 * i, 0, 0);
}

TEST(stores_that_hit_are_not_attributed_to_the_data_cache)
{
	struct vcore_counts counts = run_loop(hit_stores, &real);

	assert_share(component_share(&counts, VCORE_DISPATCH, VCORE_DCACHE), 0,
		     0.02);
	assert_share(component_share(&counts, VCORE_DISPATCH, VCORE_OTHER), 0.5,
		     0.8);
}

static void one_port(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		vcore_program_alu(program, R(i), 0, MULTIPLIER, 1);
}

/* All uops wait for a port, which the oldest uop has just taken; no uop waits for an operand. */
TEST(port_contention_is_attributed_to_ports)
{
	struct vcore_counts counts = run_loop(one_port, &real);

	assert_share(part_share(&counts, VCORE_ISSUE, VCORE_PART_PORTS), 0.5, 0.8);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_DEPEND), 0.5, 0.8);
}

static void blocked_forward(struct vcore_program *program)
{
	vcore_program_store(program, R(0), 0, MB, 0, 0);
	vcore_program_load(program, R(0), 0, MB + 4, 0, 0);
}

TEST(blocked_forwarding_has_its_own_part)
{
	struct vcore_counts counts = run_loop(blocked_forward, &real);

	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_BLOCKED), 0.5, 1);
}

/* A multiplication with a memory operand: its two uops share a slot. */
static void multiply_memory(struct vcore_program *program)
{
	struct vcore_insn *insn = &vcore_program_load(program, R(1), R(0), MB, 0, 0)->insn;

	insn->nr_uops = 2;
	insn->uop[1] = (struct vcore_uop) {
		.type = VCORE_ALU,
		.ports = MULTIPLIER,
		.latency = 3,
		.fused = true,
		.source = { R(1) },
		.result = { R(0) },
	};
}

/* While the load of the oldest slot has its data, the slot waits for the multiplication. */
TEST(a_slot_waits_for_each_of_its_uops)
{
	struct vcore_counts counts = run_loop(multiply_memory, &real);

	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L1_HIT), 0.4, 0.6);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_ALU), 0.2, 0.35);
	assert_share(component_share(&counts, VCORE_COMMIT, VCORE_OTHER), 0, 0.02);
}

/* A loop whose loads, all of which hit the L1D, fill the load buffer behind a slow operation. */
static void loads_behind_an_operation(struct vcore_program *program)
{
	unsigned int i;

	vcore_program_alu(program, R(0), R(0), MULTIPLIER, 100);
	for (i = 0; i < 80; i++)
		vcore_program_load(program, R(1), 0, MB, 0, 0);
}

/* The address of its loads is known late: it is the result of two operations in a row. */
static void loads_of_a_late_address(struct vcore_program *program)
{
	unsigned int i;

	vcore_program_load(program, R(0), R(2), MB, 0, 0);
	vcore_program_alu(program, R(1), R(0), MULTIPLIER, 50);
	vcore_program_alu(program, R(2), R(1), MULTIPLIER, 50);
	for (i = 0; i < 70; i++)
		vcore_program_load(program, R(3), 0, MB, 0, 0);
}

/* While the load buffer is full, the slots are lost to what its oldest load waits for. */
TEST(a_full_load_buffer_is_attributed_to_what_its_oldest_load_awaits)
{
	struct vcore_counts counts = run_loop(many_loads, &real);

	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_MEMORY), 0.5, 1);
	/* It has its data: the oldest slot is to blame. */
	counts = run_loop(loads_behind_an_operation, &real);
	assert_true(counts.plain[VCORE_STALL_LB] * 2 > counts.plain[VCORE_CYCLES]);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_ALU), 0.5, 1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_L1_HIT), 0, 0.05);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_OTHER), 0, 0.05);
	/* It lacks its address: the operation that has begun is to blame. */
	counts = run_loop(loads_of_a_late_address, &real);
	assert_true(counts.plain[VCORE_STALL_LB] * 2 > counts.plain[VCORE_CYCLES]);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_ALU), 0.5, 1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_L1_HIT), 0, 0.1);
}

/* Each store gathers in a fill buffer of its own, and all of them are in use. */
static void streamed_stores(struct vcore_program *program)
{
	vcore_program_store(program, R(0), 0, 64 * MB, 64, 0)->insn.streams = true;
}

/* The stores cannot retire before an operation of 100 cycles. */
static void stores_behind_an_operation(struct vcore_program *program)
{
	unsigned int i;

	vcore_program_alu(program, R(0), R(0), MULTIPLIER, 100);
	for (i = 0; i < 50; i++)
		vcore_program_store(program, R(1), 0, MB, 0, 0);
}

/* While the store buffer is full, the slots are lost to what its oldest store waits for. */
TEST(a_full_store_buffer_is_attributed_to_what_its_oldest_store_awaits)
{
	struct vcore_counts counts = run_loop(many_stores, &real);

	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORES), 0.5, 1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_FILLS), 0, 0.1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORE_BUFFER), 0, 0.05);
	counts = run_loop(hit_stores, &real);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORE_BUFFER), 0.5, 0.8);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORES), 0, 0.02);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_FILLS), 0, 0.02);
	/* The oldest one has not been sent yet. */
	counts = run_loop(streamed_stores, &real);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_FILLS), 0.5, 1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORES), 0, 0.1);
	/* None has retired: the oldest slot is to blame. */
	counts = run_loop(stores_behind_an_operation, &real);
	assert_true(counts.plain[VCORE_STALL_SB] * 3 > counts.plain[VCORE_CYCLES]);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_ALU), 0.3, 1);
	assert_share(part_share(&counts, VCORE_DISPATCH, VCORE_PART_STORE_BUFFER), 0, 0.4);
}

static void chase_l3(struct vcore_program *program)
{
	vcore_program_load(program, R(0), R(0), 64 * MB, 64 * 17, MB / 8 * 3);
}

/* A load that waits for a line beside another one is lost to the level that the line comes from. */
static void chase_pairs(struct vcore_program *program)
{
	vcore_program_load(program, R(1), R(0), 64 * MB, 64 * 173, 0);
	vcore_program_load(program, R(0), R(0), 64 * MB + 8, 64 * 173, 0);
}

TEST(misses_are_attributed_to_the_level_of_their_line)
{
	struct vcore_counts counts = run_loop(chase_l3, &real);

	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L3), 0.5, 1);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_MEMORY) +
		     part_share(&counts, VCORE_COMMIT, VCORE_PART_L2), 0, 0.05);
	counts = run_loop(chase_pairs, &real);
	assert_true(counts.plain[VCORE_LFB_HIT] > ROUNDS / 2);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_MEMORY), 0.6, 1);
	assert_share(part_share(&counts, VCORE_COMMIT, VCORE_PART_L3) +
		     part_share(&counts, VCORE_COMMIT, VCORE_PART_L2), 0, 0.02);
}
