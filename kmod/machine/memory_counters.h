/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running counters of memory controllers. On clients the counters are memory-mapped at an
 * address in MCHBAR, a base address register of the host bridge that firmware sets. On Ice Lake
 * servers each controller has an address of its own, which registers of a PCI device of the package
 * hold. The counters are read-only and never stop, so that they need no owner: Linux' drivers
 * uncore_snb.c and uncore_snbep.c may read them at the same time.
 *
 * When the device that holds the address is removed, the session loses the counters of that
 * package, as it loses the boxes of device.h, and reads the mapped range no more. A session that
 * begins later checks whether a device is back at that place.
 */
#ifndef BPMU_MEMORY_COUNTERS_H
#define BPMU_MEMORY_COUNTERS_H

#include <linux/types.h>

#include "arch.h"

struct bpmu_free;
struct pci_dev;

/*
 * Function that adds the PMU box of a client's memory controller. @host is the host bridge, @box
 * describes the box, @controller is the index of the controller, and @address the physical address
 * of the box's registers.
 */
typedef void bpmu_memory_box_fn(struct pci_dev *host, const struct bpmu_box *box,
				unsigned int controller, resource_size_t address);

void bpmu_memory_find(const struct bpmu_part *part, bpmu_memory_box_fn *add);
void bpmu_memory_add(struct pci_dev *dev, int package, unsigned int controller,
		     resource_size_t at);
void bpmu_memory_forget(void);
bool bpmu_memory_found(void);
bool bpmu_memory_lose(const struct pci_dev *pci);
void bpmu_memory_unmap(const struct pci_dev *pci);
void bpmu_memory_find_again(void);
bool bpmu_memory_here(void);
bool bpmu_memory_has(unsigned int cpu, const struct pci_dev *pci);
u64 bpmu_memory_read(const struct bpmu_free *reg);

#endif /* BPMU_MEMORY_COUNTERS_H */
