/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative cache with least-recently-used replacement: tags and a few
 * bits of state, no data. TLBs are the same with pages for lines.
 */
#ifndef VCORE_CACHE_H
#define VCORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "params.h"

/*
 * State, the low bits of an entry. A line that is there and not owned is
 * shared; owned is exclusive, and with it dirty is modified.
 */
#define VCORE_VALID 1
#define VCORE_DIRTY 2
#define VCORE_OWNED 4
#define VCORE_PENDING 8		/* may be under way still */

#define VCORE_STATE_BITS 8
/* those that say nothing of which line it is */
#define VCORE_STATE_MASK 0xfeull
#define VCORE_NO_ENTRY 0
#define VCORE_LINE_SHIFT 6
#define VCORE_PAGE_SHIFT 12
/* entries in a line of the host's cache */
#define VCORE_HOST_ENTRIES 8

/**
 * struct vcore_cache - a cache, a TLB, or anything else with tags
 * @entry: [set * ways + way], most recently used first: tag and state
 * @note: the same of further bits that the user keeps, or NULL
 * @sets: a power of two
 * @ways: each
 */
struct vcore_cache {
	uint64_t *entry;
	uint64_t *note;
	unsigned int sets;
	unsigned int ways;
};

void vcore_cache_init(struct vcore_cache *cache,
		      const struct vcore_cache_params *params, bool notes);
void vcore_cache_free(struct vcore_cache *cache);
uint64_t *vcore_cache_reorder(struct vcore_cache *cache, uint64_t tag);
uint64_t vcore_cache_insert(struct vcore_cache *cache, uint64_t tag,
			    unsigned int state, uint64_t *note);
uint64_t vcore_cache_remove(struct vcore_cache *cache, uint64_t tag);

static inline uint64_t vcore_cache_tag(uint64_t entry)
{
	return entry >> VCORE_STATE_BITS;
}

static inline bool vcore_cache_is(uint64_t entry, uint64_t tag)
{
	return (entry & ~VCORE_STATE_MASK) == (tag << VCORE_STATE_BITS |
					      VCORE_VALID);
}

static inline uint64_t *vcore_cache_set(const struct vcore_cache *cache,
					uint64_t tag)
{
	return cache->entry + (tag & (cache->sets - 1)) * cache->ways;
}

/* a line's entry, for as long as its set is not changed, or NULL */
static inline uint64_t *vcore_cache_find(const struct vcore_cache *cache,
					 uint64_t tag)
{
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t *end = set + cache->ways;

	for (; set < end; set++)
		if (vcore_cache_is(*set, tag))
			return set;
	return NULL;
}

/* the same of a line that is used */
static inline uint64_t *vcore_cache_touch(struct vcore_cache *cache,
					  uint64_t tag)
{
	uint64_t *set = vcore_cache_set(cache, tag);

	if (vcore_cache_is(*set, tag))
		return set;
	return vcore_cache_reorder(cache, tag);
}

/* the note of an entry of a cache that has them */
static inline uint64_t *vcore_cache_note(const struct vcore_cache *cache,
					 const uint64_t *entry)
{
	return &cache->note[entry - cache->entry];
}

/* has the host fetch a line's set, which is going to be looked at */
static inline void vcore_cache_expect(const struct vcore_cache *cache,
				      uint64_t tag)
{
	uint64_t *set = vcore_cache_set(cache, tag);
	unsigned int way;

	for (way = 0; way < cache->ways; way += VCORE_HOST_ENTRIES) {
		__builtin_prefetch(&set[way], 1);
		if (cache->note)
			__builtin_prefetch(vcore_cache_note(cache, &set[way]),
					   1);
	}
}

#endif /* VCORE_CACHE_H */
