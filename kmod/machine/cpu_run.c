// SPDX-License-Identifier: GPL-2.0
#include "cpu_run.h"

#include <linux/atomic.h>
#include <linux/smp.h>

/**
 * struct cpu_call - a function that other CPUs run on request of this one
 * @fn: the function
 * @arg: argument of the function
 * @err: negative errno that @fn returned on the first CPU on which it failed; 0 if on none
 */
struct cpu_call {
	int (*fn)(void *arg);
	void *arg;
	atomic_t err;
};

static void bpmu_cpu_call(void *data)
{
	struct cpu_call *call = data;
	int err;

	err = call->fn(call->arg);
	if (err)
		atomic_cmpxchg(&call->err, 0, err);
}

/**
 * bpmu_cpu_run() - run a function on several CPUs by IPI, and wait until it has returned on all
 * @cpus: set of CPUs; those that are offline are skipped
 * @fn: function, called with interrupts off
 * @arg: argument of the function
 *
 * Context: process, with cpus_read_lock() held, or a CPU's hotplug thread.
 * Return: 0, or the first error that @fn returned on any CPU; @fn runs on all CPUs in any case.
 */
int bpmu_cpu_run(const struct cpumask *cpus, int (*fn)(void *arg), void *arg)
{
	struct cpu_call call = { .fn = fn, .arg = arg, .err = ATOMIC_INIT(0) };

	on_each_cpu_mask(cpus, bpmu_cpu_call, &call, true);
	return atomic_read(&call.err);
}

/**
 * bpmu_cpu_run_on() - run a function on one CPU, and wait until it has returned
 * @cpu: number of the CPU
 * @fn: function, called with interrupts off
 * @arg: argument of the function
 *
 * Context: process, with cpus_read_lock() held, or a CPU's hotplug thread.
 * Return: what @fn returned, or -ENXIO if the CPU is offline.
 */
int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg)
{
	struct cpu_call call = { .fn = fn, .arg = arg, .err = ATOMIC_INIT(0) };
	int err;

	err = smp_call_function_single(cpu, bpmu_cpu_call, &call, true);
	return err ?: atomic_read(&call.err);
}
