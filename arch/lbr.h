/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Last branch records (LBR) of Intel: registers and formats.
 *
 * Sources: SDM Vol. 3, 17.4 ("Last Branch, Interrupt, and Exception Recording") and chapter
 * "Last Branch Records"; Vol. 4 (numbers of the registers); Linux, asm/msr-index.h
 * (MSR_ARCH_LBR_*, MSR_LBR_*, LBR_INFO_*) and arch/x86/events/intel/lbr.c (LBR_FORMAT_*, what each
 * format has in which bits; intel_pmu_lbr_init_*, how many records each part has).
 */
#ifndef BPMU_LBR_H
#define BPMU_LBR_H

#include "arch.h"

struct bpmu_branch;

/* IA32_DEBUGCTL: LBR records branches, FREEZE stops that when a counter's overflow interrupts */
#define BPMU_MSR_DEBUGCTL	0x1d9
#define BPMU_DEBUGCTL_LBR	BPMU_BIT(0)
#define BPMU_DEBUGCTL_FREEZE	BPMU_BIT(11)
/* bit of IA32_PERF_GLOBAL_STATUS: the records are frozen, from BPMU_VERSION_FREEZES on */
#define BPMU_STATUS_LBR_FROZEN	BPMU_BIT(58)

/* bits of IA32_LBR_CTL, of architectural records; a type's bit lets branches of it be recorded */
#define BPMU_LBR_CTL_ON		BPMU_BIT(0)
#define BPMU_LBR_CTL_OS		BPMU_BIT(1)
#define BPMU_LBR_CTL_USR	BPMU_BIT(2)
#define BPMU_LBR_CTL_TYPES	0x7f0000ULL
/* bits of MSR_LBR_SELECT, of the records before them: a bit suppresses branches */
#define BPMU_LBR_SELECT_NO_OS	BPMU_BIT(0)
#define BPMU_LBR_SELECT_NO_USR	BPMU_BIT(1)

/* bit of EDX of CPUID leaf FEATURES: there are architectural records, and leaf LBR tells which */
#define BPMU_CPUID_FEATURES	7
#define BPMU_CPUID_LBR		0x1c
#define BPMU_CPUID_HAS_LBR	BPMU_BIT(19)
/* bits of EBX of leaf BPMU_CPUID_LBR: filters by privilege level and by type of branch */
#define BPMU_LBR_FILTERS	3
/* bit of ECX of that leaf: records tell mispredictions */
#define BPMU_LBR_PREDICTIONS	BPMU_BIT(0)

/* format of the records before architectural ones, in IA32_PERF_CAPABILITIES */
#define BPMU_LBR_FORMAT(capabilities) ((capabilities) & 0x3f)

/**
 * struct bpmu_lbr_msrs - registers of branch records
 * @from: address of the register with the first record's branch
 * @to: address of the register with the first record's target
 * @info: address of the register with what else is known of the first record, 0 if none is
 * @newest: register with the number of the newest record; 0 if record 0 is always the newest
 * @filter: register that selects branches
 * @depth: register with the number of records, of which a write clears them all; 0 if there is none
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
void bpmu_lbr_decode(const struct bpmu_lbr *lbr, u64 info, struct bpmu_branch *branch);

#endif /* BPMU_LBR_H */
