// SPDX-License-Identifier: GPL-2.0
/* The page "/metrics" of "barepmu serve", which Prometheus reads. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "serve.h"
#include "view/openmetrics.h"

/*
 * Numbers of time series on the page: SERIES_ONCE in any case, SERIES_CORE_TYPE for each core type,
 * SERIES_ATTACH with --attach, SERIES_COUNT for each count of an event, SERIES_ROW for each row
 * (such as a core), and SERIES_METRIC for each metric
 */
#define SERIES_ONCE 13
#define SERIES_CORE_TYPE 2
#define SERIES_ATTACH 2
#define SERIES_COUNT 3
#define SERIES_ROW 3
#define SERIES_METRIC 4

/* size in bytes of the buffer for writing the page, which is written in small pieces */
#define BUFFER 65536

static const struct bpmu_om_family events = {
	.name = "barepmu_events", .unit = "events", .type = BPMU_OM_COUNTER,
	.help = "Raw count, never extrapolated. For multiplexed events scale a rate by rate(barepmu_event_enabled_seconds_total) / rate(barepmu_event_running_seconds_total); add up nodes before dividing.",
};

static const struct bpmu_om_family enabled = {
	.name = "barepmu_event_enabled_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Time, added over CPUs, in which the event was to be counted.",
};

static const struct bpmu_om_family running = {
	.name = "barepmu_event_running_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Time, summed over CPUs, for which the event was on a counter; less than enabled if it was multiplexed.",
};

static const struct bpmu_om_family lost = {
	.name = "barepmu_lost_samples", .unit = "samples",
	.type = BPMU_OM_COUNTER,
	.help = "Samples lost. Counts remain complete; only intervals are coarser.",
};

static const struct bpmu_om_family session = {
	.name = "barepmu_session_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Time, added over CPUs, for which the session ran.",
};

static const struct bpmu_om_family sampling = {
	.name = "barepmu_sampling_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Overhead: time, added over CPUs, spent in taking samples, interrupt entry and exit left out.",
};

static const struct bpmu_om_family metric = {
	.name = "barepmu_metric", .type = BPMU_OM_GAUGE,
	.help = "Metric over all measured CPUs of the CPU model in the latest interval, as computed and never clamped; absent if it has no value. Do not average ratios over nodes or time: divide sums of barepmu_events_total.",
};

static const struct bpmu_om_family lower = {
	.name = "barepmu_metric_lower", .type = BPMU_OM_GAUGE,
	.help = "Lower end of the metric's 95 % interval, which has a width if events were multiplexed; -Inf after a single rotation slice.",
};

static const struct bpmu_om_family upper = {
	.name = "barepmu_metric_upper", .type = BPMU_OM_GAUGE,
	.help = "Upper end of the metric's 95 % interval.",
};

static const struct bpmu_om_family flagged = {
	.name = "barepmu_metric_flagged", .type = BPMU_OM_GAUGE,
	.help = "1 if the metric and all nodes above it are over their thresholds.",
};

static const struct bpmu_om_family row_metric = {
	.name = "barepmu_row_metric", .type = BPMU_OM_GAUGE,
	.help = "Metric of a row of CPUs in the latest interval, as barepmu_metric is over all of them.",
};

static const struct bpmu_om_family row_lower = {
	.name = "barepmu_row_metric_lower", .type = BPMU_OM_GAUGE,
	.help = "Lower end of the row's 95 % interval.",
};

static const struct bpmu_om_family row_upper = {
	.name = "barepmu_row_metric_upper", .type = BPMU_OM_GAUGE,
	.help = "Upper end of the row's 95 % interval.",
};

static const struct bpmu_om_family row_flagged = {
	.name = "barepmu_row_metric_flagged", .type = BPMU_OM_GAUGE,
	.help = "1 if the metric of the row and all nodes above it are over their thresholds.",
};

static const struct bpmu_om_family errata = {
	.name = "barepmu_event_errata", .type = BPMU_OM_INFO,
	.help = "Errata of this CPU that affect the event's count.",
};

static const struct bpmu_om_family info = {
	.name = "barepmu", .type = BPMU_OM_INFO,
	.help = "CPU model whose counters these are; one per core type of a hybrid model.",
};

static const struct bpmu_om_family smt = {
	.name = "barepmu_smt", .type = BPMU_OM_GAUGE,
	.help = "1 if threads share their core, else 0. Which events a metric needs can depend on it.",
};

static double serve_page_seconds_of(const struct timespec *time)
{
	return time->tv_sec + time->tv_nsec / 1e9;
}

static double ticks_to_seconds(const struct bpmu_serve_core_type *type, u64 ticks)
{
	return ticks / (type->stat->type->target.info.tsc_khz * 1e3);
}

/*
 * Writes a metric family: its head, and then its time series. @put writes the time series of one
 * core type.
 */
static void put_family(const struct bpmu_serve *serve, struct bpmu_om *om,
		       const struct bpmu_om_family *family,
		       void (*put)(const struct bpmu_serve_core_type *type,
				   struct bpmu_om *om))
{
	unsigned int i;

	bpmu_om_family(om, family);
	for (i = 0; i < serve->nr_core_types; i++)
		put(&serve->core_type[i], om);
}

static size_t nr_counts(const struct bpmu_serve_core_type *type)
{
	return (size_t)type->nr_events * type->stat->type->rows.nr;
}

/*
 * Returns true if some CPU of a row, such as a core, is online. @i is the index of the row, or the
 * index of a count of the row in an array [events][rows]. While all CPUs of a row are offline, the
 * page does not have the time series of the row: constant counts would look like those of an idle
 * CPU.
 */
static bool is_online(const struct bpmu_serve_core_type *type, size_t i)
{
	return !type->row[i % type->stat->type->rows.nr].offline;
}

/*
 * Returns true if a count is on the page; @i is its index in an array [events][rows]. The counters
 * of a package, L3 or core are read by only one of its CPUs. A row without such a CPU has no time
 * series of these counters, because a count of 0 would be wrong.
 */
static bool is_counted(const struct bpmu_serve_core_type *type, size_t i)
{
	unsigned int rows = type->stat->type->rows.nr;
	const struct bpmu_event_spec *spec = type->event[i / rows].spec;

	return is_online(type, i) &&
	       (type->count[i].raw.enabled ||
		!bpmu_row_is_part(&type->stat->type->rows.row[i % rows],
				  bpmu_unit_facts[spec->term[0].unit].bank));
}

static void put_counts(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	const struct bpmu_serve_count *count = type->count;
	size_t i;

	for (i = 0; i < nr_counts(type); i++)
		if (is_counted(type, i))
			bpmu_om_count(om, count[i].labels, count[i].shown);
}

static void put_enabled(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	const struct bpmu_serve_count *count = type->count;
	size_t i;

	for (i = 0; i < nr_counts(type); i++)
		if (is_counted(type, i))
			bpmu_om_value(om, count[i].labels,
				      ticks_to_seconds(type, count[i].raw.enabled));
}

static void put_running(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	const struct bpmu_serve_count *count = type->count;
	size_t i;

	for (i = 0; i < nr_counts(type); i++)
		if (is_counted(type, i))
			bpmu_om_value(om, count[i].labels,
				      ticks_to_seconds(type, count[i].raw.running));
}

static void put_lost(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	unsigned int i;

	for (i = 0; i < type->stat->type->rows.nr; i++)
		if (is_online(type, i))
			bpmu_om_count(om, type->row[i].labels, type->row[i].lost);
}

static void put_session_time(const struct bpmu_serve_core_type *type,
			     struct bpmu_om *om)
{
	unsigned int i;

	for (i = 0; i < type->stat->type->rows.nr; i++)
		if (is_online(type, i))
			bpmu_om_value(om, type->row[i].labels,
				      ticks_to_seconds(type, type->row[i].enabled));
}

static void put_sampling(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	unsigned int i;

	for (i = 0; i < type->stat->type->rows.nr; i++)
		if (is_online(type, i))
			bpmu_om_value(om, type->row[i].labels,
				      ticks_to_seconds(type, type->row[i].spent));
}

/*
 * Writes a line for each metric that is shown and has a value. The line has the value if @sign is
 * 0, the lower end of its 95 % interval if @sign is -1, and the upper end if @sign is 1.
 */
static void put_tree(const struct bpmu_tree *tree, const struct bpmu_tree_value *values,
		     char *const *labels, struct bpmu_om *om, int sign)
{
	const struct bpmu_tree_value *value;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++) {
		value = &values[i];
		if (value->known && tree->shown[i])
			bpmu_om_value(om, labels[i], !sign ? value->value : value->value +
				      sign * value->uncertainty);
	}
}

static void put_tree_flags(const struct bpmu_tree *tree, const struct bpmu_tree_value *values,
			   char *const *labels, struct bpmu_om *om)
{
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		if (values[i].known && tree->shown[i])
			bpmu_om_count(om, labels[i], values[i].flagged);
}

static void put_value(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_tree(&type->stat->type->tree, type->values, type->metric, om, 0);
}

static void put_lower(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_tree(&type->stat->type->tree, type->values, type->metric, om, -1);
}

static void put_upper(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_tree(&type->stat->type->tree, type->values, type->metric, om, 1);
}

static void put_flagged(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_tree_flags(&type->stat->type->tree, type->values, type->metric, om);
}

/*
 * Writes the values of the metrics (put_tree()) of each row, such as a core, that has an online
 * CPU.
 */
static void put_row_values(const struct bpmu_serve_core_type *type, struct bpmu_om *om, int sign)
{
	size_t at = 0;
	unsigned int k;

	for (k = 0; k < type->stat->type->rows.nr; k++, at += type->stat->type->tree.metrics.nr)
		if (is_online(type, k))
			put_tree(&type->stat->type->tree, &type->row_values[at],
				 &type->row_metric[at], om, sign);
}

static void put_row_value(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_row_values(type, om, 0);
}

static void put_row_lower(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_row_values(type, om, -1);
}

static void put_row_upper(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	put_row_values(type, om, 1);
}

static void put_row_flagged(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	size_t at = 0;
	unsigned int k;

	for (k = 0; k < type->stat->type->rows.nr; k++, at += type->stat->type->tree.metrics.nr)
		if (is_online(type, k))
			put_tree_flags(&type->stat->type->tree, &type->row_values[at],
				       &type->row_metric[at], om);
}

static void put_errata(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	struct bpmu_errata found;
	unsigned int i, k;
	char *text;
	size_t len;
	FILE *out;

	for (i = 0; i < type->nr_events; i++) {
		found.nr = 0;
		bpmu_errata_of_event(&type->stat->type->errata,
				     type->event[i].spec, &found);
		for (k = 0; k < found.nr; k++) {
			out = open_memstream(&text, &len);
			if (!out)
				return;
			fprintf(out, "%s,", type->labels);
			bpmu_om_label(out, "event", type->event[i].name);
			fputc(',', out);
			bpmu_om_label(out, "erratum", found.name[k]);
			if (!fclose(out))
				bpmu_om_count(om, text, 1);
			free(text);
		}
	}
}

static void serve_page_put_part(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	bpmu_om_count(om, type->labels, 1);
}

static void put_smt(const struct bpmu_serve_core_type *type, struct bpmu_om *om)
{
	bpmu_om_count(om, type->labels, type->stat->type->target.smt > 0);
}

/* Writes a metric family with a single time series, which has no labels. */
static void put_single(struct bpmu_om *om, const char *name, const char *unit,
		       enum bpmu_om_type type, double value, const char *help)
{
	const struct bpmu_om_family family = { name, type, unit, help };

	bpmu_om_family(om, &family);
	bpmu_om_value(om, "", value);
	om->family = NULL;
}

static void put_session(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	unsigned int cpus = 0;
	unsigned int i;

	for (i = 0; i < serve->nr_core_types; i++)
		cpus += serve->core_type[i].stat->type->target.cpus.nr;
	put_family(serve, om, &info, serve_page_put_part);
	put_family(serve, om, &smt, put_smt);
	put_single(om, "barepmu_cpus", "cpus", BPMU_OM_GAUGE, cpus - serve->offline,
		   "CPUs that are measured, without those that are offline.");
	put_single(om, "barepmu_intervals", "intervals", BPMU_OM_COUNTER,
		   serve->intervals, "Intervals measured.");
	put_single(om, "barepmu_disturbed_intervals", "intervals", BPMU_OM_COUNTER,
		   serve->disturbed,
		   "Intervals in which another agent wrote to the counters: their counts are unreliable.");
	put_single(om, "barepmu_failed_cpus", "cpus", BPMU_OM_GAUGE, serve->failed,
		   "CPUs that are offline, or could not be programmed after hotplug, resume or a device's removal, or a box of which could not: not measured.");
	put_single(om, "barepmu_prefetcher_intervals", "intervals", BPMU_OM_COUNTER,
		   serve->prefetch,
		   "Intervals in which the prefetchers of a CPU could not be set as requested.");
	put_single(om, "barepmu_interval_seconds", "seconds", BPMU_OM_GAUGE,
		   serve->duration, "Length of the latest interval.");
	put_single(om, "barepmu_interval_end_timestamp_seconds", "seconds",
		   BPMU_OM_GAUGE, serve_page_seconds_of(&serve->end),
		   "When the latest interval ended; 0 before the first.");
}

static void put_attached(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	if (!serve->attach)
		return;
	put_single(om, "barepmu_attached", NULL, BPMU_OM_GAUGE, !serve->away,
		   "1 while the session of another process is read; 0 when it has ended or counts other events, and counts are left out.");
	put_single(om, "barepmu_sessions", "sessions", BPMU_OM_COUNTER,
		   serve->sessions, "Sessions of other processes that were read.");
}

static void put_process(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	const struct timespec *begin = &serve->begin;
	struct timespec cpu;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	put_single(om, "process_cpu_seconds", "seconds", BPMU_OM_COUNTER,
		   serve_page_seconds_of(&cpu),
		   "Overhead: processor time of this process, user and system.");
	put_single(om, "process_max_resident_memory_bytes", "bytes", BPMU_OM_GAUGE,
		   usage.ru_maxrss * 1024.0, "The most memory it has had.");
	put_single(om, "process_start_time_seconds", "seconds", BPMU_OM_GAUGE,
		   serve_page_seconds_of(begin), "When the measurement began.");
	put_single(om, "barepmu_pages", "pages", BPMU_OM_COUNTER, serve->pages,
		   "Pages rendered before this one. All requests between two intervals get the same page.");
	put_single(om, "barepmu_page_seconds", "seconds", BPMU_OM_COUNTER,
		   serve->page_seconds, "Overhead: processor time of rendering pages.");
	put_single(om, "barepmu_series", "series", BPMU_OM_GAUGE, om->series + 1,
		   "Time series on this page.");
}

static unsigned int max_series_of(const struct bpmu_serve_core_type *type, bool by_row)
{
	const struct bpmu_tree *tree = &type->stat->type->tree;
	unsigned int metrics = 0;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		metrics += tree->shown[i];
	return SERIES_CORE_TYPE + SERIES_METRIC * metrics + type->stat->type->rows.nr *
	       (SERIES_ROW + SERIES_COUNT * type->nr_events +
		(by_row ? SERIES_METRIC * metrics : 0));
}

/**
 * bpmu_serve_series() - maximum number of time series that the page for Prometheus can have
 * @serve: state of "barepmu serve", after bpmu_serve_prepare() has found its events
 *
 * Return: the number, without the series of barepmu_event_errata_info.
 */
unsigned int bpmu_serve_series(const struct bpmu_serve *serve)
{
	unsigned int series = SERIES_ONCE + (serve->attach ? SERIES_ATTACH : 0);
	unsigned int i;

	for (i = 0; i < serve->nr_core_types; i++)
		series += max_series_of(&serve->core_type[i], serve->by_row);
	return series;
}

static void serve_page_put_metrics(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	/* If the first core type has no metrics, no core type has metrics. */
	if (!serve->core_type->stat->type->tree.metrics.nr)
		return;
	put_family(serve, om, &metric, put_value);
	put_family(serve, om, &lower, put_lower);
	put_family(serve, om, &upper, put_upper);
	put_family(serve, om, &flagged, put_flagged);
	if (!serve->by_row)
		return;
	put_family(serve, om, &row_metric, put_row_value);
	put_family(serve, om, &row_lower, put_row_lower);
	put_family(serve, om, &row_upper, put_row_upper);
	put_family(serve, om, &row_flagged, put_row_flagged);
}

static void put_measured(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	put_family(serve, om, &events, put_counts);
	put_family(serve, om, &enabled, put_enabled);
	put_family(serve, om, &running, put_running);
	put_family(serve, om, &lost, put_lost);
	put_family(serve, om, &session, put_session_time);
	put_family(serve, om, &sampling, put_sampling);
	serve_page_put_metrics(serve, om);
	put_family(serve, om, &errata, put_errata);
}

static void put_page(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	if (!serve->away)
		put_measured(serve, om);
	put_session(serve, om);
	put_attached(serve, om);
	put_process(serve, om);
	bpmu_om_end(om);
}

/**
 * bpmu_serve_page() - write serve's page for Prometheus
 * @serve: &struct bpmu_serve, after bpmu_serve_prepare()
 * @open: true for the format OpenMetrics, false for Prometheus' text format
 * @len: output: length of the page in bytes
 *
 * Thread-safe.
 *
 * Return: the page, to be freed; NULL if memory runs out.
 */
char *bpmu_serve_page(void *serve, bool open, size_t *len)
{
	struct bpmu_om om = { .open = open };
	struct timespec before, after;
	struct bpmu_serve *s = serve;
	char *text = NULL;
	bool failed;

	om.out = open_memstream(&text, len);
	if (!om.out)
		return NULL;
	setvbuf(om.out, NULL, _IOFBF, BUFFER);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	mtx_lock(&s->lock);
	put_page(s, &om);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	s->pages++;
	s->page_seconds += serve_page_seconds_of(&after) - serve_page_seconds_of(&before);
	mtx_unlock(&s->lock);
	failed = ferror(om.out);
	failed |= fclose(om.out);
	if (!failed)
		return text;
	free(text);
	return NULL;
}
