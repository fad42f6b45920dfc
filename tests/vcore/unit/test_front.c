// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's front end: how many slots it delivers per cycle, and which reason it
 * gives for each slot that it does not deliver.
 */
#include <string.h>

#include "bench.h"

#define WARM 2000
#define CYCLES 4000
#define PLAIN(name) (bench->counts.plain[VCORE_ ## name])

/* Simulates a warm-up of the bench, then CYCLES cycles whose events are counted. */
static void run_and_measure(struct bench *bench)
{
	bench_start(bench);
	bench_run(bench, WARM);
	bench_clear(bench);
	bench_run(bench, CYCLES);
}

TEST_BETWEEN(the_uop_cache_delivers_four_slots_per_cycle, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 15, 4, 1);
	bench_branch(bench, VCORE_JUMP, 4);
	run_and_measure(bench);
	assert_int_equal(bench->slots, 4 * CYCLES);
	assert_in_range(PLAIN(DSB_UOPS), 4 * CYCLES - 8, 4 * CYCLES + 8);
	assert_int_equal(PLAIN(DSB_CYCLES_4), CYCLES);
	assert_int_equal(PLAIN(MITE_UOPS), 0);
	assert_int_equal(PLAIN(IDQ_EMPTY), 0);
}

/* Three instructions of 11 bytes are more than the 32 bytes of a cycle, and two of 16 are not. */
TEST_BETWEEN(the_uop_cache_delivers_32_bytes_per_cycle, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 31, 11, 1);
	bench_branch(bench, VCORE_JUMP, 11);
	run_and_measure(bench);
	assert_int_equal(PLAIN(MITE_UOPS), 0);
	assert_int_equal(bench->slots, 2 * CYCLES);
}

/*
 * The loop has 5 slots and takes two cycles, because its taken branch ends a cycle: the front end
 * delivers four slots in the first and one in the second.
 */
TEST_BETWEEN(a_taken_branch_ends_the_cycle, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 4, 4, 1);
	bench_branch(bench, VCORE_JUMP, 2);
	run_and_measure(bench);
	assert_in_range(bench->slots, 5 * CYCLES / 2 - 5, 5 * CYCLES / 2 + 5);
}

/* A window of 32 uops needs more than three ways, and is not cached. */
TEST_BETWEEN(a_window_of_too_many_uops_is_not_cached, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 126, 1, 1);
	bench_branch(bench, VCORE_JUMP, 2);
	run_and_measure(bench);
	assert_int_equal(PLAIN(DSB_UOPS), 0);
	assert_true(PLAIN(MITE_UOPS) > 4 * CYCLES * 95 / 100);
}

/* The code is larger than the uop cache, but fits the L1I. */
TEST_BETWEEN(code_larger_than_the_uop_cache_is_decoded, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 5000, 4, 1);
	bench_branch(bench, VCORE_JUMP, 4);
	run_and_measure(bench);
	assert_int_equal(PLAIN(DSB_UOPS), 0);
}

TEST_BETWEEN(fetch_delivers_16_bytes_per_cycle, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench->params.front.dsb_ways = 0;
	bench_fill(bench, 256, 8, 1);
	run_and_measure(bench);
	assert_in_range(bench->slots, 2 * CYCLES * 98 / 100, 2 * CYCLES);
}

TEST_BETWEEN(only_the_first_decoder_decodes_several_uops, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	bench->params.front.dsb_ways = 0;
	for (i = 0; i < 64; i++) {
		bench_add(bench, 2, 2);
		bench_add(bench, 2, 1);
	}
	run_and_measure(bench);
	assert_in_range(bench->slots, 3 * CYCLES * 97 / 100, 3 * CYCLES);
}

TEST_BETWEEN(complex_instructions_decode_one_per_cycle, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench->params.front.dsb_ways = 0;
	bench_fill(bench, 128, 3, 2);
	run_and_measure(bench);
	assert_in_range(bench->slots, 2 * CYCLES * 97 / 100, 2 * CYCLES);
	assert_int_equal(PLAIN(MS_UOPS), 0);
}

TEST_BETWEEN(a_length_changing_prefix_stalls_decoding, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	uint64_t loops;

	bench->params.front.dsb_ways = 0;
	bench_fill(bench, 7, 4, 1);
	bench_branch(bench, VCORE_JUMP, 4);
	bench->insn[5].lcp = true;
	run_and_measure(bench);
	loops = bench->slots / 8;
	assert_in_range(PLAIN(LCP_STALLS), 3 * loops - 9, 3 * loops + 9);
	assert_true(loops <= CYCLES / 5);
}

/*
 * The only instruction comes from memory and crosses a block of the decoders, and is therefore
 * decoded a cycle later. Slots lack for one reason until then: the miss.
 */
TEST_BETWEEN(a_block_more_to_decode_after_a_miss_is_due_to_the_miss, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench->ideal.l1i = false;
	bench->end = BENCH_CODE + 14;
	bench_add(bench, 4, 1);
	bench->most = 1;
	bench_start(bench);
	bench_run(bench, 2000);
	assert_int_equal(bench->slots, 1);
	assert_true(bench->lost[VCORE_LACKS_CODE_MEMORY] > 0);
	assert_int_equal(bench->lost[VCORE_LACKS_DECODED], 0);
}

TEST_BETWEEN(the_uop_cache_avoids_prefix_stalls, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 7, 4, 1);
	bench_branch(bench, VCORE_JUMP, 4);
	bench->insn[5].lcp = true;
	run_and_measure(bench);
	assert_int_equal(PLAIN(LCP_STALLS), 0);
	assert_int_equal(bench->slots, 4 * CYCLES);
}

/* The loop alternates between windows that the uop cache holds and windows that it does not. */
TEST_BETWEEN(switches_from_uop_cache_to_decoders_cost_cycles, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 8, 4, 1);
	bench_fill(bench, 32, 1, 1);
	bench_fill(bench, 7, 4, 1);
	bench_branch(bench, VCORE_JUMP, 4);
	run_and_measure(bench);
	assert_true(PLAIN(DSB_UOPS) && PLAIN(MITE_UOPS));
	assert_in_range(PLAIN(DSB_SWITCH_CYCLES),
			bench->slots / 48 * vcore_ivb.front.switch_cycles - 4,
			bench->slots / 48 * vcore_ivb.front.switch_cycles + 4);
}

TEST_BETWEEN(the_microcode_sequencer_delivers_long_flows, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *insn;
	uint64_t loops;

	bench_fill(bench, 7, 4, 1);
	insn = bench_add(bench, 4, 4);
	insn->microcoded = true;
	insn->filler = 16;
	insn->nr_slots += 16;
	run_and_measure(bench);
	loops = bench->slots / 27;
	assert_in_range(bench->microcode, 20 * loops - 20, 20 * loops + 20);
	assert_in_range(PLAIN(MS_UOPS), 20 * loops - 40, 20 * loops + 40);
	assert_in_range(PLAIN(MS_SWITCHES), loops - 2, loops + 2);
	assert_true(bench->lost[VCORE_LACKS_DECODED] > 0);
}

/*
 * Returns the index of the next instruction. An instruction with a REP prefix is repeated 16 times.
 */
static unsigned int repeat_insn(struct bench *bench, unsigned int at)
{
	if (bench->insn[at].rep && bench->steps % 17 < 16)
		return at;
	return (at + 1) % bench->nr;
}

TEST_BETWEEN(repeated_strings_come_from_the_sequencer, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *insn;

	bench->next = repeat_insn;
	bench_fill(bench, 7, 4, 1);
	insn = bench_add(bench, 4, 4);
	insn->rep = true;
	insn->microcoded = true;
	insn->filler = 20;
	insn->nr_slots += 20;
	bench_start(bench);
	bench->most = 17;
	bench_run(bench, 200);
	assert_int_equal(bench->slots, 7 + 24 + 9 * 4);
	assert_int_equal(PLAIN(MS_SWITCHES), 1);
}

/*
 * Makes a loop of eight instructions. The last two fuse if the mask @conditions has the condition
 * of the branch.
 */
static void fusion_program(struct bench *bench, unsigned int conditions)
{
	bench_fill(bench, 6, 4, 1);
	bench_add(bench, 4, 1)->fuses = conditions;
	bench_branch(bench, VCORE_CONDITIONAL, 4)->condition = 2;
}

TEST_BETWEEN(a_test_fuses_with_its_branch, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	fusion_program(bench, 3);
	run_and_measure(bench);
	assert_in_range(bench->fused, bench->slots / 7 - 1,
			bench->slots / 7 + 1);
	assert_int_equal(bench->mispredicted, 0);
}

TEST_BETWEEN(a_test_does_not_fuse_with_another_condition, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	fusion_program(bench, 5);
	run_and_measure(bench);
	assert_int_equal(bench->fused, 0);
}

/*
 * The instruction has two load uops, but the step has five accesses: each of the three surplus
 * accesses takes a slot.
 */
static void five_loads(struct bench *bench, struct vcore_step *step)
{
	(void)bench;
	step->nr_accesses = 5;
}

TEST_BETWEEN(surplus_accesses_are_slots, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *insn = bench_add(bench, 4, 2);

	insn->uop[0].type = VCORE_LOAD;
	insn->uop[1].type = VCORE_LOAD;
	bench->step = five_loads;
	bench->most = 10;
	bench_start(bench);
	bench_run(bench, 200);
	assert_int_equal(bench->slots, 50);
	/* No decoder takes an instruction of five slots. */
	assert_int_equal(bench->microcode, 50);
}

TEST_BETWEEN(fused_uops_take_one_slot, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *insn = bench_add(bench, 4, 4);

	insn->uop[1].fused = true;
	insn->uop[3].fused = true;
	insn->nr_slots = 2;
	bench->most = 10;
	bench_start(bench);
	bench_run(bench, 200);
	assert_int_equal(bench->slots, 20);
}

static void big_code(struct bench *bench)
{
	bench_fill(bench, 12287, 8, 1);
	bench_branch(bench, VCORE_JUMP, 8);
}

TEST_BETWEEN(instruction_cache_misses_stall_fetch, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench->ideal.l1i = false;
	big_code(bench);
	bench_start(bench);
	bench_run(bench, 100000);
	bench_clear(bench);
	bench_run(bench, 100000);
	assert_true(PLAIN(ICACHE_MISSES) > bench->slots / 8 / 2);
	assert_true(PLAIN(ICACHE_STALL) > 100000 / 3);
	assert_true(bench->lost[VCORE_LACKS_CODE] >
		    bench->lost[VCORE_LACKS_DECODED]);
	assert_true(PLAIN(IDQ_EMPTY) > 0);
}

TEST_BETWEEN(a_perfect_instruction_cache_has_no_misses, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	big_code(bench);
	run_and_measure(bench);
	assert_int_equal(PLAIN(ICACHE_MISSES), 0);
	assert_int_equal(PLAIN(ICACHE_STALL), 0);
	assert_int_equal(bench->lost[VCORE_LACKS_CODE], 0);
}

/* The code has more taken branches than the BTB has entries for. */
TEST_BETWEEN(branches_beyond_the_btb_resteer, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < 10000; i++) {
		bench_branch(bench, VCORE_JUMP, 2);
		bench->end += 2;
	}
	bench_start(bench);
	bench_run(bench, 200000);
	bench_clear(bench);
	bench_run(bench, 100000);
	assert_true(PLAIN(BACLEARS) > bench->slots * 9 / 10);
	assert_true(bench->lost[VCORE_LACKS_DECODED] > 300000);
	assert_int_equal(bench->mispredicted, 0);
}

static unsigned int random_branch(struct bench *bench, unsigned int at)
{
	if (at == 7 && bench_draw(bench->steps) & 1)
		return 0;
	return (at + 1) % bench->nr;
}

static void random_program(struct bench *bench)
{
	bench->next = random_branch;
	bench_fill(bench, 7, 4, 1);
	bench_branch(bench, VCORE_CONDITIONAL, 2);
	bench_fill(bench, 8, 4, 1);
	bench_branch(bench, VCORE_JUMP, 2);
}

TEST_BETWEEN(mispredicted_branches_deliver_wrong_path_slots, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	uint64_t steps;

	random_program(bench);
	bench_start(bench);
	bench_run(bench, WARM);
	bench_clear(bench);
	steps = bench->expected;
	bench_run(bench, 100 * CYCLES);
	steps = bench->expected - steps;
	/*
	 * One of 12.5 instructions is a conditional branch, and half of these branches are
	 * mispredicted.
	 */
	assert_in_range(bench->mispredicted, steps / 30, steps / 21);
	assert_true(bench->wrong > 15 * bench->mispredicted);
	assert_true(bench->wrong <= 4 * 13 * bench->mispredicted);
	assert_true(bench->lost[VCORE_LACKS_PATH] >=
		    4 * vcore_ivb.front.resteer * (bench->mispredicted - 1));
}

TEST_BETWEEN(perfect_prediction_has_no_mispredictions, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench->ideal.bpred = true;
	random_program(bench);
	run_and_measure(bench);
	assert_int_equal(bench->mispredicted, 0);
	assert_int_equal(bench->wrong, 0);
	assert_int_equal(PLAIN(BACLEARS), 0);
}

/* Checks that fetch waits once in each iteration until all older instructions have retired. */
static void assert_drains(struct bench *bench)
{
	uint64_t loops;

	run_and_measure(bench);
	loops = bench->slots / 16;
	assert_in_range(loops, 10, CYCLES / vcore_ivb.front.serialise);
	assert_true(bench->lost[VCORE_LACKS_ORDER] >=
		    4 * loops * vcore_ivb.front.serialise);
}

TEST_BETWEEN(a_serialising_instruction_drains_the_pipeline, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 16, 4, 1);
	bench->insn[5].serialises = true;
	assert_drains(bench);
}

TEST_BETWEEN(a_change_of_privilege_level_drains_the_pipeline, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	bench_fill(bench, 32, 4, 1);
	for (i = 16; i < 32; i++)
		bench->insn[i].priv = 0;
	assert_drains(bench);
}

static void interrupt_step(struct bench *bench, struct vcore_step *step)
{
	step->interrupted = bench->at == 3;
	step->jumped |= step->interrupted;
}

TEST_BETWEEN(an_interrupt_drains_the_pipeline, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 15, 4, 1);
	bench_branch(bench, VCORE_CONDITIONAL, 4);
	bench->step = interrupt_step;
	assert_drains(bench);
}

TEST_BETWEEN(a_machine_clear_fetches_again, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	random_program(bench);
	bench_start(bench);
	bench_run(bench, 500);
	if (bench->resolve != UINT64_MAX)
		bench_run(bench, CYCLES);
	bench_clear(bench);
	bench->expected -= 20;
	bench->resolve = UINT64_MAX;
	vcore_front_refetch(bench->front, bench->expected, bench->cycle + 30);
	bench_run(bench, 30);
	assert_int_equal(bench->slots, 0);
	assert_true(bench->lost[VCORE_LACKS_PATH] >= 4 * 30);
	bench_run(bench, 500);
	assert_true(bench->slots > 50);
}

TEST_BETWEEN(all_steps_of_a_trace_are_delivered, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 16, 4, 1);
	bench->most = 100;
	bench_start(bench);
	bench_run(bench, 500);
	assert_int_equal(bench->slots, 100);
	assert_int_equal(vcore_front_lacks(bench->front), VCORE_LACKS_TRACE);
	assert_true(vcore_front_next(bench->front, bench->cycle) == UINT64_MAX);
}

/* The last recorded step is not fetched before another step is recorded, with which it may fuse. */
TEST_BETWEEN(the_last_step_waits_for_the_next, bench_setup, bench_teardown)
{
	struct bench *bench = *test_state;

	bench_fill(bench, 1, 4, 1);
	bench_start(bench);
	bench->trace.step[0] = (struct vcore_step) { .insn = &bench->insn[0] };
	bench->trace.end = 1;
	vcore_front_cycle(bench->front, 1, false, &bench->counts);
	assert_int_equal(vcore_front_lacks(bench->front), VCORE_LACKS_TRACE);
	vcore_front_cycle(bench->front, 2, true, &bench->counts);
	vcore_front_cycle(bench->front, 3, true, &bench->counts);
	assert_true(bench->trace.fetch == 1);
}

static bool randomly_stalled(uint64_t cycle)
{
	return bench_draw(cycle / 37) % 3 == 0;
}

static void mixed_program(struct bench *bench)
{
	struct vcore_insn *insn;

	random_program(bench);
	bench_fill(bench, 3, 5, 2);
	insn = bench_add(bench, 6, 3);
	insn->lcp = true;
	insn = bench_add(bench, 4, 4);
	insn->microcoded = true;
	insn->filler = 9;
	insn->nr_slots += 9;
	bench_fill(bench, 10000, 7, 1);
	bench->insn[3000].serialises = true;
	bench_branch(bench, VCORE_JUMP, 5);
	bench->ideal.l1i = false;
	bench->blocked = randomly_stalled;
}

/*
 * Runs the mixed program, with idle cycles skipped or not, and copies the final state of the bench
 * to *@result.
 */
static void run_mixed(struct bench *bench, bool skip, struct bench *result)
{
	bench->skip = skip;
	mixed_program(bench);
	bench_start(bench);
	bench_run(bench, 100 * CYCLES);
	*result = *bench;
}

TEST_BETWEEN(skipped_cycles_do_not_change_counts, bench_setup, bench_teardown)
{
	static struct bench result[2];
	void *other;

	assert_int_equal(bench_setup(&other), 0);
	run_mixed(other, false, &result[0]);
	bench_teardown(&other);
	run_mixed(*test_state, true, &result[1]);
	assert_true(result[0].slots == result[1].slots);
	assert_true(result[0].wrong == result[1].wrong && result[0].wrong);
	assert_memory_equal(result[0].lost, result[1].lost,
			    sizeof(result[0].lost));
	assert_memory_equal(&result[0].counts, &result[1].counts,
			    sizeof(result[0].counts));
}
