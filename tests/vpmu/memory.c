// SPDX-License-Identifier: GPL-2.0
#include "memory.h"

#define LINE_SHIFT 6
#define PAGE_SHIFT 12

/* lines that a prefetcher asks for with one that continues a stream */
#define AHEAD 3

/**
 * vpmu_memory_init() - empty caches
 * @memory: filled in; zeroed by the caller
 * @params: the part's
 */
void vpmu_memory_init(struct vpmu_memory *memory,
		      const struct vpmu_params *params)
{
	memory->params = params;
	vpmu_cache_init(&memory->l1i, 64, 8, LINE_SHIFT);
	vpmu_cache_init(&memory->l1d, 64, 8, LINE_SHIFT);
	vpmu_cache_init(&memory->l2, 512, 8, LINE_SHIFT);
	vpmu_cache_init(&memory->l3, 8192, 12, LINE_SHIFT);
	vpmu_cache_init(&memory->tlb, 16, 4, PAGE_SHIFT);
}

/* the L3, whose slices the CBos watch */
static enum vpmu_level look_up(struct vpmu_memory *memory, uint64_t addr,
			       bool store)
{
	bool hit = vpmu_cache_access(&memory->l3, addr);

	vpmu_tracker_lookup(&memory->tracker, addr >> LINE_SHIFT, store, hit);
	return hit ? VPMU_L3 : VPMU_MEMORY;
}

/*
 * Ivy Bridge's prefetchers run ahead of a stream. Here they only occupy the
 * tracker: what they ask for does not arrive in the caches, so the core's times
 * do not depend on them. A line next to one of the latest that missed is a
 * stream's.
 */
static unsigned int entries(struct vpmu_memory *memory, uint64_t line)
{
	unsigned int nr = 1;
	unsigned int i;

	for (i = 0; i < VPMU_STREAMS; i++)
		if (memory->missed[i] == line - 1 ||
		    memory->missed[i] == line + 1)
			nr = 1 + AHEAD;
	memory->missed[memory->next_missed++ % VPMU_STREAMS] = line;
	return nr;
}

/**
 * vpmu_memory_fetch() - where a line of code is found
 * @memory: of the vCPU
 * @pc: an address in it
 * @cycle: now
 */
enum vpmu_level vpmu_memory_fetch(struct vpmu_memory *memory, uint64_t pc,
				  uint64_t cycle)
{
	enum vpmu_level level;

	if (vpmu_cache_access(&memory->l1i, pc))
		return VPMU_L1;
	if (vpmu_cache_access(&memory->l2, pc))
		return VPMU_L2;
	level = look_up(memory, pc, false);
	if (level == VPMU_MEMORY)
		vpmu_tracker_add(&memory->tracker, cycle,
				 memory->params->memory, 1, false);
	return level;
}

/**
 * vpmu_memory_latency() - cycles until data from there arrive
 * @memory: of the vCPU
 * @level: where
 */
unsigned int vpmu_memory_latency(const struct vpmu_memory *memory,
				 enum vpmu_level level)
{
	const struct vpmu_params *p = memory->params;
	const unsigned int latencies[] = { 0, p->l1, p->l2, p->l3, p->memory };

	return latencies[level];
}

/**
 * vpmu_memory_find() - where data are found; then they are in the L1
 * @memory: of the vCPU
 * @addr: their address
 * @store: or a load
 */
enum vpmu_level vpmu_memory_find(struct vpmu_memory *memory, uint64_t addr,
				 bool store)
{
	if (vpmu_cache_access(&memory->l1d, addr))
		return VPMU_L1;
	if (vpmu_cache_access(&memory->l2, addr))
		return VPMU_L2;
	return look_up(memory, addr, store);
}

/**
 * vpmu_memory_walks() - does the access miss the TLB
 * @memory: of the vCPU
 * @addr: its address
 */
bool vpmu_memory_walks(struct vpmu_memory *memory, uint64_t addr)
{
	return !vpmu_cache_access(&memory->tlb, addr);
}

/**
 * vpmu_memory_done() - when an access is done
 * @memory: of the vCPU
 * @addr: its address
 * @store: or a load
 * @level: where vpmu_memory_find() found it
 * @start: cycle in which it leaves the core
 *
 * A miss needs a fill buffer, the first that is free.
 */
uint64_t vpmu_memory_done(struct vpmu_memory *memory, uint64_t addr,
			  bool store, enum vpmu_level level, uint64_t start)
{
	unsigned int takes = vpmu_memory_latency(memory, level);
	uint64_t line = addr >> LINE_SHIFT;
	unsigned int first = 0;
	unsigned int i;

	if (level == VPMU_L1)
		return start + takes;
	for (i = 1; i < memory->params->fills; i++)
		if (memory->fill[i] < memory->fill[first])
			first = i;
	if (memory->fill[first] > start)
		start = memory->fill[first];
	if (level == VPMU_MEMORY)
		vpmu_tracker_add(&memory->tracker, start, takes,
				 entries(memory, line), store);
	memory->fill[first] = start + takes;
	return memory->fill[first];
}
