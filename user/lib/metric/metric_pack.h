/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_METRIC_PACK_H
#define BPMU_METRIC_PACK_H

#include "event/groups.h"
#include "metric_needs.h"

#define BPMU_PACK_GROUPS BPMU_GROUPS_MAX

/**
 * struct bpmu_pack - events packed into as few groups as possible
 * @group: [@nr], events of a group, including those of the clock; groups of the core first
 * @nr: number of groups
 */
struct bpmu_pack {
	struct bpmu_event_set group[BPMU_PACK_GROUPS];
	unsigned int nr;
};

int bpmu_pack_groups(const struct bpmu_needs *needs, struct bpmu_pack *pack,
		     struct bpmu_error *err);

#endif /* BPMU_METRIC_PACK_H */
