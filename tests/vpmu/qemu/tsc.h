/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_TSC_H
#define VPMU_TSC_H

#include "machine/cpu.h"

/* The option tsc=N lets the guest's TSC advance by N ticks in 1000 ticks of QEMU's TSC. */
#define VPMU_TSC_UNIT 1000

void vpmu_tsc_lose(void);
bool vpmu_tsc_is_read(const uint8_t *bytes, unsigned int size);
bool vpmu_tsc_differs(void);
uint64_t vpmu_tsc_of(uint64_t qemu);
void vpmu_tsc_amend(struct vpmu_cpu *cpu);

#endif /* VPMU_TSC_H */
