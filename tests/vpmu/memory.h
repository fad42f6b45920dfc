/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model's memory: caches, TLB, fill buffers.
 */
#ifndef VPMU_MEMORY_H
#define VPMU_MEMORY_H

#include "cache.h"
#include "tracker.h"
#include "vpmu.h"

#define VPMU_STREAMS 8

enum vpmu_level {
	VPMU_NO_LOAD,
	VPMU_L1,
	VPMU_L2,
	VPMU_L3,
	VPMU_MEMORY
};

/**
 * struct vpmu_memory - what a vCPU has between its core and memory
 * @params: the part's
 * @fill: cycle in which each fill buffer is free
 * @missed: lines that came from memory lately
 * @next_missed: which of them is the oldest
 * @l1i: cache
 * @l1d: cache
 * @l2: cache
 * @l3: cache
 * @tlb: of data
 * @tracker: requests to memory
 */
struct vpmu_memory {
	const struct vpmu_params *params;
	uint64_t fill[VPMU_MAX_FILLS];
	uint64_t missed[VPMU_STREAMS];
	unsigned int next_missed;
	struct vpmu_cache l1i;
	struct vpmu_cache l1d;
	struct vpmu_cache l2;
	struct vpmu_cache l3;
	struct vpmu_cache tlb;
	struct vpmu_tracker tracker;
};

void vpmu_memory_init(struct vpmu_memory *memory,
		      const struct vpmu_params *params);
enum vpmu_level vpmu_memory_fetch(struct vpmu_memory *memory, uint64_t pc,
				  uint64_t cycle);
unsigned int vpmu_memory_latency(const struct vpmu_memory *memory,
				 enum vpmu_level level);
enum vpmu_level vpmu_memory_find(struct vpmu_memory *memory, uint64_t addr,
				 bool store);
bool vpmu_memory_walks(struct vpmu_memory *memory, uint64_t addr);
uint64_t vpmu_memory_done(struct vpmu_memory *memory, uint64_t addr,
			  bool store, enum vpmu_level level, uint64_t start);

#endif /* VPMU_MEMORY_H */
