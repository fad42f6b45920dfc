// SPDX-License-Identifier: GPL-2.0
#include "hierarchy.h"

/**
 * vcore_victims_flush() - report all lines in the victim queue to the L3
 * @memory: memory of the core
 */
void vcore_victims_flush(struct vcore_memory *memory)
{
	struct vcore_victims *v = &memory->victims;
	unsigned int i;

	for (i = 0; i < v->nr; i++)
		vcore_shared_drop(memory->shared, memory->core, v->line[i],
				  v->dirty[i]);
	v->nr = 0;
	v->filter = 0;
}

/**
 * vcore_victims_put() - put a line that the L2 has evicted into the victim queue
 * @memory: memory of the core
 * @line: line address / 64
 * @dirty: true if the core has modified the line
 */
void vcore_victims_put(struct vcore_memory *memory, uint64_t line, bool dirty)
{
	struct vcore_victims *v = &memory->victims;

	if (v->nr == VCORE_VICTIMS)
		vcore_victims_flush(memory);
	vcore_shared_prefetch_host(memory->shared, line);
	v->line[v->nr] = line;
	v->dirty[v->nr++] = dirty;
	v->filter |= vcore_victims_bit(line);
}
