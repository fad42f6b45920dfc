// SPDX-License-Identifier: GPL-2.0
/*
 * A counter is not counted up: an event has a total, and a running counter
 * holds its value plus what the total has grown since it was started.
 */
#include "vpmu.h"

#include <string.h>

#define SEL_USR VPMU_BIT(16)
#define SEL_OS VPMU_BIT(17)
#define SEL_EN VPMU_BIT(22)

/* the events of the fixed counters: INST_RETIRED, CLK_UNHALTED, REF_TSC */
static const uint64_t fixed_events[VPMU_MAX_FIXED] = { 0xc0, 0x3c, 0x3c };

/**
 * vpmu_snapshot() - all quantities of a vCPU now
 * @cpu: the vCPU; it is the caller, or idle
 * @now: filled in
 */
void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now)
{
	unsigned int ring;

	vpmu_model_settle(cpu->model);
	memcpy(now->exact, cpu->score->exact, sizeof(now->exact));
	for (ring = 0; ring < VPMU_RINGS; ring++)
		now->ring[ring] = *vpmu_model_counts(cpu->model, ring);
}

/**
 * vpmu_branches() - branches of all kinds
 * @now: totals
 * @ring: 0 or 1
 */
uint64_t vpmu_branches(const struct vpmu_snapshot *now, unsigned int ring)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = VPMU_BR_CONDITIONAL; i <= VPMU_BR_FAR; i++)
		sum += now->exact[i][ring];
	return sum;
}

static uint64_t total(const struct vpmu_snapshot *now, uint64_t select,
		      unsigned int counter)
{
	uint64_t sum = 0;

	if (select & SEL_OS)
		sum += vpmu_part->count(now, 0, select, counter);
	if (select & SEL_USR)
		sum += vpmu_part->count(now, 1, select, counter);
	return sum;
}

static uint64_t fixed_select(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t bits = cpu->fixed_ctrl >> (4 * i);
	uint64_t select = fixed_events[i];

	if (bits & 1)
		select |= SEL_OS;
	if (bits & 2)
		select |= SEL_USR;
	return bits & 3 ? select | SEL_EN : select;
}

static uint64_t mask(void)
{
	return (1ull << vpmu_part->width) - 1;
}

/* one counter: note what it counted until now, and whether it goes on */
static void settle(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
		   const struct vpmu_snapshot *now, uint64_t select,
		   unsigned int number)
{
	uint64_t value;

	if (!counter->running)
		return;
	value = counter->value + total(now, select, number) - counter->since;
	if (value & ~mask())
		cpu->status |= 1ull << number;
	counter->value = value & mask();
	counter->running = false;
}

static void restart(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
		    const struct vpmu_snapshot *now, uint64_t select,
		    unsigned int number)
{
	counter->running = (select & SEL_EN) &&
			   (cpu->global_ctrl >> number & 1);
	if (!counter->running)
		return;
	counter->since = total(now, select, number);
	cpu->counting = true;
}

/**
 * vpmu_counters_settle() - stop all counters where they are
 * @cpu: the calling vCPU
 *
 * Before any register changes; vpmu_counters_restart() comes after it.
 */
void vpmu_counters_settle(struct vpmu_cpu *cpu)
{
	struct vpmu_snapshot now;
	unsigned int i;

	vpmu_snapshot(cpu, &now);
	for (i = 0; i < vpmu_part->nr_gp; i++)
		settle(cpu, &cpu->gp[i], &now, cpu->select[i], i);
	for (i = 0; i < vpmu_part->nr_fixed; i++)
		settle(cpu, &cpu->fixed[i], &now, fixed_select(cpu, i),
		       32 + i);
}

/**
 * vpmu_counters_restart() - let those count that the registers enable
 * @cpu: the calling vCPU
 */
void vpmu_counters_restart(struct vpmu_cpu *cpu)
{
	bool before = cpu->counting;
	struct vpmu_snapshot now;
	unsigned int i;

	vpmu_snapshot(cpu, &now);
	cpu->counting = false;
	for (i = 0; i < vpmu_part->nr_gp; i++)
		restart(cpu, &cpu->gp[i], &now, cpu->select[i], i);
	for (i = 0; i < vpmu_part->nr_fixed; i++)
		restart(cpu, &cpu->fixed[i], &now, fixed_select(cpu, i),
			32 + i);
	cpu->score->model_on = cpu->counting;
	if (cpu->counting)
		vpmu_model_wanted();
	if (before != cpu->counting)
		vpmu_truth_window(cpu, cpu->counting);
}

/**
 * vpmu_counter_read() - a counter's value now
 * @cpu: the calling vCPU
 * @number: general counter i is i, fixed counter n is 32 + n
 */
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number)
{
	bool fixed = number >= 32;
	struct vpmu_counter *counter;
	struct vpmu_snapshot now;
	uint64_t select;

	counter = fixed ? &cpu->fixed[number - 32] : &cpu->gp[number];
	if (!counter->running)
		return counter->value;
	select = fixed ? fixed_select(cpu, number - 32) : cpu->select[number];
	vpmu_snapshot(cpu, &now);
	return (counter->value + total(&now, select, number) -
		counter->since) & mask();
}
