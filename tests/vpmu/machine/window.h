/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows: ranges of physical addresses with memory-mapped registers (MMIO) of the virtual PMU. If
 * a window overlaps RAM, accesses go to the window. The firmware's memory map need not reserve
 * windows.
 */
#ifndef VPMU_WINDOW_H
#define VPMU_WINDOW_H

#include "cpu.h"

/**
 * struct vpmu_window - a range of physical addresses with memory-mapped registers
 * @name: name of the region in QEMU
 * @base: physical address of the range
 * @size: size in bytes. A range has whole pages, or is within a page in which QEMU has devices
 * @read: executes an aligned load of 1, 2, 4 or 8 bytes by vCPU @cpu, at @offset bytes in the
 *	range. The guest gets the lower bytes of the returned value
 * @write: executes an aligned store of the lower 1, 2, 4 or 8 bytes of @value by vCPU @cpu
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
