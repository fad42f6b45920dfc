// SPDX-License-Identifier: GPL-2.0
#include "metric_choice.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/pipe.h"
#include "event/event_name.h"
#include "event/part.h"
#include "event/sched.h"
#include "metric/metric_expr.h"

#define WORD_MAX 128

/**
 * bpmu_choice_add_path() - choose metrics by the option --metrics, which names a file or directory
 * @choice: the options so far, to which @path is added; zeroed before the first call
 * @path: path of the file or directory
 *
 * Return: 0, or -E2BIG if there are too many paths.
 */
int bpmu_choice_add_path(struct bpmu_choice *choice, const char *path,
			 struct bpmu_error *err)
{
	if (choice->nr_paths == BPMU_CHOICE_PATHS)
		return bpmu_error_set(err, -E2BIG,
				      "--metrics '%s': more than %d files; join some",
				      path, BPMU_CHOICE_PATHS);
	choice->path[choice->nr_paths++] = path;
	return 0;
}

/**
 * bpmu_choice_add_names() - choose metrics by the option -M, which names them
 * @choice: the options so far, to which @names are added; zeroed before the first call
 * @names: names of metrics, globs, or names of metric groups, separated by commas
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_choice_add_names(struct bpmu_choice *choice, const char *names,
			  struct bpmu_error *err)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", choice->names ?: "",
		     choice->names ? "," : "", names) < 0)
		return bpmu_error_no_memory(err, "metrics");
	free(choice->names);
	choice->names = joined;
	return 0;
}

/**
 * bpmu_choice_take_method() - choose metrics by the option --method
 * @choice: the options so far, of which the method is set; zeroed before the first call of any
 *	function
 * @text: value of the option --method
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_choice_take_method(struct bpmu_choice *choice, const char *text,
			    struct bpmu_error *err)
{
	if (!strcmp(text, "paper"))
		choice->asked = "topdown";
	else if (!strcmp(text, "tma"))
		choice->asked = "tma";
	else
		return bpmu_error_set(err, -EINVAL,
				      "--method '%s': not known; paper or tma is", text);
	return 0;
}

/**
 * bpmu_choice_copy() - copy the options that choose metrics, to load metrics for another core type
 * @to: in: zeroed; on return: has the same options as @from
 * @from: the options, before bpmu_choice_load()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_choice_copy(struct bpmu_choice *to, const struct bpmu_choice *from,
		     struct bpmu_error *err)
{
	to->events = from->events;
	to->unmeasured = from->unmeasured;
	to->paper = from->paper;
	to->memory_by = from->memory_by;
	to->asked = from->asked;
	to->nr_paths = from->nr_paths;
	memcpy(to->path, from->path, sizeof(to->path));
	return from->names ? bpmu_choice_add_names(to, from->names, err) : 0;
}

/*
 * Checks if a path is one of Intel's JSON files, or a directory, which may contain such files.
 */
static bool is_vendors(const char *path)
{
	struct stat status;
	int first;
	FILE *in;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		return true;
	in = fopen(path, "re");
	if (!in)
		return false;
	for (first = getc(in); first == 0xef || first == 0xbb ||
	     first == 0xbf || isspace(first); first = getc(in))
		;
	fclose(in);
	return first == '{';
}

/*
 * Loads a vendor's files. @pmu->part, the descriptor of the CPU model, is replaced by a copy that
 * also has the events of the files.
 */
static int load_vendor(struct bpmu_choice *choice, const char *path,
		       struct bpmu_pmu *pmu, struct bpmu_error *err)
{
	int ret = bpmu_vendor_load(&choice->vendor, path, pmu->part, err);

	if (!ret)
		pmu->part = choice->vendor.part;
	return ret;
}

/**
 * bpmu_choice_load_paths() - load all metrics of the files that the choice --metrics names
 * @choice: has all options; the CPU in &bpmu_choice.vendor is set; receives the metrics
 * @pmu: PMU of the CPU model; until bpmu_choice_free() its descriptor has the files' events
 *
 * Return: 0, -EINVAL for files of different formats, -ENOENT for files without
 * metrics, or an error of reading.
 */
int bpmu_choice_load_paths(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
			   struct bpmu_error *err)
{
	unsigned int vendors = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < choice->nr_paths; i++) {
		ret = bpmu_pipe_keep(choice->path[i], err);
		if (ret)
			return ret;
		vendors += is_vendors(choice->path[i]);
	}
	if (vendors && vendors < choice->nr_paths)
		return bpmu_error_set(err, -EINVAL,
				      "--metrics: Intel's files and others have different names for the same; give files of one format");
	choice->vendor.given = choice->apart;
	choice->lines = vendors ? &choice->vendor.metrics : &choice->own;
	for (i = 0; i < choice->nr_paths && !ret; i++)
		ret = vendors ? load_vendor(choice, choice->path[i], pmu, err) :
				bpmu_metrics_file(&choice->own, choice->path[i],
						  pmu->part, err);
	if (!ret && !choice->lines->nr)
		ret = bpmu_error_set(err, -ENOENT,
				     "%s: holds no metrics; name a metric file",
				     choice->path[0]);
	return ret;
}

/* Methods whose metrics -M can name in addition to those of the chosen method */
static const char *const others[] = {
	"basic", "power", "groups", "tma"
};

/* Checks if a metric of @method has the same name as a metric in @choice->own. */
static bool clashes(const struct bpmu_choice *choice, const char *method,
		    const struct bpmu_part *part)
{
	struct bpmu_metrics lines;
	struct bpmu_error ignored;
	bool clash = false;
	unsigned int i;

	if (!bpmu_metrics_builtin(&lines, method, part, &ignored))
		for (i = 0; i < lines.nr; i++)
			clash |= bpmu_metrics_find(&choice->own,
						   lines.metric[i].name) >= 0;
	bpmu_metrics_free(&lines);
	return clash;
}

static int join_others(struct bpmu_choice *choice, const struct bpmu_part *part,
		       struct bpmu_error *err)
{
	struct bpmu_error ignored;
	size_t i;
	int ret;

	for (i = 0; choice->names && i < ARRAY_SIZE(others); i++) {
		if (!strcmp(others[i], choice->method) ||
		    clashes(choice, others[i], part))
			continue;
		ret = bpmu_metrics_join(&choice->own, others[i], part,
					&ignored);
		if (ret && ret != -ENOENT)
			return bpmu_error_set(err, ret, "%s", ignored.text);
	}
	return 0;
}

/*
 * Loads the metrics of the requested method or, if none is requested, of the CPU model's default
 * method. The method of Xeon Phi (a coprocessor card) computes metrics per thread, per core and for
 * the card, so it is refused here. An exception is counts of another tool, which are sums over all
 * threads of the card.
 */
static int load_method(struct bpmu_choice *choice,
		       const struct bpmu_part *part, struct bpmu_error *err)
{
	static const char *const methods[] = { "topdown", "itanium2" };
	struct bpmu_error ignored;
	size_t i;
	int ret;

	choice->lines = &choice->own;
	choice->own.latency = choice->vendor.latency;
	choice->own.unmeasured = choice->unmeasured;
	if (choice->asked) {
		choice->method = choice->asked;
		ret = bpmu_metrics_join(&choice->own, choice->asked, part, err);
		return ret ? ret : join_others(choice, part, err);
	}
	for (i = 0; i < ARRAY_SIZE(methods); i++) {
		choice->method = methods[i];
		ret = bpmu_metrics_join(&choice->own, methods[i], part,
					i ? &ignored : err);
		if (!ret)
			return join_others(choice, part, err);
		if (ret != -ENOENT)
			return ret;
		bpmu_metrics_free(&choice->own);
	}
	choice->method = "phi";
	ret = bpmu_metrics_join(&choice->own, "phi", part, &ignored);
	if (!ret && choice->apart) {
		ret = bpmu_metrics_of_counts(&choice->own, err);
		return ret ? ret : join_others(choice, part, err);
	}
	if (choice->names) {
		bpmu_metrics_free(&choice->own);
		choice->method = "basic";
		ret = bpmu_metrics_join(&choice->own, "basic", part, err);
		return ret ? ret : join_others(choice, part, err);
	}
	if (ret)
		return -ENOENT;
	return bpmu_error_set(err, -ENOTSUP,
			      "metrics: those of %s are of threads, cores and the card; use 'barepmu phi', or --metrics for others",
			      part->name);
}

/*
 * Checks if metric @i belongs to the metric group @word. The metric's file may list the groups of a
 * metric. A metric of a method also belongs to the group with the name of the method and, if the
 * metric is published, to the group of its level in the tree, such as TopdownL1.
 */
static bool in_group(const struct bpmu_choice *choice, unsigned int i,
		     const char *word)
{
	const struct bpmu_metric *metric = &choice->lines->metric[i];
	const char *own = bpmu_choice_groups(choice, i);
	const char *file;
	char method[32];
	char groups[80];

	if (own && bpmu_metric_of_group(own, word))
		return true;
	if (!choice->method)
		return false;
	file = choice->lines->file[metric->file].name;
	snprintf(method, sizeof(method), "%.*s", (int)strcspn(file, "-."),
		 file);
	snprintf(groups, sizeof(groups), "%s;%sL%u", method, method,
		 metric->level);
	return bpmu_metric_of_group(metric->extra ? method : groups, word);
}

/* Checks if @word is metric @i's name, a glob that matches this name, or a group of metric @i. */
static bool choice_matches(const struct bpmu_choice *choice, unsigned int i,
			   const char *word)
{
	const struct bpmu_metric *metric = &choice->lines->metric[i];

	return metric->level && (!fnmatch(word, metric->name, FNM_CASEFOLD) ||
				 in_group(choice, i, word));
}

/* Checks if the other core type, @there, has a metric or a group of metrics with the name @word. */
static bool known_there(const struct bpmu_part *there, const char *word)
{
	struct bpmu_choice choice = { .names = (char *)word };
	struct bpmu_error ignored;
	bool known = false;
	unsigned int i;

	if (!load_method(&choice, there, &ignored))
		for (i = 0; i < choice.lines->nr; i++)
			known |= choice_matches(&choice, i, word);
	bpmu_metrics_free(&choice.own);
	return known;
}

static int choice_unknown(const struct bpmu_choice *choice, const char *word,
			  const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_part *there = bpmu_part_other_core_type(part);
	const struct bpmu_metrics *lines = choice->lines;
	struct bpmu_nearest nearest = { .typed = word };
	char list[BPMU_NEAREST_LIST];
	char why[BPMU_METRICS_WHY];
	unsigned int i;

	if (choice->method && there && known_there(there, word))
		return bpmu_error_set(err, -ENOENT,
				      "metric '%s': known for %s, not for %s; choose %s, with -C or --part",
				      word, there->name, part->name,
				      there->name);
	for (i = 0; choice->method && i < ARRAY_SIZE(others); i++)
		if (bpmu_metrics_lost(others[i], part, word, why))
			return bpmu_error_set(err, -ENOTSUP,
					      "metric '%s': %s; use another metric",
					      word, why);
	for (i = 0; i < lines->nr; i++)
		if (lines->metric[i].level)
			bpmu_nearest_offer(&nearest, lines->metric[i].name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	return bpmu_error_set(err, -ENOENT,
			      "metric '%s': no metric or group of them is called so; %s%s%ssee 'barepmu list metrics'",
			      word, *list ? "did you mean " : "", list,
			      *list ? "? Or " : "");
}

/*
 * Chooses the metrics that @word names: a metric, or a group of metrics. If @word is the name of a
 * metric that cannot be measured, this is an error. If a metric of a group cannot be measured, only
 * this metric is left out, and bpmu_choice_report() tells so.
 */
static int choice_choose(struct bpmu_choice *choice, const char *word,
			 const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_metrics *lines = choice->lines;
	bool found = false;
	const char *why;
	unsigned int i;

	for (i = 0; i < lines->nr; i++) {
		if (!choice_matches(choice, i, word))
			continue;
		choice->chosen[i] = true;
		found = true;
		why = bpmu_choice_refused(choice, i);
		if (why && !strcasecmp(word, lines->metric[i].name))
			return bpmu_error_set(err, -ENOTSUP,
					      "metric '%s': %s; use another metric",
					      word, why);
	}
	return found ? 0 : choice_unknown(choice, word, part, err);
}

static int choose_all(struct bpmu_choice *choice, const struct bpmu_part *part,
		      struct bpmu_error *err)
{
	const char *p = choice->names;
	char word[WORD_MAX];
	unsigned int i;
	size_t len;
	int ret = 0;

	/* One more than the metrics, because a tree may add the metric "cycles per instruction". */
	choice->chosen = calloc(choice->lines->nr + 1,
				sizeof(*choice->chosen));
	if (!choice->chosen)
		return bpmu_error_no_memory(err, "metrics");
	for (i = 0; !p && i < choice->lines->nr; i++)
		choice->chosen[i] = choice->lines->metric[i].level;
	for (; p && *p && !ret; p += len + !!p[len]) {
		p += strspn(p, " ");
		len = strcspn(p, ",");
		snprintf(word, sizeof(word), "%.*s", (int)len, p);
		word[strcspn(word, " ")] = '\0';
		ret = choice_choose(choice, word, part, err);
	}
	return ret;
}

/**
 * bpmu_choice_check() - check that at least one of the chosen metrics can be measured
 * @choice: the requested metrics, from bpmu_choice_load()
 *
 * Return: 0, or -ENOTSUP if no metric can be measured.
 */
int bpmu_choice_check(const struct bpmu_choice *choice, struct bpmu_error *err)
{
	const char *why, *name = NULL, *reason = "";
	unsigned int i;

	for (i = 0; i < choice->lines->nr; i++) {
		if (!choice->chosen[i])
			continue;
		why = bpmu_choice_refused(choice, i);
		if (!why)
			return 0;
		name = choice->lines->metric[i].name;
		reason = why;
	}
	return bpmu_error_set(err, -ENOTSUP,
			      "metrics: none of those asked for can be measured%s%s%s%s; see 'barepmu list metrics -v'",
			      name ? "; " : "", name ?: "", name ? ": " : "", reason);
}

/**
 * bpmu_choice_load_events() - load no chosen metrics, only events of the files that --events names
 * @choice: has all options; the CPU in &bpmu_choice.vendor is set
 * @pmu: PMU of the CPU model; until bpmu_choice_free() its descriptor has the files' events
 *
 * Return: 0, or the errors of bpmu_vendor_load().
 */
int bpmu_choice_load_events(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
			    struct bpmu_error *err)
{
	unsigned int i;
	int ret;

	/*
	 * If --metrics names the same directory as --events, its events have been loaded already.
	 */
	for (i = 0; choice->events && i < choice->nr_paths; i++)
		if (!strcmp(choice->events, choice->path[i]))
			return 0;
	if (!choice->events)
		return 0;
	ret = bpmu_pipe_keep(choice->events, err);
	return ret ? ret : load_vendor(choice, choice->events, pmu, err);
}

/**
 * bpmu_choice_load() - load the files that the options name, and make the choice of metrics
 * @choice: has all options; the CPU in &bpmu_choice.vendor is set; receives the metrics
 * @pmu: PMU of the CPU model; until bpmu_choice_free() its descriptor has the files' events
 *
 * Return: 0, -ENOENT for a name that matches no metric or if the CPU model has no method,
 * -ENOTSUP for a metric that cannot be measured, or an error of reading files.
 */
int bpmu_choice_load(struct bpmu_choice *choice, struct bpmu_pmu *pmu,
		     struct bpmu_error *err)
{
	int ret;

	ret = bpmu_choice_load_events(choice, pmu, err);
	if (!ret)
		ret = choice->nr_paths ?
			      bpmu_choice_load_paths(choice, pmu, err) :
			      load_method(choice, pmu->part, err);
	if (!ret && choice->paper && choice->lines == &choice->own)
		ret = bpmu_metrics_as_printed(&choice->own, pmu->part, err);
	if (!ret && choice->memory_by)
		ret = bpmu_metrics_memory_by(choice->lines, choice->memory_by,
					     pmu->part, err);
	if (!ret)
		ret = choose_all(choice, pmu->part, err);
	return ret ? ret : bpmu_choice_check(choice, err);
}

static bool wanted(void *ctx, const struct bpmu_metric *metric)
{
	const struct bpmu_choice *choice = ctx;
	unsigned int i = metric - choice->lines->metric;

	return choice->chosen[i] && !bpmu_choice_refused(choice, i);
}

/**
 * bpmu_choice_wish() - set those parameters of a tree that depend on the choice of metrics
 * @choice: the requested metrics, from bpmu_choice_load(); must outlive the tree
 * @wish: parameters of the tree, of which @lines, @wanted and @wanted_ctx are set, and with -M also
 *	@extra
 */
void bpmu_choice_wish(struct bpmu_choice *choice, struct bpmu_tree_wish *wish)
{
	wish->lines = choice->lines;
	wish->wanted = wanted;
	wish->wanted_ctx = choice;
	wish->given = choice->apart &&
		      choice->lines == &choice->vendor.metrics;
	if (choice->names)
		wish->extra = true;
}

static bool has_counters(const struct bpmu_event *row,
			 const struct bpmu_pmu *board)
{
	const struct bpmu_box *box = bpmu_uncore_box(board->part, row->unit);

	if (bpmu_unit_is_free(row->unit))
		return row->counters & board->free;
	return !box || !box->base || bpmu_box_counters(board, box);
}

/* Checks if a formula needs a free-running register that this machine (@board) lacks. */
static bool needs_absent(const struct bpmu_metrics *lines,
			 const struct bpmu_expr *expr,
			 const struct bpmu_pmu *board)
{
	const struct bpmu_event *row;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(lines, expr->name);
		if (i >= 0)
			return needs_absent(lines, lines->metric[i].expr,
					    board);
		row = bpmu_event_row(board->part, expr->name);
		return row && !has_counters(row, board);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		if (needs_absent(lines, expr->arg[i], board))
			return true;
	return false;
}

/**
 * bpmu_choice_refused() - tell why a chosen metric cannot be measured
 * @choice: the requested metrics, from bpmu_choice_load()
 * @i: index of the metric in @choice->lines
 *
 * Return: the reason, or NULL if the metric can be measured.
 */
const char *bpmu_choice_refused(const struct bpmu_choice *choice,
				unsigned int i)
{
	const struct bpmu_vendor_note *note;

	if (choice->lines != &choice->vendor.metrics)
		return choice->board &&
		       needs_absent(choice->lines,
				    choice->lines->metric[i].expr,
				    choice->board) ?
			"this board lacks a register that it needs, or a hypervisor hides it" :
			NULL;
	note = &choice->vendor.note[i];
	return choice->apart && note->given ? NULL : note->why;
}

/**
 * bpmu_choice_unflagged() - tell why the threshold of a chosen metric is not used
 * @choice: the requested metrics, from bpmu_choice_load()
 * @i: index of the metric in @choice->lines
 *
 * Return: the reason; NULL if the threshold is used, or if the metric has no threshold.
 */
const char *bpmu_choice_unflagged(const struct bpmu_choice *choice,
				  unsigned int i)
{
	if (choice->lines != &choice->vendor.metrics)
		return NULL;
	return choice->vendor.note[i].threshold;
}

/**
 * bpmu_choice_groups() - metric groups by which users can choose a metric
 * @choice: the requested metrics, from bpmu_choice_load()
 * @i: index of the metric in @choice->lines
 *
 * Return: names of the groups that the metric file lists, separated by semicolons; NULL if none.
 */
const char *bpmu_choice_groups(const struct bpmu_choice *choice,
			       unsigned int i)
{
	if (choice->lines != &choice->vendor.metrics)
		return choice->lines->metric[i].group;
	return choice->vendor.note[i].group;
}

/**
 * bpmu_choice_is_whole() - check if all chosen metrics can be measured
 * @choice: the requested metrics, from bpmu_choice_load()
 *
 * Return: true if bpmu_choice_report() has no metric to print.
 */
bool bpmu_choice_is_whole(const struct bpmu_choice *choice)
{
	unsigned int i;

	for (i = 0; i < choice->lines->nr; i++)
		if (choice->chosen[i] && bpmu_choice_refused(choice, i))
			return false;
	return true;
}

/**
 * bpmu_choice_report() - print which metrics of the user's choice cannot be measured
 * @choice: the requested metrics, from bpmu_choice_load(), or zeroed
 * @table: output and format
 * @row: fields of a CSV row of a measured metric, [@nr]; the field "metric" is set to the name of
 *	each metric that is printed
 * @nr: number of fields
 */
void bpmu_choice_report(const struct bpmu_choice *choice,
			struct bpmu_table *table, struct bpmu_field *row,
			unsigned int nr)
{
	struct bpmu_table refused = {
		.out = table->out, .format = BPMU_JSON, .type = "refused",
	};
	struct bpmu_field fields[] = {
		{ "metric", .form = BPMU_FIELD_TEXT },
		{ "why", .form = BPMU_FIELD_TEXT },
	};
	struct bpmu_field *at = row;
	const char *name;
	const char *why;
	unsigned int i;

	while (strcmp(at->name, "metric"))
		at++;
	for (i = 0; choice->lines && i < choice->lines->nr; i++) {
		name = choice->lines->metric[i].name;
		why = bpmu_choice_refused(choice, i);
		if (!why || !choice->chosen[i])
			continue;
		if (table->format == BPMU_TEXT) {
			fprintf(table->out, "  %s: not measured, %s\n", name,
				why);
		} else if (table->format == BPMU_JSON) {
			fields[0].text = name;
			fields[1].text = why;
			bpmu_table_row(&refused, fields, ARRAY_SIZE(fields));
		} else {
			at->text = name;
			bpmu_table_row(table, row, nr);
		}
	}
}

/**
 * bpmu_choice_free() - free the options that choose metrics, and the loaded metrics
 * @choice: options in any state, also zeroed or after an error of another function
 *
 * Pointers to events of the files that the options name become invalid.
 */
void bpmu_choice_free(struct bpmu_choice *choice)
{
	bpmu_metrics_free(&choice->own);
	bpmu_vendor_free(&choice->vendor);
	free(choice->chosen);
	free(choice->names);
	memset(choice, 0, sizeof(*choice));
}
