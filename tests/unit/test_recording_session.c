// SPDX-License-Identifier: GPL-2.0
/*
 * What "barepmu record" writes of a measurement, which the test plays: records go
 * to the file, and what they were taken of stands in it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording_session.h"
#include "source/live.h"
#include "unit.h"

#define VALUES 1
#define SAMPLES 10
/* ticks from one sample to the next, 1 ms */
#define STEP 1000000ULL
#define EACH 7

/**
 * struct record - as the module gives it
 * @head: of it
 * @value: its value
 */
struct record {
	struct bpmu_sample head;
	u64 value[VALUES];
};

static char path[] = "/tmp/barepmu-test-session-XXXXXX";
static int refused;

u32 __wrap_bpmu_client_record_size(const struct bpmu_client *client)
{
	(void)client;
	return sizeof(struct record);
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
			 struct bpmu_error *err)
{
	struct record record[SAMPLES + 1] = { };
	unsigned int k;

	*exit_status = 3;
	if (refused)
		return bpmu_error_set(err, refused, "module: refused");
	assert_int_equal(measure->ready(measure->data, err), 0);
	for (k = 0; k <= SAMPLES; k++) {
		record[k].head = (struct bpmu_sample){
			.seq = k, .nr = VALUES, .enabled = k * STEP,
			.running = k * STEP, .tsc_begin = (5 + k) * STEP,
			.tsc_end = (5 + k) * STEP + 10,
			.flags = k ? BPMU_SAMPLE_TIMER : BPMU_SAMPLE_START,
		};
		record[k].value[0] = k * EACH;
	}
	measure->records(measure->data, record, sizeof(record));
	measure->records(measure->data, NULL, 0);
	return 0;
}

static int run(int *status, struct bpmu_error *err)
{
	static u32 cpu[] = { 0 };
	static char *asked[] = { "stat", "-e", "r01c4", NULL };
	struct bpmu_recorder recorder = { path, asked, false };
	const struct bpmu_options options = { .recorder = &recorder };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_target target = {
		.info = { .part = "ivb", .tsc_khz = 1000000,
			  .pmu = unit_pmu("ivb", 4) },
		.cpus = { cpu, 1 },
	};
	struct bpmu_event_list list = { };
	struct bpmu_groups groups;
	const struct bpmu_measure measure = {
		.info = &target.info, .cpus = cpu, .nr_cpus = 1,
		.groups = &groups, .interval_ns = STEP,
	};
	int code;

	assert_int_equal(bpmu_event_list_parse(&target.info.pmu, 0, asked[2],
					       &list, err), 0);
	assert_int_equal(bpmu_groups_make(&groups, &target.info.pmu, &list,
					  &wish, err), 0);
	code = bpmu_session_run(&options, &target, NULL, &measure, status,
				err);
	bpmu_groups_free(&groups);
	bpmu_event_list_free(&list);
	return code;
}

static void test_written(void **state)
{
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	int status;

	(void)state;
	refused = 0;
	if (run(&status, &err) || bpmu_recording_open(&file, path, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, 3);
	about = bpmu_recording_about(file);
	assert_string_equal(about->info.part, "ivb");
	assert_int_equal(about->cpus.nr, 1);
	assert_string_equal(about->asked[2], "r01c4");
	assert_int_equal(about->groups.group[0].sched.slot[0].select & 0xffff,
			 0x1c4);
	bpmu_recording_shut(file);
}

/* what the module says against it reaches the caller */
static void test_refused(void **state)
{
	struct bpmu_error err;
	int status;

	(void)state;
	refused = -ERANGE;
	assert_int_equal(run(&status, &err), -ERANGE);
	assert_string_equal(err.text, "module: refused");
}

static int setup(void **state)
{
	(void)state;
	unit_file(path, "");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("recording a session", tests, setup,
					   teardown);
}
