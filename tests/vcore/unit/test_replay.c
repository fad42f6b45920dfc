// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the out-of-order core with loops of real instructions whose number of cycles is known.
 */

#include "replay.h"
#include "test.h"

#define ROUNDS 5000
#define DEC_JNZ "\xff\xc9\x75\x00"
#define NOP4 "\x90\x90\x90\x90"
#define ADD4 "\x48\x01\xd8\x48\x01\xd8\x48\x01\xd8\x48\x01\xd8"
#define JZ_OVER "\x74\x03"

static const struct vcore_ideal real;

static double run_ideal(const void *bytes, unsigned int size,
			struct vcore_counts *counts,
			const struct vcore_ideal *ideal, unsigned int chance)
{
	struct vcore_replay *replay;
	double cycles;

	replay = vcore_replay_new(&vcore_ivb, ideal, bytes, size);
	assert_non_null(replay);
	replay->chance = chance;
	cycles = vcore_replay_cycles(replay, ROUNDS, counts);
	vcore_replay_free(replay);
	return cycles;
}

static void assert_cycles(const void *bytes, unsigned int size, double least,
			  double most)
{
	struct vcore_counts counts;
	double cycles = run_ideal(bytes, size, &counts, &real, 0);

	if (cycles < least || cycles > most)
		fail_msg("%f cycles, not %f to %f", cycles, least, most);
}

#define ASSERT_CYCLES(bytes, least, most) \
	assert_cycles(bytes, sizeof(bytes) - 1, least, most)

/* The loop has 13 slots, one of them for the macro-fused pair; a cycle has four slots. */
TEST(nops_take_a_quarter_cycle)
{
	ASSERT_CYCLES(NOP4 NOP4 NOP4 DEC_JNZ, 3.9, 4.3);
}

/* A macro-fused pair is executed by the port of its branch; NOPs are not executed. */
TEST(a_fused_pair_has_the_port_of_its_branch)
{
	struct vcore_counts counts;
	unsigned int port;

	run_ideal(NOP4 DEC_JNZ, 8, &counts, &real, 0);
	for (port = 0; port < VCORE_MAX_PORTS; port++)
		assert_in_range(counts.ports[port], port == 5 ? ROUNDS - 1 : 0,
				port == 5 ? ROUNDS + 1 : 0);
}

TEST(a_chain_of_additions_takes_1_cycle_each)
{
	ASSERT_CYCLES(ADD4 ADD4 DEC_JNZ, 7.9, 8.3);
}

/* The loop is four times "imul rax, rbx", each of which depends on the one before. */
TEST(a_chain_of_multiplications_takes_3_cycles_each)
{
	ASSERT_CYCLES("\x48\x0f\xaf\xc3\x48\x0f\xaf\xc3"
	      "\x48\x0f\xaf\xc3\x48\x0f\xaf\xc3" DEC_JNZ, 11.9, 12.5);
}

/*
 * The loop is "xor eax, eax" and four times "imul rax, rbx". The "xor" makes an iteration
 * independent of the one before.
 */
TEST(a_zeroing_idiom_makes_iterations_independent)
{
	ASSERT_CYCLES("\x31\xc0\x48\x0f\xaf\xc3\x48\x0f\xaf\xc3"
	      "\x48\x0f\xaf\xc3\x48\x0f\xaf\xc3" DEC_JNZ, 3.9, 4.5);
}

/*
 * The loop is "fadd st(1), st" to "fadd st(4), st": four independent sums that need the same port.
 */
TEST(x87_sums_share_one_adder)
{
	ASSERT_CYCLES("\xdc\xc1\xdc\xc2\xdc\xc3\xdc\xc4" DEC_JNZ, 3.9, 4.5);
}

/* The loop is "fldz; faddp": the push and the pop leave the sum in the same physical register. */
TEST(x87_push_and_pop_keep_the_register)
{
	ASSERT_CYCLES("\xd9\xee\xde\xc1" DEC_JNZ, 2.9, 3.3);
}

/* The loop is "fadd st(1), st; fxch st(2)": each sum depends on the sum two iterations before. */
TEST(x87_exchange_renames_registers)
{
	ASSERT_CYCLES("\xdc\xc1\xd9\xca" DEC_JNZ, 2.9, 3.3);
	ASSERT_CYCLES("\xdc\xc1\xd9\xc9" DEC_JNZ, 2.9, 3.3);
}

/* The loop is twice "mov rax, [rax]", each of which depends on the one before. */
TEST(a_pointer_chase_takes_4_cycles_each)
{
	ASSERT_CYCLES("\x48\x8b\x00\x48\x8b\x00" DEC_JNZ, 7.9, 8.5);
}

/* The loop is twice "mov rax, [rax + rbx]". A perfect ALU does not make loads faster. */
TEST(a_perfect_alu_does_not_shorten_loads)
{
	static const struct vcore_ideal perfect = { .alu = true };
	static const char chase[] =
		"\x48\x8b\x04\x18\x48\x8b\x04\x18" DEC_JNZ;
	struct vcore_counts counts;
	double cycles, ideal;

	cycles = run_ideal(chase, sizeof(chase) - 1, &counts, &real, 0);
	ideal = run_ideal(chase, sizeof(chase) - 1, &counts, &perfect, 0);
	assert_true(cycles > 9.9);
	assert_true(ideal == cycles);
}

/*
 * The loop is "mulpd xmm0, xmm1; addpd xmm0, xmm2". Each instruction depends on the one before;
 * their latencies are 5 and 3 cycles.
 */
TEST(a_vector_chain_has_its_latency)
{
	ASSERT_CYCLES("\x66\x0f\x59\xc1\x66\x0f\x58\xc2" DEC_JNZ, 7.9, 8.5);
}

/* The loop is "mov [rdi], rax; mov rax, [rdi]". The store forwards its data to the load. */
TEST(store_forwarding_has_its_latency)
{
	ASSERT_CYCLES("\x48\x89\x07\x48\x8b\x07" DEC_JNZ, 4.9, 7.5);
}

/* The loop contains a "cpuid", which is microcode and serialises the pipeline. */
TEST(cpuid_serialises_as_microcode)
{
	struct vcore_counts counts;

	run_ideal(NOP4 "\x0f\xa2" DEC_JNZ, 10, &counts, &real, 0);
	assert_in_range(counts.plain[VCORE_MS_SWITCHES], ROUNDS - 1, ROUNDS);
	assert_true(counts.plain[VCORE_CYCLES] >
		    (uint64_t)ROUNDS * vcore_ivb.front.serialise);
}

/*
 * "bt [rdi], rdx" is a microcode flow of nine slots. From one flow to the next there is no switch
 * to the sequencer, but each flow starts in a new cycle: it needs three cycles for 4, 4 and 1
 * slots.
 */
#define BT "\x48\x0f\xa3\x17"
TEST(consecutive_microcode_is_one_switch)
{
	static const char flows[] = BT BT BT BT BT BT DEC_JNZ;
	struct vcore_counts counts;

	run_ideal(flows, sizeof(flows) - 1, &counts, &real, 0);
	assert_in_range(counts.plain[VCORE_MS_SWITCHES], ROUNDS - 1, ROUNDS);
	assert_in_range(counts.plain[VCORE_MS_UOPS], 54 * (ROUNDS - 1),
			54 * ROUNDS);
	assert_in_range(counts.plain[VCORE_MS_CYCLES_ANY], 18 * (ROUNDS - 1),
			18 * ROUNDS);
	assert_in_range(counts.plain[VCORE_MS_CYCLES_4], 12 * (ROUNDS - 1),
			12 * ROUNDS);
}

/*
 * A jump after an instruction that is no branch counts as an interrupt, and costs a serialisation.
 */
TEST(a_jump_without_a_branch_costs_a_serialisation_a_round)
{
	struct vcore_counts counts;

	run_ideal("\x90", 1, &counts, &real, 0);
	assert_true(counts.plain[VCORE_CYCLES] >
		    (uint64_t)ROUNDS * vcore_ivb.front.serialise);
}

#define JUMPY NOP4 NOP4 JZ_OVER "\x48\x01\xd8" NOP4 NOP4 DEC_JNZ

/* The loop contains a "jz" of random direction: about half of its executions are mispredicted. */
TEST(half_of_random_branches_are_mispredicted)
{
	struct vcore_counts counts;

	run_ideal(JUMPY, sizeof(JUMPY) - 1, &counts, &real, 128);
	assert_in_range(counts.plain[VCORE_MISPREDICTS], ROUNDS * 4 / 10,
			ROUNDS * 6 / 10);
	assert_true(counts.plain[VCORE_MISPREDICTS_CONDITIONAL] ==
		    counts.plain[VCORE_MISPREDICTS]);
	assert_true(counts.plain[VCORE_WRONG_SLOTS] > 0);
}

TEST(perfect_prediction_saves_the_mispredictions)
{
	static const struct vcore_ideal perfect = { .bpred = true };
	struct vcore_counts counts;
	double cycles, ideal, wrong;

	cycles = run_ideal(JUMPY, sizeof(JUMPY) - 1, &counts, &real, 128);
	wrong = (double)counts.plain[VCORE_MISPREDICTS] / ROUNDS;
	ideal = run_ideal(JUMPY, sizeof(JUMPY) - 1, &counts, &perfect, 128);
	assert_int_equal(counts.plain[VCORE_MISPREDICTS], 0);
	/* The published costs of a mispredicted branch are 14 to 20 cycles. */
	assert_true((cycles - ideal) / wrong > 12);
	assert_true((cycles - ideal) / wrong < 22);
}
