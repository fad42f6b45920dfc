/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines that are under way, and queues of them whose entries are kept in the order
 * in which they get free.
 */
#ifndef VCORE_REQUESTS_H
#define VCORE_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* the most that any part has; a power of two */
#define VCORE_MAX_REQUESTS 128
#define VCORE_REQUEST_LINES 256

/* no line has this number; a later cycle than any, which sorts last */
#define VCORE_NO_LINE UINT64_MAX
#define VCORE_NEVER_DONE (UINT64_MAX / VCORE_MAX_REQUESTS)

/**
 * struct vcore_fill - a fill buffer, or an entry of another queue
 * @line: that comes; or the page, of a walk
 * @done: cycle in which it is there and the buffer free
 * @from: &enum vcore_level, where it comes from
 * @bytes: not yet sent, of a non-temporal store's; its @done is
 *	VCORE_NEVER_DONE until it is
 * @demanded: somebody waits for it: else it is a prefetch
 */
struct vcore_fill {
	uint64_t line;
	uint64_t done;
	uint8_t from;
	uint16_t bytes;
	bool demanded;
};

/**
 * struct vcore_requests - a queue
 * @nr: entries
 * @first: position in @order of the one that is free first
 * @order: a ring: entries by @done, those of the same cycle by number: both as
 *	one number, @done * VCORE_MAX_REQUESTS + entry
 * @entry: in no order
 * @lines: by the low bits of a line: entries for such lines
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

/* the entry that is free last */
static inline struct vcore_fill *
vcore_requests_last(struct vcore_requests *requests)
{
	return &requests->entry[vcore_requests_nth(requests,
						   requests->nr - 1)];
}

/* the cycle in which so many entries are free */
static inline uint64_t
vcore_requests_free(const struct vcore_requests *requests, unsigned int wanted)
{
	unsigned int at = requests->first + wanted - 1;

	return requests->order[at % VCORE_MAX_REQUESTS] / VCORE_MAX_REQUESTS;
}

#endif /* VCORE_REQUESTS_H */
