// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of --record-tpebs, by which formulas get retire latencies that are measured in runs of the
 * command itself. The test stands in for "barepmu record" and "barepmu report", and knows which
 * events can interrupt together.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "tpebs.h"
#include "tree/latencies.h"
#include "unit.h"

/* events that the formulas of each core type need, and those that are never precise */
static const char *const *needed[2];
static unsigned int nr_needed[2];
static const char *imprecise;
/* how many events can interrupt together */
static unsigned int room;
/* error of the trees */
static int tree_error;
/* exit statuses of the runs of each command, in their order */
static const int *record_status, *report_status;
static unsigned int records, reports;
/* what was run, a line each; the directory is DIR */
static char ran[2048];
static char directory[256];
static struct bpmu_analysis analysis;

int __wrap_bpmu_tree_latencies(const struct bpmu_tree *tree, const char ***events, unsigned int *nr,
			       struct bpmu_error *err)
{
	unsigned int k = tree == &analysis.core[1].tree;

	assert_true(k || tree == &analysis.core[0].tree);
	*nr = 0;
	*events = NULL;
	if (tree_error)
		return bpmu_error_set(err, tree_error, "the tree has fallen");
	*nr = nr_needed[k];
	*events = calloc(*nr + 1, sizeof(**events));
	assert_non_null(*events);
	if (*nr)
		memcpy(*events, needed[k], *nr * sizeof(**events));
	return 0;
}

/* The events that were added last */
static char added[512];

int __wrap_bpmu_wanted_add(struct bpmu_wanted *wanted, const char *text, struct bpmu_error *err)
{
	assert_true(wanted->together);
	assert_int_equal(wanted->periods.option, 'F');
	assert_int_equal(wanted->periods.nr, 1);
	assert_int_equal(wanted->periods.of[0], 997);
	snprintf(added, sizeof(added), "%s", text);
	return strstr(text, "UNKNOWN") ? bpmu_error_set(err, -ENOENT, "not known") : 0;
}

int __wrap_bpmu_wanted_schedule(struct bpmu_wanted *wanted, const struct bpmu_target *target,
				struct bpmu_error *err)
{
	unsigned int nr = 1;
	const char *c;

	(void)wanted;
	assert_true(target == &analysis.core[0].target || target == &analysis.core[1].target);
	for (c = added; *c; c++)
		nr += *c == ',';
	return nr > room || (imprecise && strstr(added, imprecise)) ?
	       bpmu_error_set(err, -ENOSPC, "no counter") : 0;
}

static void create(const char *name)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fclose(file);
}

/* Stands in for both commands, which write their files even if they fail. */
static int run(struct bpmu_ctx *ctx, int argc, char **argv)
{
	size_t length = strlen(ran);
	const char *in;
	int i;

	assert_ptr_equal(ctx->run, run);
	assert_null(argv[argc]);
	for (i = 0; i < argc; i++) {
		in = strstr(argv[i], "/barepmu-tpebs-");
		if (in)
			snprintf(directory, sizeof(directory), "%.*s",
				 (int)(in + strlen("/barepmu-tpebs-XXXXXX") - argv[i]), argv[i]);
		length += snprintf(ran + length, sizeof(ran) - length, "%s%s%s", i ? " " : "",
				   in ? "DIR" : argv[i],
				   in ? in + strlen("/barepmu-tpebs-XXXXXX") : "");
	}
	strcpy(ran + length, "\n");
	if (!strcmp(argv[0], "record")) {
		create(argv[7]);
		return record_status ? record_status[records++] : 0;
	}
	assert_string_equal(argv[0], "report");
	assert_int_equal(access(argv[3], R_OK), 0);
	i = report_status ? report_status[reports++] : 0;
	if (!i)
		create(argv[2]);
	return i;
}

/* Returns the files of the directory that begin with a digit, each after a blank. */
static const char *files(void)
{
	static char names[128];
	DIR *dir = opendir(directory);
	struct dirent *entry;
	unsigned int i;
	bool there[10] = { };

	*names = '\0';
	if (!dir)
		return "no directory";
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.') {
			assert_string_equal(entry->d_name + 1, ".json");
			there[*entry->d_name - '0'] = true;
		}
	closedir(dir);
	for (i = 0; i < ARRAY_SIZE(there); i++)
		if (there[i])
			sprintf(names + strlen(names), " %u", i);
	return names;
}

/* Measures; what was run is in "ran" then. Returns what was said, which the caller frees. */
static char *measure(const struct bpmu_options *options, int code, char **latencies,
		     struct bpmu_error *err)
{
	const struct bpmu_ctx ctx = { .run = run };
	char *said;
	int got;

	*ran = '\0';
	*directory = '\0';
	records = 0;
	reports = 0;
	unit_capture_begin(stderr);
	got = bpmu_tpebs_measure(&ctx, options, &analysis, latencies, err);
	said = unit_capture_end();
	assert_int_equal(got, code);
	return said;
}

/* Begins with core types, none of whose formulas needs an event. */
static void begin(unsigned int types)
{
	static char first[] = "0-3", second[] = "4-7";

	memset(&analysis, 0, sizeof(analysis));
	analysis.core[0].target.cpus_text = first;
	analysis.core[1].target.cpus_text = second;
	analysis.type[0] = &analysis.core[0];
	analysis.type[1] = &analysis.core[1];
	analysis.nr = types;
	memset(nr_needed, 0, sizeof(nr_needed));
	imprecise = NULL;
	room = 2;
	tree_error = 0;
	record_status = NULL;
	report_status = NULL;
}

static void need(unsigned int type, const char *const *events, unsigned int nr)
{
	needed[type] = events;
	nr_needed[type] = nr;
}

static const char *const five[] = { "A", "B", "C", "D", "E" };

TEST(as_many_events_as_fit_are_sampled_in_each_run)
{
	char *argv[] = { "dd", "if=/dev/zero", NULL };
	const struct bpmu_options options = { .argv = argv };
	struct bpmu_error err;
	char *latencies, *said;

	begin(1);
	need(0, five, 5);
	said = measure(&options, 0, &latencies, &err);
	assert_string_equal(said, "barepmu: --record-tpebs: run 1: A:pp,B:pp\n"
			    "barepmu: --record-tpebs: run 2: C:pp,D:pp\n"
			    "barepmu: --record-tpebs: run 3: E:pp\n");
	assert_string_equal(ran, "record -q -e A:pp,B:pp -F 997 -o DIR/1 -- dd if=/dev/zero\n"
			    "report --retire-latency DIR/1.json DIR/1\n"
			    "record -q -e C:pp,D:pp -F 997 -o DIR/2 -- dd if=/dev/zero\n"
			    "report --retire-latency DIR/2.json DIR/2\n"
			    "record -q -e E:pp -F 997 -o DIR/3 -- dd if=/dev/zero\n"
			    "report --retire-latency DIR/3.json DIR/3\n");
	assert_string_equal(latencies, directory);
	assert_string_equal(files(), " 1 2 3");
	bpmu_tpebs_remove(latencies);
	assert_string_equal(files(), "no directory");
	free(said);
}

/* Each option of the measurement that concerns samples goes on to "record". */
TEST(options_go_on_to_the_samples)
{
	char *argv[] = { "true", NULL };
	const struct bpmu_options timed = {
		.timeout_ns = 2500 * BPMU_NS_PER_MS, .cpus = "2,3", .take_over = true,
	};
	const struct bpmu_options both = { .argv = argv, .timeout_ns = BPMU_NS_PER_MS };
	struct bpmu_error err;
	char *latencies, *said;

	begin(1);
	need(0, five, 1);
	said = measure(&timed, 0, &latencies, &err);
	assert_string_equal(ran, "record -q -e A:pp -F 997 -o DIR/1 -C 2,3 --timeout 2500 --take-over\n"
			    "report --retire-latency DIR/1.json DIR/1\n");
	bpmu_tpebs_remove(latencies);
	free(said);
	said = measure(&both, 0, &latencies, &err);
	assert_string_equal(ran, "record -q -e A:pp -F 997 -o DIR/1 --timeout 1 -- true\n"
			    "report --retire-latency DIR/1.json DIR/1\n");
	bpmu_tpebs_remove(latencies);
	free(said);
}

/* Events of each core type are sampled on its own CPUs, into files that have one numbering. */
TEST(core_types_are_sampled_one_after_the_other)
{
	static const char *const other[] = { "X" };
	char *argv[] = { "true", NULL };
	const struct bpmu_options options = { .argv = argv, .cpus = "1,5" };
	static const int reported[] = { 0, 1, 0 };
	struct bpmu_error err;
	char *latencies, *said;

	begin(2);
	need(0, five, 3);
	need(1, other, 1);
	report_status = reported;
	said = measure(&options, 0, &latencies, &err);
	assert_string_equal(said, "barepmu: --record-tpebs: run 1: A:pp,B:pp\n"
			    "barepmu: --record-tpebs: run 2: C:pp\n"
			    "barepmu: --record-tpebs: published means stand for these events, if there are any\n"
			    "barepmu: --record-tpebs: run 3: X:pp\n");
	assert_string_equal(ran, "record -q -e A:pp,B:pp -F 997 -o DIR/1 -C 0-3 -- true\n"
			    "report --retire-latency DIR/1.json DIR/1\n"
			    "record -q -e C:pp -F 997 -o DIR/2 -C 0-3 -- true\n"
			    "report --retire-latency DIR/2.json DIR/2\n"
			    "record -q -e X:pp -F 997 -o DIR/3 -C 4-7 -- true\n"
			    "report --retire-latency DIR/2.json DIR/3\n");
	assert_string_equal(files(), " 1 2");
	bpmu_tpebs_remove(latencies);
	assert_string_equal(files(), "no directory");
	free(said);
}

TEST(events_without_precise_records_are_named)
{
	static const char *const events[] = { "A", "SLOW", "UNKNOWN", "B" };
	char *argv[] = { "true", NULL };
	const struct bpmu_options options = { .argv = argv };
	static const char last[] =
		"barepmu: --record-tpebs: SLOW: has no precise records here; its published mean stands, if there is one\n"
		"barepmu: --record-tpebs: UNKNOWN: has no precise records here; its published mean stands, if there is one\n";
	struct bpmu_error err;
	char *latencies, *said, *wanted;

	begin(1);
	need(0, events, 4);
	imprecise = "SLOW";
	said = measure(&options, 0, &latencies, &err);
	assert_true(asprintf(&wanted, "barepmu: --record-tpebs: run 1: A:pp,B:pp\n%s", last) > 0);
	assert_string_equal(said, wanted);
	assert_string_equal(files(), " 1");
	bpmu_tpebs_remove(latencies);
	free(wanted);
	free(said);
	/* With no other event nothing is run. */
	need(0, events + 1, 2);
	said = measure(&options, 0, &latencies, &err);
	assert_true(asprintf(&wanted, "%sbarepmu: --record-tpebs: no formula here needs a retire latency\n",
			     last) > 0);
	assert_string_equal(said, wanted);
	assert_string_equal(ran, "");
	assert_null(latencies);
	free(wanted);
	free(said);
}

TEST(without_a_latency_there_is_no_directory)
{
	char *argv[] = { "true", NULL };
	const struct bpmu_options options = { .argv = argv };
	static const int failed[] = { 1 };
	struct bpmu_error err;
	char *latencies, *said;

	begin(2);
	said = measure(&options, 0, &latencies, &err);
	assert_string_equal(said, "barepmu: --record-tpebs: no formula here needs a retire latency\n");
	assert_string_equal(ran, "");
	assert_null(latencies);
	free(said);
	need(1, five, 1);
	report_status = failed;
	said = measure(&options, 0, &latencies, &err);
	assert_string_equal(said, "barepmu: --record-tpebs: run 1: A:pp\n"
			    "barepmu: --record-tpebs: published means stand for these events, if there are any\n");
	assert_null(latencies);
	assert_string_equal(files(), "no directory");
	free(said);
}

/* A command that fails is not run again, and what was measured before is removed. */
TEST(a_run_that_fails_is_the_last)
{
	char *argv[] = { "false", NULL };
	const struct bpmu_options options = { .argv = argv };
	static const int status[] = { 0, 3, 0 };
	struct bpmu_error err;
	char *latencies, *said;

	begin(2);
	need(0, five, 5);
	need(1, five, 5);
	record_status = status;
	said = measure(&options, -ECANCELED, &latencies, &err);
	assert_string_equal(err.text, "--record-tpebs: the sampled run ended with status 3; nothing more is run");
	assert_string_equal(said, "barepmu: --record-tpebs: run 1: A:pp,B:pp\n"
			    "barepmu: --record-tpebs: run 2: C:pp,D:pp\n");
	assert_string_equal(ran, "record -q -e A:pp,B:pp -F 997 -o DIR/1 -C 0-3 -- false\n"
			    "report --retire-latency DIR/1.json DIR/1\n"
			    "record -q -e C:pp,D:pp -F 997 -o DIR/2 -C 0-3 -- false\n");
	assert_null(latencies);
	assert_string_equal(files(), "no directory");
	free(said);
	tree_error = -ENOMEM;
	said = measure(&options, -ENOMEM, &latencies, &err);
	assert_string_equal(err.text, "the tree has fallen");
	assert_string_equal(said, "");
	assert_string_equal(ran, "");
	assert_null(latencies);
	free(said);
}

TEST(the_directory_is_where_temporary_files_are)
{
	char *argv[] = { "true", NULL };
	const struct bpmu_options options = { .argv = argv };
	char folder[] = "/tmp/barepmu-XXXXXX";
	const char *before = getenv("TMPDIR");
	struct bpmu_error err;
	char *latencies, *said;

	before = before ? strdup(before) : NULL;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(setenv("TMPDIR", folder, 1), 0);
	begin(1);
	need(0, five, 1);
	said = measure(&options, 0, &latencies, &err);
	assert_int_equal(strncmp(directory, folder, strlen(folder)), 0);
	bpmu_tpebs_remove(latencies);
	free(said);
	assert_int_equal(rmdir(folder), 0);
	said = measure(&options, -ENOENT, &latencies, &err);
	assert_string_equal(ran, "");
	assert_null(latencies);
	/* The name ends as mkdtemp() has left it. */
	assert_int_equal(strncmp(err.text, "--record-tpebs: /tmp/barepmu-", 29), 0);
	assert_non_null(strstr(err.text, ": No such file or directory; set TMPDIR"));
	free(said);
	unsetenv("TMPDIR");
	said = measure(&options, 0, &latencies, &err);
	assert_int_equal(strncmp(directory, "/tmp/barepmu-tpebs-", 19), 0);
	bpmu_tpebs_remove(latencies);
	free(said);
	if (before)
		setenv("TMPDIR", before, 1);
	free((char *)before);
	/* Without a directory there is nothing to remove. */
	bpmu_tpebs_remove(NULL);
}

TEST(runs_end_and_have_no_other_latencies)
{
	static const char endless[] = "--record-tpebs: samples before it counts; name a COMMAND to run several times, or a --timeout";
	static const char both[] = "--record-tpebs: not with --events, which may have retire latencies, too; leave one of them out";
	char *argv[] = { "true", NULL };
	struct bpmu_choice choice = { };
	struct bpmu_options options = { };
	struct bpmu_error err;

	choice.events = "perfmon";
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), 0);
	options.tpebs = true;
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), -EINVAL);
	assert_string_equal(err.text, endless);
	options.delay_ns = 1;
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), -EINVAL);
	assert_string_equal(err.text, endless);
	options.argv = argv;
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), -EINVAL);
	assert_string_equal(err.text, both);
	choice.events = NULL;
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), 0);
	options.argv = NULL;
	options.timeout_ns = 1;
	assert_int_equal(bpmu_tpebs_check(&options, &choice, &err), 0);
}
