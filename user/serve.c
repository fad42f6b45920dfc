// SPDX-License-Identifier: GPL-2.0
#include "serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "openmetrics.h"
#include "spread.h"

static int no_memory(struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM, "serve: out of memory");
}

/* the part's label and one or three more; NULL without memory */
static char *labels(const struct bpmu_serve *serve,
		    const char *const pairs[][2], unsigned int nr)
{
	char *text = NULL;
	unsigned int i;
	size_t len;
	FILE *out;

	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	bpmu_om_label(out, "part", serve->stat.target.info.part);
	for (i = 0; i < nr; i++) {
		fputc(',', out);
		bpmu_om_label(out, pairs[i][0], pairs[i][1]);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/* two series of the same name and labels would be a broken page */
static bool has_event(const struct bpmu_serve *serve, const char *name)
{
	unsigned int i;

	for (i = 0; i < serve->nr_events; i++)
		if (!strcmp(serve->event[i].name, name))
			return true;
	return false;
}

static void add_event(struct bpmu_serve *serve, const char *name,
		      const struct bpmu_event_spec *spec)
{
	if (!has_event(serve, name))
		serve->event[serve->nr_events++] =
			(struct bpmu_serve_event){ name, spec };
}

/*
 * An event of -e keeps its name where a metric counts the same by another. All
 * events of metrics are there too: a fleet's metric is made of all nodes' counts.
 */
static int find_events(struct bpmu_serve *serve, struct bpmu_error *err)
{
	const struct bpmu_stat *stat = &serve->stat;
	const struct bpmu_tree *tree = &stat->tree;
	const struct bpmu_event_list *wanted = &stat->wanted.events;
	unsigned int nr = stat->nr_shown;
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		nr += tree->events[g].nr;
	serve->event = calloc(nr, sizeof(*serve->event));
	if (!serve->event)
		return no_memory(err);
	for (i = 0; i < stat->nr_shown; i++)
		add_event(serve, i < wanted->nr ? wanted->spec[i].text :
						  stat->shown[i]->text,
			  stat->shown[i]);
	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			add_event(serve, tree->events[g].spec[i].text,
				  &tree->events[g].spec[i]);
	return 0;
}

static int label_counts(struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int rows = serve->stat.rows.nr;
	unsigned int i, k;
	char **text;

	for (i = 0; i < serve->nr_events; i++) {
		for (k = 0; k < rows; k++) {
			const char *const pairs[][2] = {
				{ "cpu", serve->stat.rows.row[k].label },
				{ "event", serve->event[i].name },
			};

			text = &serve->count[i * (size_t)rows + k].labels;
			*text = labels(serve, pairs, 2);
			if (!*text)
				return no_memory(err);
		}
	}
	for (k = 0; k < rows; k++) {
		const char *const pair[][2] = {
			{ "cpu", serve->stat.rows.row[k].label },
		};

		serve->row[k].labels = labels(serve, pair, 1);
		if (!serve->row[k].labels)
			return no_memory(err);
	}
	return 0;
}

static char *metric_labels(const struct bpmu_serve *serve,
			   const struct bpmu_metric *metric)
{
	char level[16];
	const char *const pairs[][2] = {
		{ "metric", metric->name }, { "level", level },
		{ "unit", metric->unit ?: "" },
	};

	snprintf(level, sizeof(level), "%u", metric->level);
	return labels(serve, pairs, 3);
}

static int label_metrics(struct bpmu_serve *serve, struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = &serve->stat.tree.metrics;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++) {
		serve->metric[i] = metric_labels(serve, &metrics->metric[i]);
		if (!serve->metric[i])
			return no_memory(err);
	}
	return 0;
}

static int make_room(struct bpmu_serve *serve, struct bpmu_error *err)
{
	const struct bpmu_tree *tree = &serve->stat.tree;
	size_t rows = serve->stat.rows.nr;
	unsigned int g;

	serve->count = calloc(serve->nr_events * rows, sizeof(*serve->count));
	serve->row = calloc(rows, sizeof(*serve->row));
	serve->values = calloc(tree->metrics.nr + 1, sizeof(*serve->values));
	serve->metric = calloc(tree->metrics.nr + 1, sizeof(*serve->metric));
	serve->labels = labels(serve, NULL, 0);
	for (g = 0; g < tree->nr_groups; g++) {
		serve->tree_counts[g] = calloc(tree->events[g].nr,
					       sizeof(double));
		if (!serve->tree_counts[g])
			return no_memory(err);
	}
	if (!serve->count || !serve->row || !serve->values || !serve->metric ||
	    !serve->labels)
		return no_memory(err);
	return 0;
}

/**
 * bpmu_serve_prepare() - what there will be on the page
 * @serve: its events and metrics are planned
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -E2BIG if that were too many series, -ENOMEM.
 */
int bpmu_serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int series;
	int code;

	code = find_events(serve, err);
	if (code)
		return code;
	series = bpmu_serve_series(serve);
	if (series > serve->max_series)
		return bpmu_error_set(err, -E2BIG,
				      "serve: %u time series, of %u events in %u rows; at most %u: take fewer events, --per-core, --per-socket or --total, or raise --max-series",
				      series, serve->nr_events,
				      serve->stat.rows.nr, serve->max_series);
	code = make_room(serve, err);
	if (!code)
		code = label_counts(serve, err);
	return code ? code : label_metrics(serve, err);
}

/**
 * bpmu_serve_raise() - more was counted
 * @count: its raw count is up to date
 *
 * The difference of two events may fall; then the counter stands until it has
 * risen again.
 *
 * Context: any.
 */
void bpmu_serve_raise(struct bpmu_serve_count *count)
{
	if (count->raw.count > (long long)count->shown)
		count->shown = count->raw.count;
}

static void add_counts(struct bpmu_serve *serve,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_stat *stat = &serve->stat;
	struct bpmu_serve_count *count = serve->count;
	unsigned int i, k, pos;

	for (i = 0; i < serve->nr_events; i++, count += stat->rows.nr) {
		for (pos = 0; pos < stat->target.cpus.nr; pos++)
			bpmu_measure_raw(stat->groups, interval, pos,
					 serve->event[i].spec,
					 &count[stat->rows.of[pos]].raw);
		for (k = 0; k < stat->rows.nr; k++)
			bpmu_serve_raise(&count[k]);
	}
}

static void add_rows(struct bpmu_serve *serve,
		     const struct bpmu_interval *interval)
{
	struct bpmu_serve_row *row;
	unsigned int pos;

	for (pos = 0; pos < serve->stat.target.cpus.nr; pos++) {
		row = &serve->row[serve->stat.rows.of[pos]];
		row->lost += interval->lost[pos];
		row->spent += interval->spent[pos];
		row->enabled += interval->enabled[pos];
	}
}

static void eval(struct bpmu_serve *serve, const struct bpmu_interval *interval)
{
	const double *const *counts = (const double *const *)serve->tree_counts;
	struct bpmu_tree *tree = &serve->stat.tree;
	unsigned int nr = serve->stat.target.cpus.nr;
	unsigned int g, pos;
	double tsc = 0;

	for (g = 0; g < tree->nr_groups; g++)
		bpmu_spread_counts(tree, interval, nr, g,
				   serve->tree_counts[g]);
	for (pos = 0; pos < nr; pos++)
		tsc += interval->enabled[pos];
	bpmu_machine_set(&serve->stat.machine, tree, interval->duration, tsc);
	memset(serve->values, 0, tree->metrics.nr * sizeof(*serve->values));
	bpmu_tree_eval(tree, counts, serve->values);
	bpmu_spread(tree, interval, nr, counts, serve->values);
}

/**
 * bpmu_serve_interval() - add what an interval counted
 * @serve: &struct bpmu_serve
 * @interval: its counts
 *
 * Context: process.
 */
void bpmu_serve_interval(void *serve, const struct bpmu_interval *interval)
{
	struct bpmu_serve *s = serve;

	mtx_lock(&s->lock);
	add_counts(s, interval);
	add_rows(s, interval);
	if (s->stat.tree.metrics.nr)
		eval(s, interval);
	s->intervals++;
	s->disturbed += interval->disturbed;
	s->duration = interval->duration;
	clock_gettime(CLOCK_REALTIME, &s->end);
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
}

/**
 * bpmu_serve_changed() - a session of somebody else has begun or ended
 * @serve: &struct bpmu_serve
 * @counts: its counts come from now on; else none do, and those that came before
 *	go from the page: nobody is to take them for news
 * @why: a sentence
 *
 * Context: process.
 */
void bpmu_serve_changed(void *serve, bool counts, const char *why)
{
	struct bpmu_serve *s = serve;

	mtx_lock(&s->lock);
	s->away = !counts;
	s->sessions += counts;
	memset(s->values, 0, s->stat.tree.metrics.nr * sizeof(*s->values));
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
	fprintf(stderr, "barepmu: serve: %s%s\n", why,
		counts ? "" : "; the page has no counts until a session has them");
}

/**
 * bpmu_serve_free() - free what bpmu_serve_prepare() made
 * @serve: in any state, its events and metrics not yet freed
 *
 * Context: process.
 */
void bpmu_serve_free(struct bpmu_serve *serve)
{
	size_t rows = serve->stat.rows.nr;
	unsigned int g;
	size_t i;

	for (i = 0; serve->count && i < serve->nr_events * rows; i++)
		free(serve->count[i].labels);
	for (i = 0; serve->row && i < rows; i++)
		free(serve->row[i].labels);
	for (i = 0; serve->metric && i < serve->stat.tree.metrics.nr; i++)
		free(serve->metric[i]);
	for (g = 0; g < BPMU_TREE_GROUPS; g++)
		free(serve->tree_counts[g]);
	free(serve->event);
	free(serve->count);
	free(serve->row);
	free(serve->values);
	free(serve->metric);
	free(serve->labels);
}
