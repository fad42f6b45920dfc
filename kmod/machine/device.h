/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PCI devices with counters of a package in their configuration space, or with the physical
 * address of memory-mapped counters there: servers' memory channels, home agents and links,
 * and memory controllers of clients. The module finds them by their identifiers when it
 * is loaded. Its driver is registered as long as the module is loaded but declines all devices,
 * so that others may have them; a session attaches it to its devices while it counts. Only a
 * bound driver keeps another one away. perf's driver binds to the same devices, except on parts
 * with discovery tables, where it binds to none: on these parts perf's use of a box shows in the
 * event selects only.
 *
 * When a device is removed, the session loses the boxes of its package. A session that begins
 * later looks whether a device is back at its place.
 *
 * perf's driver does not bind to devices that only hold an address. It may program
 * memory-mapped counters whenever it is registered, hence a session is refused while it is.
 * The module also reserves the memory, as drivers do: it shows in /proc/iomem, and another
 * driver's reservation refuses the session.
 *
 * Registers are read through memory where firmware's MCFG table says where a device's
 * configuration space is (PCI Firmware Specification 3.3, section 4.1.2), the kernel uses
 * that table, and the device's identifiers are found there: one load, and no lock.
 *
 * All other reads, and all writes of configuration space, use the kernel's functions. They
 * take no lock of the PCI core on x86 (CONFIG_PCI_LOCKLESS_CONFIG), but below offset 256 they
 * go through I/O ports: two instructions under the raw spinlock pci_config_lock with
 * interrupts off, allowed in any context but NMI. A sample waits for the accesses of other
 * CPUs that hold the lock or wait for it. The time of one access depends on the platform and
 * has not been measured on any.
 */
#ifndef BPMU_DEVICE_H
#define BPMU_DEVICE_H

#include <linux/compiler_types.h>
#include <linux/types.h>

#include "arch.h"

struct cpumask;
struct netlink_ext_ack;
struct pci_dev;

/**
 * struct bpmu_device - a box in configuration space or in memory
 * @pci: device with the registers, or with their address; a reference is held
 * @registers: mapped registers; NULL if they are in configuration space that is not mapped.
 *	Those in configuration space are only read here
 * @address: physical address of memory-mapped registers; 0 if they are in configuration
 *	space
 * @global: it has the register &bpmu_box.global of all boxes of the package
 * @reserved: the memory region at @address is reserved; under claim_lock
 * @gone: @pci has been removed, and is kept to know where it was; set under claim_lock
 */
struct bpmu_device {
	struct pci_dev *pci;
	void __iomem *registers;
	phys_addr_t address;
	bool global;
	bool reserved;
	bool gone;
};

/**
 * struct bpmu_devices - the boxes of one unit in a package
 * @package: physical package number
 * @nr: number of boxes
 * @dev: boxes in the order of &bpmu_box.devices, then in the order of the addresses that a
 *	device holds, [@nr]
 */
struct bpmu_devices {
	int package;
	u32 nr;
	struct bpmu_device dev[BPMU_DEVICES];
};

void bpmu_devices_find(const struct bpmu_part *part);
void bpmu_devices_add(struct pci_dev *teller, const struct bpmu_box *box,
		      const struct bpmu_discovery_unit *unit);
void bpmu_devices_add_controller(struct pci_dev *host, const struct bpmu_box *box,
				 unsigned int controller, phys_addr_t address);
void bpmu_devices_forget(void);
bool bpmu_devices_manage(u8 unit);
u32 bpmu_devices_most(u8 unit);
const struct bpmu_devices *bpmu_devices_here(u8 unit);

int bpmu_devices_register(void (*removed)(struct pci_dev *pci));
bool bpmu_devices_have(const struct bpmu_devices *devices, const struct pci_dev *pci);

int bpmu_devices_claim(u8 unit, const struct cpumask *cpus, struct netlink_ext_ack *extack);
void bpmu_devices_unclaim(u8 unit);

int bpmu_device_read(const struct bpmu_device *dev, u32 offset, u64 *value);
int bpmu_device_write(const struct bpmu_device *dev, u32 offset, u64 value);
int bpmu_device_read_counter(const struct bpmu_device *dev, u32 offset,
			     u64 *value);
int bpmu_device_write_counter(const struct bpmu_device *dev, u32 offset,
			      u64 value);

#endif /* BPMU_DEVICE_H */
