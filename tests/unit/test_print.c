// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "unit.h"

static void check(long long wall_ns, long long monotonic_ns, const char *want)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_print_stamp(out, &(struct bpmu_stamp){ wall_ns, monotonic_ns });
	fclose(out);
	assert_string_equal(text, want);
	free(text);
}

/* A recording may start before the clock to which it refers. */
static void prints_times_before_the_reference_clock(void **state)
{
	(void)state;
	check(1700000000123456789, 12345678901,
	      "\"wall\":\"2023-11-14T22:13:20.123456Z\",\"monotonic\":12.345678901");
	check(1700000000000000999, -250000000,
	      "\"wall\":\"2023-11-14T22:13:20.000000Z\",\"monotonic\":-0.250000000");
	check(1700000000999999999, -1500000000,
	      "\"wall\":\"2023-11-14T22:13:20.999999Z\",\"monotonic\":-1.500000000");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_times_before_the_reference_clock),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
