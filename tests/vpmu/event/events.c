// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include "machine/cpu.h"
#include "machine/options.h"

/*
 * Bits of an event select: EXTRA are counter mask, invert and edge detect; CODE are event and unit
 * mask. CLASS and INDEX are fields of &vpmu_event.what: CLASS says which macro of events.h made the
 * value. INDEX is the argument of this macro.
 */
#define EXTRA 0xff840000u
#define INVERT VPMU_BIT(23)
#define CODE 0xffffu
/* extended unit mask and EQ of version 6; other vendors have other bits there */
#define UMASK2 0xff0000000000ull
#define EQUAL VPMU_BIT(36)
#define CLASS 0x7f00
#define INDEX 0xff

/*
 * Returns the number of cycles in which an event occurred at least @least times, or, if @only is
 * true, exactly @least times. If @invert is true, returns the number of all other cycles.
 * @cycles_with[k] is the number of cycles in which the event occurred k times, k from 0 to @most.
 */
static uint64_t threshold(const struct vcore_counts *counts,
			  const uint64_t *cycles_with, unsigned int most,
			  unsigned int least, bool only, bool invert)
{
	uint64_t reached = 0;
	unsigned int k;

	for (k = least; k <= (only ? least : most); k++)
		reached += cycles_with[k];
	return invert ? counts->plain[VCORE_CYCLES] - reached : reached;
}

/*
 * Returns what a counter counts of an event that can occur several times in a cycle: occurrences
 * or, if the event select has a counter mask, cycles with at least that many occurrences.
 */
static uint64_t per_cycle(const struct vcore_counts *counts,
			  const uint64_t *cycles_with, unsigned int most,
			  uint64_t select)
{
	unsigned int cmask = select >> 24 & 0xff;

	return cmask ? threshold(counts, cycles_with, most, cmask,
				 select & EQUAL, select & INVERT) :
		       vcore_sum(cycles_with, most);
}

static uint64_t on_ports(const struct vcore_counts *counts, unsigned int mask)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < VCORE_MAX_PORTS; i++)
		if (mask >> i & 1)
			sum += counts->ports[i];
	return sum;
}

static uint64_t quantity(unsigned int what, const struct vpmu_snapshot *now,
			 unsigned int priv, uint64_t select)
{
	const struct vcore_counts *counts = &now->priv[priv];
	unsigned int i = what & INDEX;

	switch (what & CLASS) {
	case VPMU_PER_CYCLE(0):
		return per_cycle(counts, counts->cycles_with[i],
				 VCORE_MAX_WIDTH, select);
	case VPMU_OUTSTANDING:
		return per_cycle(counts, counts->outstanding,
				 VCORE_MAX_OUTSTANDING, select);
	case VPMU_STACK(0, 0):
		return vcore_component(counts, i >> 4, i & 0xf);
	case VPMU_STACK_PART(0, 0):
		return counts->stack[i >> 5][i & 0x1f];
	case VPMU_PORTS(0):
		return on_ports(counts, i);
	case VPMU_COMPUTED(0):
		return counts->computed[i];
	case VPMU_EXACTLY(0):
		return now->exact[i][priv];
	case VPMU_SLOTS:
		return now->part->core->back.width *
		       counts->plain[VCORE_CYCLES];
	case VPMU_PASSED(0):
		return priv ? now->passed[i] : 0;
	case VPMU_NEVER:
		return 0;
	case VPMU_CYCLES_WITH(0, 0):
		return counts->cycles_with[i >> 4][i & 0xf];
	default:
		return counts->plain[i];
	}
}

static bool ends(const struct vpmu_event *event)
{
	return !event->select && !event->what;
}

/*
 * Returns the bits of an event select by which an event table is searched: event, unit mask,
 * counter mask, invert and edge if the table has a row in which all of these are equal; otherwise
 * event and unit mask alone. If the bit EQ is set, the search is always by event and unit mask
 * alone. From version 6 on the unit mask includes UMASK2.
 */
static uint64_t key_of(const struct vpmu_part *part, const struct vpmu_event *rows,
		       uint64_t select)
{
	uint64_t code = CODE | (vpmu_version(part) >= 6 ? UMASK2 : 0);
	uint64_t whole = select & (EXTRA | code);

	if (select & EQUAL && vpmu_version(part) >= 6)
		return select & code;
	for (; !ends(rows); rows++)
		if (rows->select == whole)
			return whole;
	return select & code;
}

/*
 * an array without any event table; &vpmu_part.events returns it if a counter cannot count an event
 */
const struct vpmu_event *const vpmu_no_events[] = { NULL };

/**
 * vpmu_events_count() - count of an event of the CPU model, looked up by its event select
 * @now: totals of all quantities of the vCPU (instructions, cycles and so on) since power on
 * @priv: 0 for the kernel, 1 for user space
 * @select: event select
 * @counter: number of the counter with the event select
 *
 * Return: the total since power on; 0 for an event that the CPU model's tables do not have.
 */
uint64_t vpmu_events_count(const struct vpmu_snapshot *now, unsigned int priv,
			   uint64_t select, unsigned int counter)
{
	const struct vpmu_event *const *table;
	const struct vpmu_event *event;
	uint64_t sum = 0, value;
	uint64_t key;

	for (table = now->part->events(select, counter); *table; table++) {
		key = key_of(now->part, *table, select);
		for (event = *table; !ends(event); event++) {
			if (event->select != key)
				continue;
			value = quantity(event->what, now, priv, select);
			sum += event->what & VPMU_LESS ? -value : value;
		}
	}
	return sum;
}

/*
 * An extra register is an MSR that filters an event, such as MSR_OFFCORE_RSP_0. For each extra
 * register: true if a program in the guest has had an event counted that the register filters,
 * although the model does not have it ("injected" it, see tests/vpmu/box). It does not matter whether the filter let the event be counted. [&enum vpmu_extra]
 */
static bool injected[VPMU_EXTRAS];

/**
 * vpmu_events_inject() - remember that the guest injects events that an extra register filters
 * @extra: the register, &enum vpmu_extra
 *
 * Context: any vCPU, at any time.
 */
void vpmu_events_inject(unsigned int extra)
{
	__atomic_store_n(&injected[extra], true, __ATOMIC_RELAXED);
}

/**
 * vpmu_events_counted() - check if the CPU model's event table counts an event
 * @part: CPU model of the vCPU
 * @select: event select
 * @counter: number of the counter
 *
 * Return: false for an event that the table does not have. An extra register is an MSR that filters
 * events, such as MSR_OFFCORE_RSP_0. Events that it filters do not occur by themselves, so false is
 * also returned for these, until the guest has injected such an event.
 */
bool vpmu_events_counted(const struct vpmu_part *part, uint64_t select, unsigned int counter)
{
	const struct vpmu_event *const *table;
	const struct vpmu_event *event;
	uint64_t key;

	for (table = part->events(select, counter); *table; table++) {
		key = key_of(part, *table, select);
		for (event = *table; !ends(event); event++)
			if (event->select == key &&
			    ((event->what & CLASS) == VPMU_PASSED(0) ?
			     __atomic_load_n(&injected[event->what & INDEX], __ATOMIC_RELAXED) :
			     true))
				return true;
	}
	return false;
}

/**
 * vpmu_events_timed() - check if an event needs a simulated core, by the CPU model's event table
 * @part: CPU model of the vCPU
 * @select: event select
 * @counter: number of the counter
 *
 * Return: false for events whose count needs no simulated core: those that QEMU counts exactly,
 * injected events, events that never happen, and events that the table does not have.
 */
bool vpmu_events_timed(const struct vpmu_part *part, uint64_t select,
		       unsigned int counter)
{
	const struct vpmu_event *const *table;
	const struct vpmu_event *event;
	uint64_t key;

	for (table = part->events(select, counter); *table; table++) {
		key = key_of(part, *table, select);
		for (event = *table; !ends(event); event++)
			if (event->select == key &&
			    (event->what & CLASS) != VPMU_EXACTLY(0) &&
			    (event->what & CLASS) != VPMU_NEVER &&
			    (event->what & CLASS) != VPMU_PASSED(0))
				return true;
	}
	return false;
}
