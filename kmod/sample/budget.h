/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The budget of the samplers' memory: a limit that the sum of all buffers may not exceed. A request
 * may ask for buffers of any size, and is refused if the budget does not suffice.
 */
#ifndef BPMU_BUDGET_H
#define BPMU_BUDGET_H

#include <linux/types.h>

struct netlink_ext_ack;

bool bpmu_budget_take(u64 size, struct netlink_ext_ack *extack);
void bpmu_budget_give(u64 size);

#endif /* BPMU_BUDGET_H */
