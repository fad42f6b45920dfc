// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "evaluation.h"
#include "period_options.h"
#include "recording_session.h"
#include "source/wanted.h"
#include "tree/level.h"

#define DEFAULT_INTERVAL "10ms"
#define STANDARD_OUTPUT "/dev/stdout"

static const char about[] =
	"Usage: barepmu record -o FILE [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Writes samples of the chosen CPUs to FILE as they arrive, while COMMAND runs or\n"
	"until interrupted. It computes nothing, which makes it the cheapest way to\n"
	"measure. \"barepmu report FILE\" prints the requested values, or any others that\n"
	"the events allow. barepmu-file(5) describes the file.\n\n";

enum option_number {
	OPTION_CPISTACK = BPMU_OPTION_OWN,
	OPTION_PHI,
	OPTION_TOGETHER,
	OPTION_WHO,
	OPTION_SWITCH,
	OPTION_MAX_FILES,
	OPTION_CEILINGS,
	OPTION_CALL_GRAPH
};

static const struct bpmu_option table[] = {
	{ 'o', "output", "FILE", "file to write" },
	{ OPTION_SWITCH, "switch-output", "SIZE|TIME",
	  "continue in a new file after 100M, 2G or 10m, 1h, 1d;\n"
	  "files are named FILE.20261123055900 and so on, after\n"
	  "the UTC time at which they begin" },
	{ OPTION_MAX_FILES, "switch-max-files", "N",
	  "keep only the last N of these files" },
	BPMU_OPTION_ROW_EVENT(";\ndefault " BPMU_WANTED_DEFAULT),
	{ 'c', "count", "PERIOD[,PERIOD]...",
	  "also record what is interrupted each time that an\n"
	  "event of -e has happened PERIOD times, for \"barepmu\n"
	  "report --by\"; several: of each event in turn, 0 only\n"
	  "counts it" },
	{ 'F', "freq", "HZ[,HZ]...",
	  "the same, but HZ times a second" },
	{ OPTION_CALL_GRAPH, "call-graph", "fp|lbr",
	  "of -c and -F: also record the callers of what is interrupted,\n"
	  "for \"barepmu report --by stack\" and --folded; those in user\n"
	  "space by frame pointers, or by branch records (LBR)" },
	{ 'b', "branch-any", NULL,
	  "of -c and -F: also record the last branches before each\n"
	  "interrupt (LBR), for \"barepmu report --by branch\"" },
	BPMU_OPTION_ROW_NAMES(""),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_LEVEL(""),
	{ 'l', "topdown", "N", "the same" },
	BPMU_OPTION_ROW_METHOD,
	{ OPTION_CPISTACK, "cpistack", NULL, "the events of CPI stacks" },
	{ OPTION_PHI, "phi", NULL, "the events of the metrics of a Xeon Phi" },
	{ BPMU_OPTION_EXTRA, "extra", NULL,
	  "of --topdown: also nodes that lack a paper formula" },
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_METRICS,
	{ OPTION_TOGETHER, "no-multiplex", NULL,
	  "refuse events that need multiplexing" },
	BPMU_OPTION_ROWS_CPUS,
	{ 'I', "interval", "TIME",
	  "sampling interval: 10 (ms), 100us, 2s; default\n"
	  DEFAULT_INTERVAL },
	BPMU_OPTION_ROW_TIMER("source of the samples, see \"barepmu stat\""),
	BPMU_OPTION_ROW_TAKE_OVER,
	BPMU_OPTION_ROWS_TIMEOUT,
	{ 'D', "delay", "TIME",
	  "start counting this long after the command's start" },
	{ OPTION_WHO, "who", NULL,
	  "also record the interrupted process of each sample,\n"
	  "for \"barepmu report --by\"; not with --timer tick" },
	{ 'q', "quiet", NULL, "do not print at the end how much was written" },
	{ OPTION_CEILINGS, "ceilings", NULL,
	  "first measure the peak rates of the CPUs, for the\n"
	  "roofline of \"barepmu report --html\"" },
	BPMU_OPTION_ROW_HELP,
	{ }
};

/*
 * Returns true if an option is about the run, such as its CPUs and interval; false if it chooses
 * events or metrics.
 */
static bool is_run_option(int option)
{
	return option == 'C' || option == 'I' || option == 'D' ||
	       option == BPMU_OPTION_TIMER || option == BPMU_OPTION_TAKE_OVER ||
	       option == BPMU_OPTION_TIMEOUT;
}

/**
 * struct record - options and state of "barepmu record"
 * @command: subcommand that measures: "stat", "topdown", "cpistack" or "phi"; NULL for "stat"
 * @level: value of the option --topdown, or NULL
 * @metrics: -M or -g was given
 * @requested: options of @command that choose events or metrics
 * @run_options: options of @command that say how to measure, such as CPUs and interval
 * @recorder: what the options say of the recording, such as the file's name
 */
struct record {
	const char *command;
	const char *level;
	bool metrics;
	struct bpmu_request requested;
	struct bpmu_request run_options;
	struct bpmu_recorder recorder;
};

static int record_choose(struct record *r, const char *command, struct bpmu_error *err)
{
	if (r->command && strcmp(r->command, command))
		return bpmu_error_set(err, -EINVAL,
			"record: --topdown, --cpistack, --phi, and -e or -M do not go together; record one of them");
	r->command = command;
	return 0;
}

/*
 * Least size in bytes and least time in ns of a file of --switch-output, so that there are not
 * thousands of files
 */
#define SWITCH_BYTES_MIN 4096
#define SWITCH_NS_MIN BPMU_NS_PER_S

/*
 * Parses the value of --switch-output: a number with perf's suffix of a size (B, K, M, G) or of a
 * time (s, m, h, d). Returns 0 or -EINVAL.
 */
static int record_take_switch(struct bpmu_recorder *recorder, const char *text,
			      struct bpmu_error *err)
{
	static const struct {
		char letter;
		u64 bytes;
		u64 ns;
	} units[] = {
		{ 'B', 1, 0 }, { 'K', 1 << 10, 0 }, { 'M', 1 << 20, 0 },
		{ 'G', 1 << 30, 0 }, { 's', 0, BPMU_NS_PER_S },
		{ 'm', 0, 60 * BPMU_NS_PER_S }, { 'h', 0, 3600 * BPMU_NS_PER_S },
		{ 'd', 0, 86400 * BPMU_NS_PER_S },
	};
	unsigned long number;
	char *end;
	size_t i;

	number = strtoul(text, &end, 10);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (!isdigit((unsigned char)*text) || !number ||
		    number > UINT_MAX || *end != units[i].letter || end[1])
			continue;
		recorder->switch_bytes = number * units[i].bytes;
		recorder->switch_ns = number * units[i].ns;
		if ((units[i].bytes &&
		     recorder->switch_bytes < SWITCH_BYTES_MIN) ||
		    (units[i].ns && recorder->switch_ns < SWITCH_NS_MIN))
			break;
		return 0;
	}
	return bpmu_error_set(err, -EINVAL,
		"--switch-output '%s': neither a size from 4K nor a time from 1s on; write 100M, 2G, 30s, 10m, 1h or 1d",
		text);
}

static int record_take_option(void *call, int option, const char *value,
			      struct bpmu_error *err)
{
	struct record *r = call;
	unsigned int level;
	int code = 0;

	switch (option) {
	case 'o':
		r->recorder.name = strcmp(value, "-") ? value : STANDARD_OUTPUT;
		return 0;
	case 'a':
		return 0;
	case 'c':
	case 'F':
		return bpmu_periods_take(&r->recorder.periods, option, value, err);
	case 'g':
		if (*value == '-')
			return bpmu_error_set(err, -EINVAL,
				"option '-g': names a metric group, not '%s'; perf's -g is --call-graph fp here",
				value);
		r->metrics = true;
		break;
	case 'M':
		r->metrics = true;
		break;
	case OPTION_WHO:
		r->recorder.who = true;
		return 0;
	case OPTION_CALL_GRAPH:
		r->recorder.chain = BPMU_MAX_CHAIN;
		r->recorder.calls = !strcmp(value, "lbr");
		if (r->recorder.calls || !strcmp(value, "fp"))
			return 0;
		return bpmu_error_set(err, -EINVAL,
			"--call-graph: '%s': fp or lbr is expected", value);
	case 'b':
		r->recorder.branches = true;
		return 0;
	case 'q':
		r->recorder.quiet = true;
		return 0;
	case OPTION_CEILINGS:
		r->recorder.ceilings = true;
		return 0;
	case OPTION_SWITCH:
		return record_take_switch(&r->recorder, value, err);
	case OPTION_MAX_FILES:
		return bpmu_options_number("--switch-max-files", value, 1,
					   UINT_MAX, &r->recorder.max_files, err);
	case BPMU_OPTION_METHOD:
		code = record_choose(r, "topdown", err);
		break;
	case 'l':
		r->level = value;
		code = bpmu_level_take(&level, "--topdown", value, err);
		return code ? code : record_choose(r, "topdown", err);
	case OPTION_CPISTACK:
		return record_choose(r, "cpistack", err);
	case OPTION_PHI:
		return record_choose(r, "phi", err);
	case 'e':
		code = record_choose(r, "stat", err);
		break;
	}
	if (code)
		return code;
	return bpmu_request_option(is_run_option(option) ? &r->run_options : &r->requested,
				   table, option, value, err);
}

static int record_check(const struct record *r, struct bpmu_error *err)
{
	char first[BPMU_OPTION_TEXT];
	bool complete = r->command && (!strcmp(r->command, "cpistack") ||
				       !strcmp(r->command, "phi"));

	if (r->recorder.max_files && !r->recorder.switch_bytes &&
	    !r->recorder.switch_ns)
		return bpmu_error_set(err, -EINVAL,
			"--switch-max-files: is of --switch-output; add it");
	if (!r->recorder.name)
		return bpmu_error_set(err, -EINVAL,
				      "record: where to is missing; add -o FILE");
	if (!strcmp(r->recorder.name, STANDARD_OUTPUT) &&
	    (r->recorder.switch_bytes || r->recorder.switch_ns))
		return bpmu_error_set(err, -EINVAL,
			"--switch-output: not to the standard output; name a file");
	if (r->recorder.periods.nr && (!r->command || complete || r->metrics))
		return bpmu_error_set(err, -EINVAL,
			"-%c: is of the events of -e or of --topdown, and goes with no metrics; name an event, such as -e cycles",
			r->recorder.periods.option);
	if (r->recorder.chain && !r->recorder.periods.nr)
		return bpmu_error_set(err, -EINVAL,
			"--call-graph: is of the interrupts of -c or -F; add -c PERIOD");
	if (r->recorder.branches && r->recorder.calls)
		return bpmu_error_set(err, -EINVAL,
			"-b: not with --call-graph lbr, which uses the same registers; take --call-graph fp");
	if (r->recorder.branches && !r->recorder.periods.nr)
		return bpmu_error_set(err, -EINVAL,
			"-b: is of the interrupts of -c or -F; add -c PERIOD");
	if (!complete || !r->requested.nr)
		return 0;
	bpmu_given_text(&r->requested.given[0], first);
	return bpmu_error_set(err, -EINVAL,
		"%s: not with --%s, which defines all events; drop one of them", first,
		r->command);
}

/*
 * Adds to a request the subcommand that measures, and those of its options that choose events or
 * metrics. Returns 0 or -ENOMEM.
 */
static int record_put_request(const struct record *r, struct bpmu_request *request,
			      struct bpmu_error *err)
{
	const struct bpmu_given level = { .letter = 'l', .value = r->level };
	int code = 0;

	request->name = r->command ?: "stat";
	if (r->level)
		code = bpmu_request_add(request, &level, err);
	return code ? code : bpmu_request_add_all(request, &r->requested, err);
}

static int record_run(struct bpmu_ctx *ctx, const struct record *r,
		      const struct bpmu_operands *operands)
{
	const struct bpmu_given interval = { .letter = 'I', .value = DEFAULT_INTERVAL };
	struct bpmu_request request = { .operands = *operands };
	struct bpmu_recorder recorder = r->recorder;
	int status = BPMU_EXIT_FAILED;
	int code;

	code = record_put_request(r, &request, &ctx->err);
	recorder.asked = code ? NULL : bpmu_request_words(&request, &ctx->err);
	if (!code && !recorder.asked)
		code = -ENOMEM;
	if (!code)
		code = bpmu_request_add(&request, &interval, &ctx->err);
	if (!code)
		code = bpmu_request_add_all(&request, &r->run_options, &ctx->err);
	ctx->options.recorder = &recorder;
	if (code)
		bpmu_fail(ctx, status);
	else
		status = bpmu_request_run(&request, ctx);
	bpmu_request_free_words(recorder.asked);
	bpmu_request_free(&request);
	return status;
}

/**
 * bpmu_cmd_record() - run "barepmu record", which writes samples to a file for "barepmu report"
 */
int bpmu_cmd_record(struct bpmu_ctx *ctx, int argc, char **argv)
{
	static const struct bpmu_option_table options = {
		.command = "record", .about = about, .option = table,
		.command_follows = true, .set = record_take_option,
	};
	struct bpmu_operands operands;
	struct record r = { };
	int status;
	int code;

	code = bpmu_options_parse(&options, &r, argc, argv, &operands,
				  &ctx->err);
	if (!code)
		code = record_check(&r, &ctx->err);
	if (code < 0)
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	else
		status = code ? BPMU_EXIT_OK : record_run(ctx, &r, &operands);
	bpmu_request_free(&r.requested);
	bpmu_request_free(&r.run_options);
	return status;
}
