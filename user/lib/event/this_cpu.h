/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_THIS_CPU_H
#define BPMU_THIS_CPU_H

#include <stdbool.h>

#include "arch.h"
#include "base/error.h"

/**
 * struct bpmu_this_cpu - a CPU as CPUID describes it, without the module
 * @id: vendor, family, model and core type of the CPU
 * @vendor: vendor string of CPUID
 * @stepping: CPUID stepping
 * @hybrid: true if the machine has more than one core type
 * @hypervisor: true if CPUID reports a hypervisor
 * @hypervisor_id: signature of the hypervisor in CPUID leaf 0x40000000; empty without a hypervisor
 * @part: descriptor of the CPU model, or NULL if the CPU model is unknown
 * @pmu: PMU of the CPU, with the counters that CPUID enumerates
 * @usable: true if the counters of @pmu can be programmed, as bpmu_pmu_usable() tells
 */
struct bpmu_this_cpu {
	struct bpmu_cpu_id id;
	char vendor[13];
	u32 stepping;
	bool hybrid;
	bool hypervisor;
	char hypervisor_id[13];
	const struct bpmu_part *part;
	struct bpmu_pmu pmu;
	bool usable;
};

void bpmu_this_cpu_identify(struct bpmu_this_cpu *cpu,
			    struct bpmu_cpuid (*leaf)(u32 number, u32 subleaf));
int bpmu_this_cpu(struct bpmu_this_cpu *cpu, struct bpmu_error *err);
int bpmu_this_cpu_core_types(void (*found)(void *data,
					   const struct bpmu_this_cpu *cpu),
			     void *data, struct bpmu_error *err);

#endif /* BPMU_THIS_CPU_H */
