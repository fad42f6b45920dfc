/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running registers: energy, clocks, C-state residency, temperature, memory's lines
 * on a client. They count all the time and are only read, so that they need neither a
 * counter nor a reservation. Register n of the enumeration below is counter
 * BPMU_FREE_BASE + n.
 */
#ifndef BPMU_FREE_H
#define BPMU_FREE_H

#include "arch.h"

/**
 * enum bpmu_free_id - the registers; the numbers are part of the protocol: append only
 * @BPMU_FREE_TSC: time stamp counter, read on each logical CPU
 * @BPMU_FREE_APERF: unhalted cycles at the actual rate
 * @BPMU_FREE_MPERF: unhalted cycles at the rate of the TSC
 * @BPMU_FREE_PPERF: cycles of APERF that the hardware counts as productive
 * @BPMU_FREE_SMI: system management interrupts
 * @BPMU_FREE_IRPERF: AMD's retired instructions
 * @BPMU_FREE_CORE_TSC: time stamp counter, read once in a core
 * @BPMU_FREE_CORE_C1: TSC ticks of a core in C1
 * @BPMU_FREE_CORE_C3: in C3
 * @BPMU_FREE_CORE_C6: in C6
 * @BPMU_FREE_CORE_C7: in C7
 * @BPMU_FREE_CORE_MARGIN: degrees C below TjMax
 * @BPMU_FREE_CORE_ENERGY: AMD's energy of a core
 * @BPMU_FREE_PACKAGE_TSC: time stamp counter, read once in a package
 * @BPMU_FREE_PKG: energy of the package
 * @BPMU_FREE_CORES: energy of its cores, PP0
 * @BPMU_FREE_DRAM: energy of its memory
 * @BPMU_FREE_GPU: energy of its graphics, PP1
 * @BPMU_FREE_PSYS: energy of the platform
 * @BPMU_FREE_AMD_PKG: AMD's energy of the package
 * @BPMU_FREE_PACKAGE_C2: TSC ticks of the package in C2
 * @BPMU_FREE_PACKAGE_C3: in C3
 * @BPMU_FREE_PACKAGE_C6: in C6
 * @BPMU_FREE_PACKAGE_C7: in C7
 * @BPMU_FREE_PACKAGE_C8: in C8
 * @BPMU_FREE_PACKAGE_C9: in C9
 * @BPMU_FREE_PACKAGE_C10: in C10
 * @BPMU_FREE_PACKAGE_MARGIN: degrees C below TjMax
 * @BPMU_FREE_UNCORE_RATIO: rate of the uncore in units of 100 MHz
 * @BPMU_FREE_MEMORY_READS: 64-byte lines read from a client's memory
 * @BPMU_FREE_MEMORY_WRITES: written to it
 * @BPMU_FREE_MEMORY_GRAPHICS: requests of the graphics to it
 * @BPMU_FREE_MEMORY_CORES: of the cores
 * @BPMU_FREE_MEMORY_DEVICES: of devices
 * @BPMU_FREE_MEMORY64_READS: lines read from a client's memory, in 64 bits
 * @BPMU_FREE_MEMORY64_WRITES: written to it
 * @BPMU_FREE_MEMORY64_REQUESTS: requests of both kinds
 * @BPMU_FREE_NR: their number, at most 64
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
	BPMU_FREE_NR
};

/**
 * enum bpmu_free_type - type of a register's contents
 * @BPMU_FREE_COUNT: a count
 * @BPMU_FREE_JOULES: a count of energy units
 * @BPMU_FREE_GAUGE: a momentary value; its count is its integral over TSC ticks
 */
enum bpmu_free_type {
	BPMU_FREE_COUNT,
	BPMU_FREE_JOULES,
	BPMU_FREE_GAUGE
};

/* read by RDTSC instead of RDMSR */
#define BPMU_FREE_MSR_TSC 0x10

/**
 * struct bpmu_free - a free-running register
 * @msr: MSR address, 0 with @mchbar
 * @mchbar: offset from the base of &struct bpmu_mchbar, 0 of an MSR
 * @unit: BPMU_UNIT_FREE_THREAD, BPMU_UNIT_FREE_CORE or BPMU_UNIT_FREE_PACKAGE
 * @type: &enum bpmu_free_type
 * @shift: lowest bit of the value
 * @width: width of the value in bits
 * @nonzero: reads 0 on boards that lack it, and is then not used
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

/* units of energy: SDM Vol. 3B, 15.10.1; AMD's PPR, MSRC001_0299 */
#define BPMU_MSR_UNITS		0x606
#define BPMU_MSR_AMD_UNITS	0xc0010299

/*
 * Of the host bridge: the address of the memory controllers' registers, in two halves,
 * with bit 0 set while they are there: Linux, uncore_snb.c. Those of a controller that
 * count are in so many bytes
 */
#define BPMU_MCHBAR		0x48
#define BPMU_MCHBAR_ENABLED	1
#define BPMU_MCHBAR_BYTES	0x100

/* degrees C that margins count down from: SDM Vol. 4, bits 23:16 */
#define BPMU_MSR_TJMAX		0x1a2
#define BPMU_TJMAX(raw)		((u32)((raw) >> 16 & 0xff))

/* AMD's energy is there where CPUID 8000_0007 says so: EDX bit 14 */
#define BPMU_CPUID_AMD_POWER	0x80000007
#define BPMU_CPUID_AMD_RAPL	BPMU_BIT(14)

#define BPMU_FREE_TSCS (BPMU_FREE(TSC) | BPMU_FREE(CORE_TSC) | \
			BPMU_FREE(PACKAGE_TSC))

/* CPUID says whether these are there */
#define BPMU_FREE_CLOCKS (BPMU_FREE_TSCS | BPMU_FREE(APERF) | BPMU_FREE(MPERF))
#define BPMU_FREE_INTEL (BPMU_FREE_CLOCKS | BPMU_FREE(CORE_MARGIN) | \
			 BPMU_FREE(PACKAGE_MARGIN))

/* Linux, arch/x86/events/intel/cstate.c: core states, package states */
#define BPMU_FREE_C3_C6_C7 (BPMU_FREE(CORE_C3) | BPMU_FREE(CORE_C6) | \
			    BPMU_FREE(CORE_C7))
#define BPMU_FREE_C6_C7 (BPMU_FREE(CORE_C6) | BPMU_FREE(CORE_C7))
#define BPMU_FREE_C1_C6 (BPMU_FREE(CORE_C1) | BPMU_FREE(CORE_C6))
#define BPMU_FREE_PC2_PC7 (BPMU_FREE(PACKAGE_C2) | BPMU_FREE(PACKAGE_C3) | \
			   BPMU_FREE(PACKAGE_C6) | BPMU_FREE(PACKAGE_C7))
#define BPMU_FREE_PC2_PC10 (BPMU_FREE_PC2_PC7 | BPMU_FREE(PACKAGE_C8) | \
			    BPMU_FREE(PACKAGE_C9) | BPMU_FREE(PACKAGE_C10))
#define BPMU_FREE_PC2_PC6 (BPMU_FREE(PACKAGE_C2) | BPMU_FREE(PACKAGE_C6))

/* Linux, arch/x86/events/rapl.c: model_* */
#define BPMU_FREE_RAPL_SNB (BPMU_FREE(PKG) | BPMU_FREE(CORES) | BPMU_FREE(GPU))
#define BPMU_FREE_RAPL_SERVER (BPMU_FREE(PKG) | BPMU_FREE(CORES) | \
			       BPMU_FREE(DRAM))
#define BPMU_FREE_RAPL_HSW (BPMU_FREE_RAPL_SERVER | BPMU_FREE(GPU))
#define BPMU_FREE_RAPL_SKL (BPMU_FREE_RAPL_HSW | BPMU_FREE(PSYS))
#define BPMU_FREE_RAPL_SPR (BPMU_FREE_RAPL_SERVER | BPMU_FREE(PSYS))

/* Linux, uncore_snb.c, snb_uncore_imc_events[]: of those before Tiger Lake, and Rocket Lake;
 * tgl_uncore_imc_events[]: of the others
 */
#define BPMU_FREE_MEMORY (BPMU_FREE(MEMORY_READS) | BPMU_FREE(MEMORY_WRITES) | \
			  BPMU_FREE(MEMORY_GRAPHICS) | BPMU_FREE(MEMORY_CORES) | \
			  BPMU_FREE(MEMORY_DEVICES))
#define BPMU_FREE_MEMORY64 (BPMU_FREE(MEMORY64_READS) | BPMU_FREE(MEMORY64_WRITES) | \
			    BPMU_FREE(MEMORY64_REQUESTS))

/* whole sets; the registers that count SMIs are since Nehalem */
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
		       BPMU_FREE_RAPL_SERVER | BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_SPR (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE_RAPL_SPR | \
		       BPMU_FREE(UNCORE_RATIO))
#define BPMU_FREE_ADL (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE(PPERF) | \
		       BPMU_FREE(CORE_C1) | BPMU_FREE_C6_C7 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE(PACKAGE_C3) | \
		       BPMU_FREE(PACKAGE_C8) | BPMU_FREE(PACKAGE_C10) | \
		       BPMU_FREE_RAPL_SKL)
#define BPMU_FREE_TNT (BPMU_FREE_INTEL | BPMU_FREE(SMI) | BPMU_FREE_C1_C6 | \
		       BPMU_FREE_PC2_PC6 | BPMU_FREE_RAPL_HSW)
#define BPMU_FREE_ZEN (BPMU_FREE_CLOCKS | BPMU_FREE(IRPERF) | \
		       BPMU_FREE(CORE_ENERGY) | BPMU_FREE(AMD_PKG))

#endif /* BPMU_FREE_H */
