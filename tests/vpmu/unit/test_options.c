// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the options of the virtual PMU: they describe the machine, and a wrong option is an
 * error.
 */

#include "machine.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "box/free.h"
#include "qemu/arguments.h"

TEST(parses_numbers)
{
	machine_new(&vpmu_ivb, 4, 0);
	assert_int_equal(vpmu_argument("top=4096"), 0);
	assert_int_equal(vpmu_start_value(48), VPMU_BIT(48) - 4096);
	assert_int_equal(vpmu_start_value(44), VPMU_BIT(44) - 4096);
	assert_int_equal(vpmu_argument("top=0"), -1);
	assert_int_equal(vpmu_argument("top="), -1);
	assert_int_equal(vpmu_argument("top=5x"), -1);
	assert_int_equal(vpmu_argument("top=0x100000000"), -1);
	assert_int_equal(vpmu_argument("threads=4"), 0);
	assert_int_equal(vpmu_options.threads, 4);
	assert_int_equal(vpmu_argument("threads=5"), -1);
	assert_int_equal(vpmu_options.threads, 4);
	assert_int_equal(vpmu_argument("boxes=64"), 0);
	assert_int_equal(vpmu_argument("boxes=65"), -1);
	assert_int_equal(vpmu_argument("chas=40"), 0);
	assert_int_equal(vpmu_options.chas, 40);
	assert_int_equal(vpmu_argument("chas=41"), -1);
	assert_int_equal(vpmu_argument("tables=reversed"), 0);
	assert_true(vpmu_options.reversed);
	assert_int_equal(vpmu_argument("tables=elsewhere"), 0);
	assert_true(vpmu_options.elsewhere && !vpmu_options.reversed);
	assert_int_equal(vpmu_argument("tables=unlike"), -1);
	assert_int_equal(vpmu_argument("version=4"), -1);
	assert_int_equal(vpmu_argument("version=7"), -1);
	assert_int_equal(vpmu_argument("version=5"), 0);
	assert_int_equal(vpmu_argument("ns=512"), 0);
	assert_int_equal(vpmu_options.ns, 512);
	assert_int_equal(vpmu_argument("ns=0"), -1);
	assert_int_equal(vpmu_argument("version=6"), 0);
	assert_int_equal(vpmu_argument("tsc=2400"), 0);
	assert_int_equal(vpmu_options.tsc, 2400);
	assert_int_equal(vpmu_argument("tsc=0"), -1);
	machine_new(&vpmu_ivb, 1, 0);
	assert_int_equal(vpmu_start_value(48), 0);
}

#define NUMBER(name, least, most) \
	{ #name, least, most, offsetof(struct vpmu_options, name), \
	  sizeof(((struct vpmu_options *)0)->name) }

/* Each number has a least and a greatest value; beyond these an option is an error. */
TEST(numbers_have_bounds)
{
	static const struct {
		const char *name;
		uint64_t least, most;
		size_t at, size;
	} numbers[] = {
		NUMBER(top, 1, UINT32_MAX), NUMBER(ecores, 1, VPMU_MAX_CPUS),
		NUMBER(lpcores, 1, VPMU_MAX_CPUS), NUMBER(boxes, 1, 64), NUMBER(chas, 1, 40),
		NUMBER(version, 5, 6), NUMBER(free, 1, UINT32_MAX),
		NUMBER(complex, 1, VPMU_MAX_CPUS), NUMBER(fabric, 1, VPMU_MAX_CPUS),
		NUMBER(umc, 1, 0xfff), NUMBER(umc2, 1, 0xfff), NUMBER(imc, 1, 0x3fffffffff),
		NUMBER(imc2, 1, 0x3fffffffff), NUMBER(mute, 1, 0x3fffffffff),
		NUMBER(absent, 1, 0xff), NUMBER(crystal, 1, UINT32_MAX), NUMBER(tsc, 1, 10000),
		NUMBER(ns, 1, 1024),
	};
	const char *options = (const char *)&vpmu_options;
	unsigned int i, k;
	uint64_t value;
	char text[64];

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const uint64_t tried[] = {
			numbers[i].least, numbers[i].least - 1, numbers[i].most, numbers[i].most + 1
		};

		machine_new(&vpmu_ivb, 1, 0);
		for (k = 0; k < 4; k++) {
			snprintf(text, sizeof(text), "%s=%llu", numbers[i].name,
				 (unsigned long long)tried[k]);
			assert_int_equal(vpmu_argument(text), k % 2 ? -1 : 0);
			if (k % 2)
				continue;
			value = 0;
			memcpy(&value, options + numbers[i].at, numbers[i].size);
			if (value != tried[k])
				fail_msg("%s: %llu", text, (unsigned long long)value);
		}
	}
}

TEST(switches_have_their_words)
{
	machine_new(&vpmu_ivb, 1, 0);
	assert_int_equal(vpmu_argument("chas=untold"), 0);
	assert_true(vpmu_options.untold);
	assert_int_equal(vpmu_options.chas, 0);
	assert_int_equal(vpmu_argument("mcfg=2"), -1);
	assert_int_equal(vpmu_argument("mcfg=1"), 0);
	assert_true(vpmu_options.mcfg);
	assert_int_equal(vpmu_argument("mcfg=0"), 0);
	assert_false(vpmu_options.mcfg);
	assert_int_equal(vpmu_argument("units=server"), 0);
	assert_true(vpmu_options.server_units);
	assert_int_equal(vpmu_argument("arb1=bad"), -1);
	assert_false(vpmu_options.arb1);
	assert_int_equal(vpmu_argument("arb1=good"), 0);
	assert_true(vpmu_options.arb1);
	assert_int_equal(vpmu_argument("profile=here"), -1);
	assert_int_equal(vpmu_argument("imc"), -1);
	assert_int_equal(vpmu_argument(""), -1);
}

TEST(parses_keywords)
{
	machine_new(&vpmu_ivb, 1, 0);
	assert_int_equal(vpmu_argument("part=nobody"), -1);
	assert_int_equal(vpmu_argument("part=zen4"), 0);
	assert_ptr_equal(vpmu_options.part, &vpmu_zen4);
	assert_int_equal(vpmu_argument("part=zen5"), 0);
	assert_ptr_equal(vpmu_options.part, &vpmu_zen5);
	assert_int_equal(vpmu_argument("model=often"), -1);
	machine_new(&vpmu_ivb, 1, 0);
	assert_int_equal(vpmu_argument("model=counters"), 0);
	assert_true(vpmu_options.counters_model);
	assert_false(vpmu_options.no_model);
	assert_int_equal(vpmu_argument("model=user"), 0);
	assert_true(vpmu_options.user_model);
	assert_false(vpmu_options.no_model);
	assert_int_equal(vpmu_argument("model=off"), 0);
	assert_true(vpmu_options.no_model);
	assert_false(vpmu_options.least);
	assert_int_equal(vpmu_argument("model=least"), 0);
	assert_true(vpmu_options.least);
	assert_int_equal(vpmu_argument("ideal=l1d+alu"), 0);
	assert_true(vpmu_options.ideal.l1d);
	assert_true(vpmu_options.ideal.alu);
	assert_false(vpmu_options.ideal.l1i);
	assert_false(vpmu_options.ideal.bpred);
	assert_int_equal(vpmu_argument("ideal=l1"), -1);
	assert_int_equal(vpmu_argument("ideal="), -1);
	assert_int_equal(vpmu_argument("erratum=nothing"), -1);
	assert_int_equal(vpmu_options.errata, 0);
	assert_int_equal(vpmu_argument("arb1=bad"), -1);
	assert_int_equal(vpmu_argument("units=client"), -1);
	assert_int_equal(vpmu_argument("s3=all"), -1);
	assert_false(vpmu_options.tsc_runs_on);
	assert_int_equal(vpmu_argument("s3=tsc"), 0);
	assert_true(vpmu_options.tsc_runs_on);
	assert_int_equal(vpmu_argument("pebs=all"), -1);
	assert_false(vpmu_options.null_records);
	assert_int_equal(vpmu_argument("pebs=null"), 0);
	assert_true(vpmu_options.null_records);
	assert_false(vpmu_options.unknown_groups);
	assert_int_equal(vpmu_argument("pebs=unknown"), 0);
	assert_true(vpmu_options.unknown_groups);
	assert_false(vpmu_options.merged_records);
	assert_int_equal(vpmu_argument("pebs=merged"), 0);
	assert_true(vpmu_options.merged_records);
	assert_int_equal(vpmu_argument("ibs=all"), -1);
	assert_false(vpmu_options.ibs_unaddressed || vpmu_options.ibs_late);
	assert_int_equal(vpmu_argument("ibs=unaddressed"), 0);
	assert_true(vpmu_options.ibs_unaddressed);
	assert_false(vpmu_options.ibs_late);
	assert_int_equal(vpmu_argument("ibs=late"), 0);
	assert_true(vpmu_options.ibs_late);
	assert_false(vpmu_options.denormals);
	assert_int_equal(vpmu_argument("assists=all"), -1);
	assert_false(vpmu_options.denormals);
	assert_int_equal(vpmu_argument("assists=denormal"), 0);
	assert_true(vpmu_options.denormals);
	assert_int_equal(vpmu_argument("nothing=1"), -1);
	assert_int_equal(vpmu_argument("fault=none"), -1);
	assert_int_equal(vpmu_argument("fault=0x711"), 0);
	assert_int_equal(vpmu_argument("fault=0xa80"), 0);
	assert_int_equal(vpmu_options.nr_faults, 2);
	assert_int_equal(vpmu_options.faults[0], 0x711);
	assert_int_equal(vpmu_options.faults[1], 0xa80);
	assert_int_equal(vpmu_argument("fault=1"), 0);
	assert_int_equal(vpmu_argument("fault=1"), 0);
	assert_int_equal(vpmu_argument("fault=1"), -1);
}

/* The option ecores= says which vCPUs are E-cores, lpcores= which are low-power E-cores. */
TEST(assigns_core_types_to_cpus)
{
	const struct vpmu_part *small;

	machine_new(vpmu_part_like("arl"), 4, 0);
	assert_string_equal(vpmu_part_of(3)->name, "arl");
	assert_int_equal(vpmu_argument("ecores=2"), 0);
	assert_int_equal(vpmu_argument("lpcores=3"), 0);
	assert_string_equal(vpmu_part_of(1)->name, "arl");
	small = vpmu_part_of(2);
	assert_string_equal(small->name, "arl-e");
	assert_int_equal(small->core_type, 0x20);
	assert_int_equal(small->native, 3);
	assert_int_equal(small->nr_gp, 8);
	assert_int_equal(small->metrics, 0);
	assert_string_equal(vpmu_part_of(3)->name, "mtl-e");
	assert_int_equal(vpmu_part_of(3)->native, 2);
	/* Ice Lake's PERF_METRICS has only the four fields of Top-Down level 1. */
	assert_int_equal(vpmu_part_like("icl")->metrics, 4);
	/*
	 * On a hybrid CPU model CPUID leaf 0xA enumerates only the counters that both core types
	 * have.
	 */
	assert_int_equal(vpmu_options.part->common_gp, 8);
	assert_int_equal(vpmu_options.part->common_fixed, 3);
	assert_int_equal(vpmu_options.part->version, 6);
	/* Ivy Bridge is not hybrid, so the option ecores= has no effect. */
	machine_new(&vpmu_ivb, 4, 0);
	assert_int_equal(vpmu_argument("ecores=2"), 0);
	assert_ptr_equal(vpmu_part_of(3), &vpmu_ivb);
}

TEST(threads_decide_the_numbers_of_cores_and_counters)
{
	machine_new(&vpmu_ivb, 4, 0);
	assert_int_equal(vpmu_nr_cores(), 4);
	assert_int_equal(vpmu_nr_gp(&vpmu_ivb), 4);
	vpmu_options.threads = 1;
	assert_int_equal(vpmu_nr_gp(&vpmu_ivb), 8);
	assert_int_equal(vpmu_nr_gp(&vpmu_spr), 8);
	vpmu_options.threads = 2;
	assert_int_equal(vpmu_nr_gp(&vpmu_ivb), 4);
	assert_int_equal(vpmu_nr_cores(), 2);
	machine_new(&vpmu_ivb, 1, 2);
	assert_int_equal(vpmu_nr_cores(), 1);
}

/*
 * Three free-running registers: PACKAGE_ENERGY of a package, APERF of a thread, CORE_C6 of a core
 */
#define PACKAGE_ENERGY 0x611
#define APERF 0xe8
#define CORE_C6 0x3fd

static uint64_t free_read(unsigned int cpu, uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_free_read(&vpmu_cpus[cpu], msr, &value));
	return value;
}

TEST(free_running_registers_count)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t value;

	machine_new(&vpmu_ivb, 4, 2);
	assert_false(vpmu_free_read(cpu, PACKAGE_ENERGY, &value));
	assert_false(vpmu_free_read(cpu, 0x606, &value));
	assert_int_equal(vpmu_argument("free=0xfffffff0"), 0);
	assert_int_equal(free_read(3, PACKAGE_ENERGY), 0xfffffff0);
	vpmu_free_move(&cpu[1], PACKAGE_ENERGY, 0x20, false);
	assert_int_equal(free_read(3, PACKAGE_ENERGY), 0x10);
	vpmu_free_move(&cpu[1], APERF, 77, false);
	vpmu_free_move(&cpu[1], APERF, 5, true);
	vpmu_free_move(&cpu[1], APERF, 0x100000000, false);
	assert_int_equal(free_read(1, APERF), 0x100000005);
	assert_int_equal(free_read(0, APERF), 0);
	vpmu_free_move(&cpu[2], CORE_C6, 7, false);
	assert_int_equal(free_read(3, CORE_C6), 7);
	assert_int_equal(free_read(1, CORE_C6), 0);
	assert_true(vpmu_free_write(cpu, APERF, 0));
	assert_int_equal(cpu->illegal_writes, 1);
	assert_false(vpmu_free_write(cpu, 0x10, 0));
	assert_false(vpmu_free_read(cpu, 0x10, &value));
	/* MSR_RAPL_POWER_UNIT has n in bits 12:8 if the unit of energy is 2^-n J. */
	assert_int_equal(free_read(0, 0x606) >> 8 & 0x1f, 16);
	assert_int_equal(vpmu_argument("units=server"), 0);
	assert_int_equal(free_read(0, 0x606) >> 8 & 0x1f, 14);
	assert_int_equal(free_read(0, 0xc0010299) >> 8 & 0x1f, 16);
}

/*
 * If the guest changes a free-running register, all CPUs that share the register see the change,
 * and no other CPU does. The source for the CPUs that share a register is SDM Vol. 4; for MSRs with
 * numbers from c0000000h on it is rapl.c and msr.c in Linux' folder arch/x86/events. The machine
 * has two cores of two threads; CPU 2 is in the second core.
 */
TEST(free_running_registers_have_their_scopes)
{
	enum { ONE = 0x4, CORE = 0xc, ALL = 0xf };
	static const struct {
		uint32_t msr;
		unsigned int cpus;
	} all[] = {
		{ 0xe7, ONE }, { 0xe8, ONE }, { 0x64e, ONE }, { 0x34, ONE }, { 0xc00000e9, ONE },
		{ 0x660, CORE }, { 0x3fc, CORE }, { 0x3fd, CORE }, { 0x3fe, CORE },
		{ 0x19c, CORE }, { 0x641, ALL }, { 0x60d, ALL }, { 0x3f8, ALL }, { 0x3f9, ALL },
		{ 0x3fa, ALL }, { 0x630, ALL }, { 0x631, ALL }, { 0x632, ALL }, { 0x1b1, ALL },
		{ 0x621, ALL },
		/* Registers of energy, which begin at the value of the option free=. */
		{ 0xc001029a, CORE }, { 0x611, ALL }, { 0x639, ALL }, { 0x619, ALL },
		{ 0x64d, ALL }, { 0xc001029b, ALL },
	};
	const unsigned int nr = sizeof(all) / sizeof(*all), energy = nr - 6;
	uint64_t value;
	unsigned int i, k, cpu;

	machine_new(&vpmu_ivb, 4, 2);
	vpmu_options.free = 0xffff0000;
	for (i = 0; i < 4 * nr; i++)
		vpmu_free_move(&vpmu_cpus[i % 4], all[i / 4].msr, 0, true);
	for (i = 0; i < nr; i++) {
		vpmu_free_move(&vpmu_cpus[2], all[i].msr, i + 1, true);
		for (k = 0; k < nr; k++)
			for (cpu = 0; cpu < 4; cpu++) {
				value = k <= i && all[k].cpus >> cpu & 1 ? k + 1 : 0;
				if (k >= energy)
					value += 0xffff0000;
				assert_int_equal(free_read(cpu, all[k].msr), value);
			}
	}
}

TEST_GROUP(NULL, machine_free);
