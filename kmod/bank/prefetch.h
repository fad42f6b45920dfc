/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hardware prefetchers of a session's CPUs. A session may turn prefetchers off; they are
 * restored after the session. Callers hold the session's lock and the CPU hotplug lock.
 */
#ifndef BPMU_PREFETCH_H
#define BPMU_PREFETCH_H

#include "plan.h"

int bpmu_prefetch_take(const struct bpmu_settings *settings, unsigned int cpu);
void bpmu_prefetch_give(const struct bpmu_settings *settings, unsigned int cpu);

#endif /* BPMU_PREFETCH_H */
