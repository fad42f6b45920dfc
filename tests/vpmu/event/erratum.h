/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errata of CPUs that a test can inject into the virtual PMU, by the option erratum=.
 */
#ifndef VPMU_ERRATUM_H
#define VPMU_ERRATUM_H

#include "machine/cpu.h"

enum vpmu_erratum {
	VPMU_L1_PREFETCH,
	VPMU_SMT_LEAK,
	VPMU_IRQ_OVERCOUNT,
	VPMU_WRAP_LOSS,
	VPMU_STUCK_OVERFLOW,
	VPMU_RETIRE_OVERCOUNT,
	VPMU_LOCK_OVERCOUNT,
	VPMU_GHOST_PMI,
	VPMU_LOST_PMI,
	VPMU_LATE_PMI,
	VPMU_LOST_OVERFLOW,
	VPMU_OVERFLOW_LOSS,
	VPMU_FREEZE_COUNTS,
	VPMU_PEBS_ADDRESS,
	VPMU_PEBS_EVENT,
	VPMU_ERRATA
};

int vpmu_erratum_option(const char *name);
bool vpmu_has_erratum(enum vpmu_erratum erratum);
void vpmu_erratum_interrupted(struct vpmu_cpu *cpu, uint64_t pc);
uint64_t vpmu_erratum_amend(const struct vpmu_snapshot *now, unsigned int priv,
			    uint64_t select, uint64_t count);
uint64_t vpmu_erratum_wrap(unsigned int number, uint64_t value, uint64_t mask);
uint64_t vpmu_erratum_stuck(void);
uint64_t vpmu_erratum_overflow(struct vpmu_counter *counter, bool interrupts, uint64_t value,
			       uint64_t mask);
bool vpmu_erratum_is_silent(unsigned int number);
unsigned int vpmu_erratum_named(unsigned int number);

#endif /* VPMU_ERRATUM_H */
