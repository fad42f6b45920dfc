// SPDX-License-Identifier: GPL-2.0
/*
 * Sapphire Rapids and, with the same events, Alder Lake's performance core:
 * registers (SDM Vol. 4, tables 2-2 and 2-46) and events
 * (codes from Intel's published event file of the part). Which events exist on
 * some counters only: Linux' intel_spr_event_constraints.
 */
#include "events.h"

#define SLOTS 0x0400

static bool wrong_counter(unsigned int code, unsigned int counter)
{
	unsigned int event = code & 0xff;

	if (code == CODE(0xa4, 0x04) || code == CODE(0xa4, 0x08))
		return counter != 0;
	if (counter < 4 || counter >= 32)
		return false;
	return (event >= 0x01 && event <= 0x8f && event != 0x2e &&
		event != 0x3c) ||
	       (event >= 0xd0 && event <= 0xdf);
}

static uint64_t slots(const struct vpmu_ring_counts *counts)
{
	return vpmu_options.part->params.width * counts->plain[VPMU_CYCLES];
}

/* TOPDOWN: slots, and those lost, as general counters see them */
static uint64_t topdown(const struct vpmu_ring_counts *counts,
			unsigned int umask)
{
	const uint64_t *plain = counts->plain;

	switch (umask) {
	case 0x01:
		return slots(counts);
	case 0x02:
		return plain[VPMU_BACKEND_SLOTS];
	case 0x04:
	case 0x08:
		return plain[VPMU_BAD_SLOTS];
	default:
		return 0;
	}
}

static uint64_t plain_event(const struct vpmu_ring_counts *counts,
			    unsigned int code)
{
	const uint64_t *plain = counts->plain;

	switch (code) {
	case SLOTS:
		return slots(counts);
	case CODE(0x3c, 0x00):
	case CODE(0x3c, 0x01):
	case CODE(0xec, 0x02):
		return plain[VPMU_CYCLES];
	case CODE(0xad, 0x01):
		return plain[VPMU_RECOVERY_CYCLES];
	case CODE(0xc5, 0x00):
		return plain[VPMU_MISPREDICTS];
	case CODE(0xa5, 0x07):
		return plain[VPMU_RS_EMPTY];
	case CODE(0xa6, 0x40):
		return plain[VPMU_STALLS_SB];
	case CODE(0x79, 0x20):
	case CODE(0xc2, 0x01):
		return plain[VPMU_MS_UOPS];
	default:
		return vpmu_intel_loads(counts, code);
	}
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
	case CODE(0xae, 0x01):
	case CODE(0xb1, 0x01):
	case CODE(0xb1, 0x02):
		return vpmu_per_cycle(counts, VPMU_ISSUED, select);
	case CODE(0xc2, 0x02):
		return vpmu_per_cycle(counts, VPMU_RETIRED, select);
	}
	if ((code & 0xff) == 0xa3)
		return vpmu_intel_activity(counts, select);
	if ((code & 0xff) == 0xa4)
		return topdown(counts, code >> 8);
	return plain_event(counts, code) + vpmu_intel_exact(now, ring, code);
}

/* counting the sibling's events too, bit 21, has gone with version 5 */
#define GOLDEN_COVE \
	.version = 5, \
	.arch_events = 8, \
	.nr_gp = 8, \
	.nr_fixed = 4, \
	.width = 48, \
	.fixed_width = 48, \
	.metrics = 8, \
	.stride = 1, \
	.select = 0x186, \
	.counter = 0xc1, \
	.counter_full = 0x4c1, \
	.fixed = 0x309, \
	.fixed_ctrl = 0x38d, \
	.fixed_reserved = 0x4444, \
	.global_ctrl = 0x38f, \
	.global_status = 0x38e, \
	.global_ovf = 0x390, \
	.global_set = 0x391, \
	.global_inuse = 0x392, \
	.capabilities = 0x345, \
	.select_reserved = ~0xffdfffffull, \
	.params = { \
		.width = 6, .rob = 512, .stores = 112, .fills = 16, .l1 = 5, \
		.l2 = 15, .l3 = 70, .memory = 300, .walk = 20, \
		.wrong_path = 8, .recovery = 4, .resteer = 3, .serialise = 20, \
	}, \
	.count = count

const struct vpmu_part vpmu_spr = {
	GOLDEN_COVE,
	.name = "spr",
	.capable = VPMU_CAP_FULL_WRITE | VPMU_CAP_METRICS,
};

/* of which CPUID hides what the efficient cores lack, PERF_METRICS too */
const struct vpmu_part vpmu_adl = {
	GOLDEN_COVE,
	.name = "adl",
	.core = 0x40,
	.other = &vpmu_adl_e,
	.common_gp = 6,
	.common_fixed = 3,
	.capable = VPMU_CAP_FULL_WRITE,
};
