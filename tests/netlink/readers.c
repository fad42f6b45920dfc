// SPDX-License-Identifier: GPL-2.0
/*
 * Two privileges: members of the module's reader group read the samples of
 * another's session and change nothing; others do not even read.
 */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

#define NOBODY 65534
#define OWN_SAMPLES 6
/* rings of an event select */
#define USR 0x10000ULL
#define OS 0x20000ULL
/* so many samples are before the one that is wanted */
#define FAR 16384
#define TRIES 20

static struct log own;

/**
 * struct told - what BPMU_CMD_GET_PLAN answered
 * @number: of each attribute that is a u32
 * @select: of the last event
 */
struct told {
	uint32_t number[BPMU_A_MAX + 1];
	uint64_t select;
};

static void take_events(struct told *told, const struct nlattr *group)
{
	const struct nlattr *event, *attr;

	mnl_attr_for_each_nested(event, group)
		mnl_attr_for_each_nested(attr, event)
			if (mnl_attr_get_type(attr) == BPMU_A_EVENT_SELECT)
				told->select = mnl_attr_get_u64(attr);
}

static void take_plan(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct told *told = data;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_GROUP)
			take_events(told, attr);
		else if (mnl_attr_get_payload_len(attr) == sizeof(uint32_t))
			told->number[mnl_attr_get_type(attr)] =
				mnl_attr_get_u32(attr);
	}
}

static int ask_plan(struct genl *genl, struct told *told)
{
	void *data = genl->data;
	int code;

	memset(told, 0, sizeof(*told));
	genl->reply = take_plan;
	genl->data = told;
	code = genl_command(genl, BPMU_CMD_GET_PLAN);
	genl->reply = NULL;
	genl->data = data;
	return code;
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
	ASSERT_EQ(0, genl_let_read(NOBODY));
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 1; i < OWN_SAMPLES; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
}

FIXTURE_TEARDOWN(readers)
{
	genl_let_read(GENL_NO_GROUP);
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
	if (!other->genl.sentence[0])
		return 3;
	return genl_command(&other->genl, BPMU_CMD_GET_PLAN) == -EPERM ? 0 : 4;
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

static int reads_plan(struct log *other)
{
	struct told told;

	if (ask_plan(&other->genl, &told))
		return 101;
	if (told.number[BPMU_A_RECORD_SIZE] != other->record ||
	    told.number[BPMU_A_INFO_STATE] != BPMU_STATE_RUNNING ||
	    told.select != other->instructions)
		return 102;
	return told.number[BPMU_A_INFO_OWNER_PID] == (uint32_t)getppid();
}

static int reads_what_is_left(struct log *other)
{
	if (log_read(other))
		return 101;
	if (other->nr != 7 || log_has_gap(other))
		return 102;
	return other->sample[0].head.seq == 20 + 1 - 7 ? 0 : 103;
}

/* the record that is written next is not there any more */
TEST_F(readers, members_read_all_but_one_of_a_buffer)
{
	const struct log_plan plan = { .groups = 1, .buffer = 8 };
	int i;

	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, log_read(&own));
	}
	EXPECT_EQ(0, own.lost);
	EXPECT_EQ(0, as(NOBODY, reads_what_is_left));
}

TEST_F(readers, members_read_the_plan)
{
	EXPECT_EQ(1, as(NOBODY, reads_plan));
}

/* a reader can tell samples of one run from those of another */
TEST_F(readers, runs_and_plans_have_numbers)
{
	struct told first, swapped, again;

	ASSERT_EQ(0, ask_plan(&own.genl, &first));
	EXPECT_EQ(0, first.number[BPMU_A_PLAN]);
	ASSERT_EQ(0, log_swap(&own, 1));
	ASSERT_EQ(0, ask_plan(&own.genl, &swapped));
	EXPECT_EQ(1, swapped.number[BPMU_A_PLAN]);
	EXPECT_EQ(first.number[BPMU_A_RUN], swapped.number[BPMU_A_RUN]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, ask_plan(&own.genl, &again));
	EXPECT_EQ(first.number[BPMU_A_RUN], again.number[BPMU_A_RUN]);
	EXPECT_EQ(BPMU_STATE_READY, again.number[BPMU_A_INFO_STATE]);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, ask_plan(&own.genl, &again));
	EXPECT_NE(first.number[BPMU_A_RUN], again.number[BPMU_A_RUN]);
}

TEST_F(readers, members_change_nothing)
{
	EXPECT_EQ(0, as(NOBODY, changes_nothing));
}

/* permission to read counts does not include other users' processes */
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

/*
 * Instructions of the kernel on CPU 0 for a dump that begins behind the newest of
 * so many samples, and a sample; of some tries the one without an interrupt. A slow
 * machine may come to the guard against a second wrap: what number the next sample
 * has is asked for, and a try with a sample of the guard's in it does not count.
 */
static uint64_t cost_of_nothing(struct __test_metadata *_metadata,
				unsigned int samples)
{
	uint64_t next = samples, cost, least = UINT64_MAX;
	int i;

	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	while (--samples)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
	for (i = 0; i < TRIES; i++) {
		own.nr = 0;
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, log_read_from(&own, next));
		ASSERT_LT(0, own.nr);
		next = own.sample[own.nr - 1].head.seq + 1;
		own.nr = 0;
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, log_read_from(&own, next + 1));
		if (own.nr)
			continue;
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
		ASSERT_EQ(0, log_read_from(&own, next));
		if (own.nr != 2)
			continue;
		cost = own.sample[1].value[0] - own.sample[0].value[0];
		least = cost < least ? cost : least;
	}
	ASSERT_NE(UINT64_MAX, least);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	return least;
}

/* a walk takes many instructions for each sample before those that are wanted */
TEST_F_TIMEOUT(readers, a_far_position_costs_no_walk, 240)
{
	const gid_t gid = NOBODY;
	const uint32_t cpu = 0;
	struct nlmsghdr *message;
	uint64_t few, many;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));
	/* both the opener of the socket and the sender of a request are readers */
	genl_close(&own.genl);
	ASSERT_EQ(0, setgroups(1, &gid));
	ASSERT_EQ(0, log_open(&own));
	message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group(message, 0, (own.instructions & ~USR) | OS);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, 2 * FAR);
	ASSERT_EQ(0, log_send(&own));
	few = cost_of_nothing(_metadata, 16);
	many = cost_of_nothing(_metadata, FAR);
	TH_LOG("%llu instructions behind 16 samples, %llu behind %u",
	       (unsigned long long)few, (unsigned long long)many, FAR);
	EXPECT_LT(0, few);
	EXPECT_GT(few + 4 * FAR, many);
}

TEST_F(readers, others_do_not_read)
{
	EXPECT_EQ(0, as(NOBODY - 1, is_refused));
	ASSERT_EQ(0, genl_let_read(GENL_NO_GROUP));
	EXPECT_EQ(0, as(NOBODY, is_refused));
}

TEST_HARNESS_MAIN
