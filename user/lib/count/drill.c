// SPDX-License-Identifier: GPL-2.0
#include "drill.h"

#include <errno.h>
#include <stdlib.h>

static bool open_above(const struct bpmu_drill *drill, unsigned int i)
{
	int parent = drill->tree->metrics.metric[i].parent;

	return parent < 0 || drill->open[parent];
}

/*
 * Sets @drill->wanted, which tells if a node of the metric tree is to be measured. That is true for
 * the nodes of level 1, and for the children of an expanded node (@drill->open). One pass
 * suffices, because a node precedes its children in the tree.
 */
static void drill_want(struct bpmu_drill *drill)
{
	unsigned int i;

	for (i = 0; i < drill->tree->metrics.nr; i++)
		drill->wanted[i] = drill->tree->shown[i] && open_above(drill, i);
}

/**
 * bpmu_drill_init() - start a drill-down with level 1
 * @drill: filled in; free it with bpmu_drill_free(), also after an error
 * @tree: tree of all nodes that may be measured; must outlive @drill
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_drill_init(struct bpmu_drill *drill, const struct bpmu_tree *tree,
		    struct bpmu_error *err)
{
	unsigned int nr = tree->metrics.nr;

	drill->tree = tree;
	drill->wanted = calloc(nr, sizeof(*drill->wanted));
	drill->open = calloc(nr, sizeof(*drill->open));
	drill->calm = calloc(nr, sizeof(*drill->calm));
	if (!drill->wanted || !drill->open || !drill->calm)
		return bpmu_error_no_memory(err, "topdown");
	drill_want(drill);
	return 0;
}

/**
 * bpmu_drill_free() - free the state of a drill-down
 * @drill: from bpmu_drill_init(), even if that function failed
 */
void bpmu_drill_free(struct bpmu_drill *drill)
{
	free(drill->wanted);
	free(drill->open);
	free(drill->calm);
}

/**
 * bpmu_drill_open() - expand or collapse a node of a drill-down: measure its children or not
 * @drill: state of the drill-down; &bpmu_drill.wanted is updated
 * @i: index of the node
 * @open: true to expand the node, false to collapse it and all nodes below it
 */
void bpmu_drill_open(struct bpmu_drill *drill, unsigned int i, bool open)
{
	drill->open[i] = open;
	drill->calm[i] = 0;
	for (i = 0; i < drill->tree->metrics.nr; i++)
		drill->open[i] &= open_above(drill, i);
	drill_want(drill);
}

/**
 * bpmu_drill_is_done() - check if a drill-down measures now the nodes that it is to measure
 * @drill: state of the drill-down, with the nodes that are to be measured next
 * @step: tree of the nodes that are measured now
 *
 * Return: true if both are the same nodes, so that the measurement goes on without a change.
 */
bool bpmu_drill_is_done(const struct bpmu_drill *drill,
			const struct bpmu_tree *step)
{
	unsigned int i;

	for (i = 0; i < step->metrics.nr; i++)
		if (drill->wanted[i] != step->shown[i])
			return false;
	return true;
}

/*
 * Expands or collapses a node according to its value in an interval. A node without a value stays
 * as it is. A node is expanded if it is flagged, or if the confidence interval of its value
 * includes the threshold. Later intervals may collapse the node again.
 */
static void drill_judge(struct bpmu_drill *drill, unsigned int i,
			const struct bpmu_tree_value *value)
{
	if (value->flagged || value->flags & BPMU_VALUE_UNDECIDED) {
		drill->open[i] = true;
		drill->calm[i] = 0;
	} else if (value->known &&
		   ++drill->calm[i] >= BPMU_DRILL_PATIENCE) {
		drill->open[i] = false;
	}
	drill->open[i] &= drill->wanted[i] && open_above(drill, i);
}

/**
 * bpmu_drill_judge() - let a drill-down choose, by the values of an interval, what to measure next
 * @drill: state of the drill-down; &bpmu_drill.wanted is updated
 * @values: values of the interval, from bpmu_tree_eval(); nodes that were not measured
 *	have no value
 *
 * If a node is flagged as a bottleneck, its children are measured from then on. They are no longer
 * measured after %BPMU_DRILL_PATIENCE intervals in which the node was not flagged, or in which one
 * of its ancestors was not flagged.
 */
void bpmu_drill_judge(struct bpmu_drill *drill,
		      const struct bpmu_tree_value *values)
{
	unsigned int i;

	for (i = 0; i < drill->tree->metrics.nr; i++)
		drill_judge(drill, i, &values[i]);
	drill_want(drill);
}

/**
 * bpmu_drill_wants() - check if a drill-down is to measure a node from now on
 * @drill: state of the drill-down, a &struct bpmu_drill
 * @metric: a node of the drill-down's tree
 *
 * Return: true if bpmu_drill_judge() or bpmu_drill_open() has chosen the node.
 */
bool bpmu_drill_wants(void *drill, const struct bpmu_metric *metric)
{
	const struct bpmu_drill *d = drill;

	return d->wanted[metric - d->tree->metrics.metric];
}
