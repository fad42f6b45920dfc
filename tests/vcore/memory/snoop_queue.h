/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A core's snoop queue: requests of other cores for lines that it has, which it
 * answers before its next access.
 */
#ifndef VCORE_SNOOP_QUEUE_H
#define VCORE_SNOOP_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define VCORE_SNOOPS 1024

/* what another core's request asks of a line */
enum vcore_snoop_type {
	VCORE_SNOOP_NONE,
	VCORE_SNOOP_SHARE,	/* another reads it: it is no longer exclusive */
	VCORE_SNOOP_INVALIDATE,	/* another writes it: it is gone */
	VCORE_SNOOP_OVERFLOW	/* snoops were lost: all lines are gone */
};

struct vcore_snoop {
	uint64_t line;
	enum vcore_snoop_type type;
};

/**
 * struct vcore_snoop_queue - of one core
 * @lock: of all but @waiting
 * @waiting: number of snoops, read without the lock
 * @snoop: the snoops, a ring
 * @next: index of the oldest
 * @overflow: there was no room
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
