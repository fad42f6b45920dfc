// SPDX-License-Identifier: GPL-2.0
/*
 * Ivy Bridge: registers (SDM Vol. 4, tables 2-2 and 2-20) and events (codes
 * from Intel's published event file of the part).
 */
#include "box/mchbar.h"
#include "box/uncore.h"
#include "intel.h"
#include "parts.h"

static const struct vpmu_event events[] = {
	{ 0x0300, VCORE_CYCLES },
	{ 0x030d, VCORE_RECOVERY_CYCLES },
	{ 0x0104030d, VCORE_MISPREDICTS },
	{ 0x0104030d, VCORE_CLEARS },
	{ 0x01c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x01c5, VCORE_MISPREDICTS_CONDITIONAL },
	{ 0x01001eca, VCORE_ASSISTS },
	{ 0x80c1, VCORE_ASSISTS },
	{ 0x010e, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x015e, VCORE_RS_EMPTY },
	{ 0x0107, VCORE_ALIAS_4K },
	{ 0x0203, VCORE_BLOCKED_FORWARD },
	{ 0x01a2, VCORE_STALL_ANY },
	{ 0x04a2, VCORE_STALL_RS },
	{ 0x10a2, VCORE_STALL_ROB },
	{ 0x01c2, VCORE_RETIRED_UOPS },
	{ 0x010001c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x018001c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x0a8001c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x108001c2, VCORE_CYCLES },
	{ 0x0279, VCORE_IDQ_EMPTY },
	{ 0x3079, VCORE_MS_UOPS },
	{ 0x01043079, VCORE_MS_SWITCHES },
	{ 0x01003079, VCORE_MS_CYCLES_ANY },
	{ 0x04003079, VCORE_MS_CYCLES_4 },
	{ 0x01001879, VCORE_DSB_CYCLES_ANY },
	{ 0x04001879, VCORE_DSB_CYCLES_4 },
	{ 0x01002479, VCORE_MITE_CYCLES_ANY },
	{ 0x04002479, VCORE_MITE_CYCLES_4 },
	{ 0x02ab, VCORE_DSB_SWITCH_CYCLES },
	{ 0x1fe6, VCORE_BACLEARS },
	{ 0x0280, VCORE_ICACHE_MISSES },
	{ 0x0185, VCORE_ITLB_WALKS },
	{ 0x0285, VCORE_ITLB_WALKS },
	{ 0x0485, VCORE_ITLB_WALK_CYCLES },
	{ 0x1085, VCORE_ITLB_STLB_HIT },
	{ 0x8108, VCORE_DTLB_LOAD_WALKS },
	{ 0x8208, VCORE_DTLB_LOAD_WALKS },
	{ 0x8408, VCORE_DTLB_LOAD_WALK_CYCLES },
	{ 0x045f, VCORE_DTLB_LOAD_STLB_HIT },
	{ 0x0149, VCORE_DTLB_STORE_WALKS },
	{ 0x0249, VCORE_DTLB_STORE_WALKS },
	{ 0x0449, VCORE_DTLB_STORE_WALK_CYCLES },
	{ 0x1049, VCORE_DTLB_STORE_STLB_HIT },
	{ 0x020002a3, VCORE_CYCLES_LOAD },
	{ 0x060006a3, VCORE_NO_EXECUTE_LOAD },
	{ 0x0324, VCORE_L2_DEMAND_READS },
	{ 0x0124, VCORE_L2_DEMAND_READ_HITS },
	{ 0x0c24, VCORE_L2_RFOS },
	{ 0x0424, VCORE_L2_RFO_HITS },
	{ 0x0824, VCORE_L2_RFOS },
	{ 0x0824, VCORE_L2_RFO_HITS | VPMU_LESS },
	{ 0x3024, VCORE_L2_CODE_READS },
	{ 0x1024, VCORE_L2_CODE_HITS },
	{ 0x2024, VCORE_L2_CODE_READS },
	{ 0x2024, VCORE_L2_CODE_HITS | VPMU_LESS },
	{ 0xc024, VCORE_L2_PREFETCHES },
	{ 0x4024, VCORE_L2_PREFETCH_HITS },
	{ 0x8024, VCORE_L2_PREFETCHES },
	{ 0x8024, VCORE_L2_PREFETCH_HITS | VPMU_LESS },
	{ 0x07f1, VCORE_L2_LINES_IN },
	{ 0x01000860, VCORE_OFFCORE_READ_CYCLES },
	{ 0x04000860, VCORE_OFFCORE_READ_4_CYCLES },
	{ 0x06000860, VCORE_OFFCORE_READ_6_CYCLES },
	{ 0x01000160, VCORE_OFFCORE_READ_CYCLES },
	{ 0x06000160, VCORE_OFFCORE_READ_6_CYCLES },
	{ 0x0114, VCORE_DIVIDER_ACTIVE },
	{ 0x01040414, VCORE_DIVIDES },
	{ 0x0110, VPMU_COMPUTED(VCORE_X87) },
	{ 0x1010, VPMU_COMPUTED(VCORE_SSE_PACKED_DOUBLE) },
	{ 0x2010, VPMU_COMPUTED(VCORE_SSE_SCALAR_SINGLE) },
	{ 0x4010, VPMU_COMPUTED(VCORE_SSE_PACKED_SINGLE) },
	{ 0x8010, VPMU_COMPUTED(VCORE_SSE_SCALAR_DOUBLE) },
	{ 0x0111, VPMU_COMPUTED(VCORE_AVX_PACKED_SINGLE) },
	{ 0x0211, VPMU_COMPUTED(VCORE_AVX_PACKED_DOUBLE) },
	{ 0x01cd, VCORE_SLOW_LOADS },
	{ 0x02cd, VCORE_STORES },
	{ 0x01a1, VPMU_PORTS(0x01) },
	{ 0x02a1, VPMU_PORTS(0x02) },
	{ 0x0ca1, VPMU_PORTS(0x04) },
	{ 0x30a1, VPMU_PORTS(0x08) },
	{ 0x40a1, VPMU_PORTS(0x10) },
	{ 0x80a1, VPMU_PORTS(0x20) },
	{ 0x01b7, VPMU_PASSED(VPMU_OFFCORE_0) },
	{ 0x01bb, VPMU_PASSED(VPMU_OFFCORE_1) },
	{ }
};

/*
 * Checks if Ivy Bridge's event constraints forbid an event on a counter. STALLS_L1D_PENDING needs
 * counter 2, MEM_TRANS_RETIRED counter 3, and INST_RETIRED.PREC_DIST counter 1. Some events do not count on counters 4 to
 * 7, which a core has only without hyper-threading.
 */
static bool ivb_wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (counter >= 4 && (event == 0x9c || event == 0xa3 ||
			     (event >= 0xd0 && event <= 0xd3)))
		return true;
	if (code == 0x0ca3)
		return counter != 2;
	if (event == 0xcd)
		return counter != 3;
	return code == 0x01c0 && counter != 1;
}

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, NULL
};

static const struct vpmu_event *const *ivb_events_of(uint64_t select,
						     unsigned int counter)
{
	return ivb_wrong_counter(select & 0xffff, counter) ? vpmu_no_events :
							  tables;
}

const struct vpmu_part vpmu_ivb = {
	.name = "ivb",
	.version = 3,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_gp_alone = 8,
	.nr_fixed = 3,
	VPMU_INTEL_V3,
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_LBR_FLAGS | VPMU_CAP_LEGACY_PEBS(1),
	.lbr = 16,
	.source = VPMU_SOURCE_SNB,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_ivb,
	.prefetch = 0xf,
	.extra = { 0x3f807f8fff, 0x3f807f8fff },
	.uncore = &vpmu_snb_uncore,
	.mchbar = &vpmu_ivb_mchbar,
	.events = ivb_events_of,
};
