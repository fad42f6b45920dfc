/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of samples: the TSC, made continuous across suspend and resume.
 */
#ifndef BPMU_TSC_H
#define BPMU_TSC_H

#include <linux/types.h>

#include <asm/tsc.h>

extern u64 bpmu_tsc_shift;

/**
 * bpmu_tsc_of() - convert a value of the TSC to the time of samples, continuous across suspend
 * @tsc: value that the TSC had after the last resume of the machine
 *
 * Context: any; the sampling path.
 * Return: TSC ticks.
 */
static inline u64 bpmu_tsc_of(u64 tsc)
{
	return tsc + bpmu_tsc_shift;
}

/**
 * bpmu_tsc() - read the TSC, corrected so that it is continuous across suspend
 *
 * Context: any; the sampling path.
 * Return: TSC ticks.
 */
static inline u64 bpmu_tsc(void)
{
	return bpmu_tsc_of(rdtsc_ordered());
}

void bpmu_tsc_begin(void);
void bpmu_tsc_sleep(void);
void bpmu_tsc_wake(void);

#endif /* BPMU_TSC_H */
