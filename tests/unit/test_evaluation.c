// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of requests to another subcommand: it gets the options of the request, those that a recording
 * has kept before them, and is freed whatever happens.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "evaluation.h"
#include "test.h"
#include "unit.h"

enum { OPTION_LONGER = BPMU_OPTION_OWN };

/**
 * struct call - options of the made-up subcommand
 * @initial: options that the calling subcommand has set
 * @set: the options that were set, a word each
 */
struct call {
	const struct bpmu_options *initial;
	char *set;
};

/* What was called, a letter each: begin, check, run, free; and the options at the time of run. */
static char called[16], ran[128];
static int check_code, run_status;

static const struct bpmu_option rows[] = {
	{ 'a', "all", NULL, "everything" },
	{ 'n', "number", "N", "a number" },
	{ OPTION_LONGER, "longer", "TEXT", "a text" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static void note(char what)
{
	called[strlen(called)] = what;
}

static int set(void *data, int id, const char *value, struct bpmu_error *err)
{
	struct call *call = data;
	char *joined;

	assert_true(asprintf(&joined, "%s%s%c%s", call->set ?: "", call->set ? " " : "",
			     id < BPMU_OPTION_LONG ? id : 'L', value ?: "") > 0);
	free(call->set);
	call->set = joined;
	return value && !strcmp(value, "bad") ? bpmu_error_set(err, -ERANGE, "refused") : 0;
}

static void begin(void *data, const struct bpmu_options *initial)
{
	struct call *call = data;

	note('b');
	assert_null(call->set);
	call->initial = initial;
}

static int check(void *data, const struct bpmu_operands *operands, struct bpmu_error *err)
{
	(void)data;
	note('c');
	assert_int_equal(operands->nr, 1);
	assert_string_equal(operands->word[0], "true");
	return check_code ? bpmu_error_set(err, check_code, "checked") : 0;
}

static int run(struct bpmu_ctx *ctx, void *data)
{
	const struct call *call = data;

	note('r');
	assert_ptr_equal(call->initial, &ctx->options);
	snprintf(ran, sizeof(ran), "%s", call->set ?: "");
	return run_status;
}

static void end(void *data)
{
	struct call *call = data;

	note('f');
	free(call->set);
}

static const struct bpmu_option_table table = {
	.command = "fake", .about = "About it.\n", .option = rows, .set = set,
	.command_follows = true,
};

static const struct bpmu_evaluation fake = {
	.options = &table, .size = sizeof(struct call), .begin = begin, .check = check,
	.run = run, .free = end,
};

static const struct bpmu_evaluation *find(const char *name)
{
	return strcmp(name, "fake") ? NULL : &fake;
}

/* Runs a request. It must call @calls, set @options, print @said and return @status. */
static void gives(const struct bpmu_request *request, const char *calls, const char *options,
		  const char *said, int status)
{
	struct bpmu_ctx ctx = { .evaluation = find };
	char *text;
	int code;

	memset(called, 0, sizeof(called));
	*ran = '\0';
	unit_capture_begin(stderr);
	code = bpmu_request_run(request, &ctx);
	text = unit_capture_end();
	assert_string_equal(text, said);
	free(text);
	assert_string_equal(called, calls);
	assert_string_equal(ran, options);
	assert_int_equal(code, status);
}

static char *command[] = { "true", NULL };

TEST(a_request_sets_its_options_in_order)
{
	struct bpmu_request request = { .name = "fake", .operands = { command, 1 } }, more = { };
	const struct bpmu_given first = { .letter = 'a' };
	struct bpmu_error err;

	run_status = 5;
	gives(&request, "bcrf", "", "", 5);
	assert_int_equal(bpmu_request_add(&request, &first, &err), 0);
	assert_int_equal(bpmu_request_option(&more, rows, 'n', "3", &err), 0);
	assert_int_equal(bpmu_request_option(&more, rows, OPTION_LONGER, "x y", &err), 0);
	assert_int_equal(bpmu_request_option(&more, rows, 'a', NULL, &err), 0);
	assert_int_equal(more.nr, 3);
	assert_int_equal(more.given[0].letter, 'n');
	assert_null(more.given[0].name);
	assert_int_equal(more.given[1].letter, 0);
	assert_string_equal(more.given[1].name, "longer");
	assert_int_equal(bpmu_request_add_all(&request, &more, &err), 0);
	assert_int_equal(request.nr, 4);
	gives(&request, "bcrf", "a n3 Lx y a", "", 5);
	bpmu_request_free(&more);
	assert_null(more.given);
	assert_int_equal(more.nr, 0);
	bpmu_request_free(&request);
	assert_null(request.name);
	run_status = 0;
}

TEST(options_of_a_recording_come_first)
{
	char *recorded[] = { "fake", "-n", "1", "--longer", "text", NULL };
	char *wrong[] = { "fake", "-n", NULL };
	char *unknown[] = { "faked", NULL };
	struct bpmu_given given[] = { { .letter = 'n', .value = "2" } };
	struct bpmu_request request = {
		.name = "other", .recorded = recorded, .given = given, .nr = 1,
		.operands = { command, 1 },
	};

	gives(&request, "bcrf", "n1 Ltext n2", "", 0);
	/* The words are those of before: they are read again for each run. */
	assert_string_equal(recorded[1], "-n");
	gives(&request, "bcrf", "n1 Ltext n2", "", 0);
	request.recorded = wrong;
	gives(&request, "bf", "", "barepmu: option '-n': its value is missing; write -n N, see 'barepmu fake --help'\n",
	      BPMU_EXIT_USAGE);
	request.recorded = recorded;
	given[0].value = "bad";
	gives(&request, "bf", "", "barepmu: refused\n", BPMU_EXIT_USAGE);
	given[0].value = "2";
	check_code = -EINVAL;
	gives(&request, "bcf", "", "barepmu: checked\n", BPMU_EXIT_USAGE);
	check_code = 0;
	request.recorded = unknown;
	gives(&request, "", "", "barepmu: recording: its request 'faked' is not known here; choose what to evaluate with -e, -M, --topdown, --cpistack or --phi\n",
	      BPMU_EXIT_FAILED);
}

TEST(a_request_is_kept_as_words)
{
	struct bpmu_given given[] = {
		{ .letter = 'a' }, { .letter = 'n', .value = "1" }, { .name = "longer", .value = "x y" },
	};
	const struct bpmu_request request = { .name = "fake", .given = given, .nr = 3 };
	const struct bpmu_request none = { .name = "fake" };
	static const char *const wanted[] = { "fake", "-a", "-n", "1", "--longer", "x y" };
	struct bpmu_error err;
	unsigned int i;
	char **words = bpmu_request_words(&request, &err);

	assert_non_null(words);
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_string_equal(words[i], wanted[i]);
	assert_null(words[i]);
	assert_string_equal(bpmu_request_recorded(words, "-n"), "1");
	assert_string_equal(bpmu_request_recorded(words, "--longer"), "x y");
	assert_string_equal(bpmu_request_recorded(words, "-a"), "-n");
	/* The last word has no value. */
	assert_null(bpmu_request_recorded(words, "x y"));
	assert_null(bpmu_request_recorded(words, "-l"));
	assert_null(bpmu_request_recorded(NULL, "-n"));
	bpmu_request_free_words(words);
	words = bpmu_request_words(&none, &err);
	assert_string_equal(words[0], "fake");
	assert_null(words[1]);
	assert_null(bpmu_request_recorded(words, "-n"));
	bpmu_request_free_words(words);
	bpmu_request_free_words(NULL);
}

/* Runs the made-up subcommand with @argv, as gives() runs a request. */
static void words_give(char **argv, const char *calls, const char *options, const char *said,
		       int status)
{
	struct bpmu_ctx ctx = { };
	int argc = 0, code;
	char *text;

	while (argv[argc])
		argc++;
	memset(called, 0, sizeof(called));
	*ran = '\0';
	unit_capture_begin(stderr);
	code = bpmu_evaluation_words(&fake, &ctx, argc, argv);
	text = unit_capture_end();
	assert_string_equal(text, said);
	free(text);
	assert_string_equal(called, calls);
	assert_string_equal(ran, options);
	assert_int_equal(code, status);
}

TEST(a_command_line_is_evaluated_alike)
{
	char *right[] = { "fake", "-an3", "true", NULL }, *wrong[] = { "fake", "-q", "true", NULL };
	char *helps[] = { "fake", "-a", "-h", NULL }, *again[] = { "fake", "true", NULL };
	struct bpmu_ctx ctx = { };
	char *said;

	run_status = 3;
	words_give(right, "bcrf", "a n3", "", 3);
	words_give(wrong, "bf", "", "barepmu: option '-q': not known; see 'barepmu fake --help'\n",
		   BPMU_EXIT_USAGE);
	check_code = -EINVAL;
	words_give(again, "bcf", "", "barepmu: checked\n", BPMU_EXIT_USAGE);
	check_code = 0;
	memset(called, 0, sizeof(called));
	unit_capture_begin(stdout);
	assert_int_equal(bpmu_evaluation_words(&fake, &ctx, 3, helps), BPMU_EXIT_OK);
	said = unit_capture_end();
	assert_string_equal(called, "bf");
	assert_non_null(strstr(said, "Manual: barepmu-fake(1)\n"));
	free(said);
	run_status = 0;
}
