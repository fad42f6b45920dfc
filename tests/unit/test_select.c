// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "array.h"
#include "intel.h"
#include "unit.h"

#define CODE 0x01c2
#define RINGS (BPMU_SEL_USR | BPMU_SEL_OS)

static void test_legal(void **state)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	u64 all = CODE | RINGS | BPMU_SEL_EDGE | BPMU_SEL_ANY | BPMU_SEL_INV |
		  BPMU_SEL_CMASK;

	(void)state;
	assert_int_equal(bpmu_select_illegal(&ivb, 0, all), 0);
	assert_int_equal(bpmu_select_illegal(&ivb, BPMU_FIXED_BASE,
					     RINGS | BPMU_SEL_ANY), 0);
}

static void test_illegal(void **state)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	static const u64 bits[] = {
		BPMU_SEL_INT, BPMU_SEL_PC, BPMU_SEL_EN, 1ULL << 32, 1ULL << 63
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bits); i++)
		assert_int_equal(bpmu_select_illegal(&ivb, 0, CODE | bits[i]),
				 bits[i]);
}

static void test_any_thread_of_knc(void **state)
{
	struct bpmu_pmu knc = unit_pmu("knc", 4);

	(void)state;
	assert_int_equal(bpmu_select_illegal(&knc, 0, BPMU_SEL_ANY),
			 BPMU_SEL_ANY);
	assert_int_equal(bpmu_select_illegal(&knc, 0, RINGS), 0);
}

static void test_fixed_has_no_filters(void **state)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 4);
	u64 cmask = 2ULL << BPMU_SEL_CMASK_SHIFT;

	(void)state;
	assert_int_equal(bpmu_select_illegal(&ivb, BPMU_FIXED_BASE + 1,
					     RINGS | cmask | BPMU_SEL_EDGE),
			 cmask | BPMU_SEL_EDGE);
}

static void test_bit_names(void **state)
{
	(void)state;
	assert_string_equal(bpmu_select_bit_name(0), "event");
	assert_string_equal(bpmu_select_bit_name(15), "umask");
	assert_non_null(strstr(bpmu_select_bit_name(16), "USR"));
	assert_non_null(strstr(bpmu_select_bit_name(17), "OS"));
	assert_non_null(strstr(bpmu_select_bit_name(18), "edge"));
	assert_non_null(strstr(bpmu_select_bit_name(19), "PC"));
	assert_non_null(strstr(bpmu_select_bit_name(20), "INT"));
	assert_non_null(strstr(bpmu_select_bit_name(21), "ANY"));
	assert_non_null(strstr(bpmu_select_bit_name(22), "EN"));
	assert_non_null(strstr(bpmu_select_bit_name(23), "INV"));
	assert_non_null(strstr(bpmu_select_bit_name(31), "CMASK"));
	assert_string_equal(bpmu_select_bit_name(32), "reserved");
}

static void test_fixed_ctrl(void **state)
{
	(void)state;
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE, BPMU_SEL_USR), 0x2);
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE + 1, RINGS), 0x30);
	assert_int_equal(bpmu_fixed_ctrl(BPMU_FIXED_BASE + 2,
					 BPMU_SEL_OS | BPMU_SEL_ANY), 0x500);
}

static const char *found(u8 vendor, u8 family, u8 model, u8 core)
{
	const struct bpmu_part *part;

	part = bpmu_part_find(vendor, family, model, core);
	return part ? part->name : "";
}

static void test_models(void **state)
{
	(void)state;
	assert_string_equal(found(BPMU_VENDOR_INTEL, 6, 58, 0), "ivb");
	assert_string_equal(found(BPMU_VENDOR_INTEL, 6, 62, 0), "ivt");
	assert_string_equal(found(BPMU_VENDOR_INTEL, 11, 1, 0), "knc");
	assert_string_equal(found(BPMU_VENDOR_INTEL, 6, 0x97,
				  BPMU_CORE_EFFICIENT), "adl-e");
	assert_string_equal(found(BPMU_VENDOR_INTEL, 6, 0x97,
				  BPMU_CORE_PERFORMANCE), "adl");
	assert_string_equal(found(BPMU_VENDOR_INTEL, 19, 1, 0), "arch");
	assert_string_equal(found(BPMU_VENDOR_AMD, 0x19, 0x21, 0), "zen3");
	assert_string_equal(found(BPMU_VENDOR_AMD, 0x19, 0x61, 0), "zen4");
	assert_string_equal(found(BPMU_VENDOR_AMD, 6, 58, 0), "");
	assert_null(bpmu_part_by_name("iv"));
	assert_null(bpmu_part_by_name(""));
}

static void test_counters(void **state)
{
	struct bpmu_pmu ivb = unit_pmu("ivb", 8);
	struct bpmu_pmu knc = unit_pmu("knc", 0);

	(void)state;
	assert_int_equal(bpmu_pmu_counters(&ivb), 0x7000000ffULL);
	assert_int_equal(bpmu_pmu_counters(&knc), 0x3);
	assert_int_equal(bpmu_pmu_width(&ivb, BPMU_FIXED_BASE), 48);
	assert_int_equal(bpmu_pmu_width(&knc, 1), 40);
}

/* CPUID leaf 0xA of either kind of cores: what both have */
static void test_hybrid(void **state)
{
	const struct bpmu_cpuid both = {
		.eax = 5 | 6 << 8 | 48 << 16, .ecx = 7, .edx = 3 | 48 << 5,
	};
	const struct bpmu_cpuid hidden = { .eax = 0 };
	struct bpmu_pmu pmu;

	(void)state;
	bpmu_pmu_init(&pmu, bpmu_part_by_name("adl"), &both);
	assert_int_equal(pmu.gp_counters, 8);
	assert_int_equal(pmu.fixed_counters, 4);
	bpmu_pmu_init(&pmu, bpmu_part_by_name("adl-e"), &both);
	assert_int_equal(pmu.gp_counters, 6);
	assert_int_equal(pmu.fixed_counters, 3);
	bpmu_pmu_init(&pmu, bpmu_part_by_name("adl"), &hidden);
	assert_int_equal(pmu.gp_counters, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_legal),
		cmocka_unit_test(test_illegal),
		cmocka_unit_test(test_any_thread_of_knc),
		cmocka_unit_test(test_fixed_has_no_filters),
		cmocka_unit_test(test_bit_names),
		cmocka_unit_test(test_fixed_ctrl),
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_hybrid),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
