// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how the module uses branch records (LBR), on made-up registers: those whose newest
 * record a register numbers, as on Skylake, and architectural ones. The source of the module is
 * compiled unchanged.
 */
#include "kernel/module.h"

#include "bank.h"

#include "../../kmod/bank/branches.c"

#include "kernel/registers.h"

#define DEPTH 4
#define FROM 0x680
#define TO 0x6c0
#define INFO 0xdc0
#define NEWEST 0x1c9
#define FILTER 0x1c8
#define DEBUGCTL 0x1d9
#define OVF 0x390
#define ARCH_FROM 0x1500
#define ARCH_TO 0x1600
#define ARCH_INFO 0x1200
#define ARCH_CTL 0x14ce
#define ARCH_DEPTH 0x14cf

struct task_struct *unit_current;

static struct bpmu_part part;
static struct bpmu_pmu pmu;
static struct bpmu_branches branches;
static struct bpmu_pebs pebs;
static struct bpmu_plan_group group;
static struct bpmu_bank bank;

/* Begins with records 0 to 3, of which 1 is the newest, and 2 was never written. */
TEST_FIXTURE(setup)
{
	u32 i;

	forget_registers();
	for (i = 0; i < DEPTH; i++) {
		put(0, FROM + i, i == 2 ? 0 : 0x1000 + i);
		put(0, TO + i, 0x2000 + i);
		put(0, INFO + i, 0x10 + i);
		put(0, ARCH_FROM + i, i == 3 ? 0 : 0x1000 + i);
		put(0, ARCH_TO + i, 0x2000 + i);
		put(0, ARCH_INFO + i, 0x10 + i);
	}
	put(0, NEWEST, 1);
	put(0, FILTER, 0x7);
	put(0, DEBUGCTL, 0x4000);
	put(0, OVF, 0);
	put(0, ARCH_CTL, 0x70);
	put(0, ARCH_DEPTH, 32);
	part = (struct bpmu_part){ .msrs.global_ovf = OVF };
	pmu = (struct bpmu_pmu){
		.part = &part, .version = 4,
		.lbr = { .format = BPMU_LBR_INFO, .depth = DEPTH, .calls = 1 },
	};
	memset(&branches, 0, sizeof(branches));
	memset(&pebs, 0, sizeof(pebs));
	memset(&group, 0, sizeof(group));
	pebs.batch = 1;
	group.nr = 2;
	group.event[0].select = BPMU_SEL_OS;
	group.event[1].select = BPMU_SEL_USR;
	group.event[1].period = 100;
	bank = (struct bpmu_bank){
		.pmu = &pmu, .branches = &branches, .pebs = &pebs, .group = &group,
	};
	unit_current = (void *)0x10;
	return 0;
}

#define LBR(name) TEST_BETWEEN(name, setup, NULL)

#define CLEARED "680=0 681=0 682=0 683=0 "

LBR(an_agent_that_records_is_seen)
{
	assert_false(bpmu_branches_recorded(&pmu));
	put(0, DEBUGCTL, 1);
	assert_true(bpmu_branches_recorded(&pmu));
	put(0, DEBUGCTL, 0x800);
	assert_false(bpmu_branches_recorded(&pmu));
	pmu.lbr.format = BPMU_LBR_ARCH;
	put(0, ARCH_CTL, 1);
	assert_true(bpmu_branches_recorded(&pmu));
	pmu.lbr.depth = 0;
	assert_false(bpmu_branches_recorded(&pmu));
	pmu.lbr.depth = DEPTH;
	register_at(0, ARCH_CTL)->number = 0xdead;
	assert_false(bpmu_branches_recorded(&pmu));
}

LBR(each_register_is_tried_before_the_session)
{
	static const u32 needed[] = {
		FROM, FROM + 3, TO, TO + 3, INFO, INFO + 3, NEWEST, FILTER, DEBUGCTL,
	};
	static const u32 of_arch[] = {
		ARCH_FROM, ARCH_TO + 3, ARCH_INFO + 3, ARCH_CTL, ARCH_DEPTH, DEBUGCTL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(needed); i++) {
		register_at(0, needed[i])->number = 0xdead;
		assert_int_equal(bpmu_branches_save(&bank), -EIO);
		register_at(0, 0xdead)->number = needed[i];
	}
	assert_int_equal(bpmu_branches_save(&bank), 0);
	wrote("");
	assert_int_equal(branches.filter, 7);
	assert_int_equal(branches.debugctl, 0x4000);
	assert_int_equal(branches.depth, 0);
	/* a call stack is written, too */
	branches.calls = true;
	assert_int_equal(bpmu_branches_save(&bank), 0);
	wrote("680=0 6c0=0 681=0 6c1=0 682=0 6c2=0 683=0 6c3=0 1c9=0 ");
	pmu.lbr.format = BPMU_LBR_ARCH;
	branches.calls = false;
	for (i = 0; i < ARRAY_SIZE(of_arch); i++) {
		register_at(0, of_arch[i])->number = 0xdead;
		assert_int_equal(bpmu_branches_save(&bank), -EIO);
		register_at(0, 0xdead)->number = of_arch[i];
	}
	assert_int_equal(bpmu_branches_save(&bank), 0);
	assert_int_equal(branches.depth, 32);
	assert_int_equal(branches.filter, 0x70);
	bank.branches = NULL;
	register_at(0, DEBUGCTL)->number = 0xdead;
	assert_int_equal(bpmu_branches_save(&bank), 0);
}

LBR(records_are_programmed_and_restored)
{
	assert_int_equal(bpmu_branches_save(&bank), 0);
	branches.owner = unit_current;
	bpmu_branches_program(&bank);
	/* only branches of user space, and frozen by an interrupt */
	wrote(CLEARED "1c8=1 390=400000000000000 1d9=4801 ");
	assert_null(branches.owner);
	group.event[0].period = 1;
	pebs.batch = 8;
	bpmu_branches_program(&bank);
	wrote(CLEARED "1c8=0 390=400000000000000 1d9=4001 ");
	bpmu_branches_restore(&bank);
	wrote("1d9=4000 1c8=7 " CLEARED "390=400000000000000 ");
	/* before version 4 nothing is frozen by a bit of the status */
	pmu.version = 3;
	pebs.batch = 1;
	bpmu_branches_resume(&bank);
	wrote("1d9=4801 ");
	/* other bits of the register are another's */
	put(0, DEBUGCTL, 0x2);
	branches.debugctl = 0xffff;
	bpmu_branches_restore(&bank);
	wrote("1d9=803 1c8=7 " CLEARED);
	bank.branches = NULL;
	bpmu_branches_restore(&bank);
	bpmu_branches_program(&bank);
	bpmu_branches_resume(&bank);
	wrote("");
}

LBR(architectural_records_are_cleared_by_their_number)
{
	pmu.lbr.format = BPMU_LBR_ARCH;
	assert_int_equal(bpmu_branches_save(&bank), 0);
	bpmu_branches_program(&bank);
	wrote("14cf=4 14ce=7f0005 390=400000000000000 14ce=7f0005 1d9=4800 ");
	bpmu_branches_restore(&bank);
	wrote("1d9=4000 14ce=70 14cf=4 14cf=20 390=400000000000000 ");
}

LBR(call_stacks_are_not_frozen)
{
	branches.calls = true;
	bpmu_branches_program(&bank);
	wrote(CLEARED "1c8=3c5 " CLEARED "390=400000000000000 1d9=4001 ");
	/* while the records are on they are kept */
	bpmu_branches_resume(&bank);
	wrote("390=400000000000000 1d9=4001 ");
	put(0, DEBUGCTL, 0x4000);
	pmu.lbr.format = BPMU_LBR_ARCH;
	bpmu_branches_program(&bank);
	wrote("14cf=4 14ce=38000d 390=400000000000000 14ce=38000d 1d9=4000 ");
}

LBR(the_newest_branch_is_read_first)
{
	struct bpmu_branch read[DEPTH];

	/* record 1 is the newest, then 0 and 3; 2 is empty */
	assert_int_equal(bpmu_branches_read(&bank, read), 3);
	assert_int_equal(read[0].from, 0x1001);
	assert_int_equal(read[0].to, 0x2001);
	assert_int_equal(read[0].cycles, 0x11);
	assert_int_equal(read[1].from, 0x1000);
	assert_int_equal(read[2].from, 0x1003);
	assert_int_equal(read[2].to, 0x2003);
	put(0, FROM + 2, 0x1002);
	assert_int_equal(bpmu_branches_read(&bank, read), 4);
	assert_int_equal(read[3].from, 0x1002);
	pmu.lbr.format = BPMU_LBR_ARCH;
	assert_int_equal(bpmu_branches_read(&bank, read), 3);
	assert_int_equal(read[0].from, 0x1000);
	assert_int_equal(read[2].from, 0x1002);
	assert_int_equal(read[2].cycles, 0x12);
	/* records without a register of information */
	pmu.lbr.format = BPMU_LBR_FLAGS;
	assert_int_equal(bpmu_branches_read(&bank, read), 4);
	assert_int_equal(read[0].cycles, 0);
}

LBR(branches_of_precise_records_are_words)
{
	static const u64 words[] = { 0x11, 0x21, 1, 0x12, 0x22, 2, 0, 0x23, 3, 0x14, 0x24, 4 };
	u64 many[(BPMU_MAX_BRANCHES + 1) * 3];
	struct bpmu_branch read[BPMU_MAX_BRANCHES];
	unsigned int i;

	assert_int_equal(bpmu_branches_decode(&bank, words, 4, read), 2);
	assert_int_equal(read[1].from, 0x12);
	assert_int_equal(read[1].to, 0x22);
	assert_int_equal(read[1].cycles, 2);
	assert_int_equal(bpmu_branches_decode(&bank, words, 1, read), 1);
	for (i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = 1 + i;
	assert_int_equal(bpmu_branches_decode(&bank, many, BPMU_MAX_BRANCHES + 1, read),
			 BPMU_MAX_BRANCHES);
}

LBR(calls_are_read_from_the_innermost_on)
{
	u64 calls[DEPTH];
	u16 flags;

	put(0, DEBUGCTL, 1);
	assert_int_equal(bpmu_branches_calls(&bank, calls, DEPTH, &flags), 3);
	assert_int_equal(flags, 0);
	assert_int_equal(calls[0], 0x1002);
	assert_int_equal(calls[1], 0x1001);
	assert_int_equal(calls[2], 0x1004);
	assert_int_equal(bpmu_branches_calls(&bank, calls, 2, &flags), 2);
	assert_int_equal(flags, BPMU_SECTION_CUT);
	assert_int_equal(bpmu_branches_calls(&bank, calls, 3, &flags), 3);
	assert_int_equal(flags, 0);
	put(0, FROM + 2, 0x1002);
	assert_int_equal(bpmu_branches_calls(&bank, calls, 8, &flags), 4);
	assert_int_equal(flags, BPMU_SECTION_CUT);
	/* they are another thread's, or were turned off */
	branches.owner = (void *)0x20;
	assert_int_equal(bpmu_branches_calls(&bank, calls, 8, &flags), 0);
	assert_int_equal(flags, BPMU_SECTION_BROKEN);
	branches.owner = unit_current;
	assert_int_equal(bpmu_branches_calls(&bank, calls, 8, &flags), 4);
	put(0, DEBUGCTL, 0x800);
	assert_int_equal(bpmu_branches_calls(&bank, calls, 8, &flags), 0);
	assert_int_equal(flags, BPMU_SECTION_BROKEN);
}

LBR(threads_take_their_calls_with_them)
{
	struct bpmu_calls calls = { .nr = 9 };

	bpmu_branches_take_calls(&bank, &calls);
	assert_int_equal(calls.nr, 0);
	put(0, DEBUGCTL, 1);
	bpmu_branches_take_calls(&bank, &calls);
	assert_int_equal(calls.nr, 3);
	assert_int_equal(calls.from[0], 0x1001);
	assert_int_equal(calls.to[0], 0x2001);
	assert_int_equal(calls.from[2], 0x1003);
	assert_int_equal(calls.to[2], 0x2003);
	/* the innermost is record 2 then, and what is left is cleared */
	bpmu_branches_put_calls(&bank, &calls, unit_current);
	wrote("1c9=2 682=1001 6c2=2001 681=1000 6c1=2000 680=1003 6c0=2003 683=0 ");
	assert_ptr_equal(branches.owner, unit_current);
	bpmu_branches_put_calls(&bank, NULL, NULL);
	wrote(CLEARED);
	assert_null(branches.owner);
	calls.nr = 0;
	bpmu_branches_put_calls(&bank, &calls, NULL);
	wrote(CLEARED);
	put(0, FROM + 2, 0x1002);
	put(0, FROM, 0x1000);
	put(0, FROM + 1, 0x1001);
	put(0, FROM + 3, 0x1003);
	bpmu_branches_take_calls(&bank, &calls);
	assert_int_equal(calls.nr, 4);
	pmu.lbr.format = BPMU_LBR_ARCH;
	calls.nr = 2;
	bpmu_branches_put_calls(&bank, &calls, NULL);
	wrote("14cf=4 1500=1002 1600=2001 1501=1001 1601=2000 ");
}
