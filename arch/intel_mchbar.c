// SPDX-License-Identifier: GPL-2.0
/*
 * Where the counters of clients' memory controllers are: MCHBAR, in the configuration space of a
 * client's host bridge, holds the address of a range with the free-running counters and, from Alder
 * Lake on, the PMU boxes. The tables have the identifiers of the host bridges and the offsets in
 * that range. Source of the identifiers: Linux, arch/x86/events/intel/uncore_snb.c,
 * PCI_DEVICE_ID_INTEL_*_IMC; of the offsets: SNB_UNCORE_PCI_IMC_*_BASE,
 * tgl_l_uncore_imc_freerunning[], tgl_uncore_imc_freerunning[],
 * ADL_UNCORE_IMC_FREERUNNING_BASE, ADL_UNCORE_IMC_BASE, TGL_UNCORE_MMIO_IMC_MEM_OFFSET.
 */
#include "intel.h"

#define BASE 0x5000
#define BASE_ADL 0xd800
#define STEP 0x10000
#define BOX_ADL 0xd900

static const u16 snb_hosts[] = { 0x0100, 0 };
static const u16 ivb_hosts[] = { 0x0154, 0x0150, 0 };
static const u16 hsw_hosts[] = { 0x0c00, 0x0a04, 0 };
static const u16 bdw_hosts[] = { 0x1604, 0 };

/* Host bridges of Skylake, Kaby Lake, Coffee Lake, Amber Lake, Whiskey Lake and Comet Lake */
static const u16 skl_hosts[] = {
	0x1904, 0x190c, 0x1900, 0x1910, 0x190f, 0x191f, 0x1918,
	0x590c, 0x5904, 0x5914, 0x590f, 0x591f, 0x5910, 0x5918,
	0x3ecc, 0x3ed0, 0x3e10, 0x3ec4, 0x3e0f, 0x3e1f, 0x3ec2, 0x3e30, 0x3e18, 0x3ec6,
	0x3e31, 0x3e33, 0x3eca, 0x3e32, 0x590d, 0x3e34, 0x3e35,
	0x9b44, 0x9b54, 0x9b64, 0x9b51, 0x9b61, 0x9b71, 0x9b33, 0x9b43, 0x9b53, 0x9b63,
	0x9b73, 0
};

static const u16 icl_hosts[] = { 0x8a02, 0x8a12, 0 };
static const u16 rkl_hosts[] = { 0x4c43, 0x4c53, 0 };

/* Host bridges of Tiger Lake: first of the models U and Y, then of the models H */
static const u16 tgl_u_hosts[] = { 0x9a02, 0x9a04, 0x9a12, 0x9a14, 0 };
static const u16 tgl_h_hosts[] = { 0x9a36, 0 };

/* Host bridges of Alder Lake and Raptor Lake */
static const u16 adl_hosts[] = {
	0x4660, 0x4641, 0x4601, 0x4602, 0x4609, 0x460a, 0x4621, 0x4623, 0x4629, 0x4637,
	0x463b, 0x4648, 0x4649, 0x4650, 0x4668, 0x4670, 0x4614, 0x4617, 0x4618, 0x461b,
	0x461c, 0xa700, 0xa702, 0xa706, 0xa709, 0xa701, 0xa703, 0xa704, 0xa705, 0xa707,
	0xa708, 0xa70a, 0xa70b, 0xa715, 0xa716, 0xa717, 0xa718, 0xa719, 0xa71a, 0xa71b,
	0xa71c, 0xa728, 0xa729, 0xa72a, 0
};

static const u16 mtl_hosts[] = {
	0x7d00, 0x7d01, 0x7d02, 0x7d05, 0x7d10, 0x7d14, 0x7d15, 0x7d16, 0x7d21, 0x7d22,
	0x7d23, 0x7d24, 0x7d28, 0
};

const struct bpmu_mchbar bpmu_intel_snb_mchbar[] = { { snb_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_ivb_mchbar[] = { { ivb_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_hsw_mchbar[] = { { hsw_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_bdw_mchbar[] = { { bdw_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_skl_mchbar[] = { { skl_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_icl_mchbar[] = { { icl_hosts, BASE }, { NULL } };
const struct bpmu_mchbar bpmu_intel_rkl_mchbar[] = { { rkl_hosts, BASE }, { NULL } };

const struct bpmu_mchbar bpmu_intel_tgl_mchbar[] = {
	{ tgl_u_hosts, BASE, STEP }, { tgl_h_hosts, BASE_ADL, STEP }, { NULL }
};

const struct bpmu_mchbar bpmu_intel_adl_mchbar[] = {
	{ adl_hosts, BASE_ADL, STEP, BOX_ADL }, { NULL }
};

const struct bpmu_mchbar bpmu_intel_mtl_mchbar[] = {
	{ mtl_hosts, BASE_ADL, STEP, BOX_ADL }, { NULL }
};
