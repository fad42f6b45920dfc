// SPDX-License-Identifier: GPL-2.0
/* The cache, compared with a model that keeps LRU lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "memory/cache.h"

#define SETS 4
#define MOST_WAYS 64
#define STEPS 40000

/*
 * [set][rank], most recently used first: line number + 1, or 0 if empty, and its
 * note.
 */
static uint64_t list[SETS][MOST_WAYS];
static uint64_t notes[SETS][MOST_WAYS];
static unsigned int ways;
static uint32_t seed;

static unsigned int draw(unsigned int below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

/* Returns the position of a line in its list, or that of the entry it replaces. */
static unsigned int position(const uint64_t *set, uint64_t number)
{
	unsigned int i;

	for (i = 0; i < ways; i++)
		if (set[i] == number)
			return i;
	return ways;
}

static void to_front(unsigned int set, unsigned int at, uint64_t number,
		     uint64_t note)
{
	memmove(list[set] + 1, list[set], at * sizeof(**list));
	memmove(notes[set] + 1, notes[set], at * sizeof(**notes));
	list[set][0] = number;
	notes[set][0] = note;
}

static void insert(struct vcore_cache *cache, uint64_t tag, bool noted)
{
	unsigned int set = tag % SETS;
	unsigned int at = position(list[set], 0);
	uint64_t note = draw(1000), was = note;
	uint64_t gone;

	gone = vcore_cache_insert(cache, tag, VCORE_DIRTY,
				  noted ? &note : NULL);
	at = at == ways ? ways - 1 : at;
	assert_int_equal(gone ? vcore_cache_tag(gone) + 1 : 0, list[set][at]);
	if (noted && gone)
		assert_int_equal(note, notes[set][at]);
	to_front(set, at, tag + 1, was);
}

static void step(struct vcore_cache *cache, bool noted)
{
	uint64_t tag = (uint64_t)draw(2 * ways) * SETS * 77 + draw(SETS);
	unsigned int set = tag % SETS;
	unsigned int at = position(list[set], tag + 1);
	uint64_t *entry = vcore_cache_find(cache, tag);

	assert_int_equal(!entry, at == ways);
	if (!entry) {
		insert(cache, tag, noted);
		return;
	}
	assert_int_equal(*entry, tag << VCORE_STATE_BITS | VCORE_VALID |
				 VCORE_DIRTY);
	if (noted)
		assert_int_equal(*vcore_cache_note(entry), notes[set][at]);
	if (draw(4)) {
		assert_ptr_equal(vcore_cache_touch(cache, tag), entry);
		to_front(set, at, tag + 1, notes[set][at]);
	} else {
		assert_int_equal(vcore_cache_tag(vcore_cache_remove(cache,
								    tag)),
				 tag);
		list[set][at] = 0;
	}
}

static void compare(unsigned int nr, bool noted)
{
	const struct vcore_cache_params params = { SETS, nr, 0 };
	struct vcore_cache cache;
	unsigned int i;

	ways = nr;
	seed = nr;
	memset(list, 0, sizeof(list));
	vcore_cache_init(&cache, &params, noted);
	for (i = 0; i < STEPS; i++)
		step(&cache, noted);
	vcore_cache_free(&cache);
}

static void test_plain(void **state)
{
	static const unsigned int all[] = { 1, 4, 6, 8, 12, 15, 16, MOST_WAYS };
	unsigned int i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		compare(all[i], false);
}

static void test_notes(void **state)
{
	(void)state;
	compare(16, true);
	compare(15, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_notes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
