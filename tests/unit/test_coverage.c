// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of confidence intervals: about 95 % of the 95 % intervals contain the true value, or are
 * flagged. The intervals are those of the Top-Down tree and of "barepmu stat -M".
 *
 * Programs are synthesised time slice by time slice, so that all events in all slices are known.
 * The tool observes a program through groups of events that are multiplexed, as on a CPU with four
 * counters. Each program runs with 200 random seeds. One test measures three levels of the tree.
 * Other tests measure level 2, or metrics, in short runs on one CPU and on four. A line of the
 * printed table sums up all nodes and all seeds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/spread.h"
#include "tree/metric_choice.h"
#include "unit.h"

#define SEEDS 200
#define CPUS 4
#define MOST_SLOTS 128
#define MOST_METRICS 512

/*
 * Rates of an event per clock in a synthesised program: @quiet in time slices in which the program
 * is quiet, @busy in time slices in which it is busy.
 */
struct event {
	const char *name;
	double quiet;
	double busy;
};

/*
 * Event rates of a program that computes in quiet time slices, and waits for memory in busy ones.
 */
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

/* Event rates of a program that mispredicts branches in its busy time slices. */
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

/*
 * Groups of metrics for "barepmu stat -M". Below are the event rates of a program that in its busy
 * time slices misses caches and TLBs, and mispredicts branches.
 */
#define METRICS "L2,TLB,BRANCH"
static const struct event misses[] = {
	{ "cycles", 1, 1 },
	{ "instructions", 1.8, 0.6 },
	{ "branches", 0.35, 0.12 },
	{ "branch_misses", 0.001, 0.006 },
	{ "L1D.REPLACEMENT", 0.008, 0.04 },
	{ "L2_TRANS.L1D_WB", 0.002, 0.015 },
	{ "L2_RQSTS.MISS", 0.001, 0.02 },
	{ "L2_RQSTS.REFERENCES", 0.012, 0.05 },
	{ "DTLB_LOAD_MISSES.WALK_COMPLETED", 0.0002, 0.003 },
	{ "DTLB_LOAD_MISSES.WALK_DURATION", 0.005, 0.08 },
	{ "DTLB_STORE_MISSES.WALK_COMPLETED", 0.0001, 0.001 },
	{ "ITLB_MISSES.WALK_COMPLETED", 0.0001, 0.0002 },
};

/**
 * enum tail - quantity of a synthesised program whose distribution has a heavy tail
 * @NO_TAIL: none
 * @LOGNORMAL_PHASES: number of time slices in a phase: lognormal, sigma 1.5
 * @PARETO_PHASES: number of time slices in a phase: Pareto, alpha 1.5
 * @LOGNORMAL_CLOCKS: unhalted clocks of a slice: lognormal, sigma 1.5, with a median of 1/50 of
 *	the slice
 * @PARETO_EVENTS: all events of a slice but clocks and instructions: Pareto, alpha 1.5
 */
enum tail { NO_TAIL, LOGNORMAL_PHASES, PARETO_PHASES, LOGNORMAL_CLOCKS, PARETO_EVENTS };

/**
 * struct workload - a synthesised program
 * @name: name in the printed table
 * @event: rates of the program's events, [@nr_events]; the first event is unhalted clocks
 * @nr_events: number of events
 * @slice: length of a time slice in TSC ticks of 1 ns
 * @seconds: length of the run
 * @begins: probability that a busy slice follows a quiet one
 * @ends: probability that a busy slice is the last of its burst
 * @noise: standard deviation of a rate from slice to slice, as a fraction of the rate
 * @common: fraction of the noise that is the same for all events, 0 to 1
 * @tail: quantity with a heavy tail
 * @cpus: number of CPUs on which the program runs
 */
struct workload {
	const char *name;
	const struct event *event;
	unsigned int nr_events;
	u64 slice;
	double seconds;
	double begins;
	double ends;
	double noise;
	double common;
	enum tail tail;
	unsigned int cpus;
};

#define EVENTS(rates) rates, ARRAY_SIZE(rates)

static const struct workload workloads[] = {
	{ "steady, quiet", EVENTS(memory), 10000000, 2, 0, 1, 0.05, 0, NO_TAIL, 1 },
	{ "steady, noisy", EVENTS(branches), 10000000, 2, 0, 1, 0.4, 0, NO_TAIL, 1 },
	{ "steady, in step", EVENTS(memory), 10000000, 2, 0, 1, 0.3, 0.8, NO_TAIL, 1 },
	{ "steady, short", EVENTS(memory), 10000000, 0.6, 0, 1, 0.2, 0.2, NO_TAIL, 1 },
	{ "bursts of memory", EVENTS(memory), 10000000, 3, 0.25, 0.75, 0.1, 0, NO_TAIL, 1 },
	{ "bursts of branches", EVENTS(branches), 10000000, 3, 0.25, 0.75, 0.1, 0, NO_TAIL, 1 },
	{ "bursts, noisy", EVENTS(memory), 10000000, 3, 0.4, 0.6, 0.3, 0.3, NO_TAIL, 1 },
	{ "bursts, long run", EVENTS(branches), 10000000, 10, 0.2, 0.8, 0.2, 0, NO_TAIL, 1 },
};

/* Synthesised programs, for runs of 200 ms to 2 s: @seconds and @cpus are set before each run. */
static const struct workload programs[] = {
	{ "steady, noisy", EVENTS(branches), 5000000, 0, 0, 1, 0.4, 0, NO_TAIL, 0 },
	{ "bursts of memory", EVENTS(memory), 5000000, 0, 0.25, 0.75, 0.1, 0, NO_TAIL, 0 },
	{ "lognormal phases", EVENTS(branches), 5000000, 0, 0, 0, 0.1, 0, LOGNORMAL_PHASES, 0 },
	{ "Pareto phases", EVENTS(memory), 5000000, 0, 0, 0, 0.1, 0, PARETO_PHASES, 0 },
	{ "lognormal clocks", EVENTS(memory), 5000000, 0, 0.25, 0.75, 0.1, 0, LOGNORMAL_CLOCKS, 0 },
};

static struct bpmu_tree tree;
static struct bpmu_interval interval;
static struct bpmu_cell cell[CPUS * MOST_SLOTS];
static struct bpmu_batch batch[CPUS * MOST_SLOTS * BPMU_BATCHES];
static u64 enabled[CPUS], package[CPUS];
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

/*
 * Returns a random number with mean 0 and variance 1. It is a sum of four uniform numbers, so it is
 * only approximately normal and always between -3.5 and 3.5.
 */
static double noise(void)
{
	return (uniform() + uniform() + uniform() + uniform() - 2) * sqrt(3);
}

/*
 * Returns a random number with a normal distribution (method of Box and Muller), whose tails
 * noise() lacks.
 */
static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

static const struct event *event_of(const struct workload *w, const char *text)
{
	unsigned int i;

	for (i = 0; i < w->nr_events; i++)
		if (!strcmp(w->event[i].name, text))
			return &w->event[i];
	fail_msg("%s: no such event in the model", text);
	return NULL;
}

/**
 * struct slice - what happens in a time slice of a synthesised program
 * @clocks: unhalted clocks
 * @busy: the slice belongs to a burst
 * @common: noise that all events have in common
 * @burst: factor by which the counts of all events but clocks and instructions are multiplied; the
 *	mean of the factor is 1
 * @count: counts of the events of all groups, [first index of the group + event in the group]
 */
struct slice {
	double clocks;
	bool busy;
	double common;
	double burst;
	double count[MOST_SLOTS];
};

/*
 * Chooses at random how often each event happens in a time slice. If several groups contain an
 * event, the event has the same count in all of them.
 */
static void happen(const struct workload *w, struct slice *slice)
{
	const struct bpmu_group *group;
	double happened[MOST_SLOTS];
	const struct event *event;
	unsigned int g, i;
	double own;

	for (i = 0; i < w->nr_events; i++) {
		event = &w->event[i];
		own = w->noise * (w->common * slice->common +
				  (1 - w->common) * noise());
		if (event->quiet == event->busy)
			own = 0;
		happened[i] = slice->clocks * (slice->busy ? event->busy :
						       event->quiet) *
			      fmax(0, 1 + own);
		if (i && strcmp(event->name, "instructions"))
			happened[i] *= slice->burst;
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

static void see(const struct workload *w, unsigned int cpu, unsigned int g,
		const struct slice *slice)
{
	const struct bpmu_group *group = &tree.groups.group[g];
	struct bpmu_batch *of;
	unsigned int i, at;

	for (i = 0; i < group->sched.nr; i++) {
		at = cpu * tree.groups.slots + group->first + i;
		of = &batch[at * BPMU_BATCHES + cell[at].slices % BPMU_BATCHES];
		of->count += slice->count[group->first + i];
		of->ticks += w->slice;
		bpmu_cell_add_slice(&cell[at], slice->count[group->first + i], w->slice);
	}
}

/*
 * In each time slice a bank (a set of counters that are multiplexed together) counts one of its
 * groups of events. Adds the counts of time slice @t to the group that is counted in this slice.
 * The core bank and the uncore bank multiplex their groups independently of each other. All groups
 * of a bank are counted in turn, then all again; each time a random group is the first.
 */
static void rotate(const struct workload *w, unsigned int cpu, unsigned int t,
		   enum bpmu_bank_id bank, const struct slice *slice)
{
	unsigned int first = bpmu_groups_first(&tree.groups, bank);
	unsigned int nr = tree.groups.nr_of[bank];
	static unsigned int begin[BPMU_BANKS];

	if (!nr)
		return;
	if (t % nr == 0)
		begin[bank] = uniform() * nr;
	see(w, cpu, first + (begin[bank] + t) % nr, slice);
}

/* Returns a Pareto random number with exponent 1.5; it is at least 1, and its mean is 3. */
static double pareto(void)
{
	return pow(1 - uniform(), -1 / 1.5);
}

/* Returns the length of the program's next phase in time slices, a random number of at least 1. */
static double phase_of(enum tail tail)
{
	if (tail == PARETO_PHASES)
		return pareto();
	return fmax(1, exp(1.5 * normal()));
}

static bool is_busy(const struct workload *w, bool busy, double *left)
{
	if (w->tail != LOGNORMAL_PHASES && w->tail != PARETO_PHASES)
		return busy ? uniform() >= w->ends : uniform() < w->begins;
	if (--*left > 0)
		return busy;
	*left = phase_of(w->tail);
	return !busy;
}

static double clocks_of(const struct workload *w)
{
	if (w->tail == LOGNORMAL_CLOCKS)
		return w->slice * fmin(1, exp(1.5 * normal()) / 50);
	return w->slice * (0.9 + 0.1 * uniform());
}

static void measure_cpu(const struct workload *w, unsigned int cpu)
{
	unsigned int slices = w->seconds * 1e9 / w->slice;
	struct slice slice = { .busy = w->tail && uniform() < 0.5, .burst = 1 };
	double left = w->tail ? phase_of(w->tail) : 0;
	unsigned int t, i;

	for (t = 0; t < slices; t++) {
		slice.busy = is_busy(w, slice.busy, &left);
		slice.clocks = clocks_of(w);
		slice.common = noise();
		if (w->tail == PARETO_EVENTS)
			slice.burst = pareto() / 3;
		happen(w, &slice);
		for (i = 0; i < tree.groups.slots; i++)
			total[i] += slice.count[i];
		rotate(w, cpu, t, BPMU_BANK_CORE, &slice);
		rotate(w, cpu, t, BPMU_BANK_UNCORE, &slice);
	}
	enabled[cpu] = slices * w->slice;
	package[cpu] = enabled[cpu];
}

static void measure(const struct workload *w)
{
	unsigned int cpu;

	memset(cell, 0, sizeof(cell));
	memset(batch, 0, sizeof(batch));
	memset(total, 0, sizeof(total));
	for (cpu = 0; cpu < w->cpus; cpu++)
		measure_cpu(w, cpu);
	interval = (struct bpmu_interval){
		.duration = w->seconds, .cell = cell, .batch = batch,
		.batches = BPMU_BATCHES, .enabled = enabled,
		.shared[BPMU_BANK_UNCORE] = package,
	};
}

static void evaluate(unsigned int cpus)
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
	bpmu_spread_eval(&tree, &interval, cpus, seen);
	bpmu_tree_compute(&tree, all, NULL, truth);
}

/**
 * struct coverage - results of all runs of a program, for one level of the tree
 * @intervals: number of confidence intervals given
 * @held: number of intervals that contain the true value
 * @half: sum of the half-widths of the intervals; see count() for the unit
 * @error: sum of the errors of the values, in the unit of @half. An error is the distance of a
 *	value from the true value
 * @few: number of nodes without a confidence interval
 * @bursty: number of nodes that are flagged as bursty: their intervals may miss the true value
 */
struct coverage {
	unsigned int intervals;
	unsigned int held;
	double half;
	double error;
	unsigned int few;
	unsigned int bursty;
};

static unsigned int doubted(const struct coverage *c)
{
	return c->few + c->bursty;
}

/*
 * Adds the confidence intervals of the nodes in one run to the results. If @relative, each
 * half-width and each error is added as a fraction of the node's true value.
 */
static void count(struct coverage *c, bool relative)
{
	double error, unit;
	unsigned int i;

	for (i = 0; i < tree.metrics.nr; i++) {
		if (!tree.shown[i])
			continue;
		assert_true(seen[i].known && truth[i].known);
		c->few += !!(seen[i].flags & BPMU_VALUE_FEW);
		c->bursty += !!(seen[i].flags & BPMU_VALUE_BURSTY);
		if (seen[i].flags & (BPMU_VALUE_FEW | BPMU_VALUE_BURSTY))
			continue;
		assert_true(isfinite(seen[i].uncertainty));
		assert_true(seen[i].longer == 0);
		error = fabs(seen[i].value - truth[i].value);
		/* An event that is in all groups is counted all the time, so its value is exact. */
		if (!(seen[i].uncertainty > 0)) {
			assert_true(1e9 * error <= truth[i].value);
			continue;
		}
		c->intervals++;
		c->held += error <= seen[i].uncertainty;
		unit = relative ? fabs(truth[i].value) : 1;
		c->half += seen[i].uncertainty / unit;
		c->error += error / unit;
	}
}

/*
 * Simulates a synthesised program with all seeds. @level: level of the Top-Down tree; 0 to evaluate
 * the metrics of "barepmu stat -M". Returns the sum of all runs' results.
 */
static struct coverage simulate(const struct workload *w, unsigned int level)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_tree_wish wish = { .method = "topdown", .pmu = &pmu, .level = level };
	struct bpmu_choice choice = { };
	struct coverage c = { };
	struct bpmu_error err;
	unsigned int seed, all;

	if (!level && (bpmu_choice_add_names(&choice, METRICS, &err) ||
		       bpmu_choice_load(&choice, &pmu, &err)))
		fail_msg("%s", err.text);
	if (!level) {
		bpmu_choice_wish(&choice, &wish);
		wish.level = BPMU_TREE_ALL;
	}
	if (bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	assert_in_range(tree.groups.slots, 1, MOST_SLOTS);
	assert_in_range(tree.metrics.nr, 1, MOST_METRICS);
	for (seed = 1; seed <= SEEDS; seed++) {
		state = seed * 0x9e3779b97f4a7c15ULL;
		measure(w);
		evaluate(w->cpus);
		count(&c, !level);
	}
	all = c.intervals + doubted(&c);
	printf("# %-20s %5s %4.0f %4u %6u %8.1f%% %8.1f%% %8.1f%%", w->name,
	       level ? (char[]){ '0' + level, '\0' } : "-M", 1000 * w->seconds, w->cpus,
	       tree.groups.nr, 100.0 * (all - c.few) / all,
	       c.few < all ? 100.0 * c.bursty / (all - c.few) : NAN,
	       c.intervals ? 100.0 * c.held / c.intervals : NAN);
	printf(" %6.1f%% %9.2f%% %9.2f%%\n", 100.0 * (c.intervals - c.held) / all,
	       c.intervals ? 100 * c.half / c.intervals : NAN,
	       c.intervals ? 100 * c.error / c.intervals : NAN);
	bpmu_tree_free(&tree);
	bpmu_choice_free(&choice);
	return c;
}

static void print_head(void)
{
	printf("# %-20s %5s %4s %4s %6s %9s %9s %9s %7s %10s %10s\n", "workload", "level", "ms",
	       "CPUs", "groups", "intervals", "bursty", "covered", "missed", "mean half",
	       "mean error");
}

TEST(intervals_of_nodes_hold_the_true_value_in_93_to_97_per_cent)
{
	unsigned int w, level;
	struct coverage c;
	bool good = true;
	double held;

	print_head();
	for (w = 0; w < ARRAY_SIZE(workloads); w++) {
		for (level = 2; level <= 4; level++) {
			c = simulate(&workloads[w], level);
			held = 1000.0 * c.held / c.intervals;
			good &= held >= 930 && held <= 970 &&
				100 * doubted(&c) <= c.intervals;
		}
	}
	assert_true(good);
}

/*
 * Time slices are as long as "barepmu topdown -l 2" makes them without -I. In a run of 200 ms each
 * of the four groups has ten slices. If a phase is longer than a slice, all groups see the phase,
 * and the confidence intervals are too wide. If the clocks of a slice have a heavy tail, nearly all
 * nodes are flagged as bursty. Less than 2 % of all intervals then miss the true value without a
 * flag.
 */
TEST(short_runs_on_several_cpus_hold_it_or_say_so)
{
	static const double seconds[] = { 0.2, 0.5, 2 };
	unsigned int i, s, all;
	struct workload w;
	struct coverage c;
	bool good = true;
	double held;

	print_head();
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		for (s = 0; s < ARRAY_SIZE(seconds); s++) {
			w = programs[i];
			w.seconds = seconds[s];
			for (w.cpus = 1; w.cpus <= CPUS; w.cpus += CPUS - 1) {
				c = simulate(&w, 2);
				held = c.intervals ? 1000.0 * c.held / c.intervals : 0;
				all = c.intervals + doubted(&c);
				if (w.seconds < 0.24)
					good &= c.intervals == 0;
				else if (w.tail == LOGNORMAL_CLOCKS)
					good &= 100 * c.intervals <= 10 * all &&
						100 * (c.intervals - c.held) <= 2 * all;
				else
					good &= held >= 930 && held <= 985 &&
						100 * doubted(&c) <= 4 * all;
			}
		}
	}
	assert_true(good);
}

/*
 * The metrics are rates, counts per 1000 instructions, and ratios of two counts. Their events need
 * two groups. If an event has a heavy tail, its metrics are flagged in most runs. In the other runs
 * too few time slices of the tail were counted to recognise the tail. This is why the tool prints
 * below its results what confidence intervals assume.
 */
TEST(metrics_hold_it_or_say_so)
{
	static const struct workload counted[] = {
		{ "steady, noisy", EVENTS(misses), 5000000, 0, 0, 1, 0.4, 0, NO_TAIL, 0 },
		{ "bursts of misses", EVENTS(misses), 5000000, 0, 0.25, 0.75, 0.1, 0, NO_TAIL,
		  0 },
		{ "lognormal phases", EVENTS(misses), 5000000, 0, 0, 0, 0.1, 0,
		  LOGNORMAL_PHASES, 0 },
		{ "Pareto phases", EVENTS(misses), 5000000, 0, 0, 0, 0.1, 0, PARETO_PHASES, 0 },
		{ "lognormal clocks", EVENTS(misses), 5000000, 0, 0.25, 0.75, 0.1, 0,
		  LOGNORMAL_CLOCKS, 0 },
		{ "Pareto events", EVENTS(misses), 5000000, 0, 0, 1, 0.1, 0, PARETO_EVENTS, 0 },
	};
	static const double seconds[] = { 0.2, 0.5, 2 };
	unsigned int i, s, all;
	struct workload w;
	struct coverage c;
	bool good = true;

	print_head();
	for (i = 0; i < ARRAY_SIZE(counted); i++) {
		for (s = 0; s < ARRAY_SIZE(seconds); s++) {
			w = counted[i];
			w.seconds = seconds[s];
			for (w.cpus = 1; w.cpus <= CPUS; w.cpus += CPUS - 1) {
				c = simulate(&w, 0);
				all = c.intervals + doubted(&c);
				good &= all && !c.few;
				if (w.tail == LOGNORMAL_CLOCKS || w.tail == PARETO_EVENTS)
					good &= 2 * c.bursty >= all &&
						100 * (c.intervals - c.held) <= 9 * all;
				else
					good &= 100 * c.held >= 93 * c.intervals &&
						100 * c.held <= 99 * c.intervals &&
						100 * c.bursty <= 15 * all;
			}
		}
	}
	assert_true(good);
}
