/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pace of a package's cores: synchronisation of their clocks.
 *
 * A thread of the host simulates each core. A core that is ahead waits for the other cores as long
 * as they make progress. How cores interact therefore depends on the guest, and hardly on the
 * host's scheduler.
 */
#ifndef VCORE_PACE_H
#define VCORE_PACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "package.h"

/*
 * Maximum number of cycles by which a core may be ahead of another. A transfer of a line between
 * cores takes longer.
 */
#define VCORE_PACE_AHEAD 20

/**
 * struct vcore_pace - clocks of the cores of a package, in cycles
 * @running: mask of the cores that are synchronised, so that other cores wait for them
 * @waiting: mask of the cores that wait for a core that is behind
 * @awaited: mask of the cores whose advance a sleeping thread waits for
 * @woken: [core], number of wake-ups; a futex on which other threads sleep until the core advances
 * @now: [core], cycle that the core has reached, in the package's time
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
 * struct vcore_pace_thread - state of a host thread whose core another core waits for
 * @waits: true if the core itself waits for a third core that is behind
 * @runnable: true if the thread runs, or would run if the host gave it a CPU
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
 * the core's thread sleeps, because the vCPU halts or waits for another vCPU. It also applies if
 * the thread has used this much CPU time outside of the model. The core joins again later, at the
 * time of the other cores. If its thread is ready to run but not scheduled, the other cores wait
 * longer, so that counts do not depend on the load of the host.
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
