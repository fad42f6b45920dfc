// SPDX-License-Identifier: GPL-2.0
/*
 * Issue in an out-of-order core (Intel: allocation). In program order, slots from the front end's
 * queue are renamed and get entries in the back end's buffers, and each of their uops is bound to
 * a port.
 */
#include "ooo.h"

static const struct vcore_back_params *back_params(const struct vcore_ooo *ooo)
{
	return &ooo->core->params->back;
}

/* The step of the trace whose instruction is being issued, and its number in the trace. */
struct issued {
	uint64_t number;
	const struct vcore_step *step;
	const struct vcore_insn *insn;
};

static bool barriers_full(struct vcore_ooo *ooo, const struct vcore_slot *slot)
{
	return slot->first_of_insn &&
	       ooo->barrier_tail - ooo->barrier_head == VCORE_BARRIERS;
}

static bool rob_full(struct vcore_ooo *ooo, const struct vcore_slot *slot)
{
	return ooo->tail - ooo->head >= back_params(ooo)->rob ||
	       ooo->next - ooo->oldest + slot->nr > VCORE_UOPS;
}

/*
 * Returns a mask of &enum vcore_full: the buffers of the back end that have no room for the slot.
 */
static unsigned int full_resources(struct vcore_ooo *ooo,
				   const struct vcore_slot *slot)
{
	unsigned int stalls = rob_full(ooo, slot) ? VCORE_FULL_ROB : 0;

	if (ooo->scheduled + slot->uops > back_params(ooo)->rs)
		stalls |= VCORE_FULL_RS;
	if (ooo->store_tail - ooo->store_head + slot->stores >
	    back_params(ooo)->stores)
		stalls |= VCORE_FULL_STORES;
	if (ooo->load_tail - ooo->load_head + slot->loads > back_params(ooo)->loads ||
	    barriers_full(ooo, slot))
		stalls |= VCORE_FULL_LOADS;
	return stalls;
}

static const struct vcore_access *nth_access(const struct vcore_step *step,
					     unsigned int nr, bool store)
{
	unsigned int i;

	for (i = 0; i < step->nr_accesses; i++) {
		if (step->access[i].store == store && !nr--)
			return &step->access[i];
	}
	return NULL;
}

/*
 * Returns surplus access @nr of the step. If the step has more accesses than insn->uop has load and
 * STA uops, the last accesses have no uop. These are the surplus accesses.
 */
static const struct vcore_access *nth_surplus_access(const struct vcore_step *step,
						     unsigned int nr)
{
	const struct vcore_insn *insn = step->insn;
	unsigned int own[2] = { 0 };
	unsigned int i;

	for (i = 0; i < insn->nr_uops; i++) {
		own[0] += insn->uop[i].type == VCORE_LOAD;
		own[1] += insn->uop[i].type == VCORE_STA;
	}
	for (i = 0; i < step->nr_accesses; i++) {
		if (own[step->access[i].store]) {
			own[step->access[i].store]--;
			continue;
		}
		if (!nr--)
			return &step->access[i];
	}
	return NULL;
}

static void bind_port(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      unsigned int ports)
{
	unsigned int best = 31 - __builtin_clz(ports);

	for (ports &= ~(1u << best); ports; ports &= ports - 1) {
		unsigned int port = __builtin_ctz(ports);

		if (ooo->on_port[port] < ooo->on_port[best])
			best = port;
	}
	flight->port = best;
}

static void allocate_load(struct vcore_ooo *ooo, struct vcore_flight *flight,
			  const struct issued *is,
			  const struct vcore_access *access)
{
	flight->access = access;
	flight->store = ooo->store_tail;
	if (!access || is->insn->prefetch)
		return;
	flight->load = ooo->load_tail;
	*vcore_load(ooo, ooo->load_tail++) = (struct vcore_load){
		.access = access,
		.step = is->number,
		.uop = vcore_uop_index(flight),
	};
}

static void allocate_store(struct vcore_ooo *ooo, struct vcore_flight *flight,
			   const struct issued *is,
			   const struct vcore_access *access, bool both)
{
	uint16_t uop = vcore_uop_index(flight);

	flight->access = access;
	flight->store = ooo->store_tail;
	if (!access)
		return;
	ooo->unknown_stores++;
	*vcore_store(ooo, ooo->store_tail++) = (struct vcore_store){
		.access = *access,
		.step = is->number,
		.sta = uop,
		.std = both ? uop : VCORE_NO_UOP,
		.waiters = VCORE_NO_UOP,
		.streams = is->insn->streams,
	};
}

static void allocate_data(struct vcore_ooo *ooo, struct vcore_flight *flight,
			  const struct vcore_access *access)
{
	uint64_t nr = ooo->first_store + ooo->stds++;

	if (!access || nr >= ooo->store_tail)
		return;
	flight->access = access;
	flight->store = nr;
	vcore_store(ooo, nr)->std = vcore_uop_index(flight);
}

static void allocate_uop(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 const struct issued *is)
{
	if (flight->type == VCORE_LOAD)
		allocate_load(ooo, flight, is,
			      nth_access(is->step, ooo->loads++, false));
	else if (flight->type == VCORE_STA)
		allocate_store(ooo, flight, is,
			       nth_access(is->step, ooo->stas++, true), false);
	else if (flight->type == VCORE_STD)
		allocate_data(ooo, flight,
			      nth_access(is->step, ooo->stds, true));
}

/* Executes an eliminated move, a zero idiom or an FXCH by changing the register map only. */
static void eliminate(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      const struct vcore_uop *uop)
{
	unsigned int first = vcore_reg_at(uop->result[0], ooo->x87_top);
	unsigned int second = vcore_reg_at(uop->result[1], ooo->x87_top);
	uint64_t was = ooo->map[first];

	flight->state = VCORE_UOP_DONE;
	if (first >= VCORE_REG_X87 && first < VCORE_REG_OTHER) {
		ooo->map[first] = ooo->map[second];
		ooo->map[second] = was;
		return;
	}
	ooo->map[first] = uop->source[0] ? ooo->map[uop->source[0]] : 0;
	ooo->map[second] = 0;
}

static void rename(struct vcore_ooo *ooo, struct vcore_flight *flight,
		   const struct vcore_insn *insn, const struct vcore_uop *uop)
{
	unsigned int top = vcore_x87_top(insn, ooo->x87_top);
	unsigned int i, reg;

	for (i = 0; i < VCORE_MAX_SOURCES; i++) {
		reg = vcore_reg_at(uop->source[i], ooo->x87_top);
		if (reg)
			vcore_sched_operand(ooo, flight, ooo->map[reg]);
	}
	for (i = 0; i < VCORE_MAX_RESULTS; i++) {
		reg = vcore_reg_at(uop->result[i], top);
		if (reg)
			ooo->map[reg] = flight->seq;
	}
}

/*
 * Takes the next element of the ring of uops in flight for a new uop. The members that are not
 * initialised here are written later, before their first use.
 */
static struct vcore_flight *new_flight(struct vcore_ooo *ooo, bool wrong)
{
	struct vcore_flight *flight = vcore_flight(ooo, ooo->next);

	flight->seq = ooo->next++;
	flight->done = ooo->core->cycle;
	flight->miss_at = 0;
	flight->hit_at = 0;
	flight->access = NULL;
	flight->load = 0;
	flight->rob = ooo->tail % VCORE_MAX_ROB;
	flight->consumers = VCORE_NO_UOP;
	flight->sources = 0;
	flight->waits = 0;
	flight->state = VCORE_UOP_WAITS;
	flight->type = VCORE_ALU;
	flight->port = 0;
	flight->latency = 1;
	flight->divides = 0;
	flight->compute = VCORE_INTEGER;
	flight->level = VCORE_NO_ACCESS;
	flight->from = VCORE_NO_ACCESS;
	flight->wrong = wrong;
	flight->tlb_missed = false;
	flight->walked = false;
	flight->split = false;
	flight->refused = false;
	flight->blocked = false;
	flight->held = false;
	flight->aliased = false;
	flight->waited = false;
	return flight;
}

static void insn_uop(struct vcore_ooo *ooo, struct vcore_flight *flight,
		     const struct issued *is, const struct vcore_uop *uop)
{
	bool ideal = ooo->core->ideal->alu;

	flight->type = uop->type;
	flight->compute = uop->compute;
	if (uop->type == VCORE_NONE) {
		eliminate(ooo, flight, uop);
		return;
	}
	flight->divides = ideal ? 0 : uop->divides;
	if (uop->type == VCORE_LOAD)
		flight->latency = uop->latency;
	else if (uop->latency && !ideal)
		flight->latency = uop->latency;
	bind_port(ooo, flight, uop->ports);
	allocate_uop(ooo, flight, is);
	rename(ooo, flight, is->insn, uop);
}

static void filler_uop(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	bind_port(ooo, flight, back_params(ooo)->alu_ports);
	vcore_sched_operand(ooo, flight, flight->seq - 1);
}

static void surplus_uop(struct vcore_ooo *ooo, struct vcore_flight *flight,
			const struct issued *is)
{
	const struct vcore_access *access;

	access = nth_surplus_access(is->step, ooo->surplus++);
	if (access && access->store) {
		flight->type = VCORE_STA;
		bind_port(ooo, flight, back_params(ooo)->sta_ports);
		allocate_store(ooo, flight, is, access, true);
		return;
	}
	flight->type = VCORE_LOAD;
	flight->latency = 0;
	bind_port(ooo, flight, back_params(ooo)->load_ports);
	allocate_load(ooo, flight, is, access);
}

/* Binds a macro-fused pair to one of the ports that can execute the branch of the pair. */
static void bind_fused_port(struct vcore_ooo *ooo, struct vcore_flight *flight,
			    const struct vcore_slot *slot)
{
	const struct vcore_insn *branch = vcore_insn_of(ooo, slot->step + 1);

	bind_port(ooo, flight, branch->uop[branch->nr_uops - 1].ports);
}

static void correct_path_uop(struct vcore_ooo *ooo, struct vcore_rob *rob,
			     const struct issued *is, unsigned int nr)
{
	const struct vcore_slot *slot = &rob->slot;
	const struct vcore_insn *insn = is->insn;
	struct vcore_flight *flight = new_flight(ooo, false);
	unsigned int index = slot->first + nr;

	if (index < insn->nr_uops)
		insn_uop(ooo, flight, is, &insn->uop[index]);
	else if (index < vcore_step_filled(is->step))
		filler_uop(ooo, flight);
	else
		surplus_uop(ooo, flight, is);
	if (slot->fused_next && nr == slot->nr - 1u)
		bind_fused_port(ooo, flight, slot);
	if (flight->type == VCORE_NONE)
		return;
	rob->pending++;
	vcore_sched_add(ooo, flight);
}

static void issue_wrong_path(struct vcore_ooo *ooo, struct vcore_rob *rob)
{
	struct vcore_flight *flight = new_flight(ooo, true);

	bind_port(ooo, flight, back_params(ooo)->alu_ports);
	rob->pending = 1;
	vcore_sched_add(ooo, flight);
}

static void begin_insn(struct vcore_ooo *ooo, const struct issued *is)
{
	ooo->first = ooo->tail;
	ooo->first_store = ooo->store_tail;
	ooo->loads = 0;
	ooo->stas = 0;
	ooo->stds = 0;
	ooo->surplus = 0;
	if (is->insn->locked || is->insn->fence & 1)
		vcore_lsq_barrier(ooo, is->number, is->insn->locked);
}

static void issue_correct_path(struct vcore_ooo *ooo, struct vcore_rob *rob)
{
	const struct vcore_step *step = vcore_step(&ooo->core->trace,
						   rob->slot.step);
	const struct issued is = { rob->slot.step, step, step->insn };
	unsigned int i;

	if (rob->slot.first_of_insn)
		begin_insn(ooo, &is);
	rob->first = ooo->first;
	for (i = 0; i < rob->nr; i++)
		correct_path_uop(ooo, rob, &is, i);
	if (rob->slot.last_of_insn)
		ooo->x87_top += is.insn->x87_pops;
	rob->stores = ooo->store_tail;
	if (ooo->core->tag.on)
		vcore_tag_issue(&ooo->core->tag, ooo->core->cycle, ooo->tail);
	ooo->did.issued_correct++;
	ooo->clearing = false;
	ooo->unresolved |= rob->slot.mispredicted;
	if (rob->pending)
		return;
	ooo->did.executed_slots++;
	if (rob->slot.mispredicted)
		ooo->resolve = ooo->core->cycle + 1;
}

static void issue_slot(struct vcore_ooo *ooo, const struct vcore_slot *slot)
{
	struct vcore_rob *rob = vcore_rob(ooo, ooo->tail);

	rob->slot = *slot;
	rob->seq = ooo->next;
	rob->done = ooo->core->cycle;
	rob->nr = slot->nr;
	rob->pending = 0;
	rob->clear = false;
	if (slot->wrong)
		issue_wrong_path(ooo, rob);
	else
		issue_correct_path(ooo, rob);
	ooo->tail++;
	ooo->did.issued++;
}

/*
 * Returns true if the thread leaves the issue slots of this cycle to the core's other thread. A
 * thread that could not issue anyway, because it has no slot or no room for one, does not yield.
 */
static bool yields(struct vcore_ooo *ooo, const struct vcore_slot *slot)
{
	const struct vcore *core = ooo->core;

	return core->shares && slot && !ooo->did.recovering && !full_resources(ooo, slot) &&
	       vcore_memory_yields(core->memory, core->sibling, core->cycle);
}

/**
 * vcore_issue() - issue slots from the front end's queue to the back end, as far as it has room
 * @ooo: back end
 */
void vcore_issue(struct vcore_ooo *ooo)
{
	const struct vcore_slot *slot = vcore_front_peek(ooo->front);
	struct vcore_did *did = &ooo->did;

	did->recovering = ooo->core->cycle < ooo->recovered;
	did->yields = yields(ooo, slot);
	while (slot && !did->recovering && !did->yields &&
	       did->issued < back_params(ooo)->width) {
		did->stalls = full_resources(ooo, slot);
		if (did->stalls)
			break;
		issue_slot(ooo, slot);
		vcore_front_take(ooo->front);
		slot = vcore_front_peek(ooo->front);
	}
	did->lacks = slot ? VCORE_LACKS_NOTHING : vcore_front_lacks(ooo->front);
	if (did->lacks == VCORE_LACKS_TRACE && ooo->core->cut && ooo->head != ooo->tail)
		did->stalls |= VCORE_FULL_ROB;
}
