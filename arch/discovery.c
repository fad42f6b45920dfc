// SPDX-License-Identifier: GPL-2.0
/*
 * The discovery table of a package of Intel's servers from Sapphire Rapids on: firmware says
 * there which units have counters and where. Its format: Linux,
 * arch/x86/events/intel/uncore_discovery.h, struct uncore_global_discovery, struct
 * uncore_unit_discovery, uncore_discovery_invalid_unit(); how far the registers of a counter
 * are apart: uncore_msr_event_ctl(), uncore_pci_event_ctl() and uncore_mmio_event_ctl() there,
 * uncore.h.
 *
 * Nothing of a table is believed that could lead elsewhere than to a unit's counters: a unit
 * has to be as the part's descriptor says in all but its address and the offsets of its
 * registers, and these have to be within what a unit takes.
 */
#include "arch.h"

/* numbers of MSRs that a unit has for itself: HSWEP_CBO_MSR_OFFSET there */
#define MSRS		16
#define CONFIG_BASIC	0x100
#define CONFIG_BYTES	0x1000
/* an MSR's number */
#define MSR_BITS	0xffffffffULL
/* a unit in configuration space: where it is, behind that its control */
#define PCI_BITS	0x7fffffffULL

static u32 bits(u64 word, unsigned int first, unsigned int number)
{
	return word >> first & (BPMU_BIT(number) - 1);
}

static int is_absent(const u64 *words)
{
	return !words[0] || !words[1] || !~words[0] || !~words[1] || !~words[2];
}

/**
 * bpmu_discovery_head() - read a table's first record
 * @words: of the record, [BPMU_DISCOVERY_WORDS]
 * @table: filled in
 *
 * Context: any.
 * Return: 1, or 0 if there is no table that can be read.
 */
int bpmu_discovery_head(const u64 *words, struct bpmu_discovery_table *table)
{
	table->stride = bits(words[0], 8, 8) * sizeof(u64);
	table->units = bits(words[0], 16, 10);
	return !is_absent(words) && table->units &&
	       table->stride >= BPMU_DISCOVERY_WORDS * sizeof(u64);
}

/**
 * bpmu_discovery_unit() - read the record of a unit
 * @words: of the record, [BPMU_DISCOVERY_WORDS]
 * @unit: filled in
 *
 * Context: any.
 * Return: 1, or 0 if no unit is there.
 */
int bpmu_discovery_unit(const u64 *words, struct bpmu_discovery_unit *unit)
{
	*unit = (struct bpmu_discovery_unit){
		.counters = bits(words[0], 0, 8),
		.select = bits(words[0], 8, 8),
		.width = bits(words[0], 16, 8),
		.counter = bits(words[0], 24, 8),
		.access = bits(words[0], 62, 2),
		.address = words[1],
		.type = bits(words[2], 0, 16),
		.id = bits(words[2], 16, 16),
	};
	return !is_absent(words);
}

/* by MSR or not, as the module has one bank for it */
static int has_access(const struct bpmu_box *box, u8 access)
{
	if (box->unit == BPMU_UNIT_IMC || box->unit == BPMU_UNIT_HA ||
	    box->unit == BPMU_UNIT_LINK)
		return access == BPMU_ACCESS_MEMORY || access == BPMU_ACCESS_PCI;
	return access == BPMU_ACCESS_MSR;
}

/* from the unit's address on: bytes, or numbers of MSRs */
static u32 select_stride(u8 access)
{
	return access == BPMU_ACCESS_MSR ? 1 : access == BPMU_ACCESS_PCI ? 8 : 4;
}

static u32 counter_stride(u8 access)
{
	return access == BPMU_ACCESS_MSR ? 1 : 8;
}

static int overlap(u32 a, u32 a_end, u32 b, u32 b_end)
{
	return a < b_end && b < a_end;
}

/* where the last of a unit's registers ends */
static u32 end_of(const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 selects = unit->select + box->counters * select_stride(unit->access);
	u32 counters = unit->counter + box->counters * counter_stride(unit->access);

	return selects > counters ? selects : counters;
}

/* control, selects and counters are different registers, and aligned */
static int registers_fit(const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 stride = select_stride(unit->access), wide = counter_stride(unit->access);
	u32 selects = unit->select + box->counters * stride;
	u32 counters = unit->counter + box->counters * wide;

	if (unit->select < stride || unit->counter < wide || unit->select % stride ||
	    unit->counter % wide)
		return 0;
	return !overlap(unit->select, selects, unit->counter, counters);
}

static int address_fits(const struct bpmu_discovery *discovery,
			const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 end = end_of(box, unit);

	switch (unit->access) {
	case BPMU_ACCESS_MSR:
		return !(unit->address & ~MSR_BITS) && !(unit->address % MSRS) &&
		       end <= MSRS && unit->address >= discovery->first &&
		       unit->address + MSRS - 1 <= discovery->last;
	case BPMU_ACCESS_PCI:
		return !(unit->address & ~PCI_BITS) && !(unit->address % 8) &&
		       bpmu_discovery_config(unit->address) >= CONFIG_BASIC &&
		       bpmu_discovery_config(unit->address) + end <= CONFIG_BYTES;
	default:
		return !(unit->address % 8) && unit->address + end > unit->address;
	}
}

/**
 * bpmu_discovery_config() - offset of a unit's control
 * @address: of a unit in configuration space
 *
 * Context: any.
 * Return: the offset in the device's configuration space.
 */
u32 bpmu_discovery_config(u64 address)
{
	return bits(address, 0, 12);
}

/**
 * bpmu_discovery_device() - the PCI device of a unit
 * @address: of a unit in configuration space
 *
 * Context: any.
 * Return: domain in bits 18:16, bus in bits 15:8, device and function in bits 7:0.
 */
u32 bpmu_discovery_device(u64 address)
{
	return bits(address, 12, 19);
}

/**
 * bpmu_discovery_wrong() - why a unit is not counted in
 * @discovery: what a table of this part may say
 * @box: descriptor of the boxes of the unit's type
 * @unit: of the table
 *
 * Context: any.
 * Return: the end of a sentence that begins with its name, or NULL if it is counted in.
 */
const char *bpmu_discovery_wrong(const struct bpmu_discovery *discovery,
				 const struct bpmu_box *box,
				 const struct bpmu_discovery_unit *unit)
{
	if (!has_access(box, unit->access))
		return "is not reached as such units are";
	if (unit->counters < box->counters)
		return "has fewer counters than such units have";
	if (unit->width != box->width)
		return "has counters of another width than such units have";
	if (!registers_fit(box, unit))
		return "has registers at offsets that cannot be";
	if (!address_fits(discovery, box, unit))
		return "is at an address that cannot be";
	return NULL;
}

/**
 * bpmu_discovery_box() - the box that a unit of the table is
 * @box: descriptor of the boxes of its type
 * @unit: one that bpmu_discovery_wrong() has nothing against
 *
 * Context: any.
 * Return: @box with the registers of this unit as those of its first instance.
 */
struct bpmu_box bpmu_discovery_box(const struct bpmu_box *box,
				   const struct bpmu_discovery_unit *unit)
{
	struct bpmu_box made = *box;

	if (unit->access == BPMU_ACCESS_MSR)
		made.ctl = unit->address;
	else if (unit->access == BPMU_ACCESS_PCI)
		made.ctl = bpmu_discovery_config(unit->address);
	else
		made.size = end_of(box, unit);
	made.select = made.ctl + unit->select;
	made.counter = made.ctl + unit->counter;
	made.stride = select_stride(unit->access);
	made.counter_stride = counter_stride(unit->access);
	made.wide = unit->access == BPMU_ACCESS_PCI;
	return made;
}
