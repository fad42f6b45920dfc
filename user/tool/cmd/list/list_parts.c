// SPDX-License-Identifier: GPL-2.0
/* "barepmu list parts": lists the CPU models (parts), and what can be measured on each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/part.h"
#include "events.h"
#include "free.h"
#include "list.h"
#include "metric/metric.h"

/*
 * What the energy registers measure: bitmaps of free-running registers, and a word for what these
 * registers measure.
 */
static const struct {
	u64 registers;
	const char *name;
} domains[] = {
	{ BPMU_FREE(PKG) | BPMU_FREE(AMD_PKG), "package" },
	{ BPMU_FREE(CORES) | BPMU_FREE(CORE_ENERGY), "cores" },
	{ BPMU_FREE(DRAM), "memory" },
	{ BPMU_FREE(GPU), "graphics" },
	{ BPMU_FREE(PSYS), "platform" },
};

/**
 * struct summary - what can be measured on a CPU model
 * @topdown: number of levels of the tool's own Top-Down tree; 0 if there is none
 * @no_topdown: why there is no Top-Down tree of the tool
 * @tma: number of levels of the Top-Down tree that the vendor has published; 0 if there is none
 * @version: version of the vendor's tree, to be freed, or NULL
 * @no_tma: why there is no tree of the vendor
 * @power: energy registers, in words
 * @uncore: units of the uncore, in words
 * @groups: metric groups
 */
struct summary {
	unsigned int topdown;
	struct bpmu_error no_topdown;
	unsigned int tma;
	char *version;
	struct bpmu_error no_tma;
	char power[64];
	char uncore[128];
	struct bpmu_list_groups groups;
};

static void add_word(char *words, size_t size, const char *word)
{
	size_t len = strlen(words);

	snprintf(words + len, size - len, "%s%s", len ? " " : "", word);
}

static unsigned int levels_of(const char *method, const struct bpmu_part *part,
			      char **version, struct bpmu_error *err)
{
	struct bpmu_metrics metrics;
	unsigned int level = 0;
	unsigned int i;

	if (!bpmu_metrics_builtin(&metrics, method, part, err)) {
		for (i = 0; i < metrics.nr; i++)
			if (metrics.metric[i].level > level)
				level = metrics.metric[i].level;
		if (version && bpmu_metrics_version(&metrics))
			*version = strdup(bpmu_metrics_version(&metrics));
	}
	bpmu_metrics_free(&metrics);
	return level;
}

static int summarise(struct summary *sum, const struct bpmu_part *part, struct bpmu_error *err)
{
	const struct bpmu_box *box = part->uncore ? part->uncore->boxes : NULL;
	const char *last = "";
	size_t i;

	sum->topdown = levels_of(BPMU_LIST_METHOD, part, NULL, &sum->no_topdown);
	sum->tma = levels_of("tma", part, &sum->version, &sum->no_tma);
	for (i = 0; i < ARRAY_SIZE(domains); i++)
		if (part->free & domains[i].registers)
			add_word(sum->power, sizeof(sum->power), domains[i].name);
	for (; box && box->unit; box++) {
		if (strcmp(last, bpmu_unit_facts[box->unit].name))
			add_word(sum->uncore, sizeof(sum->uncore),
				 bpmu_unit_facts[box->unit].name);
		last = bpmu_unit_facts[box->unit].name;
	}
	if (part->mchbar && !strstr(sum->uncore, "imc"))
		add_word(sum->uncore, sizeof(sum->uncore), "imc");
	return bpmu_list_groups_of(part, &sum->groups, err);
}

static void summary_free(struct summary *sum)
{
	free(sum->version);
	free(sum->groups.have);
	free(sum->groups.lack);
}

/*
 * The error text says that --method was refused, and at its end why. Returns a pointer to the words
 * that say why.
 */
static const char *reason_of(const struct bpmu_error *refusal)
{
	static const char *const before[] = { "': ", "not available on ", ": " };
	const char *text = refusal->text;
	const char *found;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(before); i++) {
		found = strstr(text, before[i]);
		if (!found)
			break;
		text = found + strlen(before[i]);
	}
	return text;
}

static void print_levels(const char *name, unsigned int levels, const char *version,
			 const struct bpmu_error *none)
{
	const char *why = reason_of(none);
	char text[sizeof(none->text) + 16];

	if (levels)
		snprintf(text, sizeof(text), "%u levels%s%s", levels, version ? ", " : "",
			 version ?: "");
	else
		snprintf(text, sizeof(text), "none: %.*s", (int)strcspn(why, ";"), why);
	bpmu_list_detail(name, text);
}

static void print_units(const char *name, const char *units, const char *none)
{
	char text[160];

	snprintf(text, sizeof(text), "%s%s", *units ? "" : "none: ", *units ? units : none ?: "");
	bpmu_list_detail(name, text);
}

static void print_summary(const struct bpmu_part *part, const struct summary *sum)
{
	char *line = sum->groups.lack;
	char *end;

	print_levels("topdown", sum->topdown, NULL, &sum->no_topdown);
	print_levels("tma", sum->tma, sum->version, &sum->no_tma);
	print_units("energy", sum->power, part->no_energy);
	print_units("uncore", sum->uncore, part->no_uncore);
	if (*sum->uncore && part->no_uncore)
		bpmu_list_detail("no uncore", part->no_uncore);
	bpmu_list_detail("groups", sum->groups.have);
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		bpmu_list_detail("no group", line);
	}
}

static int list_part_print(struct bpmu_list *list, const struct bpmu_part *part,
			   struct bpmu_error *err)
{
	static const struct bpmu_column columns[] = {
		{ "part", -8, .before = "  ", .after = " " },
		{ "title" },
		{ "here", .before = " " },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(columns);
	const bool here = part == bpmu_part_described(list->cpu.part);
	struct summary sum = { .topdown = 0 };
	char width[12];
	char events[12];
	char threads[12];
	const struct bpmu_field fields[] = {
		{ "part", part->name },
		{ "title", part->title },
		{ "slots_per_cycle", width, BPMU_FIELD_DIGITS },
		{ "threads_per_core", threads, BPMU_FIELD_DIGITS },
		{ "events", events, BPMU_FIELD_DIGITS },
		{ "here", here ? "(this one)" : NULL, BPMU_FIELD_CELL },
	};
	size_t nr;
	int code;

	if (list->format == BPMU_TEXT) {
		bpmu_list_row(list, "part", &text, fields, ARRAY_SIZE(fields));
		if (!list->verbose)
			return 0;
	}
	/*
	 * @here: the CPU model is this machine's, and may have further events, from files of the
	 * vendor.
	 */
	bpmu_events(here ? list->cpu.part : part, &nr);
	snprintf(events, sizeof(events), "%zu", nr);
	snprintf(width, sizeof(width), "%u", part->issue_width);
	snprintf(threads, sizeof(threads), "%u", part->threads);
	code = summarise(&sum, part, err);
	if (!code && list->format != BPMU_TEXT) {
		const struct bpmu_field all[] = {
			fields[0], fields[1], fields[2], fields[3], fields[4],
			{ "topdown_levels", .form = BPMU_FIELD_WHOLE, .whole = sum.topdown },
			{ "tma_levels", .form = BPMU_FIELD_WHOLE, .whole = sum.tma },
			{ "energy", sum.power, BPMU_FIELD_WORDS },
			{ "uncore", sum.uncore, BPMU_FIELD_WORDS },
			{ "groups", sum.groups.have, BPMU_FIELD_WORDS },
		};

		bpmu_list_row(list, "part", &text, all, ARRAY_SIZE(all));
	} else if (!code) {
		bpmu_list_detail("slots", width);
		bpmu_list_detail("threads", threads);
		bpmu_list_detail("events", events);
		print_summary(part, &sum);
	}
	summary_free(&sum);
	return code;
}

/**
 * bpmu_list_parts() - list the CPU models (parts), and with -v what can be measured on each
 * @list: state of "barepmu list"; the CPU model in it may be NULL
 */
int bpmu_list_parts(struct bpmu_list *list, struct bpmu_error *err)
{
	const struct bpmu_part *part;
	unsigned int i;
	int code = 0;

	for (i = 0; (part = bpmu_part_at(i)) && !code; i++)
		if (bpmu_list_wants(list, part->name, part->title))
			code = list_part_print(list, part, err);
	return code;
}
