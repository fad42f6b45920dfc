// SPDX-License-Identifier: GPL-2.0
#include "recording_counts.h"

#include <string.h>

#include "recording_section.h"

/**
 * bpmu_counts_take() - copy counts to be recorded from the module's record of an interrupt
 * @counts: filled in
 * @record: a &struct bpmu_overflow, and behind it its sections. The member size of the struct is the
 *	size of all this in bytes
 *
 * Return: true if the record has a section of counts, which may be broken.
 */
bool bpmu_counts_take(struct bpmu_counts *counts, const void *record)
{
	struct bpmu_section head;
	const char *data = bpmu_section_find(record, BPMU_SECTION_COUNTS, &head);
	size_t bytes;

	*counts = (struct bpmu_counts){ };
	if (!data)
		return false;
	counts->state = BPMU_COUNTS_BROKEN;
	bytes = head.size - sizeof(head);
	if (head.flags || !bytes || bytes > sizeof(counts->value))
		return true;
	counts->state = BPMU_COUNTS_KNOWN;
	counts->nr = bytes / sizeof(*counts->value);
	memcpy(counts->value, data, counts->nr * sizeof(*counts->value));
	return true;
}

/**
 * bpmu_counts_put() - encode the counts of an interrupt for a recording
 * @counts: the counts
 * @to: memory for at least BPMU_COUNTS_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_counts_put(const struct bpmu_counts *counts, unsigned char *to)
{
	unsigned char *at = bpmu_code_number(to, counts->nr ? counts->nr + 1 : counts->state);
	unsigned int i;

	for (i = 0; i < counts->nr; i++)
		at = bpmu_code_number(at, counts->value[i]);
	return at - to;
}

/**
 * bpmu_counts_open() - begin to read a recording's block of counts of interrupts
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_counts_open(struct bpmu_counts_code *code, const void *block, size_t size)
{
	code->at = block;
	code->end = code->at + size;
}

/**
 * bpmu_counts_get() - read a recording's counts of the next interrupt
 * @code: from bpmu_counts_open()
 * @counts: filled in
 *
 * Return: true; false if the counts are malformed, or at the end of the block.
 */
bool bpmu_counts_get(struct bpmu_counts_code *code, struct bpmu_counts *counts)
{
	unsigned int i;
	u64 head;

	*counts = (struct bpmu_counts){ };
	if (!bpmu_code_read_number(&code->at, code->end, &head) || head > BPMU_MAX_COUNTERS + 1)
		return false;
	counts->state = head < BPMU_COUNTS_KNOWN ? head : BPMU_COUNTS_KNOWN;
	for (i = 1; i < head; i++)
		if (!bpmu_code_read_number(&code->at, code->end, &counts->value[counts->nr++]))
			return false;
	return true;
}
