// SPDX-License-Identifier: GPL-2.0
/*
 * PMUs of AMD's unified memory controllers (UMC), four counters per active controller at
 * consecutive MSRs. The guest injects the events by CPUID with a leaf that no CPU has. It gives the
 * event, whether reads or writes are meant, the index among the active controllers of the CPU's
 * package, and the number of occurrences.
 *
 * Source of the registers: Linux, msr-index.h, MSR_F19H_UMC_PERF_CTL; of the fields of an event
 * select: perf_event.h, AMD64_UMC_*. Counters saturate at their maximum:
 * arch/x86/events/amd/uncore.c, amd_uncore_umc_read().
 */
#include "umc.h"

#include <stddef.h>

#include "machine/options.h"
#include "machine/topology.h"
#include "pairs.h"

#define EACH 4
#define UMCS_MAX 12
#define UMC_SELECT 0xc0010800
#define UMC_EN VPMU_BIT(31)
#define UMC_LEGAL (UMC_EN | 0x3ff)

static struct vpmu_pair umcs[VPMU_MAX_CPUS][UMCS_MAX * EACH];

/**
 * vpmu_umc_active() - active memory controllers (UMC) of a package
 * @cpu: a vCPU of the package
 *
 * Return: bitmap of their numbers; 0 if the CPU model has no UMC counters.
 */
uint32_t vpmu_umc_active(const struct vpmu_cpu *cpu)
{
	if (cpu->part->amd_version < 2)
		return 0;
	return vpmu_package_of(cpu) && vpmu_options.umc2 ? vpmu_options.umc2 :
						       vpmu_options.umc;
}

/**
 * vpmu_umc_counters() - number of counters in the simulated UMC boxes of a package
 * @cpu: a vCPU of the package
 *
 * Return: the number of counters of all active controllers together.
 */
unsigned int vpmu_umc_counters(const struct vpmu_cpu *cpu)
{
	return __builtin_popcount(vpmu_umc_active(cpu)) * EACH;
}

static struct vpmu_pairs umcs_of(const struct vpmu_cpu *cpu)
{
	return (struct vpmu_pairs) {
		.box = "memory controllers",
		.first = UMC_SELECT,
		.nr = vpmu_umc_counters(cpu),
		.legal = UMC_LEGAL,
		.enable = UMC_EN,
		.event = UMC_LEGAL & ~UMC_EN,
		.saturates = true,
		.pair = umcs[vpmu_package_of(cpu)],
	};
}

/**
 * vpmu_umc_init() - set the counters of AMD's UMCs to their values at power on
 */
void vpmu_umc_init(void)
{
	vpmu_pairs_init(umcs[0], VPMU_MAX_CPUS * UMCS_MAX * EACH);
}

/**
 * vpmu_umc_read() - execute RDMSR of a UMC PMU register
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of a memory controller (UMC).
 */
bool vpmu_umc_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	const struct vpmu_pairs pairs = umcs_of(cpu);

	return vpmu_pairs_read(&pairs, msr, value);
}

/**
 * vpmu_umc_write() - execute WRMSR of a UMC PMU register
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of a memory controller (UMC).
 */
bool vpmu_umc_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	const struct vpmu_pairs pairs = umcs_of(cpu);

	return vpmu_pairs_write(&pairs, cpu, msr, value);
}

/*
 * Checks if a counter with event select @select counts the injected event @what. If the field
 * RdWrMask of the event select is 0, the counter counts reads and writes.
 */
static bool umc_counts(uint64_t select, uint32_t what)
{
	unsigned int rw = select >> 8 & 3;

	return select & UMC_EN && !((select ^ what) & 0xff) &&
	       (!rw || rw & (what >> 8));
}

/**
 * vpmu_umc_happen() - inject an event of AMD's memory controllers (UMC)
 * @cpu: a vCPU of the controller's package
 * @what: event in bits 7:0, 1 for a read or 2 for a write in 9:8, index among the active
 *	controllers in 23:16
 * @detail: ignored
 * @count: number of occurrences
 */
void vpmu_umc_happen(const struct vpmu_cpu *cpu, uint32_t what,
		     uint32_t detail, uint32_t count)
{
	const struct vpmu_pairs pairs = umcs_of(cpu);
	unsigned int first = (what >> 16 & 0xff) * EACH;
	unsigned int i;

	for (i = first; i < pairs.nr && i < first + EACH; i++)
		if (umc_counts(pairs.pair[i].select, what))
			vpmu_pairs_add(&pairs, i, count);
	(void)detail;
}
