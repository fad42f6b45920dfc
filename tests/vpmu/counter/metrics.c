// SPDX-License-Identifier: GPL-2.0
/*
 * The register PERF_METRICS. It has eight fields of 8 bits, each a fraction of the slots that fixed
 * counter 3 has counted; 0xff means all slots. After a write, counting continues from the written
 * fractions: perf needs this when it restores the value of a task.
 */
#include "metrics.h"

#include "machine/options.h"

#define ENABLE VPMU_BIT(48)
#define SLOTS 3
#define FULL 0xff

enum field {
	RETIRING, BAD_SPECULATION, FRONTEND, BACKEND,
	HEAVY, MISPREDICT, FETCH_LATENCY, MEMORY
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Adds the slots of one privilege level to @part[VPMU_MAX_METRICS], which has the slots of each
 * field of PERF_METRICS. All slots of bad speculation count as branch mispredicts, because machine
 * clears are rare. Fetch latency gets the slots of cycles in which no uop is delivered. Memory
 * bound gets the slots of cycles in which execution stalls on a load or on a full store buffer.
 */
static void add_priv(const struct vcore_counts *counts, uint64_t *part)
{
	unsigned int width = vpmu_options.part->core->back.width;
	const uint64_t *bubbles = counts->cycles_with[VCORE_BUBBLES];
	const uint64_t *retires = counts->cycles_with[VCORE_RETIRED];
	const uint64_t *plain = counts->plain;
	uint64_t waits = plain[VCORE_NO_EXECUTE_LOAD] +
			 plain[VCORE_FEW_EXECUTE_STORES];
	uint64_t bad = plain[VCORE_WRONG_SLOTS] + plain[VCORE_RECOVERY_SLOTS];
	uint64_t retired = vcore_sum(retires, VCORE_MAX_WIDTH);

	part[RETIRING] += retired;
	part[BAD_SPECULATION] += bad;
	part[FRONTEND] += vcore_sum(bubbles, VCORE_MAX_WIDTH);
	part[BACKEND] += plain[VCORE_BACKEND_SLOTS];
	part[HEAVY] += least(plain[VCORE_RETIRED_MS_SLOTS], retired);
	part[MISPREDICT] += bad;
	part[FETCH_LATENCY] += width * bubbles[width];
	part[MEMORY] += least(width * waits, plain[VCORE_BACKEND_SLOTS]);
}

/*
 * Sums up the slots of each field of PERF_METRICS over the privilege levels that fixed counter 3
 * counts, and stores these sums in @part[VPMU_MAX_METRICS]. Returns the sum of the four fields of
 * Top-Down level 1.
 */
static uint64_t totals(const struct vpmu_cpu *cpu,
		       const struct vpmu_snapshot *now, uint64_t *part)
{
	uint64_t privs = cpu->fixed_ctrl >> (4 * SLOTS);
	unsigned int priv, i;

	for (i = 0; i < VPMU_MAX_METRICS; i++)
		part[i] = 0;
	for (priv = 0; priv < VPMU_PRIVS; priv++)
		if (privs >> priv & 1)
			add_priv(&now->priv[priv], part);
	return part[RETIRING] + part[BAD_SPECULATION] + part[FRONTEND] +
	       part[BACKEND];
}

/**
 * vpmu_metrics_settle() - stop PERF_METRICS: add to its fields the slots since it started
 * @cpu: the calling vCPU. If its PERF_METRICS does not run, the function does nothing
 * @now: totals of all events of the vCPU since power on
 */
void vpmu_metrics_settle(struct vpmu_cpu *cpu,
			 const struct vpmu_snapshot *now)
{
	struct vpmu_metrics *metrics = &cpu->metrics;
	uint64_t part[VPMU_MAX_METRICS];
	unsigned int i;

	if (!metrics->running)
		return;
	metrics->slots += totals(cpu, now, part) - metrics->slots_since;
	for (i = 0; i < VPMU_MAX_METRICS; i++)
		metrics->part[i] += part[i] - metrics->part_since[i];
	metrics->running = false;
}

/**
 * vpmu_metrics_restart() - start PERF_METRICS if it is enabled
 * @cpu: the calling vCPU
 * @now: totals of all events of the vCPU since power on
 */
void vpmu_metrics_restart(struct vpmu_cpu *cpu,
			  const struct vpmu_snapshot *now)
{
	struct vpmu_metrics *metrics = &cpu->metrics;

	metrics->running = vpmu_options.part->metrics &&
			   cpu->fixed[SLOTS].running &&
			   (cpu->global_ctrl & ENABLE);
	if (metrics->running)
		metrics->slots_since = totals(cpu, now, metrics->part_since);
}

static unsigned int fraction(uint64_t part, uint64_t slots)
{
	return least((part * FULL + slots / 2) / slots, FULL);
}

/**
 * vpmu_metrics_read() - value of PERF_METRICS: each field's fraction of the slots
 * @cpu: the vCPU, with all counters stopped
 *
 * The fields of level 1 add up to 0xff: Backend Bound takes the rounding error.
 */
uint64_t vpmu_metrics_read(const struct vpmu_cpu *cpu)
{
	const struct vpmu_metrics *metrics = &cpu->metrics;
	unsigned int field[VPMU_MAX_METRICS];
	unsigned int others = 0;
	uint64_t value = 0;
	unsigned int i;

	if (!metrics->slots)
		return 0;
	for (i = 0; i < VPMU_MAX_METRICS; i++)
		field[i] = fraction(metrics->part[i], metrics->slots);
	for (i = RETIRING; i < BACKEND; i++)
		others += field[i];
	field[BACKEND] = others < FULL ? FULL - others : 0;
	field[MEMORY] = least(field[MEMORY], field[BACKEND]);
	for (i = 0; i < vpmu_options.part->metrics; i++)
		value |= (uint64_t)field[i] << (8 * i);
	return value;
}

/**
 * vpmu_metrics_write() - set PERF_METRICS to the value that the guest writes
 * @cpu: the calling vCPU, with all counters stopped
 * @value: value written: 8 bits for each field, its fraction of &vpmu_metrics.slots in 1/255
 */
void vpmu_metrics_write(struct vpmu_cpu *cpu, uint64_t value)
{
	struct vpmu_metrics *metrics = &cpu->metrics;
	unsigned int i;

	for (i = 0; i < VPMU_MAX_METRICS; i++)
		metrics->part[i] = (value >> (8 * i) & FULL) *
				   metrics->slots / FULL;
}

/**
 * vpmu_metrics_slots() - set the slots of PERF_METRICS when the guest writes fixed counter 3
 * @cpu: the calling vCPU, with all counters stopped
 * @slots: new value of fixed counter 3
 *
 * The value of PERF_METRICS does not change, because its fields are fractions of the slots. perf
 * writes the counter before it writes PERF_METRICS.
 */
void vpmu_metrics_slots(struct vpmu_cpu *cpu, uint64_t slots)
{
	uint64_t value = vpmu_metrics_read(cpu);

	cpu->metrics.slots = slots;
	vpmu_metrics_write(cpu, value);
}
