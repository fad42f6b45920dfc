/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows: ranges of physical addresses with memory-mapped registers (MMIO) of the virtual
 * PMU. A window that overlaps RAM has priority over it. The firmware's memory map need not reserve
 * windows.
 */
#ifndef VPMU_WINDOW_H
#define VPMU_WINDOW_H

#include "cpu.h"

/**
 * struct vpmu_window - a range of memory-mapped registers
 * @name: name of the region in QEMU
 * @base: physical address
 * @size: size in bytes. A window is a number of whole pages, or a part of a page in which QEMU has
 *	devices
 * @read: executes an aligned load of 1, 2, 4 or 8 bytes at an offset in the range on vCPU
 *	@cpu; the load gets the lower bytes of the result
 * @write: executes an aligned store of 1, 2, 4 or 8 bytes
 *
 * Calls of @read and @write are serialised with each other and with vpmu_special().
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
