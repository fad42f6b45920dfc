/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PCI devices of a package that have counters in their configuration space, or hold the physical
 * address of memory-mapped counters: memory channels, home agents and links of servers, and memory
 * controllers of clients. The module finds these devices by their identifiers when it is loaded.
 *
 * The module registers a driver of its own, because only a bound driver keeps another one away.
 * This driver declines all devices, so that other drivers may have them, until a session attaches
 * it to the session's devices. perf's driver binds to the same devices, so that one of the two is
 * refused. On parts with discovery tables perf's driver binds to no device: there perf's use of a
 * box shows only in the event selects.
 *
 * When a device is removed, the session loses all boxes of the device's package. A session that
 * begins later looks whether a device is back at that place.
 *
 * perf's driver does not bind to devices that only hold an address. While it is registered it may
 * program the memory-mapped counters at any time, and a session with such counters is refused. The
 * module also reserves the memory of the counters, as drivers do: the reservation shows in
 * /proc/iomem, and a session is refused if another driver has reserved the memory.
 *
 * Registers in configuration space are read through memory, by one load and without a lock, on
 * three conditions: firmware's MCFG table says where the device's configuration space is (PCI
 * Firmware Specification 3.3, section 4.1.2), the kernel uses that table, and the device's
 * identifiers are found at the address.
 *
 * All other reads, and all writes of configuration space, use the kernel's functions. On x86 these
 * functions take no lock of the PCI core (CONFIG_PCI_LOCKLESS_CONFIG). Below offset 256 they go
 * through I/O ports, with two instructions under the raw spinlock pci_config_lock and with
 * interrupts off, which is allowed in any context but NMI. A sample waits for other CPUs that hold
 * the lock or wait for it. The time of one access depends on the platform, and was not measured on
 * any.
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
 * struct bpmu_device - a PMU box whose registers are in PCI configuration space or in memory
 * @pci: PCI device that has the registers, or holds their address; a reference is held
 * @registers: where the registers are mapped; NULL if they are in configuration space that is not
 *	mapped. The mapping of configuration space is only read, never written
 * @address: physical address of memory-mapped registers; 0 if they are in configuration
 *	space
 * @global: the box has the register &bpmu_box.global, which stops all boxes of the package
 * @reserved: the module has reserved the memory region at @address
 * @gone: @pci was removed, and is kept because it says where a successor appears
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
 * @dev: the boxes, [@nr], in the order of their devices in &bpmu_box.devices; boxes whose addresses
 *	one device holds are in ascending order of the addresses
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
