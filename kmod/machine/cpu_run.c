// SPDX-License-Identifier: GPL-2.0
#include "cpu_run.h"

#include <linux/atomic.h>
#include <linux/smp.h>

/**
 * struct job - a function on its way to other CPUs
 * @fn: what to run
 * @arg: its argument
 * @err: the first error that any CPU returned
 */
struct job {
	int (*fn)(void *arg);
	void *arg;
	atomic_t err;
};

static void bpmu_cpu_run_job(void *data)
{
	struct job *job = data;
	int err;

	err = job->fn(job->arg);
	if (err)
		atomic_cmpxchg(&job->err, 0, err);
}

/**
 * bpmu_cpu_run() - run a function on CPUs and wait for it
 * @cpus: where; CPUs that are offline are left out
 * @fn: runs there with interrupts off
 * @arg: its argument
 *
 * Context: process, with cpus_read_lock() held, or a CPU's hotplug thread.
 * Return: 0, or the first error of any CPU; the function ran on all of them.
 */
int bpmu_cpu_run(const struct cpumask *cpus, int (*fn)(void *arg), void *arg)
{
	struct job job = { .fn = fn, .arg = arg, .err = ATOMIC_INIT(0) };

	on_each_cpu_mask(cpus, bpmu_cpu_run_job, &job, true);
	return atomic_read(&job.err);
}

/**
 * bpmu_cpu_run_on() - run a function on one CPU and wait for it
 * @cpu: where
 * @fn: runs there with interrupts off
 * @arg: its argument
 *
 * Context: as bpmu_cpu_run().
 * Return: what the function returned, or -ENXIO if the CPU is offline.
 */
int bpmu_cpu_run_on(unsigned int cpu, int (*fn)(void *arg), void *arg)
{
	struct job job = { .fn = fn, .arg = arg, .err = ATOMIC_INIT(0) };
	int err;

	err = smp_call_function_single(cpu, bpmu_cpu_run_job, &job, true);
	return err ?: atomic_read(&job.err);
}
