/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_DELTA_H
#define BPMU_DELTA_H

#include "event/sched.h"

u64 bpmu_delta(const struct bpmu_pmu *pmu, const struct bpmu_sched *sched,
	       unsigned int slot, const u64 *last, const u64 *values, u64 ticks);

#endif /* BPMU_DELTA_H */
