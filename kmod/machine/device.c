// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "device.h"

#include <linux/acpi.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/nodemask.h>
#include <linux/pci.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "ram.h"

#define PACKAGES 8
#define NODES_OF_A_MAP 8

/**
 * struct kind - the devices of a unit, and the driver that keeps others away
 * @unit: &enum bpmu_unit
 * @box: it in the part's descriptor; NULL if the part has none
 * @packages: those of each package, [@nr_packages]
 * @nr_packages: how many have some
 * @ids: their identifiers, ended by one of zeros, [BPMU_DEVICES + 1]
 * @driver: bound to them while a session counts. It need not do anything
 * @claims: sessions and requests that want it bound, under &claim_lock
 *
 * All but the last are written when the module is loaded, before anyone reads them.
 */
struct kind {
	u8 unit;
	const struct bpmu_box *box;
	struct bpmu_devices packages[PACKAGES];
	unsigned int nr_packages;
	struct pci_device_id ids[BPMU_DEVICES + 1];
	struct pci_driver driver;
	unsigned int claims;
};

static int bpmu_device_bind(struct pci_dev *dev, const struct pci_device_id *id)
{
	return 0;
}

#define KIND(number, suffix) { \
	.unit = (number), \
	.driver = { \
		.name = KBUILD_MODNAME suffix, \
		.probe = bpmu_device_bind, \
		.driver = { \
			.probe_type = PROBE_FORCE_SYNCHRONOUS, \
			.suppress_bind_attrs = true, \
		}, \
	}, \
}

static struct kind kinds[] = {
	KIND(BPMU_UNIT_IMC, ""),
	KIND(BPMU_UNIT_HA, "_ha"),
	KIND(BPMU_UNIT_LINK, "_link"),
};

/* protects what is below and what binds the drivers */
static DEFINE_MUTEX(claim_lock);
static char refusal[128];

static struct kind *kind_of(u8 unit)
{
	struct kind *kind = kinds;

	while (kind->unit != unit)
		kind++;
	return kind;
}

/**
 * struct ubox - a device that tells of which package the buses near its own are
 * @domain: of its bus
 * @bus: number of that
 * @package: physical number
 */
struct ubox {
	int domain;
	u8 bus;
	int package;
};

/* constant after bpmu_devices_find() */
static struct ubox uboxes[PACKAGES];
static unsigned int nr_uboxes;
static bool uboxes_lower;

static void find_uboxes(const struct bpmu_ubox *kind)
{
	struct pci_dev *dev = NULL;
	u32 node, map;

	uboxes_lower = kind->lower;

	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, kind->device, dev))) {
		if (nr_uboxes == PACKAGES ||
		    pci_read_config_dword(dev, kind->node, &node) ||
		    pci_read_config_dword(dev, kind->map, &map) ||
		    bpmu_ubox_package(node, map) < 0) {
			pr_info("%s: its package is not known: memory channels, home agents and links on its bus are not counted in\n",
				pci_name(dev));
			continue;
		}
		uboxes[nr_uboxes].domain = pci_domain_nr(dev->bus);
		uboxes[nr_uboxes].bus = dev->bus->number;
		uboxes[nr_uboxes++].package = bpmu_ubox_package(node, map);
	}
}

/* that of the bus, or of the next one that has one, up or down; NULL if there is none */
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

static struct bpmu_devices *package_of(struct kind *kind, int package)
{
	unsigned int i;

	for (i = 0; i < kind->nr_packages; i++)
		if (kind->packages[i].package == package)
			return &kind->packages[i];
	/* not more than there are devices that tell packages */
	kind->packages[kind->nr_packages].package = package;
	return &kind->packages[kind->nr_packages++];
}

#ifdef CONFIG_PCI_MMCONFIG
/* of a bus, as firmware says; 0 where it says nothing. A device has 4 KiB there */
static phys_addr_t config_of(struct pci_bus *bus)
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

/* the kernel does without a table that it finds wrong, and reads no offset from 256 on */
static void __iomem *map_config(struct pci_dev *dev)
{
	phys_addr_t address = config_of(dev->bus);
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

static bool add(struct kind *kind, const struct ubox *ubox, struct bpmu_device device)
{
	struct bpmu_devices *devices = ubox ? package_of(kind, ubox->package) : NULL;

	if (!devices || devices->nr == BPMU_DEVICES) {
		pr_info("%s: no device tells its package, or it has more than %d: this %s is not counted in\n",
			pci_name(device.pci), BPMU_DEVICES, kind->box->title);
		return false;
	}
	pci_dev_get(device.pci);
	devices->dev[devices->nr++] = device;
	return true;
}

/* a device that is switched off, or hidden by firmware, reads as all ones */
static bool answers(struct pci_dev *dev, u32 select)
{
	u32 bits;

	return !pci_read_config_dword(dev, select, &bits) && ~bits;
}

/* offsets from 256 on are reached through memory alone, which answers for the device */
static bool is_extended(struct pci_dev *dev)
{
	void __iomem *config = map_config(dev);

	iounmap(config);
	return config;
}

/* are its counters reached; or the log says why not */
static bool is_reachable(struct pci_dev *dev, const struct bpmu_box *box)
{
	if (box->ctl >= PCI_CFG_SPACE_SIZE && !is_extended(dev))
		pr_info("%s: no extended configuration space (MMCONFIG), where this %s's counters are: it is not counted in; boot without pci=nommconf, and with firmware that has an ACPI table MCFG of this bus\n",
			pci_name(dev), box->title);
	else if (!answers(dev, box->select))
		pr_info("%s: this %s does not answer, its registers read as all ones: it is not counted in\n",
			pci_name(dev), box->title);
	else
		return true;
	return false;
}

static bool add_device(struct kind *kind, struct pci_dev *dev, const struct ubox *ubox)
{
	struct bpmu_device device = { .pci = dev };

	if (!is_reachable(dev, kind->box))
		return false;
	device.registers = map_config(dev);
	if (!add(kind, ubox, device) && device.registers)
		iounmap(device.registers);
	return true;
}

/* says why a box at an address is not counted in */
static void log_memory(const struct kind *kind, const struct pci_dev *dev,
		       phys_addr_t address, const char *why)
{
	pr_info("%s: the registers of this %s, at %pa, %s: it is not counted in\n",
		pci_name(dev), kind->box->title, &address, why);
}

/* has a box of the kind some of these registers */
static bool overlaps(const struct kind *kind, phys_addr_t address)
{
	const struct bpmu_device *dev;
	unsigned int i, k;

	for (i = 0; i < kind->nr_packages; i++)
		for (k = 0; k < kind->packages[i].nr; k++) {
			dev = &kind->packages[i].dev[k];
			if (address < dev->address + kind->box->size &&
			    dev->address < address + kind->box->size)
				return true;
		}
	return false;
}

static void add_in_memory(struct kind *kind, struct pci_dev *dev, const struct ubox *ubox,
			  phys_addr_t address)
{
	struct bpmu_device device = { .pci = dev, .address = address };
	const struct bpmu_box *box = kind->box;

	if (bpmu_is_ram(address, box->size)) {
		log_memory(kind, dev, address, "are where the machine has RAM");
		return;
	}
	if (overlaps(kind, address)) {
		log_memory(kind, dev, address, "are another one's");
		return;
	}
	device.registers = ioremap(address, box->size);
	if (!device.registers) {
		log_memory(kind, dev, address, "cannot be mapped");
		return;
	}
	if (readl(device.registers + box->ctl) == ~0U)
		log_memory(kind, dev, address, "do not answer, all bits are set");
	else if (add(kind, ubox, device))
		return;
	iounmap(device.registers);
}

/* a device tells where the channels of some memory controllers have their registers */
static void add_channels(struct kind *kind, struct pci_dev *dev, const struct ubox *ubox)
{
	const struct bpmu_channels *channels = kind->box->channels;
	u32 base, controller;
	phys_addr_t address;
	unsigned int i, k;

	if (pci_read_config_dword(dev, channels->base, &base))
		base = 0;
	for (i = 0; i < channels->controllers; i++) {
		if (pci_read_config_dword(dev, channels->controller + 4 * i, &controller))
			controller = 0;
		for (k = 0; k < channels->nr; k++) {
			address = bpmu_channel_address(channels, base, controller, k);
			if (address)
				add_in_memory(kind, dev, ubox, address);
		}
	}
	if (!base)
		pr_info("%s: firmware has not told where a %s's registers are: none is counted in\n",
			pci_name(dev), kind->box->title);
}

static void find_kind(struct kind *kind)
{
	const struct bpmu_box *box = kind->box;
	struct pci_device_id *id = kind->ids;
	const struct ubox *of;
	bool silent = false;
	struct pci_dev *dev;
	const u16 *device;

	kind->driver.id_table = kind->ids;
	for (device = box->devices; *device; device++, id++) {
		id->vendor = PCI_VENDOR_ID_INTEL;
		id->device = *device;
		id->subvendor = PCI_ANY_ID;
		id->subdevice = PCI_ANY_ID;
		dev = NULL;
		while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, *device, dev))) {
			of = ubox_of(dev);
			if (box->channels)
				add_channels(kind, dev, of);
			if (box->channels || !add_device(kind, dev, of))
				silent = true;
		}
	}
	if (!kind->nr_packages && !silent)
		pr_info("no PCI device has a %s's counters; where firmware hides these buses, pci=lastbus=255 shows them\n",
			box->title);
}

/**
 * bpmu_devices_find() - look for the devices of a part
 * @part: descriptor
 *
 * Those that do not answer or whose package is not known are left out, and named in the log.
 *
 * Context: module load, may sleep; once.
 */
void bpmu_devices_find(const struct bpmu_part *part)
{
	const struct bpmu_ubox *ubox = part->uncore ? part->uncore->ubox : NULL;
	unsigned int i;

	if (!ubox)
		return;
	if (nr_node_ids > NODES_OF_A_MAP) {
		pr_info("more than %d NUMA nodes: of which package a PCI device is cannot be told, memory channels, home agents and links are not counted in\n",
			NODES_OF_A_MAP);
		return;
	}
	find_uboxes(ubox);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kinds[i].box = bpmu_uncore_box(part, kinds[i].unit);
		if (kinds[i].box && kinds[i].box->devices)
			find_kind(&kinds[i]);
	}
}

/* which the package of @teller must have as well */
static void add_in_config(struct kind *kind, struct pci_dev *teller, u64 address)
{
	u32 at = bpmu_discovery_device(address);
	u8 devfn = at;
	struct pci_dev *dev = pci_get_domain_bus_and_slot(at >> 16, PCI_BUS_NUM(at), devfn);

	if (!dev || dev->vendor != PCI_VENDOR_ID_INTEL || ubox_of(dev) != ubox_of(teller))
		pr_info("%s: the discovery table's %s at PCI device %x:%02x:%02x.%u is no device of the package's: it is not counted in\n",
			pci_name(teller), kind->box->title, at >> 16, PCI_BUS_NUM(at),
			PCI_SLOT(devfn), PCI_FUNC(devfn));
	else
		add_device(kind, dev, ubox_of(dev));
	pci_dev_put(dev);
}

/**
 * bpmu_devices_add() - add a unit of a discovery table
 * @teller: PCI device that has the table
 * @box: the box of such units, with the registers of this one
 * @unit: its record, reached through memory or by configuration space
 *
 * If it is not counted in the log says why.
 *
 * Context: module load, may sleep; after bpmu_devices_find().
 */
void bpmu_devices_add(struct pci_dev *teller, const struct bpmu_box *box,
		      const struct bpmu_discovery_unit *unit)
{
	struct kind *kind = kind_of(box->unit);

	kind->box = box;
	if (unit->access == BPMU_ACCESS_PCI)
		add_in_config(kind, teller, unit->address);
	else
		add_in_memory(kind, teller, ubox_of(teller), unit->address);
}

/**
 * bpmu_devices_forget() - hold them no longer
 *
 * Context: module unload or its failed load, without a session; may sleep.
 */
void bpmu_devices_forget(void)
{
	struct bpmu_devices *devices;
	struct bpmu_device *dev;
	struct kind *kind;

	for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++)
		for (; kind->nr_packages; kind->nr_packages--) {
			devices = &kind->packages[kind->nr_packages - 1];
			while (devices->nr) {
				dev = &devices->dev[--devices->nr];
				if (dev->registers)
					iounmap(dev->registers);
				pci_dev_put(dev->pci);
			}
		}
}

/**
 * bpmu_devices_most() - the devices of the package that has most of them
 * @unit: &enum bpmu_unit, of PCI devices
 *
 * Context: any, after bpmu_devices_find().
 * Return: their number.
 */
u32 bpmu_devices_most(u8 unit)
{
	const struct kind *kind = kind_of(unit);
	unsigned int i;
	u32 most = 0;

	for (i = 0; i < kind->nr_packages; i++)
		most = max(most, kind->packages[i].nr);
	return most;
}

/**
 * bpmu_devices_here() - the devices of this CPU's package
 * @unit: &enum bpmu_unit, of PCI devices
 *
 * Context: this CPU, preemption off.
 * Return: the devices, or NULL if it has none.
 */
const struct bpmu_devices *bpmu_devices_here(u8 unit)
{
	int package = topology_physical_package_id(smp_processor_id());
	const struct kind *kind = kind_of(unit);
	unsigned int i;

	for (i = 0; i < kind->nr_packages; i++)
		if (kind->packages[i].package == package)
			return &kind->packages[i];
	return NULL;
}

/*
 * Boxes of a discovery table are reached without a driver, by that of perf as well: no device
 * says whether it programs them.
 */
static bool is_bound(const struct kind *kind)
{
	return kind->box && kind->box->devices;
}

/* is it ours; or says in @refusal whose */
static bool is_ours(const struct kind *kind, struct pci_dev *dev)
{
	const struct device_driver *driver;
	bool ours;

	lockdep_assert_held(&claim_lock);
	device_lock(&dev->dev);
	driver = dev->dev.driver;
	ours = driver == &kind->driver.driver;
	if (!ours)
		snprintf(refusal, sizeof(refusal),
			 "the %ss are in use by the driver %s: unload it, as with modprobe -r intel_uncore",
			 kind->box->title, driver ? driver->name : "that driver_override asks for");
	device_unlock(&dev->dev);
	return ours;
}

static bool all_are_ours(const struct kind *kind)
{
	unsigned int i, k;

	for (i = 0; i < kind->nr_packages && is_bound(kind); i++)
		for (k = 0; k < kind->packages[i].nr; k++)
			if (!is_ours(kind, kind->packages[i].dev[k].pci))
				return false;
	return true;
}

/*
 * Drivers that program registers in memory are not bound to the device that tells where these
 * are, nor do they reserve them; there is no way to keep one away that is loaded later, which
 * samples tell as other writes.
 */
static bool is_loaded(const struct kind *kind)
{
	const char *name = kind->box ? kind->box->driver : NULL;

	if (!name || !driver_find(name, &pci_bus_type))
		return false;
	snprintf(refusal, sizeof(refusal),
		 "the %ss are in use by the driver %s: unload it, as with modprobe -r intel_uncore",
		 kind->box->title, name);
	return true;
}

static void unreserve_memory(struct kind *kind)
{
	struct bpmu_device *dev;
	unsigned int i, k;

	for (i = 0; i < kind->nr_packages; i++)
		for (k = 0; k < kind->packages[i].nr; k++) {
			dev = &kind->packages[i].dev[k];
			if (dev->reserved)
				release_mem_region(dev->address, kind->box->size);
			dev->reserved = false;
		}
}

/* registers in memory; or says in @refusal that another has them */
static bool reserve_memory(struct kind *kind)
{
	struct bpmu_device *dev;
	unsigned int i, k;

	for (i = 0; i < kind->nr_packages; i++)
		for (k = 0; k < kind->packages[i].nr; k++) {
			dev = &kind->packages[i].dev[k];
			if (!dev->address)
				continue;
			dev->reserved = request_mem_region(dev->address, kind->box->size,
							   KBUILD_MODNAME);
			if (dev->reserved)
				continue;
			snprintf(refusal, sizeof(refusal),
				 "the %ss' registers, at %pa, are in use by the driver that /proc/iomem names: unload it",
				 kind->box->title, &dev->address);
			unreserve_memory(kind);
			return false;
		}
	return true;
}

/* those that one claim more does not have yet */
static bool is_free(struct kind *kind)
{
	return all_are_ours(kind) && !is_loaded(kind) && (kind->claims || reserve_memory(kind));
}

/**
 * bpmu_devices_claim() - keep other drivers away from all boxes of all packages
 * @unit: &enum bpmu_unit of the devices
 * @why: set to a sentence on refusal
 *
 * Claims are counted.
 *
 * Context: process, may sleep, no lock held: the driver core takes that of CPU hotplug.
 * Return: 0; -EADDRINUSE if another driver has one of them, or what the driver core says.
 */
int bpmu_devices_claim(u8 unit, const char **why)
{
	struct kind *kind = kind_of(unit);
	int err = 0;

	mutex_lock(&claim_lock);
	if (!kind->claims && is_bound(kind))
		err = pci_register_driver(&kind->driver);
	if (err) {
		*why = "the kernel does not take a driver for PCI devices; see its log";
	} else if (is_free(kind)) {
		kind->claims++;
	} else {
		*why = refusal;
		err = -EADDRINUSE;
		if (!kind->claims && is_bound(kind))
			pci_unregister_driver(&kind->driver);
	}
	mutex_unlock(&claim_lock);
	return err;
}

/**
 * bpmu_devices_unclaim() - take one claim back
 * @unit: &enum bpmu_unit of the devices
 *
 * Context: as of bpmu_devices_claim().
 */
void bpmu_devices_unclaim(u8 unit)
{
	struct kind *kind = kind_of(unit);

	mutex_lock(&claim_lock);
	if (!--kind->claims) {
		unreserve_memory(kind);
		if (is_bound(kind))
			pci_unregister_driver(&kind->driver);
	}
	mutex_unlock(&claim_lock);
}

/*
 * What pci_read_config_dword() does, but that it does not ask whether the device was
 * unplugged: these are a part of the processor.
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
 * bpmu_device_read() - read a control
 * @dev: the box
 * @offset: in its configuration space, or from its address
 * @value: set to its 32 bits
 *
 * Context: any but NMI; the sampling path.
 * Return: 0 or nonzero if there is no such register.
 */
int bpmu_device_read(const struct bpmu_device *dev, u32 offset, u64 *value)
{
	u32 bits;
	int err = read_dword(dev, offset, &bits);

	*value = bits;
	return err;
}

/**
 * bpmu_device_write() - write a control
 * @dev: the box
 * @offset: in its configuration space, or from its address
 * @value: of 32 bits
 *
 * Context: any but NMI; the sampling path.
 * Return: 0 or nonzero if there is no such register.
 */
int bpmu_device_write(const struct bpmu_device *dev, u32 offset, u64 value)
{
	if (!dev->address)
		return pci_write_config_dword(dev->pci, offset, value);
	writel(value, dev->registers + offset);
	return 0;
}

/**
 * bpmu_device_read_counter() - read a counter of more than 32 bits while it counts
 * @dev: the box
 * @offset: of its lower half; the upper one follows
 * @value: set to both
 *
 * In memory it is read at once. In configuration space its halves are two registers, and
 * the lower one may overflow between them. It counts 2^31 in half a second or more: read
 * below that, it does not overflow before the upper half is read. Else it is read again; if
 * it has overflowed then, so is the upper half.
 *
 * Context: any but NMI; the sampling path. Two accesses, or up to four.
 * Return: 0 or nonzero if there is no such register.
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
 * bpmu_device_write_counter() - write a counter that does not count
 * @dev: the box
 * @offset: of its lower half; the upper one follows
 * @value: for both
 *
 * Context: any but NMI; the sampling path.
 * Return: 0 or nonzero if there is no such register.
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
