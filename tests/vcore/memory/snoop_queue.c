// SPDX-License-Identifier: GPL-2.0
#include "snoop_queue.h"

#include <string.h>

/**
 * vcore_snoop_init() - initialise an empty snoop queue
 * @queue: output; vcore_snoop_free() frees its resources
 */
void vcore_snoop_init(struct vcore_snoop_queue *queue)
{
	memset(queue, 0, sizeof(*queue));
	pthread_mutex_init(&queue->lock, NULL);
}

/**
 * vcore_snoop_free() - free the resources of a snoop queue
 * @queue: snoop queue
 */
void vcore_snoop_free(struct vcore_snoop_queue *queue)
{
	pthread_mutex_destroy(&queue->lock);
}

static void set_waiting(struct vcore_snoop_queue *queue, unsigned int waiting)
{
	__atomic_store_n(&queue->waiting, waiting, __ATOMIC_RELAXED);
}

/**
 * vcore_snoop_send() - append a snoop to a core's queue
 * @queue: queue of the core
 * @line: line address / 64
 * @type: the reason of the snoop
 *
 * The queue of a halted core may overflow, because the core does not read it. When the core
 * resumes, it then invalidates all of its lines.
 */
void vcore_snoop_send(struct vcore_snoop_queue *queue, uint64_t line,
		      enum vcore_snoop_type type)
{
	struct vcore_snoop *snoop;

	pthread_mutex_lock(&queue->lock);
	if (queue->waiting == VCORE_SNOOPS) {
		queue->overflow = true;
	} else {
		snoop = &queue->snoop[(queue->next + queue->waiting) % VCORE_SNOOPS];
		snoop->line = line;
		snoop->type = type;
		set_waiting(queue, queue->waiting + 1);
	}
	pthread_mutex_unlock(&queue->lock);
}

/**
 * vcore_snoop_waits() - check if a queue holds a snoop
 * @queue: queue of the core
 *
 * Context: any thread. A snoop that is sent during the call may go unnoticed until the next call.
 */
bool vcore_snoop_waits(const struct vcore_snoop_queue *queue)
{
	return __atomic_load_n(&queue->waiting, __ATOMIC_RELAXED);
}

/**
 * vcore_snoop_read() - remove the oldest snoop from a core's queue
 * @queue: queue of the core
 */
struct vcore_snoop vcore_snoop_read(struct vcore_snoop_queue *queue)
{
	struct vcore_snoop snoop = { .type = VCORE_SNOOP_NONE };

	pthread_mutex_lock(&queue->lock);
	if (queue->overflow) {
		snoop.type = VCORE_SNOOP_OVERFLOW;
		queue->overflow = false;
		set_waiting(queue, 0);
	} else if (queue->waiting) {
		snoop = queue->snoop[queue->next];
		queue->next = (queue->next + 1) % VCORE_SNOOPS;
		set_waiting(queue, queue->waiting - 1);
	}
	pthread_mutex_unlock(&queue->lock);
	return snoop;
}
