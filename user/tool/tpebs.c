// SPDX-License-Identifier: GPL-2.0
/*
 * Formulas of newer parts have the mean retire latency of an event as a factor: the number of core
 * cycles that the instruction which caused the event has waited for its retirement. Only a precise
 * record has it. The means are published, but differ from program to program. So the program is
 * first run under "barepmu record", with as many of the events at a time as have counters, and what
 * "barepmu report --retire-latency" makes of each recording is a file for --events.
 */
#include "tpebs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "period_options.h"
#include "tree/latencies.h"

/* Perf's modifier that asks for precise samples. */
#define PRECISE ":pp"

/* Maximum size in bytes of the name of a file in the directory of latencies */
#define PATH_MOST 512

/* maximum number of words of "barepmu record" before the command, with NULL */
#define WORDS 16

/**
 * struct tpebs - measurement of the retire latencies of one core type's events
 * @ctx: the call of the tool
 * @options: options of the measurement that needs the latencies
 * @type: the core type
 * @cpus: its CPUs, or NULL for all
 * @directory: directory for recordings and their latencies
 * @runs: number of runs so far
 * @files: number of files with latencies in @directory
 */
struct tpebs {
	const struct bpmu_ctx *ctx;
	const struct bpmu_options *options;
	struct bpmu_core_type *type;
	const char *cpus;
	const char *directory;
	unsigned int runs;
	unsigned int files;
};

/**
 * bpmu_tpebs_check() - check the options of a call with --record-tpebs
 * @options: options of the call; without --record-tpebs nothing is checked
 * @choice: requested metrics
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_tpebs_check(const struct bpmu_options *options, const struct bpmu_choice *choice,
		     struct bpmu_error *err)
{
	if (!options->tpebs)
		return 0;
	if (!options->argv && !options->timeout_ns)
		return bpmu_error_set(err, -EINVAL,
			"--record-tpebs: samples before it counts; name a COMMAND to run several times, or a --timeout");
	if (choice->events)
		return bpmu_error_set(err, -EINVAL,
			"--record-tpebs: not with --events, which may have retire latencies, too; leave one of them out");
	return 0;
}

/* Checks if all events in @text can interrupt, precisely, at the same time. */
static bool fit(const struct tpebs *tpebs, const char *text)
{
	struct bpmu_wanted wanted = {
		.together = true,
		.periods = { .option = 'F', .nr = 1, .of = { atoi(BPMU_ANY_FREQUENCY) } },
	};
	struct bpmu_error ignored;
	bool fits;

	fits = !bpmu_wanted_add(&wanted, text, &ignored) &&
	       !bpmu_wanted_schedule(&wanted, &tpebs->type->target, &ignored);
	bpmu_wanted_free(&wanted);
	return fits;
}

/*
 * Takes from @events, [@nr], those that fit beside each other, and sets them to NULL. Returns them
 * as the value of the option -e, or NULL if memory runs out; the caller frees it. The value is empty
 * if no event fits.
 */
static char *take_events(const struct tpebs *tpebs, const char **events, unsigned int nr)
{
	char *text = strdup(""), *longer;
	unsigned int i;

	for (i = 0; text && i < nr; i++) {
		if (!events[i])
			continue;
		if (asprintf(&longer, "%s%s%s" PRECISE, text, *text ? "," : "", events[i]) < 0)
			longer = NULL;
		if (longer && !fit(tpebs, longer)) {
			free(longer);
			continue;
		}
		free(text);
		text = longer;
		events[i] = NULL;
	}
	return text;
}

/* Runs the command, sampled by the events in @text into the file @name. Returns the exit status. */
static int tpebs_record(const struct tpebs *tpebs, const char *text, const char *name)
{
	const struct bpmu_options *options = tpebs->options;
	struct bpmu_ctx own = { .evaluation = tpebs->ctx->evaluation, .run = tpebs->ctx->run };
	const char *words[WORDS] = {
		"record", "-q", "-e", text, "-F", BPMU_ANY_FREQUENCY, "-o", name,
	};
	unsigned int nr = 8, command = 0;
	char timeout[32];
	int status;
	char **argv;

	if (tpebs->cpus) {
		words[nr++] = "-C";
		words[nr++] = tpebs->cpus;
	}
	if (options->timeout_ns) {
		snprintf(timeout, sizeof(timeout), "%" PRIu64,
			 (uint64_t)(options->timeout_ns / BPMU_NS_PER_MS));
		words[nr++] = "--timeout";
		words[nr++] = timeout;
	}
	if (options->take_over)
		words[nr++] = "--take-over";
	if (options->argv)
		words[nr++] = "--";
	while (options->argv && options->argv[command])
		command++;
	argv = calloc(nr + command + 1, sizeof(*argv));
	if (!argv) {
		bpmu_error_no_memory(&own.err, "--record-tpebs");
		return bpmu_fail(&own, BPMU_EXIT_FAILED);
	}
	memcpy(argv, words, nr * sizeof(*argv));
	if (command)
		memcpy(argv + nr, options->argv, command * sizeof(*argv));
	status = own.run(&own, nr + command, argv);
	free(argv);
	return status;
}

/* Writes the retire latencies of a recording to a file. Returns the exit status. */
static int tpebs_report(const struct tpebs *tpebs, const char *name, const char *latencies)
{
	struct bpmu_ctx own = { .evaluation = tpebs->ctx->evaluation, .run = tpebs->ctx->run };
	char *argv[] = {
		"report", "--retire-latency", (char *)latencies, (char *)name, NULL,
	};

	return own.run(&own, ARRAY_SIZE(argv) - 1, argv);
}

/*
 * Measures the latencies of the events in @text in a run of the command. Returns 0; or -ECANCELED if
 * the run failed, which has been printed.
 */
static int measure_events(struct tpebs *tpebs, const char *text, struct bpmu_error *err)
{
	char name[PATH_MOST], latencies[PATH_MOST];
	int status;

	tpebs->runs++;
	snprintf(name, sizeof(name), "%s/%u", tpebs->directory, tpebs->runs);
	snprintf(latencies, sizeof(latencies), "%s/%u.json", tpebs->directory, tpebs->files + 1);
	fprintf(stderr, "barepmu: --record-tpebs: run %u: %s\n", tpebs->runs, text);
	status = tpebs_record(tpebs, text, name);
	if (!status && !tpebs_report(tpebs, name, latencies))
		tpebs->files++;
	else if (!status)
		fputs("barepmu: --record-tpebs: published means stand for these events, if there are any\n",
		      stderr);
	unlink(name);
	if (!status)
		return 0;
	return bpmu_error_set(err, -ECANCELED,
		"--record-tpebs: the sampled run ended with status %d; nothing more is run",
		status);
}

/* Measures all latencies that the core type's formulas need. Returns 0 or a negative errno. */
static int measure_type(struct tpebs *tpebs, struct bpmu_error *err)
{
	unsigned int nr, i;
	const char **events;
	char *text = NULL;
	int code;

	code = bpmu_tree_latencies(&tpebs->type->tree, &events, &nr, err);
	do {
		free(text);
		text = code ? NULL : take_events(tpebs, events, nr);
		if (!code && !text)
			code = bpmu_error_no_memory(err, "--record-tpebs");
		if (!code && *text)
			code = measure_events(tpebs, text, err);
	} while (!code && *text);
	for (i = 0; !code && i < nr; i++)
		if (events[i])
			fprintf(stderr, "barepmu: --record-tpebs: %s: has no precise records here; its published mean stands, if there is one\n",
				events[i]);
	free(text);
	free(events);
	return code;
}

/**
 * bpmu_tpebs_measure() - measure the mean retire latencies that the formulas of an analysis need
 * @ctx: the call of the tool
 * @options: options of the analysis, with a command or a timeout
 * @analysis: analysis with its trees; no session is running
 * @latencies: set to a directory for the option --events, which the caller gives to
 *	bpmu_tpebs_remove(); NULL if no latency was measured
 *
 * Runs the command as often as the events need that do not fit on the counters at the same time, and
 * prints for each run which events are sampled.
 */
int bpmu_tpebs_measure(const struct bpmu_ctx *ctx, const struct bpmu_options *options,
		       const struct bpmu_analysis *analysis, char **latencies,
		       struct bpmu_error *err)
{
	const char *temporary = getenv("TMPDIR");
	struct tpebs tpebs = { .ctx = ctx, .options = options };
	unsigned int k;
	int code = 0;

	if (asprintf(latencies, "%s/barepmu-tpebs-XXXXXX", temporary ?: "/tmp") < 0)
		*latencies = NULL;
	if (!*latencies)
		return bpmu_error_no_memory(err, "--record-tpebs");
	if (!mkdtemp(*latencies)) {
		code = bpmu_error_set(err, -errno, "--record-tpebs: %s: %m; set TMPDIR",
				      *latencies);
		free(*latencies);
		*latencies = NULL;
		return code;
	}
	tpebs.directory = *latencies;
	for (k = 0; !code && k < analysis->nr; k++) {
		tpebs.type = analysis->type[k];
		tpebs.cpus = analysis->nr > 1 ? tpebs.type->target.cpus_text : options->cpus;
		code = measure_type(&tpebs, err);
	}
	if (!code && !tpebs.runs)
		fputs("barepmu: --record-tpebs: no formula here needs a retire latency\n", stderr);
	if (code || !tpebs.files) {
		bpmu_tpebs_remove(*latencies);
		*latencies = NULL;
	}
	return code;
}

/**
 * bpmu_tpebs_remove() - remove the files of measured retire latencies
 * @latencies: from bpmu_tpebs_measure(), or NULL; freed
 */
void bpmu_tpebs_remove(char *latencies)
{
	char name[PATH_MOST];
	unsigned int i = 1;

	if (!latencies)
		return;
	do
		snprintf(name, sizeof(name), "%s/%u.json", latencies, i++);
	while (!unlink(name));
	rmdir(latencies);
	free(latencies);
}
