/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUs that are constructed from descriptors of CPU models, to resolve events and formulas without
 * the hardware.
 */
#ifndef BPMU_PART_H
#define BPMU_PART_H

#include "arch.h"
#include "base/error.h"

void bpmu_part_make_up(struct bpmu_pmu *pmu, const struct bpmu_part *part);
const struct bpmu_part *bpmu_part_other_core_type(const struct bpmu_part *part);
int bpmu_part_named(struct bpmu_pmu *pmu, const char *name,
		    struct bpmu_error *err);
void bpmu_part_platform(const char *name, struct bpmu_cpu_id *cpu, u8 *stepping);
int bpmu_part_here(struct bpmu_pmu *pmu, struct bpmu_error *err);

#endif /* BPMU_PART_H */
