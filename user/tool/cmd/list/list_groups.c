// SPDX-License-Identifier: GPL-2.0
/* Lists the metric groups that -g takes, and their metrics. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "list.h"
#include "metric/metric.h"
#include "metric/metric_expr.h"

/* Names and descriptions of the tool's own metric groups; their metrics are in arch/metrics/. */
static const struct {
	const char *name;
	const char *text;
} descriptions[] = {
	{ "BRANCH", "Branches and their mispredictions" },
	{ "CLOCK", "Frequency of cores and uncore, time in which CPUs were not halted, CPI" },
	{ "CPI", "Cycles for an instruction" },
	{ "CSTATES", "Residency of cores and packages in C-states" },
	{ "CYCLE_STALLS", "Cycles without execution, and those with incomplete loads" },
	{ "DATA", "Loads for a store" },
	{ "DIVIDE", "Use of the divider" },
	{ "DRAM", "Pages and queues of the memory channels" },
	{ "ENERGY", "Power, energy and temperature of packages, cores, memory and graphics" },
	{ "FALSE_SHARE", "Loads of lines that another core had modified" },
	{ "FLOPS_AVX", "Floating-point operations of vectors of 256 bits or more" },
	{ "FLOPS_DP", "Double-precision floating-point operations, and how many worked on vectors" },
	{ "FLOPS_HP", "Half-precision floating-point operations, and how many worked on vectors" },
	{ "FLOPS_SP", "Single-precision floating-point operations, and how many worked on vectors" },
	{ "HA", "Use of the home agents, and requests from other sockets" },
	{ "HBM", "Bandwidth of Knights Landing's MCDRAM" },
	{ "HBM_CACHE", "The same where MCDRAM is a cache, and how often it has the line" },
	{ "ICACHE", "Misses of the instruction cache, and cycles that fetch waited for it" },
	{ "IO", "Data rates of I/O devices: DMA and MMIO" },
	{ "L2", "Data rates between L1D and L2, misses of L2" },
	{ "L2CACHE", "Misses of L2" },
	{ "L3", "Data rates between L2 and L3, misses of L3 and their latency" },
	{ "L3CACHE", "Loads that missed L3, on Zen misses of L3 and their latency" },
	{ "MEM", "Memory bandwidth, use of the data buses, latency of reads" },
	{ "MEM_DP", "Double-precision operations for a byte of memory traffic" },
	{ "MEM_SP", "Single-precision operations for a byte of memory traffic" },
	{ "NUMA", "Reads and loads from NUMA-local and remote memory" },
	{ "PORT_USAGE", "Uops sent to each execution port" },
	{ "QPI", "The same as UPI" },
	{ "RECOVERY", "Cycles of recovery from wrong paths and machine clears" },
	{ "ROOFLINE", "Work and memory traffic, of which 'report --html' draws a roofline" },
	{ "TLB", "TLB misses and page walks of data and instructions" },
	{ "TLB_DATA", "TLB misses and page walks of data" },
	{ "TLB_INSTR", "TLB misses and page walks of instructions" },
	{ "UOPS", "Uops issued, executed and retired for an instruction" },
	{ "UOPS_EXEC", "Uops executed, and cycles without" },
	{ "UOPS_ISSUE", "Uops issued, and cycles without" },
	{ "UOPS_RETIRE", "Uops retired, and cycles without" },
	{ "UPI", "Data rates and use of the links between sockets, QPI or UPI" },
};

/**
 * struct named - names of the groups that metrics belong to
 * @lines: the metrics
 * @name: names of the groups, sorted, [@nr]
 * @nr: number of groups
 */
struct named {
	const struct bpmu_metrics *lines;
	char **name;
	size_t nr;
};

static const char *groups_of(const struct bpmu_list *list,
			     const struct bpmu_metrics *lines, unsigned int i)
{
	return lines == list->choice.lines ? bpmu_choice_groups(&list->choice, i) :
					     lines->metric[i].group;
}

static const char *description_of(const char *group)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(descriptions); i++)
		if (!strcmp(descriptions[i].name, group))
			return descriptions[i].text;
	return NULL;
}

static int named_add(struct named *named, const char *name, size_t len)
{
	char **grown;
	size_t i;

	for (i = 0; i < named->nr; i++)
		if (strlen(named->name[i]) == len &&
		    !strncasecmp(named->name[i], name, len))
			return 0;
	grown = reallocarray(named->name, named->nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	named->name = grown;
	grown[named->nr] = strndup(name, len);
	return grown[named->nr++] ? 0 : -ENOMEM;
}

static void named_free(struct named *named)
{
	while (named->nr)
		free(named->name[--named->nr]);
	free(named->name);
}

static int named_compare(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

/* Fills in @named->name with the names of all groups of @named->lines. Returns 0 or -ENOMEM. */
static int named_find(struct named *named, const struct bpmu_list *list)
{
	const char *p;
	unsigned int i;
	size_t len;

	for (i = 0; i < named->lines->nr; i++)
		for (p = groups_of(list, named->lines, i); p && *p; p += len + !!p[len]) {
			p += strspn(p, " ");
			len = strcspn(p, ";");
			if (len && named_add(named, p, len))
				return -ENOMEM;
		}
	if (named->nr)
		qsort(named->name, named->nr, sizeof(*named->name), named_compare);
	return 0;
}

static int list_groups_metric(struct bpmu_list *list, const char *group,
			      const struct bpmu_metric *metric, struct bpmu_error *err)
{
	static const struct bpmu_column columns[] = {
		{ "metric", -28, .before = "  ", .after = " " },
		{ "unit", -24, .after = " " },
		{ "formula" },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(columns);
	char *formula = bpmu_expr_text(metric->expr);
	const struct bpmu_field fields[] = {
		{ "groups", group },
		{ "metric", metric->name },
		{ "unit", metric->unit },
		{ "formula", formula },
		{ "description", metric->text },
	};

	if (!formula)
		return bpmu_error_no_memory(err, "groups");
	bpmu_list_row(list, "metric", &text, fields, ARRAY_SIZE(fields));
	free(formula);
	return 0;
}

/*
 * Prints a metric group: its name, its description and, with -v, its metrics. @metrics are the
 * names of the metrics, separated by blanks. Returns 0 or a negative errno.
 */
static int list_groups_print(struct bpmu_list *list, const struct bpmu_metrics *lines,
			     const char *group, const char *metrics,
			     struct bpmu_error *err)
{
	static const struct bpmu_column column[] = {
		{ "groups", -12, .before = "  ", .after = " " },
		{ "description" },
	};
	static const struct bpmu_columns columns = BPMU_COLUMNS(column);
	const char *text = description_of(group);
	const struct bpmu_field fields[] = {
		{ "groups", group },
		{ "metrics", metrics, BPMU_FIELD_WORDS },
		{ "description", text, .cell = text ? NULL : metrics },
	};
	unsigned int i;
	int code = 0;

	if (list->format == BPMU_TEXT && list->verbose)
		printf("%s%s%s\n", group, text ? ": " : "", text ?: "");
	else if (!list->verbose)
		bpmu_list_row(list, "group", &columns, fields, ARRAY_SIZE(fields));
	for (i = 0; list->verbose && i < lines->nr && !code; i++)
		if (bpmu_metric_of_group(groups_of(list, lines, i), group))
			code = list_groups_metric(list, group, &lines->metric[i], err);
	return code;
}

/*
 * Returns the names of a group's metrics, separated by blanks, to be freed; NULL if memory runs
 * out.
 */
static char *metrics_of(const struct bpmu_list *list, const struct bpmu_metrics *lines,
			const char *group)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *between = "";
	unsigned int i;

	if (!out)
		return NULL;
	for (i = 0; i < lines->nr; i++)
		if (bpmu_metric_of_group(groups_of(list, lines, i), group)) {
			fprintf(out, "%s%s", between, lines->metric[i].name);
			between = " ";
		}
	fclose(out);
	return text;
}

/*
 * Prints a metric group if the user's pattern matches its name, its description or one of its
 * metrics. Returns 0 or a negative errno.
 */
static int list_groups_one(struct bpmu_list *list, const struct bpmu_metrics *lines,
			   const char *group, struct bpmu_error *err)
{
	char *metrics = metrics_of(list, lines, group);
	char *text = NULL;
	int code = 0;

	if (!metrics ||
	    asprintf(&text, "%s (%s)", description_of(group) ?: "", metrics) < 0)
		code = bpmu_error_no_memory(err, "groups");
	else if (bpmu_list_wants(list, group, text))
		code = list_groups_print(list, lines, group, metrics, err);
	free(metrics);
	free(text);
	return code;
}

/**
 * bpmu_list_groups() - list the names that the option -g takes: metric groups
 * @list: state of "barepmu list"
 */
int bpmu_list_groups(struct bpmu_list *list, struct bpmu_error *err)
{
	struct bpmu_metrics builtin = { .nr = 0 };
	struct named named = { .lines = list->choice.lines ?: &builtin };
	size_t g;
	int code = 0;

	if (!list->choice.lines)
		code = bpmu_metrics_join(&builtin, "groups", list->cpu.part, err);
	if (!list->choice.lines && !code)
		code = bpmu_metrics_join(&builtin, "power", list->cpu.part, err);
	if (!code && named_find(&named, list))
		code = bpmu_error_no_memory(err, "groups");
	for (g = 0; g < named.nr && !code; g++)
		code = list_groups_one(list, named.lines, named.name[g], err);
	named_free(&named);
	bpmu_metrics_free(&builtin);
	return code;
}

/*
 * Sets @why to the reason why a CPU model has no metrics of a group. Returns false if the reason is
 * not known.
 */
static bool group_lost(const struct bpmu_part *part, const char *group, char *why)
{
	return bpmu_metrics_lost("groups", part, group, why) ||
	       bpmu_metrics_lost("power", part, group, why);
}

/**
 * bpmu_list_groups_of() - list which of the tool's metric groups a CPU model has
 * @part: the CPU model
 * @groups: output: names of the groups, and reasons why groups are missing; the caller frees the
 *	texts
 */
int bpmu_list_groups_of(const struct bpmu_part *part, struct bpmu_list_groups *groups,
			struct bpmu_error *err)
{
	struct bpmu_metrics lines = { .nr = 0 };
	char why[BPMU_METRICS_WHY];
	size_t sizes[2];
	FILE *have = open_memstream(&groups->have, &sizes[0]);
	FILE *lack = open_memstream(&groups->lack, &sizes[1]);
	unsigned int i;
	size_t g;
	int code;

	code = have && lack ? bpmu_metrics_join(&lines, "groups", part, err) :
			      bpmu_error_no_memory(err, "groups");
	if (!code)
		code = bpmu_metrics_join(&lines, "power", part, err);
	for (g = 0; g < ARRAY_SIZE(descriptions) && !code; g++) {
		for (i = 0; i < lines.nr; i++)
			if (bpmu_metric_of_group(lines.metric[i].group, descriptions[g].name))
				break;
		if (i < lines.nr)
			fprintf(have, "%s%s", ftell(have) ? " " : "", descriptions[g].name);
		else if (group_lost(part, descriptions[g].name, why))
			fprintf(lack, "%s: %s\n", descriptions[g].name, why);
	}
	if (have)
		fclose(have);
	if (lack)
		fclose(lack);
	bpmu_metrics_free(&lines);
	return code;
}
