// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of recordings: a file is read as it was written. If a file is truncated, all of its
 * complete blocks are read. A damaged file is refused.
 */
#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "no_memory.h"
#include "recording/recording_code.h"
#include "recording/recording_read.h"
#include "recording/recording_write.h"
#include "unit.h"

#define VALUES 4
#define CPUS 2
#define MOST 64

/**
 * struct record - a sample as the module sends it
 * @head: header of the sample
 * @value: values of the counters of the sample's group
 */
struct record {
	struct bpmu_sample head;
	u64 value[VALUES];
};

static char path[] = "/tmp/barepmu-test-recording-XXXXXX";
static struct record written[MOST];
static unsigned int nr_written;
static unsigned char *file;
static size_t file_size;

static struct record make(u32 cpu, u64 seq, u32 flags, unsigned int group)
{
	u64 tsc = 1000000 + 30000 * seq + 17 * cpu + seq * seq % 5;
	struct record record = { .head = {
		.seq = seq, .tsc_begin = tsc, .tsc_end = tsc + 40 + seq % 3,
		.enabled = tsc - 1000000, .running = (tsc - 1000000) / 2,
		.spent = 70 * seq, .cpu = cpu, .flags = flags, .bank = flags >> 16, .group = group,
		.nr = VALUES,
	} };
	unsigned int i;

	for (i = 0; i < VALUES; i++)
		record.value[i] = (1ULL << 47) - 500 + i * 1000 * seq;
	/*
	 * value[1] comes from a counter of 48 bits, and wraps at each second sample. value[2] is
	 * near the largest number of 64 bits.
	 */
	record.value[1] = seq & 1 ? 5 : (1ULL << 48) - 3;
	record.value[2] = ~0ULL - seq;
	return record;
}

static void write_cpu(struct bpmu_recording *recording, u32 cpu, u64 from,
		      u64 to)
{
	struct record block[MOST];
	unsigned int nr = 0;

	for (; from < to; from++, nr++)
		block[nr] = make(cpu, from < 9 ? from : from + 5,
				 from ? BPMU_SAMPLE_TIMER : BPMU_SAMPLE_START,
				 from & 1);
	memcpy(written + nr_written, block, nr * sizeof(*block));
	nr_written += nr;
	bpmu_recording_add(recording, block, nr * sizeof(*block));
}

/* Writes a sample without values: the counters of its CPU could not be programmed. */
static void write_failed(struct bpmu_recording *recording, u32 cpu, u64 seq)
{
	struct record *record = &written[nr_written++];

	*record = make(cpu, seq, BPMU_SAMPLE_ONLINE | BPMU_SAMPLE_FAILED, 0);
	record->head.nr = 0;
	record->head.running = 0;
	bpmu_recording_add(recording, record, sizeof(*record));
}

static void load(const char *name)
{
	FILE *stream = fopen(name, "re");

	assert_non_null(stream);
	file = malloc(1 << 20);
	file_size = fread(file, 1, 1 << 20, stream);
	fclose(stream);
}

static int write_all(void *data, struct bpmu_error *err)
{
	const struct bpmu_recording_about *about = data;
	struct bpmu_recording recording;
	struct bpmu_error ignored;
	int code, closed;

	nr_written = 0;
	no_memory_begin();
	code = bpmu_recording_create(&recording, path, err);
	if (code) {
		no_memory_end();
		return code;
	}
	code = bpmu_recording_describe(&recording, about, sizeof(struct record), err);
	if (!code) {
		write_cpu(&recording, 0, 0, 6);
		write_cpu(&recording, 5, 0, 7);
		write_cpu(&recording, 0, 6, 12);
		write_failed(&recording, 5, 20);
		bpmu_recording_round(&recording);
	}
	closed = bpmu_recording_close(&recording, code ? &ignored : err);
	no_memory_end();
	return code ?: closed;
}

TEST_FIXTURE(setup)
{
	static struct bpmu_topology topology[] = {
		{ 0, 0, -1, -1, -1 }, { 0, 1, 2, 3, 4 },
	};
	static char *asked[] = { "stat", "-e", "a \"b\"", NULL };
	static char *command[] = { "run\r", "\xc2\x9b\x33\x31\x6d", NULL };
	static u32 cpus[CPUS] = { 0, 5 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = {
		.info = { .part = "ivb", .title = "t\x1b[2J", .tsc_khz = 2000000 },
		.interval_ns = 1000000, .period_ns = 500000, .smt = 1,
		.cpus = { cpus, CPUS }, .topology = topology,
		.machine_topology = topology, .machine_cpus = CPUS,
		.asked = asked, .command = command, .host = "here\a",
		.tree = "TMA\a 5.2",
	};
	struct bpmu_event_list list = { };
	struct bpmu_error err;
	int fd = mkstemp(path);

	if (fd < 0)
		return -1;
	close(fd);
	about.info.pmu = unit_pmu("ivb", 4);
	assert_int_equal(bpmu_event_list_parse(&about.info.pmu, 1,
		"r01c4,r02c4,r04c4,r08c4,r10c4,r20c4,r40c4,r80c4", &list, &err),
		0);
	assert_int_equal(bpmu_groups_make(&about.groups, &about.info.pmu, &list,
					  &wish, &err), 0);
	/* A recording that memory was short for has no remains; the last one is complete. */
	assert_int_equal(no_memory_each(write_all, &about), 4);
	assert_int_equal(write_all(&about, &err), 0);
	load(path);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
	return 0;
}

TEST_FIXTURE(teardown)
{
	free(file);
	return unlink(path);
}

/* Overwrites the recording with @size bytes. */
static void store(const unsigned char *bytes, size_t size)
{
	FILE *stream = fopen(path, "we");

	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

static void check_sample(const struct bpmu_taken_sample *sample,
			 const struct record *record)
{
	assert_memory_equal(sample->head, &record->head,
			    sizeof(record->head));
	assert_memory_equal(sample->values, record->value,
			    record->head.nr * sizeof(*record->value));
	assert_null(sample->who);
}

/*
 * Reads the file at path and checks each sample. Returns the number of samples, or a negative error
 * code. @whole: set to whether the file is complete.
 */
static int read_all(bool *whole, struct bpmu_error *err)
{
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *f;
	int nr = 0;
	int code;

	*whole = false;
	code = bpmu_recording_open(&f, path, err);
	if (code)
		return code;
	while ((code = bpmu_recording_next(f, &sample, err)) > 0)
		check_sample(&sample, &written[nr++]);
	*whole = !code && bpmu_recording_state(f)->ended &&
		 !bpmu_recording_state(f)->cut;
	bpmu_recording_shut(f);
	return code ? code : nr;
}

TEST(reads_what_was_written)
{
	struct bpmu_error err;
	bool whole;

	store(file, file_size);
	assert_int_equal(read_all(&whole, &err), nr_written);
	assert_true(whole);
}

TEST(has_the_description_of_the_measurement)
{
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *f;
	struct bpmu_error err;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	about = bpmu_recording_about(f);
	assert_string_equal(about->info.part, "ivb");
	assert_int_equal(about->info.tsc_khz, 2000000);
	assert_int_equal(about->info.pmu.gp_width,
			 unit_pmu("ivb", 4).gp_width);
	assert_int_equal(about->cpus.nr, CPUS);
	assert_int_equal(about->cpus.cpu[1], 5);
	assert_int_equal(about->topology[1].core, 1);
	assert_int_equal(about->topology[1].die, 2);
	assert_int_equal(about->topology[1].cache, 3);
	assert_int_equal(about->topology[1].node, 4);
	assert_int_equal(about->topology[0].node, -1);
	assert_int_equal(about->machine_topology[1].die, 2);
	assert_int_equal(about->machine_topology[1].node, 4);
	assert_int_equal(about->interval_ns, 1000000);
	assert_int_equal(about->period_ns, 500000);
	assert_int_equal(about->groups.nr, 2);
	assert_int_equal(about->groups.slots, 8);
	assert_int_equal(about->groups.group[1].first, 4);
	assert_int_equal(about->groups.group[0].sched.slot[0].select & 0xffff,
			 0x01c4);
	assert_string_equal(about->asked[2], "a \"b\"");
	assert_null(about->asked[3]);
	assert_null(about->command[2]);
	/*
	 * Control characters of texts in a file are replaced, so that they cannot control the
	 * terminal.
	 */
	assert_string_equal(about->info.title, "t?[2J");
	assert_string_equal(about->command[0], "run?");
	assert_string_equal(about->command[1], "??31m");
	assert_string_equal(about->host, "here?");
	assert_string_equal(about->tree, "TMA? 5.2");
	bpmu_recording_shut(f);
}

/* A filter value has up to 64 bits, more than JSON's numbers keep exactly (53). */
TEST(keeps_filters_of_64_bits)
{
	static struct bpmu_topology topology[] = { { 0, 0 } };
	static char *none[] = { NULL };
	static u32 cpus[] = { 0 };
	const struct bpmu_groups_wish wish = { };
	struct bpmu_recording_about about = {
		.info = { .part = "bdx", .title = "t", .tsc_khz = 2000000 },
		.interval_ns = 1000000, .smt = 1, .cpus = { cpus, 1 },
		.topology = topology, .machine_topology = topology,
		.machine_cpus = 1, .asked = none, .command = none, .host = "here",
	};
	const struct record record = make(0, 0, BPMU_SAMPLE_START |
					  OF(CHA), 0);
	const struct bpmu_sched_slot *slot;
	struct bpmu_event_list list = { };
	struct bpmu_recording recording;
	struct bpmu_recording_file *f;
	struct bpmu_error err;

	about.info.pmu = unit_pmu("bdx", 4);
	assert_int_equal(bpmu_event_list_parse(&about.info.pmu, 1,
		"UNC_C_TOR_INSERTS.OPCODE:filter_opc=0x182:filter_isoc=1", &list,
		&err), 0);
	assert_int_equal(bpmu_groups_make(&about.groups, &about.info.pmu, &list,
					  &wish, &err), 0);
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err),
			 0);
	bpmu_recording_add(&recording, &record, sizeof(record));
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_groups_free(&about.groups);
	bpmu_event_list_free(&list);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	assert_memory_equal(bpmu_recording_about(f)->info.pmu.nr, about.info.pmu.nr, BPMU_UNITS);
	assert_memory_equal(bpmu_recording_about(f)->info.pmu.counters, about.info.pmu.counters,
			    BPMU_UNITS);
	slot = bpmu_recording_about(f)->groups.group[0].sched.slot;
	assert_int_equal(slot->counter, BPMU_COUNTER_CHA);
	assert_true(slot->filter == 0x9820000000000000ULL);
	bpmu_recording_shut(f);
}

TEST(reads_again_after_a_rewind)
{
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *f;
	struct bpmu_error err;
	unsigned int i, k;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	for (k = 0; k < 3; k++) {
		for (i = 0; i < 8; i++) {
			assert_int_equal(bpmu_recording_next(f, &sample, &err),
					 1);
			check_sample(&sample, &written[i]);
		}
		assert_int_equal(bpmu_recording_rewind(f, &err), 0);
	}
	bpmu_recording_shut(f);
}

/* A pipe can be read once. Its length would take a second reading. */
TEST(a_pipe_cannot_be_read_twice)
{
	struct bpmu_recording_extent extent;
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *f;
	char name[40], text[100];
	struct bpmu_error err;
	int ends[2], turn;

	snprintf(text, sizeof(text), ": cannot be read twice: Illegal seek; copy it to a file");
	for (turn = 0; turn < 2; turn++) {
		assert_int_equal(pipe(ends), 0);
		assert_int_equal(write(ends[1], file, file_size), file_size);
		close(ends[1]);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
		assert_int_equal(bpmu_recording_open(&f, name, &err), 0);
		if (turn) {
			assert_int_equal(bpmu_recording_skim(f, &extent, &err), -ESPIPE);
		} else {
			assert_int_equal(bpmu_recording_next(f, &sample, &err), 1);
			check_sample(&sample, &written[0]);
			assert_int_equal(bpmu_recording_rewind(f, &err), -ESPIPE);
		}
		assert_memory_equal(err.text, name, strlen(name));
		assert_string_equal(err.text + strlen(name), text);
		bpmu_recording_shut(f);
		close(ends[0]);
	}
}

/*
 * Checks the extent of the recording, which the index of the file has: the number of all samples of
 * the file, the time at which the first sample begins, and the time at which the last sample ends.
 */
static void expect_extent(struct bpmu_recording_file *f)
{
	struct bpmu_recording_extent extent, all = { .first = ~0ULL };
	struct bpmu_taken_sample sample;
	struct bpmu_error err;

	if (bpmu_recording_skim(f, &extent, &err))
		fail_msg("%s", err.text);
	for (; bpmu_recording_next(f, &sample, &err) == 1; all.samples++) {
		if (sample.head->tsc_begin < all.first)
			all.first = sample.head->tsc_begin;
		if (sample.head->tsc_end > all.last)
			all.last = sample.head->tsc_end;
	}
	assert_int_equal(extent.samples, all.samples);
	assert_int_equal(extent.first, all.first);
	assert_int_equal(extent.last, all.last);
}

/*
 * Some tests shorten the file by one byte, then by two bytes, and so on up to this number of bytes.
 * The removed bytes belong to the last blocks, never to the description at the beginning.
 */
#define CUT 500

TEST(the_extent_is_that_of_all_samples)
{
	struct bpmu_recording_file *f;
	struct bpmu_error err;
	size_t size;

	for (size = file_size; size > file_size - CUT; size--) {
		store(file, size);
		assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
		expect_extent(f);
		bpmu_recording_shut(f);
	}
}

/* Truncated at any byte, the file yields its complete blocks and is reported as incomplete. */
TEST(reads_the_complete_blocks_of_a_truncated_file)
{
	struct bpmu_error err;
	int most = 0, nr;
	size_t size;
	bool whole;

	for (size = 0; size < file_size; size++) {
		store(file, size);
		nr = read_all(&whole, &err);
		assert_false(whole);
		if (nr < 0)
			assert_int_equal(most, 0);
		else
			assert_in_range(nr, most, nr_written);
		most = nr > most ? nr : most;
	}
	assert_int_equal(most, nr_written);
}

/* After a loss of power a file may have zeros in place of its last blocks. */
TEST(refuses_zeros_after_the_end)
{
	unsigned char *zeros = calloc(1, file_size + 64);
	struct bpmu_error err;
	bool whole;

	memcpy(zeros, file, file_size);
	store(zeros, file_size + 64);
	assert_int_equal(read_all(&whole, &err), -EBADMSG);
	free(zeros);
}

static void flip(size_t at, unsigned char bits)
{
	struct bpmu_error err = { };
	bool whole;

	file[at] ^= bits;
	store(file, file_size);
	file[at] ^= bits;
	assert_true(read_all(&whole, &err) < 0);
	assert_non_null(strstr(err.text, "; "));
	if (at >= BPMU_RECORDING_MAGIC_BYTES)
		assert_non_null(strstr(err.text, "at offset "));
}

TEST(finds_each_damaged_byte)
{
	size_t at;

	for (at = 0; at < file_size; at++) {
		flip(at, 1 << at % 8);
		flip(at, 0xff);
	}
}

TEST(refuses_a_later_version)
{
	struct bpmu_error err;
	bool whole;

	file[BPMU_RECORDING_MAGIC_BYTES - 1] = BPMU_RECORDING_HYBRID + 1;
	store(file, file_size);
	file[BPMU_RECORDING_MAGIC_BYTES - 1] = BPMU_RECORDING_VERSION;
	assert_int_equal(read_all(&whole, &err), -EPROTO);
	assert_non_null(strstr(err.text, "a recording of version 7"));
}

/* Returns the offset of the file's last block. */
static size_t last_block(void)
{
	size_t at = BPMU_RECORDING_MAGIC_BYTES, before = at;
	u32 size;

	while (at < file_size) {
		before = at;
		memcpy(&size, file + at + 4, sizeof(size));
		at += BPMU_RECORDING_HEAD_BYTES + size;
	}
	return before;
}

/*
 * Replaces a part of a recording's description by @other, and parses the description. The part is
 * the value of the JSON member @member, from the character @open to the character @close. Returns
 * 0, or a negative error code.
 */
static int read_member(const char *text, const char *member, char open, char close,
		       const char *other, struct bpmu_recording_about *about,
		       struct bpmu_error *err)
{
	const char *at = strstr(text, member);
	char *changed;
	int code;

	assert_non_null(at);
	at = strchr(at, open);
	assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, other,
			     strchr(at, close) + 1) > 0);
	code = bpmu_recording_about_parse(about, changed, strlen(changed), "FILE", err);
	free(changed);
	return code;
}

/*
 * Replaces the ceilings in a recording's description by the JSON text @ceilings, and parses the
 * description. If it is accepted, checks that it has the original ceilings, and returns 0.
 * Otherwise returns a negative error code.
 */
static int read_ceilings(const char *text, const char *ceilings,
			 struct bpmu_error *err)
{
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	int code;

	code = read_member(text, "\"ceilings\"", '{', '}', ceilings, about, err);
	if (!code) {
		assert_true(about->ceilings.bytes == 50);
		assert_true(about->ceilings.flops == 60);
		assert_true(about->ceilings.uops == 70);
	}
	bpmu_recording_about_free(about);
	return code;
}

/*
 * A bank is a set of counters that are multiplexed together. Each sample has the values of the
 * counters of one bank. In the file one number has both the sample's flags and the number of the
 * bank. A sample is refused if no bank has this number.
 */
TEST(samples_have_one_of_the_banks)
{
	static struct bpmu_code code;
	struct bpmu_sample sample = { .flags = BPMU_SAMPLE_START };
	unsigned char bytes[BPMU_CODE_MOST];
	struct bpmu_code_batch batch;
	unsigned int bank;
	size_t size;

	for (bank = 0; bank < BPMU_BANKS; bank++) {
		sample.bank = bank;
		bpmu_code_begin(&code, 0);
		size = bpmu_code_put(&code, (const char *)&sample, 1, sizeof(sample), NULL, bytes);
		bpmu_code_open(&code, 0, bytes, bytes + size);
		assert_true(bpmu_code_get(&code, BPMU_CODE_BATCH, &batch));
		assert_int_equal(batch.nr, 1);
		assert_int_equal(batch.head->bank, bank);
		assert_int_equal(batch.head->flags, BPMU_SAMPLE_START);
	}
	/*
	 * The second number in these bytes has the number of the bank, plus one, in bits 20:14. The
	 * test increases bits 20:14 beyond the number of the last bank.
	 */
	assert_int_equal(bytes[3], BPMU_BANK_MAX << 2);
	bytes[3] += 1 << 2;
	bpmu_code_open(&code, 0, bytes, bytes + size);
	assert_false(bpmu_code_get(&code, BPMU_CODE_BATCH, &batch));
	assert_int_equal(batch.nr, 0);
}

static int read_boxes(const char *text, const char *boxes, struct bpmu_recording_about *about,
		      struct bpmu_error *err)
{
	return read_member(text, "\"boxes\"", '[', ']', boxes, about, err);
}

TEST(boxes_are_of_known_units)
{
	static const char *const wrong[] = {
		"[{\"unit\":\"frob\",\"nr\":1,\"counters\":1}]", "[{\"nr\":1,\"counters\":1}]",
		"[{\"unit\":\"iio\",\"nr\":17,\"counters\":4}]",
		"[{\"unit\":\"iio\",\"nr\":-1,\"counters\":4}]", "[{\"unit\":\"iio\",\"counters\":4}]",
		"[{\"unit\":\"iio\",\"nr\":1,\"counters\":256}]", "[{\"unit\":\"iio\",\"nr\":1}]",
		"[{\"unit\":7,\"nr\":1,\"counters\":1}]", "[5]", "7", "null",
	};
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_recording_file *f;
	struct bpmu_error err;
	char *text;
	size_t i;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	text = bpmu_recording_about_text(bpmu_recording_about(f));
	assert_non_null(text);
	assert_int_equal(read_boxes(text, "[]", about, &err), 0);
	assert_int_equal(about->info.pmu.nr[BPMU_UNIT_ARB], 0);
	bpmu_recording_about_free(about);
	assert_int_equal(read_boxes(text,
		"[{\"unit\":\"iio\",\"nr\":16,\"counters\":255},{\"unit\":\"l3\",\"nr\":1,\"counters\":6}]",
		about, &err), 0);
	assert_int_equal(about->info.pmu.nr[BPMU_UNIT_IIO], 16);
	assert_int_equal(about->info.pmu.counters[BPMU_UNIT_IIO], 255);
	assert_int_equal(about->info.pmu.nr[BPMU_UNIT_L3], 1);
	bpmu_recording_about_free(about);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(read_boxes(text, wrong[i], about, &err), -EINVAL);
		assert_string_equal(err.text,
				    "FILE: its description has no usable part; record again with this version");
		bpmu_recording_about_free(about);
	}
	free(text);
	bpmu_recording_shut(f);
}

/*
 * The topology of a CPU has five numbers, each -1 if it was not known: package, core, die, L3 and
 * NUMA node. An L3 and a node have numbers that a list of CPUs can have.
 */
TEST(the_topology_has_numbers_that_it_can_have)
{
	static const char *const right[] = {
		"-1,-1,-1,-1,-1", "2147483647,2147483647,2147483647,8191,8191",
	};
	static const struct {
		const char *text;
		const char *what;
	} wrong[] = {
		{ "0,0,0,0,8192", "NUMA node" }, { "0,0,0,0,2147483647", "NUMA node" },
		{ "0,0,0,0,-2", "NUMA node" }, { "0,0,0,0,4294967296", "NUMA node" },
		{ "0,0,0,0", "NUMA node" }, { "0,0,0,8192,0", "L3" },
		{ "0,0,2147483648,0,0", "die" }, { "0,2147483648,0,0,0", "core" },
		{ "2147483648,0,0,0,0", "package" }, { "\"0\",0,0,0,0", "package" },
	};
	static const char *const member[] = { "\"cpus\"", "\"machine\"" };
	static const char *const begin[] = { "[[0,", "[[" };
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_recording_file *f;
	char *text, list[96], said[128];
	struct bpmu_error err;
	size_t i, k;
	int code;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	text = bpmu_recording_about_text(bpmu_recording_about(f));
	assert_non_null(text);
	for (k = 0; k < ARRAY_SIZE(member); k++) {
		for (i = 0; i < ARRAY_SIZE(right); i++) {
			snprintf(list, sizeof(list), "%s%s]", begin[k], right[i]);
			code = read_member(text, member[k], '[', ']', list, about, &err);
			assert_int_equal(code, 0);
			bpmu_recording_about_free(about);
		}
		for (i = 0; i < ARRAY_SIZE(wrong); i++) {
			snprintf(list, sizeof(list), "%s%s]", begin[k], wrong[i].text);
			code = read_member(text, member[k], '[', ']', list, about, &err);
			assert_int_equal(code, -EINVAL);
			snprintf(said, sizeof(said), "no usable %s of a CPU; ", wrong[i].what);
			assert_non_null(strstr(err.text, said));
			bpmu_recording_about_free(about);
		}
	}
	free(text);
	bpmu_recording_shut(f);
}

TEST(refuses_invalid_ceilings)
{
	static const char *const wrong[] = {
		"{\"bytes\": 0, \"flops\": 60, \"uops\": 70}",
		"{\"bytes\": 50, \"flops\": -60, \"uops\": 70}",
		"{\"bytes\": 50, \"flops\": 60, \"uops\": \"70\"}",
		"{\"bytes\": 50, \"flops\": 60}", "[ 50, 60, 70 ]", "50", "null",
	};
	struct bpmu_recording_about about;
	struct bpmu_recording_file *f;
	struct bpmu_error err;
	char *text;
	size_t i;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	about = *bpmu_recording_about(f);
	about.ceilings = (struct bpmu_ceilings){ 50, 60, 70 };
	text = bpmu_recording_about_text(&about);
	assert_non_null(text);
	assert_int_equal(read_ceilings(text,
				       "{\"bytes\": 50, \"flops\": 60, \"uops\": 70}", &err),
			 0);
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(read_ceilings(text, wrong[i], &err), -EINVAL);
		assert_string_equal(err.text,
				    "FILE: its description has no usable ceilings of the machine; record again with this version");
	}
	free(text);
	bpmu_recording_shut(f);
}

/**
 * struct change - a changed member of a recording's description
 * @at: keys and indices that lead to the member, separated by points
 * @value: JSON text in the place of its value; NULL if it is left out
 * @what: what is said not to be usable; NULL if the description is accepted
 */
struct change {
	const char *at, *value, *what;
};

static void change_member(json_t *all, const struct change *change)
{
	char path_of[96], *rest = path_of, *key;
	json_t *in = all, *value;

	value = change->value ? json_loads(change->value, JSON_DECODE_ANY, NULL) : NULL;
	snprintf(path_of, sizeof(path_of), "%s", change->at);
	while ((key = strsep(&rest, ".")) && rest)
		in = json_is_array(in) ? json_array_get(in, atoi(key)) : json_object_get(in, key);
	assert_non_null(in);
	if (!value)
		assert_int_equal(json_object_del(in, key), 0);
	else if (json_is_array(in))
		assert_int_equal(json_array_set_new(in, atoi(key), value), 0);
	else
		assert_int_equal(json_object_set_new(in, key, value), 0);
}

/* Each member of a description is within its bounds, or the description is refused. */
TEST(members_of_a_description_have_bounds)
{
	static const char part[] = "part", groups[] = "groups of events", cpus[] = "list of CPUs";
	static const char rate[] = "rate of the time stamps", timer[] = "timer";
	static const char number[] = "number of its session or file";
	static const struct change all[] = {
		{ "tsc_khz", "1", NULL }, { "tsc_khz", "0", rate }, { "tsc_khz", "-1", rate },
		{ "tsc_khz", "4294967295", NULL }, { "tsc_khz", "4294967296", rate },
		{ "tsc_khz", "\"1\"", rate }, { "tsc_khz", "1.5", rate }, { "tsc_khz", NULL, rate },
		{ "timer", "2", NULL }, { "timer", "3", timer }, { "timer", NULL, timer },
		{ "part", NULL, part }, { "part.name", "7", part }, { "part.title", NULL, part },
		{ "part.module", "7", part }, { "part.family", "-1", part },
		{ "part.family", "4294967295", NULL }, { "part.model", "4294967296", part },
		{ "part.stepping", "\"3\"", part }, { "part.version", "255", NULL },
		{ "part.version", "256", part }, { "part.gp_counters", "16", NULL },
		{ "part.gp_counters", "17", part }, { "part.gp_width", "64", NULL },
		{ "part.gp_width", "65", part }, { "part.fixed_counters", "16", NULL },
		{ "part.fixed_counters", "17", part }, { "part.fixed_width", "64", NULL },
		{ "part.fixed_width", "65", part }, { "part.metrics", "255", NULL },
		{ "part.metrics", "256", part }, { "part.global", "1", NULL },
		{ "part.global", "2", part }, { "part.free", "\"0x3\"", NULL },
		{ "part.free", "\"0x3g\"", part }, { "part.free", "\"\"", part },
		{ "part.units", "3", part }, { "part.tjmax", "255", NULL },
		{ "part.tjmax", "256", part }, { "part.tjmax", "-1", part },
		{ "groups", "[]", groups }, { "groups", "7", groups }, { "groups", NULL, groups },
		{ "groups.0.bank", "\"frob\"", groups }, { "groups.0.bank", NULL, groups },
		{ "groups.0.bank", "\"l3\"", groups }, { "groups.0.values", "16", NULL },
		{ "groups.0.values", "17", groups }, { "groups.0.values", "3", groups },
		{ "groups.0.events", "[]", groups }, { "groups.0.events", "7", groups },
		{ "groups.0.events.1.event", "7", groups },
		{ "groups.0.events.1.event", "\"\"", NULL },
		{ "groups.0.events.1.counter", "31", NULL },
		{ "groups.0.events.1.counter", "4294967295", groups },
		{ "groups.0.events.1.counter", "-1", groups },
		{ "groups.0.events.1.sibling", "4294967295", groups },
		{ "groups.0.events.1.sibling", NULL, groups },
		{ "groups.0.events.1.select", "\"4301c4\"", groups },
		{ "groups.0.events.1.select", "\"0x4301c4\"", NULL },
		{ "groups.0.events.1.filter", "\"0xffffffffffffffff\"", NULL },
		{ "groups.0.events.1.filter", "1", groups },
		{ "groups.0.events.1.counters", NULL, groups },
		{ "groups.0.events.1.unit", "256", groups }, { "groups.0.events.1.unit", "-1", groups },
		{ "groups.0.events.1.field", "7", NULL }, { "groups.0.events.1.field", "8", groups },
		{ "groups.0.events.1.value", "3", NULL }, { "groups.0.events.1.value", "4", groups },
		{ "groups.0.events.1.value", "16", groups }, { "groups.0.events.1.value", "-1", groups },
		{ "groups.0.events.1.period", "2000000000", NULL },
		{ "groups.0.events.1.period", "2000000001", groups },
		{ "groups.0.events.1.frequency", "100000", NULL },
		{ "groups.0.events.1.frequency", "100001", groups },
		{ "cpus", "[]", cpus }, { "cpus", "7", cpus }, { "cpus.0.0", "4", NULL },
		{ "cpus.0.0", "5", cpus }, { "cpus.0.0", "-1", cpus }, { "cpus.1.0", "8191", NULL },
		{ "cpus.1.0", "8192", cpus },
		{ "session", "\"0x7\"", number }, { "session", "\"0\"", number },
		{ "session", "7", number },
	};
	struct bpmu_recording_about about[BPMU_CORE_TYPES];
	struct bpmu_recording_file *f;
	char *text, *changed, said[160];
	struct bpmu_error err;
	json_t *json;
	size_t i;
	int code;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	text = bpmu_recording_about_text(bpmu_recording_about(f));
	for (i = 0; i < ARRAY_SIZE(all); i++) {
		json = json_loads(text, 0, NULL);
		change_member(json, &all[i]);
		changed = json_dumps(json, 0);
		json_decref(json);
		err.text[0] = '\0';
		code = bpmu_recording_about_parse(about, changed, strlen(changed), "FILE", &err);
		bpmu_recording_about_free(about);
		free(changed);
		snprintf(said, sizeof(said), "FILE: its description has no usable %s; record again with this version",
			 all[i].what ?: "");
		if (code != (all[i].what ? -EINVAL : 0) || (code && strcmp(err.text, said)))
			fail_msg("%s: %s: %d, %s", all[i].at, all[i].value, code, err.text);
	}
	free(text);
	bpmu_recording_shut(f);
}

/*
 * If a block claims to be too long, it is refused before memory is allocated for it. A block of the
 * largest allowed length is accepted, although the file here ends before its contents.
 */
TEST(refuses_blocks_that_are_too_long)
{
	u32 head[4] = { BPMU_RECORDING_SKIP | 77 };
	unsigned char *grown = malloc(file_size + sizeof(head));
	struct bpmu_error err = { };
	bool whole;
	u32 more;

	memcpy(grown, file, file_size);
	for (more = 0; more < 2; more++) {
		/* Replaces the last block by the head of a long block, without its contents. */
		head[1] = BPMU_RECORDING_BLOCK_MAX + more;
		head[2] = bpmu_recording_crc(0, head, 8);
		memcpy(grown + last_block(), head, sizeof(head));
		store(grown, last_block() + sizeof(head));
		assert_int_equal(read_all(&whole, &err), more ? -EBADMSG : (int)nr_written);
		assert_false(whole);
	}
	assert_non_null(strstr(err.text, ": a block too long at offset "));
	assert_non_null(strstr(err.text, "; the file is damaged"));
	free(grown);
}

/* Inserts a block of type @type after the first block. Reading the file must then return @code. */
static void put_block(u32 type, int code)
{
	u32 head[4] = { type, 3 };
	unsigned char *grown = malloc(file_size + 19);
	size_t at = BPMU_RECORDING_MAGIC_BYTES;
	struct bpmu_error err;
	bool whole;
	u32 size;

	memcpy(&size, file + at + 4, sizeof(size));
	at += sizeof(head) + size;
	head[2] = bpmu_recording_crc(0, head, 8);
	head[3] = bpmu_recording_crc(0, "abc", 3);
	memcpy(grown, file, at);
	memcpy(grown + at, head, sizeof(head));
	memcpy(grown + at + sizeof(head), "abc", 3);
	memcpy(grown + at + 19, file + at, file_size - at);
	store(grown, file_size + 19);
	free(grown);
	assert_int_equal(read_all(&whole, &err), code);
}

TEST(skips_unknown_blocks_only_if_marked_so)
{
	put_block(BPMU_RECORDING_SKIP | 77, nr_written);
	put_block(77, -EPROTO);
	put_block(0x10000, -EBADMSG);
}

/**
 * struct block - a block of the recording
 * @at: offset of the block in the file
 * @size: size of the block, with its head
 * @type: type of the block, &enum bpmu_recording_block
 * @cpu: CPU of the block's samples
 */
struct block {
	size_t at;
	size_t size;
	u32 type;
	unsigned char cpu;
};

#define BLOCKS_MOST 16

/*
 * Finds all blocks of the file, and fills in block[] in their order. Returns the number of blocks.
 */
static unsigned int find_blocks(struct block *block)
{
	size_t at = BPMU_RECORDING_MAGIC_BYTES;
	unsigned int nr = 0;
	u32 head[2];

	for (; at < file_size; at += block[nr++].size) {
		assert_true(nr < BLOCKS_MOST);
		memcpy(head, file + at, sizeof(head));
		block[nr] = (struct block){
			.at = at, .type = head[0], .cpu = file[at + BPMU_RECORDING_HEAD_BYTES],
			.size = BPMU_RECORDING_HEAD_BYTES + head[1],
		};
	}
	return nr;
}

/* Writes a file that has the blocks with the numbers order[0] to order[@end - 1], in that order. */
static void store_blocks(const struct block *block, const unsigned int *order,
			 unsigned int end)
{
	unsigned char *bytes = malloc(2 * file_size);
	size_t size = BPMU_RECORDING_MAGIC_BYTES;

	memcpy(bytes, file, size);
	for (; *order != end; order++) {
		memcpy(bytes + size, file + block[*order].at, block[*order].size);
		size += block[*order].size;
	}
	store(bytes, size);
	free(bytes);
}

static void ignore(void *data, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	(void)data;
	(void)samples;
	(void)nr;
}

/*
 * Reads the file in order, then again by its index, which must yield the same. Returns the number
 * of samples, or a negative error code.
 */
static int count_samples(struct bpmu_error *err)
{
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *f;
	int code, nr = 0, fetched;
	unsigned int i;
	size_t bytes;

	code = bpmu_recording_open(&f, path, err);
	if (code)
		return code;
	while ((code = bpmu_recording_next(f, &sample, err)) > 0)
		nr++;
	nr = code ? code : nr;
	assert_int_equal(bpmu_recording_rewind(f, err), 0);
	while ((fetched = bpmu_recording_fetch(f, true, err)) > 0) {
		for (i = 0; i < bpmu_recording_runs(f, &bytes); i++)
			bpmu_recording_decode(f, i, ignore, NULL);
		fetched = bpmu_recording_decoded(f, err);
		if (fetched)
			break;
	}
	assert_int_equal(fetched, code);
	if (!code)
		assert_int_equal(bpmu_recording_state(f)->samples, nr);
	bpmu_recording_shut(f);
	return nr;
}

/*
 * Checks that a file with the blocks order[0] to order[@end - 1] is refused as damaged, and that
 * the message contains @why.
 */
static void refuses_order(const struct block *block, const unsigned int *order,
			  unsigned int end, const char *why)
{
	struct bpmu_error err = { };

	store_blocks(block, order, end);
	assert_int_equal(count_samples(&err), -EBADMSG);
	if (!strstr(err.text, why))
		fail_msg("%s", err.text);
}

/*
 * Fills in order[] with the @nr blocks of the file in their order, except that the blocks @one and
 * @other are exchanged.
 */
static void exchange(unsigned int *order, unsigned int nr, unsigned int one,
		     unsigned int other)
{
	unsigned int i;

	for (i = 0; i <= nr; i++)
		order[i] = i;
	order[one] = other;
	order[other] = one;
}

/*
 * Each block has the right checksum, but one block is missing, repeated, or not where it was
 * written.
 */
TEST(refuses_blocks_that_are_missing_repeated_or_out_of_order)
{
	struct block block[BLOCKS_MOST];
	unsigned int order[BLOCKS_MOST + 2];
	unsigned int i, k, nr = find_blocks(block), tried = 0, exchanged = 0;
	struct bpmu_error err;

	for (i = 0; i < nr; i++) {
		if (block[i].type != BPMU_RECORDING_SAMPLES)
			continue;
		tried++;
		for (k = 0; k < nr; k++)
			order[k] = k + (k >= i);
		refuses_order(block, order, nr, "totals that do not fit the samples");
		for (k = 0; k <= nr; k++)
			order[k] = k - (k > i);
		order[nr + 1] = nr;
		refuses_order(block, order, nr, "samples out of order");
		for (k = i + 1; k < nr; k++) {
			if (block[k].type != BPMU_RECORDING_SAMPLES ||
			    block[k].cpu != block[i].cpu)
				continue;
			exchange(order, nr, i, k);
			refuses_order(block, order, nr, "samples out of order");
			exchanged++;
		}
	}
	assert_int_equal(tried, 4);
	assert_int_equal(exchanged, 2);
	/*
	 * Samples are ordered by time only within a CPU, so blocks of different CPUs may be
	 * exchanged.
	 */
	exchange(order, nr, 2, 3);
	store_blocks(block, order, nr);
	assert_int_equal(count_samples(&err), nr_written);
}

/*
 * At the end of a file are totals for each CPU. If they lack a CPU of the file, have a CPU twice,
 * or one that no machine has, they cannot belong to this file, and the file is refused.
 */
TEST(refuses_totals_of_another_file)
{
	/*
	 * Each pair has the numbers of the CPUs whose totals are written at the end of the file.
	 * CPUS stands for no CPU. The file has samples of CPUs 0 and 1, so only the first pair is
	 * right. After the last pair come totals of another CPU, which are 0.
	 */
	static const unsigned int left[][2] = { { 0, 1 }, { 0, CPUS }, { 1, CPUS }, { CPUS },
		{ 0, 0 }, { 1, 1 }, { 0, 1 } };
	unsigned char *end = file + last_block(), *bytes = malloc(file_size + 16);
	const unsigned char *at = end + BPMU_RECORDING_HEAD_BYTES;
	unsigned char of_cpu[CPUS][16];
	size_t size[CPUS], total;
	struct bpmu_error err;
	unsigned int i, k;
	u64 number;

	for (i = 0; i < CPUS; i++) {
		const unsigned char *from = at;

		for (k = 0; k < 3; k++)
			assert_true(bpmu_code_read_number(&at, file + file_size, &number));
		size[i] = at - from;
		memcpy(of_cpu[i], from, size[i]);
	}
	assert_ptr_equal(at, file + file_size);
	for (i = 0; i < ARRAY_SIZE(left); i++) {
		u32 head[4] = { BPMU_RECORDING_END };

		total = end - file + sizeof(head);
		memcpy(bytes, file, end - file);
		for (k = 0; k < 2 && left[i][k] < CPUS; k++) {
			memcpy(bytes + total, of_cpu[left[i][k]], size[left[i][k]]);
			total += size[left[i][k]];
		}
		if (i == ARRAY_SIZE(left) - 1) {
			unsigned char *to = bpmu_code_number(bytes + total, BPMU_CPULIST_MAX);

			*to++ = 0;
			*to++ = 0;
			total = to - bytes;
		}
		head[1] = total - (end - file) - sizeof(head);
		head[2] = bpmu_recording_crc(0, head, 8);
		head[3] = bpmu_recording_crc(0, bytes + (end - file) + sizeof(head), head[1]);
		memcpy(bytes + (end - file), head, sizeof(head));
		store(bytes, total);
		assert_int_equal(count_samples(&err), i ? -EBADMSG : (int)nr_written);
	}
	assert_non_null(strstr(err.text, "totals that do not fit the samples"));
	free(bytes);
}

/*
 * Checks that the totals at the end of the file @name are @total: for each CPU its number, its
 * samples, and its lost samples.
 */
static void expect_totals(const char *name, const u64 (*total)[3], unsigned int cpus)
{
	struct bpmu_taken_sample sample;
	struct bpmu_recording_file *f;
	const unsigned char *at;
	struct bpmu_error err;
	unsigned int i;
	u64 number;

	free(file);
	load(name);
	at = file + last_block() + BPMU_RECORDING_HEAD_BYTES;
	for (i = 0; i < 3 * cpus; i++) {
		assert_true(bpmu_code_read_number(&at, file + file_size, &number));
		assert_int_equal(number, total[i / 3][i % 3]);
	}
	assert_ptr_equal(at, file + file_size);
	assert_int_equal(bpmu_recording_open(&f, name, &err), 0);
	while (bpmu_recording_next(f, &sample, &err) > 0)
		;
	assert_true(bpmu_recording_state(f)->ended);
	bpmu_recording_shut(f);
}

static void add_from(struct bpmu_recording *recording, u32 cpu, u64 from, u64 to)
{
	struct record record;

	for (; from < to; from++) {
		record = make(cpu, from, BPMU_SAMPLE_TIMER, 0);
		bpmu_recording_add(recording, &record, sizeof(record));
	}
}

/*
 * The catalogue of CRC algorithms has the checksum of "123456789" for CRC-32C. RFC 3720, B.4, has
 * the checksum of 32 zeros.
 */
TEST(recordings_use_the_known_checksum)
{
	unsigned char zeros[32] = { };

	assert_int_equal(bpmu_recording_crc(0, "123456789", 9), 0xe3069283);
	assert_int_equal(bpmu_recording_crc(0, zeros, 32), 0x8a9136aa);
	assert_int_equal(bpmu_recording_crc(
		bpmu_recording_crc(0, "1234", 4), "56789", 5), 0xe3069283);
}

/* A later version of barepmu may add an extension to a sample. This version skips the extension. */
TEST(skips_extensions_of_a_later_version)
{
	unsigned char bytes[BPMU_CODE_MOST + 8];
	struct record record = make(3, 0, BPMU_SAMPLE_TIMER, 0);
	struct bpmu_code_batch batch;
	struct bpmu_code code;
	size_t size;

	bpmu_code_begin(&code, 3);
	size = bpmu_code_put(&code, (char *)&record, 1, sizeof(record), NULL,
			     bytes);
	bytes[0] |= 1 << 4;
	memcpy(bytes + size, "\002hi", 3);
	bpmu_code_open(&code, 3, bytes, bytes + size + 3);
	assert_true(bpmu_code_get(&code, 1, &batch));
	assert_int_equal(batch.extra->size, 2);
	assert_memory_equal(batch.extra->data, "hi", 2);
	assert_ptr_equal(code.at, code.end);
	bpmu_code_open(&code, 3, bytes, bytes + size + 2);
	assert_false(bpmu_code_get(&code, 1, &batch));
}

/*
 * The file stores the difference of a value from the same counter's previous value. The difference
 * takes one to eight bytes, in samples with any number of values.
 */
TEST(keeps_values_of_one_to_eight_bytes)
{
	unsigned char bytes[BPMU_CODE_MOST];
	struct {
		struct bpmu_sample head;
		u64 value[BPMU_MAX_COUNTERS];
	} record = { };
	struct bpmu_code_batch batch;
	struct bpmu_code code;
	unsigned int i;
	size_t size;

	for (i = 0; i < BPMU_MAX_COUNTERS; i++)
		record.value[i] = i ? 1ULL << (4 * i) : 0;
	record.value[BPMU_MAX_COUNTERS - 1] = ~0ULL;
	for (i = 0; i <= BPMU_MAX_COUNTERS; i++) {
		record.head.nr = i;
		record.head.running = i * 1000;
		bpmu_code_begin(&code, 0);
		size = bpmu_code_put(&code, (char *)&record, 1, sizeof(record),
				     NULL, bytes);
		bpmu_code_open(&code, 0, bytes, bytes + size);
		assert_true(bpmu_code_get(&code, 1, &batch));
		assert_ptr_equal(code.at, code.end);
		assert_memory_equal(batch.head, &record.head, sizeof(record.head));
		assert_memory_equal(batch.value, record.value, i * sizeof(u64));
		while (--size) {
			bpmu_code_open(&code, 0, bytes, bytes + size);
			assert_false(bpmu_code_get(&code, 1, &batch));
			assert_int_equal(batch.nr, 0);
		}
	}
}

/*
 * Writes a recording to an existing file. The recording is as if the tool had read the module's
 * samples @rounds times, and had got none.
 */
static void write_over(const char *name, unsigned int rounds)
{
	const struct bpmu_recording_about *about;
	struct bpmu_recording_file *f;
	struct bpmu_recording recording;
	struct bpmu_error err;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	about = bpmu_recording_about(f);
	assert_int_equal(bpmu_recording_create(&recording, name, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, about,
						 sizeof(struct record), &err),
			 0);
	while (rounds--)
		bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_recording_shut(f);
}

static unsigned int files_named_so(void)
{
	char pattern[sizeof(path) + 1];
	glob_t found = { };
	unsigned int nr;

	snprintf(pattern, sizeof(pattern), "%s*", path);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	nr = found.gl_pathc;
	globfree(&found);
	return nr;
}

TEST(replaces_a_file_only_when_the_session_starts)
{
	struct bpmu_error err;
	bool whole;

	write_over(path, 0);
	assert_int_equal(read_all(&whole, &err), nr_written);
	assert_true(whole);
	assert_int_equal(files_named_so(), 1);
	write_over(path, 1);
	assert_int_equal(read_all(&whole, &err), 0);
	assert_true(whole);
	assert_int_equal(files_named_so(), 1);
}

/*
 * If the file's name is a symbolic link, the target of the link is replaced, and the new file has
 * the access mode of the old target.
 */
TEST(writes_the_target_of_a_link_and_keeps_its_mode)
{
	char name[sizeof(path) + 5];
	struct stat now;
	struct bpmu_error err;
	bool whole;

	snprintf(name, sizeof(name), "%s.link", path);
	assert_int_equal(symlink(path, name), 0);
	assert_int_equal(chmod(path, 0640), 0);
	write_over(name, 2);
	assert_int_equal(read_all(&whole, &err), 0);
	assert_int_equal(lstat(name, &now), 0);
	assert_true(S_ISLNK(now.st_mode));
	assert_int_equal(unlink(name), 0);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(now.st_mode & 0777, 0640);
}

TEST(creates_a_file_with_the_mode_of_umask)
{
	char name[sizeof(path) + 4];
	mode_t mask = umask(027);
	struct stat now;

	snprintf(name, sizeof(name), "%s.new", path);
	write_over(name, 0);
	assert_int_equal(stat(name, &now), -1);
	write_over(name, 1);
	umask(mask);
	assert_int_equal(stat(name, &now), 0);
	assert_int_equal(now.st_mode & 0777, 0640);
	assert_int_equal(unlink(name), 0);
}

/* A device such as /dev/null is written to, not replaced by a new file. */
TEST(writes_to_a_device)
{
	struct stat now;

	write_over("/dev/null", 1);
	assert_int_equal(stat("/dev/null", &now), 0);
	assert_true(S_ISCHR(now.st_mode));
}

TEST(refuses_a_name_that_cannot_be_written)
{
	struct bpmu_recording recording;
	struct bpmu_error err;

	assert_int_equal(bpmu_recording_create(&recording, "/tmp", &err),
			 -EISDIR);
	assert_int_equal(bpmu_recording_create(&recording, "/nowhere/x", &err),
			 -ENOENT);
	assert_string_equal(err.text,
			    "/nowhere/x: cannot be written: No such file or directory; name another file");
}

/* A power failure after a round loses nothing that came before it. */
TEST(a_file_has_all_that_came_before_a_round)
{
	struct bpmu_recording_about about;
	struct bpmu_recording recording;
	struct bpmu_recording_file *f;
	struct bpmu_error err;
	struct stat after;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	about = *bpmu_recording_about(f);
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err), 0);
	add_from(&recording, 0, 0, 2);
	bpmu_recording_round(&recording);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_size, recording.bytes);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_size, recording.bytes);
	bpmu_recording_shut(f);
}

/*
 * The recording goes on in a second file. If the sequence number of a CPU's first sample is not 0,
 * the samples with lower numbers do not count as lost. Samples that were lost between the two files
 * count as lost in the second file.
 */
TEST(switched_files_have_their_own_losses)
{
	static const u64 first[CPUS][3] = { { 0, 2, 0 }, { 5, 5, 3 } };
	static const u64 second[CPUS][3] = { { 0, 0, 0 }, { 5, 4, 2 + 1 } };
	char name[sizeof(path) + 5];
	const char *const both[] = { path, name };
	struct bpmu_recording_about about;
	struct bpmu_recording recording;
	struct bpmu_recording_file *f, *set;
	struct bpmu_error err;

	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	about = *bpmu_recording_about(f);
	about.session = 7;
	about.file = 1;
	assert_int_equal(bpmu_recording_create(&recording, path, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, &about,
						 sizeof(struct record), &err), 0);
	add_from(&recording, 0, 0, 2);
	add_from(&recording, 5, 100, 104);
	add_from(&recording, 5, 107, 108);
	bpmu_recording_round(&recording);
	snprintf(name, sizeof(name), "%s.next", path);
	about.file = 2;
	assert_int_equal(bpmu_recording_switch(&recording, name, &about, &err), 0);
	add_from(&recording, 5, 110, 113);
	add_from(&recording, 5, 114, 115);
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	bpmu_recording_shut(f);
	expect_totals(path, first, CPUS);
	expect_totals(name, second, CPUS);
	if (bpmu_recording_open_set(&set, both, 2, &err))
		fail_msg("%s", err.text);
	expect_extent(set);
	bpmu_recording_shut(set);
	assert_int_equal(unlink(name), 0);
}

TEST_GROUP(setup, teardown);

/* Writes three samples of a CPU to a file, of which @last is the last, and reads them. */
static void refuses_last(const struct record *last)
{
	const struct record record[3] = {
		make(0, 0, BPMU_SAMPLE_START, 0), make(0, 1, BPMU_SAMPLE_TIMER, 1), *last,
	};
	char name[] = "/tmp/barepmu-test-recording-XXXXXX";
	struct bpmu_taken_sample sample;
	struct bpmu_recording recording;
	struct bpmu_recording_file *f;
	int fd = mkstemp(name), nr = 0;
	struct bpmu_error err;

	assert_true(fd >= 0);
	close(fd);
	store(file, file_size);
	assert_int_equal(bpmu_recording_open(&f, path, &err), 0);
	assert_int_equal(bpmu_recording_create(&recording, name, &err), 0);
	assert_int_equal(bpmu_recording_describe(&recording, bpmu_recording_about(f),
						 sizeof(*record), &err), 0);
	bpmu_recording_shut(f);
	bpmu_recording_add(&recording, record, sizeof(record));
	bpmu_recording_round(&recording);
	assert_int_equal(bpmu_recording_close(&recording, &err), 0);
	assert_int_equal(bpmu_recording_open(&f, name, &err), 0);
	while (bpmu_recording_next(f, &sample, &err) > 0)
		nr++;
	bpmu_recording_shut(f);
	unlink(name);
	assert_int_equal(nr, 2);
	assert_non_null(strstr(err.text, "a sample of unknown events"));
}

TEST(each_sample_has_a_group_and_its_values)
{
	struct record last = make(0, 2, BPMU_SAMPLE_TIMER, 2);

	refuses_last(&last);
	last = make(0, 2, BPMU_SAMPLE_TIMER, 0);
	last.head.nr--;
	refuses_last(&last);
	last = make(0, 2, BPMU_SAMPLE_TIMER, 0);
	last.head.plan = 1;
	refuses_last(&last);
}
