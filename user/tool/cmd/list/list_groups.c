// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "list.h"
#include "metric/metric_expr.h"
#include "tree/tree.h"

static void print_counter(char *buf, size_t size, u32 counter)
{
	if (counter >= BPMU_IIO_BASE)
		snprintf(buf, size, "O%u", counter - BPMU_IIO_BASE);
	else if (counter >= BPMU_LINK_BASE)
		snprintf(buf, size, "Q%u", counter - BPMU_LINK_BASE);
	else if (counter >= BPMU_HA_BASE)
		snprintf(buf, size, "H%u", counter - BPMU_HA_BASE);
	else if (counter >= BPMU_IMC_BASE)
		snprintf(buf, size, "I%u", counter - BPMU_IMC_BASE);
	else if (counter >= BPMU_UBOX_BASE)
		snprintf(buf, size, "B%u", counter - BPMU_UBOX_BASE);
	else if (counter >= BPMU_PCU_BASE)
		snprintf(buf, size, "P%u", counter - BPMU_PCU_BASE);
	else if (counter >= BPMU_CHA_BASE)
		snprintf(buf, size, "C%u", counter - BPMU_CHA_BASE);
	else if (counter >= BPMU_UMC_BASE)
		snprintf(buf, size, "M%u", counter - BPMU_UMC_BASE);
	else if (counter >= BPMU_DF_BASE)
		snprintf(buf, size, "D%u", counter - BPMU_DF_BASE);
	else if (counter >= BPMU_L3_BASE)
		snprintf(buf, size, "L%u", counter - BPMU_L3_BASE);
	else if (counter >= BPMU_FREE_BASE)
		snprintf(buf, size, "R%u", counter - BPMU_FREE_BASE);
	else if (counter >= BPMU_UNCORE_BASE)
		snprintf(buf, size, "U%u", counter - BPMU_UNCORE_BASE);
	else if (counter == BPMU_METRICS_COUNTER)
		snprintf(buf, size, "M");
	else if (counter >= BPMU_FIXED_BASE)
		snprintf(buf, size, "F%u", counter - BPMU_FIXED_BASE);
	else
		snprintf(buf, size, "%u", counter);
}

/* A row of CSV or JSON: an event of a Top-Down group, or a metric of a group of -g. */
struct row {
	const char *level;
	const char *group;
	const char *counter;
	const char *event;
	const char *groups;
	const char *metric;
	const char *unit;
	const char *formula;
};

/* number of columns without -v, those of events */
#define LIST_GROUPS_COLUMNS 4

static void list_groups_row(struct bpmu_list *list, const struct row *row)
{
	const struct bpmu_field fields[] = {
		{ "level", row->level, BPMU_FIELD_DIGITS, .absent = !row->level },
		{ "group", row->group, BPMU_FIELD_DIGITS, .absent = !row->level },
		{ "counter", row->counter, .absent = !row->level },
		{ "event", row->event, .absent = !row->level },
		{ "groups", row->groups, .absent = !row->metric },
		{ "metric", row->metric, .absent = !row->metric },
		{ "unit", row->unit, .absent = !row->metric },
		{ "formula", row->formula, .absent = !row->metric },
	};

	bpmu_list_row(list, row->metric ? "metric" : "slot", fields,
		      list->verbose ? ARRAY_SIZE(fields) : LIST_GROUPS_COLUMNS);
}

static void list_groups_print_event(struct bpmu_list *list, unsigned int level,
				    unsigned int group, const struct bpmu_sched_slot *slot)
{
	char levels[12];
	char groups[12];
	char counter[16];
	const struct row row = {
		.level = levels, .group = groups, .counter = counter, .event = slot->text,
	};

	if (!bpmu_list_wants(list, slot->text))
		return;
	snprintf(levels, sizeof(levels), "%u", level);
	snprintf(groups, sizeof(groups), "%u", group);
	print_counter(counter, sizeof(counter), slot->counter);
	if (list->format == BPMU_TEXT)
		printf("  level %s  group %-3s counter %-3s %s\n", levels,
		       groups, counter, slot->text);
	else
		list_groups_row(list, &row);
}

static void print_level(struct bpmu_list *list, const struct bpmu_tree *tree)
{
	const struct bpmu_sched *sched;
	unsigned int g;
	unsigned int i;

	for (g = 0; g < tree->groups.nr; g++) {
		sched = &tree->groups.group[g].sched;
		for (i = 0; i < sched->nr; i++)
			list_groups_print_event(list, tree->level, g + 1, &sched->slot[i]);
	}
}

static int list_groups_print_metric(struct bpmu_list *list, const char *name,
			const struct bpmu_metric *metric, struct bpmu_error *err)
{
	char *formula = NULL;
	size_t size;
	FILE *out = open_memstream(&formula, &size);

	if (out)
		bpmu_expr_print(out, metric->expr);
	if (!out || fclose(out)) {
		free(formula);
		return bpmu_error_set(err, -ENOMEM, "groups: out of memory");
	}
	if (list->format == BPMU_TEXT)
		printf("  %-28s %-24s %s\n", metric->name, metric->unit, formula);
	else
		list_groups_row(list, &(struct row){
			.groups = name, .metric = metric->name, .unit = metric->unit,
			.formula = formula });
	free(formula);
	return 0;
}

static int print_named(struct bpmu_list *list, const struct bpmu_metrics *metrics,
		       const char *name, struct bpmu_error *err)
{
	unsigned int i;
	int ret = 0;

	if (list->format == BPMU_TEXT)
		printf("%s:\n", name);
	for (i = 0; i < metrics->nr && !ret; i++)
		if (bpmu_metric_of_group(metrics->metric[i].group, name))
			ret = list_groups_print_metric(list, name, &metrics->metric[i], err);
	return ret;
}

/* Lists the groups of -g that the part supports. */
static int list_named(struct bpmu_list *list, struct bpmu_error *err)
{
	static const char *const names[] = {
		"BRANCH", "CLOCK", "CSTATES", "DRAM", "ENERGY", "FLOPS_DP", "IO", "L2",
		"L3", "MEM", "NUMA", "ROOFLINE", "TLB", "UPI"
	};
	struct bpmu_metrics metrics = { .nr = 0 };
	unsigned int i;
	size_t g;
	int ret;

	ret = bpmu_metrics_join(&metrics, "groups", list->cpu.part, err);
	if (!ret)
		ret = bpmu_metrics_join(&metrics, "power", list->cpu.part, err);
	for (g = 0; !ret && g < ARRAY_SIZE(names); g++) {
		for (i = 0; i < metrics.nr; i++)
			if (bpmu_metric_of_group(metrics.metric[i].group,
						 names[g]))
				break;
		if (i < metrics.nr && bpmu_list_wants(list, names[g]))
			ret = print_named(list, &metrics, names[g], err);
	}
	bpmu_metrics_free(&metrics);
	return ret;
}

/**
 * bpmu_list_groups() - list the event groups of "topdown" by level, and the groups of -g
 * @list: state of the listing
 * @err: set on failure
 *
 * Return: 0, or the errors of bpmu_tree_init().
 */
int bpmu_list_groups(struct bpmu_list *list, struct bpmu_error *err)
{
	struct bpmu_tree tree;
	unsigned int level;
	int ret;

	if (list->verbose) {
		ret = list_named(list, err);
		if (ret)
			return ret;
	}

	for (level = 1; ; level++) {
		ret = bpmu_tree_init(&tree, BPMU_LIST_METHOD, &list->pmu,
				     list->cpu.smt != 0, level, err);
		if (ret)
			break;
		print_level(list, &tree);
		bpmu_tree_free(&tree);
	}
	if (ret == -ENOENT)
		return list->verbose ? 0 :
		       bpmu_error_set(err, ret,
				      "groups: Top-Down has none on %s; 'barepmu list groups -v' has those that -g takes",
				      list->cpu.part->name);
	return ret == -ERANGE && level > 1 ? 0 : ret;
}
