// SPDX-License-Identifier: GPL-2.0
/*
 * The page "/" of "barepmu serve", for people: the state of the measurement, the metrics, and
 * links.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "metric/metric_unit.h"
#include "serve.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<style>:root { color-scheme: light dark; }\n"
	"body { font: 15px/1.5 system-ui, sans-serif; max-width: 46em; margin: 1em auto; padding: 0 1em; }\n"
	"td, th { padding: 1px 1em 1px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }\n"
	".bad { color: #c5221f; font-weight: 600; }</style>\n";

static const char links[] =
	"<h2>Links</h2>\n<ul><li><a href=\"/metrics\">/metrics</a>: counts and metrics, for Prometheus; as OpenMetrics if the request accepts that</li>\n"
	"<li>barepmu-serve(1) describes the options, barepmu-fleet(7) rules, alerts and the dashboard for Grafana</li></ul>\n</body></html>\n";

static void index_put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
			fprintf(out, "&#%d;", *text);
		else
			fputc(*text, out);
}

static void index_put_row(FILE *out, const char *name, bool bad)
{
	fprintf(out, "<tr><th>%s</th><td%s>", name, bad ? " class=\"bad\"" : "");
}

/*
 * Writes a row of the table: in how many intervals the measurement had a flaw, for example that
 * another agent disturbed the counters. @name describes the flaw. Writes nothing if there is no
 * such interval.
 */
static void put_flawed(FILE *out, const char *name, u64 nr, u64 intervals)
{
	if (!nr)
		return;
	index_put_row(out, name, true);
	fprintf(out, "%llu of %llu intervals</td></tr>\n", (unsigned long long)nr,
		(unsigned long long)intervals);
}

static double age(const struct timespec *then)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)(now.tv_sec - then->tv_sec) + (now.tv_nsec - then->tv_nsec) / 1e9;
}

static void index_put_cpus(FILE *out, const struct bpmu_serve *serve)
{
	const struct bpmu_target *target;
	unsigned int cpus = 0;
	unsigned int i;

	for (i = 0; i < serve->nr_core_types; i++) {
		index_put_row(out, "CPU model", false);
		target = &serve->core_type[i].stat->type->target;
		index_put_text(out, target->info.title);
		fprintf(out, " (%s), %zu CPUs</td></tr>\n", target->info.part,
			(size_t)target->cpus.nr);
		cpus += target->cpus.nr;
	}
	index_put_row(out, "CPUs", serve->failed);
	fprintf(out, "%u measured", cpus - serve->failed);
	if (serve->offline)
		fprintf(out, ", %u offline", serve->offline);
	if (serve->failed > serve->offline)
		fprintf(out, ", %u could not be programmed", serve->failed - serve->offline);
	fputs("</td></tr>\n", out);
}

static u64 lost_samples(const struct bpmu_serve *serve)
{
	const struct bpmu_serve_core_type *type;
	unsigned int i, row;
	u64 lost = 0;

	for (i = 0; i < serve->nr_core_types; i++) {
		type = &serve->core_type[i];
		for (row = 0; row < type->stat->type->rows.nr; row++)
			lost += type->row[row].lost;
	}
	return lost;
}

static void put_state(FILE *out, const struct bpmu_serve *serve)
{
	const double late = age(&serve->end);
	/*
	 * Counting seems to have stopped if the latest interval ended longer ago than two intervals
	 * and one second.
	 */
	const bool stands = serve->intervals && late > 2 * serve->duration + 1;

	fputs("<table>\n", out);
	index_put_row(out, "State", serve->away || stands);
	fprintf(out, "%s</td></tr>\n", serve->away ?
		"no session: that of the other process has ended or counts other events" :
		!serve->intervals ? "measuring; the first interval has not ended" :
		stands ? "no interval has ended as expected" : "measuring");
	index_put_cpus(out, serve);
	index_put_row(out, "Measured for", false);
	fprintf(out, "%.0f s, %llu intervals</td></tr>\n", age(&serve->begin),
		(unsigned long long)serve->intervals);
	if (serve->intervals) {
		index_put_row(out, "Latest interval", false);
		fprintf(out, "%.3g s long, ended %.1f s ago</td></tr>\n", serve->duration, late);
	}
	put_flawed(out, "Disturbed by another agent", serve->disturbed, serve->intervals);
	put_flawed(out, "Prefetchers not as asked", serve->prefetch, serve->intervals);
	if (lost_samples(serve)) {
		index_put_row(out, "Lost samples", true);
		fprintf(out, "%llu; counts are complete</td></tr>\n",
			(unsigned long long)lost_samples(serve));
	}
	fputs("</table>\n", out);
}

static void put_metric(FILE *out, const struct bpmu_metric *metric,
		       const struct bpmu_tree_value *value)
{
	const char *unit = metric->unit ?: "";
	const bool share = bpmu_unit_is_share(metric->unit);
	const double scale = share ? 100 : 1;
	const double half = bpmu_tree_half_width(value);

	fputs("<tr><th>", out);
	index_put_text(out, metric->name);
	fprintf(out, "</th><td%s>", value->flagged ? " class=\"bad\"" : "");
	fprintf(out, share ? "%.1f" : "%.4g", scale * value->value);
	if (isfinite(half))
		fprintf(out, share ? " &#177; %.1f" : " &#177; %.2g", scale * half);
	else
		fputs(" &#177; ?", out);
	fputs(share ? " % of " : " ", out);
	index_put_text(out, unit);
	fprintf(out, "</td><td>%s</td></tr>\n", value->flagged ? "flagged" : "");
}

/* Writes a table of the values that a core type's metrics have in the latest interval. */
static void put_metrics(FILE *out, const struct bpmu_serve_core_type *type)
{
	const struct bpmu_tree *tree = &type->stat->type->tree;
	const struct bpmu_tree_value *value;
	unsigned int i, shown = 0;

	for (i = 0; i < tree->metrics.nr; i++) {
		value = &type->values[i];
		if (!tree->shown[i] || !value->known)
			continue;
		if (!shown++) {
			fputs("<h2>Latest interval, ", out);
			index_put_text(out, type->stat->type->target.info.title);
			fputs("</h2>\n<table>\n", out);
		}
		put_metric(out, &tree->metrics.metric[i], value);
	}
	if (shown)
		fputs("</table>\n", out);
}

/**
 * bpmu_serve_index() - write the start page of serve, the index at "/"
 * @serve: &struct bpmu_serve, after bpmu_serve_prepare()
 * @len: output: length of the page in bytes
 *
 * Thread-safe.
 *
 * Return: the page in HTML, to be freed; NULL if memory runs out.
 */
char *bpmu_serve_index(void *serve, size_t *len)
{
	struct bpmu_serve *s = serve;
	struct utsname machine;
	char *text = NULL;
	unsigned int i;
	bool failed;
	FILE *out;

	out = open_memstream(&text, len);
	if (!out)
		return NULL;
	if (uname(&machine))
		machine.nodename[0] = '\0';
	fputs(head, out);
	fputs("<title>barepmu on ", out);
	index_put_text(out, machine.nodename);
	fputs("</title></head><body>\n<h1>barepmu on ", out);
	index_put_text(out, machine.nodename);
	fputs("</h1>\n", out);
	mtx_lock(&s->lock);
	put_state(out, s);
	for (i = 0; i < s->nr_core_types && !s->away; i++)
		put_metrics(out, &s->core_type[i]);
	mtx_unlock(&s->lock);
	fputs(links, out);
	failed = ferror(out);
	failed |= fclose(out);
	if (!failed)
		return text;
	free(text);
	return NULL;
}
