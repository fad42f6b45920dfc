// SPDX-License-Identifier: GPL-2.0
/*
 * Records in CSV: our own, and perf's, which has no head.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval_record.h"

#define FIELDS_MAX 32

/**
 * struct own - where the fields of our own records are
 * @part: name of the CPUs' part, 0 if all are of one
 * @where: list of CPUs, core, package, process, symbol or other row
 * @event: name; count, unit and percentage of the time follow
 */
struct own {
	unsigned int part;
	unsigned int where;
	unsigned int event;
};

/* A record has at least this many fields from the event's name on. */
enum own_field { OWN_EVENT, OWN_COUNT, OWN_UNIT, OWN_PERCENT, OWN_NEEDED };

/**
 * bpmu_eval_is_own() - is it the first line of what "stat -x" wrote
 * @field: of the line
 * @nr: their number
 *
 * Return: the number of the event's field, 0 if it is not.
 */
unsigned int bpmu_eval_is_own(const struct bpmu_csv_field *field,
			      unsigned int nr)
{
	unsigned int i;

	if (!nr || strcmp(field[0].text, "time"))
		return 0;
	for (i = 2; i + 1 < nr; i++)
		if (!strcmp(field[i].text, "event") &&
		    !strcmp(field[i + 1].text, "count"))
			return i;
	return 0;
}

static void own_head(struct own *own, char *line, char separator)
{
	struct bpmu_csv_field field[FIELDS_MAX];
	unsigned int nr = bpmu_eval_split(line, separator, field, FIELDS_MAX);

	own->event = bpmu_eval_is_own(field, nr);
	own->part = !strcmp(field[1].text, "part");
	own->where = own->part + 1;
}

static int own_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator, const struct own *own,
		    struct bpmu_eval_sets *sets)
{
	struct bpmu_csv_field all[FIELDS_MAX];
	const struct bpmu_csv_field *field = all + own->event;
	struct bpmu_eval_record record;
	unsigned int nr;

	nr = bpmu_eval_split(in->csv.line, separator, all, FIELDS_MAX);
	if (nr < own->event + OWN_NEEDED)
		return bpmu_eval_wrong(eval, in, 1,
				       "the row has %u fields, a record at least %d; is the file cut off?",
				       nr, own->event + OWN_NEEDED);
	/* The row is a metric, not a count. */
	if (strcmp(field[OWN_UNIT].text, "events"))
		return 0;
	if (own->part && !bpmu_eval_is_of(eval, all[own->part].text))
		return 0;
	record.time = all[0].text;
	record.where = all[own->where].text;
	record.event = field[OWN_EVENT].text;
	if (!bpmu_eval_number(field[OWN_COUNT].text, &record.count))
		return bpmu_eval_wrong(eval, in, field[OWN_COUNT].column,
				       "'%s' is not a count; write a number or <not counted>",
				       field[OWN_COUNT].text);
	if (!bpmu_eval_number(field[OWN_PERCENT].text, &record.percent) ||
	    isnan(record.percent))
		return bpmu_eval_wrong(eval, in, field[OWN_PERCENT].column,
				       "'%s' is not a percentage; write a number",
				       field[OWN_PERCENT].text);
	return bpmu_eval_sets_add(sets, &record);
}

/**
 * bpmu_eval_own_csv() - evaluate what "stat -x" wrote
 * @eval: the call
 * @in: at the line with the names of the fields
 * @separator: between fields
 *
 * Counts of another part are left out, as those of the other cores of a hybrid
 * one.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_own_csv(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		      char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval, in);
	struct own own;
	int ret = sets ? 0 : -ENOMEM;

	own_head(&own, in->csv.line, separator);
	while (!ret && bpmu_csv_next(&in->csv))
		if (in->csv.len && *in->csv.line != '#')
			ret = own_line(eval, in, separator, &own, sets);
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}

static bool eval_csv_is_number(const char *text)
{
	double number;

	return *text && *text != '<' && bpmu_eval_number(text, &number);
}

static bool is_count(const char *text)
{
	double number;

	return *text && bpmu_eval_number(text, &number);
}

/* [time] [where [threads]] count unit EVENT running percent ... */
static int event_field(const struct bpmu_csv_field *field, unsigned int nr)
{
	unsigned int i;

	for (i = 2; i + 2 < nr; i++)
		if (*field[i].text && !is_count(field[i].text) &&
		    is_count(field[i - 2].text) &&
		    eval_csv_is_number(field[i + 1].text) &&
		    eval_csv_is_number(field[i + 2].text))
			return i;
	return -1;
}

static int perf_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		     char separator, struct bpmu_eval_sets *sets)
{
	struct bpmu_csv_field field[FIELDS_MAX];
	struct bpmu_eval_record record = { .time = "", .where = "" };
	unsigned int first = 0;
	unsigned int nr;
	int event;

	nr = bpmu_eval_split(in->csv.line, separator, field, FIELDS_MAX);
	event = event_field(field, nr);
	if (event < 0)
		return bpmu_eval_wrong(eval, in, 1,
				       "is not a line of 'perf stat -x': no count, unit, event, time and percentage in a row; remove it, or give the names of the events in the first line of a table");
	if (event > 2 && eval_csv_is_number(field[0].text))
		record.time = field[first++].text;
	if ((int)first < event - 2)
		record.where = field[first].text;
	record.event = field[event].text;
	bpmu_eval_number(field[event - 2].text, &record.count);
	bpmu_eval_number(field[event + 2].text, &record.percent);
	return bpmu_eval_sets_add(sets, &record);
}

/* perf prints further metrics of an event in lines that name no event. */
static bool is_more(const char *line, char separator)
{
	while (*line == separator || *line == ' ')
		line++;
	return !*line;
}

/**
 * bpmu_eval_perf() - evaluate what "perf stat -x" wrote
 * @eval: the call
 * @in: at the first count
 * @separator: between fields
 *
 * A comment begins the output of another run.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_perf(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		   char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval, in);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret) {
		if (*in->csv.line == '#')
			ret = bpmu_eval_sets_flush(sets);
		else if (!is_more(in->csv.line, separator))
			ret = perf_line(eval, in, separator, sets);
		if (ret || !bpmu_csv_next(&in->csv))
			break;
	}
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}
