/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_PACK_H
#define BPMU_METRIC_PACK_H

#include "event/groups.h"
#include "metric_needs.h"

/*
 * Index of an element of &bpmu_pack.group that is not a group. If there are several groups that use
 * the kind of counters @bank, the element has the events that all of these groups have.
 */
#define BPMU_PACK_TOTAL(bank) (BPMU_GROUPS_MAX + (bank))

/* Length of &bpmu_pack.group: the groups, then one element per bank (kind of counters) */
#define BPMU_PACK_GROUPS BPMU_PACK_TOTAL(BPMU_BANKS)

/**
 * struct bpmu_pack - events packed into as few groups as possible
 * @group: [@nr], events of each group, including the events of its clock (which tell how long the
 *	group was counted); groups of the core come first. Behind the groups, each bank (set of
 *	counters that are read together) has one more element, at BPMU_PACK_TOTAL(bank). If the bank
 *	has several groups, this element has the events that all of these groups have, and that are
 *	therefore counted all the time. Otherwise the element is empty
 * @nr: number of groups
 */
struct bpmu_pack {
	struct bpmu_event_set group[BPMU_PACK_GROUPS];
	unsigned int nr;
};

int bpmu_pack_groups(const struct bpmu_needs *needs, struct bpmu_pack *pack,
		     struct bpmu_error *err);
int bpmu_pack_counted(struct bpmu_needs *needs, const struct bpmu_groups *counted,
		      const struct bpmu_event_set *wanted, struct bpmu_pack *pack,
		      struct bpmu_error *err);

#endif /* BPMU_METRIC_PACK_H */
