// SPDX-License-Identifier: GPL-2.0
#include "share.h"

#include <math.h>

#include "spread.h"

/**
 * bpmu_weights_add() - add a sample to sums over weighted samples, from which shares are computed
 * @weights: sums over the samples so far, zeroed before the first sample
 * @weight: weight of the sample, such as the number of events that it stands for
 */
void bpmu_weights_add(struct bpmu_weights *weights, double weight)
{
	weights->sum += weight;
	weights->squares += weight * weight;
}

/**
 * bpmu_weights_join() - add sums of weighted samples, for shares, to sums of other weighted samples
 * @weights: sums to which @others are added
 * @others: sums over other samples
 */
void bpmu_weights_join(struct bpmu_weights *weights, const struct bpmu_weights *others)
{
	weights->sum += others->sum;
	weights->squares += others->squares;
}

/**
 * bpmu_share_of() - estimate the share of some weighted samples among all
 * @part: the samples whose share is computed, a subset of @all
 * @all: all samples
 *
 * The share p is the sum of the weights of @part divided by that of @all. Its confidence interval
 * is the one that E. B. Wilson (Journal of the American Statistical Association 22, 1927) gives for
 * a binomial proportion,
 *
 *	(p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)
 *
 * with z = 1.96. The interval is valid for small shares, too. n is the effective number of samples:
 * the square of the sum of the weights divided by the sum of the squares of the weights (L. Kish,
 * Survey Sampling, 1965, section 11.7). With equal weights n is the number of samples. Samples are
 * taken to be independent of one another.
 *
 * Return: the share; 0, with an interval from 0 to 1, if there are no samples.
 */
struct bpmu_share bpmu_share_of(const struct bpmu_weights *part, const struct bpmu_weights *all)
{
	/* Student's t with infinite freedom is the quantile of the normal distribution. */
	const double z = bpmu_student(INFINITY), z2 = z * z;
	double n, p, middle, half;

	if (all->sum <= 0)
		return (struct bpmu_share){ .high = 1 };
	n = all->sum * all->sum / all->squares;
	p = part->sum / all->sum;
	middle = p + z2 / (2 * n);
	half = z * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
	return (struct bpmu_share){
		.share = p,
		.low = (middle - half) / (1 + z2 / n),
		.high = (middle + half) / (1 + z2 / n),
	};
}

/*
 * Returns the p-value of the hypothesis that the shares of @part[0] in @all[0] and of @part[1] in
 * @all[1] are equal, by a z-test with pooled variance.
 */
static double share_equal_p(const struct bpmu_weights part[2], const struct bpmu_weights all[2])
{
	double n[2], pooled, variance, off;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (all[i].sum <= 0)
			return 1;
		n[i] = all[i].sum * all[i].sum / all[i].squares;
	}
	pooled = (n[0] * part[0].sum / all[0].sum + n[1] * part[1].sum / all[1].sum) /
		 (n[0] + n[1]);
	variance = pooled * (1 - pooled) * (1 / n[0] + 1 / n[1]);
	off = part[1].sum / all[1].sum - part[0].sum / all[0].sum;
	return variance > 0 ? erfc(fabs(off) / sqrt(2 * variance)) : 1;
}

/**
 * bpmu_share_change_of() - estimate the change from one share to another one, with its p-value
 * @part: samples whose share is computed, before the change [0] and after it [1]; subsets of @all
 * @all: all samples before the change [0] and after it [1], independent of one another
 *
 * The confidence interval of the difference is computed from the intervals of both shares, as by R.
 * G. Newcombe (Statistics in Medicine 17, 1998, pages 873 to 890, method 10). The p-value comes
 * from a z-test with pooled variance.
 *
 * Return: the change; with a p-value of 1 if there are no samples before or after.
 */
struct bpmu_share_change bpmu_share_change_of(const struct bpmu_weights part[2],
					      const struct bpmu_weights all[2])
{
	const struct bpmu_share a = bpmu_share_of(&part[0], &all[0]);
	const struct bpmu_share b = bpmu_share_of(&part[1], &all[1]);
	double off = b.share - a.share;

	return (struct bpmu_share_change){
		.before = a, .after = b,
		.low = off - hypot(b.share - b.low, a.high - a.share),
		.high = off + hypot(b.high - b.share, a.share - a.low),
		.p = share_equal_p(part, all),
	};
}
