/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_RANDOM_H
#define BPMU_RANDOM_H

#include <linux/types.h>

/**
 * bpmu_random_below() - draw a random number, so that nothing stays in step with a loop
 * @state: state of the generator, never 0; Marsaglia's xorshift
 * @nr: the number is below this one
 *
 * Context: any, also NMI, if @state is not used elsewhere meanwhile.
 * Return: the number.
 */
static inline u32 bpmu_random_below(u32 *state, u32 nr)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return (u64)*state * nr >> 32;
}

#endif /* BPMU_RANDOM_H */
