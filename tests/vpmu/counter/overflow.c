// SPDX-License-Identifier: GPL-2.0
#include "overflow.h"

#include "event/events.h"
#include "event/snapshot.h"
#include "lbr.h"
#include "machine/level.h"

#define SEL_USR VPMU_BIT(16)
#define SEL_OS VPMU_BIT(17)

/* start of a countdown that never ends: more instructions than a guest executes */
#define NEVER VPMU_BIT(62)

/*
 * number of kernel instructions between an overflow interrupt and the ghost interrupt that follows
 * it by the erratum ghost-pmi
 */
#define GHOST 50

/*
 * &vpmu_counter.rate is the number of a counter's events per RATE instructions. The rate is
 * measured only after at least MEASURED instructions, or the first time after FIRST.
 */
#define RATE 256
#define MEASURED 64
#define FIRST 8

/*
 * How often a counter is checked for overflow, in instructions. The simulation of the core lags
 * behind the guest by up to LAG instructions, some of which are in flight in the core. A check does
 * not empty the core, which would cost the guest cycles that it does not need without the check.
 * The events of the instructions that have not retired are those that the rate lets expect. While
 * an overflow is farther away than LAG instructions, the counter is checked every GLANCE
 * instructions. Nearer to the overflow the next check comes at half the expected distance, but after
 * GLANCE instructions at the latest: the rate may be that of a few instructions. If the counter
 * must have overflowed, the core retires all executed instructions, as it does at an interrupt, and
 * the count is exact. Two such checks are at least APART instructions apart, so that an overflow may
 * be found up to APART instructions late if the rate is as expected.
 */
#define LAG 1024
#define GLANCE 256
#define APART 8
/*
 * A counter whose interrupt names the instruction of the overflow is checked more often: one
 * instruction is taken to have up to DENSE events.
 */
#define DENSE 128
/* the most loads or stores that one instruction can execute */
#define MOST_PER_INSN 16

static uint64_t insns(const struct vpmu_snapshot *now, uint64_t select)
{
	uint64_t sum = 0;

	if (select & SEL_OS)
		sum += now->exact[VPMU_INSTRUCTIONS][0];
	if (select & SEL_USR)
		sum += now->exact[VPMU_INSTRUCTIONS][1];
	return sum;
}

/*
 * Returns the number of instructions at a privilege level after which an interrupt comes that the
 * erratum late-pmi holds back; NEVER if it holds back none.
 */
static uint64_t held_back(const struct vpmu_cpu *cpu, unsigned int priv)
{
	uint64_t now = cpu->score->exact[VPMU_INSTRUCTIONS][priv];

	if (!cpu->pmi.coming)
		return NEVER;
	return cpu->pmi.comes_at[priv] > now ? cpu->pmi.comes_at[priv] - now : 1;
}

/**
 * vpmu_overflow_unwatch() - stop the countdown of a vCPU to its next counter overflow
 * @cpu: the calling vCPU, with all counters stopped
 */
void vpmu_overflow_unwatch(struct vpmu_cpu *cpu)
{
	unsigned int priv;

	for (priv = 0; priv < VPMU_PRIVS; priv++)
		cpu->score->until[priv] = held_back(cpu, priv);
	if (cpu->pmi.ghost)
		cpu->score->until[0] = GHOST;
}

/*
 * A counter will overflow after @left + 1 more events. Checks if these will take more than LAG
 * instructions, at the counter's measured rate of events. The simulation may lack the last LAG
 * instructions that the guest has executed. If the overflow is further away, it has not happened in
 * them either.
 */
static bool beyond_lag(const struct vpmu_counter *counter, uint64_t left)
{
	return left / LAG > (counter->rate ?: RATE) / RATE;
}

/*
 * Returns the number of instructions after which a counter must be checked for overflow again. The
 * counter overflows after @left + 1 more events.
 */
static uint64_t distance(const struct vpmu_cpu *cpu, const struct vpmu_counter *counter,
			 uint64_t select, unsigned int number, uint64_t left)
{
	uint64_t rate = counter->rate ?: RATE;
	uint64_t most;

	if (!vpmu_events_timed(cpu->part, select, number)) {
		most = (rate + RATE - 1) / RATE;
		return most > 1 ? left / MOST_PER_INSN : left;
	}
	if (beyond_lag(counter, left))
		return GLANCE;
	left = left * RATE / (2 * rate);
	if (left > GLANCE)
		return GLANCE;
	return left < APART ? APART : left;
}

static void watch_for(struct vpmu_cpu *cpu, uint64_t select, uint64_t look)
{
	uint64_t *until = cpu->score->until;
	unsigned int priv;

	/*
	 * The counter is checked when a countdown of instructions ends. A countdown from n ends
	 * before the n-th instruction. The counter must be checked after @look + 1 instructions, so
	 * the countdown must end before instruction number @look + 2.
	 */
	for (priv = 0; priv < VPMU_PRIVS; priv++)
		if (select & (priv ? SEL_USR : SEL_OS) && until[priv] > look + 2)
			until[priv] = look + 2;
}

/**
 * vpmu_overflow_watch() - begin to look for the overflow of a counter that starts
 * @cpu: the calling vCPU
 * @counter: the counter
 * @now: totals of all events of the vCPU since power on
 * @select: event select; for a fixed counter the event select with the same event and privilege
 *	levels
 * @number: number of the counter
 * @left: events until the counter has its highest value; one more overflows it
 *
 * If the event select has no INT bit, the function does not look for the overflow. It only stores
 * the start of the counter, so that vpmu_overflow_pace() can measure the rate of the event.
 */
void vpmu_overflow_watch(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			 const struct vpmu_snapshot *now, uint64_t select, unsigned int number,
			 uint64_t left)
{
	counter->insns_since = insns(now, select);
	if (!(select & VPMU_SEL_INT))
		return;
	vpmu_watch_wanted();
	watch_for(cpu, select, distance(cpu, counter, select, number, left));
}

/**
 * vpmu_overflow_step() - look for the overflow of a counter before every instruction
 * @cpu: the calling vCPU
 * @select: event select; for a fixed counter the event select with the same event and privilege
 *	levels
 */
void vpmu_overflow_step(struct vpmu_cpu *cpu, uint64_t select)
{
	watch_for(cpu, select, 0);
}

/**
 * vpmu_overflow_names() - check if an overflow interrupt names the instruction of the overflow
 * @cpu: the calling vCPU
 * @select: event select
 * @number: number of the counter
 *
 * The guest is ahead of the simulated core by the instructions in flight, some hundred. A real CPU
 * would discard them at the interrupt. Here the interrupt comes behind them, but names the oldest
 * instruction that had not retired when the counter overflowed: see vpmu_interrupt_name().
 *
 * Return: false in the kernel, for events that are counted exactly, for in-order cores, and while
 * branches are recorded, whose records are of where the vCPU is. The interrupt then names the
 * instruction that the vCPU executes next.
 */
bool vpmu_overflow_names(const struct vpmu_cpu *cpu, uint64_t select, unsigned int number)
{
	return cpu->core->ooo && cpu->core->priv && !vpmu_lbr_records(cpu) &&
	       vpmu_events_timed(cpu->part, select, number);
}

/**
 * vpmu_overflow_place() - the instruction that an overflow interrupt names
 * @cpu: the calling vCPU; see vpmu_overflow_names()
 * @counter: the counter that has overflowed
 * @value: its value, as if it were wider
 * @since: events that it has counted after the overflow
 *
 * In which cycle the counter overflowed is known exactly if it counts all cycles. Other events, and
 * those of one privilege level, are taken to be spread evenly over the cycles since the counter was
 * last checked, which are few.
 *
 * Return: address of the oldest instruction that had not retired when the counter overflowed.
 */
uint64_t vpmu_overflow_place(const struct vpmu_cpu *cpu, const struct vpmu_counter *counter,
			     uint64_t value, uint64_t since)
{
	uint64_t now = cpu->core->cycle;
	uint64_t grown = value - counter->glanced;
	uint64_t passed = now - counter->glanced_at;

	if (value <= counter->glanced || grown <= since)
		return vcore_oldest(cpu->core, now);
	return vcore_oldest(cpu->core, now - since * passed / grown - 1);
}

/**
 * vpmu_overflow_is_far() - check if a counter's overflow is far away; if so, schedule the next look
 * @cpu: the calling vCPU
 * @counter: the counter, which is running and interrupts
 * @now: totals of all events of the vCPU since power on; those of the simulated core may be LAG
 *	instructions old
 * @select: event select; for a fixed counter the event select with the same event and privilege
 *	levels
 * @number: number of the counter
 * @left: events until the counter has its highest value; one more overflows it
 *
 * Return: true if the overflow is yet to come; the countdown to the next call has been started. False
 * if the counter may have overflowed: vpmu_counters_settle() must stop it.
 */
bool vpmu_overflow_is_far(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			  const struct vpmu_snapshot *now, uint64_t select, unsigned int number,
			  uint64_t left)
{
	uint64_t nr = insns(now, select) - counter->insns_since;
	uint64_t behind, expected, ahead;

	/* The count is exact. */
	if (!vpmu_events_timed(cpu->part, select, number)) {
		watch_for(cpu, select, distance(cpu, counter, select, number, left));
		return true;
	}
	behind = select & (cpu->core->priv ? SEL_USR : SEL_OS) ? vcore_behind(cpu->core) : 0;
	if (nr >= behind + MEASURED)
		counter->rate = (vpmu_total(now, select, number) - counter->since) * RATE /
				(nr - behind) ?: 1;
	if (beyond_lag(counter, left)) {
		watch_for(cpu, select, GLANCE);
		return true;
	}
	if (vpmu_overflow_names(cpu, select, number)) {
		watch_for(cpu, select, left / DENSE < GLANCE ? left / DENSE : GLANCE);
		return true;
	}
	expected = behind * (counter->rate ?: RATE) / RATE;
	if (left <= expected)
		return false;
	ahead = (left - expected) * RATE / (counter->rate ?: RATE);
	if (ahead > 2 * APART)
		ahead = ahead / 2 < GLANCE ? ahead / 2 : GLANCE;
	watch_for(cpu, select, ahead);
	return true;
}

/**
 * vpmu_overflow_pace() - measure a counter's events per instruction, to predict its overflow
 * @counter: the counter
 * @now: totals of all events of the vCPU since power on
 * @select: event select
 * @grown: events counted since the counter started
 */
void vpmu_overflow_pace(struct vpmu_counter *counter, const struct vpmu_snapshot *now,
			uint64_t select, uint64_t grown)
{
	uint64_t nr = insns(now, select) - counter->insns_since;

	if (nr >= (counter->rate ? MEASURED : FIRST) && grown < NEVER / RATE)
		counter->rate = grown * RATE / nr ?: 1;
}
