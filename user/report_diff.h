/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two recordings by more than chance.
 */
#ifndef BPMU_REPORT_DIFF_H
#define BPMU_REPORT_DIFF_H

#include <linux/types.h>

#include "arch.h"
#include "error.h"
#include "report_sums.h"

/**
 * struct bpmu_change - of one name in one place
 * @before: values of the first recording
 * @after: values of the second one
 * @half: half of the 95 % interval of the difference of the means
 * @significant: it does not hold 0
 * @size: difference over its half interval: what the changes are sorted by
 */
struct bpmu_change {
	const struct bpmu_sum *before;
	const struct bpmu_sum *after;
	double half;
	bool significant;
	double size;
};

double bpmu_diff_interval_us(const double seconds[2], u64 least_ns);
void bpmu_diff_change(struct bpmu_change *change, const struct bpmu_sum *before,
		      const struct bpmu_sum *after);
int bpmu_diff_print(FILE *out, enum bpmu_format format, const char *separator,
		    const struct bpmu_sums *before,
		    const struct bpmu_sums *after, struct bpmu_error *err);

#endif /* BPMU_REPORT_DIFF_H */
