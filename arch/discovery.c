// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of the discovery table, in which the firmware of Intel's servers from Sapphire Rapids on
 * lists the uncore units of a package and their counters. Source of the format: Linux,
 * arch/x86/events/intel/uncore_discovery.h, struct uncore_global_discovery, struct
 * uncore_unit_discovery, uncore_discovery_invalid_unit(); of the distances between registers:
 * uncore_msr_event_ctl(), uncore_pci_event_ctl() and uncore_mmio_event_ctl() of
 * arch/x86/events/intel/uncore.h.
 *
 * A wrong table must not make the module write to registers that do not belong to counters. A unit
 * of the table is accepted if its registers lie in the range that the part's descriptor allows, and
 * if the unit agrees with the descriptor in all but its address and the offsets of its registers.
 */
#include "arch.h"

/* Number of MSRs reserved for each unit. Source: Linux, uncore_snbep.c, HSWEP_CBO_MSR_OFFSET */
#define MSRS		16
#define CONFIG_BASIC	0x100
#define CONFIG_BYTES	0x1000
/* Bits of &bpmu_discovery_unit.address that may be 1 if the address is the number of an MSR */
#define MSR_BITS	0xffffffffULL
/*
 * Bits of &bpmu_discovery_unit.address that may be 1 if the address is in PCI configuration space:
 * device in bits 30:12, offset in bits 11:0
 */
#define PCI_BITS	0x7fffffffULL

static u32 field(u64 word, unsigned int first, unsigned int number)
{
	return word >> first & (BPMU_BIT(number) - 1);
}

static int is_absent(const u64 *words)
{
	return !words[0] || !words[1] || !~words[0] || !~words[1] || !~words[2];
}

/**
 * bpmu_discovery_head() - decode the first record of a discovery table of uncore units
 * @words: the record, [BPMU_DISCOVERY_WORDS]
 * @table: set to the number of units and the stride of records in bytes
 *
 * Context: any.
 * Return: 1; 0 if the table is absent, has no unit, or has records that are too short.
 */
int bpmu_discovery_head(const u64 *words, struct bpmu_discovery_table *table)
{
	table->stride = field(words[0], 8, 8) * sizeof(u64);
	table->units = field(words[0], 16, 10);
	return !is_absent(words) && table->units &&
	       table->stride >= BPMU_DISCOVERY_WORDS * sizeof(u64);
}

/**
 * bpmu_discovery_unit() - decode the record of an uncore unit in a discovery table
 * @words: the record, [BPMU_DISCOVERY_WORDS]
 * @unit: set to the record's fields, which bpmu_discovery_wrong() has to check
 *
 * Context: any.
 * Return: 1; 0 if the record describes no unit.
 */
int bpmu_discovery_unit(const u64 *words, struct bpmu_discovery_unit *unit)
{
	*unit = (struct bpmu_discovery_unit){
		.counters = field(words[0], 0, 8),
		.select = field(words[0], 8, 8),
		.width = field(words[0], 16, 8),
		.counter = field(words[0], 24, 8),
		.access = field(words[0], 62, 2),
		.address = words[1],
		.type = field(words[2], 0, 16),
		.id = field(words[2], 16, 16),
	};
	return !is_absent(words);
}

/*
 * Returns 1 if the module can access a unit of the type of @box by @access, else 0. For each type
 * of unit the module has code either for MSRs, or for PCI devices and memory-mapped registers.
 */
static int has_access(const struct bpmu_box *box, u8 access)
{
	if (box->unit == BPMU_UNIT_IMC || box->unit == BPMU_UNIT_HA ||
	    box->unit == BPMU_UNIT_LINK)
		return access == BPMU_ACCESS_MEMORY || access == BPMU_ACCESS_PCI;
	return access == BPMU_ACCESS_MSR;
}

/* Returns the distance between two event selects, in MSRs or bytes. */
static u32 select_stride(u8 access)
{
	return access == BPMU_ACCESS_MSR ? 1 : access == BPMU_ACCESS_PCI ? 8 : 4;
}

static u32 counter_stride(u8 access)
{
	return access == BPMU_ACCESS_MSR ? 1 : 8;
}

static int ranges_overlap(u32 a, u32 a_end, u32 b, u32 b_end)
{
	return a < b_end && b < a_end;
}

/* Returns the distance from a unit's control register to the end of its last register. */
static u32 registers_end(const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 selects = unit->select + box->counters * select_stride(unit->access);
	u32 counters = unit->counter + box->counters * counter_stride(unit->access);

	return selects > counters ? selects : counters;
}

/* Returns 1 if a unit's control register, event selects and counters are aligned and disjoint. */
static int registers_fit(const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 stride = select_stride(unit->access), wide = counter_stride(unit->access);
	u32 selects = unit->select + box->counters * stride;
	u32 counters = unit->counter + box->counters * wide;

	if (unit->select < stride || unit->counter < wide || unit->select % stride ||
	    unit->counter % wide)
		return 0;
	return !ranges_overlap(unit->select, selects, unit->counter, counters);
}

static int address_fits(const struct bpmu_discovery *discovery,
			const struct bpmu_box *box, const struct bpmu_discovery_unit *unit)
{
	u32 end = registers_end(box, unit);

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
 * bpmu_discovery_config() - get the configuration space offset of a unit in a discovery table
 * @address: &bpmu_discovery_unit.address of a unit in configuration space
 *
 * Context: any.
 * Return: the offset in the device's configuration space, in bytes.
 */
u32 bpmu_discovery_config(u64 address)
{
	return field(address, 0, 12);
}

/**
 * bpmu_discovery_device() - get the PCI device of a unit in a discovery table
 * @address: &bpmu_discovery_unit.address of a unit in configuration space
 *
 * Context: any.
 * Return: domain in bits 18:16, bus in bits 15:8, device and function in bits 7:0.
 */
u32 bpmu_discovery_device(u64 address)
{
	return field(address, 12, 19);
}

/**
 * bpmu_discovery_wrong() - check a unit decoded from discovery tables against the part's descriptor
 * @discovery: range of MSRs that units of this part may have
 * @box: descriptor of the unit's type
 * @unit: decoded record of the unit
 *
 * Context: any.
 * Return: NULL if the unit is accepted, else what is wrong, as the predicate of a sentence whose
 *	subject is the unit.
 */
const char *bpmu_discovery_wrong(const struct bpmu_discovery *discovery,
				 const struct bpmu_box *box,
				 const struct bpmu_discovery_unit *unit)
{
	if (!has_access(box, unit->access))
		return "has an unexpected access type";
	if (unit->counters < box->counters)
		return "has too few counters";
	if (unit->width != box->width)
		return "has counters of an unexpected width";
	if (!registers_fit(box, unit))
		return "has misaligned or overlapping registers";
	if (!address_fits(discovery, box, unit))
		return "has an invalid address";
	return NULL;
}

/**
 * bpmu_discovery_box() - complete a PMU box by the record of its unit in the discovery table
 * @box: descriptor of the unit's type
 * @unit: a unit that bpmu_discovery_wrong() accepts
 *
 * Context: any.
 * Return: a copy of @box whose first instance has the registers of @unit.
 */
struct bpmu_box bpmu_discovery_box(const struct bpmu_box *box,
				   const struct bpmu_discovery_unit *unit)
{
	struct bpmu_box completed = *box;

	if (unit->access == BPMU_ACCESS_MSR)
		completed.ctl = unit->address;
	else if (unit->access == BPMU_ACCESS_PCI)
		completed.ctl = bpmu_discovery_config(unit->address);
	else
		completed.size = registers_end(box, unit);
	completed.select = completed.ctl + unit->select;
	completed.counter = completed.ctl + unit->counter;
	completed.stride = select_stride(unit->access);
	completed.counter_stride = counter_stride(unit->access);
	completed.wide = unit->access == BPMU_ACCESS_PCI;
	return completed;
}
