// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the module registers when it is loaded, in which order it undoes this, and which
 * events of the machine reach the session. The source of the module is compiled unchanged.
 */
#include "kernel/module.h"

/* events of power management, numbered as in the kernel */
enum unit_power {
	PM_HIBERNATION_PREPARE = 1,
	PM_POST_HIBERNATION,
	PM_SUSPEND_PREPARE,
	PM_POST_SUSPEND,
	PM_RESTORE_PREPARE,
	PM_POST_RESTORE,
};

#define CPUHP_AP_ONLINE_DYN 200

static int register_pm_notifier(struct notifier_block *block);
static int unregister_pm_notifier(struct notifier_block *block);
static int register_reboot_notifier(struct notifier_block *block);
static int unregister_reboot_notifier(struct notifier_block *block);
static int cpuhp_setup_state_nocalls_cpuslocked(int state, const char *name,
						int (*online)(unsigned int cpu),
						int (*offline)(unsigned int cpu));
static void cpuhp_remove_state_nocalls(int state);
static void cpus_read_lock(void);
static void cpus_read_unlock(void);

#include "../../kmod/session/lifecycle.c"

#include "test.h"

static char did[512];
static int power_error, reboot_error, devices_error, probe_error, hotplug_error;
static int (*came_online)(unsigned int cpu);
static int (*goes_offline)(unsigned int cpu);

static void note(const char *what)
{
	strcat(strcat(did, what), " ");
}

static void noted(const char *expected)
{
	char text[sizeof(did)];

	strcpy(text, did);
	did[0] = '\0';
	assert_string_equal(text, expected);
}

static int register_pm_notifier(struct notifier_block *block)
{
	assert_ptr_equal(block, &power_block);
	note("power");
	return power_error;
}

static int unregister_pm_notifier(struct notifier_block *block)
{
	assert_ptr_equal(block, &power_block);
	note("no-power");
	return 0;
}

static int register_reboot_notifier(struct notifier_block *block)
{
	assert_ptr_equal(block, &reboot_block);
	note("reboot");
	return reboot_error;
}

static int unregister_reboot_notifier(struct notifier_block *block)
{
	assert_ptr_equal(block, &reboot_block);
	note("no-reboot");
	return 0;
}

static int cpuhp_setup_state_nocalls_cpuslocked(int state, const char *name,
						int (*online)(unsigned int cpu),
						int (*offline)(unsigned int cpu))
{
	assert_int_equal(state, CPUHP_AP_ONLINE_DYN);
	assert_string_equal(name, "barepmu:online");
	came_online = online;
	goes_offline = offline;
	note("hotplug");
	return hotplug_error;
}

static void cpuhp_remove_state_nocalls(int state)
{
	assert_int_equal(state, 207);
	note("no-hotplug");
}

static void cpus_read_lock(void)
{
	note("(");
}

static void cpus_read_unlock(void)
{
	note(")");
}

int bpmu_pmu_probe(void)
{
	note("probe");
	return probe_error;
}

int bpmu_pmu_probe_cpu(void)
{
	note("probe-cpu");
	return -ENODEV;
}

void bpmu_pmu_probe_devices(void)
{
	note("probe-devices");
}

int bpmu_devices_register(void (*removed)(struct pci_dev *pci))
{
	assert_ptr_equal(removed, bpmu_session_device_removed);
	note("devices");
	return devices_error;
}

void bpmu_devices_forget(void)
{
	note("no-devices");
}

void bpmu_memory_forget(void)
{
	note("no-memory");
}

void bpmu_session_device_removed(struct pci_dev *pci)
{
	(void)pci;
}

void bpmu_session_cpu_online(unsigned int cpu)
{
	assert_int_equal(cpu, 3);
	note("online");
}

void bpmu_session_cpu_offline(unsigned int cpu)
{
	assert_int_equal(cpu, 4);
	note("offline");
}

void bpmu_session_sleep(void)
{
	note("sleep");
}

void bpmu_session_wake(void)
{
	note("wake");
}

void bpmu_session_shutdown(void)
{
	note("shutdown");
}

TEST_FIXTURE(setup)
{
	power_error = 0;
	reboot_error = 0;
	devices_error = 0;
	probe_error = 0;
	hotplug_error = 207;
	did[0] = '\0';
	return 0;
}

#define UNDONE "no-devices no-memory no-reboot no-power "

TEST_BETWEEN(what_load_registers_unload_undoes, setup, NULL)
{
	assert_int_equal(bpmu_lifecycle_init(), 0);
	noted("power reboot probe-devices devices ( probe hotplug ) ");
	bpmu_lifecycle_exit();
	noted("no-hotplug " UNDONE);
}

TEST_BETWEEN(a_step_that_fails_undoes_those_before_it, setup, NULL)
{
	power_error = -EEXIST;
	assert_int_equal(bpmu_lifecycle_init(), -EEXIST);
	noted("power ");
	power_error = 0;
	reboot_error = -EEXIST;
	assert_int_equal(bpmu_lifecycle_init(), -EEXIST);
	noted("power reboot no-power ");
	reboot_error = 0;
	devices_error = -ENOMEM;
	assert_int_equal(bpmu_lifecycle_init(), -ENOMEM);
	noted("power reboot probe-devices devices " UNDONE);
	devices_error = 0;
	probe_error = -ENODEV;
	assert_int_equal(bpmu_lifecycle_init(), -ENODEV);
	noted("power reboot probe-devices devices ( probe ) " UNDONE);
	probe_error = 0;
	hotplug_error = -ENOSPC;
	assert_int_equal(bpmu_lifecycle_init(), -ENOSPC);
	noted("power reboot probe-devices devices ( probe hotplug ) " UNDONE);
	/* the number of a state may be 0 */
	hotplug_error = 0;
	assert_int_equal(bpmu_lifecycle_init(), 0);
}

TEST_BETWEEN(events_of_the_machine_reach_the_session, setup, NULL)
{
	static const char * const expected[] = {
		"", "sleep ", "wake ", "sleep ", "wake ", "sleep ", "wake ", ""
	};
	unsigned int event;

	for (event = 0; event < ARRAY_SIZE(expected); event++) {
		assert_int_equal(power_block.notifier_call(&power_block, event, NULL), NOTIFY_DONE);
		noted(expected[event]);
	}
	assert_int_equal(reboot_block.notifier_call(&reboot_block, 1, NULL), NOTIFY_DONE);
	noted("shutdown ");
	assert_int_equal(bpmu_lifecycle_init(), 0);
	did[0] = '\0';
	assert_int_equal(came_online(3), 0);
	noted("probe-cpu online ");
	assert_int_equal(goes_offline(4), 0);
	noted("offline ");
}
