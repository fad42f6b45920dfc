// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the trace of a virtual core: each instruction that the guest executes becomes one step,
 * even if an interrupt or a jump follows.
 */

#include "entry/entry.h"
#include "test.h"

#define PC 0x1000
#define SIZE 4

static const struct vcore_ideal real;

static struct vcore_insn nop(uint64_t pc)
{
	return (struct vcore_insn){
		.pc = pc,
		.pa = pc,
		.size = SIZE,
		.nr_uops = 1,
		.nr_slots = 1,
		.uop = { { .type = VCORE_NONE } },
	};
}

/* Returns the step that is recorded for @first when @second is executed next. */
static struct vcore_step first_step(const struct vcore_insn *first,
				    const struct vcore_insn *second)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_step step;

	assert_non_null(core);
	vcore_begin(core, first);
	vcore_begin(core, second);
	step = *vcore_step(&core->trace, 0);
	vcore_settle(core);
	assert_int_equal(core->trace.retired, 2);
	vcore_free(core);
	return step;
}

TEST(a_sequential_step_does_not_jump)
{
	struct vcore_insn first = nop(PC);
	struct vcore_insn second = nop(PC + SIZE);
	struct vcore_step step = first_step(&first, &second);

	assert_int_equal(step.next_pc, PC + SIZE);
	assert_false(step.jumped);
	assert_false(step.interrupted);
}

TEST(a_taken_branch_jumps)
{
	struct vcore_insn first = nop(PC);
	struct vcore_insn second = nop(2 * PC);
	struct vcore_step step;

	first.branch = VCORE_JUMP;
	step = first_step(&first, &second);
	assert_true(step.jumped);
	assert_false(step.interrupted);
}

TEST(a_jump_without_a_branch_is_an_interrupt)
{
	struct vcore_insn first = nop(PC);
	struct vcore_insn second = nop(2 * PC);
	struct vcore_step step = first_step(&first, &second);

	assert_true(step.jumped);
	assert_true(step.interrupted);
}

TEST(a_repeated_string_instruction_jumps_to_itself)
{
	struct vcore_insn first = nop(PC);
	struct vcore_step step;

	first.rep = true;
	step = first_step(&first, &first);
	assert_true(step.jumped);
	assert_false(step.interrupted);
}

/* A change of the privilege level is due to an interrupt unless the instruction is a far branch. */
TEST(only_far_branches_change_the_privilege_level)
{
	struct vcore_insn first = nop(PC);
	struct vcore_insn second = nop(2 * PC);

	second.priv = 1;
	first.branch = VCORE_CONDITIONAL;
	assert_true(first_step(&first, &second).interrupted);
	first.branch = VCORE_FAR;
	assert_false(first_step(&first, &second).interrupted);
}

/*
 * A branch at the end of the trace stays there, because its target is unknown until a step follows.
 */
TEST(a_branch_at_the_end_does_not_retire)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn first = nop(PC);
	struct vcore_insn branch = nop(PC + SIZE);

	assert_non_null(core);
	branch.branch = VCORE_JUMP;
	vcore_begin(core, &first);
	vcore_begin(core, &branch);
	vcore_settle(core);
	assert_int_equal(core->trace.retired, 1);
	vcore_begin(core, &first);
	vcore_settle(core);
	assert_int_equal(core->trace.retired, 3);
	vcore_free(core);
}

/* The trace knows how many instructions are behind, with the latest one, which may still go on. */
TEST(instructions_that_have_not_retired_are_behind)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn insn[3];
	unsigned int i;

	assert_non_null(core);
	assert_int_equal(vcore_behind(core), 0);
	for (i = 0; i < 3; i++) {
		insn[i] = nop(PC + i * SIZE);
		vcore_begin(core, &insn[i]);
		assert_int_equal(vcore_behind(core), i + 1);
	}
	vcore_advance(core);
	assert_int_equal(vcore_behind(core), 3);
	/* an address after the latest one ends it; its end is told once */
	vcore_next(core, PC + 3 * SIZE, 0);
	vcore_next(core, PC, 1);
	assert_int_equal(vcore_behind(core), 3);
	assert_int_equal(vcore_step(&core->trace, 2)->next_pc, PC + 3 * SIZE);
	assert_false(vcore_step(&core->trace, 2)->interrupted);
	vcore_settle(core);
	assert_int_equal(vcore_behind(core), 0);
	vcore_free(core);
}

static void keep_taken(void *data, const struct vcore_taken *branch)
{
	*(struct vcore_taken *)data = *branch;
}

/*
 * A process has code at another virtual address than the process before it, for which the emulator
 * has decoded it: what the core tells has the process's address. The kernel's code is where it was.
 */
TEST(addresses_are_those_at_which_code_is_executed)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn branch = nop(PC), target = nop(16 * PC), kernel = nop(32 * PC);
	struct vcore_taken taken = { 0 };

	assert_non_null(core);
	branch.branch = VCORE_CALL;
	branch.priv = 1;
	target.priv = 1;
	core->taken = keep_taken;
	core->taken_data = &taken;
	core->moved = 0x1000;
	vcore_begin(core, &branch);
	core->moved = 0x2000;
	vcore_begin(core, &target);
	assert_int_equal(vcore_step(&core->trace, 0)->pc, PC + 0x1000);
	assert_int_equal(vcore_step(&core->trace, 1)->pc, 16 * PC + 0x2000);
	assert_int_equal(vcore_step(&core->trace, 0)->next_pc, 16 * PC);
	vcore_settle(core);
	assert_int_equal(taken.from, PC + 0x1000);
	assert_int_equal(taken.to, 16 * PC + 0x2000);
	assert_int_equal(vcore_oldest(core, 0), PC + 0x1000);
	vcore_begin(core, &kernel);
	assert_int_equal(vcore_step(&core->trace, 2)->pc, 32 * PC);
	vcore_free(core);
}

static void count_taken(void *data, const struct vcore_taken *branch)
{
	(void)branch;
	++*(unsigned int *)data;
}

/* A branch that faults leads nowhere. It is told when it executes again. */
TEST(a_branch_that_faults_is_not_taken)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn branch = nop(PC), target = nop(PC + 16 * SIZE);
	unsigned int taken = 0;

	assert_non_null(core);
	branch.branch = VCORE_CALL;
	core->taken = count_taken;
	core->taken_data = &taken;
	vcore_begin(core, &branch);
	vcore_fault(core);
	vcore_settle(core);
	assert_int_equal(core->trace.retired, 1);
	assert_int_equal(taken, 0);
	vcore_begin(core, &branch);
	vcore_begin(core, &target);
	vcore_settle(core);
	assert_int_equal(taken, 1);
	vcore_fault(core);
	assert_int_equal(core->trace.end, 3);
	vcore_free(core);
}

/* A step drops accesses beyond VCORE_MAX_ACCESSES, and those that come after vcore_settle(). */
TEST(surplus_accesses_are_dropped)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_access access = { .va = PC, .pa = PC, .size = 8 };
	struct vcore_insn insn = nop(PC);
	unsigned int i;

	assert_non_null(core);
	vcore_begin(core, &insn);
	for (i = 0; i < VCORE_MAX_ACCESSES + 2; i++)
		vcore_access(core, &access);
	assert_int_equal(vcore_step(&core->trace, 0)->nr_accesses,
			 VCORE_MAX_ACCESSES);
	vcore_settle(core);
	vcore_access(core, &access);
	assert_int_equal(vcore_step(&core->trace, 1)->nr_accesses, 0);
	vcore_free(core);
}
