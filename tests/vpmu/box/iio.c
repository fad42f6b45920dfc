// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of the IIO stacks of a package of Skylake's servers. What happens there the guest
 * says itself, as with cbo.c: event and unit mask, in which stack, at which of its parts, of
 * which flow control class, how often.
 *
 * Registers and fields of a select: Linux, arch/x86/events/intel/uncore_snbep.c, SKX_IIO_*
 * and skx_uncore_iio_format_attr; which counters hold an event: the constraints there.
 */
#include "iio.h"

#include <string.h>

#include "machine/options.h"
#include "machine/topology.h"

#define STACKS 6
#define STEP 0x20
#define COUNTERS 4
#define WIDTH 48

/* of the first stack */
#define CTL 0xa40
#define COUNTER 0xa41
#define SELECT 0xa48

#define CODE 0xff
#define UMASK(select) ((select) >> 8 & 0xff)
#define EN VPMU_BIT(22)
#define INVERT VPMU_BIT(23)
#define THRESHOLD(select) ((select) >> 24 & 0xfff)
#define PARTS(select) ((select) >> 36 & 0xff)
#define CLASSES(select) ((select) >> 44 & 7)
#define SELECT_BITS 0x7fffffc4ffffull
#define CTL_RESET_CONTROLS 0x1
#define CTL_RESET_COUNTERS 0x2
#define CTL_FREEZE 0x100

#define CLOCK 0x01
/* occupancy, whose unit mask has the parts */
#define COMPLETIONS 0xd5

/**
 * struct stack - an IIO stack
 * @ctl: its control
 * @select: what each counter counts
 * @counter: what it has counted
 */
struct stack {
	uint64_t ctl;
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
};

static struct stack stacks[VPMU_MAX_CPUS][STACKS];

/**
 * vpmu_iio_init() - set the counters to their values at power on
 */
void vpmu_iio_init(void)
{
	unsigned int package, i, k;

	memset(stacks, 0, sizeof(stacks));
	for (package = 0; package < VPMU_MAX_CPUS; package++)
		for (i = 0; i < STACKS; i++)
			for (k = 0; k < COUNTERS; k++)
				stacks[package][i].counter[k] = vpmu_start_value(WIDTH);
}

/* finds the register of a stack: a select, a counter, or the control */
static uint64_t *iio_register(const struct vpmu_cpu *cpu, uint32_t msr, struct stack **s)
{
	uint32_t n = msr - CTL;

	if (!cpu->part->iio || n >= STACKS * STEP)
		return NULL;
	*s = &stacks[vpmu_package_of(cpu)][n / STEP];
	n = n % STEP + CTL;
	if (n == CTL)
		return &(*s)->ctl;
	if (n - SELECT < COUNTERS)
		return &(*s)->select[n - SELECT];
	return n - COUNTER < COUNTERS ? &(*s)->counter[n - COUNTER] : NULL;
}

/**
 * vpmu_iio_read() - execute RDMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is none of them.
 */
bool vpmu_iio_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	struct stack *s;
	const uint64_t *reg = iio_register(cpu, msr, &s);

	if (reg)
		*value = *reg;
	return reg;
}

/* the bits that reset registers read as 0 */
static void iio_control(struct stack *s, uint64_t value)
{
	if (value & CTL_RESET_CONTROLS)
		memset(s->select, 0, sizeof(s->select));
	if (value & CTL_RESET_COUNTERS)
		memset(s->counter, 0, sizeof(s->counter));
	s->ctl = value & CTL_FREEZE;
}

/**
 * vpmu_iio_write() - execute WRMSR of one of these registers
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is none of them.
 */
bool vpmu_iio_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	struct stack *s;
	uint64_t *reg = iio_register(cpu, msr, &s);
	uint64_t legal = VPMU_BIT(WIDTH) - 1;

	if (!reg)
		return false;
	if (reg == &s->ctl)
		legal = CTL_RESET_CONTROLS | CTL_RESET_COUNTERS | CTL_FREEZE;
	else if (reg >= s->select && reg < s->select + COUNTERS)
		legal = SELECT_BITS;
	if (value & ~legal)
		cpu->illegal_writes++;
	else if (reg == &s->ctl)
		iio_control(s, value);
	else
		*reg = value;
	return true;
}

/**
 * struct occurrence - an event that the guest injects
 * @event: code
 * @umask: its unit mask
 * @part: at which part, a bit
 * @class: of which flow control class, a bit
 */
struct occurrence {
	uint32_t event;
	uint32_t umask;
	uint32_t part;
	uint32_t class;
};

/* some counters do not count an event at all */
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

/* one at a time: a threshold above that is never reached */
static bool iio_counts(const struct occurrence *h, uint64_t select)
{
	if (!(select & EN) || (select & CODE) != h->event)
		return false;
	if (THRESHOLD(select) && (THRESHOLD(select) > 1) != !!(select & INVERT))
		return false;
	if (h->event == CLOCK)
		return true;
	return UMASK(select) & h->umask && CLASSES(select) & h->class &&
	       (h->event == COMPLETIONS || PARTS(select) & h->part);
}

/**
 * vpmu_iio_happen() - inject an event of an IIO stack
 * @cpu: a vCPU that reaches its counters
 * @what: event in bits 7:0, unit mask in 15:8, number of the stack in 23:16
 * @detail: number of the part in bits 9:0, of the flow control class in 15:10
 * @count: number of occurrences
 */
void vpmu_iio_happen(const struct vpmu_cpu *cpu, uint32_t what, uint32_t detail,
		     uint32_t count)
{
	const struct occurrence h = {
		.event = what & CODE, .umask = UMASK(what),
		.part = 1u << (detail & 0x1f), .class = 1u << (detail >> 10 & 0x1f),
	};
	unsigned int stack = what >> 16 & 0xff;
	struct stack *s;
	unsigned int i;

	if (!cpu->part->iio || stack >= STACKS)
		return;
	s = &stacks[vpmu_package_of(cpu)][stack];
	if (s->ctl & CTL_FREEZE)
		return;
	for (i = 0; i < COUNTERS; i++)
		if (iio_counter_has(h.event, i) && iio_counts(&h, s->select[i]))
			s->counter[i] = (s->counter[i] + count) &
					(VPMU_BIT(WIDTH) - 1);
}
