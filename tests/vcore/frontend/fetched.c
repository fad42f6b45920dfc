// SPDX-License-Identifier: GPL-2.0
#include "fetched.h"

/**
 * vcore_fetches_start() - let a front end tag a fetch when a count reaches a limit
 * @fetches: fetches of the core
 * @limit: count at which a fetch is tagged
 * @count: value from which the count begins
 */
void vcore_fetches_start(struct vcore_fetches *fetches, uint64_t limit, uint64_t count)
{
	fetches->on = true;
	fetches->limit = limit;
	fetches->count = count;
}

/**
 * vcore_fetches_stop() - let a front end tag no fetch
 * @fetches: fetches of the core
 */
void vcore_fetches_stop(struct vcore_fetches *fetches)
{
	fetches->on = false;
	vcore_fetches_flush(fetches);
}

/**
 * vcore_fetches_flush() - forget a fetch that has not ended, because another address is fetched
 * @fetches: fetches of the core
 */
void vcore_fetches_flush(struct vcore_fetches *fetches)
{
	fetches->begun = false;
	fetches->next = (struct vcore_fetched){ .missed = false };
}

/**
 * vcore_fetches_access() - note the access of a line of the next fetch
 * @fetches: fetches of the core, whose count is on
 * @cycle: current cycle
 * @reply: reply of the memory hierarchy
 */
void vcore_fetches_access(struct vcore_fetches *fetches, uint64_t cycle,
			  const struct vcore_reply *reply)
{
	struct vcore_fetched *next = &fetches->next;

	if (!fetches->begun)
		fetches->since = cycle;
	fetches->begun = true;
	if (reply->refused)
		return;
	next->missed |= reply->level != VCORE_AT_L1;
	next->stlb_hit |= reply->stlb_hit;
	next->walked |= reply->walked;
	if (reply->stlb_hit || reply->walked)
		next->refill = reply->l1_done - cycle;
	if (reply->from > next->from)
		next->from = reply->from;
}

/**
 * vcore_fetches_end() - count a fetch whose code has come, and tell of it if the limit is reached
 * @fetches: fetches of the core, whose count is on
 * @cycle: current cycle
 * @step: step of the first instruction in the window that is fetched
 * @decoded: the uop cache has the instruction
 */
void vcore_fetches_end(struct vcore_fetches *fetches, uint64_t cycle,
		       const struct vcore_step *step, bool decoded)
{
	struct vcore_fetched fetched = fetches->next;

	fetched.insn = step->insn;
	fetched.pc = step->pc;
	fetched.cycles = fetches->begun ? cycle - fetches->since : 0;
	fetched.decoded = decoded;
	vcore_fetches_flush(fetches);
	if (++fetches->count < fetches->limit)
		return;
	vcore_fetches_stop(fetches);
	fetches->tell(fetches->data, &fetched);
}
