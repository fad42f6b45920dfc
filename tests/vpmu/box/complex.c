// SPDX-License-Identifier: GPL-2.0
/*
 * L3 PMU of AMD's core complexes (CCX), or L2 PMU of Jaguar's. The events do not occur by
 * themselves. The guest injects them: it executes CPUID with a leaf that no CPU has, and the
 * counters rise, so that a test knows the counts to expect. Arguments of the leaf are event, unit
 * mask, slice and number of occurrences. The complex of the CPU that executes CPUID counts the
 * events.
 *
 * Source of the registers: Linux, msr-index.h, MSR_F16H_L2I_PERF_CTL, and perf_event.h, AMD64_L3_*.
 * On family 17h an event select has a mask of the threads of the complex and a mask of slices. On
 * later families an event select has a mask of the threads of a core. It also has the number of one
 * core or a bit for all cores, and the number of one slice or a bit for all slices. The L2 of
 * family 16h has four counters and no masks.
 */
#include "complex.h"

#include <stddef.h>

#include "machine/options.h"
#include "machine/topology.h"
#include "pairs.h"

#define COUNTERS 6
#define L2_COUNTERS 4
#define L3_SELECT 0xc0010230
#define L3_RDPMC 10

/* the fields event code and unit mask of an event select */
#define EVENT 0xffffull

#define ALL_SLICES VPMU_BIT(46)
#define ALL_CORES VPMU_BIT(47)
#define LEGAL_16H 0x000000000040ffffull
#define LEGAL_17H 0xff0f00000040ffffull
#define LEGAL_19H 0x0307dc000040ffffull

/*
 * Events that are counted for all threads and slices: the masks of threads and slices in the event
 * select have no effect. Source: perf's event files of Zen, Zen 2.
 */
#define FILL_LATENCY 0x90
#define FILLS 0x9a

static struct vpmu_pair complexes[VPMU_MAX_CPUS][COUNTERS];

static unsigned int place_in(const struct vpmu_cpu *cpu)
{
	return cpu->index % vpmu_options.complex;
}

/**
 * vpmu_complex_is_l2() - check if the PMU of a core complex counts events of an L2, not of an L3
 * @part: CPU model
 *
 * Return: true on Jaguar, which has no L3.
 */
bool vpmu_complex_is_l2(const struct vpmu_part *part)
{
	return part->perfctr_shared && !part->perfctr_core;
}

static struct vpmu_pairs l3_of(const struct vpmu_cpu *cpu)
{
	unsigned int cpus = vpmu_options.complex;
	bool l2 = vpmu_complex_is_l2(cpu->part);

	return (struct vpmu_pairs) {
		.box = l2 ? "L2" : "L3",
		.first = L3_SELECT,
		.nr = !cpus ? 0 : l2 ? L2_COUNTERS : COUNTERS,
		.legal = l2 ? LEGAL_16H : cpu->part->amd_version ? LEGAL_19H : LEGAL_17H,
		.enable = VPMU_PAIR_EN,
		.event = EVENT,
		.pair = cpus ? complexes[cpu->index / cpus] : NULL,
	};
}

/**
 * vpmu_complex_init() - set the L3 counters of core complexes to their values at power on
 */
void vpmu_complex_init(void)
{
	vpmu_pairs_init(complexes[0], VPMU_MAX_CPUS * COUNTERS);
}

/**
 * vpmu_complex_read() - execute RDMSR of an L3 PMU register of a core complex
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of the PMU of a core complex.
 */
bool vpmu_complex_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_pairs l3 = l3_of(cpu);

	return vpmu_pairs_read(&l3, msr, value);
}

/**
 * vpmu_complex_write() - execute WRMSR of an L3 PMU register of a core complex
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of the PMU of a core complex.
 */
bool vpmu_complex_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_pairs l3 = l3_of(cpu);

	return vpmu_pairs_write(&l3, cpu, msr, value);
}

/**
 * vpmu_complex_rdpmc() - execute RDPMC of an L3 counter of a core complex
 * @cpu: the calling vCPU
 * @index: value of ECX
 * @value: set to the value of the counter
 *
 * Return: false if ECX selects no such counter.
 */
bool vpmu_complex_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value)
{
	const struct vpmu_pairs l3 = l3_of(cpu);

	if (index - L3_RDPMC >= l3.nr)
		return false;
	*value = vpmu_pairs_value(&l3, index - L3_RDPMC);
	return true;
}

static bool masks_17h(uint64_t select, unsigned int place, unsigned int slice)
{
	unsigned int event = select & 0xff;

	if (event == FILL_LATENCY || event == FILLS)
		return true;
	return select >> (56 + place) & 1 && select >> (48 + slice) & 1;
}

static bool masks_19h(uint64_t select, unsigned int place, unsigned int slice)
{
	unsigned int threads = vpmu_threads();

	return select >> (56 + place % threads) & 1 &&
	       (select & ALL_CORES || (select >> 42 & 7) == place / threads) &&
	       (select & ALL_SLICES || (select >> 48 & 7) == slice);
}

static bool masks_fit(const struct vpmu_cpu *cpu, uint64_t select, unsigned int slice)
{
	if (vpmu_complex_is_l2(cpu->part))
		return true;
	return cpu->part->amd_version ? masks_19h(select, place_in(cpu), slice) :
					masks_17h(select, place_in(cpu), slice);
}

/*
 * Checks if an event select selects the event @what, which the guest injects: the event codes are
 * equal, and the unit masks have a bit in common. FILL_LATENCY has no unit mask.
 */
static bool is_event(uint64_t select, uint32_t what)
{
	return !((select ^ what) & 0xff) &&
	       ((what & 0xff) == FILL_LATENCY || select & what & 0xff00);
}

/**
 * vpmu_complex_happen() - inject an event of a core complex's L3
 * @cpu: a vCPU of the core complex
 * @what: event in bits 7:0, unit mask in 15:8, slice in 19:16
 * @detail: ignored
 * @count: number of occurrences
 */
void vpmu_complex_happen(const struct vpmu_cpu *cpu, uint32_t what,
			 uint32_t detail, uint32_t count)
{
	const struct vpmu_pairs l3 = l3_of(cpu);
	unsigned int slice = what >> 16 & 7;
	unsigned int i;

	for (i = 0; i < l3.nr; i++) {
		uint64_t select = l3.pair[i].select;

		if (!(select & VPMU_PAIR_EN) || !is_event(select, what))
			continue;
		if (masks_fit(cpu, select, slice))
			vpmu_pairs_add(&l3, i, count);
	}
	(void)detail;
}
