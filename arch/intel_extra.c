// SPDX-License-Identifier: GPL-2.0
/*
 * Extra registers, which say more exactly what an event counts than its event select does. From
 * Sandy Bridge on each logical CPU has its own extra registers. Source: Linux,
 * arch/x86/events/intel/core.c, intel_*_extra_regs (events and legal bits), PMU_FL_NO_HT_SHARING;
 * the counters are from that file and from Intel's event files.
 *
 * Those of the load latency (MSR 0x3f6) are listed where records in a debug store have it: without
 * precise records they count nothing.
 */
#include "intel.h"

#define TWO	0x03
#define FOUR	0x0f
#define ALL	0xff

#define OFFCORE(number, code, bits) \
	{ BPMU_EXTRA_OFFCORE_##number, FOUR, (code), (bits) }
#define FRONTEND(code, counters, bits) \
	{ BPMU_EXTRA_FRONTEND, (counters), (code), (bits) }

#define LATENCY(code, counters) \
	{ BPMU_EXTRA_LATENCY, (counters), (code), 0xffff }

/*
 * Nehalem has one register of off-core responses, Westmere has two; the threads of a core share
 * them. According to Intel's event file only counter 2 can count Nehalem's event, and only counter
 * 3 the load latency, according to Linux any counter can: one counter is right in both cases.
 */
const struct bpmu_extra bpmu_intel_nhm_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, 0x04, 0x01b7, 0xffff },
	LATENCY(0x100b, 0x08),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_wsm_extras[] = {
	OFFCORE(0, 0x01b7, 0xffff),
	OFFCORE(1, 0x01bb, 0xffff),
	LATENCY(0x100b, 0x08),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_snb_extras[] = {
	OFFCORE(0, 0x01b7, 0x3f807f8fffULL),
	OFFCORE(1, 0x01bb, 0x3f807f8fffULL),
	LATENCY(0x01cd, 0x08),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_jkt_extras[] = {
	OFFCORE(0, 0x01b7, 0x3fffff8fffULL),
	OFFCORE(1, 0x01bb, 0x3fffff8fffULL),
	LATENCY(0x01cd, 0x08),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_skl_extras[] = {
	OFFCORE(0, 0x01b7, 0x3fffff8fffULL),
	OFFCORE(1, 0x01bb, 0x3fffff8fffULL),
	FRONTEND(0x01c6, FOUR, 0x7fff17),
	LATENCY(0x01cd, FOUR),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_icl_extras[] = {
	OFFCORE(0, 0x01b7, 0x3fffffbfffULL),
	OFFCORE(1, 0x01bb, 0x3fffffbfffULL),
	FRONTEND(0x01c6, ALL, 0x7fff17),
	LATENCY(0x01cd, ALL),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_glc_extras[] = {
	OFFCORE(0, 0x012a, 0x3fffffffffULL),
	OFFCORE(1, 0x012b, 0x3fffffffffULL),
	FRONTEND(0x01c6, ALL, 0x7fff1f),
	FRONTEND(0x40ad, ALL, 0x7),
	FRONTEND(0x04c2, ALL, 0x8),
	LATENCY(0x01cd, 0xfe),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_rwc_extras[] = {
	OFFCORE(0, 0x012a, 0x3fffffffffULL),
	OFFCORE(1, 0x012b, 0x3fffffffffULL),
	FRONTEND(0x02c6, ALL, 0x9),
	FRONTEND(0x03c6, ALL, 0x7fff1f),
	FRONTEND(0x40ad, ALL, 0x7),
	FRONTEND(0x04c2, ALL, 0x8),
	LATENCY(0x01cd, 0xfe),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_lnc_extras[] = {
	OFFCORE(0, 0x012a, 0xfffffffffffULL),
	OFFCORE(1, 0x012b, 0xfffffffffffULL),
	FRONTEND(0x02c6, ALL, 0x9),
	FRONTEND(0x03c6, ALL, 0x7fff1f),
	FRONTEND(0x40ad, ALL, 0xf),
	FRONTEND(0x04c2, ALL, 0x8),
	LATENCY(0x01cd, 0x3fc),
	{ 0 }
};

/*
 * Silvermont's two general-purpose counters, and Goldmont's four, can count either event. Only the
 * first extra register has bit 38, outstanding requests.
 */
const struct bpmu_extra bpmu_intel_slm_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, TWO, 0x01b7, 0x768005ffffULL },
	{ BPMU_EXTRA_OFFCORE_1, TWO, 0x02b7, 0x368005ffffULL },
	{ 0 }
};

const struct bpmu_extra bpmu_intel_glm_extras[] = {
	OFFCORE(0, 0x01b7, 0x760005ffbfULL),
	OFFCORE(1, 0x02b7, 0x360005ffbfULL),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_knl_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, TWO, 0x01b7, 0x799ffbb6e7ULL },
	{ BPMU_EXTRA_OFFCORE_1, TWO, 0x02b7, 0x399ffbffe7ULL },
	{ 0 }
};

/*
 * Extra registers of Panther Cove and Coyote Cove, the OMRs. Source: Linux 7.0,
 * intel_pnc_extra_regs; of the events with code 0xd6 and of the counters: Intel's event file of
 * Nova Lake.
 */
#define OMR(number, counters, code, bits) \
	{ BPMU_EXTRA_OMR_##number, (counters), (code), (bits) }
#define OMR_BITS 0x40ffffff0000ffffULL
#define OMR_LOADS 0xffffffffffffffULL

const struct bpmu_extra bpmu_intel_pnc_extras[] = {
	OMR(0, ALL, 0x012a, OMR_BITS),
	OMR(1, ALL, 0x022a, OMR_BITS),
	OMR(2, ALL, 0x042a, OMR_BITS),
	OMR(3, ALL, 0x082a, OMR_BITS),
	OMR(0, FOUR, 0x01d6, OMR_LOADS),
	OMR(1, FOUR, 0x02d6, OMR_LOADS),
	OMR(2, FOUR, 0x04d6, OMR_LOADS),
	OMR(3, FOUR, 0x08d6, OMR_LOADS),
	FRONTEND(0x02c6, ALL, 0x9),
	FRONTEND(0x03c6, ALL, 0x7fff1f),
	FRONTEND(0x40ad, ALL, 0xf),
	FRONTEND(0x04c2, ALL, 0x8),
	{ 0 }
};

/*
 * Arctic Wolf, on which only one counter can count the event of an OMR. Source: Linux 7.0,
 * intel_arw_extra_regs
 */
#define OMR_ARW 0xc0ffffffffffffffULL

const struct bpmu_extra bpmu_intel_arw_extras[] = {
	OMR(0, 0x1, 0x01b7, OMR_ARW),
	OMR(1, 0x2, 0x02b7, OMR_ARW),
	OMR(2, 0x4, 0x04b7, OMR_ARW),
	OMR(3, 0x8, 0x08b7, OMR_ARW),
	OMR(0, 0x1, 0x01d4, OMR_ARW),
	OMR(1, 0x2, 0x02d4, OMR_ARW),
	OMR(2, 0x4, 0x04d4, OMR_ARW),
	OMR(3, 0x8, 0x08d4, OMR_ARW),
	{ 0 }
};

/* Outstanding requests: a bit that, on efficient cores, only the first extra register has */
#define OUTSTANDING BPMU_BIT(63)

const struct bpmu_extra bpmu_intel_tnt_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, ALL, 0x01b7, OUTSTANDING | 0xff0ffffff9fffULL },
	{ BPMU_EXTRA_OFFCORE_1, ALL, 0x02b7, 0xff0ffffff9fffULL },
	{ 0 }
};

const struct bpmu_extra bpmu_intel_grt_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, ALL, 0x01b7, 0x3fffffffffULL },
	{ BPMU_EXTRA_OFFCORE_1, ALL, 0x02b7, 0x3fffffffffULL },
	LATENCY(0x05d0, TWO),
	{ 0 }
};

const struct bpmu_extra bpmu_intel_cmt_extras[] = {
	{ BPMU_EXTRA_OFFCORE_0, ALL, 0x01b7, OUTSTANDING | 0xff3ffffffffffULL },
	{ BPMU_EXTRA_OFFCORE_1, ALL, 0x02b7, 0xff3ffffffffffULL },
	LATENCY(0x05d0, TWO),
	{ 0 }
};
