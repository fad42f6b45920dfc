/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol of uapi/linux/barepmu.h as tables, from which the fuzzer makes
 * its messages and by which it judges the answers. A new command or attribute
 * is a new row here.
 */
#ifndef FUZZ_TABLE_H
#define FUZZ_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_COLUMNS 4
/* CPU numbers from here on are absent in any guest */
#define FUZZ_MAX_CPU 8192
/* how many legal values a unique attribute has at most, from its lowest to its highest */
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
 * @name: for messages
 * @type: its number
 * @format: what it holds
 * @odds: per cent of the valid messages that have it
 * @hybrid: seldom where all CPUs are alike, whatever @odds says
 * @needed: a message without it must be refused
 * @most: how often it may stand; 0: again is neither forbidden nor tried
 * @unique: no two nests of one parent may have the same value
 * @zero_ok: 0 stands for "absent", whatever @low says
 * @low: smallest legal value
 * @high: largest legal value
 * @never: bits that must be refused
 * @good: legal values to take, for FUZZ_U32 and FUZZ_U64 without rows
 * @nr_good: their number
 * @inner: of FUZZ_NEST
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
 * struct fuzz_set - the attributes that one level of a message may have
 * @attrs: which
 * @nr: their number
 * @rows: values that are legal together, [nr_rows][nr]
 * @nr_rows: their number, 0 where the values do not depend on each other
 * @scattered: rows are of many parts, few of them of the same; else most messages begin with
 *	the first
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
 * @name: for messages
 * @number: enum bpmu_cmd
 * @flags: NLM_F_DUMP or 0
 * @weight: how often it is chosen, compared with others
 * @owner: another socket must be refused while there is a session
 * @readers: but not if it may read
 * @states: set of 1 << enum bpmu_state in which it may succeed
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
