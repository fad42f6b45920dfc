// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the events of "barepmu stat" as CSV and JSON. The rows of an event differ in a few fields,
 * so they are printed by a form: constant text with gaps for these fields.
 */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/decimal.h"
#include "count/spread.h"
#include "event/event_counters.h"
#include "stat_form.h"

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
	const unsigned int joules = event->joule > 0 ? 1u << BPMU_STAT_JOULES : 0;
	struct bpmu_field field[BPMU_STAT_FIELDS];
	unsigned int nr;

	nr = bpmu_stat_fields(stat, BPMU_STAT_OF_EVENT | joules, field);
	field[BPMU_STAT_EVENT].text = event->name;
	field[BPMU_STAT_COUNT].text = "<not counted>";
	field[BPMU_STAT_TYPE].text = "count";
	field[BPMU_STAT_ENABLED].piece = &stat->enabled.digits;
	field[BPMU_STAT_RUNNING].piece = &stat->running.digits;
	if (form) {
		field[BPMU_STAT_ERRATA].text = form->errata;
		field[BPMU_STAT_FLAGS].text = form->flags;
	}
	event->form = form;
	return bpmu_stat_form_make(stat, form, "count", field, nr, err);
}

/* Sets the text of a number of ticks, which is mostly the same in the next row. */
static void set_ticks(struct bpmu_stat_ticks *latest, u64 ticks)
{
	char text[BPMU_DECIMAL_TEXT];

	latest->ticks = ticks;
	latest->digits.nr = bpmu_decimal_whole(text, ticks);
	memcpy(latest->digits.text, text, latest->digits.nr);
}

/*
 * Sets the fields that vary seldom. Returns true if they have the same values as in the previous
 * row of the form. Not inlined: bpmu_stat_row_put() would else save more registers for each row.
 */
static __attribute__((noinline)) bool
set_seldom(const struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	const struct bpmu_estimate *count = &row->count;
	struct bpmu_stat_form *form = row->event->form;
	struct bpmu_field *field = form->field;
	bool none = !bpmu_estimate_seen(count);
	bool unseen = bpmu_estimate_flags(count) & BPMU_VALUE_UNSEEN;
	const struct bpmu_stat_seldom now = {
		.half = row->half,
		.percent = bpmu_stat_row_percent(row),
		.clock = row->clock,
		.at_most = unseen ? bpmu_estimate_at_most(count) : 0,
		.others = unseen ? ceil(count->others) : 0,
		.lost = row->lost, .flags = row->flags, .known = !none,
	};

	field[BPMU_STAT_PERCENT].number = now.percent;
	field[BPMU_STAT_LOST].whole = now.lost;
	field[BPMU_STAT_HALF].text = isinf(now.half) ? "inf" : NULL;
	field[BPMU_STAT_HALF].number = now.half;
	field[BPMU_STAT_HALF].absent = !now.half && stat->call->options.format == BPMU_CSV;
	field[BPMU_STAT_CLOCK].number = now.clock;
	field[BPMU_STAT_CLOCK].absent = isnan(now.clock);
	field[BPMU_STAT_JOULES].absent = none;
	field[BPMU_STAT_AT_MOST].absent = !unseen;
	field[BPMU_STAT_OTHERS].absent = !unseen;
	field[BPMU_STAT_AT_MOST].number = now.at_most;
	field[BPMU_STAT_OTHERS].number = now.others;
	return bpmu_stat_form_set(form, &now);
}

/*
 * Prints a row by the form of its event. @running: TSC ticks for which @count was counted; 0 if
 * there is no count. @same: as for bpmu_form_put().
 */
static inline void put_count(struct bpmu_stat_view *stat, const struct bpmu_stat_event *event,
			     const struct bpmu_row *cpus, double count, u64 enabled, u64 running,
			     bool same)
{
	struct bpmu_field *field = event->form->field;

	field[BPMU_STAT_COUNT].number = running ? count : NAN;
	field[BPMU_STAT_JOULES].number = count * event->joule;
	if (stat->enabled.ticks != enabled)
		set_ticks(&stat->enabled, enabled);
	if (stat->running.ticks != running) {
		if (running == enabled)
			stat->running = stat->enabled;
		else
			set_ticks(&stat->running, running);
	}
	bpmu_stat_form_put(stat, event->form, cpus, same);
}

/**
 * bpmu_stat_row_put() - print a row of stat as CSV or JSON: the count of an event on some CPUs
 * @stat: what stat prints of a core type; the text is appended to its @line
 * @row: the row
 */
void bpmu_stat_row_put(struct bpmu_stat_view *stat, const struct bpmu_stat_row *row)
{
	const struct bpmu_estimate *count = &row->count;
	struct bpmu_stat_form *form = row->event->form;
	bool plain = row->plain && count->running;
	bool same = (plain && form->plain) || set_seldom(stat, row);

	form->plain = plain;
	put_count(stat, row->event, row->cpus, count->value, count->enabled, count->running, same);
}

/**
 * bpmu_stat_row_again() - print a row as bpmu_stat_row_put(), if it and the event's row before it
 *	are plain
 * @stat: what stat prints of a core type; the text is appended to its @line
 * @event: the event
 * @cpus: the CPUs of the row
 * @count: count of the event, of a row whose &bpmu_stat_row.plain would be true
 * @ticks: TSC ticks for which all the CPUs counted
 *
 * Return: false if nothing was printed, because the row before was not plain, or @ticks is 0.
 */
bool bpmu_stat_row_again(struct bpmu_stat_view *stat, const struct bpmu_stat_event *event,
			 const struct bpmu_row *cpus, double count, u64 ticks)
{
	if (!event->form->plain || !ticks)
		return false;
	put_count(stat, event, cpus, count, ticks, ticks, true);
	return true;
}

/**
 * bpmu_stat_row_head() - print the heading of the rows of stat as CSV
 * @stat: what stat prints of a core type, with its rows. Only CSV has a heading: in other formats
 *	nothing is printed
 */
void bpmu_stat_row_head(const struct bpmu_stat_view *stat)
{
	struct bpmu_field when[BPMU_STAT_LABELS];
	struct bpmu_table table = bpmu_stat_label_table(stat, NULL, NULL, when);
	struct bpmu_field field[BPMU_STAT_FIELDS];

	table.headed = false;
	bpmu_table_head(&table, field, bpmu_stat_fields(stat, 0, field));
}

/**
 * bpmu_stat_row_refused() - print a row of stat for each metric that cannot be measured
 * @stat: what stat prints of a core type, with its rows
 * @choice: the metrics of the core type
 */
void bpmu_stat_row_refused(const struct bpmu_stat_view *stat, const struct bpmu_choice *choice)
{
	const unsigned int has = 1u << BPMU_STAT_METRIC | 1u << BPMU_STAT_TYPE | 1u << BPMU_STAT_FLAGS;
	struct bpmu_field when[BPMU_STAT_LABELS];
	struct bpmu_table table = bpmu_stat_label_table(stat, NULL, NULL, when);
	struct bpmu_field field[BPMU_STAT_FIELDS];
	unsigned int nr = bpmu_stat_fields(stat, has, field);

	field[BPMU_STAT_TYPE].text = "metric";
	field[BPMU_STAT_FLAGS].text = "refused";
	bpmu_choice_report(choice, &table, field, nr);
}

/* Checks if CPUID reports an event as absent. CPUID tells this of architectural events only. */
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

/*
 * Returns the event of cycles at the privilege levels of @spec, if @spec is an event of the core
 * and stat shows such an event of cycles; else NULL.
 */
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

/*
 * Checks if @spec counts at all privilege levels, and its instructions per cycle are shown as the
 * metric IPC.
 */
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
	const struct bpmu_groups *groups = stat->type->groups;

	event->name_size = strlen(event->name);
	event->absent = is_absent(stat, spec);
	event->joule = fmax(0, bpmu_event_joules(&stat->type->target.info.pmu, spec->row));
	event->gauge = bpmu_event_is_gauge(spec->row);
	bpmu_groups_event_slots(groups, spec, spec, &event->slots);
	event->single = !event->absent && event->slots.alone &&
			groups->nr_of[event->slots.bank] == 1;
	event->clock = stat_clock_of(stat, spec);
	if (event->clock)
		bpmu_groups_event_slots(groups, spec, event->clock->spec, &event->clock_slots);
	event->noted = event->clock && event->instructions && !bpmu_stat_has_entries(stat) &&
		       !has_ipc(stat, spec);
	event->again = stat->call->options.format != BPMU_TEXT && !event->noted;
	event->remarked = event->joule > 0 || event->gauge || event->noted;
}

/**
 * bpmu_stat_row_forms() - begin the rows of stat that show events: make their forms
 * @stat: a core type with its events, groups and rows
 *
 * Text output needs no forms: none are made for it.
 */
int bpmu_stat_row_forms(struct bpmu_stat_view *stat, struct bpmu_error *err)
{
	bool text = stat->call->options.format == BPMU_TEXT || !stat->type->rows.nr;
	unsigned int i;
	int code = 0;

	for (i = 0; i < stat->nr_shown; i++)
		stat_row_find(stat, &stat->shown[i]);
	set_ticks(&stat->enabled, 0);
	set_ticks(&stat->running, 0);
	for (i = 0; i < stat->nr_shown && !text && !code; i++)
		code = form_event(stat, &stat->shown[i], err);
	return code;
}
