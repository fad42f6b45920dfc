// SPDX-License-Identifier: GPL-2.0
#include "report_by_place.h"

#include <ctype.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* what is met behind so many places is not kept apart */
#define PLACES_MAX 65536U
#define OTHERS "[others]"

/* of a key or label that is made here */
#define TEXT_MAX 48

static int compare_keys(const void *a, const void *b)
{
	const struct bpmu_by_place *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* a process may call itself what it likes: nothing of it moves the cursor */
static char *tidy(const char *text)
{
	char *copy = strdup(text);
	char *at;

	for (at = copy; at && *at; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
	return copy;
}

/* for one more; twice as much each time */
static bool make_room(struct bpmu_by *by)
{
	struct bpmu_by_place **grown;

	if (by->nr & (by->nr - 1))
		return true;
	grown = reallocarray(by->place, by->nr ? 2 * by->nr : 1,
			     sizeof(*grown));
	if (grown)
		by->place = grown;
	return grown;
}

static struct bpmu_by_place *new_place(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_place *place;

	if (!make_room(by))
		return NULL;
	place = calloc(1, sizeof(*place) +
		       by->about->groups.slots * sizeof(*place->cell));
	if (!place)
		return NULL;
	place->key = strdup(key);
	place->label = tidy(key);
	if (place->key && place->label &&
	    tsearch(place, &by->tree, compare_keys)) {
		by->place[by->nr++] = place;
		return place;
	}
	free(place->key);
	free(place->label);
	free(place);
	return NULL;
}

static struct bpmu_by_place *find_place(struct bpmu_by *by, const char *key)
{
	struct bpmu_by_place wanted = { .key = (char *)key };
	struct bpmu_by_place **at = tfind(&wanted, &by->tree, compare_keys);

	if (at)
		return *at;
	if (by->nr >= PLACES_MAX && strcmp(key, OTHERS))
		return find_place(by, OTHERS);
	return new_place(by, key);
}

/* the name is that of its first thread, the latest that it had */
static void name_process(struct bpmu_by_place *place,
			 const struct bpmu_who *who)
{
	char label[TEXT_MAX];
	char *copy;

	if (place->samples && who->pid != who->tgid)
		return;
	snprintf(label, sizeof(label), "%u %s", who->tgid,
		 who->flags & BPMU_WHO_IDLE ? "[idle]" : who->comm);
	if (!strcmp(label, place->label))
		return;
	copy = tidy(label);
	if (!copy)
		return;
	free(place->label);
	place->label = copy;
}

static struct bpmu_by_place *process_place(struct bpmu_by *by,
					   const struct bpmu_who *who)
{
	struct bpmu_by_place *place;
	char key[TEXT_MAX];

	snprintf(key, sizeof(key), "%u", who->tgid);
	place = find_place(by, key);
	if (place && !strcmp(place->key, key))
		name_process(place, who);
	return place;
}

/**
 * bpmu_by_place() - what a sample has interrupted
 * @by: begun
 * @sample: says who, unless the places are CPUs
 *
 * Return: the place, which may be new, or NULL without memory.
 */
struct bpmu_by_place *bpmu_by_place(struct bpmu_by *by,
				    const struct bpmu_recording_sample *sample)
{
	const struct bpmu_who *who = sample->who;
	const char *label;
	char key[TEXT_MAX];

	if (by->kind == BPMU_BY_CPU) {
		snprintf(key, sizeof(key), "%u", sample->head.cpu);
		return find_place(by, key);
	}
	switch (by->kind) {
	case BPMU_BY_COMM:
		return find_place(by, who->flags & BPMU_WHO_IDLE ? "[idle]" :
				  who->comm);
	case BPMU_BY_PID:
		return process_place(by, who);
	default:
		label = bpmu_by_symbols_label(&by->symbols, who);
		return label ? find_place(by, label) : NULL;
	}
}

static void keep(void *place)
{
	(void)place;
}

/**
 * bpmu_by_free_places() - free all of them
 * @by: in any state
 */
void bpmu_by_free_places(struct bpmu_by *by)
{
	tdestroy(by->tree, keep);
	while (by->nr) {
		free(by->place[--by->nr]->key);
		free(by->place[by->nr]->label);
		free(by->place[by->nr]);
	}
	free(by->place);
}
