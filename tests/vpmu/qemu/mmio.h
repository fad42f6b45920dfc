/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_MMIO_H
#define VPMU_MMIO_H

#include "machine/cpu.h"

void vpmu_mmio_init(struct vpmu_cpu *cpu);

#endif /* VPMU_MMIO_H */
