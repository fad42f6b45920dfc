// SPDX-License-Identifier: GPL-2.0
/*
 * Counters are not incremented. The simulation has a total of each event. The value of a running
 * counter is computed: its value when it started, plus the increase of its event's total since
 * then.
 */
#include "counter.h"

#include <string.h>

#include "event/erratum.h"
#include "event/events.h"
#include "event/snapshot.h"
#include "event/uncounted.h"
#include "leak.h"
#include "legacy.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "metrics.h"
#include "overflow.h"
#include "pebs.h"
#include "pmi.h"
#include "prefetch.h"
#include "truth/truth.h"

#define SEL_USR VPMU_BIT(16)
#define SEL_OS VPMU_BIT(17)
#define SEL_EN VPMU_BIT(22)

/* PMI bit of fixed counter 0 in IA32_FIXED_CTR_CTRL: an overflow raises an interrupt */
#define FIXED_PMI 8

/* bits of MSR 0x1a4 that disable the DCU next-line and the DCU IP prefetcher */
#define L1_PREFETCHERS 0xc

/* Event selects of the fixed counters: INST_RETIRED, CLK_UNHALTED, REF_TSC, TOPDOWN.SLOTS */
static const uint64_t fixed_events[VPMU_MAX_FIXED] = {
	0xc0, 0x3c, 0x3c, 0x400
};

static uint64_t fixed_select(const struct vpmu_cpu *cpu, unsigned int i)
{
	uint64_t bits = cpu->fixed_ctrl >> (4 * i);
	uint64_t select = fixed_events[i];

	if (bits & 1)
		select |= SEL_OS;
	if (bits & 2)
		select |= SEL_USR;
	if (bits & FIXED_PMI)
		select |= VPMU_SEL_INT;
	return bits & 3 ? select | SEL_EN : select;
}

static uint64_t mask(unsigned int number)
{
	const struct vpmu_part *part = vpmu_options.part;
	unsigned int width = number < 32 ? part->width : part->fixed_width;

	return (1ull << width) - 1;
}

/*
 * Checks if counters are not frozen, and IA32_PERF_GLOBAL_CTRL, where it exists, enables a counter.
 */
static bool enabled(const struct vpmu_cpu *cpu, unsigned int number)
{
	if (cpu->status & VPMU_STATUS_FROZEN)
		return false;
	return !vpmu_options.part->global_ctrl ||
	       (cpu->global_ctrl >> number & 1);
}

/*
 * Event and unit mask of an event select, those of the event that counts cycles, and those of retired
 * slots (UOPS_RETIRED.SLOTS, before Ice Lake RETIRE_SLOTS). With its counter mask and invert bit:
 * cycles in which less than 16 uops, or instructions, retire, all of which have PEBS (Linux,
 * intel_pebs_aliases_snb(), intel_pebs_aliases_core2()).
 */
#define SEL_EVENT 0xffffull
#define SEL_WHOLE 0xff84ffffull
#define CYCLES 0x3c
#define SLOTS 0x2c2
#define CYCLES_OF_UOPS 0x108001c2
#define CYCLES_OF_INSNS 0x108000c0

static bool is_of_cycles(uint64_t select)
{
	return (select & SEL_EVENT) == CYCLES || (select & SEL_WHOLE) == CYCLES_OF_UOPS ||
	       (select & SEL_WHOLE) == CYCLES_OF_INSNS;
}

static uint64_t leaked_in(const struct vpmu_cpu *cpu,
			  const struct vpmu_counter *counter,
			  unsigned int number)
{
	if (!vpmu_has_erratum(VPMU_SMT_LEAK) || number >= 32)
		return 0;
	return vpmu_leaked_in(cpu, number) - counter->leak_since;
}

/*
 * Returns the event select of a counter. If the guest has turned on precise records for the
 * counter, sets the INT bit, as if the counter raised interrupts: its overflow must be found just
 * as early.
 */
static uint64_t watched(const struct vpmu_cpu *cpu, uint64_t select, unsigned int number)
{
	return vpmu_pebs_has(cpu, number) ? select | VPMU_SEL_INT : select;
}

/*
 * The next cycle after the overflow of a counter of cycles is still one of the instruction that had
 * not retired then, and the next slot to retire is this instruction's: the precise record is of it,
 * if it names one. One that only has the address of the next instruction is of where the vCPU is.
 */
static void overflows(struct vpmu_cpu *cpu, uint64_t select, unsigned int number, uint64_t late)
{
	if (vpmu_pebs_has(cpu, number)) {
		vpmu_pebs_arm(cpu, number);
		if ((is_of_cycles(select) || (select & SEL_WHOLE) == SLOTS) &&
		    vpmu_legacy_names(cpu->part))
			cpu->pebs.place = cpu->pmi.place;
		return;
	}
	if (!vpmu_erratum_is_silent(number))
		cpu->status |= 1ull << number;
	if (select & VPMU_SEL_INT)
		vpmu_pmi_overflow(cpu, number, late);
}

static const struct vpmu_counter *counter_of(const struct vpmu_cpu *cpu, unsigned int number)
{
	return number < 32 ? &cpu->gp[number] : &cpu->fixed[number - 32];
}

/*
 * Returns the value that a counter of the core has at @now, the totals of events. They are not used
 * if the counter does not run. @number: i for general-purpose counter i, 32 + i for fixed counter i.
 */
static uint64_t counter_at(const struct vpmu_cpu *cpu, const struct vpmu_snapshot *now,
			   unsigned int number)
{
	const struct vpmu_counter *counter = counter_of(cpu, number);
	uint64_t select, value;

	if (!counter->running)
		return counter->value;
	select = number < 32 ? cpu->select[number] : fixed_select(cpu, number - 32);
	value = counter->value + vpmu_total(now, select, number) -
		counter->since + leaked_in(cpu, counter, number);
	return vpmu_erratum_wrap(number, value, mask(number)) & mask(number);
}

/* Returns the armed counters after counter @number that have counted events since they started. */
static uint64_t also_counted(const struct vpmu_cpu *cpu, const struct vpmu_snapshot *now,
			     unsigned int number)
{
	uint64_t found = 0;
	unsigned int i;

	for (i = number + 1; i < VPMU_HELD; i++)
		if (vpmu_pebs_armed(cpu, i) && counter_of(cpu, i)->running &&
		    counter_at(cpu, now, i) != counter_of(cpu, i)->value)
			found |= 1ull << i;
	return found;
}

/*
 * Takes a precise record of an event of an armed counter. Returns from where the counter goes on. A
 * debug store's reset value may be fewer events below the overflow than the counter has counted by
 * now: it has overflowed again then.
 */
static uint64_t take_record(struct vpmu_cpu *cpu, const struct vpmu_snapshot *now,
			    unsigned int number)
{
	uint64_t values[VPMU_HELD] = { 0 };
	unsigned int i;

	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		values[i] = counter_at(cpu, now, i);
	for (i = 0; i < cpu->part->nr_fixed; i++)
		values[32 + i] = counter_at(cpu, now, 32 + i);
	vpmu_metrics_settle(cpu, now);
	if (cpu->pebs.place)
		cpu->pebs.pc = cpu->pebs.place;
	cpu->pebs.place = 0;
	return vpmu_pebs_take(cpu, number, also_counted(cpu, now, number), values);
}

/*
 * Stops a counter if it runs, and adds to its value the events since it started. If the counter was
 * armed (it has overflowed with precise records on) and has counted an event, the event gets a
 * precise record. Otherwise an overflow sets the counter's overflow bit or, if precise records are
 * on, arms the counter.
 */
static void counter_settle(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			   const struct vpmu_snapshot *now, uint64_t select,
			   unsigned int number)
{
	uint64_t grown, value;

	if (!counter->running)
		return;
	vpmu_uncounted_see(now, select, number);
	grown = vpmu_total(now, select, number) - counter->since;
	value = counter->value + grown + leaked_in(cpu, counter, number);
	if (vpmu_has_erratum(VPMU_SMT_LEAK) && number < 32)
		vpmu_leak_settle(cpu, number, grown);
	value = vpmu_erratum_wrap(number, value, mask(number));
	value = vpmu_erratum_overflow(counter, select & VPMU_SEL_INT, value, mask(number));
	vpmu_overflow_pace(counter, now, select, grown);
	if (vpmu_pebs_armed(cpu, number) && grown)
		value = take_record(cpu, now, number);
	if (value & ~mask(number))
		overflows(cpu, select, number, value & mask(number));
	counter->value = value & mask(number);
	counter->running = false;
}

static void counter_restart(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			    const struct vpmu_snapshot *now, uint64_t select,
			    unsigned int number)
{
	counter->running = (select & SEL_EN) && enabled(cpu, number);
	if (!counter->running)
		return;
	counter->since = vpmu_total(now, select, number);
	if (vpmu_pebs_armed(cpu, number))
		vpmu_overflow_step(cpu, select);
	else
		vpmu_overflow_watch(cpu, counter, now, watched(cpu, select, number), number,
				    mask(number) - counter->value);
	if (vpmu_has_erratum(VPMU_SMT_LEAK) && number < 32)
		vpmu_leak_restart(cpu, number);
	cpu->counting = true;
	if (vpmu_events_timed(cpu->part, select, number))
		cpu->timing = true;
}

static void set_model(struct vpmu_cpu *cpu, uint64_t who, bool wanted)
{
	if (wanted)
		vpmu_model_wanted(cpu, who);
	else
		vpmu_model_unwanted(cpu, who);
}

/*
 * Starts the simulation of a vCPU's core if an enabled counter needs it, or if any counter is
 * enabled and the truth file (exact counts for the test) needs the simulation. Otherwise stops the
 * simulation. If two hyper-threads share a core, the simulation is started or stopped for the other
 * thread as well.
 */
static void switch_model(struct vpmu_cpu *cpu)
{
	bool wanted = cpu->timing || (cpu->counting && vpmu_truth_needs_model());

	set_model(cpu, VPMU_FOR_CORE, wanted);
	if (cpu->core->shares)
		set_model(vpmu_cpu(cpu->core->sibling), VPMU_FOR_SIBLING, wanted);
	if (cpu->counting)
		vpmu_exact_wanted();
}

/**
 * vpmu_counters_init() - set the core's counters to their values at power on
 * @cpu: the vCPU, with all counters stopped
 */
void vpmu_counters_init(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *part = cpu->part;
	unsigned int i;

	for (i = 0; i < VPMU_MAX_GP; i++)
		cpu->gp[i].value = vpmu_start_value(part->width);
	for (i = 0; i < part->nr_fixed; i++)
		cpu->fixed[i].value = vpmu_start_value(part->fixed_width);
}

/**
 * vpmu_counters_settle() - stop all counters of the core and update their values
 * @cpu: the calling vCPU
 *
 * Must be called before a register of the PMU changes; vpmu_counters_restart() must be called
 * afterwards. Raises a PMI if a counter that interrupts has overflowed.
 */
void vpmu_counters_settle(struct vpmu_cpu *cpu)
{
	struct vpmu_snapshot now;
	unsigned int i;

	vpmu_snapshot(cpu, &now);
	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		counter_settle(cpu, &cpu->gp[i], &now, cpu->select[i], i);
	for (i = 0; i < vpmu_options.part->nr_fixed; i++)
		counter_settle(cpu, &cpu->fixed[i], &now, fixed_select(cpu, i),
			       32 + i);
	vpmu_metrics_settle(cpu, &now);
	if (cpu->pmi.due)
		vpmu_pmi_raise(cpu);
}

/**
 * vpmu_counters_restart() - start the counters of the core that the registers enable
 * @cpu: the calling vCPU
 */
void vpmu_counters_restart(struct vpmu_cpu *cpu)
{
	bool before = cpu->counting;
	struct vpmu_snapshot now;
	unsigned int i;

	cpu->l1_prefetch = (vpmu_prefetch_off(cpu) & L1_PREFETCHERS) !=
			   L1_PREFETCHERS;
	vpmu_snapshot(cpu, &now);
	cpu->counting = false;
	cpu->timing = false;
	vpmu_overflow_unwatch(cpu);
	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		counter_restart(cpu, &cpu->gp[i], &now, cpu->select[i], i);
	for (i = 0; i < vpmu_options.part->nr_fixed; i++)
		counter_restart(cpu, &cpu->fixed[i], &now, fixed_select(cpu, i),
				32 + i);
	vpmu_metrics_restart(cpu, &now);
	switch_model(cpu);
	if (before != cpu->counting)
		vpmu_truth_window(cpu, cpu->counting);
}

/*
 * Checks that a counter raises no interrupt now: it raises no interrupts, or it has not overflowed.
 * An armed counter stays if it counts events that are exact, and none has come. @now may lack the
 * latest instructions, which the core has not retired yet.
 */
static bool stays_far(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
		      const struct vpmu_snapshot *now, uint64_t select, unsigned int number)
{
	uint64_t grown, value;

	if (!counter->running || !(watched(cpu, select, number) & VPMU_SEL_INT))
		return true;
	grown = vpmu_total(now, select, number) - counter->since;
	value = counter->value + grown + leaked_in(cpu, counter, number);
	if (vpmu_pebs_armed(cpu, number)) {
		if (grown || vpmu_events_timed(cpu->part, select, number))
			return false;
		vpmu_overflow_step(cpu, select);
		return true;
	}
	if (value > mask(number)) {
		if (vpmu_overflow_names(cpu, select, number))
			cpu->pmi.place = vpmu_overflow_place(cpu, counter, value,
							     value - mask(number) - 1);
		return false;
	}
	counter->glanced = value;
	counter->glanced_at = cpu->core->cycle;
	return vpmu_overflow_is_far(cpu, counter, now, select, number, mask(number) - value);
}

static bool all_are_far(struct vpmu_cpu *cpu)
{
	struct vpmu_snapshot now;
	bool far = true;
	unsigned int i;

	vcore_advance(cpu->core);
	vpmu_peek(cpu, &now);
	vpmu_overflow_unwatch(cpu);
	for (i = 0; i < vpmu_nr_gp(cpu->part); i++)
		far &= stays_far(cpu, &cpu->gp[i], &now, cpu->select[i], i);
	for (i = 0; i < vpmu_options.part->nr_fixed; i++)
		far &= stays_far(cpu, &cpu->fixed[i], &now, fixed_select(cpu, i), 32 + i);
	return far;
}

/**
 * vpmu_counters_look() - find overflowed counters of the core when a countdown to an overflow ends
 * @cpu: the calling vCPU, before an instruction
 *
 * Raises the interrupt of counters that have overflowed, and starts the countdowns again.
 */
void vpmu_counters_look(struct vpmu_cpu *cpu)
{
	vpmu_pmi_haunt(cpu);
	vpmu_pmi_arrive(cpu);
	cpu->pmi.place = 0;
	if (all_are_far(cpu))
		return;
	vcore_cut(cpu->core);
	vpmu_counters_settle(cpu);
	vpmu_counters_restart(cpu);
}

/**
 * vpmu_counter_read() - current value of a counter of the core
 * @cpu: the calling vCPU
 * @number: i for general-purpose counter i, 32 + i for fixed counter i
 */
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number)
{
	struct vpmu_snapshot now;

	if (counter_of(cpu, number)->running)
		vpmu_snapshot(cpu, &now);
	return counter_at(cpu, &now, number);
}
