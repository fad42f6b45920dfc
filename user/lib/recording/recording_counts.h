/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts in the records of interrupts, and their compact encoding, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_COUNTS_H
#define BPMU_RECORDING_COUNTS_H

#include "recording_code.h"

/*
 * Maximum size in bytes of the encoded counts of an interrupt: their number, and the counts. Each
 * number takes at most ten bytes.
 */
#define BPMU_COUNTS_MOST (10 + BPMU_MAX_COUNTERS * 10)

/**
 * enum bpmu_counts_state - whether the counts of an interrupt are known
 * @BPMU_COUNTS_NONE: another interrupt by the same record of the CPU has the counts
 * @BPMU_COUNTS_BROKEN: the CPU's record lacked counters, or was not understood
 * @BPMU_COUNTS_KNOWN: the counts are known
 */
enum bpmu_counts_state { BPMU_COUNTS_NONE, BPMU_COUNTS_BROKEN, BPMU_COUNTS_KNOWN };

/**
 * struct bpmu_counts - what the counters of a group counted before an interrupt
 * @state: &enum bpmu_counts_state
 * @nr: number of counters, 0 if the counts are not known
 * @value: counts since the interrupt before; of PERF_METRICS the fractions of the slots, [@nr]
 */
struct bpmu_counts {
	enum bpmu_counts_state state;
	unsigned int nr;
	u64 value[BPMU_MAX_COUNTERS];
};

/**
 * struct bpmu_counts_code - state of decoding a block of counts
 * @at: address of the next interrupt's counts in the block
 * @end: end of the block
 */
struct bpmu_counts_code {
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_counts_take(struct bpmu_counts *counts, const void *record);
size_t bpmu_counts_put(const struct bpmu_counts *counts, unsigned char *to);
void bpmu_counts_open(struct bpmu_counts_code *code, const void *block, size_t size);
bool bpmu_counts_get(struct bpmu_counts_code *code, struct bpmu_counts *counts);

#endif /* BPMU_RECORDING_COUNTS_H */
