// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of branch records in recordings: they are found in a record of the module, and read as they
 * were written; bytes that are no branches are refused.
 */
#include <string.h>

#include "base/array.h"
#include "recording/recording_branch.h"
#include "unit.h"

#define KERNEL_AT 0xffffffff81000010ULL

static const struct bpmu_branches loop = {
	3, { { 0x401010, 0x401000, BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES, 6 },
	     { 0x401010, 0x401000, BPMU_BRANCH_MISPREDICTED, 0 },
	     { KERNEL_AT, 0x401008, BPMU_BRANCH_IN_TX | BPMU_BRANCH_CYCLES, 0xffff } }
};

static const struct bpmu_branches none;

TEST(branches_are_read_as_written)
{
	unsigned char block[3 * BPMU_BRANCHES_MOST];
	struct bpmu_branches_code code;
	struct bpmu_branches found;
	size_t size;

	size = bpmu_branches_put(&loop, block);
	size += bpmu_branches_put(&none, block + size);
	size += bpmu_branches_put(&loop, block + size);
	bpmu_branches_open(&code, block, size);
	assert_true(bpmu_branches_get(&code, &found));
	assert_int_equal(found.nr, 3);
	assert_memory_equal(found.branch, loop.branch, 3 * sizeof(*loop.branch));
	assert_true(bpmu_branches_get(&code, &found));
	assert_int_equal(found.nr, 0);
	assert_true(bpmu_branches_get(&code, &found));
	assert_memory_equal(found.branch, loop.branch, 3 * sizeof(*loop.branch));
	assert_false(bpmu_branches_get(&code, &found));
}

/*
 * Of each address only the difference from the previously stored address is stored. In a loop the
 * addresses are near each other, so each address takes only one byte.
 */
TEST(branches_of_a_loop_take_few_bytes)
{
	unsigned char block[BPMU_BRANCHES_MOST];
	struct bpmu_branches branches = { BPMU_MAX_BRANCHES };
	unsigned int i;

	for (i = 0; i < BPMU_MAX_BRANCHES; i++)
		branches.branch[i] = loop.branch[0];
	assert_true(bpmu_branches_put(&branches, block) <= BPMU_MAX_BRANCHES * 4 + 5);
}

TEST(cut_branches_are_refused)
{
	unsigned char block[BPMU_BRANCHES_MOST];
	size_t size = bpmu_branches_put(&loop, block), cut;
	struct bpmu_branches_code code;
	struct bpmu_branches found;

	for (cut = 0; cut < size; cut++) {
		bpmu_branches_open(&code, block, cut);
		assert_false(bpmu_branches_get(&code, &found));
	}
}

/*
 * The first block has an interrupt with 33 branches, but at most 32 are allowed. The second block
 * has a branch of 65536 cycles, but the number of cycles must fit in 16 bits.
 */
TEST(branches_that_do_not_fit_are_refused)
{
	const unsigned char slow[] = { 1, 1, 1, 1, 0x80, 0x80, 4 };
	unsigned char many[1 + 4 * (BPMU_MAX_BRANCHES + 1)] = { BPMU_MAX_BRANCHES + 1 };
	struct bpmu_branches_code code;
	struct bpmu_branches found;

	bpmu_branches_open(&code, many, sizeof(many));
	assert_false(bpmu_branches_get(&code, &found));
	bpmu_branches_open(&code, slow, sizeof(slow));
	assert_false(bpmu_branches_get(&code, &found));
}

/**
 * struct raw - the module's record of an interrupt, with a call chain and a branch
 */
struct raw {
	struct bpmu_overflow head;
	struct bpmu_section user;
	u64 address;
	struct bpmu_section branches;
	struct bpmu_branch branch;
};

TEST(branches_of_a_record_are_found)
{
	struct raw raw = {
		.head.size = sizeof(raw),
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(raw.user) + 8 },
		.branches = { .id = BPMU_SECTION_BRANCHES,
			      .size = sizeof(raw.branches) + sizeof(raw.branch) },
		.branch = { 1, 2, BPMU_BRANCH_PREDICTED, 4 },
	};
	struct bpmu_branches found;

	assert_true(bpmu_branches_take(&found, &raw));
	assert_int_equal(found.nr, 1);
	assert_memory_equal(found.branch, &raw.branch, sizeof(raw.branch));
	raw.branches.size += 8;
	assert_false(bpmu_branches_take(&found, &raw));
	assert_int_equal(found.nr, 0);
	raw.head.size = sizeof(raw.head);
	assert_false(bpmu_branches_take(&found, &raw));
}

/* A record whose section has one branch more than the largest number is not copied. */
TEST(branches_of_a_record_that_do_not_fit_are_refused)
{
	struct {
		struct bpmu_overflow head;
		struct bpmu_section branches;
		struct bpmu_branch branch[BPMU_MAX_BRANCHES + 1];
	} raw = {
		.head.size = sizeof(raw),
		.branches = { .id = BPMU_SECTION_BRANCHES,
			      .size = sizeof(raw.branches) + sizeof(raw.branch) },
	};
	struct bpmu_branches found;

	assert_false(bpmu_branches_take(&found, &raw));
	assert_int_equal(found.nr, 0);
	raw.head.size -= sizeof(*raw.branch);
	raw.branches.size -= sizeof(*raw.branch);
	assert_true(bpmu_branches_take(&found, &raw));
	assert_int_equal(found.nr, BPMU_MAX_BRANCHES);
}
