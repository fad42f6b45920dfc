// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the legal bits of event selects, and of the CPU model that CPUID identifies. The
 * counters that are used are those that CPUID reports.
 */

#include <string.h>

#include "base/array.h"
#include "intel.h"
#include "unit.h"

#define CODE 0x01c2
#define BOTH_LEVELS (BPMU_SEL_USR | BPMU_SEL_OS)

TEST(legal_bits_are_accepted)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	u64 all = CODE | BOTH_LEVELS | BPMU_SEL_EDGE | BPMU_SEL_ANY | BPMU_SEL_INV |
		  BPMU_SEL_CMASK;

	assert_int_equal(bpmu_select_illegal(&ivb, 0, all), 0);
	assert_int_equal(bpmu_select_illegal(&ivb, BPMU_FIXED_BASE,
					     BOTH_LEVELS | BPMU_SEL_ANY), 0);
}

TEST(illegal_bits_are_refused)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	static const u64 bits[] = {
		BPMU_SEL_INT, BPMU_SEL_PC, BPMU_SEL_EN, 1ULL << 32, 1ULL << 63
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		assert_int_equal(bpmu_select_illegal(&ivb, 0, CODE | bits[i]),
				 bits[i]);
}

TEST(any_thread_is_refused_on_knc)
{
	struct bpmu_pmu knc = unit_pmu("knc", 4);

	assert_int_equal(bpmu_select_illegal(&knc, 0, BPMU_SEL_ANY),
			 BPMU_SEL_ANY);
	assert_int_equal(bpmu_select_illegal(&knc, 0, BOTH_LEVELS), 0);
}

TEST(fixed_counters_have_no_filters)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	u64 cmask = 2ULL << BPMU_SEL_CMASK_SHIFT;

	assert_int_equal(bpmu_select_illegal(&ivb, BPMU_FIXED_BASE + 1,
					     BOTH_LEVELS | cmask | BPMU_SEL_EDGE),
			 cmask | BPMU_SEL_EDGE);
}

TEST(bits_have_names)
{
	const struct bpmu_part *part = bpmu_part_by_name("ivb"), *six = bpmu_part_by_name("arl");

	assert_string_equal(bpmu_select_bit_name(part, 0), "event");
	assert_string_equal(bpmu_select_bit_name(part, 15), "umask");
	assert_non_null(strstr(bpmu_select_bit_name(part, 16), "USR"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 17), "OS"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 18), "edge"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 19), "PC"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 20), "INT"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 21), "ANY"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 22), "EN"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 23), "INV"));
	assert_non_null(strstr(bpmu_select_bit_name(part, 31), "CMASK"));
	assert_string_equal(bpmu_select_bit_name(part, 32), "reserved");
	assert_string_equal(bpmu_select_bit_name(part, 36), "reserved");
	assert_string_equal(bpmu_select_bit_name(part, 40), "reserved");
	assert_non_null(strstr(bpmu_select_bit_name(six, 36), "EQ"));
	assert_string_equal(bpmu_select_bit_name(six, 39), "reserved");
	assert_non_null(strstr(bpmu_select_bit_name(six, 40), "UMASK2"));
	assert_non_null(strstr(bpmu_select_bit_name(six, 47), "UMASK2"));
	assert_string_equal(bpmu_select_bit_name(six, 48), "reserved");
}

/*
 * On Ivy Bridge the events of memory loads and stores, with codes D0 to D3, also count on the same
 * counter of the core's other thread.
 */
TEST(memory_events_of_ivb_leak)
{
	const struct bpmu_part *ivb = bpmu_part_by_name("ivb");
	const struct bpmu_part *skl = bpmu_part_by_name("skl");
	unsigned int event;

	for (event = 0; event < 0x100; event++) {
		assert_int_equal(bpmu_select_leaks(ivb, 0x4100 | event) != 0,
				 event >= 0xd0 && event <= 0xd3);
		assert_int_equal(bpmu_select_leaks(skl, 0x4100 | event), 0);
	}
}

/*
 * PERF_METRICS counts at the privilege levels of the slots counter, so the event select of a field
 * must have both the OS and the USR bit. The unit mask names the field of PERF_METRICS.
 */
TEST(perf_metrics_has_its_own_legal_bits)
{
	struct bpmu_pmu spr = unit_pmu("spr", 8);

	assert_int_equal(bpmu_select_illegal(&spr, BPMU_METRICS_COUNTER,
					     BOTH_LEVELS | 0x700), 0);
	assert_int_equal(bpmu_select_illegal(&spr, BPMU_METRICS_COUNTER,
					     BOTH_LEVELS | 0x701 | BPMU_SEL_EDGE),
			 0x1 | BPMU_SEL_EDGE);
}

TEST(fixed_control_has_the_bits_of_the_event)
{
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE, BPMU_SEL_USR), 0x2);
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE + 1, BOTH_LEVELS), 0x30);
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE + 2,
					 BPMU_SEL_OS | BPMU_SEL_ANY), 0x500);
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE + 1,
					 BPMU_SEL_USR | BPMU_SEL_INT), 0xa0);
}

static const char *found(u8 vendor, u8 family, u8 model, u8 core, u8 native)
{
	const struct bpmu_cpu_id cpu = {
		vendor, family, model, .core = core, .native = native
	};
	const struct bpmu_part *part;

	part = bpmu_part_find(&cpu);
	return part ? part->name : "";
}

/*
 * All known CPU models. Intel's models are from mapfile.csv of Intel's event files. AMD's models
 * are from Linux 7.3, arch/x86/kernel/cpu/amd.c. Some CPUs of a hybrid model report no core type:
 * for them the name of the performance cores is listed a second time, without a core type. Arrow
 * Lake has two kinds of efficient cores, which differ in their native model ID; 0 stands for any
 * ID.
 */
static const struct {
	const char *name;
	u8 vendor, family, first, last, core, native;
} models[] = {
	{ "nhm", BPMU_VENDOR_INTEL, 6, 0x1a, 0x1a },
	{ "nhm", BPMU_VENDOR_INTEL, 6, 0x1e, 0x1e },
	{ "nhm", BPMU_VENDOR_INTEL, 6, 0x1f, 0x1f },
	{ "nhm-ex", BPMU_VENDOR_INTEL, 6, 0x2e, 0x2e },
	{ "wsm", BPMU_VENDOR_INTEL, 6, 0x25, 0x25 },
	{ "wsm-ep", BPMU_VENDOR_INTEL, 6, 0x2c, 0x2c },
	{ "wsm-ex", BPMU_VENDOR_INTEL, 6, 0x2f, 0x2f },
	{ "snb", BPMU_VENDOR_INTEL, 6, 0x2a, 0x2a },
	{ "jkt", BPMU_VENDOR_INTEL, 6, 0x2d, 0x2d },
	{ "ivb", BPMU_VENDOR_INTEL, 6, 0x3a, 0x3a },
	{ "ivt", BPMU_VENDOR_INTEL, 6, 0x3e, 0x3e },
	{ "hsw", BPMU_VENDOR_INTEL, 6, 0x3c, 0x3c },
	{ "hsw", BPMU_VENDOR_INTEL, 6, 0x45, 0x45 },
	{ "hsw", BPMU_VENDOR_INTEL, 6, 0x46, 0x46 },
	{ "hsx", BPMU_VENDOR_INTEL, 6, 0x3f, 0x3f },
	{ "bdw", BPMU_VENDOR_INTEL, 6, 0x3d, 0x3d },
	{ "bdw", BPMU_VENDOR_INTEL, 6, 0x47, 0x47 },
	{ "bdx", BPMU_VENDOR_INTEL, 6, 0x4f, 0x4f },
	{ "bdx", BPMU_VENDOR_INTEL, 6, 0x56, 0x56 },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0x4e, 0x4e },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0x5e, 0x5e },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0x8e, 0x8e },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0x9e, 0x9e },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0xa5, 0xa5 },
	{ "skl", BPMU_VENDOR_INTEL, 6, 0xa6, 0xa6 },
	{ "skx", BPMU_VENDOR_INTEL, 6, 0x55, 0x55 },
	{ "icl", BPMU_VENDOR_INTEL, 6, 0x7d, 0x7d },
	{ "icl", BPMU_VENDOR_INTEL, 6, 0x7e, 0x7e },
	{ "icx", BPMU_VENDOR_INTEL, 6, 0x6a, 0x6a },
	{ "icx", BPMU_VENDOR_INTEL, 6, 0x6c, 0x6c },
	{ "tgl", BPMU_VENDOR_INTEL, 6, 0x8c, 0x8c },
	{ "tgl", BPMU_VENDOR_INTEL, 6, 0x8d, 0x8d },
	{ "rkl", BPMU_VENDOR_INTEL, 6, 0xa7, 0xa7 },
	{ "spr", BPMU_VENDOR_INTEL, 6, 0x8f, 0x8f },
	{ "emr", BPMU_VENDOR_INTEL, 6, 0xcf, 0xcf },
	{ "gnr", BPMU_VENDOR_INTEL, 6, 0xad, 0xad },
	{ "gnr", BPMU_VENDOR_INTEL, 6, 0xae, 0xae },
	{ "bnl", BPMU_VENDOR_INTEL, 6, 0x1c, 0x1c },
	{ "bnl", BPMU_VENDOR_INTEL, 6, 0x26, 0x26 },
	{ "bnl", BPMU_VENDOR_INTEL, 6, 0x27, 0x27 },
	{ "bnl", BPMU_VENDOR_INTEL, 6, 0x35, 0x35 },
	{ "bnl", BPMU_VENDOR_INTEL, 6, 0x36, 0x36 },
	{ "slm", BPMU_VENDOR_INTEL, 6, 0x37, 0x37 },
	{ "slm", BPMU_VENDOR_INTEL, 6, 0x4a, 0x4a },
	{ "slm", BPMU_VENDOR_INTEL, 6, 0x4c, 0x4c },
	{ "slm", BPMU_VENDOR_INTEL, 6, 0x5a, 0x5a },
	{ "slm", BPMU_VENDOR_INTEL, 6, 0x75, 0x75 },
	{ "avn", BPMU_VENDOR_INTEL, 6, 0x4d, 0x4d },
	{ "glm", BPMU_VENDOR_INTEL, 6, 0x5c, 0x5c },
	{ "glm", BPMU_VENDOR_INTEL, 6, 0x5f, 0x5f },
	{ "glp", BPMU_VENDOR_INTEL, 6, 0x7a, 0x7a },
	{ "knl", BPMU_VENDOR_INTEL, 6, 0x57, 0x57 },
	{ "knl", BPMU_VENDOR_INTEL, 6, 0x85, 0x85 },
	{ "tnt", BPMU_VENDOR_INTEL, 6, 0x86, 0x86 },
	{ "tnt", BPMU_VENDOR_INTEL, 6, 0x96, 0x96 },
	{ "tnt", BPMU_VENDOR_INTEL, 6, 0x9c, 0x9c },
	{ "srf", BPMU_VENDOR_INTEL, 6, 0xaf, 0xaf },
	{ "grr", BPMU_VENDOR_INTEL, 6, 0xb6, 0xb6 },
	{ "cwf", BPMU_VENDOR_INTEL, 6, 0xdd, 0xdd },
	{ "topdown", BPMU_VENDOR_INTEL, 6, 0xfe, 0xfe },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0x97, 0x97, BPMU_CORE_PERFORMANCE },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0x9a, 0x9a, BPMU_CORE_PERFORMANCE },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xb7, 0xb7, BPMU_CORE_PERFORMANCE },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xba, 0xba, BPMU_CORE_PERFORMANCE },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xbf, 0xbf, BPMU_CORE_PERFORMANCE },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0x97, 0x97, BPMU_CORE_EFFICIENT },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0x9a, 0x9a, BPMU_CORE_EFFICIENT },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0xb7, 0xb7, BPMU_CORE_EFFICIENT },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0xba, 0xba, BPMU_CORE_EFFICIENT },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0xbf, 0xbf, BPMU_CORE_EFFICIENT },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0x97, 0x97 },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0x9a, 0x9a },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xb7, 0xb7 },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xba, 0xba },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xbf, 0xbf },
	{ "adl", BPMU_VENDOR_INTEL, 6, 0xd7, 0xd7 },
	{ "adl-e", BPMU_VENDOR_INTEL, 6, 0xbe, 0xbe },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xaa, 0xaa, BPMU_CORE_PERFORMANCE },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xac, 0xac, BPMU_CORE_PERFORMANCE },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xb5, 0xb5, BPMU_CORE_PERFORMANCE },
	{ "mtl-e", BPMU_VENDOR_INTEL, 6, 0xaa, 0xaa, BPMU_CORE_EFFICIENT },
	{ "mtl-e", BPMU_VENDOR_INTEL, 6, 0xac, 0xac, BPMU_CORE_EFFICIENT },
	{ "mtl-e", BPMU_VENDOR_INTEL, 6, 0xb5, 0xb5, BPMU_CORE_EFFICIENT },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xaa, 0xaa },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xac, 0xac },
	{ "mtl", BPMU_VENDOR_INTEL, 6, 0xb5, 0xb5 },
	{ "arl", BPMU_VENDOR_INTEL, 6, 0xc5, 0xc5, BPMU_CORE_PERFORMANCE },
	{ "arl", BPMU_VENDOR_INTEL, 6, 0xc6, 0xc6, BPMU_CORE_PERFORMANCE },
	{ "arl", BPMU_VENDOR_INTEL, 6, 0xc5, 0xc5 },
	{ "arl", BPMU_VENDOR_INTEL, 6, 0xc6, 0xc6 },
	{ "arl-e", BPMU_VENDOR_INTEL, 6, 0xc5, 0xc5, BPMU_CORE_EFFICIENT, 3 },
	{ "arl-lp", BPMU_VENDOR_INTEL, 6, 0xc5, 0xc5, BPMU_CORE_EFFICIENT, 2 },
	{ "arl-e", BPMU_VENDOR_INTEL, 6, 0xc6, 0xc6, BPMU_CORE_EFFICIENT },
	{ "lnl", BPMU_VENDOR_INTEL, 6, 0xbd, 0xbd, BPMU_CORE_PERFORMANCE },
	{ "lnl", BPMU_VENDOR_INTEL, 6, 0xbd, 0xbd },
	{ "lnl-e", BPMU_VENDOR_INTEL, 6, 0xbd, 0xbd, BPMU_CORE_EFFICIENT },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xcc, 0xcc, BPMU_CORE_PERFORMANCE },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xd5, 0xd5, BPMU_CORE_PERFORMANCE },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xe5, 0xe5, BPMU_CORE_PERFORMANCE },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xcc, 0xcc },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xd5, 0xd5 },
	{ "ptl", BPMU_VENDOR_INTEL, 6, 0xe5, 0xe5 },
	{ "ptl-e", BPMU_VENDOR_INTEL, 6, 0xcc, 0xcc, BPMU_CORE_EFFICIENT },
	{ "ptl-e", BPMU_VENDOR_INTEL, 6, 0xd5, 0xd5, BPMU_CORE_EFFICIENT },
	{ "ptl-e", BPMU_VENDOR_INTEL, 6, 0xe5, 0xe5, BPMU_CORE_EFFICIENT },
	{ "cnl", BPMU_VENDOR_INTEL, 6, 0x66, 0x66 },
	{ "lkf", BPMU_VENDOR_INTEL, 6, 0x8a, 0x8a, BPMU_CORE_PERFORMANCE },
	{ "lkf-e", BPMU_VENDOR_INTEL, 6, 0x8a, 0x8a, BPMU_CORE_EFFICIENT },
	{ "nvl", BPMU_VENDOR_INTEL, 18, 0x01, 0x01, BPMU_CORE_PERFORMANCE },
	{ "nvl", BPMU_VENDOR_INTEL, 18, 0x03, 0x03, BPMU_CORE_PERFORMANCE },
	{ "nvl", BPMU_VENDOR_INTEL, 18, 0x01, 0x01 },
	{ "nvl", BPMU_VENDOR_INTEL, 18, 0x03, 0x03 },
	{ "nvl-e", BPMU_VENDOR_INTEL, 18, 0x01, 0x01, BPMU_CORE_EFFICIENT },
	{ "nvl-e", BPMU_VENDOR_INTEL, 18, 0x03, 0x03, BPMU_CORE_EFFICIENT },
	{ "dmr", BPMU_VENDOR_INTEL, 19, 0x01, 0x01 },
	{ "knc", BPMU_VENDOR_INTEL, 11, 0x01, 0x01 },
	{ "k10", BPMU_VENDOR_AMD, 0x10, 0x00, 0xff },
	{ "bulldozer", BPMU_VENDOR_AMD, 0x15, 0x00, 0xff },
	{ "jaguar", BPMU_VENDOR_AMD, 0x16, 0x00, 0xff },
	{ "zen1", BPMU_VENDOR_AMD, 0x17, 0x00, 0x2f },
	{ "zen2", BPMU_VENDOR_AMD, 0x17, 0x30, 0x4f },
	{ "zen1", BPMU_VENDOR_AMD, 0x17, 0x50, 0x5f },
	{ "zen2", BPMU_VENDOR_AMD, 0x17, 0x60, 0x8f },
	{ "zen2", BPMU_VENDOR_AMD, 0x17, 0x90, 0x91 },
	{ "zen2", BPMU_VENDOR_AMD, 0x17, 0xa0, 0xaf },
	{ "zen1", BPMU_VENDOR_AMD, 0x18, 0x00, 0xff },
	{ "zen3", BPMU_VENDOR_AMD, 0x19, 0x00, 0x0f },
	{ "zen4", BPMU_VENDOR_AMD, 0x19, 0x10, 0x1f },
	{ "zen3", BPMU_VENDOR_AMD, 0x19, 0x20, 0x5f },
	{ "zen4", BPMU_VENDOR_AMD, 0x19, 0x60, 0xaf },
	{ "zen5", BPMU_VENDOR_AMD, 0x1a, 0x00, 0x2f },
	{ "zen5", BPMU_VENDOR_AMD, 0x1a, 0x40, 0x4f },
	{ "zen6", BPMU_VENDOR_AMD, 0x1a, 0x50, 0x5f },
	{ "zen5", BPMU_VENDOR_AMD, 0x1a, 0x60, 0x7f },
	{ "zen6", BPMU_VENDOR_AMD, 0x1a, 0x80, 0xaf },
	{ "zen6", BPMU_VENDOR_AMD, 0x1a, 0xc0, 0xcf },
	{ "zen5", BPMU_VENDOR_AMD, 0x1a, 0xd0, 0xd7 },
	{ "zen6", BPMU_VENDOR_AMD, 0x1a, 0xd8, 0xef },
};

/*
 * Returns the name that models[] has for this CPU. If models[] does not have the CPU, returns
 * "arch" for a CPU of Intel, and "" for a CPU of another vendor.
 */
static const char *expected(u8 vendor, u8 family, u8 model, u8 core, u8 native)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].vendor == vendor && models[i].family == family &&
		    model >= models[i].first && model <= models[i].last &&
		    models[i].core == core && (!models[i].native || models[i].native == native))
			return models[i].name;
	return vendor == BPMU_VENDOR_INTEL ? "arch" : "";
}

TEST(cpuid_identifies_the_part)
{
	static const u8 families[] = { 5, 6, 10, 11, 12, 15, 0x10, 0x12, 0x13, 0x15, 0x16,
					0x17, 0x18, 0x19, 0x1a, 0x1b };
	static const u8 cores[] = { BPMU_CORE_ANY, BPMU_CORE_EFFICIENT, BPMU_CORE_PERFORMANCE };
	unsigned int at;

	for (at = 0; at < 2 * 5 * 256 * ARRAY_SIZE(cores) * ARRAY_SIZE(families); at++) {
		u8 vendor = at % 2 ? BPMU_VENDOR_AMD : BPMU_VENDOR_INTEL;
		u8 native = at / 2 % 5;
		u8 model = at / 10 % 256;
		u8 core = cores[at / 2560 % ARRAY_SIZE(cores)];
		u8 family = families[at / 2560 / ARRAY_SIZE(cores)];

		assert_string_equal(found(vendor, family, model, core, native),
				    expected(vendor, family, model, core, native));
	}
	assert_string_equal(found(BPMU_VENDOR_INTEL, 6, 0x97, 0x10, 0), "");
	assert_string_equal(found(BPMU_VENDOR_AMD + 1, 6, 0x3a, 0, 0), "");
	assert_null(bpmu_part_by_name("iv"));
	assert_null(bpmu_part_by_name(""));
}

TEST(a_part_has_its_counters_and_widths)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 8);
	struct bpmu_pmu knc = unit_pmu("knc", 0);

	assert_int_equal(bpmu_pmu_counters(&ivb), 0x7000000ffULL);
	assert_int_equal(bpmu_pmu_counters(&knc), 0x3);
	assert_int_equal(bpmu_pmu_width(&ivb, BPMU_FIXED_BASE), 48);
	assert_int_equal(bpmu_pmu_width(&knc, 1), 40);
}

static struct bpmu_pmu pmu_of(const char *part, unsigned int version,
			      unsigned int gp, unsigned int fixed, u8 core)
{
	const struct bpmu_cpuid leaf = {
		.eax = version | gp << 8 | 48 << 16,
		.ecx = (1u << fixed) - 1,
		.edx = fixed | 48 << 5,
	};
	struct bpmu_pmu pmu;

	bpmu_pmu_init(&pmu, bpmu_part_by_name(part), &leaf, core);
	return pmu;
}

#define EXPECT_COUNTERS(pmu, gp, fixed) do { \
	assert_int_equal((pmu).gp_counters, gp); \
	assert_int_equal((pmu).fixed_counters, fixed); \
} while (0)

/* On hybrid CPUs CPUID leaf 0xA reports only the counters that both core types have. */
TEST(core_types_have_their_own_counters)
{
	const u8 small = BPMU_CORE_EFFICIENT, big = BPMU_CORE_PERFORMANCE;

	EXPECT_COUNTERS(pmu_of("adl", 5, 6, 3, big), 8, 4);
	EXPECT_COUNTERS(pmu_of("adl-e", 5, 6, 3, small), 6, 3);
	EXPECT_COUNTERS(pmu_of("adl", 0, 0, 0, big), 0, 0);
	/* If CPUID reports no second core type, leaf 0xA has the counters of the only core type. */
	EXPECT_COUNTERS(pmu_of("adl", 5, 8, 4, BPMU_CORE_ANY), 8, 4);
	EXPECT_COUNTERS(pmu_of("adl", 5, 4, 3, BPMU_CORE_ANY), 4, 3);
	/* Counters 8 and 9 have no MSRs before version 6 of performance monitoring. */
	EXPECT_COUNTERS(pmu_of("lnl", 6, 10, 4, BPMU_CORE_ANY), 10, 4);
	EXPECT_COUNTERS(pmu_of("lnl", 5, 10, 4, BPMU_CORE_ANY), 8, 4);
	EXPECT_COUNTERS(pmu_of("lnl", 6, 8, 3, big), 8, 4);
}

/*
 * CPUID leaf 0xA may contradict the descriptor of the CPU model, in a virtual machine or on another
 * stepping. It may report fewer counters, narrower counters, or more counters. Then CPUID is right.
 * From version 5 on ECX is a bitmap of further fixed counters. Fixed counters above the first
 * missing one are not used.
 */
TEST(cpuid_decides_about_counters)
{
	static const struct {
		const char *part;
		u32 eax, ecx, edx;
		u8 gp, gp_width, fixed, fixed_width;
		u64 counters;
	} all[] = {
		{ "ivb", 0x07300403, 0, 0x603, 4, 48, 3, 48, 0x70000000fULL },
		{ "ivb", 0x07280203, 0, 0, 2, 40, 0, 0, 0x3 },
		{ "ivb", 0x07300103, 0, 0x501, 1, 48, 1, 40, 0x100000001ULL },
		{ "ivb", 0x07300803, 0xff, 0x603, 8, 48, 3, 48, 0x7000000ffULL },
		{ "skl", 0x07300404, 0xff, 0x602, 4, 48, 2, 48, 0x30000000fULL },
		{ "tnt", 0x07300405, 0xf, 0x603, 4, 48, 4, 48, 0xf0000000fULL },
		{ "tnt", 0x07300405, 0x17, 0x602, 4, 48, 3, 48, 0x70000000fULL },
		{ "tnt", 0x07300405, 0xffffffff, 0x600, 4, 48, 16, 48, 0xffff0000000fULL },
		{ "tnt", 0x07300a05, 0, 0x603, 8, 48, 3, 48, 0x7000000ffULL },
		{ "cwf", 0x07300a06, 0, 0x603, 10, 48, 3, 48, 0x7000003ffULL },
		{ "arch", 0x03200201, 0, 0, 2, 32, 0, 0, 0x3 },
	};
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct bpmu_cpuid leaf = {
			.eax = all[i].eax, .ecx = all[i].ecx, .edx = all[i].edx,
		};

		bpmu_pmu_init(&pmu, bpmu_part_by_name(all[i].part), &leaf, BPMU_CORE_ANY);
		assert_int_equal(pmu.version, all[i].eax & 0xff);
		EXPECT_COUNTERS(pmu, all[i].gp, all[i].fixed);
		assert_int_equal(pmu.gp_width, all[i].gp_width);
		assert_int_equal(pmu.fixed_width, all[i].fixed_width);
		assert_true(bpmu_pmu_counters(&pmu) == all[i].counters);
	}
}

/*
 * Bit 0 of EAX of CPUID leaf 0x8000_0022 says that an AMD CPU has version 2 of performance
 * monitoring. From version 2 on the CPU has global registers, and bits 3:0 of EBX are the number of
 * counters.
 */
TEST(amd_s_leaf_decides_about_global_registers)
{
	static const struct {
		const char *part;
		u32 eax, ebx;
		u8 global, version, gp;
	} all[] = {
		{ "zen4", 1, 6, 1, 2, 6 }, { "zen4", 3, 4, 1, 2, 4 }, { "zen5", 1, 0x10, 1, 2, 6 },
		{ "zen4", 2, 4, 0, 0, 6 }, { "zen1", 0, 0, 0, 0, 6 },
	};
	struct bpmu_pmu pmu;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct bpmu_cpuid leaf = { .eax = all[i].eax, .ebx = all[i].ebx };

		memset(&pmu, 0xff, sizeof(pmu));
		bpmu_pmu_init(&pmu, bpmu_part_by_name(all[i].part), &leaf, BPMU_CORE_ANY);
		assert_int_equal(pmu.global, all[i].global);
		assert_int_equal(pmu.version, all[i].version);
		EXPECT_COUNTERS(pmu, all[i].gp, 0);
		assert_int_equal(pmu.gp_width, 48);
	}
}

/*
 * Expected: the time in ns after which the counters must be read. In this time the narrowest
 * counter counts 2^(width - 1) events, at 64 events per TSC tick. The time is at most an hour. A
 * sum over boxes wraps sooner: its width counts as three bits less for eight boxes, and as four
 * bits less for nine boxes.
 */
TEST(the_narrowest_counter_is_read_in_time)
{
	static const struct {
		const char *part;
		u8 gp, fixed, width, cbos;
		u32 khz;
		u64 ns;
	} all[] = {
		{ "tnt", 48, 3, 40, 0, 1000000, 1ULL << 33 },
		{ "tnt", 48, 0, 40, 0, 1000000, 1ULL << 41 },
		{ "tnt", 32, 3, 48, 0, 1000000, 1ULL << 25 },
		{ "tnt", 32, 3, 48, 0, 2000000, 1ULL << 24 },
		{ "ivb", 48, 3, 48, 4, 1000000, 1ULL << 37 },
		{ "ivb", 40, 3, 48, 4, 1000000, 1ULL << 33 },
		{ "jkt", 48, 3, 48, 8, 1000000, 1ULL << 34 },
		{ "jkt", 48, 3, 48, 9, 1000000, 1ULL << 33 },
		{ "jkt", 48, 3, 48, 1, 1000000, 1ULL << 37 },
		{ "tnt", 50, 0, 0, 0, 4000000, 1ULL << 41 },
		{ "tnt", 64, 0, 0, 0, 4000000, 1ULL << 41 },
		{ "tnt", 64, 0, 0, 0, 1000000, 3600000000000 },
		{ "tnt", 28, 0, 0, 0, 0, 1000000ULL << 21 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct bpmu_pmu pmu = {
			.part = bpmu_part_by_name(all[i].part), .gp_width = all[i].gp,
			.fixed_counters = all[i].fixed, .fixed_width = all[i].width,
			.nr = { [BPMU_UNIT_CBO] = all[i].cbos, [BPMU_UNIT_CHA] = all[i].cbos,
				[BPMU_UNIT_IMC] = 4, [BPMU_UNIT_HA] = 1, [BPMU_UNIT_LINK] = 2 },
		};

		assert_true(bpmu_pmu_guard_ns(&pmu, all[i].khz) == all[i].ns);
	}
}
