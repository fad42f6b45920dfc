// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the counts of an interval: those of one group or of all groups that have an event, of
 * some CPUs or of all, exact or scaled to the time of the interval. Expected values are computed by
 * hand.
 */

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "count/interval.h"
#include "unit.h"

#define TOLERANCE 0.000001
#define CPUS 3
#define SLOTS 5
#define BANK BPMU_BANK_IMC

/*
 * Two groups of the core have two slots each, and one group of memory channels has one. The second
 * slots of the first two groups count the same event.
 */
static struct bpmu_group group[] = {
	{ .sched = { .bank = BPMU_BANK_CORE, .nr = 2 }, .first = 0 },
	{ .sched = { .bank = BPMU_BANK_CORE, .nr = 2 }, .first = 2 },
	{ .sched = { .bank = BANK, .nr = 1 }, .first = 4 },
};

static const struct bpmu_groups groups = {
	.group = group, .nr = 3, .nr_of = { [BPMU_BANK_CORE] = 2, [BANK] = 1 }, .slots = SLOTS,
};

static const u64 enabled[CPUS] = { 400, 1000, 70 };
/* The memory channels are read by the second CPU alone. */
static const u64 shared[CPUS] = { 0, 900, 0 };

/* Each group of the core has run for a part of the time on the first two CPUs. */
static const struct bpmu_cell cells[CPUS * SLOTS] = {
	{ .count = 10, .running = 100, .slices = 2, .sum_xx = 52 },
	{ .count = 30, .running = 100, .slices = 2, .sum_xx = 500 },
	{ .count = 7, .running = 300, .slices = 6, .sum_xx = 9 },
	{ .count = 50, .running = 300, .slices = 6, .sum_xx = 420 }, { },
	{ .count = 11, .running = 500, .slices = 5, .sum_xx = 25 },
	{ .count = 31, .running = 500, .slices = 5, .sum_xx = 200 },
	{ .count = 8, .running = 250, .slices = 4, .sum_xx = 20 },
	{ .count = 51, .running = 250, .slices = 4, .sum_xx = 660 },
	{ .count = 2000, .running = 900, .slices = 9 },
	/* Nothing has run on the third one. */
};

static const struct bpmu_interval interval = {
	.cell = cells, .enabled = enabled, .shared = { [BANK] = shared }, .duration = 2,
};

static const struct bpmu_event_slots own = {
	.bank = BPMU_BANK_CORE, .nr = 1, .group = { 0 },
	.slots = { { .nr = 1, .slot = { 0 }, .sign = { 1 } } },
};

static const struct bpmu_event_slots common = {
	.bank = BPMU_BANK_CORE, .nr = 2, .everywhere = true, .group = { 0, 1 },
	.slots = {
		{ .nr = 1, .slot = { 1 }, .sign = { 1 } }, { .nr = 1, .slot = { 1 }, .sign = { 1 } },
	},
};

static const struct bpmu_event_slots memory = {
	.bank = BANK, .nr = 1, .everywhere = true, .group = { 2 },
	.slots = { { .nr = 1, .slot = { 0 }, .sign = { 1 } } },
};

/* In each group the second slot minus the first */
static const struct bpmu_event_slots difference = {
	.bank = BPMU_BANK_CORE, .nr = 2, .everywhere = true, .group = { 0, 1 },
	.slots = {
		{ .nr = 2, .slot = { 1, 0 }, .sign = { 1, -1 } },
		{ .nr = 2, .slot = { 1, 0 }, .sign = { 1, -1 } },
	},
};

static struct bpmu_estimate total(const struct bpmu_interval *of,
				  const struct bpmu_event_slots *slots, unsigned int first,
				  unsigned int end)
{
	struct bpmu_estimate sum = { };

	bpmu_interval_total(&groups, of, first, end, slots, &sum);
	return sum;
}

TEST(an_event_of_all_groups_has_an_exact_total)
{
	struct bpmu_estimate sum = total(&interval, &common, 0, CPUS);

	assert_true(sum.value == 30 + 50 + 31 + 51);
	assert_int_equal(sum.enabled, 1470);
	assert_int_equal(sum.running, 1470);
	assert_int_equal(sum.slices, 0);
	assert_false(sum.missing);
	sum = total(&interval, &common, 1, 2);
	assert_true(sum.value == 31 + 51);
	assert_int_equal(sum.enabled, 1000);
	assert_true(total(&interval, &common, 1, 1).value == 0);
	assert_true(total(&interval, &difference, 0, CPUS).value ==
		    30 - 10 + 50 - 7 + 31 - 11 + 51 - 8);
}

TEST(an_event_of_some_groups_is_scaled_by_time)
{
	struct bpmu_estimate sum = total(&interval, &own, 0, CPUS);

	/* The first CPU has run it for a quarter of the time, the second one for half of it. */
	assert_true(fabs(sum.value - (10 * 4 + 11 * 2)) < TOLERANCE);
	assert_int_equal(sum.enabled, 1470);
	assert_int_equal(sum.running, 600);
	assert_int_equal(sum.slices, 7);
	assert_true(sum.missing);
	sum = total(&interval, &own, 0, 2);
	assert_false(sum.missing);
	assert_true(fabs(sum.others - (2 * 3 + 5 * 1)) < TOLERANCE);
	assert_true(fabs(sum.scaled - 62) < TOLERANCE);
	assert_true(fabs(sum.squares - (52 * 16 + 25 * 4)) < TOLERANCE);
	assert_true(sum.freedom == 1 + 4);
}

/* Then slices of several groups may be at the same time. */
TEST(of_a_bank_that_was_sampled_the_first_group_is_used)
{
	struct bpmu_interval of = interval;
	struct bpmu_estimate sum;
	struct bpmu_raw raw = { };

	of.sampled[0][BPMU_BANK_CORE] = true;
	sum = total(&of, &common, 0, 2);
	assert_true(fabs(sum.value - (30 * 4 + 31 * 2)) < TOLERANCE);
	assert_int_equal(sum.running, 600);
	bpmu_interval_raw(&groups, &of, 0, &common, &raw);
	assert_int_equal(raw.count, 30);
	assert_int_equal(raw.running, 100);
	/* The other core type and the other banks are not concerned. */
	of = interval;
	of.sampled[1][BPMU_BANK_CORE] = true;
	of.sampled[0][BANK] = true;
	assert_int_equal(total(&of, &common, 0, 2).slices, 0);
}

TEST(other_counters_have_a_time_of_their_own)
{
	struct bpmu_estimate sum = total(&interval, &memory, 0, CPUS);
	struct bpmu_raw raw = { };

	assert_true(sum.value == 2000);
	assert_int_equal(sum.enabled, 900);
	assert_int_equal(sum.running, 900);
	bpmu_interval_raw(&groups, &interval, 1, &memory, &raw);
	assert_int_equal(raw.count, 2000);
	assert_int_equal(raw.enabled, 900);
	assert_int_equal(raw.running, 900);
	assert_int_equal(bpmu_interval_time(&interval, BANK, 1), 900);
	assert_int_equal(bpmu_interval_time(&interval, BANK, 0), 0);
	assert_int_equal(bpmu_interval_time(&interval, BPMU_BANK_CORE, 1), 1000);
	assert_int_equal(bpmu_interval_time(&interval, BPMU_BANK_CORE, 2), 70);
	memset(&sum, 0, sizeof(sum));
	bpmu_interval_add(&groups, 2, &memory.slots[0], &interval, 0, CPUS, &sum);
	assert_true(sum.value == 2000);
	assert_int_equal(sum.enabled, 900);
}

TEST(raw_counts_are_not_scaled)
{
	struct bpmu_raw raw = { };

	bpmu_interval_raw(&groups, &interval, 0, &own, &raw);
	assert_int_equal(raw.count, 10);
	assert_int_equal(raw.enabled, 400);
	assert_int_equal(raw.running, 100);
	bpmu_interval_raw(&groups, &interval, 1, &own, &raw);
	assert_int_equal(raw.count, 21);
	assert_int_equal(raw.enabled, 1400);
	assert_int_equal(raw.running, 600);
	raw = (struct bpmu_raw){ };
	bpmu_interval_raw(&groups, &interval, 0, &common, &raw);
	assert_int_equal(raw.count, 80);
	assert_int_equal(raw.running, 400);
	raw = (struct bpmu_raw){ };
	bpmu_interval_raw(&groups, &interval, 1, &difference, &raw);
	assert_int_equal(raw.count, 63);
}

/* A recording says if groups were multiplexed, even if one of them is left. */
TEST(groups_are_multiplexed_if_there_are_or_were_several)
{
	struct bpmu_interval of = interval;
	struct bpmu_groups one = groups;

	assert_true(bpmu_interval_multiplexed(&groups, &of, BPMU_BANK_CORE));
	assert_false(bpmu_interval_multiplexed(&groups, &of, BANK));
	one.nr_of[BPMU_BANK_CORE] = 1;
	assert_false(bpmu_interval_multiplexed(&one, &of, BPMU_BANK_CORE));
	of.multiplexed[1][BPMU_BANK_CORE] = true;
	assert_false(bpmu_interval_multiplexed(&one, &of, BPMU_BANK_CORE));
	of.multiplexed[0][BPMU_BANK_CORE] = true;
	assert_true(bpmu_interval_multiplexed(&one, &of, BPMU_BANK_CORE));
	assert_false(bpmu_interval_multiplexed(&one, &of, BANK));
}

/* The counts of one group are those that are added CPU by CPU. */
TEST(counts_of_a_group_are_those_of_its_slices)
{
	const struct bpmu_slots slots[] = {
		{ .nr = 1, .slot = { 0 }, .sign = { 1 } }, { .quotient = true, .nr = 2 },
		{ .nr = 2, .slot = { 1, 0 }, .sign = { 1, -1 } },
		{ .nr = 1, .slot = { 1 }, .sign = { -1 } },
	};
	double counts[4][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };

	bpmu_interval_counts(&groups, 1, slots, 4, &interval, CPUS, 0, NULL, counts[0], 2);
	assert_true(fabs(counts[0][0] - (7 / 0.75 + 8 * 4)) < TOLERANCE);
	assert_true(counts[1][0] == -1);
	assert_true(fabs(counts[2][0] - (43 / 0.75 + 43 * 4)) < TOLERANCE);
	assert_true(fabs(counts[3][0] - (-50 / 0.75 - 51 * 4)) < TOLERANCE);
	assert_true(counts[0][1] == -1 && counts[2][1] == -1);
	/* What has run on no CPU has no count. */
	counts[0][0] = -1;
	bpmu_interval_counts(&groups, 1, slots, 1, &(struct bpmu_interval){
		.cell = cells + 2 * SLOTS, .enabled = enabled + 2,
	}, 1, 0, NULL, counts[0], 2);
	assert_true(isnan(counts[0][0]));
}

/* Of interrupts nothing is scaled: the count without a batch lacks the counts of its interrupts. */
TEST(counts_of_interrupts_lack_those_of_a_batch)
{
	enum { BATCHES = 2 };
	const struct bpmu_slots slots[] = {
		{ .nr = 1, .slot = { 0 }, .sign = { 1 } },
		{ .nr = 2, .slot = { 1, 0 }, .sign = { 1, -1 } }, { .quotient = true },
		{ .nr = 1, .slot = { 1 }, .sign = { 1 } },
	};
	struct bpmu_batch batch[CPUS * SLOTS][BATCHES] = {
		{ { 4, 0 }, { 6, 0 } }, { { 10, 0 }, { 20, 0 } }, { }, { }, { },
		{ { 5, 0 }, { 6, 0 } }, { { 11, 0 }, { 20, 0 } },
	};
	struct bpmu_interval of = interval;
	double counts[4][BATCHES + 1] = { };

	of.interrupts = true;
	of.batch = batch[0];
	of.batches = BATCHES;
	counts[2][0] = -1;
	bpmu_interval_counts(&groups, 0, slots, 4, &of, 2, BATCHES, NULL, counts[0], BATCHES + 1);
	assert_true(counts[0][0] == 21 - 9);
	assert_true(counts[0][1] == 21 - 12);
	assert_true(counts[1][0] == 61 - 21 - (21 - 9));
	assert_true(counts[1][1] == 61 - 21 - (40 - 12));
	assert_true(counts[2][0] == -1);
	assert_true(counts[3][0] == 61 - 21);
	assert_true(counts[3][1] == 61 - 40);
	/* An event that did not interrupt on any of the CPUs is not known. */
	of.cell = cells + 2 * SLOTS;
	bpmu_interval_counts(&groups, 0, slots, 1, &of, 1, 0, NULL, counts[0], BATCHES + 1);
	assert_true(isnan(counts[0][0]));
	of.cell = cells;
	/* Counts of other banks are no interrupts. */
	bpmu_interval_counts(&groups, 2, slots, 1, &of, CPUS, 0, NULL, counts[0], BATCHES + 1);
	assert_true(counts[0][0] == 2000);
}

/* Cochran, Sampling Techniques, 6.4: the variance of the ratio estimator of four slices of eight */
TEST(a_scaled_count_has_the_variance_of_a_ratio)
{
	static const u64 counts[] = { 10, 14, 9, 15 }, ticks[] = { 130, 100, 120, 90 };
	struct bpmu_estimate sum = { .variance = 1, .freedom = 2 };
	double rate = 48 / 440.0, squares = 0, off;
	struct bpmu_cell cell = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		off = counts[i] - rate * ticks[i];
		squares += off * off;
		bpmu_cell_add_slice(&cell, counts[i], ticks[i]);
	}
	assert_int_equal(cell.count, 48);
	assert_int_equal(cell.running, 440);
	assert_int_equal(cell.slices, 4);
	assert_true(cell.sum_tt == 130 * 130 + 100 * 100 + 120 * 120 + 90 * 90);
	assert_true(cell.sum_tx == 1300 + 1400 + 9 * 120 + 15 * 90);
	assert_true(cell.sum_xx == 100 + 196 + 81 + 225);
	bpmu_cell_estimate(&cell, 880, true, &sum);
	assert_true(fabs(sum.value - 96) < TOLERANCE);
	/* 880^2 * (1 - 1 / 2) * s^2 / (n * mean^2), with s^2 = squares / 3 and n * mean = 440 */
	assert_true(fabs(sum.variance - 1 - squares / 3 * 4 / (440.0 * 440) * 880 * 440) <
		    TOLERANCE);
	assert_true(sum.freedom == 2 + 3);
	assert_true(fabs(sum.others - 4) < TOLERANCE);
	/* The tail is one slice of less than twelve: ln(15 / 14). */
	assert_int_equal(sum.largest, 1);
	assert_true(fabs(sum.spacing - log(15 / 14.0)) < TOLERANCE);
	/* All of the time was counted. */
	sum = (struct bpmu_estimate){ };
	bpmu_cell_estimate(&cell, 440, true, &sum);
	assert_true(sum.value == 48 && sum.variance == 0);
	assert_int_equal(sum.running, 440);
	assert_int_equal(sum.slices, 0);
}

/*
 * Without slices of other groups an event that none of n interrupts has is in at most the share p of
 * the code with (1 - p)^n = 5 %; with them it is in at most a number of their slices.
 */
TEST(an_unseen_event_has_at_most_a_share)
{
	struct bpmu_estimate sum = { .slices = 10 };

	assert_true(fabs(pow(1 - bpmu_estimate_share_at_most(&sum), 10) - 0.05) < TOLERANCE);
	sum.others = 30;
	assert_true(bpmu_estimate_at_most(&sum) == 11);
	assert_true(fabs(bpmu_estimate_share_at_most(&sum) - 11 / 40.0) < TOLERANCE);
	sum.others = 0.5;
	assert_true(bpmu_estimate_at_most(&sum) == 1);
}

TEST(the_largest_counts_of_cells_are_merged)
{
	struct bpmu_cell a = { .count = 5, .running = 50, .slices = 3, .sum_tt = 1, .sum_tx = 2,
			       .sum_xx = 3, .top = { 9, 5, 1 } };
	const struct bpmu_cell b = { .count = 7, .running = 60, .slices = 20, .sum_tt = 10,
				     .sum_tx = 20, .sum_xx = 30,
				     .top = { 8, 8, 7, 6, 4, 3, 2, 1, 1 } };
	static const double merged[] = { 9, 8, 8, 7, 6, 5, 4, 3, 2 };
	unsigned int i;

	assert_int_equal(ARRAY_SIZE(merged), BPMU_CELL_TOP);
	bpmu_cell_add(&a, &b);
	assert_int_equal(a.count, 12);
	assert_int_equal(a.running, 110);
	assert_int_equal(a.slices, 23);
	assert_true(a.sum_tt == 11 && a.sum_tx == 22 && a.sum_xx == 33);
	for (i = 0; i < BPMU_CELL_TOP; i++)
		assert_true(a.top[i] == merged[i]);
}

TEST(the_cpus_behind_have_their_own_counts)
{
	static const u64 lost[CPUS], spent[CPUS], flaws[CPUS];
	static struct bpmu_batch batch[CPUS * SLOTS * 4];
	struct bpmu_interval of = interval, from, behind;

	of.batch = batch;
	of.batches = 4;
	of.lost = lost;
	of.spent = spent;
	of.flaws = flaws;
	of.multiplexed[0][BANK] = true;
	of.multiplexed[1][BPMU_BANK_CORE] = true;
	of.sampled[0][BPMU_BANK_CORE] = true;
	of.sampled[1][BANK] = true;
	from = bpmu_interval_from(&of, 2, &groups);
	assert_ptr_equal(from.cell, cells + 2 * SLOTS);
	assert_ptr_equal(from.batch, batch + 2 * SLOTS * 4);
	assert_ptr_equal(from.enabled, enabled + 2);
	assert_ptr_equal(from.shared[BANK], shared + 2);
	assert_null(from.shared[BPMU_BANK_CORE]);
	assert_ptr_equal(from.lost, lost + 2);
	assert_ptr_equal(from.spent, spent + 2);
	assert_ptr_equal(from.flaws, flaws + 2);
	assert_true(from.duration == 2);
	assert_memory_equal(from.multiplexed, of.multiplexed, sizeof(of.multiplexed));
	behind = bpmu_interval_behind(&of, 2, &groups);
	assert_ptr_equal(behind.cell, from.cell);
	assert_true(behind.multiplexed[0][BPMU_BANK_CORE] && !behind.multiplexed[0][BANK]);
	assert_true(behind.sampled[0][BANK] && !behind.sampled[0][BPMU_BANK_CORE]);
	/* What an interval lacks, the rest of it lacks, too. */
	from = bpmu_interval_from(&interval, 1, &groups);
	assert_ptr_equal(from.cell, cells + SLOTS);
	assert_null(from.batch);
	assert_null(from.lost);
	assert_null(from.spent);
	assert_null(from.flaws);
}

TEST(a_single_counter_is_summed_over_cpus)
{
	struct bpmu_event_slots single = memory;
	struct bpmu_interval of = interval;
	u64 ticks;

	single.alone = true;
	single.cell = 4;
	assert_true(bpmu_interval_single(&of, &single));
	assert_int_equal(bpmu_interval_single_count(&groups, &of, 0, CPUS, &single, &ticks), 2000);
	assert_int_equal(ticks, 900);
	assert_int_equal(bpmu_interval_single_count(&groups, &of, 0, 1, &single, &ticks), 0);
	assert_int_equal(ticks, 0);
	assert_int_equal(bpmu_interval_single_count(&groups, &of, 1, 2, &single, &ticks), 2000);
	assert_int_equal(ticks, 900);
	of.multiplexed[0][BANK] = true;
	assert_false(bpmu_interval_single(&of, &single));
	of.multiplexed[0][BANK] = false;
	of.sampled[0][BANK] = true;
	assert_false(bpmu_interval_single(&of, &single));
	of.sampled[0][BANK] = false;
	of.sampled[1][BANK] = true;
	assert_true(bpmu_interval_single(&of, &single));
}
