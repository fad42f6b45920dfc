// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu stat" and "barepmu topdown" from the command line to what they print. The test
 * fakes the measurement, which has one interval.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "commands.h"
#include "options.h"
#include "source/analysis.h"
#include "source/live.h"
#include "unit.h"

#define CPUS 2
#define CELLS 64
#define WORDS_MOST 24

/*
 * Counts of the events of level 1 in their order: cycles, slots without a uop from the front end,
 * uops that issue, uops that retire, cycles of recovery, and instructions. A later run has more
 * cycles.
 */
static const u64 counts[] = { 8192, 4096, 9216, 8192, 256, 16384 };

static struct bpmu_measure asked;
static unsigned int runs;
/* number of the run, from 1 on, that fails, and its error; 0 for none */
static unsigned int failing;
static int refused;
/* exit status of the measured command */
static int ended;
/* words of other subcommands that were run */
static char others[256];

int __wrap_bpmu_session_analyse(struct bpmu_analysis *analysis, struct bpmu_options *options,
				struct bpmu_error *err)
{
	(void)options;
	(void)err;
	unit_core_type(analysis, "ivb", 0);
	return 0;
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	bpmu_error_set(err, -EBUSY, "process 7 measures");
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	u64 ticks[CPUS] = { 1000000, 1000000 }, none[CPUS] = { };
	struct bpmu_cell cell[CELLS] = { };
	struct bpmu_interval interval = {
		.whole = true, .last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = none, .spent = none, .cell = cell,
		.stamp = { 1700000000000000000, 5000000000 },
	};
	unsigned int i, nr;

	asked = *measure;
	assert_true(CPUS * measure->groups[0]->slots <= CELLS);
	for (i = 0; i < CPUS * measure->groups[0]->slots; i++) {
		nr = i % measure->groups[0]->slots;
		cell[i] = (struct bpmu_cell){ .count = counts[nr % 6], .running = 1000000 };
		if (!nr)
			cell[i].count += 1024 * runs;
	}
	if (++runs == failing)
		return bpmu_error_set(err, refused, "the module refuses");
	*status = ended;
	measure->emit(measure->data, &interval);
	if (measure->emitted)
		measure->emitted(measure->data);
	return 0;
}

static int run_other(struct bpmu_ctx *ctx, int argc, char **argv)
{
	int i;

	(void)ctx;
	for (i = 0; i < argc; i++)
		snprintf(others + strlen(others), sizeof(others) - strlen(others), "%s ", argv[i]);
	return 0;
}

/*
 * Runs a subcommand; @words begin with its name and end with NULL. It must end with @status. Returns
 * what it has printed.
 */
static char *run(int status, FILE *stream, char *const *words)
{
	int (*const command)(struct bpmu_ctx *ctx, int argc, char **argv) =
		strcmp(*words, "stat") ? bpmu_cmd_topdown : bpmu_cmd_stat;
	struct bpmu_ctx ctx = { .run = run_other };
	char *argv[WORDS_MOST + 1] = { };
	int argc = 0, found;
	char *said;

	for (; *words; words++)
		argv[argc++] = *words;
	runs = 0;
	memset(others, 0, sizeof(others));
	optind = 0;
	unit_capture_begin(stream);
	found = command(&ctx, argc, argv);
	said = unit_capture_end();
	if (found != status)
		fail_msg("status %d, not %d: %s", found, status, said);
	return said;
}

/* What is measured while a command runs is printed with what the command prints as its errors. */
#define PRINTED(...) run(BPMU_EXIT_OK, stderr, (char *[]){ __VA_ARGS__, NULL })
#define SAID(status, ...) run(status, stderr, (char *[]){ __VA_ARGS__, NULL })

static void says(char *said, const char *text)
{
	assert_string_equal(said, text);
	free(said);
}

TEST(topdown_prints_what_it_measures)
{
	unit_text("measured-topdown", PRINTED("topdown", "-l", "1", "--", "true"));
	unit_text("measured-topdown-cpi", PRINTED("topdown", "-l", "1", "--cpi", "--", "true"));
	unit_text("measured-topdown-csv",
		  PRINTED("topdown", "-l", "1", "-x", ";", "--cpi", "--", "true"));
	unit_text("measured-topdown-rows", PRINTED("topdown", "-l", "1", "-A", "--", "true"));
	unit_text("measured-topdown-compact",
		  PRINTED("topdown", "-l", "1", "--compact", "-I", "100ms", "--", "true"));
	assert_int_equal(asked.interval_ns, 100000000);
}

TEST(stat_prints_what_it_measures)
{
	unit_text("measured-stat", PRINTED("stat", "-e", "cycles,instructions", "--", "true"));
	unit_text("measured-stat-csv",
		  PRINTED("stat", "-e", "cycles,instructions", "-x", ";", "--", "true"));
	unit_text("measured-stat-json",
		  PRINTED("stat", "-e", "cycles,instructions", "-j", "-A", "--", "true"));
}

TEST(means_of_several_runs_are_printed)
{
	unit_text("measured-stat-repeat",
		  PRINTED("stat", "-e", "cycles", "-r", "3", "--", "true", "a b"));
	assert_int_equal(runs, 3);
	unit_text("measured-topdown-repeat",
		  PRINTED("topdown", "-l", "1", "-r", "2", "--", "true"));
	assert_int_equal(runs, 2);
}

TEST(no_run_follows_one_that_has_failed)
{
	failing = 2;
	refused = -EIO;
	says(SAID(BPMU_EXIT_FAILED, "stat", "-e", "cycles", "-r", "4", "--", "true"),
	     "barepmu: the module refuses\n");
	assert_int_equal(runs, 2);
	says(SAID(BPMU_EXIT_FAILED, "topdown", "-l", "1", "-r", "4", "--", "true"),
	     "barepmu: the module refuses\n");
	assert_int_equal(runs, 2);
	failing = 1;
	says(run(BPMU_EXIT_OK, stdout, (char *[]){ "topdown", "-l", "1", "--groups", NULL }),
	     "group 1\n"
	     "  fixed   counter 1  CPU_CLK_UNHALTED.THREAD\n"
	     "  general counter 0  IDQ_UOPS_NOT_DELIVERED.CORE\n"
	     "  general counter 1  UOPS_ISSUED.ANY\n"
	     "  general counter 2  UOPS_RETIRED.RETIRE_SLOTS\n"
	     "  general counter 3  INT_MISC.RECOVERY_CYCLES\n");
	assert_int_equal(runs, 0);
	failing = 0;
}

TEST(who_measures_already_is_named)
{
	failing = 1;
	refused = -EBUSY;
	says(SAID(BPMU_EXIT_FAILED, "topdown", "-l", "1", "--", "true"),
	     "barepmu: process 7 measures\n");
	says(SAID(BPMU_EXIT_FAILED, "topdown", "--drill", "-l", "1", "--", "true"),
	     "barepmu: process 7 measures\n");
	says(SAID(BPMU_EXIT_FAILED, "stat", "-e", "cycles", "--", "true"),
	     "barepmu: process 7 measures\n");
	failing = 0;
}

TEST(the_status_is_that_of_the_command)
{
	ended = 3;
	free(run(3, stderr, (char *[]){ "topdown", "-l", "1", "--", "false", NULL }));
	free(run(3, stderr, (char *[]){ "stat", "-e", "cycles", "--", "false", NULL }));
	free(run(3, stderr, (char *[]){ "topdown", "--drill", "-l", "1", "--locate", "file", "--", "false",
					NULL }));
	assert_string_equal(others, "");
	ended = 0;
	free(PRINTED("topdown", "--drill", "-l", "1", "--locate", "file", "--", "true"));
	assert_int_equal(asked.interval_ns, 200000000);
	assert_string_equal(others, "record -e cycles -F 997 -o file -- true report --by line file ");
}

TEST(alerts_end_the_run)
{
	says(run(BPMU_EXIT_ALERT, stderr, (char *[]){
		"topdown", "-l", "1", "-I", "100ms", "--alert", "Retiring > 24%",
		"-o", "/dev/null", NULL }),
	     "barepmu: alert 'Retiring > 24%': 0.250000 after 1.000 s; the run ends\n");
	assert_true(asked.watched);
	says(SAID(BPMU_EXIT_OK, "topdown", "-l", "1", "-I", "100ms", "--alert", "Retiring > 26%",
		  "-o", "/dev/null"), "");
}
