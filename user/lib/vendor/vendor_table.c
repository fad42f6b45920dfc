// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event_name.h"
#include "events.h"
#include "vendor.h"
#include "vendor_event.h"

#define LEAST_ROOM 1024

static bool upper(const char *name, char *key)
{
	size_t i;

	for (i = 0; name[i]; i++) {
		if (i == BPMU_VENDOR_NAME - 1)
			return false;
		key[i] = toupper((unsigned char)name[i]);
	}
	key[i] = '\0';
	return true;
}

/*
 * Looks up an event's name in @names, a JSON object that maps event names in upper case to numbers.
 * @name may be in upper or lower case. Returns false if @names lacks the name.
 */
static bool vendor_table_find(const json_t *names, const char *name, json_int_t *number)
{
	char key[BPMU_VENDOR_NAME];
	const json_t *value;

	value = upper(name, key) ? json_object_get(names, key) : NULL;
	if (!value)
		return false;
	*number = json_integer_value(value);
	return true;
}

static int vendor_table_keep(json_t *names, const char *name, json_int_t number)
{
	char key[BPMU_VENDOR_NAME];

	if (!upper(name, key))
		return -EINVAL;
	return json_object_set_new_nocheck(names, key, json_integer(number));
}

static bool vendor_table_same(const struct bpmu_vendor_event *a,
			      const struct bpmu_vendor_event *b)
{
	return a->refusal == b->refusal && a->row.select == b->row.select &&
	       a->row.unit == b->row.unit &&
	       a->row.counters == b->row.counters;
}

/*
 * Called for an event whose name is already in the table. Returns an error if the event is in one
 * file twice, or if two files define an event of the core differently, as files for two core types
 * do. It is no error if two files define an event of an uncore unit differently.
 */
static int clash(const struct bpmu_vendor_set *v, const struct bpmu_json_at *at,
		 const struct bpmu_vendor_event *old,
		 const struct bpmu_vendor_event *event)
{
	if (old->file == event->file)
		return bpmu_json_error(at, "EventName",
				       "the file has this event already; leave one of the two out");
	if (event->row.unit != BPMU_UNIT_CORE ||
	    old->refusal == BPMU_REFUSAL_UNIT ||
	    event->refusal == BPMU_REFUSAL_UNIT || vendor_table_same(old, event))
		return 0;
	return bpmu_error_set(at->err, -EEXIST,
			      "%s: Events[%zu].EventName: %s is another event in a file loaded before; name one file of %s only",
			      at->file, at->index, event->row.name,
			      v->part->name);
}

static int vendor_table_grow(struct bpmu_vendor_set *v)
{
	size_t room = v->room ? v->room * 2 : LEAST_ROOM;
	struct bpmu_vendor_event *grown;

	if (v->nr_events < v->room)
		return 0;
	grown = reallocarray(v->event, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	v->event = grown;
	v->room = room;
	return 0;
}

/**
 * bpmu_vendor_add_event() - add an event to the table of a vendor's files
 * @v: receives the event; bpmu_vendor_row() finds it after the next bpmu_vendor_index()
 * @at: JSON object of the event, in the last file of @v->files
 *
 * If several files have an event of this name, the event of the first file is kept.
 *
 * Return: 0, -EINVAL if a value is malformed or the file has the event twice, -EEXIST if an earlier
 * file defines the event differently, or -ENOMEM.
 */
int bpmu_vendor_add_event(struct bpmu_vendor_set *v,
			  const struct bpmu_json_at *at)
{
	struct bpmu_vendor_event event = {
		.file = json_array_size(v->files),
	};
	json_int_t old;
	int ret;

	ret = bpmu_vendor_event_read(at, v->part, &event);
	if (ret)
		return ret;
	if (vendor_table_find(v->event_names, event.row.name, &old))
		return clash(v, at, &v->event[old], &event);
	if (vendor_table_grow(v) || vendor_table_keep(v->event_names, event.row.name, v->nr_events))
		return bpmu_error_no_memory(at->err, "events");
	v->event[v->nr_events++] = event;
	return 0;
}

/*
 * Replaces an event of the tool's own table by an event of a file. If both have the same event
 * select, facts that files lack are kept: the errata, and which counters count the event correctly.
 */
static void replace_row(struct bpmu_event *row, const struct bpmu_event *loaded)
{
	const struct bpmu_event own = *row;

	*row = *loaded;
	if (row->select != own.select || row->unit != own.unit)
		return;
	if (!row->errata)
		row->errata = own.errata;
	if (row->counters & own.counters)
		row->counters &= own.counters;
	if (row->counters_noht & own.counters_noht)
		row->counters_noht &= own.counters_noht;
}

static const struct bpmu_vendor_event *
loaded(const struct bpmu_vendor_set *v, const char *name)
{
	json_int_t i;

	return vendor_table_find(v->event_names, name, &i) ? &v->event[i] : NULL;
}

/*
 * Makes the event table @v->row from the tool's own events of the CPU model and the events of the
 * files. An event of a file replaces the tool's own event of the same name.
 */
static int vendor_table_merge(struct bpmu_vendor_set *v)
{
	const struct bpmu_vendor_event *event;
	const struct bpmu_event *own;
	struct bpmu_event *row;
	size_t nr;
	size_t i;

	own = bpmu_events_own(v->part, &nr);
	free(v->row);
	v->nr_rows = 0;
	v->row = calloc(nr + v->nr_events + 1, sizeof(*v->row));
	if (!v->row)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		v->row[i] = own[i];
	v->nr_rows = nr;
	qsort(v->row, nr, sizeof(*v->row), bpmu_event_compare);
	for (i = 0; i < v->nr_events; i++) {
		event = &v->event[i];
		if (event->refusal)
			continue;
		row = bsearch(&event->row, v->row, nr, sizeof(*row), bpmu_event_compare);
		if (row)
			replace_row(row, &event->row);
		else
			v->row[v->nr_rows++] = event->row;
	}
	qsort(v->row, v->nr_rows, sizeof(*v->row), bpmu_event_compare);
	return 0;
}

/**
 * bpmu_vendor_index() - replace the CPU model's event table by one with the vendor's events, too
 * @v: has all events, from bpmu_vendor_add_event()
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_vendor_index(struct bpmu_vendor_set *v, struct bpmu_error *err)
{
	int ret = vendor_table_merge(v);

	v->loaded.rows = v->row;
	v->loaded.nr = v->nr_rows;
	return ret ? bpmu_error_no_memory(err, "events") : 0;
}

/**
 * bpmu_vendor_row() - find an event by its name in the event table with the vendor's events
 * @v: contents of the loaded files, after bpmu_vendor_index()
 * @name: name of the event without modifiers, in upper or lower case
 *
 * Return: the event, owned by @v; NULL if no event of this name can be counted.
 */
const struct bpmu_event *bpmu_vendor_row(const struct bpmu_vendor_set *v,
					 const char *name)
{
	const struct bpmu_event wanted = { .name = name };

	return v->nr_rows ? bsearch(&wanted, v->row, v->nr_rows,
				    sizeof(wanted), bpmu_event_compare) : NULL;
}

/**
 * bpmu_vendor_known() - check by name if the table of the vendor's loaded files has an event
 * @v: contents of the loaded files, or zeroed if none was loaded
 * @name: name of the event, in upper or lower case, with or without modifiers
 *
 * Return: true if a file has an event of this name, even if the event cannot be counted.
 */
bool bpmu_vendor_known(const struct bpmu_vendor_set *v, const char *name)
{
	char base[BPMU_VENDOR_NAME];

	snprintf(base, sizeof(base), "%.*s", (int)strcspn(name, ":"), name);
	return v->files && loaded(v, base);
}

/**
 * bpmu_vendor_refused() - find an event in the vendor's table of events if it cannot be counted
 * @v: contents of the loaded files
 * @name: name of the event without modifiers, in upper or lower case
 *
 * Return: the event, owned by @v; NULL if the event can be counted, or if no event has this name.
 */
const struct bpmu_vendor_event *
bpmu_vendor_refused(const struct bpmu_vendor_set *v, const char *name)
{
	return bpmu_vendor_row(v, name) ? NULL : loaded(v, name);
}

/**
 * bpmu_vendor_why() - write why an event in the table of the vendor's events cannot be counted
 * @event: an event that cannot be counted, from bpmu_vendor_refused()
 * @why: set to the rest of a sentence whose subject is the event, such as "needs ..."
 * @size: size of @why in bytes
 */
void bpmu_vendor_why(const struct bpmu_vendor_event *event, char *why,
		     size_t size)
{
	static const char *const texts[] = {
		[BPMU_REFUSAL_UNIT] = "needs uncore unit %s, which this tool does not count",
		[BPMU_REFUSAL_MSR] = "needs register %s besides its counter, which the module does not program for it",
		[BPMU_REFUSAL_PEBS] = "has a meaning as PEBS samples only",
		[BPMU_REFUSAL_ALONE] = "must be counted alone, which this tool does not do",
		[BPMU_REFUSAL_FILTER] = "needs %s, which this CPU model lacks",
		[BPMU_REFUSAL_MODULE] = "needs %s, which the module does not program",
		[BPMU_REFUSAL_FREERUN] = "is a free-running counter; 'barepmu list events' has those that this tool reads, by other names",
	};
	const char *text = texts[event->refusal];
	const char *mark = strstr(text, "%s");

	if (!mark) {
		snprintf(why, size, "%s", text);
		return;
	}
	snprintf(why, size, "%.*s%.60s%s", (int)(mark - text), text,
		 event->detail ? event->detail : "", mark + 2);
}
