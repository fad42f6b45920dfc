/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact encoding of records of interrupts, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_OVERFLOW_H
#define BPMU_RECORDING_OVERFLOW_H

#include "base/cpulist.h"
#include "recording_who.h"

/* most bytes of a record, with its extension */
#define BPMU_OVERFLOW_MOST (50 + BPMU_WHO_MOST)

/**
 * struct bpmu_overflow_code - a block of records that is written or read
 * @tsc: time of the record before
 * @who: state of coding the interrupted tasks
 * @cpu: when a block is read: number of its CPU
 * @lost: when a block is read: number of records lost behind its last one
 * @at: when a block is read: its next record
 * @end: when a block is read: end of its last record
 */
struct bpmu_overflow_code {
	u64 tsc;
	struct bpmu_who_code who;
	u32 cpu;
	u64 lost;
	const unsigned char *at;
	const unsigned char *end;
};

size_t bpmu_overflow_put(struct bpmu_overflow_code *code, const struct bpmu_overflow *record,
			 u64 lost, unsigned char *to);
bool bpmu_overflow_open(struct bpmu_overflow_code *code, const void *block, size_t size);
bool bpmu_overflow_get(struct bpmu_overflow_code *code, struct bpmu_overflow *record, u64 *lost);

#endif /* BPMU_RECORDING_OVERFLOW_H */
