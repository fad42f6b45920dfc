// SPDX-License-Identifier: GPL-2.0
/*
 * The events of "barepmu stat" as CSV and JSON. The rows of an event differ in a few fields only,
 * so they are printed by a form: constant text with gaps for these fields.
 */
#include <math.h>

#include "base/array.h"
#include "count/spread.h"
#include "event/event_counters.h"
#include "stat_form.h"

enum row_field {
	EVENT, COUNT, JOULES, UNIT, HALF, AT_MOST, OTHERS, ENABLED, RUNNING, PERCENT, LOST, FLAGS,
	CSV_HALF, CLOCK, ERRATA, TYPE, CSV_FLAGS, FIELDS
};

_Static_assert((int)FIELDS <= BPMU_STAT_FIELDS, "a form has fewer fields than a row");

/**
 * bpmu_stat_row_percent() - percentage of the time in which the event of stat's row was counted
 * @row: the row
 *
 * Return: per cent; 0 if nothing was counted.
 */
double bpmu_stat_row_percent(const struct bpmu_stat_row *row)
{
	if (row->count.running == row->count.enabled)
		return row->count.enabled ? 100 : 0;
	return row->count.enabled ? 100.0 * row->count.running / row->count.enabled : 0;
}

/* makes the form of the rows of an event */
static int form_event(struct bpmu_stat_view *stat, struct bpmu_stat_event *event,
		      struct bpmu_error *err)
{
	struct bpmu_stat_form *form = bpmu_stat_form_new(&event->errata);
	const struct bpmu_field fields[FIELDS] = {
		[EVENT] = { "event", event->name, BPMU_FIELD_TEXT },
		[COUNT] = { "count", "<not counted>", BPMU_FIELD_FIXED, .varies = BPMU_VARIES_OFTEN },
		[JOULES] = { "joules", .form = BPMU_FIELD_FIXED, .digits = 6, .only = BPMU_JSON,
			     .absent = true,
			     .varies = event->joule > 0 ? BPMU_VARIES_OFTEN : BPMU_VARIES_NOT },
		[UNIT] = { "unit", "events", BPMU_FIELD_TEXT },
		[HALF] = { "uncertainty", .form = BPMU_FIELD_FIXED, .only = BPMU_JSON,
			   .varies = BPMU_VARIES_SELDOM },
		[AT_MOST] = { "at_most_slices", .form = BPMU_FIELD_FIXED, .only = BPMU_JSON,
			      .varies = BPMU_VARIES_SELDOM },
		[OTHERS] = { "other_slices", .form = BPMU_FIELD_FIXED, .only = BPMU_JSON,
			     .varies = BPMU_VARIES_SELDOM },
		[ENABLED] = { "enabled_ticks", .form = BPMU_FIELD_WHOLE, .only = BPMU_JSON,
			      .varies = BPMU_VARIES_OFTEN },
		[RUNNING] = { "running_ticks", .form = BPMU_FIELD_WHOLE, .only = BPMU_JSON,
			      .varies = BPMU_VARIES_OFTEN },
		[PERCENT] = { "enabled_percent", .form = BPMU_FIELD_FIXED, .digits = 2,
			      .only = BPMU_CSV, .varies = BPMU_VARIES_SELDOM },
		[LOST] = { "lost", .form = BPMU_FIELD_WHOLE, .varies = BPMU_VARIES_SELDOM },
		[FLAGS] = { "flags", form ? form->flags : NULL, BPMU_FIELD_WORDS,
			    .only = BPMU_JSON, .varies = BPMU_VARIES_SELDOM },
		[CSV_HALF] = { "uncertainty", .form = BPMU_FIELD_FIXED, .only = BPMU_CSV,
			       .varies = BPMU_VARIES_SELDOM },
		[CLOCK] = { "clock", .form = BPMU_FIELD_FIXED, .varies = BPMU_VARIES_SELDOM },
		[ERRATA] = { "errata", form ? form->errata : NULL, BPMU_FIELD_WORDS },
		[TYPE] = { "type", "event", BPMU_FIELD_TEXT, .only = BPMU_CSV },
		[CSV_FLAGS] = { "flags", form ? form->flags : NULL, BPMU_FIELD_WORDS,
				.only = BPMU_CSV, .varies = BPMU_VARIES_SELDOM },
	};

	event->form = form;
	return bpmu_stat_form_make(stat, form, "count", fields, FIELDS, err);
}

/**
 * bpmu_stat_row_put() - print a row of stat, an event on some CPUs, as CSV or JSON
 * @stat: a core type; its line is appended to
 * @row: the row
 */
void bpmu_stat_row_put(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	const struct bpmu_estimate *count = &row->count;
	struct bpmu_stat_form *form = row->event->form;
	struct bpmu_field *field = form->field;
	bool none = !bpmu_estimate_seen(count);
	bool unseen = bpmu_estimate_unseen(count);
	bool clock = row->clock.running && !row->clock.missing;
	const struct bpmu_stat_seldom now = {
		.half = bpmu_estimate_half_width(count),
		.percent = bpmu_stat_row_percent(row),
		.clock = clock ? row->clock.value : NAN,
		.lost = row->lost, .flags = row->flags,
	};

	field[COUNT].number = none ? NAN : count->value;
	if (stat->call->options.format == BPMU_JSON) {
		field[JOULES].absent = none;
		field[JOULES].number = count->value * row->event->joule;
		field[HALF].number = now.half;
		field[AT_MOST].absent = !unseen;
		field[OTHERS].absent = !unseen;
		if (unseen) {
			field[AT_MOST].number = bpmu_estimate_at_most(count);
			field[OTHERS].number = ceil(count->others);
		}
		field[ENABLED].whole = count->enabled;
		field[RUNNING].whole = count->running;
	}
	field[PERCENT].number = now.percent;
	field[LOST].whole = now.lost;
	field[CSV_HALF].text = isinf(now.half) ? "inf" : NULL;
	field[CSV_HALF].number = now.half;
	field[CSV_HALF].absent = !now.half;
	field[CLOCK].number = now.clock;
	field[CLOCK].absent = !clock;
	bpmu_stat_form_put(stat, form, row->cpus, &now);
}

/* Checks if CPUID reports an event as absent; it enumerates events of fixed counters otherwise. */
static bool is_absent(const struct bpmu_stat_view *stat, const struct bpmu_event_spec *spec)
{
	unsigned int i;
	int number;

	for (i = 0; i < spec->nr; i++) {
		number = spec->term[i].unit ? -1 : bpmu_arch_event(spec->term[i].select);
		if (number >= 0 && stat->type->target.info.pmu.absent >> number & 1)
			return true;
	}
	return false;
}

/* returns the shown event of unhalted cycles at the privilege levels of a core's event, or NULL */
static const struct bpmu_stat_event *stat_clock_of(const struct bpmu_stat_view *stat,
						   const struct bpmu_event_spec *spec)
{
	const struct bpmu_stat_event *clock = stat->shown;
	unsigned int i;

	for (i = 0; spec->term[0].unit == BPMU_UNIT_CORE && i < stat->nr_shown; i++, clock++)
		if (clock->cycles && !((clock->spec->term[0].select ^ spec->term[0].select) &
				       BPMU_STAT_LEVELS))
			return clock;
	return NULL;
}

/* Checks if instructions per cycle are printed as a metric, for all privilege levels. */
static bool has_ipc(const struct bpmu_stat_view *stat, const struct bpmu_event_spec *spec)
{
	int i = bpmu_metrics_find(&stat->type->tree.metrics, "IPC");

	return i >= 0 && stat->type->tree.shown[i] &&
	       (spec->term[0].select & BPMU_STAT_LEVELS) == BPMU_STAT_LEVELS;
}

/* Looks up those facts about an event that are the same for all of its rows. */
static void stat_row_find(const struct bpmu_stat_view *stat, struct bpmu_stat_event *event)
{
	const struct bpmu_event_spec *spec = event->spec;

	event->absent = is_absent(stat, spec);
	event->joule = fmax(0, bpmu_event_joules(&stat->type->target.info.pmu, spec->row));
	event->gauge = bpmu_event_is_gauge(spec->row);
	bpmu_groups_event_slots(stat->type->groups, spec, spec, &event->slots);
	event->clock = stat_clock_of(stat, spec);
	if (event->clock)
		bpmu_groups_event_slots(stat->type->groups, spec, event->clock->spec,
					&event->clock_slots);
	event->noted = event->clock && event->instructions && !bpmu_stat_has_entries(stat) &&
		       !has_ipc(stat, spec);
}

/**
 * bpmu_stat_row_forms() - look up what stat's rows of events need, and make their forms
 * @stat: a core type with its events, groups and rows
 *
 * Text has no forms.
 */
int bpmu_stat_row_forms(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	bool text = stat->call->options.format == BPMU_TEXT || !stat->type->rows.nr;
	unsigned int i;
	int code = 0;

	for (i = 0; i < stat->nr_shown; i++)
		stat_row_find(stat, &stat->shown[i]);
	for (i = 0; i < stat->nr_shown && !text && !code; i++)
		code = form_event(stat, &stat->shown[i], err);
	return code;
}
