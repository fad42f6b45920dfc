// SPDX-License-Identifier: GPL-2.0
/*
 * PCI devices of Intel's servers. Source of the identifiers: Linux, uncore_snbep.c,
 * PCI_DEVICE_ID_INTEL_UNC_IMC*, PCI_DEVICE_ID_INTEL_UNC_HA, PCI_DEVICE_ID_INTEL_UNC_QPI* and
 * *_uncore_pci_ids; for M2Ms and UPI links skx_uncore_pci_ids and icx_uncore_pci_ids; for
 * the UBoxes and their registers PCI_DEVICE_ID_INTEL_*_UBOX in *_uncore_pci_init().
 */
#include "intel_pci.h"

const u16 bpmu_intel_jkt_imcs[] = { 0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5, 0 };

/* Channels of Ivy Bridge's two memory controllers; some models have only the first controller. */
const u16 bpmu_intel_ivt_imcs[] = {
	0x0eb4, 0x0eb5, 0x0eb0, 0x0eb1, 0x0ef4, 0x0ef5, 0x0ef0, 0x0ef1, 0
};

const u16 bpmu_intel_hsx_imcs[] = {
	0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5, 0
};

const u16 bpmu_intel_bdx_imcs[] = {
	0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5, 0
};

/* Channels of Skylake's two memory controllers; each controller has a device of each identifier. */
const u16 bpmu_intel_skx_imcs[] = { 0x2042, 0x2046, 0x204a, 0 };

/*
 * Ice Lake's device that holds the address of the memory controllers: Linux, uncore_snbep.c,
 * snr_uncore_mmio_map()
 */
const u16 bpmu_intel_icx_memory[] = { 0x3451, 0 };

const struct bpmu_channels bpmu_intel_icx_channels = {
	.base = 0xd0, .controller = 0xd8, .controllers = 4, .nr = 3, .first = 0x22800,
	.step = 0x4000, .free = 0x2200,
};

/* Home agents by part, one for each memory controller */
const u16 bpmu_intel_jkt_agents[] = { 0x3c46, 0 };
const u16 bpmu_intel_ivt_agents[] = { 0x0e30, 0x0e38, 0 };
const u16 bpmu_intel_hsx_agents[] = { 0x2f30, 0x2f38, 0 };
const u16 bpmu_intel_bdx_agents[] = { 0x6f30, 0x6f38, 0 };

/* M2Ms by part, one before each memory controller */
const u16 bpmu_intel_skx_agents[] = { 0x2066, 0 };
const u16 bpmu_intel_icx_agents[] = { 0x344a, 0 };

const struct bpmu_select_field bpmu_intel_icx_m2m_fields[] = {
	{ "umask_ext", BPMU_M2M_UMASK_EXT, 0, 0, 0 },
	{ NULL }
};

const struct bpmu_select_field bpmu_intel_icx_upi_fields[] = {
	{ "umask_ext", BPMU_UPI_UMASK_EXT, 0, 0, 0 },
	{ NULL }
};

/* QPI links by part; some models have only the first two links */
const u16 bpmu_intel_jkt_links[] = { 0x3c41, 0x3c42, 0 };
const u16 bpmu_intel_ivt_links[] = { 0x0e32, 0x0e33, 0x0e3a, 0 };
const u16 bpmu_intel_hsx_links[] = { 0x2f32, 0x2f33, 0x2f3a, 0 };
const u16 bpmu_intel_bdx_links[] = { 0x6f32, 0x6f33, 0x6f3a, 0 };
const u16 bpmu_intel_skx_links[] = { 0x2058, 0 };
const u16 bpmu_intel_icx_links[] = { 0x3441, 0 };
const u16 bpmu_intel_spr_links[] = { 0x3241, 0 };

const struct bpmu_ubox bpmu_intel_jkt_ubox = { 0x3ce0, 0x40, 0x54 };
const struct bpmu_ubox bpmu_intel_ivt_ubox = { 0x0e1e, 0x40, 0x54 };
const struct bpmu_ubox bpmu_intel_hsx_ubox = { 0x2f1e, 0x40, 0x54 };
const struct bpmu_ubox bpmu_intel_bdx_ubox = { 0x6f1e, 0x40, 0x54 };
const struct bpmu_ubox bpmu_intel_skx_ubox = { 0x2014, 0xc0, 0xd4, .lower = 1 };
const struct bpmu_ubox bpmu_intel_icx_ubox = { 0x3450, 0xc0, 0xd4 };
const struct bpmu_ubox bpmu_intel_spr_ubox = { 0x3250, 0xc0, 0xd4 };
