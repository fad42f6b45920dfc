/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_CLOCK_H
#define VPMU_CLOCK_H

#include "machine/cpu.h"

/* number of simulated instructions of a vCPU after which it calls vpmu_clock_fed() */
#define VPMU_CLOCK_STEP 512

void vpmu_clock_fed(const struct vpmu_cpu *cpu);
void vpmu_clock_halt(const struct vpmu_cpu *cpu);

#endif /* VPMU_CLOCK_H */
