/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of the commands and attributes in uapi/linux/barepmu.h. The fuzzer makes messages and
 * checks answers by these tables; a new command or attribute needs a row here.
 */
#ifndef FUZZ_TABLE_H
#define FUZZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_COLUMNS 4
/* Limit of CPU numbers: the CPU numbers of all guests are below it. */
#define FUZZ_MAX_CPU 8192
/* Maximum number of legal values (@high - @low + 1) of an attribute for which @unique is true. */
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
 * struct fuzz_attr - an attribute of a request, with its legal values
 * @name: name of the attribute in the fuzzer's reports
 * @type: number of the type
 * @format: format of the attribute's payload
 * @odds: percentage of valid messages that have the attribute
 * @hybrid: true if the attribute is rare on machines with one core type, in spite of @odds
 * @needed: true if a message without the attribute must be refused
 * @most: maximum number of occurrences in a message. If 0, there is no maximum, but the fuzzer puts
 *	the attribute into a message once only
 * @unique: true if nested attributes of one parent must have different values
 * @zero_ok: true if 0 is legal although @low is greater; 0 then means the same as no attribute
 * @low: smallest legal value
 * @high: largest legal value
 * @never: bits that must be refused
 * @good: [@nr_good], legal values, of which the fuzzer draws one. Only if @format is FUZZ_U32 or
 *	FUZZ_U64, and &fuzz_set.rows has no values of the attribute
 * @nr_good: number of values in @good
 * @inner: legal attributes inside, if @format is FUZZ_NEST
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
 * @attrs: [@nr], the legal attributes
 * @nr: number of attributes
 * @rows: [@nr_rows][@nr], values of the attributes; the values in one row are legal together
 * @nr_rows: number of rows, 0 if the values do not depend on each other
 * @scattered: false if each CPU model has at least the event of the first row, so that most
 *	messages begin with this row. True if it depends on the CPU model which rows it can count
 */
struct fuzz_set {
	const struct fuzz_attr *attrs;
	size_t nr;
	const uint64_t (*rows)[FUZZ_COLUMNS];
	size_t nr_rows;
	bool scattered;
};

/**
 * struct fuzz_command - a command of the protocol
 * @name: name of the command in the fuzzer's reports
 * @number: enum bpmu_cmd
 * @flags: NLM_F_DUMP or 0
 * @weight: how often the fuzzer sends the command; twice the weight is twice as often
 * @owner: true if only the session's owner may send the command while there is a session
 * @readers: true if users who may read samples may send the command too, although @owner is true
 * @states: set of the states of the session in which the command may succeed, bit n for enum
 *	bpmu_state n
 * @next: state of the session after success, or -1 if it does not change
 * @set: legal attributes of the request
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
