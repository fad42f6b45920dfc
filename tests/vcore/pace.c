// SPDX-License-Identifier: GPL-2.0
#include "pace.h"

#include <sched.h>
#include <time.h>

unsigned int vcore_pace_patience_ms = 20;

static uint64_t bit(unsigned int core)
{
	return 1ull << core;
}

static uint64_t running(const struct vcore_pace *pace)
{
	return __atomic_load_n(&pace->running, __ATOMIC_ACQUIRE);
}

static uint64_t time_of(const struct vcore_pace *pace, unsigned int core)
{
	return __atomic_load_n(&pace->now[core], __ATOMIC_ACQUIRE);
}

static void set_time(struct vcore_pace *pace, unsigned int core, uint64_t time)
{
	__atomic_store_n(&pace->now[core], time, __ATOMIC_RELEASE);
}

static uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/**
 * vcore_pace_has() - whether a core's clock is kept together with others'
 * @pace: of the package
 * @core: which
 */
bool vcore_pace_has(const struct vcore_pace *pace, unsigned int core)
{
	return running(pace) & bit(core);
}

/**
 * vcore_pace_leave() - a core halts, or does not go on: nobody waits for it
 * @pace: of the package
 * @core: which
 *
 * Context: any thread.
 */
void vcore_pace_leave(struct vcore_pace *pace, unsigned int core)
{
	__atomic_and_fetch(&pace->running, ~bit(core), __ATOMIC_ACQ_REL);
}

/* at the time of the one that is furthest: time never goes back */
static void join(struct vcore_pace *pace, unsigned int core, uint64_t cycle)
{
	uint64_t time = 0;
	unsigned int i;

	for (i = 0; i < VCORE_MAX_CORES; i++)
		if (time_of(pace, i) > time)
			time = time_of(pace, i);
	if (time > vcore_pace_time(pace, core, cycle))
		pace->offset[core] = time - cycle;
	set_time(pace, core, vcore_pace_time(pace, core, cycle));
	__atomic_or_fetch(&pace->running, bit(core), __ATOMIC_ACQ_REL);
}

static bool is_behind(const struct vcore_pace *pace, unsigned int core,
		      uint64_t time)
{
	return vcore_pace_has(pace, core) &&
	       time_of(pace, core) + VCORE_PACE_AHEAD < time;
}

static void wait_for(struct vcore_pace *pace, unsigned int core, uint64_t time)
{
	uint64_t patience = vcore_pace_patience_ms * 1000000ull;
	uint64_t since;

	if (!is_behind(pace, core, time))
		return;
	since = nanoseconds();
	do {
		sched_yield();
		if (nanoseconds() - since > patience)
			vcore_pace_leave(pace, core);
	} while (is_behind(pace, core, time));
}

/**
 * vcore_pace_keep() - a core has come to a cycle: wait for those behind
 * @pace: of the package
 * @core: which
 * @cycle: that it is about to simulate
 *
 * Context: the core's thread.
 */
void vcore_pace_keep(struct vcore_pace *pace, unsigned int core,
		     uint64_t cycle)
{
	uint64_t others, time;

	if (!vcore_pace_has(pace, core))
		join(pace, core, cycle);
	time = vcore_pace_time(pace, core, cycle);
	set_time(pace, core, time);
	others = running(pace) & ~bit(core);
	for (; others; others &= others - 1)
		wait_for(pace, __builtin_ctzll(others), time);
}
