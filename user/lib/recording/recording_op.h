/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the CPU says of sampled ops, of sampled fetches, and of how long instructions took to retire,
 * in the records of interrupts, and the compact encoding of it, see barepmu-file(5).
 */
#ifndef BPMU_RECORDING_OP_H
#define BPMU_RECORDING_OP_H

#include "recording_code.h"

/*
 * Maximum size in bytes of an encoded op: its flags, and five other numbers. Each number takes at
 * most ten bytes.
 */
#define BPMU_OP_MOST 60

/**
 * struct bpmu_op_code - state of encoding or decoding a block of ops
 * @address: data address of the last op that had one, 0 before it
 * @at: when decoding: address of the next interrupt's op in the block
 * @end: when decoding: end of the block
 */
struct bpmu_op_code {
	u64 address;
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_op_take(struct bpmu_tagged_op *op, const void *record);
size_t bpmu_op_put(struct bpmu_op_code *code, const struct bpmu_tagged_op *op, unsigned char *to);
void bpmu_op_open(struct bpmu_op_code *code, const void *block, size_t size);
bool bpmu_op_get(struct bpmu_op_code *code, struct bpmu_tagged_op *op, bool *present);

/* Maximum size in bytes of an encoded fetch: its flags, and three other numbers */
#define BPMU_FETCH_MOST 20

/**
 * struct bpmu_fetch_code - state of decoding a block of fetches
 * @at: address of the next interrupt's fetch in the block
 * @end: end of the block
 */
struct bpmu_fetch_code {
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_fetch_take(struct bpmu_fetched *fetch, const void *record);
size_t bpmu_fetch_put(const struct bpmu_fetched *fetch, unsigned char *to);
void bpmu_fetch_open(struct bpmu_fetch_code *code, const void *block, size_t size);
bool bpmu_fetch_get(struct bpmu_fetch_code *code, struct bpmu_fetched *fetch, bool *present);

/* Maximum size in bytes of the encoded retire latency of an interrupt */
#define BPMU_RETIRED_MOST 5

/**
 * struct bpmu_retired_code - state of decoding a block of retire latencies
 * @at: address of the next interrupt's latency in the block
 * @end: end of the block
 */
struct bpmu_retired_code {
	const unsigned char *at;
	const unsigned char *end;
};

bool bpmu_retired_take(struct bpmu_retired *retired, const void *record);
size_t bpmu_retired_put(const struct bpmu_retired *retired, unsigned char *to);
void bpmu_retired_open(struct bpmu_retired_code *code, const void *block, size_t size);
bool bpmu_retired_get(struct bpmu_retired_code *code, struct bpmu_retired *retired, bool *known);

#endif /* BPMU_RECORDING_OP_H */
