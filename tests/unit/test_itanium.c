// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the metrics of Itanium 2: its CPI and the components of its stalls. barepmu does not run
 * on this CPU, and computes the metrics from counts that other tools have made. The expected values
 * were computed by hand from the formulas of the sources that arch/metrics/itanium2.bpm names.
 */

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "events.h"
#include "metric/metric_expr.h"
#include "tree/tree.h"
#include "unit.h"

#define TOLERANCE 0.0000007
#define EVENTS_MAX 32
#define METRICS_MAX 64

static const struct unit_count counts[] = {
	{ "CPU_CYCLES", 1000000 },
	{ "IA64_INST_RETIRED", 1500000 },
	{ "NOPS_RETIRED", 500000 },
	/*
	 * The count of all stalls is 6000 more than the sum of the counts of their causes, as may
	 * happen when they are counted at different times.
	 */
	{ "BACK_END_BUBBLE.ALL", 606000 },
	{ "BACK_END_BUBBLE.FE", 100000 },
	{ "BE_FLUSH_BUBBLE.ALL", 60000 },
	{ "BE_FLUSH_BUBBLE.BRU", 45000 },
	{ "BE_L1D_FPU_BUBBLE.ALL", 120000 },
	{ "BE_L1D_FPU_BUBBLE.L1D", 90000 },
	{ "BE_L1D_FPU_BUBBLE.FPU", 30000 },
	{ "BE_EXE_BUBBLE.ALL", 300000 },
	{ "BE_EXE_BUBBLE.GRALL", 220000 },
	{ "BE_EXE_BUBBLE.GRGR", 40000 },
	{ "BE_EXE_BUBBLE.FRALL", 60000 },
	{ "BE_RSE_BUBBLE.ALL", 20000 },
	{ "FE_BUBBLE.ALLBUT_IBFULL", 200000 },
	{ "FE_BUBBLE.BRANCH", 30000 },
	{ "FE_BUBBLE.BUBBLE", 60000 },
	{ "FE_BUBBLE.IMISS", 80000 },
	{ "FE_BUBBLE.FEFLUSH", 10000 },
	{ "L1D_READ_MISSES.ALL", 20000 },
	{ "L3_READS.DATA_READ_HIT", 3000 },
	{ "L3_READS.DATA_READ_MISS", 900 },
};

/*
 * Expected values. In the made-up counts only half of the front-end's stalls cost time. The counts
 * of their causes are therefore multiplied by one half.
 */
static const struct {
	const char *name;
	double value;
} expected[] = {
	{ "CPI", 0.666667 },
	{ "Retiring_CPI", 0.262667 },
	{ "Flush_CPI", 0.04 },
	{ "Data_and_Float_CPI", 0.08 },
	{ "Execution_CPI", 0.2 },
	{ "Register_Stack_CPI", 0.013333 },
	{ "Frontend_CPI", 0.066667 },
	{ "Sum_Rule_Residual", 0.004 },
	{ "Stall_CPI", 0.404 },
	{ "Data_Cache_CPI", 0.18 },
	/*
	 * The model of the paper estimates the cost of cache misses: 16100 events of 5 cycles each,
	 * 3000 events of 14 cycles each, and 900 events of 200 cycles each.
	 */
	{ "L2_Model_CPI", 0.053667 },
	{ "L3_Model_CPI", 0.028 },
	{ "Memory_Model_CPI", 0.12 },
	{ "Model_Residual", -0.021667 },
	{ "Scoreboard_CPI", 0.026667 },
	{ "Float_CPI", 0.06 },
	{ "Branch_CPI", 0.06 },
	{ "Instruction_Miss_CPI", 0.026667 },
	{ "Frontend_Flush_CPI", 0.003333 },
	{ "Stack_CPI", 0.013333 },
	{ "Other_CPI", 0.034 },
	{ "Useful_CPI", 0.394 },
	{ "CYC_RET_INST", 394000 },
};

static struct bpmu_metrics lines;
static struct bpmu_tree tree;
static struct bpmu_tree_value values[METRICS_MAX];

/* Computes the metrics from the counts. @without: an event that has no count; NULL for none. */
static void measure(const char *without)
{
	double count[EVENTS_MAX];
	const double *group[1] = { count };
	const struct bpmu_event_list *events = &tree.events[0];
	unsigned int i;

	assert_int_equal(tree.nr_groups, 1);
	assert_true(events->nr <= EVENTS_MAX);
	for (i = 0; i < events->nr; i++)
		count[i] = without && !strcmp(events->spec[i].text, without) ?
			   NAN : unit_count_of(counts, ARRAY_SIZE(counts),
					       events->spec[i].text);
	bpmu_tree_eval(&tree, group, values);
}

/*
 * Makes the tree of Itanium 2 as "barepmu eval" does. @work: number of units of work by which
 * cycles are divided. If @work is 0, cycles are divided by instructions.
 */
static void begin(double work)
{
	static struct bpmu_pmu pmu;
	static const struct bpmu_cpuid none;
	struct bpmu_tree_wish wish = {
		.lines = &lines, .pmu = &pmu, .level = BPMU_TREE_ALL,
		.apart = true,
	};
	const struct bpmu_part *part = bpmu_events_part("itanium2");
	struct bpmu_error err;
	int i;

	bpmu_pmu_init(&pmu, part, &none, BPMU_CORE_ANY);
	if (bpmu_metrics_builtin(&lines, "itanium2", part, &err))
		fail_msg("%s", err.text);
	i = bpmu_metrics_find(&lines, "Work");
	assert_true(i >= 0 && !lines.metric[i].level);
	if (work)
		bpmu_expr_set(lines.metric[i].expr, work);
	if (bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	assert_true(tree.metrics.nr <= METRICS_MAX);
}

static void end(void)
{
	bpmu_tree_free(&tree);
	bpmu_metrics_free(&lines);
}

static const struct bpmu_tree_value *value_of(const char *name)
{
	int line = bpmu_metrics_find(&tree.metrics, name);

	assert_true(line >= 0);
	return &values[line];
}

static void expect(const char *name, double wanted)
{
	const struct bpmu_tree_value *value = value_of(name);

	if (!value->known || fabs(value->value - wanted) > TOLERANCE)
		fail_msg("%s: %g, not %g", name, value->value, wanted);
}

TEST(metrics_of_itanium2_have_values_computed_by_hand)
{
	size_t i;

	begin(0);
	measure(NULL);
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		expect(expected[i].name, expected[i].value);
	end();
}

/* Returns the sum of a node's children. */
static double children(const char *name)
{
	int parent = bpmu_metrics_find(&tree.metrics, name);
	double sum = 0;
	unsigned int i;

	for (i = 0; i < tree.metrics.nr; i++) {
		if (tree.metrics.metric[i].parent != parent)
			continue;
		assert_true(values[i].known);
		sum += values[i].value;
	}
	return sum;
}

/*
 * The values of a node's children add up to the value of the node, although the count of all stalls
 * is not the sum of the counts of their causes.
 */
TEST(children_of_itanium2_add_up_to_their_parent)
{
	static const char *const parents[] = {
		"CPI", "Stall_CPI", "Data_Cache_CPI"
	};
	double works[] = { 0, 250 };
	size_t i, w;

	for (w = 0; w < ARRAY_SIZE(works); w++) {
		begin(works[w]);
		measure(NULL);
		for (i = 0; i < ARRAY_SIZE(parents); i++)
			assert_true(fabs(children(parents[i]) -
					 value_of(parents[i])->value) <
				    TOLERANCE);
		end();
	}
}

/*
 * If the event that counts all stalls was not counted, the sum of the counts of the causes is used
 * instead, without a warning.
 */
TEST(a_missing_total_is_the_sum_of_its_parts)
{
	begin(0);
	measure("BACK_END_BUBBLE.ALL");
	expect("Stall_CPI", 0.4);
	expect("Retiring_CPI", 0.266667);
	expect("CYC_RET_INST", 400000);
	assert_false(value_of("Sum_Rule_Residual")->known);
	assert_int_equal(value_of("Stall_CPI")->flags, 0);
	measure("BE_EXE_BUBBLE.ALL");
	expect("Stall_CPI", 0.404);
	assert_false(value_of("Sum_Rule_Residual")->known);
	end();
}

/*
 * Cycles are divided by 250 units of work instead of by instructions. Only useful cycles are still
 * divided by instructions.
 */
TEST(metrics_can_be_per_unit_of_work)
{
	begin(250);
	measure(NULL);
	expect("CPI", 4000);
	expect("Execution_CPI", 1200);
	expect("Branch_CPI", 360);
	expect("Scoreboard_CPI", 160);
	expect("Useful_CPI", 0.394);
	end();
}

/*
 * With --part itanium2 the events of Itanium 2 are known, although barepmu runs on no such machine.
 */
TEST(events_of_a_part_without_machines_are_known)
{
	const struct bpmu_part *part = bpmu_events_part("itanium2");
	const struct bpmu_event *rows;
	size_t nr, i;

	assert_non_null(part);
	assert_null(bpmu_part_by_name("itanium2"));
	assert_null(bpmu_events_part("itanium3"));
	assert_ptr_equal(bpmu_events_part("ivb"), bpmu_part_by_name("ivb"));
	rows = bpmu_events(part, &nr);
	for (i = 1; i < nr; i++)
		assert_true(strcasecmp(rows[i - 1].name, rows[i].name) < 0);
}
