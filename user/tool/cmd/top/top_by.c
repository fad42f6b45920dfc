// SPDX-License-Identifier: GPL-2.0
#include "top_by.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "client/holder.h"
#include "recording/recording_who_seen.h"
#include "recording_session.h"
#include "replay/report_replay.h"
#include "source/live.h"
#include "top_console.h"
#include "top_term.h"

/*
 * Number of processes after which mappings and labels are forgotten and read again, so that memory
 * does not grow as long as processes come and go
 */
#define PROCESSES_MOST 1024

/**
 * struct top_by - state of "barepmu top --by"
 * @options: common options
 * @type: what is counted on the CPUs
 * @about: description of the session, like that of a recording
 * @console: the terminal
 * @plain: there is no terminal: plain lines are printed
 * @state: what keys change
 * @view: data on the screen
 * @seen: processes that were interrupted
 * @event: interrupts of the current interval
 * @record_bytes: size of a sample record in bytes
 * @lost: number of interrupts that each CPU has lost so far, [number of the CPU]
 * @started_ns: start of counting, CLOCK_MONOTONIC in ns
 * @began_ns: start of the current interval
 * @intervals: number of intervals that have ended
 * @over: the run must end
 * @code: code of @err, 0 if there was no error
 * @err: error during an interval
 */
struct top_by {
	struct bpmu_options *options;
	struct bpmu_core_type *type;
	struct bpmu_recording_about about;
	struct bpmu_top_console console;
	bool plain;
	struct bpmu_top_by_state state;
	struct bpmu_top_by_view view;
	struct bpmu_who_seen seen;
	struct bpmu_event_shares event;
	u32 record_bytes;
	u64 *lost;
	u64 started_ns;
	u64 began_ns;
	unsigned int intervals;
	bool over;
	int code;
	struct bpmu_error err;
};

static void show(struct top_by *by)
{
	bpmu_top_by_draw(&by->console.screen, &by->view, &by->state);
	bpmu_top_term_show(&by->console.screen);
}

static void top_by_on_input(void *data)
{
	struct top_by *by = data;
	enum bpmu_top_key key;

	by->state.quit |= bpmu_top_console_closed(&by->console);
	while (!by->code && !by->state.quit && (key = bpmu_top_term_key()) != BPMU_TOP_NOTHING) {
		bpmu_top_by_press(&by->state, key);
		if (key == BPMU_TOP_REDRAW)
			by->code = bpmu_top_console_fit(&by->console, &by->err);
	}
	by->over |= by->code || by->state.quit;
	if (!by->code)
		show(by);
}

static void free_rows(struct bpmu_top_by_view *view)
{
	while (view->nr_rows)
		free(view->row[--view->nr_rows].label);
	free(view->row);
	view->row = NULL;
}

/* Replaces the rows on the screen by those of the interval. Returns 0 or -ENOMEM. */
static int make_rows(struct bpmu_top_by_view *view, const struct bpmu_event_shares *event,
		     struct bpmu_error *err)
{
	const struct bpmu_by_entry *entry;
	struct bpmu_top_by_row *row;
	unsigned int i;

	free_rows(view);
	view->row = calloc(event->by.nr ?: 1, sizeof(*view->row));
	if (!view->row)
		return bpmu_error_no_memory(err, "--by");
	for (i = 0; i < event->by.nr; i++) {
		entry = event->by.entry[i];
		row = &view->row[i];
		row->interrupts = entry->samples;
		row->share = bpmu_share_of(&entry->events, &event->shares.all);
		row->label = strdup(entry->label);
		if (!row->label)
			return bpmu_error_no_memory(err, "--by");
		view->nr_rows++;
	}
	view->type = event->by.type;
	view->interrupts = event->by.samples;
	view->events = event->shares.all.sum;
	return 0;
}

static u64 lost_of(const struct top_by *by)
{
	u64 lost = 0;
	u32 cpu;

	for (cpu = 0; cpu < by->event.by.nr_at; cpu++)
		lost += by->lost[cpu];
	return lost;
}

/* Notes the processes that are interrupted from now on. */
static void top_by_begin_seen(struct top_by *by)
{
	by->seen = (struct bpmu_who_seen){
		.block = bpmu_by_symbols_add_block, .data = &by->event.by.symbols,
	};
}

/* Forgets mappings and labels, which are found again when they are needed. */
static void forget(struct top_by *by)
{
	bpmu_who_seen_end(&by->seen);
	top_by_begin_seen(by);
	bpmu_by_symbols_free(&by->event.by.symbols);
}

/* Begins an interval: without interrupts, and with the key that the user wants now. */
static void begin_interval(struct top_by *by, u64 now)
{
	bpmu_by_clear(&by->event.by);
	by->event.shares = (struct bpmu_shares){ .slot = by->event.shares.slot };
	if (by->state.type != by->event.by.type || by->seen.nr_processes > PROCESSES_MOST)
		forget(by);
	bpmu_by_set_type(&by->event.by, by->state.type);
	by->began_ns = now;
}

/* Shows the interval that ends now, unless the screen is frozen. Returns 0 or -ENOMEM. */
static int end_interval(struct top_by *by, u64 now, struct bpmu_error *err)
{
	int code = 0;

	by->intervals++;
	if (!by->state.frozen) {
		code = make_rows(&by->view, &by->event, err);
		by->view.seconds = (now - by->started_ns) / 1e9;
		by->view.hidden |= by->event.by.symbols.hidden;
		by->view.lost = lost_of(by);
	}
	if (!code && by->plain)
		code = bpmu_top_by_plain(stdout, &by->view, &by->state, err);
	else if (!code)
		show(by);
	begin_interval(by, now);
	return code;
}

static void top_by_note_flaws(struct top_by *by, const char *records, size_t bytes)
{
	struct bpmu_sample sample;

	for (; bytes >= by->record_bytes;
	     bytes -= by->record_bytes, records += by->record_bytes) {
		memcpy(&sample, records, sizeof(sample));
		bpmu_flaws_note(&by->view.flaws, bpmu_flaw_flags(&sample), sample.cpu, 0, 0);
	}
}

/* Returns true if the number of intervals of --interval-count has ended. */
static bool has_all_intervals(const struct top_by *by)
{
	return by->options->max_intervals && by->intervals >= by->options->max_intervals;
}

static void on_records(void *data, const void *records, size_t bytes)
{
	const u64 now = bpmu_clock_ns(CLOCK_MONOTONIC);
	struct top_by *by = data;

	if (records) {
		top_by_note_flaws(by, records, bytes);
		return;
	}
	/* A round of the samples and interrupts of all CPUs is complete. */
	by->seen.round++;
	if (by->over || now - by->began_ns < by->state.interval_ns)
		return;
	by->code = end_interval(by, now, &by->err);
	by->over |= by->code || (by->plain && ferror(stdout)) || has_all_intervals(by);
}

/* Lets the symbols have what is needed to name the function that an interrupt interrupted. */
static void see(struct top_by *by, const struct bpmu_who *who)
{
	struct bpmu_by_symbols *symbols = &by->event.by.symbols;

	if (!bpmu_by_needs_symbols(by->event.by.type))
		return;
	if (!(who->flags & BPMU_WHO_KERNEL))
		bpmu_who_seen_task(&by->seen, who);
	else if (!(who->flags & BPMU_WHO_HIDDEN) && !symbols->nr_kernel)
		bpmu_by_symbols_add_kernel(symbols);
}

static void on_overflows(void *data, const void *records, size_t bytes)
{
	struct bpmu_overflow record;
	const struct bpmu_interrupt interrupt = { .overflow = &record };
	struct top_by *by = data;
	const char *at = records;

	for (; bytes && !by->code; bytes -= record.size, at += record.size) {
		memcpy(&record, at, sizeof(record));
		see(by, &record.who);
		if (!bpmu_shares_add(&by->event, &interrupt))
			by->code = bpmu_error_no_memory(&by->err, "--by");
	}
	by->over |= by->code;
}

static void on_overflows_lost(void *data, u32 cpu, u64 lost)
{
	struct top_by *by = data;

	if (cpu < by->event.by.nr_at)
		by->lost[cpu] = lost;
}

static int on_ready(void *data, struct bpmu_error *err)
{
	struct top_by *by = data;

	(void)err;
	by->record_bytes = bpmu_client_record_size(by->type->target.client);
	by->started_ns = bpmu_clock_ns(CLOCK_MONOTONIC);
	begin_interval(by, by->started_ns);
	return 0;
}

static int measure(struct top_by *by, struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	struct bpmu_measure m = bpmu_session_measure(by->options, &by->type->target);
	u64 now;
	int status;
	int code;

	code = bpmu_analysis_measure(analysis, &m, err);
	if (code)
		return code;
	m.stop = &by->over;
	m.records = on_records;
	m.overflows = on_overflows;
	m.overflows_lost = on_overflows_lost;
	m.ready = on_ready;
	m.input = by->plain ? NULL : top_by_on_input;
	m.input_fd = by->console.wake;
	m.data = by;
	code = bpmu_live_run(&m, &status, err);
	if (code == -EBUSY)
		bpmu_holder_explain(err);
	if (code || by->code) {
		if (!code)
			*err = by->err;
		return code ? code : by->code;
	}
	now = bpmu_clock_ns(CLOCK_MONOTONIC);
	/* --timeout has ended within an interval, of which the interrupts are shown, too. */
	if (by->plain && !has_all_intervals(by) && (by->event.by.nr || !by->intervals))
		code = end_interval(by, now, err);
	return code;
}

static int prepare_type(void *data, struct bpmu_core_type *type, struct bpmu_error *err)
{
	int code = bpmu_core_type_load_events(type, err);

	(void)data;
	return code ? code : bpmu_core_type_schedule(type, err);
}

/* Schedules the event on the counters of the one core type. Returns 0 or a negative errno. */
static int schedule(struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	int code;

	code = bpmu_analysis_choose(analysis, err);
	if (!code)
		code = bpmu_analysis_ask(analysis, err);
	if (!code)
		code = bpmu_analysis_events(analysis, err);
	if (!code)
		code = bpmu_analysis_keep(analysis, prepare_type, NULL, true, err);
	if (code || analysis->type[0]->wanted.events.nr == 1)
		return code;
	return bpmu_error_set(err, -EINVAL,
		"-e: %u events; --by shows one, choose it, or use record -e and report --by",
		analysis->type[0]->wanted.events.nr);
}

static int prepare(struct top_by *by, struct bpmu_analysis *analysis, struct bpmu_error *err)
{
	struct bpmu_by *sums = &by->event.by;
	int code;

	code = bpmu_session_analyse(analysis, by->options, err);
	if (!code)
		code = schedule(analysis, err);
	if (code)
		return code;
	by->type = analysis->type[0];
	by->about.info = by->type->target.info;
	by->about.groups = *by->type->groups;
	sums->type = by->state.type;
	code = bpmu_by_begin(sums, &by->about, &by->type->target.cpus, err);
	if (code)
		return code;
	by->lost = calloc(sums->nr_at, sizeof(*by->lost));
	if (!by->lost)
		return bpmu_error_no_memory(err, "--by");
	by->event.shares.slot = by->type->groups->group->sched.slot;
	by->view.title = by->type->target.info.title;
	by->view.cpus = by->type->target.cpus_text;
	by->view.slot = by->event.shares.slot;
	by->view.type = sums->type;
	top_by_begin_seen(by);
	return 0;
}

/**
 * bpmu_top_by_run() - run the live view "barepmu top --by"
 * @options: common options
 * @analysis: the event, and how often it interrupts; the caller frees it
 * @type: key of the rows at first, not BPMU_BY_STACK or BPMU_BY_BRANCH
 *
 * Afterwards the terminal is as it was before, also after an error.
 */
int bpmu_top_by_run(struct bpmu_options *options, struct bpmu_analysis *analysis,
		    enum bpmu_by_type type, struct bpmu_error *err)
{
	struct top_by by = {
		.options = options, .console = { .wake = -1, .signals = -1 },
		.plain = !bpmu_top_term_usable(),
		.state = { .type = type, .page = 1, .interval_ns = options->interval_ns },
	};
	int code;

	code = prepare(&by, analysis, err);
	if (!code && !by.plain)
		code = bpmu_top_console_begin(&by.console, err);
	if (!code && !by.plain)
		show(&by);
	if (!code)
		code = measure(&by, analysis, err);
	bpmu_top_console_end(&by.console);
	bpmu_who_seen_end(&by.seen);
	bpmu_by_free(&by.event.by);
	free_rows(&by.view);
	free(by.lost);
	return code;
}
