// SPDX-License-Identifier: GPL-2.0
#include "recording_overflow.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "recording_section.h"
#include "recording_who_seen.h"

/* Events and flags of a task up to these take one byte each in the encoding of a record. */
#define SHORT_EVENT 0x7f
#define SHORT_FLAGS (0x7f >> BPMU_WHO_SHAPE_BITS)

/**
 * struct ranges - where the task of the record before can be interrupted without that there is
 *	something to note
 * @of: in user space, and in the kernel: a task goes to and fro
 */
struct ranges {
	struct bpmu_who_range of[2];
};

static inline struct bpmu_who_range *range_of(struct ranges *ranges,
					      const struct bpmu_overflow_bytes *one)
{
	return &ranges->of[!!(one->record.who.flags & BPMU_WHO_KERNEL)];
}

static inline const struct bpmu_who_bytes *task_of(const struct bpmu_overflow_bytes *one)
{
	return (const void *)((const char *)one + offsetof(struct bpmu_overflow, who));
}

/*
 * Encodes a record of an overflow. @seq is the sequence number that it has if none was lost before
 * it. Notes who was interrupted. Returns the address after the encoded record.
 */
static __attribute__((noinline)) unsigned char *put_one(struct bpmu_overflow_code *code,
							const struct bpmu_overflow_bytes *one,
							u64 seq, struct ranges *ranges,
							unsigned char *at)
{
	const struct bpmu_who_bytes *task = task_of(one);
	const bool same = bpmu_who_is_same(task, &code->who.last);
	struct bpmu_who_range *range = range_of(ranges, one);

	if (!same)
		*ranges = (struct ranges){ };
	if (!bpmu_who_range_has(range, task) && !bpmu_who_seen_kept(code->seen, task, range) &&
	    !code->unread)
		code->unread = one;
	/* put_alike() writes flags of one byte: with an empty range each record comes here. */
	if (one->record.who.flags > SHORT_FLAGS)
		*range = (struct bpmu_who_range){ };
	at = bpmu_code_number(at, one->record.seq - seq);
	at = bpmu_code_number(at, one->record.tsc - code->tsc);
	at = bpmu_code_number(at, one->record.event);
	at = bpmu_code_number(at, one->record.period);
	*at = bpmu_who_put_again(&code->who, task, same, at + 1);
	return at + 1 + *at;
}

/*
 * Encodes the records from @from to @end up to the first that is not like the record before: of the
 * same task, with event @event, which takes one byte, and with flags that take one byte, none lost
 * before it, and with nothing to note. *@nr is increased by their number. Returns the address of the
 * first other record.
 */
static inline const char *put_alike(struct bpmu_overflow_code *code, const char *from,
				    const char *end, unsigned int event, struct ranges *ranges,
				    unsigned int *nr, u64 *seq, unsigned char **to)
{
	u64 tsc = code->tsc, ip = code->who.last.ip, next = *seq;
	const struct bpmu_overflow_bytes *one;
	unsigned char *at = *to, *who;

	for (; from < end; from += one->record.size, ++*nr, next++) {
		one = (const struct bpmu_overflow_bytes *)from;
		if (one->record.seq != next || one->record.event != event ||
		    !bpmu_who_is_same(task_of(one), &code->who.last) ||
		    !bpmu_who_range_has(range_of(ranges, one), task_of(one)))
			break;
		*at++ = 0;
		at = bpmu_code_number(at, one->record.tsc - tsc);
		*at++ = event;
		who = bpmu_code_number(at, one->record.period);
		who[1] = BPMU_WHO_TYPE;
		who[2] = one->record.who.flags << BPMU_WHO_SHAPE_BITS;
		at = bpmu_code_number(who + 3, one->record.who.ip ^ ip);
		*who = at - who - 1;
		tsc = one->record.tsc;
		ip = one->record.who.ip;
	}
	code->tsc = tsc;
	code->who.last.ip = ip;
	*seq = next;
	*to = at;
	return from;
}

/**
 * bpmu_overflows_put() - encode records of overflows for a recording
 * @code: state of encoding the block, zeroed before the first record of the block
 * @records: records of one CPU in the order of time, as the module gives them, unaligned. There are
 *	no gaps between them
 * @bytes: size of all records in bytes
 * @next: sequence number that the first record has if none was lost before it; set to the number
 *	after that of the last record
 * @to: memory for at least BPMU_OVERFLOW_MOST bytes per record
 *
 * Return: the address after the encoded records.
 */
unsigned char *bpmu_overflows_put(struct bpmu_overflow_code *code, const void *records,
				  size_t bytes, u64 *next, unsigned char *to)
{
	const char *from = records, *end = from + bytes;
	const struct bpmu_overflow_bytes *one;
	struct ranges ranges = { };
	unsigned char *at = to;
	u64 seq = *next;
	unsigned int nr;

	for (nr = 0; from < end;) {
		one = (const struct bpmu_overflow_bytes *)from;
		at = put_one(code, one, seq, &ranges, at);
		code->tsc = one->record.tsc;
		seq = one->record.seq + 1;
		nr++;
		from += one->record.size;
		if (one->record.event <= SHORT_EVENT)
			from = put_alike(code, from, end, one->record.event, &ranges, &nr, &seq, &at);
	}
	code->nr = nr;
	code->longer = bytes > nr * sizeof(one->record);
	*next = seq;
	return at;
}

/**
 * bpmu_overflow_open() - begin to decode a recording's block of overflows
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 *
 * Return: true, or false if the block is malformed.
 */
bool bpmu_overflow_open(struct bpmu_overflow_code *code, const void *block, size_t size)
{
	u64 cpu;

	memset(code, 0, sizeof(*code));
	code->at = block;
	code->end = code->at + size;
	if (!bpmu_code_read_number(&code->at, code->end, &cpu) || cpu >= BPMU_CPULIST_MAX ||
	    !bpmu_code_read_number(&code->at, code->end, &code->lost))
		return false;
	code->cpu = cpu;
	return true;
}

/**
 * bpmu_overflow_get() - decode the next record of an overflow in a recording
 * @code: from bpmu_overflow_open(); not at the end of the block
 * @record: filled in, except for its sequence number and its size
 * @lost: set to the number of records that were lost before this one
 *
 * Return: true; false if the record is malformed, or does not say which task was interrupted.
 */
bool bpmu_overflow_get(struct bpmu_overflow_code *code, struct bpmu_overflow *record, u64 *lost)
{
	const struct bpmu_who *who;
	struct bpmu_code_extra extra;
	u64 step, event, period, size;

	if (!bpmu_code_read_number(&code->at, code->end, lost) ||
	    !bpmu_code_read_number(&code->at, code->end, &step) ||
	    !bpmu_code_read_number(&code->at, code->end, &event) || event > USHRT_MAX ||
	    !bpmu_code_read_number(&code->at, code->end, &period) ||
	    !bpmu_code_read_number(&code->at, code->end, &size) ||
	    size > (u64)(code->end - code->at))
		return false;
	extra = (struct bpmu_code_extra){ code->at, size };
	if (!bpmu_who_get(&code->who, &extra, &who) || !who)
		return false;
	code->at += size;
	code->tsc += step;
	*record = (struct bpmu_overflow){
		.tsc = code->tsc, .period = period, .cpu = code->cpu, .event = event, .who = *who,
	};
	return true;
}
