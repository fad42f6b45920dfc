// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the consecutive runs in which "barepmu top" measures: all runs together have one time
 * limit, which includes the time between runs; each core type has its steps, and all are freed. The
 * test has no terminal. Only the faked measurement advances the test's clock.
 */
#include <errno.h>
#include <stdlib.h>

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

static bool terminal;
/* the steps that were made, and how many were freed after the last run */
static struct bpmu_step *made[16];
static unsigned int nr_made, nr_freed;
/* the views that were printed */
static struct bpmu_top_view *printed[16];
static unsigned int nr_printed;
static unsigned int shown;

/* [core type], whether the user wants the only node */
static bool wanted[BPMU_CORE_TYPES];
/* The groups that are counted next, after each of the intervals of a run. */
static const struct bpmu_groups *next[4][BPMU_CORE_TYPES];
static unsigned int intervals;
static int interval_code;

u64 bpmu_clock_ns(clockid_t id)
{
	(void)id;
	return now;
}

/* Counts some intervals, after the second of which the user wants what was not wanted before. */
static int count(const struct bpmu_measure *measure, struct bpmu_error *err)
{
	const struct bpmu_interval interval = { };
	struct bpmu_top *top = measure->data;
	unsigned int i;

	for (i = 0; i < intervals; i++) {
		wanted[1] = i > 0;
		measure->emit(top, &interval);
		if (*measure->stop)
			break;
		assert_int_equal(measure->next(top, next[i], err), 0);
	}
	return 0;
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
	if (intervals)
		return count(measure, err);
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
	(void)all;
	(void)err;
	assert_ptr_equal(wish->wanted, bpmu_drill_wants);
	made[nr_made++] = step;
	/* A step measures what is wanted when it is made. */
	step->tree.metrics.nr = 1;
	step->tree.shown = calloc(1, sizeof(bool));
	assert_non_null(step->tree.shown);
	*step->tree.shown = *((struct bpmu_drill *)wish->wanted_ctx)->wanted;
	now += spent_before;
	return 0;
}

void bpmu_step_free(struct bpmu_step *step)
{
	nr_freed += !!step->tree.shown;
	free(step->tree.shown);
	step->tree.shown = NULL;
}

int bpmu_top_interval(struct bpmu_top *top,
		      const struct bpmu_interval *interval,
		      struct bpmu_error *err)
{
	(void)interval;
	top->changed = true;
	return interval_code ? bpmu_error_set(err, interval_code, "no interval") : 0;
}

int bpmu_top_plain(FILE *out, struct bpmu_top_view *view,
		   struct bpmu_top_state *state, struct bpmu_error *err)
{
	(void)out;
	(void)state;
	(void)err;
	printed[nr_printed++] = view;
	return 0;
}

bool bpmu_top_term_usable(void)
{
	return terminal;
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
	shown++;
}

static struct bpmu_top top;

/* Measures on @nr core types. Returns the error of bpmu_top_measure(). */
static int measure_types(unsigned int nr, u64 timeout_ns, struct bpmu_error *err)
{
	static const char *const parts[BPMU_CORE_TYPES] = { "adl", "adl-e" };
	unsigned int k;
	int code;

	top = (struct bpmu_top){ .options = { .timeout_ns = timeout_ns } };
	for (k = 0; k < nr; k++) {
		unit_core_type(&top.analysis, parts[k], 2 * k);
		top.section[k].type = top.analysis.type[k];
		top.section[k].state.drill.wanted = &wanted[k];
	}
	runs = 0;
	nr_made = 0;
	nr_freed = 0;
	nr_printed = 0;
	shown = 0;
	now = 100 * S;
	code = bpmu_top_measure(&top, err);
	bpmu_analysis_free(&top.analysis);
	return code;
}

static void measure(u64 timeout_ns, u64 between)
{
	struct bpmu_error err;

	terminal = true;
	intervals = 0;
	spent_before = between;
	assert_int_equal(measure_types(1, timeout_ns, &err), 0);
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

/* A step is made for each core type at the start, and another one when the user wants more nodes. */
TEST(each_core_type_has_steps_of_its_own)
{
	struct bpmu_error err;
	unsigned int k;

	terminal = true;
	intervals = 2;
	assert_int_equal(measure_types(2, 0, &err), 0);
	assert_int_equal(runs, 1);
	assert_int_equal(nr_made, 4);
	assert_int_equal(nr_freed, 4);
	for (k = 0; k < 2; k++) {
		assert_ptr_equal(made[k], &top.section[k].step[0]);
		assert_ptr_equal(made[2 + k], &top.section[k].step[1]);
		assert_null(next[0][k]);
		assert_ptr_equal(next[1][k], &top.section[k].step[1].tree.groups);
	}
	assert_int_equal(shown, 2);
	assert_int_equal(nr_printed, 0);
}

TEST(without_a_terminal_all_core_types_are_printed)
{
	struct bpmu_error err;

	terminal = false;
	intervals = 2;
	assert_int_equal(measure_types(2, 0, &err), 0);
	assert_int_equal(nr_printed, 4);
	assert_ptr_equal(printed[0], &top.section[0].view);
	assert_ptr_equal(printed[1], &top.section[1].view);
	assert_ptr_equal(printed[2], &top.section[0].view);
	assert_ptr_equal(printed[3], &top.section[1].view);
	assert_int_equal(shown, 0);
}

TEST(a_failed_interval_ends_the_view_with_its_error)
{
	struct bpmu_error err;

	terminal = false;
	intervals = 2;
	interval_code = -ENOMEM;
	assert_int_equal(measure_types(2, 0, &err), -ENOMEM);
	assert_string_equal(err.text, "no interval");
	assert_int_equal(nr_printed, 0);
	assert_int_equal(nr_freed, 2);
	interval_code = 0;
}
