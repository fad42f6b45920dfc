// SPDX-License-Identifier: GPL-2.0
/*
 * What all views (tables with plots) of an HTML page have in common: JSON numbers, the list of
 * counts to read from the recording, and the time axis.
 */
#include "html_view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count/flaw.h"
#include "metric/value_flag.h"
#include "source/report_map.h"

/**
 * bpmu_html_number() - make a number of a view of the HTML page, null if it is not finite
 * @number: the number, which JSON cannot represent if it is NAN or infinite
 *
 * Return: the number, or null if it is not finite.
 */
json_t *bpmu_html_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

/**
 * bpmu_html_half() - make a JSON value for a view: the half-width of a 95 % interval
 * @half: 0 if the value is exact, INFINITY if the interval is unknown
 *
 * Return: the number, or "inf".
 */
json_t *bpmu_html_half(double half)
{
	return isfinite(half) ? json_real(half) : json_string("inf");
}

/**
 * bpmu_html_no_memory() - set @err to say that memory for a view ran out
 *
 * Return: -ENOMEM.
 */
int bpmu_html_no_memory(struct bpmu_error *err)
{
	return bpmu_error_set(err, -ENOMEM,
		"--html: out of memory; take longer intervals with -I, or fewer CPUs with -C");
}

/**
 * bpmu_html_has() - check that the recording has the events of a view of the HTML page
 * @html: the page
 * @groups: groups of the events that the view needs
 * @err: filled in if 0 is not returned
 *
 * Return: 0, -ENODATA if an event was not recorded, or -ENOMEM.
 */
int bpmu_html_has(const struct bpmu_html *html, const struct bpmu_groups *groups,
		  struct bpmu_error *err)
{
	const struct bpmu_measure recorded = {
		.groups = { &html->type->target.recorded->groups },
	};
	const struct bpmu_measure wanted = {
		.groups = { groups }, .nr_cpus = html->type->target.cpus.nr,
	};
	struct bpmu_map map;
	int code;

	code = bpmu_map_make(&map, &wanted, &recorded, 0, err);
	bpmu_map_free(&map);
	return code;
}

/**
 * bpmu_html_count() - note for bpmu_html_read() which counts a view of the HTML page needs
 * @html: the page
 * @groups: groups of the view's events, whose counts are read from the recording; must live until
 *	bpmu_html_read() returns
 * @interval_ns: length of the intervals in ns; 0 for one interval, the whole time
 * @emit: called by bpmu_html_read() with the counts of each interval
 * @view: passed to @emit
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_html_count(struct bpmu_html *html, const struct bpmu_groups *groups,
		    u64 interval_ns, bpmu_html_emit *emit, void *view,
		   struct bpmu_error *err)
{
	struct bpmu_measure *wanted;

	wanted = reallocarray(html->wanted, html->nr_wanted + 1, sizeof(*wanted));
	if (!wanted)
		return bpmu_html_no_memory(err);
	html->wanted = wanted;
	wanted[html->nr_wanted++] = (struct bpmu_measure){
		.info = &html->type->target.info,
		.cpus = html->type->target.cpus.cpu,
		.nr_cpus = html->type->target.cpus.nr,
		.groups = { groups },
		.interval_ns = interval_ns,
		.emit = emit,
		.data = view,
	};
	return 0;
}

/**
 * bpmu_html_keep() - keep a view of the HTML page until its counts have been read
 * @html: the page, which frees the view
 * @view: the view
 * @free: frees @view; bpmu_html_free() calls it or, if bpmu_html_keep() fails, bpmu_html_keep()
 *	does
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_html_keep(struct bpmu_html *html, void *view, void (*free)(void *view),
		   struct bpmu_error *err)
{
	struct bpmu_html_made *made;

	made = reallocarray(html->made, html->nr_made + 1, sizeof(*made));
	if (!made) {
		free(view);
		return bpmu_html_no_memory(err);
	}
	html->made = made;
	made[html->nr_made++] = (struct bpmu_html_made){ view, free };
	return 0;
}

/**
 * bpmu_html_read() - read the recording once, to fill all views of the HTML page
 * @html: the page, whose recording is at its start
 */
int bpmu_html_read(struct bpmu_html *html, struct bpmu_error *err)
{
	if (!html->nr_wanted)
		return 0;
	return bpmu_replay_run(html->replay, html->wanted, html->nr_wanted, err);
}

/**
 * bpmu_html_free() - free the views of an HTML page
 * @html: the page
 */
void bpmu_html_free(struct bpmu_html *html)
{
	unsigned int i;

	for (i = 0; i < html->nr_made; i++)
		html->made[i].free(html->made[i].view);
	free(html->made);
	free(html->wanted);
}

/**
 * bpmu_html_group() - make the JSON object of a group of events for a view of the HTML page
 *
 * Return: an object, or NULL if memory runs out.
 */
json_t *bpmu_html_group(const struct bpmu_group *group)
{
	json_t *events = json_array();
	unsigned int i;

	for (i = 0; i < group->sched.nr; i++)
		json_array_append_new(events,
				      json_string(group->sched.slot[i].text));
	return json_pack("{s:b,s:o}", "uncore",
			 group->sched.bank == BPMU_BANK_UNCORE, "events",
			 events);
}

/**
 * bpmu_html_axis_begin() - add the arrays of the time axis, still empty, to a view of the HTML page
 * @axis: filled in with references to the new arrays
 * @view: the view
 * @groups: groups of the counted events
 *
 * Return: 0 or -ENOMEM.
 */
int bpmu_html_axis_begin(struct bpmu_html_axis *axis, json_t *view,
			 const struct bpmu_groups *groups,
			 struct bpmu_error *err)
{
	unsigned int g;
	json_t *group;
	int bad;

	axis->begin = json_array();
	axis->end = json_array();
	axis->lost = json_array();
	axis->flaws = json_array();
	axis->groups = json_array();
	for (g = 0; g < groups->nr; g++) {
		group = bpmu_html_group(&groups->group[g]);
		json_object_set_new(group, "running", json_array());
		json_array_append_new(axis->groups, group);
	}
	bad = json_object_set_new(view, "begin", axis->begin) |
	      json_object_set_new(view, "end", axis->end) |
	      json_object_set_new(view, "lost", axis->lost) |
	      json_object_set_new(view, "flaws", axis->flaws) |
	      json_object_set_new(view, "groups", axis->groups);
	return bad ? bpmu_html_no_memory(err) : 0;
}

/*
 * Returns the fraction of the interval for which an event group was counted: its running time
 * divided by its enabled time, both summed over all CPUs.
 */
static double running(const struct bpmu_groups *groups, unsigned int g,
		      const struct bpmu_interval *interval,
		      unsigned int nr_cpus)
{
	const struct bpmu_group *group = &groups->group[g];
	double ran = 0, enabled = 0;
	unsigned int pos;

	for (pos = 0; pos < nr_cpus; pos++) {
		ran += interval->cell[(size_t)pos * groups->slots +
				      group->first].running;
		enabled += bpmu_interval_time(interval, group->sched.bank, pos);
	}
	return enabled > 0 ? ran / enabled : NAN;
}

/**
 * bpmu_html_axis_add() - append an interval to the time axis of a view of the HTML page
 * @axis: from bpmu_html_axis_begin()
 * @groups: groups of the counted events
 * @interval: counts of all CPUs in the interval
 * @nr_cpus: number of CPUs
 */
void bpmu_html_axis_add(struct bpmu_html_axis *axis,
			const struct bpmu_groups *groups,
			const struct bpmu_interval *interval,
			unsigned int nr_cpus)
{
	char flaws[BPMU_VALUE_FLAG_TEXT];
	unsigned int g, pos;
	json_int_t lost = 0;
	json_t *group;

	for (pos = 0; pos < nr_cpus; pos++)
		lost += interval->lost[pos];
	json_array_append_new(axis->begin,
			      bpmu_html_number(interval->seconds -
					       interval->duration));
	json_array_append_new(axis->end, bpmu_html_number(interval->seconds));
	json_array_append_new(axis->lost, json_integer(lost));
	bpmu_value_flags_text(bpmu_flaws_of_values(bpmu_flaws_of(interval,
								 nr_cpus)),
			      "", ", ", "", flaws);
	json_array_append_new(axis->flaws, json_string(flaws));
	json_array_foreach(axis->groups, g, group)
		json_array_append_new(json_object_get(group, "running"),
				      bpmu_html_number(running(groups, g, interval,
							       nr_cpus)));
}
