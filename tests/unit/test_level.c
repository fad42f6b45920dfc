// SPDX-License-Identifier: GPL-2.0
/*
 * Levels of the Top-Down tree in options.
 */
#include <errno.h>

#include "tree/level.h"
#include "unit.h"

TEST(takes_levels_1_to_4)
{
	struct bpmu_error err;
	unsigned int level;

	assert_int_equal(bpmu_level_take(&level, "-l", "1", &err), 0);
	assert_int_equal(level, 1);
	assert_int_equal(bpmu_level_take(&level, "-l", "4", &err), 0);
	assert_int_equal(level, BPMU_LEVELS);
}

TEST(refuses_other_levels)
{
	static const char *const wrong[] = { "", "0", "5", "11", "1x", "-1" };
	struct bpmu_error err;
	unsigned int level;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(bpmu_level_take(&level, "-l", wrong[i], &err),
				 -EINVAL);
	bpmu_level_take(&level, "--topdown", "5", &err);
	assert_string_equal(err.text,
			    "--topdown '5': no such level; 1 to 4 exist");
}

TEST(a_level_includes_the_levels_above)
{
	char names[BPMU_LEVEL_GROUPS];
	struct bpmu_error err;

	assert_int_equal(bpmu_level_groups(names, "-l", "1", &err), 0);
	assert_string_equal(names, "TopdownL1");
	assert_int_equal(bpmu_level_groups(names, "-l", "4", &err), 0);
	assert_string_equal(names, "TopdownL1,TopdownL2,TopdownL3,TopdownL4");
}
