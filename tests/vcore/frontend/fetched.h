/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tagged fetches: the front end counts fetches of code, and tells what a fetch has found when the
 * count reaches a limit. A fetch is of one window, by which the uop cache is looked up, and of the
 * correct path. It takes as long as the lines of its first instruction need to come to the L1I.
 * AMD's instruction-based sampling (IBS) samples fetches in this way.
 */
#ifndef VCORE_FETCHED_H
#define VCORE_FETCHED_H

#include "base/trace.h"
#include "memory/reply.h"

/**
 * struct vcore_fetched - what the front end tells of a tagged fetch
 * @insn: the first instruction in the window that is fetched
 * @pc: virtual address of @insn
 * @cycles: cycles from the begin of the fetch until its code has come
 * @missed: a line missed the L1I
 * @from: &enum vcore_level that delivered the line that came from farthest; VCORE_NO_ACCESS if the
 *	code is of the line that was fetched before
 * @stlb_hit: the first-level ITLB missed, and the second level hit
 * @walked: both levels missed
 * @refill: cycles from the ITLB's miss until a hit in the L1I would have delivered the code; 0 if the
 *	ITLB hit
 * @decoded: the uop cache has the instruction
 */
struct vcore_fetched {
	const struct vcore_insn *insn;
	uint64_t pc;
	uint64_t cycles;
	bool missed;
	uint8_t from;
	bool stlb_hit;
	bool walked;
	uint64_t refill;
	bool decoded;
};

/**
 * struct vcore_fetches - counts fetches, and tags one
 * @on: the count goes on
 * @begun: the lines of the next fetch are being accessed, since cycle @since
 * @since: cycle of the first access of a line of the next fetch
 * @next: what is known of the next fetch
 * @limit: count at which a fetch is tagged
 * @count: number of fetches
 * @tell: called with @data when the tagged fetch has its code; the count is off then
 * @data: first argument of @tell
 */
struct vcore_fetches {
	bool on;
	bool begun;
	uint64_t since;
	struct vcore_fetched next;
	uint64_t limit;
	uint64_t count;
	void (*tell)(void *data, const struct vcore_fetched *fetched);
	void *data;
};

void vcore_fetches_start(struct vcore_fetches *fetches, uint64_t limit, uint64_t count);
void vcore_fetches_stop(struct vcore_fetches *fetches);
void vcore_fetches_flush(struct vcore_fetches *fetches);
void vcore_fetches_access(struct vcore_fetches *fetches, uint64_t cycle,
			  const struct vcore_reply *reply);
void vcore_fetches_end(struct vcore_fetches *fetches, uint64_t cycle,
		       const struct vcore_step *step, bool decoded);

#endif /* VCORE_FETCHED_H */
