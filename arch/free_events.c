// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the free-running registers under this project's names, and the names that perf's PMUs
 * power, cstate_core, cstate_pkg, msr, uncore_imc and uncore_imc_free_running have for them.
 */
#include "events.h"
#include "free.h"

#define NR(rows) (sizeof(rows) / sizeof((rows)[0]))

#define ROW(id, scope, text, about) \
	[BPMU_FREE_##id] = { \
		.name = (text), .desc = (about), .counters = BPMU_FREE(id), \
		.unit = BPMU_UNIT_FREE_##scope, \
	}

static const struct bpmu_event rows[BPMU_FREE_NR] = {
	ROW(TSC, THREAD, "THREAD.TSC", "Ticks of the time stamp counter"),
	ROW(APERF, THREAD, "CORE.APERF",
	    "Unhalted cycles of the thread at the rate it runs at"),
	ROW(MPERF, THREAD, "CORE.MPERF",
	    "Unhalted cycles of the thread at the rate of the TSC"),
	ROW(PPERF, THREAD, "CORE.PPERF",
	    "Cycles of CORE.APERF in which the core made progress"),
	ROW(SMI, THREAD, "CORE.SMI", "System management interrupts"),
	ROW(IRPERF, THREAD, "CORE.IRPERF", "Instructions retired"),
	ROW(CORE_TSC, CORE, "CORE.TSC",
	    "Ticks of the time stamp counter, once for a core"),
	ROW(CORE_C1, CORE, "CORE.C1", "TSC ticks of the core in C1"),
	ROW(CORE_C3, CORE, "CORE.C3", "TSC ticks of the core in C3"),
	ROW(CORE_C6, CORE, "CORE.C6", "TSC ticks of the core in C6"),
	ROW(CORE_C7, CORE, "CORE.C7", "TSC ticks of the core in C7"),
	ROW(CORE_MARGIN, CORE, "CORE.THERMAL_MARGIN",
	    "Degrees C of the core below TjMax, times CORE.TSC"),
	ROW(CORE_ENERGY, CORE, "POWER.CORE", "Energy of the core"),
	ROW(PACKAGE_TSC, PACKAGE, "PACKAGE.TSC",
	    "Ticks of the time stamp counter, once for a package"),
	ROW(PKG, PACKAGE, "POWER.PKG", "Energy of the package"),
	ROW(CORES, PACKAGE, "POWER.CORES", "Energy of the package's cores"),
	ROW(DRAM, PACKAGE, "POWER.DRAM", "Energy of the package's memory"),
	ROW(GPU, PACKAGE, "POWER.GPU", "Energy of the package's graphics"),
	ROW(PSYS, PACKAGE, "POWER.PSYS", "Energy of the platform"),
	ROW(AMD_PKG, PACKAGE, "POWER.PKG", "Energy of the package"),
	ROW(PACKAGE_C2, PACKAGE, "PACKAGE.C2",
	    "TSC ticks of the package in C2"),
	ROW(PACKAGE_C3, PACKAGE, "PACKAGE.C3",
	    "TSC ticks of the package in C3"),
	ROW(PACKAGE_C6, PACKAGE, "PACKAGE.C6",
	    "TSC ticks of the package in C6"),
	ROW(PACKAGE_C7, PACKAGE, "PACKAGE.C7",
	    "TSC ticks of the package in C7"),
	ROW(PACKAGE_C8, PACKAGE, "PACKAGE.C8",
	    "TSC ticks of the package in C8"),
	ROW(PACKAGE_C9, PACKAGE, "PACKAGE.C9",
	    "TSC ticks of the package in C9"),
	ROW(PACKAGE_C10, PACKAGE, "PACKAGE.C10",
	    "TSC ticks of the package in C10"),
	ROW(PACKAGE_MARGIN, PACKAGE, "PACKAGE.THERMAL_MARGIN",
	    "Degrees C of the package below TjMax, times PACKAGE.TSC"),
	ROW(UNCORE_RATIO, PACKAGE, "PACKAGE.UNCORE_RATIO",
	    "Rate of the uncore in 100 MHz, times PACKAGE.TSC"),
	ROW(MEMORY_READS, PACKAGE, "MEMORY.READS",
	    "64-byte lines read from memory"),
	ROW(MEMORY_WRITES, PACKAGE, "MEMORY.WRITES",
	    "64-byte lines written to memory"),
	ROW(MEMORY_GRAPHICS, PACKAGE, "MEMORY.GRAPHICS_REQUESTS",
	    "64-byte lines that the graphics asked memory for"),
	ROW(MEMORY_CORES, PACKAGE, "MEMORY.CORE_REQUESTS",
	    "64-byte lines that the cores asked memory for"),
	ROW(MEMORY_DEVICES, PACKAGE, "MEMORY.DEVICE_REQUESTS",
	    "64-byte lines that devices asked memory for"),
	ROW(MEMORY64_READS, PACKAGE, "MEMORY.READS",
	    "64-byte lines read from memory"),
	ROW(MEMORY64_WRITES, PACKAGE, "MEMORY.WRITES",
	    "64-byte lines written to memory"),
	ROW(MEMORY64_REQUESTS, PACKAGE, "MEMORY.REQUESTS",
	    "Requests of 64-byte lines to memory, before writes to one line are merged"),
	ROW(MEMORY48_READS, PACKAGE, "MEMORY.READS",
	    "64-byte lines read from memory"),
	ROW(MEMORY48_WRITES, PACKAGE, "MEMORY.WRITES",
	    "64-byte lines written to memory"),
	ROW(MEMORY48_PMEM_READS, PACKAGE, "MEMORY.PMEM_READS",
	    "64-byte lines read from persistent memory"),
	ROW(MEMORY48_PMEM_WRITES, PACKAGE, "MEMORY.PMEM_WRITES",
	    "64-byte lines written to persistent memory"),
	ROW(ATOM_C6, PACKAGE, "PACKAGE.C6", "TSC ticks of the package in C6"),
	ROW(KNL_C6, CORE, "CORE.C6", "TSC ticks of the core in C6"),
};

static const struct bpmu_event_alias aliases[] = {
	{ "cstate_core/c1-residency/", "CORE.C1" },
	{ "cstate_core/c3-residency/", "CORE.C3" },
	{ "cstate_core/c6-residency/", "CORE.C6" },
	{ "cstate_core/c7-residency/", "CORE.C7" },
	{ "cstate_pkg/c10-residency/", "PACKAGE.C10" },
	{ "cstate_pkg/c2-residency/", "PACKAGE.C2" },
	{ "cstate_pkg/c3-residency/", "PACKAGE.C3" },
	{ "cstate_pkg/c6-residency/", "PACKAGE.C6" },
	{ "cstate_pkg/c7-residency/", "PACKAGE.C7" },
	{ "cstate_pkg/c8-residency/", "PACKAGE.C8" },
	{ "cstate_pkg/c9-residency/", "PACKAGE.C9" },
	{ "msr/aperf/", "CORE.APERF" },
	{ "msr/irperf/", "CORE.IRPERF" },
	{ "msr/mperf/", "CORE.MPERF" },
	{ "msr/pperf/", "CORE.PPERF" },
	{ "msr/smi/", "CORE.SMI" },
	{ "msr/tsc/", "THREAD.TSC" },
	{ "power/energy-cores/", "POWER.CORES" },
	{ "power/energy-gpu/", "POWER.GPU" },
	{ "power/energy-pkg/", "POWER.PKG" },
	{ "power/energy-psys/", "POWER.PSYS" },
	{ "power/energy-ram/", "POWER.DRAM" },
	{ "uncore_imc/data_reads/", "MEMORY.READS" },
	{ "uncore_imc/data_writes/", "MEMORY.WRITES" },
	{ "uncore_imc/gt_requests/", "MEMORY.GRAPHICS_REQUESTS" },
	{ "uncore_imc/ia_requests/", "MEMORY.CORE_REQUESTS" },
	{ "uncore_imc/io_requests/", "MEMORY.DEVICE_REQUESTS" },
	{ "uncore_imc_free_running/data_read/", "MEMORY.READS" },
	{ "uncore_imc_free_running/data_total/", "MEMORY.REQUESTS" },
	{ "uncore_imc_free_running/data_write/", "MEMORY.WRITES" },
	{ "uncore_imc_free_running/ddrt_read/", "MEMORY.PMEM_READS" },
	{ "uncore_imc_free_running/ddrt_write/", "MEMORY.PMEM_WRITES" },
	{ "uncore_imc_free_running/read/", "MEMORY.READS" },
	{ "uncore_imc_free_running/write/", "MEMORY.WRITES" },
};

/**
 * bpmu_free_events() - event table with the names of the free-running registers
 * @nr: set to the number of rows
 *
 * Context: any.
 * Return: the rows, one per free-running register, indexed by &enum bpmu_free_id.
 */
const struct bpmu_event *bpmu_free_events(size_t *nr)
{
	*nr = BPMU_FREE_NR;
	return rows;
}

/**
 * bpmu_free_aliases() - perf's names of the events of the free-running registers
 * @nr: set to the number of names
 *
 * Context: any.
 * Return: the names, sorted.
 */
const struct bpmu_event_alias *bpmu_free_aliases(size_t *nr)
{
	*nr = NR(aliases);
	return aliases;
}
