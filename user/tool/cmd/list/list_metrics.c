// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "list.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"
#include "metric/metric_unit.h"

#define EVENTS_MAX 64

/**
 * struct names - set of names of events
 * @name: the names, without duplicates, [@nr]
 * @nr: number of names
 */
struct names {
	const char *name[EVENTS_MAX];
	unsigned int nr;
};

/**
 * struct columns - a metric as "barepmu list metrics" prints it
 * @level: level in the metric tree
 * @formula: formula of the metric
 * @threshold: condition under which a value is flagged, "" for none
 * @events: events that the expression needs, separated by blanks
 * @errata: errata that affect @events, separated by blanks
 * @source: name of the method, or of the file, that has the metric
 * @version: version of a published tree, or NULL
 * @groups: groups of a vendor's metric, or NULL
 * @refused: reason why the metric cannot be measured, or NULL
 * @unflagged: reason why the metric's threshold is not used, so that the metric is never flagged;
 *	or NULL
 * @paper: whether the node of the tree in the Top-Down paper has the same formula, from
 *	bpmu_list_paper(); or NULL
 */
struct columns {
	char level[12];
	char *formula;
	char *threshold;
	char *events;
	char errata[BPMU_ERRATA_WORDS];
	const char *source;
	const char *version;
	const char *groups;
	const char *refused;
	const char *unflagged;
	char *paper;
};

static void list_metrics_add(struct names *names, const char *name)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		if (!strcmp(names->name[i], name))
			return;
	if (names->nr < EVENTS_MAX)
		names->name[names->nr++] = name;
}

static void list_metrics_add_events(struct names *names, const struct bpmu_metrics *metrics,
				    const struct bpmu_expr *expr)
{
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		if (i >= 0)
			list_metrics_add_events(names, metrics, metrics->metric[i].expr);
		else if (bpmu_metric_constant(expr->name) < 0)
			list_metrics_add(names, expr->name);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		list_metrics_add_events(names, metrics, expr->arg[i]);
}

static void list_metrics_print_names(FILE *out, const struct names *names)
{
	unsigned int i;

	for (i = 0; i < names->nr; i++)
		fprintf(out, "%s%s", i ? " " : "", names->name[i]);
}

/*
 * A function that writes a text about metric number @i, such as its formula or its events, to @out
 */
typedef void writer(FILE *out, const struct bpmu_list *list,
		    const struct bpmu_metrics *metrics, unsigned int i);

static void write_formula(FILE *out, const struct bpmu_list *list,
			  const struct bpmu_metrics *metrics, unsigned int i)
{
	(void)list;
	bpmu_expr_print(out, metrics->metric[i].expr);
}

static void write_threshold(FILE *out, const struct bpmu_list *list,
			    const struct bpmu_metrics *metrics, unsigned int i)
{
	(void)list;
	if (metrics->metric[i].flag)
		bpmu_expr_print(out, metrics->metric[i].flag);
}

static void write_events(FILE *out, const struct bpmu_list *list,
			 const struct bpmu_metrics *metrics, unsigned int i)
{
	struct names names = { .nr = 0 };

	(void)list;
	list_metrics_add_events(&names, metrics, metrics->metric[i].expr);
	list_metrics_print_names(out, &names);
}

static char *list_metrics_text_of(writer *write, const struct bpmu_list *list,
				  const struct bpmu_metrics *metrics, unsigned int i)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	write(out, list, metrics, i);
	fclose(out);
	return text;
}

static void list_metrics_fill(const struct bpmu_list *list,
			      const struct bpmu_metrics *metrics, unsigned int i,
			      struct columns *columns)
{
	columns->formula = list_metrics_text_of(write_formula, list, metrics, i);
	columns->threshold = list_metrics_text_of(write_threshold, list, metrics, i);
	columns->events = list_metrics_text_of(write_events, list, metrics, i);
}

static void list_metrics_row(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			     const struct bpmu_metric *metric, const struct columns *columns)
{
	static const struct bpmu_column column[] = {
		{ "metric", -30, .before = "  ", .after = " " },
		{ "level", -2, .after = " " },
		{ "unit", -7, .after = " " },
		{ "description" },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(column);
	const char *parent = metric->parent < 0 ? NULL :
			     metrics->metric[metric->parent].name;
	const struct bpmu_field fields[] = {
		{ "metric", metric->name },
		{ "level", columns->level, BPMU_FIELD_DIGITS },
		{ "parent", parent },
		{ "unit", metric->unit },
		{ "formula", columns->formula },
		{ "threshold", columns->threshold },
		{ "events", columns->events, BPMU_FIELD_EVENTS },
		{ "errata", columns->errata, BPMU_FIELD_WORDS },
		{ "source", columns->source },
		{ "version", columns->version },
		{ "description", metric->text },
		{ "refused", columns->refused },
		{ "no_threshold", columns->unflagged },
		{ "paper", columns->paper },
	};

	bpmu_list_row(list, "metric", &text, fields, ARRAY_SIZE(fields));
}

/* Prints the lines that list -v has below the row of a metric. */
static void list_metrics_details(const struct bpmu_metric *metric, const struct columns *columns)
{
	bpmu_list_detail("formula", columns->formula);
	bpmu_list_detail("threshold", columns->threshold);
	bpmu_list_detail("events", columns->events);
	bpmu_list_detail("errata", columns->errata);
	bpmu_list_detail("next", metric->next);
	bpmu_list_detail("source", columns->source);
	bpmu_list_detail("version", columns->version);
	bpmu_list_detail("groups", columns->groups);
	bpmu_list_detail("refused", columns->refused);
	bpmu_list_detail("no threshold", columns->unflagged);
	bpmu_list_detail("paper", columns->paper);
}

/*
 * Prints metric number @i. With -v, details follow, which include @errata, the errata of the
 * metric's events. If @errata is NULL, no details are printed.
 */
static void list_metrics_print(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			       unsigned int i, const char *source,
			       const struct bpmu_errata *errata)
{
	struct columns columns = { .source = source };

	snprintf(columns.level, sizeof(columns.level), "%u", metrics->metric[i].level);
	if (!errata) {
		list_metrics_row(list, metrics, &metrics->metric[i], &columns);
		return;
	}
	bpmu_errata_words(errata, columns.errata);
	list_metrics_fill(list, metrics, i, &columns);
	columns.version = bpmu_metric_version(metrics, i);
	columns.groups = metrics->metric[i].group;
	if (metrics == list->choice.lines) {
		columns.groups = bpmu_choice_groups(&list->choice, i);
		columns.refused = bpmu_choice_refused(&list->choice, i);
		columns.unflagged = bpmu_choice_unflagged(&list->choice, i);
	}
	if (!strcmp(source, "tma"))
		columns.paper = bpmu_list_paper(list, metrics, i);
	list_metrics_row(list, metrics, &metrics->metric[i], &columns);
	if (list->format == BPMU_TEXT)
		list_metrics_details(&metrics->metric[i], &columns);
	free(columns.formula);
	free(columns.threshold);
	free(columns.events);
	free(columns.paper);
}

/*
 * Returns true if a metric is to be printed: the user's pattern matches its name, its description,
 * its groups, or words that describe its unit.
 */
static bool wants_metric(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			 unsigned int i)
{
	const struct bpmu_metric *metric = &metrics->metric[i];
	const char *groups = metric->group;
	char text[1024];

	if (list->choice.lines == metrics)
		groups = bpmu_choice_groups(&list->choice, i);
	snprintf(text, sizeof(text), "%s (%s; %s)", metric->text ?: "", groups ?: "",
		 bpmu_unit_words(metric->unit) ?: "");
	return bpmu_list_wants(list, metric->name, text);
}

static int print_all(struct bpmu_list *list, const struct bpmu_metrics *metrics,
		     const char *source, struct bpmu_error *err)
{
	struct bpmu_errata *errata = NULL;
	unsigned int i;

	if (list->format != BPMU_TEXT || list->verbose) {
		errata = bpmu_errata_of_metrics(&list->cpu, metrics);
		if (!errata)
			return bpmu_error_no_memory(err, "errata");
	}
	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].level && wants_metric(list, metrics, i))
			list_metrics_print(list, metrics, i, source, errata ? &errata[i] : NULL);
	free(errata);
	return 0;
}

/**
 * bpmu_list_metrics() - list all metrics that the tool has for a CPU model, or those of files
 * @list: state of "barepmu list"
 *
 * Return: 0, or the errors of bpmu_metrics_builtin().
 */
int bpmu_list_metrics(struct bpmu_list *list, struct bpmu_error *err)
{
	static const char *const methods[] = {
		"topdown", "phi", "cpistack", "itanium2", "basic",
		"power", "groups", "tma"
	};
	struct bpmu_metrics metrics;
	size_t i;
	int ret;

	if (list->choice.lines)
		return print_all(list, list->choice.lines, list->choice.path[0], err);
	for (i = 0; i < ARRAY_SIZE(methods); i++) {
		metrics = (struct bpmu_metrics){ .latency = list->choice.vendor.latency };
		ret = bpmu_metrics_join(&metrics, methods[i], list->cpu.part, err);
		if (!ret)
			ret = print_all(list, &metrics, methods[i], err);
		bpmu_metrics_free(&metrics);
		if (ret && ret != -ENOENT)
			return ret;
	}
	return 0;
}
