// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of last branch records (LBR): CPUID and the format in IA32_PERF_CAPABILITIES tell which
 * records there are, and each format is decoded. Bits are those of the SDM, Vol. 3, 17.4.8 and
 * chapter "Last Branch Records", and of Linux, arch/x86/events/intel/lbr.c.
 */
#include <linux/barepmu.h>

#include "base/array.h"
#include "intel.h"
#include "lbr.h"
#include "unit.h"

static const struct bpmu_cpuid none;

static struct bpmu_lbr probed(const char *part, u64 capabilities, const struct bpmu_cpuid *leaf)
{
	struct bpmu_lbr lbr;

	bpmu_lbr_probe(&lbr, bpmu_part_by_name(part), capabilities, leaf);
	return lbr;
}

/*
 * Formats 3 to 7 are in the lowest six bits. The other bits, here bit 13, belong to other features.
 */
TEST(a_part_has_its_number_of_records_if_it_shows_a_format)
{
	assert_int_equal(probed("ivb", 0x2003, &none).depth, 16);
	assert_int_equal(probed("bdw", 0x2004, &none).depth, 16);
	assert_int_equal(probed("skl", 0x2005, &none).depth, 32);
	assert_int_equal(probed("glm", 0x2006, &none).depth, 32);
	assert_int_equal(probed("icx", 0x2007, &none).depth, 32);
	assert_int_equal(probed("knl", 0x2003, &none).depth, 8);
	assert_int_equal(probed("skl", 0x2000, &none).depth, 0);
	assert_int_equal(probed("skl", 0x2008, &none).depth, 0);
	assert_int_equal(probed("skl", 0x203f, &none).depth, 0);
	assert_int_equal(probed("zen4", 5, &none).depth, 0);
	assert_int_equal(probed("arch", 5, &none).depth, 0);
}

/* Depths are those of intel_pmu_lbr_init_nhm(), _snb(), _hsw(), _skl() and _knl() of Linux. */
TEST(each_part_has_its_depth)
{
	static const char *const deep[] = {
		"skl", "skx", "icl", "icx", "tgl", "rkl", "glm", "glp", "tnt",
	};
	static const char *const shallow[] = {
		"nhm", "nhm-ex", "wsm", "wsm-ep", "wsm-ex", "snb", "jkt", "ivb", "ivt", "hsw", "hsx",
		"bdw", "bdx",
	};
	const struct bpmu_part *part;
	unsigned int i, k, nr = 0;

	for (i = 0; i < ARRAY_SIZE(deep); i++)
		assert_int_equal(probed(deep[i], 5, &none).depth, 32);
	for (i = 0; i < ARRAY_SIZE(shallow); i++)
		assert_int_equal(probed(shallow[i], 3, &none).depth, 16);
	for (k = 0; (part = bpmu_part_at(k)); k++)
		nr += probed(part->name, 3, &none).depth > 0;
	assert_int_equal(nr, ARRAY_SIZE(deep) + ARRAY_SIZE(shallow) + 1);
}

/* CPUID.1CH: bit k of EAX stands for a depth of 8 (k + 1); bits 0 and 1 of EBX are the filters. */
TEST(architectural_records_have_the_largest_depth_up_to_32)
{
	const struct bpmu_cpuid usual = { 0x0b, 3, 7, 0 }, more = { 0x8b, 3, 6, 0 };
	const struct bpmu_cpuid few = { 0x01, 3, 7, 0 }, unfiltered = { 0x0b, 2, 7, 0 };
	struct bpmu_lbr lbr = probed("spr", 0x203f, &usual);

	assert_int_equal(lbr.format, BPMU_LBR_ARCH);
	assert_int_equal(lbr.depth, 32);
	assert_true(lbr.predictions);
	lbr = probed("spr", 0, &more);
	assert_int_equal(lbr.depth, 32);
	assert_false(lbr.predictions);
	assert_int_equal(probed("spr", 0, &few).depth, 8);
	assert_int_equal(probed("spr", 0, &unfiltered).depth, 0);
}

/* Haswell's format and later ones have call stacks; architectural records if bit 2 of EBX is 1. */
TEST(records_can_be_a_call_stack_from_haswell_on)
{
	const struct bpmu_cpuid with = { 0x0b, 7, 7, 0 }, without = { 0x0b, 3, 7, 0 };

	assert_false(probed("ivb", 0x2003, &none).calls);
	assert_false(probed("knl", 0x2003, &none).calls);
	assert_true(probed("hsw", 0x2004, &none).calls);
	assert_true(probed("skl", 0x2005, &none).calls);
	assert_true(probed("icx", 0x2007, &none).calls);
	assert_true(probed("spr", 0, &with).calls);
	assert_false(probed("spr", 0, &without).calls);
}

/* MSR addresses from SDM Vol. 4 and from Linux, msr-index.h. */
TEST(formats_have_their_registers)
{
	static const struct {
		enum bpmu_lbr_format format;
		struct bpmu_lbr_msrs msrs;
	} all[] = {
		{ BPMU_LBR_FLAGS, { .from = 0x680, .to = 0x6c0, .newest = 0x1c9, .filter = 0x1c8 } },
		{ BPMU_LBR_INFO, { .from = 0x680, .to = 0x6c0, .info = 0xdc0, .newest = 0x1c9,
				   .filter = 0x1c8 } },
		{ BPMU_LBR_ARCH, { .from = 0x1500, .to = 0x1600, .info = 0x1200, .filter = 0x14ce,
				   .depth = 0x14cf } },
	};
	const struct bpmu_lbr_msrs *msrs;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		msrs = bpmu_lbr_msrs(&(struct bpmu_lbr){ .format = all[i].format });
		assert_int_equal(msrs->from, all[i].msrs.from);
		assert_int_equal(msrs->to, all[i].msrs.to);
		assert_int_equal(msrs->info, all[i].msrs.info);
		assert_int_equal(msrs->newest, all[i].msrs.newest);
		assert_int_equal(msrs->filter, all[i].msrs.filter);
		assert_int_equal(msrs->depth, all[i].msrs.depth);
	}
}

/*
 * In MSR_LBR_SELECT bit 0 suppresses branches that end in ring 0, and bit 1 those that end in other
 * rings. In IA32_LBR_CTL bit 1 allows branches that end in ring 0, and bit 2 those that end in
 * other rings.
 */
TEST(filters_are_by_privilege_level)
{
	const struct bpmu_lbr arch = { .format = BPMU_LBR_ARCH }, info = { .format = BPMU_LBR_INFO };

	assert_int_equal(bpmu_lbr_filter(&info, BPMU_SEL_USR), 1);
	assert_int_equal(bpmu_lbr_filter(&info, BPMU_SEL_OS), 2);
	assert_int_equal(bpmu_lbr_filter(&info, BPMU_SEL_OS | BPMU_SEL_USR), 0);
	assert_int_equal(bpmu_lbr_filter(&arch, BPMU_SEL_USR), 0x7f0005);
	assert_int_equal(bpmu_lbr_filter(&arch, BPMU_SEL_OS), 0x7f0003);
}

/*
 * In call-stack mode only calls and returns in user space are recorded: bits 3 to 5 of
 * MSR_LBR_SELECT, which would suppress them, are 0, and bits 19 to 21 of IA32_LBR_CTL are 1.
 */
TEST(a_call_stack_has_calls_and_returns)
{
	const struct bpmu_lbr arch = { .format = BPMU_LBR_ARCH }, info = { .format = BPMU_LBR_INFO };

	assert_int_equal(bpmu_lbr_calls(&info), 0x3c5);
	assert_int_equal(bpmu_lbr_calls(&arch), 0x38000d);
}

/*
 * Decodes a branch record, which is in three MSRs. @branch has the values of the two MSRs with
 * addresses, and @info has the value of the third MSR. The result must be @expected.
 */
static void decode(unsigned int format, struct bpmu_branch branch, u64 info,
		   struct bpmu_branch expected)
{
	const struct bpmu_lbr lbr = { .format = format, .predictions = 1 };

	bpmu_lbr_decode(&lbr, info, &branch);
	assert_int_equal(branch.from, expected.from);
	assert_int_equal(branch.to, expected.to);
	assert_int_equal(branch.flags, expected.flags);
	if (expected.flags & BPMU_BRANCH_CYCLES)
		assert_int_equal(branch.cycles, expected.cycles);
}

#define KERNEL_AT 0xffffffff81000010ULL
#define USER_AT 0x401000ULL
#define BIT(n) (1ULL << (n))

TEST(flags_in_the_address_are_taken_out_of_it)
{
	decode(BPMU_LBR_FLAGS, (struct bpmu_branch){ USER_AT | BIT(63), KERNEL_AT }, 0,
	       (struct bpmu_branch){ USER_AT, KERNEL_AT, BPMU_BRANCH_MISPREDICTED });
	decode(BPMU_LBR_FLAGS, (struct bpmu_branch){ KERNEL_AT & ~BIT(63), USER_AT }, 0,
	       (struct bpmu_branch){ KERNEL_AT, USER_AT, BPMU_BRANCH_PREDICTED });
	decode(BPMU_LBR_TX_FLAGS, (struct bpmu_branch){ USER_AT | BIT(62) | BIT(61), USER_AT }, 0,
	       (struct bpmu_branch){ USER_AT, USER_AT, BPMU_BRANCH_PREDICTED | BPMU_BRANCH_IN_TX |
						       BPMU_BRANCH_ABORT });
	decode(BPMU_LBR_TX_FLAGS, (struct bpmu_branch){ KERNEL_AT & ~(7ULL << 61), USER_AT }, 0,
	       (struct bpmu_branch){ KERNEL_AT, USER_AT, BPMU_BRANCH_PREDICTED });
}

TEST(cycles_in_the_target_are_taken_out_of_it)
{
	decode(BPMU_LBR_TIME,
	       (struct bpmu_branch){ USER_AT, (KERNEL_AT & 0xffffffffffffULL) | 77ULL << 48 }, 0,
	       (struct bpmu_branch){ USER_AT, KERNEL_AT,
				     BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES, 77 });
}

TEST(information_has_a_register_of_its_own)
{
	const struct bpmu_branch raw = { KERNEL_AT, USER_AT };

	decode(BPMU_LBR_INFO, raw, BIT(63) | BIT(62) | 0xffff,
	       (struct bpmu_branch){ KERNEL_AT, USER_AT,
				     BPMU_BRANCH_MISPREDICTED | BPMU_BRANCH_IN_TX |
				     BPMU_BRANCH_CYCLES, 0xffff });
	decode(BPMU_LBR_INFO_NO_TX, raw, BIT(62) | BIT(61) | 5,
	       (struct bpmu_branch){ KERNEL_AT, USER_AT,
				     BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES, 5 });
}

/*
 * In an architectural record, bit 60 of IA32_LBR_x_INFO says that its cycles are valid, and bits
 * 59:56 are the type of the branch.
 */
TEST(architectural_records_say_if_cycles_are_valid)
{
	const struct bpmu_branch raw = { USER_AT, USER_AT };

	decode(BPMU_LBR_ARCH, raw, BIT(60) | 5ULL << 56 | 9,
	       (struct bpmu_branch){ USER_AT, USER_AT, BPMU_BRANCH_PREDICTED | BPMU_BRANCH_CYCLES,
				     9 });
	decode(BPMU_LBR_ARCH, raw, BIT(63) | BIT(61) | 9,
	       (struct bpmu_branch){ USER_AT, USER_AT, BPMU_BRANCH_MISPREDICTED |
						       BPMU_BRANCH_ABORT });
}

TEST(a_cpu_that_does_not_tell_predictions_has_neither_flag)
{
	const struct bpmu_lbr lbr = { .format = BPMU_LBR_ARCH };
	struct bpmu_branch branch = { USER_AT, USER_AT };

	bpmu_lbr_decode(&lbr, BIT(63), &branch);
	assert_int_equal(branch.flags, 0);
}
