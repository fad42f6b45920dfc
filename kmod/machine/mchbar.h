/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running counters of a client's memory controllers. They are memory-mapped behind
 * MCHBAR, a base address register of the host bridge that firmware sets. They are read-only
 * and never stop, hence need no owner: Linux' driver, uncore_snb.c, may read them at the
 * same time.
 */
#ifndef BPMU_MCHBAR_H
#define BPMU_MCHBAR_H

#include <linux/types.h>

#include "arch.h"

struct bpmu_free;

void bpmu_mchbar_find(const struct bpmu_part *part);
void bpmu_mchbar_forget(void);
bool bpmu_mchbar_found(void);
u64 bpmu_mchbar_read(const struct bpmu_free *reg);

#endif /* BPMU_MCHBAR_H */
