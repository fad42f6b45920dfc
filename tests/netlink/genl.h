/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions by which a test sends generic netlink requests, valid and invalid ones, to the module
 * directly, without the tool's library.
 */
#ifndef GENL_H
#define GENL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <libmnl/libmnl.h>

#define GENL_BUFFER 65536
/*
 * Event select that is legal on every CPU model: bit USR is 1, bit OS is 0, and the event code is
 * 0xc0, which every CPU model has.
 */
#define GENL_SELECT 0x100c0ULL
#define GENL_CPUS 64
#define GENL_NO_GROUP UINT32_MAX

/* A set of attributes, of which there are more than 64. */
typedef unsigned __int128 genl_set;

/**
 * struct genl - a generic netlink socket, and the answer to its latest request
 * @socket: the socket, opened by libmnl
 * @family: number of the module's generic netlink family
 * @message: request that is being built, in @buffer
 * @sentence: extack sentence of the answer, "" if it has none
 * @replies: number of messages of the answer before the acknowledgment
 * @reply: function that is called for each of these messages, or NULL
 * @data: first argument of @reply
 * @told: set of the attributes in these messages, bit n for attribute n
 * @buffer: holds the request, then the messages of the answer
 */
struct genl {
	struct mnl_socket *socket;
	uint16_t family;
	struct nlmsghdr *message;
	char sentence[256];
	unsigned int replies;
	void (*reply)(void *data, const struct nlmsghdr *answer);
	void *data;
	genl_set told;
	char buffer[GENL_BUFFER];
};

/**
 * struct genl_cpus - list of CPUs from netlink messages
 * @nr: number of CPUs
 * @cpu: [@nr], numbers of the CPUs
 */
struct genl_cpus {
	unsigned int nr;
	uint32_t cpu[GENL_CPUS];
};

const char *genl_load(void);
int genl_open(struct genl *genl);
int genl_subscribe(struct genl *genl);
bool genl_hears(struct genl *genl, uint8_t command, int ms);
void genl_close(struct genl *genl);
struct nlmsghdr *genl_new(struct genl *genl, uint8_t command, uint16_t flags);
void genl_put_event(struct nlmsghdr *message, uint32_t counter,
		    uint64_t select);
void genl_put_group_as(struct nlmsghdr *message, uint16_t type,
		       uint32_t counter, uint64_t select);
void genl_put_group(struct nlmsghdr *message, uint32_t counter,
		    uint64_t select);
struct nlmsghdr *genl_plan(struct genl *genl);
int genl_send(struct genl *genl);
int genl_command(struct genl *genl, uint8_t command);
int genl_let_read(uint32_t gid);
void genl_take_cpus(void *cpus, const struct nlmsghdr *answer);
int genl_core_type(struct genl *genl, uint32_t cpu, struct genl_cpus *cpus);

/*
 * Loads the module in a fixture of kselftest_harness.h. If this fails, skips the test and executes
 * @statement.
 */
#define GENL_LOAD(statement) do { \
	const char *_why = genl_load(); \
	\
	if (_why) \
		SKIP(statement, "%s", _why); \
} while (0)

#endif /* GENL_H */
