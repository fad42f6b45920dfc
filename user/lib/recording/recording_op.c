// SPDX-License-Identifier: GPL-2.0
#include "recording_op.h"

#include <limits.h>
#include <string.h>

#include "recording_section.h"

/**
 * bpmu_op_take() - copy the sampled op to be recorded from the module's record of an interrupt
 * @op: filled in; zeroed if the record has none
 * @record: a &struct bpmu_overflow, and behind it its sections. The member size of the struct is the
 *	size of all this in bytes
 *
 * Return: true if the record has an op.
 */
bool bpmu_op_take(struct bpmu_tagged_op *op, const void *record)
{
	struct bpmu_section head;
	const char *data = bpmu_section_find(record, BPMU_SECTION_OP, &head);

	*op = (struct bpmu_tagged_op){ };
	if (!data || head.size < sizeof(head) + sizeof(*op))
		return false;
	memcpy(op, data, sizeof(*op));
	return true;
}

/**
 * bpmu_op_put() - encode the sampled op of an interrupt for a recording
 * @code: state of encoding the block, zeroed before the first interrupt of the block
 * @op: the op, NULL if the interrupt has none
 * @to: memory for at least BPMU_OP_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_op_put(struct bpmu_op_code *code, const struct bpmu_tagged_op *op, unsigned char *to)
{
	unsigned char *at = to;

	at = bpmu_code_number(at, op ? 2ULL * op->flags + 1 : 0);
	if (!op)
		return at - to;
	if (op->flags & BPMU_TAGGED_ADDRESS) {
		at = bpmu_code_number(at, op->address ^ code->address);
		code->address = op->address;
	}
	at = bpmu_code_number(at, op->source);
	at = bpmu_code_number(at, op->latency);
	at = bpmu_code_number(at, op->cycles);
	at = bpmu_code_number(at, op->retire);
	return at - to;
}

/**
 * bpmu_op_open() - begin to read a recording's block of sampled ops
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_op_open(struct bpmu_op_code *code, const void *block, size_t size)
{
	*code = (struct bpmu_op_code){ .at = block };
	code->end = code->at + size;
}

/* Reads a number that is at most 65535. Returns false if it is malformed, or larger. */
static bool get_short(struct bpmu_op_code *code, u16 *number)
{
	u64 found;

	if (!bpmu_code_read_number(&code->at, code->end, &found) || found > USHRT_MAX)
		return false;
	*number = found;
	return true;
}

/**
 * bpmu_op_get() - read a recording's sampled op of the next interrupt
 * @code: from bpmu_op_open()
 * @op: filled in; zeroed if the interrupt has none
 * @present: set to true if the interrupt has an op
 *
 * Return: true; false if the op is malformed, or at the end of the block.
 */
bool bpmu_op_get(struct bpmu_op_code *code, struct bpmu_tagged_op *op, bool *present)
{
	u64 flags, step;

	*op = (struct bpmu_tagged_op){ };
	if (!bpmu_code_read_number(&code->at, code->end, &flags) || flags >> 33)
		return false;
	*present = flags & 1;
	if (!*present)
		return !flags;
	op->flags = flags >> 1;
	if (op->flags & BPMU_TAGGED_ADDRESS) {
		if (!bpmu_code_read_number(&code->at, code->end, &step))
			return false;
		code->address ^= step;
		op->address = code->address;
	}
	return get_short(code, &op->source) && get_short(code, &op->latency) &&
	       get_short(code, &op->cycles) && get_short(code, &op->retire);
}

/**
 * bpmu_fetch_take() - copy the sampled fetch to be recorded from the module's record of an interrupt
 * @fetch: filled in if the function returns true
 * @record: a &struct bpmu_overflow, and behind it its sections. The member size of the struct is the
 *	size of all this in bytes
 *
 * Return: true if the record has a fetch.
 */
bool bpmu_fetch_take(struct bpmu_fetched *fetch, const void *record)
{
	struct bpmu_section head;
	const char *data = bpmu_section_find(record, BPMU_SECTION_FETCH, &head);

	if (!data || head.size < sizeof(head) + sizeof(*fetch))
		return false;
	memcpy(fetch, data, sizeof(*fetch));
	return true;
}

/**
 * bpmu_fetch_put() - encode the sampled fetch of an interrupt for a recording
 * @fetch: the fetch, NULL if the interrupt has none
 * @to: memory for at least BPMU_FETCH_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_fetch_put(const struct bpmu_fetched *fetch, unsigned char *to)
{
	unsigned char *at = to;

	at = bpmu_code_number(at, fetch ? 2ULL * fetch->flags + 1 : 0);
	if (!fetch)
		return at - to;
	at = bpmu_code_number(at, fetch->latency);
	at = bpmu_code_number(at, fetch->refill);
	at = bpmu_code_number(at, fetch->page);
	return at - to;
}

/**
 * bpmu_fetch_open() - begin to read a recording's block of sampled fetches
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_fetch_open(struct bpmu_fetch_code *code, const void *block, size_t size)
{
	code->at = block;
	code->end = code->at + size;
}

/* Reads a number that is at most @most. Returns false if it is malformed, or larger. */
static bool get_number(struct bpmu_fetch_code *code, u64 most, u64 *number)
{
	return bpmu_code_read_number(&code->at, code->end, number) && *number <= most;
}

/**
 * bpmu_fetch_get() - read a recording's sampled fetch of the next interrupt
 * @code: from bpmu_fetch_open()
 * @fetch: filled in; zeroed if the interrupt has none
 * @present: set to true if the interrupt has a fetch
 *
 * Return: true; false if the fetch is malformed, or at the end of the block.
 */
bool bpmu_fetch_get(struct bpmu_fetch_code *code, struct bpmu_fetched *fetch, bool *present)
{
	u64 flags, latency, refill, page;

	*fetch = (struct bpmu_fetched){ };
	if (!get_number(code, 2ULL * UINT_MAX + 1, &flags))
		return false;
	*present = flags & 1;
	if (!*present)
		return !flags;
	if (!get_number(code, USHRT_MAX, &latency) || !get_number(code, USHRT_MAX, &refill) ||
	    !get_number(code, UINT_MAX, &page))
		return false;
	*fetch = (struct bpmu_fetched){
		.flags = flags >> 1, .latency = latency, .refill = refill, .page = page,
	};
	return true;
}

/**
 * bpmu_retired_take() - copy the retire latency to be recorded from the module's record
 * @retired: filled in if the function returns true
 * @record: a &struct bpmu_overflow, and behind it its sections. The member size of the struct is the
 *	size of all this in bytes
 *
 * Return: true if the record has the retire latency.
 */
bool bpmu_retired_take(struct bpmu_retired *retired, const void *record)
{
	struct bpmu_section head;
	const char *data = bpmu_section_find(record, BPMU_SECTION_RETIRED, &head);

	if (!data || head.size != sizeof(head) + sizeof(*retired))
		return false;
	memcpy(retired, data, sizeof(*retired));
	return true;
}

/**
 * bpmu_retired_put() - encode the retire latency of an interrupt for a recording
 * @retired: the latency, NULL if it is not known
 * @to: memory for at least BPMU_RETIRED_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_retired_put(const struct bpmu_retired *retired, unsigned char *to)
{
	return bpmu_code_number(to, retired ? retired->latency + 1ULL : 0) - to;
}

/**
 * bpmu_retired_open() - begin to read a recording's block of retire latencies
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_retired_open(struct bpmu_retired_code *code, const void *block, size_t size)
{
	code->at = block;
	code->end = code->at + size;
}

/**
 * bpmu_retired_get() - read a recording's retire latency of the next interrupt
 * @code: from bpmu_retired_open()
 * @retired: filled in
 * @known: set to false if the interrupt has no retire latency
 *
 * Return: true; false if the block is malformed or has more than 65535 cycles, or at its end.
 */
bool bpmu_retired_get(struct bpmu_retired_code *code, struct bpmu_retired *retired, bool *known)
{
	u64 number;

	*retired = (struct bpmu_retired){ };
	if (!bpmu_code_read_number(&code->at, code->end, &number) || number > USHRT_MAX + 1)
		return false;
	*known = number;
	retired->latency = number ? number - 1 : 0;
	return true;
}
