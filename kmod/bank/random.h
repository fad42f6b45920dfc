/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_RANDOM_H
#define BPMU_RANDOM_H

#include <linux/types.h>

/**
 * bpmu_random_below() - draw a random number below a bound
 * @state: state of the generator, which is Marsaglia's xorshift; never 0
 * @nr: the bound
 *
 * Periods and the order of groups are random, so that they cannot stay in step with a loop of the
 * measured program.
 *
 * Context: any, also NMI; nobody else may use @state at the same time.
 * Return: a number from 0 to @nr - 1.
 */
static inline u32 bpmu_random_below(u32 *state, u32 nr)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return (u64)*state * nr >> 32;
}

#endif /* BPMU_RANDOM_H */
