// SPDX-License-Identifier: GPL-2.0
#include "drill_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/drill.h"
#include "count/phase.h"
#include "count/step.h"
#include "drill_locate.h"
#include "drill_print.h"
#include "source/live.h"

/* without -I: time in ns between two decisions of a drill-down which nodes to measure next */
#define DECIDE_NS 200000000ULL

/**
 * struct drilling - state of a drill-down, which measures one set of nodes after another (steps)
 * @t: what topdown prints of the core type that is measured
 * @drill: decides which nodes to measure next
 * @phase: means of all nodes since the values of level 1 last changed clearly
 * @step: the two latest steps, each with its nodes and sums; step number i, from 0 on, is at index
 *	i modulo 2
 * @at: number of the step that was measured in the latest interval
 * @ahead: number of the step whose events are being counted
 * @begin: time at which step @at began, in seconds since the run began
 * @now: buffer for the values of an interval or of a step
 * @latest: latest value of each node, [nr nodes]: from the latest interval of full length in which
 *	the node was measured or, if there is none, from a shorter interval
 * @node: when each value of @latest was measured, [nr nodes]
 */
struct drilling {
	struct bpmu_topdown_view *t;
	struct bpmu_drill drill;
	struct bpmu_phase phase;
	struct bpmu_step step[2];
	unsigned int at;
	unsigned int ahead;
	double begin;
	struct bpmu_tree_value *now;
	struct bpmu_tree_value *latest;
	struct bpmu_drill_node *node;
};

static struct bpmu_step *step_at(struct drilling *d)
{
	return &d->step[d->at & 1];
}

static int drill_run_make_step(struct drilling *d, unsigned int number,
			       struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = d->t->type->wish;
	struct bpmu_step *step = &d->step[number & 1];

	wish.lines = &d->t->type->tree.metrics;
	wish.wanted = bpmu_drill_wants;
	wish.wanted_ctx = &d->drill;
	bpmu_step_free(step);
	return bpmu_step_make(step, &wish, &d->t->type->tree, err);
}

/*
 * Copies the values of an interval to @d->latest. If the interval was shorter than requested
 * (@whole is false), its values do not replace known values.
 */
static void take_latest(struct drilling *d, double from, bool whole)
{
	const struct bpmu_tree *tree = &step_at(d)->tree;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		if (!tree->shown[i] || (!whole && d->latest[i].known))
			continue;
		d->latest[i] = d->now[i];
		d->node[i].from = from;
		d->node[i].to = d->t->seconds;
	}
	/*
	 * It is decided again for all nodes whether they are flagged: if a node is no longer
	 * flagged, its children, whose values are older, must lose their flags.
	 */
	bpmu_tree_judge(&d->t->type->tree, d->latest);
}

static void drill_run_report(struct drilling *d, double from, bool whole)
{
	struct bpmu_topdown_view *t = d->t;

	take_latest(d, from, whole);
	t->step = d->at + 1;
	bpmu_topdown_rows(t, &step_at(d)->tree, d->now);
}

static void end_step(struct drilling *d)
{
	struct bpmu_step *step = step_at(d);

	if (d->t->call->options.interval_ns)
		return;
	bpmu_step_total(step, d->now);
	drill_run_report(d, d->begin, step->whole);
}

/*
 * Prints the values of an interval. As text, an interval that was shorter than requested is printed
 * only if it is the last one of the run.
 */
static void report_interval(struct drilling *d,
			    const struct bpmu_interval *interval)
{
	struct bpmu_topdown_view *t = d->t;

	drill_run_report(d, t->seconds - t->duration, interval->whole);
	bpmu_topdown_verdict(t, d->latest);
	if (t->call->options.format == BPMU_TEXT &&
	    (interval->whole || interval->last))
		bpmu_drill_text(t, d->latest, d->node, NULL);
	bpmu_topdown_alert(t, d->now);
}

static void add_interval(struct drilling *d,
			 const struct bpmu_interval *interval)
{
	const struct bpmu_phase_interval one = {
		.measured = &step_at(d)->tree, .values = d->now,
		.begin = d->t->seconds - interval->duration,
		.seconds = interval->duration, .whole = interval->whole,
	};
	unsigned int i;

	for (i = 0; i < one.measured->metrics.nr; i++) {
		if (!one.measured->shown[i])
			continue;
		d->node[i].seconds += one.seconds;
		if (d->now[i].flagged)
			d->node[i].flagged += one.seconds;
	}
	bpmu_phase_add(&d->phase, &one);
}

static void drill_run_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct drilling *d = data;
	struct bpmu_topdown_view *t = d->t;
	struct bpmu_step *step;
	unsigned int pos;

	if (interval->plan != d->at) {
		end_step(d);
		d->at = interval->plan;
		d->begin = t->seconds;
	}
	step = step_at(d);
	t->seconds = interval->seconds;
	t->duration = interval->duration;
	t->stamp = interval->stamp;
	for (pos = 0; pos < t->type->target.cpus.nr; pos++)
		t->lost += interval->lost[pos];
	bpmu_flaws_add(&t->flaws, interval, &t->type->target.cpus);
	bpmu_step_add(step, t->type->target.cpus.nr, interval, d->now);
	add_interval(d, interval);
	if (interval->whole)
		bpmu_drill_judge(&d->drill, d->now);
	if (t->call->options.interval_ns)
		report_interval(d, interval);
}

/*
 * Begins a new step (another set of nodes) if other nodes are to be measured, and sets @groups to
 * the event groups of the new step. Does nothing as long as the present step has not been counted
 * in any interval. Returns 0 or a negative errno.
 */
static int drill_run_next(void *data, const struct bpmu_groups *groups[BPMU_CORE_TYPES],
			  struct bpmu_error *err)
{
	struct drilling *d = data;
	const struct bpmu_tree *tree = &step_at(d)->tree;
	int code;

	if (d->ahead != d->at || bpmu_drill_is_done(&d->drill, tree))
		return 0;
	code = drill_run_make_step(d, d->ahead + 1, err);
	if (code)
		return code;
	d->ahead++;
	groups[0] = &d->step[d->ahead & 1].tree.groups;
	return 0;
}

static void report_run(struct drilling *d)
{
	bpmu_phase_mean(&d->phase, d->latest);
	bpmu_topdown_verdict(d->t, d->latest);
	if (d->t->call->options.format != BPMU_TEXT)
		return;
	bpmu_drill_text(d->t, d->latest, d->node, &d->phase);
	bpmu_drill_offer(d->t, d->latest);
}

static int drill_run_begin(struct drilling *d, struct bpmu_error *err)
{
	unsigned int nr = d->t->type->tree.metrics.nr;
	int code;

	d->now = calloc(nr, sizeof(*d->now));
	d->latest = calloc(nr, sizeof(*d->latest));
	d->node = calloc(nr, sizeof(*d->node));
	if (!d->now || !d->latest || !d->node)
		return bpmu_error_no_memory(err, "topdown");
	code = bpmu_drill_init(&d->drill, &d->t->type->tree, err);
	if (!code)
		code = bpmu_phase_init(&d->phase, &d->t->type->tree, err);
	return code ? code : drill_run_make_step(d, 0, err);
}

static int drill_run_all(struct drilling *d, struct bpmu_measure *m, int *status,
			 struct bpmu_error *err)
{
	int code;

	m->groups[0] = &d->step[0].tree.groups;
	m->most[0] = &d->t->type->tree.groups;
	m->interval_ns = m->interval_ns ?: DECIDE_NS;
	/*
	 * Nodes that are measured later may need multiplexing, for which samples are taken by an
	 * hrtimer (BPMU_TIMER_HARD). A session cannot change its timer, so that it begins with this
	 * one.
	 */
	if (m->timer == BPMU_TIMER_AUTO)
		m->timer = BPMU_TIMER_HARD;
	m->emit = drill_run_on_interval;
	m->next = drill_run_next;
	m->data = d;
	code = bpmu_live_run(m, status, err);
	if (code)
		return code;
	end_step(d);
	if (!d->t->call->options.interval_ns)
		report_run(d);
	if (d->t->call->options.format == BPMU_JSON)
		bpmu_flaws_json(&d->t->flaws, d->t->call->out);
	return 0;
}

/**
 * bpmu_drill_run() - run a drill-down: measure level 1, and then the children of flagged nodes
 * @topdown: what topdown prints of a core type; the core type's tree has all levels
 * @measure: parameters of the measurement
 * @status: output: exit status of the measured command
 *
 * Return: what bpmu_live_run() returns.
 */
int bpmu_drill_run(struct bpmu_topdown_view *topdown,
		   const struct bpmu_measure *measure, int *status,
		   struct bpmu_error *err)
{
	struct drilling d = { .t = topdown };
	struct bpmu_measure m = *measure;
	int code;

	code = drill_run_begin(&d, err);
	if (!code)
		code = drill_run_all(&d, &m, status, err);
	bpmu_step_free(&d.step[0]);
	bpmu_step_free(&d.step[1]);
	bpmu_drill_free(&d.drill);
	bpmu_phase_free(&d.phase);
	free(d.now);
	free(d.latest);
	free(d.node);
	return code;
}
