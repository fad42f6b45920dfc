/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of all CPUs of a plan, taken and given back together. Callers
 * hold the session's lock and the CPU hotplug lock.
 */
#ifndef BPMU_COUNTERS_H
#define BPMU_COUNTERS_H

#include "plan.h"

int bpmu_counters_take(struct bpmu_plan *plan, const char **why);
void bpmu_counters_give(const struct bpmu_plan *plan);
void bpmu_counters_start(const struct bpmu_plan *plan, u32 flag);
void bpmu_counters_stop(const struct bpmu_plan *plan, u32 flag);
void bpmu_counters_request(const struct bpmu_plan *plan);
void bpmu_counters_swap(const struct bpmu_plan *plan);
void bpmu_counters_leave(const struct bpmu_plan *plan);
int bpmu_counters_return(struct bpmu_plan *plan);
void bpmu_counters_online(struct bpmu_plan *plan, unsigned int cpu,
			  bool running);
void bpmu_counters_offline(struct bpmu_plan *plan, unsigned int cpu,
			   bool running);

#endif /* BPMU_COUNTERS_H */
