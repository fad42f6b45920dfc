// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore of Intel's clients. The event selects have no USR and no OS: the events of the whole
 * package are counted. Source of MSR addresses: Linux, arch/x86/events/intel/uncore_snb.c; of the
 * fields of event selects: SDM Vol. 3, uncore performance monitoring of Sandy Bridge.
 */
#include "intel.h"

#define EDGE		BPMU_BIT(18)
#define ENABLE		BPMU_BIT(22)
#define INVERT		BPMU_BIT(23)
#define CMASK_5		0x1f000000ULL
#define CMASK_6		0x3f000000ULL
#define CMASK_8		0xff000000ULL
#define LEGAL		(BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | INVERT)

#define CBO_CONFIG	0x396
#define GLOBAL_ENABLE	BPMU_BIT(29)
/*
 * Bits of the uncore's global control register that select the cores to which overflow interrupts
 * go: all of them, as in Linux
 */
#define SNB_CORES	0xfULL
#define SKL_CORES	0x1fULL

/*
 * The fixed counter of the uncore clock. Linux takes 48 bits as its width, another source 44. A
 * width of 44 is right in both cases, because the counter is read before 44 bits wrap.
 */
#define CLOCK(select_msr, counter_msr, bits) { \
	.unit = BPMU_UNIT_CLOCK, .name = "clock", .select = (select_msr), \
	.counter = (counter_msr), .stride = 1, .nr = 1, .counters = 1, .width = (bits), \
	.enable = ENABLE, \
}

/*
 * Boxes of Nehalem and Westmere, except servers with more than two packages. One set of counters
 * counts events of the global queue, the L3, the home logic, memory and links (Linux,
 * nhm_uncore_cpu_init()). The address of the clock's counter is one below that of its control
 * register. The events are libpfm4's: intel_nhm_unc_events.h and intel_wsm_unc_events.h.
 */
static const struct bpmu_box nhm_boxes[] = {
	{
		.unit = BPMU_UNIT_CLOCK, .name = "clock", .select = 0x395,
		.counter = 0x394, .stride = 1, .nr = 1, .counters = 1, .width = 48,
		.enable = BPMU_BIT(0),
	}, {
		.unit = BPMU_UNIT_GQ, .name = "gq", .select = 0x3c0,
		.counter = 0x3b0, .stride = 1, .nr = 1, .counters = 8, .width = 48,
		.enable = ENABLE,
		.legal = LEGAL | CMASK_8,
	}, { 0 }
};

/*
 * The uncore's global control register has an enable bit for each counter: bits 7:0, and bit 32 for
 * the fixed counter.
 */
const struct bpmu_uncore bpmu_intel_nhm_uncore = {
	.global_ctrl = 0x391,
	.global_start = 0x1000000ffULL,
	.boxes = nhm_boxes,
};

static const struct bpmu_box snb_boxes[] = {
	CLOCK(0x394, 0x395, 44),
	{
		.unit = BPMU_UNIT_ARB, .name = "arb", .select = 0x3b2,
		.counter = 0x3b0, .stride = 1, .nr = 1, .counters = 2, .width = 44,
		.enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, {
		.unit = BPMU_UNIT_CBO, .name = "cbo", .select = 0x700,
		.counter = 0x706, .step = 0x10, .stride = 1, .nr = 4, .counters = 2,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_snb_uncore = {
	.global_ctrl = 0x391,
	.global_start = GLOBAL_ENABLE | SNB_CORES,
	.cbo_config = CBO_CONFIG,
	.slices = BPMU_SLICES_GRAPHICS,
	.boxes = snb_boxes,
};

static const struct bpmu_box skl_boxes[] = {
	CLOCK(0x394, 0x395, 44),
	{
		.unit = BPMU_UNIT_ARB, .name = "arb", .select = 0x3b2,
		.counter = 0x3b0, .stride = 1, .nr = 1, .counters = 2, .width = 44,
		.enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, {
		.unit = BPMU_UNIT_CBO, .name = "cbo", .select = 0x700,
		.counter = 0x706, .step = 0x10, .stride = 1, .nr = 7, .counters = 4,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_skl_uncore = {
	.global_ctrl = 0xe01,
	.global_start = GLOBAL_ENABLE | SKL_CORES,
	.cbo_config = CBO_CONFIG,
	.slices = BPMU_SLICES_EITHER,
	.boxes = skl_boxes,
};

/*
 * Boxes from Ice Lake on. The arbiter has lost its first counter, the only one that could count
 * occupancy. The MSRs of two CBos are 8 apart: Linux, ICL_UNC_CBO_MSR_OFFSET.
 */
static const struct bpmu_box icl_boxes[] = {
	CLOCK(0x394, 0x395, 48),
	{
		.unit = BPMU_UNIT_ARB, .name = "arb", .select = 0x3b3,
		.counter = 0x3b1, .stride = 1, .nr = 1, .counters = 1, .width = 44,
		.enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, {
		.unit = BPMU_UNIT_CBO, .name = "cbo", .select = 0x700,
		.counter = 0x702, .step = 8, .stride = 1, .nr = 8, .counters = 2,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, { 0 }
};

/*
 * Ice Lake's uncore has no global control register: an event select's enable bit starts its
 * counter.
 */
const struct bpmu_uncore bpmu_intel_icl_uncore = {
	.cbo_config = CBO_CONFIG,
	.boxes = icl_boxes,
};

static const struct bpmu_box tgl_boxes[] = {
	CLOCK(0x394, 0x395, 48),
	{
		.unit = BPMU_UNIT_ARB, .name = "arb", .select = 0x3b2,
		.counter = 0x3b0, .stride = 1, .nr = 1, .counters = 2, .width = 44,
		.enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, {
		.unit = BPMU_UNIT_CBO, .name = "cbo", .select = 0x700,
		.counter = 0x702, .step = 8, .stride = 1, .nr = 8, .counters = 2,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_tgl_uncore = {
	.global_ctrl = 0xe01,
	.global_start = GLOBAL_ENABLE,
	.cbo_config = CBO_CONFIG,
	.boxes = tgl_boxes,
};

/*
 * Memory-mapped boxes of the memory controllers from Alder Lake on: Linux,
 * arch/x86/events/intel/uncore_snb.c, adl_uncore_imc. The global control register of the second
 * controller freezes the counters of both: adl_uncore_imc_init_box(). An event select has no enable
 * bit, but it has this mask of the controller's channels. perf's events leave the mask 0, which
 * counts all channels. The registers end behind counter 4. Linux' driver intel_uncore neither binds
 * to a device nor reserves the registers, so that only event selects that are not 0 show that the
 * driver counts.
 */
#define CHANNELS	0xf00ULL

static const struct bpmu_select_field imc_fields[] = {
	{ "chmask", CHANNELS, 0, 0, 0 },
	{ NULL }
};

#define ADL_IMC { \
	.unit = BPMU_UNIT_IMC, .name = "imc", .title = "memory controller", \
	.base = BPMU_COUNTER_IMC, .nr = 2, .counters = BPMU_IMC_COUNTERS, .size = 0x110, \
	.select = 0xd0, .counter = 0xe8, .stride = 4, .counter_stride = 8, .width = 64, \
	.legal = BPMU_SEL_EVENT | CHANNELS | EDGE, .fields = imc_fields, \
	.thresholds = 1, .ctl = 0xc4, .freeze = 1, .frozen = 1, .running = 0, \
	.global = 0xc0, .global_in = 1, \
}

static const struct bpmu_box adl_boxes[] = {
	CLOCK(0x2fde, 0x2fdf, 48),
	{
		.unit = BPMU_UNIT_ARB, .name = "arb", .select = 0x2fd0,
		.counter = 0x2fd2, .step = 8, .stride = 1, .nr = 2, .counters = 2,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_5,
	}, {
		.unit = BPMU_UNIT_CBO, .name = "cbo", .select = 0x2000,
		.counter = 0x2002, .step = 8, .stride = 1, .nr = 8, .counters = 2,
		.width = 44, .enable = ENABLE,
		.legal = LEGAL | CMASK_6,
	}, ADL_IMC, { 0 }
};

const struct bpmu_uncore bpmu_intel_adl_uncore = {
	.global_ctrl = 0x2ff0,
	.global_start = GLOBAL_ENABLE,
	.cbo_config = CBO_CONFIG,
	.boxes = adl_boxes,
};

/* Boxes of Meteor Lake; its arbiters and CBos have other MSRs, which the module does not use. */
static const struct bpmu_box mtl_boxes[] = { ADL_IMC, { 0 } };

const struct bpmu_uncore bpmu_intel_mtl_uncore = {
	.boxes = mtl_boxes,
};
