// SPDX-License-Identifier: GPL-2.0
#include "genl.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/barepmu.h>
#include <linux/genetlink.h>

#define READERS "/sys/module/barepmu/parameters/reader_gid"

static struct nlmsghdr *head(struct genl *genl, uint16_t family,
			     uint8_t command, uint16_t flags)
{
	struct genlmsghdr *extra;

	genl->message = mnl_nlmsg_put_header(genl->buffer);
	genl->message->nlmsg_type = family;
	genl->message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl->message->nlmsg_seq = 1;
	extra = mnl_nlmsg_put_extra_header(genl->message, sizeof(*extra));
	extra->cmd = command;
	extra->version = BPMU_FAMILY_VERSION;
	return genl->message;
}

static int blamed(const struct nlattr *attr, void *data)
{
	struct genl *genl = data;

	if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
		strncpy(genl->sentence, mnl_attr_get_str(attr),
			sizeof(genl->sentence) - 1);
	return MNL_CB_OK;
}

/*
 * Copies the sentence of an extended acknowledgment (extack) to &genl.sentence. An acknowledgment
 * repeats the request, or only the header of the request if the flag NLM_F_CAPPED is set. The
 * attributes of the acknowledgment, such as the sentence, come after that.
 */
static void take_ack(struct genl *genl, const struct nlmsghdr *answer)
{
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(answer);
	size_t skip = sizeof(*ack);

	if (!(answer->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(answer->nlmsg_flags & NLM_F_CAPPED))
		skip += mnl_nlmsg_get_payload_len(&ack->msg);
	mnl_attr_parse(answer, skip, blamed, genl);
}

static void take_done(struct genl *genl, const struct nlmsghdr *answer)
{
	if (answer->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_parse(answer, sizeof(int), blamed, genl);
}

/*
 * Takes one message of an answer. Returns the errno of an acknowledgment or of the end of a dump,
 * or 1 for any other message.
 */
static int take(struct genl *genl, const struct nlmsghdr *answer)
{
	const struct nlmsgerr *ack = mnl_nlmsg_get_payload(answer);
	const struct nlattr *attr;

	if (answer->nlmsg_type == NLMSG_ERROR) {
		take_ack(genl, answer);
		return ack->error;
	}
	if (answer->nlmsg_type == NLMSG_DONE) {
		take_done(genl, answer);
		return *(const int *)mnl_nlmsg_get_payload(answer);
	}
	genl->replies++;
	if (genl->reply)
		genl->reply(genl->data, answer);
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		genl->told |= (genl_set)1 << (mnl_attr_get_type(attr) & 127);
		if (answer->nlmsg_type == GENL_ID_CTRL &&
		    mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			genl->family = mnl_attr_get_u16(attr);
	}
	return 1;
}

/**
 * genl_send() - send the generic netlink request of a test, and wait for the answer
 * @genl: input: open socket, with the request in @genl->message. Output: the extack sentence of the
 *	answer in @genl->sentence, and the set of the answer's attributes in @genl->told
 *
 * Return: 0 or the negative errno that the kernel answered.
 */
int genl_send(struct genl *genl)
{
	const struct nlmsghdr *answer;
	int left;
	int code;

	genl->sentence[0] = '\0';
	genl->replies = 0;
	genl->told = 0;
	if (mnl_socket_sendto(genl->socket, genl->message,
			      genl->message->nlmsg_len) < 0)
		return -errno;
	for (;;) {
		left = mnl_socket_recvfrom(genl->socket, genl->buffer,
					   sizeof(genl->buffer));
		if (left < 0)
			return -errno;
		answer = (const struct nlmsghdr *)genl->buffer;
		for (; mnl_nlmsg_ok(answer, left);
		     answer = mnl_nlmsg_next(answer, &left)) {
			code = take(genl, answer);
			if (code <= 0)
				return code;
		}
	}
}

/**
 * genl_new() - begin a test's generic netlink request
 * @genl: open socket
 * @command: command of the request, enum bpmu_cmd
 * @flags: NLM_F_* flags in addition to NLM_F_REQUEST and NLM_F_ACK
 *
 * Return: the message, to which attributes can be added.
 */
struct nlmsghdr *genl_new(struct genl *genl, uint8_t command, uint16_t flags)
{
	return head(genl, genl->family, command, flags);
}

/**
 * genl_command() - send a test's generic netlink request that has no attributes
 * @genl: open socket
 * @command: command of the request, enum bpmu_cmd
 *
 * Return: 0 or the negative errno that the kernel answered.
 */
int genl_command(struct genl *genl, uint8_t command)
{
	uint16_t flags = command == BPMU_CMD_READ ? NLM_F_DUMP : 0;

	genl_new(genl, command, flags);
	return genl_send(genl);
}

/**
 * genl_open() - open a generic netlink socket and find the module's family
 * @genl: output: the open socket, without a request; genl_close() closes it
 *
 * Return: 0 or a negative errno; -ENOENT if the module is not loaded.
 */
int genl_open(struct genl *genl)
{
	int on = 1;

	memset(genl, 0, sizeof(*genl));
	genl->socket = mnl_socket_open(NETLINK_GENERIC);
	if (!genl->socket)
		return -errno;
	if (mnl_socket_bind(genl->socket, 0, MNL_SOCKET_AUTOPID))
		return -errno;
	mnl_socket_setsockopt(genl->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	head(genl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(genl->message, CTRL_ATTR_FAMILY_NAME,
			  BPMU_FAMILY_NAME);
	return genl_send(genl);
}

/**
 * genl_load() - load the module, if needed, before a test opens its generic netlink family
 *
 * Return: NULL, or the reason why tests that need the module are skipped.
 */
const char *genl_load(void)
{
	static struct genl genl;
	int code;

	if (geteuid())
		return "needs root";
	code = genl_open(&genl);
	genl_close(&genl);
	if (code == -ENOENT && system("modprobe barepmu || insmod /lib/barepmu.ko"))
		return "the module does not load here";
	return NULL;
}

static void take_group(void *id, const struct nlmsghdr *answer)
{
	const struct nlattr *attr, *group, *part;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(group, attr)
			mnl_attr_for_each_nested(part, group)
				if (mnl_attr_get_type(part) ==
				    CTRL_ATTR_MCAST_GRP_ID)
					*(uint32_t *)id = mnl_attr_get_u32(part);
	}
}

/**
 * genl_subscribe() - subscribe a generic netlink socket to the module's notifications
 * @genl: open socket
 *
 * Return: 0 or a negative errno.
 */
int genl_subscribe(struct genl *genl)
{
	uint32_t group = 0;
	int code;

	genl->reply = take_group;
	genl->data = &group;
	head(genl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(genl->message, CTRL_ATTR_FAMILY_NAME,
			  BPMU_FAMILY_NAME);
	code = genl_send(genl);
	genl->reply = NULL;
	genl->data = NULL;
	if (code)
		return code;
	return mnl_socket_setsockopt(genl->socket, NETLINK_ADD_MEMBERSHIP,
				     &group, sizeof(group)) ? -errno : 0;
}

/**
 * genl_hears() - wait for a notification of the module on a generic netlink socket
 * @genl: socket that genl_subscribe() has subscribed; a notification is read into @genl->buffer
 * @command: command of the notification
 * @ms: time to wait in ms; other notifications are ignored
 *
 * Return: true if it has come; false if the time has passed, or the kernel had to drop messages.
 */
bool genl_hears(struct genl *genl, uint8_t command, int ms)
{
	struct pollfd wait = { .fd = mnl_socket_get_fd(genl->socket), .events = POLLIN };
	const struct nlmsghdr *message = (const void *)genl->buffer;
	const struct genlmsghdr *head;

	while (poll(&wait, 1, ms) > 0) {
		if (mnl_socket_recvfrom(genl->socket, genl->buffer, sizeof(genl->buffer)) < 0)
			return false;
		head = mnl_nlmsg_get_payload(message);
		if (head->cmd == command)
			return true;
	}
	return false;
}

/**
 * genl_close() - close a generic netlink socket, which ends a session that it owns
 * @genl: open socket
 */
void genl_close(struct genl *genl)
{
	if (genl->socket)
		mnl_socket_close(genl->socket);
	genl->socket = NULL;
}

/**
 * genl_put_event() - add an event to a group in a test's generic netlink request
 * @message: request; the caller has begun the group's nested attribute and not ended it yet
 * @counter: number of the counter that counts the event
 * @select: event select
 */
void genl_put_event(struct nlmsghdr *message, uint32_t counter,
		    uint64_t select)
{
	struct nlattr *nest;

	nest = mnl_attr_nest_start(message, BPMU_A_GROUP_EVENT);
	mnl_attr_put_u32(message, BPMU_A_EVENT_COUNTER, counter);
	mnl_attr_put_u64(message, BPMU_A_EVENT_SELECT, select);
	mnl_attr_nest_end(message, nest);
}

/**
 * genl_put_group_as() - add a group with one event to a generic netlink request
 * @message: request BPMU_CMD_CONFIGURE or BPMU_CMD_SWAP
 * @type: attribute of the group, such as BPMU_A_GROUP
 * @counter: number of the event's counter
 * @select: event select
 */
void genl_put_group_as(struct nlmsghdr *message, uint16_t type,
		       uint32_t counter, uint64_t select)
{
	struct nlattr *nest = mnl_attr_nest_start(message, type);

	genl_put_event(message, counter, select);
	mnl_attr_nest_end(message, nest);
}

/**
 * genl_put_group() - add a group with one core event to a generic netlink request
 * @message: request BPMU_CMD_CONFIGURE or BPMU_CMD_SWAP
 * @counter: number of the event's counter
 * @select: event select
 */
void genl_put_group(struct nlmsghdr *message, uint32_t counter,
		    uint64_t select)
{
	genl_put_group_as(message, BPMU_A_GROUP, counter, select);
}

/**
 * genl_plan() - begin the smallest valid generic netlink request BPMU_CMD_CONFIGURE
 * @genl: open socket
 *
 * The session is for CPU 0 only, because a session for all CPUs of a hybrid machine would need
 * groups for both core types. If the caller adds BPMU_A_CPUS, the CPUs in it replace CPU 0.
 *
 * Return: the message, to which attributes can be added.
 */
struct nlmsghdr *genl_plan(struct genl *genl)
{
	struct nlmsghdr *message = genl_new(genl, BPMU_CMD_CONFIGURE, 0);
	const uint32_t cpu = 0;

	mnl_attr_put(message, BPMU_A_CPUS, sizeof(cpu), &cpu);
	genl_put_group(message, 0, GENL_SELECT);
	return message;
}

/**
 * genl_let_read() - let the members of a user group read samples by generic netlink
 * @gid: number of the user group, or GENL_NO_GROUP
 *
 * Return: 0, or nonzero if the module is not loaded.
 */
int genl_let_read(uint32_t gid)
{
	FILE *file = fopen(READERS, "w");

	if (!file)
		return -1;
	fprintf(file, "%u", gid);
	return fclose(file);
}

/**
 * genl_take_cpus() - append the CPUs (BPMU_A_CPUS) in a generic netlink message to a list
 * @cpus: struct genl_cpus, the list
 * @answer: the message
 *
 * The function has the type of &genl.reply.
 */
void genl_take_cpus(void *cpus, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct genl_cpus *to = cpus;
	unsigned int nr;

	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != BPMU_A_CPUS)
			continue;
		nr = mnl_attr_get_payload_len(attr) / sizeof(uint32_t);
		if (nr > GENL_CPUS - to->nr)
			nr = GENL_CPUS - to->nr;
		memcpy(&to->cpu[to->nr], mnl_attr_get_payload(attr),
		       nr * sizeof(uint32_t));
		to->nr += nr;
	}
}

/**
 * genl_core_type() - ask by generic netlink which CPUs have the same core type as a CPU
 * @genl: open socket
 * @cpu: number of the CPU
 * @cpus: output: these CPUs, including @cpu
 *
 * Return: 0 or a negative errno.
 */
int genl_core_type(struct genl *genl, uint32_t cpu, struct genl_cpus *cpus)
{
	void (*reply)(void *data, const struct nlmsghdr *answer) = genl->reply;
	void *data = genl->data;
	int code;

	genl->reply = genl_take_cpus;
	genl->data = cpus;
	cpus->nr = 0;
	mnl_attr_put_u32(genl_new(genl, BPMU_CMD_GET_INFO, NLM_F_DUMP),
			 BPMU_A_INFO_CPU, cpu);
	code = genl_send(genl);
	genl->reply = reply;
	genl->data = data;
	return code;
}
