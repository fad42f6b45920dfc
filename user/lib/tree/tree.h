/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree of metrics on a PMU: its events, their groups, and its values from their counts.
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

/*
 * Index in &bpmu_tree.events of the events that all groups of a bank have in common; a bank is the
 * counters of the cores, or those of one kind of uncore unit
 */
#define BPMU_TREE_TOTAL(bank) BPMU_PACK_TOTAL(bank)

/* a level deeper than all others */
#define BPMU_TREE_ALL (~0U)

/**
 * struct bpmu_tree_value - a metric's value
 * @known: false if an event is missing or a divisor is 0: print "no value"
 * @value: as computed, never clamped; only if @known
 * @uncertainty: half-width of the 95 % confidence interval of @value: 0 if it is exact, INFINITY if
 *	it is unknown
 * @freedom: degrees of freedom of @uncertainty, if that is finite and above 0
 * @longer: 0, unless the groups of the metric were multiplexed and had too few rotation slices to
 *	compute a confidence interval; then the measurement time in seconds that gives enough slices
 * @runs: number of measurements as long as this one that together take @longer; 0 if the length of
 *	this measurement is unknown
 * @flagged: the value exceeds the threshold of the node by more than @uncertainty, and all nodes
 *	above this node are flagged, too
 * @alone: the node would be flagged in a tree without deeper nodes as well
 * @maybe: the node is not flagged. It would be flagged if its value, or the value of a node that is
 *	not deeper, were another value of its 95 % confidence interval
 * @impossible: the 95 % interval of @value lies below 0, or above the whole of which the node is a
 *	fraction, by more than what the start of one counter after another explains
 * @flags: mask of &enum bpmu_value_flag
 */
struct bpmu_tree_value {
	bool known;
	double value;
	double uncertainty;
	double freedom;
	double longer;
	double runs;
	bool flagged;
	bool alone;
	bool maybe;
	bool impossible;
	unsigned int flags;
};

/**
 * struct bpmu_tree_tried - a metric's values if other counts take the place of a group's counts
 * @metric: number of the metric
 * @value: values of the metric with the counts in &bpmu_tree.other, in the same order,
 *	[BPMU_REPLICATES]; NAN for no value
 */
struct bpmu_tree_tried {
	unsigned int metric;
	double value[BPMU_REPLICATES];
};

/**
 * struct bpmu_tree_wish - parameters of a tree
 * @method: name of the method, such as "topdown"; not used with @lines
 * @lines: metrics to use instead of those of @method; the caller owns them and must keep them until
 *	the tree is freed. If @cpi is true, the cycles per instruction are added to them
 * @wanted: returns true for nodes whose values are needed; NULL for all
 * @wanted_ctx: context of @wanted
 * @errata: errata of the CPU, or NULL
 * @counted: groups that a recording or another session has counted, if values are computed from
 *	these counts; NULL to choose groups that can be counted
 * @pmu: PMU of the CPUs, or a PMU with the CPU model's default numbers of counters
 * @smt: whether threads share a core
 * @level: deepest level, from 1, or BPMU_TREE_ALL
 * @extra: include nodes that are not part of the published method
 * @siblings: both threads of some core are measured
 * @arb_both: counter 1 of the arbiter can count occupancy events, as counter 0 can
 * @cpi: include the cycles per instruction, or per unit of work
 * @work: with @cpi, number of units of work; 0 for instructions
 * @beside: names of events to count in addition if they fit into the groups, ended by NULL; or NULL
 * @apart: counts are from another tool; the tree then has a single group with all events, which
 *	have no counters
 * @given: with @apart, include events that cannot be counted on @pmu
 */
struct bpmu_tree_wish {
	const char *method;
	struct bpmu_metrics *lines;
	bool (*wanted)(void *ctx, const struct bpmu_metric *metric);
	void *wanted_ctx;
	const struct bpmu_errata_cpu *errata;
	const struct bpmu_groups *counted;
	const struct bpmu_pmu *pmu;
	int smt;
	unsigned int level;
	bool extra;
	bool siblings;
	bool arb_both;
	bool cpi;
	double work;
	const char *const *beside;
	bool apart;
	bool given;
};

/**
 * struct bpmu_tree - the metrics of a method, down to some level, and their events on a PMU
 * @metrics: lines of the method: nodes and definitions
 * @borrowed: @metrics are owned by the caller
 * @shown: whether the metric is a requested node, [nr metrics]
 * @share: whether the metric is a fraction, from 0 to 1, [nr metrics]
 * @whole: largest value of a share: 1, or 100 if it is in per cent as in Intel's files; 0 for a
 *	metric that is no share; [nr metrics]
 * @kind: two metrics that are shown can be compared if this number is the same, because they have
 *	the same unit, [nr metrics]
 * @rooted: some root that is shown has children, even if these are deeper than @level. Roots
 *	without children are then single metrics
 * @competes: whether the metric takes part in the verdict, [nr metrics]
 * @errata: errata that affect the metric, [nr metrics]
 * @banks: mask of BPMU_BIT(&enum bpmu_bank_id) of the events of the metric, 0 if the metric is not
 *	shown, [nr metrics]
 * @touched: some erratum affects a node that is shown
 * @apart: as in &struct bpmu_tree_wish
 * @fields: the CPU model has PERF_METRICS
 * @level: deepest requested level
 * @extra: as in &struct bpmu_tree_wish
 * @events: events of each group, [group]. If a bank (the counters of the cores, or those of one
 *	kind of uncore unit) has several groups, BPMU_TREE_TOTAL(bank) is the index of the events
 *	that all these groups have. The counts at this index are of the whole time
 * @event_slots: counters of @groups that count @events, [@nr_groups][events]; none if counts are
 *	from another tool
 * @total_slots: counters of @groups that count the @events of BPMU_TREE_TOTAL(), [bank][events]
 * @counts: counts of @events in an interval, set by bpmu_spread_eval(); NAN if not counted
 * @nr_groups: number of groups. After bpmu_tree_join() some of them may have none of @events,
 *	because they count only the events that were joined
 * @groups: groups of events on counters; none if counts are from another tool
 * @window: [nr metrics], group from which the counts of the metric are taken, because it has all
 *	events of the metric. BPMU_TREE_TOTAL(bank) if all groups of the bank have them.
 *	BPMU_VIEW_MIXED if no group has them all: each count is then divided by the clock of its own
 *	group
 * @smt: whether threads share a core
 * @cpi: index of the line with the cycles per instruction or unit of work, or -1
 * @work: as in &struct bpmu_tree_wish
 * @program: compiled formulas that compute the values and flags; a slot is a variable in it
 * @slot: values of the slots of @program; initially 0 except for constants
 * @value_slot: slot of the metric's value, or 0, [nr metrics]
 * @valued: the metrics that have a value: those with a @value_slot, in order, [@nr_valued]. They
 *	are few where the method has many nodes below @level
 * @nr_valued: number of @valued
 * @flag_slot: slot of the metric's flag, or 0, [nr metrics]
 * @alone_slot: slot of the metric's flag as it would be in a tree without deeper nodes, or 0, [nr
 *	metrics]
 * @first_flag: statement of @program that computes the first flag; all later statements compute
 *	flags, too
 * @node: metric whose value or flag a statement of @program computes, or -1
 * @reach: statements before @first_flag that depend on the counts of @events, [BPMU_TREE_GROUPS]
 * @flags: statements that compute flags from the value of the metric, [nr metrics]
 * @flag_statements: memory for the statements in @flags
 * @flag_number: &bpmu_reach.number of all @flags. It has the results of flags. bpmu_tree_judge()
 *	sets the values of one metric at a time in it
 * @replicates: several values of a slot of @program, [slot]
 * @other: further counts of the events of a group, from which bpmu_tree_compute() computes further
 *	values. The caller of bpmu_tree_compute() sets these counts to finite numbers, or NAN for no
 *	count. They are in @replicates, and keep their values,
 *	[BPMU_TREE_GROUPS][events][BPMU_REPLICATES]
 * @tried: the metrics that depend on the counts of a group, with their values from @other,
 *	[BPMU_TREE_GROUPS][nr_tried]
 * @nr_tried: number of @tried of a group, [BPMU_TREE_GROUPS]
 */
struct bpmu_tree {
	struct bpmu_metrics metrics;
	bool borrowed;
	bool *shown;
	bool *share;
	double *whole;
	unsigned int *kind;
	bool rooted;
	bool *competes;
	struct bpmu_errata *errata;
	unsigned int *banks;
	bool touched;
	bool apart;
	bool fields;
	unsigned int level;
	bool extra;
	struct bpmu_event_list events[BPMU_TREE_GROUPS];
	struct bpmu_slots *event_slots[BPMU_TREE_GROUPS];
	struct bpmu_event_slots *total_slots[BPMU_BANKS];
	double *counts[BPMU_TREE_GROUPS];
	unsigned int nr_groups;
	struct bpmu_groups groups;
	int *window;
	int smt;
	int cpi;
	double work;
	struct bpmu_program program;
	struct bpmu_value *slot;
	int *value_slot;
	unsigned int *valued;
	unsigned int nr_valued;
	int *flag_slot;
	int *alone_slot;
	unsigned int first_flag;
	int *node;
	struct bpmu_reach *reach;
	struct bpmu_reach *flags;
	unsigned int *flag_statements;
	double **flag_number;
	bpmu_replicates *replicates;
	bpmu_replicates *other[BPMU_TREE_GROUPS];
	struct bpmu_tree_tried *tried[BPMU_TREE_GROUPS];
	unsigned int nr_tried[BPMU_TREE_GROUPS];
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
int bpmu_tree_join(struct bpmu_tree *tree, const struct bpmu_event_list *events,
		   bool together, struct bpmu_error *err);
void bpmu_tree_set(struct bpmu_tree *tree, enum bpmu_metric_constant constant,
		   double number);
void bpmu_tree_compute(const struct bpmu_tree *tree,
		       const double *const *counts, const unsigned int *others,
		       struct bpmu_tree_value *values);
double bpmu_tree_half_width(const struct bpmu_tree_value *value);
void bpmu_tree_judge(const struct bpmu_tree *tree,
		     struct bpmu_tree_value *values);
void bpmu_tree_eval(const struct bpmu_tree *tree, const double *const *counts,
		    struct bpmu_tree_value *values);

#endif /* BPMU_TREE_H */
