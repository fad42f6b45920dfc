// SPDX-License-Identifier: GPL-2.0
#include "prefetch.h"

#include "machine/topology.h"

/**
 * vpmu_prefetch_off() - prefetchers of a core that are switched off
 * @cpu: one of its vCPUs
 *
 * Return: bits of MSR 0x1a4: L2 stream, L2 adjacent line, L1 next line, L1 by
 * instruction pointer.
 */
uint64_t vpmu_prefetch_off(const struct vpmu_cpu *cpu)
{
	return vpmu_core_of(cpu)->prefetch_off;
}

/**
 * vpmu_prefetch_write() - switch prefetchers of a core off, and the others on
 * @cpu: one of its vCPUs
 * @off: set of VCORE_PREFETCH_*, which are the bits of MSR 0x1a4
 */
void vpmu_prefetch_write(const struct vpmu_cpu *cpu, uint64_t off)
{
	struct vpmu_cpu *core = vpmu_core_of(cpu);
	unsigned int i;

	core->prefetch_off = off;
	for (i = 0; i < vpmu_threads(); i++)
		vcore_memory_prefetchers(core[i].core->memory, off);
}
