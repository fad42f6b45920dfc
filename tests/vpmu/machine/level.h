/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instrumentation level of translations, and the users of the core model.
 */
#ifndef VPMU_LEVEL_H
#define VPMU_LEVEL_H

#include "cpu.h"

/* instrumentation levels; each includes the previous one */
enum vpmu_level {
	VPMU_LEVEL_NOTHING,
	VPMU_LEVEL_EXACT,	/* &enum vpmu_exact */
	VPMU_LEVEL_MODEL		/* instructions and accesses, for the virtual core */
};

/*
 * Users of the core model, which runs as long as there is one. VPMU_LINGERS is no user: it keeps
 * the model on for VPMU_PAUSE instructions after the last user.
 */
#define VPMU_FOR_CORE 1
#define VPMU_FOR_UNCORE 2
#define VPMU_FOR_REGION 4
#define VPMU_LINGERS 8
#define VPMU_FOR_MEMORY 16
#define VPMU_FOR_SLICES 32
#define VPMU_FOR_BRANCHES 64
/* the other thread of the core, whose cycles alternate with those of this thread */
#define VPMU_FOR_SIBLING 128

/*
 * Multiplexing stops the counters for a short time. For this number of instructions the core
 * model keeps running, and a window of the truth file stays open.
 */
#define VPMU_PAUSE 3000

void vpmu_level_init(void (*discard)(void));
void vpmu_exact_wanted(void);
void vpmu_model_wanted(struct vpmu_cpu *cpu, uint64_t who);
void vpmu_model_unwanted(struct vpmu_cpu *cpu, uint64_t who);
void vpmu_model_all(uint64_t who, bool wanted);
enum vpmu_level vpmu_level(void);
void vpmu_watch_wanted(void);
bool vpmu_watched(void);
bool vpmu_level_coming(void);
void vpmu_level_came(void);

#endif /* VPMU_LEVEL_H */
