// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the search for discovery tables, which list uncore units. A PCI device is untrusted if
 * it may have been plugged in from outside. The module maps nothing that such a device announces.
 * Of a trusted device it maps only what the capability (DVSEC) of a discovery table announces. The
 * module's source is compiled unchanged. The PCI device is made up, and its table has one memory
 * controller.
 */
#include "kernel/linux/pci.h"

#include <stdio.h>
#include <string.h>

#include "../../kmod/machine/discovery.c"

#include "unit.h"

/*
 * Offsets of capabilities in the configuration space of the made-up device. FOREIGN is of another
 * vendor. OTHER is of another type. DVSEC is the capability of the discovery table.
 */
#define FOREIGN 0x100
#define OTHER 0x200
#define DVSEC 0x300
#define TABLE 0x80000000u
#define CHANNEL 0x90000000u

/*
 * The made-up discovery table, in words of 64 bits. The header says that the table has one unit,
 * and that the record of a unit has three words. The record describes a box of type 6, which has 4
 * counters of 48 bits in memory.
 */
static const u64 table[] = {
	3 << 8 | 1 << 16, 0x2ff0, 0,
	4 | 0x40 << 8 | 48 << 16 | 8 << 24 | (u64)BPMU_ACCESS_MEMORY << 62, CHANNEL, 6,
};

static struct pci_dev device;
static unsigned int mapped;
static unsigned int added;
static u64 added_at;
static char said[512];

void pr_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
}

void *ioremap(phys_addr_t at, size_t size)
{
	assert_int_equal(at, TABLE);
	assert_true(size <= sizeof(table));
	mapped++;
	return (void *)table;
}

void iounmap(const void *at)
{
	assert_ptr_equal(at, table);
}

struct pci_dev *pci_get_device(unsigned int vendor, unsigned int id, struct pci_dev *from)
{
	assert_int_equal(vendor, PCI_VENDOR_ID_INTEL);
	(void)id;
	return from ? NULL : &device;
}

int pci_find_next_ext_capability(struct pci_dev *dev, int start, int cap)
{
	(void)dev;
	assert_int_equal(cap, PCI_EXT_CAP_ID_DVSEC);
	return start ? start == DVSEC ? 0 : start + 0x100 : FOREIGN;
}

int pci_read_config_dword(struct pci_dev *dev, int where, u32 *value)
{
	(void)dev;
	switch (where) {
	case PCI_BASE_ADDRESS_0:
		*value = TABLE;
		break;
	case FOREIGN + PCI_DVSEC_HEADER1:
		*value = 0x1022;
		break;
	case OTHER + PCI_DVSEC_HEADER1:
	case DVSEC + PCI_DVSEC_HEADER1:
		*value = PCI_VENDOR_ID_INTEL;
		break;
	case OTHER + 8:
		*value = 2;
		break;
	case FOREIGN + 8:
	case DVSEC + 8:
		*value = 1;
		break;
	default:
		*value = 0;
	}
	return 0;
}

const char *pci_name(const struct pci_dev *dev)
{
	(void)dev;
	return "0000:7e:00.3";
}

void bpmu_devices_add(struct pci_dev *teller, const struct bpmu_box *box,
		      const struct bpmu_discovery_unit *unit)
{
	assert_ptr_equal(teller, &device);
	assert_int_equal(box->unit, BPMU_UNIT_IMC);
	added_at = unit->address;
	added++;
}

TEST_FIXTURE(setup)
{
	memset(&discovered, 0, sizeof(discovered));
	mapped = 0;
	added = 0;
	added_at = 0;
	said[0] = '\0';
	return 0;
}

TEST_BETWEEN(the_table_of_a_trusted_device_is_read, setup, NULL)
{
	device.untrusted = false;
	bpmu_discovery_find(bpmu_part_by_name("spr"));
	assert_int_equal(mapped, 2);
	assert_int_equal(added, 1);
	assert_int_equal(added_at, CHANNEL);
	assert_string_equal(said, "");
}

TEST_BETWEEN(the_table_of_an_untrusted_device_is_not_mapped, setup, NULL)
{
	device.untrusted = true;
	bpmu_discovery_find(bpmu_part_by_name("spr"));
	assert_int_equal(mapped, 0);
	assert_int_equal(added, 0);
	assert_non_null(strstr(said, "no PCI device has a discovery table"));
}
