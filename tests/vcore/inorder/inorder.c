// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner: an in-order core with a U and a V pipe. The core's hardware threads share both
 * pipes. A thread never issues in two consecutive cycles, so a single thread reaches at most half
 * of the core's throughput (Xeon Phi guide, table 13.2; base/params.c has its title).
 *
 * Each thread is simulated by the host thread that executes its guest code. A table of the core has
 * the cycles that the threads have reserved for their issue. No thread runs more than SKEW cycles
 * ahead of the slowest running thread. A thread waits at most vcore_patience_ms for another thread,
 * because that thread may need a lock of the emulator that the waiting thread holds.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cycle.h"
#include "core/core.h"
#include "frontend/predictor.h"

#define RESERVATIONS (1u << 15)
#define SKEW 2000
#define MAX_THREADS 4
#define MAX_CORES 64
#define LINE_SHIFT 6
/*
 * A step issues only when the trace has this number of later steps, because the step may pair with
 * the next one. If the trace is complete, its last steps issue, too.
 */
#define LOOKAHEAD 2

unsigned int vcore_patience_ms = 50;

/* Cycles that a mispredicted branch costs: the depth of the pipeline. */
#define MISPREDICT 5
/* Cycles that a serialising instruction or a change of privilege level costs. */
#define SERIALISE 10

/**
 * struct vcore_inorder - a hardware thread of an in-order core
 * @shared: state that the threads of the core share
 * @index: number of the thread in its core
 * @ready: [&enum vcore_reg], first cycle in which the register can be read
 * @x87_top: top of the x87 stack, modulo 8
 * @next: first cycle in which the thread may issue again
 * @counted: cycle up to which VCORE_CORE_CYCLES is counted for the thread
 * @line: virtual address / 64 of the line of code that was fetched last
 * @predictor: branch predictor
 */
struct vcore_inorder {
	struct shared *shared;
	unsigned int index;
	uint64_t ready[VCORE_NR_REGS];
	unsigned int x87_top;
	uint64_t next;
	uint64_t counted;
	uint64_t line;
	struct vcore_predictor *predictor;
};

/**
 * struct shared - state that the threads of an in-order core share
 * @lock: protects all members below and what @memory points to
 * @clock_cond: signalled when a thread has advanced its @clock or has halted
 * @users: number of threads that use the structure
 * @memory: caches and TLBs of the core
 * @reserved: [cycle % RESERVATIONS], cycle + 1 if a thread issues in this cycle
 * @clock: [thread], next cycle that the thread simulates
 * @runs: [thread], true if the thread is not halted; then the other threads wait for its clock
 * @advanced: cycle up to which vcore_memory_advance() has counted
 */
struct shared {
	pthread_mutex_t lock;
	pthread_cond_t clock_cond;
	unsigned int users;
	struct vcore_memory *memory;
	uint64_t reserved[RESERVATIONS];
	uint64_t clock[MAX_THREADS];
	bool runs[MAX_THREADS];
	uint64_t advanced;
};

static pthread_mutex_t cores_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *cores[MAX_CORES];

static uint64_t latest_clock(const struct shared *shared)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		if (shared->clock[i] > most)
			most = shared->clock[i];
	return most;
}

/*
 * Initialises the condition variable. Its timeouts use CLOCK_MONOTONIC, which changes of the
 * wall-clock time do not affect.
 */
static void init_clock_cond(struct shared *shared)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&shared->clock_cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

static struct shared *join_core(const struct vcore *core, unsigned int number)
{
	struct shared *shared;

	pthread_mutex_lock(&cores_lock);
	shared = cores[number % MAX_CORES];
	if (!shared) {
		shared = calloc(1, sizeof(*shared));
		if (!shared)
			abort();
		pthread_mutex_init(&shared->lock, NULL);
		init_clock_cond(shared);
		shared->memory = vcore_memory_new(core->params, core->ideal,
						  number);
		cores[number % MAX_CORES] = shared;
	}
	shared->users++;
	pthread_mutex_unlock(&cores_lock);
	return shared;
}

/**
 * vcore_inorder_new() - create a thread of an in-order core; the first thread creates the core
 * @core: the thread; its &vcore.memory becomes that of the in-order core
 * @cpu: number of the thread in the package; the threads of a core have adjacent numbers
 *
 * Return: the thread; never NULL: the process aborts if the allocation fails.
 */
struct vcore_inorder *vcore_inorder_new(struct vcore *core, unsigned int cpu)
{
	struct vcore_inorder *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->index = cpu % core->params->threads;
	t->shared = join_core(core, cpu / core->params->threads);
	t->predictor = vcore_predictor_new(&core->params->front);
	core->memory = t->shared->memory;
	t->counted = latest_clock(t->shared);
	return t;
}

/**
 * vcore_inorder_free() - free a thread of an in-order core; the last one frees the in-order core
 * @t: thread
 */
void vcore_inorder_free(struct vcore_inorder *t)
{
	struct shared *shared = t->shared;
	unsigned int i;

	pthread_mutex_lock(&cores_lock);
	if (!--shared->users) {
		for (i = 0; i < MAX_CORES; i++)
			if (cores[i] == shared)
				cores[i] = NULL;
		vcore_memory_free(shared->memory);
		pthread_cond_destroy(&shared->clock_cond);
		pthread_mutex_destroy(&shared->lock);
		free(shared);
	}
	pthread_mutex_unlock(&cores_lock);
	vcore_predictor_free(t->predictor);
	free(t);
}

/* Returns the clock of the slowest running thread other than @self, or UINT64_MAX if none runs. */
static uint64_t earliest_other_clock(const struct shared *shared, unsigned int self)
{
	uint64_t least = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		if (i != self && shared->runs[i] && shared->clock[i] < least)
			least = shared->clock[i];
	return least;
}

/*
 * Treats each thread other than @self as halted if its clock is before cycle @until. The thread
 * counts as running again when it runs.
 */
static void assume_halted(struct shared *shared, unsigned int self, uint64_t until)
{
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		if (i != self && shared->clock[i] < until)
			shared->runs[i] = false;
}

static void wait_for_others(struct shared *shared, unsigned int self,
			    uint64_t cycle)
{
	struct timespec end;

	/* The other threads may wait for this thread's clock, which has advanced. */
	pthread_cond_broadcast(&shared->clock_cond);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += vcore_patience_ms * 1000000ull;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	while (earliest_other_clock(shared, self) + SKEW < cycle &&
	       earliest_other_clock(shared, self) != UINT64_MAX)
		if (pthread_cond_timedwait(&shared->clock_cond, &shared->lock,
					   &end)) {
			assume_halted(shared, self, cycle - SKEW);
			return;
		}
}

/*
 * Sets the clock of a thread that begins to run, if the clock is behind. It becomes the clock of
 * the slowest running thread or, if no other thread runs, the latest clock of all threads.
 */
static void start_thread(struct vcore *core)
{
	struct vcore_inorder *t = core->inorder;
	struct shared *shared = t->shared;
	uint64_t now = earliest_other_clock(shared, t->index);

	if (shared->runs[t->index])
		return;
	if (now == UINT64_MAX)
		now = latest_clock(shared);
	if (now > core->cycle) {
		core->cycle = now;
		if (t->next < now)
			t->next = now;
	}
	shared->clock[t->index] = core->cycle;
	shared->runs[t->index] = true;
}

static void inorder_count(struct vcore *core, enum vcore_plain what, uint64_t n)
{
	vcore_counts(core)->plain[what] += n;
}

/*
 * Counts the core's unhalted cycles up to the latest clock of its threads. A core is unhalted while
 * any of its threads runs, so these cycles are counted for every thread.
 */
static void count_core_cycles(struct vcore *core)
{
	struct vcore_inorder *t = core->inorder;
	uint64_t now = latest_clock(t->shared);

	inorder_count(core, VCORE_CORE_CYCLES, now - t->counted);
	t->counted = now;
}

static uint64_t operands_ready(const struct vcore_inorder *t,
			       const struct vcore_insn *insn)
{
	uint64_t ready = 0;
	unsigned int i, k, reg;

	for (i = 0; i < insn->nr_uops; i++)
		for (k = 0; k < VCORE_MAX_SOURCES; k++) {
			reg = vcore_reg_at(insn->uop[i].source[k], t->x87_top);
			ready = vcore_later(ready, t->ready[reg]);
		}
	return ready;
}

static void write_results(struct vcore_inorder *t, const struct vcore_insn *insn,
			  uint64_t done)
{
	unsigned int top = vcore_x87_top(insn, t->x87_top);
	unsigned int i, k;

	for (i = 0; i < insn->nr_uops; i++)
		for (k = 0; k < VCORE_MAX_RESULTS; k++)
			t->ready[vcore_reg_at(insn->uop[i].result[k], top)] =
				done;
	t->ready[VCORE_REG_NONE] = 0;
	t->x87_top += insn->x87_pops;
}

static bool writes_register(const struct vcore_insn *insn, uint8_t reg)
{
	unsigned int i, k;

	for (i = 0; reg && i < insn->nr_uops; i++)
		for (k = 0; k < VCORE_MAX_RESULTS; k++)
			if (insn->uop[i].result[k] == reg)
				return true;
	return false;
}

/* Returns true if @second neither reads nor writes a register that @first writes. */
static bool are_independent(const struct vcore_insn *first,
			    const struct vcore_insn *second)
{
	const struct vcore_uop *uop = second->uop;
	unsigned int i, k;

	for (i = 0; i < second->nr_uops; i++) {
		for (k = 0; k < VCORE_MAX_SOURCES; k++)
			if (writes_register(first, uop[i].source[k]))
				return false;
		for (k = 0; k < VCORE_MAX_RESULTS; k++)
			if (uop[i].result[k] != VCORE_REG_FLAGS &&
			    writes_register(first, uop[i].result[k]))
				return false;
	}
	return true;
}

/* Returns true if @second can issue in the V pipe in the same cycle as @first in the U pipe. */
static bool can_pair(const struct vcore_step *first,
		     const struct vcore_step *second)
{
	const struct vcore_insn *u = first->insn;
	const struct vcore_insn *v = second->insn;

	if (u->pair_none || v->pair_none || v->pair_u || first->jumped ||
	    first->interrupted || u->priv != v->priv)
		return false;
	return are_independent(u, v);
}

static void count_data(struct vcore *core, const struct vcore_access *access,
		       const struct vcore_reply *reply)
{
	static const enum vcore_plain plain[][2] = {
		{ VCORE_DATA_READ, VCORE_DATA_WRITE },
		{ VCORE_DATA_READ_MISS, VCORE_DATA_WRITE_MISS },
	};
	bool store = access->store;

	inorder_count(core, plain[0][store], 1);
	if (reply->stlb_hit || reply->walked)
		inorder_count(core, VCORE_PAGE_WALK, 1);
	if (reply->walked)
		inorder_count(core, VCORE_LONG_PAGE_WALK, 1);
	if (reply->level == VCORE_AT_FILL)
		inorder_count(core, VCORE_L1_HIT_INFLIGHT, 1);
	else if (reply->level > VCORE_AT_FILL)
		inorder_count(core, plain[1][store], 1);
}

static struct vcore_reply try_access(struct vcore *core,
				     const struct vcore_step *step,
				     const struct vcore_access *access,
				     uint64_t cycle)
{
	if (access->store)
		return vcore_memory_store(core->memory, cycle, access,
					  step->insn->streams,
					  vcore_counts(core));
	return vcore_memory_load(core->memory, cycle, step->insn->pc, access,
				 vcore_counts(core));
}

/*
 * Performs a memory access of a step that issues in @cycle. Returns the first cycle in which the
 * thread can issue again: a load that misses blocks the thread, a store does not.
 */
static uint64_t access_memory(struct vcore *core, const struct vcore_step *step,
			      const struct vcore_access *access, uint64_t cycle)
{
	struct vcore_reply reply;

	if (step->insn->prefetch) {
		vcore_memory_prefetch(core->memory, cycle, access,
				      vcore_counts(core));
		return cycle;
	}
	do {
		reply = try_access(core, step, access, cycle);
		if (reply.refused)
			cycle = vcore_later(cycle + 1, reply.done);
	} while (reply.refused);
	count_data(core, access, &reply);
	return access->store ? cycle : reply.done;
}

static uint64_t access_data(struct vcore *core, const struct vcore_step *step,
			    uint64_t cycle)
{
	unsigned int l1 = core->params->memory.l1d.latency;
	uint64_t done = cycle;
	unsigned int i;

	for (i = 0; i < step->nr_accesses; i++)
		done = vcore_later(done, access_memory(core, step, &step->access[i],
						       cycle));
	/* The pipeline hides the latency of an L1D hit. */
	return done > cycle + l1 ? done : cycle;
}

static uint64_t fetch_code(struct vcore *core, const struct vcore_insn *insn,
			   uint64_t cycle)
{
	struct vcore_inorder *t = core->inorder;
	struct vcore_reply reply;

	if (insn->pc >> LINE_SHIFT == t->line)
		return cycle;
	t->line = insn->pc >> LINE_SHIFT;
	reply = vcore_memory_fetch(core->memory, cycle, insn->pc, insn->pa,
				   vcore_counts(core));
	if (reply.level <= VCORE_AT_L1)
		return cycle;
	inorder_count(core, VCORE_ICACHE_MISSES, 1);
	return vcore_later(cycle, reply.done);
}

/*
 * Reserves the cycle in which a thread's instruction issues: the first cycle from @cycle on that no
 * thread has reserved. Microcode reserves @issues cycles. Returns the last cycle that the
 * instruction needs.
 */
static uint64_t reserve_issue_cycle(struct shared *shared, uint64_t cycle, unsigned int issues)
{
	while (shared->reserved[cycle % RESERVATIONS] == cycle + 1)
		cycle++;
	shared->reserved[cycle % RESERVATIONS] = cycle + 1;
	/*
	 * Microcode issues in every second cycle, even in a cycle that another thread has reserved.
	 */
	while (--issues) {
		cycle += 2;
		shared->reserved[cycle % RESERVATIONS] = cycle + 1;
	}
	return cycle;
}

static void advance_to(struct vcore *core, uint64_t cycle)
{
	struct shared *shared = core->inorder->shared;

	if (cycle + 1 > core->cycle) {
		inorder_count(core, VCORE_CYCLES, cycle + 1 - core->cycle);
		core->cycle = cycle + 1;
	}
	if (cycle > shared->advanced) {
		vcore_memory_advance(core->memory, cycle, vcore_counts(core));
		shared->advanced = cycle;
	}
}

static void count_vector(struct vcore *core, const struct vcore_insn *insn)
{
	if (!insn->vector_elements)
		return;
	inorder_count(core, VCORE_VPU_INSTRUCTIONS, 1);
	inorder_count(core, VCORE_VPU_ELEMENTS, insn->vector_elements);
}

/*
 * Executes an instruction that issues in @cycle. Returns the first cycle in which the thread can
 * issue again.
 */
static uint64_t inorder_execute(struct vcore *core, const struct vcore_step *step,
				uint64_t cycle)
{
	const struct vcore_insn *insn = step->insn;
	struct vcore_inorder *t = core->inorder;
	uint64_t done = access_data(core, step, cycle);
	uint64_t next = done;

	count_vector(core, insn);
	write_results(t, insn, done + (core->ideal->alu ? 1 : insn->knc_latency));
	if (insn->branch && !core->ideal->bpred &&
	    vcore_predictor_branch(t->predictor, insn, step->jumped,
				   step->next_pc) == VCORE_WRONG) {
		inorder_count(core, VCORE_MISPREDICTS, 1);
		next += MISPREDICT;
	}
	if (insn->serialises || step->interrupted)
		next += SERIALISE;
	return next;
}

static void issue_pair(struct vcore *core, bool all)
{
	struct vcore_trace *trace = &core->trace;
	struct vcore_inorder *t = core->inorder;
	struct vcore_step *step = vcore_step(trace, trace->fetch);
	const struct vcore_insn *insn = step->insn;
	unsigned int slots = 1;
	struct vcore_step *second;
	uint64_t cycle;
	uint64_t next;
	uint64_t issues;

	core->priv = insn->priv;
	cycle = fetch_code(core, insn, vcore_later(t->next, operands_ready(t, insn)));
	issues = insn->nr_slots + insn->filler;
	cycle = reserve_issue_cycle(t->shared, cycle, insn->microcoded && issues ? issues : 1);
	advance_to(core, cycle);
	next = inorder_execute(core, step, cycle);
	trace->fetch++;
	second = vcore_step(trace, trace->fetch);
	if (trace->fetch + (all ? 0 : LOOKAHEAD) < trace->end &&
	    can_pair(step, second) && operands_ready(t, second->insn) <= cycle) {
		next = vcore_later(next, inorder_execute(core, second, cycle));
		trace->fetch++;
		slots++;
	}
	inorder_count(core, VCORE_EXEC_STAGE_CYCLES, 1);
	vcore_counts(core)->cycles_with[VCORE_ISSUED][slots]++;
	vcore_counts(core)->cycles_with[VCORE_RETIRED][slots]++;
	t->next = vcore_later(next, cycle + 2);
	trace->retired = trace->fetch;
}

/*
 * Simulates the recorded steps of a thread. If @wait is true, the thread waits for threads that are
 * more than SKEW cycles behind it.
 */
static void simulate_thread(struct vcore *core, bool all, bool wait)
{
	struct vcore_trace *trace = &core->trace;
	struct vcore_inorder *t = core->inorder;
	struct shared *shared = t->shared;

	while (trace->fetch + (all ? 0 : LOOKAHEAD) < trace->end) {
		start_thread(core);
		issue_pair(core, all);
		shared->clock[t->index] = core->cycle;
		count_core_cycles(core);
		if (wait && earliest_other_clock(shared, t->index) < core->cycle &&
		    core->cycle - earliest_other_clock(shared, t->index) > SKEW)
			wait_for_others(shared, t->index, core->cycle);
	}
}

/**
 * vcore_inorder_run() - simulate a thread of an in-order core
 * @core: thread
 * @all: true to simulate all steps of the trace; false to leave the last LOOKAHEAD steps in the
 *	trace
 */
void vcore_inorder_run(struct vcore *core, bool all)
{
	struct shared *shared = core->inorder->shared;

	pthread_mutex_lock(&shared->lock);
	simulate_thread(core, all, true);
	pthread_cond_broadcast(&shared->clock_cond);
	pthread_mutex_unlock(&shared->lock);
}

static void settle_thread(struct vcore *core, bool runs)
{
	struct vcore_inorder *t = core->inorder;

	pthread_mutex_lock(&t->shared->lock);
	simulate_thread(core, true, false);
	count_core_cycles(core);
	if (!runs)
		t->shared->runs[t->index] = false;
	pthread_cond_broadcast(&t->shared->clock_cond);
	pthread_mutex_unlock(&t->shared->lock);
}

/**
 * vcore_inorder_settle() - simulate an in-order core's thread, without waiting for others
 * @core: thread
 *
 * The function does not wait for other threads of the core, because these threads may need a lock
 * that the caller holds.
 */
void vcore_inorder_settle(struct vcore *core)
{
	settle_thread(core, true);
}

/**
 * vcore_inorder_halt() - simulate all steps of an in-order core's thread that halts
 * @core: thread; the other threads do not wait for it until it runs again
 */
void vcore_inorder_halt(struct vcore *core)
{
	settle_thread(core, false);
}
