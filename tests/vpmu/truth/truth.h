/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_TRUTH_H
#define VPMU_TRUTH_H

#include "machine/cpu.h"

void vpmu_truth_open(const char *file);
bool vpmu_truth_needs_model(void);
void vpmu_truth_region(struct vpmu_cpu *cpu, unsigned int number, bool begin);
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin);
void vpmu_truth_interrupt(const struct vpmu_cpu *cpu, bool delivered);
void vpmu_truth_record(const struct vpmu_cpu *cpu, unsigned int number, uint64_t pc);
void vpmu_truth_fetch(const struct vpmu_cpu *cpu, const struct vpmu_ibs *ibs);
void vpmu_truth_op(const struct vpmu_cpu *cpu, const struct vpmu_ibs *ibs);
void vpmu_truth_interrupted_at(const struct vpmu_cpu *cpu, uint64_t pc);
void vpmu_truth_write(void);

#endif /* VPMU_TRUTH_H */
