// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the global branch history: the folded values, which are updated with each bit, equal
 * those that are computed anew from all bits.
 */

#include "frontend/history.h"
#include "test.h"

#define PUSHES 5000

/* Lengths of history, in bits, from the article that history.h cites: a geometric series. */
static const unsigned int lengths[VCORE_HISTORY_LENGTHS] = { 5, 11, 24, 52, 112, 240 };

static unsigned int pushed[PUSHES];

/* XORs the latest @length of @nr bits to @width bits, the latest bit at the lowest place. */
static uint32_t folded(unsigned int nr, unsigned int length, unsigned int width)
{
	uint32_t value = 0;
	unsigned int age;

	for (age = 0; age < length && age < nr; age++)
		value ^= pushed[nr - 1 - age] << age % width;
	return value;
}

TEST(folded_histories_are_those_of_the_latest_bits)
{
	static struct vcore_history history;
	unsigned int nr, i;
	uint32_t draw = 1;

	for (nr = 0; nr < PUSHES; nr++) {
		draw = draw * 1664525 + 1013904223;
		pushed[nr] = draw >> 31;
		vcore_history_push(&history, pushed[nr]);
		for (i = 0; i < VCORE_HISTORY_LENGTHS; i++) {
			assert_int_equal(history.index[i],
					 folded(nr + 1, lengths[i], VCORE_HISTORY_INDEX));
			assert_int_equal(history.tag[i],
					 folded(nr + 1, lengths[i], VCORE_HISTORY_TAG));
		}
	}
}
