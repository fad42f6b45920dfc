// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/barepmu.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <net/genetlink.h>

#include "cpu.h"
#include "netlink.h"
#include "pmu.h"

static int __init barepmu_init(void)
{
	const struct bpmu_pmu *pmu;
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
	pmu = bpmu_pmu_of(raw_smp_processor_id());
	pr_info("%s, %u general counters of %u bits, %u fixed of %u bits\n",
		pmu->part->title, pmu->gp_counters, pmu->gp_width,
		pmu->fixed_counters, pmu->fixed_width);
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
