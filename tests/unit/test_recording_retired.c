// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of retire latencies in recordings: they are found in a record of the module, and read as
 * they were written; bytes that are no latencies are refused.
 */
#include <string.h>

#include "recording/recording_op.h"
#include "unit.h"

TEST(retire_latencies_are_read_as_written)
{
	const struct bpmu_retired written[] = { { .latency = 0 }, { .latency = 65535 } };
	unsigned char block[3 * BPMU_RETIRED_MOST];
	struct bpmu_retired_code code;
	struct bpmu_retired found;
	bool known;
	size_t size;

	size = bpmu_retired_put(&written[0], block);
	size += bpmu_retired_put(NULL, block + size);
	size += bpmu_retired_put(&written[1], block + size);
	bpmu_retired_open(&code, block, size);
	assert_true(bpmu_retired_get(&code, &found, &known));
	assert_true(known);
	assert_int_equal(found.latency, 0);
	assert_true(bpmu_retired_get(&code, &found, &known));
	assert_false(known);
	assert_true(bpmu_retired_get(&code, &found, &known));
	assert_true(known);
	assert_int_equal(found.latency, 65535);
	assert_false(bpmu_retired_get(&code, &found, &known));
}

TEST(malformed_retire_latencies_are_refused)
{
	unsigned char large[BPMU_RETIRED_MOST];
	const struct bpmu_retired too_long = { .latency = 65536 };
	size_t size = bpmu_retired_put(&too_long, large);
	struct bpmu_retired_code code;
	struct bpmu_retired found;
	bool known;

	bpmu_retired_open(&code, large, size - 1);
	assert_false(bpmu_retired_get(&code, &found, &known));
	bpmu_retired_open(&code, large, size);
	assert_false(bpmu_retired_get(&code, &found, &known));
}

/**
 * struct raw - the module's record of an interrupt, with a call chain and the retire latency
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 address;
	struct bpmu_section section;
	struct bpmu_retired retired;
};

TEST(the_retire_latency_of_a_record_is_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.section = { .id = BPMU_SECTION_RETIRED,
			     .size = sizeof(raw.section) + sizeof(raw.retired) },
		.retired = { .latency = 12 },
	};
	struct bpmu_retired found;

	assert_true(bpmu_retired_take(&found, &raw));
	assert_int_equal(found.latency, 12);
	raw.section.id = BPMU_SECTION_COUNTS;
	assert_false(bpmu_retired_take(&found, &raw));
	raw.head.size = sizeof(raw.head);
	assert_false(bpmu_retired_take(&found, &raw));
}

TEST_GROUP(NULL, NULL);
