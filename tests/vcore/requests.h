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
 * @first: place in @order of the one that is free first
 * @order: a ring: entries by @done, those of the same cycle by number: both as
 *	one number, @done * VCORE_MAX_REQUESTS + entry
 * @entry: in no order
 */
struct vcore_requests {
	unsigned int nr;
	unsigned int first;
	uint64_t order[VCORE_MAX_REQUESTS];
	struct vcore_fill entry[VCORE_MAX_REQUESTS];
};

void vcore_requests_init(struct vcore_requests *requests, unsigned int nr);
void vcore_requests_put(struct vcore_requests *requests, uint64_t line,
			uint64_t done, unsigned int from);
const struct vcore_fill *
vcore_requests_find(const struct vcore_requests *requests, uint64_t line,
		    uint64_t cycle);

static inline unsigned int
vcore_requests_nth(const struct vcore_requests *requests, unsigned int nth)
{
	return requests->order[(requests->first + nth) % VCORE_MAX_REQUESTS] %
	       VCORE_MAX_REQUESTS;
}

/* the cycle in which so many entries are free */
static inline uint64_t
vcore_requests_free(const struct vcore_requests *requests, unsigned int wanted)
{
	unsigned int at = requests->first + wanted - 1;

	return requests->order[at % VCORE_MAX_REQUESTS] / VCORE_MAX_REQUESTS;
}

#endif /* VCORE_REQUESTS_H */
