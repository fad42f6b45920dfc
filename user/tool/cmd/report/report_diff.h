/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds and prints how values have changed between two recordings, and which changes are
 * significant.
 */
#ifndef BPMU_REPORT_DIFF_H
#define BPMU_REPORT_DIFF_H

#include <linux/types.h>

#include "arch.h"
#include "base/error.h"
#include "report_sums.h"

/**
 * struct bpmu_change - how an event or metric differs between two recordings
 * @before: mean and variance over the intervals of the first recording
 * @after: mean and variance over the intervals of the second recording
 * @half: half-width of the 95 % interval of the difference of the means
 * @p: p-value of Welch's test; above 1 if there are too few values
 * @significant: true if the difference is significant: by Holm's procedure, at a level of 5 % for
 *	all differences together
 */
struct bpmu_change {
	const struct bpmu_sum *before;
	const struct bpmu_sum *after;
	double half;
	double p;
	bool significant;
};

double bpmu_diff_interval_us(const double seconds[2], u64 least_ns);
void bpmu_diff_change(struct bpmu_change *change, const struct bpmu_sum *before,
		      const struct bpmu_sum *after);
bool bpmu_diff_is_significant(double p, unsigned int rank, unsigned int nr);
void bpmu_diff_judge(struct bpmu_change *change, unsigned int nr);
int bpmu_diff_print(FILE *out, enum bpmu_format format, const char *separator,
		    const struct bpmu_sums *before,
		    const struct bpmu_sums *after, struct bpmu_error *err);

#endif /* BPMU_REPORT_DIFF_H */
