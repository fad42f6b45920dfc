// SPDX-License-Identifier: GPL-2.0
#include "cache.h"

#include <stdlib.h>
#include <string.h>

/**
 * vpmu_cache_init() - an empty cache
 * @cache: filled in
 * @sets: a power of two
 * @ways: per set
 * @shift: log2 of the line or page size
 */
void vpmu_cache_init(struct vpmu_cache *cache, unsigned int sets,
		     unsigned int ways, unsigned int shift)
{
	cache->tags = calloc((size_t)sets * ways, sizeof(*cache->tags));
	if (!cache->tags)
		abort();
	cache->sets = sets;
	cache->ways = ways;
	cache->shift = shift;
}

/**
 * vpmu_cache_access() - look up a line and fill it in
 * @cache: initialised
 * @addr: any address of the line
 *
 * Return: true if it was there.
 */
bool vpmu_cache_access(struct vpmu_cache *cache, uint64_t addr)
{
	uint64_t tag = (addr >> cache->shift) + 1;
	uint64_t *set = cache->tags +
			(size_t)((tag - 1) & (cache->sets - 1)) * cache->ways;
	unsigned int way;

	for (way = 0; way < cache->ways - 1 && set[way] != tag; way++)
		;
	if (way == 0 && set[0] == tag)
		return true;
	if (set[way] == tag) {
		memmove(set + 1, set, way * sizeof(*set));
		set[0] = tag;
		return true;
	}
	memmove(set + 1, set, way * sizeof(*set));
	set[0] = tag;
	return false;
}
