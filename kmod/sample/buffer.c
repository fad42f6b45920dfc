// SPDX-License-Identifier: GPL-2.0
/*
 * A ring without locks. During a run @head and @tail only grow. Modulo the number of records that
 * fit, their value is the index of a record.
 *
 *   producer                          consumer
 *   load-acquire tail         (B)     load-acquire head         (A)
 *   if there is room                  if there is a record
 *     write the record                  read the record
 *     store-release head      (A)       store-release tail      (B)
 *
 * Barriers (A) and (B) are pairs. (A): the consumer sees a record only after the producer has
 * written all of it. (B): the producer overwrites a record only after the consumer has read it.
 *
 * (C): readers are woken once when the watermark is reached, and again only after the consumer has
 * begun to read. The producer stores the record and then reads @woken; the consumer clears @woken
 * and then reads @head. At least one of the two sees the other's store, so no wake-up is lost.
 *
 * Readers other than the consumer neither wait nor make the producer wait. They copy a record, and
 * discard the copy if the producer may have overwritten the record meanwhile.
 */
#include "buffer.h"

#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/string.h>

/**
 * bpmu_buffer_alloc() - allocate the sample buffer of a CPU
 * @buffer: zeroed or freed
 * @nr: number of records, a power of two
 * @record_size: bytes of a record
 * @overhang: bytes of storage behind the last record, into which a record that takes several units
 *	may reach
 * @watermark: number of records in the buffer at which readers are woken
 * @node: NUMA node of the storage
 *
 * Without enough free memory the allocation fails; the kernel does not kill a process for it.
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM.
 */
int bpmu_buffer_alloc(struct bpmu_buffer *buffer, u32 nr, u32 record_size, u32 overhang,
		      u32 watermark, int node)
{
	buffer->records = kvzalloc_node(size_add(array_size(nr, record_size), overhang),
					GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN,
					node);
	if (!buffer->records)
		return -ENOMEM;
	buffer->nr = nr;
	buffer->record_size = record_size;
	buffer->watermark = watermark;
	seqcount_init(&buffer->loss_seq);
	bpmu_buffer_reset(buffer);
	return 0;
}

/**
 * bpmu_buffer_free() - free the records of a CPU's sample buffer, but not @buffer itself
 * @buffer: was allocated; it may have been freed already
 *
 * Context: process; neither producer nor consumer runs.
 */
void bpmu_buffer_free(struct bpmu_buffer *buffer)
{
	kvfree(buffer->records);
	buffer->records = NULL;
	buffer->nr = 0;
}

/**
 * bpmu_buffer_reset() - discard all records of a buffer and clear the count of lost ones
 * @buffer: allocated by bpmu_buffer_alloc()
 *
 * Context: neither producer nor consumer runs.
 */
void bpmu_buffer_reset(struct bpmu_buffer *buffer)
{
	buffer->head = 0;
	buffer->tail = 0;
	buffer->woken = false;
	buffer->loss = (struct bpmu_buffer_loss){ };
}

/**
 * bpmu_buffer_drop() - count a record that does not fit into the buffer
 * @buffer: buffer of the CPU that runs this
 * @tsc: time of the record, TSC ticks
 *
 * Context: producer; interrupts off, or NMI.
 * Return: true if the caller must wake readers: no reader was woken since bpmu_buffer_rearm().
 */
bool bpmu_buffer_drop(struct bpmu_buffer *buffer, u64 tsc)
{
	raw_write_seqcount_begin(&buffer->loss_seq);
	if (!buffer->loss.count)
		buffer->loss.tsc_first = tsc;
	buffer->loss.tsc_last = tsc;
	buffer->loss.count++;
	raw_write_seqcount_end(&buffer->loss_seq);
	return bpmu_buffer_announce(buffer);
}

/**
 * bpmu_buffer_rearm() - let a buffer wake readers again when it next reaches its watermark
 * @buffer: buffer of any CPU
 *
 * Context: consumer, before it reads records.
 */
void bpmu_buffer_rearm(struct bpmu_buffer *buffer)
{
	WRITE_ONCE(buffer->woken, false);
	/* (C) of the comment at the top: @woken is cleared before @head is read */
	smp_mb();
}

/**
 * bpmu_buffer_is_over_mark() - check if a buffer has reached its watermark
 * @buffer: buffer of any CPU
 *
 * Context: consumer, after it has consumed records.
 * Return: true if the buffer holds at least &bpmu_buffer.watermark records.
 */
bool bpmu_buffer_is_over_mark(const struct bpmu_buffer *buffer)
{
	return bpmu_buffer_held(buffer) >= buffer->watermark;
}

/**
 * bpmu_buffer_held() - number of records in a buffer that are not consumed yet
 * @buffer: buffer of any CPU
 *
 * Context: consumer.
 * Return: number of records; it may grow at any time.
 */
u64 bpmu_buffer_held(const struct bpmu_buffer *buffer)
{
	return READ_ONCE(buffer->head) - buffer->tail;
}

/**
 * bpmu_buffer_peek() - find the oldest records in a buffer that are not consumed yet
 * @buffer: buffer of any CPU
 * @records: set to the address of the first one
 *
 * Context: consumer.
 * Return: number of contiguous records at @records, 0 if there are none.
 */
u32 bpmu_buffer_peek(const struct bpmu_buffer *buffer, const void **records)
{
	/* barrier (A): pairs with the release in bpmu_buffer_commit() */
	u64 head = smp_load_acquire(&buffer->head);
	u32 pos = buffer->tail & (buffer->nr - 1);

	*records = bpmu_buffer_at(buffer, buffer->tail);
	return min_t(u64, head - buffer->tail, buffer->nr - pos);
}

/**
 * bpmu_buffer_consume() - free records that bpmu_buffer_peek() found
 * @buffer: buffer of any CPU
 * @nr: number of records, at most what bpmu_buffer_peek() returned; in a buffer whose records take
 *	several units, number of units of the oldest record
 *
 * Context: consumer.
 */
void bpmu_buffer_consume(struct bpmu_buffer *buffer, u32 nr)
{
	/* barrier (B): pairs with the acquire in bpmu_buffer_produce() */
	smp_store_release(&buffer->tail, buffer->tail + nr);
}

/*
 * Returns the position of the oldest record that can be copied. The record before it is still in
 * the ring, but the producer may be overwriting it.
 */
static u64 oldest_record(const struct bpmu_buffer *buffer, u64 head)
{
	return head - min_t(u64, head, buffer->nr - 1);
}

/*
 * Returns true if the record at @pos, which the caller has copied, was not overwritten meanwhile.
 * Sets @head to the present value of &bpmu_buffer.head.
 */
static bool is_intact(const struct bpmu_buffer *buffer, u64 pos, u64 *head)
{
	/* the record is read before @head is read again */
	smp_rmb();
	*head = READ_ONCE(buffer->head);
	return *head - pos < buffer->nr;
}

/**
 * bpmu_buffer_seek() - find the first record in a buffer from a sequence number on
 * @buffer: buffer of any CPU
 * @seq: least &bpmu_sample.seq of the record
 *
 * The function searches the records in the ring by bisection, since their numbers are in order.
 *
 * Context: process; any number of readers.
 * Return: position of the record, as bpmu_buffer_copy() takes it. If no record has a number of at
 * least @seq, position of the record that will be stored next.
 */
u64 bpmu_buffer_seek(const struct bpmu_buffer *buffer, u64 seq)
{
	/* barrier (A): pairs with the release in bpmu_buffer_commit() */
	u64 head = smp_load_acquire(&buffer->head);
	u64 low = oldest_record(buffer, head);
	u64 high = head;

	while (low < high) {
		u64 middle = low + (high - low) / 2;
		const struct bpmu_sample *sample = bpmu_buffer_at(buffer, middle);
		u64 found = READ_ONCE(sample->seq);

		if (!is_intact(buffer, middle, &head))
			low = max(middle + 1, oldest_record(buffer, head));
		else if (found < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * bpmu_buffer_copy() - copy a record of a buffer, consumed or not
 * @buffer: buffer of any CPU
 * @pos: position of the record, 0 for the first record ever stored. If the record was overwritten,
 *	@pos is set to the position of the oldest record that is left, which is copied instead
 * @record: set to the copy, &bpmu_buffer.record_size bytes
 *
 * Context: process; any number of readers.
 * Return: true; false if neither the record at @pos nor a later one is stored yet.
 */
bool bpmu_buffer_copy(const struct bpmu_buffer *buffer, u64 *pos, void *record)
{
	u64 head;

	for (;;) {
		/* barrier (A): pairs with the release in bpmu_buffer_commit() */
		head = smp_load_acquire(&buffer->head);
		*pos = max(*pos, oldest_record(buffer, head));
		if (*pos >= head)
			return false;
		memcpy(record, bpmu_buffer_at(buffer, *pos), buffer->record_size);
		if (is_intact(buffer, *pos, &head))
			return true;
	}
}

/**
 * bpmu_buffer_loss() - read the count and times of records that a buffer dropped
 * @buffer: buffer of any CPU
 *
 * Context: consumer.
 * Return: a consistent copy.
 */
struct bpmu_buffer_loss bpmu_buffer_loss(const struct bpmu_buffer *buffer)
{
	struct bpmu_buffer_loss loss;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&buffer->loss_seq);
		loss = buffer->loss;
	} while (read_seqcount_retry(&buffer->loss_seq, seq));
	return loss;
}
