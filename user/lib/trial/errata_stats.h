/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistical test (sign test) for whether a count deviates systematically from the expected count.
 * It compares the number of trials that counted too much with the number that counted too little.
 */
#ifndef BPMU_ERRATA_STATS_H
#define BPMU_ERRATA_STATS_H

#include <stdbool.h>

/* probability that the tests together report an erratum on a CPU that has no errata */
#define BPMU_ERRATA_P 0.0001

/**
 * struct bpmu_deviation - how a count deviates from the expected count in a number of trials
 * @trials: number of trials
 * @above: number of trials that counted too much
 * @below: number of trials that counted too little
 * @sum: sum of the deviations of all trials
 * @base: sum over all trials of the number to which a trial's deviation is relative, such as the
 *	expected count. @sum / @base is the mean relative deviation
 */
struct bpmu_deviation {
	unsigned int trials;
	unsigned int above;
	unsigned int below;
	double sum;
	double base;
};

void bpmu_deviation_add(struct bpmu_deviation *deviation, double difference,
			double base);
double bpmu_deviation_p(const struct bpmu_deviation *deviation,
			unsigned int tests);
bool bpmu_deviation_sure(const struct bpmu_deviation *deviation,
			 unsigned int tests);
unsigned int bpmu_deviation_trials(unsigned int tests);

#endif /* BPMU_ERRATA_STATS_H */
