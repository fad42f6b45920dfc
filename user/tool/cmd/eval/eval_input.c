// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"

#define FIRST_FIELDS 64

/* A line of perf has a count; the head of a table has none. */
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
	separator = bpmu_eval_separator(in->csv.line);
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
