// SPDX-License-Identifier: GPL-2.0
#include <linux/barepmu.h>
#include <linux/init.h>
#include <linux/module.h>
#include <net/genetlink.h>

#include "debugfs.h"
#include "machine/refusal.h"
#include "netlink/netlink.h"
#include "sample/events.h"
#include "sample/unwind.h"
#include "session/lifecycle.h"
#include "version.h"

static int __init barepmu_init(void)
{
	int err;

	err = bpmu_unwind_init();
	if (err)
		return err;
	err = bpmu_events_init(&bpmu_netlink_subscriber);
	if (err)
		goto err_exit_unwind;
	err = bpmu_lifecycle_init();
	if (err)
		goto err_exit_events;
	err = bpmu_netlink_init();
	if (err)
		goto err_exit_lifecycle;
	bpmu_debugfs_init();
	return 0;

err_exit_lifecycle:
	bpmu_lifecycle_exit();
err_exit_events:
	bpmu_events_exit();
err_exit_unwind:
	bpmu_unwind_exit();
	return err;
}

static void __exit barepmu_exit(void)
{
	bpmu_debugfs_exit();
	/*
	 * No session exists here, because a session holds a reference to the module. No session can
	 * begin, because the module's removal has started and BPMU_CMD_CONFIGURE can get no
	 * reference. The netlink family is unregistered after bpmu_events_exit(), which still sends
	 * queued events through it.
	 */
	bpmu_events_exit();
	bpmu_netlink_exit();
	bpmu_refusals_free();
	bpmu_lifecycle_exit();
	bpmu_unwind_exit();
}

module_init(barepmu_init);
module_exit(barepmu_exit);

MODULE_DESCRIPTION("x86 performance counters by MSR, without perf_events");
MODULE_AUTHOR("The barepmu maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(BPMU_MODULE_VERSION);
MODULE_ALIAS_GENL_FAMILY(BPMU_FAMILY_NAME);
