// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the input of "barepmu eval": a table of counts, or CSV or JSON from "barepmu stat" or perf.
 */
#include "eval.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/plain.h"
#include "eval_line.h"
#include "eval_perf.h"
#include "metric/metric.h"

/*
 * Returns true if @part, the CPU model of a count, is the evaluated CPU model, so that the count is
 * used. Otherwise keeps the name @part for an error message.
 */
static bool take_part(struct bpmu_eval *eval, const char *part)
{
	if (strcmp(part, eval->pmu.part->name)) {
		snprintf(eval->other, sizeof(eval->other), "%s", part);
		return false;
	}
	eval->is_of = true;
	return true;
}

/* The functions up to read_own_csv() read the CSV of "barepmu stat -x": a record for each count. */

/**
 * struct own - indices of the fields in records of "barepmu stat -x"
 * @part: CPU model of the counted CPUs; 0 if the records have no such field
 * @where: what the record's count is of: a list of CPUs, a core, a package, a process, a symbol,
 *	...
 * @event: name of the event; the fields count, unit and running percentage follow
 * @half: half-width of the 95 % interval, 0 if the records have none
 * @clock: unhalted cycles while the event was counted, 0 if the records have none
 */
struct own {
	unsigned int part;
	unsigned int where;
	unsigned int event;
	unsigned int half;
	unsigned int clock;
};

/*
 * Positions of a record's fields, counted from the field with the event's name. From that field on,
 * a record must have at least OWN_NEEDED fields.
 */
enum own_field { OWN_EVENT, OWN_COUNT, OWN_UNIT, OWN_PERCENT, OWN_NEEDED };

/* Returns the index of the field "event" in the first line of "stat -x"; 0 for any other line. */
static unsigned int own_event_field(const struct bpmu_csv_field *field,
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

/*
 * Returns the index of the field @name in the first line of "stat -x"; 0 if no field after the
 * field "event" has this name.
 */
static unsigned int own_field(const struct own *own, const struct bpmu_csv_field *field,
			      unsigned int nr, const char *name)
{
	unsigned int i;

	for (i = own->event; i < nr; i++)
		if (!strcmp(field[i].text, name))
			return i;
	return 0;
}

static void own_head(struct own *own, char *line, char separator)
{
	struct bpmu_csv_field field[BPMU_EVAL_RECORD_FIELDS];
	unsigned int nr = bpmu_eval_split(line, separator, field, BPMU_EVAL_RECORD_FIELDS);

	own->event = own_event_field(field, nr);
	own->part = !strcmp(field[1].text, "part");
	own->where = own->part + 1;
	own->half = own_field(own, field, nr, "uncertainty");
	own->clock = own_field(own, field, nr, "clock");
}

/*
 * Returns the half-width of a count's 95 % interval; 0 if the record has none: the count is exact.
 */
static double own_half_width(const struct own *own, const struct bpmu_csv_field *all,
			     unsigned int nr)
{
	double half = 0;

	if (!own->half || own->half >= nr || !*all[own->half].text)
		return 0;
	return bpmu_eval_read_count(all[own->half].text, &half) ? half : INFINITY;
}

/* Returns the unhalted cycles while a record's event was counted; 0 if the record has none. */
static double own_clock(const struct own *own, const struct bpmu_csv_field *all,
			unsigned int nr)
{
	double clock;

	if (!own->clock || own->clock >= nr || !*all[own->clock].text)
		return 0;
	return bpmu_eval_read_count(all[own->clock].text, &clock) && clock > 0 ? clock : 0;
}

static int own_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator, const struct own *own,
		    struct bpmu_eval_sets *sets)
{
	struct bpmu_csv_field all[BPMU_EVAL_RECORD_FIELDS];
	const struct bpmu_csv_field *field = all + own->event;
	struct bpmu_eval_record record = { };
	unsigned int nr;

	nr = bpmu_eval_split(in->csv.line, separator, all, BPMU_EVAL_RECORD_FIELDS);
	if (nr < own->event + OWN_NEEDED)
		return bpmu_eval_wrong(eval, in, 1,
				       "the row has %u fields, a record at least %d; is the file cut off?",
				       nr, own->event + OWN_NEEDED);
	/*
	 * Some records have a metric, not a count. They are not used. They have an empty event
	 * name; earlier versions (before schema 3) wrote a unit that is not "events".
	 */
	if (!*field[OWN_EVENT].text || strcmp(field[OWN_UNIT].text, "events"))
		return 0;
	if (own->part && !take_part(eval, all[own->part].text))
		return 0;
	record.time = all[0].text;
	record.where = all[own->where].text;
	record.event = field[OWN_EVENT].text;
	if (!bpmu_eval_read_count(field[OWN_COUNT].text, &record.count))
		return bpmu_eval_wrong(eval, in, field[OWN_COUNT].column,
				       "'%s' is not a count; write a number or <not counted>",
				       field[OWN_COUNT].text);
	if (!bpmu_eval_read_count(field[OWN_PERCENT].text, &record.percent) ||
	    isnan(record.percent))
		return bpmu_eval_wrong(eval, in, field[OWN_PERCENT].column,
				       "'%s' is not a percentage; write a number",
				       field[OWN_PERCENT].text);
	record.half = own_half_width(own, all, nr);
	record.clock = own_clock(own, all, nr);
	return bpmu_eval_add_record(eval, in, sets, &record);
}

/*
 * Reads and evaluates the CSV of "barepmu stat -x". Counts of another CPU model, such as those of
 * another core type, are left out. Returns 0 or a negative errno.
 */
static int read_own_csv(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval);
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

/* The functions up to read_json() read the JSON of "barepmu stat -j": a line for each count. */

#define TIME_MAX 40

static int eval_json_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
			   const char *member)
{
	return bpmu_eval_wrong(eval, in, 1,
			       "the count has no \"%s\" of the right type; give what 'stat -j' wrote",
			       member);
}

static int take_count(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		      const json_t *object, struct bpmu_eval_sets *sets)
{
	const json_t *time = json_object_get(object, "time");
	const json_t *count = json_object_get(object, "count");
	const json_t *enabled = json_object_get(object, "enabled_ticks");
	const json_t *running = json_object_get(object, "running_ticks");
	const json_t *half = json_object_get(object, "uncertainty");
	struct bpmu_eval_record record = { .count = NAN, .percent = 100 };
	const char *part = json_string_value(json_object_get(object, "part"));
	/*
	 * JSON members that name the CPUs, core or package of a count. Earlier versions of "barepmu
	 * stat" wrote "place" instead of "key".
	 */
	static const char *const row[] = { "cpus", "key", "place" };
	const json_t *where = NULL;
	char when[TIME_MAX];
	size_t i;

	if (part && !take_part(eval, part))
		return 0;
	record.event = json_string_value(json_object_get(object, "event"));
	for (i = 0; i < ARRAY_SIZE(row) && !where; i++)
		where = json_object_get(object, row[i]);
	record.where = json_string_value(where);
	if (!record.event)
		return eval_json_wrong(eval, in, "event");
	if (!record.where)
		return eval_json_wrong(eval, in, "cpus");
	if (!json_is_number(time))
		return eval_json_wrong(eval, in, "time");
	if (!json_is_number(count) && !json_is_null(count))
		return eval_json_wrong(eval, in, "count");
	if (json_is_number(count))
		record.count = json_number_value(count);
	if (json_number_value(enabled) > 0 && json_is_number(running))
		record.percent = 100 * json_number_value(running) /
				 json_number_value(enabled);
	/* JSON has no infinity: null stands for a half-width that is unknown. */
	record.half = json_is_null(half) ? INFINITY : json_number_value(half);
	record.clock = json_number_value(json_object_get(object, "clock"));
	snprintf(when, sizeof(when), "%.9f", json_number_value(time));
	record.time = when;
	return bpmu_eval_add_record(eval, in, sets, &record);
}

static int eval_json_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			  struct bpmu_eval_sets *sets)
{
	json_error_t why;
	json_t *object;
	const char *type;
	int ret = 0;

	object = json_loadb(in->csv.line, in->csv.len, JSON_REJECT_DUPLICATES, &why);
	if (!object)
		return bpmu_eval_wrong(eval, in, why.column > 0 ? why.column : 1,
				       "not JSON, %s; give one object a line",
				       why.text);
	type = json_string_value(json_object_get(object, "type"));
	if (!type)
		ret = bpmu_eval_wrong(eval, in, 1,
				      "has no \"type\"; give what 'stat -j' wrote");
	else if (!strcmp(type, "count"))
		ret = take_count(eval, in, object, sets);
	json_decref(object);
	return ret;
}

/*
 * Reads and evaluates the JSON of "barepmu stat -j". Objects that are no counts, and counts of
 * another CPU model, are left out. Returns 0 or a negative errno.
 */
static int read_json(struct bpmu_eval *eval, struct bpmu_eval_input *in)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret) {
		if (in->csv.len && *in->csv.line != '#')
			ret = eval_json_line(eval, in, sets);
		if (ret || !bpmu_csv_next(&in->csv))
			break;
	}
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}

/*
 * The functions up to read_table() read a table. It has a line of event names, then rows of counts.
 * A row has the counts of one interval or measurement. A column whose name is not an event's has
 * labels, which name the rows.
 */

#define TABLE_FIELDS 1024
#define LABEL_MAX 1024

/**
 * struct table - a table that is being read
 * @eval: state of "barepmu eval"
 * @in: the input
 * @separator: separator of fields
 * @nr: number of fields in a row
 * @column: index of the field's event into &bpmu_eval.column, or -1 for a label, [@nr]
 * @counts: counts of the current row, all of them exact, [number of columns in @eval]
 * @label: labels of the current row, joined
 */
struct table {
	struct bpmu_eval *eval;
	struct bpmu_eval_input *in;
	char separator;
	unsigned int nr;
	int column[TABLE_FIELDS];
	struct bpmu_eval_count *counts;
	char label[LABEL_MAX];
};

static bool is_label(const char *name)
{
	static const char *const labels[] = {
		"", "label", "name", "time", "interval", "cpu", "cpus", "core", "cluster",
		"cache", "die", "socket", "node", "ctrs", "thread", "run", "region"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(labels); i++)
		if (!strcasecmp(name, labels[i]))
			return true;
	return false;
}

/*
 * Returns true if a field of the first line is several event names with blanks between them, which
 * is a mistake.
 */
static bool has_blanks_between(const struct table *t, const char *field)
{
	struct bpmu_event_spec spec;
	struct bpmu_error ignored;
	char *words, *word, *rest;
	unsigned int nr = 0;
	bool known = true;

	words = strdup(field);
	for (word = words ? strtok_r(words, " ", &rest) : NULL; word && known;
	     word = strtok_r(NULL, " ", &rest), nr++) {
		known = is_label(word);
		if (known || bpmu_event_parse(&t->eval->pmu, t->eval->smt, word, &spec, &ignored))
			continue;
		bpmu_event_free(&spec);
		known = true;
	}
	free(words);
	return known && nr > 1;
}

/*
 * Returns true if a name in the first line is a metric's. With --metric-only, perf writes a line
 * with names of metrics: the table then has no counts.
 */
static bool is_metric_name(const struct table *t, const char *name)
{
	struct bpmu_metrics basic = { };
	struct bpmu_error ignored;
	bool found;

	found = !bpmu_metrics_builtin(&basic, "basic", t->eval->pmu.part, &ignored) &&
		bpmu_metrics_find(&basic, name) >= 0;
	bpmu_metrics_free(&basic);
	return found || *name == '%' || strchr(name, ' ') || !strncmp(name, "tma_", 4) ||
	       bpmu_metrics_find(t->eval->choice.lines, name) >= 0;
}

static int eval_table_unknown(struct table *t, const struct bpmu_csv_field *field)
{
	struct bpmu_event_spec spec;
	struct bpmu_error why;

	if (has_blanks_between(t, field->text))
		return bpmu_eval_wrong(t->eval, t->in, field->column,
				       "'%s' has blanks between its names; write commas, semicolons, tabs or |",
				       field->text);
	if (is_metric_name(t, field->text))
		return bpmu_eval_wrong(t->eval, t->in, field->column,
				       "'%s' is a metric, not an event; give counts, which perf stat writes without --metric-only",
				       field->text);
	if (!bpmu_event_parse(&t->eval->pmu, t->eval->smt, field->text, &spec,
			      &why))
		bpmu_event_free(&spec);
	return bpmu_eval_wrong(t->eval, t->in, field->column, "%s", why.text);
}

static bool is_duplicate(const struct bpmu_csv_field *field, unsigned int i)
{
	unsigned int j;

	for (j = 0; j < i; j++)
		if (!strcasecmp(field[j].text, field[i].text))
			return true;
	return false;
}

static int read_head(struct table *t)
{
	struct bpmu_csv_field field[TABLE_FIELDS];
	struct bpmu_eval *eval = t->eval;
	unsigned int i;

	t->nr = bpmu_eval_split(t->in->csv.line, t->separator, field, TABLE_FIELDS);
	if (t->nr == TABLE_FIELDS)
		return bpmu_eval_wrong(eval, t->in, 1,
				       "has %d columns or more; leave out what no metric needs",
				       TABLE_FIELDS);
	for (i = 0; i < t->nr; i++) {
		t->column[i] = -1;
		if (is_label(field[i].text))
			continue;
		if (is_duplicate(field, i))
			return bpmu_eval_wrong(eval, t->in, field[i].column,
					       "event '%s' is there twice; leave one of the columns out",
					       field[i].text);
		t->column[i] = bpmu_eval_column(eval, field[i].text);
		if (t->column[i] < 0)
			return t->column[i];
		if (!eval->column[t->column[i]].known)
			return eval_table_unknown(t, &field[i]);
	}
	if (!eval->nr_columns)
		return bpmu_eval_wrong(eval, t->in, 1,
				       "the first line has no name of an event; give counts, which perf stat writes without --metric-only");
	t->counts = calloc(eval->nr_columns + 1, sizeof(*t->counts));
	if (!t->counts)
		return bpmu_error_no_memory(eval->err, "eval");
	for (i = 0; i < eval->nr_columns; i++)
		t->counts[i] = (struct bpmu_eval_count){
			.number = eval->column[i].otherwise, .share = 1,
		};
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
	struct bpmu_csv_field field[TABLE_FIELDS];
	unsigned int i, nr;
	size_t label = 0;

	nr = bpmu_csv_split(t->in->csv.line, t->separator, NULL, field,
			    TABLE_FIELDS);
	for (i = 0; i < t->nr && i < nr; i++) {
		trim(field[i].text);
		if (t->column[i] < 0)
			label = add_label(t, label, field[i].text);
		else if (!bpmu_eval_read_count(field[i].text,
					       &t->counts[t->column[i]].number))
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
	return bpmu_eval_set(t->eval, t->label, t->counts);
}

/*
 * Reads and evaluates a table, whose first line with names is the current line of the input.
 * Returns 0 or a negative errno.
 */
static int read_table(struct bpmu_eval *eval, struct bpmu_eval_input *in,
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

#define FIRST_FIELDS 64

/*
 * Returns true if toplev has written a line. The line then has a column name or a unit that only
 * toplev writes.
 */
static bool is_toplev(const struct bpmu_csv_field *field, unsigned int nr)
{
	static const char *const texts[] = { "Area", "Stddev", "% Slots", "% Clocks" };
	unsigned int i, k;

	for (i = 0; i < nr; i++)
		for (k = 0; k < ARRAY_SIZE(texts); k++)
			if (!strncmp(field[i].text, texts[k], strlen(texts[k])))
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
	bool toplev;

	if (!eval_input_first_line(in))
		return bpmu_error_set(eval->err, -EINVAL,
				      "%s: is empty; give a table of counts, or what stat -x, stat -j or perf stat -x wrote",
				      in->name);
	if (!is_text(in->csv.line, in->csv.len))
		return bpmu_eval_wrong(eval, in, 1,
				       "is not text; give a table of counts, or what stat -x, stat -j or perf stat -x wrote");
	if (*in->csv.line == '{')
		return bpmu_eval_is_perf_json(in->csv.line) ?
		       bpmu_eval_read_perf_json(eval, in) : read_json(eval, in);
	separator = bpmu_eval_separator(in->csv.line);
	copy = strdup(in->csv.line);
	if (!copy)
		return bpmu_error_no_memory(eval->err, "eval");
	nr = bpmu_eval_split(copy, separator, field, FIRST_FIELDS);
	own = own_event_field(field, nr);
	perf = bpmu_eval_is_perf(field, nr);
	toplev = is_toplev(field, nr);
	free(copy);
	if (toplev)
		return bpmu_eval_wrong(eval, in, 1,
				       "is of 'toplev -x', which writes metrics and no counts; give what perf stat -x wrote, or measure with 'barepmu topdown'");
	if (own)
		return read_own_csv(eval, in, separator);
	if (perf)
		return bpmu_eval_read_perf(eval, in, separator);
	return read_table(eval, in, separator);
}

/**
 * bpmu_eval_read() - evaluate eval's input: counts in any supported format
 * @eval: state of "barepmu eval", with a tree
 * @in: the input, which is open
 *
 * Return: 0, -EINVAL for invalid input, -EIO, or -ENOMEM.
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
