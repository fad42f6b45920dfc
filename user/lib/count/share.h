/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Estimates of the share of some weighted samples among all samples, with confidence intervals.
 */
#ifndef BPMU_SHARE_H
#define BPMU_SHARE_H

/**
 * struct bpmu_weights - sums over weighted samples
 * @sum: sum of the samples' weights
 * @squares: sum of the squares of the samples' weights
 */
struct bpmu_weights {
	double sum;
	double squares;
};

/**
 * struct bpmu_share - a share with its 95 % confidence interval
 * @share: the share, 0 to 1
 * @low: lower end of the confidence interval
 * @high: upper end of the confidence interval
 */
struct bpmu_share {
	double share;
	double low;
	double high;
};

/**
 * struct bpmu_share_change - two shares, of different samples, and the change from one to the other
 * @before: the first share
 * @after: the second share
 * @low: lower end of the 95 % confidence interval of @after minus @before
 * @high: upper end of this confidence interval
 * @p: two-sided p-value of the hypothesis that the shares are equal
 */
struct bpmu_share_change {
	struct bpmu_share before;
	struct bpmu_share after;
	double low;
	double high;
	double p;
};

void bpmu_weights_add(struct bpmu_weights *weights, double weight);
void bpmu_weights_join(struct bpmu_weights *weights, const struct bpmu_weights *others);
struct bpmu_share bpmu_share_of(const struct bpmu_weights *part, const struct bpmu_weights *all);
struct bpmu_share_change bpmu_share_change_of(const struct bpmu_weights part[2],
					      const struct bpmu_weights all[2]);

#endif /* BPMU_SHARE_H */
