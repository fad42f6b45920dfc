// SPDX-License-Identifier: GPL-2.0
/*
 * The input: a table of counts, records in the tool's own CSV or in perf's, or the
 * tool's own JSON lines.
 */
#include "eval.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/decimal.h"
#include "base/plain.h"
#include "eval_record.h"
#include "event/event_name.h"

/* sets an error at a column, from 1, of the current line: "<what>; <what to do>" */
__printf(4, 5)
static int eval_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
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

/* returns true for the evaluated part; remembers the name of another, such as a core type */
static bool take_part(struct bpmu_eval *eval, const char *part)
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

/* splits a line, in which events may be in perf's form, into at most @most fields */
static unsigned int split_fields(char *line, char separator,
				 struct bpmu_csv_field *field, unsigned int most)
{
	return bpmu_csv_split(line, separator, skip_perf_event, field, most);
}

/* gives NAN for an empty text and "<not counted>" and the like; false for another text */
static bool read_count(const char *text, double *number)
{
	*number = NAN;
	if (!*text || !strncmp(text, "<not ", 5))
		return true;
	return bpmu_decimal_parse(text, text + strlen(text), number);
}

/* returns the first usual separator of the first line, or a comma */
static char find_separator(const char *line)
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

static int add_record(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
		      struct bpmu_eval_sets *sets,
		      const struct bpmu_eval_record *record)
{
	int ret = bpmu_eval_sets_add(sets, record);

	if (ret != -EEXIST)
		return ret;
	return eval_wrong(eval, in, 1,
			  "event '%s' is there twice; drop one, or measure with -I so that times differ",
			  record->event);
}

/*
 * Records in CSV: the tool's own, and perf's, which has no header line.
 */

#define RECORD_FIELDS 32

/**
 * struct own - indices of the fields of the tool's own records
 * @part: name of the CPUs' part, 0 if there is only one core type
 * @where: list of CPUs, core, package, process, symbol or other row
 * @event: name of the event; count, unit and running percentage follow
 * @half: half-width of the 95 % interval, 0 if the records have none
 * @clock: cycles in the slices of the count, 0 if the records have none
 */
struct own {
	unsigned int part;
	unsigned int where;
	unsigned int event;
	unsigned int half;
	unsigned int clock;
};

/* A record has at least this many fields from the event's name on. */
enum own_field { OWN_EVENT, OWN_COUNT, OWN_UNIT, OWN_PERCENT, OWN_NEEDED };

/* returns the index of the event's field in the first line of "stat -x", else 0 */
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

/* Returns the index of a field behind the event's in the first line, 0 if there is none. */
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
	struct bpmu_csv_field field[RECORD_FIELDS];
	unsigned int nr = split_fields(line, separator, field, RECORD_FIELDS);

	own->event = own_event_field(field, nr);
	own->part = !strcmp(field[1].text, "part");
	own->where = own->part + 1;
	own->half = own_field(own, field, nr, "uncertainty");
	own->clock = own_field(own, field, nr, "clock");
}

/* An empty field is that of an exact count. */
static double own_half_width(const struct own *own, const struct bpmu_csv_field *all,
			     unsigned int nr)
{
	double half = 0;

	if (!own->half || own->half >= nr || !*all[own->half].text)
		return 0;
	return read_count(all[own->half].text, &half) ? half : INFINITY;
}

/* Returns 0 for an empty field, which is that of an exact count or without cycles. */
static double own_clock(const struct own *own, const struct bpmu_csv_field *all,
			unsigned int nr)
{
	double clock;

	if (!own->clock || own->clock >= nr || !*all[own->clock].text)
		return 0;
	return read_count(all[own->clock].text, &clock) && clock > 0 ? clock : 0;
}

static int own_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		    char separator, const struct own *own,
		    struct bpmu_eval_sets *sets)
{
	struct bpmu_csv_field all[RECORD_FIELDS];
	const struct bpmu_csv_field *field = all + own->event;
	struct bpmu_eval_record record;
	unsigned int nr;

	nr = split_fields(in->csv.line, separator, all, RECORD_FIELDS);
	if (nr < own->event + OWN_NEEDED)
		return eval_wrong(eval, in, 1,
				  "the row has %u fields, a record at least %d; is the file cut off?",
				  nr, own->event + OWN_NEEDED);
	/* The row is a metric, not a count. */
	if (strcmp(field[OWN_UNIT].text, "events"))
		return 0;
	if (own->part && !take_part(eval, all[own->part].text))
		return 0;
	record.time = all[0].text;
	record.where = all[own->where].text;
	record.event = field[OWN_EVENT].text;
	if (!read_count(field[OWN_COUNT].text, &record.count))
		return eval_wrong(eval, in, field[OWN_COUNT].column,
				  "'%s' is not a count; write a number or <not counted>",
				  field[OWN_COUNT].text);
	if (!read_count(field[OWN_PERCENT].text, &record.percent) ||
	    isnan(record.percent))
		return eval_wrong(eval, in, field[OWN_PERCENT].column,
				  "'%s' is not a percentage; write a number",
				  field[OWN_PERCENT].text);
	record.half = own_half_width(own, all, nr);
	record.clock = own_clock(own, all, nr);
	return add_record(eval, in, sets, &record);
}

/* skips counts of another part, such as the other core type of a hybrid part */
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

static bool eval_csv_is_number(const char *text)
{
	double number;

	return *text && *text != '<' && read_count(text, &number);
}

static bool is_count(const char *text)
{
	double number;

	return *text && read_count(text, &number);
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
	struct bpmu_csv_field field[RECORD_FIELDS];
	struct bpmu_eval_record record = { .time = "", .where = "" };
	unsigned int first = 0;
	double running;
	unsigned int nr;
	int event;

	nr = split_fields(in->csv.line, separator, field, RECORD_FIELDS);
	event = event_field(field, nr);
	if (event < 0)
		return eval_wrong(eval, in, 1,
				  "is not a line of 'perf stat -x': no count, unit, event, time and percentage in a row; remove it, or give the names of the events in the first line of a table");
	if (event > 2 && eval_csv_is_number(field[0].text))
		record.time = field[first++].text;
	if ((int)first < event - 2)
		record.where = field[first].text;
	record.event = field[event].text;
	read_count(field[event - 2].text, &record.count);
	read_count(field[event + 1].text, &running);
	read_count(field[event + 2].text, &record.percent);
	record.half = bpmu_eval_half_width(record.count, record.percent / 100,
					   running);
	return add_record(eval, in, sets, &record);
}

/* perf prints further metrics of an event in lines without an event's name. */
static bool lacks_event(const char *line, char separator)
{
	while (*line == separator || *line == ' ')
		line++;
	return !*line;
}

/* starts at the first count; a comment begins the output of another run */
static int read_perf_csv(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			 char separator)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret) {
		if (*in->csv.line == '#')
			ret = bpmu_eval_sets_flush(sets);
		else if (!lacks_event(in->csv.line, separator))
			ret = perf_line(eval, in, separator, sets);
		if (ret || !bpmu_csv_next(&in->csv))
			break;
	}
	if (!ret)
		ret = bpmu_eval_sets_flush(sets);
	bpmu_eval_sets_free(sets);
	return ret;
}

/*
 * Records as JSON lines, as "stat -j" writes them.
 */

#define TIME_MAX 40

static int eval_json_wrong(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
			   const char *member)
{
	return eval_wrong(eval, in, 1,
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
	/* "place" is the former name of "key" */
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
	/* null: it is unknown */
	record.half = json_is_null(half) ? INFINITY : json_number_value(half);
	record.clock = json_number_value(json_object_get(object, "clock"));
	snprintf(when, sizeof(when), "%.9f", json_number_value(time));
	record.time = when;
	return add_record(eval, in, sets, &record);
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
		return eval_wrong(eval, in, why.column > 0 ? why.column : 1,
				  "not JSON, %s; give one object a line",
				  why.text);
	type = json_string_value(json_object_get(object, "type"));
	if (!type)
		ret = eval_wrong(eval, in, 1,
				 "has no \"type\"; give what 'stat -j' wrote");
	else if (!strcmp(type, "count"))
		ret = take_count(eval, in, object, sets);
	json_decref(object);
	return ret;
}

/* skips objects of types other than "count", and counts of another part */
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
 * A table: a line of event names, then one row per set of counts. Columns that are not
 * events are labels of their row.
 */

#define TABLE_FIELDS 1024
#define LABEL_MAX 1024

/**
 * struct table - a table that is being read
 * @eval: state of the evaluation
 * @in: the input
 * @separator: separator of fields
 * @nr: number of fields per row
 * @column: index into &bpmu_eval.column, or -1 for a label, [@nr]
 * @counts: counts of a row, each exact, [nr columns]
 * @label: label of a row
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
	return eval_wrong(t->eval, t->in, field->column, "%s", why.text);
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

	t->nr = split_fields(t->in->csv.line, t->separator, field, TABLE_FIELDS);
	if (t->nr == TABLE_FIELDS)
		return eval_wrong(eval, t->in, 1,
				  "has %d columns or more; leave out what no metric needs",
				  TABLE_FIELDS);
	for (i = 0; i < t->nr; i++) {
		t->column[i] = -1;
		if (is_label(field[i].text))
			continue;
		if (is_duplicate(field, i))
			return eval_wrong(eval, t->in, field[i].column,
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
		else if (!read_count(field[i].text,
				     &t->counts[t->column[i]].number))
			return eval_wrong(t->eval, t->in, field[i].column,
					  "'%s' is not a number; write a count, or nothing if there is none",
					  field[i].text);
	}
	t->label[label] = '\0';
	bpmu_plain(t->label, "");
	if (nr != t->nr)
		return eval_wrong(t->eval, t->in,
				  nr < t->nr ? t->in->csv.len + 1 :
				  field[t->nr].column - 1,
				  "the row has %s fields than the head has columns, %u; complete it or correct the head",
				  nr < t->nr ? "fewer" : "more", t->nr);
	return bpmu_eval_set(t->eval, t->label, t->counts);
}

/* starts at the line with the names */
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

/* A line of perf has a count; the first line of a table has none. */
static bool is_perf(const struct bpmu_csv_field *field, unsigned int nr)
{
	double number;
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (*field[i].text && read_count(field[i].text, &number))
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
		return eval_wrong(eval, in, 1,
				  "is not text; give a table of counts, or what stat -x, stat -j or perf stat -x wrote");
	if (*in->csv.line == '{')
		return read_json(eval, in);
	separator = find_separator(in->csv.line);
	copy = strdup(in->csv.line);
	if (!copy)
		return bpmu_error_no_memory(eval->err, "eval");
	nr = split_fields(copy, separator, field, FIRST_FIELDS);
	own = own_event_field(field, nr);
	perf = is_perf(field, nr);
	free(copy);
	if (own)
		return read_own_csv(eval, in, separator);
	if (perf)
		return read_perf_csv(eval, in, separator);
	return read_table(eval, in, separator);
}

/**
 * bpmu_eval_read() - evaluate an input of any supported format
 * @eval: the call, with a tree
 * @in: open
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
