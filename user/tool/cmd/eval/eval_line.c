// SPDX-License-Identifier: GPL-2.0
/*
 * Splits lines of the input of "barepmu eval" into fields, reads counts from fields, and reports
 * errors in a line, whatever the format of the input.
 */
#include "eval_line.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"

/**
 * bpmu_eval_wrong() - set an error that names a line of eval's input, and a position
 * @eval: state of "barepmu eval"; &bpmu_eval.err is set
 * @in: the input; the error is about its current line
 * @column: position in the line, in bytes from 1 on
 * @fmt: "<what>; <what to do>"
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

/*
 * If an event "cpu/.../" begins at @p, returns its end: the event may have commas that do not
 * separate fields. Otherwise returns @p.
 */
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
 * bpmu_eval_split() - split a line of the input into fields, but not within perf's "cpu/a=1,b=2/"
 * @line: the line, which is modified; the fields point into it
 * @separator: separator of fields
 * @field: output: the fields, [@most]
 * @most: maximum number of fields
 *
 * Return: number of fields.
 */
unsigned int bpmu_eval_split(char *line, char separator, struct bpmu_csv_field *field,
			     unsigned int most)
{
	return bpmu_csv_split(line, separator, skip_perf_event, field, most);
}

/**
 * bpmu_eval_separator() - find the character that separates the fields of eval's first line
 * @line: first line
 *
 * Return: the sign behind "time" if the line begins with this word; else the first comma,
 * semicolon, tab or bar that is not within perf's "cpu/a=1,b=2/"; else a comma.
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

/**
 * bpmu_eval_read_count() - parse a count in a line of eval's input
 * @text: text of the count
 * @number: output: the count; NAN for an empty text, and for perf's "<not counted>" and "<not
 *	supported>"
 *
 * Return: false for a text that is no count.
 */
bool bpmu_eval_read_count(const char *text, double *number)
{
	*number = NAN;
	if (!*text || !strncmp(text, "<not ", 5))
		return true;
	return bpmu_decimal_parse(text, text + strlen(text), number);
}

/**
 * bpmu_eval_add_record() - add the count in the current line of eval's input
 * @eval: state of "barepmu eval"
 * @in: the input, for errors
 * @sets: counts read so far, to which the count is added
 * @record: the count
 *
 * Return: 0; -EINVAL if @sets has a count of the same event, interval and CPUs; or -ENOMEM.
 */
int bpmu_eval_add_record(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
			 struct bpmu_eval_sets *sets,
			 const struct bpmu_eval_record *record)
{
	int ret = bpmu_eval_sets_add(sets, record);

	if (ret != -EEXIST)
		return ret;
	return bpmu_eval_wrong(eval, in, 1,
			       "event '%s' is there twice; drop one, or measure with -I so that times differ",
			       record->event);
}
