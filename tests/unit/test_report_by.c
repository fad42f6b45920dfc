// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of "report --by", which divides counts among tasks, CPUs or symbols. A count between two
 * samples belongs to the task that the later sample interrupted.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/plain.h"
#include "no_memory.h"
#include "recording/recording_who.h"
#include "recording/recording_write.h"
#include "recording/symbols.h"
#include "replay/report_by.h"
#include "replay/report_replay.h"
#include "source/series.h"
#include "unit.h"

#define KHZ 1000000
/* TSC ticks between two samples: 1 ms. */
#define STEP 1000000ULL
#define SAMPLES 11
#define VALUES 2
/*
 * LOST samples were lost before sample LOST_BEFORE. Sample LOST_BEFORE interrupted the task whose
 * name in people[] begins with "fifteen".
 */
#define LOST_BEFORE 8
#define LOST 3
/*
 * Another agent wrote to the counters before sample DISTURBED. Sample DISTURBED interrupted task
 * "two".
 */
#define DISTURBED 5
#define KERNEL 0xffffffff81000000ULL

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: values of the counters of the sample's group
 * @who: the task that the sample interrupted
 */
struct record {
	struct bpmu_sample head;
	u64 value[VALUES];
	struct bpmu_who who;
};

static const struct bpmu_who people[] = {
	{ .ip = 0x401000, .pid = 10, .tgid = 10, .comm = "one" },
	{ .ip = 0x7f0000000123, .pid = 12, .tgid = 11, .comm = "two" },
	{ .ip = KERNEL + 0x14, .pid = 0, .flags = BPMU_WHO_KERNEL |
	  BPMU_WHO_IDLE, .comm = "swapper/0" },
	{ .ip = KERNEL + 0x24, .pid = 11, .tgid = 11, .flags =
	  BPMU_WHO_KERNEL, .comm = "fifteen\033lett\x9brs" },
	{ .pid = 11, .tgid = 11, .flags = BPMU_WHO_NOWHERE, .comm = "two" },
};

/*
 * Sample k interrupted the task people[person[k]]. Sample 0 has no counts, because counting begins
 * with this sample.
 */
static const unsigned int person[SAMPLES] = { 0, 0, 0, 0, 1, 1, 2, 0, 3, 2, 4 };

static char path[] = "/tmp/barepmu-test-by-XXXXXX";
static struct bpmu_pmu pmu;
/* period of the second event, 0 if it does not interrupt */
static u32 period;

/* Checks if the error is the path of the file and @says. */
static void is_of_the_file(const struct bpmu_error *err, const char *says)
{
	if (strncmp(err->text, path, strlen(path)) || strcmp(err->text + strlen(path), says))
		fail_msg("%s", err->text);
}

static struct record make(unsigned int k)
{
	struct record record = { .head = {
		.seq = k + (k >= LOST_BEFORE ? LOST : 0), .tsc_begin = 5 * STEP + k * STEP,
		.tsc_end = 5 * STEP + k * STEP + 10, .enabled = k * STEP,
		.running = k * STEP, .spent = k, .cpu = 0, .nr = VALUES,
		.flags = k ? BPMU_SAMPLE_TIMER : BPMU_SAMPLE_START,
	} };

	if (k == DISTURBED)
		record.head.flags |= BPMU_SAMPLE_DISTURBED;

	/*
	 * Before sample k, for k > 0, the count increases by 2^(k - 1), so each sample has a bit of
	 * its own. The sum of a task's counts therefore shows which samples interrupted the task.
	 */
	record.value[0] = (1ULL << k) - 1;
	record.value[1] = 100 * k;
	record.who = people[person[k]];
	return record;
}

static void write_file(bool who)
{
	static struct bpmu_topology topology[] = { { 0, 0 } };
	static u32 cpus[] = { 0 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .tsc_khz = KHZ, .pmu = pmu },
		.interval_ns = 1000000, .period_ns = 1000000,
		.cpus = { cpus, 1 }, .topology = topology,
		.machine_topology = topology, .machine_cpus = 1,
	};
	struct bpmu_event_list list = { };
	struct bpmu_recording recording;
	struct record record[SAMPLES];
	struct bpmu_error err;
	unsigned int k;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "r01c4,r02c4", &list,
					       &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish,
					  &err), 0);
	about.groups.group[0].sched.slot[1].period = period;
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	recording.who = who;
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(*record), &err), 0);
	for (k = 0; k < SAMPLES; k++)
		record[k] = make(k);
	bpmu_recording_add(&recording, record, 6 * sizeof(*record));
	bpmu_recording_add(&recording, record + 6,
			   (SAMPLES - 6) * sizeof(*record));
	bpmu_recording_block(&recording, BPMU_RECORDING_KERNEL,
		"[[\"0xffffffff81000020\",16,\"work\",\"[kernel]\"]]");
	bpmu_recording_block(&recording, BPMU_RECORDING_PROCESS,
		"{\"tgid\":10,\"comm\":\"one\",\"maps\":[[4194304,8192,0,\"/nowhere/one\",\"\"]]}");
	bpmu_recording_block(&recording, BPMU_RECORDING_SKIP + 99, "later");
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

TEST_FIXTURE(setup)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return -1;
	close(fd);
	pmu = unit_pmu("ivb", 4);
	write_file(true);
	return 0;
}

TEST_FIXTURE(teardown)
{
	return unlink(path);
}

/*
 * Reads the recording. Divides its counts among tasks, CPUs or symbols, as replay->by.type says.
 * Returns 0, or a negative error code with @err filled in.
 */
static int read_by(struct bpmu_replay *replay, struct bpmu_target *target,
		   struct bpmu_error *err)
{
	replay->name = path;
	assert_int_equal(bpmu_recording_open(&replay->file, path, err), 0);
	assert_int_equal(bpmu_replay_target(replay, target, NULL, err), 0);
	return bpmu_replay_entries(replay, target, &target->recorded->groups, err);
}

static void end(struct bpmu_replay *replay, struct bpmu_target *target)
{
	bpmu_target_close(target);
	bpmu_by_free(&replay->by);
	bpmu_recording_shut(replay->file);
}

static const struct bpmu_by_entry *entry(const struct bpmu_by *by,
					 const char *label)
{
	unsigned int i;

	for (i = 0; i < by->nr; i++)
		if (!strcmp(by->entry[i]->label, label))
			return by->entry[i];
	fail_msg("no %s", label);
	return NULL;
}

/*
 * Checks the counts of the task, CPU or symbol that is called @label. Bit n of @samples is 1 if
 * sample n + 1 belongs to this task, CPU or symbol.
 */
static void check(const struct bpmu_by *by, const char *label, u64 samples)
{
	const struct bpmu_by_entry *found = entry(by, label);

	assert_int_equal(found->cell[0].count, samples);
	assert_int_equal(found->samples, __builtin_popcountll(samples));
	assert_int_equal(found->ticks, found->samples * STEP);
	assert_int_equal(found->cell[1].count, 100 * found->samples);
	assert_int_equal(found->lost, samples >> (LOST_BEFORE - 1) & 1 ? LOST : 0);
	assert_int_equal(found->spent, found->samples);
}

/*
 * The expected values of check() are masks: bit n is 1 if sample n + 1 interrupted a task that runs
 * the command.
 */
TEST(entries_by_command_have_their_samples)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_COMM };
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), 0);
	assert_int_equal(replay.by.nr, 4);
	check(&replay.by, "one", 0x47);
	check(&replay.by, "two", 0x218);
	check(&replay.by, "[idle]", 0x120);
	check(&replay.by, "fifteen?lett?rs", 0x80);
	assert_int_equal(entry(&replay.by, "two")->flaws,
			 BPMU_SAMPLE_DISTURBED);
	assert_int_equal(entry(&replay.by, "one")->flaws, 0);
	assert_int_equal(replay.by.flaws.of[BPMU_FLAW_DISTURBED].nr, 1);
	assert_float_equal(replay.by.flaws.of[BPMU_FLAW_DISTURBED].begin,
			   0.004, 0.000001);
	assert_float_equal(replay.by.flaws.of[BPMU_FLAW_DISTURBED].end,
			   0.005, 0.000001);
	assert_string_equal(replay.by.entry[0]->label, "one");
	end(&replay, &target);
}

/*
 * Only the second event interrupted. Entries with both events are therefore sums of samples, which
 * must name what they interrupted.
 */
TEST(an_event_that_did_not_interrupt_is_counted_by_samples)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_COMM };
	struct bpmu_target target;
	struct bpmu_error err;

	period = 500;
	write_file(true);
	assert_int_equal(read_by(&replay, &target, &err), 0);
	assert_false(replay.by.interrupts);
	check(&replay.by, "one", 0x47);
	check(&replay.by, "two", 0x218);
	end(&replay, &target);
	write_file(false);
	replay = (struct bpmu_replay){ .by.type = BPMU_BY_COMM };
	assert_int_equal(read_by(&replay, &target, &err), -ENODATA);
	is_of_the_file(&err, ": 'r01c4' did not interrupt, and samples do not name the interrupted process; record it with a period or frequency of its own, or record with --who");
	end(&replay, &target);
	period = 0;
	write_file(true);
}

/* A branch has no counts: it is known only before interrupts. */
TEST(samples_are_not_summed_by_branch)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_BRANCH };
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), -EINVAL);
	assert_string_equal(err.text, "--by branch: branches are known of interrupts, not of counts and metrics; leave out -l and -M, name one event that interrupted with -e, or use --by symbol");
	end(&replay, &target);
}

TEST(entries_by_process_have_their_samples)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_PID };
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), 0);
	assert_int_equal(replay.by.nr, 3);
	check(&replay.by, "10 one", 0x47);
	check(&replay.by, "11 two", 0x298);
	check(&replay.by, "0 [idle]", 0x120);
	end(&replay, &target);
}

TEST(entries_by_function_have_their_samples)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_SYMBOL };
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), 0);
	check(&replay.by, "[one]", 0x47);
	check(&replay.by, "[two, ended]", 0x18);
	check(&replay.by, "[not known]", 0x200);
	check(&replay.by, "work [kernel]", 0x80);
	check(&replay.by, "[idle]", 0x120);
	end(&replay, &target);
}

/*
 * With kptr_restrict the kernel hides its addresses. The report then has "[kernel, hidden]" in
 * place of a kernel function.
 */
TEST(hidden_kernel_addresses_are_marked)
{
	const struct bpmu_who hidden = {
		.flags = BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN, .pid = 5, .tgid = 5,
	};
	const struct bpmu_who idle = {
		.flags = BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN | BPMU_WHO_IDLE,
	};
	struct bpmu_by_symbols symbols = { };

	assert_string_equal(bpmu_by_symbols_label(&symbols, &idle), "[idle]");
	assert_false(symbols.hidden);
	assert_string_equal(bpmu_by_symbols_label(&symbols, &hidden),
			    "[kernel, hidden]");
	assert_true(symbols.hidden);
	bpmu_by_symbols_free(&symbols);
}

/*
 * The names of processes that the user may not examine are hidden. All these processes together are
 * one line of the report, "[hidden]", whatever their addresses are.
 */
TEST(hidden_processes_are_one_entry)
{
	const struct bpmu_recording_about about = { };
	static const struct bpmu_who hidden = { .flags = BPMU_WHO_UNNAMED };
	static const struct bpmu_who in_kernel = {
		.flags = BPMU_WHO_UNNAMED | BPMU_WHO_KERNEL, .ip = 1,
	};
	const struct bpmu_taken_sample sample = { .who = &hidden };
	const struct bpmu_taken_sample other = { .who = &in_kernel };
	static const enum bpmu_by_type types[] = { BPMU_BY_COMM, BPMU_BY_PID };
	struct bpmu_by_symbols symbols = { };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct bpmu_by by = { .type = types[i], .about = &about };

		assert_string_equal(bpmu_by_entry(&by, &sample)->label, "[hidden]");
		assert_ptr_equal(bpmu_by_entry(&by, &other), bpmu_by_entry(&by, &sample));
		bpmu_by_free(&by);
	}
	assert_string_equal(bpmu_by_symbols_label(&symbols, &hidden), "[hidden]");
	assert_string_equal(bpmu_by_symbols_label(&symbols, &in_kernel), "[kernel]");
	bpmu_by_symbols_free(&symbols);
}

static void note_map(void *data, const struct bpmu_by_map *map)
{
	char **text = data, *before = *text;

	assert_int_not_equal(asprintf(text, "%s[%#llx,%#llx,%#llx,%s,%s]", before ?: "",
				      map->start, map->size, map->offset, map->path,
				      map->build_id), -1);
	free(before);
}

/* No two numbers of the mappings are the same, so that none can be taken for another. */
TEST(an_address_is_looked_up_in_the_mapping_that_contains_it)
{
	static const char maps[] =
		"{\"tgid\":7,\"comm\":\"seven\",\"maps\":["
		"[4096,8192,65536,\"/lib/a\",\"aa\"],"
		"[1048576,16384,32768,\"/lib/b\",\"bb\"]]}";
	struct bpmu_who who = { .pid = 8, .tgid = 7, .comm = "seven" };
	struct bpmu_by_symbols symbols = { };
	struct bpmu_by_location location;
	char *said = NULL;

	bpmu_by_symbols_add_block(&symbols, BPMU_RECORDING_PROCESS, maps, sizeof(maps) - 1);
	assert_int_equal(bpmu_by_symbols_maps(&symbols, 7, "seven", note_map, &said), 2);
	assert_string_equal(said, "[0x1000,0x2000,0x10000,/lib/a,aa]"
				  "[0x100000,0x4000,0x8000,/lib/b,bb]");
	free(said);
	assert_int_equal(bpmu_by_symbols_maps(&symbols, 8, NULL, note_map, NULL), 0);
	assert_int_equal(bpmu_by_symbols_maps(&symbols, 7, "eight", note_map, NULL), 0);

	who.ip = 0x1000;
	location = bpmu_by_symbols_place(&symbols, &who);
	assert_string_equal(location.path, "/lib/a");
	assert_int_equal(location.offset, 0x10000);
	who.ip = 0x2fff;
	assert_int_equal(bpmu_by_symbols_place(&symbols, &who).offset, 0x11fff);
	who.ip = 0x103ffe;
	assert_true(bpmu_by_symbols_locate(&symbols, &who, "/lib/a", &location));
	assert_string_equal(location.build_id, "bb");
	assert_int_equal(location.offset, 0xbffe);
	assert_false(bpmu_by_symbols_locate(&symbols, &who, "/lib/c", &location));
	who.ip = 0xfff;
	assert_null(bpmu_by_symbols_place(&symbols, &who).path);
	who.ip = 0x3000;
	assert_null(bpmu_by_symbols_place(&symbols, &who).path);
	assert_int_equal(bpmu_by_symbols_place(&symbols, &who).offset, 0x3000);
	bpmu_by_symbols_free(&symbols);
}

TEST(entries_by_cpu_have_the_samples_of_the_window)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_CPU,
		.from = { .given = true, .value = 0.0025 },
		.to = { .given = true, .value = 0.0065 } };
	struct bpmu_target target;
	struct bpmu_interval interval;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), 0);
	check(&replay.by, "0", 0x3c);
	interval = bpmu_by_interval(&replay.by);
	assert_int_equal(interval.enabled[0], 4 * STEP);
	end(&replay, &target);
}

/* A window without any time in it would have no samples, and no rate could be told. */
TEST(a_window_ends_later_than_it_begins)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_CPU,
		.from = { .given = true, .value = 0.0025 },
		.to = { .given = true, .value = 0.0025 } };
	struct bpmu_target target;
	struct bpmu_error err;

	assert_int_equal(read_by(&replay, &target, &err), -EINVAL);
	assert_string_equal(err.text, "--to: is not after --from; give a later one");
	end(&replay, &target);
}

/*
 * There are more processes than a report can have lines. The line "[others]" has the sum of the
 * processes without a line of their own.
 */
TEST(more_entries_than_the_maximum_are_summed)
{
	const struct bpmu_recording_about about = { };
	struct bpmu_by by = { .type = BPMU_BY_PID, .about = &about };
	struct bpmu_who who = { .comm = "many" };
	const struct bpmu_taken_sample sample = { .who = &who };
	const struct bpmu_by_entry *found;

	for (who.tgid = 1; who.tgid < 65540; who.tgid++) {
		found = bpmu_by_entry(&by, &sample);
		assert_non_null(found);
	}
	assert_string_equal(found->label, "[others]");
	assert_int_equal(by.nr, 65537);
	who.tgid = 7;
	assert_string_equal(bpmu_by_entry(&by, &sample)->label, "7 many");
	bpmu_by_free(&by);
}

TEST(rows_are_sorted_by_their_share)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_COMM };
	struct bpmu_target target;
	struct bpmu_error err;
	struct bpmu_rows rows;
	double share = 0;
	unsigned int i;

	assert_int_equal(read_by(&replay, &target, &err), 0);
	assert_int_equal(bpmu_by_rows(&replay.by, &rows, &err), 0);
	for (i = 0; i < rows.nr; i++)
		share += rows.row[i].share;
	assert_float_equal(share, 1, 0.000001);
	assert_float_equal(rows.row[0].share, 0.4, 0.000001);
	bpmu_rows_free(&rows);
	end(&replay, &target);
}

TEST(refuses_recordings_without_interrupted_tasks)
{
	struct bpmu_replay replay = { .by.type = BPMU_BY_COMM };
	struct bpmu_target target;
	struct bpmu_error err;

	write_file(false);
	assert_int_equal(read_by(&replay, &target, &err), -ENODATA);
	is_of_the_file(&err, ": its samples do not name the interrupted process; record with --who, or use --by cpu");
	end(&replay, &target);
	replay = (struct bpmu_replay){ .by.type = BPMU_BY_CPU };
	assert_int_equal(read_by(&replay, &target, &err), 0);
	check(&replay.by, "0", 0x3ff);
	end(&replay, &target);
	write_file(true);
}

TEST(the_interrupted_task_is_read_as_written)
{
	struct bpmu_who_code put = { }, get = { };
	unsigned char bytes[BPMU_WHO_MOST];
	struct bpmu_code_extra extra;
	const struct bpmu_who *who;
	struct bpmu_who plain;
	unsigned int i, k;

	for (i = 0; i < 2 * ARRAY_SIZE(people); i++) {
		k = i / 2;
		extra.size = bpmu_who_put(&put, &people[k], bytes);
		extra.data = bytes;
		assert_in_range(extra.size, 3, BPMU_WHO_MOST - 1);
		/*
		 * In a recording a task whose mappings have not changed is stored in three bytes,
		 * without the mappings.
		 */
		if (i & 1)
			assert_int_equal(extra.size, 3);
		assert_true(bpmu_who_get(&get, &extra, &who));
		plain = people[k];
		bpmu_plain(plain.comm, "");
		assert_memory_equal(who, &plain, sizeof(*who));
	}
	extra = (struct bpmu_code_extra){ (const unsigned char *)"\x63?", 2 };
	assert_true(bpmu_who_get(&get, &extra, &who));
	assert_null(who);
	extra = (struct bpmu_code_extra){ (const unsigned char *)"\1\1\1", 3 };
	assert_false(bpmu_who_get(&get, &extra, &who));
	extra.size = 1;
	assert_false(bpmu_who_get(&get, &extra, &who));
}

/*
 * dl_iterate_phdr() calls this function for each file of the program. @info describes the file.
 * @data points to the address of a function. If the file contains this address, replaces the
 * address by its offset in the file.
 */
static int find_base(struct dl_phdr_info *info, size_t size, void *data)
{
	u64 *address = data;
	int i;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *phdr = &info->dlpi_phdr[i];
		u64 start = info->dlpi_addr + phdr->p_vaddr;

		if (phdr->p_type != PT_LOAD ||
		    *address - start >= phdr->p_filesz)
			continue;
		*address += phdr->p_offset - start;
		return 1;
	}
	return 0;
}

TEST(addresses_of_this_program_have_their_functions)
{
	u64 offset = (u64)(unsigned long)write_file + 5;
	struct bpmu_symbols *symbols;
	char id[BPMU_BUILD_ID];
	char program[4096] = "";

	assert_true(readlink("/proc/self/exe", program,
			     sizeof(program) - 1) > 0);
	assert_int_equal(dl_iterate_phdr(find_base, &offset), 1);
	bpmu_symbols_build_id(program, id);
	symbols = bpmu_symbols_open(program, id);
	assert_non_null(symbols);
	assert_string_equal(bpmu_symbols_find(symbols, offset), "write_file");
	assert_null(bpmu_symbols_find(symbols, 1ULL << 40));
	bpmu_symbols_close(symbols);
	assert_null(bpmu_symbols_open(program, "0123"));
	assert_null(bpmu_symbols_open("/nowhere/at/all", "0123"));
	assert_null(bpmu_symbols_missing());
}

/*
 * Returns whether the file that the inotify descriptor @notify watches was opened since the last
 * call of this function.
 */
static bool was_opened(int notify)
{
	char event[sizeof(struct inotify_event) + NAME_MAX + 1];

	return read(notify, event, sizeof(event)) > 0;
}

/*
 * A recording from another machine may name any file that root can open, such as a pipe. Only
 * regular files may be opened for their symbols.
 */
TEST(symbols_are_read_from_regular_files_only)
{
	char name[] = "/tmp/barepmu-test-pipe-XXXXXX";
	int notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char id[BPMU_BUILD_ID];
	int fd = mkstemp(name);

	assert_true(fd >= 0 && notify >= 0);
	close(fd);
	unlink(name);
	assert_int_equal(mkfifo(name, 0600), 0);
	assert_true(inotify_add_watch(notify, name, IN_OPEN) >= 0);
	/* Opening a named pipe would block until another process writes to it. */
	alarm(60);
	bpmu_symbols_build_id(name, id);
	assert_string_equal(id, "");
	assert_null(bpmu_symbols_open(name, ""));
	alarm(0);
	assert_false(was_opened(notify));
	close(open(name, O_RDONLY | O_NONBLOCK));
	assert_true(was_opened(notify));
	close(notify);
	unlink(name);
	assert_null(bpmu_symbols_open("/proc/self/maps", ""));
	assert_null(bpmu_symbols_open("/tmp", ""));
}

static void copy_program(const char *to)
{
	char command[128];

	snprintf(command, sizeof(command), "cp /proc/%d/exe %s", getpid(), to);
	assert_int_equal(system(command), 0);
}

/*
 * A program file may be truncated while the recorder has it mapped. The recorder must not be killed
 * by SIGBUS.
 */
TEST(a_truncated_program_does_not_kill_the_recorder)
{
	char name[] = "/tmp/barepmu-test-shrinks-XXXXXX";
	char id[BPMU_BUILD_ID], head[4096];
	int fd = mkstemp(name), status;
	struct stat now;
	unsigned int i;
	pid_t pid;

	assert_true(fd >= 0);
	copy_program(name);
	assert_int_equal(fstat(fd, &now), 0);
	assert_int_equal(pread(fd, head, sizeof(head), 0), sizeof(head));
	bpmu_symbols_build_id(name, id);
	assert_int_not_equal(strlen(id), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!pid)
		if (ftruncate(fd, 0) ||
		    pwrite(fd, head, sizeof(head), 0) != sizeof(head) ||
		    ftruncate(fd, now.st_size))
			_exit(1);
	for (i = 0; i < 20000; i++)
		bpmu_symbols_build_id(name, id);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	close(fd);
	unlink(name);
}

/**
 * struct taken - a sample of a CPU; samples that were lost are not listed
 * @seq: number of the sample
 * @flags: flags of the sample
 * @group: number of the sample's group of events, among the groups of the same bank (the core's or
 *	the package's counters)
 */
struct taken {
	u64 seq;
	u32 flags;
	u16 group;
};

#define FROM_CORE BPMU_SAMPLE_TIMER
#define FROM_UNCORE (BPMU_SAMPLE_TIMER | OF(UNCORE))

/**
 * struct rest - losses and disturbances that intervals report besides counts
 * @lost: number of samples that the intervals report as lost
 * @flaws: flags of the disturbances that the intervals report
 */
struct rest {
	u64 lost;
	u64 flaws;
};

/* Adds up the lost samples and the flags of disturbances that the intervals of one CPU report. */
static void note_rest(void *data, const struct bpmu_interval *interval)
{
	struct rest *rest = data;

	rest->lost += interval->lost[0];
	rest->flaws |= interval->flaws ? interval->flaws[0] : 0;
}

/* Returns what a recording of CPU 0 says of itself, without events and groups. */
static struct bpmu_recording_about about_cpu_0(void)
{
	static struct bpmu_topology topology[] = { { 0, 0 } };
	static u32 cpu[] = { 0 };

	return (struct bpmu_recording_about){
		.info = { .part = "ivb", .tsc_khz = KHZ, .pmu = pmu },
		.cpus = { cpu, 1 }, .topology = topology,
	};
}

/*
 * Makes three reports of the samples: by CPU, by task, and as a series of intervals. Checks that
 * the report by CPU and the series have @lost lost samples, and the flags of disturbances @flaws.
 */
static void check_rest(const struct taken *taken, u64 lost, u32 flaws)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = about_cpu_0();
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct rest of_series = { };
	const struct bpmu_measure measure = {
		.info = &about.info, .cpus = about.cpus.cpu, .nr_cpus = 1,
		.groups = { &about.groups }, .emit = note_rest, .data = &of_series,
	};
	struct bpmu_by by = { .type = BPMU_BY_CPU }, tasks = { .type = BPMU_BY_COMM };
	struct bpmu_sample head;
	const struct bpmu_taken_sample sample = {
		.head = &head, .values = values, .who = people,
	};
	struct bpmu_event_list list = { };
	struct bpmu_series *series;
	struct bpmu_error err;
	u64 ticks = STEP;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0,
		"r01c4,r02c4,r04c4,r08c4,r10c4,UNC_ARB_TRK_REQUESTS.ALL", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	assert_int_equal(about.groups.nr_of[BPMU_BANK_CORE], 2);
	assert_int_equal(about.groups.nr_of[BPMU_BANK_UNCORE], 1);
	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	assert_int_equal(bpmu_by_begin(&tasks, &about, &about.cpus, &err), 0);
	series = bpmu_series_new(&measure, 0);
	assert_non_null(series);
	for (; taken->flags; taken++, ticks += STEP) {
		head = (struct bpmu_sample){
			.seq = taken->seq, .flags = taken->flags, .bank = taken->flags >> 16,
			.group = taken->group,
			.tsc_begin = ticks, .tsc_end = ticks, .enabled = ticks,
			.running = ticks, .nr = 4,
		};
		bpmu_by_add(&by, &sample);
		bpmu_by_add(&tasks, &sample);
		bpmu_series_add(series, &sample, 1);
	}
	bpmu_series_finish(series);
	assert_int_equal(bpmu_by_end(&by, "samples", &err), 0);
	assert_int_equal(by.nr, 1);
	assert_int_equal(by.entry[0]->lost, lost);
	assert_int_equal(by.entry[0]->flaws, flaws);
	/*
	 * The disturbed samples did not interrupt the task, so the report by task shows no
	 * disturbance for this task.
	 */
	assert_int_equal(bpmu_by_end(&tasks, "samples", &err), 0);
	assert_int_equal(tasks.entry[0]->lost, lost);
	assert_int_equal(tasks.entry[0]->flaws, 0);
	assert_int_equal(of_series.lost, lost);
	assert_int_equal(of_series.flaws, flaws);
	bpmu_series_free(series);
	bpmu_by_free(&by);
	bpmu_by_free(&tasks);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

/*
 * A CPU takes samples of the core's counters and samples of the package's counters. A sample is
 * lost between two others. Whichever counters these two are of, the lost sample must count as lost
 * once.
 */
TEST(losses_beside_samples_of_other_banks_are_counted_once)
{
	static const struct taken before_core[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, BPMU_SAMPLE_START | OF(UNCORE) },
		{ 2, FROM_CORE }, { 3, FROM_UNCORE }, { 5, FROM_CORE }, { 6, FROM_UNCORE }, { }
	};
	static const struct taken before_uncore[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, BPMU_SAMPLE_START | OF(UNCORE) },
		{ 2, FROM_CORE }, { 3, FROM_UNCORE }, { 5, FROM_UNCORE }, { 6, FROM_CORE }, { }
	};
	static const struct taken at_the_end[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, BPMU_SAMPLE_START | OF(UNCORE) },
		{ 2, FROM_CORE }, { 3, FROM_UNCORE }, { 5, FROM_UNCORE }, { }
	};
	static const struct taken both[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, BPMU_SAMPLE_START | OF(UNCORE) },
		{ 3, FROM_UNCORE }, { 5, FROM_UNCORE }, { 7, FROM_CORE }, { 9, FROM_UNCORE }, { }
	};

	check_rest(before_core, 1, 0);
	check_rest(before_uncore, 1, 0);
	check_rest(at_the_end, 1, 0);
	check_rest(both, 4, 0);
}

/*
 * A CPU's first sample after the start, or after the CPU was offline, yields no count, because
 * there is no earlier sample to subtract. Samples that were lost before this sample still count as
 * lost.
 */
TEST(losses_before_samples_without_a_count_are_counted)
{
	static const struct taken online[] = {
		{ 7, BPMU_SAMPLE_START }, { 8, FROM_CORE }, { 9, BPMU_SAMPLE_OFFLINE },
		{ 12, BPMU_SAMPLE_ONLINE }, { 13, FROM_CORE }, { }
	};
	static const struct taken failed[] = {
		{ 7, BPMU_SAMPLE_START }, { 8, FROM_CORE }, { 9, BPMU_SAMPLE_OFFLINE },
		{ 12, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED },
		{ 14, BPMU_SAMPLE_ONLINE }, { 15, FROM_CORE }, { }
	};
	static const struct taken first_of_group[] = {
		{ 7, BPMU_SAMPLE_START }, { 9, FROM_CORE, 1 }, { 10, FROM_CORE }, { }
	};

	check_rest(online, 2, 0);
	check_rest(failed, 3, BPMU_SAMPLE_FAILED);
	check_rest(first_of_group, 1, 0);
}

/*
 * A disturbance of the package's counters is reported for the CPU that reads these counters. A
 * disturbance in the first or the last sample of the CPU is reported, too.
 */
TEST(flaws_of_any_sample_are_of_the_cpu)
{
	static const struct taken disturbed[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, BPMU_SAMPLE_START | OF(UNCORE) },
		{ 2, FROM_CORE }, { 3, FROM_UNCORE | BPMU_SAMPLE_DISTURBED }, { 4, FROM_CORE }, { }
	};
	static const struct taken prefetchers[] = {
		{ 0, BPMU_SAMPLE_START | BPMU_SAMPLE_PREFETCH }, { 1, FROM_CORE }, { }
	};
	static const struct taken at_the_end[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, FROM_CORE }, { 2, BPMU_SAMPLE_OFFLINE },
		{ 4, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED }, { }
	};

	check_rest(disturbed, 0, BPMU_SAMPLE_DISTURBED | 1 << (16 + BPMU_BANK_UNCORE));
	check_rest(prefetchers, 0, BPMU_SAMPLE_PREFETCH);
	check_rest(at_the_end, 1, BPMU_SAMPLE_FAILED);
}

/*
 * The first sample of a session, of a file, or of a chosen window of time can have any sequence
 * number. The samples with lower numbers do not count as lost.
 */
TEST(numbers_before_the_first_sample_are_not_lost)
{
	static const struct taken start[] = {
		{ 500, BPMU_SAMPLE_START }, { 501, FROM_CORE }, { }
	};
	static const struct taken file[] = {
		{ 500, FROM_UNCORE }, { 501, FROM_CORE }, { 502, FROM_CORE }, { }
	};
	static const struct taken window[] = {
		{ 500, BPMU_SAMPLE_START }, { 507, BPMU_SAMPLE_START }, { 508, FROM_CORE }, { }
	};

	check_rest(start, 0, 0);
	check_rest(file, 0, 0);
	check_rest(window, 0, 0);
}

/* A process may map a file only after an address of it was seen, such as by dlopen(). */
TEST(labels_are_made_anew_when_mappings_are_added)
{
	static const char before[] = "{\"tgid\":7,\"comm\":\"a\",\"maps\":[[4096,4096,0,\"/one\",\"\"]]}";
	static const char after[] = "{\"tgid\":7,\"comm\":\"a\",\"maps\":[[8192,4096,0,\"/two\",\"\"]]}";
	const struct bpmu_who who = { .ip = 8200, .pid = 7, .tgid = 7, .comm = "a" };
	struct bpmu_by_symbols symbols = { };

	bpmu_by_symbols_add_block(&symbols, BPMU_RECORDING_PROCESS, before, strlen(before));
	assert_string_equal(bpmu_by_symbols_label(&symbols, &who), "[a, no file]");
	bpmu_by_symbols_add_block(&symbols, BPMU_RECORDING_PROCESS, after, strlen(after));
	assert_string_equal(bpmu_by_symbols_label(&symbols, &who), "[two]");
	bpmu_by_symbols_free(&symbols);
}

static void add_block(struct bpmu_by_symbols *symbols, int type, const char *text)
{
	bpmu_by_symbols_add_block(symbols, type, text, strlen(text));
}

/*
 * A function of the kernel ends where its size says, one without a size never. Malformed functions
 * are left out. A recording has one list of functions; a second one is ignored.
 */
TEST(addresses_of_the_kernel_have_their_functions)
{
	static const struct {
		u64 ip;
		const char *label, *with_address;
	} all[] = {
		{ 0xfff, "[kernel]", "0xfff [kernel]" },
		{ 0x1000, "one [kernel]", "0x1000 one [kernel]" },
		{ 0x100f, "one [kernel]", "0x100f one [kernel]" },
		{ 0x1010, "[kernel]", "0x1010 [kernel]" },
		{ 0x2000, "two [mod]", "0x2000 two [mod]" },
		{ 0x2001, "two [mod]", "0x2001 two [mod]" },
		{ 0x2002, "[kernel]", "0x2002 [kernel]" },
		{ 0x3000, "three [kernel]", "0x3000 three [kernel]" },
		{ ~0ULL, "three [kernel]", "0xffffffffffffffff three [kernel]" },
	};
	struct bpmu_by_symbols symbols = { }, exact = { .detail = BPMU_DETAIL_ADDRESS };
	struct bpmu_who who = { .flags = BPMU_WHO_KERNEL };
	unsigned int i, k;

	for (k = 0; k < 2; k++) {
		struct bpmu_by_symbols *of = k ? &exact : &symbols;

		add_block(of, BPMU_RECORDING_KERNEL, "[]");
		add_block(of, BPMU_RECORDING_KERNEL,
			  "[[\"0x1000\",16,\"one\",\"[kernel]\"],[\"0x1800g\",8,\"bad\",\"m\"],"
			  "[\"0x1900\",\"bad\",\"m\"],[\"0x2000\",2,\"two\",\"mod\"],"
			  "[\"0x3000\",0,\"three\",\"[kernel]\"]]");
		add_block(of, BPMU_RECORDING_KERNEL, "[[\"0x1010\",16,\"late\",\"[kernel]\"]]");
		add_block(of, BPMU_RECORDING_SKIP, "[[\"0x1010\",16,\"late\",\"[kernel]\"]]");
		add_block(of, BPMU_RECORDING_KERNEL, "[");
		assert_int_equal(of->nr_kernel, 3);
		for (i = 0; i < ARRAY_SIZE(all); i++) {
			who.ip = all[i].ip;
			assert_string_equal(bpmu_by_symbols_label(of, &who),
					    k ? all[i].with_address : all[i].label);
		}
		bpmu_by_symbols_free(of);
	}
}

/*
 * Process 7 has executed a second program. Its mappings under the name at the interrupt come first,
 * then the latest ones. Labels differ by address, process and name.
 */
TEST(addresses_of_programs_have_their_files)
{
	static const struct {
		u32 tgid;
		const char *comm;
		u64 ip;
		const char *label;
	} all[] = {
		{ 7, "old", 4096, "[old.so]" },
		{ 7, "new", 4096, "[new.so]" },
		{ 7, "third", 4096, "[last.so]" },
		{ 7, "old", 8191, "[old.so]" },
		{ 7, "old", 8192, "[vdso]" },
		{ 7, "new", 12288, "[no file]" },
		{ 7, "old", 4095, "[old, no file]" },
		{ 8, "old", 4096, "[plain]" },
		{ 9, "old", 4096, "[old, ended]" },
		{ 9, "new", 4096, "[new, ended]" },
	};
	struct bpmu_by_symbols symbols = { };
	struct bpmu_by_map map;
	unsigned int i, again;

	add_block(&symbols, BPMU_RECORDING_PROCESS,
		  "{\"tgid\":7,\"comm\":\"old\",\"maps\":[[4096,4096,0,\"/a/old.so\",\"\"],"
		  "[1,2,3],[8192,4096,0,\"vdso\",\"\"]]}");
	add_block(&symbols, BPMU_RECORDING_PROCESS,
		  "{\"tgid\":7,\"comm\":\"new\",\"maps\":[[4096,4096,0,\"/a/b/new.so\",\"\"],"
		  "[12288,4096,0,\"\",\"\"]]}");
	add_block(&symbols, BPMU_RECORDING_PROCESS,
		  "{\"tgid\":7,\"comm\":\"last\",\"maps\":[[4096,4096,0,\"/last.so\",\"\"]]}");
	add_block(&symbols, BPMU_RECORDING_PROCESS,
		  "{\"tgid\":8,\"comm\":\"old\",\"maps\":[[4096,4096,0,\"plain\",\"\"]]}");
	add_block(&symbols, BPMU_RECORDING_PROCESS, "{\"tgid\":8,\"comm\":\"old\"}");
	add_block(&symbols, BPMU_RECORDING_PROCESS, "{");
	assert_int_equal(symbols.nr, 4);
	for (again = 0; again < 2; again++)
		for (i = 0; i < ARRAY_SIZE(all); i++) {
			struct bpmu_who who = {
				.ip = all[i].ip, .pid = all[i].tgid, .tgid = all[i].tgid,
			};

			strcpy(who.comm, all[i].comm);
			assert_string_equal(bpmu_by_symbols_label(&symbols, &who), all[i].label);
			assert_int_equal(bpmu_by_symbols_mapping(&symbols, &who, &map),
					 !strchr(all[i].label, ' '));
			who.flags = BPMU_WHO_KERNEL;
			assert_false(bpmu_by_symbols_mapping(&symbols, &who, &map));
		}
	bpmu_by_symbols_free(&symbols);
}

/* A disturbance of the first interval begins at 0 s, whatever the time stamps are. */
TEST(flaws_have_their_times)
{
	static const struct taken first[] = {
		{ 0, BPMU_SAMPLE_START }, { 1, FROM_CORE | BPMU_SAMPLE_DISTURBED },
		{ 2, FROM_CORE }, { }
	};
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = about_cpu_0();
	struct bpmu_by by = { .type = BPMU_BY_CPU };
	const u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_event_list list = { };
	struct bpmu_sample head;
	const struct bpmu_taken_sample sample = { .head = &head, .values = values, .who = people };
	const struct bpmu_flaw *flaw = &by.flaws.of[BPMU_FLAW_DISTURBED];
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "r01c4", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	for (i = 0; first[i].flags; i++) {
		head = (struct bpmu_sample){
			.seq = i, .flags = first[i].flags, .tsc_begin = (5 + i) * STEP,
			.tsc_end = (5 + i) * STEP, .enabled = i * STEP, .running = i * STEP, .nr = 1,
		};
		bpmu_by_add(&by, &sample);
	}
	assert_int_equal(bpmu_by_end(&by, "samples", &err), 0);
	assert_int_equal(flaw->nr, 1);
	assert_true(flaw->begin == 0);
	assert_float_equal(flaw->end, 0.001, 0.000001);
	bpmu_by_free(&by);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

/* What the keys of --by are called, and which show functions, or what the CPU has recorded. */
TEST(keys_have_their_names)
{
	static const struct {
		const char *name;
		bool symbols, records;
	} all[] = {
		[BPMU_BY_COMM] = { "comm", false, false }, [BPMU_BY_PID] = { "pid", false, false },
		[BPMU_BY_SYMBOL] = { "symbol", true, false }, [BPMU_BY_LINE] = { "line", true, false },
		[BPMU_BY_ADDRESS] = { "address", true, false },
		[BPMU_BY_STACK] = { "stack", true, false },
		[BPMU_BY_BRANCH] = { "branch", true, true },
		[BPMU_BY_CACHELINE] = { "cacheline", false, true },
		[BPMU_BY_SOURCE] = { "source", false, true }, [BPMU_BY_CPU] = { "cpu", false, false },
	};
	enum bpmu_by_type type;
	struct bpmu_error err;
	unsigned int i;

	for (i = BPMU_BY_COMM; i < ARRAY_SIZE(all); i++) {
		assert_string_equal(bpmu_by_name(i), all[i].name);
		assert_int_equal(bpmu_by_parse(all[i].name, &type, &err), 0);
		assert_int_equal(type, i);
		assert_int_equal(bpmu_by_needs_symbols(i), all[i].symbols);
		assert_int_equal(bpmu_by_is_of_records(i), all[i].records);
	}
}

TEST(only_instructions_have_a_place)
{
	static const enum bpmu_by_type types[] = { BPMU_BY_ADDRESS, BPMU_BY_SYMBOL };
	struct bpmu_target target;
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		struct bpmu_replay replay = { .by.type = types[i] };
		const struct bpmu_by_location *place;

		assert_int_equal(read_by(&replay, &target, &err), 0);
		place = &entry(&replay.by, "[one]")->place;
		assert_int_equal(place->offset, i ? 0 : 0x1000);
		if (i)
			assert_null(place->path);
		else
			assert_string_equal(place->path, "/nowhere/one");
		end(&replay, &target);
	}
}

/* Entries are sorted by events, then by time, both with the most first, then by name. */
TEST(entries_are_sorted)
{
	static struct bpmu_by_entry of[] = {
		{ .label = "e", .events.sum = 1, .ticks = 9 },
		{ .label = "d", .events.sum = 2, .ticks = 3 },
		{ .label = "c", .events.sum = 2, .ticks = 4 },
		{ .label = "b", .events.sum = 2, .ticks = 4 },
		{ .label = "a", .events.sum = 3, .ticks = 1 },
	};
	struct bpmu_by_entry *entries[5];
	struct bpmu_by by = { .entry = entries, .nr = 5 };
	unsigned int turn, i;

	for (turn = 0; turn < 5; turn++) {
		for (i = 0; i < 5; i++)
			entries[i] = &of[(i + turn) % 5];
		bpmu_by_sort(&by);
		for (i = 0; i < 5; i++)
			assert_int_equal(entries[i]->label[0], 'a' + i);
	}
	by.nr = 0;
	bpmu_by_sort(&by);
}

/*
 * Returns by interrupts of which of two events the time of the entries is told, if there were
 * @first interrupts by the first one and @second by the second one.
 */
static unsigned int clock_of(const char *events, unsigned int first, unsigned int second)
{
	const unsigned int interrupts[] = { first, second };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = about_cpu_0();
	struct bpmu_by by = { .type = BPMU_BY_COMM };
	struct bpmu_event_list list = { };
	struct bpmu_sched_slot *slot;
	struct bpmu_error err;
	unsigned int i, k, clock;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, events, &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	slot = about.groups.group[0].sched.slot;
	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	for (i = 0; i < 2; i++) {
		slot[i].period = 1000;
		for (k = 0; k < interrupts[i]; k++)
			bpmu_by_add_interrupt(&by, &(struct bpmu_overflow){
				.event = slot[i].value, .period = 1000, .who.comm = "one",
			}, NULL, NULL);
	}
	assert_int_equal(bpmu_by_end(&by, "interrupts", &err), 0);
	assert_true(by.within == 1000. * interrupts[by.clock - slot]);
	clock = by.clock - slot;
	bpmu_by_free(&by);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
	return clock;
}

/* Cycles tell the time, in general or fixed counters, else the event with most interrupts. */
TEST(the_time_is_told_by_most_interrupts)
{
	assert_int_equal(clock_of("r01c4,r02c4", 3, 5), 1);
	assert_int_equal(clock_of("r01c4,r02c4", 5, 3), 0);
	assert_int_equal(clock_of("r01c4,r02c4", 0, 1), 1);
	assert_int_equal(clock_of("r01c4,r02c4", 4, 4), 0);
	assert_int_equal(clock_of("r01c4,cycles", 5, 1), 1);
	assert_int_equal(clock_of("cycles,r01c4", 1, 5), 0);
	assert_int_equal(clock_of("cycles,r01c4", 0, 5), 1);
	assert_int_equal(clock_of("r01c4,r003c:u", 5, 1), 1);
	assert_int_equal(clock_of("r003c:k,cycles", 2, 5), 1);
	assert_int_equal(clock_of("r003c:k,cycles", 5, 2), 0);
	assert_int_equal(clock_of("instructions,r01c4", 2, 5), 1);
}

TEST(a_time_without_counts_is_told)
{
	struct bpmu_recording_about about = about_cpu_0();
	struct bpmu_by by = { .type = BPMU_BY_CPU };
	struct bpmu_error err;

	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	assert_int_equal(bpmu_by_end(&by, "a.rec", &err), -ENODATA);
	assert_string_equal(err.text,
			    "a.rec: no CPU counted anything in this time; choose another one with --from and --to");
	bpmu_by_free(&by);
}

TEST(refuses_unknown_entries)
{
	enum bpmu_by_type type = BPMU_BY_NOTHING;
	struct bpmu_error err;

	assert_int_equal(bpmu_by_parse("symbol", &type, &err), 0);
	assert_int_equal(type, BPMU_BY_SYMBOL);
	assert_int_equal(bpmu_by_parse("thread", &type, &err), -EINVAL);
	assert_string_equal(err.text, "--by 'thread': no such key; use comm, pid, symbol, line, address, stack, branch, cacheline, source or cpu");
}

/* An interrupt of CPU 0 that stands for @period events of the event with index @event. */
static void add_interrupt(struct bpmu_by *by, unsigned int event, u64 period, const char *comm)
{
	struct bpmu_overflow overflow = { .event = event, .period = period };

	strcpy(overflow.who.comm, comm);
	bpmu_by_add_interrupt(by, &overflow, NULL, NULL);
}

/* An interrupt of CPU 0 whose record has @nr counts, or none because it was not understood. */
static void add_counts(struct bpmu_by *by, unsigned int nr, u64 first, u64 second,
		       const char *comm)
{
	const struct bpmu_counts counts = {
		nr ? BPMU_COUNTS_KNOWN : BPMU_COUNTS_BROKEN, nr, { first, second }
	};
	struct bpmu_overflow overflow = { .period = 1000 };

	strcpy(overflow.who.comm, comm);
	bpmu_by_add_interrupt(by, &overflow, NULL, &counts);
}

/*
 * Of a recording whose events interrupted, the entries have the events for which interrupts stand.
 * The time is estimated by the cycles. An entry without an interrupt by an event has the variance of
 * one usual period of this event.
 */
TEST(entries_of_interrupts_have_their_events)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = about_cpu_0();
	struct bpmu_by by = { .type = BPMU_BY_COMM };
	struct bpmu_event_list list = { };
	struct bpmu_sched_slot *slot;
	struct bpmu_interval interval;
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "r01c4,cycles,instructions", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	slot = about.groups.group[0].sched.slot;
	slot[0].period = 500;
	slot[1].period = 1000;
	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	for (i = 0; i < 10; i++)
		add_interrupt(&by, slot[0].value, 500 + i, "first");
	for (i = 0; i < 3; i++)
		add_interrupt(&by, slot[1].value, 1000, "first");
	add_interrupt(&by, slot[1].value, 1000, "second");
	/* no event that interrupts has this index */
	add_interrupt(&by, slot[2].value, 1000, "second");
	by.ticks = 4000000;
	by.spent = 400;
	assert_int_equal(bpmu_by_end(&by, "interrupts", &err), 0);
	assert_int_equal(by.nr, 2);
	assert_string_equal(by.entry[0]->label, "first");
	assert_int_equal(by.entry[0]->samples, 13);
	assert_int_equal(by.entry[0]->ticks, 3000000);
	assert_int_equal(by.entry[1]->ticks, 1000000);
	assert_int_equal(by.entry[0]->spent, 300);
	assert_string_equal(by.clock->text, "cycles");
	assert_int_equal(by.entry[0]->cell[0].count, 5045);
	assert_int_equal(by.entry[0]->cell[0].slices, 10);
	assert_int_equal(by.entry[0]->cell[1].count, 3000);
	assert_true(by.entry[0]->cell[1].sum_xx == 3e6);
	assert_int_equal(by.entry[0]->cell[1].running, 3000000);
	assert_int_equal(by.entry[1]->cell[0].slices, 0);
	assert_true(by.entry[1]->cell[0].sum_xx == 504.5 * 504.5);
	assert_int_equal(by.entry[1]->cell[2].running, 0);
	interval = bpmu_by_interval(&by);
	assert_true(interval.interrupts);
	assert_true(interval.multiplexed[0][BPMU_BANK_CORE]);
	bpmu_by_free(&by);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

/*
 * If interrupts have the counts of all events, the entries have those, of events that did not
 * interrupt as well, and batches of every 32nd interrupt of the entry. An interrupt whose record was
 * not understood has none, and is told.
 */
TEST(entries_of_interrupts_have_the_counts_of_all_events)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = about_cpu_0();
	struct bpmu_by by = { .type = BPMU_BY_COMM };
	struct bpmu_event_list list = { };
	struct bpmu_interval interval;
	struct bpmu_error err;
	unsigned int i;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "cycles:pp,instructions", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	about.groups.group[0].sched.slot[0].period = 1000;
	about.counts = true;
	assert_int_equal(bpmu_by_begin(&by, &about, &about.cpus, &err), 0);
	for (i = 0; i < 40; i++)
		add_counts(&by, 2, 900 + i, 100, "first");
	add_counts(&by, 2, 500, 3, "second");
	add_counts(&by, 0, 0, 0, "third");
	add_counts(&by, 1, 7, 0, "third");
	by.ticks = 1000000;
	assert_int_equal(bpmu_by_end(&by, "interrupts", &err), 0);
	assert_int_equal(by.nr, 3);
	assert_int_equal(by.broken, 2);
	assert_true(by.within == 40 * 900 + 40 * 39 / 2 + 500);
	assert_string_equal(by.entry[0]->label, "first");
	assert_int_equal(by.entry[0]->samples, 40);
	assert_int_equal(by.entry[0]->cell[0].count, 40 * 900 + 40 * 39 / 2);
	assert_int_equal(by.entry[0]->cell[1].count, 4000);
	assert_int_equal(by.entry[0]->cell[1].slices, 40);
	assert_true(by.entry[0]->cell[1].sum_xx == 40 * 100. * 100);
	assert_int_equal(by.entry[0]->cell[1].running, by.entry[0]->ticks);
	assert_int_equal(by.entry[1]->cell[1].count, 3);
	assert_int_equal(by.entry[2]->samples, 2);
	assert_int_equal(by.entry[2]->cell[0].slices, 0);
	interval = bpmu_by_interval(&by);
	assert_true(interval.interrupts);
	assert_int_equal(interval.batches, BPMU_BATCHES);
	assert_int_equal(interval.batch[0].count, 900 + 932);
	assert_int_equal(interval.batch[8].count, 908);
	assert_int_equal(interval.batch[BPMU_BATCHES].count, 200);
	assert_int_equal(interval.batch[BPMU_BATCHES + 31].count, 100);
	assert_int_equal(interval.batch[2 * BPMU_BATCHES].count, 500);
	assert_int_equal(interval.batch[4 * BPMU_BATCHES].count, 0);
	bpmu_by_free(&by);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

TEST_GROUP(setup, teardown);

/*
 * Divides the counts by the key *@data and makes rows of them. Labels may name less if memory is
 * short, but no count is lost.
 */
static int divide(void *data, struct bpmu_error *err)
{
	struct bpmu_replay replay = { .name = path, .by.type = *(const enum bpmu_by_type *)data };
	struct bpmu_target target;
	struct bpmu_rows rows = { };
	unsigned int i;
	u64 sum = 0;
	int code;

	assert_int_equal(bpmu_recording_open(&replay.file, path, err), 0);
	assert_int_equal(bpmu_replay_target(&replay, &target, NULL, err), 0);
	no_memory_begin();
	code = bpmu_replay_entries(&replay, &target, &target.recorded->groups, err);
	if (!code)
		code = bpmu_by_rows(&replay.by, &rows, err);
	no_memory_end();
	for (i = 0; i < replay.by.nr && !code; i++) {
		sum += replay.by.entry[i]->cell[0].count;
		assert_string_equal(rows.row[i].label, replay.by.entry[i]->label);
	}
	if (!code) {
		assert_int_equal(rows.nr, replay.by.nr);
		assert_int_equal(sum, (1ULL << (SAMPLES - 1)) - 1);
	}
	bpmu_rows_free(&rows);
	end(&replay, &target);
	return code;
}

TEST(sums_that_need_more_memory_are_refused)
{
	static enum bpmu_by_type types[] = {
		BPMU_BY_COMM, BPMU_BY_PID, BPMU_BY_CPU, BPMU_BY_SYMBOL, BPMU_BY_ADDRESS, BPMU_BY_STACK
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		assert_true(no_memory_each(divide, &types[i]) > 10);
}
