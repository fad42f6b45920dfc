// SPDX-License-Identifier: GPL-2.0
#include "topdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "count/spread.h"
#include "count/verdict.h"
#include "metric/metric_unit.h"
#include "repeat.h"
#include "report_sums.h"
#include "count/cpi.h"
#include "tree/paper.h"
#include "view/interval_row.h"
#include "view/tree_print.h"
#include "view/tree_rows.h"

/* lines between two headings of --compact: less than a screen */
#define COMPACT_LINES 20
/* minimum width of a column, for "no value" */
#define COMPACT_WIDTH_MIN 8
/* width of the label of a row, such as S0-D0-L3-ID16 */
#define COMPACT_ROW_WIDTH 13

/**
 * bpmu_topdown_longer() - what the user of topdown can do if there were too few slices
 * @topdown: the call
 *
 * Return: the way to more slices.
 */
enum bpmu_longer bpmu_topdown_longer(const struct bpmu_topdown *topdown)
{
	const struct bpmu_options *options = &topdown->options;

	if (options->replay)
		return options->interval_ns ? BPMU_LONGER_REPLAY : BPMU_LONGER_RECORDING;
	if (options->interval_ns)
		return BPMU_LONGER_INTERVAL;
	return options->argv && !topdown->repeat && !topdown->drill ? BPMU_LONGER_REPEAT :
								      BPMU_LONGER_RUN;
}

/**
 * bpmu_topdown_loss() - print lost samples and flaws below a Top-Down tree
 * @topdown: after a measurement
 */
void bpmu_topdown_loss(const struct bpmu_topdown *topdown)
{
	if (topdown->lost)
		fprintf(topdown->out,
			"%llu samples lost: counts are complete, intervals are coarser.\n",
			topdown->lost);
	bpmu_flaws_text(&topdown->flaws, topdown->out, "");
}

/**
 * bpmu_topdown_intervals() - print below a Top-Down tree, once, what 95 % intervals assume
 * @topdown: the call
 * @estimated: a value of this tree has an interval with a width
 */
void bpmu_topdown_intervals(struct bpmu_topdown *topdown, bool estimated)
{
	if (estimated && !topdown->noted)
		bpmu_print_intervals(topdown->out, "");
	topdown->noted |= estimated;
}

/**
 * bpmu_topdown_head() - print the heading above a Top-Down tree
 * @topdown: with counts
 */
void bpmu_topdown_head(const struct bpmu_topdown *topdown)
{
	const struct bpmu_topdown *t = topdown;

	fprintf(t->out, "Top-Down on %s, system-wide on CPU %s",
		t->target.info.title, t->target.cpus_text);
	bpmu_repeat_print_command(t->out, &t->options, t->repeat, t->runs);
	fprintf(t->out, "; %s %.3f s\n\n",
		t->options.interval_ns ? "to" : "in", t->seconds);
}

/* maximum number of fields before the values */
#define WHEN_MAX 7

static struct bpmu_fields topdown_when(const struct bpmu_topdown *t,
				       struct bpmu_field field[WHEN_MAX])
{
	unsigned int nr = 0;

	field[nr++] = (struct bpmu_field){
		"time", .form = BPMU_FIELD_FIXED, .number = t->seconds,
		.digits = 6,
	};
	field[nr++] = (struct bpmu_field){
		"wall", .form = BPMU_FIELD_STAMP, .stamp = &t->stamp,
	};
	if (t->core_type)
		field[nr++] = (struct bpmu_field){
			"part", t->core_type, BPMU_FIELD_TEXT,
		};
	field[nr++] = (struct bpmu_field){
		"cpus", t->row ? t->row->label : t->target.cpus_text, BPMU_FIELD_TEXT,
	};
	if (t->row && bpmu_rows_grouped(&t->rows)) {
		field[nr++] = (struct bpmu_field){
			"cpu_count", .form = BPMU_FIELD_WHOLE, .whole = t->row->cpus,
		};
		field[nr++] = (struct bpmu_field){
			"aggregation", bpmu_rows_aggregation(&t->rows), BPMU_FIELD_TEXT,
		};
	}
	if (t->drill)
		field[nr++] = (struct bpmu_field){
			"step", .form = BPMU_FIELD_WHOLE, .whole = t->step,
		};
	if (t->repeat)
		field[nr++] = (struct bpmu_field){
			"runs", .form = BPMU_FIELD_WHOLE, .whole = t->runs,
		};
	return (struct bpmu_fields){ field, nr };
}

static void print_stack(const struct bpmu_topdown *t,
			const struct bpmu_tree_value *values,
			const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = t->out, .format = t->options.format,
		.separator = t->options.separator, .when = *when, .type = "cpi",
		.headed = t->trees,
	};
	struct bpmu_cpi cpi;

	if (bpmu_cpi_stack(&cpi, &t->tree, values))
		return;
	bpmu_cpi_print(&table, &cpi, &t->tree);
	bpmu_cpi_free(&cpi);
}

static bool topdown_in_line(const struct bpmu_topdown *t, unsigned int i)
{
	return t->tree.shown[i] &&
	       (t->choice.names || t->tree.metrics.metric[i].parent < 0);
}

static int topdown_width(const struct bpmu_metric *metric)
{
	int length = strlen(metric->name);

	return length < COMPACT_WIDTH_MIN ? COMPACT_WIDTH_MIN : length;
}

static void topdown_compact_head(const struct bpmu_topdown *t)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;
	unsigned int i;

	fprintf(t->out, "%*s", t->options.interval_ns < BPMU_NS_PER_MS ? 12 : 9,
		"time");
	if (t->core_type)
		fprintf(t->out, " %-7s", "part");
	if (t->row)
		fprintf(t->out, " %-*s", COMPACT_ROW_WIDTH, "cpus");
	for (i = 0; i < t->tree.metrics.nr; i++)
		if (topdown_in_line(t, i))
			fprintf(t->out, " %*s", topdown_width(&metric[i]),
				metric[i].name);
	fputs(" flagged\n", t->out);
}

/* Prints a line of --compact: level 1 or the metrics of -M, and the node of the verdict. */
static void topdown_compact(struct bpmu_topdown *t,
			    const struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;
	bool fine = t->options.interval_ns < BPMU_NS_PER_MS;
	struct bpmu_verdict verdict;
	unsigned int i;
	bool share;
	int node;

	if (t->trees++ % COMPACT_LINES == 0)
		topdown_compact_head(t);
	fprintf(t->out, "%*.*f", fine ? 12 : 9, fine ? 6 : 3, t->seconds);
	if (t->core_type)
		fprintf(t->out, " %-7s", t->core_type);
	if (t->row)
		fprintf(t->out, " %-*s", COMPACT_ROW_WIDTH, t->row->label);
	for (i = 0; i < t->tree.metrics.nr; i++) {
		if (!topdown_in_line(t, i))
			continue;
		if (!values[i].known) {
			fprintf(t->out, " %*s", topdown_width(&metric[i]),
				"no value");
			continue;
		}
		share = bpmu_unit_is_share(metric[i].unit);
		fprintf(t->out, share ? " %*.1f%c" : " %*.3g%c",
			topdown_width(&metric[i]) - 1,
			(share ? 100 : 1) * values[i].value,
			values[i].flagged ? '!' :
			values[i].flags & BPMU_VALUE_UNDECIDED ? '?' : ' ');
	}
	bpmu_verdict_find(&t->tree, values, &verdict);
	node = bpmu_verdict_node(&verdict);
	fprintf(t->out, " %s\n", node < 0 ? "-" : metric[node].name);
}

static void print_tree_or_node(const struct bpmu_topdown *t,
			       const struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = t->tree.metrics.metric;
	unsigned int i;

	if (!t->options.only) {
		bpmu_tree_text(t->out, &t->tree, values);
		return;
	}
	for (i = 0; i < t->tree.metrics.nr; i++) {
		if (!t->tree.shown[i] || strcasecmp(metric[i].name, t->options.only))
			continue;
		bpmu_tree_node(t->out, &t->tree, i, &values[i]);
		fputc('\n', t->out);
	}
}

static bool has_interval(const struct bpmu_topdown *t, const struct bpmu_tree_value *values)
{
	unsigned int i;

	for (i = 0; i < t->tree.metrics.nr; i++)
		if (t->tree.shown[i] && bpmu_is_interval(bpmu_tree_half_width(&values[i])))
			return true;
	return false;
}

static void topdown_text(struct bpmu_topdown *t, const struct bpmu_tree_value *values)
{
	struct bpmu_table table = { .out = t->out, .format = BPMU_TEXT };
	const struct bpmu_tree *tree = &t->tree;
	bool counted = false;
	unsigned int g, i;
	char *said = NULL;
	size_t size;
	FILE *out;

	bpmu_topdown_head(t);
	for (g = 0; g < tree->groups.nr; g++)
		for (i = 0; i < tree->events[g].nr; i++)
			counted |= !isnan(tree->counts[g][i]);
	if (!counted) {
		bpmu_print_not_counted(t->out);
		bpmu_topdown_loss(t);
		return;
	}
	if (t->cpi) {
		print_stack(t, values, &(struct bpmu_fields){ });
	} else {
		print_tree_or_node(t, values);
		/* the verdict of an interval is printed only if it has changed */
		out = open_memstream(&said, &size);
		if (out) {
			bpmu_verdict_text(out, tree, values, bpmu_topdown_longer(t));
			fclose(out);
			if (!t->verdict || strcmp(said, t->verdict))
				fputs(said, t->out);
			free(t->verdict);
			t->verdict = said;
		}
	}
	if (t->choice.paper || t->formula) {
		fputc('\n', t->out);
		bpmu_paper_print(t->out, tree,
				 (const double *const *)tree->counts, values,
				 t->options.only);
	}
	if (tree->touched && !t->options.only)
		bpmu_tree_errata(t->out, tree);
	if (!t->whole)
		bpmu_tree_refused(&table, &t->choice);
	bpmu_topdown_intervals(t, has_interval(t, values));
	if (t->lost || t->flaws.any)
		bpmu_topdown_loss(t);
}

/**
 * bpmu_topdown_rows() - print values of a Top-Down tree as CSV or JSON
 * @topdown: the call, with the time of the values
 * @tree: tree of all nodes, or of a step
 * @values: values of the tree's nodes
 *
 * Prints nothing in the text format.
 */
void bpmu_topdown_rows(struct bpmu_topdown *topdown,
		       const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values)
{
	struct bpmu_field field[WHEN_MAX];
	const struct bpmu_fields when = topdown_when(topdown, field);
	struct bpmu_table table = {
		.out = topdown->out, .format = topdown->options.format,
		.separator = topdown->options.separator, .when = when,
		.type = "metric", .headed = topdown->trees,
	};

	if (topdown->options.format == BPMU_TEXT)
		return;
	if (topdown->cpi)
		print_stack(topdown, values, &when);
	else
		bpmu_tree_rows(&table, tree, values);
	topdown->trees++;
}

/**
 * bpmu_topdown_verdict() - print the verdict of a Top-Down tree as JSON
 * @topdown: the call, with the time of the values
 * @values: values, [nr lines of the method]
 *
 * Prints nothing in other formats: CSV has rows of metrics only.
 */
void bpmu_topdown_verdict(struct bpmu_topdown *topdown,
			  const struct bpmu_tree_value *values)
{
	struct bpmu_field field[WHEN_MAX];
	const struct bpmu_fields when = topdown_when(topdown, field);

	if (topdown->options.format == BPMU_JSON && !topdown->cpi)
		bpmu_verdict_json(topdown->out, &topdown->tree, values, &when);
}

/**
 * struct view - source of the values of alerts
 * @topdown: the tree
 * @values: values, [node]
 */
struct view {
	const struct bpmu_topdown *topdown;
	const struct bpmu_tree_value *values;
};

static struct bpmu_value topdown_lookup(void *ctx, const char *name)
{
	const struct view *view = ctx;
	struct bpmu_value value = { .known = false };
	int i = bpmu_metrics_find(&view->topdown->tree.metrics, name);

	if (i < 0)
		return value;
	value.known = view->values[i].known;
	value.number = view->values[i].value;
	return value;
}

/**
 * bpmu_topdown_alert() - check the alerts with an interval of the Top-Down tree
 * @topdown: with the time and length of the interval
 * @values: values, [nr lines of the method]
 */
void bpmu_topdown_alert(struct bpmu_topdown *topdown,
			const struct bpmu_tree_value *values)
{
	struct view view = { .topdown = topdown, .values = values };

	bpmu_alerts_see(&topdown->alerts, topdown_lookup, &view, topdown->seconds,
			topdown->duration);
}

/* adds the values of an interval to the sums */
static void topdown_sum_up(const struct bpmu_topdown *t,
			   const struct bpmu_interval *interval,
			   const struct bpmu_tree_value *values)
{
	unsigned int i;

	if (t->options.interval_ns && !interval->whole)
		return;
	for (i = 0; i < t->tree.metrics.nr; i++)
		if (t->tree.shown[i])
			bpmu_metric_sum(&t->tree.metrics.metric[i], &values[i],
					t->row ? t->row->label : t->target.cpus_text,
					t->options.sums);
}

/* Prints the first line of the verdict on each row of CPUs. */
static void topdown_row_verdicts(const struct bpmu_topdown *t,
				 const struct bpmu_tree_value *values)
{
	unsigned int row;
	char *said;
	size_t size;
	FILE *out;

	fputc('\n', t->out);
	for (row = 0; row < t->rows.nr; row++) {
		out = open_memstream(&said, &size);
		if (!out)
			return;
		bpmu_verdict_text(out, &t->tree, values + (size_t)row * t->tree.metrics.nr,
				  bpmu_topdown_longer(t));
		if (fclose(out))
			return;
		size = strspn(said, "\n");
		if (said[size])
			fprintf(t->out, "  %s%-8s %.*s\n",
				t->rows.by == BPMU_ROWS_CPU ? "CPU " : "",
				t->rows.row[row].label, (int)strcspn(said + size, "\n"),
				said + size);
		free(said);
	}
}

static void topdown_row_text(struct bpmu_topdown *t, const struct bpmu_tree_value *values)
{
	struct bpmu_table table = { .out = t->out, .format = BPMU_TEXT };

	bpmu_topdown_head(t);
	bpmu_tree_rows_text(t->out, &t->tree, &t->rows, values);
	topdown_row_verdicts(t, values);
	if (t->tree.touched)
		bpmu_tree_errata(t->out, &t->tree);
	if (!t->whole)
		bpmu_tree_refused(&table, &t->choice);
	if (t->lost || t->flaws.any)
		bpmu_topdown_loss(t);
}

/* Prints or adds up the values of a row of CPUs; text has a table of all rows. */
static void topdown_put_row(struct bpmu_topdown *t, const struct bpmu_interval *interval,
			    const struct bpmu_tree_value *values)
{
	if (t->options.sums) {
		topdown_sum_up(t, interval, values);
	} else if (t->compact) {
		topdown_compact(t, values);
	} else {
		bpmu_topdown_rows(t, &t->tree, values);
		bpmu_topdown_verdict(t, values);
	}
}

static void topdown_by_interval(struct bpmu_topdown *t, const struct bpmu_interval *interval)
{
	struct bpmu_tree_value *values;
	unsigned int row;

	values = calloc((size_t)t->rows.nr * t->tree.metrics.nr, sizeof(*values));
	if (!values)
		return;
	bpmu_interval_rows_eval(&t->tree, &t->tree.groups, interval, &t->rows,
				t->machine.sockets, values);
	for (row = 0; row < t->rows.nr; row++) {
		t->row = &t->rows.row[row];
		topdown_put_row(t, interval, values + (size_t)row * t->tree.metrics.nr);
	}
	t->row = NULL;
	if (!t->options.sums && !t->compact && t->options.format == BPMU_TEXT)
		topdown_row_text(t, values);
	free(values);
}

/* prints the flaws as JSON; text has them below each tree, or below the lines of --compact */
static void topdown_interval_end(struct bpmu_topdown *t)
{
	if (t->options.sums)
		t->options.sums->flaws = t->flaws;
	else if (t->options.format == BPMU_JSON)
		bpmu_flaws_json(&t->flaws, t->out);
	else if (t->compact)
		bpmu_topdown_loss(t);
}

/**
 * bpmu_topdown_interval() - evaluate and print an interval of the Top-Down tree
 * @topdown: &struct bpmu_topdown
 * @interval: counts of the interval
 */
void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval)
{
	struct bpmu_topdown *first = topdown, *t = first;
	struct bpmu_interval of = *interval;
	struct bpmu_tree_value *values;
	unsigned int k, pos;

	for (k = 0; k <= first->others; k++, t++) {
		if (k) {
			of = bpmu_interval_behind(&of, t[-1].target.cpus.nr,
						  &t[-1].tree.groups);
			t->out = first->out;
			t->runs = first->runs;
			/*
			 * the trees of all core types share one heading: continue its count of
			 * trees
			 */
			t->trees = first->trees;
			if (first->options.format == BPMU_TEXT &&
			    !first->options.sums && !first->compact)
				fputc('\n', t->out);
		}
		for (pos = 0; pos < t->target.cpus.nr; pos++)
			t->lost += of.lost[pos];
		if (of.flaws)
			bpmu_flaws_add(&t->flaws, &of, &t->target.cpus);
		t->seconds = of.seconds;
		t->duration = of.duration;
		t->stamp = of.stamp;
		if (t->by != BPMU_ROWS_ALL) {
			topdown_by_interval(t, &of);
			continue;
		}
		values = calloc(t->tree.metrics.nr, sizeof(*values));
		if (!values)
			continue;
		bpmu_spread_eval(&t->tree, &of, t->target.cpus.nr, values);
		if (t->options.sums) {
			topdown_sum_up(t, &of, values);
			free(values);
			continue;
		}
		if (t->compact) {
			topdown_compact(t, values);
		} else if (t->options.format == BPMU_TEXT) {
			topdown_text(t, values);
		} else {
			bpmu_topdown_rows(t, &t->tree, values);
			bpmu_topdown_verdict(t, values);
		}
		if (t->alerts.nr)
			bpmu_topdown_alert(t, values);
		free(values);
	}
	for (k = 0; interval->last && k <= first->others; k++)
		topdown_interval_end(&first[k]);
}

static void print_slot(const struct bpmu_pmu *pmu,
		       const struct bpmu_sched_slot *slot)
{
	unsigned int counter = slot->counter;
	const char *bank = "general";
	struct bpmu_place place;

	if (bpmu_uncore_place(pmu, counter, &place)) {
		bank = place.box->name;
		counter = place.index;
	} else if (counter >= BPMU_COUNTER_FREE) {
		bank = "free";
		counter -= BPMU_COUNTER_FREE;
	} else if (counter >= BPMU_FIXED_BASE) {
		bank = "fixed";
		counter -= BPMU_FIXED_BASE;
	}
	printf("  %-7s counter %u  %s\n", bank, counter, slot->text);
}

static void print_groups(const struct bpmu_topdown *topdown)
{
	const struct bpmu_groups *groups = &topdown->tree.groups;
	unsigned int g, i;

	if (topdown->core_type)
		printf("CPU %s (%s)\n", topdown->target.cpus_text,
		       topdown->core_type);
	for (g = 0; g < groups->nr; g++) {
		printf("group %u\n", g + 1);
		for (i = 0; i < groups->group[g].sched.nr; i++)
			print_slot(&topdown->target.info.pmu,
				   &groups->group[g].sched.slot[i]);
	}
}

/**
 * bpmu_topdown_groups() - print the event groups of the Top-Down tree and their counters
 * @topdown: with a tree
 */
void bpmu_topdown_groups(const struct bpmu_topdown *topdown)
{
	unsigned int k;

	for (k = 0; k <= topdown->others; k++)
		print_groups(&topdown[k]);
}
