// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the queue of requests for lines, which is sorted: it gives the same answers as a
 * reference that searches all entries.
 */

#include "memory/requests.h"
#include "test.h"

#define ENTRIES 38
#define ROUNDS 20000
#define LINES 64
/* Maximum number of entries that gather non-temporal stores. One in GATHERS new entries gathers. */
#define GATHERING 5
#define GATHERS 16

static struct vcore_requests requests;
static struct vcore_fill reference[ENTRIES];
static uint32_t seed;

static unsigned int draw(unsigned int below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

TEST_FIXTURE(setup)
{
	unsigned int i;

	seed = 1;
	vcore_requests_init(&requests, ENTRIES);
	for (i = 0; i < ENTRIES; i++)
		reference[i] = (struct vcore_fill){ 0 };
	return 0;
}

static struct vcore_fill *first_free(void)
{
	struct vcore_fill *first = reference;
	unsigned int i;

	for (i = 1; i < ENTRIES; i++)
		if (reference[i].done < first->done)
			first = &reference[i];
	return first;
}

static unsigned int nr_free(uint64_t cycle)
{
	unsigned int i, nr = 0;

	for (i = 0; i < ENTRIES; i++)
		nr += reference[i].done <= cycle;
	return nr;
}

static const struct vcore_fill *reference_find(uint64_t line, uint64_t cycle)
{
	const struct vcore_fill *found = NULL;
	unsigned int i;

	for (i = 0; i < ENTRIES; i++)
		if (reference[i].line == line && reference[i].done > cycle &&
		    (!found || reference[i].done > found->done))
			found = &reference[i];
	return found;
}

static void put_line(uint64_t line, uint64_t done, unsigned int from)
{
	*first_free() = (struct vcore_fill){
		.line = line, .done = done, .from = from,
	};
	vcore_requests_put(&requests, line, done, from);
}

/*
 * Adds a request for a random line that arrives in a random cycle: some lines overtake others, and
 * some arrive in the same cycle.
 */
static void put_random(uint64_t cycle)
{
	uint64_t line = draw(LINES);
	uint64_t done = cycle + draw(200);

	put_line(line, done, draw(8));
}

/* Returns that entry of the reference which gathers stores and has the highest index. */
static struct vcore_fill *last_gathering(void)
{
	struct vcore_fill *last = &reference[ENTRIES - 1];

	while (last->done != VCORE_NEVER_DONE)
		last--;
	return last;
}

/*
 * Ends an entry that gathers stores: the entry of @line or, if @line is VCORE_NO_LINE, the one with
 * the highest index. The line arrives in memory in cycle @done.
 */
static void send_gathering(uint64_t line, uint64_t done)
{
	struct vcore_fill *should = last_gathering();
	struct vcore_fill *is = vcore_requests_last(&requests);

	assert_int_equal(is->line, should->line);
	if (line != VCORE_NO_LINE) {
		should = (struct vcore_fill *)reference_find(line, VCORE_NEVER_DONE - 1);
		is = vcore_requests_find(&requests, line,
					 VCORE_NEVER_DONE - 1);
	}
	should->line = VCORE_NO_LINE;
	should->done = done;
	vcore_requests_send(&requests, is, done);
}

/*
 * Adds an entry that gathers stores to a new line, whose address is above those of all reads. If
 * more than GATHERING entries then gather, ends one of them: by chance the oldest entry or the one
 * with the highest index.
 */
static void gather_line(uint64_t cycle, unsigned int nr)
{
	uint64_t oldest = LINES + nr - GATHERING;

	put_line(LINES + nr, VCORE_NEVER_DONE, 0);
	if (nr < GATHERING)
		return;
	if (!reference_find(oldest, VCORE_NEVER_DONE - 1) || draw(2))
		oldest = VCORE_NO_LINE;
	send_gathering(oldest, cycle + draw(200));
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
		should = reference_find(line, cycle);
		assert_int_equal(!is, !should);
		if (!is)
			continue;
		assert_int_equal(is->done, should->done);
		assert_int_equal(is->from, should->from);
	}
}

/* Entries that gather stores are mixed with entries that do not. */
TEST_BETWEEN(agrees_with_a_linear_search_for_gathered_stores, setup, NULL)
{
	unsigned int i, nr = 0;
	uint64_t cycle = 0;

	for (i = 0; i < ROUNDS; i++) {
		if (draw(GATHERS))
			put_random(cycle);
		else
			gather_line(cycle, nr++);
		compare_free(cycle);
		compare_lines(cycle);
		cycle += draw(8);
	}
	assert_in_range(nr, 2 * GATHERING, ROUNDS);
}

TEST_BETWEEN(agrees_with_a_linear_search, setup, NULL)
{
	uint64_t cycle = 0;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		put_random(cycle);
		compare_free(cycle);
		compare_lines(cycle);
		cycle += draw(8);
	}
}

TEST_BETWEEN(an_empty_queue_finds_nothing, setup, NULL)
{
	assert_int_equal(vcore_requests_free(&requests, ENTRIES), 0);
	assert_null(vcore_requests_find(&requests, 0, 0));
}

/* A request is not found in or after the cycle in which its line arrives. */
TEST_BETWEEN(an_arrived_line_is_not_found, setup, NULL)
{
	vcore_requests_put(&requests, 7, 100, 1);
	assert_non_null(vcore_requests_find(&requests, 7, 99));
	assert_null(vcore_requests_find(&requests, 7, 100));
	assert_null(vcore_requests_find(&requests, 8, 99));
}
