// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the trace of a virtual core: each instruction that the guest executes becomes one step,
 * even if an interrupt or a jump follows.
 */

#include "entry/entry.h"
#include "test.h"

#define PC 0x1000
#define SIZE 4
/* What an instruction's physical address has more than its virtual one. */
#define FRAME 0x700000

static const struct vcore_ideal real;

static struct vcore_insn nop(uint64_t pc)
{
	return (struct vcore_insn){
		.pc = pc,
		.pa = pc + FRAME,
		.size = SIZE,
		.nr_uops = 1,
		.nr_slots = 1,
		.knc_latency = 3,
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

/* Where an instruction leads to, and what the trace says about that. */
TEST(the_trace_tells_jumps_from_interrupts)
{
	static const struct {
		const char *name;
		uint8_t branch;
		bool rep;
		uint64_t to;
		uint8_t from_priv, to_priv;
		bool jumped, interrupted;
	} all[] = {
		{ "next", VCORE_NO_BRANCH, false, PC + SIZE, 1, 1, false, false },
		{ "elsewhere", VCORE_NO_BRANCH, false, 2 * PC, 1, 1, true, true },
		{ "itself", VCORE_NO_BRANCH, false, PC, 1, 1, true, true },
		{ "next of another level", VCORE_NO_BRANCH, false, PC + SIZE, 1, 0, false, true },
		{ "untaken branch", VCORE_CONDITIONAL, false, PC + SIZE, 1, 1, false, false },
		{ "taken branch", VCORE_CONDITIONAL, false, 2 * PC, 1, 1, true, false },
		{ "interrupted branch", VCORE_CONDITIONAL, false, 2 * PC, 1, 0, true, true },
		{ "return to user space", VCORE_FAR, false, 2 * PC, 0, 1, true, false },
		{ "call of the kernel", VCORE_FAR, false, 2 * PC, 1, 0, true, false },
		{ "iteration", VCORE_NO_BRANCH, true, PC, 1, 1, true, false },
		{ "last iteration", VCORE_NO_BRANCH, true, PC + SIZE, 1, 1, false, false },
		{ "interrupted iteration", VCORE_NO_BRANCH, true, 2 * PC, 1, 1, true, true },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_insn first = nop(PC), second = nop(all[i].to);
		struct vcore_step step;

		first.branch = all[i].branch;
		first.rep = all[i].rep;
		first.priv = all[i].from_priv;
		second.priv = all[i].to_priv;
		step = first_step(&first, &second);
		assert_int_equal(step.next_pc, all[i].to);
		if (step.jumped != all[i].jumped || step.interrupted != all[i].interrupted)
			fail_msg("%s: jumped %d, interrupted %d", all[i].name, step.jumped,
				 step.interrupted);
	}
}

/* Enters @nr NOPs, one after the other in memory, with numbers from @from on. */
static void enter_nops(struct vcore *core, struct vcore_insn *insn, unsigned int from,
		       unsigned int nr)
{
	unsigned int i;

	for (i = from; i < from + nr; i++) {
		insn[i] = nop(PC + i * SIZE);
		vcore_begin(core, &insn[i]);
	}
}

/* Nothing is simulated before 512 instructions are complete, and then not the latest ones. */
TEST(instructions_are_simulated_in_batches)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	static struct vcore_insn insn[520];

	assert_non_null(core);
	enter_nops(core, insn, 0, 512);
	assert_int_equal(core->cycle, 0);
	assert_int_equal(core->trace.end, 511);
	enter_nops(core, insn, 512, 1);
	assert_true(core->cycle > 0);
	assert_int_equal(core->trace.end, 512);
	assert_in_range(core->trace.retired, 300, 511);
	assert_int_equal(vcore_behind(core), 513 - core->trace.retired);
	vcore_settle(core);
	assert_int_equal(core->trace.retired, 513);
	assert_int_equal(vcore_behind(core), 0);
	vcore_free(core);
}

TEST(advancing_leaves_the_latest_instructions_in_flight)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	static struct vcore_insn insn[200];
	uint64_t cycle;

	assert_non_null(core);
	enter_nops(core, insn, 0, 200);
	vcore_advance(core);
	cycle = core->cycle;
	assert_true(cycle > 0);
	assert_in_range(core->trace.retired, 1, 199);
	assert_true(core->open);
	vcore_advance(core);
	assert_int_equal(core->cycle, cycle);
	vcore_free(core);
}

/* The core is empty when the privilege level changes, and its cycles are those of the level before. */
TEST(a_change_of_privilege_level_empties_the_core)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn kernel = nop(PC), user = nop(2 * PC), next = nop(2 * PC + SIZE);
	uint64_t cycle;

	assert_non_null(core);
	user.priv = 1;
	next.priv = 1;
	kernel.branch = VCORE_FAR;
	vcore_begin(core, &kernel);
	assert_int_equal(core->priv, 0);
	vcore_begin(core, &user);
	assert_int_equal(core->priv, 1);
	assert_int_equal(core->trace.retired, 1);
	cycle = core->cycle;
	assert_true(cycle > 0);
	vcore_begin(core, &next);
	assert_int_equal(core->cycle, cycle);
	vcore_settle(core);
	assert_int_equal(core->counts[0].plain[VCORE_CYCLES], cycle);
	assert_int_equal(core->counts[1].plain[VCORE_CYCLES], core->cycle - cycle);
	assert_true(core->cycle > cycle);
	vcore_free(core);
}

/* Accesses are copied in their order; one that comes when no instruction is open is dropped. */
TEST(accesses_are_those_of_their_instruction)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_access load = { .va = 0x7000, .pa = 0x17000, .size = 4 };
	struct vcore_access store = { .va = 0x8000, .pa = 0x18000, .size = 8, .store = true };
	struct vcore_insn insn[2] = { nop(PC), nop(PC + SIZE) };
	const struct vcore_step *step;

	assert_non_null(core);
	vcore_access(core, &load);
	vcore_begin(core, &insn[0]);
	step = vcore_step(&core->trace, 0);
	assert_int_equal(step->nr_accesses, 0);
	vcore_access(core, &store);
	vcore_access(core, &load);
	store.va = 0;
	assert_int_equal(step->nr_accesses, 2);
	assert_true(step->access[0].va == 0x8000 && step->access[0].pa == 0x18000);
	assert_true(step->access[0].size == 8 && step->access[0].store);
	assert_true(step->access[1].va == 0x7000 && step->access[1].pa == 0x17000);
	assert_true(step->access[1].size == 4 && !step->access[1].store);
	vcore_begin(core, &insn[1]);
	assert_int_equal(vcore_step(&core->trace, 1)->nr_accesses, 0);
	vcore_free(core);
}

/* Only an out-of-order core of Intel has assists, and only an instruction that executes gets one. */
TEST(assists_are_of_the_instruction_that_executes)
{
	static const struct {
		const struct vcore_params *params;
		bool assist;
	} all[] = { { &vcore_ivb, true }, { &vcore_zen4, false }, { &vcore_knc, false } };
	struct vcore_insn insn[2] = { nop(PC), nop(PC + SIZE) };
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore *core = vcore_new(all[i].params, &real, 0);

		assert_non_null(core);
		vcore_begin(core, &insn[0]);
		assert_false(vcore_step(&core->trace, 0)->assist);
		vcore_assist(core);
		assert_int_equal(vcore_step(&core->trace, 0)->assist, all[i].assist);
		vcore_next(core, PC + SIZE, 0);
		vcore_assist(core);
		assert_false(vcore_step(&core->trace, 1)->assist);
		vcore_begin(core, &insn[1]);
		assert_false(vcore_step(&core->trace, 1)->assist);
		vcore_free(core);
	}
}

/* A fault leads to no address of the guest's; without an instruction that executes there is none. */
TEST(a_fault_interrupts_its_instruction)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn insn = nop(PC);
	const struct vcore_step *step;

	assert_non_null(core);
	vcore_fault(core);
	assert_int_equal(core->trace.end, 0);
	insn.priv = 1;
	core->moved = 0x3000;
	vcore_begin(core, &insn);
	vcore_fault(core);
	step = vcore_step(&core->trace, 0);
	assert_int_equal(core->trace.end, 1);
	assert_false(core->open);
	assert_true(step->interrupted);
	assert_int_equal(step->next_pc, PC);
	assert_int_equal(step->to, PC + 0x3000);
	vcore_fault(core);
	assert_int_equal(core->trace.end, 1);
	/* Code of the kernel is not moved. */
	insn.priv = 0;
	vcore_begin(core, &insn);
	vcore_fault(core);
	assert_int_equal(vcore_step(&core->trace, 1)->to, PC);
	vcore_free(core);
}

/* The next address is moved if it is in user space. */
TEST(the_next_address_is_that_of_its_level)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	struct vcore_insn insn = nop(PC);
	unsigned int priv;

	assert_non_null(core);
	core->moved = 0x5000;
	insn.branch = VCORE_FAR;
	for (priv = 0; priv < 2; priv++) {
		vcore_begin(core, &insn);
		vcore_next(core, 3 * PC, priv);
		assert_int_equal(vcore_step(&core->trace, priv)->next_pc, 3 * PC);
		assert_int_equal(vcore_step(&core->trace, priv)->to, 3 * PC + priv * 0x5000);
	}
	assert_int_equal(core->trace.end, 2);
	vcore_free(core);
}

static const struct vcore_params *const kinds[] = { &vcore_ivb, &vcore_zen2, &vcore_knc };

/* A thread that resumes, or goes on, simulates nothing; one that halts has all behind it. */
TEST(a_thread_that_halts_has_retired_all)
{
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct vcore *core = vcore_new(kinds[i], &real, 0);
		static struct vcore_insn insn[3];

		assert_non_null(core);
		assert_int_equal(!!core->inorder, kinds[i]->in_order);
		assert_int_equal(!!core->ooo, !kinds[i]->in_order);
		assert_non_null(core->memory);
		assert_ptr_equal(core->params, kinds[i]);
		assert_ptr_equal(core->ideal, &real);
		enter_nops(core, insn, 0, 3);
		vcore_halt(core, false);
		assert_true(core->open);
		assert_int_equal(core->trace.retired, 0);
		assert_int_equal(core->cycle, 0);
		vcore_halt(core, true);
		assert_false(core->open);
		assert_int_equal(core->trace.retired, 3);
		assert_int_equal(vcore_step(&core->trace, 2)->next_pc, PC + 3 * SIZE);
		assert_false(vcore_step(&core->trace, 2)->interrupted);
		assert_true(core->cycle > 0);
		vcore_free(core);
	}
	vcore_free(NULL);
}

/* What is settled is complete, but for a branch, whose target is not known. */
TEST(settling_retires_all_but_a_branch)
{
	unsigned int i, branch;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (branch = VCORE_NO_BRANCH; branch <= VCORE_FAR; branch++) {
			struct vcore *core = vcore_new(kinds[i], &real, 0);
			struct vcore_insn insn[3];

			assert_non_null(core);
			enter_nops(core, insn, 0, 3);
			insn[2].branch = branch;
			vcore_settle(core);
			assert_int_equal(core->open, branch != VCORE_NO_BRANCH);
			assert_int_equal(core->trace.retired, 2 + !branch);
			if (!branch)
				assert_int_equal(vcore_step(&core->trace, 2)->next_pc,
						 PC + 3 * SIZE);
			vcore_settle(core);
			assert_int_equal(core->trace.retired, 2 + !branch);
			vcore_free(core);
		}
}

/* Threads issue in alternate cycles only on the cores of AMD that do so. */
TEST(only_some_cores_are_shared)
{
	static const struct {
		const struct vcore_params *params;
		bool shares;
	} all[] = { { &vcore_ivb, false }, { &vcore_zen2, false }, { &vcore_zen4, true } };
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore *core = vcore_new(all[i].params, &real, 4);

		assert_non_null(core);
		assert_false(core->shares);
		vcore_share(core, 5);
		assert_int_equal(core->shares, all[i].shares);
		assert_int_equal(core->sibling, 5);
		vcore_free(core);
	}
}

/* Returns the fetch bubbles at the end of a chain of slow instructions, and their slots in the back end. */
static uint64_t bubbles(void (*end)(struct vcore *), uint64_t *backend)
{
	struct vcore *core = vcore_new(&vcore_ivb, &(struct vcore_ideal){ .l1i = true }, 0);
	static struct vcore_insn insn[40];
	const struct vcore_counts *counts = &core->counts[0];
	uint64_t sum = 0;
	unsigned int i;

	enter_nops(core, insn, 0, 40);
	for (i = 0; i < 40; i++)
		insn[i].uop[0] = (struct vcore_uop){
			.type = VCORE_ALU, .ports = 1, .latency = 20,
			.source = { VCORE_REG_GP }, .result = { VCORE_REG_GP },
		};
	end(core);
	assert_false(core->cut);
	assert_int_equal(core->trace.retired, 40);
	for (i = 1; i <= VCORE_MAX_WIDTH; i++)
		sum += i * counts->cycles_with[VCORE_BUBBLES][i];
	*backend = counts->plain[VCORE_BACKEND_SLOTS];
	vcore_free(core);
	return sum;
}

/*
 * The chain takes 800 cycles, and its 40 slots are issued in the first of them: the other slots,
 * four a cycle, are fetch bubbles if the guest pauses, and those of a full back end if it does not.
 */
TEST(slots_after_a_cut_are_not_fetch_bubbles)
{
	uint64_t settled, cut, before, after;

	settled = bubbles(vcore_settle, &before);
	cut = bubbles(vcore_cut, &after);
	assert_true(settled > 4 * 20 * 40 * 3 / 4);
	assert_true(cut < 4 * 40);
	assert_int_equal(settled + before, cut + after);
}

/* Makes @nr steps of which the i-th has address i + 1 and has retired in cycle 10 * i. */
static struct vcore *new_retired(struct vcore_insn *insn, unsigned int nr)
{
	struct vcore *core = vcore_new(&vcore_ivb, &real, 0);
	unsigned int i;

	assert_non_null(core);
	for (i = 0; i < nr; i++) {
		struct vcore_step *step = vcore_step_begin(&core->trace, insn);

		step->pc = i + 1;
		step->retired = 10 * i;
		core->trace.end++;
	}
	core->trace.retired = nr;
	core->trace.fetch = nr;
	return core;
}

/* The oldest instruction in a cycle is the first that has retired after it. */
TEST(the_oldest_instruction_retires_after_the_cycle)
{
	struct vcore_insn insn = nop(PC), kernel = nop(PC), user = nop(PC);
	struct vcore *core = new_retired(&insn, 10);

	assert_int_equal(vcore_oldest(core, 55), 7);
	assert_int_equal(vcore_oldest(core, 59), 7);
	assert_int_equal(vcore_oldest(core, 60), 8);
	assert_int_equal(vcore_oldest(core, 0), 2);
	/* all have retired, and there is no other */
	assert_int_equal(vcore_oldest(core, 90), 0);
	/* one that executes, or has not retired */
	vcore_step_begin(&core->trace, &insn)->pc = 500;
	assert_int_equal(vcore_oldest(core, 90), 0);
	core->open = true;
	assert_int_equal(vcore_oldest(core, 90), 500);
	assert_int_equal(vcore_oldest(core, 89), 10);
	core->open = false;
	core->trace.end++;
	assert_int_equal(vcore_oldest(core, 90), 500);
	/* not before the privilege level changed */
	user.priv = 1;
	vcore_step(&core->trace, 6)->insn = &user;
	assert_int_equal(vcore_oldest(core, 55), 8);
	assert_int_equal(vcore_oldest(core, 5), 8);
	vcore_step(&core->trace, 6)->insn = &kernel;
	assert_int_equal(vcore_oldest(core, 5), 2);
	vcore_free(core);
}

/* The trace has no more steps than its capacity, less the one that is next. */
TEST(the_oldest_instruction_is_in_the_trace)
{
	struct vcore_insn insn = nop(PC);
	unsigned int nr, i;

	for (nr = VCORE_TRACE - 1; nr < VCORE_TRACE + 6; nr++) {
		struct vcore *core = new_retired(&insn, nr);

		for (i = 0; i < VCORE_TRACE; i++)
			core->trace.step[i].retired = 1000;
		assert_int_equal(vcore_oldest(core, 999),
				 1 + (nr < VCORE_TRACE ? 0 : nr - VCORE_TRACE + 1));
		vcore_free(core);
	}
}
