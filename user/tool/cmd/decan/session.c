// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client/holder.h"
#include "count/delta.h"
#include "count/interval.h"
#include "count/spread.h"
#include "intel.h"

#define CYCLES "cycles:u"

/*
 * Schedules events onto counters: the core cycles first, then the events of -e. Returns 0 or a
 * negative errno.
 */
static int decan_session_schedule_events(struct bpmu_decan_session *session,
					 struct bpmu_error *err)
{
	struct bpmu_wanted *wanted = &session->type.wanted;
	char *more = wanted->text;
	int code;

	wanted->text = NULL;
	code = bpmu_wanted_add(wanted, CYCLES, err);
	if (!code && more)
		code = bpmu_wanted_add(wanted, more, err);
	free(more);
	if (!code)
		code = bpmu_core_type_load_events(&session->type, err);
	return code ? code : bpmu_core_type_schedule(&session->type, err);
}

static int decan_session_schedule_metrics(struct bpmu_decan_session *session, unsigned int level,
					  struct bpmu_error *err)
{
	struct bpmu_core_type *type = &session->type;
	int code = bpmu_core_type_load_whole(type, err);

	type->wish.level = type->choice.names && !level ? BPMU_TREE_ALL : level ? level : 2;
	return code ? code : bpmu_core_type_tree(type, err);
}

/**
 * bpmu_decan_session_open() - open DECAN's session: schedule the events to count in variants
 * @session: input: the requested events and metrics; the rest is output
 * @cpu: number of the CPU that runs the loop, as text
 * @level: deepest level of the Top-Down tree to count; 0 to count levels 1 and 2 in the original
 *	loop only, to compare Memory_Bound with DECAN's verdict
 *
 * Return: 0 or a negative errno; the caller must call bpmu_decan_session_close() in any case. A CPU
 * model without a Top-Down tree is an error only if metrics were requested.
 */
int bpmu_decan_session_open(struct bpmu_decan_session *session,
			    const char *cpu, unsigned int level,
			    struct bpmu_error *err)
{
	struct bpmu_error ignored;
	bool asked = level || session->type.choice.names || session->type.choice.asked ||
		     session->type.choice.nr_paths;
	int code = bpmu_target_open(&session->type.target, cpu, err);

	if (!code)
		code = decan_session_schedule_events(session, err);
	if (code)
		return code;
	session->all = asked;
	code = decan_session_schedule_metrics(session, level, asked ? err : &ignored);
	if (code && asked)
		return code;
	if (code)
		bpmu_tree_free(&session->type.tree);
	return bpmu_decan_session_use(session, &session->type.wanted.groups, 0, err);
}

/**
 * bpmu_decan_session_close() - close DECAN's session: release the counters, and free the counts
 * @session: in any state
 */
void bpmu_decan_session_close(struct bpmu_decan_session *session)
{
	free(session->event);
	free(session->cell);
	free(session->values);
	bpmu_core_type_free(&session->type);
}

/*
 * Makes core events count in user space only, because the kernel executes before and after the
 * loop, while the counters are enabled.
 */
static void restrict_to_user(struct bpmu_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->nr && sched->bank == BPMU_BANK_CORE; i++)
		sched->slot[i].select = (sched->slot[i].select &
					 ~(u64)BPMU_SEL_OS) | BPMU_SEL_USR;
}

/**
 * bpmu_decan_session_use() - make DECAN's session count an event group from now on
 * @session: from bpmu_decan_session_open()
 * @groups: event groups of the session
 * @g: index of the group in @groups
 */
int bpmu_decan_session_use(struct bpmu_decan_session *session,
			   const struct bpmu_groups *groups, unsigned int g,
			   struct bpmu_error *err)
{
	u32 cpu = session->type.target.cpus.cpu[0];
	struct bpmu_config config = {
		.cpus = &cpu, .nr_cpus = 1, .groups = { &session->one },
		.take_over = session->take_over,
	};
	int code;

	session->group = groups->group[g];
	restrict_to_user(&session->group.sched);
	session->one = *groups;
	session->one.nr = 1;
	memset(session->one.nr_of, 0, sizeof(session->one.nr_of));
	session->one.nr_of[groups->group[g].sched.bank] = 1;
	session->one.slots = session->group.sched.nr;
	session->group.first = 0;
	session->one.group = &session->group;
	code = bpmu_client_configure(session->type.target.client, &config, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}

static void decan_session_on_sample(struct bpmu_decan_session *session,
				    const struct bpmu_sample *sample, const u64 *values)
{
	struct bpmu_delta delta;
	unsigned int i;

	if (sample->flags & BPMU_SAMPLE_START)
		memcpy(session->first, values, sample->nr * sizeof(*values));
	for (i = 0; i < session->group.sched.nr &&
	     sample->flags & BPMU_SAMPLE_STOP; i++) {
		delta = bpmu_delta_of_slot(session->one.pmu,
					   &session->group.sched, i);
		session->count[i] = bpmu_delta(&delta, session->first, values,
					       sample->running);
	}
}

static void decan_session_on_samples(void *session, const struct bpmu_taken_sample *samples,
				     unsigned int nr)
{
	for (; nr; nr--, samples++)
		decan_session_on_sample(session, samples->head, samples->values);
}

static int decan_session_begin(void *data, struct bpmu_error *err)
{
	struct bpmu_decan_session *session = data;

	return bpmu_client_start(session->type.target.client, err);
}

static int decan_session_end(void *data, struct bpmu_error *err)
{
	struct bpmu_decan_session *session = data;
	const struct bpmu_reader reader = {
		.samples = decan_session_on_samples, .data = session,
	};
	int code = bpmu_client_stop(session->type.target.client, err);

	return code ? code : bpmu_client_read(session->type.target.client, &reader,
					      err);
}

/**
 * bpmu_decan_session_hook() - let DECAN's session count events during a run of a variant
 * @session: from bpmu_decan_session_open(); NULL: nothing is counted
 * @run: run that has not started; its callbacks are set
 */
void bpmu_decan_session_hook(struct bpmu_decan_session *session,
			     struct bpmu_run *run)
{
	if (!session)
		return;
	run->begin = decan_session_begin;
	run->end = decan_session_end;
	run->data = session;
}

/**
 * bpmu_decan_session_cycles() - core cycles of the last run that DECAN's session counted
 * @session: has counted a run, with the group that has the core cycles
 *
 * Return: the cycles in user space.
 */
double bpmu_decan_session_cycles(const struct bpmu_decan_session *session)
{
	struct bpmu_cell cells[BPMU_MAX_COUNTERS] = { };
	const u64 enabled = 1;
	const struct bpmu_interval interval = {
		.cell = cells, .enabled = &enabled,
	};
	unsigned int i;

	for (i = 0; i < session->group.sched.nr; i++)
		cells[i] = (struct bpmu_cell){
			.count = session->count[i], .running = 1, .slices = 1,
		};
	return bpmu_interval_sum(&session->one, 0, &interval, 1,
				 &session->type.wanted.events.spec[0]).value;
}

/**
 * bpmu_decan_session_room() - allocate memory of DECAN's session for all its counts
 * @session: from bpmu_decan_session_open()
 * @nr: number of variants
 */
int bpmu_decan_session_room(struct bpmu_decan_session *session, unsigned int nr,
			    struct bpmu_error *err)
{
	session->event = calloc((size_t)nr * session->type.wanted.groups.slots + 1,
				sizeof(*session->event));
	session->cell = calloc((size_t)nr * session->type.tree.groups.slots + 1,
			       sizeof(*session->cell));
	session->values = calloc((size_t)nr * session->type.tree.metrics.nr + 1,
				 sizeof(*session->values));
	return session->event && session->cell && session->values ? 0 :
	       bpmu_error_no_memory(err, "decan");
}

/**
 * bpmu_decan_session_keep() - store the counts of a variant in DECAN's session
 * @session: @session->group is the event group that was counted
 * @cells: output: memory of the session for the counts of the variant, [slot of the group]
 * @counts: counts of the group's events, [slot of the group]
 */
void bpmu_decan_session_keep(const struct bpmu_decan_session *session,
			     struct bpmu_cell *cells, const double counts[])
{
	unsigned int i;

	for (i = 0; i < session->group.sched.nr; i++)
		cells[i] = (struct bpmu_cell){
			.count = counts[i], .running = 1, .slices = 1,
		};
}

/**
 * bpmu_decan_session_event() - count of an event in a variant, from DECAN's session
 * @session: session in which all variants have been counted
 * @variant: index of the variant
 * @i: index of the event, 0 for the cycles
 *
 * Return: the count, NAN if it was not counted.
 */
double bpmu_decan_session_event(const struct bpmu_decan_session *session,
				unsigned int variant, unsigned int i)
{
	const struct bpmu_groups *groups = &session->type.wanted.groups;
	const struct bpmu_cell *cell = session->event +
				       (size_t)variant * groups->slots;
	const u64 enabled = cell->running;
	const struct bpmu_interval interval = {
		.cell = cell, .enabled = &enabled,
	};
	struct bpmu_estimate sum = { };

	bpmu_interval_estimate(groups, &interval, 0,
			       &session->type.wanted.events.spec[i], &sum);
	return bpmu_estimate_seen(&sum) ? sum.value : NAN;
}

/**
 * bpmu_decan_session_values() - metrics of a variant, from DECAN's session
 * @session: bpmu_decan_session_room() was called
 * @variant: index of the variant
 *
 * Return: values, [nr metrics of the tree].
 */
const struct bpmu_tree_value *
bpmu_decan_session_values(const struct bpmu_decan_session *session,
			  unsigned int variant)
{
	return session->values + (size_t)variant * session->type.tree.metrics.nr;
}

/**
 * bpmu_decan_session_eval() - evaluate the metrics of a variant in DECAN's session
 * @session: session in which all variants have been counted
 * @variant: index of the variant
 * @ticks: TSC ticks of a run of the variant
 */
void bpmu_decan_session_eval(struct bpmu_decan_session *session,
			     unsigned int variant, double ticks)
{
	const struct bpmu_tree *tree = &session->type.tree;
	struct bpmu_cell *cell = session->cell +
				 (size_t)variant * tree->groups.slots;
	const u64 enabled = ticks;
	const struct bpmu_interval interval = {
		.cell = cell, .enabled = &enabled,
		.duration = ticks / session->type.machine.tsc_hz,
	};
	unsigned int i;

	/*
	 * The event groups were not multiplexed: each group was counted in runs of its own, and
	 * during these whole runs.
	 */
	for (i = 0; i < tree->groups.slots; i++)
		if (cell[i].running)
			cell[i].running = enabled;
	bpmu_spread_eval(tree, &interval, 1, session->values +
					     (size_t)variant * tree->metrics.nr);
}
