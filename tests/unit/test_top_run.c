// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the consecutive runs in which "barepmu top" measures: all runs together have one time
 * limit, which includes the time between runs. The test has no terminal. Only the faked measurement
 * advances the test's clock.
 */
#include "base/clock.h"
#include "cmd/top/top.h"
#include "cmd/top/top_term.h"
#include "source/live.h"
#include "source/measure.h"
#include "unit.h"

#define RUNS_MOST 8
#define S BPMU_NS_PER_S

static u64 now;
static u64 spent_before;
static u64 limit[RUNS_MOST];
static unsigned int runs;

u64 bpmu_clock_ns(clockid_t id)
{
	(void)id;
	return now;
}

/*
 * Fakes a run of the measurement: after 4 s, in which no interval has ended, the user changes the
 * length of intervals by a key.
 */
int bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
		  struct bpmu_error *err)
{
	struct bpmu_top *top = measure->data;
	u64 length = 4 * S;

	(void)exit_status;
	(void)err;
	limit[runs++] = measure->timeout_ns;
	if (measure->timeout_ns && measure->timeout_ns < length)
		length = measure->timeout_ns;
	now += length;
	top->again = true;
	top->section->state.quit = runs == RUNS_MOST;
	return 0;
}

/*
 * Fakes the preparation of the next run. The preparation takes the time spent_before, which is part
 * of the time limit of all runs.
 */
int bpmu_step_make(struct bpmu_step *step, const struct bpmu_tree_wish *wish,
		   const struct bpmu_tree *all, struct bpmu_error *err)
{
	(void)step;
	(void)wish;
	(void)all;
	(void)err;
	now += spent_before;
	return 0;
}

void bpmu_step_free(struct bpmu_step *step)
{
	(void)step;
}

int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err)
{
	(void)top;
	(void)interval;
	(void)err;
	return 0;
}

int bpmu_top_plain(FILE *out, struct bpmu_top_view *view,
		   struct bpmu_top_state *state, struct bpmu_error *err)
{
	(void)out;
	(void)view;
	(void)state;
	(void)err;
	return 0;
}

bool bpmu_top_term_usable(void)
{
	return true;
}

int bpmu_top_live_begin(struct bpmu_top *top, struct bpmu_error *err)
{
	(void)top;
	(void)err;
	return 0;
}

void bpmu_top_console_end(struct bpmu_top_console *console)
{
	(void)console;
}

void bpmu_top_live_input(struct bpmu_top *top)
{
	(void)top;
}

void bpmu_top_live_show(struct bpmu_top *top)
{
	(void)top;
}

static void measure(u64 timeout_ns, u64 between)
{
	struct bpmu_top top = { .options = { .timeout_ns = timeout_ns } };
	struct bpmu_error err;

	unit_core_type(&top.analysis, "ivb", 0);
	top.section[0].type = top.analysis.type[0];
	runs = 0;
	now = 100 * S;
	spent_before = between;
	assert_int_equal(bpmu_top_measure(&top, &err), 0);
	bpmu_analysis_free(&top.analysis);
}

TEST(runs_share_one_time_limit)
{
	measure(10 * S, 0);
	assert_int_equal(runs, 3);
	assert_int_equal(limit[0], 10 * S);
	assert_int_equal(limit[1], 6 * S);
	assert_int_equal(limit[2], 2 * S);
	assert_int_equal(now, 110 * S);
}

TEST(time_between_runs_counts_for_the_limit)
{
	measure(10 * S, S);
	assert_int_equal(runs, 2);
	assert_int_equal(limit[0], 9 * S);
	assert_int_equal(limit[1], 4 * S);
}

TEST(without_a_limit_runs_continue)
{
	measure(0, 0);
	assert_int_equal(runs, RUNS_MOST);
	assert_int_equal(limit[RUNS_MOST - 1], 0);
}
