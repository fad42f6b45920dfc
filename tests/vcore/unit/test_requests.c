// SPDX-License-Identifier: GPL-2.0
/* The sorted queue of lines in transit, compared with a linear search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory/requests.h"

#define ENTRIES 38
#define ROUNDS 20000
#define LINES 64
/* Number of entries that gather stores, and one in how many lines does. */
#define GATHERING 5
#define GATHERS 16

static struct vcore_requests requests;
static struct vcore_fill plain[ENTRIES];
static uint32_t seed;

static unsigned int draw(unsigned int below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static int setup(void **state)
{
	unsigned int i;

	seed = 1;
	vcore_requests_init(&requests, ENTRIES);
	for (i = 0; i < ENTRIES; i++)
		plain[i] = (struct vcore_fill){ 0 };
	(void)state;
	return 0;
}

static struct vcore_fill *first_free(void)
{
	struct vcore_fill *first = plain;
	unsigned int i;

	for (i = 1; i < ENTRIES; i++)
		if (plain[i].done < first->done)
			first = &plain[i];
	return first;
}

static unsigned int nr_free(uint64_t cycle)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ENTRIES; i++)
		nr += plain[i].done <= cycle;
	return nr;
}

static const struct vcore_fill *find(uint64_t line, uint64_t cycle)
{
	const struct vcore_fill *found = NULL;
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		if (plain[i].line == line && plain[i].done > cycle &&
		    (!found || plain[i].done > found->done))
			found = &plain[i];
	return found;
}

static void put_line(uint64_t line, uint64_t done, unsigned int from)
{
	*first_free() = (struct vcore_fill){
		.line = line, .done = done, .from = from,
	};
	vcore_requests_put(&requests, line, done, from);
}

/* Some lines overtake others and some arrive in the same cycle. */
static void put(uint64_t cycle)
{
	uint64_t line = draw(LINES);
	uint64_t done = cycle + draw(200);

	put_line(line, done, draw(8));
}

/* Returns the entry with the highest number among those that gather stores. */
static struct vcore_fill *last_gathering(void)
{
	struct vcore_fill *last = &plain[ENTRIES - 1];

	while (last->done != VCORE_NEVER_DONE)
		last--;
	return last;
}

/* Sends the entry of @line, or for VCORE_NO_LINE the last one that gathers stores. */
static void send(uint64_t line, uint64_t done)
{
	struct vcore_fill *should = last_gathering();
	struct vcore_fill *is = vcore_requests_last(&requests);

	assert_int_equal(is->line, should->line);
	if (line != VCORE_NO_LINE) {
		should = (struct vcore_fill *)find(line, VCORE_NEVER_DONE - 1);
		is = vcore_requests_find(&requests, line,
					 VCORE_NEVER_DONE - 1);
	}
	should->line = VCORE_NO_LINE;
	should->done = done;
	vcore_requests_send(&requests, is, done);
}

/*
 * Gathered lines have numbers above all others; either the oldest or the last
 * entry is sent.
 */
static void gather(uint64_t cycle, unsigned int nr)
{
	uint64_t oldest = LINES + nr - GATHERING;

	put_line(LINES + nr, VCORE_NEVER_DONE, 0);
	if (nr < GATHERING)
		return;
	if (!find(oldest, VCORE_NEVER_DONE - 1) || draw(2))
		oldest = VCORE_NO_LINE;
	send(oldest, cycle + draw(200));
}

static void compare_free(uint64_t cycle)
{
	unsigned int nr = nr_free(cycle);

	assert_true(vcore_requests_free(&requests, 1) == first_free()->done);
	if (nr)
		assert_true(vcore_requests_free(&requests, nr) <= cycle);
	if (nr < ENTRIES)
		assert_true(vcore_requests_free(&requests, nr + 1) > cycle);
}

static void compare_lines(uint64_t cycle)
{
	const struct vcore_fill *is, *should;
	uint64_t line;

	for (line = 0; line < LINES; line++) {
		is = vcore_requests_find(&requests, line, cycle);
		should = find(line, cycle);
		assert_int_equal(!is, !should);
		if (!is)
			continue;
		assert_int_equal(is->done, should->done);
		assert_int_equal(is->from, should->from);
	}
}

/* Some of the entries gather stores. */
static void test_gather(void **state)
{
	unsigned int i, nr = 0;
	uint64_t cycle = 0;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		if (draw(GATHERS))
			put(cycle);
		else
			gather(cycle, nr++);
		compare_free(cycle);
		compare_lines(cycle);
		cycle += draw(8);
	}
	assert_in_range(nr, 2 * GATHERING, ROUNDS);
}

static void test_same(void **state)
{
	uint64_t cycle = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		put(cycle);
		compare_free(cycle);
		compare_lines(cycle);
		cycle += draw(8);
	}
}

static void test_empty(void **state)
{
	(void)state;
	assert_int_equal(vcore_requests_free(&requests, ENTRIES), 0);
	assert_null(vcore_requests_find(&requests, 0, 0));
}

/* The entry of a line that has arrived is not found. */
static void test_over(void **state)
{
	(void)state;
	vcore_requests_put(&requests, 7, 100, 1);
	assert_non_null(vcore_requests_find(&requests, 7, 99));
	assert_null(vcore_requests_find(&requests, 7, 100));
	assert_null(vcore_requests_find(&requests, 8, 99));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_empty, setup),
		cmocka_unit_test_setup(test_over, setup),
		cmocka_unit_test_setup(test_same, setup),
		cmocka_unit_test_setup(test_gather, setup),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
