// SPDX-License-Identifier: GPL-2.0
#include "banks.h"

#include "core.h"
#include "free_running.h"
#include "machine/probe.h"
#include "uncore.h"

#define NO_REGISTER \
	"this board lacks that register, or its scope differs from that of the group's first register"

const struct bpmu_bank_type bpmu_bank_types[BPMU_BANKS] = {
	[BPMU_BANK_CORE] = {
		.ops = &bpmu_core_ops,
		.busy = "an unknown agent has enabled a counter; stop it, or take the counter over",
		.missing = "this CPU has no counter of that number",
		.is_core = true,
	},
	[BPMU_BANK_UNCORE] = {
		.ops = &bpmu_uncore_ops,
		.busy = "the uncore's counters are in use: unload intel_uncore",
		.missing = "this package has no uncore counter of that number",
		.legal =
			"legal for the uncore: event, umask, edge, inv, a narrow cmask; no USR, OS",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_FREE_THREAD] = {
		.ops = &bpmu_free_ops,
		.missing = NO_REGISTER,
		.all_core_types = true,
	},
	[BPMU_BANK_FREE_CORE] = {
		.ops = &bpmu_free_ops,
		.missing = NO_REGISTER,
		.shares = bpmu_free_core_shares,
		.all_core_types = true,
	},
	[BPMU_BANK_FREE_PACKAGE] = {
		.ops = &bpmu_free_ops,
		.unlike =
			"the memory controllers of a package do not answer: leave its CPUs out (-C); if their PCI device has been removed, echo 1 > /sys/bus/pci/rescan",
		.missing = NO_REGISTER,
		.shares = bpmu_free_package_shares,
		.all_core_types = true,
	},
	[BPMU_BANK_L3] = {
		.ops = &bpmu_uncore_ops,
		.busy =
			"the L3's or L2's counters are in use, e.g. by perf (amd_l3, amd_l2): stop that",
		.missing = "this CPU's L3 or L2 has no counter of that number",
		.legal = "legal for L3s: event, umask, masks of threads, cores, slices; no USR, OS",
		.shares = bpmu_probe_same_l3,
	},
	[BPMU_BANK_DF] = {
		.ops = &bpmu_uncore_ops,
		.busy =
			"the data fabric's or northbridge's counters are in use, e.g. by perf (amd_df, amd_nb): stop that",
		.missing = "this CPU's data fabric or northbridge has no counter of that number",
		.legal = "legal for data fabrics and northbridges: event, umask; no USR, OS",
		.shares = bpmu_probe_same_df,
	},
	[BPMU_BANK_UMC] = {
		.ops = &bpmu_uncore_ops,
		.busy =
			"the memory controllers' counters are in use, e.g. by perf (amd_umc): stop that",
		.unlike =
			"the packages have different memory controllers: measure only one of them (-C)",
		.missing = "this package's memory controllers have no counter of that number",
		.legal = "legal for memory controllers: event, rdwrmask; no USR, OS",
		.shares = bpmu_package_shares,
		.attach = bpmu_umc_attach,
	},
	[BPMU_BANK_CHA] = {
		.ops = &bpmu_uncore_ops,
		.busy =
			"the CBos or CHAs are in use, e.g. by perf (uncore_cbox, uncore_cha): stop that",
		.missing = "this package's CBos or CHAs have no counter of that number",
		.legal =
			"legal for CBos and CHAs: event, umask, edge, tid_en, threshold; no USR, OS",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_PCU] = {
		.ops = &bpmu_uncore_ops,
		.busy = "the PCU's counters are in use, e.g. by perf (uncore_pcu): stop that",
		.missing = "this package's PCU has no counter of that number",
		.legal = "legal for PCUs: event, C-state, edge, threshold to 31; no USR",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_UBOX] = {
		.ops = &bpmu_uncore_ops,
		.busy = "the UBox's counters are in use, e.g. by perf (uncore_ubox): stop that",
		.busy_unbound =
			"the UBox is in use, e.g. by perf (uncore_ubox, uncore_type_5): stop that",
		.missing = "this package's UBox has no counter of that number",
		.legal =
			"legal for UBoxes: event, umask, edge, threshold to 31; for their clock: 0",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_IMC] = {
		.ops = &bpmu_device_ops,
		.busy =
			"a memory channel is in use, e.g. by a tool that bypasses the kernel: stop it",
		.busy_unbound =
			"a memory controller is in use, e.g. by perf (uncore_imc): stop that",
		.unlike =
			"a package has no usable memory channel or controller: leave its CPUs out (-C)",
		.missing = "this package's memory channels have no counter of that number",
		.legal =
			"legal for memory channels: event, umask, edge, threshold, for their clock 0; no USR, OS",
		.legal_client =
			"legal for a client's memory controllers: event, chmask, edge; no USR, OS",
		.unit = BPMU_UNIT_IMC,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_HA] = {
		.ops = &bpmu_device_ops,
		.busy =
			"a home agent or M2M is in use, e.g. by a tool that bypasses the kernel: stop it",
		.busy_unbound =
			"an M2M is in use, e.g. by perf (uncore_m2m, uncore_b2cmi): stop that",
		.unlike = "a package has no usable home agent or M2M: leave its CPUs out (-C)",
		.missing = "this package's home agents or M2Ms have no counter of that number",
		.legal =
			"legal for home agents and M2Ms: event, umask, edge, threshold; no USR, OS",
		.unit = BPMU_UNIT_HA,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_LINK] = {
		.ops = &bpmu_device_ops,
		.busy = "a link is in use, e.g. by a tool that bypasses the kernel: stop it",
		.busy_unbound = "a UPI link is in use, e.g. by perf (uncore_upi): stop that",
		.unlike = "a package has no usable link: leave its CPUs out (-C)",
		.missing = "this package's links have no counter of that number",
		.legal = "legal for links: event (QPI: bit 21), umask, edge, threshold; no USR, OS",
		.unit = BPMU_UNIT_LINK,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_IIO] = {
		.ops = &bpmu_uncore_ops,
		.busy = "the IIO stacks' counters are in use, e.g. by perf (uncore_iio): stop that",
		.missing = "this package's IIO stacks have no counter of that number",
		.legal =
			"legal for IIO stacks: event, umask, edge, inv, threshold, ch_mask, fc_mask",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_IRP] = {
		.ops = &bpmu_uncore_ops,
		.busy = "the IRPs' counters are in use, e.g. by perf (uncore_irp): stop that",
		.missing = "this package's IRPs have no counter of that number",
		.legal = "legal for IRPs: event, umask, edge, inv, threshold; no USR, OS",
		.shares = bpmu_uncore_shares,
	},
	[BPMU_BANK_EDC_ECLK] = {
		.ops = &bpmu_device_ops,
		.busy =
			"an EDC ECLK is in use, e.g. by a tool that bypasses the kernel: stop it",
		.unlike = "a package has no usable EDC ECLK: leave its CPUs out (-C)",
		.missing = "this package's EDC ECLKs have no counter of that number",
		.legal =
			"legal for EDC ECLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS",
		.unit = BPMU_UNIT_EDC_ECLK,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_EDC_UCLK] = {
		.ops = &bpmu_device_ops,
		.busy =
			"an EDC UCLK is in use, e.g. by a tool that bypasses the kernel: stop it",
		.unlike = "a package has no usable EDC UCLK: leave its CPUs out (-C)",
		.missing = "this package's EDC UCLKs have no counter of that number",
		.legal =
			"legal for EDC UCLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS",
		.unit = BPMU_UNIT_EDC_UCLK,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_IMC_UCLK] = {
		.ops = &bpmu_device_ops,
		.busy =
			"an IMC UCLK is in use, e.g. by a tool that bypasses the kernel: stop it",
		.unlike = "a package has no usable IMC UCLK: leave its CPUs out (-C)",
		.missing = "this package's IMC UCLKs have no counter of that number",
		.legal =
			"legal for IMC UCLKs: event, umask, edge, inv, threshold, for their clock 0; no USR, OS",
		.unit = BPMU_UNIT_IMC_UCLK,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
	[BPMU_BANK_M2PCIE] = {
		.ops = &bpmu_device_ops,
		.busy =
			"the M2PCIe is in use, e.g. by a tool that bypasses the kernel: stop it",
		.unlike = "a package has no usable M2PCIe: leave its CPUs out (-C)",
		.missing = "this package's M2PCIe has no counter of that number",
		.legal =
			"legal for M2PCIes: event, umask, edge, inv, threshold; no USR, OS",
		.unit = BPMU_UNIT_M2PCIE,
		.shares = bpmu_package_shares,
		.attach = bpmu_devices_attach,
	},
};
