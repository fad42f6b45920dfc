// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore of Intel's servers from Sapphire Rapids on. Discovery tables hold the addresses of the
 * units; these rows hold what the tables lack. Source of the numbers of types and of the fields of
 * an event select: Linux, arch/x86/events/intel/uncore_snbep.c, UNCORE_SPR_*, UNCORE_GNR_*,
 * spr_uncores, gnr_uncores, SPR_RAW_EVENT_MASK_EXT, SNR_IIO_PMON_RAW_EVENT_MASK_EXT. The range of
 * MSRs contains those that PCM, types.h, has for these units.
 *
 * Bit 0 of a unit's control freezes its counters; bits 8 and 9 would reset controls and counters:
 * GENERIC_PMON_BOX_CTL_*, uncore_discovery.h. The event selects are written without an enable bit
 * (bit 22 up to Ice Lake; PCM still sets it, Linux does not): any select whose bits 31:0 are not 0
 * is taken for another tool's. Like Linux, the module does not write the package's global control,
 * 0x2ff0, and assumes that this register lets all units count.
 *
 * The records of UPI links are wrong in the tables of Sapphire and Emerald Rapids. The module finds
 * the links by PCI identifier; the links have the registers of Ice Lake's links, and a control
 * register like the units in the tables: Linux, spr_uncore_units_ignore, spr_uncore_upi,
 * spr_update_device_location(). Source of the device that identifies the package:
 * spr_uncore_mmio_init().
 *
 * A CHA's thread filter is not offered: it is enabled by bit 16 of the event select, which in a
 * core's event select is USR.
 *
 * The fixed clock counters of the UBox and of memory channels are in no table and not offered.
 */
#include "intel.h"
#include "intel_pci.h"

#define INVERT		BPMU_BIT(23)
#define LEGAL		(BPMU_SEL_EVENT | BPMU_SEL_UMASK | BPMU_SEL_EDGE | INVERT)
/*
 * Bits 63:32 of uncore event selects: the first constant extends the unit mask, the next two are
 * the channels and the flow control classes of an IIO stack's event
 */
#define UMASK_EXT	0x00ffffff00000000ULL
#define CHANNELS	0x0000fff000000000ULL
#define CLASSES		0x0007000000000000ULL
#define FREEZE		0x1

static const struct bpmu_select_field iio_fields[] = {
	{ "ch_mask", CHANNELS, 0, 1, 0 },
	{ "fc_mask", CLASSES, 0, 1, 0 },
	{ NULL }
};

static const struct bpmu_select_field ext_fields[] = {
	{ "umask_ext", UMASK_EXT, 0, 0, 0 },
	{ NULL }
};

#define UNITS \
	.width = 48, .thresholds = 1, .freeze = FREEZE, .frozen = FREEZE, .running = 0

/*
 * In this macro and the following ones .type is the number that the discovery table has for the
 * type of unit, .nr the maximum number of such units in a package.
 */
#define CHA { \
	UNITS, .unit = BPMU_UNIT_CHA, .name = "cha", .title = "CHA", .type = 0, \
	.base = BPMU_COUNTER_CHA, .nr = BPMU_CHAS, .counters = BPMU_CHA_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields, \
}

#define IIO { \
	UNITS, .unit = BPMU_UNIT_IIO, .name = "iio", .title = "IIO stack", .type = 1, \
	.base = BPMU_COUNTER_IIO, .nr = BPMU_IIOS, .counters = BPMU_IIO_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_THRESHOLD | CHANNELS | CLASSES, .fields = iio_fields, \
}

/* IRPs. Intel's event files give Granite Rapids' IRPs four counters, but PCM and Linux use two. */
#define IRP { \
	UNITS, .unit = BPMU_UNIT_IRP, .name = "irp", .title = "IRP", .type = 2, \
	.base = BPMU_COUNTER_IRP, .nr = BPMU_IIOS, .counters = BPMU_IRP_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields, \
}

#define PCU { \
	UNITS, .unit = BPMU_UNIT_PCU, .name = "pcu", .title = "PCU", .type = 4, .nr = 1, \
	.base = BPMU_COUNTER_PCU, .counters = BPMU_PCU_COUNTERS, \
	.legal = LEGAL | BPMU_SEL_CMASK, \
}

#define UBOX { \
	UNITS, .unit = BPMU_UNIT_UBOX, .name = "ubox", .title = "UBox", .type = 5, .nr = 1, \
	.base = BPMU_COUNTER_UBOX, .counters = 2, .legal = LEGAL | BPMU_SEL_CMASK, \
}

#define IMC { \
	UNITS, .unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory channel", .type = 6, \
	.base = BPMU_COUNTER_IMC, .nr = BPMU_IMCS, .counters = 4, .wrap_us = 20000, \
	.legal = LEGAL | BPMU_SEL_CMASK, \
}

#define M2M(number, short_name, long_name) { \
	UNITS, .unit = BPMU_UNIT_HA, .name = (short_name), .title = (long_name), \
	.type = (number), .base = BPMU_COUNTER_HA, .nr = BPMU_HAS, \
	.counters = BPMU_HA_COUNTERS, .wrap_us = 6500, .wide = 1, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields, \
}

#define UPI \
	UNITS, .unit = BPMU_UNIT_LINK, .name = "upi", .title = "UPI link", \
	.base = BPMU_COUNTER_LINK, .counters = BPMU_LINK_COUNTERS, .wrap_us = 6500, .wide = 1, \
	.legal = LEGAL | BPMU_SEL_CMASK | UMASK_EXT, .fields = ext_fields

/* UPI links of Sapphire Rapids: PCI devices. Source: Linux, spr_uncore_upi, ICX_UPI_PCI_PMON_* */
#define SPR_UPI { \
	UPI, .nr = 4, .devices = bpmu_intel_spr_links, .stride = 8, \
	.select = 0x350, .counter = 0x320, .ctl = 0x318, \
}

#define GNR_UPI { UPI, .nr = BPMU_LINKS, .type = 8 }

static const struct bpmu_box spr_boxes[] = {
	CHA, IIO, IRP, PCU, UBOX, IMC, M2M(7, "m2m", "M2M"), SPR_UPI, { 0 }
};

/*
 * What Sapphire Rapids' discovery tables may list. .chas is the MSR with the number of CHAs, which
 * reads as 0 on some models: Linux, SPR_MSR_UNC_CBO_CONFIG, spr_uncore_cpu_init().
 */
static const struct bpmu_discovery spr_discovery = {
	.first = 0x2000, .last = 0x3fff, .chas = 0x2ffe,
};

const struct bpmu_uncore bpmu_intel_spr_uncore = {
	.ubox = &bpmu_intel_spr_ubox,
	.discovery = &spr_discovery,
	.boxes = spr_boxes,
};

/*
 * Granite Rapids' boxes. B2CMI is the new name of the M2M, the mesh's agent before a memory
 * controller.
 */
static const struct bpmu_box gnr_boxes[] = {
	CHA, IIO, IRP, PCU, UBOX, IMC, M2M(16, "b2cmi", "B2CMI"), GNR_UPI, { 0 }
};

/*
 * What Granite Rapids' discovery tables may list. Bits 8:0 of MSR 0x3fed hold the number of CHAs
 * (PCM, getMaxNumOfCBoxesInternal()), but the MSR is not read: no source says that tables of these
 * parts list more CHAs than exist, and Linux uses only the table.
 */
static const struct bpmu_discovery gnr_discovery = { .first = 0x2000, .last = 0x3fff };

const struct bpmu_uncore bpmu_intel_gnr_uncore = {
	.ubox = &bpmu_intel_spr_ubox,
	.discovery = &gnr_discovery,
	.boxes = gnr_boxes,
};
