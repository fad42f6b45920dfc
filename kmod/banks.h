/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All banks that there are.
 */
#ifndef BPMU_BANKS_H
#define BPMU_BANKS_H

#include "bank.h"

extern const struct bpmu_bank_ops *const bpmu_bank_ops[BPMU_BANKS];

#endif /* BPMU_BANKS_H */
