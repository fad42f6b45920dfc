// SPDX-License-Identifier: GPL-2.0
#include "client.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "client_own.h"
#include "free.h"
#include "holder.h"

/* Copies a 32-bit attribute's value; returns MNL_CB_ERROR if the attribute has another type. */
static int take_u32(const struct nlattr *attr, u32 *to)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U32) < 0)
		return MNL_CB_ERROR;
	*to = mnl_attr_get_u32(attr);
	return MNL_CB_OK;
}

/* Copies a 64-bit attribute's value; returns MNL_CB_ERROR if the attribute has another type. */
static int take_u64(const struct nlattr *attr, u64 *to)
{
	if (mnl_attr_validate(attr, MNL_TYPE_U64) < 0)
		return MNL_CB_ERROR;
	*to = mnl_attr_get_u64(attr);
	return MNL_CB_OK;
}

/**
 * client_take_text() - copy a text attribute, without control characters
 * @attr: attribute
 * @to: set to the text, truncated to @size
 * @size: size of @to in bytes
 *
 * Return: MNL_CB_OK, or MNL_CB_ERROR if the attribute has another type.
 */
static int client_take_text(const struct nlattr *attr, char *to, size_t size)
{
	if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) < 0)
		return MNL_CB_ERROR;
	snprintf(to, size, "%s", mnl_attr_get_str(attr));
	bpmu_plain(to, "");
	return MNL_CB_OK;
}

/**
 * take_cpus() - copy CPU numbers from an attribute
 * @attr: attribute; a long list of CPUs is sent in several attributes
 * @to: list to which the CPU numbers are appended; to be freed with bpmu_cpulist_free()
 *
 * Return: MNL_CB_OK, MNL_CB_ERROR if the attribute has another type, or -ENOMEM.
 */
static int take_cpus(const struct nlattr *attr, struct bpmu_cpulist *to)
{
	u32 len = mnl_attr_get_payload_len(attr);
	u32 nr = len / sizeof(u32);
	u32 *grown;

	if (!len || len % sizeof(u32))
		return MNL_CB_ERROR;
	grown = reallocarray(to->cpu, to->nr + nr, sizeof(u32));
	if (!grown)
		return -ENOMEM;
	to->cpu = grown;
	memcpy(&grown[to->nr], mnl_attr_get_payload(attr), len);
	to->nr += nr;
	return MNL_CB_OK;
}

/**
 * struct received_plan - contents of a reply to BPMU_CMD_GET_PLAN: what the session counts
 * @plan: CPUs, groups and state of the session
 * @record_size: size in bytes of the sample records that the session sends
 */
struct received_plan {
	struct bpmu_client_plan *plan;
	u32 record_size;
};

static int event_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_sched_slot *slot = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_EVENT_COUNTER:
		return take_u32(attr, &slot->counter);
	case BPMU_A_EVENT_SIBLING:
		return take_u32(attr, &slot->sibling);
	case BPMU_A_EVENT_SELECT:
		return take_u64(attr, &slot->select);
	case BPMU_A_EVENT_FILTER:
		return take_u64(attr, &slot->filter);
	default:
		return MNL_CB_OK;
	}
}

static int client_group_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_sched *group = data;
	struct bpmu_sched_slot *slot = &group->slot[group->nr];

	if (mnl_attr_get_type(attr) != BPMU_A_GROUP_EVENT)
		return MNL_CB_OK;
	if (group->nr == BPMU_MAX_COUNTERS)
		return MNL_CB_ERROR;
	slot->value = group->nr++;
	group->values++;
	return mnl_attr_parse_nested(attr, event_attr, slot);
}

static int client_take_group(const struct nlattr *attr, struct bpmu_client_plan *plan)
{
	struct bpmu_sched *group = &plan->group[plan->nr_groups];
	int code, bank;

	if (plan->nr_groups == BPMU_GROUPS_MAX)
		return MNL_CB_ERROR;
	plan->nr_groups++;
	code = mnl_attr_parse_nested(attr, client_group_attr, group);
	bank = bpmu_bank_of(group->slot[0].counter);
	if (code < 0 || bank < 0)
		return MNL_CB_ERROR;
	group->bank = bank;
	return code;
}

static int plan_attr(const struct nlattr *attr, void *data)
{
	struct received_plan *reply = data;
	struct bpmu_client_plan *plan = reply->plan;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_CPUS:
		return take_cpus(attr, &plan->cpus);
	case BPMU_A_OTHER_GROUP:
		plan->hybrid = true;
		return MNL_CB_OK;
	case BPMU_A_GROUP:
	case BPMU_A_UNCORE_GROUP:
	case BPMU_A_FREE_GROUP:
		return client_take_group(attr, plan);
	case BPMU_A_INTERVAL_NS:
		return take_u64(attr, &plan->interval_ns);
	case BPMU_A_TIMER:
		return take_u32(attr, &plan->timer);
	case BPMU_A_RECORD_SIZE:
		return take_u32(attr, &reply->record_size);
	case BPMU_A_RUN:
		return take_u32(attr, &plan->run);
	case BPMU_A_PLAN:
		return take_u32(attr, &plan->number);
	case BPMU_A_INFO_STATE:
		return take_u32(attr, &plan->state);
	case BPMU_A_INFO_OWNER_PID:
		return take_u32(attr, &plan->owner_pid);
	case BPMU_A_INFO_OWNER_COMM:
		return client_take_text(attr, plan->owner_comm,
						    sizeof(plan->owner_comm));
	default:
		return MNL_CB_OK;
	}
}

static int plan_reply(const struct nlmsghdr *nlh, void *data)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), plan_attr, data);
}

static bool is_complete_plan(const struct received_plan *reply)
{
	return reply->plan->cpus.nr && reply->plan->nr_groups &&
	       reply->record_size >= sizeof(struct bpmu_sample) +
				     reply->plan->group[0].values * sizeof(u64);
}

/*
 * Checks the size of a sample record. The module sends this size in its replies to
 * BPMU_CMD_GET_PLAN and BPMU_CMD_CONFIGURE. Returns 0, or -EPROTO if the size exceeds that of the
 * largest record that this version of the tool can read.
 */
static int check_record_size(const struct bpmu_client *client,
			     struct bpmu_error *err)
{
	if (client->record_size <= sizeof(struct bpmu_sample) +
				   BPMU_MAX_COUNTERS * sizeof(u64) +
				   sizeof(struct bpmu_who))
		return 0;
	return bpmu_error_set(err, -EPROTO,
		"netlink: records of %u bytes are too large; do module and tool belong together?",
		client->record_size);
}

/**
 * bpmu_client_plan() - let a client read what its own or another client's session counts
 * @client: client from bpmu_client_open()
 * @plan: filled in; free it with bpmu_client_plan_free(), on an error too
 *
 * Return: 0, -ENOTCONN without a session, -EPERM if the caller may not read the samples of the
 * session, or another negative errno.
 */
int bpmu_client_plan(struct bpmu_client *client, struct bpmu_client_plan *plan,
		     struct bpmu_error *err)
{
	struct received_plan reply = { .plan = plan };
	int code;

	memset(plan, 0, sizeof(*plan));
	plan->group = calloc(BPMU_GROUPS_MAX, sizeof(*plan->group));
	if (!plan->group)
		return bpmu_error_no_memory(err, "client");
	code = bpmu_nl_call(&client->nl,
			    bpmu_nl_request(&client->nl, BPMU_CMD_GET_PLAN,
					    0), plan_reply, &reply, err);
	if (code)
		return code;
	if (!is_complete_plan(&reply))
		return bpmu_error_set(err, -EPROTO,
			"netlink: a plan without CPUs, events or records; do module and tool belong together?");
	client->record_size = reply.record_size;
	return check_record_size(client, err);
}

/**
 * bpmu_client_plan_free() - free the description of a session that bpmu_client_plan() has read
 * @plan: from bpmu_client_plan(), also if that function failed
 */
void bpmu_client_plan_free(struct bpmu_client_plan *plan)
{
	bpmu_cpulist_free(&plan->cpus);
	free(plan->group);
	memset(plan, 0, sizeof(*plan));
}

/*
 * Maximum number of positions in a request to read samples. A position tells for one CPU which
 * sample is the first to be sent. All positions are in one netlink attribute, which is shorter than
 * 64 KiB; a position has 16 bytes.
 */
#define POSITIONS_MAX 4000

/*
 * Maximum number of samples that a reader gets at once. &struct bpmu_slice_sums can add 16 rotation
 * slices of a group together, so that these are enough for two multiplexed groups.
 */
#define SAMPLES_AT_ONCE 32

/**
 * struct reading - state of reading samples, which the module sends in several messages
 * @reader: callbacks that are called with the samples
 * @record_size: size of a sample record in bytes
 * @sample: samples that @reader gets at once; they point to @head and @values
 * @head: times, flags and numbers of these samples
 * @values: their raw counter values
 */
struct reading {
	const struct bpmu_reader *reader;
	u32 record_size;
	struct bpmu_taken_sample sample[SAMPLES_AT_ONCE];
	struct bpmu_sample head[SAMPLES_AT_ONCE];
	u64 values[SAMPLES_AT_ONCE][BPMU_MAX_COUNTERS];
};

/**
 * bpmu_client_record() - split a record that the client received into the sample and its values
 * @record: record of a message, unaligned
 * @size: size of @record in bytes
 * @sample: filled in
 * @values: filled in with the raw counter values, [sample->nr]; values beyond %BPMU_MAX_COUNTERS
 *	are ignored, and so is the rest of the record
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

/*
 * Calls the reader's callback with all interrupt records of a netlink attribute: @at is their
 * address, @len their length in bytes. Each record states its own length, which may exceed the size
 * of the struct: a newer module may have added fields at the end. The callback is not called if a
 * length is invalid.
 */
static int client_read_overflows(const struct bpmu_reader *reader, const char *at, u32 len)
{
	const long least = sizeof(struct bpmu_overflow);
	const char *record, *end = at + len;
	u16 size;

	for (record = at; record < end; record += size) {
		if (end - record < least)
			return MNL_CB_ERROR;
		memcpy(&size, record + offsetof(struct bpmu_overflow, size), sizeof(size));
		if (size < least || size > end - record)
			return MNL_CB_ERROR;
	}
	if (reader->overflows)
		reader->overflows(reader->data, at, len);
	return MNL_CB_OK;
}

static int client_read_loss(const struct bpmu_reader *reader, const struct nlattr *nest)
{
	const struct nlattr *attr;
	u64 count = 0;
	u32 cpu = 0;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == BPMU_A_LOSS_CPU && take_u32(attr, &cpu) < 0)
			return MNL_CB_ERROR;
		if (mnl_attr_get_type(attr) == BPMU_A_LOSS_COUNT && take_u64(attr, &count) < 0)
			return MNL_CB_ERROR;
	}
	if (reader->overflows_lost)
		reader->overflows_lost(reader->data, cpu, count);
	return MNL_CB_OK;
}

/* Calls the callbacks in &struct bpmu_reader with the records of a message from the module. */
static int read_reply(const struct nlmsghdr *nlh, void *data)
{
	struct reading *reading = data;
	const struct bpmu_reader *reader = reading->reader;
	const struct nlattr *attr;
	int code = MNL_CB_OK;
	unsigned int nr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		const char *at = mnl_attr_get_payload(attr);
		u32 len = mnl_attr_get_payload_len(attr);

		switch (mnl_attr_get_type(attr)) {
		case BPMU_A_SAMPLES:
			/*
			 * The samples of a CPU are in order of time. If samples were lost, numbers
			 * are missing between the sequence numbers of the samples; the callbacks
			 * detect this.
			 */
			if (!reading->record_size || len % reading->record_size)
				return MNL_CB_ERROR;
			if (reader->records) {
				reader->records(reader->data, at, len);
				break;
			}
			while (len) {
				for (nr = 0; len && nr < SAMPLES_AT_ONCE; nr++) {
					bpmu_client_record(at, reading->record_size,
							   &reading->head[nr], reading->values[nr]);
					reading->sample[nr].head = &reading->head[nr];
					reading->sample[nr].values = reading->values[nr];
					at += reading->record_size;
					len -= reading->record_size;
				}
				reader->samples(reader->data, reading->sample, nr);
			}
			break;
		case BPMU_A_OVERFLOWS:
			code = client_read_overflows(reader, at, len);
			break;
		case BPMU_A_OVERFLOW_LOSS:
			code = client_read_loss(reader, attr);
			break;
		}
		if (code != MNL_CB_OK)
			return code;
	}
	return MNL_CB_OK;
}

/**
 * bpmu_client_read() - let a client consume the samples of its own session
 * @client: has configured a session
 * @reader: callbacks for the samples
 *
 * A session may be started again after it was stopped; each start begins a new run. A call of this
 * function reads no further than to the end of a run, and the next call continues with the next
 * run.
 */
int bpmu_client_read(struct bpmu_client *client,
		     const struct bpmu_reader *reader, struct bpmu_error *err)
{
	struct reading reading = { .reader = reader, .record_size = client->record_size };
	struct nlmsghdr *nlh;
	int code;

	do {
		nlh = bpmu_nl_request(&client->nl, BPMU_CMD_READ, NLM_F_DUMP);
		code = bpmu_nl_call(&client->nl, nlh, read_reply, &reading, err);
	} while (code == -EINTR);
	return code;
}

/**
 * bpmu_client_copy() - let a client copy samples of the session of another client
 * @client: open; bpmu_client_plan() has succeeded on it
 * @from: sequence number of the first sample to copy, [@nr], one per CPU of the session
 * @nr: number of CPUs of the session
 * @reader: callbacks for the samples
 *
 * Return: 0, -ENOTCONN without a session, -EINTR if the session was started again (the sequence
 * numbers in @from are of samples before that start), or another negative errno.
 */
int bpmu_client_copy(struct bpmu_client *client,
		     const struct bpmu_position *from, unsigned int nr,
		     const struct bpmu_reader *reader, struct bpmu_error *err)
{
	struct reading reading = { .reader = reader, .record_size = client->record_size };
	struct nlmsghdr *nlh;

	if (nr > POSITIONS_MAX)
		return bpmu_error_set(err, -E2BIG,
			"session: has %u CPUs; at most %u can be read beside its owner",
			nr, POSITIONS_MAX);
	nlh = bpmu_nl_request(&client->nl, BPMU_CMD_READ, NLM_F_DUMP);
	mnl_attr_put(nlh, BPMU_A_FROM, nr * sizeof(*from), from);
	return bpmu_nl_call(&client->nl, nlh, read_reply, &reading, err);
}

/**
 * bpmu_client_open() - connect a client to the module
 * @client: set to the client, which bpmu_client_close() frees; not set on failure
 *
 * Return: 0, -ENOENT if the module is not loaded, or another negative errno.
 */
int bpmu_client_open(struct bpmu_client **client, struct bpmu_error *err)
{
	struct bpmu_client *c = malloc(sizeof(*c));
	int code;

	if (!c)
		return bpmu_error_no_memory(err, "client");
	c->listen.socket = NULL;
	c->record_size = 0;
	code = bpmu_nl_open(&c->nl, NULL, err);
	if (code) {
		free(c);
		return code;
	}
	*client = c;
	return 0;
}

/**
 * bpmu_client_close() - disconnect a client from the module, which ends the client's session
 * @client: open, or NULL; freed
 */
void bpmu_client_close(struct bpmu_client *client)
{
	if (!client)
		return;
	bpmu_nl_close(&client->listen);
	bpmu_nl_close(&client->nl);
	free(client);
}

static int client_take_u8(const struct nlattr *attr, u8 *to)
{
	u32 value;

	if (take_u32(attr, &value) < 0 || value > 0xff)
		return MNL_CB_ERROR;
	*to = value;
	return MNL_CB_OK;
}

static int take_selects(const struct nlattr *attr, struct bpmu_info *info)
{
	u32 len = mnl_attr_get_payload_len(attr);

	if (len % sizeof(u64) || len > sizeof(info->select))
		return MNL_CB_ERROR;
	memcpy(info->select, mnl_attr_get_payload(attr), len);
	info->nr_selects = len / sizeof(u64);
	return MNL_CB_OK;
}

/**
 * struct box - how many boxes a unit of the uncore has, as received from the module
 * @unit: the unit, such as the memory controllers, &enum bpmu_unit
 * @nr: number of boxes (instances of the unit, each with its own counters)
 * @counters: number of counters of each box
 */
struct box {
	u32 unit;
	u8 nr;
	u8 counters;
};

static int box_attr(const struct nlattr *attr, void *data)
{
	struct box *box = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_BOX_UNIT:
		return take_u32(attr, &box->unit);
	case BPMU_A_BOX_NR:
		return client_take_u8(attr, &box->nr);
	case BPMU_A_BOX_COUNTERS:
		return client_take_u8(attr, &box->counters);
	default:
		return MNL_CB_OK;
	}
}

/*
 * Copies the number of boxes (instances) of a unit of the uncore, and of their counters, to @pmu. A
 * unit that this version of the tool does not know is ignored.
 */
static int client_take_box(const struct nlattr *attr, struct bpmu_pmu *pmu)
{
	struct box box = { .unit = BPMU_UNITS };
	int code = mnl_attr_parse_nested(attr, box_attr, &box);

	if (code >= 0 && box.unit < BPMU_UNITS) {
		pmu->nr[box.unit] = box.nr;
		pmu->counters[box.unit] = box.counters;
	}
	return code;
}

static int pmu_attr(const struct nlattr *attr, struct bpmu_info *info)
{
	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_INFO_PMU_VERSION:
		return client_take_u8(attr, &info->pmu.version);
	case BPMU_A_INFO_GP_COUNTERS:
		return client_take_u8(attr, &info->pmu.gp_counters);
	case BPMU_A_INFO_GP_WIDTH:
		return client_take_u8(attr, &info->pmu.gp_width);
	case BPMU_A_INFO_FIXED_COUNTERS:
		return client_take_u8(attr, &info->pmu.fixed_counters);
	case BPMU_A_INFO_FIXED_WIDTH:
		return client_take_u8(attr, &info->pmu.fixed_width);
	case BPMU_A_INFO_METRICS:
		return client_take_u8(attr, &info->pmu.metrics);
	case BPMU_A_INFO_BOX:
		return client_take_box(attr, &info->pmu);
	case BPMU_A_INFO_ABSENT:
		return client_take_u8(attr, &info->pmu.absent);
	case BPMU_A_INFO_PRECISE:
		return take_u64(attr, &info->pmu.pebs);
	case BPMU_A_INFO_BRANCHES:
		return client_take_u8(attr, &info->pmu.lbr.depth);
	case BPMU_A_INFO_PEBS:
		return client_take_u8(attr, &info->pmu.pebs_format);
	case BPMU_A_INFO_IBS:
		return take_u32(attr, &info->pmu.ibs);
	case BPMU_A_INFO_GLOBAL:
		return client_take_u8(attr, &info->pmu.global);
	case BPMU_A_INFO_FREE:
		return take_u64(attr, &info->pmu.free);
	case BPMU_A_INFO_UNITS:
		return take_u64(attr, &info->pmu.units);
	case BPMU_A_INFO_TJMAX:
		return client_take_u8(attr, &info->pmu.tjmax);
	case BPMU_A_INFO_SELECT_MASK:
		return take_u64(attr, &info->pmu.legal);
	case BPMU_A_INFO_TSC_KHZ:
		return take_u32(attr, &info->tsc_khz);
	case BPMU_A_INFO_CPUS_ONLINE:
		return take_u32(attr, &info->cpus_online);
	default:
		return MNL_CB_OK;
	}
}

static int info_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_info *info = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_INFO_MODULE_VERSION:
		return client_take_text(attr, info->module_version,
						    sizeof(info->module_version));
	case BPMU_A_INFO_PART:
		return client_take_text(attr, info->part,
						    sizeof(info->part));
	case BPMU_A_INFO_PART_TITLE:
		return client_take_text(attr, info->title,
						    sizeof(info->title));
	case BPMU_A_INFO_FAMILY:
		return take_u32(attr, &info->family);
	case BPMU_A_INFO_MODEL:
		return take_u32(attr, &info->model);
	case BPMU_A_INFO_STEPPING:
		return take_u32(attr, &info->stepping);
	case BPMU_A_INFO_STATE:
		return take_u32(attr, &info->state);
	case BPMU_A_INFO_OWNER_PID:
		return take_u32(attr, &info->owner_pid);
	case BPMU_A_INFO_OWNER_COMM:
		return client_take_text(attr, info->owner_comm,
						    sizeof(info->owner_comm));
	case BPMU_A_INFO_BUSY:
		info->busy = true;
		return MNL_CB_OK;
	case BPMU_A_INFO_PREFETCH:
		return take_u32(attr, &info->prefetch);
	case BPMU_A_INFO_STATUS:
		return take_u64(attr, &info->status);
	case BPMU_A_INFO_SELECTS:
		return take_selects(attr, info);
	case BPMU_A_INFO_FOREIGN:
		return take_u64(attr, &info->foreign);
	case BPMU_A_INFO_OBSTACLES:
		return take_u32(attr, &info->obstacles);
	case BPMU_A_INFO_BATCH:
		return take_u32(attr, &info->batch);
	default:
		return pmu_attr(attr, info);
	}
}

static int info_reply(const struct nlmsghdr *nlh, void *info)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), info_attr, info);
}

static int ask_info(struct bpmu_client *client, struct nlmsghdr *nlh,
		    struct bpmu_info *info, struct bpmu_error *err)
{
	int code;

	memset(info, 0, sizeof(*info));
	code = bpmu_nl_call(&client->nl, nlh, info_reply, info, err);
	if (code)
		return code;
	info->pmu.part = bpmu_part_by_name(info->part);
	return 0;
}

/**
 * bpmu_client_info() - let a client read the module's information on the machine and its session
 * @client: client from bpmu_client_open()
 * @info: filled in
 */
int bpmu_client_info(struct bpmu_client *client, struct bpmu_info *info,
		     struct bpmu_error *err)
{
	return ask_info(client,
			bpmu_nl_request(&client->nl, BPMU_CMD_GET_INFO,
					0), info, err);
}

/**
 * bpmu_client_info_of() - let a client read the module's information on a CPU, with its counters
 * @client: client from bpmu_client_open()
 * @cpu: number of the CPU; on a hybrid CPU model the counters depend on the core type
 * @info: filled in
 */
int bpmu_client_info_of(struct bpmu_client *client, u32 cpu,
			struct bpmu_info *info, struct bpmu_error *err)
{
	struct nlmsghdr *nlh;

	nlh = bpmu_nl_request(&client->nl, BPMU_CMD_GET_INFO, 0);
	mnl_attr_put_u32(nlh, BPMU_A_INFO_CPU, cpu);
	return ask_info(client, nlh, info, err);
}

/**
 * bpmu_client_pmu_of() - let a client read which counters a CPU has; refuse an unknown CPU model
 * @client: client from bpmu_client_open()
 * @cpu: number of the CPU
 * @info: filled in
 *
 * Return: 0, -EPROTO if this version of the tool does not know the CPU model, or another negative
 * errno.
 */
int bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu,
		       struct bpmu_info *info, struct bpmu_error *err)
{
	int code = bpmu_client_info_of(client, cpu, info, err);

	if (code || info->pmu.part)
		return code;
	return bpmu_error_set(err, -EPROTO,
		"part '%s': the module knows it, this tool does not; install matching versions",
		info->part);
}

/**
 * struct wanted_cpus - where to copy a list of CPUs from a reply that has several such lists
 * @type: attribute type of the list to copy
 * @cpus: set to the CPUs of this list
 */
struct wanted_cpus {
	u16 type;
	struct bpmu_cpulist *cpus;
};

static int cpus_attr(const struct nlattr *attr, void *data)
{
	const struct wanted_cpus *wanted = data;

	if (mnl_attr_get_type(attr) != wanted->type)
		return MNL_CB_OK;
	return take_cpus(attr, wanted->cpus);
}

static int cpus_reply(const struct nlmsghdr *nlh, void *wanted)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), cpus_attr, wanted);
}

static int list_cpus(struct bpmu_client *client, const u32 *cpu, u16 type,
		     struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	struct wanted_cpus wanted = { type, cpus };
	struct nlmsghdr *nlh;
	int code;

	memset(cpus, 0, sizeof(*cpus));
	do {
		bpmu_cpulist_free(cpus);
		nlh = bpmu_nl_request(&client->nl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
		if (cpu)
			mnl_attr_put_u32(nlh, BPMU_A_INFO_CPU, *cpu);
		code = bpmu_nl_call(&client->nl, nlh, cpus_reply, &wanted, err);
	} while (code == -EINTR);
	return code;
}

/**
 * bpmu_client_alike() - let a client ask for the CPUs that have the same counters as a CPU
 * @client: client from bpmu_client_open()
 * @cpu: number of the CPU
 * @cpus: set to the online CPUs with the same counters, in rising order; free it with
 *	bpmu_cpulist_free(), on an error too
 */
int bpmu_client_alike(struct bpmu_client *client, u32 cpu,
		      struct bpmu_cpulist *cpus, struct bpmu_error *err)
{
	return list_cpus(client, &cpu, BPMU_A_CPUS, cpus, err);
}

/**
 * bpmu_client_isolated() - let a client ask for the CPUs that the kernel isolates from interrupts
 * @client: client from bpmu_client_open()
 * @cpus: set to the isolated CPUs that are online; free it with bpmu_cpulist_free(), on an
 *	error too
 */
int bpmu_client_isolated(struct bpmu_client *client, struct bpmu_cpulist *cpus,
			 struct bpmu_error *err)
{
	return list_cpus(client, NULL, BPMU_A_INFO_ISOLATED, cpus, err);
}

static u64 foreign_of(const struct bpmu_info *info)
{
	return info->foreign;
}

static u64 obstacles_of(const struct bpmu_info *info)
{
	return info->obstacles;
}

/*
 * Asks the module about each CPU in @cpus. From the module's reply on a CPU, @set_of returns a bit
 * mask, such as the mask of the counters in use. Sets @found to the CPUs whose mask has a bit of
 * @wanted, and @all to the bits that the mask of any CPU has.
 */
static int find_cpus_with(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
			  u64 (*set_of)(const struct bpmu_info *info), u64 wanted,
			  struct bpmu_cpulist *found, u64 *all, struct bpmu_error *err)
{
	struct bpmu_info info;
	unsigned int i;
	int code;

	*all = 0;
	*found = (struct bpmu_cpulist){ calloc(cpus->nr + 1, sizeof(u32)), 0 };
	if (!found->cpu)
		return bpmu_error_no_memory(err, "client");
	for (i = 0; i < cpus->nr; i++) {
		code = bpmu_client_info_of(client, cpus->cpu[i], &info, err);
		if (code)
			return code;
		*all |= set_of(&info);
		if (set_of(&info) & wanted)
			found->cpu[found->nr++] = cpus->cpu[i];
	}
	return 0;
}

/**
 * bpmu_client_foreign() - let a client ask for CPUs with counters that other software has enabled
 * @client: client from bpmu_client_open()
 * @cpus: CPUs to check
 * @found: set to the CPUs with such counters; free it with bpmu_cpulist_free(), on an
 *	error too
 * @counters: set to the mask of the counters that other software than the module has enabled on any
 *	of @cpus
 *
 * The module reports these counters only to callers that may configure a session. For other
 * callers @found is empty.
 */
int bpmu_client_foreign(struct bpmu_client *client,
			const struct bpmu_cpulist *cpus,
			struct bpmu_cpulist *found, u64 *counters,
			struct bpmu_error *err)
{
	return find_cpus_with(client, cpus, foreign_of, ~0ULL, found, counters, err);
}

/**
 * bpmu_client_obstacles() - let a client ask for CPUs on which counters cannot interrupt
 * @client: client from bpmu_client_open()
 * @cpus: CPUs to check
 * @obstacle: the reason to check for, of &enum bpmu_obstacle: for example, Intel PT is tracing
 * @found: set to the CPUs that have this reason; free it with bpmu_cpulist_free(), on an error too
 *
 * The module reports such CPUs only to callers that may configure a session. For other callers
 * @found is empty.
 */
int bpmu_client_obstacles(struct bpmu_client *client, const struct bpmu_cpulist *cpus,
			  u32 obstacle, struct bpmu_cpulist *found, struct bpmu_error *err)
{
	u64 all;

	return find_cpus_with(client, cpus, obstacles_of, obstacle, found, &all, err);
}

static int one_failure_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_client_failure *failure = data;

	switch (mnl_attr_get_type(attr)) {
	case BPMU_A_FAILURE_CPU:
		return take_u32(attr, &failure->cpu);
	case BPMU_A_FAILURE_WHAT:
		return take_u32(attr, &failure->what);
	case BPMU_A_FAILURE_ERROR:
		return take_u32(attr, &failure->error);
	default:
		return MNL_CB_OK;
	}
}

static int failure_attr(const struct nlattr *attr, void *data)
{
	struct bpmu_failures *failures = data;
	struct bpmu_client_failure *grown;

	if (mnl_attr_get_type(attr) != BPMU_A_FAILURE)
		return MNL_CB_OK;
	grown = reallocarray(failures->failure, failures->nr + 1,
			     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	failures->failure = grown;
	memset(&grown[failures->nr], 0, sizeof(*grown));
	return mnl_attr_parse_nested(attr, one_failure_attr,
				     &grown[failures->nr++]);
}

static int failures_reply(const struct nlmsghdr *nlh, void *failures)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), failure_attr,
			      failures);
}

/**
 * bpmu_client_failures() - let a client ask for CPUs that its session could not program
 * @client: client from bpmu_client_open()
 * @failures: filled in; free @failures->failure, on an error too
 */
int bpmu_client_failures(struct bpmu_client *client,
			 struct bpmu_failures *failures, struct bpmu_error *err)
{
	struct nlmsghdr *nlh;
	int code;

	memset(failures, 0, sizeof(*failures));
	do {
		failures->nr = 0;
		nlh = bpmu_nl_request(&client->nl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
		code = bpmu_nl_call(&client->nl, nlh, failures_reply, failures, err);
	} while (code == -EINTR);
	return code;
}

/*
 * Appends the name and the process number of the session's owner to the error, if @code is -EBUSY
 * because another client has a session. Returns @code.
 */
static int name_owner(struct bpmu_client *client, int code,
		      struct bpmu_error *err)
{
	struct bpmu_error other;
	struct bpmu_info info;
	size_t len = strlen(err->text);

	if (code != -EBUSY || bpmu_client_info(client, &info, &other) ||
	    !info.owner_pid)
		return code;
	snprintf(err->text + len, sizeof(err->text) - len,
		 "; it is %s, process %u: wait for it, or stop it",
		 info.owner_comm, info.owner_pid);
	return code;
}

static int client_explain(struct bpmu_client *client, int code,
			  struct bpmu_error *err)
{
	size_t len = strlen(err->text);

	if (code == -EPERM)
		snprintf(err->text + len, sizeof(err->text) - len,
			 "; run as root");
	return name_owner(client, code, err);
}

/*
 * Replaces the error if neither the module nor perf, but unknown software has enabled counters of
 * the CPUs.
 */
static void explain_foreign(struct bpmu_client *client,
			    const struct bpmu_config *config,
			    struct bpmu_error *err)
{
	const struct bpmu_cpulist cpus = {
		(u32 *)config->cpus, config->nr_cpus
	};
	struct bpmu_cpulist found = { };
	struct bpmu_error ignored;
	struct bpmu_info info;
	u64 counters;
	char *text;

	if (config->take_over || bpmu_client_info(client, &info, &ignored) ||
	    info.state != BPMU_STATE_IDLE || info.busy)
		return;
	if (!bpmu_client_foreign(client, &cpus, &found, &counters, &ignored) &&
	    found.nr) {
		text = bpmu_cpulist_format(&found);
		bpmu_error_set(err, -EBUSY,
			       "CPU %s: an unknown agent has enabled counters, see 'barepmu check'; stop what writes MSRs, or take them over with --take-over",
			       text ?: "?");
		free(text);
	}
	bpmu_cpulist_free(&found);
}

static void put_event(struct nlmsghdr *nlh, const struct bpmu_sched_slot *slot)
{
	struct nlattr *nest;

	nest = mnl_attr_nest_start(nlh, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(nlh, BPMU_A_EVENT_COUNTER, slot->counter);
	mnl_attr_put_u64(nlh, BPMU_A_EVENT_SELECT, slot->select);
	if (slot->filter)
		mnl_attr_put_u64(nlh, BPMU_A_EVENT_FILTER, slot->filter);
	if (slot->sibling != slot->counter)
		mnl_attr_put_u32(nlh, BPMU_A_EVENT_SIBLING, slot->sibling);
	if (slot->period)
		mnl_attr_put_u32(nlh, BPMU_A_EVENT_PERIOD, slot->period);
	if (slot->frequency)
		mnl_attr_put_u32(nlh, BPMU_A_EVENT_FREQUENCY, slot->frequency);
	if (slot->precise)
		mnl_attr_put(nlh, BPMU_A_EVENT_PRECISE, 0, NULL);
	if (slot->data)
		mnl_attr_put(nlh, BPMU_A_EVENT_DATA, 0, NULL);
	mnl_attr_nest_end(nlh, nest);
}

static void put_group(struct nlmsghdr *nlh, u16 type,
		      const struct bpmu_sched *sched)
{
	struct nlattr *group;
	unsigned int values = 0;
	unsigned int i;

	group = mnl_attr_nest_start(nlh, sched->bank == BPMU_BANK_CORE ? type :
					 bpmu_bank_facts[sched->bank].free ? BPMU_A_FREE_GROUP :
									     BPMU_A_UNCORE_GROUP);
	for (i = 0; i < sched->nr; i++) {
		if (sched->slot[i].value < values)
			continue;
		put_event(nlh, &sched->slot[i]);
		values++;
	}
	mnl_attr_nest_end(nlh, group);
}

static void client_put_groups(struct nlmsghdr *nlh,
			      const struct bpmu_groups *const groups[BPMU_CORE_TYPES])
{
	static const u16 type[BPMU_CORE_TYPES] = { BPMU_A_GROUP, BPMU_A_OTHER_GROUP };
	const struct bpmu_sched *sched;
	unsigned int k, g;

	/*
	 * A hybrid CPU has two core types. The groups of the core's counters are sent for each core
	 * type; all other groups, such as those of the uncore, only once, with the first core type.
	 */
	for (k = 0; k < BPMU_CORE_TYPES && groups[k]; k++)
		for (g = 0; g < groups[k]->nr; g++) {
			sched = &groups[k]->group[g].sched;
			if (!k || sched->bank == BPMU_BANK_CORE)
				put_group(nlh, type[k], sched);
		}
}

static void put_config(struct nlmsghdr *nlh, const struct bpmu_config *config)
{
	mnl_attr_put(nlh, BPMU_A_CPUS, config->nr_cpus * sizeof(u32),
		     config->cpus);
	client_put_groups(nlh, config->groups);
	if (config->interval_ns)
		mnl_attr_put_u64(nlh, BPMU_A_INTERVAL_NS, config->interval_ns);
	mnl_attr_put_u32(nlh, BPMU_A_TIMER, config->timer);
	if (config->buffer_samples)
		mnl_attr_put_u32(nlh, BPMU_A_BUFFER_SAMPLES,
				 config->buffer_samples);
	if (config->prefetch)
		mnl_attr_put_u32(nlh, BPMU_A_PREFETCH, *config->prefetch);
	if (config->top)
		mnl_attr_put_u32(nlh, BPMU_A_TOP, config->top);
	if (config->check)
		mnl_attr_put_u32(nlh, BPMU_A_CHECK, config->check);
	if (config->who)
		mnl_attr_put(nlh, BPMU_A_WHO, 0, NULL);
	if (config->take_over)
		mnl_attr_put(nlh, BPMU_A_TAKE_OVER, 0, NULL);
	if (config->chain)
		mnl_attr_put_u32(nlh, BPMU_A_CHAIN, config->chain);
	if (config->branches)
		mnl_attr_put_u32(nlh, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_ANY);
	if (config->calls)
		mnl_attr_put_u32(nlh, BPMU_A_BRANCHES, BPMU_BRANCH_KIND_CALLS);
	if (config->counts)
		mnl_attr_put(nlh, BPMU_A_COUNTS, 0, NULL);
	if (config->batch)
		mnl_attr_put_u32(nlh, BPMU_A_BATCH, config->batch);
}

static int config_attr(const struct nlattr *attr, void *data)
{
	if (mnl_attr_get_type(attr) != BPMU_A_RECORD_SIZE)
		return MNL_CB_OK;
	return take_u32(attr, data);
}

static int config_reply(const struct nlmsghdr *nlh, void *data)
{
	return mnl_attr_parse(nlh, sizeof(struct genlmsghdr), config_attr,
			      data);
}

static unsigned int most_values(const struct bpmu_groups *const groups[BPMU_CORE_TYPES])
{
	unsigned int most = 0;
	unsigned int k, g;

	for (k = 0; k < BPMU_CORE_TYPES && groups[k]; k++)
		for (g = 0; g < groups[k]->nr; g++)
			if (groups[k]->group[g].sched.values > most)
				most = groups[k]->group[g].sched.values;
	return most;
}

/* Returns true if an event has precise records that a CPU writes into a debug store. */
static bool needs_store(const struct bpmu_config *config)
{
	unsigned int k, g, i;

	for (k = 0; k < BPMU_CORE_TYPES && config->groups[k]; k++)
		for (g = 0; g < config->groups[k]->nr; g++) {
			const struct bpmu_sched *sched = &config->groups[k]->group[g].sched;

			for (i = 0; i < sched->nr; i++)
				if (sched->slot[i].precise &&
				    bpmu_pmu_has_store(config->groups[k]->pmu))
					return true;
		}
	return false;
}

/**
 * bpmu_client_configure() - let a client ask the module to acquire the counters for a new session
 * @client: client from bpmu_client_open()
 * @config: configuration of the session
 * @err: filled in on failure; if another client has a session, the error names the owner of that
 *	session
 */
int bpmu_client_configure(struct bpmu_client *client,
			  const struct bpmu_config *config,
			  struct bpmu_error *err)
{
	u32 least = sizeof(struct bpmu_sample) +
		    most_values(config->groups) * sizeof(u64) +
		    (config->who ? sizeof(struct bpmu_who) : 0);
	struct nlmsghdr *nlh;
	int code;

	code = needs_store(config) ? bpmu_guests_refuse(err) : 0;
	if (code)
		return code;
	nlh = bpmu_nl_request(&client->nl, BPMU_CMD_CONFIGURE, 0);
	put_config(nlh, config);
	client->record_size = 0;
	code = bpmu_nl_call(&client->nl, nlh, config_reply,
			    &client->record_size, err);
	if (code == -EBUSY)
		explain_foreign(client, config, err);
	if (code)
		return client_explain(client, code, err);
	if (client->record_size < least)
		return bpmu_error_set(err, -EPROTO,
			"netlink: records of %u bytes, %u expected; do module and tool belong together?",
			client->record_size, least);
	return check_record_size(client, err);
}

/**
 * bpmu_client_record_size() - size of the sample records that a client receives
 * @client: has configured a session
 *
 * Return: size in bytes.
 */
u32 bpmu_client_record_size(const struct bpmu_client *client)
{
	return client->record_size;
}

static int send_command(struct bpmu_client *client, u8 command,
			struct bpmu_error *err)
{
	struct nlmsghdr *nlh;
	int code;

	nlh = bpmu_nl_request(&client->nl, command, NLM_F_ACK);
	code = bpmu_nl_call(&client->nl, nlh, NULL, NULL, err);
	return code ? client_explain(client, code, err) : 0;
}

/**
 * bpmu_client_start() - let a client ask the module to start all counters
 * @client: has configured a session
 */
int bpmu_client_start(struct bpmu_client *client, struct bpmu_error *err)
{
	return send_command(client, BPMU_CMD_START, err);
}

/**
 * bpmu_client_stop() - let a client ask the module to stop all counters; the samples stay readable
 * @client: has started its session
 */
int bpmu_client_stop(struct bpmu_client *client, struct bpmu_error *err)
{
	return send_command(client, BPMU_CMD_STOP, err);
}

/**
 * bpmu_client_swap() - let a client ask the module to replace the groups of a running session
 * @client: has started its session
 * @groups: new groups of each core type, [core type]; the core type of the lowest CPU number comes
 *	first; NULL after the last core type
 */
int bpmu_client_swap(struct bpmu_client *client,
		     const struct bpmu_groups *const groups[BPMU_CORE_TYPES],
		     struct bpmu_error *err)
{
	struct nlmsghdr *nlh;
	int code;

	nlh = bpmu_nl_request(&client->nl, BPMU_CMD_SWAP, NLM_F_ACK);
	client_put_groups(nlh, groups);
	code = bpmu_nl_call(&client->nl, nlh, NULL, NULL, err);
	return code ? client_explain(client, code, err) : 0;
}

/**
 * bpmu_client_release() - let a client ask the module to end the session and release the counters
 * @client: client from bpmu_client_open()
 */
int bpmu_client_release(struct bpmu_client *client, struct bpmu_error *err)
{
	return send_command(client, BPMU_CMD_RELEASE, err);
}

/**
 * bpmu_client_listen() - let a client listen for the module's notifications
 * @client: client from bpmu_client_open()
 */
int bpmu_client_listen(struct bpmu_client *client, struct bpmu_error *err)
{
	int code = bpmu_nl_open(&client->listen, &client->nl, err);

	return code ? code : bpmu_nl_join(&client->listen, err);
}

/**
 * bpmu_client_listen_fd() - file descriptor of a client's notifications
 * @client: after bpmu_client_listen()
 *
 * Return: a file descriptor for poll(), readable after a notification.
 */
int bpmu_client_listen_fd(const struct bpmu_client *client)
{
	return mnl_socket_get_fd(client->listen.socket);
}

/**
 * bpmu_client_listen_drain() - discard the notifications that a client has received so far
 * @client: after bpmu_client_listen()
 */
int bpmu_client_listen_drain(struct bpmu_client *client,
			     struct bpmu_error *err)
{
	return bpmu_nl_drain(&client->listen, err);
}
