// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module finds out which counters the machine has, by CPUID and by reading
 * registers, of the reservation of these counters, of functions that run on other CPUs, and of the
 * clock across a suspend. The sources of the module are compiled unchanged.
 */
#include "kernel/module.h"

#include "../../kmod/machine/cpu_run.c"
#include "../../kmod/machine/probe.c"
#include "../../kmod/machine/tsc.c"

#include "kernel/log.h"
#include "kernel/registers.h"

#define LEAVES 32
#define CPUS 6

struct cpuinfo_x86 boot_cpu_data;
unsigned int tsc_khz;

/* leaves of CPUID; others are 0 */
static struct leaf {
	u32 leaf;
	u32 subleaf;
	struct bpmu_cpuid regs;
} leaves[LEAVES];

static unsigned int nr_leaves;
static bool features[UNIT_FEATURES];
static unsigned int this_cpu;
static struct cpumask online, isolated;
/* what stands for the part that bpmu_part_find() finds; NULL: that part */
static const struct bpmu_part *discovered;
static bool memory_is_found;
static unsigned int most_devices, searched;
/* registers reserved in the kernel, in the order of the calls, and the one that is not free */
static char reserved[512];
static u32 not_free;
static u64 tsc, now;

void cpuid_count(u32 leaf, u32 subleaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx)
{
	unsigned int i;

	*eax = 0;
	*ebx = 0;
	*ecx = 0;
	*edx = 0;
	for (i = 0; i < nr_leaves; i++)
		if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf) {
			*eax = leaves[i].regs.eax;
			*ebx = leaves[i].regs.ebx;
			*ecx = leaves[i].regs.ecx;
			*edx = leaves[i].regs.edx;
		}
}

static void has_leaf_of(u32 leaf, u32 subleaf, u32 eax, u32 ebx, u32 ecx, u32 edx)
{
	assert_true(nr_leaves < LEAVES);
	leaves[nr_leaves++] = (struct leaf){ leaf, subleaf, { eax, ebx, ecx, edx } };
}

bool boot_cpu_has(enum unit_feature feature)
{
	return features[feature];
}

unsigned int smp_processor_id(void)
{
	return this_cpu;
}

bool cpu_online(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &online);
}

bool cpu_is_isolated(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &isolated);
}

u32 cpu_physical_id(unsigned int cpu)
{
	return cpu * 4;
}

unsigned int bpmu_cores_per_package(void)
{
	return 3;
}

int smp_call_function_single(int cpu, void (*fn)(void *arg), void *arg, int wait)
{
	unsigned int own = this_cpu;

	assert_true(wait);
	if (!cpu_online(cpu))
		return -ENXIO;
	this_cpu = cpu;
	fn(arg);
	this_cpu = own;
	return 0;
}

void on_each_cpu_mask(const struct cpumask *mask, void (*fn)(void *arg), void *arg, bool wait)
{
	unsigned int cpu;

	for_each_cpu(cpu, mask)
		smp_call_function_single(cpu, fn, arg, wait);
}

static int reserve(const char *what, u32 msr)
{
	size_t used = strlen(reserved);

	if (msr == not_free)
		return 0;
	snprintf(reserved + used, sizeof(reserved) - used, "%s%x ", what, msr);
	return 1;
}

int reserve_perfctr_nmi(u32 msr)
{
	return reserve("+", msr);
}

void release_perfctr_nmi(u32 msr)
{
	reserve("-", msr);
}

int reserve_evntsel_nmi(u32 msr)
{
	return reserve("+", msr);
}

void release_evntsel_nmi(u32 msr)
{
	reserve("-", msr);
}

const struct bpmu_part *bpmu_discovery_part(const struct bpmu_part *part)
{
	return discovered ?: part;
}

void bpmu_discovery_find(const struct bpmu_part *part)
{
	assert_string_equal(part->name, "ivb");
	searched |= 1;
}

void bpmu_devices_find(const struct bpmu_part *part)
{
	assert_string_equal(part->name, "ivb");
	assert_int_equal(searched, 0);
	searched |= 2;
}

void bpmu_devices_add_controller(struct pci_dev *host, const struct bpmu_box *box,
				 unsigned int controller, phys_addr_t address)
{
	(void)host;
	(void)box;
	(void)controller;
	(void)address;
}

void bpmu_memory_find(const struct bpmu_part *part, bpmu_memory_box_fn *add)
{
	assert_string_equal(part->name, "ivb");
	assert_ptr_equal(add, bpmu_devices_add_controller);
	searched |= 4;
}

bool bpmu_memory_found(void)
{
	return memory_is_found;
}

bool bpmu_devices_manage(u8 unit)
{
	return unit == BPMU_UNIT_IMC;
}

u32 bpmu_devices_most(u8 unit)
{
	assert_int_equal(unit, BPMU_UNIT_IMC);
	return most_devices;
}

u64 rdtsc_ordered(void)
{
	return tsc;
}

u64 ktime_get_ns(void)
{
	return now;
}

/* Begins with an Ivy Bridge with three general counters of 40 bits and two fixed ones of 44. */
TEST_FIXTURE(setup)
{
	forget_registers();
	nr_leaves = 0;
	memset(features, 0, sizeof(features));
	memset(pmus, 0, sizeof(pmus));
	memset(pmu_of, 0, sizeof(pmu_of));
	nr_pmus = 0;
	nr_reserved = 0;
	full_width = false;
	l3_shift = 0;
	df_shift = 0;
	this_cpu = 0;
	online.bits = 0x3b;
	isolated.bits = 0;
	discovered = NULL;
	memory_is_found = false;
	most_devices = 0;
	searched = 0;
	reserved[0] = '\0';
	not_free = 0;
	logged[0] = '\0';
	tsc_khz = 1000;
	boot_cpu_data = (struct cpuinfo_x86){
		.x86 = 6, .x86_vendor = X86_VENDOR_INTEL, .x86_model = 58, .cpuid_level = 10,
	};
	has_leaf_of(BPMU_CPUID_PERFMON, 0, 3 | 3 << 8 | 40 << 16 | 7 << 24, 0, 0, 2 | 44 << 5);
	return 0;
}

TEST_FIXTURE(teardown)
{
	said("");
	return 0;
}

#define PROBE(name) TEST_BETWEEN(name, setup, teardown)

PROBE(a_cpu_says_who_it_is)
{
	struct bpmu_cpu_id id;

	has_leaf_of(BPMU_CPUID_HYBRID, 0, 0x40000001, 0, 0, 0);
	id = this_cpu_id();
	assert_int_equal(id.vendor, BPMU_VENDOR_INTEL);
	assert_int_equal(id.family, 6);
	assert_int_equal(id.model, 58);
	assert_int_equal(id.core, 0);
	features[X86_FEATURE_HYBRID_CPU] = true;
	boot_cpu_data.cpuid_level = 0x19;
	assert_int_equal(this_cpu_id().core, 0);
	boot_cpu_data.cpuid_level = 0x1a;
	id = this_cpu_id();
	assert_int_equal(id.core, BPMU_CORE_PERFORMANCE);
	assert_int_equal(id.native, 1);
	features[X86_FEATURE_HYBRID_CPU] = false;
	assert_int_equal(this_cpu_id().core, 0);
	boot_cpu_data.x86_vendor = X86_VENDOR_AMD;
	assert_int_equal(this_cpu_id().vendor, BPMU_VENDOR_AMD);
	boot_cpu_data.x86_vendor = X86_VENDOR_HYGON;
	assert_int_equal(this_cpu_id().vendor, BPMU_VENDOR_AMD);
	boot_cpu_data.x86_vendor = 5;
	assert_int_equal(this_cpu_id().vendor, 0);
}

PROBE(a_leaf_is_read_only_if_it_is_there)
{
	struct bpmu_part part = { .cpuid_leaf = 10 };
	struct bpmu_cpuid regs = { .eax = 5 };

	assert_true(has_leaf(&part));
	part.cpuid_leaf = 11;
	boot_cpu_data.extended_cpuid_level = 0x80000022;
	assert_false(has_leaf(&part));
	part.cpuid_leaf = 0;
	assert_false(has_leaf(&part));
	part.cpuid_leaf = 0x80000022;
	assert_true(has_leaf(&part));
	boot_cpu_data.extended_cpuid_level = 0x80000021;
	assert_false(has_leaf(&part));
	/* subleaves of architectural performance monitoring, which subleaf 0 announces */
	has_leaf_of(BPMU_CPUID_PERFMON_EXT, 0, 0x10, 7, 8, 9);
	has_leaf_of(BPMU_CPUID_PERFMON_EXT, 5, 11, 12, 13, 14);
	boot_cpu_data.cpuid_level = 0x22;
	read_perfmon(5, 0x10, &regs);
	assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
	boot_cpu_data.cpuid_level = 0x23;
	read_perfmon(5, 0x10, &regs);
	assert_int_equal(regs.eax, 11);
	assert_int_equal(regs.ebx, 12);
	assert_int_equal(regs.ecx, 13);
	assert_int_equal(regs.edx, 14);
	read_perfmon(5, 0x30, &regs);
	assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
	read_perfmon(0, 0, &regs);
	assert_int_equal(regs.ebx, 7);
	/* branch records */
	has_leaf_of(BPMU_CPUID_LBR, 0, 21, 22, 23, 24);
	read_lbr(&regs);
	assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
	has_leaf_of(BPMU_CPUID_FEATURES, 0, 0, 0, 0, 1 << 19);
	boot_cpu_data.cpuid_level = 0x1c;
	read_lbr(&regs);
	assert_int_equal(regs.eax, 21);
	assert_int_equal(regs.ebx, 22);
	assert_int_equal(regs.ecx, 23);
	assert_int_equal(regs.edx, 24);
	boot_cpu_data.cpuid_level = 0x1b;
	read_lbr(&regs);
	assert_int_equal(regs.eax | regs.ebx | regs.ecx | regs.edx, 0);
}

PROBE(metrics_need_the_counter_of_slots)
{
	struct bpmu_pmu pmu = { .metrics = 8, .fixed_counters = 4 };

	assert_int_equal(nr_metrics(&pmu, BPMU_PERF_CAP_METRICS, 0), 8);
	assert_int_equal(nr_metrics(&pmu, ~BPMU_PERF_CAP_METRICS, 0), 0);
	assert_int_equal(nr_metrics(&pmu, 0, BPMU_CORE_PERFORMANCE), 8);
	assert_int_equal(nr_metrics(&pmu, 0, BPMU_CORE_EFFICIENT), 0);
	pmu.fixed_counters = 3;
	assert_int_equal(nr_metrics(&pmu, BPMU_PERF_CAP_METRICS, 0), 0);
}

static const struct bpmu_discovery discovery;

PROBE(boxes_are_counted_up_to_the_first_that_is_silent)
{
	struct bpmu_box box = {
		.unit = BPMU_UNIT_IIO, .title = "IIO stack", .ctl = 0x1c, .select = 0x10,
		.counter = 0x18, .step = 0x20, .nr = 4, .base = 1,
	};
	struct bpmu_box boxes[2] = { box };
	struct bpmu_uncore uncore = { .boxes = boxes };
	struct bpmu_part part = { .uncore = &uncore };
	struct bpmu_pmu pmu = { .part = &part };

	put(0, 0x1c, 0);
	put(0, 0x3c, 0);
	put(0, 0x7c, 0);
	assert_int_equal(count_answering(&box, 2), 2);
	said("");
	assert_int_equal(count_answering(&box, 4), 2);
	said("IIO stack 2 of 4 does not answer: only the ones before it are used\n");
	put(0, 0x5c, 0);
	assert_int_equal(count_answering(&box, 9), 4);
	assert_int_equal(count_boxes(&pmu, &box), 4);
	box.nr = 5;
	assert_int_equal(count_boxes(&pmu, &box), 4);
	said("IIO stack 4 of 5 does not answer: only the ones before it are used\n");
	box.base = 0;
	box.nr = 7;
	assert_int_equal(count_boxes(&pmu, &box), 7);
	box.nr = 4;
	box.base = 1;
	/* of a single box the select is read */
	box.unit = BPMU_UNIT_PCU;
	box.title = "PCU";
	box.nr = 1;
	assert_int_equal(count_answering(&box, 1), 0);
	said("the PCU does not answer: it is ignored\n");
	put(0, 0x10, 0);
	assert_int_equal(count_answering(&box, 1), 1);
	/* CHAs: as many as cores, or as a register says, or as answer */
	box.unit = BPMU_UNIT_CHA;
	box.title = "CHA";
	box.nr = 4;
	assert_int_equal(count_boxes(&pmu, &box), 3);
	uncore.cbo_config = 0x702;
	assert_int_equal(count_boxes(&pmu, &box), 0);
	said("MSR 0x702 does not report the number of CHAs: all are ignored\n");
	put(0, 0x702, 0xc2);
	assert_int_equal(count_boxes(&pmu, &box), 2);
	said("");
	uncore.discovery = &discovery;
	assert_int_equal(count_boxes(&pmu, &box), 4);
	/* CBos of a client */
	boxes[0].unit = BPMU_UNIT_CBO;
	box.unit = BPMU_UNIT_CBO;
	put(0, 0x702, 0x31);
	assert_int_equal(count_boxes(&pmu, &box), 1);
	put(0, 0x702, 0x30);
	assert_int_equal(count_boxes(&pmu, &box), 3);
	uncore.cbo_config = 0;
	assert_int_equal(count_boxes(&pmu, &box), 0);
	/* units in devices, and those that CPUID counts */
	box.unit = BPMU_UNIT_IMC;
	most_devices = 5;
	assert_int_equal(count_boxes(&pmu, &box), 5);
	box.unit = BPMU_UNIT_UMC;
	pmu.nr[BPMU_UNIT_UMC] = 6;
	assert_int_equal(count_boxes(&pmu, &box), 6);
}

PROBE(caches_and_fabrics_have_counters_if_cpuid_says_so)
{
	struct bpmu_box box = { .unit = BPMU_UNIT_L3 };
	struct bpmu_pmu pmu = { };
	struct bpmu_cpu_id id;
	static const enum unit_feature of_cache[] = {
		X86_FEATURE_PERFCTR_LLC, X86_FEATURE_TOPOEXT,
	};
	static const enum unit_feature of_fabric[] = {
		X86_FEATURE_PERFCTR_NB, X86_FEATURE_TOPOEXT,
	};
	unsigned int i;

	boot_cpu_data.x86_vendor = X86_VENDOR_AMD;
	boot_cpu_data.x86 = 0x19;
	boot_cpu_data.extended_cpuid_level = 0x8000001d;
	has_leaf_of(0x8000001d, 3, 0x3c000 | 3, 0, 0, 0);
	has_leaf_of(0x80000008, 0, 0, 0, 0x4000, 0);
	has_leaf_of(0x8000001e, 0, 0, 0, 0x100, 0);
	id = this_cpu_id();
	for (i = 0; i < 2; i++)
		features[of_cache[i]] = true;
	assert_int_equal(count_boxes(&pmu, &box), 1);
	assert_true(l3_shift > 0);
	assert_int_equal(l3_shift, bpmu_l3_shift(&id, 0x3c003));
	/* the L2 has another subleaf, which is empty */
	box.unit = BPMU_UNIT_L2;
	assert_int_equal(count_boxes(&pmu, &box), 0);
	has_leaf_of(0x8000001d, 2, 0x4000 | 3, 0, 0, 0);
	assert_int_equal(count_boxes(&pmu, &box), 1);
	for (i = 0; i < 2; i++) {
		features[of_cache[i]] = false;
		assert_int_equal(count_boxes(&pmu, &box), 0);
		features[of_cache[i]] = true;
	}
	boot_cpu_data.extended_cpuid_level--;
	assert_int_equal(count_boxes(&pmu, &box), 0);
	box.unit = BPMU_UNIT_DF;
	boot_cpu_data.extended_cpuid_level = 0x8000001e;
	features[X86_FEATURE_PERFCTR_NB] = true;
	assert_int_equal(count_boxes(&pmu, &box), 1);
	assert_true(df_shift > 0);
	assert_int_equal(df_shift, bpmu_df_shift(0x4000, 0x100));
	box.unit = BPMU_UNIT_NB;
	for (i = 0; i < 2; i++) {
		features[of_fabric[i]] = false;
		assert_int_equal(count_boxes(&pmu, &box), 0);
		features[of_fabric[i]] = true;
	}
	assert_int_equal(count_boxes(&pmu, &box), 1);
	boot_cpu_data.extended_cpuid_level--;
	assert_int_equal(count_boxes(&pmu, &box), 0);
	/* APIC IDs are four times the CPU's number here */
	l3_shift = 3;
	df_shift = 4;
	assert_true(bpmu_probe_same_l3(2, 3));
	assert_false(bpmu_probe_same_l3(3, 4));
	assert_true(bpmu_probe_same_df(1, 3));
	assert_false(bpmu_probe_same_df(3, 4));
}

PROBE(free_running_registers_are_found)
{
	struct bpmu_part part = {
		.free = BPMU_FREE(APERF) | BPMU_FREE(MPERF) | BPMU_FREE(PKG) | BPMU_FREE(DRAM) |
			BPMU_FREE(SMI) | BPMU_FREE(MEMORY_READS) | BPMU_FREE(KNL_C6),
	};
	const u64 of_cpuid = BPMU_FREE(APERF) | BPMU_FREE(MPERF) | BPMU_FREE(IRPERF) |
			     BPMU_FREE(CORE_MARGIN) | BPMU_FREE(PACKAGE_MARGIN) |
			     BPMU_FREE(CORE_ENERGY) | BPMU_FREE(AMD_PKG);

	assert_int_equal(absent_free(), of_cpuid);
	features[X86_FEATURE_IRPERF] = true;
	assert_int_equal(absent_free(), of_cpuid & ~BPMU_FREE(IRPERF));
	features[X86_FEATURE_DTHERM] = true;
	features[X86_FEATURE_PTS] = true;
	has_leaf_of(0x80000007, 0, 0, 0, 0, 1 << 14);
	boot_cpu_data.extended_cpuid_level = 0x80000006;
	assert_int_equal(absent_free(), BPMU_FREE(APERF) | BPMU_FREE(MPERF) |
			 BPMU_FREE(CORE_ENERGY) | BPMU_FREE(AMD_PKG));
	boot_cpu_data.extended_cpuid_level = 0x80000007;
	assert_int_equal(absent_free(), BPMU_FREE(APERF) | BPMU_FREE(MPERF));
	/* a register of energy that is 0 does not exist, one of SMIs may be 0 */
	put(0, 0xe8, 1);
	put(0, 0xe7, 1);
	put(0, 0x611, 0x100000000ULL);
	put(0, 0x619, 5);
	put(0, 0x34, 0);
	assert_int_equal(probe_free(&part), BPMU_FREE(DRAM) | BPMU_FREE(SMI));
	features[X86_FEATURE_APERFMPERF] = true;
	memory_is_found = true;
	put(0, 0x3ff, 0);
	assert_int_equal(probe_free(&part), part.free & ~BPMU_FREE(PKG));
}

PROBE(units_and_the_limit_of_temperature_are_read)
{
	struct bpmu_part part = { };

	put(0, BPMU_MSR_UNITS, 0xa0e03);
	put(0, BPMU_MSR_AMD_UNITS, 0xa1003);
	put(0, BPMU_MSR_TJMAX, 0x690a00);
	assert_int_equal(probe_units(&part), 0);
	assert_int_equal(probe_tjmax(&part), 0);
	part.free = BPMU_FREE(PKG);
	assert_int_equal(probe_units(&part), 0xa0e03);
	part.free = BPMU_FREE(AMD_PKG);
	assert_int_equal(probe_units(&part), 0xa1003);
	part.free = BPMU_FREE(CORE_MARGIN);
	assert_int_equal(probe_tjmax(&part), 0x69);
	assert_int_equal(probe_units(&part), 0);
}

PROBE(ibs_needs_its_registers)
{
	const u32 all = ~0u;
	u32 msr;

	boot_cpu_data.x86 = 0x19;
	boot_cpu_data.extended_cpuid_level = BPMU_CPUID_IBS;
	has_leaf_of(BPMU_CPUID_IBS, 0, all, 0, 0, 0);
	features[X86_FEATURE_IBS] = true;
	for (msr = BPMU_MSR_IBS_OP_CTL; msr <= BPMU_MSR_IBS_DC_LINEAR; msr++) {
		assert_int_equal(probe_ibs(), 0);
		put(0, msr, 0);
	}
	assert_int_equal(probe_ibs(), all & ~(BPMU_IBS_FETCHES | BPMU_IBS_FETCH_EXT |
					      BPMU_IBS_CTL2));
	put(0, BPMU_MSR_IBS_FETCH_CTL, 0);
	assert_false(probe_ibs() & BPMU_IBS_FETCHES);
	put(0, BPMU_MSR_IBS_FETCH_LINEAR, 0);
	put(0, BPMU_MSR_IBS_FETCH_LINEAR + 1, 0);
	assert_int_equal(probe_ibs(), all & ~(BPMU_IBS_FETCH_EXT | BPMU_IBS_CTL2));
	put(0, BPMU_MSR_IBS_FETCH_EXT, 0);
	assert_int_equal(probe_ibs(), all & ~BPMU_IBS_CTL2);
	put(0, BPMU_MSR_IBS_OP_CTL2, 0);
	assert_int_equal(probe_ibs(), all & ~BPMU_IBS_CTL2);
	put(0, BPMU_MSR_IBS_FETCH_CTL2, 0);
	assert_int_equal(probe_ibs(), all);
	features[X86_FEATURE_IBS] = false;
	assert_int_equal(probe_ibs(), 0);
	features[X86_FEATURE_IBS] = true;
	boot_cpu_data.extended_cpuid_level--;
	assert_int_equal(probe_ibs(), 0);
}

PROBE(a_cpu_is_probed_once)
{
	const struct bpmu_pmu *pmu;

	this_cpu = 3;
	assert_null(bpmu_pmu_of(3));
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	said("Intel Ivy Bridge, 3 general counters of 40 bits, 2 fixed of 44 bits\n");
	pmu = bpmu_pmu_of(3);
	assert_ptr_equal(pmu, &pmus[0]);
	assert_string_equal(pmu->part->name, "ivb");
	assert_int_equal(pmu->version, 3);
	assert_int_equal(pmu->gp_counters, 3);
	assert_int_equal(pmu->fixed_counters, 2);
	assert_int_equal(pmu->tjmax, 0);
	assert_false(bpmu_probe_full_width());
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	this_cpu = 4;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_ptr_equal(bpmu_pmu_of(4), pmu);
	assert_int_equal(nr_pmus, 1);
	said("");
}

PROBE(capabilities_are_read_if_there_are_any)
{
	put(0, BPMU_MSR_PERF_CAPABILITIES, BPMU_PERF_CAP_FULL_WRITE | 3 << 8);
	put(0, BPMU_MSR_TJMAX, 0x690a00);
	features[X86_FEATURE_PEBS] = true;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_false(bpmu_probe_full_width());
	pmu_of[0] = NULL;
	nr_pmus = 0;
	features[X86_FEATURE_PDCM] = true;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_true(bpmu_probe_full_width());
	assert_int_equal(pmus[0].pebs_format, 4);
	assert_int_equal(pmus[0].tjmax, 0x69);
	pmu_of[0] = NULL;
	nr_pmus = 0;
	features[X86_FEATURE_PEBS] = false;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_int_equal(pmus[0].pebs_format, 0);
	logged[0] = '\0';
}

PROBE(more_counters_than_the_module_has_room_for_are_ignored)
{
	nr_leaves = 0;
	has_leaf_of(BPMU_CPUID_PERFMON, 0, 6 | 20 << 8 | 48 << 16 | 7 << 24, 0, 0, 7 | 48 << 5);
	boot_cpu_data.x86_model = 1;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	said("Intel (architectural performance monitoring), 16 general counters of 48 bits, 4 fixed of 48 bits\n");
}

PROBE(a_cpu_without_counters_cannot_be_measured)
{
	boot_cpu_data.cpuid_level = 9;
	assert_int_equal(bpmu_pmu_probe_cpu(), -ENODEV);
	said("Intel Ivy Bridge: no usable counters, CPUID reports version 0 with 0 general counters; a hypervisor may hide them\n");
	assert_int_equal(nr_pmus, 0);
	assert_null(bpmu_pmu_of(0));
	boot_cpu_data.x86_vendor = 5;
	assert_int_equal(bpmu_pmu_probe_cpu(), -ENODEV);
	said("CPU family 6 model 58 is not supported\n");
}

PROBE(counters_of_amd_need_a_feature)
{
	boot_cpu_data.x86_vendor = X86_VENDOR_AMD;
	boot_cpu_data.x86 = 0x19;
	boot_cpu_data.x86_model = 0x11;
	boot_cpu_data.extended_cpuid_level = BPMU_CPUID_PERFMON_V2;
	has_leaf_of(BPMU_CPUID_PERFMON_V2, 0, 1, 6, 0, 0);
	assert_int_equal(bpmu_pmu_probe_cpu(), -ENODEV);
	assert_null(bpmu_pmu_of(0));
	features[X86_FEATURE_PERFCTR_CORE] = true;
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_string_equal(bpmu_pmu_of(0)->part->name, "zen4");
	assert_int_equal(bpmu_pmu_of(0)->gp_counters, 6);
	assert_true(bpmu_probe_full_width());
	logged[0] = '\0';
}

PROBE(a_machine_has_at_most_three_core_types)
{
	static const char *const names[] = { "ivb", "snb", "hsw", "skl" };
	unsigned int i;

	for (i = 0; i < 4; i++) {
		this_cpu = i;
		discovered = bpmu_part_by_name(names[i]);
		assert_int_equal(bpmu_pmu_probe_cpu(), i < 3 ? 0 : -ENODEV);
		if (i < 3)
			logged[0] = '\0';
	}
	said("CPU 3: Intel Skylake: a fourth core type; the module supports three, CPUs of this one cannot be measured\n");
	assert_ptr_equal(bpmu_pmu_of(2), &pmus[2]);
	assert_null(bpmu_pmu_of(3));
	assert_int_equal(nr_pmus, 3);
	this_cpu = 4;
	discovered = bpmu_part_by_name("hsw");
	assert_int_equal(bpmu_pmu_probe_cpu(), 0);
	assert_ptr_equal(bpmu_pmu_of(4), &pmus[2]);
}

PROBE(all_cpus_are_probed_but_isolated_ones)
{
	isolated.bits = 0x12;
	assert_int_equal(bpmu_pmu_probe(), 0);
	said("Intel Ivy Bridge, 3 general counters of 40 bits, 2 fixed of 44 bits\n");
	assert_ptr_equal(bpmu_pmu_of(0), &pmus[0]);
	/* an isolated CPU is like the others, where all are alike */
	assert_ptr_equal(bpmu_pmu_of(1), &pmus[0]);
	assert_ptr_equal(bpmu_pmu_of(4), &pmus[0]);
	assert_null(bpmu_pmu_of(2));
	assert_ptr_equal(bpmu_pmu_of(5), &pmus[0]);
	assert_int_equal(bpmu_pmu_probe_on(5), 0);
	assert_int_equal(bpmu_pmu_probe_on(2), -ENXIO);
}

PROBE(isolated_cpus_of_hybrids_are_probed_on_request)
{
	isolated.bits = 0x12;
	features[X86_FEATURE_HYBRID_CPU] = true;
	assert_int_equal(bpmu_pmu_probe(), 0);
	logged[0] = '\0';
	assert_null(bpmu_pmu_of(1));
	assert_int_equal(bpmu_pmu_probe_on(1), 0);
	assert_ptr_equal(bpmu_pmu_of(1), &pmus[0]);
}

PROBE(a_machine_without_a_usable_cpu_is_refused)
{
	tsc_khz = 0;
	assert_int_equal(bpmu_pmu_probe(), -ENODEV);
	said("the kernel does not know the frequency of the TSC, which is the clock of samples; its log says why\n");
	tsc_khz = 1000;
	boot_cpu_data.x86_vendor = 5;
	assert_int_equal(bpmu_pmu_probe(), -ENODEV);
	/* the first CPU says it for all */
	said("CPU family 6 model 58 is not supported\n");
	isolated = online;
	assert_int_equal(bpmu_pmu_probe(), -ENODEV);
	assert_null(bpmu_pmu_of(0));
}

PROBE(devices_are_searched_before_the_tables_that_list_others)
{
	bpmu_pmu_probe_devices();
	assert_int_equal(searched, 7);
	searched = 0;
	boot_cpu_data.x86_vendor = 5;
	bpmu_pmu_probe_devices();
	assert_int_equal(searched, 0);
}

PROBE(packages_may_have_other_memory_controllers)
{
	struct bpmu_pmu pmu = { };

	has_leaf_of(BPMU_CPUID_PERFMON_V2, 0, 0, 8 << 16, 0x5, 0);
	pmu.nr[BPMU_UNIT_UMC] = 2;
	pmu.counters[BPMU_UNIT_UMC] = 4;
	assert_true(bpmu_probe_umcs_here(&pmu));
	pmu.counters[BPMU_UNIT_UMC] = 2;
	assert_false(bpmu_probe_umcs_here(&pmu));
	pmu.counters[BPMU_UNIT_UMC] = 4;
	pmu.nr[BPMU_UNIT_UMC] = 1;
	assert_false(bpmu_probe_umcs_here(&pmu));
}

PROBE(all_counters_are_reserved)
{
	struct bpmu_part amd = {
		.cpuid_leaf = BPMU_CPUID_PERFMON_V2,
		.msrs = { .select = 0xc0010200, .counter = 0xc0010201, .stride = 2 },
	};
	struct bpmu_part intel = {
		.cpuid_leaf = BPMU_CPUID_PERFMON,
		.msrs = { .select = 0x186, .counter = 0xc1, .stride = 1 },
	};

	pmus[0].part = &amd;
	pmus[0].gp_counters = 2;
	nr_pmus = 1;
	assert_int_equal(bpmu_pmu_reserve(), 0);
	assert_string_equal(reserved, "+c0010200 +c0010202 +c0010201 +c0010203 ");
	reserved[0] = '\0';
	bpmu_pmu_release();
	assert_string_equal(reserved, "-c0010203 -c0010201 -c0010202 -c0010200 ");
	reserved[0] = '\0';
	not_free = 0xc0010202;
	assert_int_equal(bpmu_pmu_reserve(), -EBUSY);
	assert_string_equal(reserved, "+c0010200 -c0010200 ");
	reserved[0] = '\0';
	not_free = 0xc0010203;
	assert_int_equal(bpmu_pmu_reserve(), -EBUSY);
	assert_string_equal(reserved,
			    "+c0010200 +c0010202 +c0010201 -c0010201 -c0010202 -c0010200 ");
	assert_true(bpmu_pmu_reservation_works());
	/* from version 6 on perf uses registers that are not reserved */
	pmus[0].part = &intel;
	pmus[0].version = 5;
	assert_true(bpmu_pmu_reservation_works());
	pmus[0].version = 6;
	assert_false(bpmu_pmu_reservation_works());
	pmus[0].part = &amd;
	assert_true(bpmu_pmu_reservation_works());
	/* of several core types the one with most counters decides */
	nr_pmus = 3;
	pmus[1].gp_counters = 6;
	pmus[2].gp_counters = 4;
	assert_int_equal(max_reservable(), 6);
	pmus[1].gp_counters = 9;
	assert_int_equal(max_reservable(), 8);
}

static int answer(void *numbers)
{
	((int *)numbers)[this_cpu]++;
	return this_cpu == 3 ? -EIO : this_cpu == 4 ? -ENODEV : 0;
}

PROBE(functions_run_on_other_cpus)
{
	int runs[CPUS] = { 0 };
	struct cpumask some = { 0x3f };

	assert_int_equal(bpmu_cpu_run(&some, answer, runs), -EIO);
	assert_int_equal(runs[0] + runs[1] + runs[3] + runs[4] + runs[5], 5);
	assert_int_equal(runs[2], 0);
	some.bits = 3;
	assert_int_equal(bpmu_cpu_run(&some, answer, runs), 0);
	assert_int_equal(bpmu_cpu_run_on(4, answer, runs), -ENODEV);
	assert_int_equal(runs[4], 2);
	assert_int_equal(bpmu_cpu_run_on(2, answer, runs), -ENXIO);
	assert_int_equal(bpmu_cpu_run_on(5, answer, runs), 0);
}

PROBE(the_clock_goes_on_after_a_suspend)
{
	tsc_khz = 2000;
	tsc = 5000;
	now = 100000;
	bpmu_tsc_begin();
	assert_int_equal(bpmu_tsc(), 5000);
	tsc = 9000;
	bpmu_tsc_sleep();
	/* the TSC begins anew, and 3 us have passed by the other clock */
	tsc = 7;
	now += 3000;
	bpmu_tsc_wake();
	assert_int_equal(bpmu_tsc(), 9006);
	tsc += 10;
	bpmu_tsc_sleep();
	now += 1000;
	tsc += 100000;
	bpmu_tsc_wake();
	assert_int_equal(bpmu_tsc(), 9018);
	bpmu_tsc_begin();
	assert_int_equal(bpmu_tsc(), tsc);
}
