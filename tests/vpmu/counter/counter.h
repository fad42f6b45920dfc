/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_COUNTER_H
#define VPMU_COUNTER_H

#include "machine/cpu.h"

void vpmu_counters_init(struct vpmu_cpu *cpu);
void vpmu_counters_settle(struct vpmu_cpu *cpu);
void vpmu_counters_restart(struct vpmu_cpu *cpu);
void vpmu_counters_look(struct vpmu_cpu *cpu);
uint64_t vpmu_counter_read(struct vpmu_cpu *cpu, unsigned int number);

#endif /* VPMU_COUNTER_H */
