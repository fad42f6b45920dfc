/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of sample records: one producer, one consumer, readers; no lock.
 */
#ifndef BPMU_BUFFER_H
#define BPMU_BUFFER_H

#include <linux/barepmu.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include <asm/barrier.h>

/**
 * struct bpmu_buffer_loss - what a full buffer had to drop
 * @count: samples, since bpmu_buffer_reset()
 * @tsc_first: when the first was dropped
 * @tsc_last: when the last was dropped
 */
struct bpmu_buffer_loss {
	u64 count;
	u64 tsc_first;
	u64 tsc_last;
};

/**
 * struct bpmu_buffer - the ring of one CPU
 * @records: storage
 * @record_size: bytes of a record
 * @nr: records that fit, a power of two
 * @head: records stored so far; written by the producer, which is this CPU
 *	with interrupts off
 * @tail: records taken so far; written by the consumer, which holds the
 *	session's lock
 * @watermark: records held from which on readers are told
 * @told: readers were told, and have not begun to read since; written by both
 *	sides
 * @loss_seq: makes @loss readable while the producer goes on
 * @loss: written by the producer
 */
struct bpmu_buffer {
	void *records;
	u32 record_size;
	u32 nr;
	u64 head;
	u64 tail;
	u32 watermark;
	bool told;
	seqcount_t loss_seq;
	struct bpmu_buffer_loss loss;
};

/**
 * bpmu_buffer_at() - where a record is
 * @buffer: allocated
 * @pos: number of the record, by head or tail
 *
 * Context: any.
 * Return: never NULL.
 */
static inline void *bpmu_buffer_at(const struct bpmu_buffer *buffer, u64 pos)
{
	return buffer->records +
	       (size_t)(pos & (buffer->nr - 1)) * buffer->record_size;
}

/**
 * bpmu_buffer_produce() - room for the next record
 * @buffer: this CPU's
 * @reserved: records that must stay free behind it
 *
 * Context: producer; interrupts off.
 * Return: the record to fill in before bpmu_buffer_commit(), or NULL if the
 * buffer is full.
 */
static inline struct bpmu_sample *
bpmu_buffer_produce(struct bpmu_buffer *buffer, u32 reserved)
{
	/* pairs with the release in bpmu_buffer_consume(): B */
	u64 tail = smp_load_acquire(&buffer->tail);

	if (buffer->head - tail + reserved >= buffer->nr)
		return NULL;
	return bpmu_buffer_at(buffer, buffer->head);
}

/* once for each time that the consumer begins to read */
static inline bool bpmu_buffer_announce(struct bpmu_buffer *buffer)
{
	/* what was stored is visible before the consumer's mark is looked at: C */
	smp_mb();
	if (READ_ONCE(buffer->told))
		return false;
	WRITE_ONCE(buffer->told, true);
	return true;
}

/**
 * bpmu_buffer_commit() - the record of bpmu_buffer_produce() is filled in
 * @buffer: this CPU's
 *
 * Context: producer; interrupts off.
 * Return: true if readers are to be told that the watermark is reached.
 */
static inline bool bpmu_buffer_commit(struct bpmu_buffer *buffer)
{
	u64 head = buffer->head + 1;

	/* pairs with the acquire in bpmu_buffer_peek(): A */
	smp_store_release(&buffer->head, head);
	return head - READ_ONCE(buffer->tail) >= buffer->watermark &&
	       bpmu_buffer_announce(buffer);
}

int bpmu_buffer_alloc(struct bpmu_buffer *buffer, u32 nr, u32 record_size,
		      u32 watermark, int node);
void bpmu_buffer_free(struct bpmu_buffer *buffer);
void bpmu_buffer_reset(struct bpmu_buffer *buffer);

bool bpmu_buffer_drop(struct bpmu_buffer *buffer, u64 tsc);

void bpmu_buffer_rearm(struct bpmu_buffer *buffer);
bool bpmu_buffer_is_over_mark(const struct bpmu_buffer *buffer);
u64 bpmu_buffer_held(const struct bpmu_buffer *buffer);
u32 bpmu_buffer_peek(const struct bpmu_buffer *buffer, const void **records);
void bpmu_buffer_consume(struct bpmu_buffer *buffer, u32 nr);
u64 bpmu_buffer_seek(const struct bpmu_buffer *buffer, u64 seq);
bool bpmu_buffer_copy(const struct bpmu_buffer *buffer, u64 *pos, void *record);
struct bpmu_buffer_loss bpmu_buffer_loss(const struct bpmu_buffer *buffer);

#endif /* BPMU_BUFFER_H */
