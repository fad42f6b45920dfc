// SPDX-License-Identifier: GPL-2.0
#include "ooo.h"

#define LINE_SHIFT 6

static uint64_t line_of(const struct vcore_flight *flight)
{
	return flight->access->pa >> LINE_SHIFT;
}

static bool one_line(const struct vcore_access *access)
{
	uint64_t size = access->size ? access->size : 1;

	return (access->pa + size - 1) >> LINE_SHIFT ==
	       access->pa >> LINE_SHIFT;
}

/* what is known of a load, or no more */
static void refused_mark(struct vcore_ooo *ooo, const struct vcore_flight *flight,
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
		refused_mark(ooo, &ooo->uop[uop], -1);
	}
}

static void forget(struct vcore_ooo *ooo, bool all, uint64_t line)
{
	uint32_t words = ooo->refused.known.words;

	for (; words; words &= words - 1)
		forget_word(ooo, __builtin_ctz(words), all, line);
}

/* lines that got a buffer meanwhile are joined */
static void join_buffers(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;
	uint64_t line;
	uint64_t came = vcore_memory_came(ooo->core->memory, &line);

	if (came == r->came)
		return;
	forget(ooo, came - r->came > 1, line);
	r->came = came;
}

static void park(struct vcore_ooo *ooo, struct vcore_flight *flight,
		 uint64_t until)
{
	struct vcore_refused *r = &ooo->refused;

	if (r->ports && r->until != until) {
		vcore_sched_call(ooo, flight, until);
		return;
	}
	r->until = until;
	r->ports |= 1u << flight->port;
	vcore_sched_park(ooo, flight);
	vcore_bits_set(&r->parked[flight->port],
		       vcore_uop_index(flight));
}

/**
 * vcore_refused_add() - a load found no fill buffer
 * @ooo: the core
 * @flight: the load, is called again ...
 * @until: ... in this cycle
 */
void vcore_refused_add(struct vcore_ooo *ooo, struct vcore_flight *flight,
		       uint64_t until)
{
	join_buffers(ooo);
	if (until == vcore_memory_full(ooo->core->memory) &&
	    one_line(flight->access)) {
		vcore_bits_set(&ooo->refused.known,
			       vcore_uop_index(flight));
		refused_mark(ooo, flight, 1);
	}
	park(ooo, flight, until);
}

/**
 * vcore_refused_again() - a load executes
 * @ooo: the core
 * @flight: the load
 *
 * Return: true if it is known that it is refused once more; it is called again.
 */
bool vcore_refused_again(struct vcore_ooo *ooo, struct vcore_flight *flight)
{
	struct vcore_bits *known = &ooo->refused.known;
	uint16_t uop = vcore_uop_index(flight);
	struct vcore *core = ooo->core;
	uint64_t until;

	if (!vcore_bits_has(known, uop))
		return false;
	join_buffers(ooo);
	if (!vcore_bits_has(known, uop))
		return false;
	if (core->cycle < vcore_memory_full(core->memory)) {
		park(ooo, flight, vcore_memory_full(core->memory));
		return true;
	}
	until = vcore_memory_refuse(core->memory, core->cycle,
				    vcore_counts(core));
	if (!until || until != vcore_memory_full(core->memory)) {
		vcore_bits_clear(known, uop);
		refused_mark(ooo, flight, -1);
	}
	if (until)
		park(ooo, flight, until);
	return until;
}

/**
 * vcore_refused_due() - call those that are parked if their cycle has come
 * @ooo: the core
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
 * vcore_refused_forget() - nothing is known any more of what was refused
 * @ooo: the core
 */
void vcore_refused_forget(struct vcore_ooo *ooo)
{
	forget(ooo, true, 0);
}

/**
 * vcore_refused_store() - the address of a store is known: loads that were
 *	refused may meet it when they are tried again
 * @ooo: the core
 * @access: the store's
 */
void vcore_refused_store(struct vcore_ooo *ooo,
			 const struct vcore_access *access)
{
	if (ooo->refused.known.words &&
	    vcore_overlap_marked(ooo->refused.granule, access))
		vcore_refused_forget(ooo);
}

/* the uops of a port that are older than the first that is not known */
static uint64_t tries(const struct vcore_ooo *ooo, unsigned int port)
{
	const struct vcore_bits *ready = &ooo->ready[port];
	const struct vcore_bits *known = &ooo->refused.known;

	if (vcore_bits_within(ready, known))
		return VCORE_NEVER;
	return vcore_bits_run(ready, known, ooo->oldest % VCORE_UOPS);
}

/**
 * vcore_refused_end() - until when whatever is tried is known to be refused
 * @ooo: the core, in whose present cycle nothing moved
 *
 * Return: the first cycle of which that is not known if nothing else happens
 * before, VCORE_NEVER if there is none before those that are parked are called.
 */
uint64_t vcore_refused_end(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;
	unsigned int ports = ooo->ready_ports;
	uint64_t least = VCORE_NEVER;

	if (!ports)
		return VCORE_NEVER;
	join_buffers(ooo);
	if (!r->ports || r->until != vcore_memory_full(ooo->core->memory))
		return ooo->core->cycle + 1;
	for (; ports; ports &= ports - 1) {
		uint64_t nr = tries(ooo, __builtin_ctz(ports));

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
 * vcore_refused_sweep() - cycles pass in which each port refuses the oldest that
 *	is ready
 * @ooo: the core
 * @cycles: how many, none from what vcore_refused_end() told on
 */
void vcore_refused_sweep(struct vcore_ooo *ooo, uint64_t cycles)
{
	unsigned int ports = cycles ? ooo->ready_ports : 0;

	for (; ports; ports &= ports - 1)
		sweep_port(ooo, __builtin_ctz(ports), cycles);
}

/**
 * vcore_refused_reset() - all uops go
 * @ooo: the core
 */
void vcore_refused_reset(struct vcore_ooo *ooo)
{
	struct vcore_refused *r = &ooo->refused;

	vcore_refused_forget(ooo);
	for (; r->ports; r->ports &= r->ports - 1)
		r->parked[__builtin_ctz(r->ports)] = (struct vcore_bits){ 0 };
}
