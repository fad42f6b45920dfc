// SPDX-License-Identifier: GPL-2.0
/* Tests of a printed tree: text, CSV and JSON have the same nodes, values and flags. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "view/tree_print.h"

/* For each metric a made-up value, and the text expected in each format. */
static const struct {
	const char *name;
	struct bpmu_tree_value value;
	const char *text;
	const char *csv;
	const char *json;
} rows[] = {
	{ "Share", { .known = true, .value = 0.125, .uncertainty = 0.012 },
	  "12.5 % of clocks  +- 1.2\n",
	  ";Share;1;0.125000;clocks;0;;0.012000;\n",
	  "\"value\":0.125000,\"unit\":\"clocks\",\"flagged\":false,"
	  "\"flags\":[],\"uncertainty\":0.012000," },
	{ "Single", { .known = true, .value = 0.25, .uncertainty = INFINITY },
	  "25.0 % of clocks  +- ?\n",
	  ";Single;1;0.250000;clocks;0;;inf;\n",
	  "\"value\":0.250000,\"unit\":\"clocks\",\"flagged\":false,"
	  "\"flags\":[],\"uncertainty\":null," },
	{ "Exact", { .known = true, .value = 0.5 },
	  "50.0 % of clocks\n",
	  ";Exact;1;0.500000;clocks;0;;;\n",
	  "\"value\":0.500000,\"unit\":\"clocks\",\"flagged\":false,"
	  "\"flags\":[],\"uncertainty\":0.000000," },
	{ "Rate", { .known = true, .value = 2, .uncertainty = 0.1234 },
	  " 2 uops/clock  +- 0.123\n",
	  ";Rate;1;2.000000;uops/clock;0;;0.123400;\n",
	  "\"value\":2.000000,\"unit\":\"uops/clock\",\"flagged\":false,"
	  "\"flags\":[],\"uncertainty\":0.123400," },
	{ "Maybe", { .known = true, .value = 0.2, .uncertainty = 0.05,
		     .flags = BPMU_VALUE_UNDECIDED },
	  "20.0 % of clocks  +- 5.0  ?\n",
	  ";Maybe;1;0.200000;clocks;0;undecided;0.050000;\n",
	  "\"flagged\":false,\"flags\":[\"undecided\"]" },
	{ "None", { .flags = BPMU_VALUE_MISSING },
	  "no value  (missing)\n",
	  ";None;1;;clocks;0;missing;;\n",
	  "\"value\":null,\"unit\":\"clocks\",\"flagged\":false,\"flags\":[\"missing\"],\"uncertainty\":null," },
	{ "Below", { .known = true, .value = -0.01, .uncertainty = 0.02,
		     .flags = BPMU_VALUE_BELOW_0 | BPMU_VALUE_UNSURE },
	  "-1.0 % of clocks  +- 2.0  (below-0, unsure)\n",
	  ";Below;1;-0.010000;clocks;0;below-0 unsure;0.020000;\n",
	  "\"flags\":[\"below-0\",\"unsure\"]" },
};

#define NR_ROWS (sizeof(rows) / sizeof(rows[0]))

static struct bpmu_tree tree;
static struct bpmu_tree_value values[NR_ROWS + 1];

TEST_FIXTURE(setup)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_error err;
	unsigned int i;
	int ret;

	ret = unit_tree(&tree,
			"Clk := CPU_CLK_UNHALTED.THREAD | clock\n"
			"Share = UOPS_ISSUED.ANY / Clk | unit clocks\n"
			"Single = Share | unit clocks\n"
			"Exact = Share | unit clocks\n"
			"Rate = Share | unit uops/clock\n"
			"Maybe = Share | unit clocks\n"
			"None = Share | unit clocks\n"
			"Below = Share | unit clocks\n", &pmu, 1, &err);
	for (i = 0; !ret && i < NR_ROWS; i++)
		values[bpmu_metrics_find(&tree.metrics, rows[i].name)] =
			rows[i].value;
	return ret;
}

TEST_FIXTURE(teardown)
{
	bpmu_tree_free(&tree);
	return 0;
}

static void print(FILE *out, enum bpmu_format format)
{
	static const struct bpmu_field when = {
		"time", .absent = true,
	};
	struct bpmu_table table = {
		.out = out, .format = format, .separator = ";",
		.type = "metric", .when = { &when, 1 }, .headed = true,
	};

	if (format == BPMU_TEXT)
		bpmu_tree_text(out, &tree, values, NULL);
	else
		bpmu_tree_rows(&table, &tree, values);
}

static void expect(enum bpmu_format format)
{
	const char *wanted;
	char *text = NULL;
	unsigned int i;
	size_t size;
	FILE *out;

	out = open_memstream(&text, &size);
	assert_non_null(out);
	print(out, format);
	fclose(out);
	for (i = 0; i < NR_ROWS; i++) {
		wanted = format == BPMU_TEXT ? rows[i].text :
			 format == BPMU_CSV ? rows[i].csv : rows[i].json;
		if (!strstr(text, wanted))
			fail_msg("'%s' is not in:\n%s", wanted, text);
	}
	free(text);
}

TEST(prints_text)
{
	expect(BPMU_TEXT);
}

TEST(prints_csv)
{
	expect(BPMU_CSV);
}

TEST(prints_json)
{
	expect(BPMU_JSON);
}

static void expect_text(enum bpmu_format format, const char *wanted)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	print(out, format);
	fclose(out);
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in:\n%s", wanted, text);
	free(text);
}

/*
 * The unit of a metric from Intel's files, or from a user's file, can be any text: CSV and JSON
 * escape it.
 */
TEST(escapes_units_of_files)
{
	struct bpmu_metric *rate;
	const char *unit;

	rate = &tree.metrics.metric[bpmu_metrics_find(&tree.metrics, "Rate")];
	unit = rate->unit;
	rate->unit = "a\"b;c";
	expect_text(BPMU_CSV, "\n;Rate;1;2.000000;\"a\"\"b;c\";0;;0.123400;\n");
	expect_text(BPMU_JSON, ",\"unit\":\"a\\\"b;c\",\"flagged\":");
	rate->unit = unit;
}

TEST_GROUP(setup, teardown);
