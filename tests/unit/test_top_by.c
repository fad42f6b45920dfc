// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the screen of "barepmu top --by" and of its keys. The shares are made up; there is no
 * terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/top/top_by_draw.h"
#include "unit.h"

#define ROWS 30

static struct bpmu_top_by_row row[ROWS];
static char names[ROWS][32];
static struct bpmu_sched_slot slot;
static struct bpmu_top_by_view view;
static struct bpmu_top_by_state state;
static char *said;

TEST_FIXTURE(begin)
{
	unsigned int i;

	slot = (struct bpmu_sched_slot){ .text = "cycles", .frequency = 997 };
	state = (struct bpmu_top_by_state){
		.type = BPMU_BY_SYMBOL, .page = 1, .interval_ns = 1000000000,
	};
	view = (struct bpmu_top_by_view){
		.title = "a processor", .cpus = "0-3", .slot = &slot, .type = BPMU_BY_SYMBOL,
		.row = row, .nr_rows = 3, .interrupts = 1600, .events = 16000000, .seconds = 12,
	};
	for (i = 0; i < ROWS; i++) {
		snprintf(names[i], sizeof(names[i]), "function_%02u [program]", i);
		row[i] = (struct bpmu_top_by_row){
			.label = names[i], .interrupts = i,
			.share = { .share = i / 100.0, .low = i / 200.0, .high = i / 50.0 },
		};
	}
	return 0;
}

TEST_FIXTURE(end)
{
	free(said);
	said = NULL;
	return 0;
}

/* Draws a screen of that size, and sets said to its lines. */
static void draw(int lines, int columns)
{
	struct bpmu_top_screen screen = { };
	struct bpmu_error err;
	size_t size;
	FILE *out;

	free(said);
	said = NULL;
	assert_int_equal(bpmu_top_screen_resize(&screen, lines, columns, &err), 0);
	bpmu_top_by_draw(&screen, &view, &state);
	out = open_memstream(&said, &size);
	assert_non_null(out);
	bpmu_top_screen_print(out, &screen);
	fclose(out);
	bpmu_top_screen_free(&screen);
}

/* Checks that @first is on the screen, and further down @second. */
static void in_order(const char *first, const char *second)
{
	const char *at = strstr(said, first);

	assert_non_null(at);
	assert_non_null(strstr(at, second));
}

TEST_BETWEEN(rows_have_their_shares_with_intervals, begin, end)
{
	draw(24, 80);
	assert_non_null(strstr(said, "12.0 s, every 1 s; CPU 0-3, a processor\n"));
	assert_non_null(strstr(said,
			       "cycles: 1,600 interrupts, 997 a second or so, for 16,000,000\n"));
	assert_non_null(strstr(said, "   share   95 % interval  interrupts   symbol\n"));
	assert_non_null(strstr(said,
			       "  2.00 %    1.00   4.00 %           2   function_02 [program]\n"));
}

TEST_BETWEEN(the_largest_share_is_first_unless_keys_ask_otherwise, begin, end)
{
	draw(24, 80);
	in_order("function_02", "function_00");
	bpmu_top_by_press(&state, BPMU_TOP_REVERSE);
	draw(24, 80);
	in_order("function_00", "function_02");
	bpmu_top_by_press(&state, BPMU_TOP_REVERSE);
	bpmu_top_by_press(&state, BPMU_TOP_SORT_RIGHT);
	draw(24, 80);
	in_order("function_00", "function_02");
	bpmu_top_by_press(&state, BPMU_TOP_SORT_LEFT);
	draw(24, 80);
	in_order("function_02", "function_00");
}

TEST_BETWEEN(keys_scroll_the_rows_up_to_the_last_page, begin, end)
{
	view.nr_rows = ROWS;
	draw(12, 80);
	assert_int_equal(state.page, 8);
	assert_non_null(strstr(said, "PgUp PgDn rows 1-8 of 30\n"));
	bpmu_top_by_press(&state, BPMU_TOP_DOWN);
	draw(12, 80);
	assert_non_null(strstr(said, "rows 2-9 of 30\n"));
	assert_null(strstr(said, "function_29"));
	bpmu_top_by_press(&state, BPMU_TOP_PAGE_DOWN);
	draw(12, 80);
	assert_non_null(strstr(said, "rows 10-17 of 30\n"));
	bpmu_top_by_press(&state, BPMU_TOP_END);
	draw(12, 80);
	assert_non_null(strstr(said, "rows 23-30 of 30\n"));
	assert_non_null(strstr(said, "function_00"));
	bpmu_top_by_press(&state, BPMU_TOP_PAGE_UP);
	bpmu_top_by_press(&state, BPMU_TOP_UP);
	assert_int_equal(state.first_row, 13);
	bpmu_top_by_press(&state, BPMU_TOP_HOME);
	bpmu_top_by_press(&state, BPMU_TOP_PAGE_UP);
	assert_int_equal(state.first_row, 0);
}

TEST_BETWEEN(keys_go_through_all_kinds_of_rows, begin, end)
{
	static const enum bpmu_by_type types[] = {
		BPMU_BY_LINE, BPMU_BY_ADDRESS, BPMU_BY_CPU, BPMU_BY_COMM, BPMU_BY_PID,
		BPMU_BY_SYMBOL,
	};
	unsigned int i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		bpmu_top_by_press(&state, BPMU_TOP_ROWS);
		assert_int_equal(state.type, types[i]);
	}
}

TEST_BETWEEN(keys_change_what_the_head_says, begin, end)
{
	bpmu_top_by_press(&state, BPMU_TOP_LONGER);
	bpmu_top_by_press(&state, BPMU_TOP_FREEZE);
	view.lost = 1234;
	view.hidden = true;
	draw(24, 120);
	assert_non_null(strstr(said, "every 2 s, frozen, 1,234 interrupts lost, "
				     "kernel hidden (kptr_restrict); CPU"));
	bpmu_top_by_press(&state, BPMU_TOP_HELP);
	draw(24, 80);
	assert_non_null(strstr(said, "these keys, until the next key"));
	bpmu_top_by_press(&state, BPMU_TOP_QUIT);
	assert_false(state.help);
	assert_false(state.quit);
	bpmu_top_by_press(&state, BPMU_TOP_QUIT);
	assert_true(state.quit);
}

TEST_BETWEEN(nothing_is_claimed_before_the_first_interval, begin, end)
{
	view.seconds = 0;
	view.nr_rows = 0;
	view.row = NULL;
	draw(24, 80);
	assert_non_null(strstr(said, "cycles: measuring ...\n"));
}

TEST_BETWEEN(a_screen_of_any_size_is_filled, begin, end)
{
	view.nr_rows = ROWS;
	for (int lines = 1; lines < 24; lines++)
		for (int columns = 1; columns < 90; columns += 8)
			draw(lines, columns);
}

TEST_BETWEEN(plain_lines_say_how_many_rows_they_leave_out, begin, end)
{
	struct bpmu_error err;
	size_t size;
	FILE *out = open_memstream(&said, &size);

	assert_non_null(out);
	view.nr_rows = ROWS;
	assert_int_equal(bpmu_top_by_plain(out, &view, &state, &err), 0);
	fclose(out);
	in_order("function_29 [program]\n", "function_10 [program]\nand 10 more rows\n\n");
	assert_null(strstr(said, "function_09"));
}
