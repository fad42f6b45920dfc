// SPDX-License-Identifier: GPL-2.0
#include "fuzz_judge.h"

#include <errno.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/barepmu.h>
#include <linux/genetlink.h>

#define HEADS (NLMSG_HDRLEN + GENL_HDRLEN)
#define MOST_ATTRS 32

/**
 * struct values - values found so far of an attribute whose values in a message must all differ
 * @seen: element i is true if the value &fuzz_attr.low + i was found in the message
 */
struct values {
	bool seen[FUZZ_MOST_VALUES];
};

/**
 * struct level - attributes at one nesting level of a message
 * @seen: number of occurrences of each attribute, by the attribute's index in struct fuzz_set
 * @last: the last occurrence of each attribute, which overrides earlier ones
 * @taken: values found so far inside the nested attributes of this level, for the attribute whose
 *	values must all differ
 */
struct level {
	unsigned int seen[MOST_ATTRS];
	const struct nlattr *last[MOST_ATTRS];
	struct values taken;
};

static const char *judge_level(const struct fuzz_set *set, const void *attributes,
			       int length, struct values *taken);

static const struct genlmsghdr *genl_head(const struct fuzz_message *message)
{
	return (const void *)(message->bytes + NLMSG_HDRLEN);
}

/*
 * Returns true if the message is long enough for a netlink header and a generic netlink header. The
 * kernel ignores or refuses a shorter message; the module does not get it.
 */
static bool whole(const struct fuzz_message *message)
{
	return message->head.nlmsg_len >= HEADS &&
	       message->head.nlmsg_len <= message->length;
}

static uint64_t number(const struct fuzz_attr *attr, const struct nlattr *found)
{
	return attr->format == FUZZ_U64 ? mnl_attr_get_u64(found) :
					mnl_attr_get_u32(found);
}

static const char *judge_cpus(const struct fuzz_attr *attr,
			      const struct nlattr *found)
{
	const uint32_t *cpus = mnl_attr_get_payload(found);
	unsigned int nr = mnl_attr_get_payload_len(found) / sizeof(*cpus);
	static unsigned char taken[FUZZ_MAX_CPU];
	const char *why = NULL;
	unsigned int i;

	memset(taken, 0, sizeof(taken));
	for (i = 0; i < nr && !why; i++) {
		if (cpus[i] > attr->high)
			why = "an absent CPU";
		else if (taken[cpus[i]]++)
			why = "a CPU that stands twice";
	}
	return why;
}

static const char *judge_positions(const struct fuzz_attr *attr,
				   const struct nlattr *found)
{
	const struct bpmu_position *list = mnl_attr_get_payload(found);
	unsigned int length = mnl_attr_get_payload_len(found);
	unsigned int i;

	if (length % sizeof(*list))
		return "half a position";
	for (i = 0; i < length / sizeof(*list); i++)
		if (list[i].cpu > attr->high || list[i].pad)
			return "a position of an absent CPU, or with padding";
	return NULL;
}

static const char *judge_length(const struct fuzz_attr *attr,
				const struct nlattr *found)
{
	unsigned int length = mnl_attr_get_payload_len(found);
	bool nested = found->nla_type & NLA_F_NESTED;
	bool nest = attr->format == FUZZ_NEST;

	if (nested != nest)
		return "NLA_F_NESTED where it is wrong, or missing";
	if (attr->format == FUZZ_U32 && length != 4)
		return "a u32 of another length";
	if (attr->format == FUZZ_U64 && length != 8)
		return "a u64 of another length";
	if (attr->format == FUZZ_FLAG && length)
		return "a flag with a value";
	if (attr->format == FUZZ_CPUS && length < 4)
		return "an empty list of CPUs";
	if (attr->format == FUZZ_POSITIONS &&
	    length < sizeof(struct bpmu_position))
		return "an empty list of positions";
	return NULL;
}

static const char *judge_value(const struct fuzz_attr *attr,
			       const struct nlattr *found, struct values *taken)
{
	uint64_t value;

	if (attr->format == FUZZ_NEST || attr->format == FUZZ_FLAG)
		return NULL;
	if (attr->format == FUZZ_CPUS)
		return mnl_attr_get_payload_len(found) % 4 ?
		       "half a CPU number" : judge_cpus(attr, found);
	if (attr->format == FUZZ_POSITIONS)
		return judge_positions(attr, found);
	value = number(attr, found);
	if (attr->zero_ok && !value)
		return NULL;
	if (value < attr->low || value > attr->high || value & attr->never)
		return attr->name;
	if (attr->unique && taken->seen[value - attr->low])
		return "twice the same value";
	if (attr->unique)
		taken->seen[value - attr->low] = true;
	return NULL;
}

static const char *judge_attr(const struct fuzz_set *set,
			      const struct nlattr *found, struct level *level)
{
	uint16_t type = found->nla_type & NLA_TYPE_MASK;
	const struct fuzz_attr *attr = fuzz_attr(set, type);
	const char *why;

	if (!attr)
		return "an unknown attribute";
	why = judge_length(attr, found);
	if (why)
		return why;
	level->last[attr - set->attrs] = found;
	level->seen[attr - set->attrs]++;
	if (attr->format == FUZZ_NEST)
		why = judge_level(attr->inner, mnl_attr_get_payload(found),
				  mnl_attr_get_payload_len(found),
				  &level->taken);
	return why;
}

static const char *judge_level(const struct fuzz_set *set, const void *attributes,
			       int length, struct values *taken)
{
	const struct nlattr *found = attributes;
	struct level level = { };
	const char *why = NULL;
	size_t i;

	for (; !why && mnl_attr_ok(found, length);
	     length -= NLA_ALIGN(found->nla_len), found = mnl_attr_next(found))
		why = judge_attr(set, found, &level);
	if (!why && length > 0)
		why = "bytes that are no attribute";
	for (i = 0; !why && i < set->nr; i++) {
		const struct fuzz_attr *attr = &set->attrs[i];

		if (attr->needed && !level.seen[i])
			why = "a missing attribute";
		else if (attr->most && level.seen[i] > attr->most)
			why = "an attribute too often";
		else if (level.last[i])
			why = judge_value(attr, level.last[i], taken);
	}
	return why;
}

/*
 * Returns the reason why attributes that are legal by themselves must be refused together, or NULL
 * if there is none.
 */
static const char *judge_whole(const struct fuzz_session *session,
			       const struct fuzz_message *message)
{
	uint8_t command = genl_head(message)->cmd;
	struct fuzz_plan plan;

	if (command == BPMU_CMD_READ && !session->readers &&
	    message->head.nlmsg_len > HEADS)
		return "a reader's request, and nobody may read";
	if (command != BPMU_CMD_CONFIGURE)
		return NULL;
	plan = fuzz_plan_read(&session->machine, message);
	return fuzz_plan_wrong(&plan);
}

/**
 * fuzz_illegal() - decide if a fuzzed message must be refused in every state of a session
 * @session: expected state of the session, of which only @machine and @readers are used
 * @message: any message
 *
 * Return: the reason for the refusal, a string. NULL if the message is legal in some state, or if
 * the message is shorter than its nlmsg_len (the kernel ignores such a message).
 */
const char *fuzz_illegal(const struct fuzz_session *session,
			 const struct fuzz_message *message)
{
	const struct fuzz_command *command;
	struct values taken = { };
	const char *why;

	if (message->head.nlmsg_len > message->length)
		return NULL;
	if (!whole(message))
		return "half a header";
	command = fuzz_command(genl_head(message)->cmd);
	if (!command)
		return "an unknown command";
	why = judge_level(command->set, message->bytes + HEADS,
			  message->head.nlmsg_len - HEADS, &taken);
	return why ? why : judge_whole(session, message);
}

/*
 * Returns true if a socket may send a command. The socket that owns the session may send every
 * command. If users other than the owner may read samples, other sockets may send some commands.
 */
static bool may_send(const struct fuzz_session *session, int socket,
		     const struct fuzz_command *command)
{
	if (!command->owner || session->owner < 0 || session->owner == socket)
		return true;
	return command->readers && session->readers && !session->plan.who;
}

/**
 * fuzz_illegal_now() - decide if a fuzzed message must be refused in the session's present state
 * @session: expected state of the session
 * @socket: number of the socket that sends
 * @message: a message for which fuzz_illegal() returns NULL
 *
 * Return: the reason, a string, or NULL if the message may be accepted.
 */
const char *fuzz_illegal_now(const struct fuzz_session *session, int socket,
			     const struct fuzz_message *message)
{
	const struct fuzz_command *command;
	struct fuzz_plan by;

	if (!whole(message))
		return NULL;
	command = fuzz_command(genl_head(message)->cmd);
	if (!command)
		return NULL;
	if (!(command->states & 1U << session->state))
		return "not in this state";
	if (!may_send(session, socket, command))
		return "the session of another socket";
	if (command->number != BPMU_CMD_SWAP)
		return NULL;
	by = fuzz_plan_read(&session->machine, message);
	return fuzz_plan_stays(&session->plan, &by);
}

/**
 * fuzz_accepted() - update the expected state after a fuzzed message was accepted
 * @session: expected state of the session; it becomes the state after the message
 * @socket: number of the socket that sent the message
 * @message: the accepted message
 *
 * Return: false if the command is unknown; the module should have refused it.
 */
bool fuzz_accepted(struct fuzz_session *session, int socket,
		   const struct fuzz_message *message)
{
	const struct fuzz_command *command;
	struct fuzz_plan plan;

	command = fuzz_command(genl_head(message)->cmd);
	if (!command)
		return false;
	plan = fuzz_plan_read(&session->machine, message);
	if (command->number == BPMU_CMD_CONFIGURE)
		session->plan = plan;
	if (command->number == BPMU_CMD_SWAP)
		fuzz_plan_swap(&session->plan, &plan);
	if (command->next >= 0) {
		session->state = command->next;
		session->owner = session->state == BPMU_STATE_IDLE ? -1 :
								     socket;
	}
	return true;
}

static bool was_ready(const struct fuzz_session *session, int socket)
{
	return session->owner == socket && session->state == BPMU_STATE_READY;
}

/**
 * fuzz_refused() - update the expected state after a fuzzed message was refused
 * @session: expected state of the session; it becomes the state after the message
 * @socket: number of the socket that sent the message
 * @message: the refused message
 * @code: negative errno of the answer
 * @sentence: true if the answer had an extack sentence
 *
 * If the owner configures again, the module ends the old session before it reserves counters for
 * the new one. If this reservation is refused, there is no session any more.
 */
void fuzz_refused(struct fuzz_session *session, int socket,
		  const struct fuzz_message *message, int code, bool sentence)
{
	if (!whole(message) || !was_ready(session, socket) ||
	    genl_head(message)->cmd != BPMU_CMD_CONFIGURE)
		return;
	switch (code) {
	case -ENOMEM:
		if (!sentence)
			break;
		/* fall through */
	case -EADDRINUSE:
	case -EBUSY:
	case -EIO:
	case -EROFS:
		session->state = BPMU_STATE_IDLE;
		session->owner = -1;
	}
}

/**
 * fuzz_may_be_silent() - decide if a refusal of a fuzzed message needs no extack sentence
 * @message: the refused message
 * @code: negative errno of the answer
 *
 * Return: true if the kernel refuses the message before the module gets it, or reports a lack of
 * memory.
 */
bool fuzz_may_be_silent(const struct fuzz_message *message, int code)
{
	return code == -EOPNOTSUPP || code == -ENOMEM || !whole(message);
}
