/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the ops that AMD's instruction-based sampling (IBS) has sampled, and over the memory
 * accesses of Intel's precise records: where loads found the data, and how long they waited for it.
 */
#ifndef BPMU_REPORT_BY_OP_H
#define BPMU_REPORT_BY_OP_H

#include <linux/barepmu.h>
#include <stdbool.h>

#include "arch.h"

/* Number of different &enum bpmu_source */
#define BPMU_SOURCES (BPMU_SOURCE_MEMORY_CACHE + 1)

/* Size in bytes, with the NUL, of a key of bpmu_by_op_line() */
#define BPMU_BY_OP_KEY 48

/**
 * struct bpmu_by_ops - sums over sampled ops, such as those of a function
 * @nr: number of ops
 * @accesses: number of those that precise records tell of
 * @loads: number of ops that load
 * @stores: number of ops that store; an op may do both
 * @locked: number of ops with a locked access
 * @modified: number of loads of a line that was modified in the cache that had it
 * @missed_l1: number of loads that missed the L1 data cache, wherever they found their data
 * @source: number of loads by where they found their data, [&enum bpmu_source]
 * @waited: number of loads that have a latency
 * @latency: cycles from the miss until the data came, summed over these loads
 */
struct bpmu_by_ops {
	u64 nr;
	u64 accesses;
	u64 loads;
	u64 stores;
	u64 locked;
	u64 modified;
	u64 missed_l1;
	u64 source[BPMU_SOURCES];
	u64 waited;
	u64 latency;
};

void bpmu_by_ops_add(struct bpmu_by_ops *ops, const struct bpmu_tagged_op *op);
u64 bpmu_by_ops_from(const struct bpmu_by_ops *ops, enum bpmu_source first,
		     enum bpmu_source last);
const char *bpmu_by_op_source(const struct bpmu_tagged_op *op);
const char *bpmu_by_op_line(char key[BPMU_BY_OP_KEY], const struct bpmu_tagged_op *op,
			    const struct bpmu_who *who);

#endif /* BPMU_REPORT_BY_OP_H */
