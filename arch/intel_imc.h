/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of the memory channels of Intel's servers from Sandy Bridge to Skylake, in
 * the configuration space of a PCI device each: four of 48 bits, and one of the memory's
 * clock alone. Offsets and bits: Linux, arch/x86/events/intel/uncore_snbep.c,
 * SNBEP_PCI_PMON_*, SNBEP_MC_CHy_PCI_PMON_FIXED_*; there is no usr and no os.
 *
 * The control freezes the counters as a CBo's does: bit 8, but on Sandy Bridge, Haswell and
 * Broadwell only where bit 16 allows it. What enables the clock's counter has no other bit.
 */
#ifndef BPMU_INTEL_IMC_H
#define BPMU_INTEL_IMC_H

#include "intel.h"

#define BPMU_IMC_LEGAL	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_EDGE | \
			 BPMU_SEL_CMASK)

#define BPMU_IMC(ids, number, bits, freezes, runs) { \
	.unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory channel", \
	.select = 0xd8, .counter = 0xa0, .stride = 4, .counter_stride = 8, \
	.fixed_select = 0xf0, .fixed_counter = 0xd0, .fixed_width = 48, \
	.devices = (ids), \
	.base = BPMU_IMC_BASE, .nr = (number), .counters = BPMU_IMC_COUNTERS, \
	.width = 48, .enable = BPMU_BIT(22), .legal = (bits), .thresholds = 1, \
	.ctl = 0xf4, .freeze = 0x100, .frozen = (freezes), .running = (runs), \
}

#define BPMU_JKT_IMCS	BPMU_IMC(bpmu_intel_jkt_imcs, 4, \
				 BPMU_IMC_LEGAL | BPMU_SEL_INV, 0x10100, 0x10000)
#define BPMU_IVT_IMCS	BPMU_IMC(bpmu_intel_ivt_imcs, BPMU_IMCS, \
				 BPMU_IMC_LEGAL, 0x100, 0)
#define BPMU_HSX_IMCS	BPMU_IMC(bpmu_intel_hsx_imcs, BPMU_IMCS, \
				 BPMU_IMC_LEGAL | BPMU_SEL_INV, 0x10100, 0x10000)
#define BPMU_BDX_IMCS	BPMU_IMC(bpmu_intel_bdx_imcs, BPMU_IMCS, \
				 BPMU_IMC_LEGAL | BPMU_SEL_INV, 0x10100, 0x10000)
#define BPMU_SKX_IMCS	BPMU_IMC(bpmu_intel_skx_imcs, 6, \
				 BPMU_IMC_LEGAL | BPMU_SEL_INV, 0x100, 0)

extern const u16 bpmu_intel_jkt_imcs[];
extern const u16 bpmu_intel_ivt_imcs[];
extern const u16 bpmu_intel_hsx_imcs[];
extern const u16 bpmu_intel_bdx_imcs[];
extern const u16 bpmu_intel_skx_imcs[];

extern const struct bpmu_ubox bpmu_intel_jkt_ubox;
extern const struct bpmu_ubox bpmu_intel_ivt_ubox;
extern const struct bpmu_ubox bpmu_intel_hsx_ubox;
extern const struct bpmu_ubox bpmu_intel_bdx_ubox;
extern const struct bpmu_ubox bpmu_intel_skx_ubox;

#endif /* BPMU_INTEL_IMC_H */
