// SPDX-License-Identifier: GPL-2.0
#include "this_cpu.h"

#include <cpuid.h>
#include <errno.h>
#include <string.h>

#include "intel.h"

/* CPUID leaf 7 EDX: cores of two kinds */
#define HYBRID (1U << 15)

static u8 vendor(const struct bpmu_cpuid *leaf0)
{
	char name[13] = "";

	memcpy(name, &leaf0->ebx, 4);
	memcpy(name + 4, &leaf0->edx, 4);
	memcpy(name + 8, &leaf0->ecx, 4);
	if (!strcmp(name, "GenuineIntel"))
		return BPMU_VENDOR_INTEL;
	if (!strcmp(name, "AuthenticAMD") || !strcmp(name, "HygonGenuine"))
		return BPMU_VENDOR_AMD;
	return 0;
}

/* zeros if the CPU has no such leaf */
static struct bpmu_cpuid leaf(u32 number)
{
	struct bpmu_cpuid regs = { };

	__get_cpuid_count(number, 0, &regs.eax, &regs.ebx, &regs.ecx,
			  &regs.edx);
	return regs;
}

static void find_core(struct bpmu_cpu_id *id)
{
	u32 eax;

	if (!(leaf(7).edx & HYBRID))
		return;
	eax = leaf(BPMU_CPUID_HYBRID).eax;
	id->core = eax >> 24;
	id->native = eax;
}

/**
 * bpmu_this_cpu() - ask the CPU that we run on
 * @cpu: filled in
 * @err: filled on an error
 *
 * Context: process.
 * Return: 0, or -ENODEV for a CPU of which we know nothing.
 */
int bpmu_this_cpu(struct bpmu_this_cpu *cpu, struct bpmu_error *err)
{
	const struct bpmu_cpuid leaf0 = leaf(0);
	const struct bpmu_cpuid leaf1 = leaf(1);
	const struct bpmu_part *part;
	struct bpmu_cpuid counters = { };
	struct bpmu_cpu_id id;
	u32 family = leaf1.eax >> 8 & 0xf;

	cpu->stepping = leaf1.eax & 0xf;
	cpu->model = leaf1.eax >> 4 & 0xf;
	if (family == 6 || family == 15)
		cpu->model |= leaf1.eax >> 12 & 0xf0;
	if (family == 15)
		family += leaf1.eax >> 20 & 0xff;
	id = (struct bpmu_cpu_id){ vendor(&leaf0), family, cpu->model };
	find_core(&id);
	part = bpmu_part_find(&id);
	if (!part)
		return bpmu_error_set(err, -ENODEV,
				      "CPU family %u model %u: not known; name a part with --part",
				      family, cpu->model);
	if (part->cpuid_leaf)
		counters = leaf(part->cpuid_leaf);
	bpmu_pmu_init(&cpu->pmu, part, &counters, id.core);
	return 0;
}
