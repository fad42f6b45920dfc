// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu serve" from the command line to the page that a client gets. The test fakes the
 * measurement, which has one interval, the session of another process, and the server.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "cmd/serve/confine.h"
#include "cmd/serve/serve.h"
#include "commands.h"
#include "event/topology.h"
#include "options.h"
#include "source/live.h"
#include "unit.h"

#define CPUS 2
#define CELLS 64
#define WORDS_MOST 16
#define S 1000000000ULL
#define LOCAL "127.0.0.1:9742"

/* what is done to begin and end, word by word */
static char steps[256];
/* the step that fails, and its error */
static const char *failing;
static int refused;
/* exit status of the measured command */
static int ended;
/* parts of the machine's core types */
static const char *parts[BPMU_CORE_TYPES];
/* the session of the other process: names of its events, and its interval */
static const char *others;
static u64 others_ns;

static struct bpmu_measure asked;
static struct bpmu_http_pages pages;
/* pages that a client gets before and after the interval, and the index after it */
static char *early, *page, *index_page;
static time_t began;

/* Notes a step, and returns its error. */
static int take(const char *name, const char *detail, struct bpmu_error *err)
{
	char step[96];

	snprintf(step, sizeof(step), "%s%s", name, detail);
	snprintf(steps + strlen(steps), sizeof(steps) - strlen(steps), "%s%s",
		 *steps ? ", " : "", step);
	if (!failing || strcmp(failing, name))
		return 0;
	return bpmu_error_set(err, refused, "%s is refused", name);
}

int __wrap_bpmu_session_analyse(struct bpmu_analysis *analysis, struct bpmu_options *options,
				struct bpmu_error *err)
{
	unsigned int k;

	(void)options;
	for (k = 0; k < BPMU_CORE_TYPES && parts[k]; k++)
		unit_core_type(analysis, parts[k], CPUS * k);
	return take("open", "", err);
}

int __wrap_bpmu_confine_privileges(bool low_port, struct bpmu_error *err)
{
	return take("drop privileges", low_port ? " but one" : "", err);
}

int __wrap_bpmu_confine_calls(struct bpmu_error *err)
{
	return take("drop calls", "", err);
}

int __wrap_bpmu_http_start(struct bpmu_http **http, const struct bpmu_http_address *address,
			   const struct bpmu_http_pages *made, struct bpmu_error *err)
{
	char text[BPMU_HTTP_ADDRESS_TEXT], detail[BPMU_HTTP_ADDRESS_TEXT + 16];

	bpmu_http_address_text(address, text);
	snprintf(detail, sizeof(detail), " on %s:%u", text, bpmu_http_address_port(address));
	pages = *made;
	*http = (void *)&pages;
	return take("listen", detail, err);
}

unsigned int __wrap_bpmu_http_port(const struct bpmu_http *http)
{
	assert_ptr_equal(http, &pages);
	return 4242;
}

void __wrap_bpmu_http_renew(struct bpmu_http *http)
{
	assert_ptr_equal(http, &pages);
}

void __wrap_bpmu_http_stop(struct bpmu_http *http)
{
	take(http ? "stop" : "nothing to stop", "", NULL);
}

void __wrap_bpmu_holder_explain(struct bpmu_error *err)
{
	bpmu_error_set(err, -EBUSY, "process 7 measures");
}

/* A session of 1 s in which each event is counted 1000 times on CPU 0, 2000 times on CPU 1. */
static int measure_once(const struct bpmu_measure *measure, struct bpmu_error *err)
{
	u64 ticks[2 * CPUS] = { S, S, S, S }, none[2 * CPUS] = { };
	struct bpmu_cell cell[CELLS] = { };
	const struct bpmu_interval interval = {
		.whole = true, .seconds = 1, .duration = 1, .enabled = ticks,
		.shared[BPMU_BANK_UNCORE] = none, .lost = none, .spent = none, .cell = cell,
	};
	unsigned int k, i, slots, at = 0, cpus;
	size_t len;
	int code;

	asked = *measure;
	code = measure->ready(measure->data, err);
	if (code)
		return code;
	for (k = 0; k < BPMU_CORE_TYPES && measure->groups[k]; k++) {
		slots = measure->groups[k]->slots;
		cpus = parts[1] ? CPUS : measure->nr_cpus;
		assert_true(at + cpus * slots <= CELLS);
		for (i = 0; i < cpus * slots; i++)
			cell[at++] = (struct bpmu_cell){
				.count = i < slots ? 1000 : 2000, .running = S, .slices = 1,
			};
	}
	early = pages.make(pages.data, true, &len);
	measure->emit(measure->data, &interval);
	page = pages.make(pages.data, true, &len);
	assert_int_equal(strlen(page), len);
	index_page = pages.index(pages.data, &len);
	assert_int_equal(strlen(index_page), len);
	return take("measure", "", err);
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *status, struct bpmu_error *err)
{
	*status = ended;
	return measure_once(measure, err);
}

int __wrap_bpmu_attach_open(struct bpmu_attach *attach, struct bpmu_error *err)
{
	static const struct bpmu_groups_wish wish;
	struct bpmu_recording_about *about = &attach->about;
	struct bpmu_target target = { };
	struct bpmu_sched_slot *slot;
	struct bpmu_event_list list = { };
	unsigned int g, i;

	memset(attach, 0, sizeof(*attach));
	unit_target(&target, parts[0], 0);
	about->info = target.info;
	about->cpus = target.cpus;
	about->interval_ns = others_ns;
	about->period_ns = others_ns;
	free(target.cpus_text);
	about->topology = calloc(CPUS, sizeof(*about->topology));
	assert_non_null(about->topology);
	assert_int_equal(bpmu_event_list_parse(&about->info.pmu, 0, others, &list, err), 0);
	assert_int_equal(bpmu_groups_make(&about->groups, &about->info.pmu, &list, &wish, err), 0);
	about->groups.live = true;
	/* A session has no lists of events, and its names are its own. */
	for (g = 0; g < about->groups.nr; g++) {
		free(about->groups.group[g].events.spec);
		about->groups.group[g].events = (struct bpmu_event_list){ };
		for (i = 0; i < about->groups.group[g].sched.nr; i++) {
			slot = &about->groups.group[g].sched.slot[i];
			slot->text = strdup(slot->text);
			assert_non_null(slot->text);
		}
	}
	bpmu_event_list_free(&list);
	return take("find the session", "", err);
}

int __wrap_bpmu_attach_run(struct bpmu_attach *attach, const struct bpmu_attach_watch *watch,
			   struct bpmu_error *err)
{
	assert_int_equal(attach->about.cpus.nr, CPUS);
	assert_ptr_equal(watch->changed, bpmu_serve_changed);
	return measure_once(watch->measure, err);
}

static void forget(void)
{
	free(early);
	free(page);
	free(index_page);
	early = NULL;
	page = NULL;
	index_page = NULL;
}

/* Runs "barepmu serve WORDS", which must end with @status; @words end with NULL. */
static char *run(int status, char *const *words)
{
	char *argv[WORDS_MOST + 1] = { "serve" };
	struct bpmu_ctx ctx = { };
	int argc = 1, found;
	char *said;

	for (; *words; words++)
		argv[argc++] = *words;
	forget();
	memset(steps, 0, sizeof(steps));
	optind = 0;
	began = time(NULL);
	unit_capture_begin(stderr);
	found = bpmu_cmd_serve(&ctx, argc, argv);
	said = unit_capture_end();
	if (found != status)
		fail_msg("status %d, not %d: %s", found, status, said);
	return said;
}

/* Checks what "barepmu serve WORDS" prints and does. */
static void expect(int status, const char *says, const char *does, char *const *words)
{
	char *said = run(status, words);

	assert_string_equal(said, says);
	assert_string_equal(steps, does);
	free(said);
}

#define EXPECT(status, says, does, ...) \
	expect(status, says, does, (char *[]){ __VA_ARGS__, NULL })

#define SERVING(address) "barepmu: serving http://" address ":4242/metrics\n"
#define CONFINED "open, drop privileges, listen on " LOCAL ", drop calls, measure, stop"

static void serve(char *const *words)
{
	expect(BPMU_EXIT_OK, SERVING("127.0.0.1"), CONFINED, words);
}

#define SERVE(...) serve((char *[]){ __VA_ARGS__, NULL })

/* Returns the values of the label @name of all lines of @text that begin with @family. */
static char *labels(const char *text, const char *family, const char *name)
{
	char *found = calloc(1, strlen(text) + 1), label[32];
	const char *line, *at;

	assert_non_null(found);
	snprintf(label, sizeof(label), "%s=\"", name);
	for (line = text; *line; line = strchr(line, '\n') + 1) {
		if (strncmp(line, family, strlen(family)))
			continue;
		at = strstr(line, label) + strlen(label);
		sprintf(found + strlen(found), "%s%.*s", *found ? " " : "",
			(int)strcspn(at, "\""), at);
	}
	return found;
}

static void has_labels(const char *family, const char *name, const char *wanted)
{
	char *found = labels(page, family, name);

	assert_string_equal(found, wanted);
	free(found);
}

static void has_events(const char *part, const char *wanted)
{
	char first[96];

	snprintf(first, sizeof(first), "barepmu_events_total{part=\"%s\",cpu=\"%s\"", part,
		 strcmp(part, "adl-e") ? "0" : "2");
	has_labels(first, "event", wanted);
}

static void has_metrics(const char *part, const char *wanted)
{
	char first[96];

	snprintf(first, sizeof(first), "barepmu_metric{part=\"%s\"", part);
	has_labels(first, "metric", wanted);
}

static void has(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("'%s' is not in: %s", line, text);
}

TEST_FIXTURE(begin)
{
	parts[0] = "ivb";
	parts[1] = NULL;
	others = "cycles,instructions,r01c2";
	others_ns = S;
	failing = NULL;
	ended = 0;
	return 0;
}

TEST_FIXTURE(end)
{
	forget();
	return 0;
}

#define EVENTS_1 "CPU_CLK_UNHALTED.THREAD IDQ_UOPS_NOT_DELIVERED.CORE UOPS_ISSUED.ANY " \
	"UOPS_RETIRED.RETIRE_SLOTS INT_MISC.RECOVERY_CYCLES"
#define LEVEL_1 "Frontend_Bound Bad_Speculation Retiring Backend_Bound"

TEST_BETWEEN(instructions_cycles_and_level_one_are_served, begin, end)
{
	SERVE(NULL);
	has_events("ivb", "instructions cycles " EVENTS_1);
	has_metrics("ivb", LEVEL_1);
	has(page, "\nbarepmu_events_total{part=\"ivb\",cpu=\"1\",event=\"cycles\"} 2000\n");
	has(page, "\nbarepmu_session_seconds_total{part=\"ivb\",cpu=\"1\"} 1\n");
	has(page, "\nbarepmu_intervals_total 1\n");
	has(early, "\nbarepmu_intervals_total 0\n");
	has(early, "\nbarepmu_pages_total 0\n");
	has(page, "\nbarepmu_pages_total 1\n");
	has(early, "\nbarepmu_interval_end_timestamp_seconds 0\n");
	assert_null(strstr(page, "barepmu_attached"));
	assert_null(strstr(page, "barepmu_row_metric"));
	has(index_page, "<td>measuring</td>");
	assert_int_equal(asked.interval_ns, 5 * S);
	assert_int_equal(asked.timer, BPMU_TIMER_HARD);
	assert_true(asked.watched);
	assert_int_equal(asked.nr_cpus, CPUS);
}

/* The time of the start, which is on both pages, is that of this run. */
TEST_BETWEEN(the_start_is_on_the_pages, begin, end)
{
	const time_t before = time(NULL);
	const char *start;

	SERVE("-e", "cycles");
	start = strstr(page, "\nprocess_start_time_seconds ");
	assert_non_null(start);
	start = strchr(start, ' ');
	assert_true(strtod(start, NULL) >= before);
	assert_true(strtod(start, NULL) <= time(NULL) + 1);
	start = strstr(page, "\nbarepmu_interval_end_timestamp_seconds ");
	assert_non_null(start);
	start = strchr(start, ' ');
	assert_true(strtod(start, NULL) >= before);
}

TEST_BETWEEN(what_is_asked_for_is_served_alone, begin, end)
{
	SERVE("-e", "cycles");
	has_events("ivb", "cycles");
	has_metrics("ivb", "");
	SERVE("-e", "cycles", "-e", "instructions");
	has_events("ivb", "cycles instructions");
	SERVE("-l", "1");
	has_events("ivb", EVENTS_1);
	has_metrics("ivb", LEVEL_1);
	SERVE("-M", "IPC");
	has_metrics("ivb", "IPC");
	has_events("ivb", "instructions cycles");
	SERVE("-e", "cycles", "-M", "Retiring", "-I", "200ms");
	has_events("ivb", "cycles CPU_CLK_UNHALTED.THREAD UOPS_RETIRED.RETIRE_SLOTS");
	has_metrics("ivb", "Retiring");
	assert_int_equal(asked.interval_ns, S / 5);
}

TEST_BETWEEN(a_model_without_a_tree_has_events_alone, begin, end)
{
	parts[0] = "nhm";
	SERVE(NULL);
	has_events("nhm", "instructions cycles");
	has_metrics("nhm", "");
}

TEST_BETWEEN(each_core_type_has_level_one, begin, end)
{
	parts[0] = "adl";
	parts[1] = "adl-e";
	SERVE(NULL);
	has_metrics("adl", LEVEL_1);
	has_metrics("adl-e", LEVEL_1);
	has(page, "{part=\"adl-e\",cpu=\"3\",event=\"cycles\"} 2000\n");
}

TEST_BETWEEN(rows_are_those_that_were_asked_for, begin, end)
{
	SERVE("-e", "cycles", "--total");
	has(page, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0-1\",event=\"cycles\"} 3000\n");
	has(page, "\nbarepmu_session_seconds_total{part=\"ivb\",cpu=\"0-1\"} 2\n");
	has_labels("barepmu_lost_samples_total", "cpu", "0-1");
	has_labels("barepmu_sampling_seconds_total", "cpu", "0-1");
	has_labels("barepmu_session_seconds_total", "cpu", "0-1");
	SERVE("-l", "1", "-A");
	has_labels("barepmu_row_metric{", "metric", "Frontend_Bound Bad_Speculation "
		   "Retiring Backend_Bound Frontend_Bound Bad_Speculation Retiring Backend_Bound");
	has_labels("barepmu_lost_samples_total", "cpu", "0 1");
	/* The rows of --total are no rows with metrics of their own. */
	SERVE("-l", "1", "--total");
	assert_null(strstr(page, "barepmu_row_metric"));
}

TEST_BETWEEN(privileges_for_low_ports_are_kept, begin, end)
{
	static const struct {
		char *address;
		const char *says, *does;
	} all[] = {
		{ "127.0.0.1:0", SERVING("127.0.0.1"),
		  "open, drop privileges, listen on 127.0.0.1:0, drop calls, measure, stop" },
		{ "127.0.0.1:1", SERVING("127.0.0.1"),
		  "open, drop privileges but one, listen on 127.0.0.1:1, drop calls, measure, stop" },
		{ "0.0.0.0:1023", SERVING("0.0.0.0"),
		  "open, drop privileges but one, listen on 0.0.0.0:1023, drop calls, measure, stop" },
		{ "[::1]:1024", SERVING("[::1]"),
		  "open, drop privileges, listen on [::1]:1024, drop calls, measure, stop" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		EXPECT(BPMU_EXIT_OK, all[i].says, all[i].does, "-e", "cycles", "--listen",
		       all[i].address);
}

/* The command inherits the privileges. Its status is that of serve. */
TEST_BETWEEN(a_command_keeps_the_privileges, begin, end)
{
	ended = 3;
	EXPECT(3, SERVING("127.0.0.1"), "open, listen on " LOCAL ", measure, stop",
	       "-e", "cycles", "--", "false", "x");
	assert_string_equal(asked.argv[0], "false");
	assert_string_equal(asked.argv[1], "x");
	failing = "measure";
	refused = -EIO;
	EXPECT(3, SERVING("127.0.0.1") "barepmu: measure is refused\n",
	       "open, listen on " LOCAL ", measure, stop", "-e", "cycles", "--", "false");
	ended = 0;
	EXPECT(BPMU_EXIT_FAILED, SERVING("127.0.0.1") "barepmu: measure is refused\n",
	       "open, listen on " LOCAL ", measure, stop", "-e", "cycles", "--", "false");
}

TEST_BETWEEN(nothing_follows_a_step_that_fails, begin, end)
{
	static const struct {
		const char *step, *says, *does;
		char *attach;
	} all[] = {
		{ "open", "", "open" },
		{ "find the session", "", "find the session", "--attach" },
		{ "drop privileges", "", "open, drop privileges, nothing to stop" },
		{ "listen", "", "open, drop privileges, listen on " LOCAL ", stop" },
		{ "drop calls", "", "open, drop privileges, listen on " LOCAL ", drop calls, stop" },
		{ "measure", SERVING("127.0.0.1"), CONFINED },
	};
	char says[128];
	unsigned int i;

	refused = -EIO;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		failing = all[i].step;
		snprintf(says, sizeof(says), "%sbarepmu: %s is refused\n", all[i].says, failing);
		EXPECT(BPMU_EXIT_FAILED, says, all[i].does, "-e", "cycles", all[i].attach);
	}
	refused = -EBUSY;
	EXPECT(BPMU_EXIT_FAILED, SERVING("127.0.0.1") "barepmu: process 7 measures\n", CONFINED,
	       "-e", "cycles");
}

#define ATTACHED "find the session, drop privileges, listen on " LOCAL ", drop calls, measure, stop"

TEST_BETWEEN(the_events_of_another_session_are_served, begin, end)
{
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach");
	has_events("ivb", "cycles instructions r01c2");
	has_metrics("ivb", "");
	has(page, "\nbarepmu_attached 1\n");
	assert_int_equal(asked.interval_ns, 5 * S);
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach", "-e", "instructions");
	has_events("ivb", "instructions");
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach", "-M", "IPC");
	has_metrics("ivb", "IPC");
	assert_null(strstr(page, "r01c2"));
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach", "-C", "1");
	has_labels("barepmu_lost_samples_total", "cpu", "1");
	EXPECT(BPMU_EXIT_FAILED, "barepmu: CPU 7: is not in the session; choose from 0-1\n",
	       "find the session", "--attach", "-C", "7");
}

/* An interval has the time in which all groups of the other session are counted, or 5 s. */
TEST_BETWEEN(an_interval_has_all_groups_of_another_session, begin, end)
{
	others = "r01c2,r00c4,r00c5,r01d1,r010e,r01a2,r02a2,r04a2,r0151";
	others_ns = 3 * S;
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach");
	assert_int_equal(asked.interval_ns, 6 * S);
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach", "-I", "4s");
	assert_int_equal(asked.interval_ns, 4 * S);
	others_ns = 2 * S;
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach");
	assert_int_equal(asked.interval_ns, 5 * S);
}

TEST_BETWEEN(wrong_options_are_refused, begin, end)
{
#define OWNERS "barepmu: --attach: timer and multiplexing are set by the session's owner; " \
	"drop --timer, --take-over and --no-multiplex\n"
	EXPECT(BPMU_EXIT_USAGE, "barepmu: --attach: does not wait for a command; leave out 'true'\n",
	       "", "--attach", "--", "true");
	EXPECT(BPMU_EXIT_USAGE, OWNERS, "", "--attach", "--timer", "tick");
	EXPECT(BPMU_EXIT_USAGE, OWNERS, "", "--attach", "--take-over");
	EXPECT(BPMU_EXIT_USAGE, OWNERS, "", "--attach", "--no-multiplex");
	EXPECT(BPMU_EXIT_OK, SERVING("127.0.0.1"), ATTACHED, "--attach", "--timer", "hard");
	EXPECT(BPMU_EXIT_USAGE, "barepmu: --method: is of -l and -M; add -l 1\n", "",
	       "--method", "tma");
	SERVE("-e", "cycles", "--timer", "tick", "--take-over");
	assert_int_equal(asked.timer, BPMU_TIMER_TICK);
	assert_true(asked.take_over);
}
