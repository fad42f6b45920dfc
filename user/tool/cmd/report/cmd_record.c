// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "command.h"
#include "recording_session.h"
#include "report_words.h"
#include "source/wanted.h"
#include "tree/level.h"

#define DEFAULT_INTERVAL "10ms"

static const char help[] =
	"Usage: barepmu record -o FILE [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Writes samples of all chosen CPUs to FILE as they come, while COMMAND runs or\n"
	"until interrupted. Nothing is computed meanwhile: this is the cheapest way to\n"
	"measure. \"barepmu report FILE\" tells what was asked for, or anything else that\n"
	"these events tell. barepmu-file(5) describes the file.\n\n"
	"  -o, --output FILE       where to\n"
	"  -e, --event EVENTS      what to count, see \"barepmu list\"; several with\n"
	"                          commas; default " BPMU_WANTED_DEFAULT "\n"
	"  -M NAMES                what these metrics need, see \"barepmu list metrics\"\n"
	"      --topdown LEVEL     what Top-Down needs down to a level, 1 to 4\n"
	"      --cpistack          what CPI stacks need\n"
	"      --phi               what the metrics of a Xeon Phi need\n"
	"      --extra             of --topdown: nodes without a formula of the paper too\n"
	"      --events PATH       also events of Intel's JSON file, or of a directory\n"
	"      --metrics PATH      metrics of this file, see barepmu-metrics(5), or of\n"
	"                          Intel's; can be said again to add more\n"
	"      --no-multiplex      refuse events that would have to take turns\n"
	"  -a, --all-cpus          all online CPUs (the default)\n"
	"  -C, --cpu LIST          only these CPUs: 0-3,8; or of a kind: adl-e\n"
	"  -I, --interval MS       a sample every MS milliseconds; 100us, 10ms, 2s;\n"
	"                          default " DEFAULT_INTERVAL "\n"
	"      --timer auto|hard|tick  what takes the samples, see \"barepmu stat\"\n"
	BPMU_TAKE_OVER_HELP
	"      --timeout MS        stop after MS milliseconds; 10ms, 2s\n"
	"      --who               note who was interrupted by each sample, for \"barepmu\n"
	"                          report --by\"; never by the tick\n"
	"  -h, --help              this text\n";

enum option_number {
	OPTION_TOPDOWN = BPMU_OPTION_OWN,
	OPTION_CPISTACK,
	OPTION_PHI,
	OPTION_EXTRA,
	OPTION_EVENTS,
	OPTION_METRICS,
	OPTION_TOGETHER,
	OPTION_WHO
};

/* what the subcommand that plans the groups is told */
static const struct option passed[] = {
	{ "M", required_argument, NULL, 'M' },
	{ "event", required_argument, NULL, 'e' },
	{ "extra", no_argument, NULL, OPTION_EXTRA },
	{ "events", required_argument, NULL, OPTION_EVENTS },
	{ "metrics", required_argument, NULL, OPTION_METRICS },
	{ "no-multiplex", no_argument, NULL, OPTION_TOGETHER },
	{ }
};

/* the same, which does not change what was asked for */
static const struct option manner[] = {
	{ "cpu", required_argument, NULL, 'C' },
	{ "interval", required_argument, NULL, 'I' },
	{ "timer", required_argument, NULL, BPMU_OPTION_TIMER },
	{ "take-over", no_argument, NULL, BPMU_OPTION_TAKE_OVER },
	{ "timeout", required_argument, NULL, BPMU_OPTION_TIMEOUT },
	{ }
};

static const struct option all[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "extra", no_argument, NULL, OPTION_EXTRA },
	{ "events", required_argument, NULL, OPTION_EVENTS },
	{ "metrics", required_argument, NULL, OPTION_METRICS },
	{ "no-multiplex", no_argument, NULL, OPTION_TOGETHER },
	{ "cpu", required_argument, NULL, 'C' },
	{ "interval", required_argument, NULL, 'I' },
	{ "timer", required_argument, NULL, BPMU_OPTION_TIMER },
	{ "take-over", no_argument, NULL, BPMU_OPTION_TAKE_OVER },
	{ "timeout", required_argument, NULL, BPMU_OPTION_TIMEOUT },
	{ "topdown", required_argument, NULL, OPTION_TOPDOWN },
	{ "cpistack", no_argument, NULL, OPTION_CPISTACK },
	{ "phi", no_argument, NULL, OPTION_PHI },
	{ "who", no_argument, NULL, OPTION_WHO },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/**
 * struct record - a call of the command
 * @command: "stat", "topdown", "cpistack" or "phi", which knows what is asked
 *	for
 * @level: of --topdown, or NULL
 * @asked: options of it
 * @manner: options of it that do not change what is asked for
 * @output: where to
 * @who: note who was interrupted
 * @help: was asked for
 */
struct record {
	const char *command;
	const char *level;
	struct bpmu_words asked;
	struct bpmu_words manner;
	const char *output;
	bool who;
	bool help;
};

static int choose(struct record *r, const char *command, struct bpmu_error *err)
{
	if (r->command && strcmp(r->command, command))
		return bpmu_error_set(err, -EINVAL,
			"record: --topdown, --cpistack, --phi, and -e or -M do not go together; record one of them");
	r->command = command;
	return 0;
}

static int take_option(struct record *r, int option, const char *value,
		       struct bpmu_error *err)
{
	unsigned int level;
	int code = 0;

	switch (option) {
	case 'h':
		r->help = true;
		return 0;
	case 'o':
		r->output = value;
		return 0;
	case 'a':
		return 0;
	case OPTION_WHO:
		r->who = true;
		return 0;
	case OPTION_TOPDOWN:
		r->level = value;
		code = bpmu_level_take(&level, "--topdown", value, err);
		return code ? code : choose(r, "topdown", err);
	case OPTION_CPISTACK:
		return choose(r, "cpistack", err);
	case OPTION_PHI:
		return choose(r, "phi", err);
	case 'e':
		code = choose(r, "stat", err);
		break;
	}
	if (!code)
		code = bpmu_words_option(&r->manner, manner, option, value,
					 err);
	if (code == -ENOENT)
		code = bpmu_words_option(&r->asked, passed, option, value, err);
	return code;
}

static int take_options(struct record *r, int argc, char **argv,
			struct bpmu_error *err)
{
	int option, code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "+e:M:aC:I:o:h", all,
				     NULL)) != -1) {
		code = take_option(r, option, optarg, err);
		if (code == -ENOENT)
			return bpmu_options_wrong("record", argv, err);
		if (code)
			return code;
	}
	return 0;
}

static int check(const struct record *r, struct bpmu_error *err)
{
	bool complete = r->command && (!strcmp(r->command, "cpistack") ||
				       !strcmp(r->command, "phi"));

	if (r->help)
		return 0;
	if (!r->output)
		return bpmu_error_set(err, -EINVAL,
				      "record: where to is missing; add -o FILE");
	if (complete && r->asked.nr)
		return bpmu_error_set(err, -EINVAL,
			"%s: not with --%s, which says all that is counted; leave one of them out",
			r->asked.word[0], r->command);
	return 0;
}

static int add_all(struct bpmu_words *words, const struct bpmu_words *more,
		   struct bpmu_error *err)
{
	int i, code = 0;

	for (i = 0; i < more->nr && !code; i++)
		code = bpmu_words_add(words, more->word[i], err);
	return code;
}

/* what was asked for */
static int put_question(const struct record *r, struct bpmu_words *words,
			struct bpmu_error *err)
{
	int code;

	code = bpmu_words_add(words, r->command ?: "stat", err);
	if (!code && r->level)
		code = bpmu_words_add(words, "-l", err);
	if (!code && r->level)
		code = bpmu_words_add(words, r->level, err);
	return code ? code : add_all(words, &r->asked, err);
}

static int put_rest(const struct record *r, char **argv,
		    struct bpmu_words *words, struct bpmu_error *err)
{
	int code;

	code = bpmu_words_add(words, "-I", err);
	if (!code)
		code = bpmu_words_add(words, DEFAULT_INTERVAL, err);
	if (!code)
		code = add_all(words, &r->manner, err);
	if (!code)
		code = bpmu_words_add(words, "--", err);
	for (; *argv && !code; argv++)
		code = bpmu_words_add(words, *argv, err);
	return code;
}

static int run(struct bpmu_ctx *ctx, const struct record *r, char **argv)
{
	struct bpmu_words asked = { }, call = { };
	struct bpmu_recorder recorder = { .name = r->output, .who = r->who };
	int status = BPMU_EXIT_FAILED;
	int code;

	code = put_question(r, &asked, &ctx->err);
	if (!code)
		code = add_all(&call, &asked, &ctx->err);
	if (!code)
		code = put_rest(r, argv, &call, &ctx->err);
	recorder.asked = asked.word;
	ctx->options.recorder = &recorder;
	if (code)
		bpmu_fail(ctx, status);
	else
		status = bpmu_words_call(&call, ctx);
	bpmu_words_free(&asked);
	bpmu_words_free(&call);
	return status;
}

/**
 * bpmu_cmd_record() - "barepmu record"
 * @ctx: state
 * @argc: number of words, from the command's name on
 * @argv: the words
 *
 * Return: the command's exit status, or the tool's own.
 */
int bpmu_cmd_record(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct record r = { };
	int status;

	if (take_options(&r, argc, argv, &ctx->err) || check(&r, &ctx->err)) {
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	} else if (r.help) {
		fputs(help, stdout);
		status = BPMU_EXIT_OK;
	} else {
		status = run(ctx, &r, argv + optind);
	}
	bpmu_words_free(&r.asked);
	bpmu_words_free(&r.manner);
	return status;
}
