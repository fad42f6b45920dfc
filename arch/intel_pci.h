/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uncore counters of Intel's servers from Sandy Bridge to Ice Lake. They are in the configuration
 * space of PCI devices, or are memory-mapped at an address that a PCI device holds:
 *
 * - memory channels: four counters of 48 bits and a fixed clock counter;
 * - home agents, which receive all requests to a socket's memory, and QPI links to other sockets,
 *   up to Broadwell: four counters;
 * - M2Ms, in front of memory controllers, and UPI links, from Skylake on: four counters.
 *
 * Source of offsets and bits: Linux, arch/x86/events/intel/uncore_snbep.c, SNBEP_PCI_PMON_*,
 * SNBEP_MC_CHy_PCI_PMON_FIXED_*, SKX_M2M_PCI_PMON_*, SKX_UPI_PCI_PMON_*. The event selects have no
 * USR and no OS. Bit 21 of a QPI link's event select extends the event code (event_ext in that
 * file). The event selects of M2Ms and UPI links have 64 bits. On Skylake bits 63:32 filter by
 * opcode or address for events that are not in the tables, and are 0 for all others; on Ice Lake
 * they extend the unit mask.
 *
 * No source has the maximum increment of an occupancy event. This increment is the size of a queue:
 * at most 64 entries in a channel and 128 in a home agent or link. 128 entries at 1.6 GHz
 * (DDR4-3200) wrap 32 bits in 21 ms, and at a link's 4.8 GHz in 7 ms.
 *
 * Bit 8 of the control register freezes the counters, on Sandy Bridge, Haswell and Broadwell only
 * if bit 16 is 1 too, as in a CBo. The control register of the fixed clock counter has only an
 * enable bit.
 */
#ifndef BPMU_INTEL_PCI_H
#define BPMU_INTEL_PCI_H

#include "intel.h"

#define BPMU_PCI_LEGAL	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_EDGE | \
			 BPMU_SEL_CMASK)
/* Bit 8 of a QPI link's event code; a core's event select has ANY at this position */
#define BPMU_EVENT_EXT	BPMU_BIT(21)

#define BPMU_PCI(ids, bits, freezes, runs) \
	.select = 0xd8, .counter = 0xa0, .stride = 4, .counter_stride = 8, \
	.devices = (ids), .width = 48, .enable = BPMU_BIT(22), .legal = (bits), \
	.thresholds = 1, .ctl = 0xf4, .freeze = 0x100, .frozen = (freezes), \
	.running = (runs)

#define BPMU_IMC(ids, number, bits, freezes, runs) { \
	.unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory channel", \
	.base = BPMU_COUNTER_IMC, .nr = (number), .counters = BPMU_IMC_COUNTERS, \
	.wrap_us = 20000, \
	.fixed_select = 0xf0, .fixed_counter = 0xd0, .fixed_width = 48, \
	BPMU_PCI(ids, bits, freezes, runs), \
}

#define BPMU_HA(ids, number, bits, freezes, runs) { \
	.unit = BPMU_UNIT_HA, .name = "ha", .title = "home agent", \
	.base = BPMU_COUNTER_HA, .nr = (number), .counters = BPMU_HA_COUNTERS, \
	.wrap_us = 6500, \
	BPMU_PCI(ids, bits, freezes, runs), \
}

#define BPMU_QPI(ids, number, bits, freezes, runs) { \
	.unit = BPMU_UNIT_LINK, .name = "qpi", .title = "QPI link", \
	.base = BPMU_COUNTER_LINK, .nr = (number), .counters = BPMU_LINK_COUNTERS, \
	.wrap_us = 6500, \
	BPMU_PCI(ids, (bits) | BPMU_EVENT_EXT, freezes, runs), \
}

/*
 * Skylake's boxes whose registers are in extended PCI configuration space, at offsets from 0x100 on
 */
#define BPMU_SKX_EXTENDED(ids) \
	.wide = 1, .stride = 8, .devices = (ids), .width = 48, .enable = BPMU_BIT(22), \
	.legal = BPMU_PCI_LEGAL | BPMU_SEL_INV, .thresholds = 1, .freeze = 0x100, \
	.frozen = 0x100, .running = 0

#define BPMU_SKX_M2M { \
	.unit = BPMU_UNIT_HA, .name = "m2m", .title = "M2M", \
	.base = BPMU_COUNTER_HA, .nr = 2, .counters = BPMU_HA_COUNTERS, .wrap_us = 6500, \
	.select = 0x228, .counter = 0x200, .ctl = 0x258, \
	BPMU_SKX_EXTENDED(bpmu_intel_skx_agents), \
}

#define BPMU_SKX_UPI { \
	.unit = BPMU_UNIT_LINK, .name = "upi", .title = "UPI link", \
	.base = BPMU_COUNTER_LINK, .nr = 3, .counters = BPMU_LINK_COUNTERS, .wrap_us = 6500, \
	.select = 0x350, .counter = 0x318, .ctl = 0x378, \
	BPMU_SKX_EXTENDED(bpmu_intel_skx_links), \
}

/*
 * Ice Lake's memory channels, twelve in four controllers, whose registers are memory-mapped. Their
 * fixed clock counter counts every other cycle. Linux' driver icx_uncore programs the channels
 * without being bound to their device. Source: Linux, uncore_snbep.c, SNR_IMC_MMIO_*,
 * ICX_NUMBER_IMC_CHN and icx_uncore_imc.
 */
#define BPMU_ICX_IMC { \
	.unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory channel", \
	.base = BPMU_COUNTER_IMC, .nr = 12, .counters = BPMU_IMC_COUNTERS, \
	.wrap_us = 20000, .devices = bpmu_intel_icx_memory, \
	.channels = &bpmu_intel_icx_channels, .size = 0x58, .driver = "icx_uncore", \
	.select = 0x40, .counter = 0x08, .stride = 4, .counter_stride = 8, \
	.fixed_select = 0x54, .fixed_counter = 0x38, .fixed_width = 48, \
	.width = 48, .enable = BPMU_BIT(22), .legal = BPMU_PCI_LEGAL | BPMU_SEL_INV, \
	.thresholds = 1, .ctl = 0, .freeze = 0x100, .frozen = 0x100, .running = 0, \
}

/*
 * Bits of an event select that extend the unit mask of Ice Lake's M2Ms and UPI links: Linux,
 * uncore_snbep.c, SNR_M2M_PCI_PMON_UMASK_EXT, ICX_UPI_CTL_UMASK_EXT
 */
#define BPMU_M2M_UMASK_EXT	0x000000ff00000000ULL
#define BPMU_UPI_UMASK_EXT	0x00ffffff00000000ULL

#define BPMU_ICX_EXTENDED(ids, more, names) \
	.wide = 1, .stride = 8, .devices = (ids), .width = 48, .enable = BPMU_BIT(22), \
	.legal = BPMU_PCI_LEGAL | BPMU_SEL_INV | (more), .fields = (names), \
	.thresholds = 1, .freeze = 0x100, .frozen = 0x100, .running = 0

#define BPMU_ICX_M2M { \
	.unit = BPMU_UNIT_HA, .name = "m2m", .title = "M2M", \
	.base = BPMU_COUNTER_HA, .nr = 4, .counters = BPMU_HA_COUNTERS, .wrap_us = 6500, \
	.select = 0x468, .counter = 0x440, .ctl = 0x438, \
	BPMU_ICX_EXTENDED(bpmu_intel_icx_agents, BPMU_M2M_UMASK_EXT, \
			  bpmu_intel_icx_m2m_fields), \
}

#define BPMU_ICX_UPI { \
	.unit = BPMU_UNIT_LINK, .name = "upi", .title = "UPI link", \
	.base = BPMU_COUNTER_LINK, .nr = 3, .counters = BPMU_LINK_COUNTERS, .wrap_us = 6500, \
	.select = 0x350, .counter = 0x320, .ctl = 0x318, \
	BPMU_ICX_EXTENDED(bpmu_intel_icx_links, BPMU_UPI_UMASK_EXT, \
			  bpmu_intel_icx_upi_fields), \
}

/*
 * Boxes in PCI devices whose @type is IMC, HA or QPI. In boxes of BPMU_SNB_PCI() the threshold can
 * be inverted, and the freeze bit works only if bit 16 of the control register is 1; boxes of
 * BPMU_IVB_PCI() have neither an invert bit nor bit 16.
 */
#define BPMU_SNB_PCI(type, ids, number) \
	BPMU_##type(ids, number, BPMU_PCI_LEGAL | BPMU_SEL_INV, 0x10100, 0x10000)
#define BPMU_IVB_PCI(type, ids, number) \
	BPMU_##type(ids, number, BPMU_PCI_LEGAL, 0x100, 0)
#define BPMU_SKX_IMC	BPMU_IMC(bpmu_intel_skx_imcs, 6, \
				 BPMU_PCI_LEGAL | BPMU_SEL_INV, 0x100, 0)

extern const u16 bpmu_intel_jkt_imcs[];
extern const u16 bpmu_intel_ivt_imcs[];
extern const u16 bpmu_intel_hsx_imcs[];
extern const u16 bpmu_intel_bdx_imcs[];
extern const u16 bpmu_intel_skx_imcs[];
extern const u16 bpmu_intel_icx_memory[];
extern const struct bpmu_channels bpmu_intel_icx_channels;

extern const u16 bpmu_intel_jkt_agents[];
extern const u16 bpmu_intel_ivt_agents[];
extern const u16 bpmu_intel_hsx_agents[];
extern const u16 bpmu_intel_bdx_agents[];
extern const u16 bpmu_intel_skx_agents[];
extern const u16 bpmu_intel_icx_agents[];
extern const struct bpmu_select_field bpmu_intel_icx_m2m_fields[];

extern const u16 bpmu_intel_jkt_links[];
extern const u16 bpmu_intel_ivt_links[];
extern const u16 bpmu_intel_hsx_links[];
extern const u16 bpmu_intel_bdx_links[];
extern const u16 bpmu_intel_skx_links[];
extern const u16 bpmu_intel_icx_links[];
extern const struct bpmu_select_field bpmu_intel_icx_upi_fields[];
extern const u16 bpmu_intel_spr_links[];

extern const struct bpmu_ubox bpmu_intel_jkt_ubox;
extern const struct bpmu_ubox bpmu_intel_ivt_ubox;
extern const struct bpmu_ubox bpmu_intel_hsx_ubox;
extern const struct bpmu_ubox bpmu_intel_bdx_ubox;
extern const struct bpmu_ubox bpmu_intel_skx_ubox;
extern const struct bpmu_ubox bpmu_intel_icx_ubox;
extern const struct bpmu_ubox bpmu_intel_spr_ubox;

#endif /* BPMU_INTEL_PCI_H */
