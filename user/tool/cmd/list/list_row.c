// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "list.h"

#define BETWEEN " ,"

/**
 * bpmu_list_wants() - is a name to be listed
 * @list: the call; the name is counted, and printed if names are all it wants
 * @name: of an event, metric, ...
 *
 * Return: true if the caller is to print it.
 */
bool bpmu_list_wants(struct bpmu_list *list, const char *name)
{
	char part[256];

	snprintf(part, sizeof(part), strpbrk(list->glob, "*?[") ? "%s" : "*%s*",
		 list->glob);
	if (fnmatch(part, name, FNM_CASEFOLD))
		return false;
	list->found++;
	if (list->names)
		puts(name);
	return !list->names && !list->quiet;
}

static void json_words(const char *words)
{
	char word[128];
	size_t len;
	int nr = 0;

	putchar('[');
	for (words += strspn(words, BETWEEN); *words;
	     words += strspn(words, BETWEEN)) {
		len = strcspn(words, BETWEEN);
		snprintf(word, sizeof(word), "%.*s", (int)len, words);
		if (nr++)
			putchar(',');
		bpmu_print_json(stdout, word);
		words += len;
	}
	putchar(']');
}

static void json_value(const struct bpmu_list_field *field)
{
	const char *value = field->value ? field->value : "";

	if (field->form == BPMU_LIST_WORDS)
		json_words(value);
	else if (!*value)
		fputs("null", stdout);
	else if (field->form == BPMU_LIST_NUMBER)
		fputs(value, stdout);
	else
		bpmu_print_json(stdout, value);
}

/**
 * bpmu_list_row() - print a row for programs
 * @list: the call; its format is CSV or JSON
 * @type: what it is, "event"
 * @fields: its fields
 * @nr: their number
 */
void bpmu_list_row(struct bpmu_list *list, const char *type,
		   const struct bpmu_list_field *fields, unsigned int nr)
{
	const char *s = list->separator;
	unsigned int i;

	if (list->format == BPMU_JSON) {
		printf("{\"schema\":1,\"type\":\"%s\"", type);
		for (i = 0; i < nr; i++) {
			printf(",\"%s\":", fields[i].name);
			json_value(&fields[i]);
		}
		puts("}");
		return;
	}
	for (i = 0; i < nr && !list->printed; i++)
		printf("%s%s", fields[i].name, i + 1 < nr ? s : "\n");
	list->printed++;
	for (i = 0; i < nr; i++) {
		if (fields[i].value)
			bpmu_print_csv(stdout, fields[i].value, s);
		fputs(i + 1 < nr ? s : "\n", stdout);
	}
}

/**
 * bpmu_list_detail() - print what -v adds
 * @name: what it is
 * @text: may be NULL or empty, then nothing is printed
 */
void bpmu_list_detail(const char *name, const char *text)
{
	if (text && *text)
		printf("        %-10s %s\n", name, text);
}
