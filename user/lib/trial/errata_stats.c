// SPDX-License-Identifier: GPL-2.0
#include "errata_stats.h"

/**
 * bpmu_deviation_add() - add a trial's deviation to the statistics of an errata test
 * @deviation: statistics of the test, zeroed before the first call
 * @difference: the trial's count minus the expected count
 * @base: what the deviation is relative to, such as the expected count
 */
void bpmu_deviation_add(struct bpmu_deviation *deviation, double difference,
			double base)
{
	deviation->trials++;
	deviation->above += difference > 0;
	deviation->below += difference < 0;
	deviation->sum += difference;
	deviation->base += base;
}

/*
 * Returns the probability of at least @k heads in @n tosses of a fair coin. The sum begins with its
 * smallest term, 2^-@n, which is too small for a double if @n is ten thousand.
 */
static double errata_stats_tail(unsigned int n, unsigned int k)
{
	long double term = 1;
	long double sum = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		term /= 2;
	for (i = n; i >= k && i; i--) {
		sum += term;
		term *= i;
		term /= n - i + 1;
	}
	return k ? sum : 1;
}

/**
 * bpmu_deviation_p() - p-value of the deviations of an errata test: statistics of a sign test
 * @deviation: deviations of all trials of this test
 * @tests: number of tests of the errata check, including this one
 *
 * The p-value of the two-sided sign test is multiplied by @tests (Bonferroni). A trial without a
 * deviation counts for the null hypothesis. A few disturbed trials are therefore not significant,
 * even if all of them deviate in the same direction.
 *
 * Return: p-value, at most 1.
 */
double bpmu_deviation_p(const struct bpmu_deviation *deviation,
			unsigned int tests)
{
	unsigned int most = deviation->above > deviation->below ?
			    deviation->above : deviation->below;
	double p;

	p = 2 * tests * errata_stats_tail(deviation->trials, most);
	return p < 1 ? p : 1;
}

/**
 * bpmu_deviation_sure() - statistics of an errata test: check if the deviations are significant
 * @deviation: deviations of all trials of this test
 * @tests: number of tests of the errata check, including this one
 *
 * Return: true if the p-value is below BPMU_ERRATA_P.
 */
bool bpmu_deviation_sure(const struct bpmu_deviation *deviation,
			 unsigned int tests)
{
	return bpmu_deviation_p(deviation, tests) < BPMU_ERRATA_P;
}

/**
 * bpmu_deviation_trials() - statistics of an errata test: least number of trials to be significant
 * @tests: number of tests of the errata check
 *
 * Return: number of trials per test. With fewer trials the deviations would not be significant,
 * even if all trials deviated in the same direction.
 */
unsigned int bpmu_deviation_trials(unsigned int tests)
{
	struct bpmu_deviation all = { };

	do
		bpmu_deviation_add(&all, 1, 1);
	while (!bpmu_deviation_sure(&all, tests));
	return all.trials;
}
