// SPDX-License-Identifier: GPL-2.0
/*
 * A dump that has begun when the session goes on to another run: it ends, and
 * says that it was interrupted.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

/* a dump of so many does not fit into two messages of netlink's */
#define MANY 2000

static struct log own;

FIXTURE(dump) {
	int unused;
};

FIXTURE_SETUP(dump)
{
	const struct log_plan plan = { .groups = 1, .buffer = 2 * MANY };
	int i;

	if (geteuid())
		SKIP(return, "needs root");
	if (system("modprobe barepmu || insmod /lib/barepmu.ko"))
		SKIP(return, "the module does not load here");
	ASSERT_EQ(0, genl_let_read(getegid()));
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 1; i < MANY; i++)
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_SAMPLE));
}

FIXTURE_TEARDOWN(dump)
{
	genl_let_read(GENL_NO_GROUP);
	genl_close(&own.genl);
}

/* a request whose answer is left where it is */
static int send_only(struct nlmsghdr *message)
{
	message->nlmsg_flags &= ~NLM_F_ACK;
	return mnl_socket_sendto(own.genl.socket, message,
				 message->nlmsg_len) < 0;
}

static int command(uint8_t command)
{
	return send_only(genl_new(&own.genl, command, 0));
}

static int begin(bool copies)
{
	const struct bpmu_position from = { 0 };
	struct nlmsghdr *message = genl_new(&own.genl, BPMU_CMD_READ,
					    NLM_F_DUMP);

	if (copies)
		mnl_attr_put(message, BPMU_A_FROM, sizeof(from), &from);
	return send_only(message);
}

/**
 * struct end - how a dump ended
 * @code: its status
 * @interrupted: it says so
 */
struct end {
	int code;
	bool interrupted;
};

static struct end finish(void)
{
	struct end end = { .code = 1 };
	const struct nlmsghdr *answer;
	int left;

	while (end.code > 0) {
		left = mnl_socket_recvfrom(own.genl.socket, own.genl.buffer,
					   sizeof(own.genl.buffer));
		if (left < 0)
			return (struct end){ .code = -errno };
		answer = (const struct nlmsghdr *)own.genl.buffer;
		for (; mnl_nlmsg_ok(answer, left);
		     answer = mnl_nlmsg_next(answer, &left)) {
			if (answer->nlmsg_type == NLMSG_ERROR)
				continue;
			if (answer->nlmsg_flags & NLM_F_DUMP_INTR)
				end.interrupted = true;
			if (answer->nlmsg_type == NLMSG_DONE)
				end.code = *(const int *)
					   mnl_nlmsg_get_payload(answer);
			else
				log_take(&own, answer);
		}
	}
	return end;
}

/* samples of the first run have the numbers from 0 on, each once */
static bool of_one_run(void)
{
	return own.nr && own.sample[0].head.seq == 0 && !log_has_gap(&own);
}

TEST_F(dump, alone_is_whole)
{
	struct end end;

	ASSERT_EQ(0, begin(false));
	end = finish();
	EXPECT_EQ(0, end.code);
	EXPECT_FALSE(end.interrupted);
	EXPECT_EQ(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

/* the run goes on to be read after it stopped */
TEST_F(dump, a_stop_does_not_interrupt)
{
	struct end end;

	ASSERT_EQ(0, begin(false));
	ASSERT_EQ(0, command(BPMU_CMD_STOP));
	end = finish();
	EXPECT_EQ(0, end.code);
	EXPECT_FALSE(end.interrupted);
	EXPECT_EQ(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

/* @more: samples of the second run */
static struct end across(bool copies, unsigned int more)
{
	if (begin(copies) || command(BPMU_CMD_STOP) || command(BPMU_CMD_START))
		return (struct end){ .code = -errno };
	while (more--)
		if (command(BPMU_CMD_SAMPLE))
			return (struct end){ .code = -errno };
	return finish();
}

TEST_F(dump, another_run_interrupts_the_owner)
{
	struct end end = across(false, 0);
	unsigned int nr = own.nr;

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_LT(0, own.nr);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
	/* the other run is whole for the next dump */
	ASSERT_EQ(0, begin(false));
	end = finish();
	EXPECT_EQ(0, end.code);
	EXPECT_FALSE(end.interrupted);
	ASSERT_EQ(nr + 1, own.nr);
	EXPECT_EQ(0, own.sample[nr].head.seq);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[nr].head.flags);
}

TEST_F(dump, another_run_interrupts_a_reader)
{
	struct end end = across(true, 0);

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_LT(0, own.nr);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

/* where the other run has come further than the dump */
TEST_F_TIMEOUT(dump, another_run_of_the_same_length_interrupts, 240)
{
	struct end end = across(true, MANY);

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

TEST_F_TIMEOUT(dump, an_end_of_the_session_is_told, 240)
{
	struct end end;

	ASSERT_EQ(0, begin(false));
	ASSERT_EQ(0, command(BPMU_CMD_RELEASE));
	end = finish();
	EXPECT_EQ(-ENOTCONN, end.code);
	EXPECT_TRUE(of_one_run());
}

TEST_HARNESS_MAIN
