/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree of metrics on a PMU: which events it needs, in which groups, and its
 * values once these are counted.
 *
 *   bpmu_tree_init(&tree, "topdown", &pmu, smt, level, &err);
 *   measure tree.groups: bpmu_spread_eval(&tree, &interval, nr_cpus, values);
 *   or fill counts[g][i] for each event i of tree.events[g]:
 *   bpmu_tree_eval(&tree, counts, values);
 *   for each metric i of which tree.shown[i]: print values[i]
 *   bpmu_tree_free(&tree);
 */
#ifndef BPMU_TREE_H
#define BPMU_TREE_H

#include <stdbool.h>

#include "errata.h"
#include "event/event.h"
#include "event/groups.h"
#include "metric/metric.h"
#include "metric/metric_pack.h"
#include "metric/metric_program.h"

#define BPMU_TREE_GROUPS BPMU_PACK_GROUPS

/* a level below all others */
#define BPMU_TREE_ALL (~0U)

/**
 * struct bpmu_tree_value - a metric's value
 * @known: false if an event is missing or a divisor is 0: print "no value"
 * @value: as computed, never clamped; only if @known
 * @uncertainty: half of the 95 % interval of @value: 0 if it is exact, INFINITY
 *	if nothing is known of it
 * @longer: seconds to measure at least, as its groups had too few slices for
 *	a verdict; 0 if they had enough
 * @flagged: over its threshold by more than its uncertainty, and so are all
 *	nodes above it
 * @alone: it is flagged whatever the values of deeper nodes are
 * @maybe: it is not, but would be somewhere in its 95 % interval or in that of a
 *	node as deep as itself or less
 * @flags: mask of &enum bpmu_value_flag
 */
struct bpmu_tree_value {
	bool known;
	double value;
	double uncertainty;
	double longer;
	bool flagged;
	bool alone;
	bool maybe;
	unsigned int flags;
};

/**
 * struct bpmu_tree_wish - parameters of a tree
 * @method: "topdown"; not used with @lines
 * @lines: these lines instead of the method's; they stay the caller's, outlive
 *	the tree, and with @cpi get one more
 * @wanted: nodes whose values are needed; NULL for all
 * @wanted_ctx: passed to @wanted
 * @errata: errata of the CPU, or NULL
 * @pmu: as found, or made up from a part's own numbers
 * @smt: whether threads share a core
 * @level: deepest level, 1 and up, or BPMU_TREE_ALL
 * @extra: nodes beyond the method's own too
 * @siblings: both threads of some core are measured
 * @arb_both: the arbiter's counter 1 counts occupancy too
 * @cpi: cycles per instruction are wanted too
 * @apart: others have counted: one group of all events, on no counters
 * @given: with @apart, also events that cannot be counted here
 */
struct bpmu_tree_wish {
	const char *method;
	struct bpmu_metrics *lines;
	bool (*wanted)(void *ctx, const struct bpmu_metric *metric);
	void *wanted_ctx;
	const struct bpmu_errata_cpu *errata;
	const struct bpmu_pmu *pmu;
	int smt;
	unsigned int level;
	bool extra;
	bool siblings;
	bool arb_both;
	bool cpi;
	bool apart;
	bool given;
};

/**
 * struct bpmu_tree - a method, down to some level, on a PMU
 * @metrics: lines of the method, nodes and definitions; values go by their
 *	numbers
 * @borrowed: @metrics are the caller's
 * @shown: whether the metric is a node that was asked for, [nr metrics]
 * @share: whether the metric is a fraction, from 0 to 1, [nr metrics]
 * @errata: errata that touch the metric, [nr metrics]
 * @touched: some touch a node that is shown
 * @level: deepest level asked for
 * @extra: nodes beyond the method's own too
 * @events: events, [group]
 * @event_slots: slots of @groups that count these events, [@nr_groups][events];
 *	none if others have counted them
 * @counts: counts of these events in an interval, [@nr_groups][events], set by
 *	bpmu_spread_eval(); NAN if not counted
 * @nr_groups: number of groups
 * @groups: groups of events on counters; none if others have counted them
 * @window: group that holds all events of the metric, or BPMU_VIEW_MIXED: then
 *	each count is taken per clock of its own group, [nr metrics]
 * @smt: as given
 * @cpi: line of the cycles per instruction, or -1
 * @program: computes the values
 * @slot: slots of @program, zero except for constants
 * @value_slot: slot of the metric's value, or 0, [nr metrics]
 * @flag_slot: slot of the metric's flag, or 0, [nr metrics]
 * @alone_slot: slots of the program that evaluates its flag without deeper
 *	nodes
 * @first_flag: statement of @program that computes the first flag; all behind it do
 *	too
 */
struct bpmu_tree {
	struct bpmu_metrics metrics;
	bool borrowed;
	bool *shown;
	bool *share;
	struct bpmu_errata *errata;
	bool touched;
	unsigned int level;
	bool extra;
	struct bpmu_event_list events[BPMU_TREE_GROUPS];
	struct bpmu_slots *event_slots[BPMU_TREE_GROUPS];
	double *counts[BPMU_TREE_GROUPS];
	unsigned int nr_groups;
	struct bpmu_groups groups;
	int *window;
	int smt;
	int cpi;
	struct bpmu_program program;
	struct bpmu_value *slot;
	int *value_slot;
	int *flag_slot;
	int *alone_slot;
	unsigned int first_flag;
};

int bpmu_tree_init(struct bpmu_tree *tree, const char *method,
		   const struct bpmu_pmu *pmu, int smt, unsigned int level,
		   struct bpmu_error *err);
int bpmu_tree_make(struct bpmu_tree *tree, const struct bpmu_tree_wish *wish,
		   struct bpmu_error *err);
void bpmu_tree_free(struct bpmu_tree *tree);
const struct bpmu_event_spec *
bpmu_tree_event(const struct bpmu_tree *tree,
		const struct bpmu_event_spec *spec);
int bpmu_tree_beside(const struct bpmu_tree *tree, const struct bpmu_pmu *pmu,
		     int smt, struct bpmu_event_list *events,
		     struct bpmu_event_list *beside);
void bpmu_tree_set(struct bpmu_tree *tree, enum bpmu_metric_constant constant,
		   double number);
void bpmu_tree_compute(const struct bpmu_tree *tree,
		       const double *const *counts,
		       struct bpmu_tree_value *values);
void bpmu_tree_judge(const struct bpmu_tree *tree,
		     struct bpmu_tree_value *values);
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values);

#endif /* BPMU_TREE_H */
