/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slices of a plan: memory in which each CPU of a session keeps the state of each group while other
 * groups are multiplexed.
 */
#ifndef BPMU_SLICES_H
#define BPMU_SLICES_H

#include "bank/bank.h"
#include "bank/plan.h"

struct netlink_ext_ack;

int bpmu_slices_alloc(struct bpmu_plan *plan, const struct bpmu_settings *settings,
		      struct netlink_ext_ack *extack);
void bpmu_slices_free(struct bpmu_plan *plan);
struct bpmu_slice *bpmu_slices_of(const struct bpmu_plan *plan, unsigned int cpu,
				  enum bpmu_bank_id bank);

#endif /* BPMU_SLICES_H */
