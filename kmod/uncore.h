/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The client uncore bank: the counter registers of a package, by MSR. Any CPU of
 * the package reaches them; counters.c sees to it that one does.
 */
#ifndef BPMU_UNCORE_H
#define BPMU_UNCORE_H

#include <linux/types.h>

#include "arch.h"
#include "bank.h"

/* all counters of all boxes */
#define BPMU_UNCORE_REGISTERS (BPMU_UNCORE_BOXES * BPMU_UNCORE_PER_BOX)

/**
 * struct bpmu_uncore_saved - what a package's registers held before a session
 * @select: event selects, by counter number, [BPMU_UNCORE_REGISTERS]
 * @counter: counters, by counter number, [BPMU_UNCORE_REGISTERS]
 * @global_ctrl: start and stop
 */
struct bpmu_uncore_saved {
	u64 select[BPMU_UNCORE_REGISTERS];
	u64 counter[BPMU_UNCORE_REGISTERS];
	u64 global_ctrl;
};

extern const struct bpmu_bank_ops bpmu_uncore_ops;

#endif /* BPMU_UNCORE_H */
