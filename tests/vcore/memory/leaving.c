// SPDX-License-Identifier: GPL-2.0
#include "hierarchy.h"

/**
 * vcore_leaving_tell() - tell the package of all lines that left
 * @memory: of the core
 */
void vcore_leaving_tell(struct vcore_memory *memory)
{
	struct vcore_leaving *l = &memory->leaving;
	unsigned int i;

	for (i = 0; i < l->nr; i++)
		vcore_shared_drop(memory->shared, memory->core, l->line[i],
				  l->dirty[i]);
	l->nr = 0;
	l->alike = 0;
}

/**
 * vcore_leaving_put() - a line leaves a core
 * @memory: of the core
 * @line: its number
 * @dirty: it was modified
 */
void vcore_leaving_put(struct vcore_memory *memory, uint64_t line, bool dirty)
{
	struct vcore_leaving *l = &memory->leaving;

	if (l->nr == VCORE_LEAVING)
		vcore_leaving_tell(memory);
	vcore_shared_expect(memory->shared, line);
	l->line[l->nr] = line;
	l->dirty[l->nr++] = dirty;
	l->alike |= vcore_leaving_alike(line);
}
