// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of reading samples while a new run begins: no sample is lost, because the interrupted dump
 * is read again. The test makes the kernel's messages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/genetlink.h>

#include "client/client_own.h"
#include "unit.h"

#define SIZE (sizeof(struct bpmu_sample) + sizeof(u64))

/**
 * struct reply - an answer to a read of samples: a message with one sample, and the end message
 * @seq: sequence number of the sample
 * @flags: netlink flags of the end message
 */
struct reply {
	u64 seq;
	u16 flags;
};

static const struct reply *replies;
static unsigned int nr_sent;
static u64 seen[4];
static unsigned int nr_seen;
static struct bpmu_client client = { .record_size = SIZE };

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *request,
			  size_t size)
{
	(void)socket;
	(void)request;
	nr_sent++;
	return size;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer,
			    size_t size)
{
	const struct reply *reply = &replies[nr_sent - 1];
	struct bpmu_sample sample = { .seq = reply->seq, .nr = 1 };
	char record[SIZE] = "";
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	struct nlmsghdr *done;

	(void)socket;
	(void)size;
	nlh->nlmsg_type = 77;
	nlh->nlmsg_flags = NLM_F_MULTI;
	nlh->nlmsg_seq = client.nl.seq;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct genlmsghdr));
	memcpy(record, &sample, sizeof(sample));
	mnl_attr_put(nlh, BPMU_A_SAMPLES, sizeof(record), record);
	done = mnl_nlmsg_put_header((char *)buffer + nlh->nlmsg_len);
	done->nlmsg_type = NLMSG_DONE;
	done->nlmsg_flags = NLM_F_MULTI | reply->flags;
	done->nlmsg_seq = client.nl.seq;
	mnl_nlmsg_put_extra_header(done, sizeof(int));
	return nlh->nlmsg_len + done->nlmsg_len;
}

static void on_samples(void *data, const struct bpmu_taken_sample *samples, unsigned int nr)
{
	(void)data;
	assert_int_equal(nr, 1);
	assert_in_range(nr_seen, 0, 3);
	seen[nr_seen++] = samples->head->seq;
}

static const struct bpmu_reader reader = { .samples = on_samples };

static void begin(const struct reply *first)
{
	replies = first;
	nr_sent = 0;
	nr_seen = 0;
}

TEST(an_uninterrupted_dump_is_read_once)
{
	static const struct reply whole[] = { { 5, 0 } };
	struct bpmu_error err;

	begin(whole);
	assert_int_equal(bpmu_client_read(&client, &reader, &err), 0);
	assert_int_equal(nr_sent, 1);
	assert_int_equal(nr_seen, 1);
}

TEST(an_interrupted_dump_is_read_again)
{
	static const struct reply twice[] = {
		{ 8, NLM_F_DUMP_INTR }, { 9, NLM_F_DUMP_INTR }, { 0, 0 },
	};
	struct bpmu_error err;

	begin(twice);
	assert_int_equal(bpmu_client_read(&client, &reader, &err), 0);
	assert_int_equal(nr_sent, 3);
	assert_int_equal(nr_seen, 3);
	assert_int_equal(seen[0], 8);
	assert_int_equal(seen[2], 0);
}

/*
 * The tool was copying samples of another session when a new run of this session began. The
 * position of the copy in the samples of the old run has no meaning in the new run, so the call
 * must return an error.
 */
TEST(an_interrupted_copy_is_an_error)
{
	static const struct reply cut[] = { { 8, NLM_F_DUMP_INTR }, { 9, 0 } };
	const struct bpmu_position from = { .seq = 8 };
	struct bpmu_error err;

	begin(cut);
	assert_int_equal(bpmu_client_copy(&client, &from, 1, &reader, &err),
			 -EINTR);
	assert_int_equal(nr_sent, 1);
	assert_non_null(strstr(err.text, "read it again"));
}
