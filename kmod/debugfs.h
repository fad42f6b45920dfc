/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read-only text files in /sys/kernel/debug/barepmu, which show the module's state without the
 * tool.
 */
#ifndef BPMU_DEBUGFS_H
#define BPMU_DEBUGFS_H

void bpmu_debugfs_init(void);
void bpmu_debugfs_exit(void);

#endif /* BPMU_DEBUGFS_H */
