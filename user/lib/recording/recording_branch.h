/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branch records of interrupts (LBR), and their compact encoding, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_BRANCH_H
#define BPMU_RECORDING_BRANCH_H

#include "recording_code.h"

/*
 * Maximum size in bytes of the encoded branches of an interrupt: the number of branches, and four
 * numbers for each branch. Each number takes at most ten bytes.
 */
#define BPMU_BRANCHES_MOST (10 + BPMU_MAX_BRANCHES * 40)

/**
 * struct bpmu_branches - the last branches before an interrupt
 * @nr: number of branches
 * @branch: the branches, the last one first, [@nr]
 */
struct bpmu_branches {
	unsigned int nr;
	struct bpmu_branch branch[BPMU_MAX_BRANCHES];
};

/**
 * struct bpmu_branches_code - state of decoding a block of branch records
 * @at: address of the next interrupt's branches in the block
 * @end: end of the block
 */
struct bpmu_branches_code {
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_branches_take(struct bpmu_branches *branches, const void *record);
size_t bpmu_branches_put(const struct bpmu_branches *branches, unsigned char *to);
void bpmu_branches_open(struct bpmu_branches_code *code, const void *block, size_t size);
bool bpmu_branches_get(struct bpmu_branches_code *code, struct bpmu_branches *branches);

#endif /* BPMU_RECORDING_BRANCH_H */
