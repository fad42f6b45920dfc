// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler of an out-of-order core and its ports: uops wait for their
 * operands, then for their port, to which issue has bound them; the oldest goes
 * first.
 */
#include "ooo.h"

#define NO_OPERAND 0xffff

static void make_ready(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t uop = vcore_uop_index(flight);

	vcore_bits_clear(&ooo->waiting, uop);
	vcore_bits_set(&ooo->ready[flight->port], uop);
	ooo->ready_ports |= 1u << flight->port;
}

static void not_ready(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_bits *ready = &ooo->ready[flight->port];

	vcore_bits_clear(ready, vcore_uop_index(flight));
	if (!ready->words)
		ooo->ready_ports &= ~(1u << flight->port);
}

/**
 * vcore_sched_park() - a uop that was ready is not
 * @ooo: the core
 * @flight: who calls it again is the caller's business
 */
void vcore_sched_park(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t uop = vcore_uop_index(flight);

	if (!vcore_bits_has(&ooo->ready[flight->port], uop))
		return;
	not_ready(ooo, flight);
	vcore_bits_set(&ooo->waiting, uop);
}

/**
 * vcore_sched_call() - have a uop called in a later cycle
 * @ooo: the core
 * @flight: if it has not executed, it may then; a load that has is pending as
 *	a miss from then on
 * @cycle: not the present
 *
 * What lies beyond the wheel is called on its last cycle and waits again.
 */
void vcore_sched_call(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint64_t cycle)
{
	uint64_t now = ooo->core->cycle;
	uint64_t at = cycle > now ? cycle : now + 1;
	unsigned int bucket;

	vcore_sched_park(ooo, flight);
	flight->at = at;
	if (at > now + VCORE_BITS - 1)
		at = now + VCORE_BITS - 1;
	bucket = at % VCORE_BITS;
	flight->next = ooo->wheel[bucket];
	ooo->wheel[bucket] = vcore_uop_index(flight);
	vcore_bits_set(&ooo->called, bucket);
}

/**
 * vcore_sched_call_all() - the same for a list of uops, which is empty then
 * @ooo: the core
 * @list: uops that were parked
 * @cycle: not the present
 */
void vcore_sched_call_all(struct vcore_ooo *ooo, uint16_t *list, uint64_t cycle)
{
	uint16_t uop = *list;

	*list = VCORE_NO_UOP;
	while (uop != VCORE_NO_UOP) {
		struct vcore_flight *flight = &ooo->uop[uop];

		uop = flight->next;
		vcore_sched_call(ooo, flight, cycle);
	}
}

/**
 * vcore_sched_due() - call those whose cycle has come
 * @ooo: the core
 */
void vcore_sched_due(struct vcore_ooo *ooo)
{
	unsigned int bucket = ooo->core->cycle % VCORE_BITS;
	uint16_t uop = ooo->wheel[bucket];

	if (ooo->refused.ports)
		vcore_refused_due(ooo);
	if (uop == VCORE_NO_UOP)
		return;
	ooo->wheel[bucket] = VCORE_NO_UOP;
	vcore_bits_clear(&ooo->called, bucket);
	while (uop != VCORE_NO_UOP) {
		struct vcore_flight *flight = &ooo->uop[uop];

		uop = flight->next;
		if (flight->at > ooo->core->cycle)
			vcore_sched_call(ooo, flight, flight->at);
		else if (flight->state == VCORE_UOP_DONE)
			vcore_lsq_pending(ooo, flight);
		else
			make_ready(ooo, flight);
	}
}

static void await(struct vcore_flight *flight, struct vcore_flight *producer,
		  unsigned int source)
{
	flight->next_consumer[source] = producer->consumers;
	producer->consumers = vcore_uop_index(flight) *
			      VCORE_MAX_SOURCES + source;
	flight->producer[source] = vcore_uop_index(producer);
	flight->waits++;
}

/**
 * vcore_sched_operand() - a uop has an operand
 * @ooo: the core
 * @flight: not yet in the scheduler
 * @producer: number of the uop that makes it, perhaps long ago
 */
void vcore_sched_operand(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t producer)
{
	unsigned int source = flight->sources++;
	struct vcore_flight *maker = vcore_flight(ooo, producer);

	flight->producer[source] = VCORE_NO_UOP;
	if (producer < ooo->oldest)
		return;
	if (maker->state != VCORE_UOP_DONE) {
		await(flight, maker, source);
		return;
	}
	flight->producer[source] = vcore_uop_index(maker);
	if (maker->done > flight->done)
		flight->done = maker->done;
}

/**
 * vcore_sched_wait() - a load finds that it needs the uop of a store
 * @ooo: the core
 * @flight: whose operands are all there
 * @producer: not executed
 */
void vcore_sched_wait(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint16_t producer)
{
	vcore_sched_park(ooo, flight);
	flight->sources = 1;
	flight->done = ooo->core->cycle + 1;
	await(flight, &ooo->uop[producer], 0);
}

/**
 * vcore_sched_add() - a uop enters the scheduler
 * @ooo: the core
 * @flight: with its port and operands
 */
void vcore_sched_add(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	ooo->scheduled++;
	ooo->scheduled_wrong += flight->wrong;
	ooo->on_port[flight->port]++;
	flight->state = VCORE_UOP_WAITS;
	if (!flight->waits && flight->done <= ooo->core->cycle + 1) {
		make_ready(ooo, flight);
		return;
	}
	vcore_bits_set(&ooo->waiting, vcore_uop_index(flight));
	if (!flight->waits)
		vcore_sched_call(ooo, flight, flight->done);
}

static void leave_scheduler(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	not_ready(ooo, flight);
	flight->state = VCORE_UOP_DONE;
	ooo->scheduled--;
	ooo->scheduled_wrong -= flight->wrong;
	ooo->on_port[flight->port]--;
}

static void wake_consumers(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t node = flight->consumers;

	while (node != NO_OPERAND) {
		struct vcore_flight *consumer;

		consumer = &ooo->uop[node / VCORE_MAX_SOURCES];
		node = consumer->next_consumer[node % VCORE_MAX_SOURCES];
		if (consumer->done < flight->done)
			consumer->done = flight->done;
		if (!--consumer->waits)
			vcore_sched_call(ooo, consumer, consumer->done);
	}
	flight->consumers = NO_OPERAND;
}

static void slot_done(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_rob *rob = vcore_rob(ooo, flight->rob);

	rob->pending--;
	if (rob->done < flight->done)
		rob->done = flight->done;
	if (!rob->pending && !flight->wrong)
		ooo->did.executed_slots++;
	if (rob->slot.mispredicted && flight->seq == rob->seq + rob->nr - 1)
		ooo->resolve = flight->done;
}

static void divide(struct vcore_ooo *ooo, const struct vcore_flight *flight)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);

	ooo->divider = ooo->core->cycle + flight->divides;
	counts->plain[VCORE_DIVIDES]++;
	counts->plain[VCORE_DIVIDER_ACTIVE] += flight->divides;
}

static void sched_execute(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);

	if (flight->type == VCORE_LOAD && flight->access) {
		if (!vcore_lsq_load(ooo, flight))
			return;
	} else {
		flight->done = ooo->core->cycle + flight->latency;
	}
	leave_scheduler(ooo, flight);
	if (flight->type == VCORE_STA || flight->type == VCORE_STD)
		vcore_stores_executed(ooo, flight);
	else if (flight->type == VCORE_LOAD && flight->access)
		vcore_lsq_loaded(ooo, flight);
	if (flight->divides)
		divide(ooo, flight);
	counts->ports[flight->port]++;
	counts->computed[flight->compute]++;
	ooo->did.executed++;
	wake_consumers(ooo, flight);
	slot_done(ooo, flight);
}

static void execute_port(struct vcore_ooo *ooo, unsigned int port)
{
	while (ooo->ready_ports & 1u << port) {
		unsigned int uop = vcore_bits_first(&ooo->ready[port],
						    ooo->oldest % VCORE_UOPS);
		struct vcore_flight *flight = &ooo->uop[uop];

		if (!flight->divides || ooo->divider <= ooo->core->cycle) {
			sched_execute(ooo, flight);
			return;
		}
		vcore_sched_call(ooo, flight, ooo->divider);
	}
}

/**
 * vcore_sched_execute() - the oldest ready uop of each port executes
 * @ooo: the core
 */
void vcore_sched_execute(struct vcore_ooo *ooo)
{
	unsigned int ports = ooo->ready_ports;

	for (; ports; ports &= ports - 1)
		execute_port(ooo, __builtin_ctz(ports));
}

/**
 * vcore_sched_squash() - a uop of the wrong path goes
 * @ooo: the core
 * @flight: without operands or consumers
 */
void vcore_sched_squash(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	if (flight->type != VCORE_NONE && flight->state != VCORE_UOP_DONE)
		leave_scheduler(ooo, flight);
}

/**
 * vcore_sched_reset() - all uops go
 * @ooo: the core
 */
void vcore_sched_reset(struct vcore_ooo *ooo)
{
	unsigned int i;

	for (i = 0; i < VCORE_MAX_PORTS; i++) {
		ooo->ready[i] = (struct vcore_bits){ 0 };
		ooo->on_port[i] = 0;
	}
	ooo->ready_ports = 0;
	for (i = 0; i < VCORE_BITS; i++)
		ooo->wheel[i] = VCORE_NO_UOP;
	ooo->waiting = (struct vcore_bits){ 0 };
	ooo->called = (struct vcore_bits){ 0 };
	vcore_refused_reset(ooo);
	ooo->scheduled = 0;
	ooo->scheduled_wrong = 0;
}

/* Return: false if the bucket holds completed loads only */
static bool may_execute(const struct vcore_ooo *ooo, unsigned int bucket)
{
	uint16_t uop;

	for (uop = ooo->wheel[bucket]; uop != VCORE_NO_UOP;
	     uop = ooo->uop[uop].next)
		if (ooo->uop[uop].state != VCORE_UOP_DONE)
			return true;
	return false;
}

/**
 * vcore_sched_next() - when the scheduler does something
 * @ooo: the core
 * @ready: cycle in which one that is ready, if any, may execute
 * @wakes: whether a uop may execute then
 *
 * Return: the first cycle after the present, or VCORE_NEVER
 */
uint64_t vcore_sched_next(const struct vcore_ooo *ooo, uint64_t ready,
			  bool *wakes)
{
	uint64_t now = ooo->core->cycle;
	uint64_t next = ooo->refused.ports ? ooo->refused.until : VCORE_NEVER;
	unsigned int bucket;
	uint64_t called;

	*wakes = true;
	if (ooo->ready_ports && ready < next)
		next = ready;
	bucket = vcore_bits_first(&ooo->called, (now + 1) % VCORE_BITS);
	if (bucket == VCORE_BITS_NONE)
		return next;
	called = now + 1 + (bucket - now - 1) % VCORE_BITS;
	if (called >= next)
		return next;
	*wakes = may_execute(ooo, bucket);
	return called;
}
