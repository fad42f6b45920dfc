// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of expressions of metrics: an expression has the right value, or an error has the right
 * line and column.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"
#include "metric/value_flag.h"
#include "unit.h"

static struct bpmu_value lookup(void *ctx, const char *name)
{
	struct bpmu_value value = { .known = true };

	(void)ctx;
	if (!strcmp(name, "A.B:[>=4]:u"))
		value.number = 4;
	else if (!strcmp(name, "cpu/event=0x9c,umask=1/u"))
		value.number = 9;
	else if (!strcmp(name, "cpu_atom/event=0x9c/"))
		value.number = 7;
	else if (!strcmp(name, "two"))
		value.number = 2;
	else if (!strcmp(name, "zero"))
		value.number = 0;
	else
		value.known = false;
	return value;
}

static struct bpmu_value value_of(const char *text)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_value value;
	struct bpmu_error err;
	char line[128] = "x = ";

	strncat(line, text, sizeof(line) - strlen(line) - 1);
	if (bpmu_metrics_parse(&metrics, "t.bpm", line, &err))
		fail_msg("%s", err.text);
	value = unit_value(&metrics, metrics.metric[0].expr, lookup, NULL);
	bpmu_metrics_free(&metrics);
	return value;
}

static const struct {
	const char *text;
	double number;
} values[] = {
	{ "1 + 2 * 3", 7 },
	{ "(1 + 2) * 3", 9 },
	{ "8 / 4 / 2", 1 },
	{ "5 - 3 - 1", 1 },
	{ "-two * -3", 6 },
	{ "2 - -1", 3 },
	{ "min(3, two)", 2 },
	{ "max(1, two, 5)", 5 },
	{ "A.B:[>= 4]:u / two", 2 },
	{ "1 if two > 1 else 5", 1 },
	{ "1 if two > 3 else 5 if two > 4 else 6", 6 },
	{ "two >= 2", 1 },
	{ "two <= 1 or 2 < 3", 1 },
	{ "two > 1 and two > 3", 0 },
	{ "two > 1 or missing > 3", 1 },
	{ "two > 3 and missing > 3", 0 },
	{ "7 if 1 else missing", 7 },
	{ "0.5 * 1e2", 50 },
	{ ".5 + 2.5E-1 + 1. + 1e+0", 2.75 },
	{ "cpu/event=0x9c,umask=1/u + two", 11 },
	{ "cpu_atom/event=0x9c/ + two", 9 },
	{ "two/two", 1 },
	{ "3 - 2 + 1", 2 },
	{ "8 / 2 * 4", 16 },
	{ "2 * 3 / 4", 1.5 },
	{ "- two - two", -4 },
	{ "--two", 2 },
	{ "min(5, 3, 4)", 3 },
	{ "max(3, 5, 4)", 5 },
	{ "max(two)", 2 },
	{ "two = 2", 1 },
	{ "two = 3", 0 },
	{ "two < 2", 0 },
	{ "two <= 2 and two>=2", 1 },
	{ "two > 2", 0 },
	{ "1 if two = 2 else 3", 1 },
	{ "1 or 1 and 0", 1 },
	{ "0 and 0 or 1", 1 },
	{ "0 and (0 or 1)", 0 },
	{ "1 + 2 > two + zero", 1 },
	{ "1 + 1 if zero else 2 * 3", 6 },
	{ "1E1 + 1e-1", 10.1 },
};

TEST(expressions_have_their_values)
{
	struct bpmu_value value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		value = value_of(values[i].text);
		if (!value.known || value.number != values[i].number)
			fail_msg("%s: %g", values[i].text, value.number);
	}
}

TEST(expressions_without_a_known_operand_have_no_value)
{
	static const char *const texts[] = {
		"missing", "1 / zero", "zero / zero", "two + missing",
		"min(two, missing)", "1 if missing else 2", "missing or 0",
		"missing > 1 and two", "1e308 * 1e308", "-missing",
		"minx + 1", "maxi", "either_way", "orx", "_min", "two if missing > 1 else 3",
		"max(missing, two)", "min(missing)", "two > missing", "missing = missing",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (value_of(texts[i]).known)
			fail_msg("%s has a value", texts[i]);
}

#define NO_UNIT "no such unit; use one of slots, clocks, core clocks, uncore clocks, system-wide clocks, instructions, uops, share, ratio, count, count/s, clocks/instruction, instructions/clock, " \
	"uops/clock, count/1000 instructions, cycles, bytes, bytes/clock, GB/s, GHz, GFLOP/s, Guop/s, ns, s, W, J, degrees C"

/* A sentence with the excerpt is compared with both; of others the excerpt has the place. */
static const struct {
	const char *text;
	const char *says;
} wrong[] = {
	{ "x = 1 +",
	  "t.bpm:1:8: no value here; write a number, a name or '('\nx = 1 +\n       ^\n" },
	{ "# c\nx = (1 + 2",
	  "t.bpm:2:11: a ')' is missing; add it\nx = (1 + 2\n          ^\n" },
	{ "x = 1\n\ty = \t\xc3\xa4 + 1",
	  "t.bpm:2:7: no value here; write a number, a name or '('\n\ty = \t\xc3\xa4 + 1\n\t    \t^\n" },
	{ "x = 1 | text \"\xc3\xa4\x1b\" + 1\r\n",
	  "t.bpm:1:19: the line does not end here; is an operator or a '|' missing?\nx = 1 | text \"\xc3\xa4?\" + 1\n                  ^\n" },
	{ "x = 1 if 2", "t.bpm:1:11: 'else' is missing; write A if B else C" },
	{ "x 1", "t.bpm:1:3: no '=' here; write NAME = EXPRESSION" },
	{ "1 = x",
	  "t.bpm:1:1: no name here; write one that begins with a letter and is no word of the language" },
	{ "if = 1",
	  "t.bpm:1:1: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = 1 + else",
	  "t.bpm:1:9: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = min 3", "t.bpm:1:9: no '(' here; write min(A, B), max(A, B) or either(A, B)" },
	{ "x = min()", "t.bpm:1:9: no value here; write a number, a name or '('" },
	{ "x = .", "t.bpm:1:5: not a number; write it as 12, 0.5 or 2.5e9" },
	{ "x = 1e", "t.bpm:1:5: not a number; write it as 12, 0.5 or 2.5e9" },
	{ "x = 1e999", "t.bpm:1:5: too large a number; the largest is about 1e308" },
	{ "x = 0x10", "t.bpm:1:6: the line does not end here; is an operator or a '|' missing?" },
	{ "x = 1\nx = 2",
	  "t.bpm:2:1: 'x' is taken by a line above or of another file; use another name" },
	{ "x := 1\nx := 2",
	  "t.bpm:2:1: 'x' is taken by a line above or of another file; use another name" },
	{ "SMT := 1", "t.bpm:1:1: 'SMT' is supplied by the tool; use another name" },
	{ "x = 1 2", "t.bpm:1:7: the line does not end here; is an operator or a '|' missing?" },
	{ "x", "t.bpm:1:2: no '=' here; write NAME = EXPRESSION" },
	{ "  x = 1", "t.bpm:1:3: no node above that this one is below; indent it less" },
	{ "a = 1\n    b = 2\n  c = 3",
	  "t.bpm:3:3: no line above begins at this column; indent it as its siblings are" },
	{ "x = 1 | colour red",
	  "t.bpm:1:9: unknown word; use unit, flag, text, next, source, scope, erratum, group, clock, first, root or extra" },
	{ "x = 1 | text hello", "t.bpm:1:14: no '\"' here; put the sentence in quotes" },
	{ "x = 1 | text \"hello", "t.bpm:1:14: the closing '\"' is missing; add it" },
	{ "x = 1 | text \"a\" | text \"b\"", "t.bpm:1:25: given twice on this line; drop one" },
	{ "x = 1 | flag > 1 | flag > 2",
	  "t.bpm:1:25: given twice on this line; join both by 'or'" },
	{ "x := 1 | flag > 1", "t.bpm:1:1: a definition has no flag; write '=' to make it a node" },
	{ "x = 1 | unit",
	  "t.bpm:1:13: " NO_UNIT },
	{ "x = 1 | unit furlongs",
	  "t.bpm:1:14: " NO_UNIT },
	{ "x = 1 | unit slots | unit slots", "t.bpm:1:27: given twice on this line; drop one" },
	{ "x = 1 | scope planet", "t.bpm:1:15: no such scope; use thread, core or card" },
	{ "x = 1 | erratum 7",
	  "t.bpm:1:17: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = A[>=4",
	  "t.bpm:1:5: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = A:[>=\"]",
	  "t.bpm:1:5: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = 1 < 2 < 3",
	  "t.bpm:1:11: the line does not end here; is an operator or a '|' missing?" },
	{ "x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1",
	  "t.bpm:1:70: too many parentheses; write it flatter" },
	{ "x = ------------------------------------------------------------------1",
	  "t.bpm:1:70: too many signs; leave some out" },
	{ "x = (1, 2)", "t.bpm:1:7: a list is for min(A, B) and max(A, B); write one of them" },
	{ "x = min(1, )", "t.bpm:1:12: no value here; write a number, a name or '('" },
	{ "x = max(1, 2", "t.bpm:1:13: a ')' is missing; add it" },
	{ "x = either 1", "t.bpm:1:12: no '(' here; write min(A, B), max(A, B) or either(A, B)" },
	{ "x = 1 or", "t.bpm:1:9: no value here; write a number, a name or '('" },
	{ "x = 1 and *", "t.bpm:1:11: no value here; write a number, a name or '('" },
	{ "x = 1 if 2 else", "t.bpm:1:16: no value here; write a number, a name or '('" },
	{ "x = 2 <", "t.bpm:1:8: no value here; write a number, a name or '('" },
	{ "x = 2 - -", "t.bpm:1:10: no value here; write a number, a name or '('" },
	{ "x = 1e+", "t.bpm:1:5: not a number; write it as 12, 0.5 or 2.5e9" },
	{ "x = 1 | scope cores", "t.bpm:1:15: no such scope; use thread, core or card" },
	{ "x = 1 |",
	  "t.bpm:1:8: unknown word; use unit, flag, text, next, source, scope, erratum, group, clock, first, root or extra" },
	{ "x = 1 | clocks",
	  "t.bpm:1:9: unknown word; use unit, flag, text, next, source, scope, erratum, group, clock, first, root or extra" },
	{ "x = 1 | next a", "t.bpm:1:14: no '\"' here; put the sentence in quotes" },
	{ "x = 1 | source \"a\" | source \"b\"", "t.bpm:1:29: given twice on this line; drop one" },
	{ "x = 1 | next \"a\" | next \"b\"", "t.bpm:1:25: given twice on this line; drop one" },
	{ "x = 1 | group \"a\"",
	  "t.bpm:1:15: no name here; write one that begins with a letter and is no word of the language" },
	{ "x = 1 | flag", "t.bpm:1:13: no value here; write a number, a name or '('" },
	{ "a = 1\n  b = 1\n    c = 1\n   d = 1",
	  "t.bpm:4:4: no line above begins at this column; indent it as its siblings are" },
	{ "THREADS = 1", "t.bpm:1:1: 'THREADS' is supplied by the tool; use another name" },
	{ "x = A:", "t.bpm:1:6: the line does not end here; is an operator or a '|' missing?" },
};

/* Only a condition on hyper-threading alone selects a branch of a formula before it is evaluated. */
TEST(hyper_threading_selects_a_branch)
{
	static const struct {
		const char *text, *smt, *alone;
	} all[] = {
		{ "two if SMT else zero", "two", "zero" },
		{ "two if SMT > 0 else zero", "two", "zero" },
		{ "(two if SMT else A) if SMT else (B if SMT else zero)", "two", "zero" },
		{ "two if two > 1 else zero", "two if two > 1 else zero", "two if two > 1 else zero" },
		{ "two if THREADS > 1 else zero", "two if THREADS > 1 else zero",
		  "two if THREADS > 1 else zero" },
		{ "(A if two else B) if SMT else zero", "A if two else B", "zero" },
		{ "two + zero", "two + zero", "two + zero" },
	};
	struct bpmu_metrics metrics = { .nr = 0 };
	struct bpmu_error err;
	char line[128], *text;
	unsigned int i;
	int smt;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		snprintf(line, sizeof(line), "x = %s", all[i].text);
		assert_int_equal(bpmu_metrics_parse(&metrics, "t.bpm", line, &err), 0);
		for (smt = 0; smt < 2; smt++) {
			text = bpmu_expr_text(bpmu_expr_taken(metrics.metric[0].expr, smt));
			assert_string_equal(text, smt ? all[i].smt : all[i].alone);
			free(text);
		}
		bpmu_metrics_free(&metrics);
		metrics = (struct bpmu_metrics){ .nr = 0 };
	}
}

TEST(refuses_invalid_lines_with_their_position)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	char said[sizeof(struct bpmu_error) + 2];
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		err.text[0] = '\0';
		ret = bpmu_metrics_parse(&metrics, "t.bpm", wrong[i].text,
					 &err);
		bpmu_metrics_free(&metrics);
		snprintf(said, sizeof(said), "%s\n%s", err.text, err.excerpt);
		if (ret != -EINVAL || (strchr(wrong[i].says, '\n') ?
				       strcmp(said, wrong[i].says) :
				       !unit_file_said(wrong[i].text, wrong[i].says, &err)))
			fail_msg("%s: %d, %s", wrong[i].text, ret, said);
	}
}

TEST(indentation_defines_parents_and_levels)
{
	static const char text[] =
		"# comment\n\na = 1 # b\n\t| unit slots | flag > 0.5\n"
		"  b = 2 | text \"t | # u\" | next \"n\"\n"
		"    c = 3\n  d = 4 | scope core | source \"table 1\"\n"
		"    | erratum BV98 | unit core clocks | erratum BJ122 # c\r\n"
		"e := 5 | clock\nf = 6";
	static const int parents[] = { -1, 0, 1, 0, -1, -1 };
	static const unsigned int levels[] = { 1, 2, 3, 2, 0, 1 };
	struct bpmu_metrics m = { .nr = 0 };
	struct bpmu_error err;
	unsigned int i;

	if (bpmu_metrics_parse(&m, "t.bpm", text, &err))
		fail_msg("%s", err.text);
	assert_int_equal(m.nr, 6);
	for (i = 0; i < m.nr; i++) {
		assert_int_equal(m.metric[i].parent, parents[i]);
		assert_int_equal(m.metric[i].level, levels[i]);
		assert_int_equal(m.metric[i].clock, i == 4);
	}
	assert_string_equal(m.metric[0].unit, "slots");
	assert_int_equal(m.metric[0].flag->op, BPMU_EXPR_GT);
	assert_string_equal(m.metric[0].flag->arg[0]->name, "a");
	assert_string_equal(m.metric[1].text, "t | # u");
	assert_string_equal(m.metric[1].next, "n");
	assert_int_equal(m.metric[2].scope, BPMU_SCOPE_NONE);
	assert_int_equal(m.metric[3].scope, BPMU_SCOPE_CORE);
	assert_string_equal(m.metric[3].source, "table 1");
	assert_string_equal(m.metric[3].erratum, "BV98 BJ122");
	assert_string_equal(m.metric[3].unit, "core clocks");
	assert_int_equal(bpmu_metrics_find(&m, "d"), 3);
	assert_int_equal(bpmu_metrics_find(&m, "g"), -1);
	bpmu_metrics_free(&m);
}

TEST(a_group_is_a_whole_name_of_its_list)
{
	static const struct {
		const char *list, *word;
		bool in;
	} all[] = {
		{ "MEM;L3", "MEM", true }, { "MEM;L3", "l3", true }, { "MEM; L3", "L3", true },
		{ "  MEM ;L3", "L3", true }, { "MEM;;L3", "L3", true }, { "MEM;L3", "L", false },
		{ "MEM;L3", "L3C", false }, { "MEM;L3", "EM", false }, { "MEM;L3", "", false },
		{ "", "MEM", false }, { NULL, "MEM", false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_int_equal(bpmu_metric_of_group(all[i].list, all[i].word), all[i].in);
}

/* The names are those that barepmu-metrics(5) lists. */
TEST(constants_have_their_names)
{
	static const char *const names[] = {
		[BPMU_CONSTANT_SMT] = "SMT", [BPMU_CONSTANT_THREADS] = "THREADS",
		[BPMU_CONSTANT_CORES] = "CORES", [BPMU_CONSTANT_SOCKETS] = "SOCKETS",
		[BPMU_CONSTANT_CHAS] = "CHAS", [BPMU_CONSTANT_IMCS] = "IMCS",
		[BPMU_CONSTANT_TSC_HZ] = "TSC_HZ", [BPMU_CONSTANT_TSC] = "TSC",
		[BPMU_CONSTANT_SECONDS] = "SECONDS", [BPMU_CONSTANT_JOULE] = "JOULE",
		[BPMU_CONSTANT_JOULE_DRAM] = "JOULE_DRAM",
		[BPMU_CONSTANT_JOULE_PSYS] = "JOULE_PSYS", [BPMU_CONSTANT_TJMAX] = "TJMAX",
	};
	int i;

	assert_int_equal(ARRAY_SIZE(names), BPMU_NR_CONSTANTS);
	for (i = 0; i < BPMU_NR_CONSTANTS; i++) {
		assert_string_equal(bpmu_metric_constant_name(i), names[i]);
		assert_int_equal(bpmu_metric_constant(names[i]), i);
	}
	assert_true(bpmu_metric_constant("smt") < 0);
	assert_true(bpmu_metric_constant("TSC_") < 0);
	assert_true(bpmu_metric_constant("") < 0);
}

/* Values with flags: each letter has a flag of its own, and is known if it is no u. */
static struct bpmu_value flagged(void *ctx, const char *name)
{
	static const struct {
		const char *name;
		struct bpmu_value value;
	} all[] = {
		{ "e", { .known = true, .number = 1, .flags = BPMU_VALUE_ERRATUM } },
		{ "b", { .known = true, .number = 2, .flags = BPMU_VALUE_BURSTY } },
		{ "z", { .known = true, .number = 0 } },
		{ "u", { .flags = BPMU_VALUE_MISSING } },
		{ "above", { .known = true, .number = 4, .flags = BPMU_VALUE_UNCORRECTED } },
		{ "below", { .known = true, .number = -4, .flags = BPMU_VALUE_UNCORRECTED } },
		{ "at", { .known = true, .number = 0, .flags = BPMU_VALUE_UNCORRECTED } },
	};
	size_t i;

	(void)ctx;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(name, all[i].name))
			return all[i].value;
	fail_msg("%s", name);
	return all[0].value;
}

/* A value has the flags of all that it depends on, and of no others. */
TEST(values_have_the_flags_of_their_operands)
{
	enum {
		E = BPMU_VALUE_ERRATUM, B = BPMU_VALUE_BURSTY, U = BPMU_VALUE_MISSING,
		C = BPMU_VALUE_UNCORRECTED, BY_0 = BPMU_VALUE_DIVIDED_BY_0
	};
	static const struct {
		const char *text;
		bool known;
		double number;
		unsigned int flags;
	} cases[] = {
		{ "e", true, 1, E }, { "e + b", true, 3, E | B }, { "2 * e - 1", true, 1, E },
		{ "e / z", false, 0, E | BY_0 }, { "z / e", true, 0, E }, { "u / z", false, 0, U },
		{ "e / u", false, 0, E | U }, { "e * u", false, 0, E | U },
		{ "e / above", true, 0.25, E | C }, { "above / e", true, 4, E | C },
		{ "e / below", false, 0, E | C | U }, { "e / at", false, 0, E | C | U },
		{ "below / e", true, -4, E | C }, { "below * e", true, -4, E | C },
		{ "b if e else u", true, 2, B | E }, { "b if z else e", true, 1, E },
		{ "b if u else e", false, 0, U }, { "u if e else b", false, 0, U | E },
		{ "either(e, b)", true, 1, E }, { "either(u, b)", true, 2, B },
		{ "either(u, u)", false, 0, U }, { "u or e", true, 1, E }, { "z and u", true, 0, 0 },
		{ "z or u", false, 0, U }, { "e and u", false, 0, E | U },
		{ "e < b", true, 1, E | B }, { "e <= 1", true, 1, E }, { "b >= e", true, 1, E | B },
		{ "e > 1", true, 0, E }, { "e = 1", true, 1, E }, { "e = b", true, 0, E | B },
		{ "e > u", false, 0, E | U }, { "min(e, b)", true, 1, E | B },
		{ "max(e, b)", true, 2, E | B }, { "max(e, u)", false, 0, E | U },
		{ "e * 1e308 * 1e308", false, 0, E }, { "0 - 1e308 * 1e308", false, 0, 0 },
	};
	struct bpmu_metrics metrics;
	struct bpmu_value value;
	struct bpmu_error err;
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(&metrics, 0, sizeof(metrics));
		snprintf(text, sizeof(text), "x = %s", cases[i].text);
		assert_int_equal(bpmu_metrics_parse(&metrics, "t.bpm", text, &err), 0);
		value = unit_value(&metrics, metrics.metric[0].expr, flagged, NULL);
		if (value.known != cases[i].known || value.flags != cases[i].flags ||
		    (value.known && value.number != cases[i].number))
			fail_msg("%s: %g, 0x%x", cases[i].text, value.number, value.flags);
		bpmu_metrics_free(&metrics);
	}
}
