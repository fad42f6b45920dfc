// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of a dump of samples during which the session is stopped and started again. The dump must
 * then have the flag NLM_F_DUMP_INTR, and must not mix samples of the time before the stop with
 * samples of the time after the new start.
 */
#include <errno.h>
#include <unistd.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

/*
 * Number of samples. A dump of this many samples needs more than two netlink messages, so that the
 * tests can start the session again between two messages of one dump.
 */
#define MANY 2000

static struct log own;

FIXTURE(dump) {
	int unused;
};

FIXTURE_SETUP(dump)
{
	const struct log_plan plan = { .groups = 1, .buffer = 2 * MANY };
	int i;

	GENL_LOAD(return);
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

/* Sends a request without reading the answer, which stays in the socket's queue. */
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
 * struct end - result of a dump
 * @code: 0, or the negative errno with which the dump ended
 * @interrupted: true if a message of the dump had the flag NLM_F_DUMP_INTR
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

/*
 * Returns true if no start of the session lies between the samples that the test has read: the
 * sequence number of the first sample is 0, and each further one is by 1 greater.
 */
static bool of_one_run(void)
{
	return own.nr && own.sample[0].head.seq == 0 && !log_has_gap(&own);
}

TEST_F(dump, has_all_samples)
{
	struct end end;

	ASSERT_EQ(0, begin(false));
	end = finish();
	EXPECT_EQ(0, end.code);
	EXPECT_FALSE(end.interrupted);
	EXPECT_EQ(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

/*
 * BPMU_CMD_STOP must not interrupt a dump, because the samples of a stopped session can still be
 * read.
 */
TEST_F(dump, is_not_interrupted_by_a_stop)
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

/*
 * Begins a dump, stops the session and starts it again, requests @more samples, and then reads the
 * rest of the dump. Returns the result of the dump. @copies: false if the dump takes the samples
 * out of the module's buffers, true if the dump copies them, as for a reader who is not the owner.
 */
static struct end across(bool copies, unsigned int more)
{
	if (begin(copies) || command(BPMU_CMD_STOP) || command(BPMU_CMD_START))
		return (struct end){ .code = -errno };
	while (more--)
		if (command(BPMU_CMD_SAMPLE))
			return (struct end){ .code = -errno };
	return finish();
}

TEST_F(dump, of_the_owner_is_interrupted_by_another_run)
{
	struct end end = across(false, 0);
	unsigned int nr = own.nr;

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_LT(0, own.nr);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
	/* A dump that begins now has the only sample since the second start. */
	ASSERT_EQ(0, begin(false));
	end = finish();
	EXPECT_EQ(0, end.code);
	EXPECT_FALSE(end.interrupted);
	ASSERT_EQ(nr + 1, own.nr);
	EXPECT_EQ(0, own.sample[nr].head.seq);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[nr].head.flags);
}

TEST_F(dump, of_a_reader_is_interrupted_by_another_run)
{
	struct end end = across(true, 0);

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_LT(0, own.nr);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

/*
 * After the second start, as many samples are taken as after the first start, and their sequence
 * numbers begin with 0 again. So the sequence number at which the interrupted dump has to continue
 * exists, and does not show that the session was started again.
 */
TEST_F_TIMEOUT(dump, is_interrupted_by_another_run_of_the_same_length, 240)
{
	struct end end = across(true, MANY);

	EXPECT_EQ(0, end.code);
	EXPECT_TRUE(end.interrupted);
	EXPECT_GT(MANY, own.nr);
	EXPECT_TRUE(of_one_run());
}

TEST_F_TIMEOUT(dump, fails_when_the_session_ends, 240)
{
	struct end end;

	ASSERT_EQ(0, begin(false));
	ASSERT_EQ(0, command(BPMU_CMD_RELEASE));
	end = finish();
	EXPECT_EQ(-ENOTCONN, end.code);
	EXPECT_TRUE(of_one_run());
}

TEST_HARNESS_MAIN
