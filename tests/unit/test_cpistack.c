// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of CPI stacks: the components of a stack add up to the measured cycles per instruction, and
 * the output says which components this CPU model can measure only approximately or not at all.
 * Expected values are computed by hand.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tree/cpistack.h"
#include "unit.h"

#define TOLERANCE 0.0000005
#define EVENTS_MAX 16
#define METRICS_MAX 256

/* 12 cycles of a core that issues four slots per cycle, and 16 instructions. */
static const struct unit_count counts[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 12 },
	{ "INST_RETIRED.ANY", 16 },
	{ "instructions", 16 },
	{ "CPI_STACK.DISPATCH_BASE", 16 },
	{ "CPI_STACK.DISPATCH_ICACHE", 8 },
	{ "CPI_STACK.DISPATCH_BPRED", 8 },
	{ "CPI_STACK.DISPATCH_DCACHE", 12 },
	{ "CPI_STACK.DISPATCH_ALU", 2 },
	{ "CPI_STACK.DISPATCH_DEPEND", 0 },
	{ "CPI_STACK.DISPATCH_OTHER", 2 },
	{ "CPI_STACK.ISSUE_BASE", 16 },
	{ "CPI_STACK.ISSUE_ICACHE", 8 },
	{ "CPI_STACK.ISSUE_BPRED", 6 },
	{ "CPI_STACK.ISSUE_DCACHE", 10 },
	{ "CPI_STACK.ISSUE_ALU", 1 },
	{ "CPI_STACK.ISSUE_DEPEND", 3 },
	{ "CPI_STACK.ISSUE_OTHER", 4 },
	{ "CPI_STACK.COMMIT_BASE", 16 },
	{ "CPI_STACK.COMMIT_ICACHE", 5 },
	{ "CPI_STACK.COMMIT_BPRED", 2 },
	{ "CPI_STACK.COMMIT_DCACHE", 16 },
	{ "CPI_STACK.COMMIT_ALU", 1 },
	{ "CPI_STACK.COMMIT_DEPEND", 4 },
	{ "CPI_STACK.COMMIT_OTHER", 4 },
	/*
	 * Events for the parts of components. The parts of component "other" do not add up to it:
	 * some of its slots have no known cause.
	 */
	{ "CPI_STACK.DISPATCH_ICACHE_L2", 3 },
	{ "CPI_STACK.DISPATCH_ICACHE_L3", 1 },
	{ "CPI_STACK.DISPATCH_ICACHE_MEMORY", 4 },
	{ "CPI_STACK.DISPATCH_ICACHE_ITLB", 0 },
	{ "CPI_STACK.DISPATCH_DCACHE_HIT", 1 },
	{ "CPI_STACK.DISPATCH_DCACHE_DTLB", 2 },
	{ "CPI_STACK.DISPATCH_DCACHE_L2", 4 },
	{ "CPI_STACK.DISPATCH_DCACHE_L3", 0 },
	{ "CPI_STACK.DISPATCH_DCACHE_MEMORY", 5 },
	{ "CPI_STACK.DISPATCH_DCACHE_FILLS", 0 },
	{ "CPI_STACK.DISPATCH_DCACHE_STORES", 0 },
	{ "CPI_STACK.DISPATCH_ALU_L1", 1 },
	{ "CPI_STACK.DISPATCH_ALU_FIRST", 0 },
	{ "CPI_STACK.DISPATCH_ALU_FURTHER", 1 },
	{ "CPI_STACK.DISPATCH_ALU_BLOCKED", 0 },
	{ "CPI_STACK.DISPATCH_OTHER_PORTS", 0 },
	{ "CPI_STACK.DISPATCH_OTHER_STORES", 0 },
	{ "CPI_STACK.DISPATCH_OTHER_CLEARS", 0 },
	{ "CPI_STACK.DISPATCH_OTHER_DECODE", 2 },
	{ "CPI_STACK.DISPATCH_OTHER_ORDER", 0 },
	{ "CPI_STACK.ISSUE_ICACHE_L2", 2 },
	{ "CPI_STACK.ISSUE_ICACHE_L3", 2 },
	{ "CPI_STACK.ISSUE_ICACHE_MEMORY", 4 },
	{ "CPI_STACK.ISSUE_ICACHE_ITLB", 0 },
	{ "CPI_STACK.ISSUE_DCACHE_HIT", 0 },
	{ "CPI_STACK.ISSUE_DCACHE_DTLB", 1 },
	{ "CPI_STACK.ISSUE_DCACHE_L2", 4 },
	{ "CPI_STACK.ISSUE_DCACHE_L3", 0 },
	{ "CPI_STACK.ISSUE_DCACHE_MEMORY", 5 },
	{ "CPI_STACK.ISSUE_DCACHE_FILLS", 0 },
	{ "CPI_STACK.ISSUE_DCACHE_STORES", 0 },
	{ "CPI_STACK.ISSUE_ALU_L1", 0 },
	{ "CPI_STACK.ISSUE_ALU_FIRST", 0 },
	{ "CPI_STACK.ISSUE_ALU_FURTHER", 1 },
	{ "CPI_STACK.ISSUE_ALU_BLOCKED", 0 },
	{ "CPI_STACK.ISSUE_OTHER_PORTS", 3 },
	{ "CPI_STACK.ISSUE_OTHER_STORES", 0 },
	{ "CPI_STACK.ISSUE_OTHER_CLEARS", 0 },
	{ "CPI_STACK.ISSUE_OTHER_DECODE", 0 },
	{ "CPI_STACK.ISSUE_OTHER_ORDER", 0 },
	{ "CPI_STACK.COMMIT_ICACHE_L2", 1 },
	{ "CPI_STACK.COMMIT_ICACHE_L3", 0 },
	{ "CPI_STACK.COMMIT_ICACHE_MEMORY", 4 },
	{ "CPI_STACK.COMMIT_ICACHE_ITLB", 0 },
	{ "CPI_STACK.COMMIT_DCACHE_HIT", 1 },
	{ "CPI_STACK.COMMIT_DCACHE_DTLB", 3 },
	{ "CPI_STACK.COMMIT_DCACHE_L2", 6 },
	{ "CPI_STACK.COMMIT_DCACHE_L3", 0 },
	{ "CPI_STACK.COMMIT_DCACHE_MEMORY", 6 },
	{ "CPI_STACK.COMMIT_DCACHE_FILLS", 0 },
	{ "CPI_STACK.COMMIT_DCACHE_STORES", 0 },
	{ "CPI_STACK.COMMIT_ALU_L1", 0 },
	{ "CPI_STACK.COMMIT_ALU_FIRST", 1 },
	{ "CPI_STACK.COMMIT_ALU_FURTHER", 0 },
	{ "CPI_STACK.COMMIT_ALU_BLOCKED", 0 },
	{ "CPI_STACK.COMMIT_OTHER_PORTS", 0 },
	{ "CPI_STACK.COMMIT_OTHER_STORES", 0 },
	{ "CPI_STACK.COMMIT_OTHER_CLEARS", 0 },
	{ "CPI_STACK.COMMIT_OTHER_DECODE", 1 },
	{ "CPI_STACK.COMMIT_OTHER_ORDER", 2 },
	/*
	 * Ivy Bridge has other events than those above. These are their counts for the same
	 * program.
	 */
	{ "UOPS_RETIRED.RETIRE_SLOTS", 16 },
	{ "UOPS_ISSUED.ANY", 20 },
	{ "INT_MISC.RECOVERY_CYCLES", 1 },
	{ "ICACHE.IFETCH_STALL", 2 },
	{ "UOPS_EXECUTED.THREAD", 24 },
	{ "CYCLE_ACTIVITY.STALLS_LDM_PENDING", 3 },
	{ "CYCLE_ACTIVITY.STALLS_L1D_PENDING", 2 },
	{ "CYCLE_ACTIVITY.STALLS_L2_PENDING", 0.5 },
	{ "ITLB_MISSES.WALK_DURATION", 0.25 },
	{ "ARITH.FPU_DIV_ACTIVE", 1 },
};

/* If true, the counts are those of a program without any retired instruction. */
static bool nothing;
/*
 * Number of units of work by which cycles are divided. If it is 0, cycles are divided by the number
 * of instructions.
 */
static double work;

static void make_level(const char *part, unsigned int level,
		       struct bpmu_tree *tree, struct bpmu_cpistack *stack)
{
	struct bpmu_tree_value values[METRICS_MAX] = { };
	double count[BPMU_TREE_GROUPS][EVENTS_MAX];
	const double *group[BPMU_TREE_GROUPS];
	struct bpmu_pmu pmu = unit_pmu(part, 8);
	struct bpmu_tree_wish wish = {
		.method = BPMU_CPISTACK_METHOD, .level = level,
		.cpi = true, .work = work, .pmu = &pmu,
	};
	struct bpmu_error err;
	unsigned int g, i;

	if (bpmu_tree_make(tree, &wish, &err))
		fail_msg("%s", err.text);
	assert_true(tree->metrics.nr <= METRICS_MAX);
	for (g = 0; g < tree->groups.nr; g++) {
		assert_true(tree->events[g].nr <= EVENTS_MAX);
		for (i = 0; i < tree->events[g].nr; i++)
			count[g][i] = nothing ? 0 :
				unit_count_of(counts, ARRAY_SIZE(counts),
					      tree->events[g].spec[i].text);
		group[g] = count[g];
	}
	unit_totals(tree, group);
	bpmu_tree_eval(tree, group, values);
	bpmu_cpistack_make(stack, tree, values);
}

static void make(const char *part, struct bpmu_tree *tree,
		 struct bpmu_cpistack *stack)
{
	make_level(part, BPMU_TREE_ALL, tree, stack);
}

static void is(double value, double expected)
{
	if (value < expected - TOLERANCE || value > expected + TOLERANCE)
		fail_msg("%g is not %g", value, expected);
}

TEST(components_have_values_computed_by_hand)
{
	static const double low[] = {
		0.25, 0.078125, 0.03125, 0.15625, 0.015625, 0, 0.03125
	};
	static const double high[] = {
		0.25, 0.125, 0.125, 0.25, 0.03125, 0.0625, 0.0625
	};
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;
	unsigned int stage, i;
	double sum;

	make("topdown", &tree, &stack);
	assert_true(stack.known);
	is(stack.cpi, 0.75);
	for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++) {
		assert_int_equal(stack.stages[i], BPMU_CPISTACK_STAGES);
		is(stack.low[i], low[i]);
		is(stack.high[i], high[i]);
	}
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		for (i = 0, sum = 0; i < BPMU_CPISTACK_COMPONENTS; i++)
			sum += stack.cell[stage][i].cpi;
		is(sum, 0.75);
	}
	bpmu_tree_free(&tree);
}

/*
 * 12 cycles, 16 instructions and 8 units of work: each unit has twice the cycles of an
 * instruction.
 */
TEST(cycles_are_divided_by_work)
{
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;
	unsigned int stage, i;
	double sum;

	work = 8;
	make("topdown", &tree, &stack);
	work = 0;
	is(stack.cpi, 1.5);
	is(stack.low[BPMU_CPISTACK_DCACHE], 2 * 0.15625);
	is(stack.high[BPMU_CPISTACK_DCACHE], 2 * 0.25);
	for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
		for (i = 0, sum = 0; i < BPMU_CPISTACK_COMPONENTS; i++)
			sum += stack.cell[stage][i].cpi;
		is(sum, 1.5);
	}
	bpmu_tree_free(&tree);
}

/*
 * Each part of a component has an event of its own. The event counts slots. The value of the part,
 * in cycles per instruction, is this count divided by 4 slots per cycle and by 16 instructions.
 */
TEST(each_part_has_an_event_of_its_own)
{
	static const struct {
		enum bpmu_cpistack_row row;
		double slots[BPMU_CPISTACK_STAGES];
	} parts[] = {
		{ BPMU_CPISTACK_ICACHE_L2, { 3, 2, 1 } },
		{ BPMU_CPISTACK_ICACHE_L3, { 1, 2, 0 } },
		{ BPMU_CPISTACK_ICACHE_MEMORY, { 4, 4, 4 } },
		{ BPMU_CPISTACK_DCACHE_HIT, { 1, 0, 1 } },
		{ BPMU_CPISTACK_DCACHE_DTLB, { 2, 1, 3 } },
		{ BPMU_CPISTACK_DCACHE_L2, { 4, 4, 6 } },
		{ BPMU_CPISTACK_DCACHE_MEMORY, { 5, 5, 6 } },
		{ BPMU_CPISTACK_ALU_L1, { 1, 0, 0 } },
		{ BPMU_CPISTACK_ALU_FIRST, { 0, 0, 1 } },
		{ BPMU_CPISTACK_ALU_FURTHER, { 1, 1, 0 } },
		{ BPMU_CPISTACK_OTHER_PORTS, { 0, 3, 0 } },
		{ BPMU_CPISTACK_OTHER_DECODE, { 2, 0, 1 } },
		{ BPMU_CPISTACK_OTHER_ORDER, { 0, 0, 2 } },
	};
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;
	unsigned int i, stage;

	make("topdown", &tree, &stack);
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++)
			is(stack.cell[stage][parts[i].row].cpi,
			   parts[i].slots[stage] / 64);
	is(stack.low[BPMU_CPISTACK_DCACHE_DTLB], 1 / 64.0);
	is(stack.high[BPMU_CPISTACK_DCACHE_DTLB], 3 / 64.0);
	for (i = BPMU_CPISTACK_COMPONENTS; i < BPMU_CPISTACK_ROWS; i++)
		assert_true(bpmu_cpistack_has(&stack, i));
	bpmu_tree_free(&tree);
}

/*
 * In each stage of the pipeline the slots of a component are the sum of the slots of its parts.
 * Component "other" is an exception: some of its slots have no known cause.
 */
TEST(parts_add_up_to_their_component)
{
	static const enum bpmu_cpistack_row whole[] = {
		BPMU_CPISTACK_ICACHE, BPMU_CPISTACK_DCACHE, BPMU_CPISTACK_ALU
	};
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;
	unsigned int stage, c, i;
	double sum;

	make("topdown", &tree, &stack);
	for (c = 0; c < ARRAY_SIZE(whole); c++)
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
			sum = 0;
			for (i = BPMU_CPISTACK_COMPONENTS;
			     i < BPMU_CPISTACK_ROWS; i++)
				if (bpmu_cpistack_parent(i) == whole[c])
					sum += stack.cell[stage][i].cpi;
			is(sum, stack.cell[stage][whole[c]].cpi);
		}
	bpmu_tree_free(&tree);
}

/*
 * The parts of components need more events than the components. Without the parts fewer groups of
 * events are multiplexed.
 */
TEST(without_parts_fewer_groups_are_multiplexed)
{
	struct bpmu_cpistack stack;
	unsigned int i, all;
	struct bpmu_tree tree;

	make("topdown", &tree, &stack);
	all = tree.groups.nr;
	bpmu_tree_free(&tree);
	make_level("topdown", 1, &tree, &stack);
	assert_true(tree.groups.nr < all);
	is(stack.cell[BPMU_CPISTACK_ISSUE][BPMU_CPISTACK_DCACHE].cpi, 10 / 64.0);
	for (i = BPMU_CPISTACK_COMPONENTS; i < BPMU_CPISTACK_ROWS; i++)
		assert_false(bpmu_cpistack_has(&stack, i));
	bpmu_tree_free(&tree);
}

/* Ivy Bridge measures some components exactly, some approximately, and some not at all. */
TEST(ivb_has_exact_approximate_and_missing_components)
{
	const struct bpmu_cpistack_cell *cell;
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;

	make("ivb", &tree, &stack);
	cell = stack.cell[BPMU_CPISTACK_DISPATCH];
	is(cell[BPMU_CPISTACK_BASE].cpi, 0.25);
	is(cell[BPMU_CPISTACK_BPRED].cpi, 2 / 16.0);
	is(cell[BPMU_CPISTACK_ICACHE].cpi, 2 / 16.0);
	is(cell[BPMU_CPISTACK_OTHER].cpi, 4 / 16.0);
	assert_non_null(cell[BPMU_CPISTACK_ICACHE].line->text);
	assert_false(cell[BPMU_CPISTACK_DCACHE].there);
	cell = stack.cell[BPMU_CPISTACK_COMMIT];
	assert_false(cell[BPMU_CPISTACK_DCACHE].there);
	is(cell[BPMU_CPISTACK_OTHER].cpi, 0.5);
	assert_int_equal(stack.stages[BPMU_CPISTACK_DCACHE], 1);
	cell = stack.cell[BPMU_CPISTACK_ISSUE];
	is(cell[BPMU_CPISTACK_DCACHE_L2].cpi, 1.5 / 16);
	assert_false(bpmu_cpistack_has(&stack, BPMU_CPISTACK_DCACHE_MEMORY));
	is(stack.cell[BPMU_CPISTACK_DISPATCH][BPMU_CPISTACK_ICACHE_ITLB].cpi,
	   0.25 / 16);
	bpmu_tree_free(&tree);
}

static char *text_of(const char *part)
{
	static const struct bpmu_field when[] = {
		{ "time", .form = BPMU_FIELD_WHOLE, .whole = 1 },
		{ "cpus", "0", BPMU_FIELD_TEXT },
	};
	struct bpmu_table table = {
		.format = BPMU_CSV, .separator = ",", .type = "cpistack",
		.when = { when, 2 },
	};
	struct bpmu_cpistack stack;
	struct bpmu_tree tree;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	make(part, &tree, &stack);
	bpmu_cpistack_text(out, &stack);
	table.out = out;
	bpmu_cpistack_rows(&table, &stack);
	table.format = BPMU_JSON;
	bpmu_cpistack_rows(&table, &stack);
	fclose(out);
	bpmu_tree_free(&tree);
	return text;
}

TEST(text_csv_and_json_have_the_values)
{
	char *text;

	text = text_of("topdown");
	assert_non_null(strstr(text, "  CPI                   0.7500  cycles per instruction\n"));
	assert_non_null(strstr(text, "\n  residual              0.0000       0.0000       0.0000\n"));
	assert_non_null(strstr(text, "\n1,0,residual,0.000000,0.000000,0.000000,,,,,,,cycles per instruction\n"));
	assert_non_null(strstr(text, "  dcache                0.1875       0.1562       0.2500       0.1562      0.2500\n"
				"    hit-time            0.0156       0.0000       0.0156       0.0000      0.0156\n"
				"    dtlb                0.0312       0.0156       0.0469       0.0156      0.0469\n"));
	assert_non_null(strstr(text, "0.0000\n  alu-latency           0.0312 "));
	assert_non_null(strstr(text, "1,0,dcache.dtlb,0.031250,0.015625,0.046875,0.015625,0.046875,0.000000,,,dcache,cycles per instruction\n"));
	assert_non_null(strstr(text, "\"component\":\"dcache.dtlb\",\"dispatch\":0.031250,"));
	assert_non_null(strstr(text, "\"component\":\"dcache\",\"dispatch\":0.187500,"));
	assert_non_null(strstr(text, "1,0,bpred,0.125000,0.093750,0.031250,0.031250,0.125000,0.000000,,,,cycles per instruction\n"));
	assert_non_null(strstr(text, "\"parent\":null,\"unit\":\"cycles per instruction\"}\n"));
	assert_non_null(strstr(text, "\"parent\":\"dcache\",\"unit\":\"cycles per instruction\"}\n"));
	assert_null(strchr(text, '~'));
	free(text);
	text = text_of("ivb");
	assert_non_null(strstr(text, "issue dcache = CYCLE_ACTIVITY.STALLS_LDM_PENDING\n"));
	assert_non_null(strstr(text, "no event of this CPU model counts it: dispatch dcache,"));
	assert_non_null(strstr(text, "issue dcache.l2 = CYCLE_ACTIVITY.STALLS_L1D_PENDING - CYCLE_ACTIVITY.STALLS_L2_PENDING\n"));
	assert_null(strstr(text, "fill-buffers"));
	assert_non_null(strstr(text, "1,0,depend,,,,,,,,,,cycles per instruction\n"));
	assert_non_null(strstr(text, "\"component\":\"icache\",\"dispatch\":0.125000,\"issue\":null"));
	free(text);
}

/* Without counts, neither the components nor the measured cycles per instruction have a value. */
TEST(without_counts_no_value_is_printed)
{
	char *text;

	nothing = true;
	text = text_of("topdown");
	nothing = false;
	if (!strstr(text, "\n  sum                 no value     no value     no value\n  residual            no value     no value     no value\n  CPI                 no value\n"))
		fail_msg("%s", text);
	free(text);
}

/*
 * The sum of a pipeline stage has a value only if each component of the stage has a value. The test
 * makes the value of one component unknown at a time. The printed uncertainty of a component is the
 * largest that the component has in any stage.
 */
TEST(each_component_of_a_stage_counts)
{
	struct bpmu_cpistack whole, stack;
	char *text = NULL, row[80];
	struct bpmu_tree tree;
	unsigned int i, stage;
	size_t size;
	FILE *out;

	make("topdown", &tree, &whole);
	for (i = 0; i < BPMU_CPISTACK_COMPONENTS; i++) {
		for (stage = 0; stage < BPMU_CPISTACK_STAGES; stage++) {
			stack = whole;
			stack.cell[stage][i].known = false;
			stack.cell[(stage + 1) % BPMU_CPISTACK_STAGES][i].uncertainty = 0.0125;
			out = open_memstream(&text, &size);
			assert_non_null(out);
			bpmu_cpistack_text(out, &stack);
			fclose(out);
			snprintf(row, sizeof(row), "\n  sum             %12s %12s %12s",
				 stage == 0 ? "no value" : "0.7500",
				 stage == 1 ? "no value" : "0.7500",
				 stage == 2 ? "no value" : "0.7500");
			if (!strstr(text, row) || !strstr(text, "  +- 0.0125\n"))
				fail_msg("no '%s' in %s", row, text);
			free(text);
		}
	}
	stack = whole;
	stack.cell[1][0].uncertainty = INFINITY;
	stack.cell[2][0].uncertainty = 0.0125;
	out = open_memstream(&text, &size);
	assert_non_null(out);
	bpmu_cpistack_text(out, &stack);
	fclose(out);
	if (!strstr(text, "  +- unknown\n") || strstr(text, "+- 0.0125"))
		fail_msg("%s", text);
	free(text);
	/* The sums are of the components, whether or not the cycles were counted too. */
	stack = whole;
	stack.known = false;
	out = open_memstream(&text, &size);
	assert_non_null(out);
	bpmu_cpistack_text(out, &stack);
	fclose(out);
	if (!strstr(text, "\n  sum                   0.7500       0.7500       0.7500\n  residual            no value     no value     no value\n"))
		fail_msg("%s", text);
	free(text);
	bpmu_tree_free(&tree);
}
