/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Free-running registers, such as energy counters: the banks of a logical CPU, of a core and of a
 * package. The module only reads these registers.
 */
#ifndef BPMU_FREE_RUNNING_H
#define BPMU_FREE_RUNNING_H

#include <linux/types.h>

#include "bank.h"

extern const struct bpmu_bank_ops bpmu_free_ops;

bool bpmu_free_core_shares(unsigned int cpu, unsigned int other);
bool bpmu_free_package_shares(unsigned int cpu, unsigned int other);

#endif /* BPMU_FREE_RUNNING_H */
