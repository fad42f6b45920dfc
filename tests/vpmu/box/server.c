// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs of the power control unit and of the UBox of Intel's servers. The guest injects the events
 * by CPUID with a leaf that no CPU has, and with event, unit mask and number of occurrences. For an
 * event of the PCU's frequency bands it also gives the frequency, and for an event of C-states the
 * number of cores in the C-state.
 *
 * Source of the registers and of the fields of an event select: Linux,
 * arch/x86/events/intel/uncore_snbep.c, SNBEP_PCU_*, SNBEP_U_*, HSWEP_PCU_*, HSWEP_U_*; of the
 * event constraints: *_constraints there.
 */
#include "server.h"

#include <string.h>

#include "event/uncounted.h"
#include "machine/options.h"
#include "machine/topology.h"

#define COUNTERS 4
/* index of the UBox's fixed counter; the UBox's general-purpose counters have indices 0 and 1 */
#define FIXED 2
#define CODE 0xff
#define UMASK(select) ((select) >> 8 & 0xff)
#define THRESHOLD(select) ((select) >> 24 & 0x1f)
#define SELECT_ENABLE VPMU_BIT(22)
#define INVERT VPMU_BIT(23)
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100
#define CTL_FREEZE_EN 0x10000
#define BAND 0x0b
#define BANDS 4
#define CORES 0x80
#define FILTER_BITS 0xffffffffull
#define PCU_SELECT 0xdf46c0ffull
#define UBOX_SELECT 0x1f46ffffull

/**
 * struct vpmu_server_part - PCU and UBox of a CPU model
 * @ctl: MSR of the PCU's unit control
 * @filter: MSR of the PCU's filter
 * @select: MSR of event select 0, [&enum vpmu_server_unit]
 * @counter: MSR of counter 0, [&enum vpmu_server_unit]
 * @width: width of the counters in bits, [&enum vpmu_server_unit]
 * @fixed_select: MSR of the UBox's fixed control; the fixed counter is the next MSR
 * @freeze_enable: bit 16 of the PCU's unit control enables its freeze bit
 * @invert: the event select has an invert bit
 * @not_first: the PCU's counter 0 cannot count cores in a C-state
 */
struct vpmu_server_part {
	uint32_t ctl;
	uint32_t filter;
	uint32_t select[VPMU_SERVER_UNITS];
	uint32_t counter[VPMU_SERVER_UNITS];
	unsigned int width[VPMU_SERVER_UNITS];
	uint32_t fixed_select;
	bool freeze_enable;
	bool invert;
	bool not_first;
};

#define SNB_REGISTERS \
	.ctl = 0xc24, .filter = 0xc34, .select = { 0xc30, 0xc10 }, \
	.counter = { 0xc36, 0xc16 }, .width = { 48, 44 }, .fixed_select = 0xc08

#define HSX_REGISTERS \
	.ctl = 0x710, .filter = 0x715, .select = { 0x711, 0x705 }, \
	.counter = { 0x717, 0x709 }, .fixed_select = 0x703, .invert = true

const struct vpmu_server_part vpmu_jkt_server = {
	SNB_REGISTERS, .freeze_enable = true, .invert = true,
};

const struct vpmu_server_part vpmu_ivt_server = { SNB_REGISTERS };

const struct vpmu_server_part vpmu_hsx_server = {
	HSX_REGISTERS, .width = { 48, 44 }, .freeze_enable = true,
};

const struct vpmu_server_part vpmu_bdx_server = {
	HSX_REGISTERS, .width = { 48, 48 }, .freeze_enable = true, .not_first = true,
};

const struct vpmu_server_part vpmu_skx_server = {
	HSX_REGISTERS, .width = { 48, 48 },
};

/* width in bits of the UBox's fixed counter, on all CPU models */
#define FIXED_WIDTH 48

/**
 * struct unit - registers of a PCU or a UBox
 * @ctl: unit control
 * @filter: filter
 * @select: event selects, [COUNTERS]; a UBox has its fixed control at FIXED
 * @counter: values of the counters, [COUNTERS]
 */
struct unit {
	uint64_t ctl;
	uint64_t filter;
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
};

static struct unit units[VPMU_MAX_CPUS][VPMU_SERVER_UNITS];

static unsigned int width_of(const struct vpmu_server_part *part,
			     enum vpmu_server_unit unit, unsigned int i)
{
	return unit == VPMU_UBOX && i == FIXED ? FIXED_WIDTH : part->width[unit];
}

/**
 * vpmu_server_init() - set the counters of a server's PCU and UBox to their values at power on
 */
void vpmu_server_init(void)
{
	const struct vpmu_server_part *part = vpmu_options.part->server;
	unsigned int package, unit, i;

	memset(units, 0, sizeof(units));
	for (package = 0; part && package < VPMU_MAX_CPUS; package++)
		for (unit = 0; unit < VPMU_SERVER_UNITS; unit++)
			for (i = 0; i < COUNTERS; i++)
				units[package][unit].counter[i] =
					vpmu_start_value(width_of(part, unit, i));
}

static struct unit *units_of(const struct vpmu_cpu *cpu)
{
	return units[vpmu_package_of(cpu)];
}

/* type of an MSR of a PCU or UBox */
enum server_register { NONE, CTL, FILTER, SELECTOR, COUNT };

static enum server_register
server_register_of(const struct vpmu_server_part *part, uint32_t msr,
		   enum vpmu_server_unit *unit, unsigned int *index)
{
	*unit = VPMU_PCU;
	*index = 0;
	if (msr == part->ctl)
		return CTL;
	if (msr == part->filter)
		return FILTER;
	*index = msr - part->select[VPMU_PCU];
	if (*index < COUNTERS)
		return SELECTOR;
	*index = msr - part->counter[VPMU_PCU];
	if (*index < COUNTERS)
		return COUNT;
	*unit = VPMU_UBOX;
	*index = FIXED;
	if (msr == part->fixed_select)
		return SELECTOR;
	if (msr == part->fixed_select + 1)
		return COUNT;
	*index = msr - part->select[VPMU_UBOX];
	if (*index < FIXED)
		return SELECTOR;
	*index = msr - part->counter[VPMU_UBOX];
	return *index < FIXED ? COUNT : NONE;
}

/*
 * Puts the event of counter @i into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the guest injects the event by CPUID. Called when the guest reads
 * the counter (@happened is false), and when the counter counts an injected event (@happened is
 * true).
 */
static void server_note(enum vpmu_server_unit unit, const struct unit *u, unsigned int i,
			bool happened)
{
	if (u->select[i] & SELECT_ENABLE)
		vpmu_uncounted_box(unit == VPMU_PCU ? "power control unit" : "UBox",
				   u->select[i] & ~SELECT_ENABLE, u->filter, happened);
}

/**
 * vpmu_server_read() - execute RDMSR of a register of a server's PCU or UBox
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of the PCU or UBox.
 */
bool vpmu_server_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_server_part *part = cpu->part->server;
	enum vpmu_server_unit unit;
	const struct unit *u;
	unsigned int index;
	enum server_register reg;

	reg = part ? server_register_of(part, msr, &unit, &index) : NONE;
	if (reg == NONE)
		return false;
	u = &units_of(cpu)[unit];
	if (reg == CTL)
		*value = u->ctl;
	else if (reg == FILTER)
		*value = u->filter;
	else
		*value = reg == SELECTOR ? u->select[index] : u->counter[index];
	if (reg == COUNT)
		server_note(unit, u, index, false);
	return true;
}

static uint64_t server_legal(const struct vpmu_server_part *part,
			     enum server_register reg,
			     enum vpmu_server_unit unit, unsigned int index)
{
	switch (reg) {
	case CTL:
		return CTL_RESET_CONTROLS | CTL_RESET_COUNTERS | CTL_FREEZE |
		       (part->freeze_enable ? CTL_FREEZE_EN : 0);
	case FILTER:
		return FILTER_BITS;
	case SELECTOR:
		if (unit == VPMU_UBOX && index == FIXED)
			return SELECT_ENABLE;
		return (unit == VPMU_PCU ? PCU_SELECT : UBOX_SELECT) |
		       (part->invert ? INVERT : 0);
	default:
		return VPMU_BIT(width_of(part, unit, index)) - 1;
	}
}

/*
 * Executes a write of @value to the PCU's control register. One reset bit sets the event selects to
 * 0, and another reset bit sets the counters to 0. Reset bits are not stored: they read as 0.
 */
static void pcu_control(struct unit *u, uint64_t value)
{
	if (value & CTL_RESET_CONTROLS)
		memset(u->select, 0, sizeof(u->select));
	if (value & CTL_RESET_COUNTERS)
		memset(u->counter, 0, sizeof(u->counter));
	u->ctl = value & ~(CTL_RESET_CONTROLS | CTL_RESET_COUNTERS);
}

/**
 * vpmu_server_write() - execute WRMSR of a register of a server's PCU or UBox
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of the PCU or UBox.
 */
bool vpmu_server_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_server_part *part = cpu->part->server;
	enum vpmu_server_unit unit;
	unsigned int index;
	enum server_register reg;
	struct unit *u;

	reg = part ? server_register_of(part, msr, &unit, &index) : NONE;
	if (reg == NONE)
		return false;
	u = &units_of(cpu)[unit];
	if (value & ~server_legal(part, reg, unit, index))
		cpu->illegal_writes++;
	else if (reg == CTL)
		pcu_control(u, value);
	else if (reg == FILTER)
		u->filter = value;
	else if (reg == SELECTOR)
		u->select[index] = value;
	else
		u->counter[index] = value;
	return true;
}

/**
 * struct occurrence - an event that the guest injects
 * @event: event code; BAND for cycles at a frequency, which events of frequency bands count
 * @umask: unit mask
 * @detail: for event code BAND, the frequency in units of 100 MHz; for other events, how often the
 *	event occurs in each of the @count cycles, 0 for once
 * @count: number of cycles in which the event occurs
 */
struct occurrence {
	uint32_t event;
	uint32_t umask;
	uint32_t detail;
	uint64_t count;
};

/*
 * The PCU counts cycles in four frequency bands, each with an event code of its own. Returns the
 * number of the band that an event select counts; BANDS or more if it counts another event.
 */
static uint32_t band_of(uint64_t select)
{
	return (select & CODE) - BAND;
}

/*
 * Checks if an event select selects an injected event. Ignores the threshold of the event select,
 * and the frequency of a band.
 */
static bool server_is(const struct occurrence *h, uint64_t select)
{
	if (h->event == BAND)
		return band_of(select) < BANDS;
	return (select & CODE) == h->event && UMASK(select) == h->umask;
}

/*
 * Returns by how much an injected event increases a counter that selects the event. If the event
 * select has a threshold, the counter counts the cycles in which the event occurs at least as often
 * as the threshold says or, with the invert bit, less often.
 */
static uint64_t server_increment(const struct occurrence *h, uint64_t select,
				 uint64_t filter)
{
	uint64_t many = h->detail ? h->detail : 1;

	if (h->event == BAND)
		return h->detail >= (filter >> band_of(select) * 8 & 0xff) ? h->count : 0;
	if (!THRESHOLD(select))
		return many * h->count;
	return (many >= THRESHOLD(select)) != !!(select & INVERT) ? h->count : 0;
}

static bool server_frozen(const struct vpmu_server_part *part, const struct unit *u)
{
	uint64_t bits = CTL_FREEZE | (part->freeze_enable ? CTL_FREEZE_EN : 0);

	return (u->ctl & bits) == bits;
}

/*
 * Checks if event constraints let counter @i of a unit count an injected event. Event code 0 is the
 * UBox's clock, which only the fixed counter counts.
 */
static bool server_counter_has(const struct vpmu_server_part *part,
			       enum vpmu_server_unit unit,
			       const struct occurrence *h, unsigned int i)
{
	if (unit == VPMU_UBOX)
		return h->event ? i < FIXED : i == FIXED;
	return i || !part->not_first || !(h->event & CORES);
}

/**
 * vpmu_server_happen() - inject an event of a server's PCU or UBox
 * @cpu: a vCPU of the unit's package
 * @what: event in bits 7:0, unit mask in 15:8, &enum vpmu_server_unit in 23:16
 * @detail: for cycles at a frequency, the frequency in units of 100 MHz; for other events, how
 *	often the event occurs in each of the cycles, 0 for once
 * @count: number of cycles in which the event occurs
 */
void vpmu_server_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
			uint32_t count)
{
	const struct vpmu_server_part *part = cpu->part->server;
	const struct occurrence h = {
		.event = what & CODE, .umask = UMASK(what), .detail = detail,
		.count = count,
	};
	enum vpmu_server_unit unit = what >> 16 & 0xff;
	struct unit *u;
	unsigned int i;

	if (!part || unit >= VPMU_SERVER_UNITS)
		return;
	u = &units_of(cpu)[unit];
	if (server_frozen(part, u))
		return;
	for (i = 0; i < COUNTERS; i++) {
		if (!(u->select[i] & SELECT_ENABLE) || !server_is(&h, u->select[i]) ||
		    !server_counter_has(part, unit, &h, i))
			continue;
		server_note(unit, u, i, true);
		u->counter[i] = (u->counter[i] +
				 server_increment(&h, u->select[i], u->filter)) &
				(VPMU_BIT(width_of(part, unit, i)) - 1);
	}
}
