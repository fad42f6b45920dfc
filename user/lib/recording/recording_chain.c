// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding of call chains. A chain begins with the innermost address. Consecutive interrupts mostly
 * have their outer callers in common. Only the addresses that differ from the chain of the previous
 * interrupt are therefore written. Each of them is combined by XOR with the address before it in
 * its own chain.
 */
#include "recording_chain.h"

#include <string.h>

#include "recording_section.h"

/**
 * enum shape - lowest bits of the first number of an encoded chain
 * @PRESENT: bit that is 1 if the interrupt has this chain. Then two more numbers follow: how many
 *	outer addresses are the same as in the previous interrupt's chain, and how many are not
 * @SHAPE_BITS: number of these lowest bits; the bits above them are the flags of the chain
 */
enum shape { PRESENT = 1, SHAPE_BITS = 1 };

static u64 address_at(const char *at)
{
	u64 address;

	memcpy(&address, at, sizeof(address));
	return address;
}

/* Returns the number of outermost addresses that two chains have in common. */
static inline unsigned int common_addresses(const struct bpmu_chain_bytes *last, const char *data,
					    unsigned int nr)
{
	const unsigned int most = last->nr < nr ? last->nr : nr;
	const char *x = last->data + (last->nr - most) * sizeof(u64);
	const char *y = data + (nr - most) * sizeof(u64);
	size_t left = most;

	while (left && address_at(x + (left - 1) * sizeof(u64)) ==
		       address_at(y + (left - 1) * sizeof(u64)))
		left--;
	return most - left;
}

/*
 * Encodes the chain number @id of a record, whose @nr addresses are at @data. Sets the members of
 * @code for it. Returns the address after the encoded chain.
 */
static inline unsigned char *put_chain(struct bpmu_chains_code *code, unsigned int id,
				       const char *data, unsigned int nr, u32 flags,
				       unsigned char *at)
{
	const unsigned int common = common_addresses(&code->put[id], data, nr);
	const char *end = data + (nr - common) * sizeof(u64);
	u64 before, address;

	_Static_assert(BPMU_MAX_CHAIN < 1 << 7, "the numbers of addresses are one byte each");
	code->put[id] = (struct bpmu_chain_bytes){ .data = data, .nr = nr, .flags = flags };
	code->fresh[id] = nr - common;
	at = bpmu_code_number(at, (u64)flags << SHAPE_BITS | PRESENT);
	*at++ = common;
	*at++ = nr - common;
	if (data == end)
		return at;
	before = address_at(data);
	at = bpmu_code_number_long(at, before);
	for (data += sizeof(address); data != end; data += sizeof(address)) {
		address = address_at(data);
		at = bpmu_code_number(at, address ^ before);
		before = address;
	}
	return at;
}

/*
 * Encodes the call chains of a record whose sections are not those of the record before. Returns
 * the address after the encoded chains.
 */
static __attribute__((noinline)) unsigned char *put_anew(struct bpmu_chains_code *code,
							 const char *record, unsigned char *to)
{
	const char *end = record + bpmu_section_record_size(record), *data;
	const char *at = record + sizeof(struct bpmu_overflow);
	u64 sections = code->sections;
	struct bpmu_section head;
	unsigned int next = 0;
	u32 present = 0;

	/* The loop is bpmu_section_next()'s, with what the compiler could not keep in registers. */
	for (; end - at >= (long)sizeof(head); at += head.size) {
		memcpy(&head, at, sizeof(head));
		if (head.size < sizeof(head) || head.size > (size_t)(end - at))
			break;
		sections |= head.id < 64 ? 1ULL << head.id : 0;
		data = at + sizeof(head);
		if (head.id >= BPMU_CHAINS || head.id < next ||
		    head.size > sizeof(head) + BPMU_MAX_CHAIN * sizeof(u64))
			continue;
		for (; next < head.id; next++)
			*to++ = 0;
		present |= 1U << head.id;
		to = put_chain(code, next++, data, (head.size - sizeof(head)) / sizeof(u64),
			       head.flags, to);
	}
	for (; next < BPMU_CHAINS; next++)
		*to++ = 0;
	code->sections = sections;
	code->present = present;
	code->again_bytes = 0;
	return to;
}

/* Sets &bpmu_chains_code.again, after the record before was encoded. */
static void put_again(struct bpmu_chains_code *code)
{
	unsigned char *at = code->again;
	unsigned int id;

	for (id = 0; id < BPMU_CHAINS; id++) {
		if (!(code->present & 1U << id)) {
			*at++ = 0;
			continue;
		}
		at = bpmu_code_number(at, (u64)code->put[id].flags << SHAPE_BITS | PRESENT);
		at = bpmu_code_number(at, code->put[id].nr);
		*at++ = 0;
		code->fresh[id] = 0;
	}
	code->again_bytes = at - code->again;
}

/**
 * bpmu_chains_put_other() - encode the call chains of an interrupt, if it is not known how
 * @code: state of encoding the block, as for bpmu_chains_put()
 * @record: the module's record of the interrupt, as for bpmu_chains_put()
 * @to: memory for at least BPMU_CHAINS_MOST bytes
 *
 * Return: the address after the encoded call chains.
 */
unsigned char *bpmu_chains_put_other(struct bpmu_chains_code *code, const void *record,
				     unsigned char *to)
{
	const char *before = code->record;

	code->record = record;
	if (!before || !bpmu_section_all_same(before, record))
		return put_anew(code, record, to);
	put_again(code);
	memcpy(to, code->again, sizeof(code->again));
	return to + code->again_bytes;
}

/**
 * bpmu_chains_open() - begin to read a recording's block of call chains
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_chains_open(struct bpmu_chains_code *code, const void *block, size_t size)
{
	memset(code, 0, sizeof(*code));
	code->at = block;
	code->end = code->at + size;
}

static bool get_chain(struct bpmu_chains_code *code, struct bpmu_chain *last)
{
	u64 shape, common, fresh, different, before = 0;
	unsigned int i;

	if (!bpmu_code_read_number(&code->at, code->end, &shape))
		return false;
	last->present = shape & PRESENT;
	if (!last->present)
		return true;
	if (!bpmu_code_read_number(&code->at, code->end, &common) || common > last->nr ||
	    !bpmu_code_read_number(&code->at, code->end, &fresh) ||
	    fresh > BPMU_MAX_CHAIN - common)
		return false;
	memmove(last->address + fresh, last->address + last->nr - common,
		common * sizeof(*last->address));
	for (i = 0; i < fresh; i++) {
		if (!bpmu_code_read_number(&code->at, code->end, &different))
			return false;
		before ^= different;
		last->address[i] = before;
	}
	last->flags = shape >> SHAPE_BITS;
	last->nr = common + fresh;
	return true;
}

/**
 * bpmu_chains_get() - read a recording's call chains of the next interrupt
 * @code: from bpmu_chains_open()
 * @chains: filled in
 *
 * Return: true; false if the chains are malformed, or at the end of the block.
 */
bool bpmu_chains_get(struct bpmu_chains_code *code, struct bpmu_chains *chains)
{
	unsigned int i;

	for (i = 0; i < BPMU_CHAINS; i++)
		if (!get_chain(code, &code->last.of[i]))
			return false;
	*chains = code->last;
	return true;
}
