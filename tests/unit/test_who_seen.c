// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a recording stores about the tasks that samples interrupted. It stores the mappings
 * of each process, even if names are not UTF-8. It stores each kernel function that was
 * interrupted, once and in the order of addresses.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recording/recording_who_maps.h"
#include "recording/recording_who_seen.h"
#include "recording/recording_write.h"
#include "recording/symbols.h"
#include "unit.h"

#define BYTES 4096
/* A process name of 15 bytes that the kernel has cut off in the middle of a UTF-8 character. */
#define CUT "fifteen bytes\xc3"

static char *said;
static u64 asked[4096];
static size_t nr_asked;

json_t *__wrap_bpmu_who_functions(const u64 *ip, size_t nr);

json_t *__wrap_bpmu_who_functions(const u64 *ip, size_t nr)
{
	assert_true(nr <= sizeof(asked) / sizeof(*asked));
	memcpy(asked, ip, nr * sizeof(*ip));
	nr_asked = nr;
	return NULL;
}

static void on_block(void *data, int type, const char *text, size_t size)
{
	(void)data;
	assert_int_equal(size, strlen(text));
	assert_int_equal(type, BPMU_RECORDING_PROCESS);
	free(said);
	said = strdup(text);
}

void bpmu_symbols_build_id(const char *path, char text[BPMU_BUILD_ID])
{
	(void)path;
	text[0] = '\0';
}

static void see(void)
{
	struct bpmu_who_seen seen = { .block = on_block };
	const struct bpmu_who who = {
		.ip = 1, .pid = getpid(), .tgid = getpid(), .comm = CUT,
	};

	bpmu_who_seen_add(&seen, &who, sizeof(who), sizeof(struct bpmu_who));
	bpmu_who_seen_end(&seen);
}

TEST(names_of_mappings_need_not_be_utf8)
{
	char path[] = "/tmp/barepmu-test-\xff-XXXXXX";
	int fd = mkstemp(path);
	char text[64];
	void *code;

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, BYTES), 0);
	code = mmap(NULL, BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(code, MAP_FAILED);
	see();
	assert_int_equal(unlink(path), 0);
	assert_non_null(said);
	snprintf(text, sizeof(text), "{\"tgid\":%d,\"comm\":\"?\",", getpid());
	assert_int_equal(strncmp(said, text, strlen(text)), 0);
	snprintf(text, sizeof(text), "[%lld,%d,0,\"?\",\"\"]", (long long)code,
		 BYTES);
	assert_non_null(strstr(said, text));
	munmap(code, BYTES);
	close(fd);
	free(said);
}

TEST(addresses_of_the_kernel_are_looked_up_once)
{
	static const u64 seen_at[] = { 7, 3, 9, 3, 7 };
	static const u64 in_order[] = { 3, 7, 9 };
	struct bpmu_who_seen seen = { .block = on_block };
	struct bpmu_who who[5] = { };
	unsigned int i;

	for (i = 0; i < 5; i++) {
		who[i].ip = seen_at[i];
		who[i].flags = BPMU_WHO_KERNEL;
	}
	bpmu_who_seen_add(&seen, who, sizeof(who), sizeof(struct bpmu_who));
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 3);
	assert_memory_equal(asked, in_order, sizeof(in_order));
}

/**
 * struct interrupt - a record of an interrupt as the module sends it, with a call chain in the kernel
 * @head: the interrupt
 * @kernel: head of the call chain
 * @caller: the chain
 */
struct interrupt {
	struct bpmu_overflow head;
	struct bpmu_section kernel;
	u64 caller[3];
};

static struct interrupt in_the_kernel(u64 ip, u32 flags, u64 first, u64 second, u64 third)
{
	struct interrupt record = {
		.head = { .size = sizeof(record), .who = { .ip = ip, .flags = flags } },
		.kernel = { .id = BPMU_SECTION_KERNEL,
			    .size = sizeof(record.kernel) + sizeof(record.caller) },
		.caller = { first, second, third },
	};

	record.head.who.flags |= BPMU_WHO_KERNEL;
	return record;
}

/*
 * Passes interrupts in the kernel to @see, and checks that each of their instructions and callers is
 * looked up once. What a chain has in common with the one before is skipped, unless that was of an
 * idle CPU.
 */
static void look_up(void (*see)(struct bpmu_who_seen *seen, const void *records, size_t bytes))
{
	static const u64 in_order[] = { 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 22 };
	const struct interrupt records[] = {
		in_the_kernel(2, 0, 3, 4, 9), in_the_kernel(2, 0, 5, 4, 9),
		in_the_kernel(7, 0, 5, 4, 9), in_the_kernel(7, 0, 6, 8, 4),
		in_the_kernel(1, BPMU_WHO_IDLE, 30, 21, 22), in_the_kernel(2, 0, 20, 21, 22),
	};
	struct bpmu_who_seen seen = { .block = on_block };

	see(&seen, records, sizeof(records));
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 11);
	assert_memory_equal(asked, in_order, sizeof(in_order));
}

TEST(all_callers_in_the_kernel_are_looked_up)
{
	look_up(bpmu_who_seen_overflows);
}

/* Writes records to a recording that nobody reads, which notes who was interrupted. */
static void record(struct bpmu_who_seen *seen, const void *records, size_t bytes)
{
	struct bpmu_recording_cpu cpu = { };
	struct bpmu_recording recording = {
		.fd = open("/dev/null", O_WRONLY), .seen = seen, .cpu = &cpu, .nr_cpus = 1,
	};

	assert_true(recording.fd >= 0);
	bpmu_recording_add_overflows(&recording, records, bytes);
	assert_int_equal(recording.error, 0);
	free(recording.block);
	free(recording.kept);
	close(recording.fd);
}

TEST(callers_of_recorded_interrupts_are_looked_up)
{
	look_up(record);
}

/*
 * The mappings of a process are read at its first interrupt, at one outside of them, and after it
 * has executed another program. Interrupts of other tasks and of the kernel come between.
 */
TEST(mappings_of_recorded_interrupts_are_read_when_they_change)
{
	enum { NO_TASK, KERNEL, OWN, OUTSIDE, EXECUTED, UNNAMED };
	static const struct {
		unsigned int first, second;
		bool read;
	} steps[] = {
		{ KERNEL, NO_TASK, false }, { UNNAMED, KERNEL, false }, { KERNEL, OWN, true },
		{ OWN, OWN, false }, { OWN, OUTSIDE, true }, { OWN, KERNEL, false },
		{ OWN, EXECUTED, true }, { EXECUTED, EXECUTED, false }, { EXECUTED, OWN, true },
	};
	const struct bpmu_overflow kinds[] = {
		[NO_TASK] = { .who = { .flags = BPMU_WHO_NOWHERE } },
		[KERNEL] = { .who = { .ip = ~0xfffULL, .flags = BPMU_WHO_KERNEL } },
		[OWN] = { .who = { .ip = (u64)on_block, .pid = getpid(), .tgid = getpid(),
				   .comm = "test" } },
		[OUTSIDE] = { .who = { .ip = 1, .pid = getpid(), .tgid = getpid(),
				       .comm = "test" } },
		[EXECUTED] = { .who = { .ip = (u64)on_block, .pid = getpid(), .tgid = getpid(),
					.comm = "other" } },
		[UNNAMED] = { .who = { .flags = BPMU_WHO_UNNAMED } },
	};
	struct bpmu_who_seen seen = { .block = on_block };
	struct bpmu_overflow records[2];
	unsigned int i;

	said = NULL;
	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++, seen.round++) {
		records[0] = kinds[steps[i].first];
		records[1] = kinds[steps[i].second];
		records[0].size = sizeof(records[0]);
		records[1].size = sizeof(records[1]);
		record(&seen, records, sizeof(records));
		assert_int_equal(!!said, steps[i].read);
		free(said);
		said = NULL;
	}
	bpmu_who_seen_end(&seen);
}

/*
 * The mappings of a second process are read, although the first one has the same address, and the
 * second one was interrupted in the kernel between.
 */
TEST(mappings_of_another_process_are_read_after_it_was_in_the_kernel)
{
	const struct bpmu_who own = {
		.ip = (u64)on_block, .pid = getpid(), .tgid = getpid(), .comm = "test",
	};
	const struct bpmu_who other = {
		.ip = (u64)on_block, .pid = getppid(), .tgid = getppid(), .comm = "parent",
	};
	struct bpmu_overflow records[3] = {
		{ .size = sizeof(*records), .who = own },
		{ .size = sizeof(*records), .who = other },
		{ .size = sizeof(*records), .who = other },
	};
	struct bpmu_who_seen seen = { .block = on_block };

	said = NULL;
	record(&seen, records, sizeof(*records));
	assert_non_null(said);
	free(said);
	said = NULL;
	seen.round++;
	records[1].who.ip = ~0xfffULL;
	records[1].who.flags = BPMU_WHO_KERNEL;
	record(&seen, records, sizeof(records));
	assert_non_null(said);
	free(said);
	said = NULL;
	bpmu_who_seen_end(&seen);
}

/* The address at which a process entered the kernel is in one of its mappings. */
TEST(mappings_of_recorded_callers_are_read)
{
	struct {
		struct bpmu_overflow head;
		struct bpmu_section kernel, user;
		u64 entry;
	} one = {
		.head = { .size = sizeof(one), .who = { .ip = ~0xfffULL, .flags = BPMU_WHO_KERNEL,
							.pid = getpid(), .tgid = getpid() } },
		.kernel = { .id = BPMU_SECTION_KERNEL, .size = sizeof(one.kernel) },
		.user = { .id = BPMU_SECTION_USER,
			  .size = sizeof(one.user) + sizeof(one.entry) },
		.entry = (u64)on_block,
	};
	struct bpmu_who_seen seen = { .block = on_block };
	unsigned int i;

	said = NULL;
	for (i = 0; i < 3; i++, seen.round++) {
		one.entry = i == 2 ? 1 : (u64)on_block;
		record(&seen, &one, sizeof(one));
		assert_int_equal(!!said, i != 1);
		free(said);
		said = NULL;
	}
	bpmu_who_seen_end(&seen);
	/* The caller is no address of the kernel. */
	assert_int_equal(nr_asked, 1);
	assert_int_equal(asked[0], ~0xfffULL);
}

/*
 * The callers of a function of the process are not looked up, nor is what stands behind a chain
 * without addresses.
 */
TEST(mappings_of_other_callers_are_not_read)
{
	struct {
		struct bpmu_overflow head;
		struct bpmu_section user;
		u64 caller;
	} own = {
		.head = { .size = sizeof(own), .who = { .ip = (u64)on_block, .pid = getpid(),
							.tgid = getpid() } },
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(own.user) + sizeof(own.caller) },
		.caller = (u64)on_block,
	};
	struct {
		struct bpmu_overflow head;
		struct bpmu_section kernel, user;
		u64 behind;
	} empty = {
		.head = { .size = offsetof(typeof(empty), behind),
			  .who = { .ip = ~0xfffULL, .flags = BPMU_WHO_KERNEL, .pid = getpid(),
				   .tgid = getpid() } },
		.kernel = { .id = BPMU_SECTION_KERNEL, .size = sizeof(empty.kernel) },
		.user = { .id = BPMU_SECTION_USER, .size = sizeof(empty.user) },
		.behind = 1,
	};
	struct bpmu_who_seen seen = { .block = on_block };

	said = NULL;
	bpmu_who_seen_overflows(&seen, &own, sizeof(own));
	assert_non_null(said);
	free(said);
	said = NULL;
	seen.round++;
	own.caller = 1;
	bpmu_who_seen_overflows(&seen, &own, sizeof(own));
	assert_null(said);
	bpmu_who_seen_overflows(&seen, &empty, empty.head.size);
	assert_null(said);
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 1);
	assert_int_equal(asked[0], ~0xfffULL);
}

/*
 * The addresses of a branch are in mappings, too. An address in no known mapping makes the mappings
 * be read again, but not an address 0: the CPU or the module hides such an address.
 */
TEST(mappings_of_recorded_branches_are_read)
{
	struct {
		struct bpmu_overflow head;
		struct bpmu_section section;
		struct bpmu_branch branch;
	} one = {
		.head = { .size = sizeof(one), .who = { .ip = (u64)on_block, .pid = getpid(),
							.tgid = getpid() } },
		.section = { .id = BPMU_SECTION_BRANCHES,
			     .size = sizeof(one.section) + sizeof(one.branch) },
	};
	static const struct {
		u64 from, to;
		bool read;
	} cases[] = {
		{ (u64)on_block, (u64)on_block, true },
		{ (u64)on_block, (u64)see, false },
		{ 0, (u64)see, false },
		{ (u64)on_block, 0, false },
		{ 1, (u64)see, true },
		{ (u64)on_block, 2, true },
	};
	struct bpmu_who_seen seen = { .block = on_block };
	unsigned int i;

	said = NULL;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++, seen.round++) {
		one.branch.from = cases[i].from;
		one.branch.to = cases[i].to;
		record(&seen, &one, sizeof(one));
		assert_int_equal(!!said, cases[i].read);
		free(said);
		said = NULL;
	}
	nr_asked = 0;
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 0);
}

TEST(thousands_of_addresses_of_the_kernel_are_remembered)
{
	const u64 first = 0xffffffff81000000;
	struct bpmu_who_seen seen = { .block = on_block };
	unsigned int i;

	for (i = 0; i < 4096 + 100; i++)
		bpmu_who_seen_kernel(&seen, first + 4 * (i * 1021 % 4096));
	bpmu_who_seen_kernel(&seen, 0);
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 4096);
	for (i = 0; i < 4096; i++)
		assert_int_equal(asked[i], first + 4 * i);
}

/* The place of the second address in the table is taken by the first one: both count once. */
TEST(two_addresses_of_the_kernel_with_one_place_are_remembered)
{
	const u64 first = 0xffffffff81000000;
	struct bpmu_who_seen seen = { .block = on_block };
	u64 other = first + 1;
	unsigned int i;

	bpmu_who_seen_kernel(&seen, first);
	while ((bpmu_who_seen_first(other) ^ bpmu_who_seen_first(first)) & (seen.kernel_room - 1))
		other++;
	for (i = 0; i < 3; i++)
		bpmu_who_seen_kernel(&seen, other);
	assert_int_equal(seen.nr_kernel, 2);
	bpmu_who_seen_end(&seen);
	assert_int_equal(nr_asked, 2);
	assert_true(asked[0] == first);
	assert_true(asked[1] == other);
}

TEST(a_mapping_that_was_left_is_found_again)
{
	struct bpmu_who_seen seen = { .block = on_block };
	struct bpmu_who who = { .pid = getpid(), .tgid = getpid() };
	void *page[2];
	unsigned int i;

	strcpy(who.comm, "test");
	for (i = 0; i < 2; i++) {
		page[i] = mmap(NULL, BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);
		assert_ptr_not_equal(page[i], MAP_FAILED);
	}
	said = NULL;
	for (i = 0; i < 8; i++, seen.round++) {
		who.ip = (u64)page[i % 2] + i;
		bpmu_who_seen_task(&seen, &who);
		assert_int_equal(!said, i > 0);
		free(said);
		said = NULL;
	}
	munmap(page[1], BYTES);
	/* The mappings are read again at an address outside of all, and then lack that page. */
	for (i = 0; i < 2; i++, seen.round++) {
		who.ip = i ? (u64)page[1] : 1;
		bpmu_who_seen_task(&seen, &who);
		assert_non_null(said);
		free(said);
		said = NULL;
	}
	bpmu_who_seen_end(&seen);
	munmap(page[0], BYTES);
}

TEST(processes_without_a_name_are_not_looked_up)
{
	struct bpmu_who_seen seen = { .block = on_block };
	const struct bpmu_who who = { .flags = BPMU_WHO_UNNAMED };

	bpmu_who_seen_add(&seen, &who, sizeof(who), sizeof(struct bpmu_who));
	assert_null(seen.processes);
	bpmu_who_seen_end(&seen);
}
