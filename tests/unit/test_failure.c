// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "base/array.h"
#include "client/failure.h"
#include "unit.h"

/* in the order of enum bpmu_failure: names in JSON, and a word of the sentence */
static void each_failure_has_its_words(void **state)
{
	static const char *const all[][2] = {
		{ "core", "its counters could not be programmed, it is not measured" },
		{ "uncore", "its package's uncore " }, { "prefetch", "its prefetchers " },
		{ "free-thread", "its free-running registers " },
		{ "free-core", "its core's free-running registers " },
		{ "free-package", "its package's free-running registers " },
		{ "l3", " of its L3 " }, { "df", " data fabric " }, { "umc", " memory controllers " },
		{ "cha", " CBos or CHAs " }, { "pcu", " PCU " }, { "ubox", " UBox " },
		{ "imc", " memory channels or controllers " }, { "ha", " home agents " },
		{ "link", " links " }, { "iio", " IIO stacks " },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		assert_string_equal(bpmu_failure_name(i), all[i][0]);
		assert_non_null(strstr(bpmu_failure_words(i), all[i][1]));
	}
	assert_int_equal(i, BPMU_FAILURE_IIO + 1);
	assert_string_equal(bpmu_failure_name(i), "unknown");
	assert_string_equal(bpmu_failure_words(i), "something that this tool does not know failed");
}

static void counters_are_general_or_fixed(void **state)
{
	char text[700];

	(void)state;
	bpmu_counters_text(0, text, sizeof(text));
	assert_string_equal(text, "");
	bpmu_counters_text(0x8000000380000005, text, sizeof(text));
	assert_string_equal(text, "general 0, general 2, general 31, fixed 0, fixed 1, fixed 31");
	bpmu_counters_text(0x8, text, sizeof(text));
	assert_string_equal(text, "general 3");
	/* as much as there is room for, and no byte more */
	memset(text, 'x', sizeof(text));
	bpmu_counters_text(0x7, text, 14);
	assert_string_equal(text, "general 0, ge");
	assert_int_equal(text[14], 'x');
	bpmu_counters_text(0x7, text, 10);
	assert_string_equal(text, "general 0");
	bpmu_counters_text(0x7, text, 1);
	assert_string_equal(text, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_failure_has_its_words),
		cmocka_unit_test(counters_are_general_or_fixed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("failure", tests, NULL, NULL);
}
