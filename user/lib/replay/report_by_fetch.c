// SPDX-License-Identifier: GPL-2.0
#include "report_by_fetch.h"

/**
 * bpmu_by_fetches_add() - add a sampled fetch to sums over fetches
 * @sums: the sums
 * @fetch: the fetch; NULL if the interrupt has none, which is not counted
 */
void bpmu_by_fetches_add(struct bpmu_by_fetches *sums, const struct bpmu_fetched *fetch)
{
	bool told, refilled;

	if (!fetch)
		return;
	told = fetch->flags & BPMU_FETCHED_ZEN4;
	refilled = fetch->flags & BPMU_FETCHED_REFILL && fetch->flags & BPMU_FETCHED_TLB_MISS;
	sums->nr++;
	sums->completed += !!(fetch->flags & BPMU_FETCHED_COMPLETE);
	sums->missed_l1 += !!(fetch->flags & BPMU_FETCHED_L1_MISS);
	sums->missed_l2 += !!(fetch->flags & BPMU_FETCHED_L2_MISS);
	sums->told += told;
	sums->missed_l3 += told && fetch->flags & BPMU_FETCHED_L3_MISS;
	sums->missed_uop_cache += told && fetch->flags & BPMU_FETCHED_UOP_CACHE_MISS;
	sums->missed_tlb += !!(fetch->flags & BPMU_FETCHED_TLB_MISS);
	sums->missed_tlb2 += !!(fetch->flags & BPMU_FETCHED_TLB2_MISS);
	sums->latency += fetch->latency;
	sums->refilled += refilled;
	sums->refill += refilled ? fetch->refill : 0;
}

/**
 * bpmu_by_fetch_source() - name the place where a sampled fetch found its code, a key of --by source
 * @fetch: the fetch
 *
 * Before Zen 4 a fetch does not say that it hit the uop cache, nor where it found what the L2 lacks.
 */
const char *bpmu_by_fetch_source(const struct bpmu_fetched *fetch)
{
	bool told = fetch->flags & BPMU_FETCHED_ZEN4;

	if (!(fetch->flags & BPMU_FETCHED_COMPLETE))
		return "[fetch abandoned]";
	if (told && !(fetch->flags & BPMU_FETCHED_UOP_CACHE_MISS))
		return "uop cache";
	if (!(fetch->flags & BPMU_FETCHED_L1_MISS))
		return "L1 instruction cache";
	if (!(fetch->flags & BPMU_FETCHED_L2_MISS))
		return "L2";
	if (!told)
		return "L3 or memory";
	return fetch->flags & BPMU_FETCHED_L3_MISS ? "beyond the L3" : "L3";
}
