// SPDX-License-Identifier: GPL-2.0
#include "this_cpu.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>

#include "base/cpulist.h"
#include "intel.h"

/* CPUID leaf 7 EDX: the package has more than one core type */
#define HYBRID (1U << 15)

/* array size; no part has so many core types */
#define MOST_CORE_TYPES 8

/* CPUID leaf 1 ECX: set by hypervisors */
#define HYPERVISOR (1U << 31)

/* CPUID leaf with the signature of a hypervisor in EBX, ECX, EDX */
#define HYPERVISOR_LEAF 0x40000000

/* Beyond the leaves that leaf 0 knows, which __get_cpuid_count() would check. */
static void read_hypervisor_id(char id[13])
{
	u32 eax, regs[3];

	__cpuid(HYPERVISOR_LEAF, eax, regs[0], regs[1], regs[2]);
	memcpy(id, regs, sizeof(regs));
	id[sizeof(regs)] = 0;
}

static u8 vendor(const char *name)
{
	if (!strcmp(name, "GenuineIntel"))
		return BPMU_VENDOR_INTEL;
	if (!strcmp(name, "AuthenticAMD") || !strcmp(name, "HygonGenuine"))
		return BPMU_VENDOR_AMD;
	return 0;
}

/* Returns zeros if the CPU does not have the leaf. */
static struct bpmu_cpuid this_cpu_leaf(u32 number)
{
	struct bpmu_cpuid regs = { };

	__get_cpuid_count(number, 0, &regs.eax, &regs.ebx, &regs.ecx,
			  &regs.edx);
	return regs;
}

/* SDM Vol. 2A, CPUID: leaves 0, 1, 7 and 0x1A of the current CPU */
static void this_cpu_read(struct bpmu_this_cpu *cpu)
{
	const struct bpmu_cpuid leaf0 = this_cpu_leaf(0);
	const struct bpmu_cpuid leaf1 = this_cpu_leaf(1);
	struct bpmu_cpuid counters = { };
	u32 family = leaf1.eax >> 8 & 0xf;
	u32 model = leaf1.eax >> 4 & 0xf;
	u32 core;

	memset(cpu, 0, sizeof(*cpu));
	memcpy(cpu->vendor, &leaf0.ebx, 4);
	memcpy(cpu->vendor + 4, &leaf0.edx, 4);
	memcpy(cpu->vendor + 8, &leaf0.ecx, 4);
	cpu->stepping = leaf1.eax & 0xf;
	cpu->hypervisor = leaf1.ecx & HYPERVISOR;
	if (cpu->hypervisor)
		read_hypervisor_id(cpu->hypervisor_id);
	if (family == 6 || family == 15)
		model |= leaf1.eax >> 12 & 0xf0;
	if (family == 15)
		family += leaf1.eax >> 20 & 0xff;
	cpu->id = (struct bpmu_cpu_id){ vendor(cpu->vendor), family, model };
	cpu->hybrid = this_cpu_leaf(7).edx & HYBRID;
	if (cpu->hybrid) {
		core = this_cpu_leaf(BPMU_CPUID_HYBRID).eax;
		cpu->id.core = core >> 24;
		cpu->id.native = core;
	}
	cpu->part = bpmu_part_find(&cpu->id);
	if (!cpu->part)
		return;
	if (cpu->part->cpuid_leaf)
		counters = this_cpu_leaf(cpu->part->cpuid_leaf);
	bpmu_pmu_init(&cpu->pmu, cpu->part, &counters, cpu->id.core);
}

/**
 * bpmu_this_cpu_core_types() - identify the core types that this process may run on
 * @found: called once per core type, in the order of the CPUs' numbers
 * @data: passed to @found
 * @err: filled on an error
 *
 * CPUID reports only the type of the core that executes it, so the process is moved from
 * CPU to CPU, and gets its old affinity at the end. CPUs outside that affinity are not
 * used. On a machine that is not hybrid one CPU is enough.
 *
 * Return: 0, or a negative errno if the process cannot be moved.
 */
int bpmu_this_cpu_core_types(void (*found)(void *data,
					   const struct bpmu_this_cpu *cpu),
			     void *data, struct bpmu_error *err)
{
	const struct bpmu_part *seen[MOST_CORE_TYPES];
	struct bpmu_cpu_mask allowed;
	struct bpmu_this_cpu cpu;
	unsigned int i, k, nr_seen = 0;
	int ret;

	ret = bpmu_cpu_allowed(0, &allowed);
	if (ret)
		return bpmu_error_set(err, ret, "CPUs: %s", strerror(-ret));
	for (i = 0; i < BPMU_CPULIST_MAX; i++) {
		/* skip a CPU that has gone offline */
		if (!bpmu_cpu_is_in(&allowed, i) || bpmu_cpu_pin(i))
			continue;
		this_cpu_read(&cpu);
		for (k = 0; k < nr_seen && seen[k] != cpu.part; k++)
			;
		if (k == nr_seen && nr_seen < MOST_CORE_TYPES) {
			seen[nr_seen++] = cpu.part;
			found(data, &cpu);
		}
		if (!cpu.hybrid)
			break;
	}
	ret = bpmu_cpu_allow(0, &allowed);
	return ret ? bpmu_error_set(err, ret, "CPUs: %s", strerror(-ret)) : 0;
}

static void keep_first(void *data, const struct bpmu_this_cpu *cpu)
{
	struct bpmu_this_cpu *first = data;

	if (!first->vendor[0])
		*first = *cpu;
}

/**
 * bpmu_this_cpu() - identify the first CPU that this process may run on
 * @cpu: set
 * @err: set on failure
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
