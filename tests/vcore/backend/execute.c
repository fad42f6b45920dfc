// SPDX-License-Identifier: GPL-2.0
/*
 * Execution in an out-of-order core: each port executes its oldest ready uop.
 */
#include "ooo.h"

/**
 * vcore_execute_due() - make uops ready that the timing wheel wakes in this cycle
 * @ooo: back end
 */
void vcore_execute_due(struct vcore_ooo *ooo)
{
	unsigned int bucket = ooo->core->cycle % VCORE_BITS;
	uint16_t uop = ooo->wheel[bucket];

	if (ooo->refused.ports)
		vcore_refused_due(ooo);
	if (uop == VCORE_NO_UOP)
		return;
	ooo->wheel[bucket] = VCORE_NO_UOP;
	vcore_bits_clear(&ooo->occupied, bucket);
	while (uop != VCORE_NO_UOP) {
		struct vcore_flight *flight = &ooo->uop[uop];

		uop = flight->next;
		if (flight->at > ooo->core->cycle)
			vcore_sched_wake_at(ooo, flight, flight->at);
		else if (flight->state == VCORE_UOP_DONE)
			vcore_lsq_pending(ooo, flight);
		else
			vcore_sched_ready(ooo, flight);
	}
}

static void note_executed(struct vcore_ooo *ooo, struct vcore_flight *flight)
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

static void occupy_divider(struct vcore_ooo *ooo, const struct vcore_flight *flight)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);

	ooo->divider = ooo->core->cycle + flight->divides;
	counts->plain[VCORE_DIVIDES]++;
	counts->plain[VCORE_DIVIDER_ACTIVE] += flight->divides;
}

static void execute_uop(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_counts *counts = vcore_counts(ooo->core);

	if (flight->type == VCORE_LOAD && flight->access) {
		if (!vcore_lsq_load(ooo, flight))
			return;
	} else {
		flight->done = ooo->core->cycle + flight->latency;
	}
	vcore_sched_leave(ooo, flight);
	if (flight->type == VCORE_STA || flight->type == VCORE_STD)
		vcore_stores_executed(ooo, flight);
	else if (flight->type == VCORE_LOAD && flight->access)
		vcore_lsq_loaded(ooo, flight);
	if (flight->divides)
		occupy_divider(ooo, flight);
	counts->ports[flight->port]++;
	counts->computed[flight->compute]++;
	ooo->did.executed++;
	vcore_sched_wake(ooo, flight);
	note_executed(ooo, flight);
}

static void execute_port(struct vcore_ooo *ooo, unsigned int port)
{
	while (ooo->ready_ports & 1u << port) {
		unsigned int uop = vcore_bits_first(&ooo->ready[port],
						    ooo->oldest % VCORE_UOPS);
		struct vcore_flight *flight = &ooo->uop[uop];

		if (!flight->divides || ooo->divider <= ooo->core->cycle) {
			execute_uop(ooo, flight);
			return;
		}
		vcore_sched_wake_at(ooo, flight, ooo->divider);
	}
}

/**
 * vcore_execute() - execute the oldest ready uop of each port
 * @ooo: back end
 */
void vcore_execute(struct vcore_ooo *ooo)
{
	unsigned int ports = ooo->ready_ports;

	for (; ports; ports &= ports - 1)
		execute_port(ooo, __builtin_ctz(ports));
}
