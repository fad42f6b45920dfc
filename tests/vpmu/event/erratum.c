// SPDX-License-Identifier: GPL-2.0
/*
 * Errata that the option erratum= injects. They change what counters count; the truth file
 * (truth.c) has the correct totals.
 *
 *   l1-prefetch     CYCLE_ACTIVITY.CYCLES_L2_PENDING and STALLS_L2_PENDING count
 *                   50 % more cycles while an L1 prefetcher is enabled, as if L1
 *                   prefetches were demand reads to the L2: footnote 4 of the
 *                   Top-Down paper, and L2-PENDING of arch/errata_facts.c
 *   smt-leak        events also add to the sibling thread's counter: Intel's errata BJ122,
 *                   BV98, HSD29; see leak.c
 *   irq-overcount   each interrupt or exception adds 1 to the instructions retired
 *                   at the interrupted privilege level: V. Weaver, D. Terpstra,
 *                   S. Moore, "Non-determinism and overcount on modern hardware
 *                   performance counter implementations", ISPASS 2013
 *   wrap-loss       general-purpose counter 1 loses 100 counts at each wrap
 *   stuck-overflow  the overflow bit of general-purpose counter 0 cannot be cleared
 *   retire-overcount  on AMD, retired branches and retired taken branches count 1/16
 *                   too many: like AMD's errata 1291 and 1292, and RETIRE-OVER of
 *                   arch/errata_facts.c, which concern more events and are rarer
 *   lock-overcount  on AMD, each atomic instruction adds 1 to the retired conditional
 *                   branches, as if the branch behind it were executed twice: SPECLOCK of
 *                   arch/errata_facts.c
 *   ghost-pmi       each overflow interrupt is followed by a ghost interrupt, which has no cause.
 *                   Most ghost interrupts arrive while the overflow interrupt is being handled,
 *                   and are pending until its handler returns
 *   lost-pmi        each eighth overflow of a CPU sets its bit but does not interrupt
 *   late-pmi        each overflow interrupt comes 2000 instructions late
 *   lost-overflow   general-purpose counter 2 interrupts at its overflow without setting its bit
 *   overflow-loss   a counter that interrupts loses 50 counts before each overflow
 *   freeze-counts   counters count on at an interrupt that should stop them (bit 12 of
 *                   IA32_DEBUGCTL): like PMI-FREEZE of arch/errata_facts.c
 *   pebs-address    a precise record has the address of the instruction that comes next, as PEBS
 *                   has on CPUs before Haswell
 *   pebs-event      the precise records of general-purpose counter 0 name counter 1
 */
#include "erratum.h"

#include <stddef.h>
#include <string.h>

#include "machine/options.h"

#define CYCLES_L2 0x01a3
#define STALLS_L2 0x05a3
#define INSTRUCTIONS 0xc0
#define AMD_CODE 0xf000000ffull
#define AMD_BRANCHES 0xc2
#define AMD_TAKEN_BRANCHES 0xc4
#define AMD_CONDITIONAL_BRANCHES 0xd1
#define LOSSY_COUNTER 1
#define LOST_AT_WRAP 100
#define STUCK_BIT VPMU_BIT(0)
#define SILENT_COUNTER 2
#define LOST_AT_OVERFLOW 50
#define MISNAMED_COUNTER 0
#define WRONG_NAME 1

/**
 * vpmu_erratum_option() - inject an erratum: the virtual PMU behaves as a CPU with the erratum
 * @name: name of the erratum, a value of the option erratum=
 *
 * Return: 0, or -1 for an unknown name.
 */
int vpmu_erratum_option(const char *name)
{
	static const char *const names[VPMU_ERRATA] = {
		[VPMU_L1_PREFETCH] = "l1-prefetch",
		[VPMU_SMT_LEAK] = "smt-leak",
		[VPMU_IRQ_OVERCOUNT] = "irq-overcount",
		[VPMU_WRAP_LOSS] = "wrap-loss",
		[VPMU_STUCK_OVERFLOW] = "stuck-overflow",
		[VPMU_RETIRE_OVERCOUNT] = "retire-overcount",
		[VPMU_LOCK_OVERCOUNT] = "lock-overcount",
		[VPMU_GHOST_PMI] = "ghost-pmi",
		[VPMU_LOST_PMI] = "lost-pmi",
		[VPMU_LATE_PMI] = "late-pmi",
		[VPMU_LOST_OVERFLOW] = "lost-overflow",
		[VPMU_OVERFLOW_LOSS] = "overflow-loss",
		[VPMU_FREEZE_COUNTS] = "freeze-counts",
		[VPMU_PEBS_ADDRESS] = "pebs-address",
		[VPMU_PEBS_EVENT] = "pebs-event",
	};
	unsigned int i;

	for (i = 0; i < VPMU_ERRATA; i++)
		if (!strcmp(names[i], name)) {
			vpmu_options.errata |= VPMU_BIT(i);
			return 0;
		}
	return -1;
}

/**
 * vpmu_has_erratum() - check if an erratum is injected
 * @erratum: the erratum
 */
bool vpmu_has_erratum(enum vpmu_erratum erratum)
{
	return vpmu_options.errata & VPMU_BIT(erratum);
}

/**
 * vpmu_erratum_interrupted() - count an interrupt of a vCPU, for errata that depend on interrupts
 * @cpu: the calling vCPU
 * @pc: address of the interrupted instruction
 */
void vpmu_erratum_interrupted(struct vpmu_cpu *cpu, uint64_t pc)
{
	cpu->interrupts[!(pc >> 63)]++;
}

static bool counts_l2_pending(uint64_t select)
{
	return (select & 0xffff) == CYCLES_L2 || (select & 0xffff) == STALLS_L2;
}

/*
 * Returns the total of an event as an AMD CPU with the injected errata counts it. @count is the
 * correct total.
 */
static uint64_t amend_amd(const struct vpmu_snapshot *now, unsigned int priv,
			  uint64_t select, uint64_t count)
{
	uint64_t code = select & AMD_CODE;

	if (vpmu_has_erratum(VPMU_RETIRE_OVERCOUNT) &&
	    (code == AMD_BRANCHES || code == AMD_TAKEN_BRANCHES))
		return count + count / 16;
	if (vpmu_has_erratum(VPMU_LOCK_OVERCOUNT) && code == AMD_CONDITIONAL_BRANCHES)
		return count + now->exact[VPMU_ATOMICS][priv];
	return count;
}

/**
 * vpmu_erratum_amend() - total of an event, as a counter counts it with the injected errata
 * @now: totals of all events of the vCPU since power on
 * @priv: 0 for the kernel, 1 for user space
 * @select: event select
 * @count: correct total of the event
 */
uint64_t vpmu_erratum_amend(const struct vpmu_snapshot *now, unsigned int priv,
			    uint64_t select, uint64_t count)
{
	if (vpmu_has_erratum(VPMU_L1_PREFETCH) && now->l1_prefetch &&
	    counts_l2_pending(select))
		return count + count / 2;
	if (vpmu_has_erratum(VPMU_IRQ_OVERCOUNT) &&
	    (select & 0xff) == INSTRUCTIONS)
		return count + now->interrupts[priv];
	return now->part->perfctr_core ? amend_amd(now, priv, select, count) : count;
}

/**
 * vpmu_erratum_wrap() - apply the erratum wrap-loss, if it is injected, to the value of a counter
 * @number: number of the counter
 * @value: correct value of the counter, not yet reduced modulo 2^width: greater than @mask if the
 *	counter has wrapped
 * @mask: largest value of the counter, 2^width - 1
 *
 * Return: the value, also not yet reduced.
 */
uint64_t vpmu_erratum_wrap(unsigned int number, uint64_t value, uint64_t mask)
{
	if (!vpmu_has_erratum(VPMU_WRAP_LOSS) || number != LOSSY_COUNTER ||
	    value <= mask)
		return value;
	return value - mask > LOST_AT_WRAP ? value - LOST_AT_WRAP : mask + 1;
}

/**
 * vpmu_erratum_stuck() - overflow bits that an injected erratum does not let the guest clear
 *
 * Return: the bits, as in IA32_PERF_GLOBAL_STATUS; 0 without the erratum stuck-overflow.
 */
uint64_t vpmu_erratum_stuck(void)
{
	return vpmu_has_erratum(VPMU_STUCK_OVERFLOW) ? STUCK_BIT : 0;
}

/**
 * vpmu_erratum_overflow() - apply the erratum overflow-loss, if it is injected, to a counter's value
 * @counter: the counter
 * @interrupts: the counter's overflow raises an interrupt
 * @value: correct value of the counter, greater than @mask if the counter has overflowed
 * @mask: largest value of the counter, 2^width - 1
 *
 * Return: the value. Instead of each overflow the counter first goes back by the lost counts.
 */
uint64_t vpmu_erratum_overflow(struct vpmu_counter *counter, bool interrupts, uint64_t value,
			       uint64_t mask)
{
	if (!vpmu_has_erratum(VPMU_OVERFLOW_LOSS) || !interrupts || value <= mask)
		return value;
	counter->lost = !counter->lost;
	return counter->lost ? mask + 1 - LOST_AT_OVERFLOW : value;
}

/**
 * vpmu_erratum_is_silent() - check if a counter overflows without setting its overflow bit
 * @number: number of the counter
 *
 * Return: true if the erratum lost-overflow is injected and concerns the counter.
 */
bool vpmu_erratum_is_silent(unsigned int number)
{
	return vpmu_has_erratum(VPMU_LOST_OVERFLOW) && number == SILENT_COUNTER;
}

/**
 * vpmu_erratum_named() - number of the counter that a precise record names
 * @number: number of the counter whose event is recorded
 *
 * Return: @number, or another number by the erratum pebs-event.
 */
unsigned int vpmu_erratum_named(unsigned int number)
{
	return vpmu_has_erratum(VPMU_PEBS_EVENT) && number == MISNAMED_COUNTER ? WRONG_NAME :
										  number;
}
