// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the out-of-order core: the cycles and counts of loops of synthetic instructions are
 * those that follow from the core's parameters.
 */

#include "program.h"
#include "test.h"

#define ROUNDS 2000
#define MULTIPLIER 0x02
#define DIVIDER 0x01

static const struct vcore_ideal real;
static const struct vcore_ideal fast = { .alu = true };

static struct vcore_program *new_loop(void)
{
	return vcore_program_new(&vcore_ivb, &real);
}

/* Checks that @value is within 1 % of @expected. */
static void assert_near(double value, double expected)
{
	if (value < expected * 0.99 || value > expected * 1.01)
		fail_msg("%f instead of %f", value, expected);
}

static void assert_cycles(struct vcore_program *program, double expected)
{
	assert_near(vcore_program_cycles(program, ROUNDS), expected);
	vcore_program_free(program);
}

static void add_chain(struct vcore_program *program, unsigned int nr,
		      unsigned int ports, unsigned int latency)
{
	while (nr--)
		vcore_program_alu(program, R(0), R(0), ports, latency);
}

TEST(three_ports_execute_three_uops_per_cycle)
{
	struct vcore_program *program = new_loop();
	unsigned int i;

	for (i = 0; i < 29; i++)
		vcore_program_alu(program, R(i % 8), 0, 0, 1);
	/* The branch of the loop needs a port, too. */
	assert_cycles(program, 10);
}

TEST(nops_retire_four_per_cycle)
{
	struct vcore_program *program = new_loop();
	unsigned int i;

	for (i = 0; i < 31; i++)
		vcore_program_nop(program);
	assert_cycles(program, 8);
}

TEST(a_chain_has_its_latency)
{
	struct vcore_program *program = new_loop();

	add_chain(program, 20, 0, 1);
	assert_cycles(program, 20);
}

static const struct vcore_insn *last_told;
static uint64_t told, told_slots, out_of_order;

static void tell(void *data, const struct vcore_insn *insn, unsigned int slots)
{
	if (last_told && insn->pc != last_told->pc + last_told->size &&
	    last_told->branch == VCORE_NO_BRANCH)
		out_of_order++;
	last_told = insn;
	told++;
	told_slots += slots;
	(void)data;
}

static uint64_t told_taken, told_mispredicted, told_wrongly;

static void tell_taken(void *data, const struct vcore_taken *branch)
{
	told_taken++;
	told_mispredicted += branch->mispredicted;
	told_wrongly += branch->insn->branch == VCORE_NO_BRANCH ||
			branch->to == branch->insn->pc + branch->insn->size ||
			branch->cycle > *(const uint64_t *)data;
}

/* Taken branches are told when they retire: the loop's, and in 31 of 64 rounds another one. */
TEST(taken_branches_are_told)
{
	struct vcore_program *program = new_loop();
	struct vcore *core = program->core;
	const uint64_t *plain = vcore_counts(core)->plain;

	vcore_program_branch(program, 0, 0x9249e15a37cc0f69);
	vcore_program_nop(program);
	core->taken = tell_taken;
	core->taken_data = &core->cycle;
	vcore_program_run(program, 640);
	assert_int_equal(told_taken, plain[VCORE_NEAR_TAKEN]);
	assert_in_range(told_taken, 640 + 310 - 2, 640 + 310);
	assert_int_equal(told_mispredicted, plain[VCORE_MISPREDICTS_NEAR_TAKEN]);
	assert_int_equal(told_wrongly, 0);
	vcore_program_free(program);
}

/* Neither a string instruction that iterates nor an interrupt is a taken branch; a far jump is no near one. */
TEST(only_branches_are_told_as_taken)
{
	static const struct {
		uint8_t branch;
		bool rep;
		unsigned int told;
		unsigned int near;
	} all[] = {
		{ VCORE_NO_BRANCH, true, 0, 0 }, { VCORE_NO_BRANCH, false, 0, 0 },
		{ VCORE_JUMP, false, 4, 4 }, { VCORE_FAR, false, 4, 0 },
	};
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_program *program = new_loop();
		struct vcore *core = program->core;
		struct vcore_insn *insn = &vcore_program_nop(program)->insn;

		insn->branch = all[i].branch;
		insn->rep = all[i].rep;
		told_taken = 0;
		told_wrongly = 0;
		core->taken = tell_taken;
		core->taken_data = &core->cycle;
		for (k = 0; k < 5; k++)
			vcore_program_round(program);
		vcore_next(core, insn->pc + insn->size, 0);
		vcore_settle(core);
		assert_int_equal(told_taken, all[i].told);
		assert_int_equal(told_wrongly, 0);
		assert_int_equal(vcore_counts(core)->plain[VCORE_NEAR_TAKEN], all[i].near);
		vcore_program_free(program);
	}
}

/*
 * Each instruction is told when it retires, in program order, also those of a fused pair, and all
 * retired slots are those of an instruction. Afterwards it is known which instruction was the oldest
 * in each cycle: the one that retires next.
 */
TEST(instructions_that_retire_are_told)
{
	struct vcore_program *program = new_loop();
	struct vcore *core = program->core;
	uint64_t slots = 0, nr = 0;
	unsigned int k;

	add_chain(program, 10, MULTIPLIER, 3);
	core->retired = tell;
	vcore_program_run(program, 100);
	for (k = 1; k <= VCORE_MAX_WIDTH; k++)
		slots += k * vcore_counts(core)->cycles_with[VCORE_RETIRED][k];
	nr = core->trace.retired;
	assert_int_equal(told, nr);
	assert_int_equal(told_slots, slots);
	assert_int_equal(out_of_order, 0);
	assert_int_equal(vcore_oldest(core, vcore_step(&core->trace, nr - 5)->retired),
			 vcore_step(&core->trace, nr - 4)->insn->pc);
	assert_int_equal(vcore_oldest(core, vcore_step(&core->trace, nr - 5)->retired - 1),
			 vcore_step(&core->trace, nr - 5)->insn->pc);
	/* No instruction of another privilege level is named. */
	core->priv = !core->priv;
	assert_int_equal(vcore_oldest(core, 0), 0);
	vcore_program_free(program);
}

/*
 * Runs a chain of multiplications, and empties the core after each iteration: as vcore_cut() if
 * @cut, else as vcore_settle(). Sets @counts to the counts.
 */
static void run_and_empty(bool cut, struct vcore_counts *counts)
{
	struct vcore_program *program = new_loop();
	unsigned int i;

	add_chain(program, 20, MULTIPLIER, 3);
	for (i = 0; i < 100; i++) {
		vcore_program_round(program);
		if (cut)
			vcore_cut(program->core);
		else
			vcore_settle(program->core);
	}
	*counts = *vcore_counts(program->core);
	vcore_program_free(program);
}

/*
 * A program with which the emulator could have gone on would fill up the core, and wait for its
 * oldest uop. The number of cycles is the same as if the program had ended.
 */
TEST(slots_behind_a_cut_are_those_of_a_full_core)
{
	struct vcore_counts ended, cut;
	uint64_t bubbles, most;

	run_and_empty(false, &ended);
	run_and_empty(true, &cut);
	bubbles = vcore_sum(cut.cycles_with[VCORE_BUBBLES], VCORE_MAX_WIDTH);
	most = vcore_sum(ended.cycles_with[VCORE_BUBBLES], VCORE_MAX_WIDTH);
	assert_int_equal(cut.plain[VCORE_CYCLES], ended.plain[VCORE_CYCLES]);
	assert_true(most > 3 * ended.plain[VCORE_CYCLES]);
	assert_true(bubbles < most / 2);
	assert_int_equal(bubbles + cut.plain[VCORE_BACKEND_SLOTS],
			 most + ended.plain[VCORE_BACKEND_SLOTS]);
}

TEST(a_chain_of_multiplications_has_its_latency)
{
	struct vcore_program *program = new_loop();

	add_chain(program, 20, MULTIPLIER, 3);
	assert_cycles(program, 60);
}

TEST(a_perfect_alu_has_a_latency_of_1)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &fast);

	add_chain(program, 20, MULTIPLIER, 3);
	vcore_program_alu(program, R(1), 0, DIVIDER, 20)->insn.uop[0].divides =
		14;
	assert_cycles(program, 20);
}

TEST(one_port_executes_one_uop_per_cycle)
{
	struct vcore_program *program = new_loop();
	unsigned int i;

	for (i = 0; i < 20; i++)
		vcore_program_alu(program, R(i % 8), 0, MULTIPLIER, 3);
	assert_cycles(program, 20);
}

TEST(divisions_wait_for_the_divider)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int i;

	for (i = 0; i < 4; i++)
		vcore_program_alu(program, R(i), 0, DIVIDER, 20)
			->insn.uop[0].divides = 14;
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_near((double)counts.plain[VCORE_CYCLES] / ROUNDS, 4 * 14);
	assert_int_equal(counts.plain[VCORE_DIVIDES], 4 * ROUNDS);
	assert_int_equal(counts.plain[VCORE_DIVIDER_ACTIVE], 4 * 14 * ROUNDS);
	vcore_program_free(program);
}

/*
 * Independent divisions wait for the divider only. Meanwhile, other uops can use the divider's
 * port.
 */
TEST(the_port_of_the_divider_stays_free)
{
	struct vcore_program *program = new_loop();
	unsigned int i;

	vcore_program_alu(program, R(0), 0, DIVIDER, 20)->insn.uop[0].divides =
		14;
	for (i = 0; i < 13; i++)
		vcore_program_alu(program, R(1), 0, DIVIDER, 1);
	assert_cycles(program, 14);
}

TEST(eliminated_moves_have_no_latency)
{
	struct vcore_program *program = new_loop();
	struct vcore_line *move;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		vcore_program_alu(program, R(1), R(0), 0, 1);
		move = vcore_program_nop(program);
		move->insn.uop[0].source[0] = R(1);
		move->insn.uop[0].result[0] = R(0);
	}
	assert_cycles(program, 10);
}

TEST(zeroing_idioms_break_chains)
{
	struct vcore_program *program = new_loop();
	struct vcore_line *zero;

	add_chain(program, 20, MULTIPLIER, 3);
	zero = vcore_program_nop(program);
	zero->insn.uop[0].result[0] = R(0);
	/* The iterations are independent of each other: only the port limits their rate. */
	assert_cycles(program, 20);
}

/* Checks the number of uops at each of the six ports, including fused uops and loads. */
TEST(uops_are_counted_by_port)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	unsigned int port;

	vcore_program_alu(program, R(0), 0, 0x01, 1);
	vcore_program_alu(program, R(1), 0, 0x02, 1);
	vcore_program_load(program, R(2), 0, 0x1000, 0, 0);
	vcore_program_store(program, R(3), 0, 0x2000, 0, 0);
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_near(counts.ports[2] + counts.ports[3], 2 * ROUNDS);
	for (port = 0; port < 6; port++) {
		if (port != 2 && port != 3)
			assert_near(counts.ports[port], ROUNDS);
	}
	assert_near(counts.plain[VCORE_RETIRED_UOPS], 6 * ROUNDS);
	assert_near(counts.computed[VCORE_INTEGER], 6 * ROUNDS);
	vcore_program_free(program);
}

/* Each filler uop depends on the filler uop before it, but no other uop depends on filler uops. */
TEST(filler_uops_form_a_chain)
{
	struct vcore_program *program = new_loop();
	struct vcore_line *line;

	line = vcore_program_alu(program, 0, 0, 0, 1);
	line->insn.microcoded = true;
	line->insn.filler = 20;
	line->insn.nr_slots = 21;
	assert_true(vcore_program_cycles(program, ROUNDS) < 21);
	assert_true(vcore_program_cycles(program, ROUNDS) >= 7);
	vcore_program_free(program);
}

TEST(mispredictions_cost_slots)
{
	static const uint64_t random = 0x9e3779b97f4a7c15;
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	uint64_t slots;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		vcore_program_branch(program, 0, random * (2 * i + 1));
		vcore_program_nop(program);
	}
	/* The predictor does not learn the branch's pattern in so few iterations. */
	counts = vcore_program_measure(program, 1, 60);
	slots = counts.plain[VCORE_WRONG_SLOTS] +
		counts.plain[VCORE_RECOVERY_SLOTS];
	assert_true(counts.plain[VCORE_MISPREDICTS] > 40);
	assert_true(counts.plain[VCORE_RECOVERY_CYCLES] >=
		    counts.plain[VCORE_MISPREDICTS] * 4);
	assert_true(slots > counts.plain[VCORE_MISPREDICTS] * 16);
	assert_true(counts.stack[VCORE_DISPATCH][VCORE_PART_BPRED] >
		    counts.stack[VCORE_COMMIT][VCORE_PART_BPRED]);
	/* Uops of the wrong path are simple operations; branches are executed by port 5. */
	assert_true(counts.ports[0] >= 40 && counts.ports[1] >= 40);
	assert_int_equal(counts.ports[2] + counts.ports[3] + counts.ports[4], 0);
	vcore_program_free(program);
}

/*
 * A sum waits for a product and for an older load, which completes later. When the product
 * completes, nothing else changes, but the slots lost from that cycle on are attributed to the
 * load. Lost slots are attributed to the product in two cycles, and in part of a third.
 */
TEST(lost_slots_are_attributed_to_the_later_cause)
{
	struct vcore_program *program = new_loop();
	struct vcore_counts counts;
	struct vcore_line *sum;

	vcore_program_load(program, R(2), R(0), 0x10000, 0, 0);
	vcore_program_alu(program, R(1), R(0), MULTIPLIER, 3);
	sum = vcore_program_alu(program, R(0), R(1), 0, 1);
	sum->insn.uop[0].source[1] = R(2);
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_in_range(counts.stack[VCORE_ISSUE][VCORE_PART_ALU] +
			counts.stack[VCORE_ISSUE][VCORE_PART_ALU_FIRST],
			ROUNDS * 4 * 2, ROUNDS * 4 * 3 - 1);
	vcore_program_free(program);
}

TEST(counts_are_divided_by_privilege_level)
{
	struct vcore_program *program = new_loop();
	struct vcore *core = program->core;
	unsigned int priv, reg;

	for (reg = 0; reg < 2; reg++)
		vcore_program_alu(program, R(reg), 0, 0, 1);
	for (priv = 0; priv < VCORE_PRIVS; priv++) {
		program->line[0].insn.priv = priv;
		program->line[1].insn.priv = priv;
		vcore_program_run(program, 10);
	}
	/* The branch at the end of the loop and the instruction after the loop are kernel code. */
	assert_int_equal(core->counts[0].plain[VCORE_RETIRED_UOPS], 42);
	assert_int_equal(core->counts[1].plain[VCORE_RETIRED_UOPS], 20);
	assert_int_equal(core->counts[0].plain[VCORE_CYCLES] +
			 core->counts[1].plain[VCORE_CYCLES], core->cycle);
	vcore_program_free(program);
}

TEST(serialising_instructions_take_their_time)
{
	struct vcore_program *program = new_loop();

	vcore_program_alu(program, R(0), 0, 0, 1)->insn.serialises = true;
	assert_true(vcore_program_cycles(program, 100) >=
		    vcore_ivb.front.serialise);
	vcore_program_free(program);
}

/* What follows a serialising instruction waits until all stores before it have been written. */
TEST(serialising_instructions_wait_for_stores)
{
	unsigned int serialises;
	double cycles;

	for (serialises = 0; serialises < 2; serialises++) {
		struct vcore_program *program = new_loop();

		vcore_memory_prefetchers(program->core->memory, 15);
		vcore_program_store(program, R(0), 0, 64 << 20, 64, 0);
		vcore_program_nop(program)->insn.serialises = serialises;
		cycles = vcore_program_cycles(program, 500);
		assert_true(serialises ? cycles > vcore_ivb.memory.memory :
					 cycles < vcore_ivb.memory.memory / 3.0);
		vcore_program_free(program);
	}
}

/* A serialising NOP retires right after its issue, and still costs the time of serialisation. */
TEST(serialising_nops_take_their_time)
{
	struct vcore_program *program = new_loop();

	vcore_program_nop(program)->insn.serialises = true;
	vcore_program_nop(program)->insn.serialises = true;
	assert_true(vcore_program_cycles(program, 100) >=
		    2 * vcore_ivb.front.serialise);
	vcore_program_free(program);
}

/* On AMD's cores, denormal numbers need no assist and take no more time than others. */
TEST(a_core_of_amd_has_no_assists)
{
	struct vcore_program *program = vcore_program_new(&vcore_zen4, &real);
	struct vcore_counts counts;

	vcore_program_alu(program, R(0), R(0), 1, 1)->assist = true;
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_int_equal(counts.plain[VCORE_ASSISTS] + counts.plain[VCORE_CLEARS], 0);
	vcore_program_free(program);
}

static double per_round(const struct vcore_counts *counts, enum vcore_plain quantity)
{
	return (double)counts->plain[quantity] / ROUNDS;
}

/*
 * Each uop of a chain of dependent uops takes several cycles. In one of these cycles the oldest uop
 * retires; in the others, retirement waits for it.
 */
TEST(a_chain_waits_for_its_oldest_uop)
{
	struct vcore_program *program = vcore_program_new(&vcore_zen4, &real);
	struct vcore_counts counts;
	unsigned int i;

	add_chain(program, 20, MULTIPLIER, 3);
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_near(per_round(&counts, VCORE_NO_RETIRE_WAITS), 20 * 2);
	assert_int_equal(counts.plain[VCORE_NO_RETIRE_LOAD], 0);
	vcore_program_free(program);
	/* Each load hits the L1D, whose latency is four cycles. */
	program = vcore_program_new(&vcore_zen4, &real);
	for (i = 0; i < 20; i++)
		vcore_program_load(program, R(0), R(0), 0x10000 + 64 * i, 0, 0);
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_near(per_round(&counts, VCORE_CYCLES), 20 * 4);
	assert_near(per_round(&counts, VCORE_NO_RETIRE_WAITS), 20 * 3);
	assert_near(per_round(&counts, VCORE_NO_RETIRE_LOAD), 20 * 3);
	vcore_program_free(program);
}

/* A loop without dependences between its instructions fills all slots of a core of any width. */
TEST(nops_fill_the_slots_of_each_width)
{
	static const struct vcore_params *const cores[] = { &vcore_zen4, &vcore_zen5 };
	struct vcore_program *program;
	struct vcore_counts counts;
	unsigned int i, k;

	for (k = 0; k < 2; k++) {
		program = vcore_program_new(cores[k], &real);
		for (i = 0; i < 47; i++)
			vcore_program_nop(program);
		counts = vcore_program_measure(program, ROUNDS, ROUNDS);
		assert_near(per_round(&counts, VCORE_CYCLES), k ? 6 : 8);
		assert_true(vcore_sum(counts.cycles_with[VCORE_UNSUPPLIED],
				      VCORE_MAX_WIDTH) < ROUNDS / 10);
		assert_true(counts.cycles_with[VCORE_ISSUED][k ? 8 : 6] > 5 * ROUNDS);
		vcore_program_free(program);
	}
}

/*
 * Each assist causes one machine clear, which is counted as an assist, and adds uops from the
 * microcode sequencer to those of its instruction.
 */
TEST(an_assist_clears_once_and_adds_uops)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &real);
	unsigned int uops = vcore_ivb.back.assist;
	struct vcore_counts plain, counts;

	vcore_program_alu(program, R(0), R(0), 2, 3);
	vcore_program_nop(program);
	vcore_program_nop(program);
	plain = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_int_equal(plain.plain[VCORE_ASSISTS], 0);
	program->line[0].assist = true;
	counts = vcore_program_measure(program, ROUNDS, ROUNDS);
	assert_int_equal(counts.plain[VCORE_ASSISTS], ROUNDS);
	assert_int_equal(counts.plain[VCORE_CLEARS], ROUNDS);
	assert_int_equal(counts.plain[VCORE_CLEARS_ORDERING] + counts.plain[VCORE_CLEARS_CODE], 0);
	assert_int_equal(counts.plain[VCORE_RETIRED_MS_SLOTS], ROUNDS * (1 + uops));
	assert_int_equal(counts.plain[VCORE_RETIRED_UOPS],
			 plain.plain[VCORE_RETIRED_UOPS] + ROUNDS * uops);
	assert_true(counts.plain[VCORE_CYCLES] >
		    plain.plain[VCORE_CYCLES] + ROUNDS * (uops + vcore_ivb.back.clear));
	vcore_program_free(program);
}
