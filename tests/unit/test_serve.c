// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu serve", which exports sums of counts to Prometheus servers: the sums are right,
 * and their number is limited.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/serve/serve.h"
#include "unit.h"

#define CPUS 2
#define KHZ 1000000

static struct bpmu_stat_event shown[8];
static struct bpmu_event_list events;
static struct bpmu_groups groups;
static struct bpmu_row rows[CPUS] = {
	{ .label = "0", .cpus = 1 }, { .label = "1", .cpus = 1 }
};

static unsigned int row_of[CPUS] = { 0, 1 };
static u32 cpus[CPUS] = { 0, 1 };
static struct bpmu_pmu pmu;
static unsigned int renewed;

/*
 * Replaces the function by which the HTTP server drops the page that it keeps for further requests.
 * The replacement only counts its calls.
 */
void bpmu_http_renew(struct bpmu_http *http)
{
	(void)http;
	renewed++;
}

static void begin(struct bpmu_serve *serve, const char *text)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_core_type *type;
	struct bpmu_error err;
	unsigned int i;

	pmu = unit_pmu("ivb", 4);
	events = (struct bpmu_event_list){ };
	groups = (struct bpmu_groups){ };
	assert_int_equal(bpmu_event_list_parse(&pmu, 0, text, &events, &err),
			 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &events, &wish, &err),
			 0);
	for (i = 0; i < events.nr; i++)
		shown[i] = (struct bpmu_stat_event){
			.spec = &events.spec[i], .name = events.spec[i].text,
		};
	*serve = (struct bpmu_serve){ .max_series = BPMU_SERVE_SERIES };
	mtx_init(&serve->lock, mtx_plain);
	type = &serve->stat.analysis.core[0];
	serve->stat.analysis.type[0] = type;
	serve->stat.analysis.nr = 1;
	serve->stat.view[0] = (struct bpmu_stat_view){
		.call = &serve->stat, .type = type, .shown = shown, .nr_shown = events.nr,
	};
	type->groups = &groups;
	type->rows = (struct bpmu_rows){
		.by = BPMU_ROWS_CPU, .row = rows, .nr = CPUS,
		.positions = CPUS, .of = row_of
	};
	type->target.cpus = (struct bpmu_cpulist){ cpus, CPUS };
	type->target.info.tsc_khz = KHZ;
	strcpy(type->target.info.part, "ivb");
}

static void end(struct bpmu_serve *serve)
{
	bpmu_serve_free(serve);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&events);
}

/* Flags of disturbances that each CPU's samples report. */
static u64 flaws[CPUS];

/* TSC ticks for which each CPU has read the uncore's counters. */
static u64 uncore[CPUS];
/*
 * Adds an interval of one second, 10^9 TSC ticks, in which CPU 0 counts each event @number times,
 * and CPU 1 twice as often. Each group of events was on the counters for @running of these ticks.
 */
static void count(struct bpmu_serve *serve, u64 number, u64 running)
{
	static struct bpmu_cell cell[64];
	static u64 none[CPUS];
	static u64 ticks[CPUS] = { 1000000000, 1000000000 };
	static u64 lost[CPUS] = { 0, 3 };
	struct bpmu_interval interval = {
		.duration = 1, .cell = cell, .enabled = ticks, .shared[BPMU_BANK_UNCORE] = uncore,
		.lost = lost, .spent = none, .flaws = flaws,
	};
	unsigned int i;

	assert_true(CPUS * groups.slots <= 64);
	memset(cell, 0, sizeof(cell));
	for (i = 0; i < CPUS * groups.slots; i++) {
		cell[i].count = i < groups.slots ? number : 2 * number;
		cell[i].running = running;
		cell[i].slices = 1;
	}
	bpmu_serve_interval(serve, &interval);
}

static bool is_there(struct bpmu_serve *serve, const char *line)
{
	size_t len;
	char *text = bpmu_serve_page(serve, true, &len);
	bool there;

	assert_non_null(text);
	assert_int_equal(strlen(text), len);
	there = strstr(text, line);
	free(text);
	return there;
}

static void has(struct bpmu_serve *serve, const char *line)
{
	if (!is_there(serve, line))
		fail_msg("the page lacks %s", line);
}

TEST(counts_are_added_up)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 0\n");
	count(&serve, 5, 1000000000);
	count(&serve, 7, 1000000000);
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 12\n");
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"1\",event=\"r01c2\"} 24\n");
	has(&serve, "\nbarepmu_lost_samples_total{part=\"ivb\",cpu=\"1\"} 6\n");
	has(&serve, "\nbarepmu_session_seconds_total{part=\"ivb\",cpu=\"1\"} 2\n");
	has(&serve, "\nbarepmu_intervals_total 2\n");
	assert_int_equal(renewed, 2);
	end(&serve);
}

/*
 * Six events on four counters are multiplexed. An exported count covers only the time in which its
 * event was on a counter. The count is not scaled to the whole time.
 */
TEST(counts_are_not_extrapolated)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2,r00c4,r00c5,r01d1,r010e,r01a2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	count(&serve, 100, 500000000);
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 100\n");
	has(&serve, "\nbarepmu_event_enabled_seconds_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 1\n");
	has(&serve, "\nbarepmu_event_running_seconds_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 0.5\n");
	end(&serve);
}

TEST(counters_never_decrease)
{
	static const long long sums[][2] = {
		{ 10, 10 }, { 4, 10 }, { -3, 10 }, { 9, 10 }, { 11, 11 },
	};
	struct bpmu_serve_count sum = { };
	size_t i;

	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		sum.raw.count = sums[i][0];
		bpmu_serve_raise(&sum);
		assert_int_equal(sum.shown, sums[i][1]);
	}
}

TEST(repeated_events_are_exported_once)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2,r01c2,r00c4");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	assert_int_equal(serve.core_type[0].nr_events, 2);
	end(&serve);
}

/*
 * At the start the server computes how many series it will export. If there are too many, the
 * server does not start. The number of series on the page must be the computed number.
 */
TEST(the_number_of_series_is_limited)
{
	struct bpmu_serve serve;
	struct bpmu_error err;
	char line[64];

	begin(&serve, "r01c2,r00c4");
	serve.max_series = 1;
	assert_int_equal(bpmu_serve_prepare(&serve, &err), -E2BIG);
	assert_non_null(strstr(err.text, "of 4 counts of events in rows; at most 1"));
	end(&serve);

	begin(&serve, "r01c2,r00c4");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	snprintf(line, sizeof(line), "\nbarepmu_series %u\n",
		 bpmu_serve_series(&serve));
	has(&serve, line);
	end(&serve);
}

/*
 * The server can count with the session of another process. While there is no such session, the
 * page has no counts. When a session begins again, the page has the earlier counts, and new counts
 * are added to them.
 */
TEST(counts_of_ended_sessions_are_left_out)
{
	static const char series[] =
		"\nbarepmu_events_total{part=\"ivb\",cpu=\"0\",event=\"r01c2\"} 5\n";
	struct bpmu_serve serve;
	struct bpmu_error err;
	char line[64];

	begin(&serve, "r01c2");
	serve.attach = true;
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	bpmu_serve_changed(&serve, true, "begun");
	count(&serve, 5, 1000000000);
	has(&serve, series);
	has(&serve, "\nbarepmu_attached 1\n");
	snprintf(line, sizeof(line), "\nbarepmu_series %u\n",
		 bpmu_serve_series(&serve));
	has(&serve, line);
	renewed = 0;
	bpmu_serve_changed(&serve, false, "ended");
	assert_int_equal(renewed, 1);
	has(&serve, "\nbarepmu_attached 0\n");
	has(&serve, "\nbarepmu_sessions_total 1\n");
	assert_false(is_there(&serve, "\nbarepmu_events_total"));
	assert_false(is_there(&serve, "\nbarepmu_session_seconds_total"));
	bpmu_serve_changed(&serve, true, "begun again");
	has(&serve, series);
	has(&serve, "\nbarepmu_sessions_total 2\n");
	end(&serve);
}

/*
 * A server that counts in a session of its own exports no series that says whether it is attached
 * to the session of another process.
 */
TEST(a_server_with_its_own_session_exports_no_attachment)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	assert_false(is_there(&serve, "barepmu_attached"));
	end(&serve);
}

static unsigned int times(const char *text, const char *line)
{
	unsigned int nr = 0;

	for (text = strstr(text, line); text; text = strstr(text + 1, line))
		nr++;
	return nr;
}

/*
 * Options of the next begin_hybrid(). by_row: each CPU has series of its own. own: name of a metric
 * file; NULL for none.
 */
static bool by_row;
static const char *own;

/* Begins to export events of both core types, on CPUs 0-1 (adl) and 2-3 (adl-e). */
static void begin_hybrid(struct bpmu_serve *serve, const char *events,
			 const char *metrics)
{
	struct bpmu_stat *stat = &serve->stat;
	struct bpmu_analysis *analysis = &stat->analysis;
	struct bpmu_error err;
	int code;

	*serve = (struct bpmu_serve){ .max_series = BPMU_SERVE_SERIES, .by_row = by_row };
	mtx_init(&serve->lock, mtx_plain);
	unit_core_type(analysis, "adl", 0);
	unit_core_type(analysis, "adl-e", 2);
	stat->by = BPMU_ROWS_CPU;
	code = bpmu_wanted_add(&analysis->wanted, events, &err);
	if (!code && metrics)
		code = bpmu_choice_add_names(&analysis->choice, metrics, &err);
	if (!code && own)
		code = bpmu_choice_add_path(&analysis->choice, own, &err);
	if (!code)
		code = bpmu_stat_share(stat, &err);
	if (!code)
		code = bpmu_stat_prepare(stat, &err);
	if (!code)
		code = bpmu_serve_prepare(serve, &err);
	if (code)
		fail_msg("%s", err.text);
}

static void end_hybrid(struct bpmu_serve *serve)
{
	bpmu_serve_free(serve);
	bpmu_stat_free(&serve->stat);
}

/* Adds an interval in which CPU n counts each event n + 1 times, and loses n + 1 samples. */
static void count_hybrid(struct bpmu_serve *serve)
{
	struct bpmu_core_type *const *type = serve->stat.analysis.type;
	unsigned int slots[] = { type[0]->groups->slots, type[1]->groups->slots };
	u64 ticks[] = { 1000000000, 1000000000, 1000000000, 1000000000 };
	u64 number[] = { 1, 2, 3, 4 };
	u64 none[4] = { 0 };
	struct bpmu_interval interval = {
		.duration = 1, .enabled = ticks, .shared[BPMU_BANK_UNCORE] = uncore,
		.lost = number, .spent = none,
	};
	struct bpmu_cell *cell;
	unsigned int nr = 0;
	unsigned int i, pos;

	cell = calloc(2 * (slots[0] + slots[1]), sizeof(*cell));
	assert_non_null(cell);
	for (pos = 0; pos < 4; pos++)
		for (i = 0; i < slots[pos / 2]; i++)
			cell[nr++].count = number[pos];
	interval.cell = cell;
	bpmu_serve_interval(serve, &interval);
	free(cell);
}

TEST(core_types_are_labelled_by_part)
{
	struct bpmu_serve serve;
	char line[64];

	begin_hybrid(&serve, "cycles,slots", NULL);
	assert_int_equal(serve.nr_core_types, 2);
	count_hybrid(&serve);
	count_hybrid(&serve);
	has(&serve, "\nbarepmu_events_total{part=\"adl\",cpu=\"1\",event=\"slots\"} 4\n");
	has(&serve, "\nbarepmu_events_total{part=\"adl\",cpu=\"0\",event=\"cycles\"} 2\n");
	has(&serve, "\nbarepmu_events_total{part=\"adl-e\",cpu=\"2\",event=\"cycles\"} 6\n");
	has(&serve, "\nbarepmu_events_total{part=\"adl-e\",cpu=\"3\",event=\"cycles\"} 8\n");
	has(&serve, "\nbarepmu_lost_samples_total{part=\"adl-e\",cpu=\"3\"} 8\n");
	has(&serve, "\nbarepmu_info{part=\"adl\"} 1\nbarepmu_info{part=\"adl-e\"} 1\n");
	has(&serve, "\nbarepmu_smt{part=\"adl\"} 0\nbarepmu_smt{part=\"adl-e\"} 0\n");
	serve.stat.analysis.type[0]->target.smt = 1;
	has(&serve, "\nbarepmu_smt{part=\"adl\"} 1\nbarepmu_smt{part=\"adl-e\"} 0\n");
	has(&serve, "\nbarepmu_cpus 4\n");
	assert_false(is_there(&serve, "{part=\"adl-e\",cpu=\"2\",event=\"slots\"}"));
	snprintf(line, sizeof(line), "\nbarepmu_series %u\n",
		 bpmu_serve_series(&serve));
	has(&serve, line);
	end_hybrid(&serve);
}

TEST(core_types_have_their_own_metrics)
{
	struct bpmu_serve serve;
	char *text;
	size_t len;

	begin_hybrid(&serve, "cycles", "Retiring");
	count_hybrid(&serve);
	text = bpmu_serve_page(&serve, true, &len);
	assert_non_null(text);
	assert_int_equal(times(text, "\nbarepmu_metric{part=\"adl\",metric=\"Retiring\",level=\"1\","), 1);
	assert_int_equal(times(text, "\nbarepmu_metric{part=\"adl-e\",metric=\"Retiring\",level=\"1\","), 1);
	/* All series of the same name have one header on the page, not one for each core type. */
	assert_int_equal(times(text, "# TYPE barepmu_events counter\n"), 1);
	assert_int_equal(times(text, "# HELP barepmu_metric "), 1);
	assert_int_equal(times(text, "# TYPE barepmu info\n"), 1);
	free(text);
	end_hybrid(&serve);
}

TEST(rows_that_were_asked_for_have_metrics_of_their_own)
{
	char file[] = "/tmp/barepmu-test-serve-XXXXXX";
	struct bpmu_serve serve;
	char line[64];

	unit_file(file, "Own = instructions\n");
	own = file;
	begin_hybrid(&serve, "cycles", "Own");
	count_hybrid(&serve);
	has(&serve, "\nbarepmu_metric{part=\"adl\",metric=\"Own\",level=\"1\",unit=\"\"} 3\n");
	assert_false(is_there(&serve, "barepmu_row_metric"));
	end_hybrid(&serve);
	by_row = true;
	begin_hybrid(&serve, "cycles", "Own");
	count_hybrid(&serve);
	has(&serve, "\nbarepmu_metric{part=\"adl\",metric=\"Own\",level=\"1\",unit=\"\"} 3\n");
	has(&serve, "\nbarepmu_row_metric{part=\"adl\",cpu=\"1\",metric=\"Own\",level=\"1\",unit=\"\"} 2\n");
	has(&serve, "\nbarepmu_row_metric{part=\"adl-e\",cpu=\"2\",metric=\"Own\",level=\"1\",unit=\"\"} 3\n");
	has(&serve, "\nbarepmu_row_metric_lower{part=\"adl-e\",cpu=\"3\",metric=\"Own\",");
	has(&serve, "\nbarepmu_row_metric_upper{part=\"adl-e\",cpu=\"3\",metric=\"Own\",");
	has(&serve, "\nbarepmu_row_metric_flagged{part=\"adl\",cpu=\"0\",metric=\"Own\",level=\"1\",unit=\"\"} 0\n");
	snprintf(line, sizeof(line), "\nbarepmu_series %u\n", bpmu_serve_series(&serve));
	has(&serve, line);
	/*
	 * A row has the CPUs that are exported together. If all CPUs of a row are offline, the row
	 * has no value.
	 */
	serve.core_type[0].row[1].offline = true;
	assert_false(is_there(&serve, "barepmu_row_metric{part=\"adl\",cpu=\"1\""));
	assert_false(is_there(&serve, "barepmu_row_metric_flagged{part=\"adl\",cpu=\"1\""));
	has(&serve, "\nbarepmu_row_metric{part=\"adl\",cpu=\"0\"");
	end_hybrid(&serve);
	by_row = false;
	own = NULL;
	unlink(file);
}

/* Each value has an uncertainty of its own: a fraction that binary numbers have exactly. */
static void make_uncertain(struct bpmu_serve_core_type *type)
{
	unsigned int nr = type->stat->type->tree.metrics.nr, i;

	for (i = 0; i < nr; i++)
		type->values[i].uncertainty = 0.25;
	for (i = 0; i < nr * type->stat->type->rows.nr; i++)
		type->row_values[i].uncertainty = 0.125 * (1 + i / nr);
}

/* Replaces the values of what a page has of this process and of the time by "N". */
static char *without_times(char *page)
{
	static const char *const vary[] = {
		"process_cpu_seconds_total ", "process_max_resident_memory_bytes ",
		"barepmu_page_seconds_total ", "barepmu_interval_end_timestamp_seconds ",
	};
	char *at, *end;
	size_t i;

	for (i = 0; i < sizeof(vary) / sizeof(*vary); i++) {
		for (at = page; (at = strstr(at, vary[i])); at = end) {
			end = at += strlen(vary[i]);
			if (at - strlen(vary[i]) > page && at[-strlen(vary[i]) - 1] != '\n')
				continue;
			end = strchr(at, '\n');
			*at++ = 'N';
			memmove(at, end, strlen(end) + 1);
			end = at;
		}
	}
	return page;
}

/* The page of two core types whose rows have metrics of their own. */
TEST(the_page_is_as_in_the_text)
{
	char file[] = "/tmp/barepmu-test-serve-XXXXXX";
	struct bpmu_serve serve;
	size_t len;

	unit_file(file, "Own = instructions | unit count | flag Own > 2\n");
	own = file;
	by_row = true;
	begin_hybrid(&serve, "cycles,slots", "Own");
	count_hybrid(&serve);
	count_hybrid(&serve);
	make_uncertain(&serve.core_type[0]);
	make_uncertain(&serve.core_type[1]);
	unit_text("serve", without_times(bpmu_serve_page(&serve, true, &len)));
	end_hybrid(&serve);
	by_row = false;
	own = NULL;
	unlink(file);
}

TEST(disturbed_intervals_and_failed_cpus_are_counted)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_disturbed_intervals_total 0\n");
	has(&serve, "\nbarepmu_failed_cpus 0\n");
	flaws[0] = BPMU_SAMPLE_DISTURBED;
	flaws[1] = BPMU_SAMPLE_FAILED | BPMU_SAMPLE_PREFETCH;
	count(&serve, 5, 1000000000);
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_disturbed_intervals_total 2\n");
	has(&serve, "\nbarepmu_prefetcher_intervals_total 2\n");
	has(&serve, "\nbarepmu_failed_cpus 1\n");
	memset(flaws, 0, sizeof(flaws));
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_disturbed_intervals_total 2\n");
	has(&serve, "\nbarepmu_failed_cpus 0\n");
	end(&serve);
}

/* An offline CPU has no series. A series would look like that of a CPU that counts 0. */
TEST(offline_cpus_have_no_series)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	flaws[1] = BPMU_SAMPLE_OFFLINE;
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_failed_cpus 1\n");
	has(&serve, "\nbarepmu_cpus 1\n");
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0\"");
	assert_false(is_there(&serve, "cpu=\"1\""));
	memset(flaws, 0, sizeof(flaws));
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_failed_cpus 0\n");
	has(&serve, "\nbarepmu_cpus 2\n");
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"1\",event=\"r01c2\"} 20\n");
	has(&serve, "\nbarepmu_session_seconds_total{part=\"ivb\",cpu=\"1\"");
	end(&serve);
}

/*
 * Only one CPU of a package reads the package's counters. The other CPUs have no series of these
 * counters.
 */
TEST(cpus_that_read_no_counter_have_no_count)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "UNC_ARB_TRK_REQUESTS.ALL,r01c2");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	rows[0].part_of = BPMU_BIT(BPMU_ROWS_DIE);
	rows[1].part_of = BPMU_BIT(BPMU_ROWS_DIE);
	uncore[0] = 1000000000;
	count(&serve, 5, 1000000000);
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"0\",event=\"UNC_ARB_TRK_REQUESTS.ALL\"}");
	assert_false(is_there(&serve, "cpu=\"1\",event=\"UNC_ARB_TRK_REQUESTS.ALL\""));
	has(&serve, "\nbarepmu_events_total{part=\"ivb\",cpu=\"1\",event=\"r01c2\"}");
	memset(uncore, 0, sizeof(uncore));
	rows[0].part_of = 0;
	rows[1].part_of = 0;
	end(&serve);
}

static void index_has(struct bpmu_serve *serve, const char *text, bool wanted)
{
	size_t len;
	char *page = bpmu_serve_index(serve, &len);

	assert_non_null(page);
	assert_int_equal(strlen(page), len);
	if (!strstr(page, text) == wanted)
		fail_msg("the index %s %s:\n%s", wanted ? "lacks" : "has", text, page);
	free(page);
}

TEST(the_index_has_the_state_of_the_node)
{
	struct bpmu_serve serve;
	struct bpmu_error err;

	begin(&serve, "r01c2");
	strcpy(serve.stat.analysis.type[0]->target.info.title, "A <b> & \"c\"");
	assert_int_equal(bpmu_serve_prepare(&serve, &err), 0);
	index_has(&serve, "<th>State</th><td>measuring; the first interval has not ended<", true);
	count(&serve, 5, 1000000000);
	index_has(&serve, "<th>State</th><td>measuring<", true);
	index_has(&serve, "<td>A &#60;b&#62; &#38; &#34;c&#34; (ivb), 2 CPUs<", true);
	index_has(&serve, "<th>CPUs</th><td>2 measured<", true);
	index_has(&serve, "<th>Latest interval</th><td>1 s long, ended ", true);
	index_has(&serve, "<th>Lost samples</th><td class=\"bad\">3; counts are complete<", true);
	index_has(&serve, "<a href=\"/metrics\">", true);
	index_has(&serve, "Disturbed", false);
	flaws[0] = BPMU_SAMPLE_DISTURBED;
	flaws[1] = BPMU_SAMPLE_OFFLINE;
	count(&serve, 5, 1000000000);
	memset(flaws, 0, sizeof(flaws));
	index_has(&serve, "<th>CPUs</th><td class=\"bad\">1 measured, 1 offline<", true);
	index_has(&serve, "<th>Disturbed by another agent</th><td class=\"bad\">1 of 2 intervals<",
		  true);
	serve.end.tv_sec -= 4;
	index_has(&serve, "<td class=\"bad\">no interval has ended as expected<", true);
	serve.away = true;
	index_has(&serve, "<td class=\"bad\">no session: that of the other process", true);
	end(&serve);
}

TEST(the_index_has_the_metrics_of_the_latest_interval)
{
	struct bpmu_serve serve;

	begin_hybrid(&serve, "cycles", "Retiring");
	index_has(&serve, "Retiring", false);
	count_hybrid(&serve);
	index_has(&serve, "<h2>Latest interval, Small</h2>", true);
	/*
	 * An efficient core of this CPU model has five slots per cycle. By the made-up counts one
	 * uop retires in each cycle, which is 20 %.
	 */
	index_has(&serve, "<tr><th>Retiring</th><td>20.0 &#177; 0.0 % of slots</td>", true);
	serve.away = true;
	index_has(&serve, "Retiring", false);
	end_hybrid(&serve);
}
