/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_LEAK_H
#define VPMU_LEAK_H

#include "machine/cpu.h"

void vpmu_leak_settle(struct vpmu_cpu *cpu, unsigned int i, uint64_t grown);
void vpmu_leak_restart(struct vpmu_cpu *cpu, unsigned int i);
uint64_t vpmu_leaked_in(const struct vpmu_cpu *cpu, unsigned int i);

#endif /* VPMU_LEAK_H */
