// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sampled fetches in recordings: they are found in a record of the module, and read as
 * they were written; bytes that are no fetches are refused.
 */
#include <string.h>

#include "recording/recording_op.h"
#include "unit.h"

static const struct bpmu_fetched slow = {
	.flags = 0xffffffff, .latency = 65535, .refill = 65534, .page = 0xfffffffe,
};

static void assert_same(const struct bpmu_fetched *found, const struct bpmu_fetched *written)
{
	assert_memory_equal(found, written, sizeof(*found));
}

TEST(fetches_are_read_as_written)
{
	const struct bpmu_fetched fast = { .flags = BPMU_FETCHED_COMPLETE, .page = 4096 };
	unsigned char block[3 * BPMU_FETCH_MOST];
	struct bpmu_fetch_code code;
	struct bpmu_fetched found;
	bool present;
	size_t size;

	size = bpmu_fetch_put(&slow, block);
	assert_in_range(size, 1, BPMU_FETCH_MOST);
	size += bpmu_fetch_put(NULL, block + size);
	size += bpmu_fetch_put(&fast, block + size);
	bpmu_fetch_open(&code, block, size);
	assert_true(bpmu_fetch_get(&code, &found, &present));
	assert_true(present);
	assert_same(&found, &slow);
	assert_true(bpmu_fetch_get(&code, &found, &present));
	assert_false(present);
	assert_int_equal(found.flags, 0);
	assert_true(bpmu_fetch_get(&code, &found, &present));
	assert_true(present);
	assert_same(&found, &fast);
	assert_false(bpmu_fetch_get(&code, &found, &present));
}

static bool is_read(const unsigned char *block, size_t size)
{
	struct bpmu_fetch_code code;
	struct bpmu_fetched found;
	bool present;

	bpmu_fetch_open(&code, block, size);
	return bpmu_fetch_get(&code, &found, &present);
}

TEST(malformed_fetches_are_refused)
{
	unsigned char block[4 * 10], *at;
	u64 number[] = { 1, 65535, 65535, 0xffffffff };
	const u64 most[] = { 0x1ffffffff, 65535, 65535, 0xffffffff };
	unsigned int i, k;
	size_t size = bpmu_fetch_put(&slow, block);

	assert_true(is_read(block, size));
	for (i = 0; i < size; i++)
		assert_false(is_read(block, i));
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 4; k++)
			number[k] = k == i ? most[k] + 2 - (k > 0) : most[k];
		for (k = 0, at = block; k < 4; k++)
			at = bpmu_code_number(at, number[k]);
		assert_false(is_read(block, at - block));
	}
	/* An interrupt without a fetch has no flags. */
	at = bpmu_code_number(block, 2);
	assert_false(is_read(block, at - block));
}

/**
 * struct raw - the module's record of an interrupt, with a call chain and the fetch
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 address;
	struct bpmu_section section;
	struct bpmu_fetched fetch;
};

TEST(the_fetch_of_a_record_is_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.section = { .id = BPMU_SECTION_FETCH,
			     .size = sizeof(raw.section) + sizeof(raw.fetch) },
		.fetch = { .flags = BPMU_FETCHED_L1_MISS, .latency = 12, .refill = 3, .page = 4096 },
	};
	struct bpmu_fetched found;

	assert_true(bpmu_fetch_take(&found, &raw));
	assert_same(&found, &raw.fetch);
	raw.section.id = BPMU_SECTION_OP;
	assert_false(bpmu_fetch_take(&found, &raw));
	raw.head.size = sizeof(raw.head);
	assert_false(bpmu_fetch_take(&found, &raw));
}

TEST_GROUP(NULL, NULL);
