/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compact encoding of the records of overflow interrupts, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_OVERFLOW_H
#define BPMU_RECORDING_OVERFLOW_H

#include "base/cpulist.h"
#include "recording_who.h"

struct bpmu_who_seen;

/* Maximum size in bytes of an encoded record with its extension, the interrupted task */
#define BPMU_OVERFLOW_MOST (50 + BPMU_WHO_MOST)

/**
 * struct bpmu_overflow_code - state of encoding or decoding a block of records of interrupts
 * @tsc: time of the previous record, TSC ticks
 * @who: state of encoding or decoding the interrupted tasks
 * @seen: when encoding: who was interrupted is noted in there, unless it is NULL
 * @unread: when encoding: the first record whose process has mappings that must be read for @seen,
 *	NULL if there is none. Set by bpmu_overflows_put()
 * @nr: when encoding: number of records. Set by bpmu_overflows_put()
 * @longer: when encoding: a record has sections. Set by bpmu_overflows_put()
 * @cpu: when decoding: number of the block's CPU
 * @lost: when decoding: number of records that were lost after the last record of the block
 * @at: when decoding: address of the next record
 * @end: when decoding: address after the last record
 */
struct bpmu_overflow_code {
	u64 tsc;
	struct bpmu_who_code who;
	struct bpmu_who_seen *seen;
	const void *unread;
	unsigned int nr;
	bool longer;
	u32 cpu;
	u64 lost;
	const unsigned char *at;
	const unsigned char *end;
};

unsigned char *bpmu_overflows_put(struct bpmu_overflow_code *code, const void *records,
				  size_t bytes, u64 *next, unsigned char *to);
bool bpmu_overflow_open(struct bpmu_overflow_code *code, const void *block, size_t size);
bool bpmu_overflow_get(struct bpmu_overflow_code *code, struct bpmu_overflow *record, u64 *lost);

#endif /* BPMU_RECORDING_OVERFLOW_H */
