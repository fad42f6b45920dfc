// SPDX-License-Identifier: GPL-2.0
#include "snapshot.h"

#include <string.h>

#include "erratum.h"
#include "events.h"

#define SEL_USR VPMU_BIT(16)
#define SEL_OS VPMU_BIT(17)

/**
 * vpmu_peek() - take a snapshot of the totals of a vCPU that may be running
 * @cpu: the vCPU
 * @now: output: totals of instructions, cycles and so on. What the simulated core counts may lack
 *	the vCPU's latest instructions
 */
void vpmu_peek(const struct vpmu_cpu *cpu, struct vpmu_snapshot *now)
{
	unsigned int priv;

	now->part = cpu->part;
	memcpy(now->exact, cpu->score->exact, sizeof(now->exact));
	memcpy(now->interrupts, cpu->interrupts, sizeof(now->interrupts));
	memcpy(now->passed, cpu->passed, sizeof(now->passed));
	now->l1_prefetch = cpu->l1_prefetch;
	now->msr_reads = cpu->msr_reads;
	now->msr_writes = cpu->msr_writes;
	for (priv = 0; priv < VPMU_PRIVS; priv++)
		now->priv[priv] = cpu->core->counts[priv];
}

/**
 * vpmu_snapshot() - take an exact snapshot of the totals of a vCPU
 * @cpu: the calling vCPU, or an idle one
 * @now: output: totals of instructions, cycles and so on
 */
void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now)
{
	vcore_settle(cpu->core);
	vpmu_peek(cpu, now);
}

/*
 * Returns the total of an event at privilege level @priv (0 kernel, 1 user space). The total
 * includes the effects of injected errata.
 */
static uint64_t priv_total(const struct vpmu_snapshot *now, unsigned int priv,
			   uint64_t select, unsigned int counter)
{
	uint64_t count;

	count = vpmu_events_count(now, priv, select, counter);
	return vpmu_erratum_amend(now, priv, select, count);
}

/**
 * vpmu_total() - total of an event in a snapshot, at the event select's privilege levels
 * @now: totals of instructions, cycles and so on of the vCPU
 * @select: event select; USR and OS select the privilege levels
 * @counter: number of the counter with the event select
 *
 * Return: the total, with the effects of injected errata.
 */
uint64_t vpmu_total(const struct vpmu_snapshot *now, uint64_t select,
		    unsigned int counter)
{
	uint64_t sum = 0;

	if (select & SEL_OS)
		sum += priv_total(now, 0, select, counter);
	if (select & SEL_USR)
		sum += priv_total(now, 1, select, counter);
	return sum;
}
