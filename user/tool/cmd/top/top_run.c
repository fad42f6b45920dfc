// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "client/holder.h"
#include "source/live.h"
#include "source/measure.h"
#include "top.h"
#include "top_term.h"

static int make_step(struct bpmu_top_section *section, unsigned int number,
		     struct bpmu_error *err)
{
	struct bpmu_step *step = &section->step[number & 1];
	struct bpmu_tree_wish wish = section->type->wish;
	struct bpmu_tree *all = &section->type->tree;

	wish.lines = &all->metrics;
	wish.wanted = bpmu_drill_wants;
	wish.wanted_ctx = &section->state.drill;
	bpmu_step_free(step);
	return bpmu_step_make(step, &wish, all, err);
}

static int make_steps(struct bpmu_top *top, unsigned int number,
		      struct bpmu_error *err)
{
	unsigned int k;
	int code = 0;

	for (k = 0; k < top->analysis.nr && !code; k++)
		code = make_step(&top->section[k], number, err);
	return code;
}

static void free_steps(struct bpmu_top *top)
{
	unsigned int k;

	for (k = 0; k < top->analysis.nr; k++) {
		bpmu_step_free(&top->section[k].step[0]);
		bpmu_step_free(&top->section[k].step[1]);
	}
}

static int print_plain(struct bpmu_top *top, struct bpmu_error *err)
{
	unsigned int k;
	int code = 0;

	for (k = 0; k < top->analysis.nr && !code; k++)
		code = bpmu_top_plain(stdout, &top->section[k].view,
				      &top->section[k].state, err);
	return code;
}

static void top_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct bpmu_top *top = data;

	if (top->code)
		return;
	top->code = bpmu_top_interval(top, interval, &top->err);
	if (!top->code && top->plain && top->changed)
		top->code = print_plain(top, &top->err);
	top->over |= top->code || (top->plain && ferror(stdout));
}

static void on_input(void *data)
{
	bpmu_top_live_input(data);
}

/*
 * Returns true if, on all core types, exactly the open (shown) nodes are being measured. Then no
 * other set of nodes (step) needs to be measured.
 */
static bool is_done(const struct bpmu_top *top)
{
	const struct bpmu_top_section *section = top->section;
	unsigned int k;

	for (k = 0; k < top->analysis.nr; k++, section++)
		if (!bpmu_drill_is_done(&section->state.drill,
					&section->step[top->at & 1].tree))
			return false;
	return true;
}

/*
 * Called after each interval. If other nodes are to be measured in the next interval, sets @groups
 * to the event groups of these nodes. Returns 0 or a negative errno.
 */
static int top_next_groups(void *data, const struct bpmu_groups *groups[BPMU_CORE_TYPES],
			   struct bpmu_error *err)
{
	struct bpmu_top *top = data;
	unsigned int k;
	int code;

	if (top->changed && !top->plain)
		bpmu_top_live_show(top);
	if (top->ahead != top->at || is_done(top))
		return 0;
	code = make_steps(top, top->ahead + 1, err);
	if (code)
		return code;
	top->ahead++;
	for (k = 0; k < top->analysis.nr; k++)
		groups[k] = &top->section[k].step[top->ahead & 1].tree.groups;
	return 0;
}

/*
 * Returns how much of the time of --timeout is left, in ns. Each change of the length of intervals
 * begins a new run; --timeout limits the time of all runs together.
 */
static u64 time_left(const struct bpmu_top *top)
{
	u64 now = bpmu_clock_ns(CLOCK_MONOTONIC);

	return now < top->deadline ? top->deadline - now : 0;
}

static int measure_of(struct bpmu_top *top, struct bpmu_measure *m, struct bpmu_error *err)
{
	const struct bpmu_target *first = &top->analysis.type[0]->target;
	const struct bpmu_options *options = &top->options;
	unsigned int k;
	int code;

	*m = (struct bpmu_measure){
		.client = first->client,
		.info = &first->info,
		.interval_ns = top->section->state.interval_ns,
		.tree = true,
		.timer = options->timer,
		.take_over = options->take_over,
		.stop = &top->over,
		.emit = top_on_interval, .kept = true, .watched = true,
		.next = top_next_groups,
		.input = top->plain ? NULL : on_input,
		.input_fd = top->console.wake,
		.data = top,
	};
	code = bpmu_analysis_measure(&top->analysis, m, err);
	if (code)
		return code;
	for (k = 0; k < top->analysis.nr; k++) {
		m->most[k] = m->groups[k];
		m->groups[k] = &top->section[k].step[0].tree.groups;
	}
	/*
	 * Nodes that are measured later may need multiplexing, for which samples are taken by an
	 * hrtimer (BPMU_TIMER_HARD). A session cannot change its timer, so that it begins with this
	 * one.
	 */
	if (m->timer == BPMU_TIMER_AUTO)
		m->timer = BPMU_TIMER_HARD;
	if (options->max_intervals)
		m->max_intervals = options->max_intervals - top->intervals;
	/* 0 would mean no limit: if no time is left, the timeout is set to 1 ns. */
	if (options->timeout_ns)
		m->timeout_ns = time_left(top) ?: 1;
	return 0;
}

static int top_run_once(struct bpmu_top *top, struct bpmu_error *err)
{
	struct bpmu_measure m;
	int status;
	int code;

	top->again = false;
	top->over = false;
	top->ahead = 0;
	top->index = 0;
	top->at = 0;
	code = make_steps(top, 0, err);
	if (!code)
		code = measure_of(top, &m, err);
	if (code)
		return code;
	code = bpmu_live_run(&m, &status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	top->before = top->seconds;
	top->intervals += top->index;
	if (code || !top->code)
		return code;
	*err = top->err;
	return top->code;
}

/*
 * Returns true if another run of the measurement follows, because the user has changed the length
 * of intervals by a key. --interval-count and --timeout limit all runs together.
 */
static bool has_next_run(const struct bpmu_top *top)
{
	const struct bpmu_options *options = &top->options;

	return top->again && !top->section->state.quit &&
	       (!options->max_intervals ||
		top->intervals < options->max_intervals) &&
	       (!options->timeout_ns || time_left(top));
}

/**
 * bpmu_top_measure() - run the live view: measure and draw until its end
 * @top: state of "barepmu top"; the metric tree, the state of the display and the rows of each core
 *	type have been made
 *
 * Afterwards, even after an error, the terminal is as it was before.
 */
int bpmu_top_measure(struct bpmu_top *top, struct bpmu_error *err)
{
	int code = 0;

	top->plain = !bpmu_top_term_usable();
	top->console.wake = -1;
	top->console.signals = -1;
	top->deadline = bpmu_clock_ns(CLOCK_MONOTONIC) +
			top->options.timeout_ns;
	if (!top->plain)
		code = bpmu_top_live_begin(top, err);
	if (!code) {
		do
			code = top_run_once(top, err);
		while (!code && has_next_run(top));
	}
	bpmu_top_console_end(&top->console);
	free_steps(top);
	return code;
}
