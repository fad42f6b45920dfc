/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the fuzzer's messages: random valid ones, by the tables of fuzz_table.c, and random
 * mutations of messages.
 */
#ifndef FUZZ_MAKE_H
#define FUZZ_MAKE_H

#include <stdint.h>
#include <linux/netlink.h>

#include "fuzz_table.h"

#define FUZZ_BYTES 32768

/**
 * struct fuzz_message - a message that the fuzzer sends
 * @head: netlink header of the message; its nlmsg_len may be wrong
 * @bytes: bytes of the message, including its headers
 * @length: number of bytes that are sent
 */
struct fuzz_message {
	union {
		struct nlmsghdr head;
		char bytes[FUZZ_BYTES];
	};
	size_t length;
};

/**
 * struct fuzz_machine - the machine on which the module runs
 * @cpus: number of CPUs, all of them online
 * @first: set of the CPUs that have the core type of CPU 0, bit n for CPU n
 * @other: set of the CPUs that have the other core type of a hybrid part
 * @rows: set of the uncore events that the machine can count, bit n for the event in row n of the
 *	fuzzer's table of uncore events
 */
struct fuzz_machine {
	unsigned int cpus;
	uint64_t first;
	uint64_t other;
	uint64_t rows;
};

/**
 * struct fuzz_random - generator of random numbers
 * @state: state of the generator, which begins with the seed
 */
struct fuzz_random {
	uint64_t state;
};

bool fuzz_hybrid(const struct fuzz_machine *machine, uint64_t cpus);
uint32_t fuzz_below(struct fuzz_random *random, uint32_t limit);
void fuzz_make(struct fuzz_random *random, const struct fuzz_command *command,
	       uint16_t family, const struct fuzz_machine *machine,
	       uint64_t groups, struct fuzz_message *message);
void fuzz_make_row(uint16_t family, size_t row, struct fuzz_message *message);
uint64_t fuzz_rows_like(const struct fuzz_message *message);
void fuzz_mutate(struct fuzz_random *random, struct fuzz_message *message);
void fuzz_flip(struct fuzz_random *random, struct fuzz_message *message);

#endif /* FUZZ_MAKE_H */
