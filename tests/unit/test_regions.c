// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what decan reads of processes: their memory regions, which a fork shares with its parent
 * until one of them changes its own, and bytes of their memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "process/pages.h"
#include "process/regions.h"
#include "process/trace.h"
#include "unit.h"

#define PAGE 4096

/*
 * Memory that a fork changes: two pages that can be written, a gap, a page that can be read, and one
 * that cannot. No change makes a region one with its neighbour.
 */
static u8 *memory;

#define READABLE 3
#define PAGES 5

TEST_FIXTURE(map)
{
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 7, PAGES * PAGE);
	assert_int_equal(munmap(memory + 2 * PAGE, PAGE), 0);
	assert_int_equal(mprotect(memory + READABLE * PAGE, PAGE, PROT_READ), 0);
	assert_int_equal(mprotect(memory + 4 * PAGE, PAGE, PROT_NONE), 0);
	return 0;
}

TEST_FIXTURE(unmap)
{
	return munmap(memory, PAGES * PAGE);
}

static void keep(void)
{
}

static void forbid_writes(void)
{
	mprotect(memory, 2 * PAGE, PROT_READ);
}

static void begin_later(void)
{
	munmap(memory, PAGE);
}

static void end_earlier(void)
{
	munmap(memory + PAGE, PAGE);
}

static void remove_region(void)
{
	munmap(memory + 4 * PAGE, PAGE);
}

/* Begins a process that changes its memory by @change, and waits. */
static pid_t begin(void (*change)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		change();
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* All three processes begin before this one maps memory to compare them. */
TEST_BETWEEN(processes_with_the_same_regions_are_equal, map, unmap)
{
	static void (*const changes[])(void) = {
		forbid_writes, begin_later, end_earlier, remove_region,
	};
	pid_t one, other, changed;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		one = begin(keep);
		other = begin(keep);
		changed = begin(changes[i]);
		assert_true(bpmu_regions_equal(one, other));
		assert_true(bpmu_regions_equal(one, one));
		assert_false(bpmu_regions_equal(one, changed));
		assert_false(bpmu_regions_equal(changed, one));
		end(changed);
		/* A process that has ended equals none. */
		assert_false(bpmu_regions_equal(one, changed));
		assert_false(bpmu_regions_equal(changed, one));
		assert_false(bpmu_regions_equal(changed, changed));
		end(one);
		end(other);
	}
}

TEST_BETWEEN(regions_are_met_in_their_order, map, unmap)
{
	struct bpmu_regions regions;
	struct bpmu_region region;
	u64 last = 0, at;
	char modes[32] = "";

	assert_true(bpmu_regions_open(&regions, getpid()));
	while (bpmu_regions_next(&regions, &region)) {
		assert_true(region.start >= last);
		assert_true(region.end > region.start);
		last = region.end;
		for (at = region.start; at < region.end; at += PAGE)
			if (at - (uintptr_t)memory < PAGES * PAGE)
				strcat(strcat(modes, " "), region.mode);
	}
	assert_string_equal(modes, " rw-p rw-p r--p ---p");
	assert_false(bpmu_regions_next(&regions, &region));
	bpmu_regions_close(&regions);
}

static int files(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(fd);
	return fd;
}

TEST_BETWEEN(files_of_regions_are_closed, map, unmap)
{
	const pid_t one = begin(keep), other = begin(begin_later);
	const int before = files();

	bpmu_regions_equal(one, other);
	bpmu_regions_equal(one, one);
	end(other);
	bpmu_regions_equal(one, other);
	bpmu_regions_equal(other, one);
	assert_int_equal(files(), before);
	end(one);
}

/* A line of a file with a long name has more characters than are read at a time. */
TEST(the_name_of_a_region_may_be_long)
{
	char folder[] = "/tmp/barepmu-XXXXXX", name[256], *deep[5];
	struct bpmu_regions regions;
	struct bpmu_region region;
	unsigned int i, found = 0;
	char path[2048];
	void *mapped;
	size_t length;
	int fd;

	assert_non_null(mkdtemp(folder));
	memset(name, 'n', 240);
	name[240] = '\0';
	length = snprintf(path, sizeof(path), "%s", folder);
	for (i = 0; i < ARRAY_SIZE(deep); i++) {
		length += snprintf(path + length, sizeof(path) - length, "/%s", name);
		if (i + 1 < ARRAY_SIZE(deep))
			assert_int_equal(mkdir(path, 0700), 0);
		deep[i] = strdup(path);
	}
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PAGE), 0);
	mapped = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(mapped, MAP_FAILED);
	close(fd);
	assert_true(bpmu_regions_open(&regions, getpid()));
	for (i = 0; bpmu_regions_next(&regions, &region); i++)
		if (region.start == (uintptr_t)mapped)
			found = i + 1;
	bpmu_regions_close(&regions);
	munmap(mapped, PAGE);
	assert_true(found && found < i);
	for (i = ARRAY_SIZE(deep); i--; free(deep[i]))
		assert_int_equal(remove(deep[i]), 0);
	assert_int_equal(rmdir(folder), 0);
}

TEST_BETWEEN(memory_of_another_process_is_read_and_written, map, unmap)
{
	const u64 at = (uintptr_t)memory, readable = at + READABLE * PAGE;
	const pid_t pid = begin(keep);
	const int before = files();
	u8 bytes[4] = { };

	assert_int_equal(bpmu_trace_read(pid, at + 1, bytes, 4), 0);
	assert_memory_equal(bytes, "\7\7\7\7", 4);
	assert_int_equal(bpmu_trace_write(pid, at + 2, "abc", 3), 0);
	assert_int_equal(bpmu_trace_read(pid, at + 1, bytes, 4), 0);
	assert_memory_equal(bytes, "\7abc", 4);
	/* The process has its own copy. */
	assert_int_equal(memory[2], 7);
	/* What only the process itself may not write is written, too. */
	assert_int_equal(bpmu_trace_write(pid, readable, "x", 1), 0);
	assert_int_equal(bpmu_trace_read(pid, readable, bytes, 1), 0);
	assert_int_equal(bytes[0], 'x');
	/* Bytes of which some are nowhere, and a process that is not there. */
	assert_int_equal(bpmu_trace_read(pid, at + 2 * PAGE - 2, bytes, 4), -EFAULT);
	assert_int_equal(bpmu_trace_read(pid, 16, bytes, 4), -EFAULT);
	assert_int_equal(bpmu_trace_write(pid, 16, "abc", 3), -EFAULT);
	end(pid);
	assert_int_equal(bpmu_trace_read(pid, at, bytes, 4), -ESRCH);
	assert_int_equal(bpmu_trace_write(pid, at, "abc", 3), -ENOENT);
	assert_int_equal(files(), before);
}

/* More pages than one system call reads or writes, and one that no set has */
#define MANY 1100
static u8 *many;

TEST_FIXTURE(map_many)
{
	unsigned int i;

	many = mmap(NULL, (MANY + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	assert_ptr_not_equal(many, MAP_FAILED);
	for (i = 0; i <= MANY; i++)
		memset(many + i * PAGE, i % 251 + 1, PAGE);
	return 0;
}

TEST_FIXTURE(unmap_many)
{
	return munmap(many, (MANY + 1) * PAGE);
}

static void clear(void)
{
	memset(many, 0, (MANY + 1) * PAGE);
}

TEST_BETWEEN(pages_are_copied_as_a_whole, map_many, unmap_many)
{
	const pid_t pid = begin(clear);
	static u64 address[MANY];
	struct bpmu_pages pages = { .address = address, .nr = MANY };
	u8 page[PAGE];
	unsigned int i;

	for (i = 0; i < MANY; i++)
		address[i] = (uintptr_t)many + i * PAGE;
	/* Reading, and taking a page over, leave what is in it. */
	assert_int_equal(bpmu_pages_read(&pages, pid), 0);
	assert_int_equal(bpmu_pages_own(&pages, pid), 0);
	assert_int_equal(bpmu_trace_read(pid, address[3], page, PAGE), 0);
	assert_int_equal(page[0] | page[PAGE - 1], 0);
	assert_int_equal(bpmu_pages_copy(&pages, getpid(), pid), 0);
	for (i = 0; i < MANY; i++) {
		assert_int_equal(bpmu_trace_read(pid, address[i], page, PAGE), 0);
		assert_memory_equal(page, many + i * PAGE, PAGE);
	}
	assert_int_equal(bpmu_trace_read(pid, (uintptr_t)many + MANY * PAGE, page, 1), 0);
	assert_int_equal(page[0], 0);
	/* A page that is not mapped, in the second of the system calls */
	address[600] = PAGE;
	assert_int_equal(bpmu_pages_read(&pages, pid), -EFAULT);
	assert_int_equal(bpmu_pages_own(&pages, pid), -EFAULT);
	assert_int_equal(bpmu_pages_copy(&pages, getpid(), pid), -EFAULT);
	pages.nr = 600;
	assert_int_equal(bpmu_pages_copy(&pages, getpid(), pid), 0);
	end(pid);
	assert_int_equal(bpmu_pages_copy(&pages, getpid(), pid), -EFAULT);
}

TEST(a_set_of_pages_is_within_one_that_has_all)
{
	u64 few[] = { 0x1000, 0x3000 }, all[] = { 0x1000, 0x2000, 0x3000, 0x5000 },
	    other[] = { 0x1000, 0x4000 };
	const struct bpmu_pages none = { }, two = { few, 2 }, four = { all, 4 },
				different = { other, 2 };

	assert_true(bpmu_pages_within(&none, &none));
	assert_true(bpmu_pages_within(&none, &two));
	assert_false(bpmu_pages_within(&two, &none));
	assert_true(bpmu_pages_within(&two, &two));
	assert_true(bpmu_pages_within(&two, &four));
	assert_false(bpmu_pages_within(&four, &two));
	assert_false(bpmu_pages_within(&different, &four));
}
