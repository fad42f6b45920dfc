// SPDX-License-Identifier: GPL-2.0
#include <linux/barepmu.h>
#include <linux/init.h>
#include <linux/module.h>
#include <net/genetlink.h>

#include "cpu.h"
#include "netlink.h"
#include "pmu.h"

static int __init barepmu_init(void)
{
	int err;

	err = bpmu_pmu_probe();
	if (err)
		return err;
	err = bpmu_cpu_init();
	if (err)
		return err;
	err = bpmu_netlink_init();
	if (err)
		goto err_exit_cpu;
	return 0;

err_exit_cpu:
	bpmu_cpu_exit();
	return err;
}

static void __exit barepmu_exit(void)
{
	bpmu_netlink_exit();
	bpmu_cpu_exit();
}

module_init(barepmu_init);
module_exit(barepmu_exit);

MODULE_DESCRIPTION("x86 performance counters by MSR, without perf_events");
MODULE_AUTHOR("The barepmu maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
MODULE_ALIAS_GENL_FAMILY(BPMU_FAMILY_NAME);
