// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of Xeon Phi's in-order core: the minimum CPI with one to four threads, pairing of
 * instructions, cache misses, and halted threads.
 */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "entry/entry.h"
#include "memory/hierarchy.h"
#include "test.h"

#define THREADS 4
#define BODY 32
#define ROUNDS 20000
#define PC 0x400000
/*
 * Patience with a thread that does not advance, in seconds: longer than any delay by the host's
 * scheduler.
 */
#define PATIENCE 120

static const struct vcore_ideal real;

/**
 * struct thread - a hardware thread and the loop that it executes
 * @core: state of the thread
 * @body: instructions of the loop; the last one is the branch back
 * @rounds: number of iterations that this thread has executed when the fastest thread has executed
 *	ROUNDS iterations
 * @load: stride in bytes of the loads by the first instruction of the loop, 0 for no loads
 * @store: these are stores
 * @host: host thread that simulates the thread
 */
struct thread {
	struct vcore *core;
	struct vcore_insn body[BODY];
	unsigned int rounds;
	uint64_t load;
	bool store;
	pthread_t host;
};

static bool stop;

static pthread_barrier_t start_barrier;

static void create_thread(struct thread *t, unsigned int cpu, bool chained)
{
	struct vcore_insn *insn;
	unsigned int i;

	memset(t->body, 0, sizeof(t->body));
	t->load = 0;
	t->store = false;
	t->rounds = 0;
	for (i = 0; i < BODY; i++) {
		insn = &t->body[i];
		insn->pc = PC + 4 * i;
		insn->pa = insn->pc;
		insn->size = 4;
		insn->priv = 1;
		insn->nr_uops = 1;
		insn->nr_slots = 1;
		insn->knc_latency = 1;
		insn->uop[0].result[0] = VCORE_REG_GP + (chained ? 0 : i % 8);
		insn->uop[0].source[0] = insn->uop[0].result[0];
	}
	insn->branch = VCORE_CONDITIONAL;
	insn->uop[0].result[0] = 0;
	insn->uop[0].source[0] = 0;
	t->core = vcore_new(&vcore_knc, &real, cpu);
	assert_non_null(t->core);
}

static void *run_thread(void *data)
{
	struct thread *t = data;
	struct vcore_access access = { .size = 8, .store = t->store };
	unsigned int i;

	pthread_barrier_wait(&start_barrier);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (i = 0; i < BODY; i++) {
			vcore_begin(t->core, &t->body[i]);
			if (i || !t->load)
				continue;
			access.va += t->load;
			access.pa = access.va;
			vcore_access(t->core, &access);
		}
		if (++t->rounds == ROUNDS)
			__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	}
	vcore_settle(t->core);
	vcore_halt(t->core, true);
	return NULL;
}

/*
 * Runs the threads until one has executed ROUNDS iterations. A barrier lets all threads start
 * together, however the host schedules them.
 */
static void run_threads(struct thread *threads, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		vcore_begin(threads[i].core, &threads[i].body[0]);
		vcore_settle(threads[i].core);
	}
	stop = false;
	pthread_barrier_init(&start_barrier, NULL, nr);
	for (i = 0; i < nr; i++)
		pthread_create(&threads[i].host, NULL, run_thread, &threads[i]);
	for (i = 0; i < nr; i++)
		pthread_join(threads[i].host, NULL);
	pthread_barrier_destroy(&start_barrier);
}

static uint64_t plain(const struct thread *t, enum vcore_plain what)
{
	return t->core->counts[1].plain[what];
}

/* Returns the CPI of the core: its cycles, divided by the instructions of all threads together. */
static double core_cpi(const struct thread *threads, unsigned int nr)
{
	uint64_t most = 0, rounds = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		rounds += threads[i].rounds;
		if (threads[i].core->cycle > most)
			most = threads[i].core->cycle;
	}
	return (double)most / rounds / BODY;
}

static void free_threads(struct thread *threads, unsigned int nr)
{
	while (nr--)
		vcore_free(threads[nr].core);
}

TEST(a_thread_issues_in_every_other_cycle)
{
	struct thread thread;
	unsigned int i;

	create_thread(&thread, 0, false);
	assert_null(thread.core->ooo);
	vcore_begin(thread.core, &thread.body[0]);
	vcore_settle(thread.core);
	for (i = 1; i < 5; i++) {
		uint64_t before = thread.core->cycle;

		vcore_begin(thread.core, &thread.body[i]);
		vcore_settle(thread.core);
		assert_int_equal(thread.core->cycle, before + 2);
	}
	assert_int_equal(plain(&thread, VCORE_CYCLES), thread.core->cycle);
	free_threads(&thread, 1);
}

/*
 * @least: [number of threads - 1], the minimum CPI of a core, from table 13.2 of the Xeon Phi
 * guide, whose title is in base/params.c.
 */
TEST(a_core_has_its_minimum_cpi)
{
	static const double least[THREADS] = { 1.0, 0.5, 0.5, 0.5 };
	struct thread threads[THREADS];
	unsigned int nr, i;
	double cpi;

	for (nr = 1; nr <= THREADS; nr++) {
		for (i = 0; i < nr; i++)
			create_thread(&threads[i], i, false);
		run_threads(threads, nr);
		cpi = core_cpi(threads, nr);
		print_message("# %u threads: %.3f\n", nr, cpi);
		free_threads(threads, nr);
		if (cpi < least[nr - 1] || cpi > 1.02 * least[nr - 1])
			fail_msg("%u threads: %g cycles per instruction", nr,
				 cpi);
	}
}

TEST(threads_share_issue_cycles_fairly)
{
	struct thread threads[THREADS];
	double cpi[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		create_thread(&threads[i], i, false);
	run_threads(threads, THREADS);
	for (i = 0; i < THREADS; i++)
		cpi[i] = (double)plain(&threads[i], VCORE_CYCLES) /
			 threads[i].rounds / BODY;
	free_threads(threads, THREADS);
	for (i = 0; i < THREADS; i++)
		if (cpi[i] < 1.0 || cpi[i] > 3.0)
			fail_msg("thread %u: %g cycles per instruction", i,
				 cpi[i]);
}

static double cpi_of(struct thread *thread)
{
	double cpi;

	run_threads(thread, 1);
	cpi = core_cpi(thread, 1);
	free_threads(thread, 1);
	return cpi;
}

TEST(dependent_instructions_do_not_pair)
{
	struct thread thread;
	double cpi;

	create_thread(&thread, 0, true);
	cpi = cpi_of(&thread);
	if (cpi < 1.9 || cpi > 2.0)
		fail_msg("%g cycles per instruction", cpi);
}

/* Each second instruction has a second uop that writes the register of the instruction before. */
TEST(a_second_uop_with_the_same_result_does_not_pair)
{
	struct thread thread;
	unsigned int i;
	double cpi;

	create_thread(&thread, 0, false);
	for (i = 1; i < BODY - 1; i += 2) {
		thread.body[i].nr_uops = 2;
		thread.body[i].uop[1].result[0] = thread.body[i - 1].uop[0].result[0];
		thread.body[i + 1].uop[0].source[0] = thread.body[i].uop[0].result[0];
	}
	cpi = cpi_of(&thread);
	if (cpi < 1.9 || cpi > 2.0)
		fail_msg("%g cycles per instruction", cpi);
}

/*
 * Two instructions pair unless the first one leads elsewhere, they have different privilege levels,
 * or one of them does not pair, or not as the second.
 */
TEST(instructions_pair_only_where_both_may)
{
	static struct thread thread;
	unsigned int i, what;
	double cpi;

	for (what = 0; what < 5; what++) {
		create_thread(&thread, 0, false);
		for (i = 0; i < BODY - 1; i++) {
			thread.body[i].pair_u = what == 1;
			thread.body[i].pair_none = what == 2 && i % 2;
			thread.body[i].priv = what == 3 ? i % 2 : 1;
			if (what < 4)
				continue;
			/* Each instruction is a jump over the next one's place. */
			thread.body[i].branch = VCORE_JUMP;
			thread.body[i].pc += 4 * i;
			thread.body[i].pa = thread.body[i].pc;
		}
		cpi = cpi_of(&thread);
		if (what ? cpi < 1.9 : cpi > 1.1)
			fail_msg("case %u: %g cycles per instruction", what, cpi);
	}
}

TEST(vector_instructions_and_elements_are_counted)
{
	struct thread thread;

	create_thread(&thread, 0, false);
	thread.body[3].vector_elements = 4;
	thread.body[5].vector_elements = 2;
	run_threads(&thread, 1);
	assert_int_equal(plain(&thread, VCORE_VPU_INSTRUCTIONS), 2 * ROUNDS);
	assert_int_equal(plain(&thread, VCORE_VPU_ELEMENTS), 6 * ROUNDS);
	free_threads(&thread, 1);
}

/*
 * A pair issues in each second cycle. After a serialising instruction the thread waits for 10
 * cycles; microcode of five slots issues in five of its cycles.
 */
TEST(serialising_instructions_and_microcode_take_their_cycles)
{
	struct thread thread;
	double cpi[2];
	unsigned int i;

	for (i = 0; i < 2; i++) {
		create_thread(&thread, 0, false);
		thread.body[4].serialises = !i;
		thread.body[4].microcoded = i;
		thread.body[4].nr_slots = i ? 5 : 1;
		run_threads(&thread, 1);
		cpi[i] = core_cpi(&thread, 1);
		free_threads(&thread, 1);
	}
	for (i = 0; i < 2; i++)
		if (cpi[i] < 40.0 / BODY || cpi[i] > 40.3 / BODY)
			fail_msg("%g cycles per instruction", cpi[i]);
}

/* Stores that miss are counted as such and do not block; prefetches are neither. */
TEST(stores_and_prefetches_do_not_block)
{
	struct thread thread;
	uint64_t misses;

	create_thread(&thread, 0, false);
	thread.load = 3 * 64;
	thread.store = true;
	run_threads(&thread, 1);
	assert_in_range(plain(&thread, VCORE_DATA_WRITE), ROUNDS, ROUNDS + 1);
	misses = plain(&thread, VCORE_DATA_WRITE_MISS) + plain(&thread, VCORE_L1_HIT_INFLIGHT);
	assert_in_range(misses, ROUNDS - 1, ROUNDS + 1);
	assert_int_equal(plain(&thread, VCORE_DATA_READ), 0);
	assert_int_equal(plain(&thread, VCORE_DATA_READ_MISS), 0);
	if (core_cpi(&thread, 1) > 2)
		fail_msg("%g cycles per instruction", core_cpi(&thread, 1));
	free_threads(&thread, 1);
	create_thread(&thread, 0, false);
	thread.load = 3 * 64;
	thread.body[0].prefetch = true;
	run_threads(&thread, 1);
	assert_int_equal(plain(&thread, VCORE_DATA_READ), 0);
	assert_int_equal(plain(&thread, VCORE_DATA_READ_MISS), 0);
	if (core_cpi(&thread, 1) > 1.1)
		fail_msg("%g cycles per instruction", core_cpi(&thread, 1));
	free_threads(&thread, 1);
}

/* A load that misses the caches blocks its thread until its data arrive. */
TEST(a_miss_blocks_its_thread)
{
	struct thread thread;
	uint64_t misses;

	create_thread(&thread, 0, false);
	thread.body[0].uop[0].type = VCORE_LOAD;
	thread.load = 3 * 64;
	run_threads(&thread, 1);
	assert_in_range(plain(&thread, VCORE_DATA_READ), ROUNDS, ROUNDS + 1);
	misses = plain(&thread, VCORE_DATA_READ_MISS) +
		 plain(&thread, VCORE_L1_HIT_INFLIGHT);
	assert_in_range(misses, ROUNDS - 1, ROUNDS + 1);
	assert_true(plain(&thread, VCORE_PAGE_WALK) >= ROUNDS * 3 / 64);
	assert_true(plain(&thread, VCORE_PAGE_WALK) >=
		    plain(&thread, VCORE_LONG_PAGE_WALK));
	assert_true(plain(&thread, VCORE_CYCLES) >= 100ull * ROUNDS);
	assert_true(plain(&thread, VCORE_EXEC_STAGE_CYCLES) <=
		    (uint64_t)BODY * ROUNDS);
	free_threads(&thread, 1);
}

/*
 * A thread that resumes continues at the clock of the other thread, even if the other thread has
 * halted in the meantime.
 */
TEST(a_thread_resumes_at_the_clock_of_the_core)
{
	struct thread threads[2];
	uint64_t before;
	unsigned int i;

	for (i = 0; i < 2; i++)
		create_thread(&threads[i], i, false);
	run_threads(threads, 1);
	before = threads[0].core->cycle;
	run_threads(threads + 1, 1);
	assert_true(threads[1].core->cycle >= before + ROUNDS);
	before = threads[1].core->cycle;
	vcore_begin(threads[0].core, &threads[0].body[0]);
	vcore_settle(threads[0].core);
	assert_true(threads[0].core->cycle >= before);
	free_threads(threads, 2);
}

TEST(core_cycles_are_counted_while_any_thread_runs)
{
	struct thread threads[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		create_thread(&threads[i], i, false);
	run_threads(threads, 2);
	run_threads(threads + 2, 1);
	for (i = 0; i < THREADS; i++) {
		vcore_settle(threads[i].core);
		assert_int_equal(threads[i].core->counts[0]
				 .plain[VCORE_CORE_CYCLES] +
				 plain(&threads[i], VCORE_CORE_CYCLES),
				 threads[2].core->cycle);
	}
	assert_true(plain(&threads[0], VCORE_CYCLES) <
		    threads[2].core->cycle - ROUNDS);
	free_threads(threads, THREADS);
}

TEST(core_cycles_before_a_thread_s_creation_are_not_counted)
{
	struct thread threads[2];

	create_thread(&threads[0], 0, false);
	run_threads(threads, 1);
	create_thread(&threads[1], 1, false);
	vcore_settle(threads[1].core);
	assert_int_equal(threads[1].core->counts[0].plain[VCORE_CORE_CYCLES], 0);
	free_threads(threads, 2);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Threads that wait for each other are woken when they may run, long before the timeout. */
TEST(waiting_threads_are_woken_before_the_timeout)
{
	struct thread threads[2];
	double begin = seconds();
	unsigned int i;

	for (i = 0; i < 2; i++) {
		create_thread(&threads[i], i, false);
		threads[i].body[0].uop[0].type = VCORE_LOAD;
		threads[i].load = 3 * 64;
	}
	run_threads(threads, 2);
	assert_true(seconds() - begin < PATIENCE);
	free_threads(threads, 2);
}

/* vcore_settle() must not wait for other threads: its caller may hold a lock that these need. */
TEST(settling_does_not_wait)
{
	struct vcore_access access = { .size = 8 };
	struct thread threads[2];
	double begin = seconds();
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		create_thread(&threads[i], i, false);
		threads[i].body[0].uop[0].type = VCORE_LOAD;
	}
	for (k = 0; k < 20; k++) {
		vcore_begin(threads[1].core, &threads[1].body[1]);
		vcore_settle(threads[1].core);
		for (i = 0; i < 12 * BODY; i++) {
			vcore_begin(threads[0].core, &threads[0].body[i % BODY]);
			access.va += 64 * 3;
			access.pa = access.va;
			if (i % BODY == 0)
				vcore_access(threads[0].core, &access);
		}
		vcore_settle(threads[0].core);
	}
	assert_true(seconds() - begin < PATIENCE);
	free_threads(threads, 2);
}

/* Lets a thread execute one instruction. Returns the cycle in which it issues. */
static uint64_t issue(struct thread *t, unsigned int i)
{
	vcore_begin(t->core, &t->body[i]);
	vcore_settle(t->core);
	return t->core->cycle - 1;
}

/* Lets a thread execute an instruction that loads or stores 8 bytes. */
static uint64_t issue_access(struct thread *t, unsigned int i, uint64_t address, bool store)
{
	struct vcore_access access = { .va = address, .pa = address, .size = 8, .store = store };

	vcore_begin(t->core, &t->body[i]);
	vcore_access(t->core, &access);
	vcore_settle(t->core);
	return t->core->cycle - 1;
}

/* Creates a thread whose code has been fetched. */
static void create_warm(struct thread *t, unsigned int cpu)
{
	create_thread(t, cpu, false);
	issue(t, BODY / 2);
	issue(t, 0);
}

/*
 * Threads that issue in turn need two cycles each, one after the other: with three or four threads,
 * each waits until the others have had a cycle.
 */
TEST(threads_that_issue_in_turn_have_a_cycle_each)
{
	struct thread threads[THREADS];
	uint64_t at[THREADS], before[THREADS] = { 0 };
	unsigned int nr, i, k, round;

	for (nr = 1; nr <= THREADS; nr++) {
		for (i = 0; i < nr; i++)
			create_warm(&threads[i], i);
		for (round = 0; round < 20; round++) {
			for (i = 0; i < nr; i++)
				at[i] = issue(&threads[i], 1 + round % 8);
			for (i = 0; round >= 10 && i < nr; i++) {
				assert_int_equal(at[i] - before[i], nr < 2 ? 2 : nr);
				for (k = 0; k < i; k++)
					assert_int_not_equal(at[i], at[k]);
			}
			memcpy(before, at, sizeof(before));
		}
		/* Microcode takes the cycles that follow, whoever has them. */
		threads[0].body[9].microcoded = true;
		threads[0].body[9].nr_slots = 3;
		threads[0].body[9].filler = 2;
		assert_int_equal(issue(&threads[0], 9) - before[0], (nr < 2 ? 2 : nr) + 4 * 2);
		if (nr == 2) {
			/* The result of three cycles is there in a cycle of the microcode. */
			threads[1].body[1].knc_latency = 3;
			threads[1].body[2].uop[0].source[1] = threads[1].body[1].uop[0].result[0];
			at[1] = issue(&threads[1], 1);
			assert_int_equal(issue(&threads[1], 2) - at[1], 3 + 1);
		}
		free_threads(threads, nr);
	}
}

/* An instruction issues when all its operands are ready, but at the earliest in the cycle after next. */
TEST(an_instruction_waits_for_its_operands)
{
	static const struct {
		uint8_t latency;
		bool depends;
		uint64_t cycles;
	} all[] = {
		{ 9, true, 9 }, { 9, false, 2 }, { 1, true, 2 }, { 2, true, 2 }, { 3, true, 3 },
	};
	struct thread thread;
	unsigned int i, k;
	uint64_t begin;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		for (k = 0; k < VCORE_MAX_SOURCES; k++) {
			create_warm(&thread, 0);
			thread.body[1].knc_latency = all[i].latency;
			thread.body[1].nr_uops = 2;
			thread.body[1].uop[1].result[1] = VCORE_REG_VECTOR;
			thread.body[2].nr_uops = 2;
			if (all[i].depends)
				thread.body[2].uop[1].source[k] = VCORE_REG_VECTOR;
			begin = issue(&thread, 1);
			assert_int_equal(issue(&thread, 2) - begin, all[i].cycles);
			/* It is not the latency of the instruction itself that delays the next one. */
			assert_int_equal(issue(&thread, 3) - begin, all[i].cycles + 2);
			free_threads(&thread, 1);
		}
	}
}

/* What an instruction pushes or pops decides where the next one finds the result. */
TEST(x87_registers_are_found_below_the_top)
{
	static const struct {
		int8_t pops;
		unsigned int result;
		unsigned int source;
		bool depends;
	} all[] = {
		{ 0, 0, 0, true }, { 0, 0, 1, false }, { 0, 2, 2, true },
		{ -1, 0, 0, true }, { -1, 0, 1, false }, { -1, 0, 7, false },
		{ 1, 1, 0, true }, { 1, 1, 1, false }, { 1, 0, 7, true },
	};
	struct thread thread;
	unsigned int i;
	uint64_t begin;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		create_warm(&thread, 0);
		thread.body[1].knc_latency = 9;
		thread.body[1].x87_pops = all[i].pops;
		thread.body[1].uop[0].result[0] = VCORE_REG_X87 + all[i].result;
		thread.body[2].uop[0].source[0] = VCORE_REG_X87 + all[i].source;
		begin = issue(&thread, 1);
		assert_int_equal(issue(&thread, 2) - begin, all[i].depends ? 9 : 2);
		free_threads(&thread, 1);
	}
}

static void reads_the_result(struct vcore_insn *u, struct vcore_insn *v)
{
	v->uop[0].source[3] = u->uop[0].result[0];
}

static void writes_the_result(struct vcore_insn *u, struct vcore_insn *v)
{
	v->uop[0].result[1] = u->uop[0].result[0];
}

static void writes_an_operand(struct vcore_insn *u, struct vcore_insn *v)
{
	u->uop[0].source[1] = v->uop[0].result[0];
}

static void reads_a_second_uop(struct vcore_insn *u, struct vcore_insn *v)
{
	u->nr_uops = 2;
	u->uop[1].result[1] = VCORE_REG_VECTOR;
	v->nr_uops = 2;
	v->uop[1].source[0] = VCORE_REG_VECTOR;
}

static void both_write_flags(struct vcore_insn *u, struct vcore_insn *v)
{
	u->uop[0].result[1] = VCORE_REG_FLAGS;
	v->uop[0].result[1] = VCORE_REG_FLAGS;
}

static void reads_flags(struct vcore_insn *u, struct vcore_insn *v)
{
	u->uop[0].result[1] = VCORE_REG_FLAGS;
	v->uop[0].source[1] = VCORE_REG_FLAGS;
}

static void is_first_only(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)v;
	u->pair_u = true;
}

static void is_second_but_first_only(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)u;
	v->pair_u = true;
}

static void is_first_but_alone(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)v;
	u->pair_none = true;
}

static void is_second_but_alone(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)u;
	v->pair_none = true;
}

/* The register is the result of the instruction before both, which takes long. */
static void waits_for_an_operand(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)u;
	v->uop[0].source[1] = VCORE_REG_OTHER;
}

static void differ(struct vcore_insn *u, struct vcore_insn *v)
{
	(void)u;
	(void)v;
}

TEST(a_pair_has_no_dependence)
{
	static const struct {
		void (*change)(struct vcore_insn *u, struct vcore_insn *v);
		bool pairs;
	} all[] = {
		{ differ, true }, { reads_the_result, false }, { writes_the_result, false },
		{ writes_an_operand, true }, { reads_a_second_uop, false },
		{ both_write_flags, true }, { reads_flags, false }, { is_first_only, true },
		{ is_second_but_first_only, false }, { is_first_but_alone, false },
		{ is_second_but_alone, false }, { waits_for_an_operand, false },
	};
	struct thread thread;
	unsigned int i;
	uint64_t begin;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_counts *counts;
		bool pairs = all[i].pairs;

		create_warm(&thread, 0);
		counts = &thread.core->counts[1];
		thread.body[1].uop[0].result[1] = VCORE_REG_OTHER;
		thread.body[1].knc_latency = 9;
		all[i].change(&thread.body[2], &thread.body[3]);
		begin = issue(&thread, 1);
		memset(counts, 0, sizeof(*counts));
		vcore_begin(thread.core, &thread.body[2]);
		vcore_begin(thread.core, &thread.body[3]);
		vcore_settle(thread.core);
		assert_int_equal(counts->cycles_with[VCORE_ISSUED][2], pairs);
		assert_int_equal(counts->cycles_with[VCORE_ISSUED][1], pairs ? 0 : 2);
		assert_int_equal(counts->cycles_with[VCORE_RETIRED][2], pairs);
		assert_int_equal(counts->cycles_with[VCORE_RETIRED][1], pairs ? 0 : 2);
		assert_int_equal(counts->plain[VCORE_EXEC_STAGE_CYCLES], pairs ? 1 : 2);
		assert_int_equal(thread.core->cycle - 1 - begin,
				 all[i].change == waits_for_an_operand ? 9 : pairs ? 2 : 4);
		assert_int_equal(counts->plain[VCORE_CYCLES], thread.core->cycle - 1 - begin);
		free_threads(&thread, 1);
	}
}

/* Cycles from an instruction to the next one, of which the first one costs more than an issue cycle. */
TEST(what_empties_the_pipeline_takes_its_cycles)
{
	unsigned int i, wrong = 0, right = 0;
	struct thread thread;
	uint64_t at, missed;

	create_warm(&thread, 0);
	thread.body[2].serialises = true;
	at = issue(&thread, 2);
	at = issue(&thread, 3) - at;
	assert_int_equal(at, 10);
	/* An instruction that faults, and one behind which an interrupt comes. */
	vcore_begin(thread.core, &thread.body[4]);
	vcore_fault(thread.core);
	vcore_settle(thread.core);
	at = thread.core->cycle - 1;
	assert_int_equal(issue(&thread, 4) - at, 10);
	at = thread.core->cycle - 1;
	vcore_begin(thread.core, &thread.body[5]);
	vcore_begin(thread.core, &thread.body[9]);
	vcore_settle(thread.core);
	assert_int_equal(thread.core->cycle - 1 - at, 2 + 10);
	/* A branch costs five cycles if its direction was mispredicted. */
	thread.body[6].branch = VCORE_CONDITIONAL;
	for (i = 0; i < 200; i++) {
		missed = plain(&thread, VCORE_MISPREDICTS);
		vcore_begin(thread.core, &thread.body[6]);
		vcore_next(thread.core, thread.body[0x9d3a5c1f >> i % 32 & 1 ? 9 : 7].pc, 1);
		vcore_settle(thread.core);
		at = thread.core->cycle - 1;
		missed = plain(&thread, VCORE_MISPREDICTS) - missed;
		assert_in_range(missed, 0, 1);
		assert_int_equal(issue(&thread, 10) - at, missed ? 5 : 2);
		wrong += missed;
		right += !missed;
	}
	assert_true(wrong && right);
	assert_int_equal(plain(&thread, VCORE_MISPREDICTS_CONDITIONAL), 0);
	free_threads(&thread, 1);
}

#define PAGE 4096
#define DATA 0x10000000ull

/*
 * A load blocks its thread until it has its data, unless it hits the L1D. A store does not, as long as
 * a fill buffer is free.
 */
TEST(accesses_block_for_their_latencies)
{
	const struct vcore_memory_params *p = &vcore_knc.memory;
	struct thread thread;
	uint64_t at, first;
	unsigned int i;

	create_warm(&thread, 0);
	issue_access(&thread, 1, DATA, false);
	at = issue_access(&thread, 2, DATA, false);
	memset(&thread.core->counts[1], 0, sizeof(thread.core->counts[1]));
	/* A hit, and a miss of all caches. */
	first = issue_access(&thread, 3, DATA + 64, false);
	assert_int_equal(first - at, 2);
	at = issue_access(&thread, 4, DATA + 64, false);
	assert_int_equal(at - first, p->memory);
	assert_int_equal(plain(&thread, VCORE_DATA_READ), 2);
	assert_int_equal(plain(&thread, VCORE_DATA_READ_MISS), 1);
	assert_int_equal(plain(&thread, VCORE_PAGE_WALK), 0);
	/* A store that misses, and a load that finds the line on its way. */
	first = issue_access(&thread, 5, DATA + 2 * 64, true);
	at = issue_access(&thread, 6, DATA + 2 * 64, false);
	assert_int_equal(at - first, 2);
	assert_int_equal(issue(&thread, 7) - first, p->memory);
	assert_int_equal(plain(&thread, VCORE_DATA_WRITE), 1);
	assert_int_equal(plain(&thread, VCORE_DATA_WRITE_MISS), 1);
	assert_int_equal(plain(&thread, VCORE_DATA_READ), 3);
	assert_int_equal(plain(&thread, VCORE_DATA_READ_MISS), 1);
	assert_int_equal(plain(&thread, VCORE_L1_HIT_INFLIGHT), 1);
	/* A page of which no TLB knows: its walk finds the directory, and the line of its entry. */
	at = issue_access(&thread, 8, DATA + PAGE, false);
	assert_int_equal(issue(&thread, 9) - at, p->stlb.latency + p->walk + p->memory);
	assert_int_equal(plain(&thread, VCORE_PAGE_WALK), 1);
	assert_int_equal(plain(&thread, VCORE_LONG_PAGE_WALK), 1);
	/* Four other pages of its set make it leave the DTLB; the STLB has been filled by them, too. */
	for (i = 1; i <= 4; i++)
		issue_access(&thread, 10, DATA + PAGE + 16 * i * PAGE, true);
	assert_int_equal(plain(&thread, VCORE_PAGE_WALK), 5);
	free_threads(&thread, 1);
}

/* Stores that miss take a fill buffer each; one that finds none blocks until the first one is free. */
TEST(stores_block_without_a_fill_buffer)
{
	unsigned int i, fills = vcore_knc.memory.fills;
	struct thread thread;
	uint64_t first, at;

	create_warm(&thread, 0);
	vcore_memory_prefetchers(thread.core->memory, 15);
	issue_access(&thread, 1, DATA, false);
	issue(&thread, 2);
	first = issue_access(&thread, 3, DATA + 64, true);
	for (i = 1; i < fills; i++)
		assert_int_equal(issue_access(&thread, 3, DATA + 64 * (1 + i), true), first + 2 * i);
	at = issue_access(&thread, 3, DATA + 64 * (1 + fills), true);
	assert_int_equal(at, first + 2 * fills);
	assert_int_equal(issue(&thread, 4), first + vcore_knc.memory.memory);
	assert_int_equal(plain(&thread, VCORE_DATA_WRITE), fills + 1);
	/* Non-temporal stores of a line share a buffer, and read no line. */
	thread.body[5].streams = true;
	for (i = 0; i < 8; i++)
		issue_access(&thread, 5, DATA + PAGE / 2 + 8 * i, true);
	assert_int_equal(plain(&thread, VCORE_L2_RFOS), fills + 1);
	free_threads(&thread, 1);
}

/* A line of code that no cache has blocks the thread once. */
TEST(a_line_of_code_is_fetched_once)
{
	uint64_t before, at, jumps;
	struct thread thread;
	unsigned int i;

	create_thread(&thread, 0, false);
	issue(&thread, 0);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 1);
	for (i = 1; i < 16; i++)
		issue(&thread, i);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 1);
	before = thread.core->cycle - 1;
	at = issue(&thread, 16);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 2);
	assert_int_equal(at - before, 2 + vcore_knc.memory.memory);
	/* From one line to the other and back: both are in the L1I. */
	jumps = issue(&thread, 0);
	assert_int_equal(jumps - at, 2);
	assert_int_equal(issue(&thread, 16) - jumps, 2);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 2);
	/* The thread has the line that it has fetched last, even if the L1I loses it. */
	vcore_cache_remove(&thread.core->memory->l1i, thread.body[16].pa / 64);
	issue(&thread, 17);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 2);
	issue(&thread, 0);
	issue(&thread, 18);
	assert_int_equal(plain(&thread, VCORE_ICACHE_MISSES), 3);
	free_threads(&thread, 1);
}

/* Two later steps stay in the trace, one of which may pair with the step before it. */
TEST(the_latest_steps_wait_for_those_behind_them)
{
	struct thread thread;
	unsigned int i;

	create_warm(&thread, 0);
	for (i = 1; i <= 7; i++) {
		vcore_begin(thread.core, &thread.body[i]);
		vcore_advance(thread.core);
	}
	/* The seventh is open. Of the six others, three have issued: one alone, or one of a pair. */
	assert_int_equal(thread.core->trace.end - thread.core->trace.retired, 2);
	vcore_settle(thread.core);
	assert_int_equal(thread.core->trace.end, thread.core->trace.retired);
	free_threads(&thread, 1);
}

/* Lets a thread run on its own until it reaches a cycle. */
static void run_until(struct thread *t, uint64_t cycle)
{
	unsigned int i;

	for (i = 0; t->core->cycle < cycle; i++) {
		vcore_begin(t->core, &t->body[1 + i % 8]);
		vcore_advance(t->core);
	}
}

/*
 * A thread that does not advance delays the others for a while, if they are ahead of it by more than
 * 2000 cycles. It then counts as halted, and goes on at the time of the others.
 */
TEST(a_thread_that_stands_still_counts_as_halted)
{
	unsigned int patience = vcore_patience_ms, still, i;
	struct thread threads[3];
	uint64_t at;

	vcore_patience_ms = 1;
	for (still = 0; still < 3; still++) {
		struct thread *stands = &threads[still], *behind = &threads[(still + 1) % 3];
		struct thread *ahead = &threads[(still + 2) % 3];

		for (i = 0; i < 3; i++)
			create_warm(&threads[i], i);
		at = behind->core->cycle - 1;
		run_until(ahead, at + 1900);
		assert_in_range(issue(behind, 1), at, at + 20);
		/* This one is behind by fewer cycles than the one that stands still. */
		run_until(behind, at + 1500);
		run_until(ahead, at + 3000);
		at = behind->core->cycle - 1;
		assert_in_range(issue(behind, 1), at, at + 20);
		at = behind->core->cycle - 1;
		assert_in_range(issue(stands, 1), at, at + 20);
		free_threads(threads, 3);
	}
	vcore_patience_ms = patience;
}

/* Four threads of adjacent numbers share a core's caches, and the last one frees them. */
TEST(threads_share_the_caches_of_their_core)
{
	struct thread threads[6];
	unsigned int i;

	for (i = 0; i < 6; i++)
		create_thread(&threads[i], i, false);
	for (i = 1; i < 6; i++)
		assert_int_equal(threads[i].core->memory == threads[i - 1].core->memory, i != 4);
	issue(&threads[0], 0);
	issue_access(&threads[0], 1, DATA, false);
	free_threads(threads, 1);
	issue_access(&threads[3], 1, DATA, false);
	assert_int_equal(plain(&threads[3], VCORE_DATA_READ_MISS), 0);
	assert_int_equal(plain(&threads[3], VCORE_ICACHE_MISSES), 0);
	issue_access(&threads[4], 1, DATA, false);
	assert_int_equal(plain(&threads[4], VCORE_DATA_READ_MISS), 1);
	for (i = 1; i < 6; i++)
		vcore_free(threads[i].core);
	create_thread(&threads[0], 0, false);
	issue_access(&threads[0], 1, DATA, false);
	assert_int_equal(plain(&threads[0], VCORE_DATA_READ_MISS), 1);
	free_threads(threads, 1);
}

TEST_FIXTURE(setup)
{
	/* Threads wait so long that no wait times out, however busy the host is. */
	vcore_patience_ms = PATIENCE * 1000;
	return 0;
}

TEST_GROUP(setup, NULL);
