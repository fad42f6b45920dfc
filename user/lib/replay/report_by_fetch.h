/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the fetches of code that AMD's instruction-based sampling (IBS) has sampled: what they
 * missed, and how long they took.
 */
#ifndef BPMU_REPORT_BY_FETCH_H
#define BPMU_REPORT_BY_FETCH_H

#include <linux/barepmu.h>
#include <stdbool.h>

#include "arch.h"

/**
 * struct bpmu_by_fetches - sums over sampled fetches, such as those of a function
 * @nr: number of fetches
 * @completed: number of fetches that were not abandoned
 * @missed_l1: number of fetches that missed the L1 instruction cache
 * @missed_l2: number of fetches that missed the L2
 * @told: number of fetches of which is known if they missed the L3 and the uop cache
 * @missed_l3: number of those that missed the L3
 * @missed_uop_cache: number of those that missed the uop cache
 * @missed_tlb: number of fetches that missed the first instruction TLB
 * @missed_tlb2: number of fetches that missed both
 * @latency: cycles of all fetches
 * @refilled: number of fetches that missed an instruction TLB and say how long the refill took
 * @refill: cycles of these refills
 */
struct bpmu_by_fetches {
	u64 nr;
	u64 completed;
	u64 missed_l1;
	u64 missed_l2;
	u64 told;
	u64 missed_l3;
	u64 missed_uop_cache;
	u64 missed_tlb;
	u64 missed_tlb2;
	u64 latency;
	u64 refilled;
	u64 refill;
};

void bpmu_by_fetches_add(struct bpmu_by_fetches *sums, const struct bpmu_fetched *fetch);
const char *bpmu_by_fetch_source(const struct bpmu_fetched *fetch);

#endif /* BPMU_REPORT_BY_FETCH_H */
