/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PCI devices that have the counters of a package in their configuration space. The
 * module finds them by their identifiers when it is loaded, and binds a driver of its own
 * to them while a session counts: the kernel has no other way to keep another's away, and
 * that of perf comes by the same way.
 *
 * On x86 an access takes no lock of the PCI core (CONFIG_PCI_LOCKLESS_CONFIG), but below
 * offset 256 it goes by I/O ports, two instructions under a raw spinlock, pci_config_lock,
 * with interrupts off. Any CPU may do that in any context but NMI. A sample waits for as
 * long as the accesses of other CPUs take that came before; how long one takes is the
 * platform's matter, and not known of any yet.
 */
#ifndef BPMU_DEVICE_H
#define BPMU_DEVICE_H

#include <linux/types.h>

#include "arch.h"

struct pci_dev;

/**
 * struct bpmu_devices - the devices of a package that have a unit's counters
 * @package: its physical number
 * @nr: how many there are
 * @dev: the devices, in the order of &bpmu_box.devices, [BPMU_DEVICES]
 */
struct bpmu_devices {
	int package;
	u32 nr;
	struct pci_dev *dev[BPMU_DEVICES];
};

void bpmu_devices_find(const struct bpmu_part *part);
void bpmu_devices_forget(void);
u32 bpmu_devices_most(u8 unit);
const struct bpmu_devices *bpmu_devices_here(u8 unit);

int bpmu_devices_claim(u8 unit, const char **why);
void bpmu_devices_unclaim(u8 unit);

int bpmu_device_read(struct pci_dev *dev, u32 offset, u64 *value);
int bpmu_device_write(struct pci_dev *dev, u32 offset, u64 value);
int bpmu_device_read_counter(struct pci_dev *dev, u32 offset, u64 *value);
int bpmu_device_write_counter(struct pci_dev *dev, u32 offset, u64 value);

#endif /* BPMU_DEVICE_H */
