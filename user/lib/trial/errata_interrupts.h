/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_ERRATA_INTERRUPTS_H
#define BPMU_ERRATA_INTERRUPTS_H

#include <stdio.h>

#include "arch.h"

u64 bpmu_interrupts_sum(FILE *file, u32 cpu);
u64 bpmu_interrupts_now(u32 cpu);

#endif /* BPMU_ERRATA_INTERRUPTS_H */
