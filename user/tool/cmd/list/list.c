// SPDX-License-Identifier: GPL-2.0
#include "list.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Returns true if any word of @text begins with @letters, in upper or lower case. */
static bool begins_word(const char *text, const char *letters)
{
	size_t len = strlen(letters);
	const char *p;

	for (p = text; *p; p++)
		if ((p == text || !isalnum((unsigned char)p[-1])) &&
		    !strncasecmp(p, letters, len))
			return true;
	return false;
}

static bool list_matches(const char *glob, const char *name, const char *text)
{
	char part[256];

	if (strpbrk(glob, "*?["))
		return !fnmatch(glob, name, FNM_CASEFOLD);
	snprintf(part, sizeof(part), "*%s*", glob);
	return !fnmatch(part, name, FNM_CASEFOLD) || (text && begins_word(text, glob));
}

/**
 * bpmu_list_wants() - check if something matches the pattern of a list, and count it
 * @list: state of "barepmu list". With --names, this function prints the name of a match
 * @name: name of an event, metric, group, part or erratum
 * @text: description, and other words that the pattern may match; or NULL
 *
 * Return: true if the pattern matches, and the caller must print the row of the list.
 */
bool bpmu_list_wants(struct bpmu_list *list, const char *name, const char *text)
{
	if (!list_matches(list->glob, name, text))
		return false;
	list->found++;
	if (list->head && !list->names && !list->quiet && list->format == BPMU_TEXT)
		printf("%s:\n", list->head);
	list->head = NULL;
	if (list->names)
		puts(name);
	return !list->names && !list->quiet;
}

/**
 * bpmu_list_row() - print a row of a list as CSV, JSON or text
 * @list: state of "barepmu list"
 * @type: what kind of thing the row describes, such as "event"
 * @text: columns of the row if the format is text
 * @fields: fields of the row, [@nr]
 * @nr: number of fields
 */
void bpmu_list_row(struct bpmu_list *list, const char *type, const struct bpmu_columns *text,
		   const struct bpmu_field *fields, unsigned int nr)
{
	struct bpmu_table table = {
		.out = stdout, .format = list->format,
		.separator = list->separator, .type = type, .text = *text,
		.headed = list->headed,
	};

	bpmu_table_row(&table, fields, nr);
	list->headed = table.headed;
}

/**
 * bpmu_list_detail() - print a line of details below what "list -v" lists
 * @name: name of the detail, such as "formula"
 * @text: the detail; nothing is printed if it is NULL or ""
 */
void bpmu_list_detail(const char *name, const char *text)
{
	if (text && *text)
		printf("        %-10s %s\n", name, text);
}
