// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu top". A line of its table is for a CPU or for a group of CPUs. "barepmu top"
 * computes only the lines on the screen, and those lines that may have to be shown there because of
 * the order of the table. The test fakes the computation, and counts the computed lines.
 */
#include "cmd/top/top_draw.h"
#include "cmd/top/top_sum.h"
#include "unit.h"

#define ROWS 100

static struct bpmu_top_row row[ROWS];
static unsigned int order[ROWS];
static double limit[ROWS];
static double loss[ROWS];
static unsigned int valued;
static unsigned int judged;
static struct bpmu_top_state state;
static const struct bpmu_top_view view = { .row = row, .order = order, .nr_rows = ROWS };

void bpmu_top_sum_values(struct bpmu_top_sum *sum, struct bpmu_top_row *rows, unsigned int r,
			 int column)
{
	(void)sum;
	(void)column;
	if (rows[r].stage >= BPMU_TOP_VALUED)
		return;
	rows[r].stage = BPMU_TOP_VALUED;
	rows[r].mhz = r % 7;
	rows[r].loss = limit[r];
	valued++;
}

void bpmu_top_sum_judge(struct bpmu_top_sum *sum, struct bpmu_top_row *rows, unsigned int r)
{
	(void)sum;
	if (rows[r].stage >= BPMU_TOP_JUDGED)
		return;
	rows[r].stage = BPMU_TOP_JUDGED;
	rows[r].mhz = r % 7;
	rows[r].loss = loss[r];
	judged++;
}

static void begin(int column, unsigned int first)
{
	unsigned int r;

	for (r = 0; r < ROWS; r++) {
		row[r] = (struct bpmu_top_row){ };
		limit[r] = 10 * (r + 1);
		loss[r] = limit[r];
	}
	state = (struct bpmu_top_state){ .column = column, .first_row = first };
	valued = 0;
	judged = 0;
}

TEST(by_number_only_visible_rows_are_evaluated)
{
	unsigned int r;

	begin(BPMU_TOP_BY_NUMBER, 40);
	bpmu_top_order(&view, &state, 44);
	assert_int_equal(valued, 0);
	assert_int_equal(judged, 4);
	for (r = 0; r < ROWS; r++) {
		assert_int_equal(order[r], r);
		assert_int_equal(row[r].stage, r / 4 == 10 ? BPMU_TOP_JUDGED : BPMU_TOP_COUNTED);
	}
}

TEST(a_drawn_screen_is_not_evaluated_again)
{
	begin(BPMU_TOP_BY_MHZ, 0);
	bpmu_top_order(&view, &state, 5);
	bpmu_top_order(&view, &state, 5);
	assert_int_equal(valued, ROWS);
	assert_int_equal(judged, 5);
	assert_int_equal(order[0], 6);
	assert_int_equal(order[1], 13);
	state.first_row = 5;
	bpmu_top_order(&view, &state, 10);
	assert_int_equal(valued, ROWS);
	assert_int_equal(judged, 10);
}

TEST(the_last_page_may_be_short)
{
	begin(BPMU_TOP_BY_NUMBER, 98);
	bpmu_top_order(&view, &state, 108);
	assert_int_equal(judged, 2);
}

/*
 * Before a line is computed, only the largest loss that it can have is known. By this limit line 98
 * may come second, so it must be computed. It has no loss, so line 96 is on the screen instead.
 */
TEST(by_loss_rows_are_judged_that_could_be_visible)
{
	begin(BPMU_TOP_BY_LOSS, 0);
	loss[98] = 0;
	bpmu_top_order(&view, &state, 3);
	assert_int_equal(order[0], 99);
	assert_int_equal(order[1], 97);
	assert_int_equal(order[2], 96);
	assert_int_equal(judged, 4);
	assert_int_equal(row[95].stage, BPMU_TOP_VALUED);
}

/*
 * By its limit line 99 has the greatest loss. When line 99 is computed, its loss is smaller than
 * the limit of line 98. Line 98 is therefore computed, too, and comes first.
 */
TEST(a_row_that_loses_less_moves_down)
{
	begin(BPMU_TOP_BY_LOSS, 1);
	loss[99] = 985;
	bpmu_top_order(&view, &state, 3);
	assert_int_equal(order[0], 98);
	assert_int_equal(order[1], 99);
	assert_int_equal(order[2], 97);
	assert_int_equal(judged, 3);
}

/*
 * In reverse order lines without loss come first. Lines 0 to 8 must be computed, because each of
 * them may have a loss of 0. Line 9 certainly has a loss of 0.
 */
TEST(in_reverse_any_row_that_could_lose_nothing_comes_first)
{
	begin(BPMU_TOP_BY_LOSS, 0);
	state.reverse = true;
	loss[2] = 0;
	limit[5] = 0;
	loss[5] = 0;
	limit[9] = 0;
	loss[9] = 0;
	bpmu_top_order(&view, &state, 3);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 5);
	assert_int_equal(order[2], 9);
	assert_int_equal(judged, 10);
	assert_int_equal(row[10].stage, BPMU_TOP_VALUED);
}
