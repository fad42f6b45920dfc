// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore of Intel's servers from Sapphire Rapids on, and its discovery table. The registers of
 * CHAs, IIO stacks and their IRPs, PCU and UBox are MSRs. The registers of memory channels are
 * memory-mapped. The registers of M2Ms (B2CMIs on Granite Rapids) and UPI links are in extended PCI
 * configuration space. The simulated memory controller interleaves cache lines over the channels of
 * the first package; these count the lines that they read and write. The guest injects events of
 * all units by CPUID with a leaf that no CPU has, and with the numbers event and unit mask, unit,
 * and number of occurrences.
 *
 * Source of the table's format and of the bits of a control register: Linux,
 * arch/x86/events/intel/uncore_discovery.h. Registers of M2Ms and links: SNR_M2M_PCI_PMON_*,
 * ICX_UPI_PCI_PMON_*, uncore_snbep.c there; MSRs, and addresses and identifiers of M2Ms and links:
 * types.h and cpucounters.cpp of Intel PCM.
 */
#include "discovered.h"

#include <string.h>

#include "event/uncounted.h"
#include "iio.h"
#include "imc.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "machine/window.h"
#include "memory/tracker.h"
#include "server.h"

#define COUNTERS 4
#define WIDTH 48
#define CHAS 32
#define CHANNELS 8
#define IIOS 2
/*
 * Numbers of a package's units in this file: from 0 on the memory channels, then M2Ms and links in
 * the order in which imc.h numbers boxes, then the units whose registers are MSRs.
 */
#define AGENT CHANNELS
#define LINK (AGENT + VPMU_LINK - VPMU_AGENT)
#define IIO (LINK + VPMU_EDC_ECLK - VPMU_LINK)
#define IRP (IIO + IIOS)
#define PCU (IRP + IIOS)
#define UBOX (PCU + 1)
#define CHA (UBOX + 1)
#define UNITS (CHA + CHAS)
#define MSRS 16

#define FREEZE 0x1
#define RESET_CONTROLS 0x100
#define RESET_COUNTERS 0x200
#define WHAT 0xffff
/*
 * Legal bits of an event select. All units have SELECT_BITS. CHAs, IRPs, M2Ms and links also have
 * EXT_BITS, the extended unit mask. IIO stacks also have IIO_BITS, further fields.
 */
#define SELECT_BITS 0xff84ffffull
#define EXT_BITS 0x00ffffff00000000ull
#define IIO_BITS 0x0007ffff00000000ull
/* event UNC_M_CAS_COUNT of a memory channel, and its unit mask bits for regular reads and writes */
#define CODE 0xff
#define CAS 0x05
#define CAS_READ 0x100
#define CAS_WRITE 0x1000
#define CHA_NUMBER 0x2ffe

/*
 * Physical addresses, above the machine's RAM. Each package has STEP bytes from BASE on: first the
 * discovery table of the package, then the registers of its memory channels, CHANNEL_STEP bytes for
 * each.
 */
#define BASE 0x5000000000ull
#define STEP 0x100000ull
#define CHANNEL_STEP 0x4000u
#define STRIDE 40
/* how the discovery table gives the address of a control register in PCI configuration space */
#define CONFIG(bus, devfn, ctl) ((uint64_t)(bus) << 20 | (devfn) << 12 | (ctl))
#define BUS_STEP 0x40

/**
 * struct vpmu_discovered_part - uncore units of a CPU model that has a discovery table
 * @iio: MSR of the first IIO stack's control
 * @irp: MSR of the first IRP's control
 * @pcu: MSR of the PCU's control
 * @ubox: MSR of the UBox's control
 * @agent: number of the M2M's or B2CMI's type in the discovery table
 * @number: true if the MSR CHA_NUMBER has the number of CHAs; false if the MSR reads as 0
 */
struct vpmu_discovered_part {
	uint32_t iio;
	uint32_t irp;
	uint32_t pcu;
	uint32_t ubox;
	uint16_t agent;
	bool number;
};

static const struct vpmu_discovered_part spr_discovered = {
	.iio = 0x3000, .irp = 0x3400, .pcu = 0x2fc0, .ubox = 0x2fd0, .agent = 7,
	.number = true,
};

/* Emerald Rapids, on which the MSR CHA_NUMBER reads as 0: Linux, spr_uncore_cpu_init() */
static const struct vpmu_discovered_part emr_discovered = {
	.iio = 0x3000, .irp = 0x3400, .pcu = 0x2fc0, .ubox = 0x2fd0, .agent = 7,
};

static const struct vpmu_discovered_part gnr_discovered = {
	.iio = 0x2900, .irp = 0x2a00, .pcu = 0x2fc0, .ubox = 0x3ff0, .agent = 16,
};

#define DISCOVERED(table) \
	.ubox = 0x3250, .ubox_bus = 0x3e, .ubox_devfn = VPMU_DEVFN(0x00, 0), .ubox_node = 0xc0, \
	.ubox_map = 0xd4, .bus = 0x3c, .memory = 0x09a7, .memory_devfn = VPMU_DEVFN(0x00, 1), \
	.discovered = (table)

/*
 * PCI device IDs and places of Sapphire Rapids' M2Ms and links; another source of the links'
 * places: Linux, SPR_UNCORE_UPI0_DEVFN, spr_upi_pci_offsets
 */
#define SPR_DEVICES \
	[VPMU_AGENT] = { 0x324a, VPMU_DEVFN(0x0c, 0) }, { 0x324a, VPMU_DEVFN(0x0d, 0) }, \
	{ 0x324a, VPMU_DEVFN(0x0e, 0) }, { 0x324a, VPMU_DEVFN(0x0f, 0) }, \
	[VPMU_LINK] = { 0x3241, VPMU_DEVFN(0x01, 1) }, { 0x3241, VPMU_DEVFN(0x02, 1) }, \
	{ 0x3241, VPMU_DEVFN(0x03, 1) }

const struct vpmu_imc_part vpmu_spr_imc = { DISCOVERED(&spr_discovered), .box = { SPR_DEVICES } };
const struct vpmu_imc_part vpmu_emr_imc = { DISCOVERED(&emr_discovered), .box = { SPR_DEVICES } };

/*
 * Granite Rapids. No source has its PCI device IDs, so these are Sapphire Rapids'. Drivers find the
 * units by the discovery table, not by device IDs.
 */
const struct vpmu_imc_part vpmu_gnr_imc = {
	DISCOVERED(&gnr_discovered),
	.box = {
		[VPMU_AGENT] = { 0x324a, VPMU_DEVFN(0x05, 1) }, { 0x324a, VPMU_DEVFN(0x05, 2) },
		{ 0x324a, VPMU_DEVFN(0x05, 3) }, { 0x324a, VPMU_DEVFN(0x05, 4) },
		[VPMU_LINK] = { 0x3241, VPMU_DEVFN(0x10, 1) }, { 0x3241, VPMU_DEVFN(0x11, 1) },
		{ 0x3241, VPMU_DEVFN(0x12, 1) },
	},
};

/* where a unit's registers are, numbered as the access type in the discovery table */
enum access { IN_MSRS, IN_MEMORY, IN_CONFIG };

/**
 * struct layout - where the registers of a discovered unit are. Distances are in bytes, or between
 * MSR numbers
 * @access: location of the registers
 * @ctl: offset of the control register in configuration space; not used for other locations
 * @select: distance of event select 0 from the control register
 * @select_step: distance between two event selects
 * @counter: distance of counter 0 from the control register
 * @counter_step: distance between two counters
 */
struct layout {
	enum access access;
	unsigned int ctl;
	unsigned int select;
	unsigned int select_step;
	unsigned int counter;
	unsigned int counter_step;
};

/**
 * struct unit - registers of a discovered unit
 * @ctl: unit control, of which only the freeze bit is stored
 * @select: event selects, [COUNTERS]
 * @counter: counters of WIDTH bits, [COUNTERS]
 * @since: how often the counter's event had occurred in the simulated memory since power on when
 *	@counter was last updated, [COUNTERS]
 */
struct unit {
	uint64_t ctl;
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
	uint64_t since[COUNTERS];
};

static struct unit units[VPMU_MAX_CPUS][UNITS];
static bool counting;

static bool is_discovered(void)
{
	return vpmu_options.part->imc && vpmu_options.part->imc->discovered;
}

static const struct layout *registers_of(unsigned int unit)
{
	static const struct layout channel = { IN_MEMORY, 0, 0x40, 4, 0x08, 8 };
	static const struct layout agent = { IN_CONFIG, 0x438, 0x30, 8, 0x08, 8 };
	static const struct layout link = { IN_CONFIG, 0x318, 0x38, 8, 0x08, 8 };
	static const struct layout msr = { IN_MSRS, 0, 2, 1, 8, 1 };

	return unit < AGENT ? &channel : unit < LINK ? &agent : unit < IIO ? &link : &msr;
}

static unsigned int nr_chas(void)
{
	return vpmu_options.boxes && vpmu_options.boxes < CHAS ? vpmu_options.boxes : 4;
}

static unsigned int nr_counters(unsigned int unit)
{
	return unit == UBOX || (unit >= IRP && unit < PCU) ? 2 : COUNTERS;
}

/* Returns the box number, as in imc.h, of a unit that is a memory channel, an M2M or a link. */
static unsigned int box_of(unsigned int unit)
{
	return unit < AGENT ? unit : unit - AGENT + VPMU_AGENT;
}

/* Returns the unit that imc.h numbers @box; UNITS if box @box is no memory channel, M2M or link. */
static unsigned int unit_of_box(unsigned int box)
{
	if (box < CHANNELS)
		return box;
	return box >= VPMU_AGENT && box < VPMU_EDC_ECLK ? box - VPMU_AGENT + AGENT : UNITS;
}

static uint32_t msr_of(unsigned int unit)
{
	const struct vpmu_discovered_part *part = vpmu_options.part->imc->discovered;

	return unit < IRP ? part->iio + (unit - IIO) * MSRS :
	       unit < PCU ? part->irp + (unit - IRP) * MSRS :
	       unit == PCU ? part->pcu :
	       unit == UBOX ? part->ubox : 0x2000 + (unit - CHA) * MSRS;
}

static bool is_there(unsigned int package, unsigned int unit)
{
	return unit < IIO ? vpmu_imc_boxes(package) >> box_of(unit) & 1 :
			    unit < CHA + nr_chas();
}

static uint64_t address_of(unsigned int package, unsigned int unit)
{
	const struct vpmu_imc_part *part = vpmu_options.part->imc;

	switch (registers_of(unit)->access) {
	case IN_MEMORY:
		return BASE + package * STEP + (unit + 1) * CHANNEL_STEP;
	case IN_CONFIG:
		return CONFIG(package * BUS_STEP + part->bus, part->box[box_of(unit)].devfn,
			      registers_of(unit)->ctl);
	default:
		return msr_of(unit);
	}
}

/*
 * Returns the last 64-bit word of a unit's record in the discovery table: the type of the unit, and
 * its number among the units of this type.
 */
static uint64_t identity(unsigned int unit)
{
	static const struct {
		unsigned int first;
		uint16_t type;
	} types[] = { { CHA, 0 }, { UBOX, 5 }, { PCU, 4 }, { IRP, 2 }, { IIO, 1 },
		      { LINK, 8 }, { AGENT, 7 }, { 0, 6 } };
	unsigned int i = 0;

	while (unit < types[i].first)
		i++;
	return (types[i].first == AGENT ? vpmu_options.part->imc->discovered->agent :
					  types[i].type) | (unit - types[i].first) << 16;
}

/* Returns the 64-bit word number @word of a unit's record in the discovery table. */
static uint64_t row(unsigned int package, unsigned int unit, unsigned int word)
{
	const struct layout *layout = registers_of(unit);

	switch (word) {
	case 0:
		return (uint64_t)layout->access << 62 | nr_counters(unit) |
		       layout->select << 8 | WIDTH << 16 | layout->counter << 24;
	case 1:
		if (unit == CHA && package && vpmu_options.elsewhere)
			return msr_of(CHA + CHAS);
		if (unit == AGENT && vpmu_options.elsewhere)
			package = 0;
		return address_of(package, unit);
	case 2:
		return identity(unit);
	default:
		return 0;
	}
}

/*
 * Wrong records of the discovery table, which a driver must refuse: a CHA at an MSR of the core, a
 * memory channel in RAM, a memory channel that overlaps another one, and an M2M and a link at PCI
 * devices that do not exist.
 */
static const struct {
	unsigned int unit;
	uint64_t address;
} wrong[] = {
	{ CHA, 0x1a0 },
	{ 0, 0x100000 },
	{ 0, BASE + CHANNEL_STEP + 8 },
	{ AGENT, CONFIG(0x77, 0, 0x438) },
	{ LINK, CONFIG(0x77, 8, 0x318) },
};

#define WRONG (sizeof(wrong) / sizeof(*wrong))

static uint64_t wrong_row(unsigned int i, unsigned int word)
{
	if (word == 1)
		return wrong[i].address;
	if (word == 2)
		return (identity(wrong[i].unit) & WHAT) | (90 + i) << 16;
	return row(0, wrong[i].unit, word);
}

static uint64_t table_word(unsigned int package, unsigned int record, unsigned int word)
{
	unsigned int i, unit, n = 0;

	if (!record)
		return !word ? STRIDE / 8 << 8 | (UNITS + WRONG) << 16 : word == 1 ? 0x2ff0 : 0;
	for (i = 0; i < UNITS; i++) {
		unit = package && vpmu_options.reversed ? UNITS - 1 - i : i;
		if (is_there(package, unit) && ++n == record)
			return row(package, unit, word);
	}
	record -= n + 1;
	return vpmu_options.untold && record < WRONG ? wrong_row(record, word) : 0;
}

/*
 * Returns the register of a unit at distance @at from the unit's control register; NULL if there is
 * none. In memory and in configuration space an access has 32 bits, half of a register. *@shift is
 * set to 0 if the access is to bits 31:0 of the register, to 32 if it is to bits 63:32.
 */
static uint64_t *register_at(struct unit *u, unsigned int unit, unsigned int at,
			     unsigned int *shift)
{
	const struct layout *layout = registers_of(unit);
	unsigned int select = at - layout->select, counter = at - layout->counter;
	unsigned int nr = nr_counters(unit);

	*shift = 0;
	if (!at)
		return &u->ctl;
	if (select < nr * layout->select_step) {
		*shift = select % layout->select_step * 8;
		return &u->select[select / layout->select_step];
	}
	if (counter >= nr * layout->counter_step)
		return NULL;
	*shift = counter % layout->counter_step * 8;
	return &u->counter[counter / layout->counter_step];
}

/*
 * Checks if the simulated memory has the event of an event select. It has only one event: cache
 * lines that a memory channel transfers.
 */
static bool discovered_models(unsigned int unit, uint64_t select)
{
	return unit < AGENT && (select & CODE) == CAS && select & (CAS_READ | CAS_WRITE);
}

/*
 * Puts the event of a counter into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the simulated cores and memory have the event, or the guest
 * injects it by CPUID. Called when the guest reads the counter (@happened is false), and when the
 * counter counts an injected event (@happened is true).
 */
static void discovered_note(unsigned int unit, uint64_t select, bool happened)
{
	static const struct {
		unsigned int first;
		const char *box;
	} names[] = {
		{ CHA, "CBos or CHAs" }, { UBOX, "UBox" }, { PCU, "power control unit" },
		{ IRP, "IRPs" }, { IIO, "IIO stacks" }, { LINK, "QPI or UPI links" },
		{ AGENT, "home agents" }, { 0, "memory channels" },
	};
	unsigned int n = 0;

	while (unit < names[n].first)
		n++;
	if (select)
		vpmu_uncounted_box(names[n].box, select, 0,
				   happened || discovered_models(unit, select));
}

/*
 * Reads register @reg of a unit. If the register is a counter, the counter's event is put into the
 * list of uncounted events if it never occurs, see discovered_note().
 */
static uint64_t discovered_value(const struct unit *u, unsigned int unit, const uint64_t *reg)
{
	if (reg >= u->counter)
		discovered_note(unit, u->select[reg - u->counter], false);
	return *reg;
}

/*
 * Executes a write of @value to a unit's control register. One reset bit sets the event selects to
 * 0, and another reset bit sets the counters to 0. Reset bits are not stored: they read as 0.
 */
static void control(struct unit *u, uint64_t value)
{
	if (value & RESET_CONTROLS)
		memset(u->select, 0, sizeof(u->select));
	if (value & RESET_COUNTERS)
		memset(u->counter, 0, sizeof(u->counter));
	u->ctl = value & FREEZE;
}

static uint64_t legal_bits(const struct unit *u, unsigned int unit, const uint64_t *reg)
{
	if (reg == &u->ctl)
		return FREEZE | RESET_CONTROLS | RESET_COUNTERS;
	if (reg >= u->counter)
		return VPMU_BIT(WIDTH) - 1;
	if (unit >= IIO && unit < IRP)
		return SELECT_BITS | IIO_BITS;
	return SELECT_BITS | (unit < AGENT || unit == PCU || unit == UBOX ? 0 : EXT_BITS);
}

static void set(struct vpmu_cpu *cpu, struct unit *u, unsigned int unit, uint64_t *reg,
		uint64_t value)
{
	if (value & ~legal_bits(u, unit, reg))
		cpu->illegal_writes++;
	else if (reg == &u->ctl)
		control(u, value);
	else
		*reg = value;
}

/*
 * Returns the number of the memory channel that has registers at offset @at in the memory range
 * that has the registers of all packages; UNITS if there is none. Sets *@offset to the offset in
 * the channel's registers.
 */
static unsigned int channel_at(uint64_t at, unsigned int *offset)
{
	unsigned int unit = at % STEP / CHANNEL_STEP - 1;

	*offset = at % CHANNEL_STEP;
	return unit < CHANNELS && is_there(at / STEP, unit) && *offset < 0x50 ? unit : UNITS;
}

static bool counts_lines(const struct unit *u, unsigned int i)
{
	return !(u->ctl & FREEZE) && (u->select[i] & CODE) == CAS;
}

/*
 * Finds out how many cache lines the simulated memory channels have transferred. If @add is true,
 * adds the lines transferred since the last call to the enabled counters that count lines.
 */
static void settle_channels(struct vpmu_cpu *cpu, bool add)
{
	unsigned int present = vpmu_options.imc & (VPMU_BIT(CHANNELS) - 1);
	struct vcore_traffic seen;
	unsigned int channel, i;
	struct unit *u;
	uint64_t total;

	vcore_settle(cpu->core);
	vcore_memory_traffic(vpmu_cpu(0)->core->memory, &seen);
	for (channel = 0; channel < CHANNELS; channel++) {
		u = &units[0][channel];
		for (i = 0; is_there(0, channel) && i < COUNTERS; i++) {
			if (!counts_lines(u, i))
				continue;
			total = vpmu_imc_lines(&seen, present, channel,
					       u->select[i] & CAS_READ,
					       u->select[i] & CAS_WRITE);
			if (add)
				u->counter[i] = (u->counter[i] + total - u->since[i]) &
						(VPMU_BIT(WIDTH) - 1);
			u->since[i] = total;
		}
	}
}

static bool any_counts_lines(void)
{
	unsigned int channel, i;

	for (channel = 0; channel < CHANNELS; channel++)
		for (i = 0; i < COUNTERS; i++)
			if (counts_lines(&units[0][channel], i))
				return true;
	return false;
}

static void restart_channels(struct vpmu_cpu *cpu)
{
	bool before = counting;

	settle_channels(cpu, false);
	counting = any_counts_lines();
	if (before != counting)
		vpmu_model_all(VPMU_FOR_UNCORE, counting);
}

static uint64_t discovered_load(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes)
{
	unsigned int offset, shift, unit;
	struct unit *u;
	uint64_t *reg;

	if (at % STEP < CHANNEL_STEP)
		return table_word(at / STEP, at % STEP / STRIDE, at % STEP % STRIDE / 8) >>
		       8 * (at & 7);
	unit = channel_at(at, &offset);
	if (unit == UNITS || vpmu_options.mute >> unit & 1)
		return -1ull;
	u = &units[at / STEP][unit];
	reg = register_at(u, unit, offset, &shift);
	if (reg && reg >= u->counter)
		settle_channels(cpu, true);
	return reg ? discovered_value(u, unit, reg) >> (bytes == 4 ? shift : 0) : 0;
}

static void discovered_store(struct vpmu_cpu *cpu, uint64_t at, unsigned int bytes, uint64_t value)
{
	unsigned int offset, shift, unit = channel_at(at, &offset);
	struct unit *u = unit < UNITS ? &units[at / STEP][unit] : NULL;
	uint64_t *reg = u ? register_at(u, unit, offset, &shift) : NULL;

	if (!reg || (bytes != 8 && reg >= u->counter) || bytes < 4) {
		cpu->illegal_writes++;
		return;
	}
	settle_channels(cpu, true);
	set(cpu, u, unit, reg, value);
	restart_channels(cpu);
}

/**
 * vpmu_discovered_lose() - set counters of discovered units to their values at power on
 */
void vpmu_discovered_lose(void)
{
	memset(units, 0, sizeof(units));
	if (counting)
		vpmu_model_all(VPMU_FOR_UNCORE, false);
	counting = false;
}

/**
 * vpmu_discovered_init() - set counters of discovered units to their values at power on
 *
 * Also maps the memory-mapped registers. Nothing is done if the CPU model has no discovery table.
 */
void vpmu_discovered_init(void)
{
	static const struct vpmu_window window = {
		.name = "discovered", .base = BASE, .size = VPMU_MAX_CPUS * STEP,
		.read = discovered_load, .write = discovered_store,
	};

	vpmu_discovered_lose();
	if (vpmu_options.imc && is_discovered())
		vpmu_window_add(&window);
}

/*
 * Extended capabilities, by offset, of the PCI device that has the discovery table. The DVSEC that
 * leads to the table is the last. A driver must skip the others: advanced error reporting, a DVSEC
 * of another vendor, a DVSEC with another ID. These two DVSECs name BARs that hold no table.
 */
#define ERRORS 0x100
#define OF_ANOTHER_VENDOR 0x140
#define OF_ANOTHER_USE 0x160
#define OF_TABLE 0x180
#define CAPABILITY(number, next) ((next) << 20 | 1 << 16 | (number))
#define AER 0x01
#define DVSEC 0x23
#define LENGTH_16 0x01000000u

/**
 * vpmu_discovered_config() - read configuration space of the PCI device with the discovery table
 * @package: package number
 * @offset: offset in bytes, a multiple of 4
 *
 * Return: 32 bits of the register at @offset; 0 if there is none.
 */
uint32_t vpmu_discovered_config(unsigned int package, unsigned int offset)
{
	uint64_t base = BASE + package * STEP;

	switch (offset) {
	case 0x10:
		return (uint32_t)base | 4;
	case 0x14:
		return base >> 32;
	case ERRORS:
		return CAPABILITY(AER, OF_ANOTHER_VENDOR);
	case OF_ANOTHER_VENDOR:
		return CAPABILITY(DVSEC, OF_ANOTHER_USE);
	case OF_ANOTHER_USE:
		return CAPABILITY(DVSEC, OF_TABLE);
	case OF_TABLE:
		return CAPABILITY(DVSEC, 0);
	case OF_ANOTHER_VENDOR + 4:
		return LENGTH_16 | 0x1022;
	case OF_ANOTHER_USE + 4:
	case OF_TABLE + 4:
		return LENGTH_16 | 0x8086;
	case OF_ANOTHER_VENDOR + 8:
	case OF_TABLE + 8:
		return 1;
	case OF_ANOTHER_USE + 8:
		return 2;
	default:
		return 0;
	}
}

/**
 * vpmu_discovered_box_read() - read a register of a discovered M2M or link
 * @package: number of the package
 * @box: number of the box, from the list in imc.h
 * @offset: offset in the box's configuration space, a multiple of 4
 *
 * Return: 32 bits of the register; all ones if the option mute= of the virtual PMU names the box; 0
 * if there is no register at @offset.
 */
uint32_t vpmu_discovered_box_read(unsigned int package, unsigned int box, unsigned int offset)
{
	unsigned int shift, unit = unit_of_box(box);
	struct unit *u = &units[package][unit];
	const uint64_t *reg;

	if (vpmu_options.mute >> box & 1)
		return ~0u;
	reg = register_at(u, unit, offset - registers_of(unit)->ctl, &shift);
	return reg ? discovered_value(u, unit, reg) >> shift : 0;
}

/**
 * vpmu_discovered_box_write() - write a register of a discovered M2M or link
 * @cpu: the calling vCPU
 * @package: number of the package
 * @box: number of the box, from the list in imc.h
 * @offset: offset in the box's configuration space, a multiple of 4
 * @value: 32 bits to write
 */
void vpmu_discovered_box_write(struct vpmu_cpu *cpu, unsigned int package, unsigned int box,
			       unsigned int offset, uint32_t value)
{
	unsigned int shift, unit = unit_of_box(box);
	struct unit *u = &units[package][unit];
	uint64_t *reg = register_at(u, unit, offset - registers_of(unit)->ctl, &shift);

	if (reg)
		set(cpu, u, unit, reg,
		    (*reg & ~(0xffffffffull << shift)) | (uint64_t)value << shift);
}

/*
 * Returns the register with MSR number @msr of a unit in the package of @cpu; NULL if no unit has
 * this MSR. Sets *@unit to the number of the unit, and *@u to its registers.
 */
static uint64_t *msr_register(const struct vpmu_cpu *cpu, uint32_t msr, struct unit **u,
			      unsigned int *unit)
{
	unsigned int package = vpmu_package_of(cpu), shift;

	for (*unit = IIO; is_discovered() && is_there(package, *unit); ++*unit) {
		*u = &units[package][*unit];
		if (msr - msr_of(*unit) < MSRS)
			return register_at(*u, *unit, msr - msr_of(*unit), &shift);
	}
	return NULL;
}

/**
 * vpmu_discovered_read() - execute RDMSR of a discovered unit
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of a discovered unit.
 */
bool vpmu_discovered_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	struct unit *u;
	unsigned int unit;
	uint64_t *reg;

	if (is_discovered() && vpmu_options.part->imc->discovered->number && msr == CHA_NUMBER) {
		*value = nr_chas();
		return true;
	}
	reg = msr_register(cpu, msr, &u, &unit);
	if (reg)
		*value = discovered_value(u, unit, reg);
	return reg;
}

/**
 * vpmu_discovered_write() - execute WRMSR of a discovered unit
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of a discovered unit.
 */
bool vpmu_discovered_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	struct unit *u;
	unsigned int unit;
	uint64_t *reg = msr_register(cpu, msr, &u, &unit);

	if (reg)
		set(cpu, u, unit, reg, value);
	return reg;
}

/*
 * Checks if counter @i of a unit, with event select @select, counts an injected event. @detail is
 * the extended unit mask of the injected event. If @detail is not 0, @detail and the extended unit
 * mask of @select must have a bit in common; if @detail is 0, the extended unit mask of @select
 * must be 0. For IIO stacks @detail is the argument @detail of vpmu_iio_counts().
 */
static bool counts(unsigned int unit, unsigned int i, uint64_t select, uint32_t what,
		   uint32_t detail)
{
	if (unit >= IIO && unit < IRP)
		return vpmu_iio_counts(&vpmu_icx_iio, what, detail, i, select);
	return select && (select & WHAT) == (what & WHAT) &&
	       (detail ? select >> 32 & detail : !(select >> 32));
}

static void discovered_happen(const struct vpmu_cpu *cpu, unsigned int unit, uint32_t what,
			      uint32_t detail, uint32_t count)
{
	unsigned int package = vpmu_package_of(cpu);
	struct unit *u;
	unsigned int i;

	if (!is_discovered() || unit >= UNITS || !is_there(package, unit))
		return;
	u = &units[package][unit];
	for (i = 0; i < nr_counters(unit); i++) {
		if (u->ctl & FREEZE || !counts(unit, i, u->select[i], what, detail))
			continue;
		discovered_note(unit, u->select[i], true);
		u->counter[i] = (u->counter[i] + count) & (VPMU_BIT(WIDTH) - 1);
	}
}

/**
 * vpmu_discovered_cha_happen() - inject an event of a CHA that the discovery table lists
 * @cpu: a vCPU of the CHA's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the CHA in 23:16
 * @detail: extended unit mask, bits 47:32 of the event select
 * @count: number of occurrences
 */
void vpmu_discovered_cha_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count)
{
	discovered_happen(cpu, CHA + (what >> 16 & 0xff), what, detail, count);
}

/**
 * vpmu_discovered_imc_happen() - inject an event of a discovered memory channel, M2M or link
 * @cpu: a vCPU of the unit's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the box, from the list in imc.h in 23:16
 * @detail: extended unit mask, bits 47:32 of the event select
 * @count: number of occurrences
 */
void vpmu_discovered_imc_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count)
{
	discovered_happen(cpu, unit_of_box(what >> 16 & 0xff), what, detail, count);
}

/**
 * vpmu_discovered_server_happen() - inject an event of a discovered PCU or UBox
 * @cpu: a vCPU of the unit's package
 * @what: event in bits 7:0, unit mask in 15:8, &enum vpmu_server_unit in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_discovered_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				   uint32_t count)
{
	(void)detail;
	discovered_happen(cpu, (what >> 16 & 0xff) == VPMU_PCU ? PCU : UBOX, what, 0, count);
}

/**
 * vpmu_discovered_iio_happen() - inject an event of an IIO stack that the discovery table lists
 * @cpu: a vCPU of the stack's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the stack in 23:16
 * @detail: number of the port in bits 9:0, number of the flow control class in 15:10
 * @count: number of occurrences
 */
void vpmu_discovered_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count)
{
	unsigned int stack = what >> 16 & 0xff;

	if (stack < IIOS)
		discovered_happen(cpu, IIO + stack, what, detail, count);
}

/**
 * vpmu_discovered_irp_happen() - inject an event of an IRP that the discovery table lists
 * @cpu: a vCPU of the IRP's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the stack in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_discovered_irp_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
				uint32_t count)
{
	unsigned int stack = what >> 16 & 0xff;

	(void)detail;
	if (stack < IIOS)
		discovered_happen(cpu, IRP + stack, what, 0, count);
}
