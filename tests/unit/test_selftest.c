// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the output of "barepmu selftest": it says first what it will do to the machine, then the
 * result of each check, or the reason why it ends early.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/selftest/selftest.h"
#include "commands.h"
#include "unit.h"

/**
 * struct machine - a machine on which the self-test announces what it will do
 * @cpus: number of CPUs
 * @text: list of the CPUs
 * @smt: cores have two threads
 * @prefetch: the prefetchers can be switched off
 * @report: name of the file for all values; NULL for none
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

TEST(the_announcement_has_all_that_the_machine_allows)
{
	struct bpmu_selftest selftest;
	u32 cpus[] = { 3, 4 };
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

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

TEST(checks_have_a_line_each)
{
	struct bpmu_selftest selftest = { .nr = { 0 } };
	char *text = NULL, *json = NULL;
	size_t size, bytes;

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
		"{\"schema\":3,\"type\":\"selftest\",\"check\":\"counters\",\"verdict\":\"ok\",\"text\":\"4 of 4\"}\n"
		"{\"schema\":3,\"type\":\"selftest\",\"check\":\"constraints\",\"verdict\":\"FAIL\",\"text\":\"counter 2\"}\n"
		"{\"schema\":3,\"type\":\"selftest\",\"check\":\"uncore\",\"verdict\":\"skip\",\"text\":\"no box\"}\n");
	assert_int_equal(selftest.nr[BPMU_SELFTEST_OK], 1);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_FAIL], 1);
	assert_int_equal(selftest.nr[BPMU_SELFTEST_SKIP], 1);
	free(text);
	free(json);
}

/*
 * Names of three checks of the self-test: one that fails, one that is skipped, and one whose error
 * ends the self-test; NULL for none.
 */
static const char *fails, *skips, *breaks;
static int closed_module;

int __wrap_bpmu_target_open_any(struct bpmu_target *target, const char *cpus,
				struct bpmu_error *err)
{
	static u32 cpu[] = { 0, 1 };

	*target = (struct bpmu_target){
		.cpus = { cpu, 2 }, .cpus_text = (char *)(cpus ?: "0-1"),
		.info.title = "Intel Ivy Bridge",
	};
	return closed_module ? bpmu_error_set(err, closed_module, "(the module is not loaded)") :
			       0;
}

void __wrap_bpmu_target_close(struct bpmu_target *target)
{
	(void)target;
}

void __wrap_bpmu_selftest_machine(struct bpmu_selftest *selftest)
{
	(void)selftest;
}

static int checked(struct bpmu_selftest *selftest, const char *name, struct bpmu_error *err)
{
	if (breaks && strstr(breaks, name))
		return bpmu_error_set(err, -EIO, "%s: (it broke)", name);
	if (fails && strstr(fails, name))
		bpmu_selftest_say(selftest, name, BPMU_SELFTEST_FAIL, "(wrong)");
	else if (skips && strstr(skips, name))
		bpmu_selftest_say(selftest, name, BPMU_SELFTEST_SKIP, "(not here)");
	else
		bpmu_selftest_say(selftest, name, BPMU_SELFTEST_OK, "(right)");
	return 0;
}

#define CHECK(name) \
	int __wrap_bpmu_selftest_ ## name(struct bpmu_selftest *selftest, struct bpmu_error *err) \
	{ \
		return checked(selftest, #name, err); \
	}

CHECK(remember)
CHECK(detection)
CHECK(counters)
CHECK(widths)
CHECK(interrupts)
CHECK(fixed)
CHECK(constraints)
CHECK(units)
CHECK(cost)
CHECK(errata)
CHECK(restored)

/*
 * Runs "barepmu selftest" with the arguments in @words, and appends its command line and its output
 * to @out.
 */
static void run(FILE *out, const char *words)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *all = strdup(words), *said, *word;
	char *argv[8] = { "selftest" };
	int argc = 1, status;

	assert_non_null(all);
	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	fprintf(out, "$ selftest%s%s\n", *words ? " " : "", words);
	unit_capture_begin(stdout);
	status = bpmu_cmd_selftest(&ctx, argc, argv);
	said = unit_capture_end();
	fprintf(out, "%s[exit status %d]%s%s\n", said, status, ctx.err.text[0] ? " " : "",
		ctx.err.text);
	free(said);
	free(all);
}

TEST(the_command_ends_with_numbers_of_checks)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	run(out, "");
	run(out, "--dry-run -C 1");
	fails = "counters,errata";
	skips = "fixed,units,cost";
	run(out, "-o /dev/null");
	run(out, "-j");
	fails = NULL;
	breaks = "widths";
	run(out, "");
	run(out, "-j");
	breaks = NULL;
	closed_module = -ENOENT;
	run(out, "");
	run(out, "--what");
	closed_module = 0;
	fclose(out);
	unit_text("selftest-command", text);
}
