// SPDX-License-Identifier: GPL-2.0
/*
 * The erratum smt-leak, known to Linux as BJ122, BV98 and HSD29: while one
 * thread of a core counts an event 0xd0 to 0xd3 on general counter i, the
 * sibling's counter i grows by it too, if it runs.
 *
 * Each counter holds the sum of all counts that it leaked; the sibling's counter gains
 * the growth of that sum while it runs.
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
 * vpmu_leak_settle() - account for the leak of a counter that stops
 * @cpu: vCPU of the counter
 * @i: number of the general counter
 * @grown: growth of its own event since it started
 */
void vpmu_leak_settle(struct vpmu_cpu *cpu, unsigned int i, uint64_t grown)
{
	if (leaks(cpu->select[i]))
		cpu->gp[i].leaked += grown;
}

/**
 * vpmu_leaked_in() - sum of all counts that leaked from the sibling's counter
 * @cpu: vCPU whose sibling's counter leaks
 * @i: number of the general counter
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
 * vpmu_leak_restart() - note the sibling's leaked sum when a counter starts
 * @cpu: vCPU of the counter
 * @i: number of the general counter
 */
void vpmu_leak_restart(struct vpmu_cpu *cpu, unsigned int i)
{
	cpu->gp[i].leak_since = vpmu_leaked_in(cpu, i);
}
