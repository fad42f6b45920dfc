// SPDX-License-Identifier: GPL-2.0
#include "units.h"

/* How many counter numbers the three banks of free-running registers have together */
#define FREE_COUNTERS (BPMU_COUNTER_L3 - BPMU_COUNTER_FREE)

/*
 * Names and limits of all kinds of units. Source of perf's names: Linux,
 * arch/x86/events/intel/uncore*.c and arch/x86/events/amd/uncore.c; of Intel's names: the event
 * files of github.com/intel/perfmon. These files have the same name for the CBos of clients and for
 * those of servers. The name is unambiguous, because no part has both.
 */
const struct bpmu_unit_facts bpmu_unit_facts[BPMU_UNITS] = {
	[BPMU_UNIT_CORE] = {
		.name = "core", .title = "core", .bank = BPMU_BANK_CORE,
	},
	[BPMU_UNIT_CLOCK] = {
		.name = "clock", .title = "clock", .bank = BPMU_BANK_UNCORE, .most = 1,
		.perf = { "uncore_clock" },
	},
	[BPMU_UNIT_ARB] = {
		.name = "arb", .title = "arb", .bank = BPMU_BANK_UNCORE, .most = 2,
		.perf = { "uncore_arb" }, .intel = { "ARB" },
	},
	[BPMU_UNIT_CBO] = {
		.name = "cbo", .title = "cbo", .bank = BPMU_BANK_UNCORE,
		.most = BPMU_UNCORE_BOXES, .perf = { "uncore_cbox" }, .intel = { "CBO" },
	},
	[BPMU_UNIT_FREE_THREAD] = {
		.name = "free-thread", .title = "free-running, of a thread",
		.bank = BPMU_BANK_FREE_THREAD,
	},
	[BPMU_UNIT_FREE_CORE] = {
		.name = "free-core", .title = "free-running, of a core",
		.bank = BPMU_BANK_FREE_CORE,
	},
	[BPMU_UNIT_FREE_PACKAGE] = {
		.name = "free-package", .title = "free-running, of a package",
		.bank = BPMU_BANK_FREE_PACKAGE,
	},
	[BPMU_UNIT_L3] = {
		.name = "l3", .title = "L3 of a core complex", .bank = BPMU_BANK_L3, .most = 1,
		.perf = { "amd_l3" },
	},
	[BPMU_UNIT_DF] = {
		.name = "df", .title = "data fabric", .bank = BPMU_BANK_DF, .most = 1,
		.perf = { "amd_df" },
	},
	[BPMU_UNIT_UMC] = {
		.name = "umc", .title = "memory controllers", .bank = BPMU_BANK_UMC,
		.most = BPMU_UMCS, .perf = { "amd_umc" },
	},
	[BPMU_UNIT_CHA] = {
		.name = "cha", .title = "CBos or CHAs of a server", .bank = BPMU_BANK_CHA,
		.most = BPMU_CHAS, .perf = { "uncore_cbox", "uncore_cha" },
		.intel = { "CBO", "CHA" },
	},
	[BPMU_UNIT_PCU] = {
		.name = "pcu", .title = "power control unit of a server", .bank = BPMU_BANK_PCU,
		.most = 1, .perf = { "uncore_pcu" }, .intel = { "PCU" },
	},
	[BPMU_UNIT_UBOX] = {
		.name = "ubox", .title = "UBox of a server", .bank = BPMU_BANK_UBOX, .most = 1,
		.perf = { "uncore_ubox", "uncore_type_5" }, .intel = { "UBOX" },
	},
	[BPMU_UNIT_IMC] = {
		.name = "imc",
		.title = "memory channels of a server, or memory controllers of a client",
		.bank = BPMU_BANK_IMC, .most = BPMU_IMCS, .perf = { "uncore_imc" },
		.intel = { "iMC", "iMC_DCLK" },
	},
	[BPMU_UNIT_HA] = {
		.name = "ha", .title = "home agents, M2Ms or B2CMIs of a server",
		.bank = BPMU_BANK_HA, .most = BPMU_HAS,
		.perf = { "uncore_ha", "uncore_m2m", "uncore_b2cmi" },
		.intel = { "HA", "M2M", "B2CMI" },
	},
	[BPMU_UNIT_LINK] = {
		.name = "link", .title = "QPI or UPI links of a server", .bank = BPMU_BANK_LINK,
		.most = BPMU_LINKS, .perf = { "uncore_qpi", "uncore_upi" },
		.intel = { "QPI LL", "UPI LL" },
	},
	[BPMU_UNIT_IIO] = {
		.name = "iio", .title = "IIO stacks of a server", .bank = BPMU_BANK_IIO,
		.most = BPMU_IIOS, .perf = { "uncore_iio" }, .intel = { "IIO" },
	},
	[BPMU_UNIT_IRP] = {
		.name = "irp", .title = "IRPs of a server", .bank = BPMU_BANK_IRP,
		.most = BPMU_IIOS, .perf = { "uncore_irp" }, .intel = { "IRP" },
	},
	[BPMU_UNIT_L2] = {
		.name = "l2", .title = "L2 of a core complex", .bank = BPMU_BANK_L3, .most = 1,
		.perf = { "amd_l2" },
	},
	[BPMU_UNIT_NB] = {
		.name = "nb", .title = "northbridge", .bank = BPMU_BANK_DF, .most = 1,
		.perf = { "amd_nb" },
	},
	[BPMU_UNIT_GQ] = {
		.name = "gq", .title = "global queue", .bank = BPMU_BANK_UNCORE, .most = 1,
		.perf = { "uncore" },
	},
	[BPMU_UNIT_EDC_ECLK] = {
		.name = "edc-eclk", .title = "MCDRAM controllers, at the MCDRAM's clock",
		.bank = BPMU_BANK_EDC_ECLK, .most = BPMU_EDCS, .perf = { "uncore_edc_eclk" },
		.intel = { "EDC_ECLK" },
	},
	[BPMU_UNIT_EDC_UCLK] = {
		.name = "edc-uclk", .title = "MCDRAM controllers, at the mesh's clock",
		.bank = BPMU_BANK_EDC_UCLK, .most = BPMU_EDCS, .perf = { "uncore_edc_uclk" },
		.intel = { "EDC_UCLK" },
	},
	[BPMU_UNIT_IMC_UCLK] = {
		.name = "imc-uclk", .title = "memory controllers, at the mesh's clock",
		.bank = BPMU_BANK_IMC_UCLK, .most = 2, .perf = { "uncore_imc_uclk" },
		.intel = { "iMC_UCLK" },
	},
	[BPMU_UNIT_M2PCIE] = {
		.name = "m2pcie", .title = "agent of I/O devices", .bank = BPMU_BANK_M2PCIE,
		.most = 1, .perf = { "uncore_m2pcie" }, .intel = { "M2PCIe" },
	},
};

const struct bpmu_bank_facts bpmu_bank_facts[BPMU_BANKS] = {
	[BPMU_BANK_CORE] = {
		.name = "core", .title = "core", .letter = "",
		.counters = BPMU_COUNTER_UNCORE,
	},
	[BPMU_BANK_UNCORE] = {
		.name = "uncore", .title = "uncore", .letter = "U", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_UNCORE,
		.counters = BPMU_UNCORE_BOXES * BPMU_COUNTERS_PER_BOX,
	},
	[BPMU_BANK_FREE_THREAD] = {
		.name = "free-thread", .title = "registers", .letter = "R", .free = 1,
		.first = BPMU_COUNTER_FREE, .counters = FREE_COUNTERS,
	},
	[BPMU_BANK_FREE_CORE] = {
		.name = "free-core", .title = "registers", .letter = "R", .free = 1,
		.domain = BPMU_DOMAIN_CORE, .first = BPMU_COUNTER_FREE, .counters = FREE_COUNTERS,
	},
	[BPMU_BANK_FREE_PACKAGE] = {
		.name = "free-package", .title = "registers", .letter = "R", .free = 1,
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_FREE,
		.counters = FREE_COUNTERS,
	},
	[BPMU_BANK_L3] = {
		.name = "l3", .title = "L3 or L2", .letter = "L", .domain = BPMU_DOMAIN_COMPLEX,
		.first = BPMU_COUNTER_L3, .counters = BPMU_L3_COUNTERS,
	},
	[BPMU_BANK_DF] = {
		.name = "df", .title = "data fabric or northbridge", .letter = "D",
		.domain = BPMU_DOMAIN_NODE, .first = BPMU_COUNTER_DF, .counters = BPMU_DF_COUNTERS,
	},
	[BPMU_BANK_UMC] = {
		.name = "umc", .title = "memory controllers", .letter = "M",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_UMC,
		.counters = BPMU_UMC_COUNTERS,
	},
	[BPMU_BANK_CHA] = {
		.name = "cha", .title = "CBos or CHAs", .letter = "C",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_CHA,
		.counters = BPMU_CHA_COUNTERS,
	},
	[BPMU_BANK_PCU] = {
		.name = "pcu", .title = "PCU", .letter = "P", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_PCU, .counters = BPMU_PCU_COUNTERS,
	},
	[BPMU_BANK_UBOX] = {
		.name = "ubox", .title = "UBox", .letter = "B", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_UBOX, .counters = BPMU_UBOX_COUNTERS,
	},
	[BPMU_BANK_IMC] = {
		.name = "imc", .title = "memory channels or controllers", .letter = "I",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_IMC,
		.counters = BPMU_IMC_COUNTERS,
	},
	[BPMU_BANK_HA] = {
		.name = "ha", .title = "home agents", .letter = "H", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_HA, .counters = BPMU_HA_COUNTERS,
	},
	[BPMU_BANK_LINK] = {
		.name = "link", .title = "links", .letter = "Q", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_LINK, .counters = BPMU_LINK_COUNTERS,
	},
	[BPMU_BANK_IIO] = {
		.name = "iio", .title = "IIO stacks", .letter = "O", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_IIO, .counters = BPMU_IIO_COUNTERS,
	},
	[BPMU_BANK_IRP] = {
		.name = "irp", .title = "IRPs", .letter = "A", .domain = BPMU_DOMAIN_PACKAGE,
		.first = BPMU_COUNTER_IRP, .counters = BPMU_IRP_COUNTERS,
	},
	[BPMU_BANK_EDC_ECLK] = {
		.name = "edc-eclk", .title = "EDC ECLKs", .letter = "E",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_EDC_ECLK,
		.counters = BPMU_EDC_COUNTERS,
	},
	[BPMU_BANK_EDC_UCLK] = {
		.name = "edc-uclk", .title = "EDC UCLKs", .letter = "F",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_EDC_UCLK,
		.counters = BPMU_EDC_COUNTERS,
	},
	[BPMU_BANK_IMC_UCLK] = {
		.name = "imc-uclk", .title = "IMC UCLKs", .letter = "J",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_IMC_UCLK,
		.counters = BPMU_EDC_COUNTERS,
	},
	[BPMU_BANK_M2PCIE] = {
		.name = "m2pcie", .title = "M2PCIes", .letter = "K",
		.domain = BPMU_DOMAIN_PACKAGE, .first = BPMU_COUNTER_M2PCIE,
		.counters = BPMU_M2PCIE_COUNTERS,
	},
};

/**
 * bpmu_domain_name() - name of the set of CPUs (domain) that share the counters of units
 * @domain: &enum bpmu_domain
 *
 * Context: any.
 * Return: a constant string, for instance "package".
 */
const char *bpmu_domain_name(__u8 domain)
{
	static const char *const names[] = {
		[BPMU_DOMAIN_THREAD] = "CPU",
		[BPMU_DOMAIN_CORE] = "core",
		[BPMU_DOMAIN_COMPLEX] = "core complex",
		[BPMU_DOMAIN_NODE] = "node",
		[BPMU_DOMAIN_PACKAGE] = "package",
	};

	return names[domain];
}
