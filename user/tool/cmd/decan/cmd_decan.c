// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "decan.h"
#include "event/affinity.h"
#include "tree/level.h"

#define ROUNDS_MAX 10000U
#define INVOCATION_MAX 1000000000U

static const char about[] =
	"Usage: barepmu decan [OPTION]... [--] COMMAND [ARGUMENT]...\n\n"
	"Measures the cost of the loads and stores of a hot loop: removes one, a group,\n"
	"or all, runs the loop again from the same state, and prints the time saved.\n\n";

enum own_option {
	OPTION_LOOP = BPMU_OPTION_OWN,
	OPTION_FROM,
	OPTION_LIST,
	OPTION_INVOCATION,
	OPTION_KIND,
	OPTION_INTEGER,
	OPTION_WRITE,
	OPTION_HTML,
	OPTION_THREADS
};

static const struct bpmu_option table[] = {
	{ 'f', "function", "NAME",
	  "function that contains the loop; default: the hottest\n"
	  "function of a profile that is taken first" },
	{ OPTION_LOOP, "loop", "ID|START-END",
	  "number of the loop, see --list, or its addresses in\n"
	  "a stripped program; default: the innermost loop with\n"
	  "the most samples" },
	{ OPTION_FROM, "from", "FILE",
	  "take the profile from a recording made with --who" },
	{ OPTION_LIST, "list", NULL,
	  "list loops and candidates, run no variant" },
	{ OPTION_INVOCATION, "invocation", "N",
	  "measure at the Nth entry into the loop;\n"
	  "default 2, or 1 if it is entered once" },
	{ OPTION_KIND, "kind", "KINDS",
	  "kinds of variants, separated by commas:\n"
	  "ld,st,loads,stores,groups (the default), div, branch,\n"
	  "l1, move, fp" },
	{ OPTION_INTEGER, "integer", NULL,
	  "also loads and stores of general-purpose registers" },
	{ 'r', "repeat", "N",
	  "measure each variant N times, at least 6; default 11" },
	BPMU_OPTION_ROW_EVENT(";\nalso counted, in separate runs; needs the module"),
	BPMU_OPTION_ROW_NAMES(":\nof each variant"),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_LEVEL(",\nof each variant"),
	{ 'l', "topdown", "N", "the same, as in \"barepmu record\"" },
	BPMU_OPTION_ROW_METHOD,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	{ OPTION_THREADS, "threads", "N",
	  "also run each variant on N threads of the program" },
	{ OPTION_WRITE, "write", "DIR",
	  "also write the program of each variant to DIR" },
	{ OPTION_HTML, "html", "FILE", "write an HTML page with charts" },
	BPMU_OPTION_ROW_TAKE_OVER,
	{ 'C', "cpu", "N", "run the loop on this CPU; default: the last one" },
	{ 'j', "json", NULL, "JSON lines instead of a table",
	  BPMU_CHOICE_FORMAT },
	{ 'o', "output", "FILE", "write CSV to FILE" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int decan_take_option(void *call, int option, const char *value,
			     struct bpmu_error *err)
{
	struct bpmu_decan *decan = call;

	switch (option) {
	case 'f':
		decan->function = value;
		return 0;
	case OPTION_LOOP:
		decan->loop = value;
		return 0;
	case OPTION_FROM:
		decan->from = value;
		return 0;
	case OPTION_LIST:
		decan->list = true;
		return 0;
	case OPTION_INVOCATION:
		return bpmu_options_number("--invocation", value, 1,
					   INVOCATION_MAX, &decan->invocation,
					   err);
	case OPTION_KIND:
		return bpmu_variant_kinds_parse(value, &decan->kinds, err);
	case OPTION_INTEGER:
		decan->integer = true;
		return 0;
	case OPTION_THREADS:
		return bpmu_options_number("--threads", value, 1,
					   BPMU_RUN_HELPERS + 1,
					   &decan->threads, err);
	case OPTION_HTML:
		decan->html = value;
		return 0;
	case OPTION_WRITE:
		decan->write = value;
		return 0;
	case 'l':
		return bpmu_level_take(&decan->level, "-l", value, err);
	case 'e':
		return bpmu_wanted_add(&decan->session.type.wanted, value, err);
	case 'r':
		return bpmu_options_number("-r", value, 6, ROUNDS_MAX,
					   &decan->rounds, err);
	default:
		return bpmu_options_choose(&decan->options,
					   &decan->session.type.choice, option,
					   value, err);
	}
}

/*
 * Sets @decan->cpu to the CPU on which the loop runs: the CPU of -C, or without -C the last CPU on
 * which the tool may run. Returns 0 or -EINVAL.
 */
static int choose_cpu(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_affinity mask;
	int last = -1;

	if (decan->options.cpus)
		return bpmu_options_number("-C", decan->options.cpus, 0,
					   BPMU_CPULIST_MAX - 1, &decan->cpu, err);
	if (!bpmu_affinity_get(0, &mask))
		last = bpmu_affinity_last(&mask);
	if (last >= 0)
		decan->cpu = last;
	return 0;
}

static int decan_take_words(struct bpmu_decan *decan, int argc, char **argv,
			    struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "decan", .about = about, .option = table,
		.command_follows = true, .set = decan_take_option,
	};
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(&options, decan, argc, argv, &operands, err);
	if (code)
		return code;
	if (!operands.nr)
		return bpmu_error_set(err, -EINVAL,
				      "decan: no command; name the program that has the loop");
	decan->options.argv = operands.word;
	return choose_cpu(decan, err);
}

static int write_csv(const struct bpmu_decan *decan, struct bpmu_error *err)
{
	FILE *out = bpmu_options_open(&decan->options, err);

	if (!out)
		return -EIO;
	bpmu_decan_csv(decan, out);
	return bpmu_options_close(&decan->options, out, 0, err);
}

/*
 * Opens the module's session, which counts core cycles. If this fails, the tool measures TSC ticks
 * instead and 0 is returned. If the user asked for events or metrics, TSC ticks are not enough, and
 * a negative errno is returned.
 */
static int open_session(struct bpmu_decan *decan, struct bpmu_error *err)
{
	struct bpmu_decan_session *session = &decan->session;
	bool asked = session->type.wanted.text || session->type.choice.names ||
		     session->type.choice.nr_paths || session->type.choice.asked || decan->level;
	char cpu[16];
	int code;

	snprintf(cpu, sizeof(cpu), "%u", decan->cpu);
	session->take_over = decan->options.take_over;
	code = bpmu_decan_session_open(session, cpu, decan->level,
				       &decan->why_ticks);
	decan->counting = !code;
	decan->unit = code ? "ticks" : "cycles";
	if (code && asked)
		*err = decan->why_ticks;
	return asked ? code : 0;
}

static int decan_run(struct bpmu_decan *decan, struct bpmu_error *err)
{
	int code = bpmu_zydis(err) ? 0 : -ENOENT;

	if (!code)
		code = bpmu_decan_find(decan, err);
	if (!code && decan->list) {
		bpmu_decan_list(decan, stdout);
		return 0;
	}
	if (!code)
		code = open_session(decan, err);
	if (!code)
		code = bpmu_decan_measure(decan, err);
	if (code)
		return code;
	if (decan->options.format == BPMU_JSON)
		bpmu_decan_json(decan, stdout);
	else
		bpmu_decan_text(decan, stdout);
	if (decan->options.output)
		code = write_csv(decan, err);
	if (!code && decan->html)
		code = bpmu_decan_page(decan, err);
	if (!code && decan->write)
		code = bpmu_decan_write(decan, err);
	return code;
}

/**
 * bpmu_cmd_decan() - run "barepmu decan", which measures what a loop's instructions cost
 */
int bpmu_cmd_decan(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_decan decan = {
		.options = ctx->options, .kinds = BPMU_VARIANT_DEFAULT,
		.rounds = BPMU_DECAN_ROUNDS, .unit = "ticks", .threads = 1,
	};
	int status = BPMU_EXIT_OK;
	int code = decan_take_words(&decan, argc, argv, &ctx->err);

	if (code < 0) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (!code) {
		if (decan_run(&decan, &ctx->err))
			status = bpmu_fail(ctx, BPMU_EXIT_FAILED);
		bpmu_decan_free(&decan);
	}
	return status;
}
