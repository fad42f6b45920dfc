/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains of interrupts, and their compact encoding, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_CHAIN_H
#define BPMU_RECORDING_CHAIN_H

#include <string.h>

#include "recording_code.h"
#include "recording_section.h"

/*
 * Number of call chains that an interrupt can have: BPMU_SECTION_KERNEL and BPMU_SECTION_USER
 */
#define BPMU_CHAINS (BPMU_SECTION_USER + 1)

/*
 * Maximum size in bytes of the encoded call chains of an interrupt. Each chain takes three numbers
 * and its addresses. Each number and each address takes at most ten bytes.
 */
#define BPMU_CHAINS_MOST (BPMU_CHAINS * (30 + BPMU_MAX_CHAIN * 10))

/**
 * struct bpmu_chain - one call chain
 * @present: true if the interrupt has this chain; if false, the other members are not valid
 * @flags: &enum bpmu_section_flag
 * @nr: number of addresses
 * @address: return addresses, beginning with that of the innermost function, [@nr]
 */
struct bpmu_chain {
	bool present;
	u32 flags;
	unsigned int nr;
	u64 address[BPMU_MAX_CHAIN];
};

/**
 * struct bpmu_chains - call chains of an interrupt
 * @of: call chains, [&enum bpmu_section_id]
 */
struct bpmu_chains {
	struct bpmu_chain of[BPMU_CHAINS];
};

/**
 * struct bpmu_chain_bytes - one call chain in the module's record of an interrupt
 * @data: return addresses, unaligned, beginning with that of the innermost function; NULL if the
 *	interrupt lacks this chain
 * @nr: number of addresses
 * @flags: &enum bpmu_section_flag
 */
struct bpmu_chain_bytes {
	const char *data;
	unsigned int nr;
	u32 flags;
};

/**
 * struct bpmu_chains_code - state of encoding or decoding a block of call chains
 * @last: when decoding: chains of the previous interrupt; zeroed before the first interrupt of the
 *	block
 * @put: when encoding: each chain of the latest interrupt that has it, [&enum bpmu_section_id]
 * @present: when encoding: chains of the latest interrupt, as bits of &enum bpmu_section_id
 * @fresh: when encoding: number of innermost addresses of each chain in @put that were encoded,
 *	since they are not those of the chain before
 * @sections: when encoding: kinds of sections that any of the interrupts has, as bits
 * @record: when encoding: the module's record of the latest interrupt
 * @again: when encoding: the encoded chains of a further interrupt that has the same ones,
 *	[@again_bytes]; two numbers of 17 and 7 bits and a 0 for each chain
 * @again_bytes: when encoding: size of @again, 0 if it has not been set
 * @at: when decoding: address of the next interrupt's chains in the block
 * @end: when decoding: end of the block
 */
struct bpmu_chains_code {
	struct bpmu_chains last;
	struct bpmu_chain_bytes put[BPMU_CHAINS];
	u32 present;
	unsigned int fresh[BPMU_CHAINS];
	u64 sections;
	const char *record;
	unsigned char again[BPMU_CHAINS * 5];
	size_t again_bytes;
	const unsigned char *at;
	const unsigned char *end;
};

unsigned char *bpmu_chains_put_other(struct bpmu_chains_code *code, const void *record,
				     unsigned char *to);
void bpmu_chains_open(struct bpmu_chains_code *code, const void *block, size_t size);
bool bpmu_chains_get(struct bpmu_chains_code *code, struct bpmu_chains *chains);

/**
 * bpmu_chains_put() - encode the call chains of an interrupt for a recording
 * @code: state of encoding the block, zeroed before the first interrupt of the block
 * @record: the module's record of the interrupt, a &struct bpmu_overflow, and behind it its
 *	sections (call chains, in the order of their numbers, and others). The member size of the
 *	struct is the size of all this in bytes. The record must stay where it is until the last
 *	interrupt of the block is encoded
 * @to: memory for at least BPMU_CHAINS_MOST bytes
 *
 * Return: the address after the encoded call chains.
 */
static inline unsigned char *bpmu_chains_put(struct bpmu_chains_code *code, const void *record,
					     unsigned char *to)
{
	if (!code->again_bytes || !bpmu_section_all_same(code->record, record))
		return bpmu_chains_put_other(code, record, to);
	code->record = record;
	memcpy(to, code->again, sizeof(code->again));
	return to + code->again_bytes;
}

#endif /* BPMU_RECORDING_CHAIN_H */
