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

#define EVENTS_MAX 64

/**
 * struct names - events, each once
 * @name: their names
 * @nr: how many
 */
struct names {
	const char *name[EVENTS_MAX];
	unsigned int nr;
};

/**
 * struct words - what is made of a metric
 * @level: its level
 * @formula: its expression
 * @threshold: of its flag, empty without one
 * @events: that its expression comes down to, blanks between
 * @errata: that touch these
 * @source: method or file
 * @groups: of a vendor's metric, or NULL
 * @refused: why it cannot be measured, or NULL
 * @unflagged: why its threshold is not used, or NULL
 * @paper: what the paper's method has in its place, or NULL
 */
struct words {
	char level[12];
	char *formula;
	char *threshold;
	char *events;
	char *errata;
	const char *source;
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

/* Writes one of the texts of a metric to a new string. */
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

static void write_errata(FILE *out, const struct bpmu_list *list,
			 const struct bpmu_metrics *metrics, unsigned int i)
{
	struct bpmu_errata errata = { .nr = 0 };
	char words[BPMU_ERRATA_WORDS];

	bpmu_errata_of_metric(&list->cpu, metrics, i, &errata);
	bpmu_errata_words(&errata, words);
	fputs(words, out);
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
			      struct words *words)
{
	snprintf(words->level, sizeof(words->level), "%u",
		 metrics->metric[i].level);
	words->formula = list_metrics_text_of(write_formula, list, metrics, i);
	words->threshold = list_metrics_text_of(write_threshold, list, metrics, i);
	words->events = list_metrics_text_of(write_events, list, metrics, i);
	words->errata = list_metrics_text_of(write_errata, list, metrics, i);
}

static void list_metrics_row(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			     const struct bpmu_metric *metric, const struct words *words)
{
	const char *parent = metric->parent < 0 ? NULL :
			     metrics->metric[metric->parent].name;
	const struct bpmu_field fields[] = {
		{ "metric", metric->name },
		{ "level", words->level, BPMU_FIELD_DIGITS },
		{ "parent", parent },
		{ "unit", metric->unit },
		{ "formula", words->formula },
		{ "threshold", words->threshold },
		{ "events", words->events, BPMU_FIELD_WORDS },
		{ "errata", words->errata, BPMU_FIELD_WORDS },
		{ "source", words->source },
		{ "description", metric->text },
		{ "refused", words->refused },
		{ "no_threshold", words->unflagged },
		{ "paper", words->paper },
	};

	bpmu_list_row(list, "metric", fields, ARRAY_SIZE(fields));
}

static void list_metrics_text(const struct bpmu_list *list, const struct bpmu_metric *metric,
			      const struct words *words)
{
	printf("  %-30s %-2s %-7s %s\n", metric->name, words->level,
	       metric->unit ? metric->unit : "",
	       metric->text ? metric->text : "");
	if (!list->verbose)
		return;
	bpmu_list_detail("formula", words->formula);
	bpmu_list_detail("threshold", words->threshold);
	bpmu_list_detail("events", words->events);
	bpmu_list_detail("errata", words->errata);
	bpmu_list_detail("next", metric->next);
	bpmu_list_detail("source", words->source);
	bpmu_list_detail("groups", words->groups);
	bpmu_list_detail("refused", words->refused);
	bpmu_list_detail("no threshold", words->unflagged);
	bpmu_list_detail("paper", words->paper);
}

static void list_metrics_print(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			       unsigned int i, const char *source)
{
	struct words words = { .source = source };

	list_metrics_fill(list, metrics, i, &words);
	words.groups = metrics->metric[i].group;
	if (metrics == list->choice.lines) {
		words.groups = bpmu_choice_groups(&list->choice, i);
		words.refused = bpmu_choice_refused(&list->choice, i);
		words.unflagged = bpmu_choice_unflagged(&list->choice, i);
	}
	if (!strcmp(source, "tma"))
		words.paper = bpmu_list_paper(list, metrics, i);
	if (list->format == BPMU_TEXT)
		list_metrics_text(list, &metrics->metric[i], &words);
	else
		list_metrics_row(list, metrics, &metrics->metric[i], &words);
	free(words.formula);
	free(words.threshold);
	free(words.events);
	free(words.errata);
	free(words.paper);
}

static void print_all(struct bpmu_list *list,
		      const struct bpmu_metrics *metrics, const char *source)
{
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].level &&
		    bpmu_list_wants(list, metrics->metric[i].name))
			list_metrics_print(list, metrics, i, source);
}

/**
 * bpmu_list_metrics() - the nodes of the part's methods, or of files
 * @list: the call
 * @err: set on failure
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

	if (list->choice.lines) {
		print_all(list, list->choice.lines, list->choice.path[0]);
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(methods); i++) {
		ret = bpmu_metrics_builtin(&metrics, methods[i],
					   list->cpu.part, err);
		if (!ret)
			print_all(list, &metrics, methods[i]);
		bpmu_metrics_free(&metrics);
		if (ret && ret != -ENOENT)
			return ret;
	}
	return 0;
}
