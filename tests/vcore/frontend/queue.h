/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queue of slots between the front end and issue (IDQ). It also holds the slots in the pipeline
 * stages before the IDQ; these have their &vcore_queued.ready in the future.
 */
#ifndef VCORE_QUEUE_H
#define VCORE_QUEUE_H

#include <stddef.h>

#include "slot.h"

/**
 * struct vcore_queued - an entry of the queue of slots
 * @ready: first cycle in which the slot can issue
 * @slot: the issue slot
 * @lack: reason why the slot was not fetched earlier, &enum vcore_lack
 */
struct vcore_queued {
	uint64_t ready;
	struct vcore_slot slot;
	uint8_t lack;
};

/**
 * struct vcore_queue - the queue of slots, as a ring buffer
 * @entry: [@size], entries of the ring buffer
 * @size: maximum number of slots: entries of the IDQ, and slots in the pipeline stages before the
 *	IDQ
 * @head: index of the oldest slot
 * @nr: number of slots
 * @latest: &vcore_queued.ready of the newest slot; the next slot must not be ready earlier
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

/* Appends a slot to a queue that is not full. Returns the slot, which the caller has to fill in. */
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
