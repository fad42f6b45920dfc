// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "event/rows.h"
#include "unit.h"

/* two packages, CPUs dealt out to them in turn, threads far apart */
static u32 numbers[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static const struct bpmu_cpulist cpus = { numbers, ARRAY_SIZE(numbers) };
static const struct bpmu_topology topology[] = {
	{ 0, 0 }, { 1, 0 }, { 0, 9 }, { 1, 9 },
	{ 0, 0 }, { 1, 0 }, { 0, 9 }, { 1, 9 },
};

static void expect(enum bpmu_rows_by by, const char *const *labels,
		   unsigned int each, const unsigned int *of)
{
	struct bpmu_rows rows;
	struct bpmu_error err;
	unsigned int i;

	if (bpmu_rows_make(&rows, by, &cpus, topology, &err))
		fail_msg("%s", err.text);
	for (i = 0; labels[i]; i++) {
		assert_true(i < rows.nr);
		assert_string_equal(rows.row[i].label, labels[i]);
		assert_int_equal(rows.row[i].cpus, each);
	}
	assert_int_equal(rows.nr, i);
	for (i = 0; i < cpus.nr; i++)
		assert_int_equal(rows.of[i], of[i]);
	bpmu_rows_free(&rows);
	assert_int_equal(rows.nr, 0);
}

static void test_all(void **state)
{
	static const char *const labels[] = { "0-7", NULL };
	static const unsigned int of[8];

	(void)state;
	expect(BPMU_ROWS_ALL, labels, 8, of);
}

static void test_cpu(void **state)
{
	static const char *const labels[] = {
		"0", "1", "2", "3", "4", "5", "6", "7", NULL
	};

	(void)state;
	expect(BPMU_ROWS_CPU, labels, 1, numbers);
}

static void test_core(void **state)
{
	static const char *const labels[] = {
		"S0-C0", "S0-C9", "S1-C0", "S1-C9", NULL
	};
	static const unsigned int of[] = { 0, 2, 1, 3, 0, 2, 1, 3 };

	(void)state;
	expect(BPMU_ROWS_CORE, labels, 2, of);
}

static void test_package(void **state)
{
	static const char *const labels[] = { "S0", "S1", NULL };
	static const unsigned int of[] = { 0, 1, 0, 1, 0, 1, 0, 1 };

	(void)state;
	expect(BPMU_ROWS_PACKAGE, labels, 4, of);
}

static void test_unknown(void **state)
{
	static const struct bpmu_topology nowhere[8] = {
		{ 0, 0 }, { 0, -1 },
	};
	struct bpmu_rows rows;
	struct bpmu_error err;

	(void)state;
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_CORE, &cpus, nowhere,
					&err), -ENODATA);
	assert_non_null(strstr(err.text, "CPU 1"));
	bpmu_rows_free(&rows);
	assert_int_equal(bpmu_rows_make(&rows, BPMU_ROWS_PACKAGE, &cpus,
					nowhere, &err), 0);
	bpmu_rows_free(&rows);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_core),
		cmocka_unit_test(test_package),
		cmocka_unit_test(test_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
