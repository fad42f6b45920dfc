/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_PARTS_H
#define BPMU_PARTS_H

#include "arch.h"

extern const struct bpmu_part
#define PART(name, ...) bpmu_##name
#include "part_list.h"
	/* Itanium 2 is not in part_list.h, because it cannot be measured, only evaluated. */
	bpmu_intel_itanium2;

extern const struct bpmu_uncore bpmu_amd_bulldozer_uncore;
extern const struct bpmu_uncore bpmu_amd_jaguar_uncore;
extern const struct bpmu_uncore bpmu_amd_zen_uncore;
extern const struct bpmu_uncore bpmu_amd_zen3_uncore;
extern const struct bpmu_uncore bpmu_amd_zen4_uncore;

#endif /* BPMU_PARTS_H */
