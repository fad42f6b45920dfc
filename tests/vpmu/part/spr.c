// SPDX-License-Identifier: GPL-2.0
/*
 * Sapphire Rapids and, with the same events, Alder Lake's P-core: registers (SDM Vol. 4,
 * tables 2-2 and 2-46) and events (codes from Intel's published event file of the part).
 * Event constraints: Linux, intel_spr_event_constraints.
 */
#include "box/mchbar.h"
#include "box/uncore.h"
#include "intel.h"
#include "box/imc.h"
#include "parts.h"

static const struct vpmu_event events[] = {
	{ 0x0400, VPMU_SLOTS },
	{ 0x02ec, VCORE_CYCLES },
	{ 0x01ad, VCORE_RECOVERY_CYCLES },
	{ 0x010401ad, VCORE_MISPREDICTS },
	{ 0x010401ad, VCORE_CLEARS },
	{ 0x10ad, VPMU_NEVER }, /* uops dropped by the front end: the virtual core drops none */
	{ 0x11c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x11c5, VCORE_MISPREDICTS_CONDITIONAL },
	{ 0x02c1, VCORE_ASSISTS },
	{ 0x1bc1, VCORE_ASSISTS },
	{ 0x01ae, VPMU_PER_CYCLE(VCORE_ISSUED) },
	{ 0x07a5, VCORE_RS_EMPTY },
	{ 0x0403, VCORE_ALIAS_4K },
	{ 0x8203, VCORE_BLOCKED_FORWARD },
	{ 0x01c2, VCORE_RETIRED_MS_SLOTS },
	{ 0x2079, VCORE_MS_UOPS },
	{ 0x01042079, VCORE_MS_SWITCHES },
	{ 0x01002079, VCORE_MS_CYCLES_ANY },
	{ 0x06002079, VCORE_MS_CYCLES_4 },
	{ 0x01000879, VCORE_DSB_CYCLES_ANY },
	{ 0x06000879, VCORE_DSB_CYCLES_4 },
	{ 0x01000479, VCORE_MITE_CYCLES_ANY },
	{ 0x06000479, VCORE_MITE_CYCLES_4 },
	{ 0x0261, VCORE_DSB_SWITCH_CYCLES },
	{ 0x0160, VCORE_BACLEARS },
	{ 0x0e11, VCORE_ITLB_WALKS },
	{ 0x1011, VCORE_ITLB_WALK_CYCLES },
	{ 0x2011, VCORE_ITLB_STLB_HIT },
	{ 0x0e12, VCORE_DTLB_LOAD_WALKS },
	{ 0x1012, VCORE_DTLB_LOAD_WALK_CYCLES },
	{ 0x2012, VCORE_DTLB_LOAD_STLB_HIT },
	{ 0x0e13, VCORE_DTLB_STORE_WALKS },
	{ 0x1013, VCORE_DTLB_STORE_WALK_CYCLES },
	{ 0x2013, VCORE_DTLB_STORE_STLB_HIT },
	{ 0x02000247, VCORE_CYCLES_L1 },
	{ 0x03000347, VCORE_NO_EXECUTE_L1 },
	{ 0x05000547, VCORE_NO_EXECUTE_L2 },
	{ 0x09000947, VCORE_NO_EXECUTE_L3 },
	{ 0x80a6, VCORE_NO_EXECUTE },
	{ 0x80a6, VCORE_NO_EXECUTE_LOAD | VPMU_LESS },
	{ 0x050021a6, VCORE_NO_EXECUTE_LOAD },
	{ 0x0ca6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 2) },
	{ 0x0ca6, VPMU_CYCLES_WITH(VCORE_EXECUTED, 3) },
	{ 0xf024, VCORE_L2_PREFETCHES },
	{ 0x3024, VCORE_L2_PREFETCHES },
	{ 0x3024, VCORE_L2_PREFETCH_HITS | VPMU_LESS },
	{ 0x1f25, VCORE_L2_LINES_IN },
	{ 0x01000820, VCORE_OFFCORE_READ_CYCLES },
	{ 0x01000120, VCORE_OFFCORE_READ_CYCLES },
	{ 0x010009b0, VCORE_DIVIDER_ACTIVE },
	{ 0x01cd, VCORE_SLOW_LOADS },
	{ 0x02cd, VCORE_STORES },
	{ 0x01b2, VPMU_PORTS(0x01) },
	{ 0x02b2, VPMU_PORTS(0x02) },
	{ 0x04b2, VPMU_PORTS(0x0c) },
	{ 0x10b2, VPMU_PORTS(0x10) },
	{ 0x20b2, VPMU_PORTS(0x20) },
	{ 0x40b2, VPMU_PORTS(0x40) },
	{ 0x80b2, VPMU_PORTS(0x80) },
	{ 0x01a4, VPMU_SLOTS },
	{ 0x02a4, VCORE_BACKEND_SLOTS },
	{ 0x04a4, VCORE_WRONG_SLOTS },
	{ 0x04a4, VCORE_RECOVERY_SLOTS },
	{ 0x08a4, VCORE_WRONG_SLOTS },
	{ 0x08a4, VCORE_RECOVERY_SLOTS },
	{ 0x012a, VPMU_PASSED(VPMU_OFFCORE_0) },
	{ 0x012b, VPMU_PASSED(VPMU_OFFCORE_1) },
	/*
	 * events of Panther Cove and its successors: off-module responses, which MSR_OMR_0 to
	 * MSR_OMR_3 filter
	 */
	{ 0x012a, VPMU_PASSED(VPMU_OMR_0) },
	{ 0x022a, VPMU_PASSED(VPMU_OMR_1) },
	{ 0x042a, VPMU_PASSED(VPMU_OMR_2) },
	{ 0x082a, VPMU_PASSED(VPMU_OMR_3) },
	{ 0x01d6, VPMU_PASSED(VPMU_OMR_0) },
	{ 0x02d6, VPMU_PASSED(VPMU_OMR_1) },
	{ 0x04d6, VPMU_PASSED(VPMU_OMR_2) },
	{ 0x08d6, VPMU_PASSED(VPMU_OMR_3) },
	{ 0x01c6, VPMU_PASSED(VPMU_FRONTEND) },
	{ }
};

/*
 * Lion Cove and Cougar Cove, whose event selects have UMASK2, bits 47:40: codes from Intel's
 * arrowlake_lioncove_core.json and pantherlake_cougarcove_core.json
 */
static const struct vpmu_event umask2_events[] = {
	{ 0x0100000011c4, VPMU_EXACTLY(VPMU_BR_CONDITIONAL) },
	{ 0x0100000011c5, VCORE_MISPREDICTS_CONDITIONAL },
	{ 0x010000002011, VCORE_ITLB_STLB_HIT },
	{ 0x030000002012, VCORE_DTLB_LOAD_STLB_HIT },
	{ 0x030000002013, VCORE_DTLB_STORE_STLB_HIT },
	{ }
};

static bool spr_wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (code == 0x04a4 || code == 0x08a4)
		return counter != 0;
	if (code == 0x01cd || code == 0x02cd)
		return (counter != 0) == (code == 0x02cd);
	if (counter < 4 || counter >= 32)
		return false;
	return (event >= 0x01 && event <= 0x8f && event != 0x2e &&
		event != 0x3c) ||
	       (event >= 0xd0 && event <= 0xdf);
}

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, vpmu_skl_events, umask2_events, NULL
};

static const struct vpmu_event *const *spr_events_of(uint64_t select,
						     unsigned int counter)
{
	return spr_wrong_counter(select & 0xffff, counter) ? vpmu_no_events :
							  tables;
}

/*
 * What all CPU models with a Golden Cove core have. PMU version 5 has no AnyThread: bit 21 of an
 * event select is reserved.
 */
#define GOLDEN_COVE \
	.version = 5, \
	.arch_events = 8, \
	.nr_gp = 8, \
	.nr_fixed = 4, \
	VPMU_INTEL_V4, \
	.metrics = 8, \
	.arch_lbr = 32, \
	.fixed_reserved = 0x4444, \
	.select_reserved = ~0xffdfffffull, \
	.core = &vcore_spr, \
	.prefetch = 0xf, \
	.aux = true, \
	.extra = { 0x3fffffffff, 0x3fffffffff, 0x7fff1f }, \
	.events = spr_events_of

const struct vpmu_part vpmu_spr = {
	GOLDEN_COVE,
	.name = "spr",
	.imc = &vpmu_spr_imc,
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_METRICS | VPMU_CAP_ADAPTIVE_PEBS(5),
};

/*
 * P-cores of Alder Lake. On a hybrid part CPUID and IA32_PERF_CAPABILITIES enumerate only what both
 * core types have. They do not enumerate PERF_METRICS, because E-cores lack it.
 */
const struct vpmu_part vpmu_adl = {
	GOLDEN_COVE,
	.name = "adl",
	.core_type = 0x40,
	.other = &vpmu_adl_e,
	.common_gp = 6,
	.common_fixed = 3,
	.uncore = &vpmu_adl_uncore,
	.mchbar = &vpmu_adl_mchbar,
	.native = 1,
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_ADAPTIVE_PEBS(5),
};
