// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "command.h"
#include "errata_report.h"
#include "event/topology.h"
#include "options.h"
#include "probe.h"
#include "source/target.h"

#define DEFAULT_TRIALS 32
#define MAX_TRIALS 10000u

static const char about[] =
	"Usage: barepmu errata list [OPTION]... [GLOB]\n"
	"       barepmu errata check [OPTION]...\n"
	"       barepmu errata probe [OPTION]... EVENT\n\n"
	"list: published errata of this machine; the same as \"barepmu list errata\".\n"
	"check: counts loops of known length and prints which counts are wrong, the\n"
	"p-value, and published errata with that symptom. Exit status 3 if any is wrong.\n"
	"probe: flips each legal bit of EVENT's event select, one at a time, and prints\n"
	"which of them stick and how they change the count.\n\n";

enum own_option { OPTION_TRIALS = BPMU_OPTION_OWN, OPTION_COUNTER };

static const struct bpmu_option table[] = {
	{ 'C', "cpu", "N", "CPU to test; default the first" },
	{ OPTION_TRIALS, "trials", "N", "trials of each test of check; default 32" },
	{ OPTION_COUNTER, "counter", "N",
	  "counter for probe; default the first that counts EVENT" },
	{ 'v', "verbose", NULL, "also print the tests that passed" },
	BPMU_OPTION_ROWS_FORMAT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct call - options and state of "barepmu errata"
 * @cpus: number of the CPU to test, as text; NULL for the first one
 * @trials: number of times that each test is made
 * @counter: for "probe", number of the counter; -1 for the first that can count @event
 * @event: for "probe", name of the event whose event select is probed
 * @target: the CPU to test, and its PMU
 * @report: options of the output
 */
struct call {
	const char *cpus;
	unsigned int trials;
	int counter;
	const char *event;
	struct bpmu_target target;
	struct bpmu_errata_report report;
};

static int errata_take_option(void *data, int option, const char *text,
			      struct bpmu_error *err)
{
	struct call *call = data;
	unsigned int value;
	int code;

	switch (option) {
	case 'C':
		call->cpus = text;
		break;
	case 'v':
		call->report.verbose = true;
		break;
	case 'x':
		call->report.format = BPMU_CSV;
		return bpmu_options_separator(&call->report.separator, text,
					      err);
	case 'j':
		call->report.format = BPMU_JSON;
		break;
	case OPTION_TRIALS:
		return bpmu_options_number("--trials", text, 0, MAX_TRIALS,
					   &call->trials, err);
	case OPTION_COUNTER:
		code = bpmu_options_number("--counter", text, 0,
					   BPMU_FIXED_BASE - 1, &value, err);
		if (!code)
			call->counter = value;
		return code;
	}
	return 0;
}

static int errata_take_words(struct call *call, int argc, char **argv,
			     struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "errata", .about = about, .option = table,
		.set = errata_take_option,
	};
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(&options, call, argc, argv, &operands, err);
	if (code || !operands.nr)
		return code;
	call->event = *operands.word++;
	operands.nr--;
	return bpmu_options_end("errata", &operands, err);
}

static int open_target(struct call *call, struct bpmu_error *err)
{
	struct bpmu_target *target = &call->target;
	int code;

	code = bpmu_target_open_any(target, call->cpus, err);
	bpmu_tell_left_out(target);
	if (!code && call->cpus && target->cpus.nr > 1)
		return bpmu_error_set(err, -EINVAL,
			"-C: '%s' is more than one CPU; errata are looked for on one at a time",
			call->cpus);
	if (code)
		return code;
	bpmu_errata_cpu_init(&call->report.cpu, &target->info, target->smt);
	call->report.title = target->info.title;
	return 0;
}

/*
 * Refuses a number of trials with which no result can be significant. Is called after the tests,
 * because the number of trials that is needed depends on how many tests were made. Returns 0 or
 * -EINVAL.
 */
static int check_trials(const struct bpmu_errata_check *check,
			struct bpmu_error *err)
{
	unsigned int least = bpmu_deviation_trials(check->nr);

	if (check->trials >= least)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"--trials: %u are too few trials for %u tests; use at least %u",
		check->trials, check->nr, least);
}

static int errata_check(struct call *call, struct bpmu_error *err)
{
	struct bpmu_errata_check check = {
		.trial = {
			.client = call->target.client,
			.info = &call->target.info,
			.cpu = call->target.cpus.cpu[0],
		},
		.smt = call->target.smt,
		.trials = call->trials,
	};
	int code;

	code = bpmu_errata_check(&check, err);
	if (!code)
		code = check_trials(&check, err);
	if (code)
		return code;
	return bpmu_errata_report(stdout, &call->report, &check) ?
	       BPMU_EXIT_ALERT : 0;
}

static int errata_probe(struct call *call, struct bpmu_error *err)
{
	const struct bpmu_probe_wish wish = {
		.client = call->target.client,
		.info = &call->target.info,
		.cpu = call->target.cpus.cpu[0],
		.smt = call->target.smt,
		.event = call->event,
		.counter = call->counter,
		.format = call->report.format,
		.separator = call->report.separator,
	};

	return bpmu_probe_run(&wish, err);
}

static int check_words(const char *name, const struct call *call,
		       struct bpmu_error *err)
{
	bool probing = !strcmp(name, "probe");

	if (!probing && call->event)
		return bpmu_error_set(err, -EINVAL,
			"errata check: '%s': no event is expected; errata probe takes one",
			call->event);
	if (probing && !call->event)
		return bpmu_error_set(err, -EINVAL,
			"errata probe: no event; name one, see \"barepmu list events\"");
	return 0;
}

static int errata_run(struct bpmu_ctx *ctx, struct call *call, const char *name,
		      int (*action)(struct call *call, struct bpmu_error *err))
{
	int code;

	if (check_words(name, call, &ctx->err))
		return bpmu_fail(ctx, BPMU_EXIT_USAGE);
	code = open_target(call, &ctx->err);
	if (!code)
		code = action(call, &ctx->err);
	bpmu_target_close(&call->target);
	return code < 0 ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : code;
}

/**
 * bpmu_cmd_errata() - run "barepmu errata", which tests if this CPU's counters count wrong
 *
 * Return: exit status; 3 if a check has found something.
 */
int bpmu_cmd_errata(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*action)(struct call *call, struct bpmu_error *err);
	} actions[] = { { "check", errata_check }, { "probe", errata_probe } };
	struct call call = { .trials = DEFAULT_TRIALS, .counter = -1 };
	unsigned int i;
	int code;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (argc > 1 && !strcmp(argv[1], actions[i].name))
			break;
	if (i < ARRAY_SIZE(actions)) {
		argc--;
		argv++;
	}
	code = errata_take_words(&call, argc, argv, &ctx->err);
	if (code)
		return code < 0 ? bpmu_fail(ctx, BPMU_EXIT_USAGE) :
				  BPMU_EXIT_OK;
	if (i < ARRAY_SIZE(actions))
		return errata_run(ctx, &call, actions[i].name, actions[i].action);
	bpmu_error_set(&ctx->err, -EINVAL,
		       "errata: list, check or probe is expected; see \"barepmu errata --help\"");
	return bpmu_fail(ctx, BPMU_EXIT_USAGE);
}
