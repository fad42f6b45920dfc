/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AMD's instruction-based sampling (IBS) of ops and fetches: registers, and what they say of what
 * was sampled.
 *
 * Sources: Linux, asm/msr-index.h (MSR_AMD64_IBS*, MSR_AMD64_ICIBSEXTDCTL), asm/perf_event.h
 * (IBS_CAPS_*, IBS_OP_*, IBS_FETCH_*), asm/amd/ibs.h (union ibs_op_*, union ibs_fetch_ctl,
 * union ic_ibs_extd_ctl), arch/x86/events/amd/ibs.c. AMD's manuals (AMD64 Architecture
 * Programmer's Manual Vol. 2, 13.3) were not read.
 */
#ifndef BPMU_IBS_H
#define BPMU_IBS_H

#include "arch.h"

struct bpmu_fetched;
struct bpmu_tagged_op;

/* Number of bits in which values of the count of IBS are given */
#define BPMU_IBS_WIDTH		48

/* CPUID leaf whose EAX says what IBS can do, and its bits */
#define BPMU_CPUID_IBS		0x8000001b
#define BPMU_IBS_AVAIL		BPMU_BIT(0)
#define BPMU_IBS_FETCHES	BPMU_BIT(1)
#define BPMU_IBS_OPS		BPMU_BIT(2)
#define BPMU_IBS_READ_WRITE	BPMU_BIT(3)
#define BPMU_IBS_COUNT_OPS	BPMU_BIT(4)
#define BPMU_IBS_LONG		BPMU_BIT(6)
#define BPMU_IBS_RIP_CHECK	BPMU_BIT(7)
#define BPMU_IBS_FETCH_EXT	BPMU_BIT(9)
#define BPMU_IBS_ZEN4		BPMU_BIT(11)
#define BPMU_IBS_LATENCY	BPMU_BIT(12)
#define BPMU_IBS_CTL2		BPMU_BIT(13)
#define BPMU_IBS_FETCH_LATENCY	BPMU_BIT(14)
#define BPMU_IBS_STREAMS	BPMU_BIT(16)

#define BPMU_MSR_IBS_FETCH_CTL	0xc0011030
#define BPMU_MSR_IBS_FETCH_LINEAR 0xc0011031
#define BPMU_MSR_IBS_OP_CTL	0xc0011033
#define BPMU_MSR_IBS_OP_RIP	0xc0011034
#define BPMU_MSR_IBS_OP_DATA	0xc0011035
#define BPMU_MSR_IBS_OP_DATA2	0xc0011036
#define BPMU_MSR_IBS_OP_DATA3	0xc0011037
#define BPMU_MSR_IBS_DC_LINEAR	0xc0011038
#define BPMU_MSR_IBS_CTL	0xc001103a
/* only with BPMU_IBS_FETCH_EXT */
#define BPMU_MSR_IBS_FETCH_EXT	0xc001103c
/* only with BPMU_IBS_CTL2 */
#define BPMU_MSR_IBS_OP_CTL2	0xc001103e
#define BPMU_MSR_IBS_FETCH_CTL2	0xc001103f

/* IBS_CTL: entry of the APIC's extended LVT by which IBS interrupts, and whether it is valid */
#define BPMU_IBS_CTL_ENTRY(value) ((value) & 0xf)
/* Offset of this entry in the APIC's registers; source: Linux's asm/apicdef.h, APIC_EILVTn */
#define BPMU_IBS_LVT(entry) (0x500 + 0x10 * (entry))
#define BPMU_IBS_CTL_VALID	BPMU_BIT(8)

/*
 * IBS_OP_CTL: on; a sample is valid, and nothing is counted; ops are counted, not cycles; only
 * loads that miss the L3 are sampled; bits 26:20 of the maximum count
 */
#define BPMU_IBS_OP_ON		BPMU_BIT(17)
#define BPMU_IBS_OP_VALID	BPMU_BIT(18)
#define BPMU_IBS_OP_COUNT_OPS	BPMU_BIT(19)
#define BPMU_IBS_OP_L3_MISS	BPMU_BIT(16)
#define BPMU_IBS_OP_MAX_HIGH	0x7f00000ULL
/* the current count in IBS_OP_CTL */
#define BPMU_IBS_OP_CURRENT	0x7ffffff00000000ULL
#define BPMU_IBS_OP_FROM(count)	((u64)(count) << 32)
#define BPMU_IBS_OP_COUNT(ctl)	(((ctl) & BPMU_IBS_OP_CURRENT) >> 32)
/* threshold of the load latency, less 1, in units of BPMU_IBS_LATENCY_UNIT cycles; it is used */
#define BPMU_IBS_OP_LATENCY_SHIFT 59
#define BPMU_IBS_OP_LATENCY_ON	BPMU_BIT(63)
#define BPMU_IBS_LATENCY_UNIT	128
#define BPMU_IBS_LATENCY_MOST	16

/*
 * IBS_FETCH_CTL: on; a sample is valid, and nothing is counted; the count begins at a random number
 * below BPMU_IBS_STEP; only fetches that miss the L3 are sampled
 */
#define BPMU_IBS_FETCH_ON	BPMU_BIT(48)
#define BPMU_IBS_FETCH_VALID	BPMU_BIT(49)
#define BPMU_IBS_FETCH_RANDOM	BPMU_BIT(57)
#define BPMU_IBS_FETCH_L3_MISS	BPMU_BIT(59)
/* the maximum count, and the current one, in units of BPMU_IBS_STEP */
#define BPMU_IBS_FETCH_MAX	0xffffULL
#define BPMU_IBS_FETCH_COUNT(ctl) (((ctl) >> 16 & 0xffff) * BPMU_IBS_STEP)
/* Longest period of fetches */
#define BPMU_IBS_FETCH_LONGEST	0xffff0

/*
 * IBS_OP_CTL2 and IBS_FETCH_CTL2: nothing is counted, whatever the enable bit says; of ops, only
 * non-temporal stores are sampled; of fetches, only those whose latency is at least this many times
 * BPMU_IBS_LATENCY_UNIT cycles, 0 for all
 */
#define BPMU_IBS_OFF		BPMU_BIT(0)
#define BPMU_IBS_OP_STREAMS	BPMU_BIT(3)
#define BPMU_IBS_FETCH_LATENCY_SHIFT 1
#define BPMU_IBS_FETCH_LATENCY_MOST 15

/* The maximum count is a multiple of this number. */
#define BPMU_IBS_STEP		16

/*
 * Event select of an event that IBS counts: the bits BPMU_SEL_USR and BPMU_SEL_OS, by which samples
 * are chosen after they were taken, and those below. OPS, STREAMS and LATENCY are of ops, RANDOM
 * and FETCH_LATENCY are of fetches. LATENCY, FETCH_LATENCY: threshold of the latency of a load or a
 * fetch in units of BPMU_IBS_LATENCY_UNIT cycles, 0 for none.
 */
#define BPMU_IBS_SEL_OPS	BPMU_BIT(0)
#define BPMU_IBS_SEL_RANDOM	BPMU_BIT(0)
#define BPMU_IBS_SEL_L3_MISS	BPMU_BIT(1)
#define BPMU_IBS_SEL_STREAMS	BPMU_BIT(2)
#define BPMU_IBS_SEL_LATENCY_SHIFT 8
#define BPMU_IBS_SEL_LATENCY	0x1f00ULL
#define BPMU_IBS_SEL_FETCH_LATENCY 0xf00ULL
/* Those by which the CPU discards samples; LATENCY has the bits of FETCH_LATENCY */
#define BPMU_IBS_SEL_FILTERS \
	(BPMU_IBS_SEL_L3_MISS | BPMU_IBS_SEL_STREAMS | BPMU_IBS_SEL_LATENCY)

/**
 * struct bpmu_ibs_sample - registers of a sampled op
 * @rip: IBS_OP_RIP
 * @data: IBS_OP_DATA
 * @data2: IBS_OP_DATA2
 * @data3: IBS_OP_DATA3
 * @linear: IBS_DC_LINADDR
 */
struct bpmu_ibs_sample {
	u64 rip;
	u64 data;
	u64 data2;
	u64 data3;
	u64 linear;
};

/**
 * struct bpmu_ibs_fetch - registers of a sampled fetch
 * @ctl: IBS_FETCH_CTL
 * @linear: IBS_FETCH_LINADDR
 * @ext: fetch control extension; 0 without %BPMU_IBS_FETCH_EXT
 */
struct bpmu_ibs_fetch {
	u64 ctl;
	u64 linear;
	u64 ext;
};

u32 bpmu_ibs_usable(u32 family, u32 caps);
u64 bpmu_ibs_legal(u32 caps);
int bpmu_ibs_is_latency(u64 select);
u64 bpmu_ibs_ctl(u64 select);
u64 bpmu_ibs_ctl2(u64 select);
u64 bpmu_ibs_max(u64 period);
u64 bpmu_ibs_longest(u32 caps);
int bpmu_ibs_has_rip(u32 caps, const struct bpmu_ibs_sample *sample);
int bpmu_ibs_has_1293(u32 family, u32 model);
void bpmu_ibs_decode(u32 caps, int has_1293, const struct bpmu_ibs_sample *sample,
		     struct bpmu_tagged_op *op);

u64 bpmu_ibs_fetch_legal(u32 caps);
u64 bpmu_ibs_fetch_ctl(u64 select);
u64 bpmu_ibs_fetch_ctl2(u64 select);
u64 bpmu_ibs_fetch_max(u64 period);
int bpmu_ibs_has_1197(u32 family, u32 model);
void bpmu_ibs_fetch_decode(u32 caps, const struct bpmu_ibs_fetch *sample,
			   struct bpmu_fetched *fetched);

#endif /* BPMU_IBS_H */
