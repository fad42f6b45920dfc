// SPDX-License-Identifier: GPL-2.0
/*
 * Knights Corner: an in-order core with a U and a V pipe that its hardware
 * threads share in turn. A thread never issues in two cycles running, so that one
 * alone reaches half of what the core can do (Xeon Phi chapter, table 13.2).
 *
 * Each thread is simulated by the host thread that executes its guest code. They
 * meet in the core's calendar: a cycle in which one issues is taken for the
 * others. None runs more than SKEW cycles ahead of the slowest that runs at all,
 * and none waits longer than some time slices of the host for one that does not
 * come: it may wait for this one, by other means than cycles.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cycle.h"
#include "core/core.h"
#include "frontend/predictor.h"

#define CALENDAR (1u << 15)
#define SKEW 2000
#define MAX_THREADS 4
#define MAX_CORES 64
#define LINE_SHIFT 6
/* steps that stay in the trace, so that the last one's successor is known */
#define AHEAD 2

unsigned int vcore_patience_ms = 50;

/* cycles until the right path issues; the pipeline has as many stages */
#define MISPREDICT 5
/* and after a change of the ring or an instruction that serialises */
#define SERIALISE 10

/**
 * struct vcore_inorder - a thread of an in-order core
 * @shared: with the other threads
 * @index: of the thread in its core
 * @ready: cycle from which a register can be used
 * @x87_top: of the x87 stack, modulo 8
 * @next: cycle from which the thread may issue again
 * @counted: cycles of the core that the thread has counted
 * @line: of the code fetched last
 * @predictor: of branches
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
 * struct shared - what the threads of a core have in common
 * @lock: of all below, and of the core's memory
 * @moved: some thread's clock did
 * @users: threads
 * @memory: the core's
 * @taken: by cycle modulo CALENDAR: that cycle + 1 when a thread issues in it
 * @clock: of each thread
 * @runs: threads whose clock the others wait for
 * @advanced: to which cycle the memory has counted by itself
 */
struct shared {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned int users;
	struct vcore_memory *memory;
	uint64_t taken[CALENDAR];
	uint64_t clock[MAX_THREADS];
	bool runs[MAX_THREADS];
	uint64_t advanced;
};

static pthread_mutex_t cores_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shared *cores[MAX_CORES];

/* the clock of the thread that came furthest */
static uint64_t furthest(const struct shared *shared)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		if (shared->clock[i] > most)
			most = shared->clock[i];
	return most;
}

/* waited for by a clock that nobody sets */
static void init_moved(struct shared *shared)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&shared->moved, &attributes);
	pthread_condattr_destroy(&attributes);
}

static struct shared *join(const struct vcore *core, unsigned int number)
{
	struct shared *shared;

	pthread_mutex_lock(&cores_lock);
	shared = cores[number % MAX_CORES];
	if (!shared) {
		shared = calloc(1, sizeof(*shared));
		if (!shared)
			abort();
		pthread_mutex_init(&shared->lock, NULL);
		init_moved(shared);
		shared->memory = vcore_memory_new(core->params, core->ideal,
						  number);
		cores[number % MAX_CORES] = shared;
	}
	shared->users++;
	pthread_mutex_unlock(&cores_lock);
	return shared;
}

/**
 * vcore_inorder_new() - one more thread
 * @core: its thread; gets its core's memory
 * @cpu: number of the thread; threads of a core follow each other
 */
struct vcore_inorder *vcore_inorder_new(struct vcore *core, unsigned int cpu)
{
	struct vcore_inorder *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->index = cpu % core->params->threads;
	t->shared = join(core, cpu / core->params->threads);
	t->predictor = vcore_predictor_new(&core->params->front);
	core->memory = t->shared->memory;
	t->counted = furthest(t->shared);
	return t;
}

/**
 * vcore_inorder_free() - one less
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
		pthread_cond_destroy(&shared->moved);
		pthread_mutex_destroy(&shared->lock);
		free(shared);
	}
	pthread_mutex_unlock(&cores_lock);
	vcore_predictor_free(t->predictor);
	free(t);
}

/* the clock of the slowest other thread that runs, or none */
static uint64_t slowest(const struct shared *shared, unsigned int self)
{
	uint64_t least = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < MAX_THREADS; i++)
		if (i != self && shared->runs[i] && shared->clock[i] < least)
			least = shared->clock[i];
	return least;
}

/* others that do not come are taken for halted until they do */
static void take_for_halted(struct shared *shared, unsigned int self, uint64_t until)
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

	/* they may wait for this one, which has come further meanwhile */
	pthread_cond_broadcast(&shared->moved);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += vcore_patience_ms * 1000000ull;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	while (slowest(shared, self) + SKEW < cycle &&
	       slowest(shared, self) != UINT64_MAX)
		if (pthread_cond_timedwait(&shared->moved, &shared->lock,
					   &end)) {
			take_for_halted(shared, self, cycle - SKEW);
			return;
		}
}

/*
 * A thread that begins to run does so where the others are. The first one does
 * where the last one was, or that would be ahead when it comes back.
 */
static void enter(struct vcore *core)
{
	struct vcore_inorder *t = core->inorder;
	struct shared *shared = t->shared;
	uint64_t now = slowest(shared, t->index);

	if (shared->runs[t->index])
		return;
	if (now == UINT64_MAX)
		now = furthest(shared);
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

/* the core is not halted while any of its threads runs, and all count it alike */
static void count_core(struct vcore *core)
{
	struct vcore_inorder *t = core->inorder;
	uint64_t now = furthest(t->shared);

	inorder_count(core, VCORE_CORE_CYCLES, now - t->counted);
	t->counted = now;
}

static uint64_t operands(const struct vcore_inorder *t,
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

static void results(struct vcore_inorder *t, const struct vcore_insn *insn,
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

static bool sets(const struct vcore_insn *insn, uint8_t reg)
{
	unsigned int i, k;

	for (i = 0; reg && i < insn->nr_uops; i++)
		for (k = 0; k < VCORE_MAX_RESULTS; k++)
			if (insn->uop[i].result[k] == reg)
				return true;
	return false;
}

/* the second neither reads nor writes what the first one sets */
static bool independent(const struct vcore_insn *first,
			const struct vcore_insn *second)
{
	const struct vcore_uop *uop = second->uop;
	unsigned int i, k;

	for (i = 0; i < second->nr_uops; i++) {
		for (k = 0; k < VCORE_MAX_SOURCES; k++)
			if (sets(first, uop[i].source[k]))
				return false;
		for (k = 0; k < VCORE_MAX_RESULTS; k++)
			if (uop[i].result[k] != VCORE_REG_FLAGS &&
			    sets(first, uop[i].result[k]))
				return false;
	}
	return true;
}

/* may the next step share the cycle: it goes to the V pipe then */
static bool pairs(const struct vcore_step *first,
		  const struct vcore_step *second)
{
	const struct vcore_insn *u = first->insn;
	const struct vcore_insn *v = second->insn;

	if (u->pair_none || v->pair_none || v->pair_u || first->jumped ||
	    first->interrupted || u->ring != v->ring)
		return false;
	return independent(u, v);
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

/* when the thread goes on: a load that misses holds it up, a store does not */
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

static uint64_t data(struct vcore *core, const struct vcore_step *step,
		     uint64_t cycle)
{
	unsigned int l1 = core->params->memory.l1d.latency;
	uint64_t done = cycle;
	unsigned int i;

	for (i = 0; i < step->nr_accesses; i++)
		done = vcore_later(done, access_memory(core, step, &step->access[i],
						       cycle));
	/* a hit is ready in time for the pipeline's execution stage */
	return done > cycle + l1 ? done : cycle;
}

static uint64_t fetch(struct vcore *core, const struct vcore_insn *insn,
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

/* the first cycle from one on in which no other thread issues */
static uint64_t claim(struct shared *shared, uint64_t cycle, unsigned int issues)
{
	while (shared->taken[cycle % CALENDAR] == cycle + 1)
		cycle++;
	shared->taken[cycle % CALENDAR] = cycle + 1;
	/* microcode takes every second cycle, whoever else wants them */
	while (--issues) {
		cycle += 2;
		shared->taken[cycle % CALENDAR] = cycle + 1;
	}
	return cycle;
}

static void reach(struct vcore *core, uint64_t cycle)
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

/* what an instruction that issued in a cycle does; when the thread goes on */
static uint64_t inorder_execute(struct vcore *core, const struct vcore_step *step,
				uint64_t cycle)
{
	const struct vcore_insn *insn = step->insn;
	struct vcore_inorder *t = core->inorder;
	uint64_t done = data(core, step, cycle);
	uint64_t next = done;

	count_vector(core, insn);
	results(t, insn, done + (core->ideal->alu ? 1 : insn->knc_latency));
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

static void issue(struct vcore *core, bool all)
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

	core->ring = insn->ring;
	cycle = fetch(core, insn, vcore_later(t->next, operands(t, insn)));
	issues = insn->nr_slots + insn->filler;
	cycle = claim(t->shared, cycle, insn->microcoded && issues ? issues : 1);
	reach(core, cycle);
	next = inorder_execute(core, step, cycle);
	trace->fetch++;
	second = vcore_step(trace, trace->fetch);
	if (trace->fetch + (all ? 0 : AHEAD) < trace->end &&
	    pairs(step, second) && operands(t, second->insn) <= cycle) {
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

/* @patient: it waits for others that are behind */
static void simulate(struct vcore *core, bool all, bool patient)
{
	struct vcore_trace *trace = &core->trace;
	struct vcore_inorder *t = core->inorder;
	struct shared *shared = t->shared;

	while (trace->fetch + (all ? 0 : AHEAD) < trace->end) {
		enter(core);
		issue(core, all);
		shared->clock[t->index] = core->cycle;
		count_core(core);
		if (patient && slowest(shared, t->index) < core->cycle &&
		    core->cycle - slowest(shared, t->index) > SKEW)
			wait_for_others(shared, t->index, core->cycle);
	}
}

/**
 * vcore_inorder_run() - simulate a thread
 * @core: thread
 * @all: until its trace is empty
 */
void vcore_inorder_run(struct vcore *core, bool all)
{
	struct shared *shared = core->inorder->shared;

	pthread_mutex_lock(&shared->lock);
	simulate(core, all, true);
	pthread_cond_broadcast(&shared->moved);
	pthread_mutex_unlock(&shared->lock);
}

static void settle(struct vcore *core, bool runs)
{
	struct vcore_inorder *t = core->inorder;

	pthread_mutex_lock(&t->shared->lock);
	simulate(core, true, false);
	count_core(core);
	if (!runs)
		t->shared->runs[t->index] = false;
	pthread_cond_broadcast(&t->shared->moved);
	pthread_mutex_unlock(&t->shared->lock);
}

/**
 * vcore_inorder_settle() - simulate all that a thread's trace has
 * @core: thread
 *
 * It does not wait for the others: they may need what the caller holds.
 */
void vcore_inorder_settle(struct vcore *core)
{
	settle(core, true);
}

/**
 * vcore_inorder_halt() - the same, and the others need not wait for it
 * @core: thread that halts; it is one that runs again by running
 */
void vcore_inorder_halt(struct vcore *core)
{
	settle(core, false);
}
