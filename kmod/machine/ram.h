/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A check that addresses of registers, which firmware sets, are not addresses of RAM: the module
 * maps no registers there.
 */
#ifndef BPMU_RAM_H
#define BPMU_RAM_H

#include <linux/ioport.h>
#include <linux/mm.h>

/**
 * bpmu_is_ram() - check if a physical address range overlaps the machine's RAM
 * @address: physical address of the first byte
 * @size: length in bytes
 *
 * Context: process context, may sleep.
 * Return: true if at least one byte of the range is RAM.
 */
static inline bool bpmu_is_ram(phys_addr_t address, size_t size)
{
	return region_intersects(address, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	       REGION_DISJOINT;
}

#endif /* BPMU_RAM_H */
