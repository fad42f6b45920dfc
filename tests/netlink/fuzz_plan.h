/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups and settings of the fuzzer's session, called plan here: those that BPMU_CMD_CONFIGURE asks
 * for, or the groups by which BPMU_CMD_SWAP replaces the session's groups. The module must refuse
 * some combinations of groups although each attribute in the message is legal.
 */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include <stdbool.h>

#include "fuzz_make.h"

/**
 * enum fuzz_groups - types of groups that a session of the fuzzer can have
 * @FUZZ_FIRST: groups of core events for the core type of the lowest CPU
 * @FUZZ_OTHER: groups of core events for the other core type
 * @FUZZ_UNCORE: groups of uncore events
 * @FUZZ_FREE: groups of free-running registers that a thread has; FUZZ_FREE + 1 is for those that a
 *	core has, FUZZ_FREE + 2 for those that a package has
 * @FUZZ_NR_GROUPS: number of these types
 */
enum fuzz_groups {
	FUZZ_FIRST,
	FUZZ_OTHER,
	FUZZ_UNCORE,
	FUZZ_FREE,
	FUZZ_NR_GROUPS = FUZZ_FREE + 3,
};

/**
 * struct fuzz_plan - groups and settings of a session on which the module's answers depend
 * @nr: [enum fuzz_groups], number of groups of each type
 * @same_boxes: number of uncore groups for the type of box (uncore unit) that has the most groups
 * @hybrid: true if the session's CPUs have two core types
 * @interval: true if the session takes samples in intervals; otherwise each type has one group at
 *	most, because there is no multiplexing without an interval
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
