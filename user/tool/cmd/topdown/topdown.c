// SPDX-License-Identifier: GPL-2.0
#include "topdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/print.h"
#include "count/spread.h"
#include "count/verdict.h"
#include "metric/metric_unit.h"
#include "report_sums.h"
#include "count/cpi.h"
#include "tree/paper.h"
#include "view/interval_row.h"
#include "view/tree_print.h"
#include "view/tree_rows.h"

/*
 * With --compact, the heading is printed again after this number of lines, so that a screen always
 * shows a heading
 */
#define COMPACT_LINES 20
/* minimum width of a column: the width of the text "no value" */
#define COMPACT_WIDTH_MIN 8
/* width of the label of a set of CPUs, such as S0-D0-L3-ID16 */
#define COMPACT_ROW_WIDTH 13

/**
 * bpmu_topdown_longer() - what to change in a call of topdown so that groups are counted more often
 * @call: the call of "barepmu topdown" with its options
 */
enum bpmu_longer bpmu_topdown_longer(const struct bpmu_topdown *call)
{
	const struct bpmu_options *options = &call->options;

	if (options->replay)
		return options->interval_ns ? BPMU_LONGER_REPLAY : BPMU_LONGER_RECORDING;
	if (options->interval_ns)
		return BPMU_LONGER_INTERVAL;
	return options->argv && !call->repeat && !call->drill ? BPMU_LONGER_REPEAT :
								BPMU_LONGER_RUN;
}

/**
 * bpmu_topdown_loss() - print topdown's number of lost samples, and the flaws of the measurement
 * @topdown: what topdown prints of a core type, with its lost samples and flaws
 */
void bpmu_topdown_loss(const struct bpmu_topdown_view *topdown)
{
	if (topdown->lost)
		fprintf(topdown->call->out,
			"%llu samples lost: counts are complete, intervals are coarser.\n",
			topdown->lost);
	bpmu_flaws_text(&topdown->flaws, topdown->call->out, "");
}

/**
 * bpmu_topdown_intervals() - print what topdown's 95 % intervals assume, unless it has been printed
 * @topdown: what topdown prints of a core type
 * @estimated: true if the tree has an estimated value with a 95 % interval; if false, nothing is
 *	printed
 */
void bpmu_topdown_intervals(struct bpmu_topdown_view *topdown, bool estimated)
{
	if (estimated && !topdown->noted)
		bpmu_print_intervals(topdown->call->out, "");
	topdown->noted |= estimated;
}

/**
 * bpmu_topdown_head() - print the heading above the results of topdown
 * @topdown: what topdown prints of a core type, with the time of the interval
 */
void bpmu_topdown_head(const struct bpmu_topdown_view *topdown)
{
	const struct bpmu_target *target = &topdown->type->target;
	const struct bpmu_topdown *call = topdown->call;

	fprintf(call->out, "Top-Down on %s, system-wide on CPU %s", target->info.title,
		target->cpus_text);
	bpmu_print_during(call->out, call->options.argv, call->runs);
	fprintf(call->out, "; %s %.3f s\n\n", call->options.interval_ns ? "to" : "in",
		topdown->seconds);
}

/*
 * maximum number of fields that say the time and the CPUs of a row of CSV or JSON; they are its
 * first fields
 */
#define WHEN_MAX 7

static struct bpmu_fields topdown_when(const struct bpmu_topdown_view *t,
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
	if (t->type->name)
		field[nr++] = (struct bpmu_field){
			"part", t->type->name, BPMU_FIELD_TEXT,
		};
	field[nr++] = (struct bpmu_field){
		"cpus", t->row ? t->row->label : t->type->target.cpus_text, BPMU_FIELD_TEXT,
	};
	if (t->row && bpmu_rows_grouped(&t->type->rows)) {
		field[nr++] = (struct bpmu_field){
			"cpu_count", .form = BPMU_FIELD_WHOLE, .whole = t->row->cpus,
		};
		field[nr++] = (struct bpmu_field){
			"aggregation", bpmu_rows_aggregation(&t->type->rows), BPMU_FIELD_TEXT,
		};
	}
	if (t->call->drill)
		field[nr++] = (struct bpmu_field){
			"step", .form = BPMU_FIELD_WHOLE, .whole = t->step,
		};
	if (t->call->repeat)
		field[nr++] = (struct bpmu_field){
			"runs", .form = BPMU_FIELD_WHOLE, .whole = t->call->runs,
		};
	return (struct bpmu_fields){ field, nr };
}

static void print_stack(const struct bpmu_topdown_view *t,
			const struct bpmu_tree_value *values,
			const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = t->call->out, .format = t->call->options.format,
		.separator = t->call->options.separator, .when = *when, .type = "cpi",
		.headed = t->trees,
	};
	struct bpmu_cpi cpi;

	if (bpmu_cpi_stack(&cpi, &t->type->tree, values))
		return;
	bpmu_cpi_print(&table, &cpi, &t->type->tree);
	bpmu_cpi_free(&cpi);
}

static bool topdown_in_line(const struct bpmu_topdown_view *t, unsigned int i)
{
	return t->type->tree.shown[i] &&
	       (t->type->choice.names || t->type->tree.metrics.metric[i].parent < 0);
}

static int topdown_width(const struct bpmu_metric *metric)
{
	int length = strlen(metric->name);

	return length < COMPACT_WIDTH_MIN ? COMPACT_WIDTH_MIN : length;
}

static void topdown_compact_head(const struct bpmu_topdown_view *t)
{
	const struct bpmu_metric *metric = t->type->tree.metrics.metric;
	unsigned int i;

	fprintf(t->call->out, "%*s", t->call->options.interval_ns < BPMU_NS_PER_MS ? 12 : 9,
		"time");
	if (t->type->name)
		fprintf(t->call->out, " %-7s", "part");
	if (t->row)
		fprintf(t->call->out, " %-*s", COMPACT_ROW_WIDTH, "cpus");
	for (i = 0; i < t->type->tree.metrics.nr; i++)
		if (topdown_in_line(t, i))
			fprintf(t->call->out, " %*s", topdown_width(&metric[i]),
				metric[i].name);
	fputs(" flagged\n", t->call->out);
}

/*
 * Prints a line of --compact: the nodes of level 1 or the metrics of -M, and the name of the node
 * that the verdict names as the bottleneck.
 */
static void topdown_compact(struct bpmu_topdown_view *t,
			    const struct bpmu_tree_value *values)
{
	const struct bpmu_metric *metric = t->type->tree.metrics.metric;
	bool fine = t->call->options.interval_ns < BPMU_NS_PER_MS;
	struct bpmu_verdict verdict;
	unsigned int i;
	bool share;
	int node;

	if (t->trees++ % COMPACT_LINES == 0)
		topdown_compact_head(t);
	fprintf(t->call->out, "%*.*f", fine ? 12 : 9, fine ? 6 : 3, t->seconds);
	if (t->type->name)
		fprintf(t->call->out, " %-7s", t->type->name);
	if (t->row)
		fprintf(t->call->out, " %-*s", COMPACT_ROW_WIDTH, t->row->label);
	for (i = 0; i < t->type->tree.metrics.nr; i++) {
		if (!topdown_in_line(t, i))
			continue;
		if (!values[i].known) {
			fprintf(t->call->out, " %*s", topdown_width(&metric[i]),
				"no value");
			continue;
		}
		share = bpmu_unit_is_share(metric[i].unit);
		fprintf(t->call->out, share ? " %*.1f%c" : " %*.3g%c",
			topdown_width(&metric[i]) - 1,
			(share ? 100 : 1) * values[i].value,
			values[i].flagged ? '!' :
			values[i].flags & BPMU_VALUE_UNDECIDED ? '?' : ' ');
	}
	bpmu_verdict_find(&t->type->tree, values, &verdict);
	node = bpmu_verdict_node(&verdict);
	fprintf(t->call->out, " %s\n", node < 0 ? "-" : metric[node].name);
}

/**
 * bpmu_topdown_rows() - print values of topdown as CSV or JSON
 * @topdown: what topdown prints of a core type, with the time of the values
 * @tree: tree with all nodes or, with --drill, with the nodes that were measured together
 * @values: values of the tree's nodes
 *
 * Prints nothing in the text format.
 */
void bpmu_topdown_rows(struct bpmu_topdown_view *topdown,
		       const struct bpmu_tree *tree,
		       const struct bpmu_tree_value *values)
{
	struct bpmu_field field[WHEN_MAX];
	const struct bpmu_fields when = topdown_when(topdown, field);
	struct bpmu_table table = {
		.out = topdown->call->out, .format = topdown->call->options.format,
		.separator = topdown->call->options.separator, .when = when,
		.type = "metric", .headed = topdown->trees,
	};

	if (topdown->call->options.format == BPMU_TEXT)
		return;
	if (topdown->call->cpi)
		print_stack(topdown, values, &when);
	else
		bpmu_tree_rows(&table, tree, values);
	topdown->trees++;
}

/**
 * bpmu_topdown_verdict() - print the verdict of topdown as JSON
 * @topdown: what topdown prints of a core type, with the time of the values
 * @values: values of the tree's nodes, [nr metrics]
 *
 * Prints nothing in other formats: CSV has rows of metrics only.
 */
void bpmu_topdown_verdict(struct bpmu_topdown_view *topdown,
			  const struct bpmu_tree_value *values)
{
	struct bpmu_field field[WHEN_MAX];
	const struct bpmu_fields when = topdown_when(topdown, field);

	if (topdown->call->options.format == BPMU_JSON && !topdown->call->cpi)
		bpmu_verdict_json(topdown->call->out, &topdown->type->tree, values, &when);
}

/**
 * struct view - the values that the conditions of --alert are compared with
 * @topdown: what topdown prints of a core type
 * @values: values of the tree's nodes, [node]
 */
struct view {
	const struct bpmu_topdown_view *topdown;
	const struct bpmu_tree_value *values;
};

static struct bpmu_value topdown_lookup(void *ctx, const char *name)
{
	const struct view *view = ctx;
	struct bpmu_value value = { .known = false };
	int i = bpmu_metrics_find(&view->topdown->type->tree.metrics, name);

	if (i < 0)
		return value;
	value.known = view->values[i].known;
	value.number = view->values[i].value;
	return value;
}

/**
 * bpmu_topdown_alert() - let topdown compare an interval's values with the conditions of --alert
 * @topdown: what topdown prints of a core type, with the time and length of the interval
 * @values: values of the tree's nodes, [nr metrics]
 */
void bpmu_topdown_alert(struct bpmu_topdown_view *topdown,
			const struct bpmu_tree_value *values)
{
	struct view view = { .topdown = topdown, .values = values };

	bpmu_alerts_see(&topdown->call->alerts, topdown_lookup, &view, topdown->seconds,
			topdown->duration);
}

/* Adds the values of an interval to means over intervals, for report --diff. */
static void topdown_sum_up(const struct bpmu_topdown_view *t,
			   const struct bpmu_interval *interval,
			   const struct bpmu_tree_value *values)
{
	unsigned int i;

	if (t->call->options.interval_ns && !interval->whole)
		return;
	for (i = 0; i < t->type->tree.metrics.nr; i++)
		if (t->type->tree.shown[i])
			bpmu_metric_sum(&t->type->tree.metrics.metric[i], &values[i],
					t->row ? t->row->label : t->type->target.cpus_text,
					t->call->options.sums);
}

/* Prints, for each set of CPUs such as a core, the first line of the verdict. */
static void topdown_row_verdicts(const struct bpmu_topdown_view *t,
				 const struct bpmu_tree_value *values)
{
	const struct bpmu_tree *tree = &t->type->tree;
	unsigned int row;
	char *said;
	size_t size;
	FILE *out;

	fputc('\n', t->call->out);
	for (row = 0; row < t->type->rows.nr; row++) {
		out = open_memstream(&said, &size);
		if (!out)
			return;
		bpmu_verdict_text(out, tree, values + (size_t)row * tree->metrics.nr,
				  t->longer);
		if (fclose(out))
			return;
		size = strspn(said, "\n");
		if (said[size])
			fprintf(t->call->out, "  %s%-8s %.*s\n",
				t->type->rows.by == BPMU_ROWS_CPU ? "CPU " : "",
				t->type->rows.row[row].label, (int)strcspn(said + size, "\n"),
				said + size);
		free(said);
	}
}

static void topdown_row_text(struct bpmu_topdown_view *t, const struct bpmu_tree_value *values)
{
	struct bpmu_table table = { .out = t->call->out, .format = BPMU_TEXT };

	bpmu_topdown_head(t);
	bpmu_tree_rows_text(t->call->out, &t->type->tree, &t->type->rows, values);
	topdown_row_verdicts(t, values);
	if (t->type->tree.touched)
		bpmu_tree_errata(t->call->out, &t->type->tree);
	if (!t->whole)
		bpmu_tree_refused(&table, &t->type->choice);
	if (t->lost || t->flaws.any)
		bpmu_topdown_loss(t);
}

/*
 * Prints the values of a set of CPUs, such as a core, or, for report --diff, adds them to means
 * over intervals. Text output prints nothing here: it has a table of all sets of CPUs.
 */
static void topdown_put_row(struct bpmu_topdown_view *t, const struct bpmu_interval *interval,
			    const struct bpmu_tree_value *values)
{
	if (t->call->options.sums) {
		topdown_sum_up(t, interval, values);
	} else if (t->call->compact) {
		topdown_compact(t, values);
	} else {
		bpmu_topdown_rows(t, &t->type->tree, values);
		bpmu_topdown_verdict(t, values);
	}
}

static void topdown_by_interval(struct bpmu_topdown_view *t, const struct bpmu_interval *interval)
{
	struct bpmu_tree_value *values;
	unsigned int row;

	values = calloc((size_t)t->type->rows.nr * t->type->tree.metrics.nr, sizeof(*values));
	if (!values)
		return;
	bpmu_interval_rows_eval(&t->type->tree, &t->type->tree.groups, interval, &t->type->rows,
				t->type->machine.sockets, values);
	for (row = 0; row < t->type->rows.nr; row++) {
		t->row = &t->type->rows.row[row];
		topdown_put_row(t, interval, values + (size_t)row * t->type->tree.metrics.nr);
	}
	t->row = NULL;
	if (!t->call->options.sums && !t->call->compact && t->call->options.format == BPMU_TEXT)
		topdown_row_text(t, values);
	free(values);
}

/*
 * Prints the flaws of the measurement in the end: as JSON, or as text below the lines of --compact.
 * Other text output has printed the flaws below each tree. For report --diff nothing is printed,
 * and the flaws are kept with the means over intervals.
 */
static void topdown_interval_end(struct bpmu_topdown_view *t)
{
	if (t->call->options.sums)
		t->call->options.sums->flaws = t->flaws;
	else if (t->call->options.format == BPMU_JSON)
		bpmu_flaws_json(&t->flaws, t->call->out);
	else if (t->call->compact)
		bpmu_topdown_loss(t);
}

/**
 * bpmu_topdown_interval() - evaluate the counts of an interval for topdown
 * @topdown: &struct bpmu_topdown
 * @interval: counts of the interval
 *
 * Prints the values of the tree of each core type or, for report --diff, adds the values to means
 * over intervals.
 */
void bpmu_topdown_interval(void *topdown, const struct bpmu_interval *interval)
{
	struct bpmu_topdown *call = topdown;
	const char *only = call->options.only;
	const bool text = call->options.format == BPMU_TEXT && !call->options.sums &&
			  !call->compact;
	struct bpmu_table table = { .out = call->out, .format = BPMU_TEXT };
	struct bpmu_topdown_view *t = call->view;
	struct bpmu_interval of = *interval;
	const struct bpmu_cpulist *cpus;
	struct bpmu_tree_value *values;
	struct bpmu_tree *tree;
	unsigned int g, i, k;
	bool counted;
	double half;

	for (k = 0; k < call->analysis.nr; k++, t++) {
		cpus = &t->type->target.cpus;
		tree = &t->type->tree;
		if (k) {
			of = bpmu_interval_behind(&of, t[-1].type->target.cpus.nr,
						  t[-1].type->groups);
			/*
			 * The trees of all core types are printed below the same heading. So the
			 * number of trees printed below the heading goes on from that of the first
			 * core type.
			 */
			t->trees = call->view->trees;
			if (text)
				fputc('\n', call->out);
		}
		t->seconds = of.seconds;
		t->duration = of.duration;
		t->stamp = of.stamp;
		for (i = 0; i < cpus->nr; i++)
			t->lost += of.lost[i];
		if (of.flaws)
			bpmu_flaws_add(&t->flaws, &of, cpus);
		if (call->by != BPMU_ROWS_ALL) {
			topdown_by_interval(t, &of);
			continue;
		}
		if (!t->values)
			t->values = calloc(tree->metrics.nr, sizeof(*t->values));
		values = t->values;
		if (!values)
			continue;
		if (text)
			bpmu_topdown_head(t);
		bpmu_spread_eval(tree, &of, cpus->nr, values);
		counted = false;
		for (g = 0; text && g < tree->groups.nr; g++)
			for (i = 0; i < tree->events[g].nr; i++)
				counted |= !isnan(tree->counts[g][i]);

		/*
		 * All output except text: the values are added to means over intervals (for report
		 * --diff), or printed as a line of --compact, as CSV or as JSON.
		 */
		if (call->options.sums) {
			topdown_sum_up(t, &of, values);
		} else if (call->compact) {
			topdown_compact(t, values);
		} else if (!text) {
			bpmu_topdown_rows(t, tree, values);
			bpmu_topdown_verdict(t, values);
		} else if (!counted) {
			bpmu_print_not_counted(call->out);
		} else if (call->cpi) {
			print_stack(t, values, &(struct bpmu_fields){ });
		} else {
			/*
			 * Text: the tree, or with --only a node, and the verdict if it has changed.
			 */
			bpmu_tree_text(call->out, tree, values, only);
			if (!t->saying)
				t->saying = open_memstream(&t->said, &t->size);
			if (t->saying) {
				rewind(t->saying);
				bpmu_verdict_text(t->saying, tree, values, t->longer);
				fflush(t->saying);
				if (!t->verdict || strncmp(t->said, t->verdict, t->size) ||
				    t->verdict[t->size]) {
					fwrite(t->said, 1, t->size, call->out);
					free(t->verdict);
					t->verdict = strndup(t->said, t->size);
				}
			}
		}

		/*
		 * Text below the tree or the CPI stack: formulas, errata, metrics that cannot be
		 * measured, and what the 95 % intervals assume.
		 */
		if (text && counted) {
			if (t->type->choice.paper || call->formula) {
				fputc('\n', call->out);
				bpmu_paper_print(call->out, tree,
						 (const double *const *)tree->counts, values, only);
			}
			if (tree->touched && !only)
				bpmu_tree_errata(call->out, tree);
			if (!t->whole)
				bpmu_tree_refused(&table, &t->type->choice);
			for (i = 0; !t->noted && i < tree->metrics.nr; i++) {
				half = bpmu_tree_half_width(&values[i]);
				bpmu_topdown_intervals(t, tree->shown[i] && bpmu_is_interval(half));
			}
		}
		if (text && (t->lost || t->flaws.any))
			bpmu_topdown_loss(t);
		if (call->alerts.nr && !call->options.sums)
			bpmu_topdown_alert(t, values);
	}
	for (k = 0; interval->last && k < call->analysis.nr; k++)
		topdown_interval_end(&call->view[k]);
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

static void print_groups(const struct bpmu_core_type *type)
{
	const struct bpmu_groups *groups = type->groups;
	unsigned int g, i;

	if (type->name)
		printf("CPU %s (%s)\n", type->target.cpus_text, type->name);
	for (g = 0; g < groups->nr; g++) {
		printf("group %u\n", g + 1);
		for (i = 0; i < groups->group[g].sched.nr; i++)
			print_slot(&type->target.info.pmu,
				   &groups->group[g].sched.slot[i]);
	}
}

/**
 * bpmu_topdown_groups() - print the groups of events of topdown, and the counter of each event
 * @topdown: the call of "barepmu topdown", with the trees of its core types
 */
void bpmu_topdown_groups(const struct bpmu_topdown *topdown)
{
	unsigned int k;

	for (k = 0; k < topdown->analysis.nr; k++)
		print_groups(topdown->analysis.type[k]);
}
