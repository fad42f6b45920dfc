// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "array.h"
#include "events.h"
#include "tree.h"
#include "unit.h"

#define TOLERANCE 0.0000005
#define EVENTS_MAX 8
#define METRICS_MAX 64

static const struct unit_count counts[] = {
	{ "CPU_CYCLES", 1000000 },
	{ "IA64_INST_RETIRED", 1500000 },
	{ "NOPS_RETIRED", 500000 },
	{ "BACK_END_BUBBLE.ALL", 600000 },
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
};

/* half of the frontend's stalls were felt: that share of their causes counts */
static const struct {
	const char *name;
	double value;
} expected[] = {
	{ "CPI", 0.666667 },
	{ "Retiring_CPI", 0.266667 },
	{ "Flush_CPI", 0.04 },
	{ "Data_and_Float_CPI", 0.08 },
	{ "Execution_CPI", 0.2 },
	{ "Register_Stack_CPI", 0.013333 },
	{ "Frontend_CPI", 0.066667 },
	{ "Stall_CPI", 0.4 },
	{ "Data_Cache_CPI", 0.18 },
	{ "Scoreboard_CPI", 0.026667 },
	{ "Float_CPI", 0.06 },
	{ "Branch_CPI", 0.06 },
	{ "Instruction_Miss_CPI", 0.026667 },
	{ "Frontend_Flush_CPI", 0.003333 },
	{ "Stack_CPI", 0.013333 },
	{ "Other_CPI", 0.03 },
	{ "Useful_CPI", 0.4 },
};

static void measure(struct bpmu_tree *tree, struct bpmu_tree_value *values)
{
	double count[BPMU_TREE_GROUPS][EVENTS_MAX];
	const double *group[BPMU_TREE_GROUPS];
	const struct bpmu_event_list *events;
	unsigned int g;
	unsigned int i;

	for (g = 0; g < tree->groups.nr; g++) {
		events = &tree->events[g];
		assert_true(events->nr <= EVENTS_MAX);
		for (i = 0; i < events->nr; i++)
			count[g][i] = unit_count_of(counts, ARRAY_SIZE(counts),
						    events->spec[i].text);
		group[g] = count[g];
	}
	bpmu_tree_eval(tree, group, values);
}

static void test_example(void **state)
{
	const struct bpmu_part *part = bpmu_events_part("itanium2");
	struct bpmu_tree_value values[METRICS_MAX];
	static const struct bpmu_cpuid none;
	struct bpmu_error err;
	struct bpmu_tree tree;
	struct bpmu_pmu pmu;
	double value;
	size_t i;
	int line;

	(void)state;
	bpmu_pmu_init(&pmu, part, &none);
	if (bpmu_tree_init(&tree, "itanium2", &pmu, 0, 2, &err))
		fail_msg("%s", err.text);
	assert_true(tree.metrics.nr <= METRICS_MAX);
	measure(&tree, values);
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		line = bpmu_metrics_find(&tree.metrics, expected[i].name);
		if (line < 0 || !values[line].known)
			fail_msg("%s: no value", expected[i].name);
		value = values[line].value;
		if (fabs(value - expected[i].value) > TOLERANCE)
			fail_msg("%s: %g", expected[i].name, value);
	}
	bpmu_tree_free(&tree);
}

/* the two parts of CPI's children, and those of the stalls', are all of it */
static void test_sums(void **state)
{
	double children[2] = { };
	size_t i;

	(void)state;
	for (i = 1; i < 7; i++)
		children[0] += expected[i].value;
	for (i = 8; i < 16; i++)
		children[1] += expected[i].value;
	assert_true(fabs(children[0] - expected[0].value) < 0.000002);
	assert_true(fabs(children[1] - expected[7].value) < 0.000002);
}

/* it can be named, but no machine is one */
static void test_part(void **state)
{
	const struct bpmu_part *part = bpmu_events_part("itanium2");
	const struct bpmu_event *rows;
	size_t nr, i;

	(void)state;
	assert_non_null(part);
	assert_null(bpmu_part_by_name("itanium2"));
	assert_null(bpmu_events_part("itanium3"));
	assert_ptr_equal(bpmu_events_part("ivb"), bpmu_part_by_name("ivb"));
	rows = bpmu_events(part, &nr);
	for (i = 1; i < nr; i++)
		assert_true(strcasecmp(rows[i - 1].name, rows[i].name) < 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_example),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_part),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("itanium", tests, NULL, NULL);
}
