// SPDX-License-Identifier: GPL-2.0
/*
 * Reads what "perf stat" of Linux 6.1 to 7.2 writes with -x and -j: a record for each count. A
 * record may also have a metric that perf computed; with --metric-only, records have metrics only.
 */
#include "eval_perf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

#define WHERE_MAX 256
#define TIME_MAX 40
#define NAME_MAX 256
/*
 * maximum number of fields between the name of an event and its running time; they are cgroup and
 * variance
 */
#define BETWEEN_MAX 2
/*
 * maximum number of fields before a count; they are the time, the CPU (core, socket, ...) that was
 * counted, and the number of threads
 */
#define BEFORE_MAX 3

static bool is_number(const char *text)
{
	double number;

	return *text && *text != '<' && bpmu_eval_read_count(text, &number);
}

static bool is_count(const char *text)
{
	double number;

	return *text && bpmu_eval_read_count(text, &number);
}

static bool is_percentage(const char *text)
{
	double number;

	return bpmu_eval_read_count(text, &number) && number >= 0 && number <= 100;
}

/**
 * bpmu_eval_is_perf() - check if a line is of "perf stat -x"
 * @field: fields of the first line, [@nr]
 * @nr: number of fields
 *
 * Return: true if the line has a count. The first line of a table has none.
 */
bool bpmu_eval_is_perf(const struct bpmu_csv_field *field, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (is_count(field[i].text))
			return true;
	return false;
}

/*
 * Finds the event in a line of "perf stat -x", whose fields are
 * [time] [CPU or core [threads]] count unit EVENT [cgroup] [variance] running percent ...
 * Returns the event's index, -1 if there is none; sets *@running to the index of the running time.
 */
static int find_event(const struct bpmu_csv_field *field, unsigned int nr,
		      unsigned int *running)
{
	unsigned int between, i;

	for (between = 0; between <= BETWEEN_MAX; between++)
		for (i = 2; i + between + 2 < nr; i++) {
			if (!*field[i].text || is_count(field[i].text) ||
			    !is_count(field[i - 2].text))
				continue;
			*running = i + between + 1;
			if (is_number(field[*running].text) &&
			    is_percentage(field[*running + 1].text))
				return i;
		}
	return -1;
}

/*
 * Returns true if a line of "perf stat -x" has only a metric. The fields of count, unit and event
 * are empty then; the field of the metric's value may be empty, too.
 */
static bool is_metric(const struct bpmu_csv_field *field, unsigned int nr)
{
	unsigned int empty = 0;
	unsigned int i = 0;

	while (i < nr && i < BEFORE_MAX && *field[i].text)
		i++;
	for (; i < nr && !*field[i].text; i++)
		empty++;
	return empty >= 3 && nr - i <= 2;
}

/*
 * Removes modifiers from an event's name in perf's output. Removed are those that do not change
 * which event is counted: host only, guest only, pinned, exclusive, not in the idle task, by BPF
 * (perf-list(1)).
 */
static void drop_modifiers(char *name)
{
	char *colon = strrchr(name, ':'), *slash = strrchr(name, '/');
	char *word = (colon > slash ? colon : slash) ?: name + strlen(name);
	char *to, *from;

	from = word + !!*word;
	to = word + !!*word;
	if (from[strspn(from, "ukhHpPSWDeIb")])
		return;
	for (; *from; from++)
		if (!strchr("HDeIb", *from))
			*to++ = *from;
	*to = '\0';
	if (to == word + 1 && *word == ':')
		*word = '\0';
}

/*
 * Sets @record->event to @name without the PMU that perf may have appended, as in "X
 * [uncore_imc_0]". @name is modified. If the PMU is an uncore PMU, sets @record->of_box: the count
 * is of one of several boxes, whose counts will be added up.
 */
static void split_pmu(struct bpmu_eval_record *record, char *name)
{
	char *pmu = strstr(name, " [");

	record->event = name;
	if (pmu && name[strlen(name) - 1] == ']') {
		*pmu = '\0';
		record->of_box = !strncmp(pmu + 2, "uncore_", 7);
	}
	drop_modifiers(name);
}

/*
 * Returns true if all fields of a line are empty, as perf writes it for a metric without a value.
 */
static bool is_empty(const char *line, char separator)
{
	while (*line == separator || *line == ' ')
		line++;
	return !*line;
}

static int perf_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
		     char separator, struct bpmu_eval_sets *sets)
{
	struct bpmu_csv_field field[BPMU_EVAL_RECORD_FIELDS];
	struct bpmu_eval_record record = { .time = "", .of_groups = true };
	const char *row = "", *cgroup = "";
	unsigned int first = 0, running = 0;
	char where[WHERE_MAX];
	unsigned int nr;
	int event;

	if (is_empty(in->csv.line, separator))
		return 0;
	nr = bpmu_eval_split(in->csv.line, separator, field, BPMU_EVAL_RECORD_FIELDS);
	event = find_event(field, nr, &running);
	if (event < 0 && is_metric(field, nr)) {
		eval->perf_metrics++;
		return 0;
	}
	if (event < 0)
		return bpmu_eval_wrong(eval, in, 1,
				       "is not a line of 'perf stat -x': no count, unit, event, time and percentage in a row, which --metric-only leaves out; remove it, or give the names of the events in the first line of a table");
	if (event > 2 && (is_number(field[0].text) || !strcmp(field[0].text, "summary")))
		record.time = field[first++].text;
	if ((int)first < event - 2)
		row = field[first].text;
	if ((int)running > event + 1 &&
	    !strchr(field[event + 1].text, '%'))
		cgroup = field[event + 1].text;
	snprintf(where, sizeof(where), "%s%s%s", row, *row && *cgroup ? " " : "", cgroup);
	record.where = where;
	split_pmu(&record, field[event].text);
	bpmu_eval_read_count(field[event - 2].text, &record.count);
	bpmu_eval_read_count(field[running].text, &record.running);
	bpmu_eval_read_count(field[running + 1].text, &record.percent);
	record.half = bpmu_eval_half_width(record.count, record.percent / 100,
					   record.running);
	return bpmu_eval_add_record(eval, in, sets, &record);
}

static int perf_finish(struct bpmu_eval *eval, const struct bpmu_eval_input *in,
		       struct bpmu_eval_sets *sets)
{
	int ret = bpmu_eval_sets_flush(sets);

	if (ret || eval->rows || !eval->perf_metrics)
		return ret;
	return bpmu_error_set(eval->err, -EINVAL,
			      "%s: has metrics of perf, and no counts; measure without --metric-only",
			      in->name);
}

/*
 * Calls @line for each line of the input. @line collects the counts of the lines, which are then
 * evaluated. A line that begins with "#" separates the outputs of two runs of perf. Returns 0 or a
 * negative errno.
 */
static int perf_lines(struct bpmu_eval *eval, struct bpmu_eval_input *in, char separator,
		      int (*line)(struct bpmu_eval *eval, struct bpmu_eval_input *in,
				  char separator, struct bpmu_eval_sets *sets))
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval);
	int ret = sets ? 0 : -ENOMEM;

	while (!ret) {
		ret = *in->csv.line == '#' ? bpmu_eval_sets_flush(sets) :
					     line(eval, in, separator, sets);
		if (ret || !bpmu_csv_next(&in->csv))
			break;
	}
	if (!ret)
		ret = perf_finish(eval, in, sets);
	bpmu_eval_sets_free(sets);
	return ret;
}

/**
 * bpmu_eval_read_perf() - evaluate what "perf stat -x" wrote
 * @eval: state of "barepmu eval", with a tree
 * @in: the input, whose current line is the first one with a count; a later line that begins with
 *	"#" separates the outputs of two runs
 * @separator: separator of fields
 *
 * Return: what bpmu_eval_read() returns.
 */
int bpmu_eval_read_perf(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			char separator)
{
	return perf_lines(eval, in, separator, perf_line);
}

/**
 * bpmu_eval_is_perf_json() - check if a line is of "perf stat -j"
 * @line: first line, which begins with a brace
 *
 * Return: true if the line has a member that perf writes, and no "type", which "barepmu stat -j"
 * writes. Also true if the line has only metrics: perf 6.1 writes such a first line without any
 * member; later versions of perf write a text as the value of the first member.
 */
bool bpmu_eval_is_perf_json(const char *line)
{
	static const char *const members[] = {
		"\"counter-value\"", "\"metric-value\"", "\"unit\"", "\"interval\"",
	};
	const char *value = strchr(line, ':');
	size_t i;

	if (strstr(line, "\"type\""))
		return false;
	for (i = 0; i < ARRAY_SIZE(members); i++)
		if (strstr(line, members[i]))
			return true;
	return line[1 + strspn(line + 1, " ")] == '}' ||
	       (value && value[1 + strspn(value + 1, " ")] == '"');
}

/*
 * perf 6.1 writes nan as the value of a metric, which is not valid JSON. Replaces it by valid JSON,
 * but not within strings.
 */
static void mend_numbers(char *line)
{
	bool quoted = false;
	size_t len;
	char *at;

	for (at = line; *at; at++) {
		quoted ^= *at == '"';
		len = strspn(at, "-nainf");
		if (quoted || len < 3 || at[-1] != ' ')
			continue;
		memset(at, ' ', len);
		*at = '0';
	}
}

/* Sets @where to what a JSON object's count is of: the CPU, core, socket, ... and the cgroup. */
static void take_row(const json_t *object, char *where, size_t size)
{
	static const char *const rows[] = {
		"cpu", "core", "cluster", "cache", "die", "socket", "node", "thread",
	};
	const char *cgroup = json_string_value(json_object_get(object, "cgroup"));
	const char *row = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows) && !row; i++)
		row = json_string_value(json_object_get(object, rows[i]));
	/*
	 * The CPU, core, socket, ... is named as in the output of "perf stat -x", so that results
	 * from -j and -x have the same labels.
	 */
	snprintf(where, size, "%s%s%s%s", i == 1 && row ? "CPU" : "", row ?: "",
		 row && cgroup ? " " : "", cgroup ?: "");
}

static int take_counter(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			const json_t *object, struct bpmu_eval_sets *sets)
{
	const char *count = json_string_value(json_object_get(object, "counter-value"));
	const char *event = json_string_value(json_object_get(object, "event"));
	const json_t *percent = json_object_get(object, "pcnt-running");
	const json_t *interval = json_object_get(object, "interval");
	struct bpmu_eval_record record = { .time = "", .of_groups = true };
	char where[WHERE_MAX], when[TIME_MAX], name[NAME_MAX];

	if (!count || !bpmu_eval_read_count(count, &record.count) || !event ||
	    !json_is_number(percent))
		return bpmu_eval_wrong(eval, in, 1,
				       "has no \"counter-value\", \"event\" or \"pcnt-running\" of the right type; give what 'perf stat -j' wrote");
	record.percent = json_number_value(percent);
	record.running = json_number_value(json_object_get(object, "event-runtime"));
	record.half = bpmu_eval_half_width(record.count, record.percent / 100, record.running);
	if (json_is_number(interval)) {
		snprintf(when, sizeof(when), "%.9f", json_number_value(interval));
		record.time = when;
	}
	take_row(object, where, sizeof(where));
	record.where = where;
	snprintf(name, sizeof(name), "%s", event);
	split_pmu(&record, name);
	return bpmu_eval_add_record(eval, in, sets, &record);
}

/*
 * Returns true if a line of "perf stat -j" has a metric and no count. The line may be invalid JSON
 * if perf 6.1 has written it.
 */
static bool is_metric_json(const char *line)
{
	return !strstr(line, "\"counter-value\"") && !strstr(line, "\"event\"");
}

static int perf_json_line(struct bpmu_eval *eval, struct bpmu_eval_input *in,
			  char separator, struct bpmu_eval_sets *sets)
{
	json_error_t why;
	json_t *object;
	int ret;

	(void)separator;
	if (!in->csv.len)
		return 0;
	if (is_metric_json(in->csv.line)) {
		eval->perf_metrics++;
		return 0;
	}
	mend_numbers(in->csv.line);
	object = json_loadb(in->csv.line, in->csv.len, JSON_REJECT_DUPLICATES, &why);
	if (!object)
		return bpmu_eval_wrong(eval, in, why.column > 0 ? why.column : 1,
				       "not JSON, %s; give one object a line",
				       why.text);
	ret = take_counter(eval, in, object, sets);
	json_decref(object);
	return ret;
}

/**
 * bpmu_eval_read_perf_json() - evaluate what "perf stat -j" wrote
 * @eval: state of "barepmu eval", with a tree
 * @in: the input, whose current line is the first JSON object; a later line that begins with "#"
 *	separates the outputs of two runs
 *
 * Return: what bpmu_eval_read() returns.
 */
int bpmu_eval_read_perf_json(struct bpmu_eval *eval, struct bpmu_eval_input *in)
{
	return perf_lines(eval, in, '\0', perf_json_line);
}
