/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instrumentation level: which callbacks QEMU's translations contain; and for what the core of a
 * vCPU must be simulated.
 */
#ifndef VPMU_LEVEL_H
#define VPMU_LEVEL_H

#include "cpu.h"

/* what QEMU's translated code reports to the virtual PMU; each level includes the previous one */
enum vpmu_level {
	VPMU_LEVEL_NOTHING,
	VPMU_LEVEL_EXACT,	/* &enum vpmu_exact */
	VPMU_LEVEL_MODEL		/* instructions and accesses, for the virtual core */
};

/*
 * Bits of &vpmu_score.model_on: for what the core of a vCPU must be simulated. The core is
 * simulated while a bit is set. When a bit is cleared, VPMU_LINGERS is set for VPMU_PAUSE more
 * instructions.
 */
#define VPMU_FOR_CORE 1
#define VPMU_FOR_UNCORE 2
#define VPMU_FOR_REGION 4
#define VPMU_LINGERS 8
#define VPMU_FOR_MEMORY 16
#define VPMU_FOR_SLICES 32
#define VPMU_FOR_BRANCHES 64
/*
 * the sibling thread is simulated, so this thread must be simulated, too: they share the core's
 * cycles
 */
#define VPMU_FOR_SIBLING 128
#define VPMU_FOR_IBS 256
#define VPMU_FOR_FETCHES 512
#define VPMU_FOR_ACCESSES 1024

/*
 * When a tool multiplexes events, counters stop only for a short time. After the counters have
 * stopped, the core is therefore simulated for this number of instructions more, and a window of
 * the truth file (a time for which it has exact counts) stays open.
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
