// SPDX-License-Identifier: GPL-2.0
/*
 * Uncore of AMD: counters of the L3, the data fabric and the memory controllers. The event selects
 * have no USR and no OS. No register starts all counters. Sources, in Linux: asm/msr-index.h has
 * the MSR addresses, MSR_F16H_L2I_PERF_* (on family 17h and later the L3), MSR_F15H_NB_PERF_* (the
 * data fabric), MSR_F19H_UMC_PERF_*; asm/perf_event.h has the fields of event selects, AMD64_L3_*,
 * AMD64_RAW_EVENT_MASK_NB, AMD64_PERFMON_V2_*_NB and *_UMC; arch/x86/events/amd/uncore.c has the
 * names of the fields, and the registers of families 15h and 16h.
 */
#include "intel.h"
#include "parts.h"

#define ENABLE		BPMU_BIT(22)
#define EVENT_UMASK	(BPMU_SEL_EVENT | BPMU_SEL_UMASK)

#define L3(bits, names) { \
	.unit = BPMU_UNIT_L3, .name = "l3", .title = "L3", .select = 0xc0010230, \
	.counter = 0xc0010231, .stride = 2, .base = BPMU_COUNTER_L3, .nr = 1, \
	.counters = BPMU_L3_COUNTERS, .width = 48, .enable = ENABLE, \
	.legal = EVENT_UMASK | (bits), .fields = (names), \
}

/*
 * Bits of the data fabric's event select. The first two masks hold bits 13:12 of the event code,
 * without and with PerfMonV2. The third mask holds bits 11:8 of the unit mask, which exist only
 * with PerfMonV2.
 */
#define DF_EVENT_13_12	0x1800000000000000ULL
#define DF_V2_EVENT	0x0000003000000000ULL
#define DF_V2_UMASK	0x000000000f000000ULL

#define DF(nr_counters, bits) { \
	.unit = BPMU_UNIT_DF, .name = "df", .title = "data fabric", \
	.select = 0xc0010240, \
	.counter = 0xc0010241, .stride = 2, .base = BPMU_COUNTER_DF, .nr = 1, \
	.counters = (nr_counters), .width = 48, .enable = ENABLE, \
	.legal = EVENT_UMASK | BPMU_SEL_EVENT_HIGH | (bits), \
}

/* The northbridge of AMD's parts before family 17h, at the addresses of the later data fabric */
#define NB { \
	.unit = BPMU_UNIT_NB, .name = "nb", .title = "northbridge", .select = 0xc0010240, \
	.counter = 0xc0010241, .stride = 2, .base = BPMU_COUNTER_DF, .nr = 1, \
	.counters = BPMU_DF_LEAST, .width = 48, .enable = ENABLE, \
	.legal = EVENT_UMASK | BPMU_SEL_EVENT_HIGH, \
}

static const struct bpmu_box bulldozer_boxes[] = { NB, { 0 } };

const struct bpmu_uncore bpmu_amd_bulldozer_uncore = {
	.boxes = bulldozer_boxes,
};

/*
 * Family 16h has no L3. Its L2 has the registers that Zen's L3 has, but only four counters, not
 * six.
 */
static const struct bpmu_box jaguar_boxes[] = {
	{
		.unit = BPMU_UNIT_L2, .name = "l2", .title = "L2", .select = 0xc0010230,
		.counter = 0xc0010231, .stride = 2, .base = BPMU_COUNTER_L3, .nr = 1,
		.counters = BPMU_L2_COUNTERS, .width = 48, .enable = ENABLE,
		.legal = EVENT_UMASK,
	}, NB, { 0 }
};

const struct bpmu_uncore bpmu_amd_jaguar_uncore = {
	.boxes = jaguar_boxes,
};

/*
 * Filters of an L3 event in family 17h: one bit per slice, and one bit per thread of the core
 * complex
 */
#define L3_SLICES	0x000f000000000000ULL
#define L3_THREADS	0xff00000000000000ULL

static const struct bpmu_select_field zen_l3_fields[] = {
	{ "slicemask", L3_SLICES, 0, 1 },
	{ "threadmask", L3_THREADS, 0, 1 },
	{ NULL }
};

static const struct bpmu_box zen_boxes[] = {
	L3(L3_SLICES | L3_THREADS, zen_l3_fields),
	DF(BPMU_DF_LEAST, DF_EVENT_13_12), { 0 }
};

const struct bpmu_uncore bpmu_amd_zen_uncore = {
	.boxes = zen_boxes,
};

/*
 * Filters of an L3 event from family 19h on: the number of a core, or all cores; the number of a
 * slice, or all slices; and one bit per thread of a core
 */
#define L3_CORE_ID	0x00001c0000000000ULL
#define L3_ALL_SLICES	BPMU_BIT(46)
#define L3_ALL_CORES	BPMU_BIT(47)
#define L3_SLICE_ID	0x0007000000000000ULL
#define L3_SMT		0x0300000000000000ULL

static const struct bpmu_select_field zen3_l3_fields[] = {
	{ "coreid", L3_CORE_ID, L3_ALL_CORES, 0 },
	{ "sliceid", L3_SLICE_ID, L3_ALL_SLICES, 0 },
	{ "threadmask", L3_SMT, 0, 1 },
	{ NULL }
};

#define ZEN3_L3 \
	L3(L3_CORE_ID | L3_ALL_SLICES | L3_ALL_CORES | L3_SLICE_ID | L3_SMT, \
	   zen3_l3_fields)

static const struct bpmu_box zen3_boxes[] = {
	ZEN3_L3, DF(BPMU_DF_LEAST, DF_EVENT_13_12), { 0 }
};

const struct bpmu_uncore bpmu_amd_zen3_uncore = {
	.boxes = zen3_boxes,
};

/*
 * Bits of a memory controller's event select with the field rdwrmask, which restricts the event to
 * reads (1) or writes (2); 0 and 3 mean both. The controllers' counters have 48 bits and do not
 * wrap: they stop at their maximum. The module clears bit 47 of a counter when this bit is 1
 * (Linux, amd_uncore_umc_read()).
 */
#define UMC_READ_WRITE	0x0000000000000300ULL

static const struct bpmu_select_field umc_fields[] = {
	{ "rdwrmask", UMC_READ_WRITE, 0, 0 },
	{ NULL }
};

static const struct bpmu_box zen4_boxes[] = {
	ZEN3_L3, DF(BPMU_DF_COUNTERS, DF_V2_EVENT | DF_V2_UMASK),
	{
		.unit = BPMU_UNIT_UMC, .name = "umc", .title = "memory controller",
		.select = 0xc0010800, .counter = 0xc0010801, .stride = 2,
		.base = BPMU_COUNTER_UMC, .nr = BPMU_UMCS, .counters = BPMU_UMC_COUNTERS,
		.width = 47, .saturates = 1, .enable = BPMU_BIT(31),
		.legal = BPMU_SEL_EVENT | UMC_READ_WRITE, .fields = umc_fields,
	}, { 0 }
};

const struct bpmu_uncore bpmu_amd_zen4_uncore = {
	.boxes = zen4_boxes,
};

/**
 * bpmu_l3_shift() - AMD uncore: low APIC ID bits in which CPUs that share an L3 or L2 differ
 * @cpu: family and model
 * @eax: EAX of leaf BPMU_CPUID_AMD_CACHES, subleaf BPMU_CPUID_AMD_L3 or BPMU_CPUID_AMD_L2
 *
 * Up to model 1Fh of family 17h the number is three. On later models it is the number of bits
 * needed to number the CPUs that @eax counts. Source: Linux, arch/x86/kernel/cpu/cacheinfo.c,
 * cacheinfo_amd_init_llc_id().
 *
 * Context: any.
 * Return: the number of bits: CPUs share that cache if their APIC IDs, shifted right by this
 * number, are equal.
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

/**
 * bpmu_df_shift() - AMD uncore: low APIC ID bits in which CPUs that share a data fabric differ
 * @size: ECX of leaf BPMU_CPUID_AMD_SIZE
 * @nodes: ECX of leaf BPMU_CPUID_AMD_NODES
 *
 * The CPUs of a node share a data fabric (Linux, arch/x86/events/amd/uncore.c). @size holds how
 * many low APIC ID bits number the CPUs of a package; the highest of these bits number the node
 * (AMD64 Architecture Programmer's Manual, Vol. 3).
 *
 * Context: any.
 * Return: the number of bits: CPUs share a data fabric if their APIC IDs, shifted right by this
 * number, are equal.
 */
unsigned int bpmu_df_shift(u32 size, u32 nodes)
{
	unsigned int bits = BPMU_SIZE_BITS(size);
	unsigned int node = 0;

	while (!BPMU_SIZE_BITS(size) && 1U << bits < BPMU_SIZE_CPUS(size))
		bits++;
	while (1U << node < BPMU_NODES(nodes))
		node++;
	return bits > node ? bits - node : 0;
}
