// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "list.h"

/**
 * bpmu_list_wants() - check if a name matches the pattern
 * @list: the call; a match is counted, and with --names printed
 * @name: name of an event, metric, group or erratum
 *
 * Return: true if the caller is to print the entry.
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
 * bpmu_list_row() - print a row of CSV or JSON
 * @list: the call
 * @type: type of the entry, such as "event"
 * @fields: fields of the row, [@nr]
 * @nr: number of fields
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
 * bpmu_list_detail() - print a line of -v
 * @name: name of the detail
 * @text: the detail; NULL or empty for none, then nothing is printed
 */
void bpmu_list_detail(const char *name, const char *text)
{
	if (text && *text)
		printf("        %-10s %s\n", name, text);
}
