/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set-associative cache with least-recently-used replacement: tags only.
 */
#ifndef VPMU_CACHE_H
#define VPMU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct vpmu_cache - a cache, a TLB, or anything else with tags
 * @tags: [set * ways + way], most recently used first, 0 for empty
 * @sets: a power of two
 * @ways: per set
 * @shift: bits of an address below the tag
 */
struct vpmu_cache {
	uint64_t *tags;
	unsigned int sets;
	unsigned int ways;
	unsigned int shift;
};

void vpmu_cache_init(struct vpmu_cache *cache, unsigned int sets,
		     unsigned int ways, unsigned int shift);
bool vpmu_cache_access(struct vpmu_cache *cache, uint64_t addr);

#endif /* VPMU_CACHE_H */
