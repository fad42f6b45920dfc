// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the page of "barepmu serve", which Prometheus servers read: its format is OpenMetrics,
 * and its counters never decrease.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "view/openmetrics.h"

static const struct bpmu_om_family counter = {
	.name = "a_seconds", .type = BPMU_OM_COUNTER, .unit = "seconds",
	.help = "One \"two\"\\three\nfour.",
};

static const struct bpmu_om_family info = {
	.name = "b", .type = BPMU_OM_INFO, .help = "Five.",
};

static void page(bool open, const char *expected)
{
	struct bpmu_om om = { .open = open };
	char *text;
	size_t len;

	om.out = open_memstream(&text, &len);
	assert_non_null(om.out);
	bpmu_om_family(&om, &counter);
	bpmu_om_count(&om, "x=\"1\"", 18446744073709551615ULL);
	bpmu_om_value(&om, "", 0.25);
	bpmu_om_value(&om, "", INFINITY);
	bpmu_om_value(&om, "", -INFINITY);
	bpmu_om_family(&om, &info);
	bpmu_om_count(&om, "y=\"2\"", 1);
	bpmu_om_end(&om);
	fclose(om.out);
	assert_string_equal(text, expected);
	assert_int_equal(om.series, 5);
	free(text);
}

TEST(openmetrics_has_units_and_an_end)
{
	page(true,
	     "# TYPE a_seconds counter\n"
	     "# UNIT a_seconds seconds\n"
	     "# HELP a_seconds One \\\"two\\\"\\\\three\\nfour.\n"
	     "a_seconds_total{x=\"1\"} 18446744073709551615\n"
	     "a_seconds_total 0.25\n"
	     "a_seconds_total +Inf\n"
	     "a_seconds_total -Inf\n"
	     "# TYPE b info\n"
	     "# HELP b Five.\n"
	     "b_info{y=\"2\"} 1\n"
	     "# EOF\n");
}

TEST(the_older_format_has_neither)
{
	page(false,
	     "# TYPE a_seconds_total counter\n"
	     "# HELP a_seconds_total One \"two\"\\\\three\\nfour.\n"
	     "a_seconds_total{x=\"1\"} 18446744073709551615\n"
	     "a_seconds_total 0.25\n"
	     "a_seconds_total +Inf\n"
	     "a_seconds_total -Inf\n"
	     "# TYPE b_info gauge\n"
	     "# HELP b_info Five.\n"
	     "b_info{y=\"2\"} 1\n");
}

TEST(labels_are_escaped)
{
	char *text;
	size_t len;
	FILE *out;

	out = open_memstream(&text, &len);
	assert_non_null(out);
	bpmu_om_label(out, "event", "a\\b\"c\nd{}\xc3\xa4");
	fclose(out);
	assert_string_equal(text, "event=\"a\\\\b\\\"c\\nd{}\xc3\xa4\"");
	free(text);
}

TEST(the_accept_header_chooses_the_format)
{
	static const struct {
		const char *accept;
		bool open;
	} readers[] = {
		{ NULL, false },
		{ "", false },
		{ "*/*", false },
		{ "text/html, text/plain;q=0.5", false },
		{ "application/openmetrics-text", true },
		{ "application/openmetrics-text; version=1.0.0; q=0.5, text/plain; version=0.0.4; q=0.3", true },
		{ "text/plain;version=0.0.4,application/openmetrics-text;q=0.2", false },
		{ "application/openmetrics-text;q=0", false },
		{ ",,, ,", false },
	};
	size_t i;

	for (i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		assert_int_equal(bpmu_om_accepted(readers[i].accept),
				 readers[i].open);
}
