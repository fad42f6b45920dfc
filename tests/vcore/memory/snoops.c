// SPDX-License-Identifier: GPL-2.0
#include "hierarchy.h"

/* Invalidates all lines of a set, and reports to the L3 that they are evicted. */
static void flush_set(struct vcore_memory *memory, struct vcore_cache *cache,
		      uint64_t *set)
{
	unsigned int way;

	for (way = 0; way < cache->ways; way++) {
		uint64_t *entry = vcore_cache_entry(cache, set, way);
		uint64_t had = *entry;

		if (had == VCORE_NO_ENTRY)
			continue;
		vcore_cache_clear(cache, entry);
		vcore_shared_drop(memory->shared, memory->core,
				  vcore_cache_tag(had), had & VCORE_DIRTY);
	}
}

static void flush_cache(struct vcore_memory *memory, struct vcore_cache *cache)
{
	unsigned int set;

	for (set = 0; set < cache->sets; set++)
		flush_set(memory, cache, vcore_cache_set(cache, set));
}

/**
 * vcore_snoops_empty() - invalidate all lines of a core, as if each had been snooped
 * @memory: memory of the core
 */
void vcore_snoops_empty(struct vcore_memory *memory)
{
	vcore_victims_flush(memory);
	flush_cache(memory, &memory->l1i);
	flush_cache(memory, &memory->l1d);
	flush_cache(memory, &memory->l2);
}

/* Makes a line shared in the core's caches, because another core reads it. */
static void downgrade_line(struct vcore_memory *memory, uint64_t line,
			   struct vcore_counts *counts)
{
	uint64_t *l1d = vcore_cache_find(&memory->l1d, line);
	uint64_t *l2 = vcore_cache_find(&memory->l2, line);
	bool dirty = (l1d && *l1d & VCORE_DIRTY) || (l2 && *l2 & VCORE_DIRTY);

	counts->plain[VCORE_SNP_HITM] += dirty;
	if (l1d)
		*l1d &= ~(uint64_t)(VCORE_OWNED | VCORE_DIRTY);
	if (l2)
		*l2 &= ~(uint64_t)(VCORE_OWNED | VCORE_DIRTY);
}

/* Invalidates a line in the core's caches, because another core writes it or the L3 evicts it. */
static void invalidate_line(struct vcore_memory *memory, uint64_t line,
			    struct vcore_counts *counts)
{
	uint64_t had = vcore_cache_remove(&memory->l1d, line) |
		       vcore_cache_remove(&memory->l2, line);

	vcore_cache_remove(&memory->l1i, line);
	if (!had)
		return;
	counts->plain[VCORE_SNP_HITM] += !!(had & VCORE_DIRTY);
	memory->lost[memory->nr_lost++ % VCORE_LOST] = line;
	if (memory->nr_lost - memory->reported > VCORE_LOST)
		memory->reported = memory->nr_lost - VCORE_LOST;
}

/**
 * vcore_snoops_read() - answer the snoops that other cores have sent since the latest access
 * @memory: memory of the core
 * @counts: counts to which the events of the snoops are added
 */
void vcore_snoops_read(struct vcore_memory *memory, struct vcore_counts *counts)
{
	struct vcore_snoop snoop;

	do {
		snoop = vcore_snoop_read(memory->snoops);
		if (snoop.type == VCORE_SNOOP_SHARE)
			downgrade_line(memory, snoop.line, counts);
		else if (snoop.type == VCORE_SNOOP_INVALIDATE)
			invalidate_line(memory, snoop.line, counts);
		else if (snoop.type == VCORE_SNOOP_OVERFLOW)
			vcore_snoops_empty(memory);
	} while (snoop.type != VCORE_SNOOP_NONE);
}

/**
 * vcore_memory_invalidated() - get a line that snoops have invalidated in a core's caches
 * @memory: memory of the core
 * @line: output: the oldest such line that no earlier call has returned
 *
 * A load that has read such a line may need a memory-ordering clear. Snoops that wait in the queue
 * are answered at the core's next access, and their lines are returned only then.
 *
 * Return: false if there is no such line.
 */
bool vcore_memory_invalidated(struct vcore_memory *memory, uint64_t *line)
{
	if (memory->reported == memory->nr_lost)
		return false;
	*line = memory->lost[memory->reported++ % VCORE_LOST];
	return true;
}
