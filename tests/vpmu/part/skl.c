// SPDX-License-Identifier: GPL-2.0
/*
 * Skylake, client: registers (SDM Vol. 4, tables 2-2 and 2-39) and events
 * (codes from Intel's published event file of the part).
 */
#include "box/mchbar.h"
#include "box/uncore.h"
#include "intel.h"
#include "parts.h"

static const struct vpmu_event events[] = {
	{ 0x0300, VCORE_CYCLES },
	{ 0x108000c0, VCORE_CYCLES },
	{ 0x010d, VCORE_RECOVERY_CYCLES },
	{ 0x0104010d, VCORE_MISPREDICTS },
	{ 0x0104010d, VCORE_CLEARS },
	{ 0x01c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x01c5, VCORE_MISPREDICTS_CONDITIONAL },
	{ 0x01001eca, VCORE_ASSISTS },
	{ 0x010e, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x015e, VCORE_RS_EMPTY },
	{ 0x0107, VCORE_ALIAS_4K },
	{ 0x0203, VCORE_BLOCKED_FORWARD },
	{ 0x01a2, VCORE_STALL_ANY },
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
	{ 0x01e6, VCORE_BACLEARS },
	{ 0x0283, VCORE_ICACHE_MISSES },
	{ 0x0185, VCORE_ITLB_WALKS },
	{ 0x0e85, VCORE_ITLB_WALKS },
	{ 0x1085, VCORE_ITLB_WALK_CYCLES },
	{ 0x2085, VCORE_ITLB_STLB_HIT },
	{ 0x0108, VCORE_DTLB_LOAD_WALKS },
	{ 0x0e08, VCORE_DTLB_LOAD_WALKS },
	{ 0x1008, VCORE_DTLB_LOAD_WALK_CYCLES },
	{ 0x2008, VCORE_DTLB_LOAD_STLB_HIT },
	{ 0x0149, VCORE_DTLB_STORE_WALKS },
	{ 0x0e49, VCORE_DTLB_STORE_WALKS },
	{ 0x1049, VCORE_DTLB_STORE_WALK_CYCLES },
	{ 0x2049, VCORE_DTLB_STORE_STLB_HIT },
	{ 0x01a6, VCORE_NO_EXECUTE },
	{ 0x01a6, VCORE_NO_EXECUTE_LOAD | VPMU_LESS },
	{ 0xf824, VCORE_L2_PREFETCHES },
	{ 0xd824, VCORE_L2_PREFETCH_HITS },
	{ 0x3824, VCORE_L2_PREFETCHES },
	{ 0x3824, VCORE_L2_PREFETCH_HITS | VPMU_LESS },
	{ 0x1ff1, VCORE_L2_LINES_IN },
	{ 0x01000860, VCORE_OFFCORE_READ_CYCLES },
	{ 0x04000860, VCORE_OFFCORE_READ_4_CYCLES },
	{ 0x06000860, VCORE_OFFCORE_READ_6_CYCLES },
	{ 0x01000160, VCORE_OFFCORE_READ_CYCLES },
	{ 0x06000160, VCORE_OFFCORE_READ_6_CYCLES },
	{ 0x0114, VCORE_DIVIDER_ACTIVE },
	{ 0x01cd, VCORE_SLOW_LOADS },
	{ 0x01a1, VPMU_PORTS(0x01) },
	{ 0x02a1, VPMU_PORTS(0x02) },
	{ 0x04a1, VPMU_PORTS(0x04) },
	{ 0x08a1, VPMU_PORTS(0x08) },
	{ 0x10a1, VPMU_PORTS(0x10) },
	{ 0x20a1, VPMU_PORTS(0x20) },
	{ 0x40a1, VPMU_PORTS(0x40) },
	{ 0x80a1, VPMU_PORTS(0x80) },
	{ 0x01b7, VPMU_PASSED(VPMU_OFFCORE_0) },
	{ 0x01bb, VPMU_PASSED(VPMU_OFFCORE_1) },
	{ 0x01c6, VPMU_PASSED(VPMU_FRONTEND) },
	{ }
};

/*
 * Checks if an event cannot count on a counter. Load events and FRONTEND_RETIRED count on counters
 * 0 to 3 only, INST_RETIRED.PREC_DIST on counter 1 only.
 */
static bool skl_wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (counter >= 4 && (code == 0x14a3 || event == 0xc6 ||
			     event == 0xcd ||
			     (event >= 0xd0 && event <= 0xd3)))
		return true;
	return code == 0x01c0 && counter != 1;
}

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, vpmu_skl_events, NULL
};

static const struct vpmu_event *const *skl_events_of(uint64_t select,
						     unsigned int counter)
{
	return skl_wrong_counter(select & 0xffff, counter) ? vpmu_no_events :
							  tables;
}

const struct vpmu_part vpmu_skl = {
	.name = "skl",
	.version = 4,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_gp_alone = 8,
	.nr_fixed = 3,
	VPMU_INTEL_V4,
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_LBR_INFO | VPMU_CAP_LEGACY_PEBS(3),
	.lbr = 32,
	.select_reserved = ~0xffffffffull,
	.core = &vcore_skl,
	.prefetch = 0xf,
	.extra = { 0x3fffff8fff, 0x3fffff8fff, 0x7fff17 },
	.uncore = &vpmu_skl_uncore,
	.mchbar = &vpmu_skl_mchbar,
	.events = skl_events_of,
};
