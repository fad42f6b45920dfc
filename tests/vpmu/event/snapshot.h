/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot has the totals of instructions, cycles and so on of a vCPU at one time. The totals of
 * events are computed from it.
 */
#ifndef VPMU_SNAPSHOT_H
#define VPMU_SNAPSHOT_H

#include "machine/cpu.h"

void vpmu_peek(const struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
void vpmu_snapshot(struct vpmu_cpu *cpu, struct vpmu_snapshot *now);
uint64_t vpmu_total(const struct vpmu_snapshot *now, uint64_t select,
		    unsigned int counter);

#endif /* VPMU_SNAPSHOT_H */
