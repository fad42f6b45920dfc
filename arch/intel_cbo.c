// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of the caching agents of Intel's servers from Sandy Bridge to Broadwell: CBos,
 * each with a slice of the last level cache and a queue of requests under way, the TOR.
 * Register numbers, fields of a select and of the filter, and which events use which
 * fields: Linux, arch/x86/events/intel/uncore_snbep.c, SNBEP_C0_*, IVBEP_CB0_* and
 * HSWEP_C0_*, *_uncore_cbox_extra_regs and the fields' names.
 *
 * There is no usr and no os. Each box has a control of its own, which freezes its
 * counters: bit 8; from Haswell on, and on Sandy Bridge, only where bit 16 allows it.
 * Bits 0 and 1 would reset controls and counters. The package's global control is left
 * alone, as Linux leaves it: it lets all boxes count after a reset.
 */
#include "intel.h"

#define EDGE		BPMU_BIT(18)
#define TID_EN		BPMU_BIT(19)
#define ENABLE		BPMU_BIT(22)
#define INVERT		BPMU_BIT(23)
#define LEGAL		(BPMU_SEL_EVENT | BPMU_SEL_UMASK | EDGE | TID_EN | \
			 BPMU_SEL_CMASK)

#define FREEZE		0x100
#define FREEZE_ENABLE	0x10000

/* bits of a select that tell of an event's filter: lookups, the TOR, victims */
#define CODE		BPMU_SEL_EVENT
#define OPCODE		(BPMU_SEL_EVENT | 0x0100)
#define LINK		(BPMU_SEL_EVENT | 0x1000)
#define NODE		(BPMU_SEL_EVENT | 0x4000)
#define LOOKUP		0x34
#define TOR_INSERTS	0x35
#define TOR_OCCUPANCY	0x36
#define VICTIMS		0x37

#define CBOS(number) \
	.unit = BPMU_UNIT_CHA, .name = "cbo", .title = "CBo", .stride = 1, \
	.base = BPMU_CHA_BASE, .nr = (number), .counters = BPMU_CHA_COUNTERS, \
	.enable = ENABLE, .fields = fields, .thresholds = 1, .freeze = FREEZE

static const struct bpmu_select_field fields[] = {
	{ "tid_en", TID_EN, 0, 0, 0 },
	{ 0 }
};

#define JKT_TID		0x0000001fULL
#define JKT_NODES	0x0003fc00ULL
#define JKT_STATE	0x007c0000ULL
#define JKT_OPCODE	0xff800000ULL

static const struct bpmu_select_field jkt_filters[] = {
	{ "filter_tid", JKT_TID, 0, 0, 0 },
	{ "filter_nid", JKT_NODES, 0, 1, 0 },
	{ "filter_state", JKT_STATE, 0, 1, 0 },
	{ "filter_opc", JKT_OPCODE, 0, 0, 1 },
	{ 0 }
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
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_jkt_uncore = {
	.boxes = jkt_boxes,
};

/* from Ivy Bridge on in the filter's upper half */
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
	{ "filter_state", IVT_STATE, 0, 1, 0 },
	{ "filter_nid", NODES, 0, 1, 0 },
	{ "filter_opc", OPC, 0, 0, 1 },
	{ "filter_c6", C6, 0, 0, 0 },
	{ "filter_nc", NC, 0, 0, 0 },
	{ "filter_isoc", ISOC, 0, 0, 0 },
	{ 0 }
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
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_ivt_uncore = {
	.boxes = ivt_boxes,
};

#define HSX_TID		0x0000003fULL
#define HSX_LINK	0x000003c0ULL
#define HSX_STATE	0x00fe0000ULL

static const struct bpmu_select_field hsx_filters[] = {
	{ "filter_tid", HSX_TID, 0, 0, 0 },
	{ "filter_link", HSX_LINK, 0, 0, 0 },
	{ "filter_state", HSX_STATE, 0, 1, 0 },
	{ "filter_nid", NODES, 0, 1, 0 },
	{ "filter_opc", OPC, 0, 0, 1 },
	{ "filter_c6", C6, 0, 0, 0 },
	{ "filter_nc", NC, 0, 0, 0 },
	{ "filter_isoc", ISOC, 0, 0, 0 },
	{ 0 }
};

/* retries of queues, with a node: 0x28 to 0x2a, 0x32, 0x33 */
static const struct bpmu_filter_use hsx_uses[] = {
	{ TID_EN, TID_EN, HSX_TID },
	{ NODE, 0x4028, NODES },
	{ NODE, 0x4029, NODES },
	{ NODE, 0x402a, NODES },
	{ NODE, 0x4032, NODES },
	{ NODE, 0x4033, NODES },
	{ CODE, LOOKUP, HSX_STATE },
	{ NODE, LOOKUP | 0x4000, NODES },
	/* UNC_C_TOR_INSERTS.OPCODE alone */
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

static const struct bpmu_box hsx_boxes[] = {
	HSX_CBOS(18), { 0 }
};

const struct bpmu_uncore bpmu_intel_hsx_uncore = {
	.boxes = hsx_boxes,
};

static const struct bpmu_box bdx_boxes[] = {
	HSX_CBOS(BPMU_CHAS), { 0 }
};

const struct bpmu_uncore bpmu_intel_bdx_uncore = {
	.boxes = bdx_boxes,
};
