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
static unsigned int common_addresses(const struct bpmu_chain_bytes *a,
				     const struct bpmu_chain_bytes *b)
{
	unsigned int most = a->nr < b->nr ? a->nr : b->nr;
	const char *x = a->data + a->nr * sizeof(u64);
	const char *y = b->data + b->nr * sizeof(u64);
	unsigned int nr;

	for (nr = 0; nr < most; nr++) {
		x -= sizeof(u64);
		y -= sizeof(u64);
		if (address_at(x) != address_at(y))
			break;
	}
	return nr;
}

static unsigned char *put_chain(struct bpmu_chain_bytes *last,
				const struct bpmu_chain_bytes *chain, unsigned char *at)
{
	unsigned int common, fresh, i;
	u64 before = 0, address;

	if (!chain->data)
		return bpmu_code_number(at, 0);
	common = common_addresses(last, chain);
	fresh = chain->nr - common;
	at = bpmu_code_number(at, (u64)chain->flags << SHAPE_BITS | PRESENT);
	at = bpmu_code_number(at, common);
	at = bpmu_code_number(at, fresh);
	for (i = 0; i < fresh; i++) {
		address = address_at(chain->data + i * sizeof(address));
		at = bpmu_code_number(at, address ^ before);
		before = address;
	}
	*last = *chain;
	return at;
}

/* Finds the call chains of the module's record of an interrupt. */
static void find_chains(struct bpmu_chain_bytes chains[BPMU_CHAINS], const void *record)
{
	struct bpmu_section head;
	const char *data = NULL;
	size_t bytes;

	while ((data = bpmu_section_next(record, data, &head))) {
		bytes = head.size - sizeof(head);
		if (head.id >= BPMU_CHAINS || bytes > BPMU_MAX_CHAIN * sizeof(u64))
			continue;
		chains[head.id] = (struct bpmu_chain_bytes){
			.data = data, .nr = bytes / sizeof(u64), .flags = head.flags,
		};
	}
}

/**
 * bpmu_chains_put() - encode the call chains of an interrupt for a recording
 * @code: state of encoding the block, zeroed before the first interrupt of the block
 * @record: the module's record of the interrupt, a &struct bpmu_overflow, and behind it its sections
 *	(call chains and branches). The member size of the struct is the size of all this in bytes.
 *	The record must stay where it is until the last interrupt of the block is encoded
 * @to: memory for at least BPMU_CHAINS_MOST bytes
 *
 * Return: the address after the encoded call chains.
 */
unsigned char *bpmu_chains_put(struct bpmu_chains_code *code, const void *record,
			       unsigned char *to)
{
	struct bpmu_chain_bytes chains[BPMU_CHAINS] = { };
	unsigned int i;

	find_chains(chains, record);
	for (i = 0; i < BPMU_CHAINS; i++)
		to = put_chain(&code->put[i], &chains[i], to);
	return to;
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
