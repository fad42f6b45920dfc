// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of event and metric files with an error, accidental or malicious: the file is refused with
 * a message that has the position of the error, and nothing else is harmed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "metric/metric_expr.h"
#include "unit.h"
#include "vendor/vendor.h"

#define HUGE_SIZE (100 << 20)
#define NESTED 100000
#define TERMS 200000

static char path[] = "/tmp/barepmu-vendor-XXXXXX";

static void write_file(const char *text)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	fputs(text, stream);
	assert_int_equal(fclose(stream), 0);
}

static int load(struct bpmu_vendor_set *v, struct bpmu_error *err)
{
	memset(v, 0, sizeof(*v));
	err->text[0] = '\0';
	return bpmu_vendor_load(v, path, bpmu_part_by_name("skl"), err);
}

#define EVENT(fields) "{\"Events\": [{\"EventName\": \"A.B\", " fields "}]}"
#define METRIC(fields) "{\"Metrics\": [{\"MetricName\": \"m\", " fields "}]}"
#define CODE "\"EventCode\": \"0x01\", \"UMask\": \"0x02\", "
#define ALL CODE "\"Counter\": \"0,1\""

static const struct {
	const char *text;
	const char *says;
} wrong[] = {
	{ "", ":1:0: not JSON: ...; get the file again" },
	{ "{\"Events\": [{\"EventName\": \"A", ":1:28: not JSON: ...; get the file again" },
	{ "{\"Events\": [{\"EventName\": \"A\"\n\n x", ":3:2: not JSON: ...; get the file again" },
	{ "\xff\xfe{}", ":1:0: not JSON: ...; get the file again" },
	{ "[]",
	  ": has neither \"Events\": [...] nor \"Metrics\": [...]; name an event or metric file" },
	{ "{\"Events\": 5}",
	  ": has neither \"Events\": [...] nor \"Metrics\": [...]; name an event or metric file" },
	{ "{\"Events\": [5]}", ": Events[0]: not an object; write { ... }" },
	{ "{\"Events\": [{}]}", ": Events[0].EventName: missing or empty; write it" },
	{ "{\"Events\": [{\"EventName\": 5}]}",
	  ": Events[0].EventName: not a text; put it in quotes" },
	{ EVENT("\"Unit\": \"\\u001b[2J\""),
	  ": Events[0].Unit: has a control character; take it out" },
	{ EVENT("\"EventCode\": \"0x100\""),
	  ": Events[0].EventCode: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"EventCode\": \"0xb7\", \"UMask\": \"0x01\", \"Counter\": \"0\", \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"1\", \"ProgrammingRestriction\": \"MSRIndex-UMask\""),
	  ": Events[0].UMask: not as many as in MSRIndex; write one for each" },
	{ EVENT("\"EventCode\": \"zz\""),
	  ": Events[0].EventCode: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"EventCode\": {}"),
	  ": Events[0].EventCode: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"EventCode\": -1"),
	  ": Events[0].EventCode: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"EventCode\": \"-1\""),
	  ": Events[0].EventCode: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"UMask\": 1e400"), ":1:47: not JSON: ...; get the file again" },
	{ EVENT("\"UMask\": \"99999999999999999999999999\""),
	  ": Events[0].UMask: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"CounterMask\": 256"),
	  ": Events[0].CounterMask: not a number from 0 to 255; write it as \"0x1f\" or \"31\"" },
	{ EVENT("\"Invert\": \"2\""),
	  ": Events[0].Invert: not a number from 0 to 1; write it as \"0x1f\" or \"31\"" },
	{ EVENT(CODE "\"Counter\": \"0,x\""),
	  ": Events[0].Counter: not a list of counters; write \"0,1\" or \"Fixed counter 0\"" },
	{ EVENT(CODE "\"Counter\": \"64\""),
	  ": Events[0].Counter: not a list of counters; write \"0,1\" or \"Fixed counter 0\"" },
	{ EVENT(CODE "\"Counter\": \"Fixed counter 99\""),
	  ": Events[0].Counter: not a list of counters; write \"0,1\" or \"Fixed counter 0\"" },
	{ EVENT(ALL ", \"CounterHTOff\": [1]"),
	  ": Events[0].CounterHTOff: not a text; put it in quotes" },
	{ EVENT(CODE "\"Counter\": \"1\", \"CounterHTOff\": \",\""),
	  ": Events[0].CounterHTOff: not a list of counters; write \"0,1\" or \"Fixed counter 0\"" },
	{ EVENT(CODE "\"Unit\": \"CBO\", \"Counter\": \",\""),
	  ": Events[0].Counter: not a list of counters; write \"0,1\" or \"Fixed counter 0\"" },
	{ EVENT("\"UMask\": \"0x02\", \"Counter\": \"0\""),
	  ": Events[0].EventCode: missing or empty; write it" },
	{ EVENT("\"EventCode\": \"0x01\", \"Counter\": \"0\""),
	  ": Events[0].UMask: missing or empty; write it" },
	{ EVENT(CODE "\"Counter\": \"\""), ": Events[0].Counter: missing or empty; write it" },
	{ EVENT(CODE "\"Counter\": \"0\", \"UMask\": \"0x03\""),
	  ":1:94: not clear: duplicate object key...; leave one of the two out" },
	{ EVENT(ALL "}, {\"EventName\": \"a.b\", " ALL),
	  ": Events[1].EventName: the file has this event already; leave one of the two out" },
	{ "{\"Events\": [{\"MATRIX_VALUE\": \"0x1\"}]}",
	  ": describes bits of other registers, no events; name an event or metric file" },
	{ "{\"Events\": [{\"BitName\": \"A\", \"BitIndex\": \"0\"}]}",
	  ": describes bits of other registers, no events; name an event or metric file" },
	{ "{\"Data\": {\"A.B\": {\"MEAN\": \"x\"}}}",
	  ": Data.A.B.MEAN: not a number; write the mean latency in cycles" },
	{ METRIC("\"Events\": [{\"Name\": \"A\", \"Alias\": \"a\"}, {\"Name\": \"B\", \"Alias\": \"a\"}]"),
	  ": Metrics[0].Events[1].Alias: is already used for something else; choose another name" },
	{ METRIC("\"Events\": [{\"Name\": \"A\", \"Alias\": \"a\"}], \"Constants\": [{\"Name\": \"1\", \"Alias\": \"a\"}]"),
	  ": Metrics[0].Constants[0].Alias: is already used for something else; choose another name" },
	{ METRIC("\"Formula\": 5"), ": Metrics[0].Formula: not a text; put it in quotes" },
	{ METRIC("\"Level\": 1"), ": Metrics[0].Formula: missing or empty; write it" },
	{ METRIC("\"Level\": 65"),
	  ": Metrics[0].Level: not a number from 0 to 64; write it as \"0x1f\" or \"31\"" },
	{ METRIC("\"Events\": {}"), ": Metrics[0].Events: not an array; write [ ... ]" },
	{ METRIC("\"Events\": [1]"), ": Metrics[0].Events[0]: not an object; write { ... }" },
	{ METRIC("\"Events\": [{\"Name\": \"A\"}]"),
	  ": Metrics[0].Events[0].Alias: missing or empty; write it" },
	{ METRIC("\"Constants\": [{\"Name\": 1}]"),
	  ": Metrics[0].Constants[0].Name: not a text; put it in quotes" },
	{ METRIC("\"Formula\": \"1\", \"Threshold\": 5"),
	  ": Metrics[0].Threshold: not an object; write { ... }" },
	{ METRIC("\"Formula\": \"1\", \"MetricGroup\": 5"),
	  ": Metrics[0].MetricGroup: not a text; put it in quotes" },
	{ METRIC("\"Formula\": \"1\"}, {\"MetricName\": \"m\""),
	  ": Metrics[1].MetricName: a metric with this name is loaded already; name only one file of this CPU model" },
};

/*
 * Checks if @text is the path of the file and @says. "..." in @says stands for words of the JSON
 * library, which differ between its versions.
 */
static bool is_said(const char *text, const char *says)
{
	const char *gap = strstr(says, "...;");
	size_t length = gap ? (size_t)(gap - says) : strlen(says);

	if (strncmp(text, path, strlen(path)) ||
	    strncmp(text + strlen(path), says, length))
		return false;
	text += strlen(path) + length;
	return gap ? strchr(text, ';') && !strcmp(strchr(text, ';'), gap + 3) : !*text;
}

TEST(refuses_invalid_files)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		write_file(wrong[i].text);
		ret = load(&v, &err);
		bpmu_vendor_free(&v);
		if (!ret || !is_said(err.text, wrong[i].says))
			fail_msg("%s: %d, %s", wrong[i].text, ret, err.text);
	}
}

static const struct {
	const char *formula;
	const char *why;
} formulas[] = {
	{ "\"1 +\"", ": Metrics[0].Formula:1:4: no value here; write a number, a name or '('" },
	{ "\"(1\"", ": Metrics[0].Formula:1:3: a ')' is missing; add it" },
	{ "\"1 2\"",
	  ": Metrics[0].Formula:1:3: the formula does not end here; is an operator missing?" },
	{ "\"1 if 2\"", ": Metrics[0].Formula:1:7: 'else' is missing; write A if B else C" },
	{ "\"1 < 2 < 3\"",
	  ": Metrics[0].Formula:1:7: the formula does not end here; is an operator missing?" },
	{ "\"moon\"",
	  ": Metrics[0].Formula: 'moon' is in neither Events nor Constants; add it there" },
	{ "\"2 * (1, 2)\"",
	  ": Metrics[0].Formula:1:7: a list is for min(A, B) and max(A, B); write one of them" },
};

static const struct {
	const char *formula;
	const char *why;
} thresholds[] = {
	{ "a >",
	  ": Metrics[0].Threshold.Formula:1:4: no value here; write a number, a name or '('" },
	{ "b > 1",
	  ": Metrics[0].Threshold.Formula: 'b' is in neither Events nor Constants; add it there" },
};

/* If the threshold of a metric is invalid, the metric is measured without it. */
TEST(ignores_invalid_thresholds)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(thresholds); i++) {
		snprintf(text, sizeof(text),
			 METRIC("\"Formula\": \"1\", \"Threshold\": {\"Formula\": \"%s\"}"),
			 thresholds[i].formula);
		write_file(text);
		if (load(&v, &err))
			fail_msg("%s", err.text);
		assert_null(v.note[0].why);
		assert_null(v.metrics.metric[0].flag);
		if (!v.note[0].threshold || !is_said(v.note[0].threshold, thresholds[i].why))
			fail_msg("%s: %s", thresholds[i].formula,
				 v.note[0].threshold);
		bpmu_vendor_free(&v);
	}
}

TEST(accepts_a_byte_order_mark)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;

	write_file("\xef\xbb\xbf" EVENT(ALL));
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_non_null(bpmu_vendor_row(&v, "A.B"));
	bpmu_vendor_free(&v);
}

/* Only the metric whose formula is invalid is refused, not the other metrics of the file. */
TEST(refuses_metrics_with_invalid_formulas)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	char text[256];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formulas); i++) {
		snprintf(text, sizeof(text),
			 METRIC("\"Formula\": %s }, { \"MetricName\": \"n\", \"Formula\": \"1\""),
			 formulas[i].formula);
		write_file(text);
		if (load(&v, &err))
			fail_msg("%s", err.text);
		assert_int_equal(v.metrics.nr, 2);
		assert_null(v.note[1].why);
		if (!v.note[0].why || !is_said(v.note[0].why, formulas[i].why))
			fail_msg("%s: %s", formulas[i].formula, v.note[0].why);
		bpmu_vendor_free(&v);
	}
}

/*
 * A JSON number is accepted in place of a text, up to the largest number that fits into the field.
 */
TEST(accepts_json_numbers_within_their_range)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;

	write_file(EVENT("\"EventCode\": 255, \"UMask\": 255, \"Counter\": \"0\""));
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bpmu_vendor_row(&v, "A.B")->select & 0xffff, 0xffff);
	bpmu_vendor_free(&v);
	write_file(EVENT("\"EventCode\": 256, \"UMask\": 1, \"Counter\": \"0\""));
	assert_int_equal(load(&v, &err), -EINVAL);
	bpmu_vendor_free(&v);
}

/*
 * The event table may allow an event fewer counters than the file does. Then only counters that
 * both allow are used. If no counter is allowed by both, all counters that the file allows are
 * used.
 */
TEST(counters_of_the_table_restrict_those_of_the_file)
{
	static const char issued[] = "{\"Events\": [{\"EventName\": \"UOPS_ISSUED.ANY\", "
		"\"EventCode\": \"0x0e\", \"UMask\": \"0x01\", "
		"\"Counter\": \"1,2\", \"CounterHTOff\": \"%s\"}]}";
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	char text[256];

	snprintf(text, sizeof(text), issued, "6,7,8");
	write_file(text);
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bpmu_vendor_row(&v, "UOPS_ISSUED.ANY")->counters, 0x6);
	assert_int_equal(bpmu_vendor_row(&v, "UOPS_ISSUED.ANY")->counters_noht,
			 0xc0);
	bpmu_vendor_free(&v);
	snprintf(text, sizeof(text), issued, "9");
	write_file(text);
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bpmu_vendor_row(&v, "UOPS_ISSUED.ANY")->counters_noht,
			 0x200);
	bpmu_vendor_free(&v);
}

/*
 * An event of this name is loaded already. A file may repeat the event, or use its name for an
 * event of a unit that this CPU does not have. The loaded event then stays. If a file gives the
 * name to another event, the file is refused.
 */
TEST(refuses_another_event_of_the_same_name)
{
	static const char units[] =
		EVENT(CODE "\"Unit\": \"CHA\"");
	struct bpmu_vendor_set v;
	struct bpmu_error err;

	write_file(EVENT(CODE "\"Counter\": \"0,1\""));
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_int_equal(bpmu_vendor_load(&v, path, v.part, &err), 0);
	write_file(units);
	assert_int_equal(bpmu_vendor_load(&v, path, v.part, &err), 0);
	assert_int_equal(bpmu_vendor_row(&v, "A.B")->counters, 3);
	write_file(EVENT("\"EventCode\": \"0x02\", \"UMask\": \"0x02\", \"Counter\": \"0\""));
	assert_int_equal(bpmu_vendor_load(&v, path, v.part, &err), -EEXIST);
	assert_true(is_said(err.text, ": Events[0].EventName: A.B is another event in a file loaded before; name one file of skl only"));
	bpmu_vendor_free(&v);
}

static void fill(const char *before, const char *again, int times,
		 const char *after)
{
	FILE *stream = fopen(path, "w");
	int i;

	assert_non_null(stream);
	fputs(before, stream);
	for (i = 0; i < times; i++)
		fputs(again, stream);
	fputs(after, stream);
	assert_int_equal(fclose(stream), 0);
}

static void refuse(const char *says)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	int ret = load(&v, &err);

	bpmu_vendor_free(&v);
	if (!ret || !is_said(err.text, says))
		fail_msg("%d, %s", ret, err.text);
}

/* Copies the reason why the file's first metric is refused to @why. */
static void take_why(char why[512])
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;

	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_non_null(v.note[0].why);
	snprintf(why, 512, "%s", v.note[0].why);
	bpmu_vendor_free(&v);
}

static void refuse_metric(const char *says)
{
	char why[512];

	take_why(why);
	if (!is_said(why, says))
		fail_msg("%s", why);
}

TEST(refuses_deeply_nested_and_long_input)
{
	char why[512];

	fill("{\"Events\": ", "[", NESTED, "");
	refuse(":1:2059: not JSON: ...; get the file again");
	fill("{\"Metrics\": ", "{\"a\": ", NESTED, "");
	refuse(":1:12295: not JSON: ...; get the file again");
	fill("{\"Events\": [{\"EventName\": \"", "A", 200, "\"}]}");
	refuse(": Events[0].EventName: longer than 127 letters; shorten it");
	fill("{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"1", "+1",
	     TERMS, "\"}]}");
	refuse_metric(": Metrics[0].Formula:1:10002: too long an expression; name parts of it by NAME := EXPRESSION");
	fill("{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"", "(",
	     TERMS, "\"}]}");
	refuse_metric(": Metrics[0].Formula:1:66: too many parentheses; write it flatter");
	fill("{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"",
	     "1 if 1 else ", TERMS, "1\"}]}");
	refuse_metric(": Metrics[0].Formula:1:776: too many 'if' in one another; write it flatter");
	fill("{\"Metrics\": [{\"MetricName\": \"m\", \"Events\": [{\"Alias\": \"a\", \"Name\": \"",
	     "A:", TERMS, "\"}], \"Formula\": \"a\"}]}");
	take_why(why);
	assert_string_equal(why + strspn(why, "A:"), " has a name of more than 127 letters");
}

/* A formula of the largest allowed length can be computed and freed. */
TEST(evaluates_the_longest_allowed_formula)
{
	struct bpmu_vendor_set v;
	struct bpmu_error err;
	struct bpmu_value value;

	fill("{\"Metrics\": [{\"MetricName\": \"m\", \"Formula\": \"1", "+1",
	     4999, "\"}]}");
	if (load(&v, &err))
		fail_msg("%s", err.text);
	assert_null(v.note[0].why);
	value = unit_value(NULL, v.metrics.metric[0].expr, NULL, NULL);
	assert_true(value.known && value.number == 5000);
	bpmu_vendor_free(&v);
}

TEST(refuses_a_huge_file)
{
	write_file("{");
	assert_int_equal(truncate(path, HUGE_SIZE), 0);
	refuse(": is no file of up to 32 MiB; name an event or metric file");
}

TEST_FIXTURE(make_path)
{
	int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

TEST_FIXTURE(remove_path)
{
	return unlink(path);
}

TEST_GROUP(make_path, remove_path);
