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
 * enum own_field - the fields of our own records
 * @OWN_TIME: seconds, empty without intervals
 * @OWN_CPUS: list of CPUs
 * @OWN_EVENT: name
 * @OWN_COUNT: or <not counted>
 * @OWN_UNIT: "events"
 * @OWN_PERCENT: of the time
 * @OWN_NEEDED: number of fields that are needed
 */
enum own_field {
	OWN_TIME,
	OWN_CPUS,
	OWN_EVENT,
	OWN_COUNT,
	OWN_UNIT,
	OWN_PERCENT,
	OWN_NEEDED
};

static int own_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator, struct bpmu_eval_sets *sets)
{
	struct bpmu_eval_field field[FIELDS_MAX];
	struct bpmu_eval_record record;
	unsigned int nr;

	nr = bpmu_eval_split(in->line, separator, field, FIELDS_MAX);
	if (nr < OWN_NEEDED)
		return bpmu_eval_wrong(eval, in, 1,
				       "the row has %u fields, a record at least %d; is the file cut off?",
				       nr, OWN_NEEDED);
	/* a metric's row */
	if (strcmp(field[OWN_UNIT].text, "events"))
		return 0;
	record.time = field[OWN_TIME].text;
	record.where = field[OWN_CPUS].text;
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
 * Context: process.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_own_csv(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		      char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval, in);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret && bpmu_eval_next_line(in))
		if (in->len && *in->line != '#')
			ret = own_line(eval, in, separator, sets);
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}

static bool is_number(const char *text)
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
static int event_field(const struct bpmu_eval_field *field, unsigned int nr)
{
	unsigned int i;

	for (i = 2; i + 2 < nr; i++)
		if (*field[i].text && !is_count(field[i].text) &&
		    is_count(field[i - 2].text) &&
		    is_number(field[i + 1].text) &&
		    is_number(field[i + 2].text))
			return i;
	return -1;
}

static int perf_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		     char separator, struct bpmu_eval_sets *sets)
{
	struct bpmu_eval_field field[FIELDS_MAX];
	struct bpmu_eval_record record = { .time = "", .where = "" };
	unsigned int first = 0;
	unsigned int nr;
	int event;

	nr = bpmu_eval_split(in->line, separator, field, FIELDS_MAX);
	event = event_field(field, nr);
	if (event < 0)
		return bpmu_eval_wrong(eval, in, 1,
				       "is not a line of 'perf stat -x': no count, unit, event, time and percentage in a row; remove it, or give the names of the events in the first line of a table");
	if (event > 2 && is_number(field[0].text))
		record.time = field[first++].text;
	if ((int)first < event - 2)
		record.where = field[first].text;
	record.event = field[event].text;
	bpmu_eval_number(field[event - 2].text, &record.count);
	bpmu_eval_number(field[event + 2].text, &record.percent);
	return bpmu_eval_sets_add(sets, &record);
}

/* perf continues an event with further metrics in lines without event */
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
 * Context: process.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_perf(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		   char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval, in);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret) {
		if (*in->line == '#')
			ret = bpmu_eval_sets_flush(sets);
		else if (!is_more(in->line, separator))
			ret = perf_line(eval, in, separator, sets);
		if (ret || !bpmu_eval_next_line(in))
			break;
	}
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}
