// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's caches: the same accesses hit and evict the same lines as in a
 * reference model with LRU lists.
 */
#include <string.h>

#include "memory/cache.h"
#include "test.h"

#define SETS 4
#define MAX_WAYS 64
#define STEPS 40000

/*
 * The reference model of a cache, [set][LRU rank]. lru_tags: tag + 1 of the entry, or 0 if it is
 * empty. lru_notes: the note of the entry.
 */
static uint64_t lru_tags[SETS][MAX_WAYS];
static uint64_t lru_notes[SETS][MAX_WAYS];
static unsigned int ways;
static uint32_t seed;

static unsigned int draw(unsigned int below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/*
 * Returns the LRU rank of the entry for @number in a set, or the number of ways if there is none.
 */
static unsigned int lru_rank(const uint64_t *set, uint64_t number)
{
	unsigned int i;

	for (i = 0; i < ways; i++)
		if (set[i] == number)
			return i;
	return ways;
}

static void move_to_front(unsigned int set, unsigned int at, uint64_t number,
			  uint64_t note)
{
	memmove(lru_tags[set] + 1, lru_tags[set], at * sizeof(**lru_tags));
	memmove(lru_notes[set] + 1, lru_notes[set], at * sizeof(**lru_notes));
	lru_tags[set][0] = number;
	lru_notes[set][0] = note;
}

static void insert_line(struct vcore_cache *cache, uint64_t tag, bool noted)
{
	unsigned int set = tag % SETS;
	unsigned int at = lru_rank(lru_tags[set], 0);
	uint64_t note = draw(1000), was = note;
	uint64_t gone;

	gone = vcore_cache_insert(cache, tag, VCORE_DIRTY,
				  noted ? &note : NULL);
	at = at == ways ? ways - 1 : at;
	assert_int_equal(gone ? vcore_cache_tag(gone) + 1 : 0, lru_tags[set][at]);
	if (noted && gone)
		assert_int_equal(note, lru_notes[set][at]);
	move_to_front(set, at, tag + 1, was);
}

static void access_line(struct vcore_cache *cache, bool noted)
{
	uint64_t tag = (uint64_t)draw(2 * ways) * SETS * 77 + draw(SETS);
	unsigned int set = tag % SETS;
	unsigned int at = lru_rank(lru_tags[set], tag + 1);
	uint64_t *entry = vcore_cache_find(cache, tag);

	assert_int_equal(!entry, at == ways);
	if (!entry) {
		insert_line(cache, tag, noted);
		return;
	}
	assert_int_equal(*entry, tag << VCORE_STATE_BITS | VCORE_VALID |
				 VCORE_DIRTY);
	if (noted)
		assert_int_equal(*vcore_cache_note(entry), lru_notes[set][at]);
	if (draw(4)) {
		assert_ptr_equal(vcore_cache_touch(cache, tag), entry);
		move_to_front(set, at, tag + 1, lru_notes[set][at]);
	} else {
		assert_int_equal(vcore_cache_tag(vcore_cache_remove(cache,
								    tag)),
				 tag);
		lru_tags[set][at] = 0;
	}
}

static void compare_with_lists(unsigned int nr, bool noted)
{
	const struct vcore_cache_params params = { SETS, nr, 0 };
	struct vcore_cache cache;
	unsigned int i;

	ways = nr;
	seed = nr;
	memset(lru_tags, 0, sizeof(lru_tags));
	vcore_cache_init(&cache, &params, noted);
	for (i = 0; i < STEPS; i++)
		access_line(&cache, noted);
	vcore_cache_free(&cache);
}

TEST(agrees_with_lru_lists)
{
	static const unsigned int all[] = { 1, 4, 6, 8, 12, 15, 16, MAX_WAYS };
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		compare_with_lists(all[i], false);
}

TEST(agrees_with_lru_lists_and_keeps_notes)
{
	compare_with_lists(16, true);
	compare_with_lists(15, true);
}
