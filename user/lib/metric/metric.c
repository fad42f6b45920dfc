// SPDX-License-Identifier: GPL-2.0
#include "metric.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/plain.h"
#include "event/event.h"
#include "event/event_name.h"
#include "metric_constant.h"
#include "metric_expr.h"
#include "metric_unit.h"

#define HEIGHT_MAX 1000
#define SIZE_LIMIT 100000
#define TOTAL_LIMIT 1000000
#define CYCLE_LENGTH 300
/*
 * Files of published metric trees have definitions "retire_latency.EVENT": the mean retire latency,
 * in cycles, of instructions that cause EVENT. All names of these definitions begin so.
 */
#define LATENCY "retire_latency."

enum state {
	STATE_NEW,
	STATE_OPEN,
	STATE_DONE
};

/**
 * struct shape - size of a formula in which names are replaced by the formulas they stand for
 * @state: whether the size is not yet computed, is being computed, or is known, &enum state
 * @height: depth of the expression tree
 * @size: number of nodes of the tree
 */
struct shape {
	enum state state;
	unsigned int height;
	unsigned int size;
};

/**
 * struct walk - depth-first traversal of metrics and definitions: from each to those it names
 * @metrics: all metrics and definitions (lines of metric files)
 * @shape: [line], size of the line's formula
 * @path: [@nr], indices of the lines from the start of the traversal to the present line
 * @nr: length of @path
 * @height: sum of the depths of the formulas of the lines in @path
 * @err: set on failure
 */
struct walk {
	const struct bpmu_metrics *metrics;
	struct shape *shape;
	unsigned int *path;
	unsigned int nr;
	unsigned int height;
	struct bpmu_error *err;
};

/*
 * Sets the error for a cycle of definitions: formula @expr names line @to (a metric or definition),
 * through whose own formula @expr was reached.
 */
static int refuse_cycle(const struct walk *w, const struct bpmu_expr *expr,
			unsigned int to)
{
	const struct bpmu_metric *metric = w->metrics->metric;
	char names[CYCLE_LENGTH];
	size_t len = 0;
	unsigned int i;

	for (i = 0; w->path[i] != to; i++)
		;
	for (; i < w->nr && len < sizeof(names); i++)
		len += snprintf(names + len, sizeof(names) - len, "%s -> ",
				metric[w->path[i]].name);
	i = w->path[w->nr - 1];
	bpmu_metrics_error(w->metrics, metric[i].file, expr->offset, w->err,
			   "defined by itself, %s%s; break the cycle", names,
			   metric[to].name);
	return -ELOOP;
}

static int metric_visit(struct walk *w, unsigned int i);

static int visit_name(struct walk *w, const struct bpmu_expr *expr,
		      struct shape *shape)
{
	int i = bpmu_metrics_find(w->metrics, expr->name);
	int ret;

	if (i < 0)
		return 0;
	if (w->shape[i].state == STATE_OPEN)
		return refuse_cycle(w, expr, i);
	ret = metric_visit(w, i);
	*shape = w->shape[i];
	return ret;
}

static int visit_expr(struct walk *w, const struct bpmu_expr *expr,
		      struct shape *shape)
{
	struct shape inner = { .height = 0 };
	int ret = 0;
	int i;

	shape->height = 0;
	shape->size = 1;
	if (++w->height > HEIGHT_MAX)
		return -E2BIG;
	if (expr->op == BPMU_EXPR_NAME)
		ret = visit_name(w, expr, shape);
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++) {
		ret = visit_expr(w, expr->arg[i], &inner);
		shape->size += inner.size;
		if (inner.height > shape->height)
			shape->height = inner.height;
	}
	if (!ret && (w->height + shape->height > HEIGHT_MAX ||
		     shape->size > SIZE_LIMIT))
		ret = -E2BIG;
	shape->height++;
	w->height--;
	return ret;
}

static int metric_visit(struct walk *w, unsigned int i)
{
	const struct bpmu_metric *metric = &w->metrics->metric[i];
	struct shape shape = { .height = 0 };
	int ret;

	if (w->shape[i].state == STATE_DONE)
		return 0;
	w->shape[i].state = STATE_OPEN;
	w->path[w->nr++] = i;
	ret = visit_expr(w, metric->expr, &shape);
	w->nr--;
	w->shape[i] = shape;
	w->shape[i].state = STATE_DONE;
	return ret;
}

static int check_shapes(struct walk *w)
{
	const struct bpmu_metric *metric = w->metrics->metric;
	unsigned int total = 0;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < w->metrics->nr && !ret; i++) {
		ret = metric_visit(w, i);
		total += w->shape[i].size;
		if (!ret && total > TOTAL_LIMIT)
			ret = -E2BIG;
		if (ret == -E2BIG)
			bpmu_metrics_error(w->metrics, metric[i].file,
					   metric[i].offset, w->err,
					   "too much to compute with all names written out; define it by simpler lines");
	}
	return ret;
}

/**
 * metrics_check() - check that no formula depends on its own value, and that none is too large
 * @metrics: all lines (metrics and definitions)
 * @err: set on failure, with an excerpt of the file
 *
 * Return: 0, -ELOOP for cyclic definitions, -E2BIG if a formula is too large, -ENOMEM.
 */
static int metrics_check(const struct bpmu_metrics *metrics,
			 struct bpmu_error *err)
{
	struct walk w = { .metrics = metrics, .err = err };
	int ret;

	w.shape = calloc(metrics->nr + 1, sizeof(*w.shape));
	w.path = calloc(metrics->nr + 1, sizeof(*w.path));
	if (w.shape && w.path)
		ret = check_shapes(&w);
	else
		ret = bpmu_error_no_memory(err, "metrics");
	free(w.shape);
	free(w.path);
	return ret;
}

static int unknown_name(const struct bpmu_metrics *metrics, unsigned int file,
			const struct bpmu_part *part,
			const struct bpmu_expr *expr, struct bpmu_error *err)
{
	size_t len = strcspn(expr->name, ":[/");
	char *name = strndup(expr->name, len);
	struct bpmu_nearest nearest = { .typed = name ? name : "" };
	char list[BPMU_NEAREST_LIST];
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		bpmu_nearest_offer(&nearest, metrics->metric[i].name);
	bpmu_event_nearest(part, &nearest);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	bpmu_metrics_error(metrics, file, expr->offset, err,
			   "'%s' is neither a line nor an event of %s; %s%s%s",
			   expr->name, part->name, nearest.nr ?
			   "did you mean " : "see 'barepmu list'", list,
			   nearest.nr ? "?" : "");
	free(name);
	return -ENOENT;
}

static int check_names(const struct bpmu_metrics *metrics, unsigned int file,
		       const struct bpmu_pmu *pmu, const struct bpmu_expr *expr,
		       struct bpmu_error *err)
{
	struct bpmu_event_spec spec;
	struct bpmu_error inner;
	int ret = 0;
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = check_names(metrics, file, pmu, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME ||
	    bpmu_metric_constant(expr->name) >= 0 ||
	    bpmu_metrics_find(metrics, expr->name) >= 0)
		return ret;
	ret = bpmu_event_parse(pmu, 0, expr->name, &spec, &inner);
	if (!ret)
		bpmu_event_free(&spec);
	if (ret == -ENOENT)
		return unknown_name(metrics, file, pmu->part, expr, err);
	if (ret != -EINVAL && ret != -ERANGE)
		return 0;
	bpmu_metrics_error(metrics, file, expr->offset, err, "%s", inner.text);
	return ret;
}

/*
 * Sets the error if the condition under which a node is flagged has a name that is not the name of
 * a node of the tree.
 */
static int check_flag(const struct bpmu_metrics *metrics,
		      unsigned int file, const struct bpmu_expr *expr,
		      struct bpmu_error *err)
{
	struct bpmu_nearest nearest = { .typed = expr->name };
	char list[BPMU_NEAREST_LIST];
	unsigned int k;
	int ret = 0;
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !ret; i++)
		ret = check_flag(metrics, file, expr->arg[i], err);
	if (ret || expr->op != BPMU_EXPR_NAME ||
	    bpmu_metric_constant(expr->name) >= 0)
		return ret;
	i = bpmu_metrics_find(metrics, expr->name);
	if (i >= 0 && metrics->metric[i].level)
		return 0;
	for (k = 0; k < metrics->nr; k++)
		if (metrics->metric[k].level)
			bpmu_nearest_offer(&nearest, metrics->metric[k].name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	bpmu_metrics_error(metrics, file, expr->offset, err,
			   "'%s' is no node, as a flag needs; %s%s%s",
			   expr->name, nearest.nr ? "did you mean " :
			   "name one of the tree", list, nearest.nr ? "?" : "");
	return -ENOENT;
}

/**
 * metrics_check_names() - check that all names in a file's formulas are known
 * @metrics: all lines (metrics and definitions) of all files
 * @file: index of the file to check
 * @part: descriptor of the CPU model whose events formulas can use
 * @err: set on failure, with an excerpt
 *
 * This function does not check that the PMU can count the events, because the file may be meant for
 * another machine.
 *
 * Return: 0; -ENOENT for a name that is neither a metric nor a definition nor an event, or if the
 * condition under which a node is flagged has a name that is not a node; -EINVAL or -ERANGE for an
 * invalid filter of an event.
 */
static int metrics_check_names(const struct bpmu_metrics *metrics,
			       unsigned int file, const struct bpmu_part *part,
			       struct bpmu_error *err)
{
	const struct bpmu_cpuid none = { .eax = 0 };
	const struct bpmu_metric *m;
	struct bpmu_pmu pmu;
	unsigned int i;
	int ret = 0;

	bpmu_pmu_init(&pmu, part, &none, BPMU_CORE_ANY);
	for (i = 0; i < metrics->nr && !ret; i++) {
		m = &metrics->metric[i];
		if (m->file == file)
			ret = check_names(metrics, file, &pmu, m->expr, err);
		if (!ret && m->flag && m->flag_file == file)
			ret = check_flag(metrics, file, m->flag, err);
	}
	return ret;
}

/*
 * Checks if the CPU model's table of events has the event @name; filters behind the name are
 * ignored.
 */
static bool has_row(const struct bpmu_part *part, const char *name)
{
	char *bare;
	bool has;

	if (bpmu_event_row(part, name))
		return true;
	bare = strndup(name, strcspn(name, ":"));
	has = bare && bpmu_event_row(part, bare);
	free(bare);
	return has;
}

static bool is_merged(const struct bpmu_part *part, const char *name)
{
	return part->merged_name && !strcmp(part->merged_name, name);
}

/*
 * Checks if an event needs two merged counters (because it occurs too often for one counter) on
 * another CPU model of AMD, but not on this one.
 */
static bool is_merged_elsewhere(const char *name, const struct bpmu_part *part)
{
	const struct bpmu_part *other;
	unsigned int i;

	if (part->merged_name)
		return false;
	for (i = 0; (other = bpmu_part_at(i)); i++)
		if (is_merged(other, name))
			return true;
	return false;
}

/*
 * Returns the first event of a formula that the CPU model lacks, NULL if it has all events. The
 * formulas of metrics and definitions that the formula names are searched, too. For either(A, B)
 * the CPU model must have all events of A or all events of B. If it has neither, the returned event
 * is the one of B. If that event would need merged counters on other CPU models, the returned event
 * is the one of A instead.
 */
static const char *unknown_event(const struct bpmu_metrics *metrics,
				 const struct bpmu_expr *expr,
				 const struct bpmu_part *part)
{
	const char *name = NULL;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		if (i >= 0)
			return unknown_event(metrics, metrics->metric[i].expr,
					     part);
		return bpmu_metric_constant(expr->name) >= 0 ||
		       has_row(part, expr->name) ? NULL : expr->name;
	}
	if (expr->op == BPMU_EXPR_EITHER &&
	    !unknown_event(metrics, expr->arg[0], part))
		return NULL;
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !name; i++)
		if (expr->op != BPMU_EXPR_EITHER || i)
			name = unknown_event(metrics, expr->arg[i], part);
	if (name && expr->op == BPMU_EXPR_EITHER && is_merged_elsewhere(name, part))
		return unknown_event(metrics, expr->arg[0], part);
	return name;
}

/* Replaces each either(A, B) in @expr by A if the CPU model has all events of A, else by B. */
static void choose_either(const struct bpmu_metrics *metrics,
			  struct bpmu_expr *expr, const struct bpmu_part *part)
{
	int i;

	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i]; i++)
		choose_either(metrics, expr->arg[i], part);
	if (expr->op == BPMU_EXPR_EITHER)
		bpmu_expr_take(expr, unknown_event(metrics, expr->arg[0],
						   part) != NULL);
}

/*
 * Sets @missing[i] to true if metric or definition i needs an event that the CPU model lacks, for i
 * from @first on; to false if it does not.
 */
static void find_unknown(const struct bpmu_metrics *metrics,
			 const struct bpmu_part *part, unsigned int first,
			 bool *missing)
{
	for (; first < metrics->nr; first++)
		missing[first] = unknown_event(metrics,
					       metrics->metric[first].expr,
					       part);
}

static bool names_missing(const struct bpmu_metrics *metrics,
			  const struct bpmu_expr *expr, const bool *missing)
{
	int i;

	if (!expr)
		return false;
	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? !strcmp(expr->name, "none") : missing[i];
	}
	for (i = 0; i < BPMU_EXPR_ARGS; i++)
		if (names_missing(metrics, expr->arg[i], missing))
			return true;
	return false;
}

/*
 * Sets @missing[i] of each metric or definition i whose formula names "none" (no value), or another
 * metric or definition with @missing set. Unless @lift is true, it also sets @missing of all nodes
 * of the tree below a node with @missing set.
 */
static void find_missing(const struct bpmu_metrics *metrics, bool lift, bool *missing)
{
	const struct bpmu_metric *m;
	bool found = true;
	unsigned int i;

	while (found) {
		found = false;
		for (i = 0; i < metrics->nr; i++) {
			m = &metrics->metric[i];
			if (missing[i] ||
			    !((!lift && m->parent >= 0 && missing[m->parent]) ||
			      names_missing(metrics, m->expr, missing)))
				continue;
			missing[i] = true;
			found = true;
		}
	}
}

/*
 * Removes from a condition the operands of "or" that name a missing metric or definition (one that
 * the CPU model cannot count). Returns false if no operand is left, or if an operand of "and" names
 * a missing one: the condition is unknown then.
 */
static bool keep_known(const struct bpmu_metrics *metrics, struct bpmu_expr *flag,
		       const bool *missing)
{
	bool known[2];

	if (flag->op != BPMU_EXPR_OR)
		return !names_missing(metrics, flag, missing);
	known[0] = keep_known(metrics, flag->arg[0], missing);
	known[1] = keep_known(metrics, flag->arg[1], missing);
	if (known[0] != known[1])
		bpmu_expr_take(flag, known[1]);
	return known[0] || known[1];
}

/*
 * Checks if a node above node @m in the tree is missing, because the CPU model cannot count it.
 * Without that node's value @m has no meaning.
 */
static bool is_below_missing(const struct bpmu_metrics *metrics, const struct bpmu_metric *m,
			     const bool *missing)
{
	int above;

	for (above = m->parent; above >= 0; above = metrics->metric[above].parent)
		if (missing[above])
			return true;
	return false;
}

/*
 * A node is missing if the CPU model cannot count it. Moves each node below a missing node to the
 * nearest node above that is not missing, and removes the missing nodes from the conditions of
 * flags.
 */
static void lift_nodes(struct bpmu_metrics *metrics, const bool *missing)
{
	struct bpmu_metric *m;

	for (m = metrics->metric; m < metrics->metric + metrics->nr; m++) {
		if (!m->flag || (!is_below_missing(metrics, m, missing) &&
				 keep_known(metrics, m->flag, missing)))
			continue;
		bpmu_expr_free(m->flag);
		m->flag = NULL;
	}
	for (m = metrics->metric; m < metrics->metric + metrics->nr; m++) {
		if (!m->level || missing[m - metrics->metric])
			continue;
		while (m->parent >= 0 && missing[m->parent])
			m->parent = metrics->metric[m->parent].parent;
		m->extra |= m->level > 1 && m->parent < 0;
		m->level = m->parent < 0 ? 1 : metrics->metric[m->parent].level + 1;
	}
}

/* Adds the first line that is not in the hash table to it. The table has room. */
static void index_line(struct bpmu_metrics *metrics)
{
	unsigned int at = metrics->metric[metrics->indexed].key;

	while (metrics->slot[at & (metrics->slots - 1)])
		at++;
	metrics->slot[at & (metrics->slots - 1)] = ++metrics->indexed;
}

/*
 * Builds the hash table of the names of metrics and definitions again. If memory for the table is
 * lacking, bpmu_metrics_find() compares all names instead.
 */
static void metrics_index(struct bpmu_metrics *metrics)
{
	unsigned int slots = 16;

	while (slots < 2 * metrics->nr)
		slots *= 2;
	free(metrics->slot);
	metrics->slot = calloc(slots, sizeof(*metrics->slot));
	metrics->slots = metrics->slot ? slots : 0;
	metrics->indexed = 0;
	while (metrics->slot && metrics->indexed < metrics->nr)
		index_line(metrics);
}

/**
 * metrics_drop_missing() - drop the metrics and definitions that a CPU model cannot count
 * @metrics: lines (metrics and definitions) of metric files, without cycles
 * @part: descriptor of the CPU model; NULL to drop only lines whose value is "none"
 * @first: index of the first line to check for events that @part lacks
 * @lift: true to keep nodes below a dropped node and make them children of the dropped node's
 *	parent; false to drop them, too
 *
 * The function drops lines that need an event that the CPU model lacks, or a line whose value is
 * "none". The remaining lines keep their order.
 *
 * Return: 0 or -ENOMEM.
 */
static int metrics_drop_missing(struct bpmu_metrics *metrics,
				const struct bpmu_part *part, unsigned int first,
				bool lift, struct bpmu_error *err)
{
	struct bpmu_metric *all = metrics->metric;
	bool *missing = calloc(metrics->nr + 1, sizeof(*missing));
	struct bpmu_metrics dropped = {
		.metric = calloc(metrics->nr + 1, sizeof(*all)),
	};
	unsigned int nr = metrics->nr;
	unsigned int i;
	int parent;

	if (!missing || !dropped.metric) {
		free(missing);
		free(dropped.metric);
		return bpmu_error_no_memory(err, "metrics");
	}
	if (part)
		find_unknown(metrics, part, first, missing);
	find_missing(metrics, lift, missing);
	if (lift)
		lift_nodes(metrics, missing);
	metrics->nr = 0;
	for (i = 0; i < nr; i++) {
		if (missing[i]) {
			dropped.metric[dropped.nr++] = all[i];
			continue;
		}
		for (parent = all[i].parent; parent > 0; parent--)
			all[i].parent -= missing[parent - 1];
		all[metrics->nr++] = all[i];
	}
	metrics_index(metrics);
	bpmu_metrics_free(&dropped);
	free(missing);
	return 0;
}

static const struct bpmu_metric_file *metric_find_file(const char *name)
{
	const struct bpmu_metric_file *file;

	for (file = bpmu_metric_files; file->name; file++)
		if (!strcmp(file->name, name))
			return file;
	return NULL;
}

/*
 * Checks if a method (a set of metrics) is the same for all CPU models. On a CPU model, the method
 * has those metrics whose events the CPU model has.
 */
static bool is_common(const char *method)
{
	return !strcmp(method, "basic") || !strcmp(method, "power") ||
	       !strcmp(method, "groups");
}

static int metric_describe(struct bpmu_metrics *metrics,
			   const struct bpmu_metric_file *file, struct bpmu_error *err);

/*
 * Checks if a method (a set of metrics) has a separate tree for each CPU model. The file METHOD.bpm
 * of such a method only describes the nodes. The file METHOD.bpm of any other method has the tree,
 * and the file METHOD-PART.bpm defines the tree's events for a CPU model.
 */
static bool is_own(const char *method)
{
	return !strcmp(method, "tma");
}

/*
 * Reasons why some CPU models of Intel have no Top-Down tree. @parts is the beginning of the CPU
 * models' short names.
 */
static const struct {
	const char *parts;
	const char *why;
} without_tree[] = {
	{ "nhm", "before Sandy Bridge no event counts slots that were not delivered" },
	{ "wsm", "before Sandy Bridge no event counts slots that were not delivered" },
	{ "bnl", "its in-order core has no events of slots" },
	{ "cnl", "Intel has published no tree of it" },
	{ "lkf", "Intel has published no tree of it" },
	{ "nvl", "Intel has published no tree of it yet" },
	{ "dmr", "Intel has published no tree of it yet" },
	{ "knc", "its cores do not count slots, use 'barepmu phi'" },
	{ "arch", "architectural events do not tell it" },
};

static int refuse_topdown(const struct bpmu_part *part, struct bpmu_error *err)
{
	const char *why = "Intel's tree alone is there, use --method tma";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(without_tree); i++)
		if (!strncmp(part->name, without_tree[i].parts, strlen(without_tree[i].parts)))
			why = without_tree[i].why;
	return bpmu_error_set(err, -ENOENT,
			      "method 'topdown': not available on %s: %s; see 'barepmu list events' for what can be counted",
			      part->name, why);
}

/*
 * Sets the error for a method (a set of metrics) that the CPU model does not have, for example
 * because Intel has published no tree for it.
 */
static int refuse_method(const char *method, const struct bpmu_part *part,
			 struct bpmu_error *err)
{
	const bool amd = part->ids[0].vendor == BPMU_VENDOR_AMD;
	char name[64];

	snprintf(name, sizeof(name), "topdown-%s.bpm", part->name);
	if (is_own(method) && amd && metric_find_file(name))
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': is Intel's tree, and %s has AMD's; leave --method out",
				      method, part->name);
	if (amd && (is_own(method) || !strcmp(method, "topdown")))
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': AMD publishes no Top-Down metrics for %s, only from Zen 4 on; see 'barepmu list metrics' for others",
				      method, part->name);
	if (is_own(method))
		return bpmu_error_set(err, -ENOENT,
				      "method '%s': Intel publishes no metrics for %s; leave --method out",
				      method, part->name);
	if (!strcmp(method, "topdown"))
		return refuse_topdown(part, err);
	return bpmu_error_set(err, -ENOENT,
			      "method '%s': not available on %s; see 'barepmu list events' for what can be counted",
			      method, part->name);
}

/*
 * Checks if the file METHOD-PART.bpm of a CPU model has a tree, not only definitions for the tree
 * of METHOD.bpm. A file with a tree has a line that begins with "NAME =".
 */
static bool has_tree(const struct bpmu_metric_file *file)
{
	struct bpmu_error ignored;
	struct bpmu_text text = {
		.file = file->name, .start = file->text, .at = file->text, .err = &ignored,
	};
	bool found = false;

	while (*text.at && !found) {
		bpmu_text_skip_blanks(&text);
		if (isalpha((unsigned char)*text.at) || *text.at == '_')
			free(bpmu_text_name(&text));
		bpmu_text_skip_blanks(&text);
		found = *text.at == '=';
		text.at += strcspn(text.at, "\n");
		text.at += *text.at == '\n';
	}
	return found;
}

/**
 * bpmu_metric_latency_event() - get the event of a line that defines a mean retire latency
 * @metric: a line of a metric file
 *
 * Return: name of the event in upper case; NULL if the line is no such definition.
 */
const char *bpmu_metric_latency_event(const struct bpmu_metric *metric)
{
	return strncmp(metric->name, LATENCY, strlen(LATENCY)) ? NULL :
								 metric->name + strlen(LATENCY);
}

/*
 * Published trees have definitions of mean retire latencies. Replaces their values by those that
 * the user has measured, &bpmu_metrics.latency, or will measure.
 */
static void set_latencies(struct bpmu_metrics *metrics)
{
	const char *event;
	const json_t *mean;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++) {
		event = bpmu_metric_latency_event(&metrics->metric[i]);
		mean = event ? json_object_get(metrics->latency, event) : NULL;
		if (mean)
			bpmu_expr_set(metrics->metric[i].expr, json_number_value(mean));
		else if (event && metrics->unmeasured)
			bpmu_expr_set(metrics->metric[i].expr, 0);
	}
}

static int parse_files(struct bpmu_metrics *metrics, const char *method,
		       const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_metric_file *generic;
	const struct bpmu_metric_file *own;
	char name[64];
	int ret = 0;

	snprintf(name, sizeof(name), "%s.bpm", method);
	generic = metric_find_file(name);
	snprintf(name, sizeof(name), "%s-%s.bpm", method, part->name);
	own = metric_find_file(name);
	if ((!generic || !own) && !(generic && is_common(method)))
		return refuse_method(method, part, err);
	if (is_own(method)) {
		ret = bpmu_metrics_parse(metrics, own->name, own->text, err);
		set_latencies(metrics);
		return ret ? ret : metric_describe(metrics, generic, err);
	}
	if (!own || !has_tree(own))
		ret = bpmu_metrics_parse(metrics, generic->name, generic->text, err);
	if (!ret && own)
		ret = bpmu_metrics_parse(metrics, own->name, own->text, err);
	return ret;
}

/**
 * bpmu_metrics_join() - append one method's metrics to those of other methods
 * @metrics: metrics of other methods, or zeroed; the caller frees it, also after an error
 * @method: name of the method, such as "basic"
 * @part: descriptor of the CPU model
 *
 * Return: 0 or a negative errno, as of bpmu_metrics_builtin().
 */
int bpmu_metrics_join(struct bpmu_metrics *metrics, const char *method,
		      const struct bpmu_part *part, struct bpmu_error *err)
{
	unsigned int first = metrics->nr, i;
	int ret = parse_files(metrics, method, part, err);

	for (i = first; !ret && is_common(method) && i < metrics->nr; i++)
		choose_either(metrics, metrics->metric[i].expr, part);
	if (!ret)
		ret = metrics_check(metrics, err);
	return ret ? ret :
	       metrics_drop_missing(metrics, is_common(method) ? part : NULL,
				    first, is_own(method), err);
}

/**
 * bpmu_metrics_builtin() - get the metrics of a built-in method, such as "topdown"
 * @metrics: set; the caller frees it, also after an error
 * @method: name of the method, such as "topdown"
 * @part: descriptor of the CPU model
 *
 * Return: 0, -ENOENT if there is no such method for this CPU model, or the error of
 * bpmu_metrics_parse() or metrics_check().
 */
int bpmu_metrics_builtin(struct bpmu_metrics *metrics, const char *method,
			 const struct bpmu_part *part, struct bpmu_error *err)
{
	memset(metrics, 0, sizeof(*metrics));
	return bpmu_metrics_join(metrics, method, part, err);
}

/**
 * bpmu_metric_of_group() - check if the list of a metric's groups contains a given group
 * @list: list such as "MEM;L3", or NULL
 * @word: name of the group
 *
 * Return: true if @word is one of the names in @list; case is ignored.
 */
bool bpmu_metric_of_group(const char *list, const char *word)
{
	size_t len;

	for (; list && *list; list += len + !!list[len]) {
		len = strcspn(list, ";");
		while (len && *list == ' ') {
			list++;
			len--;
		}
		if (len && len == strlen(word) &&
		    !strncasecmp(list, word, len))
			return true;
	}
	return false;
}

static const struct bpmu_metric *without_value(const struct bpmu_metrics *metrics, unsigned int i);

/*
 * Returns the first metric or definition whose formula is "none" (no value) among those that the
 * formula @expr uses; NULL if it uses none of these.
 */
static const struct bpmu_metric *needs_none(const struct bpmu_metrics *metrics,
					    const struct bpmu_expr *expr)
{
	const struct bpmu_metric *found = NULL;
	int i;

	if (expr->op == BPMU_EXPR_NAME) {
		i = bpmu_metrics_find(metrics, expr->name);
		return i < 0 ? NULL : without_value(metrics, i);
	}
	for (i = 0; i < BPMU_EXPR_ARGS && expr->arg[i] && !found; i++)
		found = needs_none(metrics, expr->arg[i]);
	return found;
}

/*
 * Returns metric or definition @i if its formula is "none" (no value), else the first one with this
 * formula that its own formula uses; NULL if there is no such one.
 */
static const struct bpmu_metric *without_value(const struct bpmu_metrics *metrics, unsigned int i)
{
	const struct bpmu_metric *m = &metrics->metric[i];

	if (m->expr->op == BPMU_EXPR_NAME && !strcmp(m->expr->name, "none"))
		return m;
	return needs_none(metrics, m->expr);
}

/**
 * bpmu_metrics_lost() - tell why a CPU model lacks metrics of a method that other models have
 * @method: name of the method, such as "tma"
 * @part: descriptor of the CPU model
 * @name: name of a metric, or of a metric group that has no metric on @part; case is ignored
 * @why: [BPMU_METRICS_WHY], set to the reason on return of true
 *
 * Return: true if the method has a metric or group @name on other CPU models, but not on @part.
 */
bool bpmu_metrics_lost(const char *method, const struct bpmu_part *part,
		       const char *name, char *why)
{
	struct bpmu_metrics metrics = { .nr = 0 };
	const struct bpmu_metric *m;
	struct bpmu_error ignored;
	const char *event;
	bool lost = false;
	unsigned int i;

	if (!parse_files(&metrics, method, part, &ignored) &&
	    is_common(method)) {
		for (i = 0; i < metrics.nr && !lost; i++) {
			event = unknown_event(&metrics, metrics.metric[i].expr,
					      part);
			m = &metrics.metric[i];
			lost = event && (!strcasecmp(m->name, name) ||
					 bpmu_metric_of_group(m->group, name));
			if (lost)
				snprintf(why, BPMU_METRICS_WHY,
					 is_merged(part, event) ?
					 "%s%sneeds %s, for which counters of %s would have to be merged, which barepmu does not do" :
					 "%s%sneeds %s, which %s does not have",
					 strcasecmp(m->name, name) ? m->name : "",
					 strcasecmp(m->name, name) ? " of this group " : "",
					 event, part->name);
		}
		bpmu_metrics_free(&metrics);
		return lost;
	}
	for (i = 0; i < metrics.nr && !lost; i++) {
		if (strcasecmp(metrics.metric[i].name, name))
			continue;
		m = without_value(&metrics, i);
		lost = m;
		if (lost)
			snprintf(why, BPMU_METRICS_WHY, "%s", m->text ?: "cannot be counted");
	}
	bpmu_metrics_free(&metrics);
	return lost;
}

/**
 * bpmu_metrics_as_printed() - restore metrics as they were published
 * @metrics: metrics of a method. Not changed if its formulas are as published anyway: only some
 *	methods have formulas in which this tool corrects errors of the publication
 * @part: descriptor of the CPU model
 *
 * Return: 0 or the error of bpmu_metrics_add().
 */
int bpmu_metrics_as_printed(struct bpmu_metrics *metrics,
			    const struct bpmu_part *part,
			    struct bpmu_error *err)
{
	const struct bpmu_metric_file *file = metric_find_file("as-printed.bpm");
	int printed = bpmu_metrics_find(metrics, "PAPER");

	/*
	 * phi.bpm has both the printed and the corrected formulas: the definition PAPER selects the
	 * printed ones if it is 1.
	 */
	if (printed >= 0)
		bpmu_expr_set(metrics->metric[printed].expr, 1);
	/*
	 * Without the definition ExtMemBase the CPU model lacks the events of the formulas that
	 * as-printed.bpm restores, so that there is nothing to restore.
	 */
	if (bpmu_metrics_find(metrics, "ExtMemBase") < 0)
		return 0;
	return bpmu_metrics_add(metrics, file->name, file->text, part, err);
}

/**
 * bpmu_metrics_memory_by() - compute the metrics of external memory from uncore counters
 * @metrics: metrics of the method "topdown". MEM_Bandwidth and MEM_Latency get new formulas
 * @by: which counters: "imc" for those of the memory channels; there is no other choice yet
 * @part: descriptor of the CPU model
 *
 * Return: 0, -EINVAL if @by is not "imc", -ENOTSUP if the CPU model lacks these counters or
 * @metrics does not have these two metrics, or the error of bpmu_metrics_add().
 */
int bpmu_metrics_memory_by(struct bpmu_metrics *metrics, const char *by,
			   const struct bpmu_part *part, struct bpmu_error *err)
{
	static const char queue[] = "UNC_M_RPQ_CYCLES_NE";
	const struct bpmu_metric_file *file = metric_find_file("memory-by-imc.bpm");

	if (strcmp(by, "imc"))
		return bpmu_error_set(err, -EINVAL,
				      "--memory-by '%s': not known; imc is", by);
	if (!has_row(part, queue))
		return bpmu_error_set(err, -ENOTSUP,
				      "--memory-by imc: needs %s, which %s does not have; leave it out",
				      queue, part->name);
	if (bpmu_metrics_find(metrics, "ExtMemBase") < 0)
		return bpmu_error_set(err, -ENOTSUP,
				      "--memory-by imc: these metrics have no MEM_Bandwidth of the paper's tree; leave it or --method and --metrics out");
	return bpmu_metrics_add(metrics, file->name, file->text, part, err);
}

/**
 * bpmu_metrics_of_counts() - change metrics for counts that are sums over all threads (Xeon Phi)
 * @metrics: metrics of phi.bpm. Another tool has summed their counts over the threads in use, so
 *	that the clocks of cores are computed from sums
 *
 * Return: 0 or the error of bpmu_metrics_parse().
 */
int bpmu_metrics_of_counts(struct bpmu_metrics *metrics,
			   struct bpmu_error *err)
{
	const struct bpmu_metric_file *file = metric_find_file("phi-counts.bpm");
	int ret;

	ret = bpmu_metrics_parse(metrics, file->name, file->text, err);
	return ret ? ret : metrics_check(metrics, err);
}

#define FILE_LIMIT (1 << 20)

static int metric_failed(const char *path, int code, const char *what,
			 struct bpmu_error *err)
{
	return bpmu_error_set(err, code, "%s: cannot be read: %s; is it the right file?",
			      path, what);
}

/* Reads a file into @text; returns -EFBIG if the file has more than FILE_LIMIT bytes. */
static int metric_read_all(const char *path, char *text, size_t *len,
			   struct bpmu_error *err)
{
	FILE *in = fopen(path, "re");
	int ret = 0;

	if (!in)
		return metric_failed(path, -errno, strerror(errno), err);
	*len = fread(text, 1, FILE_LIMIT + 1, in);
	if (ferror(in))
		ret = metric_failed(path, -errno, strerror(errno), err);
	fclose(in);
	return ret;
}

static int check_text(const char *path, const char *text, size_t len,
		      struct bpmu_error *err)
{
	const char *all = text;
	const char *end = text + len;
	unsigned int line;
	size_t length;

	if (len > FILE_LIMIT)
		return bpmu_error_set(err, -EFBIG,
				      "%s: larger than %d bytes; a metric file is a small text",
				      path, FILE_LIMIT);
	for (line = 1; text < end; line++, text += length + 1) {
		length = strchrnul(text, '\n') - text;
		if (text + length < end && !text[length])
			return bpmu_error_set(err, -EINVAL,
					      "%s:%u: a NUL byte; a metric file is UTF-8 text",
					      path, line);
		if (!bpmu_utf8_is(text, length))
			return bpmu_error_set(err, -EINVAL,
					      "%s:%u: not UTF-8; a metric file is UTF-8 text",
					      path, line);
	}
	if (!bpmu_plain_is(all, "\t\n\f\r"))
		return bpmu_error_set(err, -EINVAL,
				      "%s: has a control character; take it out",
				      path);
	return 0;
}

/**
 * bpmu_metrics_file() - read the metrics of a user's file and add them to other metrics
 * @metrics: zeroed, or metrics of other files, to which the file's metrics are added
 * @path: path of the file, which has up to 1 MiB
 * @part: descriptor of the CPU model
 *
 * Return: 0, -EFBIG, -ENOMEM, an error of reading a file, or an error of bpmu_metrics_add(). The
 * caller frees @metrics, also after an error.
 */
int bpmu_metrics_file(struct bpmu_metrics *metrics, const char *path,
		      const struct bpmu_part *part, struct bpmu_error *err)
{
	char *text = malloc(FILE_LIMIT + 2);
	size_t len = 0;
	int ret;

	if (!text)
		return bpmu_error_no_memory(err, path);
	ret = metric_read_all(path, text, &len, err);
	text[len] = '\0';
	if (!ret)
		ret = check_text(path, text, len, err);
	if (!ret)
		ret = bpmu_metrics_add(metrics, path, text, part, err);
	free(text);
	return ret;
}

/**
 * enum bpmu_line_type - types of lines of a metric file
 * @BPMU_LINE_NODE: NAME = EXPRESSION
 * @BPMU_LINE_DEFINITION: NAME := EXPRESSION
 * @BPMU_LINE_MENTION: NAME alone, which is a node of the method that the file extends; the nodes of
 *	the following lines are inserted below this node
 */
enum bpmu_line_type {
	BPMU_LINE_NODE,
	BPMU_LINE_DEFINITION,
	BPMU_LINE_MENTION
};

static int metric_line_error(struct bpmu_text *text, const char *what)
{
	return bpmu_text_error(text, text->at, "%s", what);
}

/*
 * Skips to the "|" that begins the next attribute, in the present line or at the start of the next
 * line. Returns false if no attribute follows.
 */
static bool next_attribute(struct bpmu_text *text)
{
	const char *p;

	bpmu_text_skip_blanks(text);
	if (*text->at == '#' || *text->at == '\n') {
		p = text->at + strcspn(text->at, "\n");
		p += strspn(p, " \t\r\n");
		if (*p == '|')
			text->at = p;
	}
	if (*text->at != '|')
		return false;
	text->at++;
	bpmu_text_skip_blanks(text);
	return true;
}

static bool take_word(struct bpmu_text *text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(text->at, word, len) || !strchr(" \t\r\n|", text->at[len]))
		return false;
	text->at += len;
	bpmu_text_skip_blanks(text);
	return true;
}

static int take_string(struct bpmu_text *text, char **string)
{
	const char *start = text->at + 1;
	size_t len;

	if (*string)
		return metric_line_error(text, "given twice on this line; drop one");
	if (*text->at != '"')
		return metric_line_error(text, "no '\"' here; put the sentence in quotes");
	len = strcspn(start, "\"\n");
	if (start[len] != '"')
		return metric_line_error(text, "the closing '\"' is missing; add it");
	*string = strndup(start, len);
	if (!*string)
		return metric_line_error(text, "no memory; free some");
	text->at = start + len + 1;
	return 0;
}

/*
 * Parses the attribute "unit" and sets @unit. A unit may contain blanks; it ends before "|", "#" or
 * the end of the line.
 */
static int take_unit(struct bpmu_text *text, const char **unit)
{
	size_t len = strcspn(text->at, "|#\n");
	char list[BPMU_UNIT_LIST];

	while (len && strchr(" \t\r", text->at[len - 1]))
		len--;
	if (*unit)
		return metric_line_error(text, "given twice on this line; drop one");
	*unit = bpmu_unit_find(text->at, len);
	if (*unit) {
		text->at += len;
		return 0;
	}
	bpmu_unit_list(list, sizeof(list));
	return bpmu_text_error(text, text->at, "no such unit; use one of %s",
			       list);
}

static int take_flag(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (m->flag)
		return metric_line_error(text, "given twice on this line; join both by 'or'");
	text->nodes = 0;
	m->flag = bpmu_expr_parse_condition(text, m->name);
	return m->flag ? 0 : -EINVAL;
}

static int take_scope(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (take_word(text, "thread"))
		m->scope = BPMU_SCOPE_THREAD;
	else if (take_word(text, "core"))
		m->scope = BPMU_SCOPE_CORE;
	else if (take_word(text, "card"))
		m->scope = BPMU_SCOPE_CARD;
	else
		return metric_line_error(text, "no such scope; use thread, core or card");
	return 0;
}

/* Parses the name behind a keyword, and appends it to @list, separated by @between. */
static int take_name(struct bpmu_text *text, const char *between, char **list)
{
	char *name = bpmu_text_name(text);
	char *all = NULL;

	if (!name)
		return -EINVAL;
	if (asprintf(&all, "%s%s%s", *list ? *list : "", *list ? between : "",
		     name) < 0)
		all = NULL;
	free(name);
	if (!all)
		return metric_line_error(text, "no memory; free some");
	free(*list);
	*list = all;
	return 0;
}

static int take_attribute(struct bpmu_text *text, struct bpmu_metric *m)
{
	if (take_word(text, "unit"))
		return take_unit(text, &m->unit);
	if (take_word(text, "flag"))
		return take_flag(text, m);
	if (take_word(text, "text"))
		return take_string(text, &m->text);
	if (take_word(text, "next"))
		return take_string(text, &m->next);
	if (take_word(text, "source"))
		return take_string(text, &m->source);
	if (take_word(text, "scope"))
		return take_scope(text, m);
	if (take_word(text, "erratum"))
		return take_name(text, " ", &m->erratum);
	if (take_word(text, "group"))
		return take_name(text, ";", &m->group);
	if (take_word(text, "clock")) {
		m->clock = true;
		return 0;
	}
	if (take_word(text, "first")) {
		m->first = true;
		return 0;
	}
	if (take_word(text, "root")) {
		m->root = true;
		return 0;
	}
	if (take_word(text, "extra")) {
		m->extra = true;
		return 0;
	}
	return metric_line_error(text, "unknown word; use unit, flag, text, next, source, scope, erratum, group, clock, first, root or extra");
}

static int take_sign(struct bpmu_text *text, bool mentions,
		     enum bpmu_line_type *type)
{
	bpmu_text_skip_blanks(text);
	if (!strncmp(text->at, ":=", 2)) {
		*type = BPMU_LINE_DEFINITION;
		text->at += 2;
		return 0;
	}
	if (*text->at == '=') {
		*type = BPMU_LINE_NODE;
		text->at++;
		return 0;
	}
	*type = BPMU_LINE_MENTION;
	if (mentions && strchr("|#\n", *text->at))
		return 0;
	return metric_line_error(text, "no '=' here; write NAME = EXPRESSION");
}

static int take_expr(struct bpmu_text *text, struct bpmu_metric *m)
{
	text->nodes = 0;
	m->expr = bpmu_expr_parse(text);
	return m->expr ? 0 : -EINVAL;
}

/**
 * line_parse() - parse a line of a metric file that is not empty
 * @text: position in the file: on entry at the name with which the line begins, on return at the
 *	end of the line
 * @mentions: true if a line may be a name without an expression, see BPMU_LINE_MENTION
 * @m: zeroed on entry, on return the line, which the caller frees, also after an error
 * @type: set to the type of the line
 *
 * Return: 0, or -EINVAL with @text->err set.
 */
static int line_parse(struct bpmu_text *text, bool mentions,
		      struct bpmu_metric *m, enum bpmu_line_type *type)
{
	const char *start = text->at;
	int ret;

	m->parent = -1;
	m->offset = start - text->start;
	bpmu_metric_rename(m, bpmu_text_name(text));
	if (!m->name)
		return -EINVAL;
	ret = take_sign(text, mentions, type);
	if (!ret && *type != BPMU_LINE_MENTION)
		ret = take_expr(text, m);
	while (!ret && next_attribute(text))
		ret = take_attribute(text, m);
	if (ret)
		return ret;
	if (!strchr("#\n", *text->at))
		return metric_line_error(text, "the line does not end here; is an operator or a '|' missing?");
	if (m->flag && *type == BPMU_LINE_DEFINITION)
		return bpmu_text_error(text, start,
				       "a definition has no flag; write '=' to make it a node");
	text->at += strcspn(text->at, "\n");
	text->at += *text->at == '\n';
	return 0;
}

/**
 * line_free() - free the members of a line of a metric file
 * @m: the line
 */
static void line_free(struct bpmu_metric *m)
{
	free(m->name);
	bpmu_expr_free(m->expr);
	bpmu_expr_free(m->flag);
	free(m->text);
	free(m->next);
	free(m->source);
	free(m->erratum);
	free(m->group);
}

#define DEPTH_MAX 16
#define LINES_MAX 4096

/**
 * struct reader - state of parsing a metric file
 * @text: text of the file, and the position in it
 * @metrics: metrics and definitions that were parsed so far
 * @part: descriptor of the CPU model, or NULL for a built-in file
 * @extends: true if the file begins with "extends METHOD" and changes the metrics of this method
 * @describes: true if the file only describes nodes of a tree; nodes that the CPU model lacks are
 *	ignored
 * @file: index of the file
 * @depth: number of nodes on the path from the root to the latest node
 * @indent: [@depth], indentation of the nodes of the path
 * @node: [@depth], indices of the nodes of the path
 */
struct reader {
	struct bpmu_text text;
	struct bpmu_metrics *metrics;
	const struct bpmu_part *part;
	bool extends;
	bool describes;
	unsigned int file;
	unsigned int depth;
	int indent[DEPTH_MAX + 1];
	int node[DEPTH_MAX + 1];
};

static int indentation(struct bpmu_text *text)
{
	int column = 0;

	for (; *text->at == ' ' || *text->at == '\t'; text->at++)
		column = *text->at == ' ' ? column + 1 : (column | 7) + 1;
	return column;
}

/* Skips empty lines and comments; returns the indentation of the line behind them. */
static int skip_to_line(struct bpmu_text *text)
{
	int indent = indentation(text);

	while (*text->at && strchr("#\r\n", *text->at)) {
		text->at += strcspn(text->at, "\n");
		text->at += *text->at == '\n';
		indent = indentation(text);
	}
	return indent;
}

/* Returns the index of the last node below node @i, plus one. */
static unsigned int subtree_end(const struct bpmu_metrics *metrics,
				unsigned int i)
{
	unsigned int level = metrics->metric[i].level;

	for (i++; i < metrics->nr && metrics->metric[i].level > level; i++)
		;
	return i;
}

/*
 * Moves the lines from line @at on, to insert one there. The hash table is built again when all
 * lines are read.
 */
static void make_room(struct bpmu_metrics *metrics, unsigned int at)
{
	struct bpmu_metric *metric = metrics->metric;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		metric[i].parent += metric[i].parent >= (int)at;
	memmove(&metric[at + 1], &metric[at], (metrics->nr - at) * sizeof(*metric));
}

static int metric_insert(struct reader *r, unsigned int at, struct bpmu_metric *m)
{
	struct bpmu_metrics *metrics = r->metrics;
	bool indexed = metrics->indexed == metrics->nr && at == metrics->nr;
	struct bpmu_metric *grown;

	if (metrics->nr >= metrics->room) {
		grown = reallocarray(metrics->metric, 2 * metrics->nr + 1, sizeof(*grown));
		if (!grown)
			return bpmu_text_error(&r->text, r->text.at, "no memory; free some");
		metrics->metric = grown;
		metrics->room = 2 * metrics->nr + 1;
	}
	if (at < metrics->nr)
		make_room(metrics, at);
	metrics->metric[at] = *m;
	metrics->nr++;
	if (indexed && metrics->slots < 2 * metrics->nr)
		metrics_index(metrics);
	else if (indexed)
		index_line(metrics);
	return 0;
}

/* Sets the parent of a node: the latest node with a smaller indentation. */
static int set_parent(struct reader *r, const char *at, struct bpmu_metric *m,
		      int indent)
{
	unsigned int depth = r->depth;

	while (depth && r->indent[depth] >= indent)
		depth--;
	if (!depth && indent)
		return bpmu_text_error(&r->text, at,
				       "no node above that this one is below; indent it less");
	if (depth < r->depth && r->indent[depth + 1] != indent)
		return bpmu_text_error(&r->text, at,
				       "no line above begins at this column; indent it as its siblings are");
	if (depth == DEPTH_MAX)
		return bpmu_text_error(&r->text, at,
				       "too deep a tree; indent less");
	m->parent = depth ? r->node[depth] : -1;
	m->level = depth ? r->metrics->metric[m->parent].level + 1 : 1;
	m->extra |= depth && r->metrics->metric[m->parent].extra;
	r->depth = depth + 1;
	r->indent[r->depth] = indent;
	r->node[r->depth] = depth ? subtree_end(r->metrics, m->parent) :
				    r->metrics->nr;
	return 0;
}

static void replace(char **old, char **new)
{
	if (!*new)
		return;
	free(*old);
	*old = *new;
	*new = NULL;
}

static void replace_expr(struct bpmu_expr **old, struct bpmu_expr **new)
{
	if (!*new)
		return;
	bpmu_expr_free(*old);
	*old = *new;
	*new = NULL;
}

static void metric_change(struct bpmu_metric *old, struct bpmu_metric *m)
{
	if (m->expr) {
		old->file = m->file;
		old->offset = m->offset;
	}
	if (m->flag)
		old->flag_file = m->file;
	replace_expr(&old->expr, &m->expr);
	replace_expr(&old->flag, &m->flag);
	replace(&old->text, &m->text);
	replace(&old->next, &m->next);
	replace(&old->source, &m->source);
	replace(&old->erratum, &m->erratum);
	replace(&old->group, &m->group);
	if (m->unit)
		old->unit = m->unit;
	if (m->scope)
		old->scope = m->scope;
	old->clock |= m->clock;
	old->first |= m->first;
	old->root |= m->root;
}

/*
 * Replaces line @i of the extended method by the line @m. If @m is only a name without a formula
 * (BPMU_LINE_MENTION), only the attributes of line @i are replaced.
 */
static int metric_override(struct reader *r, const char *at, struct bpmu_metric *m,
			   enum bpmu_line_type type, int indent, unsigned int i)
{
	struct bpmu_metric *old = &r->metrics->metric[i];

	if (type == BPMU_LINE_MENTION && !old->level)
		return bpmu_text_error(&r->text, at,
				       "'%s' is no node but a definition; write NAME := EXPRESSION to change it",
				       m->name);
	if (type == BPMU_LINE_MENTION && indent)
		return bpmu_text_error(&r->text, at,
				       "the node is in the tree already; begin its line at the left");
	if (type == BPMU_LINE_MENTION) {
		r->depth = 1;
		r->indent[1] = 0;
		r->node[1] = i;
	} else if (!r->extends || old->file == r->file) {
		return bpmu_text_error(&r->text, at,
				       "'%s' is taken by a line above or of another file; use another name",
				       m->name);
	} else if (type == BPMU_LINE_NODE || old->level) {
		return bpmu_text_error(&r->text, at,
				       "'%s' is a line of the method; change a definition by ':=', a node's flag by its name alone",
				       m->name);
	}
	metric_change(old, m);
	return 0;
}

static int unknown_node(struct reader *r, const char *at, const char *name)
{
	struct bpmu_nearest nearest = { .typed = name };
	char list[BPMU_NEAREST_LIST];
	unsigned int i;

	for (i = 0; i < r->metrics->nr; i++)
		if (r->metrics->metric[i].level)
			bpmu_nearest_offer(&nearest, r->metrics->metric[i].name);
	bpmu_nearest_list(&nearest, list, sizeof(list));
	return bpmu_text_error(&r->text, at, "no node '%s' to change; %s%s%s",
			       name, nearest.nr ? "did you mean " :
			       "write NAME = EXPRESSION to add one", list,
			       nearest.nr ? "?" : "");
}

/*
 * Adds a parsed line to @r->metrics, or changes the existing line of the same name. On success the
 * memory to which @m points belongs to @r->metrics.
 */
static int metric_take_over(struct reader *r, const char *at, struct bpmu_metric *m,
			    enum bpmu_line_type type, int indent)
{
	int i = bpmu_metrics_find(r->metrics, m->name);
	int ret = 0;

	m->file = r->file;
	m->flag_file = r->file;
	if (bpmu_metric_constant(m->name) >= 0)
		return bpmu_text_error(&r->text, at,
				       "'%s' is supplied by the tool; use another name",
				       m->name);
	/*
	 * A description is ignored if the CPU model's tree has no such node: the name is missing,
	 * or is that of a definition.
	 */
	if (r->describes && (i < 0 || !r->metrics->metric[i].level))
		return 0;
	if (i >= 0) {
		ret = metric_override(r, at, m, type, indent, i);
		line_free(m);
		memset(m, 0, sizeof(*m));
		return ret;
	}
	if (type == BPMU_LINE_MENTION)
		return unknown_node(r, at, m->name);
	if (r->metrics->nr == LINES_MAX)
		return bpmu_text_error(&r->text, at,
				       "more than %d names; leave some out",
				       LINES_MAX);
	i = r->metrics->nr;
	if (type == BPMU_LINE_NODE) {
		ret = set_parent(r, at, m, indent);
		i = r->node[r->depth];
	}
	if (!ret)
		ret = metric_insert(r, i, m);
	if (!ret)
		memset(m, 0, sizeof(*m));
	return ret;
}

static int metric_read_lines(struct reader *r)
{
	enum bpmu_line_type type = BPMU_LINE_NODE;
	struct bpmu_metric m;
	const char *at;
	int indent;
	int ret = 0;

	while (!ret) {
		memset(&m, 0, sizeof(m));
		indent = skip_to_line(&r->text);
		at = r->text.at;
		if (!*at)
			break;
		ret = line_parse(&r->text, r->extends || r->describes, &m, &type);
		if (!ret)
			ret = metric_take_over(r, at, &m, type, indent);
		line_free(&m);
	}
	return ret;
}

static bool is_loaded(const struct bpmu_metrics *metrics, const char *method)
{
	char name[64];
	unsigned int i;

	snprintf(name, sizeof(name), "%s.bpm", method);
	for (i = 0; i < metrics->nr_files; i++)
		if (!strcmp(metrics->file[i].name, name))
			return true;
	return false;
}

/* Parses "extends METHOD" at the start of a user's file, and loads the lines of this method. */
static int read_extends(struct reader *r)
{
	const char *at;
	char *method;
	int ret = 0;

	skip_to_line(&r->text);
	if (strncmp(r->text.at, "extends", 7) ||
	    !strchr(" \t", r->text.at[7]))
		return 0;
	r->text.at += 7;
	bpmu_text_skip_blanks(&r->text);
	at = r->text.at;
	method = bpmu_text_name(&r->text);
	if (!method)
		return -EINVAL;
	bpmu_text_skip_blanks(&r->text);
	if (!strchr("#\n", *r->text.at))
		ret = bpmu_text_error(&r->text, r->text.at,
				      "more than a method; write extends METHOD");
	else if (!r->metrics->nr_files)
		ret = bpmu_metrics_builtin(r->metrics, method, r->part,
					   r->text.err);
	else if (!is_loaded(r->metrics, method))
		ret = bpmu_text_error(&r->text, at,
				      "the files before do not extend '%s'; give files of one method",
				      method);
	r->extends = true;
	free(method);
	return ret;
}

/* Stores a copy of the file's text, because error messages show lines of it later. */
static int add_source(struct reader *r)
{
	struct bpmu_metrics *metrics = r->metrics;
	struct bpmu_metric_source *grown;
	struct bpmu_metric_source source;

	grown = reallocarray(metrics->file, metrics->nr_files + 1,
			     sizeof(*grown));
	if (grown)
		metrics->file = grown;
	source.version = NULL;
	source.name = strdup(r->text.file);
	source.text = strdup(r->text.start);
	if (!grown || !source.name || !source.text) {
		free(source.name);
		free(source.text);
		return bpmu_error_no_memory(r->text.err, r->text.file);
	}
	r->file = metrics->nr_files;
	grown[metrics->nr_files++] = source;
	return 0;
}

/* Parses 'version "..."' at the start of the file of a published tree. */
static int read_version(struct reader *r)
{
	const char *start = r->text.at;
	int ret;

	skip_to_line(&r->text);
	if (!take_word(&r->text, "version") || *r->text.at != '"') {
		r->text.at = start;
		return 0;
	}
	ret = take_string(&r->text, &r->metrics->file[r->file].version);
	if (ret)
		return ret;
	bpmu_text_skip_blanks(&r->text);
	if (!strchr("#\n", *r->text.at))
		return bpmu_text_error(&r->text, r->text.at,
				       "more than a version; write version \"NAME NUMBER\"");
	r->text.at += strcspn(r->text.at, "\n");
	return 0;
}

static int metric_read_file(struct reader *r)
{
	int ret = 0;

	if (!strncmp(r->text.at, "\xef\xbb\xbf", 3)) {
		r->text.start += 3;
		r->text.at += 3;
	}
	if (r->part)
		ret = read_extends(r);
	if (!ret)
		ret = add_source(r);
	if (!ret)
		ret = read_version(r);
	if (!ret)
		ret = metric_read_lines(r);
	metrics_index(r->metrics);
	return ret;
}

/* Adds the attributes in a built-in file, such as descriptions, to nodes that exist already. */
static int metric_describe(struct bpmu_metrics *metrics,
			   const struct bpmu_metric_file *file, struct bpmu_error *err)
{
	struct reader r = { .metrics = metrics, .describes = true };

	r.text.file = file->name;
	r.text.start = file->text;
	r.text.at = file->text;
	r.text.err = err;
	return metric_read_file(&r);
}

/**
 * bpmu_metrics_parse() - parse the metrics of a file
 * @metrics: zeroed, or metrics of other files, to which the file's metrics are appended
 * @file: name of the file, for errors
 * @text: contents of the file
 * @err: set on failure, with line, column and an excerpt of the file
 *
 * Return: 0, -EINVAL or -ENOMEM. The caller frees @metrics, also after an error.
 */
int bpmu_metrics_parse(struct bpmu_metrics *metrics, const char *file,
		       const char *text, struct bpmu_error *err)
{
	struct reader r = { .metrics = metrics };

	r.text.file = file;
	r.text.start = text;
	r.text.at = text;
	r.text.err = err;
	return metric_read_file(&r);
}

/**
 * bpmu_metrics_add() - add metrics that a user has defined to other metrics
 * @metrics: zeroed, or metrics of other files, to which the file's metrics are added; the caller
 *	frees it, also after an error
 * @file: name of the file, for errors
 * @text: contents of the file, which may begin with "extends METHOD"
 * @part: descriptor of the CPU model
 * @err: set on failure, with line, column and an excerpt of the file
 *
 * Return: 0, an error of bpmu_metrics_parse(), bpmu_metrics_builtin() or metrics_check(),
 * -ENOENT for a name that is neither a metric nor a definition nor an event of the CPU model, or
 * -ERANGE if a number in the filter of an event is too large.
 */
int bpmu_metrics_add(struct bpmu_metrics *metrics, const char *file,
		     const char *text, const struct bpmu_part *part,
		     struct bpmu_error *err)
{
	struct reader r = { .metrics = metrics, .part = part };
	int ret;

	r.text.file = file;
	r.text.start = text;
	r.text.at = text;
	r.text.err = err;
	ret = metric_read_file(&r);
	if (!ret)
		ret = metrics_check(metrics, err);
	return ret ? ret : metrics_check_names(metrics, r.file, part, err);
}

/* Returns the hash of a name, FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static u32 key_of(const char *name)
{
	u32 key = 2166136261U;

	for (; *name; name++)
		key = (key ^ (unsigned char)*name) * 16777619U;
	return key;
}

/**
 * bpmu_metric_rename() - give a name to a metric or definition that has none
 * @metric: the metric or definition
 * @name: allocated memory, which belongs to @metric from now on; NULL if the allocation failed
 */
void bpmu_metric_rename(struct bpmu_metric *metric, char *name)
{
	metric->name = name;
	metric->key = name ? key_of(name) : 0;
}

/**
 * bpmu_metric_version() - version of published metrics to which a metric belongs
 * @metrics: metrics and definitions of metric files
 * @i: index of the metric
 *
 * Return: a text such as "TMA 5.2"; NULL if the file of the metric has no version.
 */
const char *bpmu_metric_version(const struct bpmu_metrics *metrics, unsigned int i)
{
	unsigned int file = metrics->metric[i].file;

	return file < metrics->nr_files ? metrics->file[file].version : NULL;
}

/**
 * bpmu_metrics_version() - version of published metrics that has these metrics
 * @metrics: the metrics
 *
 * Return: version of the first metric whose file states one; NULL if no file does.
 */
const char *bpmu_metrics_version(const struct bpmu_metrics *metrics)
{
	unsigned int i;

	for (i = 0; i < metrics->nr; i++)
		if (metrics->metric[i].level)
			return bpmu_metric_version(metrics, i);
	return NULL;
}

/**
 * bpmu_metrics_find() - find a metric or a definition by name
 * @metrics: metrics and definitions of metric files
 * @name: name of the metric or definition
 *
 * Return: its index in @metrics, or -1 if there is none of this name.
 */
int bpmu_metrics_find(const struct bpmu_metrics *metrics, const char *name)
{
	const struct bpmu_metric *metric = metrics->metric;
	u32 key = key_of(name);
	unsigned int at = key;
	unsigned int i;

	if (metrics->indexed != metrics->nr) {
		for (i = 0; i < metrics->nr; i++)
			if (metric[i].key == key && !strcmp(metric[i].name, name))
				return i;
		return -1;
	}
	for (; metrics->slots && (i = metrics->slot[at & (metrics->slots - 1)]); at++)
		if (metric[i - 1].key == key && !strcmp(metric[i - 1].name, name))
			return i - 1;
	return -1;
}

/**
 * bpmu_metrics_error() - set an error that names the place of a metric in its file
 * @metrics: metrics and definitions, with the texts of their files
 * @file: index of the file
 * @offset: position in the file, in bytes
 * @err: set, with an excerpt of the file
 * @fmt: format of printf() for "<problem>; <what to do>"
 *
 * Return: -EINVAL.
 */
int bpmu_metrics_error(const struct bpmu_metrics *metrics, unsigned int file,
		       unsigned int offset, struct bpmu_error *err,
		       const char *fmt, ...)
{
	struct bpmu_text text = { .err = err };
	char what[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	text.file = metrics->file[file].name;
	text.start = metrics->file[file].text;
	return bpmu_text_error(&text, text.start + offset, "%s", what);
}

void bpmu_metrics_free(struct bpmu_metrics *metrics)
{
	while (metrics->nr)
		line_free(&metrics->metric[--metrics->nr]);
	free(metrics->metric);
	metrics->metric = NULL;
	metrics->room = 0;
	free(metrics->slot);
	metrics->slot = NULL;
	metrics->slots = 0;
	metrics->indexed = 0;
	while (metrics->nr_files) {
		free(metrics->file[--metrics->nr_files].name);
		free(metrics->file[metrics->nr_files].text);
		free(metrics->file[metrics->nr_files].version);
	}
	free(metrics->file);
	metrics->file = NULL;
}
