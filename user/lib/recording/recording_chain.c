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

/**
 * bpmu_chains_take() - copy call chains to be recorded from the module's record of an interrupt
 * @chains: filled in
 * @record: a &struct bpmu_overflow, and behind it its sections (call chains and branches). The
 *	member size of the struct is the size of all this in bytes
 *
 * Return: true if the record has a call chain.
 */
bool bpmu_chains_take(struct bpmu_chains *chains, const void *record)
{
	struct bpmu_section head;
	const char *data = NULL;
	struct bpmu_chain *chain;
	size_t bytes;

	chains->of[BPMU_SECTION_KERNEL].present = false;
	chains->of[BPMU_SECTION_USER].present = false;
	while ((data = bpmu_section_next(record, data, &head))) {
		bytes = head.size - sizeof(head);
		if (head.id >= BPMU_CHAINS)
			continue;
		chain = &chains->of[head.id];
		if (bytes > sizeof(chain->address))
			break;
		chain->present = true;
		chain->flags = head.flags;
		chain->nr = bytes / sizeof(*chain->address);
		memcpy(chain->address, data, chain->nr * sizeof(*chain->address));
	}
	return chains->of[BPMU_SECTION_KERNEL].present || chains->of[BPMU_SECTION_USER].present;
}

/* Returns the number of outermost addresses that two chains have in common. */
static unsigned int common_addresses(const struct bpmu_chain *a, const struct bpmu_chain *b)
{
	unsigned int nr = 0;

	while (nr < a->nr && nr < b->nr &&
	       a->address[a->nr - 1 - nr] == b->address[b->nr - 1 - nr])
		nr++;
	return nr;
}

static unsigned char *put_chain(struct bpmu_chain *last, const struct bpmu_chain *chain,
				unsigned char *at)
{
	unsigned int common, i;
	u64 before = 0;

	if (!chain->present)
		return bpmu_code_number(at, 0);
	common = common_addresses(last, chain);
	at = bpmu_code_number(at, (u64)chain->flags << SHAPE_BITS | PRESENT);
	at = bpmu_code_number(at, common);
	at = bpmu_code_number(at, chain->nr - common);
	for (i = 0; i < chain->nr - common; i++) {
		at = bpmu_code_number(at, chain->address[i] ^ before);
		before = chain->address[i];
	}
	last->nr = chain->nr;
	memcpy(last->address, chain->address, chain->nr * sizeof(*chain->address));
	return at;
}

/**
 * bpmu_chains_put() - encode the call chains of an interrupt for a recording
 * @code: state of encoding the block, zeroed before the first interrupt of the block
 * @chains: call chains of the interrupt
 * @to: memory for at least BPMU_CHAINS_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_chains_put(struct bpmu_chains_code *code, const struct bpmu_chains *chains,
		       unsigned char *to)
{
	unsigned char *at = to;
	unsigned int i;

	for (i = 0; i < BPMU_CHAINS; i++)
		at = put_chain(&code->last.of[i], &chains->of[i], at);
	return at - to;
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
