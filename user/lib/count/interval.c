// SPDX-License-Identifier: GPL-2.0
/*
 * Counts are estimated with the ratio estimator of survey sampling. The slices of a group are a
 * sample of all slices of the interval. The rate of an event is its count in these slices divided
 * by their TSC ticks. How the counts of single slices deviate from this rate gives the variance
 * (Cochran, Sampling Techniques, 6.4). The finite population correction is applied to it.
 */
#include "interval.h"

#include <math.h>
#include <string.h>

/*
 * A count has a confidence interval if it is from at least SLICES_MIN slices, and if the effective
 * number of slices, (sum of counts)^2 / sum of counts^2, is at least EFFECTIVE_MIN. In simulations
 * of steady, bursty, idle and rare events, with 12 to 200 slices in 2 to 8 groups, 92 to 99 % of
 * the intervals above these limits held the true count; below the limits sometimes none did.
 */
#define SLICES_MIN 16
#define EFFECTIVE_MIN 5

/* bpmu_estimate_at_most() returns a limit that is exceeded with at most this probability. */
#define BEYOND 0.05

/*
 * The tail of the distribution of slices is the largest eighth of a CPU's slices, but at most
 * as many slices as a cell keeps.
 */
#define TAIL_SHARE 8

/*
 * Largest mean logarithmic spacing for which the variance is finite. The index of the tail is the
 * inverse of this mean; with an index below 2 the variance is infinite.
 */
#define SPACING_MAX 0.5

/* Inserts the count of a slice into the largest counts of a cell if it is among them. */
static inline void cell_add_top(struct bpmu_cell *cell, long long count)
{
	long long *top = cell->top + BPMU_CELL_TOP - 1;

	if (count <= *top)
		return;
	for (; top > cell->top && count > top[-1]; top--)
		top[0] = top[-1];
	*top = count;
}

/**
 * bpmu_cell_add_large() - insert a slice's count into the largest ones of an interval's cell
 * @cell: the cell
 * @count: events counted in the slice, more than the least of @cell->top
 * @ticks: length of the slice in TSC ticks
 * @running: TSC ticks of the earlier slices
 * @slices: number of earlier slices
 *
 * A slice is longer than others after lost samples. If it is longer than the mean of the earlier
 * slices, its count is scaled down to this mean length before it is compared with @cell->top.
 *
 * Return: the smallest count that is in @cell->top afterwards.
 */
long long bpmu_cell_add_large(struct bpmu_cell *cell, u64 count, u64 ticks, u64 running,
			      u64 slices)
{
	double mean = slices ? (double)running / slices : ticks;

	cell_add_top(cell, ticks > mean ? count * (mean / ticks) : count);
	return cell->top[BPMU_CELL_TOP - 1];
}

/**
 * bpmu_cell_add() - add the counts of an interval's cell to another cell of this interval
 * @sum: cell to which the slices are added
 * @cell: cell with other slices of the same event
 */
void bpmu_cell_add(struct bpmu_cell *sum, const struct bpmu_cell *cell)
{
	unsigned int i;

	sum->count += cell->count;
	sum->running += cell->running;
	sum->slices += cell->slices;
	sum->sum_tt += cell->sum_tt;
	sum->sum_tx += cell->sum_tx;
	sum->sum_xx += cell->sum_xx;
	for (i = 0; i < BPMU_CELL_TOP; i++)
		cell_add_top(sum, cell->top[i]);
}

/* Scales a count of @running ticks to @enabled ticks; returns 0 if @running is 0. */
static double scaled_count(long long count, u64 running, u64 enabled)
{
	if (!running)
		return 0;
	return (double)enabled <= running ? count : (double)count * (double)enabled / running;
}

/*
 * Scales a count to @enabled ticks and adds it to @sum. Returns true if a variance has to be added
 * as well; false if the count is exact, or if the event was never counted.
 */
static bool add_count(long long count, u64 running, u64 enabled, bool multiplexed,
		      struct bpmu_estimate *sum)
{
	sum->enabled += enabled;
	sum->running += multiplexed ? running : enabled;
	if (multiplexed && !running) {
		sum->missing |= enabled != 0;
		return false;
	}
	if (!multiplexed || (double)enabled <= running) {
		sum->value += count;
		return false;
	}
	sum->value += scaled_count(count, running, enabled);
	return true;
}

/**
 * bpmu_cell_estimate() - estimate the count of an interval's cell, and add it to a sum over CPUs
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
	double rate, squares, product = 1;
	unsigned int i, nr;

	if (!add_count(cell->count, cell->running, enabled, multiplexed, sum))
		return;
	sum->slices += cell->slices;
	sum->others += slices * (all - running) / running;
	sum->scaled += (double)(long long)cell->count * all / running;
	sum->squares += cell->sum_xx * all / running * all / running;
	/*
	 * If the event occurred in fewer slices than the tail has, only the half of these slices
	 * with the larger counts is the tail. The counts of the others are not large.
	 */
	nr = fmin(fmax(cell->slices / TAIL_SHARE, 1), BPMU_CELL_TOP - 1);
	for (i = 0; i <= nr && cell->top[i] > 0; i++)
		;
	if (i <= nr)
		nr = i / 2;
	for (i = 0; i < nr; i++)
		product *= (double)cell->top[i] / cell->top[nr];
	sum->largest += nr;
	sum->spacing += log(product);
	if (cell->slices < 2) {
		sum->variance = INFINITY;
		return;
	}
	/*
	 * @squares is the sum of the squared deviations of the slices' counts from the rate. From
	 * it follows the variance of the count that is extrapolated to the time that was not seen.
	 */
	rate = (double)(long long)cell->count / running;
	squares = cell->sum_xx - 2 * rate * cell->sum_tx + rate * rate * cell->sum_tt;
	if (squares > 0)
		sum->variance += squares * slices / (slices - 1) /
				 (running * running) * all * (all - running);
	sum->freedom += slices - 1;
}

/**
 * bpmu_estimate_few() - estimate from an interval if too few slices contribute to a count
 * @estimate: sum over all CPUs
 *
 * Return: true if the group had few slices, or if a few slices have most of the events. It is then
 * unknown how many slices with as many events there were while the group was not counted.
 */
bool bpmu_estimate_few(const struct bpmu_estimate *estimate)
{
	return estimate->slices &&
	       (estimate->slices < SLICES_MIN ||
		estimate->scaled * estimate->scaled <
		EFFECTIVE_MIN * estimate->squares);
}

/**
 * bpmu_estimate_bursty() - check if few slices of an interval dominate a count: a heavy tail
 * @estimate: sum over all CPUs
 *
 * Hill's estimate of the tail's index (B. M. Hill, A simple general approach to inference about
 * the tail of a distribution, Annals of Statistics 3, 1975) is the inverse of the mean
 * logarithmic spacing. If the index is below 2, the variance of the distribution is infinite, and a
 * confidence interval that is computed from the variance of the slices is wrong. The estimate of
 * the index is valid even if no slice with an extreme count was seen.
 *
 * Return: true if the tail is heavy: a slice that was not counted may have more events than all
 * slices that were counted.
 */
bool bpmu_estimate_bursty(const struct bpmu_estimate *estimate)
{
	return estimate->spacing > SPACING_MAX * estimate->largest;
}

/**
 * bpmu_estimate_at_most() - in how many slices of an interval an event that counted 0 may have been
 * @estimate: sum over all CPUs, for which bpmu_estimate_unseen() is true
 *
 * Suppose that b of all slices have the event. The group missed each of them with a probability
 * equal to the other groups' share of the slices. The limit is the largest b for which the group
 * misses all b slices in more than 5 % of the cases: about 3 divided by the group's own share if
 * this share is small.
 *
 * Return: the limit, a number of slices of other groups, with a confidence of 95 %.
 */
double bpmu_estimate_at_most(const struct bpmu_estimate *estimate)
{
	double share = estimate->slices / (estimate->slices + estimate->others);
	double most = ceil(log(BEYOND) / log1p(-share));

	return fmin(most, ceil(estimate->others));
}

/**
 * bpmu_interval_time() - time of an interval for which a CPU counted the groups of a bank
 * @interval: counts of an interval
 * @bank: &enum bpmu_bank_id
 * @pos: position of the CPU
 *
 * Return: TSC ticks; 0 for a CPU that does not count on the bank.
 */
u64 bpmu_interval_time(const struct bpmu_interval *interval,
		       enum bpmu_bank_id bank, unsigned int pos)
{
	const u64 *shared = interval->shared[bank];

	return shared ? shared[pos] : interval->enabled[pos];
}

/**
 * bpmu_interval_multiplexed() - check if a group was multiplexed in an interval
 * @groups: made
 * @interval: counts of an interval
 * @g: number of the group
 *
 * Return: true if the group shared its counters with other groups in the interval.
 */
bool bpmu_interval_multiplexed(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int g)
{
	enum bpmu_bank_id bank = groups->group[g].sched.bank;

	return interval->multiplexed[0][bank] ||
	       groups->nr_of[bank] > 1;
}

/*
 * Returns the cell of an event that is the sum or difference of terms. The deviations of the terms
 * are taken as independent, although the terms are counted in the same slices. This overestimates
 * the variance of a difference. The largest counts of the terms that are added are assumed to come
 * from the same slices. A term that is subtracted does not change them.
 */
static struct bpmu_cell interval_cell(const struct bpmu_cell *cells,
				      const struct bpmu_slots *slots)
{
	struct bpmu_cell all = { };
	const struct bpmu_cell *term;
	unsigned int i, k;

	for (i = 0; i < slots->nr; i++) {
		term = &cells[slots->slot[i]];
		all.count += slots->sign[i] * term->count;
		all.running = term->running;
		all.slices = term->slices;
		all.sum_tt = term->sum_tt;
		all.sum_tx += slots->sign[i] * term->sum_tx;
		all.sum_xx += term->sum_xx;
		for (k = 0; slots->sign[i] > 0 && k < BPMU_CELL_TOP; k++)
			all.top[k] += term->top[k];
	}
	return all;
}

/**
 * bpmu_interval_add() - add an event's count in an interval, in one group and on some CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @sum: sum over CPUs, zeroed before the first
 */
void bpmu_interval_add(const struct bpmu_groups *groups, unsigned int g,
		       const struct bpmu_slots *slots,
		       const struct bpmu_interval *interval, unsigned int first,
		       unsigned int end, struct bpmu_estimate *sum)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, g);
	const struct bpmu_cell *cell;
	struct bpmu_cell all;
	unsigned int pos;

	cell = interval->cell + (size_t)first * groups->slots + group->first;
	for (pos = first; pos < end; pos++, cell += groups->slots) {
		all = interval_cell(cell, slots);
		bpmu_cell_estimate(&all, time[pos], multiplexed, sum);
	}
}

/*
 * Returns the count of an event on a CPU; sets @running to the TSC ticks for which it was counted.
 */
static u64 group_count(const struct bpmu_cell *cells, const struct bpmu_slots *slots,
		       u64 *running)
{
	u64 count = 0;
	unsigned int i;

	*running = 0;
	for (i = 0; i < slots->nr; i++) {
		count += slots->sign[i] * cells[slots->slot[i]].count;
		*running = cells[slots->slot[i]].running;
	}
	return count;
}

/**
 * bpmu_interval_count() - count of an event in an interval, in one group and on all CPUs
 * @groups: made
 * @g: number of a group that has the event
 * @slots: slots of the event in that group
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs
 *
 * Return: the value that bpmu_interval_add() estimates, without the uncertainty; NAN if the event
 * was not counted.
 */
double bpmu_interval_count(const struct bpmu_groups *groups, unsigned int g,
			   const struct bpmu_slots *slots,
			   const struct bpmu_interval *interval, unsigned int nr_cpus)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	bool multiplexed = bpmu_interval_multiplexed(groups, interval, g);
	const struct bpmu_cell *cell = interval->cell + group->first;
	struct bpmu_estimate sum = { };
	u64 running, count;
	unsigned int pos;

	for (pos = 0; pos < nr_cpus; pos++, cell += groups->slots) {
		count = group_count(cell, slots, &running);
		add_count(count, running, time[pos], multiplexed, &sum);
	}
	return sum.running ? sum.value : NAN;
}

/**
 * struct scales - how to scale the counts of a group on a CPU without one of its batches
 * @factor: first factor of a count, [batch]
 * @divisor: divisor of the product, [batch]
 */
struct scales {
	double factor[BPMU_BATCHES];
	double divisor[BPMU_BATCHES];
};

/*
 * Sets what scales a count as scaled_count() does, if the group ran for @running ticks less those of
 * each of @nr batches of @batch, or of none if it is NULL. Adds these ticks to @left.
 */
static void scales_set(struct scales *scales, const struct bpmu_batch *batch, unsigned int nr,
		       u64 running, u64 enabled, u64 *left)
{
	unsigned int r;
	double ticks;
	u64 ran;

	for (r = 0; r < nr; r++) {
		ran = batch ? running - batch[r].ticks : running;
		left[r] += ran;
		ticks = (long long)ran;
		scales->factor[r] = !ran ? 0 : enabled <= ticks ? 1 : enabled;
		scales->divisor[r] = scales->factor[r] > 1 ? ticks : 1;
	}
}

/* Adds an event's count on a CPU, without each of @nr batches of @batch, scaled, to @counts. */
static void add_without(const struct bpmu_cell *cells, const struct bpmu_slots *slots,
			const struct bpmu_batch *batch, unsigned int batches,
			const struct scales *scales, unsigned int nr, double *counts)
{
	const struct bpmu_batch *slice;
	long long count[BPMU_BATCHES];
	unsigned int i, r;
	u64 running;
	u64 whole;

	whole = group_count(cells, slots, &running);
	for (r = 0; r < nr; r++)
		count[r] = whole;
	for (i = 0; i < slots->nr && batch; i++) {
		slice = batch + slots->slot[i] * batches;
		for (r = 0; r < nr; r++)
			count[r] -= slots->sign[i] * slice[r].count;
	}
	for (r = 0; r < nr; r++)
		counts[r] += count[r] * scales->factor[r] / scales->divisor[r];
}

/**
 * bpmu_interval_counts_without() - counts of an interval without one batch of slices
 * @groups: made
 * @g: number of a multiplexed group
 * @slots: slots of the events in that group, [@nr_events]
 * @nr_events: number of events. A quotient of two events is left out
 * @interval: counts of an interval, with batches
 * @nr_cpus: number of CPUs
 * @sampled: whether the group ran for only a part of the time on a CPU, [@nr_cpus]; on the other
 *	CPUs no batch is left out
 * @first: number of the first batch to leave out
 * @nr: number of batches, at most %BPMU_BATCHES
 * @counts: [@nr_events][@stride], written by this function: at [i][k] what bpmu_interval_count()
 *	returns for event i without batch @first + k of each CPU; a quotient keeps its old number
 * @stride: number of @counts of an event, at least @nr
 */
void bpmu_interval_counts_without(const struct bpmu_groups *groups, unsigned int g,
				  const struct bpmu_slots *slots, unsigned int nr_events,
				  const struct bpmu_interval *interval, unsigned int nr_cpus,
				  const bool *sampled, unsigned int first, unsigned int nr,
				  double *counts, size_t stride)
{
	const struct bpmu_group *group = &groups->group[g];
	const u64 *time = interval->shared[group->sched.bank] ?: interval->enabled;
	const struct bpmu_batch *batch;
	u64 left[BPMU_BATCHES] = { };
	const struct bpmu_cell *cell;
	size_t at = group->first;
	struct scales scales;
	unsigned int pos, e, r;

	for (e = 0; e < nr_events; e++)
		for (r = 0; r < nr && !slots[e].quotient; r++)
			counts[e * stride + r] = 0;
	for (pos = 0; pos < nr_cpus; pos++, at += groups->slots) {
		cell = interval->cell + at;
		batch = sampled[pos] ? interval->batch + at * interval->batches + first : NULL;
		scales_set(&scales, batch, nr, cell->running, time[pos], left);
		for (e = 0; e < nr_events; e++)
			if (!slots[e].quotient)
				add_without(cell, &slots[e], batch, interval->batches, &scales, nr,
					    counts + e * stride);
	}
	for (e = 0; e < nr_events; e++)
		for (r = 0; r < nr && !slots[e].quotient; r++)
			if (!left[r])
				counts[e * stride + r] = NAN;
}

/*
 * Sums the slices on a CPU over all groups that have an event. If the bank was counted for only a
 * part of the time (&bpmu_interval.sampled), the groups may have slices in common. Then only the
 * first group with slices is used.
 */
static struct bpmu_cell gather(const struct bpmu_groups *groups,
			       const struct bpmu_interval *interval,
			       unsigned int pos, const struct bpmu_event_slots *slots)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots;
	struct bpmu_cell sum = { }, cell;
	unsigned int i;

	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && sum.slices); i++) {
		cell = interval_cell(cells + groups->group[slots->group[i]].first,
				     &slots->slots[i]);
		if (sum.slices)
			bpmu_cell_add(&sum, &cell);
		else
			sum = cell;
	}
	return sum;
}

/* Returns only the count that gather() computes; sets @running to the TSC ticks of its slices. */
static u64 gather_count(const struct bpmu_groups *groups,
			const struct bpmu_interval *interval,
			unsigned int pos, const struct bpmu_event_slots *slots, u64 *running)
{
	const struct bpmu_cell *cells = interval->cell + (size_t)pos * groups->slots, *first;
	u64 count = 0, slices = 0, ticks;
	unsigned int i;

	*running = 0;
	for (i = 0; i < slots->nr && !(interval->sampled[0][slots->bank] && slices); i++) {
		first = cells + groups->group[slots->group[i]].first;
		count += group_count(first, &slots->slots[i], &ticks);
		*running += ticks;
		slices += first[slots->slots[i].slot[0]].slices;
	}
	return count;
}

/* Checks if an event was counted for only a part of the time. */
static bool is_sampled(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval,
		       const struct bpmu_event_slots *slots)
{
	return interval->sampled[0][slots->bank] ||
	       ((interval->multiplexed[0][slots->bank] || groups->nr_of[slots->bank] > 1) &&
		!slots->everywhere);
}

/**
 * bpmu_interval_total() - add an event's count in an interval, from all groups with the event
 * @groups: made
 * @interval: counts of an interval
 * @first: position of the first CPU
 * @end: position after the last CPU
 * @slots: slots of the event. They may also be slots of a second event in the groups of the first
 *	one, to count for example unhalted cycles in the slices in which the first was counted
 * @sum: sum over CPUs, zeroed before the first; exact if the event is in all groups of its bank;
 *	missing if a group with the first event lacks the second one
 */
void bpmu_interval_total(const struct bpmu_groups *groups,
			 const struct bpmu_interval *interval,
			 unsigned int first, unsigned int end,
			 const struct bpmu_event_slots *slots, struct bpmu_estimate *sum)
{
	const u64 *time = interval->shared[slots->bank] ?: interval->enabled;
	bool sampled = is_sampled(groups, interval, slots);
	struct bpmu_cell cell;
	unsigned int pos;
	u64 running;

	for (pos = first; pos < end; pos++) {
		if (sampled) {
			cell = gather(groups, interval, pos, slots);
			bpmu_cell_estimate(&cell, time[pos], true, sum);
		} else {
			add_count(gather_count(groups, interval, pos, slots, &running), running,
				  time[pos], false, sum);
		}
	}
}

/**
 * bpmu_interval_raw() - add the raw count of an event on a CPU in an interval
 * @groups: made; the count is from all groups with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @slots: slots of the event
 * @raw: sum over CPUs and intervals, zeroed before the first
 */
void bpmu_interval_raw(const struct bpmu_groups *groups,
		       const struct bpmu_interval *interval, unsigned int pos,
		       const struct bpmu_event_slots *slots, struct bpmu_raw *raw)
{
	u64 enabled = bpmu_interval_time(interval, slots->bank, pos);
	u64 running;

	raw->count += (long long)gather_count(groups, interval, pos, slots, &running);
	raw->enabled += enabled;
	raw->running += is_sampled(groups, interval, slots) ? running : enabled;
}

/**
 * bpmu_interval_estimate() - add an event's count on a CPU in an interval, by the event's name
 * @groups: made; the count is from all groups with the event
 * @interval: counts of an interval
 * @pos: position of the CPU
 * @sum: sum over CPUs, zeroed before the first
 *
 * Each call looks up the slots of the event. bpmu_interval_total() is faster, because its caller
 * has looked them up.
 */
void bpmu_interval_estimate(const struct bpmu_groups *groups,
			    const struct bpmu_interval *interval,
			    unsigned int pos, const struct bpmu_event_spec *spec,
			    struct bpmu_estimate *sum)
{
	struct bpmu_event_slots slots;

	bpmu_groups_event_slots(groups, spec, spec, &slots);
	bpmu_interval_total(groups, interval, pos, pos + 1, &slots, sum);
}

/**
 * bpmu_interval_sum() - sum an event's count in a group over all CPUs of an interval
 * @groups: made
 * @g: number of a group that has the event
 * @interval: counts of an interval
 * @nr_cpus: number of CPUs of the interval
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
 * bpmu_interval_from() - make an interval that lacks the first CPUs of another interval
 * @interval: counts of CPUs of one core type
 * @nr_cpus: number of CPUs to skip
 * @groups: groups counted on these CPUs
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_from(const struct bpmu_interval *interval,
					unsigned int nr_cpus,
					const struct bpmu_groups *groups)
{
	size_t cells = (size_t)nr_cpus * groups->slots;
	struct bpmu_interval behind = *interval;
	unsigned int bank;

	behind.cell += cells;
	if (behind.batch)
		behind.batch += cells * behind.batches;
	behind.enabled += nr_cpus;
	for (bank = 0; bank < BPMU_BANKS; bank++)
		if (behind.shared[bank])
			behind.shared[bank] += nr_cpus;
	if (behind.lost)
		behind.lost += nr_cpus;
	if (behind.spent)
		behind.spent += nr_cpus;
	if (behind.flaws)
		behind.flaws += nr_cpus;
	return behind;
}

/**
 * bpmu_interval_behind() - make an interval of the second core type from an interval of all CPUs
 * @interval: counts of all CPUs
 * @nr_cpus: number of CPUs of the first core type
 * @groups: groups counted on the CPUs of the first core type
 *
 * Return: the interval of the remaining CPUs; valid as long as @interval.
 */
struct bpmu_interval bpmu_interval_behind(const struct bpmu_interval *interval,
					  unsigned int nr_cpus,
					  const struct bpmu_groups *groups)
{
	struct bpmu_interval behind = bpmu_interval_from(interval, nr_cpus, groups);

	memcpy(behind.multiplexed[0], interval->multiplexed[1], sizeof(behind.multiplexed[0]));
	memcpy(behind.sampled[0], interval->sampled[1], sizeof(behind.sampled[0]));
	return behind;
}
