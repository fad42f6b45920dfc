// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "discovery.h"

#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "compat.h"
#include "device.h"
#include "ram.h"

/*
 * Offsets and masks in a DVSEC, a PCI capability of vendors. The entry identifier of a DVSEC is
 * ENTRY_PMON if the DVSEC points to a discovery table, whose address is in the base address
 * register (BAR) with the index at TABLE_BAR. A device has BARS base address registers.
 */
#define ENTRY		8
#define ENTRY_ID	GENMASK(15, 0)
#define ENTRY_PMON	1
#define TABLE_BAR	0xc
#define TABLE_BAR_MASK	7
#define BARS		6

/*
 * Length of arrays with an element for each uncore unit of a CPU model, and one that ends the array
 */
#define ROWS		(BPMU_UNITS + 1)

/**
 * struct msr_units - MSRs of the uncore units of one type in a package
 * @nr: number of units
 * @address: MSR of each unit's control, in the table's order, [@nr]
 */
struct msr_units {
	u32 nr;
	u32 address[BPMU_CHAS];
};

/**
 * struct discovered - the CPU model's descriptor, completed from the machine's discovery tables
 * @of: the descriptor before it was completed; NULL if the CPU model has no discovery tables
 * @part: copy of @of that refers to @uncore
 * @uncore: copy of the descriptor's uncore that refers to @box
 * @box: the descriptor's boxes with the register offsets of the tables, ended by unit 0, [ROWS]
 * @unit: first unit of each type that a table lists, in the order of @box, [ROWS]; all units of the
 *	type must have its register offsets
 * @given: the element of @unit is valid, [ROWS]
 * @msrs: MSRs of the units of each type in the first package, in the order of @box, [ROWS]
 * @differs: another package has other MSRs than the first one; the element of @msrs is empty then,
 *	[ROWS]
 * @offsets: distance, in MSR numbers, of each unit in @msrs from the first unit, [ROWS][BPMU_CHAS]
 * @tables: number of tables read
 *
 * Constant after the module was loaded.
 */
static struct discovered {
	const struct bpmu_part *of;
	struct bpmu_part part;
	struct bpmu_uncore uncore;
	struct bpmu_box box[ROWS];
	struct bpmu_discovery_unit unit[ROWS];
	bool given[ROWS];
	struct msr_units msrs[ROWS];
	bool differs[ROWS];
	short offsets[ROWS][BPMU_CHAS];
	u32 tables;
} discovered;

/*
 * Returns the index in discovered.box of the box that has the type number of @unit, a unit in a
 * discovery table; -1 if the module does not know that type.
 */
static int box_index(const struct bpmu_discovery_unit *unit)
{
	int i;

	for (i = 0; discovered.box[i].unit; i++)
		if (!discovered.box[i].devices && discovered.box[i].type == unit->type)
			return i;
	return -1;
}

static void log_unit(const struct pci_dev *dev, int row, const struct bpmu_discovery_unit *unit,
		     const char *why)
{
	pr_info("%s: the discovery table's %s %u, at %#llx, %s: it is ignored\n",
		pci_name(dev), discovered.box[row].title, unit->id, unit->address, why);
}

static bool has_layout_of(const struct bpmu_discovery_unit *a, const struct bpmu_discovery_unit *b)
{
	return a->access == b->access && a->select == b->select &&
	       a->counter == b->counter &&
	       (a->access != BPMU_ACCESS_PCI ||
		bpmu_discovery_config(a->address) == bpmu_discovery_config(b->address));
}

static const char *add_msrs(struct msr_units *found, const struct bpmu_discovery_unit *unit,
			    u32 most)
{
	u32 i;

	for (i = 0; i < found->nr; i++)
		if (found->address[i] == unit->address)
			return "has the address of another one";
	if (found->nr == most)
		return "exceeds the number that the module supports";
	found->address[found->nr++] = unit->address;
	return NULL;
}

static void add_unit(struct pci_dev *dev, struct msr_units *found,
		     const struct bpmu_discovery_unit *unit)
{
	const struct bpmu_box *box;
	int row = box_index(unit);
	const char *why;

	if (row < 0)
		return;
	box = &discovered.of->uncore->boxes[row];
	why = bpmu_discovery_wrong(discovered.uncore.discovery, box, unit);
	if (!why && discovered.given[row] && !has_layout_of(unit, &discovered.unit[row]))
		why = "has other register offsets than the first one";
	if (!why && unit->access == BPMU_ACCESS_MSR)
		why = add_msrs(&found[row], unit, box->nr);
	if (why) {
		log_unit(dev, row, unit, why);
		return;
	}
	if (!discovered.given[row]) {
		discovered.unit[row] = *unit;
		discovered.given[row] = true;
		discovered.box[row] = bpmu_discovery_box(box, unit);
	}
	if (unit->access != BPMU_ACCESS_MSR)
		bpmu_devices_add(dev, &discovered.box[row], unit);
}

static void read_words(const void __iomem *at, u64 *words)
{
	unsigned int i;

	for (i = 0; i < BPMU_DISCOVERY_WORDS; i++)
		words[i] = readq(at + i * sizeof(*words));
}

/*
 * Returns true if the units of two packages have the same MSRs, in any order. No MSR occurs twice
 * in one package, as add_msrs() ensures.
 */
static bool same_msrs(const struct msr_units *a, const struct msr_units *b)
{
	u32 i, k;

	for (i = 0; i < a->nr; i++) {
		for (k = 0; k < b->nr && a->address[i] != b->address[k]; k++)
			;
		if (k == b->nr)
			return false;
	}
	return a->nr == b->nr;
}

/*
 * Keeps the MSRs of the first package's units, and compares the MSRs of another package's units
 * with them. A descriptor has one set of MSRs for all packages, so that units whose MSRs differ are
 * ignored in all packages; the log says so.
 */
static void keep_msrs(const struct pci_dev *dev, const struct msr_units *found)
{
	int i;

	for (i = 0; discovered.box[i].unit; i++) {
		if (!discovered.tables) {
			discovered.msrs[i] = found[i];
		} else if (!discovered.differs[i] && !same_msrs(&discovered.msrs[i], &found[i])) {
			pr_info("%s: the MSRs of this discovery table's %ss differ from those of the first table: all are ignored\n",
				pci_name(dev), discovered.box[i].title);
			discovered.msrs[i].nr = 0;
			discovered.differs[i] = true;
		}
	}
	discovered.tables++;
}

/*
 * Adds all units that a discovery table lists; @at is the mapped table. Returns NULL; if the table
 * is ignored, returns the reason for the log, as the predicate of a sentence.
 */
static const char *read_units(struct pci_dev *dev, const void __iomem *at,
			      const struct bpmu_discovery_table *table)
{
	struct msr_units *found = kcalloc(ROWS, sizeof(*found), GFP_KERNEL);
	u64 words[BPMU_DISCOVERY_WORDS];
	struct bpmu_discovery_unit unit;
	u32 i;

	if (!found)
		return "cannot be read: no memory";
	for (i = 1; i <= table->units; i++) {
		read_words(at + i * table->stride, words);
		if (bpmu_discovery_unit(words, &unit))
			add_unit(dev, found, &unit);
	}
	keep_msrs(dev, found);
	kfree(found);
	return NULL;
}

/*
 * Maps and reads the discovery table at a physical address. Returns NULL; if the table is ignored,
 * returns the reason for the log, as the predicate of a sentence.
 */
static const char *read_table(struct pci_dev *dev, phys_addr_t address)
{
	u64 words[BPMU_DISCOVERY_WORDS];
	struct bpmu_discovery_table table;
	const char *why;
	void __iomem *at;
	u32 size;

	if (!address || address % sizeof(u64) || bpmu_is_ram(address, sizeof(words)))
		return "has no valid address, or one in RAM";
	at = ioremap(address, sizeof(words));
	if (!at)
		return "cannot be mapped";
	read_words(at, words);
	iounmap(at);
	if (!bpmu_discovery_head(words, &table))
		return "has an invalid header";
	size = (1 + table.units) * table.stride;
	if (bpmu_is_ram(address, size))
		return "overlaps RAM";
	at = ioremap(address, size);
	if (!at)
		return "cannot be mapped";
	why = read_units(dev, at, &table);
	iounmap(at);
	return why;
}

/*
 * Returns the physical address in a device's base address register (BAR) number @bar; 0 if the
 * device lacks that register, or if the register holds an address of I/O ports.
 */
static phys_addr_t bar_address(struct pci_dev *dev, u32 bar)
{
	u32 offset = PCI_BASE_ADDRESS_0 + 4 * bar;
	u32 low, high = 0;

	if (bar >= BARS || pci_read_config_dword(dev, offset, &low) ||
	    low & ~(PCI_BASE_ADDRESS_MEM_MASK | PCI_BASE_ADDRESS_MEM_TYPE_64))
		return 0;
	if (low & PCI_BASE_ADDRESS_MEM_TYPE_64 &&
	    (bar + 1 == BARS || pci_read_config_dword(dev, offset + 4, &high)))
		return 0;
	return (u64)high << 32 | (low & PCI_BASE_ADDRESS_MEM_MASK);
}

static int next_dvsec(struct pci_dev *dev, int dvsec)
{
	return pci_find_next_ext_capability(dev, dvsec, PCI_EXT_CAP_ID_DVSEC);
}

/*
 * Reads the discovery table to which a DVSEC at offset @dvsec points, if it is a DVSEC of Intel's
 * with the entry identifier of such a table. If the table is ignored, the log says why.
 */
static void read_dvsec(struct pci_dev *dev, int dvsec)
{
	u32 vendor, entry, where;
	const char *why;

	if (pci_read_config_dword(dev, dvsec + PCI_DVSEC_HEADER1, &vendor) ||
	    pci_read_config_dword(dev, dvsec + ENTRY, &entry) ||
	    pci_read_config_dword(dev, dvsec + TABLE_BAR, &where) ||
	    (u16)vendor != PCI_VENDOR_ID_INTEL || (entry & ENTRY_ID) != ENTRY_PMON)
		return;
	if (dev->untrusted)
		why = "is in a device that may have been plugged in from outside";
	else if (where & ~TABLE_BAR_MASK)
		why = "has a DVSEC with reserved bits set";
	else
		why = read_table(dev, bar_address(dev, where & TABLE_BAR_MASK));
	if (why)
		pr_info("%s: the discovery table %s: its units are ignored\n",
			pci_name(dev), why);
}

/*
 * Corrects the number of CHAs, because some firmware lists more CHAs than the package has. MSR @msr
 * holds the number of existing CHAs, which come first in the list (Linux, spr_uncore_cpu_init()).
 * Nothing is corrected if @msr is 0.
 */
static void correct_chas(u32 msr)
{
	u64 number = 0;
	int i;

	if (msr)
		rdmsrq_safe(msr, &number);
	for (i = 0; discovered.box[i].unit; i++) {
		if (discovered.box[i].unit != BPMU_UNIT_CHA || !number ||
		    number >= discovered.msrs[i].nr)
			continue;
		pr_info("the discovery table has %u %ss, but the package %llu: only the first ones are used\n",
			discovered.msrs[i].nr, discovered.box[i].title, number);
		discovered.msrs[i].nr = number;
	}
}

static void set_msr_offsets(void)
{
	int i;
	u32 k;

	for (i = 0; discovered.box[i].unit; i++) {
		if (discovered.box[i].devices)
			continue;
		discovered.box[i].nr = discovered.msrs[i].nr;
		discovered.box[i].offsets = discovered.offsets[i];
		for (k = 0; k < discovered.msrs[i].nr; k++)
			discovered.offsets[i][k] = discovered.msrs[i].address[k] -
						   discovered.msrs[i].address[0];
	}
}

/**
 * bpmu_discovery_find() - read the discovery tables of this machine, in all its packages
 * @part: descriptor of the CPU model; nothing is done if it has no &bpmu_uncore.discovery
 *
 * PCI devices point to the tables, which are in memory. The log names each table and each unit that
 * is refused, and the reason.
 *
 * Context: module load, may sleep; once, after bpmu_devices_find().
 */
void bpmu_discovery_find(const struct bpmu_part *part)
{
	const struct bpmu_discovery *discovery = part->uncore ? part->uncore->discovery :
								NULL;
	struct pci_dev *dev = NULL;
	int dvsec, i;

	if (!discovery)
		return;
	discovered.of = part;
	discovered.part = *part;
	discovered.uncore = *part->uncore;
	discovered.part.uncore = &discovered.uncore;
	discovered.uncore.boxes = discovered.box;
	for (i = 0; i < ROWS - 1 && part->uncore->boxes[i].unit; i++)
		discovered.box[i] = part->uncore->boxes[i];
	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, PCI_ANY_ID, dev)))
		for (dvsec = next_dvsec(dev, 0); dvsec; dvsec = next_dvsec(dev, dvsec))
			read_dvsec(dev, dvsec);
	if (!discovered.tables)
		pr_info("no PCI device has a discovery table: the uncore units that it would list are ignored; boot without pci=nommconf, and with firmware that has an ACPI table MCFG\n");
	correct_chas(discovery->chas);
	set_msr_offsets();
}

/**
 * bpmu_discovery_part() - add the units of this machine's discovery tables to a part's descriptor
 * @part: descriptor, or NULL
 *
 * Context: any, after bpmu_discovery_find().
 * Return: the completed descriptor, or @part itself if it has no discovery tables.
 */
const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part)
{
	return part && part == discovered.of ? &discovered.part : part;
}
