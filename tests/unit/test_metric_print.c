// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of printing expressions of metrics: a printed expression can be copied into a metric file,
 * because it has the same meaning when it is parsed again.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"
#include "unit.h"

/* An expression is printed as it was written, but without redundant parentheses. */
TEST(printed_expressions_have_the_necessary_parentheses)
{
	static const struct {
		const char *written;
		const char *printed;
	} cases[] = {
		{ "a - (b - c)",
		  "a - (b - c)" },
		{ "(a - b) - c", "a - b - c" },
		{ "(a + b) * 2 / (c * d)",
		  "(a + b) * 2 / (c * d)" },
		{ "a / b / c",
		  "a / b / c" },
		{ "min(a, max(b + 1, 0.25))",
		  "min(a, max(b + 1, 0.25))" },
		{ "a / 2 if SMT else b",
		  "a / 2 if SMT else b" },
		{ "4 * (a if SMT else b)",
		  "4 * (a if SMT else b)" },
		{ "a > 0.5 and (b or c)",
		  "a > 0.5 and (b or c)" },
		{ "either(a,b+1) * 2", "either(a, b + 1) * 2" },
		{ "a<1 or b<=2 or c>3 or d>=4 or e=5",
		  "a < 1 or b <= 2 or c > 3 or d >= 4 or e = 5" },
		{ "(a or b) and c", "(a or b) and c" }, { "a or (b and c)", "a or b and c" },
		{ "(a and b) or c", "a and b or c" }, { "(a < b) + 1", "(a < b) + 1" },
		{ "(a if b else c) if d else e", "(a if b else c) if d else e" },
		{ "a if (b if c else d) else e", "a if (b if c else d) else e" },
		{ "a if b else (c if d else e)", "a if b else c if d else e" },
		{ "a * (b / c)", "a * (b / c)" }, { "a * (b * c)", "a * (b * c)" },
		{ "-a * 2", "(0 - a) * 2" }, { "a - (b + c)", "a - (b + c)" },
		{ "a - b * (c)", "a - b * c" }, { "min((a if b else c), d)", "min(a if b else c, d)" },
		{ "0.1 + 1e20 + 123456789012345", "0.1 + 1e+20 + 123456789012345" },
		{ "U.X:[>=1] - U.X:[>=2]",
		  "U.X:[>=1] - U.X:[>=2]" },
	};
	struct bpmu_metrics metrics;
	struct bpmu_error err;
	char line[128];
	char *text;
	size_t size;
	size_t i;
	FILE *out;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(&metrics, 0, sizeof(metrics));
		snprintf(line, sizeof(line), "M = %s\n", cases[i].written);
		if (bpmu_metrics_parse(&metrics, "test", line, &err))
			fail_msg("%s", err.text);
		out = open_memstream(&text, &size);
		assert_non_null(out);
		bpmu_expr_print(out, metrics.metric[0].expr);
		fclose(out);
		assert_string_equal(text, cases[i].printed);
		free(text);
		bpmu_metrics_free(&metrics);
	}
}
