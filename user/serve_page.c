// SPDX-License-Identifier: GPL-2.0
/*
 * The page of "barepmu serve".
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "openmetrics.h"
#include "serve.h"

/* series that there are once, and those of a row and of a metric */
#define SERIES_ONCE 12
#define SERIES_ATTACH 2
#define SERIES_COUNT 3
#define SERIES_ROW 3
#define SERIES_METRIC 4

/* 64 KB at once, as most of the page is written in small pieces */
#define BUFFER 65536

static const struct bpmu_om_family events = {
	.name = "barepmu_events", .unit = "events", .type = BPMU_OM_COUNTER,
	.help = "What was counted, never extrapolated. Where events take turns scale a rate by that of barepmu_event_enabled_seconds_total over that of barepmu_event_running_seconds_total; add up nodes before dividing.",
};

static const struct bpmu_om_family enabled = {
	.name = "barepmu_event_enabled_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Time, added over CPUs, in which the event was to be counted.",
};

static const struct bpmu_om_family running = {
	.name = "barepmu_event_running_seconds", .unit = "seconds",
	.type = BPMU_OM_COUNTER,
	.help = "Time, added over CPUs, in which the event was on a counter; less than enabled where events take turns.",
};

static const struct bpmu_om_family lost = {
	.name = "barepmu_lost_samples", .unit = "samples",
	.type = BPMU_OM_COUNTER,
	.help = "Samples lost. Counts are whole nevertheless, only their division into intervals is coarser.",
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
	.help = "Metric of all measured CPUs in the latest interval, as computed and never clamped; absent where it has no value. Do not average ratios over nodes or time: divide sums of barepmu_events_total.",
};

static const struct bpmu_om_family lower = {
	.name = "barepmu_metric_lower", .type = BPMU_OM_GAUGE,
	.help = "Lower end of the metric's 95 % interval, which has a width where events take turns; -Inf if one turn tells nothing about the others.",
};

static const struct bpmu_om_family upper = {
	.name = "barepmu_metric_upper", .type = BPMU_OM_GAUGE,
	.help = "Upper end of the metric's 95 % interval.",
};

static const struct bpmu_om_family flagged = {
	.name = "barepmu_metric_flagged", .type = BPMU_OM_GAUGE,
	.help = "1 if the metric and all nodes above it are over their thresholds.",
};

static double seconds_of(const struct timespec *time)
{
	return time->tv_sec + time->tv_nsec / 1e9;
}

static double ticks_to_seconds(const struct bpmu_serve *serve, u64 ticks)
{
	return ticks / (serve->stat.target.info.tsc_khz * 1e3);
}

static void put_events(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	size_t nr = (size_t)serve->nr_events * serve->stat.rows.nr;
	const struct bpmu_serve_count *count = serve->count;
	size_t i;

	bpmu_om_family(om, &events);
	for (i = 0; i < nr; i++)
		bpmu_om_count(om, count[i].labels, count[i].shown);
	bpmu_om_family(om, &enabled);
	for (i = 0; i < nr; i++)
		bpmu_om_value(om, count[i].labels,
			      ticks_to_seconds(serve, count[i].raw.enabled));
	bpmu_om_family(om, &running);
	for (i = 0; i < nr; i++)
		bpmu_om_value(om, count[i].labels,
			      ticks_to_seconds(serve, count[i].raw.running));
}

static void put_rows(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	const struct bpmu_serve_row *row = serve->row;
	unsigned int i;

	bpmu_om_family(om, &lost);
	for (i = 0; i < serve->stat.rows.nr; i++)
		bpmu_om_count(om, row[i].labels, row[i].lost);
	bpmu_om_family(om, &session);
	for (i = 0; i < serve->stat.rows.nr; i++)
		bpmu_om_value(om, row[i].labels,
			      ticks_to_seconds(serve, row[i].enabled));
	bpmu_om_family(om, &sampling);
	for (i = 0; i < serve->stat.rows.nr; i++)
		bpmu_om_value(om, row[i].labels,
			      ticks_to_seconds(serve, row[i].spent));
}

/* each of a metric's families: sign times the half width is added */
static void put_metric(const struct bpmu_serve *serve, struct bpmu_om *om,
		       const struct bpmu_om_family *family, int sign)
{
	const struct bpmu_tree_value *value;
	unsigned int i;

	bpmu_om_family(om, family);
	for (i = 0; i < serve->stat.tree.metrics.nr; i++) {
		value = &serve->values[i];
		if (value->known && bpmu_tree_shown(&serve->stat.tree, i))
			bpmu_om_value(om, serve->metric[i], !sign ?
				      value->value : value->value +
				      sign * value->uncertainty);
	}
}

static void put_metrics(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	const struct bpmu_tree *tree = &serve->stat.tree;
	unsigned int i;

	if (!tree->metrics.nr)
		return;
	put_metric(serve, om, &metric, 0);
	put_metric(serve, om, &lower, -1);
	put_metric(serve, om, &upper, 1);
	bpmu_om_family(om, &flagged);
	for (i = 0; i < tree->metrics.nr; i++)
		if (serve->values[i].known && bpmu_tree_shown(tree, i))
			bpmu_om_count(om, serve->metric[i],
				      serve->values[i].flagged);
}

static void put_errata(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	static const struct bpmu_om_family family = {
		.name = "barepmu_event_errata", .type = BPMU_OM_INFO,
		.help = "Defects of this CPU that touch the event's count.",
	};
	struct bpmu_errata errata;
	unsigned int i, k;
	char *text;
	size_t len;
	FILE *out;

	bpmu_om_family(om, &family);
	for (i = 0; i < serve->nr_events; i++) {
		errata.nr = 0;
		bpmu_errata_of_event(&serve->stat.errata_cpu,
				     serve->event[i].spec, &errata);
		for (k = 0; k < errata.nr; k++) {
			out = open_memstream(&text, &len);
			if (!out)
				return;
			fprintf(out, "%s,", serve->labels);
			bpmu_om_label(out, "event", serve->event[i].name);
			fputc(',', out);
			bpmu_om_label(out, "erratum", errata.name[k]);
			if (!fclose(out))
				bpmu_om_count(om, text, 1);
			free(text);
		}
	}
}

/* a family of one series */
static void put_one(struct bpmu_om *om, const char *name, const char *unit,
		    enum bpmu_om_type type, double value, const char *help)
{
	const struct bpmu_om_family family = { name, type, unit, help };

	bpmu_om_family(om, &family);
	bpmu_om_value(om, "", value);
	om->family = NULL;
}

static void put_session(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	static const struct bpmu_om_family info = {
		.name = "barepmu", .type = BPMU_OM_INFO,
		.help = "The part whose counters these are.",
	};

	bpmu_om_family(om, &info);
	bpmu_om_count(om, serve->labels, 1);
	put_one(om, "barepmu_cpus", "cpus", BPMU_OM_GAUGE,
		serve->stat.target.cpus.nr, "CPUs that are measured.");
	put_one(om, "barepmu_intervals", "intervals", BPMU_OM_COUNTER,
		serve->intervals, "Intervals measured.");
	put_one(om, "barepmu_disturbed_intervals", "intervals", BPMU_OM_COUNTER,
		serve->disturbed,
		"Intervals in which someone else wrote to the counters: do not trust their counts.");
	put_one(om, "barepmu_interval_seconds", "seconds", BPMU_OM_GAUGE,
		serve->duration, "Length of the latest interval.");
	put_one(om, "barepmu_interval_end_timestamp_seconds", "seconds",
		BPMU_OM_GAUGE, seconds_of(&serve->end),
		"When the latest interval ended; 0 before the first.");
}

static void put_attached(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	if (!serve->attach)
		return;
	put_one(om, "barepmu_attached", NULL, BPMU_OM_GAUGE, !serve->away,
		"1 while the counts of somebody else's session come; 0 when it has ended or counts something else, and counts are left out.");
	put_one(om, "barepmu_sessions", "sessions", BPMU_OM_COUNTER,
		serve->sessions, "Sessions of others that were read.");
}

static void put_process(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	const struct timespec *begin = &serve->begin;
	struct timespec cpu;
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	put_one(om, "process_cpu_seconds", "seconds", BPMU_OM_COUNTER,
		seconds_of(&cpu),
		"Overhead: processor time of this process, user and system.");
	put_one(om, "process_max_resident_memory_bytes", "bytes", BPMU_OM_GAUGE,
		usage.ru_maxrss * 1024.0, "The most memory it has had.");
	put_one(om, "process_start_time_seconds", "seconds", BPMU_OM_GAUGE,
		seconds_of(begin), "When the measurement began.");
	put_one(om, "barepmu_pages", "pages", BPMU_OM_COUNTER, serve->pages,
		"Pages made before this one. All who ask between two intervals get the same.");
	put_one(om, "barepmu_page_seconds", "seconds", BPMU_OM_COUNTER,
		serve->page_seconds, "Overhead: processor time of making them.");
	put_one(om, "barepmu_series", "series", BPMU_OM_GAUGE, om->series + 1,
		"Time series on this page.");
}

/**
 * bpmu_serve_series() - how many series there may be on a page
 * @serve: its events and metrics are planned
 *
 * Context: any.
 * Return: their number; infos of errata are left out.
 */
unsigned int bpmu_serve_series(const struct bpmu_serve *serve)
{
	const struct bpmu_tree *tree = &serve->stat.tree;
	unsigned int metrics = 0;
	unsigned int i;

	for (i = 0; i < tree->metrics.nr; i++)
		metrics += bpmu_tree_shown(tree, i);
	return SERIES_ONCE + (serve->attach ? SERIES_ATTACH : 0) +
	       SERIES_METRIC * metrics + serve->stat.rows.nr *
	       (SERIES_ROW + SERIES_COUNT * serve->nr_events);
}

static void put_page(const struct bpmu_serve *serve, struct bpmu_om *om)
{
	if (!serve->away) {
		put_events(serve, om);
		put_rows(serve, om);
		put_metrics(serve, om);
		put_errata(serve, om);
	}
	put_session(serve, om);
	put_attached(serve, om);
	put_process(serve, om);
	bpmu_om_end(om);
}

/**
 * bpmu_serve_page() - write the page
 * @serve: &struct bpmu_serve, prepared
 * @open: in OpenMetrics
 * @len: set to its length
 *
 * Context: any thread.
 * Return: the page, for free(), or NULL without memory.
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
	s->page_seconds += seconds_of(&after) - seconds_of(&before);
	mtx_unlock(&s->lock);
	failed = ferror(om.out);
	failed |= fclose(om.out);
	if (!failed)
		return text;
	free(text);
	return NULL;
}
