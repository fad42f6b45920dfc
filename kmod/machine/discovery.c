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

/* of a DVSEC: its entry's identifier, and the base address register of what it tells of */
#define ENTRY		8
#define ENTRY_ID	GENMASK(15, 0)
#define ENTRY_PMON	1
#define WHERE		0xc
#define WHERE_BAR	7
#define BARS		6

/* rows of a part's boxes, with the one that ends them */
#define ROWS		8

/**
 * struct found - the units of a row that are reached by MSR, of one package
 * @nr: how many
 * @address: of their controls, in the table's order, [@nr]
 */
struct found {
	u32 nr;
	u32 address[BPMU_CHAS];
};

/**
 * struct made - boxes made out of the units of tables
 * @of: the part's descriptor; NULL if it has no tables
 * @part: that with these boxes
 * @uncore: its uncore
 * @box: the descriptor's rows with registers that tables say, ended by unit 0, [ROWS]
 * @unit: of each row the first unit, like which all others must be, [ROWS]
 * @given: the row has a unit, [ROWS]
 * @found: units reached by MSR, of the first package, [ROWS]
 * @offsets: their distances from the first one, [ROWS][BPMU_CHAS]
 * @tables: how many were read
 *
 * Written when the module is loaded, before anyone reads it.
 */
static struct made {
	const struct bpmu_part *of;
	struct bpmu_part part;
	struct bpmu_uncore uncore;
	struct bpmu_box box[ROWS];
	struct bpmu_discovery_unit unit[ROWS];
	bool given[ROWS];
	struct found found[ROWS];
	short offsets[ROWS][BPMU_CHAS];
	u32 tables;
} made;

/* the row of a unit's type, or -1 if the module does not count there */
static int row_of(const struct bpmu_discovery_unit *unit)
{
	int i;

	for (i = 0; made.box[i].unit; i++)
		if (!made.box[i].devices && made.box[i].type == unit->type)
			return i;
	return -1;
}

static void log_unit(const struct pci_dev *dev, int row, const struct bpmu_discovery_unit *unit,
		     const char *why)
{
	pr_info("%s: the discovery table's %s %u, at %#llx, %s: it is not counted in\n",
		pci_name(dev), made.box[row].title, unit->id, unit->address, why);
}

static bool is_alike(const struct bpmu_discovery_unit *a, const struct bpmu_discovery_unit *b)
{
	return a->access == b->access && a->select == b->select &&
	       a->counter == b->counter &&
	       (a->access != BPMU_ACCESS_PCI ||
		bpmu_discovery_config(a->address) == bpmu_discovery_config(b->address));
}

static const char *add_msrs(struct found *found, const struct bpmu_discovery_unit *unit,
			    u32 most)
{
	u32 i;

	for (i = 0; i < found->nr; i++)
		if (found->address[i] == unit->address)
			return "is where another one is";
	if (found->nr == most)
		return "is one more than the module counts in";
	found->address[found->nr++] = unit->address;
	return NULL;
}

static void add_unit(struct pci_dev *dev, struct found *found,
		     const struct bpmu_discovery_unit *unit)
{
	const struct bpmu_box *box;
	int row = row_of(unit);
	const char *why;

	if (row < 0)
		return;
	box = &made.of->uncore->boxes[row];
	why = bpmu_discovery_wrong(made.uncore.discovery, box, unit);
	if (!why && made.given[row] && !is_alike(unit, &made.unit[row]))
		why = "has registers elsewhere than others";
	if (!why && unit->access == BPMU_ACCESS_MSR)
		why = add_msrs(&found[row], unit, box->nr);
	if (why) {
		log_unit(dev, row, unit, why);
		return;
	}
	if (!made.given[row]) {
		made.unit[row] = *unit;
		made.given[row] = true;
		made.box[row] = bpmu_discovery_box(box, unit);
	}
	if (unit->access != BPMU_ACCESS_MSR)
		bpmu_devices_add(dev, &made.box[row], unit);
}

static void read_words(const void __iomem *at, u64 *words)
{
	unsigned int i;

	for (i = 0; i < BPMU_DISCOVERY_WORDS; i++)
		words[i] = readq(at + i * sizeof(*words));
}

/* units by MSR have the same numbers in all packages, or are not counted in */
static void keep_msrs(const struct pci_dev *dev, const struct found *found)
{
	int i;

	for (i = 0; made.box[i].unit; i++) {
		if (!made.tables) {
			made.found[i] = found[i];
		} else if (memcmp(&made.found[i], &found[i], sizeof(*found))) {
			pr_info("%s: this discovery table's %ss are not those of the first one: none is counted in\n",
				pci_name(dev), made.box[i].title);
			made.found[i].nr = 0;
		}
	}
	made.tables++;
}

static void read_units(struct pci_dev *dev, const void __iomem *at,
		       const struct bpmu_discovery_table *table)
{
	struct found *found = kcalloc(ROWS, sizeof(*found), GFP_KERNEL);
	u64 words[BPMU_DISCOVERY_WORDS];
	struct bpmu_discovery_unit unit;
	u32 i;

	if (!found)
		return;
	for (i = 1; i <= table->units; i++) {
		read_words(at + i * table->stride, words);
		if (bpmu_discovery_unit(words, &unit))
			add_unit(dev, found, &unit);
	}
	keep_msrs(dev, found);
	kfree(found);
}

/* NULL, or why it is not read */
static const char *read_table(struct pci_dev *dev, phys_addr_t address)
{
	u64 words[BPMU_DISCOVERY_WORDS];
	struct bpmu_discovery_table table;
	void __iomem *at;
	u32 size;

	if (!address || address % sizeof(u64) || bpmu_is_ram(address, sizeof(words)))
		return "is not where a device's memory can be";
	at = ioremap(address, sizeof(words));
	if (!at)
		return "cannot be mapped";
	read_words(at, words);
	iounmap(at);
	if (!bpmu_discovery_head(words, &table))
		return "does not begin as one";
	size = (1 + table.units) * table.stride;
	if (bpmu_is_ram(address, size))
		return "ends where the machine has RAM";
	at = ioremap(address, size);
	if (!at)
		return "cannot be mapped";
	read_units(dev, at, &table);
	iounmap(at);
	return NULL;
}

/* what a base address register of 32 or 64 bits says; 0 if it is none of memory */
static phys_addr_t address_of(struct pci_dev *dev, u32 bar)
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

/* a DVSEC, which is the table's if it is Intel's and has the entry of that */
static void read_dvsec(struct pci_dev *dev, int dvsec)
{
	u32 vendor, entry, where;
	const char *why;

	if (pci_read_config_dword(dev, dvsec + PCI_DVSEC_HEADER1, &vendor) ||
	    pci_read_config_dword(dev, dvsec + ENTRY, &entry) ||
	    pci_read_config_dword(dev, dvsec + WHERE, &where) ||
	    (u16)vendor != PCI_VENDOR_ID_INTEL || (entry & ENTRY_ID) != ENTRY_PMON)
		return;
	why = where & ~WHERE_BAR ? "is told of in a way that is not known" :
	      read_table(dev, address_of(dev, where & WHERE_BAR));
	if (why)
		pr_info("%s: the discovery table %s: its units are not counted in\n",
			pci_name(dev), why);
}

/* some firmware has more CHAs in the table than there are: spr_uncore_cpu_init() in Linux */
static void correct_chas(u32 msr)
{
	u64 number = 0;
	int i;

	if (msr)
		rdmsrq_safe(msr, &number);
	for (i = 0; made.box[i].unit; i++) {
		if (made.box[i].unit != BPMU_UNIT_CHA || !number ||
		    number >= made.found[i].nr)
			continue;
		pr_info("the discovery table has %u %ss, but there are %llu: those before the others are counted in\n",
			made.found[i].nr, made.box[i].title, number);
		made.found[i].nr = number;
	}
}

/* as many units by MSR as were found, each where it is */
static void place_msrs(void)
{
	int i;
	u32 k;

	for (i = 0; made.box[i].unit; i++) {
		if (made.box[i].devices)
			continue;
		made.box[i].nr = made.found[i].nr;
		made.box[i].offsets = made.offsets[i];
		for (k = 0; k < made.found[i].nr; k++)
			made.offsets[i][k] = made.found[i].address[k] -
					     made.found[i].address[0];
	}
}

/**
 * bpmu_discovery_find() - read the discovery tables of a part
 * @part: descriptor
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
	made.of = part;
	made.part = *part;
	made.uncore = *part->uncore;
	made.part.uncore = &made.uncore;
	made.uncore.boxes = made.box;
	for (i = 0; i < ROWS - 1 && part->uncore->boxes[i].unit; i++)
		made.box[i] = part->uncore->boxes[i];
	while ((dev = pci_get_device(PCI_VENDOR_ID_INTEL, PCI_ANY_ID, dev)))
		for (dvsec = next_dvsec(dev, 0); dvsec; dvsec = next_dvsec(dev, dvsec))
			read_dvsec(dev, dvsec);
	if (!made.tables)
		pr_info("no PCI device has a discovery table: no unit of the uncore that is told there is counted in; boot without pci=nommconf, and with firmware that has an ACPI table MCFG\n");
	correct_chas(discovery->chas);
	place_msrs();
}

/**
 * bpmu_discovery_part() - a part's descriptor with the boxes of its discovery tables
 * @part: descriptor, or NULL
 *
 * Context: any, after bpmu_discovery_find().
 * Return: it, or @part itself if it has no such tables.
 */
const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part)
{
	return part && part == made.of ? &made.part : part;
}
