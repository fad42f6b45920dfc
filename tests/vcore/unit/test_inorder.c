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

TEST_FIXTURE(setup)
{
	/* Threads wait so long that no wait times out, however busy the host is. */
	vcore_patience_ms = PATIENCE * 1000;
	return 0;
}

TEST_GROUP(setup, NULL);
