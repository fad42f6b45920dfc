/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions with interrupts on CPU 0, and the records of these interrupts with their call chains,
 * branches and counts. Tests open the sessions by netlink messages.
 */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "log.h"

#define INTERRUPTS_MOST 20000
/* Number of records, from the first on, whose call chains and branches are kept. */
#define INTERRUPTS_CHAINS 2000

/**
 * struct interrupts_chain - a call chain in the record of an interrupt
 * @present: true if the record has this chain
 * @flags: set of enum bpmu_section_flag
 * @nr: number of addresses
 * @address: [@nr], addresses of the chain
 */
struct interrupts_chain {
	bool present;
	uint16_t flags;
	unsigned int nr;
	uint64_t address[BPMU_MAX_CHAIN];
};

/**
 * struct interrupts_branches - the branches in the record of an interrupt
 * @present: true if the record has a section of branches, which may be empty
 * @nr: number of branches
 * @branch: [@nr], the branches, the latest one first
 */
struct interrupts_branches {
	bool present;
	unsigned int nr;
	struct bpmu_branch branch[BPMU_MAX_BRANCHES];
};

/**
 * struct interrupts_counts - the counts in the record of an interrupt
 * @present: true if the record has a section of counts, which may be broken
 * @flags: set of enum bpmu_section_flag
 * @nr: number of counts
 * @value: [@nr], the counts, in the order of the group's events
 */
struct interrupts_counts {
	bool present;
	uint16_t flags;
	unsigned int nr;
	uint64_t value[BPMU_MAX_COUNTERS];
};

/**
 * struct interrupts_op - the sampled op in the record of an interrupt
 * @present: true if the record has a section of an op
 * @op: the op
 */
struct interrupts_op {
	bool present;
	struct bpmu_tagged_op op;
};

/**
 * struct interrupts_fetch - the sampled fetch in the record of an interrupt
 * @present: true if the record has a section of a fetch
 * @fetch: the fetch
 */
struct interrupts_fetch {
	bool present;
	struct bpmu_fetched fetch;
};

/**
 * struct interrupts_retired - the retire latency in the record of an interrupt
 * @present: true if the record has the latency
 * @latency: the latency in cycles
 */
struct interrupts_retired {
	bool present;
	uint32_t latency;
};

/**
 * struct interrupts - records of the interrupts of a session, in the order of their arrival
 * @nr: number of records
 * @record: [@nr], records
 * @chain: [record][enum bpmu_section_id], call chains of the first INTERRUPTS_CHAINS records
 * @branches: [record], branches of the first INTERRUPTS_CHAINS records
 * @counts: [record], counts of the first INTERRUPTS_CHAINS records
 * @op: [record], sampled ops of the first INTERRUPTS_CHAINS records
 * @fetch: [record], sampled fetches of the first INTERRUPTS_CHAINS records
 * @retired: [record], retire latencies of the first INTERRUPTS_CHAINS records
 * @malformed: number of records whose sections do not fit the record's size
 * @lost: number of records that the module reports as lost
 */
struct interrupts {
	unsigned int nr;
	struct bpmu_overflow record[INTERRUPTS_MOST];
	struct interrupts_chain chain[INTERRUPTS_CHAINS][2];
	struct interrupts_branches branches[INTERRUPTS_CHAINS];
	struct interrupts_counts counts[INTERRUPTS_CHAINS];
	struct interrupts_op op[INTERRUPTS_CHAINS];
	struct interrupts_fetch fetch[INTERRUPTS_CHAINS];
	struct interrupts_retired retired[INTERRUPTS_CHAINS];
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
