// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of registers as devices of QEMU's: its regions of physical addresses. It calls
 * them instead of reading or writing RAM, so that no other access of the guest is
 * concerned, and none takes longer.
 *
 * They are called in the midst of a translation. When one raises what translations report
 * (want.h), the rest of this translation still reports less: at most some tens of
 * instructions, once in the machine's life.
 */
#include "mmio.h"

#include <stdlib.h>

#include "machine/qemu_api.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "special.h"

/* more than QEMU's struct MemoryRegion takes, whose size depends on the version */
#define REGION_BYTES 4096
/* before whatever else is there */
#define BEFORE_ALL 1000

/* of this thread; QEMU's own threads access no devices here */
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

	vpmu_special_lock();
	window->write(calling ?: vpmu_cpu(0), offset, bytes, value);
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
 * vpmu_mmio_init() - a vCPU begins; with the first one QEMU learns of the windows
 * @cpu: which
 *
 * Context: its init callback, in its own thread, with QEMU's lock held.
 */
void vpmu_mmio_init(struct vpmu_cpu *cpu)
{
	unsigned int i;

	calling = cpu;
	for (i = 0; !cpu->index && vpmu_window_at(i); i++)
		add_region(vpmu_window_at(i));
}
