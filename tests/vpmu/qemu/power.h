/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_POWER_H
#define VPMU_POWER_H

#include "machine/cpu.h"

bool vpmu_is_reset(uint64_t pc);
bool vpmu_power(void);

#endif /* VPMU_POWER_H */
