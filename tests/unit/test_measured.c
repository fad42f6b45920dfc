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
#include "report_sums.h"
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
/* flags of disturbances, and number of lost samples, of each CPU in all runs */
static u64 flaws[CPUS], lost[CPUS];
/* what is done with retire latencies, and the file or the error that their measurement gives */
static char tpebs[64];
static const char *latencies;
static int no_latencies;
/* the interval is not whole */
static bool partial;
/* options that another subcommand has set before */
static struct bpmu_options initial;
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
		.whole = !partial, .last = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = lost, .spent = none, .cell = cell,
		.flaws = flaws, .stamp = { 1700000000000000000, 5000000000 },
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

static int run_other(struct bpmu_ctx *ctx, int argc, char **argv);

int __wrap_bpmu_tpebs_measure(const struct bpmu_ctx *ctx, const struct bpmu_options *options,
			      const struct bpmu_analysis *analysis, char **file,
			      struct bpmu_error *err)
{
	assert_ptr_equal(ctx->run, run_other);
	assert_true(options->tpebs);
	assert_int_equal(analysis->nr, 1);
	assert_int_equal(runs, 0);
	strcat(tpebs, "sampled ");
	*file = latencies ? strdup(latencies) : NULL;
	return no_latencies ? bpmu_error_set(err, no_latencies, "no latencies") : 0;
}

void __wrap_bpmu_tpebs_remove(char *file)
{
	strcat(tpebs, file ? "removed " : "none ");
	free(file);
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
	struct bpmu_ctx ctx = { .run = run_other, .options = initial };
	char *argv[WORDS_MOST + 1] = { };
	int argc = 0, found;
	char *said;

	for (; *words; words++)
		argv[argc++] = *words;
	runs = 0;
	memset(others, 0, sizeof(others));
	memset(tpebs, 0, sizeof(tpebs));
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

/*
 * The latencies are those of a file that is loaded before the counting and then removed. None are
 * sampled for --groups, which counts nothing.
 */
TEST(latencies_are_sampled_before_the_counting)
{
	static const char missing[] =
		"barepmu: /nowhere/latencies: cannot be read: No such file or directory; "
		"name a file or a directory that can be\n";
	char *said = PRINTED("topdown", "-l", "1", "--", "true");

	says(PRINTED("topdown", "-l", "1", "--record-tpebs", "--", "true"), said);
	assert_string_equal(tpebs, "sampled none ");
	assert_int_equal(runs, 1);
	free(said);
	latencies = "/nowhere/latencies";
	says(SAID(BPMU_EXIT_FAILED, "topdown", "-l", "1", "--record-tpebs", "--", "true"), missing);
	assert_string_equal(tpebs, "sampled removed ");
	says(SAID(BPMU_EXIT_FAILED, "stat", "-M", "IPC", "--record-tpebs", "--", "true"), missing);
	assert_string_equal(tpebs, "sampled removed ");
	assert_int_equal(runs, 0);
	latencies = NULL;
	no_latencies = -EIO;
	says(SAID(BPMU_EXIT_FAILED, "topdown", "-l", "1", "--record-tpebs", "--", "true"),
	     "barepmu: no latencies\n");
	says(SAID(BPMU_EXIT_FAILED, "stat", "-M", "IPC", "--record-tpebs", "--", "true"),
	     "barepmu: no latencies\n");
	assert_string_equal(tpebs, "sampled ");
	assert_int_equal(runs, 0);
	free(run(BPMU_EXIT_OK, stdout, (char *[]){ "topdown", "-l", "1", "--groups",
		 "--record-tpebs", "--", "true", NULL }));
	assert_string_equal(tpebs, "");
	no_latencies = 0;
}

#define DISTURBED(end) "disturbed: another agent wrote counter registers of CPU 1 between " \
	"0.000000 and " end " s: its counts are unreliable; stop what writes MSRs and measure again\n"

static void disturb(bool now)
{
	flaws[1] = now ? BPMU_SAMPLE_DISTURBED : 0;
	lost[1] = now ? 7 : 0;
}

/* Checks that @said ends with @end, which is nowhere else in it. */
static void ends(char *said, const char *end)
{
	const char *at = strstr(said, end);

	if (!at || at[strlen(end)])
		fail_msg("'%s' is not the end, or not once, of: %s", end, said);
	free(said);
}

TEST(flaws_are_told_once_below_the_values)
{
#define LOST "samples lost: counts are complete, intervals are coarser.\n"
	static const char once[] = "\n7 " LOST DISTURBED("1.000000");

	disturb(true);
	ends(PRINTED("topdown", "-l", "1", "--", "true"), once);
	ends(PRINTED("topdown", "-l", "1", "-r", "2", "--", "true"),
	     "\n14 " LOST DISTURBED("2.000000"));
	ends(PRINTED("topdown", "-l", "1", "-A", "--", "true"), once);
	ends(PRINTED("topdown", "-l", "1", "--compact", "-I", "100ms", "--", "true"), once);
	ends(PRINTED("topdown", "-l", "1", "-j", "--", "true"),
	     "\n{\"schema\":3,\"type\":\"flaw\",\"flaw\":\"disturbed\",\"cpus\":\"1\","
	     "\"begin\":0.000000,\"end\":1.000000}\n");
	disturb(false);
}

/* Returns the means over the intervals of a topdown command, as report --diff requests them. */
static struct bpmu_sums sums_of(char *const *words)
{
	struct bpmu_sums sums = { };

	initial = (struct bpmu_options){ .sums = &sums };
	says(run(BPMU_EXIT_OK, stderr, words), "");
	initial = (struct bpmu_options){ };
	assert_false(sums.failed);
	return sums;
}

#define SUMS(...) sums_of((char *[]){ "topdown", "-l", "1", __VA_ARGS__, NULL })

/* An interval of -I that is not whole, such as the last, would weigh as much as the others. */
TEST(means_over_intervals_are_of_whole_intervals)
{
	static const char *const names[] = {
		"Frontend_Bound", "Bad_Speculation", "Retiring", "Backend_Bound",
	};
	static const double values[] = { 0.125, 0.0625, 0.25, 0.5625 };
	struct bpmu_sums sums;
	unsigned int i;

	disturb(true);
	sums = SUMS("--", "true");
	assert_int_equal(sums.nr, 4);
	for (i = 0; i < 4; i++) {
		assert_string_equal(sums.sum[i].label, "0-1");
		assert_string_equal(sums.sum[i].name, names[i]);
		assert_int_equal(sums.sum[i].nr, 1);
		assert_true(sums.sum[i].mean == values[i]);
	}
	assert_true(sums.flaws.any);
	bpmu_sums_free(&sums);
	disturb(false);
	sums = SUMS("-A", "-I", "100ms", "--", "true");
	assert_int_equal(sums.nr, 8);
	for (i = 0; i < 8; i++) {
		assert_string_equal(sums.sum[i].label, i < 4 ? "0" : "1");
		assert_string_equal(sums.sum[i].name, names[i % 4]);
	}
	assert_false(sums.flaws.any);
	bpmu_sums_free(&sums);
	partial = true;
	sums = SUMS("-A", "-I", "100ms", "--", "true");
	assert_int_equal(sums.nr, 0);
	sums = SUMS("-I", "100ms", "--", "true");
	assert_int_equal(sums.nr, 0);
	sums = SUMS("--", "true");
	assert_int_equal(sums.nr, 4);
	bpmu_sums_free(&sums);
	partial = false;
}
