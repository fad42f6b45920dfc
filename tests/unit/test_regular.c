// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the opening of files whose names come from other programs: only regular files of a disk
 * are opened, because opening another one may wait or change something.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/regular.h"
#include "unit.h"

static char folder[] = "/tmp/barepmu-regular-XXXXXX";
static char path[sizeof(folder) + sizeof("/file")];

static int opened(const char *name)
{
	int fd = bpmu_regular_open(name);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST(a_regular_file_is_opened_for_reading)
{
	char text[3] = "";
	int fd;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "ab", 2), 2);
	close(fd);
	fd = bpmu_regular_open(path);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 2);
	assert_string_equal(text, "ab");
	assert_int_equal(write(fd, "c", 1), -1);
	close(fd);
	unlink(path);
	assert_false(opened(path));
}

TEST(other_files_are_not_opened)
{
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(opened(path));
	unlink(path);
	assert_false(opened(folder));
	assert_false(opened("/dev/null"));
	assert_false(opened("/proc/version"));
	assert_false(opened("/sys/kernel/uevent_seqnum"));
}

TEST_FIXTURE(set_up)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

TEST_FIXTURE(tear_down)
{
	return rmdir(folder);
}

TEST_GROUP(set_up, tear_down);
