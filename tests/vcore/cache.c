// SPDX-License-Identifier: GPL-2.0
#include "cache.h"

#include <stdlib.h>
#include <string.h>

/* sets begin with a line of the host's cache */
static uint64_t *new_array(size_t entries)
{
	size_t size = entries * sizeof(uint64_t);
	void *array;

	if (posix_memalign(&array, VCORE_HOST_ENTRIES * sizeof(uint64_t),
			   size))
		abort();
	memset(array, 0, size);
	return array;
}

/**
 * vcore_cache_init() - an empty cache
 * @cache: filled in
 * @params: its size
 * @notes: with further bits for each entry
 */
void vcore_cache_init(struct vcore_cache *cache,
		      const struct vcore_cache_params *params, bool notes)
{
	size_t entries = (size_t)params->sets * params->ways;

	cache->entry = new_array(entries);
	cache->note = notes ? new_array(entries) : NULL;
	cache->sets = params->sets;
	cache->ways = params->ways;
}

/**
 * vcore_cache_free() - give back
 * @cache: initialised
 */
void vcore_cache_free(struct vcore_cache *cache)
{
	free(cache->entry);
	free(cache->note);
}

/* what is in a way becomes the most recently used */
static void to_front(uint64_t *set, size_t way, uint64_t value)
{
	memmove(set + 1, set, way * sizeof(*set));
	*set = value;
}

/**
 * vcore_cache_reorder() - a line becomes the most recently used
 * @cache: where
 * @tag: number of the line or page
 *
 * Return: its entry, for as long as the set is not changed, or NULL.
 */
uint64_t *vcore_cache_reorder(struct vcore_cache *cache, uint64_t tag)
{
	uint64_t *found = vcore_cache_find(cache, tag);
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t *note;

	if (!found)
		return NULL;
	if (cache->note) {
		note = vcore_cache_note(cache, found);
		to_front(vcore_cache_note(cache, set), found - set, *note);
	}
	to_front(set, found - set, *found);
	return set;
}

/* the way that goes for a new line: the first empty one, or the last */
static unsigned int goes(const struct vcore_cache *cache, const uint64_t *set)
{
	uint64_t full = VCORE_VALID;
	unsigned int way;

	for (way = 0; way < cache->ways; way++)
		full &= set[way];
	if (full)
		return cache->ways - 1;
	for (way = 0; set[way]; way++)
		;
	return way;
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
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t gone = VCORE_NO_ENTRY;
	unsigned int way = goes(cache, set);
	uint64_t *notes, last;

	gone = set[way];
	if (cache->note) {
		notes = vcore_cache_note(cache, set);
		last = notes[way];
		to_front(notes, way, *note);
		*note = last;
	}
	to_front(set, way, tag << VCORE_STATE_BITS | VCORE_VALID | state);
	return gone;
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
	uint64_t entry;

	if (!found)
		return VCORE_NO_ENTRY;
	entry = *found;
	*found = VCORE_NO_ENTRY;
	return entry;
}
