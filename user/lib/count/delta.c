// SPDX-License-Identifier: GPL-2.0
#include "delta.h"

#include "free.h"
#include "intel.h"

static u64 width_mask(const struct bpmu_pmu *pmu, u32 counter)
{
	u8 width = bpmu_pmu_width(pmu, counter);

	return width < 64 ? BPMU_BIT(width) - 1 : ~0ULL;
}

/* PERF_METRICS: eighths of 255 of the slots of the same interval */
static u64 fraction(const struct bpmu_sched *sched, unsigned int slot,
		    const u64 *values)
{
	u64 metrics = values[sched->slot[slot].value];
	u64 slots = 0;
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].counter == BPMU_FIXED_SLOTS)
			slots = values[sched->slot[i].value];
	metrics = metrics >> (8 * sched->slot[slot].field) & 0xff;
	return (u64)((double)slots * metrics / 255 + 0.5);
}

static bool has_metrics(const struct bpmu_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->nr; i++)
		if (sched->slot[i].counter == BPMU_COUNTER_METRICS)
			return true;
	return false;
}

/* by the TSC that was read with the gauge, if one was: a mean is then exact */
static u64 gauge_ticks(const struct bpmu_sched *sched, const u64 *last,
		       const u64 *values, u64 ticks)
{
	const struct bpmu_free *reg;
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		reg = bpmu_free_at(sched->slot[i].counter);
		if (reg && reg->msr == BPMU_FREE_MSR_TSC)
			return values[sched->slot[i].value] - last[i];
	}
	return ticks;
}

/**
 * bpmu_delta() - what a counter has counted between two samples of its group
 * @pmu: as found
 * @sched: the group
 * @slot: number of the counter's slot in it
 * @last: raw values of the sample before, by slot
 * @values: raw values of the sample, as they come
 * @ticks: TSC ticks between the two
 *
 * Return: the difference, modulo the counter's width; of a gauge its value for
 * so many ticks.
 */
u64 bpmu_delta(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
	       unsigned int slot, const u64 *last, const u64 *values, u64 ticks)
{
	u32 counter = sched->slot[slot].counter;
	const struct bpmu_free *reg = bpmu_free_at(counter);
	u64 value = values[sched->slot[slot].value];

	if (counter == BPMU_COUNTER_METRICS)
		return fraction(sched, slot, values);
	if (counter == BPMU_FIXED_SLOTS && has_metrics(sched))
		return value;
	if (reg && reg->kind == BPMU_FREE_GAUGE)
		return bpmu_free_value(reg, value) *
		       gauge_ticks(sched, last, values, ticks);
	return (value - last[slot]) & width_mask(pmu, counter);
}
