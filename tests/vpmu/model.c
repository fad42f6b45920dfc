// SPDX-License-Identifier: GPL-2.0
/*
 * The timing model, first stage: an issue point with so many slots a cycle, on
 * the correct path, with fixed penalties. Every slot of every cycle is either
 * used by a uop that retires, used by one of the wrong path, lost to recovery,
 * lost to the front end, or lost to the back end.
 *
 * An instruction is accounted for when the next one begins: then its memory
 * accesses and, for a branch, its target are known.
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "memory.h"
#include "predictor.h"
#include "vpmu.h"

#define ACCESSES 16
#define LINE_SHIFT 6
#define WINDOW_SHIFT 5

enum cause { FRONTEND, BACKEND, RECOVERY };

/**
 * struct flight - a uop between issue and retirement
 * @done: cycle in which it retires
 * @level: where its load found its data
 */
struct flight {
	uint64_t done;
	enum vpmu_level level;
};

/**
 * struct vpmu_model - state of a vCPU's model
 * @params: the part's
 * @counts: results by ring
 * @insn: instruction whose accounting is open, or NULL
 * @nr_accesses: memory accesses of it so far
 * @access: their addresses, bit 0 of @stores and so on says which are stores
 * @stores: the same
 * @cycle: cycles so far
 * @used: slots of this cycle that are gone
 * @issued: of them, slots with a uop
 * @retired: of them, slots with a uop that retires
 * @ring: of the latest instruction
 * @rob: uops in flight, a ring
 * @issue: number of the next uop
 * @last_done: cycle in which the youngest uop retires
 * @store: cycle in which each store buffer entry is free
 * @next_store: number of the next store
 * @last_drain: cycle in which the youngest store leaves
 * @divider: cycle in which the divider is free
 * @line: code line of the latest instruction
 * @window: decoded window of the latest instruction
 */
struct vpmu_model {
	const struct vpmu_params *params;
	struct vpmu_ring_counts counts[VPMU_RINGS];
	const struct vpmu_insn *insn;
	unsigned int nr_accesses;
	uint64_t access[ACCESSES];
	uint32_t stores;
	uint64_t cycle;
	unsigned int used;
	unsigned int issued;
	unsigned int retired;
	unsigned int ring;
	struct flight rob[VPMU_MAX_ROB];
	uint64_t issue;
	uint64_t last_done;
	uint64_t store[VPMU_MAX_STORES];
	uint64_t next_store;
	uint64_t last_drain;
	uint64_t divider;
	uint64_t line;
	uint64_t window;
	struct vpmu_memory memory;
	struct vpmu_cache decoded;
	struct vpmu_predictor predictor;
};

static struct vpmu_ring_counts *counts(struct vpmu_model *m)
{
	return &m->counts[m->ring];
}

static void count(struct vpmu_model *m, enum vpmu_plain what, uint64_t n)
{
	counts(m)->plain[what] += n;
}

/* slots of this cycle that nobody used */
static void lose_slots(struct vpmu_model *m, enum cause cause)
{
	unsigned int left = m->params->width - m->used;

	if (!left)
		return;
	switch (cause) {
	case FRONTEND:
		counts(m)->cycles_with[VPMU_BUBBLES][left]++;
		break;
	case BACKEND:
		count(m, VPMU_BACKEND_SLOTS, left);
		break;
	case RECOVERY:
		count(m, VPMU_BAD_SLOTS, left);
		break;
	}
}

static void end_cycle(struct vpmu_model *m, enum cause cause)
{
	lose_slots(m, cause);
	if (m->issued)
		counts(m)->cycles_with[VPMU_ISSUED][m->issued]++;
	if (m->retired)
		counts(m)->cycles_with[VPMU_RETIRED][m->retired]++;
	if (!m->issued)
		count(m, VPMU_STALLS_TOTAL, 1);
	count(m, VPMU_CYCLES, 1);
	m->cycle++;
	m->used = 0;
	m->issued = 0;
	m->retired = 0;
}

/* whole cycles in which nothing is issued */
static void lose_cycles(struct vpmu_model *m, enum cause cause, uint64_t n)
{
	unsigned int width = m->params->width;

	switch (cause) {
	case FRONTEND:
		counts(m)->cycles_with[VPMU_BUBBLES][width] += n;
		count(m, VPMU_RS_EMPTY, n);
		break;
	case BACKEND:
		count(m, VPMU_BACKEND_SLOTS, width * n);
		break;
	case RECOVERY:
		count(m, VPMU_BAD_SLOTS, width * n);
		count(m, VPMU_RECOVERY_CYCLES, n);
		break;
	}
	count(m, VPMU_STALLS_TOTAL, n);
	count(m, VPMU_CYCLES, n);
	m->cycle += n;
}

/* no issue until a cycle; the cycle that has begun loses what it has left */
static uint64_t stall_until(struct vpmu_model *m, enum cause cause,
			    uint64_t until)
{
	uint64_t n;

	if (m->cycle >= until)
		return 0;
	if (m->used)
		end_cycle(m, cause);
	n = until > m->cycle ? until - m->cycle : 0;
	lose_cycles(m, cause, n);
	return n;
}

static void stall(struct vpmu_model *m, enum cause cause, unsigned int cycles)
{
	stall_until(m, cause, m->cycle + !!m->used + cycles);
}

static void use_slot(struct vpmu_model *m, bool retires)
{
	unsigned int i;

	m->used++;
	m->issued++;
	m->retired += retires;
	if (!retires)
		count(m, VPMU_BAD_SLOTS, 1);
	if (m->used < m->params->width)
		return;
	end_cycle(m, BACKEND);
	for (i = 0; i < m->params->rest; i++)
		lose_cycles(m, BACKEND, 1);
}

/* the instruction's place in the front end */
static void fetch(struct vpmu_model *m, const struct vpmu_insn *insn)
{
	uint64_t line = insn->pc >> LINE_SHIFT;
	uint64_t window = insn->pc >> WINDOW_SHIFT;
	enum vpmu_level level = VPMU_L1;

	if (line != m->line)
		level = vpmu_memory_fetch(&m->memory, insn->pc, m->cycle);
	if (level != VPMU_L1) {
		count(m, VPMU_L1I_MISS, 1);
		stall(m, FRONTEND, vpmu_memory_latency(&m->memory, level));
	}
	/* not decoded yet: the decoders end the cycle at the window's edge */
	if (window != m->window && !vpmu_cache_access(&m->decoded, insn->pc) &&
	    m->used)
		end_cycle(m, FRONTEND);
	m->line = line;
	m->window = window;
}

static uint64_t access_done(struct vpmu_model *m, uint64_t addr, bool store,
			    enum vpmu_level level)
{
	uint64_t start = m->cycle;

	if (vpmu_memory_walks(&m->memory, addr)) {
		count(m, VPMU_TLB_MISS, 1);
		start += m->params->walk;
	}
	return vpmu_memory_done(&m->memory, addr, store, level, start);
}

static uint64_t load(struct vpmu_model *m, uint64_t addr,
		     enum vpmu_level *level)
{
	static const enum vpmu_plain events[] = {
		[VPMU_L1] = VPMU_L1D_HIT, [VPMU_L2] = VPMU_L2_HIT,
		[VPMU_L3] = VPMU_L3_HIT, [VPMU_MEMORY] = VPMU_L3_MISS
	};
	enum vpmu_level found = vpmu_memory_find(&m->memory, addr, false);

	count(m, events[found], 1);
	if (found > *level)
		*level = found;
	return access_done(m, addr, false, found);
}

/* stores leave in order, one a cycle, when they own their line */
static void store(struct vpmu_model *m, uint64_t addr)
{
	uint64_t *entry = &m->store[m->next_store++ % m->params->stores];
	enum vpmu_level level = vpmu_memory_find(&m->memory, addr, true);
	uint64_t done;

	if (level != VPMU_L1)
		count(m, VPMU_L1D_MISS_STORE, 1);
	count(m, VPMU_STALLS_SB, stall_until(m, BACKEND, *entry));
	done = access_done(m, addr, true, level);
	if (done <= m->last_drain)
		done = m->last_drain + 1;
	m->last_drain = done;
	*entry = done;
}

/* what a full reorder buffer waits for */
static void blame(struct vpmu_model *m, enum vpmu_level level, uint64_t cycles)
{
	if (level == VPMU_NO_LOAD)
		return;
	count(m, VPMU_STALLS_MEM, cycles);
	if (level > VPMU_L1)
		count(m, VPMU_STALLS_L1D, cycles);
	if (level > VPMU_L2)
		count(m, VPMU_STALLS_L2, cycles);
	if (level > VPMU_L3)
		count(m, VPMU_STALLS_L3, cycles);
}

static void issue_uop(struct vpmu_model *m, uint64_t done, enum vpmu_level level)
{
	struct flight *flight = &m->rob[m->issue++ % m->params->rob];

	blame(m, flight->level, stall_until(m, BACKEND, flight->done));
	if (done > m->last_done)
		m->last_done = done;
	flight->done = m->last_done;
	flight->level = level;
	use_slot(m, true);
}

static uint64_t execute(struct vpmu_model *m, const struct vpmu_insn *insn,
			enum vpmu_level *level)
{
	uint64_t done = m->cycle + insn->latency;
	uint64_t loaded;
	unsigned int i;

	for (i = 0; i < m->nr_accesses; i++) {
		if (m->stores >> i & 1) {
			store(m, m->access[i]);
			continue;
		}
		loaded = load(m, m->access[i], level);
		if (loaded > done)
			done = loaded;
	}
	if (insn->microcoded && insn->latency > 20) {
		if (m->divider > m->cycle)
			done += m->divider - m->cycle;
		m->divider = done;
	}
	return done;
}

static void mispredict(struct vpmu_model *m)
{
	const struct vpmu_params *p = m->params;
	unsigned int slots = p->wrong_path * p->width +
			     (m->used ? p->width - m->used : 0);

	count(m, VPMU_MISPREDICTS, 1);
	while (slots--)
		use_slot(m, false);
	stall(m, RECOVERY, p->recovery);
	stall(m, FRONTEND, p->resteer);
}

static void account(struct vpmu_model *m, uint64_t next_pc)
{
	const struct vpmu_insn *insn = m->insn;
	enum vpmu_level level = VPMU_NO_LOAD;
	unsigned int i;
	uint64_t done;

	m->ring = insn->ring;
	fetch(m, insn);
	done = execute(m, insn, &level);
	for (i = 0; i < insn->uops; i++)
		issue_uop(m, done, level);
	if (insn->microcoded)
		count(m, VPMU_MS_UOPS, insn->uops);
	if (insn->branch &&
	    vpmu_predictor_wrong(&m->predictor, insn, next_pc))
		mispredict(m);
	if (insn->branch == VPMU_BR_FAR)
		stall(m, FRONTEND, m->params->serialise);
	vpmu_tracker_advance(&m->memory.tracker, m->cycle);
}

static void open_insn(struct vpmu_model *m, const struct vpmu_insn *insn)
{
	m->insn = insn;
	m->nr_accesses = 0;
	m->stores = 0;
}

/**
 * vpmu_model_insn() - an instruction begins
 * @model: of the vCPU
 * @insn: the instruction
 */
void vpmu_model_insn(struct vpmu_model *model, const struct vpmu_insn *insn)
{
	if (model->insn)
		account(model, insn->pc);
	open_insn(model, insn);
}

/**
 * vpmu_model_mem() - it accesses memory
 * @model: of the vCPU
 * @addr: virtual address
 * @store: or a load
 */
void vpmu_model_mem(struct vpmu_model *model, uint64_t addr, bool store)
{
	if (!model->insn || model->nr_accesses == ACCESSES)
		return;
	if (store)
		model->stores |= 1u << model->nr_accesses;
	model->access[model->nr_accesses++] = addr;
}

/**
 * vpmu_model_settle() - account for the instruction that is open
 * @model: of the calling vCPU, or of an idle one
 *
 * A branch that is settled so counts as not taken; the instructions that read
 * counters are no branches.
 */
void vpmu_model_settle(struct vpmu_model *model)
{
	if (!model->insn)
		return;
	account(model, model->insn->pc + model->insn->size);
	open_insn(model, NULL);
}

/**
 * vpmu_model_counts() - results
 * @model: of the vCPU, settled
 * @ring: 0 or 1
 *
 * The cycle that has begun is not in them.
 */
const struct vpmu_ring_counts *vpmu_model_counts(const struct vpmu_model *model,
						 unsigned int ring)
{
	return &model->counts[ring];
}

/**
 * vpmu_model_tracker() - what the arbiter saw of this vCPU
 * @model: of any vCPU
 */
const struct vpmu_tracker *vpmu_model_tracker(const struct vpmu_model *model)
{
	return &model->memory.tracker;
}

/**
 * vpmu_model_new() - a core that has just been switched on
 * @part: whose parameters
 */
struct vpmu_model *vpmu_model_new(const struct vpmu_part *part)
{
	struct vpmu_model *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	m->params = &part->params;
	vpmu_memory_init(&m->memory, m->params);
	vpmu_cache_init(&m->decoded, 32, 8, WINDOW_SHIFT);
	return m;
}
