/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queue between front end and issue, with the stages before it: a slot is
 * seen some cycles after it was put in.
 */
#ifndef VCORE_QUEUE_H
#define VCORE_QUEUE_H

#include <stddef.h>

#include "slot.h"

/**
 * struct vcore_queued - a slot on its way
 * @ready: cycle from which on it can be issued
 * @slot: the slot
 * @lack: why there was nothing before it
 */
struct vcore_queued {
	uint64_t ready;
	struct vcore_slot slot;
	uint8_t lack;
};

/**
 * struct vcore_queue - a ring
 * @entry: @size of them
 * @size: the queue's entries and what its stages hold
 * @head: oldest
 * @nr: in use
 * @latest: when the newest is ready: they stay in order
 */
struct vcore_queue {
	struct vcore_queued *entry;
	unsigned int size;
	unsigned int head;
	unsigned int nr;
	uint64_t latest;
};

static inline const struct vcore_queued *
vcore_queue_head(const struct vcore_queue *queue)
{
	return queue->nr ? &queue->entry[queue->head] : NULL;
}

static inline void vcore_queue_take(struct vcore_queue *queue)
{
	if (++queue->head == queue->size)
		queue->head = 0;
	queue->nr--;
}

/* there must be room; the caller fills in the slot that is returned */
static inline struct vcore_slot *vcore_queue_put(struct vcore_queue *queue,
						 uint64_t ready, uint8_t lack)
{
	unsigned int tail = queue->head + queue->nr++;
	struct vcore_queued *queued;

	if (queue->latest < ready)
		queue->latest = ready;
	if (tail >= queue->size)
		tail -= queue->size;
	queued = &queue->entry[tail];
	queued->ready = queue->latest;
	queued->lack = lack;
	return &queued->slot;
}

static inline void vcore_queue_clear(struct vcore_queue *queue)
{
	queue->nr = 0;
	queue->latest = 0;
}

#endif /* VCORE_QUEUE_H */
