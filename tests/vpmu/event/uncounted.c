// SPDX-License-Identifier: GPL-2.0
/*
 * Events that counters had to count, and that the CPU model does not: they read 0, which could be
 * taken for a count.
 */
#include "uncounted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

/* event, umask, counter mask, edge and invert; AMD's events have 12 bits */
#define EVENT 0xfff84ffffull
#define MAX_EVENTS 64

struct uncounted {
	const struct vpmu_part *part;
	uint64_t select;
};

static struct uncounted events[MAX_EVENTS];
static unsigned int nr;
static const char *file;
static int lock;

/**
 * vpmu_uncounted_open() - set the file for the list
 * @name: name of the file
 */
void vpmu_uncounted_open(const char *name)
{
	file = strdup(name);
	if (!file)
		abort();
}

/**
 * vpmu_uncounted_see() - note an event if the CPU model does not count it
 * @now: quantities of the vCPU
 * @select: event select of a counter that was enabled
 * @counter: number of the counter
 *
 * Events of extra registers are counted only if the guest injected some of them before.
 */
void vpmu_uncounted_see(const struct vpmu_snapshot *now, uint64_t select, unsigned int counter)
{
	struct uncounted event = { now->part, select & EVENT };
	unsigned int i;

	if (!file || vpmu_events_counted(now, select, counter))
		return;
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	for (i = 0; i < nr; i++)
		if (events[i].part == event.part && events[i].select == event.select)
			break;
	if (i == nr && nr < MAX_EVENTS)
		events[nr++] = event;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/**
 * vpmu_uncounted_write() - write the list, a line "PART SELECT" for each event, if a file was set
 */
void vpmu_uncounted_write(void)
{
	unsigned int i;
	FILE *out;

	if (!file)
		return;
	out = fopen(file, "w");
	if (!out) {
		perror(file);
		return;
	}
	for (i = 0; i < nr; i++)
		fprintf(out, "%s 0x%llx\n", events[i].part->name,
			(unsigned long long)events[i].select);
	if (fclose(out))
		perror(file);
}
