// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metric_expr.h"

#define SHOWN_MAX 160

/**
 * bpmu_text_error() - point at a wrong place
 * @text: the text
 * @at: the place
 * @what: "<what>; <what to do>"
 *
 * Context: any.
 * Return: -EINVAL.
 */
int bpmu_text_error(struct bpmu_text *text, const char *at, const char *what)
{
	const char *line = text->start;
	int number = 1;
	const char *p;
	int column;
	int len;

	for (p = text->start; p < at; p++) {
		if (*p != '\n')
			continue;
		line = p + 1;
		number++;
	}
	column = at - line;
	len = strcspn(line, "\n");
	if (len > SHOWN_MAX)
		len = SHOWN_MAX;
	if (column > SHOWN_MAX)
		return bpmu_error_set(text->err, -EINVAL, "%s:%d:%d: %s",
				      text->file, number, column + 1, what);
	return bpmu_error_set(text->err, -EINVAL, "%s:%d:%d: %s\n%.*s\n%*s^",
			      text->file, number, column + 1, what, len, line,
			      column, "");
}

/**
 * bpmu_text_skip_blanks() - go to the next word of the line
 * @text: the text
 *
 * Context: any.
 */
void bpmu_text_skip_blanks(struct bpmu_text *text)
{
	text->at += strspn(text->at, " \t\r");
}

static const char *skip_brackets(const char *p)
{
	const char *end = p + strcspn(p, "]\n");

	return *end == ']' ? end + 1 : NULL;
}

/* "A.B", "A[>=MIW]", "A.B:c1:e" and "A.B:[>= 4]:u" are names */
static const char *name_end(const char *p)
{
	if (!isalpha((unsigned char)*p) && *p != '_')
		return NULL;
	while (isalnum((unsigned char)*p) || *p == '_' || *p == '.')
		p++;
	if (*p == '[')
		return skip_brackets(p);
	while (p && *p == ':' &&
	       (p[1] == '[' || isalnum((unsigned char)p[1]))) {
		p++;
		if (*p == '[') {
			p = skip_brackets(p);
			continue;
		}
		while (isalnum((unsigned char)*p) || *p == '=')
			p++;
	}
	return p;
}

/**
 * bpmu_text_name() - read a name or an event
 * @text: the text; goes on behind the name
 *
 * Context: process.
 * Return: the name without blanks, to be freed, or NULL if none is here.
 */
char *bpmu_text_name(struct bpmu_text *text)
{
	const char *end = name_end(text->at);
	const char *p;
	char *name;
	char *to;

	if (!end)
		return NULL;
	name = malloc(end - text->at + 1);
	if (!name)
		return NULL;
	for (to = name, p = text->at; p < end; p++)
		if (*p != ' ' && *p != '\t')
			*to++ = *p;
	*to = '\0';
	text->at = end;
	return name;
}
