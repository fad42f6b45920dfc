// SPDX-License-Identifier: GPL-2.0
/*
 * A jackknife. The rotation slices of each group are divided into batches: with n batches, each has
 * every n-th slice. For each batch the tree is evaluated again without the slices of this batch.
 * The scatter of these values gives the variance of a metric with any formula. It includes
 * the covariance of counts of the same slices (Wolter, Introduction to Variance Estimation, chapter
 * 4). The variances that different groups contribute are added, because slices of different groups
 * are at different times.
 *
 * While a group is on the counters, its counts have no error. The finite population correction
 * reduces the variance for this reason. If a metric depends on several groups, the correction
 * depends on the standard deviation between slices of the sum of the groups' contributions. Only a
 * lower bound of this deviation is known: the largest of the groups' deviations minus the
 * deviations of all other groups.
 *
 * If counts are sums over interrupts that each have the counts of all events, the batches are of
 * interrupts. How many interrupts there are is random as well, and taken as Poisson-distributed.
 * With t the sum of the deviations of a metric's values without each batch from its value, and n
 * interrupts, that adds t^2 / n to the variance. A ratio of counts does not depend on the number of
 * interrupts, and its t is about 0. A count itself gets the sum of its squared counts, which is
 * Poisson's variance.
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
 * The distribution of the count of a rare event is skewed. If by chance the count is too small, its
 * estimated standard deviation is too small as well. The quantile of Student's t for 95 % is
 * therefore increased by SKEWNESS * skewness^2 / number of values (Edgeworth's series: P. Hall, The
 * Bootstrap and Edgeworth Expansion, 2.5).
 */
#define SKEWNESS 2.117

/*
 * A count of unknown uncertainty is changed by this fraction. Values that change with the count
 * have an unknown uncertainty, too.
 */
#define NUDGE 0.01

/**
 * struct scatter - moments of the deviations of a metric's value without some rotation slices
 * @variance: sum of the variances of all groups so far
 * @third: sum of the third moments of all groups so far
 * @fourth: sum over groups of the squared variance divided by its degrees of freedom
 * @seen: sum over groups of the standard deviation between batches (with n batches, each has every
 *	n-th slice)
 * @most: largest of the standard deviations that @seen is the sum of
 * @limit: largest change of the metric by events that may have occurred while their group was not
 *	on the counters
 * @unknown: a group has a single batch of slices, which gives no variance
 */
struct scatter {
	double variance;
	double third;
	double fourth;
	double seen;
	double most;
	double limit;
	bool unknown;
};

/*
 * Indices in &bpmu_tree.other. To see which values depend on certain counts, the tree is evaluated
 * again with other counts of a group: at UNSEEN the counts that are 0 are replaced by NAN, at
 * BURSTY those with a heavy tail, at NONE all counts of the group. WITHOUT + r has the counts
 * without batch r (with n batches, every n-th rotation slice).
 */
enum { UNSEEN, BURSTY, NONE, WITHOUT };
_Static_assert(WITHOUT + BPMU_BATCHES <= BPMU_REPLICATES, "each batch can be left out at once");

/**
 * struct slices - what is known of the slices of a multiplexed group on all CPUs
 * @batches: largest number of batches on a CPU (with n batches, each has every n-th slice), 0 if
 *	the counts are exact
 * @fewest: smallest number of batches on a CPU
 * @interrupts: number of interrupts whose counts are summed; 0 if the batches are of slices
 * @seen: fraction of the time for which the group was on the counters
 * @longer: measurement time in seconds that would give enough slices; 0 if there were enough
 * @limit: largest share of the time in which an event with a count of 0 may have occurred, while
 *	the group was not on the counters
 */
struct slices {
	unsigned int batches;
	unsigned int fewest;
	double interrupts;
	double seen;
	double longer;
	double limit;
};

/**
 * struct jackknife - state of a jackknife estimate
 * @tree: the tree
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
 * @multiplexed: true if a group was multiplexed; if false, no value has an error, and the arrays
 *	below are not allocated
 * @ready: true if the arrays below were allocated, except @cell
 * @estimate: estimates of the counts of all groups' events, in the order in which the counts are
 *	inputs of the tree's compiled formulas (&bpmu_tree.program), [counts]; the other arrays
 *	follow in the same block of memory
 * @slices: slices of the groups, [group]
 * @others: [group], number of elements in use of &bpmu_tree.other (counts with which the tree is
 *	evaluated again) per event; 0 if the group was not multiplexed
 * @sampled: [nr_cpus], true if the group whose batches are left out ran for a part of the time on
 *	the CPU; if it ran for 0 % or 100 % of the time, there is no sampling error
 * @left: the interval without the slices of a batch (every n-th slice)
 * @cell: memory for the counts of @left; NULL before the first event that is a quotient
 * @scatter: scatter of the metrics, [nr metrics]
 */
struct jackknife {
	const struct bpmu_tree *tree;
	const struct bpmu_interval *interval;
	unsigned int nr_cpus;
	bool multiplexed;
	bool ready;
	struct bpmu_estimate *estimate;
	struct slices *slices;
	unsigned int *others;
	bool *sampled;
	struct bpmu_interval left;
	struct bpmu_cell *cell;
	struct scatter *scatter;
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
 * bpmu_student_family() - spread of several means: quantile for intervals that all hold in 95 %
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
 * Return: 0 if the count is exact, INFINITY if the event occurred in too few slices.
 */
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate)
{
	double freedom = estimate->freedom;

	if (bpmu_estimate_flags(estimate) & (BPMU_VALUE_UNSEEN | BPMU_VALUE_FEW))
		return INFINITY;
	if (!(estimate->variance > 0))
		return 0;
	if (estimate->slices)
		freedom = fmin(freedom, estimate->scaled * estimate->scaled /
					estimate->squares - 1);
	return bpmu_student(freedom) * sqrt(estimate->variance);
}

/*
 * An event may be a quotient of two counts, A:per=B. Returns the sum of A / B over the CPUs. The
 * quotient is formed on each CPU, because A and B have to be of the same package: B may be a clock.
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

/*
 * Copies the counts of group @g on all CPUs to @j->cell, without the slices of batch @r (with n
 * batches, every n-th slice). Returns false if out of memory.
 */
static bool leave_out(struct jackknife *j, unsigned int g, unsigned int r)
{
	const struct bpmu_group *group = &j->tree->groups.group[g];
	const struct bpmu_interval *interval = j->interval;
	const struct bpmu_batch *batch;
	unsigned int pos, i;
	size_t cell;

	if (!j->cell) {
		j->cell = calloc((size_t)j->nr_cpus * j->tree->groups.slots, sizeof(*j->cell));
		j->left.cell = j->cell;
	}
	for (pos = 0; j->cell && pos < j->nr_cpus; pos++) {
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
	return j->cell;
}

/*
 * Sets the counts of a multiplexed group and their estimates. Also sets facts about the group's
 * rotation slices (@j->slices), and the counts with which the tree is evaluated again
 * (&bpmu_tree.other). Returns false if the group was not multiplexed or memory is lacking; the
 * group's counts are not set then.
 *
 * A count is in doubt if its distribution over the slices has a heavy tail (BURSTY), or if it is 0
 * (UNSEEN). An event with a count of 0 may have occurred while other groups were on the counters,
 * in at most bpmu_estimate_at_most() slices. How often it occurred in such a slice is unknown.
 * An event that is a quotient A:per=B of two counts is never in doubt here: struct bpmu_estimate
 * describes single counts only.
 */
static bool spread_estimate(struct jackknife *j, unsigned int g)
{
	const struct bpmu_interval *interval = j->interval;
	const struct bpmu_tree *tree = j->tree;
	const struct bpmu_groups *groups = &tree->groups;
	enum bpmu_bank_id bank = groups->group[g].sched.bank;
	const u64 *times = interval->shared[bank] ?: interval->enabled;
	const struct bpmu_event_list *events = &tree->events[g];
	const struct bpmu_slots *slots = tree->event_slots[g];
	bpmu_replicates *other = tree->other[g];
	const unsigned int batches = interval->batches;
	size_t at = groups->group[g].first;
	const struct bpmu_batch *batch;
	const struct bpmu_cell *cell;
	double running = 0, all = 0;
	struct bpmu_estimate *sum;
	unsigned int pos, nr, i, r;
	struct slices *slices;
	unsigned int flags;
	double slice;
	u64 time;

	if (!bpmu_interval_multiplexed(groups, interval, bank))
		return false;
	if (!j->multiplexed) {
		/*
		 * The arrays are in one block of memory. They are zero where they are used before
		 * they are set: not the estimates, and the scatter only of metrics with a value.
		 */
		j->multiplexed = true;
		j->estimate = malloc(tree->program.first_result * sizeof(*j->estimate) +
				     tree->metrics.nr * sizeof(*j->scatter) +
				     tree->nr_groups * sizeof(*j->slices) +
				     tree->nr_groups * sizeof(*j->others) +
				     j->nr_cpus * sizeof(*j->sampled));
		j->ready = j->estimate;
		if (!j->ready)
			return false;
		j->scatter = (struct scatter *)(j->estimate + tree->program.first_result);
		j->slices = (struct slices *)(j->scatter + tree->metrics.nr);
		j->others = (unsigned int *)(j->slices + tree->nr_groups);
		j->sampled = (bool *)(j->others + tree->nr_groups);
		for (i = 0; i < tree->nr_valued; i++)
			j->scatter[tree->valued[i]] = (struct scatter){ };
		memset(j->slices, 0, (char *)(j->sampled + j->nr_cpus) - (char *)j->slices);
	}
	if (!j->ready || !events->nr)
		return false;

	/*
	 * Estimate the counts. What an event may have at most depends only on the number of slices, so
	 * @slices->limit is the same for all events of the group.
	 */
	slices = &j->slices[g];
	for (i = 0; i < events->nr; i++) {
		sum = &j->estimate[tree->program.first_count[g] + i];
		*sum = (struct bpmu_estimate){ };
		bpmu_interval_add(groups, g, &slots[i], interval, 0, j->nr_cpus, sum);
		if (slots[i].quotient)
			tree->counts[g][i] = spread_quotient(tree, interval, j->nr_cpus, g,
							     &events->spec[i], false);
		else
			tree->counts[g][i] = sum->running ? sum->value : NAN;
		flags = slots[i].quotient ? 0 : bpmu_estimate_flags(sum);
		if (flags & BPMU_VALUE_UNSEEN && !slices->limit)
			slices->limit = bpmu_estimate_share_at_most(sum);
		other[i][UNSEEN] = flags & BPMU_VALUE_UNSEEN ? NAN : tree->counts[g][i];
		other[i][BURSTY] = flags & BPMU_VALUE_BURSTY ? NAN : tree->counts[g][i];
		other[i][NONE] = NAN;
	}
	j->others[g] = WITHOUT;
	if (!batches)
		return true;

	/*
	 * With n batches, each has every n-th slice. Count the batches that have slices on each
	 * CPU, and compute the measurement time in which each CPU would have BPMU_SPREAD_SLICES
	 * slices.
	 */
	for (pos = 0; pos < j->nr_cpus; pos++, at += groups->slots) {
		cell = &interval->cell[at];
		time = times[pos];
		j->sampled[pos] = interval->interrupts ? cell->slices :
				  cell->running && cell->running < time;
		if (!j->sampled[pos])
			continue;
		batch = interval->batch + at * batches;
		for (nr = 0, r = 0; r < batches && !interval->interrupts; r++)
			nr += batch[r].ticks != 0;
		if (interval->interrupts)
			nr = cell->slices < batches ? cell->slices : batches;
		if (!slices->batches || nr < slices->fewest)
			slices->fewest = nr;
		if (nr > slices->batches)
			slices->batches = nr;
		if (interval->interrupts) {
			slices->interrupts += cell->slices;
			continue;
		}
		running += cell->running;
		all += time;
		if (cell->slices >= BPMU_SPREAD_SLICES)
			continue;
		/*
		 * In this measurement time this group gets BPMU_SPREAD_SLICES slices, and so does
		 * each group that is multiplexed with it, provided that slices keep their length.
		 */
		slice = (double)cell->running / cell->slices;
		slices->longer = fmax(slices->longer,
				      BPMU_SPREAD_SLICES * groups->nr_of[bank] *
				      slice / (time / interval->duration));
	}
	slices->seen = all > 0 ? running / all : 0;
	if (slices->fewest < 2)
		return true;

	/*
	 * The slices are divided into batches. For each batch compute the counts of the group
	 * again, without the slices of this batch.
	 */
	bpmu_interval_counts(groups, g, slots, events->nr, interval, j->nr_cpus, batches,
			     j->sampled, *other + WITHOUT, BPMU_REPLICATES);
	for (i = 0; i < events->nr; i++)
		for (r = 0; r < batches && slots[i].quotient; r++)
			other[i][WITHOUT + r] = leave_out(j, g, r) ?
				spread_quotient(tree, &j->left, j->nr_cpus, g, &events->spec[i],
						false) : NAN;
	j->others[g] = WITHOUT + batches;
	return true;
}

/*
 * Sets the inputs of the tree's formulas for an interval: the counts of events, the seconds and the
 * TSC ticks. With @subset only the counts are set that this part of the tree needs. If @j is not
 * NULL, this function also estimates the errors of multiplexed counts, which takes longer. The
 * counts do not depend on @j.
 */
static void spread_counts(const struct bpmu_tree *tree, const struct bpmu_tree_subset *subset,
			  const struct bpmu_interval *interval, unsigned int nr_cpus,
			  struct jackknife *j)
{
	const double seconds = interval->duration;
	struct bpmu_value *slot = tree->slot;
	const struct bpmu_event_slots *all;
	const struct bpmu_event_spec *spec;
	const struct bpmu_slots *slots;
	struct bpmu_estimate one, *sum;
	unsigned int g, i, k, nr, pos;
	double tsc = 0, *counts;
	bool ready;

	for (pos = 0; pos < nr_cpus; pos++)
		tsc += interval->enabled[pos];
	/* The time of an entry of --by is no count of the TSC if interrupts tell it. */
	slot[BPMU_CONSTANT_TSC] = tsc > 0 && !interval->interrupts ?
		(struct bpmu_value){ .known = true, .number = tsc } :
		(struct bpmu_value){ .flags = BPMU_VALUE_MISSING };
	slot[BPMU_CONSTANT_SECONDS] = seconds > 0 ?
		(struct bpmu_value){ .known = true, .number = seconds } :
		(struct bpmu_value){ .flags = BPMU_VALUE_MISSING };

	/* Set the counts of the groups. */
	for (g = 0; g < tree->nr_groups; g++) {
		if (j && spread_estimate(j, g))
			continue;
		slots = subset ? subset->group[g].slots : tree->event_slots[g];
		nr = subset ? subset->group[g].nr : tree->events[g].nr;
		counts = subset ? subset->count : tree->counts[g];
		if (!nr)
			continue;
		bpmu_interval_counts(&tree->groups, g, slots, nr, interval, nr_cpus, 0, NULL,
				     counts, 1);
		for (k = 0; k < nr; k++) {
			i = subset ? subset->group[g].event[k] : k;
			spec = &tree->events[g].spec[i];
			tree->counts[g][i] = !slots[k].quotient ? counts[k] :
				spread_quotient(tree, interval, nr_cpus, g, spec, false);
		}
	}

	/* Set the counts of the events that all groups have, and that are thus always counted. */
	ready = j && j->ready;
	g = subset && !subset->has_totals ? BPMU_TREE_GROUPS : BPMU_TREE_TOTAL(0);
	for (; g < BPMU_TREE_GROUPS; g++) {
		all = tree->total_slots[g - BPMU_TREE_TOTAL(0)];
		nr = subset ? subset->group[g].nr : tree->events[g].nr;
		for (k = 0; k < nr; k++) {
			i = subset ? subset->group[g].event[k] : k;
			spec = &tree->events[g].spec[i];
			sum = ready ? &j->estimate[tree->program.first_count[g] + i] : &one;
			*sum = (struct bpmu_estimate){ };
			if (ready || !all[i].quotient)
				bpmu_interval_total(&tree->groups, interval, 0, nr_cpus, &all[i],
						    sum);
			tree->counts[g][i] = all[i].quotient ?
				spread_quotient(tree, interval, nr_cpus, 0, spec, true) :
				sum->running ? sum->value : NAN;
		}
	}
}

/*
 * Adds the variance of the count of event @e of a group to the variances of the metrics that need
 * the event. The metrics are computed with this count one standard deviation lower, and one
 * standard deviation higher (the delta method). Counts are taken as independent. This overestimates
 * the uncertainty of metrics that are fractions. If a metric has no value with one of these counts,
 * such as with a divisor of 0, its change by the other one is taken. @values are those of all
 * metrics with the count itself.
 */
static void spread_shift(struct jackknife *j, unsigned int g, unsigned int e,
			 const struct bpmu_tree_value *values)
{
	const struct bpmu_estimate *sum = &j->estimate[j->tree->program.first_count[g] + e];
	const double freedom = sum->freedom > 0 ? sum->freedom : 1;
	const struct bpmu_tree_tried *tried = j->tree->tried[g];
	const double *counts = j->tree->counts[g];
	double sd, square, low, high, value;
	struct scatter *scatter;
	unsigned int i, k;

	sd = isinf(sum->variance) ? NUDGE * fabs(counts[e]) : sqrt(sum->variance);
	/*
	 * For an event that is a quotient of two counts, A:per=B, the estimate is the one of count
	 * A. Its relative standard deviation is taken as the quotient's, which is at least as
	 * large.
	 */
	if (g < BPMU_TREE_TOTAL(0) && j->tree->event_slots[g][e].quotient)
		sd *= sum->value > 0 ? fabs(counts[e]) / sum->value : 0;
	if (!(sd > 0))
		return;
	for (i = 0; i < j->tree->events[g].nr; i++) {
		j->tree->other[g][i][0] = i == e ? counts[i] - sd : counts[i];
		j->tree->other[g][i][1] = i == e ? counts[i] + sd : counts[i];
	}
	bpmu_program_try(&j->tree->program, &j->tree->reach[g], j->tree->slot, 2);
	for (k = 0; k < j->tree->nr_tried[g]; k++, tried++) {
		if (!values[tried->metric].known)
			continue;
		scatter = &j->scatter[tried->metric];
		value = values[tried->metric].value;
		low = tried->value[0];
		high = tried->value[1];
		if (isnan(low) && isnan(high)) {
			scatter->unknown = true;
			continue;
		}
		square = pow(isnan(low) ? high - value : isnan(high) ? value - low :
			     (high - low) / 2, 2);
		if (isinf(sum->variance))
			scatter->unknown |= square > 0;
		else
			scatter->variance += square;
		scatter->fourth += square * square / freedom;
	}
}

/*
 * Adds what a multiplexed group contributes to the uncertainty of the metrics, from the values that
 * the metrics have with other counts of the group (&bpmu_tree.other). The values without one batch
 * after another (with n batches, every n-th rotation slice) contribute to the variance. The values
 * with NAN in place of a count that is 0 or has a heavy tail tell which metrics need this count,
 * because they have no value without it: these metrics get a flag.
 */
static void spread_add(struct jackknife *j, unsigned int g, struct bpmu_tree_value *values)
{
	const struct bpmu_tree_tried *tried = j->tree->tried[g];
	const struct slices *slices = &j->slices[g];
	double sum, squares, cubes, deviation, square, mean, variance, seen;
	double nr = slices->batches;
	struct bpmu_tree_value *value;
	struct scatter *scatter;
	unsigned int k, r, end;
	const double *number;

	for (k = 0; k < j->tree->nr_tried[g]; k++, tried++) {
		number = tried->value;
		value = &values[tried->metric];
		scatter = &j->scatter[tried->metric];

		/*
		 * An event with a count of 0 may have occurred while its group was not on the
		 * counters, in up to the fraction @slices->limit of the time. A metric that is a
		 * fraction is at most 1 in each slice, so its error is at most @slices->limit.
		 * Other metrics have no such bound.
		 */
		if (value->known && isnan(number[BURSTY]))
			value->flags |= BPMU_VALUE_BURSTY;
		if (value->known && isnan(number[UNSEEN])) {
			value->flags |= BPMU_VALUE_UNSEEN;
			scatter->limit += j->tree->share[tried->metric] ? slices->limit : INFINITY;
		}
		/*
		 * If no interrupt in a part of a program has counts, such as when all of its records
		 * were broken, its counts are not known to be 0.
		 */
		if (!slices->batches) {
			scatter->unknown |= j->interval->interrupts && j->interval->batches &&
					    value->known && isnan(number[NONE]);
			continue;
		}

		/*
		 * If the group had too few slices, there is no confidence interval for metrics that
		 * need a count of the group.
		 */
		if (slices->longer > 0 && value->known && isnan(number[NONE]))
			value->longer = fmax(value->longer, slices->longer);

		/*
		 * Sum how far the values without a batch (with n batches, every n-th slice) deviate
		 * from the value with all slices. If the slices on some CPU are all in one batch,
		 * no count of the group is left without this batch.
		 */
		sum = 0;
		squares = 0;
		cubes = 0;
		r = slices->fewest < 2 ? NONE : WITHOUT;
		end = slices->fewest < 2 ? NONE + 1 : WITHOUT + j->interval->batches;
		for (; r < end; r++) {
			if (isnan(number[r])) {
				scatter->unknown = true;
				continue;
			}
			deviation = number[r] - value->value;
			square = deviation * deviation;
			sum += deviation;
			squares += square;
			cubes += square * deviation;
		}

		/*
		 * Add the variance and the third moment of the deviations to those of the groups
		 * before.
		 */
		if (slices->fewest < 2)
			scatter->unknown |= squares > 0;
		mean = sum / nr;
		variance = (squares - mean * sum) * ((nr - 1) / nr);
		if (slices->interrupts)
			variance += sum * sum / slices->interrupts;
		if (scatter->unknown || !(variance > 0))
			continue;
		scatter->variance += variance;
		scatter->third += cubes - 3 * mean * squares + 2 * mean * mean * sum;
		scatter->fourth += variance * variance / (slices->fewest - 1);
		seen = sqrt(variance * slices->seen);
		scatter->seen += seen;
		if (seen > scatter->most)
			scatter->most = seen;
	}
}

/**
 * bpmu_spread_values() - compute the values of a tree in an interval, but not their spread
 * @tree: tree, with the constants of its formulas set for the machine. Its counts and all other
 *	variables of its formulas are overwritten
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
	spread_counts(tree, NULL, interval, nr_cpus, NULL);
	bpmu_tree_compute(tree, (const double *const *)tree->counts, NULL, values);
}

/**
 * bpmu_spread_subset() - compute some values of a tree in an interval, but not their spread
 * @subset: subset of the tree with the metrics to compute, whose constants are set for the machine. The
 *	tree's counts of the events that the subset needs are overwritten
 * @interval: counts of the tree's groups
 * @nr_cpus: number of CPUs of the interval, whose counts are summed
 * @values: filled in for the metrics of the subset, as by bpmu_tree_subset_compute(), [nr metrics]
 *
 * Not thread-safe.
 */
void bpmu_spread_subset(const struct bpmu_tree_subset *subset,
			const struct bpmu_interval *interval, unsigned int nr_cpus,
			struct bpmu_tree_value *values)
{
	spread_counts(subset->tree, subset, interval, nr_cpus, NULL);
	bpmu_tree_subset_compute(subset, values);
}

/**
 * bpmu_spread_eval() - evaluate a tree on an interval, with the spread of each value
 * @tree: as for bpmu_spread_values()
 * @interval: counts of the tree's groups
 * @nr_cpus: number of CPUs of the interval, whose counts are summed
 * @values: filled in, and flagged if they exceed their thresholds, [nr metrics]. If out of memory,
 *	their uncertainty is unknown. &bpmu_tree_value.flags include the flaws that samples report
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
	double half, sure, variance, skewness;
	struct bpmu_tree_value *value;
	struct scatter *scatter;
	unsigned int flags, g, i, v;

	/*
	 * Evaluate the tree with the counts of the interval. Also evaluate it with changed counts
	 * of each group (&bpmu_tree.other), to see how uncertain the values are.
	 */
	spread_counts(tree, NULL, interval, nr_cpus, &j);
	bpmu_tree_compute(tree, (const double *const *)tree->counts, j.ready ? j.others : NULL,
			  values);
	flags = interval->flaws ?
		bpmu_flaws_of_values(bpmu_flaws_of(interval, nr_cpus)) : 0;
	for (v = 0; flags && v < tree->nr_valued; v++)
		values[tree->valued[v]].flags |= flags;

	/*
	 * Add up the variances that the groups contribute to the metrics. Without batches of slices
	 * in the interval, the variances of single counts are used instead. The events at
	 * BPMU_TREE_TOTAL() are in every group, so that their counts are exact and have no
	 * variance. They have a variance only if a group that was added later uses the counter for
	 * another event.
	 */
	for (g = 0; j.ready && g < BPMU_TREE_GROUPS; g++) {
		if (g == tree->nr_groups)
			g = BPMU_TREE_TOTAL(0);
		if (g < tree->nr_groups && !j.others[g])
			continue;
		if (g < tree->nr_groups)
			spread_add(&j, g, values);
		for (i = 0; (g >= tree->nr_groups || !interval->batches) &&
		     i < tree->events[g].nr; i++)
			if (j.estimate[tree->program.first_count[g] + i].variance > 0)
				spread_shift(&j, g, i, values);
	}

	/* Set the half-width of each metric's confidence interval. */
	for (v = 0; j.multiplexed && v < tree->nr_valued; v++) {
		value = &values[tree->valued[v]];
		if (!value->known)
			continue;
		scatter = j.ready ? &j.scatter[tree->valued[v]] : NULL;
		half = !j.ready || scatter->unknown ? INFINITY : 0;
		if (!half && scatter->variance > 0) {
			variance = scatter->variance;
			value->freedom = variance * variance / scatter->fourth;
			skewness = scatter->third / variance * scatter->third / variance /
				   variance;
			sure = 2 * scatter->most - scatter->seen;
			if (sure > 0)
				variance -= sure * sure;
			if (variance > 0)
				half = (bpmu_student(value->freedom) + SKEWNESS * skewness) *
				       sqrt(variance);
		}
		value->uncertainty = j.ready ? half + scatter->limit : half;
		if (value->longer > 0) {
			value->flags |= BPMU_VALUE_FEW;
			value->flags &= ~BPMU_VALUE_BURSTY;
			value->runs = ceil(value->longer / interval->duration);
		}
	}
	free(j.estimate);
	free(j.cell);
	bpmu_tree_judge(tree, values);
}
