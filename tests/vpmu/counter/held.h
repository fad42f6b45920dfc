/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The group of counters in a precise record (PEBS): which counters it holds, their values, and
 * PERF_METRICS with its slots.
 */
#ifndef VPMU_HELD_H
#define VPMU_HELD_H

#include "machine/cpu.h"

/* number of values of counters, by the number of the counter: 32 + i is fixed counter i */
#define VPMU_HELD (32 + VPMU_MAX_FIXED)

/* number of 64-bit words of the longest group: header, values, slots, PERF_METRICS */
#define VPMU_HELD_MOST (2 + VPMU_MAX_GP + VPMU_MAX_FIXED + 2)

unsigned int vpmu_held_fill(const struct vpmu_cpu *cpu, uint64_t counters, bool metrics,
			    const uint64_t *values, uint64_t *words);

#endif /* VPMU_HELD_H */
