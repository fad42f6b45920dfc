/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows: ranges of physical addresses whose loads and stores are executed by the
 * virtual PMU, as a device's registers are (MMIO). They lie where the machine has no RAM,
 * or before it, so that the guest need not be told to leave them alone.
 */
#ifndef VPMU_WINDOW_H
#define VPMU_WINDOW_H

#include "cpu.h"

/**
 * struct vpmu_window - a range of registers
 * @name: for QEMU's lists
 * @base: physical address of the first byte, of a page
 * @size: in bytes, of whole pages
 * @read: the value that a load of 1, 2, 4 or 8 bytes gets, aligned to its size, of which
 *	the lower bytes are taken; @cpu executes it
 * @write: executes a store of so many bytes
 *
 * Both are called one at a time, and not while vpmu_special() runs.
 */
struct vpmu_window {
	const char *name;
	uint64_t base;
	uint64_t size;
	uint64_t (*read)(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes);
	void (*write)(struct vpmu_cpu *cpu, uint64_t offset, unsigned int bytes,
		      uint64_t value);
};

void vpmu_window_add(const struct vpmu_window *window);
const struct vpmu_window *vpmu_window_at(unsigned int i);

#endif /* VPMU_WINDOW_H */
