// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu decan" from its command line to what it calls: what the options set, what is
 * printed and written in which order, and the exit statuses. The test stands in for the analysis and
 * for the module.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/decan/decan.h"
#include "code/zydis.h"
#include "commands.h"
#include "unit.h"

static struct bpmu_decan found, measured;
static char events[64], metrics[64], words[64], cpu[16];
static unsigned int level_of_session;
static bool take_over;
/* the steps of the command so far, each with a space behind it */
static char steps[256];
/* step that fails, and NULL for none */
static const char *failing;
static const struct bpmu_zydis library;

static int step(const char *name, int code, struct bpmu_error *err)
{
	strcat(strcat(steps, name), " ");
	return failing && !strcmp(failing, name) ? bpmu_error_set(err, code, "%s failed", name) : 0;
}

const struct bpmu_zydis *__wrap_bpmu_zydis(struct bpmu_error *err)
{
	return step("zydis", -ENOENT, err) ? NULL : &library;
}

int __wrap_bpmu_decan_find(struct bpmu_decan *decan, struct bpmu_error *err)
{
	unsigned int i;

	found = *decan;
	snprintf(events, sizeof(events), "%s", decan->session.type.wanted.text ?: "");
	snprintf(metrics, sizeof(metrics), "%s", decan->session.type.choice.names ?: "");
	*words = '\0';
	for (i = 0; decan->options.argv[i]; i++)
		strcat(strcat(words, i ? " " : ""), decan->options.argv[i]);
	return step("find", -ENOENT, err);
}

int __wrap_bpmu_decan_session_open(struct bpmu_decan_session *session, const char *of,
				   unsigned int level, struct bpmu_error *err)
{
	snprintf(cpu, sizeof(cpu), "%s", of);
	level_of_session = level;
	take_over = session->take_over;
	return step("open", -EBUSY, err);
}

int __wrap_bpmu_decan_measure(struct bpmu_decan *decan, struct bpmu_error *err)
{
	measured = *decan;
	return step("measure", -ENOTSUP, err);
}

void __wrap_bpmu_decan_list(const struct bpmu_decan *decan, FILE *out)
{
	assert_true(decan->list);
	assert_ptr_equal(out, stdout);
	step("list", 0, NULL);
}

void __wrap_bpmu_decan_text(const struct bpmu_decan *decan, FILE *out)
{
	assert_int_equal(decan->rounds, found.rounds);
	assert_ptr_equal(out, stdout);
	step("text", 0, NULL);
}

void __wrap_bpmu_decan_json(const struct bpmu_decan *decan, FILE *out)
{
	assert_int_equal(decan->rounds, found.rounds);
	assert_ptr_equal(out, stdout);
	step("json", 0, NULL);
}

void __wrap_bpmu_decan_csv(const struct bpmu_decan *decan, FILE *out)
{
	fprintf(out, "rows of %u rounds\n", decan->rounds);
	step("csv", 0, NULL);
}

int __wrap_bpmu_decan_page(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	assert_non_null(decan->html);
	return step("page", -EIO, err);
}

int __wrap_bpmu_decan_write(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	assert_non_null(decan->write);
	return step("write", -EIO, err);
}

void __real_bpmu_decan_free(struct bpmu_decan *decan);

void __wrap_bpmu_decan_free(struct bpmu_decan *decan)
{
	step("free", 0, NULL);
	__real_bpmu_decan_free(decan);
}

/* The words of the latest command line, to which options point */
static char arguments[256];

/*
 * Runs "barepmu decan" with the arguments in @line. It must end with @status, write @said to the
 * standard error, and take the steps @taken.
 */
static void run(const char *line, int status, const char *said, const char *taken)
{
	struct bpmu_ctx ctx = { .evaluation = NULL };
	char *word, *got;
	char *argv[24] = { "decan" };
	int argc = 1, code;

	snprintf(arguments, sizeof(arguments), "%s", line);
	for (word = strtok(arguments, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	*steps = '\0';
	unit_capture_begin(stderr);
	code = bpmu_cmd_decan(&ctx, argc, argv);
	got = unit_capture_end();
	assert_string_equal(got, said);
	assert_int_equal(code, status);
	assert_string_equal(steps, taken);
	free(got);
}

#define TAKEN "zydis find open measure text free "

/* Runs the command with the options @options, which must succeed. */
static void with(const char *options)
{
	char line[256];

	snprintf(line, sizeof(line), "%s -- program -x 2", options);
	run(line, BPMU_EXIT_OK, "", TAKEN);
	assert_string_equal(words, "program -x 2");
}

TEST(without_options_the_default_variants_are_measured)
{
	cpu_set_t allowed;
	unsigned int last;

	with("");
	assert_null(found.function);
	assert_null(found.loop);
	assert_null(found.from);
	assert_null(found.html);
	assert_null(found.write);
	assert_false(found.list);
	assert_false(found.integer);
	assert_int_equal(found.invocation, BPMU_SNAPSHOT_AUTO);
	assert_int_equal(found.kinds, BPMU_VARIANT_DEFAULT);
	assert_int_equal(found.rounds, 11);
	assert_int_equal(found.threads, 1);
	assert_int_equal(found.level, 0);
	assert_string_equal(found.unit, "ticks");
	assert_string_equal(events, "");
	assert_string_equal(metrics, "");
	assert_int_equal(level_of_session, 0);
	assert_false(take_over);
	/* The last CPU on which the tool may run */
	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (last = CPU_SETSIZE - 1; !CPU_ISSET(last, &allowed);)
		last--;
	assert_int_equal(found.cpu, last);
	assert_int_equal(atoi(cpu), last);
}

TEST(each_option_sets_its_own_member)
{
	run("-f sum --loop 10-20 --from file --html page --write folder --integer -r 6 -C 7 program",
	    BPMU_EXIT_OK, "", "zydis find open measure text page write free ");
	assert_string_equal(found.function, "sum");
	assert_string_equal(found.loop, "10-20");
	assert_string_equal(found.from, "file");
	assert_string_equal(found.html, "page");
	assert_string_equal(found.write, "folder");
	assert_true(found.integer);
	assert_int_equal(found.rounds, 6);
	assert_int_equal(found.cpu, 7);
	assert_string_equal(cpu, "7");
	with("--function sum --kind st,fp --repeat 10000 --cpu 8191 --threads 64 --invocation 1000000000");
	assert_string_equal(found.function, "sum");
	assert_int_equal(found.kinds, BPMU_VARIANT_STORE | BPMU_VARIANT_FP);
	assert_int_equal(found.rounds, 10000);
	assert_int_equal(found.cpu, 8191);
	assert_int_equal(found.threads, 64);
	assert_int_equal(found.invocation, 1000000000);
	assert_null(found.html);
	assert_false(found.integer);
	with("--threads 1 --invocation 1 -e instructions -e branches -M IPC --take-over -C 0");
	assert_int_equal(found.threads, 1);
	assert_int_equal(found.invocation, 1);
	assert_string_equal(events, "instructions,branches");
	assert_string_equal(metrics, "IPC");
	assert_true(take_over);
	assert_int_equal(found.cpu, 0);
	with("-l 3");
	assert_int_equal(found.level, 3);
	assert_int_equal(level_of_session, 3);
	with("--topdown 1");
	assert_int_equal(level_of_session, 1);
}

TEST(numbers_outside_of_their_limits_are_refused)
{
	static const struct {
		const char *options, *said;
	} all[] = {
		{ "-r 5", "-r '5': not a number from 6 to 10000; write one" },
		{ "-r 10001", "-r '10001': not a number from 6 to 10000; write one" },
		{ "--threads 0", "--threads '0': not a number from 1 to 64; write one" },
		{ "--threads 65", "--threads '65': not a number from 1 to 64; write one" },
		{ "--invocation 0", "--invocation '0': not a number from 1 to 1000000000; write one" },
		{ "--invocation 1000000001",
		  "--invocation '1000000001': not a number from 1 to 1000000000; write one" },
		{ "-C 8192", "-C '8192': not a number from 0 to 8191; write one" },
		{ "-C 0-1", "-C '0-1': not a number from 0 to 8191; write one" },
	};
	char line[64], said[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		snprintf(line, sizeof(line), "%s program", all[i].options);
		snprintf(said, sizeof(said), "barepmu: %s\n", all[i].said);
		run(line, BPMU_EXIT_USAGE, said, "");
	}
	run("-r 6", BPMU_EXIT_USAGE,
	    "barepmu: decan: no command; name the program that has the loop\n", "");
}

TEST(help_measures_nothing)
{
	static char decan[] = "decan", help[] = "--help";
	char *argv[] = { decan, help, NULL }, *text;
	struct bpmu_ctx ctx = { .evaluation = NULL };
	int code;

	*steps = '\0';
	unit_capture_begin(stdout);
	code = bpmu_cmd_decan(&ctx, 2, argv);
	text = unit_capture_end();
	assert_int_equal(code, BPMU_EXIT_OK);
	assert_string_equal(steps, "");
	assert_ptr_equal(strstr(text, "Usage: barepmu decan [OPTION]... [--] COMMAND [ARGUMENT]...\n"),
			 text);
	free(text);
}

TEST(a_list_needs_no_module)
{
	run("--list program", BPMU_EXIT_OK, "", "zydis find list free ");
	assert_true(found.list);
}

/* Without the module TSC ticks are measured, unless they are not what the user asked for. */
TEST(without_the_module_ticks_are_measured)
{
	static const char *const asked[] = {
		"-e branches", "-M IPC", "-g BRANCH", "-l 1", "--metrics file",
	};
	char line[64];
	unsigned int i;

	with("");
	assert_true(measured.counting);
	assert_string_equal(measured.unit, "cycles");
	failing = "open";
	with("");
	assert_false(measured.counting);
	assert_string_equal(measured.unit, "ticks");
	assert_string_equal(measured.why_ticks.text, "open failed");
	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		snprintf(line, sizeof(line), "%s program", asked[i]);
		run(line, BPMU_EXIT_FAILED, "barepmu: open failed\n", "zydis find open free ");
	}
	failing = NULL;
	for (i = 0; i < ARRAY_SIZE(asked) - 1; i++)
		with(asked[i]);
}

/* After a failure nothing more is done but to free what was found. */
TEST(what_fails_ends_the_command)
{
	static const struct {
		const char *step, *taken;
	} all[] = {
		{ "zydis", "zydis free " },
		{ "find", "zydis find free " },
		{ "measure", "zydis find open measure free " },
		{ "page", "zydis find open measure text page free " },
		{ "write", "zydis find open measure text page write free " },
	};
	char said[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		failing = all[i].step;
		snprintf(said, sizeof(said), "barepmu: %s failed\n", failing);
		run("--html page --write folder program", BPMU_EXIT_FAILED, said, all[i].taken);
		if (i < 2)
			run("--list program", BPMU_EXIT_FAILED, said, all[i].taken);
	}
	failing = NULL;
}

TEST(csv_is_written_beside_the_table)
{
	char path[] = "/tmp/barepmu-test-decan-XXXXXX", line[128], text[64] = "";
	FILE *file;

	run("--json program", BPMU_EXIT_OK, "", "zydis find open measure json free ");
	close(mkstemp(path));
	snprintf(line, sizeof(line), "-j -r 8 -o %s --html page program", path);
	run(line, BPMU_EXIT_OK, "", "zydis find open measure json csv page free ");
	file = fopen(path, "re");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	unlink(path);
	assert_string_equal(text, "rows of 8 rounds\n");
	/* A file that cannot be written is an error, and the page is not written. */
	run("-o /nowhere/file --html page --write folder program", BPMU_EXIT_FAILED,
	    "barepmu: /nowhere/file: cannot be written: No such file or directory; name another file\n",
	    "zydis find open measure text free ");
	run("-o /dev/full --html page program", BPMU_EXIT_FAILED,
	    "barepmu: /dev/full: not written; is there room?\n",
	    "zydis find open measure text csv free ");
}
