// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of series of intervals: each count is in the interval in which it was counted, and no count
 * is missing. This holds even if counters wrap, samples are lost, groups are swapped, or CPUs go
 * offline and online again.
 */

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "source/measure.h"
#include "source/series.h"
#include "unit.h"

#define KHZ 1000000
#define INTERVAL_NS 10000000ULL
/* TSC ticks of an interval. */
#define TICKS 10000000ULL
#define MOST 32

/**
 * struct seen - the intervals that the tested series has reported
 */
struct seen {
	unsigned int nr;
	unsigned int index[MOST];
	unsigned int plan[MOST];
	double seconds[MOST];
	double duration[MOST];
	bool whole[MOST];
	u64 count[MOST][4];
	struct bpmu_batch batch[MOST][4];
	struct bpmu_cell last_cell[MOST];
	struct bpmu_batch last_batch[MOST];
	u64 lost[MOST];
	bool flawed[MOST];
	u32 flaws[MOST][2];
	u64 shared[MOST][2];
	bool last[MOST];
};

static struct seen seen;
static struct bpmu_pmu pmu;
static struct bpmu_event_list list;
static struct bpmu_groups groups;
static struct bpmu_info info;
static const u32 cpus[] = { 0, 1 };
static struct bpmu_measure measure;
static const char *part = "knc";
/*
 * The interval that the series under test reported last. It may be read only as long as it stays
 * valid.
 */
static struct bpmu_interval kept;

static void emit(void *data, const struct bpmu_interval *interval)
{
	unsigned int i;

	(void)data;
	assert_in_range(seen.nr, 0, MOST - 1);
	if (measure.kept && seen.nr)
		assert_int_equal(kept.cell->count, seen.count[seen.nr - 1][0]);
	kept = *interval;
	for (i = 0; i < groups.slots * measure.nr_cpus && i < 4; i++)
		seen.count[seen.nr][i] = interval->cell[i].count;
	for (i = 0; i < groups.slots * interval->batches && i < 4; i++)
		seen.batch[seen.nr][i] = interval->batch[i];
	seen.last_cell[seen.nr] = interval->cell[groups.slots * measure.nr_cpus - 1];
	if (interval->batches)
		seen.last_batch[seen.nr] =
			interval->batch[(groups.slots * measure.nr_cpus - 1) * interval->batches];
	for (i = 0; i < measure.nr_cpus; i++)
		seen.lost[seen.nr] += interval->lost[i];
	seen.flawed[seen.nr] = interval->flaws;
	for (i = 0; interval->flaws && i < measure.nr_cpus && i < 2; i++)
		seen.flaws[seen.nr][i] = interval->flaws[i];
	for (i = 0; i < measure.nr_cpus && i < 2; i++)
		seen.shared[seen.nr][i] = interval->shared[BPMU_BANK_UNCORE][i];
	seen.last[seen.nr] = interval->last;
	seen.index[seen.nr] = interval->index;
	seen.plan[seen.nr] = interval->plan;
	seen.seconds[seen.nr] = interval->seconds;
	seen.duration[seen.nr] = interval->duration;
	seen.whole[seen.nr] = interval->whole;
	seen.nr++;
}

static struct bpmu_series *begin(const char *events, unsigned int nr_cpus,
				 unsigned int batches)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_error err;

	memset(&seen, 0, sizeof(seen));
	memset(&list, 0, sizeof(list));
	pmu = unit_pmu(part, 2);
	info.pmu = pmu;
	info.tsc_khz = KHZ;
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, events, &list, &err),
			 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err),
			 0);
	measure = (struct bpmu_measure){
		.info = &info, .cpus = cpus, .nr_cpus = nr_cpus,
		.groups = { &groups }, .interval_ns = INTERVAL_NS, .emit = emit,
	};
	return bpmu_series_new(&measure, batches);
}

static void end(struct bpmu_series *series)
{
	bpmu_series_free(series);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

/*
 * Plan number that the next samples get. A swap of a session's groups of events begins a new plan.
 */
static u32 plan;

/* Adds a sample with one value, taken @tenths tenths of an interval after the start. */
static void put(struct bpmu_series *series, u32 cpu, u64 seq, u32 flags,
		unsigned int group, unsigned int tenths, u64 value)
{
	const u64 values[BPMU_MAX_COUNTERS] = { value, 0 };
	struct bpmu_sample sample = {
		.seq = seq, .cpu = cpu, .flags = flags, .bank = flags >> 16, .group = group,
		.plan = plan,
		.tsc_begin = TICKS + tenths * TICKS / 10,
		.tsc_end = TICKS + tenths * TICKS / 10,
		.enabled = tenths * TICKS / 10,
		.running = tenths * TICKS / 10, .nr = 1,
	};

	bpmu_series_add(series, &(struct bpmu_taken_sample){ &sample, values, NULL }, 1);
}

static void add(struct bpmu_series *series, u32 cpu, u64 seq, u32 flags,
		unsigned int group, unsigned int tenths, u64 value)
{
	put(series, cpu, seq, flags, group, tenths, value);
	bpmu_series_emit(series, UINT_MAX);
}

TEST(counts_are_divided_into_intervals)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);
	unsigned int i;

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 110);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 20, 130);
	add(s, 0, 3, BPMU_SAMPLE_STOP, 0, 25, 131);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.count[0][0], 10);
	assert_int_equal(seen.count[1][0], 20);
	assert_int_equal(seen.count[2][0], 1);
	assert_true(seen.last[2] && !seen.last[1]);
	for (i = 0; i < 3; i++)
		assert_float_equal(seen.duration[i], i < 2 ? 0.01 : 0.005,
				   0.000001);
	end(s);
}

/*
 * Adds a sample with one value, taken @late TSC ticks after the end of interval number @interval.
 */
static void add_late(struct bpmu_series *series, u64 seq, unsigned int interval,
		     u64 late, u64 value)
{
	const u64 values[BPMU_MAX_COUNTERS] = { value, 0 };
	struct bpmu_sample sample = {
		.seq = seq, .flags = BPMU_SAMPLE_TIMER,
		.tsc_begin = TICKS + interval * TICKS + late,
		.tsc_end = TICKS + interval * TICKS + late,
		.enabled = interval * TICKS + late,
		.running = interval * TICKS + late, .nr = 1,
	};

	bpmu_series_add(series, &(struct bpmu_taken_sample){ &sample, values, NULL }, 1);
	bpmu_series_emit(series, UINT_MAX);
}

/* The time of a series begins with its first sample, before any interval has a count. */
TEST(a_series_begins_with_its_first_sample)
{
	struct bpmu_series *series = begin("cycles", 1, 0);

	assert_false(bpmu_series_begun(series));
	put(series, 9, 0, BPMU_SAMPLE_START, 0, 0, 0);
	assert_false(bpmu_series_begun(series));
	put(series, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	assert_true(bpmu_series_begun(series));
	end(series);
}

/*
 * One timer sample is half an interval late. The series may take this for a TSC that is faster than
 * its nominal frequency, and move the ends of later intervals. Since the frequency can differ from
 * the nominal one by little, the ends move by little: each later sample, which is in time, still
 * ends one interval.
 */
TEST(one_late_sample_does_not_move_the_intervals)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);
	unsigned int i;

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add_late(s, 1, 1, TICKS / 2, 1);
	for (i = 2; i < 6; i++)
		add_late(s, i, i, TICKS / 100, i);
	assert_int_equal(seen.nr, 5);
	for (i = 0; i < 5; i++)
		assert_int_equal(seen.count[i][0], 1);
	end(s);
}

/* The TSC is faster than its nominal frequency. The ends of the intervals follow it. */
TEST(intervals_follow_a_fast_tsc)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);
	unsigned int i;

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	/*
	 * After 4000 intervals a TSC that is faster by four in ten thousand is ahead by more than
	 * an interval.
	 */
	for (i = 1; i < 4000; i++) {
		seen.nr = 0;
		add_late(s, i, i, i * (TICKS / 2500), i);
		assert_int_equal(seen.nr, 1);
		assert_int_equal(seen.count[0][0], 1);
	}
	end(s);
}

/*
 * The two CPUs have different core types, each with groups of events of its own. Both have counters
 * of 40 bits.
 */
TEST(core_types_have_counts_of_their_own)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	const struct bpmu_groups_wish wish = { };
	struct bpmu_groups other;
	struct bpmu_event_list more = { };
	struct bpmu_error err;

	bpmu_series_free(s);
	assert_int_equal(bpmu_event_list_parse(&pmu, 1,
					       "BRANCHES,DATA_READ", &more,
					       &err), 0);
	assert_int_equal(bpmu_groups_make(&other, &pmu, &more, &wish, &err),
			 0);
	measure.groups[1] = &other;
	measure.first[1] = 1;
	s = bpmu_series_new(&measure, 0);
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 200);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 110);
	assert_int_equal(seen.nr, 0);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 230);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.count[0][0], 10);
	assert_int_equal(seen.count[0][1], 30);
	bpmu_groups_free(&other);
	bpmu_event_list_free(&more);
	end(s);
}

/*
 * With measure.kept the caller asks that a reported interval stays valid until the next interval is
 * reported. It stays valid while counts are added to the next interval, and while groups of events
 * are swapped.
 */
TEST(a_kept_interval_stays_valid)
{
	struct bpmu_series *old = begin("BRANCHES", 1, 0);
	struct bpmu_series *s = bpmu_series_new(&measure, 0);
	unsigned int i;

	measure.kept = true;
	add(old, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	for (i = 1; i < 4; i++) {
		add(old, 0, i, BPMU_SAMPLE_TIMER, 0, 10 * i, 100 + 10 * i);
		assert_int_equal(seen.nr, i);
		assert_int_equal(kept.cell->count, 10);
	}
	bpmu_series_swap(old, s);
	bpmu_series_follow(s, old);
	bpmu_series_free(old);
	plan = 1;
	add(s, 0, 4, BPMU_SAMPLE_START, 0, 30, 0);
	for (i = 4; i < 7; i++) {
		assert_int_equal(kept.cell->count, i == 4 ? 10 : 20);
		add(s, 0, i + 1, BPMU_SAMPLE_TIMER, 0, 10 * i, 20 * (i - 3));
		assert_int_equal(seen.nr, i);
	}
	plan = 0;
	end(s);
}

/*
 * The groups of events are swapped after two and a half intervals. The intervals of the old groups
 * must be reported before those of the new ones. The first sample of the new groups arrives before
 * the last one of the old groups, and one sample of the old groups arrives far too late.
 */
TEST(a_swap_continues_the_current_interval)
{
	struct bpmu_series *old = begin("BRANCHES", 1, 0);
	struct bpmu_series *s = bpmu_series_new(&measure, 0);
	unsigned int i;

	add(old, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(old, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 110);
	add(old, 0, 2, BPMU_SAMPLE_TIMER, 0, 20, 130);
	bpmu_series_swap(old, s);
	plan = 1;
	put(old, 0, 4, BPMU_SAMPLE_START, 0, 25, 7);
	plan = 0;
	put(old, 0, 3, BPMU_SAMPLE_SWAP, 0, 25, 137);
	bpmu_series_follow(s, old);
	bpmu_series_free(old);
	put(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 30, 900);
	plan = 1;
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 0, 35, 8);
	add(s, 0, 6, BPMU_SAMPLE_STOP, 0, 40, 10);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(seen.index[i], i);
		assert_int_equal(seen.plan[i], i > 2);
		assert_int_equal(seen.whole[i], i != 2 && i != 4);
		assert_int_equal(seen.last[i], i == 4);
	}
	assert_int_equal(seen.count[2][0], 7);
	assert_int_equal(seen.count[3][0], 1);
	assert_int_equal(seen.count[4][0], 2);
	assert_true(seen.seconds[2] > 0.0249 && seen.seconds[2] < 0.0251);
	assert_true(seen.seconds[3] > 0.0349 && seen.seconds[3] < 0.0351);
	assert_true(seen.seconds[4] > 0.0399 && seen.seconds[4] < 0.0401);
	plan = 0;
	end(s);
}

/*
 * If a CPU comes online after a swap of groups, its first sample yields no count, because it has no
 * earlier sample of the new groups.
 */
TEST(a_cpu_back_online_after_a_swap_has_no_count)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 9, BPMU_SAMPLE_ONLINE, 0, 5, 100);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 3);
	add(s, 1, 10, BPMU_SAMPLE_STOP, 0, 12, 104);
	assert_int_equal(bpmu_series_finish(s), 0);
	assert_int_equal(seen.count[0][0], 3);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.count[0][1], 4);
	assert_true(seen.seconds[0] < 0.0121);
	end(s);
}

TEST(counts_include_a_wrap)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, (1ULL << 40) - 3);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 4);
	assert_int_equal(seen.count[0][0], 7);
	end(s);
}

TEST(lost_samples_are_counted_and_their_counts_kept)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 30, 90);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.lost[0] + seen.lost[1] + seen.lost[2], 2);
	assert_int_equal(seen.count[0][0] + seen.count[1][0] +
			 seen.count[2][0], 90);
	end(s);
}

/*
 * While a CPU sleeps, it takes no samples. An interval is reported after a short wait for samples
 * of this CPU. The counts of the CPU are then added to a later interval.
 */
TEST(an_idle_cpu_delays_intervals_briefly)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 5);
	assert_int_equal(seen.nr, 0);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 20, 10);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 30, 15);
	assert_int_equal(seen.nr, 1);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 31, 7);
	add(s, 0, 4, BPMU_SAMPLE_STOP, 0, 32, 16);
	add(s, 1, 2, BPMU_SAMPLE_STOP, 0, 32, 8);
	bpmu_series_finish(s);
	assert_int_equal(seen.count[0][0] + seen.count[1][0] +
			 seen.count[2][0] + seen.count[3][0], 16);
	assert_int_equal(seen.count[0][1] + seen.count[1][1] +
			 seen.count[2][1] + seen.count[3][1], 8);
	assert_int_equal(seen.lost[0] + seen.lost[1] + seen.lost[2], 0);
	end(s);
}

/*
 * Two groups are multiplexed. What a group counts in a time slice is the difference between two
 * samples of this group, not of the other one.
 */
TEST(counts_of_slices_are_differences_within_their_group)
{
	struct bpmu_series *s = begin("L2_READ_MISS,L2_WRITE_HIT", 1, 0);

	assert_int_equal(groups.nr, 2);
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_START, 1, 0, 100);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 5, 150);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 1, 10, 107);
	add(s, 0, 4, BPMU_SAMPLE_TIMER, 0, 15, 160);
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 1, 20, 110);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.count[0][0], 50);
	assert_int_equal(seen.count[0][1], 7);
	assert_int_equal(seen.count[1][0], 10);
	assert_int_equal(seen.count[1][1], 3);
	end(s);
}

/*
 * The core has one group, number 0, so its samples of group 1 are ignored. These samples must not
 * be counted for the package's group.
 */
TEST(samples_of_a_group_that_does_not_exist_are_ignored)
{
	struct bpmu_series *s;

	part = "ivb";
	s = begin("BR_INST_RETIRED.ALL_BRANCHES,UNC_ARB_TRK_REQUESTS.ALL", 1, 0);
	part = "knc";
	assert_int_equal(groups.nr, 2);
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_START, 1, 0, 100);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 10, 150);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 1, 20, 107);
	add(s, 0, 4, BPMU_SAMPLE_STOP, 0, 25, 150);
	bpmu_series_finish(s);
	assert_true(seen.nr > 0);
	assert_int_equal(seen.count[0][0], 50);
	assert_int_equal(seen.count[0][1] + seen.count[1][1], 0);
	end(s);
}

/*
 * For the estimate of errors the time slices of a group are divided into batches: slice n goes to
 * batch n modulo the number of batches, here two.
 */
TEST(slices_belong_to_batches_by_their_number)
{
	struct bpmu_series *s = begin("L2_READ_MISS,L2_WRITE_HIT", 1, 2);

	assert_int_equal(groups.nr, 2);
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_START, 1, 0, 100);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 2, 150);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 1, 3, 107);
	add(s, 0, 4, BPMU_SAMPLE_TIMER, 0, 4, 160);
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 0, 10, 165);
	add(s, 0, 6, BPMU_SAMPLE_TIMER, 0, 20, 190);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.batch[0][0].count, 55);
	assert_int_equal(seen.batch[0][0].ticks, 8 * TICKS / 10);
	assert_int_equal(seen.batch[0][1].count, 10);
	assert_int_equal(seen.batch[0][1].ticks, 2 * TICKS / 10);
	assert_int_equal(seen.batch[0][2].count, 7);
	assert_int_equal(seen.batch[0][3].count, 0);
	assert_int_equal(seen.batch[1][0].count, 25);
	assert_int_equal(seen.batch[1][1].ticks, 0);
	end(s);
}

/* The uncore's group has its counters for itself, while two groups of the core are multiplexed. */
TEST(slices_of_a_group_that_is_not_multiplexed_belong_to_no_batch)
{
	struct bpmu_series *s;

	part = "ivb";
	s = begin("r01c4,r02c4,r04c4,UNC_ARB_TRK_REQUESTS.ALL", 1, 2);
	part = "knc";
	assert_int_equal(groups.nr_of[BPMU_BANK_CORE], 2);
	assert_int_equal(groups.nr_of[BPMU_BANK_UNCORE], 1);
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_START | OF(UNCORE), 0, 0, 100);
	put(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 10, 150);
	add(s, 0, 3, BPMU_SAMPLE_TIMER | OF(UNCORE), 0, 10, 107);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.count[0][0], 50);
	assert_int_equal(seen.batch[0][0].count, 50);
	assert_int_equal(seen.last_cell[0].count, 7);
	assert_int_equal(seen.last_cell[0].slices, 1);
	assert_int_equal(seen.last_cell[0].running, TICKS);
	assert_int_equal(seen.last_cell[0].top[0], 0);
	assert_int_equal(seen.last_batch[0].count + seen.last_batch[0].ticks, 0);
	end(s);
}

/* A group has more slices than batches in an interval, and no slice in the next ones. */
TEST(a_group_may_have_no_slice_in_an_interval)
{
	struct bpmu_series *s = begin("L2_READ_MISS,L2_WRITE_HIT", 1, 2);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 100);
	add(s, 0, 1, BPMU_SAMPLE_START, 1, 0, 100);
	put(s, 0, 2, BPMU_SAMPLE_TIMER, 1, 2, 110);
	put(s, 0, 3, BPMU_SAMPLE_TIMER, 1, 4, 120);
	put(s, 0, 4, BPMU_SAMPLE_TIMER, 1, 6, 130);
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 0, 10, 150);
	add(s, 0, 6, BPMU_SAMPLE_TIMER, 0, 20, 160);
	add(s, 0, 7, BPMU_SAMPLE_TIMER, 0, 30, 170);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.count[0][0], 50);
	assert_int_equal(seen.count[0][1], 30);
	assert_int_equal(seen.count[1][0], 10);
	assert_int_equal(seen.count[1][1], 0);
	assert_int_equal(seen.count[2][1], 0);
	end(s);
}

/*
 * A suspend sets the TSC back to a smaller number. The current interval goes on. The time by which
 * the TSC was set back is not part of the interval.
 */
TEST(a_tsc_set_back_continues_the_interval)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 100, 0);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 110, 5);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 0, 7);
	assert_int_equal(seen.nr, 1);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 10, 17);
	add(s, 0, 4, BPMU_SAMPLE_TIMER, 0, 20, 37);
	add(s, 0, 5, BPMU_SAMPLE_STOP, 0, 22, 38);
	assert_int_equal(bpmu_series_finish(s), 0);
	assert_int_equal(seen.nr, 4);
	assert_int_equal(seen.count[0][0], 5);
	assert_int_equal(seen.count[1][0], 12);
	assert_int_equal(seen.count[2][0], 20);
	assert_int_equal(seen.count[3][0], 1);
	assert_true(seen.seconds[3] > 0.0319 && seen.seconds[3] < 0.0321);
	end(s);
}

/* A sample whose time is far in the future is refused, so that no interval waits for that time. */
TEST(refuses_a_time_stamp_far_in_the_future)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);
	const u64 value = 1;
	struct bpmu_sample sample = {
		.seq = 1, .flags = BPMU_SAMPLE_TIMER, .nr = 1,
		.tsc_begin = ~0ULL - 1, .tsc_end = ~0ULL,
	};

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	bpmu_series_add(s, &(struct bpmu_taken_sample){ &sample, &value, NULL }, 1);
	assert_int_equal(bpmu_series_emit(s, UINT_MAX), -ENOMEM);
	assert_int_equal(bpmu_series_finish(s), -ENOMEM);
	end(s);
}

static long resident_kb(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/*
 * Each call that adds samples reports only a few intervals. All calls together report no more
 * intervals than measure.max_intervals.
 */
TEST(emits_at_most_the_requested_intervals)
{
	struct bpmu_series *s = begin("BRANCHES", 1, 0);
	unsigned int i;

	measure.max_intervals = 3;
	put(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	for (i = 1; i <= 5; i++)
		put(s, 0, i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
	assert_int_equal(bpmu_series_emit(s, 2), 1);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(bpmu_series_emit(s, 2), 0);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(bpmu_series_index(s), 3);
	assert_true(seen.last[2] && !seen.last[1]);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 3);
	end(s);
}

/* Intervals that wait for samples of a CPU take memory only if they have counts. */
TEST(empty_intervals_need_no_memory)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	const unsigned int gap = 1000000;
	const long before = resident_kb();

	measure.max_intervals = 3;
	put(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	put(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	put(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 10 * gap, 5);
	assert_int_equal(bpmu_series_finish(s), 0);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.count[0][0], 1);
	assert_int_equal(seen.count[1][0], 0);
	assert_int_equal(seen.count[2][0], 0);
	assert_in_range(resident_kb() - before, 0, 100000);
	end(s);
}

/*
 * A block of a recording has samples of one CPU only. When the whole block of the first CPU has
 * been added, 20 intervals wait for the other CPU. The series begins with memory for fewer than 20
 * intervals, and must get more.
 */
TEST(intervals_wait_for_blocks_of_all_cpus)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	unsigned int cpu, i;

	put(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	put(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	for (cpu = 0; cpu < 2; cpu++)
		for (i = 1; i <= 20; i++)
			put(s, cpu, i, BPMU_SAMPLE_TIMER, 0, 10 * i,
			    i * (i + 1) / 2);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 20);
	for (i = 0; i < 20; i++) {
		assert_int_equal(seen.count[i][0], i + 1);
		assert_int_equal(seen.count[i][1], i + 1);
	}
	end(s);
}

/*
 * One CPU comes online before the first sample of the other CPU has arrived. The counts that the
 * first CPU has by then must not be lost.
 */
TEST(a_cpu_online_before_the_first_sample_is_counted)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 10, 0);
	add(s, 1, 9, BPMU_SAMPLE_ONLINE, 0, 5, 100);
	add(s, 1, 10, BPMU_SAMPLE_TIMER, 0, 15, 104);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 20, 3);
	assert_int_equal(bpmu_series_finish(s), 0);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.count[0][0], 3);
	assert_int_equal(seen.count[0][1], 4);
	end(s);
}

/*
 * A sample that reports a disturbance flags only the interval that it ends, and only the values of
 * its own CPU.
 */
TEST(flaws_flag_their_cpu_and_interval)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START | BPMU_SAMPLE_PREFETCH, 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 20, 2);
	add(s, 1, 2, BPMU_SAMPLE_TIMER | BPMU_SAMPLE_DISTURBED, 0, 20, 2);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 30, 3);
	add(s, 1, 3, BPMU_SAMPLE_TIMER, 0, 30, 3);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.flaws[0][0], 0);
	assert_int_equal(seen.flaws[0][1], BPMU_SAMPLE_PREFETCH);
	assert_int_equal(seen.flaws[1][0], 0);
	assert_int_equal(seen.flaws[1][1], BPMU_SAMPLE_DISTURBED);
	assert_true(seen.flawed[0] && seen.flawed[1]);
	assert_false(seen.flawed[2]);
	end(s);
}

/*
 * Adds samples of two CPUs. CPU 1 takes no samples at the ends of the second and third interval. If
 * a CPU has no sample at the end of an interval, the interval is merged with the next one.
 */
static void add_late_cpu(struct bpmu_series *s)
{
	measure.merge = true;
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 10);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 20, 2);
	add(s, 0, 3, BPMU_SAMPLE_TIMER, 0, 30, 4);
	add(s, 1, 2, BPMU_SAMPLE_TIMER, 0, 40, 40);
	add(s, 0, 4, BPMU_SAMPLE_TIMER, 0, 40, 8);
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 0, 50, 9);
	add(s, 1, 3, BPMU_SAMPLE_TIMER, 0, 50, 41);
}

TEST(intervals_without_a_sample_of_a_cpu_are_merged)
{
	struct bpmu_series *s = begin("L2_READ_MISS,L2_WRITE_HIT", 2, 2);
	double period = INTERVAL_NS / 1e9;

	add_late_cpu(s);
	assert_int_equal(seen.nr, 3);
	assert_int_equal(seen.count[0][0], 1);
	assert_int_equal(seen.count[0][2], 10);
	assert_int_equal(seen.count[1][0], 7);
	assert_int_equal(seen.count[1][2], 30);
	assert_int_equal(seen.count[2][0], 1);
	assert_int_equal(seen.count[2][2], 1);
	assert_float_equal(seen.seconds[1], 4 * period, period / 1000);
	assert_float_equal(seen.duration[1], 3 * period, period / 1000);
	assert_float_equal(seen.duration[2], period, period / 1000);
	assert_int_equal(seen.index[1], 1);
	assert_int_equal(seen.index[2], 2);
	/*
	 * The merged interval has three time slices of CPU 0, with 1, 2 and 4 counts. For the
	 * estimate of errors the slices are divided into two batches. The slices with 2 and 4
	 * counts are in the first batch, and the slice with 1 count is in the second batch.
	 */
	assert_int_equal(seen.batch[1][0].count + seen.batch[1][1].count, 7);
	assert_int_equal(seen.batch[1][0].count, 6);
	end(s);
}

/* An interval waits for a sleeping CPU, but no longer than a second. */
TEST(an_interval_waits_no_longer_than_a_second)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	measure.interval_ns = BPMU_NS_PER_S + 1;
	add_late_cpu(s);
	assert_int_equal(seen.nr, 5);
	assert_int_equal(seen.count[1][0], 1);
	assert_int_equal(seen.count[1][1], 0);
	end(s);
}

/*
 * The last interval of the measurement is not merged. It is reported as soon as any CPU has a
 * sample at the end of the interval.
 */
TEST(the_last_interval_is_not_merged)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);

	measure.max_intervals = 3;
	add_late_cpu(s);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.count[1][0], 3);
	assert_true(seen.last[1]);
	end(s);
}

/* An interval in which a CPU was offline for some time has a flag for that CPU. */
TEST(an_offline_cpu_is_flagged)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	unsigned int i;

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 7);
	add(s, 1, 2, BPMU_SAMPLE_OFFLINE, 0, 12, 8);
	for (i = 2; i < 5; i++)
		add(s, 0, i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
	bpmu_series_emit(s, MOST);
	assert_int_equal(seen.nr, 4);
	assert_int_equal(seen.flaws[0][1], 0);
	for (i = 1; i < 4; i++) {
		assert_int_equal(seen.flaws[i][1], BPMU_SAMPLE_OFFLINE);
		assert_int_equal(seen.flaws[i][0], 0);
	}
	end(s);
}

/*
 * No interval waits for a CPU whose counters can no longer be programmed. That CPU has no counts
 * until its counters work again.
 */
TEST(a_failed_cpu_delays_no_interval)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	unsigned int i;

	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 7);
	add(s, 1, 2, BPMU_SAMPLE_OFFLINE, 0, 12, 8);
	add(s, 1, 3, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED, 0, 15, 1000);
	for (i = 1; i < 5; i++)
		add(s, 0, i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
	add(s, 1, 4, BPMU_SAMPLE_ONLINE, 0, 45, 2000);
	add(s, 0, 5, BPMU_SAMPLE_TIMER, 0, 50, 5);
	add(s, 1, 5, BPMU_SAMPLE_TIMER, 0, 55, 2003);
	add(s, 0, 6, BPMU_SAMPLE_TIMER, 0, 60, 6);
	add(s, 1, 6, BPMU_SAMPLE_TIMER, 0, 65, 2007);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 6);
	assert_int_equal(seen.flaws[0][1], 0);
	for (i = 1; i < 5; i++)
		assert_int_equal(seen.flaws[i][1], BPMU_SAMPLE_FAILED);
	assert_int_equal(seen.flaws[5][1], 0);
	for (i = 0; i < 6; i++)
		assert_int_equal(seen.flaws[i][0], 0);
	assert_int_equal(seen.count[0][1], 7);
	assert_int_equal(seen.count[1][1], 1);
	assert_int_equal(seen.count[2][1], 0);
	assert_int_equal(seen.count[4][1], 3);
	assert_int_equal(seen.count[5][1], 4);
	end(s);
}

/*
 * Begins a series of two CPUs of Ivy Bridge, of which CPU 0 also reads the arbiter, and adds the
 * samples of the first interval: 1 event on each CPU, 100 of the arbiter.
 */
static struct bpmu_series *begin_with_box(void)
{
	struct bpmu_series *s;

	part = "ivb";
	s = begin("BR_INST_RETIRED.ALL_BRANCHES,UNC_ARB_TRK_REQUESTS.ALL", 2, 0);
	part = "knc";
	add(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_START | OF(UNCORE), 0, 0, 0);
	add(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	add(s, 0, 2, BPMU_SAMPLE_TIMER, 0, 10, 1);
	add(s, 0, 3, BPMU_SAMPLE_TIMER | OF(UNCORE), 0, 10, 100);
	add(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 1);
	return s;
}

/*
 * One CPU reads a box. If the box can no longer be read, the samples of the box have no values.
 * Each interval that ends with such a sample has a flag, even if the other counters of that CPU
 * have samples.
 */
TEST(a_lost_box_flags_each_interval)
{
	const u32 lost = BPMU_SAMPLE_FAILED | OF(UNCORE);
	struct bpmu_series *s = begin_with_box();
	unsigned int i;

	for (i = 2; i < 5; i++) {
		add(s, 0, 2 * i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
		add(s, 0, 2 * i + 1, BPMU_SAMPLE_TIMER | lost, 0, 10 * i, 0);
		add(s, 1, i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
	}
	/*
	 * The box can be read again. The first value of its counter is not a count, but the value
	 * from which later counts begin.
	 */
	add(s, 0, 10, BPMU_SAMPLE_ONLINE | OF(UNCORE), 0, 41, 7000);
	add(s, 0, 11, BPMU_SAMPLE_TIMER, 0, 50, 5);
	add(s, 0, 12, BPMU_SAMPLE_TIMER | OF(UNCORE), 0, 50, 7003);
	add(s, 1, 5, BPMU_SAMPLE_TIMER, 0, 50, 5);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(seen.flaws[i][0] & BPMU_SAMPLE_FAILED,
				 i > 0 && i < 4 ? BPMU_SAMPLE_FAILED : 0);
		assert_int_equal(seen.flaws[i][1], 0);
		assert_int_equal(seen.count[i][0], 1);
		assert_int_equal(seen.count[i][2], 1);
	}
	assert_int_equal(seen.count[0][1], 100);
	assert_int_equal(seen.count[4][1], 3);
	end(s);

	part = "ivb";
	s = begin("UNC_ARB_TRK_REQUESTS.ALL", 1, 0);
	part = "knc";
	add(s, 0, 0, BPMU_SAMPLE_START | OF(UNCORE), 0, 0, 0);
	add(s, 0, 1, BPMU_SAMPLE_STOP | OF(UNCORE) | BPMU_SAMPLE_DISTURBED, 0, 5, 9);
	add(s, 0, 2, BPMU_SAMPLE_TIMER | lost, 0, 10, 0);
	/* One of the samples without values is lost. */
	add(s, 0, 4, BPMU_SAMPLE_TIMER | lost, 0, 30, 0);
	add(s, 0, 5, BPMU_SAMPLE_STOP | lost, 0, 35, 0);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 4);
	for (i = 0; i < 4; i++)
		assert_true(seen.flaws[i][0] & BPMU_SAMPLE_FAILED);
	assert_int_equal(seen.count[0][0], 9);
	assert_int_equal(seen.lost[2], 1);
	end(s);
}

/*
 * One CPU reads a box that it shares with another CPU. Only for this CPU does an interval say how
 * long the counters of the box ran: first for the whole interval, then for half of one.
 */
TEST(an_interval_tells_how_long_its_reader_counted_with_a_box)
{
	struct bpmu_series *s = begin_with_box();

	add(s, 0, 4, BPMU_SAMPLE_STOP, 0, 15, 1);
	add(s, 0, 5, BPMU_SAMPLE_STOP | OF(UNCORE), 0, 15, 150);
	add(s, 1, 2, BPMU_SAMPLE_STOP, 0, 15, 1);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.shared[0][0], TICKS);
	assert_int_equal(seen.shared[1][0], TICKS / 2);
	assert_int_equal(seen.shared[0][1], 0);
	assert_int_equal(seen.shared[1][1], 0);
	end(s);
}

/*
 * The counters of CPU 1 fail twice. The samples are added block by block, as from a recording:
 * first a block of CPU 1, then the block that the other CPU took in the same time.
 */
TEST(a_failed_cpu_delays_no_block)
{
	struct bpmu_series *s = begin("BRANCHES", 2, 0);
	unsigned int i;

	put(s, 0, 0, BPMU_SAMPLE_START, 0, 0, 0);
	put(s, 1, 0, BPMU_SAMPLE_START, 0, 0, 0);
	put(s, 1, 1, BPMU_SAMPLE_TIMER, 0, 10, 7);
	put(s, 1, 2, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED, 0, 15, 0);
	put(s, 1, 3, BPMU_SAMPLE_ONLINE, 0, 35, 0);
	put(s, 1, 4, BPMU_SAMPLE_TIMER, 0, 45, 1);
	put(s, 1, 5, BPMU_SAMPLE_TIMER, 0, 55, 2);
	put(s, 1, 6, BPMU_SAMPLE_TIMER, 0, 65, 3);
	put(s, 1, 7, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED, 0, 75, 0);
	put(s, 1, 8, BPMU_SAMPLE_ONLINE, 0, 85, 0);
	put(s, 1, 9, BPMU_SAMPLE_TIMER, 0, 95, 1);
	for (i = 1; i < 11; i++)
		put(s, 0, i, BPMU_SAMPLE_TIMER, 0, 10 * i, i);
	bpmu_series_finish(s);
	assert_int_equal(seen.nr, 10);
	for (i = 0; i < 10; i++) {
		assert_int_equal(seen.flaws[i][0], 0);
		assert_int_equal(seen.flaws[i][1],
				 (i >= 1 && i <= 3) || i == 7 || i == 8 ?
				 BPMU_SAMPLE_FAILED : 0);
	}
	end(s);
}

/*
 * Limits the time of the tests, so that an interval that waits forever makes a test fail instead of
 * blocking it.
 */
TEST_FIXTURE(limit_time)
{
	alarm(60);
	return 0;
}

TEST_GROUP(limit_time, NULL);
