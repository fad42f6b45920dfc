// SPDX-License-Identifier: GPL-2.0
/*
 * The state of "barepmu serve" for one core type.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "serve.h"
#include "view/openmetrics.h"

/* labels: the CPU model and one or three more; NULL without memory */
static char *labels(const struct bpmu_serve_kind *kind,
		    const char *const pairs[][2], unsigned int nr)
{
	char *text = NULL;
	unsigned int i;
	size_t len;
	FILE *out;

	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	bpmu_om_label(out, "part", kind->stat->target.info.part);
	for (i = 0; i < nr; i++) {
		fputc(',', out);
		bpmu_om_label(out, pairs[i][0], pairs[i][1]);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* two series of the same name and labels would make the page invalid */
static bool has_event(const struct bpmu_serve_kind *kind, const char *name)
{
	unsigned int i;

	for (i = 0; i < kind->nr_events; i++)
		if (!strcmp(kind->event[i].name, name))
			return true;
	return false;
}

static void serve_kind_add_event(struct bpmu_serve_kind *kind, const char *name,
				 const struct bpmu_event_spec *spec)
{
	if (!has_event(kind, name))
		kind->event[kind->nr_events++] =
			(struct bpmu_serve_event){ name, spec };
}

/**
 * bpmu_serve_kind_find_events() - collect the events of the page
 * @kind: its events and metrics are scheduled
 * @err: set on failure
 *
 * An event of -e keeps its name if a metric needs the same event under another one. All
 * events of metrics are included: a metric of a fleet is computed from the sums of all
 * machines' counts.
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_serve_kind_find_events(struct bpmu_serve_kind *kind, struct bpmu_error *err)
{
	const struct bpmu_stat *stat = kind->stat;
	const struct bpmu_tree *tree = &stat->tree;
	const struct bpmu_event_list *wanted = &stat->wanted.events;
	unsigned int nr = stat->nr_shown;
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		nr += tree->events[g].nr;
	kind->event = calloc(nr, sizeof(*kind->event));
	if (!kind->event)
		return bpmu_error_no_memory(err, "serve");
	for (i = 0; i < stat->nr_shown; i++)
		serve_kind_add_event(kind, i < wanted->nr ? wanted->spec[i].text :
							    stat->shown[i].name,
				     stat->shown[i].spec);
	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			serve_kind_add_event(kind, tree->events[g].spec[i].text,
					     &tree->events[g].spec[i]);
	return 0;
}

static int label_counts(struct bpmu_serve_kind *kind, struct bpmu_error *err)
{
	const char *aggregation = bpmu_rows_aggregation(&kind->stat->rows);
	unsigned int grouped = bpmu_rows_grouped(&kind->stat->rows);
	unsigned int rows = kind->stat->rows.nr;
	unsigned int i, k;
	char **text;

	for (i = 0; i < kind->nr_events; i++) {
		for (k = 0; k < rows; k++) {
			const char *const pairs[][2] = {
				{ "cpu", kind->stat->rows.row[k].label },
				{ "event", kind->event[i].name },
				{ "aggregation", aggregation },
			};

			text = &kind->count[i * (size_t)rows + k].labels;
			*text = labels(kind, pairs, 2 + grouped);
			if (!*text)
				return bpmu_error_no_memory(err, "serve");
		}
	}
	for (k = 0; k < rows; k++) {
		const char *const pair[][2] = {
			{ "cpu", kind->stat->rows.row[k].label },
			{ "aggregation", aggregation },
		};

		kind->row[k].labels = labels(kind, pair, 1 + grouped);
		if (!kind->row[k].labels)
			return bpmu_error_no_memory(err, "serve");
	}
	return 0;
}

static char *metric_labels(const struct bpmu_serve_kind *kind,
			   const struct bpmu_metric *metric)
{
	char level[16];
	const char *const pairs[][2] = {
		{ "metric", metric->name }, { "level", level },
		{ "unit", metric->unit ?: "" },
	};

	snprintf(level, sizeof(level), "%u", metric->level);
	return labels(kind, pairs, 3);
}

static int label_metrics(struct bpmu_serve_kind *kind, struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = &kind->stat->tree.metrics;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++) {
		kind->metric[i] = metric_labels(kind, &metrics->metric[i]);
		if (!kind->metric[i])
			return bpmu_error_no_memory(err, "serve");
	}
	return 0;
}

static int serve_kind_make_room(struct bpmu_serve_kind *kind, struct bpmu_error *err)
{
	const struct bpmu_tree *tree = &kind->stat->tree;
	size_t rows = kind->stat->rows.nr;

	kind->count = calloc(kind->nr_events * rows, sizeof(*kind->count));
	kind->row = calloc(rows, sizeof(*kind->row));
	kind->values = calloc(tree->metrics.nr + 1, sizeof(*kind->values));
	kind->metric = calloc(tree->metrics.nr + 1, sizeof(*kind->metric));
	kind->labels = labels(kind, NULL, 0);
	if (!kind->count || !kind->row || !kind->values || !kind->metric ||
	    !kind->labels)
		return bpmu_error_no_memory(err, "serve");
	return 0;
}

/**
 * bpmu_serve_kind_prepare() - allocate the counts and the labels of all series
 * @kind: its events are known by bpmu_serve_kind_find_events()
 * @err: set on failure
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_serve_kind_prepare(struct bpmu_serve_kind *kind,
			    struct bpmu_error *err)
{
	int code;

	code = serve_kind_make_room(kind, err);
	if (!code)
		code = label_counts(kind, err);
	return code ? code : label_metrics(kind, err);
}

/**
 * bpmu_serve_raise() - update a counter of the page
 * @count: its raw count is up to date
 *
 * The difference of two events may decrease; the counter then keeps its value until
 * the difference exceeds it.
 */
void bpmu_serve_raise(struct bpmu_serve_count *count)
{
	if (count->raw.count > (long long)count->shown)
		count->shown = count->raw.count;
}

static void add_counts(struct bpmu_serve_kind *kind,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_stat *stat = kind->stat;
	struct bpmu_serve_count *count = kind->count;
	unsigned int i, k, pos;

	for (i = 0; i < kind->nr_events; i++, count += stat->rows.nr) {
		for (pos = 0; pos < stat->target.cpus.nr; pos++)
			bpmu_interval_raw(stat->groups, interval, pos,
					  kind->event[i].spec,
					  &count[stat->rows.of[pos]].raw);
		for (k = 0; k < stat->rows.nr; k++)
			bpmu_serve_raise(&count[k]);
	}
}

static void add_rows(struct bpmu_serve_kind *kind,
		     const struct bpmu_interval *interval)
{
	struct bpmu_serve_row *row;
	unsigned int pos;

	for (pos = 0; pos < kind->stat->target.cpus.nr; pos++) {
		row = &kind->row[kind->stat->rows.of[pos]];
		row->lost += interval->lost[pos];
		row->spent += interval->spent[pos];
		row->enabled += interval->enabled[pos];
	}
}

/**
 * bpmu_serve_kind_add() - add the counts of an interval
 * @kind: prepared
 * @interval: its counts, those of the kind's first CPU first
 *
 * Called with the lock held.
 */
void bpmu_serve_kind_add(struct bpmu_serve_kind *kind,
			 const struct bpmu_interval *interval)
{
	add_counts(kind, interval);
	add_rows(kind, interval);
	if (kind->stat->tree.metrics.nr)
		bpmu_spread_eval(&kind->stat->tree, interval,
				 kind->stat->target.cpus.nr, kind->values);
}

/**
 * bpmu_serve_kind_free() - free the state of a core type
 * @kind: in any state, its events and metrics not yet freed
 */
void bpmu_serve_kind_free(struct bpmu_serve_kind *kind)
{
	size_t rows = kind->stat->rows.nr;
	size_t i;

	for (i = 0; kind->count && i < kind->nr_events * rows; i++)
		free(kind->count[i].labels);
	for (i = 0; kind->row && i < rows; i++)
		free(kind->row[i].labels);
	for (i = 0; kind->metric && i < kind->stat->tree.metrics.nr; i++)
		free(kind->metric[i]);
	free(kind->event);
	free(kind->count);
	free(kind->row);
	free(kind->values);
	free(kind->metric);
	free(kind->labels);
}
