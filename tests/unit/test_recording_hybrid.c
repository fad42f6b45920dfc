// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of reports on recordings of hybrid CPUs. A report has the counts of both core types, or of
 * one core type if the user chooses one.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "commands.h"
#include "recording/recording_write.h"
#include "replay/report_replay.h"
#include "unit.h"
#include "view/html/html.h"

#define VALUES 6
#define KHZ 1000000
/* TSC ticks between two samples: 1 ms. */
#define STEP 1000000ULL
#define SAMPLES 100
#define CPUS 4

#define BIG_EVENTS "r01c4,r02c4"
/*
 * Eight events of the small cores, which have six counters. The events form two groups, which
 * alternate from sample to sample.
 */
#define SMALL_EVENTS "r01c4,r02c4,r04c4,r08c4,r10c4,r20c4,r40c4,r80c4"

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: values of the counters of the sample's group
 */
struct record {
	struct bpmu_sample head;
	u64 value[VALUES];
};

/**
 * struct core_type - recorded CPUs of a core type
 * @pmu: counters of the CPUs
 * @list: the events counted on the CPUs
 * @groups: the groups in which the events are multiplexed
 * @cpu: the CPUs
 * @topology: topology of the CPUs
 */
struct core_type {
	struct bpmu_pmu pmu;
	struct bpmu_event_list list;
	struct bpmu_groups groups;
	u32 cpu[2];
	struct bpmu_topology topology[2];
};

static char path[] = "/tmp/barepmu-test-hybrid-XXXXXX";

static void begin_core_type(struct core_type *type, const char *part,
			    const char *events, u32 first)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_error err;

	memset(type, 0, sizeof(*type));
	type->pmu = unit_pmu(part, part[3] ? 6 : 8);
	assert_int_equal(bpmu_event_list_parse(&type->pmu, 0, events,
					       &type->list, &err), 0);
	assert_int_equal(bpmu_groups_make(&type->groups, &type->pmu,
					  &type->list, &wish, &err), 0);
	type->cpu[0] = first;
	type->cpu[1] = first + 2;
	type->topology[0].core = first;
	type->topology[1].core = first + 2;
}

static void end_core_type(struct core_type *type)
{
	bpmu_groups_free(&type->groups);
	bpmu_event_list_free(&type->list);
}

static struct bpmu_recording_about describe(struct core_type *type, const char *part)
{
	struct bpmu_recording_about about = {
		.info = { .tsc_khz = KHZ, .pmu = type->pmu },
		.interval_ns = 1000000, .period_ns = 1000000,
		.cpus = { type->cpu, 2 }, .topology = type->topology,
		.groups = type->groups,
	};

	strcpy(about.info.part, part);
	return about;
}

/*
 * Writes the samples of a CPU on which @groups groups of events are multiplexed. On CPU c the value
 * of event i of a group increases by 100c + 10i + 1 from one sample to the next.
 */
static void write_cpu(struct bpmu_recording *recording, u32 cpu,
		      unsigned int groups)
{
	struct record record[SAMPLES + 1] = { };
	u64 running[2] = { };
	struct bpmu_sample *head;
	unsigned int g, i, k;

	for (k = 0; k <= SAMPLES; k++) {
		g = k % groups;
		head = &record[k].head;
		head->seq = k;
		head->cpu = cpu;
		head->group = g;
		head->nr = VALUES;
		head->flags = k < groups ? BPMU_SAMPLE_START :
					   BPMU_SAMPLE_TIMER;
		head->enabled = k < groups ? 0 : (k - groups + 1) * STEP;
		head->tsc_begin = 5 * STEP + head->enabled;
		head->tsc_end = head->tsc_begin + 10;
		running[g] += k < groups ? 0 : STEP;
		head->running = running[g];
		for (i = 0; i < VALUES; i++)
			record[k].value[i] = running[g] / STEP *
					     (100 * cpu + 10 * i + 1);
	}
	bpmu_recording_add(recording, record, sizeof(record));
}

/*
 * Writes a recording with performance cores on CPUs 0 and 2, and efficient cores on CPUs @small and
 * @small + 2.
 */
static void write_file(u32 small)
{
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_topology machine[CPUS] = { };
	struct bpmu_recording recording;
	struct core_type big, little;
	struct bpmu_error err;

	begin_core_type(&big, "adl", BIG_EVENTS, 0);
	begin_core_type(&little, "adl-e", SMALL_EVENTS, small);
	about[0] = describe(&big, "adl");
	about[1] = describe(&little, "adl-e");
	about->machine_topology = machine;
	about->machine_cpus = CPUS;
	about->others = 1;
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, about,
						 sizeof(struct record), &err),
			 0);
	write_cpu(&recording, 0, 1);
	write_cpu(&recording, 1, 2);
	write_cpu(&recording, 2, 1);
	write_cpu(&recording, 3, 2);
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	end_core_type(&big);
	end_core_type(&little);
}

static void open_file(struct bpmu_replay *replay)
{
	struct bpmu_error err;

	memset(replay, 0, sizeof(*replay));
	replay->name = path;
	if (bpmu_recording_open(&replay->file, path, &err))
		fail_msg("%s", err.text);
}

/*
 * A file with two core types has another version number, so that old versions of barepmu, which can
 * read only one core type, refuse the file.
 */
TEST(a_file_with_core_types_has_a_version_of_its_own)
{
	FILE *stream;
	char magic[8];

	write_file(1);
	stream = fopen(path, "re");
	assert_non_null(stream);
	assert_int_equal(fread(magic, 1, sizeof(magic), stream), sizeof(magic));
	fclose(stream);
	assert_memory_equal(magic, "BPMUREC\6", sizeof(magic));
}

TEST(both_core_types_have_a_description)
{
	const struct bpmu_recording_about *about, *other;
	struct bpmu_replay replay;

	write_file(1);
	open_file(&replay);
	about = bpmu_recording_about(replay.file);
	assert_int_equal(about->others, 1);
	other = &about[1];
	assert_string_equal(about->info.part, "adl");
	assert_string_equal(other->info.part, "adl-e");
	assert_int_equal(other->info.pmu.gp_counters, 6);
	assert_int_equal(other->info.tsc_khz, KHZ);
	assert_int_equal(other->period_ns, 1000000);
	assert_int_equal(other->cpus.cpu[1], 3);
	assert_int_equal(other->topology[1].core, 3);
	assert_int_equal(about->groups.slots, 2);
	assert_int_equal(other->groups.slots, 8);
	assert_ptr_equal(bpmu_recording_groups(about, 2), &about->groups);
	assert_ptr_equal(bpmu_recording_groups(about, 3), &other->groups);
	bpmu_recording_shut(replay.file);
}

static void choose(const char *cpus, const char *first, const char *second)
{
	struct bpmu_analysis analysis = { };
	struct bpmu_replay replay;
	struct bpmu_error err;

	open_file(&replay);
	if (bpmu_replay_analyse(&replay, &analysis, cpus, &err))
		fail_msg("%s", err.text);
	assert_string_equal(analysis.type[0]->target.cpus_text, first);
	assert_int_equal(analysis.nr, second ? 2 : 1);
	/* Both core types are described, even if the user chose only one. */
	assert_int_equal(analysis.described, 2);
	if (second) {
		assert_string_equal(analysis.type[1]->target.cpus_text, second);
		assert_string_equal(analysis.type[1]->target.info.part, "adl-e");
	}
	bpmu_analysis_free(&analysis);
	bpmu_recording_shut(replay.file);
}

static void refuse(const char *cpus, int code, const char *why)
{
	struct bpmu_replay replay;
	struct bpmu_target target;
	struct bpmu_error err;

	open_file(&replay);
	assert_int_equal(bpmu_replay_target(&replay, &target, cpus, &err),
			 code);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in: %s", why, err.text);
	bpmu_recording_shut(replay.file);
}

TEST(cpus_and_parts_choose_core_types)
{
	write_file(1);
	choose(NULL, "0,2", "1,3");
	choose("1-2", "2", "1");
	choose("0,2", "0,2", NULL);
	choose("3", "3", NULL);
	choose("adl", "0,2", NULL);
	choose("adl-e", "1,3", NULL);
	refuse(NULL, -EINVAL, "choose one with -C 0,2 (adl) or -C 1,3 (adl-e)");
	refuse("skl", -ENODEV, "they are adl and adl-e");
}

TEST(refuses_core_types_with_the_same_cpu)
{
	struct bpmu_recording_file *file;
	struct bpmu_error err;

	write_file(2);
	assert_int_equal(bpmu_recording_open(&file, path, &err), -EINVAL);
	assert_non_null(strstr(err.text, "no usable list of CPUs"));
}

/**
 * struct asked - the events that are read from a recording of both core types, and their counts
 * @big: events of the big cores
 * @little: events of the small cores
 * @counts: counts of the first event of each core type, [position of the CPU]
 * @slices: the groups were multiplexed, so the counts have time slices, [core type]
 * @behind: position of the first small core among all CPUs
 */
struct asked {
	struct core_type big;
	struct core_type little;
	double counts[CPUS];
	bool slices[2];
	unsigned int behind;
};

static void emit(void *data, const struct bpmu_interval *interval)
{
	struct asked *asked = data;
	const struct bpmu_interval small =
		bpmu_interval_behind(interval, asked->behind,
				     &asked->big.groups);
	struct bpmu_estimate count;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		count = (struct bpmu_estimate){ };
		bpmu_interval_estimate(&asked->big.groups, interval, i,
				       asked->big.list.spec, &count);
		asked->counts[i] = count.value;
		count = (struct bpmu_estimate){ };
		bpmu_interval_estimate(&asked->little.groups, &small, i,
				       asked->little.list.spec, &count);
		asked->counts[2 + i] = count.value;
	}
	asked->slices[0] = bpmu_interval_multiplexed(&asked->big.groups,
						    interval, BPMU_BANK_CORE);
	asked->slices[1] = bpmu_interval_multiplexed(&asked->little.groups,
						    &small, BPMU_BANK_CORE);
}

static int report(struct asked *asked, const char *big, const char *little,
		  struct bpmu_error *err)
{
	u32 cpus[CPUS] = { 0, 2, 1, 3 };
	struct bpmu_measure m = {
		.cpus = cpus, .nr_cpus = CPUS, .first = { 0, 2 },
		.groups = { &asked->big.groups, &asked->little.groups },
		.emit = emit, .data = asked,
	};
	struct bpmu_replay replay;
	int code;

	begin_core_type(&asked->big, "adl", big, 0);
	begin_core_type(&asked->little, "adl-e", little, 1);
	asked->behind = 2;
	open_file(&replay);
	code = bpmu_replay_run(&replay, &m, 1, err);
	bpmu_recording_shut(replay.file);
	end_core_type(&asked->big);
	end_core_type(&asked->little);
	return code;
}

TEST(each_core_type_has_its_counts)
{
	struct asked asked;
	struct bpmu_error err;

	write_file(1);
	if (report(&asked, "r02c4", "r01c4,r80c4", &err))
		fail_msg("%s", err.text);
	assert_float_equal(asked.counts[0], SAMPLES * 11, 0);
	assert_float_equal(asked.counts[1], SAMPLES * 211, 0);
	/*
	 * Each event of the small cores was on a counter for only half of the time, so its count is
	 * scaled to the whole time.
	 */
	assert_float_equal(asked.counts[2], (SAMPLES - 1) * 101, 101);
	assert_float_equal(asked.counts[3], (SAMPLES - 1) * 301, 301);
	assert_false(asked.slices[0]);
	assert_true(asked.slices[1]);
}

TEST(refuses_events_that_a_core_type_did_not_record)
{
	struct asked asked;
	struct bpmu_error err;

	write_file(1);
	assert_int_equal(report(&asked, "r80c4", "r80c4", &err), -ENODATA);
	assert_non_null(strstr(err.text,
			       "event 'r80c4': was not recorded on adl;"));
	assert_int_equal(report(&asked, "r01c4", "r00c5", &err), -ENODATA);
	assert_non_null(strstr(err.text,
			       "event 'r00c5': was not recorded on adl-e;"));
}

/* "report --by" prints one table for one core type, so it refuses CPUs of two core types. */
TEST(refuses_entries_of_two_core_types)
{
	struct bpmu_ctx ctx = { .evaluation = bpmu_command_evaluation };
	char *argv[] = { "report", "--by", "cpu", "-e", "cycles", path, NULL };

	optind = 0;
	assert_int_equal(bpmu_cmd_report(&ctx, ARRAY_SIZE(argv) - 1, argv), 1);
	assert_string_equal(ctx.err.text,
		"the CPUs have two core types; choose one with -C 0,2 (adl) or -C 1,3 (adl-e)");
}

/* Number of times that the samples of the file were read so far. */
static unsigned int readings;

int __real_bpmu_replay_run(const struct bpmu_replay *replay, const struct bpmu_measure *measures,
			   unsigned int nr, struct bpmu_error *err);

int __wrap_bpmu_replay_run(const struct bpmu_replay *replay, const struct bpmu_measure *measures,
			   unsigned int nr, struct bpmu_error *err);

int __wrap_bpmu_replay_run(const struct bpmu_replay *replay, const struct bpmu_measure *measures,
			   unsigned int nr, struct bpmu_error *err)
{
	readings++;
	return __real_bpmu_replay_run(replay, measures, nr, err);
}

/*
 * The metrics that the next HTML page is to show, and the error code of the latest page; 0 for
 * success.
 */
static struct bpmu_choice choice;
static int page_error;

/*
 * Writes the HTML page of the recording for the CPUs in the list @cpus. Returns the data in the
 * page, or the text of the error as a JSON string.
 */
static json_t *page(const char *cpus)
{
	static const char begin[] = "<script type=\"application/json\" id=\"data\">";
	char output[] = "/tmp/barepmu-test-hybrid-page-XXXXXX";
	struct bpmu_replay replay;
	const struct bpmu_html_call call = {
		.output = output, .replay = &replay, .cpus = cpus,
		.choice = &choice,
	};
	struct bpmu_error err;
	int fd = mkstemp(output);
	char *text = NULL, *at;
	size_t size = 0;
	json_t *data;
	FILE *stream;

	assert_true(fd >= 0);
	open_file(&replay);
	page_error = bpmu_html_write(&call, &err);
	bpmu_recording_shut(replay.file);
	bpmu_choice_free(&choice);
	memset(&choice, 0, sizeof(choice));
	if (page_error) {
		close(fd);
		unlink(output);
		return json_string(err.text);
	}
	stream = fdopen(fd, "r");
	assert_non_null(stream);
	assert_true(getdelim(&text, &size, '\0', stream) > 0);
	fclose(stream);
	unlink(output);
	at = strstr(text, begin);
	assert_non_null(at);
	data = json_loads(at + strlen(begin), JSON_DISABLE_EOF_CHECK, NULL);
	free(text);
	assert_non_null(data);
	return data;
}

/*
 * Returns the count of an event on the page for a core type; -1 if the page does not have the
 * event.
 */
static long long event_of(const json_t *type, const char *name)
{
	const json_t *nodes = json_object_get(json_object_get(type, "events"), "nodes");
	json_t *node;
	size_t i;

	json_array_foreach(nodes, i, node)
		if (!strcmp(json_string_value(json_object_get(node, "name")), name))
			return json_integer_value(json_object_get(node, "value"));
	return -1;
}

/*
 * Returns a text that the page has about a core type. @key says which: the list of its CPUs, or its
 * title.
 */
static const char *about_of(const json_t *type, const char *key)
{
	return json_string_value(json_object_get(json_object_get(type, "about"), key));
}

TEST(without_a_choice_the_page_has_both_core_types)
{
	json_t *data, *types;

	write_file(1);
	readings = 0;
	data = page(NULL);
	assert_int_equal(readings, 2);
	types = json_object_get(data, "types");
	assert_int_equal(json_array_size(types), 2);
	assert_string_equal(about_of(json_array_get(types, 0), "part"), "adl");
	assert_string_equal(about_of(json_array_get(types, 0), "cpus"), "0,2");
	assert_string_equal(about_of(json_array_get(types, 1), "part"), "adl-e");
	assert_string_equal(about_of(json_array_get(types, 1), "cpus"), "1,3");
	/*
	 * CPUs 0 and 2 count r02c4 all the time. CPUs 1 and 3 count r01c4 in half of the time
	 * slices, so this count is scaled and is not exact.
	 */
	assert_int_equal(event_of(json_array_get(types, 0), "r02c4"), SAMPLES * (11 + 211));
	assert_in_range(event_of(json_array_get(types, 1), "r01c4"), (SAMPLES - 2) * (101 + 301),
			(SAMPLES + 1) * (101 + 301));
	assert_int_equal(event_of(json_array_get(types, 0), "r80c4"), -1);
	json_decref(data);
}

/*
 * A metric is shown for the core types that have it. A metric that neither core type has is
 * refused.
 */
TEST(a_metric_of_one_core_type_is_drawn_there)
{
	char own[] = "/tmp/barepmu-test-hybrid-own-XXXXXX";
	json_t *data, *types, *nodes;
	struct bpmu_error err;

	write_file(1);
	unit_file(own, "Own = r80c4 / r01c4\nNowhere = r00c5 / r01c4\n");
	assert_int_equal(bpmu_choice_add_path(&choice, own, &err), 0);
	assert_int_equal(bpmu_choice_add_names(&choice, "Own", &err), 0);
	data = page(NULL);
	assert_int_equal(page_error, 0);
	types = json_object_get(data, "types");
	assert_non_null(strstr(json_string_value(json_object_get(
		json_object_get(json_array_get(types, 0), "metrics"), "why")), "r80c4"));
	nodes = json_object_get(json_object_get(json_array_get(types, 1), "metrics"), "nodes");
	assert_int_equal(json_array_size(nodes), 1);
	json_decref(data);
	assert_int_equal(bpmu_choice_add_path(&choice, own, &err), 0);
	assert_int_equal(bpmu_choice_add_names(&choice, "Nowhere", &err), 0);
	data = page(NULL);
	assert_int_equal(page_error, -ENODATA);
	assert_non_null(strstr(json_string_value(data), "r00c5"));
	json_decref(data);
	unlink(own);
}

/*
 * An interval of the page is as long as four time slices of each group. The small cores have two
 * groups, and a time slice takes 1 ms. An interval therefore takes 8 ms, whatever the number of
 * CPUs is.
 */
TEST(the_page_has_intervals_of_four_slices)
{
	const json_t *view;
	json_t *data;

	write_file(1);
	readings = 0;
	data = page("1,3");
	assert_int_equal(readings, 1);
	view = json_object_get(data, "events");
	assert_in_range(json_array_size(json_object_get(view, "end")),
			SAMPLES / 8, SAMPLES / 8 + 1);
	json_decref(data);
}

TEST_FIXTURE(setup)
{
	unit_file(path, "");
	return 0;
}

TEST_FIXTURE(teardown)
{
	return unlink(path);
}

TEST_GROUP(setup, teardown);
