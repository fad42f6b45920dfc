// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of CPI stacks of a tree: the components are the nodes farthest from the root that add up,
 * and text, CSV and JSON have their values. Expected values are computed by hand.
 */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "count/cpi.h"
#include "unit.h"

#define TOLERANCE 0.000001
#define METRICS_MAX 16

static const char text[] =
	"A = UOPS_ISSUED.ANY / 4 | unit slots\n"
	"  A1 = UOPS_ISSUED.ANY / 8 | unit slots\n"
	"  A2 = UOPS_ISSUED.ANY / 8 | unit slots\n"
	"B = IDQ.MS_UOPS / 4 | unit slots\n"
	"  B1 = IDQ.MS_UOPS / 8 | unit slots\n"
	"  B2 = IDQ.MS_UOPS / 8 | unit clocks\n"
	"C = RESOURCE_STALLS.SB / 4 | unit clocks\n"
	"D = RESOURCE_STALLS.SB / 8 | unit slots\n";

static struct bpmu_metrics metrics;
static struct bpmu_pmu pmu;
static struct bpmu_tree tree;
static struct bpmu_tree_value values[METRICS_MAX];
static struct bpmu_cpi cpi;
static double work;

static int line(const char *name)
{
	int i = bpmu_metrics_find(&tree.metrics, name);

	assert_true(i >= 0 && i < METRICS_MAX);
	return i;
}

static void set(const char *name, double value)
{
	values[line(name)] = (struct bpmu_tree_value){ .known = true, .value = value };
}

/* Half of the slots are A, a fifth B and the rest D, of 3 cycles per instruction. */
TEST_FIXTURE(begin)
{
	struct bpmu_tree_wish wish = {
		.lines = &metrics, .level = BPMU_TREE_ALL, .pmu = &pmu, .cpi = true, .work = work,
	};
	struct bpmu_error err;

	pmu = unit_pmu("ivb", 8);
	memset(&metrics, 0, sizeof(metrics));
	if (bpmu_metrics_parse(&metrics, "t.bpm", text, &err) ||
	    bpmu_tree_make(&tree, &wish, &err))
		fail_msg("%s", err.text);
	memset(values, 0, sizeof(values));
	set("A", 0.5);
	set("A1", 0.4);
	set("A2", 0.1);
	set("B", 0.2);
	set("B1", 0.1);
	set("B2", 0.1);
	set("C", 0.9);
	set("D", 0.3);
	values[tree.cpi] = (struct bpmu_tree_value){ .known = true, .value = 3 };
	return 0;
}

TEST_FIXTURE(end)
{
	bpmu_tree_free(&tree);
	bpmu_metrics_free(&metrics);
	return 0;
}

static void stack(void)
{
	assert_int_equal(bpmu_cpi_stack(&cpi, &tree, values), 0);
}

/* Checks the names of the components, separated by blanks, and their sum. */
static void is_stack(const char *names, double sum)
{
	char found[128] = "";
	double total = 0;
	unsigned int i;

	stack();
	for (i = 0; i < cpi.nr; i++) {
		strcat(strcat(found, i ? " " : ""), tree.metrics.metric[cpi.part[i].metric].name);
		assert_true(fabs(cpi.part[i].cpi - 3 * values[cpi.part[i].metric].value) <
			    TOLERANCE);
		total += cpi.part[i].cpi;
	}
	assert_string_equal(found, names);
	assert_true(fabs(cpi.sum - sum) < TOLERANCE && fabs(total - sum) < TOLERANCE);
	bpmu_cpi_free(&cpi);
	assert_null(cpi.part);
}

TEST_BETWEEN(a_node_is_divided_if_its_children_add_up, begin, end)
{
	/* A child of B has another unit than slots. */
	is_stack("A1 A2 B D", 3);
	set("A2", 0.1 + 0.0000000005);
	is_stack("A1 A2 B D", 3 + 0.0000000015);
	set("A2", 0.1 + 0.000000002);
	is_stack("A B D", 3);
	set("A2", 0.1 - 0.000000002);
	is_stack("A B D", 3);
	set("A2", 0.1);
	values[line("A2")].known = false;
	is_stack("A B D", 3);
	set("A2", 0.1);
	tree.shown[line("A1")] = false;
	tree.shown[line("A2")] = false;
	is_stack("A B D", 3);
	tree.shown[line("D")] = false;
	is_stack("A B", 2.1);
}

TEST_BETWEEN(a_stack_is_known_if_its_nodes_and_cycles_are, begin, end)
{
	stack();
	assert_true(cpi.known && cpi.measured == 3);
	assert_int_equal(cpi.sum_flags, 0);
	bpmu_cpi_free(&cpi);
	/* Nodes that are no share of the slots do not count. */
	values[line("C")].known = false;
	values[line("D")].flags = BPMU_VALUE_BURSTY | BPMU_VALUE_MISSING;
	values[tree.cpi].flags = BPMU_VALUE_WRAPPED;
	values[tree.cpi].uncertainty = 0.5;
	stack();
	assert_true(cpi.known);
	assert_int_equal(cpi.sum_flags, BPMU_VALUE_MISSING);
	assert_int_equal(cpi.part[3].flags, BPMU_VALUE_BURSTY | BPMU_VALUE_MISSING);
	assert_int_equal(cpi.flags, BPMU_VALUE_WRAPPED);
	assert_true(cpi.uncertainty == 0.5);
	bpmu_cpi_free(&cpi);
	values[line("D")].known = false;
	stack();
	assert_false(cpi.known);
	bpmu_cpi_free(&cpi);
	values[line("D")].known = true;
	values[tree.cpi].known = false;
	stack();
	assert_false(cpi.known);
	bpmu_cpi_free(&cpi);
	values[tree.cpi].known = true;
	tree.shown[line("A")] = false;
	tree.shown[line("B")] = false;
	tree.shown[line("D")] = false;
	stack();
	assert_int_equal(cpi.nr, 0);
	assert_false(cpi.known);
	bpmu_cpi_free(&cpi);
}

/* Only A and D, so that the intervals of two are widened to hold together. */
static double uncertainty_of_d(double node, double node_freedom, double cycles,
			       double cycles_freedom)
{
	double uncertainty;

	tree.shown[line("B")] = false;
	tree.shown[line("A1")] = false;
	tree.shown[line("A2")] = false;
	values[line("D")].uncertainty = node;
	values[line("D")].freedom = node_freedom;
	values[tree.cpi].uncertainty = cycles;
	values[tree.cpi].freedom = cycles_freedom;
	stack();
	assert_int_equal(cpi.nr, 2);
	uncertainty = cpi.part[1].uncertainty;
	bpmu_cpi_free(&cpi);
	return uncertainty;
}

/*
 * The quantiles of Student's t for 97.5 and 95 % are 2.63377 and 2.22814 with 10 degrees of
 * freedom, 2.35931 and 2.04227 with 30, and 2.24140 and 1.95996 with infinitely many.
 */
TEST_BETWEEN(the_fewest_degrees_of_freedom_count, begin, end)
{
	static const struct {
		double node, node_freedom, cycles, cycles_freedom;
		double factor;
	} cases[] = {
		{ 0.1, 10, 0.2, 30, 2.63377 / 2.22814 }, { 0.1, 30, 0.2, 10, 2.63377 / 2.22814 },
		{ 0.1, 30, 0, 10, 2.35931 / 2.04227 }, { 0, 10, 0.2, 30, 2.35931 / 2.04227 },
		{ 0.1, 0, 0.2, 30, 2.35931 / 2.04227 }, { 0.1, 30, 0.2, 0, 2.35931 / 2.04227 },
		{ 0.1, 0, 0.2, 0, 2.24140 / 1.95996 },
	};
	double half, expected;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		expected = (3 * cases[i].node + 0.3 * cases[i].cycles) * cases[i].factor;
		half = uncertainty_of_d(cases[i].node, cases[i].node_freedom, cases[i].cycles,
					cases[i].cycles_freedom);
		assert_true(fabs(half / expected - 1) < 0.0005);
	}
	/* A value of 0 is not made uncertain by what it is multiplied with. */
	set("D", 0);
	assert_true(uncertainty_of_d(0, 10, INFINITY, 10) == 0);
	set("D", 0.3);
	assert_true(isinf(uncertainty_of_d(0, 10, INFINITY, 10)));
	set("D", -0.3);
	assert_true(uncertainty_of_d(0, 0, 0.2, 30) > 0.06);
}

static void is_printed(enum bpmu_format format, const char *expected)
{
	struct bpmu_table table = { .format = format, .type = "cpi", .separator = "," };
	char *printed;
	size_t size;

	table.out = open_memstream(&printed, &size);
	assert_non_null(table.out);
	bpmu_cpi_print(&table, &cpi, &tree);
	fclose(table.out);
	assert_string_equal(printed, expected);
	free(printed);
}

TEST_BETWEEN(text_csv_and_json_have_the_components, begin, end)
{
	values[line("B")].flags = BPMU_VALUE_BURSTY | BPMU_VALUE_SHARED;
	set("A", 0.55);
	values[tree.cpi].flags = BPMU_VALUE_DISTURBED;
	stack();
	cpi.part[0].uncertainty = INFINITY;
	cpi.part[1].uncertainty = 0.012345;
	cpi.uncertainty = 0.25;
	is_printed(BPMU_TEXT,
		   "  A                                   1.6500  +- unknown\n"
		   "  B                                   0.6000  +- 0.01235  (bursty, shared)\n"
		   "  D                                   0.9000\n"
		   "  sum                                 3.1500\n"
		   "  residual                           -0.1500  (disturbed)\n"
		   "  measured                            3.0000  +- 0.25  (disturbed)\n");
	is_printed(BPMU_CSV,
		   "name,part,value,uncertainty,flags,unit\n"
		   "A,component,1.650000,,,cycles per instruction\n"
		   "B,component,0.600000,0.012345,bursty shared,cycles per instruction\n"
		   "D,component,0.900000,0.000000,,cycles per instruction\n"
		   "sum,sum,3.150000,0.000000,,cycles per instruction\n"
		   "residual,residual,-0.150000,0.000000,disturbed,cycles per instruction\n"
		   "measured,measured,3.000000,0.250000,disturbed,cycles per instruction\n");
	bpmu_cpi_free(&cpi);
	/* From a thousand cycles on there are fewer digits. */
	values[tree.cpi].value = 3000;
	values[tree.cpi].flags = 0;
	values[line("A")].known = false;
	stack();
	is_printed(BPMU_TEXT,
		   "  A                                 no value\n"
		   "  B                                 no value  (bursty, shared)\n"
		   "  D                                 no value\n"
		   "  sum                               no value\n"
		   "  residual                          no value\n"
		   "  measured                          no value\n");
	bpmu_cpi_free(&cpi);
	set("A", 0.5);
	values[line("D")].flags = BPMU_VALUE_NONE;
	stack();
	assert_true(cpi.known);
	is_printed(BPMU_TEXT,
		   "  A1                                  1200.0\n"
		   "  A2                                300.0000\n"
		   "  B                                 600.0000  (bursty, shared)\n"
		   "  D                                 900.0000  (divided-by-0, missing)\n"
		   "  sum                                 3000.0  (divided-by-0, missing)\n"
		   "  residual                            0.0000  (divided-by-0, missing)\n"
		   "  measured                            3000.0\n");
	bpmu_cpi_free(&cpi);
}

TEST(cycles_are_of_instructions_or_of_work)
{
	static const struct {
		const char *text;
		double work;
	} cases[] = {
		{ "INST", 0 }, { "WORK=1000", 1000 }, { "WORK=0.001", 0.001 }, { "WORK=1e18", 1e18 },
		{ "WORK=0.0009", -1 }, { "WORK=1.1e18", -1 }, { "WORK=", -1 }, { "WORK=1x", -1 },
		{ "WORK=-1", -1 }, { "work=1", -1 }, { "INSTR", -1 }, { "", -1 }, { "WORK=nan", -1 },
	};
	struct bpmu_tree of_work = { .work = 2 }, of_instructions = { .work = 0 };
	struct bpmu_error err;
	char says[256];
	double taken;
	size_t i;
	int code;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		taken = 77;
		code = bpmu_cpi_take(cases[i].text, &taken, &err);
		if (cases[i].work >= 0) {
			assert_int_equal(code, 0);
			assert_true(taken == cases[i].work);
			continue;
		}
		assert_int_equal(code, -EINVAL);
		snprintf(says, sizeof(says),
			 "--normalise '%s': is neither INST nor WORK=NUMBER; write how many units of work the program does, such as WORK=1000",
			 cases[i].text);
		assert_string_equal(err.text, says);
	}
	assert_string_equal(bpmu_cpi_unit(&of_work), "cycles per unit of work");
	assert_string_equal(bpmu_cpi_unit(&of_instructions), "cycles per instruction");
}
