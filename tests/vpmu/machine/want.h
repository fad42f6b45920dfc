/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of the execution translations report.
 */
#ifndef VPMU_WANT_H
#define VPMU_WANT_H

#include "cpu.h"

/* what translations report; each value includes the one before */
enum vpmu_want {
	VPMU_WANT_NOTHING,
	VPMU_WANT_EXACT,	/* &enum vpmu_exact */
	VPMU_WANT_MODEL		/* what the virtual core is fed with */
};

/* users of the model; with %VPMU_LINGERS it stays on a while after the last */
#define VPMU_FOR_CORE 1
#define VPMU_FOR_UNCORE 2
#define VPMU_FOR_REGION 4
#define VPMU_LINGERS 8
#define VPMU_FOR_MEMORY 16
#define VPMU_FOR_SLICES 32

/*
 * Multiplexing stops the counters for a moment: the model and the truth's window
 * stay open for this many instructions.
 */
#define VPMU_PAUSE 3000

void vpmu_want_init(void (*discard)(void));
void vpmu_exact_wanted(void);
void vpmu_model_wanted(struct vpmu_cpu *cpu, uint64_t who);
void vpmu_model_unwanted(struct vpmu_cpu *cpu, uint64_t who);
enum vpmu_want vpmu_wanted(void);
bool vpmu_want_coming(void);
void vpmu_want_came(void);

#endif /* VPMU_WANT_H */
