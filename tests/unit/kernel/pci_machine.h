/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A made-up machine with PCI devices, for unit tests: their configuration space, memory in which
 * registers are, the table MCFG, and the driver core as far as the module calls it.
 */
#ifndef UNIT_PCI_MACHINE_H
#define UNIT_PCI_MACHINE_H

#include "kernel/module.h"
#include "test.h"

#define DEVICES 48
#define AREAS 64
/* physical address of the configuration space of bus 0 of domain 0 */
#define MCFG 0xe0000000ULL

/*
 * A PCI device. @there: it has not been removed. @hidden: it reads as all ones. @faulty: offset of
 * configuration space that cannot be read, 0 for none. @name: see pci_name().
 */
static struct unit_device {
	struct pci_dev pci;
	u32 config[1024];
	bool there;
	bool hidden;
	u32 faulty;
	char name[16];
} unit_devices[DEVICES];

static unsigned int nr_unit_devices;
static struct pci_bus unit_buses[2][256];

/* Memory with registers, which can be mapped. @ram: it is RAM. @reserved: by whom. */
static struct area {
	phys_addr_t at;
	size_t size;
	void *memory;
	bool ram;
	const char *reserved;
} areas[AREAS];

static unsigned int nr_areas;
/* number of mappings now, and of reservations of memory by the module */
static int mappings, reservations;
/* The kernel uses the table MCFG, and reads configuration space from offset 256 on */
static bool extended;

static struct {
	struct acpi_table_mcfg head;
	struct acpi_mcfg_allocation allocation[2];
} mcfg;

static int acpi_tables;
/* number of a write to configuration space that fails, 0 for none */
static int failing_write;
static struct pci_driver *registered;
static struct notifier_block *notified;
static int driver_error, notifier_error;
/* name of a driver that is loaded, or NULL */
static const char *loaded;
/* driver of another agent, which does not give a device back */
static struct device_driver foreign = { .name = "snbep_uncore" };
struct bus_type pci_bus_type;
unsigned int nr_node_ids;

static inline void add_area(phys_addr_t at, size_t size, void *memory)
{
	assert_true(nr_areas < AREAS);
	areas[nr_areas++] = (struct area){ .at = at, .size = size, .memory = memory };
}

/* Adds a PCI device of Intel's to the machine. */
static inline struct unit_device *add_device_at(int domain, u8 bus, u8 devfn, u16 id)
{
	struct unit_device *new = &unit_devices[nr_unit_devices++];

	assert_true(nr_unit_devices <= DEVICES);
	memset(new, 0, sizeof(*new));
	unit_buses[domain][bus].domain = domain;
	unit_buses[domain][bus].number = bus;
	new->pci.bus = &unit_buses[domain][bus];
	new->pci.devfn = devfn;
	new->pci.vendor = PCI_VENDOR_ID_INTEL;
	new->pci.device = id;
	new->config[0] = (u32)id << 16 | PCI_VENDOR_ID_INTEL;
	new->there = true;
	snprintf(new->name, sizeof(new->name), "%x:%02x:%02x.%x", domain, bus, devfn >> 3,
		 devfn & 7);
	if (!domain)
		add_area(MCFG + ((u64)bus << 20) + (devfn << 12), sizeof(new->config), new->config);
	return new;
}

static struct unit_device *unit_device_of(const struct pci_dev *dev)
{
	return (struct unit_device *)((char *)dev - offsetof(struct unit_device, pci));
}

/* Removes all devices and memory, and begins with a table MCFG of buses 0 to 0xff. */
static inline void empty_machine(void)
{
	nr_unit_devices = 0;
	nr_areas = 0;
	mappings = 0;
	reservations = 0;
	acpi_tables = 0;
	extended = true;
	loaded = NULL;
	failing_write = 0;
	driver_error = 0;
	notifier_error = 0;
	nr_node_ids = 2;
	memset(&mcfg, 0, sizeof(mcfg));
	mcfg.head.header.length = sizeof(mcfg.head) + sizeof(mcfg.allocation);
	mcfg.allocation[0] = (struct acpi_mcfg_allocation){
		.address = MCFG + 0x100000000ULL, .pci_segment = 1, .end_bus_number = 0xff,
	};
	mcfg.allocation[1] = (struct acpi_mcfg_allocation){
		.address = MCFG, .end_bus_number = 0xff,
	};
}

/* Checks that no mapping, table, reservation or reference to a device is left. */
static inline void nothing_is_left(void)
{
	unsigned int i;

	assert_int_equal(mappings, 0);
	assert_int_equal(reservations, 0);
	assert_int_equal(acpi_tables, 0);
	for (i = 0; i < nr_unit_devices; i++) {
		assert_int_equal(unit_devices[i].pci.references, 0);
		assert_int_equal(unit_devices[i].pci.dev.locked, 0);
	}
}

int acpi_get_table(const char *signature, u32 instance, struct acpi_table_header **table)
{
	assert_string_equal(signature, ACPI_SIG_MCFG);
	assert_int_equal(instance, 0);
	if (!mcfg.head.header.length)
		return 1;
	acpi_tables++;
	*table = &mcfg.head.header;
	return 0;
}

void acpi_put_table(struct acpi_table_header *table)
{
	assert_ptr_equal(table, &mcfg);
	acpi_tables--;
}

struct pci_dev *pci_dev_get(struct pci_dev *dev)
{
	dev->references++;
	return dev;
}

void pci_dev_put(struct pci_dev *dev)
{
	if (dev)
		assert_true(dev->references-- > 0);
}

struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device, struct pci_dev *from)
{
	struct unit_device *next = from ? unit_device_of(from) + 1 : unit_devices;

	pci_dev_put(from);
	for (; next < unit_devices + nr_unit_devices; next++)
		if (next->there && next->pci.vendor == vendor && next->pci.device == device)
			return pci_dev_get(&next->pci);
	return NULL;
}

struct pci_dev *pci_get_domain_bus_and_slot(int domain, unsigned int bus, unsigned int devfn)
{
	struct unit_device *next = unit_devices;

	for (; next < unit_devices + nr_unit_devices; next++)
		if (next->there && next->pci.bus->domain == domain &&
		    next->pci.bus->number == bus && next->pci.devfn == devfn)
			return pci_dev_get(&next->pci);
	return NULL;
}

const char *pci_name(const struct pci_dev *dev)
{
	return unit_device_of(dev)->name;
}

int pci_domain_nr(const struct pci_bus *bus)
{
	return bus->domain;
}

int pci_read_config_dword(const struct pci_dev *dev, int where, u32 *value)
{
	const struct unit_device *from = unit_device_of(dev);

	*value = ~0u;
	if ((from->faulty && from->faulty == (u32)where) || (where >= 256 && !extended))
		return 0x87;
	if (!from->hidden)
		*value = from->config[where / 4];
	return 0;
}

int pci_write_config_dword(const struct pci_dev *dev, int where, u32 value)
{
	if (failing_write && !--failing_write)
		return 0x87;
	unit_device_of(dev)->config[where / 4] = value;
	return 0;
}

int pci_bus_read_config_dword(struct pci_bus *bus, unsigned int devfn, int where, u32 *value)
{
	struct unit_device *next = unit_devices;

	for (; next < unit_devices + nr_unit_devices; next++)
		if (next->there && next->pci.bus == bus && next->pci.devfn == devfn)
			return pci_read_config_dword(&next->pci, where, value);
	return 0x86;
}

int pci_register_driver(struct pci_driver *driver)
{
	if (!driver_error)
		registered = driver;
	return driver_error;
}

void pci_unregister_driver(struct pci_driver *driver)
{
	assert_ptr_equal(driver, registered);
	registered = NULL;
}

int bus_register_notifier(struct bus_type *bus, struct notifier_block *block)
{
	assert_ptr_equal(bus, &pci_bus_type);
	if (!notifier_error)
		notified = block;
	return notifier_error;
}

int bus_unregister_notifier(struct bus_type *bus, struct notifier_block *block)
{
	assert_ptr_equal(bus, &pci_bus_type);
	assert_ptr_equal(block, notified);
	notified = NULL;
	return 0;
}

int device_driver_attach(struct device_driver *driver, struct device *dev)
{
	assert_ptr_equal(driver, &registered->driver);
	if (dev->driver)
		return -EBUSY;
	if (registered->probe(to_pci_dev(dev), NULL))
		return -EINVAL;
	dev->driver = driver;
	return 0;
}

void device_release_driver(struct device *dev)
{
	dev->driver = NULL;
}

struct device_driver *driver_find(const char *name, struct bus_type *bus)
{
	assert_ptr_equal(bus, &pci_bus_type);
	return loaded && !strcmp(name, loaded) ? &foreign : NULL;
}

/* Returns the area with this memory that was added last, or NULL. */
static struct area *area_at(phys_addr_t at, size_t size)
{
	unsigned int i = nr_areas;

	while (i--)
		if (at >= areas[i].at && at + size <= areas[i].at + areas[i].size)
			return &areas[i];
	return NULL;
}

void *ioremap(phys_addr_t at, size_t size)
{
	struct area *area = area_at(at, size);

	if (!area || !area->memory)
		return NULL;
	mappings++;
	return (char *)area->memory + (at - area->at);
}

void iounmap(void *at)
{
	assert_non_null(at);
	mappings--;
}

u32 readl(const void *at)
{
	return *(const u32 *)at;
}

u64 readq(const void *at)
{
	return *(const u64 *)at;
}

void writel(u32 value, void *at)
{
	*(u32 *)at = value;
}

void writeq(u64 value, void *at)
{
	*(u64 *)at = value;
}

void *request_mem_region(phys_addr_t at, size_t size, const char *name)
{
	struct area *area = area_at(at, size);

	assert_non_null(area);
	if (area->reserved)
		return NULL;
	area->reserved = name;
	reservations++;
	return area;
}

void release_mem_region(phys_addr_t at, size_t size)
{
	struct area *area = area_at(at, size);

	assert_non_null(area);
	assert_string_equal(area->reserved, KBUILD_MODNAME);
	area->reserved = NULL;
	reservations--;
}

int region_intersects(phys_addr_t at, size_t size, unsigned long flags, unsigned long kind)
{
	unsigned int i;

	assert_int_equal(flags, IORESOURCE_SYSTEM_RAM);
	assert_int_equal(kind, IORES_DESC_NONE);
	for (i = 0; i < nr_areas; i++)
		if (areas[i].ram && at < areas[i].at + areas[i].size && areas[i].at < at + size)
			return !REGION_DISJOINT;
	return REGION_DISJOINT;
}

#endif /* UNIT_PCI_MACHINE_H */
