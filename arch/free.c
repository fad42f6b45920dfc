// SPDX-License-Identifier: GPL-2.0
/*
 * Free-running registers of all parts. An energy counter has 32 bits. The counter of a RAPL domain
 * that the board lacks always reads 0; so does an absent register of the uncore's frequency.
 * Sources of MSR addresses and fields: SDM Vol. 4; Linux, asm/msr-index.h, events/rapl.c,
 * events/msr.c, events/intel/cstate.c. Sources of the offsets of memory controllers' registers:
 * Linux, events/intel/uncore_snb.c, SNB_UNCORE_PCI_IMC_*_BASE, tgl_uncore_imc_freerunning[]
 * (clients), and uncore_snbep.c, icx_imc_freerunning[] (servers).
 */
#include "free.h"

#define THREAD(number, bits) { \
	.msr = (number), .unit = BPMU_UNIT_FREE_THREAD, .width = (bits) }
#define CORE(number) { \
	.msr = (number), .unit = BPMU_UNIT_FREE_CORE, .width = 64 }
#define PACKAGE(number) { \
	.msr = (number), .unit = BPMU_UNIT_FREE_PACKAGE, .width = 64 }
#define ENERGY(number, scope) { \
	.msr = (number), .unit = BPMU_UNIT_FREE_##scope, .width = 32, \
	.type = BPMU_FREE_JOULES, .nonzero = 1 }
#define MARGIN(number, scope) { \
	.msr = (number), .unit = BPMU_UNIT_FREE_##scope, .shift = 16, \
	.width = 7, .type = BPMU_FREE_GAUGE }
#define LINES(offset, bits) { \
	.mchbar = (offset), .unit = BPMU_UNIT_FREE_PACKAGE, .width = (bits) }

static const struct bpmu_free registers[BPMU_FREE_NR] = {
	[BPMU_FREE_TSC] = THREAD(BPMU_FREE_MSR_TSC, 64),
	[BPMU_FREE_APERF] = THREAD(0xe8, 64),
	[BPMU_FREE_MPERF] = THREAD(0xe7, 64),
	[BPMU_FREE_PPERF] = THREAD(0x64e, 64),
	[BPMU_FREE_SMI] = THREAD(0x34, 32),
	[BPMU_FREE_IRPERF] = THREAD(0xc00000e9, 64),
	[BPMU_FREE_CORE_TSC] = CORE(BPMU_FREE_MSR_TSC),
	[BPMU_FREE_CORE_C1] = CORE(0x660),
	[BPMU_FREE_CORE_C3] = CORE(0x3fc),
	[BPMU_FREE_CORE_C6] = CORE(0x3fd),
	[BPMU_FREE_CORE_C7] = CORE(0x3fe),
	[BPMU_FREE_CORE_MARGIN] = MARGIN(0x19c, CORE),
	[BPMU_FREE_CORE_ENERGY] = ENERGY(0xc001029a, CORE),
	[BPMU_FREE_PACKAGE_TSC] = PACKAGE(BPMU_FREE_MSR_TSC),
	[BPMU_FREE_PKG] = ENERGY(0x611, PACKAGE),
	[BPMU_FREE_CORES] = ENERGY(0x639, PACKAGE),
	[BPMU_FREE_DRAM] = ENERGY(0x619, PACKAGE),
	[BPMU_FREE_GPU] = ENERGY(0x641, PACKAGE),
	[BPMU_FREE_PSYS] = ENERGY(0x64d, PACKAGE),
	[BPMU_FREE_AMD_PKG] = ENERGY(0xc001029b, PACKAGE),
	[BPMU_FREE_PACKAGE_C2] = PACKAGE(0x60d),
	[BPMU_FREE_PACKAGE_C3] = PACKAGE(0x3f8),
	[BPMU_FREE_PACKAGE_C6] = PACKAGE(0x3f9),
	[BPMU_FREE_PACKAGE_C7] = PACKAGE(0x3fa),
	[BPMU_FREE_PACKAGE_C8] = PACKAGE(0x630),
	[BPMU_FREE_PACKAGE_C9] = PACKAGE(0x631),
	[BPMU_FREE_PACKAGE_C10] = PACKAGE(0x632),
	[BPMU_FREE_PACKAGE_MARGIN] = MARGIN(0x1b1, PACKAGE),
	[BPMU_FREE_UNCORE_RATIO] = {
		.msr = 0x621, .unit = BPMU_UNIT_FREE_PACKAGE, .width = 7,
		.type = BPMU_FREE_GAUGE, .nonzero = 1,
	},
	[BPMU_FREE_MEMORY_READS] = LINES(0x50, 32),
	[BPMU_FREE_MEMORY_WRITES] = LINES(0x54, 32),
	[BPMU_FREE_MEMORY_GRAPHICS] = LINES(0x40, 32),
	[BPMU_FREE_MEMORY_CORES] = LINES(0x44, 32),
	[BPMU_FREE_MEMORY_DEVICES] = LINES(0x48, 32),
	[BPMU_FREE_MEMORY64_READS] = LINES(0x58, 64),
	[BPMU_FREE_MEMORY64_WRITES] = LINES(0xa0, 64),
	[BPMU_FREE_MEMORY64_REQUESTS] = LINES(0x40, 64),
	[BPMU_FREE_MEMORY48_READS] = LINES(0x90, 48),
	[BPMU_FREE_MEMORY48_WRITES] = LINES(0x98, 48),
	[BPMU_FREE_MEMORY48_PMEM_READS] = LINES(0xa0, 48),
	[BPMU_FREE_MEMORY48_PMEM_WRITES] = LINES(0xa8, 48),
	[BPMU_FREE_ATOM_C6] = PACKAGE(0x3fa),
	[BPMU_FREE_KNL_C6] = CORE(0x3ff),
};

#define NS_PER_S 1000000000ULL

/**
 * bpmu_free_at() - find a free-running register by its counter number
 * @counter: counter number
 *
 * Context: any.
 * Return: the register, or NULL if no free-running register has this number.
 */
const struct bpmu_free *bpmu_free_at(u32 counter)
{
	u32 id = counter - BPMU_COUNTER_FREE;

	return id < BPMU_FREE_NR ? &registers[id] : NULL;
}

/**
 * bpmu_free_value() - extract the value of a free-running register from its contents
 * @reg: the register
 * @raw: contents of the register
 *
 * Context: any.
 * Return: the value of &bpmu_free.width bits.
 */
u64 bpmu_free_value(const struct bpmu_free *reg, u64 raw)
{
	u64 mask = reg->width < 64 ? BPMU_BIT(reg->width) - 1 : ~0ULL;

	return raw >> reg->shift & mask;
}

/**
 * bpmu_free_guard_ns() - longest safe time between two reads of free-running registers
 * @pmu: PMU of a CPU
 *
 * The time is half the time in which a counter can wrap. An energy counter has 32 bits in units of
 * at least 2^-16 J and wraps at 65536 J, at 2 kW after 32 s. A counter of memory lines wraps after
 * 2^32 lines, 256 GiB, at 64 GB/s (more than two channels of DDR4-3200 transfer) after 4 s.
 *
 * Context: any.
 * Return: nanoseconds.
 */
u64 bpmu_free_guard_ns(const struct bpmu_pmu *pmu)
{
	return (pmu->free & BPMU_FREE_MEMORY ? 2 : 16) * NS_PER_S;
}

/**
 * bpmu_free_energy_shift() - unit of the energy that a free-running register counts
 * @part: descriptor
 * @id: &enum bpmu_free_id of an energy counter
 * @units: &bpmu_pmu.units, contents of the MSR of power units
 *
 * Two domains ignore @units and have a fixed unit: the DRAM domain of Knights Landing and of
 * servers from Haswell to Ice Lake, and the platform domain from Sapphire Rapids on (Linux,
 * arch/x86/events/rapl.c, rapl_check_hw_unit()).
 *
 * Context: any.
 * Return: n; the unit is 2^-n joules, or with BPMU_QUIRK_MICROJOULES 2^n microjoules.
 */
unsigned int bpmu_free_energy_shift(const struct bpmu_part *part, u32 id,
				    u64 units)
{
	if (id == BPMU_FREE_DRAM && part->quirks & BPMU_QUIRK_DRAM_UNIT)
		return 16;
	if (id == BPMU_FREE_PSYS && part->quirks & BPMU_QUIRK_PSYS_UNIT)
		return 0;
	return units >> 8 & 0x1f;
}
