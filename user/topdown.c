// SPDX-License-Identifier: GPL-2.0
#include "topdown.h"

#include <stdlib.h>

#define NAME_WIDTH 32

static const char *indented(const struct bpmu_metric *metric, char *text,
			    size_t size)
{
	snprintf(text, size, "%*s%s", (int)(2 * (metric->level - 1)), "",
		 metric->name);
	return text;
}

static void text_node(const struct bpmu_topdown *t,
		      const struct bpmu_metric *metric,
		      const struct bpmu_tree_value *value)
{
	char name[64];

	fprintf(t->out, "  %-*s", NAME_WIDTH,
		indented(metric, name, sizeof(name)));
	if (!value->known) {
		fputs("  no value\n", t->out);
		return;
	}
	fprintf(t->out, "%7.1f %% of %-7s", 100 * value->value,
		metric->unit ? metric->unit : "1");
	if (value->flagged)
		fputs("  <==", t->out);
	if (value->impossible)
		fputs("  outside 0..100 %, shown as computed", t->out);
	fputc('\n', t->out);
}

static void csv_node(const struct bpmu_topdown *t,
		     const struct bpmu_metric *metric,
		     const struct bpmu_tree_value *value)
{
	const char *s = t->options.separator;

	fprintf(t->out, "%.6f%s", t->seconds, s);
	bpmu_print_csv(t->out, t->target.cpus_text, s);
	fprintf(t->out, "%s%s%s%u%s", s, metric->name, s, metric->level, s);
	if (value->known)
		fprintf(t->out, "%.6f", value->value);
	fprintf(t->out, "%s%s%s%d%s%d\n", s, metric->unit ? metric->unit : "",
		s, value->flagged, s, value->impossible);
}

static void json_node(const struct bpmu_topdown *t,
		      const struct bpmu_metric *metric,
		      const struct bpmu_tree_value *value)
{
	FILE *out = t->out;

	fprintf(out, "{\"schema\":1,\"type\":\"metric\",\"time\":%.6f,",
		t->seconds);
	bpmu_print_stamps(out);
	fputs(",\"cpus\":", out);
	bpmu_print_json(out, t->target.cpus_text);
	fputs(",\"metric\":", out);
	bpmu_print_json(out, metric->name);
	fprintf(out, ",\"level\":%u,\"value\":", metric->level);
	if (value->known)
		fprintf(out, "%.6f", value->value);
	else
		fputs("null", out);
	fprintf(out, ",\"unit\":\"%s\",\"flagged\":%s,\"impossible\":%s}\n",
		metric->unit ? metric->unit : "",
		value->flagged ? "true" : "false",
		value->impossible ? "true" : "false");
}

/* the deepest flagged node; of several at that depth the largest */
static int worst(const struct bpmu_topdown *t,
		 const struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;
	int found = -1;
	unsigned int i;

	for (i = 0; i < t->tree.metrics.nr; i++) {
		if (!bpmu_tree_shown(&t->tree, i) || !values[i].flagged)
			continue;
		if (found < 0 || metric[i].level > metric[found].level ||
		    (metric[i].level == metric[found].level &&
		     values[i].value > values[found].value))
			found = i;
	}
	return found;
}

static void print_path(const struct bpmu_topdown *t, int node)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;

	if (metric[node].parent >= 0) {
		print_path(t, metric[node].parent);
		fputs(" > ", t->out);
	}
	fputs(metric[node].name, t->out);
}

static void verdict(const struct bpmu_topdown *t,
		    const struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;
	int node = worst(t, values);

	fputc('\n', t->out);
	if (node < 0) {
		fputs("Nothing is flagged: no part of the pipeline stands out.\n",
		      t->out);
		return;
	}
	fputs("Flagged: ", t->out);
	print_path(t, node);
	fputs(".\n", t->out);
	if (metric[node].text)
		fprintf(t->out, "%s\n", metric[node].text);
	if (metric[node].next)
		fprintf(t->out, "Next: %s\n", metric[node].next);
}

static void note_loss(const struct bpmu_topdown *t)
{
	if (t->lost)
		fprintf(t->out,
			"%llu samples lost: counts are whole, intervals are coarser.\n",
			t->lost);
}

static void text_head(const struct bpmu_topdown *t)
{
	fprintf(t->out, "Top-Down on %s, everything that ran on CPU %s",
		t->target.info.title, t->target.cpus_text);
	if (t->options.argv) {
		fputs(" while '", t->out);
		bpmu_print_command(t->out, t->options.argv);
		fputs("' ran", t->out);
	}
	fprintf(t->out, "; %s %.3f s\n\n",
		t->options.interval_ns ? "to" : "in", t->seconds);
}

static void csv_head(const struct bpmu_topdown *t)
{
	const char *s = t->options.separator;

	fprintf(t->out,
		"time%scpus%smetric%slevel%svalue%sunit%sflagged%simpossible\n",
		s, s, s, s, s, s, s);
}

/**
 * bpmu_topdown_tree() - evaluate and print a tree
 * @topdown: with counts
 */
void bpmu_topdown_tree(struct bpmu_topdown *topdown)
{
	const struct bpmu_metrics *metrics = &topdown->tree.metrics;
	enum bpmu_format format = topdown->options.format;
	struct bpmu_tree_value *values;
	unsigned int i;

	values = calloc(metrics->nr, sizeof(*values));
	if (!values)
		return;
	bpmu_tree_eval(&topdown->tree,
		       (const double *const *)topdown->counts, values);
	if (format == BPMU_TEXT)
		text_head(topdown);
	else if (format == BPMU_CSV && !topdown->trees)
		csv_head(topdown);
	topdown->trees++;
	for (i = 0; i < metrics->nr; i++) {
		if (!bpmu_tree_shown(&topdown->tree, i))
			continue;
		if (format == BPMU_TEXT)
			text_node(topdown, &metrics->metric[i], &values[i]);
		else if (format == BPMU_CSV)
			csv_node(topdown, &metrics->metric[i], &values[i]);
		else
			json_node(topdown, &metrics->metric[i], &values[i]);
	}
	if (format == BPMU_TEXT) {
		verdict(topdown, values);
		note_loss(topdown);
	}
	fflush(topdown->out);
	free(values);
}

/**
 * bpmu_topdown_groups() - print which events are counted together
 * @topdown: with a tree
 */
void bpmu_topdown_groups(const struct bpmu_topdown *topdown)
{
	unsigned int g, i;

	for (g = 0; g < topdown->tree.groups.nr; g++) {
		const struct bpmu_sched *sched = &topdown->tree.groups.group[g].sched;

		printf("group %u\n", g + 1);
		for (i = 0; i < sched->nr; i++) {
			u32 counter = sched->slot[i].counter;
			bool fixed = counter >= BPMU_FIXED_BASE;

			printf("  %s counter %u  %s\n",
			       fixed ? "fixed  " : "general",
			       fixed ? counter - BPMU_FIXED_BASE : counter,
			       sched->slot[i].text);
		}
	}
}
