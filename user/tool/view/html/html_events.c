// SPDX-License-Identifier: GPL-2.0
/*
 * View (a table with plots) of the recorded events on an HTML page. Each event is a node of the
 * view, with counts per second in each interval and the count over the whole time.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/spread.h"
#include "html_view.h"

/**
 * struct events - view of the recorded events, while it is made for an HTML page
 * @html: the page
 * @list: recorded events without duplicates
 * @groups: groups in which the events of @list are scheduled; recorded counts are read as counts of
 *	these groups
 * @axis: the view's arrays over time, [intervals]
 * @nodes: JSON array of the nodes, [events of @list]
 * @object: JSON object of the view
 */
struct events {
	struct bpmu_html *html;
	struct bpmu_event_list list;
	struct bpmu_groups groups;
	struct bpmu_html_axis axis;
	json_t *nodes;
	json_t *object;
};

static bool has(const struct bpmu_event_list *list, const char *text)
{
	unsigned int i;

	for (i = 0; i < list->nr; i++)
		if (!strcmp(list->spec[i].text, text))
			return true;
	return false;
}

/*
 * Finds the recorded events. Leaves out events whose names are not known because they are from
 * vendor files that the user has not named.
 */
static int html_events_find(struct events *events, struct bpmu_error *err)
{
	const struct bpmu_target *target = &events->html->type->target;
	const struct bpmu_groups *groups = &target->recorded->groups;
	const struct bpmu_sched *sched;
	unsigned int g, i;
	int code = 0;

	for (g = 0; g < groups->nr; g++) {
		sched = &groups->group[g].sched;
		for (i = 0; i < sched->nr && code != -ENOMEM; i++)
			if (!has(&events->list, sched->slot[i].text))
				code = bpmu_event_list_parse(&target->info.pmu,
							     target->smt, sched->slot[i].text,
							     &events->list, err);
	}
	if (code == -ENOMEM || events->list.nr)
		return code == -ENOMEM ? code : 0;
	return bpmu_error_set(err, -ENODATA,
			      "events: none has a name that is known here; give the files that they are of with --events");
}

static struct bpmu_estimate html_events_sum(const struct events *events,
					    const struct bpmu_interval *interval,
					    unsigned int i)
{
	struct bpmu_estimate sum = { };
	unsigned int pos;

	for (pos = 0; pos < events->html->type->target.cpus.nr; pos++)
		bpmu_interval_estimate(&events->groups, interval, pos,
				       &events->list.spec[i], &sum);
	return sum;
}

static void html_events_on_total(void *data, const struct bpmu_interval *interval)
{
	struct events *events = data;
	struct bpmu_estimate all;
	unsigned int i;
	json_t *node;

	json_array_foreach(events->nodes, i, node) {
		all = html_events_sum(events, interval, i);
		json_object_set_new(node, "value",
				    bpmu_estimate_seen(&all) ?
				    json_integer(llround(all.value)) :
				    json_null());
		json_object_set_new(node, "half", bpmu_html_half(
				    bpmu_estimate_half_width(&all)));
		json_object_set_new(node, "part", bpmu_html_number(
				    (double)all.running / all.enabled));
	}
}

static void html_events_on_interval(void *data, const struct bpmu_interval *interval)
{
	struct events *events = data;
	struct bpmu_estimate now;
	unsigned int i;
	json_t *node;
	double s = interval->duration;

	json_array_foreach(events->nodes, i, node) {
		now = html_events_sum(events, interval, i);
		bpmu_html_node_point(node,
				     bpmu_html_number(bpmu_estimate_seen(&now) ?
						      now.value / s : NAN),
				     bpmu_html_half(bpmu_estimate_half_width(&now) / s));
	}
}

/*
 * Adds to the view how long each recorded group was on the counters in an interval (its running
 * time). The recorded groups are used, because the groups of the view have the recorded counts, but
 * no running times.
 */
static void on_recorded(void *data, const struct bpmu_interval *interval)
{
	struct events *events = data;
	const struct bpmu_target *target = &events->html->type->target;

	bpmu_html_axis_add(&events->axis, &target->recorded->groups, interval,
			   target->cpus.nr);
}

static int html_events_fill(struct events *events, struct bpmu_error *err)
{
	const struct bpmu_target *target = &events->html->type->target;
	const struct bpmu_groups_wish wish = {
		.siblings = bpmu_target_has_siblings(target),
		.arb_both = target->recorded->arb_both,
		.of = bpmu_target_counted(target),
	};
	struct bpmu_errata errata;
	unsigned int i;
	json_t *node;
	int code;

	events->nodes = json_array();
	for (i = 0; i < events->list.nr; i++) {
		node = json_pack("{s:i,s:s,s:s,s:b,s:[],s:[]}", "id", i,
				 "name", events->list.spec[i].text, "unit",
				 "counts/s", "share", 0, "v", "u");
		errata.nr = 0;
		bpmu_errata_of_event(&events->html->type->errata,
				     &events->list.spec[i], &errata);
		bpmu_html_node_errata(node, &errata);
		json_array_append_new(events->nodes, node);
	}
	if (json_object_set_new(events->object, "nodes", events->nodes))
		return bpmu_html_no_memory(err);
	code = bpmu_groups_make(&events->groups, &target->info.pmu,
				&events->list, &wish, err);
	if (!code)
		code = bpmu_html_has(events->html, &events->groups, err);
	if (!code)
		code = bpmu_html_axis_begin(&events->axis, events->object,
					    &target->recorded->groups, err);
	if (!code)
		code = bpmu_html_count(events->html, &target->recorded->groups,
				       events->html->interval_ns, on_recorded,
				      events, err);
	if (!code)
		code = bpmu_html_count(events->html, &events->groups, 0, html_events_on_total,
				       events, err);
	if (!code)
		code = bpmu_html_count(events->html, &events->groups,
				       events->html->interval_ns, html_events_on_interval,
				      events, err);
	return code;
}

static void html_events_free(void *data)
{
	struct events *events = data;

	bpmu_groups_free(&events->groups);
	bpmu_event_list_free(&events->list);
	json_decref(events->object);
	free(events);
}

/**
 * bpmu_html_events() - make the HTML page's view of the recorded events
 * @html: the page; bpmu_html_read() later reads the view's values from the recording
 * @json: set to the view
 *
 * Return: 0, -ENODATA if no event is known, or another negative errno.
 */
int bpmu_html_events(struct bpmu_html *html, json_t **json,
		     struct bpmu_error *err)
{
	struct events *events = calloc(1, sizeof(*events));
	int code;

	if (!events)
		return bpmu_html_no_memory(err);
	events->html = html;
	events->object = json_object();
	code = html_events_find(events, err);
	if (!code)
		code = html_events_fill(events, err);
	if (code) {
		html_events_free(events);
		return code;
	}
	*json = json_incref(events->object);
	return bpmu_html_keep(html, events, html_events_free, err);
}
