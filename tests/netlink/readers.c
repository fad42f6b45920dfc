// SPDX-License-Identifier: GPL-2.0
/*
 * Two privileges: members of the module's reader group read the samples of
 * another's session and change nothing; others do not even read.
 */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include <kselftest_harness.h>

#include "log.h"

#define NOBODY 65534
#define PARAMETER "/sys/module/barepmu/parameters/reader_gid"
#define OWN_SAMPLES 6

static struct log own;

static int set_group(long gid)
{
	FILE *file = fopen(PARAMETER, "w");

	if (!file)
		return -1;
	fprintf(file, "%ld", gid);
	return fclose(file);
}

FIXTURE(readers) {
	int unused;
};

FIXTURE_SETUP(readers)
{
	const struct log_plan plan = { .groups = 1 };
	int i;

	if (geteuid())
		SKIP(return, "needs root");
	if (system("modprobe barepmu || insmod /lib/barepmu.ko"))
		SKIP(return, "the module does not load here");
	ASSERT_EQ(0, set_group(NOBODY));
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 1; i < OWN_SAMPLES; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
}

FIXTURE_TEARDOWN(readers)
{
	set_group(4294967295);
	genl_close(&own.genl);
}

/* run it without privileges; what it returns is its exit status */
static int as(gid_t gid, int (*run)(struct log *log))
{
	uint32_t record = own.record;
	static struct log other;
	int status = -1;
	pid_t pid;

	pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) || setgid(gid) || setuid(NOBODY) ||
		    log_open(&other))
			_exit(100);
		other.record = record;
		_exit(run(&other));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int reads_all(struct log *other)
{
	if (log_read(other))
		return 101;
	return other->nr;
}

static int reads_last_two(struct log *other)
{
	if (log_read_from(other, OWN_SAMPLES - 2))
		return 101;
	return other->nr == 2 && other->sample[0].head.seq == OWN_SAMPLES - 2;
}

static int changes_nothing(struct log *other)
{
	const struct log_plan plan = { .groups = 1 };
	int failed = 0;

	failed |= !log_configure(other, &plan);
	failed |= !log_swap(other, 0);
	failed |= !genl_command(&other->genl, BPMU_CMD_START);
	failed |= !genl_command(&other->genl, BPMU_CMD_SAMPLE);
	failed |= !genl_command(&other->genl, BPMU_CMD_STOP);
	failed |= !genl_command(&other->genl, BPMU_CMD_RELEASE);
	return failed;
}

static int is_refused(struct log *other)
{
	if (!log_read(other))
		return 1;
	if (!log_read_from(other, 0))
		return 2;
	return other->genl.sentence[0] ? 0 : 3;
}

TEST_F(readers, members_read_copies)
{
	EXPECT_EQ(OWN_SAMPLES, as(NOBODY, reads_all));
	EXPECT_EQ(OWN_SAMPLES, as(NOBODY, reads_all));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(OWN_SAMPLES, own.nr);
	EXPECT_EQ(0, own.lost);
	/* still in memory after the owner took them */
	EXPECT_EQ(OWN_SAMPLES, as(NOBODY, reads_all));
}

TEST_F(readers, members_read_from_where_they_were)
{
	EXPECT_EQ(1, as(NOBODY, reads_last_two));
}

TEST_F(readers, members_change_nothing)
{
	EXPECT_EQ(0, as(NOBODY, changes_nothing));
}

/* what others run is not for everyone who may read counts */
TEST_F(readers, members_do_not_see_processes)
{
	const struct log_plan plan = { .groups = 1, .who = true };
	uint32_t plain = own.record;

	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_configure(&own, &plan));
	EXPECT_EQ(plain + sizeof(struct bpmu_who), own.record);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	EXPECT_EQ(0, as(NOBODY, is_refused));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(1, own.nr);
}

TEST_F(readers, others_do_not_read)
{
	EXPECT_EQ(0, as(NOBODY - 1, is_refused));
	ASSERT_EQ(0, set_group(4294967295));
	EXPECT_EQ(0, as(NOBODY, is_refused));
}

TEST_HARNESS_MAIN
