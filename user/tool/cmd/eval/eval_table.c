// SPDX-License-Identifier: GPL-2.0
/*
 * A table: a line with the names of events, then a row for each set of counts.
 * Columns that are no events are labels of their row.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/plain.h"
#include "eval.h"
#include "event/event_name.h"

#define FIELDS_MAX 1024
#define LABEL_MAX 1024

/**
 * struct table - a table that is being read
 * @eval: the call
 * @in: the input
 * @separator: between fields
 * @nr: fields of a row
 * @column: the field's column, or -1 for a label, [nr fields]
 * @counts: of a row
 * @label: of a row
 */
struct table {
	struct bpmu_eval *eval;
	struct bpmu_eval_input *in;
	char separator;
	unsigned int nr;
	int column[FIELDS_MAX];
	double *counts;
	char label[LABEL_MAX];
};

static bool is_label(const char *name)
{
	static const char *const labels[] = {
		"", "label", "name", "time", "interval", "cpu", "cpus", "core",
		"socket", "node", "thread", "run", "region"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(labels); i++)
		if (!strcasecmp(name, labels[i]))
			return true;
	return false;
}

static int eval_table_unknown(struct table *t, const struct bpmu_csv_field *field)
{
	struct bpmu_event_spec spec;
	struct bpmu_error why;

	if (!bpmu_event_parse(&t->eval->pmu, t->eval->smt, field->text, &spec,
			      &why))
		bpmu_event_free(&spec);
	return bpmu_eval_wrong(t->eval, t->in, field->column, "%s", why.text);
}

static bool is_earlier(const struct bpmu_csv_field *field, unsigned int i)
{
	unsigned int j;

	for (j = 0; j < i; j++)
		if (!strcasecmp(field[j].text, field[i].text))
			return true;
	return false;
}

static int read_head(struct table *t)
{
	struct bpmu_csv_field field[FIELDS_MAX];
	struct bpmu_eval *eval = t->eval;
	unsigned int i;

	t->nr = bpmu_eval_split(t->in->csv.line, t->separator, field, FIELDS_MAX);
	if (t->nr == FIELDS_MAX)
		return bpmu_eval_wrong(eval, t->in, 1,
				       "has %d columns or more; leave out what no metric needs",
				       FIELDS_MAX);
	for (i = 0; i < t->nr; i++) {
		t->column[i] = -1;
		if (is_label(field[i].text))
			continue;
		if (is_earlier(field, i))
			return bpmu_eval_wrong(eval, t->in, field[i].column,
					       "event '%s' is there twice; leave one of the columns out",
					       field[i].text);
		t->column[i] = bpmu_eval_column(eval, field[i].text);
		if (t->column[i] < 0)
			return t->column[i];
		if (!eval->column[t->column[i]].known)
			return eval_table_unknown(t, &field[i]);
	}
	t->counts = calloc(eval->nr_columns + 1, sizeof(*t->counts));
	if (!t->counts)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->nr_columns; i++)
		t->counts[i] = eval->column[i].otherwise;
	return bpmu_eval_match(eval);
}

static size_t add_label(struct table *t, size_t at, const char *text)
{
	size_t len = strlen(text);

	if (at && at < LABEL_MAX - 1)
		t->label[at++] = ' ';
	if (len > LABEL_MAX - 1 - at)
		len = LABEL_MAX - 1 - at;
	memcpy(t->label + at, text, len);
	return at + len;
}

static void trim(char *text)
{
	size_t len = strlen(text);

	while (len && text[len - 1] == ' ')
		text[--len] = '\0';
}

static int read_row(struct table *t)
{
	struct bpmu_csv_field field[FIELDS_MAX];
	unsigned int i, nr;
	size_t label = 0;

	nr = bpmu_csv_split(t->in->csv.line, t->separator, NULL, field,
			    FIELDS_MAX);
	for (i = 0; i < t->nr && i < nr; i++) {
		trim(field[i].text);
		if (t->column[i] < 0)
			label = add_label(t, label, field[i].text);
		else if (!bpmu_eval_number(field[i].text,
					   &t->counts[t->column[i]]))
			return bpmu_eval_wrong(t->eval, t->in, field[i].column,
					       "'%s' is not a number; write a count, or nothing if there is none",
					       field[i].text);
	}
	t->label[label] = '\0';
	bpmu_plain(t->label, "");
	if (nr != t->nr)
		return bpmu_eval_wrong(t->eval, t->in,
				       nr < t->nr ? t->in->csv.len + 1 :
						    field[t->nr].column - 1,
				       "the row has %s fields than the head has columns, %u; complete it or correct the head",
				       nr < t->nr ? "fewer" : "more", t->nr);
	return bpmu_eval_set(t->eval, t->label, t->counts, 0);
}

/**
 * bpmu_eval_table() - evaluate a table
 * @eval: the call
 * @in: at the line with the names
 * @separator: between fields
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_table(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator)
{
	struct table t = { .eval = eval, .in = in, .separator = separator };
	int ret;

	ret = read_head(&t);
	while (!ret && bpmu_csv_next(&in->csv))
		if (in->csv.len && *in->csv.line != '#')
			ret = read_row(&t);
	free(t.counts);
	return ret;
}
