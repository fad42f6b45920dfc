// SPDX-License-Identifier: GPL-2.0
#include "tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"

/* shares are sums of rounded numbers: less than this is not below 0 */
#define ROUNDING 0.000000001

#define MIXED (-1)

/**
 * struct view - where names get their values from
 * @tree: the tree
 * @counts: as for bpmu_tree_eval()
 * @values: of nodes, for the conditions of flags
 * @group: the group to look into, or MIXED
 */
struct view {
	const struct bpmu_tree *tree;
	const double *const *counts;
	const struct bpmu_tree_value *values;
	int group;
};

static int add_group(struct bpmu_tree *tree, const struct bpmu_pmu *pmu,
		     const struct bpmu_needs *needs, u64 events,
		     struct bpmu_error *err)
{
	struct bpmu_event_list *list = &tree->events[tree->groups.nr];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < needs->events.nr && !ret; i++)
		if (events >> i & 1)
			ret = bpmu_event_list_add(pmu, tree->smt,
						  needs->events.spec[i].text,
						  list, err);
	return ret ? ret : bpmu_groups_add(&tree->groups, list, err);
}

static int set_window(struct bpmu_tree *tree, struct bpmu_needs *needs,
		      const struct bpmu_pack *pack, unsigned int i,
		      struct bpmu_error *err)
{
	u64 events = 0;
	unsigned int g;
	int ret;

	ret = bpmu_needs_of(needs, tree->metrics.metric[i].expr, &events, err);
	tree->window[i] = MIXED;
	for (g = pack->nr; g-- > 0; )
		if (!(events & ~pack->group[g]))
			tree->window[i] = g;
	return ret;
}

static int plan(struct bpmu_tree *tree, const struct bpmu_pmu *pmu,
		struct bpmu_needs *needs, struct bpmu_error *err)
{
	struct bpmu_pack pack;
	unsigned int i;
	int ret;

	ret = bpmu_pack_groups(needs, &pack, err);
	for (i = 0; !ret && i < pack.nr; i++)
		ret = add_group(tree, pmu, needs, pack.group[i], err);
	for (i = 0; !ret && i < tree->metrics.nr; i++)
		if (bpmu_tree_shown(tree, i))
			ret = set_window(tree, needs, &pack, i, err);
	return ret;
}

static int check_level(const struct bpmu_tree *tree, const char *method,
		       struct bpmu_error *err)
{
	unsigned int deepest = 0;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (tree->metrics.metric[i].level > deepest)
			deepest = tree->metrics.metric[i].level;
	if (tree->level >= 1 && tree->level <= deepest)
		return 0;
	return bpmu_error_set(err, -ERANGE,
			      "level %u: '%s' has levels 1 to %u; choose one of these",
			      tree->level, method, deepest);
}

/**
 * bpmu_tree_init() - get ready to measure a method
 * @tree: filled in
 * @method: "topdown"
 * @pmu: as found, or made up from a part's own numbers
 * @smt: whether threads share a core
 * @level: deepest level, 1 and up
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -ENOENT if the part lacks the method, -ERANGE for a level that
 * the method lacks, -ENOSPC if it needs more counters than there are; on
 * failure nothing is to be freed.
 */
int bpmu_tree_init(struct bpmu_tree *tree, const char *method,
		   const struct bpmu_pmu *pmu, int smt, unsigned int level,
		   struct bpmu_error *err)
{
	struct bpmu_needs needs = { .nr_bundles = 0 };
	int ret;

	memset(tree, 0, sizeof(*tree));
	tree->level = level;
	tree->smt = smt;
	bpmu_groups_begin(&tree->groups, pmu);
	ret = bpmu_metrics_builtin(&tree->metrics, method, pmu->part, err);
	if (!ret)
		ret = check_level(tree, method, err);
	if (!ret) {
		tree->window = calloc(tree->metrics.nr, sizeof(*tree->window));
		if (!tree->window)
			ret = bpmu_error_set(err, -ENOMEM,
					     "metrics: no memory; free some");
	}
	if (!ret)
		ret = bpmu_needs_init(&needs, &tree->metrics, pmu, smt, level,
				      err);
	if (!ret)
		ret = plan(tree, pmu, &needs, err);
	bpmu_needs_free(&needs);
	if (ret)
		bpmu_tree_free(tree);
	return ret;
}

/**
 * bpmu_tree_free() - undo bpmu_tree_init()
 * @tree: the tree
 *
 * Context: any.
 */
void bpmu_tree_free(struct bpmu_tree *tree)
{
	unsigned int g;

	bpmu_groups_free(&tree->groups);
	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		bpmu_event_list_free(&tree->events[g]);
	bpmu_metrics_free(&tree->metrics);
	free(tree->window);
	memset(tree, 0, sizeof(*tree));
}

/**
 * bpmu_tree_shown() - is a line a node of a level that was asked for
 * @tree: the tree
 * @i: number of a metric
 *
 * Context: any.
 * Return: false for definitions and deeper nodes.
 */
bool bpmu_tree_shown(const struct bpmu_tree *tree, unsigned int i)
{
	const struct bpmu_metric *metric = &tree->metrics.metric[i];

	return metric->level >= 1 && metric->level <= tree->level;
}

static struct bpmu_value count_of(const struct view *view, unsigned int g,
				  const char *name)
{
	const struct bpmu_event_list *events = &view->tree->events[g];
	struct bpmu_value value = { .known = false };
	unsigned int i;

	for (i = 0; i < events->nr; i++) {
		if (strcmp(events->spec[i].text, name))
			continue;
		value.number = view->counts[g] ? view->counts[g][i] : NAN;
		value.known = !isnan(value.number);
	}
	return value;
}

static bool has_event(const struct bpmu_tree *tree, unsigned int g,
		      const char *name)
{
	const struct bpmu_event_list *events = &tree->events[g];
	unsigned int i;

	for (i = 0; i < events->nr; i++)
		if (!strcmp(events->spec[i].text, name))
			return true;
	return false;
}

static struct bpmu_value lookup(void *ctx, const char *name);

static struct bpmu_value clock_ticks(const struct view *view, unsigned int g)
{
	const struct bpmu_metrics *metrics = &view->tree->metrics;
	struct bpmu_value one = { .known = true, .number = 1 };
	struct view inside = *view;
	unsigned int i;

	inside.group = g;
	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].clock)
			return bpmu_expr_eval(metrics->metric[i].expr, lookup,
					      &inside);
	return one;
}

/* groups ran at different times: what they have in common is the clock */
static struct bpmu_value count_per_clock(const struct view *view,
					 const char *name)
{
	struct bpmu_value none = { .known = false };
	struct bpmu_value ticks;
	struct bpmu_value count;
	unsigned int g;

	for (g = 0; g < view->tree->groups.nr; g++) {
		if (!has_event(view->tree, g, name))
			continue;
		count = count_of(view, g, name);
		ticks = clock_ticks(view, g);
		if (!count.known || !ticks.known || ticks.number == 0)
			return none;
		count.number /= ticks.number;
		return count;
	}
	return none;
}

static struct bpmu_value lookup(void *ctx, const char *name)
{
	const struct view *view = ctx;
	const struct bpmu_metrics *metrics = &view->tree->metrics;
	struct bpmu_value value = { .known = true };
	int i = bpmu_metrics_find(metrics, name);

	if (i >= 0)
		return bpmu_expr_eval(metrics->metric[i].expr, lookup, ctx);
	if (!strcmp(name, "SMT")) {
		value.number = view->tree->smt;
		return value;
	}
	if (view->group == MIXED)
		return count_per_clock(view, name);
	return count_of(view, view->group, name);
}

static struct bpmu_value lookup_node(void *ctx, const char *name)
{
	const struct view *view = ctx;
	struct bpmu_value value = { .known = false };
	int i = bpmu_metrics_find(&view->tree->metrics, name);

	if (i < 0 || !bpmu_tree_shown(view->tree, i))
		return value;
	value.known = view->values[i].known;
	value.number = view->values[i].value;
	return value;
}

static void judge(struct view *view, unsigned int i,
		  struct bpmu_tree_value *value)
{
	const struct bpmu_metric *metric = &view->tree->metrics.metric[i];
	struct bpmu_value over;

	if (!value->known)
		return;
	if (metric->unit)
		value->impossible = value->value < -ROUNDING ||
				    value->value > 1 + ROUNDING;
	if (!metric->flag ||
	    (metric->parent >= 0 && !view->values[metric->parent].flagged))
		return;
	over = bpmu_expr_eval(metric->flag, lookup_node, view);
	value->flagged = over.known && over.number != 0;
}

/**
 * bpmu_tree_eval() - the values of all metrics
 * @tree: the tree
 * @counts: for each group, for each of its events, what bpmu_sched_count()
 *	says; NAN for an event without count, NULL for a group without
 * @values: filled in, one for each of @tree->metrics; a line that is not shown
 *	has no value
 *
 * Context: any.
 */
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values)
{
	struct view view = { .tree = tree, .counts = counts, .values = values };
	struct bpmu_value value;
	unsigned int i;

	memset(values, 0, tree->metrics.nr * sizeof(*values));
	for (i = 0; i < tree->metrics.nr; i++) {
		if (!bpmu_tree_shown(tree, i))
			continue;
		view.group = tree->window[i];
		value = bpmu_expr_eval(tree->metrics.metric[i].expr, lookup,
				       &view);
		values[i].known = value.known;
		values[i].value = value.number;
	}
	for (i = 0; i < tree->metrics.nr; i++)
		if (bpmu_tree_shown(tree, i))
			judge(&view, i, &values[i]);
}
