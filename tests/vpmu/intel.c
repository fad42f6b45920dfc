// SPDX-License-Identifier: GPL-2.0
/*
 * Events that Ivy Bridge, Skylake and Sapphire Rapids have in common, and those
 * that the latter two have; codes from Intel's published event files.
 */
#include "intel.h"

#define ARITH(kind) VPMU_COMPUTED(VCORE_##kind)

static const struct vpmu_event intel_events[] = {
	{ 0x003c, VCORE_CYCLES },
	{ 0x013c, VCORE_CYCLES },
	{ 0x00c0, VPMU_EXACTLY(VPMU_INSTRUCTIONS) },
	{ 0x01c0, VPMU_EXACTLY(VPMU_INSTRUCTIONS) },
	{ 0x00c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x00c4, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0x00c4, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x00c4, VPMU_EXACTLY(VPMU_BR_OTHER) },
	{ 0x00c4, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x02c4, VPMU_EXACTLY(VPMU_BR_CALL) },
	{ 0x08c4, VPMU_EXACTLY(VPMU_BR_RETURN) },
	{ 0x20c4, VCORE_NEAR_TAKEN },
	{ 0x40c4, VPMU_EXACTLY(VPMU_BR_FAR) },
	{ 0x00c5, VCORE_MISPREDICTS },
	{ 0x20c5, VCORE_MISPREDICTS_NEAR_TAKEN },
	{ 0x010401c3, VCORE_CLEARS },
	{ 0x02c3, VCORE_CLEARS_ORDERING },
	{ 0x019c, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x01b1, VPMU_PER_CYCLE(VCORE_EXECUTED) },
	{ 0x02b1, VPMU_PER_CYCLE(VCORE_EXECUTED) },
	{ 0x10b1, ARITH(X87) },
	{ 0x02c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x0480, VCORE_ICACHE_STALL },
	{ 0x0187, VCORE_LCP_STALLS },
	{ 0x0479, VCORE_MITE_UOPS },
	{ 0x0879, VCORE_DSB_UOPS },
	{ 0x08a2, VCORE_STALL_SB },
	{ 0x040004a3, VCORE_NO_EXECUTE },
	{ 0x050005a3, VCORE_NO_EXECUTE_L2 },
	{ 0x0c000ca3, VCORE_NO_EXECUTE_L1 },
	{ 0x010001a3, VCORE_CYCLES_L2 },
	{ 0x080008a3, VCORE_CYCLES_L1 },
	{ 0x81d0, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x82d0, VPMU_EXACTLY(VPMU_STORES) },
	{ 0x21d0, VCORE_LOCK_LOADS },
	{ 0x41d0, VCORE_SPLIT_LOADS },
	{ 0x42d0, VCORE_SPLIT_STORES },
	{ 0x11d0, VCORE_STLB_MISS_LOADS },
	{ 0x12d0, VCORE_STLB_MISS_STORES },
	{ 0x01d1, VCORE_L1_HIT },
	{ 0x02d1, VCORE_L2_HIT },
	{ 0x04d1, VCORE_L3_HIT },
	{ 0x08d1, VCORE_L2_HIT },
	{ 0x08d1, VCORE_L3_HIT },
	{ 0x08d1, VCORE_L3_MISS },
	{ 0x10d1, VCORE_L3_HIT },
	{ 0x10d1, VCORE_L3_MISS },
	{ 0x20d1, VCORE_L3_MISS },
	{ 0x40d1, VCORE_LFB_HIT },
	{ 0x02d2, VCORE_L3_HIT_XSNP_HIT },
	{ 0x04d2, VCORE_L3_HIT_XSNP_HITM },
	{ 0x08d2, VCORE_L3_HIT },
	{ 0x08d2, VCORE_L3_HIT_XSNP_HIT | VPMU_LESS },
	{ 0x08d2, VCORE_L3_HIT_XSNP_HITM | VPMU_LESS },
	{ 0x01d3, VCORE_L3_MISS },
	{ 0x4f2e, VCORE_L3_REFERENCES },
	{ 0x412e, VCORE_L3_MISSES },
	{ 0x0151, VCORE_L1_REPLACED },
	{ 0x0148, VCORE_L1_PENDING },
	{ 0x01000148, VCORE_CYCLES_L1 },
	{ 0x0248, VCORE_FILLS_FULL },
	{ }
};

/* from Skylake on */
static const struct vpmu_event skl_events[] = {
	{ 0x060006a3, VCORE_NO_EXECUTE_L3 },
	{ 0x020002a3, VCORE_CYCLES_L3 },
	{ 0x100010a3, VCORE_CYCLES_LOAD },
	{ 0x140014a3, VCORE_NO_EXECUTE_LOAD },
	{ 0x40a6, VCORE_FEW_EXECUTE_STORES },
	{ 0x02a6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 1) },
	{ 0x04a6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 2) },
	{ 0x08a6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 3) },
	{ 0x10a6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 4) },
	{ 0x01c7, ARITH(SSE_SCALAR_DOUBLE) },
	{ 0x02c7, ARITH(SSE_SCALAR_SINGLE) },
	{ 0x03c7, ARITH(SSE_SCALAR_DOUBLE) },
	{ 0x03c7, ARITH(SSE_SCALAR_SINGLE) },
	{ 0x04c7, ARITH(SSE_PACKED_DOUBLE) },
	{ 0x08c7, ARITH(SSE_PACKED_SINGLE) },
	{ 0x10c7, ARITH(AVX_PACKED_DOUBLE) },
	{ 0x20c7, ARITH(AVX_PACKED_SINGLE) },
	{ 0x18c7, ARITH(SSE_PACKED_SINGLE) },
	{ 0x18c7, ARITH(AVX_PACKED_DOUBLE) },
	{ 0xfcc7, ARITH(SSE_PACKED_DOUBLE) },
	{ 0xfcc7, ARITH(SSE_PACKED_SINGLE) },
	{ 0xfcc7, ARITH(AVX_PACKED_DOUBLE) },
	{ 0xfcc7, ARITH(AVX_PACKED_SINGLE) },
	{ 0x0483, VCORE_ITLB_WALK_CYCLES },
	{ 0x83d0, VPMU_EXACTLY(VPMU_LOADS) },
	{ 0x83d0, VPMU_EXACTLY(VPMU_STORES) },
	{ 0xe124, VCORE_L2_DEMAND_READS },
	{ 0xc124, VCORE_L2_DEMAND_READ_HITS },
	{ 0x2124, VCORE_L2_DEMAND_READS },
	{ 0x2124, VCORE_L2_DEMAND_READ_HITS | VPMU_LESS },
	{ 0xe224, VCORE_L2_RFOS },
	{ 0xc224, VCORE_L2_RFO_HITS },
	{ 0x2224, VCORE_L2_RFOS },
	{ 0x2224, VCORE_L2_RFO_HITS | VPMU_LESS },
	{ 0xe424, VCORE_L2_CODE_READS },
	{ 0xc424, VCORE_L2_CODE_HITS },
	{ 0x2424, VCORE_L2_CODE_READS },
	{ 0x2424, VCORE_L2_CODE_HITS | VPMU_LESS },
	{ }
};

/**
 * vpmu_intel_count() - total of an event in one ring
 * @events: of the part alone
 * @now: totals
 * @ring: 0 or 1
 * @select: event select
 *
 * Return: the total, 0 of an event without a row.
 */
uint64_t vpmu_intel_count(const struct vpmu_event *events,
			  const struct vpmu_snapshot *now, unsigned int ring,
			  uint64_t select)
{
	return vpmu_events_count(events, now, ring, select) +
	       vpmu_events_count(intel_events, now, ring, select);
}

/**
 * vpmu_skl_count() - the same from Skylake on
 * @events: of the part alone
 * @now: totals
 * @ring: 0 or 1
 * @select: event select
 *
 * Return: the total, 0 of an event without a row.
 */
uint64_t vpmu_skl_count(const struct vpmu_event *events,
			const struct vpmu_snapshot *now, unsigned int ring,
			uint64_t select)
{
	return vpmu_intel_count(events, now, ring, select) +
	       vpmu_events_count(skl_events, now, ring, select);
}
