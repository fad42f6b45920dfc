// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/cpi.h"
#include "count/spread.h"
#include "count/verdict.h"
#include "eval.h"
#include "eval_derive.h"
#include "event/sched.h"
#include "tree/paper.h"

/*
 * length in ns of perf's rotation slices: perf changes event groups at each timer tick, mostly
 * every 4 ms
 */
#define SLICE_NS 4000000.0
/*
 * Two fractions of the time are taken to be equal if they differ by at most this, because perf
 * rounds percentages.
 */
#define SAME_SHARE 0.00005
/*
 * Two counts of the same event are taken to agree if they differ by at most this fraction: counters
 * do not start together.
 */
#define SAME_COUNT 0.01

/**
 * bpmu_eval_half_width() - half-width of the 95 % interval of a multiplexed count of eval's set
 * @count: the count, scaled to all the time
 * @share: fraction of the time for which the event was counted
 * @running_ns: time in nanoseconds for which the event was counted, 0 if it is unknown
 *
 * perf counts a multiplexed event in rotation slices of SLICE_NS, but does not print how much the
 * counts of the slices differ. It is assumed that the event's rates (events per second) in the
 * slices have a standard deviation equal to their mean, as in a program with phases. Another
 * assumption is that the rate is at most twice the mean in the time for which the event was not
 * counted.
 *
 * Return: the half-width, 0 if all the time was counted.
 */
double bpmu_eval_half_width(double count, double share, double running_ns)
{
	double slices = running_ns / SLICE_NS;
	double rest = 1 - share;
	double half = rest;

	if (rest <= 0)
		return 0;
	if (slices >= 2)
		half = fmin(half, bpmu_student(slices - 1) *
			    sqrt(rest / slices));
	return half * fabs(count);
}

static bool same_share(const struct bpmu_eval_count *a,
		       const struct bpmu_eval_count *b)
{
	return fabs(a->share - b->share) <= SAME_SHARE;
}

/*
 * Returns how many columns have a count that was counted for the same fraction of the time as the
 * count of column @column.
 */
static unsigned int counted_with(const struct bpmu_eval *eval,
				 const struct bpmu_eval_count *counts,
				 unsigned int column)
{
	unsigned int nr = 0;
	unsigned int i;

	for (i = 0; i < eval->nr_columns; i++)
		nr += !isnan(counts[i].number) &&
		      same_share(&counts[i], &counts[column]);
	return nr;
}

static bool differ(const struct bpmu_eval_count *a, const struct bpmu_eval_count *b)
{
	double most = fmax(fabs(a->number), fabs(b->number));

	return fabs(a->number - b->number) >
	       a->half + b->half + SAME_COUNT * most;
}

static int contradict(struct bpmu_eval *eval, const struct bpmu_eval_count *counts,
		      unsigned int a, unsigned int b)
{
	const struct bpmu_eval_column *one = &eval->column[a];
	const struct bpmu_eval_column *other = &eval->column[b];

	if (bpmu_eval_privileges(&one->spec) != bpmu_eval_privileges(&other->spec))
		return bpmu_error_set(eval->err, -EINVAL,
				      "event '%s': '%s' is the same event at another privilege level; leave all counts of one level out, or add them up",
				      other->name, one->name);
	return bpmu_error_set(eval->err, -EINVAL,
			      "event '%s': '%s' counts the same, but %.0f are not %.0f; leave one of them out",
			      other->name, one->name, counts[a].number, counts[b].number);
}

/*
 * Sets @source->taken to the column whose count is used for an event. If several columns have a
 * count of the event, the count from the largest event group is used. The input does not name event
 * groups: counts that were counted for the same fraction of the time are taken to be of one group.
 * Returns 0 or a negative errno.
 */
static int take_column(struct bpmu_eval *eval, struct bpmu_eval_source *source,
		       const struct bpmu_eval_count *counts)
{
	unsigned int most = 0;
	unsigned int i, c, nr;

	source->taken = -1;
	for (i = 0; i < source->nr; i++) {
		c = source->column[i];
		if (isnan(counts[c].number))
			continue;
		if (source->taken >= 0 &&
		    (differ(&counts[source->taken], &counts[c]) ||
		     bpmu_eval_privileges(&eval->column[source->taken].spec) !=
		     bpmu_eval_privileges(&eval->column[c].spec)))
			return contradict(eval, counts, source->taken, c);
		nr = source->nr > 1 ? counted_with(eval, counts, c) : 1;
		if (source->taken < 0 || nr > most) {
			source->taken = c;
			most = nr;
		}
	}
	return 0;
}

static void eval_set_gather(struct bpmu_eval *eval,
			    const struct bpmu_eval_count *counts)
{
	const struct bpmu_eval_source *source;
	const struct bpmu_eval_column *column;
	unsigned int i;

	for (i = 0; i < eval->nr_columns; i++) {
		column = &eval->column[i];
		if (column->constant < 0)
			continue;
		eval->tree.slot[column->constant] = isnan(counts[i].number) ?
			column->before : bpmu_value_of(counts[i].number);
	}
	for (i = 0; i < eval->tree.events[0].nr; i++) {
		source = &eval->source[i];
		eval->counts[i] =
			source->taken >= 0 ? counts[source->taken].number :
			source->derivation >= 0 ?
			bpmu_eval_derive(eval, source, counts) : NAN;
	}
}

/* Calls @call for each column from which the count of an event is taken, or is derived. */
static void for_columns(const struct bpmu_eval_source *source,
			void (*call)(void *ctx, unsigned int column), void *ctx)
{
	unsigned int f;

	if (source->taken >= 0) {
		call(ctx, source->taken);
		return;
	}
	for (f = 0; source->derivation >= 0 && f < source->nr_from; f++)
		call(ctx, source->from[f]);
}

/**
 * struct shares - fractions of the time for which a metric's counts were counted
 * @counts: counts of all columns
 * @clock: column of the unhalted cycles if they are known for all event groups, or -1
 * @first: column of the first count that the metric needs, other than @clock; or -1
 * @mixed: the metric's counts are of different parts of the time
 * @part: at least one of the metric's counts is of a part of the time only
 * @needs_clock: the metric needs the unhalted cycles
 * @own: the unhalted cycles are known in every part of the time in which a count was counted
 */
struct shares {
	const struct bpmu_eval_count *counts;
	int clock;
	int first;
	bool mixed;
	bool part;
	bool needs_clock;
	bool own;
};

static void compare_share(void *ctx, unsigned int column)
{
	struct shares *shares = ctx;

	if (isnan(shares->counts[column].number))
		return;
	if ((int)column == shares->clock) {
		shares->needs_clock = true;
		return;
	}
	if (shares->counts[column].share < 1)
		shares->own &= shares->counts[column].clock > 0;
	if (shares->first < 0)
		shares->first = column;
	shares->part |= shares->counts[column].share < 1;
	shares->mixed |= !same_share(&shares->counts[column],
				     &shares->counts[shares->first]) ||
			 shares->counts[column].clock != shares->counts[shares->first].clock;
}

/* Returns true if the CPU has enough counters to count all events of a metric at once. */
static bool fit_together(const struct bpmu_eval *eval, const bool *needs)
{
	const struct bpmu_event_list *events = &eval->tree.events[0];
	struct bpmu_event_spec spec[BPMU_MAX_COUNTERS + 1];
	struct bpmu_event_list list = { .spec = spec };
	struct bpmu_error ignored;
	struct bpmu_sched sched;
	unsigned int e;

	for (e = 0; e < events->nr && list.nr <= BPMU_MAX_COUNTERS; e++)
		if (needs[e] && events->spec[e].nr)
			spec[list.nr++] = events->spec[e];
	return !bpmu_sched_assign(&eval->pmu, &list, &bpmu_sched_no_rules,
				  &sched, &ignored);
}

/*
 * The counts of metric number @m may have been counted in a part of the time only. Finds whether
 * all were counted in the same part of the time, and stores this and more in @shares.
 */
static void metric_shares(const struct bpmu_eval *eval, const struct bpmu_eval_count *counts,
			  unsigned int m, struct shares *shares)
{
	unsigned int nr = eval->tree.events[0].nr;
	const bool *needs = eval->needs + (size_t)m * nr;
	unsigned int e;

	*shares = (struct shares){
		.counts = counts, .first = -1, .own = true,
		.clock = eval->clock >= 0 && counts[eval->clock].share == 1 ?
			 eval->clock : -1,
	};
	for (e = 0; e < nr; e++)
		if (needs[e])
			for_columns(&eval->source[e], compare_share, shares);
	/*
	 * Some count is of a part of the time, and the unhalted cycles in this part are unknown. So
	 * the metric divides the count by the unhalted cycles of the whole time.
	 */
	if (shares->needs_clock && shares->part && !shares->own)
		shares->mixed = true;
	/*
	 * Counts that were counted for equal fractions of the time may still be of different event
	 * groups, and so of different parts of the time. They surely are if there are too few
	 * counters to count all of the metric's events at once.
	 */
	if (shares->part && !(shares->needs_clock && shares->own) &&
	    !fit_together(eval, needs))
		shares->mixed = true;
}

static void mark_mixed(struct bpmu_eval *eval, const struct bpmu_eval_count *counts)
{
	struct shares shares;
	unsigned int m;

	for (m = 0; m < eval->tree.metrics.nr; m++) {
		if (!eval->tree.shown[m])
			continue;
		metric_shares(eval, counts, m, &shares);
		if (shares.mixed)
			eval->values[m].flags |= BPMU_VALUE_MIXED;
	}
}

/*
 * Scales counts that were counted in a part of the time only. They are scaled by cycles, not by
 * time: each is divided by the unhalted cycles in its part of the time, and multiplied by the
 * unhalted cycles of the whole time. So its ratio to the cycles stays what it was in its part.
 * Counts for which the unhalted cycles in the part are unknown stay scaled by time. Returns false
 * if they are unknown for all counts.
 */
static bool scale_by_clock(const struct bpmu_eval *eval, struct bpmu_eval_count *counts)
{
	bool any = false;
	double scale;
	unsigned int i;

	if (eval->clock < 0 || counts[eval->clock].share != 1)
		return false;
	for (i = 0; i < eval->nr_columns; i++) {
		if (counts[i].share == 1 || !(counts[i].clock > 0))
			continue;
		scale = counts[eval->clock].number / counts[i].clock;
		counts[i].number *= scale;
		counts[i].half *= scale;
		any = true;
	}
	return any;
}

static void mark_column(void *used, unsigned int column)
{
	((bool *)used)[column] = true;
}

/*
 * Computes all metrics again after the count of column @column was changed by its half-width. Adds
 * the square of each metric's change to @variance.
 */
static void shift_column(struct bpmu_eval *eval, struct bpmu_eval_count *counts,
			 unsigned int column, const struct bpmu_tree_value *values,
			 double *variance)
{
	const double *group[BPMU_TREE_GROUPS] = { eval->counts };
	const double number = counts[column].number;
	double half = fmin(counts[column].half, fabs(number));
	const struct bpmu_tree_value *value;
	unsigned int m;
	double change;
	int sign;

	for (sign = -1; sign <= 1; sign += 2) {
		counts[column].number = number + sign * half;
		eval_set_gather(eval, counts);
		bpmu_tree_compute(&eval->tree, group, NULL, eval->shifted);
		for (m = 0; m < eval->tree.metrics.nr; m++) {
			value = &eval->shifted[m];
			change = value->known ?
				 value->value - values[m].value : INFINITY;
			if (change && counts[column].half > half)
				change = INFINITY;
			variance[m] += change * change / 2;
		}
	}
	counts[column].number = number;
}

/*
 * Sets the half-widths of the 95 % intervals of all metrics by the delta method, as if all counts
 * were independent. But counts of one event group are of the same rotation slices, and depend on
 * each other. So the half-widths of metrics that are fractions are too large. Returns 0 or -ENOMEM.
 */
static int find_uncertainty(struct bpmu_eval *eval,
			    const struct bpmu_eval_count *given,
			    struct bpmu_tree_value *values)
{
	unsigned int nr = eval->nr_columns, metrics = eval->tree.metrics.nr;
	struct bpmu_eval_count *counts = calloc(nr + 1, sizeof(*counts));
	double *variance = calloc(metrics + 1, sizeof(*variance));
	bool *used = calloc(nr + 1, sizeof(*used));
	unsigned int i;

	for (i = 0; used && i < eval->tree.events[0].nr; i++)
		for_columns(&eval->source[i], mark_column, used);
	for (i = 0; used && counts && variance && i < nr; i++) {
		if (!i)
			memcpy(counts, given, nr * sizeof(*counts));
		if (used[i] && given[i].half > 0)
			shift_column(eval, counts, i, values, variance);
	}
	for (i = 0; variance && i < metrics; i++)
		if (values[i].known)
			values[i].uncertainty = sqrt(variance[i]);
	free(counts);
	free(variance);
	free(used);
	return counts && variance && used ? 0 :
	       bpmu_error_no_memory(eval->err, "eval");
}

static bool are_exact(const struct bpmu_eval *eval,
		      const struct bpmu_eval_count *counts)
{
	unsigned int i;

	for (i = 0; i < eval->nr_columns; i++)
		if (counts[i].half > 0)
			return false;
	return true;
}

/* Computes the metrics of a set of counts, with half-widths. Returns 0 or a negative errno. */
static int eval_set_values(struct bpmu_eval *eval, const struct bpmu_eval_count *counts,
			   struct bpmu_tree_value *values)
{
	const double *group[BPMU_TREE_GROUPS] = { eval->counts };
	int ret;

	eval_set_gather(eval, counts);
	bpmu_tree_compute(&eval->tree, group, NULL, values);
	if (are_exact(eval, counts))
		return 0;
	ret = find_uncertainty(eval, counts, values);
	eval_set_gather(eval, counts);
	return ret;
}

/*
 * Some metrics are ratios to the unhalted cycles. Computes these metrics again, from counts that
 * are scaled by cycles. All other metrics keep their values, which were computed from counts scaled
 * by time. Returns 0 or a negative errno.
 */
static int eval_set_ratios(struct bpmu_eval *eval, const struct bpmu_eval_count *counts)
{
	struct bpmu_eval_count *scaled;
	struct shares shares;
	unsigned int m;
	int ret = 0;

	scaled = calloc(eval->nr_columns + 1, sizeof(*scaled));
	if (!scaled)
		return bpmu_error_no_memory(eval->err, "eval");
	memcpy(scaled, counts, eval->nr_columns * sizeof(*scaled));
	if (scale_by_clock(eval, scaled)) {
		ret = eval_set_values(eval, scaled, eval->by_clock);
		for (m = 0; m < eval->tree.metrics.nr; m++) {
			metric_shares(eval, counts, m, &shares);
			if (shares.needs_clock)
				eval->values[m] = eval->by_clock[m];
		}
	}
	free(scaled);
	return ret;
}

static const char *heading(const struct bpmu_eval *eval)
{
	if (eval->cpi)
		return eval->work > 0 ? "Cycles per unit of work" :
					"Cycles per instruction";
	if (!eval->choice.names && eval->choice.method &&
	    !strcmp(eval->choice.method, "topdown"))
		return "Top-Down";
	return "Metrics";
}

static void eval_set_head(struct bpmu_eval *eval, const char *label)
{
	if (eval->format != BPMU_TEXT)
		return;
	fprintf(eval->out, "%s%s on %s%s%s\n\n", eval->rows ? "\n" : "",
		heading(eval), eval->pmu.part->title, *label ? ", " : "", label);
}

static int print_cpi(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = eval->out, .format = eval->format,
		.separator = eval->separator, .when = *when, .type = "cpi",
		.headed = eval->rows,
	};
	struct bpmu_cpi cpi;

	if (bpmu_cpi_stack(&cpi, &eval->tree, eval->values))
		return bpmu_error_no_memory(eval->err, "eval");
	bpmu_cpi_print(&table, &cpi, &eval->tree);
	bpmu_cpi_free(&cpi);
	return 0;
}

/*
 * Returns true if the metrics are those of Xeon Phi. They are not fractions of all slots or cycles,
 * and cannot be compared with each other: no verdict names the largest.
 */
static bool eval_set_is_phi(const struct bpmu_eval *eval)
{
	return eval->choice.method && !strcmp(eval->choice.method, "phi");
}

static void print_verdict(const struct bpmu_eval *eval)
{
	const struct bpmu_metric *metric = eval->tree.metrics.metric;
	unsigned int i;

	if (!eval_set_is_phi(eval)) {
		bpmu_verdict_text(eval->out, &eval->tree, eval->values, BPMU_LONGER_RUN);
		return;
	}
	fputc('\n', eval->out);
	for (i = 0; i < eval->tree.metrics.nr; i++)
		if (eval->values[i].flagged)
			fprintf(eval->out, "%s: %s.\n  Next: %s\n",
				metric[i].name, metric[i].text, metric[i].next);
}

/*
 * Prints the metrics that have a value, and in one sentence why the others have none. Returns 0 or
 * -ENOMEM.
 */
static int print_known(struct bpmu_eval *eval)
{
	bool *shown = calloc(eval->tree.metrics.nr, sizeof(*shown));
	unsigned int i;

	if (!shown)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->tree.metrics.nr; i++) {
		shown[i] = eval->tree.shown[i];
		eval->tree.shown[i] &= !(eval->values[i].flags & BPMU_VALUE_MISSING);
	}
	bpmu_tree_text(eval->out, &eval->tree, eval->values, NULL);
	memcpy(eval->tree.shown, shown, eval->tree.metrics.nr * sizeof(*shown));
	free(shown);
	return bpmu_eval_lacking(eval);
}

static int print_tree(struct bpmu_eval *eval, const struct bpmu_fields *when)
{
	struct bpmu_table table = {
		.out = eval->out, .format = eval->format,
		.separator = eval->separator, .when = *when, .type = "metric",
		.headed = eval->rows,
	};

	int ret = 0;

	switch (eval->format) {
	case BPMU_TEXT:
		if (bpmu_eval_lacks_most(eval))
			ret = print_known(eval);
		else
			bpmu_tree_text(eval->out, &eval->tree, eval->values, NULL);
		print_verdict(eval);
		if (!eval->choice.paper)
			break;
		fputc('\n', eval->out);
		bpmu_paper_print(eval->out, &eval->tree,
				 (const double *const *)&eval->counts,
				 eval->values, NULL);
		break;
	case BPMU_CSV:
		bpmu_tree_rows(&table, &eval->tree, eval->values);
		break;
	case BPMU_JSON:
		bpmu_tree_rows(&table, &eval->tree, eval->values);
		if (!eval_set_is_phi(eval))
			bpmu_verdict_json(eval->out, &eval->tree, eval->values,
					  when);
		break;
	}
	return ret;
}

static int eval_set_compute(struct bpmu_eval *eval,
			    const struct bpmu_eval_count *counts)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < eval->tree.events[0].nr && !ret; i++)
		ret = take_column(eval, &eval->source[i], counts);
	if (!ret)
		ret = eval_set_values(eval, counts, eval->values);
	if (!ret && !are_exact(eval, counts))
		ret = eval_set_ratios(eval, counts);
	if (ret)
		return ret;
	mark_mixed(eval, counts);
	bpmu_tree_judge(&eval->tree, eval->values);
	return ret;
}

/**
 * bpmu_eval_set() - evaluate a set of eval's counts, and print its metrics
 * @eval: state of "barepmu eval", with its columns matched
 * @label: text printed with the metrics, such as time stamp and CPUs of the counts
 * @counts: counts, [number of columns]
 *
 * Return: 0, -EINVAL for different counts of one event, or -ENOMEM.
 */
int bpmu_eval_set(struct bpmu_eval *eval, const char *label,
		  const struct bpmu_eval_count *counts)
{
	const struct bpmu_field field = { "label", label, BPMU_FIELD_TEXT };
	const struct bpmu_fields when = { &field, 1 };
	int ret = eval_set_compute(eval, counts);

	if (ret)
		return ret;
	eval_set_head(eval, label);
	if (eval->cpi)
		ret = print_cpi(eval, &when);
	else
		ret = print_tree(eval, &when);
	if (eval->verbose && !ret)
		ret = bpmu_eval_missing(eval, &when);
	eval->rows++;
	return ret;
}
