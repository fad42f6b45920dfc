// SPDX-License-Identifier: GPL-2.0
#include "recording_code.h"

#include <string.h>

/**
 * bpmu_code_number_long() - encode a number of a recording as bpmu_code_number() does
 * @to: memory for the encoded number
 * @number: the number, of any length
 *
 * Of a number that takes nine bytes or ten, such as the difference between an address of the kernel
 * and one of user space, eight are written at once: its bits are moved by multiples of four, two and
 * one until each byte has seven.
 *
 * Return: the address after the encoded number.
 */
unsigned char *bpmu_code_number_long(unsigned char *to, u64 number)
{
	u64 bytes;

	if (number >> 56) {
		bytes = (number & 0xfffffff) + ((number & 0xfffffff0000000) << 4);
		bytes = (bytes & 0x3fff00003fff) + ((bytes & 0xfffc0000fffc000) << 2);
		bytes = (bytes & 0x7f007f007f007f) + ((bytes & 0x3f803f803f803f80) << 1);
		bytes += 0x8080808080808080;
		memcpy(to, &bytes, sizeof(bytes));
		to += sizeof(bytes);
		number >>= 56;
	}
	for (; number >= 0x80; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

/**
 * enum shape - bits of the first number of an encoded sample, which tell what follows this number
 * @HAS_FLAGS: flags and bank follow (the bank tells if the counters are the core's or those of an
 *	uncore unit); else the only flag is BPMU_SAMPLE_TIMER, and the counters are the core's
 * @HAS_GAP: the number of samples that were lost before this sample follows; else none was lost
 * @HAS_PLAN: the number of the plan (the session's event groups, which BPMU_CMD_SWAP replaces)
 *	follows; else it is the same as in the previous sample
 * @HAS_GROUP: the group's number and the number of its values follow; else both are the same as in
 *	the previous sample
 * @HAS_EXTRA: the sample ends with an extension: the task that the sample interrupted
 * @HAS_RUNNING: the running time of the group follows; else the group ran as long as the session
 * @HAS_ALL: mask of all bits
 */
enum shape {
	HAS_FLAGS = 1 << 0,
	HAS_GAP = 1 << 1,
	HAS_PLAN = 1 << 2,
	HAS_GROUP = 1 << 3,
	HAS_EXTRA = 1 << 4,
	HAS_RUNNING = 1 << 5,
	HAS_ALL = (1 << 6) - 1
};

/*
 * Lowest bit of the bank in the encoded number that has the flags and the bank of a sample: the
 * flags are in the bits below.
 */
#define BANK_SHIFT 16

/*
 * Converts a signed number near 0, in two's complement, to a small unsigned number (zigzag
 * encoding).
 */
static u64 fold(u64 number)
{
	return number << 1 ^ (number >> 63 ? ~0ULL : 0);
}

static u64 unfold(u64 number)
{
	return number >> 1 ^ (number & 1 ? ~0ULL : 0);
}

static bool read_long(const unsigned char **from, const unsigned char *end,
		      u64 *number)
{
	const unsigned char *at = *from;
	unsigned int shift;
	u64 sum = 0;

	for (shift = 0; at < end && shift < 64; shift += 7) {
		sum |= (u64)(*at & 0x7f) << shift;
		if (*at++ & 0x80)
			continue;
		*number = sum;
		*from = at;
		return true;
	}
	return false;
}

/**
 * bpmu_code_read_number() - decode a number that bpmu_code_number() has encoded
 * @from: in: address of the encoded number; on return: the address after it
 * @end: end of the bytes that may be read
 * @number: set to the number
 *
 * Return: true; false if the bytes up to @end are not an encoded number.
 */
inline bool bpmu_code_read_number(const unsigned char **from,
				  const unsigned char *end, u64 *number)
{
	if (*from >= end || **from & 0x80)
		return read_long(from, end, number);
	*number = *(*from)++;
	return true;
}

/**
 * bpmu_code_begin() - start to encode or decode the samples of a recording's block
 * @code: filled in
 * @cpu: number of the block's CPU
 */
void bpmu_code_begin(struct bpmu_code *code, u32 cpu)
{
	memset(code, 0, offsetof(struct bpmu_code, group));
	code->last.cpu = cpu;
	code->last.seq = ~0ULL;
}

/* Zeroes the state of a group that occurs in a block for the first time. */
static __attribute__((noinline)) void group_begin(struct bpmu_code *code, size_t at)
{
	code->seen[at] = true;
	memset(&code->group[at], 0, sizeof(code->group[at]));
}

/*
 * Returns the state of the group that a sample belongs to. The state is zeroed when the group first
 * occurs in a block; zeroing all possible groups at the start of each block would take longer.
 */
static inline struct bpmu_code_group *group_of(struct bpmu_code *code,
					       const struct bpmu_sample *sample)
{
	size_t at = sample->group + (size_t)sample->bank * BPMU_MAX_GROUPS;

	if (!code->seen[at])
		group_begin(code, at);
	return &code->group[at];
}

/*
 * Returns the TSC ticks for which the group was counted since its previous sample, minus the ticks
 * for which the session ran in this time. For a group that is not multiplexed this difference is 0
 * and is not written.
 */
static u64 more_running(const struct bpmu_code_group *group,
			const struct bpmu_sample *sample)
{
	return sample->running - group->running -
	       (sample->enabled - group->enabled);
}

static unsigned int shape_of(const struct bpmu_code *code,
			     const struct bpmu_code_group *group,
			     const struct bpmu_sample *sample,
			     const struct bpmu_code_extra *extra)
{
	const struct bpmu_sample *last = &code->last;
	unsigned int shape = extra ? HAS_EXTRA : 0;

	if (sample->flags != BPMU_SAMPLE_TIMER || sample->bank != BPMU_BANK_CORE)
		shape |= HAS_FLAGS;
	if (sample->seq != last->seq + 1)
		shape |= HAS_GAP;
	if (sample->plan != last->plan)
		shape |= HAS_PLAN;
	if (sample->group != last->group || sample->nr != last->nr)
		shape |= HAS_GROUP;
	if (more_running(group, sample))
		shape |= HAS_RUNNING;
	return shape;
}

static void rec_code_note(struct bpmu_code *code, struct bpmu_code_group *group,
			  const struct bpmu_sample *sample)
{
	code->step = sample->tsc_begin - code->last.tsc_begin;
	code->last = *sample;
	group->running = sample->running;
	group->enabled = sample->enabled;
}

static __attribute__((noinline)) unsigned char *rec_code_put_head(const struct bpmu_code *code,
			       const struct bpmu_code_group *group,
			       const struct bpmu_sample *sample,
			       unsigned int shape, unsigned char *at)
{
	if (shape & HAS_FLAGS)
		at = bpmu_code_number(at, sample->flags | (u32)sample->bank << BANK_SHIFT);
	if (shape & HAS_GAP)
		at = bpmu_code_number(at, sample->seq - code->last.seq - 1);
	if (shape & HAS_PLAN)
		at = bpmu_code_number(at, sample->plan);
	if (shape & HAS_GROUP) {
		at = bpmu_code_number(at, sample->group);
		at = bpmu_code_number(at, sample->nr);
	}
	if (shape & HAS_RUNNING)
		at = bpmu_code_number(at, fold(more_running(group, sample)));
	return at;
}

/*
 * Stores all eight bytes of a number, the lowest first. Returns how many bytes the number needs,
 * minus one. The caller may overwrite the bytes that the number does not need.
 */
static inline unsigned long put_bytes(unsigned char *to, u64 number)
{
	memcpy(to, &number, sizeof(number));
	return (63UL ^ __builtin_clzll(number | 1)) / 8;
}

/*
 * Encodes two numbers: a byte with the lengths of both, then the bytes of the first number, then
 * those of the second. This is faster than bpmu_code_number(), which takes a step for every seven
 * bits. Returns the address after the encoded numbers.
 */
static inline unsigned char *put_pair(unsigned char *to, u64 one, u64 other)
{
	unsigned char *at = to + 1;
	unsigned long more, more2;

	more = put_bytes(at, one);
	at += more + 1;
	more2 = put_bytes(at, other);
	*to = more | more2 << 4;
	return at + more2 + 1;
}

static inline u64 growth(u64 *last, const char *from)
{
	u64 before = *last;

	memcpy(last, from, sizeof(*last));
	return *last - before;
}

static inline unsigned char *rec_code_put_values(unsigned char *at, u64 *last,
						 const char *from, unsigned int nr)
{
	const char *end = from + (nr & ~1U) * sizeof(*last);
	u64 one;

	for (; from < end; from += 2 * sizeof(*last), last += 2) {
		one = growth(last, from);
		at = put_pair(at, one, growth(last + 1, from + sizeof(*last)));
	}
	return nr & 1 ? put_pair(at, growth(last, from), 0) : at;
}

static inline unsigned char *put_sample(struct bpmu_code *code,
					const struct bpmu_sample *sample,
					const char *values,
					const struct bpmu_code_extra *extra,
					unsigned char *at)
{
	struct bpmu_code_group *group = group_of(code, sample);
	unsigned int shape = shape_of(code, group, sample, extra);
	const struct bpmu_sample *last = &code->last;
	u64 step = sample->tsc_begin - last->tsc_begin;

	at = bpmu_code_number(at, shape);
	if (shape)
		at = rec_code_put_head(code, group, sample, shape, at);
	at = put_pair(at, fold(step - code->step),
		      fold(sample->enabled - last->enabled - step));
	at = put_pair(at, sample->tsc_end - sample->tsc_begin,
		      sample->spent - last->spent);
	at = rec_code_put_values(at, group->value, values, sample->nr);
	rec_code_note(code, group, sample);
	return at;
}

/**
 * bpmu_code_put() - encode samples of a recording's block
 * @code: state of encoding the block
 * @records: records of the block's CPU, as the module gives them, aligned or not; each has at most
 *	BPMU_MAX_COUNTERS values, a bank below BPMU_BANKS and a group below BPMU_MAX_GROUPS
 * @nr: number of @records
 * @size: size of a record in bytes
 * @extra: extensions to write after the records (the interrupted tasks), [@nr], or NULL
 * @to: memory for at least BPMU_CODE_MOST bytes per record, plus the sizes of all extensions
 *
 * Return: number of bytes written.
 */
size_t bpmu_code_put(struct bpmu_code *code, const char *records, size_t nr,
		     size_t size, const struct bpmu_code_extra *extra,
		     unsigned char *to)
{
	struct bpmu_sample sample;
	unsigned char *at = to;

	for (; nr--; records += size) {
		memcpy(&sample, records, sizeof(sample));
		at = put_sample(code, &sample, records + sizeof(sample), extra,
				at);
		if (!extra)
			continue;
		at = bpmu_code_number(at, extra->size);
		memcpy(at, extra->data, extra->size);
		at += extra->size;
	}
	return at - to;
}

/* Mask of the lowest i + 1 bytes of a number, [i] */
static const u64 masks[] = {
	0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff,
	0xffffffffffffff, 0xffffffffffffffff
};

/* typedef pair - two numbers that are encoded together */
typedef u64 pair __attribute__((vector_size(16)));

/*
 * put_pair() first writes a byte with the lengths of two numbers, in three bits each. This is the
 * mask of the other two bits of the byte, which must be 0.
 */
#define PAIR_WRONG 0x88

/**
 * struct bytes - position in encoded samples that are being decoded
 * @at: address of the next byte, from which at least BPMU_CODE_MOST bytes can be read
 * @wrong: nonzero after a malformed number was decoded
 */
struct bytes {
	const unsigned char *at;
	unsigned int wrong;
};

/* Joins the lowest seven bits of each of eight bytes to a number of 56 bits. */
static inline u64 join_bits(u64 number)
{
	number = (number & 0x7f007f007f007f) | (number & 0x7f007f007f007f00) >> 1;
	number = (number & 0x3fff00003fff) | (number & 0x3fff00003fff0000) >> 2;
	return (number & 0xfffffff) | (number & 0xfffffff00000000) >> 4;
}

/*
 * Decodes a number of more than eight bytes, and returns the position after it. Positions are
 * passed by value to functions for rare cases, so that the usual case has them in registers.
 */
static __attribute__((noinline)) struct bytes take_long_number(struct bytes bytes, u64 *number)
{
	const unsigned char *at = bytes.at;
	u64 bits;

	memcpy(&bits, at, sizeof(bits));
	*number = join_bits(bits) | (u64)(at[8] & 0x7f) << 56;
	bytes.at += 9;
	if (at[8] & 0x80) {
		*number |= (u64)at[9] << 63;
		bytes.wrong |= at[9] & 0x80;
		bytes.at++;
	}
	return bytes;
}

/* Decodes a number that bpmu_code_number() has encoded, up to eight of its bytes in one step. */
static inline u64 take_number(struct bytes *bytes)
{
	u64 number, last, other;

	memcpy(&number, bytes->at, sizeof(number));
	last = ~number & 0x8080808080808080;
	if (!last) {
		*bytes = take_long_number(*bytes, &other);
		return other;
	}
	last &= -last;
	bytes->at += (unsigned int)__builtin_ctzll(last) / 8 + 1;
	return join_bits(number & (last - 1));
}

/* Where byte @i of a number of @more + 1 bytes is from on, for PSHUFB: 0x80 makes it 0. */
#define BYTE(from, more, i) ((i) <= (more) ? (from) + (i) : 0x80)
#define BYTES(from, more) \
	BYTE(from, more, 0), BYTE(from, more, 1), BYTE(from, more, 2), BYTE(from, more, 3), \
	BYTE(from, more, 4), BYTE(from, more, 5), BYTE(from, more, 6), BYTE(from, more, 7)
#define PAIR(first, second) { BYTES(0, first), BYTES(first + 1, second) }
#define PAIRS(second) \
	PAIR(0, second), PAIR(1, second), PAIR(2, second), PAIR(3, second), \
	PAIR(4, second), PAIR(5, second), PAIR(6, second), PAIR(7, second)

/* For PSHUFB: from the bytes of two numbers to the numbers, [byte with the lengths of both] */
static const unsigned char spread[128][16] __attribute__((aligned(16))) = {
	[0x00] = PAIRS(0), [0x10] = PAIRS(1), [0x20] = PAIRS(2), [0x30] = PAIRS(3),
	[0x40] = PAIRS(4), [0x50] = PAIRS(5), [0x60] = PAIRS(6), [0x70] = PAIRS(7)
};

/*
 * Decodes two numbers that put_pair() has encoded. @shuffle is true on CPUs with SSSE3, whose
 * PSHUFB takes both in one step.
 */
static inline __attribute__((always_inline)) pair take_pair(struct bytes *bytes, bool shuffle)
{
	unsigned int lengths = *bytes->at & ~PAIR_WRONG;
	unsigned int first = lengths & 7, second = lengths >> 4;
	const unsigned char *at = bytes->at + 1;
	u64 one, other;
	pair both;

	bytes->wrong |= *bytes->at;
	bytes->at = at + first + second + 2;
	if (shuffle) {
		memcpy(&both, at, sizeof(both));
		asm("pshufb %1, %0" : "+x" (both) : "m" (spread[lengths]));
		return both;
	}
	memcpy(&one, at, sizeof(one));
	memcpy(&other, at + first + 1, sizeof(other));
	return (pair){ one & masks[first], other & masks[second] };
}

/* Decodes what the head of few samples has: flags, bank, a gap in the sequence numbers, a plan. */
static __attribute__((noinline)) struct bytes take_rare(struct bytes bytes, unsigned int shape,
							struct bpmu_sample *head)
{
	u64 flags;

	if (shape & HAS_FLAGS) {
		flags = take_number(&bytes);
		head->flags = flags;
		head->bank = flags >> BANK_SHIFT;
		if (flags >> BANK_SHIFT >= BPMU_BANKS)
			bytes.wrong = PAIR_WRONG;
	}
	if (shape & HAS_GAP)
		head->seq += take_number(&bytes);
	if (shape & HAS_PLAN)
		head->plan = take_number(&bytes);
	return bytes;
}

/*
 * Decodes the head of a sample: the numbers that precede its counter values. @last is the CPU's
 * previous sample. Sets @more to the TSC ticks for which the sample's group was counted since the
 * group's previous sample, minus the ticks for which the session ran in this time. Returns false if
 * the sample can be of no group, or has more values than any.
 */
static inline bool take_head(struct bytes *bytes, unsigned int shape,
			     struct bpmu_code_batch *batch, const struct bpmu_sample *last,
			     struct bpmu_sample *head, u64 *more)
{
	head->seq = last->seq + 1;
	head->cpu = last->cpu;
	head->flags = BPMU_SAMPLE_TIMER;
	head->bank = BPMU_BANK_CORE;
	head->plan = last->plan;
	if (shape & (HAS_FLAGS | HAS_GAP | HAS_PLAN)) {
		*bytes = take_rare(*bytes, shape, head);
		batch->special |= head > batch->head;
		if (bytes->wrong & PAIR_WRONG)
			return false;
	}
	if (shape & HAS_GROUP) {
		head->group = *bytes->at++;
		head->nr = *bytes->at++;
		if (head->group >= BPMU_MAX_GROUPS || head->nr > BPMU_MAX_COUNTERS)
			return false;
	} else {
		head->group = last->group;
		head->nr = last->nr;
	}
	*more = shape & HAS_RUNNING ? unfold(take_number(bytes)) : 0;
	return true;
}

static inline __attribute__((always_inline)) void
take_times(struct bytes *bytes, u64 more, struct bpmu_code_group *group, u64 *step,
	   const struct bpmu_sample *last, struct bpmu_sample *head, bool shuffle)
{
	pair folded = take_pair(bytes, shuffle), took = take_pair(bytes, shuffle);
	pair change = folded >> 1 ^ -(folded & 1);
	u64 enabled;

	*step += change[0];
	enabled = last->enabled + *step + change[1];
	head->tsc_begin = last->tsc_begin + *step;
	head->tsc_end = head->tsc_begin + took[0];
	head->enabled = enabled;
	head->spent = last->spent + took[1];
	head->running = group->running + more + (enabled - group->enabled);
	group->running = head->running;
	group->enabled = enabled;
}

/*
 * Decodes @nr counter values, two at a time. @last has the values of the group's previous sample.
 * If @nr is odd, @nr + 1 values are written.
 */
static inline __attribute__((always_inline)) void
take_values(struct bytes *bytes, unsigned int nr, u64 *last, u64 *value, bool shuffle)
{
	u64 *end = value + nr;
	pair both;

	for (; value < end; value += 2, last += 2) {
		memcpy(&both, last, sizeof(both));
		both += take_pair(bytes, shuffle);
		memcpy(last, &both, sizeof(both));
		memcpy(value, &both, sizeof(both));
	}
}

/*
 * Decodes the extension of sample @i of a batch; an extension that would exceed @end is malformed.
 */
static __attribute__((noinline)) struct bytes
take_extra(struct bytes bytes, const unsigned char *end, struct bpmu_code_batch *batch,
	   unsigned int i)
{
	u64 size = take_number(&bytes);

	if (bytes.at > end || size > (u64)(end - bytes.at)) {
		bytes.wrong = PAIR_WRONG;
		return bytes;
	}
	if (!batch->extended)
		memset(batch->extra, 0, sizeof(batch->extra));
	batch->extended = true;
	batch->extra[i].data = bytes.at;
	batch->extra[i].size = size;
	bytes.at += size;
	return bytes;
}

/*
 * Copies the last bytes of a block to @code->rest, with zeros behind them. To decode a malformed
 * sample, which may exceed the block, then does no harm. The end of the block need not be checked
 * at each number.
 */
static void copy_rest(struct bpmu_code *code)
{
	size_t size = code->end - code->at;

	memcpy(code->rest, code->at, size);
	memset(code->rest + size, 0, sizeof(code->rest) - size);
	code->at = code->rest;
	code->end = code->rest + size;
	code->near_end = code->end;
}

/**
 * bpmu_code_open() - start to decode samples of a recording's block
 * @code: filled in
 * @cpu: number of the block's CPU
 * @from: address of the first sample of the block
 * @end: end of the block
 */
void bpmu_code_open(struct bpmu_code *code, u32 cpu, const unsigned char *from,
		    const unsigned char *end)
{
	bpmu_code_begin(code, cpu);
	code->at = from;
	code->end = end;
	code->near_end = end - from > BPMU_CODE_MOST ? end - BPMU_CODE_MOST : from;
}

/* Does what bpmu_code_get() does, by the instructions that take_pair() explains. */
static inline __attribute__((always_inline)) bool
get_samples(struct bpmu_code *code, unsigned int most, struct bpmu_code_batch *batch, bool shuffle)
{
	struct bpmu_sample *head = batch->head, *end = head + most;
	const struct bpmu_sample *last = &code->last;
	struct bytes bytes = { .at = code->at };
	struct bpmu_code_group *group;
	u64 (*value)[BPMU_MAX_COUNTERS] = batch->value;
	unsigned int shape;
	bool good = false;
	u64 more;

	batch->special = false;
	batch->extended = false;
	for (; head < end; value++, last = head++) {
		if (bytes.at >= code->near_end) {
			if (bytes.at >= code->end)
				break;
			code->at = bytes.at;
			copy_rest(code);
			bytes.at = code->at;
		}
		shape = *bytes.at++;
		if (shape > HAS_ALL ||
		    !take_head(&bytes, shape, batch, last, head, &more))
			goto stop;
		group = group_of(code, head);
		take_times(&bytes, more, group, &code->step, last, head, shuffle);
		take_values(&bytes, head->nr, group->value, *value, shuffle);
		if (shape & HAS_EXTRA)
			bytes = take_extra(bytes, code->end, batch, head - batch->head);
		if (bytes.wrong & PAIR_WRONG)
			goto stop;
	}
	/* Only the last sample of a block can exceed it. */
	good = bytes.at <= code->end;
	head -= !good;
stop:
	batch->nr = head - batch->head;
	code->at = bytes.at;
	code->last = *last;
	return good;
}

/**
 * bpmu_code_get() - decode the next samples of a recording's block
 * @code: from bpmu_code_open(); @code->at equals @code->end after the last sample
 * @most: maximum number of samples, up to BPMU_CODE_BATCH
 * @batch: set to the decoded samples; valid until the next call
 *
 * Return: true; false if the bytes behind the samples in @batch are malformed.
 */
bool bpmu_code_get(struct bpmu_code *code, unsigned int most, struct bpmu_code_batch *batch)
{
	if (__builtin_cpu_supports("ssse3"))
		return get_samples(code, most, batch, true);
	return get_samples(code, most, batch, false);
}
