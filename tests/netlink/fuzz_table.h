/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of the protocol in uapi/linux/barepmu.h. The fuzzer makes its messages from them and
 * checks the answers by them; a new command or attribute needs a row here.
 */
#ifndef FUZZ_TABLE_H
#define FUZZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_COLUMNS 4
/* upper bound of CPU numbers: no guest has a CPU with this number or a higher one */
#define FUZZ_MAX_CPU 8192
/* Largest number of legal values that a unique attribute can have, from @low to @high. */
#define FUZZ_MOST_VALUES 512

enum fuzz_format {
	FUZZ_U32,
	FUZZ_U64,
	FUZZ_FLAG,
	FUZZ_CPUS,
	FUZZ_POSITIONS,
	FUZZ_NEST,
};

/**
 * struct fuzz_attr - one attribute of a request
 * @name: name for reports
 * @type: number of the type
 * @format: format of its payload
 * @odds: percentage of valid messages that have the attribute
 * @hybrid: the attribute is rare on machines with one core type, whatever @odds is
 * @needed: a message without the attribute must be refused
 * @most: maximum number of occurrences; 0: a second one may be accepted, and is not made
 * @unique: nests of one parent must have different values
 * @zero_ok: 0 is legal too, and means the same as no attribute
 * @low: smallest legal value
 * @high: largest legal value
 * @never: bits that must be refused
 * @good: legal values to draw from, for FUZZ_U32 and FUZZ_U64 without rows, [@nr_good]
 * @nr_good: number of these values
 * @inner: attributes inside, for FUZZ_NEST
 */
struct fuzz_attr {
	const char *name;
	uint16_t type;
	enum fuzz_format format;
	uint8_t odds;
	bool hybrid;
	bool needed;
	unsigned int most;
	bool unique;
	bool zero_ok;
	uint64_t low;
	uint64_t high;
	uint64_t never;
	const uint64_t *good;
	size_t nr_good;
	const struct fuzz_set *inner;
};

/**
 * struct fuzz_set - attributes that are legal at one nesting level of a message
 * @attrs: the attributes, [@nr]
 * @nr: number of attributes
 * @rows: values that are legal together, [@nr_rows][@nr]
 * @nr_rows: number of rows, 0 if the values do not depend on each other
 * @scattered: a part has the events of only some rows, anywhere in the table; if false, a part has
 *	the first rows, and most messages begin with the first row
 */
struct fuzz_set {
	const struct fuzz_attr *attrs;
	size_t nr;
	const uint64_t (*rows)[FUZZ_COLUMNS];
	size_t nr_rows;
	bool scattered;
};

/**
 * struct fuzz_command - one command
 * @name: name for reports
 * @number: enum bpmu_cmd
 * @flags: NLM_F_DUMP or 0
 * @weight: frequency relative to the other commands
 * @owner: while there is a session, the command is refused from sockets other than the owner
 * @readers: readers may send the command, despite @owner
 * @states: set of 1 << enum bpmu_state in which the command may succeed
 * @next: state after success, or -1 for no change
 * @set: attributes of its request
 */
struct fuzz_command {
	const char *name;
	uint8_t number;
	uint16_t flags;
	unsigned int weight;
	bool owner;
	bool readers;
	unsigned int states;
	int next;
	const struct fuzz_set *set;
};

extern const struct fuzz_command fuzz_commands[];
extern const size_t fuzz_nr_commands;

const struct fuzz_command *fuzz_command(uint8_t number);
const struct fuzz_attr *fuzz_attr(const struct fuzz_set *set, uint16_t type);

#endif /* FUZZ_TABLE_H */
