/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Architectural performance monitoring of Intel: register numbers and bits.
 *
 * Sources: SDM Vol. 3, chapter 19 (registers), Vol. 4 table 2-2 (numbers).
 */
#ifndef BPMU_INTEL_H
#define BPMU_INTEL_H

#include "arch.h"

/* event select, SDM figure 19-6 */
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
#define BPMU_SEL_UMASK_SHIFT	8
#define BPMU_SEL_CMASK_SHIFT	24

/* what user space may set on every part of this layout; not EN, INT, PC */
#define BPMU_SEL_LEGAL_NOANY	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | \
				 BPMU_SEL_USR | BPMU_SEL_OS | BPMU_SEL_EDGE | \
				 BPMU_SEL_INV | BPMU_SEL_CMASK)
#define BPMU_SEL_LEGAL		(BPMU_SEL_LEGAL_NOANY | BPMU_SEL_ANY)

/* fixed counter control, four bits a counter, SDM figure 19-2 */
#define BPMU_FIXED_OS		BPMU_BIT(0)
#define BPMU_FIXED_USR		BPMU_BIT(1)
#define BPMU_FIXED_ANY		BPMU_BIT(2)
#define BPMU_FIXED_BITS		4
#define BPMU_FIXED_GROUP	0xfULL

/* registers, SDM Vol. 4 table 2-2 */
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

/* CPUID leaf 0xA, SDM Vol. 2A CPUID */
#define BPMU_CPUID_PERFMON	0x0a

/* RDPMC: bit that selects the fixed counters, SDM Vol. 2B RDPMC */
#define BPMU_RDPMC_FIXED	0x40000000

#endif /* BPMU_INTEL_H */
