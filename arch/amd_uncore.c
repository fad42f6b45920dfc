// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of AMD's core complexes. Register numbers and fields of a select:
 * Linux, asm/msr-index.h, MSR_F16H_L2I_PERF_* (which on family 17h and later is
 * the L3), and asm/perf_event.h, AMD64_L3_*; names of the fields:
 * arch/x86/events/amd/uncore.c. There is no usr, no os and no register that starts
 * all of them.
 */
#include "intel.h"
#include "parts.h"

#define ENABLE		BPMU_BIT(22)
#define EVENT_UMASK	(BPMU_SEL_EVENT | BPMU_SEL_UMASK)

#define L3(bits, names) { \
	.unit = BPMU_UNIT_L3, .name = "l3", .select = 0xc0010230, \
	.counter = 0xc0010231, .stride = 2, .base = BPMU_L3_BASE, .nr = 1, \
	.counters = BPMU_L3_COUNTERS, .width = 48, \
	.legal = EVENT_UMASK | (bits), .fields = (names), \
}

/* family 17h: each of eight threads and of four slices has a bit */
#define L3_SLICES	0x000f000000000000ULL
#define L3_THREADS	0xff00000000000000ULL

static const struct bpmu_select_field zen_l3_fields[] = {
	{ "slicemask", L3_SLICES, 0, 1 },
	{ "threadmask", L3_THREADS, 0, 1 },
	{ 0 }
};

static const struct bpmu_box zen_boxes[] = {
	L3(L3_SLICES | L3_THREADS, zen_l3_fields), { 0 }
};

const struct bpmu_uncore bpmu_amd_zen_uncore = {
	.enable = ENABLE,
	.boxes = zen_boxes,
};

/* from family 19h on: one core or all, one slice or all, each thread of a core */
#define L3_CORE_ID	0x00001c0000000000ULL
#define L3_ALL_SLICES	BPMU_BIT(46)
#define L3_ALL_CORES	BPMU_BIT(47)
#define L3_SLICE_ID	0x0007000000000000ULL
#define L3_SMT		0x0300000000000000ULL

static const struct bpmu_select_field zen3_l3_fields[] = {
	{ "coreid", L3_CORE_ID, L3_ALL_CORES, 0 },
	{ "sliceid", L3_SLICE_ID, L3_ALL_SLICES, 0 },
	{ "threadmask", L3_SMT, 0, 1 },
	{ 0 }
};

static const struct bpmu_box zen3_boxes[] = {
	L3(L3_CORE_ID | L3_ALL_SLICES | L3_ALL_CORES | L3_SLICE_ID | L3_SMT,
	   zen3_l3_fields), { 0 }
};

const struct bpmu_uncore bpmu_amd_zen3_uncore = {
	.enable = ENABLE,
	.boxes = zen3_boxes,
};

/**
 * bpmu_l3_shift() - which CPUs share an L3
 * @cpu: what CPUID says of one
 * @eax: of its leaf BPMU_CPUID_AMD_CACHES, subleaf BPMU_CPUID_AMD_L3
 *
 * Linux, arch/x86/kernel/cpu/cacheinfo.c, cacheinfo_amd_init_llc_id(): those whose
 * APIC numbers differ in the lowest bits alone. Until model 1Fh of family 17h these
 * are three, later as many as number the CPUs that the leaf says.
 *
 * Context: any.
 * Return: number of these bits.
 */
unsigned int bpmu_l3_shift(const struct bpmu_cpu_id *cpu, u32 eax)
{
	unsigned int bits = 0;

	if (cpu->family == 0x17 && cpu->model <= 0x1f)
		return 3;
	while (1U << bits < BPMU_CACHE_CPUS(eax))
		bits++;
	return bits;
}
