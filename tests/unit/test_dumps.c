// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the identification of CPUs. dumps.h has the CPUID of real CPUs; barepmu must find the
 * right CPU model and the right counters from it.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "event/part.h"
#include "event/this_cpu.h"
#include "unit.h"

#include "dumps.h"
#include "intel.h"

/*
 * The CPU whose CPUID is faked, and the stepping of this CPU. The signature in the dump has no
 * stepping.
 */
static const struct dump *dump;
static unsigned int stepping;
static bool guest;

/* Returns the registers that CPUID returns for a leaf and subleaf, from the dump. */
static struct bpmu_cpuid leaf(u32 number, u32 subleaf)
{
	struct bpmu_cpuid regs = { };

	switch (number) {
	case 0:
		memcpy(&regs.ebx, dump->vendor, 4);
		memcpy(&regs.edx, dump->vendor + 4, 4);
		memcpy(&regs.ecx, dump->vendor + 8, 4);
		break;
	case 1:
		regs.eax = dump->signature | stepping;
		regs.ecx = (u32)guest << 31;
		break;
	case 7:
		regs.edx = dump->hybrid << 15;
		break;
	case 0xa:
		memcpy(&regs, dump->perfmon, sizeof(regs));
		break;
	case 0x1a:
		regs.eax = dump->core;
		break;
	case 0x23:
		if (!dump->bitmaps[0])
			break;
		/*
		 * Subleaf 1 of CPUID leaf 0x23 has the bitmaps of counters; subleaf 0 tells which
		 * subleaves there are.
		 */
		regs.eax = subleaf ? dump->bitmaps[0] : 0xb;
		regs.ebx = subleaf ? dump->bitmaps[1] : dump->selects;
		break;
	case 0x40000000:
		regs = (struct bpmu_cpuid){ 0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d };
		break;
	case 0x80000001:
		regs.ecx = dump->extended << 23;
		break;
	case 0x80000022:
		memcpy(&regs, dump->v2, sizeof(dump->v2));
		break;
	}
	return regs;
}

static bool as_expected(const struct bpmu_this_cpu *cpu)
{
	if (!dump->part || !cpu->part)
		return !dump->part && !cpu->part && !cpu->usable;
	if (strcmp(dump->part, cpu->part->name) || cpu->usable != !!dump->gp)
		return false;
	if (!!(cpu->pmu.legal & BPMU_SEL_UMASK2) != (dump->selects & 1) ||
	    !!(cpu->pmu.legal & BPMU_SEL_EQ) != (dump->selects >> 1 & 1))
		return false;
	return !dump->gp || (cpu->pmu.gp_counters == dump->gp &&
			     cpu->pmu.gp_width == dump->width &&
			     cpu->pmu.fixed_counters == dump->fixed &&
			     cpu->pmu.fixed_width == dump->fixed_width);
}

TEST(real_cpus_get_their_part_and_their_counters)
{
	unsigned int i, wrong = 0;
	struct bpmu_this_cpu cpu;

	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		dump = &dumps[i];
		assert_int_equal(strlen(dump->vendor), 12);
		for (stepping = 0; stepping < 16; stepping++) {
			if (!(dump->steppings >> stepping & 1))
				continue;
			bpmu_this_cpu_identify(&cpu, leaf);
			assert_int_equal(cpu.stepping, stepping);
			assert_int_equal(cpu.hybrid, dump->hybrid);
			if (as_expected(&cpu))
				continue;
			wrong++;
			print_error("%s, %#x: part %s with %u counters of %u bits and %u of %u bits, usable: %d\n",
				    dump->cpu, dump->signature | stepping,
				    cpu.part ? cpu.part->name : "?", cpu.pmu.gp_counters,
				    cpu.pmu.gp_width, cpu.pmu.fixed_counters,
				    cpu.pmu.fixed_width, cpu.usable);
		}
	}
	assert_int_equal(wrong, 0);
}

/*
 * The dumps have the CPUID of an overclocked Haswell on which one letter of the vendor's name is
 * wrong.
 */
TEST(other_vendors_are_not_supported)
{
	static const struct dump iotel = INTEL("Haswell", 0x306c0, 0x8, 0x7300403, 0, 0, 0x603,
					       NULL, 0, 0, NONE);
	struct bpmu_this_cpu cpu;
	struct dump other = iotel;

	dump = &other;
	stepping = 3;
	bpmu_this_cpu_identify(&cpu, leaf);
	assert_string_equal(cpu.part->name, "hsw");
	other.vendor = "GenuineIotel";
	bpmu_this_cpu_identify(&cpu, leaf);
	assert_null(cpu.part);
	assert_false(cpu.usable);
	assert_int_equal(cpu.id.model, 0x3c);
}

/*
 * CPUID leaf 0x23 has bitmaps of the general and of the fixed counters. barepmu uses only the
 * counters below the first bit that is 0. Before version 6 of performance monitoring it uses at
 * most eight general counters. If bit 0 of the general counters' bitmap is 0, the leaf is ignored.
 * On CPUs of other vendors the leaf is ignored too.
 */
TEST(bitmaps_are_of_the_core_type)
{
	static const struct {
		u8 version;
		u32 general, fixed;
		u8 nr, nr_fixed;
	} rows[] = {
		{ 6, 0x3ff, 0xf, 10, 4 }, { 6, 0xff, 0x77, 8, 3 }, { 5, 0x3ff, 0xf, 8, 4 },
		{ 6, 0x37f, 0x5, 7, 1 }, { 6, 0, 0, 8, 4 }, { 6, 0xff00, 0xf, 8, 4 },
	};
	struct bpmu_cpuid cpuid = { 0x07300806, 0, 0x7, 0x8603 };
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct bpmu_cpuid bitmaps = { rows[i].general, rows[i].fixed };

		cpuid.eax = 0x07300800 | rows[i].version;
		bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl"), &cpuid, BPMU_CORE_PERFORMANCE);
		bpmu_pmu_bitmaps(&pmu, &bitmaps);
		assert_int_equal(pmu.gp_counters, rows[i].nr);
		assert_int_equal(pmu.fixed_counters, rows[i].nr_fixed);
		bpmu_pmu_init(&pmu, bpmu_part_by_name("zen4"), &cpuid, BPMU_CORE_ANY);
		bpmu_pmu_bitmaps(&pmu, &bitmaps);
		assert_int_equal(pmu.gp_counters, 6);
	}
}

/* If a hypervisor hides leaf 0x23, UMASK2 and EQ are illegal, even on a CPU model that has them. */
TEST(the_second_unit_mask_and_eq_need_cpuid)
{
	static const struct {
		u32 ebx;
		u64 illegal;
	} rows[] = {
		{ 3, 0x400000 }, { 2, 0x810000400000 }, { 1, 0x1000400000 },
		{ 0, 0x811000400000 },
	};
	const struct bpmu_cpuid leaf = { 0x07300806, 0, 0x7, 0x8603 };
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct bpmu_cpuid selects = { 0xb, rows[i].ebx };

		bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl"), &leaf, BPMU_CORE_PERFORMANCE);
		bpmu_pmu_selects(&pmu, &selects);
		assert_int_equal(bpmu_select_illegal(&pmu, 0, 0x8110004300c4), rows[i].illegal);
	}
}

/*
 * CPUID has a bitmap of the counters that can count precise events. A counter of this bitmap is
 * used only if the CPU has the counter at all.
 */
TEST(precise_records_are_of_the_counters_that_cpuid_names)
{
	const struct bpmu_cpuid leaf = { 0x07300806, 0, 0x7, 0x8603 };
	const struct bpmu_cpuid bitmaps = { 0x3ff, 0xf }, counters = { 0xf0fe, 0, 0xff01, 0 };
	/* EBX: bits 63:32 of IA32_PMC_GPn_CFG_C, of which 35 to 37 are for counters, 38 for PERF_METRICS */
	const struct bpmu_cpuid groups = { 0, 0x60000038 }, with_metrics = { 0, 0x60000078 };
	const struct bpmu_cpuid no_fixed = { 0, 0x60000058 };
	const struct bpmu_cpuid none = { };
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl"), &leaf, BPMU_CORE_PERFORMANCE);
	bpmu_pmu_bitmaps(&pmu, &bitmaps);
	bpmu_pmu_pebs(&pmu, &counters, &groups);
	assert_int_equal(pmu.pebs, 0x1000000fe);
	bpmu_pmu_pebs_format(&pmu, 0, 0, 0xf00);
	assert_int_equal(pmu.pebs_format, 16);
	assert_true(pmu.pebs_values);
	assert_false(pmu.pebs_metrics);
	bpmu_pmu_pebs(&pmu, &counters, &with_metrics);
	assert_true(pmu.pebs_metrics);
	bpmu_pmu_pebs(&pmu, &counters, &no_fixed);
	assert_false(pmu.pebs_values);
	assert_false(pmu.pebs_metrics);
	bpmu_pmu_pebs(&pmu, &none, &none);
	assert_int_equal(pmu.pebs, 0);
	/*
	 * IA32_PERF_CAPABILITIES of Ice Lake: format 4 with PEBS_BASELINE, and other bits beside.
	 * With errata of microcode the records are not read.
	 */
	bpmu_pmu_pebs_format(&pmu, 1, 1, 0xf4c5);
	assert_int_equal(pmu.pebs_format, 5);
	assert_int_equal(pmu.pebs, 0);
	assert_false(bpmu_pmu_has_store(&pmu));
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0xb4c5);
	assert_int_equal(pmu.pebs, 0);
	bpmu_pmu_pebs_format(&pmu, 0, 0, 0xf4c5);
	assert_int_equal(pmu.pebs_format, 0);
	assert_int_equal(pmu.pebs, 0);
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0xf4c5);
	assert_int_equal(pmu.pebs_format, 5);
	assert_int_equal(pmu.pebs, 0xf000000ff);
	assert_true(bpmu_pmu_has_store(&pmu));
	assert_false(pmu.pebs_values);
}

/*
 * From format 6 on a record in a debug store can have the values of all counters, also of those
 * above the eighth, which write no records; with architectural PEBS only of those that do. Efficient
 * cores have no PERF_METRICS.
 */
TEST(records_of_format_6_have_counters)
{
	const struct bpmu_cpuid leaf = { 0x07300806, 0, 0x7, 0x8603 };
	const struct bpmu_cpuid bitmaps = { 0x3ff, 0xf }, small = { 0xff, 0x7 };
	const struct bpmu_cpuid counters = { 0xfe, 0, 0x1, 0 }, groups = { 0, 0x60000038 };
	const struct bpmu_cpuid none = { };
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl"), &leaf, BPMU_CORE_PERFORMANCE);
	bpmu_pmu_bitmaps(&pmu, &bitmaps);
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x22600);
	assert_int_equal(pmu.pebs, 0);
	assert_false(pmu.pebs_values);
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x26500);
	assert_int_equal(pmu.pebs_format, 6);
	assert_false(pmu.pebs_values);
	assert_false(pmu.pebs_metrics);
	bpmu_pmu_pebs(&pmu, &none, &none);
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x26600);
	assert_int_equal(pmu.pebs_format, 7);
	assert_int_equal(pmu.pebs, 0xf000000ff);
	assert_true(pmu.pebs_values);
	assert_true(pmu.pebs_metrics);
	assert_int_equal(bpmu_pmu_held(&pmu), 0x1000f000003ff);
	bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl-e"), &leaf, BPMU_CORE_EFFICIENT);
	bpmu_pmu_bitmaps(&pmu, &small);
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x26600);
	assert_true(pmu.pebs_values);
	assert_false(pmu.pebs_metrics);
	assert_int_equal(bpmu_pmu_held(&pmu), 0x7000000ff);
	bpmu_pmu_init(&pmu, bpmu_part_by_name("lnl"), &leaf, BPMU_CORE_PERFORMANCE);
	bpmu_pmu_bitmaps(&pmu, &bitmaps);
	bpmu_pmu_pebs(&pmu, &counters, &groups);
	bpmu_pmu_pebs_format(&pmu, 0, 0, 0xf00);
	assert_int_equal(bpmu_pmu_held(&pmu), 0x1000000fe);
}

/* Sets the format of a part's records by IA32_PERF_CAPABILITIES; returns &bpmu_pmu.pebs. */
static u64 legacy(struct bpmu_pmu *pmu, const char *part, u64 capabilities)
{
	assert_int_equal(bpmu_part_named(pmu, part, NULL), 0);
	pmu->pebs = 0;
	bpmu_pmu_pebs_format(pmu, 1, 0, capabilities);
	return pmu->pebs;
}

TEST(the_formats_before_the_adaptive_ones_have_records_of_four_counters)
{
	static const struct {
		const char *part;
		u64 capabilities;
		u32 bytes;
		bool names;
	} cases[] = {
		{ "ivb", 0x31c3, 176, false }, { "hsw", 0x32c4, 192, true },
		{ "skl", 0x33c5, 200, true }, { "spr", 0xf5c5, 32, true }
	};
	struct bpmu_pmu pmu;
	unsigned int i;
	u64 counters;

	for (i = 0; i < 4; i++) {
		counters = legacy(&pmu, cases[i].part, cases[i].capabilities);
		assert_int_equal((u32)counters, i < 3 ? 0xf : 0xff);
		assert_int_equal(!(counters >> BPMU_FIXED_BASE), i < 3);
		assert_true(bpmu_pmu_has_store(&pmu));
		assert_int_equal(bpmu_pmu_record_bytes(&pmu), cases[i].bytes);
		assert_int_equal(!!bpmu_pmu_pebs_names(&pmu), cases[i].names);
		/* cycles and retired branches */
		assert_int_equal(!!bpmu_pmu_pebs_counters(&pmu, 0x1003c), i == 3);
		assert_true(bpmu_pmu_pebs_counters(&pmu, 0x100c4));
	}
	/* Linux, ds.c, intel_slm_pebs_event_constraints and intel_glm_pebs_event_constraints */
	assert_int_equal(legacy(&pmu, "slm", 0x32c3), 1);
	assert_int_equal(legacy(&pmu, "avn", 0x32c3), 1);
	assert_int_equal(legacy(&pmu, "knl", 0x32c3), 1);
	assert_int_equal(legacy(&pmu, "glm", 0x33c6), 1);
	assert_int_equal(legacy(&pmu, "glp", 0x33c6), 0xf);
	/* Format 0, of Core 2, is not read. */
	assert_int_equal(legacy(&pmu, "ivb", 0x30c3), 0);
	assert_false(bpmu_pmu_has_store(&pmu));
}

/* Linux, arch/x86/events/intel/core.c, pebs_ucodes */
TEST(sandy_bridge_needs_new_microcode_for_precise_records)
{
	assert_true(bpmu_pmu_pebs_broken(0x2a, 7, 0x27));
	assert_false(bpmu_pmu_pebs_broken(0x2a, 7, 0x28));
	assert_false(bpmu_pmu_pebs_broken(0x2a, 6, 0));
	assert_true(bpmu_pmu_pebs_broken(0x2d, 6, 0x617));
	assert_false(bpmu_pmu_pebs_broken(0x2d, 6, 0x618));
	assert_true(bpmu_pmu_pebs_broken(0x2d, 7, 0x70b));
	assert_false(bpmu_pmu_pebs_broken(0x3a, 9, 0));
}

TEST(records_have_the_retire_latency_where_perf_capabilities_has_timing_info)
{
	struct bpmu_pmu pmu;

	assert_int_equal(bpmu_part_named(&pmu, "gnr", NULL), 0);
	pmu.pebs = 0;
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0xf5c5);
	assert_false(bpmu_pmu_retires(&pmu, 1));
	pmu.pebs = 0;
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x2f5c5);
	assert_true(bpmu_pmu_retires(&pmu, 1ull << BPMU_FIXED_BASE));
	assert_int_equal(bpmu_part_named(&pmu, "mtl", NULL), 0);
	pmu.pebs = 0;
	bpmu_pmu_pebs_format(&pmu, 1, 0, 0x2f5c5);
	assert_false(bpmu_pmu_retires(&pmu, 1ull << BPMU_FIXED_BASE | 1));
	assert_true(bpmu_pmu_retires(&pmu, 1ull << (BPMU_FIXED_BASE + 1) | 1));
}

/*
 * Expected MSRs. The MSRs of general counter 0 and of fixed counter 0 are from Linux, msr-index.h:
 * MSR_IA32_PMC_V6_GP0_CFG_C and _FX0_CFG_C. The MSR of each further counter is 4 higher than that
 * of the previous counter.
 */
TEST(counters_have_registers_of_their_precise_records)
{
	assert_int_equal(bpmu_pmu_config_msr(0), 0x1903);
	assert_int_equal(bpmu_pmu_config_msr(9), 0x1927);
	assert_int_equal(bpmu_pmu_config_msr(32), 0x1983);
	assert_int_equal(bpmu_pmu_config_msr(35), 0x198f);
}

/*
 * General-purpose counters 0 to 7 use the same MSRs as before version 6 of performance monitoring.
 * Counters from 8 on have only MSRs of version 6. Source: SDM Vol. 4 and Linux, msr-index.h.
 */
TEST(counters_have_their_msrs)
{
	const struct bpmu_part *lnl = bpmu_part_by_name("lnl");
	const struct bpmu_part *zen = bpmu_part_by_name("zen4");

	assert_int_equal(bpmu_pmu_select_msr(lnl, 7), 0x18d);
	assert_int_equal(bpmu_pmu_counter_msr(lnl, 7, 0), 0xc8);
	assert_int_equal(bpmu_pmu_counter_msr(lnl, 7, 1), 0x4c8);
	assert_int_equal(bpmu_pmu_select_msr(lnl, 9), 0x1925);
	assert_int_equal(bpmu_pmu_counter_msr(lnl, 9, 0), 0x1924);
	assert_int_equal(bpmu_pmu_counter_msr(lnl, 8, 1), 0x1920);
	assert_int_equal(bpmu_pmu_select_msr(zen, 5), 0xc001020a);
	assert_int_equal(bpmu_pmu_counter_msr(zen, 5, 1), 0xc001020b);
}

/* The signature of KVM is KVMKVMKVM. */
TEST(a_hypervisor_says_its_name_to_its_guests)
{
	struct bpmu_this_cpu cpu;

	dump = &dumps[0];
	bpmu_this_cpu_identify(&cpu, leaf);
	assert_false(cpu.hypervisor);
	assert_string_equal(cpu.hypervisor_id, "");
	guest = true;
	bpmu_this_cpu_identify(&cpu, leaf);
	guest = false;
	assert_true(cpu.hypervisor);
	assert_string_equal(cpu.hypervisor_id, "KVMKVMKVM");
	assert_true(as_expected(&cpu));
}
