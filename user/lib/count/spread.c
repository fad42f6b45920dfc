// SPDX-License-Identifier: GPL-2.0
/*
 * A jackknife: for each batch of each group, the tree is evaluated again without this batch of
 * slices. The scatter of these values gives the variance of a metric with any formula. It includes
 * the covariance of counts of the same slices (Wolter, Introduction to Variance Estimation, chapter
 * 4). The variances that different groups contribute are added, because slices of different groups
 * are at different times.
 *
 * Counts have no error for the time in which their group was on the counters; the finite population
 * correction reduces the variance for this reason. For a sum over groups the correction depends on
 * how much the sum varies from slice to slice. Only a lower bound of this deviation is known: the
 * largest of the groups' deviations minus the deviations of all other groups.
 */
#include "spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flaw.h"

/* Quantile of the normal distribution for a two-sided 95 %. */
#define Z95 1.959964
/*
 * Two-sided 95 % quantiles of Student's t for fewer than 3 degrees of freedom. The series in
 * bpmu_student() is accurate from 3 degrees of freedom on.
 */
#define T95_1 12.7062
#define T95_2 4.30265

/*
 * The distribution of the count of a rare event is skewed: if the count is too small by chance, so
 * is its scatter. Student's t for 95 % is therefore increased by this factor times the square of
 * the skewness divided by the number of values (Edgeworth's series: P. Hall, The Bootstrap and
 * Edgeworth Expansion, 2.5).
 */
#define SKEWNESS 2.117

/*
 * Relative change of a count whose uncertainty is unknown. The values that change with the count
 * have an unknown uncertainty, too.
 */
#define NUDGE 0.01

/**
 * struct scatter - moments of the deviations of a metric's value when batches are left out
 * @sum: sum of the deviations for the batches of the present group
 * @squares: sum of the squares of these deviations
 * @cubes: sum of the cubes of these deviations
 * @variance: sum of the variances of all groups so far
 * @third: sum of the third moments of all groups so far
 * @fourth: sum over groups of the squared variance divided by its degrees of freedom
 * @seen: sum over groups of the standard deviation between batches
 * @most: largest of the standard deviations in @seen
 * @limit: largest change of the metric by events that no slice has seen
 * @unknown: a group has a single batch, which gives no variance
 */
struct scatter {
	double sum;
	double squares;
	double cubes;
	double variance;
	double third;
	double fourth;
	double seen;
	double most;
	double limit;
	bool unknown;
};

/**
 * struct jackknife - state of a jackknife estimate
 * @tree: the tree
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
 * @sampled: the group whose batches are left out ran for a part of the time on the CPU, [nr_cpus];
 *	if it ran for 0 % or 100 % of the time, there is no sampling error
 * @left: the interval without a batch
 * @cell: memory for the cells of @left
 * @scatter: scatter of the metrics, [nr metrics]
 */
struct jackknife {
	const struct bpmu_tree *tree;
	const struct bpmu_interval *interval;
	unsigned int nr_cpus;
	bool *sampled;
	struct bpmu_interval left;
	struct bpmu_cell *cell;
	struct scatter *scatter;
};

/**
 * struct slices - what is known of the slices of a group on all CPUs
 * @batches: largest number of batches on a CPU, 0 if the counts are exact
 * @fewest: smallest number of batches on a CPU
 * @seen: fraction of the time for which the group was on the counters
 * @longer: if there were too few slices: measurement time in seconds that would give enough; else 0
 */
struct slices {
	unsigned int batches;
	unsigned int fewest;
	double seen;
	double longer;
};

/**
 * bpmu_student() - spread of a mean: two-sided 95 % quantile of Student's t
 * @freedom: degrees of freedom
 *
 * Uses the Cornish-Fisher expansion.
 *
 * Return: half-width of the 95 % confidence interval, in standard errors.
 */
double bpmu_student(double freedom)
{
	double z = Z95, z2 = z * z;

	if (freedom < 2)
		return T95_1;
	if (freedom < 3)
		return T95_2;
	return z + z * (z2 + 1) / (4 * freedom) +
	       z * ((5 * z2 + 16) * z2 + 3) / (96 * freedom * freedom) +
	       z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) /
	       (384 * freedom * freedom * freedom);
}

/*
 * The continued fraction of the incomplete beta function, evaluated forward by
 * Lentz's method; it converges fast for x < (a + 1) / (a + b + 2) (Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.5.8).
 */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
	double even, odd, before = 0;
	int m;

	for (m = 1; m < 1000 && fabs(h - before) * 1e12 > fabs(h); m++) {
		before = h;
		even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		h *= d * c;
		odd = -(a + m) * (a + b + m) * x /
		      ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		h *= d * c;
	}
	return h;
}

static double incomplete_beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/**
 * bpmu_student_p() - spread of a difference: two-sided p-value of Student's t
 * @t: difference in standard errors
 * @freedom: degrees of freedom
 *
 * Return: the p-value.
 */
double bpmu_student_p(double t, double freedom)
{
	return incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/**
 * bpmu_student_family() - spread of several means: quantile for which all intervals hold in 95 %
 * @freedom: degrees of freedom
 * @nr: number of intervals, at least 1
 *
 * Uses Bonferroni's correction, which is valid for dependent and for independent intervals.
 *
 * Return: half-width of each confidence interval, in standard errors.
 */
double bpmu_student_family(double freedom, unsigned int nr)
{
	double low = 0, high = 2 * bpmu_student(freedom) * nr * nr, t;
	unsigned int i;

	for (i = 0; i < 60; i++) {
		t = (low + high) / 2;
		*(bpmu_student_p(t, freedom) > 0.05 / nr ? &low : &high) = t;
	}
	return high;
}

/**
 * bpmu_estimate_half_width() - spread of an estimated count: half-width of its 95 % interval
 * @estimate: sum over all CPUs
 *
 * If a few slices have most of the events, the variance is itself uncertain. Its degrees of freedom
 * are therefore limited to those that the effective number of slices gives.
 *
 * Return: 0 if the count is exact, INFINITY if too few slices have seen the event.
 */
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate)
{
	double freedom = estimate->freedom;

	if (bpmu_estimate_unseen(estimate) || bpmu_estimate_few(estimate))
		return INFINITY;
	if (!(estimate->variance > 0))
		return 0;
	if (estimate->slices)
		freedom = fmin(freedom, estimate->scaled * estimate->scaled /
					estimate->squares - 1);
	return bpmu_student(freedom) * sqrt(estimate->variance);
}

/*
 * Returns the sum of the quotients A / B of an event A:per=B over the CPUs. The quotient is formed
 * for each CPU, because the clock B of one package does not belong to the count A of another.
 */
static double spread_quotient(const struct bpmu_tree *tree,
			      const struct bpmu_interval *interval,
			      unsigned int nr_cpus, unsigned int g,
			      const struct bpmu_event_spec *spec, bool total)
{
	struct bpmu_event_spec term[BPMU_EVENT_TERMS];
	struct bpmu_event_slots all[BPMU_EVENT_TERMS];
	struct bpmu_slots slots[BPMU_EVENT_TERMS];
	double sum = NAN;
	unsigned int pos, t;

	for (t = 0; t < BPMU_EVENT_TERMS; t++) {
		term[t] = *spec;
		term[t].nr = 1;
		term[t].term[0] = spec->term[t];
		term[t].term[0].sign = 1;
		if (total)
			bpmu_groups_event_slots(&tree->groups, &term[t], &term[t], &all[t]);
		else
			bpmu_groups_slots(&tree->groups, g, &term[t], &slots[t]);
	}
	for (pos = 0; pos < nr_cpus; pos++) {
		struct bpmu_estimate count[BPMU_EVENT_TERMS] = { };

		for (t = 0; t < BPMU_EVENT_TERMS && total; t++)
			bpmu_interval_total(&tree->groups, interval, pos, pos + 1, &all[t],
					    &count[t]);
		for (t = 0; t < BPMU_EVENT_TERMS && !total; t++)
			bpmu_interval_add(&tree->groups, g, &slots[t], interval, pos,
					  pos + 1, &count[t]);
		if (count[0].running && count[1].value > 0)
			sum = (isnan(sum) ? 0 : sum) + count[0].value / count[1].value;
	}
	return sum;
}

static void spread_count_slices(struct jackknife *j, unsigned int g,
				struct slices *slices)
{
	const struct bpmu_interval *interval = j->interval;
	const struct bpmu_groups *groups = &j->tree->groups;
	enum bpmu_bank_id bank = groups->group[g].sched.bank;
	const u64 *times = interval->shared[bank] ?: interval->enabled;
	size_t at = groups->group[g].first;
	const struct bpmu_batch *batch;
	const struct bpmu_cell *cell;
	double running = 0, all = 0;
	unsigned int pos, nr, r;
	double slice;
	u64 time;

	memset(slices, 0, sizeof(*slices));
	for (pos = 0; pos < j->nr_cpus; pos++, at += groups->slots) {
		cell = &interval->cell[at];
		time = times[pos];
		j->sampled[pos] = cell->running && cell->running < time;
		if (!j->sampled[pos])
			continue;
		batch = interval->batch + at * interval->batches;
		for (nr = 0, r = 0; r < interval->batches; r++)
			nr += batch[r].ticks != 0;
		if (!slices->batches || nr < slices->fewest)
			slices->fewest = nr;
		if (nr > slices->batches)
			slices->batches = nr;
		running += cell->running;
		all += time;
		if (cell->slices >= BPMU_SPREAD_SLICES)
			continue;
		/*
		 * In this measurement time each group that is multiplexed with this one
		 * gets enough slices, provided that slices keep their length.
		 */
		slice = (double)cell->running / cell->slices;
		slices->longer = fmax(slices->longer,
				      BPMU_SPREAD_SLICES * groups->nr_of[bank] *
				      slice / (time / interval->duration));
	}
	slices->seen = all > 0 ? running / all : 0;
}

/* Copies the group's cells of all CPUs without batch @r. */
static void leave_out(struct jackknife *j, unsigned int g, unsigned int r)
{
	const struct bpmu_group *group = &j->tree->groups.group[g];
	const struct bpmu_interval *interval = j->interval;
	const struct bpmu_batch *batch;
	unsigned int pos, i;
	size_t cell;

	for (pos = 0; pos < j->nr_cpus; pos++) {
		cell = (size_t)pos * j->tree->groups.slots + group->first;
		for (i = 0; i < group->sched.nr; i++, cell++) {
			j->cell[cell] = interval->cell[cell];
			if (!j->sampled[pos])
				continue;
			batch = interval->batch + cell * interval->batches + r;
			j->cell[cell].count -= batch->count;
			j->cell[cell].running -= batch->ticks;
		}
	}
}

/* Adds a metric's moments for the present group to its moments for all groups so far. */
static void add_moments(struct scatter *scatter, const struct slices *slices)
{
	double nr = slices->batches;
	double mean = scatter->sum / nr;
	double variance = scatter->squares - mean * scatter->sum;
	double third = scatter->cubes - 3 * mean * scatter->squares +
		       2 * mean * mean * scatter->sum;
	double seen;

	if (slices->fewest < 2)
		scatter->unknown |= scatter->squares > 0;
	scatter->sum = 0;
	scatter->squares = 0;
	scatter->cubes = 0;
	if (scatter->unknown || !(variance > 0))
		return;
	variance *= (nr - 1) / nr;
	scatter->variance += variance;
	scatter->third += third;
	scatter->fourth += variance * variance / (slices->fewest - 1);
	seen = sqrt(variance * slices->seen);
	scatter->seen += seen;
	if (seen > scatter->most)
		scatter->most = seen;
}

/* Adds the deviations of @nr numbers from the value of a metric to its moments. */
static void add_deviations(struct scatter *scatter, const double *number, unsigned int nr,
			   double value)
{
	double sum = scatter->sum, squares = scatter->squares, cubes = scatter->cubes;
	double deviation, square;
	unsigned int r;

	for (r = 0; r < nr; r++) {
		if (isnan(number[r])) {
			scatter->unknown = true;
			continue;
		}
		deviation = number[r] - value;
		square = deviation * deviation;
		sum += deviation;
		squares += square;
		cubes += square * deviation;
	}
	scatter->sum = sum;
	scatter->squares = squares;
	scatter->cubes = cubes;
}

/* Sets the replicates of a group's counts to those without batch @first, the next one, and so on. */
static void without_batches(struct jackknife *j, unsigned int g, unsigned int first,
			    unsigned int nr)
{
	const struct bpmu_event_list *events = &j->tree->events[g];
	const struct bpmu_slots *slots = j->tree->event_slots[g];
	double *counts = bpmu_tree_replicates(j->tree, g, 0);
	unsigned int i, r;

	bpmu_interval_counts_without(&j->tree->groups, g, slots, events->nr, j->interval,
				     j->nr_cpus, j->sampled, first, nr, counts, BPMU_REPLICATES);
	for (i = 0; i < events->nr; i++) {
		counts = bpmu_tree_replicates(j->tree, g, i);
		for (r = 0; r < nr && slots[i].quotient; r++) {
			leave_out(j, g, first + r);
			counts[r] = spread_quotient(j->tree, &j->left, j->nr_cpus, g,
						    &events->spec[i], false);
		}
	}
}

/* Leaves out one batch of a group after another, and adds the scatter of the resulting values. */
static void spread_one_group(struct jackknife *j, unsigned int g,
			     struct bpmu_tree_value *values)
{
	const struct bpmu_interval *interval = j->interval;
	unsigned int i, first, nr, at = 0;
	struct slices slices;
	const double *number;
	bool whole;

	spread_count_slices(j, g, &slices);
	if (!slices.batches)
		return;
	/* If the group has a single batch on some CPU, all counts of the group are left out. */
	whole = slices.fewest < 2;
	if (slices.longer > 0 || whole) {
		for (i = 0; i < j->tree->events[g].nr; i++)
			*bpmu_tree_replicates(j->tree, g, i) = NAN;
		bpmu_tree_try(j->tree, g, 1);
	}
	/* The group had no counts, so nodes that need them have no value. */
	while (slices.longer > 0 && (number = bpmu_tree_tried(j->tree, g, &at, &i)))
		if (values[i].known && isnan(*number))
			values[i].longer = fmax(values[i].longer, slices.longer);
	for (first = 0; first < (whole ? 1 : interval->batches); first += nr) {
		nr = whole ? 1 : interval->batches - first;
		if (nr > BPMU_REPLICATES)
			nr = BPMU_REPLICATES;
		if (!whole) {
			without_batches(j, g, first, nr);
			bpmu_tree_try(j->tree, g, nr);
		}
		for (at = 0; (number = bpmu_tree_tried(j->tree, g, &at, &i)); )
			add_deviations(&j->scatter[i], number, nr, values[i].value);
	}
	at = 0;
	while (bpmu_tree_tried(j->tree, g, &at, &i))
		add_moments(&j->scatter[i], &slices);
}

/*
 * Computes the metrics with the count of event @e of a group one standard deviation lower, and one
 * higher; the other replicates of the group's counts are those of the interval. Adds the resulting
 * variance.
 */
static void spread_shift(struct jackknife *j, unsigned int g, unsigned int e, double sd,
			 const struct bpmu_estimate *sum)
{
	double *count = bpmu_tree_replicates(j->tree, g, e);
	const double value = count[0];
	unsigned int at = 0, i;
	double square, freedom;
	const double *number;

	count[0] = value - sd;
	count[1] = value + sd;
	bpmu_tree_try(j->tree, g, 2);
	count[0] = value;
	count[1] = value;
	freedom = sum->freedom > 0 ? sum->freedom : 1;
	while ((number = bpmu_tree_tried(j->tree, g, &at, &i))) {
		if (isnan(number[0]) || isnan(number[1]))
			continue;
		square = pow((number[1] - number[0]) / 2, 2);
		if (isinf(sum->variance))
			j->scatter[i].unknown |= square > 0;
		else
			j->scatter[i].variance += square;
		j->scatter[i].fourth += square * square / freedom;
	}
}

/*
 * Adds the variance of a group's counts to the scatter of the metrics if the interval has no
 * batches. This is the delta method with counts taken as independent; it overestimates the
 * uncertainty of shares. The counts of events at BPMU_TREE_TOTAL() are exact, because every group
 * has these events. An exception is a group that was added to the tree's groups and uses the
 * counter for another event.
 */
static void spread_expand(struct jackknife *j, unsigned int g)
{
	const double *whole = j->tree->counts[g];
	const struct bpmu_slots *slots;
	struct bpmu_estimate sum;
	double *counts, sd;
	unsigned int i;

	for (i = 0; i < j->tree->events[g].nr; i++) {
		counts = bpmu_tree_replicates(j->tree, g, i);
		counts[0] = whole[i];
		counts[1] = whole[i];
	}
	for (i = 0; i < j->tree->events[g].nr; i++) {
		slots = g < BPMU_TREE_TOTAL(0) ? &j->tree->event_slots[g][i] : NULL;
		memset(&sum, 0, sizeof(sum));
		if (slots)
			bpmu_interval_add(&j->tree->groups, g, slots, j->interval, 0, j->nr_cpus,
					  &sum);
		else
			bpmu_interval_total(&j->tree->groups, j->interval, 0, j->nr_cpus,
					    &j->tree->total_slots[g - BPMU_TREE_TOTAL(0)][i], &sum);
		sd = isinf(sum.variance) ? NUDGE * fabs(whole[i]) :
					   sqrt(sum.variance);
		/* A quotient A:per=B has at least the relative deviation of its first event A. */
		if (slots && slots->quotient)
			sd *= sum.value > 0 ? fabs(whole[i]) / sum.value : 0;
		if (sd > 0)
			spread_shift(j, g, i, sd, &sum);
	}
}

/*
 * Flags the metrics that need a doubtful count of group @g. A metric needs a count if its formula
 * has no value when the count is NAN. Quotients A:per=B are never doubtful here: struct
 * bpmu_estimate describes counts only.
 *
 * A count is doubtful if its distribution over the slices of multiplexing has a heavy tail, or if
 * it is 0. An event with a count of 0 may have occurred while other groups were on the counters, in
 * at most bpmu_estimate_at_most() slices. How often it occurred in such a slice is unknown. But a
 * metric that is a share is at most 1 in each slice, so the fraction of these slices bounds its
 * error. Other metrics have no such bound.
 */
static void spread_flag(struct jackknife *j, unsigned int g, struct bpmu_tree_value *values)
{
	enum { UNSEEN, BURSTY, DOUBTS };
	unsigned int in_doubt = 0, at = 0, i;
	const double *number;
	double limit = 0;
	double *count;

	for (i = 0; i < j->tree->events[g].nr; i++) {
		const struct bpmu_slots *slots = &j->tree->event_slots[g][i];
		struct bpmu_estimate sum = { };
		bool unseen, bursty;

		if (!slots->quotient)
			bpmu_interval_add(&j->tree->groups, g, slots, j->interval, 0, j->nr_cpus,
					  &sum);
		unseen = bpmu_estimate_unseen(&sum);
		bursty = bpmu_estimate_bursty(&sum);
		/* The limit is the same for all events of a group, which have the same slices. */
		if (unseen)
			limit = bpmu_estimate_at_most(&sum) / (sum.slices + sum.others);
		in_doubt += unseen || bursty;
		count = bpmu_tree_replicates(j->tree, g, i);
		count[UNSEEN] = unseen ? NAN : j->tree->counts[g][i];
		count[BURSTY] = bursty ? NAN : j->tree->counts[g][i];
	}
	if (!in_doubt)
		return;
	bpmu_tree_try(j->tree, g, DOUBTS);
	while ((number = bpmu_tree_tried(j->tree, g, &at, &i))) {
		if (values[i].known && isnan(number[BURSTY]))
			values[i].flags |= BPMU_VALUE_BURSTY;
		if (!values[i].known || !isnan(number[UNSEEN]))
			continue;
		values[i].flags |= BPMU_VALUE_UNSEEN;
		j->scatter[i].limit += j->tree->share[i] ? limit : INFINITY;
	}
}

/* Returns the half-width of a metric's interval; sets @freedom if the metric has a variance. */
static double spread_half_width(const struct scatter *scatter, double *freedom)
{
	double sure = 2 * scatter->most - scatter->seen;
	double variance = scatter->variance;
	double skewness;

	if (scatter->unknown)
		return INFINITY;
	if (!(variance > 0))
		return 0;
	*freedom = variance * variance / scatter->fourth;
	skewness = scatter->third / variance * scatter->third / variance /
		   variance;
	if (sure > 0)
		variance -= sure * sure;
	if (!(variance > 0))
		return 0;
	return (bpmu_student(*freedom) + SKEWNESS * skewness) * sqrt(variance);
}

/**
 * bpmu_spread_values() - evaluate a tree on an interval without the spread of the values
 * @tree: made, with the machine's constants; on return its slots are overwritten, and
 *	its counts are those of @interval
 * @interval: counts of the tree's groups
 * @nr_cpus: number of CPUs of the interval, whose counts are summed
 * @values: filled in as by bpmu_tree_compute(), [nr metrics]
 *
 * Not thread-safe.
 */
void bpmu_spread_values(const struct bpmu_tree *tree,
			const struct bpmu_interval *interval,
			unsigned int nr_cpus, struct bpmu_tree_value *values)
{
	const double seconds = interval->duration;
	struct bpmu_value *slot = tree->slot;
	const struct bpmu_event_spec *spec;
	const struct bpmu_event_slots *all;
	struct bpmu_estimate sum;
	unsigned int g, i, pos;
	double tsc = 0;

	for (pos = 0; pos < nr_cpus; pos++)
		tsc += interval->enabled[pos];
	slot[BPMU_CONSTANT_TSC] = tsc > 0 ?
		(struct bpmu_value){ .known = true, .number = tsc } :
		(struct bpmu_value){ .flags = BPMU_VALUE_MISSING };
	slot[BPMU_CONSTANT_SECONDS] = seconds > 0 ?
		(struct bpmu_value){ .known = true, .number = seconds } :
		(struct bpmu_value){ .flags = BPMU_VALUE_MISSING };
	for (g = 0; g < tree->nr_groups; g++)
		for (i = 0, spec = tree->events[g].spec; i < tree->events[g].nr; i++, spec++)
			tree->counts[g][i] = tree->event_slots[g][i].quotient ?
				spread_quotient(tree, interval, nr_cpus, g, spec, false) :
				bpmu_interval_count(&tree->groups, g, &tree->event_slots[g][i],
						    interval, nr_cpus);
	/* Set the counts of the events that are counted all the time. */
	for (g = BPMU_TREE_TOTAL(0); g < BPMU_TREE_GROUPS; g++) {
		all = tree->total_slots[g - BPMU_TREE_TOTAL(0)];
		for (i = 0, spec = tree->events[g].spec; i < tree->events[g].nr; i++, spec++) {
			memset(&sum, 0, sizeof(sum));
			if (!all[i].quotient)
				bpmu_interval_total(&tree->groups, interval, 0, nr_cpus, &all[i],
						    &sum);
			tree->counts[g][i] = all[i].quotient ?
				spread_quotient(tree, interval, nr_cpus, 0, spec, true) :
				sum.running ? sum.value : NAN;
		}
	}
	bpmu_tree_compute(tree, (const double *const *)tree->counts, values);
}

/**
 * bpmu_spread_eval() - evaluate a tree on an interval, with the spread of each value
 * @tree: as for bpmu_spread_values()
 * @interval: counts of the tree's groups
 * @nr_cpus: number of CPUs of the interval, whose counts are summed
 * @values: filled in and judged, [nr metrics]; their uncertainty is unknown without
 *	memory; their flags include the flaws that samples report
 *
 * Not thread-safe.
 */
void bpmu_spread_eval(const struct bpmu_tree *tree,
		      const struct bpmu_interval *interval, unsigned int nr_cpus,
		      struct bpmu_tree_value *values)
{
	struct jackknife j = {
		.tree = tree, .interval = interval, .nr_cpus = nr_cpus,
		.left = *interval,
	};
	unsigned int flags, g, i;
	unsigned int nr = tree->metrics.nr;
	struct bpmu_tree_value *value;
	bool multiplexed = false;
	double half;
	bool ready;

	bpmu_spread_values(tree, interval, nr_cpus, values);
	flags = interval->flaws ?
		bpmu_flaws_of_values(bpmu_flaws_of(interval, nr_cpus)) : 0;
	for (i = 0; flags && i < nr; i++)
		if (tree->value_slot[i])
			values[i].flags |= flags;
	for (g = 0; g < tree->nr_groups; g++)
		multiplexed |= bpmu_interval_multiplexed(&tree->groups,
							 interval, g);
	if (!multiplexed) {
		bpmu_tree_judge(tree, values);
		return;
	}
	j.sampled = calloc(nr_cpus, sizeof(*j.sampled));
	j.cell = calloc((size_t)nr_cpus * tree->groups.slots, sizeof(*j.cell));
	j.left.cell = j.cell;
	j.scatter = calloc(nr, sizeof(*j.scatter));
	ready = j.sampled && j.cell && j.scatter;
	for (g = 0; ready && g < tree->nr_groups; g++) {
		if (!bpmu_interval_multiplexed(&tree->groups, interval, g))
			continue;
		if (interval->batches)
			spread_one_group(&j, g, values);
		else
			spread_expand(&j, g);
		spread_flag(&j, g, values);
	}
	for (g = BPMU_TREE_TOTAL(0); ready && g < BPMU_TREE_GROUPS; g++)
		spread_expand(&j, g);
	for (i = 0, value = values; i < nr; i++, value++) {
		if (!value->known)
			continue;
		half = ready ? spread_half_width(&j.scatter[i], &value->freedom) +
			       j.scatter[i].limit : INFINITY;
		bpmu_tree_doubt(value, half);
		if (value->longer > 0) {
			value->flags |= BPMU_VALUE_FEW;
			value->flags &= ~BPMU_VALUE_BURSTY;
			value->runs = ceil(value->longer / interval->duration);
		}
	}
	free(j.sampled);
	free(j.cell);
	free(j.scatter);
	bpmu_tree_judge(tree, values);
}
