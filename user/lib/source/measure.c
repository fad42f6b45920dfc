// SPDX-License-Identifier: GPL-2.0
#include "measure.h"

#include "base/clock.h"
#include "count/spread.h"
#include "free.h"
#include "intel.h"

/*
 * Returns the longest time in ns that may pass between two samples; 0 for no limit. There is a
 * limit if the event groups have free-running registers of 32 bits, which count energy or memory
 * accesses: such a register must be read before it wraps.
 */
static u64 longest_ns(const struct bpmu_measure *measure)
{
	const struct bpmu_groups *groups = measure->groups[0];

	if (!groups->nr_of[BPMU_BANK_FREE_CORE] &&
	    !groups->nr_of[BPMU_BANK_FREE_PACKAGE])
		return 0;
	return bpmu_free_guard_ns(&measure->info->pmu) / 16 * 15;
}

/*
 * Longest rotation slice of a multiplexed group in ns. It is no multiple of 4 ms, the usual tick of
 * the kernel. Otherwise the work of the tick might always be counted in slices of the same group.
 */
#define SLICE_NS (5 * BPMU_NS_PER_MS)

/*
 * On more than 100 CPUs a rotation slice is longer than SLICE_NS: CPU_NS times the number of
 * measured CPUs. The tool then has to add up at most 20,000 samples per second, of all CPUs
 * together. At about 600 instructions per sample this takes less than 1 % of a CPU.
 */
#define CPU_NS 50000

/*
 * Least number of rotation slices of a group in an interval of time, so that a confidence interval
 * can be computed: ROUNDS_MIN for counts, ROUNDS_TREE for the values of a tree, whose intervals
 * need BPMU_SPREAD_SLICES (the first and the last slice of an interval may be incomplete), or only
 * ROUNDS_MANY on many (more than 100) CPUs, where slices are longer than SLICE_NS. A group gets
 * fewer slices if slices would otherwise be shorter than SHORTEST_NS.
 */
#define ROUNDS_MIN 16
#define ROUNDS_TREE (BPMU_SPREAD_SLICES + 2)
#define ROUNDS_MANY 8
#define SHORTEST_NS (2 * BPMU_NS_PER_MS)

/**
 * bpmu_measure_core_types() - number of core types that are measured together
 * @measure: parameters of the measurement, with the groups of each core type
 *
 * Return: 1, or 2 on a hybrid machine.
 */
unsigned int bpmu_measure_core_types(const struct bpmu_measure *measure)
{
	unsigned int nr = 1;

	while (nr < BPMU_CORE_TYPES && measure->groups[nr])
		nr++;
	return nr;
}

/**
 * bpmu_measure_cpus() - number of CPUs of a core type in a measurement
 * @measure: parameters of the measurement
 * @type: index of the core type in &bpmu_measure.groups
 *
 * Return: number of CPUs.
 */
unsigned int bpmu_measure_cpus(const struct bpmu_measure *measure,
			       unsigned int type)
{
	unsigned int end = type + 1 < bpmu_measure_core_types(measure) ?
			   measure->first[type + 1] : measure->nr_cpus;

	return end - measure->first[type];
}

/*
 * Returns the largest number of groups that are multiplexed on the same counters. @groups has the
 * groups of each core type; NULL stands for the groups that @measure has for this core type.
 */
static unsigned int most_groups(const struct bpmu_measure *measure,
				const struct bpmu_groups *const groups[BPMU_CORE_TYPES])
{
	unsigned int most = 0;
	unsigned int k, nr;

	for (k = 0; k < bpmu_measure_core_types(measure); k++) {
		nr = bpmu_groups_most(groups[k] ?: measure->groups[k]);
		if (nr > most)
			most = nr;
	}
	return most;
}

/**
 * bpmu_measure_period_ns() - time between the samples of a CPU in a measurement
 * @measure: parameters of the measurement
 *
 * If groups are multiplexed, this is the length of a rotation slice, and each group gets the same
 * number of slices in an interval. A slice takes at most 5 ms; in a measurement with intervals on
 * more than 100 CPUs it takes at most 50 us times the number of CPUs. It takes at least 2 ms unless
 * the interval is too short: each group then has a single, shorter slice. If no groups are
 * multiplexed, this is the length of an interval, or a part of the interval if a 32-bit register
 * could wrap within the interval.
 *
 * Return: time in ns; 0 if counters are only read at the start and the end of the run.
 */
u64 bpmu_measure_period_ns(const struct bpmu_measure *measure)
{
	unsigned int groups = most_groups(measure, measure->most);
	u64 slice = (u64)measure->nr_cpus * CPU_NS;
	u64 longest = longest_ns(measure);
	u64 rounds, least, most, period;

	if (groups < 2 && longest)
		return measure->interval_ns /
		       ((measure->interval_ns + longest - 1) / longest ?: 1);
	if (groups < 2)
		return measure->interval_ns;
	if (!measure->interval_ns)
		return SLICE_NS;
	least = slice > SLICE_NS ? ROUNDS_MANY : measure->tree ? ROUNDS_TREE : ROUNDS_MIN;
	slice = slice > SLICE_NS ? slice : SLICE_NS;
	rounds = measure->interval_ns / (groups * slice) + 1;
	most = measure->interval_ns / (groups * SHORTEST_NS) ?: 1;
	if (rounds < least)
		rounds = most < least ? most : least;
	period = measure->interval_ns / (groups * rounds);
	return period < BPMU_MIN_INTERVAL_NS ? BPMU_MIN_INTERVAL_NS : period;
}

/**
 * bpmu_measure_batches() - number of batches into which a measurement divides rotation slices
 * @measure: parameters of the measurement
 *
 * A batch is a set of a group's rotation slices in an interval; confidence intervals are computed
 * from the differences between batches.
 *
 * Return: number of batches, at most the number of slices that a group has in an interval; 0 if no
 * groups are multiplexed.
 */
unsigned int bpmu_measure_batches(const struct bpmu_measure *measure)
{
	unsigned int groups = most_groups(measure, measure->groups);
	u64 rounds;

	if (groups < 2)
		return 0;
	if (!measure->interval_ns)
		return BPMU_BATCHES;
	rounds = measure->interval_ns /
		 (groups * bpmu_measure_period_ns(measure));
	if (!rounds)
		return 1;
	return rounds < BPMU_BATCHES ? rounds : BPMU_BATCHES;
}

/*
 * Checks if a precise record can have the value of a slot's counter in a group. The counter of slots
 * comes with PERF_METRICS.
 */
static bool in_records(const struct bpmu_pmu *pmu, const struct bpmu_sched_slot *slot, bool metrics)
{
	if (slot->counter == BPMU_METRICS_COUNTER ||
	    (slot->counter == BPMU_FIXED_SLOTS && metrics))
		return true;
	return bpmu_pmu_held(pmu) & BPMU_BIT(slot->counter) &&
	       bpmu_pmu_held(pmu) & BPMU_BIT(slot->sibling);
}

/**
 * bpmu_measure_counts() - check if the interrupts of a measurement tell the counts of all events
 * @measure: parameters of the measurement
 *
 * Return: true if some events of a core interrupt, each by precise records, and some do not, and if
 * the CPU writes the values of all these counters into the records. The events that do not
 * interrupt are then known of each interrupt. False if no event would gain by it.
 */
bool bpmu_measure_counts(const struct bpmu_measure *measure)
{
	const struct bpmu_sched_slot *slot;
	const struct bpmu_groups *groups;
	bool any = false, silent = false, metrics;
	unsigned int type, g;

	if (!bpmu_info_has_counts(measure->info))
		return false;
	for (type = 0; type < bpmu_measure_core_types(measure); type++) {
		groups = measure->groups[type];
		for (g = 0; g < groups->nr; g++) {
			const struct bpmu_sched *sched = &groups->group[g].sched;
			const struct bpmu_sched_slot *end = sched->slot + sched->nr;

			if (sched->bank != BPMU_BANK_CORE)
				continue;
			for (metrics = false, slot = sched->slot; slot < end; slot++)
				metrics |= slot->counter == BPMU_METRICS_COUNTER;
			for (slot = sched->slot; slot < end; slot++) {
				if (!in_records(groups->pmu, slot, metrics) ||
				    (bpmu_sched_interrupts(slot) && !slot->precise))
					return false;
				any |= bpmu_sched_interrupts(slot);
				silent |= !bpmu_sched_interrupts(slot);
			}
		}
	}
	return any && silent;
}
