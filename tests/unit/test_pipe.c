// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of input files that are pipes: which of them are waited for, and how one of them is made
 * readable a second time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pipe.h"
#include "unit.h"

#define TEXT "events of a pipe"

#define FOLDER "/tmp/barepmu-test-pipe-XXXXXX"

static char folder[sizeof(FOLDER)];
static char fifo[sizeof(FOLDER) + 8];
static struct bpmu_error err;
/* The test's own standard input, and a pipe in its place. */
static int kept = -1;
static int writer = -1;

/* Puts a pipe with TEXT in the place of the standard input. */
TEST_FIXTURE(begin)
{
	int ends[2];

	strcpy(folder, FOLDER);
	if (!mkdtemp(folder))
		return -1;
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	kept = dup(STDIN_FILENO);
	if (mkfifo(fifo, 0600) || kept < 0 || pipe(ends))
		return -1;
	writer = ends[1];
	if (write(writer, TEXT, strlen(TEXT)) < 0 || dup2(ends[0], STDIN_FILENO) < 0)
		return -1;
	return close(ends[0]);
}

TEST_FIXTURE(end)
{
	if (writer >= 0)
		close(writer);
	dup2(kept, STDIN_FILENO);
	close(kept);
	unlink(fifo);
	return rmdir(folder);
}

static const char *const names[] = { "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" };

/* A pipe that is open already has its writer: nobody must be told to begin to write. */
TEST_BETWEEN(only_a_named_pipe_waits, begin, end)
{
	char path[64];
	unsigned int i;
	int fd;

	assert_true(bpmu_pipe_waits(fifo));
	assert_false(bpmu_pipe_waits("/dev/null"));
	assert_false(bpmu_pipe_waits(folder));
	assert_false(bpmu_pipe_waits("/nowhere"));
	for (i = 0; i < 3; i++)
		assert_false(bpmu_pipe_waits(names[i]));
	fd = dup(STDIN_FILENO);
	assert_true(fd > 1);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	assert_false(bpmu_pipe_waits(path));
	close(fd);
}

/* Reads the standard input from its start to its end. */
static void assert_text(const char *text)
{
	char read_back[64];

	assert_int_equal(pread(STDIN_FILENO, read_back, sizeof(read_back), 0), strlen(text));
	assert_memory_equal(read_back, text, strlen(text));
}

static void keep(const char *name)
{
	/* The pipe's end. */
	close(writer);
	writer = -1;
	assert_int_equal(bpmu_pipe_keep(name, &err), 0);
	assert_text(TEXT);
	/* What was kept is no pipe any more. */
	assert_int_equal(bpmu_pipe_keep(name, &err), 0);
	assert_text(TEXT);
}

TEST_BETWEEN(an_open_pipe_is_kept_as_stdin, begin, end)
{
	keep(names[0]);
}

TEST_BETWEEN(an_open_pipe_is_kept_as_a_descriptor, begin, end)
{
	keep(names[1]);
}

TEST_BETWEEN(an_open_pipe_is_kept_as_a_descriptor_of_proc, begin, end)
{
	keep(names[2]);
}

TEST_BETWEEN(a_named_pipe_is_refused, begin, end)
{
	char wanted[256];

	assert_int_equal(bpmu_pipe_keep(fifo, &err), -ESPIPE);
	snprintf(wanted, sizeof(wanted),
		 "%s: a named pipe, which can be read only once; name a file, or write <(cat %s)",
		 fifo, fifo);
	assert_string_equal(err.text, wanted);
	assert_int_equal(bpmu_pipe_keep("/dev/null", &err), 0);
	assert_int_equal(bpmu_pipe_keep("/nowhere", &err), 0);
}

TEST_GROUP(NULL, NULL);
