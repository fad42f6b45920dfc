// SPDX-License-Identifier: GPL-2.0
/*
 * The scheduler of an out-of-order core: uops wait for their operands, then for the port to which
 * issue has bound them. A timing wheel wakes uops whose wake-up cycle is known in advance.
 */
#include "ooo.h"

#define NO_OPERAND 0xffff

/**
 * vcore_sched_ready() - tell the scheduler that a uop is ready to execute
 * @ooo: back end
 * @flight: a uop that has all its operands
 */
void vcore_sched_ready(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t uop = vcore_uop_index(flight);

	vcore_bits_clear(&ooo->waiting, uop);
	vcore_bits_set(&ooo->ready[flight->port], uop);
	ooo->ready_ports |= 1u << flight->port;
}

static void clear_ready(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_bits *ready = &ooo->ready[flight->port];

	vcore_bits_clear(ready, vcore_uop_index(flight));
	if (!ready->words)
		ooo->ready_ports &= ~(1u << flight->port);
}

/**
 * vcore_sched_park() - let a uop that is ready wait in the scheduler again
 * @ooo: back end
 * @flight: the uop; the caller puts it into the timing wheel or on a list, from which it is woken
 *	later
 */
void vcore_sched_park(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	uint16_t uop = vcore_uop_index(flight);

	if (!vcore_bits_has(&ooo->ready[flight->port], uop))
		return;
	clear_ready(ooo, flight);
	vcore_bits_set(&ooo->waiting, uop);
}

/**
 * vcore_sched_wake_at() - insert a uop into the scheduler's timing wheel
 * @ooo: back end
 * @flight: a uop that becomes ready at @cycle, or an executed load that is known to have missed the
 *	L1D from @cycle on
 * @cycle: cycle of the wake-up; if it is not in the future, the uop wakes in the next cycle
 *
 * The timing wheel has VCORE_BITS buckets, one for each of the coming cycles. If @cycle is after
 * the last of these cycles, the uop goes into the last bucket, and is inserted again when the wheel
 * reaches this bucket.
 */
void vcore_sched_wake_at(struct vcore_ooo *ooo, struct vcore_flight *flight,
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
	vcore_bits_set(&ooo->occupied, bucket);
}

/**
 * vcore_sched_wake_all_at() - insert a list of parked uops into the scheduler's timing wheel
 * @ooo: back end
 * @list: list of uops, which becomes empty
 * @cycle: cycle of the wake-up
 */
void vcore_sched_wake_all_at(struct vcore_ooo *ooo, uint16_t *list, uint64_t cycle)
{
	uint16_t uop = *list;

	*list = VCORE_NO_UOP;
	while (uop != VCORE_NO_UOP) {
		struct vcore_flight *flight = &ooo->uop[uop];

		uop = flight->next;
		vcore_sched_wake_at(ooo, flight, cycle);
	}
}

static void add_consumer(struct vcore_flight *flight, struct vcore_flight *producer,
			 unsigned int source)
{
	flight->next_consumer[source] = producer->consumers;
	producer->consumers = vcore_uop_index(flight) *
			      VCORE_MAX_SOURCES + source;
	flight->producer[source] = vcore_uop_index(producer);
	flight->waits++;
}

/**
 * vcore_sched_operand() - record an operand that a new uop needs before the scheduler can wake it
 * @ooo: back end
 * @flight: a uop that has not entered the scheduler
 * @producer: number of the uop that produces the operand; this uop may have retired
 */
void vcore_sched_operand(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t producer)
{
	unsigned int source = flight->sources++;
	struct vcore_flight *operand = vcore_flight(ooo, producer);

	flight->producer[source] = VCORE_NO_UOP;
	if (producer < ooo->oldest)
		return;
	if (operand->state != VCORE_UOP_DONE) {
		add_consumer(flight, operand, source);
		return;
	}
	flight->producer[source] = vcore_uop_index(operand);
	if (operand->done > flight->done)
		flight->done = operand->done;
}

/**
 * vcore_sched_wait() - let a load in the scheduler wait until an older store's STA or STD executes
 * @ooo: back end
 * @flight: a load that has all its operands
 * @producer: index of the store's uop, which has not executed
 */
void vcore_sched_wait(struct vcore_ooo *ooo, struct vcore_flight *flight,
		      uint16_t producer)
{
	vcore_sched_park(ooo, flight);
	flight->sources = 1;
	flight->done = ooo->core->cycle + 1;
	add_consumer(flight, &ooo->uop[producer], 0);
}

/**
 * vcore_sched_add() - insert a uop into the scheduler
 * @ooo: back end
 * @flight: the uop; its port and its operands must have been set
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
		vcore_sched_wake_at(ooo, flight, flight->done);
}

/**
 * vcore_sched_leave() - remove a uop from the scheduler
 * @ooo: back end
 * @flight: a uop that executes or is squashed
 */
void vcore_sched_leave(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	clear_ready(ooo, flight);
	flight->state = VCORE_UOP_DONE;
	ooo->scheduled--;
	ooo->scheduled_wrong -= flight->wrong;
	ooo->on_port[flight->port]--;
}

/**
 * vcore_sched_wake() - wake the uops in the scheduler that wait for a uop's result
 * @ooo: back end
 * @flight: the executed uop; its result is available in cycle &vcore_flight.done
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
			vcore_sched_wake_at(ooo, consumer, consumer->done);
	}
	flight->consumers = NO_OPERAND;
}

/**
 * vcore_sched_squash() - remove a uop of the wrong path from the scheduler
 * @ooo: back end
 * @flight: the uop, which has no operands and no consumers
 */
void vcore_sched_squash(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	if (flight->type != VCORE_NONE && flight->state != VCORE_UOP_DONE)
		vcore_sched_leave(ooo, flight);
}

/**
 * vcore_sched_reset() - remove all uops from the scheduler
 * @ooo: back end
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
	ooo->occupied = (struct vcore_bits){ 0 };
	ooo->scheduled = 0;
	ooo->scheduled_wrong = 0;
}

/*
 * Returns true if a uop of the timing wheel's bucket has yet to execute. A load that has executed
 * may be in the bucket, too: from the bucket's cycle on, it is pending as an L1D miss.
 */
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
 * vcore_sched_next() - find the next cycle in which the scheduler wakes a uop
 * @ooo: back end
 * @ready: first cycle in which a ready uop may execute; unused if no uop is ready
 * @wakes: output: true if a uop may execute in the returned cycle
 *
 * Return: a cycle after the current one, or VCORE_NEVER.
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
	bucket = vcore_bits_first(&ooo->occupied, (now + 1) % VCORE_BITS);
	if (bucket == VCORE_BITS_NONE)
		return next;
	called = now + 1 + (bucket - now - 1) % VCORE_BITS;
	if (called >= next)
		return next;
	*wakes = may_execute(ooo, bucket);
	return called;
}
