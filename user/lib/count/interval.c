// SPDX-License-Identifier: GPL-2.0
/*
 * The estimate is the ratio estimator of survey sampling: a group's slices are a
 * sample of the time, its rate is counts over ticks, and the slices' deviations
 * from that rate give the variance (Cochran, Sampling Techniques, 6.4), with the
 * finite population correction.
 */
#include "interval.h"

#include <math.h>
#include <string.h>

/* Quantile of the normal distribution for a two-sided 95 %. */
#define Z95 1.959964
/*
 * Two-sided quantiles for few degrees of freedom; the series below is accurate
 * from 3 on.
 */
#define T95_1 12.7062
#define T95_2 4.30265

/**
 * bpmu_cell_estimate() - add a cell to an estimate
 * @cell: cell of one CPU
 * @enabled: TSC ticks to which the count is scaled
 * @multiplexed: the group was multiplexed; else the count is exact
 * @sum: sum over CPUs, zeroed before the first
 */
void bpmu_cell_estimate(const struct bpmu_cell *cell, u64 enabled, bool multiplexed,
			struct bpmu_estimate *sum)
{
	double running = cell->running;
	double slices = cell->slices;
	double all = enabled;
	double rate, squares;

	sum->enabled += enabled;
	sum->running += multiplexed ? cell->running : enabled;
	if (!multiplexed) {
		sum->value += (long long)cell->count;
		return;
	}
	if (!cell->running) {
		sum->missing |= enabled != 0;
		return;
	}
	if (all <= cell->running) {
		sum->value += (long long)cell->count;
		return;
	}
	sum->value += (double)(long long)cell->count * all / cell->running;
	if (cell->slices < 2) {
		sum->variance = INFINITY;
		return;
	}
	/*
	 * Variance of the rate over the slices, and of the count that is
	 * extrapolated from it.
	 */
	rate = (double)(long long)cell->count / running;
	squares = cell->sum_xx - 2 * rate * cell->sum_tx + rate * rate * cell->sum_tt;
	if (squares > 0)
		sum->variance += squares * slices / (slices - 1) /
				 (running * running) * all * all;
	sum->freedom += slices - 1;
}

/**
 * bpmu_student() - two-sided 95 % quantile of Student's t
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
 * bpmu_student_p() - two-sided p-value of Student's t
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
 * bpmu_estimate_seen() - check if an event was counted at all
 * @estimate: sum over all CPUs
 *
 * Return: false if its group never ran, or if no sample ended in the interval because the
 * CPU was idle or samples were lost; the count is unknown then, not 0.
 */
bool bpmu_estimate_seen(const struct bpmu_estimate *estimate)
{
	return estimate->running;
}

/**
 * bpmu_estimate_half_width() - half-width of the 95 % confidence interval
 * @estimate: sum over all CPUs
 *
 * Return: 0 if the count is exact, INFINITY if a single slice tells nothing about the
 * others.
 */
double bpmu_estimate_half_width(const struct bpmu_estimate *estimate)
{
	if (!(estimate->variance > 0))
		return 0;
	return bpmu_student(estimate->freedom) * sqrt(estimate->variance);
}

/**
 * bpmu_interval_time() - time for which a CPU counted the groups of a side
 * @interval: counts of an interval
 * @side: &enum bpmu_side
 * @pos: position of the CPU
 *
 * Return: TSC ticks, 0 for a CPU that does not count them.
 */
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_side side, unsigned int pos)
{
	const u64 *shared = interval->shared[side];

	return shared ? shared[pos] : interval->enabled[pos];
}

/**
 * bpmu_interval_multiplexed() - check if a group was multiplexed
 * @groups: made
 * @interval: counts of an interval
 * @g: number of the group
 *
 * Return: true if so.
 */
bool bpmu_interval_multiplexed(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int g)
{
	enum bpmu_side side = groups->group[g].sched.side;

	return interval->multiplexed[0][side] ||
	       groups->nr_of[side] > 1;
}

/**
 * bpmu_interval_add() - add an event's count on some CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @sum: sum over CPUs, zeroed before the first
 *
 * The deviations of an event's terms are taken as independent, although they are counted
 * in the same slices; for the two terms of a difference this overestimates the variance.
 */
void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.side] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, g);
	const struct bpmu_cell *cell, *term;
	struct bpmu_cell all;
	unsigned int pos, i;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		memset(&all, 0, sizeof(all));
		for (i = 0; i < slots->nr; i++) {
			term = &cell[slots->slot[i]];
			all.count += slots->sign[i] * term->count;
			all.running = term->running;
			all.slices = term->slices;
			all.sum_tt = term->sum_tt;
			all.sum_tx += slots->sign[i] * term->sum_tx;
			all.sum_xx += term->sum_xx;
		}
		bpmu_cell_estimate(&all, time[pos], multiplexed, sum);
	}
}

/**
 * bpmu_interval_raw() - add the raw count of an event on a CPU
 * @groups: made; the count is from the first group with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @spec: the event
 * @raw: sum over CPUs and intervals, zeroed before the first
 */
void bpmu_interval_raw(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval, unsigned int pos,
		       const struct bpmu_event_spec *spec, struct bpmu_raw *raw)
{
	const struct bpmu_group *group = bpmu_groups_find(groups, spec);
	u64 enabled = bpmu_interval_time(interval, group->sched.side, pos);
	const struct bpmu_cell *cell;
	struct bpmu_slots slots;
	u64 running = 0;
	unsigned int i;

	cell = interval->cell + (size_t)pos * groups->slots + group->first;
	bpmu_groups_slots(groups, group - groups->group, spec, &slots);
	for (i = 0; i < slots.nr; i++) {
		raw->count += slots.sign[i] *
			      (long long)cell[slots.slot[i]].count;
		running = cell[slots.slot[i]].running;
	}
	if (!bpmu_interval_multiplexed(groups, interval, group - groups->group))
		running = enabled;
	raw->enabled += enabled;
	raw->running += running;
}

/**
 * bpmu_interval_estimate() - add an event's count on a CPU
 * @groups: made; the count is from the first group with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @spec: the event
 * @sum: over CPUs, zeroed before the first
 */
void bpmu_interval_estimate(const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    unsigned int pos, const struct bpmu_event_spec *spec,
			    struct bpmu_estimate *sum)
{
	unsigned int g = bpmu_groups_find(groups, spec) - groups->group;
	struct bpmu_slots slots;

	bpmu_groups_slots(groups, g, spec, &slots);
	bpmu_interval_add(groups, g, &slots, interval, pos, pos + 1, sum);
}

/**
 * bpmu_interval_sum() - sum an event's count in a group over all CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
 * @spec: the event
 *
 * Return: the count.
 */
struct bpmu_estimate bpmu_interval_sum(const struct bpmu_groups *groups,
				       unsigned int g,
				       const struct bpmu_interval *interval,
				       unsigned int nr_cpus,
				       const struct bpmu_event_spec *spec)
{
	struct bpmu_estimate sum = { };
	struct bpmu_slots slots;

	bpmu_groups_slots(groups, g, spec, &slots);
	bpmu_interval_add(groups, g, &slots, interval, 0, nr_cpus, &sum);
	return sum;
}

/**
 * bpmu_interval_behind() - an interval without its first CPUs
 * @interval: counts of all CPUs
 * @nr_cpus: number of CPUs to skip, such as those of the first core type
 * @groups: groups counted on the skipped CPUs
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups)
{
	size_t cells = (size_t)nr_cpus * groups->slots;
	struct bpmu_interval behind = *interval;
	unsigned int side;

	behind.cell += cells;
	if (behind.batch)
		behind.batch += cells * behind.batches;
	behind.enabled += nr_cpus;
	for (side = 0; side < BPMU_NR_SIDES; side++)
		if (behind.shared[side])
			behind.shared[side] += nr_cpus;
	behind.lost += nr_cpus;
	behind.spent += nr_cpus;
	if (behind.flaws)
		behind.flaws += nr_cpus;
	memcpy(behind.multiplexed[0], interval->multiplexed[1], sizeof(behind.multiplexed[0]));
	return behind;
}
