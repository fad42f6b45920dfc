// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <errno.h>
#include <stdlib.h>

static struct test *first;
static CMFixtureFunction group_setup, group_teardown;

/**
 * test_register() - add a test to those that test_run() runs
 * @test: not yet added; must stay in memory
 *
 * Constructors of a file run in no certain order, therefore tests are sorted by line.
 *
 * Context: before main().
 */
void test_register(struct test *test)
{
	struct test **at = &first;

	while (*at && (*at)->line < test->line)
		at = &(*at)->next;
	test->next = *at;
	*at = test;
}

/**
 * test_group() - what runs once for all tests of a program
 * @setup: before the first test, or NULL
 * @teardown: after the last one, or NULL
 *
 * Context: before main().
 */
void test_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
	group_setup = setup;
	group_teardown = teardown;
}

/**
 * test_run() - run all tests of the program; prints TAP on the standard output
 *
 * Return: number of tests that failed, at least 1 if there was none to run.
 */
int test_run(void)
{
	struct CMUnitTest *tests;
	struct test *test;
	size_t nr = 0;
	int failed;

	for (test = first; test; test = test->next)
		nr++;
	tests = calloc(nr, sizeof(*tests));
	if (!tests || !nr) {
		free(tests);
		return 1;
	}
	for (nr = 0, test = first; test; test = test->next)
		tests[nr++] = test->unit;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = _cmocka_run_group_tests(program_invocation_short_name, tests, nr,
					 group_setup, group_teardown);
	free(tests);
	return failed;
}

/* For programs that have nothing else to do. */
int __attribute__((weak)) main(void)
{
	return test_run();
}
