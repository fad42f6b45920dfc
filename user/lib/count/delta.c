// SPDX-License-Identifier: GPL-2.0
#include "delta.h"

#include <stdlib.h>

#include "intel.h"

/*
 * Returns the index of the slot of a group (a counter and what it counts) that uses counter
 * @counter; -1 if no slot does.
 */
static int delta_slot_of(const struct bpmu_sched *sched, u32 counter)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].counter == counter)
			return i;
	return -1;
}

/*
 * Returns the index of the slot of a group that is the TSC, -1 if the group does not read the TSC.
 * A group that reads gauges (registers with a momentary value, such as a temperature) also reads
 * the TSC at the same time as the gauges, so that the time between two readings is known exactly.
 */
static int delta_slot_of_tsc(const struct bpmu_sched *sched)
{
	const struct bpmu_free *reg;
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		reg = bpmu_free_at(sched->slot[i].counter);
		if (reg && reg->msr == BPMU_FREE_MSR_TSC)
			return i;
	}
	return -1;
}

/**
 * bpmu_delta_of_slot() - choose how a counter's count between two samples (delta) is computed
 * @pmu: PMU of the CPUs
 * @sched: the group
 * @slot: index in @sched of the slot (the counter and what it counts)
 *
 * Return: parameters for bpmu_delta().
 */
struct bpmu_delta bpmu_delta_of_slot(const struct bpmu_pmu *pmu,
				     const struct bpmu_sched *sched,
				     unsigned int slot)
{
	u32 counter = sched->slot[slot].counter;
	struct bpmu_delta delta = {
		.form = BPMU_DELTA_COUNT, .slot = slot,
		.value = sched->slot[slot].value, .mask = ~0ULL, .with = -1,
		.reg = bpmu_free_at(counter),
	};
	u8 width = bpmu_pmu_width(pmu, counter);

	if (width < 64)
		delta.mask = BPMU_BIT(width) - 1;
	if (counter == BPMU_COUNTER_METRICS) {
		delta.form = BPMU_DELTA_FRACTION;
		delta.shift = 8 * sched->slot[slot].field;
		delta.with = delta_slot_of(sched, BPMU_FIXED_SLOTS);
	} else if (counter == BPMU_FIXED_SLOTS &&
		   delta_slot_of(sched, BPMU_COUNTER_METRICS) >= 0) {
		delta.form = BPMU_DELTA_ANEW;
	} else if (delta.reg && delta.reg->type == BPMU_FREE_GAUGE) {
		delta.form = BPMU_DELTA_GAUGE;
		delta.with = delta_slot_of_tsc(sched);
	}
	if (delta.with >= 0)
		delta.with_value = sched->slot[delta.with].value;
	return delta;
}

/**
 * bpmu_deltas_new() - choose how the counts between two samples (deltas) of all groups are computed
 * @pmu: PMU of the CPUs
 * @groups: the groups, as bpmu_groups_make() made them
 *
 * Return: array of parameters for bpmu_delta(), one per slot (a counter and what it counts) of all
 * groups, in the order of the groups. The caller frees the array. NULL if out of memory.
 */
struct bpmu_delta *bpmu_deltas_new(const struct bpmu_pmu *pmu,
				   const struct bpmu_groups *groups)
{
	struct bpmu_delta *deltas = calloc(groups->slots + 1, sizeof(*deltas));
	const struct bpmu_group *group;
	unsigned int g, i;

	for (g = 0; deltas && g < groups->nr; g++) {
		group = &groups->group[g];
		for (i = 0; i < group->sched.nr; i++)
			deltas[group->first + i] =
				bpmu_delta_of_slot(pmu, &group->sched, i);
	}
	return deltas;
}

/**
 * bpmu_delta() - compute the delta of a counter: its count between two samples of the group
 * @delta: how the delta is computed, from bpmu_delta_of_slot()
 * @last: raw values of the previous sample, [slots of the group]
 * @values: raw values of the sample, [counters of the group]
 * @ticks: TSC ticks between the two samples
 *
 * Return: for a counter of n bits the difference of the raw values, modulo 2^n; for a register with
 * a momentary value, such as a temperature, the value times the ticks between the samples; for
 * other registers see &enum bpmu_delta_form.
 */
u64 bpmu_delta(const struct bpmu_delta *delta, const u64 *last,
	       const u64 *values, u64 ticks)
{
	u64 value = values[delta->value];
	u64 slots;

	switch (delta->form) {
	case BPMU_DELTA_FRACTION:
		/*
		 * The module sets the counter of slots and PERF_METRICS to 0 at each sample. So the
		 * slots, and the field of PERF_METRICS (in 1/255 of the slots), are those since the
		 * previous sample.
		 */
		slots = delta->with >= 0 ? values[delta->with_value] : 0;
		value = value >> delta->shift & 0xff;
		return (u64)((double)slots * value / 255 + 0.5);
	case BPMU_DELTA_ANEW:
		return value;
	case BPMU_DELTA_GAUGE:
		if (delta->with >= 0)
			ticks = values[delta->with_value] - last[delta->with];
		return bpmu_free_value(delta->reg, value) * ticks;
	default:
		return (value - last[delta->slot]) & delta->mask;
	}
}
