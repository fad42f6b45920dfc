/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_EVENT_COUNTERS_H
#define BPMU_EVENT_COUNTERS_H

#include <stdbool.h>

#include "arch.h"

/* Mask of all numbers that a general-purpose counter of a core can have on any CPU model */
#define BPMU_COUNTERS_GENERAL (BPMU_FIXED_BIT(0) - 1)

u64 bpmu_counters_general(const struct bpmu_pmu *pmu);
bool bpmu_event_fixed(const struct bpmu_event *row, int smt);
bool bpmu_event_twins(const struct bpmu_event *row,
		      const struct bpmu_event *other);
const struct bpmu_event *bpmu_event_general(const struct bpmu_part *part,
					    u64 fixed);
u64 bpmu_event_counters(const struct bpmu_pmu *pmu, int smt,
			const struct bpmu_event *row, u64 select);

double bpmu_event_joules(const struct bpmu_pmu *pmu,
			 const struct bpmu_event *row);
bool bpmu_event_is_gauge(const struct bpmu_event *row);

#endif /* BPMU_EVENT_COUNTERS_H */
