/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PCI devices that have the counters of a package in their configuration space, or that tell
 * where in memory these are. The module finds them by their identifiers when it is loaded, and
 * binds a driver of its own to them while a session counts: the kernel has no other way to
 * keep another's away, and that of perf comes by the same way.
 *
 * But to devices that only tell an address perf's driver does not bind: it programs counters
 * in memory as long as it is registered, and is told by that. Who reserves memory, as drivers
 * do, is kept away as well, and shown in /proc/iomem.
 *
 * Registers are read through memory where firmware's MCFG table says where a device's
 * configuration space is (PCI Firmware Specification 3.3, section 4.1.2), the kernel uses
 * that table, and the device's identifiers are found there: one load, and no lock.
 *
 * Elsewhere, and to write there, the kernel's functions take no lock of the PCI core on x86
 * (CONFIG_PCI_LOCKLESS_CONFIG), but below offset 256 they go by I/O ports, two instructions
 * under a raw spinlock, pci_config_lock, with interrupts off. Any CPU may do that in any
 * context but NMI. A sample waits for as long as the accesses of other CPUs take that came
 * before; how long one takes is the platform's matter, and not known of any yet.
 */
#ifndef BPMU_DEVICE_H
#define BPMU_DEVICE_H

#include <linux/compiler_types.h>
#include <linux/types.h>

#include "arch.h"

struct pci_dev;

/**
 * struct bpmu_device - a box: a PCI device with counters, or counters in memory
 * @pci: the device, or the one that tells where they are
 * @registers: registers, to read from; NULL if they are in configuration space and it is
 *	not known where in memory that is
 * @address: physical address of counters in memory, whose registers are also written
 *	there; else 0
 * @reserved: they are reserved, under the lock of claims
 */
struct bpmu_device {
	struct pci_dev *pci;
	void __iomem *registers;
	phys_addr_t address;
	bool reserved;
};

/**
 * struct bpmu_devices - the boxes of a package that have a unit's counters
 * @package: its physical number
 * @nr: how many there are
 * @dev: in the order of &bpmu_box.devices, and of the addresses that one of them tells,
 *	[BPMU_DEVICES]
 */
struct bpmu_devices {
	int package;
	u32 nr;
	struct bpmu_device dev[BPMU_DEVICES];
};

void bpmu_devices_find(const struct bpmu_part *part);
void bpmu_devices_add(struct pci_dev *teller, const struct bpmu_box *box,
		      const struct bpmu_discovery_unit *unit);
void bpmu_devices_forget(void);
u32 bpmu_devices_most(u8 unit);
const struct bpmu_devices *bpmu_devices_here(u8 unit);

int bpmu_devices_claim(u8 unit, const char **why);
void bpmu_devices_unclaim(u8 unit);

int bpmu_device_read(const struct bpmu_device *dev, u32 offset, u64 *value);
int bpmu_device_write(const struct bpmu_device *dev, u32 offset, u64 value);
int bpmu_device_read_counter(const struct bpmu_device *dev, u32 offset,
			     u64 *value);
int bpmu_device_write_counter(const struct bpmu_device *dev, u32 offset,
			      u64 value);

#endif /* BPMU_DEVICE_H */
