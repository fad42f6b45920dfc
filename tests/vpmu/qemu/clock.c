// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of a guest with several CPUs, while cores are simulated.
 *
 * Without -icount QEMU's guest time follows the host's time. Simulating an instruction takes a
 * hundred times as long as emulating it: without a limit the guest's kernel would be busy with its
 * timer ticks most or all of the time. The option ns= therefore limits guest time per simulated
 * instruction: the guest's clock is stopped until the simulated cores have executed enough
 * instructions. Cores that are simulated at the same time share the limit.
 *
 * The plugin interface's own time control is no alternative: it can advance QEMU's clock but not
 * stop it, and does not change the TSC. QEMU's functions for stopping a machine stop the clock and
 * the TSC.
 *
 * The time of a guest with one CPU follows its number of instructions (-icount), simulated or not.
 */
#include "clock.h"

#include <pthread.h>
#include <time.h>

#include "machine/options.h"
#include "machine/qemu_api.h"
#include "machine/topology.h"

#define VPMU_NS 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/*
 * simulated: bitmap of vCPUs whose cores are being simulated. stands: true while guest time is
 * stopped
 */
static uint64_t simulated;
static bool stands;
/*
 * credit: time in ns by which guest time may still advance. since: host time at which credit was
 * last updated
 */
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
 * vpmu_clock_fed() - let guest time advance for VPMU_CLOCK_STEP simulated instructions
 * @cpu: the calling vCPU
 */
void vpmu_clock_fed(const struct vpmu_cpu *cpu)
{
	uint64_t ns = vpmu_options.ns ? vpmu_options.ns : VPMU_NS;
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
	credit += VPMU_CLOCK_STEP * ns / __builtin_popcountll(simulated);
	let_pass(credit > 0);
	pthread_mutex_unlock(&lock);
}

/**
 * vpmu_clock_halt() - halt the core of a vCPU that is no longer simulated
 * @cpu: the vCPU
 *
 * Neither the other cores nor the guest's clock wait for it until it is simulated again.
 */
void vpmu_clock_halt(const struct vpmu_cpu *cpu)
{
	vcore_halt(cpu->core, true);
	pthread_mutex_lock(&lock);
	simulated &= ~VPMU_BIT(cpu->index);
	if (!simulated)
		let_pass(true);
	pthread_mutex_unlock(&lock);
}
