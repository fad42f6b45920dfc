// SPDX-License-Identifier: GPL-2.0
/*
 * BPMU_CMD_READ: samples out of the module, or copies of them.
 */
#include <errno.h>
#include <string.h>
#include <linux/genetlink.h>

#include "client_own.h"

/* of an attribute */
#define POSITIONS_MAX 4000

/**
 * struct reading - a dump on its way to a reader
 * @reader: who gets it
 * @record_size: bytes of a record
 */
struct reading {
	const struct bpmu_reader *reader;
	u32 record_size;
};

/**
 * bpmu_client_record() - take a record apart
 * @record: aligned or not, as in a message
 * @size: of it
 * @sample: filled in
 * @values: filled in, as many as there are; what follows them is left out
 *
 * Context: any.
 */
void bpmu_client_record(const void *record, u32 size,
			struct bpmu_sample *sample,
			u64 values[BPMU_MAX_COUNTERS])
{
	const char *at = record;
	u32 bytes;

	memcpy(sample, at, sizeof(*sample));
	bytes = sample->nr * sizeof(*values);
	if (bytes > BPMU_MAX_COUNTERS * sizeof(*values))
		bytes = BPMU_MAX_COUNTERS * sizeof(*values);
	if (bytes > size - sizeof(*sample))
		bytes = size - sizeof(*sample);
	memcpy(values, at + sizeof(*sample), bytes);
}

static int take_samples(const struct nlattr *attr, struct reading *reading)
{
	const char *at = mnl_attr_get_payload(attr);
	u32 len = mnl_attr_get_payload_len(attr);
	u64 values[BPMU_MAX_COUNTERS] = { };
	struct bpmu_sample sample;

	if (!reading->record_size || len % reading->record_size)
		return MNL_CB_ERROR;
	if (reading->reader->records) {
		reading->reader->records(reading->reader->data, at, len);
		return MNL_CB_OK;
	}
	for (; len; len -= reading->record_size) {
		bpmu_client_record(at, reading->record_size, &sample, values);
		reading->reader->sample(reading->reader->data, &sample,
					values);
		at += reading->record_size;
	}
	return MNL_CB_OK;
}

static int loss_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_client_loss *loss = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_LOSS_CPU:
		return bpmu_client_take_u32(attr, &loss->cpu);
	case BPMU_A_LOSS_COUNT:
		return bpmu_client_take_u64(attr, &loss->count);
	case BPMU_A_LOSS_TSC_FIRST:
		return bpmu_client_take_u64(attr, &loss->tsc_first);
	case BPMU_A_LOSS_TSC_LAST:
		return bpmu_client_take_u64(attr, &loss->tsc_last);
	default:
		return MNL_CB_OK;
	}
}

static int take_loss(const struct nlattr *attr, struct reading *reading)
{
	struct bpmu_client_loss loss = { };

	if (mnl_attr_parse_nested(attr, loss_attr, &loss) < 0)
		return MNL_CB_ERROR;
	reading->reader->loss(reading->reader->data, &loss);
	return MNL_CB_OK;
}

static int read_attr(const struct nlattr *attr, void *data)
{
	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_SAMPLES:
		return take_samples(attr, data);
	case BPMU_A_LOSS:
		return take_loss(attr, data);
	default:
		return MNL_CB_OK;
	}
}

static int read_reply(const struct nlmsghdr *nlh, void *data)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), read_attr, data);
}

static int read_all(struct bpmu_client *client, struct nlmsghdr *request,
		    const struct bpmu_reader *reader, struct bpmu_error *err)
{
	struct reading reading = { reader, client->record_size };

	if (client->record_size > sizeof(struct bpmu_sample) +
				  BPMU_MAX_COUNTERS * sizeof(u64) +
				  sizeof(struct bpmu_who))
		return bpmu_error_set(err, -EPROTO,
			"netlink: records of %u bytes are too large; do module and tool belong together?",
			client->record_size);
	return bpmu_nl_call(&client->nl, request, read_reply, &reading, err);
}

/**
 * bpmu_client_read() - take the stored samples out of the module
 * @client: configured
 * @reader: gets them
 * @err: filled on an error
 *
 * A dump ends where it meets another run; that is read by the next one.
 *
 * Return: 0 or a negative errno.
 */
int bpmu_client_read(struct bpmu_client *client,
		     const struct bpmu_reader *reader, struct bpmu_error *err)
{
	int code;

	do {
		code = read_all(client,
				bpmu_nl_request(&client->nl, BPMU_CMD_READ,
						NLM_F_DUMP), reader, err);
	} while (code == -EINTR);
	return code;
}

/**
 * bpmu_client_copy() - copies of the samples of whoever has the session
 * @client: has asked for its plan
 * @from: the first sample wanted of each CPU of the session
 * @nr: their number
 * @reader: gets them
 * @err: filled on an error
 *
 * Return: 0, -ENOTCONN without a session, -EINTR if another run has begun
 * meanwhile, for which @from is not made, or another negative errno.
 */
int bpmu_client_copy(struct bpmu_client *client,
		     const struct bpmu_position *from, unsigned int nr,
		     const struct bpmu_reader *reader, struct bpmu_error *err)
{
	struct nlmsghdr *nlh;

	if (nr > POSITIONS_MAX)
		return bpmu_error_set(err, -E2BIG,
			"session: has %u CPUs; at most %u can be read beside its owner",
			nr, POSITIONS_MAX);
	nlh = bpmu_nl_request(&client->nl, BPMU_CMD_READ, NLM_F_DUMP);
	mnl_attr_put(nlh, BPMU_A_FROM, nr * sizeof(*from), from);
	return read_all(client, nlh, reader, err);
}
