/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPU affinity: the CPUs on which a thread may run.
 */
#ifndef BPMU_AFFINITY_H
#define BPMU_AFFINITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/cpulist.h"

/**
 * struct bpmu_affinity - CPUs on which a thread may run
 * @word: one bit for each possible CPU, beginning with CPU 0. A cpu_set_t would have bits for only
 *	1,024 CPUs, and sched_getaffinity() would fail with it on kernels for more CPUs
 */
struct bpmu_affinity {
	unsigned long word[BPMU_CPULIST_MAX / (8 * sizeof(long))];
};

int bpmu_affinity_get(pid_t tid, struct bpmu_affinity *mask);
int bpmu_affinity_set(pid_t tid, const struct bpmu_affinity *mask);
bool bpmu_affinity_has(const struct bpmu_affinity *mask, u32 cpu);
int bpmu_affinity_last(const struct bpmu_affinity *mask);
void bpmu_affinity_remove(struct bpmu_affinity *mask, u32 cpu);
int bpmu_affinity_pin_thread(pid_t tid, u32 cpu);
int bpmu_affinity_pin(u32 cpu);

#endif /* BPMU_AFFINITY_H */
