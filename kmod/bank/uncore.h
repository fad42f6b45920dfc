/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Banks of uncore counters, each of which several CPUs share.
 *
 * Counters in MSRs: the uncore of Intel's client packages; CBos or CHAs, PCU, UBox, IIO stacks and
 * IRPs of Intel's servers; the L3, data fabric and memory controllers of AMD. Counters in PCI
 * devices: the memory channels, home agents and links of Intel's servers; the memory and I/O boxes
 * of Knights Landing.
 *
 * Every CPU that shares a bank can access its registers; session/counters.c chooses one CPU to do
 * so.
 */
#ifndef BPMU_UNCORE_H
#define BPMU_UNCORE_H

#include <linux/types.h>

#include "arch.h"
#include "bank.h"

/* maximum number of a group's counters in all PCI devices of a package */
#define BPMU_UNCORE_RAW (BPMU_DEVICES * BPMU_IMC_COUNTERS)
/* maximum number of counters of a bank, in all its units */
#define BPMU_UNCORE_SAVED (BPMU_CHAS * BPMU_CHA_COUNTERS)

/**
 * struct bpmu_uncore_saved - uncore registers before a session, and last values of PCI counters
 * @select: event selects before the session, [counters of the bank][units]
 * @counter: counters before the session, [counters of the bank][units]
 * @written: event selects that the session has last written, or @select where it has written none,
 *	[counters of the bank][units]
 * @global_ctrl: value before the session of the register that starts and stops all counters, or
 *	that stops all boxes
 * @ctl: control registers of the units before the session, [units]
 * @filter: filter registers before the session, [units]
 * @filter_high: registers with bits 63:32 of the filters before the session, [units]
 * @filter_held: filter that the session has last written to all units
 * @raw: values of the scheduled group's counters in PCI devices when they were last read,
 *	[events][devices of this package] without gaps
 * @raw_tsc: bpmu_tsc() before @raw was read; 0 if nothing was read since the group was programmed
 */
struct bpmu_uncore_saved {
	u64 select[BPMU_UNCORE_SAVED];
	u64 counter[BPMU_UNCORE_SAVED];
	u64 written[BPMU_UNCORE_SAVED];
	u64 global_ctrl;
	u64 ctl[BPMU_CHAS];
	u64 filter[BPMU_CHAS];
	u64 filter_high[BPMU_CHAS];
	u64 filter_held;
	u64 raw[BPMU_UNCORE_RAW];
	u64 raw_tsc;
};

extern const struct bpmu_bank_ops bpmu_uncore_ops;
extern const struct bpmu_bank_ops bpmu_device_ops;

bool bpmu_uncore_shares(unsigned int cpu, unsigned int other);
bool bpmu_package_shares(unsigned int cpu, unsigned int other);
int bpmu_umc_attach(struct bpmu_bank *bank);
int bpmu_devices_attach(struct bpmu_bank *bank);

#endif /* BPMU_UNCORE_H */
