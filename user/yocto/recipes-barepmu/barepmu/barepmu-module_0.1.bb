# SPDX-License-Identifier: GPL-2.0
SUMMARY = "Performance counters of the whole machine, without perf: the kernel module"
require barepmu.inc

inherit module

EXTRA_OEMAKE += "-C ${STAGING_KERNEL_DIR} M=${S}"
MAKE_TARGETS = "modules"
