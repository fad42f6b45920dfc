// SPDX-License-Identifier: GPL-2.0
/*
 * head and tail run freely and are reduced modulo the size when used.
 *
 *   producer                          consumer
 *   load-acquire tail         (B)     load-acquire head         (A)
 *   if there is room                  if there is a record
 *     write the record                  read the record
 *     store-release head      (A)       store-release tail      (B)
 *
 * A: a record is whole before the consumer can see it.
 * B: a record has been read before the producer writes over it.
 *
 * Readers beside the consumer hold nobody up: they copy a record that was
 * stored, and take it for good only if the producer has not come round to it
 * meanwhile.
 */
#include "buffer.h"

#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>

/**
 * bpmu_buffer_alloc() - storage for one CPU's records
 * @buffer: zeroed or freed
 * @nr: records, rounded up to a power of two
 * @record_size: bytes of a record
 * @node: memory node
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM.
 */
int bpmu_buffer_alloc(struct bpmu_buffer *buffer, u32 nr, u32 record_size,
		      int node)
{
	nr = roundup_pow_of_two(nr);
	buffer->records = kvzalloc_node(array_size(nr, record_size),
					GFP_KERNEL_ACCOUNT, node);
	if (!buffer->records)
		return -ENOMEM;
	buffer->nr = nr;
	buffer->record_size = record_size;
	seqcount_init(&buffer->loss_seq);
	bpmu_buffer_reset(buffer);
	return 0;
}

/**
 * bpmu_buffer_free() - free the storage
 * @buffer: allocated or freed before
 *
 * Context: process; nobody produces or consumes.
 */
void bpmu_buffer_free(struct bpmu_buffer *buffer)
{
	kvfree(buffer->records);
	buffer->records = NULL;
	buffer->nr = 0;
}

/**
 * bpmu_buffer_reset() - empty it and forget the losses
 * @buffer: allocated
 *
 * Context: nobody produces or consumes.
 */
void bpmu_buffer_reset(struct bpmu_buffer *buffer)
{
	buffer->head = 0;
	buffer->tail = 0;
	buffer->loss = (struct bpmu_buffer_loss){ };
}

/**
 * bpmu_buffer_drop() - a record did not fit
 * @buffer: this CPU's
 * @tsc: when
 *
 * Context: producer; interrupts off.
 */
void bpmu_buffer_drop(struct bpmu_buffer *buffer, u64 tsc)
{
	raw_write_seqcount_begin(&buffer->loss_seq);
	if (!buffer->loss.count)
		buffer->loss.tsc_first = tsc;
	buffer->loss.tsc_last = tsc;
	buffer->loss.count++;
	raw_write_seqcount_end(&buffer->loss_seq);
}

/**
 * bpmu_buffer_held() - number of records that wait
 * @buffer: any CPU's
 *
 * Context: consumer.
 * Return: records; more may come in at any time.
 */
u32 bpmu_buffer_held(struct bpmu_buffer *buffer)
{
	return READ_ONCE(buffer->head) - buffer->tail;
}

/**
 * bpmu_buffer_peek() - the oldest records
 * @buffer: any CPU's
 * @records: set to the first of them
 *
 * Context: consumer.
 * Return: number of records that lie in one piece there, 0 if there are none.
 */
u32 bpmu_buffer_peek(struct bpmu_buffer *buffer, const void **records)
{
	/* pairs with the release in bpmu_buffer_commit(): A */
	u32 head = smp_load_acquire(&buffer->head);
	u32 pos = buffer->tail & (buffer->nr - 1);

	*records = bpmu_buffer_at(buffer, buffer->tail);
	return min(head - buffer->tail, buffer->nr - pos);
}

/**
 * bpmu_buffer_consume() - records of bpmu_buffer_peek() were read
 * @buffer: the same
 * @nr: how many of them
 *
 * Context: consumer.
 */
void bpmu_buffer_consume(struct bpmu_buffer *buffer, u32 nr)
{
	/* pairs with the acquire in bpmu_buffer_produce(): B */
	smp_store_release(&buffer->tail, buffer->tail + nr);
}

/**
 * bpmu_buffer_oldest() - the oldest record that is still there
 * @buffer: any CPU's
 *
 * Context: process.
 * Return: its place for bpmu_buffer_copy().
 */
u32 bpmu_buffer_oldest(const struct bpmu_buffer *buffer)
{
	u32 head = READ_ONCE(buffer->head);

	return head - min(head, buffer->nr - 1);
}

/**
 * bpmu_buffer_copy() - a copy of a record, consumed or not
 * @buffer: any CPU's
 * @pos: which: 0 for the first ever stored; moved on to the oldest one that is
 *	still there
 * @record: the copy, of the buffer's record size
 *
 * Context: process; any number of readers.
 * Return: true, or false if no record from @pos on is stored yet.
 */
bool bpmu_buffer_copy(struct bpmu_buffer *buffer, u32 *pos, void *record)
{
	u32 head;

	for (;;) {
		/* pairs with the release in bpmu_buffer_commit(): A */
		head = smp_load_acquire(&buffer->head);
		if (head - *pos > buffer->nr - 1)
			*pos = head - (buffer->nr - 1);
		if (head == *pos)
			return false;
		memcpy(record, bpmu_buffer_at(buffer, *pos), buffer->record_size);
		/* the copy is done before the head is looked at again */
		smp_rmb();
		head = READ_ONCE(buffer->head);
		if (head - *pos < buffer->nr)
			return true;
	}
}

/**
 * bpmu_buffer_loss() - what was dropped so far
 * @buffer: any CPU's
 *
 * Context: consumer.
 * Return: a consistent copy.
 */
struct bpmu_buffer_loss bpmu_buffer_loss(struct bpmu_buffer *buffer)
{
	struct bpmu_buffer_loss loss;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&buffer->loss_seq);
		loss = buffer->loss;
	} while (read_seqcount_retry(&buffer->loss_seq, seq));
	return loss;
}
