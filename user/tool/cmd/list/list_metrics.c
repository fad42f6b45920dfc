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
 * struct names - distinct events
 * @name: names of the events, [@nr]
 * @nr: number of events
 */
struct names {
	const char *name[EVENTS_MAX];
	unsigned int nr;
};

/**
 * struct columns - columns of a metric in the listing
 * @level: level in the tree
 * @formula: expression
 * @threshold: condition of the flag, empty for none
 * @events: events that the expression needs, separated by blanks
 * @errata: errata that affect @events
 * @source: method or file
 * @groups: groups of a vendor's metric, or NULL
 * @refused: reason why it cannot be measured, or NULL
 * @unflagged: reason why its threshold is not used, or NULL
 * @paper: comparison with the paper's node, see list_paper(), or NULL
 */
struct columns {
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
			      struct columns *columns)
{
	snprintf(columns->level, sizeof(columns->level), "%u",
		 metrics->metric[i].level);
	columns->formula = list_metrics_text_of(write_formula, list, metrics, i);
	columns->threshold = list_metrics_text_of(write_threshold, list, metrics, i);
	columns->events = list_metrics_text_of(write_events, list, metrics, i);
	columns->errata = list_metrics_text_of(write_errata, list, metrics, i);
}

static void list_metrics_row(struct bpmu_list *list, const struct bpmu_metrics *metrics,
			     const struct bpmu_metric *metric, const struct columns *columns)
{
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
		{ "description", metric->text },
		{ "refused", columns->refused },
		{ "no_threshold", columns->unflagged },
		{ "paper", columns->paper },
	};

	bpmu_list_row(list, "metric", fields, ARRAY_SIZE(fields));
}

static void list_metrics_text(const struct bpmu_list *list, const struct bpmu_metric *metric,
			      const struct columns *columns)
{
	printf("  %-30s %-2s %-7s %s\n", metric->name, columns->level,
	       metric->unit ? metric->unit : "",
	       metric->text ? metric->text : "");
	if (!list->verbose)
		return;
	bpmu_list_detail("formula", columns->formula);
	bpmu_list_detail("threshold", columns->threshold);
	bpmu_list_detail("events", columns->events);
	bpmu_list_detail("errata", columns->errata);
	bpmu_list_detail("next", metric->next);
	bpmu_list_detail("source", columns->source);
	bpmu_list_detail("groups", columns->groups);
	bpmu_list_detail("refused", columns->refused);
	bpmu_list_detail("no threshold", columns->unflagged);
	bpmu_list_detail("paper", columns->paper);
}

/*
 * Differences between Intel's Top-Down tree and the paper's: both formulas are evaluated
 * for several sets of synthetic counts.
 */

#define SYNTHETIC_SETS 8
/* rounding error of equal formulas is below this */
#define TOLERANCE 0.000000001

/* nodes of Intel's tree and their equivalents in the paper's */
static const char *const equivalent[][2] = {
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
 * struct synthetic - synthetic counts; both methods get the same for the same event
 * @list: state of the listing
 * @lines: metrics of the method
 * @seed: seed of the counts
 * @smt: whether threads share a core
 */
struct synthetic {
	const struct bpmu_list *list;
	const struct bpmu_metrics *lines;
	u64 seed;
	int smt;
};

/* a count from 0.5 to 1.6 million, by splitmix64 of the event */
static double synthetic_count(u64 seed)
{
	seed += 0x9e3779b97f4a7c15ULL;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebULL;
	return 500000 + (seed >> 44);
}

static struct bpmu_value synthetic_value(void *ctx, const char *name)
{
	const struct synthetic *synthetic = ctx;
	int line = bpmu_metrics_find(synthetic->lines, name);
	struct bpmu_value value = { .known = false };
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	double number = 0;
	unsigned int t;

	if (line >= 0)
		return bpmu_expr_eval(synthetic->lines->metric[line].expr, synthetic_value,
				      ctx);
	if (bpmu_metric_constant(name) == BPMU_CONSTANT_SMT)
		return bpmu_value_of(synthetic->smt);
	if (bpmu_metric_constant(name) >= 0)
		return bpmu_value_of(2);
	if (bpmu_event_parse(&synthetic->list->pmu, synthetic->smt, name, &spec,
			     &ignored))
		return value;
	for (t = 0; t < spec.nr; t++)
		number += spec.term[t].sign *
			  synthetic_count(synthetic->seed ^ spec.term[t].select << 8 ^
					  spec.term[t].counters << 40 ^
					  spec.term[t].unit);
	bpmu_event_free(&spec);
	return bpmu_value_of(number);
}

static bool formulas_differ(const struct bpmu_list *list,
			    const struct bpmu_metrics *tma, unsigned int i,
			    const struct bpmu_metrics *paper, unsigned int j)
{
	struct bpmu_value a, b;
	unsigned int n;

	for (n = 0; n < SYNTHETIC_SETS; n++) {
		struct synthetic synthetic = {
			.list = list, .lines = tma, .seed = n, .smt = n % 2,
		};

		a = bpmu_expr_eval(tma->metric[i].expr, synthetic_value, &synthetic);
		synthetic.lines = paper;
		b = bpmu_expr_eval(paper->metric[j].expr, synthetic_value, &synthetic);
		if (a.known != b.known ||
		    (a.known && (a.number - b.number > TOLERANCE ||
				 b.number - a.number > TOLERANCE)))
			return true;
	}
	return false;
}

/*
 * Compares a node of Intel's tree with its equivalent in the paper's: "Retiring is the
 * same" or "MITE differs: FORMULA", to be freed, or NULL without an equivalent.
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

	for (n = 0; n < ARRAY_SIZE(equivalent); n++)
		if (!strcmp(equivalent[n][0], tma->metric[i].name))
			name = equivalent[n][1];
	if (!name)
		return NULL;
	if (!bpmu_metrics_builtin(&paper, "topdown", list->cpu.part, &ignored))
		j = bpmu_metrics_find(&paper, name);
	out = j < 0 ? NULL : open_memstream(&text, &size);
	if (out) {
		if (formulas_differ(list, tma, i, &paper, j)) {
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
	struct columns columns = { .source = source };

	list_metrics_fill(list, metrics, i, &columns);
	columns.groups = metrics->metric[i].group;
	if (metrics == list->choice.lines) {
		columns.groups = bpmu_choice_groups(&list->choice, i);
		columns.refused = bpmu_choice_refused(&list->choice, i);
		columns.unflagged = bpmu_choice_unflagged(&list->choice, i);
	}
	if (!strcmp(source, "tma"))
		columns.paper = list_paper(list, metrics, i);
	if (list->format == BPMU_TEXT)
		list_metrics_text(list, &metrics->metric[i], &columns);
	else
		list_metrics_row(list, metrics, &metrics->metric[i], &columns);
	free(columns.formula);
	free(columns.threshold);
	free(columns.events);
	free(columns.errata);
	free(columns.paper);
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
 * bpmu_list_metrics() - list the metrics of the part's methods, or of files
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
