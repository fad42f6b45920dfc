// SPDX-License-Identifier: GPL-2.0
/* What "barepmu selftest" says that it will do, and the lines of its checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/selftest/selftest.h"
#include "unit.h"

/**
 * struct machine - what is announced
 * @cpus: number of CPUs
 * @text: their list
 * @smt: cores have two threads
 * @prefetch: prefetchers can be switched off
 * @report: name of the file with all values, or NULL
 */
struct machine {
	unsigned int cpus;
	char *text;
	int smt;
	bool prefetch;
	const char *report;
};

static char one[] = "3", several[] = "0-7";

static const struct machine machines[] = {
	{ 1, one, 0, false, NULL },
	{ 8, several, 1, true, NULL },
	{ 8, several, 0, true, "values.json" },
	{ 1, one, 1, false, "values.json" },
};

static void the_announcement_has_all_that_the_machine_allows(void **state)
{
	struct bpmu_selftest selftest;
	u32 cpus[] = { 3, 4 };
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		selftest = (struct bpmu_selftest){
			.target.cpus = { cpus, machines[i].cpus },
			.target.cpus_text = machines[i].text,
			.target.smt = machines[i].smt,
			.target.info.prefetch = machines[i].prefetch,
			.target.info.title = "Intel Ivy Bridge",
		};
		bpmu_selftest_announce(&selftest, out, machines[i].report);
	}
	fclose(out);
	unit_text("selftest", text);
}

static void checks_have_a_line_each(void **state)
{
	struct bpmu_selftest selftest = { .nr = { 0 } };
	char *text = NULL, *json = NULL;
	size_t size, bytes;

	(void)state;
	selftest.text = open_memstream(&text, &size);
	selftest.json = open_memstream(&json, &bytes);
	bpmu_selftest_say(&selftest, "counters", BPMU_SELFTEST_OK, "%u of %u", 4, 4);
	bpmu_selftest_say(&selftest, "constraints", BPMU_SELFTEST_FAIL, "counter %s", "2");
	bpmu_selftest_say(&selftest, "uncore", BPMU_SELFTEST_SKIP, "no box");
	fclose(selftest.text);
	fclose(selftest.json);
	assert_string_equal(text,
			    "ok    counters     4 of 4\n"
			    "FAIL  constraints  counter 2\n"
			    "skip  uncore       no box\n");
	assert_string_equal(json,
		"{\"schema\":1,\"type\":\"selftest\",\"check\":\"counters\",\"verdict\":\"ok\",\"text\":\"4 of 4\"}\n"
		"{\"schema\":1,\"type\":\"selftest\",\"check\":\"constraints\",\"verdict\":\"FAIL\",\"text\":\"counter 2\"}\n"
		"{\"schema\":1,\"type\":\"selftest\",\"check\":\"uncore\",\"verdict\":\"skip\",\"text\":\"no box\"}\n");
	assert_int_equal(selftest.nr[BPMU_SELFTEST_OK], 1);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_FAIL], 1);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_SKIP], 1);
	free(text);
	free(json);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_announcement_has_all_that_the_machine_allows),
		cmocka_unit_test(checks_have_a_line_each),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("selftest", tests, NULL, NULL);
}
