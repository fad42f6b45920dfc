// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of counts, which are differences of two samples: a count is right even if the counter has
 * wrapped once between the samples.
 */

#include "count/delta.h"
#include "intel.h"
#include "unit.h"

#define WIDTH 48

/*
 * A group that counts slots and two fields of PERF_METRICS. Both fields are read from the same
 * 64-bit value of the sample.
 */
static const struct bpmu_sched with_metrics = {
	.nr = 3, .values = 2,
	.slot = {
		{ .counter = BPMU_FIXED_SLOTS, .value = 0 },
		{ .counter = BPMU_COUNTER_METRICS, .value = 1, .field = 0 },
		{ .counter = BPMU_COUNTER_METRICS, .value = 1, .field = 3 },
	},
};

static const struct bpmu_sched without = {
	.nr = 2, .values = 2,
	.slot = {
		{ .counter = BPMU_FIXED_SLOTS, .value = 0 },
		{ .counter = 0, .value = 1 },
	},
};

static struct bpmu_pmu golden_cove(void)
{
	struct bpmu_pmu pmu = unit_pmu("spr", 8);

	pmu.gp_width = WIDTH;
	pmu.fixed_width = WIDTH;
	return pmu;
}

static u64 difference(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
		      unsigned int slot, const u64 *last, const u64 *now)
{
	const struct bpmu_delta delta = bpmu_delta_of_slot(pmu, sched, slot);

	return bpmu_delta(&delta, last, now, 0);
}

TEST(a_delta_is_the_difference_of_two_samples)
{
	struct bpmu_pmu pmu = golden_cove();
	const u64 last[] = { 1000, 70 }, now[] = { 1600, 100 };

	assert_int_equal(difference(&pmu, &without, 1, last, now), 30);
	/*
	 * Without PERF_METRICS in the group nothing resets the slots counter, so its count is a
	 * difference of two values.
	 */
	assert_int_equal(difference(&pmu, &without, 0, last, now), 600);
}

TEST(a_delta_includes_a_wrap)
{
	struct bpmu_pmu pmu = golden_cove();
	const u64 last[] = { 0, (1ULL << WIDTH) - 10 }, now[] = { 0, 5 };

	assert_int_equal(difference(&pmu, &without, 1, last, now), 15);
}

/*
 * The module resets the slots counter and PERF_METRICS at each sample, so their values cover the
 * time since the previous sample.
 */
TEST(fields_of_perf_metrics_are_fractions_of_slots)
{
	struct bpmu_pmu pmu = golden_cove();
	const u64 last[] = { 999999, 0x11223344 };
	const u64 now[] = { 25500, 0x40000080 };

	assert_int_equal(difference(&pmu, &with_metrics, 0, last, now), 25500);
	assert_int_equal(difference(&pmu, &with_metrics, 1, last, now), 12800);
	assert_int_equal(difference(&pmu, &with_metrics, 2, last, now), 6400);
}

/*
 * A field of PERF_METRICS is a fraction of the slots, in units of 1 / 255. One unit of 400 slots is
 * 1.6 slots, which is rounded to 2.
 */
TEST(fractions_are_rounded)
{
	struct bpmu_pmu pmu = golden_cove();
	const u64 last[] = { 0, 0 }, now[] = { 400, 1 };

	assert_int_equal(difference(&pmu, &with_metrics, 1, last, now), 2);
}
