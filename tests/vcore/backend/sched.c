// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler of an out-of-order core: uops wait for their operands, then for
 * their port, to which issue has bound them.
 */
#include "ooo.h"

#define NO_OPERAND 0xffff

/**
 * vcore_sched_ready() - a uop has all its operands
 * @ooo: the core
 * @flight: it waits for its port from now on
 */
void vcore_sched_ready(struct vcore_ooo *ooo, struct vcore_flight *flight)
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
		vcore_sched_ready(ooo, flight);
		return;
	}
	vcore_bits_set(&ooo->waiting, vcore_uop_index(flight));
	if (!flight->waits)
		vcore_sched_call(ooo, flight, flight->done);
}

/**
 * vcore_sched_leave() - a uop needs the scheduler no more
 * @ooo: the core
 * @flight: executed, or of a wrong path
 */
void vcore_sched_leave(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	not_ready(ooo, flight);
	flight->state = VCORE_UOP_DONE;
	ooo->scheduled--;
	ooo->scheduled_wrong -= flight->wrong;
	ooo->on_port[flight->port]--;
}

/**
 * vcore_sched_wake() - the result of a uop is known, and from when on it is there
 * @ooo: the core
 * @flight: whose consumers wait for it
 */
void vcore_sched_wake(struct vcore_ooo *ooo, struct vcore_flight *flight)
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

/**
 * vcore_sched_squash() - a uop of the wrong path goes
 * @ooo: the core
 * @flight: without operands or consumers
 */
void vcore_sched_squash(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	if (flight->type != VCORE_NONE && flight->state != VCORE_UOP_DONE)
		vcore_sched_leave(ooo, flight);
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
