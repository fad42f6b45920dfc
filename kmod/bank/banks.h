/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of all counter banks, indexed by enum bpmu_bank_id: how each bank is programmed, which
 * CPUs reach its registers, and the sentences of its refusals.
 */
#ifndef BPMU_BANKS_H
#define BPMU_BANKS_H

#include "bank.h"

extern const struct bpmu_bank_type bpmu_bank_types[BPMU_BANKS];

#endif /* BPMU_BANKS_H */
