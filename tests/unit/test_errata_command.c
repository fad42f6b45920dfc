// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the commands "barepmu errata check" and "barepmu errata probe": which CPU they test, what
 * they pass on, and their exit statuses. The test stands in for the machine and for the trials.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/errata/errata_report.h"
#include "cmd/errata/probe.h"
#include "commands.h"
#include "trial/errata_stats.h"
#include "unit.h"

/* errors of the machine, of the trials and of the probe, 0 for none */
static int open_error, check_error, probe_error;
/* number of tests that the trials consist of, and of those that found something */
static unsigned int tests, found;
/* number of CPUs of the machine that are measured */
static unsigned int nr_cpus;
static char cpus[16];
static unsigned int opened, closed, checked, reported, probed;
static struct bpmu_errata_check done;
static struct bpmu_errata_report report;
static struct bpmu_probe_wish wish;
static char event[32], separator[8];
static u32 cpu_of_info;
/* stands for the connection to the module */
static struct bpmu_client *const client = (struct bpmu_client *)&opened;

int __wrap_bpmu_target_open_any(struct bpmu_target *target, const char *text, struct bpmu_error *err)
{
	static char note[] = "CPU 7: left out";

	opened++;
	snprintf(cpus, sizeof(cpus), "%s", text ?: "none");
	if (open_error)
		return bpmu_error_set(err, open_error, "module: not loaded");
	unit_target(target, "ivb", 3);
	target->cpus.nr = nr_cpus;
	target->client = client;
	target->smt = 1;
	target->left_out[0] = note;
	return 0;
}

void __wrap_bpmu_target_close(struct bpmu_target *target)
{
	closed++;
	free(target->cpus_text);
	free(target->cpus.cpu);
}

int __wrap_bpmu_errata_check(struct bpmu_errata_check *check, struct bpmu_error *err)
{
	checked++;
	if (check_error)
		return bpmu_error_set(err, check_error, "the trials failed");
	check->nr = tests;
	done = *check;
	cpu_of_info = check->trial.info->tsc_khz;
	return 0;
}

unsigned int __wrap_bpmu_errata_report(FILE *out, const struct bpmu_errata_report *as,
				       const struct bpmu_errata_check *check)
{
	assert_ptr_equal(out, stdout);
	assert_int_equal(check->nr, tests);
	assert_string_equal(as->title, "Big");
	reported++;
	report = *as;
	snprintf(separator, sizeof(separator), "%s", as->separator ?: "");
	return found;
}

int __wrap_bpmu_probe_run(const struct bpmu_probe_wish *for_this, struct bpmu_error *err)
{
	probed++;
	wish = *for_this;
	snprintf(event, sizeof(event), "%s", wish.event);
	snprintf(separator, sizeof(separator), "%s", wish.separator ?: "");
	assert_int_equal(wish.info->tsc_khz, 1000000);
	return probe_error ? bpmu_error_set(err, probe_error, "the probe failed") : 0;
}

/*
 * Runs "barepmu errata" with the arguments in @words on a machine of @of CPUs. What it writes to the
 * standard error must be @said.
 */
static void run(unsigned int of, const char *words, int status, const char *said)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *all = strdup(words), *word, *got;
	char *argv[12] = { "errata" };
	int argc = 1, code;

	assert_non_null(all);
	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	nr_cpus = of;
	opened = 0;
	closed = 0;
	checked = 0;
	reported = 0;
	probed = 0;
	unit_capture_begin(stderr);
	code = bpmu_cmd_errata(&ctx, argc, argv);
	got = unit_capture_end();
	assert_int_equal(code, status);
	assert_string_equal(got, said);
	/* What was opened is closed, also after an error. */
	assert_int_equal(closed, opened);
	free(got);
	free(all);
}

#define LEFT_OUT "barepmu: CPU 7: left out\n"

TEST(a_check_tests_the_first_cpu)
{
	tests = 20;
	found = 0;
	run(2, "check", BPMU_EXIT_OK, LEFT_OUT);
	assert_string_equal(cpus, "none");
	assert_int_equal(opened, 1);
	assert_int_equal(reported, 1);
	assert_int_equal(probed, 0);
	assert_ptr_equal(done.trial.client, client);
	assert_int_equal(done.trial.cpu, 3);
	assert_int_equal(done.smt, 1);
	assert_int_equal(done.trials, 32);
	assert_int_equal(cpu_of_info, 1000000);
	assert_int_equal(report.format, BPMU_TEXT);
	assert_false(report.verbose);
	assert_string_equal(report.cpu.part->name, "ivb");
	assert_int_equal(report.cpu.smt, 1);
	/* A wrong count is the exit status 3. */
	found = 2;
	run(1, "check -C 3 -v -x; --trials 50", BPMU_EXIT_ALERT, LEFT_OUT);
	assert_string_equal(cpus, "3");
	assert_int_equal(done.trials, 50);
	assert_true(report.verbose);
	assert_int_equal(report.format, BPMU_CSV);
	assert_string_equal(separator, ";");
	run(2, "check -j", BPMU_EXIT_ALERT, LEFT_OUT);
	assert_int_equal(report.format, BPMU_JSON);
}

/* So few trials cannot be significant: the report is not printed. */
TEST(too_few_trials_are_refused)
{
	const unsigned int least = bpmu_deviation_trials(20);
	char words[64], said[160];

	tests = 20;
	found = 0;
	snprintf(words, sizeof(words), "check --trials %u", least);
	run(2, words, BPMU_EXIT_OK, LEFT_OUT);
	snprintf(words, sizeof(words), "check --trials %u", least - 1);
	snprintf(said, sizeof(said),
		 LEFT_OUT "barepmu: --trials: %u are too few trials for 20 tests; use at least %u\n",
		 least - 1, least);
	run(2, words, BPMU_EXIT_FAILED, said);
	assert_int_equal(checked, 1);
	assert_int_equal(reported, 0);
	run(2, "check --trials 10001", BPMU_EXIT_USAGE,
	    "barepmu: --trials '10001': not a number from 0 to 10000; write one\n");
	assert_int_equal(opened, 0);
	run(2, "check --trials 10000", BPMU_EXIT_OK, LEFT_OUT);
}

TEST(a_probe_has_an_event_and_a_counter)
{
	run(2, "probe uops_issued.any", BPMU_EXIT_OK, LEFT_OUT);
	assert_int_equal(probed, 1);
	assert_int_equal(checked, 0);
	assert_ptr_equal(wish.client, client);
	assert_int_equal(wish.cpu, 3);
	assert_int_equal(wish.smt, 1);
	assert_int_equal(wish.counter, -1);
	assert_int_equal(wish.format, BPMU_TEXT);
	assert_string_equal(event, "uops_issued.any");
	run(1, "probe --counter 2 -C 3 -x; cycles", BPMU_EXIT_OK, LEFT_OUT);
	assert_int_equal(wish.counter, 2);
	assert_int_equal(wish.format, BPMU_CSV);
	assert_string_equal(separator, ";");
	run(1, "probe --counter 31 cycles", BPMU_EXIT_OK, LEFT_OUT);
	assert_int_equal(wish.counter, 31);
	run(1, "probe --counter 32 cycles", BPMU_EXIT_USAGE,
	    "barepmu: --counter '32': not a number from 0 to 31; write one\n");
	assert_int_equal(opened, 0);
	probe_error = -EINVAL;
	run(2, "probe cycles", BPMU_EXIT_FAILED, LEFT_OUT "barepmu: the probe failed\n");
	probe_error = 0;
}

TEST(errors_are_said)
{
	tests = 20;
	run(2, "check -C 3-4", BPMU_EXIT_FAILED,
	    LEFT_OUT "barepmu: -C: '3-4' is more than one CPU; errata are looked for on one at a time\n");
	assert_int_equal(checked, 0);
	check_error = -EIO;
	run(2, "check", BPMU_EXIT_FAILED, LEFT_OUT "barepmu: the trials failed\n");
	assert_int_equal(reported, 0);
	check_error = 0;
	open_error = -ENODEV;
	run(2, "check -C 3", BPMU_EXIT_FAILED, "barepmu: module: not loaded\n");
	assert_int_equal(checked, 0);
	open_error = 0;
}

/* The words are checked before the machine is looked at. */
TEST(words_that_are_not_expected_are_refused)
{
	static const char *const cases[][2] = {
		{ "check cycles", "barepmu: errata check: 'cycles': no event is expected; errata probe takes one\n" },
		{ "probe", "barepmu: errata probe: no event; name one, see \"barepmu list events\"\n" },
		{ "", "barepmu: errata: list, check or probe is expected; see \"barepmu errata --help\"\n" },
		{ "find", "barepmu: errata: list, check or probe is expected; see \"barepmu errata --help\"\n" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		run(2, cases[i][0], BPMU_EXIT_USAGE, cases[i][1]);
		assert_int_equal(opened, 0);
	}
}
