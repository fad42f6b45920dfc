// SPDX-License-Identifier: GPL-2.0
/*
 * "barepmu stat" on two core types: each counts those requested events that it has,
 * in one session.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recording_session.h"
#include "stat.h"

/**
 * struct sharing - events that are being assigned to core types
 * @stat: call of the first core type
 * @other: call of the second core type
 * @first: events of the first core type
 * @second: events of the second core type
 */
struct sharing {
	struct bpmu_stat *stat;
	struct bpmu_stat *other;
	struct bpmu_wanted first;
	struct bpmu_wanted second;
};

/*
 * Checks if a core type has an event. @shared: set to true if the counters of the event are shared
 * by the package, so that only CPUs of the first core type read them.
 */
static int try_event(const struct bpmu_target *target, const char *event,
		     bool *shared, struct bpmu_error *err)
{
	struct bpmu_event_list list = { };
	int code;

	code = bpmu_event_list_parse(&target->info.pmu, target->smt, event,
				     &list, err);
	if (!code)
		*shared = bpmu_bank_is_shared(
			bpmu_unit_facts[list.spec[0].term[0].unit].bank);
	bpmu_event_list_free(&list);
	return code;
}

static int share_event(void *data, const char *event, struct bpmu_error *err)
{
	struct sharing *s = data;
	struct bpmu_error why;
	bool shared = false;
	int first, second;
	int code = 0;

	first = try_event(&s->stat->target, event, &shared, err);
	second = try_event(&s->other->target, event, &shared, &why);
	if (first == -EXDEV && second) {
		*err = why;
		return second;
	}
	if (first && (second || shared))
		return first;
	if (first)
		bpmu_target_note_alone(first, err, &s->other->target);
	else
		code = bpmu_wanted_add(&s->first, event, err);
	if (second)
		bpmu_target_note_alone(second, &why, &s->stat->target);
	else if (!code && !shared)
		code = bpmu_wanted_add(&s->second, event, err);
	return code;
}

static int share_events(struct bpmu_stat *stat, struct bpmu_stat *other,
			struct bpmu_error *err)
{
	struct sharing sharing = { .stat = stat, .other = other };
	int code;

	code = bpmu_event_list_each(stat->wanted.text ?: BPMU_WANTED_DEFAULT,
				    share_event, &sharing, err);
	free(stat->wanted.text);
	stat->wanted.text = sharing.first.text;
	other->wanted.text = sharing.second.text;
	return code;
}

static int copy_metrics_request(struct bpmu_stat *to, const struct bpmu_stat *from,
				struct bpmu_error *err)
{
	to->wanted.together = from->wanted.together;
	return bpmu_choice_copy(&to->choice, &from->choice, err);
}

/* Checks if one of two core types can measure the metrics; returns 0 or the error. */
static int try_metrics(const struct bpmu_stat *stat,
		       const struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_stat trial = { .target = *target };
	int code;

	trial.target.client = stat->target.client;
	code = copy_metrics_request(&trial, stat, err);
	if (!code)
		code = bpmu_stat_schedule(&trial, err);
	if (!code && target != &stat->target)
		code = bpmu_target_check_other(target, trial.groups, err);
	bpmu_stat_release(&trial);
	return code;
}

static void move_metrics(struct bpmu_stat *to, struct bpmu_stat *from)
{
	to->choice = from->choice;
	memset(&from->choice, 0, sizeof(from->choice));
}

static int share_metrics(struct bpmu_stat *stat, struct bpmu_stat *other,
			 struct bpmu_error *err)
{
	struct bpmu_error why;
	int first, second;

	first = try_metrics(stat, &stat->target, err);
	second = try_metrics(stat, &other->target, &why);
	if (first && second)
		return first;
	if (!first && !second)
		return copy_metrics_request(other, stat, err);
	/*
	 * Events of -e may exist on the other core type only: refuse to choose one core type
	 * silently.
	 */
	if (stat->wanted.text || other->wanted.text)
		return bpmu_target_choose(&stat->target, &other->target, err);
	bpmu_target_note_alone(first ? first : second, first ? err : &why,
			       first ? &other->target : &stat->target);
	if (first)
		move_metrics(other, stat);
	return 0;
}

static bool has_nothing(const struct bpmu_stat *stat)
{
	return !stat->wanted.text && !bpmu_stat_has_metrics(stat);
}

static void swap_core_types(struct bpmu_stat *stat, struct bpmu_stat *other)
{
	bpmu_target_swap(&stat->target, &other->target);
	stat->wanted.text = other->wanted.text;
	other->wanted.text = NULL;
	move_metrics(stat, other);
}

/**
 * bpmu_stat_share() - assign the events and metrics of stat to the two core types of a hybrid part
 * @stat: with targets, the first with the whole request; each gets what its core
 *	type has
 *
 * An event or metric that only one core type has is counted there, with a note. If
 * one of them has nothing to count, the first call gets the other one.
 *
 * Return: 0, -EINVAL if both cannot be measured at once, or the error of an event or
 * metric that neither of them has.
 */
int bpmu_stat_share(struct bpmu_stat stat[BPMU_CORE_TYPES], struct bpmu_error *err)
{
	struct bpmu_stat *other = &stat[1];
	unsigned int k;
	int code = 0;

	if (stat->choice.events || stat->prefetchers)
		return bpmu_target_choose(&stat->target, &other->target, err);
	other->options = stat->options;
	other->by = stat->by;
	other->repeat = stat->repeat;
	other->compact = stat->compact;
	other->metric_only = stat->metric_only;
	other->wanted.together = stat->wanted.together;
	if (stat->wanted.text || !bpmu_stat_has_metrics(stat))
		code = share_events(stat, other, err);
	if (!code && bpmu_stat_has_metrics(stat))
		code = share_metrics(stat, other, err);
	if (code)
		return code;
	if (has_nothing(stat))
		swap_core_types(stat, other);
	if (has_nothing(other))
		return 0;
	stat->others = 1;
	for (k = 0; k < BPMU_CORE_TYPES; k++)
		stat[k].core_type = stat[k].target.info.part;
	return 0;
}

/* keeps an event of the selected CPUs; the other core type was recorded but not selected */
static int keep_event(void *data, const char *event, struct bpmu_error *err)
{
	struct sharing *s = data;
	struct bpmu_error why;
	bool shared;
	int code;

	code = try_event(&s->stat->target, event, &shared, err);
	if (!code)
		return bpmu_wanted_add(&s->first, event, err);
	if (try_event(&s->other->target, event, &shared, &why))
		return code;
	bpmu_target_note_alone(code, err, &s->other->target);
	return 0;
}

static int keep_events(struct bpmu_stat *stat, struct bpmu_stat *other,
		       struct bpmu_error *err)
{
	struct sharing sharing = { .stat = stat, .other = other };
	int code;

	if (stat->choice.events || !stat->wanted.text)
		return 0;
	code = bpmu_event_list_each(stat->wanted.text, keep_event, &sharing,
				    err);
	free(stat->wanted.text);
	stat->wanted.text = sharing.first.text;
	if (code || stat->wanted.text)
		return code;
	return bpmu_error_set(err, -EINVAL,
		"report: none of these events was recorded on CPU %s (%s); choose recorded ones, see 'barepmu report --header'",
		stat->target.cpus_text, stat->target.info.part);
}

/**
 * bpmu_stat_open() - connect stat to the module, and split the request by a hybrid's core types
 * @stat: calls, [core type], the first with options; targets are set
 */
int bpmu_stat_open(struct bpmu_stat stat[BPMU_CORE_TYPES], struct bpmu_error *err)
{
	struct bpmu_stat *other = &stat[1];
	int code;

	code = bpmu_session_open_core_types(&stat->target, &stat->options,
					    &other->target, err);
	if (code || !other->target.cpus_text)
		return code;
	return other->target.cpus.nr ? bpmu_stat_share(stat, err) :
				       keep_events(stat, other, err);
}

/* Puts the name of the core type into the labels of rows, which would be ambiguous otherwise. */
static int name_rows(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_row *row;
	char *label;
	unsigned int i;

	for (i = 0; i < stat->rows.nr; i++) {
		row = &stat->rows.row[i];
		if (asprintf(&label, "%s %s", stat->core_type, row->label) < 0)
			return bpmu_error_no_memory(err, "rows");
		free(row->label);
		row->label = label;
	}
	return 0;
}

static int prepare_core_type(struct bpmu_stat *stat, struct bpmu_error *err)
{
	int code;

	code = bpmu_session_rows(&stat->target, &stat->options, stat->by,
				 &stat->rows, err);
	if (!code && stat->core_type && (stat->repeat || stat->options.sums))
		code = name_rows(stat, err);
	return code ? code : bpmu_stat_schedule(stat, err);
}

/**
 * bpmu_stat_prepare() - make the rows and schedule the events of stat on all core types of a hybrid
 * @stat: opened
 */
int bpmu_stat_prepare(struct bpmu_stat *stat, struct bpmu_error *err)
{
	unsigned int k;
	int code = 0;

	for (k = 0; k <= stat->others && !code; k++)
		code = prepare_core_type(&stat[k], err);
	return code;
}

/**
 * bpmu_stat_core_types() - add all core types of a hybrid part to stat's measurement
 * @stat: prepared
 * @measure: gets the groups and the CPUs of each core type
 * @targets: zeroed; set to the targets, [core type]
 *
 * Return: the CPUs of @measure, to be freed after the measurement, or NULL without memory.
 */
u32 *bpmu_stat_core_types(const struct bpmu_stat *stat, struct bpmu_measure *measure,
			  const struct bpmu_target *targets[BPMU_CORE_TYPES],
			  struct bpmu_error *err)
{
	unsigned int k;
	u32 *cpus;

	for (k = 0; k <= stat->others; k++) {
		measure->groups[k] = stat[k].groups;
		targets[k] = &stat[k].target;
	}
	cpus = bpmu_target_list(targets, measure->first, &measure->nr_cpus, err);
	measure->cpus = cpus;
	return cpus;
}
