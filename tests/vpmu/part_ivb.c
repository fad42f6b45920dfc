// SPDX-License-Identifier: GPL-2.0
/*
 * Ivy Bridge: registers (SDM Vol. 4, tables 2-2 and 2-20) and events (codes
 * from Intel's published event file of the part).
 */
#include "events.h"

/* CYCLE_ACTIVITY: the counter mask says that all bits of the umask hold */
static uint64_t activity(const struct vpmu_ring_counts *counts,
			 uint64_t select)
{
	const uint64_t *plain = counts->plain;
	unsigned int umask = select >> 8 & 0xff;

	if (umask != (select >> 24 & 0xff))
		return 0;
	switch (umask) {
	case 0x04:
		return plain[VPMU_STALLS_TOTAL];
	case 0x05:
		return plain[VPMU_STALLS_L2];
	case 0x06:
		return plain[VPMU_STALLS_MEM];
	case 0x0c:
		return plain[VPMU_STALLS_L1D];
	default:
		return 0;
	}
}

static uint64_t plain_event(const struct vpmu_ring_counts *counts,
			    unsigned int code)
{
	const uint64_t *plain = counts->plain;

	switch (code) {
	case CODE(0x3c, 0x00):
	case CODE(0x3c, 0x01):
	case CODE(0x00, 0x03):
		return plain[VPMU_CYCLES];
	case CODE(0x0d, 0x03):
		return plain[VPMU_RECOVERY_CYCLES];
	case CODE(0xc5, 0x00):
		return plain[VPMU_MISPREDICTS];
	case CODE(0x5e, 0x01):
		return plain[VPMU_RS_EMPTY];
	case CODE(0xa2, 0x08):
		return plain[VPMU_STALLS_SB];
	case CODE(0x79, 0x30):
		return plain[VPMU_MS_UOPS];
	default:
		return vpmu_intel_loads(counts, code);
	}
}

/*
 * L1D-pending stalls and INST_RETIRED.PREC_DIST exist on one counter only, some
 * events not on those that a thread has when it is alone.
 */
static bool wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (counter >= 4 && (event == 0x9c || event == 0xa3 ||
			     (event >= 0xd0 && event <= 0xd3)))
		return true;
	if (code == CODE(0xa3, 0x0c))
		return counter != 2;
	return code == CODE(0xc0, 0x01) && counter != 1;
}

static uint64_t count(const struct vpmu_snapshot *now, unsigned int ring,
		      uint64_t select, unsigned int counter)
{
	const struct vpmu_ring_counts *counts = &now->ring[ring];
	unsigned int code = select & 0xffff;

	if (wrong_counter(code, counter))
		return 0;
	switch (code) {
	case CODE(0x9c, 0x01):
		return vpmu_per_cycle(counts, VPMU_BUBBLES, select);
	case CODE(0x0e, 0x01):
	case CODE(0xb1, 0x01):
	case CODE(0xb1, 0x02):
		return vpmu_per_cycle(counts, VPMU_ISSUED, select);
	case CODE(0xc2, 0x01):
	case CODE(0xc2, 0x02):
		return vpmu_per_cycle(counts, VPMU_RETIRED, select);
	}
	if ((code & 0xff) == 0xa3)
		return activity(counts, select);
	return plain_event(counts, code) +
	       vpmu_intel_exact(now, ring, code);
}

static const struct vpmu_uncore_part uncore = {
	.global_ctrl = 0x391,
	.max_boxes = 4,
	.box_counters = 2,
};

/* Intel's optimisation manual gives latencies of this order */
const struct vpmu_part vpmu_ivb = {
	.name = "ivb",
	.version = 3,
	.arch_events = 7,
	.nr_gp = 4,
	.nr_gp_alone = 8,
	.nr_fixed = 3,
	.width = 48,
	.fixed_width = 48,
	.stride = 1,
	.select = 0x186,
	.counter = 0xc1,
	.counter_full = 0x4c1,
	.fixed = 0x309,
	.fixed_ctrl = 0x38d,
	.global_ctrl = 0x38f,
	.global_status = 0x38e,
	.global_ovf = 0x390,
	.capabilities = 0x345,
	.capable = VPMU_CAP_FULL_WRITE,
	.select_reserved = ~0xffffffffull,
	.prefetch = 0xf,
	.params = {
		.width = 4, .rob = 168, .stores = 36, .fills = 10, .l1 = 4,
		.l2 = 12, .l3 = 30, .memory = 200, .walk = 24,
		.wrong_path = 7, .recovery = 4, .resteer = 3, .serialise = 20,
	},
	.uncore = &uncore,
	.count = count,
};
