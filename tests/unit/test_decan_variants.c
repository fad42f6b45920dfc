// SPDX-License-Identifier: GPL-2.0
/*
 * Medians and their intervals, which variants there are, and what decan concludes
 * from what they save.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/decan/decan.h"
#include "unit.h"

#define BASE 0x401000ULL

/*
 *	 0 movsd (%rdi,%rcx,8),%xmm0
 *	 5 addsd 8(%rdi,%rcx,8),%xmm0
 *	 b movsd (%rsi,%rcx,8),%xmm1
 *	10 divsd %xmm1,%xmm0
 *	14 ucomisd %xmm2,%xmm0
 *	18 jbe skip
 *	1a addsd %xmm0,%xmm3
 *	1e skip: movsd %xmm0,(%r9,%rcx,8)
 *	24 inc %rcx
 *	27 cmp %r10,%rcx
 *	2a jne 0
 */
static const u8 function[] = {
	0xf2, 0x0f, 0x10, 0x04, 0xcf, 0xf2, 0x0f, 0x58, 0x44, 0xcf, 0x08,
	0xf2, 0x0f, 0x10, 0x0c, 0xce, 0xf2, 0x0f, 0x5e, 0xc1, 0x66, 0x0f,
	0x2e, 0xc2, 0x76, 0x04, 0xf2, 0x0f, 0x58, 0xd8, 0xf2, 0x41, 0x0f,
	0x11, 0x04, 0xc9, 0x48, 0xff, 0xc1, 0x4c, 0x39, 0xd1, 0x75, 0xd4,
	0xc3,
};

static struct bpmu_decan decan;

static void no_variable(void *data, const struct bpmu_candidate *candidate,
			struct bpmu_array *found)
{
	(void)data;
	(void)candidate;
	(void)found;
}

/* all variants of the kinds, none of which has run */
static void make_variants(unsigned int kinds)
{
	struct bpmu_error err = { };

	decan = (struct bpmu_decan){ .unit = "cycles" };
	assert_int_equal(bpmu_code_init(&decan.code, BASE, function,
					sizeof(function), &err), 0);
	assert_int_equal(decan.code.nr_loops, 1);
	decan.target = decan.code.loop;
	assert_int_equal(bpmu_candidates_init(&decan.candidates, &decan.code,
					      decan.target, false, &err), 0);
	decan.candidates.with.slot = -64;
	assert_int_equal(bpmu_candidates_group(&decan.candidates, no_variable,
					       NULL, &err), 0);
	decan.variants = (struct bpmu_variants){
		.function = "f", .loop_id = 3, .code = &decan.code,
		.loop = decan.target, .candidates = &decan.candidates,
		.kinds = kinds,
	};
	assert_int_equal(bpmu_variants_make(&decan.variants, &err), 0);
}

static void forget(void)
{
	bpmu_variants_free(&decan.variants);
	bpmu_candidates_free(&decan.candidates);
	bpmu_code_free(&decan.code);
}

static void names(const char *const *wanted, unsigned int nr)
{
	unsigned int i;

	assert_int_equal(decan.variants.nr, nr);
	for (i = 0; i < nr; i++)
		assert_string_equal(decan.variants.variant[i].name, wanted[i]);
}

static void n_candidates_give_n_and_three_and_the_groups(void **state)
{
	static const char *const wanted[] = {
		"original", "f_loop3_ld_0x401000", "f_loop3_ld_0x401005",
		"f_loop3_ld_0x40100b", "f_loop3_st_0x40101e",
		"f_loop3_loads_at_0x401000", "f_loop3_loads",
		"f_loop3_stores", "f_loop3_loads_stores",
	};

	(void)state;
	make_variants(BPMU_VARIANT_DEFAULT);
	names(wanted, 9);
	assert_int_equal(decan.variants.variant[5].nr, 2);
	assert_int_equal(decan.variants.variant[6].nr, 3);
	assert_int_equal(decan.variants.variant[7].nr, 1);
	assert_int_equal(decan.variants.variant[8].nr, 4);
	forget();
}

static void further_kinds_are_made_if_asked_for(void **state)
{
	static const char *const wanted[] = {
		"original", "f_loop3_l1_0x401000", "f_loop3_l1_0x401005",
		"f_loop3_l1_0x40100b", "f_loop3_div_0x401010",
		"f_loop3_br_0x401018_fall", "f_loop3_br_0x401018_taken",
		"f_loop3_divides", "f_loop3_fp",
	};
	static const u8 jump[] = { 0xeb, 0x04 };

	(void)state;
	make_variants(BPMU_VARIANT_DIVIDES | BPMU_VARIANT_BRANCHES | BPMU_VARIANT_L1 |
	     BPMU_VARIANT_FP);
	names(wanted, 9);
	/* 5 bytes are too few for an operand on the stack, 6 are not */
	assert_string_equal(decan.variants.variant[1].skipped,
			    "its replacement is longer");
	assert_null(decan.variants.variant[2].skipped);
	assert_memory_equal(decan.variants.variant[6].edit->bytes, jump, 2);
	assert_true(decan.variants.variant[6].edit->taken);
	/* divsd, two addsd: one of them keeps its load */
	assert_int_equal(decan.variants.variant[8].nr, 3);
	forget();
}

static void kinds_are_read_from_a_list(void **state)
{
	struct bpmu_error err = { };
	unsigned int kinds;

	(void)state;
	assert_int_equal(bpmu_variant_kinds_parse("ld,groups,fp", &kinds, &err), 0);
	assert_int_equal(kinds, BPMU_VARIANT_LOAD | BPMU_VARIANT_GROUPS |
				BPMU_VARIANT_FP);
	assert_true(bpmu_variant_kinds_parse("ld,lds", &kinds, &err) < 0);
	assert_non_null(strstr(err.text, "'lds'"));
	assert_true(bpmu_variant_kinds_parse("", &kinds, &err) < 0);
}

static void medians_hold_in_19_of_20_cases(void **state)
{
	double eleven[] = { 3, 1, 2, 11, 10, 9, 8, 4, 5, 6, 7 };
	double six[] = { 6, 5, 4, 3, 2, 1 };
	double many[100];
	struct bpmu_interval95 found;
	unsigned int i;

	(void)state;
	/* tables of the sign test: ranks 2 and 10 of 11, 1 and 6 of 6 */
	found = bpmu_median(eleven, 11);
	assert_true(found.value == 6 && found.low == 2 && found.high == 10);
	found = bpmu_median(six, 6);
	assert_true(found.value == 3.5 && found.low == 1 && found.high == 6);
	/* 40 and 61 of 100 */
	for (i = 0; i < 100; i++)
		many[i] = 100 - i;
	found = bpmu_median(many, 100);
	assert_true(found.value == 50.5 && found.low == 40 && found.high == 61);
}

/* a variant that took so many cycles in each round */
static void took(const char *name, double cycles)
{
	struct bpmu_variant *variant;
	unsigned int i, k;

	for (i = 0; i < decan.variants.nr; i++) {
		variant = &decan.variants.variant[i];
		if (strcmp(variant->name, name))
			continue;
		variant->ok = true;
		variant->iterations = 10;
		variant->sample = calloc(11, sizeof(double));
		variant->samples = 11;
		for (k = 0; k < 11; k++)
			variant->sample[k] = cycles + k;
		return;
	}
	fail();
}

static void concludes(double ld0, double ld5, double ldb, double st,
		      double group, double loads, double stores, double both,
		      const char *wanted)
{
	char text[512];

	make_variants(BPMU_VARIANT_DEFAULT);
	took("original", 1100);
	took("f_loop3_ld_0x401000", ld0);
	took("f_loop3_ld_0x401005", ld5);
	took("f_loop3_ld_0x40100b", ldb);
	took("f_loop3_st_0x40101e", st);
	took("f_loop3_loads_at_0x401000", group);
	took("f_loop3_loads", loads);
	took("f_loop3_stores", stores);
	took("f_loop3_loads_stores", both);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ 100, 90, 110 });
	assert_non_null(strstr(bpmu_decan_verdict(&decan, text), wanted));
	forget();
}

static void the_verdict_follows_from_what_is_saved(void **state)
{
	(void)state;
	concludes(1100, 1100, 1100, 1100, 1100, 1100, 1100, 1100, "not memory");
	concludes(1000, 1050, 1100, 500, 900, 500, 500, 500,
		  "load-store conflict");
	concludes(1050, 1050, 1100, 1090, 520, 500, 1090, 500,
		  "array at_0x401000");
	concludes(1100, 1100, 520, 1100, 1100, 500, 1100, 500, "one load");
	concludes(1000, 1000, 1000, 1100, 900, 500, 1100, 500,
		  "loads, of no single array");
	concludes(1100, 1100, 1100, 600, 1100, 1100, 600, 600,
		  "stores. All stores cost 50 % of the loop, all loads 0 %.");
	concludes(1100, 1100, 1100, 1100, 1100, 1100, 1100, 600,
		  "loads and stores together. Without all of them the loop takes 50 % less,");
}

static void what_was_not_removed_has_no_price(void **state)
{
	char text[512];

	(void)state;
	make_variants(BPMU_VARIANT_STORES);
	took("original", 1100);
	took("f_loop3_stores", 600);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ 100, 90, 110 });
	assert_string_equal(bpmu_decan_verdict(&decan, text),
			    "stores. All stores cost 50 % of the loop.");
	forget();
}

static void the_brackets_are_taken_off(void **state)
{
	(void)state;
	make_variants(BPMU_VARIANT_DEFAULT);
	took("original", 1100);
	took("f_loop3_loads", 600);
	took("f_loop3_stores", 1105);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ 100, 90, 110 });
	/* the middle of 11 rounds is 5 above the first */
	assert_true(decan.variants.variant[0].cycles.value == 1005);
	assert_true(decan.variants.variant[6].cycles.value == 505);
	assert_true(decan.variants.variant[6].saved == 500);
	assert_true(decan.variants.variant[6].resolved);
	/* 1101 to 1109 and 1106 to 1114 overlap */
	assert_true(decan.variants.variant[7].saved == -5);
	assert_false(decan.variants.variant[7].resolved);
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(n_candidates_give_n_and_three_and_the_groups),
		cmocka_unit_test(further_kinds_are_made_if_asked_for),
		cmocka_unit_test(kinds_are_read_from_a_list),
		cmocka_unit_test(medians_hold_in_19_of_20_cases),
		cmocka_unit_test(the_verdict_follows_from_what_is_saved),
		cmocka_unit_test(what_was_not_removed_has_no_price),
		cmocka_unit_test(the_brackets_are_taken_off),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("decan_variants", tests, NULL, NULL);
}
