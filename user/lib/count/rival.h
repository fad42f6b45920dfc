/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMUs of perf that use the same counters of the uncore as the module, and may disturb the module's
 * counts.
 */
#ifndef BPMU_RIVAL_H
#define BPMU_RIVAL_H

#include "arch.h"

/* Size in bytes of a text with the names of all PMUs of perf */
#define BPMU_RIVAL_TEXT 256

void bpmu_rivals_of(u32 banks, char text[BPMU_RIVAL_TEXT]);
void bpmu_rivals_of_unit(u32 unit, char text[BPMU_RIVAL_TEXT]);
void bpmu_rivals_present(u32 unit, char text[BPMU_RIVAL_TEXT]);

#endif /* BPMU_RIVAL_H */
