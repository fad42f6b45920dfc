/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Last branch records (LBR) of Intel: registers and formats.
 *
 * Sources: SDM Vol. 3, 17.4 ("Last Branch, Interrupt, and Exception Recording") and chapter
 * "Last Branch Records"; Vol. 4 (numbers of the registers); Linux, asm/msr-index.h
 * (MSR_ARCH_LBR_*, MSR_LBR_*, LBR_INFO_*) and arch/x86/events/intel/lbr.c (LBR_FORMAT_*, what each
 * format has in which bits; intel_pmu_lbr_init_*, how many records each part has, and which parts
 * have the call-stack mode).
 */
#ifndef BPMU_LBR_H
#define BPMU_LBR_H

#include "arch.h"

struct bpmu_branch;

/*
 * IA32_DEBUGCTL, its bit that turns on recording, and its bit that stops recording when a counter's
 * overflow interrupts
 */
#define BPMU_MSR_DEBUGCTL	0x1d9
#define BPMU_DEBUGCTL_LBR	BPMU_BIT(0)
#define BPMU_DEBUGCTL_FREEZE	BPMU_BIT(11)
/* Bit of IA32_DEBUGCTL with which the CPU writes branches into a debug store (SDM Vol. 3, BTS) */
#define BPMU_DEBUGCTL_BTS	BPMU_BIT(7)
/* Bit of IA32_DEBUGCTL that stops all counters when one of them raises an interrupt */
#define BPMU_DEBUGCTL_FREEZE_COUNTERS	BPMU_BIT(12)
/*
 * Bit of IA32_PERF_GLOBAL_STATUS that is 1 while recording is stopped, from PMU version
 * BPMU_VERSION_FREEZES on
 */
#define BPMU_STATUS_LBR_FROZEN	BPMU_BIT(58)

/*
 * Bits of IA32_LBR_CTL, the control register of architectural records. One bit turns recording on.
 * One bit records branches at privilege level 0, another records branches at higher levels. Each of
 * the other bits records one type of branch.
 */
#define BPMU_LBR_CTL_ON		BPMU_BIT(0)
#define BPMU_LBR_CTL_OS		BPMU_BIT(1)
#define BPMU_LBR_CTL_USR	BPMU_BIT(2)
#define BPMU_LBR_CTL_TYPES	0x7f0000ULL
/*
 * Bit of IA32_LBR_CTL that makes the records a call stack, and the bits of the types of branches
 * that this needs: relative and indirect calls, and returns
 */
#define BPMU_LBR_CTL_STACK	BPMU_BIT(3)
#define BPMU_LBR_CTL_CALLS	0x380000ULL
/*
 * Bits of MSR_LBR_SELECT, the filter of records that are not architectural: each bit excludes the
 * branches of a privilege level
 */
#define BPMU_LBR_SELECT_NO_OS	BPMU_BIT(0)
#define BPMU_LBR_SELECT_NO_USR	BPMU_BIT(1)
/*
 * Bit of MSR_LBR_SELECT that makes the records a call stack, from Haswell on, and the bits that
 * exclude all types of branches but calls and returns
 */
#define BPMU_LBR_SELECT_STACK	BPMU_BIT(9)
#define BPMU_LBR_SELECT_CALLS	0x1c4ULL

/*
 * Bit HAS_LBR of EDX in CPUID leaf FEATURES is 1 if the CPU has architectural records; leaf LBR
 * enumerates their features.
 */
#define BPMU_CPUID_FEATURES	7
#define BPMU_CPUID_LBR		0x1c
#define BPMU_CPUID_HAS_LBR	BPMU_BIT(19)
/*
 * Bits of EBX in CPUID leaf BPMU_CPUID_LBR: branches can be filtered by privilege level, and by
 * type
 */
#define BPMU_LBR_FILTERS	3
/* Bit of EBX in CPUID leaf BPMU_CPUID_LBR: records can be a call stack */
#define BPMU_LBR_STACK		BPMU_BIT(2)
/* Bit of ECX in CPUID leaf BPMU_CPUID_LBR: records tell whether a branch was mispredicted */
#define BPMU_LBR_PREDICTIONS	BPMU_BIT(0)

/* Extracts from IA32_PERF_CAPABILITIES the format of records that are not architectural. */
#define BPMU_LBR_FORMAT(capabilities) ((capabilities) & 0x3f)

/**
 * struct bpmu_lbr_msrs - MSR addresses of last branch records
 * @from: MSR with the address of the branch of record 0; the MSRs of the other records follow
 * @to: MSR with the address of the target of record 0; the MSRs of the other records follow
 * @info: MSR with cycles and flags of record 0; the MSRs of the other records follow. 0 if there is
 *	no such MSR
 * @newest: MSR with the number of the newest record; 0 if record 0 is always the newest
 * @filter: MSR that selects which branches are recorded
 * @depth: MSR with the number of records; a write to this MSR clears all records. 0 if there is no
 *	such MSR
 */
struct bpmu_lbr_msrs {
	u32 from;
	u32 to;
	u32 info;
	u32 newest;
	u32 filter;
	u32 depth;
};

void bpmu_lbr_probe(struct bpmu_lbr *lbr, const struct bpmu_part *part, u64 capabilities,
		    const struct bpmu_cpuid *leaf);
const struct bpmu_lbr_msrs *bpmu_lbr_msrs(const struct bpmu_lbr *lbr);
u64 bpmu_lbr_filter(const struct bpmu_lbr *lbr, u64 levels);
u64 bpmu_lbr_calls(const struct bpmu_lbr *lbr);
void bpmu_lbr_decode(const struct bpmu_lbr *lbr, u64 info, struct bpmu_branch *branch);

#endif /* BPMU_LBR_H */
