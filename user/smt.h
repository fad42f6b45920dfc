/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SMT_H
#define BPMU_SMT_H

#include <stdbool.h>

#include "arch.h"

int bpmu_smt_active(void);
bool bpmu_smt_siblings(u32 a, u32 b);

#endif /* BPMU_SMT_H */
