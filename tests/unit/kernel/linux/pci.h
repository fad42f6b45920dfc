/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for the kernel's headers that kmod/machine/discovery.c includes. The unit test decides
 * which PCI devices exist, what their registers hold and what is mapped. No address is RAM, and no
 * MSR exists.
 */
#ifndef UNIT_PCI_H
#define UNIT_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <linux/pci_regs.h>

#include "arch.h"

typedef u64 phys_addr_t;

/*
 * A PCI device. @untrusted has the same meaning as in the kernel's structure: the device may have
 * been plugged in from outside.
 */
struct pci_dev {
	bool untrusted;
};

#define __iomem
#define KBUILD_MODNAME "unit"
#define PCI_VENDOR_ID_INTEL 0x8086
#define GENMASK(high, low) ((~0u << (low)) & (~0u >> (31 - (high))))
#define GFP_KERNEL 0
#define kcalloc(nr, size, flags) ((void)(flags), calloc(nr, size))
#define kfree(p) free(p)
#define readq(at) (*(const u64 *)(at))
#define IORESOURCE_SYSTEM_RAM 0
#define IORES_DESC_NONE 0
#define REGION_DISJOINT 0
#define PCI_ANY_ID (~0)

static inline int region_intersects(phys_addr_t at, size_t size, unsigned long flags,
				    unsigned long kind)
{
	(void)at;
	(void)size;
	(void)flags;
	(void)kind;
	return REGION_DISJOINT;
}

static inline int rdmsrq_safe(u32 msr, u64 *value)
{
	(void)msr;
	(void)value;
	return -1;
}

void pr_info(const char *format, ...);
void *ioremap(phys_addr_t at, size_t size);
void iounmap(const void *at);
struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device, struct pci_dev *from);
int pci_find_next_ext_capability(struct pci_dev *dev, int start, int cap);
int pci_read_config_dword(struct pci_dev *dev, int where, u32 *value);
const char *pci_name(const struct pci_dev *dev);

#endif /* UNIT_PCI_H */
