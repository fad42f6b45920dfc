// SPDX-License-Identifier: GPL-2.0
#include "fuzz_make.h"

#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/barepmu.h>
#include <linux/genetlink.h>

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define HEADS (NLMSG_HDRLEN + GENL_HDRLEN)
/* Index in mutations[] of the first function that can mutate a message without attributes. */
#define WITHOUT_ATTR 9
/*
 * Percentage of attributes whose value this machine or this session may refuse, although the
 * protocol allows it.
 */
#define SENSELESS 3

/* Returns the next 64-bit random number of the generator, by the algorithm splitmix64. */
static uint64_t draw(struct fuzz_random *random)
{
	uint64_t x = random->state += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/**
 * fuzz_below() - draw a random number for the fuzzer's messages
 * @random: generator of random numbers
 * @limit: greater than 0
 *
 * Return: a number from 0 to @limit - 1.
 */
uint32_t fuzz_below(struct fuzz_random *random, uint32_t limit)
{
	return (draw(random) >> 32) * limit >> 32;
}

static bool chance(struct fuzz_random *random, uint32_t per_cent)
{
	return fuzz_below(random, 100) < per_cent;
}

/**
 * fuzz_hybrid() - check if the CPUs of the fuzzer's session have two core types (a hybrid machine)
 * @machine: the machine on which the module runs
 * @cpus: set of CPUs, bit n for CPU n
 *
 * Return: true if @cpus has CPUs of both core types.
 */
bool fuzz_hybrid(const struct fuzz_machine *machine, uint64_t cpus)
{
	return cpus & machine->first && cpus & machine->other;
}

static bool put(struct fuzz_message *message, const struct fuzz_attr *attr,
		uint64_t value)
{
	static const size_t sizes[] = {
		[FUZZ_U32] = 4, [FUZZ_U64] = 8, [FUZZ_FLAG] = 0,
	};

	return mnl_attr_put_check(&message->head, FUZZ_BYTES, attr->type,
				  sizes[attr->format], &value);
}

static void put_cpus(struct fuzz_random *random, struct fuzz_message *message,
		     const struct fuzz_attr *attr,
		     const struct fuzz_machine *machine)
{
	uint32_t first = fuzz_below(random, machine->cpus);
	uint32_t nr = 1 + fuzz_below(random, machine->cpus - first);
	uint32_t list[64];
	uint32_t i;

	for (i = 0; i < nr && i < NR(list); i++)
		list[i] = first + i;
	mnl_attr_put_check(&message->head, FUZZ_BYTES, attr->type,
			   i * sizeof(list[0]), list);
}

static void put_positions(struct fuzz_random *random,
			  struct fuzz_message *message,
			  const struct fuzz_attr *attr,
			  const struct fuzz_machine *machine)
{
	struct bpmu_position list[8] = { 0 };
	uint32_t nr = 1 + fuzz_below(random, NR(list));
	uint32_t i;

	for (i = 0; i < nr; i++) {
		list[i].cpu = fuzz_below(random, machine->cpus);
		list[i].seq = fuzz_below(random, 100);
	}
	mnl_attr_put_check(&message->head, FUZZ_BYTES, attr->type,
			   nr * sizeof(list[0]), list);
}

static void put_set(struct fuzz_random *random, struct fuzz_message *message,
		    const struct fuzz_set *set, size_t row,
		    const struct fuzz_machine *machine, uint64_t groups);

/*
 * Draws the number of nested attributes in an attribute of type @attr. The first nested attribute
 * gets the legal values of row @row of @attr's table, each further one gets the values of a later
 * row. So no row is used twice.
 */
static uint32_t how_many(struct fuzz_random *random,
			 const struct fuzz_attr *attr, size_t row)
{
	size_t left = attr->inner->nr_rows - row;

	if (attr->inner->scattered && left > 3)
		left = 3;
	if (!attr->inner->nr_rows)
		return chance(random, 85) ? 1 : 1 + fuzz_below(random, 3);
	return 1 + fuzz_below(random, attr->most < left ? attr->most : left);
}

/*
 * Returns the first row of @set's table of events, from @row on, whose event the machine can count.
 * Returns @set->nr_rows if there is no such row.
 */
static size_t next_row(const struct fuzz_set *set, const struct fuzz_machine *machine,
		       size_t row)
{
	while (set->scattered && row < set->nr_rows && !(machine->rows >> row & 1))
		row++;
	return row;
}

/*
 * Draws a row of @set's table of events, mostly a row whose event the machine can count. The first
 * of several nested attributes gets the values of this row.
 */
static size_t first_row(struct fuzz_random *random, const struct fuzz_set *set,
			const struct fuzz_machine *machine)
{
	size_t row, next;

	if (!set->scattered)
		return chance(random, 60) ? 0 : fuzz_below(random, set->nr_rows);
	row = fuzz_below(random, set->nr_rows);
	next = next_row(set, machine, row);
	if (next == set->nr_rows && !chance(random, SENSELESS))
		next = next_row(set, machine, 0);
	return next < set->nr_rows ? next : row;
}

static void put_nests(struct fuzz_random *random, struct fuzz_message *message,
		      const struct fuzz_attr *attr,
		      const struct fuzz_machine *machine)
{
	size_t row = first_row(random, attr->inner, machine);
	uint32_t nr = how_many(random, attr, row);
	struct nlattr *nest;

	while (nr--) {
		nest = mnl_attr_nest_start_check(&message->head, FUZZ_BYTES,
						 attr->type);
		if (!nest)
			return;
		put_set(random, message, attr->inner, row, machine, 0);
		mnl_attr_nest_end(&message->head, nest);
		row = next_row(attr->inner, machine, row + 1);
		if (attr->inner->scattered && row == attr->inner->nr_rows)
			return;
	}
}

static uint32_t odds_of(const struct fuzz_attr *attr,
			const struct fuzz_machine *machine, uint64_t groups)
{
	if (groups && attr->format == FUZZ_NEST)
		return groups & 1ULL << attr->type ? 100 - SENSELESS :
						     SENSELESS;
	return attr->hybrid && !machine->other ? SENSELESS : attr->odds;
}

static void put_set(struct fuzz_random *random, struct fuzz_message *message,
		    const struct fuzz_set *set, size_t row,
		    const struct fuzz_machine *machine, uint64_t groups)
{
	const struct fuzz_attr *attr;
	size_t i;

	for (i = 0; i < set->nr; i++) {
		attr = &set->attrs[i];
		if (!chance(random, odds_of(attr, machine, groups)))
			continue;
		if (attr->format == FUZZ_NEST)
			put_nests(random, message, attr, machine);
		else if (attr->format == FUZZ_CPUS)
			put_cpus(random, message, attr, machine);
		else if (attr->format == FUZZ_POSITIONS)
			put_positions(random, message, attr, machine);
		else if (attr->format == FUZZ_FLAG)
			put(message, attr, 0);
		else if (set->nr_rows)
			put(message, attr, set->rows[row % set->nr_rows][i]);
		else
			put(message, attr,
			    attr->good[fuzz_below(random, attr->nr_good)]);
	}
}

/**
 * fuzz_make() - make a message of the fuzzer that conforms to the protocol
 * @random: generator of random numbers
 * @command: command of the message
 * @family: number of the module's generic netlink family
 * @machine: the machine on which the module runs
 * @groups: for BPMU_CMD_SWAP, which replaces the groups of events: set of the types of groups that
 *	the message must have, bit n for attribute n (as BPMU_A_GROUP); 0 for random types
 * @message: output
 */
void fuzz_make(struct fuzz_random *random, const struct fuzz_command *command,
	       uint16_t family, const struct fuzz_machine *machine,
	       uint64_t groups, struct fuzz_message *message)
{
	struct genlmsghdr *extra;

	mnl_nlmsg_put_header(message->bytes);
	message->head.nlmsg_type = family;
	message->head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | command->flags;
	extra = mnl_nlmsg_put_extra_header(&message->head, sizeof(*extra));
	extra->cmd = command->number;
	extra->version = BPMU_FAMILY_VERSION;
	put_set(random, message, command->set, 0, machine, groups);
	message->length = message->head.nlmsg_len;
}

static const struct fuzz_attr *uncore_groups(void)
{
	return fuzz_attr(fuzz_command(BPMU_CMD_CONFIGURE)->set, BPMU_A_UNCORE_GROUP);
}

static const struct fuzz_set *uncore_events(void)
{
	return fuzz_attr(uncore_groups()->inner, BPMU_A_GROUP_EVENT)->inner;
}

/**
 * fuzz_make_row() - make a message of the fuzzer that configures a session with one uncore event
 * @family: number of the module's generic netlink family
 * @row: index of the event in the fuzzer's table of uncore events
 * @message: output; its length is 0 if @row is not in the table
 */
void fuzz_make_row(uint16_t family, size_t row, struct fuzz_message *message)
{
	const struct fuzz_set *events = uncore_events();
	struct nlattr *group, *event;
	struct genlmsghdr *extra;
	size_t i;

	message->length = 0;
	if (row >= events->nr_rows)
		return;
	mnl_nlmsg_put_header(message->bytes);
	message->head.nlmsg_type = family;
	message->head.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	extra = mnl_nlmsg_put_extra_header(&message->head, sizeof(*extra));
	extra->cmd = BPMU_CMD_CONFIGURE;
	extra->version = BPMU_FAMILY_VERSION;
	group = mnl_attr_nest_start(&message->head, BPMU_A_UNCORE_GROUP);
	event = mnl_attr_nest_start(&message->head, BPMU_A_GROUP_EVENT);
	for (i = 0; i < events->nr; i++)
		if (events->attrs[i].needed)
			put(message, &events->attrs[i], events->rows[row][i]);
	mnl_attr_nest_end(&message->head, event);
	mnl_attr_nest_end(&message->head, group);
	message->length = message->head.nlmsg_len;
}

/*
 * Returns the events of the fuzzer's table of uncore events that may be of the same box (uncore
 * unit) as @counter: bit n for the event of row n. A box has at most five counters, so the numbers
 * of the counters differ by at most 4.
 */
static uint64_t rows_near(uint32_t counter)
{
	const struct fuzz_set *events = uncore_events();
	uint64_t rows = 0;
	size_t i;

	for (i = 0; i < events->nr_rows; i++)
		if (events->rows[i][0] + 4 >= counter && events->rows[i][0] <= counter + 4)
			rows |= 1ULL << i;
	return rows;
}

/**
 * fuzz_rows_like() - find the uncore events that may replace those of the fuzzer's session
 * @message: configuration of the session, with legal attributes
 *
 * BPMU_CMD_SWAP replaces the groups of events of a session. The new uncore events must be of the
 * same types of boxes (uncore units) as the events in @message.
 *
 * Return: set of rows of the fuzzer's table of uncore events, bit n for row n.
 */
uint64_t fuzz_rows_like(const struct fuzz_message *message)
{
	const struct nlattr *group, *event, *attr;
	uint64_t rows = 0;

	mnl_attr_for_each(group, &message->head, GENL_HDRLEN) {
		if (mnl_attr_get_type(group) != BPMU_A_UNCORE_GROUP)
			continue;
		mnl_attr_for_each_nested(event, group)
			mnl_attr_for_each_nested(attr, event)
				if (mnl_attr_get_type(attr) == BPMU_A_EVENT_COUNTER)
					rows |= rows_near(mnl_attr_get_u32(attr));
	}
	return rows;
}

static uint64_t boundary(struct fuzz_random *random)
{
	static const uint64_t limits[] = {
		BPMU_COUNTER_FIXED, BPMU_MAX_COUNTERS, BPMU_MAX_GROUPS,
		BPMU_MIN_INTERVAL_NS, BPMU_MAX_BUFFER_SAMPLES,
	};
	uint64_t value = 1ULL << fuzz_below(random, 64);

	if (chance(random, 30))
		value = limits[fuzz_below(random, NR(limits))];
	if (chance(random, 20))
		value = draw(random);
	return value + fuzz_below(random, 3) - 1;
}

static size_t attrs_length(const struct fuzz_message *message)
{
	return message->length > HEADS ? message->length - HEADS : 0;
}

/*
 * Returns a random attribute of a message, at any nesting level, or NULL if the message has none.
 */
static struct nlattr *pick(struct fuzz_random *random,
			   struct fuzz_message *message)
{
	char *at = message->bytes + HEADS;
	int length = attrs_length(message);
	struct nlattr *found = NULL;
	struct nlattr *attr;
	uint32_t seen;

	do {
		seen = 0;
		attr = (struct nlattr *)at;
		for (; mnl_attr_ok(attr, length);
		     length -= NLA_ALIGN(attr->nla_len),
		     attr = mnl_attr_next(attr))
			if (!fuzz_below(random, ++seen))
				found = attr;
		if (!seen)
			break;
		at = mnl_attr_get_payload(found);
		length = mnl_attr_get_payload_len(found);
	} while (found->nla_type & NLA_F_NESTED && chance(random, 75));
	return found;
}

static void wrong_length(struct fuzz_random *random,
			 struct fuzz_message *message, struct nlattr *attr)
{
	static const uint16_t lengths[] = { 0, 1, 3, 4, 5, 7, 8, 12, 65535 };

	(void)message;
	if (chance(random, 50))
		attr->nla_len = lengths[fuzz_below(random, NR(lengths))];
	else
		attr->nla_len += fuzz_below(random, 9) - 4;
}

static void wrong_type(struct fuzz_random *random,
		       struct fuzz_message *message, struct nlattr *attr)
{
	(void)message;
	if (chance(random, 30))
		attr->nla_type ^= 1 << (14 + fuzz_below(random, 2));
	else if (chance(random, 80))
		attr->nla_type = (attr->nla_type & NLA_F_NESTED) |
				 fuzz_below(random, BPMU_A_MAX + 3);
	else
		attr->nla_type = draw(random);
}

static void wrong_value(struct fuzz_random *random,
			struct fuzz_message *message, struct nlattr *attr)
{
	uint64_t value = boundary(random);
	size_t room = message->bytes + message->length -
		      (char *)mnl_attr_get_payload(attr);
	size_t size = attr->nla_len > NLA_HDRLEN ? attr->nla_len - NLA_HDRLEN :
						   0;

	size = size < sizeof(value) ? size : sizeof(value);
	memcpy(mnl_attr_get_payload(attr), &value, size < room ? size : room);
}

static void append(struct fuzz_message *message, const void *bytes,
		   size_t length)
{
	if (message->length + NLA_ALIGN(length) > FUZZ_BYTES)
		return;
	memmove(message->bytes + message->length, bytes, length);
	memset(message->bytes + message->length + length, 0,
	       NLA_ALIGN(length) - length);
	message->length += NLA_ALIGN(length);
	message->head.nlmsg_len = message->length;
}

/*
 * Appends copies of an attribute to the outermost level of a message: one copy, or rarely up to
 * 1,999. If @attr is a nested attribute, the copies are misplaced; if not, they are duplicates.
 */
static void duplicate(struct fuzz_random *random, struct fuzz_message *message,
		      struct nlattr *attr)
{
	uint32_t times = chance(random, 95) ? 1 : fuzz_below(random, 2000);

	while (times--)
		append(message, attr, attr->nla_len);
}

static void cut_short(struct fuzz_random *random, struct fuzz_message *message,
		      struct nlattr *attr)
{
	(void)attr;
	message->length = NLMSG_HDRLEN +
			  fuzz_below(random, message->length - NLMSG_HDRLEN);
	if (chance(random, 80))
		message->head.nlmsg_len = message->length;
}

static void unknown(struct fuzz_random *random, struct fuzz_message *message,
		    struct nlattr *attr)
{
	char bytes[64] = { 0 };
	struct nlattr *made = (struct nlattr *)bytes;

	(void)attr;
	made->nla_len = NLA_HDRLEN + fuzz_below(random, 60);
	made->nla_type = chance(random, 80) ?
			 fuzz_below(random, BPMU_A_MAX + 8) : draw(random);
	append(message, made, made->nla_len);
}

/*
 * Damages a header of the message. The flags that ask for an answer are kept, because the fuzzer
 * checks the answer.
 */
static void wrong_head(struct fuzz_random *random,
		       struct fuzz_message *message, struct nlattr *attr)
{
	struct genlmsghdr *extra = mnl_nlmsg_get_payload(&message->head);

	(void)attr;
	switch (fuzz_below(random, 4)) {
	case 0:
		extra->cmd = fuzz_below(random, BPMU_CMD_MAX + 3);
		break;
	case 1:
		extra->version = draw(random);
		break;
	case 2:
		extra->reserved = draw(random);
		break;
	default:
		message->head.nlmsg_flags ^= 1 << (3 + fuzz_below(random, 13));
	}
}

static void many_cpus(struct fuzz_random *random, struct fuzz_message *message)
{
	static uint32_t cpus[6000];
	uint32_t nr = fuzz_below(random, NR(cpus));
	uint32_t i;

	for (i = 0; i < nr; i++)
		cpus[i] = chance(random, 50) ? i : fuzz_below(random, 2 * NR(cpus));
	if (mnl_attr_put_check(&message->head, FUZZ_BYTES, BPMU_A_CPUS,
			       nr * sizeof(cpus[0]), cpus))
		message->length = message->head.nlmsg_len;
}

/**
 * fuzz_mutate() - mutate a message that the fuzzer has made, one to three times
 * @random: generator of random numbers
 * @message: input and output; has at least the netlink header and the generic netlink header
 */
void fuzz_mutate(struct fuzz_random *random, struct fuzz_message *message)
{
	static void (*const mutations[])(struct fuzz_random *random,
					 struct fuzz_message *message,
					 struct nlattr *attr) = {
		wrong_value, wrong_value, wrong_value, wrong_value, wrong_type,
		wrong_type, wrong_length, wrong_length, duplicate, unknown,
		wrong_head, cut_short,
	};
	uint32_t times = chance(random, 70) ? 1 : 1 + fuzz_below(random, 3);
	struct nlattr *attr;
	uint32_t first;

	if (chance(random, 1))
		many_cpus(random, message);
	while (times-- && message->length >= HEADS) {
		attr = pick(random, message);
		first = attr ? 0 : WITHOUT_ATTR;
		mutations[first + fuzz_below(random, NR(mutations) - first)]
			(random, message, attr);
	}
}

/**
 * fuzz_flip() - flip up to six bits of a message that the fuzzer has made
 * @random: generator of random numbers
 * @message: input and output; no bit of the message's netlink header is flipped
 */
void fuzz_flip(struct fuzz_random *random, struct fuzz_message *message)
{
	uint32_t bits = (message->length - NLMSG_HDRLEN) * 8;
	uint32_t times = 1 + fuzz_below(random, 6);
	uint32_t bit;

	while (bits && times--) {
		bit = fuzz_below(random, bits);
		message->bytes[NLMSG_HDRLEN + bit / 8] ^= 1 << (bit % 8);
	}
}
