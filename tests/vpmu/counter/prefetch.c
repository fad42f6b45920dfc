// SPDX-License-Identifier: GPL-2.0
#include "prefetch.h"

#include "machine/topology.h"

/**
 * vpmu_prefetch_off() - disabled prefetchers of a core, as in the guest's MSR 0x1a4
 * @cpu: a vCPU of the core
 *
 * Return: bits of MSR 0x1a4: L2 hardware prefetcher, L2 adjacent cache line, DCU next line,
 * DCU IP.
 */
uint64_t vpmu_prefetch_off(const struct vpmu_cpu *cpu)
{
	return vpmu_core_of(cpu)->prefetch_off;
}

/**
 * vpmu_prefetch_write() - disable prefetchers of a core when the guest writes MSR 0x1a4
 * @cpu: a vCPU of the core
 * @off: disabled prefetchers: VCORE_PREFETCH_*, the bits of MSR 0x1a4
 */
void vpmu_prefetch_write(const struct vpmu_cpu *cpu, uint64_t off)
{
	struct vpmu_cpu *core = vpmu_core_of(cpu);
	unsigned int i;

	core->prefetch_off = off;
	for (i = 0; i < vpmu_threads(); i++)
		vcore_memory_prefetchers(core[i].core->memory, off);
}
