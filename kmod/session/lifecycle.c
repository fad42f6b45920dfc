// SPDX-License-Identifier: GPL-2.0
#include "lifecycle.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/suspend.h>

#include "machine/device.h"
#include "machine/memory_counters.h"
#include "machine/probe.h"
#include "session.h"

static int hotplug_state;

/*
 * Called on a CPU that comes online. It returns 0 even if the module cannot measure the CPU,
 * because an error would keep the CPU from coming online.
 */
static int bpmu_lifecycle_online(unsigned int cpu)
{
	bpmu_pmu_probe_cpu();
	bpmu_session_cpu_online(cpu);
	return 0;
}

static int bpmu_lifecycle_offline(unsigned int cpu)
{
	bpmu_session_cpu_offline(cpu);
	return 0;
}

/*
 * Called before the machine is suspended or hibernated, and after it has resumed. A kernel reports
 * PM_RESTORE_PREPARE if it was booted only to load the image of a hibernated kernel. Returns
 * NOTIFY_DONE: nothing is vetoed.
 */
static int bpmu_lifecycle_power(struct notifier_block *block,
				unsigned long event, void *data)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		bpmu_session_sleep();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		bpmu_session_wake();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block power_block = {
	.notifier_call = bpmu_lifecycle_power,
};

/*
 * Called before the machine reboots, and before kexec starts another kernel. Returns NOTIFY_DONE:
 * the reboot goes on.
 */
static int bpmu_lifecycle_reboot(struct notifier_block *block,
				 unsigned long event, void *data)
{
	bpmu_session_shutdown();
	return NOTIFY_DONE;
}

static struct notifier_block reboot_block = {
	.notifier_call = bpmu_lifecycle_reboot,
};

/*
 * Probes all CPUs and registers the functions that are called when a CPU comes online or goes
 * offline. The hotplug lock is held throughout, so that no CPU comes online unnoticed in between.
 * Returns the number of the hotplug state (0 or more), or a negative errno.
 */
static int register_hotplug(void)
{
	int err;

	cpus_read_lock();
	err = bpmu_pmu_probe();
	if (!err)
		err = cpuhp_setup_state_nocalls_cpuslocked(CPUHP_AP_ONLINE_DYN,
							   "barepmu:online",
							   bpmu_lifecycle_online,
							   bpmu_lifecycle_offline);
	cpus_read_unlock();
	return err;
}

/**
 * bpmu_lifecycle_init() - probe the counters; let the module follow CPU hotplug, suspend and reboot
 *
 * Context: module load.
 * Return: 0 or a negative errno; -ENODEV if the machine has no usable counters, as one sentence in
 * the log says.
 */
int bpmu_lifecycle_init(void)
{
	int err;

	err = register_pm_notifier(&power_block);
	if (err)
		return err;
	err = register_reboot_notifier(&reboot_block);
	if (err)
		goto err_power;
	bpmu_pmu_probe_devices();
	err = bpmu_devices_register(bpmu_session_device_removed);
	if (err)
		goto err_devices;
	err = register_hotplug();
	if (err < 0)
		goto err_devices;
	hotplug_state = err;
	return 0;

err_devices:
	bpmu_devices_forget();
	bpmu_memory_forget();
	unregister_reboot_notifier(&reboot_block);
err_power:
	unregister_pm_notifier(&power_block);
	return err;
}

/**
 * bpmu_lifecycle_exit() - let the module no longer follow CPU hotplug, suspend and reboot
 *
 * Context: module unload, without a session.
 */
void bpmu_lifecycle_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	bpmu_devices_forget();
	bpmu_memory_forget();
	unregister_reboot_notifier(&reboot_block);
	unregister_pm_notifier(&power_block);
}
