// SPDX-License-Identifier: GPL-2.0
#include "tag.h"

/**
 * vcore_tag_start() - let a core tag a slot when a count reaches a limit
 * @tag: tag of the core; a slot that it has in flight is forgotten
 * @cycle: the core's current cycle
 * @limit: count at which a slot is tagged
 * @count: value from which the count begins
 * @cycles: true to count cycles, false to count slots of the correct path
 */
void vcore_tag_start(struct vcore_tag *tag, uint64_t cycle, uint64_t limit, uint64_t count,
		     bool cycles)
{
	tag->on = true;
	tag->cycles = cycles;
	tag->flies = false;
	tag->limit = limit;
	tag->count = count;
	tag->since = cycle;
}

/**
 * vcore_tag_stop() - let a core tag no slot
 * @tag: tag of the core; a slot that it has in flight is forgotten
 */
void vcore_tag_stop(struct vcore_tag *tag)
{
	tag->on = false;
	tag->flies = false;
}

/**
 * vcore_tag_count() - current count of a core's tag
 * @tag: tag of the core
 * @cycle: the core's current cycle
 *
 * Return: number of slots or cycles, at most &vcore_tag.limit; the limit while a slot is tagged.
 */
uint64_t vcore_tag_count(const struct vcore_tag *tag, uint64_t cycle)
{
	uint64_t count = tag->count;

	if (tag->on && tag->cycles)
		count += cycle - tag->since;
	return count < tag->limit && !tag->flies ? count : tag->limit;
}

/**
 * vcore_tag_issue() - count a slot that issues, and tag it if the limit is reached
 * @tag: tag of the core, which is on
 * @cycle: the core's current cycle
 * @slot: number of the slot in the reorder buffer; it is on the correct path
 */
void vcore_tag_issue(struct vcore_tag *tag, uint64_t cycle, uint64_t slot)
{
	if (tag->flies)
		return;
	tag->count += !tag->cycles;
	if (vcore_tag_count(tag, cycle) < tag->limit)
		return;
	tag->flies = true;
	tag->slot = slot;
	tag->issued = cycle;
}

/**
 * vcore_tag_flush() - forget that a slot is tagged: a machine clear has flushed all slots in flight
 * @tag: tag of the core
 *
 * The next slot that issues is tagged instead.
 */
void vcore_tag_flush(struct vcore_tag *tag)
{
	tag->flies = false;
}

/**
 * vcore_tag_retire() - tell what has become of the tagged slot, which retires
 * @tag: tag of the core, whose slot is in flight
 * @tagged: the slot; the function sets &vcore_tagged.issued
 */
void vcore_tag_retire(struct vcore_tag *tag, struct vcore_tagged *tagged)
{
	tagged->issued = tag->issued;
	vcore_tag_stop(tag);
	tag->tell(tag->data, tagged);
}
