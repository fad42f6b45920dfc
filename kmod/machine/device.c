// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "device.h"

#include <linux/acpi.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/nodemask.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "memory_counters.h"
#include "ram.h"
#include "refusal.h"
#include "successor.h"

#define PACKAGES 8
#define NODES_OF_A_MAP 8

/**
 * struct unit_devices - the machine's PMU boxes of one uncore unit, such as memory channels
 * @unit: &enum bpmu_unit
 * @box: descriptor of the unit's boxes; NULL if the CPU model has none
 * @packages: boxes by package, [@nr_packages]; packages without a box are left out
 * @nr_packages: number of packages with at least one box
 * @claims: number of sessions and requests that need the devices now; claim_lock protects it
 *
 * Constant after the module was loaded, except for @claims and for the members of &struct
 * bpmu_device that the removal of a PCI device changes.
 */
struct unit_devices {
	u8 unit;
	const struct bpmu_box *box;
	struct bpmu_devices packages[PACKAGES];
	unsigned int nr_packages;
	unsigned int claims;
};

static struct unit_devices units[] = {
	{ .unit = BPMU_UNIT_IMC },
	{ .unit = BPMU_UNIT_HA },
	{ .unit = BPMU_UNIT_LINK },
	{ .unit = BPMU_UNIT_EDC_ECLK },
	{ .unit = BPMU_UNIT_EDC_UCLK },
	{ .unit = BPMU_UNIT_IMC_UCLK },
	{ .unit = BPMU_UNIT_M2PCIE },
};

/*
 * PCI identifiers of the devices of all units, for the driver; an element of zeros ends the table
 */
static struct pci_device_id ids[ARRAY_SIZE(units) * BPMU_DEVICES + 1];
static unsigned int nr_ids;

/* PCI device to which the module's driver is being attached, or NULL; claim_lock protects it */
static struct pci_dev *attaching;

/*
 * Called when a PCI device of a box is removed, before the box's registers are unmapped; NULL
 * before bpmu_devices_register()
 */
static void (*device_removed)(struct pci_dev *pci);

/*
 * Called by the driver core, to offer a PCI device to the module's driver. Returns 0 to take the
 * device, but only while attach_box() asks for it. Otherwise returns -ENODEV to decline the device,
 * so that other drivers may have it.
 */
static int bpmu_device_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	return pci == READ_ONCE(attaching) ? 0 : -ENODEV;
}

static void bpmu_device_remove(struct pci_dev *pci)
{
	device_removed(pci);
}

static struct pci_driver driver = {
	.name = KBUILD_MODNAME,
	.id_table = ids,
	.probe = bpmu_device_probe,
	.remove = bpmu_device_remove,
	.driver = {
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
		.suppress_bind_attrs = true,
	},
};

/*
 * Protects &unit_devices.claims and @attaching. The locks of the driver core and of the session,
 * and box_lock, may be taken while this lock is held, not the reverse. A notifier of the PCI bus
 * must not take it: the driver core calls these notifiers while it is held, and lets them wait for
 * those who register another one.
 */
static DEFINE_MUTEX(claim_lock);

/*
 * Protects the members of struct bpmu_device that change: @pci, @registers, @reserved and @gone.
 * The driver core is not called while this lock is held.
 */
static DEFINE_MUTEX(box_lock);

#define IN_USE "the %ss are in use by the driver %s: unload it, as with modprobe -r intel_uncore"

/*
 * Returns the devices with the boxes of a unit, or NULL if the unit is never reached through PCI
 * devices.
 */
static struct unit_devices *devices_of(u8 unit)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].unit == unit)
			return &units[i];
	return NULL;
}

/**
 * struct ubox - a UBox, the PCI device that tells the package of its bus and nearby buses
 * @domain: PCI domain of the UBox's bus
 * @bus: number of the UBox's bus
 * @package: physical package number
 */
struct ubox {
	int domain;
	u8 bus;
	int package;
};

/*
 * All UBoxes of the machine, [nr_uboxes], constant after bpmu_devices_find(). If uboxes_lower is
 * true, a UBox identifies buses with higher numbers than its own; if false, buses with lower
 * numbers.
 */
static struct ubox uboxes[PACKAGES];
static unsigned int nr_uboxes;
static bool uboxes_lower;
/* The CPU model has no UBox: the machine has one package, to which all PCI devices belong */
static bool one_package;

static void find_uboxes(const struct bpmu_ubox *layout)
{
	struct pci_dev *dev = NULL;
	u32 node, map;

	uboxes_lower = layout->lower;
	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, layout->device, dev))) {
		if (nr_uboxes == PACKAGES ||
		    pci_read_config_dword(dev, layout->node, &node) ||
		    pci_read_config_dword(dev, layout->map, &map) ||
		    bpmu_ubox_package(node, map) < 0) {
			pr_info("%s: its package is unknown: memory channels, home agents and links on its bus are ignored\n",
				pci_name(dev));
			continue;
		}
		uboxes[nr_uboxes].domain = pci_domain_nr(dev->bus);
		uboxes[nr_uboxes].bus = dev->bus->number;
		uboxes[nr_uboxes++].package = bpmu_ubox_package(node, map);
	}
}

/*
 * Returns the UBox that identifies the package of a device: the one on the device's bus, else the
 * one on the nearest bus with a higher number (with a lower number if &bpmu_ubox.lower is set).
 * Returns NULL if there is none.
 */
static const struct ubox *ubox_of(const struct pci_dev *dev)
{
	const struct ubox *next = NULL;
	int away, least = 0;
	unsigned int i;

	for (i = 0; i < nr_uboxes; i++) {
		away = uboxes[i].bus - dev->bus->number;
		if (uboxes_lower)
			away = -away;
		if (uboxes[i].domain != pci_domain_nr(dev->bus) || away < 0 ||
		    (next && away >= least))
			continue;
		next = &uboxes[i];
		least = away;
	}
	return next;
}

static struct bpmu_devices *package_of(struct unit_devices *devs, int package)
{
	unsigned int i;

	for (i = 0; i < devs->nr_packages; i++)
		if (devs->packages[i].package == package)
			return &devs->packages[i];
	/*
	 * A new package fits into the array: each package has a UBox, and find_uboxes() keeps at
	 * most PACKAGES.
	 */
	devs->packages[devs->nr_packages].package = package;
	return &devs->packages[devs->nr_packages++];
}

#ifdef CONFIG_PCI_MMCONFIG
/*
 * Returns the physical address of a bus's configuration space (1 MiB, of which a device has 4 KiB),
 * according to firmware's MCFG table; 0 if the table does not list the bus.
 */
static phys_addr_t mcfg_address(struct pci_bus *bus)
{
	const struct acpi_mcfg_allocation *entry, *end;
	struct acpi_table_header *table;
	phys_addr_t address = 0;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_MCFG, 0, &table)))
		return 0;
	entry = (void *)table + sizeof(struct acpi_table_mcfg);
	end = (void *)table + table->length;
	for (; entry + 1 <= end; entry++)
		if (entry->pci_segment == pci_domain_nr(bus) &&
		    entry->start_bus_number <= bus->number &&
		    entry->end_bus_number >= bus->number)
			address = entry->address + ((phys_addr_t)bus->number << 20);
	acpi_put_table(table);
	return address;
}

/*
 * Maps a device's configuration space at its address in the MCFG table, and returns the mapping,
 * which the caller unmaps. Returns NULL if the table has no such address, if the kernel does not
 * use the table (it then fails to read offset 256), or if the mapped space has other identifiers
 * than the device.
 */
static void __iomem *map_config(struct pci_dev *dev)
{
	phys_addr_t address = mcfg_address(dev->bus);
	void __iomem *config;
	u32 bits;

	if (!address || pci_bus_read_config_dword(dev->bus, dev->devfn,
						  PCI_CFG_SPACE_SIZE, &bits))
		return NULL;
	config = ioremap(address + (dev->devfn << 12), PCI_CFG_SPACE_EXP_SIZE);
	if (!config)
		return NULL;
	if (readl(config) == ((u32)dev->device << 16 | dev->vendor))
		return config;
	iounmap(config);
	return NULL;
}
#else
static void __iomem *map_config(struct pci_dev *dev)
{
	return NULL;
}
#endif

/* Returns the physical package number of a PCI device; -1 if no UBox identifies the package. */
static int package_by_ubox(const struct pci_dev *dev)
{
	const struct ubox *ubox = ubox_of(dev);

	if (one_package)
		return topology_physical_package_id(0);
	return ubox ? ubox->package : -1;
}

static bool add_to_package(struct unit_devices *devs, int package, struct bpmu_device device)
{
	struct bpmu_devices *devices = package >= 0 ? package_of(devs, package) : NULL;

	if (!devices || devices->nr == BPMU_DEVICES) {
		pr_info("%s: no UBox identifies its package, or that has more than %d: this %s is ignored\n",
			pci_name(device.pci), BPMU_DEVICES, devs->box->title);
		return false;
	}
	pci_dev_get(device.pci);
	devices->dev[devices->nr++] = device;
	return true;
}

/*
 * Returns true if the device answers. A device that firmware has switched off or hidden reads as
 * all ones. @select is the offset of an event select, which never holds all ones.
 */
static bool config_answers(struct pci_dev *dev, u32 select)
{
	u32 bits;

	return !pci_read_config_dword(dev, select, &bits) && ~bits;
}

/*
 * Returns true if the device's configuration space can be mapped, and can be read from offset 256
 * on. NULL is not passed to iounmap(), because iounmap() warns of NULL since Linux 6.11.
 */
static bool is_extended(struct pci_dev *dev)
{
	void __iomem *config = map_config(dev);

	if (config)
		iounmap(config);
	return config;
}

/* Returns true if the registers of the device's box can be read. Otherwise the log says why not. */
static bool is_reachable(struct pci_dev *dev, const struct bpmu_box *box)
{
	if (box->ctl >= PCI_CFG_SPACE_SIZE && !is_extended(dev))
		pr_info("%s: no extended configuration space (MMCONFIG), where this %s's counters are: it is ignored; boot without pci=nommconf, and with firmware that has an ACPI table MCFG of this bus\n",
			pci_name(dev), box->title);
	else if (!config_answers(dev, box->select))
		pr_info("%s: this %s does not answer, its registers read as all ones: it is ignored\n",
			pci_name(dev), box->title);
	else
		return true;
	return false;
}

/*
 * Adds the PMU box in the configuration space of a PCI device. Returns false if the box is left
 * out; the log then says why.
 */
static bool add_device(struct unit_devices *devs, struct pci_dev *dev)
{
	struct bpmu_device device = { .pci = dev };

	if (!is_reachable(dev, devs->box))
		return false;
	device.registers = map_config(dev);
	if (add_to_package(devs, package_by_ubox(dev), device))
		return true;
	if (device.registers)
		iounmap(device.registers);
	return false;
}

static void log_memory(const struct unit_devices *devs, const struct pci_dev *dev,
		       phys_addr_t address, const char *why)
{
	pr_info("%s: the registers of this %s, at %pa, %s: it is ignored\n",
		pci_name(dev), devs->box->title, &address, why);
}

/*
 * Returns true if registers at physical address @address would overlap the registers of a box in
 * @devs.
 */
static bool overlaps_box(const struct unit_devices *devs, phys_addr_t address)
{
	const struct bpmu_device *dev;
	unsigned int i, k;

	for (i = 0; i < devs->nr_packages; i++)
		for (k = 0; k < devs->packages[i].nr; k++) {
			dev = &devs->packages[i].dev[k];
			if (address < dev->address + devs->box->size &&
			    dev->address < address + devs->box->size)
				return true;
		}
	return false;
}

/*
 * Adds a PMU box whose registers are in memory, at physical address @address, which PCI device @dev
 * holds. @global: this box has the register that stops all boxes of the package. If the box is left
 * out, the log says why.
 */
static void add_in_memory(struct unit_devices *devs, struct pci_dev *dev, int package,
			  phys_addr_t address, bool global)
{
	struct bpmu_device device = { .pci = dev, .address = address, .global = global };
	const struct bpmu_box *box = devs->box;

	if (bpmu_is_ram(address, box->size)) {
		log_memory(devs, dev, address, "overlap RAM");
		return;
	}
	if (overlaps_box(devs, address)) {
		log_memory(devs, dev, address, "overlap those of another one");
		return;
	}
	device.registers = ioremap(address, box->size);
	if (!device.registers) {
		log_memory(devs, dev, address, "cannot be mapped");
		return;
	}
	if (readl(device.registers + box->ctl) == ~0U)
		log_memory(devs, dev, address, "read as all ones");
	else if (add_to_package(devs, package, device))
		return;
	iounmap(device.registers);
}

/*
 * Adds the PMU boxes and free-running counters of memory channels. Registers of PCI device @dev
 * hold the addresses of these channels.
 */
static void add_channels(struct unit_devices *devs, struct pci_dev *dev)
{
	const struct bpmu_channels *channels = devs->box->channels;
	int package = package_by_ubox(dev);
	u32 base, controller;
	phys_addr_t address;
	unsigned int i, k;

	if (pci_read_config_dword(dev, channels->base, &base))
		base = 0;
	for (i = 0; i < channels->controllers; i++) {
		if (pci_read_config_dword(dev, channels->controller + 4 * i, &controller))
			controller = 0;
		address = bpmu_controller_address(base, controller);
		if (address)
			bpmu_memory_add(dev, package, i, address + channels->free);
		for (k = 0; k < channels->nr; k++) {
			address = bpmu_channel_address(channels, base, controller, k);
			if (address)
				add_in_memory(devs, dev, package, address, false);
		}
	}
	if (!base)
		pr_info("%s: firmware has not set the address of %s registers: all are ignored\n",
			pci_name(dev), devs->box->title);
}

static void find_unit_devices(struct unit_devices *devs)
{
	const struct bpmu_box *box = devs->box;
	struct pci_device_id *id = &ids[nr_ids];
	bool silent = false;
	struct pci_dev *dev;
	const u16 *device;

	for (device = box->devices; *device; device++, id++) {
		id->vendor = PCI_VENDOR_ID_INTEL;
		id->device = *device;
		id->subvendor = PCI_ANY_ID;
		id->subdevice = PCI_ANY_ID;
		nr_ids++;
		dev = NULL;
		while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, *device, dev))) {
			if (box->channels)
				add_channels(devs, dev);
			if (box->channels || !add_device(devs, dev))
				silent = true;
		}
	}
	if (!devs->nr_packages && !silent)
		pr_info("no PCI device has a %s's counters; where firmware hides these buses, pci=lastbus=255 shows them\n",
			box->title);
}

/**
 * bpmu_devices_find() - find the PCI devices that have boxes, or hold addresses of boxes
 * @part: descriptor of the CPU model
 *
 * A device that does not answer, or whose package is unknown, is left out; the log names it.
 *
 * Context: module load, may sleep; once.
 */
void bpmu_devices_find(const struct bpmu_part *part)
{
	const struct bpmu_ubox *ubox = part->uncore ? part->uncore->ubox : NULL;
	unsigned int i;

	one_package = !ubox;
	if (ubox && nr_node_ids > NODES_OF_A_MAP) {
		pr_info("more than %d NUMA nodes: the packages of PCI devices are unknown, memory channels, home agents and links are ignored\n",
			NODES_OF_A_MAP);
		return;
	}
	if (ubox)
		find_uboxes(ubox);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		units[i].box = bpmu_uncore_box(part, units[i].unit);
		if (units[i].box && units[i].box->devices)
			find_unit_devices(&units[i]);
	}
}

/*
 * Adds the PMU box in the configuration space of a PCI device. @address, from the discovery table
 * in device @teller, encodes bus, device and function. If there is no such device, or it is in
 * another package than @teller, the box is left out, and the log says so.
 */
static void add_in_config(struct unit_devices *devs, struct pci_dev *teller, u64 address)
{
	u32 at = bpmu_discovery_device(address);
	u8 devfn = at;
	struct pci_dev *dev = pci_get_domain_bus_and_slot(at >> 16, PCI_BUS_NUM(at), devfn);

	if (!dev || dev->vendor != PCI_VENDOR_ID_INTEL || ubox_of(dev) != ubox_of(teller))
		pr_info("%s: the discovery table's %s at PCI device %x:%02x:%02x.%u is no device of this package: it is ignored\n",
			pci_name(teller), devs->box->title, at >> 16, PCI_BUS_NUM(at),
			PCI_SLOT(devfn), PCI_FUNC(devfn));
	else
		add_device(devs, dev);
	pci_dev_put(dev);
}

/**
 * bpmu_devices_add() - add a device for one more box of a unit: a PCI device or mapped memory
 * @teller: PCI device that points to the discovery table in which the unit is listed
 * @box: descriptor of the unit's boxes, completed with the register offsets from @unit
 * @unit: the unit as the discovery table lists it; &bpmu_discovery_unit.access is memory or
 *	configuration space
 *
 * If the unit is left out, the log says why.
 *
 * Context: module load, may sleep; after bpmu_devices_find().
 */
void bpmu_devices_add(struct pci_dev *teller, const struct bpmu_box *box,
		      const struct bpmu_discovery_unit *unit)
{
	struct unit_devices *devs = devices_of(box->unit);

	devs->box = box;
	if (unit->access == BPMU_ACCESS_PCI)
		add_in_config(devs, teller, unit->address);
	else
		add_in_memory(devs, teller, package_by_ubox(teller), unit->address, false);
}

/**
 * bpmu_devices_add_controller() - add a device for a client's memory controller: mapped memory
 * @host: host bridge, whose MCHBAR has the address of the memory controllers
 * @box: descriptor of the PMU box of a memory controller
 * @controller: index of the memory controller
 * @address: physical address of the registers of the box
 *
 * The box belongs to the only package that a client has. If the box is left out, the log says why.
 *
 * Context: module load, may sleep.
 */
void bpmu_devices_add_controller(struct pci_dev *host, const struct bpmu_box *box,
				 unsigned int controller, phys_addr_t address)
{
	struct unit_devices *devs = devices_of(box->unit);

	devs->box = box;
	add_in_memory(devs, host, topology_physical_package_id(0), address,
		      box->global && controller == box->global_in);
}

/**
 * bpmu_devices_manage() - check if a unit's boxes are PCI devices, or at addresses in PCI devices
 * @unit: &enum bpmu_unit
 *
 * Context: any.
 * Return: true if the registers are in PCI devices, or at addresses that PCI devices hold, so that
 * the functions of device.h can be called for @unit.
 */
bool bpmu_devices_manage(u8 unit)
{
	return devices_of(unit);
}

/**
 * bpmu_devices_most() - number of a unit's PCI devices in the package that has most of them
 * @unit: &enum bpmu_unit for which bpmu_devices_manage() returns true
 *
 * Context: any, after bpmu_devices_find().
 * Return: number of boxes, 0 if no package has one.
 */
u32 bpmu_devices_most(u8 unit)
{
	const struct unit_devices *devs = devices_of(unit);
	unsigned int i;
	u32 most = 0;

	for (i = 0; i < devs->nr_packages; i++)
		most = max(most, devs->packages[i].nr);
	return most;
}

/**
 * bpmu_devices_here() - find the PCI devices with a unit's boxes in this CPU's package
 * @unit: &enum bpmu_unit for which bpmu_devices_manage() returns true
 *
 * Context: preemption off.
 * Return: the boxes, or NULL if the package has none or one of their devices has been removed.
 */
const struct bpmu_devices *bpmu_devices_here(u8 unit)
{
	int package = topology_physical_package_id(smp_processor_id());
	const struct unit_devices *devs = devices_of(unit);
	const struct bpmu_devices *devices;
	unsigned int i, k;

	for (i = 0; i < devs->nr_packages; i++) {
		devices = &devs->packages[i];
		if (devices->package != package)
			continue;
		for (k = 0; k < devices->nr; k++)
			if (READ_ONCE(devices->dev[k].gone))
				return NULL;
		return devices;
	}
	return NULL;
}

/**
 * bpmu_devices_have() - check if any box has its registers, or their address, in a PCI device
 * @devices: boxes of a unit in a package
 * @pci: PCI device
 *
 * Context: any.
 * Return: true if a box depends on @pci.
 */
bool bpmu_devices_have(const struct bpmu_devices *devices, const struct pci_dev *pci)
{
	unsigned int k;

	for (k = 0; k < devices->nr; k++)
		if (devices->dev[k].pci == pci)
			return true;
	return false;
}

/*
 * Returns true if the module's driver binds to the unit's PCI devices, and thereby keeps other
 * drivers away. Binding would not help for devices that a discovery table lists: perf's driver
 * binds to none of these devices, but accesses them by address (Linux, uncore.c,
 * uncore_pci_pmus_register()).
 */
static bool is_bound(const struct unit_devices *devs)
{
	return devs->box && devs->box->devices;
}

/*
 * Returns true if the module's driver is bound to the PCI device. Otherwise sets a sentence in
 * @extack, with the name of the driver that is bound.
 */
static bool is_ours(const struct unit_devices *devs, struct pci_dev *pci,
		    struct netlink_ext_ack *extack)
{
	const struct device_driver *bound;
	bool ours;

	lockdep_assert_held(&claim_lock);
	device_lock(&pci->dev);
	bound = pci->dev.driver;
	ours = bound == &driver.driver;
	if (!ours)
		bpmu_refuse_fmt(extack, IN_USE, devs->box->title,
				bound ? bound->name : "that driver_override asks for");
	device_unlock(&pci->dev);
	return ours;
}

/*
 * Calls @visit for each box of a unit, until a call returns false. Returns true if all calls
 * returned true.
 */
static bool visit_boxes(struct unit_devices *devs, struct netlink_ext_ack *extack,
			bool (*visit)(struct unit_devices *devs, struct bpmu_device *dev,
				      struct netlink_ext_ack *extack))
{
	unsigned int i, k;

	for (i = 0; i < devs->nr_packages; i++)
		for (k = 0; k < devs->packages[i].nr; k++)
			if (!visit(devs, &devs->packages[i].dev[k], extack))
				return false;
	return true;
}

static bool attach_box(struct unit_devices *devs, struct bpmu_device *dev,
		       struct netlink_ext_ack *extack)
{
	if (READ_ONCE(dev->gone))
		return true;
	WRITE_ONCE(attaching, dev->pci);
	/*
	 * An error is only logged: is_ours() then finds out which driver has the device, and
	 * reports it.
	 */
	if (device_driver_attach(&driver.driver, &dev->pci->dev))
		pci_dbg(dev->pci, "the driver is not attached\n");
	WRITE_ONCE(attaching, NULL);
	/* The device may have been removed meanwhile. */
	return READ_ONCE(dev->gone) || is_ours(devs, dev->pci, extack);
}

static bool detach_box(struct unit_devices *devs, struct bpmu_device *dev,
		       struct netlink_ext_ack *extack)
{
	if (!READ_ONCE(dev->gone) && dev->pci->dev.driver == &driver.driver)
		device_release_driver(&dev->pci->dev);
	return true;
}

/*
 * Gives a new PCI device to a box whose device was removed: the device that has appeared at the
 * same place. Maps the box's registers. Returns true if the box can be used. Otherwise sets a
 * sentence in @extack and returns false.
 */
static bool revive_box(const struct unit_devices *devs, struct bpmu_device *dev,
		       struct netlink_ext_ack *extack)
{
	struct pci_dev *old = dev->pci, *pci;

	lockdep_assert_held(&box_lock);
	if (!dev->gone)
		return true;
	pci = bpmu_successor(old);
	if (!pci) {
		bpmu_refuse_fmt(extack,
				"the %s's PCI device %s has been removed: echo 1 > /sys/bus/pci/rescan",
				devs->box->title, pci_name(old));
		return false;
	}
	dev->registers = dev->address ? ioremap(dev->address, devs->box->size) : map_config(pci);
	if (dev->address && !dev->registers) {
		pci_dev_put(pci);
		bpmu_refuse_fmt(extack, "the %ss' registers, at %pa, cannot be mapped",
				devs->box->title, &dev->address);
		return false;
	}
	dev->pci = pci;
	WRITE_ONCE(dev->gone, false);
	pci_dev_put(old);
	return true;
}

static bool has_cpu(int package, const struct cpumask *cpus)
{
	unsigned int cpu;

	for_each_cpu(cpu, cpus)
		if (topology_physical_package_id(cpu) == package)
			return true;
	return false;
}

/*
 * Looks for new PCI devices in place of removed ones. Returns true if all boxes in the packages of
 * @cpus can be used. Otherwise sets a sentence in @extack and returns false.
 */
static bool revive_boxes(struct unit_devices *devs, const struct cpumask *cpus,
			 struct netlink_ext_ack *extack)
{
	struct netlink_ext_ack unwanted = { };
	struct bpmu_devices *devices;
	bool wanted, revived = true;
	unsigned int i, k;

	mutex_lock(&box_lock);
	for (i = 0; revived && i < devs->nr_packages; i++) {
		devices = &devs->packages[i];
		wanted = has_cpu(devices->package, cpus);
		for (k = 0; revived && k < devices->nr; k++)
			revived = revive_box(devs, &devices->dev[k], wanted ? extack : &unwanted) ||
				  !wanted;
	}
	mutex_unlock(&box_lock);
	return revived;
}

/*
 * Returns true, and sets a sentence in @extack, if perf's driver of the unit's memory-mapped
 * registers is loaded. A session must then be refused: that driver neither reserves the registers
 * nor binds to a PCI device, so that nothing else keeps the two apart. If that driver is loaded
 * later, its writes show in samples, like those of any other tool.
 */
static bool is_loaded(const struct unit_devices *devs, struct netlink_ext_ack *extack)
{
	const char *name = devs->box ? devs->box->driver : NULL;

	if (!name || !driver_find(name, &pci_bus_type))
		return false;
	bpmu_refuse_fmt(extack, IN_USE, devs->box->title, name);
	return true;
}

static void unreserve_memory(struct unit_devices *devs)
{
	struct bpmu_device *dev;
	unsigned int i, k;

	lockdep_assert_held(&box_lock);
	for (i = 0; i < devs->nr_packages; i++)
		for (k = 0; k < devs->packages[i].nr; k++) {
			dev = &devs->packages[i].dev[k];
			if (dev->reserved)
				release_mem_region(dev->address, devs->box->size);
			dev->reserved = false;
		}
}

/*
 * Reserves the memory of the registers of all boxes of a unit. Returns false if another driver has
 * reserved some of it; then none stays reserved, and a sentence is set in @extack.
 */
static bool reserve_memory(struct unit_devices *devs, struct netlink_ext_ack *extack)
{
	struct bpmu_device *dev;
	unsigned int i, k;

	lockdep_assert_held(&box_lock);
	for (i = 0; i < devs->nr_packages; i++)
		for (k = 0; k < devs->packages[i].nr; k++) {
			dev = &devs->packages[i].dev[k];
			if (!dev->address || dev->gone)
				continue;
			dev->reserved = request_mem_region(dev->address, devs->box->size,
							   KBUILD_MODNAME);
			if (dev->reserved)
				continue;
			bpmu_refuse_fmt(extack,
					"the %ss' registers, at %pa, are in use by the driver that /proc/iomem names: unload it",
					devs->box->title, &dev->address);
			unreserve_memory(devs);
			return false;
		}
	return true;
}

/*
 * Keeps other drivers away from a unit that nobody has claimed yet: attaches the module's driver
 * and reserves memory. Returns 0; -ENODEV or -EADDRINUSE after a sentence was set in @extack.
 */
static int acquire(struct unit_devices *devs, const struct cpumask *cpus,
		   struct netlink_ext_ack *extack)
{
	bool reserved;

	if (!revive_boxes(devs, cpus, extack))
		return -ENODEV;
	if (is_loaded(devs, extack) ||
	    (is_bound(devs) && !visit_boxes(devs, extack, attach_box)))
		goto err_detach;
	mutex_lock(&box_lock);
	reserved = reserve_memory(devs, extack);
	mutex_unlock(&box_lock);
	if (reserved)
		return 0;

err_detach:
	visit_boxes(devs, extack, detach_box);
	return -EADDRINUSE;
}

/**
 * bpmu_devices_claim() - keep other drivers away from all PCI devices of a unit
 * @unit: &enum bpmu_unit for which bpmu_devices_manage() returns true
 * @cpus: CPUs that will read the unit's boxes
 * @extack: set to a sentence on refusal
 *
 * Claims nest; each success needs one bpmu_devices_unclaim(). The first claim also looks for
 * devices that were removed and are back.
 *
 * Context: process, may sleep, no lock held, because the driver core takes the CPU hotplug lock.
 * Return: 0; -EADDRINUSE if another driver uses a box; -ENODEV if a device of a package with one
 * of the CPUs has been removed.
 */
int bpmu_devices_claim(u8 unit, const struct cpumask *cpus, struct netlink_ext_ack *extack)
{
	struct unit_devices *devs = devices_of(unit);
	int err = 0;

	mutex_lock(&claim_lock);
	if (!devs->claims)
		err = acquire(devs, cpus, extack);
	if (!err)
		devs->claims++;
	mutex_unlock(&claim_lock);
	return err;
}

/**
 * bpmu_devices_unclaim() - drop one claim on the PCI devices of a unit
 * @unit: &enum bpmu_unit; it was claimed by bpmu_devices_claim()
 *
 * After the last claim was dropped, other drivers may use the devices again.
 *
 * Context: process, may sleep, no lock held.
 */
void bpmu_devices_unclaim(u8 unit)
{
	struct unit_devices *devs = devices_of(unit);

	mutex_lock(&claim_lock);
	if (!--devs->claims) {
		mutex_lock(&box_lock);
		unreserve_memory(devs);
		mutex_unlock(&box_lock);
		visit_boxes(devs, NULL, detach_box);
	}
	mutex_unlock(&claim_lock);
}

/*
 * Marks a box as gone if its registers are in PCI device @pci, or if @pci holds the address of its
 * registers. Returns true if any box was marked.
 */
static bool mark_gone(const struct pci_dev *pci)
{
	struct bpmu_devices *devices;
	struct unit_devices *devs;
	bool found = false;
	unsigned int i, k;

	for (devs = units; devs < units + ARRAY_SIZE(units); devs++)
		for (i = 0; i < devs->nr_packages; i++) {
			devices = &devs->packages[i];
			for (k = 0; k < devices->nr; k++)
				if (devices->dev[k].pci == pci) {
					WRITE_ONCE(devices->dev[k].gone, true);
					found = true;
				}
		}
	return found;
}

static void unmap_gone(const struct pci_dev *pci)
{
	struct unit_devices *devs;
	struct bpmu_device *dev;
	unsigned int i, k;

	for (devs = units; devs < units + ARRAY_SIZE(units); devs++)
		for (i = 0; i < devs->nr_packages; i++)
			for (k = 0; k < devs->packages[i].nr; k++) {
				dev = &devs->packages[i].dev[k];
				if (dev->pci != pci || !dev->gone)
					continue;
				if (dev->reserved)
					release_mem_region(dev->address, devs->box->size);
				dev->reserved = false;
				if (dev->registers)
					iounmap(dev->registers);
				dev->registers = NULL;
			}
}

/*
 * Handles the removal of a PCI device, which the PCI bus announces. First the boxes of the device
 * are marked as gone, so that no CPU begins to use their registers. device_removed() then waits
 * until no CPU uses them any more. Only then the registers are unmapped. Returns NOTIFY_OK if the
 * module used the device, else NOTIFY_DONE.
 */
static int bpmu_devices_notify(struct notifier_block *block, unsigned long action, void *data)
{
	struct pci_dev *pci = to_pci_dev(data);
	bool found;

	if (action != BUS_NOTIFY_DEL_DEVICE)
		return NOTIFY_DONE;
	mutex_lock(&box_lock);
	found = mark_gone(pci);
	mutex_unlock(&box_lock);
	found |= bpmu_memory_lose(pci);
	if (!found)
		return NOTIFY_DONE;
	device_removed(pci);
	mutex_lock(&box_lock);
	unmap_gone(pci);
	mutex_unlock(&box_lock);
	bpmu_memory_unmap(pci);
	return NOTIFY_OK;
}

static struct notifier_block bus_block = {
	.notifier_call = bpmu_devices_notify,
};

/**
 * bpmu_devices_register() - register the driver of the PCI devices, and a notifier of their removal
 * @removed: called in process context before a PCI device is removed. When it returns, no CPU may
 *	use registers in the device, or registers whose address the device holds
 *
 * bpmu_devices_forget() undoes this.
 *
 * Context: module load, may sleep, no lock held; after bpmu_devices_find().
 * Return: 0 or a negative errno.
 */
int bpmu_devices_register(void (*removed)(struct pci_dev *pci))
{
	int err;

	device_removed = removed;
	err = pci_register_driver(&driver);
	if (err)
		goto err_none;
	err = bus_register_notifier(&pci_bus_type, &bus_block);
	if (err)
		goto err_driver;
	return 0;

err_driver:
	pci_unregister_driver(&driver);
err_none:
	device_removed = NULL;
	return err;
}

/**
 * bpmu_devices_forget() - unmap all boxes and drop the references to their PCI devices
 *
 * Context: module unload or failed load, without a session; may sleep.
 */
void bpmu_devices_forget(void)
{
	struct bpmu_devices *devices;
	struct bpmu_device *dev;
	struct unit_devices *devs;

	if (device_removed) {
		bus_unregister_notifier(&pci_bus_type, &bus_block);
		pci_unregister_driver(&driver);
	}
	for (devs = units; devs < units + ARRAY_SIZE(units); devs++)
		for (; devs->nr_packages; devs->nr_packages--) {
			devices = &devs->packages[devs->nr_packages - 1];
			while (devices->nr) {
				dev = &devices->dev[--devices->nr];
				if (dev->registers)
					iounmap(dev->registers);
				pci_dev_put(dev->pci);
			}
		}
}

/*
 * Reads 32 bits at an offset of a device's configuration space, or of its mapped registers. Returns
 * 0, or nonzero if the kernel cannot read that offset. Unlike pci_read_config_dword() this function
 * does not ask if the device was unplugged: the devices are part of the processor.
 */
static int read_dword(const struct bpmu_device *dev, u32 offset, u32 *bits)
{
	if (!dev->registers)
		return pci_bus_read_config_dword(dev->pci->bus, dev->pci->devfn, offset,
						 bits);
	*bits = readl(dev->registers + offset);
	return 0;
}

/**
 * bpmu_device_read() - read a 32-bit register of a device, which is a PCI device or mapped memory
 * @dev: the device, which has a box
 * @offset: offset of the register in configuration space, or from the box's physical address
 * @value: set to the register's 32 bits
 *
 * Context: any but NMI; the sampling path.
 * Return: 0; nonzero if the kernel cannot reach that offset of configuration space.
 */
int bpmu_device_read(const struct bpmu_device *dev, u32 offset, u64 *value)
{
	u32 bits;
	int err = read_dword(dev, offset, &bits);

	*value = bits;
	return err;
}

/**
 * bpmu_device_write() - write a 32-bit register of a device, which is a PCI device or mapped memory
 * @dev: the device, which has a box
 * @offset: offset of the register in configuration space, or from the box's physical address
 * @value: the register's 32 bits
 *
 * Context: any but NMI; the sampling path.
 * Return: 0; nonzero if the kernel cannot reach that offset of configuration space.
 */
int bpmu_device_write(const struct bpmu_device *dev, u32 offset, u64 value)
{
	if (!dev->address)
		return pci_write_config_dword(dev->pci, offset, value);
	writel(value, dev->registers + offset);
	return 0;
}

/**
 * bpmu_device_read_counter() - read a device's counter of more than 32 bits, which may be counting
 * @dev: the device, which has a box
 * @offset: offset of the register with bits 31:0; the register with the upper bits follows
 * @value: set to the raw counter, both halves
 *
 * A memory-mapped counter is read by one load. In configuration space a counter has two registers,
 * and the lower half may overflow after it was read and before the upper half is read. A counter
 * takes at least half a second to count 2^31, so that a lower half below 2^31 cannot overflow in
 * that time. If the lower half is 2^31 or more it is read again, and if it has overflowed the upper
 * half is read again too.
 *
 * Context: any but NMI; the sampling path. Two accesses, or up to four.
 * Return: 0; nonzero if the kernel cannot reach that offset of configuration space.
 */
int bpmu_device_read_counter(const struct bpmu_device *dev, u32 offset, u64 *value)
{
	u32 low, high, again;
	int err;

	if (dev->address) {
		*value = readq(dev->registers + offset);
		return 0;
	}
	err = read_dword(dev, offset, &low);
	err |= read_dword(dev, offset + 4, &high);
	if (low >> 31) {
		err |= read_dword(dev, offset, &again);
		if (again < low)
			err |= read_dword(dev, offset + 4, &high);
		low = again;
	}
	*value = (u64)high << 32 | low;
	return err;
}

/**
 * bpmu_device_write_counter() - write a stopped counter of over 32 bits of a device
 * @dev: the device, which has a box
 * @offset: offset of the register with bits 31:0; the register with the upper bits follows
 * @value: new value of the counter, both halves
 *
 * Context: any but NMI; the sampling path.
 * Return: 0; nonzero if the kernel cannot reach that offset of configuration space.
 */
int bpmu_device_write_counter(const struct bpmu_device *dev, u32 offset, u64 value)
{
	if (dev->address) {
		writeq(value, dev->registers + offset);
		return 0;
	}
	return pci_write_config_dword(dev->pci, offset, lower_32_bits(value)) |
	       pci_write_config_dword(dev->pci, offset + 4, upper_32_bits(value));
}
