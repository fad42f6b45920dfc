// SPDX-License-Identifier: GPL-2.0
/*
 * The load and store buffers of an out-of-order core, its load/store queue (LSQ).
 *
 * A load may execute before older stores whose addresses are unknown, unless an earlier execution
 * of the same load instruction caused a memory-ordering clear (memory disambiguation, with a
 * store-wait table). Stores write the L1D in order after they have retired. Each store requests
 * its line (RFO) while older stores are still in the buffer.
 */
#include "ooo.h"
#include "overlap.h"

#define LINE 64
/*
 * A load instruction that has caused a machine clear waits for the addresses of older stores in
 * this number of its next executions.
 */
#define WAIT_EXECUTIONS 15

static uint8_t *wait_entry(struct vcore_ooo *ooo, uint64_t step)
{
	uint64_t pc = vcore_insn_of(ooo, step)->pc;

	return &ooo->wait_table[(pc ^ pc >> 10) % VCORE_WAIT_TABLE];
}

/*
 * Makes the load instruction wait for the addresses of older stores in its next WAIT_EXECUTIONS
 * executions.
 */
static void train_wait(struct vcore_ooo *ooo, uint64_t step)
{
	*wait_entry(ooo, step) = WAIT_EXECUTIONS;
	vcore_refused_forget(ooo);
}

static uint64_t step_of(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	return vcore_rob(ooo, flight->rob)->slot.step;
}

/* Returns the youngest store that is older than the load and whose address is unknown, or NULL. */
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

static void append_waiter(struct vcore_ooo *ooo, struct vcore_flight *flight,
			  uint16_t *list)
{
	vcore_sched_park(ooo, flight);
	flight->next = *list;
	*list = vcore_uop_index(flight);
}

/*
 * Checks if the oldest barrier, a fence or a locked instruction, forbids the load to execute yet. A
 * load that is younger than the barrier must wait. A load of a locked instruction must wait until
 * this instruction is the oldest in flight and no older store is in the store buffer. If the load
 * must wait, puts it on a list of the barrier and returns true.
 */
static bool waits_for_barrier(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_barrier *barrier;
	uint64_t step;

	if (ooo->barrier_head == ooo->barrier_tail)
		return false;
	step = step_of(ooo, flight);
	barrier = &ooo->barrier[ooo->barrier_head % VCORE_BARRIERS];
	if (step > barrier->step) {
		append_waiter(ooo, flight, &barrier->waiters);
		return true;
	}
	if (step < barrier->step || !barrier->locked)
		return false;
	if (vcore_rob(ooo, ooo->head)->slot.step == step &&
	    ooo->store_head == barrier->first_store)
		return false;
	append_waiter(ooo, flight, &barrier->load);
	return true;
}

/* Returns true if the store-wait table makes the load wait for an older store's address. */
static bool waits_for_stores(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_store *store;

	if (!ooo->unknown_stores || !*wait_entry(ooo, step_of(ooo, flight)))
		return false;
	store = unknown_store(ooo, flight);
	if (!store)
		return false;
	flight->waited = true;
	vcore_sched_wait(ooo, flight, store->sta);
	return true;
}

/*
 * Returns the number of the youngest conflicting store, or VCORE_NEVER. A conflicting store is
 * older than the load and overlaps the load. Only the low 12 address bits are compared, or all bits
 * if the load has already lost time to 4K aliasing.
 */
static uint64_t conflicting_store(struct vcore_ooo *ooo, struct vcore_flight *flight)
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

/* Marks a load that has been executed by its port, but whose data are delayed by an older store. */
static void delay_data(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	ooo->held += !flight->held;
	flight->held = true;
}

/*
 * Makes a load wait until the L1D has the store's data. The store cannot forward, because it does
 * not write all bytes that the load reads.
 */
static void block_load(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       struct vcore_store *store)
{
	if (!flight->blocked)
		vcore_counts(ooo->core)->plain[VCORE_BLOCKED_FORWARD]++;
	flight->blocked = true;
	delay_data(ooo, flight);
	append_waiter(ooo, flight, &store->waiters);
}

static void forward_data(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t nr)
{
	struct vcore_store *store = vcore_store(ooo, nr);
	uint64_t start = ooo->core->cycle;

	/*
	 * A load that waited for the store's data receives the data in the cycle in which the STD
	 * uop writes them to the store buffer.
	 */
	if (start == store->data)
		start--;
	flight->done = start + ooo->core->params->back.forward +
		       flight->latency;
	flight->level = VCORE_AT_L1;
	flight->from = VCORE_AT_L1;
	vcore_load(ooo, flight->load)->from = nr + 1;
}

/*
 * Returns true if store @nr forwards its data to the load. If the store cannot forward, returns
 * false, and the load has to be retried.
 */
static bool resolve_conflict(struct vcore_ooo *ooo, struct vcore_flight *flight,
			     uint64_t nr)
{
	struct vcore_store *store = vcore_store(ooo, nr);
	const struct vcore_back_params *back = &ooo->core->params->back;

	if (!vcore_overlap(&store->access, flight->access)) {
		flight->aliased = true;
		delay_data(ooo, flight);
		vcore_counts(ooo->core)->plain[VCORE_ALIAS_4K]++;
		vcore_sched_wake_at(ooo, flight, ooo->core->cycle + back->alias);
		return false;
	}
	if (!vcore_overlap_covers(&store->access, flight->access) &&
	    store->step != step_of(ooo, flight)) {
		block_load(ooo, flight, store);
		return false;
	}
	if (!store->filled) {
		delay_data(ooo, flight);
		vcore_sched_wait(ooo, flight, store->std);
		return false;
	}
	forward_data(ooo, flight, nr);
	return true;
}

static void set_reply(struct vcore_ooo *ooo, struct vcore_flight *flight,
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
	set_reply(ooo, flight, &reply);
	return true;
}

static void extend_pending(uint64_t *until, uint64_t cycle)
{
	if (*until < cycle)
		*until = cycle;
}

static void begin_pending(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	extend_pending(&ooo->pending[VCORE_PENDING_LOAD], flight->done);
	if (flight->level <= VCORE_AT_L1)
		return;
	if (flight->miss_at <= ooo->core->cycle)
		vcore_lsq_pending(ooo, flight);
	else if (flight->miss_at < flight->done)
		vcore_sched_wake_at(ooo, flight, flight->miss_at);
}

/**
 * vcore_lsq_pending() - note in the load/store queue that an executed load has missed the L1D
 * @ooo: back end
 * @flight: the load
 */
void vcore_lsq_pending(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	extend_pending(&ooo->pending[VCORE_PENDING_L1], flight->done);
	if (flight->from >= VCORE_AT_L3)
		extend_pending(&ooo->pending[VCORE_PENDING_L2], flight->done);
	if (flight->from >= VCORE_AT_MEMORY)
		extend_pending(&ooo->pending[VCORE_PENDING_L3], flight->done);
}

static bool execute_prefetch(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore *core = ooo->core;

	vcore_memory_prefetch(core->memory, core->cycle, flight->access,
			      vcore_counts(core));
	flight->done = core->cycle + 1;
	return true;
}

static void update_wait(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint64_t step = step_of(ooo, flight);
	uint8_t *count = wait_entry(ooo, step);

	if (vcore_load(ooo, flight->load)->from)
		train_wait(ooo, step);
	else if (*count)
		--*count;
}

/**
 * vcore_lsq_load() - let the load/store queue execute a load
 * @ooo: back end
 * @flight: the load; its &vcore_flight.access is not NULL
 *
 * Return: true if the load has executed; false if the load must be retried. The load is then woken
 * when a retry can succeed.
 */
bool vcore_lsq_load(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint64_t nr;

	if (vcore_refused_again(ooo, flight) || waits_for_barrier(ooo, flight))
		return false;
	if (vcore_insn_of(ooo, step_of(ooo, flight))->prefetch)
		return execute_prefetch(ooo, flight);
	if (waits_for_stores(ooo, flight))
		return false;
	nr = conflicting_store(ooo, flight);
	if (nr != VCORE_NEVER)
		return resolve_conflict(ooo, flight, nr);
	return read_memory(ooo, flight);
}

/**
 * vcore_lsq_loaded() - note in the load/store queue that a load has executed
 * @ooo: back end
 * @flight: the load, which has left the scheduler
 */
void vcore_lsq_loaded(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	if (vcore_insn_of(ooo, step_of(ooo, flight))->prefetch)
		return;
	vcore_load(ooo, flight->load)->executed = true;
	vcore_overlap_mark(ooo->load_granule, flight->access, 1);
	if (flight->waited)
		update_wait(ooo, flight);
	ooo->held -= flight->held;
	flight->held = false;
	begin_pending(ooo, flight);
}

/**
 * vcore_lsq_retire_load() - free the oldest load in the load/store queue
 * @ooo: back end
 */
void vcore_lsq_retire_load(struct vcore_ooo *ooo)
{
	struct vcore_load *load = vcore_load(ooo, ooo->load_head++);

	if (load->executed)
		vcore_overlap_mark(ooo->load_granule, load->access, -1);
}

/**
 * vcore_lsq_barrier() - allocate a load/store barrier for a fence or a locked instruction
 * @ooo: back end
 * @step: number of the instruction's step in the trace
 * @locked: true for a locked instruction, false for a fence
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

/*
 * Returns true if the barrier no longer delays younger loads. The instruction of the barrier must
 * have retired. If it is a locked instruction, its first store must also have been written to the
 * L1D.
 */
static bool barrier_passed(struct vcore_ooo *ooo, const struct vcore_barrier *barrier)
{
	if (barrier->step >= ooo->core->trace.retired)
		return false;
	return !barrier->locked || ooo->store_head > barrier->first_store ||
	       ooo->store_head == ooo->store_senior;
}

/**
 * vcore_lsq_barriers() - wake the load/store queue's loads that no fence or lock delays any more
 * @ooo: back end
 */
void vcore_lsq_barriers(struct vcore_ooo *ooo)
{
	struct vcore_barrier *barrier;

	if (ooo->barrier_head == ooo->barrier_tail)
		return;
	barrier = &ooo->barrier[ooo->barrier_head % VCORE_BARRIERS];
	if (barrier_passed(ooo, barrier)) {
		ooo->barrier_head++;
		ooo->did.active = true;
		vcore_sched_wake_all_at(ooo, &barrier->waiters, ooo->core->cycle + 1);
	} else if (barrier->load != VCORE_NO_UOP &&
		   vcore_rob(ooo, ooo->head)->slot.step == barrier->step &&
		   ooo->store_head == barrier->first_store) {
		vcore_sched_wake_all_at(ooo, &barrier->load, ooo->core->cycle + 1);
	}
}

/*
 * Returns true if the fence or locked instruction of the barrier has retired. Its stores may still
 * be in the store buffer.
 */
static bool barrier_retired(struct vcore_ooo *ooo, const struct vcore_barrier *barrier)
{
	return barrier->step < ooo->core->trace.retired;
}

/**
 * vcore_lsq_reset() - drop the loads and barriers that have not retired from the load/store queue
 * @ooo: back end
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
		if (barrier_retired(ooo, barrier))
			break;
		ooo->barrier_tail--;
	}
}

static void request_clear(struct vcore_ooo *ooo, const struct vcore_load *load)
{
	struct vcore_flight *flight = &ooo->uop[load->uop];
	uint64_t first = vcore_rob(ooo, flight->rob)->first;

	if (first >= ooo->head)
		vcore_rob(ooo, first)->clear = true;
	else
		ooo->clear_next = true;
}

/**
 * vcore_lsq_violation() - check the load/store queue for loads that executed before an older store
 * @ooo: back end
 * @nr: number of the store, whose address has just become known
 *
 * The oldest load that is younger than the store, overlaps it and has already executed causes a
 * memory-ordering clear.
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
		train_wait(ooo, load->step);
		request_clear(ooo, load);
		return;
	}
}

/**
 * vcore_lsq_invalidated() - check the load/store queue for loads that have read an invalidated line
 * @ooo: back end
 * @line: line address / 64, invalidated by another core
 *
 * If a load has read the line while an older load is still incomplete, the two loads were
 * reordered. Then the younger load causes a memory-ordering clear.
 */
void vcore_lsq_invalidated(struct vcore_ooo *ooo, uint64_t line)
{
	uint64_t now = ooo->core->cycle;
	bool incomplete = false;
	uint64_t i;

	for (i = ooo->load_head; i < ooo->load_tail; i++) {
		struct vcore_load *load = vcore_load(ooo, i);

		if (incomplete && load->executed &&
		    load->access->pa / LINE == line) {
			request_clear(ooo, load);
			return;
		}
		if (!load->executed || ooo->uop[load->uop].done > now)
			incomplete = true;
	}
}
