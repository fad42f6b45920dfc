// SPDX-License-Identifier: GPL-2.0
/*
 * Coverage of the 95 % intervals of the Top-Down tree: programs are synthesised
 * slice by slice, so that all events of all slices are known, and observed
 * through groups multiplexed as on a CPU with four counters. Each has 200 seeds
 * at three depths; a cell of the table covers all nodes and seeds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/spread.h"
#include "unit.h"

#define SLICE 10000000ULL
#define SEEDS 200
#define MOST_SLOTS 128
#define MOST_METRICS 128

/* Rate of an event per clock in the two types of slices of a program. */
struct event {
	const char *name;
	double quiet;
	double busy;
};

/* Rates of a program that computes, and waits for memory when busy. */
static const struct event memory[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1, 1 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 0.60, 0.20 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]", 0.08, 0.03 },
	{ "UOPS_ISSUED.ANY", 2.20, 0.70 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 2.00, 0.65 },
	{ "INT_MISC.RECOVERY_CYCLES", 0.025, 0.01 },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0.009, 0.002 },
	{ "MACHINE_CLEARS.COUNT", 0.001, 0.0005 },
	{ "IDQ.MS_UOPS", 0.11, 0.02 },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0.22, 0.75 },
	{ "RS_EVENTS.EMPTY_CYCLES", 0.06, 0.04 },
	{ "UOPS_EXECUTED.THREAD:[>=1]", 0.78, 0.25 },
	{ "UOPS_EXECUTED.THREAD:[>=2]", 0.56, 0.15 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0.15, 0.65 },
	{ "RESOURCE_STALLS.SB", 0.03, 0.06 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0.11, 0.60 },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS", 0.08, 0.55 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_HIT", 0.006, 0.003 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_MISS", 0.002, 0.009 },
	{ "UNC_CLOCK.SOCKET", 0.5, 0.5 },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]", 0.15, 0.45 },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]", 0.02, 0.20 },
};

/* Rates of a program that mispredicts branches when busy. */
static const struct event branches[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 1, 1 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 0.40, 1.20 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]", 0.05, 0.22 },
	{ "UOPS_ISSUED.ANY", 2.60, 2.00 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 2.50, 1.20 },
	{ "INT_MISC.RECOVERY_CYCLES", 0.01, 0.12 },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0.001, 0.02 },
	{ "MACHINE_CLEARS.COUNT", 0.0002, 0.001 },
	{ "IDQ.MS_UOPS", 0.05, 0.12 },
	{ "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", 0.15, 0.45 },
	{ "RS_EVENTS.EMPTY_CYCLES", 0.03, 0.25 },
	{ "UOPS_EXECUTED.THREAD:[>=1]", 0.85, 0.55 },
	{ "UOPS_EXECUTED.THREAD:[>=2]", 0.65, 0.40 },
	{ "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0.08, 0.10 },
	{ "RESOURCE_STALLS.SB", 0.01, 0.01 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0.05, 0.05 },
	{ "CYCLE_ACTIVITY.STALLS_L2_MISS", 0.02, 0.02 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_HIT", 0.003, 0.004 },
	{ "MEM_LOAD_UOPS_RETIRED.LLC_MISS", 0.0005, 0.0006 },
	{ "UNC_CLOCK.SOCKET", 0.5, 0.5 },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=1]", 0.06, 0.06 },
	{ "UNC_ARB_TRK_OCCUPANCY.ALL:[>=28]", 0.005, 0.005 },
};

/**
 * struct workload - what runs
 * @name: of it
 * @event: its rates
 * @seconds: it runs
 * @begins: chance of a slice to become busy behind a quiet one
 * @ends: chance of a busy one to be the last of its burst
 * @noise: of the rates from slice to slice, as a fraction
 * @common: part of the noise that all events have in common
 */
struct workload {
	const char *name;
	const struct event *event;
	double seconds;
	double begins;
	double ends;
	double noise;
	double common;
};

static const struct workload workloads[] = {
	{ "steady, quiet", memory, 2, 0, 1, 0.05, 0 },
	{ "steady, noisy", branches, 2, 0, 1, 0.4, 0 },
	{ "steady, in step", memory, 2, 0, 1, 0.3, 0.8 },
	{ "steady, short", memory, 0.6, 0, 1, 0.2, 0.2 },
	{ "bursts of memory", memory, 3, 0.25, 0.75, 0.1, 0 },
	{ "bursts of branches", branches, 3, 0.25, 0.75, 0.1, 0 },
	{ "bursts, noisy", memory, 3, 0.4, 0.6, 0.3, 0.3 },
	{ "bursts, long run", branches, 10, 0.2, 0.8, 0.2, 0 },
};

static struct bpmu_tree tree;
static struct bpmu_interval interval;
static struct bpmu_cell cell[MOST_SLOTS];
static struct bpmu_batch batch[MOST_SLOTS * BPMU_BATCHES];
static u64 enabled, package;
static double total[MOST_SLOTS];
static struct bpmu_tree_value seen[MOST_METRICS];
static struct bpmu_tree_value truth[MOST_METRICS];
static unsigned long long state;

static double uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) / 9007199254740992.0;
}

/* Approximately normal, with variance 1. */
static double noise(void)
{
	return (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
}

static const struct event *event_of(const struct workload *w, const char *text)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(memory); i++)
		if (!strcmp(w->event[i].name, text))
			return &w->event[i];
	fail_msg("%s: no such event in the model", text);
	return NULL;
}

/**
 * struct slice - what happens in one
 * @clocks: of it
 * @busy: it is of a burst
 * @common: noise of all events
 * @count: of each slot's event
 */
struct slice {
	double clocks;
	bool busy;
	double common;
	double count[MOST_SLOTS];
};

/* An event has the same count in all groups that contain it. */
static void happen(const struct workload *w, struct slice *slice)
{
	const struct bpmu_group *group;
	double happened[ARRAY_SIZE(memory)];
	const struct event *event;
	unsigned int g, i;
	double own;

	for (i = 0; i < ARRAY_SIZE(memory); i++) {
		event = &w->event[i];
		own = w->noise * (w->common * slice->common +
				  (1 - w->common) * noise());
		if (event->quiet == event->busy)
			own = 0;
		happened[i] = slice->clocks * (slice->busy ? event->busy :
						       event->quiet) *
			      fmax(0, 1 + own);
	}
	for (g = 0; g < tree.groups.nr; g++) {
		group = &tree.groups.group[g];
		for (i = 0; i < group->sched.nr; i++) {
			event = event_of(w, group->sched.slot[i].text);
			slice->count[group->first + i] =
				floor(happened[event - w->event]);
		}
	}
}

static void see(unsigned int g, const struct slice *slice)
{
	const struct bpmu_group *group = &tree.groups.group[g];
	unsigned int i, at;

	for (i = 0; i < group->sched.nr; i++) {
		at = group->first + i;
		batch[at * BPMU_BATCHES + cell[at].slices % BPMU_BATCHES].count +=
			slice->count[at];
		batch[at * BPMU_BATCHES + cell[at].slices % BPMU_BATCHES].ticks +=
			SLICE;
		bpmu_cell_add_slice(&cell[at], slice->count[at], SLICE);
	}
}

/* Core and uncore rotate independently; the first group of a round is random. */
static void rotate(unsigned int t, unsigned int first, unsigned int nr,
		   unsigned int *begin, const struct slice *slice)
{
	if (!nr)
		return;
	if (t % nr == 0)
		*begin = uniform() * nr;
	see(first + (*begin + t) % nr, slice);
}

static void measure(const struct workload *w)
{
	unsigned int cores = tree.groups.nr_of[BPMU_SIDE_CORE];
	unsigned int slices = w->seconds * 1e9 / SLICE;
	unsigned int begin[2] = { };
	struct slice slice = { };
	unsigned int t, i;

	memset(cell, 0, sizeof(cell));
	memset(batch, 0, sizeof(batch));
	memset(total, 0, sizeof(total));
	for (t = 0; t < slices; t++) {
		slice.busy = slice.busy ? uniform() >= w->ends :
					  uniform() < w->begins;
		slice.clocks = SLICE * (0.9 + 0.1 * uniform());
		slice.common = noise();
		happen(w, &slice);
		for (i = 0; i < tree.groups.slots; i++)
			total[i] += slice.count[i];
		rotate(t, 0, cores, &begin[0], &slice);
		rotate(t, cores, tree.groups.nr - cores, &begin[1], &slice);
	}
	enabled = slices * SLICE;
	package = enabled;
	interval = (struct bpmu_interval){
		.duration = w->seconds, .cell = cell, .batch = batch,
		.batches = BPMU_BATCHES, .enabled = &enabled,
		.shared[BPMU_SIDE_UNCORE] = &package,
	};
}

static void evaluate(void)
{
	const double *all[BPMU_TREE_GROUPS] = { };
	double happened[BPMU_TREE_GROUPS][MOST_SLOTS];
	const struct bpmu_group *group;
	unsigned int g, i, k;

	for (g = 0; g < tree.nr_groups; g++) {
		group = &tree.groups.group[g];
		for (i = 0; i < tree.events[g].nr; i++)
			for (k = 0; k < group->sched.nr; k++)
				if (!strcmp(tree.events[g].spec[i].text,
					    group->sched.slot[k].text))
					happened[g][i] =
						total[group->first + k];
		all[g] = happened[g];
	}
	unit_totals(&tree, all);
	bpmu_tree_compute(&tree, all, truth);
	bpmu_spread_eval(&tree, &interval, 1, seen);
}

/**
 * struct coverage - of a workload at a depth
 * @intervals: how many there were
 * @held: the truth was in so many
 * @half: sum of their halves, and
 * @error: of the distances to the truth
 */
struct coverage {
	unsigned int intervals;
	unsigned int held;
	double half;
	double error;
};

static void count(struct coverage *c)
{
	double error;
	unsigned int i;

	for (i = 0; i < tree.metrics.nr; i++) {
		if (!tree.shown[i])
			continue;
		assert_true(seen[i].known && truth[i].known);
		assert_true(isfinite(seen[i].uncertainty));
		assert_true(seen[i].longer == 0);
		error = fabs(seen[i].value - truth[i].value);
		c->intervals++;
		c->held += error <= seen[i].uncertainty;
		c->half += seen[i].uncertainty;
		c->error += error;
	}
}

static double simulate(const struct workload *w, unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct coverage c = { };
	struct bpmu_error err;
	unsigned int seed;

	if (bpmu_tree_init(&tree, "topdown", &pmu, 0, level, &err))
		fail_msg("%s", err.text);
	assert_in_range(tree.groups.slots, 1, MOST_SLOTS);
	assert_in_range(tree.metrics.nr, 1, MOST_METRICS);
	for (seed = 1; seed <= SEEDS; seed++) {
		state = seed * 0x9e3779b97f4a7c15ULL;
		measure(w);
		evaluate();
		count(&c);
	}
	printf("# %-20s %5u %6u %10u %9.1f%% %9.2f%% %9.2f%%\n", w->name, level,
	       tree.groups.nr, c.intervals, 100.0 * c.held / c.intervals,
	       100 * c.half / c.intervals, 100 * c.error / c.intervals);
	bpmu_tree_free(&tree);
	return 1000.0 * c.held / c.intervals;
}

static void intervals_of_nodes_hold_the_true_value_in_93_to_97_per_cent(void **unused)
{
	unsigned int w, level;
	double held;
	bool good = true;

	(void)unused;
	printf("# %-20s %5s %6s %10s %10s %10s %10s\n", "workload", "level",
	       "groups", "intervals", "covered", "mean half", "mean error");
	for (w = 0; w < ARRAY_SIZE(workloads); w++) {
		for (level = 2; level <= 4; level++) {
			held = simulate(&workloads[w], level);
			good &= held >= 930 && held <= 970;
		}
	}
	assert_true(good);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_of_nodes_hold_the_true_value_in_93_to_97_per_cent),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
