/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synchronisation of the clocks of a package's cores.
 *
 * Each core is simulated by a thread of the host. A core that is ahead waits for the other cores
 * as long as these make progress. How cores interact therefore depends on the guest, and hardly
 * on the host's scheduler.
 */
#ifndef VCORE_PACE_H
#define VCORE_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "package.h"

/* Cycles by which a core may be ahead of another one: fewer than a transfer between cores takes. */
#define VCORE_PACE_AHEAD 20

/**
 * struct vcore_pace - the package's time, in cycles
 * @running: bit i is set if core i is synchronised, so that other cores wait for it
 * @waiting: bit i is set if core i waits for a core that is behind
 * @awaited: bit i is set if a thread sleeps until core i advances
 * @woken: [core], futex: number of wake-ups of the threads that wait for the core
 * @now: [core], the core's clock in the package's time
 * @offset: [core], the package's time minus the cycle of the core's clock
 * @thread: [core], ID of the host thread that simulates the core
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

/**
 * struct vcore_pace_thread - a host thread that simulates a core for which another one waits
 * @waits: the core itself waits for a third core that is behind
 * @runnable: the thread is running, or would run if the host gave it a CPU
 * @ran: CPU time that the thread has used, in ns
 * @waited: time in ns for which the other core has waited
 */
struct vcore_pace_thread {
	bool waits;
	bool runnable;
	uint64_t ran;
	uint64_t waited;
};

/*
 * Time in ms after which other cores stop waiting for a core that does not advance. It applies if
 * the core's thread sleeps, because the vCPU halts or waits for another vCPU, or if the thread
 * has used that much CPU time outside of the model. The core joins later, at the time of the
 * other cores. If its thread is runnable but not scheduled, the other cores wait longer, so that
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
bool vcore_pace_yields(const struct vcore_pace *pace, unsigned int core,
		       unsigned int sibling, uint64_t cycle);
void vcore_pace_leave(struct vcore_pace *pace, unsigned int core);
struct vcore_pace_thread vcore_pace_look(const struct vcore_pace *pace, unsigned int core);
bool vcore_pace_is_over(const struct vcore_pace_thread *thread, uint64_t patience);

/* Converts a cycle of a core's clock to the package's time. */
static inline uint64_t vcore_pace_time(const struct vcore_pace *pace,
				       unsigned int core, uint64_t cycle)
{
	return cycle + pace->offset[core];
}

#endif /* VCORE_PACE_H */
