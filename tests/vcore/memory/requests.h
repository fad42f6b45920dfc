/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queues of requests for lines, such as the fill buffers and the superqueue. A queue has its
 * entries in the order of the cycles in which they become free.
 */
#ifndef VCORE_REQUESTS_H
#define VCORE_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of entries of a queue, a power of two. */
#define VCORE_MAX_REQUESTS 128
#define VCORE_REQUEST_LINES 256

/*
 * VCORE_NO_LINE stands for the line of an entry without a line. VCORE_NEVER_DONE is later than any
 * cycle.
 */
#define VCORE_NO_LINE UINT64_MAX
#define VCORE_NEVER_DONE (UINT64_MAX / VCORE_MAX_REQUESTS)

/**
 * struct vcore_fill - a request for a line: a fill buffer, or an entry of another queue
 * @line: line address / 64; in the queue of page walks, the page number
 * @done: cycle in which the line has arrived, and in which the entry is free
 * @from: &enum vcore_level that delivers the line
 * @bytes: number of bytes of non-temporal stores that the fill buffer has gathered; until they are
 *	sent, @done is VCORE_NEVER_DONE
 * @demanded: a load has waited for the line, so the request is a demand miss
 */
struct vcore_fill {
	uint64_t line;
	uint64_t done;
	uint8_t from;
	uint16_t bytes;
	bool demanded;
};

/**
 * struct vcore_requests - a queue of requests for lines
 * @nr: number of entries
 * @first: index in @order of the entry that becomes free first
 * @order: [@nr], sorted ring buffer; the element of an entry is &vcore_fill.done *
 *	VCORE_MAX_REQUESTS + index of the entry
 * @entry: [@nr], the entries, which are not sorted
 * @lines: [line % VCORE_REQUEST_LINES], number of entries whose line has this index; if 0, no
 *	search is needed
 */
struct vcore_requests {
	unsigned int nr;
	unsigned int first;
	uint64_t order[VCORE_MAX_REQUESTS];
	struct vcore_fill entry[VCORE_MAX_REQUESTS];
	uint8_t lines[VCORE_REQUEST_LINES];
};

void vcore_requests_init(struct vcore_requests *requests, unsigned int nr);
struct vcore_fill *vcore_requests_put(struct vcore_requests *requests,
				      uint64_t line, uint64_t done,
				      unsigned int from);
void vcore_requests_send(struct vcore_requests *requests,
			 struct vcore_fill *fill, uint64_t done);
struct vcore_fill *vcore_requests_find(struct vcore_requests *requests,
				       uint64_t line, uint64_t cycle);

static inline unsigned int
vcore_requests_nth(const struct vcore_requests *requests, unsigned int nth)
{
	return requests->order[(requests->first + nth) % VCORE_MAX_REQUESTS] %
	       VCORE_MAX_REQUESTS;
}

/* Returns the entry of the queue that becomes free last. */
static inline struct vcore_fill *
vcore_requests_last(struct vcore_requests *requests)
{
	return &requests->entry[vcore_requests_nth(requests,
						   requests->nr - 1)];
}

/* Returns the first cycle in which at least @wanted entries are free. */
static inline uint64_t
vcore_requests_free(const struct vcore_requests *requests, unsigned int wanted)
{
	unsigned int at = requests->first + wanted - 1;

	return requests->order[at % VCORE_MAX_REQUESTS] / VCORE_MAX_REQUESTS;
}

#endif /* VCORE_REQUESTS_H */
