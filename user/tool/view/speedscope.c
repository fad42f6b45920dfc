// SPDX-License-Identifier: GPL-2.0
/*
 * Writes call stacks in speedscope's file format: JSON with the names of functions, and for each
 * event a profile: its call stacks, which are lists of functions, and the weight of each stack
 * (https://www.speedscope.app/file-format-schema.json).
 */
#include "speedscope.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"

/**
 * struct frames - functions in the call stacks of all events
 * @list: array of objects, each with the name of a function
 * @index: object whose keys are the names of the functions, and whose values are the positions of
 *	the functions in @list
 */
struct frames {
	json_t *list;
	json_t *index;
};

/*
 * Returns the position of a function in @frames->list, and adds the function if it is not there; -1
 * if memory runs out.
 */
static json_int_t frame_of(struct frames *frames, const char *name)
{
	const json_t *known = json_object_get(frames->index, name);
	json_int_t nr = json_array_size(frames->list);

	if (known)
		return json_integer_value(known);
	if (json_array_append_new(frames->list, json_pack("{s:s}", "name", name)) ||
	    json_object_set_new(frames->index, name, json_integer(nr)))
		return -1;
	return nr;
}

/*
 * Returns an array of the functions of a call stack, the outermost first; NULL if memory runs out.
 */
static json_t *stack_of(struct frames *frames, const char *label)
{
	char *copy = strdup(label), *rest = copy, *name;
	json_t *stack = json_array();
	bool failed = !copy;
	json_int_t frame;

	while (!failed && (name = strsep(&rest, ";"))) {
		frame = frame_of(frames, name);
		failed = frame < 0 || json_array_append_new(stack, json_integer(frame));
	}
	free(copy);
	if (!failed)
		return stack;
	json_decref(stack);
	return NULL;
}

/*
 * Returns the call stacks of an event and their weights, as speedscope's "profile"; NULL if memory
 * runs out.
 */
static json_t *profile_of(struct frames *frames, const struct bpmu_event_shares *event)
{
	json_t *samples = json_array(), *weights = json_array();
	json_t *profile = json_pack("{s:s, s:s, s:s, s:i, s:I, s:o, s:o}", "type", "sampled",
				    "name", event->shares.slot->text, "unit", "none",
				    "startValue", 0,
				    "endValue", (json_int_t)event->shares.all.sum,
				    "samples", samples, "weights", weights);
	unsigned int i;

	for (i = 0; i < event->by.nr && profile; i++) {
		const struct bpmu_by_entry *entry = event->by.entry[i];

		if (json_array_append_new(samples, stack_of(frames, entry->label)) ||
		    json_array_append_new(weights, json_integer(entry->events.sum))) {
			json_decref(profile);
			return NULL;
		}
	}
	return profile;
}

/**
 * bpmu_speedscope_make() - make the JSON of call stacks in speedscope's format
 * @name: title of the file, which says what was recorded
 * @events: events that interrupted, [@nr]; the interrupts of each event are summed by call stack
 *	(BPMU_BY_STACK), and make one profile of the file
 * @nr: number of events
 *
 * An interrupt stands for the events since the same event's interrupt before it. The weight of a
 * stack is the number of events for which the interrupts with this stack stand. Stacks are sorted
 * by weight, the largest first, not by time.
 *
 * Return: the JSON, or NULL if memory runs out.
 */
json_t *bpmu_speedscope_make(const char *name, const struct bpmu_event_shares *events,
			     unsigned int nr)
{
	struct frames frames = { json_array(), json_object() };
	json_t *profiles = json_array();
	json_t *root = NULL;
	unsigned int i;
	int code = 0;

	for (i = 0; i < nr && !code; i++)
		code = json_array_append_new(profiles, profile_of(&frames, &events[i]));
	if (!code)
		root = json_pack("{s:s, s:s, s:s, s:{s:O}, s:O}",
				 "$schema", "https://www.speedscope.app/file-format-schema.json",
				 "exporter", "barepmu " BPMU_VERSION, "name", name,
				 "shared", "frames", frames.list, "profiles", profiles);
	json_decref(profiles);
	json_decref(frames.list);
	json_decref(frames.index);
	return root;
}

/**
 * bpmu_speedscope_write() - write call stacks as a file of speedscope's format
 * @name: title of the file, which says what was recorded
 * @events: events as for bpmu_speedscope_make(), [@nr]
 * @nr: number of events
 *
 * Return: 0 or -ENOMEM. The caller checks that @out could be written.
 */
int bpmu_speedscope_write(FILE *out, const char *name, const struct bpmu_event_shares *events,
			  unsigned int nr, struct bpmu_error *err)
{
	json_t *root = bpmu_speedscope_make(name, events, nr);

	if (!root)
		return bpmu_error_no_memory(err, "--speedscope");
	json_dumpf(root, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(root);
	return 0;
}
