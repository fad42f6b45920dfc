/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sign test for a systematic deviation of a count from its expected value, by the number of trials
 * in which the count was too high, and of those in which it was too low.
 */
#ifndef BPMU_ERRATA_STATS_H
#define BPMU_ERRATA_STATS_H

#include <stdbool.h>

/* Probability with which any test of an errata check may report an erratum that does not exist */
#define BPMU_ERRATA_P 0.0001

/**
 * struct bpmu_deviation - deviations of a count over trials
 * @trials: number of trials
 * @above: number of trials that counted too much
 * @below: number of trials that counted too little
 * @sum: sum of the deviations
 * @base: sum of the values by which the deviations are divided
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
