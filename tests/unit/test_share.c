// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the confidence interval of a share of samples. The expected intervals are from the
 * literature. Samples of unequal weight count as fewer samples of equal weight.
 */
#include <math.h>

#include "count/share.h"
#include "unit.h"

/*
 * Returns the share of @part samples in @all samples, with its confidence interval. All samples
 * have the weight @weight.
 */
static struct bpmu_share share_of(unsigned int part, unsigned int all, double weight)
{
	struct bpmu_weights one = { }, both = { };
	unsigned int i;

	for (i = 0; i < all; i++) {
		bpmu_weights_add(&both, weight);
		if (i < part)
			bpmu_weights_add(&one, weight);
	}
	return bpmu_share_of(&one, &both);
}

static void expect(struct bpmu_share share, double p, double low, double high)
{
	assert_true(fabs(share.share - p) < 0.00005);
	assert_true(fabs(share.low - low) < 0.00005);
	assert_true(fabs(share.high - high) < 0.00005);
}

/*
 * Source of the expected confidence intervals: R. G. Newcombe, Statistics in Medicine 17 (1998),
 * table I, method 3, Wilson's score interval without a correction for continuity.
 */
TEST(the_interval_is_wilsons)
{
	expect(share_of(81, 263, 1), 0.3080, 0.2553, 0.3662);
	expect(share_of(15, 148, 1), 0.1014, 0.0624, 0.1605);
	expect(share_of(0, 20, 1), 0, 0, 0.1611);
	expect(share_of(1, 29, 1), 0.0345, 0.0061, 0.1718);
}

TEST(a_common_weight_changes_nothing)
{
	expect(share_of(81, 263, 20011), 0.3080, 0.2553, 0.3662);
}

/*
 * One sample of weight 3 and nine samples of weight 1 count as 12^2 / (9 + 9) = 8 samples of equal
 * weight.
 */
TEST(unequal_weights_are_fewer_samples)
{
	struct bpmu_weights part = { }, all = { };
	struct bpmu_share found, eight = share_of(2, 8, 1);
	unsigned int i;

	bpmu_weights_add(&part, 3);
	bpmu_weights_add(&all, 3);
	for (i = 0; i < 9; i++)
		bpmu_weights_add(&all, 1);
	found = bpmu_share_of(&part, &all);
	expect(found, eight.share, eight.low, eight.high);
}

/* Number of functions of a program, and of samples of a run of it; mean period of the samples */
#define FUNCTIONS 8
#define SAMPLES 400
#define PERIOD 1000

static uint64_t below(uint64_t *state, uint64_t nr)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state >> 32) * nr >> 32;
}

/*
 * Runs a program that calls functions in random order, the i-th one for (i + 1) * @length events,
 * and samples it at the end of each period. Periods differ from their mean by up to 1 / 16, as the
 * module's do. Returns how many of the functions have an interval that holds their true share.
 */
static unsigned int hold(uint64_t *state, unsigned int length)
{
	struct bpmu_weights part[FUNCTIONS] = { }, all = { };
	uint64_t events[FUNCTIONS] = { 0 }, total = 0, begun = 0, next = PERIOD;
	unsigned int i, samples = 0, held = 0;

	while (samples < SAMPLES) {
		i = below(state, FUNCTIONS);
		events[i] += (i + 1) * length;
		total += (i + 1) * length;
		for (; next <= total && samples < SAMPLES; samples++) {
			bpmu_weights_add(&part[i], next - begun);
			bpmu_weights_add(&all, next - begun);
			begun = next;
			next += PERIOD - PERIOD / 16 + below(state, PERIOD / 8 + 1);
		}
	}
	for (i = 0; i < FUNCTIONS; i++) {
		struct bpmu_share share = bpmu_share_of(&part[i], &all);
		double exact = (double)events[i] / total;

		held += share.low <= exact && exact <= share.high;
	}
	return held;
}

static double coverage(unsigned int length)
{
	const unsigned int runs = 2000;
	uint64_t state = 88172645463325252;
	unsigned int i, held = 0;

	for (i = 0; i < runs; i++)
		held += hold(&state, length);
	return (double)held / (runs * FUNCTIONS);
}

/*
 * The functions take 1/250 to 1/31 of a period, or 1/50 to 1/6. The 16000 intervals of each hold
 * the true share in 95.4 and 96.4 % of the cases: what the samples leave to chance is a little less
 * than what the formula takes it to be. Functions of several periods have shares that are more
 * exact than their intervals.
 */
TEST(intervals_hold_the_shares_of_functions_that_are_called_at_random)
{
	double brief = coverage(4), usual = coverage(20);

	assert_true(brief > 0.93 && brief < 0.97);
	assert_true(usual > 0.93 && usual < 0.97);
	assert_true(coverage(1000) > 0.97);
}

TEST(nothing_says_nothing)
{
	const struct bpmu_weights none = { };
	struct bpmu_share share = bpmu_share_of(&none, &none);

	expect(share, 0, 0, 1);
}

/*
 * Before a change @before of @of_before samples belong to a share. After the change @after of
 * @of_after samples belong to it. Returns the change of the share, with its confidence interval.
 */
static struct bpmu_share_change change(unsigned int before, unsigned int of_before,
				       unsigned int after, unsigned int of_after)
{
	const struct bpmu_weights part[2] = { { before, before }, { after, after } };
	const struct bpmu_weights all[2] = {
		{ of_before, of_before }, { of_after, of_after },
	};

	return bpmu_share_change_of(part, all);
}

static void expect_change(struct bpmu_share_change found, double low, double high)
{
	assert_true(fabs(found.low - low) < 0.00005);
	assert_true(fabs(found.high - high) < 0.00005);
}

/*
 * Source of the expected confidence intervals: R. G. Newcombe, Statistics in Medicine 17 (1998),
 * pages 873 to 890, table II, method 10.
 */
TEST(the_interval_of_a_difference_is_newcombes)
{
	expect_change(change(48, 80, 56, 70), 0.0524, 0.3339);
	expect_change(change(3, 10, 9, 10), 0.1705, 0.8090);
	expect_change(change(0, 29, 5, 56), -0.0381, 0.1926);
	expect_change(change(0, 20, 0, 10), -0.1611, 0.2775);
	expect_change(change(0, 10, 10, 10), 0.6075, 1);
}

/*
 * The samples in the share and those outside of it, before and after the change, are a table of two
 * rows and two columns. The p value of the change is that of the chi-squared test of this table.
 */
TEST(the_p_value_is_that_of_chi_squared)
{
	const double rounding = ldexp(1, -40);
	double chi2 = 150 * pow(48 * 14 - 32 * 56, 2) / (80.0 * 70 * 104 * 46);

	assert_true(fabs(change(48, 80, 56, 70).p - erfc(sqrt(chi2 / 2))) < rounding);
	assert_true(change(48, 80, 56, 70).p < 0.0085 && change(48, 80, 56, 70).p > 0.0080);
	assert_true(change(0, 20, 0, 10).p == 1);
	assert_true(change(0, 0, 5, 10).p == 1);
}
