// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "base/array.h"
#include "events.h"
#include "list.h"

static void list_parts_print(struct bpmu_list *list, const struct bpmu_part *part)
{
	char width[12];
	char events[12];
	char threads[12];
	const struct bpmu_field fields[] = {
		{ "part", part->name },
		{ "title", part->title },
		{ "slots_per_cycle", width, BPMU_FIELD_DIGITS },
		{ "threads_per_core", threads, BPMU_FIELD_DIGITS },
		{ "events", events, BPMU_FIELD_DIGITS },
	};
	size_t nr;

	/* The target may have events from vendor files. */
	bpmu_events(part == bpmu_part_described(list->cpu.part) ?
		    list->cpu.part : part, &nr);
	snprintf(events, sizeof(events), "%zu", nr);
	snprintf(width, sizeof(width), "%u", part->issue_width);
	snprintf(threads, sizeof(threads), "%u", part->threads);
	if (list->format != BPMU_TEXT) {
		bpmu_list_row(list, "part", fields, ARRAY_SIZE(fields));
		return;
	}
	printf("  %-8s %s%s\n", part->name, part->title,
	       part == bpmu_part_described(list->cpu.part) ? " (this one)" : "");
	if (!list->verbose)
		return;
	bpmu_list_detail("slots", width);
	bpmu_list_detail("threads", threads);
	bpmu_list_detail("events", events);
}

/**
 * bpmu_list_parts() - the parts that barepmu knows
 * @list: the call; its part may be NULL
 * @err: not set, it cannot fail
 *
 * Return: 0.
 */
int bpmu_list_parts(struct bpmu_list *list, struct bpmu_error *err)
{
	const struct bpmu_part *part;
	unsigned int i;

	(void)err;
	for (i = 0; (part = bpmu_part_at(i)); i++)
		if (bpmu_list_wants(list, part->name))
			list_parts_print(list, part);
	return 0;
}
