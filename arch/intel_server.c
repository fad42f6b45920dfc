// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of Intel's servers from Sandy Bridge to Ice Lake in MSRs.
 *
 * CBos, from Skylake on CHAs, are the caching agents, each with a slice of the last level
 * cache and a queue of outstanding requests, the TOR; a CHA is a home agent as well. The
 * power control unit, PCU, sets the cores' frequency, voltage and C-state. The UBox
 * distributes interrupts, locks and messages; a fixed counter counts its clock, which is
 * that of the uncore. An IIO stack connects I/O devices to the mesh: on Skylake one has the
 * DMA engines and the chipset, three have PCIe slots, two have devices in the package. The
 * IRP of a stack is the agent of its devices in the coherent mesh; it has a cache of the lines
 * that they write.
 *
 * Source of MSR addresses, of fields of event selects and filters, and of the fields that
 * an event uses: Linux, arch/x86/events/intel/uncore_snbep.c, SNBEP_C0_*, SNBEP_PCU_*,
 * SNBEP_U_*, IVBEP_CB0_*, IVBEP_PCU_*, IVBEP_U_*, HSWEP_C0_*, HSWEP_PCU_*, HSWEP_U_*,
 * SKX_CHA_*, SKX_IIO*, SKX_IRP*, ICX_IRP*, *_uncore_cbox_extra_regs, skx_uncore_cha_extra_regs,
 * snbep_pcu_get_constraint(). Each band of the PCU's filter, at bits 8 * band, belongs to
 * one event; hswep_pcu_hw_config() has other bits for bands 1 to 3.
 *
 * The event selects have no USR and no OS. Bit 8 of the control register of a CBo, PCU,
 * IIO stack or IRP freezes its counters, on Sandy Bridge, Haswell and Broadwell only if bit 16
 * is 1 too. Bits 0 and 1 would reset control registers and counters. The UBox has no control
 * register: the enable bits of its event selects start its counters. Like Linux, the module does
 * not write the package's global control register, which lets all boxes count after a reset.
 */
#include "intel.h"
#include "intel_pci.h"

#define EDGE		BPMU_BIT(18)
#define TID_EN		BPMU_BIT(19)
#define ENABLE		BPMU_BIT(22)
#define INVERT		BPMU_BIT(23)
#define LEGAL		(BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | TID_EN | \
			 BPMU_SEL_CMASK)

#define FREEZE		0x100
#define FREEZE_ENABLE	0x10000

/*
 * Masks of those bits of an event select that decide which fields of the filter the event uses
 * (&bpmu_filter_use.mask)
 */
#define CODE		BPMU_SEL_EVENT
#define OPCODE		(BPMU_SEL_EVENT | 0x0100)
#define LINK		(BPMU_SEL_EVENT | 0x1000)
#define NODE		(BPMU_SEL_EVENT | 0x4000)
#define LOOKUP		0x34
#define TOR_INSERTS	0x35
#define TOR_OCCUPANCY	0x36
#define VICTIMS		0x37

#define CBOS(number) \
	.name = "cbo", .title = "CBo", AGENTS(number)

#define AGENTS(number) \
	.unit = BPMU_UNIT_CHA, .stride = 1, \
	.base = BPMU_COUNTER_CHA, .nr = (number), .counters = BPMU_CHA_COUNTERS, \
	.enable = ENABLE, .fields = fields, .thresholds = 1, .freeze = FREEZE

static const struct bpmu_select_field fields[] = {
	{ "tid_en", TID_EN, 0, 0, 0 },
	{ NULL }
};

#define OCC_SEL		0xc000ULL
#define THRESHOLD_5	0x1f000000ULL
#define OCC_INVERT	BPMU_BIT(30)
#define OCC_EDGE	BPMU_BIT(31)
#define PCU_LEGAL	(BPMU_SEL_EVENT | OCC_SEL | EDGE | THRESHOLD_5 | OCC_INVERT | \
			 OCC_EDGE)
#define UBOX_LEGAL	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | THRESHOLD_5)

/*
 * Fields of the PCU's event select. The events of C-states compare the number of cores in a C-state
 * with the threshold. occ_invert inverts the comparison; occ_edge counts only when the comparison
 * becomes true.
 */
static const struct bpmu_select_field pcu_fields[] = {
	{ "occ_invert", OCC_INVERT, 0, 0, 0 },
	{ "occ_edge", OCC_EDGE, 0, 0, 0 },
	{ NULL }
};

/*
 * Fields of the PCU's filter: each event of a band counts cycles at a frequency of at least the
 * field's value, in units of 100 MHz. The example value is 2 GHz.
 */
#define BAND(n)		(0xffULL << (n) * 8)
#define BAND_CYCLES	0x0b

static const struct bpmu_select_field pcu_filters[] = {
	{ "filter_band0", BAND(0), 0, 0, 20 },
	{ "filter_band1", BAND(1), 0, 0, 20 },
	{ "filter_band2", BAND(2), 0, 0, 20 },
	{ "filter_band3", BAND(3), 0, 0, 20 },
	{ NULL }
};

static const struct bpmu_filter_use pcu_uses[] = {
	{ CODE, BAND_CYCLES, BAND(0) },
	{ CODE, BAND_CYCLES + 1, BAND(1) },
	{ CODE, BAND_CYCLES + 2, BAND(2) },
	{ CODE, BAND_CYCLES + 3, BAND(3) },
	{ 0 }
};

#define PCU \
	.unit = BPMU_UNIT_PCU, .name = "pcu", .title = "PCU", .stride = 1, .nr = 1, \
	.base = BPMU_COUNTER_PCU, .counters = BPMU_PCU_COUNTERS, .width = 48, \
	.enable = ENABLE, .fields = pcu_fields, .thresholds = 1, .freeze = FREEZE, \
	.filters = pcu_filters, .uses = pcu_uses

#define UBOX \
	.unit = BPMU_UNIT_UBOX, .name = "ubox", .title = "UBox", .stride = 1, .nr = 1, \
	.base = BPMU_COUNTER_UBOX, .counters = BPMU_UBOX_COUNTERS, .fixed_width = 48, \
	.enable = ENABLE, .thresholds = 1

/* PCU of Sandy Bridge and Ivy Bridge */
#define SNB_PCU \
	PCU, .select = 0xc30, .counter = 0xc36, .ctl = 0xc24, .filter = 0xc34

#define SNB_UBOX \
	UBOX, .select = 0xc10, .counter = 0xc16, .width = 44, .fixed_select = 0xc08, \
	.fixed_counter = 0xc09

#define JKT_TID		0x0000001fULL
#define JKT_NODES	0x0003fc00ULL
#define JKT_STATE	0x007c0000ULL
#define JKT_OPCODE	0xff800000ULL

static const struct bpmu_select_field jkt_filters[] = {
	{ "filter_tid", JKT_TID, 0, 0, 0 },
	{ "filter_nid", JKT_NODES, 0, 1, 0, JKT_NODES },
	{ "filter_state", JKT_STATE, 0, 1, 0, JKT_STATE },
	{ "filter_opc", JKT_OPCODE, 0, 0, 0x182 },
	{ NULL }
};

static const struct bpmu_filter_use jkt_uses[] = {
	{ TID_EN, TID_EN, JKT_TID },
	{ CODE, LOOKUP, JKT_STATE },
	{ NODE, LOOKUP | 0x4000, JKT_NODES },
	{ OPCODE, TOR_INSERTS | 0x0100, JKT_OPCODE },
	{ NODE, TOR_INSERTS | 0x4000, JKT_NODES },
	{ OPCODE, TOR_OCCUPANCY | 0x0100, JKT_OPCODE },
	{ NODE, TOR_OCCUPANCY | 0x4000, JKT_NODES },
	{ NODE, VICTIMS | 0x4000, JKT_NODES },
	{ 0 }
};

static const struct bpmu_box jkt_boxes[] = {
	{
		CBOS(8), .select = 0xd10, .counter = 0xd16, .step = 0x20, .width = 44,
		.legal = LEGAL | INVERT, .ctl = 0xd04,
		.frozen = FREEZE_ENABLE | FREEZE, .running = FREEZE_ENABLE,
		.filter = 0xd14, .filters = jkt_filters, .uses = jkt_uses,
	}, {
		SNB_PCU, .legal = PCU_LEGAL | INVERT,
		.frozen = FREEZE_ENABLE | FREEZE, .running = FREEZE_ENABLE,
	}, {
		SNB_UBOX, .legal = UBOX_LEGAL | INVERT,
	},
	BPMU_SNB_PCI(IMC, bpmu_intel_jkt_imcs, 4),
	BPMU_SNB_PCI(HA, bpmu_intel_jkt_agents, 1),
	BPMU_SNB_PCI(QPI, bpmu_intel_jkt_links, 2),
	{ 0 }
};

const struct bpmu_uncore bpmu_intel_jkt_uncore = {
	.ubox = &bpmu_intel_jkt_ubox,
	.boxes = jkt_boxes,
};

/* Fields in bits 63:32 of a CBo's filter, which exist from Ivy Bridge on */
#define NODES		0x0000ffff00000000ULL
#define OPC		0x1ff0000000000000ULL
#define C6		BPMU_BIT(61)
#define NC		BPMU_BIT(62)
#define ISOC		BPMU_BIT(63)
#define OPC_AND_ALL	(OPC | C6 | NC | ISOC)

#define IVT_TID		0x0000001fULL
#define IVT_LINK	0x000001e0ULL
#define IVT_STATE	0x007e0000ULL
#define IPQ_RETRY	0x31

static const struct bpmu_select_field ivt_filters[] = {
	{ "filter_tid", IVT_TID, 0, 0, 0 },
	{ "filter_link", IVT_LINK, 0, 0, 0 },
	{ "filter_state", IVT_STATE, 0, 1, 0, IVT_STATE },
	{ "filter_nid", NODES, 0, 1, 0, NODES },
	{ "filter_opc", OPC, 0, 0, 0x182 },
	{ "filter_c6", C6, 0, 0, 0 },
	{ "filter_nc", NC, 0, 0, 0 },
	{ "filter_isoc", ISOC, 0, 0, 0 },
	{ NULL }
};

static const struct bpmu_filter_use ivt_uses[] = {
	{ TID_EN, TID_EN, IVT_TID },
	{ LINK, IPQ_RETRY | 0x1000, IVT_LINK },
	{ CODE, LOOKUP, IVT_STATE },
	{ NODE, LOOKUP | 0x4000, NODES },
	{ OPCODE, TOR_INSERTS | 0x0100, OPC_AND_ALL },
	{ NODE, TOR_INSERTS | 0x4000, NODES },
	{ OPCODE, TOR_OCCUPANCY | 0x0100, OPC_AND_ALL },
	{ NODE, TOR_OCCUPANCY | 0x4000, NODES },
	{ NODE, VICTIMS | 0x4000, NODES },
	{ 0 }
};

static const struct bpmu_box ivt_boxes[] = {
	{
		CBOS(15), .select = 0xd10, .counter = 0xd16, .step = 0x20, .width = 44,
		.legal = LEGAL, .ctl = 0xd04, .frozen = FREEZE, .running = 0,
		.filter = 0xd14, .filter_high = 0xd1a, .filters = ivt_filters,
		.uses = ivt_uses,
	}, {
		SNB_PCU, .legal = PCU_LEGAL, .frozen = FREEZE, .running = 0,
	}, {
		SNB_UBOX, .legal = UBOX_LEGAL,
	},
	BPMU_IVB_PCI(IMC, bpmu_intel_ivt_imcs, 8),
	BPMU_IVB_PCI(HA, bpmu_intel_ivt_agents, 2),
	BPMU_IVB_PCI(QPI, bpmu_intel_ivt_links, 3),
	{ 0 }
};

const struct bpmu_uncore bpmu_intel_ivt_uncore = {
	.ubox = &bpmu_intel_ivt_ubox,
	.boxes = ivt_boxes,
};

#define HSX_TID		0x0000003fULL
#define HSX_LINK	0x000003c0ULL
#define HSX_STATE	0x00fe0000ULL

static const struct bpmu_select_field hsx_filters[] = {
	{ "filter_tid", HSX_TID, 0, 0, 0 },
	{ "filter_link", HSX_LINK, 0, 0, 0 },
	{ "filter_state", HSX_STATE, 0, 1, 0, HSX_STATE },
	{ "filter_nid", NODES, 0, 1, 0, NODES },
	{ "filter_opc", OPC, 0, 0, 0x182 },
	{ "filter_c6", C6, 0, 0, 0 },
	{ "filter_nc", NC, 0, 0, 0 },
	{ "filter_isoc", ISOC, 0, 0, 0 },
	{ NULL }
};

/*
 * Which fields of a CBo's filter restrict which events on Haswell. Events 0x28 to 0x2a, 0x32 and
 * 0x33 count retries of queues; they use the field NODES if bit 14 of the event select is 1.
 */
static const struct bpmu_filter_use hsx_uses[] = {
	{ TID_EN, TID_EN, HSX_TID },
	{ NODE, 0x4028, NODES },
	{ NODE, 0x4029, NODES },
	{ NODE, 0x402a, NODES },
	{ NODE, 0x4032, NODES },
	{ NODE, 0x4033, NODES },
	{ CODE, LOOKUP, HSX_STATE },
	{ NODE, LOOKUP | 0x4000, NODES },
	/* Of all events of the TOR, only UNC_C_TOR_INSERTS.OPCODE uses the field HSX_LINK. */
	{ CODE | BPMU_SEL_UMASK, TOR_INSERTS | 0x0100, HSX_LINK },
	{ OPCODE, TOR_INSERTS | 0x0100, OPC_AND_ALL },
	{ NODE, TOR_INSERTS | 0x4000, NODES },
	{ OPCODE, TOR_OCCUPANCY | 0x0100, OPC_AND_ALL },
	{ NODE, TOR_OCCUPANCY | 0x4000, NODES },
	{ NODE, VICTIMS | 0x4000, NODES },
	{ 0 }
};

#define HSX_CBOS(number) { \
	CBOS(number), .select = 0xe01, .counter = 0xe08, .step = 0x10, .width = 48, \
	.legal = LEGAL | INVERT, .ctl = 0xe00, \
	.frozen = FREEZE_ENABLE | FREEZE, .running = FREEZE_ENABLE, \
	.filter = 0xe05, .filter_high = 0xe06, .filters = hsx_filters, \
	.uses = hsx_uses, \
}

#define HSX_PCU(freezes, runs) { \
	PCU, .select = 0x711, .counter = 0x717, .ctl = 0x710, .filter = 0x715, \
	.legal = PCU_LEGAL | INVERT, .frozen = (freezes), .running = (runs), \
}

#define HSX_UBOX(bits) { \
	UBOX, .select = 0x705, .counter = 0x709, .width = (bits), \
	.fixed_select = 0x703, .fixed_counter = 0x704, .legal = UBOX_LEGAL | INVERT, \
}

static const struct bpmu_box hsx_boxes[] = {
	HSX_CBOS(18), HSX_PCU(FREEZE_ENABLE | FREEZE, FREEZE_ENABLE), HSX_UBOX(44),
	BPMU_SNB_PCI(IMC, bpmu_intel_hsx_imcs, 8),
	BPMU_SNB_PCI(HA, bpmu_intel_hsx_agents, 2),
	BPMU_SNB_PCI(QPI, bpmu_intel_hsx_links, 3),
	{ 0 }
};

const struct bpmu_uncore bpmu_intel_hsx_uncore = {
	.ubox = &bpmu_intel_hsx_ubox,
	.boxes = hsx_boxes,
};

static const struct bpmu_box bdx_boxes[] = {
	HSX_CBOS(24), HSX_PCU(FREEZE_ENABLE | FREEZE, FREEZE_ENABLE), HSX_UBOX(48),
	BPMU_SNB_PCI(IMC, bpmu_intel_bdx_imcs, 8),
	BPMU_SNB_PCI(HA, bpmu_intel_bdx_agents, 2),
	BPMU_SNB_PCI(QPI, bpmu_intel_bdx_links, 3),
	{ 0 }
};

const struct bpmu_uncore bpmu_intel_bdx_uncore = {
	.ubox = &bpmu_intel_bdx_ubox,
	.boxes = bdx_boxes,
};

#define SKX_TID		0x000001ffULL
#define SKX_STATE	0x07fe0000ULL
/*
 * Bits of a CHA's state filter with the states of lines in the last level cache; the filter's other
 * bits are for the snoop filter
 */
#define SKX_LLC_STATE	0x01e20000ULL
#define REMOTE		BPMU_BIT(32)
#define LOCAL		BPMU_BIT(33)
#define ALL_OPCODES	BPMU_BIT(35)
#define NEAR		BPMU_BIT(36)
#define NOT_NEAR	BPMU_BIT(37)
#define OPC0		0x0007fe0000000000ULL
#define OPC1		0x1ff8000000000000ULL
#define SKX_TOR		(REMOTE | LOCAL | ALL_OPCODES | NEAR | NOT_NEAR | OPC0 | \
			 OPC1 | NC | ISOC)

/*
 * Fields of the filter of Skylake's CHAs. The filter has bits for local and remote homes, and for
 * near and other memory. A request passes if the bits of its home and of its memory are 1, and if
 * it has one of the two opcodes or ALL_OPCODES is 1. Events with an opcode in Intel's files have
 * values like 0x40433 in bits 63:32.
 */
static const struct bpmu_select_field skx_filters[] = {
	{ "filter_tid", SKX_TID, 0, 0, 0 },
	{ "filter_state", SKX_STATE, 0, 1, 0, SKX_LLC_STATE },
	{ "filter_rem", REMOTE, 0, 0, 0, REMOTE },
	{ "filter_loc", LOCAL, 0, 0, 0, LOCAL },
	{ "filter_all_op", ALL_OPCODES, 0, 0, 0, ALL_OPCODES },
	{ "filter_nm", NEAR, 0, 0, 0, NEAR },
	{ "filter_not_nm", NOT_NEAR, 0, 0, 0, NOT_NEAR },
	{ "filter_opc0", OPC0, ALL_OPCODES, 0, 0 },
	{ "filter_opc1", OPC1, ALL_OPCODES, 0, 0 },
	{ "filter_nc", NC, 0, 0, 0 },
	{ "filter_isoc", ISOC, 0, 0, 0 },
	{ NULL }
};

static const struct bpmu_filter_use skx_uses[] = {
	{ TID_EN, TID_EN, SKX_TID },
	{ CODE, LOOKUP, SKX_STATE },
	{ CODE, TOR_INSERTS, SKX_TOR },
	{ CODE, TOR_OCCUPANCY, SKX_TOR },
	{ 0 }
};

#define IIO_LEGAL	(BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | INVERT | \
			 BPMU_SEL_THRESHOLD)
#define SKX_CHANNELS	0x00000ff000000000ULL
#define SKX_CLASSES	0x0000700000000000ULL

/*
 * Fields of the event select of Skylake's IIO stacks. ch_mask has one bit per part of a stack (a
 * slot or a fraction of a slot), fc_mask one per flow control class (posted, non-posted,
 * completion). The events of all parts and classes whose bits are 1 are added up, as in Intel's
 * UNC_IIO_COMP_BUF_INSERTS.CMPD.ALL_PARTS.
 */
static const struct bpmu_select_field skx_iio_fields[] = {
	{ "ch_mask", SKX_CHANNELS, 0, 1, 0 },
	{ "fc_mask", SKX_CLASSES, 0, 1, 0 },
	{ NULL }
};

#define IIOS \
	.unit = BPMU_UNIT_IIO, .name = "iio", .title = "IIO stack", .stride = 1, \
	.base = BPMU_COUNTER_IIO, .nr = 6, .counters = BPMU_IIO_COUNTERS, \
	.width = 48, .enable = ENABLE, .thresholds = 1, .freeze = FREEZE, \
	.frozen = FREEZE, .running = 0

#define IRPS \
	.unit = BPMU_UNIT_IRP, .name = "irp", .title = "IRP", .stride = 1, \
	.base = BPMU_COUNTER_IRP, .nr = 6, .counters = BPMU_IRP_COUNTERS, .width = 48, \
	.enable = ENABLE, .thresholds = 1, .freeze = FREEZE, .frozen = FREEZE, .running = 0, \
	.legal = BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | INVERT | BPMU_SEL_CMASK

static const struct bpmu_box skx_boxes[] = {
	{
		.name = "cha", .title = "CHA", AGENTS(28),
		.select = 0xe01, .counter = 0xe08, .step = 0x10, .width = 48,
		.legal = LEGAL | INVERT, .ctl = 0xe00, .frozen = FREEZE, .running = 0,
		.filter = 0xe05, .filter_high = 0xe06, .filters = skx_filters,
		.uses = skx_uses,
	}, HSX_PCU(FREEZE, 0), HSX_UBOX(48), {
		IIOS, .select = 0xa48, .counter = 0xa41, .ctl = 0xa40, .step = 0x20,
		.legal = IIO_LEGAL | SKX_CHANNELS | SKX_CLASSES, .fields = skx_iio_fields,
	}, {
		IRPS, .select = 0xa5b, .counter = 0xa59, .ctl = 0xa58, .step = 0x20,
	}, BPMU_SKX_IMC, BPMU_SKX_M2M, BPMU_SKX_UPI, { 0 }
};

/*
 * MSR with the number of CHAs. A package can have more CHAs than cores: a core can be disabled
 * while its slice of the cache is in use. Two places hold the number of CHAs. One is bits 5:0 of
 * this MSR (Intel PCM, getMaxNumOfCBoxesInternal()). The other is a PCI device: the number of ones
 * in bits 27:0 of CAPID6, offset 0x9c of device 0x2083, on Ice Lake offsets 0x9c and 0xa0 of device
 * 0x345b (Linux, uncore_snbep.c, skx_count_chabox(), icx_count_chabox()). The MSR is used because
 * firmware may hide the PCI device.
 */
#define SKX_CHA_CONFIG	0x702

const struct bpmu_uncore bpmu_intel_skx_uncore = {
	.cbo_config = SKX_CHA_CONFIG,
	.ubox = &bpmu_intel_skx_ubox,
	.boxes = skx_boxes,
};

/*
 * In Ice Lake's CHAs bits 57:32 of the event select extend the unit mask and replace the filters of
 * opcodes, homes and results: Linux, uncore_snbep.c, icx_uncore_chabox, SNR_CHA_RAW_EVENT_MASK_EXT,
 * icx_cha_hw_config(). The MSRs of these CHAs are in three ranges; Linux' table icx_cha_msr_offsets
 * begins with the last range.
 */
#define ICX_UMASK_EXT	0x03ffffff00000000ULL

static const struct bpmu_select_field icx_cha_fields[] = {
	{ "tid_en", TID_EN, 0, 0, 0 },
	{ "umask_ext", ICX_UMASK_EXT, 0, 0, 0 },
	{ NULL }
};

static const struct bpmu_select_field icx_filters[] = {
	{ "filter_tid", SKX_TID, 0, 0, 0 },
	{ NULL }
};

static const struct bpmu_filter_use icx_uses[] = {
	{ TID_EN, TID_EN, SKX_TID },
	{ 0 }
};

static const short icx_cha_offsets[] = {
	0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046, 0x054, 0x062, 0x070, 0x07e,
	0x08c, 0x09a, 0x0a8, 0x0b6, 0x0c4, 0x0d2, 0x0e0, 0x0ee,
	0x10a, 0x118, 0x126, 0x134, 0x142, 0x150, 0x15e, 0x16c, 0x17a, 0x188,
	0x196, 0x1a4, 0x1b2, 0x1c0, 0x1ce, 0x1dc,
	-0x2a0, -0x292, -0x284, -0x276, -0x268, -0x25a
};

/*
 * Distances of the MSRs of Ice Lake's six IIO stacks, and of their IRPs, from the MSRs of the first
 * stack or IRP. Five stacks have PCIe slots, one has DMA engines and the chipset. Source: Linux,
 * arch/x86/events/intel/uncore_snbep.c, icx_msr_offsets
 */
static const short icx_iio_offsets[] = { 0x00, 0x20, 0x40, 0x90, 0xb0, 0xd0 };

/*
 * Bits of an IIO stack's event select with the channels and flow control classes. Source: Linux,
 * uncore_snbep.c, SNR_IIO_PMON_RAW_EVENT_MASK_EXT
 */
#define ICX_CHANNELS	0x0000fff000000000ULL
#define ICX_CLASSES	0x0007000000000000ULL

static const struct bpmu_select_field icx_iio_fields[] = {
	{ "ch_mask", ICX_CHANNELS, 0, 1, 0 },
	{ "fc_mask", ICX_CLASSES, 0, 1, 0 },
	{ NULL }
};

static const struct bpmu_box icx_boxes[] = {
	{
		.unit = BPMU_UNIT_CHA, .name = "cha", .title = "CHA", .stride = 1,
		.base = BPMU_COUNTER_CHA, .nr = 40, .counters = BPMU_CHA_COUNTERS,
		.select = 0xe01, .counter = 0xe08, .offsets = icx_cha_offsets, .width = 48,
		.enable = ENABLE, .legal = LEGAL | INVERT | ICX_UMASK_EXT,
		.fields = icx_cha_fields, .thresholds = 1, .ctl = 0xe00, .freeze = FREEZE,
		.frozen = FREEZE, .running = 0, .filter = 0xe05, .filters = icx_filters,
		.uses = icx_uses,
	}, HSX_PCU(FREEZE, 0), HSX_UBOX(48), {
		IIOS, .select = 0xa58, .counter = 0xa51, .ctl = 0xa50,
		.offsets = icx_iio_offsets,
		.legal = IIO_LEGAL | ICX_CHANNELS | ICX_CLASSES, .fields = icx_iio_fields,
	}, {
		IRPS, .select = 0xa4d, .counter = 0xa4b, .ctl = 0xa4a,
		.offsets = icx_iio_offsets,
	}, BPMU_ICX_IMC, BPMU_ICX_M2M, BPMU_ICX_UPI, { 0 }
};

const struct bpmu_uncore bpmu_intel_icx_uncore = {
	.cbo_config = SKX_CHA_CONFIG,
	.ubox = &bpmu_intel_icx_ubox,
	.boxes = icx_boxes,
};
