// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of decan's variants of a loop, of the medians and confidence intervals of their times, and
 * of the verdict. In a variant some instructions of the loop are removed. The verdict says what
 * costs the loop time, if the measured savings show it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/decan/decan.h"
#include "unit.h"

#define BASE 0x401000ULL

/*
 * Disassembly of function[] below, with the hexadecimal offset of each instruction.
 *
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
static unsigned int threads = 1;

static void no_variable(void *data, const struct bpmu_candidate *candidate,
			struct bpmu_array *found)
{
	(void)data;
	(void)candidate;
	(void)found;
}

/* Makes all variants of the loop of these kinds. No variant has a measured time yet. */
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
		.kinds = kinds, .threads = threads,
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

TEST(default_variants_are_each_candidate_each_group_and_three_sums)
{
	static const char *const wanted[] = {
		"original", "f_loop3_ld_0x401000", "f_loop3_ld_0x401005",
		"f_loop3_ld_0x40100b", "f_loop3_st_0x40101e",
		"f_loop3_loads_at_0x401000", "f_loop3_loads",
		"f_loop3_stores", "f_loop3_loads_stores",
	};

	make_variants(BPMU_VARIANT_DEFAULT);
	names(wanted, 9);
	assert_int_equal(decan.variants.variant[5].nr, 2);
	assert_int_equal(decan.variants.variant[6].nr, 3);
	assert_int_equal(decan.variants.variant[7].nr, 1);
	assert_int_equal(decan.variants.variant[8].nr, 4);
	forget();
}

TEST(further_variants_are_made_on_request)
{
	static const char *const wanted[] = {
		"original", "f_loop3_l1_0x401000", "f_loop3_l1_0x401005",
		"f_loop3_l1_0x40100b", "f_loop3_div_0x401010",
		"f_loop3_br_0x401018_fall", "f_loop3_br_0x401018_taken",
		"f_loop3_divides", "f_loop3_fp",
	};
	static const u8 jump[] = { 0xeb, 0x04 };

	make_variants(BPMU_VARIANT_DIVIDES | BPMU_VARIANT_BRANCHES | BPMU_VARIANT_L1 |
	     BPMU_VARIANT_FP);
	names(wanted, 9);
	/*
	 * Variants 1 and 2 each replace a load by a load from the stack, which needs 6 bytes. The
	 * load that variant 1 replaces has only 5 bytes; the load that variant 2 replaces has 6.
	 */
	assert_string_equal(decan.variants.variant[1].skipped,
			    "its replacement is longer");
	assert_null(decan.variants.variant[2].skipped);
	assert_memory_equal(decan.variants.variant[6].edit->bytes, jump, 2);
	assert_true(decan.variants.variant[6].edit->taken);
	/*
	 * The variant without arithmetic changes three instructions: divsd, and two addsd. One
	 * addsd has a memory operand, whose load remains.
	 */
	assert_int_equal(decan.variants.variant[8].nr, 3);
	forget();
}

TEST(variants_are_chosen_by_a_list)
{
	struct bpmu_error err = { };
	unsigned int kinds;

	assert_int_equal(bpmu_variant_kinds_parse("ld,groups,fp", &kinds, &err), 0);
	assert_int_equal(kinds, BPMU_VARIANT_LOAD | BPMU_VARIANT_GROUPS |
				BPMU_VARIANT_FP);
	assert_true(bpmu_variant_kinds_parse("ld,lds", &kinds, &err) < 0);
	assert_non_null(strstr(err.text, "'lds'"));
	assert_true(bpmu_variant_kinds_parse("", &kinds, &err) < 0);
}

TEST(intervals_of_medians_hold_in_95_per_cent)
{
	double eleven[] = { 3, 1, 2, 11, 10, 9, 8, 4, 5, 6, 7 };
	double six[] = { 6, 5, 4, 3, 2, 1 };
	double close[] = { 0.3, 0.1, 0.2 };
	double many[100];
	struct bpmu_interval95 found;
	unsigned int i;

	/*
	 * The 95 % interval of a median reaches from one of the sorted values to another one. The
	 * ranks of these two values are from tables of the sign test: 2 and 10 of 11 values, 1 and
	 * 6 of 6 values.
	 */
	found = bpmu_median(eleven, 11);
	assert_true(found.value == 6 && found.low == 2 && found.high == 10);
	found = bpmu_median(six, 6);
	assert_true(found.value == 3.5 && found.low == 1 && found.high == 6);
	assert_true(bpmu_median(close, 3).value == 0.2);
	/* Ranks 40 and 61 of 100 values, from the same tables of the sign test. */
	for (i = 0; i < 100; i++)
		many[i] = 100 - i;
	found = bpmu_median(many, 100);
	assert_true(found.value == 50.5 && found.low == 40 && found.high == 61);
}

/*
 * Gives the variant with this name faked times of 11 rounds: @cycles in the first round, and in
 * each later round one cycle more than in the round before.
 */
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

TEST(the_verdict_follows_from_the_savings)
{
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

TEST(the_verdict_omits_accesses_that_were_not_removed)
{
	char text[512];

	make_variants(BPMU_VARIANT_STORES);
	took("original", 1100);
	took("f_loop3_stores", 600);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ 100, 90, 110 });
	assert_string_equal(bpmu_decan_verdict(&decan, text),
			    "stores. All stores cost 50 % of the loop.");
	forget();
}

/*
 * Gives the variant with this name faked times of 11 rounds, with a median of @cycles and a 95 %
 * interval from @low to @high. Returns the variant.
 */
static struct bpmu_variant *lies(const char *name, double low, double cycles, double high)
{
	struct bpmu_variant *variant;
	unsigned int i, k;

	for (i = 0; i < decan.variants.nr; i++) {
		variant = &decan.variants.variant[i];
		if (strcmp(variant->name, name))
			continue;
		free(variant->sample);
		variant->ok = true;
		variant->iterations = 10;
		variant->sample = calloc(11, sizeof(double));
		variant->samples = 11;
		for (k = 0; k < 11; k++)
			variant->sample[k] = k < 2 ? low : k < 9 ? cycles : high;
		return variant;
	}
	fail();
	return NULL;
}

/* Makes variants that all take 1000 cycles, as the original loop does. */
static void nothing_is_saved(unsigned int kinds)
{
	unsigned int i;

	make_variants(kinds);
	for (i = 0; i < decan.variants.nr; i++)
		lies(decan.variants.variant[i].name, 1000, 1000, 1000);
}

static void verdict_is(const char *wanted)
{
	char text[512];

	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ });
	assert_string_equal(bpmu_decan_verdict(&decan, text), wanted);
	forget();
}

TEST(a_possible_saving_of_10_per_cent_is_not_called_none)
{
	/*
	 * The verdict ignores savings below 10 %. By this confidence interval the saving is at most
	 * 9.9 %.
	 */
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 901, 1000, 1100);
	verdict_is("not memory. Without its loads and stores the loop takes as long.");
	/*
	 * By this confidence interval the saving may be 10 %, which the verdict would not ignore.
	 */
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 900, 1000, 1100);
	verdict_is("not resolved. What is saved without all loads: -10 to 10 %, not resolved; all stores: 0 %; all of both: 0 %. Use more rounds (-r), or an idle machine.");
	nothing_is_saved(BPMU_VARIANT_STORES);
	lies("f_loop3_stores", 200, 1000, 1300);
	verdict_is("not resolved. What is saved without all stores: -30 to 80 %, not resolved. Use more rounds (-r), or an idle machine.");
	/*
	 * By this confidence interval the saving is between 5 % and 20 %, so it is not known
	 * whether it is above the 10 % that the verdict names.
	 */
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads_stores", 800, 910, 950);
	verdict_is("not resolved. What is saved without all loads: 0 %; all stores: 0 %; all of both: 5 to 20 %, not resolved. Use more rounds (-r), or an idle machine.");
	/* The confidence interval of the original is too wide for any conclusion. */
	nothing_is_saved(BPMU_VARIANT_STORES);
	lies("original", 900, 1000, 1200);
	verdict_is("not resolved. What is saved without all stores: -10 to 20 %, not resolved. Use more rounds (-r), or an idle machine.");
}

TEST(an_unresolved_saving_is_reported)
{
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_stores", 500, 500, 500);
	lies("f_loop3_loads_stores", 500, 500, 500);
	lies("f_loop3_loads", 700, 1000, 1100);
	verdict_is("stores. All stores cost 50 % of the loop, all loads -10 to 30 %, not resolved.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads_stores", 500, 500, 500);
	lies("f_loop3_loads", 700, 1000, 1100);
	verdict_is("loads, stores or both. Without all of them the loop takes 50 % less; without all loads: -10 to 30 %, not resolved; without all stores: 0 %.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads_stores", 500, 500, 500);
	verdict_is("loads and stores together. Without all of them the loop takes 50 % less, without only one of the two it does not.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads_stores", 500, 500, 500);
	lies("f_loop3_loads", 1000, 1000, 1000)->ok = false;
	verdict_is("loads, stores or both. Without all of them the loop takes 50 % less; not all loads, or not all stores, were removed alone.");
}

TEST(the_verdict_can_leave_the_load_open)
{
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 500, 500, 500);
	lies("f_loop3_ld_0x401005", 601, 1000, 1100);
	verdict_is("loads, of no single array. All of them cost 50 % of the loop.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 500, 500, 500);
	lies("f_loop3_ld_0x401005", 599, 1000, 1100);
	verdict_is("loads. All of them cost 50 % of the loop; which of them, is not resolved.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 500, 500, 500);
	lies("f_loop3_loads_at_0x401000", 599, 1000, 1100);
	verdict_is("loads. All of them cost 50 % of the loop; which of them, is not resolved.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 500, 500, 500);
	lies("f_loop3_loads_at_0x401000", 500, 500, 500);
	verdict_is("array at_0x401000. Single loads are cheap, together these 2 are nearly all that loads cost.");
	nothing_is_saved(BPMU_VARIANT_DEFAULT);
	lies("f_loop3_loads", 500, 500, 500);
	lies("f_loop3_loads_at_0x401000", 500, 500, 500);
	lies("f_loop3_ld_0x401005", 599, 1000, 1100);
	verdict_is("array at_0x401000. Single loads are not resolved, together these 2 are nearly all that loads cost.");
	/*
	 * Only variants without all loads and without all stores were measured, so it is not known
	 * which of the loads costs time.
	 */
	nothing_is_saved(BPMU_VARIANT_LOADS | BPMU_VARIANT_STORES);
	lies("f_loop3_loads", 500, 500, 500);
	verdict_is("loads. All of them cost 50 % of the loop; with --kind ld,groups it is seen which.");
}

/*
 * Checks the sentence that compares decan's verdict with that of Top-Down. The original takes 1000
 * cycles. If @low is below 600, the variant without stores takes @low cycles. Otherwise it takes
 * 1000 cycles, and its interval reaches from @low to 1000.
 */
static void agreement_is(double low, bool flagged, const char *wanted)
{
	struct bpmu_metric metric = { .name = (char *)"Memory_Bound" };
	struct bpmu_tree_value value = {
		.value = 0.3, .known = true, .flagged = flagged,
	};
	char text[128];

	nothing_is_saved(BPMU_VARIANT_STORES);
	lies("f_loop3_stores", low, low < 600 ? low : 1000,
	     low < 600 ? low : 1000);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ });
	decan.counting = true;
	decan.session.type.tree.metrics.metric = &metric;
	decan.session.type.tree.metrics.nr = 1;
	decan.session.values = &value;
	assert_string_equal(bpmu_decan_agreement(&decan, text), wanted);
	decan.session = (struct bpmu_decan_session){ };
	forget();
}

TEST(top_down_is_compared_with_resolved_savings)
{
	agreement_is(500, true, "Top-Down: Memory_Bound is 30.0 %, flagged: the two agree.");
	agreement_is(500, false,
		     "Top-Down: Memory_Bound is 30.0 %, not flagged: the two disagree.");
	agreement_is(1000, false,
		     "Top-Down: Memory_Bound is 30.0 %, not flagged: the two agree.");
	agreement_is(700, true,
		     "Top-Down: Memory_Bound is 30.0 %, flagged: the prices are not resolved.");
	agreement_is(700, false,
		     "Top-Down: Memory_Bound is 30.0 %, not flagged: the prices are not resolved.");
}

/*
 * Makes variants that take 1000 cycles each. For the original loop run by two threads at once,
 * fakes times with a median of @cycles and a 95 % interval from @low to @high; both threads had a
 * CPU all the time. Returns the variant that stands for the original loop in two threads.
 */
static struct bpmu_variant *two(double low, double cycles, double high)
{
	struct bpmu_variant *variant;
	unsigned int k;

	nothing_is_saved(BPMU_VARIANT_STORES);
	variant = lies("original_threads2", low, cycles, high);
	variant->shares = calloc(11, sizeof(double));
	for (k = 0; k < 11; k++)
		variant->shares[k] = 1;
	return variant;
}

static void sharing_is(const char *wanted)
{
	char text[512];

	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ });
	assert_string_equal(bpmu_decan_sharing(&decan, text), wanted);
	forget();
}

TEST(threads_are_compared_if_their_ratio_is_resolved)
{
	threads = 2;
	two(900, 1000, 1099);
	sharing_is("Threads: 2 at once take as long as one.");
	two(900, 1000, 1101);
	sharing_is("Threads: not resolved. 2 at once take 0.90 to 1.10 times as long as one; use more rounds (-r), or an idle machine.");
	two(900, 2300, 2500);
	sharing_is("Threads: not resolved. 2 at once take 0.90 to 2.50 times as long as one; use more rounds (-r), or an idle machine.");
	two(2000, 2300, 2500);
	sharing_is("Threads: 2 at once take 2.30 times as long as one, without their stores 1.00 times: they write to the same lines (true or false sharing).");
	two(2000, 2300, 2500);
	lies("f_loop3_stores_threads2", 1900, 2000, 2100);
	sharing_is("Threads: 2 at once take 2.30 times as long as one, without their stores 2.00 times: they contend for bandwidth or a cache.");
	two(2000, 2300, 2500);
	lies("f_loop3_stores_threads2", 900, 1000, 2100);
	sharing_is("Threads: 2 at once take 2.30 times as long as one, without their stores 0.90 to 2.10 times: why, is not resolved.");
	two(2000, 2300, 2500);
	lies("f_loop3_stores_threads2", 1, 1, 1)->ok = false;
	sharing_is("Threads: 2 at once take 2.30 times as long as one; with --kind stores it is seen whether their stores are why.");
	threads = 1;
}

TEST(a_thread_without_cpu_time_allows_no_conclusion)
{
	struct bpmu_variant *variant;
	unsigned int k;

	threads = 2;
	variant = two(900, 1000, 1001);
	for (k = 0; k < 6; k++)
		variant->shares[k] = 0.12;
	sharing_is("Threads: no conclusion, because the other one had a CPU for only 12 % of the time; use 2 CPUs that are otherwise idle.");
	variant = two(900, 1000, 1001);
	for (k = 0; k < 11; k++)
		variant->shares[k] = k < 6 ? 0.5 : 1;
	sharing_is("Threads: 2 at once take as long as one.");
	/*
	 * For the variant without stores one of the threads had a CPU for 0 % of the time, so decan
	 * draws no conclusion from it.
	 */
	two(2000, 2300, 2500);
	variant = lies("f_loop3_stores_threads2", 1000, 1000, 1000);
	variant->shares = calloc(11, sizeof(double));
	sharing_is("Threads: no conclusion, because the other one had a CPU for only 0 % of the time; use 2 CPUs that are otherwise idle.");
	/* The kernel reports no CPU time, so it is not known whether threads waited for a CPU. */
	variant = two(900, 1000, 1001);
	for (k = 0; k < 11; k++)
		variant->shares[k] = NAN;
	sharing_is("Threads: 2 at once take as long as one.");
	threads = 1;
}

TEST(the_cost_of_an_empty_run_is_subtracted)
{
	make_variants(BPMU_VARIANT_DEFAULT);
	took("original", 1100);
	took("f_loop3_loads", 600);
	took("f_loop3_stores", 1105);
	bpmu_variants_judge(&decan.variants, (struct bpmu_interval95){ 100, 90, 110 });
	/*
	 * The times of 11 rounds rise by 1 from round to round, so the median is 5 above the time
	 * of the first round.
	 */
	assert_true(decan.variants.variant[0].cycles.value == 1005);
	assert_true(decan.variants.variant[6].cycles.value == 505);
	assert_true(decan.variants.variant[6].saved == 500);
	assert_true(decan.variants.variant[6].resolved);
	/*
	 * The confidence intervals of the two times, 1101 to 1109 and 1106 to 1114 cycles, overlap.
	 * The difference of -5 is therefore not significant.
	 */
	assert_true(decan.variants.variant[7].saved == -5);
	assert_false(decan.variants.variant[7].resolved);
	forget();
}
