// SPDX-License-Identifier: GPL-2.0
#include <cpuid.h>

#include "event/this_cpu.h"
#include "intel.h"
#include "vendor.h"

/* CPUID leaf 0x1A EAX 23:0 */
#define NATIVE_MODEL 0xffffff

/**
 * bpmu_vendor_this_cpu() - files are for the CPU that runs this
 * @v: zeroed
 *
 * Only of Intel there are such files; for other CPUs nothing changes.
 */
void bpmu_vendor_this_cpu(struct bpmu_vendor_set *v)
{
	unsigned int eax, ebx, ecx, edx;
	struct bpmu_this_cpu cpu;
	struct bpmu_error err;

	/* A CPU of an unknown part has these numbers as well. */
	bpmu_this_cpu(&cpu, &err);
	if (cpu.id.vendor != BPMU_VENDOR_INTEL)
		return;
	v->cpu.vendor = cpu.id.vendor;
	v->cpu.family = cpu.id.family;
	v->cpu.model = cpu.id.model;
	v->stepping = cpu.stepping;
	if (!__get_cpuid_count(BPMU_CPUID_HYBRID, 0, &eax, &ebx, &ecx, &edx))
		return;
	v->cpu.core = eax >> 24;
	v->native = v->cpu.core ? eax & NATIVE_MODEL : 0;
}
