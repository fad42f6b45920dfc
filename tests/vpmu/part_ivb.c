// SPDX-License-Identifier: GPL-2.0
/*
 * Ivy Bridge: registers (SDM Vol. 4, tables 2-2 and 2-20) and events (codes
 * from Intel's published event file of the part).
 */
#include "vpmu.h"

#define CODE(event, umask) ((umask) << 8 | (event))

static uint64_t exact(const struct vpmu_snapshot *now, unsigned int ring,
		      enum vpmu_exact what)
{
	return now->exact[what][ring];
}

/* cycles in which the quantity was at least @least, or below it */
static uint64_t threshold(const struct vpmu_ring_counts *counts,
			  const uint64_t *cycles_with, unsigned int least,
			  bool invert)
{
	uint64_t reached = 0;
	unsigned int k;

	for (k = least; k <= VPMU_WIDTH; k++)
		reached += cycles_with[k];
	return invert ? counts->plain[VPMU_CYCLES] - reached : reached;
}

static uint64_t per_cycle(const struct vpmu_ring_counts *counts,
			  enum vpmu_per_cycle what, uint64_t select)
{
	const uint64_t *cycles_with = counts->cycles_with[what];
	unsigned int cmask = select >> 24 & 0xff;
	uint64_t sum = 0;
	unsigned int k;

	if (cmask)
		return threshold(counts, cycles_with, cmask,
				 select & (1ull << 23));
	for (k = 1; k <= VPMU_WIDTH; k++)
		sum += k * cycles_with[k];
	return sum;
}

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
	case CODE(0xd1, 0x01):
		return plain[VPMU_L1D_HIT];
	case CODE(0xd1, 0x02):
		return plain[VPMU_L2_HIT];
	case CODE(0xd1, 0x04):
		return plain[VPMU_L3_HIT];
	case CODE(0xd1, 0x08):
		return plain[VPMU_L2_HIT] + plain[VPMU_L3_HIT] +
		       plain[VPMU_L3_MISS];
	case CODE(0x2e, 0x4f):
		return plain[VPMU_L3_HIT] + plain[VPMU_L3_MISS];
	case CODE(0xd1, 0x10):
		return plain[VPMU_L3_HIT] + plain[VPMU_L3_MISS];
	case CODE(0xd1, 0x20):
	case CODE(0x2e, 0x41):
		return plain[VPMU_L3_MISS];
	default:
		return 0;
	}
}

static uint64_t exact_event(const struct vpmu_snapshot *now, unsigned int ring,
			    unsigned int code)
{
	switch (code) {
	case CODE(0xc0, 0x00):
	case CODE(0xc0, 0x01):
		return exact(now, ring, VPMU_INSTRUCTIONS);
	case CODE(0xc4, 0x00):
		return vpmu_branches(now, ring);
	case CODE(0xc4, 0x01):
		return exact(now, ring, VPMU_BR_CONDITIONAL);
	case CODE(0xc4, 0x02):
		return exact(now, ring, VPMU_BR_CALL);
	case CODE(0xc4, 0x08):
		return exact(now, ring, VPMU_BR_RETURN);
	case CODE(0xc4, 0x40):
		return exact(now, ring, VPMU_BR_FAR);
	case CODE(0xd0, 0x81):
		return exact(now, ring, VPMU_LOADS);
	case CODE(0xd0, 0x82):
		return exact(now, ring, VPMU_STORES);
	default:
		return 0;
	}
}

/* L1D-pending stalls and INST_RETIRED.PREC_DIST exist on one counter only */
static bool wrong_counter(unsigned int code, unsigned int counter)
{
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
		return per_cycle(counts, VPMU_BUBBLES, select);
	case CODE(0x0e, 0x01):
	case CODE(0xb1, 0x01):
	case CODE(0xb1, 0x02):
		return per_cycle(counts, VPMU_ISSUED, select);
	case CODE(0xc2, 0x01):
	case CODE(0xc2, 0x02):
		return per_cycle(counts, VPMU_RETIRED, select);
	}
	if ((code & 0xff) == 0xa3)
		return activity(counts, select);
	return plain_event(counts, code) + exact_event(now, ring, code);
}

const struct vpmu_part vpmu_ivb = {
	.name = "ivb",
	.nr_gp = 4,
	.nr_fixed = 3,
	.width = 48,
	.select = 0x186,
	.counter = 0xc1,
	.counter_full = 0x4c1,
	.fixed = 0x309,
	.fixed_ctrl = 0x38d,
	.global_ctrl = 0x38f,
	.global_status = 0x38e,
	.global_ovf = 0x390,
	.capabilities = 0x345,
	.select_reserved = ~0xffffffffull,
	.count = count,
};
