// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the notification that the buffer has reached its watermark. A reader that reads only
 * after such notifications must not miss a sample.
 */
#include <errno.h>
#include <unistd.h>

#include <linux/genetlink.h>

#include <kselftest_harness.h>

#include "log.h"

#define MS 1000000ULL
/* Timeout in ms for a message that must come: far longer than any delay by a busy host. */
#define PATIENCE_MS 60000
/* Time in ms for which a test waits for a message that must not come. */
#define SOON_MS 300
/* Number of samples. A dump of this many samples needs more than two netlink messages. */
#define MANY 2000

static struct log own;
static struct genl ear;

FIXTURE(watermark) {
	int unused;
};

FIXTURE_SETUP(watermark)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, log_open(&own));
	ASSERT_EQ(0, genl_open(&ear));
	ASSERT_EQ(0, genl_subscribe(&ear));
}

FIXTURE_TEARDOWN(watermark)
{
	genl_close(&own.genl);
	genl_close(&ear);
}

static bool told_within(int ms)
{
	return genl_hears(&ear, BPMU_CMD_WATERMARK, ms);
}

/* Discards all notifications that have come or that come soon. */
static void forget(void)
{
	while (told_within(SOON_MS))
		;
}

static int sample(unsigned int nr)
{
	while (nr--)
		if (genl_command(&own.genl, BPMU_CMD_SAMPLE))
			return -1;
	return 0;
}

static int configure(uint32_t buffer, uint32_t watermark)
{
	const struct log_plan plan = {
		.groups = 1, .buffer = buffer, .watermark = watermark,
	};

	return log_configure(&own, &plan);
}

TEST_F(watermark, buffers_that_hold_nothing_are_refused)
{
	uint32_t nr;

	for (nr = 1; nr < 8; nr++)
		EXPECT_GT(0, configure(nr, 0));
	EXPECT_NE('\0', own.genl.sentence[0]);
}

TEST_F(watermark, the_smallest_buffer_holds_samples)
{
	ASSERT_EQ(0, configure(8, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	/*
	 * The module reserves four places of the buffer for samples that must not be lost, such as
	 * the sample of the stop.
	 */
	ASSERT_EQ(0, sample(5));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(5, own.nr);
	EXPECT_EQ(2, own.lost);
	EXPECT_EQ(BPMU_SAMPLE_START, own.sample[0].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_REQUEST, own.sample[3].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, own.sample[4].head.flags);
	EXPECT_EQ(6, own.sample[4].head.seq);
}

/*
 * Samples are read again and again, so that some reads have samples both from the end and from the
 * begin of the ring buffer.
 */
TEST_F(watermark, reads_wrap_around_the_end_of_the_buffer)
{
	int i;

	ASSERT_EQ(0, configure(8, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, sample(3));
		ASSERT_EQ(0, log_read(&own));
	}
	EXPECT_EQ(1 + 20 * 3, own.nr);
	EXPECT_EQ(0, own.lost);
	EXPECT_FALSE(log_has_gap(&own));
}

/*
 * The samples that the timer takes must leave room in the buffer for the sample that is taken when
 * the session stops, even if nobody ever reads the buffer.
 */
TEST_F_TIMEOUT(watermark, the_timer_leaves_room_for_the_stop, 240)
{
	const struct log_plan plan = {
		.groups = 1, .buffer = 8, .interval_ns = MS,
		.timer = BPMU_TIMER_HARD,
	};
	const struct bpmu_sample *last;
	unsigned int wait_us = 20000;

	/*
	 * The session is repeated, each time for twice as long, until its timer has taken at least
	 * twice as many samples as the buffer holds.
	 */
	do {
		ASSERT_EQ(0, log_configure(&own, &plan));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		usleep(wait_us);
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		ASSERT_EQ(0, log_read(&own));
		ASSERT_LT(0, own.nr);
		last = &own.sample[own.nr - 1].head;
		wait_us *= 2;
	} while (own.nr + own.lost < 2 * plan.buffer && wait_us < 20000000);
	EXPECT_LE(2 * plan.buffer, own.nr + own.lost);
	EXPECT_EQ(5, own.nr);
	EXPECT_EQ(BPMU_SAMPLE_TIMER, own.sample[3].head.flags);
	EXPECT_EQ(BPMU_SAMPLE_STOP, last->flags);
	EXPECT_EQ(own.nr + own.lost, last->seq + 1);
}

TEST_F(watermark, a_loss_has_a_begin_and_an_end)
{
	uint64_t first, last;

	ASSERT_EQ(0, configure(8, 0));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, sample(4));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(1, own.lost);
	first = own.lost_first;
	EXPECT_LT(own.sample[own.nr - 1].head.tsc_begin, first);
	EXPECT_EQ(first, own.lost_last);
	ASSERT_EQ(0, sample(6));
	ASSERT_EQ(0, log_read(&own));
	last = own.lost_last;
	EXPECT_EQ(3, own.lost);
	EXPECT_EQ(first, own.lost_first);
	EXPECT_LT(own.sample[own.nr - 1].head.tsc_begin, last);
	/* When the session is started again, its losses must be counted from 0 again. */
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, sample(4));
	own.nr = 0;
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(1, own.lost);
	EXPECT_LT(last, own.lost_first);
}

/* The buffer must have room for the samples that START takes: one of each group. */
TEST_F(watermark, a_buffer_for_fewer_than_all_groups_is_refused)
{
	struct log_plan plan = {
		.groups = 5, .buffer = 8, .interval_ns = 1000 * MS,
	};

	EXPECT_EQ(-EINVAL, log_configure(&own, &plan));
	EXPECT_STREQ("the buffer is too small: it needs one sample per group, and BPMU_RESERVED_SAMPLES more",
		     own.genl.sentence);
	plan.groups = 4;
	EXPECT_EQ(0, log_configure(&own, &plan));
}

TEST_F(watermark, a_watermark_that_is_never_reached_is_refused)
{
	EXPECT_EQ(-EINVAL, configure(16, 13));
	EXPECT_STREQ("the watermark cannot be reached: periodic samples leave BPMU_RESERVED_SAMPLES of the buffer free",
		     own.genl.sentence);
	ASSERT_EQ(0, configure(16, 12));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, sample(10));
	EXPECT_FALSE(told_within(SOON_MS));
	ASSERT_EQ(0, sample(1));
	EXPECT_TRUE(told_within(PATIENCE_MS));
}

TEST_F(watermark, start_may_pass_the_watermark)
{
	struct log_plan plan = { .groups = 3, .watermark = 1 };
	uint32_t mark;

	for (mark = 1; mark <= 3; mark++) {
		plan.watermark = mark;
		plan.interval_ns = 1000 * MS;
		plan.timer = BPMU_TIMER_HARD;
		ASSERT_EQ(0, log_configure(&own, &plan));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
		EXPECT_TRUE(told_within(PATIENCE_MS));
		ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
		forget();
	}
}

TEST_F(watermark, the_watermark_is_notified_once_until_a_read)
{
	ASSERT_EQ(0, configure(16, 4));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, sample(3));
	EXPECT_TRUE(told_within(PATIENCE_MS));
	/*
	 * The buffer stays above the watermark and loses samples. There must be no second
	 * notification.
	 */
	ASSERT_EQ(0, sample(20));
	EXPECT_FALSE(told_within(SOON_MS));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(12, own.nr);
	EXPECT_FALSE(told_within(SOON_MS));
	ASSERT_EQ(0, sample(4));
	EXPECT_TRUE(told_within(PATIENCE_MS));
}

/* Sends a request without reading the answer, which stays in the socket's queue. */
static int send_only(uint8_t command, uint16_t flags)
{
	struct nlmsghdr *message = genl_new(&own.genl, command, flags);

	message->nlmsg_flags &= ~NLM_F_ACK;
	return mnl_socket_sendto(own.genl.socket, message,
				 message->nlmsg_len) < 0;
}

/* Reads the answer to the request that send_only() has sent, up to the end of the dump. */
static int drain(void)
{
	const struct nlmsghdr *answer;
	int left;

	for (;;) {
		left = mnl_socket_recvfrom(own.genl.socket, own.genl.buffer,
					   sizeof(own.genl.buffer));
		if (left < 0)
			return -errno;
		answer = (const struct nlmsghdr *)own.genl.buffer;
		for (; mnl_nlmsg_ok(answer, left);
		     answer = mnl_nlmsg_next(answer, &left)) {
			if (answer->nlmsg_type == NLMSG_DONE)
				return *(const int *)
				       mnl_nlmsg_get_payload(answer);
			if (answer->nlmsg_type >= NLMSG_MIN_TYPE)
				log_take(&own, answer);
		}
	}
}

/*
 * A dump does not have the samples that are taken while it is in progress. These samples stay in
 * the buffer, which is then above the watermark.
 */
TEST_F(watermark, a_read_that_leaves_the_watermark_exceeded_notifies)
{
	const struct log_plan plan = {
		.groups = 1, .buffer = 2 * MANY, .watermark = 8,
	};
	unsigned int first;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	ASSERT_EQ(0, sample(MANY));
	EXPECT_TRUE(told_within(PATIENCE_MS));
	EXPECT_FALSE(told_within(SOON_MS));
	ASSERT_EQ(0, send_only(BPMU_CMD_READ, NLM_F_DUMP));
	/*
	 * Samples are taken during the dump. When the dump ends, these samples are above the
	 * watermark. No later sample reaches the watermark, so the end of the dump must notify.
	 */
	ASSERT_EQ(0, send_only(BPMU_CMD_SAMPLE, 0));
	EXPECT_TRUE(told_within(PATIENCE_MS));
	for (first = 0; first < 8; first++)
		ASSERT_EQ(0, send_only(BPMU_CMD_SAMPLE, 0));
	forget();
	ASSERT_EQ(0, drain());
	EXPECT_EQ(MANY + 1, own.nr);
	EXPECT_TRUE(told_within(PATIENCE_MS));
	forget();
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(MANY + 1 + 9, own.nr);
	EXPECT_FALSE(log_has_gap(&own));
	EXPECT_FALSE(told_within(SOON_MS));
}

/* The reader waits for a notification, reads, and waits for the next one. Nothing else wakes it. */
TEST_F_TIMEOUT(watermark, a_reader_that_waits_for_notifications_sees_all, 240)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
		.buffer = BPMU_MAX_BUFFER_SAMPLES, .watermark = 2,
	};
	unsigned int reads = 0;

	ASSERT_EQ(0, log_configure(&own, &plan));
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_START));
	while (own.nr < 2 * MANY) {
		ASSERT_TRUE(told_within(PATIENCE_MS));
		ASSERT_EQ(0, log_read(&own));
		reads++;
	}
	TH_LOG("%u samples by %u reads", own.nr, reads);
	ASSERT_EQ(0, genl_command(&own.genl, BPMU_CMD_STOP));
	ASSERT_EQ(0, log_read(&own));
	EXPECT_EQ(0, own.lost);
	EXPECT_FALSE(log_has_gap(&own));
	EXPECT_EQ(0, own.sample[0].head.seq);
}

TEST_HARNESS_MAIN
