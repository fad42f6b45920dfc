/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains: the return addresses on the stack of interrupted code, which say by which functions
 * the code was called.
 */
#ifndef BPMU_CHAIN_H
#define BPMU_CHAIN_H

#include <linux/barepmu.h>
#include <linux/types.h>

struct bpmu_bank;
struct pt_regs;

/**
 * bpmu_chain_size() - size of the room that the call chains of an interrupt need
 * @most: largest number of addresses, in the kernel and in user space together
 *
 * Context: any.
 * Return: bytes, a multiple of 8; 0 if @most is 0.
 */
static inline u32 bpmu_chain_size(u32 most)
{
	return most ? 2 * sizeof(struct bpmu_section) + most * sizeof(u64) : 0;
}

u32 bpmu_chain_fill(void *to, u32 most, struct pt_regs *regs, const struct bpmu_bank *bank);

#endif /* BPMU_CHAIN_H */
