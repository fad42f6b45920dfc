// SPDX-License-Identifier: GPL-2.0
/*
 * Loads that the L1D refuses because no fill buffer is free. struct vcore_refused says how they are
 * retried.
 */
#include "ooo.h"

#define LINE_SHIFT 6

static uint64_t line_of(const struct vcore_flight *flight)
{
	return flight->access->pa >> LINE_SHIFT;
}

static bool is_in_line(const struct vcore_access *access)
{
	uint64_t size = access->size ? access->size : 1;

	return (access->pa + size - 1) >> LINE_SHIFT ==
	       access->pa >> LINE_SHIFT;
}

/*
 * If @by is 1, adds the load's addresses to the tables of loads that are known to be refused again.
 * If @by is -1, removes the addresses.
 */
static void mark_known(struct vcore_ooo *ooo, const struct vcore_flight *flight,
		       int by)
{
	vcore_overlap_mark(ooo->refused.granule, flight->access, by);
	vcore_memory_await(ooo->core->memory, line_of(flight), by);
}

static void forget_word(struct vcore_ooo *ooo, unsigned int word, bool all,
			uint64_t line)
{
	struct vcore_bits *known = &ooo->refused.known;
	uint64_t left = known->word[word];

	for (; left; left &= left - 1) {
		unsigned int uop = word * 64 + __builtin_ctzll(left);

		if (!all && line_of(&ooo->uop[uop]) != line)
			continue;
		vcore_bits_clear(known, uop);
		mark_known(ooo, &ooo->uop[uop], -1);
	}
}

static void forget_known(struct vcore_ooo *ooo, bool all, uint64_t line)
{
	uint32_t words = ooo->refused.known.words;

	for (; words; words &= words - 1)
		forget_word(ooo, __builtin_ctz(words), all, line);
}

/*
 * If a line has got a fill buffer since the last update, removes the loads of this line from
 * &vcore_refused.known, because their retry may succeed.
 */
static void update_known(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;
	uint64_t line;
	uint64_t came = vcore_memory_awaited_fills(ooo->core->memory, &line);

	if (came == r->came)
		return;
	forget_known(ooo, came - r->came > 1, line);
	r->came = came;
}

static void park_refused(struct vcore_ooo *ooo, struct vcore_flight *flight,
			 uint64_t until)
{
	struct vcore_refused *r = &ooo->refused;

	if (r->ports && r->until != until) {
		vcore_sched_wake_at(ooo, flight, until);
		return;
	}
	r->until = until;
	r->ports |= 1u << flight->port;
	vcore_sched_park(ooo, flight);
	vcore_bits_set(&r->parked[flight->port],
		       vcore_uop_index(flight));
}

/**
 * vcore_refused_add() - park a load that was refused because no fill buffer was free
 * @ooo: back end
 * @flight: the load
 * @until: cycle in which the load is to be retried
 */
void vcore_refused_add(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       uint64_t until)
{
	update_known(ooo);
	if (until == vcore_memory_full_until(ooo->core->memory) &&
	    is_in_line(flight->access)) {
		vcore_bits_set(&ooo->refused.known,
			       vcore_uop_index(flight));
		mark_known(ooo, flight, 1);
	}
	park_refused(ooo, flight, until);
}

/**
 * vcore_refused_again() - check if a load is known to be refused again
 * @ooo: back end
 * @flight: a load that is about to execute
 *
 * Return: true if the load is refused again; then the function has parked it.
 */
bool vcore_refused_again(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_bits *known = &ooo->refused.known;
	uint16_t uop = vcore_uop_index(flight);
	struct vcore *core = ooo->core;
	uint64_t until;

	if (!vcore_bits_has(known, uop))
		return false;
	update_known(ooo);
	if (!vcore_bits_has(known, uop))
		return false;
	if (core->cycle < vcore_memory_full_until(core->memory)) {
		park_refused(ooo, flight, vcore_memory_full_until(core->memory));
		return true;
	}
	until = vcore_memory_retry(core->memory, core->cycle,
				   vcore_counts(core));
	if (!until || until != vcore_memory_full_until(core->memory)) {
		vcore_bits_clear(known, uop);
		mark_known(ooo, flight, -1);
	}
	if (until)
		park_refused(ooo, flight, until);
	return until;
}

/**
 * vcore_refused_due() - make parked loads ready to retry if their waiting time is over
 * @ooo: back end
 */
void vcore_refused_due(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;

	if (ooo->core->cycle < r->until)
		return;
	for (; r->ports; r->ports &= r->ports - 1) {
		unsigned int port = __builtin_ctz(r->ports);

		vcore_bits_remove(&ooo->waiting, &r->parked[port]);
		vcore_bits_move(&ooo->ready[port], &r->parked[port]);
		ooo->ready_ports |= 1u << port;
	}
}

/**
 * vcore_refused_forget() - forget which refused loads are known to be refused again
 * @ooo: back end
 */
void vcore_refused_forget(struct vcore_ooo *ooo)
{
	forget_known(ooo, true, 0);
}

/**
 * vcore_refused_store() - update the refused loads when a store's address becomes known
 * @ooo: back end
 * @access: access of the store
 *
 * A refused load that overlaps the store may get its data from the store at the next retry.
 */
void vcore_refused_store(struct vcore_ooo *ooo,
			 const struct vcore_access *access)
{
	if (ooo->refused.known.words &&
	    vcore_overlap_marked(ooo->refused.granule, access))
		vcore_refused_forget(ooo);
}

/*
 * From the oldest ready uop of a port on, counts the uops that are known to be refused, up to the
 * first that is not. Returns VCORE_NEVER if all ready uops are known to be refused.
 */
static uint64_t nr_refused_retries(const struct vcore_ooo *ooo, unsigned int port)
{
	const struct vcore_bits *ready = &ooo->ready[port];
	const struct vcore_bits *known = &ooo->refused.known;

	if (vcore_bits_within(ready, known))
		return VCORE_NEVER;
	return vcore_bits_run(ready, known, ooo->oldest % VCORE_UOPS);
}

/**
 * vcore_refused_end() - find the first cycle in which the retry of a refused load may succeed
 * @ooo: back end, which had no activity in the current cycle
 *
 * A refused load may be parked: it does not retry until vcore_refused_due() makes it ready.
 *
 * Return: the cycle, or VCORE_NEVER if no retry can succeed before parked loads are ready. The
 * result is valid only if the back end has no other activity before this cycle.
 */
uint64_t vcore_refused_end(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;
	unsigned int ports = ooo->ready_ports;
	uint64_t least = VCORE_NEVER;

	if (!ports)
		return VCORE_NEVER;
	update_known(ooo);
	if (!r->ports || r->until != vcore_memory_full_until(ooo->core->memory))
		return ooo->core->cycle + 1;
	for (; ports; ports &= ports - 1) {
		uint64_t nr = nr_refused_retries(ooo, __builtin_ctz(ports));

		least = nr < least ? nr : least;
	}
	return least == VCORE_NEVER ? least : ooo->core->cycle + 1 + least;
}

static void sweep_port(struct vcore_ooo *ooo, unsigned int port,
		       uint64_t cycles)
{
	struct vcore_refused *r = &ooo->refused;
	struct vcore_bits *ready = &ooo->ready[port];

	r->ports |= 1u << port;
	vcore_bits_take(ready, ooo->oldest % VCORE_UOPS, cycles,
			&ooo->waiting, &r->parked[port]);
	if (!ready->words)
		ooo->ready_ports &= ~(1u << port);
}

/**
 * vcore_refused_sweep() - skip cycles in which each port only retries a refused load
 * @ooo: back end
 * @cycles: number of cycles to skip, all of them before the cycle from vcore_refused_end()
 */
void vcore_refused_sweep(struct vcore_ooo *ooo, uint64_t cycles)
{
	unsigned int ports = cycles ? ooo->ready_ports : 0;

	for (; ports; ports &= ports - 1)
		sweep_port(ooo, __builtin_ctz(ports), cycles);
}

/**
 * vcore_refused_reset() - drop all refused loads
 * @ooo: back end
 */
void vcore_refused_reset(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;

	vcore_refused_forget(ooo);
	for (; r->ports; r->ports &= r->ports - 1)
		r->parked[__builtin_ctz(r->ports)] = (struct vcore_bits){ 0 };
}
