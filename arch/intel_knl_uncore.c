// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore of Knights Landing and Knights Mill. The package has two memories: DDR4, of two
 * controllers with three channels each, and MCDRAM, of eight controllers (EDCs). MCDRAM is used as
 * memory, as a cache of the DDR4, or in part as each. A channel and an EDC have counters at the
 * clock of their memory, DCLK and ECLK; the controllers of both memories have more counters at
 * UCLK, the clock of the mesh. M2PCIe is between the mesh and I/O devices. Each box is a PCI device
 * with four counters. Each box except M2PCIe also has a fixed clock counter.
 *
 * Source of identifiers, offsets, bits and numbers: Linux, arch/x86/events/intel/uncore_snbep.c,
 * knl_uncore_pci_ids, KNL_*_MSR_PMON_*, knl_uncore_imc_*, knl_uncore_edc_*, knl_uncore_m2pcie. The
 * registers of a memory's boxes are in extended configuration space. The enable bit of a fixed
 * counter's control is bit 0 there (KNL_PMON_FIXED_CTL_EN). Linux starts these boxes by writing 0
 * to their control register (knl_uncore_imc_enable_box()). This clears the freeze bit and the bit
 * that enables the freeze bit, so both are set to stop a box.
 *
 * These parts have no links to other packages, and no device that identifies a package.
 *
 * No source has the maximum increment of a counter. 128 entries of a queue at 4.8 GHz, more than
 * any of these clocks, wrap 32 bits in 7 ms.
 *
 * Not programmed are the CHAs, the PCU and the UBox, whose registers are MSRs, and the IRP, of
 * which no events are published.
 */
#include "intel.h"
#include "intel_pci.h"

static const u16 channels[] = { 0x7843, 0 };
static const u16 controllers[] = { 0x7841, 0 };
static const u16 edcs_eclk[] = { 0x7835, 0 };
static const u16 edcs_uclk[] = { 0x7833, 0 };
static const u16 m2pcie[] = { 0x7817, 0 };

#define BOX(what) \
	.unit = BPMU_UNIT_##what, .base = BPMU_COUNTER_##what, .counters = BPMU_EDC_COUNTERS, \
	.stride = 4, .counter_stride = 8, .width = 48, .fixed_width = 48, \
	.fixed_enable = BPMU_BIT(0), .enable = BPMU_BIT(22), \
	.legal = BPMU_PCI_LEGAL | BPMU_SEL_INV, .thresholds = 1, .wrap_us = 6500, \
	.freeze = 0x100, .frozen = 0x10100, .running = 0

#define UCLK \
	.counter = 0x400, .select = 0x420, .ctl = 0x430, .fixed_counter = 0x44c, \
	.fixed_select = 0x454

static const struct bpmu_box boxes[] = {
	{
		BOX(IMC), .name = "imc", .title = "memory channel", .nr = 6, .devices = channels,
		.counter = 0xb00, .select = 0xb20, .ctl = 0xb30, .fixed_counter = 0xb3c,
		.fixed_select = 0xb44,
	}, {
		BOX(IMC_UCLK), UCLK, .name = "imc-uclk", .title = "IMC UCLK", .nr = 2,
		.devices = controllers,
	}, {
		BOX(EDC_ECLK), .name = "edc-eclk", .title = "EDC ECLK", .nr = BPMU_EDCS,
		.devices = edcs_eclk, .counter = 0xa00, .select = 0xa20, .ctl = 0xa30,
		.fixed_counter = 0xa3c, .fixed_select = 0xa44,
	}, {
		BOX(EDC_UCLK), UCLK, .name = "edc-uclk", .title = "EDC UCLK", .nr = BPMU_EDCS,
		.devices = edcs_uclk,
	}, {
		.unit = BPMU_UNIT_M2PCIE, .base = BPMU_COUNTER_M2PCIE, .name = "m2pcie",
		.title = "M2PCIe", .nr = 1, .counters = BPMU_M2PCIE_COUNTERS, .wrap_us = 6500,
		BPMU_PCI(m2pcie, BPMU_PCI_LEGAL | BPMU_SEL_INV, 0x10100, 0x10000),
	}, { 0 }
};

const struct bpmu_uncore bpmu_intel_knl_uncore = {
	.boxes = boxes,
};
