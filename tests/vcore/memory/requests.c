// SPDX-License-Identifier: GPL-2.0
#include "requests.h"

/**
 * vcore_requests_init() - initialise an empty queue of requests for lines
 * @requests: output
 * @nr: number of entries, at most VCORE_MAX_REQUESTS
 */
void vcore_requests_init(struct vcore_requests *requests, unsigned int nr)
{
	unsigned int i;

	*requests = (struct vcore_requests){ .nr = nr };
	for (i = 0; i < nr; i++)
		requests->order[i] = i;
	requests->lines[0] = nr;
}

static uint8_t *line_count(struct vcore_requests *requests, uint64_t line)
{
	return &requests->lines[line % VCORE_REQUEST_LINES];
}

static void set_line(struct vcore_requests *requests, struct vcore_fill *fill,
		     uint64_t line)
{
	--*line_count(requests, fill->line);
	++*line_count(requests, line);
	fill->line = line;
}

/*
 * Inserts @key into &vcore_requests.order. Its place is index @at, which is free, or an earlier
 * index if that keeps the order.
 */
static void insert_sorted(struct vcore_requests *requests, unsigned int at,
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
 * vcore_requests_put() - put a request for a line into the queue's entry that becomes free first
 * @requests: queue
 * @line: line address / 64
 * @done: cycle in which the line arrives
 * @from: &enum vcore_level that delivers the line
 *
 * Lines mostly arrive in the order in which they are requested, so the insertion into the sorted
 * queue moves few elements.
 *
 * Return: the entry of the request.
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
	insert_sorted(requests, requests->first + requests->nr - 1,
		      done * VCORE_MAX_REQUESTS + nr);
	return entry;
}

/**
 * vcore_requests_send() - end a request that has gathered the bytes of a line, and send the line
 * @requests: queue
 * @fill: the entry of the request, which no longer holds the line afterwards
 * @done: first cycle in which the entry is free
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
	insert_sorted(requests, requests->first + nth,
		      done * VCORE_MAX_REQUESTS + nr);
}

/**
 * vcore_requests_find() - find the request in a queue for a line that has not arrived
 * @requests: queue
 * @line: line address / 64
 * @cycle: cycle after which the line arrives; requests whose line has arrived by then are not found
 *
 * Return: the entry of the request, or NULL if there is none. If there are several, it is the one
 * whose line arrives last.
 */
struct vcore_fill *vcore_requests_find(struct vcore_requests *requests,
				       uint64_t line, uint64_t cycle)
{
	struct vcore_fill *found = NULL;
	unsigned int nth = requests->nr;

	if (!*line_count(requests, line))
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
