// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "annotation_print.h"
#include "base/team.h"
#include "code/cause.h"
#include "command.h"

static const char about[] =
	"Usage: barepmu annotate [OPTION]... [FUNCTION] FILE\n\n"
	"Prints the instructions of a function, disassembled and with their source lines,\n"
	"and which share of the function's events happened at each. FILE is of \"barepmu\n"
	"record -c\". FUNCTION is a name as \"report --by symbol\" prints it, with or without\n"
	"its file; by default the function with most events.\n\n";

enum option_number {
	OPTION_FROM = BPMU_OPTION_OWN,
	OPTION_TO
};

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_EVENT(";\none of those that interrupted, if several did"),
	{ OPTION_FROM, "from", "TIME",
	  "start of the window: seconds from the start, or 25%" },
	{ OPTION_TO, "to", "TIME", "end of the window" },
	{ 'C', "cpu", "LIST", "only these CPUs: 0-3,8; or of a core type: adl-e" },
	{ 'a', "all-cpus", NULL, NULL },
	BPMU_OPTION_ROWS_FORMAT,
	{ 'o', "output", "FILE", "write results to FILE" },
	{ BPMU_OPTION_APPEND, "append", NULL, "append to FILE" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct call - options and state of "barepmu annotate"
 * @options: common options; only the options of the output and of the CPUs are used
 * @replay: the recording
 * @event: name of the event whose interrupts are shown; NULL if the recording has interrupts of one
 *	event only
 * @function: name of the function, NULL for the one with most events
 */
struct call {
	struct bpmu_options options;
	struct bpmu_replay replay;
	const char *event;
	const char *function;
};

static int annotate_take_option(void *data, int option, const char *value, struct bpmu_error *err)
{
	struct call *call = data;

	if (option == 'e') {
		call->event = value;
		return 0;
	}
	if (option == OPTION_FROM)
		return bpmu_replay_take_time(&call->replay.from, "--from", value, err);
	if (option == OPTION_TO)
		return bpmu_replay_take_time(&call->replay.to, "--to", value, err);
	return bpmu_options_take(&call->options, option, value, err);
}

static int annotate_take_operands(struct call *call, const struct bpmu_operands *operands,
				  struct bpmu_error *err)
{
	if (operands->nr != 1 && operands->nr != 2)
		return bpmu_error_set(err, -EINVAL,
			"annotate: %s; see 'barepmu annotate --help'",
			operands->nr ? "one function and one file are taken" : "a file is needed");
	call->replay.name = operands->word[operands->nr - 1];
	call->function = operands->nr == 2 ? operands->word[0] : NULL;
	return 0;
}

/*
 * Prints the annotated function to the output that the options choose. Returns 0 or a negative
 * errno.
 */
static int annotate_print(const struct call *call, const struct bpmu_event_shares *event,
			  struct bpmu_error *err)
{
	struct bpmu_annotation annotation;
	FILE *out = NULL;
	int code;

	code = bpmu_annotation_make(&annotation, &event->by, call->function,
				    call->replay.name, err);
	if (!code) {
		out = bpmu_options_open(&call->options, err);
		code = out ? 0 : -EIO;
	}
	if (out) {
		bpmu_annotation_print(out, &call->options, &annotation, &event->shares);
		code = bpmu_options_close(&call->options, out, 0, err);
	}
	bpmu_annotation_free(&annotation);
	return code;
}

static int annotate(struct call *call, struct bpmu_error *err)
{
	struct bpmu_event_shares event = { };
	struct bpmu_target target = { };
	int code;

	code = bpmu_replay_target(&call->replay, &target, call->options.cpus, err);
	if (!code)
		code = bpmu_replay_choose(&call->replay, target.recorded, call->event,
					  &event.shares.slot, err);
	if (!code)
		code = bpmu_replay_shares(&call->replay, &target, &event, 1, err);
	if (!code)
		code = annotate_print(call, &event, err);
	bpmu_by_free(&event.by);
	bpmu_target_close(&target);
	return code;
}

/**
 * bpmu_cmd_annotate() - run "barepmu annotate", which shows which instructions were interrupted
 */
int bpmu_cmd_annotate(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "annotate", .about = about, .option = table,
		.set = annotate_take_option,
	};
	struct bpmu_causes causes;
	struct call call = {
		.replay = { .by.type = BPMU_BY_ADDRESS, .threads = bpmu_team_cpus() },
	};
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(&options, &call, argc, argv, &operands, &ctx->err);
	if (!code)
		code = annotate_take_operands(&call, &operands, &ctx->err);
	if (code)
		return bpmu_usage(ctx, code);
	bpmu_causes_begin(&causes, &call.replay);
	code = bpmu_recording_open(&call.replay.file, call.replay.name, &ctx->err);
	if (!code)
		code = annotate(&call, &ctx->err);
	bpmu_recording_shut(call.replay.file);
	bpmu_causes_free(&causes);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}
