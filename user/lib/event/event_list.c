// SPDX-License-Identifier: GPL-2.0
#include "event.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_counters.h"
#include "events.h"

/*
 * Checks if an event of @list already uses the fixed counter of @term (the event to be added) with
 * another event select, because it counts at other privilege levels.
 */
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

/**
 * bpmu_event_leave_fixed() - move an event off a fixed counter that the list of events uses
 * @pmu: counters of the CPU
 * @smt: true if hyper-threading is on
 * @list: events that were requested earlier
 * @spec: the event; it is moved to general-purpose counters if an event of @list uses the same
 *	fixed counter
 *
 * If an event is requested several times with different privilege levels, only the first request
 * can use the fixed counter. As in perf, general-purpose counters count the other requests, if the
 * CPU model has an event for general-purpose counters that counts the same.
 */
void bpmu_event_leave_fixed(const struct bpmu_pmu *pmu, int smt,
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

static int event_list_no_memory(const char *text, struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM, "event '%s': no memory; free some",
			      text);
}

/**
 * bpmu_event_list_grow() - make room in a list of events for another one
 * @list: zeroed, or with the events of earlier calls
 *
 * Return: 0, or -ENOMEM without a change of the list.
 */
int bpmu_event_list_grow(struct bpmu_event_list *list)
{
	struct bpmu_event_spec *grown;
	unsigned int room = 2 * list->nr + 1;

	if (list->nr < list->room)
		return 0;
	grown = reallocarray(list->spec, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	list->spec = grown;
	list->room = room;
	return 0;
}

/**
 * bpmu_event_list_add() - parse an event and append it to a list
 * @pmu: counters of the CPU, see bpmu_event_parse()
 * @smt: true if hyper-threading is on
 * @text: the event as typed
 * @list: zeroed, or with the events of earlier calls
 *
 * Return: 0, or the error of bpmu_event_parse() without a change of the list.
 */
int bpmu_event_list_add(const struct bpmu_pmu *pmu, int smt, const char *text,
			struct bpmu_event_list *list, struct bpmu_error *err)
{
	int ret;

	if (bpmu_event_list_grow(list))
		return event_list_no_memory(text, err);
	ret = bpmu_event_parse(pmu, smt, text, &list->spec[list->nr], err);
	if (ret)
		return ret;
	bpmu_event_leave_fixed(pmu, smt, list, &list->spec[list->nr]);
	list->nr++;
	return 0;
}

/**
 * bpmu_event_list_add_given() - append to a list of events one that another tool has counted
 * @pmu: counters of the CPU, see bpmu_event_parse()
 * @smt: true if hyper-threading is on
 * @text: the event as typed
 * @unknown: true to accept an event that this PMU cannot count; &bpmu_event_spec.nr is 0 then
 * @list: zeroed, or with the events of earlier calls
 *
 * The event stays on its fixed counter even if another event of the list uses the same counter,
 * because the other tool has counted both already.
 *
 * Return: 0, or the error of bpmu_event_parse() without a change of the list.
 */
int bpmu_event_list_add_given(const struct bpmu_pmu *pmu, int smt,
			      const char *text, bool unknown,
			      struct bpmu_event_list *list,
			      struct bpmu_error *err)
{
	struct bpmu_event_spec *spec;
	int ret;

	if (bpmu_event_list_grow(list))
		return event_list_no_memory(text, err);
	spec = &list->spec[list->nr];
	ret = bpmu_event_parse(pmu, smt, text, spec, err);
	if (ret && unknown) {
		spec->text = strdup(text);
		ret = spec->text ? 0 : event_list_no_memory(text, err);
	}
	list->nr += !ret;
	return ret;
}

/*
 * Returns the end of the first event in a list: a comma, or the end of the text. Commas within
 * [brackets] or cpu/.../ belong to the event.
 */
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

static int refuse_brace(const char *text, struct bpmu_error *err)
{
	return bpmu_error_set(err, -EINVAL,
			      "event list: misplaced '%s'; write {A,B} or {A,B}:u",
			      text);
}

/* Writes the events of "{A,B}:u" as "A:u,B:u". @inside: text in the braces; @filters: ":u" */
static void write_group(FILE *out, char *inside, const char *filters, int len)
{
	char *next;

	for (; inside; inside = next) {
		next = event_end(inside);
		if (next)
			*next++ = '\0';
		fprintf(out, "%s%.*s%s", inside, len, filters, next ? "," : "");
	}
}

/*
 * Writes the events of a group in perf's braces without the braces, and moves *text behind the
 * group. In perf, braces also mean that the events are counted at the same time. barepmu does so
 * with all events of a list that fit on the counters, so that here braces only tell to which events
 * the filters after them apply.
 */
static int spread_group(FILE *out, const char **text, struct bpmu_error *err)
{
	const char *inside = *text + 1;
	const char *end = inside + strcspn(inside, "{}");
	const char *filters = end + 1;
	int len;
	char *copy;

	if (!*end)
		return bpmu_error_set(err, -EINVAL,
				      "event list: a '}' is missing; write {A,B}");
	len = *end == '}' ? (int)strcspn(filters, ",") : 0;
	if (*end == '{' || (len && *filters != ':'))
		return refuse_brace(end, err);
	copy = strndup(inside, end - inside);
	if (!copy)
		return bpmu_error_no_memory(err, "event list");
	write_group(out, copy, filters, len);
	free(copy);
	*text = filters + len;
	return 0;
}

/* Sets @flat to a copy of a list of events in which no event is in braces; the caller frees it. */
static int spread_braces(const char *text, char **flat, struct bpmu_error *err)
{
	const char *begin = text;
	size_t size;
	FILE *out = open_memstream(flat, &size);
	int ret = 0;

	if (!out)
		return bpmu_error_no_memory(err, "event list");
	while (*text && !ret) {
		if (*text == '}' || (*text == '{' && text != begin &&
				     !strchr(", {", text[-1])))
			ret = refuse_brace(text, err);
		else if (*text == '{')
			ret = spread_group(out, &text, err);
		else
			fputc(*text++, out);
	}
	if (fclose(out) && !ret)
		ret = bpmu_error_no_memory(err, "event list");
	return ret;
}

/**
 * bpmu_event_list_each() - split a list of events at its commas
 * @text: the events; filters after perf's braces apply to all events in the braces
 * @each: called for each event, until a call returns an error
 * @data: passed to @each
 *
 * Return: 0, -EINVAL for misplaced braces, -ENOMEM, or the error that @each returned.
 */
int bpmu_event_list_each(const char *text, bpmu_event_each_fn *each, void *data,
			 struct bpmu_error *err)
{
	char *copy = NULL;
	char *next;
	char *event;
	int ret;

	ret = spread_braces(text, &copy, err);
	next = copy;
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
 * struct parsing - arguments for the callback that parses one event of a list
 * @pmu: counters of the CPU, see bpmu_event_parse()
 * @smt: true if hyper-threading is on
 * @list: the events so far
 */
struct parsing {
	const struct bpmu_pmu *pmu;
	int smt;
	struct bpmu_event_list *list;
};

/* Checks if the name of an event has a wildcard, "*" or "?", before the first ":" or "/". */
static bool is_glob(const char *event)
{
	size_t len = strcspn(event, "*?");

	return event[len] && len < strcspn(event, ":/");
}

static int add_match(const struct parsing *p, const char *name,
		     const char *filters, struct bpmu_error *err)
{
	char *event;
	int ret;

	if (asprintf(&event, "%s%s", name, filters) < 0)
		return event_list_no_memory(name, err);
	ret = bpmu_event_list_add(p->pmu, p->smt, event, p->list, err);
	free(event);
	return ret;
}

/**
 * struct glob - a pattern of event names
 * @pattern: pattern without filters
 * @filters: text after the pattern, from the first ":" on; may be empty
 * @refused: set to -ENODEV if no counter of this PMU can count one of the matching events, else 0
 */
struct glob {
	char *pattern;
	const char *filters;
	int refused;
};

static int add_if_matching(const struct parsing *p, struct glob *glob,
			   const char *name, struct bpmu_error *err)
{
	int ret;

	if (fnmatch(glob->pattern, name, FNM_CASEFOLD))
		return 0;
	ret = add_match(p, name, glob->filters, err);
	if (ret != -ENODEV)
		return ret;
	glob->refused = ret;
	return 0;
}

static int add_matching_rows(const struct parsing *p, struct glob *glob,
			     const struct bpmu_event *rows, size_t nr,
			     struct bpmu_error *err)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < nr && !ret; i++)
		ret = add_if_matching(p, glob, rows[i].name, err);
	return ret;
}

static int add_matching_generic(const struct parsing *p, struct glob *glob,
				struct bpmu_error *err)
{
	const struct bpmu_event_alias *aliases;
	const struct bpmu_event *rows;
	int ret = 0;
	size_t nr, i;

	aliases = bpmu_event_aliases(p->pmu->part, &nr);
	for (i = 0; i < nr && !ret; i++)
		ret = add_if_matching(p, glob, aliases[i].name, err);
	if (ret)
		return ret;
	rows = bpmu_cache_events(p->pmu->part, &nr);
	return add_matching_rows(p, glob, rows, nr, err);
}

/*
 * Adds all events that match a pattern and that this PMU can count. perf's generic names are other
 * names of the same events; they are searched only if no event of the vendor's matches, because
 * otherwise "inst*" would count the instructions twice.
 */
static int add_glob(const struct parsing *p, const char *event,
		    struct bpmu_error *err)
{
	const char *start = event + strspn(event, " \t\n");
	struct glob glob = { .filters = start + strcspn(start, ":") };
	unsigned int before = p->list->nr;
	const struct bpmu_event *rows;
	size_t nr;
	int ret;

	glob.pattern = strndup(start, glob.filters - start);
	if (!glob.pattern)
		return event_list_no_memory(event, err);
	rows = bpmu_events(p->pmu->part, &nr);
	ret = add_matching_rows(p, &glob, rows, nr, err);
	if (!ret && !glob.refused && p->list->nr == before)
		ret = add_matching_generic(p, &glob, err);
	if (!ret && p->list->nr == before)
		ret = glob.refused ?: bpmu_error_set(err, -ENOENT,
			"event '%s': nothing of %s matches; see 'barepmu list events'",
			event, p->pmu->part->name);
	free(glob.pattern);
	return ret;
}

static int parse_one(void *data, const char *event, struct bpmu_error *err)
{
	const struct parsing *p = data;

	int ret;

	if (is_glob(event))
		return add_glob(p, event, err);
	ret = bpmu_event_list_add(p->pmu, p->smt, event, p->list, err);
	if (ret || !bpmu_event_is_quotient(&p->list->spec[p->list->nr - 1]))
		return ret;
	return bpmu_error_set(err, -EINVAL,
			      "event '%s': a quotient is no count; write it in a metric file, or ask for both events",
			      event);
}

/**
 * bpmu_event_list_parse() - parse a list of events separated by commas
 * @pmu: counters of the CPU, see bpmu_event_parse()
 * @smt: true if hyper-threading is on
 * @text: the events, also in perf's braces
 * @list: zeroed, or with the events of earlier calls; the events are appended
 *
 * Return: 0, or the error of bpmu_event_parse(); @list then has the events before the invalid
 * one. The caller frees @list also after an error.
 */
int bpmu_event_list_parse(const struct bpmu_pmu *pmu, int smt,
			  const char *text, struct bpmu_event_list *list,
			  struct bpmu_error *err)
{
	struct parsing parsing = { .pmu = pmu, .smt = smt, .list = list };

	return bpmu_event_list_each(text, parse_one, &parsing, err);
}

void bpmu_event_list_free(struct bpmu_event_list *list)
{
	while (list->nr)
		bpmu_event_free(&list->spec[--list->nr]);
	free(list->spec);
	list->spec = NULL;
	list->room = 0;
}
