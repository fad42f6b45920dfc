// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the option for the level of the Top-Down tree: if the tree does not have the level, the
 * message says which levels it has.
 */

#include <errno.h>

#include "tree/level.h"
#include "unit.h"

TEST(takes_levels_of_all_methods)
{
	struct bpmu_error err;
	unsigned int level;

	assert_int_equal(bpmu_level_take(&level, "-l", "1", &err), 0);
	assert_int_equal(level, 1);
	assert_int_equal(bpmu_level_take(&level, "-l", "6", &err), 0);
	assert_int_equal(level, 6);
}

TEST(refuses_other_levels)
{
	static const char *const wrong[] = { "", "0", "7", "11", "1x", "-1" };
	struct bpmu_error err;
	unsigned int level;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(bpmu_level_take(&level, "-l", wrong[i], &err),
				 -EINVAL);
	bpmu_level_take(&level, "--topdown", "7", &err);
	assert_string_equal(err.text,
			    "--topdown '7': no such level; 1 to 4 exist, of --method tma to 6");
}

TEST(a_level_includes_the_levels_above)
{
	char names[BPMU_LEVEL_GROUPS];
	struct bpmu_error err;

	assert_int_equal(bpmu_level_groups(names, NULL, 1, &err), 0);
	assert_string_equal(names, "TopdownL1");
	assert_int_equal(bpmu_level_groups(names, "topdown", 4, &err), 0);
	assert_string_equal(names, "TopdownL1,TopdownL2,TopdownL3,TopdownL4");
	assert_int_equal(bpmu_level_groups(names, "tma", 6, &err), 0);
	assert_string_equal(names, "tmaL1,tmaL2,tmaL3,tmaL4,tmaL5,tmaL6");
}

TEST(the_methods_have_different_levels)
{
	char names[BPMU_LEVEL_GROUPS];
	struct bpmu_error err;

	assert_int_equal(bpmu_level_groups(names, NULL, 5, &err), -EINVAL);
	assert_string_equal(err.text, "-l '5': no such level; 1 to 4 exist, of --method tma to 6");
	assert_int_equal(bpmu_level_groups(names, "tma", 7, &err), -EINVAL);
}
