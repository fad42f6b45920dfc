// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "report", on a recording of known counts: CPU 5 counts twice as much as CPU 0, and each
 * event has a rate of its own.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "commands.h"
#include "recording/recording_write.h"
#include "tree/tree.h"
#include "unit.h"

#define CPUS 2
#define KHZ 1000000
/* TSC ticks between two samples: 10 ms. */
#define STEP 10000000ULL
#define SAMPLES 200
/*
 * LOST samples of CPU 0 are lost, beginning with sample LOST_AT. Before sample DISTURBED_AT of CPU
 * 5 another program has written the counters.
 */
#define LOST 3
#define LOST_AT 50
#define DISTURBED_AT 120
/* TSC ticks that the module takes for a sample: a thousandth of the time between two samples. */
#define SPENT (STEP / 1000)

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: values of the counters of the sample's group
 */
struct record {
	struct bpmu_sample head;
	u64 value[BPMU_MAX_COUNTERS];
};

/* What each event counts on CPU 0 from one sample to the next. The core has 4 slots per cycle. */
static const struct unit_count rates[] = {
	{ "CPU_CLK_UNHALTED.THREAD", 10000 },
	{ "cycles", 10000 },
	{ "instructions", 15000 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE", 8000 },
	{ "IDQ_UOPS_NOT_DELIVERED.CORE:[>=4]", 1500 },
	{ "UOPS_ISSUED.ANY", 20000 },
	{ "UOPS_RETIRED.RETIRE_SLOTS", 16000 },
	{ "INT_MISC.RECOVERY_CYCLES", 500 },
	{ "ref-cycles", 5000000 },
};

static char path[] = "/tmp/barepmu-test-report-XXXXXX";
static char output[] = "/tmp/barepmu-test-output-XXXXXX";
static struct bpmu_pmu pmu;
static bool nothing_is_wrong;
/* If true, the counts of an event differ between groups and from sample to sample. */
static bool uneven;

/*
 * Returns what an event counts from one sample to the next. If nothing_is_wrong is true, all issued
 * slots retire, and no branch is mispredicted.
 */
static u64 rate_of(const char *event)
{
	size_t i;

	if (nothing_is_wrong && !strcmp(event, "UOPS_ISSUED.ANY"))
		event = "UOPS_RETIRED.RETIRE_SLOTS";
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		if (!strcmp(rates[i].event, event) &&
		    !(nothing_is_wrong && strstr(event, "RECOVERY")))
			return rates[i].count;
	return nothing_is_wrong ? 0 : 100;
}

static void write_cpu(struct bpmu_recording *recording,
		      const struct bpmu_groups *groups, u32 cpu)
{
	u64 value[BPMU_TREE_GROUPS][BPMU_MAX_COUNTERS] = { };
	u64 running[BPMU_TREE_GROUPS] = { };
	unsigned int slices = groups->nr;
	struct record record;
	unsigned int k, i, g, seq = 0;

	for (k = 0; k < SAMPLES + slices; k++) {
		const struct bpmu_sched *sched;

		g = k % slices;
		sched = &groups->group[g].sched;
		for (i = 0; i < sched->nr && k >= slices; i++)
			value[g][sched->slot[i].value] += (cpu ? 2 : 1) *
				rate_of(sched->slot[i].text) +
				(uneven ? g * 97 + k * i % 89 : 0);
		running[g] += k >= slices ? STEP : 0;
		if (!cpu && k >= LOST_AT && k < LOST_AT + LOST) {
			seq++;
			continue;
		}
		memset(&record, 0, sizeof(record));
		record.head.seq = seq++;
		record.head.cpu = cpu;
		record.head.group = g;
		record.head.nr = sched->values;
		record.head.flags = k < slices ? BPMU_SAMPLE_START :
						BPMU_SAMPLE_TIMER;
		if (cpu && k == DISTURBED_AT)
			record.head.flags |= BPMU_SAMPLE_DISTURBED;
		record.head.enabled = k < slices ? 0 : (k - slices + 1) * STEP;
		record.head.spent = k * SPENT;
		record.head.running = running[g];
		record.head.tsc_begin = STEP + record.head.enabled;
		record.head.tsc_end = record.head.tsc_begin + 100;
		memcpy(record.value, value[g], sizeof(value[g]));
		bpmu_recording_add(recording, &record, sizeof(record));
	}
}

static void write_file(const struct bpmu_groups *groups, char **asked)
{
	static struct bpmu_topology topology[] = { { 0, 0 }, { 0, 1 } };
	static u32 cpus[CPUS] = { 0, 5 };
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .tsc_khz = KHZ, .pmu = pmu },
		.interval_ns = 10000000ULL * groups->nr,
		.period_ns = 10000000,
		.cpus = { cpus, CPUS }, .topology = topology, .asked = asked,
		.machine_topology = topology, .machine_cpus = CPUS,
		.groups = *groups,
	};
	struct bpmu_recording recording;
	struct bpmu_error err;

	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err),
			 0);
	write_cpu(&recording, groups, 0);
	write_cpu(&recording, groups, 5);
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
}

static void write_events(const char *events)
{
	static char *asked[] = { "stat", NULL };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups groups;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, events, &list, &err),
			 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err),
			 0);
	write_file(&groups, asked);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
}

static void write_tree(unsigned int level)
{
	static const char *const beside[] = { "cycles", "instructions", NULL };
	static char *asked[] = { "topdown", "-l", "1", NULL };
	struct bpmu_tree_wish wish = {
		.method = "topdown", .level = level, .pmu = &pmu, .beside = beside,
	};
	struct bpmu_tree tree;
	struct bpmu_error err;

	assert_int_equal(bpmu_tree_make(&tree, &wish, &err), 0);
	write_file(&tree.groups, asked);
	bpmu_tree_free(&tree);
}

static char *content(const char *name)
{
	FILE *file = fopen(name, "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(file);
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	return text;
}

/*
 * Runs "report" with the option @option, whose value is the file output, with the words @words, and
 * with the recording path. Returns the contents of the file output; the caller frees them.
 */
static char *report_to(char *option, const char *words)
{
	struct bpmu_ctx ctx = { .evaluation = bpmu_command_evaluation };
	char *all = strdup(words);
	char *argv[24] = { "report", option, output };
	int argc = 3;
	char *word;
	int status;

	for (word = strtok(all, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc++] = path;
	optind = 0;
	status = bpmu_cmd_report(&ctx, argc, argv);
	free(all);
	if (status)
		fail_msg("%s: status %d: %s", words, status, ctx.err.text);
	return content(output);
}

static char *report(const char *words)
{
	return report_to("-o", words);
}

static void is(double value, double expected)
{
	if (!(fabs(value - expected) < 0.000001))
		fail_msg("%.9g is not %.9g", value, expected);
}

/* Checks that the output of "report" with @words contains @line. */
static void says(const char *words, const char *line)
{
	char *text = report(words);

	if (!strstr(text, line))
		fail_msg("%s: not %s, but:\n%s", words, line, text);
	free(text);
}

static void says_not(const char *words, const char *line)
{
	char *text = report(words);

	if (strstr(text, line))
		fail_msg("%s: %s, in:\n%s", words, line, text);
	free(text);
}

/*
 * Ten events on four general counters and the fixed ones need two groups, which alternate from
 * sample to sample.
 */
#define SLICES "cycles,instructions,r01c4,r02c4,r04c4,r08c4,r10c4,r20c4,r40c4,r80c4"

/*
 * Between two successive samples one of the two groups is on the counters. There are 200 such
 * steps. Both groups count cycles, so both CPUs together count 200 * 3 * 10,000 cycles. Only one
 * group counts r01c4, so this event is counted in half of the steps.
 */
TEST(events_have_their_counts)
{
	write_events(SLICES);
	says("-e cycles,instructions -x,",
	     "\n,\"0,5\",cycles,6000000,events,100.00,3,,,,count,disturbed,");
	says("-e cycles,instructions -x, -A",
	     "\n,0,instructions,3000000,events,100.00,3,,,,count,,");
	says("-e cycles,instructions -x, -A",
	     "\n,5,instructions,6000000,events,100.00,0,,,,count,disturbed,");
	says("-e cycles", " 6,000,000  cycles  (3 samples lost)  (disturbed)\n");
	says("-e cycles",
	     "\n  2.000000 seconds, 0.1000% of the CPUs' time spent in sampling\n");
	says("-e cycles -j", "\"count\":6000000,\"unit\":\"events\",\"enabled_percent\":100.00,"
	     "\"lost\":3,\"uncertainty\":0,");
	says("-e cycles -I 500ms -x,",
	     "\n1.500000000,\"0,5\",cycles,1500000,events,100.00,0,,,,count,disturbed,");
	says("-e r01c4",
	     " 60,000  r01c4  +- 0.00%  (50.0% of the time)  (3 samples lost)  (disturbed)\n");
	says("-e cycles,r01c4 -j", "\"enabled_ticks\":4000000000,\"running_ticks\":2000000000}");
}

/* A node has the same value and uncertainty whatever other nodes are shown with it. */
TEST(a_node_does_not_depend_on_others)
{
	static const char *const nodes[] = {
		"Frontend_Bound", "Fetch_Latency_Bound", "Fetch_Bandwidth_Bound",
		"Bad_Speculation", "Branch_Mispredicts", "Machine_Clears", "Retiring",
		"BASE", "MicroSequencer", "Backend_Bound", "Memory_Bound", "Core_Bound",
	};
	char words[64], row[64];
	char *all, *one, *line;
	size_t i;

	uneven = true;
	write_tree(2);
	uneven = false;
	all = report("-M TopdownL1,TopdownL2 -x,");
	for (i = 0; i < ARRAY_SIZE(nodes); i++) {
		snprintf(words, sizeof(words), "-M %s -x,", nodes[i]);
		snprintf(row, sizeof(row), ",%s,", nodes[i]);
		one = report(words);
		line = strstr(one, row);
		assert_non_null(line);
		*strchr(line, '\n') = '\0';
		line = strrchr(one, '\n') + 1;
		/*
		 * The last column says whether the node is flagged. That depends on the nodes above
		 * it, which are only in the whole tree. The column is therefore not compared.
		 */
		*strrchr(line, ',') = '\0';
		if (!strstr(all, line))
			fail_msg("not %s, but:\n%s", line, all);
		free(one);
	}
	free(all);
}

/*
 * Each group of events of the Top-Down tree also counts cycles and instructions. If uneven is true,
 * both counts differ between groups. From one sample to the next, group g then counts 10,000 + 97 *
 * g cycles on CPU 0, and 20,000 + 97 * g cycles on CPU 5.
 */
TEST(a_recording_of_topdown_has_exact_ratios)
{
	double cycles = 0, instructions = 0;
	char *text, *line;
	unsigned int k;

	uneven = true;
	write_tree(2);
	uneven = false;
	text = report("-M IPC -e cycles,instructions -j");
	line = strstr(text, "\"event\":\"cycles\"");
	assert_non_null(line);
	assert_non_null(strstr(line, "\"uncertainty\":0,"));
	cycles = strtod(strstr(line, "\"count\":") + 8, NULL);
	line = strstr(text, "\"event\":\"instructions\"");
	assert_non_null(line);
	instructions = strtod(strstr(line, "\"count\":") + 8, NULL);
	line = strstr(text, "\"metric\":\"IPC\"");
	assert_non_null(line);
	is(strtod(strstr(line, "\"value\":") + 8, NULL), instructions / cycles);
	assert_non_null(strstr(line, "\"uncertainty\":0"));
	/*
	 * The count of cycles must be the sum over all groups. When the cycles of both CPUs in each
	 * step from sample to sample are subtracted from the count, the result must be 0.
	 */
	for (k = 4; k < SAMPLES + 4; k++)
		cycles -= 3 * 10000 + 2 * 97 * (k % 4);
	is(cycles, 0);
	free(text);
}

TEST(metrics_have_their_values)
{
	write_events(SLICES);
	says("-M IPC", "\n                   1.5 instructions/clock       # IPC  (disturbed)\n");
	says("-M IPC -x,",
	     "\n,\"0,5\",,,instructions/clock,,,,,,metric,disturbed,,,,,,IPC,1,1.500000,0\n");
	says("-M IPC --compact -I 500ms", "\n         time           IPC\n");
	says("-M IPC --compact -I 500ms", "\n     0.500000           1.5\n");
}

/* diff compares rates: each interval's count divided by the length of the interval. */
TEST(diff_compares_rates)
{
	char *words, *text;

	write_events("cycles");
	assert_true(asprintf(&words, "--diff -e cycles -I 500ms -x, %s", path) > 0);
	text = report(words);
	if (!strstr(text, "\n\"0,5\",cycles,3000000,3000000,0,"))
		fail_msg("not 3,000,000 cycles a second: %s", text);
	free(text);
	free(words);
}

TEST(nodes_have_their_values)
{
	write_tree(1);
	/*
	 * From one sample to the next there are 40000 slots: 8000 are lost in the front end, 20000
	 * - 16000 + 4 * 500 in bad speculation, and 16000 retire. The other slots are lost in the
	 * back end.
	 */
	says("-l 1", "\n  Frontend_Bound                     20.0 % of slots  <==  (disturbed)\n");
	says("-l 1", "\n  Bad_Speculation                    15.0 % of slots  (disturbed)\n");
	says("-l 1", "\n  Retiring                           40.0 % of slots  (disturbed)\n");
	says("-l 1", "\n  Backend_Bound                      25.0 % of slots  <==  (disturbed)\n");
	/*
	 * In a CPI stack each node has a component: the fraction of slots of the node, multiplied
	 * by the CPI. The CPI is 2 / 3 cycles per instruction.
	 */
	says("-l 1 --cpi", "\n  Frontend_Bound                      0.1333  (disturbed)\n");
	says("-l 1 --cpi", "\n  sum                                 0.6667\n");
	says("-l 1 --cpi", "\n  residual                            0.0000  (disturbed)\n");
	says("-l 1 --cpi -x,", "\n2.000000,\"0,5\",Backend_Bound,component,0.166667,0.000000,disturbed,cycles per instruction\n");
	says("-l 1 --normalise INST", "\n  Frontend_Bound                      0.1333  (disturbed)\n");
	/*
	 * The recording has 6,000,000 cycles. With 600 units of work these are 10,000 cycles per
	 * unit.
	 */
	says("-l 1 --normalise WORK=600", "\n  Frontend_Bound                      2000.0  (disturbed)\n");
	says("-l 1 --normalise WORK=600", "\n  measured                           10000.0  (disturbed)\n");
	says("-l 1 --normalise WORK=600 -j", "\"name\":\"sum\",\"part\":\"sum\",\"value\":10000.000000,");
}

/*
 * --paper prints each formula with the numbers that it is computed from. A formula that uses the
 * value of another node is printed with that value.
 */
TEST(paper_prints_formulas_with_numbers)
{
	write_tree(1);
	says("-l 1 --paper", "\n                = 1 - (0.2 + 0.15 + 0.4)\n                = 0.25");
}

/*
 * Some formulas divide by the number of mispredicted branches and machine clears. If there are
 * none, the nodes with these formulas have no value, and sums leave these nodes out.
 */
TEST(a_node_without_value_is_no_part_of_a_sum)
{
	nothing_is_wrong = true;
	write_tree(2);
	nothing_is_wrong = false;
	says("-l 2", "\n    Branch_Mispredicts              no value");
	says("-l 2 --cpi", "\n  Bad_Speculation                     0.0000");
	says_not("-l 2 --cpi", "Branch_Mispredicts");
}

/* If one metric of a group cannot be measured, a note says so once, with the reason. */
TEST(a_metric_that_cannot_be_measured_is_reported_once)
{
	static const char metrics[] = "{\"Metrics\": ["
		"{\"MetricName\": \"own_cpi\", \"MetricGroup\": \"own\", \"Formula\": \"a / b\", \"Events\": ["
		"{\"Name\": \"CPU_CLK_UNHALTED.THREAD\", \"Alias\": \"a\"},"
		"{\"Name\": \"INST_RETIRED.ANY\", \"Alias\": \"b\"}]},"
		"{\"MetricName\": \"own_gone\", \"MetricGroup\": \"own\", \"Formula\": \"a / b\", \"Events\": ["
		"{\"Name\": \"NO.SUCH_EVENT\", \"Alias\": \"a\"},"
		"{\"Name\": \"INST_RETIRED.ANY\", \"Alias\": \"b\"}]}]}";
	static const struct {
		const char *options;
		const char *line;
	} said[] = {
		{ "", "\n  own_gone: not measured, NO.SUCH_EVENT is in no event file" },
		{ "-x,", "\n,,,,,,,,,,metric,refused,,,,,,own_gone,,,\n" },
		{ "-j", "\"type\":\"refused\",\"metric\":\"own_gone\",\"why\":\"NO.SUCH_EVENT" },
	};
	char file[] = "/tmp/barepmu-test-metrics-XXXXXX";
	char *words, *text, *first;
	unsigned int i;

	write_events("CPU_CLK_UNHALTED.THREAD,INST_RETIRED.ANY");
	unit_file(file, metrics);
	for (i = 0; i < ARRAY_SIZE(said); i++) {
		assert_true(asprintf(&words, "--metrics %s -M own %s", file,
				     said[i].options) > 0);
		text = report(words);
		first = strstr(text, said[i].line);
		if (!first || strstr(first + 1, said[i].line))
			fail_msg("%s: not once %s, but:\n%s", words, said[i].line, text);
		assert_null(strstr(first + strlen(said[i].line), "own_gone"));
		free(text);
		free(words);
	}
	unlink(file);
}

TEST(refuses_a_cpu_that_was_not_recorded)
{
	struct bpmu_ctx ctx = { .evaluation = bpmu_command_evaluation };
	char *argv[] = { "report", "-C", "7", "-e", "cycles", path, NULL };

	write_events("cycles");
	optind = 0;
	assert_int_equal(bpmu_cmd_report(&ctx, ARRAY_SIZE(argv) - 1, argv), 1);
	if (!strstr(ctx.err.text, "choose from 0,5"))
		fail_msg("%s", ctx.err.text);
}

/* Writes a recording for whose evaluation @asked was asked, and checks that it is refused. */
static void refuses_asked(char **asked, int status, const char *says)
{
	struct bpmu_ctx ctx = { .evaluation = bpmu_command_evaluation };
	const struct bpmu_groups_wish wish = { };
	char *argv[] = { "report", path, NULL };
	struct bpmu_event_list list = { };
	struct bpmu_groups groups;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "cycles", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &pmu, &list, &wish, &err), 0);
	write_file(&groups, asked);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
	optind = 0;
	assert_int_equal(bpmu_cmd_report(&ctx, ARRAY_SIZE(argv) - 1, argv), status);
	assert_string_equal(ctx.err.text, says);
}

/* A later version may write requests that this one does not know. */
TEST(refuses_a_request_that_it_does_not_know)
{
	static char *unknown[] = { "explode", "-e", "cycles", NULL };
	static char *option[] = { "stat", "--explode", "-e", "cycles", NULL };
	static char *value[] = { "topdown", "-l", "x", NULL };
	static char *missing[] = { "stat", "-e", NULL };

	refuses_asked(unknown, 1, "recording: its request 'explode' is not known here; choose what to evaluate with -e, -M, --topdown, --cpistack or --phi");
	refuses_asked(option, 2, "option '--explode': not known; see 'barepmu stat --help'");
	refuses_asked(value, 2, "-l 'x': not a number from 1 to 9; write one");
	refuses_asked(missing, 2, "option '-e': its value is missing; write -e EVENTS, see 'barepmu stat --help'");
}

/*
 * Runs "report --html" on the recording, with the options @words. Returns the data in the HTML
 * page.
 */
static json_t *page(const char *words)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">";
	char *text = report_to("--html", words);
	char *at = strstr(text, begin);
	json_t *data;

	assert_non_null(at);
	data = json_loads(at + strlen(begin), JSON_DISABLE_EOF_CHECK, NULL);
	assert_non_null(data);
	free(text);
	return data;
}

static double total(const json_t *list)
{
	double sum = 0;
	json_t *number;
	size_t i;

	json_array_foreach(list, i, number)
		sum += json_number_value(number);
	return sum;
}

static json_t *node_of(const json_t *view, const char *name)
{
	json_t *node;
	size_t i;

	json_array_foreach(json_object_get(view, "nodes"), i, node)
		if (!strcmp(json_string_value(json_object_get(node, "name")),
			    name))
			return node;
	fail_msg("%s is not on the page", name);
	return NULL;
}

/*
 * Checks that a node of the page has @value over the whole time, and a value for each CPU and for
 * each interval.
 */
static void check_node(const json_t *view, const char *name, double value)
{
	const json_t *node = node_of(view, name);
	size_t times = json_array_size(json_object_get(view, "end"));
	json_t *cells = json_object_get(node, "c");
	size_t cpu;

	is(json_number_value(json_object_get(node, "value")), value);
	assert_int_equal(json_array_size(json_object_get(node, "r")), CPUS);
	assert_int_equal(json_array_size(json_object_get(node, "v")), times);
	is(total(json_object_get(node, "v")), times * value);
	assert_int_equal(json_array_size(cells), CPUS);
	for (cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(json_array_size(json_array_get(cells, cpu)),
				 times);
}

TEST(the_page_has_the_values_of_the_tree)
{
	json_t *data, *view, *group;
	size_t times;

	write_tree(1);
	data = page("");
	view = json_object_get(data, "topdown");
	times = json_array_size(json_object_get(view, "end"));
	assert_true(times > 1);
	check_node(view, "Frontend_Bound", 0.2);
	check_node(view, "Retiring", 0.4);
	is(total(json_object_get(view, "lost")), LOST);
	group = json_array_get(json_object_get(view, "groups"), 0);
	is(total(json_object_get(group, "running")), times);
	/* No metric was asked for, so the page has none. */
	assert_null(json_object_get(data, "metrics"));
	json_decref(data);
}

/* The metric IPC uses an event that is multiplexed, and the metric Utilization uses the TSC. */
TEST(the_page_has_the_values_of_metrics)
{
	json_t *data, *view, *group;
	size_t times;

	write_events(SLICES ",ref-cycles");
	data = page("-M Utilization,IPC");
	view = json_object_get(data, "metrics");
	/*
	 * In 10 million TSC ticks one CPU has 5 million and the other 10 million unhalted reference
	 * cycles. The mean utilization is therefore 0.75.
	 */
	is(json_number_value(json_object_get(node_of(view, "Utilization"),
					     "value")), 0.75);
	check_node(view, "IPC", 1.5);
	view = json_object_get(data, "events");
	times = json_array_size(json_object_get(view, "end"));
	group = json_array_get(json_object_get(view, "groups"), 1);
	assert_in_range(1000 * total(json_object_get(group, "running")) / times,
			490, 510);
	json_decref(data);
}

TEST_FIXTURE(setup)
{
	int fd = mkstemp(path);
	int out = mkstemp(output);

	pmu = unit_pmu("ivb", 4);
	return fd < 0 || out < 0 ? -1 : close(fd) | close(out);
}

TEST_FIXTURE(teardown)
{
	return unlink(path) | unlink(output);
}

TEST_GROUP(setup, teardown);
