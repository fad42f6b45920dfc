/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The three banks of free-running registers: of a logical CPU, of a core, of a package.
 * They are only read.
 */
#ifndef BPMU_FREE_RUNNING_H
#define BPMU_FREE_RUNNING_H

#include <linux/types.h>

#include "bank.h"

extern const struct bpmu_bank_type bpmu_free_thread_bank;
extern const struct bpmu_bank_type bpmu_free_core_bank;
extern const struct bpmu_bank_type bpmu_free_package_bank;

int bpmu_free_bank(u32 counter);

#endif /* BPMU_FREE_RUNNING_H */
