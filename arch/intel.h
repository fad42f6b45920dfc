/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Architectural performance monitoring of Intel: register numbers and bits.
 *
 * Sources: SDM Vol. 3, chapter 19 (registers), Vol. 4 table 2-2 (numbers).
 */
#ifndef BPMU_INTEL_H
#define BPMU_INTEL_H

#include "arch.h"

/* Fields of an event select of a general-purpose counter: SDM Vol. 3, figure 19-6 */
#define BPMU_SEL_EVENT		0x000000ffULL
#define BPMU_SEL_UMASK		0x0000ff00ULL
#define BPMU_SEL_USR		BPMU_BIT(16)
#define BPMU_SEL_OS		BPMU_BIT(17)
#define BPMU_SEL_EDGE		BPMU_BIT(18)
#define BPMU_SEL_PC		BPMU_BIT(19)
#define BPMU_SEL_INT		BPMU_BIT(20)
#define BPMU_SEL_ANY		BPMU_BIT(21)
#define BPMU_SEL_EN		BPMU_BIT(22)
#define BPMU_SEL_INV		BPMU_BIT(23)
#define BPMU_SEL_CMASK		0xff000000ULL
/*
 * Bits of the threshold in the event select of an IIO stack, the widest one of all uncore boxes. An
 * uncore box has a threshold where a core has the counter mask.
 */
#define BPMU_SEL_THRESHOLD	0xfff000000ULL
/* AMD only: bits 35:32 of an event select, which hold bits 11:8 of the event code */
#define BPMU_SEL_EVENT_HIGH	0xf00000000ULL
/*
 * UMASK2, on those parts of Intel that have it: bits 15:8 of the unit mask, at bit 40 of the event
 * select. Source: SDM Vol. 3, IA32_PERFEVTSELx of version 6; Linux, ARCH_PERFMON_EVENTSEL_UMASK2.
 * Unit masks with more than 8 bits are UMaskExt in Intel's event files.
 */
#define BPMU_SEL_UMASK2		0xff0000000000ULL
/*
 * EQ, on those parts of Intel that have it. The counter counts the cycles in which the number of
 * events equals the counter mask; with INV it counts all other cycles. Source: SDM Vol. 3,
 * IA32_PERFEVTSELx of version 6; Linux, ARCH_PERFMON_EVENTSEL_EQ
 */
#define BPMU_SEL_EQ		BPMU_BIT(36)
/*
 * The counter's precise records have the groups of MSR_PEBS_DATA_CFG: Linux, ICL_EVENTSEL_ADAPTIVE,
 * and ICL_FIXED_0_ADAPTIVE in IA32_FIXED_CTR_CTRL
 */
#define BPMU_SEL_ADAPTIVE	BPMU_BIT(34)
#define BPMU_SEL_UMASK2_SHIFT	32
#define BPMU_SEL_EVENT_HIGH_SHIFT 24
#define BPMU_SEL_UMASK_SHIFT	8
#define BPMU_SEL_CMASK_SHIFT	24

/*
 * Bits of an event select that user space may set, without and with ANY. EN, INT and PC are
 * missing: only the module sets them.
 */
#define BPMU_SEL_LEGAL_NOANY	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | \
				 BPMU_SEL_USR | BPMU_SEL_OS | BPMU_SEL_EDGE | \
				 BPMU_SEL_INV | BPMU_SEL_CMASK)
#define BPMU_SEL_LEGAL		(BPMU_SEL_LEGAL_NOANY | BPMU_SEL_ANY)
#define BPMU_SEL_LEGAL_V6	(BPMU_SEL_LEGAL_NOANY | BPMU_SEL_UMASK2 | BPMU_SEL_EQ)

/* Bits of IA32_FIXED_CTR_CTRL for fixed counter 0; each counter has four bits: SDM figure 19-2 */
#define BPMU_FIXED_OS		BPMU_BIT(0)
#define BPMU_FIXED_USR		BPMU_BIT(1)
#define BPMU_FIXED_ANY		BPMU_BIT(2)
#define BPMU_FIXED_PMI		BPMU_BIT(3)
#define BPMU_FIXED_ADAPTIVE	BPMU_BIT(32)
#define BPMU_FIXED_BITS		4
#define BPMU_FIXED_GROUP	0xfULL

/* Number of the first general-purpose counter that BPMU_QUIRK_NEEDS_OS affects */
#define BPMU_NEEDS_OS_FIRST	4

/* Bits of an event select, and of IA32_FIXED_CTR_CTRL, that forbid RDPMC in user space. */
#define BPMU_SEL_RDPMC_USER	BPMU_BIT(37)
#define BPMU_FIXED_RDPMC_USERS	0x222200000000ULL

/*
 * General counters from this number on have only the registers of PMU version 6: Linux,
 * msr-index.h, MSR_IA32_PMC_V6_GP0_CTR and _CFG_A
 */
#define BPMU_V6_FIRST		8
#define BPMU_V6_VERSION		6
#define BPMU_MSR_V6_COUNTER0	0x1900
#define BPMU_MSR_V6_SELECT0	0x1901
#define BPMU_V6_STRIDE		4

/*
 * Registers of architectural PEBS. MSR_IA32_PEBS_BASE holds the physical address of the buffer of
 * records, and n for a buffer of 2^n pages. MSR_IA32_PEBS_INDEX holds the offset of the next record
 * and, in units of 16 bytes, the offset from which on the CPU interrupts; its bit BPMU_PEBS_FULL is
 * set when a record did not fit. Source: Linux, asm/msr-index.h (MSR_IA32_PEBS_BASE and _INDEX,
 * ARCH_PEBS_* of MSR_IA32_PMC_V6_GP0_CFG_C and _FX0_CFG_C), asm/perf_event.h (union
 * arch_pebs_index, struct arch_pebs_header, _basic and _cntr_header),
 * GLOBAL_STATUS_ARCH_PEBS_THRESHOLD_BIT.
 */
#define BPMU_MSR_PEBS_BASE	0x3f4
#define BPMU_MSR_PEBS_INDEX	0x3f5
#define BPMU_PEBS_OFFSET(index)	((index) & 0x7fffff0)
#define BPMU_PEBS_ON		BPMU_BIT(32)
#define BPMU_PEBS_FULL		BPMU_BIT(31)
#define BPMU_PEBS_THRESHOLD(offset) ((u64)(offset) << 32)
#define BPMU_MSR_V6_CONFIG0	0x1903
#define BPMU_MSR_V6_FIXED_CONFIG0 0x1983
#define BPMU_CONFIG_PEBS	BPMU_BIT(63)
/*
 * If a counter's BPMU_CONFIG_RELOAD is not 0, the CPU sets the counter to it after each record,
 * with ones above. Records may have the counter's value if BPMU_CONFIG_ALLOW is 1. Records of the
 * counter have the values of the allowed general or fixed counters if BPMU_CONFIG_GP or
 * BPMU_CONFIG_FIXED is 1, and the slots and PERF_METRICS if BPMU_CONFIG_METRICS is 1. Subleaf 4 of
 * CPUID leaf 0x23 tells by bits 31:0 of EBX which of bits 63:32 of the register there are.
 */
#define BPMU_CONFIG_RELOAD	0xffffffffULL
#define BPMU_CONFIG_ALLOW	BPMU_BIT(35)
#define BPMU_CONFIG_GP		BPMU_BIT(36)
#define BPMU_CONFIG_FIXED	BPMU_BIT(37)
#define BPMU_CONFIG_METRICS	BPMU_BIT(38)
#define BPMU_CONFIG_COUNTERS	(BPMU_CONFIG_ALLOW | BPMU_CONFIG_GP | BPMU_CONFIG_FIXED)
#define BPMU_STATUS_PEBS	BPMU_BIT(54)
/*
 * A record of architectural PEBS consists of 64-bit words. Word 0 is the header, which holds the
 * record's size in bytes. If its bit BPMU_PEBS_BASIC is 1, the basic group follows, with the
 * address of the instruction in word BPMU_PEBS_IP of the record. If BPMU_PEBS_RETIRE_KNOWN of word
 * BPMU_PEBS_RETIRE is 1, the word has the retire latency: the core cycles between the retirement of
 * the instruction before and that of the recorded one. In a record without registers, branches and
 * auxiliary data, the group of counters follows if a bit of BPMU_PEBS_HAS_COUNTERS is 1: it begins
 * at word BPMU_PEBS_HELD.
 */
#define BPMU_PEBS_SIZE(header)	((header) & 0xffff)
#define BPMU_PEBS_BASIC		BPMU_BIT(63)
#define BPMU_PEBS_IP		2
#define BPMU_PEBS_COUNTERS	3
#define BPMU_PEBS_TSC		4
#define BPMU_PEBS_RETIRE	5
#define BPMU_PEBS_RETIRE_KNOWN	BPMU_BIT(16)
#define BPMU_PEBS_RETIRE_CYCLES(word) ((word) & 0xffff)
#define BPMU_PEBS_WORDS		8
#define BPMU_PEBS_HAS_COUNTERS	(BPMU_CONFIG_GP | BPMU_CONFIG_FIXED | BPMU_CONFIG_METRICS)
#define BPMU_PEBS_HELD		8
#define BPMU_PEBS_VALUES	(BPMU_PEBS_HELD + BPMU_HELD_VALUES)

/*
 * The group of counters of a record: its first word has bitmaps of the general counters, bits 31:0,
 * and of the fixed counters. Their values begin at word BPMU_HELD_VALUES, general counters first.
 * If bits 31:0 of word BPMU_HELD_METRICS are BPMU_HELD_HAS_METRICS, the slots and PERF_METRICS
 * follow (Linux, struct pebs_cntr_header, INTEL_CNTR_METRICS).
 */
#define BPMU_HELD_METRICS	1
#define BPMU_HELD_HAS_METRICS	3
#define BPMU_HELD_VALUES	2

/*
 * The debug store (DS) of parts without architectural PEBS. BPMU_MSR_DS_AREA holds the linear
 * address of the area, BPMU_MSR_PEBS_ENABLE turns on the records of counters: bit i those of
 * general counter i and, with the adaptive formats, bit 32 + i those of fixed counter i; before,
 * general counter i counts loads by their latency if its bit 32 + i is 1 as well, and
 * BPMU_DS_STORES turns on the records of precise stores (Sandy Bridge and Ivy Bridge). The CPU
 * sets BPMU_STATUS_STORE and interrupts when the index reaches the threshold. Source: SDM Vol. 3,
 * "BTS and DS Save Area"; Linux, asm/intel_ds.h, intel_pmu_pebs_enable()
 */
#define BPMU_MSR_DS_AREA	0x600
#define BPMU_MSR_PEBS_ENABLE	0x3f1
#define BPMU_DS_LATENCY_SHIFT	32
#define BPMU_DS_STORES		BPMU_BIT(63)
#define BPMU_STATUS_STORE	BPMU_BIT(62)
/* format from which on PEBS records are adaptive, if BPMU_PERF_CAP_BASELINE is 1 too */
#define BPMU_DS_ADAPTIVE	4
/* number of counters that write such records (Linux, MAX_PEBS_EVENTS), and number before */
#define BPMU_DS_COUNTERS_MOST	8
#define BPMU_DS_COUNTERS_LEGACY	4
/* format from which on adaptive records can have the values of counters (Linux, intel_ds_init()) */
#define BPMU_DS_HELD		6
/*
 * The formats before: the first, that from which on a record names the instruction of the event,
 * and that from which on it has the TSC, and names the counters that it is of (Linux, struct
 * pebs_record_nhm, _hsw, _skl, and intel_pmu_drain_pebs_nhm())
 */
#define BPMU_DS_FIRST		1
#define BPMU_DS_NAMES		2
#define BPMU_DS_TIMED		3
/*
 * Index in &bpmu_ds.reset of fixed counter 0, by format: from 5 on there is room for 32 general
 * counters before it.
 */
#define BPMU_DS_FIRST_FIXED(format) ((format) < 5 ? 8 : 32)

/**
 * struct bpmu_ds - area of a debug store. Other members than @reset are linear addresses
 * @branches: records of branches (BTS), which are not used
 * @base: first byte of the PEBS records
 * @index: where the next record begins, which the CPU advances
 * @maximum: first byte behind the records: a record that reaches further is lost
 * @threshold: the CPU interrupts when @index is not below it
 * @reset: values to which the recorded event sets each counter
 */
struct bpmu_ds {
	u64 branches[4];
	u64 base;
	u64 index;
	u64 maximum;
	u64 threshold;
	u64 reset[48];
};

/*
 * An adaptive record without further groups consists of four 64-bit words: the size in bytes in
 * bits 63:48, the address of the instruction, the counters, and the TSC (Linux, struct pebs_basic).
 */
#define BPMU_DS_RECORD_BYTES	32
#define BPMU_DS_RECORD_SIZE(word) ((word) >> 48)
/* retire latency, see BPMU_PEBS_RETIRE, in the same word; only if BPMU_PERF_CAP_TIMING is 1 */
#define BPMU_DS_RETIRE_CYCLES(word) ((word) >> 32 & 0xffff)
#define BPMU_DS_IP		1
#define BPMU_DS_COUNTERS	2
#define BPMU_DS_TSC		3
/*
 * MSR_PEBS_DATA_CFG has the groups that follow in records of adaptive counters. Bits 31:0 of the
 * first word say which ones do. The group of memory accesses comes first, and has four words, of
 * which the first three are a struct bpmu_data_access. That of branches has three words for each
 * branch, the newest first, as in the registers: source, target, info. That of counters comes last;
 * bits 47:32 and 55:48 of MSR_PEBS_DATA_CFG have bitmaps of the general and of the fixed counters
 * whose values it has (Linux, PEBS_DATACFG_*, struct pebs_meminfo, lbr_entry).
 */
#define BPMU_MSR_PEBS_DATA_CFG	0x3f2
#define BPMU_DS_MEMORY		BPMU_BIT(0)
#define BPMU_DS_MEMORY_BYTES	32
/* groups that the module does not ask for: registers, which come before the branches, and others */
#define BPMU_DS_UNKNOWN		0xffffc6ULL
#define BPMU_DS_BRANCHES	BPMU_BIT(3)
#define BPMU_DS_BRANCHES_OF(nr)	(BPMU_DS_BRANCHES | ((u64)(nr) - 1) << 24)
#define BPMU_DS_BRANCHES_NR(word) (((word) >> 24 & 0xff) + 1)
#define BPMU_DS_BRANCH_WORDS	3
#define BPMU_DS_BRANCH_BYTES	24
#define BPMU_DS_VALUES		BPMU_BIT(4)
#define BPMU_DS_METRICS		BPMU_BIT(5)
#define BPMU_DS_GENERAL_OF(counters) (((counters) & 0xffff) << 32)
#define BPMU_DS_FIXED_OF(counters) (((counters) >> BPMU_FIXED_BASE & 0xff) << 48)
#define BPMU_DS_NAMED(groups)	((groups) >> 32)

/*
 * 64-bit words of a record of the formats before: address of the next instruction, counters, struct
 * bpmu_data_access, address of the instruction, and TSC, of which the older formats lack the last
 * ones; and bytes of a record of each format
 */
#define BPMU_DS_LEGACY_NEXT	1
#define BPMU_DS_LEGACY_COUNTERS	18
#define BPMU_DS_LEGACY_ACCESS	19
#define BPMU_DS_LEGACY_IP	22
#define BPMU_DS_LEGACY_TSC	24
#define BPMU_DS_BYTES_NEXT	176
#define BPMU_DS_BYTES_NAMES	192
#define BPMU_DS_BYTES_TIMED	200

/* MSR addresses of architectural performance monitoring: SDM Vol. 4, table 2-2 */
#define BPMU_MSR_PMC0		0x0c1
#define BPMU_MSR_A_PMC0		0x4c1
#define BPMU_MSR_PERFEVTSEL0	0x186
#define BPMU_MSR_FIXED_CTR0	0x309
#define BPMU_MSR_FIXED_CTRL	0x38d
#define BPMU_MSR_GLOBAL_STATUS	0x38e
#define BPMU_MSR_GLOBAL_CTRL	0x38f
#define BPMU_MSR_GLOBAL_OVF	0x390
#define BPMU_MSR_PERF_CAPABILITIES 0x345
#define BPMU_PERF_CAP_FULL_WRITE BPMU_BIT(13)
#define BPMU_PERF_CAP_METRICS	BPMU_BIT(15)
/* PEBS_BASELINE: fixed counters have PEBS records too, and the formats from 4 on are adaptive */
#define BPMU_PERF_CAP_BASELINE	BPMU_BIT(14)
/* PEBS_TIMING_INFO: adaptive records have the retire latency (Linux, PMU_FL_RETIRE_LATENCY) */
#define BPMU_PERF_CAP_TIMING	BPMU_BIT(17)
/* PEBS_REC_FMT, the format of records of PEBS through the debug store */
#define BPMU_PERF_CAP_PEBS(capabilities) ((capabilities) >> 8 & 0xf)
/* value of &bpmu_pmu.pebs_format with architectural PEBS (Linux, intel_pebs_init()) */
#define BPMU_PEBS_ARCHITECTURAL	16
/*
 * CTR_FRZ, a bit of IA32_PERF_GLOBAL_STATUS: while it is 1 no counter counts (SDM Vol. 3, 19.2.4)
 */
#define BPMU_STATUS_FROZEN	BPMU_BIT(59)
#define BPMU_VERSION_FREEZES	4
#define BPMU_MSR_PERF_METRICS	0x329
#define BPMU_METRICS_FIELD	0x00000700ULL
/* PERF_METRICS has this many fields, each of 8 bits; BPMU_METRICS_FULL is all slots. */
#define BPMU_METRICS_FIELDS	8
#define BPMU_METRICS_BITS	8
#define BPMU_METRICS_FULL	0xffULL
#define BPMU_FIXED_CYCLES	(BPMU_FIXED_BASE + 1)
#define BPMU_FIXED_SLOTS	(BPMU_FIXED_BASE + 3)

/*
 * SDM Vol. 4, MSR_MISC_FEATURE_CONTROL: bits 0 to 3 disable the core's L2 stream, L2 adjacent
 * line, L1 next line and L1 instruction pointer prefetchers
 */
#define BPMU_MSR_PREFETCH	0x1a4
#define BPMU_PREFETCH_ALL	0x0f
#define BPMU_PREFETCH_L1	0x0c
/* Silvermont and Goldmont have only the L2 stream and the L1 next line prefetchers. */
#define BPMU_PREFETCH_ATOM	0x05

/* CPUID leaves that enumerate the core's counters and the core type: SDM Vol. 2A, CPUID */
#define BPMU_CPUID_PERFMON	0x0a
#define BPMU_CPUID_HYBRID	0x1a
/*
 * CPUID leaf 0x23: if bit 1 of EAX in subleaf 0 is 1, subleaf 1 has bitmaps of the counters of the
 * core type that executes CPUID (SDM Vol. 2A). Bits 0 and 1 of EBX in subleaf 0 tell whether event
 * selects have UMASK2 and EQ (Linux, ARCH_PERFMON_EXT_UMASK2 and _EQ).
 */
#define BPMU_CPUID_PERFMON_EXT	0x23
#define BPMU_PERFMON_UMASK2	BPMU_BIT(0)
#define BPMU_PERFMON_EQ		BPMU_BIT(1)
#define BPMU_PERFMON_BITMAPS	BPMU_BIT(1)
/*
 * If bits 4 and 5 of EAX in subleaf 0 of CPUID leaf 0x23 are 1, subleaf 5 has bitmaps of the
 * counters with architectural PEBS, and subleaf 4 has what their records can have. Source: Linux,
 * arch/x86/events/intel/core.c, update_pmu_cap()
 */
#define BPMU_PERFMON_PEBS	0x30
#define BPMU_PERFMON_PEBS_GROUPS_LEAF 4
#define BPMU_PERFMON_PEBS_LEAF	5
/* CPUID leaf of AMD's PerfMonV2: AMD64 Architecture Programmer's Manual, Vol. 2, 13.2 */
#define BPMU_CPUID_PERFMON_V2	0x80000022
/*
 * AMD's CPUID leaf that describes one cache per subleaf: EAX holds the cache's type and the number
 * of CPUs that share it (AMD64 Architecture Programmer's Manual, Vol. 3, leaf 0x8000_001D)
 */
#define BPMU_CPUID_AMD_CACHES	0x8000001d
#define BPMU_CPUID_AMD_L2	2
#define BPMU_CPUID_AMD_L3	3
#define BPMU_CACHE_TYPE(eax)	((eax) & 0x1f)
#define BPMU_CACHE_CPUS(eax)	(((eax) >> 14 & 0xfff) + 1)
/* Extracts the number of counters of the data fabric from EBX of BPMU_CPUID_PERFMON_V2. */
#define BPMU_CPUID_DF(ebx)	((ebx) >> 10 & 0x3f)
/*
 * EBX of CPUID leaf BPMU_CPUID_PERFMON_V2 has the number of counters of all memory controllers
 * together. ECX of this leaf is the mask of the active controllers.
 */
#define BPMU_CPUID_UMC(ebx)	((ebx) >> 16 & 0x3f)
/* AMD's CPUID leaves with the number of CPUs, and the number of nodes, of a package, both in ECX */
#define BPMU_CPUID_AMD_SIZE	0x80000008
#define BPMU_CPUID_AMD_NODES	0x8000001e
#define BPMU_SIZE_BITS(ecx)	((ecx) >> 12 & 0xf)
#define BPMU_SIZE_CPUS(ecx)	(((ecx) & 0xff) + 1)
#define BPMU_NODES(ecx)		(((ecx) >> 8 & 0x7) + 1)

/*
 * First and last code of the events that, because of an erratum, add to the sibling thread's
 * counter too: see bpmu_select_leaks()
 */
#define BPMU_LEAK_FIRST		0xd0
#define BPMU_LEAK_LAST		0xd3

/* Addresses of the core's MSRs that all parts with architectural performance monitoring have */
#define BPMU_INTEL_MSRS { \
	.select = BPMU_MSR_PERFEVTSEL0, \
	.counter = BPMU_MSR_PMC0, \
	.counter_full = BPMU_MSR_A_PMC0, \
	.fixed = BPMU_MSR_FIXED_CTR0, \
	.fixed_ctrl = BPMU_MSR_FIXED_CTRL, \
	.global_ctrl = BPMU_MSR_GLOBAL_CTRL, \
	.global_status = BPMU_MSR_GLOBAL_STATUS, \
	.global_ovf = BPMU_MSR_GLOBAL_OVF, \
	.stride = 1, \
}

/* Uncore of Intel's clients: intel_uncore.c */
extern const struct bpmu_uncore bpmu_intel_nhm_uncore;
extern const struct bpmu_uncore bpmu_intel_snb_uncore;
extern const struct bpmu_uncore bpmu_intel_skl_uncore;
extern const struct bpmu_uncore bpmu_intel_icl_uncore;
extern const struct bpmu_uncore bpmu_intel_tgl_uncore;
extern const struct bpmu_uncore bpmu_intel_adl_uncore;
extern const struct bpmu_uncore bpmu_intel_mtl_uncore;

/* Uncore of Intel's servers: intel_server.c, and intel_discovered.c from Sapphire Rapids on */
extern const struct bpmu_uncore bpmu_intel_jkt_uncore;
extern const struct bpmu_uncore bpmu_intel_ivt_uncore;
extern const struct bpmu_uncore bpmu_intel_hsx_uncore;
extern const struct bpmu_uncore bpmu_intel_bdx_uncore;
extern const struct bpmu_uncore bpmu_intel_skx_uncore;
extern const struct bpmu_uncore bpmu_intel_icx_uncore;
extern const struct bpmu_uncore bpmu_intel_spr_uncore;
extern const struct bpmu_uncore bpmu_intel_gnr_uncore;

/* Uncore of Knights Landing: intel_knl_uncore.c */
extern const struct bpmu_uncore bpmu_intel_knl_uncore;

/* Where the counters of clients' memory controllers are: intel_mchbar.c */
extern const struct bpmu_mchbar bpmu_intel_snb_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_ivb_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_hsw_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_bdw_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_skl_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_icl_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_rkl_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_tgl_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_adl_mchbar[];
extern const struct bpmu_mchbar bpmu_intel_mtl_mchbar[];

/* Events of each part that have an extra register: intel_extra.c */
extern const struct bpmu_extra bpmu_intel_nhm_extras[];
extern const struct bpmu_extra bpmu_intel_wsm_extras[];
extern const struct bpmu_extra bpmu_intel_snb_extras[];
extern const struct bpmu_extra bpmu_intel_jkt_extras[];
extern const struct bpmu_extra bpmu_intel_skl_extras[];
extern const struct bpmu_extra bpmu_intel_icl_extras[];
extern const struct bpmu_extra bpmu_intel_glc_extras[];
extern const struct bpmu_extra bpmu_intel_rwc_extras[];
extern const struct bpmu_extra bpmu_intel_lnc_extras[];
extern const struct bpmu_extra bpmu_intel_slm_extras[];
extern const struct bpmu_extra bpmu_intel_glm_extras[];
extern const struct bpmu_extra bpmu_intel_knl_extras[];
extern const struct bpmu_extra bpmu_intel_pnc_extras[];
extern const struct bpmu_extra bpmu_intel_arw_extras[];
extern const struct bpmu_extra bpmu_intel_tnt_extras[];
extern const struct bpmu_extra bpmu_intel_grt_extras[];
extern const struct bpmu_extra bpmu_intel_cmt_extras[];

/* Operands with which RDPMC reads the first fixed counter and PERF_METRICS: SDM Vol. 2B, RDPMC */
#define BPMU_RDPMC_FIXED	0x40000000
#define BPMU_RDPMC_METRICS	0x20000000

#endif /* BPMU_INTEL_H */
