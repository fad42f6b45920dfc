// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "barepmu decan --from", which finds the hot loop of a program in a recording. A sample
 * counts only if it is in user space and of a process of the program. The sample is assigned to its
 * address in the program's file.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/decan/decan.h"
#include "recording/recording_write.h"
#include "unit.h"

#define WORKLOAD TOP "/build/workload/decan"
#define TEXT 0x400000ULL
#define OTHER 0x7f0000000000ULL
#define STEP 1000000ULL
#define SAMPLES 12

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: value of the only counter
 * @who: the task that the sample interrupted
 */
struct record {
	struct bpmu_sample head;
	u64 value[1];
	struct bpmu_who who;
};

static struct bpmu_decan decan;
static struct bpmu_error err;
static char path[] = "/tmp/barepmu-test-from-XXXXXX";
static char program[PATH_MAX];
/* Addresses of a loop of the program, and of a function next to it. */
static u64 loop;
static u64 beside;

/*
 * Fills in what twelve samples interrupted. Ten samples interrupted the analysed program in user
 * space: six in the loop, two in the function next to the loop, one in a shared library, and one at
 * an address that no file is mapped to. One sample interrupted the kernel, and one interrupted
 * another program.
 */
static void people(struct bpmu_who who[SAMPLES])
{
	unsigned int k;

	for (k = 0; k < SAMPLES; k++)
		who[k] = (struct bpmu_who){
			.ip = loop, .pid = 10, .tgid = 10, .comm = "decan",
		};
	who[6].ip = beside;
	who[7].ip = beside;
	who[8].ip = OTHER + 0x10;
	who[9].ip = 0x10;
	who[10].flags = BPMU_WHO_KERNEL;
	who[11].tgid = 11;
}

static void write_samples(struct bpmu_recording *recording)
{
	struct bpmu_who who[SAMPLES];
	struct record record[SAMPLES];
	unsigned int k;

	people(who);
	for (k = 0; k < SAMPLES; k++)
		record[k] = (struct record){
			.head = {
				.seq = k, .tsc_begin = (k + 5) * STEP,
				.tsc_end = (k + 5) * STEP + 10,
				.enabled = k * STEP, .running = k * STEP,
				.nr = 1, .flags = k ? BPMU_SAMPLE_TIMER :
						  BPMU_SAMPLE_START,
			},
			.value = { 100 * k }, .who = who[k],
		};
	bpmu_recording_add(recording, record, sizeof(record));
}

static void write_file(bool who, const char *of, const char *build_id)
{
	static struct bpmu_topology topology[] = { { 0, 0 } };
	static u32 cpus[] = { 0 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .tsc_khz = 1000000,
			  .pmu = unit_pmu("ivb", 4) },
		.interval_ns = 1000000, .period_ns = 1000000,
		.cpus = { cpus, 1 }, .topology = topology,
		.machine_topology = topology, .machine_cpus = 1,
	};
	struct bpmu_event_list list = { };
	struct bpmu_recording recording;
	char text[PATH_MAX + 256];

	assert_int_equal(bpmu_event_list_parse(&about.info.pmu, 0, "r01c4",
					       &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &about.info.pmu,
					  &list, &wish, &err), 0);
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	recording.who = who;
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err),
			 0);
	write_samples(&recording);
	snprintf(text, sizeof(text),
		 "{\"tgid\":10,\"comm\":\"decan\",\"maps\":[[%llu,16777216,0,\"%s\",\"%s\"],[%llu,4096,0,\"/nowhere/lib\",\"\"]]}",
		 TEXT, of, build_id, OTHER);
	bpmu_recording_block(&recording, BPMU_RECORDING_PROCESS, text);
	bpmu_recording_block(&recording, BPMU_RECORDING_PROCESS,
		"{\"tgid\":11,\"comm\":\"other\",\"maps\":[[4194304,16777216,0,\"/nowhere/other\",\"\"]]}");
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

static int find(const char *function, const char *number, const char *from)
{
	static char name[] = "rbgauss", times[] = "2";
	static char *argv[] = { program, name, times, NULL };

	decan = (struct bpmu_decan){
		.function = function, .loop = number, .from = from,
		.kinds = BPMU_VARIANT_DEFAULT, .rounds = 6, .threads = 1,
		.unit = "ticks", .options.argv = argv,
	};
	err = (struct bpmu_error){ };
	return bpmu_decan_find(&decan, &err);
}

static u64 address_of(const char *function)
{
	u64 address;

	assert_int_equal(find(function, "0", NULL), 0);
	address = bpmu_loop_header(&decan.code, decan.target);
	bpmu_decan_free(&decan);
	return address;
}

TEST_FIXTURE(setup)
{
	int fd = mkstemp(path);

	if (fd < 0 || !realpath(WORKLOAD, program))
		return -1;
	close(fd);
	loop = address_of("rbgauss");
	beside = address_of("eufluxm");
	return 0;
}

TEST_FIXTURE(teardown)
{
	return unlink(path);
}

TEST(the_loop_with_most_samples_is_chosen)
{
	write_file(true, program, "");
	assert_int_equal(find(NULL, NULL, path), 0);
	assert_string_equal(decan.name, "rbgauss");
	assert_true(bpmu_loop_header(&decan.code, decan.target) == loop);
	assert_int_equal(decan.profile.samples, 10);
	assert_true(fabs(decan.coverage - 0.6) < 0.001);
	bpmu_decan_free(&decan);
}

TEST(a_named_loop_has_its_share_of_samples)
{
	write_file(true, program, "");
	assert_int_equal(find("eufluxm", "0", path), 0);
	assert_string_equal(decan.name, "eufluxm");
	assert_true(fabs(decan.coverage - 0.2) < 0.001);
	bpmu_decan_free(&decan);
}

static void refused(const char *wanted)
{
	assert_true(find(NULL, NULL, path) < 0);
	assert_non_null(strstr(err.text, wanted));
	bpmu_decan_free(&decan);
}

/*
 * decan reads a recording twice, once for mappings and once for counts. A named pipe is refused,
 * because its text can be read only once. If a pipe is already open, decan keeps its text for the
 * second reading.
 */
TEST(pipes_are_kept_or_refused)
{
	char name[sizeof(path) + 5], open_pipe[32], command[128];
	FILE *pipe;

	write_file(true, program, "");
	snprintf(name, sizeof(name), "%s.pipe", path);
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_true(find(NULL, NULL, name) < 0);
	assert_non_null(strstr(err.text, ".pipe: a named pipe, which can be read only once"));
	bpmu_decan_free(&decan);
	assert_int_equal(unlink(name), 0);

	snprintf(command, sizeof(command), "cat %s", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	snprintf(open_pipe, sizeof(open_pipe), "/dev/fd/%d", fileno(pipe));
	assert_int_equal(find(NULL, NULL, open_pipe), 0);
	assert_int_equal(decan.profile.samples, 10);
	bpmu_decan_free(&decan);
	assert_int_equal(pclose(pipe), 0);
}

TEST(recordings_without_samples_of_the_program_are_refused)
{
	write_file(false, program, "");
	refused("its samples do not name the interrupted process; record with --who");
	write_file(true, "/nowhere/program", "");
	refused("no sample is of ");
	write_file(true, program, "00");
	refused(" was another build then; record it again");
	assert_true(find(NULL, NULL, "/nowhere/recording") < 0);
	assert_non_null(strstr(err.text, "/nowhere/recording"));
	bpmu_decan_free(&decan);
}

TEST_GROUP(setup, teardown);
