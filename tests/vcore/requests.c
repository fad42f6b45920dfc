// SPDX-License-Identifier: GPL-2.0
#include "requests.h"

/**
 * vcore_requests_init() - all entries are free
 * @requests: filled in
 * @nr: entries, up to VCORE_MAX_REQUESTS
 */
void vcore_requests_init(struct vcore_requests *requests, unsigned int nr)
{
	unsigned int i;

	*requests = (struct vcore_requests){ .nr = nr };
	for (i = 0; i < nr; i++)
		requests->order[i] = i;
}

/**
 * vcore_requests_put() - the entry that is free first is for another line
 * @requests: queue
 * @line: number
 * @done: cycle in which it is there
 * @from: &enum vcore_level
 *
 * Lines mostly come in the order in which they are asked for.
 */
void vcore_requests_put(struct vcore_requests *requests, uint64_t line,
			uint64_t done, unsigned int from)
{
	unsigned int entry = vcore_requests_nth(requests, 0);
	unsigned int at = ++requests->first + requests->nr - 1;
	uint64_t place = done * VCORE_MAX_REQUESTS + entry;
	uint64_t *order = requests->order;

	requests->entry[entry] = (struct vcore_fill){
		.line = line, .done = done, .from = from,
	};
	for (; at != requests->first; at--) {
		uint64_t before = order[(at - 1) % VCORE_MAX_REQUESTS];

		if (before < place)
			break;
		order[at % VCORE_MAX_REQUESTS] = before;
	}
	order[at % VCORE_MAX_REQUESTS] = place;
}

/**
 * vcore_requests_find() - is a line under way
 * @requests: queue
 * @line: number
 * @cycle: it comes behind that
 *
 * Return: of its entries the one that is there last, or NULL.
 */
const struct vcore_fill *
vcore_requests_find(const struct vcore_requests *requests, uint64_t line,
		    uint64_t cycle)
{
	const struct vcore_fill *found = NULL;
	unsigned int nth = requests->nr;

	while (nth--) {
		const struct vcore_fill *fill;

		fill = &requests->entry[vcore_requests_nth(requests, nth)];
		if (fill->done <= cycle || (found && fill->done < found->done))
			break;
		if (fill->line == line)
			found = fill;
	}
	return found;
}
