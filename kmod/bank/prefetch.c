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
 * struct prefetch_state - what a CPU has done to the prefetcher control register of its core
 * @before: value that the register had before the session
 * @held: this CPU has written the register, which the threads of a core share, and not restored it
 */
struct prefetch_state {
	u64 before;
	bool held;
};

/* States of all CPUs, which change only while the session's lock is held */
static DEFINE_PER_CPU(struct prefetch_state, prefetch_states);

/**
 * struct prefetch_change - a change of the prefetcher control register by one CPU
 * @cpu: number of the CPU
 * @mask: bits to change
 * @value: new values of the bits in @mask
 * @before: out: value of the register before the change
 */
struct prefetch_change {
	unsigned int cpu;
	u64 mask;
	u64 value;
	u64 before;
};

static void bpmu_prefetch_change_here(void *data)
{
	struct prefetch_change *change = data;
	u64 now;

	if (rdmsrq_safe(BPMU_MSR_PREFETCH, &change->before))
		return;
	now = (change->before & ~change->mask) | change->value;
	wrmsrq_safe(BPMU_MSR_PREFETCH, now);
}

static int bpmu_prefetch_check_here(void *data)
{
	const struct prefetch_change *change = data;
	u64 now;

	if (rdmsrq_safe(BPMU_MSR_PREFETCH, &now) ||
	    (now & change->mask) != change->value)
		return -EROFS;
	return 0;
}

/*
 * Changes the bits @change->mask of the prefetcher control on CPU @change->cpu; other bits are
 * kept. Errors are not reported: the caller reads the register back.
 */
static void change_prefetchers(struct prefetch_change *change)
{
	smp_call_function_single(change->cpu, bpmu_prefetch_change_here, change, true);
}

/*
 * Looks for another CPU of the session that is a thread of the same core as @cpu, shares the
 * prefetcher control with @cpu, and has written it. Returns the number of that CPU; nr_cpu_ids if
 * there is none.
 */
static unsigned int other_holder(const struct bpmu_settings *settings, unsigned int cpu)
{
	unsigned int other;

	for_each_cpu_and(other, settings->cpus, topology_sibling_cpumask(cpu))
		if (other != cpu && per_cpu(prefetch_states, other).held)
			return other;
	return nr_cpu_ids;
}

/**
 * bpmu_prefetch_take() - write the prefetch control of a CPU as configured: which prefetchers run
 * @settings: settings of the session
 * @cpu: one of its CPUs, online
 *
 * Only the first thread of a core reads the old value: when the second one is programmed, the
 * register holds the session's value already.
 *
 * Context: process, or that CPU's hotplug thread.
 * Return: 0, or -EROFS if the register does not take its value.
 */
int bpmu_prefetch_take(const struct bpmu_settings *settings, unsigned int cpu)
{
	struct prefetch_state *own = per_cpu_ptr(&prefetch_states, cpu);
	struct prefetch_change change = {
		.cpu = cpu,
		.mask = bpmu_pmu_of(cpu)->part->prefetch,
		.value = settings->prefetch,
	};
	unsigned int other;

	if (!settings->prefetchers || own->held)
		return 0;
	other = other_holder(settings, cpu);
	change_prefetchers(&change);
	own->before = other < nr_cpu_ids ? per_cpu(prefetch_states, other).before :
					   change.before;
	own->held = true;
	return bpmu_cpu_run_on(cpu, bpmu_prefetch_check_here, &change);
}

/**
 * bpmu_prefetch_give() - restore the prefetch control of a CPU
 * @settings: settings of the session
 * @cpu: number of the CPU, online
 *
 * Does nothing on a CPU whose prefetchers were not switched. The last thread of a
 * core restores the register.
 *
 * Context: process, or that CPU's hotplug thread.
 */
void bpmu_prefetch_give(const struct bpmu_settings *settings, unsigned int cpu)
{
	struct prefetch_state *own = per_cpu_ptr(&prefetch_states, cpu);
	struct prefetch_change change = {
		.cpu = cpu,
		.mask = bpmu_pmu_of(cpu)->part->prefetch,
		.value = own->before & bpmu_pmu_of(cpu)->part->prefetch,
	};

	if (!own->held)
		return;
	own->held = false;
	if (other_holder(settings, cpu) == nr_cpu_ids)
		change_prefetchers(&change);
}
