// SPDX-License-Identifier: GPL-2.0
#include <cpuid.h>

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

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) ||
	    ebx != signature_INTEL_ebx || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	v->cpu.vendor = BPMU_VENDOR_INTEL;
	v->cpu.family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
	v->cpu.model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	v->stepping = eax & 0xf;
	if (__get_cpuid_count(BPMU_CPUID_HYBRID, 0, &eax, &ebx, &ecx, &edx))
		v->cpu.core = eax >> 24;
	v->native = v->cpu.core ? eax & NATIVE_MODEL : 0;
}
