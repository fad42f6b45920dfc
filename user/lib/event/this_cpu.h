/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_THIS_CPU_H
#define BPMU_THIS_CPU_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_this_cpu - a CPU as CPUID describes it, without the module
 * @id: its vendor, family, model, and kind of core
 * @vendor: vendor string of CPUID
 * @stepping: CPUID stepping
 * @hybrid: the machine has cores of several kinds
 * @hypervisor: CPUID has the hypervisor bit set
 * @part: its descriptor, or NULL
 * @pmu: its counters as far as CPUID describes them
 */
struct bpmu_this_cpu {
	struct bpmu_cpu_id id;
	char vendor[13];
	u32 stepping;
	bool hybrid;
	bool hypervisor;
	const struct bpmu_part *part;
	struct bpmu_pmu pmu;
};

int bpmu_this_cpu(struct bpmu_this_cpu *cpu, struct bpmu_error *err);
int bpmu_this_cpu_kinds(void (*kind)(void *data,
				     const struct bpmu_this_cpu *cpu),
			void *data, struct bpmu_error *err);

#endif /* BPMU_THIS_CPU_H */
