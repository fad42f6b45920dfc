/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synchronisation of the clocks of a package's cores.
 *
 * Each core is simulated by a thread of the host. A core that is ahead waits for the
 * others as long as these make progress, so that the interaction of cores depends on
 * the guest and hardly on the host's scheduler.
 */
#ifndef VCORE_PACE_H
#define VCORE_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "package.h"

/* Cycles that a core may be ahead: less than a transfer between cores takes. */
#define VCORE_PACE_AHEAD 20

/**
 * struct vcore_pace - the package's time, in cycles
 * @running: bit i set if core i is simulated and others wait for it
 * @now: [core], time of the core
 * @offset: [core], time minus cycle of the core's clock
 * @thread: [core], ID of the host thread that simulates the core
 * @waiting: bit i set if core i waits for one that is behind
 * @awaited: bit i set if a thread sleeps until core i advances
 * @woken: [core], futex that counts wake-ups of the threads that wait for the
 *	core
 */
struct vcore_pace {
	uint64_t running;
	uint64_t waiting;
	uint64_t awaited;
	uint32_t woken[VCORE_MAX_CORES];
	uint64_t now[VCORE_MAX_CORES];
	uint64_t offset[VCORE_MAX_CORES];
	pid_t thread[VCORE_MAX_CORES];
};

/*
 * Milliseconds after which a core that does not advance is no longer waited for,
 * if its thread sleeps (it halts, or waits for this core) or has run for so long
 * in code that the model does not see. It joins again later, at the others' time.
 * A core whose thread is runnable but not scheduled is waited for longer, so that
 * the counts do not depend on the load of the host.
 */
extern unsigned int vcore_pace_patience_ms;

void vcore_pace_join(struct vcore_pace *pace, unsigned int core,
		     uint64_t cycle);
bool vcore_pace_keep(struct vcore_pace *pace, unsigned int core,
		     uint64_t cycle);
uint64_t vcore_pace_passed(struct vcore_pace *pace, unsigned int core,
			   uint64_t cycle);
bool vcore_pace_has(const struct vcore_pace *pace, unsigned int core);
void vcore_pace_leave(struct vcore_pace *pace, unsigned int core);

/* Converts a cycle of a core's clock to the package's time. */
static inline uint64_t vcore_pace_time(const struct vcore_pace *pace,
				       unsigned int core, uint64_t cycle)
{
	return cycle + pace->offset[core];
}

#endif /* VCORE_PACE_H */
