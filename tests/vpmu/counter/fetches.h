/* SPDX-License-Identifier: GPL-2.0 */
/*
 * AMD's instruction-based sampling (IBS) of fetches: the front end tags a fetch of code after a
 * number of fetches. When the code has come, registers say where it was, and IBS interrupts as it
 * does for an op.
 */
#ifndef VPMU_FETCHES_H
#define VPMU_FETCHES_H

#include "machine/cpu.h"

void vpmu_fetches_init(struct vpmu_cpu *cpu);
bool vpmu_fetches_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
bool vpmu_fetches_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* VPMU_FETCHES_H */
