/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Banks of counters that several CPUs share, by MSR: the uncore of a client
 * package, the CBos, PCU, UBox and IIO stacks of a server's, the L3 of AMD's core
 * complexes, AMD's data fabric and memory controllers; and by PCI the memory channels, home
 * agents and links of a server's package. Any of these CPUs reaches them; counters.c sees to
 * it that one does.
 */
#ifndef BPMU_UNCORE_H
#define BPMU_UNCORE_H

#include <linux/types.h>

#include "arch.h"
#include "bank.h"

/* counters of a unit's PCI devices that a group can have */
#define BPMU_UNCORE_SEEN (BPMU_DEVICES * BPMU_IMC_COUNTERS)
/* all counters of all boxes that are numbered one after the other */
#define BPMU_UNCORE_REGISTERS (BPMU_UNCORE_BOXES * BPMU_UNCORE_PER_BOX)
/* and those of the units of which a package has most */
#define BPMU_UNCORE_SAVED (BPMU_CHAS * BPMU_CHA_COUNTERS)

/**
 * struct bpmu_uncore_saved - what a bank's registers held before a session, and lately
 * @select: event selects, from the bank's first number on, those of one number by
 *	unit, [BPMU_UNCORE_SAVED]
 * @counter: counters, likewise, [BPMU_UNCORE_SAVED]
 * @global_ctrl: start and stop
 * @ctl: controls of units that have their own, [BPMU_CHAS]
 * @filter: their filters, [BPMU_CHAS]
 * @filter_high: the upper halves that have a register of their own, [BPMU_CHAS]
 * @seen: of PCI devices what the scheduled group's counters held when they were read last,
 *	event by event, [BPMU_UNCORE_SEEN]
 * @seen_at: when that began, TSC ticks; 0: they were not read since they were programmed
 */
struct bpmu_uncore_saved {
	u64 select[BPMU_UNCORE_SAVED];
	u64 counter[BPMU_UNCORE_SAVED];
	u64 global_ctrl;
	u64 ctl[BPMU_CHAS];
	u64 filter[BPMU_CHAS];
	u64 filter_high[BPMU_CHAS];
	u64 seen[BPMU_UNCORE_SEEN];
	u64 seen_at;
};

extern const struct bpmu_bank_ops bpmu_uncore_ops;
extern const struct bpmu_bank_ops bpmu_l3_ops;
extern const struct bpmu_bank_ops bpmu_df_ops;
extern const struct bpmu_bank_ops bpmu_umc_ops;
extern const struct bpmu_bank_ops bpmu_cha_ops;
extern const struct bpmu_bank_ops bpmu_pcu_ops;
extern const struct bpmu_bank_ops bpmu_ubox_ops;
extern const struct bpmu_bank_ops bpmu_imc_ops;
extern const struct bpmu_bank_ops bpmu_ha_ops;
extern const struct bpmu_bank_ops bpmu_link_ops;
extern const struct bpmu_bank_ops bpmu_iio_ops;

#endif /* BPMU_UNCORE_H */
