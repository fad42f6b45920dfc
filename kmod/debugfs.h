/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's state as read-only text below /sys/kernel/debug/barepmu, for use
 * without the tool.
 */
#ifndef BPMU_DEBUGFS_H
#define BPMU_DEBUGFS_H

void bpmu_debugfs_init(void);
void bpmu_debugfs_exit(void);

#endif /* BPMU_DEBUGFS_H */
