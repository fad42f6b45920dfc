// SPDX-License-Identifier: GPL-2.0
#include "recording_overflow.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "recording_section.h"
#include "recording_who_seen.h"

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
	struct bpmu_who_range range = { };
	const struct bpmu_who_bytes *task;
	const struct bpmu_overflow_bytes *one;
	u64 tsc = code->tsc, seq = *next, begun, number;
	unsigned char *at = to, *who;
	unsigned int nr;
	bool same;

	code->unread = NULL;
	for (nr = 0; from < end; from += one->record.size, nr++) {
		one = (const struct bpmu_overflow_bytes *)from;
		task = (const void *)(from + offsetof(struct bpmu_overflow, who));
		begun = one->record.tsc;
		number = one->record.seq;
		same = bpmu_who_is_same(task, &code->who.last);
		if (!(same && bpmu_who_range_has(&range, task)) &&
		    !bpmu_who_seen_kept(code->seen, task, &range) && !code->unread)
			code->unread = one;
		at = bpmu_code_number(at, number - seq);
		at = bpmu_code_number(at, begun - tsc);
		at = bpmu_code_number(at, one->record.event);
		at = bpmu_code_number(at, one->record.period);
		who = at++;
		*who = bpmu_who_put_again(&code->who, task, same, at);
		at += *who;
		tsc = begun;
		seq = number + 1;
	}
	code->nr = nr;
	code->longer = bytes > nr * sizeof(one->record);
	code->tsc = tsc;
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
