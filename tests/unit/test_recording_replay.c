// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the replay of recordings: it yields the counts of any window of time, of any interval,
 * and of any recorded CPU and event.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording/recording_write.h"
#include "replay/report_replay.h"
#include "unit.h"

#define CPUS 2
#define VALUES 4
#define KHZ 1000000
/* TSC ticks between two samples: 1 ms. */
#define STEP 1000000ULL
#define SAMPLES 101
#define MOST 128

/* Eight events on four counters need two groups, which alternate from sample to sample. */
#define EVENTS "r01c4,r02c4,r04c4,r08c4,r10c4,r20c4,r40c4,r80c4"

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
 * struct asked - a replayed measurement and its results
 * @groups: groups of the events that the report asks for
 * @list: list of these events
 * @seconds: length of each interval
 * @count: count of the first event over all CPUs, in each interval
 * @stamp: end time of each interval
 * @cpu: count of the first event on each CPU in the last interval
 * @nr: number of intervals
 */
struct asked {
	struct bpmu_groups groups;
	struct bpmu_event_list list;
	double seconds[MOST];
	double count[MOST];
	struct bpmu_stamp stamp[MOST];
	double cpu[CPUS];
	unsigned int nr;
};

static char path[] = "/tmp/barepmu-test-replay-XXXXXX";
static struct bpmu_pmu pmu;

/*
 * Returns how much the count of event @i of a group increases from one sample to the next. On CPU 5
 * it increases twice as much as on CPU 0.
 */
static u64 rate(u32 cpu, unsigned int group, unsigned int i)
{
	return (cpu ? 2 : 1) * (1000 + 100 * group + 10 * i);
}

static void write_cpu(struct bpmu_recording *recording, u32 cpu, bool slices)
{
	struct record record[SAMPLES] = { };
	u64 value[2][VALUES] = { };
	u64 running[2] = { };
	unsigned int k, i, g;
	struct bpmu_sample *head;

	for (k = 0; k < SAMPLES; k++) {
		/*
		 * Sample 0 is the first of group 0, and sample 1 is the first of group 1. Then the
		 * groups alternate.
		 */
		g = slices ? k & 1 : 0;
		head = &record[k].head;
		head->seq = k;
		head->cpu = cpu;
		head->group = g;
		head->nr = VALUES;
		head->flags = BPMU_SAMPLE_TIMER;
		if (k < (slices ? 2 : 1))
			head->flags = BPMU_SAMPLE_START;
		head->enabled = head->flags == BPMU_SAMPLE_START ? 0 :
				(k - slices) * STEP;
		head->tsc_begin = 5 * STEP + head->enabled;
		head->tsc_end = head->tsc_begin + 10;
		for (i = 0; i < VALUES && head->enabled; i++)
			value[g][i] += rate(cpu, g, i);
		running[g] += head->enabled ? STEP : 0;
		head->running = running[g];
		memcpy(record[k].value, value[g], sizeof(value[g]));
	}
	bpmu_recording_add(recording, record, sizeof(record));
}

static void write_file(const char *events)
{
	static struct bpmu_topology topology[] = { { 0, 0 }, { 0, 1 } };
	static u32 cpus[CPUS] = { 0, 5 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .tsc_khz = KHZ, .pmu = pmu },
		.interval_ns = 1000000, .period_ns = 1000000,
		.cpus = { cpus, CPUS }, .topology = topology,
		.machine_topology = topology, .machine_cpus = CPUS,
	};
	struct bpmu_event_list list = { };
	struct bpmu_recording recording;
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, events, &list, &err),
			 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish,
					  &err), 0);
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err),
			 0);
	write_cpu(&recording, 0, about.groups.nr > 1);
	write_cpu(&recording, 5, about.groups.nr > 1);
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

static void emit(void *data, const struct bpmu_interval *interval)
{
	struct asked *asked = data;
	struct bpmu_estimate sum = { }, one;
	unsigned int pos;

	assert_in_range(asked->nr, 0, MOST - 1);
	for (pos = 0; pos < CPUS; pos++) {
		one = (struct bpmu_estimate){ };
		if (interval->enabled[pos] || !pos)
			bpmu_interval_estimate(&asked->groups, interval, pos,
					       asked->list.spec, &one);
		asked->cpu[pos] = one.value;
		sum.value += one.value;
	}
	asked->count[asked->nr] = sum.value;
	asked->stamp[asked->nr] = interval->stamp;
	asked->seconds[asked->nr++] = interval->seconds;
}

/* Largest number of measurements that are replayed together. */
#define TOGETHER 3

/*
 * Replays @nr measurements while the file is read once. Measurement i counts the events in
 * events[i], in intervals of length interval_ns[i]. Its results are stored in asked[i]. Returns 0,
 * or a negative error code with @err filled in.
 */
static int report_all(struct asked *asked, const char *const *events, const u64 *interval_ns,
		      unsigned int nr, struct bpmu_replay *replay, struct bpmu_error *err)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_measure m[TOGETHER] = { };
	struct bpmu_target target;
	unsigned int i;
	int code;

	replay->name = path;
	assert_int_equal(bpmu_recording_open(&replay->file, path, err), 0);
	assert_int_equal(bpmu_replay_target(replay, &target, NULL, err), 0);
	for (i = 0; i < nr; i++) {
		memset(&asked[i], 0, sizeof(asked[i]));
		assert_int_equal(bpmu_event_list_parse(&pmu, 0, events[i], &asked[i].list,
						       err), 0);
		assert_int_equal(bpmu_groups_make(&asked[i].groups, &pmu, &asked[i].list,
						  &wish, err), 0);
		m[i] = (struct bpmu_measure){
			.groups = { &asked[i].groups }, .interval_ns = interval_ns[i],
			.emit = emit, .data = &asked[i],
			.cpus = target.cpus.cpu, .nr_cpus = target.cpus.nr,
		};
	}
	code = bpmu_replay_run(replay, m, nr, err);
	bpmu_target_close(&target);
	bpmu_recording_shut(replay->file);
	for (i = 0; i < nr; i++) {
		bpmu_groups_free(&asked[i].groups);
		bpmu_event_list_free(&asked[i].list);
	}
	return code;
}

static int report(struct asked *asked, const char *events, u64 interval_ns,
		  struct bpmu_replay *replay, struct bpmu_error *err)
{
	return report_all(asked, &events, &interval_ns, 1, replay, err);
}

TEST(the_whole_recording_has_its_counts)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report(&asked, "r04c4", 0, &replay, &err), 0);
	assert_int_equal(asked.nr, 1);
	assert_float_equal(asked.count[0], 100 * 3 * 1020, 0);
	assert_float_equal(asked.cpu[1], 100 * 2 * 1020, 0);
	assert_float_equal(asked.seconds[0], 0.1, 0.000001);
}

TEST(each_interval_has_its_counts)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;
	unsigned int i;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report(&asked, "r08c4,r01c4", 10000000, &replay,
				&err), 0);
	assert_int_equal(asked.nr, 10);
	for (i = 0; i < 10; i++)
		assert_float_equal(asked.count[i], 10 * 3 * 1030, 0);
	/*
	 * The recording of 100 ms has four intervals of 25 ms. The last interval ends with the last
	 * sample of the recording, so it is complete.
	 */
	assert_int_equal(report(&asked, "r01c4", 25000000, &replay, &err), 0);
	assert_int_equal(asked.nr, 4);
	for (i = 0; i < 4; i++)
		assert_float_equal(asked.count[i], 25 * 3 * 1000, 0);
	assert_int_equal(report(&asked, "r01c4", 100000, &replay, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "-I: shorter than the 1 ms"));
}

/*
 * An HTML page shows several sets of events, both in intervals and over the whole time. For all of
 * them the file is read once.
 */
TEST(one_reading_serves_several_measurements)
{
	static const char *const events[TOGETHER] = { "r08c4,r01c4", "r04c4", "r02c4" };
	static const u64 interval_ns[TOGETHER] = { 10000000, 0, 0 };
	struct bpmu_replay replay = { };
	struct asked asked[TOGETHER];
	struct bpmu_error err;
	unsigned int i;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report_all(asked, events, interval_ns, TOGETHER, &replay, &err), 0);
	assert_int_equal(asked[0].nr, 10);
	for (i = 0; i < 10; i++) {
		assert_float_equal(asked[0].count[i], 10 * 3 * 1030, 0);
		assert_float_equal(asked[0].seconds[i], 0.01 * (i + 1), 0.000001);
	}
	assert_int_equal(asked[1].nr, 1);
	assert_float_equal(asked[1].count[0], 100 * 3 * 1020, 0);
	assert_int_equal(asked[2].nr, 1);
	assert_float_equal(asked[2].count[0], 100 * 3 * 1010, 0);
}

/*
 * A caller may ask for the end time of an interval when later intervals have already been reported.
 * The caller must get the end time of the interval that it asked for.
 */
TEST(each_interval_has_its_end_time)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;
	unsigned int i;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report(&asked, "r01c4", 10000000, &replay, &err), 0);
	assert_int_equal(asked.nr, 10);
	for (i = 1; i < asked.nr; i++) {
		assert_in_range(asked.stamp[i].wall_ns -
				asked.stamp[i - 1].wall_ns, 9999980, 10000020);
		assert_in_range(asked.stamp[i].monotonic_ns -
				asked.stamp[i - 1].monotonic_ns, 9999980,
				10000020);
	}
}

TEST(a_window_has_its_counts)
{
	struct bpmu_replay replay = {
		.from = { .given = true, .value = 0.0205 },
		.to = { .given = true, .value = 0.0405 },
	};
	struct bpmu_error err;
	struct asked asked;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report(&asked, "r01c4", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], 20 * 3 * 1000, 0);
	replay.from = (struct bpmu_replay_time){ true, true, 50 };
	replay.to = (struct bpmu_replay_time){ };
	assert_int_equal(report(&asked, "r01c4", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], 50 * 3 * 1000, 3 * 1000);
	replay.from = (struct bpmu_replay_time){ true, false, 7 };
	assert_int_equal(report(&asked, "r01c4", 0, &replay, &err), -ENODATA);
	replay.to = (struct bpmu_replay_time){ true, false, 3 };
	assert_int_equal(report(&asked, "r01c4", 0, &replay, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--to: is not after --from"));
}

/*
 * The report asks for an event of one of two multiplexed groups. The event's count is scaled to the
 * whole time.
 */
TEST(counts_of_one_group_are_scaled_to_the_whole_time)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;

	write_file(EVENTS);
	assert_int_equal(report(&asked, "r02c4", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], 99 * 3 * 1010, 1);
	/* Here the report asks for events of both groups. */
	assert_int_equal(report(&asked, "r80c4,r01c4", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], 99 * 3 * 1130, 1);
	assert_int_equal(report(&asked, EVENTS, 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], 99 * 3 * 1000, 1);
}

/* An event is found whichever counter and privilege level it was recorded on. */
TEST(an_event_is_found_on_any_counter_and_privilege_level)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;

	write_file("cycles,cycles:u,instructions:u,INST_RETIRED.ANY_P");
	assert_int_equal(report(&asked, "cycles:u", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], (SAMPLES - 1) * 3 * 1010, 0);
	assert_int_equal(report(&asked, "cycles", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], (SAMPLES - 1) * 3 * 1000, 0);
	assert_int_equal(report(&asked, "instructions", 0, &replay, &err), 0);
	assert_float_equal(asked.count[0], (SAMPLES - 1) * 3 * 1030, 0);
	assert_int_equal(report(&asked, "CPU_CLK_UNHALTED.THREAD_P", 0, &replay,
				&err), 0);
	assert_float_equal(asked.count[0], (SAMPLES - 1) * 3 * 1000, 0);
	assert_int_equal(report(&asked, "cycles:k", 0, &replay, &err),
			 -ENODATA);
}

TEST(refuses_an_event_that_was_not_recorded)
{
	struct bpmu_replay replay = { };
	struct bpmu_error err;
	struct asked asked;

	write_file("r01c4,r02c4,r04c4,r08c4");
	assert_int_equal(report(&asked, "r01c4,r10c4", 0, &replay, &err),
			 -ENODATA);
	assert_non_null(strstr(err.text, "event 'r10c4': was not recorded"));
}

TEST(a_replay_of_a_cpu_that_was_not_recorded_is_refused)
{
	struct bpmu_replay replay = { .name = path };
	struct bpmu_target target;
	struct bpmu_error err;
	struct bpmu_rows rows;

	write_file("r01c4");
	assert_int_equal(bpmu_recording_open(&replay.file, path, &err), 0);
	assert_int_equal(bpmu_replay_target(&replay, &target, "5", &err), 0);
	assert_string_equal(target.cpus_text, "5");
	assert_false(bpmu_target_has_siblings(&target));
	assert_int_equal(bpmu_target_rows(&target, BPMU_ROWS_CORE, &rows,
					  &err), 0);
	assert_string_equal(rows.row[0].label, "S0-D0-C1");
	bpmu_rows_free(&rows);
	bpmu_target_close(&target);
	assert_int_equal(bpmu_replay_target(&replay, &target, "0-5", &err),
			 -ENODEV);
	assert_non_null(strstr(err.text, "choose from 0,5"));
	bpmu_recording_shut(replay.file);
}

TEST_FIXTURE(setup)
{
	pmu = unit_pmu("ivb", 4);
	unit_file(path, "");
	return 0;
}

TEST_FIXTURE(teardown)
{
	return unlink(path);
}

TEST_GROUP(setup, teardown);
