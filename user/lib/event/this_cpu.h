/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_THIS_CPU_H
#define BPMU_THIS_CPU_H

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_this_cpu - what the CPU says without the module
 * @pmu: its part; its counters as far as CPUID tells them
 * @model: CPUID display model
 * @stepping: CPUID stepping
 */
struct bpmu_this_cpu {
	struct bpmu_pmu pmu;
	u32 model;
	u32 stepping;
};

int bpmu_this_cpu(struct bpmu_this_cpu *cpu, struct bpmu_error *err);

#endif /* BPMU_THIS_CPU_H */
