/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running registers: energy, clocks, C-state residency, temperature, and lines that
 * memory controllers transfer. These registers always count and are only read, so they need no
 * reservation. Register n of the enumeration below is counter BPMU_COUNTER_FREE + n.
 */
#ifndef BPMU_FREE_H
#define BPMU_FREE_H

#include "arch.h"

/**
 * enum bpmu_free_id - the free-running registers; the numbers are part of the protocol: append only
 * @BPMU_FREE_TSC: time stamp counter, read on each logical CPU
 * @BPMU_FREE_APERF: unhalted cycles at the actual frequency
 * @BPMU_FREE_MPERF: unhalted cycles at the frequency of the TSC
 * @BPMU_FREE_PPERF: those cycles of APERF that the hardware regards as productive
 * @BPMU_FREE_SMI: number of system management interrupts
 * @BPMU_FREE_IRPERF: instructions retired (AMD)
 * @BPMU_FREE_CORE_TSC: time stamp counter, read once per core
 * @BPMU_FREE_CORE_C1: core C1 residency, TSC ticks
 * @BPMU_FREE_CORE_C3: core C3 residency, TSC ticks
 * @BPMU_FREE_CORE_C6: core C6 residency, TSC ticks
 * @BPMU_FREE_CORE_C7: core C7 residency, TSC ticks
 * @BPMU_FREE_CORE_MARGIN: degrees C of the core below TjMax
 * @BPMU_FREE_CORE_ENERGY: energy of the core (AMD)
 * @BPMU_FREE_PACKAGE_TSC: time stamp counter, read once per package
 * @BPMU_FREE_PKG: energy of the package
 * @BPMU_FREE_CORES: energy of the package's cores, PP0
 * @BPMU_FREE_DRAM: energy of the package's memory
 * @BPMU_FREE_GPU: energy of the package's graphics, PP1
 * @BPMU_FREE_PSYS: energy of the platform
 * @BPMU_FREE_AMD_PKG: energy of the package (AMD)
 * @BPMU_FREE_PACKAGE_C2: package C2 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C3: package C3 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C6: package C6 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C7: package C7 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C8: package C8 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C9: package C9 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_C10: package C10 residency, TSC ticks
 * @BPMU_FREE_PACKAGE_MARGIN: degrees C of the package below TjMax
 * @BPMU_FREE_UNCORE_RATIO: frequency of the uncore in units of 100 MHz
 * @BPMU_FREE_MEMORY_READS: 64-byte lines read from a client's memory, 32 bits
 * @BPMU_FREE_MEMORY_WRITES: 64-byte lines written to a client's memory, 32 bits
 * @BPMU_FREE_MEMORY_GRAPHICS: requests of the graphics to memory, 32 bits
 * @BPMU_FREE_MEMORY_CORES: requests of the cores to memory, 32 bits
 * @BPMU_FREE_MEMORY_DEVICES: requests of I/O devices to memory, 32 bits
 * @BPMU_FREE_MEMORY64_READS: 64-byte lines read from a client's memory, 64 bits
 * @BPMU_FREE_MEMORY64_WRITES: 64-byte lines written to a client's memory, 64 bits
 * @BPMU_FREE_MEMORY64_REQUESTS: requests to memory, reads and writes, 64 bits
 * @BPMU_FREE_MEMORY48_READS: 64-byte lines read from a server's memory, 48 bits
 * @BPMU_FREE_MEMORY48_WRITES: 64-byte lines written to a server's memory, 48 bits
 * @BPMU_FREE_MEMORY48_PMEM_READS: 64-byte lines read from a server's persistent memory, 48 bits
 * @BPMU_FREE_MEMORY48_PMEM_WRITES: 64-byte lines written to a server's persistent memory, 48 bits
 * @BPMU_FREE_ATOM_C6: package C6 residency at Silvermont's address, TSC ticks
 * @BPMU_FREE_KNL_C6: core C6 residency at Knights Landing's address, TSC ticks
 * @BPMU_FREE_NR: number of registers, at most 64
 */
enum bpmu_free_id {
	BPMU_FREE_TSC,
	BPMU_FREE_APERF,
	BPMU_FREE_MPERF,
	BPMU_FREE_PPERF,
	BPMU_FREE_SMI,
	BPMU_FREE_IRPERF,
	BPMU_FREE_CORE_TSC,
	BPMU_FREE_CORE_C1,
	BPMU_FREE_CORE_C3,
	BPMU_FREE_CORE_C6,
	BPMU_FREE_CORE_C7,
	BPMU_FREE_CORE_MARGIN,
	BPMU_FREE_CORE_ENERGY,
	BPMU_FREE_PACKAGE_TSC,
	BPMU_FREE_PKG,
	BPMU_FREE_CORES,
	BPMU_FREE_DRAM,
	BPMU_FREE_GPU,
	BPMU_FREE_PSYS,
	BPMU_FREE_AMD_PKG,
	BPMU_FREE_PACKAGE_C2,
	BPMU_FREE_PACKAGE_C3,
	BPMU_FREE_PACKAGE_C6,
	BPMU_FREE_PACKAGE_C7,
	BPMU_FREE_PACKAGE_C8,
	BPMU_FREE_PACKAGE_C9,
	BPMU_FREE_PACKAGE_C10,
	BPMU_FREE_PACKAGE_MARGIN,
	BPMU_FREE_UNCORE_RATIO,
	BPMU_FREE_MEMORY_READS,
	BPMU_FREE_MEMORY_WRITES,
	BPMU_FREE_MEMORY_GRAPHICS,
	BPMU_FREE_MEMORY_CORES,
	BPMU_FREE_MEMORY_DEVICES,
	BPMU_FREE_MEMORY64_READS,
	BPMU_FREE_MEMORY64_WRITES,
	BPMU_FREE_MEMORY64_REQUESTS,
	BPMU_FREE_MEMORY48_READS,
	BPMU_FREE_MEMORY48_WRITES,
	BPMU_FREE_MEMORY48_PMEM_READS,
	BPMU_FREE_MEMORY48_PMEM_WRITES,
	BPMU_FREE_ATOM_C6,
	BPMU_FREE_KNL_C6,
	BPMU_FREE_NR
};

/**
 * enum bpmu_free_type - meaning of the value in a free-running register
 * @BPMU_FREE_COUNT: a count of events
 * @BPMU_FREE_JOULES: a count of energy units
 * @BPMU_FREE_GAUGE: an instantaneous value, such as a temperature; reported as its integral over
 *	TSC ticks
 */
enum bpmu_free_type {
	BPMU_FREE_COUNT,
	BPMU_FREE_JOULES,
	BPMU_FREE_GAUGE
};

/* MSR number of the TSC, which is read by RDTSC instead of RDMSR. */
#define BPMU_FREE_MSR_TSC 0x10

/**
 * struct bpmu_free - a free-running register
 * @msr: MSR address, 0 for a memory-mapped register (@mchbar)
 * @mchbar: offset from &bpmu_mchbar.base, or on a server from &bpmu_channels.free; 0 for an MSR
 * @unit: BPMU_UNIT_FREE_THREAD, BPMU_UNIT_FREE_CORE or BPMU_UNIT_FREE_PACKAGE
 * @type: &enum bpmu_free_type
 * @shift: lowest bit of the value
 * @width: width of the value in bits
 * @nonzero: nonzero if this register reads as 0 on boards that lack it; the module then does not
 *	use the register
 */
struct bpmu_free {
	u32 msr;
	u16 mchbar;
	u8 unit;
	u8 type;
	u8 shift;
	u8 width;
	u8 nonzero;
};

const struct bpmu_free *bpmu_free_at(u32 counter);
u64 bpmu_free_value(const struct bpmu_free *reg, u64 raw);
u64 bpmu_free_guard_ns(const struct bpmu_pmu *pmu);
unsigned int bpmu_free_energy_shift(const struct bpmu_part *part, u32 id,
				    u64 units);

#define BPMU_FREE(id) BPMU_BIT(BPMU_FREE_##id)

/*
 * MSRs that hold the unit of the energy counters: Intel's (SDM Vol. 3B, 15.10.1) and AMD's (PPR,
 * MSRC001_0299)
 */
#define BPMU_MSR_UNITS		0x606
#define BPMU_MSR_AMD_UNITS	0xc0010299

/*
 * MCHBAR is two 32-bit registers in the host bridge's configuration space, which hold the address
 * of memory-mapped registers: their offset and their enable bit (Linux, uncore_snb.c). BYTES is the
 * size of the memory-mapped range with the counters of one memory controller.
 */
#define BPMU_MCHBAR		0x48
#define BPMU_MCHBAR_ENABLED	1
#define BPMU_MCHBAR_BYTES	0x100

/*
 * MSR_TEMPERATURE_TARGET (SDM Vol. 4). BPMU_TJMAX() extracts TjMax from the contents of this MSR:
 * the temperature in degrees C at which the CPU throttles.
 */
#define BPMU_MSR_TJMAX		0x1a2
#define BPMU_TJMAX(raw)		((u32)((raw) >> 16 & 0xff))

/* CPUID leaf whose bit 14 of EDX is 1 if an AMD CPU has energy counters */
#define BPMU_CPUID_AMD_POWER	0x80000007
#define BPMU_CPUID_AMD_RAPL	BPMU_BIT(14)

#define BPMU_FREE_TSCS (BPMU_FREE(TSC) | BPMU_FREE(CORE_TSC) | \
			BPMU_FREE(PACKAGE_TSC))

/* Sets of registers with clocks and temperatures; CPUID enumerates all of these registers */
#define BPMU_FREE_CLOCKS (BPMU_FREE_TSCS | BPMU_FREE(APERF) | BPMU_FREE(MPERF))
#define BPMU_FREE_INTEL (BPMU_FREE_CLOCKS | BPMU_FREE(CORE_MARGIN) | \
			 BPMU_FREE(PACKAGE_MARGIN))

/* Sets of C-state residency registers of parts. Source: Linux, arch/x86/events/intel/cstate.c */
#define BPMU_FREE_C3_C6_C7 (BPMU_FREE(CORE_C3) | BPMU_FREE(CORE_C6) | \
			    BPMU_FREE(CORE_C7))
#define BPMU_FREE_C6_C7 (BPMU_FREE(CORE_C6) | BPMU_FREE(CORE_C7))
#define BPMU_FREE_C1_C6 (BPMU_FREE(CORE_C1) | BPMU_FREE(CORE_C6))
#define BPMU_FREE_PC2_PC7 (BPMU_FREE(PACKAGE_C2) | BPMU_FREE(PACKAGE_C3) | \
			   BPMU_FREE(PACKAGE_C6) | BPMU_FREE(PACKAGE_C7))
#define BPMU_FREE_PC2_PC10 (BPMU_FREE_PC2_PC7 | BPMU_FREE(PACKAGE_C8) | \
			    BPMU_FREE(PACKAGE_C9) | BPMU_FREE(PACKAGE_C10))
#define BPMU_FREE_PC2_PC6 (BPMU_FREE(PACKAGE_C2) | BPMU_FREE(PACKAGE_C6))

/*
 * Sets of energy registers by part. Source: Linux, arch/x86/events/rapl.c, model_*; for Silvermont
 * turbostat.c, slv_features
 */
#define BPMU_FREE_RAPL_SLM (BPMU_FREE(PKG) | BPMU_FREE(CORES))
#define BPMU_FREE_RAPL_SNB (BPMU_FREE(PKG) | BPMU_FREE(CORES) | BPMU_FREE(GPU))
#define BPMU_FREE_RAPL_SERVER (BPMU_FREE(PKG) | BPMU_FREE(CORES) | \
			       BPMU_FREE(DRAM))
#define BPMU_FREE_RAPL_HSW (BPMU_FREE_RAPL_SERVER | BPMU_FREE(GPU))
#define BPMU_FREE_RAPL_SKL (BPMU_FREE_RAPL_HSW | BPMU_FREE(PSYS))
#define BPMU_FREE_RAPL_SPR (BPMU_FREE_RAPL_SERVER | BPMU_FREE(PSYS))

/*
 * Sets of free-running counters of clients' memory controllers: of 32 bits before Tiger Lake and in
 * Rocket Lake (Linux, uncore_snb.c, snb_uncore_imc_events[]), of 64 bits from Tiger Lake on
 * (tgl_uncore_imc_events[])
 */
#define BPMU_FREE_MEMORY (BPMU_FREE(MEMORY_READS) | BPMU_FREE(MEMORY_WRITES) | \
			  BPMU_FREE(MEMORY_GRAPHICS) | BPMU_FREE(MEMORY_CORES) | \
			  BPMU_FREE(MEMORY_DEVICES))
#define BPMU_FREE_MEMORY64 (BPMU_FREE(MEMORY64_READS) | BPMU_FREE(MEMORY64_WRITES) | \
			    BPMU_FREE(MEMORY64_REQUESTS))

/*
 * Set of free-running counters of servers' memory controllers. Source: Linux, uncore_snbep.c,
 * icx_uncore_imc_freerunning_events[]
 */
#define BPMU_FREE_MEMORY48 (BPMU_FREE(MEMORY48_READS) | BPMU_FREE(MEMORY48_WRITES) | \
			    BPMU_FREE(MEMORY48_PMEM_READS) | \
			    BPMU_FREE(MEMORY48_PMEM_WRITES))

/* All free-running registers of a part, by generation; MSR_SMI_COUNT exists since Nehalem. */
#define BPMU_FREE_NHM (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(CORE_C3) | \
		       BPMU_FREE(CORE_C6) | BPMU_FREE(PACKAGE_C3) | \
		       BPMU_FREE(PACKAGE_C6) | BPMU_FREE(PACKAGE_C7))
#define BPMU_FREE_SNB (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C3_C6_C7 | \
		       BPMU_FREE_PC2_PC7 | BPMU_FREE_RAPL_SNB)
#define BPMU_FREE_JKT (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C3_C6_C7 | \
		       BPMU_FREE_PC2_PC7 | BPMU_FREE_RAPL_SERVER)
#define BPMU_FREE_HSW (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C3_C6_C7 | \
		       BPMU_FREE_PC2_PC10 | BPMU_FREE_RAPL_HSW)
#define BPMU_FREE_HSX (BPMU_FREE_JKT | BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_SKL (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(PPERF) | \
		       BPMU_FREE_C3_C6_C7 | BPMU_FREE_PC2_PC10 | \
		       BPMU_FREE_RAPL_SKL | BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_SKX (BPMU_FREE_HSX | BPMU_FREE(PPERF))
#define BPMU_FREE_ICL (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(PPERF) | \
		       BPMU_FREE_C6_C7 | BPMU_FREE_PC2_PC10 | \
		       BPMU_FREE_RAPL_SKL | BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_ICX (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(PPERF) | \
		       BPMU_FREE_C1_C6 | BPMU_FREE_PC2_PC6 | \
		       BPMU_FREE_RAPL_SERVER | BPMU_FREE(UNCORE_RATIO) | \
		       BPMU_FREE_MEMORY48)
#define BPMU_FREE_SPR (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE_RAPL_SPR | \
		       BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_ADL (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(PPERF) | \
		       BPMU_FREE(CORE_C1) | BPMU_FREE_C6_C7 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE(PACKAGE_C3) | \
		       BPMU_FREE(PACKAGE_C8) | BPMU_FREE(PACKAGE_C10) | \
		       BPMU_FREE_RAPL_SKL)
#define BPMU_FREE_SLM (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE(ATOM_C6) | BPMU_FREE_RAPL_SLM)
#define BPMU_FREE_GLM (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE(CORE_C3) | BPMU_FREE_PC2_PC6 | \
		       BPMU_FREE(PACKAGE_C3) | BPMU_FREE(PACKAGE_C10) | \
		       BPMU_FREE_RAPL_HSW)
#define BPMU_FREE_KNL (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(KNL_C6) | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE(PACKAGE_C3) | \
		       BPMU_FREE(PKG) | BPMU_FREE(DRAM))
#define BPMU_FREE_TNT (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE_RAPL_HSW)
#define BPMU_FREE_ZEN (BPMU_FREE_CLOCKS | BPMU_FREE(IRPERF) | \
		       BPMU_FREE(CORE_ENERGY) | BPMU_FREE(AMD_PKG))

#endif /* BPMU_FREE_H */
