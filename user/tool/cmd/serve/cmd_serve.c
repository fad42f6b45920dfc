// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/clock.h"
#include "client/holder.h"
#include "command.h"
#include "confine.h"
#include "recording_session.h"
#include "serve.h"
#include "source/live.h"
#include "tree/level.h"

#define DEFAULT_LISTEN "127.0.0.1:9742"
#define DEFAULT_INTERVAL_NS (5 * BPMU_NS_PER_S)

/*
 * Events and metrics that are served by default: the Prometheus rules and the Grafana dashboard of
 * barepmu-fleet(7) need them
 */
#define DEFAULT_EVENTS "instructions,cycles"
#define DEFAULT_METRICS "TopdownL1"

static const char about[] =
	"Usage: barepmu serve [OPTION]... [--] [COMMAND [ARGUMENT]...]\n\n"
	"Measures the chosen CPUs, while COMMAND runs or until interrupted, and serves\n"
	"counts and metrics as OpenMetrics, for Prometheus. See barepmu-fleet(7).\n\n";

enum own_option {
	OPTION_TOGETHER = BPMU_OPTION_OWN,
	OPTION_LISTEN,
	OPTION_ATTACH,
	OPTION_TOTAL,
	OPTION_SERIES
};

static const struct bpmu_option table[] = {
	{ OPTION_LISTEN, "listen", "ADDR:PORT",
	  "where to listen; default " DEFAULT_LISTEN ", loopback only" },
	BPMU_OPTION_ROW_EVENT(";\ndefault " DEFAULT_EVENTS ", and -l 1 if the CPU\n"
			      "model has a tree"),
	BPMU_OPTION_ROW_NAMES(""),
	BPMU_OPTION_ROW_GROUP,
	BPMU_OPTION_ROW_LEVEL(",\nas metrics"),
	BPMU_OPTION_ROW_METHOD,
	{ OPTION_ATTACH, "attach", NULL,
	  "do not measure, but read the running session of\n"
	  "another process; default of -e: all of its events" },
	BPMU_OPTION_ROW_EVENTS,
	BPMU_OPTION_ROW_METRICS,
	BPMU_OPTION_ROWS_PER,
	{ OPTION_TOTAL, "total", NULL, "add up all CPUs", BPMU_CHOICE_ROWS },
	{ OPTION_SERIES, "max-series", "N",
	  "refuse to start with more time series; default 10000" },
	{ OPTION_TOGETHER, "no-multiplex", NULL,
	  "refuse events that need multiplexing" },
	BPMU_OPTION_ROWS_CPUS,
	{ 'I', "interval", "TIME", "interval of new values; default 5s" },
	BPMU_OPTION_ROW_TIMER("source of the samples, see \"barepmu stat\"; default\n"
			      "hard, so that idle CPUs delay nothing"),
	BPMU_OPTION_ROW_TAKE_OVER,
	BPMU_OPTION_ROWS_TIMEOUT,
	BPMU_OPTION_ROW_HELP,
	{ }
};

static int serve_take_option(void *call, int option, const char *value,
			     struct bpmu_error *err)
{
	struct bpmu_serve *serve = call;
	struct bpmu_stat *stat = &serve->stat;

	if (bpmu_options_rows(&stat->by, option)) {
		serve->by_row = true;
		return 0;
	}
	switch (option) {
	case 'e':
		return bpmu_wanted_add(&stat->analysis.wanted, value, err);
	case 'l':
		return bpmu_level_take(&stat->level, "-l", value, err);
	case OPTION_LISTEN:
		return bpmu_http_address(&serve->address, value, err);
	case OPTION_ATTACH:
		serve->attach = true;
		return 0;
	case OPTION_TOTAL:
		stat->by = BPMU_ROWS_ALL;
		return 0;
	case OPTION_SERIES:
		return bpmu_options_number("--max-series", value, 1, INT_MAX,
					   &serve->max_series, err);
	case OPTION_TOGETHER:
		stat->analysis.wanted.together = true;
		return 0;
	default:
		return bpmu_options_choose(&stat->options, &stat->analysis.choice,
					   option, value, err);
	}
}

/*
 * Refuses, with --attach, a command to run, and options such as --timer, which only the process
 * that owns the session can choose. Returns 0 or -EINVAL.
 */
static int check_attach(const struct bpmu_serve *serve, struct bpmu_error *err)
{
	const struct bpmu_stat *stat = &serve->stat;
	const struct bpmu_options *options = &stat->options;

	if (!serve->attach)
		return 0;
	if (options->argv)
		return bpmu_error_set(err, -EINVAL,
				      "--attach: does not wait for a command; leave out '%s'",
				      options->argv[0]);
	if (options->timer != BPMU_TIMER_HARD || options->take_over ||
	    stat->analysis.wanted.together)
		return bpmu_error_set(err, -EINVAL,
				      "--attach: timer and multiplexing are set by the session's owner; drop --timer, --take-over and --no-multiplex");
	return 0;
}

static int serve_take_words(struct bpmu_serve *serve, int argc, char **argv,
			    struct bpmu_error *err)
{
	static const struct bpmu_option_table options = {
		.command = "serve", .about = about, .option = table,
		.command_follows = true, .set = serve_take_option,
	};
	struct bpmu_operands operands;
	int code;

	code = bpmu_options_parse(&options, serve, argc, argv, &operands, err);
	if (!code)
		code = bpmu_options_check(&serve->stat.options,
					  &operands, err);
	if (!code)
		code = bpmu_stat_add_level(&serve->stat, err);
	return code ? code : check_attach(serve, err);
}

/*
 * Attaches to the session of another process, to read its counts. If the user has named no events,
 * all events of that session are served. Returns 0 or a negative errno.
 */
static int attach(struct bpmu_serve *serve, struct bpmu_error *err)
{
	struct bpmu_stat *stat = &serve->stat;
	struct bpmu_analysis *analysis = &stat->analysis;
	int code;

	code = bpmu_attach_open(&serve->beside, err);
	if (!code)
		code = bpmu_analysis_recorded(analysis, &serve->beside.about, "the session",
					      stat->options.cpus, err);
	if (!code)
		code = bpmu_analysis_choose(analysis, err);
	if (!code && !analysis->wanted.text && !bpmu_stat_has_metrics(&analysis->choice))
		code = bpmu_attach_events(&serve->beside, &analysis->wanted.text, err);
	return code ? code : bpmu_stat_share(stat, err);
}

static int add_default_metrics(struct bpmu_core_type *type, struct bpmu_error *err)
{
	struct bpmu_metrics tree;
	struct bpmu_error ignored;

	if (bpmu_metrics_builtin(&tree, "topdown", type->target.info.pmu.part,
				 &ignored))
		return 0;
	bpmu_metrics_free(&tree);
	return bpmu_choice_add_names(&type->choice, DEFAULT_METRICS, err);
}

static int serve_open(struct bpmu_serve *serve, struct bpmu_error *err)
{
	struct bpmu_stat *stat = &serve->stat;
	struct bpmu_analysis *analysis = &stat->analysis;
	const bool chosen = analysis->wanted.text || bpmu_stat_has_metrics(&analysis->choice);
	unsigned int k;
	int code = 0;

	if (!chosen)
		code = bpmu_wanted_add(&analysis->wanted, DEFAULT_EVENTS, err);
	if (!code)
		code = bpmu_stat_open(stat, err);
	for (k = 0; k < analysis->nr && !chosen && !code; k++)
		code = add_default_metrics(analysis->type[k], err);
	return code;
}

static int serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err)
{
	struct bpmu_stat *stat = &serve->stat;
	int code = serve->attach ? attach(serve, err) : serve_open(serve, err);

	if (!code)
		code = bpmu_stat_prepare(stat, err);
	return code ? code : bpmu_serve_prepare(serve, err);
}

/* A process needs CAP_NET_BIND_SERVICE to bind a port below this number. */
#define LOW_PORTS 1024

static int serve_on_ready(void *data, struct bpmu_error *err)
{
	struct bpmu_serve *serve = data;
	const struct bpmu_http_pages pages = {
		.make = bpmu_serve_page, .index = bpmu_serve_index, .data = serve,
	};
	/*
	 * If serve starts a command, serve gives up no privileges: the command inherits them, and
	 * must have all privileges of the user.
	 */
	const bool confined = !serve->stat.options.argv;
	char text[BPMU_HTTP_ADDRESS_TEXT];
	unsigned int port;
	int code;

	mtx_init(&serve->lock, mtx_plain);
	clock_gettime(CLOCK_REALTIME, &serve->begin);
	port = bpmu_http_address_port(&serve->address);
	if (confined) {
		code = bpmu_confine_privileges(port && port < LOW_PORTS, err);
		if (code)
			return code;
	}
	code = bpmu_http_start(&serve->http, &serve->address, &pages, err);
	if (!code && confined)
		code = bpmu_confine_calls(err);
	if (code)
		return code;
	bpmu_http_address_text(&serve->address, text);
	fprintf(stderr, "barepmu: serving http://%s:%u/metrics\n", text,
		bpmu_http_port(serve->http));
	return 0;
}

static u64 interval_ns(const struct bpmu_serve *serve)
{
	u64 round = serve->attach ? bpmu_attach_round_ns(&serve->beside) : 0;
	u64 wanted = serve->stat.options.interval_ns;

	if (wanted)
		return wanted;
	return round > DEFAULT_INTERVAL_NS ? round : DEFAULT_INTERVAL_NS;
}

static int serve_measure(struct bpmu_serve *serve, int *status,
			 struct bpmu_error *err)
{
	struct bpmu_analysis *analysis = &serve->stat.analysis;
	struct bpmu_measure m = bpmu_session_measure(&serve->stat.options,
						     &analysis->type[0]->target);
	const struct bpmu_attach_watch watch = { &m, bpmu_serve_changed };
	int code = bpmu_analysis_measure(analysis, &m, err);

	if (code)
		return code;
	m.interval_ns = interval_ns(serve);
	m.emit = bpmu_serve_interval;
	/* The counts of each interval are put on the page as soon as the interval ends. */
	m.watched = true;
	m.ready = serve_on_ready;
	m.data = serve;
	if (serve->attach)
		code = bpmu_attach_run(&serve->beside, &watch, err);
	else
		code = bpmu_live_run(&m, status, err);
	bpmu_http_stop(serve->http);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	return code;
}

static int serve_run(struct bpmu_ctx *ctx, struct bpmu_serve *serve)
{
	int status = 0;
	int code;

	code = serve_prepare(serve, &ctx->err);
	if (!code)
		code = serve_measure(serve, &status, &ctx->err);
	if (code)
		bpmu_fail(ctx, BPMU_EXIT_FAILED);
	bpmu_serve_free(serve);
	bpmu_stat_close(&serve->stat);
	bpmu_attach_close(&serve->beside);
	return code && !status ? BPMU_EXIT_FAILED : status;
}

/**
 * bpmu_cmd_serve() - run "barepmu serve", which serves counts and metrics for Prometheus
 */
int bpmu_cmd_serve(struct bpmu_ctx *ctx, int argc, char **argv)
{
	struct bpmu_serve serve = {
		.stat = {
			.by = BPMU_ROWS_CPU,
			/*
			 * A deferrable timer would not wake an idle CPU. An interval, which ends
			 * when all CPUs have taken a sample, would then wait for the idle CPU.
			 */
			.options.timer = BPMU_TIMER_HARD,
		},
		.max_series = BPMU_SERVE_SERIES,
	};
	int status;
	int code;

	code = bpmu_http_address(&serve.address, DEFAULT_LISTEN, &ctx->err);
	if (!code)
		code = serve_take_words(&serve, argc, argv, &ctx->err);
	if (code < 0)
		status = bpmu_fail(ctx, BPMU_EXIT_USAGE);
	else
		status = code ? BPMU_EXIT_OK : serve_run(ctx, &serve);
	bpmu_stat_free(&serve.stat);
	return status;
}
