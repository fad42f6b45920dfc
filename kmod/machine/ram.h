/* SPDX-License-Identifier: GPL-2.0 */
/* What the module maps must not be where the machine has RAM, whatever firmware says. */
#ifndef BPMU_RAM_H
#define BPMU_RAM_H

#include <linux/ioport.h>
#include <linux/mm.h>

/**
 * bpmu_is_ram() - whether any of these bytes is the machine's RAM
 * @address: physical address of the first
 * @size: how many bytes
 *
 * Context: may sleep.
 */
static inline bool bpmu_is_ram(phys_addr_t address, size_t size)
{
	return region_intersects(address, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	       REGION_DISJOINT;
}

#endif
