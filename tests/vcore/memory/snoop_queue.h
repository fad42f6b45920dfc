/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queue of snoops to a core: requests of other cores or of the L3 for its lines. The core
 * answers them before its next access.
 */
#ifndef VCORE_SNOOP_QUEUE_H
#define VCORE_SNOOP_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define VCORE_SNOOPS 1024

/* Reasons of a snoop of a line. */
enum vcore_snoop_type {
	VCORE_SNOOP_NONE,
	VCORE_SNOOP_SHARE,	/* another core reads the line, which becomes shared */
	VCORE_SNOOP_INVALIDATE,	/* another core writes the line, or the L3 evicts it */
	VCORE_SNOOP_OVERFLOW	/* snoops were lost: all lines must be invalidated */
};

struct vcore_snoop {
	uint64_t line;
	enum vcore_snoop_type type;
};

/**
 * struct vcore_snoop_queue - queue of the snoops to a core
 * @lock: protects all members; @waiting is also read without the lock
 * @waiting: number of queued snoops
 * @snoop: queued snoops, a ring buffer
 * @next: index of the oldest snoop
 * @overflow: true if a snoop was lost because the queue was full
 */
struct vcore_snoop_queue {
	pthread_mutex_t lock;
	unsigned int waiting;
	struct vcore_snoop snoop[VCORE_SNOOPS];
	unsigned int next;
	bool overflow;
};

void vcore_snoop_init(struct vcore_snoop_queue *queue);
void vcore_snoop_free(struct vcore_snoop_queue *queue);
void vcore_snoop_send(struct vcore_snoop_queue *queue, uint64_t line,
		      enum vcore_snoop_type type);
bool vcore_snoop_waits(const struct vcore_snoop_queue *queue);
struct vcore_snoop vcore_snoop_read(struct vcore_snoop_queue *queue);

#endif /* VCORE_SNOOP_QUEUE_H */
