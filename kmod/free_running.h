/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The banks of free-running registers: one each for what belongs to a logical CPU,
 * to a core and to a package. They are read and never written.
 */
#ifndef BPMU_FREE_RUNNING_H
#define BPMU_FREE_RUNNING_H

#include <linux/types.h>

#include "arch.h"
#include "free.h"
#include "plan.h"

u64 bpmu_free_probe(const struct bpmu_part *part);
u64 bpmu_free_units(const struct bpmu_part *part);
u32 bpmu_free_tjmax(const struct bpmu_part *part);
int bpmu_free_bank(u32 counter);

#endif /* BPMU_FREE_RUNNING_H */
