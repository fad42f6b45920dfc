// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of counts of interrupts in recordings: they are found in a record of the module, and read as
 * they were written; bytes that are no counts are refused.
 */
#include <string.h>

#include "recording/recording_counts.h"
#include "unit.h"

static const struct bpmu_counts known = { BPMU_COUNTS_KNOWN, 3, { 7, ~0ULL, 1ULL << 40 } };
static const struct bpmu_counts broken = { .state = BPMU_COUNTS_BROKEN };
static const struct bpmu_counts none;

TEST(counts_are_read_as_written)
{
	const struct bpmu_counts *const written[] = { &known, &broken, &none, &known };
	unsigned char block[4 * BPMU_COUNTS_MOST];
	struct bpmu_counts_code code;
	struct bpmu_counts found;
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		size += bpmu_counts_put(written[i], block + size);
	bpmu_counts_open(&code, block, size);
	for (i = 0; i < 4; i++) {
		assert_true(bpmu_counts_get(&code, &found));
		assert_int_equal(found.state, written[i]->state);
		assert_int_equal(found.nr, written[i]->nr);
		assert_memory_equal(found.value, written[i]->value, sizeof(found.value));
	}
	assert_false(bpmu_counts_get(&code, &found));
}

TEST(cut_counts_are_refused)
{
	unsigned char block[BPMU_COUNTS_MOST];
	size_t size = bpmu_counts_put(&known, block), cut;
	struct bpmu_counts_code code;
	struct bpmu_counts found;

	for (cut = 0; cut < size; cut++) {
		bpmu_counts_open(&code, block, cut);
		assert_false(bpmu_counts_get(&code, &found));
	}
}

TEST(more_counts_than_counters_are_refused)
{
	unsigned char block[BPMU_MAX_COUNTERS + 2] = { BPMU_MAX_COUNTERS + 1 };
	struct bpmu_counts_code code;
	struct bpmu_counts found;

	bpmu_counts_open(&code, block, sizeof(block));
	assert_true(bpmu_counts_get(&code, &found));
	assert_int_equal(found.nr, BPMU_MAX_COUNTERS);
	block[0]++;
	bpmu_counts_open(&code, block, sizeof(block));
	assert_false(bpmu_counts_get(&code, &found));
}

/**
 * struct raw - the module's record of an interrupt, with a call chain and counts
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 address;
	struct bpmu_section counts;
	u64 value[BPMU_MAX_COUNTERS + 1];
};

TEST(counts_of_a_record_are_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.counts = { .id = BPMU_SECTION_COUNTS, .size = sizeof(raw.counts) + 2 * 8 },
		.value = { 5, 6, 7 },
	};
	struct bpmu_counts found;

	assert_true(bpmu_counts_take(&found, &raw));
	assert_int_equal(found.state, BPMU_COUNTS_KNOWN);
	assert_int_equal(found.nr, 2);
	assert_int_equal(found.value[0], 5);
	assert_int_equal(found.value[1], 6);
	raw.head.size = sizeof(raw.head);
	assert_false(bpmu_counts_take(&found, &raw));
	assert_int_equal(found.state, BPMU_COUNTS_NONE);
}

/* Counts that the module marks as broken are not read, nor more of them than a group has events. */
TEST(broken_counts_have_no_values)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.counts = { .id = BPMU_SECTION_COUNTS, .flags = BPMU_SECTION_BROKEN,
			    .size = sizeof(raw.counts) + 8 },
		.value = { 5 },
	};
	struct bpmu_counts found;

	assert_true(bpmu_counts_take(&found, &raw));
	assert_int_equal(found.state, BPMU_COUNTS_BROKEN);
	assert_int_equal(found.nr, 0);
	raw.counts.flags = 0;
	raw.counts.size = sizeof(raw.counts);
	assert_true(bpmu_counts_take(&found, &raw));
	assert_int_equal(found.state, BPMU_COUNTS_BROKEN);
	raw.counts.size = sizeof(raw.counts) + sizeof(raw.value);
	assert_true(bpmu_counts_take(&found, &raw));
	assert_int_equal(found.state, BPMU_COUNTS_BROKEN);
	assert_int_equal(found.nr, 0);
}

TEST_GROUP(NULL, NULL);
