/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink requests to the module, which a test sends without the tool's library: valid and
 * invalid ones.
 */
#ifndef GENL_H
#define GENL_H

#include <stddef.h>
#include <stdint.h>
#include <libmnl/libmnl.h>

#define GENL_BUFFER 65536
/*
 * Event select that is legal on any part: USR bit set, OS bit clear, event code 0xc0, which every
 * part has.
 */
#define GENL_SELECT 0x100c0ULL
#define GENL_CPUS 64
#define GENL_NO_GROUP UINT32_MAX

/**
 * struct genl - a socket and the answer to its latest request
 * @socket: socket of libmnl
 * @family: number of the family
 * @message: the request being built, in @buffer
 * @sentence: sentence of the extended acknowledgment, "" without one
 * @replies: number of messages before the acknowledgment
 * @reply: called for each of these messages, or NULL
 * @data: passed to @reply
 * @told: set of 1 << type of the attributes in these messages
 * @buffer: holds the request, then the answer
 */
struct genl {
	struct mnl_socket *socket;
	uint16_t family;
	struct nlmsghdr *message;
	char sentence[256];
	unsigned int replies;
	void (*reply)(void *data, const struct nlmsghdr *answer);
	void *data;
	uint64_t told;
	char buffer[GENL_BUFFER];
};

/**
 * struct genl_cpus - list of CPUs in a netlink message
 * @nr: number of CPUs
 * @cpu: numbers of the CPUs, [@nr]
 */
struct genl_cpus {
	unsigned int nr;
	uint32_t cpu[GENL_CPUS];
};

const char *genl_load(void);
int genl_open(struct genl *genl);
int genl_subscribe(struct genl *genl);
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
 * For a fixture of kselftest_harness.h: if the module cannot be loaded, skips the test and executes
 * @statement.
 */
#define GENL_LOAD(statement) do { \
	const char *_why = genl_load(); \
	\
	if (_why) \
		SKIP(statement, "%s", _why); \
} while (0)

#endif /* GENL_H */
