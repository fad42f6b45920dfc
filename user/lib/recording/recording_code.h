/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sample in few bytes: what is not as foreseen.
 */
#ifndef BPMU_RECORDING_CODE_H
#define BPMU_RECORDING_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/barepmu.h>

#include "arch.h"
#include "event/sched.h"

/* groups are told apart by their number and bank */
#define BPMU_CODE_GROUPS (BPMU_NR_SIDES * BPMU_MAX_GROUPS)

/* more than any sample takes, extension aside */
#define BPMU_CODE_MOST 320

/**
 * struct bpmu_code_group - a group's latest sample in a block
 * @running: its ticks
 * @enabled: the CPU's ticks then
 * @value: its values
 */
struct bpmu_code_group {
	u64 running;
	u64 enabled;
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_code - what the next sample of a block is foreseen from
 * @last: latest sample of the CPU
 * @step: ticks from the one before to it
 * @seen: the block has had a sample of that group
 * @group: latest of each group seen, those of one side behind the other's
 */
struct bpmu_code {
	struct bpmu_sample last;
	u64 step;
	bool seen[BPMU_CODE_GROUPS];
	struct bpmu_code_group group[BPMU_CODE_GROUPS];
};

/**
 * struct bpmu_code_extra - what a sample has besides
 * @data: bytes, the first of which tell what they are; or NULL
 * @size: their number
 */
struct bpmu_code_extra {
	const unsigned char *data;
	size_t size;
};

unsigned char *bpmu_code_number(unsigned char *to, u64 number);
bool bpmu_code_read_number(const unsigned char **from,
			   const unsigned char *end, u64 *number);

void bpmu_code_begin(struct bpmu_code *code, u32 cpu);
size_t bpmu_code_put(struct bpmu_code *code, const char *records, size_t nr,
		     size_t size, const struct bpmu_code_extra *extra,
		     unsigned char *to);
bool bpmu_code_get(struct bpmu_code *code, const unsigned char **from,
		   const unsigned char *end, struct bpmu_sample *sample,
		   const u64 **values, struct bpmu_code_extra *extra);

#endif /* BPMU_RECORDING_CODE_H */
