/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_METRICS_H
#define VPMU_METRICS_H

#include "machine/cpu.h"

void vpmu_metrics_settle(struct vpmu_cpu *cpu,
			 const struct vpmu_snapshot *now);
void vpmu_metrics_restart(struct vpmu_cpu *cpu,
			  const struct vpmu_snapshot *now);
uint64_t vpmu_metrics_read(const struct vpmu_cpu *cpu);
void vpmu_metrics_write(struct vpmu_cpu *cpu, uint64_t value);
void vpmu_metrics_slots(struct vpmu_cpu *cpu, uint64_t slots);

#endif /* VPMU_METRICS_H */
