// SPDX-License-Identifier: GPL-2.0
#include "html.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/plain.h"
#include "base/print.h"
#include "html_page.h"
#include "html_view.h"
#include "options.h"
#include "tree/level.h"
#include "view/share_set.h"
#include "view/speedscope.h"

/*
 * maximum number of intervals of a plot if the user has not chosen the interval: an interval is
 * then at least two pixels wide
 */
#define INTERVALS 200

/*
 * minimum number of slices of multiplexed time in which each group is counted in an interval, so
 * that the variance of its counts can be estimated
 */
#define SLICES 4

/*
 * maximum number of values (numbers in the data) of a page with the default interval; most values
 * are in arrays [nodes][CPUs][intervals]
 */
#define CELLS 600000
/* number of nodes (metrics and events) that a page is assumed to have */
#define NODES 40

/*
 * a page of more than MOST * CELLS values is not made; a page of more than LARGE_BYTES bytes is
 * made with a warning
 */
#define MOST 20
#define LARGE_BYTES 5e6

/* Refuses an interval that is so short that the page would have too many values for a browser. */
static int check_interval(const struct bpmu_html *html, double seconds, struct bpmu_error *err)
{
	double intervals = seconds * 1e9 / html->interval_ns;
	double values = intervals * html->type->target.cpus.nr * NODES;

	if (values <= (double)MOST * CELLS)
		return 0;
	return bpmu_error_set(err, -EFBIG,
		"--html: %.0f intervals on %zu CPUs are a page of more than 100 MB, which browsers do not open; give -I %.0f, or leave out -I",
		intervals, (size_t)html->type->target.cpus.nr,
		ceil(html->interval_ns / 1e6 * values / CELLS));
}

/*
 * Checks if an error only means that a part of the page (view), such as the Top-Down tree, must be
 * left out: the recording or the CPU model lacks its events.
 */
static bool is_unavailable(int code)
{
	return code == -ENODATA || code == -ENOENT || code == -ENOTSUP ||
	       code == -ENODEV;
}

/*
 * Adds a view (a table with plots) to the page's data or, if the view is unavailable, the reason
 * why.
 */
static int html_put(json_t *root, const char *key, json_t *view, int code,
		    struct bpmu_error *err)
{
	if (code && !is_unavailable(code))
		return code;
	if (code)
		view = json_pack("{s:o}", "why", bpmu_utf8_text(err->text));
	return json_object_set_new(root, key, view) ? bpmu_html_no_memory(err) :
						     0;
}

/*
 * Checks if the view @key is unavailable: @root then has, in place of the view, the reason ("why").
 */
static bool is_missing(const json_t *root, const char *key)
{
	return json_object_get(json_object_get(root, key), "why");
}

/*
 * whether Intel's published Top-Down tree (--method tma) was requested when the recording was made
 */
static bool recorded_tma(const struct bpmu_html *html)
{
	char **word = html->type->target.recorded->asked;

	for (; word && word[0] && word[1]; word++)
		if (!strcmp(word[0], "--method"))
			return !strcmp(word[1], "tma");
	return false;
}

/*
 * Adds the Top-Down tree of --method or, without this option, of the method that was requested when
 * the recording was made.
 */
static int put_topdown(struct bpmu_html *html, json_t *root, struct bpmu_error *err)
{
	const char *recorded = recorded_tma(html) ? "tma" : "topdown";
	struct bpmu_tree_wish wish = {
		.method = html->type->choice.asked ?: recorded, .level = BPMU_LEVELS_TMA,
	};
	json_t *view = NULL;
	int code;

	/* Finds the deepest level that the CPU model's tree has and that was recorded. */
	do
		code = bpmu_html_tree(html, &wish, html->interval_ns, &view, err);
	while ((code == -ENODATA || code == -ERANGE) && --wish.level);
	return html_put(root, "topdown", view, code, err);
}

/* If the user requested no metrics, chooses those that were recorded with -M and --metrics. */
static int recorded_choice(const struct bpmu_html *html,
			   struct bpmu_choice *choice, struct bpmu_error *err)
{
	char **word = html->type->target.recorded->asked;
	int code = 0;

	if (choice->names || choice->nr_paths || !word)
		return 0;
	for (; word[0] && word[1] && !code; word++) {
		if (!strcmp(word[0], "-M"))
			code = bpmu_choice_add_names(choice, word[1], err);
		else if (!strcmp(word[0], "--metrics"))
			code = bpmu_choice_add_path(choice, word[1], err);
		else if (!strcmp(word[0], "--events") && !choice->events)
			choice->events = word[1];
	}
	return code;
}

static int html_put_metrics(struct bpmu_html *html, json_t *root, struct bpmu_error *err)
{
	struct bpmu_choice *choice = &html->type->choice;
	struct bpmu_tree_wish wish = { .level = BPMU_TREE_ALL };
	/* If the user requested metrics, it is an error if they were not recorded. */
	bool asked = choice->names || choice->nr_paths;
	json_t *view = NULL;
	int code;

	code = recorded_choice(html, choice, err);
	if (code || (!choice->names && !choice->nr_paths))
		return code;
	/*
	 * With two core types it is no error if this core type lacks the metrics: the other may
	 * have them.
	 */
	asked &= !html->beside;
	code = bpmu_core_type_load(html->type, err);
	if (!code) {
		bpmu_choice_wish(choice, &wish);
		code = bpmu_html_tree(html, &wish, html->interval_ns, &view, err);
	}
	if (code && code != -ENOMEM && html->beside)
		code = -ENODATA;
	return code && asked ? code : html_put(root, "metrics", view, code, err);
}

static int put_views(struct bpmu_html *html, json_t *root, struct bpmu_error *err)
{
	json_t *view = NULL;
	int code;

	code = put_topdown(html, root, err);
	if (!code)
		code = html_put_metrics(html, root, err);
	if (code)
		return code;
	code = bpmu_html_stack(html, &view, err);
	code = html_put(root, "stack", view, code, err);
	if (code)
		return code;
	code = bpmu_html_phi(html, &view, err);
	/*
	 * If the CPU model is not Xeon Phi, the page has no metrics of Xeon Phi, and does not say
	 * why.
	 */
	code = code == -ENODEV ? 0 : html_put(root, "phi", view, code, err);
	if (code)
		return code;
	code = bpmu_html_events(html, &view, err);
	/* With neither Top-Down nor events the page would be empty. */
	if (code == -ENODATA && !html->beside && is_missing(root, "topdown"))
		return code;
	return html_put(root, "events", view, code, err);
}

/* Returns the number of recorded CPUs, including CPUs that are not on the page. */
static unsigned int html_sampled(const struct bpmu_html *html)
{
	const struct bpmu_recording_about *about =
		bpmu_recording_about(html->replay->file);

	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i <= about->others; i++)
		nr += about[i].cpus.nr;
	return nr;
}

/*
 * Chooses the interval of plots: a multiple of the recording's interval, so that all intervals have
 * the same number of samples. The interval is long enough that the page has about CELLS values or
 * fewer and a plot at most INTERVALS intervals, and that each multiplexed group is counted SLICES
 * times in an interval. The measured mean time between samples is used for this, because on a busy
 * machine it may be longer than requested.
 */
static int html_choose_interval(struct bpmu_html *html, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = html->type->target.recorded;
	unsigned int groups = bpmu_groups_most(&about->groups);
	double least = about->interval_ns ?: about->period_ns * groups;
	double most = CELLS / NODES / (double)html->type->target.cpus.nr;
	double seconds, wanted, gap;
	u64 samples;
	int code;

	code = bpmu_replay_length(html->replay, &seconds, &samples, err);
	if (code)
		return code;
	if (html->interval_ns)
		return check_interval(html, seconds, err);
	if (most > INTERVALS)
		most = INTERVALS;
	gap = samples ? seconds * html_sampled(html) / samples : 0;
	wanted = fmax(seconds / most, groups > 1 ? SLICES * groups * gap : gap);
	html->interval_ns = least * fmax(1, ceil(wanted * 1e9 / least));
	return 0;
}

/*
 * Fills in an element of @html for each recorded core type: its CPUs, and constants of the recorded
 * machine.
 */
static int find_machine(struct bpmu_html html[BPMU_CORE_TYPES], struct bpmu_analysis *analysis,
			const struct bpmu_html_call *call, struct bpmu_error *err)
{
	struct bpmu_core_type *type;
	unsigned int k;
	int code;

	code = bpmu_choice_copy(&analysis->choice, call->choice, err);
	if (!code)
		code = bpmu_replay_analyse(call->replay, analysis, call->cpus, err);
	if (!code)
		code = bpmu_analysis_ask(analysis, err);
	for (k = 0; k < analysis->nr && !code; k++) {
		type = analysis->type[k];
		html[k] = (struct bpmu_html){
			.replay = call->replay, .interval_ns = call->interval_ns,
			.type = type, .beside = analysis->nr > 1,
		};
		bpmu_errata_cpu_init(&type->errata, &type->target.info, type->target.smt);
		code = bpmu_machine_find(&type->machine, &type->target, err);
	}
	return code;
}

static void free_choice(void *data)
{
	bpmu_choice_free(data);
	free(data);
}

/*
 * Makes a view (a table with plots) of the metrics @name. Fails if their events were not recorded.
 */
static int find_metric(struct bpmu_html *html, const char *name, u64 interval_ns,
		       json_t **view, struct bpmu_error *err)
{
	struct bpmu_tree_wish wish = { .level = BPMU_TREE_ALL };
	struct bpmu_choice *choice = calloc(1, sizeof(*choice));
	int code;

	if (!choice)
		return bpmu_html_no_memory(err);
	code = bpmu_choice_add_names(choice, name, err);
	if (!code)
		code = bpmu_choice_load(choice, &html->type->target.info.pmu, err);
	if (!code) {
		choice->board = &html->type->target.info.pmu;
		bpmu_choice_wish(choice, &wish);
		code = bpmu_html_tree(html, &wish, interval_ns, view, err);
	}
	if (code) {
		free_choice(choice);
		return code;
	}
	/*
	 * The view's tree points into @choice: keep @choice until the view's counts have been read.
	 */
	return bpmu_html_keep(html, choice, free_choice, err);
}

/* Adds the IPC over the whole time, which the Top-Down paper shows beside the tree. */
static int put_ipc(struct bpmu_html *html, json_t *object,
		   struct bpmu_error *err)
{
	json_t *view = NULL;
	int code = find_metric(html, "IPC", 0, &view, err);

	return html_put(object, "ipc", view, code, err);
}

/* Adds the summary at the top of the page: values of those metrics whose events were recorded. */
static int put_headline(struct bpmu_html *html, json_t *root,
			struct bpmu_error *err)
{
	static const char *const names[] = {
		"IPC", "GHz", "Utilization", "Package_Power",
	};
	json_t *headline = json_array();
	struct bpmu_error why;
	unsigned int i;
	json_t *view;
	int code = 0;

	for (i = 0; i < ARRAY_SIZE(names) && !code; i++) {
		view = NULL;
		/* interval 0: one value over the whole time, without a plot */
		code = find_metric(html, names[i], 0, &view, &why);
		if (code && is_unavailable(code)) {
			code = 0;
			continue;
		}
		if (code)
			*err = why;
		else
			json_array_extend(headline,
					  json_object_get(view, "nodes"));
		json_decref(view);
	}
	if (json_object_set_new(root, "headline", headline) && !code)
		code = bpmu_html_no_memory(err);
	return code;
}

static json_t *ceilings_of(const struct bpmu_ceilings *ceilings)
{
	if (!ceilings->bytes)
		return json_null();
	return json_pack("{s:f,s:f,s:f}", "bytes", ceilings->bytes, "flops",
			 ceilings->flops, "uops", ceilings->uops);
}

/*
 * Adds the data of the roofline plots: a view of memory traffic and FLOP rate, a view of memory
 * traffic and uop rate, and the ceilings of the machine.
 */
static int put_roofline(struct bpmu_html *html, json_t *root,
			struct bpmu_error *err)
{
	static const char *const names[] = {
		"Memory_Traffic,DP_FLOP_Rate", "Memory_Traffic,Uop_Rate",
	};
	const struct bpmu_ceilings *ceilings =
		&bpmu_recording_about(html->replay->file)->ceilings;
	json_t *views = json_array();
	struct bpmu_error why;
	unsigned int i;
	json_t *view;
	int code = 0;

	for (i = 0; i < ARRAY_SIZE(names) && !code; i++) {
		view = NULL;
		code = find_metric(html, names[i], html->interval_ns, &view, &why);
		if (!code)
			json_array_append_new(views, view);
		else if (is_unavailable(code))
			code = 0;
		else
			*err = why;
	}
	if (code || !json_array_size(views)) {
		json_decref(views);
		return code;
	}
	return json_object_set_new(root, "roofline",
		json_pack("{s:o,s:o}", "views", views, "ceilings",
			  ceilings_of(ceilings))) ? bpmu_html_no_memory(err) : 0;
}

static void html_about_put_words(json_t *object, const char *key, char **words)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!words || !words[0])
		return;
	out = open_memstream(&text, &size);
	if (!out)
		return;
	bpmu_print_command(out, words);
	fclose(out);
	json_object_set_new(object, key, json_string(text));
	free(text);
}

static void put_time(json_t *about, const struct bpmu_recording_state *state)
{
	char text[64];
	struct tm tm;
	time_t s = state->first.wall_ns / BPMU_NS_PER_S;

	if (!state->clocks || !gmtime_r(&s, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	json_object_set_new(about, "begun", json_string(text));
}

/*
 * Returns the facts about the recording as JSON: machine, time, command lines, groups of events;
 * NULL if memory runs out.
 */
static json_t *html_about(const struct bpmu_html *html)
{
	const struct bpmu_recording_about *r = html->type->target.recorded;
	const struct bpmu_recording_state *state =
		bpmu_recording_state(html->replay->file);
	json_t *groups = json_array();
	json_t *about;
	unsigned int g;

	for (g = 0; g < r->groups.nr; g++)
		json_array_append_new(groups,
				      bpmu_html_group(&r->groups.group[g]));
	about = json_pack("{s:s,s:s,s:s,s:s,s:i,s:b,s:f,s:f,s:f,s:b,s:o}",
			  "host", r->host, "part", r->info.part, "title", r->info.title,
			  "cpus", html->type->target.cpus_text, "machine_cpus",
			  (int)r->machine_cpus, "smt", r->smt,
			  "interval_ms", r->interval_ns / 1e6,
			  "period_ms", r->period_ns / 1e6,
			  "drawn_ms", html->interval_ns / 1e6,
			  "cut", state->cut && !state->ended, "groups", groups);
	if (!about)
		return NULL;
	html_about_put_words(about, "asked", r->asked);
	html_about_put_words(about, "command", r->command);
	put_time(about, state);
	return about;
}

/*
 * Reads the recording for all views of a core type at once, and adds the facts about the recording,
 * some of which are at its end. If the recording has another core type, rewinds the recording, to
 * be read again for that type. Warnings about the file are printed only at the first reading.
 */
static int read_core_type(struct bpmu_html *html, json_t *object, struct bpmu_error *err)
{
	int code = bpmu_html_read(html, err);

	html->replay->warned = true;
	if (!code && json_object_set_new(object, "about", html_about(html)))
		code = bpmu_html_no_memory(err);
	if (!code && html->beside)
		code = bpmu_recording_rewind(html->replay->file, err);
	return code;
}

static const char *fact(const json_t *about, const char *key)
{
	return json_string_value(json_object_get(about, key));
}

/* Writes the page's title, such as "./a.out on host (Intel Ivy Bridge), 2026-11-27". */
static void put_page_title(FILE *out, const char *what, const json_t *about)
{
	const char *begun = fact(about, "begun");

	fprintf(out, "%s on %s (%s)", what, fact(about, "host"), fact(about, "title"));
	if (begun)
		fprintf(out, ", %.10s", begun);
}

/*
 * Adds the call stacks of the events that interrupted, in speedscope's format, or the reason why
 * the chosen time has no call stacks. Adds nothing if no event interrupted, nor to the page of a
 * recording of two core types.
 */
static int put_stacks(struct bpmu_html *html, json_t *root, struct bpmu_error *err)
{
	struct bpmu_replay replay = *html->replay;
	struct bpmu_share_set set = { };
	json_t *view = NULL;
	int code;

	if (html->beside || !bpmu_replay_interrupted(&replay))
		return 0;
	replay.by = (struct bpmu_by){ .type = BPMU_BY_STACK };
	code = bpmu_recording_rewind(replay.file, err);
	if (!code)
		code = bpmu_share_set_read(&set, &replay, NULL, html->type->target.cpus_text, err);
	if (!code)
		view = bpmu_speedscope_make(replay.name, set.event, set.nr);
	bpmu_share_set_free(&set);
	return html_put(root, "stacks", view, code, err);
}

static int html_make(struct bpmu_html *html, json_t *root, struct bpmu_error *err)
{
	int code = html_choose_interval(html, err);

	if (!code)
		code = put_views(html, root, err);
	if (!code)
		code = put_headline(html, root, err);
	if (!code)
		code = put_roofline(html, root, err);
	if (!code)
		code = read_core_type(html, root, err);
	if (!code)
		code = put_stacks(html, root, err);
	return code;
}

/*
 * whether the view @key is unavailable on all core types; @err is then set to the reason why it is
 * unavailable on the first one
 */
static bool is_missing_on_all(const json_t *types, const char *key, struct bpmu_error *err)
{
	const json_t *view;
	json_t *type;
	size_t k;

	json_array_foreach(types, k, type)
		if (!is_missing(type, key))
			return false;
	view = json_object_get(json_array_get(types, 0), key);
	bpmu_error_set(err, -ENODATA, "%s", json_string_value(json_object_get(view, "why")));
	return true;
}

/*
 * Adds the array "types" to the page's data, with an object for each core type. The object has the
 * same members as the data of a page with a single core type.
 */
static int make_core_types(struct bpmu_html html[BPMU_CORE_TYPES], unsigned int nr,
			   const struct bpmu_html_call *call, json_t *root,
			   struct bpmu_error *err)
{
	const bool asked = call->choice->names || call->choice->nr_paths;
	json_t *types = json_array();
	unsigned int k;
	int code = 0;

	if (json_object_set_new(root, "types", types))
		return bpmu_html_no_memory(err);
	for (k = 0; k < nr && !code; k++) {
		json_t *type = json_object();

		code = json_array_append_new(types, type) ? bpmu_html_no_memory(err) :
		       html_make(&html[k], type, err);
	}
	if (!code && ((asked && is_missing_on_all(types, "metrics", err)) ||
		      (is_missing_on_all(types, "topdown", err) &&
		       is_missing_on_all(types, "events", err))))
		code = -ENODATA;
	return code;
}

/*
 * Warns of a large page. To show a page, a browser needs twenty times the memory of the page's
 * size, and some seconds.
 */
static void warn_of_size(const struct bpmu_html *html, const json_t *root)
{
	double bytes = json_dumpb(root, NULL, 0, JSON_COMPACT |
				  JSON_REAL_PRECISION(BPMU_HTML_DIGITS));

	/* An interval in whole milliseconds is suggested, because it is easy to type. */
	if (bytes > LARGE_BYTES)
		fprintf(stderr,
			"barepmu: --html: the page has %.0f MB, and a browser takes long to draw it; for less than %.0f MB give -I %.0f, or leave out -I\n",
			bytes / 1e6, LARGE_BYTES / 1e6,
			ceil(html->interval_ns / 1e6 * bytes / (0.9 * LARGE_BYTES)));
}

static int write_page(const char *name, const char *title, const json_t *root,
		      struct bpmu_error *err)
{
	const struct bpmu_options options = { .output = name };
	FILE *out = bpmu_options_open(&options, err);

	if (!out)
		return -EIO;
	bpmu_html_page(out, title, root);
	return bpmu_options_close(&options, out, 0, err);
}

/**
 * bpmu_html_write() - write a recording as HTML
 * @call: parameters of the page
 */
int bpmu_html_write(const struct bpmu_html_call *call, struct bpmu_error *err)
{
	struct bpmu_html html[BPMU_CORE_TYPES] = { };
	struct bpmu_analysis analysis = { };
	json_t *root = json_pack("{s:i}", "schema", 1);
	int code = bpmu_html_page_check(err);
	unsigned int k;
	char *title = NULL;
	size_t size;
	FILE *out;

	if (!code)
		code = find_machine(html, &analysis, call, err);
	if (!code)
		code = analysis.nr > 1 ? make_core_types(html, analysis.nr, call, root, err) :
					 html_make(html, root, err);
	if (!code) {
		const json_t *first = json_array_get(json_object_get(root, "types"), 0);
		const json_t *about = json_object_get(first ?: root, "about");

		warn_of_size(html, root);
		out = open_memstream(&title, &size);
		if (out)
			put_page_title(out, fact(about, "command") ?: "System-wide counts", about);
		code = out && !fclose(out) ? write_page(call->output, title, root, err) :
					     bpmu_html_no_memory(err);
		free(title);
	}
	for (k = 0; k < BPMU_CORE_TYPES; k++)
		bpmu_html_free(&html[k]);
	bpmu_analysis_free(&analysis);
	json_decref(root);
	return code;
}

/*
 * Adds one core type of a recording to a comparison, with values over the whole time of the
 * recording.
 */
static int put_core_type(struct bpmu_html *html, const struct bpmu_html_call *call,
			 json_t *recordings, unsigned int *trees, struct bpmu_error *err)
{
	const char *part = html->type->target.info.part;
	json_t *name = html->beside ? json_sprintf("%s (%s)", call->replay->name, part) :
				      json_string(call->replay->name);
	json_t *object = json_pack("{s:o}", "name", name);
	int code = put_topdown(html, object, err);

	if (!code)
		code = put_ipc(html, object, err);
	if (!code)
		code = read_core_type(html, object, err);
	if (!code)
		*trees += !is_missing(object, "topdown");
	if (json_array_append_new(recordings, object) && !code)
		code = bpmu_html_no_memory(err);
	return code;
}

/* Adds a recording to a page that compares recordings; its core types are added one by one. */
static int put_recording(const struct bpmu_html_call *call, json_t *recordings,
			 unsigned int *trees, struct bpmu_error *err)
{
	struct bpmu_html html[BPMU_CORE_TYPES] = { };
	struct bpmu_analysis analysis = { };
	int code = find_machine(html, &analysis, call, err);
	unsigned int k;

	for (k = 0; k < analysis.nr && !code; k++)
		code = put_core_type(&html[k], call, recordings, trees, err);
	for (k = 0; k < BPMU_CORE_TYPES; k++)
		bpmu_html_free(&html[k]);
	bpmu_analysis_free(&analysis);
	return code;
}

static bool is_same(const json_t *a, const json_t *b, const char *key, size_t len)
{
	const char *one = fact(a, key), *other = fact(b, key);

	return one && other && !strncmp(one, other, len);
}

/*
 * Writes the title of a comparison. The title has the machine and the date only if they are equal
 * in all recordings.
 */
static void put_title_of_many(FILE *out, const json_t *recordings)
{
	const json_t *first = json_object_get(json_array_get(recordings, 0), "about");
	size_t i, nr = json_array_size(recordings);
	const json_t *about;
	bool same = true;
	char what[64];

	snprintf(what, sizeof(what), "Top-Down of %zu recordings", nr);
	for (i = 0; i < nr; i++) {
		about = json_object_get(json_array_get(recordings, i), "about");
		same &= is_same(first, about, "host", SIZE_MAX) &&
			is_same(first, about, "title", SIZE_MAX) &&
			is_same(first, about, "begun", strlen("2026-11-27"));
	}
	if (same)
		put_page_title(out, what, first);
	else
		fputs(what, out);
}

/**
 * bpmu_html_compare() - write HTML that compares the Top-Down of recordings
 * @call: the page's file, and the CPUs and metrics that the page shows; @call->replay is opened for
 *	each of the @names in turn
 * @names: names of the files, [@nr]
 * @nr: number of files
 */
int bpmu_html_compare(const struct bpmu_html_call *call, char **names, int nr,
		      struct bpmu_error *err)
{
	json_t *recordings = json_array();
	json_t *root = json_pack("{s:i,s:o}", "schema", 1, "recordings",
				 recordings);
	int code = bpmu_html_page_check(err);
	struct bpmu_replay *replay = call->replay;
	unsigned int trees = 0;
	char *title = NULL;
	size_t size;
	FILE *out;
	int i;

	for (i = 0; i < nr && !code; i++) {
		replay->name = names[i];
		replay->warned = false;
		code = bpmu_recording_open(&replay->file, names[i], err);
		if (code)
			break;
		code = put_recording(call, recordings, &trees, err);
		bpmu_recording_shut(replay->file);
	}
	if (!code && !trees)
		code = bpmu_error_set(err, -ENODATA,
				      "--html: none of the %d recordings has the events of Top-Down; record with --topdown",
				      nr);
	if (!code) {
		out = open_memstream(&title, &size);
		if (out)
			put_title_of_many(out, recordings);
		code = out && !fclose(out) ? write_page(call->output, title, root, err) :
					     bpmu_html_no_memory(err);
		free(title);
	}
	json_decref(root);
	return code;
}
