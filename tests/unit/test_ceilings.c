// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the option --ceilings, which measures the maximum rates of this CPU. A rate is the work
 * of a loop divided by the loop's time. Each loop really does its work, but a fake clock determines
 * the time.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "trial/ceilings.h"
#include "unit.h"

#define MS 1000000ULL

/*
 * The faked clocks in ns: @now is the elapsed time, and @ran is the CPU time of the thread. The
 * measurement reads both clocks before each run of a loop and after it. Run number i takes
 * @lasts[i] ms. For @waits[i] ms of this time it waits for the CPU.
 */
static u64 now, ran;
static const unsigned int *lasts, *waits;
static unsigned int calls;
static const unsigned int never[8];

u64 __wrap_bpmu_clock_ns(clockid_t id);

u64 __wrap_bpmu_clock_ns(clockid_t id)
{
	unsigned int i = (calls / 4 + 1) % 8;

	if (calls++ % 4 == 2) {
		now += lasts[i] * MS;
		ran += (lasts[i] - waits[i]) * MS;
	}
	return id == CLOCK_THREAD_CPUTIME_ID ? ran : now;
}

static u32 this_cpu(void)
{
	return sched_getcpu();
}

/*
 * The measurement must restore the affinity of the process. This test must be the first one. If an
 * earlier measurement did not restore the affinity, the process could use only one CPU, and this
 * test could not fail.
 */
TEST(restores_the_affinity)
{
	static const unsigned int same[8] = { 20, 20, 20, 20, 20, 20, 20, 20 };
	u32 cpu = this_cpu(), none = 8000;
	const struct bpmu_cpulist cpus = { &cpu, 1 }, absent = { &none, 1 };
	struct bpmu_ceilings ceilings;
	cpu_set_t before, after;
	struct bpmu_error err;

	lasts = same;
	waits = never;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	assert_int_not_equal(bpmu_ceilings_measure(&absent, &ceilings, &err), 0);
	assert_non_null(strstr(err.text, "--ceilings: cannot run on CPU 8000: "));
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
}

/*
 * A run of a loop takes 20 ms, long enough that the loop's number of iterations need not be
 * calibrated.
 */
TEST(rates_follow_from_work_and_time)
{
	static const unsigned int same[8] = { 20, 20, 20, 20, 20, 20, 20, 20 };
	u32 cpu = this_cpu();
	const struct bpmu_cpulist cpus = { &cpu, 1 };
	struct bpmu_ceilings ceilings;
	struct bpmu_error err;
	double operations = 24;

	lasts = same;
	waits = never;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), 0);
	/*
	 * An iteration of the loop has 127 nops, a decrement and a branch. The decrement and the
	 * branch fuse to one uop. A run takes 20 ms, so 50 runs fit in a second.
	 */
	assert_true(ceilings.uops == 128 * 50);
	/*
	 * An iteration of the loop has twelve instructions with the widest vectors that this CPU
	 * has.
	 */
	if (__builtin_cpu_supports("avx"))
		operations = 48;
	if (__builtin_cpu_supports("fma"))
		operations = 96;
	if (__builtin_cpu_supports("avx512f"))
		operations = 192;
	assert_true(ceilings.flops == operations * 50);
	/*
	 * Each run reads a buffer once. The buffer has at least 4 MiB. Its size is a multiple of 2
	 * MiB, the size of a huge page.
	 */
	assert_true(ceilings.bytes >= 50.0 * (4 << 20));
	assert_true((u64)(ceilings.bytes / 50) % (2 << 20) == 0);
}

/*
 * The first run takes 40 ms, long enough that the number of iterations is not raised. Of the first
 * five runs the shortest, 25 ms, yields the rate.
 */
TEST(the_best_of_five_runs_counts)
{
	static const unsigned int runs[8] = { 40, 80, 80, 80, 25, 80, 80, 80 };
	u32 cpu = this_cpu();
	const struct bpmu_cpulist cpus = { &cpu, 1 };
	struct bpmu_ceilings ceilings;
	struct bpmu_error err;

	lasts = runs;
	waits = never;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), 0);
	assert_true(ceilings.uops == 128 * 1000 / 25.0);
}

/*
 * The first run writes the memory, and six more runs read it. The eighth run is the first run of
 * the nops; its time is element 0 of delayed[]. This run waits for the CPU during its whole time,
 * so it has no CPU time. The number of iterations is therefore doubled, and the next run has enough
 * CPU time.
 */
TEST(a_delayed_round_does_not_end_the_calibration)
{
	static const unsigned int same[8] = { 20, 20, 20, 20, 20, 20, 20, 20 };
	static const unsigned int delayed[8] = { 20 };
	u32 cpu = this_cpu();
	const struct bpmu_cpulist cpus = { &cpu, 1 };
	struct bpmu_ceilings ceilings;
	struct bpmu_error err;

	lasts = same;
	waits = delayed;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), 0);
	assert_true(ceilings.uops == 128 * 2 * 50);
}

/*
 * The best run of a loop may wait for the CPU for 1 ms of 21 ms. If it waits for 2 ms of 22 ms, the
 * measurement was disturbed too much, and no ceiling is given.
 */
TEST(disturbed_ceilings_are_left_out)
{
	static const unsigned int little[8] = { 21, 21, 21, 21, 21, 21, 21, 21 };
	static const unsigned int much[8] = { 22, 22, 22, 22, 22, 22, 22, 22 };
	static const unsigned int one[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	static const unsigned int two[8] = { 2, 2, 2, 2, 2, 2, 2, 2 };
	static const unsigned int nops[8] = { 22, 23, 23, 23, 23, 23, 23, 23 };
	static const unsigned int but_reads[8] = { 2 };
	u32 cpu = this_cpu();
	const struct bpmu_cpulist cpus = { &cpu, 1 };
	struct bpmu_ceilings ceilings;
	struct bpmu_error err;

	lasts = little;
	waits = one;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), 0);
	assert_true(ceilings.bytes > 0 && ceilings.uops > 0 && ceilings.flops > 0);
	lasts = much;
	waits = two;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), -EBUSY);
	assert_string_equal(err.text,
			    "--ceilings: other programs had the CPUs for 9 % of the best run of memory reads: the ceilings would be too low and are left out; record on an idle machine");
	assert_true(ceilings.bytes == 0 && ceilings.uops == 0 && ceilings.flops == 0);
	/*
	 * The best run of the nops does not wait for the CPU, but each run that reads memory does.
	 */
	lasts = nops;
	waits = but_reads;
	calls = 0;
	assert_int_equal(bpmu_ceilings_measure(&cpus, &ceilings, &err), -EBUSY);
	assert_non_null(strstr(err.text, " 9 % of the best run of uops: "));
	assert_true(ceilings.bytes == 0);
}
