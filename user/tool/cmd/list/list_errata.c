// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "errata_facts.h"
#include "events.h"
#include "list.h"

/**
 * struct words - columns of a metric in the listing
 * @models: CPUID models and steppings, empty for all of the part
 * @fixed: microcode that cures it, empty for none
 * @when: condition, empty for none
 * @applies: "yes", "unknown microcode", or NULL where no machine is meant
 * @events: that it touches on this part, blanks between
 */
struct words {
	char models[48];
	char fixed[16];
	const char *when;
	const char *applies;
	char *events;
};

static char *events_of(const struct bpmu_part *part,
		       const struct bpmu_erratum *erratum)
{
	const struct bpmu_event *rows;
	const char *between = "";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	size_t nr;
	size_t i;

	if (!out)
		return NULL;
	rows = bpmu_events(part, &nr);
	for (i = 0; i < nr; i++) {
		if (!bpmu_errata_touches(erratum, &rows[i]))
			continue;
		fprintf(out, "%s%s", between, rows[i].name);
		between = " ";
	}
	fclose(out);
	return text;
}

static void print_models(struct words *words,
			 const struct bpmu_erratum *erratum)
{
	char *buf = words->models;
	size_t size = sizeof(words->models);
	int len = 0;

	buf[0] = 0;
	if (erratum->model)
		len = snprintf(buf, size, "model 0x%02x ", erratum->model);
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

static void list_errata_fill(const struct bpmu_list *list,
			     const struct bpmu_erratum *erratum, struct words *words)
{
	static const char *const conditions[] = {
		[BPMU_ERRATUM_ALWAYS] = NULL,
		[BPMU_ERRATUM_SMT] = "hyper-threading on",
		[BPMU_ERRATUM_NO_SMT] = "hyper-threading off",
	};

	print_models(words, erratum);
	words->fixed[0] = 0;
	if (erratum->fixed)
		snprintf(words->fixed, sizeof(words->fixed), "0x%x",
			 erratum->fixed);
	words->when = conditions[erratum->when];
	words->applies = bpmu_errata_match(&list->cpu, erratum) ==
			 BPMU_ERRATA_YES ? "yes" : "unknown microcode";
	if (!list->cpu.model)
		words->applies = NULL;
	words->events = events_of(list->cpu.part, erratum);
}

/* Prints the conditions of the erratum in parentheses. */
static void print_limits(const struct words *words)
{
	const char *limits[] = { words->models, words->when, words->applies };
	const char *before = " (";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		if (!limits[i] || !*limits[i] || !strcmp(limits[i], "yes"))
			continue;
		printf("%s%s", before, limits[i]);
		before = "; ";
	}
	puts(*before == ';' ? ")" : "");
}

static void list_errata_text(const struct bpmu_list *list,
			     const struct bpmu_erratum *erratum, const struct words *words)
{
	printf("  %-12s %s", erratum->name, erratum->text);
	print_limits(words);
	if (!list->verbose)
		return;
	bpmu_list_detail("applies", words->applies);
	bpmu_list_detail("fixed in", words->fixed);
	bpmu_list_detail("advice", erratum->advice);
	bpmu_list_detail("events", words->events);
}

static void list_errata_row(struct bpmu_list *list, const struct bpmu_erratum *erratum,
			    const struct words *words)
{
	const struct bpmu_field fields[] = {
		{ "erratum", erratum->name },
		{ "parts", erratum->parts, BPMU_FIELD_WORDS },
		{ "models", words->models },
		{ "fixed_in", words->fixed },
		{ "condition", words->when },
		{ "applies", words->applies },
		{ "events", words->events, BPMU_FIELD_WORDS },
		{ "description", erratum->text },
		{ "advice", erratum->advice },
	};

	bpmu_list_row(list, "erratum", fields, ARRAY_SIZE(fields));
}

static void list_errata_print(struct bpmu_list *list, const struct bpmu_erratum *erratum)
{
	struct words words;

	list_errata_fill(list, erratum, &words);
	if (list->format == BPMU_TEXT)
		list_errata_text(list, erratum, &words);
	else
		list_errata_row(list, erratum, &words);
	free(words.events);
}

/**
 * bpmu_list_errata() - list the errata of a machine or a part
 * @list: state of the listing
 * @err: not set, it cannot fail
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
		    bpmu_list_wants(list, erratum->name))
			list_errata_print(list, erratum);
	return 0;
}
