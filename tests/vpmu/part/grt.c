// SPDX-License-Identifier: GPL-2.0
/*
 * Gracemont, Alder Lake's E-core: registers (SDM Vol. 4, tables 2-2 and
 * 2-46) and events (codes from Intel's published event file of the part).
 */
#include "event/events.h"
#include "intel.h"
#include "parts.h"

/*
 * Events of Gracemont. The events TOPDOWN_* (71H to 74H) count slots by Top-Down category. Frontend
 * latency (umask 72H) counts all five slots of each cycle in which no uop is delivered. Machine
 * clears are rare: their slots count as slots of mispredicts.
 */
static const struct vpmu_event events[] = {
	{ 0x00c2, VPMU_PER_CYCLE(VCORE_RETIRED) },
	{ 0x01c2, VCORE_RETIRED_MS_SLOTS },
	{ 0x0071, VPMU_PER_CYCLE(VCORE_BUBBLES) },
	{ 0x7271, VPMU_CYCLES_WITH(VCORE_BUBBLES, 5) },
	{ 0x7271, VPMU_CYCLES_WITH(VCORE_BUBBLES, 5) },
	{ 0x7271, VPMU_CYCLES_WITH(VCORE_BUBBLES, 5) },
	{ 0x7271, VPMU_CYCLES_WITH(VCORE_BUBBLES, 5) },
	{ 0x7271, VPMU_CYCLES_WITH(VCORE_BUBBLES, 5) },
	{ 0x0073, VCORE_WRONG_SLOTS },
	{ 0x0073, VCORE_RECOVERY_SLOTS },
	{ 0x0473, VCORE_WRONG_SLOTS },
	{ 0x0473, VCORE_RECOVERY_SLOTS },
	{ 0x0074, VCORE_BACKEND_SLOTS },
	{ 0x0104, VCORE_STALL_SB },
	{ 0xff05, VCORE_NO_EXECUTE_LOAD },
	{ 0x0734, VCORE_NO_EXECUTE_L1 },
	{ 0x0134, VCORE_NO_EXECUTE_L1 },
	{ 0x0134, VCORE_NO_EXECUTE_L2 | VPMU_LESS },
	{ 0x0634, VCORE_NO_EXECUTE_L2 },
	{ 0x0234, VCORE_NO_EXECUTE_L2 },
	{ 0x0234, VCORE_NO_EXECUTE_L3 | VPMU_LESS },
	{ 0x0434, VCORE_NO_EXECUTE_L3 },
	{ 0x05d0, VCORE_SLOW_LOADS },
	{ 0x06d0, VCORE_STORES },
	/*
	 * Events of Arctic Wolf, a successor of Gracemont: off-module responses, which MSR_OMR_0 to
	 * MSR_OMR_3 filter.
	 */
	{ 0x01b7, VPMU_PASSED(VPMU_OMR_0) },
	{ 0x02b7, VPMU_PASSED(VPMU_OMR_1) },
	{ 0x04b7, VPMU_PASSED(VPMU_OMR_2) },
	{ 0x08b7, VPMU_PASSED(VPMU_OMR_3) },
	{ 0x01d4, VPMU_PASSED(VPMU_OMR_0) },
	{ 0x02d4, VPMU_PASSED(VPMU_OMR_1) },
	{ 0x04d4, VPMU_PASSED(VPMU_OMR_2) },
	{ 0x08d4, VPMU_PASSED(VPMU_OMR_3) },
	{ }
};

static const struct vpmu_event *const tables[] = {
	events, vpmu_intel_events, NULL
};

static const struct vpmu_event *const *grt_events_of(uint64_t select,
						     unsigned int counter)
{
	(void)select;
	(void)counter;
	return tables;
}

const struct vpmu_part vpmu_adl_e = {
	.name = "adl_e",
	.version = 5,
	.arch_events = 8,
	.core_type = 0x20,
	.native = 1,
	.nr_gp = 6,
	.nr_fixed = 3,
	VPMU_INTEL_V4,
	.fixed_reserved = 0x444,
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_ADAPTIVE_PEBS(5),
	.source = VPMU_SOURCE_GRT,
	.arch_lbr = 32,
	.select_reserved = ~0xffdfffffull,
	.core = &vcore_grt,
	.events = grt_events_of,
};
