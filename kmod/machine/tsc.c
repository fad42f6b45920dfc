// SPDX-License-Identifier: GPL-2.0
#include "tsc.h"

#include <linux/cache.h>
#include <linux/ktime.h>
#include <linux/math64.h>

/*
 * Ticks that bpmu_tsc() adds to the TSC, modulo 2^64. They let the time of bpmu_tsc() go on after a
 * suspend, which may reset the TSC. The number changes only while no CPU takes samples.
 */
u64 bpmu_tsc_shift __read_mostly;

/* Time at which the machine was suspended: bpmu_tsc() in ticks, and CLOCK_MONOTONIC in ns */
static u64 suspend_tsc;
static u64 suspend_ns;

/**
 * bpmu_tsc_begin() - let bpmu_tsc() return the unchanged TSC in a new session
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_begin(void)
{
	bpmu_tsc_shift = 0;
}

/**
 * bpmu_tsc_sleep() - remember the time of the TSC before the machine is suspended
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_sleep(void)
{
	suspend_tsc = bpmu_tsc();
	suspend_ns = ktime_get_ns();
}

/**
 * bpmu_tsc_wake() - let bpmu_tsc() continue from bpmu_tsc_sleep() after a resume
 *
 * While the machine is suspended to RAM (S3), the TSC of most parts is reset, but the TSC of some
 * parts runs on. bpmu_tsc() does not advance in either case, like CLOCK_MONOTONIC, the clock of
 * the sampling timer.
 *
 * Context: process; nothing samples.
 */
void bpmu_tsc_wake(void)
{
	u64 ns = ktime_get_ns() - suspend_ns;

	bpmu_tsc_shift = suspend_tsc - rdtsc_ordered() +
			 mul_u64_u32_div(ns, tsc_khz, USEC_PER_SEC);
}
