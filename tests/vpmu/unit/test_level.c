// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the level of instrumentation, which only rises, of why the core of a vCPU is simulated,
 * and of the registers of a vCPU. The first test sees all levels.
 */
#include "machine.h"

#include "machine/regs.h"

TEST(the_level_rises_and_never_falls)
{
	machine_new(&vpmu_ivb, 2, 1);
	machine_retranslated = 0;
	assert_int_equal(vpmu_level(), VPMU_LEVEL_NOTHING);
	assert_false(vpmu_level_coming());
	assert_false(vpmu_watched());
	vpmu_options.no_model = true;
	vpmu_model_wanted(vpmu_cpus, VPMU_FOR_CORE);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_NOTHING);
	assert_int_equal(vpmu_cpus->score->model_on, 0);
	vpmu_options.no_model = false;

	vpmu_exact_wanted();
	assert_int_equal(vpmu_level(), VPMU_LEVEL_EXACT);
	assert_int_equal(machine_retranslated, 1);
	assert_true(vpmu_level_coming());
	vpmu_level_came();
	assert_false(vpmu_level_coming());
	vpmu_exact_wanted();
	assert_int_equal(machine_retranslated, 1);
	assert_false(vpmu_level_coming());

	vpmu_watch_wanted();
	assert_true(vpmu_watched());
	assert_true(vpmu_level_coming());
	assert_int_equal(machine_retranslated, 2);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_EXACT);
	vpmu_level_came();
	vpmu_watch_wanted();
	assert_int_equal(machine_retranslated, 2);
	assert_false(vpmu_level_coming());

	vpmu_model_wanted(&vpmu_cpus[1], VPMU_FOR_IBS);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_MODEL);
	assert_int_equal(machine_retranslated, 3);
	assert_true(vpmu_level_coming());
	vpmu_level_came();
	vpmu_exact_wanted();
	vpmu_model_wanted(vpmu_cpus, VPMU_FOR_CORE);
	assert_int_equal(vpmu_level(), VPMU_LEVEL_MODEL);
	assert_int_equal(machine_retranslated, 3);
	assert_false(vpmu_level_coming());
}

/* A core lingers once nothing needs it, if something has needed it. */
TEST(a_core_is_simulated_for_each_reason)
{
	const uint64_t *first, *second;

	machine_new(&vpmu_ivb, 2, 1);
	first = &vpmu_cpus[0].score->model_on;
	second = &vpmu_cpus[1].score->model_on;
	vpmu_model_wanted(&vpmu_cpus[1], VPMU_FOR_IBS);
	vpmu_model_wanted(&vpmu_cpus[1], VPMU_FOR_BRANCHES);
	assert_int_equal(*first, 0);
	assert_int_equal(*second, VPMU_FOR_IBS | VPMU_FOR_BRANCHES);
	vpmu_model_unwanted(&vpmu_cpus[1], VPMU_FOR_CORE);
	assert_int_equal(*second, VPMU_FOR_IBS | VPMU_FOR_BRANCHES);
	vpmu_model_unwanted(&vpmu_cpus[1], VPMU_FOR_IBS);
	assert_int_equal(*second, VPMU_FOR_BRANCHES | VPMU_LINGERS);
	vpmu_model_unwanted(&vpmu_cpus[0], VPMU_FOR_IBS);
	assert_int_equal(*first, 0);
	vpmu_model_all(VPMU_FOR_UNCORE, true);
	assert_int_equal(*first, VPMU_FOR_UNCORE);
	assert_int_equal(*second, VPMU_FOR_BRANCHES | VPMU_LINGERS | VPMU_FOR_UNCORE);
	vpmu_model_all(VPMU_FOR_UNCORE, false);
	assert_int_equal(*first, VPMU_LINGERS);
	assert_int_equal(*second, VPMU_FOR_BRANCHES | VPMU_LINGERS);
}

/* Each register is the one of its name in QEMU. What a register is too short for is 0. */
TEST(registers_are_those_of_their_names)
{
	uint8_t bytes[16];
	unsigned int i;

	machine_new(&vpmu_ivb, 1, 1);
	for (i = 0; i < VPMU_REGS; i++)
		machine_regs[i] = 0x1122334455667700 + i;
	for (i = 0; i < VPMU_REGS; i++)
		assert_int_equal(vpmu_reg_read(i), 0x1122334455667700 + i);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0xee;
	vpmu_reg_copy(VPMU_XMM0 + 1, bytes, sizeof(bytes));
	assert_int_equal(bytes[0], VPMU_XMM0 + 1);
	assert_int_equal(bytes[7], 0x11);
	assert_int_equal(bytes[8], 0);
	assert_int_equal(bytes[15], 0);
	bytes[2] = 0xee;
	vpmu_reg_copy(VPMU_RBX, bytes, 2);
	assert_int_equal(bytes[0], VPMU_RBX);
	assert_int_equal(bytes[1], 0x77);
	assert_int_equal(bytes[2], 0xee);
	vpmu_reg_write(VPMU_RIP - 1, 0xfedcba9876543210);
	assert_int_equal(machine_regs[VPMU_RIP - 1], 0xfedcba9876543210);
	vpmu_reg_write_pair(0x8899aabbccddeeff);
	assert_int_equal(machine_regs[VPMU_RAX], 0xccddeeff);
	assert_int_equal(machine_regs[VPMU_RDX], 0x8899aabb);
	assert_int_equal(machine_regs[VPMU_RCX], 0x1122334455667700 + VPMU_RCX);
}

TEST_GROUP(NULL, machine_free);
