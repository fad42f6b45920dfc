// SPDX-License-Identifier: GPL-2.0
#include "interrupts.h"

#include <string.h>

#include <linux/genetlink.h>

struct interrupts interrupts;

static void take_loss(const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest)
		if (mnl_attr_get_type(attr) == BPMU_A_LOSS_COUNT)
			interrupts.lost = mnl_attr_get_u64(attr);
}

static bool copy_chain(const struct bpmu_section *head, const char *at, size_t bytes,
		       struct interrupts_chain *chain)
{
	if (bytes > sizeof(chain->address) || bytes % sizeof(*chain->address))
		return false;
	*chain = (struct interrupts_chain){
		.present = true, .flags = head->flags, .nr = bytes / sizeof(*chain->address),
	};
	memcpy(chain->address, at, bytes);
	return true;
}

static bool copy_branches(const char *at, size_t bytes, struct interrupts_branches *branches)
{
	if (bytes > sizeof(branches->branch) || bytes % sizeof(*branches->branch))
		return false;
	branches->present = true;
	branches->nr = bytes / sizeof(*branches->branch);
	memcpy(branches->branch, at, bytes);
	return true;
}

static bool copy_counts(const struct bpmu_section *head, const char *at, size_t bytes,
			struct interrupts_counts *counts)
{
	if (bytes > sizeof(counts->value) || bytes % sizeof(*counts->value))
		return false;
	counts->present = true;
	counts->flags = head->flags;
	counts->nr = bytes / sizeof(*counts->value);
	memcpy(counts->value, at, bytes);
	return true;
}

static bool copy_op(const char *at, size_t bytes, struct interrupts_op *op)
{
	if (bytes != sizeof(op->op))
		return false;
	op->present = true;
	memcpy(&op->op, at, bytes);
	return true;
}

static bool copy_fetch(const char *at, size_t bytes, struct interrupts_fetch *fetch)
{
	if (bytes != sizeof(fetch->fetch))
		return false;
	fetch->present = true;
	memcpy(&fetch->fetch, at, bytes);
	return true;
}

static bool copy_retired(const char *at, size_t bytes, struct interrupts_retired *retired)
{
	struct bpmu_retired found;

	if (bytes != sizeof(found))
		return false;
	memcpy(&found, at, sizeof(found));
	retired->present = true;
	retired->latency = found.latency;
	return true;
}

/*
 * Reads a section (a call chain, branches, counts, an op, a fetch or a retire latency) of record
 * number @index from @at, and stores it in @interrupts. Returns the section's size in bytes, or 0 if the
 * section is malformed or longer than the @left bytes from @at to the end of the record.
 */
static uint32_t take_section(const char *at, size_t left, unsigned int index)
{
	struct bpmu_section head;
	bool good;

	if (left < sizeof(head))
		return 0;
	memcpy(&head, at, sizeof(head));
	if (head.size < sizeof(head) || head.size > left || head.id > BPMU_SECTION_FETCH)
		return 0;
	if (index >= INTERRUPTS_CHAINS)
		return head.size;
	at += sizeof(head);
	if (head.id == BPMU_SECTION_OP)
		good = copy_op(at, head.size - sizeof(head), &interrupts.op[index]);
	else if (head.id == BPMU_SECTION_FETCH)
		good = copy_fetch(at, head.size - sizeof(head), &interrupts.fetch[index]);
	else if (head.id == BPMU_SECTION_RETIRED)
		good = copy_retired(at, head.size - sizeof(head), &interrupts.retired[index]);
	else if (head.id == BPMU_SECTION_BRANCHES)
		good = copy_branches(at, head.size - sizeof(head), &interrupts.branches[index]);
	else if (head.id == BPMU_SECTION_COUNTS)
		good = copy_counts(&head, at, head.size - sizeof(head), &interrupts.counts[index]);
	else
		good = copy_chain(&head, at, head.size - sizeof(head),
				  &interrupts.chain[index][head.id]);
	return good ? head.size : 0;
}

static void take_sections(const char *at, const char *end, unsigned int index)
{
	uint32_t size;

	for (; at < end; at += size) {
		size = take_section(at, end - at, index);
		if (!size) {
			interrupts.malformed++;
			return;
		}
	}
}

static void take_records(const struct nlattr *attr)
{
	const char *at = mnl_attr_get_payload(attr);
	const char *end = at + mnl_attr_get_payload_len(attr);
	struct bpmu_overflow record;

	for (; at < end && interrupts.nr < INTERRUPTS_MOST; at += record.size) {
		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size > end - at) {
			interrupts.malformed++;
			return;
		}
		take_sections(at + sizeof(record), at + record.size, interrupts.nr);
		interrupts.record[interrupts.nr++] = record;
	}
}

static void take(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	log_take(data, answer);
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_OVERFLOWS)
			take_records(attr);
		if (mnl_attr_get_type(attr) == BPMU_A_OVERFLOW_LOSS)
			take_loss(attr);
	}
}

/**
 * interrupts_put_event() - add an event to a group of a test of interrupts
 * @message: configuration request; the caller has begun the group's nested attribute and not ended
 *	it yet
 * @counter: number of the counter
 * @select: event select
 * @period: number of events between two interrupts; 0 for no interrupts
 * @precise: true if records are to have the address of the instruction that caused the event
 */
void interrupts_put_event(struct nlmsghdr *message, uint32_t counter, uint64_t select,
			  uint32_t period, bool precise)
{
	struct nlattr *nest = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);

	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, select);
	if (period)
		mnl_attr_put_u32(message, BPMU_A_EVENT_PERIOD, period);
	if (precise)
		mnl_attr_put(message, BPMU_A_EVENT_PRECISE, 0, NULL);
	mnl_attr_nest_end(message, nest);
}

/**
 * interrupts_begin() - begin the configuration request for a test of interrupts on CPU 0
 * @log: was opened by log_open()
 *
 * Return: the message, to which groups have to be added.
 */
struct nlmsghdr *interrupts_begin(struct log *log)
{
	struct nlmsghdr *message = genl_new(&log->genl, BPMU_CMD_CONFIGURE, 0);
	const uint32_t cpu = 0;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	return message;
}

/**
 * interrupts_put_group() - add a group with one event on counter 0 to a test of interrupts
 * @message: configuration request
 * @select: event select
 * @period: number of events between two interrupts; 0 for no interrupts
 */
void interrupts_put_group(struct nlmsghdr *message, uint64_t select, uint32_t period)
{
	struct nlattr *group = mnl_attr_nest_start(message, BPMU_A_GROUP);

	interrupts_put_event(message, 0, select, period, false);
	mnl_attr_nest_end(message, group);
}

/**
 * interrupts_start() - configure a session for a test of interrupts, and start to count
 * @log: was opened by log_open(); @log->genl has the configuration request
 *
 * Return: 0 or a negative errno.
 */
int interrupts_start(struct log *log)
{
	int err;

	memset(&interrupts, 0, sizeof(interrupts));
	err = log_send(log);
	return err ? err : genl_command(&log->genl, BPMU_CMD_START);
}

/**
 * interrupts_read() - read new samples and records of interrupts into a test's logs
 * @log: log of a configured session; samples are appended to it, records to @interrupts
 *
 * Return: 0 or a negative errno.
 */
int interrupts_read(struct log *log)
{
	log->genl.reply = take;
	return genl_command(&log->genl, BPMU_CMD_READ);
}

/**
 * interrupts_stop() - stop a session and read its last samples and records of interrupts
 * @log: log of a running session; samples are appended to it, records to @interrupts
 *
 * Return: 0 or a negative errno.
 */
int interrupts_stop(struct log *log)
{
	int err = genl_command(&log->genl, BPMU_CMD_STOP);

	return err ? err : interrupts_read(log);
}

/*
 * Attribute to find in the answer to GET_INFO. Its value stays UINT32_MAX if the answer lacks it.
 */
struct wanted {
	uint16_t attribute;
	uint32_t value;
};

static void take_wanted(void *data, const struct nlmsghdr *answer)
{
	struct wanted *wanted = data;
	const struct nlattr *attr;

	mnl_attr_for_each(attr, answer, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == wanted->attribute)
			wanted->value = mnl_attr_get_u32(attr);
}

/**
 * interrupts_info() - ask the module for a number about the interrupts of CPU 0
 * @log: was opened by log_open()
 * @attribute: attribute of type u32 in the answer to BPMU_CMD_GET_INFO
 *
 * Return: value of the attribute; UINT32_MAX if the module refuses the request or the answer lacks
 * the attribute.
 */
uint32_t interrupts_info(struct log *log, uint16_t attribute)
{
	struct wanted wanted = { .attribute = attribute, .value = UINT32_MAX };
	int err;

	mnl_attr_put_u32(genl_new(&log->genl, BPMU_CMD_GET_INFO, 0), BPMU_A_INFO_CPU, 0);
	log->genl.reply = take_wanted;
	log->genl.data = &wanted;
	err = genl_send(&log->genl);
	log->genl.data = log;
	return err ? UINT32_MAX : wanted.value;
}
