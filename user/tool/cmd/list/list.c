// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "list.h"

/**
 * bpmu_list_wants() - check if a name is to be listed
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

/**
 * bpmu_list_row() - print a row for programs
 * @list: the call; its format is CSV or JSON
 * @type: what it is, "event"
 * @fields: its fields
 * @nr: number of @field
 */
void bpmu_list_row(struct bpmu_list *list, const char *type,
		   const struct bpmu_field *fields, unsigned int nr)
{
	struct bpmu_table table = {
		.out = stdout, .format = list->format,
		.separator = list->separator, .type = type,
		.headed = list->headed,
	};

	bpmu_table_row(&table, fields, nr);
	list->headed = table.headed;
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
