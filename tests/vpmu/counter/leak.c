// SPDX-License-Identifier: GPL-2.0
/*
 * The erratum smt-leak: Intel's errata BJ122, BV98 and HSD29. While a hyper-thread counts an event
 * from 0xd0 to 0xd3 on general-purpose counter i, the counts are also added to counter i of the
 * sibling thread, if the sibling's counter is enabled.
 *
 * For each counter a sum is kept of all counts that have leaked from it to the sibling thread. The
 * value of a running counter includes the increase of the sum of the sibling's counter since the
 * running counter started.
 */
#include "leak.h"

#include <stddef.h>

#include "event/snapshot.h"
#include "machine/options.h"
#include "machine/topology.h"

static bool leaks(uint64_t select)
{
	return (select & 0xfc) == 0xd0;
}

static struct vpmu_cpu *sibling(const struct vpmu_cpu *cpu)
{
	unsigned int other = cpu->index ^ 1;

	if (vpmu_options.threads != 2 || other >= vpmu_nr_cpus())
		return NULL;
	return vpmu_cpu(other);
}

/**
 * vpmu_leak_settle() - when a counter stops, add its counts to its sum of leaked counts
 * @cpu: vCPU of the counter
 * @i: number of the general-purpose counter
 * @grown: increase of the counter's own event since the counter started
 */
void vpmu_leak_settle(struct vpmu_cpu *cpu, unsigned int i, uint64_t grown)
{
	if (leaks(cpu->select[i]))
		cpu->gp[i].leaked += grown;
}

/**
 * vpmu_leaked_in() - counts that leaked from the sibling thread's counter since power on
 * @cpu: vCPU that gets the leaked counts
 * @i: number of the general-purpose counter, the same in both threads
 */
uint64_t vpmu_leaked_in(const struct vpmu_cpu *cpu, unsigned int i)
{
	const struct vpmu_cpu *from = sibling(cpu);
	struct vpmu_snapshot now;
	uint64_t leaked;

	if (!from)
		return 0;
	leaked = from->gp[i].leaked;
	if (!from->gp[i].running || !leaks(from->select[i]))
		return leaked;
	vpmu_peek(from, &now);
	return leaked + vpmu_total(&now, from->select[i], i) -
	       from->gp[i].since;
}

/**
 * vpmu_leak_restart() - when a counter starts, store the sum of counts leaked to it
 * @cpu: vCPU of the counter
 * @i: number of the general-purpose counter
 */
void vpmu_leak_restart(struct vpmu_cpu *cpu, unsigned int i)
{
	cpu->gp[i].leak_since = vpmu_leaked_in(cpu, i);
}
