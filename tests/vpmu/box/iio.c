// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs of the IIO stacks of Skylake and Ice Lake servers, and of the IRPs; each stack has one IRP.
 * The guest injects the events by CPUID with a leaf that no CPU has, and with event, unit mask,
 * stack and number of occurrences; for IIO stacks also with port and flow control class.
 *
 * Source of the registers and of the fields of an event select: Linux,
 * arch/x86/events/intel/uncore_snbep.c, SKX_IIO_*, skx_uncore_iio_format_attr, ICX_IIO_*,
 * icx_msr_offsets, snr_uncore_iio_formats_attr, SKX_IRP_*, ICX_IRP_*, skx_uncore_formats_attr; of
 * the event constraints: *_constraints there.
 */
#include "iio.h"

#include <string.h>

#include "event/uncounted.h"
#include "machine/options.h"
#include "machine/topology.h"

#define STACKS 6
#define COUNTERS 4
#define IRP_COUNTERS 2
#define WIDTH 48

/* MSR numbers of counter 0 and of event select 0, relative to the MSR number of the unit control */
#define COUNTER 1
#define SELECT 8
#define IRP_SELECT 3

#define CODE 0xff
#define UMASK(select) ((select) >> 8 & 0xff)
#define EN VPMU_BIT(22)
#define INVERT VPMU_BIT(23)
#define THRESHOLD(select) ((select) >> 24 & 0xfff)
#define PARTS(select) ((select) >> 36 & 0xfff)
#define SELECT_BITS 0xfffc4ffffull
#define IRP_SELECT_BITS 0xffc4ffffull
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100

#define CLOCK 0x01
/* event COMP_BUF_OCCUPANCY, in which the unit mask selects ports instead of the field ch_mask */
#define COMPLETIONS 0xd5

/**
 * struct vpmu_iio_part - IIO stacks of a CPU model
 * @ctl: MSRs of the unit controls of the stacks, [STACKS]
 * @irp: MSRs of the unit controls of the stacks' IRPs, [STACKS]
 * @parts: bits of an event select that select ports of a stack, ch_mask in Linux
 * @classes: bits of an event select that select flow control classes, fc_mask in Linux
 */
struct vpmu_iio_part {
	uint32_t ctl[STACKS];
	uint32_t irp[STACKS];
	uint64_t parts;
	uint64_t classes;
};

const struct vpmu_iio_part vpmu_skx_iio = {
	{ 0xa40, 0xa60, 0xa80, 0xaa0, 0xac0, 0xae0 },
	{ 0xa58, 0xa78, 0xa98, 0xab8, 0xad8, 0xaf8 }, 0xffull << 36, 7ull << 44,
};

const struct vpmu_iio_part vpmu_icx_iio = {
	{ 0xa50, 0xa70, 0xa90, 0xae0, 0xb00, 0xb20 },
	{ 0xa4a, 0xa6a, 0xa8a, 0xada, 0xafa, 0xb1a }, 0xfffull << 36, 7ull << 48,
};

/**
 * struct stack - registers of an IIO stack, or of its IRP
 * @ctl: unit control
 * @select: event selects, [COUNTERS], of an IRP [IRP_COUNTERS]
 * @counter: values of the counters, [COUNTERS], of an IRP [IRP_COUNTERS]
 */
struct stack {
	uint64_t ctl;
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
};

static struct stack stacks[VPMU_MAX_CPUS][STACKS];
static struct stack irps[VPMU_MAX_CPUS][STACKS];

/**
 * vpmu_iio_init() - set the counters of IIO stacks and IRPs to their values at power on
 */
void vpmu_iio_init(void)
{
	unsigned int package, i, k;

	memset(stacks, 0, sizeof(stacks));
	memset(irps, 0, sizeof(irps));
	for (package = 0; package < VPMU_MAX_CPUS; package++)
		for (i = 0; i < STACKS; i++)
			for (k = 0; k < COUNTERS; k++) {
				stacks[package][i].counter[k] = vpmu_start_value(WIDTH);
				irps[package][i].counter[k] = vpmu_start_value(WIDTH);
			}
}

/*
 * Returns a register of a stack or IRP; NULL if there is none. The register's MSR number is @n
 * higher than the MSR number of the unit control. The MSR number of event select 0 is @select
 * higher than the MSR number of the unit control. @counters is the number of counters.
 */
static uint64_t *iio_register_at(struct stack *s, uint32_t n, uint32_t select, uint32_t counters)
{
	if (!n)
		return &s->ctl;
	if (n - select < counters)
		return &s->select[n - select];
	return n - COUNTER < counters ? &s->counter[n - COUNTER] : NULL;
}

/*
 * Returns the register with MSR number @msr of an IIO stack or IRP in the package of @cpu; NULL if
 * there is none. Sets *@s to the stack or IRP, and *@irp to true if it is an IRP.
 */
static uint64_t *iio_register(const struct vpmu_cpu *cpu, uint32_t msr, struct stack **s,
			      bool *irp)
{
	const struct vpmu_iio_part *part = cpu->part->iio;
	unsigned int i;
	uint64_t *reg;

	for (i = 0; part && i < STACKS; i++) {
		*irp = false;
		*s = &stacks[vpmu_package_of(cpu)][i];
		reg = iio_register_at(*s, msr - part->ctl[i], SELECT, COUNTERS);
		if (reg)
			return reg;
		*irp = true;
		*s = &irps[vpmu_package_of(cpu)][i];
		reg = iio_register_at(*s, msr - part->irp[i], IRP_SELECT, IRP_COUNTERS);
		if (reg)
			return reg;
	}
	return NULL;
}

/*
 * Puts the event of counter @i of a stack or IRP into the list of uncounted events (those that the
 * guest selects, but that never occur here), unless the guest injects the event by CPUID. Called
 * when the guest reads the counter (@happened is false), and when the counter counts an injected
 * event (@happened is true).
 */
static void iio_note(const struct stack *s, unsigned int i, bool irp, bool happened)
{
	if (s->select[i] & EN)
		vpmu_uncounted_box(irp ? "IRPs" : "IIO stacks", s->select[i] & ~EN, 0, happened);
}

/**
 * vpmu_iio_read() - execute RDMSR of a register of an IIO stack or its IRP
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of an IIO stack or IRP.
 */
bool vpmu_iio_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	struct stack *s;
	bool irp;
	const uint64_t *reg = iio_register(cpu, msr, &s, &irp);

	if (!reg)
		return false;
	*value = *reg;
	if (reg >= s->counter)
		iio_note(s, reg - s->counter, irp, false);
	return true;
}

/*
 * Executes a write of @value to a unit's control register. One reset bit sets the event selects to
 * 0, and another reset bit sets the counters to 0. Reset bits are not stored: they read as 0.
 */
static void iio_control(struct stack *s, uint64_t value)
{
	if (value & CTL_RESET_CONTROLS)
		memset(s->select, 0, sizeof(s->select));
	if (value & CTL_RESET_COUNTERS)
		memset(s->counter, 0, sizeof(s->counter));
	s->ctl = value & CTL_FREEZE;
}

/**
 * vpmu_iio_write() - execute WRMSR of a register of an IIO stack or its IRP
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of an IIO stack or IRP.
 */
bool vpmu_iio_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	struct stack *s;
	bool irp;
	uint64_t *reg = iio_register(cpu, msr, &s, &irp);
	uint64_t legal = VPMU_BIT(WIDTH) - 1;

	if (!reg)
		return false;
	if (reg == &s->ctl)
		legal = CTL_RESET_CONTROLS | CTL_RESET_COUNTERS | CTL_FREEZE;
	else if (reg >= s->select && reg < s->select + COUNTERS)
		legal = irp ? IRP_SELECT_BITS :
			      SELECT_BITS | cpu->part->iio->parts | cpu->part->iio->classes;
	if (value & ~legal)
		cpu->illegal_writes++;
	else if (reg == &s->ctl)
		iio_control(s, value);
	else
		*reg = value;
	return true;
}

/* Checks if event constraints let counter @i of a stack count an event. */
static bool iio_counter_has(uint32_t event, unsigned int i)
{
	switch (event) {
	case 0x83:
		return i < 2;
	case 0x88: case 0x95: case 0xc0: case 0xc5: case 0xd4: case 0xd5:
		return i >= 2;
	default:
		return true;
	}
}

/**
 * vpmu_iio_counts() - check if a counter of an IIO stack counts an injected event
 * @part: CPU model; its members @parts and @classes are used
 * @what: event in bits 7:0, unit mask in 15:8
 * @detail: number of the port in bits 9:0, number of the flow control class in 15:10
 * @i: number of the counter
 * @select: event select of the counter; its enable bit is ignored
 *
 * An injected event occurs once per cycle. If the event select has a threshold above 1, the event
 * therefore never reaches the threshold.
 */
bool vpmu_iio_counts(const struct vpmu_iio_part *part, uint32_t what, uint32_t detail,
		     unsigned int i, uint64_t select)
{
	uint32_t event = what & CODE;

	if ((select & CODE) != event || !iio_counter_has(event, i))
		return false;
	if (THRESHOLD(select) && (THRESHOLD(select) > 1) != !!(select & INVERT))
		return false;
	if (event == CLOCK)
		return true;
	return UMASK(select) & UMASK(what) &&
	       (select & part->classes) >> __builtin_ctzll(part->classes) >>
	       (detail >> 10 & 0x1f) & 1 &&
	       (event == COMPLETIONS || PARTS(select & part->parts) >> (detail & 0x1f) & 1);
}

/**
 * vpmu_iio_happen() - inject an event of an IIO stack
 * @cpu: a vCPU of the stack's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the stack in 23:16
 * @detail: number of the port in bits 9:0, number of the flow control class in 15:10
 * @count: number of occurrences
 */
void vpmu_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count)
{
	unsigned int stack = what >> 16 & 0xff;
	struct stack *s;
	unsigned int i;

	if (!cpu->part->iio || stack >= STACKS)
		return;
	s = &stacks[vpmu_package_of(cpu)][stack];
	if (s->ctl & CTL_FREEZE)
		return;
	for (i = 0; i < COUNTERS; i++) {
		if (!(s->select[i] & EN) ||
		    !vpmu_iio_counts(cpu->part->iio, what, detail, i, s->select[i]))
			continue;
		iio_note(s, i, false, true);
		s->counter[i] = (s->counter[i] + count) & (VPMU_BIT(WIDTH) - 1);
	}
}

/*
 * Checks if a counter of an IRP, with event select @select, counts the injected event @what. The
 * unit masks of event select and event must have a bit in common, or both be 0. The event occurs
 * once per cycle. If the event select has a threshold above 1, the event therefore never reaches
 * the threshold.
 */
static bool irp_counts(uint32_t what, uint64_t select)
{
	uint32_t threshold = select >> 24 & 0xff;
	bool above = threshold > 1;

	if ((select & CODE) != (what & CODE) ||
	    (threshold && above != !!(select & INVERT)))
		return false;
	return UMASK(what) ? UMASK(select) & UMASK(what) : !UMASK(select);
}

/**
 * vpmu_irp_happen() - inject an event of the IRP of an IIO stack
 * @cpu: a vCPU of the stack's package
 * @what: event in bits 7:0, unit mask in 15:8, number of the stack in 23:16
 * @detail: not used
 * @count: number of occurrences
 */
void vpmu_irp_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count)
{
	unsigned int i, stack = what >> 16 & 0xff;
	struct stack *s;

	(void)detail;
	if (!cpu->part->iio || stack >= STACKS)
		return;
	s = &irps[vpmu_package_of(cpu)][stack];
	for (i = 0; i < IRP_COUNTERS; i++) {
		if (s->ctl & CTL_FREEZE || !(s->select[i] & EN) ||
		    !irp_counts(what, s->select[i]))
			continue;
		iio_note(s, i, true, true);
		s->counter[i] = (s->counter[i] + count) & (VPMU_BIT(WIDTH) - 1);
	}
}
