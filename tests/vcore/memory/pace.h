/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synchronises the clocks of a package's cores.
 *
 * Each core is simulated by a thread of the host. A core that is ahead waits for the
 * others while these make progress, so that their interaction depends on the guest and
 * hardly on the host's scheduler.
 */
#ifndef VCORE_PACE_H
#define VCORE_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "package.h"

/* cycles that a core may be ahead; less than a transfer from core to core takes */
#define VCORE_PACE_AHEAD 20

/**
 * struct vcore_pace - the package's time, in cycles
 * @running: bit i set if core i is simulated and others wait for it
 * @now: time of a core, [core]
 * @offset: from its cycles to its time, [core]
 * @thread: thread ID of its thread on the host, [core]
 * @waiting: bit i set if core i waits for one that is behind
 * @awaited: bit i set if a thread sleeps until core i advances
 * @woken: futex that counts wake-ups of the threads that slept for the core, [core]
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
 * A thread that sleeps for so long, as it halts or waits for this one, is left
 * behind; it joins again at the others' time. So is one that runs for so long without
 * coming further, in code of which the model is not told. One that the host does not
 * run though it could is waited for longer: what is counted does not depend on a busy
 * host.
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

/* a core's cycle in the package's time */
static inline uint64_t vcore_pace_time(const struct vcore_pace *pace,
				       unsigned int core, uint64_t cycle)
{
	return cycle + pace->offset[core];
}

#endif /* VCORE_PACE_H */
