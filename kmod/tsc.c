// SPDX-License-Identifier: GPL-2.0
#include "tsc.h"

#include <linux/cache.h>
#include <linux/ktime.h>
#include <linux/math64.h>

/* ticks to add to the TSC; changed only while nothing samples */
u64 bpmu_tsc_shift __read_mostly;

/* time and CLOCK_MONOTONIC, in nanoseconds, at which the machine went to sleep */
static u64 asleep_tsc;
static u64 asleep_ns;

/**
 * bpmu_tsc_begin() - the time of a new session is the TSC itself
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_begin(void)
{
	bpmu_tsc_shift = 0;
}

/**
 * bpmu_tsc_sleep() - the machine is about to sleep
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_sleep(void)
{
	asleep_tsc = bpmu_tsc();
	asleep_ns = ktime_get_ns();
}

/**
 * bpmu_tsc_wake() - it is awake: time goes on from bpmu_tsc_sleep()
 *
 * In S3 most parts' TSC begins anew, some parts' goes on; CLOCK_MONOTONIC, by
 * which samples are due, stands still.
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_wake(void)
{
	u64 ns = ktime_get_ns() - asleep_ns;

	bpmu_tsc_shift = asleep_tsc - rdtsc_ordered() +
			 mul_u64_u32_div(ns, tsc_khz, USEC_PER_SEC);
}
