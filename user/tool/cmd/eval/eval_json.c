// SPDX-License-Identifier: GPL-2.0
/*
 * Records as JSON lines, as "stat -j" writes them.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "eval_record.h"

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
	struct bpmu_eval_record record = { .count = NAN, .percent = 100 };
	const char *part = json_string_value(json_object_get(object, "part"));
	/* "place" is the former name of "key" */
	static const char *const row[] = { "cpus", "key", "place" };
	const json_t *where = NULL;
	char when[TIME_MAX];
	size_t i;

	if (part && !bpmu_eval_is_of(eval, part))
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
	snprintf(when, sizeof(when), "%.9f", json_number_value(time));
	record.time = when;
	return bpmu_eval_sets_add(sets, &record);
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

/**
 * bpmu_eval_json() - evaluate what "stat -j" wrote
 * @eval: the call
 * @in: at the first object
 *
 * Objects of other types than "count" are left out, and so are counts of another
 * part, as those of the other cores of a hybrid one.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bpmu_eval_json(struct bpmu_eval *eval, struct bpmu_eval_input *in)
{
	struct bpmu_eval_sets *sets = bpmu_eval_sets_new(eval, in);
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
