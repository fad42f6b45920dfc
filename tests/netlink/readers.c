// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's reader group, a group of users who may read the samples of another user's
 * session. They must not be able to change the session. Users who are not in the group must not be
 * able to read samples.
 */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

#define NOBODY 65534
#define OWN_SAMPLES 6
/* Bits of an event select: USR counts in user space, OS counts in the kernel. */
#define USR 0x10000ULL
#define OS 0x20000ULL
/* Number of samples in the buffer before the sample at which the test begins to read. */
#define DISTANT 16384
#define TRIES 20

static struct log own;

/**
 * struct plan_answer - configuration of a session, from an answer to BPMU_CMD_GET_PLAN
 * @number: [attribute number], value of each attribute of type u32 in the answer
 * @select: event select of the last event in the answer
 */
struct plan_answer {
	uint32_t number[BPMU_A_MAX + 1];
	uint64_t select;
};

static void take_events(struct plan_answer *plan, const struct nlattr *group)
{
	const struct nlattr *event, *attr;

	mnl_attr_for_each_nested(event, group)
		mnl_attr_for_each_nested(attr, event)
			if (mnl_attr_get_type(attr) == BPMU_A_EVENT_SELECT)
				plan->select = mnl_attr_get_u64(attr);
}

static void take_plan(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct plan_answer *plan = data;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_GROUP)
			take_events(plan, attr);
		else if (mnl_attr_get_payload_len(attr) == sizeof(uint32_t))
			plan->number[mnl_attr_get_type(attr)] =
				mnl_attr_get_u32(attr);
	}
}

static int ask_plan(struct genl *genl, struct plan_answer *plan)
{
	void *data = genl->data;
	int code;

	memset(plan, 0, sizeof(*plan));
	genl->reply = take_plan;
	genl->data = plan;
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

	GENL_LOAD(return);
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

/*
 * Executes @run without privileges in a child process of group @gid. Returns the exit status of the
 * child.
 */
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
	/* Samples that the owner has read stay in the buffer, where readers find them. */
	EXPECT_EQ(OWN_SAMPLES, as(NOBODY, reads_all));
}

TEST_F(readers, members_read_from_a_position)
{
	EXPECT_EQ(1, as(NOBODY, reads_last_two));
}

static int reads_plan(struct log *other)
{
	struct plan_answer plan;

	if (ask_plan(&other->genl, &plan))
		return 101;
	if (plan.number[BPMU_A_RECORD_SIZE] != other->record ||
	    plan.number[BPMU_A_INFO_STATE] != BPMU_STATE_RUNNING ||
	    plan.select != other->instructions)
		return 102;
	return plan.number[BPMU_A_INFO_OWNER_PID] == (uint32_t)getppid();
}

static int reads_the_last_seven(struct log *other)
{
	if (log_read(other))
		return 101;
	if (other->nr != 7 || log_has_gap(other))
		return 102;
	return other->sample[0].head.seq == 20 + 1 - 7 ? 0 : 103;
}

/*
 * A reader gets all samples of the buffer except the oldest, which the module may be overwriting.
 */
TEST_F(readers, members_read_all_records_of_a_buffer_but_one)
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
	EXPECT_EQ(0, as(NOBODY, reads_the_last_seven));
}

TEST_F(readers, members_read_the_plan)
{
	EXPECT_EQ(1, as(NOBODY, reads_plan));
}

/*
 * A reader must see that the session was started again, or that other groups of events replace the
 * groups of the session (BPMU_CMD_SWAP). Each start changes the number BPMU_A_RUN. Each replacement
 * increases the number BPMU_A_PLAN, which samples have too.
 */
TEST_F(readers, runs_and_plans_have_numbers)
{
	struct plan_answer first, swapped, again;

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

/*
 * Members of the reader group (the users who may read another user's samples) may read counts, but
 * may not learn which processes of other users were interrupted.
 */
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
 * Returns the number of instructions that the kernel executes on CPU 0 for two requests, while the
 * buffer has @samples samples or some more. The first request is a dump (BPMU_CMD_READ) from behind
 * the newest sample on, which therefore has no samples. The second request (BPMU_CMD_SAMPLE) takes
 * one sample. Interrupts add instructions, so the minimum of TRIES tries is returned.
 *
 * On a slow machine the module may take a sample by itself, lest a counter wraps twice. A try in
 * which this happens is left out. It is found by the sequence numbers of the samples.
 */
static uint64_t cost_of_empty_dump(struct __test_metadata *_metadata,
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

/*
 * BPMU_CMD_READ has the number of the first sample that is wanted. If the module searched for this
 * sample from the beginning of the buffer, the search would need several instructions for each
 * sample before the wanted one.
 */
TEST_F_TIMEOUT(readers, the_cost_of_a_position_does_not_depend_on_the_samples_before, 240)
{
	const gid_t gid = NOBODY;
	const uint32_t cpu = 0;
	struct nlmsghdr *message;
	uint64_t few, many;

	ASSERT_EQ(0, log_pin(cpu));
	/*
	 * The process must be in the reader group when it opens the socket, and again when it sends
	 * a request.
	 */
	genl_close(&own.genl);
	ASSERT_EQ(0, setgroups(1, &gid));
	ASSERT_EQ(0, log_open(&own));
	message = genl_new(&own.genl, BPMU_CMD_CONFIGURE, 0);
	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group(message, 0, (own.instructions & ~USR) | OS);
	mnl_attr_put_u32(message, BPMU_A_BUFFER_SAMPLES, 2 * DISTANT);
	ASSERT_EQ(0, log_send(&own));
	few = cost_of_empty_dump(_metadata, 16);
	many = cost_of_empty_dump(_metadata, DISTANT);
	TH_LOG("%llu instructions behind 16 samples, %llu behind %u",
	       (unsigned long long)few, (unsigned long long)many, DISTANT);
	EXPECT_LT(0, few);
	EXPECT_GT(few + 4 * DISTANT, many);
}

TEST_F(readers, users_outside_the_group_are_refused)
{
	EXPECT_EQ(0, as(NOBODY - 1, is_refused));
	ASSERT_EQ(0, genl_let_read(GENL_NO_GROUP));
	EXPECT_EQ(0, as(NOBODY, is_refused));
}

TEST_HARNESS_MAIN
