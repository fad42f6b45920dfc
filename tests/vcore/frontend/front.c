// SPDX-License-Identifier: GPL-2.0
#include "front.h"

#include <stdlib.h>
#include <string.h>

#include "front_end.h"

static unsigned int queue_size(const struct vcore_params *params)
{
	unsigned int depth = params->front.mite_depth;

	if (depth < params->front.dsb_depth)
		depth = params->front.dsb_depth;
	return params->front.idq + (depth + 1) * params->back.width;
}

/**
 * vcore_front_new() - create a front end with an empty queue
 * @params: parameters of the core
 * @ideal: units that are simulated as perfect
 * @trace: trace of the instructions on the correct path
 * @memory: memory subsystem from which code is fetched
 * @fetches: counts fetches, and tags one
 *
 * Return: the front end, or NULL if the allocation failed.
 */
struct vcore_front *vcore_front_new(const struct vcore_params *params,
				    const struct vcore_ideal *ideal,
				    struct vcore_trace *trace,
				    struct vcore_memory *memory,
				    struct vcore_fetches *fetches)
{
	struct vcore_front *front = calloc(1, sizeof(*front));

	if (!front)
		return NULL;
	*front = (struct vcore_front) {
		.params = &params->front,
		.width = params->back.width,
		.ideal = ideal,
		.trace = trace,
		.memory = memory,
		.fetches = fetches,
		.decoded = vcore_decoded_new(&params->front),
		.predictor = vcore_predictor_new(&params->front),
		.queue.size = queue_size(params),
		.lack = VCORE_LACKS_DECODED,
		.legacy = true,
		.line = VCORE_NOT_FETCHED,
		.window = VCORE_NOT_FETCHED,
		.rate = params->back.width * 16,
	};
	front->queue.entry = calloc(front->queue.size,
				    sizeof(*front->queue.entry));
	if (!front->queue.entry || !front->decoded || !front->predictor) {
		vcore_front_free(front);
		return NULL;
	}
	return front;
}

/**
 * vcore_front_free() - free a front end
 * @front: front end, or NULL
 */
void vcore_front_free(struct vcore_front *front)
{
	if (!front)
		return;
	vcore_decoded_free(front->decoded);
	vcore_predictor_free(front->predictor);
	free(front->queue.entry);
	free(front);
}

static bool queue_has_room(const struct vcore_front *front)
{
	return front->queue.nr + front->width <= front->queue.size;
}

static bool can_fetch(const struct vcore_front *front)
{
	if (!queue_has_room(front))
		return false;
	return front->wrong || (!front->draining && vcore_fetch_has_step(front));
}

/* Counts @cycles cycles, from cycle @cycle on, in which the front end's state does not change. */
static void count_stalled_cycles(const struct vcore_front *front, uint64_t cycle,
				 uint64_t cycles, struct vcore_counts *counts)
{
	const struct vcore_queued *head = vcore_queue_head(&front->queue);

	if (!head || head->ready > cycle)
		counts->plain[VCORE_IDQ_EMPTY] += cycles;
	if (front->resume <= cycle)
		return;
	if (front->stall <= VCORE_STALL_PAGE)
		counts->plain[VCORE_ICACHE_STALL] += cycles;
	else if (front->stall == VCORE_STALL_SWITCH)
		counts->plain[VCORE_DSB_SWITCH_CYCLES] += cycles;
	else if (front->stall == VCORE_STALL_LCP)
		counts->plain[VCORE_LCP_STALLS] += cycles;
}

/**
 * vcore_front_cycle() - simulate one cycle of the front end: fetch, decode, fill the queue
 * @front: front end
 * @cycle: number of the cycle, greater than in earlier calls
 * @all: true if the trace is complete: no step will be added to it
 * @counts: counts to which the events of the cycle are added
 */
void vcore_front_cycle(struct vcore_front *front, uint64_t cycle, bool all,
		       struct vcore_counts *counts)
{
	front->now = cycle;
	front->all = all;
	if (cycle >= front->resume && can_fetch(front)) {
		if (front->wrong)
			vcore_fetch_wrong(front, counts);
		else
			vcore_fetch_cycle(front, counts);
	}
	count_stalled_cycles(front, cycle, 1, counts);
}

/**
 * vcore_front_peek() - get the next slot that the front end has ready to issue
 * @front: front end
 *
 * Return: the slot, or NULL if no slot is ready in the current cycle.
 */
const struct vcore_slot *vcore_front_peek(const struct vcore_front *front)
{
	const struct vcore_queued *head = vcore_queue_head(&front->queue);

	return head && head->ready <= front->now ? &head->slot : NULL;
}

/**
 * vcore_front_take() - remove from the front end the slot that vcore_front_peek() returned
 * @front: front end
 */
void vcore_front_take(struct vcore_front *front)
{
	vcore_queue_take(&front->queue);
}

/* Empties the queue of slots and stops fetch until @cycle, for the reason @stall. */
static void restart_fetch(struct vcore_front *front, enum vcore_stall stall,
			  uint64_t cycle)
{
	vcore_queue_clear(&front->queue);
	vcore_fetch_redirect(front);
	vcore_supply_stop(front, stall, cycle);
}

/**
 * vcore_front_resolve() - resteer the front end after a mispredicted branch has executed
 * @front: front end
 * @cycle: cycle in which the branch has executed
 */
void vcore_front_resolve(struct vcore_front *front, uint64_t cycle)
{
	front->wrong = false;
	restart_fetch(front, VCORE_STALL_RESTEER,
		      cycle + front->params->resteer);
}

/**
 * vcore_front_drained() - restart a front end that waits until all older instructions have retired
 * @front: front end
 * @cycle: cycle of the last retirement
 *
 * Does nothing if the front end does not wait for the retirement of older instructions, or if its
 * queue still has slots.
 */
void vcore_front_drained(struct vcore_front *front, uint64_t cycle)
{
	if (!front->draining || front->queue.nr)
		return;
	front->draining = false;
	restart_fetch(front, VCORE_STALL_ORDER,
		      cycle + front->params->serialise);
}

/**
 * vcore_front_refetch() - let the front end refetch after a machine clear
 * @front: front end
 * @step: number of the first step to refetch
 * @cycle: first cycle in which the step may be fetched
 */
void vcore_front_refetch(struct vcore_front *front, uint64_t step,
			 uint64_t cycle)
{
	front->wrong = false;
	front->draining = false;
	front->trace->fetch = step;
	front->uop = 0;
	front->stalled = false;
	front->repeats = false;
	/* The line is fetched again, because a store to it may have caused the machine clear. */
	front->line = VCORE_NOT_FETCHED;
	restart_fetch(front, VCORE_STALL_RESTEER, cycle);
}

/**
 * vcore_front_lacks() - get the reason why the front end has no slot ready
 * @front: front end
 *
 * Return: &enum vcore_lack; VCORE_LACKS_NOTHING if a slot is ready.
 */
enum vcore_lack vcore_front_lacks(const struct vcore_front *front)
{
	const struct vcore_queued *head = vcore_queue_head(&front->queue);

	if (head && head->ready <= front->now)
		return VCORE_LACKS_NOTHING;
	if (head)
		return head->lack;
	if (front->resume > front->now)
		return vcore_supply_lack(front->stall);
	if (front->wrong)
		return VCORE_LACKS_PATH;
	if (front->draining)
		return VCORE_LACKS_ORDER;
	return vcore_fetch_has_step(front) ? front->lack : VCORE_LACKS_TRACE;
}

/**
 * vcore_front_next() - get the next cycle in which the front end needs to be simulated
 * @front: front end
 * @cycle: cycle that was simulated last
 *
 * Return: the first cycle after @cycle in which the front end's state may change by itself;
 * UINT64_MAX if only the back end can change it. vcore_front_idle() skips the cycles before the
 * returned cycle.
 */
uint64_t vcore_front_next(const struct vcore_front *front, uint64_t cycle)
{
	const struct vcore_queued *head = vcore_queue_head(&front->queue);
	uint64_t next = UINT64_MAX;

	if (head && head->ready > cycle)
		next = head->ready;
	if (front->resume > cycle + 1)
		return next < front->resume ? next : front->resume;
	return can_fetch(front) ? cycle + 1 : next;
}

/**
 * vcore_front_waits() - check if the reason for the front end's lack of slots will not change
 * @front: front end, whose current cycle has been simulated
 *
 * Return: true if vcore_front_lacks() returns the same reason until the cycle that
 * vcore_front_next() returns.
 */
bool vcore_front_waits(const struct vcore_front *front)
{
	return front->resume != front->now + 1;
}

/**
 * vcore_front_idle() - skip cycles in which the front end need not be simulated
 * @front: front end
 * @cycles: number of cycles
 * @counts: counts to which the cycles are added
 */
void vcore_front_idle(struct vcore_front *front, uint64_t cycles,
		      struct vcore_counts *counts)
{
	count_stalled_cycles(front, front->now + 1, cycles, counts);
	front->now += cycles;
}
