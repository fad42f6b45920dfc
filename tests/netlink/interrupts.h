/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts of events: sessions on CPU 0 that are opened by netlink messages, and the records of
 * their interrupts with call chains and branch records.
 */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "log.h"

#define INTERRUPTS_MOST 20000
/* Number of records whose call chains and branch records are kept. */
#define INTERRUPTS_CHAINS 2000

/**
 * struct interrupts_chain - one call chain of a record
 * @present: the record has this chain
 * @flags: enum bpmu_section_flag
 * @nr: number of addresses
 * @address: the addresses, [@nr]
 */
struct interrupts_chain {
	bool present;
	uint16_t flags;
	unsigned int nr;
	uint64_t address[BPMU_MAX_CHAIN];
};

/**
 * struct interrupts_branches - branch records of a record
 * @present: the record has a section of them, which may be empty
 * @nr: number of branches
 * @branch: the branches, the last one first, [@nr]
 */
struct interrupts_branches {
	bool present;
	unsigned int nr;
	struct bpmu_branch branch[BPMU_MAX_BRANCHES];
};

/**
 * struct interrupts - records of a run, in the order of their arrival
 * @nr: number of records
 * @record: records, [@nr]
 * @chain: chains of the first ones, [INTERRUPTS_CHAINS], by enum bpmu_section_id
 * @branches: branch records of the same ones, [INTERRUPTS_CHAINS]
 * @malformed: number of records whose sections do not fit into their size
 * @lost: number of records that the module reports as lost
 */
struct interrupts {
	unsigned int nr;
	struct bpmu_overflow record[INTERRUPTS_MOST];
	struct interrupts_chain chain[INTERRUPTS_CHAINS][2];
	struct interrupts_branches branches[INTERRUPTS_CHAINS];
	unsigned int malformed;
	uint64_t lost;
};

extern struct interrupts interrupts;

void interrupts_put_event(struct nlmsghdr *message, uint32_t counter, uint64_t select,
			  uint32_t period, bool precise);
struct nlmsghdr *interrupts_begin(struct log *log);
void interrupts_put_group(struct nlmsghdr *message, uint64_t select, uint32_t period);
int interrupts_start(struct log *log);
int interrupts_read(struct log *log);
int interrupts_stop(struct log *log);
uint32_t interrupts_info(struct log *log, uint16_t attribute);

#endif /* INTERRUPTS_H */
