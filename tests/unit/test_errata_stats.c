// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the statistics of "barepmu errata check": an erratum is reported as present only if
 * chance alone would hardly cause the deviations. Expected probabilities are those of the binomial
 * distribution, computed by hand.
 */

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "trial/errata_interrupts.h"
#include "trial/errata_stats.h"
#include "event/prefetchers.h"
#include "unit.h"

static struct bpmu_deviation of(unsigned int above, unsigned int below,
				unsigned int none)
{
	struct bpmu_deviation deviation = { };

	while (above--)
		bpmu_deviation_add(&deviation, 2, 10);
	while (below--)
		bpmu_deviation_add(&deviation, -1, 10);
	while (none--)
		bpmu_deviation_add(&deviation, 0, 10);
	return deviation;
}

static void expect_p(unsigned int above, unsigned int below, unsigned int none,
		     unsigned int tests, double p)
{
	const struct bpmu_deviation deviation = of(above, below, none);
	double found = bpmu_deviation_p(&deviation, tests);

	if (found < 0.999999 * p || found > 1.000001 * p)
		fail_msg("%u above, %u below, %u without: %g, not %g", above,
			 below, none, found, p);
}

TEST(deviations_are_counted_and_summed)
{
	const struct bpmu_deviation deviation = of(3, 2, 5);

	assert_int_equal(deviation.trials, 10);
	assert_int_equal(deviation.above, 3);
	assert_int_equal(deviation.below, 2);
	assert_true(deviation.sum == 4);
	assert_true(deviation.base == 100);
}

/*
 * p is the probability that chance alone causes deviations that are at least as one-sided: the
 * two-sided tail of the binomial distribution, multiplied by the number of tests. Expected values
 * are computed by hand.
 */
TEST(p_is_the_tail_of_the_binomial_distribution)
{
	expect_p(10, 0, 0, 1, 2.0 / 1024);
	expect_p(0, 10, 0, 1, 2.0 / 1024);
	expect_p(9, 1, 0, 1, 22.0 / 1024);
	expect_p(9, 0, 1, 1, 22.0 / 1024);
	expect_p(8, 1, 1, 1, 112.0 / 1024);
	expect_p(10, 0, 0, 7, 14.0 / 1024);
}

TEST(p_is_at_most_1)
{
	expect_p(5, 5, 0, 1, 1);
	expect_p(0, 0, 32, 1, 1);
	expect_p(0, 0, 0, 1, 1);
	expect_p(8, 0, 0, 1000, 1);
}

TEST(ten_thousand_trials_do_not_overflow)
{
	const struct bpmu_deviation all = of(10000, 0, 0);
	const struct bpmu_deviation half = of(5000, 5000, 0);

	assert_true(bpmu_deviation_sure(&all, 100));
	assert_false(bpmu_deviation_sure(&half, 1));
}

TEST(a_deviation_in_half_of_the_trials_is_not_certain)
{
	const struct bpmu_deviation now_and_then = of(16, 0, 16);
	const struct bpmu_deviation nearly_always = of(30, 0, 2);

	assert_false(bpmu_deviation_sure(&now_and_then, 1));
	assert_true(bpmu_deviation_sure(&nearly_always, 50));
}

/*
 * If each of 50 tests is repeated n times, the smallest possible p is 2 * 50 / 2^n. It is below
 * 1e-4 from n = 20 on.
 */
TEST(tests_need_a_minimum_number_of_trials)
{
	assert_int_equal(bpmu_deviation_trials(50), 20);
	assert_int_equal(bpmu_deviation_trials(1), 15);
}

static const char table[] =
	"           CPU0       CPU2\n"
	"   4:        100          7   IO-APIC    4-edge      ttyS0\n"
	"  24:          3          0   PCI-MSI 16384-edge      virtio1-config\n"
	" LOC:       5000       6000   Local timer interrupts\n"
	" ERR:         17\n"
	" MIS:         19\n";

/* Returns the sum of a CPU's interrupts in a table, and closes the file. */
static u64 sum_in(FILE *file, u32 cpu)
{
	u64 sum;

	assert_non_null(file);
	sum = bpmu_interrupts_sum(file, cpu);
	fclose(file);
	return sum;
}

static u64 sum_of(u32 cpu)
{
	return sum_in(fmemopen((void *)table, strlen(table), "r"), cpu);
}

TEST(interrupts_of_a_cpu_are_summed)
{
	assert_int_equal(sum_of(0), 5103);
	assert_int_equal(sum_of(2), 6007);
	assert_int_equal(sum_of(1), 0);
}

static u64 sum_now(u32 cpu)
{
	return sum_in(fopen("/proc/interrupts", "re"), cpu);
}

/* The numbers of this machine only grow. */
TEST(interrupts_so_far_are_those_of_this_machine)
{
	u32 cpu = sched_getcpu();
	u64 before = sum_now(cpu), now = bpmu_interrupts_now(cpu);

	assert_true(now > 0);
	assert_in_range(now, before, sum_now(cpu));
	assert_int_equal(bpmu_interrupts_now(~0u), 0);
}

#define NEITHER "is neither on, off nor a number; bit 0 is the L2 stream, 1 the L2 adjacent line, " \
	"2 the L1 next line, 3 the L1 by instruction"

TEST(parses_the_prefetchers)
{
	static const struct {
		const char *text;
		u32 legal;
		int code;
		u32 off;
		const char *says;
	} cases[] = {
		{ "on", 0xf, 0, 0 },
		{ "off", 0xf, 0, 0xf },
		{ "off", 0x3, 0, 0x3 },
		{ "0xc", 0xf, 0, 0xc },
		{ "12", 0xf, 0, 0xc },
		{ "0", 0xf, 0, 0 },
		{ "15", 0xf, 0, 0xf },
		{ "0x10", 0xf, -EINVAL, 0, "0x10 has bits that switch none; 0xf are all there are" },
		{ "0xf", 0x5, -EINVAL, 0, "0xf has bits that switch none; 0x5 are all there are" },
		{ "0xfffffffe", 0xf, -EINVAL, 0,
		  "0xfffffffe has bits that switch none; 0xf are all there are" },
		{ "-1", 0xf, -EINVAL, 0, "'-1' " NEITHER },
		{ "", 0xf, -EINVAL, 0, "'' " NEITHER },
		{ "3x", 0xf, -EINVAL, 0, "'3x' " NEITHER },
		{ "maybe", 0xf, -EINVAL, 0, "'maybe' " NEITHER },
		{ "0xffffffff", 0xf, -EINVAL, 0, "'0xffffffff' " NEITHER },
		{ "0x10000000f", 0xf, -EINVAL, 0, "'0x10000000f' " NEITHER },
		{ "on", 0, -EINVAL, 0, "cannot be switched on this CPU model; drop the option" },
	};
	struct bpmu_error err;
	unsigned int i;
	int code;
	u32 off;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		code = bpmu_prefetchers_parse(cases[i].text, &off, &err);
		if (!code)
			code = bpmu_prefetchers_check(cases[i].legal, &off,
						      &err);
		if (code != cases[i].code || (!code && off != cases[i].off))
			fail_msg("'%s' is read as 0x%x", cases[i].text, off);
		if (!code)
			continue;
		assert_int_equal(strncmp(err.text, "--prefetchers: ", 15), 0);
		assert_string_equal(err.text + 15, cases[i].says);
	}
}
