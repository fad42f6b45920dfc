// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "errata_facts.h"
#include "events.h"
#include "list.h"

/**
 * struct columns - an erratum as "barepmu list errata" prints it
 * @models: CPUID models and steppings that have the erratum, "" if all CPUs of the CPU model have
 *	it
 * @limits: text in parentheses: @models, @when and @applies; empty if all three are empty
 * @fixed: microcode revision that fixes the erratum, "" if none does
 * @when: condition under which the erratum occurs, "" for none
 * @applies: "yes" if this machine has the erratum, "unknown microcode" if that depends on the
 *	unknown microcode revision; NULL if --part names a CPU model
 * @events: affected events of this CPU model, separated by blanks
 */
struct columns {
	char models[48];
	char limits[128];
	char fixed[16];
	const char *when;
	const char *applies;
	char *events;
};

/* Writes the name of an event to @out, with a blank before it unless it is the first. */
static void append_event(FILE *out, const char *name)
{
	fprintf(out, "%s%s", ftell(out) ? " " : "", name);
}

static char *events_of(const struct bpmu_part *part,
		       const struct bpmu_erratum *erratum)
{
	const struct bpmu_event *rows;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	size_t nr;
	size_t i;

	if (!out)
		return NULL;
	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++)
		if (bpmu_errata_touches(erratum, &rows[i]))
			append_event(out, rows[i].name);
	rows = bpmu_free_events(&nr);
	for (i = 0; i < nr; i++)
		if (part->free & rows[i].counters && bpmu_errata_touches(erratum, &rows[i]))
			append_event(out, rows[i].name);
	fclose(out);
	return text;
}

static void print_models(struct columns *columns,
			 const struct bpmu_erratum *erratum)
{
	char *buf = columns->models;
	size_t size = sizeof(columns->models);
	int len = 0;

	buf[0] = 0;
	if (erratum->family)
		len = snprintf(buf, size, "family 0x%02x ", erratum->family);
	if (erratum->model)
		len += snprintf(buf + len, size - len, "model 0x%02x ", erratum->model);
	if (erratum->last_model)
		len += snprintf(buf + len, size - len, "to 0x%02x ", erratum->last_model);
	if (erratum->last > erratum->first)
		len += snprintf(buf + len, size - len, "stepping %u to %u ",
				erratum->first, erratum->last);
	else if (erratum->first)
		len += snprintf(buf + len, size - len, "stepping %u%s ",
				erratum->first,
				erratum->last ? "" : " and later");
	if (len)
		buf[len - 1] = 0;
}

/* Writes in parentheses on which CPUs and under which condition the erratum occurs. */
static void write_limits(struct columns *columns)
{
	const char *each[] = { columns->models, columns->when, columns->applies };
	const char *before = " (";
	size_t nr = 0;
	unsigned int i;

	columns->limits[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(each); i++) {
		if (!each[i] || !*each[i] || !strcmp(each[i], "yes"))
			continue;
		nr += snprintf(columns->limits + nr, sizeof(columns->limits) - nr, "%s%s", before,
			       each[i]);
		before = "; ";
	}
	if (nr)
		strcpy(columns->limits + nr, ")");
}

static void list_errata_fill(const struct bpmu_list *list,
			     const struct bpmu_erratum *erratum, struct columns *columns)
{
	static const char *const conditions[] = {
		[BPMU_ERRATUM_ALWAYS] = NULL,
		[BPMU_ERRATUM_SMT] = "hyper-threading on",
		[BPMU_ERRATUM_NO_SMT] = "hyper-threading off",
	};

	print_models(columns, erratum);
	columns->fixed[0] = 0;
	if (erratum->fixed)
		snprintf(columns->fixed, sizeof(columns->fixed), "0x%x",
			 erratum->fixed);
	columns->when = conditions[erratum->when];
	columns->applies = bpmu_errata_match(&list->cpu, erratum) ==
			 BPMU_ERRATA_YES ? "yes" : "unknown microcode";
	if (!list->cpu.family)
		columns->applies = NULL;
	write_limits(columns);
	columns->events = events_of(list->cpu.part, erratum);
}

/* Prints the lines that list -v has below the row of an erratum. */
static void list_errata_details(const struct bpmu_erratum *erratum, const struct columns *columns)
{
	bpmu_list_detail("applies", columns->applies);
	bpmu_list_detail("fixed in", columns->fixed);
	bpmu_list_detail("advice", erratum->advice);
	bpmu_list_detail("events", columns->events);
}

static void list_errata_row(struct bpmu_list *list, const struct bpmu_erratum *erratum,
			    const struct columns *columns)
{
	static const struct bpmu_column column[] = {
		{ "erratum", -12, .before = "  ", .after = " " },
		{ "description" },
		{ "limits" },
	};
	static const struct bpmu_columns text = BPMU_COLUMNS(column);
	const struct bpmu_field fields[] = {
		{ "erratum", erratum->name },
		{ "parts", erratum->parts, BPMU_FIELD_WORDS },
		{ "models", columns->models },
		{ "fixed_in", columns->fixed },
		{ "condition", columns->when },
		{ "applies", columns->applies },
		{ "events", columns->events, BPMU_FIELD_WORDS },
		{ "description", erratum->text },
		{ "advice", erratum->advice },
		{ "limits", columns->limits, BPMU_FIELD_CELL },
	};

	bpmu_list_row(list, "erratum", &text, fields, ARRAY_SIZE(fields));
}

static void list_errata_print(struct bpmu_list *list, const struct bpmu_erratum *erratum)
{
	struct columns columns;

	list_errata_fill(list, erratum, &columns);
	list_errata_row(list, erratum, &columns);
	if (list->verbose && list->format == BPMU_TEXT)
		list_errata_details(erratum, &columns);
	free(columns.events);
}

/**
 * bpmu_list_errata_unread() - list of errata: print which vendor's document may have more
 * @list: state of "barepmu list"
 */
void bpmu_list_errata_unread(const struct bpmu_list *list)
{
	const char *unread = bpmu_errata_unread(list->cpu.part->name);

	if (unread)
		printf("%s may have more: %s.\n", list->cpu.part->name, unread);
}

/**
 * bpmu_list_errata() - list the published errata of this machine or of a CPU model
 * @list: state of "barepmu list"
 * @err: not used, because this function cannot fail
 *
 * Return: 0.
 */
int bpmu_list_errata(struct bpmu_list *list, struct bpmu_error *err)
{
	const struct bpmu_erratum *erratum;
	unsigned int i;

	(void)err;
	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (bpmu_errata_match(&list->cpu, erratum) != BPMU_ERRATA_NO &&
		    bpmu_list_wants(list, erratum->name, erratum->text))
			list_errata_print(list, erratum);
	return 0;
}
