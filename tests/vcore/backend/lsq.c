// SPDX-License-Identifier: GPL-2.0
/*
 * The load and store buffers of an out-of-order core.
 *
 * Loads go ahead of older stores whose address is not known, unless they have
 * been wrong before. Stores go to the L1D in order behind their retirement;
 * each fetches its line while those before it still wait for theirs.
 */
#include "ooo.h"
#include "overlap.h"

#define LINE 64
/* loads that were wrong wait so many times for the older stores */
#define WARY 15

static uint8_t *wariness(struct vcore_ooo *ooo, uint64_t step)
{
	uint64_t pc = vcore_insn_of(ooo, step)->pc;

	return &ooo->wait_table[(pc ^ pc >> 10) % VCORE_WAIT_TABLE];
}

/* a load was wrong */
static void beware(struct vcore_ooo *ooo, uint64_t step)
{
	*wariness(ooo, step) = WARY;
	vcore_refused_forget(ooo);
}

static uint64_t step_of(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	return vcore_rob(ooo, flight->rob)->slot.step;
}

/* the youngest of the older stores whose address is not known */
static struct vcore_store *unknown_store(struct vcore_ooo *ooo,
					 const struct vcore_flight *flight)
{
	uint64_t nr;

	if (!ooo->unknown_stores)
		return NULL;
	for (nr = flight->store; nr-- > ooo->store_senior;) {
		if (!vcore_store(ooo, nr)->known)
			return vcore_store(ooo, nr);
	}
	return NULL;
}

static void link_waiter(struct vcore_ooo *ooo, struct vcore_flight *flight,
			uint16_t *list)
{
	vcore_sched_park(ooo, flight);
	flight->next = *list;
	*list = vcore_uop_index(flight);
}

/* the load must wait for a fence, or to become the oldest */
static bool held_back(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_barrier *barrier;
	uint64_t step;

	if (ooo->barrier_head == ooo->barrier_tail)
		return false;
	step = step_of(ooo, flight);
	barrier = &ooo->barrier[ooo->barrier_head % VCORE_BARRIERS];
	if (step > barrier->step) {
		link_waiter(ooo, flight, &barrier->waiters);
		return true;
	}
	if (step < barrier->step || !barrier->locked)
		return false;
	if (vcore_rob(ooo, ooo->head)->slot.step == step &&
	    ooo->store_head == barrier->first_store)
		return false;
	link_waiter(ooo, flight, &barrier->load);
	return true;
}

/* the load must wait for addresses, as it was wrong before */
static bool wary(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_store *store;

	if (!ooo->unknown_stores || !*wariness(ooo, step_of(ooo, flight)))
		return false;
	store = unknown_store(ooo, flight);
	if (!store)
		return false;
	flight->wary = true;
	vcore_sched_wait(ooo, flight, store->sta);
	return true;
}

/* the youngest older store that the load meets */
static uint64_t meets(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint64_t nr;

	if (!vcore_overlap_marked(ooo->store_granule, flight->access))
		return VCORE_NEVER;
	for (nr = flight->store; nr-- > ooo->store_head;) {
		struct vcore_store *store = vcore_store(ooo, nr);

		if (!store->known ||
		    !vcore_overlap_alias(&store->access, flight->access))
			continue;
		if (!flight->aliased ||
		    vcore_overlap(&store->access, flight->access))
			return nr;
	}
	return VCORE_NEVER;
}

/* the load has left its port but a store keeps it from its data */
static void hold(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	ooo->held += !flight->held;
	flight->held = true;
}

/* a store overlaps without feeding the load: wait until it is in the L1D */
static void block(struct vcore_ooo *ooo, struct vcore_flight *flight,
		  struct vcore_store *store)
{
	if (!flight->blocked)
		vcore_counts(ooo->core)->plain[VCORE_BLOCKED_FORWARD]++;
	flight->blocked = true;
	hold(ooo, flight);
	link_waiter(ooo, flight, &store->waiters);
}

static void forward(struct vcore_ooo *ooo, struct vcore_flight *flight,
		    uint64_t nr)
{
	struct vcore_store *store = vcore_store(ooo, nr);
	uint64_t start = ooo->core->cycle;

	/* a load that waited for them gets the data as they are written */
	if (start == store->data)
		start--;
	flight->done = start + ooo->core->params->back.forward +
		       flight->latency;
	flight->level = VCORE_AT_L1;
	flight->from = VCORE_AT_L1;
	vcore_load(ooo, flight->load)->from = nr + 1;
}

/* true if the store feeds the load, false if it must be tried again */
static bool meet(struct vcore_ooo *ooo, struct vcore_flight *flight,
		 uint64_t nr)
{
	struct vcore_store *store = vcore_store(ooo, nr);
	const struct vcore_back_params *back = &ooo->core->params->back;

	if (!vcore_overlap(&store->access, flight->access)) {
		flight->aliased = true;
		hold(ooo, flight);
		vcore_counts(ooo->core)->plain[VCORE_ALIAS_4K]++;
		vcore_sched_call(ooo, flight, ooo->core->cycle + back->alias);
		return false;
	}
	if (!vcore_overlap_covers(&store->access, flight->access) &&
	    store->step != step_of(ooo, flight)) {
		block(ooo, flight, store);
		return false;
	}
	if (!store->filled) {
		hold(ooo, flight);
		vcore_sched_wait(ooo, flight, store->std);
		return false;
	}
	forward(ooo, flight, nr);
	return true;
}

static void note_reply(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       const struct vcore_reply *reply)
{
	flight->level = reply->level;
	flight->from = reply->level == VCORE_AT_FILL ? reply->from :
						       reply->level;
	flight->tlb_missed = reply->stlb_hit || reply->walked;
	flight->walked = reply->walked;
	flight->split = reply->split;
	flight->refused = false;
	flight->done = reply->done + flight->latency;
	flight->miss_at = reply->l1_done;
	flight->hit_at = ooo->core->cycle +
			 ooo->core->params->memory.l1d.latency;
	if (flight->done <= ooo->core->cycle)
		flight->done = ooo->core->cycle + 1;
}

static bool read_memory(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore *core = ooo->core;
	struct vcore_reply reply;

	if (flight->access->device) {
		flight->done = core->cycle + core->params->memory.memory;
		return true;
	}
	reply = vcore_memory_load(core->memory, core->cycle,
				  vcore_insn_of(ooo, step_of(ooo, flight))->pc,
				  flight->access, vcore_counts(core));
	if (reply.refused) {
		flight->refused = true;
		vcore_refused_add(ooo, flight, reply.done);
		return false;
	}
	note_reply(ooo, flight, &reply);
	return true;
}

static void raise(uint64_t *until, uint64_t cycle)
{
	if (*until < cycle)
		*until = cycle;
}

static void begin_pending(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	raise(&ooo->pending[VCORE_PENDING_LOAD], flight->done);
	if (flight->level <= VCORE_AT_L1)
		return;
	if (flight->miss_at <= ooo->core->cycle)
		vcore_lsq_pending(ooo, flight);
	else if (flight->miss_at < flight->done)
		vcore_sched_call(ooo, flight, flight->miss_at);
}

/**
 * vcore_lsq_pending() - a load is pending as a miss from now on
 * @ooo: the core
 * @flight: the load, executed
 */
void vcore_lsq_pending(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	raise(&ooo->pending[VCORE_PENDING_L1], flight->done);
	if (flight->from >= VCORE_AT_L3)
		raise(&ooo->pending[VCORE_PENDING_L2], flight->done);
	if (flight->from >= VCORE_AT_MEMORY)
		raise(&ooo->pending[VCORE_PENDING_L3], flight->done);
}

static bool prefetch(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore *core = ooo->core;

	vcore_memory_prefetch(core->memory, core->cycle, flight->access,
			      vcore_counts(core));
	flight->done = core->cycle + 1;
	return true;
}

static void lsq_learn(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint64_t step = step_of(ooo, flight);
	uint8_t *count = wariness(ooo, step);

	if (vcore_load(ooo, flight->load)->from)
		beware(ooo, step);
	else if (*count)
		--*count;
}

/**
 * vcore_lsq_load() - a load executes
 * @ooo: the core
 * @flight: the load, with an access
 *
 * Return: false if it has to be tried again; it is told when
 */
bool vcore_lsq_load(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint64_t nr;

	if (vcore_refused_again(ooo, flight) || held_back(ooo, flight))
		return false;
	if (vcore_insn_of(ooo, step_of(ooo, flight))->prefetch)
		return prefetch(ooo, flight);
	if (wary(ooo, flight))
		return false;
	nr = meets(ooo, flight);
	if (nr != VCORE_NEVER)
		return meet(ooo, flight, nr);
	return read_memory(ooo, flight);
}

/**
 * vcore_lsq_loaded() - a load has executed
 * @ooo: the core
 * @flight: the load, out of the scheduler
 */
void vcore_lsq_loaded(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	if (vcore_insn_of(ooo, step_of(ooo, flight))->prefetch)
		return;
	vcore_load(ooo, flight->load)->executed = true;
	vcore_overlap_mark(ooo->load_granule, flight->access, 1);
	if (flight->wary)
		lsq_learn(ooo, flight);
	ooo->held -= flight->held;
	flight->held = false;
	begin_pending(ooo, flight);
}

/**
 * vcore_lsq_retire_load() - the oldest load leaves the load buffer
 * @ooo: the core
 */
void vcore_lsq_retire_load(struct vcore_ooo *ooo)
{
	struct vcore_load *load = vcore_load(ooo, ooo->load_head++);

	if (load->executed)
		vcore_overlap_mark(ooo->load_granule, load->access, -1);
}

/**
 * vcore_lsq_barrier() - a fence or a locked instruction issues
 * @ooo: the core
 * @step: its number
 * @locked: or a fence
 */
void vcore_lsq_barrier(struct vcore_ooo *ooo, uint64_t step, bool locked)
{
	struct vcore_barrier *barrier;

	barrier = &ooo->barrier[ooo->barrier_tail++ % VCORE_BARRIERS];
	*barrier = (struct vcore_barrier){
		.step = step,
		.first_store = ooo->store_tail,
		.locked = locked,
		.load = VCORE_NO_UOP,
		.waiters = VCORE_NO_UOP,
	};
}

/* its stores are in the L1D */
static bool passed(struct vcore_ooo *ooo, const struct vcore_barrier *barrier)
{
	if (barrier->step >= ooo->core->trace.retired)
		return false;
	return !barrier->locked || ooo->store_head > barrier->first_store ||
	       ooo->store_head == ooo->store_senior;
}

/**
 * vcore_lsq_barriers() - let go what the oldest fence or lock held back
 * @ooo: the core
 */
void vcore_lsq_barriers(struct vcore_ooo *ooo)
{
	struct vcore_barrier *barrier;

	if (ooo->barrier_head == ooo->barrier_tail)
		return;
	barrier = &ooo->barrier[ooo->barrier_head % VCORE_BARRIERS];
	if (passed(ooo, barrier)) {
		ooo->barrier_head++;
		ooo->did.active = true;
		vcore_sched_call_all(ooo, &barrier->waiters, ooo->core->cycle + 1);
	} else if (barrier->load != VCORE_NO_UOP &&
		   vcore_rob(ooo, ooo->head)->slot.step == barrier->step &&
		   ooo->store_head == barrier->first_store) {
		vcore_sched_call_all(ooo, &barrier->load, ooo->core->cycle + 1);
	}
}

/* the insn that a barrier belongs to has retired, its stores wait to leave */
static bool outlives(struct vcore_ooo *ooo, const struct vcore_barrier *barrier)
{
	return barrier->step < ooo->core->trace.retired;
}

/**
 * vcore_lsq_reset() - all that has not retired goes
 * @ooo: the core
 */
void vcore_lsq_reset(struct vcore_ooo *ooo)
{
	unsigned int i;

	for (i = 0; i < VCORE_GRANULES; i++)
		ooo->load_granule[i] = 0;
	ooo->load_tail = ooo->load_head;
	ooo->held = 0;
	while (ooo->barrier_tail != ooo->barrier_head) {
		struct vcore_barrier *barrier;

		barrier = &ooo->barrier[(ooo->barrier_tail - 1) %
					VCORE_BARRIERS];
		barrier->waiters = VCORE_NO_UOP;
		if (outlives(ooo, barrier))
			break;
		ooo->barrier_tail--;
	}
}

static void clear_at(struct vcore_ooo *ooo, const struct vcore_load *load)
{
	struct vcore_flight *flight = &ooo->uop[load->uop];
	uint64_t first = vcore_rob(ooo, flight->rob)->first;

	if (first >= ooo->head)
		vcore_rob(ooo, first)->clear = true;
	else
		ooo->clear_next = true;
}

/**
 * vcore_lsq_violation() - the address of a store is known: have younger loads
 *	read what they should have got from it?
 * @ooo: the core
 * @nr: number of the store
 */
void vcore_lsq_violation(struct vcore_ooo *ooo, uint64_t nr)
{
	const struct vcore_store *store = vcore_store(ooo, nr);
	uint64_t i;

	if (!vcore_overlap_marked(ooo->load_granule, &store->access))
		return;
	for (i = ooo->load_head; i < ooo->load_tail; i++) {
		struct vcore_load *load = vcore_load(ooo, i);

		if (!load->executed || load->step <= store->step ||
		    load->from > nr ||
		    !vcore_overlap(load->access, &store->access))
			continue;
		beware(ooo, load->step);
		clear_at(ooo, load);
		return;
	}
}

/**
 * vcore_lsq_lost() - another core took a line
 * @ooo: the core
 * @line: its number
 *
 * A load that has read it, while an older one has not yet, is wrong.
 */
void vcore_lsq_lost(struct vcore_ooo *ooo, uint64_t line)
{
	uint64_t now = ooo->core->cycle;
	bool incomplete = false;
	uint64_t i;

	for (i = ooo->load_head; i < ooo->load_tail; i++) {
		struct vcore_load *load = vcore_load(ooo, i);

		if (incomplete && load->executed &&
		    load->access->pa / LINE == line) {
			clear_at(ooo, load);
			return;
		}
		if (!load->executed || ooo->uop[load->uop].done > now)
			incomplete = true;
	}
}
