/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages made by chance from the tables, and broken by chance.
 */
#ifndef FUZZ_MAKE_H
#define FUZZ_MAKE_H

#include <stdint.h>
#include <linux/netlink.h>

#include "fuzz_table.h"

#define FUZZ_BYTES 32768

/**
 * struct fuzz_message - a message to send
 * @head: its header; nlmsg_len may lie
 * @bytes: the whole
 * @length: how much of it is sent
 */
struct fuzz_message {
	union {
		struct nlmsghdr head;
		char bytes[FUZZ_BYTES];
	};
	size_t length;
};

/**
 * struct fuzz_random - the source of all chance
 * @state: seed
 */
struct fuzz_random {
	uint64_t state;
};

uint32_t fuzz_below(struct fuzz_random *random, uint32_t limit);
void fuzz_make(struct fuzz_random *random, const struct fuzz_command *command,
	       uint16_t family, unsigned int cpus,
	       struct fuzz_message *message);
void fuzz_mutate(struct fuzz_random *random, struct fuzz_message *message);
void fuzz_flip(struct fuzz_random *random, struct fuzz_message *message);

#endif /* FUZZ_MAKE_H */
