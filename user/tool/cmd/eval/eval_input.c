// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "eval.h"

#define FIRST_FIELDS 64

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

/* the end of an event in perf's form, in which commas are part of it */
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

/* what separates the fields of the first line */
static char separator_of(const char *line)
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

/* a line of perf has a count, which the head of a table has not */
static bool is_perf(const struct bpmu_csv_field *field, unsigned int nr)
{
	double number;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (*field[i].text && bpmu_eval_number(field[i].text, &number))
			return true;
	return false;
}

static bool is_text(const char *line, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)line[i]) && line[i] != '\t')
			return false;
	return true;
}

static bool eval_input_first_line(struct bpmu_eval_input *in)
{
	while (bpmu_csv_next(&in->csv)) {
		if (in->csv.len && *in->csv.line != '#')
			return true;
	}
	return false;
}

static int read_any(struct bpmu_eval *eval, struct bpmu_eval_input *in)
{
	struct bpmu_csv_field field[FIRST_FIELDS];
	char separator;
	char *copy;
	unsigned int nr;
	bool own;
	bool perf;

	if (!eval_input_first_line(in))
		return bpmu_error_set(eval->err, -EINVAL,
				      "%s: is empty; give a table of counts, or what stat -x, stat -j or perf stat -x wrote",
				      in->name);
	if (!is_text(in->csv.line, in->csv.len))
		return bpmu_eval_wrong(eval, in, 1,
				       "is not text; give a table of counts, or what stat -x, stat -j or perf stat -x wrote");
	if (*in->csv.line == '{')
		return bpmu_eval_json(eval, in);
	separator = separator_of(in->csv.line);
	copy = strdup(in->csv.line);
	if (!copy)
		return bpmu_error_no_memory(eval->err, "eval");
	nr = bpmu_eval_split(copy, separator, field, FIRST_FIELDS);
	own = bpmu_eval_is_own(field, nr);
	perf = is_perf(field, nr);
	free(copy);
	if (own)
		return bpmu_eval_own_csv(eval, in, separator);
	if (perf)
		return bpmu_eval_perf(eval, in, separator);
	return bpmu_eval_table(eval, in, separator);
}

/**
 * bpmu_eval_read() - evaluate an input, whatever its format
 * @eval: the call, with a tree
 * @in: open
 *
 * Return: 0, -EINVAL if something is wrong in it, -EIO, or -ENOMEM.
 */
int bpmu_eval_read(struct bpmu_eval *eval, struct bpmu_eval_input *in)
{
	int ret = read_any(eval, in);

	if (ret || eval->is_of || !*eval->other)
		return ret;
	return bpmu_error_set(eval->err, -EINVAL,
			      "%s: has no counts of CPU model %s; use --part %s",
			      in->name, eval->pmu.part->name, eval->other);
}
