// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's ring buffer of samples: it neither loses nor repeats a record, and notifies
 * the reader in time. The source is compiled unchanged. The test sets the positions of producer and
 * reader, because it would take days to reach them by storing records.
 */
#include "kernel/linux/minmax.h"

#include "../../kmod/sample/buffer.c"

#include "unit.h"

#define NR 16U
#define MARK 8U
/*
 * UNITS is the number of buffer units of the longest record. A buffer unit has the size of struct
 * bpmu_sample. OVERHANG is the size in bytes of all units of the longest record except the first
 * unit.
 */
#define UNITS 5U
#define OVERHANG ((UNITS - 1) * sizeof(struct bpmu_sample))

static struct bpmu_buffer ring;
static u64 next_seq;

TEST_FIXTURE(setup)
{
	next_seq = 0;
	return bpmu_buffer_alloc(&ring, NR, sizeof(struct bpmu_sample), OVERHANG, MARK, 0);
}

TEST_FIXTURE(teardown)
{
	bpmu_buffer_free(&ring);
	return 0;
}

/*
 * Sets the positions of producer and reader as if this number of records had been stored and read.
 */
static void advance(u64 records)
{
	ring.head = records;
	ring.tail = records;
}

/*
 * Stores a record of one buffer unit if @reserved units remain free behind it. Returns whether the
 * reader is to be notified, or -1 if there is no room.
 */
static int store(u32 reserved)
{
	struct bpmu_sample *record = bpmu_buffer_produce(&ring, reserved);

	if (!record)
		return -1;
	memset(record, 0, sizeof(*record));
	record->seq = next_seq++;
	return bpmu_buffer_commit(&ring, 1);
}

static void take(u32 nr)
{
	const void *records;
	u32 piece;

	while (nr) {
		piece = bpmu_buffer_peek(&ring, &records);
		piece = piece < nr ? piece : nr;
		assert_int_not_equal(piece, 0);
		bpmu_buffer_consume(&ring, piece);
		nr -= piece;
	}
}

TEST_BETWEEN(holds_its_number_of_records, setup, teardown)
{
	unsigned int i;

	for (i = 0; i < NR - BPMU_RESERVED_SAMPLES; i++)
		assert_int_not_equal(store(BPMU_RESERVED_SAMPLES), -1);
	assert_int_equal(store(BPMU_RESERVED_SAMPLES), -1);
	for (i = 0; i < BPMU_RESERVED_SAMPLES; i++)
		assert_int_not_equal(store(0), -1);
	assert_int_equal(store(0), -1);
	assert_int_equal(bpmu_buffer_held(&ring), NR);
}

TEST_BETWEEN(takes_records_in_order, setup, teardown)
{
	const struct bpmu_sample *sample;
	const void *records;
	u64 expected = 0;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		store(0);
		store(0);
		store(0);
		while (bpmu_buffer_peek(&ring, &records)) {
			sample = records;
			assert_int_equal(sample->seq, expected++);
			bpmu_buffer_consume(&ring, 1);
		}
	}
	assert_int_equal(expected, 300);
	assert_int_equal(bpmu_buffer_held(&ring), 0);
}

/*
 * Stores and reads records of 1 to UNITS buffer units. Each unit of a record holds the number of
 * the record.
 */
TEST_BETWEEN(records_of_several_units_are_contiguous, setup, teardown)
{
	u64 stored = 0, taken = 0;
	const void *records;
	struct bpmu_sample *record;
	const struct bpmu_sample *found;
	unsigned int i, k;
	u32 units;

	for (i = 0; i < 300; i++) {
		record = bpmu_buffer_produce(&ring, UNITS - 1);
		if (record) {
			units = stored * 7 % UNITS + 1;
			for (k = 0; k < units; k++)
				record[k].seq = stored;
			stored++;
			bpmu_buffer_commit(&ring, units);
		}
		if (record && i % 3)
			continue;
		assert_int_not_equal(bpmu_buffer_peek(&ring, &records), 0);
		found = records;
		units = taken * 7 % UNITS + 1;
		for (k = 0; k < units; k++)
			assert_int_equal(found[k].seq, taken);
		taken++;
		bpmu_buffer_consume(&ring, units);
	}
	assert_true(stored > 100 && taken > 100);
}

/*
 * The positions in the ring buffer exceed 32 bits after 2^32 records, which a CPU stores in five
 * days at the shortest interval.
 */
TEST_BETWEEN(continues_after_2_32_records, setup, teardown)
{
	struct bpmu_sample copy;
	unsigned int i;
	u64 pos;

	advance((1ULL << 32) - 5);
	next_seq = ring.head;
	for (i = 0; i < 10; i++)
		assert_int_not_equal(store(0), -1);
	take(10);
	pos = bpmu_buffer_seek(&ring, 0);
	/* All records can be read, except the one that the producer may be overwriting. */
	assert_int_equal(pos, ring.head - (NR - 1));
	pos = bpmu_buffer_seek(&ring, (1ULL << 32) - 2);
	assert_int_equal(pos, (1ULL << 32) - 2);
	assert_true(bpmu_buffer_copy(&ring, &pos, &copy));
	assert_int_equal(copy.seq, (1ULL << 32) - 2);
}

TEST_BETWEEN(finds_the_position_of_any_sequence_number, setup, teardown)
{
	struct bpmu_sample copy;
	u64 pos, want;
	unsigned int i;

	for (i = 0; i < 3 * NR; i++) {
		/* Some sequence numbers are left out, as if their records had been lost. */
		next_seq += i % 3;
		store(0);
		take(1);
	}
	for (want = 0; want < next_seq; want++) {
		pos = bpmu_buffer_seek(&ring, want);
		assert_true(bpmu_buffer_copy(&ring, &pos, &copy));
		assert_true(copy.seq >= want);
		if (pos > ring.head - (NR - 1)) {
			pos--;
			assert_true(bpmu_buffer_copy(&ring, &pos, &copy));
			assert_true(copy.seq < want);
		}
	}
	pos = bpmu_buffer_seek(&ring, next_seq);
	assert_int_equal(pos, ring.head);
	assert_false(bpmu_buffer_copy(&ring, &pos, &copy));
}

TEST_BETWEEN(a_copy_skips_overwritten_records, setup, teardown)
{
	struct bpmu_sample copy;
	u64 pos = 0;
	unsigned int i;

	for (i = 0; i < 2 * NR; i++) {
		store(0);
		take(1);
	}
	assert_true(bpmu_buffer_copy(&ring, &pos, &copy));
	assert_int_equal(pos, NR + 1);
	assert_int_equal(copy.seq, NR + 1);
}

TEST_BETWEEN(notifies_once_at_the_watermark, setup, teardown)
{
	unsigned int i;

	for (i = 0; i < MARK - 1; i++)
		assert_int_equal(store(0), 0);
	assert_int_equal(store(0), 1);
	assert_int_equal(store(0), 0);
}

TEST_BETWEEN(notifies_again_after_a_read, setup, teardown)
{
	unsigned int i;

	for (i = 0; i < MARK; i++)
		store(0);
	bpmu_buffer_rearm(&ring);
	take(1);
	assert_false(bpmu_buffer_is_over_mark(&ring));
	/*
	 * The reader is notified when the ring buffer is filled to the mark. If the reader was too
	 * slow, so that the buffer is still filled above the mark, the reader is notified again.
	 */
	assert_int_equal(store(0), 1);
	bpmu_buffer_rearm(&ring);
	assert_true(bpmu_buffer_is_over_mark(&ring));
	assert_int_equal(store(0), 1);
}

TEST_BETWEEN(notifies_of_a_loss, setup, teardown)
{
	struct bpmu_buffer_loss loss;

	assert_true(bpmu_buffer_drop(&ring, 100));
	assert_false(bpmu_buffer_drop(&ring, 200));
	bpmu_buffer_rearm(&ring);
	assert_true(bpmu_buffer_drop(&ring, 300));
	loss = bpmu_buffer_loss(&ring);
	assert_int_equal(loss.count, 3);
	assert_int_equal(loss.tsc_first, 100);
	assert_int_equal(loss.tsc_last, 300);
	bpmu_buffer_reset(&ring);
	loss = bpmu_buffer_loss(&ring);
	assert_int_equal(loss.count, 0);
	assert_true(bpmu_buffer_drop(&ring, 400));
}
