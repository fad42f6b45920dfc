/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring of sample records with one producer, one consumer and any number of other
 * readers, without a lock; buffer.c explains its barriers.
 *
 * A ring may also hold records of different lengths, each of which takes several units. What this
 * file calls a record is then a unit. Each record is contiguous in memory: a record that begins in
 * the last units of the ring goes on behind the end of the ring, and leaves the same number of
 * units at the beginning unused. The consumer is the only reader of such a ring.
 */
#ifndef BPMU_BUFFER_H
#define BPMU_BUFFER_H

#include <linux/barepmu.h>
#include <linux/minmax.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include <asm/barrier.h>

/**
 * struct bpmu_buffer_loss - samples dropped because the buffer was full
 * @count: number of samples dropped since bpmu_buffer_reset()
 * @tsc_first: time of the first dropped one, TSC ticks
 * @tsc_last: time of the last dropped one, TSC ticks
 */
struct bpmu_buffer_loss {
	u64 count;
	u64 tsc_first;
	u64 tsc_last;
};

/**
 * struct bpmu_buffer - the ring of one CPU
 * @records: storage, [nr] records of @record_size bytes
 * @record_size: bytes of a record
 * @nr: number of records that fit into the ring, a power of two
 * @head: number of records stored so far; written by the producer, which is this CPU with
 *	interrupts off, or its NMI
 * @tail: number of records consumed so far; written by the consumer, which holds the session's lock
 * @watermark: number of records in the ring at which readers are woken
 * @woken: readers were woken, and the consumer has not begun to read since; written by both the
 *	producer and the consumer
 * @loss_seq: sequence count by which readers of @loss see that @loss changed while they copied it
 * @loss: records that did not fit into the ring; written by the producer
 */
struct bpmu_buffer {
	void *records;
	u32 record_size;
	u32 nr;
	u64 head;
	u64 tail;
	u32 watermark;
	bool woken;
	seqcount_t loss_seq;
	struct bpmu_buffer_loss loss;
};

/**
 * bpmu_buffer_at() - address of a record in a buffer
 * @buffer: allocated by bpmu_buffer_alloc()
 * @pos: position of the record: number of records stored before it, as in &bpmu_buffer.head
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
 * bpmu_buffer_produce() - find room in a buffer for the next record
 * @buffer: buffer of the CPU that runs this
 * @reserved: number of records for which there must still be room after the next record
 *
 * Context: producer; interrupts off, or NMI.
 * Return: the record to fill in before bpmu_buffer_commit(), or NULL if the
 * buffer is full.
 */
static inline void *bpmu_buffer_produce(struct bpmu_buffer *buffer, u32 reserved)
{
	/* barrier (B) of buffer.c: pairs with the release in bpmu_buffer_consume() */
	u64 tail = smp_load_acquire(&buffer->tail);

	if (buffer->head - tail + reserved >= buffer->nr)
		return NULL;
	return bpmu_buffer_at(buffer, buffer->head);
}

/**
 * bpmu_buffer_span() - find room in a buffer for several records that are contiguous in memory
 * @buffer: buffer of the CPU that runs this
 * @reserved: number of records for which there must still be room behind the beginning of the last
 * @nr: set to the number of records behind the first at which one can begin, and the first itself;
 *	0 if the buffer is full
 *
 * Context: producer; interrupts off, or NMI.
 * Return: the first record.
 */
static inline void *bpmu_buffer_span(struct bpmu_buffer *buffer, u32 reserved, u32 *nr)
{
	/* barrier (B) of buffer.c: pairs with the release in bpmu_buffer_consume() */
	u64 used = buffer->head - smp_load_acquire(&buffer->tail) + reserved;
	u32 before_end = buffer->nr - (buffer->head & (buffer->nr - 1));

	*nr = used < buffer->nr ? min_t(u32, buffer->nr - used, before_end) : 0;
	return bpmu_buffer_at(buffer, buffer->head);
}

/*
 * Called when the watermark is reached or a record is dropped. Returns true if the caller must wake
 * readers. It returns true only once after each bpmu_buffer_rearm().
 */
static inline bool bpmu_buffer_announce(struct bpmu_buffer *buffer)
{
	/* (C) of buffer.c: @head is stored before @woken is read */
	smp_mb();
	if (READ_ONCE(buffer->woken))
		return false;
	WRITE_ONCE(buffer->woken, true);
	return true;
}

/**
 * bpmu_buffer_commit() - make the record of bpmu_buffer_produce() visible
 * @buffer: buffer of the CPU that runs this
 * @nr: 1; in a buffer whose records take several units, number of units of this record
 *
 * Context: producer; interrupts off, or NMI.
 * Return: true if readers are to be woken: the watermark is reached.
 */
static inline bool bpmu_buffer_commit(struct bpmu_buffer *buffer, u32 nr)
{
	u64 head = buffer->head + nr;

	/* barrier (A) of buffer.c: pairs with the acquire in bpmu_buffer_peek() */
	smp_store_release(&buffer->head, head);
	return head - READ_ONCE(buffer->tail) >= buffer->watermark &&
	       bpmu_buffer_announce(buffer);
}

int bpmu_buffer_alloc(struct bpmu_buffer *buffer, u32 nr, u32 record_size, u32 overhang,
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
