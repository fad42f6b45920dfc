// SPDX-License-Identifier: GPL-2.0
#include "requests.h"

/**
 * vcore_requests_init() - initialise a queue with free entries
 * @requests: filled in
 * @nr: entries, up to VCORE_MAX_REQUESTS
 */
void vcore_requests_init(struct vcore_requests *requests, unsigned int nr)
{
	unsigned int i;

	*requests = (struct vcore_requests){ .nr = nr };
	for (i = 0; i < nr; i++)
		requests->order[i] = i;
	requests->lines[0] = nr;
}

static uint8_t *lines_like(struct vcore_requests *requests, uint64_t line)
{
	return &requests->lines[line % VCORE_REQUEST_LINES];
}

static void set_line(struct vcore_requests *requests, struct vcore_fill *fill,
		     uint64_t line)
{
	--*lines_like(requests, fill->line);
	++*lines_like(requests, line);
	fill->line = line;
}

/* insert an entry,  made of its time and number, at or before position  of the order */
static void sort_in(struct vcore_requests *requests, unsigned int at,
		    uint64_t key)
{
	uint64_t *order = requests->order;

	for (; at != requests->first; at--) {
		uint64_t before = order[(at - 1) % VCORE_MAX_REQUESTS];

		if (before < key)
			break;
		order[at % VCORE_MAX_REQUESTS] = before;
	}
	order[at % VCORE_MAX_REQUESTS] = key;
}

/**
 * vcore_requests_put() - use the entry that becomes free first for another line
 * @requests: queue
 * @line: number
 * @done: cycle in which it is there
 * @from: &enum vcore_level
 *
 * Lines mostly arrive in the order of the requests.
 *
 * Return: the entry.
 */
struct vcore_fill *vcore_requests_put(struct vcore_requests *requests,
				      uint64_t line, uint64_t done,
				      unsigned int from)
{
	unsigned int nr = vcore_requests_nth(requests, 0);
	struct vcore_fill *entry = &requests->entry[nr];

	set_line(requests, entry, line);
	*entry = (struct vcore_fill){
		.line = line, .done = done, .from = from,
	};
	requests->first++;
	sort_in(requests, requests->first + requests->nr - 1,
		done * VCORE_MAX_REQUESTS + nr);
	return entry;
}

/**
 * vcore_requests_send() - send the bytes that an entry has gathered
 * @requests: queue
 * @fill: entry that would never be done; it is for no line any more
 * @done: cycle in which it is free
 */
void vcore_requests_send(struct vcore_requests *requests,
			 struct vcore_fill *fill, uint64_t done)
{
	unsigned int nr = fill - requests->entry;
	unsigned int nth = requests->nr - 1;

	while (vcore_requests_nth(requests, nth) != nr)
		nth--;
	set_line(requests, fill, VCORE_NO_LINE);
	fill->done = done;
	sort_in(requests, requests->first + nth,
		done * VCORE_MAX_REQUESTS + nr);
}

/**
 * vcore_requests_find() - is a line being transferred
 * @requests: queue
 * @line: number
 * @cycle: it arrives later than this
 *
 * Return: of its entries the one that is there last, or NULL.
 */
struct vcore_fill *vcore_requests_find(struct vcore_requests *requests,
				       uint64_t line, uint64_t cycle)
{
	struct vcore_fill *found = NULL;
	unsigned int nth = requests->nr;

	if (!*lines_like(requests, line))
		return NULL;
	while (nth--) {
		struct vcore_fill *fill;

		fill = &requests->entry[vcore_requests_nth(requests, nth)];
		if (fill->done <= cycle || (found && fill->done < found->done))
			break;
		if (fill->line == line)
			found = fill;
	}
	return found;
}
