// SPDX-License-Identifier: GPL-2.0
#include "cache.h"

#include <stdlib.h>
#include <string.h>

/* sets begin with a line of the host's cache */
static uint64_t *new_array(size_t words)
{
	size_t size = words * sizeof(uint64_t);
	void *array;

	if (posix_memalign(&array, VCORE_HOST_WORDS * sizeof(uint64_t), size))
		abort();
	memset(array, 0, size);
	return array;
}

static void empty_set(struct vcore_cache *cache, unsigned int set)
{
	uint64_t *hints = vcore_cache_hints(cache, set);
	uint64_t *order = hints + cache->words;
	unsigned int way;

	for (way = 0; way < cache->words * VCORE_HINTS; way++) {
		unsigned int shift = way % VCORE_HINTS * 8;

		order[way / VCORE_HINTS] |= (uint64_t)way << shift;
		if (way >= cache->ways)
			hints[way / VCORE_HINTS] |= (uint64_t)VCORE_NO_WAY <<
						    shift;
	}
}

/**
 * vcore_cache_init() - an empty cache
 * @cache: filled in
 * @params: its size, less than 256 ways
 * @notes: with further bits for each entry
 */
void vcore_cache_init(struct vcore_cache *cache,
		      const struct vcore_cache_params *params, bool notes)
{
	size_t entries = (size_t)params->sets * params->ways;
	unsigned int set;

	cache->sets = params->sets;
	cache->ways = params->ways;
	cache->words = (params->ways + VCORE_HINTS - 1) / VCORE_HINTS;
	cache->shift = params->sets ? __builtin_ctz(params->sets) : 0;
	cache->notes = notes;
	cache->entry = new_array(entries << notes);
	cache->order = new_array((size_t)params->sets * 2 * cache->words);
	for (set = 0; set < cache->sets; set++)
		empty_set(cache, set);
}

/**
 * vcore_cache_free() - give back
 * @cache: initialised
 */
void vcore_cache_free(struct vcore_cache *cache)
{
	free(cache->entry);
	free(cache->order);
}

static void set_byte(uint64_t *words, unsigned int nr, uint64_t value)
{
	unsigned int shift = nr % VCORE_HINTS * 8;

	words += nr / VCORE_HINTS;
	*words = (*words & ~(0xffull << shift)) | value << shift;
}

/* a way has no line any more: it is the next to get one */
static void vacate(const struct vcore_cache *cache, unsigned int set,
		   unsigned int way)
{
	uint64_t *hints = vcore_cache_hints(cache, set);
	uint64_t *order = hints + cache->words;
	unsigned int last = cache->ways - 1;
	unsigned int place;

	set_byte(hints, way, 0);
	for (place = vcore_cache_place(order, way); place < last; place++)
		set_byte(order, place, vcore_cache_byte(order, place + 1));
	set_byte(order, last, way);
}

/**
 * vcore_cache_insert() - a line that is not there comes in
 * @cache: where
 * @tag: number of the line or page
 * @state: its bits but VCORE_VALID
 * @note: its further bits; what the line that goes had is stored here. NULL in
 *	a cache without
 *
 * Return: the entry that went for it, VCORE_NO_ENTRY for none.
 */
uint64_t vcore_cache_insert(struct vcore_cache *cache, uint64_t tag,
			    unsigned int state, uint64_t *note)
{
	unsigned int set = vcore_cache_set(cache, tag);
	uint64_t *hints = vcore_cache_hints(cache, set);
	uint64_t *order = hints + cache->words;
	unsigned int way = vcore_cache_byte(order, cache->ways - 1);
	uint64_t *entry = vcore_cache_entry(cache, set, way);
	uint64_t gone = *entry, last;

	if (cache->notes) {
		last = *vcore_cache_note(entry);
		*vcore_cache_note(entry) = *note;
		*note = last;
	}
	*entry = tag << VCORE_STATE_BITS | VCORE_VALID | state;
	set_byte(hints, way, vcore_cache_hint(cache, tag));
	vcore_cache_front(order, cache->ways - 1, way);
	return gone;
}

/**
 * vcore_cache_clear() - the line of an entry goes
 * @cache: where
 * @entry: of a line
 *
 * Return: the entry that it had.
 */
uint64_t vcore_cache_clear(struct vcore_cache *cache, uint64_t *entry)
{
	size_t nr = (size_t)(entry - cache->entry) >> cache->notes;
	uint64_t had = *entry;

	*entry = VCORE_NO_ENTRY;
	vacate(cache, nr / cache->ways, nr % cache->ways);
	return had;
}

/**
 * vcore_cache_remove() - a line goes
 * @cache: where
 * @tag: number of the line or page
 *
 * Return: the entry it had, VCORE_NO_ENTRY for none.
 */
uint64_t vcore_cache_remove(struct vcore_cache *cache, uint64_t tag)
{
	uint64_t *found = vcore_cache_find(cache, tag);

	return found ? vcore_cache_clear(cache, found) : VCORE_NO_ENTRY;
}
