/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative cache with LRU replacement. An entry has the tag and some state bits of a line,
 * but no data. A TLB is a cache whose lines are pages.
 */
#ifndef VCORE_CACHE_H
#define VCORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/params.h"

/*
 * State bits, the low bits of an entry. In terms of MESI, a valid line is modified if it is owned
 * and dirty, exclusive if it is owned and not dirty, and shared if it is not owned.
 */
#define VCORE_VALID 1
#define VCORE_DIRTY 2
#define VCORE_OWNED 4
#define VCORE_PENDING 8		/* the line may still be on its way */

#define VCORE_STATE_BITS 8
#define VCORE_NO_ENTRY 0
#define VCORE_LINE_SHIFT 6
#define VCORE_PAGE_SHIFT 12
/* Number of 64-bit words in a cache line of the host. */
#define VCORE_HOST_WORDS 8
/*
 * Number of hints in a 64-bit word. A way has a hint: a byte with some bits of the way's tag. A
 * lookup first compares the hints of all ways, and compares the whole tag only of a way whose hint
 * matches.
 */
#define VCORE_HINTS 8
#define VCORE_HINT_ONES 0x0101010101010101ull
#define VCORE_HINT_HIGHS 0x8080808080808080ull
/*
 * Values of hints: VCORE_NO_WAY is in the bytes after the last way, and the hint of a valid line
 * has the bit VCORE_HINT_LINE.
 */
#define VCORE_NO_WAY 1
#define VCORE_HINT_LINE 0x80

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "the first byte of a word is its lowest");

/**
 * struct vcore_cache - tags of a cache, a TLB or a directory
 * @row: [@sets][@size], sets. A set has three arrays. The first, of @words words, has the hints of
 *	the ways, a byte each; 0 for an empty way. The second, of @words words, has the numbers of
 *	the ways in LRU order, a byte each, the most recently used first and empty ones last. The
 *	third has @ways entries of tag and state, each followed by its note if @notes
 * @sets: number of sets, a power of two
 * @ways: associativity
 * @words: number of 64-bit words that are needed for one byte per way
 * @size: number of 64-bit words per set
 * @shift: log2 of @sets, the number of tag bits that select the set
 * @notes: 1 if each entry has a note, which is 64 bits for the user of the cache; else 0
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

/* Returns the set to which the line @tag belongs. */
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
 * Compares each byte of @bytes with @value. Returns a word in which the high bit of each equal byte
 * is 1. A byte above an equal byte may also have this bit, if it differs from @value in bit 0 only.
 * The byte of an empty way never has it.
 */
static inline uint64_t vcore_cache_match(uint64_t bytes, uint64_t value)
{
	bytes ^= value * VCORE_HINT_ONES;
	return (bytes - VCORE_HINT_ONES) & ~bytes & VCORE_HINT_HIGHS;
}

/*
 * Looks up a line in @set. Returns its entry and stores the number of its way in *@way, or returns
 * NULL.
 */
static inline uint64_t *vcore_cache_lookup(const struct vcore_cache *cache,
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

/*
 * Returns the entry of a line, or NULL if the cache lacks the line. The pointer is valid until a
 * line of the same set is inserted or removed.
 */
static inline uint64_t *vcore_cache_find(const struct vcore_cache *cache,
					 uint64_t tag)
{
	unsigned int way;

	return vcore_cache_lookup(cache, vcore_cache_set(cache, tag), tag, &way);
}

/* Returns byte @nr of an array of words, in little-endian order. */
static inline uint8_t *vcore_cache_byte(uint64_t *words, unsigned int nr)
{
	return (uint8_t *)words + nr;
}

/* Makes @way, now at @rank of the LRU order, the most recently used one, which has rank 0. */
static inline void vcore_cache_make_mru(uint64_t *order, unsigned int rank,
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

/* Returns the rank of @way in the LRU order; the most recently used way has rank 0. */
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

/*
 * Makes a line the most recently used one of its set. Returns its entry, or NULL if the cache lacks
 * the line.
 */
static inline uint64_t *vcore_cache_touch(struct vcore_cache *cache,
					  uint64_t tag)
{
	uint64_t *set = vcore_cache_set(cache, tag);
	uint64_t *order = vcore_cache_order(cache, set);
	unsigned int way;
	uint64_t *entry = vcore_cache_lookup(cache, set, tag, &way);

	if (entry && *vcore_cache_byte(order, 0) != way)
		vcore_cache_make_mru(order, vcore_cache_rank(order, way), way);
	return entry;
}

/* Returns the note of an entry; the cache must have notes. */
static inline uint64_t *vcore_cache_note(uint64_t *entry)
{
	return entry + 1;
}

/* Prefetches the set to which a line belongs into the host's cache. */
static inline void vcore_cache_prefetch_host(const struct vcore_cache *cache,
					     uint64_t tag)
{
	const uint64_t *set = vcore_cache_set(cache, tag);
	const uint64_t *end = set + cache->size;

	for (; set < end; set += VCORE_HOST_WORDS)
		__builtin_prefetch(set, 1);
}

#endif /* VCORE_CACHE_H */
