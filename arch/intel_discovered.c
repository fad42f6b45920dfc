// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of Intel's servers from Sapphire Rapids on, whose discovery tables tell where they
 * are: of each type of units here is what a table does not say. Numbers of types, fields of a
 * select: Linux, arch/x86/events/intel/uncore_snbep.c, UNCORE_SPR_*, UNCORE_GNR_*,
 * spr_uncores, gnr_uncores, SPR_RAW_EVENT_MASK_EXT, SNR_IIO_PMON_RAW_EVENT_MASK_EXT. The
 * numbers of MSRs are within those that PCM, types.h, has for these units.
 *
 * A unit's control freezes its counters by bit 0, and bits 8 and 9 would reset controls and
 * counters: GENERIC_PMON_BOX_CTL_*, uncore_discovery.h. Linux sets no enable bit in a select,
 * which there was up to Ice Lake; PCM sets bit 22. It is left alone here as in Linux, so that
 * a select that is not 0 is someone's. The package's global control, 0x2ff0, is left alone,
 * too, as Linux leaves it, and assumed to let all units count.
 *
 * The rows of UPI links are wrong in the tables of Sapphire and Emerald Rapids: their devices
 * are found by identifier, and have the registers of Ice Lake's with the new control. Linux,
 * spr_uncore_units_ignore, spr_uncore_upi, spr_update_device_location(). The device that tells
 * the package: spr_uncore_mmio_init().
 *
 * A CHA's filter of threads, which bit 16 of a select would switch on, is not used: that bit
 * is user mode's in the selects of cores.
 *
 * The UBox's counter of its clock, and that of a memory channel, are in no table and not used.
 */
#include "intel.h"
#include "intel_pci.h"

#define INVERT		BPMU_BIT(23)
#define LEGAL		(BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_EDGE | INVERT)
/* further bits of the unit mask */
#define UMASK_EXT	0x00ffffff00000000ULL
#define CHANNELS	0x0000fff000000000ULL
#define CLASSES		0x0007000000000000ULL
#define FREEZE		0x1

static const struct bpmu_select_field iio_fields[] = {
	{ "ch_mask", CHANNELS, 0, 1, 0 },
	{ "fc_mask", CLASSES, 0, 1, 0 },
	{ 0 }
};

static const struct bpmu_select_field ext_fields[] = {
	{ "umask_ext", UMASK_EXT, 0, 0, 0 },
	{ 0 }
};

#define UNITS \
	.width = 48, .thresholds = 1, .freeze = FREEZE, .frozen = FREEZE, .running = 0

/* a row of units of a type: number of it, of units at most */
#define CHA { \
	UNITS, .unit = BPMU_UNIT_CHA, .name = "cha", .title = "CHA", .type = 0, \
	.base = BPMU_CHA_BASE, .nr = BPMU_CHAS, .counters = BPMU_CHA_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields, \
}

#define IIO { \
	UNITS, .unit = BPMU_UNIT_IIO, .name = "iio", .title = "IIO stack", .type = 1, \
	.base = BPMU_IIO_BASE, .nr = BPMU_IIOS, .counters = BPMU_IIO_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_THRESHOLD | CHANNELS | CLASSES, .fields = iio_fields, \
}

#define PCU { \
	UNITS, .unit = BPMU_UNIT_PCU, .name = "pcu", .title = "PCU", .type = 4, .nr = 1, \
	.base = BPMU_PCU_BASE, .counters = BPMU_PCU_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_CMASK, \
}

#define UBOX { \
	UNITS, .unit = BPMU_UNIT_UBOX, .name = "ubox", .title = "UBox", .type = 5, .nr = 1, \
	.base = BPMU_UBOX_BASE, .counters = 2, .legal = LEGAL | BPMU_SEL_CMASK, \
}

#define IMC { \
	UNITS, .unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory channel", .type = 6, \
	.base = BPMU_IMC_BASE, .nr = BPMU_IMCS, .counters = 4, .round_us = 20000, \
	.legal = LEGAL | BPMU_SEL_CMASK, \
}

#define M2M(number, short_name, long_name) { \
	UNITS, .unit = BPMU_UNIT_HA, .name = (short_name), .title = (long_name), \
	.type = (number), .base = BPMU_HA_BASE, .nr = BPMU_HAS, \
	.counters = BPMU_HA_COUNTERS, .round_us = 6500, .wide = 1, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields, \
}

#define UPI \
	UNITS, .unit = BPMU_UNIT_LINK, .name = "upi", .title = "UPI link", \
	.base = BPMU_LINK_BASE, .counters = BPMU_LINK_COUNTERS, .round_us = 6500, .wide = 1, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields

/* spr_uncore_upi there: ICX_UPI_PCI_PMON_* */
#define SPR_UPI { \
	UPI, .nr = 4, .devices = bpmu_intel_spr_links, .stride = 8, \
	.select = 0x350, .counter = 0x320, .ctl = 0x318, \
}

#define GNR_UPI { UPI, .nr = BPMU_LINKS, .type = 8 }

static const struct bpmu_box spr_boxes[] = {
	CHA, IIO, PCU, UBOX, IMC, M2M(7, "m2m", "M2M"), SPR_UPI, { 0 }
};

/* CHAs by SPR_MSR_UNC_CBO_CONFIG, spr_uncore_cpu_init() there; on some models it reads as 0 */
static const struct bpmu_discovery spr_discovery = {
	.first = 0x2000, .last = 0x3fff, .chas = 0x2ffe,
};

const struct bpmu_uncore bpmu_intel_spr_uncore = {
	.ubox = &bpmu_intel_spr_ubox,
	.discovery = &spr_discovery,
	.boxes = spr_boxes,
};

/* a B2CMI is before a memory controller what an M2M was */
static const struct bpmu_box gnr_boxes[] = {
	CHA, IIO, PCU, UBOX, IMC, M2M(16, "b2cmi", "B2CMI"), GNR_UPI, { 0 }
};

static const struct bpmu_discovery gnr_discovery = { .first = 0x2000, .last = 0x3fff };

const struct bpmu_uncore bpmu_intel_gnr_uncore = {
	.ubox = &bpmu_intel_spr_ubox,
	.discovery = &gnr_discovery,
	.boxes = gnr_boxes,
};
