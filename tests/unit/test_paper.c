// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of formulas that are printed in the notation of the Top-Down paper: with the formulas of
 * what they name, with counts, and with the value.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric_constant.h"
#include "tree/paper.h"
#include "unit.h"

#define SUM "(UOPS_ISSUED.ANY + UOPS_RETIRED.RETIRE_SLOTS + IDQ.MS_UOPS + RESOURCE_STALLS.SB + RS_EVENTS.EMPTY_CYCLES)"

static struct bpmu_tree tree;
static double count[BPMU_TREE_GROUPS][16];
static const double *counts[BPMU_TREE_GROUPS];
static struct bpmu_tree_value values[32];

/* Event e of group g has the count 1000 g + e + 1; the totals have 90000 + e + 1. */
static void make_tree(const char *text)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;
	unsigned int g, e;

	if (unit_tree(&tree, text, &pmu, BPMU_TREE_ALL, &err))
		fail_msg("%s", err.text);
	memset(values, 0, sizeof(values));
	memset(counts, 0, sizeof(counts));
	for (g = 0; g < BPMU_TREE_GROUPS; g++) {
		for (e = 0; e < ARRAY_SIZE(count[g]); e++)
			count[g][e] = (g < BPMU_TREE_TOTAL(0) ? 1000 * g : 90000) + e + 1;
		if (tree.events[g].nr)
			counts[g] = count[g];
	}
}

static void is_printed(const char *only, const char *expected)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	bpmu_paper_print(out, &tree, counts, values, only);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static struct bpmu_tree_value *value_of(const char *name)
{
	return &values[bpmu_metrics_find(&tree.metrics, name)];
}

TEST(a_formula_is_printed_with_its_definitions_and_counts)
{
	make_tree("Clk := CPU_CLK_UNHALTED.THREAD | clock\n"
		  "Half := Clk / 2\n"
		  "Share = UOPS_ISSUED.ANY / Half\n"
		  "\tBelow = INST_RETIRED.ANY - 1\n"
		  "Twice = 2 * Share\n"
		  "Ticks = INST_RETIRED.ANY / (TSC if SMT else TSC_HZ) + SECONDS\n");
	bpmu_tree_set(&tree, BPMU_CONSTANT_TSC_HZ, 2.5e9);
	value_of("Share")->known = true;
	value_of("Share")->value = 1234.56789;
	value_of("Twice")->flags = BPMU_VALUE_MISSING | BPMU_VALUE_ERRATUM;
	is_printed(NULL,
		   "  Share = UOPS_ISSUED.ANY / Half\n"
		   "        = UOPS_ISSUED.ANY / (CPU_CLK_UNHALTED.THREAD / 2)\n"
		   "        = 2 / (1 / 2)\n"
		   "        = 1234.57\n"
		   "    Below = INST_RETIRED.ANY - 1\n"
		   "          = 3 - 1\n"
		   "          = no value\n"
		   "  Twice = 2 * Share\n"
		   "        = 2 * 1234.57\n"
		   "        = no value  (missing, erratum)\n"
		   "  Ticks = INST_RETIRED.ANY / (TSC if SMT else TSC_HZ) + SECONDS\n"
		   "        = INST_RETIRED.ANY / TSC_HZ + SECONDS\n"
		   "        = 3 / 2500000000 + (no value)\n"
		   "        = no value\n");
	is_printed("tWICE",
		   "  Twice = 2 * Share\n"
		   "        = 2 * 1234.57\n"
		   "        = no value  (missing, erratum)\n");
	is_printed("Half", "");
	value_of("Share")->known = false;
	value_of("Twice")->known = true;
	value_of("Twice")->flags = BPMU_VALUE_MISSING;
	is_printed("Twice",
		   "  Twice = 2 * Share\n"
		   "        = 2 * (no value)\n"
		   "        = 0  (missing)\n");
	count[0][1] = NAN;
	is_printed("Share",
		   "  Share = UOPS_ISSUED.ANY / Half\n"
		   "        = UOPS_ISSUED.ANY / (CPU_CLK_UNHALTED.THREAD / 2)\n"
		   "        = (no value) / (1 / 2)\n"
		   "        = no value\n");
	bpmu_tree_free(&tree);
}

/*
 * The counts are those of the group with all events of a node, else the totals of events that all
 * groups have, else those of the first group with the event.
 */
TEST(counts_are_of_the_groups_of_the_node)
{
	make_tree("Clk := CPU_CLK_UNHALTED.THREAD | clock\n"
		  "ipc = INST_RETIRED.ANY / Clk\n"
		  "all = " SUM " / Clk\n"
		  "one = UOPS_ISSUED.ANY / Clk\n"
		  "two = RS_EVENTS.EMPTY_CYCLES / Clk\n");
	assert_int_equal(tree.nr_groups, 2);
	is_printed(NULL,
		   "  ipc = INST_RETIRED.ANY / Clk\n"
		   "      = INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD\n"
		   "      = 90002 / 90001\n"
		   "      = no value\n"
		   "  all = " SUM " / Clk\n"
		   "      = " SUM " / CPU_CLK_UNHALTED.THREAD\n"
		   "      = (3 + 4 + 5 + 6 + 1003) / 90001\n"
		   "      = no value\n"
		   "  one = UOPS_ISSUED.ANY / Clk\n"
		   "      = UOPS_ISSUED.ANY / CPU_CLK_UNHALTED.THREAD\n"
		   "      = 3 / 1\n"
		   "      = no value\n"
		   "  two = RS_EVENTS.EMPTY_CYCLES / Clk\n"
		   "      = RS_EVENTS.EMPTY_CYCLES / CPU_CLK_UNHALTED.THREAD\n"
		   "      = 1003 / 1001\n"
		   "      = no value\n");
	counts[1] = NULL;
	is_printed("two",
		   "  two = RS_EVENTS.EMPTY_CYCLES / Clk\n"
		   "      = RS_EVENTS.EMPTY_CYCLES / CPU_CLK_UNHALTED.THREAD\n"
		   "      = (no value) / (no value)\n"
		   "      = no value\n");
	is_printed("all",
		   "  all = " SUM " / Clk\n"
		   "      = " SUM " / CPU_CLK_UNHALTED.THREAD\n"
		   "      = (3 + 4 + 5 + 6 + (no value)) / 90001\n"
		   "      = no value\n");
	counts[BPMU_TREE_TOTAL(BPMU_BANK_CORE)] = NULL;
	is_printed("ipc",
		   "  ipc = INST_RETIRED.ANY / Clk\n"
		   "      = INST_RETIRED.ANY / CPU_CLK_UNHALTED.THREAD\n"
		   "      = (no value) / (no value)\n"
		   "      = no value\n");
	is_printed("all",
		   "  all = " SUM " / Clk\n"
		   "      = " SUM " / CPU_CLK_UNHALTED.THREAD\n"
		   "      = (3 + 4 + 5 + 6 + (no value)) / 1\n"
		   "      = no value\n");
	bpmu_tree_free(&tree);
}
