// SPDX-License-Identifier: GPL-2.0
/*
 * PMU of AMD's data fabric or, before Zen, of the northbridge; one per package. The guest injects
 * the events by CPUID with a leaf that no CPU has, and with event, unit mask and number of
 * occurrences. The package of the CPU that executes CPUID counts the events.
 *
 * Source of the registers: Linux, msr-index.h, MSR_F15H_NB_PERF_CTL; of the fields of an event
 * select: perf_event.h, AMD64_RAW_EVENT_MASK_NB and AMD64_PERFMON_V2_RAW_EVENT_MASK_NB; of the
 * indices of RDPMC: arch/x86/events/amd/uncore.c, amd_uncore_add().
 */
#include "fabric.h"

#include <stddef.h>

#include "machine/options.h"
#include "machine/topology.h"
#include "pairs.h"

#define COUNTERS_V1 4
#define COUNTERS_V2 16
#define DF_SELECT 0xc0010240
#define DF_RDPMC 6
#define DF_RDPMC_NEXT 16

#define LEGAL_V1 0x1800000f0040ffffull
#define LEGAL_V2 0x0000003f0f40ffffull

/* bits of PerfMonV2's 12-bit unit mask that select the requester: this socket, or another one */
#define WHO 0xc00

static struct vpmu_pair fabrics[VPMU_MAX_CPUS][COUNTERS_V2];

/**
 * vpmu_fabric_counters() - number of data fabric counters of a package
 * @part: CPU model
 *
 * Return: the number; 0 on a CPU model without a data fabric, and without the option fabric=.
 */
unsigned int vpmu_fabric_counters(const struct vpmu_part *part)
{
	if (!vpmu_options.fabric || !part->perfctr_shared)
		return 0;
	return part->amd_version >= 2 ? COUNTERS_V2 : COUNTERS_V1;
}

static struct vpmu_pairs fabric_of(const struct vpmu_cpu *cpu)
{
	unsigned int cpus = vpmu_options.fabric;
	uint64_t legal = cpu->part->amd_version >= 2 ? LEGAL_V2 : LEGAL_V1;

	return (struct vpmu_pairs) {
		.box = cpu->part->perfctr_core ? "data fabric" : "northbridge",
		.first = DF_SELECT,
		.nr = vpmu_fabric_counters(cpu->part),
		.legal = legal,
		.enable = VPMU_PAIR_EN,
		.event = legal & ~VPMU_PAIR_EN,
		.pair = cpus ? fabrics[cpu->index / cpus] : NULL,
	};
}

/**
 * vpmu_fabric_init() - set the counters of the data fabric to their values at power on
 */
void vpmu_fabric_init(void)
{
	vpmu_pairs_init(fabrics[0], VPMU_MAX_CPUS * COUNTERS_V2);
}

/**
 * vpmu_fabric_read() - execute RDMSR of a data fabric PMU register
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of the PMU of the data fabric.
 */
bool vpmu_fabric_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_pairs fabric = fabric_of(cpu);

	return vpmu_pairs_read(&fabric, msr, value);
}

/**
 * vpmu_fabric_write() - execute WRMSR of a data fabric PMU register
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of the PMU of the data fabric.
 */
bool vpmu_fabric_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_pairs fabric = fabric_of(cpu);

	return vpmu_pairs_write(&fabric, cpu, msr, value);
}

/**
 * vpmu_fabric_rdpmc() - execute RDPMC of a data fabric counter
 * @cpu: the calling vCPU
 * @index: value of ECX: 6 to 9 for counters 0 to 3, from 16 on for further counters
 * @value: set to the value of the counter
 *
 * Return: false if ECX selects no such counter.
 */
bool vpmu_fabric_rdpmc(struct vpmu_cpu *cpu, uint32_t index, uint64_t *value)
{
	const struct vpmu_pairs fabric = fabric_of(cpu);
	uint32_t n = index - DF_RDPMC;

	if (index >= DF_RDPMC_NEXT)
		n = index - DF_RDPMC_NEXT + COUNTERS_V1;
	else if (n >= COUNTERS_V1)
		return false;
	if (n >= fabric.nr)
		return false;
	*value = vpmu_pairs_value(&fabric, n);
	return true;
}

static uint32_t event_v1(uint64_t select)
{
	return (select & 0xff) | (select >> 24 & 0xf00) |
	       (select >> 47 & 0x3000);
}

static uint32_t event_v2(uint64_t select)
{
	return (select & 0xff) | (select >> 24 & 0x3f00);
}

static uint32_t umask_v2(uint64_t select)
{
	return (select >> 8 & 0xff) | (select >> 16 & 0xf00);
}

/*
 * Checks if a counter with event select @select counts an injected event. With PerfMonV2, the unit
 * masks of the event select and of the event must have a bit of WHO in common, and all other bits
 * must be equal.
 */
static bool fabric_counts(const struct vpmu_cpu *cpu, uint64_t select, uint32_t event,
			  uint32_t umask)
{
	uint32_t own = umask_v2(select);

	if (!(select & VPMU_PAIR_EN))
		return false;
	if (cpu->part->amd_version < 2)
		return event_v1(select) == event && select >> 8 & umask & 0xff;
	return event_v2(select) == event && !((own ^ umask) & ~WHO) &&
	       own & umask & WHO;
}

/**
 * vpmu_fabric_happen() - inject an event of the data fabric
 * @cpu: a vCPU of the fabric's package
 * @what: event in bits 13:0, unit mask in 25:14
 * @detail: ignored
 * @count: number of occurrences
 */
void vpmu_fabric_happen(const struct vpmu_cpu *cpu, uint32_t what,
			uint32_t detail, uint32_t count)
{
	const struct vpmu_pairs fabric = fabric_of(cpu);
	unsigned int i;

	for (i = 0; i < fabric.nr; i++)
		if (fabric_counts(cpu, fabric.pair[i].select, what & 0x3fff,
				  what >> 14 & 0xfff))
			vpmu_pairs_add(&fabric, i, count);
	(void)detail;
}
