// SPDX-License-Identifier: GPL-2.0
#include "share.h"

#include <math.h>

#include "spread.h"

/**
 * bpmu_weights_add() - add a sample to the weighted samples of a share
 * @weights: zeroed before the first one
 * @weight: weight of the sample, such as the number of events that it stands for
 */
void bpmu_weights_add(struct bpmu_weights *weights, double weight)
{
	weights->sum += weight;
	weights->squares += weight * weight;
}

/**
 * bpmu_weights_join() - add all weighted samples of another share to those of a share
 */
void bpmu_weights_join(struct bpmu_weights *weights, const struct bpmu_weights *others)
{
	weights->sum += others->sum;
	weights->squares += others->squares;
}

/**
 * bpmu_share_of() - estimate the share of some weighted samples among all
 * @part: the samples whose share is computed, some of @all
 * @all: all samples
 *
 * The share p is the sum of the weights of @part divided by that of @all. Its interval is the one
 * that E. B. Wilson (Journal of the American Statistical Association 22, 1927) gives for a binomial
 * proportion,
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
