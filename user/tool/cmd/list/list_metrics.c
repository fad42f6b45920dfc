// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "list.h"
#include "metric/metric.h"
#include "metric/metric_constant.h"
#include "metric/metric_expr.h"

#define EVENTS_MAX 64

/**
 * struct names - events, each once
 * @name: their names
 * @nr: number of @name
 */
struct names {
	const char *name[EVENTS_MAX];
	unsigned int nr;
};

/**
 * struct words - columns of a metric in the listing
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

/* where Intel's Top-Down tree and the paper's differ */

#define POINTS 8
/* Formulas that differ do so by more than this. */
#define CLOSE 0.000000001

/* Pairs of nodes that measure about the same; Intel's name comes first. */
static const char *const same[][2] = {
	{ "tma_frontend_bound", "Frontend_Bound" },
	{ "tma_fetch_latency", "Fetch_Latency_Bound" },
	{ "tma_branch_resteers", "Branch_Resteers" },
	{ "tma_icache_misses", "ICache_Misses" },
	{ "tma_itlb_misses", "ITLB_Misses" },
	{ "tma_fetch_bandwidth", "Fetch_Bandwidth_Bound" },
	{ "tma_mite", "MITE" },
	{ "tma_dsb", "DSB" },
	{ "tma_bad_speculation", "Bad_Speculation" },
	{ "tma_branch_mispredicts", "Branch_Mispredicts" },
	{ "tma_machine_clears", "Machine_Clears" },
	{ "tma_retiring", "Retiring" },
	{ "tma_light_operations", "BASE" },
	{ "tma_fp_arith", "FP_Arith" },
	{ "tma_x87_use", "X87_Use" },
	{ "tma_fp_scalar", "FP_Scalar" },
	{ "tma_fp_vector", "FP_Vector" },
	{ "tma_microcode_sequencer", "MicroSequencer" },
	{ "tma_backend_bound", "Backend_Bound" },
	{ "tma_memory_bound", "Memory_Bound" },
	{ "tma_l1_bound", "L1_Bound" },
	{ "tma_l2_bound", "L2_Bound" },
	{ "tma_l3_bound", "L3_Bound" },
	{ "tma_dram_bound", "Ext_Memory_Bound" },
	{ "tma_mem_bandwidth", "MEM_Bandwidth" },
	{ "tma_mem_latency", "MEM_Latency" },
	{ "tma_store_bound", "Stores_Bound" },
	{ "tma_core_bound", "Core_Bound" },
	{ "tma_divider", "Divider" },
	{ "tma_ports_utilization", "Ports_Utilization" },
};

/**
 * struct point - made-up counts: of the same events the same
 * @list: state of the listing
 * @lines: of which method
 * @seed: what the counts are made of
 * @smt: whether threads share a core
 */
struct point {
	const struct bpmu_list *list;
	const struct bpmu_metrics *lines;
	u64 seed;
	int smt;
};

/* A count of about a million, by splitmix64 of the event. */
static double made_up_count(u64 seed)
{
	seed += 0x9e3779b97f4a7c15ULL;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebULL;
	return 500000 + (seed >> 44);
}

static struct bpmu_value made_up_value(void *ctx, const char *name)
{
	const struct point *point = ctx;
	int line = bpmu_metrics_find(point->lines, name);
	struct bpmu_value value = { .known = false };
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	double number = 0;
	unsigned int t;

	if (line >= 0)
		return bpmu_expr_eval(point->lines->metric[line].expr, made_up_value,
				      ctx);
	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(point->smt);
	if (bpmu_metric_constant(name) >= 0)
		return bpmu_value_of(2);
	if (bpmu_event_parse(&point->list->pmu, point->smt, name, &spec,
			     &ignored))
		return value;
	for (t = 0; t < spec.nr; t++)
		number += spec.term[t].sign *
			  made_up_count(point->seed ^ spec.term[t].select << 8 ^
					spec.term[t].counters << 40 ^
					spec.term[t].unit);
	bpmu_event_free(&spec);
	return bpmu_value_of(number);
}

static bool differ(const struct bpmu_list *list,
		   const struct bpmu_metrics *tma, unsigned int i,
		   const struct bpmu_metrics *paper, unsigned int j)
{
	struct bpmu_value a, b;
	unsigned int n;

	for (n = 0; n < POINTS; n++) {
		struct point point = {
			.list = list, .lines = tma, .seed = n, .smt = n % 2,
		};

		a = bpmu_expr_eval(tma->metric[i].expr, made_up_value, &point);
		point.lines = paper;
		b = bpmu_expr_eval(paper->metric[j].expr, made_up_value, &point);
		if (a.known != b.known ||
		    (a.known && (a.number - b.number > CLOSE ||
				 b.number - a.number > CLOSE)))
			return true;
	}
	return false;
}

/*
 * What the paper's method has in place of a node of Intel's tree: "Retiring is the same" or
 * "MITE differs: FORMULA", to be freed, or NULL if it has nothing.
 */
static char *list_paper(const struct bpmu_list *list,
			const struct bpmu_metrics *tma, unsigned int i)
{
	struct bpmu_metrics paper;
	struct bpmu_error ignored;
	const char *name = NULL;
	char *text = NULL;
	size_t size;
	size_t n;
	FILE *out;
	int j = -1;

	for (n = 0; n < ARRAY_SIZE(same); n++)
		if (!strcmp(same[n][0], tma->metric[i].name))
			name = same[n][1];
	if (!name)
		return NULL;
	if (!bpmu_metrics_builtin(&paper, "topdown", list->cpu.part, &ignored))
		j = bpmu_metrics_find(&paper, name);
	out = j < 0 ? NULL : open_memstream(&text, &size);
	if (out) {
		if (differ(list, tma, i, &paper, j)) {
			fprintf(out, "%s differs: ", name);
			bpmu_expr_print(out, paper.metric[j].expr);
		} else {
			fprintf(out, "%s is the same", name);
		}
		fclose(out);
	}
	bpmu_metrics_free(&paper);
	return text;
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
		words.paper = list_paper(list, metrics, i);
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
 * @list: state of the listing
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
