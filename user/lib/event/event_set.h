/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of the events of a list, as bit masks with one bit for each event's index in the list.
 */
#ifndef BPMU_EVENT_SET_H
#define BPMU_EVENT_SET_H

#include <stdbool.h>

#include "arch.h"

#define BPMU_EVENT_SET_MAX 512
#define BPMU_EVENT_SET_WORDS (BPMU_EVENT_SET_MAX / 64)

/**
 * struct bpmu_event_set - a set of events; a zeroed structure is the empty set
 * @word: bit i % 64 of @word[i / 64] is 1 if event i is in the set
 */
struct bpmu_event_set {
	u64 word[BPMU_EVENT_SET_WORDS];
};

/**
 * bpmu_event_set_add() - add an event to a set
 * @set: the set
 * @event: index of the event, below BPMU_EVENT_SET_MAX
 */
static inline void bpmu_event_set_add(struct bpmu_event_set *set,
				      unsigned int event)
{
	set->word[event / 64] |= BPMU_BIT(event % 64);
}

/**
 * bpmu_event_set_has() - check if an event is in a set
 * @set: the set
 * @event: index of the event, below BPMU_EVENT_SET_MAX
 *
 * Return: true if the set has the event.
 */
static inline bool bpmu_event_set_has(const struct bpmu_event_set *set,
				      unsigned int event)
{
	return set->word[event / 64] >> event % 64 & 1;
}

/**
 * bpmu_event_set_join() - add all events of another set to a set of events
 * @set: the set; on return the union of both
 * @other: the other set
 */
static inline void bpmu_event_set_join(struct bpmu_event_set *set,
				       const struct bpmu_event_set *other)
{
	unsigned int i;

	for (i = 0; i < BPMU_EVENT_SET_WORDS; i++)
		set->word[i] |= other->word[i];
}

/**
 * bpmu_event_set_inside() - check if a set of events is a subset of another
 * @set: the set
 * @other: the other set
 *
 * Return: true if @other has all events of @set; the empty set is a subset of any set.
 */
static inline bool bpmu_event_set_inside(const struct bpmu_event_set *set,
					 const struct bpmu_event_set *other)
{
	unsigned int i;

	for (i = 0; i < BPMU_EVENT_SET_WORDS; i++)
		if (set->word[i] & ~other->word[i])
			return false;
	return true;
}

/**
 * bpmu_event_set_size() - number of events in a set
 * @set: the set
 *
 * Return: the number.
 */
static inline unsigned int bpmu_event_set_size(const struct bpmu_event_set *set)
{
	unsigned int size = 0;
	unsigned int i;

	for (i = 0; i < BPMU_EVENT_SET_WORDS; i++)
		/*
		 * Most words are 0, and for CPUs without POPCNT the compiler counts bits by a
		 * function of its library.
		 */
		if (set->word[i])
			size += __builtin_popcountll(set->word[i]);
	return size;
}

#endif /* BPMU_EVENT_SET_H */
