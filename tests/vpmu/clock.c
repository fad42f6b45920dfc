// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of a guest with several CPUs, while virtual cores are simulated.
 *
 * QEMU lets such a guest's time pass as the host's does. A simulated instruction
 * takes a hundred times as long as an emulated one: the kernel's ticks, which come
 * in time, would then be most of what the guest executes, or all of it. So the
 * guest's time passes no faster than VPMU_NS ns for each instruction that a virtual
 * core is fed with: more than that, and the clock stands until they have caught up.
 * Cores that are simulated at the same time share it.
 *
 * The plugin interface's own control of time does not do: it can put QEMU's clock
 * forward, but not hold it back, and the TSC knows nothing of it. QEMU's functions
 * that stop the clock when the machine stops hold both.
 *
 * One CPU's time is its instructions (-icount), simulated or not.
 */
#include <pthread.h>
#include <time.h>

#include "qemu_api.h"
#include "vpmu.h"

#define VPMU_NS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* vCPUs that are simulated */
static uint64_t simulated;
static bool stands;
/* the guest's time may go on by so much; host time when it was worked out */
static int64_t credit;
static int64_t since;

static int64_t host_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static void let_pass(bool pass)
{
	if (pass != stands)
		return;
	stands = !pass;
	if (pass)
		cpu_enable_ticks();
	else
		cpu_disable_ticks();
}

/**
 * vpmu_clock_fed() - a virtual core was fed with VPMU_CLOCK_STEP instructions
 * @cpu: the calling vCPU
 */
void vpmu_clock_fed(const struct vpmu_cpu *cpu)
{
	int64_t now;

	if (vpmu_nr_cpus() == 1)
		return;
	pthread_mutex_lock(&lock);
	now = host_ns();
	if (!simulated)
		credit = 0;
	else if (!stands)
		credit -= now - since;
	since = now;
	simulated |= VPMU_BIT(cpu->index);
	credit += VPMU_CLOCK_STEP * VPMU_NS / __builtin_popcountll(simulated);
	let_pass(credit > 0);
	pthread_mutex_unlock(&lock);
}

/**
 * vpmu_clock_left() - a vCPU's core is fed no more, or not for a while
 * @cpu: the vCPU
 */
void vpmu_clock_left(const struct vpmu_cpu *cpu)
{
	pthread_mutex_lock(&lock);
	simulated &= ~VPMU_BIT(cpu->index);
	if (!simulated)
		let_pass(true);
	pthread_mutex_unlock(&lock);
}
