/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The budget of the samplers' memory. A session asks for buffers of any size, and the budget keeps
 * their sum below a limit.
 */
#ifndef BPMU_BUDGET_H
#define BPMU_BUDGET_H

#include <linux/types.h>

struct netlink_ext_ack;

bool bpmu_budget_take(u64 size, struct netlink_ext_ack *extack);
void bpmu_budget_give(u64 size);

#endif /* BPMU_BUDGET_H */
