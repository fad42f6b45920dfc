// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules what "barepmu topdown" measures: the tree of each core type on its counters, all in one
 * session.
 */
#include <errno.h>
#include <stdlib.h>

#include "recording_session.h"
#include "topdown.h"

static int refuse_multiplexed(const struct bpmu_tree *tree, struct bpmu_error *err)
{
	unsigned int groups = bpmu_groups_most(&tree->groups);

	if (groups < 2)
		return 0;
	return bpmu_error_set(err, -ENOSPC,
			      "level %u: needs %u groups of events, which would be multiplexed; see --groups, choose a lower level, or drop --no-multiplex",
			      tree->level, groups);
}

/*
 * events that are recorded together with those of the tree, so that "barepmu report" can compute,
 * for example, IPC
 */
static const char *const recorded_beside[] = { "cycles", "instructions", NULL };

static int topdown_prepare_type(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_topdown *t = data;
	int code = bpmu_core_type_load_whole(type, err);

	if (code)
		return code;
	type->wish = (struct bpmu_tree_wish){
		.extra = t->extra, .cpi = t->cpi, .work = t->work, .level = t->level,
		.beside = t->options.recorder ? recorded_beside : NULL,
	};
	if (!t->level)
		type->wish.level = type->choice.names || t->drill ? BPMU_TREE_ALL : 1;
	code = bpmu_core_type_tree(type, err);
	if (!code)
		code = bpmu_wanted_interrupt_all(&type->wanted.periods, &type->target,
						 &type->tree.groups, err);
	return !code && t->together ? refuse_multiplexed(&type->tree, err) : code;
}

/**
 * bpmu_topdown_schedule() - schedule the nodes that topdown measures, for all core types
 * @topdown: state of "barepmu topdown", with the requested metrics and the core types;
 *	&bpmu_topdown.view is filled in
 *
 * A core type without a tree is left out, and a message says so.
 *
 * Return: 0; -EINVAL if an option, such as --drill, allows only one core type; or the error of the
 * first core type if none has a tree.
 */
int bpmu_topdown_schedule(struct bpmu_topdown *topdown, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &topdown->analysis;
	const struct bpmu_tree *tree;
	unsigned int k;
	int code;

	code = bpmu_analysis_ask(analysis, err);
	if (!code)
		code = bpmu_analysis_keep(analysis, topdown_prepare_type, topdown, false, err);
	if (!code && (topdown->drill || topdown->alerts.nr))
		code = bpmu_analysis_choose(analysis, err);
	for (k = 0; !code && k < analysis->nr && analysis->nr > 1; k++)
		code = bpmu_wanted_interrupt_like(&analysis->type[k]->wanted.periods,
						  &analysis->type[k]->target,
						  &analysis->type[k]->tree.groups,
						  &analysis->type[!k]->tree.groups, err);
	if (code)
		return code;
	bpmu_analysis_name(analysis);
	for (k = 0; k < analysis->nr; k++)
		topdown->view[k] = (struct bpmu_topdown_view){
			.call = topdown, .type = analysis->type[k],
			.whole = bpmu_choice_is_whole(&analysis->type[k]->choice),
			.longer = bpmu_topdown_longer(topdown),
		};
	tree = &analysis->type[0]->tree;
	return bpmu_alerts_know(&topdown->alerts, &tree->metrics, tree->level, err);
}

/**
 * bpmu_topdown_open() - connect to the module, and schedule what topdown measures
 * @topdown: state of "barepmu topdown" with its options
 *
 * Return: 0 or a negative errno; the caller calls bpmu_topdown_free() in any case.
 */
int bpmu_topdown_open(struct bpmu_topdown *topdown, struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &topdown->analysis;
	unsigned int k;
	int code;

	code = bpmu_session_analyse(analysis, &topdown->options, err);
	if (!code)
		code = bpmu_topdown_schedule(topdown, err);
	for (k = 0; !code && topdown->by != BPMU_ROWS_ALL && k < analysis->nr; k++)
		code = bpmu_session_rows(&analysis->type[k]->target, &topdown->options,
					 topdown->by, analysis->type[k]->groups,
					 &analysis->type[k]->rows, err);
	return code;
}

/**
 * bpmu_topdown_free() - free all that topdown has scheduled and opened
 * @topdown: state of "barepmu topdown"; it is zeroed
 */
void bpmu_topdown_free(struct bpmu_topdown *topdown)
{
	unsigned int k;

	for (k = 0; k < BPMU_CORE_TYPES; k++) {
		if (topdown->view[k].saying)
			fclose(topdown->view[k].saying);
		free(topdown->view[k].said);
		free(topdown->view[k].verdict);
		free(topdown->view[k].values);
	}
	bpmu_analysis_free(&topdown->analysis);
	bpmu_alerts_free(&topdown->alerts);
}
