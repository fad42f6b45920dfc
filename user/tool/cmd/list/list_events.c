// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "count/rival.h"
#include "event/event_name.h"
#include "event/sched.h"
#include "events.h"
#include "intel.h"
#include "list.h"

/*
 * size in bytes of the text "same as EVENT", which is printed as the description of an alias
 * (another name of EVENT)
 */
#define SAME_MAX 128

/**
 * struct columns - an event as "barepmu list events" prints it
 * @code: event code
 * @umask: unit mask
 * @cmask: counter mask, "" for none
 * @flags: "inv", "edge" and "any", as far as the event has them, separated by blanks
 * @on: counters that can count the event with hyper-threading on
 * @off: counters that can count the event with hyper-threading off
 * @errata: names of errata that affect the event, separated by blanks
 * @fields: further fields of the event select, which only events of some uncore units have, in the
 *	syntax of the option -e
 * @extra: value of the event's extra register, or of the filter of its uncore box, in the syntax of
 *	the option -e
 */
struct columns {
	char code[8];
	char umask[8];
	char cmask[8];
	char flags[24];
	char on[16];
	char off[16];
	char errata[BPMU_ERRATA_WORDS];
	char fields[96];
	char extra[160];
};

static void format_set(char *buf, size_t size, u64 set)
{
	const char *prefix = "";
	int last;
	int first;

	if (set == BPMU_BIT(BPMU_METRICS_COUNTER)) {
		snprintf(buf, size, "M");
		return;
	}
	if (set >> BPMU_FIXED_BASE) {
		set >>= BPMU_FIXED_BASE;
		prefix = "F";
	}
	first = __builtin_ctzll(set);
	last = 63 - __builtin_clzll(set);
	if (first == last)
		snprintf(buf, size, "%s%d", prefix, first);
	else if (set >> first == (2ULL << (last - first)) - 1)
		snprintf(buf, size, "%s%d-%d", prefix, first, last);
	else
		snprintf(buf, size, "0x%llx", set);
}

static bool is_free(const struct bpmu_event *row)
{
	return bpmu_unit_is_free(row->unit);
}

/*
 * Sets the columns @code, @umask and @cmask. They stay "" for events without an event code: events
 * of fixed counters, events of free-running registers, and the clocks of the uncore and of the
 * UBox.
 */
static void fill_code(struct columns *columns, const struct bpmu_event *row)
{
	u64 select = row->select;
	unsigned int event = select & BPMU_SEL_EVENT;
	unsigned int cmask = (select & BPMU_SEL_CMASK) >> BPMU_SEL_CMASK_SHIFT;
	unsigned int umask = (select & BPMU_SEL_UMASK) >> 8;

	if (row->unit == BPMU_UNIT_CLOCK || is_free(row) ||
	    (row->unit == BPMU_UNIT_UBOX && !row->select) ||
	    row->counters >> BPMU_FIXED_BASE)
		return;
	/*
	 * In events of the core, the data fabric and the northbridge, high bits of the event select
	 * are part of the event code. In events of other units these bits have another meaning.
	 */
	if (row->unit == BPMU_UNIT_CORE || row->unit == BPMU_UNIT_DF || row->unit == BPMU_UNIT_NB)
		event |= (select & BPMU_SEL_EVENT_HIGH) >> BPMU_SEL_EVENT_HIGH_SHIFT;
	if (row->unit == BPMU_UNIT_CORE)
		umask |= (select & BPMU_SEL_UMASK2) >> BPMU_SEL_UMASK2_SHIFT;
	if (row->unit == BPMU_UNIT_DF) {
		umask |= cmask << 8;
		cmask = 0;
	}
	/*
	 * Bit 8 of the event code is bit 21 of the event select in the unit "link" (QPI, UPI), and
	 * in perf's syntax for it.
	 */
	if (row->unit == BPMU_UNIT_LINK && select & BPMU_SEL_ANY)
		event |= 0x100;
	snprintf(columns->code, sizeof(columns->code), "0x%02x", event);
	if (row->unit != BPMU_UNIT_UMC)
		snprintf(columns->umask, sizeof(columns->umask), "0x%02x", umask);
	if (cmask)
		snprintf(columns->cmask, sizeof(columns->cmask), "%u", cmask);
}

/*
 * Sets the columns @fields and @extra of an event: what the option -e needs besides event code and
 * unit mask.
 */
static void fill_fields(struct columns *columns, const struct bpmu_part *part,
			const struct bpmu_event *row)
{
	const struct bpmu_box *box = bpmu_uncore_box(part, row->unit);
	const struct bpmu_extra *extra = bpmu_extra_of(part, row->select);

	bpmu_event_fields_write(box, row->select, columns->fields, sizeof(columns->fields));
	if (row->extra && box)
		bpmu_event_filter_write(box, row->select, row->extra, columns->extra,
					sizeof(columns->extra));
	else if (row->extra && extra)
		snprintf(columns->extra, sizeof(columns->extra), "%s=0x%llx",
			 bpmu_extra_name(extra->id), row->extra);
}

static void list_events_fill(const struct bpmu_list *list, const struct bpmu_event *row,
			     struct columns *columns)
{
	struct bpmu_errata errata = { .nr = 0 };

	memset(columns, 0, sizeof(*columns));
	fill_code(columns, row);
	fill_fields(columns, list->cpu.part, row);
	snprintf(columns->flags, sizeof(columns->flags), "%s%s%s",
		 row->select & BPMU_SEL_INV ? "inv " : "",
		 row->select & BPMU_SEL_EDGE ? "edge " : "",
		 row->select & BPMU_SEL_ANY && row->unit == BPMU_UNIT_CORE ? "any " : "");
	if (*columns->flags)
		columns->flags[strlen(columns->flags) - 1] = 0;
	if (!is_free(row)) {
		format_set(columns->on, sizeof(columns->on), row->counters);
		format_set(columns->off, sizeof(columns->off), row->counters_noht);
	}
	bpmu_errata_of_row(&list->cpu, row, &errata);
	bpmu_errata_words(&errata, columns->errata);
}

static void print_details(const struct bpmu_event *row, const struct columns *columns)
{
	char text[96];

	bpmu_list_detail("unit", bpmu_unit_facts[row->unit].title);
	bpmu_list_detail("code", columns->code);
	bpmu_list_detail("umask", columns->umask);
	bpmu_list_detail("cmask", columns->cmask);
	bpmu_list_detail("flags", columns->flags);
	if (strcmp(columns->on, columns->off))
		snprintf(text, sizeof(text),
			 "%s with hyper-threading on, %s with it off",
			 columns->on, columns->off);
	else
		snprintf(text, sizeof(text), "%s", columns->on);
	bpmu_list_detail("counters", text);
	bpmu_list_detail("errata", columns->errata);
	bpmu_list_detail("fields", columns->fields);
	bpmu_list_detail("extra", columns->extra);
}

/**
 * bpmu_list_event_details() - print the details of an event for list -v: codes, counters, errata
 * @list: state of "barepmu list", with the CPU model
 * @row: the event
 */
void bpmu_list_event_details(const struct bpmu_list *list, const struct bpmu_event *row)
{
	struct columns columns;

	list_events_fill(list, row, &columns);
	print_details(row, &columns);
}

/*
 * Returns true if an event is to be printed: the user's pattern matches the event's name, its
 * description, or the name of perf's PMU for the event's uncore unit.
 */
static bool wants_event(struct bpmu_list *list, const char *name,
			const struct bpmu_event *row)
{
	char pmus[BPMU_RIVAL_TEXT];
	char text[512];

	bpmu_rivals_of_unit(row->unit, pmus);
	snprintf(text, sizeof(text), "%s (%s)", row->desc ?: "", pmus);
	return bpmu_list_wants(list, name, text);
}

static void list_events_print(struct bpmu_list *list, const struct bpmu_event *row,
			      const char *alias)
{
	static const struct bpmu_column column[] = {
		{ "event", -50, .before = "  ", .after = " " },
		{ "description" },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(column);
	char same[SAME_MAX];
	struct columns columns;
	const struct bpmu_field fields[] = {
		{ "event", alias ? alias : row->name },
		{ "same_as", alias ? row->name : NULL },
		{ "unit", bpmu_unit_facts[row->unit].title },
		{ "code", columns.code },
		{ "umask", columns.umask },
		{ "cmask", columns.cmask, BPMU_FIELD_DIGITS },
		{ "flags", columns.flags, BPMU_FIELD_WORDS },
		{ "counters_ht_on", columns.on },
		{ "counters_ht_off", columns.off },
		{ "errata", columns.errata, BPMU_FIELD_WORDS },
		{ "description", row->desc, .cell = alias ? same : NULL },
		{ "category", bpmu_event_category(row) },
		{ "fields", columns.fields },
		{ "extra", columns.extra },
	};

	list_events_fill(list, row, &columns);
	if (alias)
		snprintf(same, sizeof(same), "same as %s", row->name);
	bpmu_list_row(list, "event", &text, fields, ARRAY_SIZE(fields));
	if (list->verbose && list->format == BPMU_TEXT)
		print_details(row, &columns);
}

static const struct bpmu_event *list_events_row_of(const struct bpmu_event *rows,
						   size_t nr, const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

/* Prints those events of the vendor's files that cannot be counted, and why. */
static void print_refused(struct bpmu_list *list)
{
	const struct bpmu_vendor_event *event;
	char why[BPMU_VENDOR_WHY];
	size_t i;

	for (i = 0; i < list->choice.vendor.nr_events; i++) {
		event = &list->choice.vendor.event[i];
		if (!event->refusal ||
		    !bpmu_vendor_refused(&list->choice.vendor, event->row.name) ||
		    !wants_event(list, event->row.name, &event->row))
			continue;
		bpmu_vendor_why(event, why, sizeof(why));
		printf("  %s\n", event->row.name);
		bpmu_list_detail("refused", why);
	}
}

/*
 * Prints events as text. The events of each topic, such as "cache", are below a heading. Topics
 * come in the order of their first events.
 */
static void print_categories(struct bpmu_list *list,
			     const struct bpmu_event *rows, size_t nr)
{
	const char *done[32] = { };
	const char *category;
	size_t i, k, nr_done = 0;
	bool head;

	for (i = 0; i < nr && nr_done < ARRAY_SIZE(done); i++) {
		category = bpmu_event_category(&rows[i]);
		for (k = 0; k < nr_done && strcmp(done[k], category); k++)
			;
		if (k < nr_done)
			continue;
		done[nr_done++] = category;
		head = false;
		for (k = i; k < nr; k++) {
			if (strcmp(bpmu_event_category(&rows[k]), category) ||
			    !wants_event(list, rows[k].name, &rows[k]))
				continue;
			if (!head)
				printf("%s:\n", category);
			head = true;
			list_events_print(list, &rows[k], NULL);
		}
	}
}

/*
 * Prints the events of free-running counters that a machine with this CPU model may have, below the
 * heading @head; nothing if no event matches.
 */
static void print_free(struct bpmu_list *list, const char *head)
{
	const struct bpmu_event *rows;
	size_t nr;
	size_t i;

	rows = bpmu_free_events(&nr);
	for (i = 0; i < nr; i++)
		if (list->cpu.part->free & rows[i].counters &&
		    wants_event(list, rows[i].name, &rows[i])) {
			fputs(head, stdout);
			head = "";
			list_events_print(list, &rows[i], NULL);
		}
}

/**
 * bpmu_list_events() - list the events of a CPU model, and their aliases
 * @list: state of "barepmu list"
 * @err: not used, because this function cannot fail
 *
 * Return: 0.
 */
int bpmu_list_events(struct bpmu_list *list, struct bpmu_error *err)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *cache;
	const struct bpmu_event *rows;
	size_t nr_aliases;
	size_t nr_cache;
	size_t nr;
	size_t i;

	(void)err;
	aliases = bpmu_event_aliases(list->cpu.part, &nr_aliases);
	rows = bpmu_events(list->cpu.part, &nr);
	for (i = 0; i < nr_aliases; i++)
		if (bpmu_list_wants(list, aliases[i].name, NULL))
			list_events_print(list, list_events_row_of(rows, nr, aliases[i].event),
					  aliases[i].name);
	cache = bpmu_cache_events(list->cpu.part, &nr_cache);
	for (i = 0; i < nr_cache; i++)
		if (wants_event(list, cache[i].name, &cache[i]))
			list_events_print(list, &cache[i], NULL);
	if (list->format == BPMU_TEXT && !list->names && !list->quiet &&
	    !strcmp(list->glob, "*")) {
		print_categories(list, rows, nr);
		print_free(list, "free-running registers:\n");
	} else {
		for (i = 0; i < nr; i++)
			if (wants_event(list, rows[i].name, &rows[i]))
				list_events_print(list, &rows[i], NULL);
		print_free(list, "");
	}
	if (list->verbose && list->format == BPMU_TEXT)
		print_refused(list);
	return 0;
}
