// SPDX-License-Identifier: GPL-2.0
/*
 * Levels of the Top-Down tree in options.
 */
#include <errno.h>

#include "tree/level.h"
#include "unit.h"

static void takes_levels_1_to_4(void **state)
{
	struct bpmu_error err;
	unsigned int level;

	(void)state;
	assert_int_equal(bpmu_level_take(&level, "-l", "1", &err), 0);
	assert_int_equal(level, 1);
	assert_int_equal(bpmu_level_take(&level, "-l", "4", &err), 0);
	assert_int_equal(level, BPMU_LEVELS);
}

static void refuses_other_levels(void **state)
{
	static const char *const wrong[] = { "", "0", "5", "11", "1x", "-1" };
	struct bpmu_error err;
	unsigned int level;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(bpmu_level_take(&level, "-l", wrong[i], &err),
				 -EINVAL);
	bpmu_level_take(&level, "--topdown", "5", &err);
	assert_string_equal(err.text,
			    "--topdown '5': no such level; 1 to 4 exist");
}

static void a_level_includes_the_levels_above(void **state)
{
	char names[BPMU_LEVEL_GROUPS];
	struct bpmu_error err;

	(void)state;
	assert_int_equal(bpmu_level_groups(names, "-l", "1", &err), 0);
	assert_string_equal(names, "TopdownL1");
	assert_int_equal(bpmu_level_groups(names, "-l", "4", &err), 0);
	assert_string_equal(names, "TopdownL1,TopdownL2,TopdownL3,TopdownL4");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_levels_1_to_4),
		cmocka_unit_test(refuses_other_levels),
		cmocka_unit_test(a_level_includes_the_levels_above),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("level", tests, NULL, NULL);
}
