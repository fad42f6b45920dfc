// SPDX-License-Identifier: GPL-2.0
#include "cache.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns a new array of zeros, aligned to a cache line of the host. Aborts if there is no memory.
 */
static uint64_t *new_array(size_t words)
{
	size_t size = words * sizeof(uint64_t);
	void *array;

	if (posix_memalign(&array, VCORE_HOST_WORDS * sizeof(uint64_t), size))
		abort();
	memset(array, 0, size);
	return array;
}

static void init_set(struct vcore_cache *cache, uint64_t *set)
{
	uint64_t *order = vcore_cache_order(cache, set);
	unsigned int way;

	for (way = 0; way < cache->words * VCORE_HINTS; way++) {
		*vcore_cache_byte(order, way) = way;
		if (way >= cache->ways)
			*vcore_cache_byte(set, way) = VCORE_NO_WAY;
	}
}

/*
 * Returns the number of 64-bit words of a set. Sets of a cache with notes are used by several
 * threads, and are padded to whole cache lines of the host, to avoid false sharing.
 */
static unsigned int set_size(const struct vcore_cache *cache)
{
	unsigned int size = 2 * cache->words + (cache->ways << cache->notes);
	unsigned int more = cache->notes ? VCORE_HOST_WORDS - 1 : 0;

	return (size + more) & ~more;
}

/**
 * vcore_cache_init() - initialise an empty cache
 * @cache: output: the empty cache; vcore_cache_free() frees it
 * @params: number of sets and of ways; at most 255 ways
 * @notes: true if each entry has a note
 */
void vcore_cache_init(struct vcore_cache *cache,
		      const struct vcore_cache_params *params, bool notes)
{
	unsigned int set;

	cache->sets = params->sets;
	cache->ways = params->ways;
	cache->words = (params->ways + VCORE_HINTS - 1) / VCORE_HINTS;
	cache->shift = params->sets ? __builtin_ctz(params->sets) : 0;
	cache->notes = notes;
	cache->size = set_size(cache);
	cache->row = new_array((size_t)cache->sets * cache->size);
	for (set = 0; set < cache->sets; set++)
		init_set(cache, vcore_cache_set(cache, set));
}

/**
 * vcore_cache_free() - free the sets of a cache
 * @cache: cache
 */
void vcore_cache_free(struct vcore_cache *cache)
{
	free(cache->row);
}

/* Marks a way of a set as empty, and as the way that the next line of the set is inserted into. */
static void vacate(const struct vcore_cache *cache, uint64_t *set,
		   unsigned int way)
{
	uint64_t *order = vcore_cache_order(cache, set);
	uint8_t *rank = vcore_cache_byte(order, vcore_cache_rank(order, way));
	uint8_t *last = vcore_cache_byte(order, cache->ways - 1);

	*vcore_cache_byte(set, way) = 0;
	memmove(rank, rank + 1, last - rank);
	*last = way;
}

/**
 * vcore_cache_insert() - insert a new line into a cache
 * @cache: cache
 * @tag: line or page number
 * @state: state bits of the line other than VCORE_VALID
 * @note: input: note of the line; output: note of the evicted line; NULL if the cache has no notes
 *
 * Return: the evicted entry, or VCORE_NO_ENTRY if a way was empty.
 */
uint64_t vcore_cache_insert(struct vcore_cache *cache, uint64_t tag,
			    unsigned int state, uint64_t *note)
{
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t *order = vcore_cache_order(cache, set);
	unsigned int way = *vcore_cache_byte(order, cache->ways - 1);
	uint64_t *entry = vcore_cache_entry(cache, set, way);
	uint64_t gone = *entry, last;

	if (cache->notes) {
		last = *vcore_cache_note(entry);
		*vcore_cache_note(entry) = *note;
		*note = last;
	}
	*entry = tag << VCORE_STATE_BITS | VCORE_VALID | state;
	*vcore_cache_byte(set, way) = vcore_cache_hint(cache, tag);
	vcore_cache_make_mru(order, cache->ways - 1, way);
	return gone;
}

/**
 * vcore_cache_clear() - remove the line of a given entry from a cache
 * @cache: cache
 * @entry: entry in the cache; it must be valid
 *
 * Return: the entry as it was before.
 */
uint64_t vcore_cache_clear(struct vcore_cache *cache, uint64_t *entry)
{
	uint64_t *set = vcore_cache_set(cache, vcore_cache_tag(*entry));
	size_t words = entry - vcore_cache_entry(cache, set, 0);
	uint64_t had = *entry;

	*entry = VCORE_NO_ENTRY;
	vacate(cache, set, words >> cache->notes);
	return had;
}

/**
 * vcore_cache_remove() - look up a line in a cache and remove it
 * @cache: cache
 * @tag: line or page number
 *
 * Return: the removed entry, or VCORE_NO_ENTRY if the line was not cached.
 */
uint64_t vcore_cache_remove(struct vcore_cache *cache, uint64_t tag)
{
	uint64_t *found = vcore_cache_find(cache, tag);

	return found ? vcore_cache_clear(cache, found) : VCORE_NO_ENTRY;
}
