// SPDX-License-Identifier: GPL-2.0
#include "this_cpu.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>

#include "affinity.h"
#include "base/cpulist.h"
#include "intel.h"

/* Bit of EDX in CPUID leaf 7: the package has more than one core type. */
#define HYBRID (1U << 15)

/* Bit PerfCtrExtCore of ECX in CPUID leaf 0x8000_0001: an AMD core has six counters, not four. */
#define AMD_FEATURES 0x80000001
#define EXTENDED_COUNTERS (1U << 23)

/* Size of the array of core types that were found; no machine has as many */
#define MOST_CORE_TYPES 8

/* Bit of ECX in CPUID leaf 1 that hypervisors set for their guests */
#define HYPERVISOR (1U << 31)

/* CPUID leaf with the signature of a hypervisor in EBX, ECX and EDX */
#define HYPERVISOR_LEAF 0x40000000

static u8 vendor(const char *name)
{
	if (!strcmp(name, "GenuineIntel"))
		return BPMU_VENDOR_INTEL;
	if (!strcmp(name, "AuthenticAMD") || !strcmp(name, "HygonGenuine"))
		return BPMU_VENDOR_AMD;
	return 0;
}

/*
 * Executes CPUID; returns zeros if the CPU does not have the leaf. Leaf 0 reports the highest leaf
 * of the CPU, but the leaves of a hypervisor have numbers above it.
 */
static struct bpmu_cpuid this_cpu_leaf(u32 number, u32 subleaf)
{
	struct bpmu_cpuid regs = { };

	if (number == HYPERVISOR_LEAF)
		__cpuid(number, regs.eax, regs.ebx, regs.ecx, regs.edx);
	else
		__get_cpuid_count(number, subleaf, &regs.eax, &regs.ebx, &regs.ecx, &regs.edx);
	return regs;
}

/**
 * bpmu_this_cpu_identify() - identify this CPU, or a simulated one, by its results of CPUID
 * @cpu: set
 * @leaf: function that returns the output of CPUID for a leaf and subleaf, zeros if the CPU does
 *	not have them
 *
 * SDM Vol. 2A, CPUID: leaves 0, 1, 7, 0xA, 0x1A and 0x23; AMD64 Architecture Programmer's Manual,
 * Vol. 3: leaves 0x8000_0001 and 0x8000_0022.
 */
void bpmu_this_cpu_identify(struct bpmu_this_cpu *cpu,
			    struct bpmu_cpuid (*leaf)(u32 number, u32 subleaf))
{
	const struct bpmu_cpuid leaf0 = leaf(0, 0);
	const struct bpmu_cpuid leaf1 = leaf(1, 0);
	struct bpmu_cpuid counters = { }, extended;
	u32 family = leaf1.eax >> 8 & 0xf;
	u32 model = leaf1.eax >> 4 & 0xf;
	u32 core;

	memset(cpu, 0, sizeof(*cpu));
	memcpy(cpu->vendor, &leaf0.ebx, 4);
	memcpy(cpu->vendor + 4, &leaf0.edx, 4);
	memcpy(cpu->vendor + 8, &leaf0.ecx, 4);
	cpu->stepping = leaf1.eax & 0xf;
	cpu->hypervisor = leaf1.ecx & HYPERVISOR;
	if (cpu->hypervisor) {
		counters = leaf(HYPERVISOR_LEAF, 0);
		memcpy(cpu->hypervisor_id, &counters.ebx, 12);
	}
	if (family == 6 || family == 15)
		model |= leaf1.eax >> 12 & 0xf0;
	if (family == 15)
		family += leaf1.eax >> 20 & 0xff;
	cpu->id = (struct bpmu_cpu_id){ vendor(cpu->vendor), family, model };
	cpu->hybrid = leaf(7, 0).edx & HYBRID;
	if (cpu->hybrid) {
		core = leaf(BPMU_CPUID_HYBRID, 0).eax;
		cpu->id.core = core >> 24;
		cpu->id.native = core;
	}
	cpu->part = bpmu_part_find(&cpu->id);
	if (!cpu->part)
		return;
	counters = (struct bpmu_cpuid){ };
	if (cpu->part->cpuid_leaf)
		counters = leaf(cpu->part->cpuid_leaf, 0);
	bpmu_pmu_init(&cpu->pmu, cpu->part, &counters, cpu->id.core);
	extended = leaf(BPMU_CPUID_PERFMON_EXT, 0);
	bpmu_pmu_selects(&cpu->pmu, &extended);
	counters = (struct bpmu_cpuid){ };
	if (extended.eax & BPMU_PERFMON_BITMAPS)
		counters = leaf(BPMU_CPUID_PERFMON_EXT, 1);
	bpmu_pmu_bitmaps(&cpu->pmu, &counters);
	cpu->usable = bpmu_pmu_usable(&cpu->pmu,
				      leaf(AMD_FEATURES, 0).ecx & EXTENDED_COUNTERS);
}

/**
 * bpmu_this_cpu_core_types() - identify this CPU's core types on which the process may run
 * @found: called once per core type, in the order of the lowest CPU of each type
 * @data: passed to @found
 *
 * CPUID reports only the type of the core that executes it. On a hybrid machine the calling thread
 * therefore moves from CPU to CPU within its affinity, which is restored at the end.
 *
 * Return: 0, or a negative errno if the process cannot be moved.
 */
int bpmu_this_cpu_core_types(void (*found)(void *data,
					   const struct bpmu_this_cpu *cpu),
			     void *data, struct bpmu_error *err)
{
	const struct bpmu_part *seen[MOST_CORE_TYPES];
	struct bpmu_affinity allowed;
	struct bpmu_this_cpu cpu;
	unsigned int i, k, nr_seen = 0;
	int ret;

	ret = bpmu_affinity_get(0, &allowed);
	if (ret)
		return bpmu_error_set(err, ret, "CPUs: %s", strerror(-ret));
	for (i = 0; i < BPMU_CPULIST_MAX; i++) {
		/* CPUs outside the affinity, and CPUs that have gone offline, are skipped. */
		if (!bpmu_affinity_has(&allowed, i) || bpmu_affinity_pin(i))
			continue;
		bpmu_this_cpu_identify(&cpu, this_cpu_leaf);
		for (k = 0; k < nr_seen && seen[k] != cpu.part; k++)
			;
		if (k == nr_seen && nr_seen < MOST_CORE_TYPES) {
			seen[nr_seen++] = cpu.part;
			found(data, &cpu);
		}
		if (!cpu.hybrid)
			break;
	}
	ret = bpmu_affinity_set(0, &allowed);
	return ret ? bpmu_error_set(err, ret, "CPUs: %s", strerror(-ret)) : 0;
}

static void keep_first(void *data, const struct bpmu_this_cpu *cpu)
{
	struct bpmu_this_cpu *first = data;

	if (!first->vendor[0])
		*first = *cpu;
}

/**
 * bpmu_this_cpu() - identify this CPU: the first one that the process may run on
 * @cpu: set
 *
 * Return: 0, or -ENODEV for an unknown CPU.
 */
int bpmu_this_cpu(struct bpmu_this_cpu *cpu, struct bpmu_error *err)
{
	int ret;

	memset(cpu, 0, sizeof(*cpu));
	ret = bpmu_this_cpu_core_types(keep_first, cpu, err);
	if (ret)
		return ret;
	if (!cpu->part)
		return bpmu_error_set(err, -ENODEV,
				      "CPU family %u model %u: not known; name a part with --part",
				      cpu->id.family, cpu->id.model);
	return 0;
}
