// SPDX-License-Identifier: GPL-2.0
#include "serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/flaw.h"
#include "count/spread.h"
#include "view/interval_row.h"
#include "view/openmetrics.h"

/*
 * Formats the labels of a time series: the CPU model, and the @nr (1 to 3) pairs of name and value
 * in @pairs. Returns the text, to be freed; NULL if memory runs out.
 */
static char *labels(const struct bpmu_serve_core_type *type,
		    const char *const pairs[][2], unsigned int nr)
{
	char *text = NULL;
	unsigned int i;
	size_t len;
	FILE *out;

	out = open_memstream(&text, &len);
	if (!out)
		return NULL;
	bpmu_om_label(out, "part", type->stat->type->target.info.part);
	for (i = 0; i < nr; i++) {
		fputc(',', out);
		bpmu_om_label(out, pairs[i][0], pairs[i][1]);
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

/*
 * Returns true if the page has an event of this name already: two series with equal labels would be
 * invalid.
 */
static bool has_event(const struct bpmu_serve_core_type *type, const char *name)
{
	unsigned int i;

	for (i = 0; i < type->nr_events; i++)
		if (!strcmp(type->event[i].name, name))
			return true;
	return false;
}

static void serve_type_add_event(struct bpmu_serve_core_type *type, const char *name,
				 const struct bpmu_event_spec *spec)
{
	struct bpmu_serve_event *event = &type->event[type->nr_events];

	if (has_event(type, name))
		return;
	event->name = name;
	event->spec = spec;
	bpmu_groups_event_slots(type->stat->type->groups, spec, spec, &event->slots);
	type->nr_events++;
}

/*
 * Collects the events of the page. These include all events that metrics need: the metrics of
 * several machines together (a fleet) are computed from sums of these counts. If -e and a metric
 * name the same event differently, the name of -e is kept. Returns 0 or -ENOMEM.
 */
static int serve_type_find_events(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_stat_view *stat = type->stat;
	const struct bpmu_tree *tree = &stat->type->tree;
	const struct bpmu_event_list *wanted = &stat->type->wanted.events;
	unsigned int nr = stat->nr_shown;
	unsigned int g, i;

	for (g = 0; g < tree->nr_groups; g++)
		nr += tree->events[g].nr;
	type->event = calloc(nr, sizeof(*type->event));
	if (!type->event)
		return bpmu_error_no_memory(err, "serve");
	for (i = 0; i < stat->nr_shown; i++)
		serve_type_add_event(type, i < wanted->nr ? wanted->spec[i].text :
							    stat->shown[i].name,
				     stat->shown[i].spec);
	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			serve_type_add_event(type, tree->events[g].spec[i].text,
					     &tree->events[g].spec[i]);
	return 0;
}

static int label_counts(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	const char *aggregation = bpmu_rows_aggregation(&type->stat->type->rows);
	unsigned int grouped = bpmu_rows_grouped(&type->stat->type->rows);
	unsigned int rows = type->stat->type->rows.nr;
	unsigned int i, k;
	char **text;

	for (i = 0; i < type->nr_events; i++) {
		for (k = 0; k < rows; k++) {
			const char *const pairs[][2] = {
				{ "cpu", type->stat->type->rows.row[k].label },
				{ "event", type->event[i].name },
				{ "aggregation", aggregation },
			};

			text = &type->count[i * (size_t)rows + k].labels;
			*text = labels(type, pairs, 2 + grouped);
			if (!*text)
				return bpmu_error_no_memory(err, "serve");
		}
	}
	for (k = 0; k < rows; k++) {
		const char *const pair[][2] = {
			{ "cpu", type->stat->type->rows.row[k].label },
			{ "aggregation", aggregation },
		};

		type->row[k].labels = labels(type, pair, 1 + grouped);
		if (!type->row[k].labels)
			return bpmu_error_no_memory(err, "serve");
	}
	return 0;
}

static char *metric_labels(const struct bpmu_serve_core_type *type,
			   const struct bpmu_metric *metric)
{
	char level[16];
	const char *const pairs[][2] = {
		{ "metric", metric->name }, { "level", level },
		{ "unit", metric->unit ?: "" },
	};

	snprintf(level, sizeof(level), "%u", metric->level);
	return labels(type, pairs, 3);
}

static int label_metrics(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_metrics *metrics = &type->stat->type->tree.metrics;
	unsigned int i;

	for (i = 0; i < metrics->nr; i++) {
		type->metric[i] = metric_labels(type, &metrics->metric[i]);
		if (!type->metric[i])
			return bpmu_error_no_memory(err, "serve");
	}
	return 0;
}

/*
 * Makes the labels of the time series of each metric for each row, such as a core. label_counts()
 * and label_metrics() must have been called. Returns 0 or -ENOMEM.
 */
static int label_row_metrics(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	const char *part = type->labels;
	unsigned int nr = type->stat->type->tree.metrics.nr;
	unsigned int i, k;

	for (k = 0; type->row_metric && k < type->stat->type->rows.nr; k++)
		for (i = 0; i < nr; i++)
			if (asprintf(&type->row_metric[k * (size_t)nr + i], "%s%s",
				     type->row[k].labels, type->metric[i] + strlen(part)) < 0) {
				type->row_metric[k * (size_t)nr + i] = NULL;
				return bpmu_error_no_memory(err, "serve");
			}
	return 0;
}

/*
 * Allocates the values of the metrics for each row (such as a core), if there are metrics. Returns
 * 0 or -ENOMEM.
 */
static int make_room_for_rows(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	size_t nr = (size_t)type->stat->type->rows.nr * type->stat->type->tree.metrics.nr;

	if (!nr)
		return 0;
	type->row_values = calloc(nr, sizeof(*type->row_values));
	type->row_metric = calloc(nr, sizeof(*type->row_metric));
	return type->row_values && type->row_metric ? 0 : bpmu_error_no_memory(err, "serve");
}

static int serve_type_make_room(struct bpmu_serve_core_type *type, struct bpmu_error *err)
{
	const struct bpmu_tree *tree = &type->stat->type->tree;
	size_t rows = type->stat->type->rows.nr;

	type->count = calloc(type->nr_events * rows, sizeof(*type->count));
	type->row = calloc(rows, sizeof(*type->row));
	type->values = calloc(tree->metrics.nr + 1, sizeof(*type->values));
	type->metric = calloc(tree->metrics.nr + 1, sizeof(*type->metric));
	type->labels = labels(type, NULL, 0);
	if (!type->count || !type->row || !type->values || !type->metric ||
	    !type->labels)
		return bpmu_error_no_memory(err, "serve");
	return 0;
}

/* Allocates counts, values and labels of all time series of a core type. Returns 0 or -ENOMEM. */
static int serve_type_prepare(struct bpmu_serve_core_type *type, bool by_row,
			      struct bpmu_error *err)
{
	int code;

	code = serve_type_make_room(type, err);
	if (!code && by_row)
		code = make_room_for_rows(type, err);
	if (!code)
		code = label_counts(type, err);
	if (!code)
		code = label_metrics(type, err);
	return code ? code : label_row_metrics(type, err);
}

/**
 * bpmu_serve_raise() - update the count that serve has of an event, but never lower it
 * @count: count of an event. Its member shown (the count on the page) is set to the raw count if
 *	the raw count is larger
 *
 * An event may be the difference of two counts, which may decrease. A counter of Prometheus must
 * not decrease: it then keeps its value.
 */
void bpmu_serve_raise(struct bpmu_serve_count *count)
{
	if (count->raw.count > (long long)count->shown)
		count->shown = count->raw.count;
}

static void add_counts(struct bpmu_serve_core_type *type,
		       const struct bpmu_interval *interval)
{
	const struct bpmu_core_type *of = type->stat->type;
	struct bpmu_serve_count *count = type->count;
	unsigned int i, k, pos;

	for (i = 0; i < type->nr_events; i++, count += of->rows.nr) {
		for (pos = 0; pos < of->target.cpus.nr; pos++)
			bpmu_interval_raw(of->groups, interval, pos,
					  &type->event[i].slots,
					  &count[of->rows.of[pos]].raw);
		for (k = 0; k < of->rows.nr; k++)
			bpmu_serve_raise(&count[k]);
	}
}

static void add_rows(struct bpmu_serve_core_type *type,
		     const struct bpmu_interval *interval)
{
	struct bpmu_serve_row *row;
	unsigned int pos;

	for (pos = 0; pos < type->stat->type->rows.nr; pos++)
		type->row[pos].offline = true;
	for (pos = 0; pos < type->stat->type->target.cpus.nr; pos++) {
		row = &type->row[type->stat->type->rows.of[pos]];
		row->offline &= interval->flaws &&
				interval->flaws[pos] & BPMU_SAMPLE_OFFLINE;
		row->lost += interval->lost[pos];
		row->spent += interval->spent[pos];
		row->enabled += interval->enabled[pos];
	}
}

/*
 * Adds the counts of an interval to the counts of a core type. The arrays of @interval must begin
 * with the elements of this core type's CPUs. Context: &bpmu_serve.lock is held.
 */
static void serve_type_add(struct bpmu_serve_core_type *type,
			   const struct bpmu_interval *interval)
{
	struct bpmu_core_type *of = type->stat->type;

	add_counts(type, interval);
	add_rows(type, interval);
	if (type->row_values) {
		bpmu_interval_rows_eval(&of->tree, of->groups, interval, &of->rows,
					of->machine.sockets, type->row_values);
		/*
		 * To evaluate a row, the number of packages in the tree was set to that of the row.
		 * It is now set to that of the machine again.
		 */
		bpmu_machine_set(&of->machine, &of->tree);
	}
	if (of->tree.metrics.nr)
		bpmu_spread_eval(&of->tree, interval, of->target.cpus.nr, type->values);
}

static void serve_type_free(struct bpmu_serve_core_type *type)
{
	size_t rows = type->stat->type->rows.nr;
	size_t i;

	for (i = 0; type->count && i < type->nr_events * rows; i++)
		free(type->count[i].labels);
	for (i = 0; type->row && i < rows; i++)
		free(type->row[i].labels);
	for (i = 0; type->metric && i < type->stat->type->tree.metrics.nr; i++)
		free(type->metric[i]);
	for (i = 0; type->row_metric && i < rows * type->stat->type->tree.metrics.nr; i++)
		free(type->row_metric[i]);
	free(type->row_values);
	free(type->row_metric);
	free(type->event);
	free(type->count);
	free(type->row);
	free(type->values);
	free(type->metric);
	free(type->labels);
}

static int check_series(const struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int series = bpmu_serve_series(serve);
	const struct bpmu_serve_core_type *type;
	unsigned int counts = 0;
	unsigned int i;

	if (series <= serve->max_series)
		return 0;
	for (i = 0; i < serve->nr_core_types; i++) {
		type = &serve->core_type[i];
		counts += type->nr_events * type->stat->type->rows.nr;
	}
	return bpmu_error_set(err, -E2BIG,
			      "serve: %u time series, of %u counts of events in rows; at most %u: take fewer events, --per-core, --per-socket or --total, or raise --max-series",
			      series, counts, serve->max_series);
}

/**
 * bpmu_serve_prepare() - allocate what serve shows: counts, values and labels
 * @serve: state of "barepmu serve", whose events and metrics are scheduled
 *
 * Return: 0, -E2BIG if there are too many series, or -ENOMEM.
 */
int bpmu_serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	serve->nr_core_types = serve->stat.analysis.nr;
	for (i = 0; i < serve->nr_core_types; i++)
		serve->core_type[i].stat = &serve->stat.view[i];
	for (i = 0; i < serve->nr_core_types && !code; i++)
		code = serve_type_find_events(&serve->core_type[i], err);
	if (!code)
		code = check_series(serve, err);
	for (i = 0; i < serve->nr_core_types && !code; i++)
		code = serve_type_prepare(&serve->core_type[i], serve->by_row, err);
	return code;
}

static void add_flaws(struct bpmu_serve *serve,
		      const struct bpmu_interval *interval)
{
	unsigned int nr = 0, failed = 0, offline = 0;
	unsigned int i;
	u32 flags;

	for (i = 0; i < serve->nr_core_types; i++)
		nr += serve->core_type[i].stat->type->target.cpus.nr;
	for (i = 0; interval->flaws && i < nr; i++) {
		failed += !!(interval->flaws[i] & (BPMU_SAMPLE_FAILED | BPMU_SAMPLE_OFFLINE));
		offline += !!(interval->flaws[i] & BPMU_SAMPLE_OFFLINE);
	}
	flags = bpmu_flaws_of(interval, nr);
	serve->disturbed += !!(flags & BPMU_SAMPLE_DISTURBED);
	serve->prefetch += !!(flags & BPMU_SAMPLE_PREFETCH);
	serve->failed = failed;
	serve->offline = offline;
}

/**
 * bpmu_serve_interval() - add an interval's counts to the counts that serve shows
 * @serve: &struct bpmu_serve
 * @interval: counts of the interval
 */
void bpmu_serve_interval(void *serve, const struct bpmu_interval *interval)
{
	struct bpmu_interval behind = *interval;
	struct bpmu_serve *s = serve;
	const struct bpmu_core_type *of;
	unsigned int k;

	mtx_lock(&s->lock);
	for (k = 0; k < s->nr_core_types; k++) {
		of = s->core_type[k].stat->type;
		serve_type_add(&s->core_type[k], &behind);
		if (k + 1 < s->nr_core_types)
			behind = bpmu_interval_behind(&behind, of->target.cpus.nr, of->groups);
	}
	s->intervals++;
	add_flaws(s, interval);
	s->duration = interval->duration;
	clock_gettime(CLOCK_REALTIME, &s->end);
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
}

/**
 * bpmu_serve_changed() - tell serve that the session of the other process has begun or ended
 * @serve: &struct bpmu_serve
 * @counts: true if the session has begun; false if it has ended: its counts, which are now out of
 *	date, are then removed from the page
 * @why: the reason, a sentence, which is printed
 */
void bpmu_serve_changed(void *serve, bool counts, const char *why)
{
	struct bpmu_serve *s = serve;
	struct bpmu_serve_core_type *type = s->core_type;

	mtx_lock(&s->lock);
	s->away = !counts;
	s->sessions += counts;
	memset(type->values, 0,
	       type->stat->type->tree.metrics.nr * sizeof(*type->values));
	if (type->row_values)
		memset(type->row_values, 0, (size_t)type->stat->type->rows.nr *
		       type->stat->type->tree.metrics.nr * sizeof(*type->row_values));
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
	fprintf(stderr, "barepmu: serve: %s%s\n", why,
		counts ? "" : "; the page has no counts until a session has them");
}

/**
 * bpmu_serve_free() - free the counts, values and labels that serve keeps between intervals
 * @serve: state of "barepmu serve"; its events and metrics must not have been freed yet
 */
void bpmu_serve_free(struct bpmu_serve *serve)
{
	unsigned int i;

	for (i = 0; i < serve->nr_core_types; i++)
		serve_type_free(&serve->core_type[i]);
}
