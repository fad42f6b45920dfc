/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Predicts when a counter that interrupts may overflow. The value of a counter is computed only
 * when it is needed (counter.c). The vCPU must therefore compute it in time to find the overflow.
 */
#ifndef VPMU_OVERFLOW_H
#define VPMU_OVERFLOW_H

#include "machine/cpu.h"

void vpmu_overflow_unwatch(struct vpmu_cpu *cpu);
void vpmu_overflow_watch(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			 const struct vpmu_snapshot *now, uint64_t select, unsigned int number,
			 uint64_t left);
void vpmu_overflow_step(struct vpmu_cpu *cpu, uint64_t select);
bool vpmu_overflow_names(const struct vpmu_cpu *cpu, uint64_t select, unsigned int number);
uint64_t vpmu_overflow_place(const struct vpmu_cpu *cpu, const struct vpmu_counter *counter,
			     uint64_t value, uint64_t since);
bool vpmu_overflow_is_far(struct vpmu_cpu *cpu, struct vpmu_counter *counter,
			  const struct vpmu_snapshot *now, uint64_t select, unsigned int number,
			  uint64_t left);
void vpmu_overflow_pace(struct vpmu_counter *counter, const struct vpmu_snapshot *now,
			uint64_t select, uint64_t grown);

#endif /* VPMU_OVERFLOW_H */
