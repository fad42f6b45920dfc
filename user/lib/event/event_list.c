// SPDX-License-Identifier: GPL-2.0
#include "event.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "event_counters.h"

/* is the fixed counter of this term taken by another one of the list */
static bool fixed_is_taken(const struct bpmu_event_list *list,
			   const struct bpmu_event_term *term)
{
	const struct bpmu_event_term *other;
	unsigned int i;

	for (i = 0; i < list->nr; i++) {
		other = &list->spec[i].term[0];
		if (other->counters == term->counters &&
		    other->select != term->select)
			return true;
	}
	return false;
}

/*
 * Of an event in several rings only the first can have the fixed counter; as
 * under perf the others move to a general one, if an event counts the same there.
 */
static void leave_fixed(const struct bpmu_pmu *pmu, int smt,
			const struct bpmu_event_list *list,
			struct bpmu_event_spec *spec)
{
	struct bpmu_event_term *term = &spec->term[0];
	const struct bpmu_event *general;
	u64 select;

	if (!bpmu_event_fixed(spec->row, smt) || !fixed_is_taken(list, term))
		return;
	general = bpmu_event_general(pmu->part, term->counters);
	if (!general)
		return;
	select = general->select | term->select;
	if (bpmu_select_illegal(pmu, 0, select))
		return;
	term->select = select;
	term->counters = bpmu_event_counters(pmu, smt, general, select);
}

static int no_memory(const char *text, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM, "event '%s': no memory; free some",
			      text);
}

static int grow(struct bpmu_event_list *list, const char *text,
		struct bpmu_error *err)
{
	struct bpmu_event_spec *grown;

	grown = reallocarray(list->spec, list->nr + 1, sizeof(*grown));
	if (!grown)
		return no_memory(text, err);
	list->spec = grown;
	return 0;
}

/**
 * bpmu_event_list_add() - read an event and append it
 * @pmu: as for bpmu_event_parse()
 * @smt: the same
 * @text: the event
 * @list: zeroed, or from an earlier call
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, or the error of bpmu_event_parse(); then the list is unchanged.
 */
int bpmu_event_list_add(const struct bpmu_pmu *pmu, int smt, const char *text,
			struct bpmu_event_list *list, struct bpmu_error *err)
{
	int ret;

	ret = grow(list, text, err);
	if (!ret)
		ret = bpmu_event_parse(pmu, smt, text, &list->spec[list->nr],
				       err);
	if (ret)
		return ret;
	leave_fixed(pmu, smt, list, &list->spec[list->nr]);
	list->nr++;
	return 0;
}

/**
 * bpmu_event_list_add_given() - append an event that others have counted
 * @pmu: as for bpmu_event_parse()
 * @smt: the same
 * @text: the event
 * @unknown: one that cannot be counted here is appended too, with no terms
 * @list: zeroed, or from an earlier call
 * @err: set on failure
 *
 * It is what its row says, whatever counter another one of the list is on.
 *
 * Context: process.
 * Return: 0, or the error of bpmu_event_parse(); then the list is unchanged.
 */
int bpmu_event_list_add_given(const struct bpmu_pmu *pmu, int smt,
			      const char *text, bool unknown,
			      struct bpmu_event_list *list,
			      struct bpmu_error *err)
{
	struct bpmu_event_spec *spec;
	int ret;

	ret = grow(list, text, err);
	if (ret)
		return ret;
	spec = &list->spec[list->nr];
	ret = bpmu_event_parse(pmu, smt, text, spec, err);
	if (ret && unknown) {
		spec->text = strdup(text);
		ret = spec->text ? 0 : no_memory(text, err);
	}
	list->nr += !ret;
	return ret;
}

/* the comma that ends the first event: not one in [], and not one in cpu// */
static char *event_end(char *text)
{
	int slashes = 0;
	int depth = 0;

	for (; *text; text++) {
		slashes += *text == '/';
		depth += (*text == '[') - (*text == ']');
		if (*text == ',' && !depth && slashes % 2 == 0)
			return text;
	}
	return NULL;
}

/*
 * perf's braces ask for events to be counted at the same time. All events of a
 * list are, so they say nothing here and become blanks.
 */
static int drop_braces(char *text, struct bpmu_error *err)
{
	char *p;
	int open = 0;

	for (p = text; *p; p++) {
		if (*p != '{' && *p != '}')
			continue;
		open += *p == '{' ? 1 : -1;
		if (open < 0 || open > 1 || (*p == '}' && p[1] == ':'))
			return bpmu_error_set(err, -EINVAL,
					      "event list: misplaced '%s'; write {A,B} and filters behind each event",
					      p);
		*p = ' ';
	}
	if (open)
		return bpmu_error_set(err, -EINVAL,
				      "event list: a '}' is missing; write {A,B}");
	return 0;
}

/**
 * bpmu_event_list_each() - take a list apart at its commas
 * @text: the events; perf's braces are accepted
 * @each: called for each of them, until it returns an error
 * @data: passed to @each
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, -EINVAL for misplaced braces, -ENOMEM, or the error of @each.
 */
int bpmu_event_list_each(const char *text, bpmu_event_each_fn *each, void *data,
			 struct bpmu_error *err)
{
	char *copy = strdup(text);
	char *next = copy;
	char *event;
	int ret;

	if (!copy)
		return bpmu_error_set(err, -ENOMEM,
				      "event list: no memory; free some");
	ret = drop_braces(copy, err);
	while (!ret && next) {
		event = next;
		next = event_end(event);
		if (next)
			*next++ = '\0';
		ret = each(data, event, err);
	}
	free(copy);
	return ret;
}

/**
 * struct parsing - a list on its way
 * @pmu: as for bpmu_event_parse()
 * @smt: the same
 * @list: the events so far
 */
struct parsing {
	const struct bpmu_pmu *pmu;
	int smt;
	struct bpmu_event_list *list;
};

static int parse_one(void *data, const char *event, struct bpmu_error *err)
{
	const struct parsing *p = data;

	return bpmu_event_list_add(p->pmu, p->smt, event, p->list, err);
}

/**
 * bpmu_event_list_parse() - read events separated by commas
 * @pmu: as for bpmu_event_parse()
 * @smt: the same
 * @text: the events; perf's braces are accepted
 * @list: zeroed, or from an earlier call: the events are appended
 * @err: set on failure
 *
 * Context: process.
 * Return: 0, or the error of bpmu_event_parse(); the list holds the events
 * before the wrong one and is to be freed in any case.
 */
int bpmu_event_list_parse(const struct bpmu_pmu *pmu, int smt,
			  const char *text, struct bpmu_event_list *list,
			  struct bpmu_error *err)
{
	struct parsing parsing = { .pmu = pmu, .smt = smt, .list = list };

	return bpmu_event_list_each(text, parse_one, &parsing, err);
}

/**
 * bpmu_event_list_free() - free all events of a list
 * @list: the list, empty afterwards
 *
 * Context: any.
 */
void bpmu_event_list_free(struct bpmu_event_list *list)
{
	while (list->nr)
		bpmu_event_free(&list->spec[--list->nr]);
	free(list->spec);
	list->spec = NULL;
}
