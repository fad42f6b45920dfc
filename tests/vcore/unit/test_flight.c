// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the back end notes about the uops, loads and stores in flight. It counts many of
 * them as they come and go; each such count equals the one of a search of all that is in flight, at
 * any time of random programs. What has retired at the end is what the programs consist of.
 */
#include <string.h>

#include "backend/ooo.h"
#include "backend/overlap.h"
#include "memory/hierarchy.h"
#include "program.h"
#include "test.h"

#define SEEDS 32
#define ROUNDS 40
#define LINES 24
/* A search takes longer than a cycle, so only one cycle in so many is preceded by a search. */
#define CHECK_EACH 9
#define LINE 64
#define PAGE 4096
#define MISSES (1ull << 32)
#define DATA 0x100000

static const struct vcore_ideal real;

/* The back end that is searched before its cycles, or NULL. */
static struct vcore_ooo *checked;
/*
 * A load that has executed: its access, the number of the first younger store, that of the store that
 * has forwarded the data plus 1, and the cycle after the one in which it was first seen.
 */
struct load_copy {
	struct vcore_access access;
	uint64_t store;
	uint64_t from;
	uint64_t seen;
};

/* [number % VCORE_LOAD_RING] */
static struct load_copy copy[VCORE_LOAD_RING];
/* [number % VCORE_STORE_RING], the first cycle in which the store was no longer in the buffer. */
static uint64_t written[VCORE_STORE_RING];
/* The loads and stores that have left their buffers, and what the steps that have retired have popped. */
static struct {
	uint64_t loads;
	uint64_t stores;
} followed;
static struct {
	uint64_t steps;
	unsigned int top;
} popped;
/* Where the search finds a uop: in how many lists of uops to be woken, and as how many operands. */
static unsigned int lists[VCORE_UOPS], operands[VCORE_UOPS];
/* How often the search has found the kinds of uops that are rare, in all programs. */
static uint64_t seen_forwards, seen_written;
static uint64_t seen_held, seen_known, seen_parked, seen_wrong, seen_barriers, seen_unknown;

static void count_list(const struct vcore_ooo *ooo, uint16_t uop)
{
	for (; uop != VCORE_NO_UOP; uop = ooo->uop[uop].next) {
		assert_true(uop < VCORE_UOPS);
		assert_true(++lists[uop] < 2);
	}
}

static void count_set(const struct vcore_bits *bits)
{
	unsigned int uop;

	for (uop = 0; uop < VCORE_UOPS; uop++)
		lists[uop] += vcore_bits_has(bits, uop);
}

static void count_lists(struct vcore_ooo *ooo)
{
	unsigned int i;
	uint64_t nr;

	memset(lists, 0, sizeof(lists));
	for (i = 0; i < VCORE_BITS; i++) {
		assert_int_equal(vcore_bits_has(&ooo->occupied, i), ooo->wheel[i] != VCORE_NO_UOP);
		count_list(ooo, ooo->wheel[i]);
	}
	for (nr = ooo->store_head; nr < ooo->store_tail; nr++)
		count_list(ooo, vcore_store(ooo, nr)->waiters);
	for (i = ooo->barrier_head; i != ooo->barrier_tail; i++) {
		count_list(ooo, ooo->barrier[i % VCORE_BARRIERS].load);
		count_list(ooo, ooo->barrier[i % VCORE_BARRIERS].waiters);
		seen_barriers++;
	}
	for (i = 0; i < VCORE_MAX_PORTS; i++) {
		assert_int_equal(!ooo->refused.parked[i].words, !(ooo->refused.ports >> i & 1));
		count_set(&ooo->refused.parked[i]);
		seen_parked += ooo->refused.ports >> i & 1;
	}
}

static void count_operands(struct vcore_ooo *ooo)
{
	const struct vcore_flight *flight;
	uint16_t node;
	uint64_t seq;

	memset(operands, 0, sizeof(operands));
	for (seq = ooo->oldest; seq < ooo->next; seq++) {
		flight = vcore_flight(ooo, seq);
		if (flight->state == VCORE_UOP_DONE)
			continue;
		for (node = flight->consumers; node != 0xffff;) {
			unsigned int uop = node / VCORE_MAX_SOURCES;

			assert_true(++operands[uop] <= VCORE_MAX_SOURCES);
			node = ooo->uop[uop].next_consumer[node % VCORE_MAX_SOURCES];
		}
	}
}

/* Checks where a uop is that has not executed: it is ready, waits for operands, or is on a list. */
static void check_waiting(const struct vcore_ooo *ooo, const struct vcore_flight *flight)
{
	unsigned int uop = vcore_uop_index(flight);
	bool ready = vcore_bits_has(&ooo->ready[flight->port], uop);

	assert_int_equal(flight->waits, operands[uop]);
	assert_int_equal(vcore_bits_has(&ooo->waiting, uop), !ready);
	assert_int_equal(lists[uop], !ready && !flight->waits);
	if (ready) {
		assert_int_equal(flight->waits, 0);
		assert_true(flight->done <= ooo->core->cycle);
	}
}

/* Checks the scheduler: its uops, and the numbers of uops by port and by path. */
static void check_scheduler(struct vcore_ooo *ooo)
{
	unsigned int scheduled = 0, wrong = 0, held = 0, ready = 0, port, i;
	unsigned int on_port[VCORE_MAX_PORTS] = { 0 };
	const struct vcore_flight *flight;
	uint64_t seq;

	count_lists(ooo);
	count_operands(ooo);
	for (seq = ooo->oldest; seq < ooo->next; seq++) {
		flight = vcore_flight(ooo, seq);
		assert_int_equal(flight->seq, seq);
		held += flight->held;
		if (flight->state == VCORE_UOP_DONE)
			continue;
		check_waiting(ooo, flight);
		scheduled++;
		wrong += flight->wrong;
		on_port[flight->port]++;
	}
	assert_int_equal(ooo->scheduled, scheduled);
	assert_int_equal(ooo->scheduled_wrong, wrong);
	assert_int_equal(ooo->held, held);
	assert_memory_equal(ooo->on_port, on_port, sizeof(on_port));
	for (port = 0; port < VCORE_MAX_PORTS; port++) {
		for (i = 0; i < VCORE_BITS_WORDS; i++)
			ready += __builtin_popcountll(ooo->ready[port].word[i]);
		assert_int_equal(ooo->ready_ports >> port & 1, !!ooo->ready[port].words);
	}
	for (i = 0; i < VCORE_BITS_WORDS; i++)
		ready += __builtin_popcountll(ooo->waiting.word[i]);
	assert_int_equal(ready, scheduled);
	seen_wrong += wrong;
	seen_held += held;
}

/* Checks the reorder buffer: its slots have all uops in flight, and note what these lack. */
static void check_rob(struct vcore_ooo *ooo)
{
	uint64_t seq = ooo->oldest, nr, stores = ooo->store_senior;
	unsigned int i;

	for (nr = ooo->head; nr < ooo->tail; nr++) {
		const struct vcore_rob *rob = vcore_rob(ooo, nr);
		unsigned int pending = 0;
		uint64_t done = 0;

		assert_int_equal(rob->seq, seq);
		for (i = 0; i < rob->nr; i++, seq++) {
			const struct vcore_flight *flight = vcore_flight(ooo, seq);

			assert_int_equal(flight->rob, nr % VCORE_MAX_ROB);
			assert_int_equal(flight->wrong, rob->slot.wrong);
			pending += flight->state != VCORE_UOP_DONE;
			if (flight->state == VCORE_UOP_DONE)
				done = flight->done > done ? flight->done : done;
		}
		assert_int_equal(rob->pending, pending);
		assert_true(pending ? rob->done >= done : rob->done == done);
		if (rob->slot.wrong)
			continue;
		assert_true(rob->first <= nr);
		if (rob->first >= ooo->head)
			assert_true(vcore_rob(ooo, rob->first)->slot.first_of_insn &&
				    vcore_rob(ooo, rob->first)->slot.step == rob->slot.step);
		assert_true(rob->stores >= stores);
		stores = rob->stores;
	}
	assert_int_equal(seq, ooo->next);
	assert_int_equal(stores, ooo->store_tail);
}

static void check_store(struct vcore_ooo *ooo, uint64_t nr)
{
	const struct vcore_store *store = vcore_store(ooo, nr);
	const struct vcore_flight *sta = &ooo->uop[store->sta], *std = &ooo->uop[store->std];

	if (nr < ooo->store_senior) {
		assert_true(store->known && store->filled);
		return;
	}
	assert_int_equal(sta->store, nr);
	assert_int_equal(sta->type, VCORE_STA);
	assert_int_equal(store->known, sta->state == VCORE_UOP_DONE);
	assert_int_equal(vcore_rob(ooo, sta->rob)->slot.step, store->step);
	if (store->std == VCORE_NO_UOP) {
		assert_false(store->filled);
		return;
	}
	assert_int_equal(std->store, nr);
	assert_int_equal(store->filled, std->state == VCORE_UOP_DONE);
	if (store->filled)
		assert_int_equal(store->data, std->done);
}

static void check_stores(struct vcore_ooo *ooo)
{
	static uint16_t granule[VCORE_GRANULES];
	unsigned int unknown = 0;
	uint64_t nr;

	assert_true(ooo->store_head <= ooo->store_sent && ooo->store_sent <= ooo->store_senior &&
		    ooo->store_senior <= ooo->store_tail);
	memset(granule, 0, sizeof(granule));
	for (nr = ooo->store_head; nr < ooo->store_tail; nr++) {
		check_store(ooo, nr);
		if (vcore_store(ooo, nr)->known)
			vcore_overlap_mark(granule, &vcore_store(ooo, nr)->access, 1);
		else
			unknown++;
	}
	assert_int_equal(ooo->unknown_stores, unknown);
	assert_memory_equal(ooo->store_granule, granule, sizeof(granule));
	seen_unknown += unknown;
}

static void check_loads(struct vcore_ooo *ooo)
{
	static uint16_t granule[VCORE_GRANULES];
	uint64_t nr, store;
	unsigned int i;

	memset(granule, 0, sizeof(granule));
	for (nr = ooo->load_head; nr < ooo->load_tail; nr++) {
		const struct vcore_load *load = vcore_load(ooo, nr);
		const struct vcore_flight *flight = &ooo->uop[load->uop];

		assert_int_equal(flight->load, nr);
		assert_int_equal(vcore_rob(ooo, flight->rob)->slot.step, load->step);
		assert_int_equal(load->executed, flight->state == VCORE_UOP_DONE);
		for (store = ooo->store_senior; store < ooo->store_tail; store++)
			assert_true(store < flight->store ?
				    vcore_store(ooo, store)->step <= load->step :
				    vcore_store(ooo, store)->step >= load->step);
		if (!load->executed)
			continue;
		vcore_overlap_mark(granule, load->access, 1);
		assert_true(load->from <= flight->store);
	}
	assert_memory_equal(ooo->load_granule, granule, sizeof(granule));
	for (i = 1; i < sizeof(ooo->pending) / sizeof(*ooo->pending); i++)
		assert_true(ooo->pending[i] <= ooo->pending[i - 1]);
}

/* Checks what is noted of the loads that are known to be refused again. */
static void check_refused(struct vcore_ooo *ooo)
{
	static uint16_t granule[VCORE_GRANULES], awaited[VCORE_AWAITED];
	unsigned int uop;

	memset(granule, 0, sizeof(granule));
	memset(awaited, 0, sizeof(awaited));
	for (uop = 0; uop < VCORE_UOPS; uop++) {
		const struct vcore_flight *flight = &ooo->uop[uop];

		if (!vcore_bits_has(&ooo->refused.known, uop))
			continue;
		assert_true(flight->refused && flight->state == VCORE_UOP_WAITS);
		assert_in_range(flight->seq, ooo->oldest, ooo->next - 1);
		vcore_overlap_mark(granule, flight->access, 1);
		awaited[flight->access->pa / LINE % VCORE_AWAITED]++;
		seen_known++;
	}
	assert_memory_equal(ooo->refused.granule, granule, sizeof(granule));
	assert_memory_equal(ooo->core->memory->awaited, awaited, sizeof(awaited));
}

/* Checks the top of the x87 stack, from which all that has issued has popped, or on which it has pushed. */
static void check_x87(struct vcore_ooo *ooo)
{
	struct vcore_trace *trace = &ooo->core->trace;
	unsigned int top;
	uint64_t nr;

	for (; popped.steps < trace->retired; popped.steps++)
		popped.top += vcore_step(trace, popped.steps)->insn->x87_pops;
	top = popped.top;
	for (nr = ooo->head; nr < ooo->tail; nr++) {
		const struct vcore_slot *slot = &vcore_rob(ooo, nr)->slot;

		if (!slot->wrong && slot->last_of_insn)
			top += vcore_step(trace, slot->step)->insn->x87_pops;
	}
	assert_int_equal(ooo->x87_top, top);
}

/* Returns the number of the youngest store that is older than a load and overlaps it, plus 1; or 0. */
static uint64_t source_of(struct vcore_ooo *ooo, const struct load_copy *load)
{
	uint64_t nr = load->store, least = nr < VCORE_STORE_RING / 2 ? 0 : nr - VCORE_STORE_RING / 2;

	for (; nr > least; nr--)
		if (vcore_overlap(&vcore_store(ooo, nr - 1)->access, &load->access))
			return nr;
	return 0;
}

/*
 * Checks a load that has retired: its data are those of the youngest older store that overlaps it.
 * Either this store has forwarded them, or it had been written to the L1D when the load executed.
 */
static void check_data(struct vcore_ooo *ooo, const struct load_copy *load)
{
	uint64_t source = source_of(ooo, load);

	if (load->from)
		assert_int_equal(load->from, source);
	else if (source)
		assert_true(written[(source - 1) % VCORE_STORE_RING] < load->seen);
	seen_forwards += load->from > 0;
	seen_written += !load->from && source;
}

/* Notes the loads and the stores that have executed, or have left their buffers, in the last cycle. */
static void follow_data(struct vcore_ooo *ooo)
{
	uint64_t nr, now = ooo->core->cycle;

	for (; followed.loads < ooo->load_head; followed.loads++)
		check_data(ooo, &copy[followed.loads % VCORE_LOAD_RING]);
	for (; followed.stores < ooo->store_head; followed.stores++)
		written[followed.stores % VCORE_STORE_RING] = now;
	for (nr = ooo->load_head; nr < ooo->load_tail; nr++) {
		const struct vcore_load *load = vcore_load(ooo, nr);
		struct load_copy *to = &copy[nr % VCORE_LOAD_RING];

		if (!load->executed)
			to->seen = 0;
		else if (!to->seen)
			*to = (struct load_copy){ *load->access, ooo->uop[load->uop].store, load->from,
						  now + 1 };
	}
}

static void check_flight(struct vcore_ooo *ooo)
{
	check_x87(ooo);
	check_scheduler(ooo);
	check_rob(ooo);
	check_stores(ooo);
	check_loads(ooo);
	check_refused(ooo);
}

/* What a program has in flight at most: slots, uops in the scheduler, loads, stores and barriers. */
static struct {
	uint64_t slots;
	uint64_t scheduled;
	uint64_t loads;
	uint64_t stores;
	uint64_t barriers;
} most;
static struct vcore_ooo *measured;

static void keep_most(uint64_t *to, uint64_t value)
{
	*to = value > *to ? value : *to;
}

static void measure_flight(const struct vcore_ooo *ooo)
{
	keep_most(&most.slots, ooo->tail - ooo->head);
	keep_most(&most.scheduled, ooo->scheduled);
	keep_most(&most.loads, ooo->load_tail - ooo->load_head);
	keep_most(&most.stores, ooo->store_tail - ooo->store_head);
	keep_most(&most.barriers, ooo->barrier_tail - ooo->barrier_head);
}

void __real_vcore_memory_pace(struct vcore_memory *memory, uint64_t cycle);
void __wrap_vcore_memory_pace(struct vcore_memory *memory, uint64_t cycle);

/* Called before each cycle that the core simulates. */
void __wrap_vcore_memory_pace(struct vcore_memory *memory, uint64_t cycle)
{
	static unsigned int calls;

	if (measured)
		measure_flight(measured);
	if (checked)
		follow_data(checked);
	if (checked && calls++ % CHECK_EACH == 0)
		check_flight(checked);
	__real_vcore_memory_pace(memory, cycle);
}

/* What retires when a program has run; @uops includes those of assists. */
struct retired {
	uint64_t uops;
	uint64_t loads;
	uint64_t locked;
	uint64_t stores;
	uint64_t split;
	uint64_t taken;
	uint64_t assists;
};

static void add_line(struct retired *sum, const struct vcore_line *line, uint64_t round)
{
	const struct vcore_insn *insn = &line->insn;
	unsigned int own[2] = { 0 }, i;

	for (i = 0; i < insn->nr_uops; i++) {
		own[0] += insn->uop[i].type == VCORE_LOAD;
		own[1] += insn->uop[i].type == VCORE_STA;
	}
	sum->uops += insn->nr_uops + insn->filler;
	for (i = 0; i < line->nr_accesses; i++) {
		uint64_t offset = round * line->stride[i];
		uint64_t address = line->base[i] + (line->wrap[i] ? offset % line->wrap[i] : offset);

		if (own[line->store[i]])
			own[line->store[i]]--;
		else
			sum->uops++;
		sum->loads += !line->store[i] && !insn->prefetch;
		sum->locked += !line->store[i] && insn->locked;
		sum->stores += line->store[i];
		sum->split += line->store[i] && address % LINE + line->size[i] > LINE;
	}
	sum->assists += line->assist;
	sum->uops += line->assist ? vcore_ivb.back.assist : 0;
}

/* Adds what retires of an iteration of the program, without the branch back. */
static void add_round(struct retired *sum, const struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		const struct vcore_line *line = &program->line[i];

		add_line(sum, line, program->round);
		if (line->insn.branch == VCORE_CONDITIONAL &&
		    line->taken >> program->round % 64 & 1) {
			sum->taken++;
			i++;
		}
	}
}

/* Checks the counts of a program that has retired, and those that are sums of each other. */
static void check_counts(const struct vcore_counts *counts, const struct retired *sum)
{
	const uint64_t *plain = counts->plain;
	uint64_t ports = 0, computed = 0, slots = vcore_ivb.back.width * plain[VCORE_CYCLES];
	unsigned int i, stage, part;

	assert_int_equal(plain[VCORE_RETIRED_UOPS], sum->uops);
	assert_int_equal(plain[VCORE_LOADS], sum->loads);
	assert_int_equal(plain[VCORE_LOCK_LOADS], sum->locked);
	assert_int_equal(plain[VCORE_STORES], sum->stores);
	assert_int_equal(plain[VCORE_SPLIT_STORES], sum->split);
	assert_int_equal(plain[VCORE_NEAR_TAKEN], sum->taken);
	assert_int_equal(plain[VCORE_ASSISTS], sum->assists);
	assert_int_equal(plain[VCORE_CLEARS], plain[VCORE_ASSISTS] + plain[VCORE_CLEARS_ORDERING] +
			 plain[VCORE_CLEARS_CODE]);
	assert_int_equal(plain[VCORE_L1_HIT] + plain[VCORE_LFB_HIT] + plain[VCORE_L2_HIT] +
			 plain[VCORE_L3_HIT] + plain[VCORE_L3_MISS], sum->loads);
	for (i = 0; i < VCORE_PER_CYCLE; i++)
		assert_int_equal(counts->cycles_with[i][0], 0);
	for (i = 0; i < VCORE_MAX_PORTS; i++)
		ports += counts->ports[i];
	for (i = 0; i < VCORE_NR_COMPUTE; i++)
		computed += counts->computed[i];
	assert_int_equal(vcore_sum(counts->cycles_with[VCORE_EXECUTED], VCORE_MAX_WIDTH), ports);
	assert_int_equal(computed, ports);
	assert_int_equal(vcore_sum(counts->cycles_with[VCORE_RETIRED], VCORE_MAX_WIDTH) +
			 plain[VCORE_WRONG_SLOTS],
			 vcore_sum(counts->cycles_with[VCORE_ISSUED], VCORE_MAX_WIDTH));
	assert_int_equal(vcore_sum(counts->cycles_with[VCORE_ISSUED], VCORE_MAX_WIDTH) +
			 vcore_sum(counts->cycles_with[VCORE_UNSUPPLIED], VCORE_MAX_WIDTH) +
			 plain[VCORE_BACKEND_SLOTS], slots);
	assert_int_equal(vcore_sum(counts->cycles_with[VCORE_UNSUPPLIED], VCORE_MAX_WIDTH) -
			 vcore_sum(counts->cycles_with[VCORE_BUBBLES], VCORE_MAX_WIDTH),
			 plain[VCORE_RECOVERY_SLOTS]);
	for (stage = 0; stage < VCORE_STAGES; stage++) {
		uint64_t stack = 0;

		for (part = 0; part < VCORE_PARTS; part++)
			stack += counts->stack[stage][part];
		assert_int_equal(stack, slots);
	}
}

/* Adds more loads that miss all caches than there are fill buffers. */
static void add_misses(struct vcore_program *program)
{
	unsigned int i;

	for (i = 0; i < 2 * vcore_ivb.memory.fills; i++)
		vcore_program_load(program, R(8), 0, MISSES + i * (64ull << 20), PAGE + LINE, 0);
}

static void run_program(uint32_t seed)
{
	struct vcore_program *program = vcore_program_new(&vcore_ivb, &real);
	struct vcore_ooo *ooo = program->core->ooo;
	struct retired sum = { .taken = ROUNDS - 1 };
	struct vcore_line *last;
	uint32_t state = seed << 16;
	unsigned int i;

	for (i = 0; i < LINES; i++) {
		vcore_program_draw(program, &state);
		if (i == LINES / 2 && seed % 4 == 0)
			add_misses(program);
	}
	/* A NOP that a branch may skip, and the branch back. */
	vcore_program_nop(program);
	last = vcore_program_branch(program, 0, 0);
	memset(copy, 0, sizeof(copy));
	memset(&followed, 0, sizeof(followed));
	memset(&popped, 0, sizeof(popped));
	checked = ooo;
	for (i = 0; i < ROUNDS; i++) {
		add_round(&sum, program);
		vcore_program_round(program);
	}
	vcore_next(program->core, last->insn.pc + last->insn.size, 0);
	vcore_settle(program->core);
	check_flight(ooo);
	checked = NULL;
	assert_int_equal(ooo->head, ooo->tail);
	check_counts(vcore_counts(program->core), &sum);
	vcore_program_free(program);
}

TEST(the_back_end_knows_what_is_in_flight)
{
	uint32_t seed;

	for (seed = 1; seed <= SEEDS; seed++)
		run_program(seed);
	assert_true(seen_held && seen_known && seen_parked && seen_wrong && seen_barriers &&
		    seen_unknown && seen_forwards && seen_written);
}

static void add_nop(struct vcore_program *program)
{
	vcore_program_nop(program);
}

/* It depends on the load that misses. */
static void add_operation(struct vcore_program *program)
{
	vcore_program_alu(program, R(1), R(0), 0, 1);
}

static void add_load(struct vcore_program *program)
{
	vcore_program_load(program, R(2), 0, DATA, 0, 0);
}

static void add_store(struct vcore_program *program)
{
	vcore_program_store(program, R(2), 0, DATA, 0, 0);
}

static void add_fence(struct vcore_program *program)
{
	vcore_program_nop(program)->insn.fence = 1;
}

/* Runs a load that misses, and then many instructions of one kind, with which a buffer fills up. */
static struct vcore_counts fill_core(const struct vcore_params *params,
				     void (*add)(struct vcore_program *program), unsigned int nr)
{
	struct vcore_program *program = vcore_program_new(params, &real);
	struct vcore_counts counts;

	vcore_program_load(program, R(0), R(0), MISSES, PAGE + LINE, 0);
	while (nr--)
		add(program);
	memset(&most, 0, sizeof(most));
	measured = program->core->ooo;
	vcore_program_run(program, 20);
	measured = NULL;
	counts = *vcore_counts(program->core);
	vcore_program_free(program);
	return counts;
}

/* Each buffer has as many entries as the part says, and stalls issue while it is full. */
TEST(buffers_fill_up_to_their_sizes)
{
	static const struct vcore_params *const parts[] = { &vcore_ivb, &vcore_skl, &vcore_zen2 };
	unsigned int i, k;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct vcore_back_params *back = &parts[i]->back;
		const struct {
			void (*add)(struct vcore_program *program);
			const uint64_t *is;
			uint64_t size;
			enum vcore_plain stall;
		} all[] = {
			{ add_nop, &most.slots, back->rob, VCORE_STALL_ROB },
			{ add_operation, &most.scheduled, back->rs, VCORE_STALL_RS },
			{ add_load, &most.loads, back->loads, VCORE_STALL_LB },
			{ add_store, &most.stores, back->stores, VCORE_STALL_SB },
			{ add_fence, &most.barriers, VCORE_BARRIERS, VCORE_STALL_LB },
		};

		for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
			struct vcore_counts counts = fill_core(parts[i], all[k].add, 300);
			uint64_t *plain = counts.plain;

			assert_int_equal(*all[k].is, all[k].size);
			assert_true(plain[all[k].stall] > 20 * 100);
			assert_true(plain[all[k].stall] <= plain[VCORE_STALL_ANY]);
		}
	}
}
