/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests that register themselves: a program runs all tests that are defined in it, in the order
 * of their source lines, and needs no list of them and no main().
 *
 *	TEST(an_empty_list_has_no_sum)
 *	{
 *		assert_int_equal(sum(NULL, 0), 0);
 *	}
 */
#ifndef BPMU_TEST_H
#define BPMU_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/**
 * struct test - a test that has registered itself
 * @unit: the test as cmocka runs it
 * @line: number of the source line at which the test is defined
 * @next: the test at the next higher line, NULL for the last
 */
struct test {
	struct CMUnitTest unit;
	unsigned int line;
	struct test *next;
};

void test_register(struct test *test);
void test_group(CMFixtureFunction setup, CMFixtureFunction teardown);
int test_run(void);

/*
 * Defines a test, a function that registers itself. The function has the argument test_state, which
 * few tests need: it points to the pointer that the test's fixture has stored.
 */
#define TEST(name) TEST_BETWEEN(name, NULL, NULL)

/*
 * Defines a test that runs between two functions: "before" runs first, and "after" runs last. Each
 * of them may be NULL for none.
 */
#define TEST_BETWEEN(name, before, after) \
	static void name(void **test_state); \
	static void __attribute__((constructor)) register_##name(void) \
	{ \
		static struct test test = { \
			{ #name, name, before, after, NULL }, __LINE__, NULL \
		}; \
	\
		test_register(&test); \
	} \
	static void name(__attribute__((unused)) void **test_state)

/* Defines a function that prepares a test or cleans up after it. It returns 0 on success. */
#define TEST_FIXTURE(name) static int name(__attribute__((unused)) void **test_state)

/*
 * Sets two functions that run once for all tests of a program: "before" runs before the first test,
 * and "after" runs after the last one. Each may be NULL for none. The macro ends with a
 * declaration, so that its use can end with a semicolon.
 */
#define TEST_GROUP(before, after) \
	static void __attribute__((constructor)) register_group(void) \
	{ \
		test_group(before, after); \
	} \
	struct test

#endif /* BPMU_TEST_H */
