// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "code/cause.h"
#include "evaluation.h"
#include "export.h"
#include "perf_data.h"
#include "pprof.h"
#include "replay/report_replay.h"
#include "base/team.h"
#include "report_diff.h"
#include "report_header.h"
#include "report_shares.h"
#include "retire_latency.h"
#include "share_diff.h"
#include "view/html/html.h"
#include "view/share_set.h"
#include "view/speedscope.h"

static const char about[] =
	"Usage: barepmu report [OPTION]... FILE...\n"
	"       barepmu report --diff [OPTION]... FILE FILE\n"
	"       barepmu report --html PAGE [OPTION]... FILE...\n\n"
	"Evaluates a recording of \"barepmu record\": the values requested then, or any\n"
	"others that the recorded events allow. Several files must be those of one\n"
	"\"barepmu record --switch-output\".\n\n";

enum option_number {
	OPTION_PHI = BPMU_OPTION_OWN,
	OPTION_CPISTACK,
	OPTION_FROM,
	OPTION_TO,
	OPTION_BY,
	OPTION_DIFF,
	OPTION_HEADER,
	OPTION_HTML,
	OPTION_THREADS,
	OPTION_FOLDED,
	OPTION_PERF_DATA,
	OPTION_SPEEDSCOPE,
	OPTION_PPROF,
	OPTION_RETIRE_LATENCY,
	/*
	 * "barepmu report" has a recording evaluated by another subcommand, such as "stat". The
	 * options from here on are passed to this subcommand.
	 */
	OPTION_CPI,
	OPTION_NORMALISE,
	OPTION_COMPACT,
	OPTION_FORMULA,
	OPTION_THREAD,
	OPTION_CARD,
	OPTION_ELEMENT,
	OPTION_USED,
	OPTION_PAGES,
	OPTION_FREQ
};

static const struct bpmu_option table[] = {
	BPMU_OPTION_ROW_EVENT(";\nwith --by and --folded one of those that interrupted"),
	BPMU_OPTION_ROW_NAMES(""),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_LEVEL(""),
	{ 'l', "topdown", "N", "the same, as in \"barepmu record\"" },
	BPMU_OPTION_ROW_METHOD,
	{ OPTION_CPISTACK, "cpistack", NULL, "CPI stacks at dispatch, issue and commit" },
	{ OPTION_PHI, "phi", NULL, "metrics of a Xeon Phi" },
	{ OPTION_FROM, "from", "TIME",
	  "start of the window: seconds from the start, or 25%" },
	{ OPTION_TO, "to", "TIME", "end of the window" },
	{ 'C', "cpu", "LIST", "only these CPUs: 0-3,8; or of a core type: adl-e" },
	{ 'a', "all-cpus", NULL, NULL },
	BPMU_OPTION_ROWS_PER,
	{ 'I', "interval", "TIME", "interval of the results: 100us, 10ms, 2s" },
	{ 'I', "interval-print", "TIME", NULL },
	{ BPMU_OPTION_COUNT, "interval-count", "N", "only the first N intervals" },
	{ OPTION_BY, "by", "comm|pid|symbol|line|address|stack|branch|cacheline|source|cpu",
	  "one row per interrupted thread name, process, function,\n"
	  "source line, instruction, call stack, branch, cache line of\n"
	  "data, place where a load found them, or CPU; needs\n"
	  "\"barepmu record -c\" for shares of the event, for stacks\n"
	  "with --call-graph, for branches with -b, for cache lines and\n"
	  "places of ibs_op, else --who, except for cpu" },
	{ OPTION_FOLDED, "folded", NULL,
	  "print the call stacks with their events, a line each, for\n"
	  "programs that draw flame graphs" },
	{ OPTION_PERF_DATA, "perf-data", "OUT",
	  "write the interrupts of \"barepmu record -c\" to a file\n"
	  "that perf report, script and annotate read" },
	{ OPTION_SPEEDSCOPE, "speedscope", "OUT",
	  "write the call stacks to a file that speedscope reads" },
	{ OPTION_PPROF, "pprof", "OUT",
	  "write the interrupts to a file that pprof reads" },
	{ OPTION_RETIRE_LATENCY, "retire-latency", "OUT",
	  "write mean retire latencies of precise events to a file\n"
	  "that --events reads" },
	{ OPTION_DIFF, "diff", NULL,
	  "what has changed from the first FILE to the second, with\n"
	  "--by the shares of the events that interrupted" },
	{ OPTION_HTML, "html", "PAGE",
	  "write everything as one HTML page; allows only\n"
	  "-C, -I, -M, --method, --metrics, --events, --from and\n"
	  "--to; several FILEs: compare their Top-Down; allows\n"
	  "only -C, --method, --from and --to" },
	{ OPTION_HEADER, "header", NULL,
	  "print machine, time, request and event groups" },
	{ OPTION_THREADS, "threads", "N",
	  "number of threads that read FILE; default: one per CPU\n"
	  "that this process may run on" },
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_EXTRA,
	{ OPTION_CPI, "cpi", NULL, "as in \"barepmu topdown\"" },
	{ OPTION_NORMALISE, "normalise", "INST|WORK=N",
	  "as in \"barepmu topdown\" and \"barepmu cpistack\"" },
	{ OPTION_COMPACT, "compact", NULL,
	  "one line per interval and row, as in \"barepmu stat\"" },
	{ OPTION_FORMULA, "formula", NULL, "as in \"barepmu topdown\"" },
	BPMU_OPTION_ROW_PAPER,
	{ OPTION_THREAD, "per-thread", NULL, "as in \"barepmu phi\"",
	  BPMU_CHOICE_ROWS },
	{ OPTION_CARD, "per-card", NULL, "as in \"barepmu phi\"",
	  BPMU_CHOICE_ROWS },
	{ OPTION_ELEMENT, "element", "sp|dp", "as in \"barepmu phi\"" },
	{ OPTION_USED, "threads-used", "N", "as in \"barepmu phi\"" },
	{ OPTION_PAGES, "pages", "4k|2m", "as in \"barepmu phi\"" },
	{ OPTION_FREQ, "freq", "GHZ", "as in \"barepmu phi\"" },
	{ BPMU_OPTION_TIMER, "timer", "auto|hard|tick", NULL },
	{ BPMU_OPTION_TAKE_OVER, "take-over", NULL, NULL },
	{ BPMU_OPTION_TIMEOUT, "timeout", "TIME", NULL },
	BPMU_OPTION_ROWS_FORMAT,
	BPMU_OPTION_ROWS_OUTPUT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

/**
 * struct report - options and state of "barepmu report"
 * @replay: the recording
 * @causes: finds the instructions of precise interrupts that name the next one
 * @level: value of the option --topdown, or NULL
 * @cpistack: --cpistack was given
 * @phi: --phi was given
 * @stat: number of times that -e, -M or -g was given
 * @event: value of the last option -e, or NULL
 * @rows: an option was given that prints separate results of CPUs, cores, ..., such as --per-core
 * @interval: -I was given
 * @diff: compare two recordings
 * @header: only print the recording's header
 * @folded: print folded call stacks
 * @export: option that writes a file for another program, such as "--perf-data", or NULL
 * @exported: name of the file that @export writes
 * @html: name of the HTML page to write, or NULL
 * @compared: the HTML page compares several recordings
 * @not_for_pages: an option was given that --html does not take
 * @choice: metrics that the HTML page shows besides Top-Down
 * @shown: common options, for output that report itself prints
 * @passed: options that are passed to the subcommand that evaluates the recording, such as "stat";
 *	without those in @form
 * @form: options that are passed to the same subcommand, but only concern its output, such as -x
 * @of_diff: value of -I that the tool chooses for --diff, as text; the option -I in @passed points
 *	to it
 */
struct report {
	struct bpmu_replay replay;
	struct bpmu_causes causes;
	const char *level;
	bool cpistack;
	bool phi;
	unsigned int stat;
	const char *event;
	bool rows;
	bool interval;
	bool diff;
	bool header;
	bool folded;
	const char *export;
	const char *exported;
	const char *html;
	bool compared;
	bool not_for_pages;
	struct bpmu_choice choice;
	struct bpmu_options shown;
	struct bpmu_request passed;
	struct bpmu_request form;
	char of_diff[32];
};

static int take_export(struct report *r, const char *option, const char *value,
		       struct bpmu_error *err)
{
	if (r->export)
		return bpmu_error_set(err, -EINVAL, "%s: one file is written at a time; leave out %s",
				      option, r->export);
	r->export = option;
	r->exported = value;
	return 0;
}

static int take_own(struct report *r, int option, const char *value,
		    struct bpmu_error *err)
{
	switch (option) {
	case 'l':
		r->level = value;
		return 0;
	case OPTION_CPISTACK:
		r->cpistack = true;
		return 0;
	case OPTION_PHI:
		r->phi = true;
		return 0;
	case OPTION_FROM:
		return bpmu_replay_take_time(&r->replay.from, "--from", value, err);
	case OPTION_TO:
		return bpmu_replay_take_time(&r->replay.to, "--to", value, err);
	case OPTION_BY:
		return bpmu_by_parse(value, &r->replay.by.type, err);
	case OPTION_DIFF:
		r->diff = true;
		return 0;
	case OPTION_HEADER:
		r->header = true;
		return 0;
	case OPTION_FOLDED:
		r->folded = true;
		return 0;
	case OPTION_PERF_DATA:
		return take_export(r, "--perf-data", value, err);
	case OPTION_SPEEDSCOPE:
		return take_export(r, "--speedscope", value, err);
	case OPTION_PPROF:
		return take_export(r, "--pprof", value, err);
	case OPTION_RETIRE_LATENCY:
		return take_export(r, "--retire-latency", value, err);
	case OPTION_HTML:
		r->html = value;
		return 0;
	case OPTION_THREADS:
		return bpmu_options_number("--threads", value, 1, 1024,
					   &r->replay.threads, err);
	case BPMU_OPTION_TIMER:
	case BPMU_OPTION_TAKE_OVER:
	case BPMU_OPTION_TIMEOUT:
		return bpmu_error_set(err, -EINVAL,
			"report: --timer, --take-over and --timeout are for 'barepmu record'; drop them, or use --to");
	}
	return -ENOENT;
}

/*
 * Takes an option that applies to the HTML page of --html. If the option cannot be used with
 * --html, sets @r->not_for_pages: --html will be refused. Returns 0 or a negative errno.
 */
static int take_page_option(struct report *r, int option, const char *value,
			    struct bpmu_error *err)
{
	switch (option) {
	case 'M':
	case 'g':
		return bpmu_choice_add_names(&r->choice, value, err);
	case BPMU_OPTION_METHOD:
		return bpmu_choice_take_method(&r->choice, value, err);
	case BPMU_OPTION_METRICS:
		return bpmu_choice_add_path(&r->choice, value, err);
	case BPMU_OPTION_EVENTS:
		r->choice.events = value;
		return 0;
	}
	r->not_for_pages |= option != BPMU_OPTION_COLOR && option != 'a' && option != 'C' &&
			    option != 'I' && option != 'e';
	return 0;
}

/*
 * Evaluates an option that is passed to another subcommand, because "barepmu report" itself also
 * uses it: stores its value in @r. Returns 0 or a negative errno.
 */
static int note_option(struct report *r, int option, const char *value,
		       struct bpmu_error *err)
{
	enum bpmu_rows_by ignored;
	int code;

	r->stat += option == 'e' || option == 'M' || option == 'g';
	if (option == 'e')
		r->event = value;
	r->rows |= bpmu_options_rows(&ignored, option);
	r->interval |= option == 'I';
	code = bpmu_options_take(&r->shown, option, value, err);
	return code == -ENOENT ? 0 : code;
}

/*
 * Returns true if an option is about the output. With --diff such options are not passed on,
 * because report itself prints the output.
 */
static bool is_output_option(int option)
{
	return option == 'o' || option == 'x' || option == 'j' ||
	       option == BPMU_OPTION_APPEND;
}

static int report_take_option(void *call, int option, const char *value,
			      struct bpmu_error *err)
{
	struct report *r = call;
	int code;

	code = take_own(r, option, value, err);
	if (code != -ENOENT)
		return code;
	code = note_option(r, option, value, err);
	if (!code)
		code = take_page_option(r, option, value, err);
	if (code)
		return code;
	return bpmu_request_option(is_output_option(option) ? &r->form : &r->passed,
				   table, option, value, err);
}

/*
 * If the user requested a single event with -e and nothing else, returns its name: the user may
 * want to know where this event interrupted. Returns NULL otherwise.
 */
static const char *event_alone(const struct report *r)
{
	return r->stat == 1 && !r->level && !r->cpistack && !r->phi ? r->event : NULL;
}

/* Refuses options that contradict each other. Returns 0 or -EINVAL. */
static int report_check(const struct report *r, struct bpmu_error *err)
{
	if (!!r->level + r->cpistack + r->phi > 1 ||
	    ((r->cpistack || r->phi) && r->stat))
		return bpmu_error_set(err, -EINVAL,
			"report: --topdown, --cpistack, --phi, and -e or -M do not go together; ask for one of them");
	if (r->diff && (r->phi || r->header))
		return bpmu_error_set(err, -EINVAL,
			"--diff: not with --phi or --header; report each file and compare");
	if (r->header && r->shown.format != BPMU_TEXT)
		return bpmu_error_set(err, -EINVAL,
			"--header: is text; leave out -j and -x");
	if (r->folded && (r->shown.format != BPMU_TEXT || r->header || r->html || r->diff ||
			  r->replay.by.type || r->rows || r->interval || r->level ||
			  r->cpistack || r->phi || (r->stat && !event_alone(r))))
		return bpmu_error_set(err, -EINVAL,
			"--folded: prints call stacks of one event and nothing else; give only -C, -e, -o, --from and --to with it");
	if (r->export && (r->not_for_pages || r->folded || r->level || r->cpistack || r->phi ||
			  (r->stat && !event_alone(r)) || r->interval || r->html || r->diff ||
			  r->header || r->replay.by.type))
		return bpmu_error_set(err, -EINVAL,
			"%s: writes interrupts and nothing else; give only -C, -e, --from and --to with it",
			r->export);
	if (r->html && (r->not_for_pages || r->event || r->level || r->cpistack || r->phi ||
			r->diff || r->header || r->replay.by.type))
		return bpmu_error_set(err, -EINVAL,
			"--html: draws all levels, CPUs and events; give only -C, -I, -M, --method, --metrics, --events, --from and --to with it");
	if (r->replay.by.type && (r->rows || r->interval))
		return bpmu_error_set(err, -EINVAL,
			"--by: not with -A, --per-core, --per-cache, --per-die, --per-socket, --per-node or -I; leave these out, and choose the time with --from and --to");
	if (r->diff && r->replay.by.type &&
	    (r->replay.by.type == BPMU_BY_CPU || r->level || r->cpistack ||
	     (r->stat && !event_alone(r))))
		return bpmu_error_set(err, -EINVAL,
			"--diff: with --by compares where events interrupted, but not by cpu, and no metrics; give only -C, -e, --from and --to with it");
	return 0;
}

/*
 * Refuses options that cannot be used for a page that compares several recordings. Returns 0 or
 * -EINVAL.
 */
static int check_compared(const struct report *r, struct bpmu_error *err)
{
	if (r->interval || r->choice.names || r->choice.nr_paths ||
	    r->choice.events)
		return bpmu_error_set(err, -EINVAL,
			"--html: of several files, Top-Down of all of their time is drawn; give only -C, --method, --from and --to with it, or make a page of each file");
	return 0;
}

/*
 * With --switch-output, a recording consists of several files. Returns true if the file @name is
 * one of them. Returns false if the file cannot be read: that error is reported later.
 */
static bool is_of_session(const char *name)
{
	struct bpmu_recording_file *file;
	struct bpmu_error ignored;
	bool is = false;

	if (!bpmu_recording_open(&file, name, &ignored))
		is = bpmu_recording_about(file)->session;
	bpmu_recording_shut(file);
	return is;
}

/*
 * Refuses an output file that is one of the recordings: it would overwrite the recording. Returns 0
 * or -EINVAL.
 */
static int check_output(const char *output, const struct bpmu_operands *files,
			struct bpmu_error *err)
{
	struct stat out, in;
	int i;

	if (!output || stat(output, &out) || !S_ISREG(out.st_mode))
		return 0;
	for (i = 0; i < files->nr; i++)
		if (!stat(files->word[i], &in) && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return bpmu_error_set(err, -EINVAL,
				"%s: is the recording itself; name another file for the output",
				output);
	return 0;
}

/*
 * Refuses a pipe among several files: each file is opened several times, and a pipe cannot be read
 * again. Returns 0 or -EINVAL.
 */
static int report_check_pipes(const struct bpmu_operands *files, struct bpmu_error *err)
{
	struct stat in;
	int i;

	for (i = 0; i < files->nr && files->nr > 1; i++)
		if (!stat(files->word[i], &in) && S_ISFIFO(in.st_mode))
			return bpmu_error_set(err, -EINVAL,
				"%s: is a pipe, which can be read only once; copy it to a file",
				files->word[i]);
	return 0;
}

static int take_options(struct report *r, int argc, char **argv,
			struct bpmu_operands *files, struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "report", .about = about, .option = table,
		.set = report_take_option,
	};
	static char standard_input[] = "/dev/stdin";
	int code, i;

	code = bpmu_options_parse(&options, r, argc, argv, files, err);
	if (code)
		return code;
	for (i = 0; i < files->nr; i++)
		if (!strcmp(files->word[i], "-"))
			files->word[i] = standard_input;
	code = report_check(r, err) ?: check_output(r->html, files, err) ?:
	       check_output(r->exported, files, err) ?:
	       check_output(r->shown.output, files, err) ?:
	       report_check_pipes(files, err);
	if (code)
		return code;
	if (r->folded || r->export)
		r->replay.by.type = BPMU_BY_STACK;
	r->rows |= r->replay.by.type != BPMU_BY_NOTHING;
	r->compared = r->html && files->nr > 1 &&
		      !is_of_session(files->word[0]);
	if (r->compared)
		return check_compared(r, err);
	if (r->diff ? files->nr == 2 : files->nr)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"report: %s; see 'barepmu report --help'",
		r->diff ? "--diff needs two files" : "a file is needed");
}

/*
 * Requests an evaluation as CPI stacks. A CPI stack is one result of all CPUs, so that options such
 * as --per-core are refused. Returns 0 or -EINVAL.
 */
static int put_cpistack(const struct report *r, struct bpmu_request *request,
			struct bpmu_error *err)
{
	request->name = "cpistack";
	if (!r->rows)
		return 0;
	return bpmu_error_set(err, -EINVAL,
		"CPI stacks: cover all CPUs together, not rows; choose CPUs with -C, or rows of -e, -M or --topdown");
}

/*
 * Requests an evaluation by "barepmu stat" of the nodes of the Top-Down tree down to a level.
 * @level is the level as text, NULL for level 1. The method is that of the recording, unless a
 * later option --method replaces it. Returns 0 or -ENOMEM.
 */
static int put_tree_as_metrics(const struct report *r, const char *level,
			       struct bpmu_request *request, struct bpmu_error *err)
{
	char **asked = bpmu_recording_about(r->replay.file)->asked;
	const struct bpmu_given of_level = { .letter = 'l', .value = level ?: "1" };
	const struct bpmu_given of_method = {
		.name = "method", .value = bpmu_request_recorded(asked, "--method") ?: "paper",
	};
	int code;

	request->name = "stat";
	code = bpmu_request_add(request, &of_level, err);
	return code ? code : bpmu_request_add(request, &of_method, err);
}

/*
 * Requests the evaluation for which the recording was made; "stat" if the recording does not tell.
 * Returns 0 or a negative errno.
 */
static int put_recorded(const struct report *r, struct bpmu_request *request,
			struct bpmu_error *err)
{
	char **asked = bpmu_recording_about(r->replay.file)->asked;

	request->name = "stat";
	if (!asked)
		return 0;
	if (r->diff && !strcmp(asked[0], "phi"))
		return bpmu_error_set(err, -EINVAL,
			"--diff: %s was recorded by phi, whose metrics have no differences; give events with -e, or report each file and compare",
			r->replay.name);
	if (r->replay.by.type && !strcmp(asked[0], "topdown"))
		return put_tree_as_metrics(r, bpmu_request_recorded(asked, "-l"), request, err);
	request->recorded = asked;
	return strcmp(asked[0], "cpistack") ? 0 : put_cpistack(r, request, err);
}

static int report_put_request(const struct report *r, struct bpmu_request *request,
			      struct bpmu_error *err)
{
	const struct bpmu_given level = { .letter = 'l', .value = r->level };

	if (r->cpistack)
		return put_cpistack(r, request, err);
	if (r->level && (r->replay.by.type || r->stat))
		return put_tree_as_metrics(r, r->level, request, err);
	request->name = r->phi ? "phi" : r->level ? "topdown" : "stat";
	if (r->level && !r->phi)
		return bpmu_request_add(request, &level, err);
	return r->phi || r->stat ? 0 : put_recorded(r, request, err);
}

static int report_evaluate(struct bpmu_ctx *ctx, struct report *r)
{
	struct bpmu_request request = { };
	int status = BPMU_EXIT_FAILED;
	int code;

	code = report_put_request(r, &request, &ctx->err);
	if (!code)
		code = bpmu_request_add_all(&request, &r->passed, &ctx->err);
	if (!code && !r->diff)
		code = bpmu_request_add_all(&request, &r->form, &ctx->err);
	ctx->options.replay = &r->replay;
	if (code)
		bpmu_fail(ctx, status);
	else
		status = bpmu_request_run(&request, ctx);
	bpmu_request_free(&request);
	return status;
}

static int report_open_files(struct bpmu_ctx *ctx, struct report *r,
			     char **names, int nr)
{
	r->replay.name = names[0];
	bpmu_tell_wait(names[0]);
	if (!bpmu_recording_open_set(&r->replay.file, (const char *const *)names,
				     nr, &ctx->err))
		return BPMU_EXIT_OK;
	return bpmu_fail(ctx, BPMU_EXIT_FAILED);
}

/*
 * Writes the HTML page of the open recording if @nr is 1; otherwise a page that compares the
 * recordings @names, [@nr]. Returns the exit status.
 */
static int report_write_page(struct bpmu_ctx *ctx, struct report *r, char **names, int nr)
{
	const struct bpmu_html_call call = {
		.output = r->html, .replay = &r->replay,
		.cpus = r->shown.cpus, .interval_ns = r->shown.interval_ns,
		.choice = &r->choice,
	};
	int code;

	code = nr > 1 ? bpmu_html_compare(&call, names, nr, &ctx->err) :
			bpmu_html_write(&call, &ctx->err);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

static int print_header(struct bpmu_ctx *ctx, const struct report *r)
{
	FILE *out = bpmu_options_open(&r->shown, &ctx->err);

	if (!out)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_report_header(out, r->replay.file);
	if (bpmu_options_close(&r->shown, out, 0, &ctx->err))
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	return BPMU_EXIT_OK;
}

/*
 * Chooses the event of -e, or the only one that interrupted, on the core type of -C. Returns 0 or a
 * negative errno.
 */
static int choose_event(const struct report *r, const struct bpmu_sched_slot **slot,
			struct bpmu_error *err)
{
	struct bpmu_target target = { };
	int code;

	code = bpmu_replay_target(&r->replay, &target, r->shown.cpus, err);
	if (!code)
		code = bpmu_replay_choose(&r->replay, target.recorded, r->event, slot, err);
	bpmu_target_close(&target);
	return code;
}

/*
 * Returns true if "barepmu report" prints where events interrupted, such as in which functions:
 * with --by, for all events that interrupted or for the event of -e. Returns false if it prints
 * counts: with --by cpu, if the user names events that did not interrupt, or metrics, or if
 * Top-Down was recorded, unless with a key such as branches, which counts do not have.
 */
static bool is_of_shares(const struct report *r)
{
	char **asked = bpmu_recording_about(r->replay.file)->asked;
	const struct bpmu_sched_slot *slot;
	struct bpmu_error ignored;

	if (!r->replay.by.type || r->replay.by.type == BPMU_BY_CPU || r->level || r->cpistack ||
	    r->phi)
		return false;
	if (!r->stat && !r->diff && !r->folded && !r->export && asked &&
	    !bpmu_by_is_of_records(r->replay.by.type) && !strcmp(asked[0], "topdown"))
		return false;
	if (!r->stat)
		return bpmu_replay_interrupted(&r->replay);
	return event_alone(r) && !choose_event(r, &slot, &ignored);
}

static bool exports_latencies(const struct report *r)
{
	return r->export && !strcmp(r->export, "--retire-latency");
}

/* Writes the file of --speedscope or --retire-latency. Returns 0 or a negative errno. */
static int write_json(const struct report *r, const struct bpmu_event_shares *events,
		      unsigned int nr, struct bpmu_error *err)
{
	struct bpmu_export file;
	int code = bpmu_export_open(&file, r->export, r->exported, err);

	if (code)
		return code;
	if (exports_latencies(r))
		code = bpmu_retire_latency_write(file.out, r->replay.name, events, nr, err);
	else
		code = bpmu_speedscope_write(file.out, r->replay.name, events, nr, err);
	return bpmu_export_close(&file, code, err);
}

static int write_shares(const struct report *r, const struct bpmu_event_shares *events,
			unsigned int nr, struct bpmu_error *err)
{
	FILE *out;

	if (r->export)
		return write_json(r, events, nr, err);
	out = bpmu_options_open(&r->shown, err);

	if (!out)
		return -EIO;
	if (r->folded)
		bpmu_report_folded(out, &events->by);
	else
		bpmu_report_shares(out, &r->shown, events, nr);
	return bpmu_options_close(&r->shown, out, 0, err);
}

static int print_shares(struct bpmu_ctx *ctx, struct report *r)
{
	const struct bpmu_sched_slot *single;
	struct bpmu_share_set set = { };
	int code = 0;

	/*
	 * With --folded, a line has a call stack and a number of interrupts, but not the event that
	 * interrupted. So the lines can be of one event only.
	 */
	if (r->folded)
		code = choose_event(r, &single, &ctx->err);
	if (!code)
		code = bpmu_share_set_read(&set, &r->replay, r->event, r->shown.cpus, &ctx->err);
	if (!code)
		code = write_shares(r, set.event, set.nr, &ctx->err);
	bpmu_share_set_free(&set);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

static int write_pprof(const struct report *r, struct bpmu_replay *replay,
		       const struct bpmu_sched_slot *only, const struct bpmu_target *target,
		       struct bpmu_error *err)
{
	struct bpmu_export file;
	int code = bpmu_export_open(&file, r->export, r->exported, err);

	if (code)
		return code;
	code = bpmu_pprof_write(file.out, replay, only, target, err);
	return bpmu_export_close(&file, code, err);
}

/*
 * Writes all interrupts of the recording, without adding them up, to a file for perf or pprof.
 * Returns 0 or a negative errno.
 */
static int write_each(const struct report *r, struct bpmu_replay *replay, struct bpmu_error *err)
{
	const struct bpmu_sched_slot *only = NULL;
	struct bpmu_target target = { };
	int code = 0;

	code = bpmu_replay_target(replay, &target, r->shown.cpus, err);
	if (!code && r->event)
		code = bpmu_replay_choose(replay, target.recorded, r->event, &only, err);
	if (!code && !strcmp(r->export, "--pprof"))
		code = write_pprof(r, replay, only, &target, err);
	else if (!code)
		code = bpmu_perf_data_write(r->exported, replay, only, &target, err);
	bpmu_target_close(&target);
	return code;
}

/*
 * Writes the interrupts of the recording for another program: as lines with call stacks (--folded),
 * or to a file. Returns the exit status.
 */
static int write_interrupts(struct bpmu_ctx *ctx, struct report *r)
{
	int code;

	if (!bpmu_replay_interrupted(&r->replay)) {
		bpmu_error_set(&ctx->err, -ENODATA,
			       "%s: no event interrupted while it was recorded; record with -c PERIOD, and --call-graph fp or lbr for call stacks",
			       r->replay.name);
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	}
	if (!r->export || !strcmp(r->export, "--speedscope") || exports_latencies(r))
		return print_shares(ctx, r);
	code = write_each(r, &r->replay, &ctx->err);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

/* Reports a recording in one or several files, @names, [@nr]. Returns an exit status. */
static int report_recording(struct bpmu_ctx *ctx, struct report *r, char **names, int nr)
{
	int status = report_open_files(ctx, r, names, nr);

	if (status)
		return status;
	if (r->header)
		status = print_header(ctx, r);
	else if (r->html)
		status = report_write_page(ctx, r, NULL, 1);
	else if (r->export || r->folded)
		status = write_interrupts(ctx, r);
	else if (is_of_shares(r))
		status = print_shares(ctx, r);
	else
		status = report_evaluate(ctx, r);
	bpmu_by_free(&r->replay.by);
	bpmu_recording_shut(r->replay.file);
	return status;
}

/*
 * Chooses the length of the intervals into which --diff divides the two recordings. Returns 0 or a
 * negative errno.
 */
static int report_choose_interval(struct report *r, char **names,
				  struct bpmu_error *err)
{
	const struct bpmu_given interval = { .letter = 'I', .value = r->of_diff };
	double seconds[2];
	u64 least = 1;
	int i, code = 0;

	if (r->interval)
		return 0;
	for (i = 0; i < 2 && !code; i++) {
		code = bpmu_recording_open(&r->replay.file, names[i], err);
		if (code)
			return code;
		if (bpmu_recording_about(r->replay.file)->interval_ns > least)
			least = bpmu_recording_about(r->replay.file)->
				interval_ns;
		code = bpmu_replay_length(&r->replay, &seconds[i], NULL, err);
		bpmu_recording_shut(r->replay.file);
	}
	if (code)
		return code;
	snprintf(r->of_diff, sizeof(r->of_diff), "%.0fus",
		 bpmu_diff_interval_us(seconds, least));
	return bpmu_request_add(&r->passed, &interval, err);
}

static int print_changes(struct bpmu_ctx *ctx, const struct report *r,
			 const struct bpmu_sums sums[2])
{
	FILE *out;
	int code;

	if (sums[0].failed || sums[1].failed) {
		bpmu_error_set(&ctx->err, -ENOMEM,
			       "--diff: out of memory; free some");
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	}
	out = bpmu_options_open(&r->shown, &ctx->err);
	if (!out)
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	code = bpmu_diff_print(out, r->shown.format, r->shown.separator,
			       &sums[0], &sums[1], &ctx->err);
	code = bpmu_options_close(&r->shown, out, code, &ctx->err);
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

static int print_share_changes(const struct report *r, const struct bpmu_share_set sets[2],
			       struct bpmu_error *err)
{
	FILE *out = bpmu_options_open(&r->shown, err);
	int code;

	if (!out)
		return -EIO;
	code = bpmu_share_diff(out, &r->shown, sets, err);
	return bpmu_options_close(&r->shown, out, code, err);
}

/*
 * Compares two recordings by where their events interrupted: the fraction of the events in each
 * function, for example. Returns the exit status.
 */
static int diff_shares(struct bpmu_ctx *ctx, const struct report *r, char **names)
{
	struct bpmu_replay replays[2] = { r->replay, r->replay };
	struct bpmu_share_set sets[2] = { };
	int i, code = 0;

	for (i = 0; i < 2 && !code; i++) {
		replays[i].name = names[i];
		code = bpmu_recording_open(&replays[i].file, names[i], &ctx->err);
		if (!code)
			code = bpmu_share_set_read(&sets[i], &replays[i], r->event,
						   r->shown.cpus, &ctx->err);
	}
	if (!code)
		code = print_share_changes(r, sets, &ctx->err);
	for (i = 0; i < 2; i++) {
		bpmu_share_set_free(&sets[i]);
		bpmu_recording_shut(replays[i].file);
	}
	return code ? bpmu_fail(ctx, BPMU_EXIT_FAILED) : BPMU_EXIT_OK;
}

static int report_difference(struct bpmu_ctx *ctx, struct report *r, char **names)
{
	struct bpmu_sums sums[2] = { };
	int status = BPMU_EXIT_OK;
	int i;

	if (r->replay.by.type)
		return diff_shares(ctx, r, names);
	if (report_choose_interval(r, names, &ctx->err))
		return bpmu_fail(ctx, BPMU_EXIT_FAILED);
	for (i = 0; i < 2 && !status; i++) {
		ctx->options.sums = &sums[i];
		status = report_recording(ctx, r, &names[i], 1);
	}
	if (!status)
		status = print_changes(ctx, r, sums);
	bpmu_sums_free(&sums[0]);
	bpmu_sums_free(&sums[1]);
	return status;
}

/**
 * bpmu_cmd_report() - run "barepmu report", which evaluates recordings
 */
int bpmu_cmd_report(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_operands files;
	struct report r = { .replay.threads = bpmu_team_cpus() };
	int status = BPMU_EXIT_OK;
	int code;

	bpmu_causes_begin(&r.causes, &r.replay);
	code = take_options(&r, argc, argv, &files, &ctx->err);
	if (code < 0)
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	else if (!code && r.diff)
		status = report_difference(ctx, &r, files.word);
	else if (!code && r.compared)
		status = report_write_page(ctx, &r, files.word, files.nr);
	else if (!code)
		status = report_recording(ctx, &r, files.word, files.nr);
	bpmu_causes_free(&r.causes);
	bpmu_choice_free(&r.choice);
	bpmu_request_free(&r.passed);
	bpmu_request_free(&r.form);
	return status;
}
