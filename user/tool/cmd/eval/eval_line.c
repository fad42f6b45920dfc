// SPDX-License-Identifier: GPL-2.0
/*
 * A line of the input, whatever its format: its fields, and what is wrong in it.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "eval.h"

/**
 * bpmu_eval_wrong() - point at what is wrong in the input
 * @eval: the call
 * @in: its input
 * @column: of the current line, 1 and up
 * @fmt: printf's: "<what>; <what to do>"
 *
 * Return: -EINVAL.
 */
int bpmu_eval_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
		    unsigned int column, const char *fmt, ...)
{
	char what[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return bpmu_error_set(eval->err, -EINVAL, "%s:%lu:%u: %s", in->name,
			      in->csv.nr, column, what);
}

/**
 * bpmu_eval_is_of() - is a count of the part that is evaluated
 * @eval: the call; remembers that there were others
 * @part: name of the part that it was counted on
 *
 * Return: false for a count to leave out, as those of the other cores of a
 * hybrid part.
 */
bool bpmu_eval_is_of(struct bpmu_eval *eval, const char *part)
{
	if (strcmp(part, eval->pmu.part->name)) {
		snprintf(eval->other, sizeof(eval->other), "%s", part);
		return false;
	}
	eval->is_of = true;
	return true;
}

/* Returns the end of an event in perf's syntax, in which commas are part of the event. */
static char *skip_perf_event(char *p)
{
	char *slash;

	if (strncasecmp(p, "cpu", 3))
		return p;
	slash = p + strcspn(p, "/,;\t");
	if (*slash != '/')
		return p;
	slash = strchr(slash + 1, '/');
	return slash ? slash + 1 : p;
}

/**
 * bpmu_eval_split() - split a line, in which events may be in perf's form
 * @line: overwritten: fields point into it
 * @separator: between fields
 * @field: set, [@most]
 * @most: length of @field
 *
 * Return: number of fields; what follows field @most is not split.
 */
unsigned int bpmu_eval_split(char *line, char separator,
			     struct bpmu_csv_field *field, unsigned int most)
{
	return bpmu_csv_split(line, separator, skip_perf_event, field, most);
}

/**
 * bpmu_eval_number() - read a count
 * @text: a field; "<not counted>" and the like, and nothing, are no number
 * @number: filled in, NAN for a count that is not there
 *
 * Return: false if it is something else.
 */
bool bpmu_eval_number(const char *text, double *number)
{
	*number = NAN;
	if (!*text || !strncmp(text, "<not ", 5))
		return true;
	return bpmu_decimal_parse(text, text + strlen(text), number);
}

/**
 * bpmu_eval_separator() - what separates the fields of an input
 * @line: its first one
 *
 * Return: the first of those that are usual, a comma if there is none.
 */
char bpmu_eval_separator(const char *line)
{
	const char *found;

	if (!strncmp(line, "time", 4) && line[4] && !isalnum(line[4]))
		return line[4];
	while (*line) {
		found = skip_perf_event((char *)line);
		if (found == line)
			found = line + strcspn(line, ",;\t|");
		if (*found && strchr(",;\t|", *found))
			return *found;
		line = *found ? found + 1 : found;
	}
	return ',';
}
