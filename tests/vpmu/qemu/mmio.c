// SPDX-License-Identifier: GPL-2.0
/*
 * Maps windows of registers as memory regions of QEMU, which calls the functions of a window for
 * loads and stores. Other accesses of the guest are neither affected nor slowed down.
 *
 * An access to a register can raise the instrumentation level, the set of callbacks that translated
 * code has (machine/level.h). The rest of the translated block that makes the access is then still
 * executed without the further callbacks. This concerns at most some tens of instructions, once per
 * level while the machine runs.
 */
#include "mmio.h"

#include <stdlib.h>

#include "machine/qemu_api.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "special.h"

/* size allocated for QEMU's struct MemoryRegion, enough for all versions of QEMU */
#define REGION_BYTES 4096
/*
 * priority of the virtual PMU's memory regions: higher than that of QEMU's regions; local APICs
 * have 1000H
 */
#define BEFORE_ALL 0x10000

/* the vCPU whose thread this is; only threads of vCPUs access memory-mapped registers */
static __thread struct vpmu_cpu *calling;

static uint64_t mmio_load(void *data, uint64_t offset, unsigned int bytes)
{
	const struct vpmu_window *window = data;
	uint64_t value;

	vpmu_special_lock();
	value = window->read(calling ?: vpmu_cpu(0), offset, bytes);
	vpmu_special_unlock();
	return value;
}

static void mmio_store(void *data, uint64_t offset, uint64_t value,
		       unsigned int bytes)
{
	const struct vpmu_window *window = data;
	struct vpmu_cpu *cpu = calling ?: vpmu_cpu(0);

	vpmu_special_lock();
	if (!vpmu_cpu_ignores(cpu, value))
		window->write(cpu, offset, bytes, value);
	vpmu_special_unlock();
}

static const struct qemu_region_ops region_ops = {
	.read = mmio_load,
	.write = mmio_store,
	.endianness = QEMU_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

static void add_region(const struct vpmu_window *window)
{
	void *region = calloc(1, REGION_BYTES);

	if (!region)
		abort();
	memory_region_init_io(region, NULL, &region_ops, (void *)window, window->name,
			      window->size);
	memory_region_add_subregion_overlap(get_system_memory(), window->base, region,
					    BEFORE_ALL);
}

/**
 * vpmu_mmio_init() - prepare a vCPU for accesses to MMIO; the first call maps all windows
 * @cpu: the vCPU
 *
 * Context: init callback of the vCPU, in its own thread, with QEMU's lock (BQL) held.
 */
void vpmu_mmio_init(struct vpmu_cpu *cpu)
{
	unsigned int i;

	calling = cpu;
	for (i = 0; !cpu->index && vpmu_window_at(i); i++)
		add_region(vpmu_window_at(i));
}
