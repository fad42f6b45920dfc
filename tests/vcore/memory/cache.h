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

#include "base/params.h"

/*
 * State, the low bits of an entry. A line that is there and not owned is
 * shared; owned is exclusive, and with it dirty is modified.
 */
#define VCORE_VALID 1
#define VCORE_DIRTY 2
#define VCORE_OWNED 4
#define VCORE_PENDING 8		/* may be under way still */

#define VCORE_STATE_BITS 8
#define VCORE_NO_ENTRY 0
#define VCORE_LINE_SHIFT 6
#define VCORE_PAGE_SHIFT 12
/* words in a line of the host's cache */
#define VCORE_HOST_WORDS 8
/* ways whose hints are looked at together, a byte each */
#define VCORE_HINTS 8
#define VCORE_HINT_ONES 0x0101010101010101ull
#define VCORE_HINT_HIGHS 0x8080808080808080ull
/* of a way that the set does not have; those with lines have VCORE_HINT_LINE */
#define VCORE_NO_WAY 1
#define VCORE_HINT_LINE 0x80

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "the first byte of a word is its lowest");

/**
 * struct vcore_cache - a cache, a TLB, or anything else with tags
 * @row: by set, @size words each: @words of hints, a byte of the tag of each
 *	way, 0 if empty; @words of ways, a byte each, most recently used first,
 *	empty ones last; an entry for each way, tag and state, with @notes the
 *	note behind each
 * @sets: a power of two
 * @ways: each
 * @words: of VCORE_HINTS ways each
 * @size: of a set
 * @shift: of a tag that leaves what the set does not tell
 * @notes: 1 with further bits that the user keeps, or 0
 */
struct vcore_cache {
	uint64_t *row;
	unsigned int sets;
	unsigned int ways;
	unsigned int words;
	unsigned int size;
	unsigned int shift;
	unsigned int notes;
};

void vcore_cache_init(struct vcore_cache *cache,
		      const struct vcore_cache_params *params, bool notes);
void vcore_cache_free(struct vcore_cache *cache);
uint64_t vcore_cache_insert(struct vcore_cache *cache, uint64_t tag,
			    unsigned int state, uint64_t *note);
uint64_t vcore_cache_remove(struct vcore_cache *cache, uint64_t tag);
uint64_t vcore_cache_clear(struct vcore_cache *cache, uint64_t *entry);

static inline uint64_t vcore_cache_tag(uint64_t entry)
{
	return entry >> VCORE_STATE_BITS;
}

/* the set of a line: its hints, behind which are the ways in order */
static inline uint64_t *vcore_cache_set(const struct vcore_cache *cache,
					uint64_t tag)
{
	return cache->row + (tag & (cache->sets - 1)) * cache->size;
}

static inline uint64_t *vcore_cache_order(const struct vcore_cache *cache,
					  uint64_t *set)
{
	return set + cache->words;
}

static inline uint64_t *vcore_cache_entry(const struct vcore_cache *cache,
					  uint64_t *set, unsigned int way)
{
	return set + 2 * cache->words + (way << cache->notes);
}

static inline uint64_t vcore_cache_hint(const struct vcore_cache *cache,
					uint64_t tag)
{
	return (tag >> cache->shift & (VCORE_HINT_LINE - 1)) | VCORE_HINT_LINE;
}

/*
 * The high bit of each byte that has a value, and, behind the first of these,
 * perhaps of one whose lowest bit differs: never of a way without line.
 */
static inline uint64_t vcore_cache_match(uint64_t bytes, uint64_t value)
{
	bytes ^= value * VCORE_HINT_ONES;
	return (bytes - VCORE_HINT_ONES) & ~bytes & VCORE_HINT_HIGHS;
}

/* a line's entry in its set and its way, or NULL */
static inline uint64_t *vcore_cache_look(const struct vcore_cache *cache,
					 uint64_t *set, uint64_t tag,
					 unsigned int *way)
{
	uint64_t hint = vcore_cache_hint(cache, tag);
	unsigned int word = 0;
	uint64_t match, *entry;

	do {
		match = vcore_cache_match(set[word], hint);
		for (; match; match &= match - 1) {
			*way = word * VCORE_HINTS + __builtin_ctzll(match) / 8;
			entry = vcore_cache_entry(cache, set, *way);
			if (vcore_cache_tag(*entry) == tag)
				return entry;
		}
	} while (++word < cache->words);
	return NULL;
}

/* a line's entry, for as long as its set is not changed, or NULL */
static inline uint64_t *vcore_cache_find(const struct vcore_cache *cache,
					 uint64_t tag)
{
	unsigned int way;

	return vcore_cache_look(cache, vcore_cache_set(cache, tag), tag, &way);
}

/* an entry of a packed order, one byte each, the lowest byte of a word first */
static inline uint8_t *vcore_cache_byte(uint64_t *words, unsigned int nr)
{
	return (uint8_t *)words + nr;
}

/* a way of rank , 0 for the most recently used, becomes the most recently used */
static inline void vcore_cache_front(uint64_t *order, unsigned int rank,
				     uint64_t way)
{
	uint64_t keep = ~1ull << (rank % VCORE_HINTS * 8 + 7);
	uint64_t last;

	for (; rank >= VCORE_HINTS; rank -= VCORE_HINTS, order++) {
		last = *order >> 56;
		*order = *order << 8 | way;
		way = last;
	}
	*order = (*order & keep) | ((*order << 8 | way) & ~keep);
}

/* rank of a way in the LRU order, 0 for the most recently used;  has the way */
static inline unsigned int vcore_cache_rank(const uint64_t *order,
					     unsigned int way)
{
	unsigned int rank = 0;
	uint64_t match;

	for (;; order++, rank += VCORE_HINTS) {
		match = vcore_cache_match(*order, way);
		if (match)
			return rank + __builtin_ctzll(match) / 8;
	}
}

/* the same of a line that is used */
static inline uint64_t *vcore_cache_touch(struct vcore_cache *cache,
					  uint64_t tag)
{
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t *order = vcore_cache_order(cache, set);
	unsigned int way;
	uint64_t *entry = vcore_cache_look(cache, set, tag, &way);

	if (entry && *vcore_cache_byte(order, 0) != way)
		vcore_cache_front(order, vcore_cache_rank(order, way), way);
	return entry;
}

/* the note of an entry of a cache that has them */
static inline uint64_t *vcore_cache_note(uint64_t *entry)
{
	return entry + 1;
}

/* has the host fetch a line's set, which is going to be looked at */
static inline void vcore_cache_expect(const struct vcore_cache *cache,
				      uint64_t tag)
{
	const uint64_t *set = vcore_cache_set(cache, tag);
	const uint64_t *end = set + cache->size;

	for (; set < end; set += VCORE_HOST_WORDS)
		__builtin_prefetch(set, 1);
}

#endif /* VCORE_CACHE_H */
