// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of relations between the virtual core's counts, such as that slots add up to the core's
 * width times its cycles. The relations hold for random programs on all out-of-order cores.
 */
#include <string.h>

#include "program.h"
#include "test.h"

#define PROGRAMS 12
#define LINES 60
#define ROUNDS 100

static const struct vcore_ideal ideals[] = {
	{ .l1i = false },
	{ .l1i = true },
	{ .l1d = true },
	{ .bpred = true },
	{ .alu = true },
	{ true, true, true, true },
};

static const struct vcore_params *const parts[] = {
	&vcore_ivb, &vcore_skl, &vcore_spr, &vcore_grt, &vcore_zen2, &vcore_zen4,
	&vcore_zen5,
};

static uint64_t seed;

static unsigned int draw(unsigned int below)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (seed >> 33) % below;
}

static void add_alu(struct vcore_program *program)
{
	static const uint8_t latencies[] = { 1, 1, 1, 3, 5, 20 };
	unsigned int latency = latencies[draw(6)];
	struct vcore_line *line;

	line = vcore_program_alu(program, R(draw(8)), R(draw(8)),
				 latency > 1 ? 1 : 0, latency);
	if (latency == 20)
		line->insn.uop[0].divides = 14;
	else if (!draw(4))
		line->insn.filler = draw(6);
	line->insn.nr_slots += line->insn.filler;
	line->insn.microcoded = line->insn.filler > 3;
	line->insn.fuses = !draw(4) && !line->insn.filler && latency == 1;
}

/*
 * Returns a random address. Accesses to such addresses may overlap, be 4K aliases, or miss the
 * caches.
 */
static uint64_t address(void)
{
	return 0x100000 + 4 * draw(16) + 4096 * draw(4) + (draw(8) ? 0 : 1 << 24);
}

static void add_access(struct vcore_program *program, bool store)
{
	uint64_t stride = draw(4) ? 0 : 64 * draw(4);
	struct vcore_line *line;

	if (store)
		line = vcore_program_store(program, R(draw(8)), R(draw(8)),
					   address(), stride, 1 << 20);
	else
		line = vcore_program_load(program, R(draw(8)), R(draw(8)),
					  address(), stride, 1 << 20);
	line->size[0] = 1 << draw(6);
	line->insn.prefetch = !store && !draw(10);
	line->insn.streams = store && !draw(10);
	line->insn.locked = !draw(30);
}

static void add_any(struct vcore_program *program)
{
	unsigned int type = draw(20);
	uint64_t taken;

	if (type < 10) {
		add_alu(program);
	} else if (type < 13) {
		add_access(program, false);
	} else if (type < 16) {
		add_access(program, true);
	} else if (type < 18) {
		taken = (uint64_t)draw(1 << 30) << 32 | draw(1 << 30);
		vcore_program_branch(program, R(draw(8)), taken);
		vcore_program_nop(program);
	} else if (draw(8)) {
		vcore_program_nop(program);
	} else {
		vcore_program_nop(program)->insn.fence = draw(4);
	}
}

static struct vcore_program *random_program(const struct vcore_params *params,
					    const struct vcore_ideal *ideal,
					    unsigned int nr)
{
	struct vcore_program *program = vcore_program_new(params, ideal);
	unsigned int i;

	seed = nr;
	for (i = 0; i < LINES; i++)
		add_any(program);
	if (nr % 4 == 1)
		program->line[draw(LINES)].insn.serialises = true;
	return program;
}

static uint64_t quantity_sum(const struct vcore_counts *counts,
			     enum vcore_per_cycle quantity)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 1; i <= VCORE_MAX_WIDTH; i++)
		sum += i * counts->cycles_with[quantity][i];
	return sum;
}

static void assert_partition(const struct vcore_params *params,
			     const struct vcore_counts *counts)
{
	const uint64_t *plain = counts->plain;
	uint64_t slots = params->back.width * plain[VCORE_CYCLES];

	assert_int_equal(quantity_sum(counts, VCORE_ISSUED) +
			 quantity_sum(counts, VCORE_BUBBLES) +
			 plain[VCORE_RECOVERY_SLOTS] +
			 plain[VCORE_BACKEND_SLOTS], slots);
	assert_int_equal(quantity_sum(counts, VCORE_ISSUED),
			 quantity_sum(counts, VCORE_RETIRED) +
			 plain[VCORE_WRONG_SLOTS]);
	/*
	 * AMD has no event for the slots of recovery: these are included in the event of slots that
	 * are not supplied.
	 */
	assert_int_equal(quantity_sum(counts, VCORE_ISSUED) +
			 quantity_sum(counts, VCORE_UNSUPPLIED) +
			 plain[VCORE_BACKEND_SLOTS], slots);
}

/*
 * Checks two counts of cycles without retirement: those in which the oldest slot waits for a uop,
 * and those in which it waits for a load.
 */
static void assert_waits(const struct vcore_counts *counts)
{
	const uint64_t *plain = counts->plain;
	uint64_t retiring = 0;
	unsigned int i;

	for (i = 1; i <= VCORE_MAX_WIDTH; i++)
		retiring += counts->cycles_with[VCORE_RETIRED][i];
	assert_true(plain[VCORE_NO_RETIRE_WAITS] + retiring <= plain[VCORE_CYCLES]);
	assert_true(plain[VCORE_NO_RETIRE_LOAD] <= plain[VCORE_NO_RETIRE_WAITS]);
}

static void assert_stacks(const struct vcore_params *params,
			  const struct vcore_counts *counts)
{
	uint64_t slots = params->back.width * counts->plain[VCORE_CYCLES];
	unsigned int stage, i;

	for (stage = 0; stage < VCORE_STAGES; stage++) {
		uint64_t sum = 0;

		for (i = 0; i < VCORE_PARTS; i++)
			sum += counts->stack[stage][i];
		assert_int_equal(sum, slots);
		assert_int_equal(counts->stack[stage][VCORE_PART_BASE],
				 quantity_sum(counts, VCORE_RETIRED));
	}
}

static void assert_nested(const struct vcore_counts *counts)
{
	const uint64_t *plain = counts->plain;

	assert_true(plain[VCORE_CYCLES_LOAD] >= plain[VCORE_CYCLES_L1]);
	assert_true(plain[VCORE_CYCLES_L1] >= plain[VCORE_CYCLES_L2]);
	assert_true(plain[VCORE_CYCLES_L2] >= plain[VCORE_CYCLES_L3]);
	assert_true(plain[VCORE_NO_EXECUTE] >= plain[VCORE_NO_EXECUTE_LOAD]);
	assert_true(plain[VCORE_NO_EXECUTE_LOAD] >= plain[VCORE_NO_EXECUTE_L1]);
	assert_true(plain[VCORE_NO_EXECUTE_L1] >= plain[VCORE_NO_EXECUTE_L2]);
	assert_true(plain[VCORE_NO_EXECUTE_L2] >= plain[VCORE_NO_EXECUTE_L3]);
	assert_int_equal(plain[VCORE_LOADS],
			 plain[VCORE_L1_HIT] + plain[VCORE_LFB_HIT] +
			 plain[VCORE_L2_HIT] + plain[VCORE_L3_HIT] +
			 plain[VCORE_L3_MISS]);
	assert_true(plain[VCORE_MISPREDICTS] >=
		    plain[VCORE_MISPREDICTS_CONDITIONAL]);
}

static struct vcore_counts run_random(const struct vcore_params *params,
				      const struct vcore_ideal *ideal, unsigned int nr)
{
	struct vcore_program *program = random_program(params, ideal, nr);
	struct vcore_counts counts;

	vcore_program_run(program, ROUNDS);
	counts = *vcore_counts(program->core);
	assert_int_equal(counts.plain[VCORE_CYCLES], program->core->cycle);
	vcore_program_free(program);
	return counts;
}

TEST(counts_keep_their_invariants)
{
	unsigned int i, j, k;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (j = 0; j < sizeof(ideals) / sizeof(ideals[0]); j++) {
			for (k = 0; k < PROGRAMS; k++) {
				struct vcore_counts counts;

				counts = run_random(parts[i], &ideals[j], k);
				assert_partition(parts[i], &counts);
				assert_waits(&counts);
				assert_stacks(parts[i], &counts);
				assert_nested(&counts);
			}
		}
	}
}

TEST(equal_programs_have_equal_counts)
{
	unsigned int i;

	for (i = 0; i < PROGRAMS; i++) {
		struct vcore_counts first = run_random(&vcore_ivb, &ideals[0], i);
		struct vcore_counts second = run_random(&vcore_ivb, &ideals[0], i);

		assert_memory_equal(&first, &second, sizeof(first));
	}
}

/* No slot of any stage is lost to a unit that is simulated as perfect. */
TEST(a_perfect_unit_loses_no_slots)
{
	unsigned int stage, i;

	for (i = 0; i < PROGRAMS; i++) {
		struct vcore_counts counts = run_random(&vcore_ivb, &ideals[5], i);

		for (stage = 0; stage < VCORE_STAGES; stage++) {
			const uint64_t *stack = counts.stack[stage];
			unsigned int part = VCORE_PART_CODE_L2;

			/*
			 * What remains is the latency of L1D hits, and one cycle of each operation.
			 */
			for (; part <= VCORE_PART_ALU_FIRST; part++)
				assert_int_equal(stack[part], 0);
		}
	}
}

/* The last instruction of an iteration, a branch, waits a cycle for the one before it. */
TEST(a_retire_latency_is_the_time_since_the_instruction_before_retired)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, ideals);
	unsigned int i;
	uint64_t before;

	vcore_program_run(program, 1);
	for (i = 0; i < 3; i++) {
		vcore_settle(program->core);
		before = program->core->retired_at;
		vcore_program_run(program, 1);
		vcore_settle(program->core);
		assert_true(program->core->retired_at > before + 1);
		assert_int_equal(program->core->retire_latency[0], 1);
	}
	vcore_program_free(program);
}
