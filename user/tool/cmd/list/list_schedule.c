// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>

#include "base/array.h"
#include "list.h"
#include "tree/tree.h"

static void print_counter(char *buf, size_t size, u32 counter)
{
	const struct bpmu_bank_facts *bank = &bpmu_bank_facts[bpmu_bank_of(counter)];

	if (counter == BPMU_METRICS_COUNTER)
		snprintf(buf, size, "M");
	else if (counter >= BPMU_FIXED_BASE && bank == &bpmu_bank_facts[BPMU_BANK_CORE])
		snprintf(buf, size, "F%u", counter - BPMU_FIXED_BASE);
	else
		snprintf(buf, size, "%s%u", bank->letter, counter - bank->first);
}

static void list_schedule_event(struct bpmu_list *list, unsigned int level,
				unsigned int group, const struct bpmu_sched_slot *slot)
{
	static const struct bpmu_column columns[] = {
		{ "level", .before = "  level " },
		{ "group", -3, .before = "  group " },
		{ "counter", -3, .before = " counter ", .after = " " },
		{ "event" },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(columns);
	char levels[12];
	char groups[12];
	char counter[16];
	const struct bpmu_field fields[] = {
		{ "level", levels, BPMU_FIELD_DIGITS },
		{ "group", groups, BPMU_FIELD_DIGITS },
		{ "counter", counter },
		{ "event", slot->text },
	};

	if (!bpmu_list_wants(list, slot->text, NULL))
		return;
	snprintf(levels, sizeof(levels), "%u", level);
	snprintf(groups, sizeof(groups), "%u", group);
	print_counter(counter, sizeof(counter), slot->counter);
	bpmu_list_row(list, "slot", &text, fields, ARRAY_SIZE(fields));
}

static void print_level(struct bpmu_list *list, const struct bpmu_tree *tree)
{
	const struct bpmu_sched *sched;
	unsigned int g;
	unsigned int i;

	for (g = 0; g < tree->groups.nr; g++) {
		sched = &tree->groups.group[g].sched;
		for (i = 0; i < sched->nr; i++)
			list_schedule_event(list, tree->level, g + 1, &sched->slot[i]);
	}
}

/**
 * bpmu_list_schedule() - list the schedule of the Top-Down tree: which events are counted together
 * @list: state of "barepmu list"
 *
 * Return: 0, or the errors of bpmu_tree_init().
 */
int bpmu_list_schedule(struct bpmu_list *list, struct bpmu_error *err)
{
	struct bpmu_tree tree;
	unsigned int level;
	int ret;

	for (level = 1; ; level++) {
		ret = bpmu_tree_init(&tree, BPMU_LIST_METHOD, &list->pmu,
				     list->cpu.smt != 0, level, err);
		if (ret)
			break;
		print_level(list, &tree);
		bpmu_tree_free(&tree);
	}
	if (ret == -ENOENT)
		return bpmu_error_set(err, ret,
				      "schedule: Top-Down has no events on %s; 'barepmu list groups' has the groups that -g takes",
				      list->cpu.part->name);
	return ret == -ERANGE && level > 1 ? 0 : ret;
}
