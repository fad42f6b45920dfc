// SPDX-License-Identifier: GPL-2.0
#include "prefetch.h"

#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "compat.h"
#include "intel.h"
#include "machine/cpu_run.h"
#include "machine/probe.h"

/**
 * struct switches - state of one CPU's prefetcher control
 * @before: value of its core's register before the session
 * @held: the session has written the register; the threads of a core share it
 */
struct switches {
	u64 before;
	bool held;
};

/* written under the session's lock */
static DEFINE_PER_CPU(struct switches, switches);

/**
 * struct change - argument of the function that changes a CPU's register
 * @cpu: number of the CPU
 * @mask: bits to change
 * @value: their new values
 * @before: set to the register's old value
 */
struct change {
	unsigned int cpu;
	u64 mask;
	u64 value;
	u64 before;
};

static void bpmu_prefetch_change_here(void *data)
{
	struct change *change = data;
	u64 now;

	if (rdmsrq_safe(BPMU_MSR_PREFETCH, &change->before))
		return;
	now = (change->before & ~change->mask) | change->value;
	wrmsrq_safe(BPMU_MSR_PREFETCH, now);
}

static int bpmu_prefetch_check_here(void *data)
{
	const struct change *change = data;
	u64 now;

	if (rdmsrq_safe(BPMU_MSR_PREFETCH, &now) ||
	    (now & change->mask) != change->value)
		return -EROFS;
	return 0;
}

/* bits outside @mask keep their values */
static void write(struct change *change)
{
	smp_call_function_single(change->cpu, bpmu_prefetch_change_here, change, true);
}

/* finds a thread of the same core that has written the register, or nr_cpu_ids */
static unsigned int holder(const struct bpmu_settings *settings, unsigned int cpu)
{
	unsigned int other;

	for_each_cpu_and(other, settings->cpus, topology_sibling_cpumask(cpu))
		if (other != cpu && per_cpu(switches, other).held)
			return other;
	return nr_cpu_ids;
}

/**
 * bpmu_prefetch_take() - switch the prefetchers of a CPU as configured
 * @settings: of the session
 * @cpu: one of its CPUs, online
 *
 * Only the first thread of a core saves the old value: for the next one the register
 * holds the session's already.
 *
 * Context: process, or that CPU's hotplug thread.
 * Return: 0, or -EROFS if the register does not take its value.
 */
int bpmu_prefetch_take(const struct bpmu_settings *settings, unsigned int cpu)
{
	struct switches *own = per_cpu_ptr(&switches, cpu);
	struct change change = {
		.cpu = cpu,
		.mask = bpmu_pmu_of(cpu)->part->prefetch,
		.value = settings->prefetch,
	};
	unsigned int other;

	if (!settings->prefetchers || own->held)
		return 0;
	other = holder(settings, cpu);
	write(&change);
	own->before = other < nr_cpu_ids ? per_cpu(switches, other).before :
					   change.before;
	own->held = true;
	return bpmu_cpu_run_on(cpu, bpmu_prefetch_check_here, &change);
}

/**
 * bpmu_prefetch_give() - restore a CPU's prefetcher control
 * @settings: of the session
 * @cpu: this CPU, online
 *
 * Does nothing on a CPU whose prefetchers were not switched. The last thread of a
 * core restores the register.
 *
 * Context: process, or that CPU's hotplug thread.
 */
void bpmu_prefetch_give(const struct bpmu_settings *settings, unsigned int cpu)
{
	struct switches *own = per_cpu_ptr(&switches, cpu);
	struct change change = {
		.cpu = cpu,
		.mask = bpmu_pmu_of(cpu)->part->prefetch,
		.value = own->before & bpmu_pmu_of(cpu)->part->prefetch,
	};

	if (!own->held)
		return;
	own->held = false;
	if (holder(settings, cpu) == nr_cpu_ids)
		write(&change);
}
