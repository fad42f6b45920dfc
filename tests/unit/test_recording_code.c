// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the code of samples: they are decoded alike with and without the CPU's instruction
 * PSHUFB. The test includes the source and calls both implementations.
 */
#include "recording/recording_code.c"

#include "base/array.h"
#include "unit.h"

/**
 * struct record - a sample with values
 * @head: head of the sample
 * @value: raw counter values
 */
struct record {
	struct bpmu_sample head;
	u64 value[BPMU_MAX_COUNTERS];
};

/*
 * Number of samples. Among values, and among times, each length of 1 to 8 bytes is followed by each
 * length of 1 to 8 bytes.
 */
#define NR 64

static struct record records[NR];
static unsigned char bytes[NR * (BPMU_CODE_MOST + 8)];
static struct bpmu_code coded;

/* Returns a number whose encoding takes @nr bytes, 1 to 8. */
static u64 of_bytes(unsigned int nr, u64 seed)
{
	return (0x80ULL << 8 * (nr - 1)) | ((seed * 0x9e3779b97f4a7c15) >> 8 * (8 - nr) >> 1);
}

/*
 * Encodes samples. From sample to sample, values and times grow by numbers that take 1 to 8 bytes.
 * Returns the number of encoded bytes.
 */
static size_t encode(void)
{
	const struct record *before;
	struct record *r;
	unsigned int i;

	memset(records, 0, sizeof(records));
	for (r = records; r < records + NR; r++) {
		before = r > records ? r - 1 : r;
		r->head.cpu = 5;
		r->head.flags = BPMU_SAMPLE_TIMER;
		r->head.seq = r - records;
		r->head.nr = BPMU_MAX_COUNTERS - (r - records) % 3;
		r->head.group = (r - records) / 16;
		r->head.tsc_begin = before->head.tsc_begin + of_bytes(1 + r->head.seq / 8, 3);
		r->head.tsc_end = r->head.tsc_begin + of_bytes(1 + r->head.seq % 8, 5);
		r->head.spent = before->head.spent + of_bytes(1 + r->head.seq / 8, 7);
		r->head.enabled = before->head.enabled + of_bytes(1 + r->head.seq % 8, 9);
		r->head.running = before->head.running + of_bytes(1 + r->head.seq / 8, 11);
		for (i = 0; i < r->head.nr; i++)
			r->value[i] = before->value[i] +
				      of_bytes(1 + (i % 2 ? r->head.seq / 8 : r->head.seq % 8), i);
	}
	bpmu_code_begin(&coded, 5);
	return bpmu_code_put(&coded, (char *)records, NR, sizeof(*records), NULL, bytes);
}

/* Decodes the samples and compares them with those that were encoded. */
static void decode(size_t size, bool shuffle)
{
	static struct bpmu_code_batch batch;
	const struct record *r = records;
	unsigned int i;

	bpmu_code_open(&coded, 5, bytes, bytes + size);
	while (coded.at < coded.end) {
		assert_true(get_samples(&coded, 9, &batch, shuffle));
		assert_false(batch.extended);
		for (i = 0; i < batch.nr; i++, r++) {
			assert_memory_equal(&batch.head[i], &r->head, sizeof(r->head));
			assert_memory_equal(batch.value[i], r->value,
					    r->head.nr * sizeof(*r->value));
		}
	}
	assert_ptr_equal(r, records + NR);
}

TEST(numbers_of_any_length_are_decoded_with_and_without_pshufb)
{
	size_t size = encode();

	decode(size, false);
	if (__builtin_cpu_supports("ssse3"))
		decode(size, true);
}

TEST(a_byte_of_lengths_with_other_bits_is_malformed_with_and_without_pshufb)
{
	struct bpmu_sample sample = { .flags = BPMU_SAMPLE_TIMER };
	static struct bpmu_code_batch batch;
	size_t size;
	int bit, by;

	bpmu_code_begin(&coded, 0);
	size = bpmu_code_put(&coded, (char *)&sample, 1, sizeof(sample), NULL, bytes);
	for (bit = 3; bit < 8; bit += 4)
		for (by = 0; by < (__builtin_cpu_supports("ssse3") ? 2 : 1); by++) {
			bytes[1] ^= 1 << bit;
			bpmu_code_open(&coded, 0, bytes, bytes + size);
			assert_false(get_samples(&coded, 1, &batch, by));
			assert_int_equal(batch.nr, 0);
			bytes[1] ^= 1 << bit;
		}
	bpmu_code_open(&coded, 0, bytes, bytes + size);
	assert_true(bpmu_code_get(&coded, 1, &batch));
}

/*
 * Encodes three samples with a gap before the first one, of which the last one is changed, and
 * decodes them. Returns whether they were special.
 */
static bool special(u32 flags, u16 bank, u64 seq, u32 plan, u16 group)
{
	static struct bpmu_code_batch batch;
	struct bpmu_sample sample[3] = { };
	unsigned int i;
	size_t size;

	for (i = 0; i < 3; i++) {
		sample[i].seq = 7 + i;
		sample[i].flags = BPMU_SAMPLE_TIMER;
	}
	sample[2].flags = flags;
	sample[2].bank = bank;
	sample[2].seq = seq;
	sample[2].plan = plan;
	sample[2].group = group;
	bpmu_code_begin(&coded, 0);
	size = bpmu_code_put(&coded, (char *)sample, 3, sizeof(*sample), NULL, bytes);
	bpmu_code_open(&coded, 0, bytes, bytes + size);
	assert_true(bpmu_code_get(&coded, 3, &batch));
	assert_memory_equal(batch.head, sample, sizeof(sample));
	return batch.special;
}

TEST(a_batch_is_special_if_more_than_groups_and_times_differ)
{
	assert_false(special(BPMU_SAMPLE_TIMER, BPMU_BANK_CORE, 9, 0, 0));
	assert_false(special(BPMU_SAMPLE_TIMER, BPMU_BANK_CORE, 9, 0, 3));
	assert_true(special(BPMU_SAMPLE_STOP, BPMU_BANK_CORE, 9, 0, 0));
	assert_true(special(BPMU_SAMPLE_TIMER, BPMU_BANK_UNCORE, 9, 0, 0));
	assert_true(special(BPMU_SAMPLE_TIMER, BPMU_BANK_CORE, 10, 0, 0));
	assert_true(special(BPMU_SAMPLE_TIMER, BPMU_BANK_CORE, 9, 1, 0));
}

/* Numbers of one to ten bytes, the least and the greatest of each length, and some between. */
TEST(numbers_take_a_byte_for_seven_bits)
{
	unsigned char encoded[16], *end;
	const unsigned char *from;
	unsigned int length, i, k;
	u64 number, decoded;

	for (length = 1; length <= 10; length++)
		for (i = 0; i < 16; i++) {
			number = 1ULL << 7 * (length - 1);
			number |= i == 15 ? 2 * (number << 6) - 1 :
				  i ? (0x9e3779b97f4a7c15 * i) % (number << 6 | 1) : 0;
			if (length == 1 && !i)
				number = 0;
			if (length == 10)
				number = 1ULL << 63 | i;
			memset(encoded, 0x55, sizeof(encoded));
			end = bpmu_code_number(encoded, number);
			assert_ptr_equal(end, encoded + length);
			for (k = 0; k < length; k++)
				assert_int_equal(encoded[k], (number >> 7 * k & 0x7f) |
							     (k + 1 < length ? 0x80 : 0));
			assert_int_equal(encoded[length + 1], 0x55);
			from = encoded;
			assert_true(bpmu_code_read_number(&from, end, &decoded));
			assert_ptr_equal(from, end);
			assert_true(decoded == number);
		}
}
