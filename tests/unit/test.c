// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES 1024

static struct test *first;
static CMFixtureFunction group_setup, group_teardown;

/**
 * test_register() - add a unit test to those that test_run() runs
 * @test: not yet added; must stay in memory
 *
 * Constructors of a file run in no defined order, so test_run() runs tests in the order of their
 * source lines.
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
 * test_group() - set the functions that run once for all unit tests of a program
 * @setup: runs before the first test; NULL for none
 * @teardown: runs after the last test; NULL for none
 *
 * Context: before main().
 */
void test_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
	group_setup = setup;
	group_teardown = teardown;
}

/* Returns the number of open files. Some tests put their own opendir() in the place of libc's. */
static int open_files(void)
{
	int nr = 0, fd;

	for (fd = 0; fd < FILES; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

/**
 * test_run() - run all unit tests of the program and print TAP on the standard output
 *
 * Return: number of tests that failed; at least 1 if no test was registered, or if a file that the
 * tests have opened stays open.
 */
int test_run(void)
{
	struct CMUnitTest *tests;
	struct test *test;
	int failed, files;
	size_t nr = 0;

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
	files = open_files();
	failed = _cmocka_run_group_tests(program_invocation_short_name, tests, nr,
					 group_setup, group_teardown);
	free(tests);
	files = open_files() - files;
	if (files) {
		fprintf(stderr, "%d files stay open after all tests\n", files);
		return failed + 1;
	}
	return failed;
}

/* The main() of a test program, unless the program defines its own. */
int __attribute__((weak)) main(void)
{
	return test_run();
}
