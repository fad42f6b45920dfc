// SPDX-License-Identifier: GPL-2.0
/*
 * Prepares "barepmu stat". In one session each core type counts those of the requested events and
 * metrics that it has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording_session.h"
#include "stat.h"

#define LIST_MAX 320

static int check_multiplexed(const struct bpmu_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_groups *groups = type->groups;
	char list[LIST_MAX] = "";
	size_t len = 0;
	unsigned int g, i;

	if (!type->wanted.together || bpmu_groups_most(groups) < 2)
		return 0;
	for (g = 0; g < groups->nr; g++)
		for (i = 0; i < groups->group[g].events.nr &&
		     len < sizeof(list); i++)
			len += snprintf(list + len, sizeof(list) - len,
					"%s%s", i ? "," : g ? " | " : "",
					groups->group[g].events.spec[i].text);
	return bpmu_error_set(err, -ENOSPC,
			      "metrics: their events would be multiplexed: %s%s; ask for fewer metrics, or drop --no-multiplex",
			      list, len < sizeof(list) ? "" : "...");
}

static int stat_prepare_type(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code;

	(void)data;
	if (!bpmu_stat_has_metrics(&type->choice))
		return bpmu_core_type_load_events(type, err);
	code = bpmu_core_type_load(type, err);
	if (code)
		return code;
	type->wish = (struct bpmu_tree_wish){ .level = BPMU_TREE_ALL };
	code = bpmu_core_type_tree(type, err);
	return code ? code : check_multiplexed(type, err);
}

/**
 * bpmu_stat_share() - prepare stat: give each core type the requested events and metrics it has
 * @stat: the call of "barepmu stat", with its core types
 *
 * An event that only one core type has is counted only on the CPUs of this type; a message says so.
 *
 * Return: 0; -EINVAL if the options allow only one core type; or the error of an event that no core
 * type has.
 */
int bpmu_stat_share(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &stat->analysis;
	const struct bpmu_target *target = &analysis->type[0]->target;
	const char *text = analysis->wanted.text;
	int code = 0;

	if (analysis->choice.events || stat->prefetchers)
		code = bpmu_analysis_choose(analysis, err);
	if (!code)
		code = bpmu_analysis_ask(analysis, err);
	if (!code && (text || !bpmu_stat_has_metrics(&analysis->choice)))
		code = bpmu_analysis_events(analysis, err);
	if (code || !text || analysis->nr > 1 || analysis->type[0]->wanted.text)
		return code;
	return bpmu_error_set(err, -EINVAL,
		"report: none of these events was recorded on CPU %s (%s); choose recorded ones, see 'barepmu report --header'",
		target->cpus_text, target->info.part);
}

/**
 * bpmu_stat_open() - prepare stat: connect to the module, and find the events and metrics to count
 * @stat: the call of "barepmu stat", with its options
 *
 * Return: 0 or a negative errno; the caller calls bpmu_stat_free() in any case.
 */
int bpmu_stat_open(struct bpmu_stat *stat, struct bpmu_error *err)
{
	int code = bpmu_session_analyse(&stat->analysis, &stat->options, err);

	return code ? code : bpmu_stat_share(stat, err);
}

/*
 * Adds the name of a core type to the label of each row of its CPUs, because rows of two core types
 * may have equal labels.
 */
static int name_rows(struct bpmu_core_type *type, struct bpmu_error *err)
{
	struct bpmu_row *row;
	char *label;
	unsigned int i;

	for (i = 0; i < type->rows.nr; i++) {
		row = &type->rows.row[i];
		if (asprintf(&label, "%s %s", type->name, row->label) < 0)
			return bpmu_error_no_memory(err, "rows");
		free(row->label);
		row->label = label;
	}
	return 0;
}

/* Removes core types from @analysis that have none of the requested events and metrics. */
static void drop_idle(struct bpmu_analysis *analysis)
{
	unsigned int k;

	for (k = analysis->nr; k-- && analysis->nr > 1;)
		if (!analysis->type[k]->wanted.text &&
		    !bpmu_stat_has_metrics(&analysis->type[k]->choice))
			bpmu_analysis_drop(analysis, k);
}

/**
 * bpmu_stat_schedule() - prepare stat: schedule the events and metrics of all core types
 * @stat: the call of "barepmu stat", with its core types; &bpmu_stat.view is filled in but for what
 *	depends on rows
 *
 * Metrics that only one core type has are measured only on the CPUs of this type; a message says
 * so.
 *
 * Return: 0; -EINVAL if events were requested, too, and a core type cannot count the requested
 * metrics, because its events would be left out with them; or the error of an event or metric.
 */
int bpmu_stat_schedule(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &stat->analysis;
	unsigned int k;
	int code;

	code = bpmu_analysis_keep(analysis, stat_prepare_type, stat, analysis->wanted.text, err);
	if (!code)
		bpmu_analysis_name(analysis);
	for (k = 0; k < analysis->nr && !code; k++) {
		stat->view[k].call = stat;
		stat->view[k].type = analysis->type[k];
		code = bpmu_stat_show(&stat->view[k], err);
	}
	return code;
}

/* Makes room for the values of a core type's rows, and the forms (templates) of the rows. */
static int make_stat_rows(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	const struct bpmu_core_type *type = stat->type;
	int code;

	stat->seen = calloc(type->rows.nr + 1, sizeof(*stat->seen));
	stat->values = calloc((size_t)type->rows.nr * type->tree.metrics.nr + 1,
			      sizeof(*stat->values));
	if (!stat->seen || !stat->values)
		return bpmu_error_no_memory(err, "stat");
	code = bpmu_stat_row_forms(stat, err);
	return code ? code : bpmu_stat_metric_forms(stat, err);
}

/**
 * bpmu_stat_rows() - prepare stat: make what it prints in rows
 * @stat: the call of "barepmu stat", scheduled by bpmu_stat_schedule(), with the rows of each core
 *	type
 */
int bpmu_stat_rows(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &stat->analysis;
	struct bpmu_core_type *type;
	unsigned int k;
	int code = 0;

	for (k = 0; k < analysis->nr && !code; k++) {
		type = analysis->type[k];
		if (type->name && (stat->repeat || stat->options.sums))
			code = name_rows(type, err);
		if (!code)
			code = make_stat_rows(&stat->view[k], err);
	}
	return code;
}

/**
 * bpmu_stat_prepare() - prepare stat: schedule events and make its rows (CPUs, cores, ...)
 * @stat: the call of "barepmu stat", opened by bpmu_stat_open(); all its core types are prepared
 */
int bpmu_stat_prepare(struct bpmu_stat *stat, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &stat->analysis;
	struct bpmu_core_type *type;
	unsigned int k;
	int code;

	drop_idle(analysis);
	code = bpmu_stat_schedule(stat, err);
	for (k = 0; k < analysis->nr && !code; k++) {
		type = analysis->type[k];
		code = bpmu_session_rows(&type->target, &stat->options, stat->by, type->groups,
					 &type->rows, err);
	}
	return code ? code : bpmu_stat_rows(stat, err);
}

/**
 * bpmu_stat_close() - free what was prepared for stat, except the requested events and metrics
 * @stat: the call of "barepmu stat", in any state; bpmu_stat_open() may be called again
 */
void bpmu_stat_close(struct bpmu_stat *stat)
{
	struct bpmu_stat_view *view = stat->view;
	unsigned int k;

	for (k = 0; k < BPMU_CORE_TYPES; k++, view++) {
		if (view->type)
			bpmu_stat_forms_free(view);
		free(view->shown);
		free(view->values);
		free(view->seen);
	}
	memset(stat->view, 0, sizeof(stat->view));
	bpmu_analysis_close(&stat->analysis);
}

/**
 * bpmu_stat_free() - free what was prepared for stat, and the requested events and metrics
 * @stat: the call of "barepmu stat", in any state
 */
void bpmu_stat_free(struct bpmu_stat *stat)
{
	bpmu_stat_close(stat);
	bpmu_analysis_free(&stat->analysis);
}
