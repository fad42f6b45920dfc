// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the files of "record": they have all samples of the measurement and a description of the
 * machine. The test fakes the measurement.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "recording_session.h"
#include "source/live.h"
#include "trial/ceilings.h"
#include "unit.h"

#define VALUES 1
#define SAMPLES 10
/* TSC ticks between two samples: 1 ms. */
#define STEP 1000000ULL
#define EACH 7

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: value of the only counter
 */
struct record {
	struct bpmu_sample head;
	u64 value[VALUES];
};

/**
 * struct interrupt - a record of an interrupt as the module sends it
 * @head: the interrupt
 * @kernel: head of the call chain in the kernel
 * @callers: the chain
 * @branches: head of the branch records
 * @branch: the branches
 */
struct interrupt {
	struct bpmu_overflow head;
	struct bpmu_section kernel;
	u64 callers[2];
	struct bpmu_section branches;
	struct bpmu_branch branch[2];
};

static char path[] = "/tmp/barepmu-test-session-XXXXXX";
static int refused;
static unsigned int rounds = 1;
/* If true, another agent writes to the counters before sample 7. */
static bool disturbed;
/*
 * If true, each round comes in two pieces, and after the last one comes a round in which no CPU has
 * taken a sample.
 */
static bool in_pieces;
/* What the faked clocks have run since the start of the test, in ns, and what they run in a round. */
static u64 elapsed, each_round;
/* Number of interrupts that the module could not record. */
static u64 lost;
/* Called after the first round; NULL for nothing. */
static void (*after_first)(void);
/* The measurement that was run last, and if it was told to stop. */
static struct bpmu_measure seen;
static bool stopped;

/* If true, an interrupt comes in the kernel. */
static bool interrupted;
/* Addresses of the kernel whose functions were looked up. */
static u64 asked[8];
static size_t nr_asked;

json_t *__wrap_bpmu_who_functions(const u64 *ip, size_t nr)
{
	assert_true(nr <= sizeof(asked) / sizeof(*asked));
	memcpy(asked, ip, nr * sizeof(*ip));
	nr_asked = nr;
	return NULL;
}

/* Passes on the record of an interrupt in the kernel, with two callers and a branch. */
static void interrupt(const struct bpmu_measure *measure)
{
	const struct interrupt record = {
		.head = { .tsc = 6 * STEP, .period = EACH, .size = sizeof(record),
			  .who = { .ip = -80ULL, .flags = BPMU_WHO_KERNEL } },
		.kernel = { .id = BPMU_SECTION_KERNEL,
			    .size = sizeof(record.kernel) + sizeof(record.callers) },
		.callers = { -60ULL, -70ULL },
		.branches = { .id = BPMU_SECTION_BRANCHES,
			      .size = sizeof(record.branches) + sizeof(record.branch) },
		.branch = { { .from = -50ULL, .to = -90ULL }, { .from = -50ULL } },
	};

	measure->overflows(measure->data, &record, sizeof(record));
}

u32 __wrap_bpmu_client_record_size(const struct bpmu_client *client)
{
	(void)client;
	return sizeof(struct record);
}

static void emitted(void *data)
{
	(void)data;
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
			 struct bpmu_error *err)
{
	struct record record[SAMPLES + 1] = { };
	unsigned int round, k, at = 0, nr;

	*exit_status = 3;
	seen = *measure;
	stopped = false;
	if (refused)
		return bpmu_error_set(err, refused, "module: refused");
	if (!measure->records)
		return 0;
	/* What prints intervals would take @data for its own. */
	assert_null(measure->emitted);
	assert_int_equal(measure->ready(measure->data, err), 0);
	for (round = 0; round < rounds; round++) {
		nr = round ? SAMPLES : SAMPLES + 1;
		for (k = 0; k < nr; k++, at++) {
			record[k].head = (struct bpmu_sample){
				.seq = at, .nr = VALUES, .enabled = at * STEP,
				.running = at * STEP,
				.tsc_begin = (5 + at) * STEP,
				.tsc_end = (5 + at) * STEP + 10,
				.flags = at ? BPMU_SAMPLE_TIMER :
					      BPMU_SAMPLE_START,
			};
			if (disturbed && at == 7)
				record[k].head.flags |= BPMU_SAMPLE_DISTURBED;
			record[k].value[0] = at * EACH;
		}
		k = in_pieces ? nr / 2 : 0;
		if (k)
			measure->records(measure->data, record, k * sizeof(*record));
		measure->records(measure->data, record + k, (nr - k) * sizeof(*record));
		if (interrupted)
			interrupt(measure);
		measure->records(measure->data, NULL, 0);
		elapsed += each_round;
		if (!round && after_first)
			after_first();
	}
	if (in_pieces)
		measure->records(measure->data, NULL, 0);
	if (lost) {
		measure->overflows_lost(measure->data, 0, lost - 1);
		measure->overflows_lost(measure->data, 0, lost);
	}
	stopped = *measure->stop;
	return 0;
}

/*
 * The test fakes the machine's name and the time, because both are in the files and would change
 * the files' sizes.
 */
int __wrap_gethostname(char *name, size_t size)
{
	snprintf(name, size, "testhost");
	return 0;
}

u64 __wrap_bpmu_clock_ns(clockid_t clock)
{
	return (clock == CLOCK_REALTIME ? 1790000000980000000ULL : 1000000000000ULL) + elapsed;
}

/*
 * If true, the measurement of the ceilings (the maximum rates of the machine) fails, as if other
 * programs had disturbed it.
 */
static bool disturbed;

/* The CPUs of the ceilings, in order; an error of their measurement, 0 for none. */
static struct bpmu_cpulist measured;
static int no_ceilings;

/* Fakes the measurement of the ceilings of the recorded CPUs. */
int __wrap_bpmu_ceilings_measure(const struct bpmu_cpulist *cpus,
				 struct bpmu_ceilings *ceilings,
				 struct bpmu_error *err)
{
	assert_int_equal(cpus->nr, measured.nr);
	assert_memory_equal(cpus->cpu, measured.cpu, cpus->nr * sizeof(*cpus->cpu));
	*ceilings = (struct bpmu_ceilings){ };
	if (no_ceilings)
		return bpmu_error_set(err, no_ceilings, "--ceilings: no");
	if (disturbed)
		return bpmu_error_set(err, -EBUSY, "--ceilings: too low");
	*ceilings = (struct bpmu_ceilings){ 10e9, 16e9, 8e9 };
	return 0;
}

/**
 * struct core_type - a core type that is recorded
 * @target: its CPUs
 * @list: the event that is counted on them
 * @groups: the group of this event
 */
struct core_type {
	struct bpmu_target target;
	struct bpmu_event_list list;
	struct bpmu_groups groups;
};

static void begin_core_type(struct core_type *type, const char *part, const char *event,
			    u32 *cpu, unsigned int nr)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_error err;

	*type = (struct core_type){
		.target = {
			.info = { .tsc_khz = 1000000, .pmu = unit_pmu(part, 4) },
			.cpus = { cpu, nr },
		},
	};
	strcpy(type->target.info.part, part);
	assert_int_equal(bpmu_event_list_parse(&type->target.info.pmu, 0, event, &type->list,
					       &err), 0);
	assert_int_equal(bpmu_groups_make(&type->groups, &type->target.info.pmu, &type->list,
					  &wish, &err), 0);
}

static void end_core_type(struct core_type *type)
{
	bpmu_groups_free(&type->groups);
	bpmu_event_list_free(&type->list);
}

/* Records as @into says, into the file @name or the files whose names begin so. */
static int run_as(const struct bpmu_recorder *into, const char *name, int *status,
		  struct bpmu_error *err)
{
	static u32 cpu[] = { 0 };
	static char *words[] = { "stat", "-e", "r01c4", NULL };
	struct bpmu_recorder recorder = *into;
	const struct bpmu_options options = { .recorder = &recorder };
	struct core_type type;
	const struct bpmu_target *const targets[BPMU_CORE_TYPES] = { &type.target };
	const struct bpmu_measure measure = {
		.info = &type.target.info, .cpus = cpu, .nr_cpus = 1,
		.groups = { &type.groups }, .interval_ns = STEP, .emitted = emitted,
	};
	int code;

	measured = (struct bpmu_cpulist){ cpu, 1 };
	begin_core_type(&type, "ivb", words[2], cpu, 1);
	recorder.name = name;
	recorder.periods.nr = interrupted;
	recorder.asked = words;
	code = bpmu_session_run(&options, targets, &measure, status, err);
	end_core_type(&type);
	return code;
}

static int run_into(const struct bpmu_recorder *into, int *status, struct bpmu_error *err)
{
	return run_as(into, path, status, err);
}

static int run(int *status, struct bpmu_error *err)
{
	const struct bpmu_recorder alone = { };

	return run_into(&alone, status, err);
}

TEST(the_file_has_records_and_description)
{
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	int status;

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

/* The file has the ceilings of the machine only if the user asked for them. */
TEST(the_file_has_ceilings_only_on_request)
{
	const struct bpmu_recorder recorders[] = { { .ceilings = true }, { } };
	const struct bpmu_ceilings *ceilings;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	unsigned int i;
	int status;

	refused = 0;
	for (i = 0; i < 2; i++) {
		if (run_into(&recorders[i], &status, &err) ||
		    bpmu_recording_open(&file, path, &err))
			fail_msg("%s", err.text);
		ceilings = &bpmu_recording_about(file)->ceilings;
		assert_true(ceilings->bytes == (i ? 0 : 10e9));
		assert_true(ceilings->flops == (i ? 0 : 16e9));
		assert_true(ceilings->uops == (i ? 0 : 8e9));
		bpmu_recording_shut(file);
	}
}

/*
 * If the measurement of the ceilings was disturbed, the user gets a message, the file has no
 * ceilings, and the recording goes on.
 */
TEST(disturbed_ceilings_are_not_recorded)
{
	const struct bpmu_recorder recorder = { .ceilings = true };
	struct bpmu_recording_file *file;
	FILE *terminal = stderr;
	struct bpmu_error err;
	int code, status;
	size_t size;
	char *text;

	refused = 0;
	disturbed = true;
	stderr = open_memstream(&text, &size);
	assert_non_null(stderr);
	code = run_into(&recorder, &status, &err);
	fclose(stderr);
	stderr = terminal;
	disturbed = false;
	if (code || bpmu_recording_open(&file, path, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, 3);
	assert_non_null(strstr(text, "barepmu: record: --ceilings: too low\n"));
	assert_true(bpmu_recording_about(file)->ceilings.bytes == 0);
	bpmu_recording_shut(file);
	free(text);
}

TEST(a_refusal_of_the_module_is_returned)
{
	struct bpmu_error err;
	int status;

	refused = -ERANGE;
	assert_int_equal(run(&status, &err), -ERANGE);
	assert_string_equal(err.text, "module: refused");
}

/*
 * Finds the files of a recording, and stores their names in @files, sorted. Checks that there are
 * @nr files. forget() removes the files, and frees @files.
 */
static void find(glob_t *files, size_t nr)
{
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "%s.*", path);
	assert_int_equal(glob(pattern, 0, NULL, files), 0);
	assert_int_equal(files->gl_pathc, nr);
}

static void forget(glob_t *files)
{
	size_t i;

	for (i = 0; i < files->gl_pathc; i++)
		unlink(files->gl_pathv[i]);
	globfree(files);
}

/*
 * Checks that the files together have all samples with the sequence numbers @first to @last, as the
 * faked measurement made them.
 */
static void expect_samples(const char *const *names, size_t nr, u64 first,
			   u64 last)
{
	struct bpmu_recording_extent extent;
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	u64 at, twice;

	if (bpmu_recording_open_set(&file, names, nr, &err) ||
	    bpmu_recording_skim(file, &extent, &err))
		fail_msg("%s", err.text);
	assert_int_equal(extent.samples, last - first + 1);
	for (twice = 0; twice < 2; twice++) {
		for (at = first; at <= last; at++) {
			assert_int_equal(bpmu_recording_next(file, &sample, &err),
					 1);
			assert_int_equal(sample.head->seq, at);
			assert_int_equal(sample.values[0], at * EACH);
		}
		assert_int_equal(extent.last, sample.head->tsc_end);
		assert_int_equal(bpmu_recording_next(file, &sample, &err), 0);
		assert_true(bpmu_recording_state(file)->ended);
		assert_int_equal(bpmu_recording_rewind(file, &err), 0);
	}
	bpmu_recording_shut(file);
}

/* Checks that file @i has the time at which it was begun in its name, in UTC; @end: the last digits */
static void expect_name(const glob_t *files, unsigned int i, const char *end)
{
	char name[sizeof(path) + 32];

	snprintf(name, sizeof(name), "%s.202609211413%s", path, end);
	assert_string_equal(files->gl_pathv[i], name);
}

static void expect_refused(const char *one, const char *other, const char *why)
{
	const char *const names[] = { one, other };
	struct bpmu_recording_file *file;
	struct bpmu_error err;

	assert_int_equal(bpmu_recording_open_set(&file, names, 2, &err),
			 -EINVAL);
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
}

TEST(switched_files_have_all_samples_in_order)
{
	/* The faked clock stands still, and each name comes after the one before. */
	static const char *const ends[] = { "2098", "2099", "2100", "2101", "2102" };
	struct bpmu_recorder each = { .switch_bytes = 1 };
	const char *backwards[5];
	struct bpmu_error err;
	glob_t files;
	unsigned int i;
	int status;

	refused = 0;
	rounds = 5;
	assert_int_equal(run_into(&each, &status, &err), 0);
	find(&files, 5);
	for (i = 0; i < 5; i++) {
		backwards[i] = files.gl_pathv[4 - i];
		expect_name(&files, i, ends[i]);
	}
	expect_samples(backwards, 5, 0, 5 * SAMPLES);
	expect_samples((const char *const *)&files.gl_pathv[2], 1,
		       2 * SAMPLES + 1, 3 * SAMPLES);
	expect_refused(files.gl_pathv[1], files.gl_pathv[1], "name it once");
	expect_refused(files.gl_pathv[1], path, "is a recording of its own");
	forget(&files);
	/* Another recording keeps only the last two of its files. */
	each.max_files = 2;
	assert_int_equal(run_into(&each, &status, &err), 0);
	find(&files, 2);
	expect_samples((const char *const *)files.gl_pathv, 2,
		       3 * SAMPLES + 1, 5 * SAMPLES);
	forget(&files);
	rounds = 1;
}

/* A file begins at the end of a round, and only if there is something to write into it. */
TEST(no_round_is_divided_and_no_file_is_empty)
{
	const struct bpmu_recorder each = { .switch_bytes = 1 };
	struct bpmu_error err;
	unsigned int i;
	glob_t files;
	int status;

	refused = 0;
	rounds = 3;
	in_pieces = true;
	assert_int_equal(run_into(&each, &status, &err), 0);
	find(&files, 3);
	for (i = 0; i < 3; i++)
		expect_samples((const char *const *)&files.gl_pathv[i], 1,
			       i ? i * SAMPLES + 1 : 0, (i + 1) * SAMPLES);
	forget(&files);
	in_pieces = false;
	rounds = 1;
}

/* Each file has the time from its own start on, and its number among the files of the session. */
TEST(a_file_ends_when_its_time_is_over)
{
	static const struct {
		u64 ns;
		unsigned int files;
		const char *ends[3];
	} all[] = {
		{ 1999999999, 3, { "2098", "2298", "2498" } },
		{ 2000000000, 3, { "2098", "2298", "2498" } },
		{ 2000000001, 2, { "2098", "2398" } },
		{ 5000000001, 1, { "2098" } },
	};
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	unsigned int i, k, each;
	glob_t files;
	int status;

	refused = 0;
	rounds = 6;
	each_round = 1000000000;
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct bpmu_recorder recorder = { .switch_ns = all[i].ns };

		elapsed = 0;
		assert_int_equal(run_into(&recorder, &status, &err), 0);
		find(&files, all[i].files);
		each = rounds / all[i].files * SAMPLES;
		for (k = 0; k < all[i].files; k++) {
			expect_name(&files, k, all[i].ends[k]);
			expect_samples((const char *const *)&files.gl_pathv[k], 1,
				       k ? k * each + 1 : 0, (k + 1) * each);
			assert_int_equal(bpmu_recording_open(&file, files.gl_pathv[k], &err), 0);
			about = bpmu_recording_about(file);
			assert_int_equal(about->session, 1790000000980000000ULL);
			assert_int_equal(about->file, k + 1);
			bpmu_recording_shut(file);
		}
		forget(&files);
	}
	each_round = 0;
	elapsed = 0;
	rounds = 1;
}

/* A recording has a single file if no file reaches its limit of time or size. */
TEST(without_limits_there_is_one_file)
{
	struct bpmu_recorder far = { .switch_bytes = 1 << 30, .switch_ns = 1ULL << 60 };
	struct bpmu_error err;
	glob_t files;
	int status;

	refused = 0;
	rounds = 3;
	assert_int_equal(run_into(&far, &status, &err), 0);
	find(&files, 1);
	expect_samples((const char *const *)files.gl_pathv, 1, 0, 3 * SAMPLES);
	forget(&files);
	rounds = 1;
}

/*
 * Appends @text, which "record" has printed, to @out. The word FILE replaces the random name of the
 * files.
 */
static void name_file(FILE *out, char *text)
{
	char *at;

	for (; (at = strstr(text, path)); text = at + strlen(path))
		fprintf(out, "%.*sFILE", (int)(at - text), text);
	fputs(text, out);
}

/*
 * The last line that "record" prints has the number of samples and bytes in all files of the
 * recording. Files that "record" has removed are included.
 */
TEST(the_last_line_counts_all_files)
{
	static const struct {
		struct bpmu_recorder recorder;
		unsigned int rounds;
		bool disturbed;
		bool interrupted;
		u64 lost;
	} runs[] = {
		{ { .name = NULL }, 2 },
		{ { .name = NULL }, 30 },
		{ { .name = NULL }, 3, .disturbed = true },
		{ { .quiet = true }, 3, .disturbed = true },
		{ { .switch_ns = 1ULL << 60 }, 3 },
		{ { .switch_bytes = 1 }, 5 },
		{ { .switch_bytes = 1, .max_files = 2 }, 5 },
		{ { .switch_bytes = 1, .max_files = 1 }, 5, .disturbed = true },
		{ { .name = NULL }, 3, .interrupted = true },
		{ { .name = NULL }, 3, .interrupted = true, .lost = 12345 },
		{ { .switch_bytes = 1 }, 3, .interrupted = true, .lost = 2 },
	};
	struct bpmu_error err;
	char *text = NULL, *said;
	size_t size = 0, i;
	glob_t files;
	FILE *out = open_memstream(&text, &size);
	int status;

	assert_non_null(out);
	refused = 0;
	for (i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		rounds = runs[i].rounds;
		disturbed = runs[i].disturbed;
		interrupted = runs[i].interrupted;
		lost = runs[i].lost;
		unit_capture_begin(stderr);
		assert_int_equal(run_into(&runs[i].recorder, &status, &err), 0);
		said = unit_capture_end();
		name_file(out, said);
		free(said);
		if (!runs[i].recorder.switch_bytes && !runs[i].recorder.switch_ns)
			continue;
		find(&files, runs[i].recorder.max_files ?:
			     runs[i].recorder.switch_bytes ? rounds : 1);
		forget(&files);
	}
	fclose(out);
	rounds = 1;
	disturbed = false;
	interrupted = false;
	lost = 0;
	unit_text("recording", text);
}

TEST(functions_of_all_addresses_of_an_interrupt_in_the_kernel_are_recorded)
{
	static const u64 in_order[] = { -90ULL, -80ULL, -70ULL, -60ULL, -50ULL };
	struct bpmu_error err;
	int status;

	interrupted = true;
	assert_int_equal(run(&status, &err), 0);
	interrupted = false;
	assert_int_equal(nr_asked, 5);
	assert_memory_equal(asked, in_order, sizeof(in_order));
}

static void note_lost(void *data, int type, const char *text, size_t size)
{
	unsigned int *found = data;

	/* The block of interrupts is longer than two numbers, each of which is a byte if below 128. */
	if (type != BPMU_RECORDING_OVERFLOWS || size != 2)
		return;
	/* the CPU */
	assert_int_equal(text[0], 0);
	*found += text[1];
}

/* What the module said last is in the file. Without interrupts there is nothing to lose. */
TEST(lost_interrupts_are_in_the_file)
{
	struct bpmu_recording_file *file;
	struct bpmu_taken_sample sample;
	struct bpmu_error err;
	unsigned int found;
	char *said;
	int status;

	refused = 0;
	interrupted = true;
	for (lost = 0; lost <= 100; lost += 50) {
		unit_capture_begin(stderr);
		assert_int_equal(run(&status, &err), 0);
		said = unit_capture_end();
		assert_int_equal(!!strstr(said, " interrupts were lost "), lost != 0);
		free(said);
		found = 0;
		assert_int_equal(bpmu_recording_open(&file, path, &err), 0);
		bpmu_recording_on_block(file, note_lost, &found);
		while (bpmu_recording_next(file, &sample, &err) > 0)
			;
		assert_int_equal(found, lost);
		bpmu_recording_shut(file);
	}
	lost = 0;
	interrupted = false;
}

TEST(what_the_module_has_to_record_is_asked_for)
{
	const struct bpmu_recorder full = {
		.who = true, .chain = 9, .branches = true, .calls = true, .quiet = true,
	};
	const struct bpmu_recorder none = { .quiet = true };
	struct bpmu_error err;
	int status;

	refused = 0;
	assert_int_equal(run_into(&full, &status, &err), 0);
	assert_true(seen.who);
	/* Chains and branches belong to interrupts. */
	assert_null(seen.overflows);
	assert_null(seen.overflows_lost);
	assert_int_equal(seen.chain, 0);
	assert_false(seen.branches);
	assert_false(seen.calls);
	interrupted = true;
	assert_int_equal(run_into(&full, &status, &err), 0);
	assert_true(seen.who);
	assert_int_equal(seen.chain, 9);
	assert_true(seen.branches);
	assert_true(seen.calls);
	assert_int_equal(run_into(&none, &status, &err), 0);
	assert_false(seen.who);
	assert_non_null(seen.overflows);
	assert_int_equal(seen.chain, 0);
	assert_false(seen.branches);
	assert_false(seen.calls);
	interrupted = false;
	assert_false(stopped);
}

/* An error other than of a disturbed measurement ends the command before it records. */
TEST(ceilings_that_cannot_be_measured_end_the_command)
{
	const struct bpmu_recorder recorder = { .ceilings = true };
	struct bpmu_error err;
	int status;

	refused = 0;
	seen.info = NULL;
	no_ceilings = -EPERM;
	assert_int_equal(run_into(&recorder, &status, &err), -EPERM);
	no_ceilings = 0;
	assert_string_equal(err.text, "--ceilings: no");
	assert_null(seen.info);
}

TEST(each_core_type_is_described)
{
	static u32 big_cpus[] = { 0, 2 }, little_cpus[] = { 1, 3, 4 }, all[] = { 0, 2, 1, 3, 4 };
	static char *words[] = { "topdown", NULL };
	static char *command[] = { "true", "--not", NULL };
	struct bpmu_recorder recorder = {
		.name = path, .asked = words, .tree = { "TMA 5.2", "TMA 5.1 E" },
		.ceilings = true, .quiet = true,
	};
	const struct bpmu_options options = { .recorder = &recorder, .argv = command };
	struct core_type big, little;
	const struct bpmu_target *const targets[BPMU_CORE_TYPES] = { &big.target, &little.target };
	const struct bpmu_measure measure = {
		.info = &big.target.info, .cpus = all, .nr_cpus = 5, .first = { 0, 2 },
		.groups = { &big.groups, &little.groups }, .interval_ns = 3 * STEP,
		.timer = BPMU_TIMER_HARD,
	};
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *file;
	struct bpmu_error err;
	int status;

	refused = 0;
	begin_core_type(&big, "adl", "r01c4", big_cpus, 2);
	begin_core_type(&little, "adl-e", "r02c4", little_cpus, 3);
	big.target.smt = 1;
	big.groups.rules.arb_both = true;
	measured = (struct bpmu_cpulist){ all, 5 };
	assert_int_equal(bpmu_session_run(&options, targets, &measure, &status, &err), 0);
	end_core_type(&big);
	end_core_type(&little);
	/* A recording has all samples: an idle CPU is not woken up for them, and none is merged. */
	assert_false(seen.merge);
	assert_int_equal(seen.timer, BPMU_TIMER_HARD);
	assert_int_equal(bpmu_recording_open(&file, path, &err), 0);
	about = bpmu_recording_about(file);
	assert_int_equal(about->others, 1);
	assert_int_equal(about->interval_ns, 3 * STEP);
	assert_int_equal(about->period_ns, bpmu_measure_period_ns(&measure));
	assert_int_equal(about->timer, BPMU_TIMER_HARD);
	assert_int_equal(about->smt, 1);
	assert_true(about->arb_both);
	assert_false(about->counts);
	assert_int_equal(about->session, 0);
	assert_string_equal(about->host, "testhost");
	assert_string_equal(about->asked[0], "topdown");
	assert_null(about->asked[1]);
	assert_string_equal(about->command[0], "true");
	assert_string_equal(about->command[1], "--not");
	assert_null(about->command[2]);
	assert_string_equal(about[0].tree, "TMA 5.2");
	assert_string_equal(about[1].tree, "TMA 5.1 E");
	assert_string_equal(about[0].info.part, "adl");
	assert_string_equal(about[1].info.part, "adl-e");
	assert_int_equal(about[0].cpus.nr, 2);
	assert_memory_equal(about[0].cpus.cpu, big_cpus, sizeof(big_cpus));
	assert_int_equal(about[1].cpus.nr, 3);
	assert_memory_equal(about[1].cpus.cpu, little_cpus, sizeof(little_cpus));
	assert_int_equal(about[0].groups.group[0].sched.slot[0].select & 0xffff, 0x1c4);
	assert_int_equal(about[1].groups.group[0].sched.slot[0].select & 0xffff, 0x2c4);
	bpmu_recording_shut(file);
}

/*
 * Intervals that are printed have a sample of each CPU: a timer that wakes up idle CPUs takes it unless
 * the user has chosen one.
 */
TEST(printed_intervals_have_a_sample_of_each_cpu)
{
	static const struct {
		u64 interval_ns;
		u32 asked, timer;
		bool merge;
	} all[] = {
		{ 0, BPMU_TIMER_AUTO, BPMU_TIMER_AUTO, false },
		{ 0, BPMU_TIMER_HARD, BPMU_TIMER_HARD, false },
		{ STEP, BPMU_TIMER_AUTO, BPMU_TIMER_HARD, true },
		{ STEP, BPMU_TIMER_HARD, BPMU_TIMER_HARD, true },
		{ STEP, BPMU_TIMER_TICK, BPMU_TIMER_TICK, true },
	};
	const struct bpmu_target *const targets[BPMU_CORE_TYPES] = { };
	const struct bpmu_options options = { };
	struct bpmu_error err;
	unsigned int i;
	int status;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		const struct bpmu_measure measure = {
			.interval_ns = all[i].interval_ns, .timer = all[i].asked,
			.emitted = emitted, .data = &err,
		};

		refused = 0;
		status = 0;
		assert_int_equal(bpmu_session_run(&options, targets, &measure, &status, &err), 0);
		assert_int_equal(status, 3);
		assert_int_equal(seen.merge, all[i].merge);
		assert_int_equal(seen.timer, all[i].timer);
		assert_int_equal(seen.interval_ns, all[i].interval_ns);
		assert_ptr_equal(seen.emitted, emitted);
		refused = -EIO;
		assert_int_equal(bpmu_session_run(&options, targets, &measure, &status, &err),
				 -EIO);
		assert_string_equal(err.text, "module: refused");
	}
	refused = 0;
}

TEST(the_options_are_those_of_the_measurement)
{
	static char *command[] = { "true", NULL };
	const struct bpmu_options options = {
		.interval_ns = 11, .timer = BPMU_TIMER_TICK, .take_over = true,
		.max_intervals = 12, .timeout_ns = 13, .delay_ns = 14, .argv = command,
	};
	const struct bpmu_options none = { };
	u32 cpu[] = { 7, 8, 9 };
	const struct bpmu_target target = {
		.client = (struct bpmu_client *)cpu, .cpus = { cpu, 3 },
	};
	struct bpmu_measure measure = bpmu_session_measure(&options, &target);

	assert_ptr_equal(measure.client, target.client);
	assert_ptr_equal(measure.info, &target.info);
	assert_ptr_equal(measure.cpus, cpu);
	assert_int_equal(measure.nr_cpus, 3);
	assert_int_equal(measure.interval_ns, 11);
	assert_int_equal(measure.timer, BPMU_TIMER_TICK);
	assert_true(measure.take_over);
	assert_int_equal(measure.max_intervals, 12);
	assert_int_equal(measure.timeout_ns, 13);
	assert_int_equal(measure.delay_ns, 14);
	assert_ptr_equal(measure.argv, command);
	assert_false(measure.merge);
	measure = bpmu_session_measure(&none, &target);
	assert_false(measure.take_over);
	assert_null(measure.argv);
}

/* Whoever reads a terminal, or the columns that are made for it, waits for each interval. */
TEST(a_terminal_is_watched_and_a_file_is_not)
{
	struct bpmu_measure measure = { };
	FILE *file = tmpfile(), *terminal;
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	assert_non_null(file);
	assert_true(master >= 0 && !grantpt(master) && !unlockpt(master));
	terminal = fopen(ptsname(master), "w");
	assert_non_null(terminal);
	bpmu_session_print_to(&measure, terminal);
	assert_ptr_equal(measure.out, terminal);
	assert_true(measure.watched);
	bpmu_session_print_to(&measure, file);
	assert_ptr_equal(measure.out, file);
	assert_false(measure.watched);
	fclose(terminal);
	fclose(file);
	close(master);
}

static char gone[64];

static void remove_folder(void)
{
	char pattern[80];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/*", gone);
	assert_int_equal(glob(pattern, GLOB_PERIOD, NULL, &files), 0);
	forget(&files);
	assert_int_equal(rmdir(gone), 0);
}

/* The run ends, no sample more is written, and the error is that of the file that cannot begin. */
TEST(a_file_that_cannot_be_begun_ends_the_recording)
{
	const struct bpmu_recorder each = { .switch_bytes = 1 };
	char name[80], expected[200];
	struct bpmu_error err;
	char *said;
	int status;

	refused = 0;
	rounds = 4;
	interrupted = true;
	lost = 5;
	strcpy(gone, "/tmp/barepmu-test-gone-XXXXXX");
	assert_non_null(mkdtemp(gone));
	snprintf(name, sizeof(name), "%s/it", gone);
	after_first = remove_folder;
	unit_capture_begin(stderr);
	assert_int_equal(run_as(&each, name, &status, &err), -ENOENT);
	said = unit_capture_end();
	after_first = NULL;
	lost = 0;
	interrupted = false;
	rounds = 1;
	assert_true(stopped);
	snprintf(expected, sizeof(expected),
		 "%s.2026092114132099: cannot be written: No such file or directory; name another file",
		 name);
	assert_string_equal(err.text, expected);
	assert_string_equal(said, "");
	free(said);
}

/* Where there is no file to read again, there is nothing to say of it. */
TEST(a_recording_that_is_no_file_has_no_last_line)
{
	const struct bpmu_recorder plain = { };
	struct bpmu_error err;
	char *said;
	int status;

	refused = 0;
	unit_capture_begin(stderr);
	assert_int_equal(run_as(&plain, "/dev/null", &status, &err), 0);
	said = unit_capture_end();
	assert_string_equal(said, "");
	free(said);
	unit_capture_begin(stderr);
	assert_int_equal(run_as(&plain, "/dev/full", &status, &err), -ENOSPC);
	said = unit_capture_end();
	assert_string_equal(said, "");
	assert_string_equal(err.text,
			    "/dev/full: not written: No space left on device; is there room?");
	free(said);
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
