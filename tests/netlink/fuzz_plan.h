/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans in the fuzzer's messages: configurations (BPMU_CMD_CONFIGURE) and the groups of swaps
 * (BPMU_CMD_SWAP). Some combinations of groups must be refused although each attribute is legal.
 */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include <stdbool.h>

#include "fuzz_make.h"

/**
 * enum fuzz_groups - kinds of groups that a plan can have
 * @FUZZ_FIRST: groups of core events for the core type of the lowest CPU
 * @FUZZ_OTHER: groups of core events for the other core type
 * @FUZZ_UNCORE: groups of uncore events
 * @FUZZ_FREE: groups of free-running registers of a thread; the next two values are for groups of
 *	such registers of a core and of a package
 * @FUZZ_NR_GROUPS: number of these kinds of groups
 */
enum fuzz_groups {
	FUZZ_FIRST,
	FUZZ_OTHER,
	FUZZ_UNCORE,
	FUZZ_FREE,
	FUZZ_NR_GROUPS = FUZZ_FREE + 3,
};

/**
 * struct fuzz_plan - a configuration or the groups of a swap, as far as answers depend on them
 * @nr: [enum fuzz_groups], number of groups of the kind
 * @same_boxes: maximum number of uncore groups that count in boxes of one type, and are therefore
 *	multiplexed
 * @hybrid: true if the CPUs have two core types
 * @interval: true if there is an interval, without which groups cannot be multiplexed
 * @who: true if samples name the interrupted task, so that only the owner may read them
 */
struct fuzz_plan {
	unsigned int nr[FUZZ_NR_GROUPS];
	unsigned int same_boxes;
	bool hybrid;
	bool interval;
	bool who;
};

struct fuzz_plan fuzz_plan_read(const struct fuzz_machine *machine,
				const struct fuzz_message *message);
uint64_t fuzz_plan_groups(const struct fuzz_plan *plan);
void fuzz_plan_swap(struct fuzz_plan *plan, const struct fuzz_plan *by);
const char *fuzz_plan_wrong(const struct fuzz_plan *plan);
const char *fuzz_plan_stays(const struct fuzz_plan *plan,
			    const struct fuzz_plan *by);

#endif /* FUZZ_PLAN_H */
