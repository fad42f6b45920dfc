// SPDX-License-Identifier: GPL-2.0
#include "cpu.h"

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/smp.h>
#include <linux/suspend.h>

#include "pmu.h"
#include "session.h"

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

static int hotplug_state;

static void run_job(void *data)
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
 * Context: process, with cpus_read_lock() held.
 * Return: 0, or the first error of any CPU; the function ran on all of them.
 */
int bpmu_cpu_run(const struct cpumask *cpus, int (*fn)(void *arg), void *arg)
{
	struct job job = { .fn = fn, .arg = arg, .err = ATOMIC_INIT(0) };

	on_each_cpu_mask(cpus, run_job, &job, true);
	return atomic_read(&job.err);
}

/* a CPU that cannot be measured comes up all the same */
static int online(unsigned int cpu)
{
	bpmu_pmu_probe_cpu();
	bpmu_session_cpu_online(cpu);
	return 0;
}

static int offline(unsigned int cpu)
{
	bpmu_session_cpu_offline(cpu);
	return 0;
}

static int power(struct notifier_block *block, unsigned long event, void *data)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		bpmu_session_sleep();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		bpmu_session_wake();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block power_block = { .notifier_call = power };

/**
 * bpmu_cpu_init() - follow CPU hotplug and sleep
 *
 * A CPU that came up since bpmu_pmu_probe() is looked at too.
 *
 * Context: module load.
 * Return: 0 or a negative errno.
 */
int bpmu_cpu_init(void)
{
	int state;
	int err;

	err = register_pm_notifier(&power_block);
	if (err)
		return err;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "barepmu:online", online,
				  offline);
	if (state < 0) {
		unregister_pm_notifier(&power_block);
		return state;
	}
	hotplug_state = state;
	return 0;
}

/**
 * bpmu_cpu_exit() - follow them no longer
 *
 * Context: module unload, without a session.
 */
void bpmu_cpu_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	unregister_pm_notifier(&power_block);
}
