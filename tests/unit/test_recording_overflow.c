// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of overflow interrupts in recordings. The records of interrupts, and the number of lost
 * interrupts, are read as they were written. The periods of interrupts are added up. Bytes that are
 * no record of an interrupt are refused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "recording/recording_overflow.h"
#include "recording/recording_read.h"
#include "recording/recording_write.h"
#include "replay/report_replay.h"
#include "unit.h"

#define KHZ 1000000
#define STEP 1000000ULL
#define PERIOD 2000
/* Number of the last sample of the recording. All interrupts are before it. */
#define LAST 9

/**
 * struct sample - a sample as the module sends it
 * @head: header of the sample
 * @value: counts of cycles and of the event that interrupts
 */
struct sample {
	struct bpmu_sample head;
	u64 value[2];
};

/*
 * Recorded overflow interrupts. Interrupts 2 to 4 are missing, because they were lost. Interrupts 7
 * and 8 were lost, too; the last interrupt of this array is number 6.
 */
static const struct bpmu_overflow interrupts[] = {
	{ .seq = 0, .tsc = 6 * STEP, .period = 2100, .event = 1, .size = sizeof(*interrupts),
	  .who = { .ip = 0x401000, .pid = 10, .tgid = 10, .comm = "one" } },
	{ .seq = 1, .tsc = 7 * STEP, .period = 1900, .event = 1, .size = sizeof(*interrupts),
	  .who = { .ip = 0x401234, .pid = 10, .tgid = 10, .comm = "one" } },
	{ .seq = 5, .tsc = 7 * STEP, .period = 4000, .event = 1, .size = sizeof(*interrupts),
	  .who = { .ip = 0xffffffff81000000, .flags = BPMU_WHO_KERNEL, .comm = "two" } },
	{ .seq = 6, .tsc = 9 * STEP, .period = 2000, .event = 1, .size = sizeof(*interrupts),
	  .who = { .ip = 0x401234, .pid = 10, .tgid = 10, .comm = "one" } },
};

static char path[] = "/tmp/barepmu-test-overflow-XXXXXX";

static struct sample sample_at(unsigned int k)
{
	return (struct sample){
		.head = {
			.seq = k, .tsc_begin = (5 + k) * STEP, .tsc_end = (5 + k) * STEP + 1,
			.enabled = k * STEP, .running = k * STEP, .spent = k, .nr = 2,
			.flags = k ? BPMU_SAMPLE_TIMER | BPMU_SAMPLE_DISTURBED : BPMU_SAMPLE_START,
		},
		.value = { 7 * k, 3000 * k },
	};
}

/*
 * Begins to write a file: its description, and the first sample. The second event interrupts. If
 * @frequency is 0, this event has the period @period. @counts: interrupts have counts.
 */
static void begin_file(struct bpmu_recording *recording, u32 period, u32 frequency, bool counts)
{
	static struct bpmu_topology topology[] = { { 0, 0 } };
	static u32 cpus[] = { 0 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_pmu pmu = unit_pmu("ivb", 4);
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .tsc_khz = KHZ, .pmu = pmu },
		.interval_ns = 1000000, .period_ns = 1000000,
		.cpus = { cpus, 1 }, .topology = topology,
		.machine_topology = topology, .machine_cpus = 1, .counts = counts,
	};
	const struct sample first = sample_at(0);
	struct bpmu_event_list list = { };
	struct bpmu_error err;

	assert_int_equal(bpmu_event_list_parse(&pmu, 0, "r01c4,r02c4", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &pmu, &list, &wish, &err), 0);
	about.groups.group[0].sched.slot[1].period = period;
	about.groups.group[0].sched.slot[1].frequency = frequency;
	assert_int_equal(bpmu_recording_create(recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(recording, &about, sizeof(first), &err), 0);
	bpmu_recording_add(recording, &first, sizeof(first));
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
}

/*
 * Writes the last sample, and ends the file. If @size is not 0, the file gets one more block of
 * interrupts, with the contents @more.
 */
static void end_file(struct bpmu_recording *recording, const void *more, size_t size)
{
	struct sample last = sample_at(LAST);
	struct bpmu_error err;
	char text[64] = "";

	last.head.seq = 1;
	bpmu_recording_add(recording, &last, sizeof(last));
	if (size) {
		memcpy(text, more, size);
		bpmu_recording_block(recording, BPMU_RECORDING_OVERFLOWS, text);
	}
	bpmu_recording_round(recording);
	assert_int_equal(bpmu_recording_close(recording, &err), 0);
}

/* Writes a file with interrupts of an event, see begin_file() and end_file(). */
static void write_paced(u32 period, u32 frequency, const void *more, size_t size)
{
	struct bpmu_recording recording;

	begin_file(&recording, period, frequency, false);
	bpmu_recording_add_overflows(&recording, interrupts, 2 * sizeof(*interrupts));
	bpmu_recording_lose_overflows(&recording, 0, 3);
	bpmu_recording_add_overflows(&recording, interrupts + 2, 2 * sizeof(*interrupts));
	bpmu_recording_lose_overflows(&recording, 0, 5);
	end_file(&recording, more, size);
}

static void write_file(const void *more, size_t size)
{
	write_paced(PERIOD, 0, more, size);
}

/**
 * struct found - interrupts that were read
 * @nr: number of interrupts
 * @lost: number of interrupts lost before each interrupt, and, as the last element, after the last
 *	interrupt, [@nr + 1]
 * @record: the interrupts, [@nr]
 */
struct found {
	unsigned int nr;
	u64 lost[8];
	struct bpmu_overflow record[8];
};

static void take(void *data, int type, const char *text, size_t size)
{
	struct bpmu_overflow_code code;
	struct found *found = data;

	if (type != BPMU_RECORDING_OVERFLOWS)
		return;
	assert_true(bpmu_overflow_open(&code, text, size));
	assert_int_equal(code.cpu, 0);
	for (; code.at < code.end; found->nr++)
		assert_true(bpmu_overflow_get(&code, &found->record[found->nr],
					      &found->lost[found->nr]));
	found->lost[found->nr] += code.lost;
}

TEST_FIXTURE(setup)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

TEST_FIXTURE(teardown)
{
	return unlink(path);
}

TEST(interrupts_are_read_as_written)
{
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *file;
	struct found found = { };
	struct bpmu_error err;
	unsigned int i;

	write_file(NULL, 0);
	assert_int_equal(bpmu_recording_open(&file, path, &err), 0);
	bpmu_recording_on_block(file, take, &found);
	while (bpmu_recording_next(file, &sample, &err) > 0)
		;
	assert_true(bpmu_recording_state(file)->ended);
	bpmu_recording_shut(file);
	assert_int_equal(found.nr, ARRAY_SIZE(interrupts));
	for (i = 0; i < found.nr; i++) {
		assert_int_equal(found.record[i].tsc, interrupts[i].tsc);
		assert_int_equal(found.record[i].period, interrupts[i].period);
		assert_int_equal(found.record[i].event, 1);
		assert_memory_equal(&found.record[i].who, &interrupts[i].who,
				    sizeof(interrupts[i].who));
		assert_int_equal(found.lost[i], i == 2 ? 3 : 0);
	}
	assert_int_equal(found.lost[found.nr], 2);
}

/*
 * Reads the file, which has the interrupts of two events. For each event and each command, adds up
 * the periods of those interrupts of the event that happened while the command ran. Returns 0, or a
 * negative error code with @err filled in.
 */
static int share(struct bpmu_replay *replay, struct bpmu_event_shares events[2],
		 struct bpmu_error *err)
{
	struct bpmu_target target = { };
	unsigned int i;
	int code;

	replay->name = path;
	replay->by.type = BPMU_BY_COMM;
	assert_int_equal(bpmu_recording_open(&replay->file, path, err), 0);
	assert_int_equal(bpmu_replay_target(replay, &target, NULL, err), 0);
	for (i = 0; i < 2; i++)
		events[i] = (struct bpmu_event_shares){
			.shares.slot = &target.recorded->groups.group[0].sched.slot[i],
		};
	code = bpmu_replay_shares(replay, &target, events, 2, err);
	bpmu_target_close(&target);
	return code;
}

static void end(struct bpmu_replay *replay, struct bpmu_event_shares events[2])
{
	bpmu_by_free(&events[0].by);
	bpmu_by_free(&events[1].by);
	bpmu_recording_shut(replay->file);
}

TEST(shares_are_sums_of_periods)
{
	struct bpmu_event_shares events[2];
	struct bpmu_shares *shares = &events[1].shares;
	struct bpmu_by *by = &events[1].by;
	struct bpmu_replay replay = { };
	struct bpmu_error err;

	write_file(NULL, 0);
	assert_int_equal(share(&replay, events, &err), 0);
	assert_string_equal(shares->slot->text, "r02c4");
	assert_int_equal(shares->slot->period, PERIOD);
	assert_int_equal(shares->all.sum, 10000);
	assert_int_equal(shares->longest, 4000);
	assert_int_equal(shares->lost, 5);
	assert_int_equal(shares->counted, 3000 * LAST);
	assert_int_equal(by->nr, 2);
	assert_int_equal(by->samples, 4);
	assert_string_equal(by->entry[0]->label, "one");
	assert_int_equal(by->entry[0]->events.sum, 6000);
	assert_int_equal(by->entry[0]->samples, 3);
	assert_string_equal(by->entry[1]->label, "two");
	assert_int_equal(by->entry[1]->events.sum, 4000);
	end(&replay, events);
}

/* Reads the file, and sums the interrupts of the second event, or their counts, by command. */
static void sum_up(struct bpmu_replay *replay, struct bpmu_target *target)
{
	const struct bpmu_groups_wish wish = { };
	struct bpmu_event_list list = { };
	struct bpmu_groups wanted;
	struct bpmu_error err;

	assert_int_equal(bpmu_recording_open(&replay->file, path, &err), 0);
	assert_int_equal(bpmu_replay_target(replay, target, NULL, &err), 0);
	assert_int_equal(bpmu_event_list_parse(&target->info.pmu, 0, "r02c4", &list, &err), 0);
	assert_int_equal(bpmu_groups_make(&wanted, &target->info.pmu, &list, &wish, &err), 0);
	assert_int_equal(bpmu_replay_entries(replay, target, &wanted, &err), 0);
	bpmu_groups_free(&wanted);
	bpmu_event_list_free(&list);
}

static void end_sums(struct bpmu_replay *replay, struct bpmu_target *target)
{
	bpmu_by_free(&replay->by);
	bpmu_target_close(target);
	bpmu_recording_shut(replay->file);
}

/*
 * Entries with sums of interrupts have the counters' counts beside them, the time that sampling took,
 * and all losses and flaws of the recording. Of the two events, the wanted one interrupted.
 */
TEST(entries_of_interrupts_have_what_was_lost)
{
	struct bpmu_replay replay = { .name = path, .by.type = BPMU_BY_COMM };
	const struct bpmu_by *by = &replay.by;
	struct bpmu_target target = { };
	unsigned int i;

	write_file(NULL, 0);
	sum_up(&replay, &target);
	assert_true(by->interrupts);
	assert_int_equal(by->nr_shares, 1);
	assert_string_equal(by->shares->slot->text, "r02c4");
	assert_int_equal(by->shares->interrupts, 4);
	assert_int_equal(by->shares->all.sum, 10000);
	assert_int_equal(by->shares->counted, 3000 * LAST);
	assert_int_equal(by->shares->lost, 5);
	assert_int_equal(by->shares->longest, 4000);
	assert_int_equal(by->flaws.of[BPMU_FLAW_DISTURBED].nr, 1);
	assert_int_equal(by->spent, LAST);
	assert_int_equal(by->nr, 2);
	assert_int_equal(by->entry[0]->cell[1].count, 6000);
	for (i = 0; i < by->nr; i++) {
		assert_int_equal(by->entry[i]->lost, 5);
		assert_int_equal(by->entry[i]->flaws, BPMU_SAMPLE_DISTURBED);
	}
	end_sums(&replay, &target);
}

/**
 * struct counted - the module's record of an interrupt, with counts of both events
 * @head: the interrupt
 * @section: head of @value
 * @value: the counts
 */
struct counted {
	struct bpmu_overflow head;
	struct bpmu_section section;
	u64 value[2];
};

/*
 * The CPU writes one record if several counters have overflowed. Only the first of the interrupts
 * by this record has its counts. The others have lost nothing, also if they were fetched alone.
 */
TEST(interrupts_whose_counts_another_one_has_are_not_broken)
{
	struct bpmu_replay replay = { .name = path, .by.type = BPMU_BY_COMM };
	struct counted record = {
		.head = interrupts[0],
		.section = { .id = BPMU_SECTION_COUNTS,
			     .size = sizeof(record.section) + sizeof(record.value) },
		.value = { 700, 2100 },
	};
	const struct bpmu_by *by = &replay.by;
	struct bpmu_target target = { };
	struct bpmu_recording recording;

	record.head.size = sizeof(record);
	begin_file(&recording, PERIOD, 0, true);
	bpmu_recording_add_overflows(&recording, &record, sizeof(record));
	bpmu_recording_add_overflows(&recording, &interrupts[1], sizeof(*interrupts));
	end_file(&recording, NULL, 0);
	sum_up(&replay, &target);
	assert_int_equal(by->samples, 2);
	assert_int_equal(by->broken, 0);
	assert_int_equal(by->nr, 1);
	assert_int_equal(by->entry[0]->cell[0].count, 700);
	assert_int_equal(by->entry[0]->cell[1].count, 2100);
	end_sums(&replay, &target);
}

/**
 * struct sections - an interrupt's sections as they were read
 * @chain: address of the innermost caller in user space; 0 if there is none
 * @from: address of the latest branch; 0 if there is none
 * @count: count of the first event; 0 if there is none
 * @op: address of the sampled op; 0 if there is none
 * @fetch: latency of the sampled fetch; 0 if there is none
 * @retired: retire latency; 0 if it is not known
 */
struct sections {
	u64 chain, from, count, op, fetch, retired;
};

/**
 * struct sections_read - sections of all interrupts of a file
 * @nr: number of interrupts
 * @of: their sections, [@nr]
 */
struct sections_read {
	unsigned int nr;
	struct sections of[3];
};

static void take_sections(void *data, const struct bpmu_interrupt *interrupt)
{
	const struct bpmu_chain *user = interrupt->chains ?
					&interrupt->chains->of[BPMU_SECTION_USER] : NULL;
	const struct bpmu_branches *branches = interrupt->branches;
	const struct bpmu_counts *counts = interrupt->counts;
	struct sections_read *read = data;

	assert_true(read->nr < ARRAY_SIZE(read->of));
	read->of[read->nr++] = (struct sections){
		.chain = user && user->present ? user->address[0] : 0,
		.from = branches && branches->nr ? branches->branch[0].from : 0,
		.count = counts && counts->state == BPMU_COUNTS_KNOWN ? counts->value[0] : 0,
		.op = interrupt->op ? interrupt->op->address : 0,
		.fetch = interrupt->fetch ? interrupt->fetch->latency : 0,
		.retired = interrupt->retired ? interrupt->retired->latency : 0,
	};
}

/* Appends a section to the module's record of an interrupt. */
static void append(char *record, unsigned int id, const void *data, size_t size)
{
	struct bpmu_overflow *head = (void *)record;
	const struct bpmu_section section = { .id = id, .size = sizeof(section) + size };

	memcpy(record + head->size, &section, sizeof(section));
	memcpy(record + head->size + sizeof(section), data, size);
	head->size += section.size;
}

/*
 * Of three interrupts only the second has sections, those of the set @ids. Writes the second and the
 * third in one block, and reads them all.
 */
static void pass_sections(u64 ids, struct sections_read *read)
{
	static const u64 caller = 0x401100, counts[] = { 700, 2100 };
	static const struct bpmu_branch branch = { .from = 0x401200, .to = 0x401300 };
	static const struct bpmu_tagged_op op = {
		.address = 0x7fff1040, .flags = BPMU_TAGGED_LOAD | BPMU_TAGGED_ADDRESS,
	};
	static const struct bpmu_fetched fetch = { .latency = 12 };
	static const struct bpmu_retired retired = { .latency = 34 };
	const struct {
		unsigned int id;
		const void *data;
		size_t size;
	} all[] = {
		{ BPMU_SECTION_USER, &caller, sizeof(caller) },
		{ BPMU_SECTION_BRANCHES, &branch, sizeof(branch) },
		{ BPMU_SECTION_COUNTS, counts, sizeof(counts) },
		{ BPMU_SECTION_OP, &op, sizeof(op) },
		{ BPMU_SECTION_FETCH, &fetch, sizeof(fetch) },
		{ BPMU_SECTION_RETIRED, &retired, sizeof(retired) },
	};
	struct bpmu_replay replay = { .name = path, .by.type = BPMU_BY_COMM };
	struct bpmu_overflow last = interrupts[1];
	struct bpmu_recording recording;
	struct bpmu_target target = { };
	u64 space[128];
	char *records = (char *)space;
	struct bpmu_error err;
	size_t size;
	unsigned int i;

	memcpy(records, &interrupts[1], sizeof(*interrupts));
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (ids >> all[i].id & 1)
			append(records, all[i].id, all[i].data, all[i].size);
	size = ((struct bpmu_overflow *)records)->size;
	last.seq = 2;
	memcpy(records + size, &last, sizeof(last));

	begin_file(&recording, PERIOD, 0, ids >> BPMU_SECTION_COUNTS & 1);
	bpmu_recording_add_overflows(&recording, &interrupts[0], sizeof(*interrupts));
	bpmu_recording_add_overflows(&recording, records, size + sizeof(last));
	end_file(&recording, NULL, 0);

	memset(read, 0, sizeof(*read));
	assert_int_equal(bpmu_recording_open(&replay.file, path, &err), 0);
	assert_int_equal(bpmu_replay_target(&replay, &target, NULL, &err), 0);
	assert_int_equal(bpmu_replay_overflows(&replay, NULL, &target, take_sections, read, &err), 0);
	end_sums(&replay, &target);
}

/* Each section of an interrupt is read as written, with and without the others. */
TEST(sections_of_interrupts_are_read_as_written)
{
	static const struct {
		u64 ids;
		struct sections expected;
	} cases[] = {
		{ 1 << BPMU_SECTION_USER, { .chain = 0x401100 } },
		{ 1 << BPMU_SECTION_BRANCHES, { .from = 0x401200 } },
		{ 1 << BPMU_SECTION_COUNTS, { .count = 700 } },
		{ 1 << BPMU_SECTION_OP, { .op = 0x7fff1040 } },
		{ 1 << BPMU_SECTION_FETCH, { .fetch = 12 } },
		{ 1 << BPMU_SECTION_RETIRED, { .retired = 34 } },
		{ ~0ULL, { 0x401100, 0x401200, 700, 0x7fff1040, 12, 34 } },
	};
	const struct sections none = { };
	struct sections_read read;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		pass_sections(cases[i].ids, &read);
		assert_int_equal(read.nr, 3);
		assert_memory_equal(&read.of[0], &none, sizeof(none));
		assert_memory_equal(&read.of[1], &cases[i].expected, sizeof(none));
		assert_memory_equal(&read.of[2], &none, sizeof(none));
	}
}

TEST(an_event_with_a_frequency_is_recorded_as_one)
{
	struct bpmu_event_shares events[2];
	struct bpmu_shares *shares = &events[1].shares;
	struct bpmu_replay replay = { };
	struct bpmu_error err;

	write_paced(0, 100000, NULL, 0);
	assert_int_equal(share(&replay, events, &err), 0);
	assert_string_equal(shares->slot->text, "r02c4");
	assert_int_equal(shares->slot->period, 0);
	assert_int_equal(shares->slot->frequency, 100000);
	assert_int_equal(shares->all.sum, 10000);
	end(&replay, events);
}

/*
 * The module does not know which event caused a lost interrupt. For each event the number of all
 * lost interrupts is therefore reported. The first event, which caused no recorded interrupt, is no
 * exception.
 */
TEST(events_of_one_reading_are_told_apart_but_for_lost_interrupts)
{
	struct bpmu_event_shares events[2];
	struct bpmu_replay replay = { };
	struct bpmu_error err;

	write_file(NULL, 0);
	assert_int_equal(share(&replay, events, &err), 0);
	assert_int_equal(events[0].shares.lost, 5);
	assert_int_equal(events[0].shares.all.sum, 0);
	assert_int_equal(events[0].shares.counted, 7 * LAST);
	assert_int_equal(events[0].by.nr, 0);
	end(&replay, events);
}

/*
 * Only interrupts in the window from 1.5 to 3 ms after the first sample are evaluated. The time of
 * the first sample is 5 ms.
 */
TEST(only_interrupts_of_the_window_count)
{
	struct bpmu_replay replay = {
		.from = { .given = true, .value = 0.0015 },
		.to = { .given = true, .value = 0.003 },
	};
	struct bpmu_event_shares events[2];
	struct bpmu_error err;

	write_file(NULL, 0);
	assert_int_equal(share(&replay, events, &err), 0);
	assert_int_equal(events[1].shares.all.sum, 5900);
	end(&replay, events);
}

TEST(a_time_without_interrupts_is_refused)
{
	struct bpmu_replay replay = { .from = { .given = true, .value = 0.0045 } };
	struct bpmu_event_shares events[2];
	struct bpmu_error err;

	write_file(NULL, 0);
	assert_int_equal(share(&replay, events, &err), -ENODATA);
	assert_non_null(strstr(err.text, "what was sampled interrupted nothing in this time"));
	end(&replay, events);
}

/*
 * The blocks of interrupts are malformed: one has no CPU, one ends within a record, one has a
 * record without an extension, and one has an extension of another type.
 */
TEST(malformed_interrupts_are_refused)
{
	static const char *const blocks[] = {
		"\x80", "\x01", "\x01\x01\x01\x01\x01", "\x01\x01\x01\x01\x01\x01\x7f",
		"\x01\x01\x01\x01\x01\x01\x01\x02",
	};
	struct bpmu_overflow_code code;
	struct bpmu_overflow record;
	struct bpmu_event_shares events[2];
	struct bpmu_error err;
	unsigned int i;
	u64 lost;

	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		assert_false(bpmu_overflow_open(&code, blocks[i], strlen(blocks[i])) &&
			     bpmu_overflow_get(&code, &record, &lost));
	for (i = 0; i < 2; i++) {
		struct bpmu_replay replay = { };

		write_file(blocks[i], strlen(blocks[i]));
		assert_int_equal(share(&replay, events, &err), -EBADMSG);
		assert_non_null(strstr(err.text, "a block of interrupts is malformed"));
		end(&replay, events);
	}
}

/* Of a task that was interrupted again, only the address is encoded. */
TEST(addresses_of_a_task_follow_each_other)
{
	const struct bpmu_overflow records[] = {
		interrupts[0], interrupts[1], interrupts[0], interrupts[1],
	};
	unsigned char block[2 + ARRAY_SIZE(records) * BPMU_OVERFLOW_MOST] = { 0, 0 };
	struct bpmu_overflow_code code = { };
	struct bpmu_overflow record;
	u64 next = 0, lost;
	unsigned int i;
	size_t size;

	size = bpmu_overflows_put(&code, records, sizeof(records), &next, block + 2) - block;
	assert_true(bpmu_overflow_open(&code, block, size));
	for (i = 0; i < ARRAY_SIZE(records); i++) {
		assert_true(bpmu_overflow_get(&code, &record, &lost));
		assert_memory_equal(&record.who, &records[i].who, sizeof(record.who));
	}
	assert_ptr_equal(code.at, code.end);
}

/* The largest event that takes one byte, and the smallest that takes two, each in records alike. */
TEST(events_of_records_alike_take_as_many_bytes_as_they_need)
{
	struct bpmu_overflow records[] = {
		interrupts[0], interrupts[0], interrupts[0], interrupts[0],
	};
	unsigned char block[2 + ARRAY_SIZE(records) * BPMU_OVERFLOW_MOST] = { 0, 0 };
	struct bpmu_overflow_code code = { };
	struct bpmu_overflow record;
	u64 next = records[0].seq, lost;
	unsigned int i;
	size_t size;

	for (i = 0; i < ARRAY_SIZE(records); i++) {
		records[i].seq = records[0].seq + i;
		records[i].event = i < 2 ? 0x7f : 0x80;
	}
	size = bpmu_overflows_put(&code, records, sizeof(records), &next, block + 2) - block;
	assert_true(bpmu_overflow_open(&code, block, size));
	for (i = 0; i < ARRAY_SIZE(records); i++) {
		assert_true(bpmu_overflow_get(&code, &record, &lost));
		assert_int_equal(record.event, records[i].event);
	}
	assert_ptr_equal(code.at, code.end);
}

/*
 * Tasks go to and fro between user space and the kernel, and follow each other; records are lost
 * between some; events, flags, times and periods take few bytes, and many.
 */
TEST(interrupts_that_differ_in_anything_are_read_as_written)
{
	struct bpmu_overflow records[256];
	unsigned char block[2 + ARRAY_SIZE(records) * BPMU_OVERFLOW_MOST] = { 0, 0 };
	struct bpmu_overflow_code code = { };
	struct bpmu_overflow record;
	u64 seq = 0, tsc = 0, next = 0, lost;
	unsigned int i;
	size_t size;

	for (i = 0; i < ARRAY_SIZE(records); i++) {
		const unsigned int draw = 0x9e3779b9 * (i + 1) >> 16;
		/* These stay for four records. */
		const unsigned int kept = 0x9e3779b9 * (i / 4 + 1) >> 16;
		const bool kernel = draw & 1, other = !(kept >> 1 & 15);
		struct bpmu_overflow *one = &records[i];

		seq += 1 + (draw >> 5 & 7 ? 0 : draw >> 8);
		tsc += 1ULL << (draw >> 8 & 31);
		*one = (struct bpmu_overflow){
			.seq = seq - 1, .tsc = tsc, .period = 1ULL << (draw >> 3 & 63),
			.event = kept >> 7 & 3 ? 1 : kept, .size = sizeof(*one),
			.who = { .ip = (kernel ? ~0xffffffULL : 0x400000) + draw,
				 .pid = 7 + other, .tgid = 7,
				 .flags = (kernel ? BPMU_WHO_KERNEL : 0) |
					  (kept >> 11 & 3 ? 0 : 1U << (kept >> 4) % 31) },
		};
		strcpy(one->who.comm, kept >> 6 & 31 ? "task" : "another");
	}
	size = bpmu_overflows_put(&code, records, sizeof(records), &next, block + 2) - block;
	assert_true(next == seq);
	assert_true(bpmu_overflow_open(&code, block, size));
	for (i = 0, seq = 0; i < ARRAY_SIZE(records); i++, seq++) {
		assert_true(bpmu_overflow_get(&code, &record, &lost));
		seq += lost;
		assert_true(records[i].seq == seq);
		assert_true(record.tsc == records[i].tsc);
		assert_true(record.period == records[i].period);
		assert_int_equal(record.event, records[i].event);
		assert_memory_equal(&record.who, &records[i].who, sizeof(record.who));
	}
	assert_ptr_equal(code.at, code.end);
}

/* If a block with one interrupt ends anywhere within its record, no interrupt is read. */
TEST(cut_interrupts_are_refused)
{
	unsigned char block[2 + BPMU_OVERFLOW_MOST] = { 0, 0 };
	struct bpmu_overflow_code code = { };
	struct bpmu_overflow record;
	size_t cut, size;
	u64 next = 0, lost;

	size = bpmu_overflows_put(&code, interrupts, sizeof(*interrupts), &next, block + 2) - block;
	for (cut = 3; cut < size; cut++) {
		assert_true(bpmu_overflow_open(&code, block, cut));
		assert_false(bpmu_overflow_get(&code, &record, &lost));
	}
}

TEST_GROUP(setup, teardown);
