// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of free-running registers (energy, C-states, TSC, MPERF, memory transfers): their names,
 * MSRs and units, the CPU models that have them, and the difference of two of their values.
 */
#include <errno.h>
#include <string.h>

#include "count/delta.h"
#include "count/interval.h"
#include "event/event.h"
#include "event/event_counters.h"
#include "event/groups.h"
#include "event/part.h"
#include "events.h"
#include "free.h"
#include "parts.h"
#include "source/measure.h"
#include "source/series.h"
#include "unit.h"

static struct bpmu_pmu pmu_of(const struct bpmu_part *part)
{
	struct bpmu_pmu pmu;

	bpmu_part_make_up(&pmu, part);
	return pmu;
}

/* Numbers of the MSRs, entered by hand from SDM Vol. 4 and Linux' msr-index.h. */
TEST(registers_have_their_msrs)
{
	static const struct {
		const char *name;
		u32 msr;
		u8 unit, width;
		u16 mchbar;
	} all[] = {
		{ "THREAD.TSC", 0x10, BPMU_UNIT_FREE_THREAD, 64 },
		{ "CORE.APERF", 0xe8, BPMU_UNIT_FREE_THREAD, 64 },
		{ "CORE.MPERF", 0xe7, BPMU_UNIT_FREE_THREAD, 64 },
		{ "CORE.PPERF", 0x64e, BPMU_UNIT_FREE_THREAD, 64 },
		{ "CORE.SMI", 0x34, BPMU_UNIT_FREE_THREAD, 32 },
		{ "CORE.IRPERF", 0xc00000e9, BPMU_UNIT_FREE_THREAD, 64 },
		{ "CORE.TSC", 0x10, BPMU_UNIT_FREE_CORE, 64 },
		{ "CORE.C1", 0x660, BPMU_UNIT_FREE_CORE, 64 },
		{ "CORE.C3", 0x3fc, BPMU_UNIT_FREE_CORE, 64 },
		{ "CORE.C6", 0x3fd, BPMU_UNIT_FREE_CORE, 64 },
		{ "CORE.C7", 0x3fe, BPMU_UNIT_FREE_CORE, 64 },
		{ "CORE.THERMAL_MARGIN", 0x19c, BPMU_UNIT_FREE_CORE, 7 },
		{ "POWER.CORE", 0xc001029a, BPMU_UNIT_FREE_CORE, 32 },
		{ "PACKAGE.TSC", 0x10, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "POWER.PKG", 0x611, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "POWER.CORES", 0x639, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "POWER.DRAM", 0x619, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "POWER.GPU", 0x641, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "POWER.PSYS", 0x64d, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "POWER.PKG", 0xc001029b, BPMU_UNIT_FREE_PACKAGE, 32 },
		{ "PACKAGE.C2", 0x60d, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C3", 0x3f8, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C6", 0x3f9, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C7", 0x3fa, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C8", 0x630, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C9", 0x631, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.C10", 0x632, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "PACKAGE.THERMAL_MARGIN", 0x1b1, BPMU_UNIT_FREE_PACKAGE, 7 },
		{ "PACKAGE.UNCORE_RATIO", 0x621, BPMU_UNIT_FREE_PACKAGE, 7 },
		{ "MEMORY.READS", 0, BPMU_UNIT_FREE_PACKAGE, 32, 0x50 },
		{ "MEMORY.WRITES", 0, BPMU_UNIT_FREE_PACKAGE, 32, 0x54 },
		{ "MEMORY.GRAPHICS_REQUESTS", 0, BPMU_UNIT_FREE_PACKAGE, 32, 0x40 },
		{ "MEMORY.CORE_REQUESTS", 0, BPMU_UNIT_FREE_PACKAGE, 32, 0x44 },
		{ "MEMORY.DEVICE_REQUESTS", 0, BPMU_UNIT_FREE_PACKAGE, 32, 0x48 },
		{ "MEMORY.READS", 0, BPMU_UNIT_FREE_PACKAGE, 64, 0x58 },
		{ "MEMORY.WRITES", 0, BPMU_UNIT_FREE_PACKAGE, 64, 0xa0 },
		{ "MEMORY.REQUESTS", 0, BPMU_UNIT_FREE_PACKAGE, 64, 0x40 },
		{ "MEMORY.READS", 0, BPMU_UNIT_FREE_PACKAGE, 48, 0x90 },
		{ "MEMORY.WRITES", 0, BPMU_UNIT_FREE_PACKAGE, 48, 0x98 },
		{ "MEMORY.PMEM_READS", 0, BPMU_UNIT_FREE_PACKAGE, 48, 0xa0 },
		{ "MEMORY.PMEM_WRITES", 0, BPMU_UNIT_FREE_PACKAGE, 48, 0xa8 },
		{ "PACKAGE.C6", 0x3fa, BPMU_UNIT_FREE_PACKAGE, 64 },
		{ "CORE.C6", 0x3ff, BPMU_UNIT_FREE_CORE, 64 },
	};
	const struct bpmu_event *rows;
	const struct bpmu_free *reg;
	bool energy, margin, ratio;
	size_t nr, i;

	/*
	 * A gauge is a register that has a current value instead of a count. No event of a
	 * programmable counter is a gauge, even if the number of the counter is also the number of
	 * a gauge.
	 */
	rows = bpmu_events(&bpmu_intel_ivb, &nr);
	for (i = 0; i < nr; i++)
		assert_false(bpmu_event_is_gauge(&rows[i]));
	rows = bpmu_free_events(&nr);
	assert_int_equal(nr, sizeof(all) / sizeof(all[0]));
	for (i = 0; i < nr; i++) {
		reg = bpmu_free_at(256 + i);
		assert_string_equal(rows[i].name, all[i].name);
		assert_int_equal(rows[i].unit, all[i].unit);
		assert_int_equal(rows[i].counters, 1ULL << i);
		assert_int_equal(reg->msr, all[i].msr);
		assert_int_equal(reg->unit, all[i].unit);
		assert_int_equal(reg->width, all[i].width);
		assert_int_equal(reg->mchbar, all[i].mchbar);
		energy = !strncmp(all[i].name, "POWER.", 6);
		margin = !!strstr(all[i].name, "_MARGIN");
		ratio = !!strstr(all[i].name, "_RATIO");
		assert_int_equal(reg->type, energy ? BPMU_FREE_JOULES :
				 margin || ratio ? BPMU_FREE_GAUGE : BPMU_FREE_COUNT);
		assert_int_equal(bpmu_event_is_gauge(&rows[i]), margin || ratio);
		assert_int_equal(reg->shift, margin ? 16 : 0);
		assert_int_equal(reg->nonzero, energy || ratio);
	}
	assert_null(bpmu_free_at(255));
	assert_null(bpmu_free_at(256 + nr));
}

/*
 * For some CPU models: a register that the model has, and a register that it lacks. They were
 * entered by hand from Linux, rapl.c, cstate.c, msr.c.
 */
TEST(parts_have_their_registers)
{
	static const struct {
		const char *part, *has, *lacks;
	} all[] = {
		{ "ivb", "POWER.GPU", "POWER.DRAM" },
		{ "ivt", "POWER.DRAM", "POWER.GPU" },
		{ "hsx", "PACKAGE.C7", "PACKAGE.C8" },
		{ "skl", "CORE.PPERF", "CORE.C1" },
		{ "rkl", "MEMORY.READS", "POWER.CORE" }, { "snb", "MEMORY.DEVICE_REQUESTS", "CORE.C1" },
		{ "tgl", "PACKAGE.C8", "MEMORY.CORE_REQUESTS" },
		{ "adl", "MEMORY.READS", "MEMORY.DEVICE_REQUESTS" }, { "adl-e", "MEMORY.WRITES", "PACKAGE.C9" },
		{ "mtl", "MEMORY.REQUESTS", "PACKAGE.C9" }, { "arl", "PACKAGE.C8", "MEMORY.READS" },
		{ "skl", "MEMORY.READS", "MEMORY.REQUESTS" }, { "ivt", "CORE.C3", "MEMORY.WRITES" },
		{ "icx", "CORE.C1", "CORE.C3" }, { "icx", "MEMORY.PMEM_READS", "MEMORY.REQUESTS" },
		{ "skx", "CORE.PPERF", "MEMORY.READS" },
		{ "spr", "POWER.PSYS", "CORE.PPERF" },
		{ "adl-e", "CORE.C7", "PACKAGE.C9" },
		{ "zen3", "POWER.CORE", "CORE.SMI" },
		{ "knc", "THREAD.TSC", "CORE.APERF" },
	};
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct bpmu_part *part = bpmu_part_by_name(all[i].part);

		assert_non_null(part);
		pmu = pmu_of(part);
		assert_int_equal(bpmu_event_parse(&pmu, 1, all[i].has, &spec,
						  &err), 0);
		assert_ptr_not_equal(spec.row, NULL);
		bpmu_event_free(&spec);
		assert_int_equal(bpmu_event_parse(&pmu, 1, all[i].lacks, &spec,
						  &err), -ENOENT);
	}
}

/*
 * All free-running registers of each CPU model, entered by hand. The sources are Linux, rapl.c,
 * intel/cstate.c, msr.c, uncore_snb.c and uncore_snbep.c. For margins and the uncore's ratio the
 * source is SDM Vol. 4. In the lists c6 is C-state 6 of the core, and p6 is C-state 6 of the
 * package. The letter t stands for TSC, APERF, MPERF, margins and SMI. Other words are names of
 * registers in small letters.
 */
static const struct {
	const char *parts, *registers;
} sets[] = {
	{ "nhm nhm-ex wsm wsm-ep wsm-ex", "t c3 c6 p3 p6 p7" },
	{ "snb ivb", "t c3 c6 c7 p2 p3 p6 p7 pkg cores gpu memory" },
	{ "topdown", "t c3 c6 c7 p2 p3 p6 p7 pkg cores gpu" },
	{ "jkt ivt", "t c3 c6 c7 p2 p3 p6 p7 pkg cores dram" },
	{ "hsw bdw", "t c3 c6 c7 p2 p3 p6 p7 p8 p9 p10 pkg cores dram gpu memory" },
	{ "hsx bdx", "t c3 c6 c7 p2 p3 p6 p7 pkg cores dram ratio" },
	{ "skl", "t pperf c3 c6 c7 p2 p3 p6 p7 p8 p9 p10 pkg cores dram gpu psys ratio memory" },
	{ "skx", "t pperf c3 c6 c7 p2 p3 p6 p7 pkg cores dram ratio" },
	{ "icl rkl", "t pperf c6 c7 p2 p3 p6 p7 p8 p9 p10 pkg cores dram gpu psys ratio memory" },
	{ "tgl", "t pperf c6 c7 p2 p3 p6 p7 p8 p9 p10 pkg cores dram gpu psys ratio memory64" },
	{ "icx", "t pperf c1 c6 p2 p6 pkg cores dram ratio memory48" },
	{ "spr emr gnr srf grr cwf", "t c1 c6 p2 p6 pkg cores dram psys ratio" },
	{ "adl adl-e mtl mtl-e",
	  "t pperf c1 c6 c7 p2 p3 p6 p8 p10 pkg cores dram gpu psys memory64" },
	{ "arl arl-e arl-lp lnl lnl-e ptl ptl-e",
	  "t pperf c1 c6 c7 p2 p3 p6 p8 p10 pkg cores dram gpu psys" },
	{ "cnl", "tsc aperf mperf margin pkg cores dram gpu psys" },
	{ "slm avn", "t c1 c6 atom6 pkg cores" },
	{ "glm glp", "t c1 c3 c6 p2 p3 p6 p10 pkg cores dram gpu" },
	{ "knl", "t knl6 p2 p3 p6 pkg dram" },
	{ "tnt", "t c1 c6 p2 p6 pkg cores dram gpu" },
	{ "zen1 zen2 zen3 zen4 zen5 zen6", "tsc aperf mperf irperf core amd" },
	{ "k10 bulldozer jaguar", "tsc aperf mperf" },
	{ "knc", "tsc" },
	{ "arch bnl lkf lkf-e nvl nvl-e dmr", "tsc aperf mperf margin" },
};

static u64 registers_of(const char *name)
{
	static const struct {
		const char *name;
		u64 free;
	} words[] = {
		{ "tsc", BPMU_FREE(TSC) | BPMU_FREE(CORE_TSC) | BPMU_FREE(PACKAGE_TSC) },
		{ "aperf", BPMU_FREE(APERF) }, { "mperf", BPMU_FREE(MPERF) },
		{ "margin", BPMU_FREE(CORE_MARGIN) | BPMU_FREE(PACKAGE_MARGIN) },
		{ "t", BPMU_FREE(TSC) | BPMU_FREE(CORE_TSC) | BPMU_FREE(PACKAGE_TSC) |
		  BPMU_FREE(APERF) | BPMU_FREE(MPERF) | BPMU_FREE(CORE_MARGIN) |
		  BPMU_FREE(PACKAGE_MARGIN) | BPMU_FREE(SMI) },
		{ "pperf", BPMU_FREE(PPERF) }, { "irperf", BPMU_FREE(IRPERF) },
		{ "c1", BPMU_FREE(CORE_C1) }, { "c3", BPMU_FREE(CORE_C3) },
		{ "c6", BPMU_FREE(CORE_C6) }, { "c7", BPMU_FREE(CORE_C7) },
		{ "p2", BPMU_FREE(PACKAGE_C2) }, { "p3", BPMU_FREE(PACKAGE_C3) },
		{ "p6", BPMU_FREE(PACKAGE_C6) }, { "p7", BPMU_FREE(PACKAGE_C7) },
		{ "p8", BPMU_FREE(PACKAGE_C8) }, { "p9", BPMU_FREE(PACKAGE_C9) },
		{ "p10", BPMU_FREE(PACKAGE_C10) }, { "atom6", BPMU_FREE(ATOM_C6) },
		{ "knl6", BPMU_FREE(KNL_C6) },
		{ "pkg", BPMU_FREE(PKG) }, { "cores", BPMU_FREE(CORES) },
		{ "dram", BPMU_FREE(DRAM) }, { "gpu", BPMU_FREE(GPU) },
		{ "psys", BPMU_FREE(PSYS) }, { "core", BPMU_FREE(CORE_ENERGY) },
		{ "amd", BPMU_FREE(AMD_PKG) }, { "ratio", BPMU_FREE(UNCORE_RATIO) },
		{ "memory", BPMU_FREE(MEMORY_READS) | BPMU_FREE(MEMORY_WRITES) |
		  BPMU_FREE(MEMORY_GRAPHICS) | BPMU_FREE(MEMORY_CORES) |
		  BPMU_FREE(MEMORY_DEVICES) },
		{ "memory64", BPMU_FREE(MEMORY64_READS) | BPMU_FREE(MEMORY64_WRITES) |
		  BPMU_FREE(MEMORY64_REQUESTS) },
		{ "memory48", BPMU_FREE(MEMORY48_READS) | BPMU_FREE(MEMORY48_WRITES) |
		  BPMU_FREE(MEMORY48_PMEM_READS) | BPMU_FREE(MEMORY48_PMEM_WRITES) },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i].name, name))
			return words[i].free;
	fail_msg("%s", name);
	return 0;
}

static int is_word_of(const char *text, const char *word)
{
	char copy[256], *next, *rest = copy;

	assert_true(strlen(text) < sizeof(copy));
	strcpy(copy, text);
	while ((next = strsep(&rest, " ")))
		if (!strcmp(next, word))
			return 1;
	return 0;
}

TEST(parts_have_exactly_their_registers)
{
	const struct bpmu_part *part;
	char copy[256], *next, *rest;
	unsigned int i;
	u64 expected;
	size_t k;

	for (i = 0; (part = bpmu_part_at(i)); i++) {
		for (k = 0; k < sizeof(sets) / sizeof(sets[0]); k++)
			if (is_word_of(sets[k].parts, part->name))
				break;
		if (k == sizeof(sets) / sizeof(sets[0]))
			fail_msg("%s", part->name);
		strcpy(copy, sets[k].registers);
		expected = 0;
		for (rest = copy; (next = strsep(&rest, " "));)
			expected |= registers_of(next);
		if (part->free != expected)
			fail_msg("%s: 0x%llx more, 0x%llx less", part->name,
				 (unsigned long long)(part->free & ~expected),
				 (unsigned long long)(expected & ~part->free));
	}
}

static void refused(const struct bpmu_pmu *pmu, const char *text, int code,
		    const char *why)
{
	struct bpmu_event_spec spec;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_parse(pmu, 1, text, &spec, &err), code);
	assert_string_equal(err.text, why);
}

/*
 * perf's names of the registers, from the files in sysfs of perf's PMUs power, cstate_*, msr and
 * uncore_imc*.
 */
TEST(aliases_are_names_of_their_registers)
{
	static const char *const all[][2] = {
		{ "cstate_core/c1-residency/", "CORE.C1" }, { "cstate_core/c3-residency/", "CORE.C3" },
		{ "cstate_core/c6-residency/", "CORE.C6" }, { "cstate_core/c7-residency/", "CORE.C7" },
		{ "cstate_pkg/c10-residency/", "PACKAGE.C10" },
		{ "cstate_pkg/c2-residency/", "PACKAGE.C2" },
		{ "cstate_pkg/c3-residency/", "PACKAGE.C3" },
		{ "cstate_pkg/c6-residency/", "PACKAGE.C6" },
		{ "cstate_pkg/c7-residency/", "PACKAGE.C7" },
		{ "cstate_pkg/c8-residency/", "PACKAGE.C8" },
		{ "cstate_pkg/c9-residency/", "PACKAGE.C9" },
		{ "msr/aperf/", "CORE.APERF" }, { "msr/irperf/", "CORE.IRPERF" },
		{ "msr/mperf/", "CORE.MPERF" }, { "msr/pperf/", "CORE.PPERF" },
		{ "msr/smi/", "CORE.SMI" }, { "msr/tsc/", "THREAD.TSC" },
		{ "power/energy-cores/", "POWER.CORES" }, { "power/energy-gpu/", "POWER.GPU" },
		{ "power/energy-pkg/", "POWER.PKG" }, { "power/energy-psys/", "POWER.PSYS" },
		{ "power/energy-ram/", "POWER.DRAM" },
		{ "uncore_imc/data_reads/", "MEMORY.READS" },
		{ "uncore_imc/data_writes/", "MEMORY.WRITES" },
		{ "uncore_imc/gt_requests/", "MEMORY.GRAPHICS_REQUESTS" },
		{ "uncore_imc/ia_requests/", "MEMORY.CORE_REQUESTS" },
		{ "uncore_imc/io_requests/", "MEMORY.DEVICE_REQUESTS" },
		{ "uncore_imc_free_running/data_read/", "MEMORY.READS" },
		{ "uncore_imc_free_running/data_total/", "MEMORY.REQUESTS" },
		{ "uncore_imc_free_running/data_write/", "MEMORY.WRITES" },
		{ "uncore_imc_free_running/ddrt_read/", "MEMORY.PMEM_READS" },
		{ "uncore_imc_free_running/ddrt_write/", "MEMORY.PMEM_WRITES" },
		{ "uncore_imc_free_running/read/", "MEMORY.READS" },
		{ "uncore_imc_free_running/write/", "MEMORY.WRITES" },
	};
	const struct bpmu_event_alias *aliases;
	size_t nr, i;

	aliases = bpmu_free_aliases(&nr);
	assert_int_equal(nr, sizeof(all) / sizeof(all[0]));
	for (i = 0; i < nr; i++) {
		assert_string_equal(aliases[i].name, all[i][0]);
		assert_string_equal(aliases[i].event, all[i][1]);
	}
}

TEST(refuses_missing_registers_and_modifiers)
{
	struct bpmu_pmu pmu = pmu_of(&bpmu_intel_ivb);

	pmu.free &= ~BPMU_FREE(GPU);
	refused(&pmu, "POWER.GPU", -ENODEV,
		"event 'POWER.GPU': this board does not have POWER.GPU, or a hypervisor hides it; 'barepmu info' lists the registers that can be read");
	refused(&pmu, "POWER.PKG:u", -EINVAL,
		"event 'POWER.PKG:u': POWER.PKG is a register that always counts; leave out u and k");
	refused(&pmu, "POWER.PKG:[>=2]", -EINVAL,
		"event 'POWER.PKG:[>=2]': POWER.PKG is a register that always counts, without filters; leave them out");
}

/*
 * perf's name power/energy-pkg/ stands for Intel's register on Intel's CPUs, and for AMD's register
 * on AMD's CPUs. These are two different registers.
 */
TEST(perf_s_names_are_aliases)
{
	static const struct {
		const struct bpmu_part *part;
		const char *text;
		u64 counters;
	} all[] = {
		{ &bpmu_intel_ivb, "power/energy-pkg/", BPMU_FREE(PKG) },
		{ &bpmu_amd_zen4, "power/energy-pkg/", BPMU_FREE(AMD_PKG) },
		{ &bpmu_amd_zen4, "power.pkg", BPMU_FREE(AMD_PKG) },
		{ &bpmu_intel_ivb, "cstate_core/c6-residency/",
		  BPMU_FREE(CORE_C6) },
		{ &bpmu_intel_ivb, "msr/aperf/", BPMU_FREE(APERF) },
		{ &bpmu_intel_hsx, "power/energy-ram/", BPMU_FREE(DRAM) },
	};
	struct bpmu_event_spec spec;
	struct bpmu_error err;
	struct bpmu_pmu pmu;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		pmu = pmu_of(all[i].part);
		assert_int_equal(bpmu_event_parse(&pmu, 0, all[i].text, &spec,
						  &err), 0);
		assert_int_equal(spec.term[0].counters, all[i].counters);
		assert_int_equal(spec.term[0].select, 0);
		bpmu_event_free(&spec);
	}
}

/*
 * Fixed units of energy. The source is Linux, rapl.c. By model_hsx and model_knl the unit of DRAM
 * is 15.3 uJ on servers of Haswell, Broadwell, Skylake and Ice Lake, and on Knights Landing. By
 * model_spr the unit of the platform is 1 J. No other CPU model has a fixed unit.
 */
TEST(only_servers_have_fixed_units_of_energy)
{
	static const u64 units = 0xa0b03;
	const struct bpmu_part *part;
	unsigned int i, id;

	for (i = 0; (part = bpmu_part_at(i)); i++)
		for (id = 0; id < BPMU_FREE_NR; id++) {
			unsigned int expected = 11;

			if (id == BPMU_FREE_DRAM && is_word_of("hsx bdx skx icx knl", part->name))
				expected = 16;
			if (id == BPMU_FREE_PSYS &&
			    is_word_of("spr emr gnr srf grr cwf", part->name))
				expected = 0;
			if (bpmu_free_energy_shift(part, id, units) != expected)
				fail_msg("%s: %u", part->name, id);
		}
}

/*
 * MSR 606H holds n = 14. The unit of energy is then 2^-14 J; on CPUs that count in microjoules it
 * is 2^14 uJ. Fixed units are 15.3 uJ and 1 J.
 */
TEST(parts_have_their_units_of_energy)
{
	static const struct {
		const struct bpmu_part *part;
		u32 id;
		double microjoules;
	} all[] = {
		{ &bpmu_intel_ivb, BPMU_FREE_PKG, 61.03515625 },
		{ &bpmu_intel_ivt, BPMU_FREE_DRAM, 61.03515625 },
		{ &bpmu_intel_hsx, BPMU_FREE_PKG, 61.03515625 },
		{ &bpmu_intel_hsx, BPMU_FREE_DRAM, 15.2587890625 },
		{ &bpmu_intel_bdx, BPMU_FREE_DRAM, 15.2587890625 },
		{ &bpmu_intel_skx, BPMU_FREE_DRAM, 15.2587890625 },
		{ &bpmu_intel_icx, BPMU_FREE_DRAM, 15.2587890625 },
		{ &bpmu_intel_hsw, BPMU_FREE_DRAM, 61.03515625 },
		{ &bpmu_intel_skl, BPMU_FREE_PSYS, 61.03515625 },
		{ &bpmu_intel_spr, BPMU_FREE_PSYS, 1000000 },
		{ &bpmu_intel_emr, BPMU_FREE_PSYS, 1000000 },
		{ &bpmu_intel_spr, BPMU_FREE_DRAM, 61.03515625 },
		{ &bpmu_intel_slm, BPMU_FREE_PKG, 16384 },
		{ &bpmu_intel_slm, BPMU_FREE_CORES, 16384 },
		{ &bpmu_intel_avn, BPMU_FREE_PKG, 61.03515625 },
		{ &bpmu_intel_knl, BPMU_FREE_DRAM, 15.2587890625 },
		{ &bpmu_intel_glm, BPMU_FREE_PKG, 61.03515625 },
	};
	const struct bpmu_event *rows;
	struct bpmu_pmu pmu;
	size_t nr, i;

	rows = bpmu_free_events(&nr);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		pmu = pmu_of(all[i].part);
		assert_true(bpmu_event_joules(&pmu, &rows[all[i].id]) == 0);
		pmu.units = 0xa0e03;
		assert_true(bpmu_event_joules(&pmu, &rows[all[i].id]) ==
			    all[i].microjoules / 1000000);
	}
	assert_true(bpmu_event_joules(&pmu, &rows[BPMU_FREE_APERF]) == 0);
	assert_true(bpmu_event_joules(&pmu, NULL) == 0);
}

TEST(registers_form_one_group_per_scope)
{
	static const enum bpmu_bank_id banks[] = {
		BPMU_BANK_CORE, BPMU_BANK_UNCORE, BPMU_BANK_FREE_THREAD,
		BPMU_BANK_FREE_CORE, BPMU_BANK_FREE_PACKAGE,
	};
	const struct bpmu_groups_wish wish = { .together = true };
	struct bpmu_pmu pmu = pmu_of(&bpmu_intel_ivb);
	struct bpmu_event_list list = { };
	struct bpmu_sample sample = { };
	struct bpmu_groups groups;
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_event_list_parse(&pmu, 1,
		"PACKAGE.C2,CORE.C6,cycles,POWER.PKG,CORE.APERF,UNC_CLOCK.SOCKET,POWER.CORES",
		&list, &err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err),
			 0);
	assert_int_equal(groups.nr, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(groups.group[i].sched.bank, banks[i]);
		assert_int_equal(bpmu_groups_first(&groups, banks[i]), i);
		sample.flags = BPMU_SAMPLE_TIMER;
		sample.bank = banks[i];
		sample.group = 0;
		assert_ptr_equal(bpmu_groups_of_sample(&groups, &sample),
				 &groups.group[i]);
		sample.group = 1;
		assert_null(bpmu_groups_of_sample(&groups, &sample));
		sample.group = 0;
		sample.bank = BPMU_BANKS;
		assert_null(bpmu_groups_of_sample(&groups, &sample));
	}
	assert_int_equal(groups.group[4].sched.nr, 3);
	assert_int_equal(groups.group[4].sched.slot[0].counter,
			 256 + BPMU_FREE_PACKAGE_C2);
	assert_int_equal(groups.group[4].sched.slot[1].counter,
			 256 + BPMU_FREE_PKG);
	assert_int_equal(bpmu_groups_most(&groups), 1);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

static u64 difference(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
		      unsigned int slot, const u64 *last, const u64 *now,
		      u64 ticks)
{
	const struct bpmu_delta delta = bpmu_delta_of_slot(pmu, sched, slot);

	return bpmu_delta(&delta, last, now, ticks);
}

/*
 * The energy counter has 32 bits and wraps. Bits 63:32 of its register are undefined. The package's
 * thermal margin is a gauge, a register with a current value. The count of a gauge is its value
 * multiplied by the TSC ticks between the samples.
 */
TEST(a_delta_has_the_width_of_the_register)
{
	static const struct bpmu_sched sched = {
		.nr = 2, .values = 2, .bank = BPMU_BANK_FREE_PACKAGE,
		.slot = {
			{ .counter = 256 + BPMU_FREE_PKG, .value = 0 },
			{ .counter = 256 + BPMU_FREE_PACKAGE_MARGIN,
			  .value = 1 },
		},
	};
	const struct bpmu_pmu pmu = pmu_of(&bpmu_intel_ivb);
	const u64 last[] = { 0x7fffffff0ULL, 0x88320000 };
	const u64 now[] = { 0x100000010ULL, 0x88280003 };
	struct bpmu_sched with_tsc = sched;
	const u64 before[] = { 0, 0, 5000 };
	const u64 after[] = { 0, 0x88280003, 7000 };

	assert_int_equal(difference(&pmu, &sched, 0, last, now, 77), 0x20);
	assert_int_equal(difference(&pmu, &sched, 1, last, now, 1000),
			 40 * 1000);
	with_tsc.slot[with_tsc.nr++] = (struct bpmu_sched_slot){
		.counter = 256 + BPMU_FREE_PACKAGE_TSC, .value = 2,
	};
	assert_int_equal(difference(&pmu, &with_tsc, 1, before, after, 1990),
			 40 * 2000);
}

static const u32 cpus[] = { 0, 1 };
static double seen[8][2][2];
static double reading[8][2];

static void keep(void *data, const struct bpmu_interval *interval)
{
	const struct bpmu_groups *groups = data;
	unsigned int pos, g;

	assert_true(interval->index < 8);
	for (pos = 0; pos < 2; pos++) {
		for (g = 0; g < 2; g++)
			seen[interval->index][pos][g] =
				interval->cell[pos * groups->slots + g].count;
		reading[interval->index][pos] = bpmu_interval_time(interval,
								   BPMU_BANK_FREE_PACKAGE, pos);
	}
}

static void give(struct bpmu_series *series, u32 cpu, u64 seq, u32 flags,
		 u64 tsc, u64 value)
{
	const struct bpmu_sample sample = {
		.seq = seq, .cpu = cpu, .flags = flags, .bank = flags >> 16, .tsc_begin = tsc,
		.tsc_end = tsc + 10, .enabled = tsc, .running = tsc, .nr = 1,
	};

	bpmu_series_add(series, &(struct bpmu_taken_sample){ &sample, &value, NULL }, 1);
}

/*
 * At a timer tick CPU 0 reads a counter of its core, and 20 TSC ticks later one of the package.
 * Both counts belong to the interval that this timer tick ends. CPU 1 does not read the package's
 * counter.
 */
TEST(registers_of_core_and_package_belong_to_the_same_interval)
{
	const struct bpmu_groups_wish wish = { .together = true };
	struct bpmu_pmu pmu = pmu_of(&bpmu_intel_ivb);
	struct bpmu_info info = { .tsc_khz = 1000 };
	struct bpmu_measure measure = {
		.info = &info, .cpus = cpus, .nr_cpus = 2,
		.interval_ns = 1000000, .period_ns = 1000000, .emit = keep,
	};
	struct bpmu_event_list list = { };
	struct bpmu_series *series;
	struct bpmu_groups groups;
	struct bpmu_error err;
	unsigned int tick;

	pmu.fixed_width = 48;
	assert_int_equal(bpmu_event_list_parse(&pmu, 1, "cycles,POWER.PKG",
					       &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err),
			 0);
	measure.groups[0] = &groups;
	measure.data = &groups;
	series = bpmu_series_new(&measure, 0);
	assert_non_null(series);
	give(series, 0, 0, BPMU_SAMPLE_START, 1000000, 0);
	give(series, 0, 1, BPMU_SAMPLE_START | OF(FREE_PACKAGE),
	     1000020, 0);
	give(series, 1, 0, BPMU_SAMPLE_START, 1000000, 0);
	for (tick = 1; tick <= 3; tick++) {
		give(series, 0, 2 * tick, BPMU_SAMPLE_TIMER,
		     1000000 + tick * 1000, tick * 100);
		give(series, 0, 2 * tick + 1,
		     BPMU_SAMPLE_TIMER | OF(FREE_PACKAGE),
		     1000020 + tick * 1000, tick * tick);
		give(series, 1, tick, BPMU_SAMPLE_TIMER,
		     1000000 + tick * 1000, tick * 7);
	}
	bpmu_series_emit(series, 3);
	for (tick = 0; tick < 3; tick++) {
		assert_true(seen[tick][0][0] == 100);
		assert_true(seen[tick][0][1] == 2 * tick + 1);
		assert_true(seen[tick][1][0] == 7);
		assert_true(reading[tick][0] == 1000);
		assert_true(reading[tick][1] == 0);
	}
	bpmu_series_free(series);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

/*
 * Registers of 32 bits count energy or memory transfers. They are sampled so often that each wrap
 * is seen, even in a long interval.
 */
TEST(registers_of_32_bits_are_read_before_they_wrap_twice)
{
	const struct bpmu_groups core = { .nr = 1, .nr_of = { 1 } };
	const struct bpmu_groups energy = {
		.nr = 1, .nr_of = { [BPMU_BANK_FREE_PACKAGE] = 1 },
	};
	struct bpmu_info info = { .pmu = pmu_of(&bpmu_intel_ivb) };
	struct bpmu_measure measure = { .groups = { &core }, .info = &info };

	info.pmu.free &= ~BPMU_FREE_MEMORY;
	measure.interval_ns = 60000000000ULL;
	assert_int_equal(bpmu_measure_period_ns(&measure), 60000000000ULL);
	measure.groups[0] = &energy;
	assert_int_equal(bpmu_measure_period_ns(&measure), 15000000000ULL);
	measure.interval_ns = 16000000000ULL;
	assert_int_equal(bpmu_measure_period_ns(&measure), 8000000000ULL);
	measure.interval_ns = 1000000;
	assert_int_equal(bpmu_measure_period_ns(&measure), 1000000);
	measure.interval_ns = 0;
	assert_int_equal(bpmu_measure_period_ns(&measure), 0);
	info.pmu.free |= BPMU_FREE(MEMORY_READS);
	measure.interval_ns = 60000000000ULL;
	assert_int_equal(bpmu_measure_period_ns(&measure), 1875000000ULL);
	measure.groups[0] = &core;
	assert_int_equal(bpmu_measure_period_ns(&measure), 60000000000ULL);
}
