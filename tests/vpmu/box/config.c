// SPDX-License-Identifier: GPL-2.0
/*
 * PCI configuration space of the uncore devices of Intel's servers, and of the host bridge of
 * clients, which has the register MCHBAR. The guest accesses the configuration space by I/O ports
 * and, with mcfg=1, in memory (ECAM). By I/O ports the guest also reaches the PCI devices of QEMU;
 * by ECAM it reaches only the devices of the virtual PMU.
 *
 * Up to Broadwell each package has its own bus: 3f, 7f, .... Firmware hides the bus from the
 * kernel; pci=lastbus=255 shows it. From Skylake on each package has two buses: 0 and 2a, 40 and
 * 6a, .... Knights Landing has one package and one bus. The UBox numbers the nodes in descending
 * order; a driver that takes the node ID for the package number gets the wrong package.
 *
 * Source of the ports: Linux, arch/x86/pci/direct.c; of the registers that the kernel reads to find
 * the functions of a device: drivers/pci/probe.c, pci_scan_slot(); of the UBox's registers:
 * uncore_snbep.c, snbep_pci2phy_map_init().
 */
#include "config.h"

#include "cbo.h"
#include "imc.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "mchbar.h"
#include "discovered.h"

#define ADDRESS 0xcf8
#define DATA 0xcfc
#define ENABLED 0x80000000u
#define VENDOR 0x8086
#define CLASS 0x11010000u
#define HOST_CLASS 0x06000000u
#define ABSENT 0xffffffffu

/* fields of the I/O port CONFIG_ADDRESS: bus, device and function, offset of the register */
#define BUS(address) ((address) >> 16 & 0xff)
#define DEVFN(address) ((address) >> 8 & 0xff)
#define OFFSET(address) ((address) & 0xfc)

/*
 * base address (as in the MCFG table of tests/vm/run) and size of memory-mapped configuration space
 * (ECAM)
 */
#define MEMORY 0xb0000000u
#define MEMORY_BYTES (256u << 20)

#define BUS_STEP 0x40
#define CAPABILITIES_DEVFN (0x1e << 3 | 3)
#define CHAS 0x9c
/*
 * PCI device ID of function 0 of a device, if function 0 has no counters, but another function of
 * the device has
 */
#define OTHER 0x0eff

/* value that the guest last wrote to the I/O port CONFIG_ADDRESS: selects a register of a device */
static uint32_t latch;

/**
 * struct target - the PCI device of the virtual PMU to which an access of the guest goes
 * @package: number of the package
 * @device: PCI device ID, 0 for no device
 * @box: number of the box, from the list in imc.h, or -1
 */
struct target {
	unsigned int package;
	uint16_t device;
	int box;
};

/*
 * Checks if an access to @devfn goes to the device with ID @device, whose device and function
 * number is @where. If so, puts @device into @target. If @devfn is function 0 of the same device,
 * puts OTHER into @target, unless @target has a device ID already: without function 0 the kernel
 * probes no other function.
 */
static bool target_is_at(uint16_t device, unsigned int where, unsigned int devfn,
			 struct target *target)
{
	if (where != devfn && (where >> 3 != devfn >> 3 || devfn & 7))
		return false;
	if (where != devfn && target->device)
		return false;
	target->device = where == devfn ? device : OTHER;
	return where == devfn;
}

static bool find_target(unsigned int bus, unsigned int devfn, struct target *target)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;
	unsigned int i;

	*target = (struct target){ bus / BUS_STEP, 0, -1 };
	if (target->package >= vpmu_nr_packages())
		return false;
	if (vpmu_mchbar_at(bus, devfn))
		target->device = vpmu_options.part->mchbar->device;
	if (!part)
		return target->device;
	bus %= BUS_STEP;
	if (part->ubox && bus == part->ubox_bus &&
	    target_is_at(part->ubox, part->ubox_devfn, devfn, target))
		return true;
	if (bus != part->bus)
		return target->device;
	if (part->capabilities &&
	    target_is_at(part->capabilities, CAPABILITIES_DEVFN, devfn, target))
		return true;
	if (part->memory && target_is_at(part->memory, part->memory_devfn, devfn, target))
		return true;
	if (part->irp && target_is_at(part->irp, part->irp_devfn, devfn, target))
		return true;
	for (i = 0; i < VPMU_BOXES; i++) {
		if (!part->box[i].device || !(vpmu_imc_boxes(target->package) >> i & 1) ||
		    !target_is_at(part->box[i].device, part->box[i].devfn, devfn,
				  target))
			continue;
		target->box = i;
		return true;
	}
	return target->device;
}

static uint32_t ubox(const struct target *target, unsigned int offset)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;
	unsigned int last = vpmu_nr_packages() - 1;
	uint32_t map = 0;
	unsigned int i;

	if (offset == part->ubox_node)
		return last - target->package;
	if (offset != part->ubox_map)
		return 0;
	for (i = 0; i <= last; i++)
		map |= (last - i) << 3 * i;
	return map;
}

/*
 * Returns the register at @offset: CAPID6 has bits 31:0 of the bitmap of CHAs, and CAPID7 has bits
 * 63:32.
 */
static uint32_t capabilities(unsigned int offset)
{
	uint64_t chas = (1ull << vpmu_cbo_number()) - 1;

	if (offset == CHAS)
		return chas;
	return offset == CHAS + 4 ? chas >> 32 : 0;
}

static uint32_t box_read(struct vpmu_cpu *cpu, const struct target *target,
			 unsigned int offset)
{
	if (vpmu_options.part->imc->discovered)
		return vpmu_discovered_box_read(target->package, target->box, offset);
	return vpmu_imc_read(cpu, target->package, target->box, offset);
}

static void box_write(struct vpmu_cpu *cpu, const struct target *target,
		      unsigned int offset, uint32_t value)
{
	if (vpmu_options.part->imc->discovered)
		vpmu_discovered_box_write(cpu, target->package, target->box, offset, value);
	else
		vpmu_imc_write(cpu, target->package, target->box, offset, value);
}

static uint32_t config_read(struct vpmu_cpu *cpu, const struct target *target,
			    unsigned int offset)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;

	switch (offset) {
	case 0:
		return target->device << 16 | VENDOR;
	case 8:
		/*
		 * The kernel accesses extended configuration space (ECAM) of a device with the
		 * class of a host bridge even if the device has no PCI Express capability.
		 */
		return part && part->discovered && target->device == part->memory ? HOST_CLASS :
									      CLASS;
	case 0xc:
		/* header type: multi-function device */
		return 0x800000;
	default:
		if (!part)
			return vpmu_mchbar_config(offset);
		if (target->box >= 0)
			return box_read(cpu, target, offset);
		if (target->device == part->ubox)
			return ubox(target, offset);
		if (target->device == part->memory)
			return part->discovered ?
			       vpmu_discovered_config(target->package, offset) :
			       vpmu_imc_addresses(target->package, offset);
		return target->device == part->capabilities ? capabilities(offset) : 0;
	}
}

/*
 * Fills in @target with the device that the port CONFIG_ADDRESS selects. Returns false if the port
 * selects no device of the virtual PMU.
 */
static bool find_latched(struct target *target)
{
	return latch & ENABLED && find_target(BUS(latch), DEVFN(latch), target);
}

static uint64_t memory_load(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes)
{
	unsigned int offset = at & 0xfff;
	struct target target;
	uint64_t value;

	if (!find_target(at >> 20, at >> 12 & 0xff, &target))
		return -1ull;
	value = config_read(cpu, &target, offset & ~3u) >> 8 * (offset & 3);
	if (bytes == 8)
		value |= (uint64_t)config_read(cpu, &target, offset + 4) << 32;
	return value;
}

static void config_store(struct vpmu_cpu *cpu, const struct target *target,
			 unsigned int offset, unsigned int bytes, uint32_t value)
{
	uint32_t mask = bytes < 4 ? (1u << 8 * bytes) - 1 : ABSENT;
	unsigned int shift = 8 * (offset & 3);

	offset &= ~3u;
	if (!vpmu_options.part->imc && bytes == 4)
		vpmu_mchbar_config_set(offset, value);
	if (target->box < 0 || offset < VPMU_IMC_FIRST)
		return;
	value = (value & mask) << shift;
	mask <<= shift;
	if (~mask)
		value |= ~mask & box_read(cpu, target, offset);
	box_write(cpu, target, offset, value);
}

static void memory_store(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes,
			 uint64_t value)
{
	struct target target;

	if (!find_target(at >> 20, at >> 12 & 0xff, &target))
		return;
	config_store(cpu, &target, at & 0xfff, bytes < 4 ? bytes : 4, value);
	if (bytes == 8)
		config_store(cpu, &target, (at & 0xfff) + 4, 4, value >> 32);
}

static const struct vpmu_window memory = {
	.name = "PCI configuration space", .base = MEMORY, .size = MEMORY_BYTES,
	.read = memory_load, .write = memory_store,
};

/**
 * vpmu_config_init() - map the PCI configuration space into memory (ECAM), if mcfg=1 was given
 *
 * Context: installation of the plugin.
 */
void vpmu_config_init(void)
{
	if (vpmu_options.mcfg)
		vpmu_window_add(&memory);
}

/**
 * vpmu_config_used() - check if the virtual PMU has PCI devices with configuration space
 */
bool vpmu_config_used(void)
{
	return vpmu_options.imc && (vpmu_options.part->imc || vpmu_options.part->mchbar);
}

/**
 * vpmu_config_in() - read PCI configuration space by an IN instruction of the guest
 * @cpu: the calling vCPU
 * @port: I/O port
 * @bytes: 1, 2 or 4
 * @value: set to the value read
 *
 * Return: false if the guest accesses no device of the virtual PMU: QEMU must execute the
 * instruction.
 */
bool vpmu_config_in(struct vpmu_cpu *cpu, uint32_t port, unsigned int bytes,
		    uint32_t *value)
{
	unsigned int shift = 8 * (port - DATA);
	struct target target;

	if (port < DATA || port + bytes > DATA + 4 || !find_latched(&target))
		return false;
	*value = config_read(cpu, &target, OFFSET(latch)) >> shift;
	if (bytes < 4)
		*value &= (1u << 8 * bytes) - 1;
	return true;
}

/**
 * vpmu_config_out() - write PCI configuration space by an OUT instruction of the guest
 * @cpu: the calling vCPU
 * @port: I/O port
 * @bytes: 1, 2 or 4
 * @value: value to write
 *
 * Return: false if QEMU must execute the instruction: for an access to no device of the virtual
 * PMU, and for every write of CONFIG_ADDRESS, which also selects QEMU's own devices.
 */
bool vpmu_config_out(struct vpmu_cpu *cpu, uint32_t port, unsigned int bytes,
		     uint32_t value)
{
	struct target target;

	if (port == ADDRESS && bytes == 4)
		latch = value;
	if (port < DATA || port + bytes > DATA + 4 || !find_latched(&target))
		return false;
	if (vpmu_cpu_ignores(cpu, value))
		return true;
	config_store(cpu, &target, OFFSET(latch) + port - DATA, bytes, value);
	return true;
}
