// SPDX-License-Identifier: GPL-2.0
#include "tsc.h"

#include <linux/cache.h>
#include <linux/ktime.h>
#include <linux/math64.h>

/* ticks added to the TSC; changed only while no CPU samples */
u64 bpmu_tsc_shift __read_mostly;

/* time and CLOCK_MONOTONIC, in nanoseconds, at which the machine went to sleep */
static u64 asleep_tsc;
static u64 asleep_ns;

/**
 * bpmu_tsc_begin() - set the time of a new session to the TSC itself
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_begin(void)
{
	bpmu_tsc_shift = 0;
}

/**
 * bpmu_tsc_sleep() - note the time at which the machine goes to sleep
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_sleep(void)
{
	asleep_tsc = bpmu_tsc();
	asleep_ns = ktime_get_ns();
}

/**
 * bpmu_tsc_wake() - the machine is awake: let time continue from bpmu_tsc_sleep()
 *
 * During S3 the TSC of most parts is reset, that of some continues; CLOCK_MONOTONIC,
 * by which samples are due, stops.
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_wake(void)
{
	u64 ns = ktime_get_ns() - asleep_ns;

	bpmu_tsc_shift = asleep_tsc - rdtsc_ordered() +
			 mul_u64_u32_div(ns, tsc_khz, USEC_PER_SEC);
}
