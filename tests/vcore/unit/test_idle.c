// SPDX-License-Identifier: GPL-2.0
/*
 * Tests that idle cycles, which the out-of-order core counts without simulating each, are counted
 * as if it did. Random programs are executed twice, once so that the front end seems to change in
 * each cycle and no cycle is skipped.
 */
#include <string.h>

#include "program.h"
#include "test.h"

#define SEEDS 16
#define ROUNDS 40
#define LINES 24

static const struct vcore_ideal real;
static bool step_by_step;
static uint64_t asked;

uint64_t __real_vcore_front_next(const struct vcore_front *front, uint64_t cycle);
uint64_t __wrap_vcore_front_next(const struct vcore_front *front, uint64_t cycle);

uint64_t __wrap_vcore_front_next(const struct vcore_front *front, uint64_t cycle)
{
	asked++;
	return step_by_step ? cycle + 1 : __real_vcore_front_next(front, cycle);
}

static struct vcore_counts run(const struct vcore_params *params, uint32_t seed, bool steps)
{
	struct vcore_program *program = vcore_program_new(params, &real);
	uint32_t state = seed << 16;
	struct vcore_counts counts;
	unsigned int i;

	step_by_step = steps;
	asked = 0;
	for (i = 0; i < LINES; i++)
		vcore_program_draw(program, &state);
	counts = vcore_program_measure(program, 10, ROUNDS);
	vcore_program_free(program);
	return counts;
}

static void compare(const struct vcore_params *params)
{
	struct vcore_counts steps, skips;
	uint64_t cycles = 0, active = 0;
	uint32_t seed;

	for (seed = 1; seed <= SEEDS; seed++) {
		steps = run(params, seed, true);
		cycles += asked;
		skips = run(params, seed, false);
		active += asked;
		if (memcmp(&steps, &skips, sizeof(steps)))
			fail_msg("seed %u: %llu cycles step by step, %llu with idle cycles skipped",
				 seed, (unsigned long long)steps.plain[VCORE_CYCLES],
				 (unsigned long long)skips.plain[VCORE_CYCLES]);
	}
	/* Most idle cycles are skipped. */
	if (active > cycles / 4)
		fail_msg("%llu of %llu idle cycles are simulated", (unsigned long long)active,
			 (unsigned long long)cycles);
}

TEST(idle_cycles_count_as_if_each_were_simulated)
{
	static const struct vcore_params *const parts[] = {
		&vcore_ivb, &vcore_spr, &vcore_grt, &vcore_zen2, &vcore_zen5,
	};
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		compare(parts[i]);
}
