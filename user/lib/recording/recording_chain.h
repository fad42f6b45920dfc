/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call chains of interrupts, and their compact encoding, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_CHAIN_H
#define BPMU_RECORDING_CHAIN_H

#include "recording_code.h"

/* number of chains of an interrupt, one for each &enum bpmu_section_id */
#define BPMU_CHAINS (BPMU_SECTION_USER + 1)

/* most bytes of the chains of a record: heads of three numbers, and addresses */
#define BPMU_CHAINS_MOST (BPMU_CHAINS * (30 + BPMU_MAX_CHAIN * 10))

/**
 * struct bpmu_chain - one call chain
 * @present: the interrupt has this chain; else the other members are not valid
 * @flags: &enum bpmu_section_flag
 * @nr: number of addresses
 * @address: return addresses, that of the innermost function first, [@nr]
 */
struct bpmu_chain {
	bool present;
	u32 flags;
	unsigned int nr;
	u64 address[BPMU_MAX_CHAIN];
};

/**
 * struct bpmu_chains - call chains of an interrupt
 * @of: by &enum bpmu_section_id
 */
struct bpmu_chains {
	struct bpmu_chain of[BPMU_CHAINS];
};

/**
 * struct bpmu_chains_code - a block of call chains that is written or read
 * @last: chains of the record before; zeroed before the first one
 * @at: when a block is read: its next chains
 * @end: when a block is read: end of its last chains
 */
struct bpmu_chains_code {
	struct bpmu_chains last;
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_chains_take(struct bpmu_chains *chains, const void *record);
size_t bpmu_chains_put(struct bpmu_chains_code *code, const struct bpmu_chains *chains,
		       unsigned char *to);
void bpmu_chains_open(struct bpmu_chains_code *code, const void *block, size_t size);
bool bpmu_chains_get(struct bpmu_chains_code *code, struct bpmu_chains *chains);

#endif /* BPMU_RECORDING_CHAIN_H */
