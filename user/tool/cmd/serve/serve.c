// SPDX-License-Identifier: GPL-2.0
#include "serve.h"

#include <errno.h>
#include <string.h>

#include "count/flaw.h"

static int check_series(const struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int series = bpmu_serve_series(serve);
	const struct bpmu_serve_kind *kind;
	unsigned int counts = 0;
	unsigned int i;

	if (series <= serve->max_series)
		return 0;
	for (i = 0; i < serve->nr_kinds; i++) {
		kind = &serve->kind[i];
		counts += kind->nr_events * kind->stat->rows.nr;
	}
	return bpmu_error_set(err, -E2BIG,
			      "serve: %u time series, of %u counts of events in rows; at most %u: take fewer events, --per-core, --per-socket or --total, or raise --max-series",
			      series, counts, serve->max_series);
}

/**
 * bpmu_serve_prepare() - allocate the series of the page
 * @serve: events and metrics of its kinds of CPUs are scheduled
 * @err: set on failure
 *
 * Return: 0, -E2BIG if there are too many series, or -ENOMEM.
 */
int bpmu_serve_prepare(struct bpmu_serve *serve, struct bpmu_error *err)
{
	unsigned int i;
	int code = 0;

	serve->nr_kinds = 1 + serve->stat->others;
	for (i = 0; i < serve->nr_kinds; i++)
		serve->kind[i].stat = &serve->stat[i];
	for (i = 0; i < serve->nr_kinds && !code; i++)
		code = bpmu_serve_kind_find_events(&serve->kind[i], err);
	if (!code)
		code = check_series(serve, err);
	for (i = 0; i < serve->nr_kinds && !code; i++)
		code = bpmu_serve_kind_prepare(&serve->kind[i], err);
	return code;
}

static void add_flaws(struct bpmu_serve *serve,
		      const struct bpmu_interval *interval)
{
	unsigned int nr = 0, failed = 0;
	unsigned int i;
	u32 flags;

	for (i = 0; i < serve->nr_kinds; i++)
		nr += serve->stat[i].target.cpus.nr;
	for (i = 0; interval->flaws && i < nr; i++)
		failed += !!(interval->flaws[i] & BPMU_SAMPLE_FAILED);
	flags = bpmu_flaws_of(interval, nr);
	serve->disturbed += !!(flags & BPMU_SAMPLE_DISTURBED);
	serve->prefetch += !!(flags & BPMU_SAMPLE_PREFETCH);
	serve->failed = failed;
}

/**
 * bpmu_serve_interval() - add the counts of an interval
 * @serve: &struct bpmu_serve
 * @interval: its counts
 */
void bpmu_serve_interval(void *serve, const struct bpmu_interval *interval)
{
	struct bpmu_interval behind = *interval;
	struct bpmu_serve *s = serve;
	unsigned int k;

	mtx_lock(&s->lock);
	for (k = 0; k < s->nr_kinds; k++) {
		bpmu_serve_kind_add(&s->kind[k], &behind);
		if (k + 1 < s->nr_kinds)
			behind = bpmu_interval_behind(&behind,
						      s->stat[k].target.cpus.nr,
						      s->stat[k].groups);
	}
	s->intervals++;
	add_flaws(s, interval);
	s->duration = interval->duration;
	clock_gettime(CLOCK_REALTIME, &s->end);
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
}

/**
 * bpmu_serve_changed() - the session of another process has begun or ended
 * @serve: &struct bpmu_serve
 * @counts: its counts come from now on; else none do, and the page drops those that
 *	came before, which are out of date
 * @why: a sentence
 */
void bpmu_serve_changed(void *serve, bool counts, const char *why)
{
	struct bpmu_serve *s = serve;
	struct bpmu_serve_kind *kind = s->kind;

	mtx_lock(&s->lock);
	s->away = !counts;
	s->sessions += counts;
	memset(kind->values, 0,
	       kind->stat->tree.metrics.nr * sizeof(*kind->values));
	mtx_unlock(&s->lock);
	bpmu_http_renew(s->http);
	fprintf(stderr, "barepmu: serve: %s%s\n", why,
		counts ? "" : "; the page has no counts until a session has them");
}

/**
 * bpmu_serve_free() - free what bpmu_serve_prepare() made
 * @serve: in any state, its events and metrics not yet freed
 */
void bpmu_serve_free(struct bpmu_serve *serve)
{
	unsigned int i;

	for (i = 0; i < serve->nr_kinds; i++)
		bpmu_serve_kind_free(&serve->kind[i]);
}
