// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of sampled ops in recordings: they are found in a record of the module, and read as they
 * were written; bytes that are no ops are refused.
 */
#include <string.h>

#include "recording/recording_op.h"
#include "unit.h"

static const struct bpmu_tagged_op load = {
	.address = 0x7fff1040, .flags = BPMU_TAGGED_LOAD | BPMU_TAGGED_ADDRESS, .latency = 300,
	.source = BPMU_SOURCE_MEMORY, .cycles = 65535, .retire = 7,
};

static const struct bpmu_tagged_op branch = {
	.flags = BPMU_TAGGED_BRANCH | BPMU_TAGGED_MODIFIED, .cycles = 4,
};

static const struct bpmu_tagged_op kernel = {
	.address = 0xffff888000001000, .flags = 1u << 31 | BPMU_TAGGED_ADDRESS, .latency = 65535,
	.source = 65535, .retire = 65535,
};

TEST(ops_are_read_as_written)
{
	const struct bpmu_tagged_op *const written[] = { &load, NULL, &branch, &kernel, &load };
	const struct bpmu_tagged_op none = { };
	unsigned char block[5 * BPMU_OP_MOST];
	struct bpmu_op_code code = { };
	struct bpmu_tagged_op found;
	size_t size = 0;
	unsigned int i;
	bool present;

	for (i = 0; i < 5; i++)
		size += bpmu_op_put(&code, written[i], block + size);
	bpmu_op_open(&code, block, size);
	for (i = 0; i < 5; i++) {
		assert_true(bpmu_op_get(&code, &found, &present));
		assert_int_equal(present, !!written[i]);
		assert_memory_equal(&found, written[i] ?: &none, sizeof(found));
	}
	assert_false(bpmu_op_get(&code, &found, &present));
}

TEST(the_address_of_the_same_data_takes_a_byte)
{
	unsigned char block[2 * BPMU_OP_MOST];
	struct bpmu_op_code code = { };
	size_t first = bpmu_op_put(&code, &load, block);

	assert_true(bpmu_op_put(&code, &load, block + first) < first - 3);
}

TEST(cut_ops_are_refused)
{
	unsigned char block[BPMU_OP_MOST];
	struct bpmu_op_code code = { };
	size_t size = bpmu_op_put(&code, &kernel, block), cut;
	struct bpmu_tagged_op found;
	bool present;

	assert_true(size <= BPMU_OP_MOST);
	for (cut = 0; cut < size; cut++) {
		bpmu_op_open(&code, block, cut);
		assert_false(bpmu_op_get(&code, &found, &present));
	}
}

/* Returns true if the bytes are read as an op: flags, source, latency, cycles, retire. */
static bool is_read(const u64 number[5])
{
	unsigned char block[5 * 10], *at = block;
	struct bpmu_tagged_op found;
	struct bpmu_op_code code;
	unsigned int i;
	bool present;

	for (i = 0; i < 5; i++)
		at = bpmu_code_number(at, number[i]);
	bpmu_op_open(&code, block, at - block);
	return bpmu_op_get(&code, &found, &present);
}

TEST(numbers_too_large_for_an_op_are_refused)
{
	u64 number[5] = { 1, 65535, 65535, 65535, 65535 };
	unsigned int i;

	assert_true(is_read(number));
	for (i = 1; i < 5; i++) {
		number[i]++;
		assert_false(is_read(number));
		number[i]--;
	}
	number[0] = (1ULL << 33) | 1;
	assert_false(is_read(number));
	number[0] = 2;
	assert_false(is_read(number));
}

/**
 * struct raw - the module's record of an interrupt, with a call chain and an op
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 address;
	struct bpmu_section section;
	struct bpmu_tagged_op op;
};

TEST(the_op_of_a_record_is_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.section = { .id = BPMU_SECTION_OP, .size = sizeof(raw.section) + sizeof(raw.op) },
		.op = load,
	};
	struct bpmu_tagged_op found;

	assert_true(bpmu_op_take(&found, &raw));
	assert_memory_equal(&found, &load, sizeof(found));
	raw.section.size -= 8;
	assert_false(bpmu_op_take(&found, &raw));
	raw.section.size += 8;
	raw.section.id = BPMU_SECTION_COUNTS;
	assert_false(bpmu_op_take(&found, &raw));
	assert_int_equal(found.flags, 0);
}
