// SPDX-License-Identifier: GPL-2.0
/*
 * List of events that the guest has selected, but that neither the simulated cores and memory nor
 * CPUID injections have counted. Their counters read 0, which could be taken for a count.
 */
#include "uncounted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "machine/options.h"

/*
 * Bits of an event select that distinguish events: event, umask, counter mask, edge, invert, and
 * the upper four bits of AMD's event codes; UMASK2 and EQ.
 */
#define EVENT 0xff1fff84ffffull

/**
 * struct uncounted - an event that the guest selected in an enabled counter
 * @part: CPU model
 * @box: the box, or "core"
 * @select: event select
 * @filter: filter of the box, 0 if it has none
 * @counter: number of the core's counter, 0 for a box
 * @counted: the simulated cores and memory have the event, or the guest injected it: the event is
 *	not written to the list
 */
struct uncounted {
	const struct vpmu_part *part;
	const char *box;
	uint64_t select;
	uint64_t filter;
	unsigned int counter;
	bool counted;
};

static struct uncounted *events;
static size_t nr, room;
static char *file;
static int lock;

/**
 * vpmu_uncounted_open() - begin the list of uncounted events
 * @name: name of the file to which vpmu_uncounted_write() writes the list
 */
void vpmu_uncounted_open(const char *name)
{
	free(file);
	file = strdup(name);
	if (!file)
		abort();
	nr = 0;
}

static void add(const struct uncounted *event)
{
	if (nr == room) {
		room = room ? 2 * room : 64;
		events = realloc(events, room * sizeof(*events));
		if (!events)
			abort();
	}
	events[nr++] = *event;
}

static void note(const struct uncounted *event)
{
	size_t i;

	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	for (i = 0; i < nr; i++)
		if (events[i].part == event->part && !strcmp(events[i].box, event->box) &&
		    events[i].select == event->select && events[i].filter == event->filter)
			break;
	if (i == nr)
		add(event);
	else
		events[i].counted |= event->counted;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/**
 * vpmu_uncounted_see() - list an event as uncounted if the CPU model does not count it
 * @now: snapshot of the vCPU, which has its CPU model
 * @select: event select of a counter that was enabled
 * @counter: number of the counter
 *
 * An extra register is an MSR that filters events. The guest may enable a counter before it injects
 * the counter's event. vpmu_uncounted_write() therefore leaves out all events that an extra
 * register filters if the guest has injected one of them at any time.
 */
void vpmu_uncounted_see(const struct vpmu_snapshot *now, uint64_t select, unsigned int counter)
{
	const struct uncounted event = {
		.part = now->part, .box = "core", .select = select & EVENT, .counter = counter,
	};

	if (file && !vpmu_events_counted(now->part, select, counter))
		note(&event);
}

/**
 * vpmu_uncounted_box() - list an event of a PMU box as uncounted if nothing counts it
 * @box: name of the box: the beginning of the unit's name in the tool's list of events
 * @select: event, unit mask and the other bits of the event select that distinguish events
 * @filter: value of the box's filter, 0 if it has none
 * @counted: the simulated cores and memory have the event, or the guest injected it. The event is
 *	not listed if @counted is true in any call for this event and a box of this name
 */
void vpmu_uncounted_box(const char *box, uint64_t select, uint64_t filter, bool counted)
{
	const struct uncounted event = {
		.part = vpmu_options.part, .box = box, .select = select, .filter = filter,
		.counted = counted,
	};

	if (file)
		note(&event);
}

static bool is_uncounted(const struct uncounted *event)
{
	if (strcmp(event->box, "core"))
		return !event->counted;
	return !vpmu_events_counted(event->part, event->select, event->counter);
}

/**
 * vpmu_uncounted_write() - write the list of uncounted events, if vpmu_uncounted_open() was called
 *
 * Each event has a line "PART SELECT FILTER BOX" in the file.
 */
void vpmu_uncounted_write(void)
{
	FILE *out;
	size_t i;

	if (!file)
		return;
	out = fopen(file, "w");
	if (!out) {
		perror(file);
		return;
	}
	for (i = 0; i < nr; i++)
		if (is_uncounted(&events[i]))
			fprintf(out, "%s 0x%llx 0x%llx %s\n", events[i].part->name,
				(unsigned long long)events[i].select,
				(unsigned long long)events[i].filter, events[i].box);
	if (fclose(out))
		perror(file);
}
