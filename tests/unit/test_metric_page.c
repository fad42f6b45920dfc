// SPDX-License-Identifier: GPL-2.0
/*
 * What barepmu-metrics(5) says is so: its examples, which begin with "# ", are
 * read and measured, its units and names are those of the tool.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_unit.h"
#include "tree/tree.h"
#include "unit.h"

#define PAGE TOP "/user/man/barepmu-metrics.5.scd"
#define SIZE_LIMIT (1 << 16)

static char page[SIZE_LIMIT];

static int read_page(void **state)
{
	FILE *in = fopen(PAGE, "re");

	(void)state;
	if (!in)
		return -1;
	page[fread(page, 1, SIZE_LIMIT - 1, in)] = '\0';
	return fclose(in);
}

/* down to its deepest level */
static void measure(const char *text)
{
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_metrics m = { .nr = 0 };
	unsigned int level = 1;
	struct bpmu_error err;
	struct bpmu_tree tree;
	unsigned int i;

	if (bpmu_metrics_add(&m, PAGE, text, pmu.part, &err))
		fail_msg("%s\n%s\n%s", text, err.text, err.excerpt);
	for (i = 0; i < m.nr; i++)
		if (m.metric[i].level > level)
			level = m.metric[i].level;
	bpmu_metrics_free(&m);
	if (unit_tree(&tree, text, &pmu, level, &err))
		fail_msg("%s\n%s", text, err.text);
	bpmu_tree_free(&tree);
}

static void test_examples(void **state)
{
	unsigned int nr = 0;
	char *block;
	char *end;

	(void)state;
	for (block = page; (block = strstr(block, "\n```\n")); block = end) {
		block += strlen("\n```\n");
		end = strstr(block, "\n```\n");
		assert_non_null(end);
		end[1] = '\0';
		if (!strncmp(block, "# ", 2)) {
			measure(block);
			nr++;
		}
		end[1] = '`';
		end += strlen("\n```");
	}
	assert_true(nr >= 3);
}

static void test_units(void **state)
{
	char list[BPMU_UNIT_LIST];
	char wanted[64];
	char *rest = list;
	char *unit;

	(void)state;
	bpmu_unit_list(list, sizeof(list));
	assert_true(strlen(list) < sizeof(list) - 1);
	while ((unit = strsep(&rest, ","))) {
		unit += *unit == ' ';
		snprintf(wanted, sizeof(wanted), "\n|  *%s*\n", unit);
		if (!strstr(page, wanted) && !strstr(page, wanted + 1))
			fail_msg("unit '%s' is not in the page", unit);
	}
}

static void test_supplied(void **state)
{
	static const char *const names[] = {
		"SMT", "THREADS", "CORES", "SOCKETS", "CHAS", "TSC_HZ", "TSC",
		"SECONDS", "JOULE", "JOULE_DRAM", "JOULE_PSYS", "TJMAX",
	};
	char wanted[64];
	size_t i;
	char *p;

	(void)state;
	assert_int_equal(ARRAY_SIZE(names), BPMU_NR_CONSTANTS);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(bpmu_metric_constant(names[i]), i);
		snprintf(wanted, sizeof(wanted), "*%s*", names[i]);
		for (p = wanted; (p = strchr(p, '_')); p += 2) {
			memmove(p + 1, p, strlen(p) + 1);
			*p = '\\';
		}
		if (!strstr(page, wanted))
			fail_msg("name '%s' is not in the page", wanted);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_supplied),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("metric page", tests, read_page,
					   NULL);
}
